"""Annotated texts: what should be masked, and what of a mention has to be.

Texts are compared by characters and by words that a regular expression finds, never
by a pipeline's own tokens, so systems with different tokenizers are comparable. A word
is a run of letters, digits and underscores; currency and other symbols count as words
of their own for recall, punctuation never does.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from spacy.tokens import Doc, Span

from ..corpora.corpus import read_documents
from ..corpora.readers import Record, check_mentions, split_annotators
from ..corpora.report import Report
from ..label_schemes import LabelScheme
from ..schema import IDENTIFIER_TYPES, MASK_KEY, PII_KEY, QUASI
from ..text.offsets import joined

# Words and titles that annotators include or leave out at will. A mention whose other
# words are all masked is masked; English, like the benchmark this list is taken from.
_FUNCTION_WORDS = (
    "a about after an and as at before between by during for from in into mr mrs ms no "
    "nr of on or over since the to until with"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_PIECE = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w+")
_APOSTROPHES = ("'", "’")

CharSpan = tuple[int, int]


class Mention(NamedTuple):
    """One gold mention: its offsets, semantic type and decision. Mentions of one entity
    share an id; a mention without one ("") is an entity of its own."""

    start_offset: int
    end_offset: int
    entity_type: str = ""
    identifier_type: str = QUASI
    entity_id: str = ""


@dataclass
class GoldDocument:
    """An annotated text, with the mentions of each annotator."""

    text: str
    annotators: Sequence[Sequence[Mention]]
    doc_id: str = ""


def read_golds(
    path: Path,
    report: Report,
    scheme: LabelScheme | None = None,
    format: str = "jsonl",
    spans_key: str | None = None,
) -> Iterator[GoldDocument]:
    """Gold documents of an annotated corpus; mentions without an identifier type are
    QUASI, and what cannot be used is counted.

    scheme (Optional[LabelScheme]): Makes semantic types of the labels; those of mentions
        that are nothing personal are left out. Without it labels stay as they are.
    format (str): Key of `corpus.FORMATS`.
    spans_key (Optional[str]): Of `.spacy` files, see `read_docbins`.
    """
    for records in read_documents(format, path, report, spans_key=spans_key):
        layers = [layer for record in records for layer in split_annotators(record)]
        annotators = [list(read_mentions(layer, report, scheme)) for layer in layers]
        doc_id = str(layers[0].get("doc_id", ""))
        yield GoldDocument(layers[0]["text"], annotators, doc_id)


def read_mentions(
    layer: Record, report: Report, scheme: LabelScheme | None
) -> Iterator[Mention]:
    """The mentions of one annotator; see `read_golds`."""
    for record in check_mentions(layer, report, labelled=scheme is not None):
        label = record.get("entity_type") or ""
        if scheme is not None:
            if label not in scheme.labels:
                report.add("unknown_label", **record["place"])
                continue
            if (target := scheme.to_tab(label)) is None:
                continue
            label = target[0]
        place = record["start_offset"], record["end_offset"]
        entity_id = str(record.get("entity_id") or "")
        yield Mention(*place, label, record["identifier_type"] or QUASI, entity_id)


def gold_from_doc(doc: Doc) -> GoldDocument | None:
    """Gold annotation of a reference Doc: its `spans["mask"]`, or `spans["mask:NAME"]`
    of several annotators, or else `spans["pii"]`, all of which is taken as QUASI; None if
    it has none of these groups."""
    named = [key for key in doc.spans if key.startswith(f"{MASK_KEY}:")]
    keys = named or [key for key in (MASK_KEY,) if key in doc.spans]
    types = {(s.start, s.end): s.label_ for s in doc.spans.get(PII_KEY, ())}
    if keys:
        layers = [
            [_mention(s, types.get((s.start, s.end), ""), s.label_) for s in group]
            for group in (doc.spans[key] for key in keys)
        ]
    elif PII_KEY in doc.spans:
        layers = [[_mention(s, s.label_, QUASI) for s in doc.spans[PII_KEY]]]
    else:
        return None
    return GoldDocument(doc.text, layers)


def _mention(span: Span, entity_type: str, identifier_type: str) -> Mention:
    start, end, known = span.start_char, span.end_char, ", ".join(IDENTIFIER_TYPES)
    problem = f"gold span [{start}, {end}) has label '{identifier_type}'; known are "
    if identifier_type not in IDENTIFIER_TYPES:
        raise ValueError(problem + known)
    return Mention(start, end, entity_type, identifier_type, span.id_)


class Cover:
    """Merged character intervals that answer whether a span lies inside one."""

    def __init__(self, spans: Iterable[CharSpan]) -> None:
        merged = joined((start, end) for start, end in spans if start < end)
        self.starts, self.ends = [a for a, _ in merged], [b for _, b in merged]

    def covers(self, start: int, end: int) -> bool:
        """Whether a span lies inside an interval."""
        i = bisect_right(self.starts, start) - 1
        return i >= 0 and end <= self.ends[i]

    def touches(self, start: int, end: int) -> bool:
        """Whether a span shares a character with an interval."""
        i = bisect_right(self.starts, end - 1) - 1
        return i >= 0 and self.ends[i] > start

    def words(self, text: str) -> Iterable[CharSpan]:
        """The words of a text inside the intervals."""
        for start, end in zip(self.starts, self.ends):
            yield from (match.span() for match in _WORD.finditer(text, start, end))


def content_tokens(text: str, start: int, end: int) -> list[CharSpan]:
    """The tokens of a mention that have to be masked: its words and symbols without
    punctuation, function words, titles and the possessive "s". A mention that has
    nothing else gives its words, or all its characters."""
    words: list[CharSpan] = []
    content: list[CharSpan] = []
    rest: list[CharSpan] = []
    for match in _PIECE.finditer(text, start, end):
        piece, span = match.group(), match.span()
        if _WORD.match(piece) is None:
            rest.append(span)
            if unicodedata.category(piece).startswith("S"):
                content.append(span)
            continue
        words.append(span)
        before = text[max(0, span[0] - 1) : span[0]]
        possessive = piece in ("s", "S") and before in _APOSTROPHES
        if not possessive and piece.lower() not in FUNCTION_WORDS:
            content.append(span)
    return content or words or rest or [(start, end)]
