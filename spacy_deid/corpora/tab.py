"""The Text Anonymization Benchmark as published (Pilan et al. 2022).

One JSON array; each document has all annotators by name:
`annotations: {annotator1: {entity_mentions: [...]}, ...}`, beside `doc_id`, `text`,
`task`, `dataset_type` and `quality_checked`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from spacy.language import Language
from spacy.training import Example

from ..registries import registry
from .files import InputError, find_files, read_json
from .readers import GoldCorpus, Records, check_record, place, split_annotators
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


@registry.readers("spacy_deid.TabCorpus.v1")
def create_tab_corpus(
    path: str | Path,
    scheme: str = "tab",
    limit: int = 0,
    quality_checked: bool = False,
    encoding: str = "utf-8",
) -> Callable[[Language], Iterable[Example]]:
    """Corpus reader for the Text Anonymization Benchmark as published.

    path (Path): A file, or a folder of `.json` files.
    scheme (str): Name of the label scheme.
    limit (int): At most so many documents; 0 for all.
    quality_checked (bool): Only documents that a second person went through.
    encoding (str): Encoding of the files.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader.
    """
    read = partial(read_tab, quality_checked=quality_checked, encoding=encoding)
    return GoldCorpus(read, path, scheme, limit)
