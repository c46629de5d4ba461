"""Towns with the region they lie in, the start of their post codes and their telephone
area: what has to agree in a new address.

Full tables for the countries where English texts are at home; of others the telephone
areas, which `codes` needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from ..data import table
from .names import fold

UK, US = "United Kingdom", "United States"


class Locality(NamedTuple):
    """A town.

    town (str): Its name.
    country (str): As in the table of countries.
    region (str): County or state.
    part (str): Part of the country that has regions ("Wales"); "" for none.
    post (str): What its post codes begin with.
    area (str): Telephone area without the trunk prefix.
    """

    town: str
    country: str
    region: str
    part: str
    post: str
    area: str


PARTS = ("England", "Scotland", "Wales", "Northern Ireland")
# Areas of post codes that belong to a town by more letters.
_LONDON = frozenset(("E", "EC", "N", "NW", "SE", "SW", "W", "WC"))


class _Tables(NamedTuple):
    by_town: dict[str, Locality]
    # The same by country and town: some names are British and American.
    town_in: dict[tuple[str, str], Locality]
    by_region: dict[str, tuple[Locality, ...]]
    by_part: dict[str, tuple[Locality, ...]]
    by_country: dict[str, tuple[Locality, ...]]
    # Folded name or code of a state, county or part -> its name.
    containers: dict[str, str]
    codes: dict[str, str]
    states: dict[str, str]
    by_post: dict[str, Locality]
    country_of: dict[str, str]


@lru_cache(maxsize=1)
def tables() -> _Tables:
    """The towns by what they are found by; keys are folded."""
    rows: list[Locality] = []
    codes: dict[str, str] = {}
    containers: dict[str, str] = {}
    for cells in table("localities"):
        row = Locality(*(cells[name] for name in Locality._fields))
        rows.append(row)
        # The county of Bristol is its town.
        if row.region != row.town:
            containers[fold(row.region)] = row.region
        if cells["code"]:
            codes[row.region] = cells["code"]
    containers.update({fold(part): part for part in PARTS})
    for cells in table("county_names"):
        name = cells["name"]
        # "Mass.", "N. Yorks"
        forms = (name, f"{name}.", name.replace(" ", ". ", 1))
        containers.update(dict.fromkeys(forms, cells["county"]))
    by_town: dict[str, Locality] = {}
    for row in rows:
        # Of towns with one name the first counts: those of both countries are British.
        by_town.setdefault(fold(row.town), row)
    return _Tables(
        by_town,
        {(row.country, fold(row.town)): row for row in reversed(rows)},
        _grouped(rows, "region"),
        _grouped(rows, "part"),
        _grouped(rows, "country"),
        containers,
        codes,
        {code: state for state, code in codes.items()},
        {row.post: row for row in reversed(rows)},
        {name: row.country for row in rows for name in (row.region, row.part) if name},
    )


def _grouped(rows: Iterable[Locality], field: str) -> dict[str, tuple[Locality, ...]]:
    out: dict[str, list[Locality]] = {}
    for row in rows:
        if name := getattr(row, field):
            out.setdefault(name, []).append(row)
    return {name: tuple(group) for name, group in out.items()}


def state_of(code: str) -> str:
    """Name of the state with a code ("TX"); "" if there is none. The capital's district,
    which is in no table, is taken for the state around it."""
    return tables().states.get("MD" if code == "DC" else code, "")


def town_with_post(code: str) -> Locality | None:
    """A town by the start of a post code.

    code (str): British or American post code.
    RETURNS (Optional[Locality]): None if no town has it.
    """
    posts = tables().by_post
    found = posts.get(code[:3]) if code[:3].isdecimal() else None
    if found is None:
        letters = "".join(ch for ch in code[:2].upper() if ch.isalpha())
        letters = "SW" if letters in _LONDON else letters
        found = posts.get(letters)
    return found


@lru_cache(maxsize=8)
def areas(country_code: str) -> Mapping[str, str]:
    """Telephone areas by folded town, or in Spain and Russia by what post codes begin with.

    country_code (str): "1", "7", "34", "44" or "49".
    RETURNS (Mapping[str, str]): Empty for other countries.
    """
    if country_code in ("1", "44"):
        name = US if country_code == "1" else UK
        return {fold(row.town): row.area for row in reversed(tables().by_country[name])}
    known = (row for row in table("telephone_areas") if row["country"] == country_code)
    return {fold(row["place"]): row["area"] for row in known}
