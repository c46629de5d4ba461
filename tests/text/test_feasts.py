import datetime

import pytest

from spacy_deid.data import ROOT, table
from spacy_deid.text.date_expressions import render
from spacy_deid.text.date_parts import Context, Shift
from spacy_deid.text.feasts import read_feast

from ..cases import cases


@pytest.mark.parametrize("lang, text, days, new", cases(__file__, "another"))
def test_a_feast_becomes_another_one_near_the_new_date(lang, text, days, new):
    made = render(text, read_feast(text, Context(lang)) or (), Shift(days, 0))
    if "und" not in text:
        assert made == new
    else:
        first, second = made.removeprefix("zwischen ").split(" und ")
        assert first != second and made != text


@pytest.mark.parametrize("text", ["Kirchweih Ostern GmbH", "San José", "am Montag", ""])
def test_other_words_make_it_no_day(text):
    assert read_feast(text, Context("de")) is None


def test_rows_have_several_days_with_as_many_forms():
    rows = {}
    for file in ROOT.glob("lang/*/feasts.tsv"):
        for row in table(f"lang/{file.parent.name}/feasts"):
            datetime.date.fromisoformat(f"2003-{row['day']}")
            forms = {name.count("|") for name in row["names"].split(",")}
            days = rows.setdefault((file, row["row"]), [])
            days.append((row["day"], *forms))
    for days in rows.values():
        assert len({x[0] for x in days}) > 3 and len({x[1:] for x in days}) == 1
    assert len({file for file, _ in rows}) > 2
