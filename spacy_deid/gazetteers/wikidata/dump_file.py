"""Reads a file of lines, plain or compressed, in chunks of whole lines.

bzip2 is decompressed by several threads where the library `indexed_bzip2` is
installed. To go on in a compressed file, what stands before is decompressed again,
which takes much less time than to read it.
"""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

try:
    import indexed_bzip2
except ImportError:
    indexed_bzip2 = None

PLAIN, GZIP, BZIP2 = "plain", "gzip", "bzip2"
_SIGNATURES = {b"\x1f\x8b": GZIP, b"BZh": BZIP2}
_UNREADABLE = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf": "7z",
}
# Bytes in a chunk.
CHUNK = 8 << 20
# What is read at once: what stands before damage is lost by no more.
_READ = 64 << 10
# No entity comes near it; a file without line breaks must not fill the memory.
MAX_LINE = 64 << 20
CUT, DAMAGED = "cut off", "damaged"


class DumpError(ValueError):
    """A dump or a work folder that cannot be used; the message is for the user."""


class Chunk(NamedTuple):
    """Some lines of a file.

    start (int): Decompressed bytes before them.
    data (bytes): The lines; the last one may lack its end, if it is too long.
    end (int): Decompressed bytes up to the next line.
    damage (str): What is wrong with the file after them, if anything.
    """

    start: int
    data: bytes
    end: int
    damage: str = ""


class DumpFile:
    """A plain, gzip or bzip2 file of lines; the content tells which, not the name.

    path (Union[str, Path]): The file.
    RAISES (DumpError): If it is no file, empty, or of another kind.
    RAISES (OSError): If it cannot be read.
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        if self.path.exists() and not self.path.is_file():
            raise DumpError(f"{path}: is no file, and a dump is read twice")
        with self.path.open("rb") as file:
            head = file.read(16)
        self.size = self.path.stat().st_size
        if not head:
            raise DumpError(f"{path}: the file is empty")
        for signature, name in _UNREADABLE.items():
            if head.startswith(signature):
                problem = f"{path}: is compressed with {name}; use .json, .gz or .bz2"
                raise DumpError(problem)
        kinds = (k for mark, k in _SIGNATURES.items() if head.startswith(mark))
        self.kind = next(kinds, PLAIN)
        # For a progress bar: what there is to read, and what is read.
        self.total: int | None = self.size
        self.position = 0
        if self.kind == BZIP2 and indexed_bzip2 is not None:
            # It does not tell how far it is: bytes of the content are counted.
            self.total = None

    def chunks(self, start: int = 0, n_threads: int = 1) -> Iterator[Chunk]:
        """The lines from a position on.

        start (int): Decompressed bytes to leave out.
        n_threads (int): Threads that decompress bzip2.
        YIELDS (Chunk): Chunks in order; the last one may have damage.
        """
        with self.path.open("rb") as raw, self._open(raw, n_threads) as file:
            guard = _Guarded(file)
            guard.skip(start)
            reader = io.BufferedReader(guard, _READ)
            while True:
                data = reader.read(CHUNK)
                line, size = _read_line(reader)
                end = start + len(data) + size
                if end == start and not guard.damage:
                    return
                self.position = end if self.total is None else raw.tell()
                yield Chunk(start, data + line, end, guard.damage)
                if guard.damage:
                    return
                start = end

    def _open(self, raw: IO[bytes], n_threads: int) -> IO[bytes]:
        if self.kind == GZIP:
            return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
        if self.kind == BZIP2 and indexed_bzip2 is not None:
            return indexed_bzip2.open(str(self.path), parallelization=n_threads)
        return bz2.BZ2File(raw) if self.kind == BZIP2 else raw  # type: ignore[return-value]

    def read_head(self, size: int) -> tuple[bytes, str]:
        """The first bytes and what is wrong with the file, if that is why they end."""
        with self.path.open("rb") as raw, self._open(raw, 1) as file:
            guard = _Guarded(file)
            return io.BufferedReader(guard, _READ).read(size), guard.damage


class _Guarded(io.RawIOBase):
    """A file that ends where reading it fails, and remembers why."""

    def __init__(self, file: IO[bytes]):
        self.file: Any = file
        self.damage = ""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        # Not `read`, which would lose what came before an error.
        piece = self._try(self.file.read1, min(len(buffer), _READ)) or b""
        buffer[: len(piece)] = piece
        return len(piece)

    def skip(self, size: int) -> None:
        """Leave out some bytes at the beginning."""
        self._try(self.file.seek, size)

    def _try(self, action: Callable[[int], Any], size: int) -> Any:
        """What an action gives; None where the file is damaged."""
        try:
            return None if self.damage else action(size)
        except EOFError:
            self.damage = CUT
        except (OSError, RuntimeError, ValueError, zlib.error) as error:
            if isinstance(error, gzip.BadGzipFile) and "Not a gzipped" in str(error):
                # Something else follows the last member.
                return None
            # The library for bzip2 has no better name for the end of a file.
            self.damage = CUT if str(error) == "std::exception" else DAMAGED
        return None


def _read_line(file: io.BufferedReader[Any]) -> tuple[bytes, int]:
    """The rest of a line, of which no more is kept than a line may have, and its size."""
    line = rest = file.readline(MAX_LINE + 1)
    size = len(line)
    while rest and not rest.endswith(b"\n"):
        rest = file.readline(_READ)
        size += len(rest)
    return line, size
