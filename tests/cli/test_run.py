import csv
import gzip
import io
import json
import os
import re
import stat
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

import pytest
import spacy
from spacy.language import Language

from spacy_deid.cli import main

TEXT = "Robert Murray of Leeds met Ann Lee in London. MURRAY left Leeds."
ROW = {"doc_id": "a", "text": TEXT}
FIELDS = set("start end new_start new_end label subtype decision risk sources".split())


@Language.component("cli_test_bomb")
def bomb(doc):
    if "BOMB" in doc.text:
        raise RuntimeError(f"cannot work on {doc.text}")
    return doc


@pytest.fixture
def bomb_model(tmp_path, make_pipeline):
    nlp = make_pipeline()
    nlp.add_pipe("cli_test_bomb", first=True)
    nlp.to_disk(tmp_path / "bomb")
    return tmp_path / "bomb"


def check_record(record, text, masked=("Robert Murray", "Leeds", "Ann Lee", "MURRAY")):
    """Offsets fit both texts, nothing masked is left."""
    last = new_last = 0
    for span in record["spans"]:
        assert set(span) == FIELDS
        assert (
            text[last : span["start"]] == record["text"][new_last : span["new_start"]]
        )
        old = text[span["start"] : span["end"]]
        new = record["text"][span["new_start"] : span["new_end"]]
        if span["decision"] == "NO_MASK":
            assert old == new
        else:
            assert old not in json.dumps(record, ensure_ascii=False)
        last, new_last = span["end"], span["new_end"]
    assert text[last:] == record["text"][new_last:]
    for name in masked:
        assert name not in json.dumps(record, ensure_ascii=False)


def test_jsonl(run_rows, tmp_path):
    rows = [
        {**ROW, "topic": "visit", "n": 3},
        {"doc_id": 7, "text": ""},
        {"text": "Nobody.", "spans": [1]},
    ]
    records, said = run_rows(rows)
    first, empty, nobody = records
    assert [r["doc_id"] for r in records] == ["a", 7, "in-3"]
    assert list(first)[:4] == ["doc_id", "text", "spans", "epsilon"]
    assert (first["topic"], first["n"]) == ("visit", 3)
    check_record(first, TEXT)
    decisions = [s["decision"] for s in first["spans"]]
    assert decisions[0] == "DIRECT" and "NO_MASK" in decisions
    assert "London" in first["text"]
    assert (empty["text"], empty["spans"]) == ("", [])
    assert (nobody["text"], nobody["spans"]) == ("Nobody.", [])
    assert "3 documents" in said and "spans 1" in said
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize(
    "options",
    [
        ("--mask", "all"),
        ("--strategy", "named_placeholder"),
        ("--strategy", "word_by_word"),
        ("--strategy", "full_entity"),
        ("--strategy", "spacy_deid.redact.v1"),
    ],
)
def test_masks_and_strategies(run_rows, options):
    ((record,), _) = run_rows([ROW], *options)
    check_record(record, TEXT)
    everything = options[0] == "--mask"
    assert ("London" in record["text"]) != everything
    kept = "NO_MASK" in {s["decision"] for s in record["spans"]}
    assert kept != everything


def test_scope(deid, tmp_path, monkeypatch, write_jsonl):
    texts = (
        "Robert Murray left. Then Robert Murray came back.",
        "He wrote to Robert Murray. Nobody but Robert Murray read it.",
    )
    rows = [{"doc_id": i, "text": text} for i, text in enumerate(texts)]
    source = write_jsonl(tmp_path / "in.jsonl", rows)
    args = ("run", source, "-", "--strategy", "full_entity", "--scope")
    result = deid(*args, "corpus", code=1)
    assert "--scope: " in result.stderr and "key" in result.stderr
    monkeypatch.setenv("SPACY_DEID_KEY", "k" * 32)

    def names(scope):
        result = deid(*args, scope)
        records = [*map(json.loads, result.stdout.splitlines())]
        return [
            [r["text"][s["new_start"] : s["new_end"]] for s in r["spans"]]
            for r in records
        ]

    (a, b), (c, d) = names("document")
    assert a == b and c == d
    (a, b), (c, d) = names("corpus")
    assert a == b == c == d
    for scope in ("sentence", "mention"):
        assert all(a != b for a, b in names(scope))
    assert "'scope' should be one of" in deid(*args, "world", code=1).stderr


