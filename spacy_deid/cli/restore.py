"""`spacy deid restore`: give back the originals of what `run --vault` has written."""

from __future__ import annotations

import contextlib
import csv
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import typer

from ..vault.restorer import EXACT, SEARCHED, UNKNOWN, RestoredDoc, Restorer
from ..vault.store import RUN
from ._batch import make_bar, show_documents
from ._errors import FAILED, CliError, clean_errors, say
from ._io import CSV, TXT, Format, Item, Reader, Source, _guess_delimiter, find_sources
from ._output import Target, Writer
from ._process import Outcome
from ._spelling import HEAD, parse_row, spell_csv, spell_head, spell_json
from ._vault import DEFAULT_KEY_ENV, check_vault_path, make_vault, vault_errors

# Lines about single documents; more of them are only counted.
MAX_LINES, MAX_PLACES = 100, 10


class Names(NamedTuple):
    """Fields of a masked record."""

    text: str
    id: str


def restore_cli(
    masked: str = typer.Argument(
        ...,
        metavar="MASKED",
        help="What `run` wrote, perhaps edited or quoted: a .txt, .jsonl or .csv file, "
        "a folder of them, or - for JSON lines on stdin",
    ),
    output: str = typer.Argument(
        ...,
        metavar="OUTPUT",
        help="A file (.jsonl, or the input's kind), a folder, or - for stdout",
    ),
    vault: str = typer.Option(..., "--vault", help="The vault that `run` wrote"),
    key_env: str | None = typer.Option(
        None,
        "--key-env",
        help=f"Environment variable with the secret key (default: {DEFAULT_KEY_ENV})",
    ),
    text_field: str | None = typer.Option(
        None,
        "--text-field",
        help="Field or column of the text (default: where `run` has put it)",
    ),
    id_field: str | None = typer.Option(
        None,
        "--id-field",
        help="Field or column of the document's id (default: where `run` has put it)",
    ),
) -> None:
    """Restore the originals of de-identified documents.

    An unchanged text comes back exactly as it was, and so do the fields that `run`
    changed. In one that was edited or quoted surrogates are looked for where they
    stand; those that stand for several originals are reported and left.

    Exit status 0 only if all documents were known and none had to be left in part.
    """
    restore_command(masked, output, vault, key_env, text_field, id_field)


@clean_errors
def restore_command(
    masked: str,
    output: str,
    vault_name: str,
    key_env: str | None = None,
    text_field: str | None = None,
    id_field: str | None = None,
) -> int:
    """Run the command.

    masked (str): MASKED.
    output (str): OUTPUT.
    vault_name (str): The vault's file.
    key_env (str): Environment variable with the key.
    text_field (str): Field of the text, or None to find out.
    id_field (str): Field of the id, or None to find out.
    RETURNS (int): Exit status.
    """
    sources, skipped = find_sources(masked)
    target = Target(output, masked, sources)
    # Originals do not stay in a half-finished file: it is quicker to begin again.
    target.resumable = False
    path = Path(vault_name)
    check_vault_path(path, [*(s.path for s in sources), target.path])
    vault = make_vault(path, key_env)
    with vault_errors():
        vault.open()
        vault.verify()
        runs = [json.loads(row.data) for row in vault.read_all(RUN)]
    known = [Names(run["text_field"], run["id_field"]) for run in reversed(runs)]
    job = _Job(Restorer(vault), target, Names(text_field or "", id_field or ""), known)
    if skipped:
        say(f"{skipped} files of other kinds than .txt, .jsonl and .csv are left out")
    with vault_errors(), _private_files():
        return job.run(sources, masked)


