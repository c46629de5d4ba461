"""How the votes of several indicators become one decision for each entity.

A combination is a function of the votes for all entities of a document. It may also
have `check(names)`, called once with the names of all voters; `fit(entities, masked,
direct)`, called with votes and gold; and `get_state()` and `set_state(state)`, what it
learned as plain JSON, which `risk_scorer` saves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy
from spacy.language import Language
from spacy.training import Example
from spacy.util import registry as spacy_registry

from ..registries import registry
from ..schema import DIRECT, NO_MASK, QUASI, strictest
from .base import Vote
from .logistic import fit_logistic, sigmoid

Names = Sequence[str]
# Indicators of facts: where they ask for a mask, no majority overrules them.
DECISIVE = ("known_direct",)
# Probabilities of 0 and 1 would outweigh everything else.
_LEAST = 0.001
# Below this a text may well be about nobody.
_LIKELY = 0.5
_DIGITS = 3


class EntityVotes(NamedTuple):
    """What the indicators say of one entity.

    votes (Mapping[str, Optional[Vote]]): By name of the indicator, the component's
        own `classifier` included; None where it has nothing to say.
    direct (float): Probability of the classifier that it is a direct identifier.
    words (int): Words that a mask of all its mentions covers, function words and
        punctuation left out; at least 1. Always 1 for persons, places and codes; for
        what is named by one word, 1 and its other occurrences, which go with it.
    presence (float): Probability that anybody is in the document.
    """

    votes: Mapping[str, Vote | None]
    direct: float = 0.0
    words: int = 1
    presence: float = 1.0


class Decision(NamedTuple):
    """What becomes of one entity.

    decision (str): DIRECT, QUASI or NO_MASK.
    risk (float): Its risk, 0..1.
    reason (str): Why, if the indicators' own reasons do not say it; or "".
    """

    decision: str
    risk: float
    reason: str = ""


Combination = Callable[[Sequence[EntityVotes]], list[Decision]]


@registry.deid_combinations("spacy_deid.any.v1")
def make_any(among: Names | None = None) -> Combination:
    """Mask what any indicator wants masked; the strictest decision wins.

    among (Optional[List[str]]): Names of the indicators that count; all if null. The
        votes of the others are kept for inspection.
    """
    return AtLeast(1, among, (), explain=False)


@registry.deid_combinations("spacy_deid.all.v1")
def make_all(among: Names | None = None, decisive: Names = DECISIVE) -> Combination:
    """Mask what every indicator that has something to say of it wants masked.

    among, decisive: See `make_at_least`.
    """
    return AtLeast(None, among, decisive)


@registry.deid_combinations("spacy_deid.at_least.v1")
def make_at_least(
    k: int, among: Names | None = None, decisive: Names = DECISIVE
) -> Combination:
    """Mask what at least `k` indicators want masked (paper 3, section 6.4).

    k (int): Number of votes; an indicator that has nothing to say gives none.
    among (Optional[List[str]]): Names of the indicators that count; all if null.
    decisive (List[str]): Names of indicators whose word is enough to mask.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    return AtLeast(k, among, decisive)


class _Combination:
    """What all combinations share: who counts."""

    def __init__(self, among: Names | None, decisive: Names = ()) -> None:
        for what, names in (("among", among), ("decisive", decisive)):
            if isinstance(names, str):
                raise ValueError(f"'{what}' must be a list of names of indicators")
        if among is not None and not among:
            raise ValueError("'among' names no indicator; leave it out to count all")
        self.among = None if among is None else tuple(among)
        self.decisive = tuple(decisive)

    def check(self, names: Iterable[str]) -> None:
        """Refuse settings that no vote can ever meet."""
        names = list(names)
        wanted = [*(self.among or ()), *self.decisive]
        if unknown := {n for n in wanted if n not in names and n not in DECISIVE}:
            named = ", ".join(map(repr, sorted(unknown)))
            known = f"is no indicator; there are {', '.join(names)}"
            raise ValueError(f"the combination names {named}, which {known}")

    def counted(self, entity: EntityVotes) -> dict[str, Vote]:
        """The votes that count, those who have nothing to say left out."""
        among = entity.votes if self.among is None else self.among
        votes = {name: entity.votes.get(name) for name in among}
        return {name: vote for name, vote in votes.items() if vote is not None}

    def final(self, entity: EntityVotes) -> list[Vote]:
        """The votes that are enough to mask."""
        votes = [entity.votes.get(name) for name in self.decisive]
        return [v for v in votes if v is not None and v.decision != NO_MASK]


