"""Drawing documents to review, with probabilities that are known."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from ..disclosure import band

ALL, RANDOM, RISK, STRATIFIED = "all", "random", "risk", "stratified"
DESIGNS = (RANDOM, RISK, STRATIFIED)
# A document without any risk is drawn by risk, too: with this much of a certain one's.
LEAST_RISK = 0.25


class Drawn(NamedTuple):
    """A document that was drawn.

    number (int): Of the document in the corpus, from 0.
    stratum (str): What it was drawn from, "" for the corpus.
    population (int): Documents there.
    probability (float): Of being drawn.
    """

    number: int
    stratum: str
    population: int
    probability: float


def draw(
    risks: Sequence[float], n: int, by: str = RANDOM, seed: int = 0
) -> list[Drawn]:
    """Draw documents without replacement, in random order, so that those read first are
    a sample, too.

    risks (Sequence[float]): Of each document, 0..1.
    n (int): How many documents; 0 for all of them, in their order.
    by (str): `random`: all alike; `risk`: the riskier the likelier; `stratified`: as many
        of low as of medium and of high risk, as far as there are, and one of each at least.
    """
    size = len(risks)
    if not n:
        return [Drawn(i, "", size, 1.0) for i in range(size)]
    rng = random.Random(seed)
    n = min(n, size)
    if by == RISK:
        chances = _proportional([max(risk, LEAST_RISK) for risk in risks], n)
        drawn = [Drawn(i, "", size, chances[i]) for i in _systematic(chances, rng)]
    else:
        strata: dict[str, list[int]] = defaultdict(list)
        for i, risk in enumerate(risks):
            strata[band(risk) or "" if by == STRATIFIED else ""].append(i)
        sizes = {name: len(rows) for name, rows in strata.items()}
        quotas = _shared_out(sizes, max(n, len(sizes)))
        drawn = []
        for name, rows in strata.items():
            own = name, len(rows), quotas[name] / len(rows)
            drawn += [Drawn(i, *own) for i in rng.sample(rows, quotas[name])]
    rng.shuffle(drawn)
    return drawn


def _proportional(sizes: Sequence[float], n: int) -> list[float]:
    """Probabilities proportional to sizes that add up to n; the largest are certain."""
    certain: set[int] = set()
    while True:
        left = n - len(certain)
        total = sum(size for i, size in enumerate(sizes) if i not in certain)
        more = {i for i, size in enumerate(sizes) if size * left >= total} - certain
        if not more or not left:
            break
        certain |= more
    return [1.0 if i in certain else x * left / total for i, x in enumerate(sizes)]


def _systematic(chances: Sequence[float], rng: random.Random) -> list[int]:
    """Systematic sampling with unequal probabilities from a list in random order (Madow,
    Annals of Mathematical Statistics 20, 1949)."""
    order = list(range(len(chances)))
    rng.shuffle(order)
    found: list[int] = []
    reached, start = 0.0, rng.random()
    for i in order:
        reached += chances[i]
        if reached > start + len(found):
            found.append(i)
    return found


def _shared_out(sizes: dict[str, int], n: int) -> dict[str, int]:
    """How many of each stratum, as alike as their sizes allow."""
    out = dict.fromkeys(sizes, 0)
    for _ in range(n):
        name = min((k for k in sizes if out[k] < sizes[k]), key=out.__getitem__)
        out[name] += 1
    return out
