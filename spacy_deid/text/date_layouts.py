"""Layouts of dates: patterns with named fields, and how a shift moves the fields.

A field is written as the old one was: in figures with or without zeros, in Roman ones,
in its language. `year`, `month`, `day` and `weekday` move together; fields of
other names ("week", "quarter", "clock" ...) each have a rule in `_RULES`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping
from functools import cache

from ..data import table
from .calendars import ENGLISH_WEEKDAYS
from .case import as_matched, match_case
from .date_parts import (
    Context,
    Date,
    ImpossibleDate,
    Part,
    Shift,
    day_of,
    full_year,
    like_clock,
    like_day,
    like_decade,
    like_hour,
    like_month,
    like_weekday,
    like_year,
    lone_day,
    month_number,
    moved,
    read_day,
    vocabulary,
)
from .numbers import DECADES, ONES, to_roman
from .offsets import splice

Fields = Mapping[str, str]
# Two figures of which one is the day and one the month: "a" and "b".
FIGURES = {row["kind"]: row["form"] for row in table("date_figures")}
# Months of other calendars, a row for each spelling.
_MOONS = [row.split(",") for row in reversed(vocabulary("en").facts["moons"])]
_MOON_OF = {as_matched(x): (row, i) for row in _MOONS for i, x in enumerate(row)}
_PARTS = {
    "name": r"[^\W\d_]{3,11}",
    "weekday": rf"(?:(?P<weekday>{'|'.join(ENGLISH_WEEKDAYS)}|mon|tue|wed|thu|fri|sat|sun),?\s)?",
    "roman": "|".join(to_roman(n) for n in range(12, 0, -1)),
    "y4": r"(?P<year>[12]\d{3})",
    "y2": r"(?P<year>[12]\d{3}|\d\d)",
    "hour": rf"(?P<hour>{'|'.join(ONES[1:13])})",
    "minutes": "thirty|fifteen|forty-five|twenty-five|twenty|ten|five|forty|fifty|half|quarter",
    "decade": "|".join(DECADES),
    "moon": "|".join(map(re.escape, sorted(_MOON_OF, key=len, reverse=True))),
    "moonyear": r"(?:,?\s(?P<year>5[5-9]\d\d|1[34]\d\d))",
}
_LAYOUTS = tuple(
    re.compile(re.sub("«(\\w+)»", lambda m: _PARTS[m[1]], row["form"]), re.I)
    for row in table("date_layouts")
)


def relation_pattern() -> str:
    """Regex of what may stand before a feast: "the tuesday after ", "two days before"."""
    words = vocabulary("en").facts["relation"]
    leads, counted, links = (
        "|".join(words[k].split()) for k in ("leads", "counted", "links")
    )
    number = rf"(?:\d{{1,2}}|an?|{'|'.join(ONES[1:13])})"
    return rf"(?:the\s+)?(?:erev|(?:{leads}|{number}\s+(?:{counted}))\s+(?:{links}))\s+"


@cache
def _feasts() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """Feasts and terms of the academic year, with their years or without."""
    words = vocabulary("en").facts
    rows = [tuple(row) for row in (*words["feasts"], words["terms"])]
    row_of = {_feast(name): row for row in reversed(rows) for name in row}
    longest_first = sorted((n for row in rows for n in row), key=len, reverse=True)
    names = "|".join(map(re.escape, longest_first))
    names = names.replace("'", "'?").replace("St\\ ", r"St\.?\ ")
    pattern = (
        rf"(?P<lead>{relation_pattern()})?(?:the\s+)?(?P<feast>{names})"
        r"(?:,?\s+(?:of\s+|in\s+)?'?(?P<year>[125]\d{3}|(?<=')\d\d)(?:[-/](?P<until>\d\d))?)?"
    )
    return re.compile(pattern, re.I), row_of


def _feast(text: str) -> str:
    """One key for "St Brigid's Day" and "the st. brigids day"."""
    return re.sub("['’.]", "", as_matched(text)).removeprefix("the ")


def is_feast(text: str, term: bool = False) -> bool:
    """Whether a text is the name of a feast, or if asked of an academic term."""
    row = feasts_like(text)
    is_term = bool(row) and row[0] in vocabulary("en").facts["terms"]
    return bool(row) and is_term == term


def feasts_like(text: str) -> tuple[str, ...]:
    """The feasts that a feast belongs to; none for other texts."""
    return _feasts()[1].get(_feast(text), ())


def _read(fields: Fields, context: Context) -> Date:
    year = full_year(fields["year"]) if "year" in fields else context.year
    month = fields.get("month", "0")
    number = int(month) if month.isdecimal() else month_number(month)
    return Date(year or 0, number, read_day(fields.get("day", "0")))


def _is_padded(fields: Fields) -> bool:
    """Whether days and months in figures have two of them always."""
    month = fields.get("month", "0")
    old = [f for f in (fields.get("day", "0")[:2], month) if f.isdecimal() and f != "0"]
    tight = month.isdecimal() or " " not in fields[""]
    return any(f[0] == "0" for f in old) or (tight and all(len(f) == 2 for f in old))


def _move_date(fields: Fields, shift: Shift, context: Context) -> dict[str, str]:
    old, pad, out = _read(fields, context), _is_padded(fields), {}
    if ("day" in fields) > (old.day > 0) or ("month" in fields) > (old.month > 0):
        raise ImpossibleDate
    if old.day and not old.month:
        day = lone_day(old.day, context.anchor, shift)
        return {"day": like_day(fields["day"], day)}
    if old.day:
        date = moved(day_of(*old), shift.days)
        new = Date(date.year, date.month, date.day)
        out["day"] = like_day(fields["day"], new.day, pad)
        if "weekday" in fields:
            out["weekday"] = like_weekday(fields["weekday"], date.weekday())
    elif old.month:
        months = 12 * old.year + old.month - 1 + shift.months
        new = Date(months // 12, months % 12 + 1)
    else:
        new = Date(old.year + shift.years)
    if "month" in fields:
        out["month"] = like_month(fields["month"], new.month, context.lang, pad)
        figures = fields.get("day", "1")[0].isdecimal()
        if figures and len(fields["month"]) == 3 and fields["month"].isalpha():
            # "May" is a short name as well as a full one.
            out["month"] = out["month"][:3]
    if "year" in fields:
        out["year"] = like_year(fields["year"], new.year)
        if "until" in fields:
            out["until"] = like_year(fields["until"], new.year + _span(fields))
    return out


def _span(fields: Fields) -> int:
    """How many years lie between two of which the second may have two figures."""
    until = int(fields["until"]) - full_year(fields["year"])
    return until if len(fields["until"]) > 2 else until % 100


def _move_week(fields: Fields, shift: Shift, context: Context) -> dict[str, str]:
    day = int(fields.get("weekday", "1"))
    try:
        year, week = int(fields["year"]), int(fields["week"])
        date = datetime.date.fromisocalendar(year, week, day)
    except ValueError:
        raise ImpossibleDate from None
    year, week, day = moved(date, shift.days).isocalendar()
    width = len(fields["week"])
    out = {"year": str(year), "week": f"{week:0{width}d}", "weekday": str(day)}
    return {name: text for name, text in out.items() if name in fields}


def _move_part(fields: Fields, shift: Shift, context: Context) -> dict[str, str]:
    """Quarters and halves of a year."""
    name, count = ("quarter", 4) if "quarter" in fields else ("half", 2)
    years = full_year(fields["year"])
    total = int(fields[name]) - 1 + count * years + round(shift.days * count / 365.2425)
    year = like_year(fields["year"], total // count)
    return {name: str(total % count + 1), "year": year}


def _move_feast(fields: Fields, shift: Shift, context: Context) -> dict[str, str]:
    row = feasts_like(fields["feast"])
    place = [*map(_feast, row)].index(_feast(fields["feast"]))
    new = row[(place + 1 + shift.days % (len(row) - 1)) % len(row)]
    out = {"feast": match_case(new, fields["feast"])}
    return out | (_move_date(fields, shift, context) if "year" in fields else {})


def _move_hours(fields: Fields, shift: Shift, context: Context) -> dict[str, str]:
    step = shift.hours % 12 or 5
    return {n: str((int(fields[n]) - 1 + step) % 12 + 1) for n in ("from", "to")}


def _move_clock(fields: Fields, shift: Shift, context: Context) -> dict[str, str]:
    """A date with a time and perhaps the serial number of an event, which keep their order."""
    out = {"clock": like_clock(fields["clock"], shift)}
    if serial := fields.get("serial"):
        width, step = len(serial), 97 * shift.days + shift.minutes
        out["serial"] = f"{(int(serial) + step) % 10**width:0{width}d}"
    return out | _move_date(fields, shift, context)


def _move_moon(fields: Fields, shift: Shift, context: Context) -> dict[str, str]:
    """A day, month or year of another calendar: "14 Nisan 5762"."""
    row, at = _MOON_OF[as_matched(fields["moon"])]
    at += shift.months if "year" in fields or shift.months % 12 else 5
    day = (read_day(fields.get("day", "1")) - 1 + shift.days) % 29 + 1
    out = {
        "moon": match_case(row[at % 12], fields["moon"]),
        "day": like_day(fields.get("day", "1"), day),
        "year": str(int(fields.get("year", 0)) + at // 12),
    }
    return {name: text for name, text in out.items() if name in fields}


Rule = Callable[[Fields, Shift, Context], dict[str, str]]
# The first one whose field is there moves all.
_RULES: tuple[tuple[str, Rule], ...] = (
    ("moon", _move_moon),
    ("week", _move_week),
    ("quarter", _move_part),
    ("half", _move_part),
    ("feast", _move_feast),
    ("from", _move_hours),
    ("hour", lambda f, s, c: {"hour": like_hour(f["hour"], s)}),
    ("decade", lambda f, s, c: {"decade": like_decade(f["decade"], s)}),
    ("clock", _move_clock),
)


def layout(match: re.Match[str], context: Context, start: int = 0) -> Part:
    """The part of an expression whose fields a match has found.

    match (Match): Of a pattern with named fields.
    context (Context): What the document tells.
    start (int): Where the matched text begins in the expression.
    RETURNS (Part): It raises `ImpossibleDate` where a shift makes no date.
    """
    places, fields = _fields(match, context)
    rule = next((rule for name, rule in _RULES if name in fields), _move_date)

    def render(shift: Shift) -> str:
        new = rule(fields, shift, context)
        edits = sorted((*places[name], text) for name, text in new.items())
        return splice(match.string[: match.end()], edits)[match.start() :]

    value: tuple[int, ...] = ()
    if rule is _move_date and "year" in fields and "until" not in fields:
        value = tuple(filter(None, _read(fields, context)))
    return Part(start + match.start(), start + match.end(), "layout", render, value)


def _fields(
    match: re.Match[str], context: Context
) -> tuple[dict[str, tuple[int, int]], dict[str, str]]:
    """Where the fields of a layout stand, and what they are; "" is all of it."""
    groups = match.groupdict().items()
    places = {n: match.span(n) for n, v in groups if v is not None and n != "lead"}
    if "a" in places:
        a, b = places.pop("a"), places.pop("b")
        may_be = int(match["a"]) <= 12 and match.groupdict().get("sep", "") != "."
        month_first = int(match["b"]) > 12 or (context.month_first and may_be)
        places["month"], places["day"] = (a, b) if month_first else (b, a)
    text = match.string
    fields = {name: text[i:j] for name, (i, j) in places.items()} | {"": match.group()}
    return places, fields


def figures(kind: str, text: str, start: int, context: Context) -> Part | None:
    """A date in figures that stands in an expression.

    kind (str): Key of `FIGURES`.
    text (str): The figures.
    start (int): Where they begin.
    context (Context): What the document tells.
    RETURNS (Optional[Part]): None if they can be no date.
    """
    if kind == "monthyear" and text[3:4].isdecimal() and text[4:5] == "-":
        kind = "yearmonth"
    match = _match_figures(kind, text)
    return layout(match, context, start) if match else None


def day_in_figures(kind: str, text: str, context: Context) -> Date | None:
    """The day that figures are, of the document's year if they have none; None if they
    are none. Arguments as of `figures`."""
    match = _match_figures(kind, text)
    fields = _fields(match, context)[1] if match else {}
    return _read(fields, context) if "day" in fields else None


def _match_figures(kind: str, text: str) -> re.Match[str] | None:
    """The fields of figures of which one may be a month; None for others."""
    match = re.fullmatch(FIGURES.get(kind, "(?!)"), text)
    known = match.groupdict() if match else {}
    days = "a" in known and min(int(known["a"]), int(known["b"])) > 12
    return None if days else match


def read_layout(text: str, context: Context) -> Part | None:
    """The date or time that a text is as a whole, in a layout of its own; None for
    other layouts."""
    if len(text) > 80:
        return None
    normal = text.replace("\u2019", "'").replace("\u00a0", " ")
    match = _feasts()[0].fullmatch(normal)
    if match is not None and (
        match["year"] or match["lead"] or is_feast(match["feast"], term=True)
    ):
        part = layout(match, context)
        if "’" not in text:
            return part
        return part._replace(render=lambda s: part.render(s).replace("'", "’"))
    for pattern in _LAYOUTS:
        match = pattern.fullmatch(normal)
        month = match.groupdict().get("month") if match else None
        if match and (not month or month.isdecimal() or month_number(month)):
            return layout(match, context)
    return None
