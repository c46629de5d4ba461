"""Files of other programs through `run`: what comes out, under which name, and what is
said of what cannot be kept or read."""

import io
import json
import sys
import zipfile
from pathlib import Path

import pytest

from spacy_deid.documents.formats import read_document
from spacy_deid.documents.pieces import join

KEY = "k3" * 20
RICH = Path(__file__).parents[1] / "documents"
MAIL = (
    "From: Ann Lee <ann.lee@x.org>\nTo: {to}\nSubject: Leeds\nMessage-ID: <{n}@x.org>\n"
    "{more}\nRobert Murray of Leeds"
)


@pytest.fixture(autouse=True)
def with_key(monkeypatch, quick_vaults):
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)


def text_of(path, kind=""):
    return join(read_document(kind or path.suffix[1:], path.read_bytes()).pieces).text


def test_a_folder_of_all_kinds(deid, tmp_path, read_jsonl):
    pytest.importorskip("docx")
    pytest.importorskip("pypdf")
    folder, out = tmp_path / "in", tmp_path / "out"
    (folder / "Robert Murray").mkdir(parents=True)
    for kind in ("docx", "html"):
        data = (RICH / f"rich.{kind}").read_bytes()
        (folder / "Robert Murray" / f"rich.{kind}").write_bytes(data)
    (folder / "Ann Lee.eml").write_text(MAIL.format(to="b@y.org", n=1, more=""))
    (folder / "notes.md").write_text("# *Ann Lee*\r\n[x](y)")
    (folder / "notes.txt").write_text("Ann Lee")
    (folder / "table.tsv").write_text("text\tn\nAnn, Lee\tLeeds\nAnn Lee; x\tLeeds\n")
    (folder / "broken.docx").write_bytes(b"Ann Lee")
    (folder / "scan.pdf").write_bytes(b"%PDF-Ann Lee")
    (folder / "letter.odt").write_bytes(b"Ann Lee")
    result = deid("run", folder, out, code=1)
    for line in (
        "Left out: letter.odt: of a kind that is not read",
        "Left out: broken.docx: it is damaged, or no .docx file",
        "Left out: scan.pdf: it is damaged, or no .pdf file",
        "rich.docx: left out: deleted passages 1",
        "rich.html: left out: comments 1, meta data 8",
        "Names of files that held masked strings and were changed: 3",
        "2 documents were left out (see above)",
    ):
        assert line in result.stderr
    found = {p.relative_to(out).as_posix(): p for p in out.rglob("*") if p.is_file()}
    docx, html = (
        next(p for n, p in found.items() if n.endswith(k)) for k in ("docx", "html")
    )
    mail = next(p for n, p in found.items() if n.endswith(".eml"))
    assert docx.name == "rich.docx"
    assert docx.parent.name.startswith("id-")
    assert html.parent == docx.parent
    assert mail.name.startswith("id-")
    assert len(found) == 6
    for path in (docx, html):
        assert "Dear [PERSON 1] of [LOC 1]" in text_of(path)
    assert 'From: "[PERSON 1]" <[CODE 1]>' in mail.read_text()
    assert found["notes.md"].read_bytes() == b"# *[PERSON 1]*\r\n[x](y)"
    assert found["table.tsv"].read_text() == (
        "text\tn\nAnn, Lee\tLeeds\n[PERSON 1]; x\tLeeds\n"
    )
    for path in found.values():
        raw = path.read_bytes()
        if path.suffix == ".docx":
            with zipfile.ZipFile(io.BytesIO(raw)) as file:
                raw = b"".join(map(file.read, file.namelist()))
        assert not any(name in raw for name in (b"Robert", b"Murray", b"Ann Lee"))


def test_a_table_and_markdown_of_other_programs(deid, tmp_path):
    """Written by LibreOffice Calc and by pandoc (from `rich.docx`)."""
    table, notes = tmp_path / "people.tsv", tmp_path / "rich.md"
    result = deid("run", RICH / table.name, table)
    assert "patient_name 2, email 2, dob 1" in result.stderr
    assert table.read_text() == (
        "id\tpatient_name\tdob\temail\ttext\n"
        "1\t[PERSON 3]\t[DATETIME 1]\t[CODE 1]\t[PERSON 1], of [LOC 1], met [PERSON 2]\n"
        '2\t[PERSON 2]\t\t[CODE 1]\t"She said ""no"" to [PERSON 1]"\n'
    )
    deid("run", RICH / notes.name, notes)
    old, new = (RICH / notes.name).read_text(), notes.read_text()
    for name in ("Rob", "Murray", "Ann", "Lee", "Leeds", "12345678"):
        assert name in old and name.lower() not in new.lower()
    assert "\n[^1]: [PERSON 2] said so." in new and new.startswith("# Report on [")
    assert "| Town                             | [LOC 1] " in new
    assert old.count("\n") == new.count("\n")


def test_json_lines(deid, tmp_path, read_jsonl):
    pytest.importorskip("docx")
    out = tmp_path / "o.jsonl"
    deid("run", RICH / "rich.docx", out)
    [record] = read_jsonl(out)
    assert record["doc_id"] == "rich.docx"
    text = text_of(RICH / "rich.docx")
    for span in record["spans"]:
        old, new = text[span["start"] : span["end"]], record["text"]
        new = new[span["new_start"] : span["new_end"]]
        kept = span["decision"] == "NO_MASK"
        assert new == old if kept else new.startswith(f"[{span['label']} ")


