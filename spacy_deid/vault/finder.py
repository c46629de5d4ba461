"""Finding surrogates in a text that was quoted or edited, and putting back the originals.

Space is compared as words are: a quotation may break lines elsewhere and begin each of
them with a mark. A surrogate that stands for several originals, or that the
de-identified text also has as plain text, is restored only where the words around it
say which it is.

Editors also write names in capitals, with other apostrophes and dashes, in the plural and
in another order. Of a text that is known to come from a document such forms are restored
in the form found, unless they may as well be ordinary words.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ..gazetteers.frequencies import everyday_words
from ..gazetteers.names import given_name_gender
from ..surrogates.sweep.name_words import plural_ending
from ..text.names import (
    APOSTROPHES,
    CALENDAR,
    DASHES,
    EVERYDAY,
    GRAMMAR,
    title_gender,
)

# So many characters on one side have to agree; more of them say more.
SIDES = (32, 16, 12)
# More places than these are not compared, if each may be in another document.
MAX_PLACES = 500
CACHED_DOCS = 256
_TOKEN = re.compile(r"\w+|[^\w\s]")
_FIRST = re.compile(r"\w+|\W")
_GAP = re.compile(r"(?:[^\S\r\n]*(?:\r\n|\r|\n)(?:[^\S\r\n]*[>|])*)+[^\S\r\n]*|\s+")
_LINE = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r"[^\W\d_]+")
_NAME_BEFORE = re.compile(r"\b([^\W\d_]+) \Z")
# Parts of names that are shorter are not looked for by themselves, and names that are
# shorter have no plural.
_MIN_PART, _MIN_PLURAL = 3, 4
_MAX_WORDS = 6


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
    """Put the originals in place of the surrogates."""
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
        """A position in the old text. An end is that of the character before."""
        if end and position > 0:
            return self.to_old(position - 1) + 1
        i = bisect_right(self._flat, position) - 1
        return self._old[i] + position - self._flat[i]

    def to_flat(self, position: int) -> int:
        """A position in the flat text, that of the blank for positions in space."""
        i = bisect_right(self._old, position) - 1
        flat = self._flat[i] + position - self._old[i]
        if i + 1 < len(self._flat):
            flat = min(flat, self._flat[i + 1] - 1)
        return flat


def flatten(text: str) -> str:
    """A text with its space made even."""
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
    missing (int): Surrogates that stand nowhere in the text.
    """

    text: str
    n: int
    left: list[tuple[int, int]]
    missing: int = 0


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
        # The surrogates by their folded form; and parts of names, folded, with what
        # they stand for and the surrogates that they are parts of.
        self._folded: dict[str, list[str]] = {}
        self._folded_index = _Index()
        self._parts: dict[str, _Part] = {}
        # Words that the documents have of their own, folded.
        self._plain: set[str] = set()
        self._flat = lru_cache(CACHED_DOCS)(lambda doc: flatten(load(doc)))

    def add(self, doc: Any, text: str, edits: Sequence[Edit]) -> None:
        """Add a document."""
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
            for part, word in () if self.strict else _name_parts(surrogate, original):
                known = self._parts.setdefault(_fold(part), _Part(set(), set()))
                known.originals.add(word)
                known.surrogates.add(surrogate)
        if not self.strict:
            self._note_plain(flat.text, taken)
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

    def _note_plain(self, text: str, taken: Sequence[tuple[int, int]]) -> None:
        """Note the words that a text has of its own, outside surrogates."""
        for match in _WORD.finditer(text):
            i = bisect_right(taken, match.start(), key=lambda span: span[1])
            if i == len(taken) or taken[i][0] >= match.end():
                self._plain.add(_fold(match.group()))

    def _add(self, surrogate: str, original: str, place: Place) -> None:
        known = self.known.get(surrogate)
        if known is None:
            known = self.known[surrogate] = Known()
            self._index.add(surrogate)
            folded = _fold(surrogate)
            self._folded.setdefault(folded, []).append(surrogate)
            self._folded_index.add(folded)
        places = known.originals.setdefault(original, [])
        known.n_places += 1
        if not self.strict or known.n_places <= MAX_PLACES:
            places.append(place)
        known.sides = None

    def restore(self, text: str) -> Restored:
        """Put the originals back where surrogates stand."""
        flat = Flat(text)
        hits = self._index.find(flat.text)
        if not self.strict:
            for surrogate in self._loose:
                at = flat.text.find(surrogate)
                while at >= 0:
                    hits.append((at, at + len(surrogate)))
                    at = flat.text.find(surrogate, at + 1)
        small, capitals = flat.text.islower(), flat.text.isupper()
        folded = _fold(flat.text)
        for start, end in self._folded_index.find(folded):
            found = flat.text[start:end]
            if found in self.known or self._is_form(
                found, folded[start:end], small, capitals
            ):
                hits.append((start, end))
        chosen = _longest_first(hits)
        pieces: list[str] = []
        last = n = 0
        left = []
        seen: set[str] = set()
        for start, end, part in self._with_parts(flat.text, folded, chosen, seen):
            old = flat.to_old(start), flat.to_old(end, end=True)
            original: str | None
            if part is not None:
                original, ambiguous = part, not part
            elif flat.text[start:end] in self.known:
                seen.add(flat.text[start:end])
                original, ambiguous = self._choose(flat.text, start, end)
            else:
                seen.update(self._folded[folded[start:end]])
                original, ambiguous = self._choose_folded(flat.text, start, end)
            if ambiguous:
                left.append(old)
            if not original:
                continue
            pieces += (text[last : old[0]], original)
            last = old[1]
            n += 1
        missing = len(self.known.keys() - seen - self._loose)
        return Restored("".join(pieces) + text[last:], n, left, missing)

    def _is_form(self, found: str, folded: str, small: bool, capitals: bool) -> bool:
        """Whether a text that is a surrogate but for case, apostrophes and dashes is
        meant as one."""
        if self.strict and " " not in found:
            return False
        if not any(map(_may_be_folded, self._folded[folded])):
            # An ordinary word, but the document has it as a surrogate alone.
            return capitals and folded.isalpha() and folded not in self._plain
        words = _WORD.findall(found)
        if not any(map(str.isdecimal, found)) and all(map(_is_ordinary, words)):
            # "WILL MAY" stands for "Will May", "will may" does not.
            return not any(word[0].islower() for word in words)
        # Of a word in small letters nobody can say that it was a name.
        return small or not found.isalpha() or not found.islower()

    def _choose_folded(
        self, text: str, start: int, end: int
    ) -> tuple[str | None, bool]:
        """As `_choose`, where the surrogate is spelt otherwise."""
        found = text[start:end]
        originals: dict[str, tuple[str, str]] = {}
        for surrogate in self._folded[_fold(found)]:
            known = self.known[surrogate]
            if self.strict and known.n_places > MAX_PLACES:
                return None, True
            for original in known.originals:
                originals.setdefault(_fold(original), (original, surrogate))
        if len(originals) != 1:
            return None, True
        ((original, surrogate),) = originals.values()
        return _in_case_of(original, surrogate, found), False

    def _with_parts(
        self,
        text: str,
        folded: str,
        hits: Sequence[tuple[int, int]],
        seen: set[str],
    ) -> list[tuple[int, int, str | None]]:
        """The hits, and between them single parts of names and names in the plural, with
        what they stand for; "" if that is not certain."""
        out: list[tuple[int, int, str | None]] = [(*hit, None) for hit in hits]
        if self.strict:
            return out
        ends = [end for _, end in hits]
        for match in _WORD.finditer(text):
            start, end = match.span()
            found = match.group()
            i = bisect_right(ends, start)
            if i < len(hits) and hits[i][0] < end:
                continue
            if not found[0].isupper() or not _bordered(text, start, end):
                continue
            before = None
            if not i or ends[i - 1] != start - 1:
                before = _NAME_BEFORE.search(text, max(0, start - 30), start)
            if before and self._is_other_name(before.group(1)):
                # "John Smithson" has nothing to do with Bea Smithson.
                continue
            new = self._part(found, folded[start:end], seen)
            if new is not None:
                out.append((start, end, new))
        return sorted(out, key=lambda row: row[:2])

    def _is_other_name(self, word: str) -> bool:
        return (
            _fold(word) not in self._parts
            and title_gender(word) is None
            and given_name_gender(word) is not None
        )

    def _part(self, found: str, folded: str, seen: set[str]) -> str | None:
        """What a word stands for that is part of a name, or the plural of one."""
        for ending in ("", "s", "es"):
            if ending and not folded.endswith(ending):
                continue
            stem = folded[: len(folded) - len(ending)]
            if ending and len(stem) < _MIN_PLURAL:
                continue
            shown = found[: len(stem)]
            originals: set[str] = set()
            part = self._parts.get(stem)
            if part is not None and stem not in self._plain:
                originals |= part.originals
                seen |= part.surrogates
            if ending and (shown in self.known or stem in self._folded):
                whole = [shown] if shown in self.known else self._folded[stem]
                for surrogate in whole:
                    originals.update(self.known[surrogate].originals)
                    seen.add(surrogate)
            if not originals:
                continue
            if len(set(map(_fold, originals))) > 1:
                return ""
            original = min(originals)
            if not ending:
                return _in_case_of(original, original, found)
            if not original.isalpha() or not original[0].isupper():
                continue
            return _in_case_of(original + plural_ending(original), original, found)
        return None

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


