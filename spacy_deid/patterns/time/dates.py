"""Dates, years and weekdays, in figures and in words, and all of time and age."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from ...registries import registry
from ...text.calendars import (
    LANGUAGES,
    MONTHS,
    WEEKDAYS,
    check_languages,
    full_names,
    is_day,
    misspelt,
    month_index,
    weekday_index,
)
from ...text.case import as_matched
from ..base import Anchored, Finder, Hit, PatternRecognizer, Recognizer, Text, word_trie
from ..numbers import last_word, time_patterns
from ..tables import Patterns, word_set
from .ages import find_ages
from .figures import (
    ENGLISH_DAYS,
    ENGLISH_SHORT,
    P,
    day_figures,
    other_figures,
    with_era,
)
from .times import find_durations, find_times

# Words and short names that a number or a blank may precede without being a month.
_COMMON = word_set("time.common")
# Lower-cased, these are English words that may follow or precede a number.
_AMBIGUOUS = word_set("time.ambiguous")

_ROMANS = "i ii iii iv v vi vii viii ix x xi xii".split()


# Short names of weekdays that are common words elsewhere.
_NO_WEEKDAY = word_set("time.no_weekday")


class _Grammar(NamedTuple):
    """What depends on the languages: expressions with the names of months and days."""

    months: Mapping[str, int]
    # Names that make a date without a year.
    full: frozenset[str]
    weekdays: frozenset[str]
    forms: Patterns


@cache
def _grammar(languages: tuple[str, ...]) -> _Grammar:
    months = month_index(languages)
    days = [name for name in weekday_index(languages) if name not in _NO_WEEKDAY]
    full = {n for code in languages for n in full_names(MONTHS, code)}
    full |= set(MONTHS["en"][1].split())
    names = " ".join(months)
    # Between figures too ("16MAY03"): no boundary on the left, one of letters right.
    bounds = r"\(\?<!\\w[^)]*\)|\(\?!\\w\)\Z"
    parts = {
        **{name: form for name, form in vars(P).items() if isinstance(form, str)},
        "months": names,
        # In their order: the first language's are tried first.
        "alternatives": "|".join(map(re.escape, months)),
        "glued": f"(?P<m>{re.sub(bounds, '', word_trie(names))}(?![^\\W\\d_]))",
        "weekdays": " ".join((*days, *ENGLISH_DAYS)),
    }
    forms = time_patterns("named_dates", "DATETIME", **parts)
    weekdays = [n for code in languages for n in full_names(WEEKDAYS, code)]
    months = {as_matched(name): number for name, number in months.items()}
    sets = [frozenset(map(as_matched, names)) for names in (full, weekdays)]
    return _Grammar(months, sets[0], sets[1], forms)


# What before a weekday of another language tells it from a name.
_ON_WEEKDAY = word_set("time.on_weekday")


def _digits(text: str) -> int:
    return int("".join(c for c in text if c.isdigit()))


def _end(text: str, m: re.Match[str]) -> int:
    end = m.end()
    while text[end - 1] in ".,' \n-":
        end -= 1
    return end


class _Atom(NamedTuple):
    """A date with a named month."""

    start: int
    end: int
    year: bool
    bare: bool = False
    several: bool = False
    reason: str = ""


def _after_preposition(text: str, start: int) -> bool:
    before = P.dm_before.search(text[max(0, start - 12) : start])
    return before is not None or last_word(text, start)[0] in ENGLISH_DAYS


def _day_month(text: str, m: re.Match[str], grammar: _Grammar) -> _Atom | None:
    """ "16 May 2003" and the like; None if it is no date."""
    month = m["m"]
    key = as_matched(month)
    has_year = bool(m["y"] or m["y2"] or m["y3"])
    start, head = m.start(), text[m.start() : m.start("m")]
    numbers = [*P.digits.finditer(head)]
    if len(numbers) > 1 and P.cited.search(text[max(0, start - 14) : start]):
        # "§§ 22-23, 4 August 2006": the list is one of paragraphs.
        start += numbers[-1].start()
        numbers = numbers[-1:]
    # A wrong 29 February is still somebody's date; day 31 of February is none.
    if any(not is_day(int(n[0]), grammar.months[key]) for n in numbers):
        return None
    if not has_year and not _sure_without_year(text, m, start, head, grammar):
        return None
    if has_year and key not in grammar.full and month.islower() and m["y3"]:
        return None
    if head[-3:].lower() == "of " and P.ordinal_of.search(head):
        start = _with_article(text, start)
    end = _end(text, m)
    # The full stop of an abbreviation inside the mention stays there.
    short = not has_year and len(month) < 5 and key not in _COMMON_FULL
    end += short and m.end() > end and text[end] == "."
    what = "day and month by name" + (" and year" if has_year else "")
    return _Atom(start, end, has_year, several=len(numbers) > 1, reason=what)


def _sure_without_year(
    text: str, m: re.Match[str], start: int, head: str, grammar: _Grammar
) -> bool:
    """Whether a day and a word are a date, though no year says so."""
    if text[m.start("m") - 2] == "," and not m["list"]:
        return False  # "34, May Street"
    plain = m["m"] in _AMBIGUOUS and not re.search("[a-z]", head)
    return as_matched(m["m"]) in grammar.full and (
        not plain or _after_preposition(text, start)
    )


def _with_article(text: str, start: int) -> int:
    return start - 4 * (text[max(0, start - 4) : start].lower() == "the ")


def _day_months(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    for m in grammar.forms.day_month.finditer(text):
        atom = _day_month(text, m, grammar)
        if atom is None and m["list"]:
            # "30/04/24 until 9 May": only the last days are a list.
            atom = _rest(text, m.start("list"), m.end(), grammar)
        if atom is not None:
            yield atom


def _rest(text: str, start: int, end: int, grammar: _Grammar) -> _Atom | None:
    """A date in what another date has left: "May 16, 17 May 2003"."""
    for n in re.finditer(r"(?<!\w)[0-9]+", text[start:end]):
        m = grammar.forms.day_month.match(text, start + n.start())
        atom = _day_month(text, m, grammar) if m else None
        if atom is not None:
            return atom
    return None


# "the 3rd of May" is a date with its article.
_COMMON_FULL = word_set("time.full_months")


def _month_days(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    """ "May 16, 2003", "May 2003", "since May"."""
    for m in grammar.forms.month_day.finditer(text):
        month = m["m"]
        key = as_matched(month)
        has_year = bool(m["y"] or m["y2"] or m["y3"] or m["y4"])
        if m["d"]:
            if several := _days_of(text, m, has_year, grammar):
                what = "month by name and day" + (" and year" if has_year else "")
                place = m.start(), _end(text, m)
                yield _Atom(*place, has_year, several=several > 1, reason=what)
        elif has_year:
            short = key not in grammar.full and (m["y"] is None or key in _COMMON)
            plain = month.islower() and month in _AMBIGUOUS and m["y"] is None
            if not short and not plain:
                what = "month by name and year"
                yield _Atom(m.start(), _end(text, m), True, reason=what)
        elif month[0].isupper() and key in grammar.full and (month == "May" or key[3:]):
            end = m.start() + len(month)
            yield _Atom(m.start(), end, False, bare=True, reason="month by name")


def _days_of(text: str, m: re.Match[str], has_year: bool, grammar: _Grammar) -> int:
    """How many days are named with a month; 0 if it is no date."""
    key, figures = as_matched(m["m"]), P.digits.findall(m["d"])
    # "Nov-31" is a month of 1931 or 2031.
    month_year = text[m.start("d") - 1] == "-" and len(m["d"]) == 2
    number = grammar.months[key]
    if not month_year and any(not is_day(int(n), number) for n in figures):
        return 0
    told = m["m"] not in _AMBIGUOUS or (
        _after_preposition(text, m.start()) or P.ends_clause.match(text, m.end())
    )
    sure = has_year or (key in grammar.full and told)
    return max(1, len(figures)) if sure else 0


def _other_named(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    for m in grammar.forms.ordinal.finditer(text):
        if as_matched(m["m"]) in grammar.full or m["y"] is not None:
            year = bool(m["y"] or m["y2"] or m["y3"])
            start = _with_article(text, m.start())
            yield _Atom(start, _end(text, m), year, reason="date in words")
    for m in grammar.forms.year_month_day.finditer(text):
        if is_day(_digits(m["d"]), grammar.months[as_matched(m["m"])]):
            what = "year, month by name and day"
            yield _Atom(m.start(), _end(text, m), True, reason=what)


def _dated(text: str, atoms: list[_Atom]) -> list[_Atom]:
    """Without the bare months that neither a preposition ("in March") nor a date at
    one end of their list ("April, May and June 2001") tells from other words."""
    lefts = (text[max(0, atom.start - 14) : atom.start] for atom in atoms)
    sure = [not a.bare or bool(P.prep_month.search(x)) for a, x in zip(atoms, lefts)]
    if not all(sure):
        pairs = [*pairwise(range(len(atoms)))]
        for i, j in (*reversed(pairs), *((j, i) for i, j in pairs)):
            if sure[j] and not sure[i]:
                first, second = sorted((atoms[i], atoms[j]))
                sure[i] = second.start - first.end < 20 and bool(
                    P.join.fullmatch(text, first.end, second.start)
                )
    return [atom for atom, known in zip(atoms, sure) if known]


def _named_dates(text: str, grammar: _Grammar) -> list[Hit]:
    """Dates with a named month, without overlaps."""
    atoms: list[_Atom] = []
    readers = (_day_months, _month_days, _other_named)
    for atom in sorted(a for read in readers for a in read(text, grammar)):
        if not atoms or atom.start >= atoms[-1].end:
            atoms.append(atom)
        elif atoms[-1].bare or atom.start == atoms[-1].start:
            atoms[-1] = atom
        elif atom.end > atoms[-1].end + 3:
            rest = _rest(text, atoms[-1].end, atom.end, grammar)
            if rest is not None:
                atoms.append(rest)
    out = []
    for atom in _dated(text, atoms):
        reason = atom.reason
        if atom.bare:
            reason += " after a word for a time or beside a date"
        if atom.several:
            reason += "; several days"
        subtype = "DATE_RANGE" if atom.several else "DATE"
        score = 0.95 if atom.year else 0.85
        end = with_era(text, atom.end) if atom.year else atom.end
        out.append(P.hit(atom.start, end, subtype, score, reason))
    return out


_PLAIN = ("DATE", "DURATION", "YEAR")


def _others(text: str) -> Iterator[Hit]:
    yield from P.plain(text, _PLAIN)
    for m in P.roman.finditer(text):
        month = _ROMANS.index(as_matched(m["m"])) + 1
        if is_day(_digits(m["d"]), month, int(m["y"])):
            yield P.found(m, "DATE", 0.85, "day, month in Roman figures and year")


def _ends_before(text: str, start: int, ends: set[int]) -> bool:
    gap = 0
    while gap < 5 and start > gap and text[start - gap - 1] in " .,(":
        gap += 1
    return gap > 0 and any(start - i in ends for i in range(1, gap + 1))


def _weekdays(text: str, dates: list[Hit], grammar: _Grammar) -> Iterator[Hit]:
    """Weekdays; one next to its date belongs to the date."""
    starts = {h.start: h for h in dates}
    ends = {h.end for h in dates}
    joined = set()
    for m in grammar.forms.weekday.finditer(text):
        start, end = m.span()
        key = as_matched(m[0])
        gap = P.weekday_gap.match(text, end)
        date = starts.get(gap.end()) if gap else None
        # "Do." is Thursday in German only with its full stop and a date.
        dot = text[end : end + 1] == "." and (len(key) > 2 or m[0][0].isupper())
        short = dot or key in ENGLISH_SHORT
        if date is not None and (short or key in grammar.weekdays):
            joined.add(date)
            reason = f"weekday and {date.reason}"
            yield date._replace(start=start, reason=reason)
        elif key in ENGLISH_DAYS:
            yield P.hit(start, end, "WEEKDAY", 0.7, "name of a weekday")
        elif key in grammar.weekdays and (
            last_word(text, start)[0] in _ON_WEEKDAY or _ends_before(text, start, ends)
        ):
            reason = "name of a weekday after a preposition or a date"
            yield P.hit(start, end, "WEEKDAY", 0.6, reason)
    yield from (date for date in dates if date not in joined) if joined else dates


def _dates(grammar: _Grammar, text: str) -> Iterator[Hit]:
    dates = [*_named_dates(text, grammar), *day_figures(text)]
    yield from _weekdays(text, dates, grammar)
    yield from other_figures(text)
    yield from _others(text)


_AROUND = 40
_MISSPELT = Anchored(r"[^\W\d_]{4,12}(?![^\W_])", *misspelt())


def _misspelt(grammar: _Grammar, text: str) -> Iterator[Hit]:
    """Dates whose month or weekday is misspelt, read as if it were right."""
    for m in _MISSPELT.finditer(text):
        right = misspelt().get(m[0].lower())
        if right is None or (m[0].isupper() and len(m[0]) < 5):
            continue
        left = text[max(0, m.start() - _AROUND) : m.start()]
        name = right.lower() if m[0].islower() else right
        piece = Text(f"{left}{name}{text[m.end() : m.end() + _AROUND]}")
        start, more = len(left), len(m[0]) - len(name)
        named = _named_dates(piece, grammar)
        for h in (*_weekdays(piece, named, grammar),):
            # A month alone may be any word.
            whole = h.end - h.start > len(name) or h.subtype == "WEEKDAY"
            if h.start <= start and start + len(name) <= h.end and whole:
                shift = m.start() - start
                reason = f"{h.reason}, misspelt"
                yield h._replace(
                    start=h.start + shift, end=h.end + shift + more, reason=reason
                )


@registry.deid_patterns("spacy_deid.date_patterns.v1")
def make_date_patterns(
    times: bool = True,
    durations: bool = True,
    ages: bool = True,
    languages: Sequence[str] = LANGUAGES,
) -> Recognizer:
    """Dates, years, ranges, weekdays, times, durations and ages.

    times (bool): Whether to find times of day.
    durations (bool): Whether to find durations.
    ages (bool): Whether to find ages (label DEM).
    languages (Sequence[str]): ISO 639-1 codes of the languages whose names of months
        and weekdays are found beside the English ones.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a language is unknown.
    """
    grammar = _grammar(check_languages(languages))
    others = ((find_times, times), (find_durations, durations), (find_ages, ages))
    chosen: list[Finder] = [find for find, wanted in others if wanted]
    named = (partial(find, grammar) for find in (_dates, _misspelt))
    return PatternRecognizer(*chosen, *named)
