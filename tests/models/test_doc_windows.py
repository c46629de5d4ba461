"""Texts read in parts; and means of what stands around: the numbers and their gradients,
and what they are for, a word whose label is told far from it."""

from pathlib import Path
from unittest.mock import Mock

import numpy
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from thinc.api import Adam

from spacy_deid.models import doc_windows, surroundings
from spacy_deid.models.doc_windows import predict_in_windows, predict_near, words_of

NLP = spacy.blank("en")
CONVOLUTION = Path(__file__).with_name("convolutions.cfg").read_text("utf8")
REACHES = (2, 5)


def make(config):
    model = spacy.registry.resolve(spacy.util.load_config_from_str(config))["model"]
    model.initialize(X=[NLP("a few words to begin with")])
    # The output layer begins with zeros.
    output = model.get_ref("output_layer")
    rng = numpy.random.default_rng(0)
    output.set_param("W", rng.normal(size=output.get_param("W").shape).astype("f"))
    return model


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


def rows_of(lengths, seed=0, width=3):
    rng = numpy.random.default_rng(seed)
    return [rng.normal(size=(n, width)).astype("f") for n in lengths]


@given(st.lists(st.integers(0, 30), max_size=4), st.integers(0, 9))
def test_each_row_has_the_means_around_it(lengths, seed):
    X = rows_of(lengths, seed)
    found = surroundings.mean_surroundings(REACHES).predict(X)
    for rows, means in zip(X, found, strict=True):
        assert means.shape == (len(rows), 6) and means.dtype == "f"
        for i, mean in enumerate(means):
            near = [rows[max(0, i - r) : i + r + 1].mean(axis=0) for r in REACHES]
            numpy.testing.assert_allclose(mean, numpy.concatenate(near), atol=1e-5)


def test_gradients_are_those_of_small_steps_and_reaches_above_zero():
    X, dY = rows_of([1, 9]), rows_of([1, 9], seed=1, width=6)
    model = surroundings.mean_surroundings(REACHES)
    Y, backprop = model(X, is_train=True)
    dX = backprop(dY)
    for doc, i, j in [(0, 0, 0), (1, 0, 2), (1, 4, 1), (1, 8, 0)]:
        moved = [rows.copy() for rows in X]
        moved[doc][i, j] += 0.01
        change = model.predict(moved)[doc].astype("d") - Y[doc]
        slope = (change * dY[doc]).sum() / 0.01
        assert dX[doc][i, j] == pytest.approx(slope, abs=1e-4)
    for reaches in ([], [0], [4, -1]):
        with pytest.raises(ValueError, match="above 0"):
            surroundings.build_surrounded_window_encoder(8, 1, 2, 1, reaches)


ENCODER = "spacy_deid.SurroundedWindowEncoder.v1"
SURROUNDED = CONVOLUTION.replace("spacy.MaxoutWindowEncoder.v2", ENCODER)
SURROUNDED += "reaches = [4, 30]"


def examples():
    """A word is a name or not by what stands twenty words before it."""
    fill = [f"w{i}" for i in range(20)]
    for opening, label in (("letter", 1), ("list", 0)):
        doc = Doc(NLP.vocab, words=[opening, *fill, "Rose", *fill[:3]])
        tags = [int(t.text == "Rose" and label) for t in doc]
        yield doc, numpy.eye(3, dtype="f")[tags]


@pytest.mark.parametrize("config,learns", [(SURROUNDED, True), (CONVOLUTION, False)])
def test_what_is_far_is_seen(config, learns):
    model, optimizer = make(config), Adam(0.01)
    docs, truths = zip(*examples())
    for _ in range(150):
        guesses, backprop = model.begin_update(list(docs))
        backprop([g - t for g, t in zip(guesses, truths)])
        model.finish_update(optimizer)
    said = [rows.argmax(axis=1)[21] for rows in model.predict(list(docs))]
    assert (said == [1, 0]) == learns


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 60), max_size=8), st.integers(100, 400))
def test_read_in_parts_as_in_one(odd, length):
    model = make(SURROUNDED)
    words = [f"w{i % 7}" for i in range(length)]
    for place in odd:
        words.insert(place, f"odd{place}")
    doc = Doc(NLP.vocab, words=words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doc_windows, "BLOCK", 100)
        (rows,) = predict_in_windows(model, [doc])
    numpy.testing.assert_allclose(rows, model.predict([doc])[0], atol=1e-5)
