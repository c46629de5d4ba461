import datetime

import pytest

from spacy_deid.data import ROOT, table
from spacy_deid.text.date_expressions import render
from spacy_deid.text.date_parts import Context, Shift
from spacy_deid.text.feasts import read_feast


@pytest.mark.parametrize(
    ("lang", "text", "days", "new"),
    [
        ("de", "Allerheiligen", 35, "Mariä Empfängnis"),
        ("de", "rosenmontag", 46, "karfreitag"),
        ("de", "Dienstag nach Fasnacht", 50, "Mittwoch nach Ostern"),
        ("de", "zwischen Weihnachten und Neujahr", 40, ""),
        ("es", "día de la Candelaria", 45, "día de San José"),
        ("ru", "Крещению", 60, "Наврузу"),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    "lang", sorted(p.parent.name for p in ROOT.glob("lang/*/feasts.tsv"))
)
def test_rows_have_several_days_with_as_many_forms(lang):
    rows = {}
    for row in table(f"lang/{lang}/feasts"):
        datetime.date.fromisoformat(f"2003-{row['day']}")
        forms = {name.count("|") for name in row["names"].split(",")}
        rows.setdefault(row["row"], []).append((row["day"], *forms))
    assert all(
        len({x[0] for x in r}) > 3 and len({x[1:] for x in r}) == 1
        for r in rows.values()
    )
