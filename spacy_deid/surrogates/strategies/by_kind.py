"""A strategy for each type and each decision, in one config."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, ClassVar

from ...registries import registry
from ...risk.profiles import known_types
from ...schema import DIRECT, QUASI, SEMANTIC_TYPES, strictest
from ..base import Mention, RandomFor
from .base import Context, Registered, Strategy, by_part, config_of, epsilon_of
from .full_entity import FullEntity

_DECISIONS = (DIRECT, QUASI)


@dataclass(frozen=True)
class ChooseStrategy(Registered):
    """See `make_choose_strategy`."""

    default: Strategy = field(default_factory=FullEntity)
    rules: Mapping[str, Strategy] = field(default_factory=dict)
    name: ClassVar[str] = "spacy_deid.choose_strategy.v1"

    def __post_init__(self) -> None:
        for key, strategy in self.rules.items():
            decision, slash, kind = key.rpartition("/")
            if (slash and decision not in _DECISIONS) or not kind or kind == "NO_MASK":
                raise ValueError(
                    f"rule {key!r} should be a decision ({' or '.join(_DECISIONS)}), a "
                    f"type or subtype, or both: 'QUASI/DATETIME'"
                )
            # Other names may be subtypes of patterns of one's own.
            others = () if kind in known_types() else SEMANTIC_TYPES
            if close := get_close_matches(kind, others, 1, cutoff=0.8):
                raise ValueError(f"rule {key!r}: no type; is {close[0]} meant?")
            if not callable(strategy):
                raise ValueError(f"rule {key!r} has no strategy")

    def strategy_for(self, label: str, subtype: str, decision: str) -> Strategy:
        """The strategy of the rule that says most about a mention."""
        both = (f"{decision}/{subtype}", f"{decision}/{label}")
        keys = (*both, subtype, label, decision)
        return next((self.rules[k] for k in keys if k in self.rules), self.default)

    def _rules(self, mentions: Sequence[Mention]) -> Iterator[int]:
        """The place of each mention's strategy among all. Equal ones have one, so that
        their mentions number and draw together; mentions of one entity share its
        strictest decision."""
        decisions: dict[int, list[str]] = {}
        for mention in mentions:
            if mention.decision in _DECISIONS:
                decisions.setdefault(mention.entity_id, []).append(mention.decision)
        strict = {entity: strictest(found) for entity, found in decisions.items()}
        every = self._all()
        for m in mentions:
            decision = strict.get(m.entity_id, "")
            yield every.index(self.strategy_for(m.label, m.subtype, decision))

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        every = self._all()
        return by_part(
            mentions, self._rules(mentions), lambda i, part: every[i](part, context)
        )

    def keeps(
        self,
        mentions: Sequence[Mention],
        random_for: RandomFor,
        document: str,
        recall: float | None,
    ) -> list[bool]:
        """Which mentions stay as they are, by the strategy of each."""
        every = self._all()

        def made(i: int, part: list[Mention]) -> list[bool]:
            keeps = getattr(every[i], "keeps", None)
            if keeps is None:
                return [False] * len(part)
            return keeps(part, random_for, document, recall)

        return by_part(mentions, self._rules(mentions), made)

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether any strategy draws independently of what it replaces."""
        return any(getattr(s, "random", False) for s in self._all())

    def _all(self) -> list[Strategy]:
        return [self.default, *self.rules.values()]

    def epsilon(self, recall: float | None) -> float:
        """A value meets one strategy, the costliest at worst."""
        return max(epsilon_of(strategy, recall) for strategy in self._all())

    def config(self) -> dict[str, Any] | None:
        blocks = [config_of(strategy) for strategy in self._all()]
        if None in blocks:
            return None
        rules = dict(zip(self.rules, blocks[1:]))
        return {"@deid_strategies": self.name, "default": blocks[0], "rules": rules}


@registry.deid_strategies("spacy_deid.choose_strategy.v1")
def make_choose_strategy(
    default: Strategy | None = None, rules: dict[str, Any] | None = None
) -> ChooseStrategy:
    """A strategy of its own for each type, subtype and decision.

    default (Optional[Callable]): What no rule speaks of; `full_entity` if None.
    rules (Optional[dict[str, Callable]]): Strategies by `DIRECT` or `QUASI`, by type or subtype
        (`DATETIME`, `EMAIL`), or by both ("QUASI/DATETIME"). The most specific counts:
        both before one, a subtype before its type, a type before a decision.
    RETURNS (Callable): The strategy. Its ε is that of the costliest part.
    RAISES (ValueError): If a rule is none.
    """
    return ChooseStrategy(FullEntity() if default is None else default, rules or {})
