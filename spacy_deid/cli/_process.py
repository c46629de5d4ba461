"""Running documents through a pipeline, in this process or in several."""

from __future__ import annotations

import gc
import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from spacy.language import Language

from .. import embedded
from ..documents.formats import read_document
from ..documents.pieces import LeakError, Tools, join, share_out
from ..extensions import install_extensions
from ..processes import count_workers, in_groups, map_ordered
from ..records.cells import as_json
from ..records.cleaning import Pseudonyms
from ..records.declared import TEXT, Declared
from ..records.output import (
    JSONL,
    OUTPUT_FIELDS,
    audit_record,
    make_record,
    make_row,
    taken_name,
    vault_row,
)
from ..records.paths import is_below
from ..records.process import (
    Done,
    Failure,
    Record,
    find_pseudonymizer,
    process_records,
    set_scope,
)
from ..records.recognised import is_id_name, told_name
from ..review.documents import GoldByText, make_document
from ..surrogates.strategies.base import get_strategy
from ..vault import NewRow
from ._errors import CliError, describe, shown
from ._languages import AUTO, Pipelines
from ._options import DEFAULT_KEY_ENV, Orders, split, split_names
from ._read import JSON, PLAIN, TABLES, Item
from ._write import json_line

MAX_CHUNK_CHARS = 300_000


@dataclass(frozen=True)
class Settings:
    """The arguments of `run`."""

    input_name: str
    output_name: str
    model: str = embedded.DEFAULT_PIPELINE
    strategy: str | None = None
    mask: str | None = None
    scope: str | None = None
    text_field: list[str] = field(default_factory=lambda: [TEXT])
    id_field: str = "doc_id"
    key_env: str | None = None
    n_process: int = 1
    batch_size: int = 64
    audit: Path | None = None
    vault: Path | None = None
    # Ids with the pseudonymous ones in their place.
    id_keys: Path | None = None
    # The page for reviewers; without originals; what annotators have marked.
    review: Path | None = None
    masked_only: bool = False
    gold_by_text: GoldByText | None = None
    subject_field: str | None = None
    original_offsets: bool = True
    strict_fields: bool = False
    keep_fields: str = ""
    orders: Orders = field(default_factory=Orders)
    field: list[str] = field(default_factory=list)
    # Kind of all input files, and whether pictures in them are kept.
    input_format: str | None = None
    keep_images: bool = False
    # Whether files of a folder that are of no known kind are no errors.
    skip_unknown: bool = False
    # Makes pseudonymous ids where there is no key.
    salt: bytes = b""

    @cached_property
    def declared(self) -> Declared:
        """The fields that are de-identified."""
        texts = tuple(name for names in self.text_field for name in split_names(names))
        types = {}
        for given in self.field:
            name, sign, kind = given.rpartition("=")
            if not sign or not name:
                raise CliError("--field: should be like name=PERSON")
            types[name] = kind
        with shown(ValueError, at="--text-field, --field"):
            declared = Declared(
                texts,
                types,
                id_field=self.id_field,
                subject=self.subject_field,
                kept=split(self.keep_fields),
            )
        if name := taken_name(declared):
            raise CliError(f"a declared field '{name}': the output has its own")
        return declared

    def is_left_out(self, name: str) -> bool:
        """Whether a field of the input is not to be in the output."""
        return self.strict_fields and name not in self.declared.known

    def get_key(self) -> str | None:
        """The secret key, or None for a fresh one for each document."""
        value = os.environ.get(self.key_env or DEFAULT_KEY_ENV)
        if not value and self.key_env is not None:
            problem = f"the environment variable {self.key_env} (--key-env) is not set"
            raise CliError(problem)
        return value or None


def load_model(name: str) -> Language:
    """Load a pipeline by embedded name, package or path."""
    try:
        nlp = embedded.load_pipeline(name)
    except OSError as error:
        reason = "no embedded pipeline, installed package or folder of this name"
        if Path(name).exists():
            reason = "not a pipeline, or part of it is missing"
        raise CliError(f"model {name}: {reason}") from error
    except Exception as error:
        raise CliError(
            f"model {name}: the pipeline cannot be loaded ({describe(error)}); it may "
            "be damaged or need a package that is not installed"
        ) from error
    install_extensions()
    # Half a million objects that stay: a full collection would look at each of them, and
    # workers would copy the pages that it writes to.
    gc.freeze()
    return nlp


