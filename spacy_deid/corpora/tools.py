"""What annotation tools export: Doccano, Label Studio and Prodigy.

Each has one JSON array or JSON lines. A document that nobody has finished (no
annotation, one that was cancelled, rejected or ignored) is counted and left out: nothing
is known of it, which is not the same as nothing to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from .files import InputError, find_files, read_json
from .readers import (
    Corpus,
    Record,
    check_record,
    group_annotators,
    make_mention,
    place,
)
from .report import Report

SUFFIXES = (".jsonl", ".json")


def read_doccano(path: str | Path, report: Report, encoding: str = "utf-8") -> Corpus:
    """Documents of Doccano: `text` (or `data`) with `label` or `labels`, a list of
    [start, end, label], or `entities`, a list of objects."""
    return _read(path, report, encoding, _of_doccano)


def read_label_studio(
    path: str | Path, report: Report, encoding: str = "utf-8"
) -> Corpus:
    """Documents of Label Studio: tasks with `data` and `annotations`, or its short form
    with the text and the regions side by side. Offsets are taken for characters or for
    the units of UTF-16, in which a browser counts, whichever fits the regions' texts."""
    return _read(path, report, encoding, _of_label_studio)


def read_prodigy(path: str | Path, report: Report, encoding: str = "utf-8") -> Corpus:
    """Documents of Prodigy: `text`, `spans` and `answer`; those of several annotators
    belong together by the hash of their input."""
    return _read(path, report, encoding, _of_prodigy)


def format_of(record: Record) -> str | None:
    """Which of the tools a record is of, by its fields."""
    if isinstance(record.get("data"), dict) or _short_regions(record) is not None:
        return "label_studio"
    if {"_input_hash", "answer"} & set(record):
        return "prodigy"
    is_doccano = _doccano_spans(record) is not None and "entity_mentions" not in record
    return "doccano" if is_doccano else None


def _read(
    path: str | Path,
    report: Report,
    encoding: str,
    layers: Callable[[Record], Iterator[Record]],
) -> Corpus:
    """One record an annotator, by what `layers` makes of a record of the tool."""
    records = []
    for file in find_files(path, *SUFFIXES):
        for line, raw in read_json(file, encoding):
            if not isinstance(raw, dict):
                raise InputError(file, line, "expected an object, one a document")
            where: Record = {"file": str(file), "line": line}
            found = list(layers(raw))
            for layer in found:
                record = {**layer, **where}
                check_record(file, line, record)
                records.append(record)
            if not found:
                report.add("missing_annotation", **place(where))
    yield from group_annotators(records)


def _doccano_spans(record: Record) -> list[Any] | None:
    for name, kind in (("label", list), ("labels", list), ("entities", dict)):
        spans = record.get(name)
        if isinstance(spans, list) and all(isinstance(span, kind) for span in spans):
            return spans
    return None


def _of_doccano(record: Record) -> Iterator[Record]:
    if (spans := _doccano_spans(record)) is None:
        return
    yield {
        "doc_id": record.get("id"),
        "text": record.get("text", record.get("data")),
        "entity_mentions": [
            make_mention(s.get("start_offset"), s.get("end_offset"), s.get("label"))
            if isinstance(s, dict)
            else make_mention(*(*s, None, None, None)[:3])
            for s in spans
        ],
    }


def _of_prodigy(record: Record) -> Iterator[Record]:
    if record.get("answer", "accept") != "accept":
        return
    spans = record.get("spans") or []
    yield {
        "doc_id": record.get("doc_id", record.get("_input_hash")),
        "text": record.get("text"),
        "annotator": record.get("_annotator_id", record.get("_session_id")),
        "entity_mentions": [
            make_mention(s.get("start"), s.get("end"), s.get("label"))
            if isinstance(s, dict)
            else s
            for s in (spans if isinstance(spans, list) else [spans])
        ],
    }


def _of_label_studio(record: Record) -> Iterator[Record]:
    text = _only_text(record.get("data", record))
    annotations = record.get("annotations", record.get("completions"))
    if annotations is None and (short := _short_regions(record)) is not None:
        annotations = [{"completed_by": record.get("annotator"), "result": short}]
    for annotation in annotations if isinstance(annotations, list) else ():
        if not isinstance(annotation, dict) or annotation.get("was_cancelled"):
            continue
        by = annotation.get("completed_by")
        yield {
            "doc_id": record.get("id"),
            "text": text,
            # Never an address, which some versions give with the number.
            "annotator": by.get("id") if isinstance(by, dict) else by,
            "entity_mentions": [*_regions(annotation.get("result") or [], text)],
        }


def _short_regions(record: Record) -> list[Record] | None:
    """The regions of the short form, under the name that the project gave them."""
    for value in record.values():
        if isinstance(value, list) and value and all(map(_is_short, value)):
            return [{"value": v} for v in value]
    return None


def _is_short(value: Any) -> bool:
    return isinstance(value, dict) and {"labels", "start", "end"} <= set(value)


def _only_text(data: Record) -> Any:
    """The text of a task: `text`, or the one string that it has."""
    if isinstance(data.get("text"), str):
        return data["text"]
    strings = [value for value in data.values() if isinstance(value, str)]
    return strings[0] if len(strings) == 1 else None


def _regions(result: list[Any], text: Any) -> Iterator[Record]:
    values = [r["value"] for r in result if isinstance(r, dict) and _is_region(r)]
    spans = [(v.get("start"), v.get("end"), v.get("text")) for v in values]
    readings = [spans]
    if isinstance(text, str) and any(ord(char) > 0xFFFF for char in text):
        # Where each unit of UTF-16 at which a character begins stands in the text.
        units = accumulate((2 if ord(char) > 0xFFFF else 1 for char in text), initial=0)
        places: dict[Any, int] = {unit: i for i, unit in enumerate(units)}
        readings.append([(places.get(a), places.get(b), t) for a, b, t in spans])
    best = max(readings, key=lambda r: sum(_fits(text, *span) for span in r))
    for value, (start, end, _) in zip(values, best):
        yield from (make_mention(start, end, label) for label in value["labels"])


def _is_region(region: Record) -> bool:
    value = region.get("value")
    return isinstance(value, dict) and isinstance(value.get("labels"), list)


def _fits(text: Any, start: Any, end: Any, string: Any) -> bool:
    ints = type(start) is int and type(end) is int
    return ints and isinstance(text, str) and text[start:end] == string
