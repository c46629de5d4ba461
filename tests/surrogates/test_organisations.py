from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.gazetteers.names import surnames


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
