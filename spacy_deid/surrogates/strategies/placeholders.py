"""Strategies that show nothing of the original: a mark, its type, or an example."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...lang.name_forms import name_forms
from ...registries import registry
from ...text.names import title_gender
from ..base import Mention, fits_article, match_case
from ..consistency import corpus_entities
from .base import Blind, Context, has_content
from .words import strategy_words

_TRIES = 24


@registry.deid_strategies("spacy_deid.redact.v1")
@dataclass(frozen=True)
class Redact(Blind):
    """One fixed mark for everything. ε = 0 if nothing is missed."""

    mark: str = "***"
    name: ClassVar[str] = "spacy_deid.redact.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        mark = context.mark if context.forbidden(self.mark) else self.mark
        return [mark] * len(mentions)


@registry.deid_strategies("spacy_deid.typed_placeholder.v1")
@dataclass(frozen=True)
class TypedPlaceholder(Blind):
    """The semantic type: "[PERSON 1]", "[PERSON 2]", "[LOC 1]".

    numbered (bool): Number the entities of each type in order of appearance, so that
        a reader can follow who is who. ε is infinite then, since the numbers tell
        which mentions belong together; without numbers it is that of `redact`.
    brackets (str): An opening and a closing character, or "" for none.
    """

    numbered: bool = True
    brackets: str = "[]"
    name: ClassVar[str] = "spacy_deid.typed_placeholder.v1"

    def __post_init__(self) -> None:
        if len(self.brackets) not in (0, 2) or has_content(self.brackets):
            raise ValueError(
                "'brackets' should be an opening and a closing character, or empty"
            )

    def _text(self, label: str, number: int | None = None) -> str:
        inner = label if number is None else f"{label} {number}"
        return f"{self.brackets[:1]}{inner}{self.brackets[1:]}"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        if self.numbered and context.scope == "corpus":
            return self._by_key(mentions, context)
        last: dict[str, int] = {}
        keys = [(m.label, m.entity_id if self.numbered else 0) for m in mentions]
        texts = {key: self._next(key[0], last, context) for key in dict.fromkeys(keys)}
        return [texts[key] for key in keys]

    def _next(self, label: str, last: dict[str, int], context: Context) -> str:
        """The next number that is not masked itself; it is left out of the count."""
        if self.numbered:
            first = last.get(label, 0) + 1
            for last[label] in range(first, first + _TRIES):
                text = self._text(label, last[label])
                if not context.forbidden(text):
                    return text
        plain = self._text(label)
        return context.mark if context.forbidden(plain) else plain

    def _by_key(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        """Numbers that key and entity choose, the same in all documents."""
        out = [context.mark] * len(mentions)
        taken: set[str] = set()
        for (label, entity), where in corpus_entities(mentions).items():
            rng = context.random_for("placeholder", f"{label} {entity}")
            for _ in range(_TRIES):
                text = self._text(label, rng.randrange(1, 1_000_000))
                if text not in taken and not context.forbidden(text):
                    taken.add(text)
                    for i in where:
                        out[i] = text
                    break
        return out

    def epsilon(self, recall: float | None) -> float:
        return math.inf if self.numbered else super().epsilon(recall)


@registry.deid_strategies("spacy_deid.named_placeholder.v1")
@dataclass(frozen=True)
class NamedPlaceholder(Blind):
    """One fixed well-known example for each kind: every city is London. ε = 0 if
    nothing is missed."""

    name: ClassVar[str] = "spacy_deid.named_placeholder.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        return [_exemplar(mention, context) for mention in mentions]


def _exemplars(mention: Mention, lang: str) -> Sequence[str]:
    """Examples by subtype or else type; what a language lacks is the same in English."""
    english: Mapping[str, Sequence[str]] = strategy_words("en")["exemplars"]
    own = strategy_words(lang).get("exemplars", {})
    found = own.get(mention.subtype) or english.get(mention.subtype)
    if found:
        return found
    label = mention.label if mention.label in english else "MISC"
    if label == "PERSON":
        words = mention.text.split()
        untitled = [w for w in words if title_gender(w) is None] or words
        label = "ONE_NAME" if len(untitled) == 1 else label
    return own.get(label, english[label])


def _exemplar(mention: Mention, context: Context) -> str:
    small = mention.text.islower() and mention.label in ("DATETIME", "DEM", "ORG")
    forms = name_forms(context.lang)
    texts = []
    for text in _exemplars(mention, context.lang):
        # "6 мая" is all small letters, "1 January" is not.
        text = text if small else match_case(text, mention.text)
        person = mention.label == "PERSON"
        texts.append(forms.in_same_case(text, mention.text, mention.before, person))
    # One that fits "a" or "an" before it comes first; the order stays otherwise.
    texts.sort(key=lambda text: not fits_article(text, mention.before))
    return next((text for text in texts if not context.forbidden(text)), context.mark)
