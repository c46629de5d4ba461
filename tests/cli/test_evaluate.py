import json
import re

import pytest
import spacy
from spacy.tokens import DocBin, Span

from spacy_deid.registries import registry

from ..annotated import record

RECORD = record(
    "[Robert Murray](PERSON DIRECT e1) of Leeds [met](MISC QUASI e3) "
    "[Ann Lee](PERSON QUASI e2) in [London](LOC NO_MASK e4). "
    "[Murray](PERSON DIRECT e1) won."
)
TEXT, FIRST = RECORD["text"], RECORD["entity_mentions"][0]


KEYS = set(
    "entity_recall_direct entity_recall_quasi precision weighted_precision recall f1 f5 "
    "docs_fully_masked docs_direct_fully_masked per_type".split()
)


def test_evaluate(deid, model, tmp_path, write_jsonl):
    gold = write_jsonl(tmp_path / "gold.jsonl", [RECORD])
    out = tmp_path / "metrics.json"
    result = deid("evaluate", model, gold, "--output", out)
    metrics = json.loads(out.read_text())
    assert set(metrics) >= KEYS
    # The pseudonymizer also replaces the second "Murray".
    assert metrics["entity_recall_direct"] == 1
    assert metrics["entity_recall_quasi"] == 1 / 2
    assert metrics["weighted_precision"] is None
    # Robert Murray, Murray, Ann Lee of met and these; Leeds is masked for nothing.
    assert metrics["recall"] == 5 / 6
    assert metrics["precision"] == 5 / 6
    assert metrics["docs_fully_masked"] == 0
    assert metrics["docs_direct_fully_masked"] == 1
    assert metrics["per_type"]["PERSON"]["mention_recall"] == 1
    assert "entity_recall_direct" in result.stdout and "1 of 2" in result.stdout

    result = deid("evaluate", model, gold, "--mask", "all", "--output", out)
    assert json.loads(out.read_text())["precision"] == 5 / 7


@pytest.fixture
def metrics_of(deid, tmp_path, write_jsonl):
    """Metrics of a pipeline on records, as the command writes them."""

    def evaluate(model, records, *options):
        gold = write_jsonl(tmp_path / "gold.jsonl", records)
        deid("evaluate", model, gold, "-o", tmp_path / "metrics.json", *options)
        return json.loads((tmp_path / "metrics.json").read_text())

    return evaluate


def test_several_annotators(metrics_of, model):
    metrics = metrics_of(
        model, [RECORD, {**RECORD, "annotator": "b", "entity_mentions": []}]
    )
    assert metrics["precision"] == 5 / 12
    assert metrics["counts"]["docs"] == 1


def test_labels_that_nobody_knows(deid, model, tmp_path, write_jsonl):
    def evaluate(*labels, code=0):
        name = {"start_offset": 0, "end_offset": 13, "identifier_type": "DIRECT"}
        mentions = [
            {**name, "entity_type": label, "entity_id": str(i)}
            for i, label in enumerate(labels)
        ]
        rows = [{**RECORD, "entity_mentions": mentions}]
        gold = write_jsonl(tmp_path / "g.jsonl", rows)
        return deid("evaluate", model, gold, code=code)

    result = evaluate("PERSON", "ALIEN", "PRESON", code=1)
    assert 'unknown entity_type "ALIEN", "PRESON"' in result.stderr
    assert not result.stdout.strip()
    # Of another scheme, or not said.
    for labels in (("PER", "person"), (None,), ("",)):
        evaluate(*labels)


@registry.deid_weightings("test_evaluate.length.v1")
def make_length(plus=0):
    return lambda text, spans: [float(end - start + plus) for start, end in spans]


