"""What stands before a mention decides what may stand in its place."""

import re

import pytest

from spacy_deid.gazetteers.names import lists
from spacy_deid.lang.base import pack_of
from spacy_deid.lang.ru.persons import given_names
from spacy_deid.text.spoken import speech

from .properties import deid, genders

KEYS = [f"key {n}" for n in range(8)]


def new(lang, before, text, label, after=""):
    """The surrogate under each of some keys."""
    parts = [before, (text, label), after]
    return [deid(lang, parts, key).texts[0] for key in KEYS]


@pytest.mark.parametrize(
    "lang, before, text, label",
    [
        ("de", "Klingel ", "Dreiundzwanzig", "DEM"),
        ("de", "Mit ", "dreizehn Jahren", "QUANTITY"),
        ("de", "die Nummer ", "sechzehn", "DATETIME"),
        ("es", "mi hija tiene ", "trece", "DEM"),
        ("es", "por ", "treinta años", "DEM"),
        ("ru", "Ему ", "семнадцать", "DEM"),
        ("fr", "au ", "vingt-trois", "DEM"),
        ("it", "ne ha ", "tredici", "DEM"),
    ],
)
def test_numbers_in_words_stay_numbers_of_their_size(lang, before, text, label):
    (atom,) = (a for run in speech(lang).runs(text) for a in run.atoms)
    for found in new(lang, before, text, label):
        (now,) = (a for run in speech(lang).runs(found) for a in run.atoms)
        assert now.chars.isdecimal() and now.chars != atom.chars
        assert 0.4 < int(now.chars) / int(atom.chars) < 2.6
        assert found[now.end :] == text[atom.end :]


@pytest.mark.parametrize(
    "lang, before",
    [("de", "im "), ("de", "aus der "), ("es", "por el "), ("fr", "dans le ")],
)
def test_behind_an_article_stands_a_region_that_has_it(lang, before):
    pack = pack_of(lang)
    names = {x.name for x in pack.lexicon().rows[pack.behind_article(before)]}
    assert names and set(new(lang, f"X kam {before}", "Quendal", "LOC")) <= set(names)
    assert not pack_of(lang).behind_article("nach ")


def test_streets_that_are_called_after_where_they_are():
    for found in new("de", "Die Adresse ist ", "An der Schlossfabrik", "LOC"):
        assert found in {
            f"An der {name}" for name in pack_of("de").streets_after["an der"]
        }


@pytest.mark.parametrize(
    "before, text, female",
    [
        ("mein Name ist ", "Jasmin Kotzur", True),
        ("Dann kam die ", "Loni", True),
        ("Der ", "Maxl", False),
        ("Wir sahen den ", "Toni", False),
    ],
)
def test_sex_by_the_names_of_a_language_and_by_articles(before, text, female):
    found = [name.split()[0] for name in new("de", before, text, "PERSON")]
    known = [genders()[name.lower()] for name in found if name.lower() in genders()]
    assert len(known) > 4 and all(female in sexes for sexes in known)


def test_a_label_is_a_whole_word():
    """ "Prénom" ends like the label of a surname and asks for a given name."""
    given = {*lists("fr").male, *lists("fr").female}
    assert set(new("fr", "Prénom : ", "Quendaline", "PERSON")) <= given
    assert not set(new("fr", "Nom : ", "Quendal", "PERSON")) <= given


def test_who_writes_about_somebody_calls_them_by_a_surname():
    given = {
        name for of in ("en", "de") for name in (*lists(of).male, *lists(of).female)
    }
    told = new(
        "en", "In 1931 the town was taken by ", "Choltitz", "PERSON", " and others."
    )
    said = new("en", "I asked ", "Choltitz", "PERSON", " if we could go.")
    assert len(set(said) & given) > len(said) // 2 > len(set(told) & given)


@pytest.mark.parametrize(
    "before, text",
    [("Пришла ", "Лапина Рената Юлиановна"), ("Приехала тётя ", "Слава")],
)
def test_a_patronymic_and_kinship_tell_the_sex_in_russian(before, text):
    women = ("f", *(row for row in given_names().rows if row.startswith("f/")))
    for found in new("ru", before, text, "PERSON"):
        given = found.split()[-2 if " " in found else 0]
        assert given_names().in_row(given, women)


@pytest.mark.parametrize("lang, clock", [("de", "um "), ("ru", "в ")])
def test_a_day_and_month_with_one_point(lang, clock):
    for found in new(lang, "Termin: ", "16.02", "DATETIME"):
        day, month = map(int, found.split("."))
        assert 0 < day < 32 and 0 < month < 13
    times = [found.split(".") for found in new(lang, clock, "16.02", "DATETIME")]
    assert all(int(hour) < 24 and int(minute) < 60 for hour, minute in times)
    assert any(int(minute) > 12 for _, minute in times)


@pytest.mark.parametrize(
    "lang, before, text",
    [
        ("de", "aus ", "Armenien"),
        ("es", "en ", "Costa de Marfil"),
        ("ru", "из ", "Намибии"),
        ("fr", "en ", "Albanie"),
        ("it", "in ", "Angola"),
    ],
)
def test_countries_that_a_lexicon_lacks_become_countries(lang, before, text):
    known = pack_of(lang).lexicon().countries.values()
    forms = {form for lexeme in known for form in lexeme.forms.values()}
    assert text not in forms
    assert set(new(lang, f"Sie kam {before}", text, "LOC")) <= forms


@pytest.mark.parametrize(
    "lang, text",
    [
        ("de", "dreizehnter fünfter siebenundvierzig"),
        ("es", "tres de abril del sesenta y uno"),
        ("ru", "девятого ноября семьдесят второго"),
    ],
)
def test_a_date_in_words_moves_whole(lang, text):
    """A new year alone would leave the day of birth; the month may be the same."""
    day, *_ = text.split()
    for found in new(lang, "", text, "DATETIME"):
        assert found.split()[0] != day and found != text


@pytest.mark.parametrize(
    "lang, name, later",
    [
        ("it", "Otto Bianchi", "Poi Otto telefonò."), ("en", "Andrew Back", "Ms Back agreed."),
        ("en", "Seven Marlowe", "Seven rang."), ("es", "Lucía Mayor", "La Sra. Mayor firmó."),
        ("de", "Anna Gut", "Frau Gut kam."), ("fr", "Jean Comment", "M. Comment partit."),
    ],
)  # fmt: skip
def test_names_that_are_small_words_or_numbers_are_swept(lang, name, later):
    out = swept(lang, name, later)
    assert not set(name.split()) & {*re.findall(r"\w+", out)}


def swept(lang, name, text):
    """A text behind a masked name, as it is put out."""
    doc = deid(lang, [(name, "PERSON"), f". {text}"], "key")
    return doc.whole.partition(". ")[2]


def test_hints_of_names_leave_pronouns_alone():
    assert (
        swept("en", "You, It", "It rains, and You know.") == "It rains, and You know."
    )
