"""Matrix products by numpy's own BLAS; the order of rows for models that read
sequences step by step."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, cast

import numpy
from spacy.tokens import Doc
from thinc.api import Model, NumpyOps, Ragged
from thinc.layers.chain import forward as chain_forward
from thinc.types import Floats2d, Ints2d
from threadpoolctl import ThreadpoolController

# What a layer gives: rows of each document, and the way back.
Output = tuple[list[Floats2d], Callable]


class BlasOps(NumpyOps):
    """`NumpyOps` whose matrix products go to the BLAS that numpy was built with,
    which uses the widest vector instructions of the machine. Thinc's own is built
    for the oldest machine it supports: see `benchmarks/recognizer.py`."""

    def gemm(self, x, y, out=None, trans1=False, trans2=False):
        """Matrix product of two matrices, each transposed first if so asked.

        out (Floats2d): Where to put the product, or None.
        """
        left, right = (x.T if trans1 else x), (y.T if trans2 else y)
        # Without `out` numpy keeps the product in the layout that Thinc expects.
        return numpy.matmul(left, right, out=out)


def use_blas(model: Model) -> None:
    """Give a model's layers `BlasOps`, unless they run on a GPU or Apple's BLAS, and
    let those that normalise a maxout compute both at once where nothing is learnt."""
    for node in model.walk():
        if type(node.ops) is NumpyOps:
            node.ops = _OPS
            if [layer.name for layer in node.layers] == ["maxout", "layernorm"]:
                node._func = _normed_maxout


def _normed_maxout(model: Model, X: Any, is_train: bool) -> tuple[Any, Callable]:
    """A chain of `Maxout` and `LayerNorm`. The pieces stand side by side, so that their
    maximum is one of whole rows: Thinc's takes half as long as the matrix product."""
    if is_train:
        return chain_forward(model, X, is_train)
    maxout, norm = model.layers
    W: Any = maxout.get_param("W")
    width, n_pieces, n_in = W.shape
    Y = numpy.matmul(X, W.transpose(1, 0, 2).reshape(n_pieces * width, n_in).T)
    Y += maxout.get_param("b").T.ravel()
    best = Y[:, :width]
    for start in range(width, n_pieces * width, width):
        numpy.maximum(best, Y[:, start : start + width], out=best)
    best = best - best.mean(axis=1, keepdims=True)
    variance = numpy.einsum("ij,ij->i", best, best) / width + 1e-8
    best *= (variance**-0.5)[:, None]
    best *= norm.get_param("G")
    best += norm.get_param("b")
    return best, lambda dY: []


# Layers whose functions are not Thinc's own, and whose place they take.
STANDS_FOR: dict[Callable, str] = {_normed_maxout: "chain"}


_OPS = BlasOps()


def set_precision(model: Model, old: str, new: str) -> None:
    """Weights of one type of numbers become another: "float16" halves the room on disk."""
    for node in model.walk():
        for name in filter(node.has_param, node.param_names):
            weights = cast(Any, node.get_param(name))
            if weights.dtype == old:
                node.set_param(name, weights.astype(new))


def embed_words_once(model: Model) -> None:
    """Let the embeddings that stand first in a model read each distinct word of a batch
    once, where nothing is learnt from it: most words of a text are repeated.

    model (Model): The model, changed in place; others, and all on a GPU, stay as they are.
    """
    for node in model.walk() if isinstance(model.ops, NumpyOps) else ():
        kinds = " ".join(layer.name.partition("(")[0] for layer in node.layers)
        if kinds == "extract_features list2ragged with_array with_array ragged2list":
            node._func = _embed_once


def _embed_once(model: Model, docs: Sequence[Doc], is_train: bool) -> Output:
    if is_train or not any(map(len, docs)):
        return chain_forward(model, docs, is_train)
    extract, to_ragged, embed, mix, to_list = model.layers
    features = to_ragged.predict(extract.predict(docs))
    rows = numpy.ascontiguousarray(features.dataXd)
    first, which = distinct_rows(rows)
    distinct = Ragged(cast(Ints2d, rows[first]), model.ops.asarray1i([len(first)]))
    vectors = mix.predict(embed.predict(distinct)).dataXd[which]
    return to_list.predict(Ragged(vectors, features.lengths)), lambda d: []


def distinct_rows(rows: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Which rows of hashes are the first of their kind, and for each row its place among
    these.

    rows (ndarray): Shape (rows, hashes), dtype uint64.
    """
    # Rows are compared by a sum of their hashes, each times another odd number.
    weights = GOLDEN ** numpy.arange(1, rows.shape[1] + 1, dtype="uint64")
    hashes = (rows * weights).sum(axis=1, dtype="uint64")
    _, first, which = numpy.unique(hashes, return_index=True, return_inverse=True)
    return first, which


def ranges(low: numpy.ndarray, high: numpy.ndarray) -> numpy.ndarray:
    """All whole numbers of half-open ranges, one range after the other."""
    lengths = high - low
    before = numpy.cumsum(lengths) - lengths
    return numpy.arange(int(lengths.sum())) + numpy.repeat(low - before, lengths)


# 2 ** 64 over the golden ratio, which spreads sums well (Knuth, volume 3, section 6.4).
GOLDEN = numpy.uint64(0x9E3779B97F4A7C15)


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep BLAS to one thread: the threads of several processes wait for each other
    in busy loops, and for matrices as small as ours a second thread gains little."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


_controller = cache(ThreadpoolController)


def release_memory() -> None:
    """Give freed memory back to the system, where the C library can be asked to (glibc).

    Arrays that differ in size from batch to batch leave holes that are not given back by
    themselves: training an encoder took 1 GB of live memory and 22 GB of the machine's."""
    if (trim := _malloc_trim()) is not None:
        trim(0)


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None


class TimeMajor:
    """Order in which sequences of several lengths are read side by side, a step of all
    of them at a time: the longest first, so that those not yet at their end are always
    the first ones. No padding: one very long sequence costs the others nothing.

    lengths (Sequence[int]): Lengths of the sequences, zeros too.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        sizes = numpy.asarray(lengths, dtype="int64").reshape(-1)
        # Where each sequence stands when they are concatenated.
        ends = numpy.cumsum(sizes)
        self.bounds = list(zip((ends - sizes).tolist(), ends.tolist()))
        self.n_rows = int(sizes.sum())
        # The sequences that are not empty, the longest first, and their lengths.
        order = numpy.argsort(-sizes, kind="stable")
        self.order = order[sizes[order] > 0]
        self.lengths = sizes[self.order]
        n_steps = int(sizes.max(initial=0))
        active = numpy.searchsorted(-self.lengths, -numpy.arange(n_steps))
        self.offsets = numpy.concatenate(([0], numpy.cumsum(active))).astype("int64")
        # First row of each step and the row after its last.
        self.steps = list(zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist()))
        # Step of each row, and place in `order` of its sequence.
        self.step = numpy.repeat(numpy.arange(n_steps), active)
        self.place = numpy.arange(self.n_rows) - self.offsets[self.step]
        starts = (ends - sizes)[self.order]
        lengths_of_rows = self.lengths[self.place]
        # The row of the concatenated sequences that stands in each row here, when they
        # are read from their start and when they are read from their end.
        self.forward = starts[self.place] + self.step
        self.backward = starts[self.place] + lengths_of_rows - 1 - self.step
        # Last row of each sequence.
        self.last = self.offsets[self.lengths - 1] + numpy.arange(len(self.order))
