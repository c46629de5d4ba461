import json
import shlex

import pytest

from spacy_deid.cli._options import Orders

from ..annotated import record
from ..cases import cases

(TEXT,) = cases(__file__, "text")


@pytest.fixture
def note(tmp_path, write_jsonl):
    fields = {"site": "Leeds General Infirmary, Leeds", "topic": "NIGHTJAR files"}
    return write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": TEXT, **fields}])


def test_allow_deny_profile_and_types(deid, note, tmp_path):
    def embedded(*args):
        return json.loads(deid("run", note, "-", *args, with_model=False).stdout)

    (tmp_path / "allow.txt").write_text("Leeds General Infirmary\n")
    record = embedded("--deny", "nightjar", "--allow", tmp_path / "allow.txt")
    assert "Leeds General Infirmary" in record["text"]
    assert not {"jar", "Murray"} & set(record["text"].replace("-", " ").split())
    assert "NIGHTJAR" not in json.dumps(record)
    # Other fields obey, too: Leeds by itself is masked.
    assert record["site"].startswith("Leeds General Infirmary, ")
    assert record["site"].count("Leeds") == 1
    reasons = {s["decision"]: s["reasons"] for s in record["spans"]}
    assert reasons["NO_MASK"].startswith("on the allow list")
    assert any("on the deny list" in s["reasons"] for s in record["spans"])
    contacts = embedded("--profile", "contacts")
    assert "Leeds General Infirmary in Leeds" in contacts["text"]
    assert "Murray" not in contacts["text"] and "0123" not in contacts["text"]
    left = [s for s in contacts["spans"] if s["decision"] == "NO_MASK"]
    told = "the profile contacts leaves "
    assert left and all(s["reasons"].startswith(told) for s in left)
    phones = embedded("--types", "PHONE, CITY", "--mask", "all")
    assert "Robert Murray" in phones["text"] and "0123" not in phones["text"]
    assert embedded("--threshold", "1")["text"].count("Leeds") == 2
    own = tmp_path / "own.tsv"
    own.write_text(
        "type\tsubtype\twhen\tdecision\tstrategy\twhat\n"
        "PERSON\t*\t\tQUASI\tredact\tnames\n*\t*\t\tnever\t\tall else\n"
    )
    text = embedded("--profile", own)["text"]
    assert text.startswith("*** spoke of project ") and text.endswith("617-555-0123.")


@pytest.mark.parametrize("mask", ["all", "risky"])
def test_a_pipeline_without_a_risk_scorer(deid, tmp_path, make_pipeline, note, mask):
    make_pipeline(mask=False).to_disk(tmp_path / "model")
    orders = ["--profile", "contacts", "--deny", "nightjar", "--allow", "Robert Murray"]
    orders += ["--model", tmp_path / "model", "--mask", mask]
    record = json.loads(deid("run", note, "-", *orders).stdout)
    assert "Robert Murray" in record["text"] and "Leeds" in record["text"]
    assert "jar" not in record["text"]
    decisions = [s["decision"] for s in record["spans"]]
    assert decisions == ["NO_MASK", "DIRECT", "NO_MASK", "NO_MASK"]


def test_other_orders_do_not_resume(tmp_path):
    terms = tmp_path / "deny.txt"
    terms.write_text("spoke\n")
    first = Orders(deny=[str(terms)]).facts()
    assert Orders(deny=[str(terms)]).facts() == first
    terms.write_text("spoken\n")
    assert Orders(deny=[str(terms)]).facts() != first
    assert Orders(profile="court").facts() != Orders().facts()


def test_thresholds_are_from_0_to_1_and_evaluate_obeys(
    deid, tmp_path, write_jsonl, note
):
    for value in ("2", "much"):
        for start in (["run", note, "-"], ["evaluate", "en_deid_sm", note]):
            result = deid(*start, "--threshold", value, with_model=False, code=2)
            assert "--threshold" in result.stderr and "Murray" not in result.output
    rows = [record(text) for text in cases(__file__, "gold")]
    gold, out = write_jsonl(tmp_path / "gold.jsonl", rows), tmp_path / "metrics.json"
    options = ("--output", out, "--bootstrap", 0)
    for recall, orders in cases(__file__, "recall"):
        deid("evaluate", "en_deid_sm", gold, *options, *shlex.split(orders))
        assert json.loads(out.read_text())["entity_recall_quasi"] == recall
