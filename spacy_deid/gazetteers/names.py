"""Given names and surnames: lists by language, and what a name tells.

The lists are Faker's, with common names for languages of which Faker has rare ones
(`data/names/`). A language is only guessed from names that stand in its lists or carry
its letters or endings.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from ..data import ROOT, faker_lists, table, word_lists
from ..text.folding import fold
from ..text.names import FEMALE, MALE, UNKNOWN
from ..text.scripts import romanise, script_of
from .lexicon import how_often, is_vocabulary
from .readers import SEED

MALE_BIT, FEMALE_BIT = 1, 2
SEX_BITS = {MALE: MALE_BIT, FEMALE: FEMALE_BIT}
KINDS = ("given", "family")
# What it tells for the text's language that a name is in a list without languages.
RARE = 0.3
_LANGUAGES = {row["language"]: row for row in table("names/languages")}
# Language of the names -> Faker locales whose lists are joined.
LOCALES = {
    code: row["locales"].split() for code, row in _LANGUAGES.items() if "_" not in code
}
BITS = {language: 1 << i for i, language in enumerate(LOCALES)}


def _with(trait: str) -> frozenset[str]:
    traits = {code: row["traits"].split() for code, row in _LANGUAGES.items()}
    return frozenset(code for code, own in traits.items() if trait in own)


# What the table tells of languages: see there.
_WORLD, _WEST, _FAR, _NEAR, _ANYWHERE, _MIXED, _SPELT, _ROMANISED, _JOINED = map(
    _with, "world west far near anywhere mixed spelt romanised joined".split()
)
# Surnames that change with the bearer's gender; the first ending that fits counts.
FEMININE = {
    code: [pair.partition(":")[::2] for pair in row["feminine"].split()]
    for code, row in _LANGUAGES.items()
    if row["feminine"]
}
_LETTER_HINTS: dict[str, list[str]] = {}
for _code, _row in _LANGUAGES.items():
    for _letter in _row["letters"]:
        _LETTER_HINTS.setdefault(_letter, []).append(_code)
_ENDING_HINTS = {
    ending: code
    for code, row in _LANGUAGES.items()
    for ending in row["endings"].split()
}
_LONGEST_ENDINGS = tuple(sorted(_ENDING_HINTS, key=len, reverse=True))
SCRIPT_LOCALES = {row["script"]: row["locale"] for row in table("names/scripts")}

_DRAWING = word_lists("names/drawing")
# Given names that are words or months too would read as something else.
_UNFIT = frozenset(_DRAWING["unfit"])
# Names that tell no gender, whatever the lists have them for.
UNISEX = frozenset(_DRAWING["unisex"])
# Surnames of Spanish that are in English lists, without their accents.
_HISPANIC = frozenset(_DRAWING["hispanic"])
# Surnames of others that are frequent enough where English is spoken to be in its lists.
_FOREIGN = frozenset(_DRAWING["foreign"])
# Languages with so many names of each kind in the tables are drawn from these: Faker's are
# rare.
_ENOUGH = 60
# Written without their apostrophe in Faker's list.
_IRISH = re.compile(r"O(?:neal|neill|connor|connell|brien|donnell|keefe)$")
# Endings of women's given names in scripts whose other names are men's.
_ENDING_TELLS = {"el_GR": ("α", "η", "ω", "ά", "ή", "ώ"), "ru_RU": ("а", "я")}
# Letters with the vowel signs and marks that some scripts write after them; no letter is
# both, or a search that fails would try all ways to read a word.
LETTER = (
    r"(?:[^\W\d_]|(?!\w)[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f"
    r"\u0900-\u0963\u0970-\u09e3\u0a00-\u0a63\u0a80-\u0ae3\u0b00-\u0b63\u0b80-\u0be3"
    r"\u0d81-\u0ddf\u0eb1-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u17b4-\u17d3"
    r"\u0c00-\u0c63\u0c80-\u0ce3\u0d00-\u0d63\u0e31-\u0e4e\u200c\u200d])"
)
# A modifier apostrophe (U+02BC) is a letter already.
NAME_WORD = re.compile(rf"{LETTER}+(?:['’]{LETTER}+)*")


class Names(NamedTuple):
    """Known names, case-folded.

    given (dict[str, str]): Gender of each given name: `male`, `female` or `any`.
    family (frozenset[str]): Surnames.
    """

    given: dict[str, str]
    family: frozenset[str]


class NameLists(NamedTuple):
    """Names of one language, or of one script."""

    male: tuple[str, ...]
    female: tuple[str, ...]
    family: tuple[str, ...]

    def sexes(self, name: str) -> int:
        """Whose given name one is, as bits."""
        return MALE_BIT * (name in self.male) | FEMALE_BIT * (name in self.female)


class _Index(NamedTuple):
    """Languages of given names and surnames as bits, whose given name one is, and the
    names that stand in no language's list; all in lower case."""

    given: dict[str, int]
    family: dict[str, int]
    gender: dict[str, int]
    rare: set[str]


