"""spaCy's `.spacy` files: gold in the groups `pii` and `mask`, in `doc.ents` or in any group."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from spacy.tokens import Doc, DocBin, Span
from spacy.vocab import Vocab

from ..schema import ENTS, MASK_KEY, PII_KEY, is_mask_key
from .files import InputError, find_files
from .readers import Corpus, Record, gold_subtypes, make_mention, place
from .report import Report

SUFFIX = ".spacy"


def read_docbins(
    path: str | Path, report: Report, spans_key: str | None = None
) -> Corpus:
    """Documents of a file or folder, numbered from 1 in each file.

    spans_key (Optional[str]): Span group of the gold, "ents" for `doc.ents`; without it
        `pii`, with the decisions of `mask` and `mask:NAME`, where a document has that
        group, else `doc.ents`.
    RAISES (InputError): For a file that spaCy can't read.
    """
    for file in find_files(path, SUFFIX):
        for number, doc in enumerate(_read_file(file), 1):
            record = {"doc_id": str(number), "text": doc.text, "file": str(file)}
            if not (layers := list(_layers(doc, spans_key))):
                report.add("missing_annotation", **place(record))
                continue
            yield [record | layer for layer in layers]


def scheme_of_file(path: Path) -> str | None:
    """The label scheme of a file or folder that has our groups; None for others."""
    first = next((doc for f in find_files(path, SUFFIX) for doc in _read_file(f)), None)
    return "tab" if first is not None and PII_KEY in first.spans else None


def _read_file(file: Path) -> list[Doc]:
    try:
        return list(DocBin().from_disk(file).get_docs(Vocab()))
    except Exception as error:
        problem = "no file of spaCy's binary format, or damaged: write it anew"
        raise InputError(file, None, problem) from error


def _layers(doc: Doc, spans_key: str | None) -> Iterator[Record]:
    """What each annotator marked."""
    if spans_key is None and PII_KEY in doc.spans:
        yield from _own_layers(doc)
    elif spans_key in (None, ENTS):
        if doc.has_annotation("ENT_IOB"):
            yield {"entity_mentions": [_mention(span) for span in doc.ents]}
    elif spans_key in doc.spans:
        yield {"entity_mentions": [_mention(span) for span in doc.spans[spans_key]]}


def _own_layers(doc: Doc) -> Iterator[Record]:
    pii = doc.spans[PII_KEY]
    types = {(span.start, span.end): span.label_ for span in pii}
    pairs = zip(pii, gold_subtypes(pii))
    first = [_mention(span) | {"subtype": subtype} for span, subtype in pairs]
    if MASK_KEY in doc.spans:
        decided = {_place(span): span.label_ for span in doc.spans[MASK_KEY]}
        for span, mention in zip(pii, first):
            mention["identifier_type"] = decided.get(_place(span))
    yield {"entity_mentions": first}
    for key in doc.spans:
        if key == MASK_KEY or not is_mask_key(key):
            continue
        group = doc.spans[key]
        name = group.attrs.get("annotator", key.partition(":")[2])
        mentions = []
        for span in group:
            type_ = types.get((span.start, span.end))
            own = {"entity_type": type_, "identifier_type": span.label_}
            mentions.append(_mention(span) | own)
        yield {"annotator": name, "entity_mentions": mentions}


def _place(span: Span) -> tuple[int, int, str]:
    return span.start, span.end, span.id_


def _mention(span: Span) -> Record:
    name = span.id_ or None
    return make_mention(span.start_char, span.end_char, span.label_, entity_id=name)
