"""What is known of English terms: rows that may stand for one another, plurals, and what
is plainly an illness or an occupation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeVar

from ..data import table, word_lists
from ..text.countries import countries, demonym
from ..text.names import fold, strip_possessive
from .base import Mention, listed, match_case, told_by

_HEALTH = re.compile(told_by("health"), re.I)
_ILLNESS = re.compile(
    rf"{told_by('illness')}|(?:[a-z]{{3}}(?:{told_by('illness_ending')})|pno?ea)\b",
    re.I,
)
_SPOKEN = re.compile(
    rf"\b(?:{told_by('spoken')})"
    r"(?:\s+(?:no|some|only|little|good|fluent|broken|any|both))?\s+$",
    re.I,
)
_SPOKEN_BEHIND = re.compile(rf"(?:{told_by('spoken_behind')})", re.I)
_MALE, _FEMALE = (re.compile(rf"(?:{told_by(sex)})s?$") for sex in ("male", "female"))
_HEAD_ENDINGS = re.compile(rf"(?:{told_by('occupation_ending')})s?$", re.I)

_IRREGULAR = (
    *(("man", "men"), ("child", "children"), ("wife", "wives")),
    *(("foot", "feet"), ("tooth", "teeth")),
)
T = TypeVar("T")
# Letters that two terms of one kind have in common at the end: "-itis", "-osis".
_ALIKE = 4


class Row(NamedTuple):
    """Terms that may stand for one another.

    subtype (str): For example "OCCUPATION".
    terms (tuple[str, ...]): The terms.
    kind (str): What all of them are ("health professional"); "" if that has no name.
    """

    subtype: str
    terms: tuple[str, ...]
    kind: str = ""


@lru_cache(maxsize=1)
def rows_by_subtype() -> dict[str, list[Row]]:
    """All rows, of `data/lang/en/terms.tsv` and of the countries' languages."""
    out: dict[str, list[Row]] = {}
    for cells in table("lang/en/terms"):
        row = Row(cells["subtype"], listed(cells["words"]), cells["kind"])
        out.setdefault(row.subtype, []).append(row)
    languages = tuple(dict.fromkeys(c.language for c in countries()))
    out["LANGUAGE"].append(Row("LANGUAGE", languages))
    return out


@lru_cache(maxsize=1)
def _by_term() -> dict[str, Row]:
    """The first row of each term; languages are told by what stands before them."""
    found: dict[str, Row] = {}
    for subtype, rows in rows_by_subtype().items():
        for row in rows if subtype != "LANGUAGE" else ():
            for term in row.terms:
                found.setdefault(fold(term), row)
    return found


def plural(term: str) -> str:
    """Plural of a noun.

    term (str): "witness", "lady", "businessman".
    RETURNS (str): "witnesses", "ladies", "businessmen".
    """
    for ending, new in _IRREGULAR:
        if term.lower().endswith(ending):
            end = term[-len(ending) :]
            return term.removesuffix(end) + match_case(new, end)
    if re.search(r"(?:s|x|ch|sh|z)$", term):
        return term + "es"
    if re.search(r"[^aeiou]y$", term):
        return term[:-1] + "ies"
    return term + "s"


def singulars(term: str) -> Iterator[str]:
    """What a noun may be the plural of."""
    for ending, many in (*_IRREGULAR, ("y", "ies"), ("", "es"), ("", "s")):
        if term.endswith(many):
            yield term.removesuffix(many) + ending


def row_of(term: str) -> tuple[Row, bool] | None:
    """The row of a term, and whether the term is a plural."""
    by_term = _by_term()
    key = fold(strip_possessive(term))
    row = by_term.get(key) or by_term.get(key.replace("-", " "))
    if row is not None:
        return row, False
    if key[-1:] not in ("s", "n"):
        # No plural: "nurses", "women", "children".
        return None
    row = next(filter(None, map(by_term.get, singulars(key))), None)
    return (row, True) if row is not None else None


def by_ending(terms: Iterable[tuple[str, T]]) -> dict[str, T]:
    """What belongs to the first term that ends so, by endings of four letters and more."""
    found: dict[str, T] = {}
    for term, what in terms:
        for at in range(len(term) - _ALIKE + 1):
            found.setdefault(term[at:], what)
    return found


