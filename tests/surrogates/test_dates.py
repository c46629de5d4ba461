import datetime
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spacy_deid.surrogates.base import MONTHS, WEEKDAYS, Mention
from spacy_deid.surrogates.consistency import with_interval
from spacy_deid.surrogates.languages import make_language_surrogates
from spacy_deid.text.calendars import MONTHS as MONTHS_OF
from spacy_deid.text.calendars import is_day

from ..cases import cases
from .conftest import containing, seeded
from .marked import in_language
from .properties import age_at


def dates(replace, texts, key=b"a", **kwargs):
    return replace([(t, "DATETIME", "", i) for i, t in enumerate(texts)], key, **kwargs)


def read(text):
    day, month, year = text.split()
    return datetime.date(int(year), MONTHS.index(month) + 1, int(day))


def test_intervals_of_years_and_ranges_stay(replace, key):
    texts = "1990|1995|between 1990 and 1995|1992-95|1980-1985".split("|")
    found = [[*map(int, re.findall(r"\d+", new))] for new in dates(replace, texts, key)]
    (one,), (two,), both, short, other = found
    assert two - one == 5 and both == [one, two]
    assert (short[1] - short[0]) % 100 == 3
    assert other[1] - other[0] == 5 and other[0] != 1980


def test_days_that_share_a_month_may_part(replace, key):
    texts = "the night of 5 to 6 May 1999|May 5-6, 1999|25 April and 17 September 2004"
    for text in dates(replace, texts.split("|"), key):
        numbers = [int(n) for n in re.findall(r"\b\d{1,2}\b", text)]
        assert len(numbers) == 2
        if text.startswith("the night") and numbers[0] > numbers[1]:
            assert len([m for m in MONTHS if m in text]) == 2


def test_years_named_alone_are_in_no_other_surrogate(replace):
    texts = [str(y) for y in range(1990, 2000)] + ["3 May 1995", "June 1992"]
    out = dates(replace, texts)
    years = set(re.findall(r"\d{4}", " ".join(out)))
    assert not years & set(texts[:10])


def test_day_and_month_in_figures(replace, key):
    rows = [
        ("02/19/2021", "DATETIME", "DATE", 0, "admitted "),
        ("2/19", "DATETIME", "", 1, "found on "),
        ("2/22", "DATETIME", "", 2, "moved on "),
        ("02/26/2021", "DATETIME", "DATE", 3, "discharged "),
    ]
    out = replace(rows, key)
    first = datetime.datetime.strptime(out[0], "%m/%d/%Y")
    last = datetime.datetime.strptime(out[3], "%m/%d/%Y")
    moved = first + datetime.timedelta(3)
    assert (last - first).days == 7
    assert out[1] == f"{first.month}/{first.day}"
    assert out[2] == f"{moved.month}/{moved.day}"


def test_a_day_without_a_month_moves_with_the_others(replace, key):
    rows = [("2 February 2023", "DATETIME", "DATE", 0)]
    rows.append(("the 2nd", "DATETIME", "", 1, "On the evening of "))
    rows.append(("14th", "DATETIME", "", 2, "home on the "))
    out = replace(rows, key)
    new = read(out[0])
    assert re.fullmatch(rf"the {new.day}(?:st|nd|rd|th)", out[1])
    day = (new + datetime.timedelta(12)).day
    assert re.fullmatch(rf"{day}(?:st|nd|rd|th)", out[2])


_NAMES = {
    lang: [name for name in MONTHS_OF[lang][0].split() if name.isalpha()]
    for lang in ("en", "de", "es", "ru")
}


@st.composite
def odd_dates(draw):
    """What looks like a date, in the calendar or not, perhaps with words around."""
    lang = draw(st.sampled_from(sorted(_NAMES)))
    day, month = draw(st.integers(0, 99)), draw(st.integers(0, 99))
    year = draw(st.integers(1000, 2199))
    name = draw(st.sampled_from(_NAMES[lang]))
    name = name.capitalize() if lang in ("en", "de") else name
    layout = draw(st.sampled_from(cases(__file__, "odd")))
    text = layout.format(d=day, m=month, y=year, yy=year % 100, name=name)
    return lang, draw(st.sampled_from(["", "ca ", "xyz "])) + text


