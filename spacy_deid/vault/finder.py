"""Finding surrogates in a text that was quoted or edited, and putting back the originals.

Space is compared as words are: a quotation may break lines elsewhere and begin each of
them with a mark. A surrogate that stands for several originals, or that the
de-identified text also has as plain text, is restored only where the words around it
say which it is.

Editors also write names in capitals, with other apostrophes and dashes, and in parts. Of
a text that is known to come from a document such forms are restored in the form found,
unless they may as well be ordinary words.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ..gazetteers.frequencies import everyday_words
from ..gazetteers.names import given_name_gender
from ..text.folding import APOSTROPHES, DASHES
from ..text.names import CALENDAR, EVERYDAY, GRAMMAR, title_gender
from ..text.offsets import splice

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
# Parts of names that are shorter are not looked for by themselves.
_MIN_PART, _MAX_WORDS = 3, 6
# In place of an original: there are several.
_SEVERAL = ""


class Edit(NamedTuple):
    """A surrogate of a de-identified text.

    start (int): Its first character in the de-identified text.
    end (int): Character after its last.
    original (str): What stood there.
    """

    start: int
    end: int
    original: str


class Flat:
    """A text in which every run of space is one blank, or one line break if it divides
    paragraphs.

    text (str): Any text.
    """

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        self._old = array("q")
        last = 0
        for match in _GAP.finditer(text):
            start, end = match.span()
            divides = len(_LINE.findall(match.group())) > 1
            pieces += (text[last:start], "\n" if divides else " ")
            self._old.extend(range(last, start + 1))
            last = end
        self._old.extend(range(last, len(text) + 1))
        self.text = "".join(pieces) + text[last:]

    def to_old(self, position: int, *, end: bool = False) -> int:
        """A position in the old text. An end is that of the character before."""
        return self._old[position - 1] + 1 if end and position else self._old[position]

    def to_flat(self, position: int) -> int:
        """A position in the flat text, that of the blank for positions in space."""
        return bisect_right(self._old, position) - 1


class Place(NamedTuple):
    """Where a surrogate stands in a known document, in its flat text."""

    doc: Any
    start: int
    end: int


class Known:
    """What is known of a surrogate."""

    def __init__(self) -> None:
        # Places by what stood there; the surrogate itself where it is plain text.
        self.originals: dict[str, list[Place]] = {}
        self.n_places = 0
        # The originals by what stands next to them, made when it is needed.
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


class _Found(NamedTuple):
    """What stands in a flat text: surrogates, and their original, `_SEVERAL`, or None
    for none."""

    start: int
    end: int
    original: str | None
    surrogates: Iterable[str]


class _Part(NamedTuple):
    """A part of the names of some persons: what it stands for, and the surrogates."""

    originals: set[str]
    surrogates: set[str]


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
        # The surrogates by their folded form.
        self._folded: dict[str, list[str]] = {}
        self._index = _Index()
        # Parts of names, and words that the documents have of their own; all folded.
        self._parts: dict[str, _Part] = {}
        self._plain: set[str] = set()
        self._flat = lru_cache(CACHED_DOCS)(lambda doc: Flat(load(doc)).text)

    def add(self, doc: Any, text: str, edits: Sequence[Edit]) -> None:
        """Add a document."""
        flat = Flat(text)
        own = _Index()
        taken: list[tuple[int, int]] = []
        for edit in edits:
            start, end = flat.to_flat(edit.start), flat.to_flat(edit.end)
            whole = flat.text[start:end]
            # Space at an edge is not looked for: the text has it anyway.
            surrogate, original = whole.strip(), edit.original
            if not surrogate:
                continue
            if whole[0].isspace():
                start += len(whole) - len(whole.lstrip())
                original = original.lstrip()
            if whole[-1].isspace():
                original = original.rstrip()
            end = start + len(surrogate)
            taken.append((start, end))
            own.add(surrogate)
            self._add(surrogate, original, Place(doc, start, end))
            for part, word in () if self.strict else _name_parts(surrogate, original):
                known = self._parts.setdefault(_fold(part), _Part(set(), set()))
                known.originals.add(word)
                known.surrogates.add(surrogate)
        for start, end in own.find(flat.text):
            if not _touches(taken, start, end):
                surrogate = flat.text[start:end]
                self._add(surrogate, surrogate, Place(doc, start, end))
        for match in () if self.strict else _WORD.finditer(flat.text):
            if not _touches(taken, *match.span()):
                self._plain.add(_fold(match.group()))

    def _add(self, surrogate: str, original: str, place: Place) -> None:
        if (known := self.known.get(surrogate)) is None:
            known = self.known[surrogate] = Known()
            folded = _fold(surrogate)
            self._folded.setdefault(folded, []).append(surrogate)
            self._index.add(folded)
        places = known.originals.setdefault(original, [])
        known.n_places += 1
        if not self.strict or known.n_places <= MAX_PLACES:
            places.append(place)
        known.sides = None

    def restore(self, text: str) -> Restored:
        """Put the originals back where surrogates stand."""
        flat = Flat(text)
        folded = _fold(flat.text)
        small, capitals = flat.text.islower(), flat.text.isupper()
        hits = [
            (start, end)
            for start, end in self._index.find(folded)
            if flat.text[start:end] in self.known
            or self._is_form(flat.text[start:end], small, capitals)
        ]
        found = [self._original(flat.text, *hit) for hit in _longest_first(hits)]
        if not self.strict:
            found = sorted([*found, *self._find_parts(flat.text, found)])
        edits: list[Edit] = []
        left: list[tuple[int, int]] = []
        for start, end, original, _ in found:
            old = flat.to_old(start), flat.to_old(end, end=True)
            if original == _SEVERAL:
                left.append(old)
            elif original is not None:
                edits.append(Edit(*old, original))
        seen = {surrogate for row in found for surrogate in row.surrogates}
        missing = len(self.known.keys() - seen)
        return Restored(splice(text, edits), len(edits), left, missing)

    def _is_form(self, found: str, small: bool, capitals: bool) -> bool:
        """Whether a text that is a surrogate but for case, apostrophes and dashes is
        meant as one."""
        if self.strict and " " not in found:
            return False
        if any(map(str.isdecimal, found)):
            return len(found) > _MIN_PART
        words = _WORD.findall(found)
        if all(map(_is_ordinary, words)):
            folded = _fold(found)
            if len(words) == 1:
                # The document may have it as a surrogate alone.
                return capitals and folded not in self._plain
            # "WILL MAY" stands for "Will May", "will may" does not.
            forms = [words, *map(_WORD.findall, self._folded[folded])]
            return not any(word[0].islower() for form in forms for word in form)
        # Of a word in small letters nobody can say that it was a name.
        return small or not found.isalpha() or not found.islower()

    def _original(self, text: str, start: int, end: int) -> _Found:
        if (found := text[start:end]) in self.known:
            return _Found(start, end, self._choose(text, start, end), (found,))
        # It is spelt otherwise.
        surrogates = self._folded[_fold(found)]
        originals: dict[str, tuple[str, str]] = {}
        for surrogate in surrogates:
            for original in self.known[surrogate].originals:
                originals.setdefault(_fold(original), (original, surrogate))
        new = _SEVERAL
        if len(originals) == 1:
            ((original, surrogate),) = originals.values()
            new = _in_case_of(original, surrogate, found)
        return _Found(start, end, new, surrogates)

    def _choose(self, text: str, start: int, end: int) -> str | None:
        """What a surrogate stands for."""
        surrogate = text[start:end]
        known = self.known[surrogate]
        several = len(known.originals) > 1
        if not several and (not self.strict or _distinctive(surrogate)):
            return next(iter(known.originals))
        unsure = _SEVERAL if several else None
        if self.strict and known.n_places > MAX_PLACES:
            return unsure
        if known.sides is None:
            known.sides = self._all_sides(known)
        for size in SIDES:
            sides = _sides(text, start, end, size)
            if said := [known.sides[side] for side in sides if side in known.sides]:
                # What both sides say, if each says something.
                if len(agreed := set.intersection(*said)) != 1:
                    return unsure
                (original,) = agreed
                return None if original == surrogate else original
        return unsure

    def _all_sides(self, known: Known) -> dict[tuple[bool, str], set[str]]:
        out: dict[tuple[bool, str], set[str]] = defaultdict(set)
        for original, places in known.originals.items():
            for doc, start, end in places:
                for size in SIDES:
                    for side in _sides(self._flat(doc), start, end, size):
                        out[side].add(original)
        return out

    def _find_parts(self, text: str, hits: Sequence[_Found]) -> Iterable[_Found]:
        """Single parts of names between the hits."""
        taken = [hit[:2] for hit in hits]
        ends = {end for _, end in taken}
        for match in _WORD.finditer(text):
            start, end = match.span()
            found = match.group()
            part = self._parts.get(folded := _fold(found))
            if (
                part is None
                or folded in self._plain
                or not found[0].isupper()
                or not _bordered(text, start, end)
                or _touches(taken, start, end)
            ):
                continue
            before = _NAME_BEFORE.search(text, max(0, start - 30), start)
            if before and start - 1 not in ends and self._is_other(before.group(1)):
                # "John Smithson" has nothing to do with Bea Smithson.
                continue
            new = _SEVERAL
            if len(set(map(_fold, part.originals))) == 1:
                original = min(part.originals)
                new = _in_case_of(original, original, found)
            yield _Found(start, end, new, part.surrogates)

    def _is_other(self, word: str) -> bool:
        """Whether a word is a given name that none of the persons has."""
        return (
            _fold(word) not in self._parts
            and title_gender(word) is None
            and given_name_gender(word) is not None
        )


class _FoldTable(dict):
    def __missing__(self, code: int) -> str:
        low = chr(code).lower()
        # Places in the folded text are those in the text.
        self[code] = low if len(low) == 1 else chr(code)
        return self[code]


_fold_table = _FoldTable(dict.fromkeys(map(ord, APOSTROPHES), "'"))
_fold_table |= dict.fromkeys(map(ord, DASHES), "-")


def _fold(text: str) -> str:
    """A text of the same length without case and kinds of apostrophes and dashes."""
    return text.translate(_fold_table)


@lru_cache(maxsize=4096)
def _is_ordinary(word: str) -> bool:
    """Whether a word may stand in any text."""
    lists = (EVERYDAY, GRAMMAR, CALENDAR, everyday_words("en"))
    return any(word.lower() in words for words in lists)


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
        and all(word.isalpha() and word[0].isupper() for word in (a, b))
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
    around = (False, text[max(0, start - size) : start]), (True, text[end : end + size])
    return [side for side in around if len(side[1]) == size]


class _Index:
    """Strings to find in flat texts, at the borders of words."""

    def __init__(self) -> None:
        self._lengths: dict[str, set[int]] = defaultdict(set)
        self._strings: set[str] = set()

    def add(self, string: str) -> None:
        if (first := _FIRST.match(string)) is not None:
            self._strings.add(string)
            self._lengths[first.group()].add(len(string))

    def find(self, text: str) -> Iterable[tuple[int, int]]:
        """Start and end of all occurrences, which may overlap."""
        for token in _TOKEN.finditer(text):
            start = token.start()
            for length in self._lengths.get(token.group(), ()):
                end = start + length
                # At the end of the text it may be another one, which is shorter.
                known = end <= len(text) and text[start:end] in self._strings
                if known and _bordered(text, start, end):
                    yield start, end


def _longest_first(hits: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Hits that don't overlap, in order; of two that do the longer stays."""
    kept: list[tuple[int, int]] = []
    taken: set[int] = set()
    for start, end in sorted(hits, key=lambda hit: (hit[0] - hit[1], hit[0])):
        if start not in taken and end - 1 not in taken:
            kept.append((start, end))
            taken.update(range(start, end))
    return sorted(kept)


def _touches(taken: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a place touches one of several that are in order."""
    i = bisect_right(taken, start, key=lambda span: span[1])
    return i < len(taken) and taken[i][0] < end


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
