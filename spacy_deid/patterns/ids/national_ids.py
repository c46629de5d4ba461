"""National identity, social security, tax, health, passport and licence numbers.

What they look like is in the table of `country_ids`, the search for their names in
`labelled`. A number next to its name is found in any form; one whose name is near
needs valid check digits or letters; one without any name a form like no other's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...registries import registry
from ..base import Hit, PatternRecognizer, Recognizer, count_digits, hit
from .country_ids import COMMON, GENERIC, KINDS, US_LICENCES, D, Kind, N
from .labelled import Finder, without_overlaps

# Every state as a kind of its own.
_STATES = tuple(
    Kind(f"US_LICENCE_{state}", D, f"driver's licence of {state}, United States", form)
    for state, form in US_LICENCES.items()
)

_MASKED = re.compile(
    r"[*•#xX](?<![\w*•#].)[*•#xX]{2}(?:-| ?)[*•#xX]{2}(?:-| ?)[0-9]{4}(?!\w|[.,/-][0-9])"
)


def _masked(text: str) -> Iterator[Hit]:
    for m in _MASKED.finditer(text):
        reason = "form of a masked United States social security number"
        yield hit(*m.span(), "CODE", N, 0.8, "US_SSN", reason)


@registry.deid_patterns("spacy_deid.national_id_patterns.v1")
def make_national_id_patterns(countries: Sequence[str] | None = None) -> Recognizer:
    """Identity, social security, tax, health, passport and licence numbers.

    countries (Sequence[str]): ISO codes of the countries to look for, EU for what
        several share; all that are known by default. Numbers next to names of all
        countries ("passport no.") are always found.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If nothing is known about a country.
    """
    kinds = (*KINDS, *_STATES)
    known = {kind.name[:2] for kind in kinds}
    wanted = known if countries is None else {c.upper() for c in countries}
    if wanted - known:
        raise ValueError(f"no national ids known for {sorted(wanted - known)}")
    chosen = [kind for kind in kinds if kind.name[:2] in wanted]
    finder = Finder(chosen, COMMON, GENERIC)
    masks = "US" in wanted

    def find(text: str) -> list[Hit]:
        hits = finder(text)
        if masks and count_digits(text) > 3:
            hits += without_overlaps(_masked(text), hits)
        return sorted(hits)

    return PatternRecognizer(find)
