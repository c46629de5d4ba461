import pytest

from spacy_deid.text.date_expressions import render
from spacy_deid.text.date_parts import Context, Shift
from spacy_deid.text.date_words import read_in_words


def read(lang, text, days=100):
    parts = read_in_words(text, Context(lang))
    values = [part.value for part in parts or () if part.value]
    return values, parts and render(text, parts, Shift(days, 0))


@pytest.mark.parametrize(
    ("lang", "text", "value", "new"),
    [
        ("de", "dreizehnter fünfter siebenundvierzig", (1947, 5, 13), "einundzwanzigster achter siebenundvierzig"),
        ("de", "zwölfter september einundneunzig", (1991, 9, 12), "einundzwanzigster dezember einundneunzig"),
        ("de", "Zwotausendsechzehn", (2016,), "Zwotausendsiebzehn"),
        ("en", "second of the second, sixty-two", (1962, 2, 2), "thirteenth of the fifth, sixty-two"),
        ("es", "doce de diciembre del setenta", (1970, 12, 12), "veintidós de marzo del setenta y uno"),
        ("es", "Veintitrés de septiembre", (2003, 9, 23), "Primero de enero"),
        ("ru", "девятое ноября семьдесят второго", (1972, 11, 9), "семнадцатое февраля семьдесят третьего"),
    ],
)  # fmt: skip
def test_a_date_in_words(lang, text, value, new):
    assert read(lang, text) == ([value], new)


def test_a_range_a_day_alone_and_a_time():
    assert read("de", "zwanzigster bis siebenundzwanzigster Juli")[1] == (
        "achtundzwanzigster Oktober bis vierter November"
    )
    assert read("ru", "двенадцатого числа", 8)[1] == "двадцатого числа"
    assert read("de", "Donnerstag acht Uhr", 2)[1].startswith("Samstag ")


@pytest.mark.parametrize(
    ("lang", "text"),
    [("de", "dreißig Jahre"), ("en", "a second"), ("en", "twelve"), ("es", "una tarde de mayo")],
)  # fmt: skip
def test_what_counts_is_no_date(lang, text):
    assert read(lang, text) == ([], None)
