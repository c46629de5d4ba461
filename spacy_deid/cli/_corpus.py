"""Annotated documents for commands that measure or fit a recognizer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ._errors import CliError, say

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


def read_references(path: Path, nlp: Language, scheme: str = "tab") -> list[Doc]:
    """Gold documents of a file or folder.

    path (Path): `.spacy` as `spacy train` reads it, or JSON lines.
    nlp (Language): Pipeline whose tokenizer and vocabulary are used.
    scheme (str): Label scheme of JSON lines.
    RETURNS (List[Doc]): The documents.
    RAISES (CliError): If there are none, or one cannot be read.
    """
    from ..corpora.readers import read_docs
    from ..corpora.report import Report
    from ..label_schemes import make_label_scheme

    if not path.exists():
        raise CliError(f"no such file: {path}")
    try:
        if path.suffix == ".spacy":
            docs = _read_docbin(path, nlp)
        else:
            report = Report()
            labels = make_label_scheme(scheme)
            docs = list(read_docs(nlp, path, labels, report=report))
            if report.losses:
                say(f"{path}: {report.summary()}")
    except ValueError as error:
        raise CliError(str(error)) from None
    if not docs:
        raise CliError(f"{path}: there are no documents in it")
    return docs


def read_texts(path: Path, nlp: Language) -> list[str]:
    """Texts of a file or folder, whatever is annotated in them.

    path (Path): `.spacy` as `spacy train` reads it, or JSON lines with a `text`.
    nlp (Language): Pipeline whose vocabulary is used.
    RETURNS (List[str]): The texts.
    RAISES (CliError): If there are none, or one cannot be read.
    """
    from ..corpora.readers import read_records

    try:
        if path.suffix == ".spacy":
            texts = [doc.text for doc in _read_docbin(path, nlp)]
        else:
            texts = [record["text"] for record in read_records(path)]
    except ValueError as error:
        raise CliError(str(error)) from None
    if not texts:
        raise CliError(f"{path}: there are no documents in it")
    return texts


def _read_docbin(path: Path, nlp: Language) -> list[Doc]:
    from spacy.tokens import DocBin

    try:
        return list(DocBin().from_disk(path).get_docs(nlp.vocab))
    except Exception:
        # What is wrong inside the file may be quoted in the message.
        raise CliError(f"{path}: not a .spacy file of documents") from None
