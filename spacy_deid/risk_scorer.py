"""Decides for each span of `doc.spans["pii"]`: DIRECT, QUASI or NO_MASK."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Config, Model
from thinc.types import Floats2d

from .models.ops import one_thread, use_blas
from .schema import (
    DIRECT,
    IDENTIFIER_TYPES,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    Candidate,
    get_candidates,
    group_attr,
    install_extensions,
    set_group,
    strictest,
)
from .trainable import SpanPipe, align

DEFAULT_MODEL = """
[model]
@architectures = "spacy_deid.SpanRisk.v1"
"""
COLUMN = {name: i for i, name in enumerate(IDENTIFIER_TYPES)}


@Language.factory(
    "risk_scorer",
    requires=["doc.spans"],
    assigns=["doc.spans"],
    default_config={
        "model": Config().from_str(DEFAULT_MODEL)["model"],
        "threshold": 0.5,
        "indicators": {
            "known_direct": {"@deid_indicators": "spacy_deid.known_direct.v1"}
        },
        "scorer": {"@scorers": "spacy_deid.privacy_scorer.v1"},
    },
    default_score_weights={
        "deid_f1": 0.5,
        "entity_recall_direct": 0.25,
        "entity_recall_quasi": 0.25,
    },
)
def make_risk_scorer(
    nlp: Language,
    name: str,
    model: Model,
    threshold: float,
    indicators: dict[str, Any],
    scorer: Callable | None,
) -> RiskScorer:
    """Build the risk scorer.

    model (Model[List[SpanContext], Floats2d]): Probabilities of DIRECT, QUASI and
        NO_MASK, one row a span.
    threshold (float): An entity is masked if its risk, 1 - P(NO_MASK) averaged over
        its mentions, is at least this.
    indicators (Dict[str, Callable]): Further indicators; the strictest decision of
        all wins. A name set to null is off.
    scorer (Callable): Scorer for `spacy evaluate`, or None.
    RETURNS (RiskScorer): The component.
    """
    return RiskScorer(
        nlp.vocab,
        model,
        name,
        threshold=threshold,
        indicators={k: v for k, v in indicators.items() if v is not None},
        scorer=scorer,
    )


class RiskScorer(SpanPipe):
    """Span classifier with indicators; writes `doc.spans["mask"]`."""

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "risk_scorer",
        *,
        threshold: float = 0.5,
        indicators: dict[str, Callable] | None = None,
        scorer: Callable | None = None,
    ) -> None:
        install_extensions()
        self.vocab = vocab
        use_blas(model)
        self.model = model
        self.name = name
        self.indicators = dict(indicators or {})
        self.scorer = scorer
        self.cfg: dict[str, Any] = {}
        self.threshold = threshold
        self._configured = dict(self.cfg)

    @property
    def labels(self) -> tuple[str, ...]:
        """The identifier types, in the order of the model's output."""
        return IDENTIFIER_TYPES

    @property
    def threshold(self) -> float:
        return self.cfg["threshold"]

    @threshold.setter
    def threshold(self, value: float) -> None:
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"threshold must lie in 0..1, not {value}")
        self.cfg["threshold"] = value

    def predict(self, docs: Iterable[Doc]) -> list[Floats2d]:
        """Probabilities of the identifier types, without changing the docs.

        docs (Iterable[Doc]): Documents with `spans["pii"]`.
        RETURNS (List[Floats2d]): For each doc shape (spans, 3).
        RAISES (ValueError): If a doc has no `pii` group (no detector ran), or if the
            model was never trained.
        """
        contexts = [_context(doc) for doc in docs]
        if not self.model.get_ref("output_layer").has_dim("nO"):
            raise ValueError(f"'{self.name}' is not initialized: train it first")
        with one_thread():
            rows = self.model.predict(contexts)
        out, start = [], 0
        for context in contexts:
            end = start + len(context.spans)
            out.append(rows[start:end])
            start = end
        return out

    def set_annotations(self, docs: Iterable[Doc], scores: list[Floats2d]) -> None:
        """Decide for each entity and write `doc.spans["mask"]`.

        docs (Iterable[Doc]): The documents.
        scores (List[Floats2d]): What `predict` returned for them.
        """
        for doc, rows in zip(docs, scores):
            context = _context(doc)
            probs = self.model.ops.to_numpy(rows)
            votes = {name: f(context) for name, f in self.indicators.items()}
            self._annotate(context, probs, votes)

    def _annotate(self, context, probs: numpy.ndarray, votes: dict[str, list]) -> None:
        doc, spans, entity_ids = context
        members: dict[int, list[int]] = {}
        for i, entity in enumerate(entity_ids):
            members.setdefault(entity, []).append(i)
        rows = probs.tolist()
        decisions = [NO_MASK] * len(spans)
        risk = [0.0] * len(spans)
        reasons = [""] * len(spans)
        flags: list[dict[str, bool]] = [{} for _ in spans]
        for mentions in members.values():
            if len(mentions) == 1:
                mean = rows[mentions[0]]
            else:
                mean = probs[mentions].mean(axis=0).tolist()
            # The last digits depend on what else was in the batch.
            entity_risk = round(1.0 - mean[COLUMN[NO_MASK]], 3)
            masked = entity_risk >= self.threshold
            decision = NO_MASK
            if masked:
                direct = mean[COLUMN[DIRECT]] >= mean[COLUMN[QUASI]]
                decision = DIRECT if direct else QUASI
            entity_reasons = [
                f"classifier: risk {entity_risk:.2f}, "
                f"{'at least' if masked else 'below'} {self.threshold:g}"
            ]
            entity_flags = {"classifier": masked}
            for name, cast in votes.items():
                given = [cast[i] for i in mentions if cast[i] is not None]
                entity_flags[name] = any(v.decision != NO_MASK for v in given)
                if given:
                    top = max(given, key=lambda v: v.probability)
                    decision = strictest([decision, *(v.decision for v in given)])
                    entity_risk = max(entity_risk, top.probability)
                    entity_reasons.append(top.reason)
            reason = "; ".join(entity_reasons)
            for i in mentions:
                decisions[i] = decision
                risk[i] = entity_risk
                reasons[i] = reason
                flags[i] = dict(entity_flags)
        set_group(
            doc,
            MASK_KEY,
            [c._replace(label=d) for c, d in zip(spans, decisions)],
            entity_ids=list(entity_ids),
            labels=[c.label for c in spans],
            risk=risk,
            votes=flags,
            reasons=reasons,
        )

    def prepare(
        self, examples: list[Example]
    ) -> tuple[list[Any], Callable[[Any], tuple[float, Any]]]:
        """Documents with gold in `mask` groups, those of several annotators included.

        Each document is seen with the gold spans and, where the detectors ran
        before (`annotating_components`), with the spans that they found.

        examples (List[Example]): The batch.
        RETURNS (Tuple[List[SpanContext], Callable]): The documents and their loss.
        """
        views = [view for eg in examples for view in _views(eg)]
        targets = [target for _, target in views]
        return [context for context, _ in views], partial(self._loss, targets)

    def get_loss(self, examples: Iterable[Example], scores) -> tuple[float, Any]:
        """Cross-entropy of the annotators' decisions and its gradient.

        examples (Iterable[Example]): The batch.
        scores (Floats2d): Probabilities for the spans of all the examples' views.
        RETURNS (Tuple[float, Floats2d]): Loss and gradient.
        """
        _, get_loss = self.prepare(list(examples))
        return get_loss(scores)

    def _loss(self, targets: list[numpy.ndarray], scores) -> tuple[float, Any]:
        gold = numpy.concatenate(targets)
        probs: Any = self.model.ops.to_numpy(scores)
        loss = float(-(gold * numpy.log(probs.clip(1e-12))).sum())
        return loss, self.model.ops.asarray2f(probs - gold)

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
    ) -> None:
        """Set the model's dimensions.

        get_examples (Callable[[], Iterable[Example]]): A sample of the training data.
        nlp (Language): The pipeline.
        """
        validate_get_examples(get_examples, "RiskScorer.initialize")
        views = [v for eg in islice(get_examples(), 10) for v in _views(eg)]
        self.set_output_size()
        contexts = [context for context, _ in views]
        if contexts:
            targets: Any = numpy.concatenate([target for _, target in views])
            self.model.initialize(X=contexts, Y=self.model.ops.asarray2f(targets))
        else:
            self.model.initialize()

    def output_size(self) -> int:
        """Number of identifier types."""
        return len(IDENTIFIER_TYPES)


