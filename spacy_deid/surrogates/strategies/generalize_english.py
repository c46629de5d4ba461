"""Generalization in English: "a city in Norway", "in their forties", "several people"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...data import facts
from ...lang.base import last_word
from ...text.calendars import weekday_index
from ...text.countries import WITH_ARTICLE, demonym, index
from ...text.dates import is_finer_than_year, months_in, years_in
from ...text.names import fold, strip_possessive
from ...text.numbers import (
    DECADES,
    FIGURE_PATTERN,
    FIGURE_SCALES,
    ORDINAL_PATTERN,
    SCALES,
    in_figures,
    ordinal_suffix,
    read_numbers,
)
from ..base import MONTHS, Mention, fits_article, starts_with_vowel_sound
from ..term_rows import rows_of, spoken_language
from ..world import NOWHERE, Home, Place, read_place, world
from .named_kinds import code_kind, organisation_kind
from .phrases import Phrases, by_least, decades, in_sentence, read_age, rounded

_WORDS = facts("lang/en/generalize")
_CONTINENTS = _WORDS["continents"]
_PATTERNS = _WORDS["patterns"]
_SEVERAL = re.compile(_PATTERNS["several"], re.I)
_DETERMINER = re.compile(rf"\b(?:{_PATTERNS['determiner']})\s+$", re.I)
# An adjective may stand between: "an Austrian lawyer".
_PHRASE_BEFORE = re.compile(
    r"\b(?:the|an?|his|her|its|their|my|our|your|this|that)\s+"
    rf"(?!(?:{_PATTERNS['no_adjective']})\b)[^\W\d_]+\s+$",
    re.I,
)
_ARTICLE = re.compile(r"^(?:an?|the) ")
_SPOKEN_AGE = re.compile(rf"\b(?:{'|'.join(DECADES)}|[1-9]0s)\b", re.I)
_OLD = re.compile(r"(?:-|\s)(?:year|month|week|day)s?[-\s]old$")
_AGED = re.compile(r"\b(?:aged?|age of|age:)\s*$", re.I)
_NUMBERED = re.compile(r"(?:\b(?:nos?|nrs?|numbers?|id)[.:]?|[#:№])\s*$", re.I)
_FOLLOWING = re.compile(rf"\s(?!(?:{_PATTERNS['no_noun']})\b)[a-z]{{3,}}")
_A_DECADE = re.compile(r"\b((?:1[0-9]|20)\d)0['’]?s\b")
_CLOCK = re.compile(_PATTERNS["clock"], re.I)
_DURATION = re.compile(rf"(?<![^\W\d_])({_PATTERNS['unit_of_time']})(?!er)", re.I)
_ON_THE = re.compile(r"\bon\s+the\s+$", re.I)
_SYMBOLS = _WORDS["symbols"]
_ORDINAL = re.compile(rf"\d+(?:st|nd|rd|th)|{ORDINAL_PATTERN}", re.I)
_NATIONAL = re.compile(rf"(?P<whose>.+?)(?P<rest>[\s-](?:{_PATTERNS['origin']}))", re.I)
_SUBTYPE_TERMS = _WORDS["subtypes"]


class English(Phrases):
    """See `Phrases`."""

    def noun(self, name: str, mention: Mention, rest: str = "") -> str:
        return f"{_with_article(name)} {rest}".rstrip()

    def of(self, mention: Mention, gender: str) -> Iterator[str]:
        phrase = ""
        for phrase in filter(None, super().of(mention, gender)):
            text = _fit(phrase, mention)
            if text is not None:
                yield text
        # "an" before a consonant reads badly, but tells nothing.
        yield in_sentence(_ARTICLE.sub("", phrase), mention)

    def last(self, kind: str, mention: Mention) -> Iterator[str]:
        yield from self.words["last"].get(kind, ["something"])

    def read_place(self, mention: Mention) -> Place:
        return read_place(mention)

    def within(self, home: Home) -> str:
        return f"in {_in_full(home)}"

    def on(self, continent: str) -> str:
        return f"in {continent}"

    def person(self, mention: Mention, gender: str) -> Iterator[str]:
        before = mention.before
        if re.search(r"\b(?:Dear|Hi|Hello|Hey)[\s,]+$", before):
            yield "Sir or Madam" if "Dear" in before[-8:] else "there"
            return
        if _SEVERAL.search(mention.text) and not self._titled.search(before):
            yield "several people" if mention.text.count(",") else "two people"
            yield "people"
            return
        # "the womans" is no word; "the persons" is.
        plural = re.match(r"(?:e?s)(?![^\W_])", mention.after) is not None
        yield from super().person(mention, "" if plural else gender)
        yield "someone" if not _DETERMINER.search(before) else "individual"

    def named_place(self, place: Place, mention: Mention) -> Iterator[str]:
        kind, home = place.kind, place.home
        if kind == "coordinates":
            yield "a location"
            return
        continent = _CONTINENTS.get(home.continent, "")
        letters = mention.text.replace(".", "")
        short = len(letters) < 4 and letters.isupper()
        inside = bool(home.country) and kind != "country"
        # "the Oslo office", "US troops"
        told = short or _DETERMINER.search(mention.before)
        if told and _FOLLOWING.match(mention.after):
            yield home.adjective if kind != "country" else ""
            yield continent
        noun = kind or "place"
        if inside and home.adjective and mention.after[:1] in ("'", "’"):
            yield _with_article(f"{home.adjective} {noun}")
        if inside:
            of = "of" if kind == "region" else "in"
            yield f"{_with_article(noun)} {of} {_in_full(home)}"
        if home.continent:
            yield _with_article(f"{continent} {noun}")
            yield f"{_with_article(noun)} in {home.continent}"
        yield _with_article(noun)

    def when(self, mention: Mention) -> Iterator[str]:
        """By the finest that the expression says: years, a decade, a duration, a month, a
        time of the day, a weekday."""
        text = mention.text
        decade, years = _A_DECADE.search(text), years_in(text)
        if decade:
            yield f"the {_ordinal(int(decade[1]) // 10 + 1)} century"
            yield "a past decade"
        elif years:
            yield from self._years(mention, years)
        elif _DURATION.search(text) and not _CLOCK.search(text):
            yield from _duration(text, _FOLLOWING.match(mention.after) is not None)
        elif months_in(text):
            yield from self._month(mention, months_in(text)[0])
        else:
            yield from _time_of_day(mention)

    def _timed(self, bare: str, mention: Mention) -> Iterator[str]:
        """A year, a month or some years after their preposition."""
        behind = last_word(mention.before) in ("the", "a", "an", "this", "that")
        if _ON_THE.search(mention.before) and not bare.startswith("the "):
            yield f"day in {bare}"
        elif not behind:
            yield from self.behind("timed", mention, bare)
        elif bare.startswith("the ") or _FOLLOWING.match(mention.after):
            yield bare
        elif bare.isdecimal():
            yield f"year {bare}"

    def _years(self, mention: Mention, years: list[int]) -> Iterator[str]:
        last = last_word(mention.before)
        if is_finer_than_year(mention.text):
            own = dict.fromkeys(map(str, (years[0], years[-1])))
            bare = " and ".join(own)
            timed = self._timed(bare, mention)
            # Two years behind a preposition alone.
            yield from (t for t in timed if len(own) == 1 or t == bare)
        found = decades(years)
        spoken = " and ".join(f"{d}s" for d in dict.fromkeys((found[0], found[-1])))
        if len(found) < 3 and last != "year":
            yield from self._timed(f"the {spoken}", mention)
        yield f"the {_ordinal(years[0] // 100 + 1)} century"
        yield "a past year" if years[-1] < 2100 else "a year"

    def _month(self, mention: Mention, month: int) -> Iterator[str]:
        if any(map(str.isdecimal, mention.text)):
            yield from self._timed(MONTHS[month - 1], mention)
        half = "second" if month > 6 else "first"
        yield from self._timed(f"the {half} half of the year", mention)
        yield "part of the year"

    def age(self, mention: Mention) -> Iterator[str]:
        text, before, after = mention.text, mention.before, mention.after
        age = read_age(text)
        number = int(age or 0)
        decade = "under 10" if number < 10 else f"{number // 10}0 to {number // 10}9"
        if age is None or _SPOKEN_AGE.search(text):
            yield "an adult" if _DETERMINER.search(before) else "of adult age"
        elif _OLD.search(text) and (_DETERMINER.search(before) or "-" in text):
            words = by_least(self.words["adjectives_of_age"], number)
            if re.match(r"\s[a-z]", after):
                yield from words
            yield from (f"{w} person" for w in words)
        else:
            yield f"{decade} years" if re.match(r"\s+old\b", after) else ""
            if _AGED.search(before) or re.match(r"\s?[\s-]?years?\b", after):
                yield "90 or more" if number >= 90 else decade
            else:
                yield by_least(self.words["people"], number)
        yield from self.behind("some_age", mention)

    def organisation(self, mention: Mention) -> Iterator[str]:
        if re.sub(r"^the ", "", fold(mention.text)) in world().countries:
            # States are parties to cases.
            yield from self.place(mention)
        yield from super().organisation(mention)

    def organisation_kind(self, mention: Mention) -> str:
        return _ARTICLE.sub("", organisation_kind(mention))

    def code(self, mention: Mention) -> Iterator[str]:
        if _NUMBERED.search(mention.before):
            # What it is stands before it.
            yield "withheld"
        yield self.words["codes"].get(code_kind(mention), "")
        yield "a reference number"

    def amount(self, mention: Mention) -> Iterator[str]:
        text = mention.text.strip()
        values = read_numbers(text)
        if _ORDINAL.fullmatch(text):
            yield "a particular"
            return
        symbol = next((s for s in _SYMBOLS if s in text), "")
        money = symbol or mention.subtype == "MONEY"
        some = "a sum of money" if money else "a certain amount"
        if len(values) != 1:
            yield some
        elif "%" in text or re.search(r"per\s?cent", text, re.I):
            yield by_least(_WORDS["shares"], values[0])
            yield "a certain share"
        else:
            follows = _FOLLOWING.match(mention.after) is not None
            yield from _number(values[0], _unit(text, symbol), symbol, follows)
            yield some

    def term(self, mention: Mention) -> Iterator[str]:
        text, subtype = mention.text, mention.subtype
        if subtype == "LANGUAGE" or spoken_language(mention):
            yield from _SUBTYPE_TERMS["LANGUAGE"]
            return
        national = _NATIONAL.fullmatch(text) if len(text) < 60 else None
        found = demonym(strip_possessive(text)) if len(text) < 40 else None
        if national is not None:
            yield from _of_country(national["whose"], national["rest"])
            return
        if found is not None:
            home = world().countries[fold(found[0].name)]
            adjective = _CONTINENTS.get(home.continent, "")
            yield f"{adjective}s" if adjective and found[2] else adjective
            yield from ("foreigners",) if found[2] else ("foreign", "overseas")
            return
        known = list(_of_row(mention))
        if known or subtype in _SUBTYPE_TERMS:
            yield from known or _SUBTYPE_TERMS[subtype]
            return
        if fold(text) in index().by_name:
            yield from self.place(mention)
        yield "a personal detail"

    def thing(self, mention: Mention) -> Iterator[str]:
        text = mention.text
        for row, plural in rows_of(text):
            if row.subtype == "MISC" and row.kind:
                yield row.kind + "s" if plural else _with_article(row.kind)
            elif row.subtype in _SUBTYPE_TERMS:
                yield from self.term(mention)
            break
        for noun, pattern in _WORDS["works"].items():
            if re.search(pattern, text, re.I):
                yield _with_article(noun)
        words = text.split()
        if words and all(w[:1].isupper() or len(w) < 4 for w in words):
            yield "a title" if len(words) > 1 else "a name"
        yield "a certain matter"


def _in_full(home: Home) -> str:
    return f"the {home.country}" if home.country in WITH_ARTICLE else home.country


def _with_article(noun: str) -> str:
    return f"{'an' if starts_with_vowel_sound(noun) else 'a'} {noun}"


def _fit(phrase: str, mention: Mention) -> str | None:
    """A noun phrase without its article where a determiner stands before; None if it
    does not fit that determiner."""
    if mention.label == "DEM" and _PHRASE_BEFORE.search(mention.before):
        phrase = _ARTICLE.sub("", phrase)
    elif _DETERMINER.search(mention.before):
        phrase = _ARTICLE.sub("", phrase)
        if not fits_article(phrase, mention.before):
            return None
    return in_sentence(phrase, mention)


def _ordinal(number: int) -> str:
    return f"{number}{ordinal_suffix(number)}"


def _time_of_day(mention: Mention) -> Iterator[str]:
    text, last = mention.text, last_word(mention.before)
    clock = _CLOCK.search(text)
    if clock:
        hour = int(clock.group(1) or clock.group(4))
        if clock.group(3):
            hour = hour % 12 + (12 if clock.group(3).lower() == "p" else 0)
        part = by_least(_WORDS["parts_of_day"], hour)
        about = last in ("at", "around", "about")
        yield f"some time in the {part}" if about else f"the {part}"
        yield "some time of the day"
        return
    days = weekday_index()
    words = re.findall(r"[^\W\d_]{4,}", text.lower().replace("days", "day"))
    found = [days[word] for word in words if word in days]
    if found:
        yield "a weekday" if found[0] <= 5 else "a day of the weekend"
        yield "a day"
        return
    if is_finer_than_year(text):
        yield "part of the year"
    if last == "on" or _ON_THE.search(mention.before):
        yield "a day"
    yield "some time"
    yield "a certain time"


def _duration(text: str, attributive: bool) -> Iterator[str]:
    match = _DURATION.search(text)
    assert match is not None
    unit = match.group(1).lower()
    unit, plural = ("century", "centuries") if unit == "centur" else (unit, unit + "s")
    values = read_numbers(text)
    if attributive and re.search(r"\w-", text):
        # "a two-year term"
        yield f"multi-{unit}" if values and values[0] > 1 else "short"
    if len(values) != 1:
        yield f"some {plural}"
        yield "some time"
        return
    value = values[0]
    if value <= 1:
        yield f"about {_with_article(unit)}"
    elif value < 5:
        yield f"a few {plural}"
    elif value < 20:
        yield f"several {plural}"
    yield f"many {plural}" if value >= 5 else f"several {plural}"
    yield "some time"


def _number(value: float, unit: str, symbol: str, follows: bool) -> Iterator[str]:
    near = rounded(value)
    # A round number would come out as it is.
    if near != value and (value >= 10 or unit or symbol):
        yield f"about {_written(near, symbol)}" + (f" {unit}" if unit else "")
    word = by_least(_WORDS["magnitudes"], value)
    noun = unit or _SYMBOLS.get(symbol, "")
    yield f"{word} {noun}" if noun else word if follows else word.removesuffix(" of")


def _written(value: float, symbol: str) -> str:
    """A rounded amount as it is spoken: "5,000", "£4 million"."""
    figure = in_figures(value)
    for word, scale in SCALES.items():
        if value >= scale > 1000:
            figure = f"{in_figures(value / scale)} {word}"
    if not symbol:
        return figure
    return f"{symbol} {figure}" if symbol.isalpha() else f"{symbol}{figure}"


def _unit(text: str, symbol: str) -> str:
    """What is counted: the words after the number, without scales and symbols."""
    *_, match = (None, *re.finditer(FIGURE_PATTERN, text))
    first = r"^[^\W\d_]+(?:-[^\W\d_]+)?"
    rest = text[match.end() :] if match else re.sub(first, "", text)
    words = rest.replace(symbol, " ").split() if symbol else rest.split()
    while words and words[0].lower() in (*FIGURE_SCALES, "and", "of"):
        del words[0]
    unit = " ".join(words).strip(" .,;:)(")
    return unit if re.fullmatch(r"[^\W_]+(?:[ /²³][^\W_]*){0,3}", unit) else ""


def _of_country(whose: str, rest: str) -> Iterator[str]:
    """ "a European citizen", "foreign-born"."""
    found = demonym(whose)
    key = fold(whose) if found is None else fold(found[0].name)
    home = world().countries.get(key, NOWHERE)
    bare = rest.startswith("-") or not rest.lower().endswith(("nal", "zen"))
    for word in (_CONTINENTS.get(home.continent, ""), "foreign", "overseas"):
        if word:
            yield f"{word}{rest}" if bare else _with_article(f"{word}{rest}")


def _of_row(mention: Mention) -> Iterator[str]:
    """What all terms of a row have in common: "a health professional"."""
    for row, plural in rows_of(mention.text):
        if mention.subtype and row.subtype != mention.subtype:
            continue
        if row.subtype == "DISEASE" and not row.kind:
            # An adjective, or one who is called by it: "an epileptic".
            named = _DETERMINER.search(mention.before)
            yield "patient" if named else "chronically ill"
            return
        if row.kind and row.subtype != "MISC":
            yield row.kind + "s" if plural else _with_article(row.kind)
        yield from _SUBTYPE_TERMS.get(row.subtype, ())
        return
