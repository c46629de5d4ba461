"""`redact` and `typed_placeholder`: a mark, or the semantic type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...registries import registry
from ..base import Mention
from ..consistency import corpus_entities
from ..epsilon import capped, replacement_epsilon
from .base import Context, Registered, has_content

_TRIES = 24


@dataclass(frozen=True)
class Redact(Registered):
    """See `make_redact`."""

    mark: str = "***"
    name: ClassVar[str] = "spacy_deid.redact.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        mark = context.mark if context.forbidden(self.mark) else self.mark
        return [mark] * len(mentions)

    def epsilon(self, recall: float | None) -> float:
        return replacement_epsilon(0.0, capped(1.0, recall))


@dataclass(frozen=True)
class TypedPlaceholder(Registered):
    """See `make_typed_placeholder`."""

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
        texts: dict[tuple[str, int], str] = {}
        last: dict[str, int] = {}
        for mention in mentions:
            key = (mention.label, mention.entity_id if self.numbered else 0)
            if key not in texts:
                texts[key] = self._next(mention.label, last, context)
        return [texts[m.label, m.entity_id if self.numbered else 0] for m in mentions]

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
        if self.numbered:
            return math.inf
        return replacement_epsilon(0.0, capped(1.0, recall))


@registry.deid_strategies("spacy_deid.redact.v1")
def make_redact(mark: str = "***") -> Redact:
    """One fixed mark for everything. ε = 0 if nothing is missed.

    mark (str): The mark.
    RETURNS (Callable): The strategy.
    """
    return Redact(mark)


@registry.deid_strategies("spacy_deid.typed_placeholder.v1")
def make_typed_placeholder(
    numbered: bool = True, brackets: str = "[]"
) -> TypedPlaceholder:
    """The semantic type: "[PERSON 1]", "[PERSON 2]", "[LOC 1]".

    numbered (bool): Number the entities of each type in order of appearance, so that
        a reader can follow who is who. ε is infinite then, since the numbers tell
        which mentions belong together; without numbers it is that of `redact`.
    brackets (str): An opening and a closing character, or "" for none.
    RETURNS (Callable): The strategy.
    """
    return TypedPlaceholder(numbered, brackets)