def test_key_makes_output_repeatable(deid, tmp_path, monkeypatch, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": TEXT}])
    args = ("run", source, "-", "--strategy", "full_entity")
    monkeypatch.setenv("SPACY_DEID_KEY", "k" * 32)
    first = deid(*args)
    assert deid(*args).stdout == first.stdout
    monkeypatch.setenv("OTHER_KEY", "j" * 32)
    other = deid(*args, "--key-env", "OTHER_KEY")
    assert other.stdout != first.stdout
    assert "kkkk" not in first.output
    monkeypatch.delenv("SPACY_DEID_KEY")
    assert deid(*args).stdout != first.stdout
    missing = deid(*args, "--key-env", "NOT_SET_ANYWHERE", code=1)
    assert "NOT_SET_ANYWHERE" in missing.stderr


def test_txt_keeps_every_other_byte(deid, tmp_path):
    end = " \u2028 é\r\nno newline at the end"
    raw = "\ufeffDear Robert Murray,\r\n\tLeeds" + end
    (tmp_path / "letter.txt").write_bytes(raw.encode("utf-8"))
    deid("run", tmp_path / "letter.txt", tmp_path / "out.txt")
    written = (tmp_path / "out.txt").read_bytes().decode("utf-8")
    assert re.fullmatch(rf"\ufeffDear [^,]+,\r\n\t.+{end}", written)
    assert "Murray" not in written and "Leeds" not in written


@pytest.mark.parametrize(
    "delimiter,newline", [(",", "\r\n"), (";", "\n"), ("\t", "\n")]
)
def test_csv(deid, tmp_path, delimiter, newline):
    rows = [
        ["id", "text", "note"],
        ["1", TEXT, "a"],
        ["2", 'He said "Leeds".\nSecond line; and, more', ""],
        ["3", "", "x" * 200_000],
    ]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=newline).writerows(rows)
    source = tmp_path / "in.csv"
    source.write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())
    deid("run", source, tmp_path / "out.csv", "--id-field", "id")
    raw = (tmp_path / "out.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbfid" + delimiter.encode())
    assert raw.endswith(newline.encode())
    written = list(
        csv.reader(
            io.StringIO(raw.decode("utf-8-sig"), newline=""), delimiter=delimiter
        )
    )
    assert [[r[0], r[2]] for r in written] == [[r[0], r[2]] for r in rows]
    assert "Murray" not in written[1][1] and "London" in written[1][1]
    assert "Leeds" not in written[2][1]
    assert written[2][1].endswith('".\nSecond line; and, more')
    assert written[3][1] == ""


@pytest.fixture
def folder(tmp_path, write_jsonl):
    root = tmp_path / "in"
    (root / "sub").mkdir(parents=True)
    (root / ".hidden").mkdir()
    (root / ".hidden" / "x.txt").write_text("Robert Murray")
    (root / ".secret.txt").write_text("Robert Murray")
    (root / "linked").symlink_to(root / "sub")
    (root / "a.txt").write_text(TEXT)
    (root / "sub" / "b.TXT").write_text(TEXT)
    (root / "sub" / "d.csv").write_text(f'text\n"{TEXT}"\n')
    write_jsonl(root / "c.jsonl", [{"doc_id": i, "text": TEXT} for i in range(3)])
    return root


