"""Surnames, and names of firms, that stand in no list and look as if they did.

Most surnames are in no list that a program has: two thirds of those in court cases and
biographies are in none of this package's. If all surrogates came from lists, a name
that is in none would be one that a detector has missed.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice

from ..data import facts
from ..gazetteers.lexicon import class_of
from ..text.localities import UK, tables
from ..text.shuffling import shuffled

# Names that firms might have.
FIRMS = tuple(facts("lang/en/organisations")["company"])
# Share of surnames that are coined, about that of people's that are in no list.
SHARE = 0.65
# Of shorter lists the same few names come again and again.
LEAST_NAMES = 200

# Letters that two names have in common where they are joined.
_SHARED = 3
_LENGTHS = range(5, 12)
_TRIES = 40
# Of so many the one is taken that looks most like a name.
_CHOICE = 4


@lru_cache(maxsize=64)
def _tails(pool: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Ends of names by the letters that they begin with."""
    found: dict[str, dict[str, None]] = {}
    for name in pool:
        for i in range(1, len(name) - _SHARED):
            found.setdefault(name[i : i + _SHARED], {})[name[i:]] = None
    return {letters: tuple(tails) for letters, tails in found.items()}


@lru_cache(maxsize=64)
def _letters(pool: tuple[str, ...]) -> dict[str, float]:
    """How often four letters in a row stand in names, as logarithms."""
    counts = Counter(four for name in pool for four in _fours(name))
    return {four: math.log(n) for four, n in counts.items()}


def _fours(name: str) -> list[str]:
    word = f"^{name.lower()}$"
    return [word[i : i + 4] for i in range(len(word) - 3)]


def coined_names(
    pool: tuple[str, ...], rng: random.Random, known: Callable[[str], bool]
) -> Iterator[str]:
    """Names put together of two of a list where these have letters in common:
    "Hampbell" of "Hampton" and "Campbell"; those with the commonest letters first."""
    letters = _letters(pool)

    def likeness(name: str) -> float:
        fours = _fours(name)
        return sum(map(letters.__getitem__, fours)) / len(fours)

    names = _joined(pool, rng, known)
    while some := [*islice(names, _CHOICE)]:
        yield from sorted(some, key=likeness, reverse=True)


def _joined(
    pool: tuple[str, ...], rng: random.Random, known: Callable[[str], bool]
) -> Iterator[str]:
    tails = _tails(pool)
    for _ in range(_TRIES):
        head = rng.choice(pool)
        if len(head) <= _SHARED + 1:
            continue
        # `choice` takes the same bits as `randrange`, in half the time.
        cut = rng.choice(range(1, len(head) - _SHARED))
        name = head[:cut] + rng.choice(tails[head[cut : cut + _SHARED]])
        if len(name) in _LENGTHS and not known(name.lower()):
            yield name


@lru_cache(maxsize=1)
def _brands() -> tuple[str, ...]:
    """What names of firms are put together of: those of the list, and British towns."""
    towns = (row.town for row in tables().by_country[UK] if row.town.isalpha())
    return tuple(dict.fromkeys((*FIRMS, *towns)))


def firm_names(rng: random.Random) -> Iterator[str]:
    """English names of one word that a firm, a club or a work might have, most of them
    coined: "Birchwell". Of the list alone the same few would come again and again."""
    if rng.random() < SHARE:
        yield from coined_names(_brands(), rng, lambda name: bool(class_of(name, "en")))
    yield from shuffled(FIRMS, rng)
