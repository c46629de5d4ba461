"""German words that name nobody, and how they are inflected.

Nouns are written with capitals in German, so a recognizer can't tell a name by its
looks: the corpus needs many nouns, compounds above all, in every case.
"""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any, NamedTuple

from .calendar import settings
from .grammar import read_table

CASES = ("nom", "acc", "dat", "gen")


def ending(word: str, gender: str, case: str) -> str:
    """The ending of a determiner ("ein", "dies") or, after one, of an adjective
    ("weak", "mixed", "strong"); of "article" the whole word."""
    return settings("de")["endings"][word][gender][CASES.index(case)]


class Noun(NamedTuple):
    """A noun with what its inflection needs: gender ("m", "f" or "n"), the nominatives,
    and whether it is weak: ends in -n in all cases but the nominative."""

    word: str
    gender: str
    plural: str
    weak: bool = False

    def form(self, case: str, plural: bool = False) -> str:
        """The noun in a case."""
        if plural:
            return self.plural + "n" * (case == "dat" and self.plural[-1] in "elr")
        if self.weak and case != "nom":
            return self.word + ("n" if self.word[-1] in "er" else "en")
        if case != "gen" or self.gender == "f":
            return self.word
        hissing = re.search(r"(s|ß|z|sch|[^aeiouy]t)$", self.word)
        return self.word + ("es" if hissing else "s")


def umlaut(word: str) -> str:
    """A word with an umlaut on its last vowel that may take one."""
    if not (found := list(re.finditer("au|[aou](?![aou])", word, re.IGNORECASE))):
        return word
    start = found[-1].start()
    change = {"a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü"}
    return word[:start] + change[word[start]] + word[start + 1 :]


def _pluralize(word: str, suffix: str) -> str:
    if suffix.startswith("¨"):
        word, suffix = umlaut(word), suffix[1:]
    if (suffix := suffix.removeprefix("-")) == "en" and word[-1] == "e":
        suffix = "n"
    if suffix == "e" and word.endswith("nis"):
        suffix = "se"
    return word + suffix


@cache
def lexicon() -> dict[str, list[Any]]:
    """The words of `templates/de/lexicon.txt` by class: nouns (`noun`, `human`, `head`),
    forms of verbs (`verb...`), all others as they are written."""
    found: dict[str, list[Any]] = {}
    for kind, *cells in read_table("lexicon", "de"):
        words: list[Any] = cells[-1].split(",")
        if kind in ("noun", "human", "head"):
            suffix, _, weak = cells[1].partition(" ")
            pairs = zip(words, [_pluralize(word, suffix) for word in words])
            words = [Noun(word, cells[0], plural, bool(weak)) for word, plural in pairs]
        elif kind.startswith("verb"):
            words = [word.split(":") for word in words]
        found.setdefault(kind, []).extend(words)
    return found


def compound(rng: random.Random) -> Noun:
    """A compound of two words, or of three."""
    words = lexicon()
    head = rng.choice(words["head"])
    first = rng.choice(words["part"])
    if rng.random() < 0.08:
        first += rng.choice(words["part"]).lower()
    elif rng.random() < 0.06:
        tail = head.word.capitalize(), head.plural.capitalize()
        return Noun(f"{first}-{tail[0]}", head.gender, f"{first}-{tail[1]}")
    return Noun(first + head.word, head.gender, first + head.plural)


def pick_noun(rng: random.Random, human: bool = False) -> Noun:
    """Any noun."""
    words = lexicon()
    if human:
        noun = rng.choice(words["human"])
        if rng.random() < 0.25:
            part, low = rng.choice(words["part"]), noun.word.lower()
            return Noun(part + low, noun.gender, part + noun.plural.lower(), noun.weak)
        return noun
    return compound(rng) if rng.random() < 0.4 else rng.choice(words["noun"])


