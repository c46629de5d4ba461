"""New ages: all of a document's move by the same few years, minors stay minors."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from ..lang.base import pack_of
from ..text.calendars import plural_unit
from ..text.case import match_case, place_in
from ..text.date_expressions import CUES
from ..text.date_parts import vocabulary
from ..text.number_words import CARDINAL, ORDINAL, Form, Said, number_words
from ..text.numbers import DECADES, count_form, ordinal_suffix
from ..text.offsets import splice
from .base import Draws, Mention, article_before, fits_article, normalise, shuffled
from .consistency import AGE_SHIFT, DATE_SHIFT, has_fixed_interval
from .numbers import Numbers, new_quantity

_DECADE = re.compile(
    rf"\b(?P<digit>[1-9])0s\b|\b(?P<word>{'|'.join(DECADES)})\b|(?:Anfang|Mitte|Ende)\s(?P<tens>[2-8])0$",
    re.I,
)
_NO_YEARS, _FIGURE, _ONE_FORM, _ONE_UNIT, _MANY_UNITS = (
    re.compile(CUES[cue])
    for cue in "no_years age_figure one_form one_unit many_units".split()
)
_SINGLE, _UNIT = re.compile(r"(?<!\d)1(?!\d)"), re.compile(r"(?<=\d )[^\W\d_]+")
# Weeks that nobody is pregnant for more than.
_TERM = 41
# Parts of a year, and twenty.
_PART, _SCORE = (re.compile(rf"\b(?:{x})\b") for x in ("quarters?|thirds?", "score"))


def _steps(draws: Draws) -> list[int]:
    """Years that ages may move by, the preferred first."""
    rng = draws.random_for(AGE_SHIFT, "")
    steps = [s * sign for s in (1, 2, 3, 4, 5, 6, 7) for sign in (1, -1)]
    first = rng.choice((2, -2, 3, -3, 4, -4))
    return [first, *(s for s in shuffled(steps, rng) if s != first)]


def fixed_age_step(draws: Draws) -> int:
    """Years that ages and dates of birth move by in all documents that share an
    interval, whatever each of them holds; from the secret of the interval."""
    bits = draws.random_for(DATE_SHIFT, "").getrandbits(128)
    return random.Random(bits).choice((1, -1))


def coherent_age_step(draws: Draws, later: bool) -> int | None:
    """Years that all ages of a document can move by, so that dates of birth can follow.

    draws (Draws): The document's draws, with its ages.
    later (bool): Whether something happens soon after a birth: people may then only get
        older.
    RETURNS (Optional[int]): None if no such step is found.
    """
    olds = {text: ages_in(text, draws.lang) for text in draws.ages}

    def fits(text: str, old: list[int], step: int) -> bool:
        new = _shifted(text, step, draws.lang) or text
        moved = new != text and not draws.forbidden(new)
        return moved and ages_in(new, draws.lang) == [age + step for age in old]

    steps = (step for step in _steps(draws) if step > 0 or not later)
    return next((s for s in steps if all(fits(*x, s) for x in olds.items())), None)


def ages_in(text: str, lang: str) -> list[int]:
    """Ages in years that a mention of an age holds, in figures or words."""
    if _NO_YEARS.search(text):
        return []
    numbers = (n for n in _numbers(text, lang) if n.form.series != ORDINAL)
    return [n.value for n in numbers if n.value <= 120]


def replace_ages(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New ages.

    mentions (Sequence[Mention]): Mentions of ages ("36 years old", "aged twelve").
    draws (Draws): The document's draws.
    RETURNS (list[str]): One text a mention.
    """
    step = draws.age_step
    if step is None and has_fixed_interval(draws.random_for):
        step = fixed_age_step(draws)
    steps = _steps(draws)
    if step is not None:
        steps = [step, *(s for s in steps if s != step)]
    first: dict[str, Mention] = {}
    for mention in mentions:
        first.setdefault(mention.text, mention)
    # Not where dates say how far ages may move.
    behind = [m for m in mentions if step is None and article_before(m.before)]
    best: dict[str, str] = {}
    most = -1
    for years in steps:
        trial = _all_shifted(first, years, draws)
        misfits = sum(not fits_article(trial.get(m.text, ""), m.before) for m in behind)
        worth = 2 * len(trial) * len(mentions) - misfits
        if worth > most:
            best, most = trial, worth
        if len(trial) == len(first) and not misfits:
            break
    numbers = Numbers(draws)
    for text, mention in first.items():
        if text not in best:
            best[text] = new_quantity(mention, numbers, draws)
        draws.claim(best[text], normalise(text))
    return [best[m.text] for m in mentions]


