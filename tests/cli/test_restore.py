"""`run --vault` and `restore`: every form comes back, whatever happened on the way."""

import contextlib
import csv
import io
import itertools
import json
import os
import re
import resource
import signal
import sqlite3
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.cli._read import Format
from spacy_deid.vault import Vault, VaultError, read_doc
from spacy_deid.vault.restorer import Restorer

from ..cases import cases

TEXT = "Robert Murray of Leeds met Ann Lee in London. MURRAY left Leeds."
pytestmark = pytest.mark.usefixtures("key")
KEY = "k3" * 20
FIELDS = ("--text-field", "subject,body", "--field", "name=PERSON")
RECORDS = cases(__file__, "records")
LOOSE = {"deadline": None, "suppress_health_check": list(HealthCheck)}
PIECES = "Robert Murray|Ann Lee|Leeds|12345678|MURRAY| |\r\n|é|x".split("|")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
N_DOCS = 40
BATCHES = ("--batch-size", 8)
CELLS = st.text(st.sampled_from('ab ,;"\r\n\té\u2028'), max_size=8)
ROWS = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "v.vault"


@pytest.fixture
def kept(deid, path):
    return lambda *args, **more: deid(*args, "--vault", path, **more).stderr


@pytest.fixture
def there_and_back(kept, tmp_path):
    """Runs over an input, checks that it was masked, and restores the output: both."""

    def work(source, *extra, kind=None, check=True):
        kind = source.suffix if kind is None else kind
        masked, back = tmp_path / f"out{kind}", tmp_path / f"back{kind}"
        kept("run", source, masked, *extra)
        for file in [masked] if masked.is_file() else masked.rglob("*.*"):
            assert not check or b"murray" not in file.read_bytes().lower()
        said = kept("restore", masked, back)
        assert "restored exactly" in said
        assert "Murray" not in said and "Leeds" not in said
        return masked, back

    return work


@pytest.mark.parametrize(
    "strategy,n_process", [("redact", 2), ("typed_placeholder", 1), ("full_entity", 1)]
)
def test_txt(there_and_back, tmp_path, strategy, n_process):
    """Every byte that is not masked stays."""
    start, end = "\ufeffDear ", " \u2028 é\r\n\rno newline"
    raw = f"{start}Robert Murray,\r\n\t{TEXT}{end}".encode()
    source = tmp_path / "letter.txt"
    source.write_bytes(raw)
    extra = ("--strategy", strategy, "--n-process", n_process)
    masked, restored = there_and_back(source, *extra)
    assert re.fullmatch(rf"{start}[^,]+,\r\n\t.+{end}", masked.read_bytes().decode())
    assert restored.read_bytes() == raw
    assert stat.S_IMODE(restored.stat().st_mode) == 0o600


def as_csv(rows, **settings):
    out = io.StringIO()
    csv.writer(out, **settings).writerows(rows)
    return out.getvalue().encode()


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_several_fields(kept, there_and_back, tmp_path, kind):
    names = ("doc_id", "name", "subject", "body")
    rows = [("a1", "Robert Murray", "Robert", TEXT)]
    rows.append(("a2", "", "From Ann Lee", "Nobody."))
    source, again = tmp_path / f"in.{kind}", tmp_path / f"again.{kind}"
    lines = (json.dumps(dict(zip(names, row))) + "\n" for row in rows)
    raw = as_csv([names, *rows]) if kind == "csv" else "".join(lines).encode()
    source.write_bytes(raw)
    masked, back = there_and_back(source, *FIELDS)
    text = masked.read_text("utf8")
    assert "Ann Lee" not in text and "Leeds" not in text and back.read_bytes() == raw
    # In a field that was edited, surrogates are looked for.
    masked.write_text(text.replace("From ", "With love from "), "utf8")
    assert "surrogates were found" in kept("restore", masked, again)
    wanted = source.read_text("utf8").replace("From", "With love from")
    assert again.read_text("utf8") == wanted


