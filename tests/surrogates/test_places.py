import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.geography import main_country
from spacy_deid.surrogates.languages import make_english_surrogates
from spacy_deid.surrogates.numbers import ordinal_suffix
from spacy_deid.text.countries import countries, demonym, index
from spacy_deid.text.localities import UK, US, tables
from spacy_deid.text.names import fold
from spacy_deid.text.towns import country_of_phone, homes_of, towns_of

from .conftest import containing, seeded

KEYS = [b"1", b"2", b"3", b"4"]


def towns_in(country):
    return {*country.cities, *(town.name for town in towns_of(country))}


@pytest.mark.parametrize("key", KEYS)
def test_countries_towns_and_nationalities_move_together(replace, key):
    out = replace(
        [
            ("Turkey", "LOC", "COUNTRY"),
            ("Turkish", "DEM", "NATIONALITY"),
            ("Ankara", "LOC", "CITY"),
            ("Turks", "DEM", "NATIONALITY"),
            ("Turkish Government", "ORG", "GOVERNMENT"),
        ],
        key,
    )
    country = index().by_name[fold(out[0])]
    assert out[1] == country.adjective
    assert out[2] in towns_in(country)
    assert demonym(out[3])[0] == country
    assert out[4] == f"{country.adjective} Government"


@pytest.mark.parametrize("old", ["Norway", "Brazil", "Kenya"])
def test_countries_stay_on_their_continent_and_large_ones_come_often(replace, old):
    made = [replace([(old, "LOC")], str(i).encode())[0] for i in range(30)]
    news = [index().by_name[fold(name)] for name in made]
    assert {new.continent for new in news} == {index().by_name[fold(old)].continent}
    assert 3 < len(set(made)) < 25 and old not in made


def test_countries_with_an_article_do_not_tell_each_other(replace):
    """Only two on its continent have one: either would give "the United States" away."""
    rows = [("United States", "LOC", "", 0, "in the ", "")]
    made = {replace(rows, str(i).encode())[0] for i in range(40)}
    continents = {index().by_name[fold(name)].continent for name in made}
    assert len(made) > 2 and len(continents) > 1


def test_table_is_sound():
    assert len({c.name for c in countries()}) == len(countries()) > 80
    assert all(c.adjective and len(c.cities) > 1 for c in countries())


def _post(text):
    return re.search(r"\b([A-Z]{1,2})\d\d?[A-Z]? \d[A-Z]{2}\b", text).group(1)


BRITISH = [row for row in tables().by_country[UK] if row.town != "London"]
AMERICAN = [row for row in tables().by_country[US] if " " not in row.town]


