"""Dates and years in figures: day, month and year, parts of them, years alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...text.calendars import WEEKDAYS, is_day
from ..base import Hit
from ..numbers import last_word, time_patterns
from ..tables import word_set

P = time_patterns("dates", "DATETIME")

# What stands before a number that is no date.
_AGAINST = word_set("time.against")
# What names a date.
_NAMES_DATE = word_set("time.names_date")
_ON = word_set("time.on")
_FRACTION = frozenset({"1/2", "1/3", "2/3", "1/4", "3/4", "1/5", "1/6", "1/8", "1/10"})
_NOT_NUMBER = word_set("time.not_number")
_NOT_YEAR = _AGAINST | _NOT_NUMBER | word_set("time.not_year")
YEAR_WORDS = word_set("time.year_words")
_SIGNS = frozenset("#§№°$€£+*/\\=@_~^<>")
_ACTS = word_set("time.acts")


_EXPIRES = word_set("time.expires")
_BORN = word_set("time.born")
ENGLISH_DAYS = frozenset(
    f"{day}{s}" for day in WEEKDAYS["en"][0].split() for s in ("", "s")
)
ENGLISH_SHORT = frozenset(" ".join(WEEKDAYS["en"][1:]).split())


def _calendar_date(parts: Sequence[str], sep: str) -> tuple[bool, bool]:
    """Whether three numbers are a date, and whether their form alone says so."""
    a, b, c = map(int, parts)
    first, _, last = map(len, parts)
    if first == 4:
        # Year, month, day; rarely year, day, month.
        fits = is_day(c, b, a) or (sep == "/" and is_day(b, c, a))
        possible = last < 3 and 1000 <= a < 2200
        return possible and fits, possible
    if first > 2 or last == 3 or sep in ":_":
        return False, False
    if last == 4:
        return (is_day(a, b, c) or is_day(b, a, c)) and 1000 <= c < 2200, True
    year_first = first == 2 and is_day(c, b)
    if last == 1:
        return year_first and a > 31 and sep == "/", False
    if is_day(a, b) or is_day(b, a):
        return True, sep == "/"
    alike = sep == "/" or (sep == "-" and len(parts[1]) == last == 2)
    return year_first and alike, False


def _context(text: str, start: int) -> tuple[str, str]:
    """What the word before a number says: "against", "date", "on" or "", with it."""
    word, between = last_word(text, start)
    if between[-1:] in "#§=" and between:
        return "against", between[-1]
    for kind, listed in (("against", _AGAINST), ("date", _NAMES_DATE), ("on", _ON)):
        if word in listed:
            return kind, word
    if word.rstrip(".") in ENGLISH_DAYS or word.rstrip(".") in ENGLISH_SHORT:
        return "on", word
    if word == "of" and "week of" in text[max(0, start - 12) : start].lower():
        return "on", "week of"
    return "against" if word in ("code", "no", "nos", "number") else "", word


def _said(kind: str, word: str) -> str:
    return f"; after '{word}'" if kind in ("date", "on") else ""


def _numeric_dates(text: str) -> Iterator[Hit]:
    for m in P.numeric.finditer(text):
        kind, word = _context(text, m.start())
        if not (score := _numeric_score(re.split("[Tt]", m[0])[0], m[1], kind)):
            continue
        yield _numeric_hit(m.start(), with_era(text, m.end()), score, _said(kind, word))
        n = P.next_numeric.match(text, m.end())
        while n is not None:
            inner = n[2].strip() or " "
            if not _calendar_date([p.strip() for p in n[1].split(inner)], inner)[0]:
                break
            yield _numeric_hit(n.start(1), n.end(), score, "; beside another date")
            n = P.next_numeric.match(text, n.end())


def _numeric_score(head: str, sep: str, kind: str) -> float:
    """Confidence in three numbers after a word of some kind; 0 if they are no date."""
    parts = [p.strip() for p in head.split(sep)]
    fits, certain = _calendar_date(parts, sep)
    four = max(map(len, parts)) == 4
    if not fits or (kind == "against" and not (four and sep in "/-")):
        return 0.0
    if kind in ("date", "on"):
        return 0.95
    # "2.3.38" may be a heading, "2. 3. 38" and "21.3.38" are dates.
    if sep == "." and not four and len(parts[0]) == 1 and " " not in head:
        return 0.0
    if four or certain:
        return 0.9 if four else 0.85
    return 0.6 if sep == "-" else 0.7


def with_era(text: str, end: int) -> int:
    """The end of a date with the Russian, Bulgarian or Latvian word for "year"."""
    near = text[end : end + 2] > " z" or "m." in text[end : end + 3]
    m = P.era.match(text, end) if near else None
    return m.end() if m else end


def _numeric_hit(start: int, end: int, score: float, said: str) -> Hit:
    reason = f"day, month and year in figures, a day of the calendar{said}"
    return P.hit(start, end, "DATE", score, reason)


def _partial_dates(text: str) -> Iterator[Hit]:
    """Month and year, or day and month, in figures."""
    for m in P.partial.finditer(text):
        start, end = m.span()
        context = _context(text, start)
        score, reason = _partial_date(m[0], m[1], context, text[end : end + 12])
        if score:
            yield P.hit(start, end, "DATE", score, reason)


def _partial_date(
    value: str, sep: str, context: tuple[str, str], right: str
) -> tuple[float, str]:
    """Confidence in two numbers, given what stands on both sides, and why."""
    a, b = (p.strip() for p in value.split(sep))
    kind, word = context
    if kind == "against" or word in _NOT_NUMBER or word == "b":
        return 0.0, ""
    what = "month and year in figures"
    if len(b) == 4:
        score = _month_year(a, b, sep, bool(kind) or word in YEAR_WORDS)
    elif len(a) == 4:
        score = _year_month(a, b, sep, kind, word in YEAR_WORDS)
    elif sep in "/-" and word in _EXPIRES and len(a) == len(b) == 2 and 0 < int(a) < 13:
        score = 0.85
    else:
        score, what = _day_month(a, b, sep, kind, right), "day and month in figures"
        if value in _FRACTION:
            score = 0.6 if kind == "date" or word == "on" else 0.0
    if len(a) < 3 and len(b) < 3 and P.share.match(right):
        return 0.0, ""
    return score, what + (_said(kind, word) or "; no word of the context")


def _month_year(month: str, year: str, sep: str, known: bool) -> float:
    if len(month) > 2 or not (0 < int(month) < 13 and 1900 <= int(year) < 2100):
        return 0.0
    if known:
        return 0.8
    return 0.55 if sep == "/" or (len(month) == 2 and sep == "-") else 0.0


def _year_month(year: str, month: str, sep: str, kind: str, known: bool) -> float:
    if not 1900 <= int(year) < 2100:
        return 0.0
    if len(month) == 1:
        return 0.65 if sep == "-" and kind else 0.0
    two_years = sep == "/" and int(month) == (int(year) + 1) % 100
    if len(month) > 2 or two_years or not 0 < int(month) < 13:
        return 0.0
    if sep == "-" or (sep == "/" and kind):
        return 0.75 if kind or known else 0.6
    return 0.0


def _day_month(a: str, b: str, sep: str, kind: str, right: str) -> float:
    short = len(a) < 3 and len(b) < 3
    if not kind or not short or not (is_day(int(a), int(b)) or is_day(int(b), int(a))):
        return 0.0
    if sep == "/":
        return 0.75
    if sep == ".":
        return 0.7 if right[:1] == "." else 0.0
    return 0.65 if len(a) == len(b) == 2 and kind == "date" else 0.0


def _compact_dates(text: str) -> Iterator[Hit]:
    for m in P.compact.finditer(text):
        kind, word = _context(text, m.start())
        if kind != "against" and _is_compact(m[0], kind, word):
            reason = f"figures that are a day of the calendar{_said(kind, word)}"
            yield P.found(m, "DATE", 0.8, reason)
    for m in P.blank_date.finditer(text):
        kind, word = _context(text, m.start())
        if kind in ("date", "on") and _calendar_date(m[0].split(), "/")[0]:
            yield _numeric_hit(m.start(), m.end(), 0.75, _said(kind, word))


def _is_compact(value: str, kind: str, word: str) -> bool:
    """Whether six or eight figures are a day of the calendar."""
    head = value.partition("T")[0]
    if len(head) == 6:
        a, b, c = int(head[:2]), int(head[2:4]), int(head[4:])
        return word in _BORN and (is_day(a, b) or is_day(b, a) or is_day(c, b))
    year = int(head[:4])
    fits = 1900 <= year < 2100 and is_day(int(head[6:]), int(head[4:6]), year)
    if not fits and kind == "date":
        year, a, b = int(head[4:]), int(head[:2]), int(head[2:4])
        fits = 1900 <= year < 2100 and (is_day(a, b, year) or is_day(b, a, year))
    told = kind or "T" in value or year > 1919
    return bool(fits and told and word not in _NOT_NUMBER)


def _years(text: str) -> Iterator[Hit]:
    for m in P.years.finditer(text):
        value = m[0]
        year = int(value[:4])
        word, between = last_word(text, m.start())
        if not 1500 <= year < 2100 or _is_no_year(text, m.start(), word, between):
            continue
        if len(value) == 4 and not _plain_year(text, m, word):
            continue
        if len(value) > 5 and value[4] not in "s'":
            yield from _year_range(m, value, year)
            continue
        decade = value[-1] == "s"
        certain = word in YEAR_WORDS or between[-1:] in tuple("([,;") or decade
        if certain or 1850 <= year < 2060:
            reason = "decade" if decade else "year of four digits"
            reason += "; after a word or mark for years" if certain else ""
            yield P.found(m, "YEAR", 0.85 if certain else 0.6, reason)


def _is_no_year(text: str, start: int, word: str, between: str) -> bool:
    """Whether what stands before four digits makes them something else."""
    sign = between[-1:]
    if (sign and sign in _SIGNS) or "§" in between:
        return not (sign == "*" and (between[-2:-1] == "(" or word in _BORN))
    up_to = word == "to" and text[max(0, start - 6) : start].lower() == "up to "
    return up_to or (word in _NOT_YEAR and "(" not in between and "," not in between)


def _plain_year(text: str, m: re.Match[str], word: str) -> bool:
    """Whether what stands around four digits leaves a year."""
    end = m.end()
    other = P.not_year_after.match(text, end) or P.law_report.match(text, end)
    return not (other or word in _ACTS or P.act_after.match(text, end, end + 60))


def _year_range(m: re.Match[str], value: str, year: int) -> Iterator[Hit]:
    second = re.split("[-/]", value)[1].strip()
    later = int(second)
    if len(second) < 4:
        step = 10 ** len(second)
        later += year // step * step
        if later < year and len(second) == 2:
            later += 100
    if not 0 < later - year < 120 or ("/" in value and later - year > 1):
        return
    reason = "two years, the later one second"
    if len(second) == 4:
        # Two years are two identifiers.
        for start in (m.start(), m.end() - 4):
            yield P.hit(start, start + 4, "YEAR", 0.85, reason)
    else:
        end = m.end()
        if m.string.startswith(" season", end):
            end += 7
        yield P.hit(m.start(), end, "DATE_RANGE", 0.8, reason)


def _short_years(text: str) -> Iterator[Hit]:
    for m in P.short_year.finditer(text) if "'" in text else ():
        start = m.start()
        if start and text[start - 1].isalnum():
            continue
        word, _ = last_word(text, start)
        told = word in YEAR_WORDS or word in ("class", "late", "early", "mid", "season")
        if told or m[0][-1] == "s":
            reason = "year of two digits after an apostrophe"
            yield P.hit(start, m.end(), "YEAR", 0.75, reason)


def _spelled_years(text: str) -> Iterator[Hit]:
    for m in P.spelled_year.finditer(text):
        word, _ = last_word(text, m.start())
        certain = word in YEAR_WORDS and word not in ("and", "to", "for", "the", "of")
        if m[0][:2].lower() == "tw" and not certain:
            continue  # "two thousand and one nights"
        if not certain and P.noun_after.match(text, m.end()):
            continue
        reason = "year in words" + ("; after a word for years" if certain else "")
        yield P.found(m, "YEAR", 0.75, reason)


def day_figures(text: str) -> list[Hit]:
    """Dates in figures that a weekday may stand before."""
    return [*_numeric_dates(text), *_partial_dates(text)]


def other_figures(text: str) -> Iterator[Hit]:
    """Dates without separators, and years, also of two figures and in words."""
    yield from _compact_dates(text)
    yield from _years(text)
    yield from _short_years(text)
    yield from _spelled_years(text)
