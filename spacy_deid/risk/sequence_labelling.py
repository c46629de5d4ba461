"""Sequence labelling as an indicator (paper 3, 5.4): a token classifier trained on what
annotators masked says for each word whether it looks like one to mask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import numpy
import srsly
from spacy.attrs import IS_SPACE
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Config, Model
from thinc.types import Floats2d

from ..models.doc_windows import WINDOW, predict_in_windows, predict_near
from ..models.ops import set_precision, use_blas
from ..models.span_risk import SpanContext
from ..models.trainable import TAGGER
from ..registries import registry
from ..schema import DIRECT, IDENTIFIER_TYPES, NO_MASK, QUASI
from .base import Vote
from .gold import COLUMN, gold_decisions, token_targets

MASK = "MASK"
# What the tokens are told apart by.
LABELS = {"mask": (MASK, NO_MASK), "identifier_type": IDENTIFIER_TYPES}
Match = Literal["strict", "partial", "mean"]
# What the risks of words come to.
_JOINED: dict[str, Callable[[numpy.ndarray], Any]] = {
    "strict": numpy.min,
    "partial": numpy.max,
    "mean": lambda risks: numpy.add.reduce(risks) / len(risks),  # as `numpy.mean`
}
# What is said of a span that is left, and of one that is masked.
_SAID = {
    "strict": ("not all its words look", "all its words look"),
    "partial": ("none of its words looks", "at least one of its words looks"),
    "mean": ("its words do not look", "its words look"),
}

DEFAULT_MODEL = TAGGER.format(width=64, depth=2, rows=1000)


@registry.deid_indicators("spacy_deid.sequence_labelling.v1")
class SequenceLabelling:
    """Mask a span whose words look like those that annotators masked.

    Trained by `spacy train` together with the component, on all tokens of documents
    with gold in `mask` groups: those that stand in no span are NO_MASK.

    model (Model[List[Doc], List[Floats2d]]): Probabilities of each token's labels, for
        example `spacy_deid.TokenTagger.v1` or `spacy_deid.BiLSTMTagger.v1` on any
        encoder; a small convolutional one if None.
    threshold (float): Least probability of a mask, 1 - P(NO_MASK).
    match (str): "strict": all tokens of a span have to reach the threshold, and its
        probability is that of the least likely; "partial": any of them, and it is that
        of the most likely; "mean": their mean over all mentions of the entity has to,
        which suits a weighted combination. White space does not count.
    labels (str): What the model tells apart: "mask" MASK and NO_MASK as in the paper,
        "identifier_type" DIRECT, QUASI and NO_MASK.
    source (str): What the training documents are, as the reasons name them:
        "court judgments", for example.
    window (int): Tokens read at a time; a longer document is read in overlapping
        windows. Encoders of the hub cut these further, by word pieces.
    RAISES (ValueError): If a setting is out of range, or if the model cannot be used.
    """

    def __init__(
        self,
        model: Model[list[Doc], list[Floats2d]] | None = None,
        threshold: float = 0.5,
        match: Match = "partial",
        labels: Literal["mask", "identifier_type"] = "identifier_type",
        source: str = "the training documents",
        window: int = WINDOW,
    ) -> None:
        if model is None:
            model = registry.resolve(Config().from_str(DEFAULT_MODEL))["model"]
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must lie in 0..1, not {threshold}")
        if match not in ("strict", "partial", "mean"):
            problem = f"match must be 'strict', 'partial' or 'mean', not '{match}'"
            raise ValueError(problem)
        if labels not in LABELS:
            raise ValueError(f"labels must be one of {', '.join(LABELS)}")
        if model.has_ref("crf") or not model.has_ref("output_layer"):
            advice = "use spacy_deid.TokenTagger.v1 or spacy_deid.BiLSTMTagger.v1"
            needed = "probabilities of single tokens"
            raise ValueError(f"sequence labelling needs {needed}: {advice}")
        self.labels = LABELS[labels]
        output = model.get_ref("output_layer")
        if output.has_dim("nO") and output.get_dim("nO") != len(self.labels):
            known = f"but there are {len(self.labels)}: {', '.join(self.labels)}"
            raise ValueError(f"the model has {output.get_dim('nO')} labels, {known}")
        if not output.has_dim("nO"):
            output.set_dim("nO", len(self.labels))
        use_blas(model)
        self.model = model
        self.threshold = threshold
        self.match = match
        self.source = source
        self.window = window

    def __call__(self, context: SpanContext) -> list[Vote | None]:
        """The votes for one document."""
        return self.batch([context])[0]

    def batch(self, contexts: Sequence[SpanContext]) -> list[list[Vote | None]]:
        """The votes for several documents."""
        self._check_trained()
        docs = [context.doc for context in contexts]
        places = []
        for context in contexts:
            ends = numpy.array([(c.start, c.end) for c in context.spans], dtype="i")
            places.append(tuple(ends.reshape(-1, 2).T))
        rows = predict_near(self.model, docs, places, self.window)
        found = map(self._all_types, rows)
        return [self._votes(*pair) for pair in zip(contexts, found)]

    def probabilities(self, docs: Sequence[Doc]) -> list[numpy.ndarray]:
        """Probabilities of the identifier types of each token."""
        self._check_trained()
        rows = predict_in_windows(self.model, docs, self.window)
        return [self._all_types(self.model.ops.to_numpy(given)) for given in rows]

    def _check_trained(self) -> None:
        if self.model.get_ref("output_layer").has_param("W") is None:
            raise ValueError("sequence labelling is not initialized: train it first")

    def _all_types(self, rows: numpy.ndarray) -> numpy.ndarray:
        """Columns for all identifier types, those that the model does not tell included."""
        full = numpy.zeros((len(rows), len(IDENTIFIER_TYPES)), dtype="f")
        if len(rows):
            full[:, -len(self.labels) :] = rows
        return full

    def _votes(self, context: SpanContext, probs: numpy.ndarray) -> list[Vote | None]:
        doc, spans, entity_ids = context
        is_space = doc.to_array(IS_SPACE)
        rows = probs.astype("float64")
        # A mean is that of all mentions together.
        keys = entity_ids if self.match == "mean" else range(len(spans))
        tokens: dict[int, list[int]] = {}
        for key, c in zip(keys, spans):
            words = [i for i in range(c.start, c.end) if not is_space[i]]
            # Spans of nothing but white space count with it.
            tokens.setdefault(key, []).extend(words or range(c.start, c.end))
        risks = 1.0 - rows[:, COLUMN[NO_MASK]]
        votes = {k: self._vote(rows[own], risks[own]) for k, own in tokens.items()}
        return [votes[key] for key in keys]

    def _vote(self, rows: numpy.ndarray, risks: numpy.ndarray) -> Vote:
        """The vote on some words, given their probabilities and risks."""
        # The last digits depend on what else was in the batch.
        p = min(1.0, max(0.0, round(float(_JOINED[self.match](risks)), 3)))
        if p < self.threshold:
            return Vote(NO_MASK, p, self._reason(p, False))
        kinds = rows.sum(axis=0)
        direct = kinds[COLUMN[DIRECT]] > kinds[COLUMN[QUASI]]
        return Vote(DIRECT if direct else QUASI, p, self._reason(p, True))

    def _reason(self, p: float, masked: bool) -> str:
        limit = f"{'at least' if masked else 'below'} {self.threshold:g}"
        said = f"{_SAID[self.match][masked]} like those masked in {self.source}"
        return f"{said}: {p:.2f}, {limit}"

    def initialize_model(self, examples: Sequence[Example]) -> None:
        """Set the model's dimensions and weights."""
        if docs := [eg.predicted for eg in examples if len(eg.predicted)]:
            shape = len(docs[0]), len(self.labels)
            self.model.initialize(X=docs, Y=[self.model.ops.alloc2f(*shape)])
        else:
            self.model.initialize()

    def prepare(
        self, examples: Sequence[Example]
    ) -> tuple[list[Doc], Callable[[list[Floats2d]], tuple[float, list[Floats2d]]]]:
        """Documents and the annotators' decisions about all their tokens."""
        examples = [eg for eg in examples if len(eg.predicted)]
        if not any(gold := [gold_decisions(eg) for eg in examples]):
            return [], partial(self._loss, [])
        docs = [eg.predicted for eg in examples]
        pairs = zip(docs, gold)
        targets = [self._targets(len(doc), own) if own else None for doc, own in pairs]
        return docs, partial(self._loss, targets)

    def _targets(self, n: int, annotators: Sequence[dict[int, str]]) -> numpy.ndarray:
        targets = token_targets(n, annotators)
        if len(self.labels) == len(IDENTIFIER_TYPES):
            return targets
        kept = targets[:, COLUMN[NO_MASK]]
        return numpy.stack([1.0 - kept, kept], axis=1)

    def _loss(
        self, targets: list[numpy.ndarray | None], scores: list[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        loss = 0.0
        gradients = []
        ops = self.model.ops
        for gold, rows in zip(targets, scores):
            probs: Any = ops.to_numpy(rows)
            if gold is None:
                gradients.append(ops.alloc2f(*probs.shape))
                continue
            loss -= float((gold * numpy.log(probs.clip(1e-12))).sum())
            gradients.append(ops.asarray2f(probs - gold))
        return loss, gradients

    def to_bytes(self) -> bytes:
        """What was learned."""
        learned = self.model.to_bytes()
        return srsly.msgpack_dumps({"labels": list(self.labels), "model": learned})

    def from_bytes(self, data: bytes) -> None:
        """Take over what was learned."""
        try:
            saved = srsly.msgpack_loads(data)
            if tuple(saved["labels"]) != self.labels:
                raise KeyError("labels")
            self.model.from_bytes(saved["model"])
            set_precision(self.model, "float16", "float32")
        except (AttributeError, KeyError, TypeError, ValueError):
            what = "the saved model of sequence labelling is damaged or does"
            raise ValueError(f"{what} not fit the settings in its config") from None
