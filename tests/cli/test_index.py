import json
import os
import signal
import sqlite3
import stat
from unittest.mock import Mock

import pytest

from spacy_deid.risk.search.local_index import IndexWriter, LocalIndex

from ..cases import cases

DOCUMENTS = cases(__file__, "documents")
BAD_LINES = cases(__file__, "lines")


def found(path, phrase):
    return sorted(LocalIndex(path).search(phrase, 20).urls)


def names(folder):
    return sorted(p.name for p in folder.iterdir())


@pytest.fixture
def out(tmp_path):
    return tmp_path / "index.sqlite"


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_index(deid, tmp_path, write_jsonl, out, mode):
    documents = write_jsonl(tmp_path / "in.jsonl", DOCUMENTS)
    documents.chmod(mode)
    umask = os.umask(0o022)
    try:
        result = deid("index", documents, out)
    finally:
        os.umask(umask)
    # As private as the documents.
    assert stat.S_IMODE(out.stat().st_mode) == mode and "3 documents" in result.output
    assert found(out, "Zenobia Quist") == ["https://a.example/1", "record 3"]
    assert found(out, "leeds") == ["https://a.example/2", "record 3"]
    assert found(out, "woodturner") == ["https://a.example/1"]
    assert names(out.parent) == ["in.jsonl", "index.sqlite"]


def test_bad_lines_are_reported_with_file_and_line(deid, tmp_path, out):
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(line for line, _ in BAD_LINES), encoding="utf8")
    said = deid("index", path, out, code=1).output
    for number, (_, reason) in enumerate(BAD_LINES, 1):
        told = f"in.jsonl:{number}: "
        assert f"{told}{reason}" in said if reason else told not in said
    assert "2 were there before" in said
    assert "4 were left out" in said and "1 are empty" in said and "Secret" not in said
    assert LocalIndex(out).search("zenobia quist", 20).hits == 3
    assert found(out, "title only") == ["https://a.example/t"]


def test_folders_tables_stdin_and_fields_by_name(deid, tmp_path, out, write_jsonl):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("Zenobia Quist", encoding="utf8")
    (folder / "b.csv").write_text("url,text\nhttps://b.example,Skerry\n")
    (folder / "c.odt").write_bytes(b"%PDF")
    assert "1 left out: " in deid("index", folder, out).output
    assert found(out, "zenobia quist") == ["a"]
    assert found(out, "skerry") == ["https://b.example"]
    deid("index", "-", out, stdin="".join(json.dumps(d) + "\n" for d in DOCUMENTS))
    assert found(out, "skerry") == [] and len(found(out, "zenobia quist")) == 2
    record = {"link": "https://b.example", "name": "York", "id": 7, "body": "A city."}
    path = write_jsonl(tmp_path / "named.jsonl", [record, {**record, "link": ""}])
    options = "--text-field body --url-field link --id-field id --title-field name"
    deid("index", path, out, *options.split())
    assert found(out, "york") == found(out, "a city") == ["7", "https://b.example"]


def test_what_was_there_stays(deid, tmp_path, write_jsonl, out, monkeypatch):
    documents = write_jsonl(tmp_path / "in.jsonl", DOCUMENTS)
    out.write_bytes(b"old")
    for error, code, message in (
        (KeyboardInterrupt(), 130, "Interrupted; nothing is written"),
        (sqlite3.OperationalError("database or disk is full"), 1, "disk is full"),
        (OSError(28, "No space left on device"), 1, "No space left"),
    ):
        monkeypatch.setattr(IndexWriter, "finish", Mock(side_effect=error))
        assert message in deid("index", documents, out, code=code).output
        assert out.read_bytes() == b"old"
        assert names(out.parent) == ["in.jsonl", "index.sqlite"]


def test_interrupted_and_killed(stopped, deid, tmp_path, out, write_jsonl):
    rows = [{"text": f"Leeds {i}"} for i in range(999)]
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    killed = (signal.SIGKILL, -signal.SIGKILL, ["index.sqlite.part"])
    for how, code, left in ((signal.SIGINT, 130, []), killed):
        ended, err = stopped("index", path, out, how=how, at=(IndexWriter, "add"))
        assert ended == code, err
        assert [name for name in names(tmp_path) if name.startswith("index")] == left
    # The next run clears up.
    deid("index", path, out)
    assert LocalIndex(out).search("Leeds", 0).hits == 999
    assert names(tmp_path) == ["in.jsonl", "index.sqlite"]
