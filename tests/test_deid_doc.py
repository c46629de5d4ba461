"""The de-identified text as a Doc: spans at their new places, nothing lost unsaid."""

import functools
import itertools
import pickle
import warnings
from collections import Counter

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_deid.deid_doc import make_deid_doc
from spacy_deid.registries import registry
from spacy_deid.schema import IDENTIFIER_TYPES, SEMANTIC_TYPES, Candidate, set_group
from spacy_deid.text.offsets import span_to_new

from .annotated import places

DIRECT, QUASI, NO_MASK = IDENTIFIER_TYPES
NLP = spacy.blank("en")
NLP.add_pipe("sentencizer")
TEXT = "Ann Lee of Leeds wrote. Then Lee's letter (3 May) went to Bath.\n\n Ann Lee"


@registry.deid_strategies("test.vanishing.v1")
def make_vanishing():
    def strategy(mentions, context):
        return ["" if m.label == "DATETIME" else "Zoe Quinn" for m in mentions]

    return strategy


def mark(doc, *rows):
    """Spans as the detectors and the risk scorer write them, from (start, end, type,
    decision)."""
    n = len(rows)
    candidates = [
        Candidate(a, b, label, f"SUB{i}", 1 - i / 100, f"pattern:{i}", "why")
        for i, (a, b, label, _) in enumerate(rows)
    ]
    ids = list(range(10, 10 + n))
    set_group(doc, "pii", candidates, entity_ids=ids)
    judged = [c._replace(label=row[3]) for c, row in zip(candidates, rows)]
    told = {"risk": [i / 10 for i in range(n)], "labels": [row[2] for row in rows]}
    told["votes"] = [{"known_direct": i == 0} for i in range(n)]
    set_group(doc, "mask", judged, entity_ids=ids, **told)
    return doc


def marked(text, *rows):
    doc = NLP(text)
    return mark(doc, *places(doc, *rows))


@functools.cache
def make_pipe(strategy="spacy_deid.full_entity.v1"):
    config = {"strategy": {"@deid_strategies": strategy}}
    pipe = spacy.blank("en").create_pipe("pseudonymizer", config=config)
    pipe.set_key(b"k")
    return pipe


@pytest.fixture
def doc():
    people = ("Ann Lee", "PERSON", DIRECT), ("Leeds", "LOC", QUASI)
    rest = ("3 May", "DATETIME", QUASI), ("Bath", "LOC", NO_MASK)
    return make_pipe()(marked(TEXT, *people, *rest))


def test_the_surrogates_are_spans(doc):
    new = doc._.deid_doc
    assert new.text == doc._.deid_text != doc.text
    assert new.vocab is doc.vocab and new is not doc._.deid_doc
    pii, mask = new.spans["pii"], new.spans["mask"]
    name, place, family, date, last = doc.spans["deid"].attrs["surrogates"]
    told = (pii.attrs[key] for key in ("entity_ids", "scores", "sources"))
    judged = ((s.label_, risk) for s, risk in zip(mask, mask.attrs["risk"]))
    spans = ((s.text, s.label_, s.id_) for s in pii)
    # Of what is masked no score is told. "Lee's" and the last name were found by the
    # sweep, and are entities like others.
    assert [*zip(spans, *told, judged)] == [
        ((name, "PERSON", "SUB0"), 10, 1.0, "pattern:0", (DIRECT, 0.833)),
        ((place, "LOC", "SUB1"), 11, 1.0, "pattern:1", (QUASI, 0.5)),
        ((family, "PERSON", ""), 10, 1.0, "propagation:sweep", (DIRECT, None)),
        ((date, "DATETIME", "SUB2"), 12, 1.0, "pattern:2", (QUASI, 0.5)),
        (("Bath", "LOC", "SUB3"), 13, 0.833, "pattern:3", (NO_MASK, 0.167)),
        ((last, "PERSON", ""), 10, 1.0, "propagation:sweep", (DIRECT, None)),
    ]
    assert [(s.start, s.end) for s in mask] == [(s.start, s.end) for s in pii]
    assert mask.attrs["labels"] == [s.label_ for s in pii]
    assert [bool(votes) for votes in mask.attrs["votes"]].count(True) == 1
    assert pii.attrs["unaligned"] == mask.attrs["unaligned"] == []
    assert not any(pii.attrs["reasons"] + mask.attrs["reasons"])
    assert mask[0]._.risk == 0.833 and mask[0]._.identifier_type == DIRECT
    # As gold, with the entities and the finer types.
    new = make_deid_doc(doc, gold=True)
    assert [s.id_ for s in new.spans["pii"]] == ["10", "11", "10", "12", "13", "10"]
    assert [s.id_ for s in new.spans["mask"]] == [s.id_ for s in new.spans["pii"]]
    assert new.spans["pii"].attrs["subtypes"][:2] == ["SUB0", "SUB1"]


