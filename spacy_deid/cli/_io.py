"""Reading documents from files, folders and stdin; writing outputs that are whole."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from ._errors import CliError
from ._spelling import Raw, csv_row

try:
    import fcntl
except ImportError:  # not on this system
    fcntl = None  # type: ignore[assignment]

TXT, JSONL, CSV = "txt", "jsonl", "csv"
KINDS = {".txt": TXT, ".jsonl": JSONL, ".csv": CSV}
STDIO = "-"
PART = ".part"
# Blank lines at the end of a file that are looked at.
MAX_BLANK = 1 << 20
_BLANKS = b" \t\n\r\x0b\x0c"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ESCAPED = re.compile("[\udc80-\udcff]")
_DELIMITERS = (",", ";", "\t", "|")
_CONVERT = (
    "save it as UTF-8, for example with `iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW`"
)


@dataclass(frozen=True)
class Source:
    """One input file.

    path (Path): None for stdin.
    name (str): Path below the input folder with forward slashes, else the file name.
    kind (str): `txt`, `jsonl` or `csv`.
    size (int): Bytes, 0 for stdin.
    mtime (int): Time of the last change in ns, to notice another input on resuming.
    """

    path: Path | None
    name: str
    kind: str
    size: int = 0
    mtime: int = 0

    @property
    def stem(self) -> str:
        suffix = Path(self.name).suffix
        return self.name[: len(self.name) - len(suffix)] if suffix else self.name


@dataclass
class Item:
    """One document of the input, one that cannot be read, or the end of a source.

    source (int): Index of its source.
    where (str): File and line.
    n_bytes (int): Input read since the item before.
    doc_id (Any): String or number.
    text (str): The text.
    fields (dict): The record, text and id included.
    error (str): Why it cannot be read, or None.
    end (bool): Marks the end of the source.
    raw (Raw): Its bytes, if they are wanted.
    """

    source: int
    where: str
    n_bytes: int = 0
    doc_id: Any = None
    text: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    end: bool = False
    raw: Raw | None = None


@dataclass
class Format:
    """How a source is written, so that its output can be written the same way.

    bom (bool): It begins with a byte order mark.
    header (list[str]): Names of the columns.
    delimiter (str): Between the columns.
    newline (str): After a row.
    head (bytes): What stands before the first document of a .jsonl or .csv file, if it
        is known to the byte.
    """

    bom: bool = False
    header: list[str] = field(default_factory=list)
    delimiter: str = ","
    newline: str = "\r\n"
    head: bytes | None = None

    def row(self, values: list[Any]) -> bytes:
        """A row of a .csv file."""
        return csv_row(values, self.delimiter, self.newline)

    def prefix(self, kind: str) -> bytes:
        """What stands before the first document of an output of this kind."""
        if self.head is not None and kind != TXT:
            return self.head
        prefix = _BOM if self.bom and kind in (TXT, CSV) else b""
        if kind == CSV and self.header:
            prefix += self.row(self.header)
        return prefix


def kind_of(path: Path) -> str | None:
    """The kind of a file by its name: `txt`, `jsonl`, `csv` or None."""
    return KINDS.get(path.suffix.lower())


def find_sources(name: str) -> tuple[list[Source], int]:
    """The input files, in an order that does not change between runs.

    name (str): File, folder (read with its subfolders) or `-`.
    RETURNS (tuple[list[Source], int]): The files, and how many of a folder are of
        another kind and left out. Hidden files and folders are not counted.
    RAISES (CliError): If there is nothing to read.
    """
    if name == STDIO:
        return [Source(None, "stdin", JSONL)], 0
    root = Path(name)
    if not root.exists():
        raise CliError(f"no such file or folder: {name}")
    if not root.is_dir():
        kind = kind_of(root)
        if kind is None:
            raise CliError(
                f"{name}: unknown kind of file; use .txt, .jsonl or .csv, a folder of "
                "them, or - for JSON lines on stdin"
            )
        return [_source(root, root.name, kind)], 0

    def refuse(error: OSError) -> None:
        raise error

    sources, skipped = [], 0
    for folder, folders, files in os.walk(root, onerror=refuse):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for file in sorted(files):
            path = Path(folder, file)
            if file.startswith("."):
                continue
            kind = kind_of(path)
            if kind is None or not path.is_file():
                skipped += 1
                continue
            sources.append(_source(path, path.relative_to(root).as_posix(), kind))
    if not sources:
        raise CliError(f"{name}: no .txt, .jsonl or .csv file in this folder")
    return sources, skipped


def _source(path: Path, name: str, kind: str) -> Source:
    info = path.stat()
    return Source(path, name, kind, info.st_size, info.st_mtime_ns)


class Reader:
    """The documents of one source.

    source (Source): What to read.
    index (int): Its number.
    text_field (str): Field or column of the text.
    id_field (str): Field or column of the document's id.
    keep_raw (bool): Whether items have their bytes, too; not those of .txt files.
    """

    def __init__(
        self,
        source: Source,
        index: int,
        text_field: str,
        id_field: str,
        keep_raw: bool = False,
    ):
        self.source = source
        self.index = index
        self.text_field = text_field
        self.id_field = id_field
        self.format = Format()
        self.keep_raw = keep_raw

    def __iter__(self) -> Iterator[Item]:
        """YIELDS (Item): Documents in order, unreadable ones with `error`."""
        path = self.source.path
        try:
            stream: BinaryIO = sys.stdin.buffer if path is None else path.open("rb")
        except OSError as error:
            yield self._error("", 0, os.strerror(error.errno or 0))
            return
        try:
            read = {TXT: self._txt, JSONL: self._jsonl, CSV: self._csv}
            yield from read[self.source.kind](stream)
        finally:
            if path is not None:
                stream.close()

    def _blank_from(self, blanks: bytes) -> int | None:
        """Where the blank end of a file begins; None if that is not to be known."""
        path = self.source.path
        if not self.keep_raw or path is None or is_special(path):
            return None
        with path.open("rb") as stream:
            end = stream.seek(0, os.SEEK_END)
            size = min(end, MAX_BLANK)
            stream.seek(end - size)
            return end - size + len(stream.read().rstrip(blanks))

    def _rest(self, position: int, blank_from: int | None) -> bytes:
        """The blank end of the file, if it follows here."""
        path = self.source.path
        if blank_from is None or position < blank_from or path is None:
            return b""
        with path.open("rb") as stream:
            stream.seek(position)
            return stream.read()

    def _where(self, line: int | str = "") -> str:
        return f"{self.source.name}:{line}" if line != "" else self.source.name

    def _error(self, line: int | str, n_bytes: int, reason: str) -> Item:
        return Item(self.index, self._where(line), n_bytes, error=reason)

    def _txt(self, stream: BinaryIO) -> Iterator[Item]:
        raw = stream.read()
        if raw.startswith(_UTF16):
            yield self._error("", len(raw), f"it is UTF-16, not UTF-8; {_CONVERT}")
            return
        self.format.bom = raw.startswith(_BOM)
        if self.format.bom:
            raw = raw[len(_BOM) :]
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            yield self._error(
                line,
                len(raw),
                f"not UTF-8 at byte {error.start + len(_BOM) * self.format.bom}; "
                + _CONVERT,
            )
            return
        yield Item(self.index, self._where(), len(raw), self.source.stem, text)

    def _jsonl(self, stream: BinaryIO) -> Iterator[Item]:
        n_bytes = n_records = position = 0
        head = lead = b""
        blank_from = self._blank_from(_BLANKS)
        for line, raw in enumerate(stream, 1):
            n_bytes += len(raw)
            position += len(raw)
            if line == 1 and raw.startswith(_UTF16):
                yield self._error(1, n_bytes, f"it is UTF-16, not UTF-8; {_CONVERT}")
                return
            if line == 1 and raw.startswith(_BOM):
                head, raw = _BOM, raw[len(_BOM) :]
            whole, raw = raw, raw.strip()
            if not raw:
                lead += whole if self.keep_raw else b""
                continue
            n_records += 1
            reason = None
            record: Any = None
            try:
                record = json.loads(raw.decode("utf-8"))
            except UnicodeDecodeError as error:
                reason = f"not UTF-8 at byte {error.start} of the line; {_CONVERT}"
            except RecursionError:
                reason = "JSON nested too deeply"
            except ValueError as error:
                column = getattr(error, "colno", None)
                reason = "not valid JSON"
                if column is not None:
                    reason += f" (column {column})"
            if n_records == 1 and raw.startswith(b"["):
                yield self._error(
                    line,
                    n_bytes,
                    "a JSON array; write one object a line instead (JSON lines)",
                )
                return
            if reason is None and not isinstance(record, dict):
                reason = "not a JSON object"
            if reason is not None:
                yield self._error(line, n_bytes, reason)
            else:
                item = self._record(record, line, n_records, n_bytes)
                if self.keep_raw and item.error is None:
                    start = whole.index(raw)
                    end = whole[start + len(raw) :] + self._rest(position, blank_from)
                    item.raw = Raw(JSONL, head, lead + whole[:start], raw, end)
                    head = lead = b""
                yield item
            n_bytes = 0

    def _csv(self, stream: BinaryIO) -> Iterator[Item]:
        n_bytes = position = 0
        # The lines of which a row is made.
        taken: list[bytes] = []

        def lines() -> Iterator[str]:
            nonlocal n_bytes, position
            for i, raw in enumerate(stream):
                n_bytes += len(raw)
                position += len(raw)
                taken.append(raw)
                if i == 0 and raw.startswith(_BOM):
                    self.format.bom = True
                    raw = raw[len(_BOM) :]
                yield raw.decode("utf-8", "surrogateescape")

        # The default of 131,072 characters is less than many a letter.
        csv.field_size_limit(2**31 - 1)
        source = lines()
        head = next(source, None)
        if head is None:
            return
        if head.encode("utf-8", "surrogateescape").startswith(_UTF16):
            yield self._error(1, n_bytes, f"it is UTF-16, not UTF-8; {_CONVERT}")
            return
        delimiter = _guess_delimiter(head, self.text_field)
        rows = csv.reader(_chain(head, source), delimiter=delimiter, strict=True)
        try:
            header = next(rows, [])
        except csv.Error:
            yield self._error(1, n_bytes, "the header is not valid CSV")
            return
        self.format.header = header
        self.format.delimiter = delimiter
        self.format.newline = "\r\n" if head.endswith("\r\n") else "\n"
        if header.count(self.text_field) != 1:
            reason = f"column '{self.text_field}' is there twice"
            if self.text_field not in header:
                reason = _missing("column", self.text_field, header)
            yield self._error(1, n_bytes, reason)
            return
        names = _unique(header)
        n_records = 0
        start, lead = b"".join(taken), b""
        usual = self.format.prefix(CSV)
        blank_from = self._blank_from(b"\r\n")
        while True:
            line = rows.line_num + 1
            taken.clear()
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error:
                n_records += 1
                yield self._error(line, n_bytes, "not valid CSV (a quote is misplaced)")
                n_bytes = 0
                continue
            if not row:
                lead += b"".join(taken) if self.keep_raw else b""
                continue
            n_records += 1
            # An unquoted delimiter would move half of a text to another column.
            if len(row) != len(header):
                yield self._error(
                    line,
                    n_bytes,
                    f"{len(row)} columns where the header has {len(header)}; quote "
                    "values that hold the delimiter",
                )
            elif any(_ESCAPED.search(value) for value in row):
                yield self._error(line, n_bytes, f"not UTF-8; {_CONVERT}")
            else:
                record = dict(zip(names, row))
                item = self._record(record, line, n_records, n_bytes)
                if self.keep_raw and item.error is None:
                    whole = b"".join(taken)
                    body = whole.rstrip(b"\r\n")
                    end = whole[len(body) :] + self._rest(position, blank_from)
                    form = self.format
                    item.raw = Raw(
                        CSV,
                        start,
                        lead,
                        body,
                        end,
                        form.delimiter,
                        form.newline,
                        usual,
                    )
                    start = usual = lead = b""
                yield item
            n_bytes = 0

    def _record(self, record: dict, line: int, number: int, n_bytes: int) -> Item:
        text = record.get(self.text_field)
        doc_id = record.get(self.id_field)
        reason = None
        if self.text_field not in record:
            reason = _missing("field", self.text_field, record)
        elif not isinstance(text, str):
            reason = f"field '{self.text_field}' is not a string"
        elif not _encodable(text):
            reason = f"field '{self.text_field}' holds half of a surrogate pair"
        elif doc_id is not None and (
            not isinstance(doc_id, (str, int, float)) or isinstance(doc_id, bool)
        ):
            reason = f"field '{self.id_field}' is neither a string nor a number"
        if reason is not None:
            return self._error(line, n_bytes, reason)
        if doc_id is None or doc_id == "":
            doc_id = f"{self.source.stem}-{number}"
        where = self._where(line)
        return Item(self.index, where, n_bytes, doc_id, str(text), record)


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _missing(what: str, name: str, names: Any) -> str:
    found = ", ".join(f"'{n}'" for n in list(names)[:12]) or "none"
    more = ", ..." if len(names) > 12 else ""
    return f"no {what} '{name}'; there are: {found}{more} (choose with --text-field)"


def _guess_delimiter(head: str, name: str) -> str:
    for delimiter in _DELIMITERS:
        try:
            if name in next(csv.reader([head], delimiter=delimiter), []):
                return delimiter
        except csv.Error:
            continue
    return ","


def _chain(head: str, rest: Iterator[str]) -> Iterator[str]:
    yield head
    yield from rest


def _unique(names: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}.{seen[name]}")
    return out


class PartFile:
    """An output that gets its name only when it is complete.

    path (Path): Its name; until `commit` it is called `NAME.part`.
    mode (int): Permissions it is created with.
    resume_at (int): Keep so many bytes of an existing `NAME.part`.
    """

    def __init__(self, path: Path, mode: int = 0o666, resume_at: int | None = None):
        self.path = path
        self.part = path.with_name(path.name + PART)
        self.size = 0
        self.fd = -1
        if resume_at is not None:
            flags = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
            self.fd = os.open(self.part, flags)
            _lock(self.fd, path)
            if mode & 0o077 == 0:
                os.fchmod(self.fd, mode)
            os.ftruncate(self.fd, resume_at)
            self.size = os.lseek(self.fd, 0, os.SEEK_END)
        else:
            # Never into a file that somebody else made, with other permissions.
            self._remove_old()
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            self.fd = os.open(self.part, flags, mode)
            _lock(self.fd, path)

    def _remove_old(self) -> None:
        if self.part.is_file() and not self.part.is_symlink():
            fd = os.open(self.part, os.O_RDONLY)
            try:
                _lock(fd, self.path)
            finally:
                os.close(fd)
        self.part.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Append bytes, all of them or an OSError."""
        _write_all(self.fd, data, self.part)
        self.size += len(data)

    def sync(self) -> None:
        os.fsync(self.fd)

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def commit(self) -> None:
        """Give the file its name."""
        self.sync()
        self.close()
        os.replace(self.part, self.path)

    def discard(self) -> None:
        """Remove what was written."""
        self.close()
        self.part.unlink(missing_ok=True)


