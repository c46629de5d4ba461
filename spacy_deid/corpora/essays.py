"""Student essays as published for a competition (Holmes et al. 2024; paper 5, 3).

One JSON array; each essay has `document`, `full_text`, `tokens`,
`trailing_whitespace` and `labels`, one BIO tag a token.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .files import InputError, find_files, read_json
from .readers import Corpus, Record, check_record, place
from .report import Report
from .tokens import Offsets, find_spans, find_tokens, join_tokens, tag_mentions


def read_essays(path: str | Path, report: Report, encoding: str = "utf-8") -> Corpus:
    """Essays, one at a time."""
    seen: set[Any] = set()
    for file in find_files(path, ".json", ".jsonl"):
        for line, essay in read_json(file, encoding):
            _check(file, line, essay)
            record = {
                "doc_id": essay.get("document"),
                "text": essay.get("full_text", ""),
                "file": str(file),
                "line": line,
            }
            offsets = _locate(essay, record, report)
            check_record(file, line, record)
            if record["doc_id"] in seen:
                report.add("duplicate_id", **place(record))
            seen.update([] if record["doc_id"] is None else [record["doc_id"]])
            if offsets is not None:
                mentions = tag_mentions(essay["labels"], offsets)
                yield [record | {"entity_mentions": mentions}]
                continue
            report.add("broken_document", **place(record))
            for *_, label in find_spans(essay["labels"]):
                report.add("spans")
                report.add("text_mismatch", **place(record, label=label))


def _check(file: Path, line: int, essay: Any) -> None:
    if not isinstance(essay, dict):
        raise InputError(file, line, "expected an object, one an essay")
    for name in ("tokens", "labels"):
        values = essay.get(name)
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            more = " (are these essays without labels?)" if name == "labels" else ""
            raise InputError(file, line, f"expected a list of strings '{name}'{more}")
    if "full_text" not in essay and "trailing_whitespace" not in essay:
        raise InputError(file, line, "expected 'full_text' or 'trailing_whitespace'")
    if not isinstance(essay.get("full_text", ""), str):
        raise InputError(file, line, "'full_text' is no string")


def _locate(essay: Record, record: Record, report: Report) -> Offsets | None:
    """Offsets of the tokens, or None if that essay's parts do not fit together."""
    tokens, spaces = essay["tokens"], essay.get("trailing_whitespace")
    if len(tokens) != len(essay["labels"]):
        return None
    if isinstance(spaces, list) and len(spaces) == len(tokens):
        text, offsets = join_tokens(tokens, spaces)
        if essay.get("full_text", text) == text:
            record["text"] = text
            return offsets
    if (found := find_tokens(record["text"], tokens)) is not None:
        report.add("respaced", **place(record))
    return found