class HomeNames(NamedTuple):
    """What names are to a reader of one language: languages as bits of given names and of
    surnames, genders of given names, all folded; which of the two a name is as it is
    written ("Luís" is a surname, "Luis" is none) and which his commonest names are."""

    given: dict[str, int]
    family: dict[str, int]
    gender: dict[str, int]
    written: dict[str, set[str]]
    common: dict[str, set[str]]

    def add(self, bit: int, names: NameLists) -> None:
        """Add names of a language."""
        for sex, values in zip((MALE_BIT, FEMALE_BIT, 0), names):
            kind = "given" if sex else "family"
            for name in values:
                _note(getattr(self, kind), fold(name), bit)
                self.written.setdefault(name.lower(), set()).add(kind)
                if sex:
                    _note(self.gender, fold(name), sex)


def _note(known: dict[str, int], key: str, bits: int) -> None:
    known[key] = known.get(key, 0) | bits


def _added(*parts: NameLists) -> NameLists:
    return NameLists(*(tuple(chain(*kinds)) for kinds in zip(*parts)))


def _lower(*parts: NameLists) -> set[str]:
    return {name.lower() for part in parts for kind in part for name in kind}


class Nicknames(NamedTuple):
    """Nicknames of a language by full name, and full names by nickname, folded."""

    short: dict[str, tuple[str, ...]]
    full: dict[str, tuple[str, ...]]
    gender: dict[str, str]
    # Full names by their folded form.
    names: dict[str, str]


@cache
def load_names() -> Names:
    """The name lists that come with the package. Read once."""
    genders = {"m": "male", "f": "female", "": "any"}
    rows = (SEED / "given_names.tsv").read_text("utf8").splitlines()[1:]
    given = dict(row.split("\t") for row in rows)
    family = (SEED / "family_names.tsv").read_text("utf8").splitlines()[1:]
    return Names({n: genders[g] for n, g in given.items()}, frozenset(family))


def given_name_gender(name: str) -> str | None:
    """Gender of a given name: "m", "f", "" if used for both, None if it is unknown."""
    known = load_names().given
    gender = known.get(name.casefold()) or known.get(fold(name))
    return {"male": MALE, "female": FEMALE, "any": UNKNOWN, None: None}[gender]


def _names_of(provider: type, *attrs: str) -> tuple[str, ...]:
    """The first of a provider's lists that is one; single words only, with a capital
    where the script has them and the list has not ("petek")."""
    for attr in attrs:
        values = getattr(provider, attr, None)
        if values is None or isinstance(values, property) or len(values) < 5:
            continue
        names = filter(NAME_WORD.fullmatch, map(str, values))
        long = (v for v in names if len(v) > 1 or not v.isascii())
        cased = (v[:1].title() + v[1:] if v.islower() else v for v in long)
        return tuple(dict.fromkeys(cased))
    return ()


@cache
def lists_of(locale: str) -> NameLists:
    """Names of one of Faker's locales in its own script."""
    provider = faker_lists(f"person.{locale}")
    family = ("last_names_male", "unisex_last_names", "last_names", "first_names")
    return NameLists(
        _names_of(provider, "first_names_male", "first_names"),
        _names_of(provider, "first_names_female", "first_names"),
        _names_of(provider, *family),
    )


def _of(found: Mapping[str, tuple[str, ...]], language: str) -> NameLists:
    return NameLists(*(found.get(f"{language} {k}", ()) for k in NameLists._fields))


