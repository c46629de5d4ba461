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


def test_jsonl(deid, tmp_path, write_jsonl, read_jsonl):
    source = write_jsonl(
        tmp_path / "in.jsonl",
        [
            {"doc_id": "a", "text": TEXT, "topic": "visit", "n": 3},
            {"doc_id": 7, "text": ""},
            {"text": "Nobody.", "spans": [1]},
        ],
    )
    result = deid("run", source, tmp_path / "out.jsonl")
    assert result.exit_code == 0, result.output
    records = read_jsonl(tmp_path / "out.jsonl")
    assert [r["doc_id"] for r in records] == ["a", 7, "in-3"]
    assert list(records[0])[:4] == ["doc_id", "text", "spans", "epsilon"]
    assert (records[0]["topic"], records[0]["n"]) == ("visit", 3)
    check_record(records[0], TEXT)
    decisions = [s["decision"] for s in records[0]["spans"]]
    assert decisions[0] == "DIRECT" and "NO_MASK" in decisions
    assert "London" in records[0]["text"]
    assert (records[1]["text"], records[1]["spans"]) == ("", [])
    assert records[2]["text"] == "Nobody." and records[2]["spans"] == []
    assert "3 documents" in result.stderr
    assert "spans 1" in result.stderr
    assert os.listdir(tmp_path) and not list(tmp_path.glob("*.part*"))


