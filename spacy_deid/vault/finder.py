"""Finding surrogates in a text that was quoted or edited, and putting back the originals.

Space is compared as words are: a quotation may break lines elsewhere and begin each of
them with a mark. A surrogate that stands for several originals, or that the
de-identified text also has as plain text, is restored only where the words around it
say which it is.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

# So many characters on one side have to agree; more of them say more.
SIDES = (32, 16, 12)
# More places than these are not compared, if each may be in another document.
MAX_PLACES = 500
CACHED_DOCS = 256
_TOKEN = re.compile(r"\w+|[^\w\s]")
_FIRST = re.compile(r"\w+|\W")
_GAP = re.compile(r"(?:[^\S\r\n]*(?:\r\n|\r|\n)(?:[^\S\r\n]*[>|])*)+[^\S\r\n]*|\s+")
_LINE = re.compile(r"\r\n|\r|\n")


class Edit(NamedTuple):
    """A surrogate of a de-identified text.

    start (int): Its first character in the de-identified text.
    end (int): Character after its last.
    original (str): What stood there.
    """

    start: int
    end: int
    original: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Put the originals in place of the surrogates.

    text (str): The de-identified text, unchanged.
    edits (Iterable[Edit]): In order.
    RETURNS (str): The original text.
    """
    pieces: list[str] = []
    last = 0
    for edit in edits:
        pieces += (text[last : edit.start], edit.original)
        last = edit.end
    return "".join(pieces) + text[last:]


class Flat:
    """A text in which every run of space is one blank, or one line break if it divides
    paragraphs.

    text (str): Any text.
    """

    __slots__ = ("_flat", "_old", "text")

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        # Where each piece begins, in the flat and in the old text.
        self._flat, self._old = [0], [0]
        last = size = 0
        for match in _GAP.finditer(text):
            gap = match.group()
            new = "\n" if len(_LINE.findall(gap)) > 1 else " "
            if gap == new:
                continue
            pieces += (text[last : match.start()], new)
            size += match.start() - last + 1
            last = match.end()
            self._flat.append(size)
            self._old.append(last)
        self.text = "".join(pieces) + text[last:]

    def to_old(self, position: int, *, end: bool = False) -> int:
        """A position in the old text. An end is that of the character before.

        position (int): Position in the flat text.
        end (bool): Whether it is the end of something.
        RETURNS (int): The position.
        """
        if end and position > 0:
            return self.to_old(position - 1) + 1
        i = bisect_right(self._flat, position) - 1
        return self._old[i] + position - self._flat[i]

    def to_flat(self, position: int) -> int:
        """A position in the flat text, that of the blank for positions in space.

        position (int): Position in the old text.
        RETURNS (int): The position.
        """
        i = bisect_right(self._old, position) - 1
        flat = self._flat[i] + position - self._old[i]
        if i + 1 < len(self._flat):
            flat = min(flat, self._flat[i + 1] - 1)
        return flat


def flatten(text: str) -> str:
    """A text with its space made even.

    text (str): Any text.
    RETURNS (str): The flat text.
    """
    return Flat(text).text


class Place(NamedTuple):
    """Where a surrogate stands in a known document, in its flat text."""

    doc: Any
    start: int
    end: int


class Known:
    """What is known of a surrogate.

    originals (dict): Places by what stood there; the surrogate itself for places where
        it is plain text.
    n_places (int): Their number.
    """

    __slots__ = ("n_places", "originals", "sides")

    def __init__(self) -> None:
        self.originals: dict[str, list[Place]] = {}
        self.n_places = 0
        # The originals by what stands next to them.
        self.sides: dict[tuple[bool, str], set[str]] | None = None


class Restored(NamedTuple):
    """A text with originals put back.

    text (str): The new text.
    n (int): Number of originals.
    left (list[tuple[int, int]]): Start and end, in the text given, of surrogates that
        are left because they stand for several originals.
    """

    text: str
    n: int
    left: list[tuple[int, int]]


