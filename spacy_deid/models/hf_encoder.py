"""The encoder behind `spacy_deid.Transformer.v1`: imported only by its builder."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, cast

import numpy
import torch
from spacy.tokens import Doc, Span
from spacy_transformers.data_classes import (
    FullTransformerBatch,
    HFObjects,
    WordpieceBatch,
)
from spacy_transformers.layers.hf_shim import HFShim
from spacy_transformers.layers.split_trf import split_trf_batch
from spacy_transformers.layers.transformer_model import (
    TransformerModel,
    huggingface_from_pretrained,
    set_pytorch_transformer,
)
from thinc.api import (
    Model,
    Optimizer,
    Shim,
    chain,
    get_torch_default_device,
    reduce_mean,
    torch2xp,
    xp2torch,
)
from thinc.types import Floats2d, Ragged
from torch.utils.checkpoint import checkpoint
from transformers import AutoTokenizer
from transformers.modeling_outputs import BaseModelOutput

from ..processes import in_groups
from .ops import Output, ranges, release_memory
from .pieces import Pieces, cannot_load, most_pieces, read_pieces, special_pieces
from .span_getters import SpanGetter, get_windows
from .torch_threads import watch_forks

watch_forks()

# Windows of a batch are at least so long, as a part of the longest: short ones beside
# long ones would be padding for the most part.
LEAST_FILLED = 0.7
# Updates after which freed memory is given back: it takes a few hundred milliseconds.
RELEASE_EVERY = 10
# Hidden states that are there at a time in prediction, in batches.
RUN_BATCHES = 8


class Batch(NamedTuple):
    """Windows that go through the encoder together, padded on the right.

    ids (ndarray): Word pieces, shape (windows, longest).
    mask (ndarray): Whether there is a piece, same shape.
    """

    ids: numpy.ndarray
    mask: numpy.ndarray


class Reading(NamedTuple):
    """How a batch of documents is read.

    pieces (List[Pieces]): Word pieces of each document.
    bounds (List[List[Tuple[int, int]]]): Windows of each document.
    sequences (List[ndarray]): Pieces of each window, special ones included, windows of
        all documents one after the other.
    tokens (Ragged): For each token of all documents the pieces it is made of: places
        in the concatenated sequences.
    """

    pieces: list[Pieces]
    bounds: list[list[tuple[int, int]]]
    sequences: list[numpy.ndarray]
    tokens: Ragged


def _has_bfloat16() -> bool:
    """Whether this CPU multiplies bfloat16 in hardware; emulated it takes twice the time
    of float32."""
    names = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    return any(getattr(torch.cpu, name, bool)() for name in names)


class EncoderShim(HFShim):
    """A model of the hub that reads and learns batch by batch.

    Differs from its parent in what spans several batches: gradients are unscaled once,
    before the optimizer's step, and activations beyond `batch_pieces` are calculated
    again on the way back. `use_params` finds the optimizer's averages.

    learn_rate_factor (float): Factor of the optimizer's learning rate.
    batch_pieces (int): Word pieces whose activations are kept at most.
    """

    def __init__(
        self,
        model: HFObjects,
        *,
        mixed_precision: bool,
        grad_scaler_config: dict[str, Any],
        learn_rate_factor: float,
        batch_pieces: int,
    ) -> None:
        device = get_torch_default_device().type
        if device != "cuda":
            # bfloat16 has the exponents of float32: nothing has to be scaled.
            grad_scaler_config = {**grad_scaler_config, "enabled": False}
            mixed_precision = mixed_precision and device == "cpu" and _has_bfloat16()
        super().__init__(
            model,
            mixed_precision=mixed_precision,
            grad_scaler_config=grad_scaler_config,
        )
        self.learn_rate_factor = learn_rate_factor
        self.batch_pieces = batch_pieces
        self._updates = 0

    def read(self, inputs: list[Batch]) -> list[torch.Tensor]:
        """Hidden states of batches, without a trace for learning.

        RETURNS (List[Tensor]): Shape (windows, longest, width) each.
        """
        self._model.eval()
        with torch.no_grad():
            return [self._hidden(batch) for batch in inputs]

    def begin_reading(self, inputs: list[Batch]) -> tuple[list[torch.Tensor], Callable]:
        """Hidden states of batches, and how to learn from their gradient.

        RETURNS (Tuple[List[Tensor], Callable]): Shape (windows, longest, width) each,
            and a function that takes gradients of the same shapes.
        """
        self._model.train()
        keep = len(inputs) == 1 or sum(b.ids.size for b in inputs) <= self.batch_pieces
        again = partial(checkpoint, self._hidden, use_reentrant=False)
        outputs: list[torch.Tensor] = [*map(self._hidden if keep else again, inputs)]

        def backprop(gradients: list[torch.Tensor]) -> None:
            self._model.train()
            for output, gradient in zip(outputs, gradients):
                gradient = gradient.to(output.device)
                torch.autograd.backward(output, self._grad_scaler.scale(gradient))

        return [output.detach() for output in outputs], backprop

    def finish_update(self, optimizer: Optimizer) -> None:
        """Let the optimizer take a step."""
        every = self._model.named_parameters()
        learning = [(name, param) for name, param in every if param.grad is not None]
        self._grad_scaler.unscale([param.grad for _, param in learning])
        for name, param in learning:
            # With an overflow somewhere the step is left out, and the scale lowered.
            if not self._grad_scaler.found_inf:
                arrays: list[Any] = [torch2xp(param.data), torch2xp(param.grad)]
                weights, _ = optimizer(
                    (self.id, name), *arrays, lr_scale=self.learn_rate_factor
                )
                param.data = xp2torch(weights, requires_grad=True, device=param.device)
            param.grad = None
        self._grad_scaler.update()
        self._updates += 1
        if self._updates % RELEASE_EVERY == 0 and self.device.type == "cpu":
            release_memory()

    @contextmanager
    def use_params(self, params: dict) -> Iterator[None]:
        """Weights of the optimizer's averages, for a while."""
        own = {} if self._model is None else dict(self._model.named_parameters())
        replaced = {}
        for name, parameter in own.items():
            if (average := params.get((self.id, name))) is not None:
                replaced[name] = parameter.data
                parameter.data = xp2torch(average, device=parameter.device)
        try:
            yield
        finally:
            for name, data in replaced.items():
                own[name].data = data

    def copy(self) -> EncoderShim:
        """A copy that the optimizer does not take for this one."""
        copied = super().copy()
        with Shim.global_id_lock:
            Shim.global_id += 1
            copied.id = Shim.global_id
        return copied

    def from_bytes(self, bytes_data: bytes) -> EncoderShim:
        """Load what `to_bytes` gave. Weights that do not fit are an error."""
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="Error loading saved torch state")
            try:
                super().from_bytes(bytes_data)
            except UserWarning:
                raise ValueError("the saved weights do not fit the encoder") from None
        return self

    def _hidden(self, batch: Batch) -> torch.Tensor:
        device = self.device
        kwargs = {
            "input_ids": torch.as_tensor(batch.ids, device=device),
            "attention_mask": torch.as_tensor(batch.mask, device=device).long(),
        }
        if "global_attention_mask" in inspect.signature(self._model.forward).parameters:
            # Longformer: one piece that sees all others and is seen by them.
            everywhere = torch.zeros_like(kwargs["input_ids"])
            everywhere[:, 0] = 1
            kwargs["global_attention_mask"] = everywhere
        with torch.autocast(device.type, enabled=self._mixed_precision):
            output = self._model(**kwargs)
        return output[0].float()


