"""Geographic coordinates."""

from __future__ import annotations

from ...registries import registry
from ..base import Hit, PatternRecognizer, Recognizer, drop_covered, has_digits
from ..tables import Forms

FORMS = Forms("coordinates", "LOC")


@registry.deid_patterns("spacy_deid.coordinate_patterns.v1")
def make_coordinate_patterns() -> Recognizer:
    """Decimal and sexagesimal degrees, UTM and military grids, plus codes, geohashes,
    points of well-known text and of the scheme `geo`.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> list[Hit]:
        return drop_covered(list(find_coordinates(text)))

    return PatternRecognizer(find)


def find_coordinates(text: str) -> list[Hit]:
    """Coordinates of a normalised text; hits may overlap."""
    return list(FORMS(text)) if has_digits(text) else []
