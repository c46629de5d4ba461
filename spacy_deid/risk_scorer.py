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
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Config, Model
from thinc.types import Floats2d

from .extensions import install_extensions
from .models.ops import one_thread, use_blas
from .models.span_risk import SpanContext
from .models.trainable import SpanPipe
from .processes import reads_documents
from .risk.base import Vote
from .risk.combinations import Combination, EntityVotes, make_any
from .risk.gold import COLUMN, gold_views, no_view, read_context
from .risk.orders import LEFT, ORDERS, Order, TakesOrders, as_attrs
from .risk.profiles import Profile
from .risk.votes import CLASSIFIER, Case, Votes, classifier_vote, join, make_cases
from .schema import (
    DIRECT,
    IDENTIFIER_TYPES,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    set_group,
)
from .settings import Share

MASKED = (DIRECT, QUASI)

DEFAULT_MODEL = """
[model]
@architectures = "spacy_deid.SpanRisk.v1"
"""


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
        "profile": None,
        "types": [],
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
    profile: Any,
    types: list[str],
    scorer: Callable | None,
) -> RiskScorer:
    """Build the risk scorer.

    model (Optional[Model[List[SpanContext], Floats2d]]): Probabilities of DIRECT, QUASI
        and NO_MASK, one row a span. Without one the indicators alone decide.
    threshold (float): An entity is masked if its risk, 1 - P(NO_MASK) averaged over
        its mentions, is at least this: the vote of `classifier`.
    indicators (Dict[str, Callable]): Further indicators. A name set to null is off.
    combine (Callable): How all their votes become one decision for each entity.
    profile (Union[Profile, str, None]): Table of what is forced, what never masked and
        how it is replaced, from the registry `deid_profiles`, or its name.
    types (List[str]): Types and subtypes that are masked at all; [] for all.
    scorer (Callable): Scorer for `spacy evaluate`, or None.
    """
    return RiskScorer(
        nlp.vocab,
        model,
        name,
        threshold=threshold,
        indicators={k: v for k, v in indicators.items() if v is not None},
        combine=combine,
        profile=profile,
        types=types,
        scorer=scorer,
    )