class Encoder(TransformerModel):
    """A model of the hub and how it reads documents.

    Keeps the structure of its parent, whose serialization and place in a `transformer`
    component it shares.

    **settings (Any): Those of its `EncoderShim`.
    """

    def __init__(
        self,
        name: str,
        get_spans: SpanGetter,
        tokenizer_config: dict[str, Any],
        transformer_config: dict[str, Any],
        **settings: Any,
    ) -> None:
        super().__init__(name, cast(Callable, get_spans))
        nothing = HFObjects(None, None, None, tokenizer_config, transformer_config)
        shim = EncoderShim(nothing, **settings)
        self._layers = [Model("hf-pytorch", _run_shim, shims=[shim])]
        self._func = _full_forward
        self.init = _init
        self.attrs["replace_listener"] = _replace_listener
        self.attrs["replace_listener_cfg"] = _replace_listener_cfg

    @property
    def shim(self) -> EncoderShim:
        """The model of the hub."""
        return cast(EncoderShim, self.layers[0].shims[0])

    def copy(self) -> Encoder:
        """A copy with its own weights and a new `id`."""
        return self._copy()

    def _copy(self, seen: dict[int, Any] | None = None) -> Encoder:
        # What a model around this one calls for its copy; its parent's makes plain
        # nodes, without the methods of this class.
        copied = Encoder.__new__(Encoder)
        parts: dict[str, Any] = {"layers": [self.layers[0]._copy(seen)]}
        parts |= {"dims": dict(self._dims), "attrs": dict(self.attrs)}
        Model.__init__(copied, self.name, self._func, init=self.init, **parts)
        return copied


