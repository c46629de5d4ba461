"""What the O-threshold trades: precision and recall at many thresholds, from one
prediction (paper 5, section on the decision threshold of the outside class)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..models.trainable import gold_spans
from ..schema import PII_KEY, Candidate, get_candidates, set_group
from .calibration import Predictions, covered_labels
from .privacy import PrivacyCounts, f_score, gold_from_doc

THRESHOLDS = (
    *(round(0.05 * i, 2) for i in range(20)),
    0.96,
    0.97,
    0.98,
    0.99,
    0.995,
    0.999,
)
# What the pipeline's detectors find; named as in `spacy deid evaluate`.
MASKED = (
    "precision",
    "recall",
    "f1",
    "f5",
    "entity_recall_direct",
    "entity_recall_quasi",
)
# Columns of the curve beside the threshold.
COLUMNS = (
    *MASKED,
    *(
        f"{unit}_{name}"
        for unit in ("token", "span")
        for name in ("precision", "recall", "f1", "f5")
    ),
)
Labelled = tuple[int, int, str]


def threshold_curve(
    predictions: Predictions, thresholds: Sequence[float] = THRESHOLDS
) -> list[dict[str, float | None]]:
    """Decode the same scores with one threshold after another.

    predictions (Predictions): See `calibration.predict_once`.
    thresholds (Sequence[float]): Values of `o_threshold`.
    RETURNS (List[dict]): One row a threshold: `threshold`; what masking all that the
        pipeline's detectors find comes to, by words and entities (`precision`,
        `recall`, `f1`, `f5`, `entity_recall_direct`, `entity_recall_quasi`: see
        `privacy.evaluate_privacy`); and of the recognizer alone `token_` and `span_`
        with `precision`, `recall`, `f1`, `f5`: tokens with the right label, and spans
        with the right tokens and label.
    """
    pipe = predictions.pipe
    earlier = [get_candidates(eg.predicted, PII_KEY) for eg in predictions.examples]
    own = pipe.o_threshold
    rows = []
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


def _row(predictions: Predictions) -> dict[str, float | None]:
    counts = PrivacyCounts()
    spans, tokens = _Counts(), _Counts()
    pipe = predictions.pipe
    for example, scores in zip(predictions.examples, predictions.scores):
        gold = gold_from_doc(example.reference)
        if gold is not None:
            masked = example.predicted.spans[PII_KEY]
            counts.add(gold, [(s.start_char, s.end_char) for s in masked])
        labelled = gold_spans(example, pipe.scheme)
        if labelled is None:
            continue
        known = covered_labels(pipe, example)
        found = [
            span[:3]
            for span in pipe.decode_scores(example.predicted, scores)
            if span[2] in known
        ]
        spans.add(found, labelled)
        tokens.add(_tokens(found), _tokens(labelled))
    metrics = counts.metrics()
    return {
        **{name: metrics[name] for name in MASKED},
        **tokens.scores("token"),
        **spans.scores("span"),
    }


def _tokens(spans: Iterable[Labelled]) -> list[Labelled]:
    return [(i, i + 1, label) for start, end, label in spans for i in range(start, end)]


class _Counts:
    """Found, wanted, and both."""

    def __init__(self) -> None:
        self.found = self.wanted = self.both = 0

    def add(self, found: Iterable[Labelled], wanted: Iterable[Labelled]) -> None:
        ours, theirs = set(found), set(wanted)
        self.found += len(ours)
        self.wanted += len(theirs)
        self.both += len(ours & theirs)

    def scores(self, prefix: str) -> dict[str, float | None]:
        p = self.both / self.found if self.found else None
        r = self.both / self.wanted if self.wanted else None
        return {
            f"{prefix}_precision": p,
            f"{prefix}_recall": r,
            f"{prefix}_f1": f_score(p, r),
            f"{prefix}_f5": f_score(p, r, 5),
        }


def choose_threshold(
    rows: Sequence[dict[str, float | None]],
    metric: str = "f5",
    at_least: float | None = None,
) -> dict[str, float | None]:
    """The row of the threshold to take.

    rows (Sequence[dict]): See `threshold_curve`.
    metric (str): A column.
    at_least (float): Wanted of the column; of all thresholds that reach it the lowest,
        which masks least. Without it the threshold at which the column is highest, the
        lowest of several.
    RETURNS (dict): The row.
    RAISES (ValueError): If there is no such column or value, or none reaches it.
    """
    if metric not in COLUMNS:
        raise ValueError(f"no column '{metric}'; there are {', '.join(COLUMNS)}")
    known = [row for row in rows if row.get(metric) is not None]
    if not known:
        raise ValueError(
            f"the curve has no values of '{metric}': nothing of it is gold"
        )
    best = max(known, key=lambda row: (row[metric], -(row["threshold"] or 0.0)))
    if at_least is None:
        return best
    for row in sorted(known, key=lambda row: row["threshold"] or 0.0):
        if (row[metric] or 0.0) >= at_least:
            return row
    raise ValueError(
        f"no threshold reaches a {metric} of {at_least}; the highest is "
        f"{best[metric]:.3f}, at {best['threshold']}"
    )


def format_curve(rows: Sequence[dict[str, float | None]]) -> str:
    """A table for people.

    rows (Sequence[dict]): See `threshold_curve`.
    RETURNS (str): Several lines.
    """
    columns = {
        "precision": "P",
        "recall": "R",
        "f1": "F1",
        "f5": "F5",
        "entity_recall_direct": "direct",
        "entity_recall_quasi": "quasi",
        "token_f1": "tok F1",
        "token_f5": "tok F5",
        "span_precision": "span P",
        "span_recall": "span R",
        "span_f1": "span F1",
        "span_f5": "span F5",
    }
    lines = ["O-threshold " + "".join(f"{title:>8}" for title in columns.values())]
    for row in rows:
        cells = (row[name] for name in columns)
        shown = ("-" if value is None else f"{value:.3f}" for value in cells)
        lines.append(f"{row['threshold']:<12}" + "".join(f"{v:>8}" for v in shown))
    return "\n".join(lines)


def plot_curve(rows: Sequence[dict[str, float | None]], path: str | Path) -> None:
    """Draw the curve: what is masked, and the recognizer's labelled spans.

    rows (Sequence[dict]): See `threshold_curve`.
    path (Path): An .svg or .png file.
    RAISES (ImportError): Without matplotlib.
    """
    from .plots import new_figure, save_figure

    figure, panels = new_figure(1, 2)
    titles = ("all detectors: words and entities", "recognizer: labelled spans")
    columns = (MASKED, ("span_precision", "span_recall", "span_f1", "span_f5"))
    x = [row["threshold"] for row in rows]
    for axes, title, names in zip(panels, titles, columns):
        for name in names:
            y = [row[name] for row in rows]
            if any(value is not None for value in y):
                values = [float("nan") if value is None else value for value in y]
                label = name.removeprefix("span_").replace("_", " ")
                axes.plot(x, values, marker=".", label=label)
        axes.set_title(title)
        axes.set_xlabel("O-threshold")
        axes.set_ylim(0, 1.02)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    save_figure(figure, path)
