"""Embeddings side by side (paper 2, 4.1): a contextual encoder, static word vectors and
subword embeddings, each a `tok2vec` of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy
from spacy.attrs import IDS
from spacy.ml.staticvectors import StaticVectors
from spacy.tokens import Doc
from thinc.api import Maxout, Model, chain, uniform_init, with_array
from thinc.types import Floats2d, Ragged

from ..registries import registry
from .ops import Output

Tok2Vec = Model[list[Doc], list[Floats2d]]


@registry.architectures("spacy_deid.ConcatEmbeddings.v1")
def build_concat_embeddings(*embeddings: Tok2Vec, width: int | None = None) -> Tok2Vec:
    """Several embeddings of each token, side by side.

    *embeddings (Model[List[Doc], List[Floats2d]]): Any `tok2vec`, two or more.
    width (int): Project to so many columns (maxout, normalized), so that what follows
        stays small and parts of different scales weigh alike. None for no projection.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc shape (tokens, width), or
        the sum of all widths.
    RAISES (ValueError): If there is no embedding.
    """
    if not embeddings:
        raise ValueError("ConcatEmbeddings needs one embedding or more")
    joined: Model = Model(
        "concat_embeddings",
        _concat_forward,
        init=_concat_init,
        layers=list(embeddings),
        dims={"nO": _known_width(embeddings)},
    )
    if width is None:
        return joined
    project = Maxout(width, _known_width(embeddings), nP=3, normalize=True)
    return chain(joined, with_array(project))


def _known_width(layers: Iterable[Model]) -> int | None:
    """Sum of the widths; None while one of them is not known."""
    widths = [layer.maybe_get_dim("nO") for layer in layers]
    return None if None in widths else sum(width or 0 for width in widths)


def _concat_init(model: Model, X: Any = None, Y: Any = None) -> None:
    for layer in model.layers:
        layer.initialize(X=X)
    if not model.has_dim("nO"):
        if (width := _known_width(model.layers)) is None and X:
            width = sum(layer.predict(X)[0].shape[1] for layer in model.layers)
        if width is not None:
            model.set_dim("nO", width)


def _concat_forward(model: Model, docs: list[Doc], is_train: bool) -> Output:
    parts, backprops = zip(*(layer(docs, is_train) for layer in model.layers))
    Y = [model.ops.xp.concatenate(rows, axis=1) for rows in zip(*parts)]
    widths = [part[0].shape[1] for part in parts if part]
    edges = numpy.cumsum([0, *widths]).tolist()

    def backprop(dY: list[Floats2d]) -> list[Doc]:
        for start, end, layer_backprop in zip(edges, edges[1:], backprops):
            layer_backprop([model.ops.as_contig(rows[:, start:end]) for rows in dY])
        return []

    return Y, backprop


@registry.architectures("spacy_deid.StaticEmbedding.v1")
def build_static_embedding(width: int = 96) -> Tok2Vec:
    """The vectors of the pipeline's vocabulary, projected to a width by learnt weights.
    The vectors themselves are part of the vocabulary and stay as they are.

    width (int): Columns of the output.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc shape (tokens, width);
        zeros for a word without a vector, unless the vectors are floret's.
    """
    return Model(
        "static_embedding",
        _static_forward,
        init=_static_init,
        layers=[StaticVectors(width)],
        dims={"nO": width},
    )


def _static_init(model: Model, X: Any = None, Y: Any = None) -> None:
    if X and not X[0].vocab.vectors_length:
        raise ValueError(
            "spacy_deid.StaticEmbedding.v1 needs word vectors: name a pipeline that has "
            "them as `vectors` in the config's [initialize]"
        )
    model.layers[0].initialize(X=X)


def _static_forward(model: Model, docs: list[Doc], is_train: bool) -> Output:
    lengths: Any = [len(doc) for doc in docs]
    if not (full := [doc for doc in docs if len(doc)]):
        width = model.get_dim("nO")
        return [model.ops.alloc2f(0, width) for _ in docs], lambda dY: []
    ragged, backprop_ragged = model.layers[0](full, is_train)
    known = ragged.data.any(axis=1, keepdims=True)

    def backprop(dY: list[Floats2d]) -> list[Doc]:
        # A word without a vector, whose row is zero, has nothing to teach; the layer
        # would take the last vector of the table for its own.
        flat = model.ops.xp.concatenate(dY) * known
        backprop_ragged(Ragged(flat, ragged.lengths))
        return []

    return model.ops.unflatten(ragged.data, lengths), backprop


@registry.architectures("spacy_deid.SubwordEmbedding.v1")
def build_subword_embedding(
    width: int = 64,
    rows: int = 20_000,
    min_n: int = 3,
    max_n: int = 6,
    attr: str = "ORTH",
) -> Tok2Vec:
    """The mean of the embeddings of a word and of its character n-grams (Bojanowski et
    al. 2017), learnt with the network.

    N-grams are taken of the word between marks of its start and end, and hashed to the
    rows of one table: memory is bounded, nothing is out of vocabulary, and no text of
    the training documents is kept.

    width (int): Columns of the table.
    rows (int): Rows of the table, which n-grams and words share.
    min_n (int): Length of the shortest n-grams.
    max_n (int): Length of the longest ones.
    attr (str): What is read of a token: ORTH (as it is written), LOWER or NORM.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc shape (tokens, width).
    RAISES (ValueError): For settings that make no sense.
    """
    if width < 1 or rows < 2 or not 1 <= min_n <= max_n:
        raise ValueError("needs width > 0, rows > 1 and 1 <= min_n <= max_n")
    if attr not in ("ORTH", "LOWER", "NORM"):
        raise ValueError(f"unknown attr '{attr}'; known are ORTH, LOWER, NORM")
    params: dict[str, Any] = {"E": None}
    return Model(
        "subword_embedding",
        _subword_forward,
        init=_subword_init,
        dims={"nO": width, "nV": rows},
        params=params,
        attrs={"min_n": min_n, "max_n": max_n, "attr": attr},
    )


def _subword_init(model: Model, X: Any = None, Y: Any = None) -> None:
    shape = (model.get_dim("nV"), model.get_dim("nO"))
    model.set_param("E", uniform_init(model.ops, shape, lo=-0.5, hi=0.5))


def _subword_forward(model: Model, docs: list[Doc], is_train: bool) -> Output:
    ops: Any = model.ops
    E: Any = model.get_param("E")
    lengths: Any = [len(doc) for doc in docs]
    attr = IDS[model.attrs["attr"]]
    nothing = numpy.zeros(0, dtype="uint64")
    keys = numpy.concatenate([nothing, *(doc.to_array(attr) for doc in docs)])
    # Each word of the batch is hashed and embedded once.
    words, which = numpy.unique(keys, return_inverse=True)
    if not len(words):
        return ops.unflatten(ops.alloc2f(0, E.shape[1]), lengths), lambda dY: []
    strings = docs[0].vocab.strings
    texts = [strings[word] for word in words.tolist()]
    sizes = (model.attrs[name] for name in ("min_n", "max_n"))
    hashes, counts = ngram_hashes(texts, *sizes)
    rows = ops.xp.asarray((hashes % numpy.uint64(len(E))).astype("int32"))
    counts = ops.asarray1i(counts)
    where = ops.xp.asarray(which.astype("int32"))
    means = ops.reduce_mean(E[rows], counts)

    def backprop(dY: list[Floats2d]) -> list[Doc]:
        d_means = ops.alloc2f(len(words), E.shape[1])
        ops.scatter_add(d_means, where, ops.xp.concatenate(dY))
        dE = ops.alloc2f(*E.shape)
        ops.scatter_add(dE, rows, ops.backprop_reduce_mean(d_means, counts))
        model.inc_grad("E", dE)
        return []

    return ops.unflatten(means[where], lengths), backprop


def ngram_hashes(
    words: list[str], min_n: int, max_n: int
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Hashes of words and of their character n-grams.

    RETURNS (Tuple[ndarray, ndarray]): Hashes, dtype uint64, those of each word one
        after the other, the word's own first; and how many each word has, at least 1.
    """
    sizes = numpy.array([len(word) + 2 for word in words])
    ends = numpy.cumsum(sizes)
    text = "".join(f"{_START}{word}{_END}" for word in words)
    encoded = text.encode("utf-32-le", "surrogatepass")
    codes = numpy.frombuffer(encoded, dtype="uint32").astype("uint64")
    owner = numpy.repeat(numpy.arange(len(words)), sizes)
    left = ends[owner] - numpy.arange(len(codes))  # characters up to the word's end
    with numpy.errstate(over="ignore"):
        # Polynomial hash of the text up to each character; a word's own is a difference.
        powers = _BASE ** numpy.arange(len(codes) + 1, dtype="uint64")
        sums = numpy.cumsum((codes + numpy.uint64(1)) * powers[:-1])
        sums = numpy.concatenate((numpy.zeros(1, dtype="uint64"), sums))
        inverse = _INVERSE ** numpy.arange(len(codes) + 1, dtype="uint64")
        starts = ends - sizes
        hashes = [_mixed((sums[ends] - sums[starts]) * inverse[starts], 0)]
        owners = [numpy.arange(len(words))]
        for n in range(min_n, max_n + 1):
            first = numpy.flatnonzero(left >= n)
            hashes.append(_mixed((sums[first + n] - sums[first]) * inverse[first], n))
            owners.append(owner[first])
    of = numpy.concatenate(owners)
    order = numpy.argsort(of, kind="stable")
    return numpy.concatenate(hashes)[order], numpy.bincount(of, minlength=len(words))


# Private-use characters, so that no text of a document is taken for a mark.
_START, _END = "\ue000", "\ue001"
# An odd number has an inverse modulo 2 ** 64.
_BASE = numpy.uint64(0x9E3779B97F4A7C15)
_INVERSE = numpy.uint64(pow(0x9E3779B97F4A7C15, -1, 2**64))


def _mixed(hashes: numpy.ndarray, seed: int) -> numpy.ndarray:
    """Spread hashes over all bits (the finalizer of splitmix64, Steele et al. 2014)."""
    x = hashes ^ (numpy.uint64(seed) * _BASE)
    x = (x ^ (x >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return x ^ (x >> numpy.uint64(31))
