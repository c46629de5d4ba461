"""What a reader of the output would stumble over."""

import datetime
import random
import re

import pytest

from spacy_deid.surrogates.base import WEEKDAYS
from spacy_deid.surrogates.things import coined

from .properties import deid

KEYS = [b"a", b"b", b"c", b"d", b"e", b"f"]


@pytest.mark.parametrize("box", ["P.O. Box", "PO Box", "P. O. Box"])
@pytest.mark.parametrize("key", ["a", "b", "c"])
def test_a_post_box_stays_one(box, key):
    """Its words are no street that must not be left."""
    address = f"{box} 118, Leeds LS1 9XX"
    parts = ["Write to ", (address, "LOC", "ADDRESS"), f" or to {box} 77."]
    new = deid("en", parts, key)
    match = re.fullmatch(
        rf"{re.escape(box)} \d+, (.+) ([A-Z]{{1,2}}\d\w? \d[A-Z]{{2}})", new.texts[0]
    )
    assert match and match[1] != "Leeds" and match[2] != "LS1 9XX"
    assert new.whole.endswith(f" or to {box} 77.")


@pytest.mark.parametrize("key", KEYS)
def test_headers_of_messages_stay_possible(replace, key):
    rows = [
        ("Tue, 18 Jun 2024 16:42:07 +0200", "DATETIME", "", 0, "Date: "),
        ("48801,2024-02-05T08:14:00", "DATETIME", "", 1, ""),
    ]
    out = replace(rows, key)
    new = datetime.datetime.strptime(out[0], "%a, %d %b %Y %H:%M:%S %z")
    assert out[0].startswith(new.strftime("%a, "))
    stamp = re.search(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", out[1])
    assert datetime.datetime.fromisoformat(stamp.group())


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "before, text, after",
    [
        ("we watched ", "Friday", " Night Lights together"),
        ("the song “", "Monday", " Monday”"),
        ("a Black ", "Friday", " sale"),
        ("for Sheffield ", "Wednesday", " again"),
    ],
)
def test_a_weekday_in_a_title_is_no_date(replace, key, before, text, after):
    rows = [
        (text, "DATETIME", "WEEKDAY", 0, before, after),
        ("3 May 1990", "DATETIME", "DATE", 1, "on ", ","),
    ]
    new, date = replace(rows, key)
    assert new not in WEEKDAYS and new.isalpha() and new[0].isupper()
    # The dates beside it are what they would be without it.
    assert date == replace(rows[1:], key)[0]


def test_a_coined_name_has_no_word_of_the_old_one():
    rng = random.Random(3)
    assert not any("jar" in coined("Night-jar", rng).lower() for _ in range(2000))
    # What a text has of all words can't be left out.
    assert coined(" ".join(coined("", rng) for _ in range(9999)), rng)
