"""What addresses are made of, by country: words for streets and for parts of
buildings, forms of post codes, states and regions, countries. All of it is data:
`data/addresses/`."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..data import facts, table

# Between street, town, post code and country; in rows of tables, too.
PIECE_END = re.compile(r"[,;|\n\t]")


class Streets(NamedTuple):
    """Words for streets of some countries, separated by blanks, in lower case; see the
    columns of `data/addresses/streets.tsv`."""

    countries: str
    last: str = ""
    weak: str = ""
    first: str = ""
    suffix: str = ""
    weak_suffix: str = ""


class PostCode(NamedTuple):
    """The form of post codes of some countries; see the columns of
    `data/addresses/post_codes.tsv`."""

    countries: str
    form: str
    says: str
    alone: float = 0.0


_WORDS = facts("addresses/words")
STREETS = tuple(Streets(**row) for row in table("addresses/streets"))
POST_CODES = tuple(
    PostCode(row["countries"], row["form"], row["says"], float(row["alone"] or 0))
    for row in table("addresses/post_codes")
)
# Words for parts of buildings; the number or letter follows.
UNITS: list[str] = _WORDS["units"]
# Country -> codes and names of its states.
STATES: dict[str, tuple[list[str], list[str]]] = _WORDS["states"]
# Names of countries and nations as they end an address, beside the English ones.
COUNTRIES: list[str] = _WORDS["countries"]
# Words after which a number is a post code.
POSTCODE_WORDS: list[str] = _WORDS["postcode_words"]
# Small words inside names of streets and towns.
PARTICLES = frozenset(_WORDS["particles"])
# Words with a capital that begin no name of a street or town.
NOT_NAMES = frozenset(_WORDS["not_names"])
# Words that end like names of streets.
NOT_SUFFIXED = frozenset(_WORDS["not_suffixed"])
# Words that may follow an address in a sentence.
FOLLOWERS = frozenset(_WORDS["followers"])
# Words after or before which a name is one of a region.
REGIONS = frozenset(_WORDS["regions"])
# Words that name a building after its own name.
BUILDINGS = "|".join(_WORDS["buildings"])
# Words for towns and districts of Russian and Azerbaijani addresses.
LOCALITIES = "|".join(_WORDS["localities"])
# First words of streets that are hardly anything else.
SAFE_FIRST = frozenset(_WORDS["safe_first"])
# What stands before an address, in the small letters of the text before it.
CONTEXT = rf"(?:{'|'.join(_WORDS['context'])})\s?[\"'(\[]?\s{{0,24}}\Z"


def is_of(countries: tuple[str, ...] | None, codes: str) -> bool:
    """Whether any of some countries, all if None, is among codes with blanks between."""
    return countries is None or not set(countries).isdisjoint(codes.split())
