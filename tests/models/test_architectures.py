import pickle
import re
from pathlib import Path

import numpy
import pytest
import spacy
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example
from thinc.api import Config

from spacy_deid.gazetteers.lexicon import occupations
from spacy_deid.models.span_risk import (
    N_COLUMNS,
    N_PEOPLE,
    WIDE,
    SpanContext,
    embed_features,
    features,
)
from spacy_deid.schema import NER_KEY, PII_KEY, Candidate

RISK = """
[model]
@architectures = "spacy_deid.SpanRisk.v1"
width = 8
rows = 50
hidden = 12
nO = 3
"""
RISK_OF_PEOPLE = RISK.replace("spacy_deid.SpanRisk.v1", "spacy_deid.SpanRisk.v2")
RISK_OF_GROUPS = RISK_OF_PEOPLE + "groups = true\n"
RISKS = [RISK, RISK_OF_PEOPLE, RISK_OF_GROUPS]


def build(config):
    return spacy.registry.resolve(Config().from_str(config))["model"]


@pytest.mark.parametrize("config", RISKS)
def test_span_risk_gives_probabilities_for_each_span(nlp, config):
    model = build(config)
    doc = nlp.make_doc("Anna lives in Leeds .")
    context = SpanContext(
        doc, [Candidate(0, 1, "PERSON"), Candidate(3, 4, "LOC")], [0, 1]
    )
    model.initialize(X=[context])
    probs = model.predict([context, SpanContext(doc, [], [])])
    assert probs.shape == (2, 3)
    numpy.testing.assert_allclose(probs.sum(axis=1), 1.0, rtol=1e-5)
    assert model.predict([]).shape == (0, 3)
    again = build(config).from_bytes(model.to_bytes())
    assert (again.predict([context]) == probs).all()


def test_span_risk_sees_whom_a_span_may_tell_of(nlp):
    """The same date beside a person, in another line, without anybody."""
    extract = build(RISK_OF_PEOPLE).layers[0]
    texts = [
        "Anna came on 6 May .",
        "Anna came .\n\nThe 6 May .",
        "Nobody came on 6 May .",
    ]
    rows = []
    for text in texts:
        doc = nlp.make_doc(text)
        spans = [Candidate(0, 1, "PERSON")] if text.startswith("Anna") else []
        at = next(t.i for t in doc if t.text == "6")
        spans.append(Candidate(at, at + 2, "DATETIME"))
        found = extract.predict([SpanContext(doc, spans, list(range(len(spans))))])
        rows.append(found[-1][:N_PEOPLE])
    assert len({tuple(row) for row in rows}) == 3
    # How many persons there are: as many in the first two, none in the third.
    assert rows[0][0] == rows[1][0] != rows[2][0]
    assert rows[0][1] != rows[1][1]


def test_doubtful_persons_count_for_what_they_are(nlp):
    extract = build(RISK_OF_PEOPLE).layers[0]
    doc = nlp.make_doc("Will , Hope and Bill on 6 May .")

    def people(*scores):
        spans = [
            Candidate(2 * i, 2 * i + 1, "PERSON", "", s) for i, s in enumerate(scores)
        ]
        spans.append(Candidate(6, 8, "DATETIME"))
        return extract.predict([SpanContext(doc, spans, list(range(len(spans))))])[-1]

    nobody, one, two = people(), people(1.0), people(1.0, 0.9)
    assert (people(0.1)[:2] == nobody[:2]).all()
    assert people(0.4, 0.4, 0.4)[0] == one[0] != nobody[0]
    assert people(0.1, 0.8)[:2].tolist() == people(0.0, 0.9)[:2].tolist()
    assert len({row[0] for row in (nobody, one, two)}) == 3


def test_span_risk_sees_how_many_people_have_an_occupation(nlp):
    assert occupations()["actor"] > occupations().get("bell founder", 0)
    extract = build(RISK_OF_PEOPLE).layers[0]
    doc = nlp.make_doc("actor bellhanger")
    spans = [Candidate(0, 1, "DEM"), Candidate(1, 2, "DEM")]
    common, rare = extract.predict([SpanContext(doc, spans, [0, 1])])
    assert common[5] != rare[5] and common[3] != rare[3]


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


# Every head of the recognizer, on the same tiny encoder.

TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 24,
    "depth": 1, "embed_size": 200, "window_size": 1, "maxout_pieces": 2,
    "subword_features": True,
}  # fmt: skip
HEADS = {
    "linear": {"@architectures": "spacy_deid.TokenTagger.v1"},
    "crf": {"@architectures": "spacy_deid.CRFTagger.v1"},
    "bilstm": {"@architectures": "spacy_deid.BiLSTMTagger.v1", "hidden": 16},
    "bilstm_crf": {"@architectures": "spacy_deid.BiLSTMCRFTagger.v1", "hidden": 16},
    "bilstm_2": {
        "@architectures": "spacy_deid.BiLSTMCRFTagger.v1",
        "hidden": 16,
        "depth": 2,
    },
    "bilstm_as_tok2vec": {"@architectures": "spacy_deid.TokenTagger.v1"},
}
GOLD = [
    ("Mr Robert Murray lives in Leeds .", [(0, 3, "PERSON"), (5, 6, "LOC")]),
    ("Yesterday Anna Kowalska moved to Gdynia .", [(1, 3, "PERSON"), (5, 6, "LOC")]),
    ("Leeds is wet .", [(0, 1, "LOC")]),
    ("It rains .", []),
    ("On 6 May 2001 Anna Kowalska Mr Robert Murray met .",
     [(1, 4, "DATETIME"), (4, 6, "PERSON"), (6, 9, "PERSON")]),
]  # fmt: skip


