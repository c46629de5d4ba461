"""`full_entity`: whole entities by surrogates of the same kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...registries import registry
from ..base import Mention
from ..consistency import in_corpus
from ..languages import in_language
from .base import Context, Registered, by_part, has_content


@registry.deid_strategies("spacy_deid.full_entity.v1")
@dataclass(frozen=True)
class FullEntity(Registered):
    """Whole entities by surrogates of the same kind, one for all mentions of an
    entity. Its ε is infinite: consistency is what the lemma does not cover."""

    name: ClassVar[str] = "spacy_deid.full_entity.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        make = in_language(context.surrogates, context.lang)
        if context.scope == "corpus":
            make = in_corpus(make)

        def made(content: bool, part: list[Mention]) -> list[str]:
            if not content:
                return [context.mark] * len(part)
            return make(part, context.random_for, context.forbidden)

        return by_part(mentions, (has_content(m.text) for m in mentions), made)