def _run_shim(model: Model, batches: list[Batch], is_train: bool) -> tuple:
    shim = cast(EncoderShim, model.shims[0])
    if is_train:
        return shim.begin_reading(batches)
    return shim.read(batches), lambda gradients: None


class _Tokenizers:
    @staticmethod
    def from_pretrained(name: str, **settings: Any) -> Any:
        tokenizer = AutoTokenizer.from_pretrained(name, **settings)
        # A folder may hold tokenizer.json alone; spacy-transformers reads the slow
        # tokenizer's words beside it, wherever there could be any.
        if getattr(tokenizer, "vocab_file", "") is None:
            tokenizer.vocab_file = os.devnull
        return tokenizer


def _init(model: Encoder, X: Any = None, Y: Any = None) -> None:
    """Load the model of the hub, unless there is one."""
    if model.attrs["has_transformer"]:
        return
    name, tokenizers = model.attrs["name"], cast(Any, _Tokenizers)
    configs = model._init_tokenizer_config, model._init_transformer_config
    try:
        found = huggingface_from_pretrained(name, *configs, tokenizer_cls=tokenizers)
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise cannot_load("encoder", name, error) from None
    if getattr(found.transformer.config, "is_encoder_decoder", False):
        raise ValueError(f"'{name}' is no encoder: it has a decoder, too")
    special_pieces(found.tokenizer)
    set_pytorch_transformer(model, found)


def read(model: Encoder, docs: list[Doc]) -> Reading:
    """Cut documents into pieces and windows.

    docs (List[Doc]): The documents; empty ones have no window.
    """
    tokenizer = model.tokenizer
    before, after = special_pieces(tokenizer)
    most = most_pieces(tokenizer, model.transformer)
    most = min(most, model.attrs["get_spans"].max_pieces)
    room = most - len(before) - len(after)
    if room < 1:
        raise ValueError(f"no word piece fits in a window of {room} beside the special")
    pieces = [read_pieces(doc, tokenizer) for doc in docs]
    windows = get_windows(model.attrs["get_spans"], docs, pieces, room)
    filler = [] if before or after else [tokenizer.pad_token_id or 0]
    bounds: list[list[tuple[int, int]]] = []
    sequences: list[numpy.ndarray] = []
    indices, lengths = [], []
    offset = 0
    for doc, own, window in zip(docs, pieces, windows):
        # White space alone may have no piece: it is read as an empty text.
        own_bounds = window.bounds or ([(0, 0)] if len(doc) else [])
        shifts = []
        for start, end in own_bounds:
            middle = own.ids[start:end] if end > start else filler
            sequences.append(numpy.concatenate([before, middle, after]).astype("int64"))
            shifts.append(offset + len(before) - start)
            offset += len(sequences[-1])
        rows = numpy.arange(len(own)) + numpy.asarray(shifts, "int64")[window.owner]
        if not len(own):
            rows = numpy.asarray(shifts, "int64") - len(before)
        low, high = own.rows_read()
        high = numpy.maximum(high, low + 1)
        indices.append(rows[ranges(low, high)])
        lengths.append(high - low)
        bounds.append(own_bounds)
    tokens = Ragged(_joined(indices), _joined(lengths))
    return Reading(pieces, bounds, sequences, tokens)


