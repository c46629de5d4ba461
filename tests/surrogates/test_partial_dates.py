"""Partial dates in other languages than English: shifted within their form."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.surrogates.partial_dates import _WEEKDAYS, partial_layout


class Moved(NamedTuple):
    days: int = 0
    decades: int = 0


FRAMES = {
    "de": ["am kommenden {}", "letzten {}", "den darauffolgenden {}"],
    "es": ["el próximo {}", "el {} anterior", "este {}"],
}


@given(data=st.data(), days=st.integers(-4000, 4000))
def test_weekdays_move_with_the_dates(data, days):
    lang = data.draw(st.sampled_from(sorted(FRAMES)))
    frame = data.draw(st.sampled_from(FRAMES[lang]))
    index = data.draw(st.integers(0, 6))
    render = partial_layout(frame.format(_WEEKDAYS[lang][index]), lang)
    assert render(Moved(days)) == frame.format(_WEEKDAYS[lang][(index + days) % 7])


@pytest.mark.parametrize(
    "text, days, expected",
    [
        ("в прошлую пятницу", 3, "в прошлый понедельник"),
        ("в прошлый вторник", 1, "в прошлую среду"),
        ("в это воскресенье", 2, "в этот вторник"),
        ("в среду", 6, "во вторник"),
        ("до следующей субботы", 5, "до следующего четверга"),
    ],
)
def test_russian_weekdays_agree(text, days, expected):
    pytest.importorskip("pymorphy3")
    assert partial_layout(text, "ru")(Moved(days)) == expected


@pytest.mark.parametrize(
    "lang, text, expected",
    [
        ("de", "Anfang der 60er Jahre", "Anfang der 70er Jahre"),
        ("de", "Mitte der fünfziger Jahre", "Mitte der sechziger Jahre"),
        ("de", "den 1970ern", None),
        ("de", "im siebzehnten Jahrhundert", "im sechzehnten Jahrhundert"),
        ("es", "finales de los años cuarenta", "finales de los años cincuenta"),
        ("es", "la década de 1950", "la década de 1960"),
        ("es", "los 70", "los 80"),
        ("es", "siglo dieciocho", "siglo diecisiete"),
        ("ru", "начале 1960-х годов", "начале 1970-х годов"),
        ("ru", "сороковые годы", "пятидесятые годы"),
        ("ru", "XVIII столетия", "XVII столетия"),
        ("ru", "в семнадцатом веке", "в шестнадцатом веке"),
    ],
)
def test_decades_and_centuries_stay_what_they_are(lang, text, expected):
    render = partial_layout(text, lang)
    if expected is None:
        assert render is None or render(Moved(0, 1)) == "den 1980ern"
    else:
        assert render(Moved(0, 1)) == expected


@pytest.mark.parametrize(
    "lang, text",
    [
        ("de", "Mittwoch"),
        ("de", "Mittwoch, 5. Mai"),
        ("de", "achtziger"[:5]),
        ("es", "ochenta personas"),
        ("ru", "восьмидесятых"[:4]),
        ("ru", "X век Y"),
        ("en", "the following Monday"),
    ],
)
def test_everything_else_is_left_to_others(lang, text):
    assert partial_layout(text, lang) is None


@given(st.text(max_size=30), st.sampled_from(["de", "es", "ru"]))
def test_any_text(text, lang):
    render = partial_layout(text, lang)
    assert render is None or isinstance(render(Moved(5, 1)), str)
