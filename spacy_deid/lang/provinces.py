"""Provinces of a language's home country, their towns, names and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Province(NamedTuple):
    """A part of a country that its post codes begin with.

    code (str): The first figures.
    names (tuple[str, ...]): What it is called, the name to write first.
    region (str): The larger part of the country that it belongs to.
    capital (tuple[str, ...]): Names of its capital.
    towns (Mapping[str, str]): Smaller towns and their post codes.
    """

    code: str
    names: tuple[str, ...]
    region: str
    capital: tuple[str, ...]
    towns: Mapping[str, str]

    @property
    def named_alike(self) -> bool:
        """Whether it has the name of its capital."""
        return not set(self.names).isdisjoint(self.capital)


def read_provinces(rows: Iterable[Mapping[str, str]]) -> tuple[Province, ...]:
    """The provinces of a table.

    rows (Iterable[Mapping[str, str]]): With `code`, `names`, `region`, `capital`,
        `towns` ("Almansa 02640,Caudete 02660").
    RETURNS (tuple[Province, ...]): One a row.
    """
    return tuple(
        Province(
            row["code"],
            tuple(row["names"].split(",")),
            row["region"],
            tuple(row["capital"].split(",")),
            dict(town.rsplit(" ", 1) for town in filter(None, towns.split(","))),
        )
        for row in rows
        for towns in [row.get("towns") or ""]
    )
