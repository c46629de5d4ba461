"""Numbers in words and figures."""

from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.text.number_words import (
    in_words,
    number_words,
    ordinal_in_words,
    read_ordinal,
    read_words,
)
from spacy_deid.text.numbers import (
    count_form,
    from_roman,
    read_figure,
    read_numbers,
    suffixed,
    to_roman,
)


def test_words_for_numbers():
    for n in range(1000):
        assert read_words(in_words(n)) == n
    assert in_words(23, like="Twenty three") == "Twenty three"
    assert ordinal_in_words(23) == "twenty-third"
    for n in range(1, 100):
        assert read_ordinal(ordinal_in_words(n)) == n
    assert read_words("a hundred") == 100 and read_words("several") is None


def test_other_languages_and_scripts():
    for lang, word, value in (("de", "elf", 11), ("es", "doce", 12), ("en", "two", 2)):
        assert number_words(lang).read(word) == value
    assert number_words("ru").read("пяти", "oblique") == 5
    assert [count_form(n, "ru") for n in (1, 21, 2, 5, 11)] == [0, 0, 1, 2, 2]
    assert all(from_roman(to_roman(n)) == n for n in range(1, 40))


def test_figures():
    assert read_figure("4,684.40") == read_figure("4.684,40") == 4684.4
    assert read_figure("2,847.312.000") == 2847312000
    assert read_numbers("two million euros, 30 000") == [2e6, 30000]


@given(
    st.lists(st.text("0123456789", min_size=1, max_size=4), min_size=1, max_size=6),
    st.data(),
)
def test_groups_with_any_signs_have_a_value(groups, data):
    """Of a document: 2,847.312.000 had none, and the document failed."""
    signs = data.draw(st.lists(st.sampled_from(",.'’ \u00a0"), min_size=6, max_size=6))
    text = "".join(g + s for g, s in zip(groups, signs))[:-1]
    assert 0 <= read_figure(text) <= float("".join(groups))


def test_ordinals():
    assert read_ordinal("Twenty First") == 21
    assert read_ordinal("twenty") is None
    assert suffixed(2, "st") == "nd" and suffixed(2, "er") == ""
    assert suffixed(1, "er") == "er" and suffixed(1, "º") == "º"
    assert suffixed(5, "º") == "" and suffixed(5, "-го") == "-го"
