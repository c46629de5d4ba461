"""What annotators decided, as targets for what learns from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import logger

from ..models.span_risk import SpanContext
from ..models.trainable import align
from ..schema import (
    IDENTIFIER_TYPES,
    NO_MASK,
    PII_KEY,
    Candidate,
    get_candidates,
    group_attr,
    is_mask_key,
    strictest,
)

T = TypeVar("T")
COLUMN = {name: i for i, name in enumerate(IDENTIFIER_TYPES)}


def gold_decisions(example: Example) -> list[dict[int, str]]:
    """The decisions of every annotator: those in `spans["mask"]` of the reference, and
    those in its groups `mask:NAME`."""
    keys = filter(is_mask_key, example.reference.spans)
    return [_of_annotator(example, key) for key in keys]


def _of_annotator(example: Example, key: str) -> dict[int, str]:
    out: dict[int, str] = {}
    for span in example.reference.spans[key]:
        if (aligned := align(example, span)) is not None:
            for i in range(*aligned):
                out[i] = strictest([out.get(i, NO_MASK), span.label_])
    return out


def span_targets(
    spans: Sequence[Candidate], annotators: Sequence[dict[int, str]]
) -> numpy.ndarray:
    """Share of the annotators for each decision about spans: the strictest that any
    token of a span has."""
    out = numpy.zeros((len(spans), len(IDENTIFIER_TYPES)), dtype="f")
    for row, c in zip(out, spans):
        for decisions in annotators:
            tokens = range(c.start, c.end)
            row[COLUMN[strictest(decisions.get(i, NO_MASK) for i in tokens)]] += 1
    return out / len(annotators)


def token_targets(n: int, annotators: Sequence[dict[int, str]]) -> numpy.ndarray:
    """Share of the annotators for each decision about tokens, those that stand in no
    span included."""
    out = numpy.zeros((n, len(IDENTIFIER_TYPES)), dtype="f")
    out[:, COLUMN[NO_MASK]] = len(annotators)
    for decisions in annotators:
        for i, decision in decisions.items():
            out[i, COLUMN[NO_MASK]] -= 1
            out[i, COLUMN[decision]] += 1
    return out / len(annotators)


def read_context(doc: Doc) -> SpanContext:
    """What the model and the indicators read of a document."""
    if PII_KEY not in doc.spans:
        needed = "pii_gazetteer, pii_ner or spans of your own"
        problem = f"doc.spans['{PII_KEY}'] is missing"
        raise ValueError(f"{problem}: risk_scorer needs {needed} before it")
    spans = get_candidates(doc, PII_KEY)
    if None in (entity_ids := group_attr(doc.spans[PII_KEY], "entity_ids", None)):
        entity_ids = list(range(len(spans)))
    return SpanContext(doc, spans, entity_ids)


def gold_views(example: Example) -> list[tuple[SpanContext, numpy.ndarray]]:
    """The example with detected spans and with gold spans, each with targets."""
    reference, predicted = example.reference, example.predicted
    if not (annotators := gold_decisions(example)):
        return []
    views = []
    if PII_KEY in predicted.spans and (context := read_context(predicted)).spans:
        views.append((context, span_targets(context.spans, annotators)))
    if PII_KEY in reference.spans:
        spans, ids = gold_candidates(example)
        if spans:
            context = SpanContext(predicted, spans, ids)
            views.append((context, span_targets(spans, annotators)))
    return views


def no_view(example: Example) -> list[tuple[SpanContext, numpy.ndarray]]:
    """A document without gold, in the form of `gold_views`."""
    nothing = numpy.zeros((0, len(IDENTIFIER_TYPES)), dtype="f")
    return [(SpanContext(example.predicted, [], []), nothing)]


def gold_candidates(example: Example) -> tuple[list[Candidate], list[int]]:
    """Gold spans in the tokens of the prediction, and numbers of their entities."""
    numbers: dict[str, int] = {}
    found: list[tuple[Candidate, int]] = []
    for span in example.reference.spans[PII_KEY]:
        if (aligned := align(example, span)) is not None:
            number = numbers.setdefault(span.id_ or f"#{len(numbers)}", len(numbers))
            found.append((Candidate(*aligned, span.label_), number))
    found.sort(key=lambda pair: pair[0])
    return [c for c, _ in found], [n for _, n in found]


def entities_of(context: SpanContext) -> list[list[int]]:
    """Indices of the spans of each entity, in order of appearance."""
    members: dict[int, list[int]] = {}
    for i, entity in enumerate(context.entity_ids):
        members.setdefault(entity, []).append(i)
    return list(members.values())


def count_words(doc: Doc, c: Candidate) -> int:
    """Tokens of a span but punctuation and white space."""
    return sum(not (t.is_punct or t.is_space) for t in doc[c.start : c.end])


def draw(items: Sequence[T], most: int | None, seed: int, name: str) -> list[T]:
    """So many of what there is to fit an indicator on, in order; says so in the log.

    most (Optional[int]): None for all.
    """
    if most is None or len(items) <= most:
        return list(items)
    logger.info("%s: fitted on %d of %d", name, most, len(items))
    chosen = numpy.random.default_rng(seed).permutation(len(items))[:most]
    return [items[i] for i in sorted(chosen.tolist())]