@given(st.sampled_from(AMERICAN), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_american_towns_states_zips_and_telephones_lie_together(replace, old, number):
    code = tables().codes[old.region]
    out = replace(
        [
            (f"{number} Oak Lane, {old.town}, {code} {old.post}33", "LOC", "ADDRESS"),
            (f"({old.area}) 867-5309", "CODE", "PHONE"),
            (f"{old.town}, {old.region}", "LOC"),
            (old.region, "LOC"),
        ],
        str(number).encode(),
    )
    town, state, zip_code = re.search(r", (.+), ([A-Z]{2}) (\d{5})", out[0]).groups()
    rows = tables().by_region[out[3]]
    (new,) = (row for row in rows if row.town == town)
    assert state == tables().codes[new.region] != code
    assert zip_code[:3] == new.post
    assert re.fullmatch(rf"\({new.area}\) 555-01\d\d", out[1])
    assert out[2] == f"{town}, {out[3]}"


@pytest.mark.parametrize("key", KEYS)
def test_parts_of_a_country_stay_parts_and_hold_their_towns(replace, key):
    out = replace(
        [("Swansea, Wales", "LOC"), ("Wales", "LOC"), ("Suffolk", "LOC")], key
    )
    town, part = out[0].split(", ")
    assert part == out[1] in ("England", "Scotland", "Northern Ireland")
    assert tables().by_town[fold(town)].part == part
    assert out[2] in tables().by_region


@pytest.mark.parametrize("key", KEYS)
def test_a_country_that_is_masked_takes_its_towns_and_counties_along(replace, key):
    out = replace([("Norwich, Norfolk, United Kingdom", "LOC")], key)[0]
    town, region, country = out.split(", ")
    new = index().by_name[fold(country)]
    known = towns_in(new) | set(new.regions)
    assert town in known and region in known


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("part", ["Lincs", "Lincolnshire", "Mass.", "N. Yorks"])
def test_a_town_lies_in_the_county_that_stands_behind_it(replace, part, key):
    """Boston in Lincolnshire is not the one that most people know."""
    behind = (part, "LOC", "", 1, "in Boston, ", ".")
    town, county = replace([("Boston", "LOC"), behind], key)
    country = tables().country_of[county]
    assert (country, fold(town)) in tables().town_in
    assert (country == US) == (part == "Mass.")


@pytest.mark.parametrize("key", KEYS)
def test_a_state_and_its_town_of_one_name_are_told_apart(replace, key):
    town, code = replace([("New York, NY 10001", "LOC")], key)[0].split(", ")
    assert fold(town) in tables().by_town
    assert tables().codes[tables().by_town[fold(town)].region] == code[:2] != "NY"


@pytest.mark.parametrize("key", KEYS)
def test_places_stay_in_their_country(replace, key):
    rows = [("Lyon", "LOC"), ("Brittany", "LOC"), ("Kraków", "LOC")]
    maker = make_english_surrogates()
    mentions = [Mention(t, label, "", i) for i, (t, label) in enumerate(rows)]
    out = maker(mentions, seeded(key), containing([t for t, _ in rows]))
    france, poland = index().by_name["france"], index().by_name["poland"]
    assert out[0] in towns_in(france) and out[1] in france.regions
    assert out[2] in towns_in(poland)
    # A country that is masked by its name takes its towns along all the same.
    named = [*mentions, Mention("Poland", "LOC", "", 9)]
    out = maker(named, seeded(key), containing([m.text for m in named]))
    assert out[0] in towns_in(france)
    assert out[2] in towns_in(index().by_name[fold(out[3])])


@pytest.mark.parametrize("key", [b"a", b"b", b"c", b"d", b"e", b"f"])
@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Apt B12 5th Ave, Austin", r"Apt [A-Z]\d\d \d+(?:st|nd|rd|th) Ave, [^,]+"),
        ("APT B12 5TH AVE, AUSTIN", r"APT [A-Z]\d\d \d+(?:ST|ND|RD|TH) AVE, [^,]+"),
        (
            "3 High St, Leeds B12 5TH",
            r"\d+ \w+ St, [\w ]+ [A-Z]{1,2}\d{1,2} \d[A-Z]{2}",
        ),
    ],
)
def test_numbered_streets_are_no_post_codes(replace, text, shape, key):
    out = replace([(text, "LOC", "ADDRESS")], key)[0]
    assert re.fullmatch(shape, out), out
    american = "5th ave" in text.lower()
    if american:
        number = re.search(r"(\d+)(st|nd|rd|th) Ave", out, re.I)
        assert number[2].lower() == ordinal_suffix(int(number[1]))
    town = fold(re.search(r", ([^,]*?)(?: [A-Z]+\d+ .*)?$", out)[1])
    assert (US if american else UK, town) in tables().town_in


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("label", ["LOC", "DEM", "ORG"])
def test_the_code_of_a_state_follows_its_town(replace, key, label):
    # The recognizer may take "MA" for a degree.
    town, code, again = replace(
        [
            ("Boston", "LOC", "", 0, "born in ", ", MA. He"),
            ("MA", label, "", 1, "born in Boston, ", ". He"),
            ("Boston", "LOC", "", 0, "back to ", "."),
        ],
        key,
    )
    row = tables().town_in[US, fold(town)]
    assert code == tables().codes[row.region] and code != "MA"
    assert again == town


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("form", ["DC", "D.C."])
def test_the_capital_is_no_state(replace, key, form):
    town, code, later = replace(
        [
            ("Washington", "LOC", "", 0, "in ", f", {form}, and"),
            (form, "LOC", "", 1, "in Washington, ", ", and"),
            (form, "LOC", "", 1, "stayed in ", "."),
        ],
        key,
    )
    row = tables().town_in[US, fold(town)]
    plain = tables().codes[row.region]
    assert code == later == (plain if form == "DC" else f"{plain[0]}.{plain[1]}.")


