"""`spacy deid index`: background documents to a local index for the web search."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

from ..risk.search.local_index import IndexWriter
from ._errors import FAILED, INTERRUPTED, CliError, say, shown
from ._options import command
from ._output import make_bar, say_skipped
from ._read import Item, Reader, Source, find_sources
from ._write import PART, PartFile, check_file, is_special, whole

LEFT_OUT, REPEATED, EMPTY = "left out", "repeated", "empty"
SUMMARY = {
    REPEATED: "were there before, with the same address and text",
    EMPTY: "are empty",
    LEFT_OUT: "were left out (see above)",
}


@command
def index_cli(
    documents: str,
    path: Path,
    text_field: str = "text",
    url_field: str | None = None,
    id_field: str | None = None,
    title_field: str | None = None,
    overwrite: bool = False,
) -> int:
    """Build a full-text index of background documents, for the web search indicator.

    It holds words, their places and addresses, not the texts; still, guard it like the
    documents. Leave those out of it that are to be de-identified. Exit status 0 only
    if every document could be read.
    """
    sources, skipped = find_sources(documents)
    _check_output(path, sources, overwrite)
    say_skipped(skipped)
    names = {"url": url_field, "title": title_field, "id": id_field}
    builder = Builder(text_field, names)
    # Who may read all documents may read the index.
    mode = 0o666
    for source in sources:
        mode &= source.path.stat().st_mode if source.path is not None else 0o600
    try:
        with whole(PartFile(path, mode | 0o600)) as file:
            if not (n := builder.build(sources, file.part)):
                raise CliError(f"{documents}: there are no documents to index in it")
    except KeyboardInterrupt:
        say("Interrupted; nothing is written")
        return INTERRUPTED
    except sqlite3.Error as error:
        # Its messages say nothing of the values.
        raise CliError(f"{path}: cannot be written: {error}") from None
    say(f"{n:,} documents, {path.stat().st_size / 1e6:.1f} MB, in {path}")
    for kind, what in SUMMARY.items():
        if builder.counts[kind]:
            say(f"{builder.counts[kind]:,} {what}")
    return FAILED if builder.counts[LEFT_OUT] else 0


def _check_output(path: Path, sources: list[Source], overwrite: bool) -> None:
    if path.is_dir() or is_special(path) or path.suffix.lower() in (".jsonl", ".csv"):
        raise CliError(f"{path}: the index has to be a file, such as my.sqlite")
    taken = [source.path for source in sources]
    check_file(path, taken=taken, overwrite=overwrite)
    check_file(path.with_name(path.name + PART), taken=taken)


class Builder:
    """Indexes documents, and says what becomes of those that it does not."""

    def __init__(self, text_field: str, names: dict[str, str | None]) -> None:
        self.text_field = text_field
        self.names = names
        self.counts: Counter[str] = Counter()

    def build(self, sources: list[Source], path: Path) -> int:
        """Write an index; how many documents are in it."""
        with shown(ValueError):
            writer = IndexWriter(path)
        id_field = self.names["id"] or "doc_id"
        try:
            with make_bar(sources, "index") as bar:
                for index, source in enumerate(sources):
                    for item in Reader(source, index, self.text_field, id_field):
                        bar.update(item.n_bytes)
                        self._add(writer, item)
            if writer.documents:
                writer.finish()
            return writer.documents
        finally:
            writer.close()

    def _report(self, kind: str, item: Item, reason: str) -> None:
        self.counts[kind] += 1
        say(f"{item.where}: {reason}")

    def _add(self, writer: IndexWriter, item: Item) -> None:
        if item.error is not None:
            self._report(LEFT_OUT, item, f"{item.error}; left out")
            return
        values = {}
        for name, given in self.names.items():
            field = given or {"id": "doc_id"}.get(name, name)
            value = item.fields.get(field)
            if value is None and given is not None and item.fields:
                self._report(LEFT_OUT, item, f"no field '{given}' (--{name}-field)")
                return
            if name != "id" and not isinstance(value, str | None):
                reason = f"field '{field}' is not a string; left out"
                self._report(LEFT_OUT, item, reason)
                return
            values[name] = _clean(value)
        known = values["url"] or values["id"]
        title = values["title"]
        if not (item.text.strip() or title):
            self._report(EMPTY, item, "has neither text nor title; left out")
        elif not writer.add(known or _clean(item.doc_id), title, item.text, known):
            reason = "the same address and text as a document before; left out"
            self._report(REPEATED, item, reason)


def _clean(value: Any) -> str:
    """A value as UTF-8 can store it: half of a surrogate pair cannot."""
    text = "" if value is None else str(value).strip()
    return text.encode("utf-8", "replace").decode("utf-8")
