"""What surrogates of dates, times, ages and durations keep, over dates of many layouts.

Dates are written and read here by tables beside this file alone.
"""

import datetime
import re
from itertools import accumulate, pairwise

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from ..cases import cases
from .properties import LANGS, age_at, deid, deid_each, deid_one, examples

MONTHS = dict(cases(__file__, "months"))
WEEKDAYS = dict(cases(__file__, "weekdays"))
LAYOUTS = dict(cases(__file__, "layouts"))
days = st.dates(datetime.date(1930, 1, 1), datetime.date(2023, 12, 31))


def fields(lang):
    """Each field of a layout: how it is written, and a pattern that reads it."""
    months, weekdays = MONTHS[lang], WEEKDAYS[lang]
    return {
        "0d": (lambda d: f"{d.day:02}", r"(?P<d>\d\d)"),
        "0m": (lambda d: f"{d.month:02}", r"(?P<m>\d\d)"),
        "D": (lambda d: str(d.day), r"(?P<d>[1-9]\d?)"),
        "m": (lambda d: str(d.month), r"(?P<m>[1-9]\d?)"),
        "M": (lambda d: months[d.month - 1], f"(?P<M>{'|'.join(months)})"),
        "Y": (lambda d: f"{d.year:04}", r"(?P<Y>\d{4})"),
        "W": (lambda d: weekdays[d.weekday()], f"(?P<W>{'|'.join(weekdays)})"),
        "14:30": (lambda _: "14:30", r"\d\d:\d\d"),
    }


_FIELD = re.compile(r"\b(?:0d|0m|D|m|M|Y|W|14:30)\b")


def write(day, layout, lang):
    table = fields(lang)
    return _FIELD.sub(lambda m: table[m[0]][0](day), layout)


def read(text, layout, lang):
    """The date; fails if the text has another layout, language or weekday, or is no
    date of the calendar."""
    table, pattern, position = fields(lang), "", 0
    for match in _FIELD.finditer(layout):
        pattern += re.escape(layout[position : match.start()]) + table[match[0]][1]
        position = match.end()
    match = re.fullmatch(pattern + re.escape(layout[position:]), text)
    assert match, f"{text!r} is not written as {layout!r}"
    found = match.groupdict()
    if found.get("M"):
        found["m"] = MONTHS[lang].index(found["M"]) + 1
    day = datetime.date(int(found["Y"]), int(found["m"]), int(found["d"]))
    if found.get("W"):
        assert WEEKDAYS[lang][day.weekday()] == found["W"]
    return day


@examples(LANGS, rows=st.dictionaries(days, st.integers(0, 5), min_size=2, max_size=6))
def test_one_interval_in_every_layout(lang, rows, key):
    # A day above 12 tells the order of figures.
    rows = {**rows, datetime.date(2001, 5, 23): 4 if lang != "de" else 2}
    layouts = [LAYOUTS[lang][i % len(LAYOUTS[lang])] for i in rows.values()]
    texts = [write(day, layout, lang) for day, layout in zip(rows, layouts)]
    new = deid_each(lang, texts, "DATETIME", key=key)
    moved = [read(text, layout, lang) for text, layout in zip(new, layouts)]
    steps = [(b - a).days for a, b in zip(rows, moved)]
    # One that would be another original moves by some days more or less.
    most = max(steps, key=steps.count)
    assert most != 0 and all(abs(step - most) < 15 for step in steps)
    assert not set(new) & set(texts)


@examples(LANGS, first=days, gap=st.integers(1, 300))
def test_documents_of_a_subject_share_the_interval(lang, first, gap, key):
    layout = LAYOUTS[lang][0]
    second = first + datetime.timedelta(gap)
    moved = []
    for day in (first, second):
        parts = ["item: ", (write(day, layout, lang), "DATETIME"), f" {day:%j}"]
        moved.append(read(deid(lang, parts, key, "patient 7").texts[0], layout, lang))
    assert (moved[1] - moved[0]).days == gap and moved[0] != first


def test_documents_of_nobody_have_intervals_of_their_own():
    day = datetime.date(2011, 4, 9)
    text = write(day, "D M Y", "en")
    steps = set()
    for i in range(12):
        new = deid("en", [(text, "DATETIME"), f" in room {i}"]).texts[0]
        steps.add((read(new, "D M Y", "en") - day).days)
    assert len(steps) > 8


BORN = dict(cases(__file__, "born"))


def years(number):
    forms = "лет год года года года лет лет лет лет лет".split()
    return "лет" if number % 100 in range(11, 15) else forms[number % 10]


@examples(
    LANGS,
    born=st.dates(datetime.date(1930, 1, 1), datetime.date(1990, 12, 31)),
    lived=st.integers(20 * 366, 80 * 365),
)
def test_births_ages_and_dates_agree(lang, born, lived, key):
    day = born + datetime.timedelta(lived)
    assume(day.year < 2024)

    layout = LAYOUTS[lang][0]
    before, then, was, form = BORN[lang]
    age = age_at(born, day)
    text = form.format(age).replace("YEARS", years(age))
    parts = [before, (write(born, layout, lang), "DATETIME"), then]
    parts += [(write(day, layout, lang), "DATETIME"), was, (text, "DEM", "AGE"), "."]
    one, two, new = deid(lang, parts, key).texts
    number = int(re.search(r"\d+", new)[0])
    assert number == age_at(read(one, layout, lang), read(two, layout, lang)) != age
    assert new == form.format(number).replace("YEARS", years(number))


