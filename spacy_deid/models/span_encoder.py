"""Architecture of `risk_scorer`: an encoding of the span, fine-tuned with the classifier
and fused late with what is known of the span (paper 3, 5.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy
from spacy.strings import get_string_id
from spacy.tokens import Doc
from thinc.api import Dropout, HashEmbed, Maxout, Model, Shim, Softmax_v2, chain
from thinc.types import Floats2d, Ints1d

from ..registries import registry
from .doc_windows import WINDOW, batches, listens, predict_in_windows, words_of
from .masked_lm import Query
from .pieces import read_pieces
from .span_risk import N_COLUMNS, SpanContext, embed_features, span_features

Reads = Literal["text", "context"]
Pooling = Literal["mean", "max", "first", "last"]
POOLINGS = ("mean", "max", "first", "last")
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
    window: int | None = None,
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
    window (Optional[int]): With "context", tokens of the document on each side that the
        encoder is given; the whole document, in the encoder's own windows, if None.
    pooling (List[str]): How the words' vectors become one: their "mean", "max", that of
        the "first" and of the "last" word; several stand side by side.
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
    _check_settings(tok2vec, reads, window, pooling)
    known = span_knowledge(width, rows, _tokenizer_of(tok2vec), language_model)
    features: Model = chain(
        known, Dropout(dropout), Maxout(hidden, known.get_dim("nO"), normalize=True)
    )
    fused = side_by_side(
        span_encoding(tok2vec, reads, window, tuple(pooling)), features
    )
    output = Softmax_v2(nO, hidden)
    model: Model = chain(
        fused,
        Dropout(dropout),
        Maxout(hidden, fused.maybe_get_dim("nO"), normalize=True),
        output,
    )
    model.init = _init
    model.set_ref("tok2vec", tok2vec)
    model.set_ref("output_layer", output)
    return model


def _check_settings(
    tok2vec: Model, reads: str, window: int | None, pooling: Sequence[str]
) -> None:
    if reads not in ("text", "context"):
        raise ValueError(f"reads must be 'text' or 'context', not '{reads}'")
    if window is not None and (reads == "text" or window < 0):
        raise ValueError(
            "window is a number of tokens on each side of a span, for reads = 'context'"
        )
    unknown = sorted(set(pooling) - set(POOLINGS))
    if unknown or not pooling:
        raise ValueError(
            f"pooling takes one or more of {', '.join(POOLINGS)}, not "
            f"{', '.join(unknown) or 'none'}"
        )
    if listens(tok2vec) and (reads == "text" or window is not None):
        raise ValueError(
            "an encoder that is shared reads whole documents: use reads = 'context' "
            "without a window, or an encoder of its own"
        )


def _init(model: Model, X: Any = None, Y: Any = None) -> None:
    fused, _, first, output = model.layers
    fused.initialize(X=X)
    # The width of an encoder of the hub is known when it has been read.
    first.initialize(X=model.ops.alloc2f(1, fused.get_dim("nO")))
    if output.has_dim("nO") is None:
        output.initialize(Y=Y)
    else:
        output.initialize()


def side_by_side(*layers: Model) -> Model:
    """Rows of several layers next to each other.

    RETURNS (Model[List[SpanContext], Floats2d]): Width: the sum of theirs.
    """
    widths = [layer.maybe_get_dim("nO") for layer in layers]
    nO = None if None in widths else sum(widths)  # type: ignore[arg-type]
    return Model(
        "side_by_side",
        _side_by_side_forward,
        init=_side_by_side_init,
        layers=layers,
        dims={"nO": nO},
    )


def _side_by_side_init(model: Model, X: Any = None, Y: Any = None) -> None:
    for layer in model.layers:
        layer.initialize(X=X)
    model.set_dim("nO", sum(layer.get_dim("nO") for layer in model.layers))


def _side_by_side_forward(
    model: Model, X: list[SpanContext], is_train: bool
) -> tuple[Floats2d, Callable]:
    results = [layer(X, is_train) for layer in model.layers]
    widths = [Y.shape[1] for Y, _ in results]

    def backprop(dY: Floats2d) -> list:
        start = 0
        for width, (_, back) in zip(widths, results):
            back(model.ops.as_contig(dY[:, start : start + width]))
            start += width
        return []

    return model.ops.xp.hstack([Y for Y, _ in results]), backprop


def span_encoding(
    tok2vec: Model[list[Doc], list[Floats2d]],
    reads: Reads,
    window: int | None,
    pooling: tuple[Pooling, ...],
) -> Model[list[SpanContext], Floats2d]:
    """One vector a span from an encoder; see `build_span_encoder_risk`.

    What several spans share, a document or the same words, is read once.

    tok2vec (Model[List[Doc], List[Floats2d]]): The encoder.
    reads, window, pooling: See there.
    RETURNS (Model[List[SpanContext], Floats2d]): One row a span.
    """
    width = tok2vec.maybe_get_dim("nO")
    return Model(
        "span_encoding",
        _encoding_forward,
        init=_encoding_init,
        layers=[tok2vec],
        dims={"nO": None if width is None else width * len(pooling)},
        attrs={"reads": reads, "window": window, "pooling": list(pooling)},
    )


def _encoding_init(model: Model, X: Any = None, Y: Any = None) -> None:
    (tok2vec,) = model.layers
    parts = _parts(model, X)[0] if X else []
    if parts:
        tok2vec.initialize(X=parts)
    else:
        tok2vec.initialize()
    model.set_dim("nO", tok2vec.get_dim("nO") * len(model.attrs["pooling"]))


def _encoding_forward(
    model: Model, X: list[SpanContext], is_train: bool
) -> tuple[Floats2d, Callable]:
    (tok2vec,) = model.layers
    ops = model.ops
    parts, rows, lengths = _parts(model, X)
    if is_train:
        vectors, back = tok2vec.begin_update(parts)
    elif listens(tok2vec):
        vectors, back = tok2vec.predict(parts), None
    elif model.attrs["reads"] == "context" and model.attrs["window"] is None:
        vectors, back = predict_in_windows(tok2vec, parts), None
    else:
        groups = batches(parts, WINDOW)
        vectors, back = [y for group in groups for y in tok2vec.predict(group)], None
    sizes = [len(part) for part in parts]
    width = tok2vec.get_dim("nO")
    flat = ops.xp.concatenate([ops.alloc2f(0, width), *vectors])
    gathered = flat[rows]
    n_rows = ops.asarray1i(lengths.tolist())
    pooled, backs = [], []
    for name in model.attrs["pooling"]:
        Y, unpool = _pool(ops, name, gathered, n_rows)
        pooled.append(Y)
        backs.append(unpool)

    def backprop(dY: Floats2d) -> list:
        assert back is not None
        d_gathered = ops.alloc2f(*gathered.shape)
        for i, unpool in enumerate(backs):
            d_gathered += unpool(ops.as_contig(dY[:, i * width : (i + 1) * width]))
        d_flat = ops.alloc2f(*flat.shape)
        ops.scatter_add(d_flat, ops.asarray1i(rows.tolist()), d_gathered)
        ends = numpy.cumsum(sizes)
        back([d_flat[end - n : end] for end, n in zip(ends.tolist(), sizes)])
        return []

    return ops.asarray2f(ops.xp.hstack(pooled)), backprop


def _pool(
    ops: Any, name: str, rows: Floats2d, lengths: Ints1d
) -> tuple[Floats2d, Callable]:
    """One row for each run of rows."""
    if name == "mean":
        return ops.reduce_mean(rows, lengths), (
            lambda d: ops.backprop_reduce_mean(d, lengths)
        )
    if name == "max":
        Y, which = ops.reduce_max(rows, lengths)
        return Y, lambda d: ops.backprop_reduce_max(d, which, lengths)
    ends = lengths.cumsum()
    places = ends - lengths if name == "first" else ends - 1

    def backprop(d: Floats2d) -> Floats2d:
        out = ops.alloc2f(*rows.shape)
        out[places] = d
        return out

    return rows[places], backprop


def _parts(
    model: Model, contexts: Sequence[SpanContext]
) -> tuple[list[Doc], numpy.ndarray, numpy.ndarray]:
    """What the encoder is given; of all its rows one after the other those that are the
    spans' own, span by span; and how many each span has."""
    reads, window = model.attrs["reads"], model.attrs["window"]
    parts: list[Doc] = []
    firsts: dict[Any, int] = {}
    total = 0
    rows, lengths = [numpy.zeros(0, dtype="int64")], []
    for doc, spans, _ in contexts:
        if _whole(reads, window):
            places: list[tuple[Any, int, int]] = [(id(doc), 0, len(doc))]
            places *= max(1, len(spans))
        elif reads == "text":
            places = [(doc[c.start : c.end].text, c.start, c.end) for c in spans]
        else:
            bounds = [(c.start - window, c.end + window) for c in spans]
            places = [(id(doc), max(0, a), min(b, len(doc))) for a, b in bounds]
        for whose, start, end in places:
            # The same words elsewhere are the same part.
            key = (whose, end - start if reads == "text" else (start, end))
            if key not in firsts:
                firsts[key] = total
                parts.append(
                    doc if end - start == len(doc) else words_of(doc, start, end)
                )
                total += end - start
        for c, (whose, start, end) in zip(spans, places):
            key = (whose, end - start if reads == "text" else (start, end))
            first = firsts[key] + c.start - start
            rows.append(numpy.arange(first, first + c.end - c.start))
            lengths.append(c.end - c.start)
    return parts, numpy.concatenate(rows), numpy.asarray(lengths, dtype="int32")


