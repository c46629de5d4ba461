"""Which formats there are: a file of one kind is read by one class."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .mail import MailDocument
from .pdf import PdfDocument
from .pieces import Document
from .web import HtmlDocument
from .word import WordDocument

# Kinds by the suffix of a file's name, and what reads them.
SUFFIXES = {
    ".docx": "docx",
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".eml": "eml",
    ".mbox": "mbox",
}
FORMATS: dict[str, Callable[[bytes, bool], Document]] = {
    "docx": WordDocument,
    "pdf": PdfDocument,
    "html": HtmlDocument,
    "eml": MailDocument,
    "mbox": partial(MailDocument, several=True),
}
# Those that nothing writes again, only their text.
TEXT_ONLY = frozenset({"pdf"})


def read_document(kind: str, data: bytes, keep_images: bool = False) -> Document:
    """Read a file.

    kind (str): One of `FORMATS`.
    data (bytes): What is in it.
    keep_images (bool): Write pictures as they are.
    RAISES (DocumentError): If it cannot be read.
    """
    return FORMATS[kind](data, keep_images)
