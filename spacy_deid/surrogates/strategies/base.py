"""What a replacement strategy is given and gives back (Adelani et al. 2020, section 3).

A strategy is a function of all mentions of a document that gives one new text a
mention. One of your own:

    @registry.deid_strategies("my_strategy.v1")
    def make_my_strategy():
        def my_strategy(mentions, context):
            return [f"<{mention.label}>" for mention in mentions]
        return my_strategy

It may have a method `epsilon(recall)`; without one its ε is infinite. Whatever it
gives, the pseudonymizer sees to it that no original is in the output.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

from ...registries import registry
from ..base import Forbidden, Mention, RandomFor, SurrogateMaker, normalise
from ..epsilon import capped, replacement_epsilon

CHOOSE = "spacy_deid.choose_strategy.v1"
SHORT_NAMES = (
    "redact typed_placeholder named_placeholder word_by_word full_entity generalize "
    "year_only zip3 over_89"
).split()


class Context(NamedTuple):
    """What a strategy may use.

    random_for (Callable): Generator for a kind and an entity, the same for one key.
    forbidden (Callable): True for a text that may not stand in the output.
    surrogates (Callable): The pipeline's surrogate generator.
    mark (str): Neither letters nor digits; may stand for anything.
    document (str): Tells documents apart. Draws may depend on it, not on one mention.
    scope (str): Where one entity has one surrogate: "mention", "sentence", "document"
        or "corpus".
    lang (str): Code of the text's language, or "".
    """

    random_for: RandomFor
    forbidden: Forbidden
    surrogates: SurrogateMaker
    mark: str
    document: str
    scope: str = "document"
    lang: str = ""


Strategy = Callable[[Sequence[Mention], Context], list[str]]


def has_content(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return any(map(str.isalnum, text))


def toss(
    name: str, mentions: Sequence[Mention], random_for: RandomFor, document: str
) -> list[float]:
    """A coin for each mention, from 0 to 1, the same one for all of a value in a document:
    by the place of the value, not by itself, on which nothing may depend.

    name (str): What the coins are for.
    random_for (Callable): Source of the coins.
    document (str): Different for different documents.
    """
    coins: dict[tuple[str, str], float] = {}
    out = []
    for mention in mentions:
        value = mention.label, normalise(mention.text)
        if value not in coins:
            coins[value] = random_for(name, f"{document} {len(coins)}").random()
        out.append(coins[value])
    return out


@dataclass(frozen=True)
class Registered:
    """A strategy that knows under which name it was registered."""

    name: ClassVar[str] = ""
    # Whether it draws at random, independently of what it replaces.
    random: ClassVar[bool] = False
    # Whether what it gives is true of the original, so that it may stand elsewhere.
    truthful: ClassVar[bool] = False

    def config(self) -> dict[str, Any] | None:
        """The block of a config that makes this strategy; None if a part has none."""
        return {"@deid_strategies": self.name, **asdict(self)}

    def epsilon(self, recall: float | None) -> float:
        """No bound unless a strategy proves one."""
        return math.inf


class Blind(Registered):
    """A strategy whose texts show nothing of the original. ε = 0 if nothing is missed."""

    def epsilon(self, recall: float | None) -> float:
        return replacement_epsilon(0.0, capped(1.0, recall))


def epsilon_of(strategy: Strategy, recall: float | None) -> float:
    """What a strategy says of its ε; infinite if it says nothing."""
    epsilon = getattr(strategy, "epsilon", None)
    return math.inf if epsilon is None else epsilon(recall)


def config_of(strategy: Strategy) -> dict[str, Any] | None:
    """The block of a config that makes a strategy; None if it has none."""
    config = getattr(strategy, "config", None)
    return None if config is None else config()


def by_part(
    mentions: Sequence[Mention],
    keys: Iterable[Any],
    made: Callable[[Any, list[Mention]], Sequence[Any]],
) -> list[Any]:
    """What is made of the mentions of one key together, in the order of all.

    mentions (Sequence[Mention]): All mentions of a document.
    keys (Iterable): One a mention.
    made (Callable): A key and its mentions -> one answer for each of these.
    RETURNS (list): One answer a mention.
    RAISES (ValueError): If a part has more or fewer answers than mentions.
    """
    parts: dict[Any, list[int]] = {}
    for i, key in enumerate(keys):
        parts.setdefault(key, []).append(i)
    out: list[Any] = [None] * len(mentions)
    for key, where in parts.items():
        new = made(key, [mentions[i] for i in where])
        if len(new) != len(where):
            raise ValueError(f"there are {len(new)} texts for {len(where)} mentions")
        for i, answer in zip(where, new):
            out[i] = answer
    return out


def get_strategy(name: str | Mapping[str, Any]) -> Strategy:
    """A strategy by its name, or one for each type.

    name (Union[str, Mapping]): One of SHORT_NAMES, or a registered name; or strategies and
        their names by type, subtype and decision, as `choose_strategy.v1` has them, and
        `default` for all else: `{"PERSON": "full_entity", "default": "redact"}`, or the
        same as "PERSON=full_entity,default=redact".
    RETURNS (Callable): The strategy with its default settings.
    RAISES (ValueError): If there is none of this name.
    """
    if isinstance(name, str) and "=" in name:
        rules = (part.strip() for part in name.split(",") if "=" in part)
        name = dict(rule.split("=", 1) for rule in rules)
    if not isinstance(name, str):
        made = {k: v if callable(v) else get_strategy(v) for k, v in name.items()}
        default = made.pop("default", None)
        return registry.get("deid_strategies", CHOOSE)(default, made)
    full = f"spacy_deid.{name}.v1" if name in SHORT_NAMES else name
    try:
        return registry.get("deid_strategies", full)()
    except Exception as err:
        raise ValueError(
            f"no replacement strategy '{name}': use one of {', '.join(SHORT_NAMES)} "
            f"or a name registered in 'deid_strategies'"
        ) from err