DURATIONS = dict(cases(__file__, "durations"))
TEN = dict(cases(__file__, "ten"))


@examples(LANGS, first=days, gap=st.integers(5, 12), words=st.booleans())
def test_durations_between_dates_stay_true(lang, first, gap, words, key):
    layout = LAYOUTS[lang][0]
    second = first + datetime.timedelta(gap)
    number = TEN[lang][gap - 2] if words else str(gap)
    text = DURATIONS[lang].format(number)
    parts = ["1) ", (write(first, layout, lang), "DATETIME"), " 2) "]
    parts += [(write(second, layout, lang), "DATETIME"), " = ", (text, "DATETIME"), "."]
    one, two, new = deid(lang, parts, key).texts
    assert (read(two, layout, lang) - read(one, layout, lang)).days == gap
    value, unit = new.split()
    value = int(value) if value.isdecimal() else TEN[lang].index(value) + 2
    assert value * (7 if unit[0] in "wWsн" else 1) == gap and new != text


PARTIAL = dict(cases(__file__, "partial"))


@examples(LANGS, first=st.integers(1930 * 12, 2023 * 12), gap=st.integers(1, 80))
def test_months_and_years_keep_their_distance(lang, first, gap, key):
    layout = PARTIAL[lang]

    def written(month):
        return write(datetime.date(month // 12, month % 12 + 1, 1), layout, lang)

    new = deid_each(lang, [written(first), written(first + gap)], "DATETIME", key=key)
    # The day is made up: `read` wants one.
    moved = [read(f"1 {text}", f"D {layout}", lang) for text in new]
    distance = [12 * d.year + d.month for d in moved]
    assert distance[1] - distance[0] == gap and distance[0] != first + 1


@examples(
    LANGS,
    start=st.integers(1930, 2020),
    gaps=st.lists(st.integers(1, 9), min_size=1, max_size=3),
)
def test_years_keep_order_and_distance(lang, start, gaps, key):
    old = [*accumulate([start, *gaps])]
    new = [int(t) for t in deid_each(lang, map(str, old), "DATETIME", key=key)]
    assert new == sorted({*new})
    if not set(new) & set(range(start - 3, old[-1] + 4)):
        assert [b - a for a, b in pairwise(new)] == gaps


SEASONS = dict(cases(__file__, "seasons"))


@examples(LANGS, data=st.data())
def test_seasons_stay_seasons(lang, data, key):
    form, names = SEASONS[lang]
    text = form.format(data.draw(st.sampled_from(names)))
    new = deid_one(lang, text, "DATETIME", key=key)
    pattern = form.format(f"(?:{'|'.join(names)})").replace("1987", r"\d{4}")
    assert re.fullmatch(pattern, new) and new != text


@pytest.mark.parametrize(
    "lang, head", [("en", "the following "), ("de", "am folgenden ")]
)
@examples(day=days, other=st.integers(0, 6))
def test_weekdays_alone_move_with_the_dates(lang, head, day, other, key):
    names, layout = WEEKDAYS[lang], LAYOUTS[lang][0]
    texts = [write(day, layout, lang), head + names[other]]
    date, alone = deid_each(lang, texts, "DATETIME", key=key)
    step = (read(date, layout, lang) - day).days
    if step % 7:
        assert alone == head + names[(other + step) % 7]


@examples(LANGS, hour=st.integers(0, 23), minute=st.integers(0, 59))
def test_times_stay_possible(lang, hour, minute, key):
    unit = {"de": " Uhr", "es": " h"}.get(lang, "")
    text = f"{hour:02}:{minute:02}{unit}"
    new = deid_one(lang, text, "DATETIME", "TIME", key=key)
    assert re.fullmatch(rf"([01]\d|2[0-3]):[0-5]\d{unit}", new) and new != text


@pytest.mark.parametrize(
    "lang, link",
    [("de", ".-"), ("de", ". bis "), ("ru", "-"), ("ru", " по "), ("es", " al ")],
)
@examples(last=days, nights=st.integers(1, 20))
def test_a_range_of_days_keeps_its_length(lang, link, last, nights, key):
    """What begins in the month of its end names it once."""
    assume(nights < last.day)
    sign = "/" if lang == "es" else "."
    end = f"{last:%d{sign}%m{sign}%Y}"
    text = f"{last.day - nights:02}{link}{end}"
    new = deid_one(lang, text, "DATETIME", key=key)
    since, until = new.split(link)
    moved = datetime.datetime.strptime(until, f"%d{sign}%m{sign}%Y")
    own = re.fullmatch(rf"(\d\d)(?:\{sign}(\d\d))?", since)
    first = moved - datetime.timedelta(nights)
    assert int(own[1]) == first.day and new != text
    assert own[2] == (None if first.month == moved.month else f"{first:%m}")


@pytest.mark.parametrize("lang, between", [("de", "., "), ("ru", ". в ")])
@examples(day=days)
def test_a_day_and_a_month_before_a_time_stay_such(lang, between, day, key):
    new = deid_one(lang, f"{day:%d.%m}{between}14:30", "DATETIME", key=key)
    date, time = new.split(between)
    datetime.datetime.strptime(f"{date}.2004 {time}", "%d.%m.%Y %H:%M")
    assert re.fullmatch(r"\d\d\.\d\d", date) and re.fullmatch(r"\d\d:\d\d", time)
