"""Fields of a record in one document: nothing found or replaced crosses them."""

import pickle
from itertools import pairwise

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin, Span, SpanGroup

from spacy_deid.records.declared import parts_of
from spacy_deid.schema import Candidate
from spacy_deid.surrogates.sweep.occurrences import Sweep
from spacy_deid.text import fields

NLP = spacy.blank("en")
# Pieces that make names and numbers with what is in the next field.
pieces = st.sampled_from(
    "Ann Lee John Baker 28045 02 / - . \n \t \u00a0 of a@b.de 𓀀 𓀁 é j o h n".split(" ")
)
texts = st.one_of(st.lists(pieces, max_size=5).map(" ".join), st.text(max_size=8))
texts = st.lists(texts, min_size=1, max_size=4)


def joined(nlp, texts):
    return fields.join_fields(nlp.make_doc, [(text, "", "") for text in texts])


def all_masked():
    """A pipeline that takes spans over all fields and masks them."""
    nlp = spacy.blank("en")

    @spacy.Language.component("fields_test_everything")
    def everything(doc):
        length = len(doc)
        at = sorted({0, length // 3, length // 2, length})
        found = [Span(doc, a, b, label="PERSON") for a, b in pairwise(at) if a < b]
        doc.spans["pii"] = SpanGroup(doc, name="pii", spans=found)
        return doc

    nlp.add_pipe("fields_test_everything")
    nlp.add_pipe("pseudonymizer", config={"mask": "all"})
    nlp.get_pipe("pseudonymizer").set_key(b"k" * 32)
    return nlp


MASKING = all_masked()


@given(texts)
def test_a_separator_is_in_no_text_and_runs_end_at_it(texts):
    separator = fields.separator_for(texts)
    assert not any(ch in text for text in texts for ch in separator.strip())
    sweep = Sweep(())
    sweep.add("John Baker", 0, name=True)
    sweep.add("28045/02", 1)
    assert not sweep.find(f"John{separator}Baker 28045{separator}02")
    assert sweep.find("John Baker") and sweep.find("28045 02")


@settings(max_examples=60, deadline=None)
@given(texts)
def test_nothing_crosses_fields(texts):
    doc = joined(NLP, texts)
    if len(texts) > 1:
        assert [doc.text[f.start : f.end] for f in fields.fields_in(doc)] == texts
    else:
        assert doc.text == texts[0]
    n = len(doc)
    found = [Candidate(a, b, "MISC") for a in range(n) for b in (a + 1, n)]
    places = [(f.start, f.end) for f in fields.fields_in(doc)] or [(0, len(doc.text))]
    for c in fields.cut_at_fields(doc, found):
        span = doc[c.start : c.end]
        assert any(a <= span.start_char and span.end_char <= b for a, b in places)


@settings(max_examples=60, deadline=None)
@given(texts)
def test_the_new_text_comes_apart_where_the_old_did(texts):
    """Spans over everything, whose surrogates are other than they, are cut."""
    doc = MASKING(joined(MASKING, texts))
    names = [str(i) for i in range(len(texts))]
    parts = parts_of(doc, names, doc._.deid_text, doc._.deid_offsets)
    assert [doc.text[p.start : p.end] for p in parts] == texts
    new = [doc._.deid_text[p.new_start : p.new_end] for p in parts]
    if len(texts) > 1:
        assert fields.separator_for(texts).join(new) == doc._.deid_text
    for old, text in zip(texts, new):
        words = [w for w in old.split() if len(w) > 3 and w.isalpha()]
        assert not any(word in text.split() for word in words)


def test_a_replacement_beyond_a_field_is_refused():
    doc = joined(NLP, ["ab", "cd"])
    with pytest.raises(ValueError, match="beyond a field"):
        parts_of(doc, ["a", "b"], "x", [[0, len(doc.text), 0, 1]])
    new = doc.text.replace("ab", "xyz")
    parts = parts_of(doc, ["a", "b"], new, [[0, 2, 0, 3]])
    assert [p[3:] for p in parts] == [(0, 3), (8, 10)]


def declared(doc):
    return [(doc[c.start : c.end].text, c.label, c.id) for c in fields.declared_in(doc)]


def test_fields_anywhere_in_a_text():
    text = "From: Ann Lee <a@b.de>\nhello"
    rows = (6, 13, "PERSON"), (15, 21, "CODE", "EMAIL"), (23, 28)
    places = [fields.Field(*row) for row in rows]
    doc = fields.with_fields(NLP.make_doc, text, places)
    assert doc.text == text and fields.fields_in(doc) == places
    assert declared(doc) == [("Ann Lee", "PERSON", ""), ("a@b.de", "CODE", "EMAIL")]
    cut = fields.cut_at_fields(doc, [Candidate(0, len(doc), "MISC")])
    assert [doc[c.start : c.end].text for c in cut] == ["Ann Lee", "a@b.de", "hello"]
    assert not fields.fields_in(fields.with_fields(NLP.make_doc, text, []))


def test_declared_fields_are_spans():
    cells = [(" Ann Lee ", "PERSON", ""), ("a@b.de", "CODE", "EMAIL")]
    rows = [*cells, ("-", "CODE", ""), ("text", "", "")]
    doc = fields.join_fields(NLP.make_doc, rows)
    assert declared(doc) == [("Ann Lee", "PERSON", ""), cells[1]]
    (again,) = DocBin(store_user_data=True, docs=[doc]).get_docs(NLP.vocab)
    assert fields.fields_in(again) == fields.fields_in(doc)
    assert again._.deid_fields == doc._.deid_fields
    assert declared(pickle.loads(pickle.dumps(doc))) == declared(doc)


def test_what_is_declared_is_masked_whatever_is_judged():
    """Types that are not masked, a profile that leaves dates, and no recognizer."""
    nlp = spacy.blank("en")
    pipes = {"patterns": {}, "terms": None}
    nlp.add_pipe("pii_gazetteer", config=pipes)
    nlp.add_pipe("pseudonymizer", config={"types": ["ORG"]})
    cells = [("Jo Wang", "PERSON", ""), ("1961-05-06", "DATETIME", "")]
    doc = nlp(fields.join_fields(nlp.make_doc, [*cells, ("Ms Wang", "", "")]))
    assert [s.label_ for s in doc.spans["mask"]][:2] == ["DIRECT", "QUASI"]
    assert not any(w in doc._.deid_text for w in ("Wang", "1961-05-06"))
    free = spacy.blank("en")
    free.add_pipe("pii_gazetteer", config={**pipes, "allow": ["Jo Wang"]})
    free.add_pipe("pseudonymizer")
    doc = free(fields.join_fields(free.make_doc, [*cells, ("Jo Wang", "", "")]))
    assert doc._.deid_text.startswith("Jo Wang")
    # Another day of the same year will do.
    assert "1961-05-06" not in doc._.deid_text
