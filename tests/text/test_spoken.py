"""Numbers and letters as they are said: what is written is read again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.text.spoken import LANGUAGES, speech

from ..cases import cases

READ = speech("en")


@pytest.mark.parametrize("text, chars", cases(__file__, "read"))
def test_reads(text, chars):
    run = READ.read(text)
    assert run is not None and run.chars == chars
    assert run.start == 0 or text[: run.start].strip(" ,") in ("", "capital")


def test_refuses():
    for text in "four cats|Mark||uh, well|one two, buckle my shoe|a-b?c!d:e".split("|"):
        assert READ.read(text) is None
    with pytest.raises(ValueError, match="rewritten"):
        READ.write("four cats", "1")
    run = READ.read("night owl seven at outlook dot com", words=True)
    assert run is not None and run.chars == "nightowl7@outlook.com"


@pytest.mark.parametrize("text, chars, expected", cases(__file__, "written"))
def test_writes(text, chars, expected):
    assert READ.write(text, chars) == expected


def said(lang):
    """Texts that say digits, and ones that say letters."""
    said = sorted(speech(lang)._roles["digit"])
    digit = st.sampled_from(said) | st.sampled_from("0123456789")
    letter = st.sampled_from("abcdefghjklmnopqrstuvwxyz") | st.sampled_from("BCDFGKMR")
    pause = st.sampled_from([" ", ", ", "... ", " - "])

    def joined(atoms):
        return st.tuples(atoms, pause).map(lambda x: x[1].join(x[0]))

    digits = st.lists(digit, min_size=1, max_size=9)
    letters = st.lists(letter, min_size=2, max_size=9)
    return joined(digits) | joined(letters)


@pytest.mark.parametrize("lang", LANGUAGES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_round_trip(lang, data):
    words = speech(lang)
    text = data.draw(said(lang))
    run = words.read(text)
    assert run is not None
    digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyz"
    drawn = [digits if ch.isdigit() else letters for ch in run.compact]
    new = "".join(data.draw(st.sampled_from(chars)) for chars in drawn)
    # Said again as it was, and others in the same manner.
    assert words.read(words.write(text, run.compact)).compact == run.compact
    written = words.write(text, new)
    again = words.read(written)
    assert again is not None and again.compact == new
    more = data.draw(st.text(letters, min_size=1, max_size=12))
    if run.compact.isalpha():
        assert words.read(words.write(text, more)).compact == more


def test_neighbours_do_not_become_one_number():
    words = speech("en")
    text = "eight eight eight eight eighteen eight"
    for new in ("0000201", "1234305", "8888188"):
        assert words.read(words.write(text, new)).compact == new


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text(text):
    for run in READ.runs(text):
        last = -1
        for atom in run.atoms:
            assert last <= atom.start < atom.end <= len(text)
            last = atom.end
    read = READ.read(text)
    assert read is None or read.chars
