"""National identity, social security, tax, health, passport and licence numbers.

What they look like is in the table of `country_ids`, the search for their names in
`labelled`. A number next to its name is found in any form; one whose name is near
needs valid check digits or letters; one without any name a form like no other's.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..registries import registry
from .base import PatternRecognizer, Recognizer
from .country_ids import COMMON, GENERIC, KINDS, US_LICENCES, D, Kind
from .labelled import Finder

# Every state as a kind of its own.
_STATES = tuple(
    Kind(f"US_LICENCE_{state}", D, f"driver's licence of {state}, United States", form)
    for state, form in US_LICENCES.items()
)


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
    return PatternRecognizer(Finder(chosen, COMMON, GENERIC))
