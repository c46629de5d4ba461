import json
from pathlib import Path

import pytest

from spacy_deid.cli.utility import _deidentifiers, read_setup

from ..models.learning import PEOPLE


def letter(i):
    name = PEOPLE[i % 4]
    text = f"{name} {'wants a refund' if i % 2 else 'sends best wishes'} again, letter {i}."
    mention = {"start_offset": 0, "end_offset": len(name), "entity_type": "name"}
    kind = ("praise", "complaint")[i % 2]
    return {"doc_id": f"n{i}", "text": text, "kind": kind, "entity_mentions": [mention]}


@pytest.fixture
def config(tmp_path, write_jsonl):
    path = write_jsonl(tmp_path / "train.jsonl", [letter(i) for i in range(24)])
    config = tmp_path / "task.cfg"
    text = Path(__file__).with_name("utility.cfg").read_text("utf8")
    config.write_text(text.replace("TRAIN", str(path)))
    return config


@pytest.mark.parametrize("scope, least, most", [("document", 4, 6), ("corpus", 1, 1)])
def test_documents_share_surrogates_in_scope_corpus_alone(config, scope, least, most):
    setup = read_setup(config, [f"utility.scope={scope}", "utility.p=[1.0]"])
    ways = {name: way for name, _, way in _deidentifiers(setup)}
    letters = [s for s in setup["train"] if s.texts[0].startswith("Robert Murray")]

    def names(*seed):
        return [new.texts[0].split(" sends")[0] for new in ways["full"](letters, *seed)]

    assert names(1) != names() == names() and least <= len({*names()}) <= most


def test_a_table_a_figure_and_json(deid, config, tmp_path):
    pytest.importorskip("matplotlib")
    page, data, plot = (tmp_path / name for name in ("t.md", "t.json", "t.svg"))
    result = deid("utility", config, "--report", page, "-o", data, "--plot", plot)
    found = json.loads(data.read_text())
    rows = {(row["strategy"], row["p"]): row for row in found["rows"]}
    ways = [(name, p) for name in ("redact", "full") for p in (0.5, 1.0)]
    assert [*rows] == [("original", None), *ways]
    told = {"metric": "accuracy", "train": 24, "test": 10}
    assert {name: found[name] for name in told} == told
    for row in found["rows"]:
        assert 0 <= row["on_original"]["mean"] <= 1
        assert len(row["on_original"]["seeds"]) == 3
    redact = rows["redact", 1.0]
    assert redact["epsilon"] == 0 and rows["redact", 0.5]["epsilon"] is None
    low, high = redact["interval"]
    assert low <= redact["delta"] <= high
    text = page.read_text("utf8")
    assert text in result.output and "| redact | 1 | 0.00 |" in text
    assert plot.read_text().count("</svg>") == 1
    assert not any(name in text + data.read_text() for name in PEOPLE)


def test_the_gate_has_a_task(deid, config, tmp_path, write_jsonl, model):
    rows = [letter(i) for i in range(24)]
    inputs, out = write_jsonl(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl"
    deid("run", inputs, out)
    policy, report = tmp_path / "policy.ini", tmp_path / "out.gate.json"
    args = ["--originals", inputs, "--policy", policy, "--task", config]
    for limit in (100, 0):
        policy.write_text(f"loss of utility in points = at most {limit}\n")
        result = deid("gate", out, *args, "--model", model, code=None)
        rows = json.loads(report.read_text())["conditions"]
        (row,) = (r for r in rows if r["measure"].startswith("loss"))
        low, high = row["interval"]
        assert low <= row["value"] <= high and row["judged_by"] == high
        assert row["holds"] == (high <= limit)
        assert result.exit_code == (0 if row["holds"] else 1)
        assert row["holds"] or limit == 0
