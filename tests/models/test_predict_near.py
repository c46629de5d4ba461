from unittest.mock import Mock

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_deid.models import doc_windows
from spacy_deid.models.doc_windows import predict_in_windows, predict_near, words_of

from .convolutions import CONVOLUTION, NLP, make


@pytest.fixture(scope="module")
def convolution():
    return make(CONVOLUTION)


spans = st.tuples(st.integers(0, 119), st.integers(1, 4))
document = st.tuples(st.integers(0, 120), st.lists(spans, max_size=4))


def places(*spans):
    return tuple(numpy.array([s[i] for s in spans], dtype="i") for i in (0, 1))


@settings(max_examples=60, deadline=None)
@given(st.lists(document, max_size=4), st.sampled_from([129, 1000]))
def test_rows_of_spans_are_those_of_the_whole_document(convolution, rows, window):
    docs = [NLP(" ".join(f"w{7 * i % 31}" for i in range(n))) for n, _ in rows]
    spans = [[(a, min(a + n, end)) for a, n in own if a < end] for end, own in rows]
    near = predict_near(convolution, docs, [places(*own) for own in spans], window)
    whole = predict_in_windows(convolution, docs, window)
    for doc, part, full, own in zip(docs, near, whole, spans):
        assert part.shape == (len(doc), 3)
        for a, b in own:
            numpy.testing.assert_allclose(part[a:b], full[a:b], atol=1e-5)


def test_a_convolution_reads_no_more_than_it_needs(convolution, monkeypatch):
    doc = NLP(" ".join("word" for _ in range(200)))
    (part,) = predict_near(convolution, [doc], [places((40, 42))])
    # Two layers that see two words on each side.
    assert set(numpy.flatnonzero(part.any(axis=1))) == set(range(36, 46))
    (nothing,) = predict_near(convolution, [doc], [places()])
    assert not nothing.any()
    monkeypatch.setattr(doc_windows, "_MOST", 0.0)
    (whole,) = predict_near(convolution, [doc], [places((40, 42))])
    assert whole.any(axis=1).all()


def read_in_windows(convolution, words, patch):
    """Rows of a document of these words, and how many words were read for them."""
    read, doc = Mock(wraps=words_of), Doc(NLP.vocab, words=words)
    patch.setattr(doc_windows, "words_of", read)
    (rows,) = predict_in_windows(convolution, [doc])
    return doc, rows, sum(end - start for (_, start, end), _ in read.call_args_list)


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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doc_windows, "BLOCK", 20)
        doc, rows, n_read = read_in_windows(convolution, line, patch)
    numpy.testing.assert_allclose(rows, convolution.predict([doc])[0], atol=1e-5)
    if not odd and len(line) > 20 * len(words) + 20:
        # Each neighbourhood of the period, and those at both ends.
        assert n_read < len(line)


def test_a_line_said_often_costs_little(convolution, monkeypatch):
    words = "one line of a log \n".split(" ") * 2000
    _, rows, n_read = read_in_windows(convolution, words, monkeypatch)
    assert rows.shape == (12000, 3) and n_read < 100
