"""Numbers and letters as they are said: what is written is read again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.text.spoken import LANGUAGES, speech

READ = speech("en")
EXAMPLES = {
    "four four seven": "447",
    "double four, oh": "440",
    "triple nine": "999",
    "fifty-five twelve": "5512",
    "fifty five, twelve": "5512",
    "oh seven seven double oh, nine hundred": "07700900",
    "one eight hundred and five": "1805",
    "6 1 2, five 5 five": "612555",
    "four, uh, let me see, four": "44",
    "four (pause) four [laughs] one": "441",
    "four seven,\n[00:12] Agent: yes?\nCaller: eight": "478",
    "M-A-R-K": "mark",
    "M, a, r, k": "mark",
    "m a r k": "mark",
    "double L, zed": "llz",
    "S for sugar, m as in Mike, capital B": "smb",
    "Sierra Hotel x-ray": "shx",
    "A B one two": "ab12",
    "four dash four slash one": "4-4/1",
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_reads(text):
    run = READ.read(text)
    assert run is not None and run.chars == EXAMPLES[text]
    assert run.start == 0 or text[: run.start].strip(" ,") in ("", "capital")
    for atom in run.atoms:
        assert 0 <= atom.start < atom.end <= len(text)


def test_refuses():
    for text in (
        "four cats",
        "Mark",
        "",
        "uh, well",
        "one two, buckle my shoe",
        "a-b?c!d:e",
    ):
        assert READ.read(text) is None
    with pytest.raises(ValueError, match="rewritten"):
        READ.write("four cats", "1")
    run = READ.read("night owl seven at outlook dot com", words=True)
    assert run is not None and run.chars == "nightowl7@outlook.com"


WRITTEN = [
    ("four four seven, uh, double eight", "12355", "one two three, uh, double five"),
    ("double eight", "12", "one two"),
    ("Four oh one", "900", "Nine oh oh"),
    ("fifty-five twelve", "0523", "zero five twenty-three"),
    ("eight hundred", "500", "five hundred"),
    ("6 one 2", "483", "4 eight 3"),
    ("M, a, r, k", "anne", "A, n, n, e"),
    ("M, a, r, k", "li", "L, i"),
    ("M-A-R-K", "susan", "S-U-S-A-N"),
    ("S for sugar, m as in Mike", "tb", "T for tango, b as in Bravo"),
    ("sierra mike", "tb", "tango bravo"),
    ("KILO LIMA", "ab", "ALPHA BRAVO"),
    ("Double four", "12", "One two"),
    ("X-ray Mike", "ab", "Alpha Bravo"),
    ("A B one two", "xy34", "X Y three four"),
]


@pytest.mark.parametrize("text, chars, expected", WRITTEN)
def test_writes(text, chars, expected):
    assert READ.write(text, chars) == expected


def said(lang):
    """Texts that say digits, and ones that say letters."""
    words = speech(lang)
    digit = st.sampled_from(sorted(words._roles["digit"])) | st.sampled_from(
        "0123456789"
    )
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
    new = "".join(
        data.draw(st.sampled_from(digits if ch.isdigit() else letters))
        for ch in run.compact
    )
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
