"""Confidence intervals by bootstrap: rows are drawn with replacement, as many as there
are (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, 13.3)."""

from __future__ import annotations

import numpy

# Rows times samples at a time: about 80 MB.
_BLOCK = 10_000_000


def interval(values: numpy.ndarray, level: float = 0.95) -> list[float] | None:
    """The middle of bootstrap samples.

    values (ndarray): One a sample; NaN where it could not be computed.
    level (float): Share of the samples inside, between 0 and 1.
    RETURNS (Optional[List[float]]): Low and high; None if all are NaN.
    """
    known = values[~numpy.isnan(values)]
    if not len(known):
        return None
    return numpy.percentile(known, [50 * (1 - level), 50 * (1 + level)]).tolist()


def resample(table: numpy.ndarray, samples: int, seed: int) -> numpy.ndarray:
    """Sums of rows that are drawn with replacement.

    table (ndarray): Shape (rows, columns).
    samples (int): How many times.
    seed (int): Of the random numbers.
    RETURNS (ndarray): Shape (samples, columns).
    """
    n = len(table)
    if not n:
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