def test_folder_to_folder(folder, deid, tmp_path, read_jsonl):
    result = deid("run", folder, tmp_path / "out")
    out = tmp_path / "out"
    files = sorted(p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file())
    assert files == ["a.txt", "c.jsonl", "sub/b.TXT", "sub/d.csv"]
    assert len(read_jsonl(out / "c.jsonl")) == 3
    for path in out.rglob("*.*"):
        assert "Murray" not in path.read_text()
    assert (out / "sub" / "d.csv").read_text().startswith("text\n")
    named = re.search(r"3 left out: (.*)", result.stderr)[1]
    assert (
        named == ".hidden (hidden), .secret.txt (hidden), linked (a link to a folder)"
    )
    assert "6 documents" in result.stderr


def test_files_of_unknown_kinds_are_errors(folder, deid, tmp_path):
    names = [f"sub/{i}.png" for i in range(30)]
    for name in names:
        (folder / name).write_bytes(b"\x89PNG")
    result = deid("run", folder, tmp_path / "out", code=1)
    for name in names:
        assert f"Left out: {name}: of a kind that is not read\n" in result.stderr
    # The others came out.
    assert "6 documents" in result.stderr
    assert not [*(tmp_path / "out").rglob("*.png")]
    result = deid("run", folder, tmp_path / "two", "--skip-unknown")
    assert "30 left out" in result.stderr
    assert not [*(tmp_path / "two").rglob("*.png")]


def test_no_masked_string_in_other_fields(run_rows):
    record = {
        "doc_id": "Murray-Robert_Murray",
        "text": TEXT + " Account 12345678.",
        "title": "Visit of ROBERT  MURRAY to leeds, London",
        "surname": "Murray",
        "nested": {"people": ["Ann Lee", {"Robert Murray": "Ann"}], "n": 3},
        "joined": "xRobert Murrayx",
        "account": 12345678,
        "count": 2,
        "ok": True,
        "none": None,
        "entity_mentions": [{"start_offset": 0, "span_text": "Robert Murray"}],
    }
    (new,), said = run_rows([record])
    line = json.dumps(new)
    for original in ("Robert", "Murray", "MURRAY", "Ann", "Leeds", "leeds", "12345678"):
        assert original not in line
    assert new["title"].endswith("London") and new["title"].startswith("Visit of ")
    assert new["joined"] == "***" and new["account"] is None
    assert (new["count"], new["ok"], new["none"]) == (2, True, None)
    assert new["nested"]["n"] == 3
    assert new["entity_mentions"][0]["start_offset"] == 0
    for name in ("doc_id", "title", "surname", "nested", "entity_mentions"):
        assert f"{name} 1" in said
    assert "Murray" not in said


def test_audit(deid, run_rows, tmp_path, read_jsonl):
    source, audit = tmp_path / "in.jsonl", tmp_path / "audit.jsonl"
    old = os.umask(0)
    try:
        (out,), _ = run_rows([ROW], "--audit", audit)
    finally:
        os.umask(old)
    assert stat.S_IMODE(audit.stat().st_mode) == 0o600
    (line,) = read_jsonl(audit)
    assert line["doc_id"] == "a"
    for span in line["spans"]:
        assert TEXT[span["start"] : span["end"]] == span["text"]
    originals = {s["text"] for s in line["spans"]}
    assert {"Robert Murray", "Ann Lee", "Leeds"} <= originals
    assert out["text"] != TEXT
    for bad in (source, tmp_path / "out.jsonl", tmp_path, tmp_path / "no" / "x"):
        refused = deid("run", source, tmp_path / "out.jsonl", "--audit", bad, code=1)
        assert "--audit" in refused.stderr


@pytest.mark.parametrize("extra", [(), ("--n-process", 2), ("--batch-size", 1)])
def test_failing_document_is_left_out(run_rows, bomb_model, extra):
    rows = [{"doc_id": i, "text": TEXT} for i in range(5)]
    rows[2]["text"] = "BOMB of Robert Murray"
    records, said = run_rows(rows, "--model", bomb_model, *extra, code=1)
    assert [r["doc_id"] for r in records] == [0, 1, 3, 4]
    assert "in.jsonl:3 (id 2): RuntimeError" in said
    assert "Murray" not in said and "BOMB" not in said
    assert "1 document was left out" in said


