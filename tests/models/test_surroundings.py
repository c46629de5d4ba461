"""Means of what stands around: the numbers and their gradients, texts read in parts, and
what they are for, a word whose label is told far from it."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from thinc.api import Adam

from spacy_deid.models import doc_windows, surroundings
from spacy_deid.models.doc_windows import predict_in_windows

from .convolutions import CONVOLUTION, NLP, make

REACHES = (2, 5)


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


def test_gradients_are_those_of_small_steps():
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


def test_reaches_are_above_zero():
    for reaches in ([], [0], [4, -1]):
        with pytest.raises(ValueError, match="above 0"):
            surroundings.build_surrounded_window_encoder(8, 1, 2, 1, reaches)
