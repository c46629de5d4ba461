"""What stands around a word, beyond what a few convolutions see: means over its
neighbourhood, near and far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spacy.ml.models.tok2vec import MaxoutWindowEncoder
from thinc.api import Maxout, Model, chain, residual, with_array
from thinc.types import Floats2d

from ..registries import registry
from .ops import STANDS_FOR, Output

Rows = Model[list[Floats2d], list[Floats2d]]


@registry.architectures("spacy_deid.SurroundedWindowEncoder.v1")
def build_surrounded_window_encoder(
    width: int,
    window_size: int,
    maxout_pieces: int,
    depth: int,
    reaches: Sequence[int] = (8, 48),
) -> Rows:
    """spaCy's `MaxoutWindowEncoder` behind a layer that tells each token of its
    surroundings: the means of the rows within some distances, mixed by a maxout and
    added to its own. A convolution sees a few words; whether a text is a letter, a log
    or a list of plants is seen from further off.

    width (int): Columns of input and output.
    window_size, maxout_pieces, depth (int): As in `MaxoutWindowEncoder`.
    reaches (Sequence[int]): How many tokens on each side a mean is taken over, one
        mean a number.
    RETURNS (Model[List[Floats2d], List[Floats2d]]): For each document shape
        (tokens, width).
    RAISES (ValueError): If there is no reach, or one below 1.
    """
    if not reaches or min(reaches) < 1:
        raise ValueError(f"reaches must be numbers above 0, not {list(reaches)}")
    mix = Maxout(width, len(reaches) * width, nP=2, dropout=0.0, normalize=True)
    convolve = MaxoutWindowEncoder(
        width=width, window_size=window_size, maxout_pieces=maxout_pieces, depth=depth
    )
    surroundings: Rows = chain(mean_surroundings(reaches), with_array(mix))
    return chain(residual(surroundings), convolve)


def mean_surroundings(reaches: Sequence[int]) -> Rows:
    """For each row of a document the means of those up to `reaches` before and behind
    it, itself among them, side by side: shape (tokens, columns * reaches)."""
    attrs: dict[str, Any] = {"reaches": [*reaches], "window_size": max(reaches)}
    return Model("mean_surroundings", _forward, attrs=attrs)


def _forward(model: Model, X: list[Floats2d], is_train: bool) -> Output:
    xp = model.ops.xp
    reaches = model.attrs["reaches"]

    def means(rows: Any) -> Any:
        sums = _sums(xp, rows)
        bounds = [_bounds(xp, len(rows), reach) for reach in reaches]
        parts = [(sums[e] - sums[s]) / (e - s)[:, None] for s, e in bounds]
        return xp.concatenate(parts, axis=1).astype("f")

    def backprop(dY: list[Floats2d]) -> list[Floats2d]:
        return [unmixed(rows) for rows in dY]

    def unmixed(d: Any) -> Any:
        # Who is near another has that one near: sums again, of what each mean gives.
        n, width = len(d), d.shape[1] // len(reaches)
        out = xp.zeros((n, width))
        for i, reach in enumerate(reaches):
            start, end = _bounds(xp, n, reach)
            part = d[:, i * width : (i + 1) * width] / (end - start)[:, None]
            sums = _sums(xp, part)
            out += sums[end] - sums[start]
        return out.astype("f")

    return [means(rows) for rows in X], backprop


def _sums(xp: Any, rows: Any) -> Any:
    """Sums of the rows before each place, in double precision: shape (rows + 1, columns)."""
    sums = xp.zeros((len(rows) + 1, rows.shape[1]))
    xp.cumsum(rows, axis=0, dtype="d", out=sums[1:])
    return sums


def _bounds(xp: Any, n: int, reach: int) -> tuple[Any, Any]:
    places = xp.arange(n)
    return (places - reach).clip(0, None), (places + reach + 1).clip(None, n)


# It sees its neighbours as a window of words does, only more of them.
STANDS_FOR[_forward] = "expand_window"
