"""What is told in a sentence of its own: what somebody does ("repairs the lift at the
bank"), and phrases of which hardly a word would change."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..data import facts, table, word_lists
from ..gazetteers.lexicon import is_vocabulary
from ..text.case import match_case
from .base import Mention, in_place_of, shuffled
from .cases import Case

_WORDS = facts("lang/en/predicates")
_DETERMINERS = frozenset(_WORDS["determiners"].split())
_PAST = frozenset(_WORDS["past"].split())
_LISTS = word_lists("lang/en/vague")
_FRAME = frozenset(_LISTS["phrase_frame"])
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
# Words that a surrogate may have in common with a phrase.
_MOST_SHARED = 2


def verb_form(text: str) -> str:
    """The form of the verb that a text begins with.

    text (str): "repairs the lift", "made the eyes".
    RETURNS (str): "third", "past" or "gerund"; "" for what is no predicate.
    """
    first, _, rest = (text.lower() if text.isupper() else text).partition(" ")
    second = rest.partition(" ")[0]
    if not (first.isalpha() and first.islower() and second in _DETERMINERS):
        return ""
    if first in _PAST or (first.endswith("ed") and len(first) > 4):
        return "past"
    if first.endswith("ing") and len(first) > 5:
        return "gerund"
    if first.endswith("s") and not first.endswith("ss"):
        return "third" if is_vocabulary(first.removesuffix("s"), "en") else ""
    return ""


def activities(case: Case) -> Iterator[str]:
    """Other things that people do, in the form of the verb."""
    form = verb_form(case.text)
    for row in shuffled(table("lang/en/activities"), case.rng) if form else ():
        yield match_case(f"{row[form]} {row['rest']}", case.text)


def says_as_much(new: str, old: str) -> bool:
    """Whether a new phrase has most of the words of the old one."""
    words = _told(old)
    shared = words & _told(new)
    return len(shared) > _MOST_SHARED and 2 * len(shared) >= len(words)


def _told(text: str) -> set[str]:
    return {word.lower() for word in _LONG_WORD.findall(text)} - _FRAME


def vaguely(case: Case) -> Iterator[str]:
    """What may stand for a phrase that has no surrogate of its kind."""
    yield from activities(case)
    mention: Mention = case.mention
    pool = _LISTS["dem_vague" if mention.label == "DEM" else "phrases"]
    for item in shuffled(pool, case.rng):
        yield in_place_of(item, mention)
