import gc
import pickle
import warnings

import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span, SpanGroup

from spacy_deid import install_extensions, schema

TEXT = "Anna Smith lives in Oslo since 2001."
PERSON = schema.Candidate(0, 2, "PERSON", "FULL_NAME", 0.9, "ner:pii_ner", "a reason")
CITY = schema.Candidate(4, 5, "LOC", "CITY", 0.5, "term:city")


def told(span):
    names = ("risk", "identifier_type", "risk_votes", "surrogate")
    return tuple(span._.get(name) for name in names)


def check(doc):
    assert schema.get_candidates(doc, schema.PII_KEY) == [PERSON, CITY]
    assert schema.group_attr(doc.spans[schema.PII_KEY], "entity_ids", -1) == [0, 1]
    assert told(doc[0:2]) == (0.9, schema.DIRECT, {"rare": True}, "Eva Berg")
    assert told(doc[4:5]) == (0.1, schema.NO_MASK, {}, None)
    assert [p["label"] for p in doc._.pii] == ["PERSON", "LOC"]


def test_getters_with_and_without_groups_and_round_trips(nlp):
    doc = nlp(TEXT)
    schema.set_group(doc, schema.PII_KEY, [PERSON, CITY], entity_ids=[0, 1])
    mask = [PERSON._replace(label=schema.DIRECT), CITY._replace(label=schema.NO_MASK)]
    attrs = {"entity_ids": [0, 1], "labels": ["PERSON", "LOC"], "risk": [0.9, 0.1]}
    attrs |= {"votes": [{"rare": True}, {}], "reasons": ["", ""]}
    schema.set_group(doc, schema.MASK_KEY, mask, **attrs)
    attrs = {
        "entity_ids": [0],
        "surrogates": ["Eva Berg"],
        "decisions": [schema.DIRECT],
    }
    schema.set_group(doc, schema.DEID_KEY, [PERSON], **attrs)
    check(doc)
    wanted = {**PERSON._asdict(), "subtype": PERSON.id, "end": 10, "entity_id": 0}
    del wanted["id"]
    assert doc._.pii[0] == wanted
    assert type(doc._.pii) is list and type(doc[0:2]._.risk) is float
    assert told(doc[0:1]) == (None, None, {}, None)
    check(Doc(nlp.vocab).from_bytes(doc.to_bytes()))
    doc._.deid_text = "Eva Berg lives in Oslo since 2001."
    doc._.deid_offsets = [[0, 10, 0, 8]]
    doc._.deid_epsilon = 1.5
    stored = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (again,) = DocBin().from_bytes(stored).get_docs(spacy.blank("en").vocab)
    check(again)
    assert again._.deid_text == doc._.deid_text
    # msgpack gives tuples for the lists of user data.
    assert [list(item) for item in again._.deid_offsets] == [[0, 10, 0, 8]]
    assert again._.deid_epsilon == 1.5
    doc = nlp(TEXT)
    assert doc._.pii == schema.get_candidates(doc, schema.PII_KEY) == []
    assert doc._.deid_text is doc._.deid_target is None
    assert told(doc[0:2]) == (None, None, {}, None)
    schema.set_group(doc, schema.PII_KEY, [])
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again._.pii == schema.get_candidates(again, schema.PII_KEY) == []


def test_attrs_must_align_and_decisions_are_ranked(nlp):
    doc = nlp(TEXT)
    message = "entity_ids.*'pii'.*1 values.*2 spans"
    with pytest.raises(ValueError, match=message) as info:
        schema.set_group(doc, schema.PII_KEY, [PERSON, CITY], entity_ids=[0])
    assert "Anna" not in str(info.value) and schema.PII_KEY not in doc.spans
    # Spans that are set by the user, and a group that is changed.
    doc.spans[schema.PII_KEY] = [Span(doc, 0, 2, label="PERSON")]
    (found,) = schema.get_candidates(doc, schema.PII_KEY)
    assert found == schema.Candidate(0, 2, "PERSON", "", 1.0, "")
    assert doc._.pii[0]["entity_id"] == -1
    schema.set_group(doc, schema.PII_KEY, [PERSON], entity_ids=[0])
    group = doc.spans[schema.PII_KEY]
    group.append(Span(doc, 6, 7, label="DATETIME"))
    assert schema.group_attr(group, "entity_ids", -1) == [-1, -1]
    assert schema.group_attr(SpanGroup(doc), "scores", 1.0) == []
    ranked = schema.DIRECT, schema.QUASI, schema.NO_MASK
    assert [schema.strictest(ranked[i:][::-1]) for i in range(3)] == [*ranked]
    assert schema.strictest([]) == schema.NO_MASK
    with pytest.raises(ValueError):
        schema.strictest(["nope"])


def test_the_text_is_that_of_the_tokens(nlp):
    doc = nlp("Dr Oslo met  Ms Bergen.\n")
    text = schema.text_of(doc)
    assert text == doc.text and text is schema.text_of(doc)
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert schema.text_of(doc) == doc.text
    empty = Doc(nlp.vocab)
    assert schema.text_of(empty) == ""
    assert schema.text_of(empty.from_bytes(doc.to_bytes())) == doc.text
    # Nothing of it is kept in the document or beyond it.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        copy = pickle.loads(pickle.dumps(doc))
    assert not doc.user_data and not doc.user_hooks and schema.text_of(copy) == doc.text
    known = len(schema._texts)
    del doc, retokenizer
    gc.collect()
    assert len(schema._texts) < known


def test_extensions_are_installed_once_and_leave_the_users_own():
    before = {name: Doc.get_extension(name) for name in ("deid_text", "pii")}
    install_extensions()
    assert before == {name: Doc.get_extension(name) for name in before}
    original = Span.get_extension("risk")
    Span.remove_extension("risk")
    Span.set_extension("risk", getter=lambda span: "mine")
    try:
        install_extensions()
        assert spacy.blank("en")("x")[0:1]._.risk == "mine"
    finally:
        Span.remove_extension("risk")
        Span.set_extension("risk", getter=original[2])
