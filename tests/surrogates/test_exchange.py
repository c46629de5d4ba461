import re

import pytest

from spacy_deid.gazetteers.lexicon import is_coined
from spacy_deid.lang.base import pack_of
from spacy_deid.lang.ru.forms import multiword, named_forms

from ..cases import cases


def test_a_compound_keeps_its_kind_where_no_text_is_around(replace_in, key):
    (new,) = replace_in("de", [("ZDF-Magazin", "ORG")], key)
    assert re.fullmatch(r"(ARD|RTL|Sat\.1|ProSieben)-Magazin", new)


def test_a_sibling_that_the_document_has_is_another(replace_in, key):
    rows = [("клуба Челси", "ORG"), ("Арсенала", "ORG"), ("Эвертона", "ORG")]
    assert replace_in("ru", rows, key)[0] in ("клуба Тоттенхэм", "клуба Фулхэм")


def test_letters_of_a_country_in_russian(replace_in, key):
    """The USA is no country of twenty that do not decline, and one in all its names."""
    names = ["США", "Соединёнными Штатами", "Америке"]
    new = replace_in("ru", [(name, "LOC") for name in names], key)
    assert re.fullmatch(r"[А-Я]{2,4}", new[0])
    assert len({*new}) == 3 or new[0] == new[1] == new[2]


def test_forms_of_names_of_several_words():
    assert named_forms("Голос Америки")["datv"] == "Голосу Америки"
    assert named_forms("Красный Крест")["ablt"] == "Красным Крестом"
    # Not of another participle of the verb.
    assert multiword("Соединённые Штаты")["gent"] == "Соединённых Штатов"


@pytest.mark.parametrize("word, lang, coined", cases(__file__, "coined"))
def test_coined_words(word, lang, coined):
    assert is_coined(word, lang) == (coined == "yes")


def test_rows_of_names_have_several():
    for lang in ("de", "ru"):
        for row, lexemes in pack_of(lang).lexicon().rows.items():
            if row.startswith("term:ORG:"):
                assert len({x.name for x in lexemes}) > 1, lexemes
