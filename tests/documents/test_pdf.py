"""Files of LibreOffice (`short.pdf`) and of pypdf, with a line of text a page and an
author who is a canary."""

from pathlib import Path

import pytest

from spacy_deid.documents.formats import read_document
from spacy_deid.documents.pieces import DocumentError

pytest.importorskip("pypdf")
HERE = Path(__file__).parent


def pdf(name):
    return (HERE / "pdf" / f"{name}.pdf").read_bytes()


def test_text_comes_out(write, text):
    old, new = write("pdf", pdf("pages"))
    assert old == "Dear Ann Lee,\n\nof Leeds" and new == b"Dear [X],\n\nof [X]\n"
    assert read_document("pdf", pdf("gap")).notes == ["no text on pages 2"]
    # Whoever may open it may read it.
    assert text("pdf", pdf("open")) == "Ann Lee"
    # A file of LibreOffice.
    old, new = write("pdf", (HERE / "short.pdf").read_bytes())
    assert old == "Dear Robert Murray of Leeds,\nAnn Lee, case 28045/02"
    assert new == b"Dear [X] of [X],\n[X], case [X]\n"


def test_what_cannot_be_read():
    for data, problem in (
        (pdf("locked"), "^it is encrypted$"),
        (pdf("scan"), "no text, as scans have none"),
        (b"%PDF-1.7 Ann Lee", "^it is damaged, or no .pdf file$"),
        (b"", "^it is damaged"),
    ):
        with pytest.raises(DocumentError, match=problem):
            read_document("pdf", data)