class StreamFile:
    """An output that cannot be renamed: stdout, a device or a named pipe.

    path (Path): None for stdout.
    """

    def __init__(self, path: Path | None = None):
        self.path = path
        self.size = 0
        self.stream: Any = sys.stdout.buffer
        if path is not None:
            self.stream = io.FileIO(path, "w")

    def write(self, data: bytes) -> None:
        """Write bytes and flush them, or an OSError."""
        view = memoryview(data)
        try:
            while view:
                view = view[self.stream.write(view) or 0 :]
            self.stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            error.filename = str(self.path or "stdout")
            raise
        self.size += len(data)

    def sync(self) -> None:
        pass

    def close(self) -> None:
        if self.path is not None:
            self.stream.close()

    commit = discard = close


def _lock(fd: int, path: Path) -> None:
    """Keep other runs from writing the same file, where the system can."""
    if fcntl is None:
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CliError(f"{path}: another run is writing it") from error


def _write_all(fd: int, data: bytes, path: Path) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except OSError as error:
            error.filename = str(path)
            raise


def is_special(path: Path) -> bool:
    """Whether a path is there but is neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def write_atomic(path: Path, data: bytes) -> None:
    """Write a whole file, or leave what was there. A device or pipe is written to.

    path (Path): The file.
    data (bytes): Its content.
    """
    if is_special(path):
        with path.open("wb") as stream:
            stream.write(data)
        return
    file = PartFile(path)
    try:
        file.write(data)
        file.commit()
    except BaseException:
        file.discard()
        raise
