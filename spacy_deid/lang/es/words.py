"""Spanish words for surrogates, and how they are put in form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...data import facts, table
from ..base import LanguagePack, split_list, terms
from ..inflection import Lexeme, Lexicon

FOLDER = "lang/es"


def _national(text: str, country: str) -> list[Lexeme]:
    kind, _, stem = text.partition(":")
    if kind == "o":
        forms = {"m": stem + "o", "f": stem + "a", "ms": stem + "os", "fs": stem + "as"}
    elif kind == "n":
        man, _, other = stem.partition("/")
        forms = {
            "m": man,
            "f": other + "a",
            "ms": other + "es",
            "fs": other + "as",
        }
    else:
        one, _, many = stem.partition("/")
        many = many or one + "s"
        forms = {"m": one, "f": one, "ms": many, "fs": many}
    return [Lexeme(forms["m"], "adj", forms, country)]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """All Spanish words for surrogates in their forms."""
    out: list[Lexeme] = []
    towns: list[Lexeme] = []
    home = facts(f"{FOLDER}/words")["home"]
    for row in table(f"{FOLDER}/countries"):
        name = row["country"]
        out.append(Lexeme(name, f"country:{row['gender']}", {"-": name}, name))
        out += _national(row["national"], name)
        own = [town["town"] for town in table(f"{FOLDER}/towns")]
        for town in own if name == home else split_list(row["towns"]):
            towns.append(Lexeme(town, "city", {"-": town}, name))
    for region in facts(f"{FOLDER}/words")["regions"]:
        towns.append(Lexeme(region, "region", {"-": region}, home))
    towns.append(Lexeme("La Coruña", "city", {"-": "La Coruña"}, home))
    # A town that another country has, too, is taken for the home country's.
    towns.sort(key=lambda town: town.home != home)
    return Lexicon([*out, *towns, *terms(table(f"{FOLDER}/terms"))])


def _prefers(text: str, before: str) -> bool:
    """ "y" and "o" stand before other sounds than "e" and "u"."""
    word = re.search(r"\b(y|e|o|u)\s+$", before, re.I)
    low = text.lower()
    if word is None:
        return True
    if word.group(1).lower() in "ye":
        return (word.group(1).lower() == "e") == bool(re.match("h?i(?!e)", low))
    return (word.group(1).lower() == "u") == bool(re.match("h?o", low))


_UNACCENTED = str.maketrans("áéíóú", "aeiou")


def _plurals(word: str) -> Iterator[str]:
    """Plurals of a noun or adjective: "albaneses", "iraníes"."""
    if word[-1] in "aeioué":
        yield f"{word}s"
    elif word[-1] in "íú":
        yield from (f"{word}es", f"{word}s")
    else:
        yield word.translate(_UNACCENTED) + "es"


def make_pack() -> LanguagePack:
    """The Spanish pack."""
    return LanguagePack(
        "es",
        FOLDER,
        lexicon,
        prefers=_prefers,
        inflect=_plurals,
        inside=lambda name: f"de {name}",
    )
