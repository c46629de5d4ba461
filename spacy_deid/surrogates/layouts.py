"""Layouts of dates and times that no run of figures and English names shows: in words,
with Roman figures, weeks, quarters, without separators."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Protocol

from .base import MONTHS, WEEKDAYS, match_case
from .numbers import (
    DECADES,
    ONES,
    ORDINAL_WORDS,
    TENS,
    in_words,
    ordinal_in_words,
    ordinal_suffix,
    read_words,
)


class Shift(Protocol):
    """What a layout needs to know of a document's shift."""

    @property
    def days(self) -> int: ...
    @property
    def minutes(self) -> int: ...
    @property
    def years(self) -> int: ...
    @property
    def decades(self) -> int: ...
    @property
    def hours(self) -> int: ...


Render = Callable[[Shift], str]
Names = Callable[[str, int], str]
_ROMANS = "I II III IV V VI VII VIII IX X XI XII".split()
_HOURS = ONES[1:13]
_HOUR = "|".join(_HOURS)
_ORDINAL = r"(?:(?:twenty|thirty)[\s-])?(?:" + "|".join(ORDINAL_WORDS[1:]) + ")"
_ORDINAL += "|twentieth|thirtieth"
_MONTHS = [name.lower() for name in MONTHS]
_ONE = "|".join(ONES[1:10])
_TEEN = "|".join(ONES[10:])
_TENS = "|".join(TENS[2:])
_YEAR_WORDS = (
    rf"(?:nineteen|eighteen|seventeen|sixteen|twenty)[\s-](?:hundred(?:\sand)?[\s-])?"
    rf"(?:(?:{_TENS})(?:[\s-](?:{_ONE}))?|(?:oh|o'?)[\s-](?:{_ONE})|{_TEEN})"
    rf"|two[\s-]thousand(?:\sand|,)?[\s-](?:(?:{_TENS})(?:[\s-](?:{_ONE}))?|{_TEEN}|{_ONE})"
)
_YEAR = rf"[12]\d{{3}}|{_YEAR_WORDS}"


_BY_ORDINAL = {ordinal_in_words(number): number for number in range(1, 100)}


def read_ordinal(text: str) -> int | None:
    """Value of an ordinal in words.

    text (str): "third", "Twenty First".
    RETURNS (Optional[int]): 3, 21; None if it is none.
    """
    return _BY_ORDINAL.get("-".join(re.split(r"[\s-]+", text.lower())))


def read_year(text: str) -> int | None:
    """A year in figures or words.

    text (str): "1999", "nineteen ninety-nine", "two thousand and one".
    RETURNS (Optional[int]): The year; None if it is none.
    """
    if text.isdecimal():
        return int(text)
    tokens = [t for t in re.split(r"[\s,-]+", text.lower()) if t and t != "and"]
    century: int | None
    if tokens[:2] == ["two", "thousand"]:
        century, tokens = 20, tokens[2:]
    else:
        century, tokens = read_words(tokens[0]) if tokens else None, tokens[1:]
    rest = [token for token in tokens if token not in ("hundred", "oh", "o", "o'")]
    value = read_words(" ".join(rest)) if rest else 0
    return None if century is None or value is None else 100 * century + value


def year_in_words(year: int, like: str) -> str:
    """A year in words, as another one is written.

    year (int): The year.
    like (str): A year in words or figures; figures stay figures.
    RETURNS (str): For example "nineteen ninety-nine".
    """
    if like.isdecimal():
        return str(year)
    century, rest = divmod(year, 100)
    hyphen = "-" if re.search(r"[a-z]y-[a-z]", like, re.I) or " " not in like else "x-"
    if 2000 <= year < 2010 or (century == 20 and like.lower().startswith("two")):
        joint = " and " if " and " in like.lower() or year < 2010 else " "
        text = "two thousand" + (joint + in_words(rest, hyphen) if rest else "")
    elif not rest:
        text = f"{in_words(century)} hundred"
    else:
        tail = f"oh {in_words(rest)}" if rest < 10 else in_words(rest, hyphen)
        text = f"{in_words(century)} {tail}"
    return match_case(text.replace("x-", " "), like)


def _checked(year: int) -> int:
    if not 1 <= year <= 9999:
        raise ValueError
    return year


def _moved(year: int, month: int, day: int, days: int) -> datetime.date:
    return datetime.date(year, month, day) + datetime.timedelta(days)


def _short(year: str, new: int) -> str:
    """A year with as many figures as the old one."""
    return f"{new % 100:02d}" if len(year) == 2 else str(_checked(new))


