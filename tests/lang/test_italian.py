"""Italian sentences, whose countries and people read as Italian ones afterwards."""

import pytest

from spacy_deid.lang.base import pack_of

from ..surrogates.marked import fitted


@pytest.mark.parametrize("key", [b"1", b"2", b"3"])
def test_words_agree_with_what_stands_around_them(key):
    match = fitted(
        "Una donna <<francese|DEM.NATIONALITY>> vive in <<Francia|LOC.COUNTRY>>, poi "
        "negli <<Stati Uniti|LOC.COUNTRY>>.",
        r"Una donna (\w+[ae]) vive in ([\w ]+), poi negli Emirati Arabi Uniti\.",
        "it",
        key,
    )
    (adjective,) = pack_of("it").lexicon().at_home("adj", match[2])
    assert match[1] == adjective.forms["f"]
