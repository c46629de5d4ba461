"""Precision, recall and F of labelled spans."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from spacy.training import Example
from spacy.util import registry

from ..label_schemes import gold_labels, make_label_scheme
from ..schema import NER_KEY, PII_KEY
from .gold import CharSpan, Cover
from .privacy import f_score

Labelled = tuple[int, int, str]


class SpanCounts(Counter[str]):
    """Predicted, gold and matching spans; what matches a prediction and what matches
    a gold span differ when spans overlap instead of being equal."""

    def add(self, predicted: set[Any], gold: set[Any], overlap: bool = False) -> None:
        """Count the spans of a document, of one label if overlap is enough."""
        right = found = len(predicted & gold)
        if overlap:
            right, found = _touching(predicted, gold), _touching(gold, predicted)
        self.update(predicted=len(predicted), gold=len(gold), right=right, found=found)

    def scores(self) -> dict[str, float | None]:
        """`p`, `r`, `f` and `f5`."""
        p = self["right"] / self["predicted"] if self["predicted"] else None
        r = self["found"] / self["gold"] if self["gold"] else None
        return {"p": p, "r": r, "f": f_score(p, r), "f5": f_score(p, r, 5)}


def _touching(spans: set[CharSpan], others: set[CharSpan]) -> int:
    """How many spans share a character with one of the others."""
    cover = Cover(others)
    return sum(cover.touches(*span) for span in spans)


# By label.
Layer = dict[str, SpanCounts]


def _count(
    predicted: Sequence[Labelled], gold: Sequence[Labelled], layer: Layer, overlap: bool
) -> None:
    for label in {span[2] for span in (*predicted, *gold)}:
        found = {span[:2] for span in predicted if span[2] == label}
        right = {span[:2] for span in gold if span[2] == label}
        layer[label].add(found, right, overlap)


@registry.scorers("spacy_deid.span_scorer.v1")
@dataclass(frozen=True)
class SpanScorer:
    """Precision, recall and F of labelled spans, exact and by overlap: `{attr}_p`,
    `{attr}_r`, `{attr}_f`, `{attr}_f5` and `{attr}_per_type` for equal spans,
    `{attr}_overlap_p` and so on where sharing a character is enough (the label still
    counts), and `{attr}_any_p` and so on for overlap whatever the label.

    Predicted spans whose group names a label scheme (attrs `scheme`) are compared
    with the gold labels in that scheme.

    spans_key (str): Span group of the prediction.
    gold_key (str): Span group of the reference.
    attr (str): Prefix of the scores; the prediction's key if None.
    """

    spans_key: str = NER_KEY
    gold_key: str = PII_KEY
    attr: str | None = None

    def __call__(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        layers: list[Layer] = [defaultdict(SpanCounts) for _ in range(3)]
        for example in examples:
            if self.gold_key not in example.reference.spans:
                continue
            found, gold = self._sides(example)
            bare = [[(*span[:2], "") for span in side] for side in (found, gold)]
            _count(found, gold, layers[0], overlap=False)
            _count(found, gold, layers[1], overlap=True)
            _count(bare[0], bare[1], layers[2], overlap=True)
        prefix = self.attr or self.spans_key
        scores: dict[str, Any] = {}
        for name, layer in zip(("", "_overlap", "_any"), layers):
            total = SpanCounts()
            for counts in layer.values():
                total.update(counts)
            for key, score in total.scores().items():
                scores[f"{prefix}{name}_{key}"] = score
            if name != "_any":
                by_type = {label: layer[label].scores() for label in sorted(layer)}
                scores[f"{prefix}{name}_per_type"] = by_type
        return scores

    def _sides(self, example: Example) -> tuple[list[Labelled], list[Labelled]]:
        """Predicted and gold spans of a document."""
        groups, gold = example.predicted.spans, example.reference.spans[self.gold_key]
        labels: list[str | None] = [span.label_ for span in gold]
        found = []
        if self.spans_key in groups:
            group = groups[self.spans_key]
            found = [(s.start_char, s.end_char, s.label_) for s in group]
            # A recognizer's own spans have the labels of its scheme.
            if "scheme" in group.attrs:
                labels = gold_labels(gold, make_label_scheme(group.attrs["scheme"]))
        known = [(s, label) for s, label in zip(gold, labels) if label is not None]
        return found, [(s.start_char, s.end_char, label) for s, label in known]
