"""Rivers stay rivers, villages in their country, and organisations what they are."""

from functools import cache

import pytest
import spacy

from spacy_deid.lang.base import LAND, pack_of
from spacy_deid.surrogates.sweep.spellings import kind_words


@cache
def pipeline(lang):
    nlp = spacy.blank(lang)
    nlp.add_pipe("pseudonymizer").set_key(b"of a test")
    return nlp


def run_in(lang, text, *spans):
    """The new text of one with these spans, in the order of the text."""
    doc, end, found = pipeline(lang).make_doc(text), 0, []
    for part, label in spans:
        start = text.index(part, end)
        end = start + len(part)
        found.append(doc.char_span(start, end, label, alignment_mode="expand"))
    doc.spans["pii"] = found
    return pipeline(lang)(doc)._.deid_text


def row_of(lang, name):
    found = pack_of(lang).lexicon().in_row(name, (LAND,))
    return [(f.lexeme.row, f.lexeme.home) for f in found]


def test_what_a_firm_made_up_is_no_kind():
    assert kind_words("Kreisjugendamt Mayen", "de") == {"Kreisjugendamt"}
    assert "Talwerk" not in kind_words("Talwerk GmbH", "de")


@pytest.mark.parametrize("lang", ["de", "es", "fr", "it", "ru"])
def test_rows_have_others_of_their_kind(lang):
    for row, names in pack_of(lang).lexicon().rows.items():
        if row.startswith(LAND):
            assert len({name.name for name in names}) > 3, row


@pytest.mark.parametrize("word", ["Kreisjugendamt", "Kantonsspital", "Grundschule"])
def test_compounds_of_the_vocabulary_say_what_an_organisation_is(word):
    assert pack_of("de").is_kind(word)