def _full(year: str) -> int:
    """A year with all its figures."""
    number = int(year)
    return number if len(year) > 2 else number + (2000 if number <= 30 else 1900)


def _padded(value: int, old: str) -> str:
    return f"{value:02d}" if len(old) == 2 else str(value)


def _in_words(m: re.Match[str]) -> Render:
    """ "the twenty-first of March nineteen ninety-nine"."""
    day = read_ordinal(m["day"])
    month = _MONTHS.index(m["month"].lower()) + 1
    year = read_year(m["year"]) if m["year"] else 2003
    assert day is not None and year is not None

    def render(shift: Shift) -> str:
        new = _moved(year, month, day, shift.days)
        values = {
            "day": ordinal_in_words(new.day, m["day"]),
            "month": match_case(MONTHS[new.month - 1], m["month"]),
        }
        if m["year"]:
            values["year"] = year_in_words(new.year, m["year"])
        return _filled(m, values)

    return render


def _filled(m: re.Match[str], values: dict[str, str]) -> str:
    """The matched text with other values for some groups."""
    out, last = [], 0
    for name in sorted(values, key=m.start):
        out += [m.string[last : m.start(name)], values[name]]
        last = m.end(name)
    return "".join(out) + m.string[last:]


def _year_alone(m: re.Match[str]) -> Render:
    year = read_year(m["year"])
    assert year is not None
    return lambda s: _filled(
        m, {"year": year_in_words(_checked(year + s.years), m["year"])}
    )


def _named(m: re.Match[str], month_name: Names) -> Render:
    """A month by name in a layout of its own: "16MAY03", "16-May-03", "May-03"."""
    groups = m.groupdict()
    number = int(month_name(m["month"], -1))
    year = _full(m["year"])

    def render(shift: Shift) -> str:
        new = _moved(year, number, int(groups.get("day") or 15), shift.days)
        month = month_name(m["month"], new.month)
        if len(m["month"]) == 3:
            # "May" is a short name as well as a full one.
            month = month[:3]
        values = {"month": month, "year": _short(m["year"], new.year)}
        if groups.get("day"):
            marks = groups.get("sep") in ("-", "/", ".") and len(m["day"]) == 2
            padded = m["day"][0] == "0" or m.re is _GLUED or marks
            values["day"] = f"{new.day:02d}" if padded else str(new.day)
        if groups.get("clock"):
            digits = moved_clock(m["clock"].replace(":", ""), shift)
            values["clock"] = f"{digits[:2]}:{digits[2:4]}:{digits[4:]}"
        if groups.get("weekday"):
            name = WEEKDAYS[new.weekday()]
            name = name if len(m["weekday"]) > 4 else name[:3]
            values["weekday"] = match_case(name, m["weekday"])
        return _filled(m, values)

    return render


def _roman(m: re.Match[str]) -> Render:
    month = _ROMANS.index(m["month"].upper()) + 1

    def render(shift: Shift) -> str:
        new = _moved(int(m["year"]), month, int(m["day"]), shift.days)
        return _filled(
            m,
            {
                "day": _padded(new.day, m["day"]),
                "month": match_case(_ROMANS[new.month - 1], m["month"]),
                "year": str(new.year),
            },
        )

    return render


def _figures(m: re.Match[str]) -> Render:
    """Day, month and year in groups of those names, the year perhaps missing."""
    groups = m.groupdict()
    year = groups.get("year")

    def render(shift: Shift) -> str:
        day = groups.get("day") or "1"
        base = _full(year) if year else 2003
        new = _moved(base, int(m["month"]), int(day), shift.days)
        values = {"month": _padded(new.month, m["month"])}
        if groups.get("day"):
            values["day"] = _padded(new.day, day)
        if year:
            values["year"] = _short(year, new.year)
        if groups.get("clock"):
            values["clock"] = moved_clock(m["clock"], shift)
        return _filled(m, values)

    return render


def moved_clock(digits: str, shift: Shift) -> str:
    """A time of four figures and what stands behind it ("0415 hrs"), moved.

    digits (str): It begins with the figures.
    shift (Shift): How far.
    RETURNS (str): Of the same length.
    """
    minutes = int(digits[:2]) * 60 + int(digits[2:4]) + shift.minutes
    hour, minute = divmod(minutes % 1440, 60)
    return f"{hour:02d}{minute:02d}{digits[4:]}"


