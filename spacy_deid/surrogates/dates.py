"""Shifted dates and times: one secret shift a document, every layout kept."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice

from ..lang.base import pack_of
from ..text import names
from ..text.calendars import WEEKDAYS, is_day
from ..text.case import match_case
from ..text.date_expressions import CUES, JOINT, render
from ..text.date_layouts import is_feast, layout
from ..text.date_parts import (
    YEAR,
    Context,
    ImpossibleDate,
    Part,
    Shift,
    full_year,
    is_month,
    is_weekday,
    like_clock,
    like_weekday,
    month_number,
    moved,
    vocabulary,
    weekday_number,
)
from ..text.date_words import read_in_words
from ..text.dates import day_first, read_parts
from ..text.feasts import read_feast
from .ages import ages_in, coherent_age_step, fixed_age_step
from .base import Draws, Mention, in_place_of, normalise, shuffled, told_by
from .consistency import DATE_SHIFT, has_fixed_interval
from .durations import FULL_YEAR, Distances, Left, is_duration, replace_left

# Dates after this year are not made from dates before it.
HORIZON = 2025
# Dates written in search of a shift that makes none an original of the document.
MAX_RENDERED = 600
# How many shifts are tried, and from how many days to how many.
_SPANS = ((16, 190, 730), (12, 731, 1826), (16, 1827, 5500), (24, 5501, 12000))
# Pairs of a document with more dates would take longer than all else.
_MOST_DATES, _MOST_AGES = 60, 20

Value = tuple[int, ...]
Values = Mapping[str, list[Value]]
# What tells dates of birth, forms of dates, and what is around a weekday in a title.
(
    _BIRTH, _BIRTH_AFTER, _BIRTH_WITHIN, _OTHERWISE, _MONTH_FIRST, _DAY_FIRST, _SLASHES,
    _MONTH_NAME, _CLOCK, _DOTTED, _WEEKDAY, _LONE_DAY, _MILITARY, _TITLE_BEFORE, _TITLE_AFTER,
) = (
    re.compile(CUES[cue])
    for cue in (
        "birth birth_after birth_within otherwise month_first day_first slashes month_name "
        "clock dotted weekday lone_day military title_before title_after"
    ).split()
)  # fmt: skip


def is_day_name(text: str) -> bool:
    """Whether a text is the name of a weekday, a month or a feast, whatever it has been
    taken for."""
    key = normalise(text)
    return (
        (len(key) > 4 and is_weekday(key))
        or (len(key) > 3 and is_month(key))
        or is_feast(key)
    )


def is_clock(mention: Mention) -> bool:
    """Whether four digits are a time of day ("at 0415").

    mention (Mention): Mention of any type.
    RETURNS (bool): True only if "at" stands before or "hours" after.
    """
    match = _MILITARY.fullmatch(mention.text)
    return match is not None and bool(
        match["at"]
        or re.search(r"\bat\s+$", mention.before, re.I)
        or re.match(r"\s?(?:h|hrs?|hours)\b", mention.after, re.I)
    )


def replace_dates(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New dates, times and durations for a document.

    All full dates move by the same number of days; months, years and times move by
    that shift rounded once, so that order and intervals stay.

    mentions (Sequence[Mention]): All mentions of dates and times, in document order.
    draws (Draws): The document's draws; `day_shift` is set.
    RETURNS (list[str]): One text a mention.
    """
    titles = [draws.lang == "en" and in_title(m) for m in mentions]
    dates = [m for m, title in zip(mentions, titles) if not title]
    following = iter(_Document(dates, draws).replaced() if dates else [])
    return [
        _title_word(m, draws) if title else next(following)
        for m, title in zip(mentions, titles)
    ]


