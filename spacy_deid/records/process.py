"""Records through a pipeline: from their fields to new ones that share surrogates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from spacy.language import DisabledPipes, Language
from spacy.tokens import Doc

from ..disclosure import describe
from ..embedded import first_pipe
from ..pii_gazetteer import PiiGazetteer
from ..registries import pipes_of
from ..schema import text_of
from ..text.fields import Field, join_fields, with_fields
from .cells import like
from .cleaning import FieldCleaner, Pseudonyms
from .declared import Declared, Part, parts_of, placed
from .paths import value_at
from .recognised import recognise
from .results import DeidRecord, read_doc, read_found

T = TypeVar("T")


class Record(NamedTuple):
    """A record to de-identify.

    fields (dict): Its fields, the declared ones among them.
    layout (Sequence[Field]): Where the parts of a single text are that nothing found
        goes beyond.
    """

    fields: dict[str, Any]
    declared: Declared
    layout: Sequence[Field] = ()


class Failure(NamedTuple):
    """Why nothing came of a record: class of the error, and where it was raised."""

    kind: str
    place: str


@dataclass
class Done:
    """What came of a record.

    text (str): The fields that are `declared`, joined.
    result (DeidRecord): What was replaced in it.
    values (dict): The declared fields as they are now.
    spans (list[dict]): Entries of the output's `spans`, by places in the fields.
    parts (list[Part]): Where the fields are in the joined texts.
    cleaner (FieldCleaner): Takes what was replaced out of other fields.
    """

    text: str
    declared: Declared
    result: DeidRecord
    values: dict[str, Any]
    spans: list[dict[str, Any]]
    parts: list[Part]
    cleaner: FieldCleaner

    def of(self, name: str) -> tuple[str, str, list[tuple[int, int, str]]]:
        """A field as it was and as it is, and its replacements."""
        found = (part for part in self.parts if part.name == name)
        p = next(found, Part(name, 0, 0, 0, 0))
        new = self.result.text[p.new_start : p.new_end]
        own = [r for r in self.result.replacements if p.start <= r.start < p.end]
        rows = [(r.start - p.start, r.end - p.start, r.surrogate) for r in own]
        return self.text[p.start : p.end], new, rows

    def declared_spans(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """The spans of the fields that somebody has declared, each by its place in its
        field and in the joined text."""
        pairs = zip(self.spans, self.result.spans, strict=True)
        if not self.declared.recognised:
            return list(pairs)
        own = self.declared.own
        hidden = "field" if len(own) == 1 else ""
        declared = [(span, joined) for span, joined in pairs if span["field"] in own]
        return [({k: v for k, v in s.items() if k != hidden}, j) for s, j in declared]


def find_pseudonymizer(nlp: Language, mask: str | None = None) -> Any:
    """The pipeline's pseudonymizer, added at its end if there is none."""
    pipe: Any = first_pipe(nlp, "pseudonymizer") or nlp.add_pipe("pseudonymizer")
    if mask is not None:
        pipe.mask = mask
    return pipe


def set_scope(nlp: Language, scope: str, has_key: bool = True) -> None:
    """Where one entity has one surrogate, from now on; sentences are found where they
    are asked for.

    RAISES (ValueError): If there is no such scope, or it needs a key.
    """
    pipe = find_pseudonymizer(nlp)
    pipe.scope = scope
    if scope == "corpus" and not has_key:
        raise ValueError("the scope 'corpus' needs a secret key that lasts")
    if scope == "sentence" and "sentencizer" not in nlp.pipe_names:
        nlp.add_pipe("sentencizer", before=pipe.name)


def detectors_of(nlp: Language) -> DisabledPipes:
    """The pipeline without what replaces, inside of a `with`."""
    return nlp.select_pipes(disable=pipes_of(nlp, "pseudonymizer"))


