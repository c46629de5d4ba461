"""`named_placeholder`: one well-known example for each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...lang.name_forms import name_forms
from ...registries import registry
from ...text.names import title_gender
from ..base import Mention, fits_article, match_case
from ..epsilon import capped, replacement_epsilon
from .base import Context, Registered
from .words import strategy_words


@dataclass(frozen=True)
class NamedPlaceholder(Registered):
    """See `make_named_placeholder`."""

    name: ClassVar[str] = "spacy_deid.named_placeholder.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        return [_exemplar(mention, context) for mention in mentions]

    def epsilon(self, recall: float | None) -> float:
        return replacement_epsilon(0.0, capped(1.0, recall))


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


@registry.deid_strategies("spacy_deid.named_placeholder.v1")
def make_named_placeholder() -> NamedPlaceholder:
    """One fixed well-known example for each kind: every city is London. ε = 0 if
    nothing is missed.

    RETURNS (Callable): The strategy.
    """
    return NamedPlaceholder()
