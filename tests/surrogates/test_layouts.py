"""Layouts of dates and times, all moved by one shift."""

import datetime
import re

import pytest

from spacy_deid.surrogates.base import WEEKDAYS
from spacy_deid.surrogates.numbers import ordinal_suffix
from spacy_deid.text.calendars import LANGUAGES, MONTHS
from spacy_deid.text.number_words import in_words, ordinal_in_words

KEYS = [b"a", b"d"]
ROMANS = "I II III IV V VI VII VIII IX X XI XII".split()
ENGLISH = MONTHS["en"][0].split()


@pytest.fixture(params=KEYS)
def key(request):
    return request.param


def moved(replace, texts, key):
    """New texts, and the date that the first of them ("2003-03-16") has become."""
    rows = []
    for i, text in enumerate(["2003-03-16", *texts]):
        before, _, text = text.rpartition("|")
        rows.append((text, "DATETIME", "", i, before, "." if before else ""))
    first, *out = replace(rows, key, forbidden=lambda _: False)
    return out, datetime.date.fromisoformat(first)


# One day, and the pattern of another one that is written alike.
DAYS = {
    "16 March 2003": r"{d} {month} {y}",
    "16 MARCH 2003": r"{d} {MONTH} {y}",
    "March 16th, 2003": r"{month} {d}{th}, {y}",
    "the 16th of March 2003": r"the {d}{th} of {month} {y}",
    "Sunday, 16 March 2003": r"{weekday}, {d} {month} {y}",
    "the sixteenth of March two thousand and three": r"the {nth} of {month} {words}",
    "16/03/2003": r"{dd}/{mm}/{y}",
    "16/03/03": r"{dd}/{mm}/{yy}",
    "16.3.2003": r"{d}\.{m}\.{y}",
    "16 03 2003": r"{dd} {mm} {y}",
    "2003-03-16": r"{y}-{mm}-{dd}",
    "2003:03:16": r"{y}:{mm}:{dd}",
    "20030316": r"{y}{mm}{dd}",
    "2003年3月16日": r"{y}年{m}月{d}日",
    "16.III.2003": r"{dd}\.{roman}\.{y}",
    "16.III": r"{dd}\.{roman}",
    "16MAR03": r"{dd}{MON}[A-Z]*{yy}",
    "16Mar2003": r"{dd}{mon}[a-z]*{y}",
    "2003-Mar-16": r"{y}-{mon}[a-z]*-{dd}",
    "16/Mar/2003": r"{dd}/{mon}[a-z]*/{y}",
    "Mar/16/2003": r"{mon}[a-z]*/{dd}/{y}",
    "2003-03-16T12:30:00Z": r"{y}-{mm}-{dd}T\d\d:\d\d:00Z",
    "20030316T134502Z": r"{y}{mm}{dd}T\d+Z",
    "20030316134502": r"{y}{mm}{dd}\d\d\d\d\d\d",
    "2003-03-16 13:45 EDT": r"{y}-{mm}-{dd} \d\d:\d\d EDT",
}


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


def test_one_shift(replace, key):
    out, day = moved(replace, DAYS, key)
    assert abs((day - datetime.date(2003, 3, 16)).days) >= 30
    for text, pattern in zip(out, DAYS.values()):
        assert re.fullmatch(pattern.format(**fields(day)), text), (text, pattern)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "lt"])
def test_months_keep_their_language(replace, language):
    names = MONTHS[language][0].split()
    text = f"16 {names[2]} 2003"
    for key in KEYS:
        out, new = moved(replace, [text], key)
        day, month, year = out[0].split()
        assert (int(day), int(year)) == (new.day, new.year)
        # Names that languages share may go on in the one that comes first.
        rows = [row.split() for rows in MONTHS.values() for row in rows]
        assert month in [row[new.month - 1] for row in rows if names[2] in row]


@pytest.mark.parametrize(
    "text",
    [
        "2003-W60", "99.XII.2003", "31FEB03", "999999", "99/99/9999", "31/02/2001",
        "Battle of Hastings 1066", "Christmas Eve",
    ],
)  # fmt: skip
def test_what_is_no_date_is_still_replaced(replace, text):
    [new], _ = moved(replace, [text], b"a")
    assert new and new != text and "Hastings" not in new
