"""What countries are called in German, Spanish and Russian, and how a text says that
something lies there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..data import table
from .inflection import key_of


@lru_cache(maxsize=8)
def english_names(lang: str) -> Mapping[str, str]:
    """English names of countries by what they are called in a language.

    lang (str): "de", "es" or "ru".
    RETURNS (Mapping[str, str]): By the key of each form.
    """
    found = {
        key_of(row["name"]): row["country"]
        for row in table("country_aliases")
        if row["of"] == "other language"
    }
    for row in table("countries"):
        name = row[lang]
        for form in _forms(name) if lang == "ru" and name else (name,):
            found.setdefault(key_of(form), row["country"])
    found.pop("", None)
    return found


def _forms(name: str) -> tuple[str, ...]:
    from .ru.forms import multiword

    return tuple(multiword(name).values())


@lru_cache(maxsize=1024)
def lying_in(english: str, lang: str) -> str:
    """Where a place of a country is: "in Norwegen", "del Reino Unido", "во Франции".

    english (str): English name of the country.
    lang (str): "de", "es" or "ru".
    RETURNS (str): "" for a country that is not known.
    """
    row = _by_name().get(english)
    if row is None:
        return ""
    name, where = row[lang], row[f"in_{lang}"]
    if where:
        return where
    if lang != "ru":
        return f"in {name}" if lang == "de" else f"de {name}"
    from .ru.forms import fits_preposition, multiword

    form = multiword(name)["loct"]
    return f"в {form}" if fits_preposition(form, "в ") else f"во {form}"


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, Mapping[str, str]]:
    return {row["country"]: row for row in table("countries") if row["de"]}
