"""Whom a case is called after: the one word before "v." in the titles of the European Court
of Human Rights, and a line that is somebody's name beside "Vs."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...gazetteers.lexicon import is_listed_name, is_vocabulary
from ...text.countries import index
from ...text.names import GENERIC, GRAMMAR, LEGAL_FORMS, fold
from ..base import Hit, Text, hit
from .forms import P

# Characters around "v." in which its parties stand.
_REACH = 200
_NO_NAMES = LEGAL_FORMS | GENERIC | GRAMMAR


def parties(text: Text) -> Iterator[Hit]:
    """People who are parties in the title of a case."""
    for m in P.party.finditer(text):
        yield from _hits(m, 0, "FAMILY_NAME")
    for m in P.party_versus.finditer(text):
        first = max(0, m.start() - _REACH)
        left = text[first : m.start()]
        before = P.party_before.search(left)
        behind = P.party_behind.match(text[m.end() : m.end() + _REACH])
        # A case that is cited has its names amid a line.
        heading = before or not left.rpartition("\n")[2].strip(" \t-")
        for side, offset in (before, first), (behind, m.end()):
            if side is not None and heading and _is_person(side["name"]):
                yield from _hits(side, offset, "FULL_NAME")


def _hits(m: re.Match[str], offset: int, kind: str) -> Iterator[Hit]:
    reason = "party in the title of a case"
    for group in ("name", "other"):
        start, end = m.span(group)
        if start >= 0:
            place = offset + start, offset + end
            yield hit(*place, "PERSON", kind, 0.95, "named_field", reason=reason)


def _is_person(name: str) -> bool:
    """Whether words with capitals may be somebody's name: no country, no word that is
    everyday, general or of a firm; one by itself is in a list of names."""
    words = [word.strip(".").lower() for word in name.split()]
    words = [word for word in words if len(word) > 1]
    if not words or fold(name) in index().by_name or not _NO_NAMES.isdisjoint(words):
        return False
    listed = [is_listed_name(word, "en") for word in words]
    if len(words) == 1:
        return listed[0]
    return all(own or not is_vocabulary(word) for word, own in zip(words, listed))
