"""Post codes and coordinates, which stand in addresses and alone."""

import pytest

from spacy_deid.patterns.places.coordinates import make_coordinate_patterns
from spacy_deid.patterns.places.postcodes import make_postcode_patterns

POSTCODES = [
    "<<SW1A 2AA|POSTCODE>>",
    "<<K1A 0B1|POSTCODE>> or <<K1A0B1|POSTCODE>>",
    "Dublin <<D02 AF30|POSTCODE>>",
    "TX <<77002-1234|POSTCODE>> and New York <<10001|POSTCODE>>",
    "Sydney NSW <<2000|POSTCODE>>",
    "D-<<10115|POSTCODE>> Berlin and CH-<<8001|POSTCODE>> Zürich",
    "<<1015 AB|POSTCODE>> Amsterdam",
    "zip code <<12345|POSTCODE>>, PLZ <<10115|POSTCODE>>, code postal: <<75002|POSTCODE>>",
    "Kod pocztowy: <<49-491|POSTCODE>>; CEP <<01310-100|POSTCODE>>",
    "postcode is <<3128 AT|POSTCODE>>, 郵便 postal code <<104-0061|POSTCODE>>",
    "can you ship to <<35-724|POSTCODE>>?",
    "Port Devin, <<38810|POSTCODE>>\nUSA",
    "индекс <<101000|POSTCODE>>",
    # None.
    "12345 and 1017",
    "the 1907 FA Cup, 9000 BP, 2011 TV Choice",
    "NA-259 Quetta",
    "Tasmania, 1991",
    "version 12345-6789, 10115 people",
    "IN 2001 and OR 12",
]
COORDINATES = [
    "<<51.5074, -0.1278|COORDINATES>>",
    "The GPS said <<3.2147, -165.5803|COORDINATES>>.",
    "<<-12.296995,115.095817|COORDINATES>>",
    "<<40°26'46\"N 79°58'56\"W|COORDINATES>>",
    "<<40.7128° N, 74.0060° W|COORDINATES>>",
    "<<N 51° 30.5', W 0° 7.6'|COORDINATES>>",
    "lat: <<51.5074|COORDINATES>>, lon: <<-0.1278|COORDINATES>>",
    "POINT(<<-71.064544 42.28787|COORDINATES>>)",
    "geo:<<48.2010,16.3695|COORDINATES>>",
    "at <<17T 630084 4833438|COORDINATES>>",
    "grid <<33TWN1234567890|COORDINATES>>",
    "plus code <<8FVC9G8F+6X|COORDINATES>>",
    "geohash: <<u4pruydqqvj|COORDINATES>>",
    # None.
    "3.14159, 2.71 and 1.5, 2.5",
    "99.1234, 200.5678",
    "RS,925,3.304686296,-1.191019432,-0.559673085,2.473663759",
    "between 10.1234-20.5678, 30.1234",
    "doi:10.1063/1.1897570",
    "version 1.234.567",
    "C++ and 2+2, A+B",
    "the geohash is computed",
    "N 5 and W 7",
]


@pytest.mark.parametrize("marked", POSTCODES)
def test_postcodes(check_hits, marked):
    check_hits(make_postcode_patterns(), marked)


@pytest.mark.parametrize("marked", COORDINATES)
def test_coordinates(check_hits, marked):
    check_hits(make_coordinate_patterns(), marked)


def test_countries_chosen():
    assert not list(make_postcode_patterns(countries=["US"])("SW1A 2AA"))
    assert list(make_postcode_patterns(countries=["GB"])("SW1A 2AA"))
