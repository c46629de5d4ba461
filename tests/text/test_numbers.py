"""Numbers in words and figures."""

from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.text import number_words as words
from spacy_deid.text import numbers


def test_words_for_numbers():
    for n in range(1000):
        assert words.read_words(words.in_words(n)) == n
    assert words.in_words(23, like="Twenty three") == "Twenty three"
    assert words.ordinal_in_words(23) == "twenty-third"
    for n in range(1, 100):
        assert words.read_ordinal(words.ordinal_in_words(n)) == n
    assert words.read_words("a hundred") == 100 and words.read_words("several") is None


def test_other_languages_and_scripts():
    for lang, word, value in (("de", "elf", 11), ("es", "doce", 12), ("en", "two", 2)):
        assert words.number_words(lang).read(word) == value
    assert words.number_words("ru").read("пяти", "oblique") == 5
    assert [numbers.count_form(n, "ru") for n in (1, 21, 2, 5, 11)] == [0, 0, 1, 2, 2]
    assert all(numbers.from_roman(numbers.to_roman(n)) == n for n in range(1, 40))


def test_figures():
    assert numbers.read_figure("4,684.40") == numbers.read_figure("4.684,40") == 4684.4
    assert numbers.read_figure("2,847.312.000") == 2847312000
    assert numbers.read_numbers("two million euros, 30 000") == [2e6, 30000]


@given(
    st.lists(st.text("0123456789", min_size=1, max_size=4), min_size=1, max_size=6),
    st.data(),
)
def test_groups_with_any_signs_have_a_value(groups, data):
    """Of a document: 2,847.312.000 had none, and the document failed."""
    signs = data.draw(st.lists(st.sampled_from(",.'’ \u00a0"), min_size=6, max_size=6))
    text = "".join(g + s for g, s in zip(groups, signs))[:-1]
    assert 0 <= numbers.read_figure(text) <= float("".join(groups))


def test_ordinals():
    assert words.read_ordinal("Twenty First") == 21
    assert words.read_ordinal("twenty") is None
    assert numbers.suffixed(2, "st") == "nd" and numbers.suffixed(2, "er") == ""
    assert numbers.suffixed(1, "er") == "er" and numbers.suffixed(1, "º") == "º"
    assert numbers.suffixed(5, "º") == "" and numbers.suffixed(5, "-го") == "-го"
