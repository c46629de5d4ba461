"""French surrogates as a native reader sees them: relations, not fixed words."""

import re

import pytest

from spacy_deid.lang.base import pack_of
from spacy_deid.text.calendars import MONTHS
from spacy_deid.text.dates import read_date

from ..cases import cases
from ..surrogates.marked import fitted

KEYS = [b"1", b"2", b"3"]
MONTH = "|".join(MONTHS["fr"][0].split())
DAY = rf"(\d+(?:er)? (?:{MONTH}) \d{{4}})"


def made(name, key):
    ((marked, pattern),) = cases(__file__, name)
    pattern = pattern.replace("DAY", DAY).replace("MONTH", MONTH)
    return fitted(marked, pattern, "fr", key)


@pytest.mark.parametrize("key", KEYS)
def test_dates_move_and_stay_dates(key):
    match = made("dates", key)
    born, seen, operated = (read_date(text, day_first=True) for text in match.groups())
    assert (born.year, born.month, born.day) != (1961, 3, 12)
    assert seen < operated and 58 <= seen.year - born.year <= 66
    # Only the first day of a month has an ending.
    assert ("er" in match[2]) == (seen.day == 1)


@pytest.mark.parametrize("key", KEYS)
def test_ages_fit_births(key):
    match = made("ages", key)
    born, then = (read_date(match[i], day_first=True) for i in (1, 3))
    before = (then.month, then.day) < (born.month, born.day)
    assert then.year - born.year - before == int(match[2])


@pytest.mark.parametrize("key", KEYS)
def test_countries_take_their_small_words_and_their_people_with_them(key):
    match = made("countries", key)
    lexicon = pack_of("fr").lexicon()
    rows = [lexicon.countries[name].row[-1] for name in match.group(1, 2, 3)]
    assert rows == ["m", "v", "p"]
    assert lexicon.at_home("adj", match[2])[0].forms["f"] == match[4]
    assert lexicon.at_home("adj", match[1])[0].forms["ms"] == match[5].lower()


def test_the_table_of_towns():
    towns = pack_of("fr").postcodes
    assert len(towns) >= 60 and all(re.fullmatch(r"\d\d", c) for c in towns.values())
