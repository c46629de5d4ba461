"""Architecture of `pii_ner`: one softmax over BILUO tags for each token."""

from __future__ import annotations

from spacy.tokens import Doc
from thinc.api import Model, Softmax_v2, chain, with_array
from thinc.types import Floats2d

from ..registries import registry


@registry.architectures("spacy_deid.TokenTagger.v1")
def build_token_tagger(
    tok2vec: Model[list[Doc], list[Floats2d]], nO: int | None = None
) -> Model[list[Doc], list[Floats2d]]:
    """Token vectors and a linear softmax layer.

    tok2vec (Model[List[Doc], List[Floats2d]]): Subnetwork giving one row a token.
    nO (int): Number of tags; set by the component when it is initialized.
    RETURNS (Model[List[Doc], List[Floats2d]]): For each Doc the probabilities of
        the tags, shape (tokens, nO), rows summing to one.
    """
    width = tok2vec.get_dim("nO") if tok2vec.has_dim("nO") else None
    output = Softmax_v2(nO, width)
    model: Model = chain(tok2vec, with_array(output))
    model.set_ref("tok2vec", tok2vec)
    model.set_ref("output_layer", output)
    return model
