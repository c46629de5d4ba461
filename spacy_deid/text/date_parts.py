"""What the readers of dates share: values, shifts, and fields written like others."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from functools import cache, cached_property
from typing import NamedTuple

from ..data import facts, language_with
from .calendars import MONTHS, WEEKDAYS, Names, month_index, names_like, weekday_index
from .case import match_case, place_in
from .number_words import in_words, read_words
from .numbers import DECADES, from_roman, suffixed, to_roman

# Years of two figures up to this one are of this century.
PIVOT = 30
# Rough mean lengths, for dates that name a month or a year only.
MONTH, YEAR = 30.436875, 365.2425


class ImpossibleDate(ValueError):
    """A date that is in no calendar, or whose shift would be."""


class Date(NamedTuple):
    """A date as far as it is known; 0 where it is not."""

    year: int
    month: int = 0
    day: int = 0


class Shift(NamedTuple):
    """One shift at all precisions; rounding once keeps the intervals of each."""

    days: int
    minutes: int
    # Whether a year may stay as it is, which the caller then refuses.
    exact: bool = False
    # Whether hours are told up to twelve with neither "am" nor "pm".
    twelve: bool = False

    @property
    def months(self) -> int:
        return round(self.days / MONTH)

    @property
    def years(self) -> int:
        years = round(self.days / YEAR)
        return years if years or self.exact else 1 if self.days > 0 else -1

    @property
    def decades(self) -> int:
        return round(self.days / (10 * YEAR)) or (1 if self.days > 0 else -1)

    @property
    def hours(self) -> int:
        return round(self.minutes / 60) or (1 if self.minutes > 0 else -1)


class Part(NamedTuple):
    """A stretch of an expression that a shift moves; the first of a date has its value:
    the year, and the month and day if they are known."""

    start: int
    end: int
    kind: str
    render: Callable[[Shift], str]
    value: tuple[int, ...] = ()


class Context(NamedTuple):
    """What a document tells of its dates: language, year of those that name none, order
    of ambiguous figures, whether dates of three figures have slashes, and a day in the
    month of those that name none."""

    lang: str = "en"
    year: int = 2003
    month_first: bool = False
    slashes: bool = False
    anchor: datetime.date | None = None


class Vocabulary:
    """The words of `data/lang/CODE/dates.json`; English for languages without."""

    def __init__(self, lang: str):
        self.lang = lang
        known = language_with("dates", lang)
        self.facts = facts(f"lang/{known}/dates")
        self.decades = self.facts["decades"]

    @cached_property
    def _frame(self) -> frozenset[str]:
        english = facts("lang/en/dates")["frame"]
        return frozenset(f"{english} {self.facts['frame']}".split())

    def may_stay(self, key: str) -> bool:
        """Whether a lower-cased word may stay around a date."""
        forms = self.facts["frame_forms"]
        return key in self._frame or bool(forms and re.fullmatch(forms, key))

    @cached_property
    def seasons(self) -> dict[str, tuple[str, ...]]:
        """The row that each season stands in, lower-cased; the first row counts."""
        rows = [tuple(row.split()) for row in self.facts["seasons"]]
        return {name.lower(): row for row in reversed(rows) for name in row}

    @cached_property
    def months(self) -> frozenset[str]:
        """Names of months that are no other words in the language."""
        rows = MONTHS.get(self.lang, ()) if self.lang != "en" else ()
        return frozenset(name for row in rows for name in row.split() if len(name) > 2)


@cache
def vocabulary(lang: str) -> Vocabulary:
    """The words around dates in a language."""
    return Vocabulary(lang)


def full_year(figures: str | int) -> int:
    """A year with all its figures: 2030 for "30", 1931 for "'31"."""
    text = str(figures)
    digits = text if text.isdecimal() else re.sub(r"\D", "", text)
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year <= PIVOT else 1900)


def like_year(old: str, year: int) -> str:
    """A year with as many figures as the old one, apostrophe kept.

    RAISES (ImpossibleDate): If there is no such year.
    """
    if not 1 <= year <= 9999:
        raise ImpossibleDate
    digits = sum(ch.isdecimal() for ch in old)
    return re.sub(r"\d+", f"{year % 100:02d}" if digits == 2 else str(year), old)


def month_number(name: str) -> int:
    """1 to 12 by a name in any language or Roman figures; 0 for other words."""
    found = month_index().get(name.lower())
    return found or (from_roman(name) or 0 if len(name) < 5 else 0)


def like_month(old: str, number: int, lang: str = "en", pad: bool = False) -> str:
    """A month as another one is written: in figures, Roman ones, or by its name in the
    other's language and style."""
    if old.isdecimal():
        return f"{number:02d}" if pad or old[0] == "0" else str(number)
    if old.lower() not in month_index():
        return match_case(to_roman(number), old)
    return _like_name(MONTHS, old, number - 1, lang)


def like_weekday(old: str, index: int, lang: str = "en") -> str:
    """A weekday by its name as another one is written; Monday is 0."""
    return _like_name(WEEKDAYS, old, index % 7, lang)


def _like_name(names: Names, old: str, index: int, lang: str) -> str:
    row = _row(names is MONTHS, old.lower(), old[0].isupper(), lang)
    new = row[index] if row else old
    return match_case(new.capitalize() if old[0].isupper() else new, old)


