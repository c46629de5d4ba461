"""Reads a file of lines, plain or compressed, in chunks that processes can share.

A plain file is cut at any byte. A bzip2 file is cut at any byte too: its blocks are
compressed one by one, and each starts with a mark of 48 bits that is looked for at any
bit, so that processes decompress in parallel whether the file has one stream or many,
and reading can start anywhere. A gzip file can only be read from the start of one of
its members, mostly the start of the file; it is decompressed by one process, which
hands chunks on.
"""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

PLAIN, GZIP, BZIP2 = "plain", "gzip", "bzip2"
_SIGNATURES = {b"\x1f\x8b": GZIP, b"BZh": BZIP2}
_UNREADABLE = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf": "7z",
}

# Bytes in a chunk, of lines and of bzip2: about the same after decompression.
CHUNK = 8 << 20
BZIP2_CHUNK = 512 << 10
_READ = 1 << 20
# No entity comes near it; a file without line breaks must not fill the memory.
MAX_LINE = 64 << 20

_BLOCK, _END = 0x314159265359, 0x177245385090
_MARK = 48
# A block of 900,000 bytes that cannot be compressed is little longer than that.
_MAX_BLOCK = 2 << 20
# The chance that compressed data look like a mark is one in 2 ** 48 for each bit.
_TRIES = 3

CUT, DAMAGED = "cut off", "damaged"


class DumpError(ValueError):
    """A dump or a work folder that cannot be used; the message is for the user."""


@dataclass
class Position:
    """Where reading can go on.

    offset (int): Bytes of the file that are done.
    block (Optional[int]): bzip2: the bit where the next block starts, None after the
        last one.
    member (int): gzip: where the member starts.
    skip (int): gzip: bytes of it, decompressed, that are done.
    """

    offset: int = 0
    block: int | None = None
    member: int = 0
    skip: int = 0

    def is_same_place(self, other: Position) -> bool:
        """Whether as many lines are done at another position.

        other (Position): Position in the same file.
        RETURNS (bool): Whether they are.
        """
        place = self.member, self.skip
        return place != (0, 0) and place == (other.member, other.skip)


class Chunk(NamedTuple):
    """A part of a file; lines may begin before it and end after it.

    kind (str): `plain`, `gzip` or `bzip2`.
    path (str): The file.
    start (int): First byte.
    end (int): Byte after the last.
    data (bytes): gzip: the decompressed bytes.
    block (Optional[int]): bzip2: the bit where the first block starts, if known.
    damage (str): gzip: what is wrong with the file at `end`, if anything.
    """

    kind: str
    path: str
    start: int
    end: int
    data: bytes = b""
    block: int | None = None
    damage: str = ""


