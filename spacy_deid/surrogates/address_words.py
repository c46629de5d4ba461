"""What the pieces of an address are: streets, post codes, boxes, articles before names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..data import facts
from ..text.address_words import STREETS, UNITS
from ..text.countries import index
from ..text.localities import tables
from ..text.names import fold
from .base import CODE_FORMS

_FACTS = facts("lang/en/places")
_STREET_WORDS = re.compile(
    rf"\b(?:{'|'.join(_FACTS['street_words'].split())})(?![^\W_])", re.I
)
_POSTCODE = CODE_FORMS["postcode"]
_STATE_ZIP = re.compile(r"\b([A-Z]{2})(\s)(\d{5}(?:-\d{4})?)\b")
# Those before a zip code, with the areas of military post.
_CODED = frozenset((*tables().codes.values(), "DC", "AA", "AE", "AP"))
_POST = re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b")
# "B12 5th Ave" is no post code.
_NUMBERED = re.compile(rf"(?:1st|2nd|3rd|[04-9]th)\s+(?:{_STREET_WORDS.pattern})", re.I)
_BOX = re.compile(r"p\.?\s?o\.?\s?box", re.I)
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")


class _AddressWords(NamedTuple):
    kept: frozenset[str]
    streets: frozenset[str]
    weak: frozenset[str]
    suffixes: tuple[str, ...]


@lru_cache(maxsize=1)
def _address_words() -> _AddressWords:
    """Words for streets and for parts of buildings, which stay as they are, and those
    that say nothing about where: post boxes, military post, marks."""

    def keys(blocks: Iterator[str] | Sequence[str]) -> set[str]:
        return {w.strip(".,") for block in blocks for w in block.split()}

    streets = keys([f"{p.first} {p.last}" for p in STREETS])
    streets -= {"of", "no", "al", "park"}
    endings = {w for p in STREETS for w in p.suffix.split() if len(w.strip("-")) > 2}
    return _AddressWords(
        frozenset(streets | keys([*UNITS, _FACTS["address_words"]])),
        frozenset(streets),
        frozenset(STREETS[0].weak.split()),
        tuple(sorted(endings, key=len, reverse=True)),
    )


def _suffix(word: str) -> str:
    """The ending of a word that names a street, empty if it does not."""
    low = word.lower()
    endings = (x for x in _address_words().suffixes if len(low) > len(x) + 1)
    return word[len(word) - len(next(filter(low.endswith, endings), "")) :]


def _has_street(text: str) -> bool:
    """Whether a piece of an address names a street."""
    words, streets = _WORD.findall(text), _address_words().streets
    return any(w.lower().rstrip(".") in streets or _suffix(w) for w in words)


def has_street(text: str) -> bool:
    """Whether a piece of an address names a street, and is no town ("St Albans").

    text (str): "Park Row", "Lindenstraße".
    RETURNS (bool): False for empty texts.
    """
    if fold(text) in tables().by_town:
        return False
    return _STREET_WORDS.search(text) is not None or _has_street(text)


def ends_as_street(text: str) -> str:
    """The last word of a name with a number before it, where streets have that and other
    names do, too: "rise" of "5 Kookaburra Rise"; "" for other texts."""
    words = text.lower().rstrip(". ").split()
    numbered = len(words) > 2 and words[0].isdecimal() and words[1].isalpha()
    return words[-1] if numbered and words[-1] in _address_words().weak else ""


def is_region(text: str) -> bool:
    """Whether a piece of an address is a state, a county or a code of one, and no town.

    text (str): "West Yorkshire", "TX".
    RETURNS (bool): True also for regions of other countries.
    """
    key = fold(text)
    known = key in tables().containers or key in index().by_region
    return text in _CODED or (known and key not in tables().by_town)


def post_codes(text: str) -> list[str]:
    """Post codes of an address, without the code of a state.

    text (str): "Austin, TX 78701".
    RETURNS (list[str]): "78701".
    """
    every = _POSTCODE.finditer(text)
    found = (m for m in every if not _NUMBERED.match(text, m.end() - 3))
    # A house number may look like one.
    codes = [_STATE_ZIP.sub(r"\3", m.group()) for m in found if m.start()]
    return [code for code in codes if len(code) > 4]


def is_box(text: str) -> bool:
    """Whether a piece of an address is nothing but "P.O. Box"."""
    return _BOX.fullmatch(text) is not None


def _has_british_post(text: str) -> bool:
    """Whether an address has a British post code, in capitals if it has any."""
    if text.islower():
        text = text.upper()
    elif not re.search(r"[A-Z]\d|\d[A-Z]", text):
        return False
    return any(not _NUMBERED.match(text, m.end() - 3) for m in _POST.finditer(text))


_ARTICLE = re.compile(r"[Tt]he\s+|THE\s+")


def _split_article(text: str) -> tuple[str, str]:
    """The article that a country stands with ("the United Kingdom") and the rest; ""
    and the whole for other texts.

    text (str): A place.
    RETURNS (tuple[str, str]): What the text begins with, and its name.
    """
    match = _ARTICLE.match(text)
    if match is None or fold(text[match.end() :]) not in index().by_name:
        return "", text
    return match.group(), text[match.end() :]
