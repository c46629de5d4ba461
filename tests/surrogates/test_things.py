"""Things that have names give way to others of their kind."""

import re

import pytest

from spacy_deid.surrogates.things import kind_of, kinds

from .test_in_context import new


@pytest.mark.parametrize(
    "before, text, after, wanted",
    [
        ("during the ", "Battle of Sattelberg", ".", "Battle of .+"),
        ("before ", "Tropical Storm Fay", " came.", r"Tropical Storm \w+"),
        ("won the ", "Jean Nicod Prize", ".", ".+ Prize"),
        ("the ", "Fourth Coinage Act", ".", ".+ Act"),
        ("on the ", "USS Badoeng Strait", ".", r"USS \w+ \w+"),
        ("near ", "NGC 6888", ".", r"[A-Z]{3} \d{4}"),
        ("a ", "PDP-8", " ran.", r"[A-Z]{3}-\d"),
    ],
)  # fmt: skip
def test_words_that_tell_a_kind_stay(before, text, after, wanted):
    made = new("en", before, text, "MISC", after)
    assert text not in made and all(re.fullmatch(wanted, found) for found in made), made


@pytest.mark.parametrize(
    "before, text, after, kind",
    [
        ("took ", "Zestoretic", " 20 mg daily", "drug"),
        ("the god ", "Hadad", " was honoured", "god"),
        ("in the ", "Kowrareg", " language", "language"),
        ("grapes such as ", "Riesling", " were pressed", "food"),
        ("they found ", "S. aureus", " in it", "species"),
        ("because of ", "hypokalaemia", "", "disease"),
    ],
)
def test_what_stands_beside_a_name_tells_its_kind(before, text, after, kind):
    assert kind_of(text, f"{before} {after}").name == kind
    names = {name.lower() for name in kinds()[kind].names}
    made = new("en", before, text, "MISC", after)
    assert text not in made and {name.lower() for name in made} <= names, made


def test_a_thing_without_a_name_is_told_by_itself_alone():
    # "fluids" beside patients is no disease.
    assert kind_of("fluids", "The patient was given fluids for symptoms") is None


def test_every_name_is_of_its_kind_and_put_where_it_stood():
    seen = {}
    for kind in kinds().values():
        for name in kind.names:
            seen.setdefault(name.lower(), set()).add(kind.name)
    for name, of in seen.items():
        found = kind_of(name.title(), "")
        assert found is not None and found.name in of, (name, of, found)
