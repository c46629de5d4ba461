"""The contract shared by all components: span keys, labels, span groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary

from spacy.attrs import IDX, LENGTH
from spacy.tokens import Doc, Span, SpanGroup

from .data import word_lists

PII_KEY = "pii"
GAZETTEER_KEY = "pii_gazetteer"
NER_KEY = "pii_ner"
MASK_KEY = "mask"
ENTS = "ents"  # `doc.ents`, where the name of a span group is asked for
DEID_KEY = "deid"  # what the pseudonymizer replaced, one span a replacement

# Semantic types of the Text Anonymization Benchmark.
SEMANTIC_TYPES = ("PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC")

DIRECT, QUASI, NO_MASK = "DIRECT", "QUASI", "NO_MASK"
# Strictest first: mentions of one entity share the first that any of them has.
IDENTIFIER_TYPES = (DIRECT, QUASI, NO_MASK)


class StrategyError(ValueError):
    """A replacement strategy can't work as it is set up. Its message is shown: no text
    of a document may be in it."""


class Candidate(NamedTuple):
    """A detected span before or after merging.

    start (int): First token.
    end (int): Token after the last.
    label (str): Semantic type.
    id (str): Subtype (`EMAIL`, `GIVEN_NAME`, a Wikidata QID ...) or "".
    score (float): Confidence in 0..1.
    source (str): `detector:detail`, for example `pattern:EMAIL`, `term:nationality`,
        `ner:pii_ner`, `propagation:name`.
    reason (str): Why it was found, in plain words without any text of the document.
    """

    start: int
    end: int
    label: str
    id: str = ""
    score: float = 1.0
    source: str = ""
    reason: str = ""


# Subtypes of our own for terms that a gazetteer found by a property of Wikidata.
PROPERTY_SUBTYPES = {
    property_: subtype
    for subtype, properties in word_lists("property_subtypes").items()
    for property_ in properties
}


def subtype_of(id_: str, source: str) -> str:
    """The subtype for code that knows ours and no Wikidata ids."""
    if id_[:1] == "Q" and id_[1:].isdigit():
        return PROPERTY_SUBTYPES.get(source.partition(":")[2], "")
    return id_


def strictest(decisions: Iterable[str]) -> str:
    """The strictest of several identifier types; NO_MASK for none."""
    return min(decisions, key=IDENTIFIER_TYPES.index, default=NO_MASK)


def is_mask_key(key: str) -> bool:
    """Whether a span group is one of decisions: `mask`, or `mask:NAME` of an annotator."""
    return key == MASK_KEY or key.startswith(f"{MASK_KEY}:")


def set_group(
    doc: Doc, key: str, candidates: Sequence[Candidate], **attrs: Sequence[Any]
) -> SpanGroup:
    """Write candidates to `doc.spans[key]`, with attributes aligned by index.

    doc (Doc): The document.
    key (str): Span group key.
    candidates (Sequence[Candidate]): The spans, in the order to keep.
    **attrs (Sequence): Further aligned attributes, each as long as `candidates`.
    RETURNS (SpanGroup): The group written.
    RAISES (ValueError): If an attribute's length differs from the spans'.
    """
    for name, values in attrs.items():
        if len(values) != len(candidates):
            has = f"{len(values)} values for {len(candidates)} spans"
            raise ValueError(f"attribute '{name}' of span group '{key}' has {has}")
    spans = [Span(doc, c.start, c.end, label=c.label, span_id=c.id) for c in candidates]
    group = SpanGroup(
        doc,
        name=key,
        spans=spans,
        attrs={
            "scores": [float(c.score) for c in candidates],
            "sources": [c.source for c in candidates],
            "reasons": [c.reason for c in candidates],
            **{name: list(values) for name, values in attrs.items()},
        },
    )
    doc.spans[key] = group
    return group


def set_decided(
    doc: Doc,
    candidates: Sequence[Candidate],
    decisions: Sequence[str],
    entity_ids: Sequence[int],
) -> None:
    """Write candidates to `pii` and what is decided of each to `mask`, as detectors and
    risk scorer do.

    decisions (Sequence[str]): Identifier types, as many.
    entity_ids (Sequence[int]): Entity of each.
    """
    decided = [c._replace(label=d) for c, d in zip(candidates, decisions, strict=True)]
    labels = [c.label for c in candidates]
    set_group(doc, PII_KEY, candidates, entity_ids=entity_ids)
    set_group(doc, MASK_KEY, decided, entity_ids=entity_ids, labels=labels)


def get_candidates(doc: Doc, key: str) -> list[Candidate]:
    """Read a span group back as candidates; spans set by hand get score 1."""
    if key not in doc.spans:
        return []
    rows = with_attrs(doc.spans[key], scores=1.0, sources="", reasons="")
    return [Candidate(s.start, s.end, s.label_, s.id_, *attrs) for s, *attrs in rows]


def group_attr(group: SpanGroup, name: str, default: Any) -> list[Any]:
    """An attribute of a group's spans, index by index."""
    if (values := group.attrs.get(name)) is None or len(values) != len(group):
        return [default] * len(group)
    return list(values)


