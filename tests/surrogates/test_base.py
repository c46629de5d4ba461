"""Helpers that all generators share."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.lang.base import last_word
from spacy_deid.surrogates.base import (
    article_before,
    preferred_first,
    starts_with_vowel_sound,
)

from ..cases import cases


@given(st.lists(st.integers()))
def test_preferred_items_come_first_and_keep_their_order(items):
    found = list(preferred_first(items, lambda i: i % 2 == 0))
    assert found == sorted(items, key=lambda i: i % 2 != 0)


def test_no_more_is_taken_than_is_asked_for():
    taken = []

    def items():
        for i in range(100):
            taken.append(i)
            yield i

    found = preferred_first(items(), lambda i: i > 2)
    assert list(islice(found, 2)) == [3, 4]
    assert taken == [0, 1, 2, 3, 4]


def test_the_word_before_a_mention():
    assert last_word("lives in ") == last_word("Er wohnt IN\n") == "in"
    assert last_word("") == last_word("in (") == last_word("in") == ""


def test_the_indefinite_article():
    for article, texts in cases(__file__, "articles"):
        for text in texts.split():
            assert starts_with_vowel_sound(text) == (article == "an"), text


def test_articles_behind_brackets_and_marks():
    for before in ("father (an ", 'called "an ', "shows *an "):
        assert article_before(before) == "an"
    assert article_before("Hanan ") == article_before("(than ") == ""
