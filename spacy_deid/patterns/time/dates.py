"""Dates, years and weekdays, in figures and in words, and all of time and age."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    month_index,
    weekday_index,
)
from ..base import (
    Anchored,
    Anchors,
    Hit,
    PatternRecognizer,
    Recognizer,
    drop_covered,
    remembered,
    word_trie,
)
from ..numbers import (
    LEFT,
    ORDINAL_WORD,
    ORDINALS,
    TENS,
    WORDS,
    Forms,
    last_word,
    last_word_of,
    words,
)
from .ages import find_ages
from .times import find_durations, find_times

P = Forms("dates", "DATETIME")

# Words and short names that a number or a blank may precede without being a month.
_COMMON = words(WORDS["common"])
# Lower-cased, these are English words that may follow or precede a number.
_AMBIGUOUS = words("may march Mars mart maja")

_ANDS = "and or to until till through und et y e bis au al og och en i a и i do do až"

_ROMANS = "i ii iii iv v vi vii viii ix x xi xii".split()


# What stands before a number that is no date.
_AGAINST = words(WORDS["against"])
# What names a date.
_NAMES_DATE = words(WORDS["names_date"])
_ON = words(WORDS["on"])
_FRACTION = frozenset({"1/2", "1/3", "2/3", "1/4", "3/4", "1/5", "1/6", "1/8", "1/10"})
_NOT_NUMBER = words(WORDS["not_number"])
_NOT_YEAR = _AGAINST | _NOT_NUMBER | words(WORDS["not_year"])
_YEAR_WORDS = words(WORDS["year_words"])
_SIGNS = frozenset("#§№°$€£+*/\\=@_~^<>")
_ACTS = words(WORDS["acts"])


# Short names of weekdays that are common words elsewhere.
_NO_WEEKDAY = words("to so do no ma man sex per sal h k p v")


class _Grammar(NamedTuple):
    """What depends on the languages: expressions with the names of months and days."""

    months: Mapping[str, int]
    # Names that make a date without a year.
    full: frozenset[str]
    day_month: Anchored
    month_day: Anchored
    year_month_day: Anchored
    ordinal: Anchored
    weekday: Anchored
    weekdays: frozenset[str]
    anchors: Anchors


@functools.cache
def _grammar(languages: tuple[str, ...]) -> _Grammar:
    months = month_index(languages)
    days = [name for name in weekday_index(languages) if name not in _NO_WEEKDAY]
    full = {n for code in languages for n in full_names(MONTHS, code)}
    full |= set(MONTHS["en"][1].split())
    names = " ".join(months)
    month = f"(?P<m>{word_trie(names)})"
    # Between figures too ("16MAY03"): no boundary on the left, one of letters right.
    bounds = r"\(\?<!\\w[^)]*\)|\(\?!\\w\)\Z"
    glued = f"(?P<m>{re.sub(bounds, '', word_trie(names))}(?![^\\W\\d_]))"
    and_day = (
        rf"\s?(?:,\s{{1,2}}{P.conjunction}|[,&/-]|\s{P.conjunction})\s{{0,2}}(?:on\s)?(?:the\s)?"
        rf"{P.day}(?![0-9:.,]{{0,6}}[0-9])"
    )
    # Days joined by commas only: the last one may be the year's last two figures.
    no_year = r"(?!,\s?[0-9]+(?!\s?(?:,\s?[0-9]{1,2}(?![0-9])|,?\s(?:and|or)\s|&)))"
    ordinal = rf"(?:(?i:twenty|thirty)[\s-])?{word_trie(ORDINALS)}"
    expressions = (
        Anchored(
            # No way back into the list, which would take long at lists of other things.
            rf"{P.outside}{P.day}(?=(?P<list>(?:{and_day}){{0,12}}))(?P=list)"
            rf"(?:\s{{0,3}}|[-/]|,\s){P.of}"
            rf"{glued}{P.year_tail}{P.log_time}\.?",
            followed=(
                names,
                _ANDS,
                "of del di day - / , & st nd rd th er ère re de e го ste",
            ),
        ),
        Anchored(
            rf"{month}(?:\.?(?:,?\s{{1,3}}|[-/])?(?i:the\s)?(?P<d>{P.day}"
            rf"(?!\s?%|:[0-9]|\.[0-9](?![0-9]{{3}}(?![0-9]))|,[0-9]{{3}}(?![0-9]))"
            rf"(?:{no_year}{and_day}"
            rf"(?!\s{{0,2}}{P.of}(?i:{_alternatives(months)})\b)){{0,12}}"
            rf"|{ordinal}))?{P.unix_time}{P.year_tail}",
            names,
        ),
        Anchored(
            rf"{P.outside}[12][0-9]{{3}}(?P<sep>\.?\s|[-/.])(?P<m>{word_trie(names)})"
            rf"\.?(?:(?P=sep)|\s)(?P<d>{P.day}\.?)"
            rf"(?![0-9:/-]|\s{{1,2}}(?i:{_alternatives(months)})\b)",
            followed=names,
        ),
        Anchored(
            rf"{ORDINAL_WORD}\s(?:day\s)?(?:of\s)?(?P<m>{word_trie(names)}){P.year_tail}",
            ORDINALS,
            TENS,
        ),
        Anchored(word_trie(*days, *_ENGLISH_DAYS), *days, *_ENGLISH_DAYS),
    )
    weekdays = frozenset(n for code in languages for n in full_names(WEEKDAYS, code))
    anchors = Anchors(*expressions)
    return _Grammar(months, frozenset(full), *expressions, weekdays, anchors)


_ENGLISH_DAYS = frozenset(
    f"{day}{s}" for day in WEEKDAYS["en"][0].split() for s in ("", "s")
)
_ENGLISH_SHORT = words(*WEEKDAYS["en"][1:])
# What before a weekday of another language tells it from a name.
_ON_WEEKDAY = words(WORDS["on_weekday"])


def _alternatives(names: Iterable[str]) -> str:
    # In their order: the first language's are tried first.
    return "|".join(map(re.escape, names))


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
    bare: bool
    several: bool
    reason: str


def _after_preposition(text: str, start: int) -> bool:
    return (
        P.dm_before.search(text[max(0, start - 12) : start]) is not None
        or last_word(text, start)[0] in _ENGLISH_DAYS
    )


def _day_month(text: str, m: re.Match[str], grammar: _Grammar) -> _Atom | None:
    """ "16 May 2003" and the like; None if it is no date."""
    month = m["m"]
    key = month.lower()
    has_year = bool(m["y"] or m["y2"] or m["y3"])
    if not has_year and text[m.start("m") - 2] == "," and not m["list"]:
        return None  # "34, May Street"
    start, head = m.start(), text[m.start() : m.start("m")]
    numbers = [*P.digits.finditer(head)]
    if len(numbers) > 1 and P.cited.search(text[max(0, start - 14) : start]):
        # "§§ 22-23, 4 August 2006": the list is one of paragraphs.
        start += numbers[-1].start()
        numbers = numbers[-1:]
    # A wrong 29 February is still somebody's date; day 31 of February is none.
    if any(not is_day(int(n[0]), grammar.months[key]) for n in numbers):
        return None
    if not has_year:
        if key not in grammar.full:
            return None
        plain = month in _AMBIGUOUS and not re.search("[a-z]", head)
        if plain and not _after_preposition(text, start):
            return None
    elif key not in grammar.full and month.islower() and m["y3"]:
        return None
    if head[-3:].lower() == "of " and P.ordinal_of.search(head):
        start = _with_article(text, start)
    end = _end(text, m)
    # The full stop of an abbreviation inside the mention stays there.
    short = not has_year and len(month) < 5 and key not in _COMMON_FULL
    if short and m.end() > end and text[end] == ".":
        end += 1
    if has_year:
        end = _with_era(text, end)
    what = "day and month by name" + (" and year" if has_year else "")
    return _Atom(start, end, has_year, False, len(numbers) > 1, what)


def _with_article(text: str, start: int) -> int:
    return start - 4 * (text[max(0, start - 4) : start].lower() == "the ")


def _day_months(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    for m in grammar.day_month.finditer(text):
        atom = _day_month(text, m, grammar)
        if atom is None and m["list"]:
            # "30/04/24 until 9 May": only the last days are a list.
            atom = _rest(text, m.start("list"), m.end(), grammar)
        if atom is not None:
            yield atom


def _rest(text: str, start: int, end: int, grammar: _Grammar) -> _Atom | None:
    """A date in what another date has left: "May 16, 17 May 2003"."""
    for n in re.finditer(r"(?<!\w)[0-9]+", text[start:end]):
        m = grammar.day_month.match(text, start + n.start())
        atom = _day_month(text, m, grammar) if m else None
        if atom is not None:
            return atom
    return None


# "the 3rd of May" is a date with its article.
_COMMON_FULL = words("may june july mai juni juli mars maj")


def _month_days(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    """ "May 16, 2003", "May 2003", "since May"."""
    for m in grammar.month_day.finditer(text):
        month = m["m"]
        key = month.lower()
        has_year = bool(m["y"] or m["y2"] or m["y3"] or m["y4"])
        if m["d"]:
            number = grammar.months[key]
            figures = P.digits.findall(m["d"])
            # "Nov-31" is a month of 1931 or 2031.
            month_year = text[m.start("d") - 1] == "-" and len(m["d"]) == 2
            if not month_year and any(not is_day(int(n), number) for n in figures):
                continue
            if not has_year and (
                key not in grammar.full
                or (
                    month in _AMBIGUOUS
                    and not _after_preposition(text, m.start())
                    and not P.ends_clause.match(text, m.end())
                )
            ):
                continue
            what = "month by name and day" + (" and year" if has_year else "")
            several = len(figures) > 1
            yield _Atom(m.start(), _end(text, m), has_year, False, several, what)
        elif has_year:
            if key not in grammar.full and (m["y"] is None or key in _COMMON):
                continue
            if month.islower() and month in _AMBIGUOUS and m["y"] is None:
                continue
            yield _Atom(
                m.start(), _end(text, m), True, False, False, "month by name and year"
            )
        elif (
            month[0].isupper()
            and key in grammar.full
            and (len(month) > 3 or month == "May")
        ):
            end = m.start() + len(month)
            yield _Atom(m.start(), end, False, True, False, "month by name")


def _other_named(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    for m in grammar.ordinal.finditer(text):
        if m["m"].lower() in grammar.full or m["y"] is not None:
            year = bool(m["y"] or m["y2"] or m["y3"])
            start = _with_article(text, m.start())
            yield _Atom(start, _end(text, m), year, False, False, "date in words")
    for m in grammar.year_month_day.finditer(text):
        if is_day(_digits(m["d"]), grammar.months[m["m"].lower()]):
            yield _Atom(
                m.start(),
                _end(text, m),
                True,
                False,
                False,
                "year, month by name and day",
            )


def _dated(text: str, atoms: list[_Atom]) -> list[_Atom]:
    """Without the bare months that neither a preposition ("in March") nor a date at
    one end of their list ("April, May and June 2001") tells from other words."""
    sure = [
        not atom.bare
        or P.prep_month.search(text[max(0, atom.start - 14) : atom.start]) is not None
        for atom in atoms
    ]
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
    found = [
        *_day_months(text, grammar),
        *_month_days(text, grammar),
        *_other_named(text, grammar),
    ]
    for atom in sorted(found):
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
        out.append(P.hit(atom.start, atom.end, subtype, score, reason))
    return out


def _calendar_date(parts: Sequence[str], sep: str) -> tuple[bool, bool]:
    """Whether three numbers are a date, and whether their form alone says so."""
    a, b, c = map(int, parts)
    sizes = tuple(map(len, parts))
    if sizes[0] == 4:
        if sizes[2] > 2 or not 1000 <= a < 2200:
            return False, False
        # Year, month, day; rarely year, day, month.
        return is_day(c, b, a) or (sep == "/" and is_day(b, c, a)), True
    if sizes[0] > 2 or sizes[2] == 3 or sep in ":_":
        return False, False
    if sizes[2] == 1:
        # Year, month, day with a year of two figures.
        return sizes[0] == 2 and a > 31 and sep == "/" and is_day(c, b), False
    if sizes[2] == 4:
        fits = is_day(a, b, c) or is_day(b, a, c)
        return fits and 1000 <= c < 2200, True
    fits = is_day(a, b) or is_day(b, a)
    if not fits and sizes[0] == 2 and (sizes == (2, 2, 2) or sep == "/"):
        return sep in "/-" and is_day(c, b), False
    return fits, fits and sep == "/"


def _context(text: str, start: int) -> tuple[str, str]:
    """What the word before a number says: "against", "date", "on" or "", with it."""
    return _context_of(text[max(0, start - LEFT) : start])


@remembered
def _context_of(left: str) -> tuple[str, str]:
    word, between = last_word_of(left)
    if between[-1:] in "#§=" and between:
        return "against", between[-1]
    for kind, listed in (("against", _AGAINST), ("date", _NAMES_DATE), ("on", _ON)):
        if word in listed:
            return kind, word
    if word.rstrip(".") in _ENGLISH_DAYS or word.rstrip(".") in _ENGLISH_SHORT:
        return "on", word
    if word == "of" and "week of" in left[-12:].lower():
        return "on", "week of"
    if word in ("code", "no", "nos", "number"):
        return "against", word
    return "", word


def _said(kind: str, word: str) -> str:
    return f"; after '{word}'" if kind in ("date", "on") else ""


def _numeric_dates(text: str) -> Iterator[Hit]:
    for m in P.numeric.finditer(text):
        value, sep = m[0], m[1]
        head = re.split("[Tt]", value)[0]
        parts = [p.strip() for p in head.split(sep)]
        fits, certain = _calendar_date(parts, sep)
        if not fits:
            continue
        kind, word = _context(text, m.start())
        four = max(map(len, parts)) == 4
        if kind == "against" and not (four and sep in "/-"):
            continue
        # "2.3.38" may be a heading, "2. 3. 38" and "21.3.38" are dates.
        heading = sep == "." and not four and len(parts[0]) == 1 and " " not in head
        if heading and kind not in ("date", "on"):
            continue
        score = 0.9 if four else 0.85 if certain else 0.7
        if kind in ("date", "on"):
            score = 0.95
        elif not four and sep == "-" and not certain:
            score = 0.6
        yield _numeric_hit(
            m.start(), _with_era(text, m.end()), score, _said(kind, word)
        )
        n = P.next_numeric.match(text, m.end())
        while n is not None:
            inner = n[2].strip() or " "
            if not _calendar_date([p.strip() for p in n[1].split(inner)], inner)[0]:
                break
            yield _numeric_hit(n.start(1), n.end(), score, "; beside another date")
            n = P.next_numeric.match(text, n.end())


# The Russian, Bulgarian and Latvian word for "year" after its figures.


def _with_era(text: str, end: int) -> int:
    m = (
        P.era.match(text, end)
        if text[end : end + 2] > " z" or "m." in text[end : end + 3]
        else None
    )
    return m.end() if m else end


def _numeric_hit(start: int, end: int, score: float, said: str) -> Hit:
    reason = f"day, month and year in figures, a day of the calendar{said}"
    return P.hit(start, end, "DATE", score, reason)


def _partial_dates(text: str) -> Iterator[Hit]:
    """Month and year, or day and month, in figures."""
    for m in P.partial.finditer(text):
        start, end = m.span()
        left, right = text[max(0, start - LEFT) : start], text[end : end + 12]
        score, reason = _partial_date(m[0], m[1], left, right)
        if score:
            yield P.hit(start, end, "DATE", score, reason)


# Tables and logs repeat themselves.
@remembered
def _partial_date(value: str, sep: str, left: str, right: str) -> tuple[float, str]:
    """Confidence in two numbers, given the text on both sides, and why."""
    a, b = (p.strip() for p in value.split(sep))
    sizes = (len(a), len(b))
    kind, word = _context_of(left)
    if kind == "against" or word in _NOT_NUMBER or word == "b":
        return 0.0, ""
    score, what = 0.0, "month and year in figures"
    if sizes in ((1, 4), (2, 4)) and 1 <= int(a) <= 12 and 1900 <= int(b) < 2100:
        if kind or word in _YEAR_WORDS:
            score = 0.8
        elif sep == "/" or (len(a) == 2 and sep == "-"):
            score = 0.55
    elif sizes == (4, 2) and 1900 <= int(a) < 2100 and 1 <= int(b) <= 12:
        if sep == "-" or (sep == "/" and kind):
            score = 0.75 if kind or word in _YEAR_WORDS else 0.6
        if sep == "/" and int(b) == (int(a) + 1) % 100:
            return 0.0, ""  # "2003/04": two years
    elif sizes == (4, 1) and sep == "-" and kind and 1900 <= int(a) < 2100:
        score = 0.65
    elif max(sizes) <= 2:
        fits = is_day(int(a), int(b)) or is_day(int(b), int(a))
        expires = word in _EXPIRES and sizes == (2, 2) and 1 <= int(a) <= 12
        if expires and sep in "/-":
            score = 0.85
        elif sep == "/" and fits and value not in _FRACTION and kind:
            score, what = 0.75, "day and month in figures"
        elif sep == "/" and fits and (kind == "date" or word == "on"):
            score, what = 0.6, "day and month in figures"
        elif sep == "." and fits and right[:1] == "." and kind:
            score, what = 0.7, "day and month in figures"
        elif sep == "-" and fits and sizes == (2, 2) and kind == "date":
            score, what = 0.65, "day and month in figures"
        if score and P.share.match(right):
            return 0.0, ""
    return score, what + (_said(kind, word) or "; no word of the context")


_EXPIRES = words("exp expires expire expiry expiration valid thru until")


def _compact_dates(text: str) -> Iterator[Hit]:
    for m in P.compact.finditer(text):
        value = m[0]
        head = value.partition("T")[0]
        kind, word = _context(text, m.start())
        if kind == "against":
            continue
        if len(head) == 8:
            y, d = int(head[:4]), (int(head[6:]), int(head[4:6]))
            fits = 1900 <= y < 2100 and is_day(*d, y)
            if not fits and kind == "date":
                y = int(head[4:])
                pair = int(head[:2]), int(head[2:4])
                fits = 1900 <= y < 2100 and (is_day(*pair, y) or is_day(*pair[::-1], y))
            if (
                not fits
                or word in _NOT_NUMBER
                or not (kind or "T" in value or y > 1919)
            ):
                continue
        else:
            if word not in _BORN:
                continue
            a, b, c = int(head[:2]), int(head[2:4]), int(head[4:])
            if not (is_day(a, b) or is_day(b, a) or is_day(c, b)):
                continue
        reason = f"figures that are a day of the calendar{_said(kind, word)}"
        yield P.hit(m.start(), m.end(), "DATE", 0.8, reason)
    for m in P.blank_date.finditer(text):
        kind, word = _context(text, m.start())
        parts = m[0].split()
        if kind in ("date", "on") and _calendar_date(parts, "/")[0]:
            yield _numeric_hit(m.start(), m.end(), 0.75, _said(kind, word))


_BORN = words("born birth birthday birthdate dob d.o.b geb geboren date")


def _years(text: str) -> Iterator[Hit]:
    for m in P.years.finditer(text):
        value = m[0]
        year = int(value[:4])
        if not 1500 <= year < 2100:
            continue
        start = m.start()
        word, between = last_word(text, start)
        sign = between[-1:]
        if (sign and sign in _SIGNS) or "§" in between:
            if not (sign == "*" and (between[-2:-1] == "(" or word in _BORN)):
                continue
        elif (word in _NOT_YEAR and "(" not in between and "," not in between) or (
            word == "to" and text[max(0, start - 6) : start].lower() == "up to "
        ):
            continue
        if len(value) == 4 and not _plain_year(text, m, word):
            continue
        certain = word in _YEAR_WORDS or bool(sign and sign in "([,;")
        if len(value) > 5 and value[4] not in "s'":
            yield from _year_range(m, value, year)
            continue
        certain = certain or value[-1] == "s"
        if not certain and not 1850 <= year < 2060:
            continue
        reason = "decade" if value[-1] == "s" else "year of four digits"
        reason += "; after a word or mark for years" if certain else ""
        score = 0.85 if certain else 0.6
        yield P.hit(start, m.end(), "YEAR", score, reason)


def _plain_year(text: str, m: re.Match[str], word: str) -> bool:
    """Whether what stands around four digits leaves a year."""
    end = m.end()
    return not (
        P.not_year_after.match(text, end)
        or P.law_report.match(text, end)
        or word in _ACTS
        or P.act_after.match(text, end, end + 60)
    )


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
        decade = m[0][-1] == "s"
        if (
            decade
            or word in _YEAR_WORDS
            or word in ("class", "late", "early", "mid", "season")
        ):
            reason = "year of two digits after an apostrophe"
            yield P.hit(start, m.end(), "YEAR", 0.75, reason)


def _spelled_years(text: str) -> Iterator[Hit]:
    for m in P.spelled_year.finditer(text):
        word, _ = last_word(text, m.start())
        certain = word in _YEAR_WORDS and word not in ("and", "to", "for", "the", "of")
        if m[0][:2].lower() == "tw" and not certain:
            continue  # "two thousand and one nights"
        if not certain and P.noun_after.match(text, m.end()):
            continue
        reason = "year in words" + ("; after a word for years" if certain else "")
        yield P.hit(m.start(), m.end(), "YEAR", 0.75, reason)


_OTHERS = Anchors(
    *(P.century, P.season, P.feast, P.week, P.quarter, P.east_asian, P.following),
    *(P.decade_word, P.decade, P.roman, P.the_day),
)


def _others(text: str) -> Iterator[Hit]:
    if _OTHERS.absent(text):
        return
    yield from P.plain(text, ["DATE", "DURATION", "YEAR"])
    for m in P.roman.finditer(text):
        month = _ROMANS.index(m["m"].lower()) + 1
        if is_day(_digits(m["d"]), month, int(m["y"])):
            reason = "day, month in Roman figures and year"
            yield P.hit(m.start(), m.end(), "DATE", 0.85, reason)


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
    for m in grammar.weekday.finditer(text):
        start, end = m.span()
        key = m[0].lower()
        gap = P.weekday_gap.match(text, end)
        date = starts.get(gap.end()) if gap else None
        # "Do." is Thursday in German only with its full stop and a date.
        if date is not None and (
            key in grammar.weekdays
            or key in _ENGLISH_SHORT
            or (text[end] == "." and (len(key) > 2 or m[0][0].isupper()))
        ):
            joined.add(date)
            reason = f"weekday and {date.reason}"
            yield date._replace(start=start, reason=reason)
        elif key in _ENGLISH_DAYS:
            reason = "name of a weekday"
            yield P.hit(start, end, "WEEKDAY", 0.7, reason)
        elif key in grammar.weekdays and (
            last_word(text, start)[0] in _ON_WEEKDAY or _ends_before(text, start, ends)
        ):
            reason = "name of a weekday after a preposition or a date"
            yield P.hit(start, end, "WEEKDAY", 0.6, reason)
    yield from (date for date in dates if date not in joined) if joined else dates


_FIGURES = Anchors(P.numeric, P.partial, P.compact, P.blank_date, P.years)


def _dates(text: str, grammar: _Grammar) -> Iterator[Hit]:
    digits = not _FIGURES.absent(text)
    figures = [*_numeric_dates(text), *_partial_dates(text)] if digits else []
    if grammar.anchors.absent(text):
        yield from figures
    else:
        named = [*_named_dates(text, grammar), *figures]
        yield from _weekdays(text, named, grammar)
    if digits:
        yield from _compact_dates(text)
        yield from _years(text)
    for part in (_short_years, _spelled_years, _others):
        yield from part(text)


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
    codes = check_languages(languages)
    parts: list[Callable[[str], Iterable[Hit]]] = []
    if times:
        parts.append(find_times)
    if durations:
        parts.append(find_durations)
    if ages:
        parts.append(find_ages)
    grammar = _grammar(codes)

    def find(text: str) -> list[Hit]:
        found = [h for part in parts for h in part(text)]
        return drop_covered([*found, *_dates(text, grammar)])

    return PatternRecognizer(find)
