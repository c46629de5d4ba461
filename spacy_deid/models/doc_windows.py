"""Long documents in pieces, so that memory stays bounded and no token is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy
from spacy.attrs import ORTH, SPACY
from spacy.tokens import Doc
from thinc.api import Model

from ..processes import in_groups
from ..text.offsets import joined
from .ops import GOLDEN, STANDS_FOR

# Tokens read at a time, and those of context on each side of a piece: well above what
# a convolution of the usual depth sees.
WINDOW = 20_000
OVERLAP = 64
# What is computed at a time where windows change nothing: it stays in the cache of the
# processor.
BLOCK = 2000


def predict_in_windows(
    model: Model, docs: Sequence[Doc], window: int = WINDOW, overlap: int = OVERLAP
) -> list[Any]:
    """Rows of a model for each token of documents of any length.

    A model that listens to a shared encoder is given whole documents: the encoder has
    read them.

    RETURNS (List[Floats2d]): For each doc shape (tokens, width of the model).
    RAISES (ValueError): If the window leaves no room beside the context.
    """
    if window <= 2 * overlap:
        raise ValueError(f"window must be above {2 * overlap} tokens, not {window}")
    whole = listens(model)
    reach = None if whole else _reach_of_neighbours(model)
    if reach is not None and reach > overlap:
        reach = None
    read = [
        _read_whole(doc) if whole else _parts(doc, window, overlap, reach)
        for doc in docs
    ]
    pieces = [piece for parts, _ in read for piece, _, _ in parts]
    size = window if reach is None else min(window, BLOCK)
    groups = [pieces] if whole and pieces else in_groups(pieces, len, size)
    found = (row for group in groups for row in model.predict(group))
    rows = [*map(model.ops.asarray2f, found)]
    width = rows[0].shape[1] if rows else model.maybe_get_dim("nO")
    nothing = model.ops.alloc2f(0, width or 0)
    left = iter(rows)
    out: list[Any] = []
    for parts, which in read:
        own = [next(left)[start:end] for _, start, end in parts]
        joined = own[0] if len(own) == 1 else model.ops.xp.concatenate([nothing, *own])
        out.append(joined if which is None else joined[which])
    return out


# Pieces of a document with the tokens of each that are its own; for each token of the
# document its row in these, or None if they are all, one after the other.
_Parts = tuple[list[tuple[Doc, int, int]], Any]


def _read_whole(doc: Doc) -> _Parts:
    return [(doc, 0, len(doc))] if len(doc) else [], None


def _parts(doc: Doc, window: int, overlap: int, reach: int | None) -> _Parts:
    """What to read of a document. `reach` is how far its rows depend on neighbours,
    None if that may be anything."""
    if reach is not None and len(doc) > BLOCK:
        if (repeated := _repeated(doc, reach)) is not None:
            return repeated
        if window > BLOCK:
            window, overlap = BLOCK, reach
    if len(doc) <= window:
        return _read_whole(doc)
    return list(cut(doc, window, overlap)), None


def listens(model: Model) -> bool:
    """Whether a model reads what a shared encoder has read, which needs whole documents."""
    return any(hasattr(node, "upstream_name") for node in model.walk())


def predict_near(
    model: Model,
    docs: Sequence[Doc],
    places: Sequence[tuple[numpy.ndarray, numpy.ndarray]],
    window: int = WINDOW,
) -> list[numpy.ndarray]:
    """Rows of a model for some tokens. A convolution reads no further than these and
    their neighbours; any other model reads all.

    places (Sequence[Tuple[ndarray, ndarray]]): For each doc the first tokens of its
        spans and those after their last ones.
    RETURNS (List[ndarray]): For each doc shape (tokens, width of the model); rows
        outside of the spans may be zeros.
    """
    local = _local_steps(model)
    if local is None or max(map(len, docs), default=0) > window:
        return [model.ops.to_numpy(r) for r in predict_in_windows(model, docs, window)]
    steps, reach = local
    pieces = []
    where: list[tuple[int, int, int]] = []
    read = zip(steps[0].predict(list(docs)), places)
    for i, (features, (starts, ends)) in enumerate(read):
        for start, end in _joined(starts - reach, ends + reach, len(docs[i])):
            pieces.append(features[start:end])
            where.append((i, start, end))
    rows = []
    for batch in in_groups(pieces, len, window):
        X: Any = batch
        for step in steps[1:]:
            X = step.predict(X)
        rows += X
    width = model.get_dim("nO")
    out: list[Any] = [numpy.zeros((len(doc), width), dtype="f") for doc in docs]
    for (i, start, end), part in zip(where, rows):
        out[i][start:end] = model.ops.to_numpy(part)
    return out


# What computes each token's row by itself, and what passes rows on.
_LOCAL = frozenset(
    "array_getitem chain clone concatenate dropout expand_window hashembed layernorm "
    "linear list2ragged maxout mish ragged2list relu residual softmax with_array".split()
)


def _reach_of_neighbours(model: Model) -> int | None:
    """How many tokens on each side the rows of a model depend on; None if all may."""
    nodes = [*model.walk()]
    local = all(n.name.startswith("extract_") or _kind(n) in _LOCAL for n in nodes)
    return _reach(nodes) if local else None


def _reach(nodes: Sequence[Model]) -> int:
    """How many tokens convolutions see on each side."""
    return sum(node.attrs.get("window_size", 0) for node in nodes)


def _local_steps(model: Model) -> tuple[list[Model], int] | None:
    """The layers of a model that reads features of tokens by convolutions alone, and how
    many tokens they see on each side; None for any other model."""
    steps = list(_flattened(model))
    if steps[0].name != "extract_features" or not model.has_dim("nO"):
        return None
    nodes = [node for step in steps[1:] for node in step.walk()]
    if any(_kind(node) not in _LOCAL for node in nodes):
        return None
    return steps, _reach(nodes)


def _flattened(model: Model) -> Iterator[Model]:
    if _kind(model) != "chain":
        yield model
        return
    for layer in model.layers:
        yield from _flattened(layer)


def _kind(model: Model) -> str:
    if model._func in STANDS_FOR:
        return STANDS_FOR[model._func]
    module, _, kind = model._func.__module__.rpartition(".")
    return kind if module == "thinc.layers" else ""


# Pieces cost their margins too: above this share of a document it is read whole.
_MOST = 0.8


def _joined(
    starts: numpy.ndarray, ends: numpy.ndarray, length: int
) -> list[tuple[int, int]]:
    """Overlapping stretches of a document as one each."""
    found = joined(zip(starts.clip(0).tolist(), ends.clip(max=length).tolist()))
    whole = sum(end - start for start, end in found) > _MOST * length
    return [(0, length)] if whole else found


def cut(
    doc: Doc, window: int, overlap: int, first: int = 0, stop: int | None = None
) -> Iterator[tuple[Doc, int, int]]:
    """Overlapping pieces of a document.

    window (int): Tokens in a piece at most.
    first (int): The first token to cut up.
    stop (Optional[int]): The one after the last; None for all.
    YIELDS (Tuple[Doc, int, int]): A piece, and the first of its tokens and the one
        after the last that are its own.
    """
    n = len(doc) if stop is None else stop
    step = window - 2 * overlap
    for start in range(first, n, step):
        end = min(start + step, n)
        left, right = max(first, start - overlap), min(n, end + overlap)
        yield words_of(doc, left, right), start - left, end - left


# Above this share of distinct neighbourhoods a document is read as it stands.
_FEW = 0.5


def _repeated(doc: Doc, reach: int) -> _Parts | None:
    """Of a document that repeats itself (a log, a table) only what differs: tokens with
    the same neighbours on both sides have the same rows.

    RETURNS (Optional[Tuple]): None for a document that hardly repeats itself.
    """
    orths, spaces = doc.to_array([ORTH, SPACY]).T
    words = numpy.pad(orths * numpy.uint64(2) + spaces, reach)
    # Neighbourhoods are compared by a sum of hashes, each times another odd number.
    weights = GOLDEN ** numpy.arange(1, 2 * reach + 2, dtype="uint64")
    hashes = numpy.zeros(len(doc), dtype="uint64")
    for at, weight in enumerate(weights):
        hashes += words[at : at + len(doc)] * weight
    _, first, which = numpy.unique(hashes, return_index=True, return_inverse=True)
    stretches = _joined(first - reach, first + reach + 1, len(doc))
    if sum(end - start for start, end in stretches) > _FEW * len(doc):
        return None
    pieces: list[tuple[Doc, int, int]] = []
    # Row of each token that is read, those of the margins too.
    rows = numpy.zeros(len(doc), dtype="int64")
    n = 0
    for start, end in stretches:
        pieces += cut(doc, BLOCK, reach, start, end)
        rows[start:end] = numpy.arange(n, n + end - start)
        n += end - start
    return pieces, rows[first][which]


def words_of(doc: Doc, start: int, end: int) -> Doc:
    """Part of a document as one of its own, words alone: copying its annotation would
    cost more."""
    part: Any = doc[start:end]
    words, spaces = part.to_array([ORTH, SPACY]).T.tolist()
    return Doc(doc.vocab, words=words, spaces=spaces)
