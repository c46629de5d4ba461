"""Numbers of court cases, and of files of courts, police and authorities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...registries import registry
from ...text.case import as_matched
from ...text.words import before
from ..base import (
    Anchored,
    Hit,
    PatternRecognizer,
    Recognizer,
    Text,
    hit,
    occurrences,
    word_trie,
)
from ..tables import Forms, word_set, words

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

_MARK = r"(?:nos?|nrs?|numbers?|num|núms?|nums?|n|č|sp|nummer|numéro|número|numero|nr)"
_VALUE = (
    r"(?:(?:[IVXL]{1,6} )?[A-ZА-Я][A-Za-zА-Яа-я]{0,4} (?=[0-9]{1,6}/[0-9]{2,4}(?!\w))|[A-ZА-Я] (?=[0-9]{1,6}-[0-9]{2,4}(?![\w-]))|(?=[A-Za-zА-Я/:_.-]{0,24}[0-9]))"
    r"[A-Z0-9А-Я][A-Za-z0-9А-Я]{0,20}(?:[/:_.-][A-Za-z0-9А-Я]{1,20}){0,8}(?![A-Za-z0-9])"
)
_SIGN = (
    rf"(?:(?<!\w)(?i:{_MARK})(?:\.|\b|°|º)|[№#])\s?(?:\(s\))?[:.=#]?\s{{0,2}}[\"'(\[]?"
)
# A name, "no." or a colon, the value.
_NAMED = (
    rf"(?<![\w-])(?P<head>{word_trie(' '.join(_KIND))})"
    rf"(?:(?P<mark>[\s(\[/.-]{{0,3}}{_SIGN})|(?P<sep>\.?\s?[:=#]\s{{0,2}}|\.?\s(?:in\s)?)[\"'(\[]?)"
    rf"(?P<v>{_VALUE})"
)
# "no. 12/34" alone.
_UNNAMED = rf"{_SIGN}(?P<v>{_VALUE})"
_HEAD_BEFORE = re.compile(r"([^\W\d_][\w'-]*)[\s(\[/.]{0,3}\Z")
_DIGIT = re.compile("[0-9]")
_CODED = re.compile("[/:-]")
_NEXT = re.compile(
    rf"(?:,|;|\s?&|,?\s(?:and|or|to|et|und|y|e|и|i))\s{{1,2}}(?:(?:nos?|nr)\.\s?)?(?P<v>{_VALUE})"
)
_COUNTS = re.compile(r"\s?(?:[A-Z][a-z]{2,}|%|euros?|years?|months?|days?)")
_AMOUNT = re.compile(
    r"\s?(?:%|€|\$|£|euros?\b|eur\b|usd\b|dollars?\b|years?\b|months?\b|days?\b|people\b|persons?\b|times\b)",
    re.I,
)
_ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th|s)")
_WORDED = re.compile(r"[0-9]{1,3}-[A-Za-z]+(?:-[A-Za-z]+)?")
_FILE_NAME = re.compile(r"\.[A-Za-z]{2,4}\Z")
_DATE = re.compile(
    r"[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2,4}|[0-9]{4}([./-])[0-9]{1,2}\2[0-9]{1,2}|[0-9]{1,2}:[0-9]{2}"
)
_LEGISLATION = re.compile(
    r"\b(?:regulation|directive|law|act|decree|bill|ordinance|decision|resolution|protocol|ley|loi|legge"
    r"|decreto|gesetz|закон|закона)s?"
    r"(?:\s\([a-z]{2,4}\))?\s(?:nos?\.?\s|nr\.?\s|n[°º.]\s?)?\Z"
)
_DRIVING = re.compile(r"\b(?:driv\w{1,4}(?:'s)?|plate|vehicle|car)\s\Z")


# Seasons and school years: 1990/91.
_SEASON = re.compile(r"(1[89]|20)([0-9]{2})/([0-9]{2})")


class _Kind(NamedTuple):
    subtype: str
    score: float
    says: str


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
    if coded and not _WORDED.fullmatch(value):
        return _Kind(kind, 0.75, says)
    if digits >= 6 and value.isdigit():
        return _Kind(kind, 0.6, f"long {says}")
    return None


def _is_value(value: str) -> bool:
    return (
        _FILE_NAME.search(value) is None
        and _DIGIT.search(value) is not None
        and not _ORDINAL.fullmatch(value)
        and not _DATE.fullmatch(value.rpartition(" ")[2])
    )


_NAMES = Anchored(_NAMED, *_KIND)
_SIGNS = Anchored(
    _UNNAMED,
    "no nos nr nrs number numbers num núm nums n č sp nummer numéro número numero",
    others=lambda text: occurrences(text, "№", "#"),
)


def _named(text: str) -> Iterator[Hit]:
    """Values after their names, and lists of such values."""
    last = 0
    for m in _NAMES.finditer(text):
        if m.start("v") < last:
            continue
        head = as_matched(m["head"]).replace(" ", "-")
        value = m["v"]
        if not _is_value(value) or _AMOUNT.match(text, m.end("v")):
            continue
        if head in ("license", "licence", "registration", "certificate") and (
            _DRIVING.search(before(text, m.start(), 16))
        ):
            continue
        kind = _kind(head, value) if m["mark"] else _plain_kind(head, m["sep"], value)
        if kind is not None and head in _LOOSE:
            kind = kind._replace(score=0.6)
        if kind is not None:
            yield (found := _hit(text, m, kind))
            last = found.end
            for more in _list(text, found, kind):
                yield more
                last = more.end


def _unnamed(text: str) -> Iterator[Hit]:
    """Values after "no." whose name is another one, or none."""
    last = 0
    for m in _SIGNS.finditer(text):
        value = m["v"]
        # The others are those of `_named`.
        if (
            m.start("v") < last
            or len(value) < 4
            or _CODED.search(value) is None
            or _WORDED.fullmatch(value)
            or not _is_value(value)
        ):
            continue
        left = text[max(0, m.start() - 32) : m.start()]
        name = _HEAD_BEFORE.search(left)
        head = as_matched(name[1]) if name else None
        if head in _KIND:
            continue
        if head in _TRANSPARENT and head not in ("id", "serial"):
            head = None
        if head is None and _LEGISLATION.search(before(text, m.start("v"), 40)):
            continue
        kind = _kind(head, value)
        if kind is not None:
            yield (found := _hit(text, m, kind))
            last = found.end
            for more in _list(text, found, kind):
                yield more
                last = more.end


def _hit(text: str, m: re.Match[str], kind: _Kind) -> Hit:
    return hit(*m.span("v"), "CODE", kind.subtype, kind.score, reason=kind.says)


def _list(text: str, first: Hit, kind: _Kind) -> Iterator[Hit]:
    """The values that follow one: "nos. 260, 45 and 119/5"."""
    end = first.end
    while (m := _NEXT.match(text, end)) is not None:
        value = m["v"]
        if not _is_value(value) or ("/" not in value and _COUNTS.match(text, m.end())):
            return
        end = m.end("v")
        yield hit(
            *m.span("v"),
            "CODE",
            kind.subtype,
            kind.score - 0.05,
            reason=f"in a list: {kind.says}",
        )


_FORMS = Forms("case")


def _forms(text: Text) -> Iterator[Hit]:
    # None has less.
    if text.digits < 3:
        return
    for h in _FORMS(text):
        season = _SEASON.fullmatch(text, h.start, h.end)
        if season and (int(season[2]) + 1) % 100 == int(season[3]):
            continue
        if not _LEGISLATION.search(before(text, h.start, 32)):
            yield h


@registry.deid_patterns("spacy_deid.case_number_patterns.v1")
def make_case_number_patterns() -> Recognizer:
    """Numbers of court cases, and of files of courts, police and authorities, by their
    forms and after their names.

    Articles, sections, paragraphs, laws and protocols are left alone, and numbers of
    records, customers and accounts left to other families.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return PatternRecognizer(_named, _unnamed, _forms, digits=True)
