import functools
import json
import math
from unittest.mock import Mock

import numpy
import pytest
import spacy
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from spacy_deid.evaluation import calibration
from spacy_deid.evaluation.calibration import reliability_table, tag_losses
from spacy_deid.registries import registry

from ..annotated import record
from ..models.learning import TOK2VEC

LABELS = ["PERSON", "LOC"]


def make_pipeline():
    nlp = spacy.blank("en")
    model = {"@architectures": "spacy_deid.TokenTagger.v1", "tok2vec": TOK2VEC}
    pipe = nlp.add_pipe("pii_ner", config={"model": model})
    for label in LABELS:
        pipe.add_label(label)
    nlp.initialize()
    return nlp, pipe


@pytest.fixture
def pipe():
    return make_pipeline()[1]


def predict(pipe, words, spans, scores, **attrs):
    """Predictions of one document: of each token (outside, label, probability)."""
    doc, reference = Doc(pipe.vocab, words=words), Doc(pipe.vocab, words=words)
    found = [Span(reference, i, i + 1, label=label) for i, label in spans]
    reference.spans["pii"] = SpanGroup(reference, spans=found, attrs=attrs)
    rows = numpy.full((len(words), len(pipe.tagset)), 1e-30, dtype="f")
    for row, (label, p) in zip(rows, scores):
        row[0], row[pipe.tagset.columns(label)[3]] = 1 - p, p
    return calibration.Predictions(pipe, [Example(doc, reference)], [rows])


def draw(pipe, temperature, n_docs=20, n_tokens=60, seed=0):
    """Documents whose gold tags are drawn from the probabilities that the model would
    give at the temperature; what it gives is too sure, or not sure enough."""
    rng = numpy.random.default_rng(seed)
    examples, scores = [], []
    # Singles only, so that every sequence of tags is a valid one.
    singles = [0, *(pipe.tagset.columns(label)[3] for label in LABELS)]
    words = [f"word{i}" for i in range(n_tokens)]
    for _ in range(n_docs):
        logits = rng.normal(0, 2, (n_tokens, len(singles)))
        true = numpy.exp(logits) / numpy.exp(logits).sum(axis=1, keepdims=True)
        tags = [rng.choice(len(singles), p=row) for row in true]
        spans = [(i, LABELS[tag - 1]) for i, tag in enumerate(tags) if tag]
        one = predict(pipe, words, spans, [])
        sharp = numpy.exp(logits * temperature)
        one.scores[0][:, singles] = sharp / sharp.sum(axis=1, keepdims=True)
        examples += one.examples
        scores += one.scores
    return calibration.Predictions(pipe, examples, scores)


def ece(p, correct, n_bins=10):
    return calibration.expected_calibration_error(reliability_table(p, correct, n_bins))


def test_error_by_hand_and_scorer():
    # Bins of ten: (.6, .7] has .65 and .7, (.9, 1] has .95 and 1.
    p = [0.65, 0.7, 0.95, 1.0]
    correct = [True, False, True, True]
    # 2/4 * |.5 - .675| + 2/4 * |1 - .975|
    assert ece(p, correct) == pytest.approx(0.1)
    low, high = (row for row in reliability_table(p, correct) if row.spans)
    assert (low.low, low.high, low.spans) == (0.6, 0.7, 2)
    assert (high.low, high.high, high.spans) == (0.9, 1.0, 2)
    assert [low.confidence, high.confidence] == pytest.approx([0.675, 0.975])
    assert [low.accuracy, high.accuracy] == [0.5, 1.0]
    # Borders belong to the lower bin.
    rows = reliability_table([0.0, 0.1, 0.2, 0.3, 1.0], [True] * 5)
    assert [row.spans for row in rows] == [2, 1, 1, 0, 0, 0, 0, 0, 0, 1]
    nlp, _ = make_pipeline()
    doc, reference = nlp.make_doc("Anna in Bonn"), nlp.make_doc("Anna in Bonn")
    spans = [Span(doc, i, i + 1, label="PERSON") for i in (0, 2)]
    doc.spans["pii_ner"] = SpanGroup(doc, spans=spans, attrs={"scores": [0.9, 0.7]})
    reference.spans["pii"] = [Span(reference, 0, 1, label="PERSON")]
    score = registry.scorers.get("spacy_deid.calibration_scorer.v1")()
    # 1/2 * |1 - .9| + 1/2 * |0 - .7|
    assert score([Example(doc, reference)]) == {"pii_ner_ece": pytest.approx(0.4)}


