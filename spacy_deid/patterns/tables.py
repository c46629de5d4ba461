"""The tables of identifiers (`data/patterns/`), and the search by form alone.

A new kind of identifier is a row: of `identifiers.tsv`, if a form, a check and words
around tell it (see `labelled`), of `forms.tsv`, if its form is like no other's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from ..data import table
from .base import Anchored, Hit, compiled, hit


@cache
def words(*names: str) -> tuple[str, ...]:
    """The words of some lists of `words.tsv`, in the order of the file."""
    rows = [row for row in table("patterns/words") if row["list"] in names]
    if len({row["list"] for row in rows}) < len(names):
        raise ValueError(f"words.tsv: not all of these lists are there: {names}")
    return tuple(word for row in rows for word in row["words"].split())


@cache
def word_set(*names: str) -> frozenset[str]:
    """The words of some lists of `words.tsv`."""
    return frozenset(words(*names))


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


def kinds_of(family: str, countries: Iterable[str] | None) -> list[Kind]:
    """The rows of a family for some countries, or for all.

    RAISES (ValueError): If nothing is known about a country.
    """
    start = f"{family.upper()}_"
    known = [(kind.name.removeprefix(start)[:2], kind) for kind in kinds(family)]
    wanted = {*dict(known)} if countries is None else {c.upper() for c in countries}
    if unknown := sorted(wanted - dict(known).keys()):
        raise ValueError(f"no numbers of the kind '{family}' known for {unknown}")
    return [kind for country, kind in known if country in wanted]


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


class Forms:
    """Finds what its form alone tells, by the rows of a family of `forms.tsv`.

    family (str): The family.
    label (str): Label of its hits.
    """

    def __init__(self, family: str, label: str = "CODE") -> None:
        self._label = label
        rows = table("patterns/forms")
        self._forms = [_form(row) for row in rows if row["family"] == family]

    def __call__(self, text: str) -> Iterator[Hit]:
        for needs, find, group, (subtype, score, *said) in self._forms:
            if not needs or any(sign in text for sign in needs):
                for m in find(text):
                    start, end = m.span(group)
                    yield hit(start, end, self._label, subtype, score, *said)


def _form(row: dict[str, str]) -> tuple:
    """What a text needs, the search, the group, and what a hit is made of."""
    starts = row["starts"].split()
    anchors = [word for word in starts if word != "#"]
    pattern: Anchored | re.Pattern[str] = compiled(row["form"])
    if starts:
        pattern = Anchored(row["form"], *anchors, numbers="#" in starts)
    group = "v" if "(?P<v>" in row["form"] else 0
    found = row["subtype"], float(row["score"]), row["name"], row["title"]
    return tuple(row["needs"].split()), pattern.finditer, group, found
