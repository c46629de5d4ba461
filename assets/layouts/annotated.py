"""Annotations beside the text: by offsets, in elements of XML, in files of their own."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from spacy.tokens import DocBin
from spacy.vocab import Vocab

from spacy_deid.corpora.brat import read_brat
from spacy_deid.corpora.readers import read_records, split_annotators
from spacy_deid.corpora.report import Report
from spacy_deid.corpora.tokens import guess_spaces, join_tokens

Record = dict[str, Any]
_NEXT = re.compile(r"\S")
_DOCUMENT = ("doc_id", "annotator", "task", "quality_checked", "text")
_MENTION = (
    "start_offset",
    "end_offset",
    "span_text",
    "entity_type",
    "identifier_type",
    "entity_id",
    "entity_mention_id",
    "confidential_status",
    "generalizations",
)


def mention(start: int, end: int, label: str, **more: Any) -> Record:
    return {"start_offset": start, "end_offset": end, "entity_type": label, **more}


def read_annotators(files: list[Path]) -> Iterator[Record]:
    """The Text Anonymization Benchmark and the Wikipedia biographies: one JSON array,
    each document with all annotators by name. A record for each of them."""
    for file in files:
        for document in read_records(file):
            for record in split_annotators(document):
                mentions = [
                    {**m, **m.get("replacement", {})} for m in record["entity_mentions"]
                ]
                yield {
                    **{key: record[key] for key in _DOCUMENT if key in record},
                    "entity_mentions": [
                        {key: m[key] for key in _MENTION if key in m} for m in mentions
                    ],
                }


def read_standoff(
    files: list[Path], only: str = "", respace: bool = False
) -> Iterator[Record]:
    """brat stand-off.

    only (str): Beginning of the labels that are read, cut off of them; all by default.
    respace (bool): Whether the text has spaces between its tokens that nobody wrote.
    """
    for folder in sorted({file.parent for file in files}):
        for (record,) in read_brat(folder, Report()):
            mentions = [
                mention(
                    m["start_offset"], m["end_offset"], m["entity_type"][len(only) :]
                )
                for m in record["entity_mentions"]
                if m["entity_type"].startswith(only)
            ]
            made = {
                "doc_id": record["doc_id"],
                "text": record["text"],
                "entity_mentions": mentions,
            }
            yield _respace(made) if respace else made


def _respace(record: Record) -> Record:
    """The same with spaces as text is usually written; a line is a sentence."""
    words: list[str] = []
    spaces: list[bool] = []
    for line in record["text"].split("\n"):
        more = line.split()
        words += more
        spaces += guess_spaces(more)
    text, offsets = join_tokens(words, [*spaces[:-1], False])
    # Places in the old text and in the new one, by how many characters stand before.
    old = [i for i, c in enumerate(record["text"]) if not c.isspace()]
    new = [i for start, end in offsets for i in range(start, end)]
    moved = dict(zip(old, new))
    return {
        **record,
        "text": text,
        "entity_mentions": [
            {
                **m,
                "start_offset": moved[m["start_offset"]],
                "end_offset": moved[m["end_offset"] - 1] + 1,
            }
            for m in record["entity_mentions"]
        ],
    }


def read_factrueval(files: list[Path]) -> Iterator[Record]:
    """FactRuEval 2016: of each document a text, spans of words, and objects that are made
    of these."""
    for file in sorted(f for f in files if f.suffix == ".txt"):
        spans = {}
        for row in _read_rows(file.with_suffix(".spans")):
            start, length = int(row[2]), int(row[3])
            spans[row[0]] = (start, start + length)
        mentions = []
        for _, label, *parts in _read_rows(file.with_suffix(".objects")):
            starts, ends = zip(*(spans[part] for part in parts))
            mentions.append(mention(min(starts), max(ends), label))
        # With line breaks as they are: offsets count both signs.
        text = file.read_bytes().decode("utf8")
        yield {"doc_id": file.stem, "text": text, "entity_mentions": mentions}


def _read_rows(file: Path) -> Iterator[list[str]]:
    for line in file.read_text("utf8").split("\n"):
        row = line.partition("#")[0].split()
        if row:
            yield row


def read_spacy(files: list[Path]) -> Iterator[Record]:
    """spaCy's binary format, with gold in `doc.ents`."""
    for file in files:
        docs = DocBin().from_disk(file).get_docs(Vocab())
        for number, doc in enumerate(docs):
            mentions = [
                mention(span.start_char, span.end_char, span.label_)
                for span in doc.ents
            ]
            yield {
                "doc_id": f"{file.stem}-{number}",
                "text": doc.text,
                "entity_mentions": mentions,
            }


def read_pubtator(files: list[Path]) -> Iterator[Record]:
    """PubTator: `ID|t|TITLE`, `ID|a|ABSTRACT`, then a line with tabs for each mention."""
    for file in files:
        lines = file.read_text("utf8").split("\n")
        for filled, group in groupby(lines, key=lambda line: bool(line.strip())):
            if not filled:
                continue
            title, abstract, *rows = group
            doc_id, _, title = title.split("|", 2)
            mentions = [
                mention(int(row[1]), int(row[2]), row[4])
                for row in (line.split("\t") for line in rows)
            ]
            yield {
                "doc_id": doc_id,
                "text": f"{title}\n{abstract.split('|', 2)[2]}",
                "entity_mentions": mentions,
            }