def most_alike(endings: Mapping[str, T], word: str) -> T | None:
    """What belongs to the term that ends most like a word; None if none does."""
    ends = (word[at:] for at in range(len(word) - _ALIKE + 1))
    return next((endings[end] for end in ends if end in endings), None)


@lru_cache(maxsize=1)
def _rows_by_ending() -> dict[str, dict[str, Row]]:
    return {
        subtype: by_ending((fold(term), row) for row in rows for term in row.terms)
        for subtype, rows in rows_by_subtype().items()
    }


def row_like(word: str, subtype: str) -> Row | None:
    """The row of the term that ends most like a word, or like what that is the plural of:
    "lichenologist" for "bryologists"; None if none has its last letters."""
    endings = _rows_by_ending().get(subtype, {})
    forms = map(fold, (*singulars(word), word))
    return next(filter(None, (most_alike(endings, form) for form in forms)), None)


def term_row(term: str) -> tuple[str, ...] | None:
    """The row of a capitalised term ("Widow's Allowance"); None if it is in none."""
    found = row_of(term) if term[:1].isupper() and " " in term else None
    return found[0].terms if found else None


def rows_of(term: str) -> Iterator[tuple[Row, bool]]:
    """The row of a term and that of its last word, each with whether it is a plural.

    term (str): "ballet dancers".
    YIELDS (tuple): The better first.
    """
    return filter(None, map(row_of, (term, term.rpartition(" ")[2])))


def is_term(text: str) -> bool:
    """Whether a text is a known term, or plainly an illness or an occupation.

    text (str): One to four words.
    RETURNS (bool): True for "anorexia nervosa", "Dutch Reformed", False for names.
    """
    _, several, last = text.rpartition(" ")
    if not text.islower():
        return bool(several) and fold(text) in _by_term()
    if row_of(text) or _ILLNESS.search(text):
        return True
    told = several and (_HEALTH.search(text) or _HEAD_ENDINGS.search(last))
    return bool(told or head_row(text))


def head_row(text: str) -> tuple[Row, bool] | None:
    """Row of the last word of an occupation of several words ("ballet dancers")."""
    head = text.rpartition(" ")[2]
    found = row_of(head) if head != text else None
    return found if found is not None and found[0].subtype == "OCCUPATION" else None


def is_person_word(word: str) -> bool:
    """Whether a noun is an occupation or has the ending of one: "prisoner"."""
    found = row_of(word)
    return _HEAD_ENDINGS.search(word) is not None or (
        found is not None and found[0].subtype == "OCCUPATION"
    )


def is_relative(word: str) -> bool:
    """Whether a noun tells what somebody is to another: "mother", "widow"."""
    found = row_of(word)
    return found is not None and found[0].subtype == "FAMILY"


def is_illness(text: str) -> bool:
    """Whether a text says anything of somebody's health."""
    return bool(_HEALTH.search(text[:200]) or _ILLNESS.search(text[:200]))


@lru_cache(maxsize=1)
def _uncounted() -> frozenset[str]:
    """Illnesses that have no plural: "insomnia"."""
    every = (item for row in rows_by_subtype()["DISEASE"] for item in row.terms)
    counted = word_lists("lang/en/told_by")["counted"]
    return frozenset(x for x in every if x.rpartition(" ")[2] not in counted)


def several(term: str) -> str:
    """The plural of a term, where it has one."""
    return term if term in _uncounted() else plural(term)


def sex_of(term: str) -> str:
    """ "m" or "f" for a term that says of which sex somebody is: "policewoman"."""
    return "f" if _FEMALE.search(term) else "m" if _MALE.search(term) else ""


@lru_cache(maxsize=1)
def _languages() -> frozenset[str]:
    return frozenset(
        fold(term) for row in rows_by_subtype()["LANGUAGE"] for term in row.terms
    )


def spoken_language(mention: Mention) -> bool:
    """Whether a mention is a language and no people, by what stands around or as none are
    called so."""
    if fold(mention.text) not in _languages():
        return False
    told = _SPOKEN.search(mention.before) or _SPOKEN_BEHIND.match(mention.after)
    people = demonym(mention.text) or row_of(mention.text)
    return bool(told) or people is None
