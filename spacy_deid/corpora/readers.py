"""Annotated documents to Docs with gold in `spans["pii"]` and `spans["mask"]`.

A document on its way is a list of records, one an annotator, with the fields of our
JSON lines (`doc_id`, `text`, `entity_mentions`, `annotator`), and `file` and `line`
where it stands. Readers of other formats make the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from ..label_schemes import TABLE, LabelScheme
from ..schema import IDENTIFIER_TYPES, MASK_KEY, PII_KEY, SEMANTIC_TYPES, group_attr
from ..text.offsets import trimmed
from .files import CorpusError, InputError, find_files, read_json
from .report import Issue, Report

Record = dict[str, Any]
# Of one document: one record an annotator; and what readers give.
Records = list[Record]
Corpus = Iterator[Records]


# --------------------------------------------------------------------------
# JSON lines


def read_records(path: str | Path, encoding: str = "utf-8") -> Iterator[Record]:
    """Records of a file of JSON lines or one JSON array, or of all `.jsonl` of a folder.

    RAISES (ValueError): For a record that is no JSON object with a text, by file and
        line.
    """
    yield from (record for _, _, record in _read_placed(path, encoding, (".jsonl",)))


def _read_placed(
    path: str | Path, encoding: str, suffixes: Iterable[str]
) -> Iterator[tuple[Path, int, Record]]:
    for file in find_files(path, *suffixes):
        for line, record in read_json(file, encoding):
            check_record(file, line, record)
            yield file, line, record


def check_record(file: Path, line: int | None, record: Any) -> None:
    """Refuse what is no annotated document."""
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        raise InputError(file, line, "expected an object with a 'text' string")
    if not isinstance(record.get("doc_id"), (str, int, type(None))):
        raise InputError(file, line, "'doc_id' is neither a string nor a number")
    covers = record.get("covers", [])
    if not isinstance(covers, list) or any(c not in SEMANTIC_TYPES for c in covers):
        known = ", ".join(SEMANTIC_TYPES)
        raise InputError(file, line, f"'covers' must be a list of types: {known}")
    try:
        record["text"].encode("utf-8")
    except UnicodeEncodeError:
        problem = "the text holds half of a surrogate pair"
        raise InputError(file, line, problem) from None


def make_mention(start: Any, end: Any, label: Any, **more: Any) -> Record:
    """A mention of a record, with further fields."""
    return {"start_offset": start, "end_offset": end, "entity_type": label, **more}


def split_annotators(record: Record) -> Records:
    """One record an annotator, from a record with all of them by name."""
    if "entity_mentions" in record:
        return [record]
    layers = record.get("annotations")
    out = []
    for name, layer in layers.items() if isinstance(layers, dict) else ():
        if not isinstance(layer, dict):
            layer = {"entity_mentions": layer}
        if "entity_mentions" in layer:
            out.append({**record, "annotator": name, **layer})
    return out


def group_annotators(records: Iterable[Record]) -> Iterator[Records]:
    """Put the records of one document together: one record an annotator."""
    groups: dict[Any, Records] = {}
    for i, record in enumerate(records):
        doc_id = record.get("doc_id")
        key = ("number", i) if doc_id is None else ("id", doc_id)
        groups.setdefault(key, []).append(record)
    yield from groups.values()


def read_jsonl(
    path: str | Path,
    report: Report,
    encoding: str = "utf-8",
    suffixes: Iterable[str] = (".jsonl",),
    quality_checked: bool = False,
) -> Iterator[Records]:
    """Documents of JSON lines.

    quality_checked (bool): Only those that a second person went through.
    """
    placed = (
        {**record, "file": str(file), "line": line}
        for file, line, record in _read_placed(path, encoding, suffixes)
        if not quality_checked or record.get("quality_checked")
    )
    for records in group_annotators(placed):
        annotated = []
        for record in records:
            if split_annotators(record):
                annotated.append(record)
            else:
                # Nothing is known of it, which is not the same as nothing to find.
                report.add("missing_annotation", **place(record))
        yield from _by_text(annotated, report)


def _by_text(records: Records, report: Report) -> Iterator[Records]:
    """Records of one id: annotators of one text, and documents of other texts."""
    texts: dict[str, Records] = {}
    for record in records:
        if not (same := texts.setdefault(record["text"], [])) and len(texts) > 1:
            report.add("duplicate_id", **place(record))
        if any(_content(record) == _content(other) for other in same):
            report.add("duplicate_document", **place(record))
        else:
            same.append(record)
    yield from texts.values()


def _content(record: Record) -> Record:
    return {k: v for k, v in record.items() if k not in ("file", "line")}


def place(record: Record, **more: Any) -> dict[str, Any]:
    """Fields of an `Issue` that say where a record stands."""
    doc_id = record.get("doc_id")
    name = None if doc_id is None else str(doc_id)
    where = {"file": record.get("file"), "line": record.get("line"), "doc_id": name}
    return {**where, **more}


# --------------------------------------------------------------------------
# Records to Docs


class Gold(NamedTuple):
    """An annotation that stands on tokens: its span, labelled with the semantic type
    (span id = entity id), the label it was annotated with, what is known beyond the type,
    its identifier type ("" without a decision), and where it stands, see `place`."""

    span: Span
    native: str
    subtype: str
    identifier: str
    place: dict[str, Any]


def make_gold_doc(
    nlp: Language,
    annotations: Records,
    scheme: LabelScheme,
    report: Report | None = None,
) -> Doc:
    """Make a reference Doc of one document's annotations.

    `spans["pii"]` has the first annotator's types (span id = entity id),
    `spans["mask"]` the identifier types; further annotators are in `mask:NAME`.
    Attributes of `spans["pii"]`: `covers`, the semantic types that the scheme (or, by a
    field `covers`, this document's annotator) marks, where these are not all; `scheme` and
    `native`, the scheme's name and its own label of each span, for schemes other than
    `tab`; `subtypes`, one a span, where any is known.

    nlp (Language): Its tokenizer is used.
    annotations (List[dict]): One record an annotator, all with the same text.
    scheme (LabelScheme): Scheme of the `entity_type` values.
    report (Report): Counts what becomes of each annotation. Without one, an
        annotation that would be lost is an error.
    RETURNS (Doc): The document.
    RAISES (ValueError): If the annotators' texts differ.
    """
    report = Report(raise_on_loss=True) if report is None else report
    layers = [layer for record in annotations for layer in split_annotators(record)]
    text = annotations[0]["text"]
    doc = nlp.make_doc(text)
    report.add("documents")
    if not layers:
        report.add("missing_annotation", **place(annotations[0]))
    for number, layer in enumerate(layers):
        if layer["text"] != text:
            where = Issue("annotators", **place(layer))
            raise CorpusError(f"{where}: its annotators have different texts")
        report.add("annotators")
        golds = list(_read_layer(doc, layer, scheme, report))
        if number == 0:
            _report_overlaps(golds, report)
            doc.spans[PII_KEY] = _pii_group(doc, golds, scheme, layer)
        _add_mask(doc, golds, layer, number)
        for gold in golds:
            kept = number == 0 or gold.identifier
            report.add("kept" if kept else "other_annotator", **gold.place)
    return doc


def _mentions(layer: Record) -> list[Any]:
    """An annotator's mentions; what is no list of them stands for one that is broken."""
    mentions = layer["entity_mentions"] or []
    return mentions if isinstance(mentions, list) else [None]


def _pii_group(
    doc: Doc, golds: list[Gold], scheme: LabelScheme, layer: Record
) -> SpanGroup:
    attrs: dict[str, Any] = {}
    # With a label map only the types are known to others.
    if scheme.name in TABLE and scheme.name != "tab":
        attrs["scheme"] = scheme.name
        attrs["native"] = [gold.native for gold in golds]
    if any(gold.subtype for gold in golds):
        attrs["subtypes"] = [gold.subtype for gold in golds]
    if set(covers := layer.get("covers", scheme.covers)) < set(SEMANTIC_TYPES):
        attrs["covers"] = list(covers)
    spans = [gold.span for gold in golds]
    return SpanGroup(doc, name=PII_KEY, attrs=attrs, spans=spans)


def gold_subtypes(group: SpanGroup) -> list[str]:
    """Subtypes of gold spans, as far as the annotation tells."""
    given = [value or "" for value in group_attr(group, "subtypes", "")]
    scheme = TABLE.get(group.attrs.get("scheme", ""), {})
    natives = (scheme.get(x) or ("", "") for x in group_attr(group, "native", ""))
    return [subtype or own for subtype, (_, own) in zip(given, natives)]


def _add_mask(doc: Doc, golds: list[Gold], layer: Record, number: int) -> None:
    """Write an annotator's decisions: the first one's to `mask`."""
    decided = [gold for gold in golds if gold.identifier]
    named = (isinstance(m, dict) and "identifier_type" in m for m in _mentions(layer))
    if not decided and not any(named):
        return
    annotator = layer.get("annotator")
    name = key = MASK_KEY if number == 0 else f"{MASK_KEY}:{annotator or number}"
    while key in doc.spans:
        key = f"{name}-{number}"
    spans = [_labelled(gold.span, gold.identifier, gold.span.id_) for gold in decided]
    attrs = {} if annotator is None else {"annotator": str(annotator)}
    doc.spans[key] = SpanGroup(doc, name=key, attrs=attrs, spans=spans)


def _labelled(span: Span, label: str, entity_id: str) -> Span:
    return Span(span.doc, span.start, span.end, label=label, span_id=entity_id)


def _read_layer(
    doc: Doc, layer: Record, scheme: LabelScheme, report: Report
) -> Iterator[Gold]:
    """What of an annotator's mentions can be a gold span; the rest is counted."""
    seen: set[tuple[int, int, str, str, str]] = set()
    for mention in _joined(doc.text, check_mentions(layer, report), report):
        where, label = mention["place"], mention["entity_type"]
        if label not in scheme.labels:
            report.add("unknown_label", **where)
            continue
        if (mapped := scheme.to_tab(label)) is None:
            report.add("unmapped", **where)
            continue
        identifier = mention["identifier_type"]
        span = _align(doc, mention, report)
        span = _labelled(span, mapped[0], str(mention.get("entity_id") or ""))
        # Others on the same tokens may have another entity or a stricter decision.
        if (key := (span.start, span.end, label, span.id_, identifier)) in seen:
            report.add("duplicate", **where)
            continue
        seen.add(key)
        subtype = str(mention.get("subtype") or mapped[1])
        yield Gold(span, label, subtype, identifier, where)


def check_mentions(
    layer: Record, report: Report, labelled: bool = True
) -> Iterator[Record]:
    """An annotator's mentions whose offsets mean something, each with its `place`; the
    others are counted. Those without a label are broken, if they are to have one."""
    for mention in _mentions(layer):
        report.add("spans")
        where = place(layer)
        if not isinstance(mention, dict) or not _is_readable(mention, labelled):
            report.add("broken", **where)
            continue
        if type(mention.get("line")) is int:
            where["line"] = mention["line"]
        where["label"] = mention.get("entity_type")
        where["start"] = mention["start_offset"]
        where["end"] = mention["end_offset"]
        if (problem := _problem(layer["text"], mention)) is not None:
            report.add(problem, **where)
            continue
        identifier = mention.get("identifier_type") or ""
        if identifier and identifier not in IDENTIFIER_TYPES:
            report.add("unknown_identifier", **where)
            identifier = ""
        yield {**mention, "identifier_type": identifier, "place": where}


def _is_readable(mention: Record, labelled: bool) -> bool:
    label = mention.get("entity_type") or ("" if labelled else "-")
    offsets = mention.get("start_offset"), mention.get("end_offset")
    integers = all(type(offset) is int for offset in offsets)
    return bool(label) and isinstance(label, str) and integers


def _problem(text: str, mention: Record) -> str | None:
    """Kind of what is wrong with a mention's offsets, or None."""
    start, end = mention["start_offset"], mention["end_offset"]
    if start < 0 or end > len(text) or end < start:
        return "out_of_bounds"
    said = mention.get("span_text")
    if isinstance(said, str) and said.split() != text[start:end].split():
        return "text_mismatch"
    return None if text[start:end].strip() else "empty"


def _joined(text: str, mentions: Iterable[Record], report: Report) -> Iterator[Record]:
    """Mentions, a mark alone ("@" of a user name) joined to what it belongs to."""
    waiting: Record | None = None
    for mention in mentions:
        start, end = mention["start_offset"], mention["end_offset"]
        if waiting is not None:
            gap = text[waiting["end_offset"] : start]
            same = waiting["entity_type"] == mention["entity_type"]
            if same and start >= waiting["end_offset"] and not gap.strip():
                report.add("joined", **waiting["place"])
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


def _align(doc: Doc, mention: Record, report: Report) -> Span:
    """The tokens of a mention, none of them in part."""
    said = mention["start_offset"], mention["end_offset"]
    start, end = trimmed(doc.text, *said)
    if (start, end) != said:
        report.add("trimmed", **mention["place"])
    if (exact := doc.char_span(start, end)) is not None:
        return exact
    report.add("expanded", **mention["place"])
    span = doc.char_span(start, end, alignment_mode="expand")
    assert span is not None and len(span), "a span inside the text has tokens"
    return span


def _report_overlaps(golds: list[Gold], report: Report) -> None:
    """Count the spans of which the recognizer learns nothing: of two that overlap it
    learns the longer one, then the one before."""
    owner: dict[int, Gold] = {}
    longest = sorted(golds, key=lambda g: (-len(g.span), g.span.start, g.span.label_))
    for gold in longest:
        tokens = range(gold.span.start, gold.span.end)
        if (winner := next((owner[i] for i in tokens if i in owner), None)) is None:
            owner.update(dict.fromkeys(tokens, gold))
        else:
            report.add("overlapping", other=winner.native, **gold.place)


def make_gold_docs(
    nlp: Language,
    documents: Iterable[Records],
    scheme: LabelScheme,
    report: Report,
    limit: int = 0,
) -> Iterator[Doc]:
    """Reference Docs of documents in any format.

    RAISES (CorpusError): If none of the labels is of the scheme.
    """
    before = report.counts.copy()
    for records in islice(documents, limit or None):
        yield make_gold_doc(nlp, records, scheme, report)
    counts = report.counts - before
    if counts["unknown_label"] and not counts["kept"] and not counts["unmapped"]:
        issue = report.first["unknown_label"]
        fitting = [name for name, labels in TABLE.items() if issue.label in labels]
        choice = f": {' or '.join(fitting)}" if fitting else ""
        has = f"the scheme '{scheme.name}', which has {', '.join(scheme.labels)}"
        advice = f"choose another with --scheme (`scheme` in a config){choice}"
        raise CorpusError(f"{issue}: none of the labels is of {has}; {advice}")


def read_docs(
    nlp: Language,
    path: str | Path,
    scheme: LabelScheme,
    *,
    limit: int = 0,
    report: Report | None = None,
) -> Iterator[Doc]:
    """Reference Docs of a JSON lines file or folder."""
    report = Report(raise_on_loss=True) if report is None else report
    yield from make_gold_docs(nlp, read_jsonl(path, report), scheme, report, limit)