class _Document:
    """The dates of one document, read once."""

    def __init__(self, mentions: Sequence[Mention], draws: Draws):
        self.mentions, self.draws = mentions, draws
        pack = pack_of(draws.lang)
        assert pack is not None
        self.pack = pack
        self.first: dict[str, Mention] = {}
        for mention in mentions:
            self.first.setdefault(mention.text, mention)
        years = Counter(int(x) for m in mentions for x in FULL_YEAR.findall(m.text))
        self.latest = max(years, default=HORIZON - 5)
        # Days without a year are most likely of the year that is named most.
        year = max(years, key=lambda y: (years[y], y)) if years else 2003
        self.context = _context(list(self.first), draws.lang, year)
        facts = vocabulary(draws.lang).facts
        self.twelve = "twelve_hours" in facts and _in_twelve_hours(self.first)
        self.parsed = self._read(self.context)
        self.values: Values = {
            text: [part.value for part in parts if _is_date(part.value)]
            for text, parts in self.parsed.items()
        }

    def _read(self, context: Context) -> dict[str, list[Part]]:
        joined = _joined(self.mentions)
        out = {}
        for text, mention in self.first.items():
            parts = _clock_parts(mention) or _dotted(mention, context)
            parts = parts or self.pack.read_date(text)
            if parts is None and len(text) <= 200:
                parts = _read_joined(text, joined.get(text, ""), context)
                loose = not is_duration(text)
                parts = parts or read_parts(text, context, loose)
                if loose and not parts:
                    parts = read_feast(text, context) or read_in_words(text, context)
            if parts:
                out[text] = parts
                anchor = _near_by(text, context.year)
                context = context._replace(anchor=anchor or context.anchor)
        return out

    def replaced(self) -> list[str]:
        """One text a mention."""
        draws = self.draws
        born = _births(self.mentions, self.values)
        draws.age_step = step = _age_step(draws, born, self.values) if born else None
        new, shift = self._best(born, step)
        draws.day_shift = shift.days
        for text, new_text in new.items():
            draws.claim(new_text, normalise(text))
        own = _birth_shifts(born, self.values, shift, step, draws)
        for text, value in ((t, v) for t in new for v in self.values.get(t, ())):
            for form in ("%y%m%d", "%d%m%y") if len(value) == 3 else ():
                moved = datetime.date(*_shifted(value, own.get(text, shift).days))
                draws.days[datetime.date(*value).strftime(form)] = moved.strftime(form)
        others = [v for t in self.values if t not in born for v in self.values[t]]
        distances = _distances(others) if len(new) < len(self.first) else {}
        context = self.context
        for text, mention in self.first.items():
            days = (datetime.date(*v) for v in self.values.get(text, ()) if len(v) == 3)
            context = context._replace(anchor=next(days, context.anchor))
            if text not in new:
                parts = self.parsed.get(text)
                left = Left(mention, parts, shift, distances, context, draws)
                new[text] = replace_left(left)
        return [self.pack.fit_date(new[m.text], m.before) for m in self.mentions]

    def _best(self, born: set[str], step: int | None) -> tuple[dict[str, str], Shift]:
        """The texts of the shift that the fewest originals stand against, and it."""
        # Short texts are the likeliest to hit another original: they are tried first.
        ordered = sorted(self.parsed, key=len)
        best: dict[str, str] = {}
        fewest, chosen, rendered = len(ordered) + 1, Shift(0, 0), 0
        for attempt, shift in enumerate(_candidate_shifts(self.draws, self.latest)):
            # With hundreds of dates some shift collides always: the best will do.
            if fewest <= len(ordered) and rendered >= MAX_RENDERED:
                break
            shift = shift._replace(twelve=self.twelve)
            own = _birth_shifts(born, self.values, shift, step, self.draws)
            trial: dict[str, str] = {}
            failed = 0
            for text in ordered:
                rendered += 1
                new = self._rendered(text, own.get(text, shift))
                if new is not None:
                    trial[text] = new
                    continue
                failed += 1
                if attempt >= 20 or failed >= fewest:
                    break
            else:
                if failed < fewest:
                    best, fewest, chosen = trial, failed, shift
            if not fewest:
                break
        return best, chosen

    def _rendered(self, text: str, shift: Shift) -> str | None:
        """A date after a shift; None if it may not be used."""
        new = render(text, self.parsed[text], shift)
        if new is None or (new != text and not self.draws.forbidden(new)):
            return new
        # Where all weekdays are masked, one is written in another way.
        same = _other_weekdays(new, self.first[text], self.draws.lang)
        return next(
            (t for t in same if t != text and not self.draws.forbidden(t)), None
        )


