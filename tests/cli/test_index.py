"""`spacy deid index`: from background documents to a local index."""

import json
import os
import signal
import sqlite3
import stat

import pytest

from spacy_deid.risk.search.local_index import IndexWriter, LocalIndex

DOCUMENTS = [
    {"url": "https://a.example/1", "title": "zenobia-quist", "text": "A woodturner."},
    {"url": "https://a.example/2", "title": "Leeds", "text": "Leeds is a city."},
    {"doc_id": "record 3", "text": "Zenobia Quist of Leeds."},
]


def found(path, phrase):
    return sorted(LocalIndex(path).search(phrase, 20).urls)


@pytest.fixture
def documents(tmp_path, write_jsonl):
    return write_jsonl(tmp_path / "in.jsonl", DOCUMENTS)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "index.sqlite"


def test_index(deid, documents, out):
    result = deid("index", documents, out)
    assert "3 documents" in result.output
    assert found(out, "Zenobia Quist") == ["https://a.example/1", "record 3"]
    assert found(out, "leeds") == ["https://a.example/2", "record 3"]
    assert found(out, "woodturner") == ["https://a.example/1"]
    assert sorted(p.name for p in out.parent.iterdir()) == ["in.jsonl", "index.sqlite"]


def test_fields_by_name(deid, tmp_path, out, write_jsonl):
    record = {"link": "https://b.example", "name": "York", "id": 7, "body": "A city."}
    path = write_jsonl(tmp_path / "in.jsonl", [record, {**record, "link": ""}])
    options = (
        "--text-field body --url-field link --id-field id --title-field name"
    ).split()
    deid("index", path, out, *options)
    assert found(out, "york") == found(out, "a city") == ["7", "https://b.example"]


def test_bad_lines_are_reported_with_file_and_line(deid, tmp_path, out):
    lines = [
        json.dumps(DOCUMENTS[0]),
        '{"url": "https://a.example/x", "text": "Secret Name"',
        json.dumps({"url": "https://a.example/y", "texts": "Secret Name"}),
        json.dumps({"url": 5, "text": "Secret Name"}),
        json.dumps({"title": ["Secret Name"], "text": "x"}),
        "",
        json.dumps({"url": "https://a.example/z", "text": "  "}),
        json.dumps(DOCUMENTS[0]),
        json.dumps({**DOCUMENTS[0], "url": "http://www.a.example/1/#top"}),
        json.dumps({**DOCUMENTS[0], "text": "Another part."}),
        json.dumps({**DOCUMENTS[0], "url": "https://mirror.example"}),
        json.dumps({"url": "https://a.example/t", "title": "Title only", "text": ""}),
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(lines), encoding="utf8")
    result = deid("index", path, out, code=1)
    for line, reason in [
        (2, "not valid JSON"),
        (3, "no field 'text'"),
        (4, "field 'url' is not a string"),
        (5, "field 'title' is not a string"),
        (7, "has neither text nor title"),
        (8, "the same address and text"),
        (9, "the same address and text"),
    ]:
        assert f"in.jsonl:{line}: {reason}" in result.output
    for line in (1, 6, 10, 11, 12):
        assert f"in.jsonl:{line}:" not in result.output
    assert "2 were there before" in result.output
    assert "4 were left out" in result.output and "1 are empty" in result.output
    assert "Secret" not in result.output
    assert LocalIndex(out).search("zenobia quist", 20).hits == 3
    assert found(out, "title only") == ["https://a.example/t"]


def test_fields_that_are_asked_for_have_to_be_there(deid, documents, out):
    result = deid("index", documents, out, "--url-field", "url", code=1)
    assert "in.jsonl:3: no field 'url' (--url-field)" in result.output
    result = deid("index", documents, out, "--title-field", "headline", code=1)
    assert "there are no documents to index" in result.output


def test_folders_tables_and_stdin(deid, tmp_path, out):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("Zenobia Quist", encoding="utf8")
    (folder / "b.csv").write_text(
        "url,text\nhttps://b.example,Skerry\n", encoding="utf8"
    )
    (folder / "c.odt").write_bytes(b"%PDF")
    result = deid("index", folder, out)
    assert "1 left out: " in result.output
    assert found(out, "zenobia quist") == ["a"]
    assert found(out, "skerry") == ["https://b.example"]
    lines = "".join(json.dumps(d) + "\n" for d in DOCUMENTS)
    result = deid("index", "-", out, stdin=lines)
    assert found(out, "skerry") == [] and len(found(out, "zenobia quist")) == 2


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_the_index_is_as_private_as_the_documents(deid, documents, out, mode):
    documents.chmod(mode)
    umask = os.umask(0o022)
    try:
        deid("index", documents, out)
    finally:
        os.umask(umask)
    assert stat.S_IMODE(out.stat().st_mode) == mode


@pytest.mark.parametrize(
    "error,code,message",
    [
        (KeyboardInterrupt(), 130, "Interrupted; nothing is written"),
        (sqlite3.OperationalError("database or disk is full"), 1, "disk is full"),
        (OSError(28, "No space left on device"), 1, "No space left"),
    ],
)
def test_what_was_there_stays_when_a_run_fails(
    deid, documents, out, monkeypatch, error, code, message
):
    out.write_bytes(b"old")

    def fail(self):
        raise error

    monkeypatch.setattr(IndexWriter, "finish", fail)
    result = deid("index", documents, out, code=code)
    assert message in result.output
    assert out.read_bytes() == b"old"
    assert sorted(p.name for p in out.parent.iterdir()) == ["in.jsonl", "index.sqlite"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
def test_interrupted_and_killed(stopped, deid, tmp_path, out, write_jsonl):
    path = write_jsonl(
        tmp_path / "in.jsonl", [{"text": f"Leeds {i}"} for i in range(999)]
    )
    for how, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        ended, err = stopped("index", path, out, how=how, at=(IndexWriter, "add"))
        assert ended == code, err
        assert not out.exists()
        left = [p.name for p in tmp_path.iterdir() if p.name.startswith("index")]
        assert left == ([] if how == signal.SIGINT else ["index.sqlite.part"])
    # The next run clears up.
    deid("index", path, out)
    assert LocalIndex(out).search("Leeds", 0).hits == 999
    assert not list(tmp_path.glob("index.sqlite.*"))
