import pickle

import numpy
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.util import registry
from thinc.api import Maxout

from spacy_deid.models import ops


def test_words_embedded_once_give_what_each_by_itself_gives():
    nlp = spacy.blank("en")
    texts = ("Rob and Ann and Rob met Ann.", "", "Ann", "12/3 <a@b.org> \n Rob rob ROB")
    docs = list(nlp.pipe(texts))
    config = {"@architectures": "spacy.HashEmbedCNN.v2", "width": 8, "depth": 2}
    config.update(embed_size=50, window_size=1, maxout_pieces=3, subword_features=True)
    model = registry.resolve({"m": {**config, "pretrained_vectors": None}})["m"]
    model.initialize(X=docs)
    each, once = model.predict(docs), None
    read = []
    embed = next(node for node in model.walk() if node.name == "hashembed")
    plain = embed._func
    embed._func = lambda m, X, is_train: (read.append(len(X)), plain(m, X, is_train))[1]
    ops.embed_words_once(model)
    once = model.predict(docs)
    for a, b in zip(each, once, strict=True):
        numpy.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
    assert read[0] == len({token.orth for doc in docs for token in doc})
    assert [len(x) for x in model.predict([docs[1]])] == [0]
    # Training reads every word, and its gradients reach the embeddings.
    scores, backprop = model.begin_update(docs)
    backprop([numpy.ones_like(row) for row in scores])
    assert read[-1] == sum(map(len, docs)) and embed.has_grad("E")


@settings(deadline=None, max_examples=30)
@given(n=st.integers(1, 40), width=st.integers(1, 9), pieces=st.integers(1, 4))
def test_a_normed_maxout_computes_what_its_layers_do(n, width, pieces):
    rng = numpy.random.default_rng(width)
    model = Maxout(width, 5, pieces, normalize=True)
    model.initialize()
    for node in model.walk():
        for name in node.param_names:
            shape = node.get_param(name).shape
            node.set_param(name, rng.normal(size=shape).astype("f"))
    X = rng.normal(size=(n, 5)).astype("f")
    plain = model.predict(X)
    copy = model.copy()
    ops.use_blas(copy)
    fast = copy.predict(X)
    assert fast.shape == (n, width) and fast.dtype == plain.dtype
    # Of one value nothing but the shift is left: what is normed is noise.
    if width > 1:
        numpy.testing.assert_allclose(fast, plain, rtol=1e-3, atol=1e-3)
    assert (pickle.loads(pickle.dumps(copy)).predict(X) == fast).all()
    # Training computes, and learns, as before.
    Y, backprop = copy.begin_update(X)
    before, back = model.begin_update(X)
    numpy.testing.assert_allclose(Y, before, rtol=1e-4, atol=1e-4)
    numpy.testing.assert_allclose(backprop(Y), back(before), rtol=1e-3, atol=1e-3)
