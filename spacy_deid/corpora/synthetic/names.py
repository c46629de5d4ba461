"""Names, places and persons of the synthetic corpus."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from .grammar import TEMPLATES, Part


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


_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ",
        "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya "
        "i yi ye g".split(),
    )
)

# Faker locales whose person provider writes Latin script.
LATIN_LOCALES = (
    "en_US en_GB en_IE en_IN de_DE de_AT fr_FR fr_CH es_ES es_MX it_IT pt_PT pt_BR "
    "nl_NL sv_SE no_NO da_DK fi_FI tr_TR az_AZ pl_PL ro_RO cs_CZ sk_SK hu_HU hr_HR "
    "sl_SI lt_LT lv_LV et_EE id_ID yo_NG zu_ZA en_TH"
).split()
CYRILLIC_LOCALES = {"ru": "ru_RU", "uk": "uk_UA", "bg": "bg_BG"}
# Cultures that Faker knows by a locale but whose names are written in Latin letters.
CULTURE_LOCALES = CYRILLIC_LOCALES | {"ja": "ja_JP"}
LOCALE_CULTURES = {locale: name for name, locale in CULTURE_LOCALES.items()}
SCRIPT_LOCALES = {
    "Russian": "ru_RU", "Ukrainian": "uk_UA", "Bulgarian": "bg_BG", "Greek": "el_GR",
    "Hebrew": "he_IL", "Arabic": "ar_AA", "Persian": "fa_IR", "Hindi": "hi_IN",
    "Mandarin": "zh_CN", "Japanese": "ja_JP", "Korean": "ko_KR", "Thai": "th_TH",
    "Georgian": "ka_GE", "Armenian": "hy_AM", "Bengali": "bn_BD", "Serbian": "bg_BG",
}  # fmt: skip
# Locales whose own address or telephone provider Faker has (others fall back).
ADDRESS_LOCALES = (
    "en_US en_GB de_DE de_AT fr_FR es_ES it_IT nl_NL sv_SE no_NO da_DK fi_FI pl_PL "
    "ro_RO cs_CZ hr_HR pt_PT pt_BR en_IN"
).split()


def romanize(text: str) -> str:
    """Cyrillic text in Latin letters, as passports write it."""
    out = []
    for char in text:
        latin = _CYRILLIC.get(char.lower())
        if latin is None:
            out.append(char)
        else:
            latin = latin.replace("_", "")
            out.append(latin.capitalize() if char.isupper() else latin)
    return "".join(out)


@cache
def make_faker(locale: str) -> Any:
    """Faker of a locale, made once."""
    from faker import Faker

    return Faker(locale)


def _sample(make: Callable[[], str], n: int) -> list[str]:
    return list(dict.fromkeys(make().strip() for _ in range(n)))


@cache
def cultures() -> dict[str, Culture]:
    """Name pools by culture, from Faker's locales and `templates/names.txt`."""
    pools = {}
    rng = random.Random(0)

    def pool(locale: str, n: int = 700) -> Culture:
        fake = make_faker(locale)
        fake.random = rng
        return Culture(
            _sample(fake.first_name_male, n),
            _sample(fake.first_name_female, n),
            _sample(fake.last_name, n),
        )

    for locale in LATIN_LOCALES:
        pools[locale] = pool(locale)
    for name, locale in CYRILLIC_LOCALES.items():
        raw = pool(locale)
        pools[name] = Culture(*([romanize(n) for n in part] for part in raw))
    fake = make_faker("ja_JP")
    fake.random = rng
    pools["ja"] = Culture(
        _sample(fake.first_romanized_name, 100),
        _sample(fake.first_romanized_name, 100),
        _sample(fake.last_romanized_name, 100),
    )
    lines = (TEMPLATES / "names.txt").read_text(encoding="utf8").splitlines()
    for line in lines:
        if line and not line.startswith("#"):
            name, *parts = line.split("|")
            male, female, last = (part.split(",") for part in parts)
            if name.endswith("_extra"):
                # Names that are also words, and surnames missing from Faker.
                for base, old in list(pools.items()):
                    if base.startswith(name[:3]):
                        pools[base] = Culture(
                            [*old.male, *male],
                            [*old.female, *female],
                            [*old.last, *last],
                        )
            else:
                pools[name] = Culture(male, female, last)
    return pools


@cache
def places(folder: str = "en") -> list[Place]:
    """Countries, demonyms and cities from a language's `places.txt`."""
    found = []
    path = TEMPLATES / folder / "places.txt"
    for line in path.read_text(encoding="utf8").splitlines():
        if line and not line.startswith("#"):
            country, demonym, language, names, cities = line.split("|")
            found.append(
                Place(country, demonym, language, names.split(","), cities.split(","))
            )
    return found


def select_places(
    known: Sequence[Place], locales: Collection[str], names: Mapping[str, str]
) -> list[Place]:
    """Countries whose people have names of given locales."""
    if not locales:
        return list(known)
    asked = {names.get(locale, locale) for locale in locales}
    return [
        place._replace(cultures=[c for c in place.cultures if c in asked])
        for place in known
        if asked & set(place.cultures)
    ]


def ascii_fold(text: str) -> str:
    """Text in plain ASCII letters, as in e-mail addresses."""
    text = text.lower().replace("ß", "ss").replace("ø", "o").replace("ł", "l")
    text = text.replace("ı", "i").replace("æ", "ae").replace("đ", "d")
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", folded)


_VOWELS = "aeiouy"


