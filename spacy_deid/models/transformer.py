"""Encoders of the Hugging Face hub as token encoders, through spacy-transformers."""

from __future__ import annotations

from typing import Any

from spacy.tokens import Doc
from thinc.api import Model
from thinc.types import Floats2d, Ragged

from ..registries import registry
from .span_getters import DocumentSpans, SpanGetter

EXTRA = "pip install spacy-deid[transformers]"


@registry.architectures("spacy_deid.Transformer.v1")
def build_transformer(
    name: str,
    get_spans: SpanGetter | None = None,
    tokenizer_config: dict[str, Any] | None = None,
    transformer_config: dict[str, Any] | None = None,
    pooling: Model[Ragged, Floats2d] | None = None,
    grad_factor: float = 1.0,
    learn_rate_factor: float = 1.0,
    batch_pieces: int = 8192,
    mixed_precision: bool = False,
    grad_scaler_config: dict[str, Any] | None = None,
) -> Model[list[Doc], list[Floats2d]]:
    """Token vectors from a transformer that this component has for itself.

    Documents are cut into word pieces once, whole, and read in windows that never
    exceed what the encoder takes. A token's vector comes from one window.

    name (str): Name of a model of the Hugging Face hub, or path to its folder. Read
        when the pipeline is initialized; a saved pipeline holds the model itself.
    get_spans (Callable): Span getter; `spacy_deid.document_spans.v1` if None.
    tokenizer_config (Dict[str, Any]): Settings for the tokenizer.
    transformer_config (Dict[str, Any]): Settings for the model.
    pooling (Model[Ragged, Floats2d]): How a token's word pieces become one vector;
        their mean if None.
    grad_factor (float): Factor of the gradient that reaches the encoder; 0 leaves it
        as it is, and trains much faster.
    learn_rate_factor (float): The encoder's learning rate as a part of the optimizer's.
        Unlike `grad_factor` it has an effect with Adam, whose steps do not depend on
        the size of gradients.
    batch_pieces (int): Word pieces, padding counted, that go through the encoder at a
        time. In training, too, no more than that is kept: what is beyond is
        calculated once more on the way back.
    mixed_precision (bool): Calculate in half precision where there is a GPU, or a CPU
        that multiplies bfloat16 in hardware.
    grad_scaler_config (Dict[str, Any]): Settings of the gradient scaler for it.
    RETURNS (Model[List[Doc], List[Floats2d]]): One row for each token.
    RAISES (ImportError): Without the extra `transformers`.
    """
    if grad_factor < 0:
        raise ValueError(f"grad_factor must not be negative: {grad_factor}")
    how = (get_spans, tokenizer_config, transformer_config)
    learning = (learn_rate_factor, batch_pieces, mixed_precision, grad_scaler_config)
    settings = (*how, *learning)
    encoder: Any = build_transformer_model(name, *settings)
    from .hf_encoder import token_vectors

    return token_vectors(encoder, pooling, grad_factor)


@registry.architectures("spacy_deid.TransformerModel.v1")
def build_transformer_model(
    name: str,
    get_spans: SpanGetter | None = None,
    tokenizer_config: dict[str, Any] | None = None,
    transformer_config: dict[str, Any] | None = None,
    learn_rate_factor: float = 1.0,
    batch_pieces: int = 8192,
    mixed_precision: bool = False,
    grad_scaler_config: dict[str, Any] | None = None,
) -> Model[list[Doc], Any]:
    """Model of a `transformer` component that several components listen to.

    Reads documents as `spacy_deid.Transformer.v1` does, whose settings these are;
    pooling and the factor of the gradient belong to the listeners.

    RETURNS (Model[List[Doc], FullTransformerBatch]): As `TransformerModel.v3` of
        spacy-transformers, but that nothing is cut.
    RAISES (ImportError): Without the extra `transformers`.
    """
    if learn_rate_factor < 0:
        raise ValueError(f"learn_rate_factor must not be negative: {learn_rate_factor}")
    if batch_pieces < 1:
        raise ValueError(f"batch_pieces must be positive: {batch_pieces}")
    try:
        from .hf_encoder import Encoder
    except ImportError as error:
        missing = (error.name or "spacy_transformers").partition(".")[0]
        problem = f"encoders of the Hugging Face hub need '{missing}': {EXTRA}"
        raise ImportError(problem) from None
    return Encoder(
        name,
        DocumentSpans() if get_spans is None else get_spans,
        dict(tokenizer_config or {}),
        dict(transformer_config or {}),
        mixed_precision=mixed_precision,
        grad_scaler_config=dict(grad_scaler_config or {}),
        learn_rate_factor=learn_rate_factor,
        batch_pieces=batch_pieces,
    )
