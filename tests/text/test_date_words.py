import pytest

from spacy_deid.text.date_expressions import render
from spacy_deid.text.date_parts import Context, Shift
from spacy_deid.text.date_words import read_in_words

from ..cases import cases


def read(lang, text, days=100):
    parts = read_in_words(text, Context(lang))
    values = [part.value for part in parts or () if part.value]
    return values, parts and render(text, parts, Shift(days, 0))


@pytest.mark.parametrize("lang, text, value, new", cases(__file__, "dates"))
def test_a_date_in_words(lang, text, value, new):
    assert read(lang, text) == ([tuple(value)], new)


def test_a_range_a_day_alone_and_a_time():
    assert read("de", "zwanzigster bis siebenundzwanzigster Juli")[1] == (
        "achtundzwanzigster Oktober bis vierter November"
    )
    assert read("ru", "двенадцатого числа", 8)[1] == "двадцатого числа"
    assert read("de", "Donnerstag acht Uhr", 2)[1].startswith("Samstag ")


def test_what_counts_is_no_date():
    for lang, text in ("de", "dreißig Jahre"), ("en", "a second"), ("en", "twelve"):
        assert read(lang, text) == ([], None)
    assert read("es", "una tarde de mayo") == ([], None)
