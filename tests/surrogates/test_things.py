"""Things that have names give way to others of their kind."""

from spacy_deid.surrogates.things import kind_of, kinds, used_alike

from ..cases import cases
from .properties import deid


def test_every_name_is_of_its_kind_and_put_where_it_stood():
    # "fluids" beside patients is no disease: a thing is told by itself alone.
    assert kind_of("fluids", "The patient was given fluids for symptoms") is None
    seen = {}
    for kind in kinds().values():
        for name in kind.names:
            seen.setdefault(name.lower(), set()).add(kind.name)
    for name, of in seen.items():
        found = kind_of(name.title(), "")
        assert found is not None and found.name in of, (name, of, found)


def test_in_a_corpus_no_text_around_decides():
    """Neither the kind of a thing nor whether a lone name is a surname."""
    for label, name, frames in cases(__file__, "frames"):
        made = set()
        for before, after in (frame.split("|") for frame in frames):
            parts = [before, (name, label), after]
            made.update(deid("en", parts, "k" * 32, scope="corpus").texts)
        assert len(made) == 1


def test_no_word_that_stands_for_another_is_coarse():
    assert used_alike("women")
    drawn = {*used_alike("women"), *used_alike("men")}
    assert not {"pussy", "bitch", "gay", "slave"} & drawn