def _context(texts: Sequence[str], lang: str, year: int) -> Context:
    first = day_first(texts)
    month_first = first is False
    if first is None:
        votes = sum(_MONTH_FIRST.match(text) is not None for text in texts)
        month_first = votes > sum(_DAY_FIRST.match(text) is not None for text in texts)
    # Where dates of three numbers are there, "02/21" is no month of 2021.
    slashes = any(_SLASHES.search(text) for text in texts)
    return Context(lang, year, month_first, slashes)


def _in_twelve_hours(texts: Iterable[str]) -> bool:
    """Whether hours go up to twelve, with nothing that says which half of the day."""
    told = [m for text in texts for m in _CLOCK.finditer(text)]
    hours = [m["hour"] for m in told]
    bare = any(len(m["hour"]) == 1 and not m["half"] for m in told)
    return bare and not any(hour[0] == "0" or int(hour) > 12 for hour in hours)


def _clock_parts(mention: Mention) -> list[Part] | None:
    """A time of four digits ("0415"), told from a year by what stands around it."""
    text = mention.text
    match = _MILITARY.fullmatch(text)
    if match is None or not (
        text[0] == "0"
        or match["unit"]
        or mention.subtype == "TIME"
        or is_clock(mention)
        or re.match(r"\s?z\b", mention.after, re.I)
    ):
        return None
    start = match.start("clock")
    return [Part(start, len(text), "time", lambda s: like_clock(text[start:], s))]


def _dotted(mention: Mention, context: Context) -> list[Part] | None:
    """Day and month with one point ("16.02"), where that is how dates are written and
    nothing says that it is a time: "um 16.02"."""
    clock = vocabulary(context.lang).facts.get("before_clock")
    lead = _WEEKDAY.match(mention.text)
    day = weekday_number(lead[1]) if lead else -1
    match = _DOTTED.fullmatch(mention.text, lead.end() if lead and day >= 0 else 0)
    if clock is None or match is None or mention.subtype == "TIME":
        return None
    timed = re.search(rf"\b(?:{clock})\s+$", mention.before, re.I)
    if timed or lead is None:
        return None if timed else [layout(match, context)]

    def weekday(shift: Shift) -> str:
        return like_weekday(lead[1], day + shift.days, context.lang)

    return [Part(0, lead.end(1), "weekday", weekday), layout(match, context)]


def _joined(mentions: Sequence[Mention]) -> dict[str, str]:
    """Texts of dates whose year stands in the next mention, with what follows them up
    to it: "12 January" before " and 14 June 2000"."""
    out: dict[str, str] = {}
    for mention, following in reversed([*zip(mentions, islice(mentions, 1, None))]):
        gap = JOINT.match(mention.after)
        if (
            gap is None
            or not mention.after.startswith(following.text[:16], gap.end())
            or len(mention.text) > 60
            or FULL_YEAR.search(mention.text)
        ):
            continue
        further = following.text
        if not FULL_YEAR.search(further):
            further += out.get(further, "")
        # A lone day borrows the month as well.
        enough = FULL_YEAR.search(further) or _LONE_DAY.fullmatch(mention.text)
        if len(further) < 120 and enough:
            out[mention.text] = gap.group() + further
    return out


def _read_joined(text: str, further: str, context: Context) -> list[Part] | None:
    """A date that borrows its year from what follows."""
    if not further or not (any(map(str.isdecimal, text)) or _near_by(text, 2000)):
        return None
    parts = read_parts(text + further, context._replace(anchor=None)) or ()
    own = [part for part in parts if part.start < len(text)]
    return own if own and own[-1].end <= len(text) else None


