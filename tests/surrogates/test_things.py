"""Things that have names give way to others of their kind."""

import spacy

from spacy_deid.schema import QUASI, Candidate, set_decided
from spacy_deid.surrogates.things import kind_of, kinds


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
