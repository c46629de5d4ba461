import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_deid.models import doc_windows
from spacy_deid.models.doc_windows import predict_in_windows, predict_near, words_of

from .convolutions import CONVOLUTION, NLP, make

RECURRENT = CONVOLUTION.replace("TokenTagger", "BiLSTMTagger")


@pytest.fixture(scope="module")
def convolution():
    return make(CONVOLUTION)


documents = st.lists(
    st.tuples(
        st.integers(0, 120),
        st.lists(st.tuples(st.integers(0, 119), st.integers(1, 4)), max_size=4),
    ),
    max_size=4,
)


@settings(max_examples=60, deadline=None)
@given(documents, st.sampled_from([129, 1000]))
def test_rows_of_spans_are_those_of_the_whole_document(convolution, rows, window):
    docs, places, marked = [], [], []
    for length, spans in rows:
        docs.append(NLP(" ".join(f"w{(7 * i) % 31}" for i in range(length))))
        spans = [(a, min(a + n, length)) for a, n in spans if a < length]
        places.append(tuple(numpy.array(c, dtype="i") for c in zip(*spans)) or EMPTY)
        marked.append([i for a, b in spans for i in range(a, b)])
    near = predict_near(convolution, docs, places, window)
    whole = predict_in_windows(convolution, docs, window)
    for doc, part, full, at in zip(docs, near, whole, marked):
        assert part.shape == (len(doc), 3)
        if at:
            numpy.testing.assert_allclose(part[at], numpy.asarray(full)[at], atol=1e-5)


EMPTY = (numpy.zeros(0, dtype="i"), numpy.zeros(0, dtype="i"))
FEW = (numpy.array([40], dtype="i"), numpy.array([42], dtype="i"))


def test_a_convolution_reads_no_more_than_it_needs(convolution, monkeypatch):
    doc = NLP(" ".join("word" for _ in range(200)))
    (part,) = predict_near(convolution, [doc], [FEW])
    # Two layers that see two words on each side.
    assert set(numpy.flatnonzero(part.any(axis=1))) == set(range(36, 46))
    (nothing,) = predict_near(convolution, [doc], [EMPTY])
    assert not nothing.any()
    monkeypatch.setattr(doc_windows, "_MOST", 0.0)
    (whole,) = predict_near(convolution, [doc], [FEW])
    assert whole.any(axis=1).all()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "B", "c1", "\n"]), min_size=1, max_size=5),
    st.integers(5, 40),
    st.lists(st.integers(0, 150), max_size=3),
)
def test_what_repeats_itself_is_read_once(convolution, words, times, odd):
    line = words * times
    for place in odd:
        line.insert(place, f"odd{place}")
    doc = Doc(NLP.vocab, words=line)
    expected = convolution.predict([doc])[0]
    read = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doc_windows, "BLOCK", 20)
        patch.setattr(
            doc_windows, "words_of", lambda *a: read.append(a) or words_of(*a)
        )
        (rows,) = predict_in_windows(convolution, [doc])
    numpy.testing.assert_allclose(rows, expected, atol=1e-5)
    if not odd and len(line) > 20 * len(words) + 20:
        # Each neighbourhood of the period, and those at both ends.
        assert sum(end - start for _, start, end in read) < len(line)


def test_a_line_said_often_costs_little(convolution, monkeypatch):
    doc = Doc(NLP.vocab, words="one line of a log \n".split(" ") * 2000)
    read = []
    monkeypatch.setattr(
        doc_windows, "words_of", lambda *a: read.append(a) or words_of(*a)
    )
    (rows,) = predict_in_windows(convolution, [doc])
    assert rows.shape == (12000, 3)
    assert sum(end - start for _, start, end in read) < 100
