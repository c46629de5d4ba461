"""Numbers of court cases, and of files of courts, police and authorities."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from ...registries import registry
from ...text.case import as_matched
from ...text.words import before
from ..base import Hit, PatternRecognizer, Recognizer, Text, hit, occurrences
from ..tables import Forms, word_set, words
from .labelled import P

# What a number names, by the last word before "no." and the like.
_KIND = {
    **dict.fromkeys(words("names.CASE_NUMBER"), "CASE_NUMBER"),
    **dict.fromkeys(words("names.FILE_NUMBER"), "FILE_NUMBER"),
}
# Names that need no "no." before a short number.
_STRONG = word_set("case.strong")
# Numbers of laws, publications and institutions identify nobody; those of records
# and customers belong to another family.
_PUBLIC = word_set("case.public")
# "Judgment no. 3" and the like identify nothing outside their document.
_SMALL = word_set("case.small")
# Mostly numbers of drivers and vehicles, which other families know better.
_LOOSE = frozenset(("licence", "license", "permit"))
_TRANSPARENT = word_set("case.transparent")


class _Kind(NamedTuple):
    subtype: str
    score: float
    says: str


# Name and value, and what it is.
_Found = tuple[re.Match[str], _Kind | None]


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))


def _kind(head: str | None, value: str) -> _Kind | None:
    """What a value after "no." is, given the word before it."""
    digits = _digits(value)
    if head:
        word = as_matched(head)
        if digits < (3 if word in _SMALL else 1):
            return None
        if word in _KIND:
            return _Kind(_KIND[word], 0.9, f"number after '{word}'")
        if word in _PUBLIC:
            return None
    if digits >= 3 and any(c in value for c in "/-:"):
        return _Kind("CASE_NUMBER", 0.8, "digits and signs after a word for number")
    return None


def _plain_kind(head: str, sep: str, value: str) -> _Kind | None:
    """What a value is that follows its name without "no."."""
    digits = _digits(value)
    kind, says = _KIND[head], f"number after '{head}'"
    if head in _STRONG:
        return _Kind(kind, 0.9, says) if digits >= 2 else None
    coded = digits >= 3 and (
        any(c in value for c in "/-") or any(map(str.isalpha, value))
    )
    if "in" in sep:
        return _Kind(kind, 0.75, says) if digits > 3 and not value.isdigit() else None
    if sep.strip(". "):
        return _Kind(kind, 0.85, f"{says} and a colon") if digits >= 3 else None
    if coded and not P.case_worded.fullmatch(value):
        return _Kind(kind, 0.75, says)
    return _Kind(kind, 0.6, f"long {says}") if digits >= 6 and value.isdigit() else None


def _is_value(value: str) -> bool:
    date = P.date.fullmatch(value.rpartition(" ")[2])
    if date or P.ordinal.fullmatch(value) or P.case_file_name.search(value):
        return False
    return P.case_digit.search(value) is not None


P.case_unnamed.others = lambda text: occurrences(text, "№", "#")


def _named(text: str) -> Iterator[_Found]:
    """Values after their names."""
    for m in P.case_named.finditer(text):
        head, value = as_matched(m["head"]).replace(" ", "-"), m["v"]
        if not _is_value(value) or P.amount.match(text, m.end("v")):
            continue
        if head in ("license", "licence", "registration", "certificate") and (
            P.case_driving.search(before(text, m.start(), 16))
        ):
            continue
        kind = _kind(head, value) if m["mark"] else _plain_kind(head, m["sep"], value)
        if kind is not None and head in _LOOSE:
            kind = kind._replace(score=0.6)
        yield m, kind


def _unnamed(text: str) -> Iterator[_Found]:
    """Values after "no." whose name is another one, or none."""
    for m in P.case_unnamed.finditer(text):
        value = m["v"]
        coded = P.case_coded.search(value) and not P.case_worded.fullmatch(value)
        if len(value) < 4 or not coded or not _is_value(value):
            continue
        name = P.case_head_before.search(text[max(0, m.start() - 32) : m.start()])
        head = as_matched(name[1]) if name else None
        # Those are found by `_named`.
        if head in _KIND:
            continue
        if head in _TRANSPARENT and head not in ("id", "serial"):
            head = None
        if head or not P.case_legislation.search(before(text, m.start("v"), 40)):
            yield m, _kind(head, value)


def _with_lists(find: Callable[[str], Iterator[_Found]], text: str) -> Iterator[Hit]:
    """What was found, with the values that follow: "nos. 260, 45 and 119/5"."""
    last = 0
    for m, kind in find(text):
        if kind is None or m.start("v") < last:
            continue
        score, says = kind.score, kind.says
        value: re.Match[str] | None = m
        while value is not None:
            last = value.end("v")
            yield hit(*value.span("v"), "CODE", kind.subtype, score, reason=says)
            score, says = kind.score - 0.05, f"in a list: {kind.says}"
            value = P.case_next.match(text, last)
            if value is None or not _is_value(value["v"]):
                break
            if "/" not in value["v"] and P.case_counts.match(text, value.end()):
                break


_FORMS = Forms("case")


def _forms(text: Text) -> Iterator[Hit]:
    # None has less.
    if text.digits < 3:
        return
    for h in _FORMS(text):
        season = P.case_season.fullmatch(text, h.start, h.end)
        if season and (int(season[2]) + 1) % 100 == int(season[3]):
            continue
        if not P.case_legislation.search(before(text, h.start, 32)):
            yield h


@registry.deid_patterns("spacy_deid.case_number_patterns.v1")
def make_case_number_patterns() -> Recognizer:
    """Numbers of court cases, and of files of courts, police and authorities, by their
    forms and after their names.

    Articles, sections, paragraphs, laws and protocols are left alone, and numbers of
    records, customers and accounts left to other families.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    listed = (partial(_with_lists, find) for find in (_named, _unnamed))
    return PatternRecognizer(*listed, _forms, digits=True)
