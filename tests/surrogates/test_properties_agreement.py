"""What has to agree in a new text: post code, telephone and town; weekday and date; the
kind of a thing without a type of its own."""

import datetime
import re

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from phonenumbers import geocoder, parse

from spacy_deid.lang.base import pack_of
from spacy_deid.text.localities import areas

from .properties import LANGS, deid, deid_each, few, keys
from .test_properties_dates import WEEKDAYS

# Post code areas by hand: these towns have one each.
BRITISH = {
    "Leeds": "LS", "Bristol": "BS", "Norwich": "NR", "York": "YO", "Hull": "HU",
    "Derby": "DE", "Preston": "PR", "Exeter": "EX", "Oxford": "OX", "Durham": "DH",
    "Leicester": "LE", "Nottingham": "NG", "Coventry": "CV", "Plymouth": "PL",
    "Cambridge": "CB", "Ipswich": "IP", "Gloucester": "GL", "Lincoln": "LN",
    "Swansea": "SA", "Cardiff": "CF", "Aberdeen": "AB", "Dundee": "DD", "Belfast": "BT",
    "Glasgow": "G", "Edinburgh": "EH", "Liverpool": "L", "Sheffield": "S",
    "Reading": "RG", "Southampton": "SO", "Portsmouth": "PO", "Brighton": "BN",
    "Bournemouth": "BH", "Peterborough": "PE", "Northampton": "NN", "Luton": "LU",
    "Bath": "BA", "Worcester": "WR", "Hereford": "HR", "Shrewsbury": "SY",
    "Chester": "CH", "Stockport": "SK", "Bolton": "BL", "Wigan": "WN", "Oldham": "OL",
    "Blackpool": "FY", "Lancaster": "LA", "Carlisle": "CA", "Sunderland": "SR",
    "Middlesbrough": "TS", "Darlington": "DL", "Huddersfield": "HD", "Halifax": "HX",
    "Bradford": "BD", "Wakefield": "WF", "Doncaster": "DN", "Canterbury": "CT",
    "Guildford": "GU", "Swindon": "SN", "Taunton": "TA", "Torquay": "TQ", "Truro": "TR",
    "Inverness": "IV", "Perth": "PH", "Stirling": "FK", "Falkirk": "FK", "Newport": "NP",
}  # fmt: skip
# First and last three figures of zip codes.
STATES = {
    "AL": (350, 369), "AZ": (850, 865), "AR": (716, 729), "CA": (900, 961),
    "CO": (800, 816), "CT": (60, 69), "DE": (197, 199), "FL": (320, 349),
    "GA": (300, 319), "HI": (967, 968), "ID": (832, 838), "IL": (600, 629),
    "IN": (460, 479), "IA": (500, 528), "KS": (660, 679), "KY": (400, 427),
    "LA": (700, 714), "ME": (39, 49), "MD": (206, 219), "MA": (10, 27),
    "MI": (480, 499), "MN": (550, 567), "MS": (386, 397), "MO": (630, 658),
    "MT": (590, 599), "NE": (680, 693), "NV": (889, 898), "NH": (30, 38),
    "NJ": (70, 89), "NM": (870, 884), "NY": (100, 149), "NC": (270, 289),
    "ND": (580, 588), "OH": (430, 459), "OK": (730, 749), "OR": (970, 979),
    "PA": (150, 196), "RI": (28, 29), "SC": (290, 299), "SD": (570, 577),
    "TN": (370, 385), "TX": (750, 799), "UT": (840, 847), "VT": (50, 59),
    "VA": (201, 246), "WA": (980, 994), "WV": (247, 268), "WI": (530, 549),
    "WY": (820, 831), "AK": (995, 999),
}  # fmt: skip
# First two figures; those of Berlin, Hamburg and Munich may be several.
GERMAN = {
    "Köln": "50 51", "Bremen": "28", "Kassel": "34", "Ulm": "89", "Trier": "54",
    "Bonn": "53", "Leipzig": "04", "Dresden": "01", "Rostock": "18", "Mainz": "55",
    "Heidelberg": "69", "Dortmund": "44", "Essen": "45", "Nürnberg": "90",
    "Freiburg": "79", "Erfurt": "99", "Kiel": "24", "Lübeck": "23", "Aachen": "52",
    "Augsburg": "86", "Karlsruhe": "76", "Würzburg": "97", "Bochum": "44",
    "Hannover": "30", "Stuttgart": "70", "Düsseldorf": "40", "Berlin": "10 12 13 14",
    "Hamburg": "20 21 22", "München": "80 81", "Frankfurt am Main": "60 65",
}  # fmt: skip
# First figures of the post codes of provinces.
SPANISH = {
    "Albacete": "02", "Badajoz": "06", "Burgos": "09", "Cáceres": "10", "Cádiz": "11",
    "Córdoba": "14", "Cuenca": "16", "Granada": "18", "Huelva": "21", "Huesca": "22",
    "Jaén": "23", "León": "24", "Lugo": "27", "Madrid": "28", "Málaga": "29",
    "Murcia": "30", "Palencia": "34", "Salamanca": "37", "Segovia": "40",
    "Sevilla": "41", "Soria": "42", "Teruel": "44", "Toledo": "45", "Valencia": "46",
    "Valladolid": "47", "Bilbao": "48", "Zamora": "49", "Zaragoza": "50", "Ávila": "05",
}  # fmt: skip


