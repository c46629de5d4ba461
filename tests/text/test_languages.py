from spacy_deid.text.languages import language_of

from ..cases import cases

TEXTS = dict(cases(__file__, "texts"))


def test_languages_of_texts():
    assert {lang: language_of(text) for lang, text in TEXTS.items()} == {
        n: n for n in TEXTS
    }
    # Long texts are read to a part, and nothing is said of what is too short.
    assert language_of(TEXTS["de"] * 10 + "я" * 10**6) == "de"
    for text in ("", "OK", "Jürgen Müller, Köln", "bp 120/80 hr 72", "1234 5678 " * 50):
        assert language_of(text) == ""
