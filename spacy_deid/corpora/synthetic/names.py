"""Names, places and persons of the synthetic corpus."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from ...schema import DIRECT, QUASI
from ...text.folding import fold
from ...text.scripts import romanise
from .grammar import FACTS, Part, read_table


class Culture(NamedTuple):
    """Given names and surnames used together."""

    male: Sequence[str]
    female: Sequence[str]
    last: Sequence[str]


class Place(NamedTuple):
    """A country with what belongs to it."""

    country: str
    demonym: str
    language: str
    cultures: Sequence[str]
    cities: Sequence[str]


ADDRESS_LOCALES: frozenset[str] = frozenset(FACTS["address_locales"])
# Cultures that Faker knows by a locale but whose names are written in Latin letters.
_CULTURE_LOCALES = FACTS["cyrillic_locales"] | {"ja": "ja_JP"}
# Methods of Faker.
_METHODS = ("first_name_male", "first_name_female", "last_name")
_ROMANIZED = ("first_romanized_name", "first_romanized_name", "last_romanized_name")
LOCALE_CULTURES = {locale: name for name, locale in _CULTURE_LOCALES.items()}


def romanize(text: str) -> str:
    """Cyrillic text in Latin letters, as passports write it."""
    return re.sub(r"[\w'’]+", lambda m: romanise(m[0]), text)


@cache
def make_faker(locale: str) -> Any:
    """Faker of a locale, made once."""
    from faker import Faker

    return Faker(locale)


def faker_names(
    locale: str, rng: random.Random, methods: Sequence[str] = _METHODS, n: int = 700
) -> Culture:
    """Names that Faker draws for a locale, each once."""
    fake = make_faker(locale)
    fake.random = rng
    lists = ([getattr(fake, method)().strip() for _ in range(n)] for method in methods)
    return Culture(*(list(dict.fromkeys(names)) for names in lists))


@cache
def cultures() -> dict[str, Culture]:
    """Name pools by culture, from Faker's locales and `templates/names.txt`."""
    pools = {}
    rng = random.Random(0)
    for locale in FACTS["latin_locales"]:
        pools[locale] = faker_names(locale, rng)
    for name, locale in FACTS["cyrillic_locales"].items():
        drawn = faker_names(locale, rng)
        pools[name] = Culture(*([*map(romanize, part)] for part in drawn))
    pools["ja"] = faker_names("ja_JP", rng, _ROMANIZED, 100)
    for name, *cells in read_table("names"):
        added = Culture(*(cell.split(",") for cell in cells))
        if not name.endswith("_extra"):
            pools[name] = added
            continue
        # Names that are also words, and surnames missing from Faker.
        for base in [base for base in pools if base.startswith(name[:3])]:
            pools[base] = Culture(*([*a, *b] for a, b in zip(pools[base], added)))
    return pools


@cache
def places(folder: str = "en") -> list[Place]:
    """Countries, demonyms and cities from a language's `places.txt`."""
    return [
        Place(country, demonym, language, names.split(","), cities.split(","))
        for country, demonym, language, names, cities in read_table("places", folder)
    ]


def select_places(
    known: Sequence[Place], locales: Collection[str], names: Mapping[str, str]
) -> list[Place]:
    """Countries whose people have names of given locales."""
    if not locales:
        return list(known)
    asked = {names.get(locale, locale) for locale in locales}
    own = [(place, [c for c in place.cultures if c in asked]) for place in known]
    return [place._replace(cultures=cultures) for place, cultures in own if cultures]


def ascii_fold(text: str) -> str:
    """Text in plain ASCII letters, as in e-mail addresses."""
    return re.sub(r"[^a-z0-9]", "", fold(text))


_VOWELS = "aeiouy"


@cache
def nicknames(folder: str) -> dict[str, str]:
    """Given name -> short forms, separated by spaces."""
    rows = (row[0].partition(":") for row in read_table("nicknames", folder))
    return {name: short for name, _, short in rows}


def make_nickname(rng: random.Random, given: str) -> str:
    """A short form of a given name that no list holds, as friends make them."""
    if len(word := re.split(r"[\s\-.]", given)[0]) < 5 or not word.isalpha():
        return given
    # One or two syllables from the front, up to a consonant or a vowel after it.
    match = re.match(r"[^aeiouy]*[aeiouy]+[^aeiouy](?:[aeiouy])?", word, re.IGNORECASE)
    stem = match.group() if match else word[:3]
    if stem[-1].lower() in _VOWELS:
        return stem
    return stem + rng.choice(["", "", "i", "y", "ie", "o", "a", "s", "ek", "z"])


