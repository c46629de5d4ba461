"""What a reader of the output would stumble over."""

import datetime
import random
import re

from spacy_deid.surrogates.things import coined


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


def test_dates_are_what_they_would_be_without_a_weekday_in_a_title(replace, key):
    title = ("Friday", "DATETIME", "WEEKDAY", 0, "a Black ", " sale")
    date = ("3 May 1990", "DATETIME", "DATE", 1, "on ", ",")
    assert replace([title, date], key)[1:] == replace([date], key)


def test_a_coined_name_has_no_word_of_the_old_one():
    rng = random.Random(3)
    assert not any("ton" in coined("Burton", rng).lower() for _ in range(2000))
    # What a text has of all words can't be left out.
    assert coined(" ".join(coined("", rng) for _ in range(9999)), rng)