def test_one_file_and_several_processes(deid, tmp_path):
    pytest.importorskip("docx")
    a, b = tmp_path / "a.docx", tmp_path / "b.docx"
    deid("run", RICH / "rich.docx", a)
    deid("run", RICH / "rich.docx", b, "--n-process", 2)
    assert text_of(a) == text_of(b)
    assert "Dear [PERSON 1] of [LOC 1]" in text_of(a)
    deid("run", RICH / "rich.docx", a, "--keep-images")
    assert "word/media/image1.png" in zipfile.ZipFile(a).namelist()


def test_text_of_a_pdf(deid, tmp_path, read_jsonl):
    pypdf = pytest.importorskip("pypdf")
    blank, out = tmp_path / "scan.pdf", tmp_path / "out"
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    writer.write(blank)
    result = deid("run", blank, tmp_path / "o.txt", code=1)
    assert "scan.pdf: it has no text, as scans have none" in result.stderr
    assert not list(tmp_path.glob("o.txt*"))
    result = deid("run", blank, tmp_path / "o.pdf", code=1)
    assert "no .pdf file is written; use .txt or .jsonl" in result.stderr
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.pdf").touch()
    (folder / "a.pdf.txt").touch()
    assert "would be one output" in deid("run", folder, out, code=1).stderr


def test_a_thread_in_a_mailbox(deid, tmp_path):
    mails = [
        MAIL.format(to="rob@y.org", n=1, more=""),
        MAIL.format(to="ann.lee@x.org", n=2, more="References: <1@x.org>\n"),
    ]
    source, out = tmp_path / "in.mbox", tmp_path / "out.mbox"
    source.write_text("".join(f"From x\n{mail}\n\n" for mail in mails))
    deid("run", source, out, "--strategy", "full_entity", "--model", "en_deid_sm")
    first, second = text_of(out).split("\n\nFrom: ")
    address = first.partition("<")[2].partition(">")[0]
    assert address.partition("@")[0] != "ann.lee"
    assert f"To: {address}\n" in second
    raw = out.read_text()
    assert "<1@x.org>" not in raw
    [*_, name] = [x for x in raw.splitlines() if x.startswith("References: ")]
    assert name.replace("References", "Message-ID") in raw.splitlines()


def test_plain_text_from_standard_input(deid, tmp_path, read_jsonl):
    text = "Dear Robert Murray,\nhello\n"
    result = deid("run", "-", "-", "--input-format", "text", stdin=text)
    assert result.stdout == "Dear [PERSON 1],\nhello\n"
    out = tmp_path / "o.jsonl"
    deid("run", "-", out, "--input-format", "text", stdin=text)
    assert read_jsonl(out)[0]["text"] == "Dear [PERSON 1],\nhello\n"
    page = deid("run", "-", "-", "--input-format", "html", stdin="<p>Ann <b>Lee</b>")
    assert page.stdout == "<p>[PERSON 1]<b></b>"


def test_a_format_that_no_name_tells(deid, tmp_path):
    log, out = tmp_path / "app.log", tmp_path / "out.log"
    log.write_text("Robert Murray logged in")
    assert "unknown kind of file" in deid("run", log, out, code=1).stderr
    deid("run", log, out, "--input-format", "text")
    assert out.read_text() == "[PERSON 1] logged in"
    result = deid("run", log, out, "--input-format", "odt", code=1)
    assert "--input-format odt: use text, txt, md, jsonl" in result.stderr


def test_what_restores(deid, tmp_path):
    pytest.importorskip("docx")
    vault, note = tmp_path / "v.db", tmp_path / "n.md"
    args = (RICH / "rich.docx", tmp_path / "o.docx", "--vault", vault)
    for command, told in (
        ("run", "rich.docx: --vault knows no .docx files, only their text"),
        ("restore", "rich.docx: restore knows no .docx files"),
    ):
        assert told in deid(command, *args, code=1).stderr
    lines = tmp_path / "o.jsonl"
    deid("run", RICH / "rich.docx", lines, "--vault", vault)
    back = tmp_path / "back.jsonl"
    deid("restore", lines, back, "--vault", vault)
    assert json.loads(back.read_text())["text"] == text_of(RICH / "rich.docx")
    note.write_text("*Ann Lee*")
    for args in (
        ("run", note, tmp_path / "m.md"),
        ("restore", tmp_path / "m.md", note),
    ):
        deid(*args, "--vault", vault)
    assert note.read_text() == "*Ann Lee*"


def test_what_fails_says_why(deid, tmp_path, monkeypatch):
    page = tmp_path / "p.html"
    page.write_text("<!DOCTYPE html 'Ann Lee'><p>Ann Lee")
    result = deid("run", page, tmp_path / "o.html", code=1)
    assert 'p.html (id "p.html"): something masked is in the name' in result.stderr
    assert not (tmp_path / "o.html").exists()
    for name, package in (("docx", "python-docx"), ("pypdf", "pypdf")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, name, None)
            patch.setitem(sys.modules, f"{name}.package", None)
            kind = package[-4:].replace("ypdf", "pdf").lstrip("-")
            file = tmp_path / f"a.{kind}"
            file.write_bytes(b"x")
            result = deid("run", file, tmp_path / "o.jsonl", code=1)
            wanted = (
                f".{kind} files need {package}: pip install 'spacy-deid[documents]'"
            )
            assert wanted in result.stderr
