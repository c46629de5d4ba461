"""Durations, vague expressions of time, and dates that no shift of the document fits:
an ordered list of rules."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..text.calendars import UNITS_ABROAD, month_index, plural_unit, units, units_row
from ..text.case import match_case
from ..text.date_expressions import render
from ..text.date_layouts import feasts_like, is_feast
from ..text.date_parts import (
    Context,
    ImpossibleDate,
    Part,
    Shift,
    is_month,
    is_weekday,
    like_clock,
    like_month,
    like_weekday,
    month_number,
    moved,
    vocabulary,
    weekday_number,
)
from ..text.dates import read_parts
from ..text.number_words import in_words, number_words, read_words
from ..text.numbers import WORDS_PATTERN, count_form, suffixed, words_of
from .base import (
    MONTHS,
    WEEKDAYS,
    Draws,
    Mention,
    in_order,
    in_place_of,
    like,
    normalise,
    shuffled,
    with_articles,
)
from .numbers import is_said, new_count, other_said, same_form
from .rules import Rule, apply

# Days between the full dates of a document, months and years between the others.
Distances = Mapping[str, set[int]]
FULL_YEAR = re.compile(r"\b(?:1[0-9]|20|21)\d\d\b")
_LONG = 200
_OF_CLOCK = re.compile(r"\b(?:(?P<half>halb|viertel)|uhr|heures?|часов)\b", re.I)
_AT_HOUR = re.compile(r"(?:\b(?:a|de)\slas?|,)\s$", re.I)
_UNIT_WORDS = "|".join(sorted({*units("en"), *UNITS_ABROAD}, key=len, reverse=True))
_DURATION = re.compile(
    r"(?<!\d[:.])\b(?!(?:[01]\d|2[0-3])[0-5]\d\s?(?:h|hrs?|hours)\b)"
    rf"(?P<number>\d+(?:[.,]\d+)?|(?:an?|{WORDS_PATTERN})(?=[\s-]))"
    r"(?P<gap>(?:[\s-]+and[\s-]+a[\s-]+half)?(?:\s+\((?P<again>\d+)\))?[\s-]{0,3}(?:(?:or\s+so|calendar|working|business|whole|full|more"
    r"|additional|extra|further|straight|consecutive)\s+)?)"
    rf"(?P<unit>{_UNIT_WORDS}|yrs?|mins?|hrs?|wks?|mths?|mos|secs?|h)(?![^\W_])",
    re.I,
)
_EMBEDDED = re.compile(
    r"(?P<iso>(?<!\d)(?:1\d|20|21)\d\d-\d\d?-\d\d?(?!\d))"
    r"|(?P<clock>(?<!\d)\d?\d:\d\d(?::\d\d)?(?!\d))"
    r"|(?P<dmy>(?<![\d/.-])\d\d?(?P<sign>[/.-])"
    r"(?:\d\d?(?:(?P=sign)(?:\d{4}|\d\d))?|(?:1\d|20|21)\d\d)(?![\d/.-]))"
    r"|(?P<ordinal>\b\d{1,9}(?:st|nd|rd|th)\b)|\d+",
    re.I,
)
# "IMG_20230624.jpg"
_COMPACT = re.compile(r"(?:19|20)\d{6}")
# Four figures that no year has, and a time may.
_CLOCK = re.compile(r"(?:0\d|1\d|2[0-3])[0-5]\d")
# Figures that may be those of a month or a day, and the last one that always is.
_MONTHS_AND_DAYS = ((1, 9, 9), (10, 12, 12), (13, 31, 28))
# From how many years on a duration may be a life's work.
_MANY_YEARS = 15
_WHOLE = re.compile(r"(?<!\d[:.])\b[0-9]{1,9}\b")
_UNIT_BEHIND = re.compile(r"[\s-]{1,3}([^\W\d_]+)")
# Stands for a word that is none of those around dates.
_UNKNOWN = "\x00"
_ORDINAL_END = re.compile(r"\d(?:st|nd|rd|th)\b", re.I)
_FIGURES = re.compile(
    rf"\d|\b(?:{'|'.join((*MONTHS[:4], *MONTHS[5:], *WEEKDAYS))})s?\b"
)


def is_duration(text: str) -> bool:
    """Whether a text has a duration in it ("an 11-day stay")."""
    return any(
        # "jueves a las 16h" is a time, and "2011 года" a year.
        not (match["unit"] == "h" and _AT_HOUR.search(text[: match.start()]))
        and not (match["unit"][:3] == "год" and FULL_YEAR.fullmatch(match["number"]))
        for match in (_DURATION.finditer(text) if len(text) <= _LONG else ())
    )


@dataclass
class Left:
    """A duration, a vague expression, or a date whose shift has been refused.

    mention (Mention): The mention.
    parts (Optional[Sequence[Part]]): What it says, if it is a date.
    shift (Shift): The shift of the document.
    distances (Mapping): See `Distances`.
    context (Context): What the document tells of its dates.
    draws (Draws): The document's draws.
    """

    mention: Mention
    parts: Sequence[Part] | None
    shift: Shift
    distances: Distances
    context: Context
    draws: Draws

    def __post_init__(self) -> None:
        self.lang, self.text = self.draws.lang, self.mention.text
        self.key = normalise(self.text)
        self.rng = self.draws.random_for("date", self.key)
        self.words = vocabulary(self.lang)
        self.short = len(self.text) <= _LONG


def replace_left(left: Left) -> str:
    """Its new text."""
    draws, before = left.draws, left.mention.before
    found = apply(_RULES, left, draws, left.key, before)
    return found or draws.invent("date", left.key, before, left.text)


def _same_duration(case: Left) -> Iterator[str]:
    """The same duration in other words, if two dates of the document are as far apart:
    "eleven days" for "11 days"."""
    text, lang = case.text, case.lang
    figures = ((*m.span(), int(m[0])) for m in _WHOLE.finditer(text))
    said = (said[:3] for said in number_words(lang).find(text))
    for start, end, value in sorted((*figures, *said)):
        behind = _UNIT_BEHIND.match(text, end)
        kind = units(lang).get(behind[1].lower(), "") if behind else ""
        size, of = (7, "day") if kind == "week" else (1, kind)
        if behind is None or size * value not in case.distances.get(of, ()):
            continue
        parts = text[:start], text[behind.end() :]
        head, tail = (_moved(part, case) for part in parts)
        new = _written_otherwise(text[start:end], value, lang)
        if new and head is not None and tail is not None:
            yield head + new + text[end : behind.end()] + tail


def _written_otherwise(number: str, value: int, lang: str) -> str:
    """A number in words for one in figures, and the other way round; "" if it has no such
    form."""
    if not number.isdecimal():
        return str(value)
    # Words for a few have the gender of what they count, in some languages.
    agrees = words_of(lang)["few"] and count_form(value, lang) < 2
    return "" if agrees else in_words(value, lang=lang)


def _nudged(case: Left) -> Iterator[str]:
    """The same date a little further on: order may suffer, privacy does not."""
    shift = case.shift
    for step in range(1, 61):
        for factor in (1, 31, 366):
            days = shift.days + step * factor * (1 if shift.days > 0 else -1)
            further = Shift(days, shift.minutes + 5 * step)
            new = render(case.text, case.parts or (), further)
            if new is not None and new != case.text:
                yield new


def _may_be_nudged(case: Left) -> bool:
    # It would get a weekday of another date.
    fixed = case.draws.weekdays and any(p.kind == "weekday" for p in case.parts or ())
    return bool(case.parts) and not fixed


def _new_durations(case: Left) -> Iterator[str]:
    """The same phrase with other numbers of like size, or another unit for one; dates
    beside it move."""
    matches = [*_DURATION.finditer(case.text)]
    ends = [0, *(match.end() for match in matches)]
    starts = [*(match.start() for match in matches), len(case.text)]
    beside = [_moved(case.text[a:b], case) for a, b in zip(ends, starts)]
    while None not in beside:
        made = [*(_new_duration(match, case) for match in matches), ""]
        new = "".join(f"{text}{own}" for text, own in zip(beside, made))
        yield in_order(with_articles(new), case.text)


def _moved(text: str, case: Left) -> str | None:
    """What stands beside a duration, its dates moved; None if they cannot be read."""
    if _FIGURES.search(text) is None:
        return text
    parts = read_parts(text, case.context) or ()
    new = render(text, parts, case.shift) if parts else None
    return None if new == text else new


def _new_duration(match: re.Match[str], case: Left) -> str:
    number, unit, gap, rng = match["number"], match["unit"], match["gap"], case.rng
    value = int(number) if number.isdecimal() else read_words(number)
    if value is None:
        return re.sub(r"\d+", lambda m: like(m.group(), rng), match.group())
    if case.lang != "en":
        new, unit = _declined(value, unit, case)
    elif value > 1:
        new = new_count(value, rng)
    elif unit.lower() in UNITS_ABROAD:
        return str(rng.randint(2, 5)) + gap + unit
    else:
        kind = units("en").get(unit.lower(), "")
        many = "s" if unit.lower() != kind and unit.lower().endswith("s") else ""
        near = units_row(kind, "en").get("near") or "week"
        return number + gap + match_case(near, unit) + many
    if match["again"]:
        gap = gap.replace(match["again"], str(new))
    return (str(new) if number.isdecimal() else in_words(new, like=number)) + gap + unit


def _declined(value: int, unit: str, case: Left) -> tuple[int, str]:
    """A number that asks for the same form of the unit; two to four of it for one. Many
    years stay about as many, so that whoever worked them is no older than he is."""
    kind = units(case.lang).get(unit.lower(), "hour" if unit == "h" else "")
    high = 24 if kind == "hour" and value <= 24 else 10**9
    spans = [(1, high)]
    if kind == "year" and value >= _MANY_YEARS:
        spans = [(value - value // n, value + value // n) for n in (5, 2)] + spans
    found = (same_form(value, case.rng, case.lang, *span) for span in spans)
    form = count_form(value, case.lang)
    new = next((n for n in found if count_form(n, case.lang) == form), value)
    if new == value:
        return case.rng.randint(2, 4), plural_unit(unit, case.lang)
    return new, unit


def _counts(case: Left) -> Iterator[str]:
    """Another number in words, of whatever is counted ("three seasons")."""
    text, rng = case.text, case.rng
    clock = _OF_CLOCK.search(text + case.mention.after[:12])
    most = 10**9 if clock is None else 12 if clock["half"] else 23
    if case.lang != "en" or is_said(text, case.lang):
        yield from other_said(text, case.lang, rng, most)
    few = [in_words(n, lang=case.lang) for n in (2, 3, 4)]
    for one, many in case.words.facts.get("ones", {}).items():
        pattern = re.compile(rf"\b{one}\b", re.I)
        if pattern.search(text):
            for word in shuffled(few, rng):
                new = pattern.sub(f"{word} {many}", text)
                yield new[:1].upper() + new[1:] if text[:1].isupper() else new


def _counts_things(case: Left) -> bool:
    """Whether it is no date in words, of which all but a number would stay."""
    words = re.findall(r"[^\W\d_]+", case.text.lower()) if case.short else ()
    return case.short and month_index().keys().isdisjoint(words)


def _vague_number(case: Left) -> Iterator[str]:
    """ "several years" becomes "some years", and "many many years" too."""
    some = case.words.facts.get("some", ())
    word = rf"\b(?:{'|'.join(some)})\b"
    pattern = re.compile(rf"{word}(?:\s+{word})*(?=\s+[a-z]+s\b)", re.I)
    if some and pattern.search(case.text):
        for item in shuffled(some, case.rng):
            yield in_place_of(pattern.sub(item, case.text), case.mention)


# Of the words of a language, the same again and again.
_key_of = lru_cache(maxsize=1 << 12)(normalise)


def _siblings(case: Left) -> Iterator[str]:
    """Expressions of the same kind: feasts, "yesterday", "daily"."""
    text = case.key.replace("’", "'")
    seasons = (row.split() for row in case.words.facts["seasons"])
    rows = [*case.words.facts["siblings"], *seasons]
    for row in rows:
        if text in map(_key_of, row):
            for item in shuffled(row, case.rng):
                yield in_place_of(item, case.mention) if item.islower() else item


def _feast(case: Left) -> Iterator[str]:
    for item in shuffled(feasts_like(case.text), case.rng):
        item = item.lower() if case.text.islower() else item
        yield in_place_of(item, case.mention)


def _plain(case: Left) -> Iterator[str]:
    """A day and a month, or a month alone, as it is said behind what stands before: near
    the date before it, which only a clause or an event of the day tells."""
    rows, before, rng = case.words.facts["plain"], case.mention.before, case.rng
    if case.mention.subtype == "TIME":
        rows = [["", "10:15"]]
    said = next(text for end, text in rows if re.search(end, before, re.I))
    parts, near = read_parts(said, case.context) or (), case.context.anchor
    middle = near.timetuple().tm_yday + case.shift.days if near else 0
    for attempt in range(60):
        spread = 20 + attempt if near else 180
        days = (middle + rng.randint(-spread, spread)) % 365
        shift = Shift(days, rng.randint(30, 600))
        yield in_place_of(render(said, parts, shift) or "", case.mention)


def _new_figures(case: Left) -> Iterator[str]:
    """Other figures in the same layout: years, dates and times in it move, so that no
    unit has to change its form; names of English give way to other words."""
    for attempt in range(1, 61):
        new = _EMBEDDED.sub(lambda m: _new_number(m, case, attempt), case.text)  # noqa: B023
        new = in_order(new, case.text)
        if case.lang == "en":
            new = re.sub(r"[^\W\d_]+", lambda m: _new_word(m, case, attempt), new)  # noqa: B023
            new = _without_unknown(new) if _UNKNOWN in new else new
        if not new:
            # What nobody can read is the same at the next attempt.
            return
        yield new


def _without_unknown(text: str) -> str:
    """The longest stretch with figures between words that nobody can read: "1950" of
    "St Stephen's Day 1950"; "" if there is none."""
    known = [p for p in re.split(rf"\S*{_UNKNOWN}\S*", text) if _FIGURES.search(p)]
    words = max(known, key=len, default="").split()
    told = [i for i, word in enumerate(words) if _FIGURES.search(word)] or [0]
    return " ".join(words[told[0] : told[-1] + 1]).strip(",;:")


def _new_number(match: re.Match[str], case: Left, attempt: int) -> str:
    digits, rng = match.group(), case.rng
    made = _possible(match, case.shift, rng) or _day_of_month(match, rng)
    if made:
        return made
    if FULL_YEAR.fullmatch(digits):
        return str(int(digits) + case.shift.years)
    if match["ordinal"]:
        if case.lang != "en":
            return digits
        new = new_count(int(digits[:-2]), rng, attempt // 10)
        return f"{new}{suffixed(new, digits[-2:])}"
    if case.lang != "en" and len(digits) < 10 and digits[0] != "0":
        # What may be a day of a month stays one.
        high = 28 if int(digits) < 32 else 10**9
        return str(same_form(int(digits), rng, case.lang, high=high))
    if _CLOCK.fullmatch(digits):
        return f"{rng.randint(0, 23):02d}{rng.randint(0, 59):02d}"
    for low, high, last in _MONTHS_AND_DAYS if len(digits) < 3 else ():
        if low <= int(digits) <= high:
            return str(rng.randint(low, last)).zfill(len(digits))
    return like(digits, rng)


def _new_word(match: re.Match[str], case: Left, attempt: int) -> str:
    """Another word beside figures, if it is none of those around dates."""
    old, key, rng = match.group(), match.group().lower(), case.rng
    words, shift = case.words, case.shift
    if _ORDINAL_END.match(match.string, max(match.start() - 1, 0)):
        return old
    if len(old) == 1:
        # A letter may be an original by itself.
        return old if attempt < 20 else match_case(rng.choice("BCDFGHKLM"), old)
    kept = {*units("en"), *words.facts["beside_numbers"].split()}
    if key in kept or words.may_stay(key):
        return old
    if is_month(key):
        number = (month_number(key) - 1 + (shift.months % 12 or 5)) % 12 + 1
        return like_month(old, number)
    if is_weekday(key):
        return like_weekday(old, weekday_number(key) + shift.days)
    if old.isupper() and len(old) < 6:
        return "".join(rng.choice("BCDFGHKLMNPRSTVW") for _ in old)
    return _UNKNOWN


def _moved_day(text: str, sep: str, shift: Shift) -> str:
    """A day of figures from the year on, moved; "" for what is none."""
    layout = f"%Y{sep}%m{sep}%d"
    try:
        old = datetime.datetime.strptime(text, layout).date()
    except ValueError:
        return ""
    # Two figures fewer may be fewer of anything.
    told = sep or _COMPACT.fullmatch(text)
    return moved(old, shift.days).strftime(layout) if told else ""


def _possible(match: re.Match[str], shift: Shift, rng: random.Random) -> str | None:
    """A date or time in figures that there is, for what looks like one; None for other
    figures. An impossible original gets a possible surrogate."""
    text = match.group()
    if match["clock"]:
        try:
            return like_clock(text, shift)
        except ImpossibleDate:
            hour, *rest = text.split(":")
            new = str(rng.randint(10, 23) if len(hour) == 2 else rng.randint(1, 9))
            return ":".join([new, *(f"{rng.randint(0, 59):02d}" for _ in rest)])
    if whole := _moved_day(text, "-" if match["iso"] else "", shift):
        return whole
    if not (match["iso"] or match["dmy"]):
        return None
    parts = re.split(r"(\D)", text)
    for i, old in enumerate(parts):
        if len(old) == 4:
            parts[i] = str(min(9999, max(1000, int(old) + shift.years)))
        elif i == 4 and match["dmy"]:
            parts[i] = f"{rng.randint(0, 99):02d}"
        elif old.isdecimal():
            # Day or month: both are right up to 12.
            new = str(rng.randint(1, 9 if len(old) == 1 else 12))
            parts[i] = new.zfill(len(old))
    return "".join(parts)


def _day_of_month(match: re.Match[str], rng: random.Random) -> str:
    """A day that every month has, for a number beside the name of one ("31 February");
    "" for other numbers."""
    number = match.group()
    digits = re.match(r"\d\d?(?!\d)", number)
    around = re.findall(r"[^\W\d_]{3,}", match.string.lower())
    if digits is None or month_index().keys().isdisjoint(around):
        return ""
    old = digits.group()
    small = old[0] == "0" or len(old) == 1
    day = rng.randint(1, 9) if small else rng.randint(10, 28)
    return f"{day:0{len(old)}d}{suffixed(day, number[len(old) :])}"


def _english(case: Left) -> bool:
    return case.lang == "en"


_RULES: tuple[Rule[Left], ...] = (
    Rule("the same duration in other words", _same_duration, lambda c: c.short),
    Rule("the date a little further on", _nudged, _may_be_nudged, tries=120),
    Rule("another duration", _new_durations, lambda c: is_duration(c.text), tries=60),
    Rule("another number of things", _counts, _counts_things, tries=90),
    Rule("another vague number", _vague_number, lambda c: _english(c) and c.short),
    Rule("another feast", _feast, lambda c: _english(c) and is_feast(c.text)),
    Rule("another like it", _siblings, lambda c: c.short and not _english(c), tries=90),
    Rule(
        "other figures",
        _new_figures,
        lambda c: c.short and _FIGURES.search(c.text) is not None,
        tries=60,
    ),
    Rule("another like it", _siblings, _english),
    Rule("another day or month", _plain),
)