def _common(language: str) -> NameLists:
    return _of(word_lists("names/common"), language)


@cache
def _tables() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Names that readers of a language know, by that language."""
    codes = sorted(file.parent.name for file in ROOT.glob("lang/*/names.tsv"))
    return {code: word_lists(f"lang/{code}/names") for code in codes}


@cache
def _known(language: str) -> NameLists:
    """Names of a language that readers of any language know."""
    return _added(*(_of(found, language) for found in _tables().values()))


def _own(language: str) -> NameLists:
    """Names that have been listed for a language by hand."""
    return _added(_common(language), _known(language))


def _drawn(language: str) -> NameLists | None:
    """The names of the tables, if they are drawn."""
    common, known = _common(language), _known(language)
    if any(common):
        return common
    # What is spelt otherwise elsewhere is only read.
    enough = language not in _SPELT and min(map(len, known)) > _ENOUGH
    return known if enough or not LOCALES[language] else None


@cache
def all_lists(language: str) -> NameLists:
    """Names of a language: those that are drawn, and all others that are known."""
    return _added(lists(language), _known(language))


@cache
def _far_names() -> frozenset[str]:
    """Names that belong to one of the far languages and to no other, and Spanish ones."""
    far = _lower(*map(_common, _FAR)).difference(_DRAWING["far.shared"])
    return _HISPANIC.union(far)


@cache
def _near_names() -> frozenset[str]:
    """Names of people who live among others, whose lists have them, too."""
    west = _lower(*map(lists, _WORLD), *map(_own, _WEST))
    near = _lower(*map(_own, _NEAR)) - west
    return frozenset(near | _lower(*map(_own, _ANYWHERE)))


def _fit_english(name: str) -> bool:
    key = name.lower()
    return not (
        key in _far_names() or key in _UNFIT or key in _FOREIGN or not name.isascii()
        or not name.isalpha() or _IRISH.match(name)
    )  # fmt: skip


@cache
def lists(language: str) -> NameLists:
    """Names of a language in Latin letters."""
    if (own := _drawn(language)) is not None:
        return own
    joined = []
    for names in _added(*map(lists_of, LOCALES[language])):
        values = [*names]
        if language in _ROMANISED:
            values = [r for v in values if (r := romanise(v)).isascii()]
        if language in _WORLD:
            values = [
                v[:2] + v[2:].capitalize() if v.startswith("Mc") else v
                for v in filter(_fit_english, values)
            ]
        joined.append(tuple(dict.fromkeys(v for v in values if len(v) > 2)))
    return NameLists(*joined)


def gender_in(language: str, name: str) -> int:
    """Bits of the genders that a given name has in a language; 0 if its lists lack it."""
    locales = map(lists_of, LOCALES.get(language, ()))
    found = (names.sexes(name) for names in (all_lists(language), *locales))
    return next(filter(None, found), 0)


@cache
def family_set(language: str) -> frozenset[str]:
    """Surnames of a language, to look one up."""
    return frozenset(lists(language).family)


@cache
def folded_names(language: str) -> frozenset[str]:
    """All names of a language without their marks."""
    return frozenset(fold(name) for part in lists(language) for name in part)


@cache
def clear_given(language: str, female: bool) -> tuple[str, ...]:
    """Given names of a language that only one gender has, if there are enough."""
    gender, own = index().gender, FEMALE_BIT if female else MALE_BIT
    pool = lists(language).female if female else lists(language).male
    told = (name for name in pool if name.lower() not in UNISEX)
    clear = tuple(name for name in told if gender.get(name.lower(), own) == own)
    return clear if len(clear) >= 40 else pool


@cache
def nicknames(language: str) -> Nicknames:
    """What friends call the bearers of a language's given names; "ru_RU" for Russian in
    its own letters."""
    found = Nicknames({}, {}, {}, {})
    for row in table("names/nicknames"):
        if row["language"] == language:
            full = row["name"]
            found.short[full] = tuple(row["nicknames"].split())
            for name in found.short[full]:
                key = fold(name)
                found.full[key] = (*found.full.get(key, ()), full)
            found.gender[full] = row["gender"]
            found.names[fold(full)] = full
    return found


@cache
def home_names(home: str) -> HomeNames:
    """The names of `data/lang/CODE/names.tsv`, with those of the language's own lists and
    of languages of which Faker has no names; none without that file."""
    made = HomeNames({}, {}, {}, {}, {})
    if home not in _tables():
        return made
    for language, bit in BITS.items():
        made.add(bit, _of(_tables()[home], language))
        if language == home:
            made.add(bit, lists(language))
        elif not LOCALES[language]:
            made.add(bit, _foreign(lists(language), home))
    full, gender = nicknames(home).full, nicknames(home).gender
    new = {n: {gender[f] for f in of} for n, of in full.items() if n not in made.gender}
    male, female = (tuple(n for n in new if sex in new[n]) for sex in SEX_BITS)
    made.add(BITS[home], NameLists(male, female, ()))
    for kinds, names in zip((("given",), ("given",), ("family",)), lists(home)):
        for name in names:
            made.common.setdefault(fold(name), set()).update(kinds)
    return made


def _foreign(names: NameLists, home: str) -> NameLists:
    """Those that no list of a language has: "Milagros" is a Spanish name before it is one
    of the Philippines."""
    found = (index().given.items(), index().family.items())
    own = {fold(name) for of in found for name, bits in of if bits & BITS[home]}
    return NameLists(*(tuple(n for n in row if fold(n) not in own) for row in names))


@cache
def home_lists(home: str) -> NameLists:
    """The names that a reader of a language knows; all if there is no table of these."""
    if home not in _tables():
        return _added(*map(all_lists, LOCALES))
    return _added(lists(home), *(_of(_tables()[home], code) for code in LOCALES))


@cache
def home_letters(home: str) -> frozenset[str]:
    """The letters of the names of `data/lang/CODE/names.tsv` that are the language's."""
    return frozenset("".join(_lower(_of(_tables().get(home, {}), home))))


