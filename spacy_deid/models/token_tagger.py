"""Architectures of `pii_ner`: token vectors and a head over BILUO tags, a softmax for
each token or a conditional random field over the document."""

from __future__ import annotations

from spacy.tokens import Doc
from thinc.api import (
    LSTM,
    Dropout,
    Linear,
    Model,
    Softmax_v2,
    chain,
    with_array,
    with_padded,
)
from thinc.types import Floats2d

from ..registries import registry
from .crf import CRF

Tagger = Model[list[Doc], list[Floats2d]]
Tok2Vec = Model[list[Doc], list[Floats2d]]


@registry.architectures("spacy_deid.TokenTagger.v1")
def build_token_tagger(tok2vec: Tok2Vec, nO: int | None = None) -> Tagger:
    """Token vectors and a linear softmax layer.

    tok2vec (Model[List[Doc], List[Floats2d]]): Subnetwork giving one row a token.
    nO (int): Number of tags; set by the component when it is initialized.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc the probabilities of
        the tags, shape (tokens, nO), rows summing to one.
    """
    output = Softmax_v2(nO, tok2vec.maybe_get_dim("nO"))
    model: Model = chain(tok2vec, with_array(output))
    model.set_ref("tok2vec", tok2vec)
    model.set_ref("output_layer", output)
    return model


@registry.architectures("spacy_deid.CRFTagger.v1")
def build_crf_tagger(tok2vec: Tok2Vec, nO: int | None = None) -> Tagger:
    """Token vectors, a linear layer and a linear-chain conditional random field.

    tok2vec (Model[List[Doc], List[Floats2d]]): Subnetwork giving one row a token.
    nO (int): Number of tags; set by the component when it is initialized.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc the emission scores of
        the tags, shape (tokens, nO), to be read with the node `crf`.
    """
    output = Linear(nO, tok2vec.maybe_get_dim("nO"))
    crf = CRF(nO)
    model: Model = chain(tok2vec, with_array(output), crf)
    model.set_ref("tok2vec", tok2vec)
    model.set_ref("output_layer", output)
    model.set_ref("crf", crf)
    return model


@registry.architectures("spacy_deid.BiLSTM.v1")
def build_bilstm(
    tok2vec: Tok2Vec, hidden: int = 64, depth: int = 1, dropout: float = 0.2
) -> Tok2Vec:
    """Token vectors and a bidirectional LSTM over them (Hochreiter and Schmidhuber 1997;
    paper 5, 4.2), by Thinc's layer, which needs no torch: itself a `tok2vec`.

    tok2vec (Model[List[Doc], List[Floats2d]]): Subnetwork giving one row a token.
    hidden (int): Width of each direction; the output has twice as many columns.
    depth (int): Number of layers.
    dropout (float): Dropout before the layers; spaCy sets it to that of the training.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc shape (tokens, 2 * hidden).
    RAISES (ValueError): For a size that is out of bounds.
    """
    if hidden < 1 or depth < 1:
        problem = f"hidden and depth must be 1 or more, not {hidden} and {depth}"
        raise ValueError(problem)
    lstm = LSTM(2 * hidden, tok2vec.maybe_get_dim("nO"), bi=True, depth=depth)
    model: Model = chain(tok2vec, Dropout(dropout), with_padded(lstm))
    model.set_ref("tok2vec", tok2vec)
    return model


@registry.architectures("spacy_deid.BiLSTMTagger.v1")
def build_bilstm_tagger(
    tok2vec: Tok2Vec,
    hidden: int = 64,
    depth: int = 1,
    dropout: float = 0.2,
    nO: int | None = None,
) -> Tagger:
    """Token vectors, a BiLSTM and a linear softmax layer (paper 5, 4.2).

    tok2vec (Model[List[Doc], List[Floats2d]]): Subnetwork giving one row a token.
    hidden, depth, dropout: See `build_bilstm`.
    nO (int): Number of tags; set by the component when it is initialized.
    RETURNS (Model[List[Doc], List[Floats2d]]): See `build_token_tagger`.
    """
    model = build_token_tagger(build_bilstm(tok2vec, hidden, depth, dropout), nO)
    model.set_ref("tok2vec", tok2vec)
    return model


@registry.architectures("spacy_deid.BiLSTMCRFTagger.v1")
def build_bilstm_crf_tagger(
    tok2vec: Tok2Vec,
    hidden: int = 64,
    depth: int = 1,
    dropout: float = 0.2,
    nO: int | None = None,
) -> Tagger:
    """Token vectors, a BiLSTM and a conditional random field (paper 2, 4.1; Huang et
    al. 2015).

    tok2vec (Model[List[Doc], List[Floats2d]]): Subnetwork giving one row a token.
    hidden, depth, dropout: See `build_bilstm`.
    nO (int): Number of tags; set by the component when it is initialized.
    RETURNS (Model[List[Doc], List[Floats2d]]): See `build_crf_tagger`.
    """
    model = build_crf_tagger(build_bilstm(tok2vec, hidden, depth, dropout), nO)
    model.set_ref("tok2vec", tok2vec)
    return model
