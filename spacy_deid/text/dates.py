"""What expressions of dates say: the one reader of dates.

`read_date` reads a text that is one date, `years_in` and `months_in` what any expression
names. A year of two figures is completed by `full_year` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from .calendars import is_day, month_index, weekday_index

# Years of two figures up to this one are of this century.
PIVOT = 30
_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20|21)\d\d(?!\d)")
_SHORT_YEAR = re.compile(r"(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-](\d\d)(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)[01]\d[0-3]\d(?!\d)")
_WORD = re.compile(r"\d+|[^\W\d_]+")
_FIGURES = re.compile(r"(\d{1,4})\s*([./\-])\s*(\d{1,2})\s*\2\s*(\d{1,4})\.?")
# Figures that a month or a day of the year stands in.
_MONTH_IN_FIGURES = re.compile(
    r"\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{1,2}[/.]\d{4}|\b\d{4}[-.]\d{1,2}(?!\d)"
)
_PART_OF_YEAR = re.compile(
    r"\b(?:spring|summer|autumn|fall|winter|early|mid|late|quarter|q[1-4]|half|christmas"
    r"|easter|beginning|end|start)\b",
    re.I,
)
_CLOCK = re.compile(
    r"\b\d{1,2}(?:[:.h][0-5]\d)?\s?(?:[ap]\.?m\b|o['’]clock|hrs\b|hours\b|uhr\b)"
    r"|\b(?:[01]?\d|2[0-3])[:h][0-5]\d\b",
    re.I,
)
_FILLERS = frozenset(
    "the of on de del den der le el il la do dia día day st nd rd th e er year in г года".split()
)


class Date(NamedTuple):
    """A date as far as it is known; 0 where it is not."""

    year: int
    month: int = 0
    day: int = 0

    @property
    def precision(self) -> str:
        """ "day", "month" or "year"."""
        return "day" if self.day else "month" if self.month else "year"


def full_year(figures: str | int) -> int:
    """A year with all its figures: 2030 for "30", 1931 for "'31"."""
    text = figures if isinstance(figures, str) else str(figures)
    digits = text if text.isdecimal() else re.sub(r"\D", "", text)
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (2000 if year <= PIVOT else 1900)


def day_first(texts: Iterable[str]) -> bool | None:
    """Whether a document writes the day before the month in figures with "/" or "-".

    texts (Iterable[str]): Its dates.
    RETURNS (Optional[bool]): None if none of them tells, or if they contradict.
    """
    votes = set()
    for text in texts:
        match = _FIGURES.fullmatch(text)
        if match is not None and match[2] != "." and len(match[1]) < 3:
            first, second = int(match[1]), int(match[3])
            votes.update([first > 12] if (first > 12) != (second > 12) else [])
    return votes.pop() if len(votes) == 1 else None


def read_date(text: str, day_first: bool | None = None) -> Date | None:
    """The day that a text names, if it is one date and nothing else.

    text (str): "6 May 1961", "6. Mai 1961", "06/05/61", "1961-05-06".
    day_first (Optional[bool]): How figures such as 01/03/2001 are written, if known.
    RETURNS (Optional[Date]): Always with its day; None if year, month or day is open.
    """
    text = text.lower().strip(" ,;:()")
    figures = _FIGURES.fullmatch(text)
    if figures is not None:
        return _read_figures(figures, day_first)
    months, month, numbers = month_index(), 0, []
    for word in _WORD.findall(text):
        if word.isdigit():
            numbers.append(word)
        elif word in months and not month:
            month = months[word]
        elif word not in _FILLERS and word not in weekday_index():
            return None
    if not month or len(numbers) != 2:
        return None
    day, year = sorted(numbers, key=lambda n: len(n) > 2)
    if len(day) > 2 or len(year) not in (2, 4):
        return None
    return _checked(year, month, int(day))


def _read_figures(match: re.Match[str], day_first: bool | None) -> Date | None:
    first, mark, second, last = match.groups()
    if len(first) == 4:
        return _checked(first, int(second), int(last))
    a, b = int(first), int(second)
    if a > 12 >= b or mark == "." or a == b:
        day_first = True
    elif b > 12 >= a:
        day_first = False
    if day_first is None or len(first) > 2 or len(last) not in (2, 4):
        return None
    return _checked(last, b, a) if day_first else _checked(last, a, b)


def _checked(year: str, month: int, day: int) -> Date | None:
    found = Date(full_year(year), month, day)
    return found if 1000 <= found.year < 3000 and is_day(day, month) else None


def years_in(text: str) -> list[int]:
    """The years that an expression names, those of two figures in full, sorted."""
    found = [int(m.group()) for m in _YEAR.finditer(_COMPACT.sub(" ", text))]
    found += [int(m[1]) for m in _COMPACT.finditer(text)]
    found += [full_year(m[1]) for m in _SHORT_YEAR.finditer(text)]
    return sorted(set(found))


def months_in(text: str) -> list[int]:
    """The months that an expression names in any language, 1 to 12, in its order."""
    index = month_index()
    figures = any(ch.isdecimal() for ch in text)
    out = []
    for word in re.findall(r"[^\W\d_]+", text):
        # Beside a number short names count, too; alone "may" is a verb.
        sure = len(word) > 2 if figures else len(word) > 3 and not word.islower()
        if word.lower() in index and (sure or word == "May"):
            out.append(index[word.lower()])
    return out


def is_finer_than_year(text: str) -> bool:
    """Whether an expression says more than its years: a month, a season, a time."""
    return bool(
        months_in(text)
        or any(
            pattern.search(text)
            for pattern in (
                _SHORT_YEAR,
                _COMPACT,
                _MONTH_IN_FIGURES,
                _PART_OF_YEAR,
                _CLOCK,
            )
        )
    )
