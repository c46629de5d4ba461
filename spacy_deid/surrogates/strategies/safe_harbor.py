"""What the Safe Harbor rule lets stand: of a date the year, of a ZIP code its first three
digits, of an age over 89 the category (45 CFR 164.514(b)(2)(i), (B) and (C)).

Whatever is none of these becomes its type, as `typed_placeholder` has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...data import entries, facts, language_with
from ...registries import registry
from ...risk.profiles import CONDITIONS, OLDEST, oldest_year
from ...text.dates import is_finer_than_year, years_in
from ..base import Mention
from .base import Context, Registered
from .generalize import phrases_in
from .placeholders import TypedPlaceholder

_ZIP = re.compile(r"(?<!\d)(\d{3})\d\d(?!\d)")
_JOINED = re.compile(r"\d-|-old\b", re.I)


@dataclass(frozen=True)
class SafeHarbor(Registered):
    """What all of them share."""

    truthful: ClassVar[bool] = True

    def text(self, mention: Mention, context: Context) -> str:
        """What may stand; "" if nothing may."""
        raise NotImplementedError

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        types = TypedPlaceholder(numbered=False)(mentions, context)
        texts = (self.text(mention, context) for mention in mentions)
        return [
            text if text and not context.forbidden(text) else placeholder
            for text, placeholder in zip(texts, types)
        ]


@registry.deid_strategies("spacy_deid.year_only.v1")
@dataclass(frozen=True)
class YearOnly(SafeHarbor):
    """Of a date the year; "1936 or earlier" for all that tell an age over 89."""

    name: ClassVar[str] = "spacy_deid.year_only.v1"

    def text(self, mention: Mention, context: Context) -> str:
        years, oldest = years_in(mention.text), oldest_year()
        if not years:
            return ""
        if years[0] <= oldest:
            return _words(context.lang)["earlier"].format(oldest)
        for phrase in phrases_in(context.lang)(mention, ""):
            if years_in(phrase) and not is_finer_than_year(phrase):
                return phrase
        return str(years[0])


@registry.deid_strategies("spacy_deid.zip3.v1")
@dataclass(frozen=True)
class Zip3(SafeHarbor):
    """The first three digits of a ZIP code, 000 for those that are restricted."""

    name: ClassVar[str] = "spacy_deid.zip3.v1"

    def text(self, mention: Mention, context: Context) -> str:
        found = _ZIP.search(mention.text)
        if found is None:
            return ""
        digits = "000" if found[1] in entries("restricted_zips") else found[1]
        return mention.text[: found.start()] + digits


@registry.deid_strategies("spacy_deid.over_89.v1")
@dataclass(frozen=True)
class Over89(SafeHarbor):
    """One category for ages over 89: "90 or older"."""

    name: ClassVar[str] = "spacy_deid.over_89.v1"

    def text(self, mention: Mention, context: Context) -> str:
        if not CONDITIONS["over_89"](mention.text):
            return ""
        words = _words(context.lang)["over_89"].format(OLDEST)
        # "a 92-year-old man"
        return words.replace(" ", "-") if _JOINED.search(mention.text) else words


def _words(lang: str) -> dict[str, Any]:
    code = language_with("generalize", lang)
    return facts(f"lang/{code}/generalize")["safe_harbor"]
