"""Architecture of `risk_scorer`: an encoding of the span, fine-tuned with the classifier
and fused late with what is known of the span (paper 3, 5.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, cast

import numpy
from spacy.strings import get_string_id
from spacy.tokens import Doc
from thinc.api import (
    Dropout,
    HashEmbed,
    Maxout,
    Model,
    Shim,
    Softmax_v2,
    chain,
    concatenate,
)
from thinc.types import Floats2d

from ..registries import registry
from .doc_windows import listens, predict_in_windows, words_of
from .masked_lm import Query
from .pieces import read_pieces
from .span_risk import N_COLUMNS, SpanContext, embed_features, span_features

Reads = Literal["text", "context"]
Pooling = Literal["mean", "max"]
POOLINGS = ("mean", "max")
# Rows of the table of types alone.
_TYPES = 64
# Without a tokenizer the subwords of a span are its runs of letters, runs of digits and
# single signs.
_RUN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
# Numbers of words and subwords; then minimum, maximum, median, mean and sum of
# log-probabilities.
N_COUNTS, N_LOG_PROBABILITIES = 2, 5


@registry.architectures("spacy_deid.SpanEncoderRisk.v1")
def build_span_encoder_risk(
    tok2vec: Model[list[Doc], list[Floats2d]],
    reads: Reads = "context",
    pooling: Sequence[Pooling] = ("mean", "max"),
    width: int = 16,
    rows: int = 600,
    hidden: int = 64,
    dropout: float = 0.2,
    language_model: Any | None = None,
    nO: int | None = None,
) -> Model[list[SpanContext], Floats2d]:
    """Identifier type of a span from an encoding of its words, its type, the number of
    its words and subwords, and how probable a language model finds it.

    What is known of the span goes through a layer of its own; its output and the
    encoding meet before the last two layers.

    tok2vec (Model[List[Doc], List[Floats2d]]): Encoder that is trained with the
        classifier: `spacy.Tok2Vec.v2`, `spacy_deid.Transformer.v1`, or, for spans in
        their document, a listener to a shared one.
    reads (str): "text": the encoder is given the words of the span alone; "context":
        the span in its document, of which only the vectors of the span's own words are
        taken.
    pooling (List[str]): How the words' vectors become one: their "mean" and "max", side
        by side.
    width (int): Width of the embedding of each feature.
    rows (int): Rows of each table of the hashed features of `spacy_deid.SpanRisk.v1`
        (text, shape, neighbours and place of the span); 0 for the type alone.
    hidden (int): Width of each hidden layer.
    dropout (float): Rate before the hidden layers, until `spacy train` sets its own.
    language_model (Optional[MaskedLM]): Gives the log-probability of each masked
        subword, from the registry `deid_language_models`.
    nO (int): Number of identifier types; set by the component.
    RETURNS (Model[List[SpanContext], Floats2d]): Probabilities of the identifier
        types, one row a span, documents one after the other.
    RAISES (ValueError): For settings that make no sense.
    """
    _check_settings(tok2vec, reads, pooling)
    # The node of an encoder of the hub, which has its tokenizer once it is read.
    encoder = next((n for n in tok2vec.walk() if "has_transformer" in n.attrs), None)
    known = span_knowledge(width, rows, encoder, language_model)
    mix = Maxout(hidden, known.get_dim("nO"), normalize=True)
    features: Model = chain(known, Dropout(dropout), mix)
    fused: Model = concatenate(span_encoding(tok2vec, reads, pooling), features)
    output = Softmax_v2(nO, hidden)
    last = Maxout(hidden, normalize=True)
    model: Model = chain(fused, Dropout(dropout), last, output)
    model.init = _init
    model.set_ref("tok2vec", tok2vec)
    model.set_ref("output_layer", output)
    return model


def _check_settings(tok2vec: Model, reads: str, pooling: Sequence[str]) -> None:
    if reads not in ("text", "context"):
        raise ValueError(f"reads must be 'text' or 'context', not '{reads}'")
    unknown = sorted(set(pooling) - set(POOLINGS))
    if unknown or not pooling:
        raise ValueError(
            f"pooling takes one or more of {', '.join(POOLINGS)}, not "
            f"{', '.join(unknown) or 'none'}"
        )
    if listens(tok2vec) and reads == "text":
        raise ValueError(
            "an encoder that is shared reads whole documents: use reads = 'context', or "
            "an encoder of its own"
        )


def _init(model: Model, X: Any = None, Y: Any = None) -> None:
    fused, _, first, output = model.layers
    fused.initialize(X=X)
    # The width of an encoder of the hub is known when it has been read.
    first.initialize(X=model.ops.alloc2f(1, fused.get_dim("nO")))
    output.initialize(Y=None if output.has_dim("nO") else Y)


def span_encoding(
    tok2vec: Model[list[Doc], list[Floats2d]], reads: Reads, pooling: Sequence[Pooling]
) -> Model[list[SpanContext], Floats2d]:
    """One vector a span from an encoder; see `build_span_encoder_risk`.

    What several spans share, a document or the same words, is read once."""
    width = tok2vec.maybe_get_dim("nO")
    return Model(
        "span_encoding",
        _encoding_forward,
        init=_encoding_init,
        layers=[tok2vec],
        dims={"nO": None if width is None else width * len(pooling)},
        attrs={"reads": reads, "pooling": list(pooling)},
    )


def _encoding_init(model: Model, X: Any = None, Y: Any = None) -> None:
    (tok2vec,) = model.layers
    parts = _parts(model, X)[0] if X else []
    tok2vec.initialize(X=parts or None)
    model.set_dim("nO", tok2vec.get_dim("nO") * len(model.attrs["pooling"]))


def _encoding_forward(
    model: Model, X: list[SpanContext], is_train: bool
) -> tuple[Floats2d, Callable]:
    (tok2vec,) = model.layers
    ops = model.ops
    parts, rows, lengths = _parts(model, X)
    if is_train:
        vectors, back = tok2vec.begin_update(parts)
    else:
        vectors, back = predict_in_windows(tok2vec, parts), None
    sizes: Any = [len(part) for part in parts]
    width = tok2vec.get_dim("nO")
    flat = ops.xp.concatenate([ops.alloc2f(0, width), *vectors])
    gathered = flat[rows]
    n_rows = ops.asarray1i(lengths.tolist())
    pooled, backs = [], []
    for name in model.attrs["pooling"]:
        if name == "mean":
            Y = ops.reduce_mean(gathered, n_rows)
            backs.append(partial(ops.backprop_reduce_mean, lengths=n_rows))
        else:
            Y, which = ops.reduce_max(gathered, n_rows)
            backs.append(partial(ops.backprop_reduce_max, which=which, lengths=n_rows))
        pooled.append(Y)

    def backprop(dY: Floats2d) -> list:
        assert back is not None
        d_gathered = ops.alloc2f(*gathered.shape)
        for i, unpool in enumerate(backs):
            d_gathered += unpool(ops.as_contig(dY[:, i * width : (i + 1) * width]))
        d_flat = ops.alloc2f(*flat.shape)
        ops.scatter_add(d_flat, ops.asarray1i(rows.tolist()), d_gathered)
        back(ops.unflatten(d_flat, sizes))
        return []

    return ops.asarray2f(ops.xp.hstack(pooled)), backprop


def _parts(
    model: Model, contexts: Sequence[SpanContext]
) -> tuple[list[Doc], numpy.ndarray, numpy.ndarray]:
    """What the encoder is given, documents or the words of spans; of all its rows one
    after the other those that are the spans' own; and how many each span has."""
    alone = model.attrs["reads"] == "text"
    parts: list[Doc] = []
    firsts: dict[Any, int] = {}
    total = 0
    rows, lengths = [numpy.zeros(0, dtype="int64")], []
    for doc, spans, _ in contexts:
        # A document without spans is read too: an encoder that is shared has to be
        # given the whole batch.
        for c in spans if alone else (*spans, None):
            start, end = (c.start, c.end) if alone and c else (0, len(doc))
            # The same words elsewhere are the same part.
            key = (doc[start:end].text, end - start) if alone else id(doc)
            if key not in firsts:
                firsts[key] = total
                parts.append(words_of(doc, start, end) if alone else doc)
                total += end - start
            if c is not None:
                first = firsts[key] + c.start - start
                rows.append(numpy.arange(first, first + c.end - c.start))
                lengths.append(c.end - c.start)
    return parts, numpy.concatenate(rows), numpy.asarray(lengths, dtype="int32")


