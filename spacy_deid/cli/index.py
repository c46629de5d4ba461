"""`spacy deid index`: background documents to a local index for the web search."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ._errors import FAILED, INTERRUPTED, CliError, clean_errors, say
from ._io import PART, Item, PartFile, Reader, Source, find_sources, is_special

if TYPE_CHECKING:
    from ..risk.search.local_index import IndexWriter

# Reports of one kind; then they are only counted.
MAX_REPORTS = 100
LEFT_OUT, REPEATED, EMPTY = "left out", "repeated", "empty"


@dataclass(frozen=True)
class IndexSettings:
    """The command's arguments; without a name of a field its default may be missing."""

    input_name: str
    output_name: str
    text_field: str = "text"
    url_field: str | None = None
    id_field: str | None = None
    title_field: str | None = None


def index_cli(
    input_name: str = typer.Argument(
        ...,
        metavar="DOCUMENTS",
        help="A .jsonl, .csv or .txt file, a folder of them, or - for JSON lines on "
        "stdin",
    ),
    output_name: str = typer.Argument(
        ..., metavar="INDEX.sqlite", help="The index to write"
    ),
    text_field: str = typer.Option(
        "text", "--text-field", help="Field or column of the text"
    ),
    url_field: str | None = typer.Option(
        None, "--url-field", help="Field of the address (default: url, if there is one)"
    ),
    id_field: str | None = typer.Option(
        None,
        "--id-field",
        help="Field of the document's id, which stands for a missing address "
        "(default: doc_id, if there is one)",
    ),
    title_field: str | None = typer.Option(
        None, "--title-field", help="Field of the title (default: title, if any)"
    ),
) -> None:
    """Build a full-text index of background documents, for the web search indicator.

    It holds words, their places and addresses, not the texts; still, guard it like the
    documents. Leave those out of it that are to be de-identified. Exit status 0 only
    if every document could be read.
    """
    run_index(
        IndexSettings(
            input_name, output_name, text_field, url_field, id_field, title_field
        )
    )


@clean_errors
def run_index(settings: IndexSettings) -> int:
    """Run the command.

    settings (IndexSettings): The arguments.
    RETURNS (int): Exit status.
    """
    sources, skipped = find_sources(settings.input_name)
    path = Path(settings.output_name)
    _check_output(path, sources)
    if skipped:
        say(f"{skipped} files of other kinds than .txt, .jsonl and .csv are left out")
    file = PartFile(path, _mode(sources))
    try:
        counts = _build(settings, sources, file.part)
        file.commit()
    except BaseException as error:
        file.discard()
        if isinstance(error, KeyboardInterrupt):
            say("Interrupted; nothing is written")
            return INTERRUPTED
        if isinstance(error, sqlite3.Error):
            # Its messages say nothing of the values.
            raise CliError(f"{path}: cannot be written: {error}") from None
        raise
    n = counts.documents
    say(f"{n:,} documents, {path.stat().st_size / 1e6:.1f} MB, in {path}")
    say_more = (
        (REPEATED, "were there before, with the same address and text"),
        (EMPTY, "are empty"),
        (LEFT_OUT, "were left out (see above)"),
    )
    for kind, what in say_more:
        if counts.kinds[kind]:
            say(f"{counts.kinds[kind]:,} {what}")
    return FAILED if counts.kinds[LEFT_OUT] else 0


@dataclass
class _Counts:
    documents: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def report(self, kind: str, item: Item, reason: str) -> None:
        """Say what becomes of a document, with file and line."""
        self.kinds[kind] += 1
        if self.kinds[kind] <= MAX_REPORTS:
            say(f"{item.where}: {reason}")
        elif self.kinds[kind] == MAX_REPORTS + 1:
            say(f"(more documents that are {kind} are only counted)")


def _check_output(path: Path, sources: list[Source]) -> None:
    if path.is_dir() or is_special(path) or path.suffix.lower() in (".jsonl", ".csv"):
        raise CliError(f"{path}: the index has to be a file, such as my.sqlite")
    if not path.parent.is_dir():
        raise CliError(f"{path}: the folder does not exist")
    taken = {s.path.resolve() for s in sources if s.path is not None}
    if {path.resolve(), path.with_name(path.name + PART).resolve()} & taken:
        raise CliError(f"{path}: is an input as well")
    if not os.access(path.parent, os.W_OK):
        raise CliError(f"{path}: the folder cannot be written to")


def _mode(sources: list[Source]) -> int:
    """Who may read the index: those who may read all documents."""
    mode = 0o666
    for source in sources:
        mode &= source.path.stat().st_mode if source.path is not None else 0o600
    return mode | 0o600


def _build(settings: IndexSettings, sources: list[Source], path: Path) -> _Counts:
    from tqdm import tqdm

    from ..risk.search.local_index import IndexWriter

    counts = _Counts()
    try:
        writer = IndexWriter(path)
    except ValueError as error:
        raise CliError(str(error)) from None
    bar = tqdm(
        total=sum(source.size for source in sources) or None,
        unit="B",
        unit_scale=True,
        desc="index",
        file=sys.stderr,
        mininterval=0.2 if sys.stderr.isatty() else 10,
        dynamic_ncols=sys.stderr.isatty(),
    )
    try:
        with bar:
            for item in _items(settings, sources):
                bar.update(item.n_bytes)
                if not item.end:
                    _add(settings, writer, counts, item)
            counts.documents = writer.documents
            if not counts.documents:
                raise CliError(
                    f"{settings.input_name}: there are no documents to index in it"
                )
            writer.finish()
    finally:
        writer.close()
    return counts


def _items(settings: IndexSettings, sources: list[Source]) -> Iterator[Item]:
    for index, source in enumerate(sources):
        yield from Reader(
            source, index, settings.text_field, settings.id_field or "doc_id"
        )


def _add(
    settings: IndexSettings, writer: IndexWriter, counts: _Counts, item: Item
) -> None:
    """Index one document, or say why not."""
    if item.error is not None:
        counts.report(LEFT_OUT, item, f"{item.error}; left out")
        return
    values = {}
    for name, given, default in (
        ("url", settings.url_field, "url"),
        ("title", settings.title_field, "title"),
        ("id", settings.id_field, "doc_id"),
    ):
        value = item.fields.get(given or default)
        if value is None and given is not None and item.fields:
            counts.report(LEFT_OUT, item, f"no field '{given}' (--{name}-field)")
            return
        if name != "id" and not isinstance(value, (str, type(None))):
            reason = f"field '{given or default}' is not a string; left out"
            counts.report(LEFT_OUT, item, reason)
            return
        values[name] = value
    known = _clean(values["url"]) or _clean(values["id"])
    title = _clean(values["title"])
    if not (item.text.strip() or title):
        counts.report(EMPTY, item, "has neither text nor title; left out")
    elif not writer.add(known or _clean(item.doc_id), title, item.text, known):
        reason = "the same address and text as a document before; left out"
        counts.report(REPEATED, item, reason)


def _clean(value: Any) -> str:
    """A value as UTF-8 can store it: half of a surrogate pair cannot."""
    text = "" if value is None else str(value).strip()
    return text.encode("utf-8", "replace").decode("utf-8")
