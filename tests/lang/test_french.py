"""French surrogates as a native reader sees them: relations, not fixed words."""

import re

import pytest

from spacy_deid.lang.base import pack_of
from spacy_deid.text.calendars import MONTHS
from spacy_deid.text.dates import read_date

from ..surrogates.marked import fitted

KEYS = [b"1", b"2", b"3"]
MONTH = "|".join(MONTHS["fr"][0].split())
DAY = rf"(\d+(?:er)? (?:{MONTH}) \d{{4}})"


@pytest.mark.parametrize("key", KEYS)
def test_dates_move_and_stay_dates(key):
    match = fitted(
        "Né le <<12 mars 1961|DATETIME>>, vu le <<1er avril 2024|DATETIME>>, "
        "opéré le <<11/4/2024|DATETIME>> puis en <<mai 2024|DATETIME>>.",
        rf"Né le {DAY}, vu le {DAY}, opéré le (\d+/\d+/\d{{4}}) puis en (?:{MONTH}) "
        r"\d{4}\.",
        "fr",
        key,
    )
    born, seen, operated = (read_date(text, day_first=True) for text in match.groups())
    assert (born.year, born.month, born.day) != (1961, 3, 12)
    assert seen < operated and 58 <= seen.year - born.year <= 66
    # Only the first day of a month has an ending.
    assert ("er" in match[2]) == (seen.day == 1)


@pytest.mark.parametrize("key", KEYS)
def test_ages_fit_births(key):
    match = fitted(
        "Née le <<14/08/1958|DATETIME>>. La patiente, âgée de <<65 ans|DEM.AGE>>, admise "
        "le <<2 mai 2024|DATETIME>>.",
        rf"Née le (\S+)\. La patiente, âgée de (\d+) ans, admise le {DAY}\.",
        "fr",
        key,
    )
    born, then = (read_date(match[i], day_first=True) for i in (1, 3))
    before = (then.month, then.day) < (born.month, born.day)
    assert then.year - born.year - before == int(match[2])


@pytest.mark.parametrize("key", KEYS)
def test_countries_take_their_small_words_and_their_people_with_them(key):
    match = fitted(
        "Venue du <<Sénégal|LOC.COUNTRY>>, elle vit en <<Italie|LOC.COUNTRY>>, son frère "
        "aux <<États-Unis|LOC.COUNTRY>> ; une patiente <<italienne|DEM.NATIONALITY>> et "
        "des <<Sénégalais|DEM.NATIONALITY>> la connaissent.",
        r"Venue du (.+), elle vit en (.+), son frère aux (.+) ; une patiente (.+) et des "
        r"(.+) la connaissent\.",
        "fr",
        key,
    )
    lexicon = pack_of("fr").lexicon()
    rows = [lexicon.countries[name].row[-1] for name in match.group(1, 2, 3)]
    assert rows == ["m", "v", "p"]
    assert lexicon.at_home("adj", match[2])[0].forms["f"] == match[4]
    assert lexicon.at_home("adj", match[1])[0].forms["ms"] == match[5].lower()


def test_the_table_of_towns():
    towns = pack_of("fr").postcodes
    assert len(towns) >= 60 and all(re.fullmatch(r"\d\d", c) for c in towns.values())
