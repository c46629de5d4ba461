"""Writing outputs that are whole: a file gets its name when it is complete."""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from ._codecs import codec_of, pack
from ._errors import STDOUT, CliError

try:
    import fcntl
except ImportError:  # not on this system
    fcntl = None  # type: ignore[assignment]

PART = ".part"
FileT = TypeVar("FileT", bound="PartFile | StreamFile")
_THERE = "already there; name another output, or use --overwrite"


class PartFile:
    """An output that is called `NAME.part` until it is complete.

    resume_at (int): Keep so many bytes of an existing `NAME.part`.
    """

    def __init__(self, path: Path, mode: int = 0o666, resume_at: int | None = None):
        self.path, self.mode = path, mode
        # Each piece that is written is compressed by itself.
        self.codec = codec_of(path)
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
        if data:
            self._append(pack(data, self.codec))

    def _append(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self.fd, view) :]
            except OSError as error:
                error.filename = str(self.part)
                raise
        self.size += len(data)

    def sync(self) -> None:
        os.fsync(self.fd)

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def commit(self) -> None:
        """Give the file its name."""
        if self.codec and not self.size:
            self._append(pack(b"", self.codec))
        self.sync()
        self.close()
        os.replace(self.part, self.path)

    def with_head(self, old_head: bytes, head: bytes) -> PartFile:
        """This file with another beginning, in its place."""
        length = len(pack(old_head, self.codec))

        def copy(new: PartFile) -> None:
            new.write(head)
            with self.part.open("rb") as old:
                old.seek(length)
                while data := old.read(1 << 20):
                    new._append(data)

        return self.rewritten(copy)

    def rewritten(self, write: Callable[[PartFile], None]) -> PartFile:
        """This file with what is written anew, in its place."""
        path = self.path.with_name(f"{self.path.stem}.new{self.path.suffix}")
        new = PartFile(path, self.mode)
        try:
            write(new)
        except BaseException:
            new.discard()
            raise
        self.discard()
        new.path = self.path
        return new

    def discard(self) -> None:
        """Remove what was written."""
        self.close()
        self.part.unlink(missing_ok=True)


class StreamFile:
    """An output that cannot be renamed: stdout (no path), a device or a named pipe."""

    def __init__(self, path: Path | None = None):
        self.path = path
        self.size = 0
        self.stream: Any = sys.stdout.buffer if path is None else io.FileIO(path, "w")

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
            error.filename = str(self.path or STDOUT)
            raise
        self.size += len(data)

    def sync(self) -> None:
        pass

    def close(self) -> None:
        if self.path is not None:
            self.stream.close()

    commit = discard = close


@contextlib.contextmanager
def whole(file: FileT) -> Iterator[FileT]:
    """An output that gets its name in the end, or is removed if anything fails."""
    try:
        yield file
        file.commit()
    except BaseException:
        file.discard()
        raise


def _lock(fd: int, path: Path) -> None:
    """Keep other runs from writing the same file, where the system can."""
    if fcntl is None:
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CliError(f"{path}: another run is writing it") from error


def json_line(record: Any) -> bytes:
    """A record as one JSON line in UTF-8, with no other line break in it, not even one
    that only some programs take for one."""
    line = json.dumps(record, ensure_ascii=False)
    for char in ("\u2028", "\u2029", "\x85"):
        line = line.replace(char, f"\\u{ord(char):04x}")
    # A lone surrogate of another field can be written only as an escape.
    return line.encode("utf-8", "backslashreplace") + b"\n"


def is_special(path: Path) -> bool:
    """Whether a path is there but is neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def inside(path: Path, folder: Path) -> bool:
    """Whether a path is a folder or lies in it."""
    path, folder = path.resolve(), folder.resolve()
    return path == folder or folder in path.parents


def write_chunks(path: Path, chunks: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a whole file, or leave what was there. A device or pipe is written to."""
    with whole(StreamFile(path) if is_special(path) else PartFile(path, mode)) as file:
        for chunk in chunks:
            file.write(chunk)


def write_json(path: Path | None, value: Any) -> None:
    """Write a whole .json file, or leave what was there; nothing without a path."""
    if path is None:
        return
    data = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    write_chunks(path, [data.encode("utf-8") + b"\n"])


def check_free(paths: Iterable[Path | None], overwrite: bool) -> None:
    """Refuse to write over files that are there and not empty, unless that is asked for."""
    full = [p for p in paths if p is not None and p.is_file() and p.stat().st_size]
    if full and not overwrite:
        more = f" and {len(full) - 1} more" if len(full) > 1 else ""
        raise CliError(f"{full[0]}{more}: {_THERE}")


def check_file(
    path: Path | None,
    option: str = "",
    taken: Iterable[Path | None] = (),
    root: str | None = None,
    overwrite: bool = True,
) -> None:
    """Refuse an output that cannot be a file of its own, or is already there; None is
    one that nobody asked for."""
    if path is None:
        return
    name = f"{option} {path}".strip()
    if path.is_dir():
        raise CliError(f"{name}: is a folder; has to be a file")
    if not path.parent.is_dir():
        raise CliError(f"{name}: the folder {path.parent} does not exist")
    if not is_special(path) and not os.access(path.parent, os.W_OK):
        raise CliError(f"{name}: no permission to write to {path.parent}")
    if path.resolve() in {other.resolve() for other in taken if other is not None}:
        raise CliError(f"{name}: is an input or an output as well")
    if root is not None and Path(root).is_dir() and inside(path, Path(root)):
        raise CliError(f"{name}: lies inside the input folder")
    check_free([path], overwrite)


def check_folder(path: Path, marker: str, overwrite: bool) -> None:
    """Refuse an output that cannot be a folder of its own: what is replaced has to be one
    of the same kind.

    marker (str): A file that a folder of this kind has.
    """
    if path.is_file():
        raise CliError(f"{path}: is a file; has to be a folder")
    if not path.is_dir() or not any(path.iterdir()):
        return
    if not (path / marker).is_file():
        raise CliError(f"{path}: is there, and has no {marker}: it is not replaced")
    if not overwrite:
        raise CliError(f"{path}: {_THERE}")
