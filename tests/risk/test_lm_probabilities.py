import logging
import pickle
import re

import numpy
import pytest
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_deid.models.masked_lm import Query
from spacy_deid.models.pieces import cut_text
from spacy_deid.registries import registry
from spacy_deid.risk.classifiers import AutoGluonClassifier, LogisticClassifier, Table
from spacy_deid.risk.gold import read_context
from spacy_deid.risk.lm_probabilities import FEATURES, LMProbabilities, nats, to_table
from spacy_deid.schema import NO_MASK, QUASI

from ..cases import cases
from ..models.learning import copies, make_doc

TEXTS, SPANS = zip(*cases(__file__, "texts"))


def table(rows, types):
    return Table(("one", "two"), numpy.asarray(rows, dtype="float64"), types)


def random_table(n=300, seed=0):
    rng = numpy.random.default_rng(seed)
    numbers = rng.normal(size=(n, 2)) * (1.0, 20.0) + (0.0, 50.0)
    return table(numbers, rng.choice(["PERSON", "LOC"], n).tolist())


def test_features_by_hand():
    logs = [numpy.array([-4.0, -1.0, -2.5, -0.5]), numpy.array([-3.0])]
    made = to_table(logs, ["CODE", "LOC"])
    assert made.names == FEATURES == ("min", "max", "median", "mean", "sum")
    assert made.numbers.tolist() == [[-4.0, -0.5, -1.75, -2.0, -8.0], [-3.0] * 5]
    assert made.types == ["CODE", "LOC"] and to_table([], []).numbers.shape == (0, 5)


def test_logistic_regression_is_that_of_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model")
    made = random_table()
    rng = numpy.random.default_rng(1)
    odds = numpy.exp(2 * made.numbers[:, 0] + (numpy.array(made.types) == "LOC"))
    masked = rng.binomial(3, odds / (1 + odds)) / 3
    config = {"@deid_classifiers": "spacy_deid.logistic_regression.v1", "C": 0.3}
    classifier = registry.resolve({"c": config})["c"]
    classifier.fit(made, masked)
    # Three annotators, a third of a row each.
    scaled = (made.numbers - made.numbers.mean(0)) / made.numbers.std(0)
    X = numpy.hstack([scaled, [[t == "LOC", t == "PERSON"] for t in made.types]])
    hits = numpy.round(masked * 3).astype(int)
    answers = numpy.concatenate([[1] * k + [0] * (3 - k) for k in hits])
    model = linear.LogisticRegression(C=0.3, max_iter=1000)
    model.fit(numpy.repeat(X, 3, axis=0), answers, sample_weight=[1 / 3] * len(answers))
    wanted = model.predict_proba(X)[:, 1]
    numpy.testing.assert_allclose(classifier.predict(made), wanted, atol=1e-3)
    # A type that was never seen has neither column.
    other = classifier.predict(made._replace(types=["CODE"] * len(made.types)))
    score = scaled @ model.coef_[0, :2] + model.intercept_
    numpy.testing.assert_allclose(other, 1 / (1 + numpy.exp(-score)), atol=1e-3)


@pytest.mark.parametrize("make", [LogisticClassifier, AutoGluonClassifier])
def test_classifier_says_what_is_wrong(make):
    classifier = make()
    assert classifier.to_bytes() == b""
    with pytest.raises(ValueError, match="never fitted"):
        classifier.predict(random_table(3))
    with pytest.raises(ValueError, match="no spans"):
        classifier.fit(table(numpy.zeros((0, 2)), []), numpy.zeros(0))
    with pytest.raises(ValueError, match="do not fit a table"):
        classifier.fit(random_table(3), numpy.zeros(2))


