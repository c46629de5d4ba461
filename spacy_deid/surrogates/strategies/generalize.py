"""Generalization: "a city in Norway" for Oslo, 2022 for 6 January 2022, "in their
forties" for 43 years. What is left says less, is true, and reads as a sentence.

The languages that have words for it (`data/lang/CODE/generalize.json`) share one
algorithm (`phrases`) and bring their grammar; other languages get English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...data import language_with
from ...registries import registry
from ..base import Mention
from ..person_gender import gender_of
from ..world import with_homes
from .base import Context, Registered, has_content
from .generalize_english import English
from .generalize_german import German
from .generalize_russian import Russian
from .phrases import Phrases

_GRAMMARS: dict[str, type[Phrases]] = {"en": English, "de": German, "ru": Russian}


@registry.deid_strategies("spacy_deid.generalize.v1")
@dataclass(frozen=True)
class Generalize(Registered):
    """Each mention by what it is one of: a town by its country, a date by its year, an
    age by its decade, an address by its town, an organisation and a code by their kind,
    a person by "a woman", "a man" or "a person", amounts by their magnitude. What a
    reader may still learn is an original of the document gives way to something
    coarser. ε is infinite: what is left is true.

    lang (Optional[str]): "en", "de", "es" or "ru"; None for the language of the `Doc`,
        English for others.
    """

    lang: str | None = None
    name: ClassVar[str] = "spacy_deid.generalize.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        lang = (self.lang or context.lang or "en")[:2]
        make = phrases_in(lang)
        genders = entity_genders(mentions, lang)
        return [
            _first_usable(m, make(m, genders.get(m.entity_id, "")), context)
            for m in with_homes(mentions)
        ]


def _first_usable(mention: Mention, candidates: Iterator[str], context: Context) -> str:
    told = has_content(mention.text) and len(mention.text) <= 400
    usable = (x for x in candidates if x and not context.forbidden(x))
    return next(usable, context.mark) if told else context.mark


def phrases_in(lang: str) -> Callable[[Mention, str], Iterator[str]]:
    """What makes phrases of a mention and a gender in a language, English for others."""
    code = language_with("generalize", lang)
    return _GRAMMARS.get(code, Phrases)(code).of


def entity_genders(mentions: Sequence[Mention], lang: str = "en") -> dict[int, str]:
    """Gender of each person by titles, given names and the pronouns around.

    mentions (Sequence[Mention]): All mentions of a document.
    lang (str): Language of the text.
    RETURNS (dict[int, str]): "m" or "f" by entity; others are unknown.
    """
    groups: dict[int, list[Mention]] = {}
    for mention in mentions:
        if mention.label == "PERSON":
            groups.setdefault(mention.entity_id, []).append(mention)
    return {entity: gender_of(group, lang) for entity, group in groups.items()}
