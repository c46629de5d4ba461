import csv
import gzip
import json
import os
import re
import stat
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import spacy

from spacy_deid.cli import main
from spacy_deid.surrogates.consistency import KeySource

from ..cases import cases

TEXT = "Robert Murray of Leeds met Ann Lee in London. MURRAY left Leeds."
ROW = {"doc_id": "a", "text": TEXT}
OPTIONS = "all named_placeholder word_by_word full_entity spacy_deid.redact.v1"
FIELDS = set("start end new_start new_end label subtype decision risk sources".split())


def check_record(record, text, masked=("Robert Murray", "Leeds", "Ann Lee", "MURRAY")):
    """Offsets fit both texts, nothing masked is left."""
    last = new_last = 0
    new_text, written = record["text"], json.dumps(record, ensure_ascii=False)
    for span in record["spans"]:
        assert set(span) == FIELDS
        assert text[last : span["start"]] == new_text[new_last : span["new_start"]]
        last, new_last = span["end"], span["new_end"]
        old, new = text[span["start"] : last], new_text[span["new_start"] : new_last]
        assert old == new if span["decision"] == "NO_MASK" else old not in written
    assert text[last:] == new_text[new_last:]
    assert not any(name in written for name in masked)


def test_jsonl_and_no_masked_string_in_other_fields(run_rows, tmp_path):
    separators = "a\u2028b\u2029c\x85d\ne Leeds"
    rows = [{**ROW, "topic": "visit", "n": 3}, {"doc_id": 7, "text": ""}]
    rows.append({"text": "Nobody.", "spans": [1]})
    records, said = run_rows([*rows, {"doc_id": "a\u2028", "text": separators}])
    first, empty, nobody, lines = records
    assert [r["doc_id"] for r in records] == ["a", 7, "in-3", "a\u2028"]
    assert list(first)[:4] == ["doc_id", "text", "spans", "epsilon"]
    assert (first["topic"], first["n"]) == ("visit", 3)
    check_record(first, TEXT)
    decisions = [s["decision"] for s in first["spans"]]
    assert decisions[0] == "DIRECT" and "NO_MASK" in decisions
    assert "London" in first["text"] and (empty["text"], empty["spans"]) == ("", [])
    assert (nobody["text"], nobody["spans"]) == ("Nobody.", [])
    # Line breaks inside of strings stay there.
    assert lines["text"].startswith(separators[:-5])
    assert len((tmp_path / "out.jsonl").read_text("utf8").splitlines()) == 4
    assert "4 documents" in said and "spans 1" in said
    assert not list(tmp_path.glob("*.part*"))
    (new,), said = run_rows(cases(__file__, "fields"))
    line = json.dumps(new)
    for original in ("Robert", "Murray", "MURRAY", "Ann", "Leeds", "leeds", "12345678"):
        assert original not in line
    assert new["title"].endswith("London") and new["title"].startswith("Visit of ")
    assert new["account"] is None and new["nested"]["n"] == 3
    assert new["entity_mentions"][0]["start_offset"] == 0
    for name in ("doc_id", "title", "surname", "nested", "entity_mentions"):
        assert f"{name} 1" in said
    assert "Murray" not in said


@pytest.mark.parametrize("option", OPTIONS.split())
def test_masks_and_strategies(run_rows, option):
    everything = option == "all"
    ((record,), _) = run_rows([ROW], "--mask" if everything else "--strategy", option)
    check_record(record, TEXT)
    assert ("London" in record["text"]) != everything
    assert ("NO_MASK" in {s["decision"] for s in record["spans"]}) != everything


def test_scope(run_rows, key):
    rows = [{"doc_id": i, "text": t} for i, t in enumerate(cases(__file__, "scopes"))]

    def names(scope):
        for r in run_rows(rows, "--strategy", "full_entity", "--scope", scope)[0]:
            for span in r["spans"]:
                yield r["text"][span["new_start"] : span["new_end"]]

    a, b, c, d = names("document")
    assert a == b and c == d and len({*names("corpus")}) == 1
    for scope in ("sentence", "mention"):
        a, b, c, d = names(scope)
        assert a != b and c != d


def test_a_key_is_made(deid):
    made = [deid("key").stdout.strip() for _ in range(2)]
    assert made[0] != made[1]
    for key in made:
        assert re.fullmatch(r"[\w-]{43}", key)
        source = KeySource()
        source.set(key)
        # Used as it is, at no cost.
        assert source.get() == key.encode()