def load_pipeline(settings: Settings) -> Language:
    """Load the pipeline and set strategy, mask and key."""
    strategy = None
    if settings.strategy is not None:
        with shown(ValueError, at="--strategy"):
            strategy = get_strategy(settings.strategy)
    auto = settings.model == AUTO
    nlp = load_model(embedded.DEFAULT_PIPELINE if auto else settings.model)
    pipe = find_pseudonymizer(nlp, settings.mask)
    settings.orders.give(nlp)
    if strategy is not None:
        pipe.strategy = strategy
    if (key := settings.get_key()) is not None:
        with shown(ValueError):
            pipe.set_key(key)
    if settings.scope is not None:
        with shown(ValueError, at="--scope"):
            set_scope(nlp, settings.scope, key is not None)
    return nlp


@dataclass
class Outcome:
    """What came of an item of the source with this index."""

    source: int
    n_bytes: int
    # It only marks the end of the source.
    end: bool = False
    # Why nothing came out, with the place.
    error: str | None = None
    # JSON line or text; or the cells of a table.
    line: bytes = b""
    row: list[Any] | None = None
    audit: bytes = b""
    review: bytes = b""
    id_keys: bytes = b""
    vault: NewRow | None = None
    doc_id: Any = None
    n_chars: int = 0
    # Language, if it is another one than that of the pipeline.
    foreign: str = ""
    # How many spans have been replaced, by type; how many were decided so.
    labels: dict[str, int] = field(default_factory=dict)
    decisions: dict[str, int] = field(default_factory=dict)
    epsilon: Any = None
    # Other fields that held masked strings, and those that the output's own replace.
    changed: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    # Fields that nobody declared and that are personal by their names and values.
    recognised: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    # What of a file cannot be kept, with the file's name.
    notes: str = ""
    # The source's path without suffix and its columns; parts of the one and some of the
    # others that hold masked strings, and what they are called instead.
    stem: str = ""
    names: list[str] = field(default_factory=list)
    paths: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)


def unread(item: Item) -> Outcome:
    """What comes of an item that cannot be read, or of the end of a source."""
    reason = f"{item.where}: {item.error}" if item.error else None
    return Outcome(item.source, item.n_bytes, item.end, reason)


def failed(item: Item, why: str) -> Outcome:
    """What comes of a document that could not be processed."""
    reason = f"{item.where} (id {json.dumps(item.doc_id)}): {why}"
    return Outcome(item.source, item.n_bytes, error=reason, doc_id=item.doc_id)


def process_chunk(
    nlp: Language, job: tuple[list[Item], list[str]], settings: Settings
) -> list[Outcome]:
    """De-identify some documents, written as files of some kinds. One that fails does
    not stop the others."""
    items, kinds = job

    def load(model: str) -> Language:
        return load_pipeline(replace(settings, model=model))

    pipelines = Pipelines(nlp, load if settings.model == AUTO else None)
    ids = Pseudonyms(find_pseudonymizer(nlp).derive_secret("ids") or settings.salt)
    by_language: dict[str, list[int]] = defaultdict(list)
    for i, item in enumerate(items):
        if not item.is_document:
            continue
        item.foreign = pipelines.foreign(item.text)
        if pipelines.of(item.foreign) is not None:
            by_language[item.foreign].append(i)
            continue
        language = f"it is in a language ('{item.foreign}')"
        missing = "for which no pipeline is installed (see `spacy deid models`)"
        item.error = f"{language} {missing}, or --model names one"
    done: dict[int, Done | Failure] = {}
    for language, where in by_language.items():
        own = pipelines.of(language) or nlp
        rows = [(items[i], items[i].fields or {TEXT: items[i].text}) for i in where]
        records = [Record(row, item.declared, item.layout) for item, row in rows]
        done.update(zip(where, process_records(own, records, ids)))
    return [
        _finish(done[i], item, kind, settings) if item.is_document else unread(item)
        for i, (item, kind) in enumerate(zip(items, kinds))
    ]


def _finish(done: Done | Failure, item: Item, kind: str, settings: Settings) -> Outcome:
    if isinstance(done, Failure):
        return failed(item, done.place)
    try:
        return _written(done, item, kind, settings)
    except LeakError as error:
        return failed(item, str(error))
    except Exception as error:
        return failed(item, describe(error))


