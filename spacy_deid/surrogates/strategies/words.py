"""What `word_by_word` draws from and the examples of `named_placeholder`, by language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...data import facts, faker_lists, has_own
from ...lang.base import pack_of
from ...text.words import function_words

# No list is longer than those of English names: ε is the same in all languages.
_MOST_NAMES = 1500
_NAME_LISTS = "first_names_male first_names_female last_names_male last_names".split()


def strategy_words(lang: str) -> dict[str, Any]:
    """The file `data/lang/CODE/strategy_words.json`; empty if a language has none."""
    known = has_own(lang[:2], "strategy_words.json")
    return facts(f"lang/{lang[:2]}/strategy_words") if known else {}


@dataclass(frozen=True)
class WordLists:
    """Words of a language by kind. `closed` are months, units and so on: the words of a
    row stand for one another."""

    names: tuple[str, ...]
    places: tuple[str, ...]
    countries: tuple[str, ...]
    occupations: tuple[str, ...]
    demonyms: tuple[str, ...]
    organisations: tuple[str, ...]
    common: tuple[str, ...]
    titles: tuple[str, ...]
    closed: tuple[tuple[frozenset[str], tuple[str, ...]], ...]
    stop_words: frozenset[str]

    @property
    def longest(self) -> int:
        """Length of the longest list of names, terms or other words."""
        lists = self.names, self.places, self.countries, self.occupations, self.common
        return max(map(len, lists))


@cache
def word_lists(lang: str) -> WordLists:
    """The words of a language, made once; English ones for those without any.

    lang (str): Code of a language.
    RETURNS (WordLists): Its words.
    RAISES (StrategyError): If what the language needs is not installed.
    """
    own = strategy_words(lang)
    if not own or lang == "en":
        return _made(strategy_words("en"), "en", **_english())
    pack = pack_of(lang)
    assert pack is not None
    rows = pack.lexicon().rows

    def of(row: str) -> tuple[str, ...]:
        found = (x for name, row_ in rows.items() if name.startswith(row) for x in row_)
        return _few([*dict.fromkeys(x.name for x in found if x.name.isalpha())])

    names = _faker(
        f"person.{lang[:2]}_{lang[:2].upper()}",
        lambda p: (str(name) for x in _NAME_LISTS for name in getattr(p, x, ())),
    )
    return _made(
        own,
        lang[:2],
        names=_few(names),
        places=of("city"),
        countries=of("country"),
        occupations=of("term:OCCUPATION"),
        demonyms=of("man") or of("adj"),
        organisations=tuple(n for n in pack.companies if n.isalpha()),
        common=tuple(own["common"].split()),
    )


def _few(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(words[:: -(-len(words) // _MOST_NAMES) or 1])


def _made(own: dict[str, Any], lang: str, **lists: tuple[str, ...]) -> WordLists:
    rows = [tuple(row.split()) for row in own["closed"]]
    return WordLists(
        titles=tuple(own["titles"].split()),
        closed=tuple((frozenset(map(str.casefold, row)), row) for row in rows),
        stop_words=function_words(lang),
        **lists,
    )


def _faker(name: str, read: Callable[[Any], Iterable[str]]) -> tuple[str, ...]:
    provider = faker_lists(name)
    return tuple(sorted({word for word in read(provider) if word.isalpha()}))


def _english() -> dict[str, tuple[str, ...]]:
    names = _faker("person.en_US", lambda p: [*p.first_names, *p.last_names])
    return {
        "names": names,
        "places": _faker("geo", lambda p: (c[2] for c in p.land_coords)),
        "countries": _faker("date_time", lambda p: (c.name for c in p.countries)),
        "occupations": occupations(),
        "demonyms": tuple(strategy_words("en")["demonyms"].split()),
        "organisations": names,
        "common": _faker(
            "lorem.en_US", lambda p: (w for w in p.word_list if len(w) > 3)
        ),
    }


@cache
def occupations() -> tuple[str, ...]:
    """English occupations of one word."""
    return _faker(
        "job", lambda p: (re.split(r"[,/(]", j)[0].split()[-1].lower() for j in p.jobs)
    )
