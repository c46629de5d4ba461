"""What the package knows of a language: its words, and how they are put in form.

A language is a `LanguagePack`: a folder of data (`data/lang/CODE/`) and a few functions for
its grammar, all of which have defaults that work for any language. Packs are found by the
code of their language in the registry `deid_languages` (entry points of the group
`spacy_deid_languages`), so that another package can bring its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any

from ..data import ROOT, entries, facts, table
from ..gazetteers.lexicon import FAMILY, LOWER, class_of, is_compound
from ..registries import registry
from ..text.address_words import STREETS
from ..text.date_parts import Part
from .inflection import (
    Lexeme,
    Lexicon,
    by_determiner,
    by_ending,
    key_of,
    national,
    stems,
)
from .provinces import Province, read_provinces

# Letters of acronyms in Latin script.
LATIN_CAPITALS = "ABDEFGHIKLMNOPRSTUVW"
# Figures that may be an age, in any language.
_ANY_AGE = r"\d{1,3}"
_LAST_WORD = re.compile(r"([^\W\d_]+)\s+$")
# What the names of the rows of `features` begin with.
LAND = "term:LAND:"
# Before the entries of `kept_words` that may end a compound
_COMPOUND = r"\w*"
_LONGEST_KIND = 60

KeysOf = Callable[[Sequence[str], str], tuple[str, ...]]


def split_list(cell: str) -> tuple[str, ...]:
    """The items of a cell of a table, which commas stand between.

    cell (str): For example "Wien,Graz".
    RETURNS (tuple[str, ...]): The items; none for an empty cell.
    """
    return tuple(filter(None, cell.split(",")))


def last_word(before: str) -> str:
    """The word that stands before a mention.

    before (str): Text before the mention.
    RETURNS (str): In lower case; "" if there is none, or something else between.
    """
    match = _LAST_WORD.search(before)
    return match.group(1).lower() if match else ""


def _listed(name: str) -> cached_property[tuple[str, ...]]:
    """An entry of `words.json` that is a list."""
    return cached_property(lambda pack: tuple(pack.words.get(name, ())))


def _compiled(
    name: str, default: str, flags: int = 0
) -> cached_property[re.Pattern[str]]:
    """One of the `patterns` of `words.json`."""

    def compiled(pack: LanguagePack) -> re.Pattern[str]:
        return re.compile(pack.words.get("patterns", {}).get(name, default), flags)

    return cached_property(compiled)


@dataclass(frozen=True)
class LanguagePack:
    """A language: words for surrogates, and what its grammar asks for.

    lang (str): ISO 639-1 code.
    folder (str): Its data under `data/`, or a folder of another package: `words.json`,
        `countries.tsv`, `towns.tsv`, `terms.tsv`, `features.tsv`, `country_names.tsv`, `activities.tsv`,
        `kept_words.txt`, each of which may be missing.
    lexicon (Callable): Function without arguments that gives all words; the tables'
        own if left out, but none for English, whose generators have lists of their own.
    narrow (Callable): Keys of a form and the text before it -> the likely keys; by the
        `determiners` of `words.json` if left out.
    agree (Callable): Keys of an adjective's form and the text after it -> those that
        agree with the noun there.
    prefers (Callable): Whether a word may stand after the text before it; by `fits` of
        `words.json` if left out.
    forms (Callable): Name -> its forms, for names that are in no list.
    keys (Callable): A name in no list and the text before it -> keys of its form.
    noun_keys (Callable): The same for a noun that is no name; by the `noun_endings` of
        `words.json` if left out.
    verb_keys (Callable): A phrase -> key of the form of its verb, where rows have verbs.
    adjectives (Callable): An adjective in no list -> keys of its form; empty for others.
    inflect (Callable): A noun, an adjective or a name in no list -> its forms.
    inside (Callable): A country's name -> where a place there is: "in Norwegen".
    read_date (Callable): An expression of time -> its parts, if the language reads it in
        a way of its own.
    fit_date (Callable): A new date and the text before it -> in the form that asks for.
    fit_age (Callable): A new age, the old one and the text before -> the noun beside it
        in the form that the number asks for.
    joins_nouns (bool): Whether a name makes one word with a noun ("Berlin-Krimi"), and
        what comes from a town is a word before nouns ("Berliner Straße").
    capital_nouns (bool): Whether all nouns have capitals, so that these tell no names.
    adjectives_of_towns (bool): Whether what is named after a place takes an adjective
        of a town, and streets have genitives of persons' names.
    acronyms_of_all (bool): Whether small words count in acronyms.
    a_or_an (bool): Whether an article goes by the sound that follows: "an hour".
    kind_first (bool): Whether what a firm or a hospital is stands before its name
        ("Hospital San Rafael").
    """

    lang: str
    folder: str = ""
    # None for English alone, which `_from_tables` serves.
    lexicon: Callable[[], Lexicon] = None  # type: ignore[assignment]
    narrow: KeysOf = field(default=lambda keys, before: tuple(keys))
    prefers: Callable[[str, str], bool] = field(default=lambda text, before: True)
    agree: KeysOf = field(default=lambda keys, after: tuple(keys))
    forms: Callable[[str], Mapping[str, str]] = field(default=lambda name: {"-": name})
    keys: Callable[[str, str], tuple[str, ...]] = field(default=lambda word, _: ("-",))
    noun_keys: Callable[[str, str], tuple[str, ...]] = field(default=lambda word, _: ())
    verb_keys: Callable[[str], tuple[str, ...]] = field(default=lambda text: ())
    adjectives: Callable[[str], tuple[str, ...]] = field(default=lambda word: ())
    inflect: Callable[[str], Iterable[str]] = field(default=lambda word: (word,))
    inside: Callable[[str], str] = field(default=lambda name: name)
    read_date: Callable[[str], list[Part] | None] = field(default=lambda text: None)
    fit_date: Callable[[str, str], str] = field(default=lambda new, before: new)
    fit_age: Callable[[str, str, str], str] = field(default=lambda new, old, _: new)
    joins_nouns: bool = False
    capital_nouns: bool = False
    adjectives_of_towns: bool = False
    acronyms_of_all: bool = False
    kind_first: bool = True
    a_or_an: bool = False

    @cached_property
    def words(self) -> Mapping[str, Any]:
        """What `words.json` holds."""
        return self._own(facts, "words.json") or {}

    @property
    def home(self) -> str:
        """Country that texts are about unless they say otherwise."""
        return self.words.get("home", "")

    # Countries where the language is spoken, which stand for `home`
    neighbours = _listed("neighbours")
    # Countries whose towns stay in them, as those of `home` do
    spoken = _listed("spoken")

    @property
    def capital_letters(self) -> str:
        """Letters of acronyms."""
        return self.words.get("capital_letters", LATIN_CAPITALS)

    # Names that streets have
    streets = _listed("streets")

    @cached_property
    def streets_after(self) -> Mapping[str, tuple[str, ...]]:
        """Names of streets by the small words before them."""
        return {k: tuple(v) for k, v in self.words.get("streets_after", {}).items()}

    @cached_property
    def _regions_behind(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        rows = self.words.get("regions_behind", {}).items()
        return tuple((f"{LAND}{v}", re.compile(rf"{k}\s+$", re.I)) for k, v in rows)

    def behind_article(self, before: str) -> str:
        """The row of the regions that have the article which a text ends with; "" where
        it ends with none."""
        rows = self._regions_behind
        return next((row for row, article in rows if article.search(before)), "")

    @cached_property
    def _features(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        rows = self.words.get("features", {}).items()
        return tuple((f"{LAND}{k}", re.compile(v, re.I)) for k, v in rows)

    def feature_of(self, text: str, before: str) -> str:
        """What the rows begin with that a river, a lake or a mountain in no list is of, by
        its name or the text before it; "" for what is nothing of the kind."""
        where = f"{before}|{text}"
        return next((row for row, kind in self._features if kind.search(where)), "")

    # Parts of towns, behind their names
    quarters = _listed("quarters")
    # Names of people with hyphens, for such streets
    street_people = _listed("street_people")
    # What authorities are for
    subjects = _listed("subjects")
    # Names of firms that are none
    companies = _listed("companies")
    # Names of hospitals and schools
    patrons = _listed("patrons")
    # Names of works and events
    titles = _listed("titles")
    # Neutral phrases for what is of no other kind
    phrases = _listed("phrases")
    # Neutral words for persons' attributes
    people = _listed("people")
    # Neutral words for places in small letters
    lands = _listed("lands")

    def institutions(self, before: str) -> Iterable[Sequence[str]]:
        """Neutral words for organisations that nothing names, by gender and number: first
        those that go with the article which a text ends with."""
        words, rows = self.words, self.words.get("institutions", {})
        articles = words.get("articles") or words.get("determiners", {})
        return [rows[key] for key in by_determiner(articles, tuple(rows), before)]

    @cached_property
    def fits(self) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
        """What the text before asks of the word that follows: patterns of both."""
        rules = self.words.get("fits", ())
        return tuple((re.compile(before), re.compile(word)) for before, word in rules)

    postcode = _compiled("postcode", r"(?!)")
    # What stands between a town and its province: "en la provincia de"
    part_of = _compiled("part_of", r"(?!)", re.I)

    @cached_property
    def street(self) -> re.Pattern[str]:
        """What names a street: the group `name` is exchanged, `kind` stays. `<ES>` is one
        of the words for streets in that country."""
        form = self.words.get("patterns", {}).get("street", r"(?P<name>(?!))(?P<kind>)")
        return re.compile(re.sub(r"<([A-Z]{2})>", _street_words, form))

    # Endings of names, without which all forms of one are alike
    ending = _compiled("ending", r"(?!)")
    # What names of places at home look like
    own_place = _compiled("own_place", r"")
    # Adjectives that places give
    of_place = _compiled("of_place", r"(?!)", re.I)
    # What stands before whom something is called after: "имени"
    called_after = _compiled("called_after", r"(?!)")

    def stem(self, text: str) -> str:
        """One key for the forms of a name that is in no list."""
        return self.ending.sub("", key_of(text))

    ages = _compiled("ages", _ANY_AGE, re.I)
    # What tells one of two towns with a name from another: "(Wümme)"
    told_apart = _compiled("told_apart", r"(?!)")
    # Authorities that are named after their town, and what is named after somebody
    of_town = _compiled("of_town", r"(?!)", re.I)
    patronised = _compiled("patronised", r"(?!)", re.I)
    # What stays of an organisation's name as a whole: "Centro de Salud"
    kept_phrases = _compiled("kept_phrases", r"(?!)", re.I)
    # Words that tell an age from a duration
    age_words = _compiled("age_words", r"(?!)", re.I)

    @cached_property
    def kept(self) -> re.Pattern[str]:
        """Words of an organisation's or place's name that say what it is."""
        end = self.words.get("patterns", {}).get("kept_end", "")
        return _any_of(self._own(entries, "kept_words.txt"), end)

    @cached_property
    def _kept_ends(self) -> re.Pattern[str]:
        """Those of `kept` that may end a compound, without what stands before them."""
        every = self._own(entries, "kept_words.txt")
        ends = (x for x in every if x.startswith(_COMPOUND))
        return _any_of([x.removeprefix(_COMPOUND) for x in ends])

    def is_kind(self, word: str, first: bool = True) -> bool:
        """Whether a word says what an organisation or a place is, so that it may stay. A
        compound with a name does not ("Theresienspital", "Hübnertechnik"), nor does
        a surname behind such a word ("Talleres Peña").

        word (str): One word of a name.
        first (bool): Whether it begins the name.
        """
        if self.kept.fullmatch(word) is None:
            return False
        told, low = class_of(word.lower(), self.lang), word.lower()
        surname = told & FAMILY and not told & LOWER and word not in self.quarters
        if surname and not first:
            return False
        if told & LOWER and not told & FAMILY:
            return True
        kind = self.kind_ending(word)
        stem = low.removesuffix(kind) if kind else ""
        return len(low) < _LONGEST_KIND and is_compound(stem, self.lang)

    def kind_ending(self, word: str) -> str:
        """What the end of a compound says that it is, in small letters: "brücke" of
        "Spreuerbrücke"; "" if it says nothing."""
        low = word.lower()
        starts = range(min(len(low), _LONGEST_KIND))
        return next((low[i:] for i in starts if self._kept_ends.fullmatch(low, i)), "")

    @cached_property
    def postcodes(self) -> Mapping[str, str]:
        """What the post codes of its towns begin with, blanks between; "" where that is
        not known."""
        found = {row["town"]: row["postcode"] for row in self.rows("towns")}
        return {**found, **self.small_towns}

    @cached_property
    def inhabitants(self) -> Mapping[str, int]:
        """Thousands of inhabitants of towns; none where the tables do not tell."""
        rows = self.rows("countries")
        cells = (r[x] for r in rows for x in ("towns", "former") if ":" in r.get(x, ""))
        told = [tuple(x.split(":")) for cell in cells for x in split_list(cell)]
        told += [(r["town"], r.get("people") or "") for r in self.rows("towns")]
        told += [(town, "10") for town in self.small_towns]  # their tables do not tell
        return {town: int(people) for town, people in told if people}

    @cached_property
    def divisions(self) -> tuple[Province, ...]:
        """Its provinces; none where there is no table of them."""
        return read_provinces(self.rows("provinces"))

    @cached_property
    def small_towns(self) -> Mapping[str, str]:
        """Towns that stand for others of their province alone, and their post codes."""
        return {t: code for p in self.divisions for t, code in p.towns.items()}

    @cached_property
    def provinces(self) -> Mapping[str, str]:
        """Letters of the provinces or states of towns, where addresses have them."""
        told = {row["town"]: row.get("province", "") for row in self.rows("towns")}
        for letters, towns in self.words.get("states", {}).items():
            told |= dict.fromkeys(split_list(towns), letters)
        return {town: letters for town, letters in told.items() if letters}

    @cached_property
    def _countries(self) -> list[tuple[str, str, str]]:
        """English name, name here, and where a place there is, if that is irregular."""
        lang = self.lang
        rows = [
            (row["country"], row.get(lang, ""), row.get(f"in_{lang}", ""))
            for row in table("countries")
        ]
        own = self.rows("country_names")
        rows += [(row["country"], row["name"], row.get("within", "")) for row in own]
        return [row for row in rows if row[1]]

    @cached_property
    def english_names(self) -> Mapping[str, str]:
        """English names of countries by the keys of what they are called here."""
        found = {
            key_of(row["name"]): row["country"]
            for row in table("country_aliases")
            if row["of"] == "other language"
        }
        for english, name, _ in self._countries:
            for form in self.forms(name).values():
                found.setdefault(key_of(form), english)
        return found

    @cached_property
    def own_names(self) -> Mapping[str, str]:
        """Countries of the lexicon by their English names."""
        english, names = self.english_names, self.lexicon().countries
        return {english[key]: x for x in names if (key := key_of(x)) in english}

    @cached_property
    def country_terms(self) -> tuple[str, ...]:
        """Countries, those who come from there and what is called after them, in all
        their forms."""
        forms = [f for _, name, _ in self._countries for f in self.forms(name).values()]
        for row, lexemes in self.lexicon().rows.items():
            if row.startswith("country") or row in ("adj", "man", "woman"):
                forms += (form for word in lexemes for form in word.forms.values())
        for cells in table("nationalities"):
            for word in split_list(cells.get(self.lang, "")):
                forms += (word, *self.inflect(word))
        return tuple(dict.fromkeys(forms))

    @cached_property
    def _within(self) -> dict[str, str]:
        return {
            english: within or self.inside(name)
            for english, name, within in reversed(self._countries)
        }

    def within(self, english: str) -> str:
        """Where a place of a country is: "in Norwegen", "del Reino Unido".

        english (str): English name of the country.
        RETURNS (str): "" for a country that is not known.
        """
        return self._within.get(english, "")

    def rows(self, name: str) -> Sequence[Mapping[str, str]]:
        """The rows of a table of the language; none if it has no such table.

        name (str): For example "towns".
        RETURNS (Sequence[Mapping[str, str]]): The rows.
        """
        return self._own(table, f"{name}.tsv")

    def _own(self, read: Callable[[str], Any], file: str) -> Any:
        """What a file of its folder holds; nothing if there is no such file."""
        path = f"{self.folder}/{file}"
        return read(path.rpartition(".")[0]) if (ROOT / path).exists() else ()


def _any_of(words: Sequence[str], end: str = "") -> re.Pattern[str]:
    return re.compile(f"(?i:{'|'.join(words)}){end}" if words else "(?!)")


def _street_words(country: re.Match[str]) -> str:
    rows = (row.first.split() for row in STREETS if country[1] in row.countries.split())
    words = sorted({w for row in rows for w in row if w.isalpha()}, key=len)
    return "|".join(reversed(words))


def plain_lexicon(pack: LanguagePack) -> Lexicon:
    """The words of a language as its tables have them.

    pack (LanguagePack): The language.
    RETURNS (Lexicon): Countries with their adjectives and towns, regions, and terms. A
        town that another country has, too, is taken for the home country's.
    """
    out: list[Lexeme] = []
    towns: list[Lexeme] = []

    def places(row: str, names: Iterable[str], home: str) -> Iterable[Lexeme]:
        return (Lexeme(name, row, pack.forms(name), home) for name in names)

    for row in pack.rows("countries"):
        name, gender = row["country"], row.get("gender")
        out += places(f"country:{gender}" if gender else "country", [name], name)
        if adjective := row.get("national") or row.get("adjective"):
            out.append(national(adjective, name))
        own = tuple(pack.postcodes) if name == pack.home else ()
        towns += places("city", own or split_list(row["towns"]), name)
        towns += places("region", split_list(row.get("regions", "")), name)
    parts = (x for p in pack.divisions for x in (p.region, *p.names))
    regions = dict.fromkeys((*pack.words.get("regions", ()), *parts))
    own_regions = [x for x in regions if x not in pack.postcodes]
    towns += places("region", own_regions, pack.home)
    towns.sort(key=lambda town: town.home != pack.home)
    land = features(pack.rows("features"))
    return Lexicon([*out, *towns, *terms(pack.rows("terms")), *land])


def terms(rows: Iterable[Mapping[str, str]]) -> list[Lexeme]:
    """Terms of a table: those of one row stand for one another.

    rows (Iterable[Mapping[str, str]]): With `subtype`, `endings` ("- s n", "-" for
        none) and `words`, stems with commas between.
    RETURNS (list[Lexeme]): The terms, rows named `term:SUBTYPE:number`.
    """
    out: list[Lexeme] = []
    for number, row in enumerate(rows):
        name = f"term:{row['subtype']}:{number}"
        out += stems(name, split_list(row["words"]), row.get("endings") or "-")
    return out


def features(rows: Iterable[Mapping[str, str]]) -> list[Lexeme]:
    """Rivers, lakes, mountains, regions: those of one kind and one gender stand for one
    another.

    rows (Iterable[Mapping[str, str]]): With `kind`, `gender`, `country`, and `endings` and
        `words` as in `terms`.
    RETURNS (list[Lexeme]): Their names, rows named `term:LAND:kind:gender`.
    """
    out: list[Lexeme] = []
    for row in rows:
        name = f"{LAND}{row['kind']}:{row['gender']}"
        made = stems(name, split_list(row["words"]), row["endings"])
        out += (word._replace(home=row["country"]) for word in made)
    return out


def _fits(pack: LanguagePack, text: str, before: str) -> bool:
    return all(word.match(text) for where, word in pack.fits if where.search(before))


@cache
def _made(lang: str) -> LanguagePack:
    pack: LanguagePack = registry.get("deid_languages", lang)()
    made: dict[str, Any] = {}
    if pack.fits:
        made["prefers"] = partial(_fits, pack)
    if determiners := pack.words.get("determiners"):
        made["narrow"] = partial(by_determiner, determiners)
    if endings := pack.words.get("noun_endings"):
        made["noun_keys"] = partial(by_ending, tuple(endings.items()))
    if pack.lexicon is None and lang != "en":
        made["lexicon"] = cache(partial(plain_lexicon, pack))
    return replace(pack, **made)


@cache
def _known(code: str, n_registered: int) -> bool:
    """Whether there is a pack; asked again only after something was registered, since
    it takes a look at every entry point there is."""
    return registry.has("deid_languages", code)


def pack_of(lang: str) -> LanguagePack | None:
    """The pack of a language.

    lang (str): Code of a language; what follows a hyphen does not count.
    RETURNS (Optional[LanguagePack]): None if there is none.
    """
    code = lang[:2]
    return _made(code) if _known(code, len(registry.deid_languages.functions)) else None