def read_csv_spans(
    files: list[Path], text: str = "text", spans: str = "entities"
) -> Iterator[Record]:
    """CSV with a column of texts and one of spans in JSON (TASTEset)."""
    for file in files:
        with file.open(encoding="utf8", newline="") as stream:
            for number, row in enumerate(csv.DictReader(stream)):
                found = json.loads(row[spans])
                yield {
                    "doc_id": f"{file.stem}-{number}",
                    "text": row[text].rstrip(),
                    "entity_mentions": [
                        mention(m["start"], m["end"], m["type"]) for m in found
                    ],
                }


def read_nlupp(files: list[Path]) -> Iterator[Record]:
    """NLU++: JSON arrays of requests with intents and slots."""
    for file in files:
        for number, row in enumerate(json.loads(file.read_text("utf8"))):
            yield {
                "doc_id": f"{file.parent.name}-{file.stem}-{number}",
                "text": row["text"],
                "entity_mentions": [
                    mention(slot["span"][0], slot["span"][1], name)
                    for name, slot in row.get("slots", {}).items()
                    if "span" in slot
                ],
                "intents": row.get("intents", []),
            }


def read_sgd(files: list[Path]) -> Iterator[Record]:
    """Schema-Guided Dialogue: a turn a record, with its acts and slots; `dialogue` names
    what it is a part of."""
    for file in files:
        for dialogue in json.loads(file.read_text("utf8")):
            for number, turn in enumerate(dialogue["turns"]):
                frames = turn["frames"]
                yield {
                    "doc_id": f"{file.parent.name}-{dialogue['dialogue_id']}-{number}",
                    "dialogue": f"{file.parent.name}-{dialogue['dialogue_id']}",
                    "speaker": turn["speaker"],
                    "text": turn["utterance"],
                    "entity_mentions": [
                        mention(slot["start"], slot["exclusive_end"], slot["slot"])
                        for frame in frames
                        for slot in frame["slots"]
                    ],
                    "acts": sorted({a["act"] for f in frames for a in f["actions"]}),
                }


def read_parserator(
    files: list[Path], labels: str, default: str = ""
) -> Iterator[Record]:
    """Strings of usaddress and probablepeople: an element a word, named after what it is.

    labels (str): `ELEMENT=LABEL,...`, of elements whose names begin so; words of one label
        that follow each other are one mention.
    default (str): Label of the other elements; without one they have none.
    """
    pairs = [pair.split("=") for pair in labels.split(",")]

    def label_of(name: str) -> str:
        return next(
            (label for begin, label in pairs if name.startswith(begin)), default
        )

    for file in files:
        for number, string in enumerate(ElementTree.parse(file).getroot()):
            text = ""
            mentions: list[Record] = []
            before = ""
            for word in string:
                written = " ".join((word.text or "").split())
                label = label_of(word.tag)
                # Brackets and a comma behind the last word are no part of a name.
                start = len(text) + len(written) - len(written.lstrip("("))
                end = len(text) + len(written.rstrip("),"))
                if label and label == before:
                    mentions[-1]["end_offset"] = max(mentions[-1]["end_offset"], end)
                elif label and end > start:
                    mentions.append(mention(start, end, label))
                    before = label
                elif not label:
                    before = ""
                text += written + (
                    " " if (word.tail or "").strip() == "" and word.tail else ""
                )
            yield {
                "doc_id": f"{file.stem}-{number}",
                "text": text.rstrip(),
                "entity_mentions": mentions,
            }


def read_smartdata(files: list[Path]) -> Iterator[Record]:
    """MobIE and the SmartData corpus: one JSON value after the other, compressed, with
    Avro's wrappers of optional values. A document of several files is read once."""
    seen = set()
    for file in files:
        with gzip.open(file, "rt", encoding="utf8") as stream:
            content = stream.read()
        decoder, at = json.JSONDecoder(), 0
        while match := _NEXT.search(content, at):
            document, at = decoder.raw_decode(content, match.start())
            if document["id"] not in seen:
                seen.add(document["id"])
                text = _unwrap(document["text"])
                mentions = []
                for m in _unwrap(document["conceptMentions"]) or ():
                    label = _unwrap(m["type"]).lower().replace("_", "-")
                    start = _from_utf16(text, m["span"]["start"])
                    end = _from_utf16(text, m["span"]["end"])
                    # A trigger is the word that an event is told with.
                    if label != "trigger" and start < end:
                        mentions.append(mention(start, end, label))
                yield {
                    "doc_id": document["id"],
                    "text": text,
                    "entity_mentions": mentions,
                }


def _unwrap(value: Any) -> Any:
    """What is in Avro's `{"string": ...}` or `{"array": ...}`."""
    if isinstance(value, dict) and value.keys() <= {"string", "array"}:
        return next(iter(value.values()))
    return value


def _from_utf16(text: str, offset: int) -> int:
    """A place that was counted in units of UTF-16, as Java counts."""
    if text.isascii():
        return min(offset, len(text))
    units = text.encode("utf-16-le")[: 2 * offset]
    return len(units.decode("utf-16-le", "ignore"))
