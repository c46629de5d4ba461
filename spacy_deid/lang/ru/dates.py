"""Russian dates and ages: words that agree with a weekday, nouns with a number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ...text.calendars import WEEKDAYS
from ...text.case import match_case
from ...text.date_parts import Part, Shift, vocabulary
from ...text.number_words import CARDINAL, ORDINAL, number_words
from ...text.numbers import count_form
from ...text.offsets import splice
from .forms import CASES, governed, narrowed, paradigm, parses

if TYPE_CHECKING:
    from pymorphy3.analyzer import Parse

_WORD = re.compile(r"[^\W\d_]+")
_GENDERS = ("masc", "masc", "femn", "masc", "femn", "femn", "neut")
_YEARS = re.compile(r"(?<=[^\W_])(\s+)(год|года|лет)(?![^\W_])", re.I)
_YEAR_FORMS = ("год", "года", "лет")
# Before a number and its noun in the genitive.
_OF = re.compile(
    r"(?:возраст\w*|старше|моложе|около|после|до|от|достиг\w*)\s+(?:в\s+)?$", re.I
)
_DAYS = re.compile(
    r"(?:(?<![^\W_])(?P<to>во?|на)(?P<gap>\s+)|^)(?P<day>понедельник|вторник|сред[ау]|четверг"
    r"|пятниц[ау]|суббот[ау]|воскресенье)(?![^\W_])",
    re.I,
)


@cache
def _weekdays() -> tuple[dict[str, str], ...]:
    sunday = {"gent": "я", "datv": "ю", "ablt": "ем"}
    # The dictionary has it as "воскресение", too.
    last = {case: "воскресень" + sunday.get(case, "е") for case in CASES}
    return (*map(paradigm, WEEKDAYS["ru"][0].split()[:-1]), last)


def _find_weekday(words: Sequence[re.Match[str]]) -> tuple[int, int]:
    """Place of the last weekday among words, and which one it is; -1 for none."""
    place = index = -1
    for i, word in enumerate(words):
        for k, forms in enumerate(_weekdays()):
            if word.group().lower() in forms.values():
                place, index = i, k
    return place, index


def _adjectives(
    words: Sequence[re.Match[str]],
) -> list[tuple[re.Match[str], Parse]] | None:
    """The words before a weekday that agree with it; None if others than those around
    dates are there."""
    out = []
    for word in words:
        key = word.group().lower()
        every = [p for p in parses(key) if "ADJF" in p.tag]
        if every:
            out.append((word, every[0]))
        elif not vocabulary("ru").may_stay(key):
            return None
    return out


def read_weekday(text: str) -> list[Part] | None:
    """A weekday behind words that agree with it: "в следующую среду" becomes "в
    следующий вторник"; None for all other text."""
    words = list(_WORD.finditer(text)) if len(text) <= 60 else []
    if len(words) < 2 or any(ch.isdecimal() for ch in text):
        return None
    place, index = _find_weekday(words)
    agreeing = _adjectives(words[:place]) if 0 < place == len(words) - 1 else None
    if agreeing is None:
        return None
    render = partial(_other_weekday, text, words, index, agreeing)
    return [Part(0, len(text), "weekday", render)]


def _other_weekday(
    text: str,
    words: Sequence[re.Match[str]],
    index: int,
    agreeing: Sequence[tuple[re.Match[str], Parse]],
    shift: Shift,
) -> str:
    """The text with another weekday in the same case, and what agrees with it."""
    day, days, first = words[-1], _weekdays(), words[0].group()
    cases = [c for c in CASES if days[index][c] == day.group().lower()]
    # A weekday is when, not where: "в среду".
    asked = ("accs",) if first.lower() in ("в", "во") else governed(f"{first} ")
    case = narrowed(cases, asked)[0]
    new = (index + shift.days) % 7
    out = text[: day.start()] + match_case(days[new][case], day.group())
    wanted = {"sing", _GENDERS[new], case}
    wanted |= {"inan"} if case == "accs" and _GENDERS[new] == "masc" else set()
    for word, parse in reversed(agreeing):
        made = parse.inflect(wanted)
        form = made.word if made else word.group()
        form = form.capitalize() if word.group()[0].isupper() else form
        out = out[: word.start()] + form + out[word.end() :]
    if not agreeing and first in ("в", "во"):
        out = ("во" if new == 1 else "в") + out[words[0].end() :]
    return out + text[day.end() :]


def in_accusative(text: str, before: str) -> str:
    """A date whose weekday fits "в" before it: "в среду", "во вторник"."""
    last = re.search(r"([^\W\d_]+)\s+$", before)

    def fit(match: re.Match[str]) -> str:
        to, day = match["to"], match["day"]
        if to is None and not (last and last[1].lower() in ("в", "во", "на")):
            return match[0]
        day = day[:-1] + "у" if day[-1] == "а" else day
        if to is None:
            return day
        if to.lower() != "на":
            to = to[0] + ("о" if day.lower() == "вторник" else "")
        return to + match["gap"] + day

    return _DAYS.sub(fit, text)


def _before_years(text: str) -> list[tuple[re.Match[str], int, bool]]:
    """Each "лет" with the number before it, in figures or words, and whether that stands
    in the genitive: "двадцати"."""
    said = {
        s.end: (s.value, s.form.series != CARDINAL)
        for s in number_words("ru").find(text)
        if s.form.series != ORDINAL
    }
    figures = re.finditer(r"(?<!\d)\d{1,3}(?!\d)", text)
    said |= {m.end(): (int(m[0]), False) for m in figures}
    found = (m for m in _YEARS.finditer(text) if m.start() in said)
    return [(m, *said[m.start()]) for m in found]


def fit_years(new: str, old: str, before: str) -> str:
    """An age whose noun fits the new number: "34 года", "тридцать пять лет"."""
    genitive = _OF.search(before) is not None
    edits = []
    both = zip(_before_years(new), _before_years(old))
    for (match, value, oblique), (was, old_value, _) in both:
        old_form, form = count_form(old_value, "ru"), count_form(value, "ru")
        other = genitive or oblique or was[2].lower() != _YEAR_FORMS[old_form]
        forms = ("года", "лет", "лет") if other else _YEAR_FORMS
        edits.append((*match.span(2), match_case(forms[form], was[2])))
    return splice(new, edits)
