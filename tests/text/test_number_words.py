import pytest

from spacy_deid.text.number_words import number_words


@pytest.mark.parametrize(
    ("lang", "text", "value", "more"),
    [
        ("de", "zwoundsiebzig", 72, "vierundsiebzig"),
        ("de", "neunzehnten", 19, "einundzwanzigsten"),
        ("de", "Neunzehnhundertachtundneunzig", 1998, "Zweitausend"),
        ("en", "the twenty-first", 21, "twenty-third"),
        ("en", "two thousand and one", 2001, "two thousand and three"),
        ("es", "mil novecientos cincuenta y siete", 1957, "mil novecientos cincuenta y nueve"),
        ("fr", "mil neuf cent soixante-dix", 1970, "mil neuf cent soixante-douze"),
        ("it", "millenovecentosettanta", 1970, "millenovecentosettantadue"),
        ("ru", "сорок третьем", 43, "сорок пятом"),
        ("ru", "девятнадцати", 19, "двадцати одного"),
        ("ru", "две тысячи двадцать третьего", 2023, "две тысячи двадцать пятого"),
    ],
)  # fmt: skip
def test_a_number_is_read_and_another_said_in_its_form(lang, text, value, more):
    words = number_words(lang)
    (said,) = words.find(text)
    assert said.value == value
    assert words.say(value + 2, said.form, text[said.start : said.end]) == more


@pytest.mark.parametrize(
    ("lang", "text"),
    [("es", "una tarde"), ("de", "ein Tag"), ("xx", "zwei"), ("en", "")],
)
def test_an_article_is_no_number(lang, text):
    assert number_words(lang).find(text) == []
