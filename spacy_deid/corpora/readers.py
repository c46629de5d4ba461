"""Annotated JSON lines to Docs with gold in `spans["pii"]` and `spans["mask"]`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from ..label_schemes import LabelScheme, make_label_scheme
from ..registries import registry
from ..schema import IDENTIFIER_TYPES, MASK_KEY, PII_KEY, SEMANTIC_TYPES

Record = dict[str, Any]


def read_records(path: str | Path) -> Iterator[Record]:
    """Records of a JSON lines file, or of all such files of a folder.

    path (Path): A file, or a folder with files ending in `.jsonl`.
    YIELDS (dict): One record a line, empty lines skipped.
    RAISES (ValueError): For a line that is not a JSON object, by file and line.
    """
    path = Path(path)
    if not path.exists():
        raise ValueError(f"{path}: no such file or folder")
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    for file in files:
        for number, record in _parse(file):
            if not isinstance(record, dict) or not isinstance(record.get("text"), str):
                raise ValueError(
                    f"{file}, line {number}: expected an object with a 'text' string"
                )
            yield record


def _parse(file: Path) -> Iterator[tuple[int, Any]]:
    """Line numbers and values; a file that is one JSON array counts as one line."""
    with file.open(encoding="utf8") as f:
        for number, line in enumerate(f, start=1):
            if not line.strip():
                continue
            try:
                # The published benchmark is one array, over one line or many.
                if number == 1 and line.lstrip().startswith("["):
                    for record in srsly.json_loads(line + f.read()):
                        yield number, record
                    return
                yield number, srsly.json_loads(line)
            except ValueError:
                raise ValueError(f"{file}, line {number}: not valid JSON") from None


def group_annotators(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Put the records of one document together: one record an annotator.

    records (Iterable[dict]): Records; those of one `doc_id` need not be adjacent.
    YIELDS (List[dict]): The records of one document, in order of first appearance.
    """
    groups: dict[Any, list[Record]] = {}
    for i, record in enumerate(records):
        groups.setdefault(record.get("doc_id", i), []).append(record)
    yield from groups.values()


def make_gold_doc(
    nlp: Language,
    annotations: list[Record],
    scheme: LabelScheme,
    counts: Counter | None = None,
) -> Doc:
    """Make a reference Doc of one document's annotations.

    `spans["pii"]` has the first annotator's types (span id = entity id),
    `spans["mask"]` the identifier types; further annotators are in `mask:NAME`.
    Where the scheme marks only some semantic types, `spans["pii"].attrs["covers"]`
    names them.

    nlp (Language): Its tokenizer is used.
    annotations (List[dict]): One record an annotator, all with the same text.
    scheme (LabelScheme): Scheme of the `entity_type` values.
    counts (Counter): Counts `spans`, `misaligned`, `dropped` and `unknown`.
    RETURNS (Doc): The document.
    RAISES (ValueError): If the annotators' texts differ, or for an unknown label.
    """
    counts = Counter() if counts is None else counts
    annotations = [layer for record in annotations for layer in _layers(record)]
    text = annotations[0]["text"]
    doc = nlp.make_doc(text)
    for number, record in enumerate(annotations):
        if record["text"] != text:
            raise ValueError(
                f"document {record.get('doc_id')}: its annotators have different texts"
            )
        pii, mask = [], []
        for mention in _joined(text, record.get("entity_mentions", [])):
            mapped = scheme.to_tab(mention["entity_type"])
            if mapped is None:
                counts["dropped"] += 1
                continue
            start, end = mention["start_offset"], mention["end_offset"]
            exact = doc.char_span(start, end)
            span = exact or doc.char_span(start, end, alignment_mode="expand")
            if span is None or not len(span):
                counts["dropped"] += 1
                continue
            counts["spans"] += 1
            counts["misaligned"] += exact is None
            entity_id = str(mention.get("entity_id", ""))
            identifier = mention.get("identifier_type")
            pii.append(_span(span, mapped[0], entity_id))
            if identifier is not None:
                if identifier not in IDENTIFIER_TYPES:
                    raise ValueError(
                        f"document {record.get('doc_id')}: unknown identifier type at "
                        f"{start}-{end}; known are {', '.join(IDENTIFIER_TYPES)}"
                    )
                mask.append(_span(span, identifier, entity_id))
        if number == 0:
            attrs = {}
            if set(scheme.covers) < set(SEMANTIC_TYPES):
                attrs["covers"] = list(scheme.covers)
            doc.spans[PII_KEY] = SpanGroup(doc, name=PII_KEY, attrs=attrs, spans=pii)
        if mask or any(
            "identifier_type" in m for m in record.get("entity_mentions", [])
        ):
            name = (
                MASK_KEY
                if number == 0
                else f"{MASK_KEY}:{record.get('annotator', number)}"
            )
            doc.spans[name] = SpanGroup(doc, name=name, spans=mask)
    return doc


def _joined(text: str, mentions: list[Record]) -> Iterator[Record]:
    """Mentions, a mark alone ("@" of a user name) joined to what it belongs to."""
    waiting: Record | None = None
    for mention in mentions:
        start, end = mention["start_offset"], mention["end_offset"]
        if waiting is not None:
            gap = text[waiting["end_offset"] : start]
            if waiting["entity_type"] == mention["entity_type"] and not gap.strip():
                mention = {**mention, "start_offset": waiting["start_offset"]}
            else:
                yield waiting
            waiting = None
        if any(ch.isalnum() for ch in text[start:end]):
            yield mention
        else:
            waiting = mention
    if waiting is not None:
        yield waiting


def _layers(record: Record) -> list[Record]:
    """One record an annotator, from a record with all of them by name."""
    if "entity_mentions" in record or "annotations" not in record:
        return [record]
    return [
        {**record, "annotator": name, **layer}
        for name, layer in record["annotations"].items()
    ]


def _span(span: Span, label: str, entity_id: str) -> Span:
    return Span(span.doc, span.start, span.end, label=label, span_id=entity_id)


def read_docs(
    nlp: Language,
    path: str | Path,
    scheme: LabelScheme,
    *,
    limit: int = 0,
    counts: Counter | None = None,
) -> Iterator[Doc]:
    """Reference Docs of a JSON lines file or folder.

    nlp (Language): Its tokenizer is used.
    path (Path): File or folder.
    scheme (LabelScheme): Scheme of the labels.
    limit (int): At most so many documents; 0 for all.
    counts (Counter): See `make_gold_doc`.
    YIELDS (Doc): One reference a document.
    """
    for i, records in enumerate(group_annotators(read_records(path))):
        if limit and i >= limit:
            return
        yield make_gold_doc(nlp, records, scheme, counts)


@registry.readers("spacy_deid.JsonlCorpus.v1")
def create_jsonl_corpus(
    path: str | Path, scheme: str = "tab", limit: int = 0
) -> Callable[[Language], Iterable[Example]]:
    """Corpus reader for annotated JSON lines, for `[corpora]` of a config.

    path (Path): File or folder of `.jsonl`, as under DESIGN section 6 (GOLD).
    scheme (str): Name of the label scheme.
    limit (int): At most so many documents; 0 for all.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader.
    """
    labels = make_label_scheme(scheme)

    def read(nlp: Language) -> Iterator[Example]:
        for reference in read_docs(nlp, path, labels, limit=limit):
            yield Example(nlp.make_doc(reference.text), reference)

    return read
