"""The words of a document, folded, with what propagation has to know of each."""

from __future__ import annotations

import enum
import re
from collections import Counter
from functools import lru_cache
from itertools import compress

from spacy.attrs import ORTH
from spacy.tokens import Doc

from ..schema import Candidate
from ..text.folding import APOSTROPHES, DASHES, fold, strip_possessive
from ..text.names import TITLES
from .organisations import QUOTES

_RUN = re.compile(r"[^\W_]+(?:['\u2019\u02bc][^\W_]+)*")
_HYPHENS = DASHES | {"-"}
# Between two words of one name there is nothing but these.
_SOFT = frozenset("-'.\"&/") | DASHES | APOSTROPHES
_BREAKS = re.compile(r"\n\s*\n")


class Case(enum.IntEnum):
    """Letter case of a word; one capital letter counts as a title's."""

    LOWER, TITLE, UPPER, CASELESS = range(4)


def _case(run: str) -> Case:
    if run.isupper():
        return Case.UPPER if len(run) > 1 else Case.TITLE
    if run.islower() or run[0].islower():
        return Case.LOWER
    return Case.TITLE if run[0].isupper() else Case.CASELESS


class Shape:
    """What is worth knowing of a token, the same for all tokens of one text."""

    __slots__ = ("cases", "hard", "parts_initials", "runs", "space", "text", "whole")

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts_initials = False
        if text.isascii() and text.isalpha():
            # Most tokens.
            self.runs: list[str] = [text.lower()]
            self.cases: list[Case] = [_case(text)]
            self.space = self.hard = self.whole = False
            return
        stripped = strip_possessive(text) if len(text) > 2 else text
        short = fold(text) if len(text) < 5 else ""
        self.runs, self.cases = [], []
        for match in () if short in ("'s", "s'", "'") else _RUN.finditer(stripped):
            folded = fold(match.group()).replace("'", "")
            # Voiced sound marks by themselves fold to nothing.
            if folded:
                self.runs.append(folded)
                self.cases.append(_case(match.group()))
        self.space = not text.strip()
        # A full stop, or white space within a paragraph.
        self.parts_initials = text == "." or (self.space and "\n\n" not in text)
        if self.space:
            self.hard = bool(_BREAKS.search(text))
        else:
            soft = short in ("'s", "'") or _SOFT.issuperset(text.strip())
            self.hard = not self.runs and not soft
        # A web address or the like is taken whole if a name is in it.
        self.whole = len(self.runs) > 1 and any(s in text for s in ("@", "//", "www"))


shape_of = lru_cache(maxsize=1 << 15)(Shape)


class DocWords:
    """The words of a document in order, each with its token."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        strings = doc.vocab.strings
        orths = doc.to_array(ORTH).tolist() if len(doc) else []
        shapes = {orth: shape_of(strings[orth]) for orth in set(orths)}
        self.shapes: list[Shape] = [shapes[orth] for orth in orths]
        self.words: list[str] = []
        self.tokens: list[int] = []  # token of each word
        self.cases: list[Case] = []
        self.breaks: list[bool] = []  # whether something parts it from the word before
        self.first: list[int] = []  # first word of each token, at or after it
        self.joins: set[int] = set()  # words that a hyphen and a line break cut off
        self._read()
        cased = self.cases.count(Case.TITLE) + self.cases.count(Case.UPPER)
        self.mostly_lower = cased * 50 < len(self.words)
        self._counts: tuple[Counter[str], Counter[str]] | None = None

    def _read(self) -> None:
        broken = True
        for i, shape in enumerate(self.shapes):
            self.first.append(len(self.words))
            if shape.runs:
                count = len(shape.runs)
                self.words += shape.runs
                self.cases += shape.cases
                self.tokens += [i] * count
                self.breaks += [broken] + [False] * (count - 1)
                broken = False
            else:
                if self.words and i and self._cuts(self.shapes[i - 1], shape):
                    self.joins.add(len(self.words) - 1)
                broken = broken or shape.hard or self._full_stop(shape)
        self.first.append(len(self.words))

    @staticmethod
    def _cuts(before: Shape, shape: Shape) -> bool:
        """Whether a line ends here within a word."""
        line_end = shape.space and not shape.hard and "\n" in shape.text
        return line_end and before.text[-1] in _HYPHENS

    def _full_stop(self, shape: Shape) -> bool:
        """Whether a dot ends a sentence, not an initial or an abbreviation."""
        if not self.words or not shape.text.startswith("."):
            return False
        return len(self.words[-1]) > 2 and self.words[-1] not in TITLES

    def of(self, c: Candidate) -> range:
        """The words of a candidate."""
        return range(self.first[c.start], self.first[c.end])

    def starts_sentence(self, i: int) -> bool:
        """Whether a word begins a sentence or a line."""
        for token in range(self.tokens[i] - 1, -1, -1):
            shape = self.shapes[token]
            if not shape.space and shape.text not in QUOTES:
                return shape.text[-1] in ".!?:;"
            if "\n" in shape.text:
                return True
        return True

    def common_here(self, word: str) -> bool:
        """Whether the document uses a word as a common one."""
        if self.mostly_lower:
            return False
        if self._counts is None:
            lower = compress(self.words, (case == Case.LOWER for case in self.cases))
            self._counts = Counter(lower), Counter(self.words)
        small, every = self._counts
        return small[word] > 2 * (every[word] - small[word]) + 1
