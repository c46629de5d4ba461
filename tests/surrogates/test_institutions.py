"""Organisations that nothing names give way to others of their kind, in their form."""

import re

import pytest

from spacy_deid.lang.base import pack_of

from .properties import deid
from .test_in_context import new


@pytest.mark.parametrize(
    "lang, before, text, after, wanted",
    [
        ("en", "She joined ", "a law firm", ".", "a law (business|company|practice)"),
        ("en", "", "An insurance company", " paid.", "An insurance .+"),
        ("en", "They met ", "the jury", " there.", "the (panel|bench)"),
        ("en", "Of ", "our unions", ".", "our (guild|federation|association)s"),
        ("de", "Er ist bei ", "der Polizei", ".", r"der [A-ZÄÖÜ]\w+"),
        ("de", "Hier: ", "unser Verein", ".", r"unser (Betrieb|Dachverband)"),
        ("de", "Dort ist ", "das Handwerk", ".", "das (Büro|Unternehmen|Institut)"),
        ("es", "Trabaja en ", "la policía local", ".", "la .+ local"),
        ("es", "Vio a ", "las fuerzas armadas", ".", r"las \w+es"),
        ("fr", "Il est à ", "l'école", ".", "l'[aeiouéè].+"),
        ("fr", "Il voit ", "un organisme agréé", ".", r"un \w+"),
        ("it", "Lavora presso ", "la questura", ".", r"la \w+"),
        ("ru", "Он в ", "городской администрации", ".", r"городской \w+[ие]"),
        ("ru", "По данным ", "вооружённых сил", ".", r"\w+[аияы]"),
        ("ru", "Сказано. ", "Комиссия", " молчит.", r"[А-Я]\w+я|Служба"),
        # What it is for gives way before what it is.
        ("ru", "По данным ", "Федеральной антимонопольной службы", ".", r"Федеральной \w+ой службы"),
        ("ru", "Глава ", "Комитета защиты журналистов", ".", r"[СДК]\w+[та] защиты журналистов"),
        ("ru", "Он из ", "Института физики и химии", ".", r"Института (?!(\w+) и \1)\w+[иы] и \w+[иы]"),
        ("ru", "Он в ", "отделе полиции", ".", "(штабе|участке) полиции"),
        ("ru", "Врач ", "Министерства юстиции РФ", ".", r"Министерства \w+[иы] \w+"),
        ("es", "Es el ", "Ministerio de Defensa", ".", r"Ministerio de [ACEGIJV]\w+"),
        ("de", "im ", "Deutschen Historischen Museum", ".", r"\w+ \w+en Museum"),
        # Names without capitals keep what they are.
        ("de", "im ", "standesamt friedrichshain", "", r"standesamt [a-zäöü]+"),
        ("de", "im ", "ingenieurbüro stahl & beyer", "", r"ingenieurbüro [a-zäöü]+"),
        ("de", "im ", "spd", "", "[a-zü]+"),
        ("es", "im ", "colegio san josé", "", r"colegio [a-zñáéíóú ]+"),
        ("ru", "im ", "ооо ромашка", "", r"ооо [а-яё]+"),
    ],
)  # fmt: skip
def test_what_nothing_names_gives_way_to_its_kind(lang, before, text, after, wanted):
    made = new(lang, before, text, "ORG", after)
    assert text not in made and all(re.fullmatch(wanted, found) for found in made), made


def test_names_in_small_letters_are_none():
    # "tesco" is in no lexicon: a name where a name was.
    parts = ["i work at ", ("tesco", "ORG"), " now"]
    assert deid("en", parts, "key").texts[0] not in ("agency", "bureau", "office")


@pytest.mark.parametrize(
    "lang, before, gender",
    [("de", "bei einem ", "n"), ("es", "en las ", "fs"), ("fr", "une ", "f"), ("it", "i ", "ms")],
)  # fmt: skip
def test_the_article_tells_which_vague_word(lang, before, gender):
    pack = pack_of(lang)
    assert next(iter(pack.institutions(before))) == pack.words["institutions"][gender]


def test_capitals_with_points_stay_so(replace):
    for key in (b"1", b"2", b"3"):
        (new,) = replace([("U.T.", "ORG", "", 0, "one of the ", " games")], key)
        assert re.fullmatch(r"[A-Z]\.[A-Z]\.", new) and new != "U.T."
