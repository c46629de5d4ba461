"""A released document beside its original: what was really replaced in it.

What a record says of itself is believed only as far as both texts agree with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, NamedTuple

from ...schema import DIRECT, IDENTIFIER_TYPES, NO_MASK
from ...text.folding import fold
from ...text.offsets import first_misfit, span_to_old, splice
from ..gold import CharSpan, GoldDocument
from ..privacy import PrivacyCounts

# Few people, as the corpus report has it.
FEW_PEOPLE = 10
# Shorter strings stand in any text by chance.
_LONG_CODE, _LONG_NAME = 6, 5
_OWN = ("spans", "epsilon", "deid_k", "deid_k_left", "text")
_PIECE = re.compile(r"\w+|[^\w\s]|\s+")


class Replaced(NamedTuple):
    """A place of the original, that of the new text in its stead, and what is told of
    it ("" where the record tells nothing)."""

    start: int
    end: int
    new_start: int
    new_end: int
    label: str = ""
    subtype: str = ""
    decision: str = ""
    source: str = ""


@dataclass
class Released:
    """A document of the corpus.

    doc_id (str): Its id in the corpus.
    text (str): The new text.
    original (Optional[str]): The old one, if it is known.
    replaced (list[Replaced]): What is different in it, in order.
    kept (list[Replaced]): What was found and kept, as its record says.
    fits (bool): Whether the texts agree with the record.
    values (list[str]): Its other fields, as text.
    """

    doc_id: str
    text: str
    original: str | None = None
    replaced: list[Replaced] = field(default_factory=list)
    kept: list[Replaced] = field(default_factory=list)
    fits: bool = True
    epsilon: float | None = None
    k_left: float | None = None
    values: list[str] = field(default_factory=list)

    def count(self, gold: GoldDocument) -> PrivacyCounts:
        """The counts of this document, of what annotators, or detectors, have marked."""
        counts = PrivacyCounts()
        counts.add(gold, [row[:2] for row in self.replaced])
        return counts

    def survivors(self) -> Iterator[CharSpan]:
        """Places in the original of strings that were masked there and stand in the new
        text or in another field all the same: codes, and names and addresses of several
        words, which mean the same wherever they stand."""
        folded = [fold(text) for text in [self.text, *self.values]]
        for row in self.replaced:
            assert self.original is not None
            string = fold(self.original[row.start : row.end].strip())
            code = any(map(str.isdigit, string)) and " " not in string
            if len(string) < (_LONG_CODE if code else _LONG_NAME):
                continue
            if row.decision != DIRECT or not (code or " " in string):
                continue
            pattern = re.compile(rf"(?<!\w){re.escape(string)}(?!\w)")
            if any(pattern.search(text) for text in folded):
                yield row[:2]


def read_released(record: Mapping[str, Any]) -> Released:
    """A record of the output, not compared with anything yet.

    RAISES (KeyError, TypeError, ValueError): If it is none.
    """
    text, spans = record["text"], record["spans"]
    if not isinstance(text, str):
        raise TypeError("no text")
    doc_id, epsilon = str(record["doc_id"]), record["epsilon"]
    values = [*_strings([v for k, v in record.items() if k not in _OWN])]
    k_left = record.get("deid_k_left")
    out = Released(doc_id, text, epsilon=epsilon, k_left=k_left, values=values)
    for span in spans:
        places = [span.get("start", -1), span.get("end", -1)]
        places += [span["new_start"], span["new_end"]]
        told = str(span["label"]), str(span["subtype"]), span["decision"]
        if span["decision"] not in IDENTIFIER_TYPES:
            raise ValueError("no decision")
        a, b, c, d = map(int, places)
        row = Replaced(a, b, c, d, *told, "; ".join(span["sources"]))
        (out.kept if row.decision == NO_MASK else out.replaced).append(row)
    out.replaced.sort(key=lambda row: row.new_start)
    return out


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for each in value:
            yield from _strings(each)
    elif value is not None:
        yield str(value)


def compare(released: Released, original: str) -> Released:
    """Put a document beside its original: replaced is what differs, whatever the record
    says of it."""
    text, rows = released.text, released.replaced
    released.original = original
    if any(row.start < 0 for row in rows):
        rows = _located(original, text, rows)
    released.fits = agrees(text, original, rows)
    rows = rows if released.fits else [*_differences(original, text)]
    texts = ((original[r.start : r.end], text[r.new_start : r.new_end]) for r in rows)
    released.replaced = [row for row, (old, new) in zip(rows, texts) if old != new]
    return released


def agrees(text: str, original: str, rows: Sequence[Replaced]) -> bool:
    """Whether both texts are the same but for what the rows say."""
    return first_misfit(original, text, [row[:4] for row in rows]) is None


def _located(original: str, text: str, rows: Sequence[Replaced]) -> list[Replaced]:
    """Rows with their places in the original, for records that tell only the new ones: by
    the differences of the texts or, where surrogates have words of originals, one after
    the other by what stands between."""
    found = [row[:4] for row in _differences(original, text)]
    places = [span_to_old(found, row.new_start, row.new_end) for row in rows]
    out = [row._replace(start=a, end=b) for row, (a, b) in zip(rows, places)]
    if agrees(text, original, out):
        return out
    out, last = [], 0
    for row, after in zip(rows, [*rows[1:], None]):
        before = out[-1].new_end if out else 0
        start = last + row.new_start - before
        between = text[row.new_end : after.new_start if after else len(text)]
        at = original.find(between, start) if after else len(original) - len(between)
        out.append(row._replace(start=start, end=at))
        last = at
    return out


def _differences(original: str, text: str) -> Iterator[Replaced]:
    old, new = _PIECE.findall(original), _PIECE.findall(text)
    starts = [*accumulate(map(len, old), initial=0)]
    new_starts = [*accumulate(map(len, new), initial=0)]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield Replaced(starts[a], starts[b], new_starts[c], new_starts[d])


class Originals:
    """The originals of a corpus, and which of them a record is made of.

    texts (Iterable[tuple[str, str]]): Ids and texts.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self.by_id: dict[str, list[str]] = {}
        for doc_id, text in texts:
            if text not in (known := self.by_id.setdefault(doc_id, [])):
                known.append(text)
        self.texts = [text for texts in self.by_id.values() for text in texts]

    def find(self, released: Released) -> str | None:
        """The original of a document: that with its id, or that which fits: an id that
        held a name is another one now."""
        if (own := self.by_id.get(released.doc_id)) is None:
            own = self.texts
        elif len(own) == 1:
            return own[0]
        rows = released.replaced
        located = all(row.start >= 0 for row in rows)
        fitting = (t for t in own if located and agrees(released.text, t, rows))
        return next(fitting, None)


def original_of(released: Released, audited: Sequence[Mapping[str, Any]]) -> str | None:
    """The original of a document, of what the audit file says was replaced in it; None if
    the text is neither the one that was written nor the original.

    audited (Sequence[Mapping]): Its `spans` there.
    """
    edits: list[tuple[int, int, str]] = []
    last = shift = 0
    for row in sorted(audited, key=lambda row: row["start"]):
        at = row["start"] + shift
        # Whoever has put an original back has not masked it.
        written = row["surrogate"], row["text"]
        stands = next((s for s in written if released.text.startswith(s, at)), None)
        if row["start"] < last or stands is None:
            return None
        last, end = row["end"], at + len(stands)
        edits.append((at, end, row["text"]))
        shift = end - last
    return splice(released.text, edits)
