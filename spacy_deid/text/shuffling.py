"""Orders in which candidates are tried."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from typing import TypeVar

from .folding import fold

T = TypeVar("T")
_TRIES = 40


def shuffled(items: Sequence[T], rng: random.Random) -> Iterator[T]:
    """All items once each, in an order that depends on `rng` alone.

    A walk with a stride prime to the length: no copy of a long list is made.

    items (Sequence): What to draw from.
    rng (Random): Gives start and stride.
    YIELDS: The items.
    """
    n = len(items)
    if not n:
        return
    position = rng.randrange(n)
    stride = rng.randrange(1, n) if n > 1 else 1
    while gcd(stride, n) != 1:
        stride += 1
    for _ in range(n):
        yield items[position]
        position = (position + stride) % n


def another(names: Sequence[str], old: str, rng: random.Random) -> str:
    """One of some names that a text does not have; any one if it has them all."""
    told, drawn = fold(old), (rng.choice(names) for _ in range(_TRIES))
    return next((name for name in drawn if fold(name) not in told), names[0])


def preferred_first(items: Iterable[T], prefer: Callable[[T], bool]) -> Iterator[T]:
    """All items, those that are preferred before the others; no more is taken of
    `items` than is asked for."""
    others = []
    for item in items:
        if prefer(item):
            yield item
        else:
            others.append(item)
    yield from others


def weighted(
    items: Iterable[T], weight: Callable[[T], float], rng: random.Random
) -> list[T]:
    """All items, each as likely to come first as its part of the weights (Efraimidis and
    Spirakis 2006).

    weight (Callable): Weight of an item, above 0.
    """
    drawn = [(rng.random() ** (1 / weight(item)), item) for item in items]
    drawn.sort(key=lambda pair: pair[0], reverse=True)
    return [item for _, item in drawn]


def often_first(
    items: Sequence[T], sums: Sequence[float], rng: random.Random, many: int = 20
) -> Iterator[T]:
    """Some items as likely to come as their part of the weights, then all.

    sums (Sequence[float]): Running sums of their weights.
    many (int): How many come by their weights; one may come again.
    """
    for _ in range(many if items else 0):
        at = bisect(sums, rng.random() * sums[-1])
        yield items[min(at, len(items) - 1)]
    yield from shuffled(items, rng)
