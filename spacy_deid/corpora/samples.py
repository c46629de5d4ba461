"""Labelled texts of a task: entities or slots, categories, questions and their answers,
read and written in the formats that tasks have (JSON lines, CoNLL, DocBin, SQuAD)."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.util import filter_spans, registry

from ..text.offsets import Offsets, span_to_new, to_new
from .convert import AUTO, check_format
from .corpus import read_documents
from .files import InputError
from .readers import Record, make_mention, read_records
from .report import Report

# The label of the answer to the question of a text.
ANSWER = "ANSWER"


@dataclass(frozen=True)
class Sample:
    """Texts that belong together: one, or a paragraph and the questions about it.

    texts (tuple[str, ...]): A paragraph comes first.
    spans (tuple): Of the first text: start, end, label, and for an answer the number of its
        question from 1 on, else 0.
    labels (tuple[str, ...]): Categories.
    source (Mapping): The record that it was read from.
    group (str): The document that it is a part of, as a turn of a dialogue; "" if it is one.
    """

    id: str
    texts: tuple[str, ...]
    spans: tuple[tuple[int, int, str, int], ...] = ()
    labels: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    group: str = ""

    def rewritten(self, texts: Iterable[str], rows: Offsets, at: int = 0) -> Sample:
        """The sample with new texts, its spans at their new places. A mention within a
        longer one that was replaced as a whole has none any more, and goes.

        rows (Offsets): What was replaced in the document.
        at (int): Where its first text began in that.
        """
        new, spans = to_new(rows, at), []
        places = [span_to_new(rows, a + at, b + at) for a, b, *_ in self.spans]
        longest: dict[tuple[int, int], int] = {}
        for place, (a, b, _, number) in zip(places, self.spans):
            if not number:
                longest[place] = max(b - a, longest.get(place, 0))
        for (start, end), (a, b, label, number) in zip(places, self.spans):
            if start < end and (number or b - a == longest[start, end]):
                spans.append((start - new, end - new, label, number))
        return replace(self, texts=tuple(texts), spans=tuple(spans))


def read_samples(
    path: str | Path,
    format: str = AUTO,
    label_field: str | None = None,
    group_field: str | None = None,
) -> Iterator[Sample]:
    """Samples of a file: `squad`, or one of the formats of annotated corpora.

    label_field (Optional[str]): Field of the category, or of a list of them.
    group_field (Optional[str]): Field that names the document which a text is a part of.
    RAISES (ValueError): If something cannot be read, by file and line.
    """
    path = Path(path)
    if format == "squad" or (format == AUTO and _is_squad(path)):
        yield from read_squad(path)
        return
    format = check_format(format, path)
    # Equal texts of JSON lines are two samples, and need no spans.
    records = (
        read_records(path)
        if format == "jsonl"
        else (records[0] for records in read_documents(format, path, Report()))
    )
    for record in records:
        doc_id = str(record.get("doc_id", ""))
        spans = tuple(sorted(_spans(record, path)))
        labels = _values(record, label_field, path)
        group = "".join(_values(record, group_field, path))
        yield Sample(doc_id, (record["text"],), spans, labels, record, group)


def documents(samples: Iterable[Sample]) -> Iterator[list[Sample]]:
    """Samples by document: those of one group that follow each other are together."""
    for group, found in groupby(samples, key=lambda sample: sample.group):
        members = [*found]
        yield from [members] if group else ([sample] for sample in members)


def _spans(record: Record, path: Path) -> Iterator[tuple[int, int, str, int]]:
    for mention in record.get("entity_mentions") or ():
        try:
            start, end = int(mention["start_offset"]), int(mention["end_offset"])
            label = str(mention["entity_type"])
        except (KeyError, TypeError, ValueError):
            start, end, label = 0, 0, ""
        if not 0 <= start < end <= len(record["text"]) or not label:
            problem = f"document {json.dumps(record.get('doc_id'))}: a broken mention"
            raise InputError(path, record.get("line"), problem)
        yield start, end, label, 0


def _values(record: Record, name: str | None, path: Path) -> tuple[str, ...]:
    if name is None:
        return ()
    value = record.get(name)
    values = value if isinstance(value, list) else [value]
    if any(not isinstance(v, str) or not v for v in values):
        problem = f"the field '{name}' is missing or no text"
        raise InputError(path, record.get("line"), problem)
    return tuple(values)


def _is_squad(path: Path) -> bool:
    return path.suffix == ".json" and '"paragraphs"' in path.read_text("utf8")[:4000]


def read_squad(path: Path) -> Iterator[Sample]:
    """Paragraphs with their questions, in SQuAD's JSON.

    RAISES (InputError): If it is none, or an answer does not stand where it should.
    """
    try:
        articles = json.loads(path.read_text(encoding="utf-8"))["data"]
        paragraphs = [p for article in articles for p in article["paragraphs"]]
        found = [_paragraph(p, i) for i, p in enumerate(paragraphs)]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(path, None, "not SQuAD's JSON in UTF-8") from None
    for i, sample in enumerate(found):
        for start, end, *_ in sample.spans:
            if not 0 <= start < end <= len(sample.texts[0]):
                problem = f"paragraph {i}: an answer lies outside the text"
                raise InputError(path, None, problem)
        yield sample


def _paragraph(paragraph: Mapping[str, Any], number: int) -> Sample:
    context = paragraph["context"]
    questions = [qa["question"] for qa in paragraph["qas"]]
    spans = []
    for i, qa in enumerate(paragraph["qas"], 1):
        for answer in qa["answers"]:
            start, text = int(answer["answer_start"]), answer["text"]
            if context[start : start + len(text)] != text:
                raise ValueError("an answer stands elsewhere")
            spans.append((start, start + len(text), ANSWER, i))
    return Sample(str(number), (context, *questions), tuple(spans), (), paragraph)


def squad_json(samples: Iterable[Sample]) -> dict[str, Any]:
    """SQuAD's JSON of paragraphs; ids of questions stay."""
    paragraphs = []
    for sample in samples:
        context, *questions = sample.texts
        made = [{"id": f"{sample.id}-{i}"} for i in range(len(questions))]
        known = sample.source.get("qas") or made
        qas = []
        for i, (question, qa) in enumerate(zip(questions, known, strict=True), 1):
            own = [s for s in sample.spans if s[2] == ANSWER and s[3] == i]
            answers = [{"text": context[a:b], "answer_start": a} for a, b, *_ in own]
            qas.append({"id": qa.get("id"), "question": question, "answers": answers})
        paragraphs.append({"context": context, "qas": qas})
    return {"version": "1.1", "data": [{"title": "", "paragraphs": paragraphs}]}


