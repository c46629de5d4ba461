"""Geographic coordinates."""

from __future__ import annotations

from ...registries import registry
from ..base import PatternRecognizer, Recognizer
from ..tables import Forms

find_coordinates = Forms("coordinates", "LOC")


@registry.deid_patterns("spacy_deid.coordinate_patterns.v1")
def make_coordinate_patterns() -> Recognizer:
    """Decimal and sexagesimal degrees, UTM and military grids, plus codes, geohashes,
    points of well-known text and of the scheme `geo`.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return PatternRecognizer(find_coordinates, digits=True)