def derived_adjective(rng: random.Random) -> str:
    """The stem of an adjective made of another word."""
    words = lexicon()
    if (draw := rng.random()) < 0.35:
        first = rng.choice(words["part"]).rstrip("-").lower()
        return first + rng.choice(words["suffix"])
    if draw < 0.6:
        return weak_verb(rng)["stem"] + "end"
    if draw < 0.9:
        return rng.choice(("", "", "un")) + weak_verb(rng)["participle"]
    return rng.choice(("un", "hoch", "über", "früh")) + rng.choice(words["adj"])


def weak_verb(rng: random.Random, separable: bool = True) -> dict[str, str]:
    """The forms of any regular verb, most of them made of a prefix and a stem: "aufbau",
    "aufgebaut", "aufbauen", "aufzubauen", "aufbaut", "aufbaute", "aufbauten"."""
    words = lexicon()
    base = rng.choice(words["stem"])
    draw = rng.random()
    prefix = particle = ""
    if draw >= 0.4 and not base.endswith("ier"):
        if draw < 0.7 or not separable:
            particle = rng.choice(words["inseparable"])
        else:
            prefix = rng.choice(words["separable"])
    inner = particle + base
    stem = prefix + inner
    e = "e" if re.search(r"([dt]|[^aeiouhlrmn][mn])$", base) else ""
    ge = "" if particle or base.endswith("ier") else "ge"
    n = "n" if re.search(r"(eier|(?<!i)e[rl])$", base) else "en"
    return {
        "stem": stem,
        "participle": f"{prefix}{ge}{inner}{e}t",
        "infinitive": f"{stem}{n}",
        "to_infinitive": f"{prefix}zu{inner}{n}" if prefix else f"zu {inner}{n}",
        "present": f"{stem}{e}t",
        "past": f"{stem}{e}te",
        "pasts": f"{stem}{e}ten",
    }


def pick_adjective(rng: random.Random) -> str:
    """The stem of any adjective."""
    if rng.random() < 0.5:
        return derived_adjective(rng)
    return rng.choice(lexicon()["adj"])


def inflect(adjective: str, ending: str) -> str:
    """An adjective with an ending."""
    if adjective == "hoch" and ending:
        adjective = "hoh"
    if adjective[-1] == "e" and ending[:1] == "e":
        adjective = adjective[:-1]
    return adjective + ending


def article(gender: str, case: str) -> str:
    """The definite article; "p" is the plural."""
    return ending("article", gender, case)


def noun_phrase(
    rng: random.Random, case: str, human: bool = False, plural: bool = False
) -> str:
    """A noun with a determiner and, often, an adjective, all in one case."""
    noun = pick_noun(rng, human)
    gender = "p" if plural else noun.gender
    draw = rng.random()
    table = "weak"
    if draw < 0.5:
        words = [article(gender, case)]
    elif draw < 0.6:
        stem = rng.choice(("dies", "all") if plural else ("dies", "jed", "jen"))
        words = [stem + ending("dies", gender, case)]
    elif plural and draw < 0.85:
        numbers = ("zwei", "drei", "viele", "mehrere", "einige", "zehn", "")
        words, table = rng.choice(numbers).split(), "strong"
    else:
        possessive = plural or draw > 0.85
        stems = ("sein", "ihr", "kein", "unser", "mein") if possessive else ("ein",)
        words, table = [rng.choice(stems) + ending("ein", gender, case)], "mixed"
    if rng.random() < 0.35:
        words.append(inflect(pick_adjective(rng), ending(table, gender, case)))
    return " ".join([*words, noun.form(case, plural)])


# --------------------------------------------------------------------------
# Names


def genitive(name: str) -> str:
    """A name in the genitive: "Annas", "Hans'"."""
    if re.search(r"(s|ß|x|z|ce)$", name):
        return name + "'"
    return name + "s" if name[-1].isalpha() else name


def demonym(town: str) -> str:
    """What is of a town, as a word that is not inflected; "" where that is not known."""
    if known := settings("de")["demonyms"].get(town):
        return known
    if not re.fullmatch(r"[^\W\d_]+(-[^\W\d_]+)*", town) or town[-1] in "aiouyáéís":
        return ""
    return re.sub("(?<=ing|aus|rch|hof|ang)en$|e$", "", town) + "er"