def _near_by(text: str, year: int) -> datetime.date | None:
    """Month and year of a date written with the English name of its month."""
    words = (w for w in _MONTH_NAME.findall(text) if is_month(w.lower()))
    month = next(words, None)
    if month is None:
        return None
    found = FULL_YEAR.search(text)
    own = full_year(found.group()) if found else year
    return datetime.date(own, month_number(month), 1)


def _candidate_shifts(draws: Draws, latest: int) -> Iterator[Shift]:
    """Shifts to try: first up to two years, then more and more; a single one, into the
    past, if other documents rely on it: what a document holds may not change it."""
    rng = draws.random_for(DATE_SHIFT, "")
    fixed = has_fixed_interval(draws.random_for)
    weekdays = draws.weekdays
    for count, low, high in _SPANS:
        for _ in range(count):
            days = rng.randint(low, high)
            # Whole weeks if weekdays stay, else none: a weekday alone has to move.
            if weekdays or days % 7 == 0:
                days += -days % 7 if weekdays else 1 + days // 7 % 6
            days *= rng.choice((-1, 1))
            hours, minutes = rng.randint(1, 4), 5 * rng.randint(1, 11)
            minutes = (60 * hours + minutes) * rng.choice((-1, 1))
            if fixed:
                yield Shift(-abs(days), minutes)
                return
            if latest <= HORIZON < latest + days / YEAR:
                days = -days
            yield Shift(days, minutes)


# Dates of birth


def _is_date(value: Value) -> bool:
    return is_day(*reversed(value)) if len(value) > 2 else bool(value)


def _is_birth(mention: Mention) -> bool:
    cue = _BIRTH.search(mention.before)
    return bool(
        (cue is not None and not _OTHERWISE.search(cue["gap"]))
        or _BIRTH_AFTER.match(mention.after)
        or _BIRTH_WITHIN.search(mention.text)
    )


def _births(mentions: Sequence[Mention], values: Values) -> set[str]:
    """Texts that are dates of birth, by the words before them, and the same dates
    elsewhere."""
    found = {
        value
        for mention in mentions
        if _is_birth(mention)
        for value in values.get(mention.text, [])[:1]
    }
    return {text for text, own in values.items() if len(own) == 1 and own[0] in found}


def _age_step(draws: Draws, born: set[str], values: Values) -> int | None:
    """Years that ages move by, which dates of birth follow."""
    if has_fixed_interval(draws.random_for):
        return fixed_age_step(draws)
    if not draws.ages:
        return None
    years = [v[0] for text, own in values.items() if text not in born for v in own]
    soon = any(0 <= year - values[text][0][0] <= 8 for text in born for year in years)
    return coherent_age_step(draws, soon)


def _birth_shifts(
    born: set[str], values: Values, shift: Shift, step: int | None, draws: Draws
) -> dict[str, Shift]:
    """Shifts of dates of birth that make people older by the step, exactly so at each
    other date of the document where they had one of its ages."""
    if not step:
        return {}
    base = shift.days - round(step * YEAR)
    if has_fixed_interval(draws.random_for):
        return dict.fromkeys(born, shift._replace(days=base, exact=True))
    others = {v for text, own in values.items() if text not in born for v in own}
    dates = sorted(others)[:_MOST_DATES]
    ages = sorted({age for text in draws.ages for age in ages_in(text, draws.lang)})[
        :_MOST_AGES
    ]
    out = {}
    for text in born:
        birth = values[text][0]
        known = [
            (date, age, slack)
            for date in dates
            for age in ages
            if (slack := _slack(birth, date, age)) is not None
        ]
        best, days = -1, base
        for offset in (0, 1, -1, 2, -2, 3, -3, 365, -365, 366, -366) if known else ():
            try:
                new = _shifted(birth, base + offset)
                score = sum(
                    _slack(new, _shifted(date, shift.days), age + step) == slack
                    for date, age, slack in known
                )
            except ImpossibleDate:
                continue
            if score > best:
                best, days = score, base + offset
        out[text] = shift._replace(days=days, exact=True)
    return out


