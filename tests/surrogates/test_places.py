import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.geography import main_country
from spacy_deid.text.countries import countries, index
from spacy_deid.text.localities import UK, US, tables
from spacy_deid.text.names import fold
from spacy_deid.text.towns import country_of_phone, towns_of

from ..cases import cases
from .conftest import seeded

KEYS = [b"1", b"2", b"3", b"4"]


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


AMERICAN = [row for row in tables().by_country[US] if " " not in row.town]


# Called like a people of old.
@example(next(row for row in AMERICAN if row.town == "Norman"), 0)
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


def test_no_country_stands_out_where_nothing_tells_of_one(replace):
    homes = {country: index().by_name[fold(country)] for country in (UK, US)}
    homes = {k: {*c.cities, *(x.name for x in towns_of(c))} for k, c in homes.items()}
    seen = set()
    for n in range(40):
        (new,) = replace([("Qirnacullin", "LOC")], str(n).encode())
        seen |= {of for of, towns in homes.items() if new in towns}
        assert new in homes[UK] | homes[US] or fold(new) in tables().by_town
    assert seen == {UK, US}


def test_countries_of_telephone_numbers():
    assert country_of_phone("+49 30 123456").name == "Germany"
    assert country_of_phone("030 123456") is country_of_phone("+999 1") is None


@pytest.mark.parametrize("text, subtype, country", cases(__file__, "codes"))
def test_codes_tell_where_a_text_is_at_home(text, subtype, country):
    mentions = [Mention(text, "CODE", subtype, 0), Mention("Xyzzyham", "LOC", "", 1)]
    found = {main_country(mentions, seeded(key)("x", "")).name for key in KEYS}
    assert found == ({country} if country else {UK, US})


def test_what_stands_beside_tells_where_a_text_is_at_home():
    for before, country in (("NHS no ", UK), ("paid £3 in ", UK), ("her SSN: ", US)):
        mentions = [Mention("Xyzzyham", "LOC", "", 0, before)]
        found = {main_country(mentions, seeded(key)("x", "")).name for key in KEYS}
        assert found == {country}, before


def test_codes_of_states_stand_for_the_new_ones(replace, key):
    names = ("IA", "Iowa", "NH", "New Hampshire", "AK", "Alaska")
    rows = [(name, "LOC", "", i, "1,", ",2") for i, name in enumerate(names)]
    out = replace(rows, key)
    for code, name in zip(out[::2], out[1::2]):
        assert tables().codes[name] == code
    assert not set(out) & set(names)


@pytest.mark.parametrize("lang, address, name", cases(__file__, "streets"))
def test_no_street_becomes_itself(replace_in, lang, address, name):
    """Even if nothing but the address as a whole may not stand there."""
    for i in range(120):
        row = (address, "LOC", "ADDRESS", 0)
        new = replace_in(lang, [row], key=bytes([i]), forbidden=address.__eq__)[0]
        assert name.lower() not in new.lower(), new