def test_key_makes_output_repeatable(deid, tmp_path, monkeypatch, write_jsonl, key):
    source = write_jsonl(tmp_path / "in.jsonl", [ROW])
    args = ("run", source, "-", "--strategy", "full_entity")
    first = deid(*args)
    assert deid(*args).stdout == first.stdout and key not in first.output
    monkeypatch.setenv("OTHER_KEY", "j" * 32)
    assert deid(*args, "--key-env", "OTHER_KEY").stdout != first.stdout
    monkeypatch.delenv("SPACY_DEID_KEY")
    assert deid(*args).stdout != first.stdout


@pytest.fixture
def folder(tmp_path, write_jsonl):
    root = tmp_path / "in"
    files = dict.fromkeys((".hidden/x.txt", ".secret.txt", "a.txt", "sub/b.TXT"), TEXT)
    for name, content in {**files, "sub/d.csv": f'text\n"{TEXT}"\n'}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    (root / "linked").symlink_to(root / "sub")
    write_jsonl(root / "c.jsonl", [{"doc_id": i, "text": TEXT} for i in range(3)])
    return root


def test_folder_to_folder(folder, deid, tmp_path, read_jsonl):
    out = tmp_path / "out"
    result = deid("run", folder, out)
    files = sorted(p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file())
    assert files == ["a.txt", "c.jsonl", "sub/b.TXT", "sub/d.csv"]
    assert len(read_jsonl(out / "c.jsonl")) == 3
    assert not any("Murray" in path.read_text() for path in out.rglob("*.*"))
    assert (out / "sub" / "d.csv").read_text().startswith("text\n")
    named = re.search(r"3 left out: (.*)", result.stderr)[1]
    hidden = ".hidden (hidden), .secret.txt (hidden)"
    assert named == f"{hidden}, linked (a link to a folder)"
    assert "6 documents" in result.stderr
    # Files of unknown kinds are errors; the others come out.
    names = [f"sub/{i}.png" for i in range(30)]
    for name in names:
        (folder / name).write_bytes(b"\x89PNG")
    said = deid("run", folder, tmp_path / "one", code=1).stderr
    for name in names:
        assert f"Left out: {name}: of a kind that is not read\n" in said
    assert "6 documents" in said
    said = deid("run", folder, tmp_path / "two", "--skip-unknown").stderr
    assert "30 left out" in said and not [*tmp_path.glob("[ot]*/**/*.png")]


def test_audit(deid, run_rows, tmp_path, read_jsonl):
    source, out, audit = (tmp_path / f"{n}.jsonl" for n in ("in", "out", "audit"))
    old = os.umask(0)
    try:
        ((record,), _) = run_rows([ROW], "--audit", audit)
    finally:
        os.umask(old)
    assert stat.S_IMODE(audit.stat().st_mode) == 0o600
    (line,) = read_jsonl(audit)
    assert line["doc_id"] == "a" and record["text"] != TEXT
    for span in line["spans"]:
        assert TEXT[span["start"] : span["end"]] == span["text"]
    assert {"Robert Murray", "Ann Lee", "Leeds"} <= {s["text"] for s in line["spans"]}
    for bad in (source, out, tmp_path, tmp_path / "no" / "x"):
        assert "--audit" in deid("run", source, out, "--audit", bad, code=1).stderr


@pytest.mark.parametrize("extra", [(), ("--n-process", 2), ("--batch-size", 1)])
def test_failing_document_is_left_out(run_rows, bomb_model, extra):
    rows = [{"doc_id": i, "text": TEXT} for i in range(5)]
    rows[2]["text"] = "BOMB of Robert Murray"
    records, said = run_rows(rows, "--model", bomb_model, *extra, code=1)
    assert [r["doc_id"] for r in records] == [0, 1, 3, 4]
    assert "in.jsonl:3 (id 2): RuntimeError" in said
    assert "Murray" not in said and "BOMB" not in said
    assert "1 document was left out" in said


def test_folder_with_a_failing_file(folder, deid, tmp_path, bomb_model):
    out = tmp_path / "out"
    args = ("run", folder, out, "--model", bomb_model)
    (folder / "b.txt").write_text("BOMB")
    assert "earlier" not in deid(*args, code=1).stderr and not (out / "b.txt").exists()
    assert (out / "a.txt").exists() and (out / "sub" / "b.TXT").exists()
    # What an earlier run left of such a file is named.
    (folder / "a.txt").write_text("BOMB Ann Lee")
    said = deid(*args, code=1).stderr
    assert f"{out / 'a.txt'}: of an earlier run, and still there" in said
    assert (out / "a.txt").exists()
    # Nothing is written when every document fails.
    deid("run", folder / "b.txt", tmp_path / "o.txt", *args[3:], code=1)
    assert not [*tmp_path.glob("o.txt*")]


