import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.gazetteers.names import given_name_gender
from spacy_deid.text import names

from ..cases import cases


@pytest.mark.parametrize("text, parts", cases(__file__, "split_name"))
def test_split_name(text, parts):
    assert list(names.split_name(text)) == parts


@given(st.text(max_size=60))
def test_name_forms_take_any_text(text):
    tokens = names.name_tokens(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert [t.start for t in tokens] == sorted(t.start for t in tokens)
    for form in (names.normalise, names.strip_legal_form, names.strip_possessive):
        assert isinstance(form(text), str)
    once = names.normalise(text)
    assert names.normalise(once) == once or "the" in once


def test_small_forms():
    for text, left in ("Murray’s", "Murray"), ("Williams'", "Williams"), ("'s", "'s"):
        assert names.strip_possessive(text) == left
    assert names.strip_legal_form("Murray & Sons (UK) Ltd.") == "murray sons uk"
    assert names.strip_legal_form("Ltd") == "ltd"
    assert names.normalise("the MÜLLER-Meier’s") == "muller meier"
    assert names.normalise("1.5") != names.normalise("15")
    assert given_name_gender("Anna") == "f"
    assert given_name_gender("Xyzzy") is None


@pytest.mark.parametrize("text, roles", cases(__file__, "roles"))
def test_titles_names_and_names_in_slugs(text, roles):
    assert [token.role for token in names.name_tokens(text)] == roles
