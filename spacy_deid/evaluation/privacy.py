"""Privacy metrics: how much of what should be masked is masked (paper 3, section 6)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from ..schema import DIRECT, MASK_KEY, NO_MASK, PII_KEY, QUASI, strictest
from .bootstrap import interval, resample, shares
from .gold import CharSpan, Cover, GoldDocument, Mention, content_tokens, gold_from_doc

# Of a text and spans of it, the information content of each: -log P(span | context).
# Registered in `deid_weightings`; that of a masked language model takes, for a word of
# several pieces, the least probable one.
Weighting = Callable[[str, Sequence[CharSpan]], Sequence[float]]
# Keys of the metrics that are shares: the counts that they are made of.
SHARES = {
    "entity_recall_direct": ("direct_masked", "direct"),
    "entity_recall_quasi": ("quasi_masked", "quasi"),
    "entity_recall": ("entities_masked", "entities"),
    "precision": ("predicted_tokens_right", "predicted_tokens"),
    "weighted_precision": ("weight_right", "weight"),
    "recall": ("tokens_masked", "tokens"),
    "f1": (),
    "f5": (),
    "docs_fully_masked": ("docs_fully_masked", "docs"),
    "docs_direct_fully_masked": ("docs_direct_fully_masked", "docs"),
}
# Counts that are reported beside the metrics.
_COUNTS = (
    "docs docs_fully_masked docs_direct_fully_masked direct direct_masked quasi "
    "quasi_masked tokens tokens_masked predicted_tokens predicted_tokens_right"
).split()
_KINDS = {DIRECT: "direct", QUASI: "quasi"}


def f_score(
    precision: float | None, recall: float | None, beta: float = 1.0
) -> float | None:
    """(1 + β²)PR / (β²P + R).

    precision (float): Precision; None if nothing was predicted.
    recall (float): Recall; None if there is nothing to find.
    beta (float): Weight of recall against precision.
    RETURNS (float): None if neither is defined, 0 if only one is.
    """
    p, r = (numpy.array([numpy.nan if x is None else x]) for x in (precision, recall))
    return _plain(_f_scores(p, r, beta)[0])


def _f_scores(p: numpy.ndarray, r: numpy.ndarray, beta: float) -> numpy.ndarray:
    """`f_score` of arrays, where NaN stands for None."""
    square = beta * beta
    first, second = numpy.nan_to_num(p), numpy.nan_to_num(r)
    out = shares((1 + square) * first * second, square * first + second)
    out[(first == 0) | (second == 0)] = 0.0
    out[numpy.isnan(p) & numpy.isnan(r)] = numpy.nan
    return out


def _plain(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)


class PrivacyCounts:
    """Counts of documents, added one at a time, and the metrics they give (paper 3,
    section 6.3).

    An entity is masked when all its mentions are, a mention when all its content
    tokens are. Entities, tokens and masked tokens are counted once for each annotator
    (micro-average). Precision is the share of the words masked that lie inside a
    DIRECT or QUASI mention; a document counts as fully masked when nothing is missed
    of what any of its annotators marks.

    weighting (Weighting): Information content of words; `weighted_precision` is None
        without.
    """

    def __init__(self, weighting: Weighting | None = None) -> None:
        self.weighting = weighting
        # What each document adds, by name; what belongs to a type as NAME:TYPE.
        self.docs: list[Counter[str]] = []

    def add(self, gold: GoldDocument, masked: Iterable[Sequence[Any]]) -> None:
        """Add one document.

        gold (GoldDocument): The annotated text.
        masked (Iterable[Sequence]): Character spans (start, end) or (start, end,
            label); those labelled NO_MASK are left out.
        RAISES (ValueError): If a span lies outside the text.
        """
        spans = []
        for item in masked:
            start, end = int(item[0]), int(item[1])
            if not 0 <= start <= end <= len(gold.text):
                outside = f"outside the text of {len(gold.text)} characters"
                raise ValueError(f"masked span [{start}, {end}) lies {outside}")
            if len(item) < 3 or item[2] != NO_MASK:
                spans.append((start, end))
        cover = Cover(spans)
        counts: Counter[str] = Counter(docs=1)
        for mentions in gold.annotators:
            self._add_recall(counts, gold.text, mentions, cover)
        self._add_precision(counts, gold, cover)
        # Several annotators: nothing that any of them wants masked may be left.
        direct_full = counts["direct_masked"] == counts["direct"]
        counts["docs_direct_fully_masked"] = int(direct_full)
        full = direct_full and counts["quasi_masked"] == counts["quasi"]
        counts["docs_fully_masked"] = int(full)
        self.docs.append(counts)

    def _add_recall(
        self, counts: Counter[str], text: str, mentions: Sequence[Mention], cover: Cover
    ) -> None:
        entities: dict[Any, list[Mention]] = defaultdict(list)
        for i, m in enumerate(mentions):
            # Of an entity annotated both ways, only what is to be masked counts.
            if m.identifier_type != NO_MASK:
                entities[m.entity_id or i].append(m)
        seen: set[CharSpan] = set()
        for group in entities.values():
            whole = True
            for m in group:
                tokens = content_tokens(text, m.start_offset, m.end_offset)
                hits = {token: cover.covers(*token) for token in tokens}
                new = [token for token in hits if token not in seen]
                seen.update(new)
                counts["tokens"] += len(new)
                counts["tokens_masked"] += sum(hits[token] for token in new)
                counts[f"mentions:{m.entity_type}"] += 1
                counts[f"mentions_masked:{m.entity_type}"] += all(hits.values())
                whole = whole and all(hits.values())
            kind = _KINDS[strictest(m.identifier_type for m in group)]
            for name in (kind, "entities"):
                counts[name] += 1
                counts[f"{name}_masked"] += whole
            counts[f"entities:{group[0].entity_type}"] += 1
            counts[f"entities_masked:{group[0].entity_type}"] += whole

    def _add_precision(
        self, counts: dict[str, Any], gold: GoldDocument, cover: Cover
    ) -> None:
        words = list(cover.words(gold.text))
        layers = gold.annotators
        masked = ((m for m in x if m.identifier_type != NO_MASK) for x in layers)
        wanted = [Cover(m[:2] for m in mentions) for mentions in masked]
        right = [sum(layer.covers(*word) for layer in wanted) for word in words]
        counts["predicted_tokens"] += len(words) * len(wanted)
        counts["predicted_tokens_right"] += sum(right)
        if self.weighting is None or not words:
            return
        if len(weights := list(self.weighting(gold.text, words))) != len(words):
            given = f"{len(weights)} weights for {len(words)} words"
            raise ValueError(f"the weighting gave {given}")
        if not all(math.isfinite(w) and w >= 0 for w in weights):
            raise ValueError("the weighting gave a negative or infinite weight")
        counts["weight"] += sum(weights) * len(wanted)
        counts["weight_right"] += sum(w * n for w, n in zip(weights, right))

    def _count(self, name: str) -> int:
        return sum(doc[name] for doc in self.docs)

    def _types(self) -> list[str]:
        names = {name for doc in self.docs for name in doc if ":" in name}
        return sorted({name.partition(":")[2] for name in names})

    def _rates(self, samples: int = 0, seed: int = 0) -> dict[Any, numpy.ndarray]:
        """Shares by name, and of a type by name and type, over all documents or over
        samples of them."""
        names = dict.fromkeys(name for doc in self.docs for name in doc)
        table = numpy.array([[doc[name] for name in names] for doc in self.docs])
        table = table.reshape(len(self.docs), len(names)).astype("float64")
        sums = table.sum(axis=0, keepdims=True)
        if samples:
            sums = resample(table, samples, seed)
        columns = dict(zip(names, sums.T))
        none = numpy.zeros(len(sums))

        def share(part: str, whole: str) -> numpy.ndarray:
            return shares(columns.get(part, none), columns.get(whole, none))

        known = {name: parts for name, parts in SHARES.items() if parts}
        out: dict[Any, Any] = {name: share(*parts) for name, parts in known.items()}
        for name, beta in (("f1", 1), ("f5", 5)):
            out[name] = _f_scores(out["precision"], out["recall"], beta)
        for label in self._types():
            for what, plural in (("entity", "entities"), ("mention", "mentions")):
                rate = share(f"{plural}_masked:{label}", f"{plural}:{label}")
                out[f"{what}_recall", label] = rate
        return out

    def metrics(self) -> dict[str, Any]:
        """The metrics.

        RETURNS (dict): The keys of metrics.json. Shares of 0..1, or None where there
            is nothing to take a share of; beside them the counts they stand on.
        """
        rates = {name: _plain(values[0]) for name, values in self._rates().items()}
        return {
            **{name: rates[name] for name in SHARES},
            "per_type": {
                label: {
                    "entity_recall": rates["entity_recall", label],
                    "entities": self._count(f"entities:{label}"),
                    "mention_recall": rates["mention_recall", label],
                    "mentions": self._count(f"mentions:{label}"),
                }
                for label in self._types()
            },
            "counts": {name: self._count(name) for name in _COUNTS},
        }

    def confidence(
        self, samples: int = 1000, level: float = 0.95, seed: int = 0
    ) -> dict[str, Any]:
        """Confidence intervals of the metrics by bootstrap over documents, each drawn
        with all its annotators.

        samples (int): How many times; at least 1.
        level (float): Share of the samples inside the interval, between 0 and 1.
        seed (int): Of the random numbers: equal counts give equal intervals.
        RETURNS (dict): For each metric of `metrics` its (low, high), or None where it
            is not defined for any sample; for each type its two recalls in
            `per_type`; and `samples`, `level` and `seed`.
        RAISES (ValueError): If a setting is out of range.
        """
        if samples < 1:
            raise ValueError(f"a bootstrap needs at least 1 sample, not {samples}")
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1, not {level}")
        found = {}
        for name, values in self._rates(samples, seed).items():
            edges = interval(values, level)
            found[name] = edges and [round(x, 6) for x in edges]
        own: dict[str, Any] = {"samples": samples, "level": level, "seed": seed}
        own |= {name: found[name] for name in SHARES}
        kinds, labels = ("entity_recall", "mention_recall"), self._types()
        per_type = {label: {k: found[k, label] for k in kinds} for label in labels}
        return {**own, "per_type": per_type}

    def scores(self, bootstrap: int = 0) -> dict[str, Any]:
        """The metrics, with `confidence` if there are samples."""
        metrics = self.metrics()
        if bootstrap:
            metrics["confidence"] = self.confidence(bootstrap)
        return metrics


def masked_spans(doc: Doc, mask: str = "risky") -> list[CharSpan]:
    """Character spans that a pipeline masks: of `spans["mask"]`, or of `spans["pii"]` when
    no risk scorer ran, every span (`all`) or what is DIRECT or QUASI (`risky`).

    RAISES (ValueError): If the Doc has neither group.
    """
    for key in (MASK_KEY, PII_KEY):
        if key in doc.spans:
            spans = [s for s in doc.spans[key] if mask == "all" or s.label_ != NO_MASK]
            return [(span.start_char, span.end_char) for span in spans]
    neither = f"doc.spans['{MASK_KEY}'] nor doc.spans['{PII_KEY}']"
    raise ValueError(f"the pipeline wrote neither {neither}; has it a detector?")


@registry.scorers("spacy_deid.privacy_scorer.v1")
@dataclass(frozen=True)
class PrivacyScorer:
    """Privacy metrics for `spacy train` and `spacy evaluate`: `deid_f5`, `deid_f1`,
    `deid_precision`, `deid_weighted_precision`, `deid_recall`, `entity_recall`,
    `entity_recall_direct`, `entity_recall_quasi`, `docs_fully_masked`,
    `docs_direct_fully_masked` and `deid_per_type`; None where nothing is annotated.

    mask (str): `risky` scores what the risk scorer masks, `all` every span found.
    weighting (Weighting): Information content of words, for
        `deid_weighted_precision`: a function of the registry `deid_weightings`.
    bootstrap (int): Samples for confidence intervals, in `deid_confidence`; 0 for
        none, as is best during training.
    RAISES (ValueError): If a setting does not fit.
    """

    mask: str = "risky"
    weighting: Weighting | None = None
    bootstrap: int = 0

    def __post_init__(self) -> None:
        if self.mask not in ("risky", "all"):
            raise ValueError(f"mask has to be 'risky' or 'all', not '{self.mask}'")
        if self.bootstrap < 0:
            raise ValueError(f"bootstrap must not be negative: {self.bootstrap}")

    def __call__(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        counts = PrivacyCounts(self.weighting)
        for example in examples:
            if (gold := gold_from_doc(example.reference)) is not None:
                counts.add(gold, masked_spans(example.predicted, self.mask))
        scores = counts.scores(self.bootstrap)
        del scores["counts"]
        # Names that say by themselves what they count.
        plain = ("entity", "docs")
        return {k if k.startswith(plain) else f"deid_{k}": v for k, v in scores.items()}
