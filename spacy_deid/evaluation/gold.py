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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span

from ..schema import IDENTIFIER_TYPES, MASK_KEY, PII_KEY, QUASI

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
    """One gold mention.

    start_offset (int): First character.
    end_offset (int): Character after the last.
    entity_type (str): Semantic type.
    identifier_type (str): `DIRECT`, `QUASI` or `NO_MASK`.
    entity_id (str): Mentions of one entity share it; a mention without one ("") is an
        entity of its own.
    """

    start_offset: int
    end_offset: int
    entity_type: str = ""
    identifier_type: str = QUASI
    entity_id: str = ""


@dataclass
class GoldDocument:
    """An annotated text.

    text (str): The text.
    annotators (Sequence[Sequence[Mention]]): The mentions of each annotator.
    doc_id (str): Identifier, for messages.
    """

    text: str
    annotators: Sequence[Sequence[Mention]]
    doc_id: str = ""


def read_gold(record: Any) -> GoldDocument:
    """Validate one gold record.

    record (Any): A dict with `text` and `entity_mentions`, or `annotations` by
        annotator ({name: {"entity_mentions": [...]}}) as in the published benchmark.
        Mentions have `start_offset`, `end_offset` and, when known, `entity_type`,
        `identifier_type` (QUASI when absent or null), `entity_id` and `span_text`.
    RAISES (ValueError): If something is missing or impossible; never quotes text.
    """
    _require(isinstance(record, Mapping), "the record is no object")
    text, layers = record.get("text"), [record]
    _require(isinstance(text, str), "field 'text' is missing or not a string")
    if "entity_mentions" not in record:
        named = record.get("annotations")
        found = isinstance(named, Mapping) and named
        _require(found, "field 'entity_mentions' is missing")
        layers = [x if isinstance(x, Mapping) else {} for x in named.values()]
    mentions = [layer.get("entity_mentions") for layer in layers]
    lists = all(isinstance(layer, list) for layer in mentions)
    _require(lists, "'entity_mentions' is missing or not a list")
    annotators = [[_read_mention(raw, text) for raw in layer] for layer in mentions]
    return GoldDocument(text, annotators, str(record.get("doc_id", "")))


def _require(fits: Any, problem: str) -> None:
    if not fits:
        raise ValueError(problem)


def _read_mention(record: Any, text: str) -> Mention:
    _require(isinstance(record, Mapping), "a mention is no object")
    start, end = record.get("start_offset"), record.get("end_offset")
    for name in ("start_offset", "end_offset"):
        integer = type(record.get(name)) is int
        _require(integer, f"'{name}' of a mention is missing or not an integer")
    place = f"mention [{start}, {end})"
    inside = 0 <= start < end <= len(text)
    size = f"outside the text of {len(text)} characters"
    _require(inside, f"{place} is empty or {size}")
    kind = record.get("identifier_type")
    kind = QUASI if kind is None else kind
    known = ", ".join(IDENTIFIER_TYPES)
    problem = f"{place} has an unknown identifier_type; known are {known}"
    _require(kind in IDENTIFIER_TYPES, problem)
    quoted = record.get("span_text")
    same = not isinstance(quoted, str) or quoted == text[start:end]
    _require(same, f"{place}: its 'span_text' is not what the text has there")
    entity = record.get("entity_id")
    entity = "" if entity is None else str(entity)
    return Mention(start, end, str(record.get("entity_type") or ""), kind, entity)


def gold_from_doc(doc: Doc) -> GoldDocument | None:
    """Gold annotation of a reference Doc: its `spans["mask"]`, or `spans["mask:NAME"]`
    of several annotators, or else `spans["pii"]`, all of which is taken as QUASI; None if
    it has none of these groups."""
    named = [key for key in doc.spans if key.startswith(f"{MASK_KEY}:")]
    keys = named or [key for key in (MASK_KEY,) if key in doc.spans]
    types = {
        (span.start, span.end): span.label_
        for key in doc.spans
        if key.partition(":")[0] == PII_KEY
        for span in doc.spans[key]
    }
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
    _require(identifier_type in IDENTIFIER_TYPES, problem + known)
    return Mention(start, end, entity_type, identifier_type, span.id_)


class Cover:
    """Merged character intervals that answer whether a span lies inside one."""

    def __init__(self, spans: Iterable[CharSpan]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted(spans):
            if start >= end:
                continue
            if self.ends and start <= self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], end)
            else:
                self.starts.append(start)
                self.ends.append(end)

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
            for match in _WORD.finditer(text, start, end):
                yield match.span()


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
