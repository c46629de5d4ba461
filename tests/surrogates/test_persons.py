import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.gazetteers.name_letters import guess_language
from spacy_deid.gazetteers.names import LOCALES, lists, nicknames
from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.person_gender import gender_of

from ..cases import cases


def person(*texts):
    return [(text, "PERSON", "", 1) for text in texts]


def test_many_persons_get_different_names(replace):
    texts = (f"Mr John Smith{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(600))
    rows = [(text, "PERSON", "", i) for i, text in enumerate(texts)]
    assert len(set(replace(rows, forbidden=lambda _: False))) == 600


@pytest.mark.parametrize("language, names", cases(__file__, "languages"))
def test_language_of_names(language, names):
    assert {guess_language(name.split()) for name in names} == {language}


def test_names_of_lists_have_a_capital():
    """Some of Faker's have none ("petek")."""
    for language in LOCALES:
        for names in lists(language):
            assert not [name for name in names if name.islower()]


INITIAL = st.sampled_from("ABCDEFGHJKLMNPRSTW")
GIVEN = st.sampled_from(("Robert", "Bob", "Mary", "Liz", "Anna", "Zorwen"))
FAMILY = st.sampled_from(("Murray", "Hill", "Li", "Smith-Jones", "Zorwenna"))
FORMS = "{i}.|Mr {i}|{i}.{j}.|{i}. {last}|{one} {last}|{one} {i}. {last}|{one}|{last}"
NAMES = st.builds(
    str.format,
    st.sampled_from(FORMS.split("|")),
    i=INITIAL,
    j=INITIAL,
    one=GIVEN,
    last=FAMILY,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=10, unique=True), st.binary(max_size=4))
def test_two_persons_never_get_the_same_name(replace, texts, key):
    rows = [(text, "PERSON", "", i) for i, text in enumerate(texts)]
    out = replace(rows, key or b"0")
    assert len(set(out)) == len(texts), (texts, out)
    assert not set(out) & set(texts)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), unique=True, max_size=13),
    st.binary(min_size=1, max_size=4),
)
def test_initials_are_exchanged_as_long_as_there_are_letters(replace, letters, key):
    rows = [(f"Mr {letter}", "PERSON", "", i) for i, letter in enumerate(letters)]
    out = replace(rows, key)
    assert len(set(out)) == len(out)
    assert all(re.fullmatch("Mr [A-Z]", new) for new in out)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Petra Lindholm", "Lindholm, Petra"), ("Greg Marsh", "Marsh, Gregory")],
)
def test_the_order_of_a_name_does_not_choose_another(replace, one, other, key):
    """In documents that know nothing of each other."""
    given, family = replace(person(one), key)[0].split()
    again = replace(person(other), key)[0].split(", ")
    assert again[0] == family
    assert again[1] == given or given in nicknames("en").short[again[1]]


def test_english_names_are_drawn_from_english_lists_alone():
    names = lists("en")
    assert not {"Mohammed", "Fatima", "Zhang", "Garcia"} & {
        name for part in names for name in part
    }


@pytest.mark.parametrize("name, after, sex", cases(__file__, "sexes"))
def test_sex_by_fields_and_pronouns_further_on(name, after, sex):
    mention = Mention(name, "PERSON", "", 0, "", after[:30], around=after)
    assert gender_of([mention]) == sex
