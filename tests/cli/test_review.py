import json
import re
import signal
import stat

import pytest

from spacy_deid.evaluation.gold import FUNCTION_WORDS

from ..annotated import record

TEXT = "Robert Murray of Leeds wrote 28045/02 to Robert Murray in London."
OTHER = "Ann Lee of London."


def data_of(page):
    data = r'<script type="application/json" id="(\w+)">(.*?)</script>'
    found = dict(re.findall(data, page.read_text("utf8"), re.S))
    facts, documents = found["facts"], found["documents"]
    return json.loads(facts), [json.loads(row) for row in documents.split("\n") if row]


@pytest.fixture
def page(tmp_path):
    return tmp_path / "page.html"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"


@pytest.fixture
def review(deid, model, page):
    def run(source, *args, **settings):
        said = deid("review", source, page, "--model", model, *args, **settings).output
        return (*data_of(page), said)

    return run


@pytest.fixture
def notes(write_jsonl, tmp_path):
    rows = [{"doc_id": "Murray-1", "text": TEXT, "by": "Ann Lee"}]
    rows += [{"doc_id": f"n{i}", "text": f"{i}: {OTHER}"} for i in range(8)]
    return write_jsonl(tmp_path / "notes.jsonl", rows)


def test_a_page_has_all_that_is_known(review, notes, page, tmp_path):
    facts, documents, said = review(notes)
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert {*tmp_path.iterdir()} == {notes, page}
    assert not any(word in said for word in ("Murray", "28045", "Leeds"))
    assert facts["originals"] and facts["by"] == "all"
    assert facts["function_words"] == sorted(FUNCTION_WORDS)
    assert {"pipeline", "spaCy", "spacy_deid", "page written"} <= facts.keys()
    first = documents[0]
    assert first["id"] == "Murray-1" and first["old"] == TEXT
    assert "Murray" not in first["new"] and len(documents) == 9
    spans = first["spans"]
    olds = [TEXT[slice(*s["at"])] for s in spans]
    assert olds == ["Robert Murray", "Leeds", "28045/02", "Robert Murray", "London"]
    assert first["new"][slice(*spans[-1]["to"])] == "London"
    assert [s["decision"] for s in spans][-2:] == ["DIRECT", "NO_MASK"]
    assert spans[0]["entity"] == spans[3]["entity"] != spans[1]["entity"]
    # The page fetches nothing.
    html = page.read_text("utf8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    fetching = r"https?://|url\(|@import|\bsrc=|\bhref=\"|fetch\(|XMLHttp"
    assert not re.search(rf"{fetching}|innerHTML|eval\(", html)


@pytest.mark.parametrize("order", ["review", "run"])
def test_masked_only(deid, model, notes, page, out, read_jsonl, order):
    args = (page,) if order == "review" else (out, "--review", page)
    result = deid(order, notes, *args, "--model", model, "--masked-only")
    html = page.read_text("utf8")
    for original in ("Murray", "28045", "Leeds", "Ann Lee"):
        assert original not in html and original not in result.output
    facts, documents = data_of(page)
    assert not facts["originals"]
    allowed = "at to label subtype decision risk source found reasons votes".split()
    for doc in documents:
        assert "old" not in doc and doc["epsilon"] is None
        for span in doc["spans"]:
            assert span.keys() <= {*allowed} and span["at"] == span["to"]
    if order == "run":
        shown = [(d["id"], d["new"]) for d in documents]
        assert shown == [(r["doc_id"], r["text"]) for r in read_jsonl(out)]


def test_run_writes_a_page_with_its_output(deid, review, notes, page, out, tmp_path):
    deid("run", notes, out, "--review", page, "--audit", tmp_path / "audit.jsonl")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    left = {p.name for p in tmp_path.iterdir()}
    assert left == {"notes.jsonl", "page.html", "out.jsonl", "audit.jsonl"}
    assert data_of(page)[1] == review(notes)[1]


def test_interrupted_runs_have_all_of_it(stopped, deid, notes, page, out, tmp_path):
    args = ("run", notes, out, "--review", page, "--batch-size", 2)
    stopped(*args, how=signal.SIGINT, after=3)
    assert not page.exists()
    (part,) = tmp_path.glob("page.html.*")
    assert stat.S_IMODE(part.stat().st_mode) == 0o600
    assert "Going on after 6" in deid(*args).output
    ids = [d["id"] for d in data_of(page)[1]]
    assert ids == ["Murray-1", *(f"n{i}" for i in range(8))]
    assert not [*tmp_path.glob("page.html.*")]


def test_what_has_no_page(deid, review, model, notes, page, out, tmp_path):
    for content, told in ("", "no documents are in it"), ("{\n", "no documents could"):
        (tmp_path / "x.jsonl").write_text(content)
        args = ("--model", model, tmp_path / "x.jsonl", page)
        assert told in deid("review", *args, code=1).output
    args = (tmp_path / "x.jsonl", out, "--review", page)
    said = deid("run", *args, "--report", tmp_path / "report.html", code=1).output
    assert "was left out" in said
    assert {*tmp_path.iterdir()} == {notes, tmp_path / "x.jsonl"}
    # What can be read has one.
    (tmp_path / "x.jsonl").write_text('{"doc_id": 1, "text": "Ann Lee"}\n{"text": \n')
    _, documents, said = review(tmp_path / "x.jsonl", code=1)
    assert "x.jsonl:2" in said and "1 document was left out" in said
    assert len(documents) == 1


@pytest.mark.parametrize("by", ["random", "risk", "stratified"])
def test_samples(review, notes, by):
    options = ("--sample", 4, "--by", by, "--seed", 5)
    facts, documents, _ = review(notes, *options)
    assert documents == review(notes, *options)[1]
    assert 3 <= len(documents) == len(facts["drawn"]) <= 5 and facts["by"] == by
    assert sum({row[0]: row[1] for row in facts["drawn"]}.values()) <= 9


def test_gold_is_compared(review, notes, tmp_path, write_jsonl):
    row = record(
        "[Robert Murray](PERSON DIRECT) of [Leeds](ORG QUASI) [wrote](MISC QUASI) "
        "28045/02 to Robert Murray [in London](LOC NO_MASK)."
    )
    gold = ("--gold", write_jsonl(tmp_path / "gold.jsonl", [row]))
    first, second, *_ = review(notes, *gold)[1]
    (missed,) = first["missed"]
    assert TEXT[slice(*missed["at"])] == "wrote" and missed["decision"] == "QUASI"
    assert first["new"][slice(*missed["to"])] == "wrote" and "missed" not in second
    name, place, code, again, kept = (s.get("gold") for s in first["spans"])
    assert name is None and code == again == []
    assert place == [{"label": "ORG", "decision": "QUASI", "at": [17, 22]}]
    assert kept[0]["decision"] == "NO_MASK"
    (masked, *_) = review(notes, *gold, "--masked-only")[1]
    assert "at" not in masked["spans"][1]["gold"][0]


def test_several_fields_and_gold_that_overlaps(review, tmp_path, write_jsonl):
    rows = [{"doc_id": 1, "title": "For Ann Lee", "body": TEXT}]
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    for more in ((), ("--masked-only",)):
        (doc,) = review(path, "--text-field", "title,body", *more)[1]
        text, spans = doc.get("old", doc["new"]), doc["spans"]
        assert text[slice(*spans[-1]["at"])] == "London" and len(spans) == 6
    # Within the mentions of one annotator, and of several.
    text = "Nothing of Zyx Qorr here"
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "d", "text": text}])
    wide = record("Nothing of [Zyx Qorr](PERSON QUASI e1) here", annotator="a")
    short = record("Nothing of [Zyx](PERSON DIRECT e2) Qorr here", annotator="b")
    both = wide["entity_mentions"] + short["entity_mentions"]
    for rows in ([{**wide, "entity_mentions": both}], [wide, short]):
        gold = write_jsonl(tmp_path / "gold.jsonl", rows)
        ((doc,), _) = review(source, "--gold", gold)[1:]
        told = [(text[slice(*m["at"])], m["decision"]) for m in doc["missed"]]
        assert told == [("Zyx Qorr", "DIRECT")]


def test_the_estimate_is_printed_and_written(deid, refused, tmp_path, write_jsonl):
    review = {"by": "random", "stratum": "", "population": 100, "drawn": 3, "page": "p"}
    review |= {"done": True, "probability": 0.03}
    row = record("[Ann Lee](PERSON DIRECT e1) of London.")
    rows = [
        {**row, "doc_id": i, "masked": masked, "review": {**review, "document": i}}
        for i, masked in enumerate(([], [[0, 7]]))
    ]
    path, out = write_jsonl(tmp_path / "r.jsonl", rows), tmp_path / "missed.json"
    shown = deid("estimate", path, "--output", out).output
    assert "1 of 2" in shown
    assert "2 of the 3 documents of the page were reviewed" in shown
    found = json.loads(out.read_text())
    assert found["direct"]["share"] == 0.5 and not found["complete"]
    assert found["quasi"]["share"] is None
    write_jsonl(path, [{"doc_id": 1, "text": "Ann Lee", "entity_mentions": []}])
    assert "Ann" not in refused("no review page's export", "estimate", path)
