"""Synthetic English documents of many kinds, labelled by construction.

Complete sets of personal data are woven into documents by a grammar of templates
(`templates/*.txt`), then roughened as real text is: lower case, ALL CAPS names,
typing errors, missing punctuation, hard line breaks. Paper 5 does this with a
language model; a grammar needs none, is reproducible and knows every offset.

Grammar: `@rule` starts a rule, each further line is one expansion. `%3 ` at its
start is a weight, `\\n` a line break, `[a|b|]` alternatives, `{name}` a slot or a
rule, `{name*2-4:par}` several different expansions joined by line breaks or spaces,
`{name#tag}` the same expansion wherever the tag returns, `{=ORG.COURT/N:...}` text
labelled ORG, subtype COURT, NO_MASK. Before a name, `^` gives capitals, `_` lower
case, `+` a first capital, `-` no label, `&` the indefinite article.
"""

from __future__ import annotations

import argparse
import bisect
import json
import random
import re
import string
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..schema import DIRECT, NO_MASK, QUASI, SEMANTIC_TYPES, strictest

TEMPLATES = Path(__file__).parent / "templates"

# Share of each kind in a mixed corpus.
KINDS: dict[str, float] = {
    "email": 14,
    "letter": 7,
    "clinical": 12,
    "chat": 9,
    "ticket": 8,
    "essay": 7,
    "biography": 11,
    "court": 10,
    "form": 8,
    "post": 9,
    "news": 9,
    "snippet": 9,
    "log": 3,
    "product": 5,
    "manual": 3,
}
NEGATIVE_KINDS = ("product", "manual")

_IDENT = {"D": DIRECT, "Q": QUASI, "N": NO_MASK}
_DEFAULT_IDENT = dict.fromkeys(SEMANTIC_TYPES, QUASI) | {"DEM": NO_MASK}


@dataclass
class Piece:
    """A stretch of text, labelled or not.

    text (str): The text.
    label (str): Semantic type or "".
    subtype (str): Subtype or "".
    ident (str): Identifier type or "".
    key (str): What the text refers to: pieces of one key are one entity.
    """

    text: str
    label: str = ""
    subtype: str = ""
    ident: str = ""
    key: str = ""


# --------------------------------------------------------------------------
# Names and places


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
_LATIN_LOCALES = (
    "en_US en_GB en_IE en_IN de_DE de_AT fr_FR fr_CH es_ES es_MX it_IT pt_PT pt_BR "
    "nl_NL sv_SE no_NO da_DK fi_FI tr_TR az_AZ pl_PL ro_RO cs_CZ sk_SK hu_HU hr_HR "
    "sl_SI lt_LT lv_LV et_EE id_ID yo_NG zu_ZA en_TH"
).split()
_CYRILLIC_LOCALES = {"ru": "ru_RU", "uk": "uk_UA", "bg": "bg_BG"}
_SCRIPT_LOCALES = {
    "Russian": "ru_RU", "Ukrainian": "uk_UA", "Bulgarian": "bg_BG", "Greek": "el_GR",
    "Hebrew": "he_IL", "Arabic": "ar_AA", "Persian": "fa_IR", "Hindi": "hi_IN",
    "Mandarin": "zh_CN", "Japanese": "ja_JP", "Korean": "ko_KR", "Thai": "th_TH",
    "Georgian": "ka_GE", "Armenian": "hy_AM", "Bengali": "bn_BD", "Serbian": "bg_BG",
}  # fmt: skip
# Locales whose own address or telephone provider Faker has (others fall back).
_ADDRESS_LOCALES = (
    "en_US en_GB de_DE de_AT fr_FR es_ES it_IT nl_NL sv_SE no_NO da_DK fi_FI pl_PL "
    "ro_RO cs_CZ hr_HR pt_PT pt_BR en_IN"
).split()


def romanize(text: str) -> str:
    """Cyrillic text in Latin letters, as passports write it.

    text (str): The text.
    RETURNS (str): The text; other letters stay as they are.
    """
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
def _faker(locale: str) -> Any:
    from faker import Faker

    return Faker(locale)


def _sample(make: Callable[[], str], n: int) -> list[str]:
    return list(dict.fromkeys(make().strip() for _ in range(n)))


@cache
def cultures() -> dict[str, Culture]:
    """Name pools by culture, from Faker's locales and `templates/names.txt`.

    RETURNS (dict[str, Culture]): The pools.
    """
    pools = {}
    rng = random.Random(0)

    def pool(locale: str, n: int = 700) -> Culture:
        fake = _faker(locale)
        fake.random = rng
        return Culture(
            _sample(fake.first_name_male, n),
            _sample(fake.first_name_female, n),
            _sample(fake.last_name, n),
        )

    for locale in _LATIN_LOCALES:
        pools[locale] = pool(locale)
    for name, locale in _CYRILLIC_LOCALES.items():
        raw = pool(locale)
        pools[name] = Culture(*([romanize(n) for n in part] for part in raw))
    fake = _faker("ja_JP")
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
def places() -> list[Place]:
    """Countries, demonyms and cities from `templates/places.txt`.

    RETURNS (list[Place]): The countries.
    """
    found = []
    for line in (TEMPLATES / "places.txt").read_text(encoding="utf8").splitlines():
        if line and not line.startswith("#"):
            country, demonym, language, names, cities = line.split("|")
            found.append(
                Place(country, demonym, language, names.split(","), cities.split(","))
            )
    return found


def ascii_fold(text: str) -> str:
    """Text in plain ASCII letters, as in e-mail addresses.

    text (str): The text.
    RETURNS (str): Lower-case letters and digits only.
    """
    text = text.lower().replace("ß", "ss").replace("ø", "o").replace("ł", "l")
    text = text.replace("ı", "i").replace("æ", "ae").replace("đ", "d")
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", folded)


_VOWELS = "aeiouy"
_NICK = {
    "Robert": "Bob", "William": "Bill", "Richard": "Rick", "James": "Jim",
    "Michael": "Mike", "Elizabeth": "Liz", "Margaret": "Maggie", "Katherine": "Kate",
    "Thomas": "Tom", "Joseph": "Joe", "Charles": "Charlie", "Patricia": "Trish",
    "Jennifer": "Jen", "Christopher": "Chris", "Daniel": "Dan", "Matthew": "Matt",
    "Anthony": "Tony", "Steven": "Steve", "Andrew": "Andy", "Joshua": "Josh",
    "Rebecca": "Becky", "Samantha": "Sam", "Benjamin": "Ben", "Alexander": "Alex",
    "Nicholas": "Nick", "Deborah": "Debbie", "Susan": "Sue", "Edward": "Ted",
}  # fmt: skip


def coin_name(rng: random.Random, names: Sequence[str]) -> str:
    """A surname that no list holds: the start of one and the end of another.

    rng (random.Random): Source of randomness.
    names (Sequence[str]): Surnames of one culture.
    RETURNS (str): The name.
    """
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

    @property
    def female(self) -> bool:
        """Whether female pronouns are used."""
        return self.gender == "f"

    @property
    def family_first(self) -> bool:
        """Whether the family name comes first."""
        return self.order == "eastern"

    def full(self, middle: str = "full") -> str:
        """The full name.

        middle (str): "full", "initial" or "none".
        RETURNS (str): The name without title.
        """
        names = [self.given]
        if middle == "full":
            names += self.middle
        elif middle == "initial":
            names += [m[0] + "." for m in self.middle]
        if self.family_first:
            return " ".join([self.last, *names])
        return " ".join([*names, self.last]) + self.suffix


_PRONOUNS = {
    "he": ("he", "she"), "him": ("him", "her"), "his": ("his", "her"),
    "hers": ("his", "hers"), "himself": ("himself", "herself"),
    "man": ("man", "woman"), "boy": ("boy", "girl"), "son": ("son", "daughter"),
    "father": ("father", "mother"), "husband": ("husband", "wife"),
    "brother": ("brother", "sister"), "male": ("male", "female"),
    "sir": ("sir", "madam"), "M": ("M", "F"), "mr": ("Mr", "Ms"),
    "gentleman": ("gentleman", "lady"), "uncle": ("uncle", "aunt"),
    "grandson": ("grandson", "granddaughter"), "widower": ("widower", "widow"),
}  # fmt: skip

_NAME_SUBTYPES = dict.fromkeys(("first", "nick", "lfirst"), "GIVEN_NAME") | (
    dict.fromkeys(("last", "tlast", "rlast", "lastcaps", "maiden", "dr"), "FAMILY_NAME")
)

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_MONTHS = (
    "January February March April May June July August September October November "
    "December"
).split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def in_words(n: int) -> str:
    """A number below one hundred in words.

    n (int): The number.
    RETURNS (str): In words; figures from one hundred on.
    """
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + ("-" + _ONES[n % 10] if n % 10 else "")
    return str(n)


