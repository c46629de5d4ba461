import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.evaluation.gate import released as releases
from spacy_deid.evaluation.gate.released import compare, original_of, read_released
from spacy_deid.evaluation.gold import GoldDocument, Mention

WORDS = ("Ann", "Lee", "of", "Leeds", "wrote", "to", "AB-123456", "again", ".")
ANN = ("Ann Lee", "Eva Ray")
PIECES = [ANN, " of ", ("Leeds", "York"), " wrote to ", ANN]
words = st.sampled_from(WORDS)


def record(pieces, doc_id="a", offsets=True, **more):
    """A record and its original, of pieces: a string, or one and its surrogate."""
    old = new = ""
    spans = []
    for piece in pieces:
        was, now = piece if isinstance(piece, tuple) else (piece, piece)
        if isinstance(piece, tuple):
            span = {"start": len(old), "end": len(old) + len(was)} if offsets else {}
            span |= {"new_start": len(new), "new_end": len(new) + len(now)}
            span |= {"label": "PERSON", "subtype": "", "decision": "DIRECT"}
            spans.append({**span, "risk": "high", "sources": ["ner"]})
        old, new = old + was, new + now
    return {"doc_id": doc_id, "text": new, "spans": spans, "epsilon": None, **more}, old


def test_what_was_replaced_and_records_that_are_refused():
    for offsets in (True, False):
        made, old = record(PIECES, offsets=offsets)
        released = compare(read_released(made), old)
        replaced = [old[r.start : r.end] for r in released.replaced]
        assert released.fits and replaced == ["Ann Lee", "Leeds", "Ann Lee"]
        assert {r.label for r in released.replaced} == {"PERSON"}
    wrong = [{"spans": spans} for spans in ([{}], [{"decision": "PERHAPS"}], 3)]
    for change in ({"text": None}, *wrong):
        with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
            read_released({**made, **change})


@given(st.lists(words | st.tuples(words, words), max_size=12), st.booleans())
def test_records_fit_and_originals_left_in_are_not_replaced(pieces, offsets):
    spaced = [part for piece in pieces for part in (piece, " ")]
    made, old = record(spaced, offsets=offsets)
    released = compare(read_released(made), old)
    assert released.fits and releases.agrees(released.text, old, released.replaced)
    if offsets:
        changed = [p for p in pieces if isinstance(p, tuple) and p[0] != p[1]]
        assert len(released.replaced) == len(changed)


def masked(released):
    """Whether the first "Ann Lee", a direct identifier, is masked."""
    gold = GoldDocument(released.original, [[Mention(0, 7, "PERSON", "DIRECT")]])
    return released.count(gold).docs[0]["direct_masked"]


def test_a_text_that_was_put_back_or_edited_is_seen_whatever_its_record_says():
    made, old = record(PIECES)
    assert masked(compare(read_released(made), old)) == 1
    for spans in (made["spans"], []):
        back = compare(read_released({**made, "text": old, "spans": spans}), old)
        assert back.replaced == [] and back.fits == (not spans) and masked(back) == 0
    edited = {**made, "text": made["text"].replace("wrote", "never wrote")}
    released = compare(read_released(edited), old)
    # What differs is still known.
    assert not released.fits and masked(released) == 1


def test_masked_strings_that_survive():
    made, old = record([*PIECES, " for ANN  LEE"])
    assert [*compare(read_released(made), old).survivors()] == [(0, 7), (26, 33)]
    made, old = record(PIECES, note={"by": ["Ann Lee"]})
    assert [*compare(read_released(made), old).survivors()]
    # A word alone may mean something else; a part of a word is another word.
    for pieces in ([("Hope", "Eva"), " hope"], [("Ann Lee", "Eva"), " Ann Leeds"]):
        made, old = record(pieces)
        assert not [*compare(read_released(made), old).survivors()]


def test_originals_are_found_by_id_by_fit_or_in_the_audit():
    rows = [record(PIECES, "a"), record([("Bob", "Tom"), " left"], "id-77")]
    pairs = [("a", rows[0][1]), ("bob", rows[1][1]), ("c", "Nothing")]
    originals = releases.Originals(pairs)
    for made, old in rows:
        assert originals.find(read_released(made)) == old
    other, _ = record([("Bob", "Tom"), " stayed"], "id-78")
    assert originals.find(read_released(other)) is None
    made, old = record(PIECES)
    pairs = zip(made["spans"], [ANN, ("Leeds", "York"), ANN])
    rows = [{**span, "text": text, "surrogate": new} for span, (text, new) in pairs]
    assert original_of(read_released(made), rows) == old
    assert original_of(read_released({**made, "text": old}), rows) == old
    other = read_released({**made, "text": made["text"].replace("York", "Bath")})
    assert original_of(other, rows) is None
