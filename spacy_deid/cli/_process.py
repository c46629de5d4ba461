"""Running documents through the pipeline, in this process or in several."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..processes import count_workers, map_ordered
from ._errors import CliError, describe
from ._io import CSV, TXT, Item
from ._spelling import find_spelling, json_line

if TYPE_CHECKING:
    from spacy.language import Language

    from ..vault import Entry

DEFAULT_MODEL = "en_deid_sm"
DEFAULT_KEY_ENV = "SPACY_DEID_KEY"
MAX_CHUNK_CHARS = 300_000


@dataclass(frozen=True)
class Settings:
    """The command's arguments."""

    input_name: str
    output_name: str
    model: str = DEFAULT_MODEL
    strategy: str | None = None
    mask: str | None = None
    text_field: str = "text"
    id_field: str = "doc_id"
    key_env: str | None = None
    n_process: int = 1
    batch_size: int = 64
    audit: Path | None = None
    vault: Path | None = None
    subject_field: str | None = None
    gpu_id: int = -1

    def get_key(self) -> str | None:
        """The secret key, or None for a fresh one for each document."""
        value = os.environ.get(self.key_env or DEFAULT_KEY_ENV)
        if not value and self.key_env is not None:
            raise CliError(
                f"the environment variable {self.key_env} (--key-env) is not set"
            )
        return value or None


def load_model(name: str) -> Language:
    """Load a pipeline, or say in one line why not.

    name (str): As for `spacy_deid.load`.
    RETURNS (Language): The pipeline.
    RAISES (CliError): If there is none or it cannot be read.
    """
    from .. import install_extensions, load

    try:
        nlp = load(name)
    except OSError as error:
        if Path(name).exists():
            raise CliError(
                f"model {name}: not a pipeline, or part of it is missing"
            ) from error
        raise CliError(
            f"model {name}: no embedded pipeline, installed package or folder of this "
            "name"
        ) from error
    except Exception as error:
        raise CliError(
            f"model {name}: the pipeline cannot be loaded ({describe(error)}); it may "
            "be damaged or need a package that is not installed"
        ) from error
    install_extensions()
    # The limit guards the memory of parsers; long documents are the rule here, and
    # cutting them would lose the links between their parts.
    nlp.max_length = sys.maxsize
    return nlp


def find_pseudonymizer(nlp: Language) -> Any:
    """The pipeline's pseudonymizer, added at its end if there is none."""
    for name, pipe in nlp.pipeline:
        if nlp.get_pipe_meta(name).factory == "pseudonymizer":
            return pipe
    return nlp.add_pipe("pseudonymizer")


def load_pipeline(settings: Settings) -> Language:
    """Load the pipeline and set strategy, mask and key.

    settings (Settings): The arguments.
    RETURNS (Language): Ready to run.
    RAISES (CliError): If an argument does not fit.
    """
    from ..surrogates.strategies.base import get_strategy

    strategy = None
    if settings.strategy is not None:
        try:
            strategy = get_strategy(settings.strategy)
        except ValueError as error:
            raise CliError(f"--strategy: {error}") from error
    nlp = load_model(settings.model)
    pipe = find_pseudonymizer(nlp)
    if settings.mask is not None:
        pipe.mask = settings.mask
    if strategy is not None:
        pipe.strategy = strategy
    key = settings.get_key()
    if key is not None:
        pipe.set_key(key)
    return nlp


@dataclass
class Outcome:
    """What came of an item.

    source (int): Index of its source.
    n_bytes (int): Input it took.
    end (bool): It only marks the end of the source.
    error (str): Why nothing came out, with the place; or None.
    line (bytes): JSON line, or text for a .txt output.
    row (list): Cells, for a .csv output.
    audit (bytes): Line of the audit file.
    vault (Entry): What the vault keeps, or None.
    doc_id (Any): The id read.
    n_chars (int): Length of the text.
    labels (dict): Replaced spans by type.
    decisions (dict): Spans by decision.
    epsilon (Any): As the pseudonymizer gives it.
    changed (list[str]): Other fields that held masked strings.
    dropped (list[str]): Fields of the input that the output's own replace.
    """

    source: int
    n_bytes: int
    end: bool = False
    error: str | None = None
    line: bytes = b""
    row: list[Any] | None = None
    audit: bytes = b""
    vault: Entry | None = None
    doc_id: Any = None
    n_chars: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    decisions: dict[str, int] = field(default_factory=dict)
    epsilon: Any = None
    changed: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class OutputStyle:
    """How documents are written: in which kind of file, with what.

    kind (str): `txt`, `jsonl`, `csv`, or None for the kind of the source.
    text_field (str): Field of the text.
    id_field (str): Field of the id.
    audit (bool): Whether originals are wanted.
    vault (bool): Whether what `restore` needs is wanted.
    subject_field (str): Field of the id of the person that a document is about, or
        None.
    """

    kind: str | None
    text_field: str
    id_field: str
    audit: bool
    vault: bool = False
    subject_field: str | None = None


