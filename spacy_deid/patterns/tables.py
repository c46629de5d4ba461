"""The tables of identifiers (`data/patterns/`), and the search by form alone.

A new kind of identifier is a row: of `identifiers.tsv`, if a form, a check and words
around tell it (see `labelled`), of `forms.tsv`, if its form is like no other's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from ..data import table
from .base import Anchored, Hit, anchored_names, compiled, hit, word_trie


@cache
def _lists() -> dict[str, list[str]]:
    """The lists of `words.tsv`."""
    lists: dict[str, list[str]] = {}
    for row in table("patterns/words"):
        lists.setdefault(row["list"], []).extend(row["words"].split())
    return lists


@cache
def words(*names: str) -> tuple[str, ...]:
    """The words of some lists of `words.tsv`, in the order of the file."""
    if not _lists().keys() >= set(names):
        raise ValueError(f"words.tsv: not all of these lists are there: {names}")
    return tuple(w for name, own in _lists().items() if name in names for w in own)


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
    rows = table("patterns/identifiers")
    return tuple(_kind(row) for row in rows if row["family"] == family)


def _kind(row: Mapping[str, str]) -> Kind:
    told = row["words"]
    names = words(told[1:]) if told.startswith("@") else tuple(told.split())
    texts: dict[str, Any] = {name: row[name] for name in Kind._fields[:5]}
    alone, loose = float(row["alone"] or 0), float(row["loose"] or 0)
    return Kind(**texts, words=names, alone=alone, loose=loose)


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
    subtypes = dict.fromkeys(kind.subtype for kind in kinds(family))
    return {s: words(f"names.{s}") for s in subtypes if f"names.{s}" in _lists()}


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


# Before the lists of names that a pattern begins with, in the column `starts`.
NAMED = "names:"


class Patterns:
    """The patterns of a table `data/patterns/NAME.tsv`, each an attribute: those with
    words or marks that tell where a match may begin are `Anchored`, parts of others
    strings, the rest plain regexes.

    family (str): Name of the table.
    label (str): Label of its hits.
    parts (Mapping[str, str]): Lists of words and parts of patterns that the rows may
        name, besides one another and the lists of `words.tsv`.
    """

    def __init__(
        self, family: str, label: str = "CODE", parts: Mapping[str, str] | None = None
    ) -> None:
        self._label, self._parts = label, parts or {}
        self._rows = {row["name"]: row for row in table(f"patterns/{family}")}
        for name, row in self._rows.items():
            starts = self._text(row["starts"])
            followed = self._text(row.get("followed", "")).lower()
            followed = re.sub(r"(?<=\w)[_-](?=\w)", " ", followed)
            form = self._text(row["form"])
            made: Any = form
            if starts.startswith(NAMED):
                made = anchored_names(words(*starts.removeprefix(NAMED).split()), form)
            elif starts or followed not in ("", "-"):
                made = Anchored(form, starts, followed=followed)
            elif not followed:
                made = re.compile(form)
            setattr(self, name, made)
        self._plain = [(n, row) for n, row in self._rows.items() if row.get("reason")]

    def plain(
        self, text: str, subtypes: Sequence[str], accept: Callable[[str], bool] = bool
    ) -> Iterator[Hit]:
        """Hits of the rows that say why: a form that is told by itself and by what
        stands before it.

        text (str): Normalised text.
        subtypes (Sequence[str]): Of these only.
        accept (Callable): Whether a matched text is one.
        YIELDS (Hit): They may overlap.
        """
        for name, row in self._plain:
            if row["subtype"] not in subtypes:
                continue
            before = getattr(self, row["before"]) if row["before"] else None
            for match in getattr(self, name).finditer(text):
                start, end = match.span("n" if "n" in match.groupdict() else 0)
                left = text[max(0, start - 50) : start]
                if accept(text[start:end]) and (before is None or before.search(left)):
                    yield self.hit(
                        start, end, row["subtype"], float(row["score"]), row["reason"]
                    )

    def hit(self, start: int, end: int, subtype: str, score: float, reason: str) -> Hit:
        """A hit with the label of the family."""
        return hit(start, end, self._label, subtype, score, reason=reason)

    def found(self, m: re.Match[str], subtype: str, score: float, reason: str) -> Hit:
        """The hit of a match, of its subtype, score and reason."""
        return self.hit(m.start(), m.end(), subtype, score, reason)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no pattern {name!r}")

    def _text(self, text: str) -> str:
        return re.sub("«([^»]+)»", lambda m: self._part(m[1]), text)

    def _part(self, name: str) -> str:
        kind, _, rest = name.rpartition(":")
        if kind:
            names = [rest[1:]] if rest[0] == "=" else map(self._list, rest.split())
            return word_trie(*names, ignore_case=kind == "trie")
        if name in self._rows:
            return self._text(self._rows[name]["form"])
        return self._list(name)

    def _list(self, name: str) -> str:
        return self._parts.get(name) or " ".join(words(name))
