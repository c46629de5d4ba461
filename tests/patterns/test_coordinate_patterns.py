import pytest

from spacy_deid.patterns.places.coordinates import make_coordinate_patterns
from spacy_deid.registries import registry

FOUND = {
    "51.5074, -0.1278": ["51.5074, -0.1278"],
    "The GPS said 3.2147, -165.5803.": ["3.2147, -165.5803"],
    "-12.296995,115.095817": ["-12.296995,115.095817"],
    "40°26'46\"N 79°58'56\"W": ["40°26'46\"N 79°58'56\"W"],
    "40.7128° N, 74.0060° W": ["40.7128° N, 74.0060° W"],
    "N 51° 30.5', W 0° 7.6'": ["N 51° 30.5', W 0° 7.6'"],
    "lat: 51.5074, lon: -0.1278": ["51.5074", "-0.1278"],
    "POINT(-71.064544 42.28787)": ["-71.064544 42.28787"],
    "geo:48.2010,16.3695": ["48.2010,16.3695"],
    "at 17T 630084 4833438": ["17T 630084 4833438"],
    "grid 33TWN1234567890": ["33TWN1234567890"],
    "plus code 8FVC9G8F+6X": ["8FVC9G8F+6X"],
    "geohash: u4pruydqqvj": ["u4pruydqqvj"],
}
NOT_FOUND = [
    "3.14159, 2.71 and 1.5, 2.5",
    "99.1234, 200.5678",
    "RS,925,3.304686296,-1.191019432,-0.559673085,2.473663759",
    "between 10.1234-20.5678, 30.1234", "doi:10.1063/1.1897570", "version 1.234.567",
    "C++ and 2+2, A+B", "the geohash is computed", "N 5 and W 7",
]  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_found(text):
    hits = list(make_coordinate_patterns()(text))
    assert [text[h.start : h.end] for h in hits] == FOUND[text]
    assert all(h.subtype == "COORDINATES" and h.reason for h in hits)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(text):
    assert not list(make_coordinate_patterns()(text))


def test_registered():
    make = registry.deid_patterns.get("spacy_deid.coordinate_patterns.v1")
    assert make is make_coordinate_patterns
