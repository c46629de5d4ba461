"""The protocol of Emelyanov (paper 1, section 4.1): a model M that has learnt from
originals and M' that has learnt from de-identified texts, both tried on originals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from ...corpora.samples import Sample
from ..bootstrap import interval, shares
from .tasks import Scores, Task

LEAST_SEEDS = 3
_SAMPLES = 1000
Deidentify = Callable[[Sequence[Sample], int], list[Sample]]


def compare(
    task: Task,
    train: Sequence[Sample],
    test: Sequence[Sample],
    ways: Mapping[str, Deidentify],
    seeds: Sequence[int],
    level: float = 0.95,
    say: Callable[[str], None] = lambda what: None,
) -> list[dict[str, Any]]:
    """Scores of models of a task, by what they have learnt from.

    ways (Mapping[str, Callable]): Names and ways to de-identify samples in a run of this
        number: what is lost hangs on the surrogates drawn as well.
    seeds (Sequence[int]): Of models and surrogates: so many runs.
    level (float): Of the confidence intervals.
    say (Callable): Told what is being done.
    RETURNS (list[dict]): First `original`, then a row a way: `on_original` and
        `on_deidentified` test samples, each with `mean`, `deviation` (over seeds, of
        samples) and `seeds`; `delta`, the mean difference to `original`, and its `interval`.
    RAISES (ValueError): If there are fewer than LEAST_SEEDS seeds, or no samples.
    """
    if len({*seeds}) < LEAST_SEEDS:
        raise ValueError(f"at least {LEAST_SEEDS} different seeds are needed")
    if not train or not test:
        raise ValueError("there is nothing to train on, or to test on")
    say("original")
    plain = [task.train(train, seed)(test) for seed in seeds]
    out = [_row("original", plain, plain)]
    for name, deidentify in ways.items():
        say(name)
        own, changed = [], []
        for seed in seeds:
            model = task.train(deidentify(train, seed), seed)
            own.append(model(test))
            changed.append(model(deidentify(test, seed)))
        row = _row(name, own, changed)
        row["delta"] = row["on_original"]["mean"] - out[0]["on_original"]["mean"]
        row["interval"] = delta_interval(plain, own, level)
        out.append(row)
    return out


def _row(name: str, own: Sequence[Scores], changed: Sequence[Scores]) -> dict[str, Any]:
    scores = {"on_original": _summary(own), "on_deidentified": _summary(changed)}
    return {"trained_on": name, **scores, "delta": None, "interval": None}


def _summary(tables: Sequence[Scores]) -> dict[str, Any]:
    values = [_score(table.sum(axis=0)) for table in tables]
    deviation = float(numpy.std(values, ddof=1)) if len(values) > 1 else None
    return {"mean": float(numpy.mean(values)), "deviation": deviation, "seeds": values}


def _score(sums: numpy.ndarray) -> float:
    return float(sums[0] / sums[1]) if sums[1] else 0.0


def delta_interval(
    plain: Sequence[Scores], own: Sequence[Scores], level: float = 0.95, seed: int = 0
) -> list[float] | None:
    """Interval of the difference of two models' scores: a bootstrap that draws test samples
    (the same ones for both) and, for each model, training runs.

    plain, own (Sequence[Scores]): Of a run each, shape (samples, 2).
    """
    first, second = numpy.stack(plain), numpy.stack(own)
    n = first.shape[1]
    rng = numpy.random.default_rng(seed)
    drawn = rng.multinomial(n, numpy.full(n, 1 / n), size=_SAMPLES).astype("float64")
    means = []
    for tables in (first, second):
        sums = numpy.einsum("bn,rnc->brc", drawn, tables)
        scores = shares(sums[..., 0], sums[..., 1])
        runs = rng.integers(len(tables), size=scores.shape)
        means.append(numpy.take_along_axis(scores, runs, axis=1).mean(axis=1))
    return interval(means[1] - means[0], level)