class _Job:
    """Restores the documents of some sources and counts how that went."""

    def __init__(
        self, restorer: Restorer, target: Target, given: Names, known: list[Names]
    ) -> None:
        self.restorer = restorer
        self.target = target
        self.given = given
        self.known = known
        self.aligned: dict[int, bool] = {}
        self.counts = {EXACT: 0, SEARCHED: 0, UNKNOWN: 0}
        self.n_surrogates = self.n_left = self.n_missing = self.n_lines = 0
        # Whether what was written last to a file of several documents has no line end.
        self.open_line = False

    def run(self, sources: list[Source], name: str) -> int:
        writer = Writer(self.target, None, "")
        done = False
        try:
            with make_bar(sources, "restore") as bar:
                writer.open()
                for index, source in enumerate(sources):
                    for outcome in self._source(source, index, writer):
                        writer.add([outcome])
                        bar.update(outcome.n_bytes)
                state = writer.state
                empty = not state.docs and not state.failed
                writer.finish(discard=empty)
                done = True
        finally:
            if not done and writer.file is not None:
                writer.file.discard()
        if empty:
            raise CliError(f"{name}: there are no documents in it")
        self._show(state.failed)
        complete = not (state.failed or self.n_left or self.counts[UNKNOWN])
        return 0 if complete else FAILED

    def _source(self, source: Source, index: int, writer: Writer) -> Iterator[Outcome]:
        names = self._names(source)
        reader = Reader(source, index, names.text, names.id)
        writer.formats[index] = reader.format
        first = index == 0 or self.target.folder is not None
        self.open_line = self.open_line and not first
        for n, item in enumerate(reader):
            if item.error is not None:
                reason = f"{item.where}: {item.error}"
                say(f"Left out: {reason}")
                yield Outcome(index, item.n_bytes, error=reason)
                continue

            def ordinal(n: int = n) -> int | None:
                return n if self._is_aligned(source, index, names) else None

            doc = self.restorer.restore(
                _given_id(item, source, names),
                item.text,
                item.fields,
                names.text,
                ordinal,
                source.kind,
                item.doc_id,
            )
            self._count(doc, item)
            if first and doc.spelling is not None and self.target.kind_for(item) != TXT:
                _set_head(reader.format, doc.spelling, source.kind)
            first = False
            yield self._write(doc, item, source, reader.format)
        yield Outcome(index, 0, end=True)

    def _names(self, source: Source) -> Names:
        """Fields of a source: those given, else those of a run that fit."""
        text, name = self.given
        if source.kind != CSV or source.path is None:
            return Names(text or "text", name or "doc_id")
        with source.path.open("rb") as stream:
            head = stream.readline().decode("utf-8-sig", "replace")
        choices = [*self.known, Names("text", "doc_id")]
        # Both columns before one of them.
        for wanted in (2, 1):
            for choice in choices:
                choice = Names(text or choice.text, name or choice.id)
                delimiter = _guess_delimiter(head, choice.text)
                try:
                    columns = next(csv.reader([head], delimiter=delimiter), [])
                except csv.Error:
                    columns = []
                if choice.text in columns and (wanted == 1 or choice.id in columns):
                    return choice
        return Names(text or "text", name or "doc_id")

    def _is_aligned(self, source: Source, index: int, names: Names) -> bool:
        """Whether every document of a file stands where `run` has written it."""
        if source.path is None:
            return False
        if index not in self.aligned:
            self.aligned[index] = all(
                item.error is None
                and any(
                    row.ordinal == n
                    for row, _ in self.restorer.candidates(
                        _given_id(item, source, names), item.text
                    )
                )
                for n, item in enumerate(Reader(source, index, names.text, names.id))
            )
        return self.aligned[index]

    def _write(
        self, doc: RestoredDoc, item: Item, source: Source, form: Format
    ) -> Outcome:
        out = Outcome(item.source, item.n_bytes, doc_id=item.doc_id)
        kind = self.target.kind_for(item)
        spelling = doc.spelling if kind == source.kind else None
        if kind == TXT:
            out.line = doc.text.encode("utf-8")
            return out
        if kind == CSV:
            cells = [_cell(doc.cells.get(name, "")) for name in item.fields]
            line = spell_csv(spelling or {}, cells, form.delimiter, form.newline)
        else:
            record = doc.record
            if not record:
                record = {"doc_id": item.doc_id, "text": doc.text}
            line = spell_json(spelling or {}, record)
        # The last line of a file need not have an end, but it may be the last no more.
        if self.open_line:
            line = (form.newline.encode() if kind == CSV else b"\n") + line
        self.open_line = not line.endswith((b"\n", b"\r"))
        out.line = line
        return out

    def _count(self, doc: RestoredDoc, item: Item) -> None:
        self.counts[doc.status] += 1
        if doc.status == SEARCHED:
            self.n_surrogates += doc.n
        if doc.left:
            self.n_left += len(doc.left)
            places = ", ".join(f"[{a}, {b})" for a, b in doc.left[:MAX_PLACES])
            more = ", ..." if len(doc.left) > MAX_PLACES else ""
            self._say(
                f"{item.where}: surrogates that stand for several originals were left, "
                f"at characters {places}{more}"
            )
        if doc.left_fields:
            self.n_left += len(doc.left_fields)
            self._say(
                f"{item.where}: surrogates that stand for several originals were left "
                f"in other fields ({len(doc.left_fields)})"
            )
        if doc.missing:
            self.n_missing += doc.missing
            self._say(
                f"{item.where}: {doc.missing} surrogates of this document were found "
                "nowhere in the edited text: deleted, or changed beyond recognition"
            )
        if doc.status == UNKNOWN:
            self._say(
                f"{item.where}: not in this vault, and no surrogate of it is in there; "
                "left as it was"
            )

    def _say(self, line: str) -> None:
        self.n_lines += 1
        if self.n_lines <= MAX_LINES:
            say(line)
        elif self.n_lines == MAX_LINES + 1:
            say("More documents like these are only counted")

    def _show(self, failed: int) -> None:
        exact, searched, unknown = self.counts.values()
        say(f"{show_documents(exact, 'was', 'were')} restored exactly")
        if searched:
            say(
                f"{show_documents(searched, 'was', 'were')} edited or quoted: "
                f"{self.n_surrogates} surrogates were found in them and replaced"
            )
        if self.n_left:
            say(f"Surrogates and fields left, see above: {self.n_left}")
        if self.n_missing:
            say(f"Surrogates found nowhere in edited documents: {self.n_missing}")
        if unknown:
            say(f"{show_documents(unknown, 'is', 'are')} unknown, see above")
        if failed:
            say(f"{show_documents(failed, 'was', 'were')} left out (see above)")


def _set_head(form: Format, spelling: Mapping[str, Any], kind: str) -> None:
    """Begin the output as the original began, if the masked file has its columns."""
    if kind == CSV:
        head = str(spelling.get(HEAD, "")).removeprefix("\ufeff")
        if parse_row(head, form.delimiter) != form.header:
            return
    form.head = spell_head(spelling)


def _given_id(item: Item, source: Source, names: Names) -> Any:
    """The id that a masked document has of its own, None for one made by counting."""
    if source.kind == TXT:
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
