"""What organisations are, and which words say so."""

from spacy_deid.lang.base import LAND, pack_of
from spacy_deid.surrogates.sweep.spellings import kind_words


def test_the_article_tells_which_vague_word():
    for lang, before, gender in (
        ("de", "bei einem ", "n"), ("es", "en las ", "fs"), ("fr", "une ", "f"), ("it", "i ", "ms"),
    ):  # fmt: skip
        words = pack_of(lang).words["institutions"]
        assert next(iter(pack_of(lang).institutions(before))) == words[gender]


def test_what_a_firm_made_up_is_no_kind():
    assert kind_words("Kreisjugendamt Mayen", "de") == {"Kreisjugendamt"}
    assert "Talwerk" not in kind_words("Talwerk GmbH", "de")
    # Compounds of the vocabulary say it, too.
    assert all(
        map(pack_of("de").is_kind, "Kreisjugendamt Kantonsspital Grundschule".split())
    )


def test_rows_have_others_of_their_kind():
    for lang in ("de", "es", "fr", "it", "ru"):
        for row, names in pack_of(lang).lexicon().rows.items():
            if row.startswith(LAND):
                assert len({name.name for name in names}) > 3, row
