"""What is missed in a whole corpus, by the documents of it that annotators have read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from ..missed import ratio, weigh
from .judge import Measure
from .policy import Condition

# Of the counts of a document (`PrivacyCounts`), a share's part and whole.
Counts = Counter[str]
Share = Callable[[Counts], tuple[float, float]]
SHARES: dict[str, Share] = {
    "direct identifiers missed": lambda c: (
        c["direct"] - c["direct_masked"],
        c["direct"],
    ),
    "quasi identifiers missed": lambda c: (c["quasi"] - c["quasi_masked"], c["quasi"]),
    "documents with a direct identifier missed": lambda c: (
        int(c["direct"] > c["direct_masked"]),
        1,
    ),
    "masked words that needed it": lambda c: (
        c["predicted_tokens_right"],
        c["predicted_tokens"],
    ),
}


class Draw(NamedTuple):
    """How a document came to be read: its stratum, how many documents of the corpus the
    stratum has, and its probability."""

    stratum: str = ""
    population: int = 1
    probability: float = 1.0


def measure_sample(
    counts: Sequence[Counts],
    draws: Sequence[Draw],
    population: int,
    level: float = 0.95,
) -> dict[str, Measure]:
    """The shares of a corpus and their intervals, by its annotated documents.

    counts (Sequence[Counts]): Of each document that was read.
    draws (Sequence[Draw]): How each was drawn, as many.
    population (int): Documents of the corpus.
    """
    n = len(counts)
    out = {"annotated documents": Measure(n, of=f"of {population}")}
    for name, share in SHARES.items():
        pairs = [share(c) for c in counts]
        # Nobody has read anything: as if there were nothing to miss.
        rows = pairs or [(0.0, 1.0) if "missed" in name else (1.0, 1.0)]
        known = draws or [Draw("", population, 1.0)]
        shares = rows, known, population
        more = partial(how_many_more, *shares, level=level, n_read=n)
        value, edges = share_of(pairs, draws, level)
        part, whole = (sum(column) for column in zip(*pairs)) if pairs else (0, 0)
        of = f"{part:,.0f} of {whole:,.0f} in {n} of {population} documents"
        of = of if n else "no document has been annotated"
        # Who has read everything and found nothing to miss knows that nothing is.
        if value is None and n == population and "missed" in name:
            value, edges = 0.0, (0.0, 0.0)
        out[name] = Measure(value, edges, of, more=more)
    return out


def share_of(
    pairs: Sequence[tuple[float, float]], draws: Sequence[Draw], level: float
) -> tuple[float | None, tuple[float, float] | None]:
    """A share of the corpus and its interval; see `missed.ratio`."""
    part, whole = zip(*pairs) if pairs else ((), ())
    strata = [draw.stratum for draw in draws]
    share, edges = ratio(part, whole, weigh(draws), strata, level)
    if share is None or edges is None:
        return None, None
    # Sums of fractions may be a last digit off.
    return share, (min(edges[0], share), max(edges[1], share))


def how_many_more(
    pairs: Sequence[tuple[float, float]],
    draws: Sequence[Draw],
    population: int,
    condition: Condition,
    level: float,
    n_read: int,
) -> int | None:
    """How many more documents have to be read until a condition holds, if they are like
    those that were read; None if not even all of the corpus would do."""

    def holds(n: int) -> bool:
        rows = [i % len(pairs) for i in range(n)]
        again = [pairs[i] for i in rows], [draws[i] for i in rows]
        value, edges = share_of(*again, level)
        if value is None or edges is None:
            return False
        if condition.at_most:
            return edges[1] <= condition.limit
        return edges[0] >= condition.limit

    if n_read >= population:
        return None
    low, high = n_read, n_read + 1
    while not holds(high):
        if high >= population:
            return None
        low, high = high, min(2 * high, population)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high - n_read
