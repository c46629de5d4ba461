import re
from pathlib import Path

import numpy
import pytest
import spacy
from thinc.api import Config

from spacy_deid.gazetteers.lexicon import occupations
from spacy_deid.models import span_risk
from spacy_deid.models.span_risk import N_COLUMNS, N_PEOPLE, WIDE, SpanContext
from spacy_deid.models.token_tagger import build_bilstm
from spacy_deid.schema import Candidate

from ..cases import cases
from .learning import TOK2VEC, copies, gold_examples, named, overfit

RISK = named("SpanRisk", width=8, rows=50, hidden=12, nO=3)
RISK_OF_PEOPLE = {**RISK, "@architectures": "spacy_deid.SpanRisk.v2"}


def build(config):
    return spacy.registry.resolve({"model": config})["model"]


def context(doc, *spans):
    return SpanContext(doc, [Candidate(*s) for s in spans], list(range(len(spans))))


def test_span_risk_gives_probabilities_for_each_span_in_its_context(nlp):
    doc = nlp.make_doc("Anna lives in Leeds .")
    found = context(doc, (0, 1, "PERSON"), (3, 4, "LOC"))
    for config in (RISK, RISK_OF_PEOPLE, {**RISK_OF_PEOPLE, "groups": True}):
        model = build(config)
        model.initialize(X=[found])
        probs = model.predict([found, context(doc)])
        assert probs.shape == (2, 3)
        numpy.testing.assert_allclose(probs.sum(axis=1), 1.0, rtol=1e-5)
        assert model.predict([]).shape == (0, 3)
        again = build(config).from_bytes(model.to_bytes())
        assert (again.predict([found]) == probs).all()
    # Features do not depend on the string store.
    text, spans = "The man Anna lives in Leeds .", [(2, 3, "PERSON"), (5, 6, "LOC")]
    pipelines = (nlp, spacy.blank("xx"))
    one, other = (context(made.make_doc(text), *spans) for made in pipelines)
    rows = span_risk.features([one])
    assert rows.shape == (2, N_COLUMNS + 2 * WIDE) and rows.dtype == numpy.uint64
    assert (rows[0] != rows[1]).any() and (span_risk.features([other]) == rows).all()


def of_people(doc, *spans):
    """What the second version sees of whom each span may tell."""
    return build(RISK_OF_PEOPLE).layers[0].predict([context(doc, *spans)])


def test_span_risk_sees_whom_a_span_may_tell_of_and_of_how_many(nlp):
    """The same date beside a person, in another line, without anybody."""
    rows = []
    for begins in ("Anna came on", "Anna came .\n\nThe", "Nobody came on"):
        doc = nlp.make_doc(f"{begins} 6 May .")
        spans = [(0, 1, "PERSON")] if begins.startswith("Anna") else []
        at = next(t.i for t in doc if t.text == "6")
        rows.append(of_people(doc, *spans, (at, at + 2, "DATETIME"))[-1][:N_PEOPLE])
    assert len({tuple(row) for row in rows}) == 3
    # How many persons there are: as many in the first two, none in the third.
    assert rows[0][0] == rows[1][0] != rows[2][0] and rows[0][1] != rows[1][1]
    # Doubtful persons count for what they are.
    doc = nlp.make_doc("Will , Hope and Bill on 6 May .")

    def people(*scores):
        spans = [(2 * i, 2 * i + 1, "PERSON", "", s) for i, s in enumerate(scores)]
        return of_people(doc, *spans, (6, 8, "DATETIME"))[-1]

    nobody, one, two = people(), people(1.0), people(1.0, 0.9)
    assert (people(0.1)[:2] == nobody[:2]).all()
    assert people(0.4, 0.4, 0.4)[0] == one[0] != nobody[0]
    assert people(0.1, 0.8)[:2].tolist() == people(0.0, 0.9)[:2].tolist()
    assert len({row[0] for row in (nobody, one, two)}) == 3
    # How many people have an occupation.
    assert occupations()["actor"] > occupations().get("bell founder", 0)
    common, rare = of_people(nlp("actor bellhanger"), (0, 1, "DEM"), (1, 2, "DEM"))
    assert common[5] != rare[5] and common[3] != rare[3]


def test_embeddings_learn_only_the_rows_they_read():
    model = span_risk.embed_features(4, 10)
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


# Every head of the recognizer, on the same tiny encoder.
HEADS = dict(cases(__file__, "heads"))
BILSTM = named("BiLSTM", hidden=16, tok2vec=TOK2VEC)
GOLD = cases(__file__, "gold")
TEXTS = [text for text, _ in GOLD]
EXPECTED = [[tuple(span) for span in spans] for _, spans in GOLD]


