"""Calibrated probabilities: a temperature fitted on annotated documents, and how far
probabilities are from shares that hold (Guo et al. 2017, "On Calibration of Modern
Neural Networks")."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from ..models.trainable import gold_spans
from ..schema import NER_KEY, PII_KEY, group_attr
from .bootstrap import show_value
from .plots import new_figure

# Temperatures are sought between these; beyond them a recognizer finds too few spans, or
# too many, to learn from.
RANGE = (0.25, 4.0)
N_BINS = 10
_GOLDEN = (math.sqrt(5) - 1) / 2
# Probabilities of spans, and whether each is right.
Outcomes = tuple[list[float], list[bool]]


class Bin(NamedTuple):
    """Predictions whose probability lies in (low, high]; the first bin has its low too.
    How many they are, the mean of their probabilities and the share of them that is
    right; None without any."""

    low: float
    high: float
    spans: int
    confidence: float | None
    accuracy: float | None


class Predictions(NamedTuple):
    """What a recognizer's model says of annotated documents, before decoding: a matrix a
    document, shape (tokens, tags). What comes before the recognizer in the pipeline has
    run on the predicted ones of the documents."""

    pipe: Any
    examples: list[Example]
    scores: list[Any]


def predict_once(
    nlp: Language, references: Iterable[Doc], name: str = "pii_ner"
) -> Predictions:
    """Run a pipeline on gold documents as far as the model of the recognizer of this
    name: what comes out can be decoded again and again.

    RAISES (ValueError): If there is no such recognizer, or no document.
    """
    pipe: Any = nlp.get_pipe(name) if name in nlp.pipe_names else None
    if not hasattr(pipe, "decode_scores"):
        raise ValueError(f"the pipeline has no recognizer '{name}'")
    if not (references := list(references)):
        raise ValueError("there are no documents")
    examples: list[Example] = []
    scores: list[Any] = []
    with nlp.select_pipes(enable=nlp.pipe_names[: nlp.pipe_names.index(name)]):
        pairs = zip(nlp.pipe(doc.text for doc in references), references)
        while batch := [Example(*pair) for pair in islice(pairs, nlp.batch_size)]:
            scores.extend(pipe.predict([example.predicted for example in batch]))
            examples.extend(batch)
    return Predictions(pipe, examples, scores)


def reliability_table(
    confidences: Sequence[float], correct: Sequence[bool], n_bins: int = N_BINS
) -> list[Bin]:
    """Predictions, by their probabilities in 0..1 and whether each is right, in
    intervals of equal width."""
    p, y = numpy.asarray(confidences, dtype="d"), numpy.asarray(correct, dtype="d")
    edges = numpy.arange(n_bins + 1) / n_bins
    which = numpy.searchsorted(edges[1:-1], p, side="left")
    table = []
    for m, (low, high) in enumerate(pairwise(edges.tolist())):
        own = which == m
        means = [float(x[own].mean()) if own.any() else None for x in (p, y)]
        table.append(Bin(low, high, int(own.sum()), *means))
    return table


def expected_calibration_error(table: Iterable[Bin]) -> float | None:
    """ECE = sum over the bins B of |B| / n * |accuracy(B) - confidence(B)| (Guo et al.
    2017, equation 3): 0 where probabilities hold, None without predictions."""
    total, error = 0, 0.0
    for row in table:
        if row.accuracy is not None and row.confidence is not None:
            total += row.spans
            error += row.spans * abs(row.accuracy - row.confidence)
    return error / total if total else None


def tag_losses(predictions: Predictions, temperature: float) -> tuple[float, int]:
    """Negative log-likelihood of the gold tags at a temperature, summed, and their
    number. Where the gold leaves several tags open their probabilities are summed."""
    pipe = predictions.pipe
    total, n = 0.0, 0
    for example, scores in zip(predictions.examples, predictions.scores):
        if (allowed := pipe._allowed(example)) is not None:
            mass = (pipe.probabilities(scores, temperature) * allowed).sum(axis=1)
            total -= float(numpy.log(mass.clip(1e-30)).sum())
            n += len(mass)
    return total, n


def span_loss(predictions: Predictions, temperature: float) -> float:
    """Negative log-likelihood of what became of the spans that are found: -log p of
    those that are right, -log (1 - p) of the others; the mean, 0 without any."""
    confidences, correct = span_outcomes(predictions, temperature)
    if not correct:
        return 0.0
    p = numpy.clip(numpy.asarray(confidences, dtype="d"), 1e-6, 1 - 1e-6)
    return float(-numpy.log(numpy.where(correct, p, 1 - p)).mean())


def fit_temperature(predictions: Predictions) -> float:
    """The temperature that makes what became of the spans most likely (Guo et al. 2017,
    4.2).

    The negative log-likelihood of a softmax is convex in 1 / temperature, so it has one
    minimum, which a golden-section search over log(temperature) finds. That of spans is
    nearly so: which spans are found depends a little on the temperature.

    predictions (Predictions): Documents that the model was not trained on.
    RETURNS (float): The temperature, in RANGE.
    RAISES (ValueError): If no document has gold.
    """
    if not tag_losses(predictions, 1.0)[1]:
        raise ValueError("no document has gold annotation of personal information")

    def loss(log_temperature: float) -> float:
        return span_loss(predictions, math.exp(log_temperature))

    low, high = map(math.log, RANGE)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = loss(left), loss(right)
    while high - low > 1e-2:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = loss(right)
    return round(math.exp((low + high) / 2), 4)


def covered_labels(pipe: Any, example: Example) -> set[str]:
    """Labels of a recognizer whose absence from the gold says something: its reference
    may name the types that its annotators marked."""
    if (covers := example.reference.spans[PII_KEY].attrs.get("covers")) is None:
        return set(pipe.labels)
    types = {label: pipe.scheme.to_tab(label) or (label, "") for label in pipe.labels}
    return {label for label, (type_, _) in types.items() if type_ in covers}


def span_outcomes(
    predictions: Predictions, temperature: float | None = None
) -> Outcomes:
    """Probabilities of the spans found, at a temperature or the recognizer's own, and
    whether each is right: there is a gold span of the same tokens and label. Spans of
    types that the annotators did not mark are left out."""
    pipe = predictions.pipe
    confidences: list[float] = []
    correct: list[bool] = []
    for example, scores in zip(predictions.examples, predictions.scores):
        if (found := gold_spans(example, pipe.scheme)) is None:
            continue
        gold = set(found)
        known = covered_labels(pipe, example)
        doc = example.predicted
        for *span, score in pipe.decode_scores(doc, scores, temperature=temperature):
            if span[2] in known:
                confidences.append(min(max(score, 0.0), 1.0))
                correct.append(tuple(span) in gold)
    return confidences, correct


def calibrate(predictions: Predictions, n_bins: int = N_BINS) -> dict[str, Any]:
    """Fit a recognizer's temperature, and set it.

    predictions (Predictions): Documents that the model was not trained on.
    n_bins (int): Intervals of the reliability tables.
    RETURNS (dict): `temperature`, `documents`, and under `before` and `after` the
        `temperature`, `tag_loss` (negative log-likelihood a token), `ece` of the
        spans' probabilities, `spans` and the reliability `table`. Under `held_out` the
        same with each half of the documents at the temperature of the other half; None
        if one half alone has gold.
    """
    pipe, examples, scores = predictions
    fitted = fit_temperature(predictions)
    halves = [Predictions(pipe, examples[i::2], scores[i::2]) for i in (0, 1)]
    held_out = None
    if all(tag_losses(half, 1.0)[1] for half in halves):
        temperatures = [fit_temperature(half) for half in reversed(halves)]
        held_out = _state(halves, temperatures, n_bins)
    report = {
        "temperature": fitted,
        "documents": len(examples),
        "before": _state([predictions], [pipe.temperature], n_bins),
        "after": _state([predictions], [fitted], n_bins),
        "held_out": held_out,
    }
    pipe.temperature = fitted
    return report


def is_worse(report: Mapping[str, Any]) -> str:
    """Why a fitted temperature is not worth having, or nothing.

    report (Mapping): What `calibrate` returns. The error counts that each half has at the
        temperature of the other; where one half alone has gold, that of the fit itself.
    """
    old = report["before"]["ece"]
    found = (report["held_out"] or report["after"])["ece"]
    if old is None or found is None:
        return "no span was found at the one temperature or the other"
    if found <= old:
        return ""
    where = "held-out halves" if report["held_out"] else "the same documents"
    return f"the calibration error would rise from {old:.4f} to {found:.4f} on {where}"


def _state(
    parts: Sequence[Predictions], temperatures: Sequence[float], n_bins: int
) -> dict[str, Any]:
    outcomes = [span_outcomes(*pair) for pair in zip(parts, temperatures)]
    losses = [tag_losses(*pair) for pair in zip(parts, temperatures)]
    confidences = [p for some, _ in outcomes for p in some]
    correct = [right for _, some in outcomes for right in some]
    table = reliability_table(confidences, correct, n_bins)
    return {
        "temperature": sum(temperatures) / len(temperatures),
        "tag_loss": sum(loss for loss, _ in losses) / sum(n for _, n in losses),
        "ece": expected_calibration_error(table),
        "spans": len(correct),
        "table": [row._asdict() for row in table],
    }


@registry.scorers("spacy_deid.calibration_scorer.v1")
@dataclass(frozen=True)
class CalibrationScorer:
    """Expected calibration error of spans, for `spacy evaluate`: `{spans_key}_ece`.

    spans_key (str): Span group of the prediction, with `scores` in its attrs.
    gold_key (str): Span group of the reference, with labels of the same kind.
    n_bins (int): Number of intervals.
    """

    spans_key: str = NER_KEY
    gold_key: str = PII_KEY
    n_bins: int = N_BINS

    def __call__(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        confidences: list[float] = []
        correct: list[bool] = []
        for example in examples:
            golds, groups = example.reference.spans, example.predicted.spans
            if self.gold_key in golds and self.spans_key in groups:
                spans = golds[self.gold_key]
                gold = {(s.start_char, s.end_char, s.label_) for s in spans}
                group = groups[self.spans_key]
                confidences += group_attr(group, "scores", 1.0)
                correct += [(s.start_char, s.end_char, s.label_) in gold for s in group]
        table = reliability_table(confidences, correct, self.n_bins)
        return {f"{self.spans_key}_ece": expected_calibration_error(table)}


def plot_reliability(report: dict[str, Any]) -> Any:
    """A figure of the reliability tables of `calibrate`, before and after.

    RAISES (ImportError): Without matplotlib.
    """
    figure, panels = new_figure(1, 2)
    for axes, when in zip(panels, ("before", "after")):
        state = report[when]
        rows = [row for row in state["table"] if row["spans"]]
        right = [row["accuracy"] for row in rows]
        width = 0.9 * state["table"][0]["high"]
        middles = [(row["low"] + row["high"]) / 2 for row in rows]
        p = [row["confidence"] for row in rows]
        axes.plot([0, 1], [0, 1], color="grey", linestyle=":")
        axes.bar(middles, right, width=width, color="#7aa5d2")
        axes.plot(p, right, "o", color="black", markersize=3)
        told = f"temperature {state['temperature']:.2f}, ECE {show_value(state['ece'])}"
        axes.set_title(f"{when}: {told}")
        axes.set(xlabel="probability of the span", ylabel="share that is right")
        axes.set(xlim=(0, 1), ylim=(0, 1))
    return figure
