import numpy
import pytest
import spacy
from spacy.util import registry
from thinc.api import Adam

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


def test_learns_what_stands_far_before():
    """Tells at the last token what the first one was."""
    model = make(dropout=0.0)
    batch = docs([f"{word} and and ." for word in ("Ulm", "Bo")])
    optimizer = Adam(0.02)
    losses = []
    # Hash tables depend on what models were made before.
    for _ in range(300):
        rows, backprop = model(batch, is_train=True)
        gradients = [model.ops.alloc2f(*r.shape) for r in rows]
        loss = 0.0
        for gradient, row, target in zip(gradients, rows, (0.5, -0.5)):
            gradient[-1, 0] = row[-1, 0] - target
            loss += float(gradient[-1, 0] ** 2)
        losses.append(loss)
        backprop(gradients)
        model.finish_update(optimizer)
    assert losses[-1] < 0.01 < losses[0]


def test_bad_settings_are_one_clear_error():
    for settings in ({"hidden": 0}, {"depth": 0}):
        with pytest.raises(ValueError, match="must be 1 or more"):
            build_bilstm(tok2vec(), **settings)
