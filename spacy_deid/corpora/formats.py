"""The formats of annotated corpora: how each is read, and how it is recognised."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from .brat import ANNOTATION, TEXT, read_brat
from .conll import SAMPLE, SUFFIXES, guess_columns, read_conll
from .essays import read_essays
from .files import InputError, find_files, read_chunks, read_json, read_lines
from .readers import Records, read_jsonl
from .report import Report
from .tab import read_tab

AUTO = "auto"


class Format(NamedTuple):
    """A format."""

    read: Callable[..., Iterator[Records]]
    scheme: str | None = None
    options: tuple[str, ...] = ()


FORMATS: dict[str, Format] = {
    "jsonl": Format(read_jsonl, "tab"),
    "tab": Format(read_tab, "tab", ("quality_checked",)),
    "essays": Format(read_essays, "essays"),
    "brat": Format(read_brat),
    "conll": Format(
        read_conll, "conll", ("join", "n_sents", "token_column", "tag_column")
    ),
}


def read_documents(
    format: str, path: Path, report: Report, **options: Any
) -> Iterator[Records]:
    """Documents of a corpus."""
    known = ("encoding", *FORMATS[format].options)
    chosen = {name: value for name, value in options.items() if name in known}
    return FORMATS[format].read(path, report, **chosen)


def detect_format(path: Path, encoding: str = "utf-8") -> str:
    """Recognise the format of a file or folder by names and first record.

    path (Path): File or folder.
    encoding (str): Encoding of its files.
    RETURNS (str): Key of FORMATS.
    RAISES (InputError): If there is nothing to read, or no format fits.
    """
    files = find_files(path, ".json", ".jsonl", ANNOTATION, TEXT, *SUFFIXES)
    pair = path.suffix == TEXT and path.with_name(path.stem + ANNOTATION).exists()
    if pair or any(file.suffix.lower() == ANNOTATION for file in files):
        return "brat"
    file = next((f for f in files if f.suffix in (".jsonl", ".json")), files[0])
    if file.suffix in SUFFIXES:
        return "conll"
    alike = [f for f in files if f.suffix == file.suffix]
    file, first = next(_with_content(alike, encoding), (file, ""))
    records = []
    if first in "[{":
        records = [
            record for _, record in islice(read_json(file, encoding), bool(first))
        ]
        if not records:
            raise InputError(file, None, "there are no documents in it")
    lines = file.suffix == ".jsonl"
    # Files are named as `eng.train`, too.
    found = _format_of(records[0], lines) if records else "jsonl" if lines else "conll"
    if found is None or (found == "conll" and not _has_columns(file, encoding)):
        known = ", ".join(FORMATS)
        raise InputError(file, None, f"unknown format: name one with --format: {known}")
    return found


def _format_of(record: Any, lines: bool) -> str | None:
    """Format of a JSON value; without labels, too: the reader says what is missing."""
    names = record.keys() if isinstance(record, dict) else ()
    if "tokens" in names and ("labels" in names or "full_text" in names):
        return "essays"
    if "annotations" in names and not lines:
        return "tab"
    if "full_text" in names and "text" not in names:
        return "essays"
    return "jsonl" if "text" in names or lines else None


def _with_content(files: list[Path], encoding: str) -> Iterator[tuple[Path, str]]:
    """Files that are not blank, each with its first character."""
    for file in files:
        for chunk in read_chunks(file, encoding):
            if not chunk.isspace():
                yield file, chunk.lstrip()[0]
                break


def _has_columns(file: Path, encoding: str) -> bool:
    lines = [line for _, line in islice(read_lines(file, encoding), SAMPLE)]
    try:
        guess_columns(file, lines, None, None)
    except InputError:
        return False
    return True
