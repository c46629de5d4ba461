"""What has to agree in a new text: post code, telephone and town; weekday and date; the
kind of a thing without a type of its own."""

import datetime
import re

import pytest
from hypothesis import strategies as st
from phonenumbers import geocoder, parse

from spacy_deid.lang.base import pack_of
from spacy_deid.text.localities import areas

from ..cases import cases
from .marked import table_of
from .properties import LANGS, deid, deid_each, deid_one, examples
from .test_properties_dates import WEEKDAYS

CODES = {}
for row in table_of("post_codes.tsv"):
    CODES.setdefault(row["of"], {})[row["place"]] = row["codes"]
BRITISH = CODES["british"]
STATES = {state: tuple(map(int, c.split())) for state, c in CODES["american"].items()}


@examples(
    town=st.sampled_from(sorted(BRITISH)),
    number=st.integers(1, 199),
    district=st.integers(1, 19),
    unit=st.integers(1, 9),
    rest=st.integers(0, 999),
)
def test_british_post_codes_and_telephones(town, number, district, unit, rest, key):
    whole = f"{number} Quarrel Grove, {town} {BRITISH[town]}{district} {unit}QT"
    parts = ["Live at ", (whole, "LOC", "ADDRESS"), ", call "]
    parts += [(f"0113 496 {rest:04}", "CODE", "PHONE"), " near "]
    parts.append((f"{BRITISH[town]}9 1AB", "LOC", "POSTCODE"))
    address, phone, alone = deid("en", parts, key).texts
    match = re.fullmatch(r"\d+ \w+ Grove, (.+) ([A-Z]{1,2})\d\w? \d[A-Z]{2}", address)
    assert match and match[1] != town
    assert BRITISH.get(match[1], match[2]) == match[2]
    assert re.match(r"[A-Z]+", alone)[0] == match[2]
    # Of the new town if that has numbers kept for fiction, else of none.
    where = geocoder.description_for_number(parse(phone, "GB"), "en")
    # Towns share areas: Stockport has that of Manchester.
    own = re.sub(r"\D", "", phone).startswith("0" + areas("44")[match[1].lower()])
    assert where in (match[1], "") or own
    assert where != "Leeds"


@examples(
    state=st.sampled_from(sorted(STATES)),
    part=st.integers(0, 10**6),
    rest=st.integers(0, 99),
    number=st.integers(1, 1999),
)
def test_zip_codes_are_those_of_the_new_state(state, part, rest, number, key):
    low, high = STATES[state]
    code = f"{low + part % (high - low + 1):03}{rest:02}"
    text = f"{number} Quarrel Street, Springfield, {state} {code}"
    new = deid_one("en", text, "LOC", "ADDRESS", key=key)
    match = re.fullmatch(r"\d+ \w+ Street, (.+), ([A-Z]{2}) (\d{3})\d\d", new)
    assert match and match[1] != "Springfield"
    if match[2] in STATES:
        low, high = STATES[match[2]]
        assert low <= int(match[3]) <= high


@examples(
    ["de", "es"], data=st.data(), number=st.integers(2, 99), rest=st.integers(0, 999)
)
def test_post_codes_fit_the_new_town(lang, data, number, rest, key):
    codes = CODES["german" if lang == "de" else "spanish"]
    town = data.draw(st.sampled_from(sorted(codes)))
    street = f"Quarrelweg {number}" if lang == "de" else f"Calle Mayor, {number}"
    text = f"{street}, {codes[town].split()[0]}{rest:03} {town}"
    new = deid_one(lang, text, "LOC", "ADDRESS", key=key)
    match = re.search(r", (\d\d)\d{3} (\D+)$", new)
    assert match and match[2] != town
    assert match[1] in codes.get(match[2], match[1])


DAYS = st.dates(datetime.date(1970, 1, 1), datetime.date(2020, 12, 31))


@examples(
    LANGS,
    days=st.lists(DAYS, min_size=1, max_size=4, unique=True),
    subject=st.sampled_from([None, "patient 7"]),
)
def test_weekdays_stay_if_asked(lang, days, subject, key):
    names = WEEKDAYS[lang]
    texts = [f"{names[day.weekday()]}, {day:%d.%m.%Y}" for day in days]
    new = deid_each(lang, texts, "DATETIME", key=key, weekdays=True, subject=subject)
    moved = []
    for old, day, text in zip(texts, days, new):
        name, _, date = text.partition(", ")
        moved.append(datetime.datetime.strptime(date, "%d.%m.%Y").date())
        assert text != old and name == names[day.weekday()]
        assert moved[-1].weekday() == day.weekday()
    assert len({b - a for a, b in zip(days, moved)}) == 1


THINGS = "Quorven Mistral Talvane Ordrick Pellmar Zandor Wickley".split()


@examples(
    LANGS,
    words=st.lists(st.sampled_from(THINGS), min_size=1, max_size=3, unique=True),
    upper=st.booleans(),
)
def test_names_of_things_become_others(lang, words, upper, key):
    text = " ".join(words)
    text = text.upper() if upper else text
    new = deid_each(lang, [text, text], "MISC", key=key)
    assert new[0] == new[1] and new[0].strip()
    assert not {w.lower() for w in words} & set(re.findall(r"\w+", new[0].lower()))
    assert new[0].isupper() or not upper


@pytest.mark.parametrize("lang, town, country", cases(__file__, "abroad"))
@examples(number=st.integers(1, 99), code=st.integers(1000, 9999))
def test_towns_of_countries_with_the_same_language_stay_there(
    lang, town, country, number, code, key
):
    street = f"Quarrelgasse {number}" if lang == "de" else f"Calle Quarrel {number}"
    new = deid_one(lang, f"{street}, {code} {town}", "LOC", "ADDRESS", key=key)
    match = re.fullmatch(r"\D+ \d+, (\d{4}) (.+)", new)
    towns = pack_of(lang).lexicon().at_home("city", country)
    assert match and match[2] in {other.name for other in towns} - {town}