def test_autogluon_learns_what_is_not_linear_and_comes_back():
    reason = "AutoGluon is not installed (the extra `automl`)"
    pytest.importorskip("autogluon.tabular", reason=reason)
    made = random_table(400)
    masked = ((made.numbers[:, 0] > 0) == (made.numbers[:, 1] > 50)).astype(float)
    masked[::10] = 0.5
    config = {
        "@deid_classifiers": "spacy_deid.autogluon.v1", "time_limit": 60,
        "options": {"num_cpus": 1, "hyperparameters": {"RF": {}, "GBM": {}}},
    }  # fmt: skip
    classifier = registry.resolve({"c": config})["c"]
    classifier.fit(made, masked)
    found = classifier.predict(made)
    sure = masked != 0.5
    assert ((found > 0.5) == (masked > 0.5))[sure].mean() > 0.9
    linear = LogisticClassifier()
    linear.fit(made, masked)
    assert ((linear.predict(made) > 0.5) == (masked > 0.5))[sure].mean() < 0.7
    copy = AutoGluonClassifier().from_bytes(classifier.to_bytes())
    for other in (pickle.loads(pickle.dumps(classifier)), copy):
        numpy.testing.assert_allclose(other.predict(made), found)
    assert other.predict(table(numpy.zeros((0, 2)), [])).shape == (0,)


def example(nlp, text, spans, *annotators):
    groups = {}
    for i, masked in enumerate(annotators):
        rows = [(a, b, QUASI if m else NO_MASK) for (a, b, _), m in zip(spans, masked)]
        groups[f"mask:{i}"] = rows
    return Example(nlp.make_doc(text), make_doc(nlp, text, pii=spans, **groups))


def pipeline(tiny_bert):
    lm = {"@deid_language_models": "spacy_deid.masked_lm.v1", "name": tiny_bert}
    classifier = {"@deid_classifiers": "spacy_deid.logistic_regression.v1", "C": 1e4}
    indicator = {"@deid_indicators": "spacy_deid.lm_probabilities.v1"}
    indicator |= {"language_model": {**lm, "window": 48}, "classifier": classifier}
    combine = {"@deid_combinations": "spacy_deid.any.v1", "among": ["lm"]}
    nlp = spacy.blank("en")
    config = {"indicators": {"lm": indicator}, "combine": combine}
    nlp.add_pipe("risk_scorer", config=config)
    return nlp


def indicator_of(nlp):
    return nlp.get_pipe("risk_scorer").indicators["lm"]


@pytest.fixture(scope="module")
def trained(tiny_bert):
    """A pipeline that masks what is less probable than half of the training spans, and
    the sums of the log-probabilities by which it was annotated."""
    pytest.importorskip("sklearn")
    nlp = pipeline(tiny_bert)
    lm = indicator_of(nlp).language_model
    sums = []
    for text, spans in zip(TEXTS, SPANS):
        doc = make_doc(nlp, text, pii=spans)
        queries = [Query(text, s.start_char, s.end_char) for s in doc.spans["pii"]]
        sums.append([logs.sum() for logs in lm.log_probabilities(queries)])
    limit = numpy.median([s for own in sums for s in own])
    golds = [[s < limit for s in own] for own in sums]
    rows = zip(TEXTS, SPANS, golds)
    examples = [example(nlp, text, spans, gold, gold) for text, spans, gold in rows]
    nlp.initialize(lambda: examples)
    return nlp, sums, golds


def test_learns_what_is_not_predictable_and_comes_back(trained, tmp_path):
    nlp, _, golds = trained
    for made in (nlp, *copies(nlp, tmp_path)):
        docs = [make_doc(made, t, pii=s) for t, s in zip(TEXTS, SPANS)]
        done = [doc.spans["mask"] for doc in map(made.get_pipe("risk_scorer"), docs)]
        assert [[s.label_ != NO_MASK for s in group] for group in done] == golds
    # What was fitted is saved, and neither weights nor texts.
    size = sum(p.stat().st_size for p in tmp_path.rglob("*") if p.is_file())
    saved = (tmp_path / "risk_scorer" / "indicators" / "lm").read_bytes()
    assert len(saved) < 1500 and size < 5_000_000
    assert not any(w.encode() in saved for w in ("anna", "murray", "zzyx"))


