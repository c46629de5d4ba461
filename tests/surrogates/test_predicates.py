import re

import pytest

from spacy_deid.surrogates.predicates import says_as_much, verb_form

from ..cases import cases


@pytest.mark.parametrize("before, text, form", cases(__file__, "forms"))
def test_a_verb_is_told_by_its_form_and_its_subject(before, text, form):
    assert verb_form(text, before) == form
    assert before or verb_form(text) == form


@pytest.mark.parametrize("text", cases(__file__, "phrases"))
@pytest.mark.parametrize("label", ["DEM", "MISC"])
def test_no_phrase_stays_but_for_a_number(replace, label, text):
    (new,) = replace([(text, label)], b"1")
    words = set(re.findall(r"[a-z]{5,}", text.lower()))
    assert len(words & set(re.findall(r"[a-z]{5,}", new.lower()))) < 2


def test_says_as_much():
    old = "sixty the day of the old Queen's funeral"
    assert says_as_much("fifty the day of the old Queen's funeral", old)
    assert not says_as_much("two years old", "three years old")
    assert not says_as_much("sold insurance", old)
