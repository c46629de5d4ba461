"""Words whose letters are all there, and yet no run of letters is the word: divided by
markup or by characters that are not seen, written as entities of HTML, stuck to others in
camel case or in a hashtag."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from ...text.names import PARTICLES
from .runs import Runs

# What stands in place of what is not seen: it belongs to the run before.
_UNSEEN = "\u200b"
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
# Hardly any text has one, and looking for one character of a set is quick.
_SIGNS = re.compile(f"[&<*_~`{_CONTROL}]")
_HIDDEN = re.compile(
    f"&#?[a-zA-Z0-9]{{1,8}};|[{_CONTROL}]+"
    r"|(?<=[^\W\d_])(?:[*_~`]{1,3}|</?[a-zA-Z]{1,8}>)(?=[^\W\d_])"
)
_HUMP = re.compile("[a-z][A-Z]")
_COMPOUND = re.compile(r"#[^\W\d_]+|(?<![^\W\d_])[^\W\d_]*[a-z][A-Z][^\W\d_]*")
_PIECE = re.compile("[A-Z]?[^A-Z#]+")
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
    # Not in the middle of a word, whose rest would be taken for one.
    while text[max(at - 1, 0) : at + 1].isalnum() and 0 < at < len(text):
        at -= step
    return at


def _read(match: re.Match[str]) -> str:
    hidden = match[0]
    if hidden[0] != "&":
        return _UNSEEN * len(hidden)
    ch = html.unescape(hidden)
    # An entity of something else parts words.
    return ch + _UNSEEN * (len(hidden) - 1) if len(ch) == 1 and ch.isalnum() else hidden


class Disguises:
    """What of a text may be words in disguise; sought once, for all that is looked for.

    text (str): Any text.

    Attributes: `stretches` (where each begins, the stretch as it is read, its runs, and
    for each run up to where nothing unseen is in them, see `Sweep.find`), `compounds`
    (where each begins, and the word).
    """

    def __init__(self, text: str) -> None:
        self.stretches = [_read_stretch(*found) for found in plain_stretches(text)]
        self.compounds: list[tuple[int, str]] = []
        if "#" in text or _HUMP.search(text) is not None:
            self.compounds = [(m.start(), m[0]) for m in _COMPOUND.finditer(text)]

    def __bool__(self) -> bool:
        return bool(self.stretches or self.compounds)

    def names(self, known: Collection[str]) -> Iterator[tuple[int, int]]:
        """Start and end of names within words: of camel case ("theRobertShow"), and
        those that a hashtag begins or ends with.

        known (Collection[str]): Words of names, in lower case.
        """
        for at, word in self.compounds if known else ():
            if word[0] == "#" and word[1:].islower():
                yield from _tagged(word, at, known)
            else:
                yield from _humps(word, at, known)


PLAIN = Disguises("")


def _read_stretch(at: int, plain: str) -> tuple[int, str, Runs, list[int]]:
    runs = Runs(plain)
    # What is found without anything unseen in it is found in the text as it is.
    known = [len(plain)]
    for head, (start, stop) in zip(
        reversed(runs.heads[:-1]), reversed([*pairwise([*runs.starts, len(plain)])])
    ):
        known.append(head if _UNSEEN in plain[start:stop] else known[-1])
    return at, plain, runs, known[:0:-1]


def _humps(word: str, at: int, known: Collection[str]) -> Iterator[tuple[int, int]]:
    for match in _PIECE.finditer(word):
        start, end = match.span()
        if end - start < _MIN_HUMP or match[0].lower() not in known:
            continue
        # "McDonald" is no Donald.
        if end < len(word) or word[:start].lower() not in _PREFIXES:
            yield at + start, at + end


def _tagged(word: str, at: int, known: Collection[str]) -> Iterator[tuple[int, int]]:
    low = word.lower()
    for n in range(_MIN_TAGGED, len(word) - 1):
        if low[1 : 1 + n] in known:
            yield at + 1, at + 1 + n
        if low[-n:] in known:
            yield at + len(word) - n, at + len(word)
