import sys

import numpy
import pytest
from thinc.api import set_dropout_rate

from spacy_deid.models.bilstm import BiLSTM, build_bilstm
from spacy_deid.models.ops import use_blas

RNG = numpy.random.default_rng(0)
LENGTHS = [7, 0, 1, 12, 3]


def inputs(lengths=LENGTHS, width=6):
    return [RNG.normal(size=(n, width)).astype("f") for n in lengths]


def make(X, **settings):
    numpy.random.seed(0)
    model = BiLSTM(4, **settings)
    return model.initialize(X=X)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def one_direction(rows, Wx, Wh, b):
    """The textbook's LSTM, a token at a time."""
    hidden = Wh.shape[1]
    h = c = numpy.zeros(hidden)
    out = []
    for x in rows:
        i, f, g, o = (Wx @ x + Wh @ h + b).reshape(4, hidden)
        c = sigmoid(f) * c + sigmoid(i) * numpy.tanh(g)
        h = sigmoid(o) * numpy.tanh(c)
        out.append(h)
    return numpy.array(out).reshape(len(rows), hidden)


def both_directions(model, rows):
    Wx, Wh, b = (model.get_param(name) for name in ("Wx", "Wh", "b"))
    left = one_direction(rows, Wx[0], Wh[0], b[0])
    right = one_direction(rows[::-1], Wx[1], Wh[1], b[1])[::-1]
    return numpy.hstack([left, right])


@pytest.mark.parametrize("lengths", [LENGTHS, [0, 0], [1], [5, 5]])
def test_equals_the_textbook_for_each_document(lengths):
    X = inputs(lengths)
    model = make(inputs())
    for rows, got in zip(X, model.predict(X)):
        numpy.testing.assert_allclose(got, both_directions(model, rows), atol=1e-5)
        assert got.shape == (len(rows), 8)


def test_long_documents_are_read_in_runs_with_context():
    X = inputs([23, 5])
    model = make(X, window=5, context=2)
    whole, short = model.predict(X)
    numpy.testing.assert_allclose(short, both_directions(model, X[1]), atol=1e-5)
    for start in range(0, 23, 5):
        end, left, right = min(start + 5, 23), max(0, start - 2), min(23, start + 7)
        run = both_directions(model, X[0][left:right])[start - left : end - left]
        numpy.testing.assert_allclose(whole[start:end], run, atol=1e-5)


@pytest.mark.parametrize("settings", [{}, {"window": 5, "context": 2}])
@pytest.mark.parametrize("backend", ["thinc", "torch"])
def test_gradients_are_those_of_the_output(settings, backend):
    if backend == "torch":
        pytest.importorskip("torch")
    X = inputs()
    model = make(X, backend=backend, **settings)
    Y, backprop = model(X, is_train=True)
    dY = [RNG.normal(size=y.shape).astype("f") for y in Y]
    dX = backprop(dY)

    def slope(array, index, step=1e-2):
        kept, ends = array[index], []
        for change in (step, -step):
            array[index] = kept + change
            out = model.predict(X)
            ends.append(sum((y.astype("d") * d).sum() for y, d in zip(out, dY)))
        array[index] = kept
        return (ends[0] - ends[1]) / (2 * step)

    for name in ("Wx", "Wh", "b"):
        array, gradient = model.get_param(name), model.get_grad(name)
        for flat in RNG.integers(array.size, size=12):
            index = numpy.unravel_index(flat, array.shape)
            assert gradient[index] == pytest.approx(slope(array, index), abs=2e-3)
    for rows, gradient in zip(X, dX):
        assert rows.shape == gradient.shape
        for index in [(0, 1), (len(rows) - 1, 3)] if len(rows) else []:
            assert gradient[index] == pytest.approx(slope(rows, index), abs=2e-3)


@pytest.mark.parametrize("settings", [{}, {"window": 5, "context": 2}])
def test_torch_gives_the_same_from_the_same_weights(settings):
    pytest.importorskip("torch")
    X = inputs()
    model = make(X, **settings)
    other = BiLSTM(4, 6, backend="torch", **settings)
    for name in ("Wx", "Wh", "b"):
        other.set_param(name, model.get_param(name))
    for a, b in zip(model.predict(X), other.predict(X)):
        numpy.testing.assert_allclose(a, b, atol=1e-5)


def test_training_and_prediction_give_the_same():
    X = inputs()
    model = make(X)
    use_blas(model)
    for a, b in zip(model.predict(X), model(X, is_train=True)[0]):
        numpy.testing.assert_allclose(a, b, atol=1e-6)


def test_other_documents_and_their_order_change_nothing():
    X = inputs()
    model = make(X, window=5, context=2)
    together = model.predict(X)
    turned = model.predict(X[::-1])[::-1]
    for rows, got, other in zip(X, together, turned):
        numpy.testing.assert_allclose(got, model.predict([rows])[0], atol=1e-6)
        numpy.testing.assert_allclose(got, other, atol=1e-6)


def test_documents_of_20000_tokens_and_of_none():
    X = inputs([20_000, 0, 1])
    model = make(X)
    Y, backprop = model(X, is_train=True)
    assert [len(y) for y in Y] == [20_000, 0, 1]
    assert all(numpy.isfinite(dx).all() for dx in backprop(Y))


def test_a_document_may_be_empty_at_initialization():
    model = make([numpy.zeros((0, 6), dtype="f")])
    assert model.get_dim("nI") == 6
    Y, backprop = model([numpy.zeros((0, 6), dtype="f")], is_train=True)
    assert Y[0].shape == (0, 8) and backprop(Y)[0].shape == (0, 6)
    assert model.predict([]) == []


def test_remembers_across_many_tokens():
    """Tells the first token of a sequence at its last one, which no window of a
    convolution would reach."""
    model = make(inputs(width=6), context=0)
    X = [numpy.zeros((30, 6), dtype="f") for _ in range(2)]
    X[0][0, 0] = 3.0
    one, other = model.predict(X)
    assert abs(one[-1, :4] - other[-1, :4]).max() > 1e-6


def test_dropout_is_that_of_the_training():
    base = make(inputs())
    model = build_bilstm(base, hidden=4, dropout=0.4)
    model.initialize(X=inputs())
    rates = [n.attrs["dropout_rate"] for n in model.walk() if "dropout_rate" in n.attrs]
    assert rates == [0.4]
    set_dropout_rate(model, 0.0)
    X = inputs()
    for a, b in zip(model.predict(X), model(X, is_train=True)[0]):
        numpy.testing.assert_allclose(a, b, atol=1e-6)
    assert model.get_ref("tok2vec") is base


def test_bad_settings_are_one_clear_error(monkeypatch):
    with pytest.raises(ValueError, match="hidden > 0"):
        BiLSTM(0)
    with pytest.raises(ValueError, match="unknown backend 'jax'"):
        BiLSTM(4, backend="jax")
    with pytest.raises(ValueError, match="depth must be 1 or more"):
        build_bilstm(make(inputs()), depth=0)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"pip install spacy-deid\[transformers\]"):
        BiLSTM(4, backend="torch")