def process_records(
    nlp: Language, records: Sequence[Record], ids: Pseudonyms
) -> list[Done | Failure]:
    """De-identify a batch of records. One that fails does not stop the others.

    nlp (Language): A pipeline with a pseudonymizer.
    ids (Pseudonyms): Gives names to what is an id.
    RETURNS (list): For each record what came of it, or why nothing did.
    """
    records = [r._replace(declared=recognise(r.declared, r.fields)) for r in records]
    return _each(nlp, records, _Reading(nlp, ids))


def find_in_records(
    nlp: Language, records: Sequence[Record]
) -> list[list[dict[str, Any]] | Failure]:
    """What is found in a batch of records and how it is judged; nothing is replaced.

    nlp (Language): A pipeline.
    RETURNS (list): For each record its spans as `read_found` gives them, by places in
        its fields; or why there are none.
    """
    with detectors_of(nlp):
        return _each(nlp, records, _find)


def _each(
    nlp: Language, records: Sequence[Record], read: Callable[[Record, Doc], T]
) -> list[T | Failure]:
    """What is read of the Doc of each record."""

    def tried(record: Record, doc: Doc | None) -> T | Failure:
        try:
            return read(record, nlp(_make_doc(nlp, record)) if doc is None else doc)
        except Exception as error:
            # A traceback holds the document.
            return Failure(type(error).__name__, describe(error))

    # Nothing may be raised inside: the zone would stay open and later strings in it.
    with nlp.memory_zone():
        # A Doc must not outlive the zone.
        out = [tried(*pair) for pair in zip(records, _piped(nlp, records))]
    return out


def _piped(nlp: Language, records: Sequence[Record]) -> Sequence[Doc | None]:
    """Docs of a batch; as many Nones if any fails, to be tried one by one."""
    docs: list[Doc] = []
    if len(records) > 1:
        with suppress(Exception):
            made = [_make_doc(nlp, record) for record in records]
            docs = list(nlp.pipe(made, batch_size=len(made)))
    return docs if len(docs) == len(records) else [None] * len(records)


def _find(record: Record, doc: Doc) -> list[dict[str, Any]]:
    names = [name for name, *_ in record.declared.cells(record.fields)]
    spans = read_found(doc)
    if len(record.declared.names) == 1:
        return spans
    return placed(spans, parts_of(doc, names, text_of(doc), []))


def _make_doc(nlp: Language, record: Record) -> Doc:
    cells = [cell[1:] for cell in record.declared.cells(record.fields)]
    if record.layout:
        doc = with_fields(nlp.make_doc, cells[0][0], record.layout)
    else:
        doc = join_fields(nlp.make_doc, cells or [("", "", "")])
    if record.declared.subject is not None:
        doc._.deid_subject = record.fields[record.declared.subject]
    return doc


class _Reading:
    def __init__(self, nlp: Language, ids: Pseudonyms) -> None:
        self.nlp = nlp
        self.ids = ids
        pipes = [p for _, p in nlp.pipeline if isinstance(p, PiiGazetteer)]
        self.lists = [(p.allow, p.deny) for p in pipes]

    def __call__(self, record: Record, doc: Doc) -> Done:
        cells = record.declared.cells(record.fields)
        text = text_of(doc)
        result = read_doc(doc)
        names = [name for name, *_ in cells]
        parts = parts_of(doc, names, result.text, doc._.deid_offsets)
        for (_, cell, *_), part in zip(cells, parts, strict=True):
            if text[part.start : part.end] != cell:
                raise ValueError("the tokenizer changed the text")
        stop, ids = self.nlp.Defaults.stop_words, record.declared.id_fields
        found = text, result.replacements
        cleaner = FieldCleaner(*found, stop, self.ids, ids, self.lists)
        names = [*record.declared.names]
        values = {name: value_at(record.fields, name) for name in names}
        for part in parts:
            new = result.text[part.new_start : part.new_end]
            values[part.name] = like(values[part.name], new)
        cleaner.values = values
        spans = result.spans if len(names) == 1 else placed(result.spans, parts)
        return Done(text, record.declared, result, values, spans, parts, cleaner)
