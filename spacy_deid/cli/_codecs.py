"""Compressed files (.gz, .zst), which can be written piece by piece, and Parquet."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from ..records.frames import as_array, plain_schema
from ._errors import CliError

GZ, ZST = ".gz", ".zst"
# Rows read at a time, and at most in a row group that is written.
MAX_ROWS = 1000
GROUP_ROWS = 100_000
# Bytes read at a time: of what is compressed best, they are a hundred megabytes.
_CHUNK = 4096


def codec_of(name: str | Path) -> str:
    """The last suffix of a compressed file's name, else ""."""
    suffix = Path(name).suffix.lower()
    return suffix if suffix in (GZ, ZST) else ""


def without_codec(name: str) -> str:
    """A name without the suffix of a compressed file."""
    return name[: len(name) - len(codec_of(name))]


def _need(module: str, kind: str) -> Any:
    """A module that reads and writes files of a kind.

    RAISES (CliError): If it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        need = f"{kind} files need {module.partition('.')[0]}"
        raise CliError(f"{need}: pip install 'spacy-deid[tables]'") from None


_zstandard = partial(_need, "zstandard", ZST)
_parquet = partial(_need, "pyarrow.parquet", ".parquet")


def pack(data: bytes, codec: str) -> bytes:
    """Data compressed by itself: such pieces in a row are one file."""
    if codec == GZ:
        return gzip.compress(data, mtime=0)
    return _zstandard().ZstdCompressor().compress(data) if codec == ZST else data


@contextmanager
def opened(path: Path, codec: str | None = None) -> Iterator[BinaryIO]:
    """A file as its contents are, in binary.

    codec (Optional[str]): By its name if None.
    """
    codec = codec_of(path) if codec is None else codec
    with path.open("rb") as file:
        if codec == GZ:
            yield io.BufferedReader(gzip.GzipFile(fileobj=file))  # type: ignore[arg-type,misc]
        elif codec == ZST:
            yield io.BufferedReader(_Frames(file))
        else:
            yield file


class _Frames(io.RawIOBase):
    """What frames of Zstandard hold. Its own reader takes one that is cut off for whole.

    file (BinaryIO): The frames.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = _zstandard().ZstdDecompressor()
        self._frame: Any = None
        self._rest = self._out = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """RAISES (EOFError): If the last frame is cut off."""
        while not self._out:
            chunk = self._rest or self._file.read(_CHUNK)
            if not chunk and self._frame is None:
                return 0
            if not chunk:
                raise EOFError("the file ends within a frame")
            self._frame = self._frame or self._decompressor.decompressobj()
            self._out, self._rest = self._frame.decompress(chunk), b""
            if self._frame.eof:
                self._frame, self._rest = None, self._frame.unused_data
        n = min(len(buffer), len(self._out))
        buffer[:n], self._out = self._out[:n], self._out[n:]
        return n


def damage() -> tuple[type[Exception], ...]:
    """What is raised by a compressed or Parquet file that is none."""
    kinds: list[type[Exception]] = [gzip.BadGzipFile, EOFError, zlib.error]
    with suppress(CliError):
        kinds.append(_zstandard().ZstdError)
    return tuple(kinds)


class ParquetTable:
    """How a Parquet file is written, so that its output can be written the same way."""

    def __init__(self, path: Path) -> None:
        with _parquet().ParquetFile(path) as file:
            self.schema = plain_schema(file.schema_arrow)
            meta = file.metadata
            self.n_rows = meta.num_rows
            groups = [meta.row_group(i) for i in range(meta.num_row_groups)]
            self.group_rows = max((g.num_rows for g in groups), default=GROUP_ROWS)
            columns = [g.column(0) for g in groups[:1] if g.num_columns]
            self.compression = columns[0].compression.lower() if columns else "snappy"

    @property
    def names(self) -> list[str]:
        return self.schema.names

    def part(self, names: list[str]) -> ParquetTable:
        """The same with some of the columns."""
        import pyarrow

        new = copy(self)
        new.schema = pyarrow.schema([self.schema.field(name) for name in names])
        return new

    def head(self) -> bytes:
        """What a stream of rows begins with."""
        return self.schema.serialize().to_pybytes()

    def rows(self, rows: list[list[Any]]) -> bytes:
        """Rows of such a stream, one at least."""
        import pyarrow

        arrays = [as_array([*c], f.type) for c, f in zip(zip(*rows), self.schema)]
        return pyarrow.record_batch(arrays, schema=self.schema).serialize().to_pybytes()

    def write(self, stream: Path, fd: int, names: list[str]) -> None:
        """Write a stream of rows as a Parquet file.

        fd (int): The file's descriptor.
        names (list[str]): What the columns are called in it.
        """
        import pyarrow

        fields = [f.with_name(name) for f, name in zip(self.schema, names)]
        schema = pyarrow.schema(fields)
        with (
            os.fdopen(os.dup(fd), "wb") as file,
            _parquet().ParquetWriter(file, schema, compression=self.compression) as out,
            pyarrow.ipc.open_stream(str(stream)) as batches,
        ):
            waiting: list[Any] = []
            for batch in batches:
                waiting.append(batch.rename_columns(names))
                while sum(b.num_rows for b in waiting) >= self.group_rows:
                    table = pyarrow.Table.from_batches(waiting, schema)
                    out.write_table(table.slice(0, self.group_rows))
                    waiting = table.slice(self.group_rows).to_batches()
            if waiting:
                out.write_table(pyarrow.Table.from_batches(waiting, schema))


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, a few in memory at a time."""
    with _parquet().ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=MAX_ROWS):
            yield from batch.to_pylist()