def process_chunk(
    nlp: Language, items: list[Item], kinds: list[str], style: OutputStyle
) -> list[Outcome]:
    """De-identify some documents. One that fails does not stop the others.

    nlp (Language): The pipeline.
    items (list[Item]): What was read.
    kinds (list[str]): Kind of output for each.
    style (OutputStyle): How to write.
    RETURNS (list[Outcome]): One for each item, in the same order.
    """
    kind_by_id = {id(item): kind for item, kind in zip(items, kinds)}
    for item in items:
        if item.error is None and not item.end:
            item.error = _subject_error(item, style.subject_field)
    readable = [item for item in items if item.error is None and not item.end]
    results: dict[int, Outcome] = {}
    # Nothing may be raised inside: the zone would stay open and later strings in it.
    with nlp.memory_zone():
        name = style.subject_field
        whose = [None if name is None else i.fields[name] for i in readable]
        texts = [item.text for item in readable]
        for item, doc, subject in zip(readable, pipe_batch(nlp, texts, whose), whose):
            try:
                outcome = _finish(
                    nlp,
                    doc if doc is not None else nlp(_make_doc(nlp, item.text, subject)),
                    item,
                    kind_by_id[id(item)],
                    style,
                )
            except Exception as error:
                outcome = Outcome(item.source, item.n_bytes, doc_id=item.doc_id)
                outcome.error = f"{item.where} (id {_show(item)}): {describe(error)}"
            results[id(item)] = outcome
            # A Doc must not outlive the zone.
            doc = None
    out = []
    for item in items:
        if id(item) in results:
            out.append(results[id(item)])
        else:
            reason = f"{item.where}: {item.error}" if item.error else None
            out.append(Outcome(item.source, item.n_bytes, item.end, reason))
    return out


def pipe_batch(
    nlp: Language, texts: list[str], subjects: list[Any] | None = None
) -> list[Any]:
    """Docs of a batch; Nones if any fails, to be tried one by one.

    nlp (Language): The pipeline.
    texts (list[str]): The texts.
    subjects (list): For each, id of the person it is about, or None.
    RETURNS (list): As many as there are texts.
    """
    if len(texts) > 1:
        try:
            whose = subjects or [None] * len(texts)
            made = [_make_doc(nlp, *pair) for pair in zip(texts, whose)]
            docs = list(nlp.pipe(made, batch_size=len(made)))
        except Exception:
            docs = []
        if len(docs) == len(texts):
            return docs
    return [None] * len(texts)


def _subject_error(item: Item, field: str | None) -> str | None:
    if field is None:
        return None
    value = item.fields.get(field)
    if value is None or value == "":
        return f"field '{field}' (--subject-field) is missing or empty"
    if isinstance(value, bool) or not isinstance(value, str | int):
        return f"field '{field}' (--subject-field) is neither a string nor a number"
    return None


def _make_doc(nlp: Language, text: str, subject: Any) -> Any:
    doc = nlp.make_doc(text)
    if subject is not None:
        doc._.deid_subject = subject
    return doc


def _show(item: Item) -> str:
    return json.dumps(item.doc_id)


