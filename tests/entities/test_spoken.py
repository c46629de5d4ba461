"""Pieces of what is said are one entity, and so is what they say."""

from spacy.tokens import Doc

from spacy_deid.patterns.spoken.groups import FIRST, MORE
from spacy_deid.schema import Candidate

from .samples import LINK, NLP


def linked(*rows):
    """Entities of (text, label, subtype, detail of the source), one a line each."""
    words, spaces, candidates = [], [], []
    for text, label, subtype, detail in rows:
        doc, start = NLP.make_doc(text), len(words)
        source = f"pattern:{detail}"
        candidates.append(
            Candidate(start, start + len(doc), label, subtype, 0.9, source)
        )
        words += [*(t.text for t in doc), "\n\n"]
        spaces += [*(bool(t.whitespace_) for t in doc), False]
    return LINK(Doc(NLP.vocab, words=words, spaces=spaces), candidates)


def test_pieces():
    phone, card = ("CODE", "PHONE"), ("CODE", "CARD")
    ids = linked(
        ("six one two", *phone, FIRST),
        ("four four one seven", *card, FIRST),
        ("five five five", *phone, MORE),
        ("double one", *card, MORE),
        ("oh one four two", *phone, MORE),
        ("nine nine two", *phone, FIRST),
    )
    assert ids == [0, 1, 0, 1, 0, 2]


def test_with_what_is_written():
    phone = ("CODE", "PHONE")
    pieces = [
        ("six one two", *phone, FIRST),
        ("five five five, oh one four two", *phone, MORE),
    ]
    ids = linked(*pieces, ("612-555-0142", *phone, "PHONE"))
    assert ids == [0, 0, 0]
    # Another number, and one too short to tell.
    assert linked(*pieces, ("612-555-0199", *phone, "PHONE")) == [0, 0, 1]
    assert linked(("six one", *phone, FIRST), ("612-555-0142", *phone, "PHONE")) == [
        0,
        1,
    ]


def test_names():
    name = ("PERSON", "FAMILY_NAME")
    ids = linked(
        ("Mrs Mendizabal", "PERSON", "", "ner"),
        ("M, E, N, D, I", *name, FIRST),
        ("Z, A, B, A, L", *name, MORE),
        ("Kowalczyk", "PERSON", "", "ner"),
        ("K-O-W-A-L-C-Z-Y-K", *name, FIRST),
    )
    assert ids == [0, 0, 0, 1, 1]
