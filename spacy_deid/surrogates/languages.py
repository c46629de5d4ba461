"""Surrogates in the language of the text: every kind of mention to its own generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..lang.base import LanguagePack, pack_of
from ..registries import registry
from ..text.folding import file_ending
from . import (
    ages,
    codes,
    dates,
    misc,
    numbers,
    organisations,
    persons,
    places,
    terms,
)
from .articles import (
    fit_numbers,
    note_articles,
    note_words_before,
    without_second_article,
)
from .base import Draws, Forbidden, Mention, RandomFor, SurrogateMaker, normalise
from .cases import Case, World
from .frame import Frame
from .geography import Geography
from .kinds import ORDER, kind_in, kind_of, name_alike, one_type
from .predicates import says_as_much, vaguely
from .spoken import Said

# Labels of what may be told in a phrase of many words.
_TOLD = frozenset(("DEM", "MISC"))
# New texts of all mentions of one kind.
_OF_ANY_LANGUAGE: dict[str, Callable[[Sequence[Mention], Draws], list[str]]] = {
    "PERSON": persons.replace_persons, "DATETIME": dates.replace_dates,
    "AGE": ages.replace_ages, "QUANTITY": numbers.replace_quantities,
    "CODE": codes.replace_codes,
}  # fmt: skip
# Of what belongs to a country.
_OF_COUNTRIES: dict[str, Callable[[Sequence[Mention], World], list[str]]] = {
    "LOC": places.replace_places, "DEM": terms.replace_terms,
    "ORG": organisations.replace_organisations, "MISC": misc.replace_misc,
}  # fmt: skip


@dataclass(frozen=True)
class LanguageSurrogates:
    """See `make_language_surrogates`.

    lang (Optional[str]): Language whatever the document says; None for the document's.
    weekdays (bool): Whether dates keep their weekdays.
    same_country (bool): Whether places stay in their country.
    """

    lang: str | None = None
    weekdays: bool = False
    same_country: bool = True

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
        return self.for_language("en")(mentions, random_for, forbidden)

    def for_language(self, lang: str) -> SurrogateMaker:
        """The generator for a document.

        lang (str): Code of the document's language; English counts for all that have
            no pack.
        RETURNS (Callable): The generator.
        """
        pack = pack_of(self.lang or lang) or pack_of("en")
        assert pack is not None
        return partial(
            surrogates_in, pack, weekdays=self.weekdays, same_country=self.same_country
        )


def in_language(maker: SurrogateMaker, lang: str) -> SurrogateMaker:
    """A generator for the language of a document.

    maker (Callable): Any surrogate generator. One with a method `for_language` makes
        another for each language; others serve all.
    lang (str): Code of the document's language.
    RETURNS (Callable): The generator to use.
    """
    for_language: Callable[[str], SurrogateMaker] | None
    for_language = getattr(maker, "for_language", None)
    return maker if for_language is None else for_language(lang)


@registry.deid_surrogates("spacy_deid.language_surrogates.v1")
def make_language_surrogates(
    lang: str | None = None, weekdays: bool = False, same_country: bool = True
) -> LanguageSurrogates:
    """Surrogates of the same type, form, gender and format in the language of the
    text, for all languages that have a pack (`deid_languages`): English, German, Russian
    and Spanish. Other languages get those for English.

    One person, place or date gets one surrogate throughout a document and different
    ones get different ones; dates keep their order and intervals; identifiers come
    from ranges reserved for fiction where there are any and pass the checks that the
    originals pass (paper 2, section 5). Names, months, places and numbers follow the
    language and its grammar; a name of another origin stays one of that origin. Russian
    needs pymorphy3 (extra `russian`) and refuses to work without it.

    lang (Optional[str]): Code of a language; None for the language of the `Doc`, which
        is that of the pipeline.
    weekdays (bool): Whether dates move by whole weeks, so that a date keeps its weekday.
        A weekday that stands alone is then written in another way ("Mo" for "Montag").
    same_country (bool): Whether towns and regions stay in their country, whichever it
        is. Those of the language's own country always do (in English those of the
        United Kingdom and the United States). A country that is masked by its name still
        moves, its towns with it.
    RETURNS (Callable): Function of all mentions of a document, in document order, a
        generator for each kind and entity, and a predicate of forbidden texts, giving
        one new text a mention.
    RAISES (ValueError): If there is no such language.
    """
    return LanguageSurrogates(lang, weekdays, same_country)


@registry.deid_surrogates("spacy_deid.english_surrogates.v1")
def make_english_surrogates(
    weekdays: bool = False, same_country: bool = True
) -> LanguageSurrogates:
    """As `spacy_deid.language_surrogates.v1`, in English whatever the document says.

    weekdays (bool): Whether dates move by whole weeks.
    same_country (bool): Whether places stay in their country.
    RETURNS (Callable): The generator.
    """
    return LanguageSurrogates("en", weekdays, same_country)


def surrogates_in(
    pack: LanguagePack,
    mentions: Sequence[Mention],
    random_for: RandomFor,
    forbidden: Forbidden,
    weekdays: bool = False,
    same_country: bool = True,
) -> list[str]:
    """New texts of a document's mentions in a language; see `make_language_surrogates`."""
    spoken = Said(mentions, pack.lang)
    draws = Draws(random_for, spoken.apart(forbidden), pack.lang)
    draws.weekdays = weekdays
    written = spoken.written()
    mentions = [*map(_stem, written)]
    endings = [*map(lambda old, m: old.text[len(m.text) :], written, mentions)]
    if pack.lexicon is not None:
        note_words_before(mentions, pack, draws)
        kinds = [kind_in(pack, mention) for mention in mentions]
        world: World = Frame(draws, pack, mentions, same_country)
    else:
        mentions = note_articles(name_alike(one_type(mentions)), draws)
        kinds = [kind_of(mention) for mention in mentions]
        world = Geography(draws, pack, mentions, same_country)
    out = _by_kind(mentions, kinds, world)
    if draws.articles and pack.a_or_an:
        fit_numbers(mentions, kinds, out, draws)
    for i, (mention, text) in enumerate(zip(mentions, out)):
        # Nothing may come through as it was, whatever a generator did.
        key = normalise(mention.text)
        if not text.strip() or normalise(text) == key:
            before = mention.before if pack.a_or_an else ""
            out[i] = draws.invent("last", key, before, mention.text)
        elif (
            pack.lexicon is None
            and kinds[i] in _TOLD
            and says_as_much(text, mention.text)
        ):
            case = Case(mention, world, "told")
            out[i] = case.pick(vaguely(case)) or case.last_resort("told")
        if pack.a_or_an:
            out[i] = without_second_article(out[i], mention, forbidden)
    return spoken.said([*map(str.__add__, out, endings)], draws)


