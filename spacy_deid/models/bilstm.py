"""A bidirectional LSTM over token vectors (Hochreiter and Schmidhuber 1997), by Thinc's
layer, which needs no torch."""

from __future__ import annotations

from spacy.tokens import Doc
from thinc.api import LSTM, Dropout, Model, chain, with_padded
from thinc.types import Floats2d

from ..registries import registry


@registry.architectures("spacy_deid.BiLSTM.v1")
def build_bilstm(
    tok2vec: Model[list[Doc], list[Floats2d]],
    hidden: int = 64,
    depth: int = 1,
    dropout: float = 0.2,
) -> Model[list[Doc], list[Floats2d]]:
    """Token vectors and a BiLSTM over them (paper 5, 4.2): itself a `tok2vec`.

    tok2vec (Model[List[Doc], List[Floats2d]]): Subnetwork giving one row a token.
    hidden (int): Width of each direction; the output has twice as many columns.
    depth (int): Number of layers.
    dropout (float): Dropout before the layers; spaCy sets it to that of the training.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc shape (tokens, 2 * hidden).
    RAISES (ValueError): For a size that is out of bounds.
    """
    if hidden < 1 or depth < 1:
        raise ValueError(
            f"hidden and depth must be 1 or more, not {hidden} and {depth}"
        )
    width = tok2vec.get_dim("nO") if tok2vec.has_dim("nO") else None
    lstm = LSTM(2 * hidden, width, bi=True, depth=depth)
    model: Model = chain(tok2vec, Dropout(dropout), with_padded(lstm))
    model.set_ref("tok2vec", tok2vec)
    return model
