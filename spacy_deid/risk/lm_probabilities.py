"""LM probabilities: what cannot be predicted from its context gives away more
(paper 3, 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy
import srsly
from spacy.util import minibatch
from tqdm import tqdm

from ..models.masked_lm import MaskedLM, Query
from ..models.span_risk import SpanContext
from ..registries import registry
from ..schema import NO_MASK, QUASI, Candidate
from .base import Vote
from .classifiers import Classifier, LogisticClassifier, Table
from .gold import COLUMN, draw

# Of the log-probabilities of a span's word pieces.
FEATURES = ("min", "max", "median", "mean", "sum")
# Spans whose probabilities are asked for together in training.
_TOGETHER = 1024
# The last digits depend on what else was in the batch.
_DIGITS = 4


@registry.deid_indicators("spacy_deid.lm_probabilities.v1")
class LMProbabilities:
    """How predictable a span is from its context, as an indicator of risk
    (paper 3, 5.1).

    All word pieces of a span are masked, and a classifier judges the minimum, maximum,
    median, mean and sum of their log-probabilities together with the span's type. It is
    fitted when the pipeline is initialized, and saved with it; the language model is
    not.

    language_model (MaskedLM): A function of the registry `deid_language_models`.
    classifier (Optional[Classifier]): A function of the registry `deid_classifiers`;
        logistic regression if None.
    threshold (float): A span is masked if its probability is at least this.
    RAISES (ValueError): If the threshold is out of range.
    """

    def __init__(
        self,
        language_model: MaskedLM,
        classifier: Classifier | None = None,
        threshold: float = 0.5,
    ) -> None:
        if not 0.0 <= threshold <= 1.0:
            problem = f"lm_probabilities: threshold must lie in 0..1: {threshold}"
            raise ValueError(problem)
        self.language_model = language_model
        self.classifier = classifier or LogisticClassifier()
        self.threshold = threshold
        # Log-probability of a word piece that half of the training spans are below.
        self.typical: float | None = None

    def initialize(
        self,
        get_views: Callable[[], Iterable[tuple[SpanContext, numpy.ndarray]]],
        *,
        nlp: Any = None,
        max_spans: int | None = None,
        seed: int = 0,
    ) -> None:
        """Fit the classifier."""
        if (check := getattr(self.classifier, "check", None)) is not None:
            check()
        # Detected spans and gold ones are the same for the most part.
        found: dict[tuple[str, int, int, str], float] = {}
        for context, targets in get_views():
            for place, c, row in zip(places_of(context), context.spans, targets):
                key = (context.doc.text, *place, c.label)
                found[key] = 1.0 - float(row[COLUMN[NO_MASK]])
        if not found:
            missing = "both spans and gold in a `mask` group to fit the classifier on"
            raise ValueError(f"lm_probabilities: no document has {missing}")
        rows = draw(list(found), max_spans, seed, "lm_probabilities")
        logs = list(self._score([Query(*row[:3]) for row in rows]))
        # Those without a word piece say nothing.
        kept = [i for i, own in enumerate(logs) if len(own)]
        table = to_table([logs[i] for i in kept], [rows[i][3] for i in kept])
        self.classifier.fit(table, numpy.array([found[rows[i]] for i in kept]))
        means = table.numbers[:, FEATURES.index("mean")]
        self.typical = round(float(numpy.median(means)), _DIGITS)

    def _score(self, queries: Sequence[Query]) -> Iterator[numpy.ndarray]:
        # No bar where nobody looks.
        shown = tqdm(queries, desc="lm_probabilities", unit="span", disable=None)
        for part in minibatch(shown, _TOGETHER):
            yield from self.language_model.log_probabilities(part)

    def read(self, contexts: Sequence[SpanContext]) -> list[list[numpy.ndarray]]:
        """Log-probabilities of the word pieces of documents' spans."""
        pairs = ((c.doc.text, place) for c in contexts for place in places_of(c))
        queries = [Query(text, *place) for text, place in pairs]
        found = iter(self.language_model.log_probabilities(queries))
        return [[next(found) for _ in c.spans] for c in contexts]

    def __call__(self, context: SpanContext) -> list[Vote | None]:
        """The votes for one document; see `batch`."""
        return self.batch([context])[0]

    def batch(self, contexts: Sequence[SpanContext]) -> list[list[Vote | None]]:
        """The votes of the indicator for several documents, read together."""
        if self.typical is None:
            advice = "train the pipeline on documents with gold in `mask` groups"
            raise ValueError(f"lm_probabilities was never fitted: {advice}")
        logs = self.read(contexts)
        return [self._judge(c.spans, own) for c, own in zip(contexts, logs)]

    def _judge(
        self, spans: Sequence[Candidate], logs: list[numpy.ndarray]
    ) -> list[Vote | None]:
        silent = Vote(NO_MASK, 0.0, "no vote, it has no word piece", abstains=True)
        votes: list[Vote | None] = [silent] * len(spans)
        if not (kept := [i for i, own in enumerate(logs) if len(own)]):
            return votes
        labels = [spans[i].label for i in kept]
        table = to_table([logs[i] for i in kept], labels)
        probabilities = self.classifier.predict(table).tolist()
        for i, label, numbers, p in zip(kept, labels, table.numbers, probabilities):
            votes[i] = self._vote(label, len(logs[i]), numbers, round(p, 3))
        return votes

    def _vote(self, label: str, n: int, numbers: numpy.ndarray, p: float) -> Vote:
        assert self.typical is not None
        named = dict(zip(FEATURES, numbers.tolist()))
        known = "predictable" if named["mean"] > self.typical else "not predictable"
        masked = p >= self.threshold
        pieces = f"{nats(named['sum'])} for its {n} word piece{'s' if n > 1 else ''}"
        limit = f"{'at least' if masked else 'below'} {self.threshold:g}"
        told = f"probability of a mask {p:.2f} for type {label}, {limit}"
        reason = f"{known} from its context: {pieces}; {told}"
        return Vote(QUASI if masked else NO_MASK, p, reason)

    def to_bytes(self) -> bytes:
        """RETURNS (bytes): What was fitted; no weight of the language model."""
        fitted = self.classifier.to_bytes()
        return srsly.msgpack_dumps({"typical": self.typical, "classifier": fitted})

    def from_bytes(self, data: bytes) -> LMProbabilities:
        """Take over what was fitted.

        RAISES (ValueError): If it is damaged, or was fitted by another classifier."""
        try:
            state = srsly.msgpack_loads(data)
            self.typical = state["typical"]
            self.classifier.from_bytes(state["classifier"])
        except (KeyError, TypeError, ValueError):
            other = "was learned by another classifier than the config names"
            problem = f"what lm_probabilities had learned is damaged, or {other}"
            advice = "copy the pipeline again, or train it again"
            raise ValueError(f"{problem}: {advice}") from None
        return self


def to_table(logs: Sequence[numpy.ndarray], types: Sequence[str]) -> Table:
    """The five aggregates of each span's log-probabilities, and its type."""
    numbers = [(x.min(), x.max(), numpy.median(x), x.mean(), x.sum()) for x in logs]
    shape = (len(logs), len(FEATURES))
    table = numpy.asarray(numbers, dtype="float64").reshape(shape).round(_DIGITS)
    return Table(FEATURES, table, list(types))


def nats(value: float) -> str:
    """A log-probability or a difference of two as people read it: "−9.2 nats"."""
    if not float(shown := f"{abs(value):.{1 if abs(value) >= 0.05 else 2}f}"):
        return "0.0 nats"
    return f"{'−' if value < 0 else ''}{shown} nats"


def places_of(context: SpanContext) -> list[tuple[int, int]]:
    """First character of each span, and the one after its last."""
    spans = (context.doc[c.start : c.end] for c in context.spans)
    return [(span.start_char, span.end_char) for span in spans]