def _week(m: re.Match[str]) -> Render:
    day = int(m.groupdict().get("weekday") or 1)

    def render(shift: Shift) -> str:
        date = datetime.date.fromisocalendar(int(m["year"]), int(m["week"]), day)
        new = (date + datetime.timedelta(shift.days)).isocalendar()
        values = {"year": str(new[0]), "week": _padded(new[1], m["week"])}
        if m.groupdict().get("weekday"):
            values["weekday"] = str(new[2])
        return _filled(m, values)

    return render


def _quarter(m: re.Match[str]) -> Render:
    def render(shift: Shift) -> str:
        quarter = (
            int(m["quarter"]) - 1 + 4 * _full(m["year"]) + round(shift.days / 91.3)
        )
        return _filled(
            m,
            {"quarter": str(quarter % 4 + 1), "year": _short(m["year"], quarter // 4)},
        )

    return render


def _half(m: re.Match[str]) -> Render:
    def render(shift: Shift) -> str:
        half = int(m["half"]) - 1 + 2 * int(m["year"]) + round(shift.days / 182.6)
        return _filled(m, {"half": str(half % 2 + 1), "year": str(half // 2)})

    return render


def _fiscal(m: re.Match[str]) -> Render:
    def render(shift: Shift) -> str:
        new = _full(m["year"]) + shift.years
        values = {"year": _short(m["year"], new)}
        if m["until"]:
            values["until"] = _short(m["until"], new + 1)
        return _filled(m, values)

    return render


def _hour_words(m: re.Match[str]) -> Render:
    """ "half past two", "three thirty", "six in the evening"."""
    hour = _HOURS.index(m["hour"].lower())

    def render(shift: Shift) -> str:
        step = shift.hours % 12 or 5
        return _filled(m, {"hour": match_case(_HOURS[(hour + step) % 12], m["hour"])})

    return render


def _hours(m: re.Match[str]) -> Render:
    """ "10-11am"."""

    def render(shift: Shift) -> str:
        step = shift.hours % 12 or 5
        values = {
            name: str((int(m[name]) - 1 + step) % 12 + 1)
            for name in ("first", "second")
        }
        return _filled(m, values)

    return render


def _plain_hour(m: re.Match[str]) -> Render:
    """ "17.30 Uhr", "15 h 30"."""

    def render(shift: Shift) -> str:
        minute = int(m["minute"] or 0)
        step = shift.minutes if m["minute"] else 60 * shift.hours
        total = (int(m["hour"]) * 60 + minute + step) % 1440
        values = {"hour": _padded(total // 60, m["hour"])}
        if m["minute"]:
            values["minute"] = f"{total % 60:02d}"
        return _filled(m, values)

    return render


def _decade(m: re.Match[str]) -> Render:
    index = DECADES.index(m["decade"].lower())
    return lambda s: _filled(
        m, {"decade": match_case(DECADES[(index + s.decades) % 8], m["decade"])}
    )


def _century(m: re.Match[str]) -> Render:
    """The century before, in words, Roman or plain figures."""
    old = m["century"]

    def render(shift: Shift) -> str:
        if old.isdecimal():
            new = str(int(old) - 1)
        elif old.isupper() and len(old) <= 5:
            new = _to_roman(_from_roman(old) - 1)
        else:
            number = read_ordinal(old)
            if number is None or number < 2:
                raise ValueError
            new = ordinal_in_words(number - 1, old)
        return _filled(m, {"century": new})

    return render


_TWENTY = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


def _to_roman(number: int) -> str:
    return "X" * (number // 10) + _TWENTY[number % 10]


def _from_roman(text: str) -> int:
    for number in range(1, 40):
        if _to_roman(number) == text:
            return number
    raise ValueError


_FEAST = (
    r"Christmas|Easter|Pentecost|Whitsun|Thanksgiving|Halloween|Ramadan|Passover"
    r"|Hanukkah|Diwali|Lent|Advent"
)
_FEASTS = _FEAST.split("|")


def _feast(m: re.Match[str]) -> Render:
    index = [f.lower() for f in _FEASTS].index(m["feast"].lower())
    year = int(m["year"])

    def render(shift: Shift) -> str:
        name = _FEASTS[(index + 1 + shift.days % (len(_FEASTS) - 1)) % len(_FEASTS)]
        return _filled(
            m,
            {"feast": match_case(name, m["feast"]), "year": str(year + shift.years)},
        )

    return render


def _ordinal_day(m: re.Match[str]) -> Render:
    """ "the sixteenth": a day of the month in words."""
    day = read_ordinal(m["day"])
    assert day is not None
    return lambda s: _filled(
        m, {"day": ordinal_in_words((day - 1 + s.days) % 28 + 1, m["day"])}
    )


_Maker = Callable[[re.Match[str]], Render]
_LAYOUTS: tuple[tuple[re.Pattern[str], _Maker], ...] = tuple(
    (re.compile(pattern, re.I), make)
    for pattern, make in (
        (
            rf"(?:the\s)?(?P<day>{_ORDINAL})\s(?:day\s)?(?:of\s)?(?P<month>{'|'.join(_MONTHS)})"
            rf"(?:,?\s(?:of\s|in\s)?(?P<year>{_YEAR}))?",
            _in_words,
        ),
        (
            rf"(?P<month>{'|'.join(_MONTHS)})\s(?:the\s)?(?P<day>{_ORDINAL})"
            rf"(?:,?\s(?P<year>{_YEAR}))?",
            _in_words,
        ),
        (rf"(?P<year>{_YEAR_WORDS})", _year_alone),
        (
            rf"(?P<day>\d\d?)\.?[\s./-]?\s?(?P<month>{'|'.join(reversed(_ROMANS))})[.\s/-]\s?(?P<year>[12]\d{{3}})",
            _roman,
        ),
        (
            r"(?P<year>[12]\d{3})\s?[年년]\s?(?P<month>\d\d?)\s?[月월]"
            r"(?:\s?(?P<day>\d\d?)\s?[日일])?",
            _figures,
        ),
        (r"(?P<month>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日일]", _figures),
        # A year of two figures that is no day stands first.
        (
            r"(?P<year>3[2-9]|[4-9]\d)(?P<sep>[/-])(?P<month>\d\d?)(?P=sep)(?P<day>\d\d?)",
            _figures,
        ),
        (
            r"(?P<year>[12]\d{3})(?P<month>[01]\d)(?P<day>[0-3]\d)T(?P<clock>\d{4}(?:\d\d)?)"
            r"(?:Z|[+-]\d{4})?",
            _figures,
        ),
        (
            r"(?P<year>[12]\d{3})(?P<sep>[\s:_])(?P<month>[01]\d)(?P=sep)(?P<day>[0-3]\d)",
            _figures,
        ),
        (r"(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.", _figures),
        (r"(?P<year>[12]\d{3})-?W(?P<week>[0-5]\d)(?:-?(?P<weekday>[1-7]))?", _week),
        (
            r"(?:week|w|kw|wk)\s?(?P<week>\d\d?)(?:,?\s(?:of\s|in\s)?|/)(?P<year>[12]\d{3})",
            _week,
        ),
        (r"(?P<quarter>[1-4])Q\s?'?(?P<year>[12]\d{3}|\d\d)", _quarter),
        (r"(?P<year>[12]\d{3})[\s/-]?Q(?P<quarter>[1-4])", _quarter),
        (
            r"Q(?P<quarter>[1-4])[\s/,'-]{1,2}(?:of\s)?(?P<year>[12]\d{3}|\d\d)",
            _quarter,
        ),
        (r"H(?P<half>[12])[\s/,-]{1,2}(?:of\s)?(?P<year>[12]\d{3})", _half),
        (r"FY\s?'?(?P<year>[12]\d{3}|\d\d)(?:[/-](?P<until>\d{2,4}))?", _fiscal),
        (
            rf"(?:half|quarter|five|ten|twenty|twenty-five|\d\d?)(?:\sminutes?)?"
            rf"(?:\s(?:past|to|after|of))?\s(?P<hour>{_HOUR})\b.{{0,24}}",
            _hour_words,
        ),
        (
            rf"(?P<hour>{_HOUR})(?:[\s-](?:thirty|fifteen|forty-five|twenty|ten|five|forty|fifty"
            r"|twenty-five))?(?:\s?[ap]\.?\s?m\.?|\so'clock|\sin\sthe\s\w+)?",
            _hour_words,
        ),
        (r"(?P<first>\d\d?)-(?P<second>\d\d?)\s?[ap]\.?m\.?", _hours),
        (
            r"(?P<hour>\d\d?)(?:[.:](?P<minute>[0-5]\d))?\s(?:uhr|heures|h)(?:\s.{1,16})?",
            _plain_hour,
        ),
        (r"(?P<hour>\d\d?)\s?h\s?(?P<minute>[0-5]\d)", _plain_hour),
        (r"(?P<hour>\d\d?)\.(?P<minute>[0-5]\d)", _plain_hour),
        (rf"(?P<decade>{'|'.join(DECADES)})", _decade),
        (
            rf"(?:(?:early|mid|late)[\s-])?(?P<century>{_ORDINAL})[\s-]centur(?:y|ies)",
            _century,
        ),
        (r"(?P<century>[1-9]\d?)\.?\s(?:Jahrhunderts?|Jh\.|eeuw|århundrede)", _century),
        (r"(?:siglo|secolo|século)\s(?P<century>[IVX]{2,5})", _century),
        (r"(?P<century>[IVX]{2,5})(?:e|th|ème)?\s(?:century|siècle)", _century),
        (rf"(?P<feast>{_FEAST})(?:,|\sof|\sin)?\s(?P<year>[12]\d{{3}})", _feast),
        (rf"(?P<day>{_ORDINAL})", _ordinal_day),
    )
)
_GLUED = re.compile(r"(?P<day>\d\d?)(?P<month>[^\W\d_]{3,9})(?P<year>\d{4}|\d\d)")
_WEEKDAY = rf"(?:(?P<weekday>{'|'.join(WEEKDAYS)}|mon|tue|wed|thu|fri|sat|sun),?\s)?"
# A month by name where the year has two figures or stands after the time.
_NAMED = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"{_WEEKDAY}(?P<day>\d\d?)(?P<sep>[-\s/.])(?P<month>[^\W\d_]{{3,11}})(?P=sep)"
        r"'?(?P<year>\d\d)",
        r"(?P<day>\d\d?)(?P<sep>[-/.])(?P<month>[^\W\d_]{3,4})(?P=sep)(?P<year>\d{4})",
        rf"{_WEEKDAY}(?P<month>[^\W\d_]{{3,11}})\.?\s(?P<day>\d\d?),?\s'?(?P<year>\d\d)",
        r"(?P<month>[^\W\d_]{3,11})(?P<sep>[/.-])(?P<day>\d\d?)(?P=sep)(?P<year>\d{4}|\d\d)",
        r"(?P<month>[^\W\d_]{3,11})\.?(?:-|\s?')(?P<year>\d\d)",
        rf"{_WEEKDAY}(?P<month>[^\W\d_]{{3,11}})\s{{1,2}}(?P<day>\d\d?)\s"
        r"(?P<clock>\d\d:\d\d:\d\d)(?:\s[A-Z]{3,4})?\s(?P<year>\d{4})(?:\s[+-]\d{4})?",
    )
)
_COMPACT = re.compile(r"(?P<a>\d\d)(?P<b>\d\d)(?P<year>\d{4}|\d\d)")


def special_layout(text: str, month_name: Names, month_first: bool) -> Render | None:
    """How to write a date or time in a layout of its own.

    text (str): The mention.
    month_name (Callable): Function of a month's name and a number that gives the name
        of that month in its language and style; of -1 it gives the number ("" if the
        name is none).
    month_first (bool): Whether the document writes the month first.
    RETURNS (Optional[Callable]): Function of a shift that gives the new text and raises
        ValueError or OverflowError where that makes no date; None for other layouts.
    """
    if len(text) > 80:
        return None
    normal = text.replace("\u2019", "'").replace("\u00a0", " ")
    m = _GLUED.fullmatch(normal)
    if m is not None and month_name(m["month"], -1):
        return _named(m, month_name)
    for pattern in _NAMED:
        m = pattern.fullmatch(normal)
        if m is not None and month_name(m["month"], -1):
            return _named(m, month_name)
    m = _COMPACT.fullmatch(normal)
    if m is not None and (len(text) == 6 or not normal.startswith(("19", "20"))):
        first = (month_first and int(m["a"]) <= 12) or int(m["b"]) > 12
        return _figures(_renamed(m, first))
    for pattern, make in _LAYOUTS:
        m = pattern.fullmatch(normal)
        if m is not None:
            return make(m)
    return None


def _renamed(m: re.Match[str], month_first: bool) -> re.Match[str]:
    names = ("month", "day") if month_first else ("day", "month")
    pattern = rf"(?P<{names[0]}>\d\d)(?P<{names[1]}>\d\d)(?P<year>\d{{4}}|\d\d)"
    found = re.fullmatch(pattern, m.string)
    assert found is not None
    return found


def suffixed(day: int, suffix: str) -> str:
    """A day of the month with the ordinal ending of its language.

    day (int): The day.
    suffix (str): The old day's ending ("st", "er", "º" ...).
    RETURNS (str): The new ending.
    """
    low = suffix.lower()
    if low in ("st", "nd", "rd", "th"):
        return match_case(ordinal_suffix(day), suffix)
    if low in ("er", "re"):
        return suffix if day == 1 else ""
    return suffix
