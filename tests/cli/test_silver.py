import json
import signal

import pytest
import spacy
from spacy.tokens import DocBin

from spacy_deid.gazetteers import Compiler, Entry

from ..cases import cases

TEXT = "Ann Lee, who is a lawyer, left Leeds on 3 May 1980."
N_DOCS = 40


@pytest.fixture(scope="module")
def generic(tmp_path_factory):
    """A saved pipeline with entities in OntoNotes' labels, and one of its own."""
    nlp = spacy.blank("en")
    nlp.tokenizer.rules = {}
    known = {"Ann Lee": "PERSON", "Leeds": "GPE", "Rex": "PET"}
    rules = [{"label": label, "pattern": text} for text, label in known.items()]
    nlp.add_pipe("entity_ruler").add_patterns(rules)
    path = tmp_path_factory.mktemp("generic") / "model"
    nlp.to_disk(path)
    return path


@pytest.fixture(scope="module")
def silver(deid, generic):
    def run(*args, code=0):
        own = () if "--model" in args else ("--model", generic)
        return deid("silver", *args, *own, code=code).stderr

    return run


@pytest.fixture
def annotated(silver, tmp_path, write_jsonl, read_jsonl):
    def run(rows, *options):
        source, out = write_jsonl(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl"
        report = tmp_path / "report.json"
        said = silver(source, out, "--report", report, *options)
        return read_jsonl(out), json.loads(report.read_bytes()), said

    return run


def found(record):
    keys = ("start_offset", "end_offset", "entity_type", "source")
    rows = ([m[key] for key in keys] for m in record["entity_mentions"])
    return [(record["text"][start:end], *more) for start, end, *more in rows]


def test_records(annotated, tmp_path):
    rows = [{"doc_id": "a", "text": TEXT}, {"doc_id": 2, "text": ""}]
    rows.append({"text": "Rex ran."})
    (first, second, third), counts, said = annotated(rows)
    assert first["doc_id"] == "a" and first["text"] == TEXT
    assert found(first) == cases(__file__, "found")
    fields = "start_offset end_offset entity_type subtype entity_id score source"
    assert set(first["entity_mentions"][0]) == set(fields.split())
    assert second == {"doc_id": 2, "text": "", "entity_mentions": []}
    assert (third["doc_id"], third["entity_mentions"]) == ("in-3", [])
    for name, count in cases(__file__, "counts"):
        assert counts[name] == count
    assert counts["corpus"]["documents"] == 3
    # The seed list of cities knows Leeds as well.
    assert counts["agreement"]["LOC/same"] == 1
    assert "scheme does not have (choose with --scheme): PET 1" in said
    assert "Found by: ner 2, pattern 1, term 1" in said
    assert "Ann" not in said and "Leeds" not in json.dumps(counts)
    names = ["in.jsonl", "out.jsonl", "report.json"]
    assert sorted(p.name for p in tmp_path.iterdir()) == names


def test_o_threshold_of_the_recognizer_and_gazetteers(annotated, tmp_path):
    covered = []
    for threshold in ("0", "1"):
        options = ["--model", "en_deid_sm", "--no-patterns", "--no-seed-terms"]
        options += ["--o-threshold", threshold]
        ((record,), counts, _) = annotated([{"text": TEXT}], *options)
        assert counts["o_threshold"] == float(threshold)
        mentions = record["entity_mentions"]
        covered.append(sum(m["end_offset"] - m["start_offset"] for m in mentions))
    assert covered[0] < covered[1]
    compiler = Compiler()
    compiler.add(Entry("zither maker", "DEM", "Q1", "P106", 10))
    compiler.write(tmp_path / "own.gaz")
    options = ["--gazetteer", tmp_path / "own.gaz", "--no-seed-terms"]
    ((record,), *_) = annotated([{"text": "She is a zither maker."}], *options)
    assert found(record) == [("zither maker", "DEM", "term:P106")]
    assert record["entity_mentions"][0]["subtype"] == "OCCUPATION"


def test_evaluation_data_is_left_out(annotated, tmp_path, write_jsonl):
    (case,) = cases(__file__, "case")
    gold = write_jsonl(tmp_path / "gold.jsonl", [{"doc_id": "x", "text": case}])
    texts = ["Another text about Leeds.", f"Quoted: {case} And so on."]
    rows = [{"doc_id": i, "text": text} for i, text in enumerate(texts)]
    records, counts, said = annotated(rows, "--exclude", gold)
    assert [r["doc_id"] for r in records] == [0]
    assert counts["excluded"] == {"shared_run": 1}
    assert "Also in evaluation data: 1 document was left out" in said
    assert len(annotated(rows, "--exclude", gold, "--exclude-words", 60)[0]) == 2


def test_unforeseen_labels_and_failing_documents(
    silver, tmp_path, write_jsonl, make_pipeline, bomb_model, read_jsonl
):
    make_pipeline(mask=False).to_disk(tmp_path / "model")
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": "Robert Murray"}])
    options = ["--model", tmp_path / "model", "--spans-key", "pii"]
    options += ["--scheme", "meddocan", "--strict"]
    said = silver(source, tmp_path / "out.jsonl", *options, code=1)
    assert "PERSON" in said and "Murray" not in said
    assert not (tmp_path / "out.jsonl").exists()
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = b'{"text": "one"}|{"doc_id": 1, "text": "BOMB"}|{"text": "\xff"}|{"text": "two"}'
    source.write_bytes(lines.replace(b"|", b"\n") + b'\n{"te\n')
    said = silver(source, out, "--model", bomb_model, "--spans-key", "pii", code=1)
    assert [r["text"] for r in read_jsonl(out)] == ["one", "two"]
    for place in ("in.jsonl:2 (id 1): RuntimeError", "in.jsonl:3", "in.jsonl:5"):
        assert f"Left out: {place}" in said
    assert "3 documents were left out" in said and "cannot work" not in said


def test_long_document(silver, tmp_path, read_jsonl):
    """More than spaCy reads by default, and than a recognizer reads at a time."""
    source, out = tmp_path / "long.txt", tmp_path / "out.jsonl"
    text = "Ann Lee began.\n" + f"{'x' * 100} nothing.\n" * 10_000 + "Then Leeds.\n"
    source.write_text(text, encoding="utf8")
    silver(source, out, "--no-patterns", "--no-seed-terms")
    (record,) = read_jsonl(out)
    assert len(text) > 1_000_000
    assert [entry[0] for entry in found(record)] == ["Ann Lee", "Leeds"]


@pytest.fixture(scope="module")
def many(tmp_path_factory, write_jsonl):
    rows = [{"doc_id": i, "text": f"{TEXT} {i}"} for i in range(N_DOCS)]
    return write_jsonl(tmp_path_factory.mktemp("many") / "in.jsonl", rows)


@pytest.fixture(scope="module")
def whole(silver, many, tmp_path_factory):
    """What an undisturbed run with several processes writes: output and report."""
    path = tmp_path_factory.mktemp("whole")
    args = (many, path / "out.jsonl", "--n-process", 2, "--batch-size", 8)
    silver(*args, "--report", path / "report.json")
    return (path / "out.jsonl").read_bytes(), (path / "report.json").read_bytes()


def test_processes_and_other_settings(silver, many, tmp_path, whole, stopped, generic):
    out, report = tmp_path / "out.jsonl", tmp_path / "report.json"
    silver(many, out, "--report", report, "--batch-size", 8)
    assert (out.read_bytes(), report.read_bytes()) == whole
    # Other settings start anew.
    stopped("silver", many, out, "--model", generic, "--batch-size", 8)
    assert "starting anew" in silver(many, out, "--no-patterns", "--batch-size", 8)
    assert len(out.read_bytes().splitlines()) == N_DOCS


@pytest.mark.parametrize("suffix,how", [(".jsonl", "SIGINT"), (".spacy", "SIGKILL")])
def test_resume(silver, stopped, generic, many, tmp_path, whole, how, suffix):
    out, report = tmp_path / f"out{suffix}", tmp_path / "report.json"
    records = out if suffix == ".jsonl" else tmp_path / "out.spacy.records.jsonl"
    state = records.with_name(records.name + ".part.state")
    args = (many, out, "--model", generic, "--batch-size", 8, "--report", report)
    code, err = stopped("silver", *args, how=signal.Signals[how])
    assert code == (130 if how == "SIGINT" else -signal.SIGKILL), err
    assert not out.exists() and not report.exists()
    done = json.loads(state.read_bytes())["state"]["docs"]
    assert 0 < done < N_DOCS and f"Going on after {done} documents" in silver(*args)
    # The counts are those of both parts.
    assert report.read_bytes() == whole[1]
    assert {p.name for p in tmp_path.iterdir()} == {out.name, "report.json"}
    if suffix == ".jsonl":
        assert out.read_bytes() == whole[0]
    else:
        docs = list(DocBin().from_disk(out).get_docs(spacy.blank("en").vocab))
        assert len(docs) == N_DOCS