def ordinal(n: int) -> str:
    """An ordinal number in figures.

    n (int): The number.
    RETURNS (str): For example "22nd".
    """
    if 10 <= n % 100 <= 20:
        return f"{n}th"
    return f"{n}{({1: 'st', 2: 'nd', 3: 'rd'}).get(n % 10, 'th')}"


DATE_FORMATS: dict[str, Callable[[date], str]] = {
    "dmy": lambda d: f"{d.day} {_MONTHS[d.month - 1]} {d.year}",
    "mdy": lambda d: f"{_MONTHS[d.month - 1]} {d.day}, {d.year}",
    "slash": lambda d: f"{d.day:02}/{d.month:02}/{d.year}",
    "slash_us": lambda d: f"{d.month}/{d.day}/{d.year % 100:02}",
    "iso": lambda d: d.isoformat(),
    "dots": lambda d: f"{d.day:02}.{d.month:02}.{d.year}",
    "short": lambda d: f"{d.day} {_MONTHS[d.month - 1][:3]} {d.year}",
    "short_us": lambda d: f"{_MONTHS[d.month - 1][:3]} {d.day}, {d.year}",
    "dash": lambda d: f"{d.day:02}-{_MONTHS[d.month - 1][:3]}-{d.year}",
    "nth": lambda d: f"{ordinal(d.day)} {_MONTHS[d.month - 1]} {d.year}",
    "nth_of": lambda d: f"{ordinal(d.day)} of {_MONTHS[d.month - 1]} {d.year}",
    "mdy_nth": lambda d: f"{_MONTHS[d.month - 1]} {ordinal(d.day)}, {d.year}",
    "dashes": lambda d: f"{d.day:02}-{d.month:02}-{d.year}",
    "slash_short": lambda d: f"{d.month:02}/{d.day:02}/{d.year}",
}
_LONG_FORMATS = ("dmy", "mdy", "nth", "nth_of", "mdy_nth")
_DAY_FORMATS: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d.day} {_MONTHS[d.month - 1]}",
    lambda d: f"{_MONTHS[d.month - 1]} {d.day}",
    lambda d: f"{_MONTHS[d.month - 1]} {ordinal(d.day)}",
    lambda d: f"{ordinal(d.day)} of {_MONTHS[d.month - 1]}",
    lambda d: f"{_MONTHS[d.month - 1][:3]} {d.day}",
    lambda d: f"{d.month}/{d.day}",
    lambda d: f"the {ordinal(d.day)}",
)


# --------------------------------------------------------------------------
# Grammar


@dataclass
class Alt:
    """One of several sequences."""

    options: list[list[Any]]


@dataclass
class Ref:
    """A slot or a rule, with modifiers and repetition."""

    name: str
    mods: str = ""
    low: int = 1
    high: int = 1
    sep: str = " "
    tag: str = ""


@dataclass
class Labelled:
    """A sequence that is one mention."""

    label: str
    subtype: str
    ident: str
    body: list[Any]


Node = Any
_REF = re.compile(
    r"([\^_+\-&]*)([A-Za-z0-9_.]+)(?:\*(\d+)(?:-(\d+))?(?::(.*))?)?(?:#(\w+))?$", re.S
)
_HEAD = re.compile(r"=([A-Z]+)(?:\.([A-Z_]+))?(?:/([DQN]))?:")
_SEPARATORS = {"nl": "\n", "par": "\n\n", "sp": " ", "comma": ", "}
_ESCAPES = {"n": "\n", "t": "\t"}


def parse_template(text: str) -> list[Node]:
    """Parse one expansion of the grammar.

    text (str): The line.
    RETURNS (list): A sequence of str, Alt, Ref and Labelled.
    RAISES (ValueError): If brackets don't match or a slot can't be read.
    """
    nodes, end = _parse(text, 0, "")
    if end != len(text):
        raise ValueError(f"template: unmatched bracket at {end}: {text!r}")
    return nodes


def _parse(text: str, i: int, stops: str) -> tuple[list[Node], int]:
    nodes: list[Node] = []
    plain: list[str] = []

    def flush() -> None:
        if plain:
            nodes.append("".join(plain))
            plain.clear()

    while i < len(text) and text[i] not in stops:
        char = text[i]
        if char == "\\" and i + 1 < len(text):
            plain.append(_ESCAPES.get(text[i + 1], text[i + 1]))
            i += 2
        elif char == "[":
            flush()
            options = []
            while True:
                option, i = _parse(text, i + 1, "|]")
                if i >= len(text):
                    raise ValueError(f"template: unclosed alternative: {text!r}")
                options.append(option)
                if text[i] == "]":
                    break
            nodes.append(Alt(options))
            i += 1
        elif char == "{":
            flush()
            head = _HEAD.match(text, i + 1)
            if head:
                body, i = _parse(text, head.end(), "}")
                label, subtype, ident = head.groups()
                nodes.append(
                    Labelled(
                        label,
                        subtype or "",
                        _IDENT.get(ident or "", _DEFAULT_IDENT[label]),
                        body,
                    )
                )
            else:
                close = text.find("}", i)
                ref = _REF.match(text[i + 1 : close])
                if close < 0 or ref is None:
                    raise ValueError(f"template: bad slot at {i}: {text!r}")
                mods, name, low, high, sep, tag = ref.groups()
                nodes.append(
                    Ref(
                        name,
                        mods,
                        int(low or 1),
                        int(high or low or 1),
                        _SEPARATORS.get(sep or "sp", sep or " "),
                        tag or "",
                    )
                )
                i = close
            if i >= len(text):
                raise ValueError(f"template: unclosed slot: {text!r}")
            i += 1
        else:
            plain.append(char)
            i += 1
    flush()
    return nodes, i


class Rule(NamedTuple):
    """The expansions of one rule, with cumulative weights."""

    options: list[list[Node]]
    weights: list[float]


@cache
def grammar(name: str) -> dict[str, Rule]:
    """Rules of one template file.

    name (str): File name without extension.
    RETURNS (dict[str, Rule]): The rules.
    """
    rules: dict[str, Rule] = {}
    path = TEMPLATES / f"{name}.txt"
    current: Rule | None = None
    for line in path.read_text(encoding="utf8").splitlines():
        if not line.strip() or line.startswith("# "):
            continue
        if line.startswith("@"):
            current = rules.setdefault(line[1:].strip(), Rule([], []))
            continue
        if current is None:
            raise ValueError(f"template file '{name}': text before the first rule")
        weight = 1.0
        match = re.match(r"%([\d.]+) ", line)
        if match:
            weight = float(match.group(1))
            line = line[match.end() :]
        current.options.append(parse_template(line))
        current.weights.append(weight)
    return rules


# --------------------------------------------------------------------------
# The world of one document


