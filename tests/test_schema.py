import gc
import pickle
import warnings

import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span, SpanGroup

from spacy_deid import install_extensions, schema
from spacy_deid.schema import (
    DEID_KEY,
    DIRECT,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    Candidate,
    get_candidates,
    group_attr,
    set_group,
    strictest,
    text_of,
)

TEXT = "Anna Smith lives in Oslo since 2001."
PERSON = Candidate(0, 2, "PERSON", "FULL_NAME", 0.9, "ner:pii_ner", "a reason")
CITY = Candidate(4, 5, "LOC", "CITY", 0.5, "term:city")


@pytest.fixture
def doc(nlp):
    doc = nlp(TEXT)
    set_group(doc, PII_KEY, [PERSON, CITY], entity_ids=[0, 1])
    mask = [PERSON._replace(label=DIRECT), CITY._replace(label=NO_MASK)]
    told = {"entity_ids": [0, 1], "labels": ["PERSON", "LOC"], "risk": [0.9, 0.1]}
    set_group(doc, MASK_KEY, mask, **told, votes=[{"rare": True}, {}], reasons=["", ""])
    told = {"entity_ids": [0], "surrogates": ["Eva Berg"], "decisions": [DIRECT]}
    set_group(doc, DEID_KEY, [PERSON], **told)
    return doc


def told(span):
    """What is kept of a span, by its getters."""
    names = ("risk", "identifier_type", "risk_votes", "surrogate")
    return tuple(span._.get(name) for name in names)


def check(doc):
    assert get_candidates(doc, PII_KEY) == [PERSON, CITY]
    assert group_attr(doc.spans[PII_KEY], "entity_ids", -1) == [0, 1]
    assert told(doc[0:2]) == (0.9, DIRECT, {"rare": True}, "Eva Berg")
    assert told(doc[4:5]) == (0.1, NO_MASK, {}, None)
    assert [p["label"] for p in doc._.pii] == ["PERSON", "LOC"]


def test_groups_and_getters(doc):
    check(doc)
    wanted = {**PERSON._asdict(), "subtype": PERSON.id, "end": 10, "entity_id": 0}
    del wanted["id"]
    assert doc._.pii[0] == wanted
    assert type(doc._.pii) is list and type(doc[0:2]._.risk) is float
    assert told(doc[0:1]) == (None, None, {}, None)


def test_getters_without_groups(nlp):
    doc = nlp(TEXT)
    assert doc._.pii == get_candidates(doc, PII_KEY) == []
    assert doc._.deid_text is doc._.deid_target is None
    assert told(doc[0:2]) == (None, None, {}, None)
    set_group(doc, PII_KEY, [])
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again._.pii == get_candidates(again, PII_KEY) == []


def test_round_trips(nlp, doc):
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


def test_attrs_must_align(nlp):
    doc = nlp(TEXT)
    message = "entity_ids.*'pii'.*1 values.*2 spans"
    with pytest.raises(ValueError, match=message) as info:
        set_group(doc, PII_KEY, [PERSON, CITY], entity_ids=[0])
    assert "Anna" not in str(info.value)
    assert PII_KEY not in doc.spans
    # Spans that are set by the user.
    doc.spans[PII_KEY] = [Span(doc, 0, 2, label="PERSON")]
    assert get_candidates(doc, PII_KEY) == [Candidate(0, 2, "PERSON", "", 1.0, "")]
    assert doc._.pii[0]["entity_id"] == -1


def test_group_attr_of_a_changed_group(doc):
    group = doc.spans[PII_KEY]
    group.append(Span(doc, 6, 7, label="DATETIME"))
    assert group_attr(group, "entity_ids", -1) == [-1, -1, -1]
    assert group_attr(SpanGroup(doc), "scores", 1.0) == []


def test_the_text_is_that_of_the_tokens(nlp):
    doc = nlp("Dr Oslo met  Ms Bergen.\n")
    assert text_of(doc) == doc.text and text_of(doc) is text_of(doc)
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert text_of(doc) == doc.text
    empty = Doc(nlp.vocab)
    assert text_of(empty) == ""
    assert text_of(empty.from_bytes(doc.to_bytes())) == doc.text
    # Nothing of it is kept in the document or beyond it.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        copy = pickle.loads(pickle.dumps(doc))
    assert not doc.user_data and not doc.user_hooks and text_of(copy) == doc.text
    known = len(schema._texts)
    del doc, retokenizer
    gc.collect()
    assert len(schema._texts) < known


def test_strictest():
    assert strictest([NO_MASK, QUASI]) == QUASI
    assert strictest([QUASI, DIRECT, NO_MASK]) == DIRECT
    assert strictest([]) == NO_MASK
    with pytest.raises(ValueError):
        strictest(["nope"])


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