def test_reason_is_plain_and_holds_no_text(trained):
    nlp, sums, _ = trained
    lm = indicator_of(nlp).language_model
    doc = nlp.get_pipe("risk_scorer")(make_doc(nlp, TEXTS[1], pii=SPANS[1]))
    reasons = doc.spans["mask"].attrs["reasons"]
    assert len(reasons) == 5
    for span, total, reason in zip(doc.spans["mask"], sums[1], reasons):
        n = len(cut_text(span.text, lm.loaded.tokenizer).ids)
        found = re.search(
            r"((?:not )?predictable) from its context: (−?[\d.]+ nats) for its "
            r"(\d+) word pieces?; probability of a mask (\d\.\d\d) for type [A-Z]+, "
            r"(at least|below) 0\.5",
            reason,
        )
        assert found, reason
        assert found.group(2) == nats(total) and int(found.group(3)) == n
        assert (found.group(5) == "at least") is (span.label_ != NO_MASK)
        assert span._.risk_votes["lm"] is (span.label_ != NO_MASK)
        assert not any(t.text in reason.split() for t in span if len(t) > 2)
    kinds = {r.split()[0] for r in reasons if r.startswith(("not", "pred"))}
    assert kinds <= {"not", "predictable"}


def test_annotators_who_disagree(tiny_bert):
    pytest.importorskip("sklearn")
    nlp, spans = pipeline(tiny_bert), SPANS[0]
    # One of four masks the first span, nobody any other.
    made = example(nlp, TEXTS[0], spans, [True, *[False] * 3], *[[False] * 4] * 3)
    nlp.initialize(lambda: [made])
    doc = nlp.get_pipe("risk_scorer")(make_doc(nlp, TEXTS[0], pii=spans))
    reasons = "\n".join(doc.spans["mask"].attrs["reasons"])
    found = [*map(float, re.findall(r"probability of a mask (\d\.\d\d)", reasons))]
    assert found[0] == pytest.approx(0.25, abs=0.03) and max(found[1:]) < 0.03


def test_span_without_word_piece_abstains(trained):
    nlp, _, _ = trained
    doc = Doc(nlp.vocab, words=["anna", "\n", "smith"])
    doc.spans["pii"] = [Span(doc, 1, 2, "PERSON"), Span(doc, 2, 3, "PERSON")]
    votes = indicator_of(nlp)(read_context(doc))
    assert votes[0].abstains and votes[0].reason == "no vote, it has no word piece"
    assert not votes[1].abstains
    assert indicator_of(nlp)(read_context(make_doc(nlp, "", pii=[]))) == []


def test_sample_of_the_spans_is_said(tiny_bert, caplog):
    pytest.importorskip("sklearn")
    nlp = pipeline(tiny_bert)
    made = [example(nlp, t, s, [0, 1] * 3) for t, s in zip(TEXTS, SPANS)]
    settings = {"indicators": {"lm": {"max_spans": 6}}}
    nlp.config["initialize"]["components"]["risk_scorer"] = settings
    lm = indicator_of(nlp).language_model
    with caplog.at_level(logging.INFO, "spacy"):
        nlp.initialize(lambda: made)
    assert "fitted on 6 of 14" in caplog.text and lm.sequences == 6


def test_never_fitted_and_without_gold(tiny_bert):
    nlp = pipeline(tiny_bert)
    with pytest.raises(ValueError, match="was never fitted"):
        indicator_of(nlp)(read_context(make_doc(nlp, TEXTS[0], pii=SPANS[0])))
    with pytest.raises(ValueError, match="no document has both spans and gold"):
        nlp.initialize(lambda: [example(nlp, TEXTS[0], SPANS[0])])
    assert LMProbabilities(None).classifier.C == 1.0