def test_nothing_is_written_when_every_document_fails(deid, tmp_path, bomb_model):
    source = tmp_path / "x.txt"
    source.write_text("BOMB")
    deid("run", source, tmp_path / "out.txt", "--model", bomb_model, code=1)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bomb", "x.txt"]


def test_folder_with_a_failing_file(folder, deid, tmp_path, bomb_model):
    out = tmp_path / "out"
    args = ("run", folder, out, "--model", bomb_model)
    (folder / "b.txt").write_text("BOMB")
    first = deid(*args, code=1)
    assert "earlier" not in first.stderr
    assert not (out / "b.txt").exists()
    assert (out / "a.txt").exists() and (out / "sub" / "b.TXT").exists()
    # What an earlier run left of such a file is named.
    (folder / "a.txt").write_text("BOMB Ann Lee")
    second = deid(*args, code=1)
    assert (out / "a.txt").exists()
    assert f"{out / 'a.txt'}: of an earlier run, and still there" in second.stderr


def test_processes_give_the_same(run_rows, monkeypatch):
    monkeypatch.setenv("SPACY_DEID_KEY", "k" * 32)
    rows = [{"doc_id": i, "text": f"{TEXT} {i}"} for i in range(40)]
    one, _ = run_rows(rows, "--batch-size", 3)
    two, _ = run_rows(rows, "--batch-size", 3, "--n-process", 2)
    assert one == two and len(one) == 40


def test_pipeline_without_pseudonymizer_gets_one(run_rows, tmp_path, make_pipeline):
    nlp = make_pipeline()
    nlp.remove_pipe("pseudonymizer")
    nlp.to_disk(tmp_path / "m")
    ((record,), _) = run_rows([ROW], "--model", tmp_path / "m")
    check_record(record, TEXT)


def test_pipeline_without_detector_passes_nothing_through(run_rows, tmp_path):
    spacy.blank("en").to_disk(tmp_path / "m")
    records, _ = run_rows([ROW], "--model", tmp_path / "m", code=1)
    assert not records and not (tmp_path / "out.jsonl").exists()


def test_long_document(deid, tmp_path):
    text = ("Robert Murray went to Leeds. " + f"{'word' * 60} ") * 4000
    assert len(text) > 1_000_000
    source = tmp_path / "long.txt"
    source.write_text(text)
    deid("run", source, tmp_path / "out.txt")
    written = (tmp_path / "out.txt").read_text()
    assert "Murray" not in written and written.count("word") == text.count("word")


def test_empty_txt_is_a_document(deid, tmp_path):
    (tmp_path / "e.txt").write_text("")
    deid("run", tmp_path / "e.txt", tmp_path / "o.txt")
    assert (tmp_path / "o.txt").read_bytes() == b""


GOOD = json.dumps(ROW).encode()
BROKEN_LINES = [
    b"\xef\xbb\xbf" + GOOD,
    b"",
    b'{"text": "Leeds',
    b'{"text": "Leeds \xe9"}',
    b'["Leeds"]',
    b'{"text": 3}',
    b'{"text": [null]}',
    b'{"name": "Leeds"}',
    b'{"text": "\\ud800"}',
    b'{"text": "a", "doc_id": ["Leeds"]}',
    b"[" * 100_000,
    GOOD.replace(b'"a"', b'"b"') + b"\r",
    GOOD.replace(b'"a"', b'"c"'),
]
BROKEN_ROWS = [
    b"doc_id,text",
    b"a,ok Leeds",
    b"2,unquoted, Leeds",
    b"3",
    b'4,"bad" quote',
    b"5,caf\xe9 Leeds",
    b"",
    b"b,fine Leeds",
    b'7,"never closed Leeds',
    b"8,inside",
]


