"""`run --vault` and `restore`: every form comes back, whatever happened on the way."""

import contextlib
import csv
import io
import json
import os
import resource
import signal
import sqlite3
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.vault import Vault, VaultError, read_doc

TEXT = "Robert Murray of Leeds met Ann Lee in London. MURRAY left Leeds."
KEY = "k" * 32


@pytest.fixture(autouse=True)
def with_key(monkeypatch, quick_vaults):
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "v.vault"


@pytest.fixture
def there_and_back(deid, tmp_path, path):
    """Runs over an input, checks that it was masked, and restores the output: both."""

    def work(source, *extra, kind=None, check=True):
        kind = source.suffix if kind is None else kind
        masked, back = tmp_path / f"out{kind}", tmp_path / f"back{kind}"
        deid("run", source, masked, "--vault", path, *extra)
        for file in [masked] if masked.is_file() else masked.rglob("*.*"):
            assert not check or b"murray" not in file.read_bytes().lower()
        said = deid("restore", masked, back, "--vault", path).stderr
        assert "restored exactly" in said
        assert "Murray" not in said and "Leeds" not in said
        return masked, back

    return work


@pytest.mark.parametrize(
    "strategy,n_process", [("redact", 2), ("typed_placeholder", 1), ("full_entity", 1)]
)
def test_txt(there_and_back, tmp_path, strategy, n_process):
    raw = f"\ufeffDear Robert Murray,\r\n\t{TEXT} \u2028 é\r\n\rno newline".encode()
    source = tmp_path / "letter.txt"
    source.write_bytes(raw)
    extra = ("--strategy", strategy, "--n-process", n_process)
    _, restored = there_and_back(source, *extra)
    assert restored.read_bytes() == raw
    assert stat.S_IMODE(restored.stat().st_mode) == 0o600


FIELDS = ("--text-field", "subject,body", "--field", "name=PERSON")


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_several_fields(deid, there_and_back, tmp_path, path, kind):
    rows = [
        {"doc_id": "a1", "name": "Robert Murray", "subject": "Robert", "body": TEXT},
        {"doc_id": "a2", "name": "", "subject": "From Ann Lee", "body": "Nobody."},
    ]
    source = tmp_path / f"in.{kind}"
    if kind == "csv":
        with source.open("w", newline="", encoding="utf8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        source.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf8")
    masked, back = there_and_back(source, *FIELDS)
    text = masked.read_text("utf8")
    assert "Ann Lee" not in text and "Leeds" not in text
    assert back.read_bytes() == source.read_bytes()
    # In a field that was edited, surrogates are looked for.
    masked.write_text(text.replace("From ", "With love from "), "utf8")
    said = deid("restore", masked, tmp_path / f"again.{kind}", "--vault", path).stderr
    assert "surrogates were found" in said
    again = (tmp_path / f"again.{kind}").read_text("utf8")
    assert again == source.read_text("utf8").replace("From", "With love from")


def records():
    return [
        {"doc_id": "Murray-1", "text": TEXT, "topic": "visit", "n": 3, "x": 1.5},
        {"text": "Ann Lee\n" + TEXT, "who": ["Robert Murray", {"Leeds": None}]},
        {"spans": [[0, 3]], "doc_id": 7, "text": "", "epsilon": None},
        {"doc_id": "", "Ann Lee": "12345678", "text": "Ann Lee: 12345678."},
        {"id": 12345678, "account": 12345678, "text": "12345678 é\u2028\x85"},
        {"doc_id": 7, "text": "Nobody.", "big": 10**30, "half": "\ud800"},
    ]


def test_jsonl(there_and_back, tmp_path, write_jsonl, read_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", records())
    _, restored = there_and_back(source, "--n-process", 2, "--batch-size", 2)
    back = read_jsonl(restored)
    assert back == records()
    assert [list(record) for record in back] == [list(r) for r in records()]


@pytest.mark.parametrize("delimiter,newline", [(",", "\r\n"), (";", "\n")])
def test_csv(there_and_back, tmp_path, delimiter, newline, read_jsonl):
    rows = [
        ["body", "note", "nr", "text"],
        [TEXT, "of Robert Murray", "1", "x"],
        ['He said "Leeds".\r\nSecond; and, more', "", "Ann Lee", ""],
        ["", "x" * 1000, "3", "Leeds"],
    ]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=newline).writerows(rows)
    raw = b"\xef\xbb\xbf" + out.getvalue().encode()
    source = tmp_path / "in.csv"
    source.write_bytes(raw)
    names = ("--text-field", "body", "--id-field", "nr")
    assert there_and_back(source, *names)[1].read_bytes() == raw
    _, back = there_and_back(source, *names, kind=".jsonl")
    assert read_jsonl(back) == [dict(zip(rows[0], row)) for row in rows[1:]]


