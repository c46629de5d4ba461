"""Organisations that nothing names give way to others of their kind, in their form."""

import pytest

from spacy_deid.lang.base import pack_of

from .properties import deid


def test_names_in_small_letters_are_none():
    # "tesco" is in no lexicon: a name where a name was.
    parts = ["i work at ", ("tesco", "ORG"), " now"]
    assert deid("en", parts, "key").texts[0] not in ("agency", "bureau", "office")


@pytest.mark.parametrize(
    "lang, before, gender",
    [("de", "bei einem ", "n"), ("es", "en las ", "fs"), ("fr", "une ", "f"), ("it", "i ", "ms")],
)  # fmt: skip
def test_the_article_tells_which_vague_word(lang, before, gender):
    pack = pack_of(lang)
    assert next(iter(pack.institutions(before))) == pack.words["institutions"][gender]