@pytest.mark.parametrize(
    "kind,lines,kept,broken",
    [
        ("jsonl", BROKEN_LINES, ["a", "b", "c"], range(3, 12)),
        ("csv", BROKEN_ROWS, ["a", "b"], [3, 4, 5, 6, 9]),
    ],
)
def test_broken_lines_are_reported_and_the_rest_comes_out(
    deid, tmp_path, read_jsonl, kind, lines, kept, broken
):
    source, out = tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
    source.write_bytes(b"\n".join(lines))
    result = deid("run", source, out, code=1)
    read = read_jsonl(out) if kind == "jsonl" else csv.DictReader(out.open())
    assert [row["doc_id"] for row in read] == kept
    for line in broken:
        assert f"in.{kind}:{line}: " in result.stderr
    assert f"{len(broken)} documents were left out" in result.stderr
    assert "Leeds" not in result.output


def test_line_breaks_inside_strings_stay_inside(deid, tmp_path, write_jsonl):
    text = "a\u2028b\u2029c\x85d\ne Leeds"
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a\u2028", "text": text}])
    deid("run", source, tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1
    assert json.loads(lines[0])["text"].startswith(text[:-5])


def test_version_and_script():
    from spacy_deid import __version__

    points = metadata.entry_points(group="console_scripts", name="spacy-deid")
    assert [point.load() for point in points] == [main]
    script = Path(sysconfig.get_path("scripts")) / "spacy-deid"
    for command in ([script], [sys.executable, "-m", "spacy", "deid"]):
        done = subprocess.run([*command, "--version"], capture_output=True, check=True)
        assert done.stdout.decode().split() == ["spacy-deid", __version__]


def test_json_files_hold_an_array_or_an_object(
    deid, tmp_path, monkeypatch, quick_vaults
):
    records = [{"doc_id": i, "text": TEXT, "n": [1.5, None]} for i in range(3)]
    array, single = tmp_path / "in" / "a.json", tmp_path / "in" / "b.json"
    array.parent.mkdir()
    array.write_text(json.dumps(records, indent=2))
    single.write_text(json.dumps(records[0]))
    (tmp_path / "in" / "c.json").write_text("[]")
    out, back = tmp_path / "out", tmp_path / "back"
    monkeypatch.setenv("SPACY_DEID_KEY", "k3" * 20)
    vault = ["--vault", tmp_path / "vault"]
    result = deid("run", array.parent, out, *vault)
    new = json.loads((out / "a.json").read_text())
    assert [r["doc_id"] for r in new] == [0, 1, 2] and new[0]["n"] == [1.5, None]
    check_record(new[0], TEXT)
    assert len(json.loads((out / "b.json").read_text())) == 1
    deid("restore", out, back, *vault)
    assert json.loads((back / "a.json").read_text()) == records
    packed = tmp_path / "d.json.gz"
    packed.write_bytes(gzip.compress(array.read_bytes()))
    deid("run", packed, tmp_path / "o.json.gz")
    unpacked = gzip.decompress((tmp_path / "o.json.gz").read_bytes())
    assert [r["doc_id"] for r in json.loads(unpacked)] == [0, 1, 2]
    # A stream is JSON lines, whatever the input.
    result = deid("run", array, "-")
    assert [json.loads(line)["doc_id"] for line in result.stdout.splitlines()] == [
        0,
        1,
        2,
    ]


@pytest.mark.parametrize("kind,sign", [("csv", ","), ("tsv", "\t")])
def test_tables_come_through_a_pipe(kind, sign, model, monkeypatch, capfd):
    end, start = os.pipe()
    table = f"text{sign}n\nRobert Murray came{sign}1\nNobody did{sign}2\n"
    os.write(start, table.encode())
    os.close(start)
    options = ["--input-format", kind, "--model", str(model)]
    monkeypatch.setattr(sys, "argv", ["spacy-deid", "run", "-", "-", *options])
    with open(end) as pipe, pytest.raises(SystemExit) as ended:
        monkeypatch.setattr(sys, "stdin", pipe)
        main()
    out, error = capfd.readouterr()
    assert not ended.value.code, error
    head, first, second = out.splitlines()
    assert head == f"text{sign}n" and "Murray" not in first and first.endswith("1")
    assert second == f"Nobody did{sign}2"
