"""German words for surrogates, and how they are put in form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ...data import facts, table
from ..base import LanguagePack, features, last_word, split_list, terms
from ..inflection import Lexeme, Lexicon, stems

FOLDER = "lang/de"
_ADJECTIVE = "- e er en em es"
_OF_TOWN = "- n s in innen".split()
_SIBILANT = re.compile("(?:s|ß|x|z|ce)$", re.I)


def genitive(name: str) -> str:
    """A name in the genitive: "Berlins", "Mainz’"."""
    return f"{name}’" if _SIBILANT.search(name) else f"{name}s"


def _forms(name: str) -> Mapping[str, str]:
    return {"-": name, "s": genitive(name)}


def _town(name: str, adjective: str, home: str) -> list[Lexeme]:
    """A town and what comes from there."""
    adjective = adjective or name + "er"
    of_town = {ending: adjective + ending.strip("-") for ending in _OF_TOWN}
    town = Lexeme(name, "city", _forms(name), home)
    return [town, Lexeme(name, "ofcity", of_town, home)]


def _people(cell: str, country: str) -> Iterator[Lexeme]:
    """Men and women of a country, of a cell of its table such as "e:Dän"."""
    kind, _, stem = cell.partition(":")
    for row, cells in facts(f"{FOLDER}/words")["nationals"][kind].items():
        endings = dict(end.split(":") for end in cells.split())
        forms = {key: stem + end for key, end in endings.items()}
        yield Lexeme(forms["sg"], row, forms, country)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """All German words for surrogates in their forms."""
    out: list[Lexeme] = []
    towns: list[Lexeme] = []
    home = facts(f"{FOLDER}/words")["home"]
    for row in table(f"{FOLDER}/countries"):
        name, article, adjective = row["country"], row["article"], row["adjective"]
        forms = _forms(name)
        if article == "p":
            # "in den Niederlanden"
            dative = name if name.endswith(("n", "s", "A")) else name + "n"
            forms = {"-": name, "dat": dative}
        out.append(Lexeme(name, f"country:{article}", forms, name))
        [own] = stems("adj", [adjective], _ADJECTIVE)
        out.append(own._replace(home=name))
        out += _people(row["people"], name)
        for item in split_list(row["towns"]):
            town, _, of_town = item.partition("/")
            towns += _town(town, of_town, name)
    for row in table(f"{FOLDER}/towns"):
        towns += _town(row["town"], row["adjective"], row["country"] or home)
    for region in facts(f"{FOLDER}/words")["regions"]:
        towns.append(Lexeme(region, "region", _forms(region), home))
    land = features(table(f"{FOLDER}/features"))
    return Lexicon([*out, *towns, *terms(table(f"{FOLDER}/terms")), *land])


def _narrow(keys: Sequence[str], before: str) -> tuple[str, ...]:
    """The likelier number and case by the article."""
    article, rows = last_word(before), facts(f"{FOLDER}/words")["by_article"].items()
    order = next((x for words, x in rows if article in words.split()), "").split()
    found = tuple(k for k in order if k in keys)
    return (*found, *(k for k in keys if k not in found))


_ADJECTIVE_FORM = re.compile(r"[a-zäöüß]{3,}(?:isch|deutsch)(|e|er|en|em|es)")


def _adjective_keys(word: str) -> tuple[str, ...]:
    """Ending of an adjective like those of countries ("preußische")."""
    match = _ADJECTIVE_FORM.fullmatch(word)
    return (match.group(1) or "-",) if match else ()


# What nouns add in other cases and numbers, by their endings.
_OF_NOUN = {"in": ("nen",), "e": ("n",), "er": ("n", "s")}


def _inflect(word: str) -> Iterator[str]:
    """Forms of who comes from somewhere, and of what is called after it."""
    if word.islower():
        yield from (word + ending.strip("-") for ending in _ADJECTIVE.split())
    elif " " not in word:
        yield genitive(word)
        for ending, others in _OF_NOUN.items():
            if word.endswith(ending):
                yield from (word + other for other in others)


def make_pack() -> LanguagePack:
    """The German pack."""
    return LanguagePack(
        "de",
        FOLDER,
        lexicon,
        narrow=_narrow,
        forms=_forms,
        adjectives=_adjective_keys,
        keys=lambda word, before: (
            ("s",) if word.endswith("s") and re.search(r"\bdes\s+$", before) else ("-",)
        ),
        joins_nouns=True,
        capital_nouns=True,
        kind_first=False,
        inflect=_inflect,
        inside=lambda name: f"in {name}",
    )
