"""Any strategy with a probability p (Adelani et al. 2020, section 3): each value of a
document gives way with probability p, and stays as it is otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...registries import registry
from ..base import Mention, RandomFor
from ..epsilon import capped, share_of_found
from .base import Context, Registered, Strategy, config_of, epsilon_of, toss
from .full_entity import FullEntity


@dataclass(frozen=True)
class ByChance(Registered):
    """See `make_by_chance`."""

    strategy: Strategy = field(default_factory=FullEntity)
    p: float = 1.0
    name: ClassVar[str] = "spacy_deid.by_chance.v1"

    def __post_init__(self) -> None:
        if not 0.0 <= self.p <= 1.0:
            raise ValueError(f"'p' should be from 0 to 1, not {self.p}")

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        return self.strategy(mentions, context)

    def keeps(
        self,
        mentions: Sequence[Mention],
        random_for: RandomFor,
        document: str,
        recall: float | None,
    ) -> list[bool]:
        """Which mentions stay as they are, all of a value or none; see
        `RandomReplacement.keeps`."""
        share = share_of_found(self.p, recall)
        coins = toss("chance-coin", mentions, random_for, document)
        out = [coin >= share for coin in coins]
        own = getattr(self.strategy, "keeps", None)
        if own is None:
            return out
        others = own(mentions, random_for, document, recall)
        return [a or b for a, b in zip(out, others, strict=True)]

    @property
    def random(self) -> bool:  # type: ignore[override]
        return bool(getattr(self.strategy, "random", False))

    @property
    def truthful(self) -> bool:  # type: ignore[override]
        return bool(getattr(self.strategy, "truthful", False))

    def epsilon(self, recall: float | None) -> float:
        """That of the strategy if so much is replaced at all: what chance has left is
        seen as what a detector has missed."""
        if self.p == 0.0:
            return math.inf
        return epsilon_of(self.strategy, capped(self.p, recall))

    def config(self) -> dict[str, Any] | None:
        block = config_of(self.strategy)
        if block is None:
            return None
        return {"@deid_strategies": self.name, "strategy": block, "p": self.p}


@registry.deid_strategies("spacy_deid.by_chance.v1")
def make_by_chance(strategy: Strategy | None = None, p: float = 1.0) -> ByChance:
    """A strategy for each value with probability p; a value stays as it is otherwise, all
    its occurrences in a document together.

    strategy (Optional[Callable]): What becomes of a value that gives way; `full_entity`
        if None.
    p (float): Below 1 originals stay in the output on purpose, in their own person
        beside marks; what that costs is ε, which only `word_by_word` bounds.
    RETURNS (Callable): The strategy.
    RAISES (ValueError): If p is no probability.
    """
    return ByChance(FullEntity() if strategy is None else strategy, p)
