"""Things that have names give way to others of their kind."""

import pytest
import spacy

from spacy_deid.schema import QUASI, Candidate, set_decided
from spacy_deid.surrogates.things import kind_of, kinds

from .test_in_context import new


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


@pytest.mark.parametrize(
    "text, kind, many",
    [
        ("tau protein", "molecule", False),
        ("amino acids", "molecule", True),
        ("oral cancer", "disease", False),
        ("albumin", "molecule", False),
    ],
)
def test_in_small_letters_the_noun_tells_the_kind(text, kind, many):
    names = {name.lower() for name in kinds()[kind].names}
    for found in new("en", "the role of ", text, "MISC", " is known."):
        assert any(found in (name, f"{name}s") for name in names), found
        assert found.endswith("s") if many else found in names


def test_every_name_is_of_its_kind_and_put_where_it_stood():
    seen = {}
    for kind in kinds().values():
        for name in kind.names:
            seen.setdefault(name.lower(), set()).add(kind.name)
    for name, of in seen.items():
        found = kind_of(name.title(), "")
        assert found is not None and found.name in of, (name, of, found)


def test_in_a_corpus_no_text_around_decides():
    """Neither the kind of a thing nor whether a lone name is a surname."""
    rows = [
        ("MISC", "Riesling", "The grapes of {} are pressed in October, a wine."),
        ("MISC", "Riesling", "We flew on {}, an aircraft of the airline."),
        ("PERSON", "Choltitz", "In 1931 the town was taken by {}."),
        ("PERSON", "Choltitz", "I asked {} if we could go."),
    ]
    nlp = spacy.blank("en")
    pseudonymizer = nlp.add_pipe("pseudonymizer", config={"scope": "corpus"})
    pseudonymizer.set_key(b"k" * 32)
    made = []
    for label, name, frame in rows:
        doc = nlp.make_doc(frame.format(name))
        at = doc.text.index(name)
        span = doc.char_span(at, at + len(name))
        found = Candidate(span.start, span.end, label, "", 1.0, "ner:test")
        set_decided(doc, [found], [QUASI], [0])
        made.append(pseudonymizer(doc)._.deid_text[at:].partition(frame[at + 2 :])[0])
    assert made[0] == made[1] and made[2] == made[3]


@pytest.mark.parametrize(
    ("capitals", "name"), [("ŞİRAY", "Şiray"), ("IŞIL", "Işıl"), ("KURT", "Kurt")]
)
def test_a_case_has_one_name_in_capitals_and_small_letters(replace, capitals, name):
    for key in (b"1", b"2", b"3", b"4"):
        rows = [
            (f"{x} v. Turkey", "MISC", "", i) for i, x in enumerate((capitals, name))
        ]
        title, text = replace(rows, key)
        assert title.casefold() == text.casefold() and title != text
