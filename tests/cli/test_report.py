import json
import re

import pytest

from spacy_deid.review.report import LISTED_DOCS, CorpusReport

TEXT = "Robert Murray of Leeds wrote 28045/02 in London. "


@pytest.fixture
def out(deid, tmp_path, write_jsonl):
    rows = [{"doc_id": f"n{i}", "text": TEXT * (i + 1)} for i in range(4)]
    rows += [{"doc_id": "quiet", "text": "Nothing to see. " * 80}]
    rows += [{"doc_id": "dense", "text": "Robert Murray"}]
    path = tmp_path / "out.jsonl"
    deid("run", write_jsonl(tmp_path / "in.jsonl", rows), path)
    return path


def test_counts_are_those_of_the_output_without_words(deid, out, read_jsonl, tmp_path):
    page, path = tmp_path / "report.html", tmp_path / "report.json"
    said = deid("report", out, page, "--output", path).output
    html, found = page.read_text("utf8"), json.loads(path.read_text())
    records = read_jsonl(out)
    spans = [(s["label"], s["decision"]) for r in records for s in r["spans"]]
    assert found["documents"] == 6 and found["spans"] == len(spans)
    assert found["characters"] == sum(len(r["text"]) for r in records)
    for label, counts in found["types"].items():
        for decision, n in counts.items():
            assert n == spans.count((label, decision))
    assert sum(found["risk"]["spans"].values()) == len(spans)
    assert sum(found["risk"]["documents"].values()) == 6
    assert found["epsilon"]["documents"] == {"not bounded": 6}
    reasons = {row["doc_id"]: row["why"] for row in found["looks"]["first"]}
    assert reasons["quiet"] == ["a long text in which nothing was masked"]
    assert "more than half of the text was replaced" in reasons["dense"]
    lengths = [row["end"] - row["start"] for row in found["longest"]]
    assert lengths == sorted(lengths, reverse=True) and lengths[0] == 13
    counts = [row["count"] for row in found["rarest"]]
    assert counts == sorted(counts) and len(counts) == 10
    facts = {"output written", "page written", "spacy_deid", "spaCy"}
    assert facts <= found["facts"].keys()
    shown = [f"{found[name]:,}" for name in ("characters", "spans")]
    assert all(text in html for text in (*shown, *found["types"]))
    # The page runs and fetches nothing.
    assert "default-src 'none'" in html and "script-src 'none'" in html
    assert not re.search(r"https?://|<script|\bsrc=|\bhref=", html)
    assert html.count("<svg role=") >= 5
    # No word of a text is in it.
    known = {"of", "in", "to", "see", "person", "loc", "code"}
    new = {w for r in records for w in re.findall(r"\w{2,}", r["text"])}
    shown = re.sub(r"<style>.*?</style>", "", html, flags=re.S)
    words = {*re.findall(r"\w+", shown + json.dumps(found) + said)}
    assert not words & {"Murray", "28045", "Leeds", "London", "wrote", "Nothing"}
    assert not {w for w in new & words if w.lower() not in known and not w.isdigit()}


def test_run_writes_the_report_with_time_and_pipeline(deid, out, tmp_path):
    page, source = tmp_path / "report.html", tmp_path / "in.jsonl"
    deid("run", source, tmp_path / "o.jsonl", "--report", page)
    html = page.read_text("utf8")
    assert "took" in html and re.search(r"<dt>pipeline</dt><dd>en ", html)
    facts = json.loads(page.with_suffix(".json").read_text())["facts"]
    assert facts["took"] in html and "pipeline" in facts


def test_many_documents_are_counted_and_the_first_listed():
    counts, n = CorpusReport(), LISTED_DOCS + 50
    for i in range(n):
        record = {"doc_id": i, "text": "x" * 600, "spans": [], "epsilon": 0.4 * i}
        counts.add({**record, "deid_k": 100, "deid_k_left": 1 if i == 99 else 10_000})
    found = counts.to_json()
    assert found["looks"]["documents"] == n
    assert len(found["looks"]["first"]) == LISTED_DOCS
    assert found["looks"]["first"][0]["doc_id"] == 99
    assert found["k"]["deid_k_left"] == {"1 to 9": 1, "10,000 to 99,999": n - 1}
    assert found["epsilon"]["most"] == 0.4 * (n - 1)