def test_one_document_in_several_forms(
    there_and_back, deid, path, tmp_path, write_jsonl, read_jsonl
):
    """Each form gets back its own fields, whatever the vault knows besides."""
    given = {"doc_id": "Ann Lee", "text": TEXT, "note": "MURRAY"}
    less = {"doc_id": "Ann Lee", "text": TEXT}
    (tmp_path / "in.csv").write_text(
        ",".join(given) + "\n" + ",".join(given.values()) + "\n"
    )
    for i, record in enumerate((given, less)):
        write_jsonl(tmp_path / f"in{i}.jsonl", [record])
    for name in ("in.csv", "in0.jsonl", "in1.jsonl", "in.csv", "in0.jsonl"):
        masked, back = there_and_back(tmp_path / name)
        assert back.read_bytes() == (tmp_path / name).read_bytes()
    # Edited, too.
    (record,) = read_jsonl(masked)
    write_jsonl(masked, [record | {"text": record["text"] + " End."}])
    deid("restore", masked, back, "--vault", path)
    assert read_jsonl(back) == [given | {"text": TEXT + " End."}]


def test_equal_rows_without_ids_come_back_by_their_place(
    there_and_back, deid, path, tmp_path
):
    names = ["Robert Murray", "Ann Lee", "Robert Murray", "Ann Lee"]
    lines = ["text,n\n", *(f"{name} called.,{i}\n" for i, name in enumerate(names))]
    lines.insert(3, "Nobody called.,5\n")
    source = tmp_path / "in.csv"
    source.write_text("".join(lines))
    masked, back = there_and_back(source, "--strategy", "redact")
    assert back.read_text() == "".join(lines)
    # With a row less nobody can tell who is who.
    rows = masked.read_text().splitlines(keepends=True)
    masked.write_text("".join([rows[0], *rows[2:]]))
    result = deid("restore", masked, tmp_path / "less.csv", "--vault", path, code=1)
    assert "several originals were left" in result.stderr
    assert (tmp_path / "less.csv").read_text() == masked.read_text()


@pytest.fixture
def folder(tmp_path, write_jsonl):
    root = tmp_path / "in"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text(TEXT)
    (root / "sub" / "b.TXT").write_text("Ann Lee, " + TEXT)
    (root / "sub" / "d.csv").write_text(f"text\n{TEXT}\nAnn Lee\n")
    write_jsonl(root / "c.jsonl", [{"doc_id": i, "text": TEXT} for i in range(3)])
    return root


def test_folder(there_and_back, folder):
    extra = ("--n-process", 2, "--strategy", "redact")
    _, restored = there_and_back(folder, *extra)
    names = sorted(p.relative_to(folder) for p in folder.rglob("*.*"))
    assert sorted(p.relative_to(restored) for p in restored.rglob("*.*")) == names
    for name in names:
        assert (restored / name).read_bytes() == (folder / name).read_bytes()


def test_folder_to_jsonl(there_and_back, folder, read_jsonl):
    _, back = there_and_back(folder, kind=".jsonl")
    assert read_jsonl(back) == [
        {"doc_id": "a", "text": TEXT},
        *({"doc_id": i, "text": TEXT} for i in range(3)),
        {"doc_id": "sub/b", "text": "Ann Lee, " + TEXT},
        {"text": TEXT},
        {"text": "Ann Lee"},
    ]


PIECES = [
    "Robert Murray",
    "Ann Lee",
    "Leeds",
    "12345678",
    "MURRAY",
    " ",
    "\r\n",
    "é",
    "x",
]


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=12), min_size=1, max_size=4))
def test_any_text_comes_back(there_and_back, tmp_path, write_jsonl, read_jsonl, docs):
    # The records have no ids, and one vault for all would have them many times.
    (tmp_path / "v.vault").unlink(missing_ok=True)
    given = [{"text": "".join(pieces)} for pieces in docs]
    source = write_jsonl(tmp_path / "in.jsonl", given)
    # Names that run into each other are not found.
    _, back = there_and_back(source, "--strategy", "redact", check=False)
    assert read_jsonl(back) == given


def test_ambiguous_and_unknown_are_said(deid, tmp_path, path, write_jsonl):
    source = write_jsonl(
        tmp_path / "in.jsonl",
        [{"doc_id": 1, "text": "Ann Lee"}, {"doc_id": 2, "text": "Robert Murray"}],
    )
    extra = ("--vault", path, "--strategy", "typed_placeholder")
    result = deid("run", source, "-", *extra)
    placeholder = json.loads(result.stdout.splitlines()[0])["text"]
    letter = tmp_path / "mine.txt"
    letter.write_text(f"Dear {placeholder}!")
    result = deid("restore", letter, tmp_path / "o.txt", "--vault", path, code=1)
    assert f"were left, at characters [5, {5 + len(placeholder)})" in result.stderr
    assert (tmp_path / "o.txt").read_text() == letter.read_text()
    letter.write_text("Good morning.")
    result = deid("restore", letter, tmp_path / "o.txt", "--vault", path, code=1)
    assert "not in this vault" in result.stderr
    assert (tmp_path / "o.txt").read_text() == letter.read_text()
    assert "Ann" not in result.output and "Murray" not in result.output


