"""Words whose letters are all there, and yet no run of letters is the word: divided by
markup or by characters that are not seen, written as entities of HTML, stuck to others in
camel case or in a hashtag."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator

from ...text.names import PARTICLES

# What stands in place of what is not seen: it belongs to the run before.
_UNSEEN = "\u200b"
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
# Hardly any text has one, and looking for one character of a set is quick.
_SIGNS = re.compile(f"[&<*_~`{_CONTROL}]")
_HIDDEN = re.compile(
    f"&#?[a-zA-Z0-9]{{1,8}};|[{_CONTROL}]+"
    r"|(?<=[^\W\d_])(?:[*_~`]{1,3}|</?[a-zA-Z]{1,8}>)(?=[^\W\d_])"
)
_HUMP = re.compile("[a-z][A-Z]|#[a-z]")
_CAMEL = re.compile(r"#?[^\W\d_]+")
# The ends of a word are as far from a sign as this, or nobody reads it as a word.
_REACH = 60
_MIN_HUMP, _MIN_TAGGED = 3, 5
_PREFIXES = PARTICLES | {"mc", "mac", "fitz", "o"}


def plain_stretches(text: str) -> Iterator[tuple[int, str]]:
    """The words with something unseen in them, as they are read.

    text (str): Any text.
    YIELDS (tuple): Where a stretch of the text begins, and the stretch, as long as it
        is, with unseen characters for what is not a letter of its words.
    """
    if _SIGNS.search(text) is None:
        return
    done = 0
    for match in _HIDDEN.finditer(text):
        if match.start() < done:
            continue
        start, end = match.span()
        start = _edge(text, start, -1)
        done = end = _edge(text, end, 1)
        stretch = text[start:end]
        plain = _HIDDEN.sub(_read, stretch)
        if plain != stretch:
            yield start, plain


def _edge(text: str, at: int, step: int) -> int:
    """The end of the stretch without blanks around a place, in one direction."""
    stop = max(0, at - _REACH) if step < 0 else min(len(text), at + _REACH)
    while at != stop and not text[at - (step < 0)].isspace():
        at += step
    return at


def _read(match: re.Match[str]) -> str:
    hidden = match[0]
    if hidden[0] != "&":
        return _UNSEEN * len(hidden)
    ch = html.unescape(hidden)
    # An entity of something else parts words.
    return ch + _UNSEEN * (len(hidden) - 1) if len(ch) == 1 and ch.isalnum() else hidden


def humps(text: str, known: Collection[str]) -> Iterator[tuple[int, int]]:
    """Words within words: of camel case ("theRobertShow"), and known ones that a
    hashtag begins or ends with.

    text (str): Any text.
    known (Collection[str]): Words to look for, in lower case.
    YIELDS (tuple): Start and end of each that is known.
    """
    if _HUMP.search(text) is None:
        return
    for match in _CAMEL.finditer(text):
        word = match[0]
        if word.islower() or word.istitle() or word.isupper():
            if word[0] != "#":
                continue
            yield from _tagged(word, match.start(), known)
            continue
        start = 0
        for end in range(1, len(word) + 1):
            if end < len(word) and not word[end].isupper():
                continue
            # "McDonald" is no Donald.
            family = word[:start].lower() in _PREFIXES and end == len(word)
            known_here = end - start >= _MIN_HUMP and word[start:end].lower() in known
            if known_here and not family:
                yield match.start() + start, match.start() + end
            start = end


def _tagged(word: str, at: int, known: Collection[str]) -> Iterator[tuple[int, int]]:
    low = word.lower()
    for n in range(_MIN_TAGGED, len(word) - 1):
        if low[1 : 1 + n] in known:
            yield at + 1, at + 1 + n
        if low[-n:] in known:
            yield at + len(word) - n, at + len(word)