def _all_shifted(
    first: Mapping[str, Mention], step: int, draws: Draws
) -> dict[str, str]:
    """The ages that can move by a step, each with its new text."""
    pack = pack_of(draws.lang)
    assert pack is not None
    out = {}
    for text, mention in first.items():
        new = _shifted(text, step, draws.lang)
        if new and pack.a_or_an and _ONE_UNIT.match(text):
            # "one year old", but "a one year old"
            few = "" if article_before(mention.before) else "s"
            new = re.sub(r"(?<= )(year|month|week|day)\b", rf"\1{few}", new, count=1)
        new = pack.fit_age(new, text, mention.before) if new else None
        if new is not None and new != text and not draws.forbidden(new):
            out[text] = new
    return out


def _new_ages(value: int, step: int, years: bool) -> Iterator[int]:
    """Ages a few years on, the nearest first; minors stay minors, and adults adults."""
    low, high = (1, 17) if value < 18 else (18, 120)
    if not years:
        low, high = 1, _TERM if value <= _TERM else 120
    sign, size = (1 if step > 0 else -1), abs(step)
    sizes = [*range(size, size + 24), *range(1, size)] if years else [1, 2, 3, 4]
    near = (value + way * n for n in sizes for way in (sign, -sign))
    return (new for new in near if low <= new <= high)


def can_move(text: str, lang: str) -> bool:
    """Whether an age has a number that can be exchanged, in figures or words; others, as
    a stage of life, are terms: "Lactante", "a babe in arms"."""
    return len(text) < 60 and _shifted(text, 1, lang) is not None


def _decade(text: str, step: int) -> str | None:
    """ "in his thirties", "in her 40s", "Mitte 50": ten years more or less."""
    match = _DECADE.search(text)
    if match is None:
        return None
    name = match.lastgroup or "word"
    old = match[name]
    tens = place_in(DECADES, old) + 2 if name == "word" else int(old)
    low, high = {"word": (2, 9), "digit": (1, 9)}.get(name, (2, 8))
    step = 1 if step > 0 else -1
    moved = tens + step if low <= tens + step <= high else tens - step
    new = DECADES[moved - 2] if name == "word" else str(moved)
    return text[: match.start(name)] + match_case(new, old) + text[match.end(name) :]


def _shifted(text: str, step: int, lang: str) -> str | None:
    """An age some years on; None if it has no number to move. A noun beside the number
    keeps its form."""
    decade = _decade(text, step)
    if decade is not None or _SCORE.search(text):
        return decade
    years = _NO_YEARS.search(text) is None
    moved = list(_moved(text, step, lang, years)) or list(_one(text, step, lang, years))
    new_text = splice(text, moved)
    if lang != "en" and _SINGLE.search(text) and not _SINGLE.search(new_text):
        # "3 año" becomes "3 años".
        new_text = _UNIT.sub(lambda m: plural_unit(m[0], lang), new_text, count=1)
    return new_text if moved else None


def _one(
    text: str, step: int, lang: str, years: bool
) -> Iterator[tuple[int, int, str]]:
    """How many of a unit stand for one: "un mes y medio"."""
    words, new = number_words(lang), next(x for x in _new_ages(1, step, years) if x > 1)
    for one, many in vocabulary(lang).facts["ones"].items():
        if found := re.match(rf"{one}(?![^\W_])", text, re.I):
            yield 0, found.end(), f"{words.say(new, Form(CARDINAL), text)} {many}"
            return


def _moved(
    text: str, step: int, lang: str, years: bool
) -> Iterator[tuple[int, int, str]]:
    """Place and new text of each number of an age."""
    for start, end, value, how in _numbers(text, lang):
        old, form = text[start:end], count_form(value, lang)
        # A noun beside an English number says no more than "year" or "years".
        english = lang == "en"
        alike = _ONE_FORM.match(text, end) or how.series not in ("", CARDINAL)
        free = english or bool(alike)
        # What stands for one in words is no number in most languages.
        several = value > 1 and _MANY_UNITS.match(text, end)
        low = 1 if (old.isdecimal() or english) and not several else 2
        near = (x for x in _new_ages(value, step, years) if x >= low)
        fits = (x for x in near if free or count_form(x, lang) == form)
        new = next(fits, value + 1)
        if old[0].isdecimal():
            ending = "" if old.isdecimal() else ordinal_suffix(new)
            yield start, end, f"{new}{ending}"
        elif said := number_words(lang).say(new, how, old):
            yield start, end, said


def _numbers(text: str, lang: str) -> list[Said]:
    """The numbers of an age in figures, or else in words."""
    out = []
    for m in _FIGURE.finditer(text):
        series = ORDINAL if m["ordinal"] else ""
        out.append(Said(*m.span(), int(m["value"]), Form(series)))
    least = 1 if lang == "en" else 2
    found = out or (number_words(lang).find(text, least) if len(text) < 60 else [])
    return [s for s in found if s.value <= 130 and not _PART.match(text, s.end + 1)]