def json_record(sample: Sample, label_field: str | None = None) -> dict[str, Any]:
    """The JSON line of a sample of one text."""
    mentions = [make_mention(a, b, label) for a, b, label, _ in sample.spans]
    out: Record = {"doc_id": sample.id, "text": sample.texts[0]}
    out["entity_mentions"] = mentions
    if label_field is not None:
        one = not isinstance(sample.source.get(label_field), list)
        out[label_field] = sample.labels[0] if one else list(sample.labels)
    return out


def make_doc(sample: Sample, nlp: Language) -> Doc:
    """The first text of a sample with its spans as entities, the longest where they
    overlap, and its categories."""
    doc = nlp.make_doc(sample.texts[0])
    span_of = partial(doc.char_span, alignment_mode="expand")
    spans = [span_of(a, b, label=label) for a, b, label, _ in sample.spans]
    doc.ents = filter_spans([span for span in spans if span is not None])
    doc.cats = dict.fromkeys(sample.labels, 1.0)
    return doc


def conll_lines(sample: Sample, nlp: Language) -> Iterator[str]:
    """Tokens and BIO tags of a sample, a line each, and an empty line."""
    for token in make_doc(sample, nlp):
        if not token.text.strip():
            continue
        tag = f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "O"
        yield f"{token.text}\t{tag}"
    yield ""


def docbin(samples: Iterable[Sample], nlp: Language) -> DocBin:
    """A DocBin of samples."""
    return DocBin(docs=(make_doc(sample, nlp) for sample in samples))


@registry.misc("spacy_deid.samples.v1")
def make_samples(
    path: str,
    format: str = AUTO,
    label_field: str | None = None,
    group_field: str | None = None,
    limit: int = 0,
    skip: int = 0,
    seed: int = 0,
) -> list[Sample]:
    """Labelled texts of a task, for its config.

    path (str): JSON lines, CoNLL, `.spacy`, brat, or SQuAD's JSON.
    format (str): `squad` or a format of `convert`; guessed by default.
    label_field (Optional[str]): Field of the category, or of a list of them.
    group_field (Optional[str]): Field that names the document which a text is a part of:
        its texts share their surrogates, and are drawn together.
    limit (int): So many documents; 0 for all. They are shuffled first, by the seed.
    skip (int): Leave out the first so many of those shuffled, and so test on what was
        not trained on.
    RAISES (ValueError): If there are none, or something cannot be read.
    """
    found = [*documents(read_samples(path, format, label_field, group_field))]
    if limit or skip:
        random.Random(seed).shuffle(found)
        found = found[skip : skip + limit if limit else None]
    if not found:
        raise InputError(path, None, "there are no texts in it")
    return [sample for document in found for sample in document]
