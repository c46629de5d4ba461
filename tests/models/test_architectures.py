import numpy
import pytest
import spacy
from thinc.api import Config, NumpyOps

from spacy_deid.models.ops import BlasOps, one_thread, use_blas
from spacy_deid.models.span_risk import (
    N_COLUMNS,
    WIDE,
    SpanContext,
    embed_features,
    features,
)
from spacy_deid.schema import Candidate

TAGGER = """
[model]
@architectures = "spacy_deid.TokenTagger.v1"
nO = 5

[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 16
depth = 1
embed_size = 50
window_size = 1
maxout_pieces = 2
subword_features = true
"""
RISK = """
[model]
@architectures = "spacy_deid.SpanRisk.v1"
width = 8
rows = 50
hidden = 12
nO = 3
"""


def build(config):
    return spacy.registry.resolve(Config().from_str(config))["model"]


def test_token_tagger_gives_probabilities_for_each_token(nlp):
    model = build(TAGGER)
    docs = [nlp.make_doc("Anna lives in Leeds ."), nlp.make_doc("")]
    model.initialize(X=docs[:1])
    rows = model.predict(docs)
    assert [r.shape for r in rows] == [(5, 5), (0, 5)]
    numpy.testing.assert_allclose(rows[0].sum(axis=1), 1.0, rtol=1e-5)
    assert build(TAGGER).from_bytes(model.to_bytes()).predict(docs)[0] == pytest.approx(
        rows[0]
    )


def test_span_risk_gives_probabilities_for_each_span(nlp):
    model = build(RISK)
    doc = nlp.make_doc("Anna lives in Leeds .")
    context = SpanContext(
        doc, [Candidate(0, 1, "PERSON"), Candidate(3, 4, "LOC")], [0, 1]
    )
    model.initialize(X=[context])
    probs = model.predict([context, SpanContext(doc, [], [])])
    assert probs.shape == (2, 3)
    numpy.testing.assert_allclose(probs.sum(axis=1), 1.0, rtol=1e-5)
    assert model.predict([]).shape == (0, 3)


def test_embeddings_learn_only_the_rows_they_read():
    model = embed_features(4, 10)
    model.initialize()
    rng = numpy.random.default_rng(0)
    keys = rng.integers(0, 2**63, size=(5, N_COLUMNS + 2 * WIDE)).astype("uint64")
    before = model.get_param("E").copy()
    Y, backprop = model(keys, is_train=True)
    assert Y.shape == (5, 4 * (N_COLUMNS + 2)) == (5, model.get_dim("nO"))
    # Numerical gradient of the sum of the outputs for a few rows.
    backprop(numpy.ones_like(Y))
    gradient = model.get_grad("E")
    for row in [*numpy.flatnonzero(gradient.any(axis=1))[:5], 0]:
        changed = before.copy()
        changed[row, 1] += 0.5
        model.set_param("E", changed)
        difference = model.predict(keys).sum() - Y.sum()
        assert difference == pytest.approx(0.5 * gradient[row, 1], abs=1e-3)


def test_span_features_depend_on_span_and_context_not_on_the_string_store(nlp):
    one = nlp.make_doc("The applicant Anna lives in Leeds .")
    other = spacy.blank("xx").make_doc("The applicant Anna lives in Leeds .")
    spans = [Candidate(2, 3, "PERSON"), Candidate(5, 6, "LOC")]
    rows = features([SpanContext(one, spans, [0, 1])])
    assert rows.shape == (2, N_COLUMNS + 2 * WIDE) and rows.dtype == numpy.uint64
    assert (rows[0] != rows[1]).any()
    assert (features([SpanContext(other, spans, [0, 1])]) == rows).all()


@pytest.mark.parametrize("trans1", [False, True])
@pytest.mark.parametrize("trans2", [False, True])
def test_blas_product_equals_thincs(trans1, trans2):
    rng = numpy.random.default_rng(0)
    x = rng.random((7, 7), dtype="f")
    y = rng.random((7, 7), dtype="f")
    expected = NumpyOps().gemm(x, y, trans1=trans1, trans2=trans2)
    out = numpy.zeros((7, 7), dtype="f")
    BlasOps().gemm(x, y, out=out, trans1=trans1, trans2=trans2)
    with one_thread():
        got = BlasOps().gemm(x, y, trans1=trans1, trans2=trans2)
    numpy.testing.assert_allclose(got, expected, rtol=1e-5)
    numpy.testing.assert_allclose(out, expected, rtol=1e-5)


def test_other_backends_keep_their_own_product():
    class OtherOps(NumpyOps):
        pass

    model = build(TAGGER)
    model.ops = OtherOps()
    use_blas(model)
    assert type(model.ops) is OtherOps
    assert {type(node.ops) for node in model.walk()} == {OtherOps, BlasOps}
