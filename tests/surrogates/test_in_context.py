"""What stands before a mention decides what may stand in its place."""

import pytest

from spacy_deid.gazetteers.names import lists

from .properties import deid

KEYS = [f"key {n}" for n in range(8)]


def new(lang, before, text, label, after=""):
    """The surrogate under each of some keys."""
    parts = [before, (text, label), after]
    return [deid(lang, parts, key).texts[0] for key in KEYS]


def test_a_label_is_a_whole_word():
    """ "Prénom", that ends like the label of a surname, asks for a given name."""
    given = {*lists("fr").male, *lists("fr").female}
    assert not set(new("fr", "Nom : ", "Quendal", "PERSON")) <= given


def test_who_writes_about_somebody_calls_them_by_a_surname():
    given = {name for of in ("en", "de") for part in lists(of)[:2] for name in part}
    told = new("en", "In 1931 the town was taken by ", "Choltitz", "PERSON", " then.")
    said = new("en", "I asked ", "Choltitz", "PERSON", " if we could go.")
    assert len(set(said) & given) > len(said) // 2 > len(set(told) & given)


@pytest.mark.parametrize("lang, clock", [("de", "um "), ("ru", "в ")])
def test_a_day_and_month_with_one_point(lang, clock):
    for found in new(lang, "Termin: ", "16.02", "DATETIME"):
        day, month = map(int, found.split("."))
        assert 0 < day < 32 and 0 < month < 13
    times = [found.split(".") for found in new(lang, clock, "16.02", "DATETIME")]
    assert all(int(hour) < 24 and int(minute) < 60 for hour, minute in times)
    assert any(int(minute) > 12 for _, minute in times)
