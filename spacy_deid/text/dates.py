"""What expressions of dates say: the one reader of dates.

`read_parts` finds the stretches of an expression that a shift moves, with their values;
`read_date` reads a text that is one date, `years_in` and `months_in` what any expression
names. A year of two figures is completed by `full_year` alone. Layouts are in
`date_layouts.py`, expressions of several words and dates in `date_expressions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .calendars import ENGLISH_MONTHS, is_day, month_index
from .date_expressions import CUES, read_expression
from .date_layouts import read_layout
from .date_parts import (
    Context,
    Date,
    Part,
    Shift,
    day_of,
    full_year,
    like_day,
    like_month,
    like_year,
    moved,
)
from .date_words import read_in_words

_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20|21)\d\d(?!\d)")
_FINER = tuple(
    re.compile(CUES[k])
    for k in "short_year compact month_in_figures part_of_year clock".split()
)
_SHORT_YEAR, _COMPACT, *_ = _FINER
_FIGURES = re.compile(CUES["day_and_month"])
# Layouts of most dates, which no other one has.
_PLAIN = re.compile(
    rf"(?:(?P<first>\d{{1,2}}) )?(?P<month>{'|'.join(ENGLISH_MONTHS)}) "
    r"(?:(?P<day>\d{1,2}), )?(?P<year>(?:1\d|2[01])\d\d)|(?:1\d|2[01])\d\d",
    re.A,
)


def read_parts(text: str, context: Context, loose: bool = True) -> list[Part] | None:
    """What moves in an expression of a date or time.

    text (str): The expression.
    context (Context): What the document tells.
    loose (bool): Whether dates may stand among other words of time.
    RETURNS (Optional[list]): Stretches with a function of a shift each; None if nothing
        can be shifted, or if other words than those around dates stand there.
    """
    plain = _PLAIN.fullmatch(text)
    part = _plain_part(plain, context.lang) if plain else read_layout(text, context)
    if part is not None:
        return [part]
    if not (loose or plain):
        return None
    return (
        read_in_words(text, context, beside_month=True)
        or read_expression(text, context)
        or read_in_words(text, context)
    )


def _plain_part(match: re.Match, lang: str) -> Part | None:
    """A plain English date as the grammar would read it, which takes much longer; None
    if it has no such day."""
    text = match.group()
    first, month, second, year = match.group("first", "month", "day", "year")
    if month is None:
        base = int(text)
        return Part(0, 4, "year", lambda s: like_year(text, base + s.years), (base,))
    number, base = ENGLISH_MONTHS.index(month) + 1, int(year)
    if first is None and second is None:

        def move_month(shift: Shift) -> str:
            new_year, new_month = divmod(12 * base + number - 1 + shift.months, 12)
            written = like_year(year, new_year)
            return f"{like_month(month, new_month + 1, lang)} {written}"

        return Part(0, len(text), "month", move_month, (base, number))
    day = int(first or second)
    if not is_day(day, number) or (first and second):
        return None
    old = day_of(base, number, day)

    def move(shift: Shift) -> str:
        new = moved(old, shift.days)
        name, written = like_month(month, new.month, lang), like_year(year, new.year)
        if first:
            return f"{like_day(first, new.day)} {name} {written}"
        return f"{name} {like_day(second, new.day)}, {written}"

    return Part(0, len(text), "day", move, (old.year, old.month, old.day))


def day_first(texts: Iterable[str]) -> bool | None:
    """Whether a document writes the day before the month in figures with "/" or "-".

    texts (Iterable[str]): Its dates.
    RETURNS (Optional[bool]): None if none of them tells, or if they contradict.
    """
    votes = set()
    for text in texts:
        for match in _FIGURES.finditer(text):
            first, second = int(match[1]), int(match[3])
            if (first > 12) != (second > 12) and max(first, second) < 32:
                votes.add(first > 12)
    return votes.pop() if len(votes) == 1 else None


def read_date(text: str, day_first: bool | None = None) -> Date | None:
    """The day that a text names, if it is one date and nothing else.

    text (str): "6 May 1961", "6. Mai 1961", "06/05/61", "1961-05-06", "6.V.1961".
    day_first (Optional[bool]): How figures such as 01/03/2001 are written, if known.
    RETURNS (Optional[Date]): Always with its day; None if year, month or day is open.
    """
    text = text.strip(" ,;:()")
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        # Most dates, read without the grammar.
        day, month, year = plain["first"] or plain["day"], plain["month"], plain["year"]
        if not day or (plain["first"] and plain["day"]):
            return None
        return _checked(Date(int(year), ENGLISH_MONTHS.index(month) + 1, int(day)))
    if (figures := _FIGURES.match(text)) is not None and day_first is None:
        first, second = int(figures[1]), int(figures[3])
        if first != second and max(first, second) < 13:
            return None
    if len(text) > 60:
        return None
    context = Context(year=0, month_first=day_first is False)
    values = [part.value for part in read_parts(text, context) or () if part.value]
    if len(values) != 1 or len(values[0]) != 3:
        return None
    return _checked(Date(*values[0]))


def may_be_date(numbers: Sequence[str], date: Date) -> bool:
    """Whether three numbers are a date in any order of day, month and year, which may
    have two figures."""
    days = {(date.day, date.month), (date.month, date.day)}
    first, second, third = map(int, numbers)

    def is_year(number: str) -> bool:
        return int(number) == date.year % 10 ** len(number) and len(number) in (2, 4)

    return (is_year(numbers[2]) and (first, second) in days) or (
        is_year(numbers[0]) and (third, second) in days
    )


def _checked(date: Date) -> Date | None:
    fits = 1000 <= date.year < 3000 and is_day(date.day, date.month)
    return date if fits else None


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
    return bool(months_in(text)) or any(finer.search(text) for finer in _FINER)