def _finish(
    nlp: Language, doc: Any, item: Item, kind: str, style: OutputStyle
) -> Outcome:
    from ..schema import NO_MASK
    from ..vault.entries import field_entries, make_entry
    from ._records import OUTPUT_FIELDS, FieldCleaner, make_record, read_doc

    if doc.text != item.text:
        raise ValueError("the tokenizer changed the text")
    record = read_doc(doc)
    out = Outcome(item.source, item.n_bytes, doc_id=item.doc_id)
    out.n_chars = len(item.text)
    out.epsilon = record.epsilon
    out.labels = dict(Counter(r.label for r in record.replacements))
    out.decisions = dict(Counter(s["decision"] for s in record.spans))
    cleaner = FieldCleaner(item.text, record.replacements, nlp.Defaults.stop_words)
    # What the document is called and what its fields are in the output.
    new_id, entries = item.doc_id, []
    if kind == TXT:
        out.line = record.text.encode("utf-8")
        if cleaner.clean(item.doc_id) != item.doc_id:
            out.changed = ["the file's name (not changed)"]
    elif kind == CSV:
        out.row = []
        for name, value in item.fields.items():
            new = record.text if name == style.text_field else cleaner.clean(value)
            if name != style.text_field and new != value:
                out.changed.append(name)
            out.row.append(new)
        if style.vault:
            new_id = cleaner.clean(item.doc_id)
            row = dict(zip(item.fields, out.row))
            entries = field_entries(item.fields, style.text_field, row)
    else:
        row, out.changed = make_record(
            record, item.doc_id, item.fields, style.text_field, cleaner
        )
        out.line = json_line(row)
        own = (*OUTPUT_FIELDS, *record.people)
        out.dropped = [
            name
            for name in item.fields
            if name in own and name not in (style.text_field, style.id_field)
        ]
        if style.vault:
            new_id = row["doc_id"]
            entries = field_entries(
                item.fields, style.text_field, row, own, cleaner.clean
            )
    if style.vault:
        replaced = [(r.start, r.end, r.surrogate) for r in record.replacements]
        spelling = {}
        if item.raw is not None and item.raw.kind == kind:
            spelling = find_spelling(item.raw, item.fields)
        out.vault = make_entry(
            item.text,
            record.text,
            replaced,
            item.doc_id,
            new_id,
            entries,
            kind,
            spelling,
        )
    if style.audit:
        decided = {
            (s["start"], s["end"]): {
                "decision": s["decision"],
                "risk": s["risk"],
                **record.explanations[s["start"], s["end"]],
            }
            for s in record.spans
        }
        out.audit = json_line(
            {
                "doc_id": item.doc_id,
                "new_doc_id": cleaner.clean(item.doc_id),
                "where": item.where,
                "spans": [
                    {
                        "start": r.start,
                        "end": r.end,
                        "label": r.label,
                        "text": item.text[r.start : r.end],
                        "surrogate": r.surrogate,
                        **decided[r.start, r.end],
                    }
                    for r in record.replacements
                ],
                "kept": [
                    {
                        "start": s["start"],
                        "end": s["end"],
                        "label": s["label"],
                        "text": item.text[s["start"] : s["end"]],
                        **decided[s["start"], s["end"]],
                    }
                    for s in record.spans
                    if s["decision"] == NO_MASK
                ],
                **record.people,
            }
        )
    return out


def make_chunks(
    items: Iterable[Item], max_docs: int, max_chars: int = MAX_CHUNK_CHARS
) -> Iterator[list[Item]]:
    """Group items by number and length, so that memory stays bounded."""
    chunk: list[Item] = []
    n_chars = 0
    for item in items:
        if chunk and n_chars + len(item.text) > max_chars:
            yield chunk
            chunk, n_chars = [], 0
        chunk.append(item)
        n_chars += len(item.text)
        # Not before the next item is there: in a pipe it may take its time.
        if len(chunk) >= max_docs:
            yield chunk
            chunk, n_chars = [], 0
    if chunk:
        yield chunk


def _work(
    nlp: Language, job: tuple[list[Item], list[str]], style: OutputStyle
) -> list[Outcome]:
    return process_chunk(nlp, *job, style)


def process_stream(
    nlp: Language,
    chunks: Iterable[list[Item]],
    kind_for: Callable[[Item], str],
    style: OutputStyle,
    settings: Settings,
) -> Generator[list[Outcome], None, None]:
    """De-identify chunks, in this process or in several, in order.

    nlp (Language): The pipeline, which other processes inherit where they can.
    chunks (Iterable[list[Item]]): What was read.
    kind_for (Callable): Kind of output of an item.
    style (OutputStyle): How to write.
    settings (Settings): The arguments.
    YIELDS (list[Outcome]): Outcomes of a chunk.
    RAISES (WorkerDied): If one of several processes ended unexpectedly.
    """
    return map_ordered(
        partial(_work, style=style),
        ((chunk, [kind_for(item) for item in chunk]) for chunk in chunks),
        nlp,
        count_workers(settings.n_process),
        load=partial(load_pipeline, settings),
    )