class World:
    """Everybody and everything in one document, made as the templates ask for it.

    rng (random.Random): Source of randomness.
    kind (str): Kind of document, names the template file.
    """

    def __init__(self, rng: random.Random, kind: str) -> None:
        self.rng = rng
        self.kind = kind
        self.rules = grammar(kind)
        self.common = grammar("common")
        self.people: dict[str, Person] = {}
        self.memo: dict[str, list[Piece]] = {}
        self.used: dict[str, set[int]] = {}
        self.place = rng.choice(places())
        if rng.random() < 0.4:
            self.place = rng.choice(places()[:5])
        span = 45 if kind in ("court", "biography") else 25
        self.today = date(2026, 1, 1) - timedelta(days=rng.randint(1, 365 * span))
        self.clock = self.today - timedelta(days=rng.randint(200, 2500))
        self.date_format = rng.choice(list(DATE_FORMATS))
        if kind in ("court", "biography", "letter", "essay"):
            self.date_format = rng.choices(_LONG_FORMATS, (6, 4, 0.7, 0.5, 0.5))[0]

    # Grammar

    def render(self, nodes: Sequence[Node]) -> list[Piece]:
        """Expand a sequence of the grammar.

        nodes (Sequence): The sequence.
        RETURNS (list[Piece]): The text in pieces.
        """
        out: list[Piece] = []
        for node in nodes:
            if isinstance(node, str):
                out.append(Piece(node))
            elif isinstance(node, Alt):
                out.extend(self.render(self.rng.choice(node.options)))
            elif isinstance(node, Labelled):
                text = "".join(piece.text for piece in self.render(node.body))
                key = f"{node.label}:{text.lower()}"
                out.append(Piece(text, node.label, node.subtype, node.ident, key))
            else:
                out.extend(self.reference(node))
        return out

    def reference(self, ref: Ref) -> list[Piece]:
        """Expand a slot or rule with its modifiers.

        ref (Ref): The reference.
        RETURNS (list[Piece]): The text in pieces.
        """
        memo_key = f"{ref.name}#{ref.tag}"
        if ref.tag and memo_key in self.memo:
            pieces = [Piece(**vars(p)) for p in self.memo[memo_key]]
        else:
            pieces = []
            for i in range(self.rng.randint(ref.low, ref.high)):
                if i:
                    pieces.append(Piece(ref.sep))
                pieces.extend(self.expand(ref.name))
            if ref.tag:
                self.memo[memo_key] = [Piece(**vars(p)) for p in pieces]
        for mod in ref.mods:
            if mod == "^":
                for piece in pieces:
                    piece.text = piece.text.upper()
            elif mod == "_":
                for piece in pieces:
                    piece.text = piece.text.lower()
            elif mod == "+" and pieces:
                pieces[0].text = pieces[0].text[:1].upper() + pieces[0].text[1:]
            elif mod == "-":
                pieces = [Piece(p.text) for p in pieces]
            elif mod == "&" and pieces:
                article = "an " if pieces[0].text[:1].lower() in "aeiou" else "a "
                pieces.insert(0, Piece(article))
        return pieces

    def expand(self, name: str) -> list[Piece]:
        """Expand a name once: a rule, a person's form or a slot.

        name (str): The name.
        RETURNS (list[Piece]): The text in pieces.
        RAISES (KeyError): If nothing has that name.
        """
        rule = self.rules.get(name) or self.common.get(name)
        if rule is not None:
            return self.render(rule.options[self.pick(name, rule)])
        role, dot, form = name.partition(".")
        if dot:
            return self.person_form(self.person(role), form)
        slot = getattr(self, f"slot_{name}", None)
        if slot is None:
            raise KeyError(f"templates '{self.kind}': nothing named '{name}'")
        return slot()

    def pick(self, name: str, rule: Rule) -> int:
        """Choose an expansion not used yet in this document.

        name (str): The rule's name.
        rule (Rule): The rule.
        RETURNS (int): Index of the expansion.
        """
        used = self.used.setdefault(name, set())
        weights = [0.0 if i in used else w for i, w in enumerate(rule.weights)]
        if not any(weights):
            used.clear()
            weights = list(rule.weights)
        total = []
        running = 0.0
        for weight in weights:
            running += weight
            total.append(running)
        index = bisect.bisect_right(total, self.rng.random() * running)
        index = min(index, len(rule.options) - 1)
        # An option that only points to another rule may come again and again.
        option = rule.options[index]
        if len(option) != 1 or not isinstance(option[0], Ref):
            used.add(index)
        return index

    # People

    def person(self, role: str) -> Person:
        """The person in a role, made on first use.

        role (str): `s` is the subject, `k...` kin of the subject, others anybody.
        RETURNS (Person): The person.
        """
        if role not in self.people:
            self.people[role] = self._make_person(role)
        return self.people[role]

    def _make_person(self, role: str) -> Person:
        rng = self.rng
        kin = role.startswith("k")
        subject = self.person("s") if kin else None
        if subject is not None:
            place = subject.place
        elif rng.random() < 0.6:
            place = self.place
        else:
            place = rng.choice(places())
        culture_name = rng.choice(place.cultures)
        if subject is not None:
            culture_name = subject.memo["culture"]
        pool = cultures()[culture_name]
        gender = rng.choice("mf")
        given = rng.choice(pool.male if gender == "m" else pool.female)
        last = self._surname(pool, culture_name)
        if subject is not None and rng.random() < 0.8:
            last = subject.last
        middle: list[str] = []
        if culture_name.startswith("en_") and rng.random() < 0.45:
            source = pool.male if gender == "m" else pool.female
            middle = [rng.choice(source)]
            if rng.random() < 0.15:
                middle.append(rng.choice([rng.choice(pool.last), rng.choice(source)]))
        elif culture_name in ("ru", "uk") and rng.random() < 0.4:
            middle = [self._patronymic(pool, gender)]
        elif rng.random() < 0.12:
            middle = [rng.choice(pool.male if gender == "m" else pool.female)]
        if culture_name in ("en_IN", "lk") and rng.random() < 0.2:
            given = f"{given[0]}. {rng.choice(string.ascii_uppercase)}."
        if culture_name in ("fr_FR", "de_DE") and rng.random() < 0.12:
            source = pool.male if gender == "m" else pool.female
            given = f"{given.split('-')[0]}-{rng.choice(source).split('-')[0]}"
        suffix = ""
        if gender == "m" and culture_name == "en_US" and rng.random() < 0.07:
            suffix = rng.choice([" Jr.", ", Jr.", " Sr.", " III", " II", " jr", " IV"])
        titles = ["Mr", "Mr.", "Mr"] if gender == "m" else ["Mrs", "Ms", "Ms.", "Miss"]
        title = rng.choice(titles)
        if role.startswith("d"):
            title = rng.choice("Dr Dr. Dr Dr. Dr Dr. Prof. Professor".split())
        elif role.startswith("j"):
            title = rng.choice(["Judge", "Justice", "Mr Justice", "Judge", "HHJ"])
        elif role.startswith("o"):
            title = rng.choice(
                "Sergeant Constable Inspector Officer Captain Lt. Detective PC DC Sgt. "
                "Colonel".split()
            )
        elif rng.random() < 0.06:
            title = rng.choice(
                "Dr Prof. Professor Sir Rev. Father Captain Lord Sheikh Lady".split()
            )
        age = rng.randint(18, 88)
        if role.startswith("kc"):
            age = rng.randint(1, 17)
        born = self.today - timedelta(days=round(age * 365.25) + rng.randint(1, 360))
        eastern = culture_name in ("zh", "ko", "vi", "ja") and rng.random() < 0.5
        person = Person(
            role,
            role == "s",
            gender,
            given,
            middle,
            last,
            suffix,
            title,
            place,
            "eastern" if eastern else "western",
            born,
        )
        person.memo["culture"] = culture_name
        person.memo["years_old"] = age
        return person

    def _surname(self, pool: Culture, culture: str) -> str:
        rng = self.rng
        last = rng.choice(pool.last)
        draw = rng.random()
        if draw < 0.08:
            last = coin_name(rng, pool.last)
        elif draw < 0.12:
            last = f"{last.split(' ')[-1]}-{rng.choice(pool.last).split(' ')[-1]}"
        elif draw < 0.3 and culture in ("es_ES", "es_MX", "pt_PT", "pt_BR"):
            last = f"{last} {rng.choice(pool.last)}"
        elif draw < 0.16:
            particles = {
                "de_DE": "von", "de_AT": "von", "nl_NL": "van der", "fr_FR": "de",
                "it_IT": "Di", "es_ES": "de la", "en_IE": "O'", "en_US": "Mc",
                "en_GB": "Mac", "pt_BR": "da", "ar": "al-",
            }  # fmt: skip
            particle = particles.get(culture)
            if particle and particle[-1] in "'-":
                last = particle + re.sub(r"^(O'|[Aa]l-)", "", last)
            elif particle in ("Mc", "Mac"):
                last = particle + last
            elif particle and " " not in last:
                last = f"{particle} {last}"
        return last

    def _patronymic(self, pool: Culture, gender: str) -> str:
        base = self.rng.choice(pool.male)
        if base[-1] in "aeiouy":
            return base[:-1] + ("evich" if gender == "m" else "evna")
        return base + ("ovich" if gender == "m" else "ovna")

    def person_form(self, person: Person, form: str) -> list[Piece]:
        """A person's name, pronoun or datum in some form.

        person (Person): The person.
        form (str): Name of the form, see the methods `name_...` and `datum_...`.
        RETURNS (list[Piece]): The text in pieces.
        RAISES (KeyError): If there is no such form.
        """
        lower = form[:1].lower() + form[1:]
        if form in _PRONOUNS or lower in _PRONOUNS:
            pair = _PRONOUNS.get(form) or _PRONOUNS[lower]
            text = pair[person.female]
            if form not in _PRONOUNS:
                text = text[:1].upper() + text[1:]
            return [Piece(text)]
        name = getattr(self, f"name_{form}", None)
        if name is not None:
            if form == "any":
                return self.person_form(person, self._any_form(person))
            subtype = _NAME_SUBTYPES.get(form, "FULL_NAME")
            ident = DIRECT if person.subject else QUASI
            return [Piece(name(person), "PERSON", subtype, ident, f"p:{person.role}")]
        datum = getattr(self, f"datum_{form}", None)
        if datum is None:
            raise KeyError(f"templates '{self.kind}': no form '{form}' of a person")
        if form not in person.memo:
            person.memo[form] = datum(person)
        return [Piece(**vars(piece)) for piece in person.memo[form]]

    def name_full(self, p: Person) -> str:
        if "middle" not in p.memo:
            p.memo["middle"] = self.rng.choice(["full", "initial", "none"])
        return p.full(p.memo["middle"])

    def name_plain(self, p: Person) -> str:
        return p.full("none")

    def name_complete(self, p: Person) -> str:
        return p.full("full")

    def name_first(self, p: Person) -> str:
        return p.given

    def name_last(self, p: Person) -> str:
        return p.last

    def name_nick(self, p: Person) -> str:
        return _NICK.get(p.given, p.given)

    def name_tlast(self, p: Person) -> str:
        return f"{p.title} {p.last}"

    def name_tfull(self, p: Person) -> str:
        return f"{p.title} {self.name_full(p)}"

    def name_tplain(self, p: Person) -> str:
        return f"{p.title} {p.full('none')}"

    def name_tinit(self, p: Person) -> str:
        return f"{p.title} {self.name_init(p)}"

    def name_init(self, p: Person) -> str:
        letters = [p.given[0], *(m[0] for m in p.middle)]
        sep = self.rng.choice(["", "", " "])
        return sep.join(f"{x}." for x in letters) + f" {p.last}"

    def name_initials(self, p: Person) -> str:
        letters = [p.given[0], *(m[0] for m in p.middle), p.last[0]]
        return self.rng.choice([".".join(letters) + ".", "".join(letters)]).upper()

    def name_short(self, p: Person) -> str:
        return f"{p.given} {p.last[0].upper()}" + self.rng.choice([".", ""])

    def name_formal(self, p: Person) -> str:
        last = p.last.upper() if self.rng.random() < 0.5 else p.last
        return f"{last}, {' '.join([p.given, *p.middle])}"

    def name_caps(self, p: Person) -> str:
        return self.name_full(p).upper()

    def name_tcaps(self, p: Person) -> str:
        return f"{p.title} {self.name_full(p)}".upper()

    def name_lastcaps(self, p: Person) -> str:
        return p.last.upper()

    def name_mixed(self, p: Person) -> str:
        return f"{p.given} {p.last.upper()}"

    def name_quoted(self, p: Person) -> str:
        nick = _NICK.get(p.given, self.rng.choice(list(_NICK.values())))
        return f'{p.given} "{nick}" {p.last}'

    def name_post(self, p: Person) -> str:
        degree = self.rng.choice(["PhD", "MD", "M.D.", "RN", "MSc", "Esq.", "MBA"])
        return f"{self.name_full(p)}, {degree}"

    def name_lower(self, p: Person) -> str:
        return p.full("none").lower()

    def name_lfirst(self, p: Person) -> str:
        return self.name_nick(p).lower()

    def name_maiden(self, p: Person) -> str:
        if "maiden_name" not in p.memo:
            p.memo["maiden_name"] = self._surname(
                cultures()[p.memo["culture"]], p.memo["culture"]
            )
        return p.memo["maiden_name"]

    def name_alias(self, p: Person) -> str:
        last = self.name_maiden(p).split()[-1]
        nick = self.rng.choice(["DJ", "MC", "Lil", "Big", "Young", "King", "Lady"])
        return self.rng.choice([f"{self.name_nick(p)} {last}", f"{nick} {p.given}"])

    def name_native(self, p: Person) -> str:
        """A name in the script of the person's language, where that isn't Latin."""
        locale = _SCRIPT_LOCALES.get(p.place.language)
        if locale is None:
            return p.full()
        if "native_name" not in p.memo:
            fake = self._fake(locale)
            first = fake.first_name_female() if p.female else fake.first_name_male()
            sep = "" if locale in ("zh_CN", "ja_JP", "ko_KR") else " "
            order = (fake.last_name(), first) if not sep else (first, fake.last_name())
            p.memo["native_name"] = sep.join(order).strip()
        return p.memo["native_name"]

    def _rank(self) -> str:
        return self.rng.choice(
            "President|General|Senator|Prime Minister|King|Minister|Mayor|Chancellor|"
            "Governor|Queen|Colonel|Lt Gen|Archbishop|Congressman|Sheriff|PM".split("|")
        )

    def name_rlast(self, p: Person) -> str:
        return f"{self._rank()} {p.last}"

    def name_rplain(self, p: Person) -> str:
        return f"{self._rank()} {p.full('none')}"

    def name_dr(self, p: Person) -> str:
        return f"{self.rng.choice(['Dr', 'Dr.', 'Dr'])} {p.last}"

    def name_any(self, p: Person) -> str:
        return getattr(self, f"name_{self._any_form(p)}")(p)

    def _any_form(self, p: Person) -> str:
        """Later mentions: mostly in the form that this document prefers."""
        forms = ("last", "tlast", "first", "full", "plain", "tfull", "init")
        if "any" not in p.memo:
            p.memo["any"] = self.rng.choices(forms, (5, 5, 4, 2, 2, 1, 1))[0]
        return p.memo["any"] if self.rng.random() < 0.7 else self.rng.choice(forms)

    # What is known about a person

    def _code(
        self, p: Person | None, text: str, subtype: str, ident: str = ""
    ) -> list[Piece]:
        ident = ident or (DIRECT if p is not None and p.subject else QUASI)
        return [Piece(text, "CODE", subtype, ident, f"CODE:{text.lower()}")]

    def _domain(self) -> str:
        rng = self.rng
        words = self.expand("w_brand")[0].text
        name = ascii_fold(words)
        if rng.random() < 0.3:
            name += rng.choice(["-group", "-hr", "mail", "net", "labs", "-int", "med"])
        tld = rng.choice(
            "com com com org net co.uk de fr eu io info edu gov.uk com.tr it nl pl "
            "example invalid".split()
        )
        return f"{name}.{tld}"

    def _handle(self, p: Person) -> str:
        rng = self.rng
        first = ascii_fold(self.name_nick(p)) or "user"
        last = ascii_fold(p.last) or "x"
        style = rng.randrange(9)
        handle = [
            f"{first}{last}",
            f"{first}_{last}",
            f"{first[0]}{last}{rng.randint(1, 99)}",
            f"{first}{p.born.year % 100:02}",
            f"the{rng.choice(['real', ''])}{first}",
            f"{self.expand('w_handle')[0].text}{rng.choice(['', '_', ''])}{first}",
            f"{self.expand('w_handle')[0].text}{rng.randint(1, 9999)}",
            f"{first}.{last}",
            f"{last}{first[0]}",
        ][style]
        if rng.random() < 0.2:
            handle = "".join(
                part.capitalize() for part in re.split(r"(?<=[a-z])(?=[_.\d])", handle)
            )
        return handle

    def datum_email(self, p: Person) -> list[Piece]:
        rng = self.rng
        first, last = ascii_fold(p.given) or "info", ascii_fold(p.last) or "x"
        local = rng.choice(
            [
                f"{first}.{last}",
                f"{first[0]}.{last}",
                f"{first}{rng.randint(1, 999)}",
                f"{last}.{first}",
                f"{first}_{last}",
                f"{first[0]}{last}",
                f"{first}+{rng.choice(['news', 'home', 'work'])}",
                self._handle(p),
            ]
        )
        if rng.random() < 0.5:
            domain = rng.choice(
                "gmail.example mail.example example.com example.org inbox.example "
                "webmail.example example.net post.example hotmail.example".split()
            )
        else:
            domain = self._domain()
        return self._code(p, f"{local}@{domain}", "EMAIL")

    def datum_user(self, p: Person) -> list[Piece]:
        return self._code(p, self._handle(p), "USERNAME")

    def datum_handle(self, p: Person) -> list[Piece]:
        return self._code(p, "@" + self._handle(p).replace(".", "_"), "USERNAME")

    def _locale(self, place: Place, wanted: Sequence[str]) -> str:
        options = [c for c in place.cultures if c in wanted]
        return self.rng.choice(options or ["en_US", "en_GB"])

    def _fake(self, locale: str) -> Any:
        fake = _faker(locale)
        fake.random = self.rng
        return fake

    def datum_phone(self, p: Person) -> list[Piece]:
        return self._code(p, self._phone(p.place), "PHONE")

    def _phone(self, place: Place) -> str:
        rng = self.rng
        if rng.random() < 0.5:
            locale = self._locale(place, _ADDRESS_LOCALES)
            return self._fake(locale).phone_number()
        d = "".join(rng.choices(string.digits, k=12))
        return rng.choice(
            [
                f"({d[:3]}) 555-01{d[3:5]}",
                f"{d[:3]}-555-01{d[3:5]}",
                f"+1 {d[:3]} 555 01{d[3:5]}",
                f"+44 20 7946 0{d[:3]}",
                f"07700 900{d[:3]}",
                f"+49 30 23125 {d[:3]}",
                f"+90 5{d[:2]} {d[2:5]} {d[5:7]} {d[7:9]}",
                f"+33 6 {d[:2]} {d[2:4]} {d[4:6]} {d[6:8]}",
                f"0{d[:3]}/{d[3:9]}",
                f"+48 {d[:3]} {d[3:6]} {d[6:9]}",
                f"{d[:3]}.{d[3:6]}.{d[6:10]}",
                f"1-800-555-01{d[:2]}",
            ]
        )

    def datum_dob(self, p: Person) -> list[Piece]:
        return self._date(p.born, ident=DIRECT if p.subject else QUASI, subtype="DATE")

    def datum_birthyear(self, p: Person) -> list[Piece]:
        year = str(p.born.year)
        return [Piece(year, "DATETIME", "YEAR", QUASI, f"DATETIME:{year}")]

    def _dem(self, text: str, subtype: str, ident: str = NO_MASK) -> list[Piece]:
        return [Piece(text, "DEM", subtype, ident, f"DEM:{text.lower()}")]

    def datum_age(self, p: Person) -> list[Piece]:
        age = p.memo["years_old"]
        text = in_words(age) if self.rng.random() < 0.2 else str(age)
        return self._dem(text, "AGE", QUASI)

    def datum_aged(self, p: Person) -> list[Piece]:
        age = p.memo["years_old"]
        words = in_words(age) if self.rng.random() < 0.15 else str(age)
        sep = self.rng.choice(["-", "-", "-", " "])
        return self._dem(f"{words}{sep}year{sep}old", "AGE", QUASI)

    def datum_yo(self, p: Person) -> list[Piece]:
        age = p.memo["years_old"]
        text = self.rng.choice(
            [f"{age}yo", f"{age} y/o", f"{age} yo", f"{age}-year-old", f"{age} y.o."]
        )
        return self._dem(text, "AGE", QUASI)

    def datum_years(self, p: Person) -> list[Piece]:
        return self._dem(f"{p.memo['years_old']} years old", "AGE", QUASI)

    def datum_agesex(self, p: Person) -> list[Piece]:
        text = f"{p.memo['years_old']}{'F' if p.female else 'M'}"
        return self._dem(text, "AGE", QUASI)

    def datum_job(self, p: Person) -> list[Piece]:
        text = self.expand("w_job")[0].text
        return self._dem(text, "OCCUPATION", QUASI if p.subject else NO_MASK)

    def datum_nat(self, p: Person) -> list[Piece]:
        return self._dem(
            p.place.demonym, "NATIONALITY", QUASI if p.subject else NO_MASK
        )

    def datum_language(self, p: Person) -> list[Piece]:
        return self._dem(p.place.language, "LANGUAGE")

    def _loc(self, text: str, subtype: str, ident: str = QUASI) -> list[Piece]:
        return [Piece(text, "LOC", subtype, ident, f"LOC:{text.lower()}")]

    def datum_country(self, p: Person) -> list[Piece]:
        text = p.place.country
        prefix = [Piece("the ")] if text.startswith("the ") else []
        return prefix + self._loc(text.removeprefix("the "), "COUNTRY", NO_MASK)

    def datum_city(self, p: Person) -> list[Piece]:
        return self._loc(self.rng.choice(p.place.cities), "CITY")

    def datum_born_in(self, p: Person) -> list[Piece]:
        return self._loc(self.rng.choice(p.place.cities), "CITY")

    def _street(self, place: Place) -> str:
        if not set(place.cultures) & set(_ADDRESS_LOCALES) and self.rng.random() < 0.7:
            return self._composed_street(place)
        locale = self._locale(place, _ADDRESS_LOCALES)
        return self._fake(locale).street_address().replace("\n", ", ")

    def _composed_street(self, place: Place) -> str:
        """A street of a country whose addresses Faker doesn't know."""
        rng = self.rng
        pool = cultures()[rng.choice(place.cultures)]
        name = rng.choice([rng.choice(pool.last), rng.choice(pool.male)])
        number = rng.choice(
            [str(rng.randint(1, 240)), f"{rng.randint(1, 90)}/{rng.randint(1, 30)}"]
        )
        if "tr_TR" in place.cultures or "az_AZ" in place.cultures:
            kind = rng.choice(["Sokak", "Caddesi", "Sok.", "Cad.", "Bulvarı", "Mah."])
            return f"{name} {kind} {rng.choice(['No: ', 'No:', ''])}{number}"
        if {"ru", "uk", "bg"} & set(place.cultures):
            return f"{rng.choice(['ul.', 'ulitsa', 'vul.', 'bul.'])} {name} {number}"
        kind = rng.choice(
            "Street|Street|Road|St.|Avenue|Lane|Square|Boulevard|Close".split("|")
        )
        return rng.choice(
            [
                f"{number} {name} {kind}",
                f"{name} {kind} {number}",
                f"House {number}, {name} {kind}",
            ]
        )

    def _postcode(self, place: Place) -> str:
        return self._fake(self._locale(place, _ADDRESS_LOCALES)).postcode()

    def datum_street(self, p: Person) -> list[Piece]:
        return self._loc(self._street(p.place), "ADDRESS", DIRECT)

    def datum_town(self, p: Person) -> list[Piece]:
        """Postcode and city, as on an envelope."""
        city, code = self.rng.choice(p.place.cities), self._postcode(p.place)
        if self._locale(p.place, _ADDRESS_LOCALES) in ("en_US", "en_GB", "en_IN"):
            return [*self._loc(city, "CITY"), Piece(" "), *self._loc(code, "POSTCODE")]
        return [*self._loc(code, "POSTCODE"), Piece(" "), *self._loc(city, "CITY")]

    def datum_addr(self, p: Person) -> list[Piece]:
        """The address in one line, one mention."""
        city = self.rng.choice(p.place.cities)
        street, code = self._street(p.place), self._postcode(p.place)
        text = self.rng.choice(
            [
                f"{street}, {code} {city}",
                f"{street}, {city} {code}",
                f"{street}, {city}",
                f"{street}, {city}, {code}",
            ]
        )
        return self._loc(text, "ADDRESS", DIRECT if p.subject else QUASI)

    def _digits(self, pattern: str) -> str:
        """`#` a digit, `?` a capital letter, `%` a digit but zero, `x` hexadecimal."""
        make = {
            "#": string.digits,
            "?": string.ascii_uppercase,
            "%": "123456789",
            "~": "0123456789abcdef",
        }
        return "".join(self.rng.choice(make[c]) if c in make else c for c in pattern)

    def datum_nid(self, p: Person) -> list[Piece]:
        return self._code(p, self._nid(), "NATIONAL_ID", DIRECT)

    def _nid(self) -> str:
        if self.rng.random() < 0.5:
            locale = self._locale(self.rng.choice(places()), _ADDRESS_LOCALES)
            text = self._fake(locale).ssn()
            if text:
                return text
        return self._digits(
            self.rng.choice(
                ["%##-##-####", "?? ## ## ## ?", "%##########", "######-####",
                 "%## ### ###", "%#.###.###-#", "########?", "%### #### ####"]
            )
        )  # fmt: skip

    def datum_mrn(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["%######", "MRN%#####", "%##-##-##", "H%######", "%#######", "?#######",
             "%## ### ####", "00######"]
        )  # fmt: skip
        return self._code(p, self._digits(pattern), "HEALTH_ID", DIRECT)

    def datum_passport(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["?#######", "%########", "??#######", "?########", "?? #######"]
        )
        return self._code(p, self._digits(pattern), "PASSPORT", DIRECT)

    def datum_licence(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["?###-####-####", "?????######??#??", "?#######", "########", "##??######"]
        )
        return self._code(p, self._digits(pattern), "DRIVER_LICENCE", DIRECT)

    def datum_iban(self, p: Person) -> list[Piece]:
        text = self._fake(self.rng.choice(["de_DE", "en_GB", "fr_FR", "nl_NL"])).iban()
        if self.rng.random() < 0.6:
            text = " ".join(text[i : i + 4] for i in range(0, len(text), 4))
        return self._code(p, text, "IBAN", DIRECT)

    def datum_card(self, p: Person) -> list[Piece]:
        text = self._fake("en_US").credit_card_number()
        if self.rng.random() < 0.5:
            text = " ".join(text[i : i + 4] for i in range(0, len(text), 4))
        return self._code(p, text, "CARD", DIRECT)

    def datum_account(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["%#######", "%#-##-## ########", "AC-%#####", "%###-####-##", "C%######",
             "%#########"]
        )  # fmt: skip
        return self._code(p, self._digits(pattern), "ACCOUNT", DIRECT)

    def datum_staffid(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(["EMP-#####", "%#####", "S#######", "K-####"])
        return self._code(p, self._digits(pattern), "RECORD_NUMBER", DIRECT)

    def datum_plate(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["?? ## ???", "??## ???", "%-???-###", "?-?? %###", "??-###-??", "## ?? ###",
             "??? %###"]
        )  # fmt: skip
        return self._code(p, self._digits(pattern), "PLATE", DIRECT)

    def datum_url(self, p: Person) -> list[Piece]:
        path = self.rng.choice(["in/", "u/", "", "users/", "~", "profile/"])
        scheme = self.rng.choice(["https://", "http://www.", "www.", ""])
        return self._code(p, f"{scheme}{self._domain()}/{path}{self._handle(p)}", "URL")

    def datum_ip(self, p: Person) -> list[Piece]:
        return self._code(p, self._fake("en_US").ipv4(), "IP")

    # Things

    def _date(
        self,
        day: date,
        ident: str = QUASI,
        subtype: str = "DATE",
        style: str | None = None,
    ) -> list[Piece]:
        if style is None:
            style = self.date_format
            if self.rng.random() < 0.1 and self.kind != "court":
                style = self.rng.choice(list(DATE_FORMATS))
        text = DATE_FORMATS[style](day)
        return [Piece(text, "DATETIME", subtype, ident, f"DATETIME:{day}")]

    def _when(self, text: str, subtype: str, ident: str = QUASI) -> list[Piece]:
        return [Piece(text, "DATETIME", subtype, ident, f"DATETIME:{text.lower()}")]

    def _some_day(self) -> date:
        return self.today - timedelta(days=self.rng.randint(0, 900))

    def slot_today(self) -> list[Piece]:
        return self._date(self.today)

    def slot_date(self) -> list[Piece]:
        return self._date(self._some_day())

    def slot_recent(self) -> list[Piece]:
        return self._date(self.today - timedelta(days=self.rng.randint(1, 30)))

    def slot_soon(self) -> list[Piece]:
        return self._date(self.today + timedelta(days=self.rng.randint(1, 60)))

    def slot_next(self) -> list[Piece]:
        """A date after the last one of the document."""
        self.clock += timedelta(days=self.rng.randint(2, 260))
        return self._date(self.clock)

    def slot_old(self) -> list[Piece]:
        days = self.rng.randint(3000, 24000)
        return self._date(self.today - timedelta(days=days))

    def slot_day(self) -> list[Piece]:
        day = self.today + timedelta(days=self.rng.randint(-40, 40))
        text = self.rng.choice(_DAY_FORMATS)(day)
        if text.startswith("the "):
            return [Piece("the "), *self._when(text[4:], "DATE")]
        return self._when(text, "DATE")

    def slot_wday(self) -> list[Piece]:
        """Weekday with date."""
        day = self.today + timedelta(days=self.rng.randint(-40, 40))
        name = _DAYS[day.weekday()]
        text = self.rng.choice(
            [
                f"{name}, {DATE_FORMATS['dmy'](day)}",
                f"{name} {day.day} {_MONTHS[day.month - 1]}",
                f"{name}, {_MONTHS[day.month - 1]} {day.day}",
                f"{name[:3]}, {day.day} {_MONTHS[day.month - 1][:3]} {day.year}",
                f"{name} the {ordinal(day.day)}",
            ]
        )
        return self._when(text, "DATE")

    def slot_weekday(self) -> list[Piece]:
        return self._when(self.rng.choice(_DAYS), "WEEKDAY", NO_MASK)

    def slot_month(self) -> list[Piece]:
        day = self._some_day()
        return self._when(f"{_MONTHS[day.month - 1]} {day.year}", "DATE")

    def slot_monthonly(self) -> list[Piece]:
        return self._when(self.rng.choice(_MONTHS), "DATE")

    def slot_year(self) -> list[Piece]:
        year = self.today.year - int(self.rng.triangular(0, 60, 4))
        return self._when(str(year), "YEAR")

    def slot_years(self) -> list[Piece]:
        start = self.today.year - self.rng.randint(5, 50)
        end = start + self.rng.randint(1, 9)
        text = self.rng.choice(
            [f"{start}–{end}", f"{start}-{end}", f"{start}/{end % 100:02}",
             f"{start} - {end}"]
        )  # fmt: skip
        return self._when(text, "DATE_RANGE")

    def slot_decade(self) -> list[Piece]:
        decade = self.rng.choice(range(1950, 2020, 10))
        prefix = self.rng.choice(["", "", "early ", "late ", "mid-"])
        return self._when(f"{prefix}{decade}s", "YEAR")

    def slot_time(self) -> list[Piece]:
        hour, minute = self.rng.randint(0, 23), self.rng.choice([0, 15, 30, 45, 5, 52])
        half = "am" if hour < 12 else "pm"
        twelve = (hour - 1) % 12 + 1
        text = self.rng.choice(
            [
                f"{hour:02}:{minute:02}",
                f"{twelve}:{minute:02} {half}",
                f"{twelve}.{minute:02}{half}",
                f"{twelve}{half}",
                f"{hour:02}.{minute:02}",
                f"{twelve}:{minute:02} {half[0]}.m.",
                f"{hour:02}:{minute:02}",
            ]
        )
        return self._when(text, "TIME")

    def slot_clock(self) -> list[Piece]:
        text = f"{self.rng.randint(0, 23):02}:{self.rng.randint(0, 59):02}"
        return self._when(text, "TIME", NO_MASK)

    def slot_stamp(self) -> list[Piece]:
        moment = datetime(self.today.year, self.today.month, self.today.day)
        moment += timedelta(seconds=self.rng.randint(0, 86399))
        text = self.rng.choice(
            [
                moment.strftime("%Y-%m-%d %H:%M:%S"),
                moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
                moment.strftime("%d/%b/%Y:%H:%M:%S +0000"),
                moment.strftime("%Y-%m-%d %H:%M:%S")
                + f",{self.rng.randint(0, 999):03}",
            ]
        )
        return self._when(text, "DATE")

    def slot_maildate(self) -> list[Piece]:
        moment = datetime(self.today.year, self.today.month, self.today.day)
        moment += timedelta(seconds=self.rng.randint(0, 86399))
        day, mon = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
        text = self.rng.choice(
            [
                f"{day[:3]}, {moment.day} {mon[:3]} {moment:%Y %H:%M:%S} +0100",
                f"{day}, {mon} {moment.day}, {moment.year} {moment:%I:%M %p}",
                f"{moment.day} {mon} {moment.year} {moment:%H:%M}",
                f"{moment:%d/%m/%Y %H:%M}",
                f"{day[:3]}, {mon[:3]} {moment.day}, {moment.year} at {moment:%I:%M %p}",
            ]
        )
        return self._when(text, "DATE")

    def slot_dur(self) -> list[Piece]:
        rng = self.rng
        n = rng.randint(1, 24)
        unit = rng.choice(["day", "week", "month", "year", "year", "month", "hour"])
        number = in_words(n) if rng.random() < 0.6 else str(n)
        text = f"{number} {unit}{'' if n == 1 else 's'}"
        return self._when(text, "DURATION", NO_MASK)

    def slot_city(self) -> list[Piece]:
        place = self.place if self.rng.random() < 0.5 else self.rng.choice(places())
        return self._loc(self.rng.choice(place.cities), "CITY")

    def slot_w_city(self) -> list[Piece]:
        """A city of the document's country, for use inside longer names."""
        return [Piece(self.rng.choice(self.place.cities))]

    def slot_country(self) -> list[Piece]:
        text = self.rng.choice(places()).country
        prefix = [Piece("the ")] if text.startswith("the ") else []
        return prefix + self._loc(text.removeprefix("the "), "COUNTRY", NO_MASK)

    def slot_homeland(self) -> list[Piece]:
        text = self.place.country
        prefix = [Piece("the ")] if text.startswith("the ") else []
        return prefix + self._loc(text.removeprefix("the "), "COUNTRY", NO_MASK)

    def slot_w_country(self) -> list[Piece]:
        return [Piece(self.place.country.removeprefix("the "))]

    def slot_nat(self) -> list[Piece]:
        return self._dem(self.rng.choice(places()).demonym, "NATIONALITY")

    def slot_homenat(self) -> list[Piece]:
        return self._dem(self.place.demonym, "NATIONALITY")

    def slot_w_demonym(self) -> list[Piece]:
        return [Piece(self.place.demonym)]

    def slot_language(self) -> list[Piece]:
        return self._dem(self.rng.choice(places()).language, "LANGUAGE")

    def slot_w_surname(self) -> list[Piece]:
        """A surname inside another name: firms, streets, prizes."""
        culture = self.rng.choice(self.place.cultures)
        return [Piece(self.rng.choice(cultures()[culture].last))]

    def slot_w_given(self) -> list[Piece]:
        pool = cultures()[self.rng.choice(self.place.cultures)]
        return [Piece(self.rng.choice([*pool.male[:200], *pool.female[:200]]))]

    def slot_street(self) -> list[Piece]:
        return self._loc(self._street(self.place), "ADDRESS")

    def slot_coords(self) -> list[Piece]:
        fake = self._fake("en_US")
        text = f"{float(fake.latitude()):.5f}, {float(fake.longitude()):.5f}"
        return self._loc(text, "COORDINATES")

    def slot_money(self) -> list[Piece]:
        rng = self.rng
        amount = rng.choice([rng.randint(5, 999), rng.randint(10, 900) * 100,
                             rng.randint(1, 90) * 10000])  # fmt: skip
        cents = f".{rng.randint(0, 99):02}" if rng.random() < 0.3 else ""
        figure = f"{amount:,}{cents}"
        text = rng.choice(
            [
                f"${figure}",
                f"£{figure}",
                f"€{figure}",
                f"EUR {figure}",
                f"{figure} euros",
                f"USD {figure}",
                f"{figure} dollars",
                f"{figure} PLN",
                f"TRY {figure}",
                f"GBP {figure}",
                f"{figure} euros (EUR)",
                f"CHF {figure}",
                f"Rs. {figure}",
                f"{rng.randint(1, 40)}.{rng.randint(1, 9)} million dollars",
                f"{figure} SEK",
                f"${rng.randint(2, 90)}k",
            ]
        )
        return [Piece(text, "QUANTITY", "MONEY", QUASI, f"QUANTITY:{text.lower()}")]

    def slot_percent(self) -> list[Piece]:
        text = (
            f"{self.rng.randint(1, 99)}{self.rng.choice(['%', '%', ' %', ' per cent'])}"
        )
        return [Piece(text, "QUANTITY", "PERCENT", NO_MASK, f"QUANTITY:{text}")]

    def slot_measure(self) -> list[Piece]:
        rng = self.rng
        text = rng.choice(
            [
                f"{rng.randint(45, 130)} kg",
                f"{rng.randint(150, 200)} cm",
                f"{rng.randint(5, 400)} km",
                f"{rng.randint(2, 90)} metres",
                f"5'{rng.randint(0, 11)}\"",
                f"{rng.randint(95, 290)} lbs",
                f"{rng.randint(2, 60)} miles",
                f"{rng.randint(40, 900)} sq m",
                f"1.{rng.randint(50, 98)} m",
            ]
        )
        return [Piece(text, "QUANTITY", "MEASURE", QUASI, f"QUANTITY:{text}")]

    def _measure(self, text: str) -> list[Piece]:
        return [Piece(text, "QUANTITY", "MEASURE", QUASI, f"QUANTITY:{text}")]

    def slot_height(self) -> list[Piece]:
        rng = self.rng
        cm = rng.randint(148, 202)
        return self._measure(
            rng.choice(
                [f"{cm} cm", f"{cm}cm", f"{cm / 100:.2f} m", f"5'{rng.randint(0, 11)}\"",
                 f"{rng.choice('56')} ft {rng.randint(0, 11)}", f"{cm / 100:.2f}m"]
            )
        )  # fmt: skip

    def slot_weight(self) -> list[Piece]:
        kg = self.rng.randint(45, 130)
        return self._measure(
            self.rng.choice([f"{kg} kg", f"{kg}kg", f"{kg * 2} lbs", f"{kg}.5 kg"])
        )

    def slot_count(self) -> list[Piece]:
        n = self.rng.randint(2, 60)
        text = in_words(n) if self.rng.random() < 0.7 else str(n)
        return [Piece(text, "QUANTITY", "COUNT", QUASI, f"QUANTITY:{text}")]

    def slot_dose(self) -> list[Piece]:
        n = self.rng.choice([5, 10, 20, 25, 40, 50, 75, 81, 100, 250, 500, 850])
        text = f"{n} mg" if self.rng.random() < 0.5 else f"{n}mg"
        return [Piece(text, "QUANTITY", "MEASURE", NO_MASK, f"QUANTITY:{text}")]

    def slot_fileno(self) -> list[Piece]:
        pattern = self.rng.choice(
            ["%###/##", "%#/%###", "%## ? %##/##", "?-%###/##", "20##/%##", "%# ??? %##/##",
             "##-CV-#####", "%:##-cr-###", "?? %#.##", "??/####/%##", "%####/%#",
             "[20##] ?#", "19##/%##", "?-##/#"]
        )  # fmt: skip
        return self._code(None, self._digits(pattern), "FILE_NUMBER")

    def slot_caseno(self) -> list[Piece]:
        """The number of the document's own case."""
        pattern = self.rng.choice(
            ["%####/##", "%###/##", "?-%##/##", "%## ? %##/##", "%:20##cv#####",
             "20## ??## #####", "%#-####/##", "?? ##-#####"]
        )  # fmt: skip
        return self._code(None, self._digits(pattern), "CASE_NUMBER", DIRECT)

    def slot_ref(self) -> list[Piece]:
        pattern = self.rng.choice(
            ["REF-%####", "%######", "??-%####-##", "INC00%####", "#%###-####",
             "TK-%####", "?###-%##", "INV-20##-####", "%#########"]
        )  # fmt: skip
        return self._code(None, self._digits(pattern.lstrip("#")), "RECORD_NUMBER")

    def slot_ip(self) -> list[Piece]:
        fake = self._fake("en_US")
        text = fake.ipv4() if self.rng.random() < 0.85 else fake.ipv6()
        return self._code(None, text, "IP")

    def slot_mac(self) -> list[Piece]:
        return self._code(None, self._fake("en_US").mac_address(), "MAC")

    def slot_url(self) -> list[Piece]:
        scheme = self.rng.choice(["https://", "http://", "www.", "https://www."])
        path = self.rng.choice(["", "/", f"/{self._digits('~~~~~~~')}", "/contact"])
        return self._code(None, f"{scheme}{self._domain()}{path}", "URL")

    def slot_vin(self) -> list[Piece]:
        text = "".join(self.rng.choices("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", k=17))
        return self._code(None, text, "VIN", DIRECT)

    def slot_password(self) -> list[Piece]:
        base = self.expand("w_handle")[0].text
        text = f"{base.capitalize()}{self._digits('###')}{self.rng.choice('!#$?*')}"
        return self._code(None, text, "PASSWORD", DIRECT)

    # Numbers and words that identify nobody: unlabelled on purpose

    def _words(self, low: int, high: int) -> list[str]:
        return self._fake("en_US").words(self.rng.randint(low, high))

    def slot_salad(self) -> list[Piece]:
        """Ordinary words in any order: the breadth that templates lack."""
        words = " ".join(self._words(4, 13))
        end = self.rng.choice(".....?!")
        return [Piece(words[:1].upper() + words[1:] + end)]

    def slot_words(self) -> list[Piece]:
        return [Piece(" ".join(self._words(1, 5)))]

    def slot_shout(self) -> list[Piece]:
        return [
            Piece(" ".join(self._words(1, 7)).upper() + self.rng.choice(" !.").strip())
        ]

    def slot_titled(self) -> list[Piece]:
        return [Piece(" ".join(w.capitalize() for w in self._words(2, 7)))]

    def slot_tagword(self) -> list[Piece]:
        words = [w.capitalize() for w in self._words(1, 3)]
        return [Piece("".join(w for w in words if w.isalnum()) or "Tag")]

    def slot_n(self) -> list[Piece]:
        return [Piece(str(self.rng.randint(2, 40)))]

    def slot_digit(self) -> list[Piece]:
        return [Piece(str(self.rng.randint(1, 9)))]

    def slot_two(self) -> list[Piece]:
        return [Piece(str(self.rng.randint(55, 98)))]

    def slot_big(self) -> list[Piece]:
        return [Piece(str(self.rng.randint(100, 99999)))]

    def slot_version(self) -> list[Piece]:
        r = self.rng.randint
        return [Piece(self.rng.choice([f"{r(0, 12)}.{r(0, 30)}", f"v{r(0, 9)}.{r(0, 9)}.{r(0, 40)}",
                                       f"{r(1, 20)}.0", f"{r(1, 9)}.{r(0, 9)}.{r(0, 9)}-rc{r(1, 4)}"]))]  # fmt: skip

    def slot_hexcode(self) -> list[Piece]:
        return [Piece(self._digits(self.rng.choice(["0x~~~~", "0x~~~~~~~~", "~~~~~~~", "E####", "ERR_####"])))]  # fmt: skip

    def slot_price(self) -> list[Piece]:
        n = self.rng.randint(3, 900)
        return [Piece(self.rng.choice([f"${n}.99", f"£{n}", f"€{n},95", f"{n}.00"]))]

    def slot_model(self) -> list[Piece]:
        return [Piece(self._digits(self.rng.choice(["?-###", "??%##", "%000", "?#", "Pro %", "?#-##", "Series %"])))]  # fmt: skip


# --------------------------------------------------------------------------
# From pieces to a rough document


class Roughness(NamedTuple):
    """Chances of each kind of damage to a whole document."""

    lower: float = 0.13
    caps_names: float = 0.15
    caps_all: float = 0.01
    typos: float = 0.3
    drop_punct: float = 0.1
    wrap: float = 0.2
    curly: float = 0.25
    spaced: float = 0.0


_ROUGHNESS = {
    "chat": Roughness(lower=0.45, typos=0.6, drop_punct=0.4, wrap=0.0, curly=0.1),
    "post": Roughness(
        lower=0.3, caps_all=0.04, typos=0.4, drop_punct=0.3, wrap=0.0, spaced=0.35
    ),
    "court": Roughness(lower=0.04, caps_names=0.1, typos=0.1, drop_punct=0.02),
    "biography": Roughness(lower=0.06, caps_names=0.06, typos=0.1, drop_punct=0.03),
    "clinical": Roughness(lower=0.12, caps_names=0.2, caps_all=0.04, typos=0.4),
    "form": Roughness(lower=0.08, caps_names=0.2, caps_all=0.06, wrap=0.02),
    "news": Roughness(lower=0.12, caps_names=0.08, typos=0.1, drop_punct=0.05),
    "snippet": Roughness(
        lower=0.3, caps_names=0.1, typos=0.2, drop_punct=0.25, wrap=0.0
    ),
    "log": Roughness(lower=0.05, caps_names=0.0, typos=0.0, wrap=0.0, curly=0.0),
    "essay": Roughness(lower=0.14, typos=0.5, wrap=0.1),
    "ticket": Roughness(lower=0.2, typos=0.5, wrap=0.05),
}
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_WORD = re.compile(r"[^\W\d_]{4,}")


def _neighbour(rng: random.Random, char: str) -> str:
    for row in _KEYBOARD:
        i = row.find(char.lower())
        if i >= 0:
            other = row[max(0, min(len(row) - 1, i + rng.choice((-1, 1))))]
            return other.upper() if char.isupper() else other
    return char


def misspell(rng: random.Random, word: str) -> str:
    """One typing error inside a word; its first letter stays.

    rng (random.Random): Source of randomness.
    word (str): Four letters or more.
    RETURNS (str): The word with a letter swapped, dropped, doubled or mistyped.
    """
    i = rng.randint(1, len(word) - 2)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if kind == 1:
        return word[:i] + word[i + 1 :]
    if kind == 2:
        return word[:i] + word[i] + word[i:]
    return word[:i] + _neighbour(rng, word[i]) + word[i + 1 :]


def _typos(rng: random.Random, text: str, rate: float) -> str:
    return _WORD.sub(
        lambda m: misspell(rng, m.group()) if rng.random() < rate else m.group(), text
    )


def roughen(rng: random.Random, pieces: list[Piece], rough: Roughness) -> None:
    """Damage a document in place, as people and machines do.

    rng (random.Random): Source of randomness.
    pieces (list[Piece]): The document.
    rough (Roughness): Chances of each kind of damage.
    """
    draw = rng.random()
    if draw < rough.lower:
        for piece in pieces:
            piece.text = piece.text.lower()
    elif draw < rough.lower + rough.caps_names:
        for piece in pieces:
            if piece.label == "PERSON":
                piece.text = piece.text.upper()
    elif draw < rough.lower + rough.caps_names + rough.caps_all:
        for piece in pieces:
            if piece.subtype not in ("EMAIL", "URL", "PASSWORD"):
                piece.text = piece.text.upper()
    elif draw > 0.97:
        for piece in pieces:
            if piece.label == "PERSON":
                piece.text = piece.text.lower()
    elif draw > 0.94:
        recase = rng.choice((str.upper, str.title))
        for piece in pieces:
            if not piece.label:
                piece.text = recase(piece.text)
    if rng.random() < rough.typos:
        rate = rng.choice([0.005, 0.01, 0.03])
        for piece in pieces:
            if not piece.label:
                piece.text = _typos(rng, piece.text, rate)
            elif piece.label in ("PERSON", "LOC", "ORG", "DEM"):
                piece.text = _typos(rng, piece.text, rate * 1.5)
    if rng.random() < rough.drop_punct:
        drop = rng.choice([",", ".", "'", ",.", ",.'?"])
        for piece in pieces:
            if not piece.label:
                piece.text = re.sub(
                    f"[{re.escape(drop)}](?=\\s|$)|(?<=\\w)'(?=\\w)"
                    if "'" in drop
                    else f"[{re.escape(drop)}](?=\\s|$)",
                    "",
                    piece.text,
                )
    if rng.random() < rough.curly:
        for piece in pieces:
            if piece.label != "CODE":
                piece.text = piece.text.replace("'", "’")
                piece.text = re.sub(r'(?<=\w)"|(?<=[.,])"', "”", piece.text)
    if rng.random() < rough.spaced:
        for piece in pieces:
            if piece.label != "CODE":
                piece.text = re.sub(r"(?<=\w)([.,!?:])(?=\s|$)", r" \1", piece.text)
                piece.text = re.sub(r"'s\b", " 's", piece.text)
            elif piece.subtype == "USERNAME" and piece.text.startswith("@"):
                piece.text = "@ " + piece.text[1:]
    if rng.random() < rough.wrap:
        _wrap(rng, pieces)


def _wrap(rng: random.Random, pieces: list[Piece]) -> None:
    """Break long lines with hard returns, inside mentions too."""
    width = rng.randint(46, 80)
    column = 0
    for piece in pieces:
        chars = list(piece.text)
        for i, char in enumerate(chars):
            if char == "\n":
                column = 0
            elif char == " " and column >= width:
                chars[i] = "\n"
                column = 0
            else:
                column += 1
        piece.text = "".join(chars)


def assemble(doc_id: str, kind: str, pieces: Sequence[Piece]) -> dict[str, Any]:
    """Join pieces to a record with exact offsets.

    doc_id (str): Id of the document.
    kind (str): Its kind.
    pieces (Sequence[Piece]): The document.
    RETURNS (dict): `doc_id`, `text`, `kind` and `entity_mentions`.
    """
    parts: list[str] = []
    mentions: list[dict[str, Any]] = []
    ids: dict[str, str] = {}
    length = 0
    for piece in pieces:
        text = piece.text
        if piece.label:
            lead = len(text) - len(text.lstrip())
            core = text.strip()
            # Damage may leave nothing, or nothing but signs, of a mention.
            if any(char.isalnum() for char in core):
                entity = ids.setdefault(piece.key, f"e{len(ids) + 1}")
                mentions.append(
                    {
                        "start_offset": length + lead,
                        "end_offset": length + lead + len(core),
                        "entity_type": piece.label,
                        "subtype": piece.subtype,
                        "identifier_type": piece.ident,
                        "entity_id": entity,
                    }
                )
        parts.append(text)
        length += len(text)
    decisions: dict[str, list[str]] = {}
    for mention in mentions:
        decisions.setdefault(mention["entity_id"], []).append(
            mention["identifier_type"]
        )
    for mention in mentions:
        mention["identifier_type"] = strictest(decisions[mention["entity_id"]])
    return {
        "doc_id": doc_id,
        "text": "".join(parts),
        "kind": kind,
        "entity_mentions": mentions,
    }


def generate(
    n: int, seed: int, kinds: Sequence[str] | None = None
) -> Iterator[dict[str, Any]]:
    """Make synthetic documents, the same for the same seed.

    n (int): How many.
    seed (int): Seed; each document has its own stream, so the first documents don't
        depend on `n`.
    kinds (Sequence[str]): Kinds to draw from, by default all, by their share.
    YIELDS (dict): `doc_id`, `text`, `kind` and `entity_mentions` with character
        offsets, semantic type, subtype, identifier type and entity id.
    RAISES (ValueError): If a kind is unknown.
    """
    unknown = sorted(set(kinds or ()) - set(KINDS))
    if unknown:
        raise ValueError(f"unknown kinds {unknown}; known are {sorted(KINDS)}")
    names = [kind for kind in KINDS if not kinds or kind in kinds]
    weights = [KINDS[name] for name in names]
    seen: set[int] = set()
    for i in range(n):
        attempt = 0
        while True:
            rng = random.Random(f"{seed}/{i}/{attempt}")
            kind = rng.choices(names, weights)[0]
            world = World(rng, kind)
            pieces = world.expand("doc")
            roughen(rng, pieces, _ROUGHNESS.get(kind, Roughness()))
            record = assemble(f"synthetic-{seed}-{i:06}", kind, pieces)
            digest = hash(record["text"])
            attempt += 1
            if digest not in seen:
                break
        seen.add(digest)
        yield record


def main(argv: Sequence[str] | None = None) -> None:
    """Write a synthetic corpus as JSON lines.

    argv (Sequence[str]): Arguments, by default those of the command line.
    """
    parser = argparse.ArgumentParser(description="Write a synthetic corpus.")
    parser.add_argument("n", type=int, help="number of documents")
    parser.add_argument("output", help="JSON lines file, or - for standard output")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="*", choices=sorted(KINDS), default=None)
    args = parser.parse_args(argv)
    if args.output == "-":
        for record in generate(args.n, args.seed, args.kinds):
            sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
        return
    path = Path(args.output)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".part")
    with partial.open("w", encoding="utf8") as out:
        for record in generate(args.n, args.seed, args.kinds):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    partial.replace(path)


if __name__ == "__main__":
    main()
