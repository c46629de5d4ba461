import pytest

from spacy_deid.text.number_words import number_words

from ..cases import cases


@pytest.mark.parametrize("lang, text, value, more", cases(__file__, "said"))
def test_a_number_is_read_and_another_said_in_its_form(lang, text, value, more):
    words = number_words(lang)
    (said,) = words.find(text)
    assert said.value == value
    assert words.say(value + 2, said.form, text[said.start : said.end]) == more


def test_an_article_is_no_number():
    texts = {"es": "una tarde", "de": "ein Tag", "xx": "zwei", "en": ""}
    for lang, text in texts.items():
        assert number_words(lang).find(text) == []