def role_at(home: str, word: str, likely: bool = False) -> str:
    """Whether a word is a "given" name or of the "family" to a reader of a language; ""
    if it is both or neither to him.

    likely (bool): Whether what it is among common names tells where it is both.
    """
    known, key, bit = home_names(home), word.lower(), BITS[home]
    kinds = set(known.written.get(key, ()))
    # Faker's lists have names of people from elsewhere, too.
    kinds |= {k for k in KINDS if getattr(index(), k).get(key, 0) & bit}
    if not kinds:
        kinds = {k for k in KINDS if fold(word) in getattr(known, k)}
    if len(kinds) == 2 and likely:
        kinds = known.common.get(fold(word), kinds)
    return next(iter(kinds)) if len(kinds) == 1 else ""


@cache
def index() -> _Index:
    """All names of the lists in Latin letters."""
    made = _Index({}, dict.fromkeys(_HISPANIC, BITS["es"]), {}, set())
    for language in BITS:
        _add_language(made, language)
    # Long lists without origin: they tell gender and that a name is known in English.
    common = word_lists("names/common")
    sexes: dict[str, int] = {}
    for kind, sex in (("male", MALE_BIT), ("female", FEMALE_BIT)):
        listed = _names_of(faker_lists("person.en"), f"first_names_{kind}")
        rare = common[f"rare {kind}"]
        for name in map(str.lower, listed + rare):
            _note(sexes, name, sex)
        # "Grace" is English though never drawn, and so is "Felix" beside others'.
        every = (n for code in LOCALES["en"] for n in getattr(lists_of(code), kind))
        words = (name for name in every if name.lower() in _UNFIT)
        for name in map(str.lower, chain(rare, words)):
            if name in made.given:
                made.given[name] |= BITS["en"]
    new = {name: sex for name, sex in sexes.items() if name not in made.gender}
    made.gender.update(new)
    made.rare.update(new.keys() - set(common["surname first"]))
    for language, bit in BITS.items():
        known = nicknames(language)
        for short in known.full.keys() - made.gender.keys():
            sexes_of = {SEX_BITS[known.gender[full]] for full in known.full[short]}
            made.gender[short] = sum(sexes_of)
            if language in _WORLD:
                made.rare.add(short)
            else:
                made.given[short] = bit
    return made