class AtLeast(_Combination):
    """At least k votes; None for as many as there are."""

    def __init__(
        self, k: int | None, among: Names | None, decisive: Names, explain: bool = True
    ) -> None:
        super().__init__(among, decisive)
        self.k = k
        self.explain = explain

    def check(self, names: Iterable[str]) -> None:
        """See `_Combination.check`; nor can there be fewer voters than votes needed."""
        names = list(names)
        super().check(names)
        n = len(names if self.among is None else self.among)
        if self.k is not None and self.k > n:
            problem = f"the combination needs {self.k} votes, but {n} indicators vote"
            raise ValueError(problem)

    def __call__(self, entities: Sequence[EntityVotes]) -> list[Decision]:
        """Decide."""
        return [self._decide(entity) for entity in entities]

    def _decide(self, entity: EntityVotes) -> Decision:
        votes = list(self.counted(entity).values())
        given = [v.decision for v in votes if v.decision != NO_MASK]
        k = len(votes) if self.k is None else self.k
        # The k-th highest probability: that so many are right.
        ranked = sorted((v.probability for v in votes), reverse=True)
        risk = ranked[k - 1] if 0 < k <= len(ranked) else 0.0
        final = self.final(entity)
        decision = NO_MASK
        if final or 0 < k <= len(given):
            decision = strictest([*given, *(v.decision for v in final)])
            risk = max([risk, *(v.probability for v in final)])
        if not self.explain:
            return Decision(decision, risk)
        need = "all" if self.k is None else f"at least {k}"
        asking = f"{len(given)} of {len(votes)} indicators ask for a mask"
        reason = f"{asking}, {need} needed"
        if final and len(given) < k:
            reason += "; one of them decides alone"
        return Decision(decision, risk, reason)