def _whole(reads: str, window: int | None) -> bool:
    return reads == "context" and window is None


def _tokenizer_of(tok2vec: Model) -> Model | None:
    """The node of an encoder of the hub, which has its tokenizer once it is read."""
    for node in tok2vec.walk():
        if "has_transformer" in node.attrs:
            return node
    return None


def span_knowledge(
    width: int, rows: int, encoder: Model | None, language_model: Any | None
) -> Model[list[SpanContext], Floats2d]:
    """What is known of a span without its encoding, as numbers.

    width (int): Width of the embedding of each feature.
    rows (int): Rows of the tables of hashed features; 0 for the type alone.
    encoder (Optional[Model]): Encoder whose tokenizer counts subwords.
    language_model (Optional[MaskedLM]): Gives log-probabilities; it counts subwords, too.
    RETURNS (Model[List[SpanContext], Floats2d]): One row a span.
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
    numbers = n_numbers = N_COUNTS
    if language_model is not None:
        n_numbers = numbers + N_LOG_PROBABILITIES
    counted: Model = Model(
        "span_numbers",
        _numbers_forward,
        dims={"nO": n_numbers},
        shims=[] if language_model is None else [LanguageModelShim(language_model)],
    )
    model = side_by_side(embedded, counted)
    if encoder is not None:
        counted.layers.append(encoder)
    return model


class LanguageModelShim(Shim):
    """A language model as part of a model: it is not trained, and a pipeline keeps its
    name alone."""

    def __call__(self, queries: Any, is_train: bool) -> tuple[Any, Callable]:
        """Log-probabilities of stretches of texts.

        queries (Sequence[Query]): The stretches; equal ones are asked for once.
        RETURNS (Tuple[List[ndarray], Callable]): For each the log-probabilities of its
            subwords, in nats.
        """
        places: dict[Any, int] = {}
        which = [places.setdefault(query, len(places)) for query in queries]
        found = list(self._model.log_probabilities(list(places)))
        return [found[i] for i in which], lambda dY: []

    def finish_update(self, optimizer: Any) -> None:
        """Nothing: it is not trained."""

    def copy(self) -> LanguageModelShim:
        """The same language model once more; it does not change."""
        return LanguageModelShim(self._model)

    def to_device(self, device_type: str, device_id: int) -> None:
        """Nothing: it looks after itself."""

    def to_bytes(self) -> bytes:
        """Nothing: the config says where it is."""
        return b""

    def from_bytes(self, data: bytes) -> LanguageModelShim:
        """Nothing; see `to_bytes`."""
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
        log_probabilities = model.shims[0](_queries(X), is_train)[0]
    # An encoder of the hub, see `_tokenizer_of`.
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


def _queries(X: list[SpanContext]) -> list[Any]:
    out = []
    for doc, spans, _ in X:
        text = doc.text
        for c in spans:
            span = doc[c.start : c.end]
            out.append(Query(text, span.start_char, span.end_char))
    return out
