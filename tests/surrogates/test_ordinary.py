"""Words that are names, too, in documents of each language."""

import pytest

from spacy_deid.surrogates.sweep.occurrences import Sweep
from spacy_deid.surrogates.sweep.ordinary import stands_for_person, stands_for_word


def left(lang, name, text, articled=False):
    sweep = Sweep((), lang, articled)
    sweep.add_parts([name])
    return [text[hit.start : hit.end] for hit in sweep.find(text)]


WORDS = [
    ("de", "Winter", "Er gab an, im Winter keine Einkünfte zu erzielen."),
    ("de", "Zahn", "Beschwerden: ein Zahn wackelt, rechts oben."),
    ("de", "Stein", "Die Kleine schlief wie ein Stein."),
    ("de", "Freitag", "Sie haben mir am Freitag geschrieben."),
    ("de", "Winter", "Der Winter war mild."),
    ("en", "Joy", "I say this without joy."),
    ("es", "Cruz", "hay que sustituir la cruz de madera"),
    ("es", "Gloria", "Cada seis minutos. Gloria a Dios, dice la suegra."),
    ("ru", "Лев", "Африканский лев по кличке Цезарь"),
    ("ru", "Слава", "02:55 Слава богу, без особенностей."),
    ("ru", "Мороз", "сегодня мороз, минус тридцать"),
    ("fr", "Ange", "c'est un ange ce petit"),
    ("it", "Leone", "paganti e un leone in mezzo al campo"),
]


@pytest.mark.parametrize("lang, name, text", WORDS)
def test_words_stay(lang, name, text):
    assert left(lang, name, text) == []


NAMES = [
    ("de", "Winter", "Gruß von Winter und Frau Winter", 2),
    ("de", "Zahn", "Zahn, Gottlieb: ich rief Zahn an", 2),
    ("de", "Winter", "Peter Winter rief an", 1),
    ("en", "Joy", "JOY: Hello.\nYes, Joy said, and JOY", 3),
    # A capital is a name's in English, wherever it stands.
    ("en", "Joy", "I SAY THIS WITHOUT JOY.", 1),
    ("en", "Long", "Loosening.\n  Long-stem revision on the right.", 1),
    ("en", "Jack", "drop the jack audio backend", 1),
    ("en", "Grace", "Her name is Grace. I hope Grace comes. Sister Grace", 3),
    ("es", "Gloria", "Llamó doña Gloria. Gloria dijo que sí.", 2),
    ("ru", "Слава", "Его зовут Слава. Слава спит.", 2),
]


@pytest.mark.parametrize("lang, name, text, n", NAMES)
def test_names_go(lang, name, text, n):
    assert len(left(lang, name, text)) == n


def test_an_article_tells_nothing_where_names_have_one():
    assert left("de", "Winter", "Der Winter war da.", articled=True) == ["Winter"]


def test_names_in_small_letters():
    """The words around decide; where they tell nothing, a given name goes."""
    assert left("de", "stein", "im stein, frau stein, sagt stein") == ["stein"] * 2
    assert left("en", "Anna", "met anna, 0 anna, an anna") == ["anna"] * 3
    assert left("de", "Stein", "frau stein, wie ein stein") == ["stein"]


def test_what_tells_a_person():
    for text in ("Herr Stein", "\nStein\n", "Stein: Ja.", "Peter Stein", "Tante Stein"):
        start = text.index("Stein")
        assert stands_for_person(text, start, start + 5, "de"), text
        assert not stands_for_word(text, start, start + 5, "de")
    assert not stands_for_person("ein Stein im Weg", 4, 9, "de")
