import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.gazetteers.names import given_name_gender
from spacy_deid.text.names import (
    name_tokens,
    normalise,
    split_name,
    strip_legal_form,
    strip_possessive,
)


@pytest.mark.parametrize(
    "text,parts",
    [
        (
            "Dr. Anna Maria van der Berg Jr.",
            ("Dr.", "Anna", "Maria", "van der Berg", "Jr."),
        ),
        ("SMITH, JOHN", ("", "JOHN", "", "SMITH", "")),
        ("Smith, Jr.", ("", "", "", "Smith", "Jr.")),
        ("J. Smith", ("", "J.", "", "Smith", "")),
        ("J.S. Bach", ("", "J.", "S.", "Bach", "")),
        ("J.S.", ("", "J.", "", "S.", "")),
        ("Smith J.", ("", "J.", "", "Smith", "")),
        ("Mr Murray’s", ("Mr", "", "", "Murray", "")),
        ("Sir Robert", ("Sir", "Robert", "", "", "")),
        ("Lord Denning", ("Lord", "", "", "Denning", "")),
        ("MURRAY Robert", ("", "Robert", "", "MURRAY", "")),
        ("Robert MURRAY", ("", "Robert", "", "MURRAY", "")),
        ("Prof. Dr. Hans Meier", ("Prof. Dr.", "Hans", "", "Meier", "")),
        ("Samuel L. Jackson", ("", "Samuel", "L.", "Jackson", "")),
        ("John Smith, M.D.", ("", "John", "", "Smith", "M.D.")),
        ("Dr. M.D.", ("Dr.", "M.", "", "D.", "")),
        ("Al Gore", ("", "Al", "", "Gore", "")),
        ("José Ortega y Gasset", ("", "José", "", "Ortega y Gasset", "")),
        ("Señora García", ("Señora", "", "", "García", "")),
        ("Mr.Smith", ("Mr.", "", "", "Smith", "")),
        ("张三", ("", "", "", "张三", "")),
        ("", ("", "", "", "", "")),
        ("...", ("", "", "", "", "")),
    ],
)
def test_split_name(text, parts):
    assert tuple(split_name(text)) == parts


@given(st.text(max_size=60))
def test_name_forms_take_any_text(text):
    tokens = name_tokens(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert [t.start for t in tokens] == sorted(t.start for t in tokens)
    for form in (normalise, strip_legal_form, strip_possessive):
        assert isinstance(form(text), str)
    assert normalise(normalise(text)) == normalise(text) or "the" in normalise(text)


def test_small_forms():
    assert strip_possessive("Murray’s") == "Murray"
    assert strip_possessive("Williams'") == "Williams"
    assert strip_possessive("'s") == "'s"
    assert strip_legal_form("Murray & Sons (UK) Ltd.") == "murray sons uk"
    assert strip_legal_form("Ltd") == "ltd"
    assert normalise("the MÜLLER-Meier’s") == "muller meier"
    assert normalise("1.5") != normalise("15")
    assert given_name_gender("Anna") == "f"
    assert given_name_gender("Xyzzy") is None


def test_titles_between_names_are_no_names():
    roles = [(t.text, t.role) for t in name_tokens("Rua Dr. Falcão Filho")]
    assert ("Dr.", "title") in roles and ("Filho", "family") in roles
    assert ("St.", "middle") in [(t.text, t.role) for t in name_tokens("Mary St. John")]
    assert [t.role for t in name_tokens("J. D. Lee")] == ["given", "middle", "family"]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("BISHOP, TREVOR", ["family", "given"]),
        ("Bishop Trevor", ["title", "family"]),
        ("Lance Rider", ["given", "family"]),
        ("Lance Corporal Rider", ["title", "title", "family"]),
        # Slugs.
        ("Lara_Wilkinson", ["given", "family"]),
        ("\\/Lara_Wilkinson_", ["given", "family"]),
        ("lara_wilkinson", ["given", "family"]),
    ],
)
def test_titles_that_are_names_and_names_in_slugs(text, roles):
    assert [token.role for token in name_tokens(text)] == roles