@cache
def _row(months: bool, key: str, capital: bool, lang: str) -> tuple[str, ...]:
    """All names in the language and style of one."""
    names = MONTHS if months else WEEKDAYS
    own = lang != "en" and any(key in row.split() for row in names.get(lang, ()))
    rows = [tuple(row.split()) for row in names["en"]]
    if not own and any(key in row for row in rows):
        # Of the short names only those of three letters are written.
        full = rows[-1] if key.endswith("days") else rows[0]
        return full if key in full else rows[1]
    return names_like(names, key, capital, lang) or ()


def is_month(key: str) -> bool:
    """Whether a lower-cased word is an English name of a month."""
    return key in month_index(("en",))


def is_weekday(key: str) -> bool:
    """Whether a lower-cased word is an English name of a weekday."""
    return key in weekday_index(("en",))


def weekday_number(name: str) -> int:
    """0 (Monday) to 6 by a name in any language; -1 for other words."""
    return weekday_index().get(name.lower(), 0) - 1


def read_day(text: str) -> int:
    """Day of a month in figures, with an ordinal ending or without; 0 for others."""
    digits = re.match(r"\d+", text)
    return int(digits.group()) if digits else 0


def like_day(old: str, day: int, pad: bool = False) -> str:
    """A day as another one is written: "09", "3rd", "1er"."""
    digits = re.match(r"\d+", old)
    suffix = old[digits.end() :] if digits else ""
    text = f"{day:02d}" if pad or old[0] == "0" else str(day)
    return text + (suffixed(day, suffix) if suffix else "")


def day_of(year: int, month: int, day: int) -> datetime.date:
    """A day of the calendar; 29 February of any year is one.

    RAISES (ImpossibleDate): If there is no such day.
    """
    try:
        return datetime.date(year, month, day)
    except ValueError:
        if (month, day) == (2, 29) and 0 < year < 10_000:
            # A day without year: any leap year will do.
            return datetime.date(year, 3, 1)
        raise ImpossibleDate from None


def moved(date: datetime.date, days: int) -> datetime.date:
    """The date some days later.

    RAISES (ImpossibleDate): If it is beyond the calendar.
    """
    try:
        return date + datetime.timedelta(days)
    except OverflowError:
        raise ImpossibleDate from None


def lone_day(number: int, anchor: datetime.date | None, shift: Shift) -> int:
    """Day of the month for one that stands without month ("the 2nd"), in the month of
    a date near by."""
    for month in (anchor.month, anchor.month % 12 + 1) if anchor else ():
        try:
            date = datetime.date(anchor.year if anchor else 1, month, number)
        except ValueError:
            continue
        return moved(date, shift.days).day
    return (number - 1 + shift.days) % 28 + 1


def like_decade(old: str, shift: Shift) -> str:
    """Another decade in figures or words: "1990", "90", "nineties"."""
    if not old.isdecimal():
        index = place_in(DECADES, old)
        return match_case(DECADES[(index + shift.decades) % len(DECADES)], old)
    if len(old) > 2:
        return str(int(old) + 10 * shift.decades)
    return f"{((int(old) // 10 - 1 + shift.decades) % 9 + 1) * 10:02d}"


def like_century(old: str) -> str:
    """The century before, in figures or Roman ones; the second for the first."""
    roman = from_roman(old) if old.isupper() else None
    value = roman or read_day(old)
    if not value:
        raise ImpossibleDate
    new = value - 1 or 2
    return to_roman(new) if roman else like_day(old, new)


def like_clock(text: str, shift: Shift) -> str:
    """A time of day, shifted around the clock in its own format.

    text (str): "14:30", "3.45 p.m.", "15h30", "0415 hrs", "17 Uhr", "10 o'clock".
    RAISES (ImpossibleDate): If there is no such hour.
    """
    pieces = re.split(r"(\d\d?)", text)
    numbers = pieces[1::2]
    half = re.search(r"([aApP])(\.?\s?)([mM])", text)
    hour = int(numbers[0])
    if hour > 24:
        raise ImpossibleDate
    if half:
        hour = hour % 12 + (12 if half[1] in "pP" else 0)
    minute = int(numbers[1]) if len(numbers) > 1 else 0
    step = shift.minutes if len(numbers) > 1 else 60 * shift.hours
    twelve = half or shift.twelve or re.search("o['’]clock", text)
    total = (hour * 60 + minute + step) % (720 if twelve and not half else 1440)
    new_hour, new_minute = divmod(total, 60)
    shown = new_hour % 12 or 12 if twelve else new_hour
    wide = len(numbers[0]) if numbers[0][0] == "0" or not twelve else 1
    pieces[1] = str(shown).zfill(wide if len(numbers) > 1 or wide == 2 else 1)
    if len(numbers) > 1:
        pieces[3] = f"{new_minute:02d}"
    out = "".join(pieces)
    if half:
        letter = "p" if new_hour >= 12 else "a"
        letter = letter.upper() if half[1].isupper() else letter
        out = re.sub(r"[aApP](\.?\s?[mM])", letter + r"\1", out)
    return out


def like_hour(word: str, shift: Shift) -> str:
    """Another hour in words ("ten" of "ten o'clock")."""
    step = shift.hours % 12 or 5
    return in_words(((read_words(word) or 1) + step - 1) % 12 + 1, word)
