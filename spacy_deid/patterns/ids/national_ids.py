"""National identity, social security, tax, health, passport and licence numbers.

What they look like is in `data/patterns/identifiers.tsv`, the search for their names
in `labelled`. A number next to its name is found in any form; one whose name is near
needs valid check digits or letters; one without any name a form like no other's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...registries import registry
from ..base import Hit, PatternRecognizer, Recognizer, Text
from ..tables import Forms, kinds_of, names_of
from .labelled import Finder, without_overlaps


@registry.deid_patterns("spacy_deid.national_id_patterns.v1")
def make_national_id_patterns(countries: Sequence[str] | None = None) -> Recognizer:
    """Identity, social security, tax, health, passport and licence numbers.

    countries (Sequence[str]): ISO codes of the countries to look for, EU for what
        several share; all that are known by default. Numbers next to names of all
        countries ("passport no.") are always found.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If nothing is known about a country.
    """
    chosen = kinds_of("id", countries)
    finder = Finder(chosen, names_of("id"))
    masked = Forms("id")
    american = any(kind.name.startswith("US") for kind in chosen)

    def find(text: Text) -> Iterator[Hit]:
        hits = finder(text)
        yield from hits
        if american and text.digits > 3:
            yield from without_overlaps(masked(text), hits)

    return PatternRecognizer(find)
