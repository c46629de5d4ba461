"""What is said is replaced in its own manner, and as one with what is written."""

import re

import pytest

from spacy_deid.surrogates.spoken import Said
from spacy_deid.text.spoken import speech

READ = speech("en").read


def chars(text):
    run = READ(text)
    assert run is not None, text
    return run.compact


@pytest.mark.parametrize("key", [b"1", b"2", b"3", b"4"])
def test_pieces_make_one_number(replace, key):
    pieces = ["six one two", "Six One Two", "five five five, uh, oh one four two"]
    whole = ("612-555-0142", "CODE", "PHONE", 1)
    new = replace([*((p, "CODE", "PHONE", 1) for p in pieces), whole], key)
    digits = re.sub(r"\D", "", new[3])
    assert chars(new[0]) + chars(new[2]) == digits != "6125550142"
    assert chars(new[1]) == chars(new[0]) and new[1].istitle()
    assert ", uh, " in new[2] and new[3].count("-") == 2
    # Out of order, without the whole.
    new = replace(
        [("4417", "CODE", "CARD", 1), ("double five, oh", "CODE", "CARD", 1)], key
    )
    assert new[0].isdigit() and len(new[0]) == 4 and len(chars(new[1])) == 3


def test_kinds_of_numbers(replace):
    for key in (b"1", b"2", b"3"):
        ssn = "two one nine, oh nine, double nine double eight"
        (new,) = replace([(ssn, "CODE", "NATIONAL_ID", 1)], key)
        # Never issued, as one that is written.
        assert chars(new).startswith("9") and len(chars(new)) == 9
        (new,) = replace([("A B four four, one", "CODE", "RECORD_NUMBER", 1)], key)
        assert re.fullmatch(r"[a-z]{2}\d{3}", chars(new)) and new[:4].count(" ") == 2
        (new,) = replace([("S W one A, two A A", "LOC", "POSTCODE", 1)], key)
        assert len(chars(new)) == 7 and chars(new) != "sw1a2aa"
        street, house = replace(
            [("Larch Street", "LOC", "ADDRESS", 1), ("twelve", "LOC", "ADDRESS", 1)],
            key,
        )
        assert (
            street.endswith("Street") and chars(house).isdigit() and house != "twelve"
        )


def test_spelled_names(replace):
    for key in (b"1", b"2", b"3"):
        full, letters = replace(
            [
                ("Marta Kowalczyk", "PERSON", "", 1),
                ("K-O-W-A-L-C-Z-Y-K", "PERSON", "", 1),
            ],
            key,
        )
        assert letters.replace("-", "").lower() == full.split()[-1].lower()
        (letters,) = replace([("M, a, r, k", "PERSON", "GIVEN_NAME", 1)], key)
        assert re.fullmatch(r"[A-Z](?:, [a-z])+", letters) and chars(letters) != "mark"
        first, part, last, whole = replace(
            [
                ("M, E, N, D, I", "PERSON", "", 1),
                ("Mendi", "PERSON", "", 1),
                ("Z, A, B, A, L", "PERSON", "", 1),
                ("Mendizabal", "PERSON", "", 1),
            ],
            key,
        )
        assert chars(first) + chars(last) == whole.lower()
        assert chars(first) == part.lower()


@pytest.mark.parametrize("key", [b"1", b"2", b"3"])
def test_names_in_words_for_letters(replace, key):
    """One letter told by a word, and all of them; a piece that cannot be said without
    an original leaves the others as they are."""
    said = "Juliett, Oscar, Uniform, November, India"
    spelt, letter, plain = replace(
        [
            (said, "PERSON", "", 1),
            ("J for jug", "PERSON", "", 1),
            ("Jouni", "PERSON", "", 1),
        ],
        key,
    )
    assert chars(spelt) == plain.lower()
    assert letter == "[PERSON]" or chars(letter) == plain[0].lower()


def test_addresses_on_the_net(replace):
    mentions = [("nightowl seven at outlook dot com", "CODE", "EMAIL", 1)]
    for key in (b"1", b"2", b"3"):
        (new,) = replace(mentions, key)
        assert re.fullmatch(r"[a-z]+ [a-z]+ at example dot (com|org|net)", new)
        assert "owl" not in new and "outlook" not in new
        (new,) = replace([("nightowl7, at outlook", "CODE", "EMAIL", 1)], key)
        assert re.fullmatch(r"[a-z]+\d, at example", new)
        (new,) = replace([("night owl seven", "CODE", "USERNAME", 1)], key)
        assert re.fullmatch(r"[a-z]+ (?:[a-z]+ )?[a-z]+", new) and "owl" not in new


def test_days(replace):
    for key in (b"1", b"2", b"3"):
        (new,) = replace(
            [("oh three, oh five, eighty-four", "DATETIME", "DATE", 1)], key
        )
        assert len(chars(new)) == 6 and chars(new) != "030584"
        (new,) = replace([("the 14th of Febuary 1987", "DATETIME", "DATE", 1)], key)
        assert "Febuary" not in new and re.search(r"of [A-Z][a-z]+ (19|20)\d\d$", new)
        (new,) = replace(
            [("the tuesday after Easter 1994", "DATETIME", "DATE", 1)], key
        )
        assert new.startswith("the tuesday after ") and "Easter" not in new


def test_what_is_not_said_stays_written(make_mention):
    for text, label, subtype in (
        ("612-555-0142", "CODE", "PHONE"),
        ("J. R. R.", "PERSON", ""),
        ("Oscar", "PERSON", ""),
        ("k.d", "CODE", "USERNAME"),
        ("nineteen eighty-four", "DATETIME", "YEAR"),
        ("x at y", "CODE", "URL"),
        ("two cats", "CODE", ""),
    ):
        said = Said([make_mention(text, label, subtype)], "en")
        assert [m.text for m in said.written()] == [text]


def test_unreadable_whole_is_a_placeholder():
    class Draws:
        @staticmethod
        def forbidden(_):
            return False

    said = Said([mention("four four seven", "CODE", "PHONE")], "en")
    assert said.said(["12"], Draws) == ["[PHONE]"]


def mention(text, label, subtype, entity=1):
    from spacy_deid.surrogates.base import Mention

    return Mention(text, label, subtype, entity)


@pytest.fixture
def make_mention():
    return mention
