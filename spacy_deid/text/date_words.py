"""Dates in words: their numbers are put into figures, which the reader of expressions
reads, and what that gives is said in words again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from .calendars import MONTHS, units, weekday_index
from .date_expressions import HAS_CENTURY, read_expression
from .date_parts import Context, Part, Shift, full_year, month_number, vocabulary
from .number_words import CARDINAL, ORDINAL, Form, Said, number_words

_MOST_CHARS = 120
# What stands between the day and its month.
_JOINT = re.compile(r"[\s,]+(?:(?:day|the|of|del?)\s+){0,3}", re.I)
_OF = re.compile(r"[\s,]+del?\s+", re.I)
_CLOCK = re.compile(r"\s+(?:uhr|o['’]clock|heures?|horas?|час(?:ов|а)?)\b", re.I)


class _Piece(NamedTuple):
    """A number of the text and the figures that stand for it, and whether these are a day
    beside the name of its month."""

    said: Said
    figures: str
    day: bool = False


@cache
def _months(lang: str) -> re.Pattern[str]:
    rows = " ".join(MONTHS.get(lang, MONTHS["en"])).split()
    return re.compile(rf"\b(?:{'|'.join(sorted(rows, key=len, reverse=True))})\b", re.I)


def read_in_words(
    text: str, context: Context, beside_month: bool = False
) -> list[Part] | None:
    """What moves in a date whose numbers are words.

    text (str): "neunter März neunzehnhundertsechzig", "the ninth of the tenth".
    context (Context): What the document tells.
    beside_month (bool): Whether to read only what has a number right beside the name of
        a month, which can be nothing else: "the first of May", but no "first half of May".
    RETURNS (Optional[list]): As of `read_parts`; None if it has no number in words, or
        if these count a unit of time.
    """
    short, lang = len(text) <= _MOST_CHARS, context.lang
    found = number_words(lang).find(text, 1) if short else []
    # "uno de mayo", but "una tarde de mayo"
    said = [s for s in found if s[2:] != (1, Form()) or _has_day(text, [s], lang)]
    if beside_month and not _has_day(text, said, lang):
        return None
    pieces = list(_pieces(text, said, lang))
    if not pieces or len(pieces) < len(said):
        return None
    new, end = "", 0
    places: list[tuple[int, int, _Piece]] = []
    for piece in pieces:
        new += text[end : piece.said.start]
        places.append((len(new), len(new) + len(piece.figures), piece))
        new, end = new + piece.figures, piece.said.end
    new += text[end:]
    parts = read_expression(new, context) or ()
    return [_in_words(p, text, new, places, context) for p in parts] or None


def _has_day(text: str, said: Sequence[Said], lang: str) -> bool:
    """Whether one of the numbers stands beside the name of a month."""
    names = [m.span() for m in _months(lang).finditer(text)]
    gaps = ((s.end, a) if s.end <= a else (b, s.start) for s in said for a, b in names)
    return any(_JOINT.fullmatch(text, *gap) for gap in gaps)


def _pieces(text: str, said: Sequence[Said], lang: str) -> Iterator[_Piece]:
    """What each number is: a day, a month, a year or an hour."""
    named = [m.start() for m in _months(lang).finditer(text)]
    # "veintiuno, del once, del ochenta y ocho"
    joined = len(said) == 3 and len(_OF.findall(text)) == 2
    ordinals = joined or any(s.form.series == ORDINAL for s in said)
    day = month = -1
    for s in said:
        month = max([month, *(start for start in named if start < s.start)])
        if alone := _alone(text, s):
            yield _Piece(s, alone)
            continue
        counts = not ordinals or _counts(text, s, len(said), lang)
        if s.value > 99 or (counts and not named):
            return
        role = _role(s, day, month, bool(named), joined)
        if role == "year":
            yield _Piece(s, str(full_year(s.value % 100)))
        elif role == "month":
            month = s.start
            yield _Piece(s, MONTHS[lang][0].split()[s.value - 1].title())
        else:
            day = s.start
            yield _Piece(s, f"{s.value}" if named else f"{s.value}°", bool(named))


def _alone(text: str, said: Said) -> str:
    """Figures of what is a year, an hour or a century without a month; "" for others."""
    hour = said.value < 25 and _CLOCK.match(text, said.end)
    # "jueves doce"
    day = said.value < 32 and text[: said.start].strip().lower() in weekday_index()
    if said.value >= 1000 or hour or day:
        return str(said.value)
    return f"{said.value}°" if said.value < 100 and HAS_CENTURY.search(text) else ""


def _role(said: Said, day: int, month: int, named: bool, joined: bool) -> str:
    """What a number is of a date whose last day and month stand at two places."""
    ordinal = joined or said.form.series == ORDINAL
    if said.value > 31 or month > day >= 0 or (month >= 0 and not ordinal):
        return "year"
    numbered = ordinal and day > month and said.value < 13 and not named
    return "month" if numbered else "day"


def _counts(text: str, said: Said, many: int, lang: str) -> bool:
    """Whether a number counts a unit of time, or is one if alone: "a second"."""
    after = re.match(r"\s+([^\W\d_]+)", text[said.end :])
    counts = after is not None and said.form.series != ORDINAL
    words = ["" if many > 1 else text[said.start : said.end]]
    words += [after[1]] if after and counts else []
    return any(word.lower() in units(lang) for word in words)


def _in_words(
    part: Part,
    text: str,
    figures: str,
    places: Sequence[tuple[int, int, _Piece]],
    context: Context,
) -> Part:
    """A part of the date in figures as one of the date in words."""
    shown = re.compile(rf"\d+°?|{_months(context.lang).pattern}", re.I)
    own = {a: piece for a, _, piece in places}
    found = shown.finditer(figures[part.start : part.end])
    said = [own.get(m.start() + part.start) for m in found]

    def render(shift: Shift) -> str:
        following = iter(said)
        return shown.sub(
            lambda m: _say(m.group(), next(following, None), text, context.lang),
            part.render(shift),
        )

    start, end = (_back(i, places) for i in (part.start, part.end))
    return part._replace(start=start, end=end, render=render)


def _back(place: int, places: Sequence[tuple[int, int, _Piece]]) -> int:
    """A place in the figures as one of the text."""
    grown = 0
    for start, end, piece in places:
        if place <= start:
            break
        grown += end - start - (piece.said.end - piece.said.start)
    return place - grown


def _say(figures: str, piece: _Piece | None, text: str, lang: str) -> str:
    if piece is None:
        return figures
    old = piece.said
    value = int(re.sub(r"\D", "", figures) or month_number(figures))
    if value >= 1000 and old.value < 100 and value % 100 > 9:
        value %= 100
    like = text[old.start : old.end]
    made = (number_words(lang).say(value, f, like) for f in _forms(piece, value, lang))
    return next(filter(None, made), figures)


def _forms(piece: _Piece, value: int, lang: str) -> tuple[Form, ...]:
    """The forms that a new number may have, best first."""
    old = piece.said.form
    ordinal, cardinal = Form(ORDINAL), Form(CARDINAL, 0, old.start)
    if not piece.day:
        return old, cardinal, ordinal
    was = old.series == ORDINAL
    last = vocabulary(lang).facts.get("ordinal_days", 31 if was else 1)
    plain = cardinal if was else old
    ordinal = old if was else ordinal
    return (ordinal, plain) if value <= last else (plain, cardinal, ordinal)
