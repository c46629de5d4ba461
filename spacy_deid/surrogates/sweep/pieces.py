"""What stands in a document to be replaced: spans, pieces of text, regions of tokens."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from spacy.attrs import IDX, LENGTH
from spacy.tokens import Doc

from ...lang.name_forms import name_forms
from ...risk.orders import Order
from ...schema import text_of
from ...text.offsets import trimmed
from ..base import Mention
from .occurrences import Hit
from .runs import compact

APOSTROPHES = ("'", "’")
_APOSTROPHE = re.compile(f"[{''.join(APOSTROPHES)}]")
_POSSESSIVE = re.compile(r"(?:['’ʼ＇`´][sS]?)$")
_POSSESSIVE_END = "sS'’ʼ＇`´"
# An apostrophe that is a possessive ending by itself: "Daniels' house".
_NO_WORD_BEHIND = re.compile(r"(?![\w'’])")
_OPENING = re.compile(r"(?<!\w)['‘](?=\w)")


class Item(NamedTuple):
    """A span of the input: what it is and what shall become of it."""

    start: int
    end: int
    label: str
    subtype: str
    entity_id: int
    decision: str
    score: float
    source: str
    # Left as it is by a strategy that replaces with a probability.
    by_chance: bool = False
    order: Order = Order()


class Piece(NamedTuple):
    """A stretch of text that one surrogate replaces; offsets are characters.

    What lies between `core_end` and `end` (a possessive or plural ending) is put
    behind the surrogate. `spelt` is the masked string that it is another spelling of,
    or "".
    """

    start: int
    core_end: int
    end: int
    item: Item
    swept: bool = False
    plural: bool = False
    spelt: str = ""


class Region(NamedTuple):
    """Whole tokens that change; the pieces in them are replaced."""

    start: int
    end: int
    start_char: int
    end_char: int
    item: Item
    decision: str
    swept: bool
    pieces: list[Piece]


class Output(NamedTuple):
    """What is written to the document; `offsets` as `doc._.deid_offsets`."""

    regions: list[Region]
    new_texts: list[str]
    offsets: list[list[int]]
    text: str


def trim(text: str, start: int, end: int, label: str) -> tuple[int, int]:
    """Offsets of a span without space at its ends and without a possessive ending."""
    start, end = trimmed(text, start, end)
    # "s" or an apostrophe at the end, or there is nothing to look for.
    if label != "CODE" and text[end - 1 : end] in _POSSESSIVE_END:
        match = _POSSESSIVE.search(text, max(start, end - 2), end)
        # What is left of "A's" would be a word like any other.
        if match and len(compact(text[start : match.start()])) > 1:
            end = match.start()
    return start, end


def whole_mention(doc: Doc, text: str, item: Item) -> Mention:
    """A span as strategies see it."""
    span = doc[item.start : item.end]
    start, end = trim(text, span.start_char, span.end_char, item.label)
    told = text[start:end], item.label, item.subtype, item.entity_id
    return Mention(*told, decision=item.decision, strategy=item.order.strategy)


def offsets_of(regions: Sequence[Region], new_texts: Sequence[str]) -> list[list[int]]:
    """Rows of [start, end, new_start, new_end]."""
    rows = []
    shift = 0
    for region, new in zip(regions, new_texts):
        start = region.start_char + shift
        rows.append([region.start_char, region.end_char, start, start + len(new)])
        shift += len(new) - (region.end_char - region.start_char)
    return rows


class Tokens:
    """The characters of a document's tokens, and the tokens of characters."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        self.text = text_of(doc)
        places: Any = doc.to_array([IDX, LENGTH])
        self._starts, self._lengths = places.T.tolist()
        self._cores: dict[tuple[int, int, bool], tuple[int, int, int, int, str]] = {}

    def chars(self, start: int, end: int) -> tuple[int, int]:
        """Offsets of the characters of tokens."""
        return self._starts[start], self._starts[end - 1] + self._lengths[end - 1]

    def at(self, start: int, end: int) -> tuple[int, int]:
        """Tokens that cover these characters."""
        first = bisect_right(self._starts, start) - 1
        return first, bisect_left(self._starts, end, first + 1)

    def unmasked(
        self, hits: Iterable[Hit], covered: bytearray
    ) -> Iterator[tuple[int, int, Hit]]:
        """The hits that are not all in masked spans, with the tokens that cover them.

        covered (bytearray): For each token 1 if a masked span covers it.
        """
        for hit in hits:
            start, end = self.at(hit.start, hit.end)
            if covered.count(1, start, end) < end - start:
                yield start, end, hit

    def trimmed(
        self, start: int, end: int, label: str
    ) -> tuple[int, int, int, int, str]:
        """Offsets of the characters of tokens, of the core of what they hold, and that
        core."""
        key = start, end, label == "CODE"
        known = self._cores.get(key)
        if known is None:
            a, b = self.chars(start, end)
            first, last = trim(self.text, a, b, label)
            known = self._cores[key] = a, b, first, last, self.text[first:last]
        return known

    def core(self, item: Item) -> str:
        """Text of a span without space at its ends and possessive ending."""
        return self.trimmed(item.start, item.end, item.label)[4]

    def bare_endings(self) -> frozenset[int]:
        """Tokens that are possessive endings by themselves."""
        ends = name_forms(self.doc.lang_).bare_possessives
        if not ends:
            return frozenset()
        found = set()
        for at in (match.start() for match in _APOSTROPHE.finditer(self.text)):
            if self.text[max(0, at - 1) : at] not in ends:
                continue
            # Behind an opening one it may close a quotation.
            line = self.text[max(0, at - 80) : at].rpartition("\n")[2]
            if _NO_WORD_BEHIND.match(self.text, at + 1) and not _OPENING.search(line):
                token = bisect_right(self._starts, at) - 1
                if self._starts[token] == at and self._lengths[token] == 1:
                    found.add(token)
        return frozenset(found)
