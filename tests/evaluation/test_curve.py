import importlib.util
import json

import numpy
import pytest
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_deid.evaluation import curve
from spacy_deid.evaluation.calibration import Predictions

from ..annotated import record
from ..cases import cases

WORDS = ["Anna", "Xyz", "Karl", "in", "Bonn", "."]
GUESSES = cases(__file__, "guesses")


@pytest.fixture
def predictions():
    nlp = spacy.blank("en")
    pipe = nlp.add_pipe("pii_ner", config={"link": None, "propagate": None})
    for label in ("PERSON", "LOC"):
        pipe.add_label(label)
    doc, reference = Doc(nlp.vocab, words=WORDS), Doc(nlp.vocab, words=WORDS)
    gold = [(0, "PERSON", "DIRECT"), (2, "PERSON", "QUASI"), (4, "LOC", "QUASI")]
    for key, column in (("pii", 1), ("mask", 2)):
        reference.spans[key] = [
            Span(reference, row[0], row[0] + 1, label=row[column], span_id=str(row[0]))
            for row in gold
        ]
    scores = numpy.full((len(WORDS), len(pipe.tagset)), 1e-6, dtype="f")
    for i, (outside, label) in enumerate(GUESSES):
        scores[i, 0] = outside
        scores[i, pipe.tagset.columns(label)[3]] = 1 - outside
    scores /= scores.sum(axis=1, keepdims=True)
    return Predictions(pipe, [Example(doc, reference)], [scores])


def test_rows_by_hand_and_the_recognizer_is_left_as_it_was(predictions):
    rows = curve.threshold_curve(predictions, [0.93, 0.5, 0.7, 0.97])
    # Anna; then Karl; then Bonn; then "Xyz", which is wrong.
    for name, *values in cases(__file__, "rows"):
        assert [row[name] for row in rows] == pytest.approx(values)
    assert rows[3]["token_precision"] == pytest.approx(3 / 4)
    # P = 1 and R = 2/3: F1 = .8, F5 = 26 * 2/3 / (25 + 2/3).
    assert rows[1]["span_f1"] == pytest.approx(0.8)
    assert rows[1]["span_f5"] == pytest.approx(52 / 77)
    lines = curve.format_curve(rows).splitlines()
    assert len(lines) == 5 and lines[1].startswith("0.5 ") and "0.667" in lines[2]
    pipe, doc = predictions.pipe, predictions.examples[0].predicted
    pipe.o_threshold = 0.7
    curve.threshold_curve(predictions)
    assert pipe.o_threshold == 0.7
    assert [span.text for span in doc.spans["pii"]] == ["Anna", "Karl"]


def test_choice_and_spans_of_earlier_components(predictions):
    rows = curve.threshold_curve(predictions, [0.5, 0.7, 0.93, 0.96, 0.97])
    assert curve.choose_threshold(rows)["threshold"] == 0.93
    assert curve.choose_threshold(rows, "recall", 0.6)["threshold"] == 0.7
    assert curve.choose_threshold(rows, "recall", 0.9)["threshold"] == 0.93
    with pytest.raises(ValueError, match="no threshold reaches"):
        curve.choose_threshold(rows[:1], "recall", 0.9)
    blank = [{**row, "f1": None} for row in rows]
    with pytest.raises(ValueError, match="no values of 'f1'"):
        curve.choose_threshold(blank, "f1")
    doc = predictions.examples[0].predicted
    doc.spans["pii"] = [Span(doc, 4, 5, label="LOC")]
    rows = curve.threshold_curve(predictions, [0.0, 0.5, 0.99])
    assert rows[1]["entity_recall_quasi"] == 0.5  # Bonn, which was there
    # They are not the recognizer's own.
    assert rows[1]["span_recall"] == pytest.approx(1 / 3)


def test_command(command, tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer")
    nlp.add_pipe("pii_ner").add_label("PERSON")
    nlp.initialize()
    nlp.to_disk(tmp_path / "model")
    row = record("Anna wrote to [anna@example.org](CODE DIRECT 1).")
    (tmp_path / "gold.jsonl").write_text(json.dumps(row))
    out, plot = tmp_path / "curve.json", tmp_path / "curve.svg"
    args = ["deid", "curve", tmp_path / "model", tmp_path / "gold.jsonl", "-o", out]
    if importlib.util.find_spec("matplotlib"):
        args += ["--plot", plot]
    result = command(*args, "--recall", "0.9")
    assert "--plot" not in args or "<svg" in plot.read_text()
    # The rules find the address at any threshold.
    assert "o_threshold = 0.0  (recall 1.000)" in result.output
    report = json.loads(out.read_text())
    assert report["chosen"]["threshold"] == 0.0
    assert [row["threshold"] for row in report["curve"]] == sorted(curve.THRESHOLDS)
