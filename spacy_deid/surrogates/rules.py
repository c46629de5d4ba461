"""Ordered lists of small named rules: the first that applies and gives a usable text
decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .base import MAX_TRIES, Draws

Case = TypeVar("Case")


@dataclass(frozen=True)
class Rule(Generic[Case]):
    """One way to replace a mention.

    name (str): What it does, for whoever reads the list.
    make (Callable): A case -> candidates, in order of preference.
    applies (Optional[Callable]): Whether to ask it; it is always asked if None.
    tries (int): How many candidates are looked at.
    world (Optional[type]): Which kind of `case.world` it is for; None for all.
    """

    name: str
    make: Callable[[Case], Iterable[str]]
    applies: Callable[[Case], bool] | None = None
    tries: int = MAX_TRIES
    world: type | None = None

    def asked(self, case: Case) -> bool:
        """Whether it is asked for a case."""
        world = getattr(case, "world", None)
        fits = self.world is None or isinstance(world, self.world)
        return fits and (self.applies is None or self.applies(case))


def apply(
    rules: Sequence[Rule[Case]], case: Case, draws: Draws, key: str, before: str = ""
) -> str | None:
    """The first usable text that a rule of a list makes.

    rules (Sequence[Rule]): In order.
    case (Any): What the rules look at, the same for all.
    draws (Draws): The document's draws, which refuse and remember.
    key (str): Normal form of the original.
    before (str): Text before the mention, whose article should fit.
    RETURNS (Optional[str]): Claimed for the key; None if no rule has one.
    """
    asked = (rule for rule in rules if rule.asked(case))
    found = (draws.pick(rule.make(case), key, before, rule.tries) for rule in asked)
    return next((text for text in found if text is not None), None)


def candidates(rules: Sequence[Rule[Case]], case: Case) -> Iterator[str]:
    """What all rules of a list make that apply, in order, for one draw among them all.

    rules (Sequence[Rule]): In order; `tries` does not count.
    case (Any): What the rules look at, the same for all.
    YIELDS (str): Candidates; some may be empty.
    """
    for rule in rules:
        if rule.asked(case):
            yield from rule.make(case)