def with_attrs(group: SpanGroup, **defaults: Any) -> Iterator[tuple[Any, ...]]:
    """A group's spans, each with attributes of these names.

    **defaults (Any): What stands in for an attribute that the group does not have.
    """
    return zip(group, *(group_attr(group, *row) for row in defaults.items()))


class Decided(NamedTuple):
    """A span, and what detectors and risk scorer say of it: None for nothing.

    decision (str): Identifier type; QUASI where nobody has decided.
    entity (Optional[int]): Number of its entity.
    """

    span: Span
    label: str
    subtype: str
    decision: str
    score: float | None
    source: str
    entity: int | None
    risk: float | None

    @property
    def place(self) -> tuple[int, int]:
        """Its characters."""
        return self.span.start_char, self.span.end_char


def read_decided(
    doc: Doc, mask_key: str = MASK_KEY, spans_key: str = PII_KEY
) -> Iterator[Decided]:
    """The spans of the risk scorer, or without one those of the detectors."""
    decided = mask_key in doc.spans
    known: dict[tuple[int, int], tuple[str, str, Any]] = {}
    if decided and spans_key in doc.spans:
        for span, entity in with_attrs(doc.spans[spans_key], entity_ids=None):
            known[span.start, span.end] = span.label_, span.id_, entity
    group = doc.spans[mask_key if decided else spans_key]
    names = {"scores": None, "sources": "", "entity_ids": None, "risk": None}
    for span, own, score, source, entity, risk in with_attrs(group, labels="", **names):
        label, subtype, decision = span.label_, span.id_, QUASI
        if decided:
            found = known.get((span.start, span.end), ("", "", None))
            if label in IDENTIFIER_TYPES:
                decision, label = label, own or found[0]
            subtype = subtype or found[1]
            entity = found[2] if entity is None else entity
        yield Decided(span, label, subtype, decision, score, source, entity, risk)


def texts_of(doc: Doc, candidates: Iterable[Candidate]) -> list[str]:
    """Texts of candidates: slices of the document's, as a Span for each takes far longer."""
    text, places = text_of(doc), cast(Any, doc.to_array([IDX, LENGTH]))
    starts, ends = places[:, 0].tolist(), places.sum(axis=1).tolist()
    spans = ((c.start, c.end) for c in candidates)
    return [text[starts[a] : ends[b - 1]] if a < b else "" for a, b in spans]


# Gone with the documents themselves.
_texts: WeakKeyDictionary[Doc, str] = WeakKeyDictionary()


def text_of(doc: Doc) -> str:
    """A document's text, put together of its tokens once for all components."""
    if not len(doc):
        return ""
    text = _texts.get(doc)
    last = doc[len(doc) - 1]
    # A document that was short when it was read may have grown since.
    if text is None or len(text) != last.idx + len(last.text_with_ws):
        text = _texts[doc] = doc.text
    return text
