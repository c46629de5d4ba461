"""Words that are names, too: whether one stands for itself where it is found.

A capital tells a name only where the language gives nouns none and no sentence begins.
Elsewhere the words around decide. Where they say nothing, it is the name: what is masked
may rather be replaced once too often than stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from ...data import entries, has_own, word_lists
from ...gazetteers.lexicon import (
    FAMILY,
    GIVEN,
    LOWER,
    ZIPF_BITS,
    class_of,
    is_vocabulary,
)
from ...lang.base import pack_of
from ...lang.name_forms import name_forms
from ...lang.persons import persons_of
from ...text.names import title_gender

_BEFORE, _AFTER = 60, 40
# The word right before a place, and the one right behind it
_LAST = re.compile(r"([^\W\d_]+)[ \u00a0]$|([^\W\d_]+['’])$")
_NEXT = re.compile(r"[ \u00a0]([^\W\d_]+)")
# Where a sentence begins: behind a point, a sign, a quotation mark, in a new line.
_HEAD = re.compile(r"(?:^|[.!?:;…\n>|*•–—\"“„«»(\[])[\s\d:.\"“„«»¿¡'’()\[\]-]*$")
_BETWEEN = re.compile(r"[\W\d_]+")
_GLUE = re.compile(r"[._@-]\w|_.?|@.?")
_CAPITALS = 3
# A word of the vocabulary that is no rare one
_COMMON = LOWER + 4


@cache
def _cues(lang: str) -> Mapping[str, frozenset[str]]:
    """Words that tell a word by standing `before` it, `behind` it at the head of a
    sentence; each definite `article`, which some texts put before names; each set
    `phrase`; and what stands before a word in `small` letters that is a given name
    first."""
    known = has_own(lang, "ordinary.tsv")
    words = word_lists(f"lang/{lang}/ordinary") if known else {}
    kinds = ("before", "behind", "article", "phrase", "small")
    return {kind: frozenset(words.get(kind, ())) for kind in kinds}


@cache
def _names_too(lang: str) -> frozenset[str]:
    known = has_own(lang, "names_too.txt")
    return frozenset(entries(f"lang/{lang}/names_too") if known else ())


@lru_cache(20_000)
def is_ordinary(word: str, lang: str, glued: bool = False) -> bool:
    """Whether a word in lower case is, in any of its forms, one of the language; what is
    glued to others ("weiss.joerg") is so only if it is hardly ever a name."""
    if is_vocabulary(word, lang):
        return True
    return not glued and (word in _names_too(lang) or name_forms(lang).is_word(word))


def is_word_here(text: str, start: int, stop: int, word: str, lang: str) -> bool:
    """Whether a word in small letters is one of the language in its place: a given name
    that is hardly ever more ("anna", a coin) needs an article or the like before it."""
    if not is_ordinary(word, lang, is_glued(text, start, stop)):
        return False
    if word not in _names_too(lang) or not class_of(word, lang) & GIVEN:
        return True
    return _word_before(text, start) in _cues(lang)["small"]


def is_glued(text: str, start: int, stop: int) -> bool:
    """Whether a sign and no blank joins a place to a letter or figure beside it."""
    before, after = text[max(0, start - 2) : start], text[stop : stop + 2]
    return bool(_GLUE.fullmatch(before[::-1]) or _GLUE.fullmatch(after))


def follows_article(text: str, start: int, lang: str) -> bool:
    """Whether a definite article stands right before a place."""
    return _word_before(text, start) in _cues(lang)["article"]


def _word_before(text: str, start: int) -> str:
    # From the blank before the last word on.
    low = max(0, start - _BEFORE)
    low = max(low, text.rfind(" ", low, max(low, start - 2)))
    match = _LAST.search(text, low, start)
    return next(filter(None, match.groups()), "").lower() if match else ""


def _word_behind(after: str) -> str:
    """The word right behind a place; a hyphen before small letters stands for itself."""
    match = _NEXT.match(after)
    joined = after[:1] == "-" and after[1:2].islower()
    return match[1].lower() if match else "-" * joined


def stands_for_person(text: str, start: int, stop: int, lang: str) -> bool:
    """Whether what stands around a word says that it names somebody: a title or a
    relative before it, another name beside it, a line or a speaker's colon of its own."""
    before, after = text[max(0, start - _BEFORE) : start], text[stop : stop + _AFTER]
    opens = not before.strip(" \t-–—*>•") or before.rstrip(" \t-–—*>•").endswith("\n")
    if opens and (not after.strip(" ,.") or after.lstrip(" ,.")[0] in "\n:"):
        return True
    persons, word = persons_of(lang), text[start:stop]
    if (
        persons.is_called(word, before)
        or persons.is_surname(word, before)
        or title_gender(before.rpartition(" ")[0].rpartition(" ")[2]) is not None
        or persons.kin_before(before)[1]
    ):
        return True
    last, following = _LAST.search(before), _NEXT.match(after)
    return (last is not None and _is_name(last[1] or "", GIVEN, lang)) or (
        following is not None and _is_name(following[1], FAMILY, lang)
    )


def _is_name(word: str, kind: int, lang: str) -> bool:
    low = word.lower()
    named = word[:1].isupper() and class_of(low, lang) & kind
    return bool(named) and not is_ordinary(low, lang)


def stands_for_word(
    text: str, start: int, stop: int, lang: str, articled: bool = False
) -> bool:
    """Whether a word with a capital is the word of the language, not the name that is
    spelt alike.

    text (str): The text.
    start (int): First character of the word.
    stop (int): Character after its last.
    lang (str): Language.
    articled (bool): Whether the text puts articles before names.
    """
    low, cues = text[start:stop].lower(), _cues(lang)
    if not is_ordinary(low, lang) or stands_for_person(text, start, stop, lang):
        return False
    before, after = text[max(0, start - _BEFORE) : start], text[stop : stop + _AFTER]
    if _in_phrase(before, low, after, cues["phrase"]):
        return True
    head = _HEAD.search(before) is not None
    pack = pack_of(lang)
    nouns = pack is not None and pack.capital_nouns
    if not (nouns or head or _in_capitals(text, start, stop)):
        return False
    last = _word_before(text, start)
    if last in cues["before"]:
        return True
    if nouns and last in cues["article"]:
        return not articled and class_of(low, lang) & (LOWER | ZIPF_BITS) >= _COMMON
    return head and _word_behind(after) in cues["behind"]


def _in_phrase(before: str, word: str, after: str, phrases: Iterable[str]) -> bool:
    """Whether a word stands in a set phrase."""
    left, right = (re.sub(r"\s+", " ", x.lower()) for x in (before, after))
    for phrase in phrases:
        head, found, rest = f" {phrase} ".partition(f" {word} ")
        ahead, behind = f"{head} " if head else "", f" {rest}".rstrip()
        fits = found and f" {left}".endswith(ahead) and right.startswith(behind)
        if fits and not right[len(behind) :][:1].isalpha():
            return True
    return False


def _in_capitals(text: str, start: int, stop: int) -> bool:
    """Whether a word and those around it in its line are all in capitals."""
    if not text[start:stop].isupper():
        return False
    low = max(text.rfind("\n", 0, start) + 1, start - _BEFORE)
    line = text[low : low + 2 * _BEFORE].partition("\n")[0]
    words = re.findall(r"[^\W\d_]{2,}", line)
    return len(words) >= _CAPITALS and sum(map(str.isupper, words)) > 0.7 * len(words)
