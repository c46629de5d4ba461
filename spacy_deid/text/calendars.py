"""Names of months, weekdays and units of time in many languages, and the calendar's
arithmetic. The names are in `data/calendars.tsv` and `data/time_units.tsv`."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterable, Mapping
from functools import cache
from string import ascii_lowercase

from ..data import facts, table
from .case import like_first

Names = Mapping[str, tuple[str, ...]]


def _rows(kind: str) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for row in table("calendars"):
        if row["kind"] == kind:
            out[row["lang"]] = (*out.get(row["lang"], ()), row["names"])
    return out


# By language: a row of lower-cased names for each style, the full ones first.
MONTHS: Names = _rows("month")
WEEKDAYS: Names = _rows("weekday")
ENGLISH_MONTHS = tuple(MONTHS["en"][0].title().split())
ENGLISH_WEEKDAYS = tuple(WEEKDAYS["en"][0].title().split())
# English months, whole or as three or four letters.
MONTH_PATTERN = "|".join((*ENGLISH_MONTHS, "Sept", *(m[:3] for m in ENGLISH_MONTHS)))
LANGUAGES = tuple(MONTHS)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def check_languages(languages: Iterable[str]) -> tuple[str, ...]:
    """Languages that there are names for, English first.

    languages (Iterable[str]): ISO 639-1 codes.
    RETURNS (tuple[str, ...]): The codes, without repeats.
    RAISES (ValueError): If there are no names for one of them.
    """
    if isinstance(languages, str):
        raise ValueError("languages must be a list of codes")
    codes = dict.fromkeys(("en", *languages))
    if unknown := [code for code in codes if code not in MONTHS]:
        raise ValueError(
            f"no names of months for {', '.join(map(repr, unknown))}; there are some "
            f"for {', '.join(LANGUAGES)}"
        )
    return tuple(codes)


def month_index(languages: Iterable[str] = LANGUAGES) -> Mapping[str, int]:
    """Numbers of the months, 1 to 12, by their lower-cased names; the first language's
    meaning counts."""
    return _index("month", tuple(languages))


def weekday_index(languages: Iterable[str] = LANGUAGES) -> Mapping[str, int]:
    """Numbers of the weekdays, 1 (Monday) to 7, by their lower-cased names."""
    return _index("weekday", tuple(languages))


@cache
def _index(kind: str, languages: tuple[str, ...]) -> Mapping[str, int]:
    names = MONTHS if kind == "month" else WEEKDAYS
    out: dict[str, int] = {}
    for language in languages:
        for row in names[language]:
            for number, name in enumerate(row.split(), 1):
                out.setdefault(name, number)
    return out


def full_names(names: Names, language: str) -> set[str]:
    """Lower-cased names of a language that are no abbreviations.

    names (Mapping): `MONTHS` or `WEEKDAYS`.
    """
    rows = [row.split() for row in names[language]]
    # The first row has full names; others with names about as long have them too.
    size = sum(map(len, rows[0]))
    return {n for row in rows if sum(map(len, row)) > 0.75 * size for n in row}


def names_like(
    names: Names, word: str, capital: bool = True, first: str = ""
) -> tuple[str, ...] | None:
    """All names in the language and style of one of them.

    names (Mapping): `MONTHS` or `WEEKDAYS`.
    word (str): A lower-cased name.
    capital (bool): Whether it is written with a capital letter; German names are.
    first (str): Language whose names count before those of others.
    RETURNS (Optional[tuple[str, ...]]): The row it stands in; None if it is in none.
    """
    for language in (*filter(names.__contains__, [first]), *names):
        if language == "de" and not capital and language != first:
            continue
        for row in names[language]:
            found = tuple(row.split())
            if word in found:
                return found
    return None if capital else names_like(names, word)


@cache
def units(lang: str) -> Mapping[str, str]:
    """English names of the units of time by all forms of a language's words for them,
    lower-cased.

    lang (str): ISO 639-1 code; "" for all languages.
    """
    return {
        word.lower(): row["unit"]
        for row in table("time_units")
        if row["lang"] == lang or not lang
        for word in (row["one"], row["few"], *row["others"].split())
        if word
    }


# Words for units of time that are no English ones.
UNITS_ABROAD = units("").keys() - units("en").keys()


def units_row(unit: str, lang: str) -> dict[str, str]:
    """The row of a unit by its English name; empty cells if a language has none."""
    for row in table("time_units"):
        if row["lang"] == lang and row["unit"] == unit:
            return row
    return {"one": unit, "few": f"{unit}s", "others": ""}


def plural_unit(unit: str, lang: str) -> str:
    """A unit of time as it stands beside two to four: "años" for "año"; as it is if no
    table has it."""
    for row in table("time_units"):
        if row["lang"] == lang and row["one"].lower() == unit.lower():
            return row["few"].lower() if unit.islower() else row["few"]
    return unit


def is_day(day: int, month: int, year: int | None = None) -> bool:
    """Whether a day is in the calendar.

    day (int): Day of the month.
    month (int): Month, 1 to 12.
    year (Optional[int]): Year with all its digits, if known.
    RETURNS (bool): Whether there is such a day.
    """
    if not (1 <= month <= 12 and 1 <= day <= _DAYS[month - 1]):
        return False
    return (month, day) != (2, 29) or year is None or isleap(year)


@cache
def misspelt() -> Mapping[str, str]:
    """English months and weekdays as they are misspelt: one letter too many, too few,
    wrong or exchanged, in long names two too few. Real words are none.

    RETURNS (Mapping[str, str]): The right name, by the lower-cased misspelt one.
    """
    names = [name.lower() for name in (*ENGLISH_MONTHS, *ENGLISH_WEEKDAYS)]
    real = {*month_index(), *weekday_index()}
    real.update(facts("lang/en/dates")["misspelt_words"].split())
    out: dict[str, str] = {}
    for name in names:
        if len(name) > 3:
            variants = {v for v in _slips(name) if v[0] == name[0] and len(v) > 3}
            out.update(dict.fromkeys(variants - real, name.title()))
    return out


def _slips(name: str) -> set[str]:
    """What one slip makes of a name."""
    cuts = [(name[:i], name[i:]) for i in range(len(name) + 1)]
    out = {a + b[1:] for a, b in cuts if b}
    if len(name) > 7:
        out |= {word[:i] + word[i + 1 :] for word in out for i in range(1, len(word))}
    out |= {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    for letter in ascii_lowercase:
        out |= {a + letter + b[1:] for a, b in cuts if b}
        out |= {a + letter + b for a, b in cuts}
    return out


def spelt_right(text: str) -> str:
    """A text whose months and weekdays are spelt as they should be."""

    def right(match: re.Match[str]) -> str:
        name = misspelt().get(match[0].lower())
        return like_first(name, match[0]) if name else match[0]

    return re.sub(r"[^\W\d_]{4,12}", right, text)