def test_loss_of_one_token_by_hand_and_of_types_that_nobody_marked(pipe):
    predictions = predict(pipe, ["Anna"], [(0, "PERSON")], [("PERSON", 0.2)])
    assert tag_losses(predictions, 1.0) == (pytest.approx(-math.log(0.2), rel=1e-4), 1)
    # The square roots of .8 and .2 are as 2 to 1.
    assert tag_losses(predictions, 2.0) == (pytest.approx(math.log(3), rel=1e-4), 1)
    scores = [("PERSON", 0.999999), ("LOC", 0.999999)]
    spans, covers = [(0, "PERSON")], ["PERSON"]
    predictions = predict(pipe, ["Anna", "Bonn"], spans, scores, covers=covers)
    assert calibration.covered_labels(pipe, predictions.examples[0]) == {"PERSON"}
    assert calibration.span_outcomes(predictions)[1] == [True]
    # The place may or may not be one: its tags are all open.
    assert tag_losses(predictions, 1.0)[0] == pytest.approx(0.0, abs=1e-5)


def test_calibration_lowers_loss_and_error_and_moves_no_span(pipe):
    # The temperature that was put in is found.
    for temperature in (0.5, 1.0, 2.0):
        found = calibration.fit_temperature(draw(pipe, temperature))
        assert found == pytest.approx(temperature, rel=0.08)

    def decode():
        pairs = zip(predictions.examples, predictions.scores)
        decoded = (pipe.decode_scores(eg.predicted, scores) for eg, scores in pairs)
        return [[s[:3] for s in spans] for spans in decoded]

    pipe.o_threshold = 0.0
    predictions = draw(pipe, 3.0)
    before = decode()
    report = calibration.calibrate(predictions)
    assert pipe.temperature == report["temperature"]
    assert report["after"]["tag_loss"] < report["before"]["tag_loss"]
    assert report["before"]["ece"] > 0.15 and report["after"]["ece"] < 0.04
    # One number fits no noise: on documents it was not fitted on it does as well.
    assert report["held_out"]["ece"] < 0.04 and decode() == before


def test_documents_without_gold_are_refused():
    nlp, _ = make_pipeline()
    with pytest.raises(ValueError, match="no document has gold"):
        predictions = calibration.predict_once(nlp, [nlp.make_doc("Anna came.")])
        calibration.fit_temperature(predictions)
    with pytest.raises(ValueError, match="no recognizer 'ner'"):
        calibration.predict_once(nlp, [nlp.make_doc("Anna came.")], "ner")
    with pytest.raises(ValueError, match="no documents"):
        calibration.predict_once(nlp, [])


@pytest.fixture
def run(command):
    return functools.partial(command, "deid", "calibrate")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model")
    make_pipeline()[0].to_disk(path)
    return path


@pytest.fixture
def gold(tmp_path):
    one = record("[Anna Zyxquorth](PERSON) lives in [Vlimbarough](LOC).", "0")
    other = record("[Karl](PERSON) came to [Bonn](LOC).", "1")
    path = tmp_path / "dev.jsonl"
    path.write_text(f"{json.dumps(one)}\n{json.dumps(other)}\n")
    return path


def test_the_command_writes_a_temperature_and_no_words(run, model, gold, tmp_path):
    out = tmp_path / "out"
    run(model, gold, out, "-o", tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    loaded = spacy.load(out)
    assert loaded.get_pipe("pii_ner").temperature == report["temperature"] != 1.0
    config = loaded.config["components"]["pii_ner"]
    assert config["temperature"] == report["temperature"]
    # A user may still say otherwise.
    changed = spacy.load(out, config={"components.pii_ner.temperature": 3.0})
    assert changed.get_pipe("pii_ner").temperature == 3.0
    data = b"".join(p.read_bytes() for p in out.rglob("*") if p.is_file())
    assert b"Zyxquorth" not in data and b"Vlimbarough" not in data


def test_what_is_worse_is_not_saved(run, model, gold, tmp_path, monkeypatch):
    """A fit that does not hold in the half of the documents that it has not seen."""

    def misfit(*args):
        found = calibration.calibrate(*args)
        error = found["before"]["ece"]
        return {**found, "held_out": {**found["before"], "ece": error + 0.01}}

    monkeypatch.setattr("spacy_deid.cli.calibrate.calibrate", misfit)
    out, report = tmp_path / "out", tmp_path / "report.json"
    result = run(model, gold, out, "-o", report, code=1)
    assert not out.exists() and not report.exists()
    assert "nothing was saved" in result.stderr and "would rise" in result.stderr
    run(model, gold, out, "-o", report, "--or-keep")
    assert spacy.load(out).get_pipe("pii_ner").temperature == 1.0
    assert json.loads(report.read_text())["kept"]


def test_no_output_if_one_cannot_be_made(run, model, gold, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    before, fail = sorted(tmp_path.iterdir()), Mock(side_effect=OSError("no font"))
    options = ["-o", tmp_path / "a.json", "--plot", tmp_path / "a.svg"]
    args = [model, gold, tmp_path / "out", *options]
    with monkeypatch.context() as patch:
        patch.setattr("spacy_deid.cli.calibrate.render", fail)
        run(*args, code=1)
    assert sorted(tmp_path.iterdir()) == before
    run(*args)
    assert all((tmp_path / name).exists() for name in ("out", "a.json", "a.svg"))