class Surrogates:
    """The surrogates of some documents.

    load (Callable): Gives the text of a document added, by its name.
    strict (bool): Whether the text to be restored may come from none of the documents:
        numbers and everyday words are then restored only where the words around them
        agree.
    """

    def __init__(self, load: Callable[[Any], str], strict: bool) -> None:
        self.strict = strict
        self.known: dict[str, Known] = {}
        self._index = _Index()
        self._loose: set[str] = set()
        self._flat = lru_cache(CACHED_DOCS)(lambda doc: flatten(load(doc)))

    def add(self, doc: Any, text: str, edits: Sequence[Edit]) -> None:
        """Add a document.

        doc (Any): Its name, for `load`.
        text (str): The de-identified text.
        edits (Sequence[Edit]): What was replaced.
        """
        flat = Flat(text)
        counts: dict[str, int] = {}
        taken: list[tuple[int, int]] = []
        for edit in edits:
            start, end = flat.to_flat(edit.start), flat.to_flat(edit.end)
            surrogate, original = flat.text[start:end], edit.original
            # Space at an edge is not looked for: the text has it anyway.
            if surrogate != surrogate.lstrip():
                start += len(surrogate) - len(surrogate.lstrip())
                surrogate, original = surrogate.lstrip(), original.lstrip()
            if surrogate != surrogate.rstrip():
                surrogate, original = surrogate.rstrip(), original.rstrip()
            if not surrogate:
                continue
            end = start + len(surrogate)
            taken.append((start, end))
            counts[surrogate] = counts.get(surrogate, 0) + 1
            self._add(surrogate, original, Place(doc, start, end))
            if not _bordered(flat.text, start, end):
                self._loose.add(surrogate)
        more = {s for s, n in counts.items() if flat.text.count(s) > n}
        if not more:
            return
        own = _Index()
        for surrogate in more:
            own.add(surrogate)
        for start, end in own.find(flat.text):
            # The first that ends after the start; they are in order.
            i = bisect_right(taken, start, key=lambda span: span[1])
            if i == len(taken) or taken[i][0] >= end:
                surrogate = flat.text[start:end]
                self._add(surrogate, surrogate, Place(doc, start, end))

    def _add(self, surrogate: str, original: str, place: Place) -> None:
        known = self.known.get(surrogate)
        if known is None:
            known = self.known[surrogate] = Known()
            self._index.add(surrogate)
        places = known.originals.setdefault(original, [])
        known.n_places += 1
        if not self.strict or known.n_places <= MAX_PLACES:
            places.append(place)
        known.sides = None

    def restore(self, text: str) -> Restored:
        """Put the originals back where surrogates stand.

        text (str): Any text.
        RETURNS (Restored): The text, and what was done.
        """
        flat = Flat(text)
        hits = self._index.find(flat.text)
        if not self.strict:
            for surrogate in self._loose:
                at = flat.text.find(surrogate)
                while at >= 0:
                    hits.append((at, at + len(surrogate)))
                    at = flat.text.find(surrogate, at + 1)
        pieces: list[str] = []
        last = n = 0
        left = []
        for start, end in _longest_first(hits):
            old = flat.to_old(start), flat.to_old(end, end=True)
            original, ambiguous = self._choose(flat.text, start, end)
            if ambiguous:
                left.append(old)
            if original is None:
                continue
            pieces += (text[last : old[0]], original)
            last = old[1]
            n += 1
        return Restored("".join(pieces) + text[last:], n, left)

    def _choose(self, text: str, start: int, end: int) -> tuple[str | None, bool]:
        """The original, or None; and whether it stays because there are several."""
        surrogate = text[start:end]
        known = self.known[surrogate]
        several = len(known.originals) > 1
        if not several and (not self.strict or _distinctive(surrogate)):
            return next(iter(known.originals)), False
        if self.strict and known.n_places > MAX_PLACES:
            return None, several
        if known.sides is None:
            known.sides = {}
            for original, places in known.originals.items():
                for place in places:
                    flat = self._flat(place.doc)
                    for size in SIDES:
                        for side in _sides(flat, place.start, place.end, size):
                            known.sides.setdefault(side, set()).add(original)
        for size in SIDES:
            found = [
                known.sides[side]
                for side in _sides(text, start, end, size)
                if side in known.sides
            ]
            if found:
                # What both sides say, if each says something.
                agreed = set.intersection(*found)
                if len(agreed) != 1:
                    return None, several
                (original,) = agreed
                return (None if original == surrogate else original), False
        return None, several


def _sides(text: str, start: int, end: int, size: int) -> list[tuple[bool, str]]:
    """What stands next to a place, where there is so much."""
    sides = []
    if start >= size:
        sides.append((False, text[start - size : start]))
    if len(text) - end >= size:
        sides.append((True, text[end : end + size]))
    return sides


class _Index:
    """Strings to find in flat texts, at the borders of words."""

    def __init__(self) -> None:
        self._lengths: dict[str, list[int]] = {}
        self._strings: set[str] = set()

    def add(self, string: str) -> None:
        first = _FIRST.match(string)
        if first is None or string in self._strings:
            return
        self._strings.add(string)
        lengths = self._lengths.setdefault(first.group(), [])
        if len(string) not in lengths:
            lengths.append(len(string))

    def find(self, text: str) -> list[tuple[int, int]]:
        """Start and end of all occurrences, which may overlap."""
        hits = []
        for token in _TOKEN.finditer(text):
            start = token.start()
            for length in self._lengths.get(token.group(), ()):
                end = start + length
                if text[start:end] in self._strings and _bordered(text, start, end):
                    hits.append((start, end))
        return hits


def _longest_first(hits: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Hits that don't overlap, in order; of two that do the longer stays."""
    kept: list[tuple[int, int]] = []
    starts: list[int] = []
    for start, end in sorted(set(hits), key=lambda hit: (hit[0] - hit[1], hit[0])):
        i = bisect_right(starts, start)
        if (i and kept[i - 1][1] > start) or (i < len(kept) and starts[i] < end):
            continue
        kept.insert(i, (start, end))
        starts.insert(i, start)
    return kept


def _is_word(char: str) -> bool:
    # Vowel signs and accents are marks that go on a word.
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"


def _bordered(text: str, start: int, end: int) -> bool:
    """Whether no word goes on across an edge."""
    before = start > 0 and _is_word(text[start - 1]) and _is_word(text[start])
    after = end < len(text) and _is_word(text[end - 1]) and _is_word(text[end])
    return not before and not after


def _distinctive(surrogate: str) -> bool:
    """Whether a string is hardly ever found by chance: no short number, no single
    letter and no word in lower case."""
    letters = sum(char.isalpha() for char in surrogate)
    digits = sum(char.isdigit() for char in surrogate)
    if not letters:
        return digits >= 5
    if letters + digits < 3:
        return False
    return " " in surrogate or digits > 0 or not surrogate.islower()
