import io
from pathlib import Path

import pytest

from spacy_deid.documents.formats import read_document
from spacy_deid.documents.pieces import DocumentError

pypdf = pytest.importorskip("pypdf")


def make(*pages, **encrypt):
    """A file with a line of text a page."""
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = pypdf.PdfWriter()
    kinds = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    font = DictionaryObject({NameObject(k): NameObject(v) for k, v in kinds.items()})
    for line in pages:
        page = writer.add_blank_page(600, 800)
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 50 700 Td ({line}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    writer.add_metadata({"/Author": "Canary"})
    if encrypt:
        writer.encrypt(**encrypt)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_text_comes_out(write):
    old, new = write("pdf", make("Dear Ann Lee,", "of Leeds"))
    assert old == "Dear Ann Lee,\n\nof Leeds"
    assert new == b"Dear [X],\n\nof [X]\n"


def test_a_file_of_libreoffice(write):
    data = (Path(__file__).parent / "short.pdf").read_bytes()
    old, new = write("pdf", data)
    assert old == "Dear Robert Murray of Leeds,\nAnn Lee, case 28045/02"
    assert new == b"Dear [X] of [X],\n[X], case [X]\n"


def test_pages_without_text_are_named():
    document = read_document("pdf", make("Ann Lee", "", "end"))
    assert document.notes == ["no text on pages 2"]


def test_what_cannot_be_read(text):
    for data, problem in (
        (make("Ann Lee", user_password="x"), "^it is encrypted$"),
        (make("", ""), "no text, as scans have none"),
        (b"%PDF-1.7 Ann Lee", "^it is damaged, or no .pdf file$"),
        (b"", "^it is damaged"),
    ):
        with pytest.raises(DocumentError, match=problem):
            read_document("pdf", data)
    # Whoever may open it may read it.
    assert (
        text("pdf", make("Ann Lee", user_password="", owner_password="x")) == "Ann Lee"
    )
