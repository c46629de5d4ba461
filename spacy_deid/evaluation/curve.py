"""What the O-threshold trades: precision and recall at many thresholds, from one
prediction (paper 5, section on the decision threshold of the outside class)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy

from ..models.trainable import gold_spans
from ..schema import PII_KEY, Candidate, get_candidates, set_group
from .bootstrap import show_value
from .calibration import Predictions, covered_labels
from .gold import gold_from_doc
from .plots import new_figure
from .privacy import PrivacyCounts
from .span_scores import Labelled, SpanCounts

THRESHOLDS = (*(i / 20 for i in range(20)), 0.96, 0.97, 0.98, 0.99, 0.995, 0.999)
# What the pipeline's detectors find; named as in `spacy deid evaluate`, with titles.
MASKED = {
    "precision": "P",
    "recall": "R",
    "f1": "F1",
    "f5": "F5",
    "entity_recall_direct": "direct",
    "entity_recall_quasi": "quasi",
}
# What the recognizer alone finds.
_OWN = {"p": "precision", "r": "recall", "f": "f1", "f5": "f5"}
# Columns of the curve beside the threshold.
COLUMNS = (
    *MASKED,
    *(f"{unit}_{name}" for unit in ("token", "span") for name in _OWN.values()),
)
# Columns of the table for people.
_SHOWN = {
    **MASKED,
    **{f"token_{name}": f"tok {MASKED[name]}" for name in ("f1", "f5")},
    **{f"span_{name}": f"span {MASKED[name]}" for name in _OWN.values()},
}
Row = dict[str, float | None]


def threshold_curve(
    predictions: Predictions, thresholds: Sequence[float] = THRESHOLDS
) -> list[Row]:
    """Decode the same scores with one threshold after another.

    RETURNS (List[dict]): One row a threshold: `threshold`; what masking all that the
        pipeline's detectors find comes to, by words and entities (`precision`,
        `recall`, `f1`, `f5`, `entity_recall_direct`, `entity_recall_quasi`: see
        `privacy.PrivacyCounts`); and of the recognizer alone `token_` and `span_`
        with `precision`, `recall`, `f1`, `f5`: tokens with the right label, and spans
        with the right tokens and label.
    """
    pipe = predictions.pipe
    earlier = [get_candidates(eg.predicted, PII_KEY) for eg in predictions.examples]
    own = pipe.o_threshold
    rows: list[Row] = []
    try:
        for threshold in sorted(set(thresholds)):
            pipe.o_threshold = threshold
            _annotate(predictions, earlier)
            rows.append({"threshold": threshold, **_row(predictions)})
    finally:
        pipe.o_threshold = own
        _annotate(predictions, earlier)
    return rows


def _annotate(predictions: Predictions, earlier: list[list[Candidate]]) -> None:
    """Let the recognizer write its spans once more, over those of the components
    before it."""
    docs = [example.predicted for example in predictions.examples]
    for doc, candidates in zip(docs, earlier):
        set_group(doc, PII_KEY, candidates)
    predictions.pipe.set_annotations(docs, predictions.scores)


def _row(predictions: Predictions) -> Row:
    counts = PrivacyCounts()
    units = {"token": SpanCounts(), "span": SpanCounts()}
    pipe = predictions.pipe
    for example, scores in zip(predictions.examples, predictions.scores):
        if (gold := gold_from_doc(example.reference)) is not None:
            masked = example.predicted.spans[PII_KEY]
            counts.add(gold, [(s.start_char, s.end_char) for s in masked])
        if (labelled := gold_spans(example, pipe.scheme)) is None:
            continue
        known = covered_labels(pipe, example)
        decoded = pipe.decode_scores(example.predicted, scores)
        found = [span[:3] for span in decoded if span[2] in known]
        units["span"].add(set(found), set(labelled))
        units["token"].add(_tokens(found), _tokens(labelled))
    metrics = counts.metrics()
    row = {name: metrics[name] for name in MASKED}
    for unit, own in units.items():
        row |= {f"{unit}_{_OWN[k]}": score for k, score in own.scores().items()}
    return row


def _tokens(spans: Iterable[Labelled]) -> set[Labelled]:
    return {(i, i + 1, label) for start, end, label in spans for i in range(start, end)}


def choose_threshold(
    rows: Sequence[Row], metric: str = "f5", at_least: float | None = None
) -> Row:
    """The row of the threshold to take.

    metric (str): One of COLUMNS.
    at_least (float): Wanted of the column; of all thresholds that reach it the lowest,
        which masks least. Without it the threshold at which the column is highest, the
        lowest of several.
    RAISES (ValueError): If the column has no values, or none reaches it.
    """
    if not (known := [row for row in rows if row[metric] is not None]):
        problem = f"the curve has no values of '{metric}': nothing of it is gold"
        raise ValueError(problem)
    known.sort(key=lambda row: row["threshold"] or 0.0)
    best = max(known, key=lambda row: row[metric] or 0.0)
    if at_least is None:
        return best
    for row in known:
        if (row[metric] or 0.0) >= at_least:
            return row
    highest = f"the highest is {best[metric]:.3f}, at {best['threshold']}"
    raise ValueError(f"no threshold reaches a {metric} of {at_least}; {highest}")


def format_curve(rows: Sequence[Row]) -> str:
    """A table for people."""
    lines = ["O-threshold " + "".join(f"{title:>8}" for title in _SHOWN.values())]
    for row in rows:
        cells = "".join(f"{show_value(row[name]):>8}" for name in _SHOWN)
        lines.append(f"{row['threshold']:<12}{cells}")
    return "\n".join(lines)


def plot_curve(rows: Sequence[Row]) -> Any:
    """A figure of the curve: what is masked, and the recognizer's labelled spans.

    RAISES (ImportError): Without matplotlib.
    """
    figure, panels = new_figure(1, 2)
    titles = ("all detectors: words and entities", "recognizer: labelled spans")
    columns = (tuple(MASKED), tuple(f"span_{name}" for name in _OWN.values()))
    x = [row["threshold"] for row in rows]
    for axes, title, names in zip(panels, titles, columns):
        for name in names:
            # None becomes NaN, which is not drawn.
            y = numpy.array([row[name] for row in rows], dtype="float64")
            if not numpy.isnan(y).all():
                label = name.removeprefix("span_").replace("_", " ")
                axes.plot(x, y, marker=".", label=label)
        axes.set(title=title, xlabel="O-threshold", ylim=(0, 1.02))
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    return figure
