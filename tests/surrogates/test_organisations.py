import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.gazetteers.names import surnames
from spacy_deid.text.countries import index
from spacy_deid.text.localities import UK, tables
from spacy_deid.text.names import fold

UK_ = index().by_name[fold(UK)]
KEYS = [b"1", b"2", b"3", b"4"]


@settings(max_examples=60, deadline=None)
@given(
    first=st.sampled_from(["World", "National", "International", "European", "United"]),
    topic=st.sampled_from(["Falconry", "Wheat", "Pottery", "Turtle", "Algebra"]),
    kind=st.sampled_from(["Association", "Fund", "Federation", "Society", "Agency"]),
    key=st.binary(min_size=1, max_size=4),
)
def test_no_surname_stands_among_the_kinds_of_an_institution(
    replace, first, topic, kind, key
):
    text = f"{first} {topic} {kind}"
    (new,) = replace([(text, "ORG")], key)
    words = new.split()
    assert len(words) == 3 and words[2] == kind
    assert words[1] != topic and words[1] not in surnames()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("label", ["ORG", "LOC"])
def test_british_courts_move_to_british_towns(replace, label, key):
    rows = [("Winchester Crown Court", label), ("Madrid", "LOC"), ("Sevilla", "LOC")]
    court = replace(rows, key)[0]
    town = court.removesuffix(" Crown Court")
    assert town != court and index().by_city.get(fold(town), UK_) is UK_, court
    assert fold(town) in tables().by_town or fold(town) in index().by_city
