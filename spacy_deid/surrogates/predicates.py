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

_WORDS = {
    name: frozenset(words.split())
    for name, words in facts("lang/en/predicates").items()
}
# What each form may stand behind.
_SUBJECTS = {"past": "subjects", "gerund": "be", "third": "singular"}
_LISTS = word_lists("lang/en/vague")
_FRAME = frozenset(_LISTS["phrase_frame"])
_LAST_WORD = re.compile(rf"([\w'’]+)(?:\s+(?:{'|'.join(_WORDS['adverbs'])}))*\s*$")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
# Words that a surrogate may have in common with a phrase.
_MOST_SHARED = 2


def verb_form(text: str, before: str = "") -> str:
    """The form of the verb that a text begins with.

    text (str): "repairs the lift", "made the eyes".
    before (str): What stands before it: a verb is told by its subject, too.
    RETURNS (str): "base", "third", "past" or "gerund"; "" for what is no predicate.
    """
    first, _, rest = (text.lower() if text.isupper() else text).partition(" ")
    if not (first.isalpha() and first.islower()):
        return ""
    match = _LAST_WORD.search(before)
    last = match[1].lower().replace("’", "'") if match else ""
    form, follows = _form(first), rest.partition(" ")[0]
    if form and (follows in _WORDS["determiners"] or last in _WORDS[_SUBJECTS[form]]):
        return form
    bare = last in _WORDS["plain"] and form != "third"
    bare = bare and first not in _WORDS["circumstances"]
    return "base" if bare and is_vocabulary(first, "en") else ""


def _form(word: str) -> str:
    """The form that a word has if it is a verb; "" if it may be the bare one."""
    if word in _WORDS["past"] or (word.endswith("ed") and len(word) > 4):
        return "past"
    if word.endswith("ing") and len(word) > 5:
        return "gerund"
    several = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return "third" if several and is_vocabulary(word.removesuffix("s"), "en") else ""


def activities(case: Case) -> Iterator[str]:
    """Other things that people do, in the form of the verb; who does them, and an adverb,
    stay: "I light the lamp" becomes "I drive a bus"."""
    words = case.text.split(" ")
    who = int(words[0].lower() in _WORDS["subjects"])
    n = who + ([*words, ""][who].lower() in _WORDS["adverbs"])
    text = " ".join(words[n:])
    form = verb_form(text, " ".join((case.before, *words[:who])))
    for row in shuffled(table("lang/en/activities"), case.rng) if form else ():
        new = match_case(f"{row[form]} {row['rest']}", text)
        yield " ".join((*words[:n], new))


def circumstances(case: Case) -> Iterator[str]:
    """Other circumstances for those that a phrase tells: "in a canoe", "since the fit"."""
    if case.text.partition(" ")[0].lower() in _WORDS["circumstances"]:
        for item in shuffled(_LISTS["circumstances"], case.rng):
            yield in_place_of(item, case.mention)


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
