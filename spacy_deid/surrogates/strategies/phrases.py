"""Generalization in any language: what a mention is one of, in the language's words.

The words are in `data/lang/CODE/generalize.json`; a language whose nouns have genders or
cases overrides `Phrases.noun`, and what else it says in its own way. `years`, `decades`,
`times`, `minors`, `adults` and `some_age` are tables by the word before a mention: "-" for
none, "*" for all others; `rounded_ages` goes by what follows; the rows of `terms` by
subtype, then by a subject ("health") or an expression.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from ...data import facts
from ...lang.base import last_word, pack_of, split_list
from ...lang.inflection import Found, Lexicon, by_ending, key_of, national
from ...text.dates import is_finer_than_year, years_in
from ...text.names import FEMALE, MALE, fold, title_gender
from ...text.numbers import FIGURE_PATTERN, in_figures, read_figure, read_numbers
from ..base import Mention
from ..kinds import kind_of
from ..world import NOWHERE, Home, Place, read_place, world
from .named_kinds import code_kind, organisation_kind

_LAST_WORD = re.compile(r"([^\W\d_]+(?:['’](?=$)|(?=\s+$)))")
_STANDS_ALONE = re.compile(r"[:\n]\s*$|^$")
T = TypeVar("T")
_PLACES = ("country", "city", "region")


class Phrases:
    """Phrases of a language.

    lang (str): Its code.
    """

    def __init__(self, lang: str) -> None:
        pack = pack_of(lang)
        assert pack is not None
        self.pack = pack
        self.words: dict[str, Any] = facts(f"lang/{lang}/generalize")

    @cached_property
    def lexicon(self) -> Lexicon:
        return self.pack.lexicon()

    # --- grammar ---

    def noun(self, name: str, mention: Mention, rest: str = "") -> str:
        """A noun of the table in the form that stands in place of a mention: where it has
        its article, of the gender of the one before, and none of its own behind that.

        name (str): "hospital", "place" ...
        mention (Mention): What it replaces.
        rest (str): What follows the noun.
        RETURNS (str): "" if none of its nouns fits.
        """
        found = self.words["nouns"].get(name) or self.words["codes"][name]
        phrases = [found] if isinstance(found, str) else found
        before, tail = mention.before, f" {rest}" if rest else ""
        last = _LAST_WORD.search(before.lower())
        genders = self._determiners
        if last is None or last[1] not in genders:
            fitting = (p for p in phrases if self.pack.prefers(p, before))
            phrase = next(fitting, "")
            return in_sentence(phrase + tail, mention) if phrase else ""
        for phrase in phrases:
            article, _, noun = phrase.partition(" ")
            agrees = genders[last[1]] in ("", genders.get(article))
            if agrees and self.pack.prefers(noun, before):
                return noun + tail
        return ""

    def behind(self, name: str, mention: Mention, value: object = "") -> Iterator[str]:
        """Phrases of a table by the word before a mention."""
        rows, last = self.words.get(name, {}), last_word(mention.before) or "-"
        key = next((words for words in rows if last in words.split()), "*")
        for phrase in rows.get(key, ()):
            yield in_sentence(phrase.format(value), mention)

    def plain(self, name: str, mention: Mention) -> str:
        """A noun for a code or an amount, whose own words have no form."""
        return self.noun(name, mention)

    # --- the algorithm ---

    def of(self, mention: Mention, gender: str) -> Iterator[str]:
        """Phrases for a mention, the most telling first; some may be empty.

        mention (Mention): Any mention.
        gender (str): "m", "f" or "" for persons.
        YIELDS (str): As they would stand in the text.
        """
        kind = kind_of(mention)
        before = self._list.sub("", mention.before)
        mention = mention._replace(before=before)
        makers = {
            "LOC": self.place,
            "DATETIME": self.when,
            "AGE": self.age,
            "ORG": self.organisation,
            "CODE": self.code,
            "QUANTITY": self.amount,
            "DEM": self.term,
            "MISC": self.thing,
        }
        if kind == "PERSON":
            yield from self.person(mention, gender)
        elif kind in makers:
            yield from makers[kind](mention)
        yield from self.last(kind, mention)

    def last(self, kind: str, mention: Mention) -> Iterator[str]:
        """What may be said of anything of a kind."""
        if kind not in ("DATETIME", "AGE"):
            yield self.noun("thing", mention)
        yield self.noun("matter", mention)
        yield self.words["last"]

    def person(self, mention: Mention, gender: str) -> Iterator[str]:
        if self._titled.search(mention.before):
            yield self.words["unnamed"]
        if gender in (MALE, FEMALE):
            yield self.noun("woman" if gender == FEMALE else "man", mention)
        yield self.noun("person", mention)

    def place(self, mention: Mention) -> Iterator[str]:
        place = self.read_place(mention)
        if place.kind == "address":
            if place.town:
                yield from self.address_in(place.town, mention)
            for rest in self.where(place.home):
                yield self.noun("address", mention, rest)
        elif place.kind == "postcode":
            yield self.noun("postcode", mention)
        else:
            yield from self.named_place(place, mention)
        yield self.noun("place", mention)

    def named_place(self, place: Place, mention: Mention) -> Iterator[str]:
        for rest in self.where(place.home) if place.kind in _PLACES else ():
            if place.kind != "country" or not rest or self.says_where(rest, mention):
                yield self.noun(place.kind, mention, rest)

    def address_in(self, town: str, mention: Mention) -> Iterator[str]:
        """The town of an address, behind a colon or "in" as it stands there."""
        stands = last_word(mention.before) == self.words["in"]
        if stands or _STANDS_ALONE.search(mention.before):
            yield town
        else:
            yield self.noun("address", mention, self.pack.inside(town))

    def where(self, home: Home) -> Iterator[str]:
        """Where something lies, the more telling first: "in Norwegen", "in Europa"; the
        last is empty."""
        if home.country:
            yield self.within(home)
        if home.continent:
            yield self.on(home.continent)
        yield ""

    def within(self, home: Home) -> str:
        return self.pack.within(home.country)

    def on(self, continent: str) -> str:
        return self.words["continents"][continent]

    def says_where(self, rest: str, mention: Mention) -> bool:
        """Whether a country may be told by where it lies: by its continent alone."""
        return rest in self.words["continents"].values()

    def when(self, mention: Mention) -> Iterator[str]:
        years = years_in(mention.text)
        if len(years) == 1 and is_finer_than_year(mention.text):
            yield from self.behind("years", mention, years[0])
        if years:
            yield from self.behind("decades", mention, decades(years)[0])
        yield from self.behind("times", mention)
        yield self.noun("time", mention)

    def age(self, mention: Mention) -> Iterator[str]:
        age = self.age_of(mention)
        if age is not None:
            yield from self._of_age(age, mention)
        yield from self.behind("some_age", mention)

    def _of_age(self, age: float, mention: Mention) -> Iterator[str]:
        for after, phrase in self.words.get("rounded_ages", {}).items():
            if re.match(after, mention.after):
                yield phrase.format(f"{round(age, -1):.0f}")
                return
        tens = str(int(age) // 10 * 10)
        named = self.words.get("tens", {tens: tens})
        if age < 18:
            yield from self.behind("minors", mention)
        elif tens in named:
            yield from self.behind("adults", mention, named[tens])

    def organisation(self, mention: Mention) -> Iterator[str]:
        found = self.organisation_kind(mention)
        if found:
            yield self.noun(found, mention)
        yield self.noun("organisation", mention)

    def code(self, mention: Mention) -> Iterator[str]:
        found = code_kind(mention)
        if found in self.words["codes"]:
            yield self.plain(found, mention)
        yield self.plain("code", mention)

    def amount(self, mention: Mention) -> Iterator[str]:
        yield self.about(mention)
        yield self.plain("amount", mention)

    def term(self, mention: Mention) -> Iterator[str]:
        text, found = mention.text, self.term_found(mention)
        endings = tuple(self.words.get("endings", {}).items())
        keys = (*(found.keys if found else ()), *by_ending(endings, text.lower(), ""))
        if found is not None and found.lexeme.row == "adj":
            return self.national(found, keys)
        return self.attribute(mention, found, self.subtype_of(mention, found), keys)

    def attribute(
        self, mention: Mention, found: Found | None, subtype: str, keys: Sequence[str]
    ) -> Iterator[str]:
        """What stands for a term that is no adjective of a country."""
        text = mention.text
        if subtype.lower() in self.words["nouns"]:
            yield self.noun(subtype.lower(), mention)
        yield from self.declined(self.said_of(subtype, text), keys)
        if text.islower() and re.search(r"[^\W\d_]{4,}\s+$", mention.before):
            # Behind its noun: "una mujer soltera".
            yield from self.declined([self.words.get("certain", "")], keys)

    def national(self, found: Found, keys: Sequence[str]) -> Iterator[str]:
        """The adjective of a continent for that of a country, and a vaguer one."""
        home = found.lexeme.home
        words = self.words.get("of_continents", {})
        vague = "foreign" if home != self.pack.home else "certain"
        cells = words.get(self.home_of(home).continent), self.words.get(vague)
        return self.declined(filter(None, cells), keys)

    def said_of(self, subtype: str, text: str) -> Iterator[str]:
        """What `terms` has for a subtype, by subjects and expressions that a text has."""
        terms = self.words.get("terms", {})
        for about, cell in terms.get(subtype, terms.get("*", {})).items():
            if self.is_about(about, text):
                yield cell

    def declined(self, cells: Iterable[str], keys: Sequence[str]) -> Iterator[str]:
        """The words of cells like those of `national` in the first form of the keys that
        they have."""
        for cell in cells:
            forms = [national(word, "").forms for word in split_list(cell)]
            for key in (*keys, "-"):
                if all(key in of for of in forms):
                    yield " ".join(of[key] for of in forms)
                    break

    def thing(self, mention: Mention) -> Iterator[str]:
        yield from ()

    # --- what is known of a mention ---

    @cached_property
    def _determiners(self) -> dict[str, str]:
        """Words that stand before a noun, and its gender; "" for both."""
        rows = self.words.get("determiners", {}).items()
        return {word: gender for gender, row in rows for word in row.split()}

    @cached_property
    def _list(self) -> re.Pattern[str]:
        """What stands before the last of a list of names: "aus Oslo, Wien und " is
        "aus ", which all of it stands after."""
        joined = self.words.get("lists")
        name = rf"[A-ZÄÖÜА-ЯЁ][\w-]+(?:,\s{{1,3}}|\s{{1,3}}(?:{joined})\s{{1,3}})"
        return re.compile(rf"(?<=\s)(?:{name})+$" if joined else "(?!)")

    @cached_property
    def _titled(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{self.words['titled']})\.?\s+$", re.I)

    def is_about(self, subject: str, text: str) -> bool:
        """Whether a text has words of a subject ("health") or of an expression."""
        return re.search(self.words.get(subject, subject), text, re.I) is not None

    def read_place(self, mention: Mention) -> Place:
        """What a place is and where it lies, by the language's own words for places and
        the English ones."""
        return read_place(mention, self._known_place, self.pack.street)

    def home_of(self, country: str) -> Home:
        """Where a country lies, by its name in the language."""
        english = self.pack.english_names.get(key_of(country), "")
        return world().countries.get(fold(english), NOWHERE)

    def _homes(self, found: Sequence[Found]) -> Home:
        """Where words of the lexicon belong, as far as they agree."""
        homes = {self.home_of(f.lexeme.home) for f in found}
        if len(homes) == 1:
            return homes.pop()
        continents = {home.continent for home in homes}
        return Home("", "", continents.pop()) if len(continents) == 1 else NOWHERE

    def _known_place(self, text: str) -> Place | None:
        """A place of the lexicon, or a country."""
        found = self.lexicon.in_row(text, _PLACES)
        if found:
            kind = found[0].lexeme.row.partition(":")[0]
            return Place(kind, self._homes(found), "")
        known = key_of(text) in self.pack.english_names
        return Place("country", self.home_of(text), "") if known else None

    def organisation_kind(self, mention: Mention) -> str:
        """What an organisation is: "hospital", "court" ..., or ""."""
        for found in self.lexicon.in_row(mention.text, ("term:ORG",)):
            first = self.lexicon.rows[found.lexeme.row][0].name
            if first in self.words["organisation_rows"]:
                return self.words["organisation_rows"][first]
        key = fold(mention.text)
        for kind, pattern in self.words["organisation_words"].items():
            if re.search(pattern, key):
                return kind
        # Names in English, or of companies known everywhere.
        return "company" if organisation_kind(mention) == "a company" else ""

    def term_found(self, mention: Mention) -> Found | None:
        """What a demographic term is in the lexicon, with the likely keys of its form
        first; None if it is not there."""
        rows = ("adj", "man", "woman", "term:")
        found = self.lexicon.in_row(mention.text, rows)
        if mention.subtype:
            own = f":{mention.subtype}:"
            found = sorted(found, key=lambda f: own not in f.lexeme.row)
        if not found:
            return None
        best = found[0]
        keys = best.keys
        if best.lexeme.row == "adj":
            keys = self.pack.agree(keys, mention.after)
        return best._replace(keys=self.pack.narrow(keys, mention.before))

    def subtype_of(self, mention: Mention, found: Found | None) -> str:
        """Subtype of a term by its row, else by the mention."""
        row = found.lexeme.row if found else ""
        return row.split(":")[1] if row.startswith("term:") else mention.subtype

    def about(self, mention: Mention) -> str:
        """The mention with its only number rounded ("etwa 5.000 Euro"); "" if that tells
        as much."""
        word, separator = self.words["about"]
        text = mention.text
        found = list(re.finditer(FIGURE_PATTERN, text))
        if len(found) != 1 or re.search(r"[^\W\d_]", text[: found[0].start()]):
            return ""
        value = read_figure(found[0].group())
        near = rounded(value)
        if near == value:
            return ""
        start, end = found[0].span()
        return f"{word} {text[:start]}{in_figures(near, separator)}{text[end:]}"

    def age_of(self, mention: Mention) -> float | None:
        """An age in years by its figures; None if there is none."""
        if re.search(rf"\b(?:{self.words['below_a_year']})", mention.text):
            return 0.0
        return read_age(re.sub(r"[^\d]+", " ", mention.text))


def by_least(rows: Mapping[str, T], value: float) -> T:
    """The row of the largest number that a value reaches; the first for smaller ones."""
    reached = [row for least, row in rows.items() if value >= int(least)]
    return reached[-1] if reached else next(iter(rows.values()))


_SENTENCE_END = re.compile(r"(?:^|[.!?:\n•][\s\"'“‘(\])]*)$")
_ABBREVIATION = re.compile(r"\b([^\W\d_]+)\.\s*$")


def starts_sentence(mention: Mention) -> bool:
    """Whether a mention stands where a sentence begins.

    mention (Mention): Any mention.
    RETURNS (bool): False after "Mr." or an initial.
    """
    before = mention.before.rstrip(" \t\"'“‘(")
    if not _SENTENCE_END.search(before):
        return False
    match = _ABBREVIATION.search(before)
    if match is None:
        return True
    word = match.group(1)
    if word.lower() in ("no", "nos", "nr", "nrs", "art", "para", "p", "pp", "v", "vs"):
        return False
    return len(word) > 1 and title_gender(word) is None


def in_sentence(text: str, mention: Mention) -> str:
    """A phrase with the capitals that its place asks for.

    text (str): As it is written inside a sentence.
    mention (Mention): What it replaces.
    RETURNS (str): Capitals for a mention among capitals, a capital at the start.
    """
    around = mention.before + mention.after
    shouted = mention.text.isupper() and sum(ch.isalpha() for ch in mention.text) > 1
    capitals = sum(map(str.isupper, around))
    if shouted and capitals > 3 * sum(map(str.islower, around)):
        return text.upper()
    if starts_sentence(mention) and not mention.text[:1].islower():
        return text[:1].upper() + text[1:]
    return text


def decades(years: Sequence[int]) -> list[int]:
    """First years of the decades that these years lie in."""
    return sorted({year // 10 * 10 for year in years})


def rounded(value: float) -> float:
    """A number with one significant figure."""
    if value == 0:
        return 0.0
    return round(value, -math.floor(math.log10(abs(value))))


def read_age(text: str) -> float | None:
    """An age in years; None if there is no single one. Months and weeks come to 0."""
    values = [v for v in read_numbers(text) if v == int(v) and v < 130]
    if len(values) != 1:
        return None
    if re.search(r"\b(?:months?|weeks?|days?)\b", text, re.I):
        return values[0] // 12 if "month" in text.lower() else 0.0
    return values[0]
