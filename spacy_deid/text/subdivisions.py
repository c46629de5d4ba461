"""States, provinces and counties that stand behind a town and tell in which country it
lies: "Paris, Texas"."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..data import faker_lists, word_lists
from .names import fold


class Subdivisions(NamedTuple):
    """Countries by the parts that they have.

    names (dict): Folded name -> country.
    letters (dict): Letters in capitals, or a shortened name -> country.
    """

    names: dict[str, str]
    letters: dict[str, str]

    def country_of(self, text: str) -> str:
        """The country of a state, province or county; "" for everything else.

        text (str): "Texas", "TX", "N.S.W.", "Tex.".
        RETURNS (str): English name.
        """
        text = text.strip()
        name = fold(text.rstrip(".")).removeprefix("the ")
        return self.names.get(name) or self.letters.get(text.replace(".", ""), "")


@lru_cache(maxsize=1)
def subdivisions() -> Subdivisions:
    """Those of the United States, Canada, Australia and the United Kingdom."""
    us, canada, australia, britain = (
        faker_lists(f"address.en_{code}") for code in ("US", "CA", "AU", "GB")
    )
    out, own = Subdivisions({}, {}), word_lists("subdivisions")
    for country, names, letters in (
        ("United States", us.states, (*us.states_abbr, *own["shortened"])),
        ("Canada", canada.provinces, canada.provinces_abbr),
        ("Australia", australia.states, australia.states_abbr),
        ("United Kingdom", britain.counties, ("UK",)),
    ):
        for name in (*names, *own.get(country, ())):
            if fold(name) not in own["not alone"]:
                out.names.setdefault(fold(name), country)
        for short in letters:
            out.letters.setdefault(short, country)
    return out
