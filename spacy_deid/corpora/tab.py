"""The Text Anonymization Benchmark as published (Pilan et al. 2022).

One JSON array; each document has all annotators by name:
`annotations: {annotator1: {entity_mentions: [...]}, ...}`, beside `doc_id`, `text`,
`task`, `dataset_type` and `quality_checked`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .files import InputError, find_files, read_json
from .readers import Records, check_record, place, split_annotators
from .report import Report


def read_tab(
    path: str | Path,
    report: Report,
    quality_checked: bool = False,
    encoding: str = "utf-8",
) -> Iterator[Records]:
    """Documents of the benchmark, one at a time."""
    seen: set[str | int] = set()
    for file in find_files(path, ".json", ".jsonl"):
        for line, record in read_json(file, encoding):
            check_record(file, line, record)
            if "annotations" not in record and "entity_mentions" not in record:
                raise InputError(
                    file, line, "expected 'annotations', by name of the annotator"
                )
            if quality_checked and not record.get("quality_checked"):
                continue
            record = {**record, "file": str(file), "line": line}
            layers = split_annotators(record)
            doc_id = record.get("doc_id")
            if doc_id in seen:
                report.add("duplicate_id", **place(record))
            if doc_id is not None:
                seen.add(doc_id)
            if layers:
                yield layers
            else:
                report.add("missing_annotation", **place(record))
