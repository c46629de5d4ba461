"""`full_entity`: whole entities by surrogates of the same kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...registries import registry
from ..base import Mention
from ..consistency import in_corpus
from ..languages import in_language
from .base import Context, Registered, has_content


@registry.deid_strategies("spacy_deid.full_entity.v1")
@dataclass(frozen=True)
class FullEntity(Registered):
    """Whole entities by surrogates of the same kind, one for all mentions of an
    entity. Its ε is infinite: consistency is what the lemma does not cover."""

    name: ClassVar[str] = "spacy_deid.full_entity.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        out = [context.mark] * len(mentions)
        places = [i for i, m in enumerate(mentions) if has_content(m.text)]
        make = in_language(context.surrogates, context.lang)
        if context.scope == "corpus":
            make = in_corpus(make)
        found = make(
            [mentions[i] for i in places], context.random_for, context.forbidden
        )
        if len(found) != len(places):
            raise ValueError(
                f"the surrogate generator gave {len(found)} texts for "
                f"{len(places)} mentions"
            )
        for i, text in zip(places, found):
            out[i] = text
        return out

    def epsilon(self, recall: float | None) -> float:
        return math.inf
