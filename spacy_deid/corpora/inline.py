"""Annotation in the running text, for people to read and to correct.

A file of documents, each begun by a line `=== NAME`; a span is `⟦text|TYPE[.SUBTYPE]
DECISION ENTITY⟧`, see docs/annotation.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..schema import DIRECT, NO_MASK, QUASI, SEMANTIC_TYPES
from .files import InputError, find_files, read_lines
from .readers import Corpus, Record, make_mention
from .report import Report

SUFFIX = ".txt"
HEADER = "=== "
OPEN, CLOSE = "⟦", "⟧"
_DECISIONS = {"D": DIRECT, "Q": QUASI, "N": NO_MASK}
_SPAN = re.compile(
    rf"{OPEN}([^|{OPEN}{CLOSE}]+)\|([A-Z]+)(?:\.([A-Z_]+))? ([A-Z]) (\d+){CLOSE}"
)


def is_inline(path: Path, encoding: str = "utf-8") -> bool:
    """Whether a file begins as one of these."""
    if path.suffix != SUFFIX:
        return False
    lines = (line for _, line in read_lines(path, encoding) if line.strip())
    return next(lines, "").startswith(HEADER)


def read_inline(path: str | Path, report: Report, encoding: str = "utf-8") -> Corpus:
    """Documents of a file or a folder of files; `kind` is the name of the file.

    RAISES (InputError): By file and line, for text before the first header, a name
        given twice, or a span that can't be read.
    """
    root = Path(path)
    names: dict[str, Path] = {}
    for file in find_files(root, SUFFIX):
        for line, name, lines in _documents(file, encoding):
            if name in names:
                raise InputError(file, line, f"a second document '{name}'")
            names[name] = file
            record = _read_document(file, line, lines)
            yield [{"doc_id": name, "kind": file.stem, **record}]


def _documents(file: Path, encoding: str) -> Iterator[tuple[int, str, list[str]]]:
    """Line of the header, name and lines of each document."""
    at, name = 0, ""
    lines: list[str] = []
    for number, line in read_lines(file, encoding):
        if line.startswith(HEADER):
            if name:
                yield at, name, lines
            at, name, lines = number, line[len(HEADER) :].strip(), []
            if not name:
                raise InputError(file, number, "a document without a name")
        elif name:
            lines.append(line.rstrip("\r\n"))
        elif line.strip():
            raise InputError(file, number, f"expected '{HEADER}NAME' before the text")
    if name:
        yield at, name, lines


def _read_document(file: Path, header: int, lines: list[str]) -> Record:
    blank = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    body = "\n".join(lines[blank:]).rstrip()
    parts: list[str] = []
    mentions: list[Record] = []
    at = length = 0

    def fail(offset: int, problem: str) -> InputError:
        line = header + 1 + blank + body.count("\n", 0, offset)
        return InputError(file, line, problem)

    def plain(end: int) -> str:
        text = body[at:end]
        for sign in (OPEN, CLOSE):
            if sign in text:
                raise fail(at + text.index(sign), f"'{sign}' that is no part of a span")
        return text

    for match in _SPAN.finditer(body):
        between = plain(match.start())
        text, label, subtype, decision, entity = match.groups()
        if label not in SEMANTIC_TYPES or decision not in _DECISIONS:
            raise fail(match.start(), f"unknown type or decision '{label} {decision}'")
        start = length + len(between)
        length = start + len(text)
        parts += (between, text)
        at = match.end()
        more = {"subtype": subtype or "", "identifier_type": _DECISIONS[decision]}
        mentions.append(make_mention(start, length, label, **more, entity_id=entity))
    parts.append(plain(len(body)))
    where = {"file": str(file), "line": header}
    return {"text": "".join(parts), "entity_mentions": mentions, **where}