@settings(max_examples=150, deadline=None)
@given(odd_dates(), st.binary(max_size=3))
def test_no_surrogate_is_an_impossible_date(example, key):
    lang, text = example
    mention = Mention(text, "DATETIME", "", 0)
    maker = make_language_surrogates(lang)
    new = maker([mention], seeded(key), lambda t: t == text)[0]
    assert new != text
    for match in re.finditer(
        r"(?<!\d)(\d\d?)([/.-])(\d\d?)(?:\2(\d{4}|\d\d))?(?!\d)", new
    ):
        a, b = int(match[1]), int(match[3])
        year = int(match[4]) if match[4] and len(match[4]) == 4 else None
        year_first = match[2] != "." and match[4] and is_day(int(match[4]), b, None)
        assert is_day(a, b, year) or is_day(b, a, year) or year_first, (text, new)
    for match in re.finditer(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)", new):
        assert is_day(int(match[3]), int(match[2]), int(match[1])), (text, new)
    for match in re.finditer(r"(?<!\d)(\d\d?):(\d\d)(?!\d)", new):
        assert int(match[1]) < 25 and int(match[2]) < 60, (text, new)
    for match in re.finditer(r"(?<![\d/])(\d\d?)/(\d{4})(?!\d)", new):
        assert 1 <= int(match[1]) <= 12, (text, new)
    for match in re.finditer(r"(?<!\d)(\d\d?) ([^\W\d_]+)(?: (\d{4}))?", new):
        if match[2].lower() in _NAMES[lang]:
            month = _NAMES[lang].index(match[2].lower()) + 1
            year = int(match[3]) if match[3] else None
            assert is_day(int(match[1]), month, year), (text, new)


BYTES = st.binary(min_size=1, max_size=4)


@given(born=st.integers(1930, 2000), age=st.integers(2, 80), key=BYTES)
@settings(max_examples=80, deadline=None)
def test_years_of_birth_go_with_ages(replace, born, age, key):
    assume(born + age < 2025)
    rows = [(f"aged {age}", "DEM", "AGE", 0, "was ")]
    rows.append((str(born + age), "DATETIME", "", 1, "in "))
    rows.append((str(born), "DATETIME", "", 2, "was born in "))
    out = replace(rows, key)
    new = int(out[0].split()[1])
    assert new == int(out[1]) - int(out[2]) and (new < 18) == (age < 18)


def test_a_subject_is_as_old_in_every_document(key):
    def documents(rows):
        draws = with_interval(seeded(key), "patient 7", seeded(key))
        mentions = [Mention(*row[:3], i, row[3]) for i, row in enumerate(rows)]
        old = {mention.text for mention in mentions}
        return make_language_surrogates("en")(mentions, draws, old.__contains__)

    born = ("14 August 1961", "DATETIME", "", "born ")
    visit = ("2 May 2012", "DATETIME", "", "seen on ")
    first = documents([born, visit, ("50", "DEM", "AGE", "aged ")])
    second = documents([born, ("9 May 2012", "DATETIME", "", "on ")])
    third = documents([("50", "DEM", "AGE", "aged ")])
    assert first[0] == second[0] and first[2] == third[0]
    assert (read(second[1]) - read(first[1])).days == 7
    assert age_at(read(first[0]), read(first[1])) == int(first[2])


@pytest.mark.parametrize(
    "before",
    ["was born in Hull on ", "born 1950, married on ", "born in Hull and moved on "],
)
def test_only_dates_of_birth_are_taken_for_such(replace, before):
    texts = ("3 June 1951", before), ("1 May 2001", "seen on ")
    rows = [(t, "DATETIME", "", i, before) for i, (t, before) in enumerate(texts)]
    one, two, age = replace([*rows, ("aged 49", "DEM", "AGE", 2)])
    step = int(age.split()[1]) - 49 if before.startswith("was born") else 0
    moved = (read(two) - read(one)) - (read("1 May 2001") - read("3 June 1951"))
    assert abs(moved.days - 365.25 * step) < 5


@pytest.mark.parametrize("lang, marked, year", cases(__file__, "borrowed"))
def test_a_year_in_the_next_mention_is_borrowed(lang, marked, year, key):
    *elided, last = in_language(marked, lang, key)[2]
    following = int(re.search(year, last)[1])
    for out in reversed(elided):
        own = re.search(f"{year}$", out)
        if own is not None:
            # Only a date of the year before needs its year.
            assert int(own[1]) == following - 1
            following -= 1


@pytest.mark.parametrize("lang, before, text, expected", cases(__file__, "weekdays"))
def test_a_weekday_that_stays_is_called_otherwise(lang, before, text, expected, key):
    maker = make_language_surrogates(lang, weekdays=True)
    mention = Mention(text, "DATETIME", "", 0, before)
    assert maker([mention], seeded(key), containing([text])) == [expected]


@pytest.mark.parametrize("form", [slice(3), slice(None)])
def test_weekdays_of_a_rota_stay_weekdays(replace, form, key):
    """Where all are masked, the right one is written in another way."""
    old = [day[form] for day in WEEKDAYS]
    new = replace([(day, "DATETIME") for day in old], key)
    numbers = [[d[:3] for d in WEEKDAYS].index(day[:3]) for day in new]
    steps = {(n - i) % 7 for i, n in enumerate(numbers)}
    assert len(steps) == 1 and steps != {0} and not set(new) & set(old)
