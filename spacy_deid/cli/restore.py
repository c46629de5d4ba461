"""`spacy deid restore`: give back the originals of what `run --vault` has written."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ..vault import VaultError
from ..vault.restorer import EXACT, SEARCHED, UNKNOWN, RestoredDoc, Restorer
from ..vault.store import NAMED, RUN
from ._codecs import opened
from ._errors import FAILED, CliError, say, shown
from ._options import command
from ._output import Target, Writer, make_bar, show_documents
from ._process import Outcome
from ._read import (
    PLAIN,
    SEPARATED,
    Format,
    Item,
    Reader,
    Skipped,
    Source,
    find_sources,
    read_format,
    refuse_kinds,
)
from ._write import check_file, check_free, json_line
from .run import make_vault, say_left_out

MAX_PLACES = 10


class Names(NamedTuple):
    """Fields of a masked record."""

    text: str
    id: str


@command
def restore_cli(
    masked: str,
    output: str,
    vault: Path,
    key_env: str | None = None,
    text_field: str = "",
    id_field: str = "",
    overwrite: bool = False,
) -> int:
    """Restore the originals of de-identified documents.

    An unchanged text comes back exactly as it was, and so do the fields that `run`
    changed. In one that was edited or quoted surrogates are looked for where they
    stand; those that stand for several originals are reported and left.

    Exit status 0 only if all documents were known and none had to be left in part.
    """
    sources, skipped = find_sources(masked)
    refuse_kinds(sources, "restore")
    target = Target(output, masked, sources)
    # Originals do not stay in a half-finished file: it is quicker to begin again.
    target.resumable = False
    check_file(vault, "--vault", target.taken())
    check_free(target.files(), overwrite)
    opened = make_vault(vault, key_env)
    with shown(VaultError):
        opened.open()
        opened.verify()
        runs = [json.loads(row.data) for row in opened.read_all(RUN)]
        known = [Names(run["text_field"], run["id_field"]) for run in reversed(runs)]
        named = dict(json.loads(row.data) for row in opened.read_all(NAMED))
        job = _Job(Restorer(opened), target, Names(text_field, id_field), known, named)
        with _private_files():
            return job.run(masked, skipped)


@dataclass(repr=False)
class _Job:
    """Restores the documents of some sources and counts how that went.

    named (dict[str, str]): Parts of paths and columns by the names that they have got.
    """

    restorer: Restorer
    target: Target
    given: Names
    known: list[Names]
    named: dict[str, str]

    def __post_init__(self) -> None:
        self.aligned: dict[int, bool] = {}
        self.counts = {EXACT: 0, SEARCHED: 0, UNKNOWN: 0}
        self.n_surrogates = self.n_left = self.n_missing = 0

    def run(self, name: str, skipped: list[Skipped]) -> int:
        """Restore all documents; the exit status."""
        writer = Writer(self.target)
        writer.resume(skipped)
        sources = self.target.sources
        try:
            with make_bar(sources, "restore") as bar:
                for index, source in enumerate(sources):
                    for outcome in self._source(source, index, writer):
                        writer.add([outcome])
                        bar.update(outcome.n_bytes)
                writer.finish()
        except BaseException:
            if writer.file is not None:
                writer.file.discard()
            raise
        failed = writer.state.failed
        if not writer.state.docs and not failed:
            raise CliError(f"{name}: there are no documents in it")
        self._show(failed)
        return FAILED if failed or self.n_left or self.counts[UNKNOWN] else 0

    def _source(self, source: Source, index: int, writer: Writer) -> Iterator[Outcome]:
        names = self._names(source)
        reader = writer.reader(index, *names)
        for n, item in enumerate(reader):
            if item.error is not None:
                reason = f"{item.where}: {item.error}"
                say(f"Left out: {reason}")
                yield Outcome(index, item.n_bytes, error=reason)
                continue
            doc = self.restorer.restore(
                _given_id(item, source, names),
                item.text,
                {self.named.get(k, k): value for k, value in item.fields.items()},
                names.text,
                partial(self._ordinal, source, index, names, n),
                source.kind,
                self._made_id(item),
            )
            outcome = self._write(doc, item, reader.format)
            self._count(doc, item)
            yield outcome
        yield Outcome(index, 0, end=True)

    def _path(self, item: Item) -> dict[str, str]:
        parts = item.stem.split("/")
        return {part: self.named[part] for part in parts if part in self.named}

    def _made_id(self, item: Item) -> Any:
        """The id of a document that is called after its file."""
        if not str(item.doc_id).startswith(item.stem):
            return item.doc_id
        path = self._path(item)
        stem = "/".join(path.get(part, part) for part in item.stem.split("/"))
        return stem + str(item.doc_id)[len(item.stem) :]

    def _names(self, source: Source) -> Names:
        """Fields of a source: those given, else those of a run that fit."""
        text, name = self.given
        usual = Names(text or "text", name or "doc_id")
        if source.kind in PLAIN or source.path is None:
            return usual
        with opened(source.path) as stream:
            head = stream.readline().decode("utf-8-sig", "replace")
        if source.kind in SEPARATED:
            choices = [*self.known, Names("text", "doc_id")]
        else:
            # What `run` writes calls the id so, and a text that is alone in its record.
            choices = [usual, *(c._replace(id="doc_id") for c in self.known)]
        choices = [Names(text or c.text, name or c.id) for c in choices]
        # Both columns before one of them.
        for wanted in (2, 1):
            for choice in choices:
                columns = _columns(head, source.kind, choice.text)
                if choice.text in columns and (wanted == 1 or choice.id in columns):
                    return choice
        return usual

    def _ordinal(self, source: Source, index: int, names: Names, n: int) -> int | None:
        """The number of a document if every document of its file stands where `run` has
        written it."""
        if index not in self.aligned:
            items = enumerate(Reader(source, index, *names) if source.path else ())
            given = ((i, item, _given_id(item, source, names)) for i, item in items)
            aligned = all(self._stands_at(*each) for each in given)
            self.aligned[index] = source.path is not None and aligned
        return n if self.aligned[index] else None

    def _stands_at(self, number: int, item: Item, doc_id: Any) -> bool:
        known = self.restorer.candidates(doc_id, item.text)
        return item.error is None and any(row.ordinal == number for row, _ in known)

    def _write(self, doc: RestoredDoc, item: Item, form: Format) -> Outcome:
        out = Outcome(item.source, item.n_bytes, doc_id=item.doc_id, stem=item.stem)
        out.paths = self._path(item)
        if (kind := self.target.kind_for(item)) in PLAIN:
            out.line = doc.text.encode("utf-8")
        elif kind in SEPARATED:
            cells = self._cells(out, doc, item, form)
            out.line = form.row(cells)
            # A table is written in many ways; this one has to read as what it was.
            if form.cells(out.line) != cells:
                raise CliError(f"{item.where}: cannot be written as a .csv file")
        else:
            record = doc.record or {"doc_id": item.doc_id, "text": doc.text}
            out.line = json_line(record)
        return out

    def _cells(
        self, out: Outcome, doc: RestoredDoc, item: Item, form: Format
    ) -> list[str]:
        columns = {name: self.named.get(name, name) for name in item.fields}
        if doc.status == EXACT and len(doc.record) > len(columns):
            # Columns that --strict-fields left out.
            form.header = list(doc.record)
        if len(form.header) > len(columns):
            values = doc.record if doc.status == EXACT else doc.cells
            return [_cell(values.get(name, "")) for name in form.header]
        out.names = list(columns)
        out.columns = {old: new for old, new in columns.items() if new != old}
        return [_cell(doc.cells.get(name, "")) for name in columns.values()]

    def _count(self, doc: RestoredDoc, item: Item) -> None:
        self.counts[doc.status] += 1
        self.n_left += len(doc.left) + len(doc.left_fields)
        self.n_missing += doc.missing
        left = "surrogates that stand for several originals were left"
        if doc.status == SEARCHED:
            self.n_surrogates += doc.n
        if doc.left:
            places = ", ".join(f"[{a}, {b})" for a, b in doc.left[:MAX_PLACES])
            more = ", ..." if len(doc.left) > MAX_PLACES else ""
            say(f"{item.where}: {left}, at characters {places}{more}")
        if doc.left_fields:
            say(f"{item.where}: {left} in other fields ({len(doc.left_fields)})")
        if doc.missing:
            nowhere = "were found nowhere in the edited text"
            missing = f"{doc.missing} surrogates of this document {nowhere}"
            say(f"{item.where}: {missing}: deleted, or changed beyond recognition")
        if doc.status == UNKNOWN:
            known = "not in this vault, and no surrogate of it is in there"
            say(f"{item.where}: {known}; left as it was")

    def _show(self, failed: int) -> None:
        exact, searched, unknown = self.counts.values()
        say(f"{show_documents(exact, 'was', 'were')} restored exactly")
        if searched:
            note = f"{self.n_surrogates} surrogates were found in them and replaced"
            say(f"{show_documents(searched, 'was', 'were')} edited or quoted: {note}")
        if self.n_left:
            say(f"Surrogates and fields left, see above: {self.n_left}")
        if self.n_missing:
            say(f"Surrogates found nowhere in edited documents: {self.n_missing}")
        if unknown:
            say(f"{show_documents(unknown, 'is', 'are')} unknown, see above")
        say_left_out(failed)


def _columns(head: str, kind: str, text_field: str) -> Collection[str]:
    """Names of the fields of a file by its first line."""
    if kind in SEPARATED:
        return read_format(head, text_field, kind).header
    with contextlib.suppress(ValueError):
        first = json.loads(head)
        return first if isinstance(first, dict) else ()
    return ()


def _given_id(item: Item, source: Source, names: Names) -> Any:
    """The id that a masked document has of its own, None for one made by counting."""
    if source.kind in PLAIN:
        return item.doc_id
    value = item.fields.get(names.id)
    return None if value == "" else value


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


@contextlib.contextmanager
def _private_files() -> Iterator[None]:
    """Files made inside can be read by their owner alone: they hold the originals."""
    old = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(old)
