"""Matrix products by numpy's own BLAS, for models on the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy
from thinc.api import Model, NumpyOps
from threadpoolctl import ThreadpoolController


class BlasOps(NumpyOps):
    """`NumpyOps` whose matrix products go to the BLAS that numpy was built with,
    which uses the widest vector instructions of the machine. Thinc's own is built
    for the oldest machine it supports: see `benchmarks/recognizer.py`."""

    def gemm(self, x, y, out=None, trans1=False, trans2=False):
        """Matrix product of two matrices, each transposed first if so asked.

        x (Floats2d): Left matrix.
        y (Floats2d): Right matrix.
        out (Floats2d): Where to put the product, or None.
        trans1 (bool): Transpose the left one.
        trans2 (bool): Transpose the right one.
        RETURNS (Floats2d): The product.
        """
        left, right = (x.T if trans1 else x), (y.T if trans2 else y)
        # Without `out` numpy keeps the product in the layout that Thinc expects.
        return numpy.matmul(left, right, out=out)


def use_blas(model: Model) -> None:
    """Give a model's layers `BlasOps`, unless they run on a GPU or Apple's BLAS.

    model (Model): The model, changed in place.
    """
    for node in model.walk():
        if type(node.ops) is NumpyOps:
            node.ops = _OPS


_OPS = BlasOps()


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep BLAS to one thread: the threads of several processes wait for each other
    in busy loops, and for matrices as small as ours a second thread gains little."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