def _joined(arrays: list[numpy.ndarray]) -> Any:
    return numpy.concatenate([*arrays, numpy.zeros(0, "int64")]).astype("int32")


def make_batches(
    sequences: list[numpy.ndarray], size: int, pad: int
) -> tuple[list[Batch], numpy.ndarray]:
    """Windows of like length in batches.

    size (int): Pieces in a batch at most, padding counted; a single window may have
        more.
    """
    lengths = numpy.asarray([len(s) for s in sequences], dtype="int64")
    order = numpy.argsort(-lengths, kind="stable")
    batches = []
    first = 0
    while first < len(order):
        longest = int(lengths[order[first]])
        end = min(len(order), first + max(1, size // longest))
        fill = lengths[order[first:end]] >= LEAST_FILLED * longest
        chosen = order[first : first + int(fill.sum())]
        ids = numpy.full((len(chosen), longest), pad, dtype="int64")
        mask = numpy.zeros(ids.shape, dtype=bool)
        for row, window in enumerate(chosen.tolist()):
            ids[row, : lengths[window]] = sequences[window]
            mask[row, : lengths[window]] = True
        batches.append(Batch(ids, mask))
        first += len(chosen)
    return batches, order


def encode(
    model: Encoder, sequences: list[numpy.ndarray], learns: bool
) -> tuple[torch.Tensor, Callable[[torch.Tensor], None]]:
    """Hidden states of windows.

    learns (bool): Whether the way back will be gone.
    RETURNS (Tuple[Tensor, Callable]): Shape (pieces, width), windows one after the
        other, and the way back for a gradient of that shape.
    """
    pad = model.tokenizer.pad_token_id or 0
    batches, order = make_batches(sequences, model.shim.batch_pieces, pad)
    hidden, backprop = model.layers[0](batches, learns)
    masks = [torch.as_tensor(b.mask, device=h.device) for b, h in zip(batches, hidden)]
    rows = torch.cat([h[m] for h, m in zip(hidden, masks)])
    # Rows stand in the order of the batches: where each row of a window is.
    lengths = numpy.asarray([len(s) for s in sequences], dtype="int64")
    starts = numpy.zeros_like(lengths)
    starts[order] = numpy.cumsum(lengths[order]) - lengths[order]
    places = torch.as_tensor(ranges(starts, starts + lengths), device=rows.device)

    def encode_backprop(gradient: torch.Tensor) -> None:
        sorted_rows = torch.empty_like(rows)
        sorted_rows[places] = gradient.to(rows.device, rows.dtype)
        gradients = [torch.zeros_like(h) for h in hidden]
        parts = sorted_rows.split([int(m.sum()) for m in masks])
        for padded, m, part in zip(gradients, masks, parts):
            padded[m] = part
        backprop(gradients)

    return rows[places], encode_backprop


def token_vectors(
    encoder: Encoder,
    pooling: Model[Ragged, Floats2d] | None = None,
    grad_factor: float = 1.0,
) -> Model[list[Doc], list[Floats2d]]:
    """Vectors of tokens from those of their word pieces.

    The nodes are those that `nlp.replace_listeners` makes of a listener and a copy of
    the shared encoder, so that such a component can be saved and loaded.

    pooling (Model[Ragged, Floats2d]): How pieces become one vector; their mean if None.
    """
    pooling = reduce_mean() if pooling is None else pooling
    parts, attrs = [encoder, split_trf_batch()], {"grad_factor": grad_factor}
    encode_node: Model = Model("encode", _no_forward, layers=parts)
    pool_node: Model = Model("pool", _no_forward, layers=[pooling], attrs=attrs)
    return Model(
        "transformer-tokens",
        _tokens_forward,
        init=_tokens_init,
        layers=[encode_node, pool_node],
        dims={"nO": None},
    )


def _no_forward(model: Model, X: Any, is_train: bool) -> tuple:
    raise NotImplementedError("only the model around this node is called")


def _tokens_init(model: Model, X: Any = None, Y: Any = None) -> None:
    encoder, pooling = model.layers[0].layers[0], model.layers[1].layers[0]
    encoder.initialize(X=X)
    width = encoder.get_dim("nO")
    sample = Ragged(model.ops.alloc2f(1, width), model.ops.alloc1i(1) + 1)
    pooling.initialize(X=sample)
    model.set_dim("nO", pooling.predict(sample).shape[1])


def _tokens_forward(model: Model, docs: list[Doc], is_train: bool) -> Output:
    encoder = cast(Encoder, model.layers[0].layers[0])
    pooling = model.layers[1].layers[0]
    grad_factor = model.layers[1].attrs["grad_factor"]
    ops = model.ops
    ends = numpy.cumsum([len(doc) for doc in docs])
    if not len(ends) or not ends[-1]:
        width = model.get_dim("nO") if model.has_dim("nO") else 0
        return [ops.alloc2f(0, width) for _ in docs], lambda gradients: docs
    reading = read(encoder, docs)
    if not is_train:
        vectors = predict_tokens(encoder, pooling, reading)
        return ops.xp.split(vectors, ends[:-1].tolist()), lambda gradients: docs
    learns = grad_factor > 0 and encoder.shim.learn_rate_factor > 0
    rows, backprop_rows = encode(encoder, reading.sequences, learns)
    shape = rows.shape
    index = ops.asarray1i(cast(Any, reading.tokens.dataXd))
    spelt = Ragged(torch2xp(rows)[index], ops.asarray1i(reading.tokens.lengths))
    vectors, backprop_pooling = pooling(spelt, is_train)

    def backprop(gradients: list[Floats2d]) -> list[Doc]:
        pooled = backprop_pooling(ops.xp.concatenate(gradients))
        if learns:
            summed = ops.alloc2f(*shape)
            ops.scatter_add(summed, index, pooled.dataXd * grad_factor)
            backprop_rows(xp2torch(summed))
        return docs

    return ops.xp.split(vectors, ends[:-1].tolist()), backprop


def predict_tokens(
    encoder: Encoder, pooling: Model[Ragged, Floats2d], reading: Reading
) -> Floats2d:
    """Vectors of tokens, a run of tokens at a time, so that the hidden states of a long
    document are never there all at once."""
    ops = pooling.ops
    index = numpy.asarray(reading.tokens.dataXd)
    lengths = numpy.asarray(reading.tokens.lengths)
    ends = numpy.cumsum([len(s) for s in reading.sequences])
    starts = ends - [len(s) for s in reading.sequences]

    def pool(first: int, own: numpy.ndarray) -> Any:
        wanted = index[first : first + int(own.sum())]
        found = numpy.searchsorted(ends, wanted, side="right")
        windows, which = numpy.unique(found, return_inverse=True)
        sequences = [reading.sequences[window] for window in windows.tolist()]
        rows, _ = encode(encoder, sequences, False)
        shifts = numpy.cumsum([0, *(len(s) for s in sequences[:-1])]) - starts[windows]
        places = ops.asarray1i((wanted + shifts[which]).astype("int32"))
        spelt = Ragged(cast(Any, torch2xp(rows))[places], ops.asarray1i(cast(Any, own)))
        return pooling.predict(spelt)

    most = RUN_BATCHES * encoder.shim.batch_pieces
    out, first = [], 0
    for run in in_groups(lengths.tolist(), int, most):
        n = sum(run)
        if n <= most:
            out.append(pool(first, numpy.asarray(run, dtype="int32")))
        else:
            # One token that is longer than a run: its parts weigh as many pieces as they
            # have, which for their mean makes no difference.
            parts = numpy.full(-(-n // most), most, dtype="int32")
            parts[-1] = n - parts[:-1].sum()
            vectors = [
                pool(first + i * most, parts[i : i + 1]) * int(part)
                for i, part in enumerate(parts)
            ]
            out.append(sum(vectors) / n)
        first += n
    return cast(Floats2d, ops.xp.concatenate(out))


def _full_forward(
    model: Encoder, docs: list[Doc], is_train: bool
) -> tuple[FullTransformerBatch, Callable]:
    """What a `transformer` component and its listeners hand on: all windows padded to
    one length, and which places of them each token is made of."""
    if not any(len(doc) for doc in docs):
        return FullTransformerBatch.empty(len(docs)), lambda gradient: docs
    pieces, bounds, sequences, tokens = read(model, docs)
    learns = is_train and model.shim.learn_rate_factor > 0
    rows, backprop_rows = encode(model, sequences, learns)
    lengths = numpy.asarray([len(s) for s in sequences], dtype="int64")
    mask = numpy.arange(lengths.max()) < lengths[:, None]
    torch_mask = torch.as_tensor(mask, device=rows.device)
    hidden = rows.new_zeros((*mask.shape, rows.shape[1]))
    hidden[torch_mask] = rows
    ids = numpy.full(mask.shape, model.tokenizer.pad_token_id or 0, dtype="int64")
    ids[mask] = numpy.concatenate(sequences)
    places, spelt = numpy.flatnonzero(mask), model.tokenizer.convert_ids_to_tokens
    output = FullTransformerBatch(
        spans=[*map(_spans, docs, pieces, bounds)],
        wordpieces=WordpieceBatch(
            strings=[spelt(s.tolist()) for s in sequences],
            input_ids=cast(Any, ids),
            attention_mask=cast(Any, mask.astype("float32")),
            lengths=lengths.tolist(),
            token_type_ids=None,
        ),
        model_output=BaseModelOutput(last_hidden_state=cast(Any, hidden)),
        align=Ragged(places[tokens.dataXd].astype("int32"), tokens.lengths),
    )

    def backprop(gradient: FullTransformerBatch) -> list[Doc]:
        (padded,) = gradient.model_output.to_tuple()
        if learns:
            backprop_rows(padded[torch_mask.to(padded.device)])
        return docs

    return output, backprop


def _spans(doc: Doc, pieces: Pieces, bounds: list[tuple[int, int]]) -> list[Span]:
    """Tokens that stand in each window, in whole or in part; those without a piece
    belong to the window before them, so that the windows have all tokens."""
    spans = []
    for start, end in bounds:
        first = int(numpy.searchsorted(pieces.end, start, side="right"))
        last = int(numpy.searchsorted(pieces.first, end, side="left"))
        first = min(first, len(doc) - 1)
        spans.append(doc[first : max(last, first + 1)])
    if spans:
        spans[0] = doc[: spans[0].end]
        spans[-1] = doc[spans[-1].start if len(spans) > 1 else 0 :]
    return spans


def _replace_listener(model: Encoder) -> Model:
    return chain(model, split_trf_batch())


def _replace_listener_cfg(model_cfg: dict, listener_cfg: dict) -> dict:
    """Config of a component that got its own copy of a shared encoder."""
    shared = model_cfg["@architectures"] == "spacy_deid.TransformerModel.v1"
    if not shared or "TransformerListener" not in listener_cfg["@architectures"]:
        return dict(model_cfg)
    own = {k: listener_cfg[k] for k in ("pooling", "grad_factor") if k in listener_cfg}
    return {**model_cfg, **own, "@architectures": "spacy_deid.Transformer.v1"}