def test_jsonl(deid, there_and_back, tmp_path, path, write_jsonl, read_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", RECORDS)
    # Without a vault the output is the same.
    plain, kept = (deid("run", source, "-", *v) for v in ((), ("--vault", path)))
    assert plain.stdout == kept.stdout and stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    _, restored = there_and_back(source, "--n-process", 2, "--batch-size", 2)
    back = read_jsonl(restored)
    assert back == RECORDS
    assert [list(record) for record in back] == [list(r) for r in RECORDS]


def test_each_form_as_it_was(there_and_back, kept, tmp_path, write_jsonl, read_jsonl):
    """Each form gets back its own fields, whatever the vault knows besides."""
    less = {"doc_id": "Ann Lee", "text": TEXT}
    given = {**less, "note": "MURRAY"}
    (tmp_path / "in.csv").write_bytes(as_csv([given, given.values()]))
    for i, record in enumerate((given, less)):
        write_jsonl(tmp_path / f"in{i}.jsonl", [record])
    for name in ("in.csv", "in0.jsonl", "in1.jsonl", "in.csv", "in0.jsonl"):
        masked, back = there_and_back(tmp_path / name)
        assert back.read_bytes() == (tmp_path / name).read_bytes()
    # Edited, too.
    (record,) = read_jsonl(masked)
    write_jsonl(masked, [record | {"text": record["text"] + " End."}])
    kept("restore", masked, back)
    assert read_jsonl(back) == [given | {"text": TEXT + " End."}]


def test_equal_rows_without_ids_come_back_by_place(there_and_back, kept, tmp_path):
    names = ["Robert Murray", "Ann Lee", "Nobody", "Robert Murray", "Ann Lee"]
    lines = ["text,n\n", *(f"{name} called.,{i}\n" for i, name in enumerate(names))]
    source, less = tmp_path / "in.csv", tmp_path / "less.csv"
    source.write_text("".join(lines))
    masked, back = there_and_back(source, "--strategy", "redact")
    assert back.read_text() == source.read_text()
    # With a row less nobody can tell who is who.
    rows = masked.read_text().splitlines(keepends=True)
    masked.write_text("".join([rows[0], *rows[2:]]))
    assert "several originals were left" in kept("restore", masked, less, code=1)
    assert less.read_text() == masked.read_text()


def test_folder(there_and_back, tmp_path, write_jsonl, read_jsonl):
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text(TEXT)
    (folder / "empty.txt").touch()
    (folder / "sub" / "b.TXT").write_text("Ann Lee, " + TEXT)
    (folder / "sub" / "d.csv").write_text(f"text\n{TEXT}\nAnn Lee\n")
    write_jsonl(folder / "c.jsonl", [{"doc_id": i, "text": TEXT} for i in range(3)])
    _, back = there_and_back(folder, "--n-process", 2, "--strategy", "redact")
    for path in folder.rglob("*.*"):
        assert (back / path.relative_to(folder)).read_bytes() == path.read_bytes()
    assert len([*back.rglob("*.*")]) == len([*folder.rglob("*.*")])
    _, back = there_and_back(folder, kind=".jsonl")
    texts = dict.fromkeys(("a", 0, 1, 2, "empty"), TEXT)
    texts |= {"empty": "", "sub/b": f"Ann Lee, {TEXT}"}
    rows = [{"doc_id": id_, "text": text} for id_, text in texts.items()]
    assert read_jsonl(back) == [*rows, {"text": TEXT}, {"text": "Ann Lee"}]


@settings(max_examples=10, **LOOSE)
@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_any_text_comes_back(there_and_back, path, tmp_path, write_jsonl, texts):
    # The records have no ids, and one vault for all would have them many times.
    path.unlink(missing_ok=True)
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": text} for text in texts])
    # Names that run into each other are not found.
    _, back = there_and_back(source, "--strategy", "redact", check=False)
    lines = map(json.loads, back.read_bytes().splitlines())
    assert [*lines] == [{"text": text} for text in texts]


def test_ambiguous_and_unknown_are_said(deid, tmp_path, path, write_jsonl):
    rows = [{"doc_id": 1, "text": "Ann Lee"}, {"doc_id": 2, "text": "Robert Murray"}]
    source = write_jsonl(tmp_path / "in.jsonl", rows)
    args = (source, "-", "--vault", path, "--strategy", "typed_placeholder")
    placeholder = json.loads(deid("run", *args).stdout.splitlines()[0])["text"]
    letter, out = tmp_path / "mine.txt", tmp_path / "o.txt"
    left = f"were left, at characters [5, {5 + len(placeholder)})"
    unknown = ("Good morning.", "not in this vault")
    for text, told in ((f"Dear {placeholder}!", left), unknown):
        letter.write_text(text)
        result = deid("restore", letter, out, "--vault", path, code=1)
        assert told in result.stderr and out.read_text() == text
        assert "Ann" not in result.output and "Murray" not in result.output


def tamper(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE rows SET data = zeroblob(9)")
        db.commit()


SPOIL = {"gone": Path.unlink, "empty": lambda p: p.write_bytes(b""), "tampered": tamper}


@pytest.mark.parametrize("vault, spoil, option, told", cases(__file__, "refusals"))
def test_refusals(kept, refused, path, monkeypatch, source, vault, spoil, option, told):
    masked = path.with_name("out.jsonl")
    kept("run", source, masked)
    monkeypatch.setenv("OTHER", "j" * 32)
    SPOIL.get(spoil, str)(path)
    commands = [("restore", masked, path.with_name("back.jsonl"))]
    # A run does not read what it does not need, and makes a vault if there is none.
    if spoil not in ("gone", "tampered"):
        commands.append(("run", source, masked))
    for command in commands:
        said = refused(told, *command, "--vault", vault, *option.split())
        assert KEY not in said and "Leeds" not in said


def test_documents_that_fail_are_not_kept(deid, kept, tmp_path, path, write_jsonl):
    (tmp_path / "in.csv").write_text("a,b\nLeeds,Leeds\n")
    kept("run", tmp_path / "in.csv", tmp_path / "o.csv", code=1)
    assert not path.exists()
    good = {"doc_id": 1, "text": TEXT}
    source, masked = tmp_path / "in.jsonl", tmp_path / "o.jsonl"
    kept("run", write_jsonl(source, [good, {"doc_id": 2}]), masked, code=1)
    assert len(list(Vault(path, KEY).read_all())) == 1
    assert json.loads(deid("restore", masked, "-", "--vault", path).stdout) == good


def test_no_half_is_left(kept, tmp_path, write_jsonl, there_and_back, monkeypatch):
    source, masked = tmp_path / "in.jsonl", tmp_path / "o.jsonl"
    kept("run", write_jsonl(source, RECORDS), masked)
    work, calls = Restorer.restore, itertools.count(1)

    def fail(*args):
        if next(calls) == 4:
            raise VaultError("gone")
        return work(*args)

    with monkeypatch.context() as patch:
        patch.setattr(Restorer, "restore", fail)
        said = kept("restore", masked, tmp_path / "back.jsonl", code=1)
    assert [s for s in said.splitlines() if s.startswith("Error:")] == ["Error: gone"]
    assert not list(tmp_path.glob("back*"))
    # What cannot be written is not called restored.
    (tmp_path / "in.csv").write_text("text\nAnn Lee\n")
    masked, _ = there_and_back(tmp_path / "in.csv")
    monkeypatch.setattr(Format, "cells", lambda self, row: ["other"])
    said = kept("restore", masked, tmp_path / "again.csv", code=1)
    assert "out.csv:2: cannot be written" in said
    assert not (tmp_path / "again.csv").exists()


@pytest.fixture(scope="module")
def source(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("source")
    docs = [{"doc_id": i, "text": f"{TEXT} {i}"} for i in range(N_DOCS)]
    return write_jsonl(folder / "in.jsonl", docs)


def check_vault(path):
    vault = Vault(path, KEY)
    vault.verify()
    docs = {doc.doc_id: doc for doc in (read_doc(row.data) for row in vault.read_all())}
    assert sorted(docs) == list(range(N_DOCS))
    assert all(doc.original() == f"{TEXT} {i}" for i, doc in docs.items())


@pytest.mark.parametrize("how,n_process", [(signal.SIGINT, 1), (signal.SIGKILL, 2)])
def test_interrupted_and_resumed(stopped, kept, source, tmp_path, path, how, n_process):
    out, back = tmp_path / "out.jsonl", tmp_path / "back.jsonl"
    args = ("run", source, out, *BATCHES, "--n-process", n_process)
    stopped(*args, "--vault", path, how=how)
    done = json.loads((tmp_path / "out.jsonl.part.state").read_bytes())["state"]
    assert 0 < done["docs"] < N_DOCS
    # What is out is in the vault; it may be some documents ahead.
    assert Vault(path, KEY).verify() >= done["vault_rows"] > done["docs"]
    assert "Going on" in kept(*args)
    check_vault(path)
    kept("restore", out, back)
    assert back.read_text() == source.read_text()
    # With another vault it begins anew.
    out.unlink()
    path.unlink()
    stopped(*args, "--vault", path)
    path.unlink()
    for journal in tmp_path.glob("*-journal"):
        journal.unlink()
    assert "another vault; starting anew" in kept(*args)
    check_vault(path)


def test_full_disk_while_restoring(forked, kept, source, tmp_path, path):
    masked, back = tmp_path / "out.jsonl", tmp_path / "back.jsonl"
    kept("run", source, masked)
    before = path.read_bytes()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    assert source.stat().st_size > 2048
    args = ("restore", masked, back)
    code, err = forked(*args, "--vault", path, first=limit)
    assert code == 1 and "Murray" not in err
    (problem,) = [line for line in err.splitlines() if line.startswith("Error:")]
    assert "nothing is lost" in problem and not list(tmp_path.glob("back*"))
    assert path.read_bytes() == before
    kept(*args)
    assert back.read_bytes() == source.read_bytes()


def test_real_documents(kept, shared_data, tmp_path, path, write_jsonl, read_jsonl):
    source, masked, back = (tmp_path / f"{name}.jsonl" for name in ("in", "o", "b"))
    lines = (shared_data / "tab" / "dev.jsonl").read_bytes().splitlines(keepends=True)
    source.write_bytes(b"".join(lines[:4]))
    kept("run", source, masked, "--model", "en_deid_sm")
    kept("restore", masked, back)
    assert back.read_bytes() == source.read_bytes()
    assert read_jsonl(masked)[0]["text"] != read_jsonl(source)[0]["text"]

    def edit(text):
        return "Summary.\n" + text.replace("\n", " \n")

    rows = read_jsonl(masked)
    rows = [{"doc_id": r["doc_id"], "text": edit(r["text"])} for r in rows]
    kept("restore", write_jsonl(masked, rows), back)
    for new, old in zip(read_jsonl(back), read_jsonl(source)):
        assert new["text"].split() == edit(old["text"]).split()
    assert os.path.getsize(path) < 3 * source.stat().st_size + 100_000


@settings(max_examples=12, **LOOSE)
@given(ROWS, st.sampled_from(",;\t"), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_cell_comes_back(there_and_back, tmp_path, path, rows, delimiter, newline):
    path.unlink(missing_ok=True)
    table = [["id", "text", "note"]]
    table += [[str(i), f"Ann Lee{a}", b] for i, (a, b) in enumerate(rows)]
    table.append(["long", "", "x" * 200_000])
    # Line breaks of any kind are put in quotes.
    lines = [as_csv([row], delimiter=delimiter).removesuffix(b"\r\n") for row in table]
    source = tmp_path / "in.csv"
    raw = b"".join(line + newline.encode() for line in lines)
    source.write_bytes(b"\xef\xbb\xbf" + raw if len(rows) % 2 else raw)
    masked, back = there_and_back(source, "--id-field", "id")
    assert back.read_bytes() == source.read_bytes()
    # Nor does anything else of what is masked change.
    text = masked.read_bytes().decode()
    assert text.startswith("\ufeff") == bool(len(rows) % 2) and text.endswith(newline)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    assert [line[2] for line in lines] == [line[2] for line in table]
    _, back = there_and_back(source, "--id-field", "id", kind=".jsonl")
    lines = map(json.loads, back.read_bytes().splitlines())
    assert [list(line.values()) for line in lines] == table[1:]
