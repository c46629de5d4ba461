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

from ..cases import cases

pytestmark = pytest.mark.usefixtures("key")
RICH = Path(__file__).parents[1] / "documents"
MAIL = (
    "From: Ann Lee <ann.lee@x.org>\nTo: {to}\nSubject: Leeds\nMessage-ID: <{n}@x.org>\n"
    "{more}\nRobert Murray of Leeds"
)


def rich(kind):
    return RICH / f"rich.{kind}"


def text_of(path):
    return join(read_document(path.suffix[1:], path.read_bytes()).pieces).text


def test_a_folder_of_all_kinds(deid, tmp_path):
    pytest.importorskip("docx")
    pytest.importorskip("pypdf")
    folder, out = tmp_path / "in", tmp_path / "out"
    files = {
        **{f"Robert Murray/rich.{k}": rich(k).read_bytes() for k in ("docx", "html")},
        "Ann Lee.eml": MAIL.format(to="b@y.org", n=1, more="").encode(),
        "notes.md": b"# *Ann Lee*\r\n[x](y)",
        "notes.txt": b"Ann Lee",
        "table.tsv": b"text\tn\nAnn, Lee\tLeeds\nAnn Lee; x\tLeeds\n",
        "broken.docx": b"Ann Lee",
        "scan.pdf": b"%PDF-Ann Lee",
        "letter.odt": b"Ann Lee",
    }
    (folder / "Robert Murray").mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    result = deid("run", folder, out, code=1)
    for line in cases(__file__, "said"):
        assert line in result.stderr
    found = {p.suffix: p for p in out.rglob("*") if p.is_file()}
    docx, html, mail = found[".docx"], found[".html"], found[".eml"]
    assert docx.name == "rich.docx" and html.parent == docx.parent
    assert all(name.startswith("id-") for name in (docx.parent.name, mail.name))
    assert found.keys() == {".docx", ".html", ".eml", ".md", ".txt", ".tsv"}
    for path in (docx, html):
        assert "Dear [PERSON 1] of [LOC 1]" in text_of(path)
    assert 'From: "[PERSON 1]" <[CODE 1]>' in mail.read_text()
    assert (out / "notes.md").read_bytes() == b"# *[PERSON 1]*\r\n[x](y)"
    table = "text\tn\nAnn, Lee\tLeeds\n[PERSON 1]; x\tLeeds\n"
    assert (out / "table.tsv").read_text() == table
    for path in found.values():
        raw = path.read_bytes()
        if path == docx:
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


def test_one_file_several_processes_and_what_restores(deid, tmp_path):
    pytest.importorskip("docx")
    a, b = tmp_path / "a.docx", tmp_path / "b.docx"
    deid("run", rich("docx"), a)
    deid("run", rich("docx"), b, "--n-process", 2)
    assert text_of(a) == text_of(b) and "Dear [PERSON 1] of [LOC 1]" in text_of(a)
    deid("run", rich("docx"), a, "--keep-images")
    assert "word/media/image1.png" in zipfile.ZipFile(a).namelist()
    vault, note, lines = (tmp_path / name for name in ("v.db", "n.md", "o.jsonl"))
    note.write_text("*Ann Lee*")
    for command, source, out in (
        ("run", rich("docx"), lines),
        ("restore", lines, tmp_path / "back.jsonl"),
        ("run", note, tmp_path / "m.md"),
        ("restore", tmp_path / "m.md", note),
    ):
        deid(command, source, out, "--vault", vault)
    back, out = (json.loads(p.read_text()) for p in (tmp_path / "back.jsonl", lines))
    text = text_of(rich("docx"))
    assert back["text"] == text and out["doc_id"] == "rich.docx"
    for span in out["spans"]:
        old = text[span["start"] : span["end"]]
        new = out["text"][span["new_start"] : span["new_end"]]
        kept = span["decision"] == "NO_MASK"
        assert new == old if kept else new.startswith(f"[{span['label']} ")
    assert note.read_text() == "*Ann Lee*"


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
    assert address.partition("@")[0] != "ann.lee" and f"To: {address}\n" in second
    raw = out.read_text()
    assert "<1@x.org>" not in raw
    [*_, name] = [x for x in raw.splitlines() if x.startswith("References: ")]
    assert name.replace("References", "Message-ID") in raw.splitlines()


def test_formats_that_no_name_tells(deid, tmp_path, read_jsonl):
    text = "Dear Robert Murray,\nhello\n"
    masked = "Dear [PERSON 1],\nhello\n"
    assert deid("run", "-", "-", "--input-format", "text", stdin=text).stdout == masked
    out = tmp_path / "o.jsonl"
    deid("run", "-", out, "--input-format", "text", stdin=text)
    assert read_jsonl(out)[0]["text"] == masked
    page = deid("run", "-", "-", "--input-format", "html", stdin="<p>Ann <b>Lee</b>")
    assert page.stdout == "<p>[PERSON 1]<b></b>"
    log, out = tmp_path / "app.log", tmp_path / "out.log"
    log.write_text("Robert Murray logged in")
    deid("run", log, out, "--input-format", "text")
    assert out.read_text() == "[PERSON 1] logged in"


def test_a_missing_package_is_named(refused, tmp_path, monkeypatch):
    packages = ("docx", "docx", "python-docx"), ("pdf", "pypdf", "pypdf")
    for kind, module, package in packages:
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            patch.setitem(sys.modules, f"{module}.package", None)
            (tmp_path / f"a.{kind}").write_bytes(b"x")
            told = f".{kind} files need {package}: pip install 'spacy-deid[documents]'"
            refused(told, "run", f"a.{kind}", "o.jsonl")
