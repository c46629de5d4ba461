import json
import re

import pytest
import spacy
from spacy.tokens import DocBin, Span

from ..annotated import record

RECORD = record(
    "[Robert Murray](PERSON DIRECT e1) of Leeds [met](MISC QUASI e3) "
    "[Ann Lee](PERSON QUASI e2) in [London](LOC NO_MASK e4). "
    "[Murray](PERSON DIRECT e1) won."
)
TEXT, FIRST = RECORD["text"], RECORD["entity_mentions"][0]


@pytest.fixture
def metrics_of(deid, tmp_path, write_jsonl):
    """Metrics of a pipeline on records or a file, as the command writes them, and what
    it shows."""

    def evaluate(model, gold, *options):
        if isinstance(gold, list):
            gold = write_jsonl(tmp_path / "gold.jsonl", gold)
        out = tmp_path / "metrics.json"
        shown = deid("evaluate", model, gold, "-o", out, *options).stdout
        return json.loads(out.read_text()), shown

    return evaluate


def test_evaluate(metrics_of, model):
    metrics, shown = metrics_of(model, [RECORD])
    # The pseudonymizer also replaces the second "Murray": Robert Murray, Murray, Ann Lee
    # of met and these are found; Leeds is masked for nothing.
    wanted = {
        **{"entity_recall_direct": 1, "entity_recall_quasi": 1 / 2},
        **{"weighted_precision": None, "recall": 5 / 6, "precision": 5 / 6},
        **{"docs_fully_masked": 0, "docs_direct_fully_masked": 1},
    }
    assert {name: metrics[name] for name in wanted} == wanted
    assert metrics["per_type"]["PERSON"]["mention_recall"] == 1
    assert "entity_recall_direct" in shown and "1 of 2" in shown
    assert metrics_of(model, [RECORD], "--mask", "all")[0]["precision"] == 5 / 7
    # Several annotators.
    rows = [RECORD, {**RECORD, "annotator": "b", "entity_mentions": []}]
    metrics, _ = metrics_of(model, rows)
    assert metrics["precision"] == 5 / 12 and metrics["counts"]["docs"] == 1
    # Labels of another scheme or none are taken.
    for labels in (("PER", "person"), (None,), ("",)):
        rows = [{**FIRST, "entity_type": x, "entity_id": x} for x in labels]
        metrics_of(model, [{**RECORD, "entity_mentions": rows}])


def test_weighted_precision(metrics_of, model, tmp_path, make_pipeline):
    def weighted(model, *options):
        return metrics_of(model, [RECORD], *options)[0]["weighted_precision"]

    # Robert Murray, Murray and Ann Lee, of these and Leeds, by their letters.
    right = 6 + 6 + 6 + 3 + 3
    name = "test_cli.length.v1"
    assert weighted(model, "--weighting", name) == right / (right + 5)
    more = weighted(model, "--weighting", f"{name} plus=10")
    assert more == (right + 50) / (right + 65)
    # A pipeline has its own.
    nlp, weighting = make_pipeline(), {"@deid_weightings": name}
    scorer = {"@scorers": "spacy_deid.privacy_scorer.v1", "weighting": weighting}
    config = {"scorer": scorer, "spans_key": "own"}
    own = nlp.add_pipe("span_ruler", name="own", config=config)
    own.add_patterns([{"label": "X", "pattern": "nothing"}])
    nlp.to_disk(tmp_path / "m")
    assert weighted(tmp_path / "m") == right / (right + 5)


def test_confidence_intervals(metrics_of, deid, model, tmp_path):
    rows = [RECORD, {**RECORD, "doc_id": "e", "entity_mentions": []}]
    metrics, shown = metrics_of(model, rows)
    confidence = metrics["confidence"]
    assert (confidence["samples"], confidence["level"]) == (1000, 0.95)
    # Both documents have the same words masked, of which 5 of 6 are right in one.
    assert confidence["precision"] == [0, pytest.approx(5 / 6, abs=1e-6)]
    assert confidence["per_type"]["PERSON"]["entity_recall"] == [1, 1]
    assert re.search(r"precision +0.417 \[0.000, 0.833\]\n", shown)
    assert re.search(r"PERSON +1.000 \[1.000, 1.000\]  of 2 ", shown)
    assert "95 % of 1000 samples" in shown
    assert metrics_of(model, rows, "--bootstrap", "1000")[0] == metrics
    metrics, shown = metrics_of(model, rows, "--bootstrap", "0")
    assert "confidence" not in metrics and "[" not in shown
    deid("evaluate", model, tmp_path / "gold.jsonl", "--bootstrap", "-1", code=2)


def test_files_and_schemes(metrics_of, deid, refused, model, tmp_path, write_jsonl):
    labels = {"PERSON": "PERSON", "LOC": "LOCATION", "MISC": "CODEWORD"}
    mentions = [
        {"start_offset": m["start_offset"], "end_offset": m["end_offset"]}
        | {"entity_type": labels[m["entity_type"]], "entity_id": m["entity_id"]}
        for m in RECORD["entity_mentions"]
    ]
    presidio = [{**RECORD, "entity_mentions": mentions}]
    gold, plan = write_jsonl(tmp_path / "a.jsonl", presidio), tmp_path / "labels.json"
    refused("unknown label 1", "evaluate", model, gold, "--scheme", "presidio")
    plan.write_text('{"CODEWORD": null}')
    metrics, _ = metrics_of(model, gold, "--scheme", "presidio", "--labels", plan)
    assert set(metrics["per_type"]) == {"PERSON", "LOC"}
    assert metrics["counts"]["quasi"] == 3  # what nobody judged counts as QUASI
    # Our own `.spacy` file gives the figures of the JSON lines it was made of.
    lines = write_jsonl(tmp_path / "own.jsonl", [RECORD])
    binary = tmp_path / "own.spacy"
    deid("convert", lines, binary)
    assert metrics_of(model, lines)[0] == metrics_of(model, binary)[0]
    # `doc.ents` of anybody's corpus.
    doc = spacy.blank("en")(TEXT)
    doc.ents = [Span(doc, 0, 2, label="PERSON"), Span(doc, 3, 4, label="GPE")]
    DocBin(docs=[doc]).to_disk(binary)
    metrics, _ = metrics_of(model, binary, "-s", "ontonotes")
    assert set(metrics["per_type"]) == {"PERSON", "LOC"}
    assert metrics["per_type"]["PERSON"]["mention_recall"] == 1