def _others(language: str) -> frozenset[str]:
    """Names that are others' wherever the lists of a language have them."""
    if language in _FAR:
        return frozenset()
    if language not in _NEAR:
        return _far_names() | _near_names()
    return _far_names() - _lower(_own(language))


def _add_language(made: _Index, language: str) -> None:
    bit, names, others = BITS[language], all_lists(language), _others(language)
    own = _lower(names)
    if _drawn(language):
        names = _added(names, *map(lists_of, LOCALES[language]))
    for sex, values in zip((MALE_BIT, FEMALE_BIT, 0), names):
        for key in map(str.lower, values):
            forms = {key}
            if sex and language in _JOINED:
                forms |= {key.replace("-", ""), key.replace("-", " ")}
            for form in forms:
                if sex:
                    _note(made.gender, form, sex)
                if key not in others:
                    known = not sex or language not in _MIXED or key in own
                    _note(made.given if sex else made.family, form, bit * known)


@cache
def _listed() -> Mapping[str, int]:
    """Languages for which names have been listed by hand, as bits, in lower case."""
    found: dict[str, int] = {}
    for language, bit in BITS.items():
        for name in _lower(_own(language)):
            _note(found, name, bit)
    return found


def origin(key: str, bits: int, home: str = "") -> int:
    """Of the languages whose lists have a name in lower case, those that it comes from:
    lists of the names in a country have them from anywhere."""
    if home in _WORLD or bits & BITS.get(home, 0):
        return bits
    return bits & _listed().get(key, 0) or bits


def is_given_name(word: str, home: str = "") -> bool:
    """Whether a word, in any case, is known as a given name and not better as a surname,
    in the language of the text first: True for "Helen", False for "Murray"."""
    known, key = index(), word.lower()
    if key not in known.given and key not in known.family:
        # "Gráinne" stands in the lists without its accent.
        key = fold(word)
    if key not in known.given:
        return key in known.rare and key not in known.family
    if key not in known.family:
        return True
    bit = BITS.get(home, 0)
    if bool(known.given[key] & bit) != bool(known.family[key] & bit):
        return bool(known.given[key] & bit)
    return known.given[key].bit_count() > known.family[key].bit_count()


@lru_cache(maxsize=128)
def frequencies(given: tuple[str, ...], lang: str) -> list[float]:
    """Running sums of the roots of how often given names occur, for draws in which the
    most frequent come first, but are not all there are. Those that are words of the
    vocabulary, or better as surnames, count as rare names: "Summer" occurs otherwise."""

    def often(name: str) -> float:
        sure = bool(locale_of(name)) or is_given_name(name, lang)
        sure &= not is_vocabulary(name.lower(), lang)
        return how_often(name if sure else "", lang) ** 0.5

    return [*accumulate(map(often, given))]


def is_name(word: str) -> bool:
    """Whether a word is in a list of names."""
    known, key = index(), word.lower()
    return key in known.given or key in known.family or key in known.rare


def is_full_name(text: str) -> bool:
    """Whether a text of two or three words begins with a known given name and ends with
    a known surname."""
    words = text.split()
    if not 2 <= len(words) <= 3:
        return False
    first, last = words[0].lower(), words[-1].lower()
    known = is_given_name(first) and last in index().family
    return known and first not in _UNFIT and last not in _UNFIT


@cache
def _given_anywhere() -> Mapping[str, int]:
    """Given names of all of Faker's lists in any language, in lower case, that no list
    has as surnames, and whose they are."""
    found: dict[str, int] = {}
    family: set[str] = set()
    sexes = {"first_names_male": 1, "first_names_female": 2, "first_names": 0}
    folder = importlib.import_module("faker.providers.person").__path__
    for module in pkgutil.iter_modules(folder):
        provider = faker_lists(f"person.{module.name}")
        for attr, sex in sexes.items():
            for name in map(str.lower, _names_of(provider, attr)):
                found[name] = found.get(name, 0) | sex
        family.update(map(str.lower, _names_of(provider, "last_names")))
    return {name: sex for name, sex in found.items() if name not in family}


def is_far_given(word: str) -> bool:
    """Whether a word that stands in none of the lists is a given name elsewhere."""
    known, key = index(), word.lower()
    if key in known.family or key in known.given:
        return False
    return key in _given_anywhere()


