import re

from spacy_deid.surrogates.consistency import KeySource


def test_a_key_is_made(deid):
    made = [deid("key").stdout.strip() for _ in range(2)]
    assert made[0] != made[1]
    for key in made:
        assert re.fullmatch(r"[\w-]{43}", key)
        source = KeySource()
        source.set(key)
        # Used as it is, at no cost.
        assert source.get() == key.encode()
