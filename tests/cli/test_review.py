import functools
import json
import re
import signal
import stat

import pytest

from spacy_deid.evaluation.gold import FUNCTION_WORDS, GoldDocument, Mention
from spacy_deid.review.documents import _longest, by_text

from ..annotated import record

TEXT = "Robert Murray of Leeds wrote 28045/02 to Robert Murray in London."
OTHER = "Ann Lee of London."


def data_of(page):
    """Facts and documents of a page."""
    html = page.read_text("utf8")
    documents, facts = (
        re.search(f'id="{name}">(.*?)</script>', html, re.S)[1]
        for name in ("documents", "facts")
    )
    return json.loads(facts), [json.loads(row) for row in documents.split("\n") if row]


@pytest.fixture
def review(deid, model, tmp_path):
    return functools.partial(deid, "review", "--model", model)


@pytest.fixture
def notes(write_jsonl, tmp_path):
    rows = [{"doc_id": "Murray-1", "text": TEXT, "by": "Ann Lee"}]
    rows += [{"doc_id": f"n{i}", "text": f"{i}: {OTHER}"} for i in range(8)]
    return write_jsonl(tmp_path / "notes.jsonl", rows)


def test_a_page_has_all_that_is_known(review, notes, tmp_path):
    page = tmp_path / "page.html"
    result = review(notes, page)
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert {*tmp_path.iterdir()} == {notes, page}
    for word in ("Murray", "28045", "Leeds"):
        assert word not in result.output
    facts, documents = data_of(page)
    assert facts["originals"] and facts["by"] == "all"
    assert facts["function_words"] == sorted(FUNCTION_WORDS)
    assert {"pipeline", "spaCy", "spacy_deid", "page written"} <= facts.keys()
    first = documents[0]
    assert first["id"] == "Murray-1" and first["old"] == TEXT
    assert "Murray" not in first["new"] and len(documents) == 9
    spans = [
        (TEXT[slice(*s["at"])], first["new"][slice(*s["to"])]) for s in first["spans"]
    ]
    assert [old for old, _ in spans] == [
        "Robert Murray",
        "Leeds",
        "28045/02",
        "Robert Murray",
        "London",
    ]
    assert spans[-1] == ("London", "London")
    assert [s["decision"] for s in first["spans"]][-2:] == ["DIRECT", "NO_MASK"]
    names = [s["entity"] for s in first["spans"]]
    assert names[0] == names[3] != names[1]


def test_the_page_fetches_nothing(review, notes, tmp_path):
    review(notes, tmp_path / "page.html")
    html = (tmp_path / "page.html").read_text("utf8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    assert not re.search(
        r"https?://|url\(|@import|\bsrc=|\bhref=\"|fetch\(|XMLHttp", html
    )
    assert "innerHTML" not in html and "eval(" not in html


@pytest.mark.parametrize("command", ["review", "run"])
def test_masked_only_holds_no_original(deid, model, notes, tmp_path, command):
    page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
    args = (page,) if command == "review" else (out, "--review", page)
    result = deid(command, notes, *args, "--model", model, "--masked-only")
    html = page.read_text("utf8")
    for original in ("Murray", "28045", "Leeds", "Ann Lee"):
        assert original not in html and original not in result.output
    facts, documents = data_of(page)
    assert not facts["originals"]
    allowed = {"at", "to", "label", "subtype", "decision", "risk", "source"}
    allowed |= {"found", "reasons", "votes"}
    for doc in documents:
        assert "old" not in doc and doc["epsilon"] is None
        for span in doc["spans"]:
            assert span.keys() <= allowed and span["at"] == span["to"]
    if command == "run":
        rows = [json.loads(line) for line in out.read_text("utf8").splitlines()]
        assert [d["new"] for d in documents] == [r["text"] for r in rows]
        assert [d["id"] for d in documents] == [r["doc_id"] for r in rows]


def test_run_writes_the_page_beside_its_output(deid, review, notes, tmp_path):
    page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
    deid("run", notes, out, "--review", page, "--audit", tmp_path / "audit.jsonl")
    review(notes, tmp_path / "other.html")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert data_of(page)[1] == data_of(tmp_path / "other.html")[1]
    left = {p.name for p in tmp_path.iterdir()}
    assert left == {
        "notes.jsonl",
        "page.html",
        "out.jsonl",
        "audit.jsonl",
        "other.html",
    }


def test_an_interrupted_run_has_the_whole_page(stopped, deid, notes, tmp_path):
    page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
    args = ("run", notes, out, "--review", page, "--batch-size", 2)
    stopped(*args, how=signal.SIGINT, after=3)
    assert not page.exists()
    (part,) = tmp_path.glob("page.html.*")
    assert stat.S_IMODE(part.stat().st_mode) == 0o600
    result = deid(*args)
    assert "Going on after 6" in result.output
    assert [d["id"] for d in data_of(page)[1]] == [
        "Murray-1",
        *(f"n{i}" for i in range(8)),
    ]
    assert not [*tmp_path.glob("page.html.*")]