class Pieces:
    """The decompressed bytes of a chunk, piece by piece.

    chunk (Chunk): The chunk.
    """

    def __init__(self, chunk: Chunk):
        self.chunk = chunk
        # Known after the last piece: where blocks start and should go on, and what
        # is wrong at which byte.
        self.first: int | None = None
        self.next: int | None = None
        self.damage = chunk.damage
        self.damaged_at = chunk.end

    def __iter__(self) -> Iterator[bytes]:
        chunk = self.chunk
        if chunk.kind == BZIP2:
            yield from self._decompress_blocks()
        elif chunk.kind == GZIP:
            yield chunk.data
        else:
            with open(chunk.path, "rb") as file:
                file.seek(chunk.start)
                yield file.read(chunk.end - chunk.start)

    def _decompress_blocks(self) -> Iterator[bytes]:
        chunk = self.chunk
        with open(chunk.path, "rb") as file:
            window = _Window(file, chunk.start, chunk.end)
            bit = window.find_block() if chunk.block is None else chunk.block
            if bit is None or bit >= 8 * chunk.end:
                self.next = bit
                return
            self.first = bit
            while bit is not None and bit < 8 * chunk.end:
                done = None
                for end, last in window.ends(bit):
                    data = window.decompress(bit, end)
                    if data is not None:
                        done = end, last
                        break
                if done is None:
                    self.damage = DAMAGED if window.tried else CUT
                    self.damaged_at = bit // 8
                    return
                assert data is not None
                yield data
                end, last = done
                if last:
                    if not window.ensure((end + _MARK + 32 + 7) // 8):
                        self.damage, self.damaged_at = CUT, window.end
                    bit = next_stream(file, (end + _MARK + 32 + 7) // 8)
                else:
                    bit = end
            self.next = bit


def next_stream(file: IO[bytes], offset: int) -> int | None:
    """Where the first block of the next bzip2 stream starts.

    file (IO[bytes]): The file.
    offset (int): Byte where the stream should start.
    RETURNS (Optional[int]): Its bit, None if no stream with a block follows: the file
        ends, or something else than bzip2 does.
    """
    while True:
        file.seek(offset)
        head = file.read(14)
        if head[:3] != b"BZh" or not head[3:4].isdigit():
            return None
        mark = int.from_bytes(head[4:10], "big")
        if mark != _END:
            return 8 * (offset + 4)
        offset += 14


def _make_needles() -> list[tuple[int, int, int, bytes, int, int]]:
    """Each mark at each of eight bits: the bytes that it fills and its odd bits."""
    needles = []
    for mark in (_BLOCK, _END):
        for shift in range(8):
            data = (mark << (8 - shift)).to_bytes(7, "big")
            needles.append((mark, shift, data[0], data[1:6], data[6], 0xFF >> shift))
    return needles


_NEEDLES = _make_needles()


def find_marks(data: bytes) -> list[tuple[int, bool]]:
    """All marks in compressed data.

    data (bytes): bzip2 data from any byte on.
    RETURNS (list[tuple[int, bool]]): Bits where marks start, in order, and whether
        the mark ends a stream.
    """
    found = []
    for mark, shift, first, inner, last, mask in _NEEDLES:
        at = data.find(inner, 1)
        while at >= 0:
            fits = data[at - 1] & mask == first
            if fits and shift:
                after = data[at + 5 : at + 6]
                high = 0xFF & ~(0xFF >> shift)
                fits = bool(after) and after[0] & high == last
            if fits:
                found.append((8 * (at - 1) + shift, mark == _END))
            at = data.find(inner, at + 1)
    return sorted(found)


class _Window:
    """The part of a bzip2 file around a chunk.

    file (IO[bytes]): The file.
    start (int): First byte of the chunk.
    end (int): Byte after the last.
    """

    def __init__(self, file: IO[bytes], start: int, end: int):
        self.file = file
        self.start = start
        self.limit = end
        self.data = b""
        self.marks: list[tuple[int, bool]] = []
        self.tried = 0
        # A mark may start in the chunk's last byte.
        self.ensure(end + 7)

    @property
    def end(self) -> int:
        return self.start + len(self.data)

    def ensure(self, offset: int) -> bool:
        """Read on up to an offset; whether the file is that long."""
        if offset > self.end:
            self.file.seek(self.end)
            more = self.file.read(max(offset - self.end, _READ // 8))
            if more:
                base = max(0, len(self.data) - 7)
                self.data += more
                known = {bit for bit, _ in self.marks[-8:]}
                self.marks += [
                    (8 * (self.start + base) + bit, last)
                    for bit, last in find_marks(self.data[base:])
                    if 8 * (self.start + base) + bit not in known
                ]
        return offset <= self.end

    def find_block(self) -> int | None:
        """The first bit of the chunk where a block starts."""
        for bit, last in self.marks:
            if not last:
                return bit if bit < 8 * self.limit else None
        return None

    def ends(self, bit: int) -> Iterator[tuple[int, bool]]:
        """Where a block may end, nearest first, and whether its stream does as well."""
        self.tried = n = 0
        while self.tried < _TRIES:
            while n < len(self.marks):
                end, last = self.marks[n]
                n += 1
                if end > bit:
                    yield end, last
                    self.tried += 1
                    if self.tried == _TRIES:
                        return
            far = self.end - bit // 8 > _MAX_BLOCK
            if far or not self.ensure(self.end + 1):
                return

    def decompress(self, bit: int, end: int) -> bytes | None:
        """A block as a stream of its own; None if it is none. bzip2 checks the sum."""
        if end - bit < _MARK + 32:
            return None
        start, stop = bit // 8 - self.start, (end + 7) // 8 - self.start
        number = int.from_bytes(self.data[start:stop], "big") >> (-end % 8)
        number &= (1 << (end - bit)) - 1
        if number >> (end - bit - _MARK) != _BLOCK:
            return None
        check = (number >> (end - bit - _MARK - 32)) & 0xFFFFFFFF
        n_bits = end - bit + _MARK + 32
        number = (number << (_MARK + 32)) | (_END << 32) | check
        stream = (number << (-n_bits % 8)).to_bytes((n_bits + 7) // 8, "big")
        try:
            return bz2.decompress(b"BZh9" + stream)
        except (OSError, ValueError, EOFError):
            return None


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
                raise DumpError(
                    f"{path}: is compressed with {name}; use .json, .gz or .bz2"
                )
        self.kind = PLAIN
        for signature, kind in _SIGNATURES.items():
            if head.startswith(signature):
                self.kind = kind

    @property
    def _chunk(self) -> int:
        return BZIP2_CHUNK if self.kind == BZIP2 else CHUNK

    @property
    def n_chunks(self) -> int:
        """Chunks of a plain or bzip2 file."""
        return -(-self.size // self._chunk)

    def start(self) -> Position:
        """The position before the first line.

        RETURNS (Position): It.
        """
        if self.kind != BZIP2:
            return Position()
        with self.path.open("rb") as file:
            return Position(block=next_stream(file, 0))

    def chunks(self, position: Position) -> Iterator[tuple[Chunk, Position]]:
        """The file from a position on.

        position (Position): Where to start.
        YIELDS (tuple[Chunk, Position]): Chunks, and the positions after them. For
            bzip2 `Position.block` is left to whoever decompresses; for gzip, chunks
            before the position come without data.
        """
        if self.kind == GZIP:
            yield from self._inflate(position)
            return
        for start in range(position.offset, self.size, self._chunk):
            end = min(start + self._chunk, self.size)
            yield Chunk(self.kind, str(self.path), start, end), Position(end)

    def _inflate(self, position: Position) -> Iterator[tuple[Chunk, Position]]:
        path = str(self.path)
        with self.path.open("rb") as file:
            stream = _Gzip(file, position.member)
            left = position.skip
            while not stream.ended:
                start, skips = stream.offset, left > 0
                data = stream.read(min(left, CHUNK) if skips else CHUNK)
                left -= len(data)
                after = Position(stream.offset, None, stream.member, stream.consumed)
                if skips:
                    data = b""
                    after = Position(
                        stream.offset, None, position.member, position.skip
                    )
                yield (
                    Chunk(GZIP, path, start, after.offset, data, damage=stream.damage),
                    after,
                )

    def read_head(self, size: int, most: int) -> tuple[bytes, str]:
        """The first lines.

        size (int): Bytes to read, more if there is no line break in them.
        most (int): Bytes at most.
        RETURNS (tuple[bytes, str]): Decompressed bytes, and what is wrong with the
            file where they end.
        """
        data = b""
        for chunk, _ in self.chunks(self.start()):
            pieces = Pieces(chunk)
            for piece in pieces:
                data += piece
                if (len(data) >= size and b"\n" in data) or len(data) >= most:
                    return data, ""
            if pieces.damage:
                return data, pieces.damage
        return data, ""


class _Gzip:
    """Decompresses a gzip file from one of its members on.

    file (IO[bytes]): The file.
    member (int): Where the member starts.
    """

    def __init__(self, file: IO[bytes], member: int):
        self.file = file
        self.member = member
        self.consumed = 0
        self.ended = False
        self.damage = ""
        self._raw = b""
        self._start(member)

    def _start(self, member: int) -> None:
        self.member, self.consumed = member, 0
        self._inflater = zlib.decompressobj(31)
        self.file.seek(member)
        self._raw = b""

    @property
    def offset(self) -> int:
        return self.file.tell() - len(self._raw)

    def read(self, size: int) -> bytes:
        """A number of bytes, fewer only where the file ends or is damaged."""
        parts: list[bytes] = []
        left = size
        while left and not self.ended:
            raw = self._raw or self.file.read(_READ)
            before = self._inflater.copy()
            try:
                part = self._inflater.decompress(raw, left)
            except zlib.error:
                part = _salvage(before, raw, left)
                self.damage, self.ended = DAMAGED, True
            parts.append(part)
            left -= len(part)
            self.consumed += len(part)
            if self.ended:
                break
            self._raw = self._inflater.unconsumed_tail
            if self._inflater.eof:
                self._raw = self._inflater.unused_data
                self._next_member()
            elif not raw and not part:
                self.damage, self.ended = CUT, True
        return b"".join(parts)

    def _next_member(self) -> None:
        """Go to the next member, over zeros that pad this one; else the file ends."""
        start = self.offset
        self.file.seek(start)
        while block := self.file.read(_READ):
            stripped = block.lstrip(b"\0")
            start += len(block) - len(stripped)
            if stripped:
                break
        self.file.seek(start)
        if self.file.read(2) == b"\x1f\x8b":
            self._start(start)
        else:
            self.ended = True


def _salvage(inflater: Any, raw: bytes, size: int) -> bytes:
    """What can be decompressed before the damage."""
    data = b""
    for i in range(0, len(raw), 256):
        try:
            data += inflater.decompress(raw[i : i + 256], size - len(data))
        except zlib.error:
            break
        if inflater.unconsumed_tail or len(data) == size:
            break
    return data
