"""A bidirectional LSTM over token vectors (Hochreiter and Schmidhuber 1997), with numpy
or CuPy, or with torch: the weights are the same, so that a network trained with torch on
a GPU runs without it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy
from spacy.tokens import Doc
from thinc.api import Dropout, Model, chain, glorot_uniform_init, torch2xp, xp2torch
from thinc.types import Floats2d
from thinc.util import get_width

from ..registries import registry
from .ops import TimeMajor
from .torch_threads import import_torch

Backend = Literal["thinc", "torch"]


@registry.architectures("spacy_deid.BiLSTM.v1")
def build_bilstm(
    tok2vec: Model[list[Doc], list[Floats2d]],
    hidden: int = 64,
    depth: int = 1,
    dropout: float = 0.2,
    window: int = 256,
    context: int = 32,
    backend: Backend = "thinc",
) -> Model[list[Doc], list[Floats2d]]:
    """Token vectors and a BiLSTM over them (paper 5, 4.2): itself a `tok2vec`.

    tok2vec (Model[List[Doc], List[Floats2d]]): Subnetwork giving one row a token.
    hidden (int): Width of each direction; the output has twice as many columns.
    depth (int): Number of layers.
    dropout (float): Dropout before each layer; spaCy sets it to that of the training.
    window (int): Longest run of tokens that is read in one go, 0 for no bound. Longer
        documents are read in several runs side by side, which is many times as fast.
    context (int): Tokens on each side of such a run that are read with it.
    backend (str): "thinc", or "torch" for speed on a GPU.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc shape (tokens, 2 * hidden).
    RAISES (ValueError): For a size that is out of bounds.
    RAISES (ImportError): If the backend is torch and that is not installed.
    """
    if depth < 1:
        raise ValueError(f"depth must be 1 or more, not {depth}")
    layers: list[Model] = []
    for _ in range(depth):
        layers += [
            Dropout(dropout),
            BiLSTM(hidden, window=window, context=context, backend=backend),
        ]
    model: Model = chain(tok2vec, *layers)
    model.set_ref("tok2vec", tok2vec)
    return model


def BiLSTM(
    hidden: int,
    nI: int | None = None,
    *,
    window: int = 256,
    context: int = 32,
    backend: Backend = "thinc",
) -> Model[list[Floats2d], list[Floats2d]]:
    """One layer of two LSTMs, one from each end.

    hidden (int): Width of each direction.
    nI (int): Width of the input.
    window (int): See `build_bilstm`.
    context (int): See `build_bilstm`.
    backend (str): "thinc" or "torch".
    RETURNS (Model[List[Floats2d], List[Floats2d]]): Two matrices in, shape (tokens, nI),
        give two of shape (tokens, 2 * hidden), forward columns first.
    RAISES (ValueError): For a size that is out of bounds.
    RAISES (ImportError): If the backend is torch and that is not installed.
    """
    if hidden < 1 or window < 0 or context < 0:
        raise ValueError("a BiLSTM needs hidden > 0, window >= 0 and context >= 0")
    if backend not in ("thinc", "torch"):
        raise ValueError(f"unknown backend '{backend}'; known are thinc, torch")
    run = _run
    if backend == "torch":
        _import_torch()
        run = _run_torch
    params: dict[str, Any] = dict.fromkeys(("Wx", "Wh", "b"))
    return Model(
        "bilstm",
        # Not an attribute: those are saved, and a config may choose another one later.
        partial(_forward, run),
        init=_init,
        dims={"nO": 2 * hidden, "nI": nI},
        params=params,
        attrs={"window": window, "context": context},
    )


def _import_torch() -> Any:
    try:
        return import_torch()
    except ImportError:
        raise ImportError(
            'the backend "torch" of a BiLSTM needs torch: '
            "pip install spacy-deid[transformers]"
        ) from None


def _init(model: Model, X: Any = None, Y: Any = None) -> None:
    """Input weights after Glorot and Bengio 2010, orthogonal recurrent weights (Saxe et
    al. 2014), and gates that remember at first (Jozefowicz et al. 2015). Gates stand in
    the order input, forget, cell, output, as torch has them."""
    if X is not None:
        model.set_dim("nI", get_width(X))
    ops: Any = model.ops
    width, hidden = model.get_dim("nI"), model.get_dim("nO") // 2
    inputs = [glorot_uniform_init(ops, (hidden, width)) for _ in range(8)]
    model.set_param("Wx", ops.xp.stack(inputs).reshape((2, 4 * hidden, width)))
    normal = numpy.random.normal(size=(8, hidden, hidden))
    recurrent = numpy.linalg.qr(normal)[0].reshape((2, 4 * hidden, hidden))
    model.set_param("Wh", ops.asarray(recurrent.astype("f")))
    bias = numpy.zeros((2, 4 * hidden), dtype="f")
    bias[:, hidden : 2 * hidden] = 1.0
    model.set_param("b", ops.asarray(bias))


def _forward(
    run: Callable, model: Model, X: list[Floats2d], is_train: bool
) -> tuple[list[Floats2d], Callable]:
    ops = model.ops
    lengths = [len(rows) for rows in X]
    if not sum(lengths):
        Y = [ops.alloc2f(0, model.get_dim("nO")) for _ in X]
        return Y, lambda dY: [ops.alloc2f(0, model.get_dim("nI")) for _ in X]
    runs = _Runs(lengths, model.attrs["window"], model.attrs["context"])
    flat, backprop_flat = run(model, ops.xp.concatenate(X), runs, is_train)

    def backprop(dY: list[Floats2d]) -> list[Floats2d]:
        dX = backprop_flat(ops.xp.concatenate(dY))
        return [dX[start:end] for start, end in runs.documents]

    return [flat[start:end] for start, end in runs.documents], backprop


class _Runs:
    """Runs of tokens that are read in one go.

    documents (List[Tuple[int, int]]): Where each document stands in the rows of all.
    order (TimeMajor): Order of the rows of the runs.
    source (ndarray): Row of the documents for each row of the runs.
    kept (Optional[ndarray]): Whether a row of the runs counts; None if all do.
    """

    def __init__(self, lengths: list[int], window: int, context: int) -> None:
        self.documents = TimeMajor(lengths).bounds
        sizes, sources, kept = [], [], []
        for start, end in self.documents:
            step = window if window and end - start > window else end - start
            for left in range(start, end, max(step, 1)):
                right = min(left + step, end)
                first, last = max(start, left - context), min(end, right + context)
                rows = numpy.arange(first, last)
                sizes.append(last - first)
                sources.append(rows)
                kept.append((rows >= left) & (rows < right))
        self.order = TimeMajor(sizes)
        self.source = numpy.concatenate(sources)
        keep = numpy.concatenate(kept)
        self.kept = None if keep.all() else keep

    def keep(self, ops: Any, out: Any, rows: Any, place: numpy.ndarray) -> None:
        """Write the rows that count to the documents' rows.

        ops (Ops): Where arrays lie.
        out (Floats2d): One row a token of the documents.
        rows (Floats2d): One row a token of the runs.
        place (ndarray): `order.forward` or `order.backward`.
        """
        target = self.source[place]
        if self.kept is None:
            out[ops.xp.asarray(target)] = rows
        else:
            kept = numpy.flatnonzero(self.kept[place])
            out[ops.xp.asarray(target[kept])] = rows[ops.xp.asarray(kept)]

    def take(self, ops: Any, rows: Any, place: numpy.ndarray) -> Any:
        """What `keep` sends back: the documents' rows, zeros where none counts.

        ops (Ops): Where arrays lie.
        rows (Floats2d): One row a token of the documents.
        place (ndarray): `order.forward` or `order.backward`.
        RETURNS (Floats2d): One row a token of the runs.
        """
        out = rows[ops.xp.asarray(self.source[place])]
        if self.kept is not None:
            out *= ops.xp.asarray(self.kept[place])[:, None]
        return out

    def add(self, ops: Any, n_rows: int, rows: Any, place: numpy.ndarray) -> Any:
        """Sum of the rows of the runs for each row of the documents.

        ops (Ops): Where arrays lie.
        n_rows (int): Number of rows of the documents.
        rows (Floats2d): One row a token of the runs.
        place (ndarray): `order.forward` or `order.backward`.
        RETURNS (Floats2d): One row a token of the documents.
        """
        target = self.source[place]
        out = ops.alloc2f(n_rows, rows.shape[1])
        if self.kept is None:
            out[ops.xp.asarray(target)] = rows
        else:
            ops.scatter_add(out, ops.asarray1i(target), ops.as_contig(rows))
        return out


def _run(
    model: Model, X: Any, runs: _Runs, is_train: bool
) -> tuple[Any, Callable[[Any], Any]]:
    """Both directions at once, a step of all runs at a time.

    X (Floats2d): Shape (tokens, nI).
    RETURNS (Tuple[Floats2d, Callable]): Shape (tokens, nO), and from its gradient to
        that of X.
    """
    ops: Any = model.ops
    xp, order = ops.xp, runs.order
    Wx, Wh, b = _params(model)
    hidden, n = Wh.shape[2], order.n_rows
    # sigmoid(x) = tanh(x / 2) / 2 + 1 / 2, so that one tanh serves all gates.
    half = ops.alloc1f(4 * hidden) + 0.5
    half[2 * hidden : 3 * hidden] = 1.0
    shift = 1.0 - half
    inputs = ops.gemm(X, Wx.reshape((8 * hidden, -1)), trans2=True) + b.ravel()
    inputs *= xp.concatenate((half, half))
    gates = xp.empty((2, n, 4 * hidden), dtype="f")
    for side, place in enumerate((order.forward, order.backward)):
        columns = slice(side * 4 * hidden, (side + 1) * 4 * hidden)
        gates[side] = inputs[xp.asarray(runs.source[place]), columns]
    recurrent = ops.as_contig((Wh * half[:, None]).transpose((0, 2, 1)))
    cells, states = xp.empty((2, 2, n, hidden), dtype="f")
    curved = xp.empty_like(cells)  # tanh of the cells
    before = None
    for start, end in order.steps:
        g = gates[:, start:end]
        if before is not None:
            g += xp.matmul(states[:, before : before + end - start], recurrent)
        xp.tanh(g, out=g)
        g *= half
        g += shift
        c = cells[:, start:end]
        xp.multiply(g[:, :, :hidden], g[:, :, 2 * hidden : 3 * hidden], out=c)
        if before is not None:
            kept = cells[:, before : before + end - start]
            c += g[:, :, hidden : 2 * hidden] * kept
        xp.tanh(c, out=curved[:, start:end])
        xp.multiply(
            g[:, :, 3 * hidden :], curved[:, start:end], out=states[:, start:end]
        )
        before = start
    Y = ops.alloc2f(len(X), 2 * hidden)
    runs.keep(ops, Y[:, :hidden], states[0], order.forward)
    runs.keep(ops, Y[:, hidden:], states[1], order.backward)

    def backprop(dY: Any) -> Any:
        d_states = xp.stack(
            [
                runs.take(ops, dY[:, :hidden], order.forward),
                runs.take(ops, dY[:, hidden:], order.backward),
            ]
        )
        d_gates = _backprop_steps(xp, order, gates, cells, curved, Wh, d_states)
        first = len(order.order)
        previous = xp.asarray(order.offsets[order.step[first:] - 1])
        previous += xp.asarray(order.place[first:])
        dWh = xp.matmul(d_gates[:, first:].transpose((0, 2, 1)), states[:, previous])
        d_inputs = xp.concatenate(
            [
                runs.add(ops, len(X), d_gates[0], order.forward),
                runs.add(ops, len(X), d_gates[1], order.backward),
            ],
            axis=1,
        )
        model.inc_grad("Wh", dWh)
        model.inc_grad("b", d_inputs.sum(axis=0).reshape(b.shape))
        model.inc_grad("Wx", ops.gemm(d_inputs, X, trans1=True).reshape(Wx.shape))
        return ops.gemm(d_inputs, Wx.reshape((8 * hidden, -1)))

    return Y, backprop


def _params(model: Model) -> list[Any]:
    return [model.get_param(name) for name in ("Wx", "Wh", "b")]


def _backprop_steps(
    xp: Any,
    order: TimeMajor,
    gates: Any,
    cells: Any,
    curved: Any,
    Wh: Any,
    d_states: Any,
) -> Any:
    """Gradient of the gates before their nonlinearity, shape (2, rows, 4 * hidden)."""
    hidden, n = Wh.shape[2], len(order.order)
    i, f, g, o = (gates[:, :, k * hidden : (k + 1) * hidden] for k in range(4))
    # What does not depend on later steps, for all rows at once.
    slopes = xp.concatenate((i * (1 - i), f * (1 - f), 1 - g * g, o * (1 - o)), axis=2)
    through = o * (1 - curved * curved)
    out = xp.empty_like(gates)
    d_state = xp.zeros((2, n, hidden), dtype="f")
    d_cell = xp.zeros((2, n, hidden), dtype="f")
    starts = [start for start, _ in order.steps]
    for t in range(len(starts) - 1, -1, -1):
        start, end = order.steps[t]
        size = end - start
        dh = d_state[:, :size]
        dc = d_cell[:, :size]
        dh += d_states[:, start:end]
        dc += dh * through[:, start:end]
        dg = out[:, start:end]
        xp.multiply(dc, g[:, start:end], out=dg[:, :, :hidden])
        if t:
            before = cells[:, starts[t - 1] : starts[t - 1] + size]
            xp.multiply(dc, before, out=dg[:, :, hidden : 2 * hidden])
        else:
            dg[:, :, hidden : 2 * hidden] = 0.0
        xp.multiply(dc, i[:, start:end], out=dg[:, :, 2 * hidden : 3 * hidden])
        xp.multiply(dh, curved[:, start:end], out=dg[:, :, 3 * hidden :])
        dg *= slopes[:, start:end]
        dc *= f[:, start:end]
        xp.matmul(dg, Wh, out=dh)
    return out


def _run_torch(
    model: Model, X: Any, runs: _Runs, is_train: bool
) -> tuple[Any, Callable[[Any], Any]]:
    """The same by torch."""
    torch = _import_torch()
    ops: Any = model.ops
    order = runs.order
    place = ops.xp.asarray(runs.source[order.forward])
    tensors = [
        xp2torch(array, requires_grad=is_train) for array in (X[place], *_params(model))
    ]
    inputs, Wx, Wh, b = tensors
    none = torch.zeros_like(b[0])
    weights = [w for k in (0, 1) for w in (Wx[k], Wh[k], b[k], none)]
    start = torch.zeros((2, len(order.order), Wh.shape[2]), device=inputs.device)
    sizes = torch.as_tensor([end - first for first, end in order.steps])
    with torch.set_grad_enabled(is_train):
        # Weights, one layer, no dropout, in both directions.
        states, _, _ = torch.lstm(
            inputs, sizes, (start, start), weights, True, 1, 0.0, is_train, True
        )
    Y = ops.alloc2f(len(X), model.get_dim("nO"))
    runs.keep(ops, Y, torch2xp(states.detach(), ops=ops), order.forward)

    def backprop(dY: Any) -> Any:
        d_states = xp2torch(runs.take(ops, dY, order.forward))
        gradients = torch.autograd.grad(states, tensors, d_states)
        arrays: list[Any] = [torch2xp(gradient, ops=ops) for gradient in gradients]
        for name, gradient in zip(("Wx", "Wh", "b"), arrays[1:]):
            model.inc_grad(name, gradient)
        return runs.add(ops, len(X), arrays[0], order.forward)

    return Y, backprop