def test_options_of_the_page_need_one(deid, notes, tmp_path):
    page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
    for option in (("--masked-only",), ("--sample", 3)):
        result = deid("run", notes, out, *option, code=1)
        assert "page of --review" in result.output
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{\n")
    report = tmp_path / "report.html"
    result = deid("run", broken, out, "--review", page, "--report", report, code=1)
    assert "was left out" in result.output
    assert {*tmp_path.iterdir()} == {notes, broken}


@pytest.mark.parametrize("by", ["random", "risk", "stratified"])
def test_samples(review, notes, tmp_path, by):
    pages = [tmp_path / f"{i}.html" for i in range(2)]
    for path in pages:
        review(notes, path, "--sample", 4, "--by", by, "--seed", 5)
    (facts, documents), again = map(data_of, pages)
    assert documents == again[1] and len(documents) == len(facts["drawn"])
    assert 3 <= len(documents) <= 5 and facts["by"] == by
    strata = {row[0]: row[1] for row in facts["drawn"]}
    assert sum(strata.values()) <= 9


def test_gold_is_compared(review, notes, tmp_path, write_jsonl):
    row = record(
        "[Robert Murray](PERSON DIRECT) of [Leeds](ORG QUASI) [wrote](MISC QUASI) "
        "28045/02 to Robert Murray [in London](LOC NO_MASK)."
    )
    gold = write_jsonl(tmp_path / "gold.jsonl", [row])
    review(notes, tmp_path / "page.html", "--gold", gold)
    first, second = data_of(tmp_path / "page.html")[1][:2]
    (missed,) = first["missed"]
    assert TEXT[slice(*missed["at"])] == "wrote" and missed["decision"] == "QUASI"
    assert first["new"][slice(*missed["to"])] == "wrote"
    told = [s.get("gold") for s in first["spans"]]
    assert told[0] is None
    assert told[1] == [{"label": "ORG", "decision": "QUASI", "at": [17, 22]}]
    assert told[2] == told[3] == []
    assert told[4][0]["decision"] == "NO_MASK" and "missed" not in second
    review(notes, tmp_path / "masked.html", "--gold", gold, "--masked-only")
    assert "at" not in data_of(tmp_path / "masked.html")[1][0]["spans"][1]["gold"][0]


def test_several_fields_are_one_document(review, tmp_path, write_jsonl):
    rows = [{"doc_id": 1, "title": "For Ann Lee", "body": TEXT}]
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    for more in ((), ("--masked-only",)):
        review(path, tmp_path / "page.html", "--text-field", "title,body", *more)
        (doc,) = data_of(tmp_path / "page.html")[1]
        text = doc.get("old", doc["new"])
        assert [text[slice(*s["at"])] for s in doc["spans"]][-1] == "London"
        assert len(doc["spans"]) == 6


def test_input_that_cannot_be_read(review, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"doc_id": 1, "text": "Ann Lee"}\n{"text": \n')
    result = review(bad, tmp_path / "page.html", code=1)
    assert "bad.jsonl:2" in result.output and "1 document was left out" in result.output
    assert len(data_of(tmp_path / "page.html")[1]) == 1
    (tmp_path / "empty.jsonl").write_text("")
    result = review(tmp_path / "empty.jsonl", tmp_path / "none.html", code=1)
    assert "no documents are in it" in result.output
    (tmp_path / "broken.jsonl").write_text("{\n")
    result = review(tmp_path / "broken.jsonl", tmp_path / "none.html", code=1)
    assert "no documents could be read" in result.output
    assert not [*tmp_path.glob("none.html*")]


def test_the_estimate_is_printed_and_written(deid, tmp_path, write_jsonl):
    review = {
        "by": "random", "stratum": "", "population": 100, "drawn": 3, "page": "p",
        "done": True, "probability": 0.03,
    }  # fmt: skip
    row = record("[Ann Lee](PERSON DIRECT e1) of London.")
    rows = [
        {**row, "doc_id": i, "masked": masked, "review": {**review, "document": i}}
        for i, masked in enumerate(([], [[0, 7]]))
    ]
    path, out = write_jsonl(tmp_path / "r.jsonl", rows), tmp_path / "missed.json"
    result = deid("estimate", path, "--output", out)
    assert "1 of 2" in result.output
    assert "2 of the 3 documents of the page were reviewed" in result.output
    found = json.loads(out.read_text())
    assert found["direct"]["share"] == 0.5 and not found["complete"]
    assert found["quasi"]["share"] is None
    path.write_text('{"doc_id": 1, "text": "Ann Lee", "entity_mentions": []}\n')
    result = deid("estimate", path, code=1)
    assert "no review page's export" in result.output
    assert "Ann" not in result.output


def test_of_gold_that_overlaps_the_longest_is_shown_with_the_strictest_decision():
    found = _longest(
        [Mention(0, 5, "PERSON", "DIRECT"), Mention(0, 11, "PERSON", "QUASI")]
    )
    assert found == [Mention(0, 11, "PERSON", "DIRECT")]
    layers = [[Mention(3, 6, "LOC", "NO_MASK")], [Mention(3, 6, "ORG", "QUASI")]]
    (mentions,) = by_text([GoldDocument("In Leeds", layers)]).values()
    assert mentions == [Mention(3, 6, "LOC", "QUASI")]