def test_mask_all(deid, tmp_path, write_jsonl, read_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": TEXT}])
    result = deid("run", source, tmp_path / "out.jsonl", "--mask", "all")
    assert result.exit_code == 0, result.output
    (record,) = read_jsonl(tmp_path / "out.jsonl")
    assert "London" not in record["text"]
    assert {s["decision"] for s in record["spans"]} == {"DIRECT", "QUASI"}
    check_record(record, TEXT)


@pytest.mark.parametrize(
    "strategy",
    ["named_placeholder", "word_by_word", "full_entity", "spacy_deid.redact.v1"],
)
def test_strategies(deid, tmp_path, strategy, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": TEXT}])
    result = deid("run", source, "-", "--strategy", strategy)
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    check_record(record, TEXT)


def test_scope(deid, tmp_path, monkeypatch, write_jsonl):
    texts = (
        "Robert Murray left. Then Robert Murray came back.",
        "He wrote to Robert Murray. Nobody but Robert Murray read it.",
    )
    rows = [{"doc_id": i, "text": text} for i, text in enumerate(texts)]
    source = write_jsonl(tmp_path / "in.jsonl", rows)
    args = ("run", source, "-", "--strategy", "full_entity", "--scope")
    result = deid(*args, "corpus")
    assert (
        result.exit_code == 1
        and "--scope: " in result.stderr
        and "key" in result.stderr
    )
    monkeypatch.setenv("SPACY_DEID_KEY", "k" * 32)

    def names(scope):
        result = deid(*args, scope)
        assert result.exit_code == 0, result.output
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
    assert "'scope' should be one of" in deid(*args, "world").stderr


def test_key_makes_output_repeatable(deid, tmp_path, monkeypatch, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": TEXT}])
    args = ("run", source, "-", "--strategy", "full_entity")
    monkeypatch.setenv("SPACY_DEID_KEY", "k" * 32)
    first = deid(*args)
    assert first.exit_code == 0, first.output
    assert deid(*args).stdout == first.stdout
    monkeypatch.setenv("OTHER_KEY", "j" * 32)
    other = deid(*args, "--key-env", "OTHER_KEY")
    assert other.exit_code == 0 and other.stdout != first.stdout
    assert "kkkk" not in first.output
    monkeypatch.delenv("SPACY_DEID_KEY")
    assert deid(*args).stdout != first.stdout
    missing = deid(*args, "--key-env", "NOT_SET_ANYWHERE")
    assert missing.exit_code == 1
    assert "NOT_SET_ANYWHERE" in missing.stderr


def test_txt_keeps_every_other_byte(deid, tmp_path):
    source = tmp_path / "letter.txt"
    raw = "\ufeffDear Robert Murray,\r\n\tLeeds \u2028 é\r\nno newline at the end"
    source.write_bytes(raw.encode("utf-8"))
    result = deid("run", source, tmp_path / "out.txt")
    assert result.exit_code == 0, result.output
    written = (tmp_path / "out.txt").read_bytes().decode("utf-8")
    assert written.startswith("\ufeffDear ")
    assert ",\r\n\t" in written and written.endswith(
        " \u2028 é\r\nno newline at the end"
    )
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
    result = deid("run", source, tmp_path / "out.csv", "--id-field", "id")
    assert result.exit_code == 0, result.output
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


def test_other_field_names(deid, tmp_path, write_jsonl):
    source = write_jsonl(
        tmp_path / "in.jsonl", [{"id": "a", "body": TEXT, "text": "T"}]
    )
    result = deid("run", source, "-", "--text-field", "body", "--id-field", "id")
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["doc_id"] == record["id"] == "a"
    assert "body" not in record
    check_record(record, TEXT)
    assert "text 1" in result.stderr


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
    assert result.exit_code == 0, result.output
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
    result = deid("run", folder, tmp_path / "out")
    assert result.exit_code == 1
    for name in names:
        assert f"Left out: {name}: of a kind that is not read\n" in result.stderr
    # The others came out.
    assert "6 documents" in result.stderr
    assert not [*(tmp_path / "out").rglob("*.png")]
    result = deid("run", folder, tmp_path / "two", "--skip-unknown")
    assert result.exit_code == 0 and "30 left out" in result.stderr
    assert not [*(tmp_path / "two").rglob("*.png")]


def test_no_masked_string_in_other_fields(deid, tmp_path, write_jsonl, read_jsonl):
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
    source = write_jsonl(tmp_path / "in.jsonl", [record])
    result = deid("run", source, tmp_path / "out.jsonl")
    assert result.exit_code == 0, result.output
    (new,) = read_jsonl(tmp_path / "out.jsonl")
    line = json.dumps(new)
    for original in ("Robert", "Murray", "MURRAY", "Ann", "Leeds", "leeds", "12345678"):
        assert original not in line
    assert new["title"].endswith("London") and new["title"].startswith("Visit of ")
    assert new["joined"] == "***" and new["account"] is None
    assert (new["count"], new["ok"], new["none"]) == (2, True, None)
    assert new["nested"]["n"] == 3
    assert new["entity_mentions"][0]["start_offset"] == 0
    for name in ("doc_id", "title", "surname", "nested", "entity_mentions"):
        assert f"{name} 1" in result.stderr
    assert "Murray" not in result.output


def test_wikidata_items_of_masked_spans_are_not_told(deid, tmp_path, write_jsonl):
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("span_ruler", config={"spans_key": "pii"})
    ruler.add_patterns([{"label": "LOC", "pattern": "Leeds", "id": "Q39121"}])
    nlp.add_pipe("pseudonymizer")
    nlp.to_disk(tmp_path / "m")
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": "In Leeds."}])
    result = deid("run", source, "-", "--model", tmp_path / "m")
    assert result.exit_code == 0, result.output
    (span,) = json.loads(result.stdout)["spans"]
    assert span["subtype"] == "" and span["decision"] == "QUASI"


def test_audit(deid, tmp_path, write_jsonl, read_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": TEXT}])
    audit = tmp_path / "audit.jsonl"
    old = os.umask(0)
    try:
        result = deid("run", source, tmp_path / "out.jsonl", "--audit", audit)
    finally:
        os.umask(old)
    assert result.exit_code == 0, result.output
    assert stat.S_IMODE(audit.stat().st_mode) == 0o600
    (line,) = read_jsonl(audit)
    assert line["doc_id"] == "a"
    (out,) = read_jsonl(tmp_path / "out.jsonl")
    for span in line["spans"]:
        assert TEXT[span["start"] : span["end"]] == span["text"]
    originals = {s["text"] for s in line["spans"]}
    assert {"Robert Murray", "Ann Lee", "Leeds"} <= originals
    assert out["text"] != TEXT
    for bad in (source, tmp_path / "out.jsonl", tmp_path, tmp_path / "no" / "x"):
        refused = deid("run", source, tmp_path / "out.jsonl", "--audit", bad)
        assert refused.exit_code == 1 and "--audit" in refused.stderr


def test_failing_document_is_left_out(
    deid, tmp_path, bomb_model, write_jsonl, read_jsonl
):
    records = [{"doc_id": i, "text": TEXT} for i in range(5)]
    records[2]["text"] = "BOMB of Robert Murray"
    source = write_jsonl(tmp_path / "in.jsonl", records)
    out = tmp_path / "out.jsonl"
    for extra in ((), ("--n-process", 2), ("--batch-size", 1)):
        result = deid("run", source, out, "--model", bomb_model, *extra)
        assert result.exit_code == 1
        assert [r["doc_id"] for r in read_jsonl(out)] == [0, 1, 3, 4]
        assert "in.jsonl:3 (id 2): RuntimeError" in result.stderr
        assert "Murray" not in result.output and "BOMB" not in result.output
        assert "1 document was left out" in result.stderr
        out.unlink()


def test_nothing_is_written_when_every_document_fails(deid, tmp_path, bomb_model):
    source = tmp_path / "x.txt"
    source.write_text("BOMB")
    result = deid("run", source, tmp_path / "out.txt", "--model", bomb_model)
    assert result.exit_code == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bomb", "x.txt"]


def test_folder_with_a_failing_file(folder, deid, tmp_path, bomb_model):
    (folder / "b.txt").write_text("BOMB")
    result = deid("run", folder, tmp_path / "out", "--model", bomb_model)
    assert result.exit_code == 1
    assert not (tmp_path / "out" / "b.txt").exists()
    assert (tmp_path / "out" / "a.txt").exists()
    assert (tmp_path / "out" / "sub" / "b.TXT").exists()


def test_processes_give_the_same(deid, tmp_path, monkeypatch, write_jsonl):
    monkeypatch.setenv("SPACY_DEID_KEY", "k" * 32)
    records = [{"doc_id": i, "text": f"{TEXT} {i}"} for i in range(40)]
    source = write_jsonl(tmp_path / "in.jsonl", records)
    one = deid("run", source, "-", "--batch-size", 3)
    two = deid("run", source, "-", "--batch-size", 3, "--n-process", 2)
    assert one.exit_code == two.exit_code == 0, two.output
    assert one.stdout == two.stdout
    assert len(one.stdout.splitlines()) == 40


def test_pipeline_without_pseudonymizer_gets_one(
    deid, tmp_path, write_jsonl, make_pipeline
):
    nlp = make_pipeline()
    nlp.remove_pipe("pseudonymizer")
    nlp.to_disk(tmp_path / "m")
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": TEXT}])
    result = deid("run", source, "-", "--model", tmp_path / "m")
    assert result.exit_code == 0, result.output
    check_record(json.loads(result.stdout), TEXT)


def test_pipeline_without_detector_passes_nothing_through(deid, tmp_path, write_jsonl):
    spacy.blank("en").to_disk(tmp_path / "m")
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": TEXT}])
    result = deid("run", source, tmp_path / "o.jsonl", "--model", tmp_path / "m")
    assert result.exit_code == 1
    assert not (tmp_path / "o.jsonl").exists()


def test_long_document(deid, tmp_path):
    text = ("Robert Murray went to Leeds. " + f"{'word' * 60} ") * 4000
    assert len(text) > 1_000_000
    source = tmp_path / "long.txt"
    source.write_text(text)
    result = deid("run", source, tmp_path / "out.txt")
    assert result.exit_code == 0, result.output
    written = (tmp_path / "out.txt").read_text()
    assert "Murray" not in written and written.count("word") == text.count("word")


@pytest.fixture(scope="module")
def bad_inputs(tmp_path_factory, write_jsonl, make_pipeline):
    folder = tmp_path_factory.mktemp("bad")
    write_jsonl(folder / "in.jsonl", [{"text": "Leeds"}])
    for name in ("empty", "folder", "broken"):
        (folder / name).mkdir()
    make_pipeline().to_disk(folder / "damaged")
    (folder / "damaged" / "config.cfg").write_text("[nlp]\nlang = xx-nothing\n")
    (folder / "folder" / "a.txt").write_text("Leeds")
    (folder / "in.odt").write_text("Leeds")
    (folder / "none.jsonl").write_text("\n\n")
    (folder / "none.csv").write_text("")
    (folder / "header.csv").write_text("text,a\n")
    (folder / "column.csv").write_text("a,b\nLeeds,Leeds\n")
    (folder / "headless.csv").write_text("Leeds,Ann Lee\nLeeds,Ann Lee\n")
    (folder / "half.csv").write_text("text,a\nLeeds, Ann,Lee\n")
    (folder / "quote.csv").write_text('text,a\n"Leeds"x,Ann Lee\n')
    (folder / "keys.jsonl").write_text('{"Leeds": 1, "Ann Lee": "Leeds"}\n')
    (folder / "half.jsonl").write_text('{"text": "Leeds", "a": "Ann Lee\n')
    (folder / "nan.jsonl").write_text('{"text": "Leeds", "a": [NaN, -Infinity]}\n')
    (folder / "number.jsonl").write_text('{"text": 44113, "a": "Ann Lee"}\n')
    (folder / "twice.csv").write_text("text,text\nLeeds,Leeds\n")
    (folder / "latin.txt").write_bytes("Café in Leeds"[:3].encode() + b"f\xe9 Leeds")
    for name in ("utf16.txt", "utf16.csv", "utf16.jsonl"):
        (folder / name).write_bytes("text\nLeeds".encode("utf-16"))
    (folder / "array.jsonl").write_text('[\n{"text": "Leeds"}\n]\n')
    return folder


@pytest.mark.parametrize(
    "args,message",
    [
        (("nothere.txt", "o.txt"), "no such file"),
        (("in.jsonl", "o.odt"), "unknown kind of output"),
        (("in.jsonl", "o.txt"), "needs a .txt input"),
        (("in.jsonl", "in.jsonl"), "same file"),
        (("in.jsonl", "no/o.jsonl"), "does not exist"),
        (("in.odt", "o.jsonl"), "unknown kind of file"),
        (("empty", "o"), "no .txt, .md, .jsonl, .csv"),
        (("folder", "folder/o"), "inside the input folder"),
        (("folder", "folder"), "inside the input folder"),
        (("folder", "."), "inside the output folder"),
        (("folder", "folder/o.jsonl"), "inside the input folder"),
        (("folder", "in.odt"), "is a file"),
        (("in.jsonl", "o.jsonl", "--mask", "some"), "use all or risky"),
        (("in.jsonl", "o.jsonl", "--strategy", "rot13"), "no replacement strategy"),
        (("in.jsonl", "o.jsonl", "--model", "not_installed"), "no embedded pipeline"),
        (("in.jsonl", "o.jsonl", "--model", "broken"), "not a pipeline"),
        (("in.jsonl", "o.jsonl", "--model", "damaged"), "cannot be loaded"),
        (("in.jsonl", "o.jsonl", "--n-process", "0"), "--n-process"),
        (("in.jsonl", "o.jsonl", "--vault", "v"), "secret key that lasts"),
        (
            ("in.jsonl", "o.jsonl", "--text-field", "body"),
            "no field 'body' among the 1",
        ),
        (("keys.jsonl", "o.jsonl"), "no field 'text' among the 2"),
        (("none.jsonl", "o.jsonl"), "no documents"),
        (("none.csv", "o.csv"), "no documents"),
        (("header.csv", "o.csv"), "no documents"),
        (("column.csv", "o.csv"), "no column 'text' among the 2"),
        (("headless.csv", "o.csv"), "no column 'text' among the 2"),
        (("half.csv", "o.csv"), "columns where the header has"),
        (("quote.csv", "o.csv"), "a quote is misplaced"),
        (("half.jsonl", "o.jsonl"), "not valid JSON"),
        (("number.jsonl", "o.jsonl"), "is not a string"),
        (("nan.jsonl", "o.jsonl"), "not valid JSON"),
        (("twice.csv", "o.csv"), "twice"),
        (("latin.txt", "o.txt"), "not UTF-8 at byte 4"),
        (("utf16.txt", "o.txt"), "UTF-16"),
        (("utf16.csv", "o.csv"), "UTF-16"),
        (("utf16.jsonl", "o.jsonl"), "UTF-16"),
        (("array.jsonl", "o.jsonl"), "JSON array"),
    ],
)
def test_bad_input(deid, bad_inputs, monkeypatch, args, message):
    monkeypatch.chdir(bad_inputs)
    before = sorted(str(p) for p in bad_inputs.rglob("*"))
    result = deid("run", *args)
    assert result.exit_code == 1, result.output
    assert message in result.stderr
    problems = [
        line
        for line in result.stderr.splitlines()
        if line.startswith(("Error:", "Left out:"))
    ]
    assert len(problems) == 1
    assert "Traceback" not in result.output
    # Nothing of a document, nor what may be one: keys, a first row.
    assert not any(t in result.output for t in ("Leeds", "Ann", "Lee", "44113"))
    assert sorted(str(p) for p in bad_inputs.rglob("*")) == before


def test_empty_txt_is_a_document(deid, tmp_path):
    (tmp_path / "e.txt").write_text("")
    assert deid("run", tmp_path / "e.txt", tmp_path / "o.txt").exit_code == 0
    assert (tmp_path / "o.txt").read_bytes() == b""


def test_broken_lines_are_reported_and_the_rest_comes_out(deid, tmp_path, read_jsonl):
    good = json.dumps({"doc_id": "g", "text": TEXT}).encode()
    lines = [
        b"\xef\xbb\xbf" + good,
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
        good.replace(b'"g"', b'"h"') + b"\r",
        good.replace(b'"g"', b'"i"'),
    ]
    source = tmp_path / "in.jsonl"
    source.write_bytes(b"\n".join(lines))
    result = deid("run", source, tmp_path / "out.jsonl")
    assert result.exit_code == 1
    assert [r["doc_id"] for r in read_jsonl(tmp_path / "out.jsonl")] == ["g", "h", "i"]
    for line in (3, 4, 5, 6, 7, 8, 9, 10, 11):
        assert f"in.jsonl:{line}: " in result.stderr
    assert "9 documents were left out" in result.stderr
    assert "Leeds" not in result.output


def test_broken_csv_rows(deid, tmp_path):
    rows = [
        b"doc_id,text",
        b"1,ok Leeds",
        b"2,unquoted, Leeds",
        b"3",
        b'4,"bad" quote',
        b"5,caf\xe9 Leeds",
        b"",
        b"6,fine Leeds",
        b'7,"never closed Leeds',
        b"8,inside",
    ]
    source = tmp_path / "in.csv"
    source.write_bytes(b"\n".join(rows))
    result = deid("run", source, tmp_path / "out.csv")
    assert result.exit_code == 1
    written = list(csv.reader((tmp_path / "out.csv").open()))
    assert [row[0] for row in written] == ["doc_id", "1", "6"]
    for line in (3, 4, 5, 6, 9):
        assert f"in.csv:{line}: " in result.stderr
    assert "Leeds" not in result.output


def test_line_breaks_inside_strings_stay_inside(deid, tmp_path, write_jsonl):
    text = "a\u2028b\u2029c\x85d\ne Leeds"
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a\u2028", "text": text}])
    assert deid("run", source, tmp_path / "out.jsonl").exit_code == 0
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1
    assert json.loads(lines[0])["text"].startswith(text[:-5])


def test_nothing_is_overwritten_unasked(deid, model, tmp_path, write_jsonl):
    """Every command whose outputs people keep; an empty file is nothing to keep."""
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": "a", "text": "Ann Lee"}])
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("Ann Lee", encoding="utf-8")
    out, files = tmp_path / "out.jsonl", tmp_path / "files"
    page, report = tmp_path / "page.html", tmp_path / "report.html"
    out.touch()
    for command, written in (
        (
            ("run", source, out, "--audit", tmp_path / "audit"),
            [out, tmp_path / "audit"],
        ),
        (("run", folder, files), [files / "a.txt"]),
        (("review", source, page, "--model", model), [page]),
        (("report", out, report, "--output", tmp_path / "r.json"), [report]),
    ):
        assert deid(*command, overwrite=False).exit_code == 0
        for path in written:
            path.write_bytes(b"mine")
            for other in {*written} - {path}:
                other.unlink(missing_ok=True)
            again = deid(*command, overwrite=False)
            assert again.exit_code == 1 and path.read_bytes() == b"mine"
            assert f"{path}" in again.stderr and "--overwrite" in again.stderr
        assert deid(*command, "--overwrite", overwrite=False).exit_code == 0
        assert path.read_bytes() != b"mine"


def test_version_and_script():
    from spacy_deid import __version__

    points = metadata.entry_points(group="console_scripts", name="spacy-deid")
    assert [point.load() for point in points] == [main]
    script = Path(sysconfig.get_path("scripts")) / "spacy-deid"
    for command in ([script], [sys.executable, "-m", "spacy", "deid"]):
        done = subprocess.run([*command, "--version"], capture_output=True, check=True)
        assert done.stdout.decode().split() == ["spacy-deid", __version__]


def test_what_an_earlier_run_left_of_a_failing_file_is_named(
    deid, tmp_path, bomb_model
):
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.txt").write_text("Ann Lee")
    (folder / "b.txt").write_text("Ann Lee")
    options = ("--model", bomb_model)
    first = deid("run", folder, out, *options)
    assert first.exit_code == 0 and "earlier" not in first.stderr
    (folder / "a.txt").write_text("BOMB Ann Lee")
    second = deid("run", folder, out, *options)
    assert second.exit_code == 1 and (out / "a.txt").exists()
    assert f"{out / 'a.txt'}: of an earlier run, and still there" in second.stderr


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
    assert result.exit_code == 0, result.output
    new = json.loads((out / "a.json").read_text())
    assert [r["doc_id"] for r in new] == [0, 1, 2] and new[0]["n"] == [1.5, None]
    check_record(new[0], TEXT)
    assert len(json.loads((out / "b.json").read_text())) == 1
    assert deid("restore", out, back, *vault).exit_code == 0
    assert json.loads((back / "a.json").read_text()) == records
    packed = tmp_path / "d.json.gz"
    packed.write_bytes(gzip.compress(array.read_bytes()))
    assert deid("run", packed, tmp_path / "o.json.gz").exit_code == 0
    unpacked = gzip.decompress((tmp_path / "o.json.gz").read_bytes())
    assert [r["doc_id"] for r in json.loads(unpacked)] == [0, 1, 2]
    # A stream is JSON lines, whatever the input.
    result = deid("run", array, "-")
    assert [json.loads(line)["doc_id"] for line in result.stdout.splitlines()] == [
        0,
        1,
        2,
    ]


@pytest.mark.parametrize(
    "content,reason",
    [
        (b'[{"text": "a"},\n {"text": ]', "bad.json:2: not valid JSON"),
        (b'[{"text": "a"}, 5]', "bad.json:record 2: not a JSON object"),
        (b'[{"text": "a", "n": NaN}]', "not valid JSON"),
        (b'{"text": "\xff"}', "bad.json:1: not UTF-8"),
        (b'{"text": "a"}\n{"text": "b"}\n', "one object a line is .jsonl"),
    ],
)
def test_bad_json_files(content, reason, deid, tmp_path):
    (tmp_path / "bad.json").write_bytes(content)
    result = deid("run", tmp_path / "bad.json", tmp_path / "out.json")
    assert result.exit_code == 1 and reason in result.stderr


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
