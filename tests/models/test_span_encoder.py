import numpy
import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Model

from spacy_deid.models import span_encoder
from spacy_deid.models.span_risk import SpanContext
from spacy_deid.schema import MASK_KEY, Candidate

from ..cases import cases
from .learning import TOK2VEC, copies, judged, named, overfit

BY_TEXT, BY_CONTEXT = cases(__file__, "by text"), cases(__file__, "by context")
TOK2VEC_16 = {**TOK2VEC, "width": 16, "depth": 2}
MODEL = named("SpanEncoderRisk", tok2vec=TOK2VEC_16, width=4, rows=0)
MODEL |= {"hidden": 16, "dropout": 0.0}


def train(data, **settings):
    nlp = spacy.blank("en")
    nlp.add_pipe("risk_scorer", config={"model": {**MODEL, **settings}})
    pairs = ((judged(nlp, *row, gold=False), judged(nlp, *row)) for row in data)
    return nlp, overfit(nlp, [Example(*pair) for pair in pairs])[-1]


def decide(nlp, data, **settings):
    return [*nlp.pipe((judged(nlp, *row, gold=False) for row in data), **settings)]


def right(nlp, data):
    found = [s.label_ for doc in decide(nlp, data) for s in doc.spans[MASK_KEY]]
    wanted = [decision for _, spans in data for *_, decision in spans]
    return numpy.mean([a == b for a, b in zip(found, wanted, strict=True)])


@pytest.mark.parametrize("name, by, settings", cases(__file__, "variants"))
def test_every_variant_learns_what_it_reads(name, by, settings, tmp_path):
    data = cases(__file__, by)
    nlp, loss = train(data, **settings)
    assert loss < 1.0 and right(nlp, data) == 1.0
    if name != "text":
        return
    expected = [doc.spans[MASK_KEY].attrs["risk"] for doc in decide(nlp, data)]
    others = [(made, {}) for made in copies(nlp, tmp_path)]
    for other, way in [*others, (nlp, {"n_process": 2})]:
        found = [d.spans[MASK_KEY].attrs["risk"] for d in decide(other, data, **way)]
        assert found == expected
    assert b"Murray" not in (tmp_path / "risk_scorer" / "model").read_bytes()


def by_hand():
    """A layer that gives each token its place in its document, and ten times that."""

    def forward(model, docs, is_train):
        rows = [[[i, 10 * i] for i in range(len(doc))] for doc in docs]
        seen.append(docs)
        Y = [numpy.asarray(r, dtype="f").reshape((-1, 2)) for r in rows]
        return Y, lambda dY: gradients.append(dY) or []

    seen, gradients = [], []
    return Model("by_hand", forward, dims={"nO": 2}), seen, gradients


def test_pooling_and_gradients_by_hand(nlp):
    inner, seen, gradients = by_hand()
    layer = span_encoder.span_encoding(inner, "context", ("mean", "max"))
    layer.initialize()
    assert layer.get_dim("nO") == 4
    doc, other = nlp.make_doc("a b c d"), nlp.make_doc("e f")
    spans = [Candidate(1, 4, "LOC"), Candidate(2, 3, "LOC")]
    contexts = [
        SpanContext(doc, spans, [0, 1]),
        SpanContext(other, [], []),
        # The same document once more, with other spans.
        SpanContext(doc, [Candidate(0, 2, "ORG")], [0]),
    ]
    Y, backprop = layer(contexts, True)
    numpy.testing.assert_allclose(Y, [[2, 20, 3, 30], [2, 20, 2, 20], [0.5, 5, 1, 10]])
    assert seen == [[doc, other]]
    dY = numpy.zeros((3, 4), dtype="f")
    dY[0] = [3, 0, 1, 0]
    dY[2, 1] = 4
    assert backprop(dY) == []
    ((mine, theirs),) = gradients
    # Mean: a third each; maximum: the last.
    numpy.testing.assert_allclose(mine, [[0, 2], [1, 2], [1, 0], [2, 0]], atol=1e-5)
    assert theirs.shape == (2, 2) and not theirs.any()
    numpy.testing.assert_allclose(layer.predict(contexts), Y)
    assert layer.predict([]).shape == (0, 4)
    # Equal words are read once.
    inner, seen, _ = by_hand()
    layer = span_encoder.span_encoding(inner, "text", ("mean",))
    layer.initialize()
    doc = nlp.make_doc("Anna met Anna Smith and Anna")
    spans = [(0, 1), (2, 3), (2, 4), (5, 6)]
    context = SpanContext(doc, [Candidate(*s, "PERSON") for s in spans], range(4))
    layer(([context, context]), True)
    assert [d.text.strip() for d in seen[-1]] == ["Anna", "Anna Smith"]


class LanguageModel:
    def __init__(self):
        self.calls = []

    def log_probabilities(self, queries):
        self.calls.append(list(queries))
        return [-numpy.arange(1.0, 1 + q.end - q.start) for q in queries]