class _Part(NamedTuple):
    """A part of the names of some persons: what it stands for, and the surrogates."""

    originals: set[str]
    surrogates: set[str]


_FOLDED: dict[str, str] = {
    **dict.fromkeys(APOSTROPHES, "'"),
    **dict.fromkeys(DASHES, "-"),
}


class _FoldTable(dict):
    def __missing__(self, code: int) -> str:
        ch = chr(code)
        low = ch.lower()
        # Places in the folded text are those in the text.
        self[code] = _FOLDED.get(ch) or (low if len(low) == 1 else ch)
        return self[code]


_fold_table = _FoldTable()


def _fold(text: str) -> str:
    """A text of the same length without case and kinds of apostrophes and dashes."""
    return text.translate(_fold_table)


@lru_cache(maxsize=4096)
def _is_ordinary(word: str) -> bool:
    """Whether a word may stand in any text."""
    low = word.lower()
    return (
        low in EVERYDAY
        or low in GRAMMAR
        or low in CALENDAR
        or low in everyday_words("en")
    )


def _may_be_folded(surrogate: str) -> bool:
    """Whether a string in any case and with any dashes is still that string: it has
    figures, several words with capitals, or a word that is no ordinary one."""
    if any(map(str.isdecimal, surrogate)) and len(surrogate) > 3:
        return True
    words = _WORD.findall(surrogate)
    if len(words) > 1 and not any(word[0].islower() for word in words):
        return True
    return any(
        len(word) >= _MIN_PART and not _is_ordinary(word)
        for word in words
        if not word.islower() or word == surrogate
    )


