import re

import pytest

from spacy_deid.names import fold
from spacy_deid.surrogates.places import countries, demonym, index

KEYS = [b"1", b"2", b"3", b"4"]


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
    assert out[2] in country.cities
    assert demonym(out[3])[0] == country
    assert out[4] == f"{country.adjective} Government"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("text", "subtype", "shape"),
    [
        ("District of Kyrenia", "", r"District of \w.+"),
        ("municipality of Lapithos", "", r"municipality of [A-Z\u00c0-\u017d].+"),
        (
            "12 Baker Street, London NW1 6XE",
            "ADDRESS",
            r"\d+ \w+ Street, [^,\d]+ [A-Z]{2}\d \d[A-Z]{2}",
        ),
        ("Hauptstraße 5, 10115 Berlin", "ADDRESS", r"\w+straße \d{1,2}, \d{5} \w.*"),
        (
            "742 Evergreen Terrace\n Suite 201\n Springfield\n OR 97403",
            "ADDRESS",
            r"\d+ \w+ Terrace\n Suite \d+\n [^\n]+\n [A-Z]{2} \d{5}",
        ),
        (
            "PSC 1234, Box 5678\nAPO AE 09876",
            "ADDRESS",
            r"PSC \d+, Box \d+\nAPO AE \d{5}",
        ),
        ("Storgatan 5, 111 22 Malmö", "ADDRESS", r"\w+gatan \d+, \d{3} \d{2} \w.*"),
        (
            "ul. Długa 5/3, 00-950 Łódź",
            "ADDRESS",
            r"ul\. \w+ \d+/\d+, \d{2}-\d{3} \w.*",
        ),
        (
            "Keizersgracht 12, 1015 AB Delft",
            "ADDRESS",
            r"\w+gracht \d+, \d{4} [A-Z]{2} \w.*",
        ),
        ("33TWN1234567890", "COORDINATES", r"\d{2}TWN\d{10}"),
        ("9C3W9QCJ+2VX", "COORDINATES", r"[2-9A-Z]{8}\+[2-9A-Z]{3}"),
        ("NW1 6XE", "POSTCODE", r"[A-Z]{2}\d \d[A-Z]{2}"),
        ("51.5074° N, 0.1278° W", "COORDINATES", r"\d+\.\d{4}° N, \d+\.\d{4}° W"),
        ("Heathrow Airport", "", r".+ Airport"),
        ("River Thames", "", r"River .+"),
        ("Racine, Wisconsin", "", r"[^,]+, [^,]+"),
    ],
)
def test_form_of_places(replace, text, subtype, shape, key):
    out = replace([(text, "LOC", subtype)], key)[0]
    assert re.fullmatch(shape, out), out
    assert not set(re.findall(r"[A-Z]\w{4,}", text)) & set(re.findall(r"\w+", out)) - {
        "District",
        "Street",
        "Terrace",
        "Suite",
        "Airport",
        "River",
    }


def test_capitals_stay(replace):
    assert replace([("ISTANBUL", "LOC", "CITY")])[0].isupper()


@pytest.mark.parametrize("key", KEYS)
def test_article_before_a_country_still_fits(replace, key):
    out = replace([("United Kingdom", "LOC", "COUNTRY", 1, "in the ", "")], key)[0]
    assert out in (
        "United States",
        "Netherlands",
        "Philippines",
        "Czech Republic",
        "Bahamas",
        "Dominican Republic",
        "Gambia",
    )


def test_names_of_one_country_agree(replace):
    out = replace([("United Kingdom", "LOC"), ("UK", "LOC"), ("Great Britain", "LOC")])
    assert len(set(out)) == 1


def test_table_is_sound():
    assert len({c.name for c in countries()}) == len(countries()) > 80
    assert all(c.adjective and len(c.cities) > 1 for c in countries())


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "text",
    ["United Kingdom of Great Britain and Northern Ireland", "Bosnia and Herzegovina"],
)
def test_a_country_of_several_words_is_one_name(replace, text, key):
    out = replace([(text, "LOC", "COUNTRY", 0, "against the ")], key)[0]
    assert fold(out) in index().by_name
    assert " and " not in out
