"""Long documents in pieces, so that memory stays bounded and no token is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from spacy.tokens import Doc
from thinc.api import Model

# Tokens read at a time, and those of context on each side of a piece: well above what
# a convolution of the usual depth sees.
WINDOW = 20_000
OVERLAP = 64


def predict_in_windows(
    model: Model, docs: Sequence[Doc], window: int = WINDOW, overlap: int = OVERLAP
) -> list[Any]:
    """Rows of a model for each token of documents of any length.

    A model that listens to a shared encoder is given whole documents: the encoder has
    read them.

    model (Model[List[Doc], List[Floats2d]]): One row a token.
    docs (Sequence[Doc]): The documents, empty ones included.
    window (int): Tokens read at a time.
    overlap (int): Tokens of context on each side of a piece of a longer document.
    RETURNS (List[Floats2d]): For each doc shape (tokens, width of the model).
    RAISES (ValueError): If the window leaves no room beside the context.
    """
    if window <= 2 * overlap:
        raise ValueError(f"window must be above {2 * overlap} tokens, not {window}")
    whole = any(hasattr(node, "upstream_name") for node in model.walk())
    pieces: list[Doc] = []
    kept: list[list[tuple[int, int]]] = []
    for doc in docs:
        parts = (
            [(doc, 0, len(doc))]
            if whole or len(doc) <= window
            else list(cut(doc, window, overlap))
        )
        parts = [part for part in parts if len(part[0])]
        pieces += [piece for piece, _, _ in parts]
        kept.append([(start, end) for _, start, end in parts])
    groups = [pieces] if whole and pieces else batches(pieces, window)
    rows = iter([row for group in groups for row in model.predict(group)])
    out: list[Any] = []
    for bounds in kept:
        own = [model.ops.asarray2f(next(rows))[start:end] for start, end in bounds]
        if len(own) == 1:
            out.append(own[0])
        elif own:
            out.append(model.ops.xp.concatenate(own))
        else:
            out.append(None)
    width = next((part.shape[1] for part in out if part is not None), 0)
    return [model.ops.alloc2f(0, width) if part is None else part for part in out]


def cut(doc: Doc, window: int, overlap: int) -> Iterator[tuple[Doc, int, int]]:
    """Overlapping pieces of a document.

    doc (Doc): The document.
    window (int): Tokens in a piece at most.
    overlap (int): Tokens of context on each side.
    YIELDS (Tuple[Doc, int, int]): A piece, and the first of its tokens and the one
        after the last that are its own.
    """
    n = len(doc)
    step = window - 2 * overlap
    for start in range(0, n, step):
        end = min(start + step, n)
        left, right = max(0, start - overlap), min(n, end + overlap)
        yield words_of(doc, left, right), start - left, end - left


def words_of(doc: Doc, start: int, end: int) -> Doc:
    """Part of a document as one of its own, words alone: copying its annotation would
    cost more.

    doc (Doc): The document.
    start (int): First token.
    end (int): Token after the last.
    RETURNS (Doc): The part.
    """
    tokens = [doc[i] for i in range(start, end)]
    words = [token.text for token in tokens]
    return Doc(doc.vocab, words=words, spaces=[bool(t.whitespace_) for t in tokens])


def batches(pieces: Sequence[Doc], size: int) -> Iterator[list[Doc]]:
    """Documents in groups of at most `size` tokens, or of one document.

    pieces (Sequence[Doc]): The documents.
    size (int): Tokens.
    YIELDS (List[Doc]): A group.
    """
    batch: list[Doc] = []
    total = 0
    for piece in pieces:
        if batch and total + len(piece) > size:
            yield batch
            batch, total = [], 0
        batch.append(piece)
        total += len(piece)
    if batch:
        yield batch
