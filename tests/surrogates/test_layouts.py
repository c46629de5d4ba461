"""Layouts of dates beyond figures and English names, all moved by one shift."""

import datetime
import re

import pytest

from spacy_deid.text.calendars import LANGUAGES, MONTHS
from spacy_deid.text.number_words import number_words

KEYS = [b"a", b"d"]
ROMANS = "I II III IV V VI VII VIII IX X XI XII".split()
ENGLISH = MONTHS["en"][0].split()


@pytest.fixture(params=KEYS)
def key(request):
    return request.param


def moved(replace, texts, key):
    """New texts, and the date that the first of them ("2003-05-16") has become."""
    rows = [(t, "DATETIME", "", i) for i, t in enumerate(["2003-05-16", *texts])]
    first, *out = replace(rows, key, forbidden=lambda _: False)
    return out, datetime.date.fromisoformat(first)


def test_one_shift(replace, key):
    texts = [
        "16MAY03", "16May2003", "16.V.2003", "2003年5月16日", "20030516T134502Z",
        "2003:05:16", "16 05 2003", "2003-May-16", "16/May/2003", "May/16/2003",
        "the sixteenth of May two thousand and three",
        "the 16th of May 2003", "20030516134502", "16.V", "2003-05-16 13:45 EDT",
    ]  # fmt: skip
    out, new = moved(replace, texts, key)
    month = ENGLISH[new.month - 1].capitalize()
    short = re.fullmatch(r"(\d\d)([A-Z]+)(\d\d)", out[0])
    assert int(short[1]) == new.day and int(short[3]) == new.year % 100
    assert month.upper().startswith(short[2])
    assert out[1].startswith(f"{new.day:02d}") and out[1].endswith(str(new.year))
    assert out[2] == f"{new.day:02d}.{ROMANS[new.month - 1]}.{new.year}"
    assert re.findall(r"\d+", out[3]) == [str(new.year), str(new.month), str(new.day)]
    assert out[4].startswith(f"{new:%Y%m%d}T")
    assert out[5] == f"{new:%Y:%m:%d}"
    assert out[6] == f"{new:%d %m %Y}"
    assert out[7].startswith(f"{new.year}-") and out[7].endswith(f"-{new.day}")
    assert out[8] == f"{new.day:02d}/{out[8].split('/')[1]}/{new.year}"
    assert out[9] == f"{out[9].split('/')[0]}/{new.day:02d}/{new.year}"
    assert month.lower()[:3] == out[8].split("/")[1].lower()[:3]
    assert (
        month in out[10]
        and number_words("en").read(out[10].split(month)[1].strip()) == new.year
    )
    assert month in out[11]
    assert out[12].startswith(f"{new:%Y%m%d}") and len(out[12]) == 14
    assert out[13] == f"{new.day:02d}.{ROMANS[new.month - 1]}"
    assert out[14].startswith(f"{new:%Y-%m-%d} ") and out[14].endswith(" EDT")


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "lt"])
def test_months_keep_their_language(replace, language):
    names = MONTHS[language][0].split()
    text = f"16 {names[4]} 2003"
    for key in KEYS:
        out, new = moved(replace, [text], key)
        day, month, year = out[0].split()
        assert (int(day), int(year)) == (new.day, new.year)
        # Names that languages share may go on in the one that comes first.
        rows = [row.split() for rows in MONTHS.values() for row in rows]
        assert month in [row[new.month - 1] for row in rows if names[4] in row]


@pytest.mark.parametrize(
    "text, like",
    [
        ("2003-W20-5", r"\d{4}-W[0-5]\d-[1-7]"),
        ("week 20 of 2003", r"week \d{1,2} of \d{4}"),
        ("3Q21", r"[1-4]Q\d\d"),
        ("2021 Q3", r"\d{4} Q[1-4]"),
        ("H1 2020", r"H[12] \d{4}"),
        ("FY2003/04", r"FY\d{4}/\d\d"),
        ("Christmas 1999", r"[A-Z][a-z]+ \d{4}"),
        ("the nineteen nineties", None),
        ("nineties", r"[a-z]+ties"),
        ("quarter past three", r"quarter past \w+"),
        ("three thirty", r"\w+ thirty"),
        ("six in the evening", r"\w+ in the evening"),
        ("10-11am", r"\d\d?-\d\d?am"),
        ("17.30 Uhr", r"[0-2]\d\.[0-5]\d Uhr"),
        ("15h30", r"[0-2]\dh[0-5]\d"),
        ("nineteenth century", r"eighteenth century"),
        ("XIX century", r"XVIII century"),
        ("19. Jahrhundert", r"18\. Jahrhundert"),
        ("nineteen ninety-nine", r"(nineteen|two|twenty) [a-z -]+"),
        ("Montag", r"[A-Z][a-z]+(tag|woch)"),
        ("2h 30min", r"\d{1,2}h \d{1,2}min"),
        ("6 wks", r"\d{1,2} wks"),
        ("twelve (12) months", r"[a-z-]+ \(\d\d\) months"),
        ("12 años", r"\d\d años"),
        ("a fortnight", r"an? [a-z]+[^s]"),
        ("13:45 UTC+2", r"\d\d:\d\d UTC\+2"),
    ],
)
def test_form_stays(replace, text, like, key):
    [new], _ = moved(replace, [text], key)
    assert new != text
    if like is not None:
        assert re.fullmatch(like, new), new


def test_impossible_dates_are_still_replaced(replace):
    for text in ("2003-W60", "99.XII.2003", "31FEB03", "999999"):
        [new], _ = moved(replace, [text], b"a")
        assert new != text
