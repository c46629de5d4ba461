"""Replacement at random with a probability p and a policy blind to what it replaces
(Adelani et al. 2020, section 3): the strategy whose ε can be chosen.

The unit is a value, with all its occurrences in a document. With probability p it gives
way to a value drawn by the policy; if the draw is the value itself, or in the other
1 - p, it stays as it is and looks like any other replacement. What stays is no longer
masked, so p < 1 has to be asked for. A value that the policy never gives would stand out
and is always replaced.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...registries import registry
from ...schema import StrategyError
from ..base import Mention, RandomFor, match_case, normalise
from ..epsilon import (
    capped,
    collision_delta,
    document_epsilon,
    replacement_epsilon,
    share_of_found,
)
from .base import Context, Registered, has_content, toss
from .policies import LexiconPolicy, Policy

_TRIES = 200


@dataclass(frozen=True)
class RandomReplacement(Registered):
    """See `make_random_replacement`."""

    p: float = 1.0
    policy: Policy = field(default_factory=LexiconPolicy)
    name: ClassVar[str] = "spacy_deid.random_replacement.v1"
    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0.0 < self.p <= 1.0:
            raise ValueError(f"'p' should be above 0 and at most 1, not {self.p}")

    def keeps(
        self,
        mentions: Sequence[Mention],
        random_for: RandomFor,
        document: str,
        recall: float | None,
    ) -> list[bool]:
        """Which mentions stay as they are: all of a value or none.

        mentions (Sequence[Mention]): All mentions to be masked, in document order.
        random_for, document: See `toss`.
        recall (Optional[float]): The detectors' recall: of what they find as much is
            replaced as makes p in all, if that can be.
        RETURNS (list[bool]): One answer a mention.
        """
        share = share_of_found(self.p, recall)
        if share == 1.0:
            return [False] * len(mentions)
        coins = toss("replacement-coin", mentions, random_for, document)
        values = [(m.label, normalise(m.text)) for m in mentions]
        kept: dict[tuple[str, str], bool] = {}
        forms: dict[tuple[str, str], set[bool]] = {}
        for mention, value, coin in zip(mentions, values, coins):
            # 0 for what the policy never gives.
            lexicon = self.policy.lexicon(mention)
            chance = 0.0 if lexicon is None else lexicon.probability(mention.text)
            forms.setdefault(value, set()).add(chance > 0.0)
            kept.setdefault(value, coin < 1.0 - share + share * chance)
        # One occurrence that would stand out gives the others away.
        return [kept[value] and forms[value] == {True} for value in values]

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        drawn: dict[tuple[str, str], str] = {}
        out = []
        for mention in mentions:
            if not has_content(mention.text):
                out.append(context.mark)
                continue
            value = mention.label, normalise(mention.text)
            if value not in drawn:
                drawn[value] = self._draw(mention, len(drawn), context)
            out.append(match_case(drawn[value], mention.text))
        return out

    def _draw(self, mention: Mention, place: int, context: Context) -> str:
        lexicon = self.policy.lexicon(mention)
        if lexicon is None:
            raise StrategyError(
                f"the replacement policy has no values of type '{mention.label}': add "
                f"some to its file, or choose another strategy for this type"
            )
        rng = context.random_for("replacement", f"{context.document} {place}")
        own = normalise(mention.text)
        for _ in range(_TRIES):
            new = lexicon.draw(rng)
            written = match_case(new, mention.text)
            if normalise(new) != own and not context.forbidden(written):
                return new
        return context.mark

    def epsilon(self, recall: float | None) -> float:
        p = capped(self.p, recall)
        return 0.0 if p == 1.0 else replacement_epsilon(self.policy.bounds()[0], p)

    def delta(self, values: int, recall: float | None = None) -> float:
        """δ of a document: the price of never drawing one of its originals."""
        epsilon = document_epsilon(self.epsilon(recall), values)
        largest = self.policy.bounds()[1]
        return collision_delta(largest, values, min(epsilon, math.inf))

    def config(self) -> dict[str, Any]:
        policy = self.policy.config()
        return {"@deid_strategies": self.name, "p": self.p, "policy": policy}


@registry.deid_strategies("spacy_deid.random_replacement.v1")
def make_random_replacement(
    p: float = 1.0, policy: Policy | None = None
) -> RandomReplacement:
    """Each value by one drawn at random, with probability p; all occurrences of a value
    in a document share the draw, different documents do not.

    p (float): Probability that a value is replaced. Below 1 originals stay in the
        output on purpose: nobody can tell them from surrogates, and ε says how little.
    policy (Optional[Policy]): What to draw from, of the registry `deid_policies`:
        `spacy_deid.lexicon_policy.v1` (an external lexicon, the default) or
        `spacy_deid.corpus_policy.v1` (the corpus's own values).
    RETURNS (Callable): The strategy.
    RAISES (ValueError): If p is no probability above 0.
    """
    return RandomReplacement(p, LexiconPolicy() if policy is None else policy)