def _stem(mention: Mention) -> Mention:
    """A mention without the ending of a file, which stays: a letter is a ".pdf"."""
    end = "" if mention.subtype == "URL" else file_ending(mention.text)
    stem = mention.text.removesuffix(end)
    return mention._replace(text=stem, after=end + mention.after) if end else mention


def _by_kind(
    mentions: Sequence[Mention],
    kinds: Sequence[str],
    world: World,
) -> list[str]:
    """New texts of a document's mentions, those of each kind by its generator."""
    draws = world.draws
    groups: dict[str, list[int]] = {}
    for i, kind in enumerate(kinds):
        groups.setdefault(kind, []).append(i)
    # Dates of birth move with ages.
    draws.ages = tuple(dict.fromkeys(mentions[i].text for i in groups.get("AGE", ())))
    out = [""] * len(mentions)
    for kind in ORDER:
        where = groups.get(kind, ())
        if where:
            own = [mentions[i] for i in where]
            if kind in _OF_COUNTRIES:
                new = _OF_COUNTRIES[kind](own, world)
            else:
                new = _OF_ANY_LANGUAGE[kind](own, draws)
            for i, text in zip(where, new):
                out[i] = text
            if kind == "ORG":
                draws.organisations = [(mentions[i].text, out[i]) for i in where]
    draws.close()
    return out