# What can go wrong


def problems(result):
    return [s for s in result.stderr.splitlines() if s.startswith("Error:")]


def tamper(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE rows SET data = zeroblob(9)")
        db.commit()


def keep(path):
    pass


@pytest.mark.parametrize(
    "vault,spoil,options,message",
    [
        ("v.vault", keep, ("--key-env", "NOT_SET"), "NOT_SET"),
        ("v.vault", keep, ("--key-env", "OTHER"), "the key is not the one"),
        ("v.vault", Path.unlink, (), "no such vault"),
        ("v.vault", lambda path: path.write_bytes(b""), (), "empty"),
        ("v.vault", tamper, (), "tampered"),
        ("", keep, (), "has to be a file"),
        ("no/v", keep, (), "does not exist"),
        ("out.jsonl", keep, (), "an input or an output as well"),
    ],
)
def test_refusals(
    deid, tmp_path, path, monkeypatch, write_jsonl, vault, spoil, options, message
):
    source = write_jsonl(tmp_path / "in.jsonl", [{"doc_id": 1, "text": TEXT}] * 30)
    masked = tmp_path / "out.jsonl"
    deid("run", source, masked, "--vault", path)
    monkeypatch.setenv("OTHER", "j" * 32)
    spoil(path)
    files = {p: p.read_bytes() for p in tmp_path.iterdir()}
    commands = [("restore", masked, tmp_path / "back.jsonl")]
    # A run does not read what it does not need, and makes a vault if there is none.
    if spoil not in (Path.unlink, tamper):
        commands.append(("run", source, masked))
    for command in commands:
        result = deid(*command, "--vault", tmp_path / vault, *options, code=1)
        (problem,) = problems(result)
        assert message in problem
        assert KEY not in result.output and "Leeds" not in result.output
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == files


def test_bad_input_leaves_no_vault(deid, tmp_path, path):
    (tmp_path / "in.csv").write_text("a,b\nLeeds,Leeds\n")
    deid("run", tmp_path / "in.csv", tmp_path / "o.csv", "--vault", path, code=1)
    assert not path.exists()


def test_without_a_vault_nothing_changes(deid, tmp_path, path, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", records())
    plain = deid("run", source, "-")
    kept = deid("run", source, "-", "--vault", path)
    assert plain.stdout == kept.stdout
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_documents_that_fail_are_not_kept(deid, tmp_path, path, write_jsonl):
    source = tmp_path / "in.jsonl"
    write_jsonl(source, [{"doc_id": 1, "text": TEXT}, {"doc_id": 2}])
    masked = tmp_path / "o.jsonl"
    deid("run", source, masked, "--vault", path, code=1)
    assert len(list(Vault(path, KEY).read_all())) == 1
    restored = deid("restore", masked, "-", "--vault", path)
    assert json.loads(restored.stdout) == {"doc_id": 1, "text": TEXT}


def test_a_half_restored_file_is_removed(
    deid, tmp_path, path, write_jsonl, monkeypatch
):
    from spacy_deid.vault.restorer import Restorer

    source = write_jsonl(tmp_path / "in.jsonl", records())
    masked = tmp_path / "o.jsonl"
    deid("run", source, masked, "--vault", path)
    work, calls = Restorer.restore, []

    def fail(*args):
        calls.append(1)
        if len(calls) == 4:
            raise VaultError("gone")
        return work(*args)

    monkeypatch.setattr(Restorer, "restore", fail)
    result = deid("restore", masked, tmp_path / "back.jsonl", "--vault", path, code=1)
    assert problems(result) == ["Error: gone"]
    assert not list(tmp_path.glob("back*"))


# Interrupted, killed, many at once

N_DOCS = 40


@pytest.fixture(scope="module")
def source(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("source")
    docs = [{"doc_id": i, "text": f"{TEXT} {i}"} for i in range(N_DOCS)]
    return write_jsonl(folder / "in.jsonl", docs)


def check_vault(path, n=N_DOCS):
    vault = Vault(path, KEY)
    vault.verify()
    docs = [read_doc(row.data) for row in vault.read_all()]
    assert sorted(doc.doc_id for doc in docs) == list(range(n))
    assert all(doc.original() == f"{TEXT} {doc.doc_id}" for doc in docs)


@pytest.mark.parametrize("how,n_process", [(signal.SIGINT, 1), (signal.SIGKILL, 2)])
def test_interrupted_and_resumed(stopped, deid, source, tmp_path, path, how, n_process):
    out = tmp_path / "out.jsonl"
    args = ("run", source, out, "--vault", path, "--batch-size", 8)
    args = (*args, "--n-process", n_process)
    stopped(*args, how=how)
    done = json.loads((tmp_path / "out.jsonl.part.state").read_bytes())["state"]
    assert 0 < done["docs"] < N_DOCS
    # What is out is in the vault; it may be some documents ahead.
    assert Vault(path, KEY).verify() >= done["vault_rows"] > done["docs"]
    result = deid(*args)
    assert "Going on" in result.stderr, result.output
    check_vault(path)
    back = tmp_path / "back.jsonl"
    deid("restore", out, back, "--vault", path)
    assert back.read_text() == source.read_text()


def test_resumed_with_another_vault(stopped, deid, source, tmp_path, path):
    out = tmp_path / "out.jsonl"
    args = ("run", source, out, "--vault", path, "--batch-size", 8)
    stopped(*args)
    path.unlink()
    for journal in tmp_path.glob("*-journal"):
        journal.unlink()
    result = deid(*args)
    assert "another vault; starting anew" in result.stderr
    check_vault(path)


def test_full_disk_while_restoring(forked, deid, source, tmp_path, path):
    """Nothing half restored stays, and the next try has it all."""
    masked, back = tmp_path / "out.jsonl", tmp_path / "back.jsonl"
    deid("run", source, masked, "--vault", path)
    before = path.read_bytes()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    assert source.stat().st_size > 2048
    args = ("restore", masked, back, "--vault", path)
    code, err = forked(*args, first=limit)
    assert code == 1 and "Murray" not in err
    (problem,) = [line for line in err.splitlines() if line.startswith("Error:")]
    assert "nothing is lost" in problem and not list(tmp_path.glob("back*"))
    assert path.read_bytes() == before
    deid(*args)
    assert back.read_bytes() == source.read_bytes()


def test_real_documents(deid, shared_data, tmp_path, path, read_jsonl):
    """All types of spans and surrogates, by the embedded pipeline."""
    source = tmp_path / "in.jsonl"
    lines = (shared_data / "tab" / "dev.jsonl").read_bytes().splitlines(keepends=True)
    source.write_bytes(b"".join(lines[:4]))
    masked, back = tmp_path / "o.jsonl", tmp_path / "b.jsonl"
    deid("run", source, masked, "--vault", path, "--model", "en_deid_sm")
    deid("restore", masked, back, "--vault", path)
    assert back.read_bytes() == source.read_bytes()
    assert read_jsonl(masked)[0]["text"] != read_jsonl(source)[0]["text"]
    edited = [
        {"doc_id": r["doc_id"], "text": "Summary.\n" + r["text"].replace("\n", " \n")}
        for r in read_jsonl(masked)
    ]
    masked.write_text("".join(json.dumps(r) + "\n" for r in edited))
    deid("restore", masked, back, "--vault", path)
    for new, old in zip(read_jsonl(back), read_jsonl(source)):
        wanted = "Summary.\n" + old["text"].replace("\n", " \n")
        assert new["text"].split() == wanted.split()
    assert os.path.getsize(path) < 3 * source.stat().st_size + 100_000


# Values come back however they are spelt


CELLS = st.text(st.sampled_from('ab ,;"\r\n\té\u2028'), max_size=8)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_any_cell_of_a_table_comes_back(
    there_and_back, tmp_path, rows, delimiter, newline
):
    (tmp_path / "v.vault").unlink(missing_ok=True)
    table = [["id", "text", "note"]]
    table += [[str(i), f"Ann Lee{a}", b] for i, (a, b) in enumerate(rows)]
    out = io.StringIO()
    # Line breaks of any kind are put in quotes.
    writer = csv.writer(out, delimiter=delimiter)
    lines = []
    for row in table:
        writer.writerow(row)
        lines.append(out.getvalue().removesuffix("\r\n") + newline)
        out.seek(0)
        out.truncate()
    source = tmp_path / "in.csv"
    source.write_bytes("".join(lines).encode())
    _, back = there_and_back(source, "--id-field", "id")
    assert back.read_bytes() == source.read_bytes()


def test_what_cannot_be_written_is_not_called_restored(
    there_and_back, deid, tmp_path, path, monkeypatch
):
    from spacy_deid.cli._read import Format

    (tmp_path / "in.csv").write_text("text\nAnn Lee\n")
    masked, _ = there_and_back(tmp_path / "in.csv")
    monkeypatch.setattr(Format, "cells", lambda self, row: ["other"])
    again = tmp_path / "again.csv"
    result = deid("restore", masked, again, "--vault", path, code=1)
    assert "out.csv:2: cannot be written" in result.stderr
    assert not again.exists()