def found_spans(docs):
    return [[(s.start, s.end, s.label_) for s in d.spans["pii_ner"]] for d in docs]


@pytest.fixture(scope="module", params=list(HEADS))
def learnt(request):
    nlp = spacy.blank("en")
    tok2vec = BILSTM if request.param == "bilstm_as_tok2vec" else TOK2VEC
    model = {**HEADS[request.param], "tok2vec": tok2vec}
    nlp.add_pipe("pii_ner", config={"model": model})
    return nlp, overfit(nlp, gold_examples(nlp, GOLD), steps=120, drop=0.1)


def test_every_head_overfits_to_exact_spans_and_comes_back(learnt, tmp_path):
    nlp, losses = learnt
    assert losses[-1] < 0.1 * losses[0]
    docs = [nlp(text) for text in TEXTS]
    assert found_spans(docs) == EXPECTED
    assert all(0.5 < p <= 1.0 for d in docs for p in d.spans["pii_ner"].attrs["scores"])
    assert found_spans(nlp.pipe(TEXTS * 2, n_process=2, batch_size=3)) == EXPECTED * 2
    # Saved before it is initialized, too.
    type(nlp).from_config(nlp.config).to_disk(tmp_path / "empty")
    empty = spacy.load(tmp_path / "empty").from_bytes(nlp.to_bytes())
    docs = [nlp.make_doc(text) for text in TEXTS]
    expected = nlp.get_pipe("pii_ner").tag_probabilities(docs)
    for other in (empty, *copies(nlp, tmp_path / "learnt")):
        for a, b in zip(expected, other.get_pipe("pii_ner").tag_probabilities(docs)):
            numpy.testing.assert_allclose(a, b, atol=1e-6)
            numpy.testing.assert_allclose(a.sum(axis=1), 1.0, atol=1e-4)
        assert found_spans(map(other, TEXTS)) == EXPECTED


def test_every_head_takes_empty_short_and_very_long_documents(learnt):
    nlp, _ = learnt
    for texts in ([], [""], ["", "Leeds"], ["\n\n"], ["a " * 4_000]):
        docs = list(nlp.pipe(texts))
        assert [len(doc) for doc in docs] == [len(nlp.make_doc(text)) for text in texts]
        probabilities = nlp.get_pipe("pii_ner").tag_probabilities(docs)
        assert [len(rows) for rows in probabilities] == [len(doc) for doc in docs]


def test_both_ends_of_a_document_are_known_everywhere(nlp):
    numpy.random.seed(0)
    model = build_bilstm(build(TOK2VEC), hidden=4)
    middle = " ".join(["and"] * 12)
    model.initialize(X=[nlp.make_doc("Mr Bo came to Ulm .")])

    def read(*texts):
        return model.predict([nlp.make_doc(text) for text in texts])

    # Forward columns at the end, far beyond what a convolution sees.
    one, other = read(f"Ulm {middle} .", f"Bo {middle} .")
    assert abs(one[-1, :4] - other[-1, :4]).max() > 0
    one, other = read(f". {middle} Ulm", f". {middle} Bo")
    assert abs(one[0, 4:] - other[0, 4:]).max() > 0
    for name in ("hidden", "depth"):
        with pytest.raises(ValueError, match="must be 1 or more"):
            build_bilstm(build(TOK2VEC), **{name: 0})


PAGES = Path(__file__).parents[2] / "docs" / "architectures"


def blocks_of(page):
    text = (PAGES / f"{page}.md").read_text("utf8")
    blocks = re.findall(r"```ini\n(.*?)```", text, re.S)
    assert blocks
    return map(Config().from_str, blocks)


def test_config_blocks_of_risk_are_complete():
    pytest.importorskip("spacy_transformers", reason="encoders of the hub need torch")
    for page in ("span_encoder", "sequence_labelling"):
        assert all(map(spacy.registry.resolve, blocks_of(page))), page


@pytest.mark.parametrize("page", "tok2vec linear bilstm bilstm_crf embeddings".split())
def test_config_blocks_of_the_documentation_run(page):
    for block in blocks_of(page):
        nlp = spacy.blank("en")
        nlp.vocab.set_vector("Leeds", numpy.ones(4, dtype="f"))
        nlp.add_pipe("pii_ner", config={"model": block["model"]})
        overfit(nlp, gold_examples(nlp, GOLD), steps=1)
        assert "pii_ner" in nlp(TEXTS[0]).spans
