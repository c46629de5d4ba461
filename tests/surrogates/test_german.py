"""German surrogates as a native reader sees them: relations, not fixed words."""

import pytest

from spacy_deid.lang.base import pack_of
from spacy_deid.lang.de.persons import split_genitive
from spacy_deid.lang.de.words import lexicon
from spacy_deid.text.date_expressions import render
from spacy_deid.text.date_parts import Context, Shift
from spacy_deid.text.dates import read_parts


def test_the_genitive_is_told_from_names():
    known = frozenset({"muller", "thomas"})
    assert split_genitive("Müllers", known) == ("Müller", "s")
    assert split_genitive("Thomas", known) == ("Thomas", "")
    assert split_genitive("Peters", known) == ("Peters", "")


def test_all_words_of_the_lexicon_have_forms():
    for row, lexemes in lexicon().rows.items():
        for lexeme in lexemes:
            assert lexeme.forms and all(lexeme.forms.values()), (row, lexeme.name)


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "Sommer"), ("es", "winter"), ("de", "winters")]
)
def test_seasons_of_other_languages_are_other_words(lang, text):
    parts = read_parts(f"{text} 1999", Context(lang)) or ()
    new = render(f"{text} 1999", parts, Shift(days=91, minutes=0))
    assert new is None or new.startswith(text)


@pytest.mark.parametrize("old", ["pensionierter Tierarzt", "Oberstudienrat a. D."])
def test_nouns_of_phrases_become_no_towns(replace_in, key, old):
    [new] = replace_in("de", [(old, "DEM", "OCCUPATION")], key)
    assert new != old and not any(
        lexicon().in_row(word, ("city",)) for word in new.split()
    )
    assert lexicon().in_row(new, ("term:OCCUPATION:",))


def test_a_term_that_holds_another_is_the_last_choice(replace_in, key):
    [new] = replace_in("de", [("Wirtin", "DEM", "OCCUPATION")], key, lambda _: False)
    assert "wirtin" not in new.lower()


def test_words_of_one_row_have_every_form():
    for row in pack_of("de").rows("terms"):
        words = row["words"].split(",")
        assert len(words) > 1 and len(words) == len(set(words)), row["words"]
        endings = row["endings"].split()
        for word in words if endings[0] == "-" else ():
            assert not (endings == ["-", "n"] and word[-1] not in "elr"), word
            assert not (endings == ["-", "en"] and word[-1] in "es"), word
            bare = "s" in endings and "es" not in endings
            assert not (bare and word[-1] in "sßxz"), word