def _context(doc: Doc):
    """What the model and the indicators read of a document."""
    from .models.span_risk import SpanContext

    if PII_KEY not in doc.spans:
        raise ValueError(
            f"doc.spans['{PII_KEY}'] is missing: risk_scorer needs pii_gazetteer, "
            "pii_ner or spans of your own before it"
        )
    spans = get_candidates(doc, PII_KEY)
    group = doc.spans[PII_KEY]
    entity_ids = group_attr(group, "entity_ids", None)
    if None in entity_ids:
        entity_ids = list(range(len(spans)))
    return SpanContext(doc, spans, entity_ids)


def _views(example: Example) -> list[tuple[Any, numpy.ndarray]]:
    """The example with detected spans and with gold spans, each with targets."""
    from .models.span_risk import SpanContext

    reference, predicted = example.reference, example.predicted
    annotators = [
        _gold_decisions(example, key)
        for key in reference.spans
        if key == MASK_KEY or key.startswith(f"{MASK_KEY}:")
    ]
    if not annotators:
        return []
    views = []
    if PII_KEY in predicted.spans:
        context = _context(predicted)
        if context.spans:
            views.append((context, _targets(context.spans, annotators)))
    if PII_KEY in reference.spans:
        spans, ids = _gold_candidates(example)
        if spans:
            context = SpanContext(predicted, spans, ids)
            views.append((context, _targets(spans, annotators)))
    return views


def _gold_candidates(example: Example) -> tuple[list[Candidate], list[int]]:
    numbers: dict[str, int] = {}
    found: list[tuple[Candidate, int]] = []
    for span in example.reference.spans[PII_KEY]:
        aligned = align(example, span)
        if aligned is not None:
            entity = span.id_ or f"#{len(numbers)}"
            number = numbers.setdefault(entity, len(numbers))
            found.append((Candidate(*aligned, span.label_), number))
    found.sort(key=lambda pair: pair[0])
    return [c for c, _ in found], [n for _, n in found]


def _gold_decisions(example: Example, key: str) -> dict[int, str]:
    """Strictest decision of an annotator for each token of the predicted doc."""
    out: dict[int, str] = {}
    for span in example.reference.spans[key]:
        aligned = align(example, span)
        if aligned is not None:
            for i in range(*aligned):
                out[i] = strictest([out.get(i, NO_MASK), span.label_])
    return out


def _targets(
    spans: Sequence[Candidate], annotators: list[dict[int, str]]
) -> numpy.ndarray:
    """Share of the annotators for each decision, shape (spans, 3)."""
    out = numpy.zeros((len(spans), len(IDENTIFIER_TYPES)), dtype="f")
    for row, c in zip(out, spans):
        for decisions in annotators:
            row[
                COLUMN[
                    strictest(decisions.get(i, NO_MASK) for i in range(c.start, c.end))
                ]
            ] += 1
    return out / len(annotators)
