"""Layouts of dates and times, all moved by one shift."""

import datetime
import re

import pytest

from spacy_deid.surrogates.base import WEEKDAYS
from spacy_deid.surrogates.numbers import ordinal_suffix
from spacy_deid.text.calendars import LANGUAGES, MONTHS
from spacy_deid.text.number_words import in_words, ordinal_in_words

from .marked import table_of

ROMANS = "I II III IV V VI VII VIII IX X XI XII".split()
ENGLISH = MONTHS["en"][0].split()


def moved(replace, texts, key):
    """New texts, and the date that the first of them ("2003-03-16") has become."""
    rows = []
    for i, text in enumerate(["2003-03-16", *texts]):
        before, _, text = text.rpartition("|")
        rows.append((text, "DATETIME", "", i, before, "." if before else ""))
    first, *out = replace(rows, key, forbidden=lambda _: False)
    return out, datetime.date.fromisoformat(first)


DAYS = {row["written"]: row["pattern"] for row in table_of("layouts.tsv")}


def fields(day):
    month = ENGLISH[day.month - 1].capitalize()
    return {
        "d": day.day, "m": day.month, "y": day.year,
        "dd": f"{day:%d}", "mm": f"{day:%m}", "yy": f"{day:%y}",
        "month": month, "MONTH": month.upper(), "mon": month[:3],
        "MON": month[:3].upper(), "roman": ROMANS[day.month - 1],
        "th": ordinal_suffix(day.day), "nth": ordinal_in_words(day.day),
        "weekday": WEEKDAYS[day.weekday()],
        "words": in_words(day.year, "two thousand and three"),
    }  # fmt: skip


@pytest.mark.parametrize("key", [b"a", b"d"])
def test_one_shift(replace, key):
    out, day = moved(replace, DAYS, key)
    assert abs((day - datetime.date(2003, 3, 16)).days) >= 30
    for text, pattern in zip(out, DAYS.values()):
        assert re.fullmatch(pattern.format(**fields(day)), text), (text, pattern)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "lt"])
def test_months_keep_their_language(replace, language, key):
    names = MONTHS[language][0].split()
    text = f"16 {names[2]} 2003"
    out, new = moved(replace, [text], key)
    day, month, year = out[0].split()
    assert (int(day), int(year)) == (new.day, new.year)
    # Names that languages share may go on in the one that comes first.
    rows = [row.split() for rows in MONTHS.values() for row in rows]
    assert month in [row[new.month - 1] for row in rows if names[2] in row]
