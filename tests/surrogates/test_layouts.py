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
TIME = r"([01]\d|2[0-3])[0-5]\d"


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
    "text, like",
    [
        ("6 May", r"\d{1,2} [A-Z][a-z]+"),
        ("May 2001", r"[A-Z][a-z]+ \d{4}"),
        ("Feb. 2003", r"[A-Z][a-z]{2}\. \d{4}"),
        ("the 1990s", r"the \d{3}0s"),
        ("'98", r"'\d\d"),
        ("between 1990 and 1995", r"between \d{4} and \d{4}"),
        ("Monday", "|".join(WEEKDAYS)),
        ("summer of 1995", r"(spring|summer|autumn|winter) of \d{4}"),
        ("first quarter of 1904", r"first quarter of \d{4}"),
        ("early 2000s", r"early \d{4}s"),
        ("19th century", r"\d+th century"),
        ("14:30", r"\d\d:\d\d"),
        ("3 pm", r"\d{1,2} [ap]m"),
        ("11:30 a.m.", r"\d{1,2}:\d\d [ap]\.m\."),
        ("ten o'clock", r"[a-z]+ o'clock"),
        ("two years", r"[a-z-]+ years"),
        ("a year", r"an? [a-z]+"),
        ("28 days’", r"\d\d days’"),
        ("895-day-long", r"\d{3}-day-long"),
        ("twenty-eight years'", r"[a-z-]+ years'"),
        ("several years", r"[a-z ]+ years"),
        ("many many years", r"(?!many)[a-z ]+ years"),
        ("12/99", r"\d{1,2}/\d\d"),
        ("2003-W20-5", r"\d{4}-W[0-5]\d-[1-7]"),
        ("week 20 of 2003", r"week \d{1,2} of \d{4}"),
        ("3Q21", r"[1-4]Q\d\d"),
        ("2021 Q3", r"\d{4} Q[1-4]"),
        ("H1 2020", r"H[12] \d{4}"),
        ("FY2003/04", r"FY\d{4}/\d\d"),
        ("Christmas 1999", r"[A-Z][a-z]+ \d{4}"),
        ("the nineteen nineties", r".+"),
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
        # What stands before the mention is parted from it.
        ("at home on |Tuesdays", r"(?!Tues)[A-Z][a-z]+days"),
        ("T-|48801,2024-02-05T08:14:00Z", r"(?!.*48801).+"),
        ("on |HD#2", r"[A-Z]{2}#\d"),
        ("in |bed 12", r"[a-z]+ \d\d"),
        ("gives the mileage as |141,207", r"\d{3},\d{3}"),
        ("over |the years", r"(?!(in|on|at|around|not|shortly)\b).+"),
        ("during |the years", r"(?!(in|on|at|around|not|shortly)\b).+"),
        ("than |the years", r"(?!(in|on|at|around|not|shortly)\b).+"),
        ("We met |one Sunday in August", r"one \w+day in \w+"),
        ("We met |every other Thursday", r"every other \w+day"),
        ("We met |this coming Saturday", r"this coming \w+day"),
        ("We met |yesterday evening", r"yesterday (morning|afternoon)"),
        ("We met |earlier this week", r"earlier this month|late last week"),
        ("Last night", r"The night before last|Two nights ago"),
        ("on Monday at |0415", TIME),
        ("born in |1950", r"(19|20)\d\d"),
        ("seen |1950 hrs", rf"{TIME} hrs"),
        ("at 2230 hrs", rf"at {TIME} hrs"),
        ("2/19 at 0415", rf"\d+/\d+ at {TIME}"),
        ("2 more hours", r"\d+ more hours"),
        ("two whole weeks", r"\w+ whole weeks"),
        ("two additional hours", r"\w+ additional hours"),
        ("2 working weeks", r"\d+ working weeks"),
    ],
)
def test_form_stays(replace, text, like, key):
    [new], _ = moved(replace, [text], key)
    assert new != text.rpartition("|")[2] and re.fullmatch(like, new), new


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
