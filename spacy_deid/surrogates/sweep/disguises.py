"""Words whose letters are all there, and yet no run of letters is the word: divided by
markup or by characters that are not seen, written as entities of HTML, stuck to others in
camel case or in a hashtag."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator

from ...text.names import PARTICLES
from .runs import Runs

# What stands in place of what is not seen: it belongs to the run before.
_UNSEEN = "\u200b"
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
# Hardly any text has one, and looking for one character of a set is quick.
_SIGNS = re.compile(f"[&<*_~`{_CONTROL}]")
# Before a word that goes on, be it with an entity or what is not seen either.
_HIDDEN = re.compile(
    f"&#?[a-zA-Z0-9]{{1,8}};|(?<![{_CONTROL}])[{_CONTROL}]+"
    r"(?=[^\W_]|[&\u00ad\u0300-\u036f\u200b-\u200f\u2060\ufeff])"
    r"|(?<=[^\W\d_])(?:[*_~`]{1,3}|</?[a-zA-Z]{1,8}>)(?=[^\W\d_])"
)
_HUMP = re.compile("[a-z][A-Z]")
_COMPOUND = re.compile(r"#[^\W\d_]+|(?<![^\W\d_])[^\W\d_]*[a-z][A-Z][^\W\d_]*")
_PIECE = re.compile("[A-Z]?[^A-Z#]+")
_MIN_HUMP, _MIN_TAGGED = 3, 5
_PREFIXES = PARTICLES | {"mc", "mac", "fitz", "o"}


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

    Attributes: `read` (the text as it is read, as long as it is: what is not seen in its
    words is an unseen character; "" if there is nothing of that kind), `runs` (those of
    `read`), `compounds` (where each begins, and the word).
    """

    def __init__(self, text: str) -> None:
        read = "" if _SIGNS.search(text) is None else _HIDDEN.sub(_read, text)
        self.read = read if read != text else ""
        self.runs = Runs(self.read)
        self.compounds: list[tuple[int, str]] = []
        if "#" in text or _HUMP.search(text) is not None:
            self.compounds = [(m.start(), m[0]) for m in _COMPOUND.finditer(text)]

    def __bool__(self) -> bool:
        return bool(self.read or self.compounds)

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


PLAIN = Disguises("")