class RiskScorer(TakesOrders, SpanPipe):
    """Span classifier with indicators; writes `doc.spans["mask"]`."""

    threshold = Share()

    def __init__(
        self,
        vocab: Vocab,
        model: Model | None,
        name: str = "risk_scorer",
        *,
        threshold: float = 0.5,
        indicators: dict[str, Callable] | None = None,
        combine: Combination | None = None,
        profile: str | Path | Profile | None = None,
        types: Iterable[str] = (),
        scorer: Callable | None = None,
    ) -> None:
        install_extensions()
        self.vocab = vocab
        self.name = name
        self.indicators = dict(indicators or {})
        self.classifier = model
        # All that is trained, for what spaCy does to a component's `model`.
        others = [i.model for i in self._with("prepare").values()]
        self.model = _all_models(model, others)
        use_blas(self.model)
        for taken in {CLASSIFIER, ORDERS} & set(self.indicators):
            reason = "the component's own model is, or a user's orders are"
            problem = f"an indicator must not be named '{taken}'"
            raise ValueError(f"'{name}': {problem}: {reason}")
        self.combine = combine or make_any()
        if not (voters := [*([] if model is None else [CLASSIFIER]), *self.indicators]):
            raise ValueError(f"'{name}' needs a model or indicators: nothing decides")
        if (check := getattr(self.combine, "check", None)) is not None:
            check(voters)
        self.scorer = scorer
        self.cfg: dict[str, Any] = {}
        self.threshold = threshold
        self.set_orders(profile, types)
        self._ordered = self.saved_orders
        self._configured = dict(self.cfg)

    @property
    def labels(self) -> tuple[str, ...]:
        """The identifier types, in the order of the model's output."""
        return IDENTIFIER_TYPES

    def mask_from(self, threshold: float) -> None:
        """Mask from this risk on, whether the component's own model or the combination
        decides.

        threshold (float): 0..1.
        RAISES (ValueError): If it is out of range.
        """
        self.threshold = threshold
        if hasattr(self.combine, "threshold"):
            self.cfg["mask_from"] = self.combine.threshold = threshold

    @reads_documents
    def predict(self, docs: Iterable[Doc]) -> list[Floats2d]:
        """Probabilities of the identifier types, without changing the docs."""
        return self._probabilities([read_context(doc) for doc in docs])

    def _probabilities(self, contexts: list[Any]) -> list[Floats2d]:
        if self.classifier is None:
            return [self.model.ops.alloc2f(len(c.spans), 0) for c in contexts]
        output = self.classifier.get_ref("output_layer")
        if not output.has_dim("nO") or output.has_param("W") is None:
            raise ValueError(f"'{self.name}' is not initialized: train it first")
        with one_thread():
            rows = self.classifier.predict(contexts)
        lengths: Any = [len(context.spans) for context in contexts]
        return self.model.ops.unflatten(rows, lengths)

    @reads_documents
    def set_annotations(self, docs: Iterable[Doc], scores: list[Floats2d]) -> None:
        """Decide for each entity and write `doc.spans["mask"]`."""
        contexts = [read_context(doc) for doc in docs]
        for context, rows, cast in zip(contexts, scores, self._ask(contexts)):
            self._decide(context, self.model.ops.to_numpy(rows), cast)

    def _ask(self, contexts: list[Any]) -> list[dict[str, Votes]]:
        """For each document the votes of the indicators that judge several at a time."""
        out: list[dict[str, Votes]] = [{} for _ in contexts]
        for name, indicator in self._with("batch").items():
            with one_thread():
                given = list(indicator.batch(contexts))
            if len(given) != len(contexts):
                judged = f"{len(given)} of {len(contexts)} documents"
                raise ValueError(f"'{self.name}': indicator '{name}' judged {judged}")
            for votes, known in zip(given, out):
                known[name] = votes
        return out

    def _decide(self, context: SpanContext, probs: Any, cast: dict[str, Votes]) -> None:
        cases = self._cases(context, probs, cast)
        entities = [case.heard for case in cases]
        decided = list(self.combine(entities)) if entities else []
        if len(decided) != len(entities):
            given = f"{len(decided)} decisions for {len(entities)} entities"
            raise ValueError(f"'{self.name}': the combination gave {given}")
        for case, decision in zip(cases, decided):
            case.decision = decision
        orders = self.orders_for(context.doc, context.spans)
        _follow(cases, orders)
        # The entity of each span.
        place = {j: i for i, case in enumerate(cases) for j in case.mentions}
        order = [place[j] for j in range(len(context.spans))]

        def masked() -> list[bool]:
            pairs = zip(order, orders)
            return [cases[i].masked and o.kind not in LEFT for i, o in pairs]

        for name, indicator in self._with("finish").items():
            late = indicator.finish(context, masked())
            for case in cases:
                case.add(name, join([late[j] for j in case.mentions]))
        for indicator in self._with("report").values():
            indicator.report(context, masked())
        texts = [case.reasons(first) for case, first in zip(cases, decided)]
        self._write(context, cases, order, texts, orders)

    def _write(
        self,
        context: SpanContext,
        cases: list[Case],
        order: list[int],
        texts: list[str],
        orders: list[Order],
    ) -> None:
        """Write `doc.spans["mask"]`; `order` has the case of each span."""
        flags = [case.flags() for case in cases]
        evidence = [case.evidence() for case in cases]
        shown: dict[str, list] = {}
        if any(evidence):
            shown["evidence"] = [dict(evidence[i]) for i in order]
        shown |= as_attrs(orders)
        set_group(
            context.doc,
            MASK_KEY,
            [
                c._replace(label=o.decide(cases[i].decision.decision))
                for c, i, o in zip(context.spans, order, orders)
            ],
            entity_ids=list(context.entity_ids),
            labels=[c.label for c in context.spans],
            risk=[cases[i].decision.risk for i in order],
            votes=[dict(flags[i]) for i in order],
            reasons=[
                f"{o.reason}; {texts[i]}".rstrip("; ") if o.kind in LEFT else texts[i]
                for i, o in zip(order, orders)
            ],
            **shown,
        )

    def _cases(
        self, context: SpanContext, probs: Any, known: dict[str, Votes]
    ) -> list[Case]:
        """The entities of a document with their votes."""
        every = self.indicators.items()
        cast = {n: known[n] if n in known else judge(context) for n, judge in every}
        for name, votes in cast.items():
            if len(votes) != len(context.spans):
                given = f"{len(votes)} votes for {len(context.spans)} spans"
                raise ValueError(f"'{self.name}': indicator '{name}' gave {given}")
        classify = partial(classifier_vote, threshold=self.threshold)
        rows = None if self.classifier is None else probs
        return make_cases(context, cast, rows, classify)

    def _with(self, method: str) -> dict[str, Any]:
        """The indicators that have a method."""
        return {n: i for n, i in self.indicators.items() if hasattr(i, method)}

    def fit_combination(self, examples: Iterable[Example]) -> dict[str, Any]:
        """Fit the combination (`weighted`, `policy`) on gold; the model and the
        indicators stay as they are."""
        if (fit := getattr(self.combine, "fit", None)) is None:
            advice = "use spacy_deid.weighted.v1 or spacy_deid.policy.v1"
            problem = "its combination has nothing to fit"
            raise ValueError(f"'{self.name}': {problem}; {advice}")
        entities: list[EntityVotes] = []
        masked: list[float] = []
        direct: list[float] = []
        for eg in examples:
            # The first view is that of the detected spans, where there are any.
            views = gold_views(eg)
            predicted = eg.predicted.spans
            if not views or (PII_KEY in predicted and not predicted[PII_KEY]):
                continue
            context, targets = views[0]
            (rows,) = self._probabilities([context])
            (cast,) = self._ask([context])
            probs = self.model.ops.to_numpy(rows)
            for case in self._cases(context, probs, cast):
                # Mentions share the strictest decision that any of them has.
                gold = targets[case.mentions]
                entities.append(case.heard)
                masked.append(float((1 - gold[:, COLUMN[NO_MASK]]).max()))
                direct.append(float(gold[:, COLUMN[DIRECT]].max()))
        return fit(entities, masked, direct)

    def prepare(
        self, examples: list[Example]
    ) -> tuple[list[Any], Callable[[Any], tuple[float, Any]]]:
        """Documents with gold in `mask` groups, those of several annotators
        included."""
        if not any(seen := [gold_views(eg) for eg in examples]):
            return [], partial(self._loss, [])
        # A layer that listens to a shared encoder has to be given the whole batch.
        views = [v for eg, own in zip(examples, seen) for v in own or no_view(eg)]
        targets = [target for _, target in views]
        return [context for context, _ in views], partial(self._loss, targets)

    def learners(self) -> list[tuple[Model, Callable]]:
        """The classifier and the indicators that are trained."""
        own = [] if self.classifier is None else [(self.classifier, self.prepare)]
        return own + [(i.model, i.prepare) for i in self._with("prepare").values()]

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
        for learner in self._with("prepare").values():
            learner.initialize_model(examples)
        settings = indicators or {}
        learners = self._with("initialize")
        if unknown := sorted(set(settings) - set(learners)):
            raise ValueError(
                f"'{self.name}': no indicator of these names is initialized: "
                f"{', '.join(unknown)}"
            )

        def get_views() -> Iterable[tuple[Any, numpy.ndarray]]:
            return (view for eg in get_examples() for view in gold_views(eg))

        for name, indicator in learners.items():
            indicator.initialize(get_views, nlp=nlp, **settings.get(name, {}))

    def _initialize_classifier(self, examples: list[Example]) -> None:
        if self.classifier is None:
            return
        views = [view for eg in examples for view in gold_views(eg)]
        self.set_output_size()
        if contexts := [context for context, _ in views]:
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
        if self.saved_orders != self._ordered:
            cfg["orders"] = self.saved_orders
        return cfg

    def set_cfg(self, cfg: dict[str, Any]) -> None:
        """See `SpanPipe.set_cfg`."""
        cfg = dict(cfg)
        state = cfg.pop("combination", None)
        if "orders" in cfg:
            self.saved_orders = cfg.pop("orders")
        super().set_cfg(cfg)
        if "mask_from" in cfg:
            self.mask_from(cfg["mask_from"])
        # Another combination, chosen when loading, has no use for it.
        set_state = getattr(self.combine, "set_state", None)
        if state is not None and set_state is not None:
            set_state(state)

    def _model_to_bytes(self) -> bytes:
        # Indicators save their models themselves, so that any of them can be switched
        # off when a pipeline is loaded.
        return b"" if self.classifier is None else self.classifier.to_bytes()

    def _load_model(self, data: bytes) -> None:
        if self.classifier is not None:
            self._load(self.classifier, data)

    def saved_parts(self) -> dict[str, Any]:
        """The indicators that have learned something."""
        return self._with("to_bytes")


def _follow(cases: Iterable[Case], orders: Sequence[Order]) -> None:
    """Count what is ordered of a mention as a vote that decides for its entity."""
    for case in cases:
        if forced := [o for j in case.mentions if (o := orders[j]).decision in MASKED]:
            first = min(forced, key=lambda o: MASKED.index(o.decision))
            case.add(ORDERS, Vote(first.decision, case.decision.risk, first.reason))


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
