"""Confidence intervals by bootstrap: rows are drawn with replacement, as many as there
are (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, 13.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

# Rows times samples at a time: about 80 MB.
_BLOCK = 10_000_000


def interval(values: numpy.ndarray, level: float = 0.95) -> list[float] | None:
    """Low and high of the middle share (`level`) of bootstrap samples, NaN where a value
    could not be computed; None if all are NaN."""
    if not len(known := values[~numpy.isnan(values)]):
        return None
    return numpy.percentile(known, [50 * (1 - level), 50 * (1 + level)]).tolist()


def show_value(
    value: float | None, edges: Sequence[float] | None = None, digits: int = 3
) -> str:
    """A number and its interval for people, "-" for none: "0.912 [0.880, 0.941]"."""
    if value is None:
        return "-"
    around = ", ".join(f"{edge:.{digits}f}" for edge in edges or ())
    return f"{value:.{digits}f}" + (f" [{around}]" if around else "")


def resample(table: numpy.ndarray, samples: int, seed: int) -> numpy.ndarray:
    """Sums of rows of a table, shape (rows, columns), that are drawn with replacement so
    many times: shape (samples, columns)."""
    if not (n := len(table)):
        return numpy.zeros((samples, table.shape[1]))
    rng = numpy.random.default_rng(seed)
    step = max(1, _BLOCK // n)
    blocks = []
    for start in range(0, samples, step):
        # How often each row was drawn.
        shape = min(step, samples - start)
        blocks.append(rng.multinomial(n, numpy.full(n, 1.0 / n), size=shape) @ table)
    return numpy.concatenate(blocks)


def shares(part: numpy.ndarray, whole: numpy.ndarray) -> numpy.ndarray:
    """Quotients; NaN where there is nothing to take a share of."""
    out = numpy.full(part.shape, numpy.nan)
    return numpy.divide(part, whole, out=out, where=whole > 0)
