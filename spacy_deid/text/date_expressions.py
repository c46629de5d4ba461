"""Expressions of dates: runs of figures, names and small words, of which each date is
moved; what one date leaves out, another beside it lends."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from ..data import table
from .calendars import WEEKDAYS, month_index, weekday_index
from .case import like_first, place_in
from .date_layouts import day_in_figures, figures
from .date_parts import (
    YEAR,
    Context,
    Date,
    ImpossibleDate,
    Part,
    Shift,
    Vocabulary,
    day_of,
    full_year,
    is_month,
    is_weekday,
    like_century,
    like_clock,
    like_day,
    like_decade,
    like_month,
    like_weekday,
    like_year,
    lone_day,
    month_number,
    moved,
    read_day,
    vocabulary,
    weekday_number,
)
from .numbers import from_roman
from .offsets import splice

_TOKEN = re.compile(
    "|".join(f"(?P<{row['kind']}>{row['form']})" for row in table("date_tokens")),
    re.X | re.I,
)
# Words between the parts of one date.
_LINKS = frozenset("of the th day de del di d".split())
_ENDINGS = ("s", "st", "nd", "rd", "th", "er", "ern", "х", "е", "м", "ми", "ые", "ых")
# Words around dates, as patterns.
CUES = {row["cue"]: row["form"] for row in table("date_cues")}
HAS_CENTURY, _BEFORE_CENTURY, _AFTER_CENTURY, _YEAR_TAIL, JOINT = map(
    re.compile,
    (CUES[k] for k in "century before_century after_century year_tail joint".split()),
)
_DAY_WORD = re.compile(r"\b(?:día|day|jour|giorno)\s$", re.I)
_DAYS_OF_WEEK = frozenset({"sat", "sun", "wed"})
Match = re.Match[str]


class _Day:
    """A date in words and figures, with what is needed to write another one."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.day: Match | None = None
        self.month: Match | None = None
        self.year: Match | None = None
        self.weekday: Match | None = None
        # Month and year as far as they are known, perhaps from the date that lends
        # them, which stands before it in "May 5-6".
        self.known_month: Match | None = None
        self.known_year: Match | None = None
        self.lender: _Day | None = None
        self.follows = False
        # A later day in figures behind it, and how it is written.
        self.until: Date | None = None
        self.figures = ""
        # How many years it lies before the one it borrows, and what stands between a
        # date and its year, and behind that.
        self.earlier = 0
        self.joint, self.tail = " ", ""

    def takes(self, field: str) -> bool:
        """Whether a word may be the field of this date."""
        if getattr(self, field) is not None:
            return False
        if field == "day" and self.year is not None:
            # Year and month stand in the order that puts the day last.
            return self.month is not None and self.year.start() < self.month.start()
        return field != "weekday" or self.year is None

    def complete(self, text: str) -> None:
        """Note what is known, and how it is written with its year: "June 14, 2000"."""
        self.known_month, self.known_year = self.month, self.year
        ends = [m.end() for m in (self.day, self.month) if m is not None]
        if self.year is not None and ends and 0 < self.year.start() - max(ends) < 7:
            self.joint = text[max(ends) : self.year.start()]
            tail = _YEAR_TAIL.match(text, self.year.end())
            self.tail = tail.group() if tail else ""

    def borrow(self, lender: _Day) -> None:
        """Take what is missing from the next date: "30 December to 4 January 2001"."""
        self.lender = lender
        if self.known_month is None:
            self.known_month = lender.known_month
        if self.known_year is not None or lender.known_year is None:
            return
        self.known_year = lender.known_year
        self.joint, self.tail, self.earlier = lender.joint, lender.tail, lender.earlier
        if self.month is not None and lender.known_month is not None:
            own, later = self._place(), lender._place()
            alike = (self.day is None) == (lender.day is None)
            self.earlier += own > later if alike else own[0] > later[0]

    def _place(self) -> tuple[int, int]:
        assert self.known_month is not None
        day = read_day(self.day.group()) if self.day else 0
        return month_number(self.known_month.group()), day

    def base_year(self) -> int:
        """Its year, the document's if it names none."""
        if self.known_year is None:
            return self.context.year
        return full_year(self.known_year.group()) - self.earlier

    def moved(self, shift: Shift) -> datetime.date | None:
        """The new day; None if day or month is not known."""
        if self.day is None or self.known_month is None:
            return None
        month, day = self._place()
        return moved(day_of(self.base_year(), month, day), shift.days)

    def moved_months(self, shift: Shift) -> tuple[int, int]:
        """Year and month after a shift of one that has no day."""
        assert self.known_month is not None
        months = 12 * self.base_year() + self._place()[0] - 1 + shift.months
        return months // 12, months % 12 + 1

    def lender_year(self, shift: Shift) -> int | None:
        """New year of the date that lends one."""
        lender = self.lender
        if lender is None or lender.known_year is None:
            return None
        if (day := lender.moved(shift)) is not None:
            return day.year
        return lender.moved_months(shift)[0] if lender.known_month else None

    def with_year(self, text: str, new: int, other: int | None) -> str:
        """A date without year, with it if the lender's is another one now.

        text (str): The new date.
        new (int): Its year.
        other (Optional[int]): The new year of the lender.
        RETURNS (str): The text, the year as the lender has it.
        """
        if self.lender is None or self.lender.known_year is None or other is None:
            return text
        crossed = self.earlier - self.lender.earlier
        if new == other or (crossed and other - new == crossed):
            return text
        old = self.lender.known_year.group()
        return f"{text}{self.joint}{like_year(old, new)}{self.tail}"

    # How its fields are written.

    def parts(self) -> list[Part] | None:
        """The stretches that a shift moves; None if it is no date."""
        if self.day is None:
            return self._without_day()
        if self.until is not None:
            return [self._since(self.day, self.until)]
        known = self.known_month is not None
        return self._full(self.day) if known else self._lone_day(self.day)

    def _weekday(self, index: Callable[[Shift], int]) -> list[Part]:
        if (word := self.weekday) is None:
            return []
        lang = self.context.lang
        return [
            _part(word, "weekday", lambda s: like_weekday(word.group(), index(s), lang))
        ]

    def _apart(self) -> list[Part]:
        """The weekday of a date whose day is not known."""
        old = weekday_number(self.weekday.group()) if self.weekday else 0
        return self._weekday(lambda s: old + s.days)

    def _since(self, day: Match, until: Date) -> Part:
        """The day that a range in figures begins with, whose month stands at its end."""
        text, number = day.group(), read_day(day.group())
        year, month, last = until
        # "30.-2.3." begins in February.
        months = 12 * year + month - 1 - (number > last)
        sign = re.sub(r"^\d+|(?<=\D).*", "", self.figures)
        padded = re.match(r"\d\d\D\d\d(?!\d)", self.figures) is not None

        def render(shift: Shift) -> str:
            new = moved(day_of(months // 12, months % 12 + 1, number), shift.days)
            end = moved(day_of(year, month, last), shift.days)
            own = "" if new.month == end.month else f"{sign}{new.month:02d}"
            return like_day(text, new.day, padded) + own

        return _part(day, "day", render)

    def _lone_day(self, day: Match) -> list[Part] | None:
        text = day.group()
        told = self.weekday or _DAY_WORD.search(day.string[: day.start()])
        if self.year is not None or (text.isdecimal() and not told):
            return None
        number, anchor = read_day(text), self.context.anchor
        part = _part(day, "day", lambda s: like_day(text, lone_day(number, anchor, s)))
        return [part, *self._apart()]

    def _full(self, day: Match) -> list[Part]:
        month, own_year = self.month, self.year

        @cache  # asked for by day, month, year and weekday
        def new(shift: Shift) -> datetime.date:
            found = self.moved(shift)
            assert found is not None
            return found

        # "12. und 14. Juni": the month goes behind the point.
        dotted = month is None and day.string[day.end() : day.end() + 1] == "."
        try:
            old = new(Shift(0, 0))
            value: tuple[int, ...] = (old.year, old.month, old.day)
        except ImpossibleDate:
            value = ()
        write = self._new_day if not self.follows else self._following_day
        dot = "." * dotted
        part = _part(day, "day", lambda s: write(day.group(), new(s), s, dot), value)
        out = [part._replace(end=day.end() + dotted)]
        if month is not None:
            out.append(
                _part(month, "month", lambda s: self._new_month(new(s).timetuple(), s))
            )
        if own_year is not None:
            text = own_year.group()
            out.append(_part(own_year, "year", lambda s: like_year(text, new(s).year)))
        return out + self._weekday(lambda s: new(s).weekday())

    def _following_day(
        self, old: str, new: datetime.date, shift: Shift, dot: str
    ) -> str:
        """ "May 5-6": with the month before it if that is another one now."""
        text = like_day(old, new.day)
        before = self.lender.moved(shift) if self.lender else None
        if before is not None and before.month != new.month:
            text = f"{self._lent_month(new.month)} {text}"
        return text + dot

    def _new_day(self, old: str, new: datetime.date, shift: Shift, dot: str) -> str:
        text = like_day(old, new.day)
        lender = self.lender
        other = lender.moved(shift) if lender else None
        if lender is None or other is None:
            return text + dot
        if self.month is None:
            if new.month == other.month:
                return text + dot
            # "5 to 6 May" may become "31 May to 1 June".
            text += _between(lender) + self._lent_month(new.month)
        if self.year is None and self._year_last():
            text = self.with_year(text, new.year, other.year)
        return text

    def _year_last(self) -> bool:
        return self.month is None or (
            self.day is not None and self.month.start() < self.day.start()
        )

    def _new_month(self, new: Sequence[int], shift: Shift) -> str:
        """The month of a date that begins with a year and a month."""
        assert self.month is not None
        text = like_month(self.month.group(), new[1], self.context.lang)
        if self.year is None and not self._year_last():
            text = self.with_year(text, new[0], self.lender_year(shift))
        return text

    def _lent_month(self, number: int) -> str:
        assert self.known_month is not None
        return like_month(self.known_month.group(), number, self.context.lang)

    def _without_day(self) -> list[Part]:
        month, year = self.month, self.year
        out = []
        if month is not None:

            def new_month(shift: Shift) -> str:
                return self._new_month(self.moved_months(shift), shift)

            known = self.known_year is not None
            value = (self.base_year(), self._place()[0]) if known else ()
            out.append(_part(month, "month", new_month, value))
        if year is not None:
            text = year.group()
            base = full_year(text)

            def new_year(shift: Shift) -> str:
                new = self.moved_months(shift)[0] if month else base + shift.years
                return like_year(text, new)

            out.append(_part(year, "year", new_year, () if month else (base,)))
        return out + self._apart()


def _between(date: _Day) -> str:
    """What stands between day and month: " ", ". ", " de "."""
    if date.day is None or date.month is None or date.day.end() > date.month.start():
        return " "
    return date.day.string[date.day.end() : date.month.start()]


def _part(
    match: Match, kind: str, render: Callable[[Shift], str], value: tuple[int, ...] = ()
) -> Part:
    return Part(match.start(), match.end(), kind, render, value)


def _lend(dates: Sequence[_Day], text: str) -> None:
    """Let dates borrow what they leave out."""
    for date in dates:
        date.complete(text)
    for before, date in pairwise(dates):
        # "May 5-6, 1999": the month is the one before, the year the one after.
        day, month = before.day, before.month
        last = day is not None and month is not None and month.start() < day.start()
        if last and date.day is not None and date.month is None:
            date.lender, date.follows = before, True
            date.known_month = month
            date.known_year = date.known_year or before.known_year
    following: _Day | None = None
    for date in reversed(dates):
        if date.follows:
            if date.year is not None and following is None:
                following = date
            continue
        # "25 April and 17 September 2004": the year is the next one's.
        lacks = (date.day and not date.month) or (date.month and not date.year)
        if following is not None and lacks:
            date.borrow(following)
        if date.month is not None:
            following = date


_DAY_FOLLOWS = re.compile(
    r"[.,]?\s\d{1,2}(?:[./-]\d|\.?\s(?:de\s)?(?P<month>[^\W\d_]{3,})|\W*$)"
)


def _is_clear(match: Match) -> bool:
    """Whether a weekday is no word of another language, as short names are ("to")."""
    token, sign = match.group(), match.string[match.end() : match.end() + 1]
    opens = sign == "," and not match.start() and token.istitle()
    return len(token) > (1 if opens or sign == "." else 4)


class _Reader:
    """Reads one expression, token by token."""

    def __init__(self, text: str, context: Context):
        self.text = text
        self.context = context
        self.words: Vocabulary = vocabulary(context.lang)
        self.parts: list[Part] = []
        self.dates: list[_Day] = []
        self.current: _Day | None = None
        self.end = 0
        self.has_figures = any(ch.isdecimal() for ch in text)
        # "sa/so" alone can be nothing else.
        names = weekday_index((context.lang,)) if context.lang in WEEKDAYS else ()
        words = re.findall(r"[^\W\d_]+", text.lower())
        self.only_weekdays = not self.has_figures and all(w in names for w in words)
        self.weekdays = names
        self.has_century = HAS_CENTURY.search(text) is not None

    def read(self) -> list[Part] | None:
        """All parts; None if anything stands there that is no part of a date."""
        for match in _TOKEN.finditer(self.text):
            gap = self.text[self.end : match.start()]
            if any(ch.isdecimal() for ch in gap) or not self._take(match, gap):
                return None
        if any(ch.isdecimal() for ch in self.text[self.end :]):
            return None
        _lend(self.dates, self.text)
        for date in self.dates:
            if (found := date.parts()) is None:
                return None
            self.parts += found
        return sorted(self.parts, key=lambda part: part[:2]) or None

    def _take(self, match: Match, gap: str) -> bool:
        """Take a token; False if it can be no part of a date."""
        kind = match.lastgroup or ""
        if kind in ("is", "ns"):
            kind = "iso" if match["iso"] else "numeric"
        gap = gap.strip(" ,.\n\t\xa0/-\u2013")
        made = self._of_century(match) if self.has_century else None
        field = "" if made else self._field(match, kind)
        if field:
            self.end = match.end()
            if self.current is None or gap or not self.current.takes(field):
                self.current = _Day(self.context)
                self.dates.append(self.current)
            setattr(self.current, field, match)
            return True
        key = match.group().lower()
        if kind == "word" and key in _LINKS and self.current is not None and not gap:
            self.end = match.end()
            return True
        self.current, self.end = None, match.end()
        made = made or self._single(match, kind)
        if made is not None and made.kind == "layout":
            self._end_range(match, kind)
        if made is not None:
            self.parts.append(made)
            return True
        if kind != "word":
            return kind == "zone"
        stays = key in _ENDINGS or self.words.may_stay(key)
        return stays or HAS_CENTURY.match(key) is not None

    def _end_range(self, match: Match, kind: str) -> None:
        """Tell a lone day before a date in figures what it ends with."""
        before = self.dates[-1] if self.dates else None
        if before is None or before.day is None or before.month or before.year:
            return
        if JOINT.fullmatch(self.text[before.day.end() : match.start()]):
            before.figures = match.group()
            before.until = day_in_figures(kind, before.figures, self.context)

    def _field(self, match: Match, kind: str) -> str:
        """Which field of a date a token is; "" for others."""
        token = match.group()
        if kind == "day":
            return "day" if 1 <= read_day(token) <= 31 else ""
        if kind != "word":
            return "year" if kind == "year" else ""
        key = token.lower()
        own = self._is_before_day(match, key)
        if not own and self._is_month(token, key):
            return "month"
        if is_weekday(key):
            unsure = key in _DAYS_OF_WEEK - {self.text} and not token[0].isupper()
            return "" if unsure else "weekday"
        # "Чт" is no word of another language.
        own |= key in self.weekdays and not key.isascii()
        clear = self.only_weekdays or own or _is_clear(match)
        return "weekday" if key in weekday_index() and clear else ""

    def _is_before_day(self, match: Match, key: str) -> bool:
        """Whether a day follows a weekday of the language: "Sa 24.2.", "mar 19 nov"."""
        after = _DAY_FOLLOWS.match(self.text, match.end())
        told = after is not None and (after["month"] or "mayo").lower() in month_index()
        return told and key in self.weekdays

    def _is_month(self, token: str, key: str) -> bool:
        if is_month(key):
            alone = len(self.text) == 3
            return key != "may" or token[0] == "M" or alone or bool(self.dates)
        # Names of the text's own language need no figures beside them.
        first = self.current is None or self.current.month is None
        other = self.has_figures and first and key in month_index()
        return other or key in self.words.months

    def _of_century(self, match: Match) -> Part | None:
        """A number of a century: "19th", "XIX"."""
        token = match.group()
        after = _BEFORE_CENTURY.match(match.string, match.end())
        if not after and not _AFTER_CENTURY.search(match.string[: match.start()]):
            return None
        if (token.isupper() and from_roman(token)) or 0 < read_day(token) < 100:
            return _part(match, "century", lambda s: like_century(token))
        return None

    def _single(self, match: Match, kind: str) -> Part | None:
        """A stretch that is a date or time by itself."""
        text, start = match.group(), match.start()
        if kind == "word":
            made = self._season(match) or self._decade_word(match)
            return made or self._part_of_day(match)
        if kind == "span" and _is_month_of_year(text):
            kind = "monthyear"
        padded = text.startswith("0") and "/0" not in text
        if kind == "daymonth" and padded and not self.context.slashes:
            # "05/12" is a month of a year.
            kind = "monthyear"
        if kind in _TIMES:
            write = _TIMES[kind]
            return _part(match, kind, lambda s: write(text, s))
        if kind in ("zone", "day", "word"):
            return None
        return figures(kind, text, start, self.context)

    def _season(self, match: Match) -> Part | None:
        """Spring, summer, autumn and winter move with the shift, in the text's
        language: German "Winter" is no English one."""
        old = match.group()
        if (row := self.words.seasons.get(old.lower())) is None:
            return None
        index = [name.lower() for name in row].index(old.lower())

        def render(shift: Shift) -> str:
            return like_first(row[(index + round(shift.days / (YEAR / 4))) % 4], old)

        return _part(match, "season", render)

    def _part_of_day(self, match: Match) -> Part | None:
        """A weekday and a part of it in one word: "Freitagabend"."""
        parts, old = self.words.facts.get("day_parts", "(?!)"), match.group()
        found = re.fullmatch(rf"(.+?)({parts}s?)", old, re.I)
        day = weekday_number(found[1]) if found else -1
        if found is None or day < 0:
            return None

        def render(shift: Shift) -> str:
            new = like_weekday(found[1], day + shift.days, self.context.lang)
            return like_first(new + found[2], old)

        return _part(match, "weekday", render)

    def _decade_word(self, match: Match) -> Part | None:
        """ "achtziger", "ochenta", "восьмидесятые", where they name a decade."""
        facts, old = self.words.decades, match.group()
        stems = facts["words"].split()
        if not re.search(facts["sign"], self.text, re.I):
            return None
        found = re.fullmatch(rf"({'|'.join(stems)})({facts['ending']})", old, re.I)
        if found is None:
            return None
        index = place_in(stems, found[1])

        def render(shift: Shift) -> str:
            new = stems[(index + shift.decades) % len(stems)]
            return like_first(new, old) + found[2]

        return _part(match, "decade", render)


def _is_month_of_year(text: str) -> bool:
    """Whether "1980-01" is a month and not two years."""
    second = int(text[5:])
    return text[4] == "-" and 0 < second < 13 and second != (int(text[:4]) + 1) % 100


_TIMES: dict[str, Callable[[str, Shift], str]] = {"decade": like_decade}
_TIMES.update(dict.fromkeys(("clock", "hour", "military"), like_clock))


def read_expression(text: str, context: Context) -> list[Part] | None:
    """Find what an expression says.

    text (str): The expression.
    context (Context): What the document tells.
    RETURNS (Optional[list]): Stretches to shift; None if nothing can be shifted or if
        other words than those around dates stand between.
    """
    return _Reader(text, context).read()


def render(text: str, parts: Sequence[Part], shift: Shift) -> str | None:
    """A text whose parts have moved; None if the shift makes no date of one."""
    try:
        return splice(text, ((p.start, p.end, p.render(shift)) for p in parts))
    except (ImpossibleDate, OverflowError):
        return None
