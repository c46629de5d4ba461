"""Countries with what is called after them: people, languages, towns, regions."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..data import facts, table
from .names import fold

# Those that are written with "the".
WITH_ARTICLE = frozenset(facts("lang/en/places")["with_article"])


class Country(NamedTuple):
    """A country and what is called after it.

    name (str): As in running text.
    adjective (str): Also the name of a national where `noun` is empty.
    noun (str): One national, if that is another word ("Dane").
    language (str): Of the language, if that is another word than the adjective.
    cities (tuple): Towns.
    regions (tuple): Provinces, counties, states.
    continent (str): Where it is; "" if that is not known.
    """

    name: str
    adjective: str
    noun: str
    language: str
    cities: tuple[str, ...]
    regions: tuple[str, ...]
    continent: str = ""


@lru_cache(maxsize=1)
def countries() -> tuple[Country, ...]:
    """All countries that surrogates are drawn from."""
    continents = {row["country"]: row["continent"] for row in table("world")}
    return tuple(
        Country(
            row["country"],
            row["adjective"],
            row["noun"],
            row["language"] or row["adjective"],
            tuple(filter(None, row["towns"].split(","))),
            tuple(filter(None, row["regions"].split(","))),
            continents.get(row["country"], ""),
        )
        for row in table("countries")
        if row["adjective"]
    )


class _Index(NamedTuple):
    by_name: dict[str, Country]
    by_demonym: dict[str, tuple[Country, str]]
    by_city: dict[str, Country]
    by_region: dict[str, Country]
    by_language: dict[str, Country]


@lru_cache(maxsize=1)
def index() -> _Index:
    """Countries by the names of everything that belongs to them, folded."""
    out = _Index({}, {}, {}, {}, {})
    for country in countries():
        out.by_name[fold(country.name)] = country
        out.by_demonym[fold(country.adjective)] = (country, "adjective")
        if country.noun:
            out.by_demonym.setdefault(fold(country.noun), (country, "noun"))
        for city in country.cities:
            out.by_city.setdefault(fold(city), country)
        for region in country.regions:
            out.by_region.setdefault(fold(region), country)
        out.by_language.setdefault(fold(country.language), country)
    for row in table("country_aliases"):
        country, key = out.by_name[fold(row["country"])], fold(row["name"])
        if row["of"] == "country":
            out.by_name[key] = country
        elif row["of"] == "people":
            out.by_demonym.setdefault(key, (country, "adjective"))
        elif row["of"] == "town":
            out.by_city.setdefault(key, country)
    return out


def demonym(word: str) -> tuple[Country, str, bool] | None:
    """Country, part of speech (`adjective`, `noun`) and number of a nationality.

    word (str): "Turkish", "Turks", "Frenchman".
    RETURNS (Optional[tuple]): Country, part of speech, whether it is a plural.
    """
    key = fold(word)
    known = index().by_demonym
    if found := known.get(key):
        return (*found, False)
    if key[-1:] not in ("s", "n"):
        return None
    for ending, stem in (("s", ""), ("men", "man"), ("women", "woman")):
        if key.endswith(ending) and (found := known.get(key[: -len(ending)] + stem)):
            return (*found, True)
    return None
