"""The tables of identifiers (`data/patterns/`), and the search by form alone.

A new kind of identifier is a row: of `identifiers.tsv`, if a form, a check and words
around tell it (see `labelled`), of `forms.tsv`, if its form is like no other's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..data import table
from .base import Anchored, Hit, compiled, hit


@cache
def words(name: str) -> tuple[str, ...]:
    """The words of a list of `words.tsv`, in the order of the file."""
    found = [r["words"] for r in table("patterns/words") if r["list"] == name]
    if not found:
        raise ValueError(f"words.tsv: there is no list {name}")
    return tuple(" ".join(found).split())


@cache
def word_set(*names: str) -> frozenset[str]:
    """The words of some lists of `words.tsv`."""
    return frozenset(word for name in names for word in words(name))


class Kind(NamedTuple):
    """One kind of number, a row of `identifiers.tsv`.

    name (str): Detail for the source of a hit; begins with the country.
    subtype (str): Subtype of the hit.
    title (str): What it is, in plain words.
    form (str): Regex of its form, without boundaries.
    check (str): What validates it: a module of python-stdnum, a function of `checks`
        with a leading dot, or "".
    words (tuple[str, ...]): Its names.
    alone (float): Score of a valid number without its name; 0 if the name is needed.
    loose (float): Score of its form where the check fails and no word names it.
    """

    name: str
    subtype: str
    title: str
    form: str
    check: str = ""
    words: tuple[str, ...] = ()
    alone: float = 0.0
    loose: float = 0.0


@cache
def kinds(family: str) -> tuple[Kind, ...]:
    """The rows of a family of `identifiers.tsv`."""
    return tuple(
        Kind(
            row["name"],
            row["subtype"],
            row["title"],
            row["form"],
            row["check"],
            words(row["words"][1:])
            if row["words"].startswith("@")
            else tuple(row["words"].split()),
            float(row["alone"] or 0),
            float(row["loose"] or 0),
        )
        for row in table("patterns/identifiers")
        if row["family"] == family
    )


@cache
def names_of(family: str) -> dict[str, tuple[str, ...]]:
    """The names that all kinds of a subtype have in common, by subtype."""
    lists = {row["list"] for row in table("patterns/words")}
    subtypes = dict.fromkeys(kind.subtype for kind in kinds(family))
    return {s: words(f"names.{s}") for s in subtypes if f"names.{s}" in lists}


class Unknown(NamedTuple):
    """What may stand next to a common name without meeting the form of any row: its
    shortest length, its fewest digits, its form."""

    shortest: int
    digits: int
    form: str


@cache
def unknown_forms() -> dict[str, Unknown]:
    """The rows of `unknown_forms.tsv` by subtype."""
    return {
        row["subtype"]: Unknown(int(row["shortest"]), int(row["digits"]), row["form"])
        for row in table("patterns/unknown_forms")
    }


class _Form(NamedTuple):
    pattern: Anchored | re.Pattern[str]
    group: str | int
    needs: str
    subtype: str
    score: float
    name: str
    title: str


class Forms:
    """Finds what its form alone tells, by the rows of a family of `forms.tsv`."""

    def __init__(self, family: str) -> None:
        self._forms = [
            _make_form(row)
            for row in table("patterns/forms")
            if row["family"] == family
        ]

    def __call__(self, text: str) -> Iterator[Hit]:
        for form in self._forms:
            if form.needs in text:
                for m in form.pattern.finditer(text):
                    start, end = m.span(form.group)
                    yield hit(start, end, "CODE", *form[3:])


def _make_form(row: dict[str, str]) -> _Form:
    starts = row["starts"].split()
    anchors = [word for word in starts if word != "#"]
    pattern: Anchored | re.Pattern[str] = compiled(row["form"])
    group = "v" if "(?P<v>" in row["form"] else 0
    if starts:
        pattern = Anchored(row["form"], *anchors, numbers="#" in starts)
    found = row["subtype"], float(row["score"]), row["name"], row["title"]
    return _Form(pattern, group, row["needs"], *found)
