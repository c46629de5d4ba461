"""Reading documents from files, folders and stdin."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ..disclosure import describe
from ..documents.formats import FORMATS, SUFFIXES, TEXT_ONLY, read_document
from ..documents.pieces import DocumentError, join
from ..records.declared import Declared
from ..records.output import JSONL
from ..records.paths import starts_in
from ..text.fields import Field
from ._codecs import ParquetTable, damage, opened, read_rows, without_codec
from ._errors import CliError
from ._write import PartFile

TXT, MD, CSV, TSV, JSON, PARQUET = "txt", "md", "csv", "tsv", "json", "parquet"
KINDS = {".txt": TXT, ".md": MD, ".jsonl": JSONL, ".csv": CSV, ".tsv": TSV}
KINDS |= {".json": JSON, ".parquet": PARQUET, **SUFFIXES}
PLAIN, SEPARATED = (TXT, MD), (CSV, TSV)
TABLES = (*SEPARATED, PARQUET)
# Names of kinds for `--input-format`.
NAMED = {"text": TXT} | {kind: kind for kind in KINDS.values()}
_SUFFIXES = ", ".join([*KINDS][:-1]) + f" or {[*KINDS][-1]}"
STDIO = "-"
BOM = "\ufeff".encode()
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_DELIMITERS = (",", ";", "\t", "|")
_MEND = "save it as UTF-8, for example with `iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW`"
UTF16 = f"it is UTF-16, not UTF-8; {_MEND}"
# The default of 131,072 characters is less than many a letter.
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True)
class Source:
    """One input file, or stdin without a path."""

    path: Path | None
    # Path below the input folder with forward slashes, else the file name.
    name: str
    kind: str
    size: int = 0
    mtime: int = 0
    # The kind was ordered, whatever the name is.
    forced: bool = False
    keep_images: bool = False

    @property
    def stem(self) -> str:
        return self.name[: len(self.name) - len(self.suffix)]

    @property
    def suffix(self) -> str:
        """What of the name tells the kind: `.csv.gz`."""
        plain = without_codec(self.name)
        return Path(plain).suffix + self.name[len(plain) :]

    @property
    def new_name(self) -> str:
        """Name of the file that is written in its stead: text is no .pdf any more."""
        if self.kind not in TEXT_ONLY:
            return self.name
        plain = without_codec(self.name)
        return f"{plain}.txt{self.name[len(plain) :]}"


class Skipped(NamedTuple):
    """What of a folder is left out.

    unknown (bool): Not because it is none of its documents: nobody knows.
    """

    name: str
    reason: str
    unknown: bool = False

    def __str__(self) -> str:
        return f"{self.name} ({self.reason})"


@dataclass
class Item:
    """One document of the input, one that cannot be read, or the end of a source."""

    source: int
    # File and line.
    where: str
    # Input read since the item before.
    n_bytes: int = 0
    doc_id: Any = None
    text: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    end: bool = False
    declared: Declared = Declared()  # noqa: RUF009
    # Path of the source below the input folder, without its suffix.
    stem: str = ""
    # Whether its fields are JSON, not values of a Parquet file.
    is_json: bool = True
    # Language, if it is another one than that of the pipeline.
    foreign: str = ""
    # Of a file that is no plain text: its kind, what is in it, where the parts of its
    # text are, and what cannot be kept.
    kind: str = ""
    data: bytes = b""
    layout: Sequence[Field] = ()
    notes: Sequence[str] = ()
    keep_images: bool = False

    @property
    def is_document(self) -> bool:
        """Whether it has a text."""
        return self.error is None and not self.end


def read_items(
    names: Iterable[str | Path], text_field: str = "text", id_field: str = "doc_id"
) -> Iterator[Item]:
    """The documents of files, folders or stdin; a CliError for one that cannot be read."""
    for name in names:
        for index, source in enumerate(find_sources(str(name))[0]):
            for item in Reader(source, index, text_field, id_field):
                if item.error is not None:
                    raise CliError(f"{item.where}: {item.error}")
                if item.is_document:
                    yield item


@dataclass
class Format:
    """How a source is written, so that its output can be written the same way.

    is_left_out (Callable): Whether a column is not to be in the output.
    """

    bom: bool = False
    header: list[str] = field(default_factory=list)
    delimiter: str = ","
    newline: str = "\r\n"
    parquet: ParquetTable | None = None
    is_left_out: Callable[[str], bool] = lambda name: False

    def rows(self, rows: list[list[Any]]) -> bytes:
        """Rows of a table."""
        if self.parquet is None:
            return b"".join(map(self.row, rows))
        return self._kept().rows(rows)

    def _kept(self) -> ParquetTable:
        assert self.parquet is not None
        names = [name for name in self.parquet.names if not self.is_left_out(name)]
        return self.parquet.part(names)

    def as_parquet(self, stream: PartFile, columns: Mapping[str, str]) -> PartFile:
        """The Parquet file of the rows that were written, in their place.

        columns (Mapping[str, str]): Other names of columns, by their number.
        """
        assert self.parquet is not None
        kept = self._kept()
        named = {self.parquet.names[int(i)]: new for i, new in columns.items()}
        names = [named.get(name, name) for name in kept.names]
        return stream.rewritten(lambda new: kept.write(stream.part, new.fd, names))

    def row(self, cells: list[Any]) -> bytes:
        """A row of a .csv file."""
        out = io.StringIO()
        # Python before 3.13 puts a line break in quotes only if it is that of the row.
        csv.writer(out, delimiter=self.delimiter, lineterminator="\r\n").writerow(cells)
        row = out.getvalue().removesuffix("\r\n") + self.newline
        return row.encode("utf-8", "surrogateescape")

    def cells(self, row: bytes) -> list[str]:
        """The cells of one row."""
        text = io.StringIO(row.decode("utf-8", "surrogateescape"), newline="")
        return next(csv.reader(text, delimiter=self.delimiter, strict=True), [])

    def prefix(self, kind: str, columns: Mapping[str, str] = {}) -> bytes:
        """What stands before the first document of an output of this kind.

        columns (Mapping[str, str]): Other names of columns, by their number.
        """
        if kind == PARQUET and self.parquet is not None:
            return self._kept().head()
        prefix = BOM if self.bom and kind in (*PLAIN, *SEPARATED) else b""
        if kind not in SEPARATED or not self.header:
            return prefix
        known = enumerate(unique(self.header))
        kept = [i for i, name in known if not self.is_left_out(name)]
        return prefix + self.row([columns.get(str(i), self.header[i]) for i in kept])


def read_format(head: str, column: str, kind: str = CSV) -> Format:
    """The format of a table, by its first line and the name of a column in it."""
    form = Format(newline=head[len(head.rstrip("\r\n")) :] or "\n")
    for form.delimiter in "\t" if kind == TSV else (*_DELIMITERS, ","):
        try:
            form.header = next(csv.reader([head], delimiter=form.delimiter), [])
        except csv.Error:
            continue
        if column in form.header:
            break
    return form


def kind_of(path: Path) -> str | None:
    """The kind of a file by its name, one of `KINDS`, or None."""
    return KINDS.get(Path(without_codec(path.name)).suffix.lower())


def find_sources(
    name: str, input_format: str | None = None, keep_images: bool = False
) -> tuple[list[Source], list[Skipped]]:
    """The input files, in an order that does not change between runs.

    input_format (Optional[str]): The kind of all files, one of `NAMED`.
    keep_images (bool): Whether pictures in documents are kept.
    RETURNS (tuple[list[Source], list[Skipped]]): The files; and what of a folder is left
        out.
    """
    forced = _kind_named(input_format, name)
    given = {"forced": forced is not None, "keep_images": keep_images}
    if name == STDIO:
        return [Source(None, "stdin", forced or JSONL, **given)], []
    if not (root := Path(name)).exists():
        raise CliError(f"no such file or folder: {name}")
    if not root.is_dir():
        if (kind := forced or kind_of(root)) is None:
            use = f"use {_SUFFIXES}, a folder of them, or - for JSON lines on stdin"
            other = "or say with --input-format what it is"
            raise CliError(f"{name}: unknown kind of file; {use}; {other}")
        return [_source(root, root.name, kind, **given)], []
    sources: list[Source] = []
    skipped: list[Skipped] = []
    for path, reason in _walk(root):
        kind, below = forced or kind_of(path), path.relative_to(root).as_posix()
        if reason:
            skipped.append(Skipped(below, reason))
        elif kind is None or not path.is_file():
            # The empty files by which programs say that a folder is complete.
            empty = path.is_file() and not path.stat().st_size
            what = "empty" if empty else "of a kind that is not read"
            skipped.append(Skipped(below, what, not empty))
        else:
            sources.append(_source(path, below, kind, **given))
    if not sources:
        raise CliError(f"{name}: no {_SUFFIXES} file in this folder")
    return sources, skipped


def _kind_named(input_format: str | None, name: str) -> str | None:
    if input_format is None:
        return None
    if input_format not in NAMED:
        raise CliError(f"--input-format {input_format}: use {', '.join(NAMED)}")
    if name == STDIO and NAMED[input_format] == PARQUET:
        raise CliError("--input-format parquet: has to be a file, not stdin")
    return NAMED[input_format]


def refuse_kinds(sources: list[Source], what: str, formatted: bool = True) -> None:
    """Refuse Parquet files, where records have to be JSON, and `formatted` ones, whose
    formatting nothing restores."""
    for source in sorted(sources, key=lambda source: source.kind != PARQUET):
        if source.kind == PARQUET:
            raise CliError(f"{source.name}: {what} knows no Parquet")
        if formatted and source.kind in FORMATS and source.kind not in TEXT_ONLY:
            problem = f"{what} knows no .{source.kind} files, only their text"
            raise CliError(f"{source.name}: {problem}: write it to a .jsonl file")


def _walk(root: Path) -> Iterator[tuple[Path, str]]:
    """What is below a folder, in order, with the reason to leave it out, if any."""

    def refuse(error: OSError) -> None:
        raise error

    for folder, folders, files in os.walk(root, onerror=refuse):
        for name in sorted((*files, *folders)):
            path = Path(folder, name)
            if name.startswith("."):
                yield path, "hidden"
            elif name in folders and path.is_symlink():
                yield path, "a link to a folder"
            elif name in files:
                yield path, ""
        folders[:] = sorted(f for f in folders if not f.startswith("."))


def _source(path: Path, name: str, kind: str, **given: bool) -> Source:
    info = path.stat()
    return Source(path, name, kind, info.st_size, info.st_mtime_ns, **given)


class _Unreadable(Exception):
    """A source cannot be read from here on: line, bytes read, and why."""


class Reader:
    """The documents of one source, in order, unreadable ones with `error`."""

    def __init__(
        self, source: Source, index: int, text_field: str | Declared, id_field: str
    ) -> None:
        self.source = source
        self.index = index
        if isinstance(text_field, str):
            text_field = Declared((text_field,))
        self.declared = text_field
        self.id_field = id_field
        # Filled in while reading, before any item comes out.
        self.format = Format()

    def __iter__(self) -> Iterator[Item]:
        try:
            yield from self._items()
        except _Unreadable as error:
            yield self._error(*error.args)

    def _items(self) -> Iterator[Item]:
        path, kind = self.source.path, self.source.kind
        kinds = {JSONL: self._jsonl, JSON: self._json}
        kinds |= dict.fromkeys(SEPARATED, self._csv)
        kinds |= dict.fromkeys(PLAIN, self._txt)
        kinds |= dict.fromkeys(FORMATS, self._document)
        if path is None:
            yield from kinds[kind](sys.stdin.buffer)
            return
        try:
            if kind == PARQUET:
                yield from self._parquet(path)
                return
            with opened(path) as stream:
                yield from kinds[kind](stream)
        except damage():
            reason = "it is damaged, or not compressed as its name says"
            raise _Unreadable("", 0, reason) from None
        except OSError as error:
            raise _Unreadable("", 0, os.strerror(error.errno or 0)) from None

    def _parquet(self, path: Path) -> Iterator[Item]:
        try:
            table = self.format.parquet = ParquetTable(path)
            n, size = table.n_rows, self.source.size
            for name in self.declared.names:
                if not starts_in(name, table.names):
                    reason = _missing("column", name, table.names)
                    raise _Unreadable("", size, reason)
            for i, row in enumerate(read_rows(path), 1):
                yield self._record(row, i, i, size * i // n - size * (i - 1) // n)
        except ValueError:
            # Arrow's errors may quote what they cannot read.
            reason = "it is damaged, or no Parquet file"
            raise _Unreadable("", self.source.size, reason) from None

    def _where(self, line: int | str = "") -> str:
        return f"{self.source.name}:{line}" if line != "" else self.source.name

    def _error(self, line: int | str, n_bytes: int, reason: str) -> Item:
        return Item(self.index, self._where(line), n_bytes, error=reason)

    def _txt(self, stream: BinaryIO) -> Iterator[Item]:
        raw = stream.read()
        self.format.bom = raw.startswith(BOM)
        text, stem = _decoded(raw), self.source.stem
        yield Item(self.index, self._where(), len(raw), stem, text, stem=stem)

    def _document(self, stream: BinaryIO) -> Iterator[Item]:
        source, data = self.source, stream.read()
        try:
            document = read_document(source.kind, data, source.keep_images)
        except DocumentError as error:
            raise _Unreadable("", len(data), str(error)) from None
        except Exception as error:
            # Parsers of others fail in many ways; the other files go on.
            reason = f"it cannot be read: {describe(error)}"
            raise _Unreadable("", len(data), reason) from None
        joined = join(document.pieces)
        # Others of the same name may be beside it ("letter.pdf").
        doc_id = without_codec(source.name)
        where, notes = self._where(), document.notes
        item = Item(self.index, where, len(data), doc_id, joined.text, stem=source.stem)
        item.kind, item.data, item.layout = source.kind, data, joined.fields
        item.notes, item.keep_images = notes, source.keep_images
        yield item

    def _jsonl(self, stream: BinaryIO) -> Iterator[Item]:
        n_bytes = n_records = 0
        for line, raw in enumerate(stream, 1):
            n_bytes += len(raw)
            if line == 1 and raw.startswith(_UTF16):
                raise _Unreadable(1, n_bytes, UTF16)
            if not (raw := (raw.removeprefix(BOM) if line == 1 else raw).strip()):
                continue
            n_records += 1
            if n_records == 1 and raw.startswith(b"["):
                reason = "a JSON array: name it .json, or use --input-format json"
                raise _Unreadable(line, n_bytes, reason)
            record, reason = _parse(raw)
            if reason:
                yield self._error(line, n_bytes, reason)
            else:
                yield self._record(record, line, n_records, n_bytes)
            n_bytes = 0

    def _json(self, stream: BinaryIO) -> Iterator[Item]:
        raw = stream.read()
        text = _decoded(raw)
        try:
            records = json.loads(text, parse_constant=_refuse) if text.strip() else []
        except RecursionError:
            raise _Unreadable("", len(raw), "JSON nested too deeply") from None
        except ValueError as error:
            reason = "not valid JSON (one object a line is .jsonl)"
            raise _Unreadable(getattr(error, "lineno", ""), len(raw), reason) from None
        records = records if isinstance(records, list) else [records]
        for n, record in enumerate(records, 1):
            n_bytes = len(raw) * n // len(records) - len(raw) * (n - 1) // len(records)
            if isinstance(record, dict):
                yield self._record(record, f"record {n}", n, n_bytes)
            else:
                yield self._error(f"record {n}", n_bytes, "not a JSON object")

    def _csv(self, stream: BinaryIO) -> Iterator[Item]:
        if stream.peek(2)[:2] in _UTF16:  # type: ignore[attr-defined]
            raise _Unreadable(1, self.source.size, UTF16)
        lines = io.TextIOWrapper(stream, "utf-8", "surrogateescape", newline="")
        if (head := next(lines, None)) is None:
            return
        bom = head.startswith("\ufeff")
        head = head.removeprefix("\ufeff")
        names = self.declared.names
        form = read_format(head, names[0], self.source.kind)
        self.format.bom, self.format.newline = bom, form.newline
        self.format.delimiter = form.delimiter
        every = chain([head], lines)
        rows = csv.reader(every, delimiter=form.delimiter, strict=True)
        try:
            header = self.format.header = next(rows, [])
        except csv.Error:
            reason = "the header is not valid CSV"
            raise _Unreadable(1, _tell(stream), reason) from None
        for name in names:
            if header.count(name) == 1:
                continue
            reason = f"column '{name}' is there twice"
            if name not in header:
                reason = _missing("column", name, header)
            raise _Unreadable(1, _tell(stream), reason)
        yield from self._rows(rows, unique(header), stream)

    def _rows(self, rows: Any, names: list[str], stream: BinaryIO) -> Iterator[Item]:
        n_records = position = 0
        while True:
            line = rows.line_num + 1
            reason, row = "", None
            try:
                row = next(rows, None)
            except csv.Error:
                reason = "not valid CSV (a quote is misplaced)"
            if row is None and not reason:
                return
            if row == []:
                continue
            n_records += 1
            n_bytes, position = _tell(stream) - position, _tell(stream)
            if row and len(row) != len(names):
                # An unquoted delimiter would move half of a text to another column.
                advice = "quote values that hold the delimiter"
                reason = (
                    f"{len(row)} columns where the header has {len(names)}; {advice}"
                )
            elif row and any(_NOT_UTF8.search(value) for value in row):
                reason = f"not UTF-8; {_MEND}"
            if reason:
                yield self._error(line, n_bytes, reason)
            else:
                record = dict(zip(names, row or ()))
                yield self._record(record, line, n_records, n_bytes)

    def _record(self, record: dict, line: int | str, number: int, n_bytes: int) -> Item:
        doc_id = record.get(self.id_field)
        missing = self.declared.missing(record)
        reason = None if missing is None else _missing("field", missing, record)
        reason = reason or self.declared.check(record)
        if isinstance(doc_id, bool) or not isinstance(doc_id, str | int | float | None):
            problem = f"field '{self.id_field}' is neither a string nor a number"
            reason = reason or problem
        if reason:
            return self._error(line, n_bytes, reason)
        if doc_id is None or doc_id == "":
            doc_id = f"{self.source.stem}-{number}"
        return Item(
            self.index,
            self._where(line),
            n_bytes,
            doc_id,
            "\n\n".join(cell[1] for cell in self.declared.cells(record)),
            record,
            declared=self.declared,
            stem=self.source.stem,
            is_json=self.source.kind != PARQUET,
        )


def _decoded(raw: bytes) -> str:
    """A file as text."""
    if raw.startswith(_UTF16):
        raise _Unreadable("", len(raw), UTF16)
    try:
        return raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        reason = f"not UTF-8 at byte {error.start}; {_MEND}"
        raise _Unreadable(line, len(raw), reason) from None


def _tell(stream: BinaryIO) -> int:
    """How far a stream is read; 0 of a pipe, which does not know."""
    try:
        return stream.tell()
    except OSError:
        return 0


def _parse(raw: bytes) -> tuple[Any, str]:
    """A line of JSON, and what is wrong with it."""
    try:
        record = json.loads(raw.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        return None, f"not UTF-8 at byte {error.start} of the line; {_MEND}"
    except RecursionError:
        return None, "JSON nested too deeply"
    except ValueError as error:
        column = getattr(error, "colno", None)
        return None, "not valid JSON" + (f" (column {column})" if column else "")
    return record, "" if isinstance(record, dict) else "not a JSON object"


def _refuse(constant: str) -> None:
    """NaN and Infinity are no JSON, whatever Python reads."""
    raise ValueError


def _missing(what: str, name: str, names: Any) -> str:
    # Names may be text: those of a table without a header are its first row.
    return f"no {what} '{name}' among the {len(names)} there are (see --text-field)"


def unique(names: list[str]) -> list[str]:
    """Names of columns, numbered where one is there twice."""
    count: Counter[str] = Counter()
    out = []
    for name in names:
        count[name] += 1
        out.append(name if count[name] == 1 else f"{name}.{count[name]}")
    return out