def span_knowledge(
    width: int, rows: int, encoder: Model | None, language_model: Any | None
) -> Model[list[SpanContext], Floats2d]:
    """What is known of a span without its encoding, as numbers.

    rows (int): Rows of the tables of hashed features; 0 for the type alone.
    language_model (Optional[MaskedLM]): Gives log-probabilities; it counts subwords, too.
    """
    if rows < 0 or width < 1:
        raise ValueError(f"needs rows >= 0 and width > 0, not {rows} and {width}")
    if rows:
        embedded: Model = chain(span_features(), embed_features(width, rows))
        n = width * (N_COLUMNS + 2)
    else:
        keys: Model = Model("span_type", _type_forward)
        embedded, n = chain(keys, HashEmbed(width, _TYPES, column=0)), width
    embedded.set_dim("nO", n, force=True)
    n_numbers = N_COUNTS + N_LOG_PROBABILITIES * (language_model is not None)
    counted: Model = Model(
        "span_numbers",
        _numbers_forward,
        dims={"nO": n_numbers},
        shims=[] if language_model is None else [LanguageModelShim(language_model)],
    )
    model: Model = concatenate(embedded, counted)
    model.set_dim("nO", n + n_numbers)
    if encoder is not None:
        counted.layers.append(encoder)
    return model


