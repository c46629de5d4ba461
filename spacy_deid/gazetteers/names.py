"""Given names and surnames, for linking mentions and for surrogates."""

from __future__ import annotations

import functools
from typing import NamedTuple

from .readers import SEED


class Names(NamedTuple):
    """Known names, case-folded.

    given (dict[str, str]): Gender of each given name: `male`, `female` or `any`.
    family (frozenset[str]): Surnames.
    """

    given: dict[str, str]
    family: frozenset[str]


_GENDERS = {"m": "male", "f": "female", "": "any"}


@functools.cache
def load_names() -> Names:
    """The name lists that come with the package. Read once."""
    given = {}
    for line in (SEED / "given_names.tsv").read_text("utf8").splitlines()[1:]:
        name, gender = line.split("\t")
        given[name] = _GENDERS[gender]
    family = (SEED / "family_names.tsv").read_text("utf8").splitlines()[1:]
    return Names(given, frozenset(family))