def head_config(head):
    tok2vec = dict(TOK2VEC)
    if head == "bilstm_as_tok2vec":
        tok2vec = {
            "@architectures": "spacy_deid.BiLSTM.v1",
            "hidden": 16,
            "tok2vec": tok2vec,
        }
    return {**HEADS[head], "tok2vec": tok2vec}


def gold_examples(nlp):
    examples = []
    for text, spans in GOLD:
        doc = Doc(nlp.vocab, words=text.split())
        group = [Span(doc, s, e, label=label) for s, e, label in spans]
        doc.spans[PII_KEY] = SpanGroup(doc, spans=group)
        examples.append(Example(nlp.make_doc(doc.text), doc))
    return examples


def train_head(model, steps=120):
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_ner", config={"model": model})
    examples = gold_examples(nlp)
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.01
    losses = []
    for _ in range(steps):
        loss = {}
        nlp.update(examples, sgd=optimizer, losses=loss, drop=0.1)
        losses.append(loss["pii_ner"])
    return nlp, losses


def found_spans(doc):
    return [(s.start, s.end, s.label_) for s in doc.spans[NER_KEY]]


@pytest.fixture(scope="module", params=list(HEADS))
def learnt(request):
    return train_head(head_config(request.param))


def test_every_head_overfits_to_exact_spans(learnt):
    nlp, losses = learnt
    assert losses[-1] < 0.1 * losses[0]
    for text, spans in GOLD:
        doc = nlp(text)
        assert found_spans(doc) == spans
        assert all(0.5 < p <= 1.0 for p in doc.spans[NER_KEY].attrs["scores"])


def test_every_head_round_trips(learnt, tmp_path):
    nlp, _ = learnt
    # Saved before it is initialized, too.
    type(nlp).from_config(nlp.config).to_disk(tmp_path / "empty")
    nlp.to_disk(tmp_path / "learnt")
    others = [
        spacy.load(tmp_path / "empty").from_bytes(nlp.to_bytes()),
        pickle.loads(pickle.dumps(spacy.load(tmp_path / "learnt"))),
    ]
    docs = [nlp.make_doc(text) for text, _ in GOLD]
    expected = nlp.get_pipe("pii_ner").tag_probabilities(docs)
    for other in others:
        for a, b in zip(expected, other.get_pipe("pii_ner").tag_probabilities(docs)):
            numpy.testing.assert_allclose(a, b, atol=1e-6)
            numpy.testing.assert_allclose(a.sum(axis=1), 1.0, atol=1e-4)
        for text, spans in GOLD:
            assert found_spans(other(text)) == spans


def test_every_head_runs_in_several_processes(learnt):
    nlp, _ = learnt
    texts = [text for text, _ in GOLD] * 2
    docs = nlp.pipe(texts, n_process=2, batch_size=3)
    assert [found_spans(doc) for doc in docs] == [spans for _, spans in GOLD] * 2


def test_every_head_takes_empty_short_and_very_long_documents(learnt):
    nlp, _ = learnt
    for texts in ([], [""], ["", "Leeds"], ["\n\n"], ["a " * 4_000]):
        docs = list(nlp.pipe(texts))
        assert [len(doc) for doc in docs] == [len(nlp.make_doc(text)) for text in texts]
        probabilities = nlp.get_pipe("pii_ner").tag_probabilities(docs)
        assert [len(rows) for rows in probabilities] == [len(doc) for doc in docs]


PAGES = Path(__file__).parents[2] / "docs" / "architectures"
BLOCKS = [
    pytest.param(block, id=f"{name}-{i}")
    for name in ("tok2vec", "linear", "bilstm", "bilstm_crf", "embeddings")
    for i, block in enumerate(
        re.findall(r"```ini\n(.*?)```", (PAGES / f"{name}.md").read_text("utf8"), re.S)
    )
]


@pytest.mark.parametrize("block", BLOCKS)
def test_config_blocks_of_the_documentation_run(block):
    nlp = spacy.blank("en")
    nlp.vocab.set_vector("Leeds", numpy.ones(4, dtype="f"))
    model = Config().from_str(block)["model"]
    nlp.add_pipe("pii_ner", config={"model": model})
    examples = gold_examples(nlp)
    optimizer = nlp.initialize(lambda: examples)
    nlp.update(examples, sgd=optimizer)
    assert nlp(GOLD[0][0]).has_extension("pii")


def test_every_page_has_a_config_that_runs():
    assert {str(block.id).partition("-")[0] for block in BLOCKS} == {
        "tok2vec", "linear", "bilstm", "bilstm_crf", "embeddings",
    }  # fmt: skip