class LanguageModelShim(Shim):
    """A language model as part of a model: it is not trained, looks after its own
    device, and a pipeline keeps its name alone, in the config."""

    def log_probabilities(self, queries: Sequence[Query]) -> list[numpy.ndarray]:
        """Log-probabilities of stretches of texts, in nats; equal ones are asked for
        once."""
        distinct = list(dict.fromkeys(queries))
        found = dict(zip(distinct, self._model.log_probabilities(distinct)))
        return [found[query] for query in queries]

    def finish_update(self, optimizer: Any) -> None:
        pass

    def copy(self) -> LanguageModelShim:
        return LanguageModelShim(self._model)

    def to_device(self, device_type: str, device_id: int) -> None:
        pass

    def to_bytes(self) -> bytes:
        return b""

    def from_bytes(self, data: bytes) -> LanguageModelShim:
        return self


def _type_forward(
    model: Model, X: list[SpanContext], is_train: bool
) -> tuple[Any, Callable]:
    keys = [[get_string_id(c.label)] for context in X for c in context.spans]
    array: Any = numpy.asarray(keys, dtype="uint64").reshape((-1, 1))
    return model.ops.asarray(array), lambda dY: []


def _numbers_forward(
    model: Model, X: list[SpanContext], is_train: bool
) -> tuple[Floats2d, Callable]:
    n = sum(len(context.spans) for context in X)
    out: Any = numpy.zeros((n, model.get_dim("nO")), dtype="f")
    log_probabilities = None
    if model.shims:
        shim = cast(LanguageModelShim, model.shims[0])
        log_probabilities = shim.log_probabilities(_queries(X))
    # An encoder of the hub, see `build_span_encoder_risk`.
    encoder: Any = model.layers[0] if model.layers else None
    tokenizer = None if encoder is None else encoder.tokenizer
    i = 0
    for doc, spans, _ in X:
        pieces = None
        if tokenizer is not None and log_probabilities is None and spans:
            pieces = read_pieces(doc, tokenizer)
        for c in spans:
            span = doc[c.start : c.end]
            if log_probabilities is not None:
                values = numpy.asarray(log_probabilities[i], dtype="float64")
                out[i, N_COUNTS:] = aggregate(values)
                subwords = len(values)
            elif pieces is not None:
                subwords = int(pieces.end[c.end - 1] - pieces.first[c.start])
            else:
                subwords = len(_RUN.findall(span.text))
            words = sum(not token.is_space for token in span)
            out[i, :N_COUNTS] = numpy.log1p(words), numpy.log1p(max(0, subwords))
            i += 1
    return model.ops.asarray2f(out), lambda dY: []


def aggregate(values: numpy.ndarray) -> tuple[float, ...]:
    """Minimum, maximum, median, mean and sum of log-probabilities (paper 3, 5.1), on a
    scale that fits a neural network: -log(1 - x), which keeps order and 0.

    values (ndarray): Log-probabilities in nats; none gives zeros.
    """
    if not len(values):
        return (0.0,) * N_LOG_PROBABILITIES
    five = (values.min(), values.max(), numpy.median(values), values.mean())
    return tuple(-numpy.log1p(-min(0.0, float(x))) for x in (*five, values.sum()))


def _queries(X: list[SpanContext]) -> list[Query]:
    spans = ((doc.text, doc[c.start : c.end]) for doc, found, _ in X for c in found)
    return [Query(text, span.start_char, span.end_char) for text, span in spans]