def test_weighted_precision(metrics_of, model, tmp_path, make_pipeline):
    def weighted(model, *options):
        return metrics_of(model, [RECORD], *options)["weighted_precision"]

    # Robert Murray, Murray and Ann Lee, of these and Leeds, by their letters.
    right = 6 + 6 + 6 + 3 + 3
    name = "test_evaluate.length.v1"
    assert weighted(model, "--weighting", name) == right / (right + 5)
    more = weighted(model, "--weighting", f"{name} plus=10")
    assert more == (right + 50) / (right + 65)
    # A pipeline has its own.
    nlp = make_pipeline()
    scorer = {
        "@scorers": "spacy_deid.privacy_scorer.v1",
        "weighting": {"@deid_weightings": name},
    }
    config = {"scorer": scorer, "spans_key": "own"}
    own = nlp.add_pipe("span_ruler", name="own", config=config)
    own.add_patterns([{"label": "X", "pattern": "nothing"}])
    nlp.to_disk(tmp_path / "m")
    assert weighted(tmp_path / "m") == right / (right + 5)


def test_confidence_intervals(deid, model, tmp_path, write_jsonl):
    gold = write_jsonl(
        tmp_path / "gold.jsonl",
        [RECORD, {**RECORD, "doc_id": "e", "entity_mentions": []}],
    )
    out = tmp_path / "metrics.json"
    result = deid("evaluate", model, gold, "-o", out)
    confidence = json.loads(out.read_text())["confidence"]
    assert (confidence["samples"], confidence["level"]) == (1000, 0.95)
    # Both documents have the same words masked, of which 5 of 6 are right in one.
    assert confidence["precision"] == [0, pytest.approx(5 / 6, abs=1e-6)]
    assert confidence["entity_recall_direct"] == [1, 1]
    assert confidence["weighted_precision"] is None
    assert confidence["per_type"]["PERSON"]["entity_recall"] == [1, 1]
    assert re.search(r"precision +0.417 \[0.000, 0.833\]\n", result.stdout)
    assert re.search(r"PERSON +1.000 \[1.000, 1.000\]  of 2 ", result.stdout)
    assert "95 % of 1000 samples" in result.stdout
    again = tmp_path / "again.json"
    deid("evaluate", model, gold, "-o", again, "--bootstrap", "1000")
    assert again.read_bytes() == out.read_bytes()
    result = deid("evaluate", model, gold, "-o", out, "--bootstrap", "0")
    assert "confidence" not in json.loads(out.read_text())
    assert "[" not in result.stdout
    deid("evaluate", model, gold, "--bootstrap", "-1", code=2)


def test_evaluate_reads_spacy_files_and_other_schemes(
    deid, model, tmp_path, write_jsonl
):
    labels = {"PERSON": "PERSON", "LOC": "LOCATION", "MISC": "CODEWORD"}
    presidio = [
        {k: v for k, v in m.items() if k != "identifier_type"}
        | {"entity_type": labels[m["entity_type"]]}
        for m in RECORD["entity_mentions"]
    ]
    gold = write_jsonl(tmp_path / "a.jsonl", [{**RECORD, "entity_mentions": presidio}])
    out, plan = tmp_path / "metrics.json", tmp_path / "labels.json"
    result = deid("evaluate", model, gold, "--scheme", "presidio", code=1)
    assert "unknown label 1" in result.output
    plan.write_text('{"CODEWORD": null}')
    args = (model, gold, "--scheme", "presidio", "--labels", plan, "--output", out)
    result = deid("evaluate", *args)
    metrics = json.loads(out.read_text())
    assert set(metrics["per_type"]) == {"PERSON", "LOC"}
    assert metrics["counts"]["quasi"] == 3  # what nobody judged counts as QUASI

    # Our own `.spacy` file gives the figures of the JSON lines it was made of.
    lines = write_jsonl(tmp_path / "gold.jsonl", [RECORD])
    binary = tmp_path / "gold.spacy"
    deid("convert", lines, binary)
    figures = []
    for path in (lines, binary):
        deid("evaluate", model, path, "--output", out)
        figures.append(json.loads(out.read_text()))
    assert figures[0] == figures[1]

    # `doc.ents` of anybody's corpus.
    doc = spacy.blank("en")(TEXT)
    doc.ents = [Span(doc, 0, 2, label="PERSON"), Span(doc, 3, 4, label="GPE")]
    DocBin(docs=[doc]).to_disk(binary)
    result = deid("evaluate", model, binary, "-s", "ontonotes", "--output", out)
    metrics = json.loads(out.read_text())
    assert set(metrics["per_type"]) == {"PERSON", "LOC"}
    assert metrics["per_type"]["PERSON"]["mention_recall"] == 1