def test_a_code_of_no_town_is_no_state(replace):
    # A degree behind a person's name, and a code behind no comma.
    rows = [("Ann Ford", "PERSON"), ("MA", "DEM", "DEGREE", 1, "Ann Ford, ", " of")]
    assert replace(rows)[1] not in tables().codes.values()
    rows = [("Boston", "LOC"), ("MA", "DEM", "", 1, "Boston holds an ", ".")]
    assert replace(rows)[1] not in tables().codes.values()


@pytest.mark.parametrize("key", KEYS)
def test_a_town_with_a_british_post_code_stays_there_alone_too(replace, key):
    alone, address = replace(
        [
            ("Carrow Cross", "LOC", "", 0, "seen in ", "."),
            ("P.O. Box 118\nCarrow Cross CC1 9XX", "LOC", "ADDRESS", 1),
        ],
        key,
    )
    assert tables().by_town[fold(alone)].country == UK
    assert address.split("\n")[1].startswith(f"{alone} ")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("beside", "home"),
    [
        (("+353 87 555 0148", "CODE", "PHONE"), "Ireland"),
        (("+91 98230 00000", "CODE", "PHONE"), "India"),
        (("4 Acacia Road, Dubbo NSW", "LOC", "ADDRESS"), "Australia"),
        (("12 Rue Haute, Lyon", "LOC", "ADDRESS"), "France"),
        (("Ibadan", "LOC", "CITY"), "Nigeria"),
    ],
)
def test_a_place_in_no_list_is_where_the_document_is(replace, key, beside, home):
    new = replace([("Qirnacullin", "LOC"), beside], key)[0]
    assert new in towns_in(index().by_name[fold(home)])


@pytest.mark.parametrize("key", KEYS)
def test_of_towns_of_one_name_that_of_the_document_is_meant(replace, key):
    # The larger Perth is Australian.
    assert "Australia" in homes_of("perth")
    new = replace([("Perth", "LOC"), ("1 High St, Leeds LS1 4AB", "LOC")], key)[0]
    assert fold(new) in {row[1] for row in tables().town_in if row[0] == UK}


def test_no_country_stands_out_where_nothing_tells_of_one(replace):
    homes = set()
    for n in range(40):
        (new,) = replace([("Qirnacullin", "LOC")], str(n).encode())
        homes |= {c for c in (UK, US) if new in towns_in(index().by_name[fold(c)])}
        rows = tables().by_town
        assert (
            new
            in towns_in(index().by_name[fold(UK)]) | towns_in(index().by_name[fold(US)])
            or fold(new) in rows
        )
    assert homes == {UK, US}


def test_countries_of_telephone_numbers():
    assert country_of_phone("+49 30 123456").name == "Germany"
    assert country_of_phone("030 123456") is country_of_phone("+999 1") is None


@pytest.mark.parametrize(
    ("text", "subtype", "country"),
    [
        ("07700 900123", "PHONE", UK),
        ("0803 555 0123", "PHONE", None),
        ("(617) 555-0182", "PHONE", US),
        ("(416) 967-1111", "PHONE", "Canada"),
        ("+48 22 555 01 01", "PHONE", "Poland"),
        ("j.kowalski@firma.pl", "EMAIL", "Poland"),
        ("https://shop.co.uk/pages/about.pl", "URL", UK),
        ("https://host.com/file.py", "URL", None),
        ("https://host.io", "URL", None),
        ("CH93 0076 2011 6238 5295 7", "IBAN", "Switzerland"),
    ],
)
def test_codes_tell_where_a_text_is_at_home(text, subtype, country):
    mentions = [Mention(text, "CODE", subtype, 0), Mention("Xyzzyham", "LOC", "", 1)]
    found = {main_country(mentions, seeded(key)("x", "")).name for key in KEYS}
    assert found == ({country} if country else {UK, US})


@pytest.mark.parametrize("key", KEYS)
def test_codes_of_states_stand_for_the_new_ones(replace, key):
    names = ("IA", "Iowa", "NH", "New Hampshire", "AK", "Alaska")
    rows = [(name, "LOC", "", i, "1,", ",2") for i, name in enumerate(names)]
    out = replace(rows, key)
    for code, name in zip(out[::2], out[1::2]):
        assert tables().codes[name] == code
    assert not set(out) & set(names)