@registry.deid_combinations("spacy_deid.weighted.v1")
class Weighted(_Combination):
    """Mask by a calibrated probability, 1 / (1 + exp(-(b + Σ w_i logit p_i))).

    Weights w_i and intercept b are fitted by logistic regression on gold
    (`RiskScorer.fit_combination`, or the callback `spacy_deid.fit_combination.v1`) and
    saved with the component. Until then each indicator that votes weighs the same, and
    the weights sum to 1. With a `word_cost` c an entity of n words is masked if
    p / (1 - p) is at least threshold / (1 - threshold) · n^c: see docs/risk.md.

    What identifies needs somebody whom it identifies: p is multiplied by the
    probability that anybody is in the text, to the power of `somebody`.

    threshold (float): Least probability that is masked, of an entity of one word.
    weights (Optional[Dict[str, float]]): Weights by indicator, if they are known.
    intercept (float): b, used with `weights`.
    among (Optional[List[str]]): Names of the indicators that count; all if null.
    decisive (List[str]): Names of indicators whose word is enough to mask.
    word_cost (float): c. 0 treats long and short entities alike, 1 masks the fewest
        words in vain.
    certain (float): What is as probable is masked however long it is.
    somebody (float): Exponent of the probability of anybody; 0: all texts alike.
    RAISES (ValueError): If a number is out of range.
    """

    def __init__(
        self,
        threshold: float = 0.5,
        weights: dict[str, float] | None = None,
        intercept: float = 0.0,
        among: Names | None = None,
        decisive: Names = DECISIVE,
        word_cost: float = 0.0,
        certain: float = 0.6,
        somebody: float = 0.0,
    ) -> None:
        super().__init__(among, decisive)
        for name, value in (("threshold", threshold), ("certain", certain)):
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{name} must lie in 0..1, not {value}")
        for name, value in (("word_cost", word_cost), ("somebody", somebody)):
            if not 0.0 <= value < math.inf:
                raise ValueError(f"{name} must be finite and at least 0, not {value}")
        if not all(math.isfinite(v) for v in [intercept, *(weights or {}).values()]):
            raise ValueError("weights and intercept must be finite numbers")
        self.threshold = threshold
        self.word_cost = word_cost
        self.certain = certain
        self.somebody = somebody
        self.weights = None if weights is None else dict(weights)
        self.intercept = intercept
        self.fitted = False

    def probability(self, entity: EntityVotes) -> float:
        """Calibrated probability that an entity is to be masked."""
        votes, weights = self.counted(entity), self.weights
        odds = {name: _logit(vote.probability) for name, vote in votes.items()}
        if weights is None:
            score = sum(odds.values()) / max(1, len(odds))
        elif unknown := sorted(odds.keys() - weights.keys()):
            problem = f"the combination has no weight for {', '.join(unknown)}"
            raise ValueError(f"{problem}: fit it again with RiskScorer.fit_combination")
        else:
            score = self.intercept + sum(weights[name] * odds[name] for name in odds)
        # The last digits depend on the order of the sum.
        return round(float(sigmoid(score)), _DIGITS)

    def rank(self, entity: EntityVotes, p: float) -> float:
        """Probability of an entity of one word that would be masked as soon as this
        one: p / ((1 - p) · n^c) as a probability."""
        if entity.words == 1 or not self.word_cost:
            return p
        cost = self.word_cost * math.log(entity.words)
        return round(float(sigmoid(_logit(p) - cost)), 2 * _DIGITS)

    def needed(self, entity: EntityVotes, threshold: float) -> float:
        """The probability from which an entity of this length is masked."""
        if entity.words == 1 or not self.word_cost or not 0.0 < threshold < 1.0:
            return threshold
        cost = self.word_cost * math.log(entity.words)
        least = min(float(sigmoid(_logit(threshold) + cost)), self.certain)
        return max(threshold, round(least, 2 * _DIGITS))

    def __call__(self, entities: Sequence[EntityVotes]) -> list[Decision]:
        """Decide."""
        out = []
        for entity in entities:
            presence = entity.presence**self.somebody
            p = round(self.probability(entity) * presence, _DIGITS)
            needed = self.needed(entity, self.threshold)
            words = entity.words if needed != self.threshold else 1
            compared = _compared(p >= needed, needed, words)
            reason = f"all votes together (weighted probability {p:.2f}, {compared})"
            if presence < _LIKELY:
                reason += ", as the text may be about nobody"
            out.append(self.decide(entity, p, p >= needed, reason))
        return out

    def decide(
        self, entity: EntityVotes, p: float, masked: bool, reason: str
    ) -> Decision:
        """The decision for an entity, indicators that decide alone included."""
        final = self.final(entity)
        if not (masked or final):
            return Decision(NO_MASK, p, reason)
        given = [v.decision for v in self.counted(entity).values()]
        if not final:
            return Decision(DIRECT if DIRECT in given else QUASI, p, reason)
        decision = strictest([QUASI, *given, *(v.decision for v in final)])
        risk = max([p, *(v.probability for v in final)])
        if not masked:
            reason += "; one indicator decides alone"
        return Decision(decision, risk, reason)

    def fit(
        self,
        entities: Sequence[EntityVotes],
        masked: Sequence[float],
        direct: Sequence[float],
    ) -> dict[str, Any]:
        """Fit weights and intercept."""
        votes = [self.counted(entity) for entity in entities]
        if not (names := sorted({name for row in votes for name in row})):
            problem = "no entity has both votes and gold in a `mask` group"
            raise ValueError(f"nothing to fit the combination on: {problem}")
        odds = [{n: _logit(vote.probability) for n, vote in v.items()} for v in votes]
        X = numpy.array([[row.get(n, 0.0) for n in names] for row in odds])
        weights, intercept = fit_logistic(X, numpy.asarray(masked, dtype="float64"))
        self.weights = {n: round(w, 6) for n, w in zip(names, weights.tolist())}
        self.intercept = round(intercept, 6)
        self.fitted = True
        fitted = {"weights": dict(self.weights), "intercept": self.intercept}
        return {"entities": len(entities), **fitted}

    def get_state(self) -> dict[str, Any] | None:
        """What was fitted; None if nothing was."""
        if not self.fitted:
            return None
        return {"weights": self.weights, "intercept": self.intercept}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Take over what was fitted."""
        self.weights = {str(k): float(v) for k, v in state["weights"].items()}
        self.intercept = float(state["intercept"])
        self.fitted = True


@registry.deid_combinations("spacy_deid.policy.v1")
class Policy(Weighted):
    """Mask the least that keeps every direct identifier masked and the expected recall
    of quasi identifiers at a target.

    An entity is direct if any indicator says so, or if the classifier's probability of
    it is no lower than that of the gold's direct identifiers that would have been missed
    otherwise. Of the others, with probabilities p and n words, those with p / (1 - p)
    / n^c of at least t are masked, t being the highest with

        Σ p over all that are masked  >=  target · Σ p over all.

    target (float): Expected recall of quasi identifiers, above 0 and at most 1.
    scope (str): `corpus`: t is fitted once, over all entities of the gold. `document`:
        t is found for each document. Before a fit `corpus` works like `document`.
    direct_target (float): Share of the gold's direct identifiers that must be masked,
        above 0 and at most 1.
    among, decisive, word_cost: See `Weighted`.
    RAISES (ValueError): If a setting is out of range.
    """

    def __init__(
        self,
        target: float = 0.95,
        scope: str = "corpus",
        direct_target: float = 1.0,
        among: Names | None = None,
        decisive: Names = DECISIVE,
        word_cost: float = 1.0,
    ) -> None:
        super().__init__(0.5, None, 0.0, among, decisive, word_cost, certain=1.0)
        for name, value in (("target", target), ("direct_target", direct_target)):
            if not 0.0 < value <= 1.0:
                raise ValueError(f"{name} must be above 0 and at most 1, not {value}")
        if scope not in ("corpus", "document"):
            raise ValueError(f"scope must be 'corpus' or 'document', not '{scope}'")
        self.target = target
        self.scope = scope
        self.direct_target = direct_target
        # How often each rank with its probability came up, so that the target can be
        # changed later.
        self.sample: list[tuple[float, float, int]] = []
        self.direct_threshold = 0.5

    def is_direct(self, entity: EntityVotes) -> bool:
        """Whether an entity is taken for a direct identifier."""
        votes = [*self.counted(entity).values(), *self.final(entity)]
        likely = round(entity.direct, _DIGITS) >= self.direct_threshold
        return likely or any(v.decision == DIRECT for v in votes)

    def __call__(self, entities: Sequence[EntityVotes]) -> list[Decision]:
        """Decide."""
        ps = [self.probability(entity) for entity in entities]
        direct = [self.is_direct(entity) for entity in entities]
        ranks = [self.rank(entity, p) for entity, p in zip(entities, ps)]
        sample = self.sample if self.scope == "corpus" else []
        others = [(r, p, 1) for p, r, known in zip(ps, ranks, direct) if not known]
        threshold = recall_threshold(sample or others, self.target)
        rows = zip(entities, ps, ranks, direct)
        return [self._decide(*row, threshold) for row in rows]

    def _decide(
        self, entity: EntityVotes, p: float, rank: float, known: bool, threshold: float
    ) -> Decision:
        if known:
            reason = "taken for a direct identifier, all of which are masked"
            risk = max(self.decide(entity, p, True, reason).risk, entity.direct)
            return Decision(DIRECT, risk, reason)
        masked, needed = rank >= threshold, self.needed(entity, threshold)
        share = "to mask the wanted share of the quasi identifiers"
        compared = _compared(masked, needed, entity.words)
        told = f"{100 * self.target:g}%; weighted probability {p:.2f}, {compared}"
        reason = f"all votes together, {share} ({told})"
        return self.decide(entity, p, masked, reason)

    def fit(
        self,
        entities: Sequence[EntityVotes],
        masked: Sequence[float],
        direct: Sequence[float],
    ) -> dict[str, Any]:
        """Fit weights, intercept and thresholds; see `Weighted.fit`."""
        report = super().fit(entities, masked, direct)
        ps = [self.probability(entity) for entity in entities]
        ranks = [self.rank(entity, p) for entity, p in zip(entities, ps)]
        # Nobody is taken for direct by the classifier's probability alone yet.
        self.direct_threshold = 1.0 + _LEAST
        known = [self.is_direct(entity) for entity in entities]
        others = [(r, p, 1) for r, p, told in zip(ranks, ps, known) if not told]
        self.sample = [(*row[:2], n) for row, n in sorted(Counter(others).items())]
        threshold = recall_threshold(others, self.target)
        rows = [row for row in zip(entities, ranks, direct, known) if not row[3]]
        left = [(e, d) for e, rank, d, _ in rows if d > 0 and rank < threshold]
        missed = sorted((round(e.direct, _DIGITS), d) for e, d in left)
        spare = (1.0 - self.direct_target) * sum(direct) + 1e-9
        self.direct_threshold = _least_direct(missed, spare)
        decided = [d.decision != NO_MASK for d in self(entities)]
        quasi = [max(0.0, m - d) for m, d in zip(masked, direct)]
        own: dict[str, Any] = {"threshold": threshold}
        own["direct_threshold"] = self.direct_threshold
        own |= {"target": self.target, "recall_direct": _recall(direct, decided)}
        own |= {"recall_quasi": _recall(quasi, decided)}
        return {**report, **own, "masked": sum(decided) / len(decided)}

    def get_state(self) -> dict[str, Any] | None:
        """See `Weighted.get_state`."""
        if (state := super().get_state()) is not None:
            state["sample"] = [list(row) for row in self.sample]
            state["direct_threshold"] = self.direct_threshold
        return state

    def set_state(self, state: Mapping[str, Any]) -> None:
        """See `Weighted.set_state`."""
        super().set_state(state)
        if (rows := state.get("sample", ())) and len(rows[0]) == 2:
            # Fitted when length made no difference.
            self.word_cost = 0.0
        self.sample = [(float(r[0]), float(r[-2]), int(r[-1])) for r in rows]
        self.direct_threshold = float(state.get("direct_threshold", 0.5))


def _least_direct(missed: list[tuple[float, float]], spare: float) -> float:
    """The probability from which an entity is taken for direct; of those missed, with
    their share of direct, the least likely ones may be given up."""
    while missed and missed[0][1] <= spare:
        spare -= missed.pop(0)[1]
    least = min((p for p, _ in missed), default=0.5)
    return max(_LEAST, min(0.5, least))


def _recall(gold: Sequence[float], hits: Sequence[bool]) -> float | None:
    whole = sum(gold)
    return sum(g for g, hit in zip(gold, hits) if hit) / whole if whole else None


def recall_threshold(rows: Sequence[tuple[float, float, int]], target: float) -> float:
    """The highest threshold with an expected recall of at least a target.

    rows (Sequence[Tuple[float, float, int]]): Ranks with their probabilities, and how
        often each pair came up.
    """
    r, p, n = numpy.array(rows, dtype="float64").reshape(-1, 3).T
    order = numpy.argsort(-r, kind="stable")
    if not len(mass := numpy.cumsum((p * n)[order])) or mass[-1] <= 0:
        return 0.0
    # A target of 1 must not fail by rounding.
    i = int(numpy.searchsorted(mass, target * mass[-1] - 1e-9 * mass[-1]))
    return float(r[order][min(i, len(p) - 1)])


def _compared(masked: bool, needed: float, words: int) -> str:
    """The threshold beside a probability, in words."""
    text = f"{'at least' if masked else 'below'} {needed:.2g}"
    return text if words == 1 else f"{text}, as it has {words} words in the text"


def _logit(p: float) -> float:
    p = min(max(p, _LEAST), 1.0 - _LEAST)
    return math.log(p / (1.0 - p))


@spacy_registry.callbacks("spacy_deid.fit_combination.v1")
def make_fit_combination(
    corpus: Callable[[Language], Iterable[Example]], component: str = "risk_scorer"
) -> Callable[[Language], Language]:
    """Fit the combination of a trained pipeline, as `[training.before_to_disk]`.

    corpus (Callable): Reader of documents with gold `mask` groups that the component
        was not trained on; on those it was, it is more certain than it should be.
    component (str): Name of the risk scorer.
    """
    return partial(_fit_combination, corpus=corpus, component=component)


def _fit_combination(
    nlp: Language, *, corpus: Callable[[Language], Iterable[Example]], component: str
) -> Language:
    pipe = nlp.get_pipe(component)
    before = nlp.pipe_names[: nlp.pipe_names.index(component)]
    examples = []
    for example in corpus(nlp):
        doc = example.predicted
        for name in before:
            doc = nlp.get_pipe(name)(doc)
        examples.append(Example(doc, example.reference))
    pipe.fit_combination(examples)  # type: ignore[attr-defined]
    return nlp
