import datetime

import pytest

from spacy_deid.patterns.numbers import last_word
from spacy_deid.patterns.time.dates import make_date_patterns
from spacy_deid.text.calendars import LANGUAGES, MONTHS, is_day, month_index, names_like

from ..cases import cases


def test_labels_settings_languages_and_scores():
    text = "15:40, two months, 36 years old, 1 March 2001"
    assert {h.label for h in make_date_patterns()(text)} == {"DATETIME", "DEM"}
    only = make_date_patterns(times=False, durations=False, ages=False)
    assert [h.subtype for h in only(text)] == ["DATE"]
    text = "am 12. März 2010"
    assert [h.subtype for h in make_date_patterns(languages=["de"])(text)] == ["DATE"]
    assert [h.subtype for h in make_date_patterns(languages=["fr"])(text)] == ["YEAR"]
    for wrong in (["xx"], "de"):
        with pytest.raises(ValueError, match="month|list"):
            make_date_patterns(languages=wrong)
    score = {h.score for h in make_date_patterns()("05/2003")}.pop()
    assert {h.score for h in make_date_patterns()("since 05/2003")}.pop() > score
    reasons = [h.reason for h in make_date_patterns()("DOB 03/04/81")]
    assert reasons[0].endswith("after 'dob'")


SENTENCES = cases(__file__, "sentences")


@pytest.mark.parametrize("layout", cases(__file__, "layouts"))
def test_layouts(layout):
    find = make_date_patterns()
    day = datetime.date(1931, 1, 2)
    for i in range(120):
        value = (day + datetime.timedelta(331 * i)).strftime(layout)
        text = SENTENCES[i % len(SENTENCES)].format(value)
        assert value in [text[h.start : h.end] for h in find(text)], text


def test_names_are_those_of_cldr():
    babel = pytest.importorskip("babel")
    for code in LANGUAGES:
        names = babel.Locale(code).months["format"]["wide"]
        known = month_index([code])
        for number, name in names.items():
            word = name.lower().replace("i̇", "i").split()[-1].split("’")[-1]
            word = word.removeprefix("d'")
            if code != "lt":
                assert known[word] == number


def test_calendar_and_words_before():
    assert is_day(29, 2) and is_day(29, 2, 2000) and not is_day(29, 2, 1900)
    assert not is_day(31, 4) and not is_day(0, 1) and not is_day(1, 13)
    assert names_like(MONTHS, "märz")[0] == "januar"
    assert names_like(MONTHS, "mai", capital=False)[0] == "janvier"
    assert names_like(MONTHS, "xyz") is None
    # A blank of any kind alone is no word, and no error.
    for blank in "\r\x0b\u2028\xa0":
        assert last_word(f"{blank} 1961", 2) == ("", "")
