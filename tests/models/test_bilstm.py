import numpy
import pytest
import spacy
from spacy.util import registry

from spacy_deid.models.token_tagger import build_bilstm

NLP = spacy.blank("en")
TEXTS = ["Mr Bo came to Ulm .", "", "Yes", "She wrote to him again and again ."]


def docs(texts=TEXTS):
    return [NLP.make_doc(text) for text in texts]


def tok2vec():
    build = registry.get("architectures", "spacy.HashEmbedCNN.v2")
    return build(
        pretrained_vectors=None, width=8, depth=1, embed_size=50, window_size=1,
        maxout_pieces=2, subword_features=True,
    )  # fmt: skip


def make(**settings):
    numpy.random.seed(0)
    model = build_bilstm(tok2vec(), hidden=4, **settings)
    model.initialize(X=docs())
    return model


def test_both_ends_of_a_document_are_known_everywhere():
    model = make()
    middle = " ".join(["and"] * 12)
    one, other = model.predict(docs([f"Ulm {middle} .", f"Bo {middle} ."]))
    # Forward columns at the end, far beyond what a convolution sees.
    assert abs(one[-1, :4] - other[-1, :4]).max() > 0
    one, other = model.predict(docs([f". {middle} Ulm", f". {middle} Bo"]))
    assert abs(one[0, 4:] - other[0, 4:]).max() > 0


def test_bad_settings_are_one_clear_error():
    for settings in ({"hidden": 0}, {"depth": 0}):
        with pytest.raises(ValueError, match="must be 1 or more"):
            build_bilstm(tok2vec(), **settings)
