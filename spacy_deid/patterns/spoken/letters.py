"""Names that are spelled letter by letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ...gazetteers.frequencies import everyday_words
from ...gazetteers.names import is_given_name, is_name
from ...text.folding import fold
from ...text.spoken import ALPHABET
from ..base import Hit, Text, hit
from .groups import FIRST, MORE, Group, P

# Detail of the source of a name beside its letters.
NAME = "spelled_name"
_BEFORE, _AFTER, _CUE = 160, 90, 48
# Where a text keeps what was found beside its letters.
_BESIDE = "spacy_deid.beside"
_QUOTES = ("'", '"', "’", "”")
# What is as frequent as this is a word before it is a name.
_COMMON = 3.0
_SHORT, _EVIDENT = 3, 5


class _Near(NamedTuple):
    """A word beside a spelled one that has its letters."""

    start: int
    end: int
    whole: bool


def find_spelled(text: Text, groups: Iterable[Group]) -> Iterator[Hit]:
    """Spelled names, and the words beside them that they spell.

    text (Text): Normalised text.
    groups (Iterable[Group]): What is said in it.
    YIELDS (Hit): Hits that may overlap.
    """
    for group in groups:
        if group.letters and len(group.chars) >= _SHORT and not is_word(text, group):
            yield from _judge(text, group)


def is_word(text: Text, group: Group) -> bool:
    """Whether letters spell a word that names nobody, or nothing: an alphabet, an
    abbreviation, answers to a test."""
    near = beside(text, group)
    whole = text[near.start : near.end] if near and near.whole else ""
    common = zipf(group.chars)
    if whole.islower():
        # Where nothing has a capital nobody can tell.
        around = text[max(0, group.start - _BEFORE) : group.end + _AFTER]
        quoted = near is not None and text[near.end : near.end + 1] in _QUOTES
        return not around.islower() and (common > 0 or quoted)
    if whole or is_name(group.chars):
        return False
    if len(group.chars) > 3 and common >= _COMMON:
        return True
    sayable = len(group.chars) <= 4 or P.sayable.search(group.chars)
    return not sayable or is_order(text, group)


def _judge(text: Text, group: Group) -> Iterator[Hit]:
    near = beside(text, group)
    word = text[near.start : near.end] if near else ""
    if not (reason := _reason(text, group, near)):
        return
    subtype = "GIVEN_NAME" if is_given_name(group.chars) else "FAMILY_NAME"
    label = "PERSON"
    if near and P.street_after.match(text, near.end):
        label, subtype = "LOC", "ADDRESS"
    for i, (start, end) in enumerate(group.pieces(text)):
        yield hit(start, end, label, subtype, 0.85, MORE if i else FIRST, reason)
    if near and word[:1].isupper() and label == "PERSON":
        reason = "name that is spelled"
        yield hit(near.start, near.end, label, subtype, 0.8, NAME, reason)


def _reason(text: Text, group: Group, near: _Near | None) -> str:
    """Why letters are a name; "" if they are none."""
    if near:
        return "spells a name beside it"
    if P.spelling_word.search(text, max(0, group.start - _CUE), group.start):
        return "letters after a word for spelling"
    explained = sum(a.form == ALPHABET for a in group.atoms)
    each = all(text[a.start + 1 : a.start + 2] in " ," for a in group.atoms)
    if explained > 1 and (len(group.chars) > 3 or each):
        return "letters of a spelling alphabet"
    few = set(group.chars) <= set("abcdefg")
    if len(group.chars) < 4 or few or _is_heading(text, group):
        return ""
    evident = len(group.chars) >= _EVIDENT and _pause(text, group) == "-"
    return "name letter by letter" if evident or is_name(group.chars) else ""


def beside(text: Text, group: Group) -> _Near | None:
    """A word around that is spelled, or that begins or ends with the letters."""
    known: dict[int, _Near | None] = vars(text).setdefault(_BESIDE, {})
    if group.start not in known:
        known[group.start] = _find_beside(text, group)
    return known[group.start]


def _find_beside(text: Text, group: Group) -> _Near | None:
    found = None
    places = (group.start - _BEFORE, group.start), (group.end, group.end + _AFTER)
    for start, end in places:
        for m in P.word.finditer(text, max(0, start), end):
            word = fold(m[0])
            if len(word) < _SHORT:
                continue
            if re.sub(r"\W", "", word) == group.chars:
                return _Near(m.start(), m.end(), True)
            part = word.startswith(group.chars) or word.endswith(group.chars)
            if part and m[0][:1].isupper() and len(word) >= 5:
                found = found or _Near(m.start(), m.end(), False)
    return found


def is_order(text: Text, group: Group) -> bool:
    """Whether letters follow the alphabet, or stand in an abbreviation."""
    steps = [b - a for a, b in pairwise([ord(ch) for ch in group.chars])]
    if all(step == 1 for step in steps) or set(group.chars) <= set("abcde"):
        return True
    gaps = [text[a.end : b.start] for a, b in pairwise(group.atoms)]
    return any(gap in (".", "/", "") for gap in gaps) or len(set(group.chars)) < 2


def _pause(text: Text, group: Group) -> str:
    first, second = group.atoms[:2]
    return text[first.end : second.start]


def _is_heading(text: Text, group: Group) -> bool:
    """Whether letters are spaced out on a line of their own."""
    line = text[text.rfind("\n", 0, group.start) + 1 : group.start]
    end = text.find("\n", group.end)
    rest = text[group.end : end if end >= 0 else group.end + 60]
    return not line.strip() and not rest.strip() and _pause(text, group) == " "


def zipf(word: str) -> float:
    """How frequent a word is, 0 if it is rare."""
    return everyday_words("en").get(word, 0.0)
