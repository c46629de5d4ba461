"""Decides for each span of `doc.spans["pii"]`: DIRECT, QUASI or NO_MASK.

An indicator is a function of a document's spans that gives one vote, or None, for each.
It may also have

- `batch(contexts)`: the votes for several documents at a time, asked for instead;
- `initialize(get_views, *, nlp, **settings)`: called by `RiskScorer.initialize` with a
  function that gives pairs of a SpanContext and the annotators' decisions, shape
  (spans, 3), for all training documents, and with its block of
  `[initialize.components.risk_scorer.indicators]`;
- `model`, `initialize_model(examples)` and `prepare(examples)`: a Thinc model that
  `spacy train` trains together with the component's own. `initialize_model` gets some
  of the training examples and sets the model's dimensions. `prepare` gets a batch and
  gives the model's inputs, [] if there is nothing to learn, and a function from its
  output to the loss and its gradient (as `SpanPipe.prepare`); gold of one or several
  annotators is read by `risk.gold`. Layers may listen to a shared `tok2vec` or
  transformer, if the inputs hold the documents of the whole batch;
- `to_bytes()` and `from_bytes(data)`: what it learned, weights included, saved with the
  component;
- `finish(context, masked)`: called when the others have decided, with a bool for each
  span; it gives votes too, of which those for a mask always count;
- `report(context, masked)`: called last, to write to the Doc's extension attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy
import srsly
from spacy.attrs import IS_PUNCT, IS_SPACE, IS_STOP
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Config, Model, Optimizer, set_dropout_rate
from thinc.types import Floats2d

from .extensions import install_extensions
from .models.ops import one_thread, use_blas
from .models.trainable import SpanPipe, align
from .risk.base import Vote
from .risk.combinations import Combination, Decision, EntityVotes, make_any
from .risk.gold import COLUMN, gold_decisions, span_targets
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
    set_group,
    strictest,
)

DEFAULT_MODEL = """
[model]
@architectures = "spacy_deid.SpanRisk.v1"
"""
# What the classifier takes a span for, in its reasons.
_KINDS = {
    DIRECT: "direct identifier",
    QUASI: "quasi identifier",
    NO_MASK: "no identifier",
}
# Types that point at somebody or somewhere by themselves. The name that a text is about
# stands in it again and again, and is no better left in clear for that; nor is a word
# that may be a name of which the recognizer got the type wrong.
_POINTING = frozenset(("PERSON", "CODE", "LOC"))
# Name of the component's own model among the indicators.
CLASSIFIER = "classifier"


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
        "combine": {"@deid_combinations": "spacy_deid.any.v1"},
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
    model: Model | None,
    threshold: float,
    indicators: dict[str, Any],
    combine: Combination,
    scorer: Callable | None,
) -> RiskScorer:
    """Build the risk scorer.

    model (Optional[Model[List[SpanContext], Floats2d]]): Probabilities of DIRECT, QUASI
        and NO_MASK, one row a span. Without one the indicators alone decide.
    threshold (float): An entity is masked if its risk, 1 - P(NO_MASK) averaged over
        its mentions, is at least this: the vote of `classifier`.
    indicators (Dict[str, Callable]): Further indicators. A name set to null is off.
    combine (Callable): How all their votes become one decision for each entity.
    scorer (Callable): Scorer for `spacy evaluate`, or None.
    RETURNS (RiskScorer): The component.
    """
    return RiskScorer(
        nlp.vocab,
        model,
        name,
        threshold=threshold,
        indicators={k: v for k, v in indicators.items() if v is not None},
        combine=combine,
        scorer=scorer,
    )


class RiskScorer(SpanPipe):
    """Span classifier with indicators; writes `doc.spans["mask"]`."""

    def __init__(
        self,
        vocab: Vocab,
        model: Model | None,
        name: str = "risk_scorer",
        *,
        threshold: float = 0.5,
        indicators: dict[str, Callable] | None = None,
        combine: Combination | None = None,
        scorer: Callable | None = None,
    ) -> None:
        install_extensions()
        self.vocab = vocab
        self.name = name
        self.indicators = dict(indicators or {})
        self.classifier = model
        # All that is trained, for what spaCy does to a component's `model`.
        self.model = _all_models(model, [i.model for i in self._trained().values()])
        use_blas(self.model)
        if CLASSIFIER in self.indicators:
            raise ValueError(
                f"'{name}': an indicator must not be named '{CLASSIFIER}', as the "
                "component's own model is"
            )
        self.combine = combine or make_any()
        voters = [*([] if model is None else [CLASSIFIER]), *self.indicators]
        if not voters:
            raise ValueError(f"'{name}' needs a model or indicators: nothing decides")
        check = getattr(self.combine, "check", None)
        if check is not None:
            check(voters)
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
        """Probabilities of the identifier types, without changing the docs."""
        contexts = [_context(doc) for doc in docs]
        return _Scores(self._probabilities(contexts), contexts)

    def _probabilities(self, contexts: list[Any]) -> list[Floats2d]:
        if self.classifier is None:
            return [self.model.ops.alloc2f(len(c.spans), 0) for c in contexts]
        output = self.classifier.get_ref("output_layer")
        if not output.has_dim("nO") or output.has_param("W") is None:
            raise ValueError(f"'{self.name}' is not initialized: train it first")
        with one_thread():
            rows = self.classifier.predict(contexts)
        out, start = [], 0
        for context in contexts:
            end = start + len(context.spans)
            out.append(rows[start:end])
            start = end
        return out

    def set_annotations(self, docs: Iterable[Doc], scores: list[Floats2d]) -> None:
        """Decide for each entity and write `doc.spans["mask"]`."""
        docs = list(docs)
        contexts = scores.contexts if isinstance(scores, _Scores) else []
        if [id(c.doc) for c in contexts] != [id(doc) for doc in docs]:
            contexts = [_context(doc) for doc in docs]
        known = self._ask(contexts)
        for context, rows, cast in zip(contexts, scores, known):
            self._annotate(context, self.model.ops.to_numpy(rows), cast)

    def _ask(self, contexts: list[Any]) -> list[dict[str, list[Vote | None]]]:
        """For each document the votes of the indicators that judge several at a time."""
        out: list[dict[str, list[Vote | None]]] = [{} for _ in contexts]
        for name, indicator in self.indicators.items():
            batch = getattr(indicator, "batch", None)
            if batch is None:
                continue
            with one_thread():
                given = list(batch(contexts))
            if len(given) != len(contexts):
                raise ValueError(
                    f"'{self.name}': indicator '{name}' judged {len(given)} of "
                    f"{len(contexts)} documents"
                )
            for votes, known in zip(given, out):
                known[name] = votes
        return out

    def _annotate(
        self, context, probs: numpy.ndarray, cast: dict[str, list[Vote | None]]
    ) -> None:
        doc, spans, entity_ids = context
        votes, members = self._vote(context, probs, cast)
        entities = [_heard(entity) for entity in votes]
        # The entity of each span.
        place = {j: i for i, mentions in enumerate(members) for j in mentions}
        order = [place[j] for j in range(len(spans))]
        decisions = list(self.combine(entities)) if entities else []
        if len(decisions) != len(entities):
            raise ValueError(
                f"'{self.name}': the combination gave {len(decisions)} decisions for "
                f"{len(entities)} entities"
            )
        flags = [
            {n: v is not None and v.decision != NO_MASK for n, v in e.votes.items()}
            for e in entities
        ]
        # Those who could not judge say why.
        reasons = [
            [*(v.reason for v in e.votes.values() if v is not None), d.reason]
            for e, d in zip(votes, decisions)
        ]
        evidence = [
            {
                n: list(v.details)
                for n, v in e.votes.items()
                if v is not None and v.details
            }
            for e in votes
        ]
        for name, indicator in self.indicators.items():
            finish = getattr(indicator, "finish", None)
            if finish is None:
                continue
            late = finish(context, [decisions[i].decision != NO_MASK for i in order])
            for i, mentions in enumerate(members):
                vote = _join([late[j] for j in mentions])
                if vote is None or vote.abstains or vote.decision == NO_MASK:
                    continue
                decision = strictest([decisions[i].decision, vote.decision])
                risk = max(decisions[i].risk, vote.probability)
                decisions[i] = Decision(decision, risk)
                flags[i][name] = True
                reasons[i].append(vote.reason)
                if vote.details:
                    evidence[i][name] = list(vote.details)
        for indicator in self.indicators.values():
            report = getattr(indicator, "report", None)
            if report is not None:
                report(context, [decisions[i].decision != NO_MASK for i in order])
        texts = ["; ".join(filter(None, parts)) for parts in reasons]
        shown = {}
        if any(evidence):
            shown["evidence"] = [dict(evidence[i]) for i in order]
        set_group(
            doc,
            MASK_KEY,
            [c._replace(label=decisions[i].decision) for c, i in zip(spans, order)],
            entity_ids=list(entity_ids),
            labels=[c.label for c in spans],
            risk=[decisions[i].risk for i in order],
            votes=[dict(flags[i]) for i in order],
            reasons=[texts[i] for i in order],
            **shown,
        )

    def _vote(
        self, context, probs: numpy.ndarray, known: dict[str, list[Vote | None]]
    ) -> tuple[list[EntityVotes], list[list[int]]]:
        """The votes for each entity of a document, and its spans' indices."""
        cast = {
            name: known[name] if name in known else f(context)
            for name, f in self.indicators.items()
        }
        for name, votes in cast.items():
            if len(votes) != len(context.spans):
                raise ValueError(
                    f"'{self.name}': indicator '{name}' gave {len(votes)} votes for "
                    f"{len(context.spans)} spans"
                )
        by_id: dict[int, list[int]] = {}
        for i, entity in enumerate(context.entity_ids):
            by_id.setdefault(entity, []).append(i)
        count = _word_counts(context)
        rows = probs.tolist()
        out = []
        for mentions in by_id.values():
            given = {
                name: _join([votes[i] for i in mentions])
                for name, votes in cast.items()
            }
            words = sum(count[i] for i in mentions)
            if words == len(mentions) or not _POINTING.isdisjoint(
                context.spans[i].label for i in mentions
            ):
                words = 1
            if self.classifier is None:
                out.append(EntityVotes(given, words=words))
                continue
            if len(mentions) == 1:
                mean = rows[mentions[0]]
            else:
                mean = probs[mentions].mean(axis=0).tolist()
            direct = round(mean[COLUMN[DIRECT]], 3)
            given = {CLASSIFIER: self._classify(mean), **given}
            out.append(EntityVotes(given, direct, words))
        return out, list(by_id.values())

    def _classify(self, mean: list[float]) -> Vote:
        # The last digits depend on what else was in the batch.
        risk = round(1.0 - mean[COLUMN[NO_MASK]], 3)
        masked = risk >= self.threshold
        decision = NO_MASK
        if masked:
            direct = mean[COLUMN[DIRECT]] >= mean[COLUMN[QUASI]]
            decision = DIRECT if direct else QUASI
        return Vote(
            decision=decision,
            probability=risk,
            reason=f"{_KINDS[decision]} of the person by type and context "
            f"(risk {risk:.2f}; masked from {self.threshold:g})",
        )

    def fit_combination(self, examples: Iterable[Example]) -> dict[str, Any]:
        """Fit the combination (`weighted`, `policy`) on gold; the model and the
        indicators stay as they are."""
        fit = getattr(self.combine, "fit", None)
        if fit is None:
            raise ValueError(
                f"'{self.name}': its combination has nothing to fit; use "
                "spacy_deid.weighted.v1 or spacy_deid.policy.v1"
            )
        entities: list[EntityVotes] = []
        masked: list[float] = []
        direct: list[float] = []
        for eg in examples:
            # The first view is that of the detected spans, where there are any.
            views = _views(eg)
            predicted = eg.predicted.spans
            if not views or (PII_KEY in predicted and not predicted[PII_KEY]):
                continue
            context, targets = views[0]
            (rows,) = self._probabilities([context])
            (cast,) = self._ask([context])
            probs = self.model.ops.to_numpy(rows)
            votes, members = self._vote(context, probs, cast)
            entities += map(_heard, votes)
            # Mentions share the strictest decision that any of them has.
            masked += [float((1 - targets[m, COLUMN[NO_MASK]]).max()) for m in members]
            direct += [float(targets[m, COLUMN[DIRECT]].max()) for m in members]
        return fit(entities, masked, direct)

    def prepare(
        self, examples: list[Example]
    ) -> tuple[list[Any], Callable[[Any], tuple[float, Any]]]:
        """Documents with gold in `mask` groups, those of several annotators
        included."""
        seen = [_views(eg) for eg in examples]
        if not any(seen):
            return [], partial(self._loss, [])
        # A layer that listens to a shared encoder has to be given the whole batch.
        views = [v for eg, own in zip(examples, seen) for v in own or _no_view(eg)]
        targets = [target for _, target in views]
        return [context for context, _ in views], partial(self._loss, targets)

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Let the classifier and the indicators learn from a batch of examples."""
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "RiskScorer.update")
        set_dropout_rate(self.model, drop)
        learners = [(i.model, i.prepare) for i in self._trained().values()]
        if self.classifier is not None:
            learners.insert(0, (self.classifier, self.prepare))
        for model, prepare in learners:
            inputs, get_loss = prepare(examples)
            if not inputs:
                continue
            scores, backprop = model.begin_update(inputs)
            loss, gradient = get_loss(scores)
            backprop(gradient)
            losses[self.name] += loss
        if sgd is not None:
            self.finish_update(sgd)
        return losses

    def get_loss(self, examples: Iterable[Example], scores) -> tuple[float, Any]:
        """Cross-entropy of the annotators' decisions and its gradient."""
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
        indicators: dict[str, dict[str, Any]] | None = None,
    ) -> None:
        """Set the model's dimensions, and let the indicators learn what they need."""
        validate_get_examples(get_examples, "RiskScorer.initialize")
        examples = list(islice(get_examples(), 10))
        self._initialize_classifier(examples)
        for learner in self._trained().values():
            learner.initialize_model(examples)
        settings = indicators or {}
        learners = {
            name: indicator
            for name, indicator in self.indicators.items()
            if hasattr(indicator, "initialize")
        }
        unknown = sorted(set(settings) - set(learners))
        if unknown:
            raise ValueError(
                f"'{self.name}': no indicator of these names is initialized: "
                f"{', '.join(unknown)}"
            )

        def get_views() -> Iterable[tuple[Any, numpy.ndarray]]:
            return (view for eg in get_examples() for view in _views(eg))

        for name, indicator in learners.items():
            indicator.initialize(get_views, nlp=nlp, **settings.get(name, {}))

    def _initialize_classifier(self, examples: list[Example]) -> None:
        if self.classifier is None:
            return
        views = [view for eg in examples for view in _views(eg)]
        self.set_output_size()
        contexts = [context for context, _ in views]
        if contexts:
            targets: Any = numpy.concatenate([target for _, target in views])
            gold = self.classifier.ops.asarray2f(targets)
            self.classifier.initialize(X=contexts, Y=gold)
        else:
            self.classifier.initialize()

    def output_size(self) -> int:
        """Number of identifier types."""
        return len(IDENTIFIER_TYPES)

    def changed_cfg(self) -> dict[str, Any]:
        """See `SpanPipe.changed_cfg`; what the combination learned goes with it."""
        cfg = super().changed_cfg()
        get_state = getattr(self.combine, "get_state", None)
        state = get_state() if get_state is not None else None
        if state is not None:
            cfg["combination"] = state
        return cfg

    def set_cfg(self, cfg: dict[str, Any]) -> None:
        """See `SpanPipe.set_cfg`."""
        cfg = dict(cfg)
        state = cfg.pop("combination", None)
        super().set_cfg(cfg)
        # Another combination, chosen when loading, has no use for it.
        set_state = getattr(self.combine, "set_state", None)
        if state is not None and set_state is not None:
            set_state(state)

    def _trained(self) -> dict[str, Any]:
        """Indicators with a model that is trained with the component's own."""
        return {
            name: indicator
            for name, indicator in self.indicators.items()
            if hasattr(indicator, "prepare")
        }

    def _model_to_bytes(self) -> bytes:
        # Indicators save their models themselves, so that any of them can be switched
        # off when a pipeline is loaded.
        return b"" if self.classifier is None else self.classifier.to_bytes()

    def _load_model(self, data: bytes) -> None:
        if self.classifier is not None:
            self._load(self.classifier, data)

    def _learners(self) -> dict[str, Any]:
        return {
            name: indicator
            for name, indicator in self.indicators.items()
            if hasattr(indicator, "to_bytes")
        }

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialize to bytes."""
        data = super().to_bytes(exclude=exclude)
        own = {n: i.to_bytes() for n, i in self._learners().items()}
        if not own or "indicators" in exclude:
            return data
        return srsly.msgpack_dumps({**srsly.msgpack_loads(data), "indicators": own})

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()):
        """Load from bytes."""
        super().from_bytes(bytes_data, exclude=exclude)
        if "indicators" not in exclude:
            self._load_indicators(srsly.msgpack_loads(bytes_data).get("indicators", {}))
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save to a folder."""
        super().to_disk(path, exclude=exclude)
        if "indicators" not in exclude:
            folder = Path(path) / "indicators"
            for name, indicator in self._learners().items():
                folder.mkdir(exist_ok=True)
                (folder / name).write_bytes(indicator.to_bytes())

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()):
        """Load from a folder."""
        super().from_disk(path, exclude=exclude)
        if "indicators" not in exclude:
            files = {n: Path(path) / "indicators" / n for n in self._learners()}
            self._load_indicators(
                {n: f.read_bytes() for n, f in files.items() if f.is_file()}
            )
        return self

    def _load_indicators(self, saved: dict[str, bytes]) -> None:
        for name, indicator in self._learners().items():
            if name in saved:
                indicator.from_bytes(saved[name])