def _name_parts(surrogate: str, original: str) -> list[tuple[str, str]]:
    """Words of a person's name and what they stand for, where each has its own."""
    new, old = surrogate.split(), original.split()
    if len(new) != len(old) or not 1 < len(new) <= _MAX_WORDS:
        return []
    if title_gender(new[0]) is None and not any(
        given_name_gender(words[0]) is not None for words in (new, old)
    ):
        return []
    return [
        (a, b)
        for a, b in zip(new, old)
        if a != b
        and len(a) >= _MIN_PART
        and len(b) >= 2
        and a.isalpha()
        and b.isalpha()
        and a[0].isupper()
        and b[0].isupper()
        and title_gender(a) is None
        and not _is_ordinary(a)
    ]


def _in_case_of(original: str, surrogate: str, found: str) -> str:
    """The original in capitals or small letters if the surrogate stands so, word by
    word if there are as many."""
    old, new, shown = original.split(" "), surrogate.split(" "), found.split(" ")
    if len(old) == len(new) == len(shown) > 1:
        return " ".join(map(_in_case_of, old, new, shown))
    if found.isupper() and not surrogate.isupper() and len(found) > 1:
        return original.upper()
    if found.islower() and not surrogate.islower():
        return original.lower()
    if surrogate.isupper() and not found.isupper() and len(original) > 1:
        return original.title() if original.isupper() else original
    if surrogate.islower() and found[:1].isupper():
        return original[:1].upper() + original[1:]
    return original


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