def test_nothing_is_stored_in_the_doc_and_no_original_in_the_new_one(doc):
    before = doc.to_bytes()
    wanted = doc._.deid_doc
    assert wanted.text == doc._.deid_text and doc.to_bytes() == before
    again = Doc(Vocab()).from_bytes(before)
    box = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (stored,) = DocBin().from_bytes(box).get_docs(Vocab())

    def shown(new):
        rows = [(s.text, s.label_, s.id_) for s in new.spans["pii"]]
        return rows, new.spans["mask"].attrs

    for other in (again, stored, pickle.loads(pickle.dumps(doc))):
        assert shown(other._.deid_doc) == shown(wanted)
    # What is written of it: the shared vocab knows the original, the Doc does not.
    new = make_deid_doc(doc, vocab=Vocab())
    box = DocBin(store_user_data=True)
    box.add(doc._.deid_doc)
    shared = DocBin().from_bytes(box.to_bytes())
    stored = [doc._.deid_doc.to_bytes(), " ".join(shared.strings).encode()]
    stored += [pickle.dumps(new), " ".join(new.vocab.strings).encode()]
    for raw in stored:
        assert b"Leeds" not in raw and b"Ann" not in raw and b"3 May" not in raw
        assert b"Bath" in raw


def test_sentences_stay(doc):
    new = doc._.deid_doc
    assert [len(list(d.sents)) for d in (doc, new)] == [3, 3]
    start = list(doc.sents)[1].start_char
    moved, _ = span_to_new(doc._.deid_offsets, start, start)
    assert list(new.sents)[1].start_char == moved
    bare = make_pipe()(mark(NLP.make_doc(TEXT), (3, 4, "LOC", QUASI)))
    assert not bare._.deid_doc.has_annotation("SENT_START")


def test_empty_surrogates_are_reported_and_no_pseudonymizer_is_no_new_doc():
    spans = ("3 May", "DATETIME", QUASI), ("Bob", "PERSON", DIRECT)
    doc = make_pipe("test.vanishing.v1")(marked("On 3 May Bob came.", *spans))
    with pytest.warns(UserWarning, match=r"1 spans .* 3-8 \(DATETIME\)") as caught:
        new = doc._.deid_doc
    assert "May" not in str(caught[0].message)
    assert [s.text for s in new.spans["pii"]] == ["Zoe Quinn"]
    for key in ("pii", "mask"):
        assert new.spans[key].attrs["unaligned"] == [[3, 8, "DATETIME"]]
        assert new.spans[key].attrs["entity_ids"] == [11]
    doc = NLP(TEXT)
    assert doc._.deid_doc is None
    with pytest.raises(ValueError, match="no pseudonymizer"):
        make_deid_doc(doc)


STRATEGIES = [
    f"spacy_deid.{name}.v1" for name in ("full_entity", "typed_placeholder", "redact")
]
WORDS = st.sampled_from(
    "Ann Lee lee O'Neil 3 May 2001 a.b@c.org Leeds's ( ) . , — 😀 é x- -y 12/3 §".split()
)
GAPS = st.sampled_from([" ", " ", " ", "", "\n", "  ", "\n\n ", ", ", "\u00a0"])


@pytest.mark.parametrize("strategy", [*STRATEGIES, "test.vanishing.v1"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words=st.lists(st.tuples(WORDS, GAPS), max_size=14), data=st.data())
def test_any_document(strategy, words, data):
    doc = NLP("".join(word + gap for word, gap in words))
    at = sorted(data.draw(st.sets(st.integers(0, len(doc)), max_size=8)))
    kinds = st.tuples(*map(st.sampled_from, (SEMANTIC_TYPES, IDENTIFIER_TYPES)))
    rows = [(*pair, *data.draw(kinds)) for pair in zip(at[::2], at[1::2])]
    make_pipe(strategy)(mark(doc, *rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        new = doc._.deid_doc
    assert new.text == doc._.deid_text
    offsets = doc._.deid_offsets
    pii, mask = new.spans["pii"], new.spans["mask"]
    n_sents = [len(list(d.sents)) if len(d) else 0 for d in (new, doc)]
    assert n_sents[0] <= n_sents[1]
    # Every replacement and every span left in place is there, or is reported.
    replaced = {(s.start_char, s.end_char, s.label_) for s in doc.spans["deid"]}
    covered = {i for s in doc.spans["deid"] for i in range(s.start, s.end)}
    found = [s for s in doc.spans["pii"] if covered.isdisjoint(range(s.start, s.end))]
    kept = {(s.start_char, s.end_char, s.label_) for s in found}
    lost = {tuple(row) for row in pii.attrs["unaligned"]}
    wanted = Counter()
    for start, end, label in (replaced | kept) - lost:
        a, b = span_to_new(offsets, start, end)
        text = new.text[a:b]
        a += len(text) - len(text.lstrip())
        wanted[a, a + len(text.strip()), label] += 1
    got = Counter((s.start_char, s.end_char, s.label_) for s in pii)
    # Exact, no span grown to other tokens.
    assert got == wanted and lost <= replaced | kept
    for start, end, _ in lost:
        a, b = span_to_new(offsets, start, end)
        assert not new.text[a:b].strip()
    assert all(a.end <= b.start for a, b in itertools.pairwise(pii))
    assert mask.attrs["labels"] == [s.label_ for s in pii] and len(mask) == len(pii)
