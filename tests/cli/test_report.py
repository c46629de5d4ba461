import json
import re

import pytest

TEXT = "Robert Murray of Leeds wrote 28045/02 in London. "


@pytest.fixture
def out(deid, tmp_path, write_jsonl):
    rows = [{"doc_id": f"n{i}", "text": TEXT * (i + 1)} for i in range(4)]
    rows += [{"doc_id": "quiet", "text": "Nothing to see. " * 80}]
    rows += [{"doc_id": "dense", "text": "Robert Murray"}]
    path = tmp_path / "out.jsonl"
    deid("run", write_jsonl(tmp_path / "in.jsonl", rows), path)
    return path


def test_counts_are_those_of_the_output(deid, out, tmp_path, read_jsonl):
    page, path = tmp_path / "report.html", tmp_path / "report.json"
    deid("report", out, page, "--output", path)
    found, records = json.loads(path.read_text()), read_jsonl(out)
    spans = [(r["doc_id"], s) for r in records for s in r["spans"]]
    assert found["documents"] == 6 and found["spans"] == len(spans)
    assert found["characters"] == sum(len(r["text"]) for r in records)
    for label, counts in found["types"].items():
        for decision, n in counts.items():
            own = [
                s for _, s in spans if (s["label"], s["decision"]) == (label, decision)
            ]
            assert n == len(own)
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
    assert {"output written", "page written", "spacy_deid", "spaCy"} <= found[
        "facts"
    ].keys()
    html = page.read_text("utf8")
    for number in (found["characters"], found["spans"]):
        assert f"{number:,}" in html
    assert all(label in html for label in found["types"])


def test_no_word_of_a_text_is_in_it(deid, out, tmp_path, read_jsonl):
    page, path = tmp_path / "report.html", tmp_path / "report.json"
    result = deid("report", out, page, "-o", path)
    html, data = page.read_text("utf8"), path.read_text()
    known = {"of", "in", "to", "see", "person", "loc", "code"}
    new = {w for r in read_jsonl(out) for w in re.findall(r"\w{2,}", r["text"])}
    shown = re.sub(r"<style>.*?</style>", "", html, flags=re.S)
    words = {*re.findall(r"\w+", shown + data + result.output)}
    for word in ("Murray", "28045", "Leeds", "London", "wrote", "Nothing"):
        assert word not in words
    assert not {w for w in new & words if w.lower() not in known and not w.isdigit()}


def test_the_page_runs_and_fetches_nothing(deid, out, tmp_path):
    deid("report", out, tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text("utf8")
    assert "default-src 'none'" in html and "script-src 'none'" in html
    assert not re.search(r"https?://|<script|\bsrc=|\bhref=", html)
    assert html.count("<svg role=") >= 5


def test_run_writes_the_report_with_time_and_pipeline(deid, out, tmp_path):
    page = tmp_path / "report.html"
    result = deid("run", tmp_path / "in.jsonl", tmp_path / "o.jsonl", "--report", page)
    html = page.read_text("utf8")
    assert "took" in html and re.search(r"<dt>pipeline</dt><dd>en ", html)
    facts = json.loads(page.with_suffix(".json").read_text())["facts"]
    assert facts["took"] in page.read_text("utf8") and "pipeline" in facts
    result = deid("run", tmp_path / "in.jsonl", "-", "--report", page, code=1)
    assert "only of an output that is a .jsonl file" in result.output


def test_many_documents_are_counted_and_the_first_listed():
    from spacy_deid.review.report import LISTED_DOCS, CorpusReport

    counts = CorpusReport()
    for i in range(LISTED_DOCS + 50):
        record = {"doc_id": i, "text": "x" * 600, "spans": [], "epsilon": 0.4 * i}
        counts.add({**record, "deid_k": 100, "deid_k_left": 1 if i == 99 else 10_000})
    found = counts.to_json()
    assert found["looks"]["documents"] == LISTED_DOCS + 50
    assert len(found["looks"]["first"]) == LISTED_DOCS
    assert found["looks"]["first"][0]["doc_id"] == 99
    assert found["k"]["deid_k_left"] == {
        "1 to 9": 1,
        "10,000 to 99,999": LISTED_DOCS + 49,
    }
    assert found["epsilon"]["most"] == 0.4 * (LISTED_DOCS + 49)
