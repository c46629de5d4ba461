"""Towns of the world, with how many people live there."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from math import log
from typing import NamedTuple

import phonenumbers

from ..data import table
from .countries import Country, index
from .names import fold


class Town(NamedTuple):
    """A town.

    name (str): Its name.
    people (int): Thousands of inhabitants, at least 1.
    """

    name: str
    people: int


def stands_for(people: float, other: float, closeness: int = 1) -> float:
    """How often a town is drawn for another one: large ones more often, and those of its size.

    people (float): Inhabitants of the one.
    other (float): Inhabitants of the other, in the same unit.
    closeness (int): How much the sizes count.
    RETURNS (float): A weight.
    """
    return people**0.5 / (1 + abs(log(people / other))) ** closeness


@cache
def country_by_code(code: str) -> Country | None:
    """A country by its ISO 3166 code; None for one that surrogates are not drawn from."""
    names = (row["country"] for row in table("world") if row["code"] == code)
    return index().by_name.get(fold(next(names, "")))


# Numbers that only British and North American ones look like.
_AT_HOME = re.compile(r"(?P<US>1?[2-9]\d\d[2-9]\d{6})|(?P<GB>0(?:[123]\d|7[1-9])\d{8})")


def country_of_phone(number: str) -> Country | None:
    """The country of a telephone number; None if neither an international prefix nor
    its form tells any."""
    form = _AT_HOME.fullmatch(re.sub(r"\D", "", number))
    try:
        parsed = phonenumbers.parse(number, form.lastgroup if form else None)
    except phonenumbers.NumberParseException:
        return None
    region = phonenumbers.region_code_for_number(parsed)
    code = parsed.country_code or 0
    return country_by_code(region or phonenumbers.region_code_for_country_code(code))


@lru_cache(maxsize=1)
def _towns() -> dict[str, tuple[Town, ...]]:
    out = {}
    for row in table("towns"):
        country = country_by_code(row["country"])
        if country is not None:
            cells = (x.rpartition(":") for x in row["towns"].split(",") if x)
            out[country.name] = tuple(Town(n, max(int(p), 1)) for n, _, p in cells)
    return out


@lru_cache(maxsize=1)
def _homes() -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for country, towns in _towns().items():
        for town in towns:
            out.setdefault(fold(town.name), {}).setdefault(country, town.people)
    return out


def towns_of(country: Country) -> tuple[Town, ...]:
    """The larger towns of a country, the largest first; empty if none are known."""
    return _towns().get(country.name, ())


def homes_of(name: str) -> dict[str, int]:
    """Countries that have a town of a name, with the thousands of its inhabitants.

    name (str): Its name, folded.
    RETURNS (dict[str, int]): By country; empty for what is no larger town. It is
        shared: do not change it.
    """
    return _homes().get(name, {})
