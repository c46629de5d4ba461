"""Annotated documents for commands that measure or fit a recognizer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from spacy.language import Language
from spacy.tokens import Doc, DocBin

from ..corpora.readers import read_docs, read_records
from ..corpora.report import Report
from ..corpora.silver import Exclusion
from ..label_schemes import make_label_scheme
from ._errors import CliError, say, shown

T = TypeVar("T")


def read_references(path: Path, nlp: Language, scheme: str = "tab") -> list[Doc]:
    """Gold documents of a `.spacy` file, or of JSON lines in a label scheme.

    RAISES (CliError): If there are none, or one cannot be read.
    """
    if not path.exists():
        raise CliError(f"no such file: {path}")
    report = Report()
    with shown(ValueError):
        if path.suffix == ".spacy":
            docs = _read_docbin(path, nlp)
        else:
            docs = list(read_docs(nlp, path, make_label_scheme(scheme), report=report))
    if report.losses:
        say(f"{path}: {report.summary()}")
    return some(docs, path)


def read_texts(path: Path, nlp: Language) -> list[str]:
    """Texts of a `.spacy` file, or of JSON lines, whatever is annotated in them.

    RAISES (CliError): If there are none, or one cannot be read.
    """
    with shown(ValueError):
        if path.suffix == ".spacy":
            return some([doc.text for doc in _read_docbin(path, nlp)], path)
        return some(list(_texts(path)), path)


def some(found: list[T], path: Path) -> list[T]:
    """What was read of a file.

    RAISES (CliError): If it is nothing.
    """
    if not found:
        raise CliError(f"{path}: there are no documents in it")
    return found


def _read_docbin(path: Path, nlp: Language) -> list[Doc]:
    try:
        return list(DocBin().from_disk(path).get_docs(nlp.vocab))
    except Exception:
        # What is wrong inside the file may be quoted in the message.
        raise CliError(f"{path}: not a .spacy file of documents") from None


def _texts(name: str | Path) -> Iterable[str]:
    return (record["text"] for record in read_records(name))


def make_exclusion(names: Iterable[str] | None, words: int) -> Exclusion | None:
    """What tells documents that are also in evaluation data; None if there is none.

    RAISES (CliError): If a file has no text: a wrong one would let such data in.
    """
    if not names:
        return None

    def texts() -> Iterable[str]:
        for name in names:
            empty = True
            for text in _texts(name):
                empty = empty and not text.strip()
                yield text
            if empty:
                problem = "there is no text in it, so nothing would be left out"
                raise CliError(f"--exclude: {name}: {problem}")

    with shown(ValueError, at="--exclude"):
        return Exclusion(texts(), words)
