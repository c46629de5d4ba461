"""What the surrogates of a language need: its words, and how they are put in form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..surrogates.base import listed
from .inflection import Lexeme, Lexicon, stems

# Letters of acronyms in Latin script.
LATIN_CAPITALS = "ABDEFGHIKLMNOPRSTUVW"


def _same_keys(keys: Sequence[str], beside: str) -> tuple[str, ...]:
    return tuple(keys)


def _anything(text: str, before: str) -> bool:
    return True


@dataclass(frozen=True)
class Tongue:
    """A language's words for surrogates.

    lang (str): ISO 639-1 code.
    home (str): Country that texts are about unless they say otherwise.
    lexicon (Callable): Function without arguments that gives all words; cached.
    neighbours (tuple[str, ...]): Countries where the language is spoken, which stand for
        `home`.
    spoken (tuple[str, ...]): Countries whose towns stay in them, as those of `home` do.
    cities (str): Its towns and the first figures of their post codes, see `coded`.
    postcode (Pattern): Post codes.
    streets (tuple[str, ...]): Names that streets have.
    subjects (tuple[str, ...]): What authorities are for.
    street_people (tuple[str, ...]): Names of people with hyphens, for such streets.
    streets_after (Mapping): Names of streets by the small words before them.
    street (Pattern): What names a street; the group `name` is exchanged.
    kept (Pattern): Words of an organisation's or place's name that say what it is.
    companies (tuple[str, ...]): Names of firms that are none.
    patrons (tuple[str, ...]): Names of hospitals and schools.
    titles (tuple[str, ...]): Names of works and events.
    phrases (tuple[str, ...]): Neutral phrases for what is of no other kind.
    people (tuple[str, ...]): Neutral words for persons' attributes.
    lands (tuple[str, ...]): Neutral words for places in small letters.
    ages (Pattern): Mentions of an age.
    age_words (Pattern): Words that tell an age from a duration.
    capital_letters (str): Letters of acronyms.
    narrow (Callable): Keys of a form and the text before it -> the likely keys.
    agree (Callable): Keys of an adjective's form and the text after it -> those that
        agree with the noun there.
    prefers (Callable): Whether a word may stand after the text before it.
    forms (Callable): Name -> its forms, for names that are in no list.
    keys (Callable): A name in no list and the text before it -> keys of its form.
    noun_keys (Callable): The same for a noun that is no name.
    adjectives (Callable): An adjective in no list -> keys of its form; empty for others.
    """

    lang: str
    home: str
    lexicon: Callable[[], Lexicon]
    neighbours: tuple[str, ...]
    spoken: tuple[str, ...]
    cities: str
    postcode: re.Pattern[str]
    streets: tuple[str, ...]
    street: re.Pattern[str]
    kept: re.Pattern[str]
    companies: tuple[str, ...]
    patrons: tuple[str, ...]
    titles: tuple[str, ...]
    phrases: tuple[str, ...]
    people: tuple[str, ...]
    lands: tuple[str, ...]
    ages: re.Pattern[str]
    age_words: re.Pattern[str]
    capital_letters: str = LATIN_CAPITALS
    narrow: Callable[[Sequence[str], str], tuple[str, ...]] = _same_keys
    prefers: Callable[[str, str], bool] = _anything
    agree: Callable[[Sequence[str], str], tuple[str, ...]] = _same_keys
    forms: Callable[[str], Mapping[str, str]] = field(
        default=lambda name: {"-": name, "s": name + "s"}
    )
    keys: Callable[[str, str], tuple[str, ...]] = field(
        default=lambda word, before: ("-",)
    )
    noun_keys: Callable[[str, str], tuple[str, ...]] = field(
        default=lambda word, before: ()
    )
    subjects: tuple[str, ...] = ()
    street_people: tuple[str, ...] = ()
    streets_after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    adjectives: Callable[[str], tuple[str, ...]] = field(default=lambda word: ())

    @cached_property
    def postcodes(self) -> dict[str, str]:
        """First figures of the post codes of its towns."""
        return dict(map(coded, listed(self.cities)))


def coded(item: str) -> tuple[str, str]:
    """A town and the first figures of its post codes.

    item (str): For example "Gera/Geraer:07"; what is called after the town may be left
        out.
    RETURNS (tuple[str, str]): "Gera" and "07"; no figures for towns without.
    """
    names, _, code = item.partition(":")
    return names.partition("/")[0], code


def terms(table: str) -> list[Lexeme]:
    """Rows of terms from lines of subtype, endings and stems with semicolons between.

    table (str): For example "OCCUPATION; - s n in innen; Bäcker,Lehrer". Terms of one
        line stand for one another; "-" is no ending.
    RETURNS (list[Lexeme]): The terms, rows named `term:SUBTYPE:number`.
    """
    out: list[Lexeme] = []
    for number, line in enumerate(table.strip().splitlines()):
        subtype, endings, words = (part.strip() for part in line.split(";"))
        out += stems(f"term:{subtype}:{number}", words, endings)
    return out
