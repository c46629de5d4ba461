"""Perturbations: what makes another span predictable gives that span away
(paper 3, 5.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy
import srsly
from tqdm import tqdm

from ..models.masked_lm import MaskedLM, Query
from ..models.span_risk import SpanContext
from ..registries import registry
from ..schema import DIRECT, NO_MASK, QUASI
from .base import Vote
from .gold import COLUMN, count_words, draw, entities_of
from .lm_probabilities import nats, places_of
from .logistic import fit_logistic, sigmoid

# The last digits depend on what else was in the batch.
_DIGITS = 3


class Effect(NamedTuple):
    """What masking an entity does to the span that it helps most to predict."""

    drop: float
    label: str


@registry.deid_indicators("spacy_deid.perturbations.v1")
class Perturbations:
    """How much masking an entity changes the probability of another span, as an
    indicator of risk (paper 3, 5.3).

    An entity is risky if a span of another entity becomes less probable by more than
    the threshold once all mentions of the entity are masked. A span is never predicted
    from other mentions of its own entity.

    The cost grows with the square of the entities that stand in one window of the
    language model, and with the length of the document; a shorter `window` costs less.

    language_model (MaskedLM): A function of the registry `deid_language_models`.
    threshold (Optional[float]): In nats. Without it one is fitted when the pipeline is
        initialized, and saved with it.
    RAISES (ValueError): If the threshold is out of range.
    """

    def __init__(
        self, language_model: MaskedLM, threshold: float | None = None
    ) -> None:
        if threshold is not None and not 0.0 <= threshold < math.inf:
            problem = f"perturbations: threshold must be at least 0: {threshold}"
            raise ValueError(problem)
        self.language_model = language_model
        self.threshold = threshold
        # What the config says is not fitted, and not saved.
        self._fits = threshold is None
        # Log-odds of a mask: slope · drop + intercept; even odds at the threshold.
        self.slope = 1.0
        self.intercept = 0.0 if threshold is None else -threshold

    def initialize(
        self,
        get_views: Callable[[], Iterable[tuple[SpanContext, numpy.ndarray]]],
        *,
        nlp: Any = None,
        max_documents: int | None = None,
        seed: int = 0,
    ) -> None:
        """Fit the threshold, unless the config gives it."""
        if not self._fits:
            return
        found = [*get_views()]
        # Detected spans and gold ones may be the same.
        keys = ((c.doc.text, (*places_of(c),), (*c.entity_ids,)) for c, _ in found)
        views = dict(zip(keys, found))
        texts = list({c.doc.text for c, _ in views.values()})
        kept = set(draw(sorted(texts), max_documents, seed, "perturbations"))
        chosen = [view for view in views.values() if view[0].doc.text in kept]
        gold: list[Gold] = []
        shown = tqdm(chosen, desc="perturbations", unit="doc", disable=None)
        for context, targets in shown:
            gold += read_gold(context, targets, self.effects([context])[0])
        if not gold:
            missing = "both spans and gold in a `mask` group to fit the threshold on"
            raise ValueError(f"perturbations: no document has {missing}")
        self.threshold = fit_threshold(gold)
        if judged := [g for g in gold if g.drop is not None]:
            drops = numpy.array([[g.drop] for g in judged], dtype="float64")
            masked = numpy.array([g.direct + g.quasi for g in judged])
            weights, intercept = fit_logistic(drops, masked)
            self.slope = round(float(weights[0]), 6)
            self.intercept = round(intercept, 6)

    def effects(self, contexts: Sequence[SpanContext]) -> list[dict[int, Effect]]:
        """What masking each entity does to the other spans of its document."""
        queries: list[Query] = []
        # For each target: its document, its entity's number, its first query, and the
        # entities that are masked by those after it.
        plans: list[tuple[int, int, int, list[int]]] = []
        for number, context in enumerate(contexts):
            text, places = context.doc.text, places_of(context)
            mentions: dict[int, list[tuple[int, int]]] = {}
            for entity, place in zip(context.entity_ids, places):
                mentions.setdefault(entity, []).append(place)
            windows = self.language_model.windows(text, places)
            for i, (place, (low, high)) in enumerate(zip(places, windows)):
                own = context.entity_ids[i]
                others = [(e, found) for e, found in mentions.items() if e != own]
                near = [e for e, x in others if any(a < high and b > low for a, b in x)]
                if not near:
                    continue
                plans.append((number, i, len(queries), near))
                masked = mentions[own]
                queries.append(Query(text, *place, tuple(masked)))
                more = (sorted([*masked, *mentions[entity]]) for entity in near)
                queries += [Query(text, *place, tuple(hidden)) for hidden in more]
        logs = self.language_model.log_probabilities(queries, shared=True)
        out: list[dict[int, Effect]] = [{} for _ in contexts]
        for number, i, first, near in plans:
            label, known = contexts[number].spans[i].label, out[number]
            for k, entity in enumerate(near if len(logs[first]) else (), first + 1):
                drop = round(float(logs[first].sum() - logs[k].sum()), _DIGITS)
                effect = Effect(drop, label)
                both = known.get(entity, effect), effect
                known[entity] = max(both, key=attrgetter("drop"))
        return out

    def __call__(self, context: SpanContext) -> list[Vote | None]:
        """The votes for one document; see `batch`."""
        return self.batch([context])[0]

    def batch(self, contexts: Sequence[SpanContext]) -> list[list[Vote | None]]:
        """The votes of the indicator for several documents, read together."""
        if self.threshold is None:
            documents = "documents with gold in `mask` groups to fit it"
            advice = f"set the threshold, or train the pipeline on {documents}"
            raise ValueError(f"perturbations: {advice}")
        out = []
        for context, effects in zip(contexts, self.effects(contexts)):
            votes = {e: self._vote(effects.get(e)) for e in set(context.entity_ids)}
            out.append([votes[entity] for entity in context.entity_ids])
        return out

    def _vote(self, effect: Effect | None) -> Vote | None:
        assert self.threshold is not None
        if effect is None:
            reason = "no vote, no other entity stands near it"
            return Vote(NO_MASK, 0.0, reason, abstains=True)
        p = round(float(sigmoid(self.intercept + self.slope * effect.drop)), 3)
        limit = nats(self.threshold)
        if effect.drop > self.threshold:
            told = f"by {nats(effect.drop)}; more than {limit}"
            what = f"a span of type {effect.label} harder to predict"
            return Vote(QUASI, p, f"masking it makes {what}, {told}")
        by = f"{nats(effect.drop)} at most" if effect.drop > 0 else "none at all"
        what = "masking it makes no other span harder to predict"
        return Vote(NO_MASK, p, f"{what} by more than {limit} ({by})")

    def to_bytes(self) -> bytes:
        """RETURNS (bytes): The threshold that was fitted."""
        fitted = self._fits and self.threshold is not None
        names = ("threshold", "slope", "intercept")
        state = {name: getattr(self, name) for name in names}
        return srsly.msgpack_dumps(state if fitted else {})

    def from_bytes(self, data: bytes) -> Perturbations:
        """Take over a threshold that was fitted before; that of the config stays."""
        state = srsly.msgpack_loads(data)
        if self._fits and state:
            self.threshold = state["threshold"]
            self.slope, self.intercept = state["slope"], state["intercept"]
        return self


class Gold(NamedTuple):
    """What annotators decided about an entity.

    drop (Optional[float]): Its effect; None if it has none in reach.
    direct (float): Share of the annotators who hold it for direct, 0..1.
    quasi (float): Share who hold it for quasi.
    tokens (int): Number of its mentions' tokens, punctuation left out.
    right (float): Number of those that are to be masked, a part of one where annotators
        disagree.
    """

    drop: float | None
    direct: float
    quasi: float
    tokens: int
    right: float


def read_gold(
    context: SpanContext, targets: numpy.ndarray, effects: dict[int, Effect]
) -> list[Gold]:
    """What annotators decided about the entities of a document."""
    direct, clear = targets[:, COLUMN[DIRECT]], targets[:, COLUMN[NO_MASK]]
    words = numpy.array([count_words(context.doc, c) for c in context.spans])
    out = []
    for own in entities_of(context):
        effect = effects.get(context.entity_ids[own[0]])
        # Mentions share the strictest decision that any of them has.
        hard = float(direct[own].max())
        quasi = max(0.0, float(1.0 - clear[own].min()) - hard)
        right = float((words[own] * (1.0 - clear[own])).sum())
        drop = None if effect is None else effect.drop
        out.append(Gold(drop, hard, quasi, int(words[own].sum()), right))
    return out


def fit_threshold(gold: Sequence[Gold]) -> float:
    """The threshold that maximises precision + recall of direct identifiers + recall of
    quasi identifiers (paper 3, equation 1)."""
    drops = numpy.array([-math.inf if g.drop is None else g.drop for g in gold])
    order = numpy.argsort(-drops, kind="stable")
    drops = drops[order]
    columns = numpy.array([[g.direct, g.quasi, g.tokens, g.right] for g in gold])
    totals = numpy.maximum(columns.sum(axis=0), 1e-12)
    direct, quasi, tokens, right = numpy.cumsum(columns[order], axis=0).T
    score = right / numpy.maximum(tokens, 1e-12) + direct / totals[0]
    score += quasi / totals[1]
    # After the last of those with the same effect.
    ends = numpy.flatnonzero(numpy.append(drops[1:] < drops[:-1], True))
    if not len(ends := ends[drops[ends] > 0]):
        return 0.0
    scores = score[ends]
    last = int(ends[numpy.flatnonzero(scores >= scores.max() - 1e-12)[-1]])
    below = drops[last + 1] if last + 1 < len(drops) else 0.0
    middle = round(float(drops[last] + max(0.0, below)) / 2, 6)
    return middle if middle < drops[last] else max(0.0, float(below))
