"""Surrogates in the language of the text: English, German, Russian, Spanish."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..lang.base import LanguagePack, pack_of
from ..registries import registry
from .ages import is_age_in_words
from .base import Draws, Forbidden, Mention, RandomFor, SurrogateMaker, normalise
from .english import Generator, by_kind, kind_by_label, make_english_surrogates


@dataclass(frozen=True)
class LanguageSurrogates:
    """See `make_language_surrogates`.

    lang (Optional[str]): Language whatever the document says; None for the document's.
    weekdays (bool): Whether dates keep their weekdays.
    same_country (bool): Whether places stay in their country.
    """

    lang: str | None = None
    weekdays: bool = False
    same_country: bool = False

    def __post_init__(self) -> None:
        if self.lang is not None and pack_of(self.lang) is None:
            known = ", ".join(sorted(registry.deid_languages.get_all()))
            raise ValueError(
                f"'lang' should be one of {known}, or null for the language of the "
                f"document, not {self.lang!r}"
            )

    def __call__(
        self, mentions: Sequence[Mention], random_for: RandomFor, forbidden: Forbidden
    ) -> list[str]:
        return self.for_language("")(mentions, random_for, forbidden)

    def for_language(self, lang: str) -> SurrogateMaker:
        """The generator for a document.

        lang (str): Code of the document's language; English counts for all that have
            no generator of their own.
        RETURNS (Callable): The generator.
        """
        pack = pack_of((self.lang or lang)[:2])
        if pack is None or pack.lexicon is None:
            return make_english_surrogates(self.weekdays, self.same_country)
        return _Abroad(pack, self.weekdays, self.same_country)


@dataclass(frozen=True)
class _Abroad:
    """Generator for a language other than English."""

    pack: LanguagePack
    weekdays: bool = False
    same_country: bool = False

    def __call__(
        self, mentions: Sequence[Mention], random_for: RandomFor, forbidden: Forbidden
    ) -> list[str]:
        return surrogates_in(
            self.pack,
            mentions,
            random_for,
            forbidden,
            self.weekdays,
            self.same_country,
        )


def in_language(maker: SurrogateMaker, lang: str) -> SurrogateMaker:
    """A generator for the language of a document.

    maker (Callable): Any surrogate generator. One with a method `for_language` makes
        another for each language; others serve all.
    lang (str): Code of the document's language.
    RETURNS (Callable): The generator to use.
    """
    choose: Callable[[str], SurrogateMaker] | None
    choose = getattr(maker, "for_language", None)
    return maker if choose is None else choose(lang)


@registry.deid_surrogates("spacy_deid.language_surrogates.v1")
def make_language_surrogates(
    lang: str | None = None, weekdays: bool = False, same_country: bool = False
) -> LanguageSurrogates:
    """Surrogates of the same type, form, gender and format in the language of the
    text: English, German, Russian and Spanish. Other languages get those for English.

    Names, months, places and numbers follow the language and its grammar; a name of
    another origin stays one of that origin. Russian needs pymorphy3 (extra `russian`)
    and refuses to work without it.

    lang (Optional[str]): "en", "de", "ru" or "es"; None for the language of the `Doc`,
        which is that of the pipeline.
    weekdays (bool): Whether dates move by whole weeks, so that a date keeps its weekday.
        A weekday that stands alone is then written in another way ("Mo" for "Montag").
    same_country (bool): Whether towns and regions stay in their country, whichever it
        is. Those of the language's own country always do (in English those of the
        United Kingdom and the United States). A country that is masked by its name still
        moves, its towns with it.
    RETURNS (Callable): As `english_surrogates` gives it.
    RAISES (ValueError): If there is no such language.
    """
    return LanguageSurrogates(lang, weekdays, same_country)


def kind_in(pack: LanguagePack, mention: Mention) -> str:
    """Generator of a mention: by subtype, label of any scheme, or text.

    pack (LanguagePack): The language.
    mention (Mention): Any mention.
    RETURNS (str): A semantic type, or "AGE".
    """
    kind = kind_by_label(mention)
    text = mention.text
    if kind == "AGE":
        # An age in other words than numbers is a term like others.
        figures = any(ch.isdecimal() for ch in text)
        return kind if figures or is_age_in_words(text, pack.lang) else "DEM"
    if (
        kind == "DEM" or (kind == "DATETIME" and re.search(r"\d", mention.text))
    ) and not mention.subtype:
        full = re.fullmatch(r"(?:1[0-9]|20)\d\d", text)
        if kind == "DEM" and full is not None:
            # A year of birth.
            return "DATETIME"
        alone = text.isdecimal() and kind == "DATETIME"
        if len(text) <= 60 and not alone and _is_age(pack, text, kind):
            return "AGE"
    return kind


def _is_age(pack: LanguagePack, text: str, kind: str) -> bool:
    """Whether a text is an age; for a date it has to say so."""
    if not any(ch.isdecimal() for ch in text) or not pack.ages.fullmatch(text):
        return False
    return kind == "DEM" or pack.age_words.search(text) is not None


def surrogates_in(
    pack: LanguagePack,
    mentions: Sequence[Mention],
    random_for: RandomFor,
    forbidden: Forbidden,
    weekdays: bool = False,
    same_country: bool = False,
) -> list[str]:
    """New texts of a document's mentions in a language; see `make_language_surrogates`.

    pack (LanguagePack): The language.
    mentions (Sequence[Mention]): All mentions, in document order.
    random_for (Callable): Generator of random numbers for a kind and an entity.
    forbidden (Callable): Whether a text may not be used.
    weekdays (bool): Whether dates keep their weekdays.
    same_country (bool): Whether places stay in their country.
    RETURNS (list[str]): One text a mention.
    """
    from . import organisations_abroad, places_abroad, terms_abroad
    from .journey import Journey

    draws = Draws(random_for, forbidden, pack.lang)
    draws.weekdays = weekdays
    journey = Journey(draws, pack, mentions, same_country)
    own: dict[str, Generator] = {
        "LOC": partial(places_abroad.replace_places, journey=journey),
        "DEM": partial(terms_abroad.replace_terms, journey=journey),
        "ORG": partial(organisations_abroad.replace_organisations, journey=journey),
        "MISC": partial(terms_abroad.replace_misc, journey=journey),
    }
    if pack.lang == "ru":
        from ..lang.ru.persons import replace_persons

        own["PERSON"] = replace_persons
    kinds = [kind_in(pack, mention) for mention in mentions]
    out = by_kind(mentions, kinds, draws, own)
    for i, (mention, text) in enumerate(zip(mentions, out)):
        # Nothing may come through as it was, whatever a generator did.
        key = normalise(mention.text)
        if not text.strip() or normalise(text) == key:
            out[i] = draws.invent("last", key, like=mention.text)
    return out
