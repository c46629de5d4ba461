"""What is said is replaced in its own manner, and as one with what is written."""

import re
from types import SimpleNamespace

import pytest

from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.spoken import Said
from spacy_deid.text.spoken import speech

from ..cases import cases

READ = speech("en").read


def chars(text):
    run = READ(text)
    assert run is not None, text
    return run.compact


def test_pieces_make_one_number(replace, key):
    pieces = ["six one two", "Six One Two", "five five five, uh, oh one four two"]
    whole = ("612-555-0142", "CODE", "PHONE", 1)
    new = replace([*((p, "CODE", "PHONE", 1) for p in pieces), whole], key)
    digits = re.sub(r"\D", "", new[3])
    assert chars(new[0]) + chars(new[2]) == digits != "6125550142"
    assert chars(new[1]) == chars(new[0]) and new[1].istitle()
    assert ", uh, " in new[2] and new[3].count("-") == 2
    # Out of order, without the whole.
    new = replace([(x, "CODE", "CARD", 1) for x in ("4417", "double five, oh")], key)
    assert new[0].isdigit() and len(new[0]) == 4 and len(chars(new[1])) == 3


@pytest.mark.parametrize("text, label, subtype, pattern", cases(__file__, "kinds"))
def test_kinds_of_numbers(replace, key, text, label, subtype, pattern):
    (new,) = replace([(text, label, subtype, 1)], key)
    assert re.fullmatch(pattern, chars(new))
    assert subtype != "RECORD_NUMBER" or new[:4].count(" ") == 2


def persons(*texts):
    return [(text, "PERSON", "", 1) for text in texts]


def test_houses_in_words(replace, key):
    rows = [(text, "LOC", "ADDRESS", 1) for text in ("Larch Street", "twelve")]
    street, house = replace(rows, key)
    assert street.endswith("Street") and chars(house).isdigit() and house != "twelve"


def test_spelled_names(replace, key):
    full, letters = replace(persons("Marta Kowalczyk", "K-O-W-A-L-C-Z-Y-K"), key)
    assert letters.replace("-", "").lower() == full.split()[-1].lower()
    (letters,) = replace([("M, a, r, k", "PERSON", "GIVEN_NAME", 1)], key)
    assert re.fullmatch(r"[A-Z](?:, [a-z])+", letters) and chars(letters) != "mark"
    pieces = persons("M, E, N, D, I", "Mendi", "Z, A, B, A, L", "Mendizabal")
    first, part, last, whole = replace(pieces, key)
    assert chars(first) + chars(last) == whole.lower()
    assert chars(first) == part.lower()


def test_names_in_words_for_letters(replace, key):
    """One letter told by a word, and all of them; a piece that cannot be said without
    an original leaves the others as they are."""
    texts = "Juliett, Oscar, Uniform, November, India", "J for jug", "Jouni"
    spelt, letter, plain = replace(persons(*texts), key)
    assert chars(spelt) == plain.lower()
    assert letter == "[PERSON]" or chars(letter) == plain[0].lower()


def test_what_is_not_said_stays_written():
    for text, label, subtype in cases(__file__, "written"):
        said = Said([Mention(text, label, subtype, 1)], "en")
        assert [m.text for m in said.written()] == [text]


def test_unreadable_whole_is_a_placeholder():
    said = Said([Mention("four four seven", "CODE", "PHONE", 1)], "en")
    draws = SimpleNamespace(forbidden=lambda _: False)
    assert said.said(["12"], draws) == ["[PHONE]"]
