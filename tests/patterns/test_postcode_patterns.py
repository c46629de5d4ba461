import pytest

from spacy_deid.patterns.places.postcodes import make_postcode_patterns
from spacy_deid.registries import registry

FOUND = {
    "SW1A 2AA": ["SW1A 2AA"],
    "K1A 0B1 or K1A0B1": ["K1A 0B1", "K1A0B1"],
    "Dublin D02 AF30": ["D02 AF30"],
    "TX 77002-1234 and New York 10001": ["77002-1234", "10001"],
    "Sydney NSW 2000": ["2000"],
    "D-10115 Berlin and CH-8001 Zürich": ["10115", "8001"],
    "1015 AB Amsterdam": ["1015 AB"],
    "zip code 12345, PLZ 10115, code postal: 75002": ["12345", "10115", "75002"],
    "Kod pocztowy: 49-491; CEP 01310-100": ["49-491", "01310-100"],
    "postcode is 3128 AT, 郵便 postal code 104-0061": ["3128 AT", "104-0061"],
    "can you ship to 35-724?": ["35-724"],
    "Port Devin, 38810\nUSA": ["38810"],
    "индекс 101000": ["101000"],
}
NOT_FOUND = [
    "12345 and 1017",
    "the 1907 FA Cup, 9000 BP, 2011 TV Choice",
    "NA-259 Quetta",
    "Tasmania, 1991",
    "version 12345-6789, 10115 people",
    "IN 2001 and OR 12",
]


@pytest.mark.parametrize("text", FOUND)
def test_found(text):
    hits = list(make_postcode_patterns()(text))
    assert [text[h.start : h.end] for h in hits] == FOUND[text]
    assert all(h.subtype == "POSTCODE" and h.reason for h in hits)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(text):
    assert not list(make_postcode_patterns()(text))


def test_countries_chosen():
    assert not list(make_postcode_patterns(countries=["US"])("SW1A 2AA"))
    assert list(make_postcode_patterns(countries=["GB"])("SW1A 2AA"))


def test_registered():
    make = registry.deid_patterns.get("spacy_deid.postcode_patterns.v1")
    assert make is make_postcode_patterns
