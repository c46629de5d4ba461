import io
from pathlib import Path

import pytest

from spacy_deid.documents.formats import read_document
from spacy_deid.documents.pieces import DocumentError

pypdf = pytest.importorskip("pypdf")


def make(*pages, **encrypt):
    """A file with a line of text a page."""
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    def group(**entries):
        named = {NameObject(f"/{name}"): value for name, value in entries.items()}
        return DictionaryObject(named)

    writer = pypdf.PdfWriter()
    kinds = {"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/Helvetica"}
    font = group(**{name: NameObject(value) for name, value in kinds.items()})
    for line in pages:
        page = writer.add_blank_page(600, 800)
        page[NameObject("/Resources")] = group(Font=group(F1=font))
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 50 700 Td ({line}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    writer.add_metadata({"/Author": "Canary"})
    if encrypt:
        writer.encrypt(**encrypt)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_text_comes_out(write, text):
    old, new = write("pdf", make("Dear Ann Lee,", "of Leeds"))
    assert old == "Dear Ann Lee,\n\nof Leeds"
    assert new == b"Dear [X],\n\nof [X]\n"
    document = read_document("pdf", make("Ann Lee", "", "end"))
    assert document.notes == ["no text on pages 2"]
    # Whoever may open it may read it.
    open_to_all = make("Ann Lee", user_password="", owner_password="x")
    assert text("pdf", open_to_all) == "Ann Lee"


def test_a_file_of_libreoffice(write):
    data = (Path(__file__).parent / "short.pdf").read_bytes()
    old, new = write("pdf", data)
    assert old == "Dear Robert Murray of Leeds,\nAnn Lee, case 28045/02"
    assert new == b"Dear [X] of [X],\n[X], case [X]\n"


def test_what_cannot_be_read():
    for data, problem in (
        (make("Ann Lee", user_password="x"), "^it is encrypted$"),
        (make("", ""), "no text, as scans have none"),
        (b"%PDF-1.7 Ann Lee", "^it is damaged, or no .pdf file$"),
        (b"", "^it is damaged"),
    ):
        with pytest.raises(DocumentError, match=problem):
            read_document("pdf", data)
