"""Rivers stay rivers, villages in their country, and organisations what they are."""

import pytest

from spacy_deid.lang.base import LAND, pack_of
from spacy_deid.surrogates.sweep.spellings import kind_words


def test_what_a_firm_made_up_is_no_kind():
    assert kind_words("Kreisjugendamt Mayen", "de") == {"Kreisjugendamt"}
    assert "Talwerk" not in kind_words("Talwerk GmbH", "de")


def test_rows_have_others_of_their_kind():
    for lang in ("de", "es", "fr", "it", "ru"):
        for row, names in pack_of(lang).lexicon().rows.items():
            if row.startswith(LAND):
                assert len({name.name for name in names}) > 3, row


@pytest.mark.parametrize("word", ["Kreisjugendamt", "Kantonsspital", "Grundschule"])
def test_compounds_of_the_vocabulary_say_what_an_organisation_is(word):
    assert pack_of("de").is_kind(word)
