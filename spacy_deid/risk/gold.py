"""What annotators decided, as targets for what learns from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from spacy.training import Example

from ..models.trainable import align
from ..schema import IDENTIFIER_TYPES, NO_MASK, Candidate, is_mask_key, strictest

COLUMN = {name: i for i, name in enumerate(IDENTIFIER_TYPES)}


def gold_decisions(example: Example) -> list[dict[int, str]]:
    """The decisions of every annotator: those in `spans["mask"]` of the reference, and
    those in its groups `mask:NAME`."""
    return [
        _of_annotator(example, key)
        for key in example.reference.spans
        if is_mask_key(key)
    ]


def _of_annotator(example: Example, key: str) -> dict[int, str]:
    out: dict[int, str] = {}
    for span in example.reference.spans[key]:
        aligned = align(example, span)
        if aligned is not None:
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