def _shifted(value: Value, days: int) -> Value:
    """A date as far as it is known, after a shift."""
    shift = Shift(days, 0, exact=True)
    if len(value) == 3:
        new = moved(datetime.date(*value), days)
        return new.year, new.month, new.day
    if len(value) == 2:
        months = 12 * value[0] + value[1] - 1 + shift.months
        return months // 12, months % 12 + 1
    return (value[0] + shift.years,)


def _slack(birth: Value, date: Value, age: int) -> int | None:
    """Years that a date leaves open for an age, 0 or 1; None if the age is wrong. Of two
    full dates one age alone is right."""
    years = date[0] - birth[0]
    if len(birth) == len(date) == 3:
        return 0 if age == years - (date[1:] < birth[1:]) else None
    return years - age if years - age in (0, 1) else None


def _distances(values: Sequence[Value]) -> Distances:
    """What a duration may say that is right in the new text, too."""
    out: dict[str, set[int]] = {"day": set(), "month": set(), "year": set()}
    for a, b in combinations(sorted(set(values))[:_MOST_DATES], 2):
        if len(a) != len(b):
            continue
        if len(a) == 3:
            out["day"].add((datetime.date(*b) - datetime.date(*a)).days)
        elif len(a) == 2:
            out["month"].add(12 * (b[0] - a[0]) + b[1] - a[1])
        if a[1:] == b[1:]:
            out["year"].add(b[0] - a[0])
    return out


# Weekdays that stay, and those of titles


def _other_weekdays(text: str, mention: Mention, lang: str) -> Iterator[str]:
    """A text with the same weekday in other words: "every Friday" for "Fridays"."""
    for pattern, new in vocabulary(lang).facts["same_day"]:
        match = re.search(pattern, text, re.I)
        if match is not None:
            other = text[: match.start()] + match.expand(new) + text[match.end() :]
            yield in_place_of(other, mention)
    yield re.sub(r"[^\W\d_]+", lambda m: _other_weekday(m.group(), lang), text)


def _other_weekday(word: str, lang: str) -> str:
    """A weekday written out, or shortened: "Mon" for "Monday"."""
    rows = _weekday_rows(lang)
    row = next((row for row in rows if word.lower() in row), None)
    if row is None:
        return word
    full, short = rows[:2]
    # Cases of names are no other way to write one.
    inflected = len(row[0]) > 4 and row is not full and lang != "en"
    other = short if row is full or inflected else full
    new = other[row.index(word.lower())]
    return match_case(new.capitalize() if word[0].isupper() else new, word)


@cache
def _weekday_rows(lang: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row.split()) for row in WEEKDAYS.get(lang, WEEKDAYS["en"]))


_DATE_BEFORE = re.compile(rf"\b(?:{told_by('date_before')})\s+$", re.I)


def in_title(mention: Mention) -> bool:
    """Whether a weekday is part of a title ("Friday Night Lights") or of a name.

    mention (Mention): Mention of a date.
    RETURNS (bool): False for any other date.
    """
    if not mention.text[:1].isupper() or not is_weekday(normalise(mention.text)):
        return False
    if _TITLE_BEFORE.search(mention.before):
        return True
    following = _TITLE_AFTER.match(mention.after)
    if following is None:
        return False
    if mention.before[-1:] in tuple("“‘\"'«*_"):
        return True
    further = _TITLE_AFTER.match(mention.after[following.end() :])
    return (
        further is not None
        and re.search(r"[^\W\d_]\s+$", mention.before) is not None
        and _DATE_BEFORE.search(mention.before) is None
        and names.title_gender(following.group().strip()) is None
    )


def _title_word(mention: Mention, draws: Draws) -> str:
    """A word for a weekday of a title: the shift of the dates would show in one that
    readers know."""
    key = normalise(mention.text)
    rng = draws.random_for("title-word", key)
    titles = vocabulary("en").facts["titles"]
    words = (match_case(word, mention.text) for word in shuffled(titles, rng))
    found = draws.pick(words, f"title {key}", mention.before, len(titles))
    return found or draws.invent("title-word", f"title {key}", mention.before)