def coin_name(rng: random.Random, names: Sequence[str]) -> str:
    """A surname that no list holds: the start of one and the end of another."""
    for _ in range(8):
        a, b = rng.choice(names), rng.choice(names)
        if not (a.isalpha() and b.isalpha() and len(a) > 4 and len(b) > 4):
            continue
        cut = rng.randint(2, len(a) - 2)
        tail = b[rng.randint(2, len(b) - 2) :].lower()
        if (a[cut - 1] in _VOWELS) != (tail[0] in _VOWELS):
            return a[:cut] + tail
    return rng.choice(names)


@dataclass
class Person:
    """One person of a document, with what is known about them.

    role (str): Name of the role in the templates.
    subject (bool): Whether the document is about this person.
    place (Place): Where they come from.
    family_first (bool): Whether the family name comes first.
    others, nicks (List[str]): Further family names (at birth) and given names (nick
        names) used of the person.
    """

    role: str
    subject: bool
    gender: str
    given: str
    middle: list[str]
    last: str
    suffix: str
    title: str
    place: Place
    family_first: bool = False
    born: date = date(1970, 1, 1)
    memo: dict[str, Any] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    nicks: list[str] = field(default_factory=list)

    @property
    def female(self) -> bool:
        """Whether female pronouns are used."""
        return self.gender == "f"

    @property
    def ident(self) -> str:
        """Identifier type of what names the person."""
        return DIRECT if self.subject else QUASI

    def full(self, middle: str = "full") -> str:
        """The name with its middle names in "full", as "initial" or "none" of them."""
        cut = {"full": None, "initial": 1, "none": 0}[middle]
        middles = [m[:cut] + "." * (cut == 1) for m in self.middle]
        given = " ".join([self.given, *filter(None, middles)])
        if self.family_first:
            return f"{self.last} {given}"
        return f"{given} {self.last}{self.suffix}"


# Form of a name -> subtype, where it is not the full name.
NAME_SUBTYPES = {
    form: subtype
    for subtype, forms in FACTS["name_subtypes"].items()
    for form in forms.split()
}


def name_parts(
    person: Person, text: str, titles: Collection[str] = ()
) -> tuple[Part, ...]:
    """Which words of a name are given names, family names or titles."""
    free = [True] * len(text)
    parts: list[Part] = []

    def mark(words: Sequence[str], kind: str) -> None:
        """Mark all free places where words stand, the longest first."""
        for word in sorted(words, key=len, reverse=True):
            if not word or word.lower() not in text.lower():
                continue
            pattern = rf"(?<!\w){re.escape(word)}(?!\w)"
            for match in re.finditer(pattern, text, re.IGNORECASE):
                start, end = match.span()
                if all(free[start:end]):
                    free[start:end] = [False] * (end - start)
                    parts.append(Part(start, end, kind))

    given = "FEMALE" if person.female else "MALE"
    given_names = [person.given, *person.middle]
    kinds = dict.fromkeys([*given_names, *person.nicks], given)
    kinds |= dict.fromkeys([person.last, *person.others], "FAMILY_NAME")
    for name in sorted(kinds, key=len, reverse=True):
        mark([name], kinds[name])
    mark(list(titles), "TITLE")
    # A letter is the family name's only where that does not stand in full.
    letters = [name[0] for name in given_names]
    if any(part.kind == "FAMILY_NAME" for part in parts):
        mark([f"{'.'.join(letters)}.", *(f"{x}." for x in letters)], given)
    else:
        mark([f"{person.last[0]}.", person.last[0]], "FAMILY_NAME")
    return tuple(sorted(parts))


_NUMBER = re.compile(r"(?<!\w)\d+(?:\s?[a-zA-Z])?(?:[-/]\d+)*(?!\w)")


def _size(line: str) -> tuple[int, int]:
    words = [word for word in line.split() if word[0].isalpha()]
    return len(words), sum(map(len, words))


def street_parts(text: str) -> tuple[Part, ...]:
    """Street name and house number of an address line."""
    if not (segments := list(re.finditer(r"[^\s,][^,\n]*", text))):
        return ()
    # The line with most words is the street: "Flat 3" is not.
    line = max(segments, key=lambda m: _size(m[0]))
    start, end = line.start(), line.start() + len(line[0].rstrip())
    found = list(_NUMBER.finditer(text))
    numbers = [m for m in found if m.start() == start or m.end() == end]
    # "House 12, Hill Road"
    others = [m for m in found if not start <= m.start() < line.end()]
    parts = [Part(*m.span(), "HOUSE_NUMBER") for m in (numbers or others)[:1]]
    if parts and parts[0].start == start:
        start = parts[0].end
    elif numbers:
        end = parts[0].start
    if name := text[start:end].strip(" ,"):
        start = text.index(name, start)
        parts.append(Part(start, start + len(name), "STREET"))
    return tuple(sorted(parts))