def test_pipelines_that_lack_a_part(run_rows, tmp_path, make_pipeline):
    nlp = make_pipeline()
    nlp.remove_pipe("pseudonymizer")
    nlp.to_disk(tmp_path / "m")
    ((record,), _) = run_rows([ROW], "--model", tmp_path / "m")
    check_record(record, TEXT)
    # One without a detector passes nothing through.
    (tmp_path / "out.jsonl").unlink()
    spacy.blank("en").to_disk(tmp_path / "blank")
    records, _ = run_rows([ROW], "--model", tmp_path / "blank", code=1)
    assert not records and not (tmp_path / "out.jsonl").exists()


def test_long_document(deid, tmp_path):
    text = ("Robert Murray went to Leeds. " + f"{'word' * 60} ") * 4000
    source, out = tmp_path / "long.txt", tmp_path / "out.txt"
    source.write_text(text)
    deid("run", source, out)
    written = out.read_text()
    assert len(text) > 1_000_000 and "Murray" not in written
    assert written.count("word") == text.count("word")


@pytest.mark.parametrize("kind, kept", [("jsonl", "abc"), ("csv", "ab")])
def test_broken_lines_are_told_of(deid, tmp_path, read_jsonl, kind, kept):
    rows = cases(__file__, kind)
    if kind == "jsonl":
        rows.insert(2, ("[" * 100_000, 1))
    source, out = tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
    source.write_bytes("\n".join(line for line, _ in rows).encode("latin-1"))
    result = deid("run", source, out, code=1)
    read = read_jsonl(out) if kind == "jsonl" else csv.DictReader(out.open())
    assert [row["doc_id"] for row in read] == [*kept]
    for number, (_, told) in enumerate(rows, 1):
        assert (f"in.{kind}:{number}: " in result.stderr) == bool(told)
    assert f"{sum(told for _, told in rows)} documents were left out" in result.stderr
    assert "Leeds" not in result.output


def test_version_and_script():
    from spacy_deid import __version__

    script = Path(sysconfig.get_path("scripts")) / "spacy-deid"
    for command in ([script], [sys.executable, "-m", "spacy", "deid"]):
        done = subprocess.run([*command, "--version"], capture_output=True, check=True)
        assert done.stdout.decode().split() == ["spacy-deid", __version__]


def test_json_files_hold_array_or_object(deid, tmp_path, key):
    records = [{"doc_id": i, "text": TEXT, "n": [1.5, None]} for i in range(3)]
    source, out, back = (tmp_path / name for name in ("in", "out", "back"))
    source.mkdir()
    (source / "a.json").write_text(json.dumps(records, indent=2))
    (source / "b.json").write_text(json.dumps(records[0]))
    (source / "c.json").write_text("[]")
    vault = ["--vault", tmp_path / "vault"]
    deid("run", source, out, *vault)
    new = json.loads((out / "a.json").read_text())
    assert [r["doc_id"] for r in new] == [0, 1, 2] and new[0]["n"] == [1.5, None]
    check_record(new[0], TEXT)
    assert len(json.loads((out / "b.json").read_text())) == 1
    deid("restore", out, back, *vault)
    assert json.loads((back / "a.json").read_text()) == records
    packed = tmp_path / "d.json.gz"
    packed.write_bytes(gzip.compress((source / "a.json").read_bytes()))
    deid("run", packed, tmp_path / "o.json.gz")
    new = json.loads(gzip.decompress((tmp_path / "o.json.gz").read_bytes()))
    assert [r["doc_id"] for r in new] == [0, 1, 2]
    # A stream is JSON lines, whatever the input.
    lines = deid("run", source / "a.json", "-").stdout.splitlines()
    assert [json.loads(line)["doc_id"] for line in lines] == [0, 1, 2]


@pytest.mark.parametrize("kind,sign", [("csv", ","), ("tsv", "\t")])
def test_tables_come_through_a_pipe(kind, sign, model, monkeypatch, capfd):
    end, start = os.pipe()
    table = f"text{sign}n\nRobert Murray came{sign}1\nNobody did{sign}2\n"
    os.write(start, table.encode())
    os.close(start)
    order = ["run", "-", "-", "--input-format", kind, "--model", str(model)]
    monkeypatch.setattr(sys, "argv", ["spacy-deid", *order])
    with open(end) as pipe, pytest.raises(SystemExit) as ended:
        monkeypatch.setattr(sys, "stdin", pipe)
        main()
    out, error = capfd.readouterr()
    assert not ended.value.code, error
    head, first, second = out.splitlines()
    assert head == f"text{sign}n" and "Murray" not in first and first.endswith("1")
    assert second == f"Nobody did{sign}2"