def gender_bits(name: str, home: str = "") -> int:
    """Whose given name it is by lists, those of the language of the text first, or by its
    ending in scripts where that tells."""
    known, script = index().gender, locale_of(name)
    # "Siobhán" stands in the lists without its accent.
    forms = name.lower(), fold(name)
    bits = home_names(home).gender.get(forms[1], 0)
    bits = bits or known.get(forms[0], 0) or known.get(forms[1], 0)
    if not bits and not script:
        anywhere = _given_anywhere()
        bits = anywhere.get(forms[0], 0) or anywhere.get(forms[1], 0)
    if bits or not script:
        return bits
    if (bits := lists_of(script).sexes(name)) or script not in _ENDING_TELLS:
        return bits
    return FEMALE_BIT if name.lower().endswith(_ENDING_TELLS[script]) else MALE_BIT


def locale_of(text: str) -> str:
    """Faker's locale of the script of a name, "" for Latin."""
    if text.isascii():
        return ""
    script = script_of("".join(ch for ch in text if ord(ch) > 0x02FF))
    locale = SCRIPT_LOCALES.get(script, "")
    if locale == "ru_RU" and any(ch in "іїєґІЇЄҐ" for ch in text):
        return "uk_UA"
    return locale


def bits_of(word: str, home: str, kinds: Iterable[str] = KINDS) -> int:
    """Languages whose name a word is to a reader of the language of the text, as bits."""
    # "björn" is German, "bjorn" is not.
    key, low = fold(word), word.lower()
    forms = [(home_names(home), key), (index(), low)]
    for names, form in forms if key == low else (*forms, (index(), key)):
        bits = 0
        for kind in kinds:
            bits |= getattr(names, kind).get(form, 0)
        if bits:
            return bits
    return 0


def language_scores(word: str, home: str) -> list[tuple[str, float]]:
    """What lists, letters and the ending of a word say for languages."""
    key = word.lower()
    bits = bits_of(word, home)
    if bits & BITS[home] and home in _tables():
        return [(home, 1.0)]
    if not bits:
        # "al-Hakim", "Murray-Smith"
        for part in key.split("-"):
            bits |= bits_of(part, home)
    bits = origin(key, bits, home)
    share = 1 / max(1, bits.bit_count())
    out = [(x, 1.0 if x == home not in _WORLD else share) for x in languages_of(bits)]
    if not bits and key in index().rare:
        out.append((home, RARE))
    out += _hints(word, frozenset() if bits else home_letters(home))
    if len(key) > 4 and not bits & BITS[home] and key.endswith(_LONGEST_ENDINGS):
        ending = next(filter(key.endswith, _LONGEST_ENDINGS))
        out.append((_ENDING_HINTS[ending], 0.7))
    return out


def _hints(word: str, own: frozenset[str]) -> Iterable[tuple[str, float]]:
    """What letters that are not the text's own say for languages."""
    for letter in dict.fromkeys("" if word.isascii() else word):
        hinted = _LETTER_HINTS.get(letter) or _LETTER_HINTS.get(letter.lower(), [])
        if letter.lower() not in own:
            yield from ((language, 0.8 / len(hinted)) for language in hinted)


def languages_of(bits: int) -> list[str]:
    """The languages of some bits, the last first."""
    found = reversed(BITS.items()) if bits else ()
    return [language for language, bit in found if bits & bit]


def feminine(surname: str, language: str) -> str:
    """A woman's form of a surname, where a language has one."""
    for ending, new in FEMININE.get(language, ()):
        if surname.endswith(ending):
            return surname[: len(surname) - len(ending)] + new
    return surname


def surnames() -> tuple[str, ...]:
    """English surnames, which many organisations are named after."""
    return lists("en").family


def given_names() -> tuple[str, ...]:
    """English given names."""
    return lists("en").male + lists("en").female


@cache
def drawn_names() -> frozenset[str]:
    """All names that surrogates are drawn from, in all languages and scripts, folded."""
    found = [*map(lists, LOCALES), *map(lists_of, SCRIPT_LOCALES.values())]
    return frozenset(fold(name) for part in found for kind in part for name in kind)