def _join(votes: Sequence[Vote | None]) -> Vote | None:
    """One vote for all mentions of an entity: the strictest decision, with the highest
    probability and its reason."""
    cast = [vote for vote in votes if vote is not None]
    if len(cast) < 2:
        return cast[0] if cast else None
    given = [vote for vote in cast if not vote.abstains] or cast[:1]
    top = max(given, key=lambda vote: vote.probability)
    return top._replace(
        decision=NO_MASK
        if top.abstains
        else strictest(vote.decision for vote in given),
        details=tuple(dict.fromkeys(d for vote in cast for d in vote.details)),
    )


class _Scores(list):
    """What `predict` returned, and what it has read to that end."""

    def __init__(self, rows: Iterable[Floats2d], contexts: list[Any]) -> None:
        super().__init__(rows)
        self.contexts = contexts


def _word_counts(context) -> list[int]:
    """Words of each span without punctuation and the language's function words."""
    stop, punct, space = context.doc.to_array([IS_STOP, IS_PUNCT, IS_SPACE]).T
    total = [0, *numpy.cumsum((stop | punct | space) == 0).tolist()]
    # What has nothing else consists of its function words.
    return [total[c.end] - total[c.start] or c.end - c.start for c in context.spans]


def _heard(entity: EntityVotes) -> EntityVotes:
    """The votes without those of indicators that could not judge."""
    votes = entity.votes
    silent = [n for n, vote in votes.items() if vote is not None and vote.abstains]
    if not silent:
        return entity
    return entity._replace(votes={**votes, **dict.fromkeys(silent)})


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
    annotators = gold_decisions(example)
    if not annotators:
        return []
    views = []
    if PII_KEY in predicted.spans:
        context = _context(predicted)
        if context.spans:
            views.append((context, span_targets(context.spans, annotators)))
    if PII_KEY in reference.spans:
        spans, ids = _gold_candidates(example)
        if spans:
            context = SpanContext(predicted, spans, ids)
            views.append((context, span_targets(spans, annotators)))
    return views


def _no_view(example: Example) -> list[tuple[Any, numpy.ndarray]]:
    """A document without gold, in the form of `_views`."""
    from .models.span_risk import SpanContext

    nothing = numpy.zeros((0, len(IDENTIFIER_TYPES)), dtype="f")
    return [(SpanContext(example.predicted, [], []), nothing)]


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


def _all_models(classifier: Model | None, others: Sequence[Model]) -> Model:
    """A model for spaCy to walk, train and average: the classifier, and those of the
    indicators beside it. It predicts what the classifier does."""
    if classifier is not None and not others:
        return classifier
    layers = [*([] if classifier is None else [classifier]), *others]
    model: Model = Model("risk_models", _first_forward, layers=layers)
    if classifier is not None:
        model.set_ref("output_layer", classifier.get_ref("output_layer"))
    return model


def _first_forward(model: Model, X: Any, is_train: bool) -> tuple[Any, Callable]:
    return model.layers[0](X, is_train)
