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
    """Recognise the format of a file or folder by names and first record."""
    files = find_files(path, ".json", ".jsonl", ANNOTATION, TEXT, *SUFFIXES)
    suffixes = {file.suffix.lower() for file in files}
    if ANNOTATION in suffixes or (
        path.suffix == TEXT and path.with_name(path.stem + ANNOTATION).exists()
    ):
        return "brat"
    file = next((f for f in files if f.suffix in (".jsonl", ".json")), files[0])
    if file.suffix in SUFFIXES:
        return "conll"
    alike = [f for f in files if f.suffix == file.suffix]
    file, first = next(_with_content(alike, encoding), (file, ""))
    empty = InputError(file, None, "there are no documents in it")
    if not first:
        raise empty
    if first in "[{":
        records = [record for _, record in islice(read_json(file, encoding), 1)]
        if not records:
            raise empty
        (record,) = records
        if isinstance(record, dict):
            # Without labels, too: the reader tells what is missing.
            if "tokens" in record and ("labels" in record or "full_text" in record):
                return "essays"
            if "annotations" in record and file.suffix != ".jsonl":
                return "tab"
            if "text" in record:
                return "jsonl"
            if "full_text" in record:
                return "essays"
    elif file.suffix != ".jsonl" and _has_columns(file, encoding):
        # Files are named as `eng.train`, too.
        return "conll"
    if file.suffix == ".jsonl":
        return "jsonl"
    raise InputError(
        file, None, f"unknown format: name one with --format: {', '.join(FORMATS)}"
    )


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
