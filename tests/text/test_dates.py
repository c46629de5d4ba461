"""The reader of dates: values, what a shift makes of an expression, and what is none."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.data import table
from spacy_deid.lang.base import pack_of
from spacy_deid.text import dates
from spacy_deid.text.calendars import MONTHS, WEEKDAYS
from spacy_deid.text.date_expressions import read_expression, render
from spacy_deid.text.date_layouts import read_layout
from spacy_deid.text.date_parts import Context, Date, Shift, full_year, like_year
from spacy_deid.text.number_words import number_words

from ..cases import cases


def moved(text, shift, lang="en"):
    parts = dates.read_parts(text, Context(lang))
    return None if parts is None else render(text, parts, shift)


@pytest.mark.parametrize("lang, text, days, expected", cases(__file__, "year_left_out"))
def test_a_year_left_out_is_written_where_the_next_is_another(
    lang, text, days, expected
):
    assert moved(text, Shift(days, 0), lang) == expected


@given(
    day=st.dates(datetime.date(1932, 1, 1), datetime.date(2029, 12, 31)),
    lang=st.sampled_from(["en", "de", "es", "ru"]),
)
def test_a_date_reads_the_same_in_every_layout(day, lang):
    month = MONTHS[lang][0].split()[day.month - 1]
    month = month.capitalize() if lang in ("en", "de") else month
    y, parts = day.year, {"d": day.day, "m": day.month, "n": month}
    for layout in (
        "{d}/{m:02}/{y}|{d}.{m}.{y}|{d:02}/{m:02}/{s:02}|{y}-{m:02}-{d:02}|{d} {n} {y}|"
        "{y}{m:02}{d:02}"
    ).split("|"):
        text = layout.format(y=y, s=y % 100, **parts)
        assert dates.read_date(text, True) == Date(day.year, day.month, day.day), text


@given(
    st.sampled_from(("{d} {m} {y}", "{m} {d}, {y}", "{m} {y}", "{y}")),
    st.dates(datetime.date(1100, 1, 1), datetime.date(2150, 12, 31)),
    st.integers(-9000, 9000),
)
def test_plain_dates_move_as_the_grammar_moves_them(layout, day, days):
    month = MONTHS["en"][0].split()[day.month - 1].title()
    text = layout.format(d=day.day, m=month, y=day.year)
    plain = dates.read_parts(text, Context("en"))
    parts = read_expression(text, Context("en"))
    assert render(text, plain, Shift(days, 0)) == render(text, parts, Shift(days, 0))
    values = [value for part in parts if (value := part.value)]
    assert [part.value for part in plain] == values


def test_what_is_open_is_no_date():
    for text in "May 2001|6 May|1999||no date|31/02/2001|5/6 May 2001".split("|"):
        assert dates.read_date(text, True) is None, text
    assert dates.read_date("01/03/2001") is None
    assert dates.read_date("01/03/2001", False) == Date(2001, 1, 3)
    assert dates.read_date("13/03/2001").day == 13


def test_examples_of_layouts():
    for row in table("date_layouts"):
        part = read_layout(row["example"], Context())
        assert part is not None, row["example"]
        new = part.render(Shift(-400, 200))
        assert new != row["example"], new
        assert read_layout(new, Context()) is not None, new


def test_years_of_two_figures_have_one_rule():
    full = [full_year(y) for y in ("29", "30", "31", "'99", "1830")]
    assert full == [2029, 2030, 1931, 1999, 1830]
    assert dates.years_in("from 05/06/31 to 20300102 and 1999") == [1931, 1999, 2030]


def test_what_an_expression_names():
    assert dates.months_in("May and 3 dic") == [5, 12]
    assert dates.months_in("she may come") == []
    finer = [dates.is_finer_than_year(text) for text in ("summer 1999", "in 1999")]
    assert finer == [True, False]
    day, month = "13/01/2001", "01/13/2001"
    found = [dates.day_first(x) for x in ([day], [month], [day, month], ["1/2/2001"])]
    assert found == [True, False, None, None]


@given(data=st.data(), days=st.integers(-4000, 4000))
def test_weekdays_move_with_the_dates(data, days):
    lang, frame = data.draw(st.sampled_from(cases(__file__, "weekdays")))
    index = data.draw(st.integers(0, 6))
    names = WEEKDAYS[lang][0].split()
    names = [n.capitalize() for n in names] if lang == "de" else names
    new = moved(frame.format(names[index]), Shift(days, 0), lang)
    assert new == frame.format(names[(index + days) % 7])


@pytest.mark.parametrize("text, days, expected", cases(__file__, "russian_weekdays"))
def test_russian_weekdays_agree(text, days, expected):
    pytest.importorskip("pymorphy3")
    parts = pack_of("ru").read_date(text)
    assert render(text, parts, Shift(days, 0)) == expected


@pytest.mark.parametrize("lang, text, expected", cases(__file__, "decades"))
def test_decades_and_centuries_stay_what_they_are(lang, text, expected):
    assert moved(text, Shift(3700, 0), lang) == expected


@pytest.mark.parametrize("lang, text", cases(__file__, "left_to_others"))
def test_everything_else_is_left_to_others(lang, text):
    assert dates.read_parts(text, Context(lang)) is None


@given(st.text(max_size=30), st.sampled_from(["en", "de", "es", "ru"]))
def test_any_text(text, lang):
    new = moved(text, Shift(5, 1), lang)
    assert new is None or isinstance(new, str)
    assert dates.read_date(text) is None or dates.read_date(text).day


def test_years_in_words():
    words = number_words("en")
    for said, year in cases(__file__, "years in words"):
        assert words.read(said) == year
    for like in ("nineteen ninety-nine", "two thousand and one"):
        (said,) = words.find(like)
        for year in range(1890, 2060):
            assert words.read(words.say(year, said.form, like)) == year
    assert like_year("1999", 2001) == "2001"