def _written(done: Done, item: Item, kind: str, settings: Settings) -> Outcome:
    record, cleaner = done.result, done.cleaner
    out = Outcome(
        item.source,
        item.n_bytes,
        doc_id=item.doc_id,
        n_chars=len(done.text),
        foreign="" if settings.model == AUTO else item.foreign,
        epsilon=record.epsilon,
        stem=item.stem,
        labels=dict(Counter(r.label for r in record.replacements)),
        decisions=dict(Counter(s["decision"] for s in record.spans)),
    )
    out.paths = cleaner.clean_path(item.stem)
    new_id, row = _write(out, kind, item, done, settings)
    out.undecided = cleaner.undecided
    names = [n for n in done.declared.recognised if not is_below(n, out.left_out)]
    out.recognised = [told_name(name, done.declared.types[name]) for name in names]
    out.notes = f"{item.where}: {'; '.join(item.notes)}" if item.notes else ""
    if settings.vault is not None:
        form = JSONL if kind == JSON else kind
        new = new_id, row, form, out.left_out
        out.vault = vault_row(done, item.doc_id, item.fields, *new)
    if settings.id_keys is not None:
        out.id_keys = _changed_ids(item, new_id, done, settings)
    if settings.audit is not None:
        out.audit = json_line(audit_record(item.doc_id, item.where, done))
    if settings.review is not None:
        shown = settings.masked_only, settings.gold_by_text
        out.review = json_line(make_document(done, item.doc_id, *shown))
    return out


def _write(
    out: Outcome, kind: str, item: Item, done: Done, settings: Settings
) -> tuple[Any, dict[str, Any]]:
    """Write a document; what it is called and what its fields are in the output."""
    cleaner = done.cleaner
    if kind in PLAIN or (item.kind and kind != JSONL):
        out.line = _file_of(item, done)
        stem = "/".join(out.paths.get(p, p) for p in item.stem.split("/"))
        return stem + item.doc_id[len(item.stem) :], {}
    left_out = out.left_out = [n for n in item.fields if settings.is_left_out(n)]
    fields = {n: v for n, v in item.fields.items() if n not in left_out}
    if kind in TABLES:
        names = {name: cleaner.clean_column(name) for name in fields}
        row = make_row(done, fields, names)
        others = [name for name in fields if name not in done.values]
        out.changed = [names[name] for name in others if row[name] != fields[name]]
        out.columns = {name: new for name, new in names.items() if new != name}
        out.names = list(item.fields)
        out.row = list(row.values())
        return cleaner.clean_id(item.doc_id), row
    row, out.changed = make_record(done, item.doc_id, fields, settings.original_offsets)
    out.line = json_line(row if item.is_json else as_json(row))
    people = done.result.people
    hidden = {*OUTPUT_FIELDS, *people} - {*done.declared.names, settings.id_field}
    out.dropped = [name for name in fields if name in hidden]
    return row["doc_id"], row


def _changed_ids(item: Item, new_id: Any, done: Done, settings: Settings) -> bytes:
    """A line for each id of a document that is another in the output."""
    pairs = {settings.id_field: (item.doc_id, new_id)}
    for name, value in item.fields.items():
        is_id = name in settings.declared.id_fields or is_id_name(name)
        if is_id and name not in done.values:
            pairs.setdefault(name, (value, done.cleaner.clean_id(value)))
    changed = [(k, old, new) for k, (old, new) in pairs.items() if old != new]
    rows = (dict(zip(("field", "id", "pseudonym"), row)) for row in changed)
    return b"".join(map(json_line, rows))


def _file_of(item: Item, done: Done) -> bytes:
    """The file of a document, with its new text."""
    if not item.kind:
        return done.result.text.encode("utf-8")
    document = read_document(item.kind, item.data, item.keep_images)
    if (joined := join(document.pieces)).text != done.text:
        raise ValueError("the document was read in another way before")
    replaced = done.result.replacements
    edits = [(r.start, r.end, r.surrogate) for r in replaced]
    masked = [(done.text[r.start : r.end], r.label) for r in replaced]
    tools = Tools(masked, done.cleaner.ids.of)
    return document.write(share_out(document.pieces, joined.starts, edits), tools)


def make_chunks(items: Iterable[Any], max_docs: int) -> Iterator[list[Any]]:
    """Group what has a text by number and length, so that memory stays bounded."""
    return in_groups(items, lambda item: len(item.text), MAX_CHUNK_CHARS, max_docs)


def process_stream(
    nlp: Language,
    chunks: Iterable[list[Item]],
    kind_for: Callable[[Item], str],
    settings: Settings,
) -> Generator[list[Outcome], None, None]:
    """De-identify chunks, in this process or in several, in order."""
    process = partial(process_chunk, settings=settings)
    tasks = ((chunk, [*map(kind_for, chunk)]) for chunk in chunks)
    workers, load = count_workers(settings.n_process), partial(load_pipeline, settings)
    return map_ordered(process, tasks, nlp, workers, load=load)
