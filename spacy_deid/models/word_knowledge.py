"""Embeddings that know words: how frequent a word is, whether it is a name, a place, a
thing or a word of the dictionary. A rare word has no row of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy
from spacy.attrs import IS_PUNCT, LOWER, NORM, PREFIX, SHAPE, SUFFIX
from spacy.tokens import Doc
from spacy.vocab import Vocab
from thinc.api import (
    HashEmbed,
    Maxout,
    Model,
    chain,
    concatenate,
    list2ragged,
    ragged2list,
    with_array,
)
from thinc.types import Floats2d, Ints2d, Ragged

from ..gazetteers.lexicon import FAMILY, GIVEN, ZIPF_BITS, load_lexicon
from ..gazetteers.lexicon import LOWER as DICTIONARY
from ..registries import registry

# Steps of `ZIPF_STEPS`: a word from one in a million on has a row of its own.
_OWN_ROW = 3
# Cases of a word's letters; words with digits and tokens without letters are apart.
_LOWER, _TITLE, _CAPITALS, _MIXED, _DIGITS, _ALPHANUMERIC, _OTHER = range(7)
# Columns for the kind of text.
_KIND_WIDTH = 16
# Upper bounds of the shares of words in capitals, with a capital and with digits.
_SHARES = ([0.02, 0.2, 0.6], [0.05, 0.2, 0.4], [0.05, 0.2, 0.4])


@registry.architectures("spacy_deid.WordKnowledgeEmbed.v1")
def build_word_knowledge_embed(
    width: int = 96,
    rows: int = 5000,
    affix_rows: int = 2000,
    lexicon: str | None = "en",
    document: bool = True,
    groups: bool = False,
) -> Model[list[Doc], list[Floats2d]]:
    """Hash embeddings of a word, its prefix, suffix and shape, of what the lexicon knows
    of it in this case, and of the kind of text: the shares of capitals and digits.

    A word rarer than one in a million, and a name that is no word of the dictionary, is
    embedded as its class: a name never seen is read like one seen in training, none is
    learnt by heart.

    width (int): Columns of the output and of the tables of words and suffixes; the
        others are narrower.
    rows (int): Rows of the table of words.
    affix_rows (int): Rows of the tables of suffixes and shapes; of prefixes half.
    lexicon (Optional[str]): Language of the lexicon, see `gazetteers/lexicon.py`.
        Without one each word has a row of its own.
    document (bool): Whether the kind of text is read.
    groups (bool): Whether a word is also embedded as those that are used alike, of all
        grains that the lexicon has: a drug never seen is read like one seen.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc shape (tokens, width).
    """
    known = load_lexicon(lexicon)  # an unknown one is an error here
    half = width // 2
    sizes = [(rows, width), (affix_rows // 2, half), (affix_rows, width)]
    sizes += [(affix_rows, half), (1000, half)]
    sizes += [(200, _KIND_WIDTH)] if document else []
    if groups:
        rows_of = [2 * int(n) + 1 for n in known.groups.max(axis=0)]
        sizes += [(n, width // 4 if i else half) for i, n in enumerate(rows_of)]
    extract: Model[list[Doc], list[Ints2d]] = Model(
        "extract_features",
        _extract,
        attrs={"lexicon": lexicon, "document": document, "groups": groups},
    )
    tables: list[Model] = [
        HashEmbed(columns, n, column=i, seed=8 + i, dropout=0.0)
        for i, (n, columns) in enumerate(sizes)
    ]
    concatenated = sum(columns for _, columns in sizes)
    mix = Maxout(width, concatenated, nP=3, dropout=0.0, normalize=True)
    # The order of layers that `embed_words_once` knows.
    return chain(
        extract,
        cast(Model[list[Ints2d], Ragged], list2ragged()),
        with_array(concatenate(*tables)),
        with_array(mix),
        ragged2list(),
    )


def _extract(
    model: Model, docs: list[Doc], is_train: bool
) -> tuple[list[Ints2d], Callable]:
    lexicon = load_lexicon(model.attrs["lexicon"])
    lengths = [len(doc) for doc in docs]
    attrs = [NORM, PREFIX, SUFFIX, SHAPE, LOWER, IS_PUNCT]
    nothing = numpy.zeros((0, len(attrs)), dtype="uint64")
    attributes = numpy.concatenate([nothing, *(doc.to_array(attrs) for doc in docs)])
    norm, prefix, suffix, shape, lower, punct = attributes.T
    known = lexicon.look_up(lower).astype("uint64")
    case = _cases(shape, docs[0].vocab).astype("uint64") if len(attributes) else shape
    name = known & numpy.uint64(GIVEN | FAMILY) > 0
    name &= known & numpy.uint64(DICTIONARY) == 0
    own = (known & numpy.uint64(ZIPF_BITS) >= _OWN_ROW) & ~name
    own |= model.attrs["lexicon"] is None
    own |= (punct > 0) | (case == _OTHER) | (case == _DIGITS)
    # Classes are small numbers, which no hash is.
    word = numpy.where(own, norm, known + numpy.uint64(1))
    columns = [word, prefix, suffix, shape, known | (case << numpy.uint64(8))]
    if model.attrs["document"]:
        columns.append(numpy.repeat(_kinds(case, lengths), lengths))
    if model.attrs.get("groups"):
        columns.extend(lexicon.groups_of(lower).T)
    table: Any = numpy.stack(columns, axis=1)
    features: Any = model.ops.asarray2i(table, dtype="uint64")
    return model.ops.unflatten(features, cast(Any, lengths)), lambda d: []


def text_kinds(docs: Sequence[Doc]) -> numpy.ndarray:
    """The kind of each text, by the shares of words in capitals, with a capital and with
    digits: a number from 64 to 127, dtype uint64."""
    shapes = [doc.to_array(SHAPE) for doc in docs]
    if not any(map(len, shapes)):
        return numpy.full(len(docs), 64, dtype="uint64")
    case = _cases(numpy.concatenate(shapes).astype("uint64"), docs[0].vocab)
    return _kinds(case, [*map(len, shapes)])


def _cases(shapes: numpy.ndarray, vocab: Vocab) -> numpy.ndarray:
    """Case of each token by its shape."""
    distinct, which = numpy.unique(shapes, return_inverse=True)
    return numpy.array([_case(vocab.strings[s]) for s in distinct.tolist()])[which]


def _case(shape: str) -> int:
    small, large, digits = shape.count("x"), shape.count("X"), "d" in shape
    if not small and not large:
        return _DIGITS if digits else _OTHER
    if digits:
        return _ALPHANUMERIC
    if not large:
        return _LOWER
    if not small:
        return _CAPITALS if large > 1 else _TITLE
    return _TITLE if shape[0] == "X" and large == 1 else _MIXED


def _kinds(case: numpy.ndarray, lengths: list[int]) -> numpy.ndarray:
    """The kind of each text, see `text_kinds`."""
    doc = numpy.repeat(numpy.arange(len(lengths), dtype="int64"), lengths)
    flat = numpy.bincount(doc * 7 + case.astype("int64"), minlength=7 * len(lengths))
    counts = flat.reshape((-1, 7))
    words = numpy.maximum(1, counts[:, :_OTHER].sum(axis=1))
    parts = (
        counts[:, _CAPITALS],
        counts[:, _TITLE] + counts[:, _MIXED],
        counts[:, _DIGITS] + counts[:, _ALPHANUMERIC],
    )
    kinds = numpy.ones(len(lengths), dtype="uint64")
    for part, bounds in zip(parts, _SHARES):
        step = numpy.searchsorted(bounds, part / words)
        kinds = kinds * numpy.uint64(4) + step.astype("uint64")
    return kinds