@few
@examples(
    town=st.sampled_from(sorted(BRITISH)),
    number=st.integers(1, 199),
    district=st.integers(1, 19),
    unit=st.integers(1, 9),
    rest=st.integers(0, 999),
    key=keys,
)
def test_british_post_codes_and_telephones(town, number, district, unit, rest, key):
    code = f"{BRITISH[town]}{district} {unit}QT"
    address, phone, alone = deid(
        "en",
        [
            "Live at ",
            (f"{number} Quarrel Grove, {town} {code}", "LOC", "ADDRESS"),
            ", call ",
            (f"0113 496 {rest:04}", "CODE", "PHONE"),
            " near ",
            (f"{BRITISH[town]}9 1AB", "LOC", "POSTCODE"),
        ],
        key,
    ).texts
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


@few
@examples(
    state=st.sampled_from(sorted(STATES)),
    part=st.integers(0, 10**6),
    rest=st.integers(0, 99),
    number=st.integers(1, 1999),
    key=keys,
)
def test_zip_codes_are_those_of_the_new_state(state, part, rest, number, key):
    low, high = STATES[state]
    code = f"{low + part % (high - low + 1):03}{rest:02}"
    text = f"{number} Quarrel Street, Springfield, {state} {code}"
    new = deid_each("en", [text], "LOC", "ADDRESS", key=key)[0]
    match = re.fullmatch(r"\d+ \w+ Street, (.+), ([A-Z]{2}) (\d{3})\d\d", new)
    assert match and match[1] != "Springfield"
    if match[2] in STATES:
        low, high = STATES[match[2]]
        assert low <= int(match[3]) <= high


@pytest.mark.parametrize(
    "lang, codes, form",
    [("de", GERMAN, "Quarrelweg {}, {}{:03} {}"), ("es", SPANISH, "Calle Mayor, {}, {}{:03} {}")],
)  # fmt: skip
@few
@examples(data=st.data(), number=st.integers(2, 99), rest=st.integers(0, 999), key=keys)
def test_post_codes_fit_the_new_town(lang, codes, form, data, number, rest, key):
    town = data.draw(st.sampled_from(sorted(codes)))
    text = form.format(number, codes[town].split()[0], rest, town)
    (new,) = deid_each(lang, [text], "LOC", "ADDRESS", key=key)
    match = re.search(r", (\d\d)\d{3} (\D+)$", new)
    assert match and match[2] != town
    assert match[1] in codes.get(match[2], match[1])


@pytest.mark.parametrize("lang", LANGS)
@few
@examples(
    days=st.lists(
        st.dates(datetime.date(1970, 1, 1), datetime.date(2020, 12, 31)),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    subject=st.sampled_from([None, "patient 7"]),
    key=keys,
)
def test_weekdays_stay_if_asked(lang, days, subject, key):
    names = WEEKDAYS[lang].split()
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


@pytest.mark.parametrize("lang", LANGS)
@few
@examples(
    words=st.lists(st.sampled_from(THINGS), min_size=1, max_size=3, unique=True),
    upper=st.booleans(),
    key=keys,
)
def test_names_of_things_become_others(lang, words, upper, key):
    text = " ".join(words)
    text = text.upper() if upper else text
    new = deid_each(lang, [text, text], "MISC", key=key)
    assert new[0] == new[1] and new[0].strip()
    assert not {w.lower() for w in words} & set(re.findall(r"\w+", new[0].lower()))
    assert new[0].isupper() or not upper


def _towns(lang, country):
    lexicon = pack_of(lang).lexicon()
    return {town.name for town in lexicon.at_home("city", country)}


ABROAD = {
    ("de", "Wien"): "Österreich", ("de", "Zürich"): "Schweiz",
    ("es", "Buenos Aires"): "Argentina", ("es", "Ciudad de México"): "México",
}  # fmt: skip


@pytest.mark.parametrize(("lang", "town"), ABROAD)
@few
@examples(number=st.integers(1, 99), code=st.integers(1000, 9999), key=keys)
def test_towns_of_countries_with_the_same_language_stay_there(
    lang, town, number, code, key
):
    street = f"Quarrelgasse {number}" if lang == "de" else f"Calle Quarrel {number}"
    new = deid_each(lang, [f"{street}, {code} {town}"], "LOC", "ADDRESS", key=key)[0]
    match = re.fullmatch(r"\D+ \d+, (\d{4}) (.+)", new)
    assert match and match[2] in _towns(lang, ABROAD[lang, town]) - {town}