def _read_nicknames(folder: str) -> dict[str, str]:
    path = TEMPLATES / folder / "nicknames.txt"
    lines = path.read_text(encoding="utf8").splitlines()
    pairs = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name: nicks for name, _, nicks in pairs}


# Given name -> short forms, separated by spaces.
NICKNAMES = _read_nicknames("en")


def make_nickname(rng: random.Random, given: str) -> str:
    """A short form of a given name that no list holds, as friends make them."""
    word = re.split(r"[\s\-.]", given)[0]
    if len(word) < 5 or not word.isalpha():
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
    order: str = "western"
    born: date = date(1970, 1, 1)
    memo: dict[str, Any] = field(default_factory=dict)
    # Further family names (at birth) and given names (nick names) used of the person.
    others: list[str] = field(default_factory=list)
    nicks: list[str] = field(default_factory=list)

    @property
    def female(self) -> bool:
        """Whether female pronouns are used."""
        return self.gender == "f"

    @property
    def family_first(self) -> bool:
        """Whether the family name comes first."""
        return self.order == "eastern"

    def full(self, middle: str = "full") -> str:
        """The full name."""
        names = [self.given]
        if middle == "full":
            names += self.middle
        elif middle == "initial":
            names += [m[0] + "." for m in self.middle]
        if self.family_first:
            return " ".join([self.last, *names])
        return " ".join([*names, self.last]) + self.suffix


PRONOUNS = {
    "he": ("he", "she"), "him": ("him", "her"), "his": ("his", "her"),
    "hers": ("his", "hers"), "himself": ("himself", "herself"),
    "man": ("man", "woman"), "boy": ("boy", "girl"), "son": ("son", "daughter"),
    "father": ("father", "mother"), "husband": ("husband", "wife"),
    "brother": ("brother", "sister"), "male": ("male", "female"),
    "sir": ("sir", "madam"), "M": ("M", "F"), "mr": ("Mr", "Ms"),
    "gentleman": ("gentleman", "lady"), "uncle": ("uncle", "aunt"),
    "grandson": ("grandson", "granddaughter"), "widower": ("widower", "widow"),
}  # fmt: skip

NAME_SUBTYPES = dict.fromkeys(
    ("first", "nick", "lfirst", "nickcaps", "drawn"), "GIVEN_NAME"
) | (
    dict.fromkeys(("last", "tlast", "rlast", "lastcaps", "maiden", "dr"), "FAMILY_NAME")
)


def name_parts(
    person: Person, text: str, titles: Collection[str] = ()
) -> tuple[Part, ...]:
    """Which words of a name are given names, family names or titles."""
    given = "FEMALE" if person.female else "MALE"
    given_names = [person.given, *person.middle]
    found = _Finder(text)
    known = [(name, "FAMILY_NAME") for name in (person.last, *person.others)]
    known += [(name, given) for name in (*given_names, *person.nicks)]
    for name, kind in sorted(known, key=lambda item: -len(item[0])):
        found.mark(name, kind)
    for title in sorted(titles, key=len, reverse=True):
        found.mark(title, "TITLE")
    # A letter is the family name's only where that does not stand in full.
    has_last = any(part.kind == "FAMILY_NAME" for part in found.parts)
    letters = [name[0] for name in given_names]
    for joined in (f"{'.'.join(letters)}.", *(f"{x}." for x in letters)):
        if has_last:
            found.mark(joined, given)
    if not has_last:
        found.mark(f"{person.last[0]}.", "FAMILY_NAME")
        found.mark(person.last[0], "FAMILY_NAME")
    return tuple(sorted(found.parts))


class _Finder:
    """Marks words of a text, each at most once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.free = [True] * len(text)
        self.parts: list[Part] = []

    def mark(self, words: str, kind: str) -> None:
        """Mark all places where words stand."""
        if not words or words.lower() not in self.text.lower():
            return
        pattern = rf"(?<!\w){re.escape(words)}(?!\w)"
        for match in re.finditer(pattern, self.text, re.IGNORECASE):
            start, end = match.span()
            if all(self.free[start:end]):
                self.free[start:end] = [False] * (end - start)
                self.parts.append(Part(start, end, kind))


_NUMBER = re.compile(r"(?<!\w)\d+(?:\s?[a-zA-Z])?(?:[-/]\d+)*(?!\w)")


def _size(line: str) -> tuple[int, int]:
    words = [word for word in line.split() if word[0].isalpha()]
    return len(words), sum(map(len, words))


def street_parts(text: str) -> tuple[Part, ...]:
    """Street name and house number of an address line."""
    segments = [(m.start(), m.end()) for m in re.finditer(r"[^\s,][^,\n]*", text)]
    if not segments:
        return ()
    # The line with most words is the street: "Flat 3" is not.
    start, end = max(segments, key=lambda s: _size(text[s[0] : s[1]]))
    numbers = [
        m
        for m in _NUMBER.finditer(text)
        if m.start() == start or m.end() == len(text[:end].rstrip())
    ]
    # "House 12, Hill Road"
    others = [m for m in _NUMBER.finditer(text) if not start <= m.start() < end]
    parts = [Part(m.start(), m.end(), "HOUSE_NUMBER") for m in (numbers or others)[:1]]
    if parts and parts[0].start == start:
        start = parts[0].end
    elif numbers:
        end = parts[0].start
    name = text[start:end]
    start += len(name) - len(name.lstrip(" ,"))
    end -= len(name) - len(name.rstrip(" ,"))
    if start < end:
        parts.append(Part(start, end, "STREET"))
    return tuple(sorted(parts))
