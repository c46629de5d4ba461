"""The text of .pdf files; nothing writes them again."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from typing import Any

from ..text.offsets import splice
from .pieces import DocumentError, Edit, Piece, Tools, notes_of


def _text(page: Any) -> str:
    """Text of a page; half characters of damaged fonts are none."""
    return page.extract_text().strip().encode("utf-8", "replace").decode("utf-8")


class PdfDocument:
    """The text of the pages, a line as it stands on the page.

    data (bytes): The file.
    RAISES (DocumentError): If it is damaged or encrypted, or has no text.
    """

    def __init__(self, data: bytes, keep_images: bool = False) -> None:
        try:
            import pypdf
        except ImportError:
            problem = ".pdf files need pypdf: pip install 'spacy-deid[documents]'"
            raise DocumentError(problem) from None
        # Its warnings may quote what it cannot read.
        logging.getLogger("pypdf").setLevel(logging.CRITICAL)
        try:
            reader = pypdf.PdfReader(io.BytesIO(data))
            if reader.is_encrypted and not reader.decrypt(""):
                raise DocumentError("it is encrypted")
            texts = [_text(page) for page in reader.pages]
            marks = sum(len(page.get("/Annots") or ()) for page in reader.pages)
            files = len(reader.attachments)
        except DocumentError:
            raise
        except Exception:
            raise DocumentError("it is damaged, or no .pdf file") from None
        empty = [str(n) for n, text in enumerate(texts, 1) if not text]
        if len(empty) == len(texts):
            advice = "let a program for text recognition (OCR) add it"
            raise DocumentError(f"it has no text, as scans have none: {advice}")
        self.pieces = [Piece(text, "\n\n") for text in texts if text]
        self.notes = [f"no text on pages {', '.join(empty)}"] if empty else []
        counts = {"notes, links or form fields": marks, "attached files": files}
        self.notes += notes_of(counts)

    def write(self, edits: Sequence[Sequence[Edit]], tools: Tools) -> bytes:
        """The text alone."""
        texts = (splice(p.text, own) for p, own in zip(self.pieces, edits, strict=True))
        return ("\n\n".join(texts) + "\n").encode("utf-8")