def test_numbers_of_words_and_subwords_and_probabilities(nlp):
    doc = Doc(nlp.vocab, words=["No", "36244/06", "\n", "of", "Leeds"])
    spans = [Candidate(1, 2, "CODE"), Candidate(1, 5, "LOC"), Candidate(4, 5, "LOC")]
    contexts = [SpanContext(doc, spans, [0, 1, 2])] * 2
    plain = span_encoder.span_knowledge(4, 0, None, None)
    plain.initialize(X=contexts)
    rows = plain.predict(contexts)
    assert rows.shape == (6, 6)
    # One word of three runs; three words of five, white space aside.
    counts = numpy.expm1(rows[:3, 4:])
    numpy.testing.assert_allclose(counts, [[1, 3], [3, 5], [1, 1]], rtol=1e-5)
    # Equal types have equal embeddings.
    assert (rows[1, :4] == rows[2, :4]).all() and (rows[0, :4] != rows[1, :4]).any()

    model = LanguageModel()
    known = span_encoder.span_knowledge(4, 0, None, model)
    known.initialize(X=contexts)
    rows = known.predict(contexts)
    assert rows.shape == (6, 11)
    # Each stretch is asked for once, though two views of the document have it.
    assert [len(queries) for queries in model.calls] == [3]
    # "Leeds": -1 .. -5.
    back = -numpy.expm1(-rows[2, 6:])
    numpy.testing.assert_allclose(back, [-5, -1, -3, -3, -15], rtol=1e-5)
    assert numpy.expm1(rows[2, 5]) == pytest.approx(5)  # its subwords
    assert span_encoder.aggregate(numpy.zeros(0)) == (0.0,) * 5


def test_a_language_model_helps_where_the_text_alone_does_not(tmp_path):
    class Surprise(LanguageModel):
        def log_probabilities(self, queries):
            return [numpy.array([-20.0 if "born" in q.text else -0.1]) for q in queries]

    spacy.registry.deid_language_models.register("test_surprise.v1", func=Surprise)
    language_model = {"@deid_language_models": "test_surprise.v1"}
    nlp, _ = train(BY_CONTEXT, reads="text", language_model=language_model)
    assert right(nlp, BY_CONTEXT) == 1.0
    nlp.to_disk(tmp_path)
    other = spacy.load(tmp_path)
    assert right(other, BY_CONTEXT) == 1.0
    # Copies share it: it is not trained.
    node = next(n for n in other.get_pipe("risk_scorer").model.walk() if n.shims)
    assert isinstance(node.shims[0], span_encoder.LanguageModelShim)
    assert node.copy().shims[0]._model is node.shims[0]._model
    nlp, _ = train(BY_CONTEXT, reads="text")
    # Each text is masked in one of two places.
    assert right(nlp, BY_CONTEXT) == 0.5
    # Equal spans get equal rows.
    docs = [judged(nlp, *row, gold=False) for row in BY_CONTEXT]
    rows = nlp.get_pipe("risk_scorer").predict(docs)
    numpy.testing.assert_allclose(rows[0], rows[1], atol=1e-6)


def test_settings_that_make_no_sense_and_models_that_are_not_initialized(nlp):
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 16}
    made = spacy.registry.resolve({"own": TOK2VEC, "shared": listener})
    for name, settings, message in cases(__file__, "settings"):
        with pytest.raises(ValueError, match=message):
            span_encoder.build_span_encoder_risk(made[name], **settings)
    # Before it is initialized it can be saved.
    nlp.add_pipe("risk_scorer", config={"model": MODEL})
    other = spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())
    with pytest.raises(ValueError, match="not initialized"):
        other.get_pipe("risk_scorer")(judged(other, *BY_TEXT[0], gold=False))


def test_a_transformer_counts_subwords_and_reads_all_of_a_long_document(encoders, nlp):
    make = spacy.registry.architectures.get("spacy_deid.Transformer.v1")
    # Far more pieces than the 32 that fit.
    doc = Doc(nlp.vocab, words=["born", "in", "leeds", "."] * 20)
    spans = [Candidate(2, 3, "LOC"), Candidate(78, 79, "LOC"), Candidate(77, 80, "LOC")]
    contexts = [SpanContext(doc, spans, [0, 1, 2])]
    for reads in ("context", "text"):
        bert = make(encoders("bert"))
        model = span_encoder.build_span_encoder_risk(bert, reads, rows=0, nO=3)
        model.initialize(X=contexts)
        numpy.testing.assert_allclose(model.predict(contexts).sum(axis=1), 1, rtol=1e-5)
        numbers = next(n for n in model.walk() if n.name == "span_numbers")
        found = numpy.expm1(numbers.predict(contexts))
        # "leeds" has three pieces.
        numpy.testing.assert_allclose(found, [[1, 3], [1, 3], [3, 5]], rtol=1e-5)
