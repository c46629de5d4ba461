"""Reading annotated files: encodings, lines, JSON of any size."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

CHUNK = 1 << 20
BOM = "\ufeff"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SPACE = " \t\r\n"
_ENCODINGS = (
    "save it as UTF-8, or give its encoding with --encoding, for example utf-8, "
    "utf-16-le or windows-1252"
)
_MEND = "mend or remove it (a file is one value a line, or one array)"
# An error so near to the end of what was read may be due to the cut.
_NEAR_END = 16


class CorpusError(ValueError):
    """A problem that the user can solve. Its message holds no text of a document."""


class InputError(CorpusError):
    """Input that cannot be read, by file and line."""

    def __init__(self, file: Path | str, line: int | None, problem: str) -> None:
        where = f"{file}, line {line}" if line else f"{file}"
        super().__init__(f"{where}: {problem}")


def find_files(path: str | Path, *suffixes: str) -> list[Path]:
    """A file, or the files of a folder and its subfolders."""
    path = Path(path)
    if not path.exists():
        raise InputError(path, None, "no such file or folder")
    if not path.is_dir():
        return [path]
    files = [
        file
        for file in sorted(path.rglob("*"))
        if file.suffix.lower() in suffixes
        and file.is_file()
        and not any(p.startswith(".") for p in file.relative_to(path).parts)
    ]
    if not files:
        raise InputError(path, None, f"no {' or '.join(suffixes)} file in this folder")
    return files


def read_chunks(file: Path, encoding: str = "utf-8") -> Iterator[str]:
    """Decoded pieces of a file, without a byte order mark."""
    try:
        # Refuses codecs that make no text, base64 for example.
        io.TextIOWrapper(io.BytesIO(), encoding)
        name = codecs.lookup(encoding).name
        decoder = codecs.getincrementaldecoder(encoding)()
    except LookupError:
        raise InputError(
            file, None, f"unknown encoding '{encoding}' (--encoding): use utf-8, say"
        ) from None
    line, first = 1, True
    with file.open("rb") as stream:
        while True:
            data = stream.read(CHUNK)
            if first and data.startswith(_UTF16) and name.startswith("utf-8"):
                raise InputError(
                    file, 1, "this is UTF-16, not UTF-8: use --encoding utf-16"
                )
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeDecodeError as e:
                good = e.object[: e.start].decode(encoding, "ignore")
                raise InputError(
                    file,
                    line + good.count("\n"),
                    f"not {encoding}: {_ENCODINGS}",
                ) from None
            except UnicodeError:
                # Without the mark at the beginning that the encoding needs.
                raise InputError(
                    file, 1, f"not {encoding} (no byte order mark): {_ENCODINGS}"
                ) from None
            line += text.count("\n")
            if first and text:
                text, first = text.removeprefix(BOM), False
            if text:
                yield text
            if not data:
                return


def read_lines(file: Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Lines of a file, one at a time."""
    number, rest = 1, ""
    for chunk in read_chunks(file, encoding):
        *lines, rest = (rest + chunk).split("\n")
        for line in lines:
            yield number, line.removesuffix("\r")
            number += 1
    if rest:
        yield number, rest.removesuffix("\r")


def read_text(file: Path, encoding: str = "utf-8") -> str:
    """A whole file as text, line breaks as they are, without a byte order mark."""
    return "".join(read_chunks(file, encoding))


def read_json(file: Path, encoding: str = "utf-8") -> Iterator[tuple[int, Any]]:
    """Values of JSON lines, or the elements of a file that is one array."""
    values = _Values(file, read_chunks(file, encoding))
    values.skip(_SPACE)
    in_array = values.in_array = values.take("[")
    while values.skip(_SPACE):
        if in_array and values.take("]"):
            if values.skip(_SPACE):
                raise values.error("something follows the array")
            return
        line = values.line
        yield line, values.value()
        more = values.skip(_SPACE)
        if in_array and more and not values.take(",") and values.peek() != "]":
            raise values.error("expected a comma or ']' after a value")
    if in_array:
        raise values.error("the array is cut off")


class _Values:
    """A cursor over JSON text of which a part is in memory."""

    def __init__(self, file: Path, chunks: Iterator[str]) -> None:
        self.file, self.chunks = file, chunks
        self.buffer, self.position = "", 0
        self.counted, self.lines = 0, 1
        # Characters of the cursor's line that are no longer in memory.
        self.before = 0
        self.in_array = False
        self.decode: Callable[[str, int], tuple[Any, int]] = (
            json.JSONDecoder().raw_decode
        )

    @property
    def line(self) -> int:
        """Line of the cursor."""
        self.lines += self.buffer.count("\n", self.counted, self.position)
        self.counted = self.position
        return self.lines

    @property
    def column(self) -> int:
        """Column of the cursor, from 1."""
        start = self.buffer.rfind("\n", 0, self.position) + 1
        return self.position - start + 1 + (0 if start else self.before)

    def error(self, problem: str) -> InputError:
        return InputError(self.file, self.line, f"not valid JSON: {problem}")

    def read(self) -> bool:
        """Have more in memory, at least twice as much as before."""
        self.before = self.column - 1
        self.lines, self.buffer = self.line, self.buffer[self.position :]
        self.position = self.counted = 0
        parts, wanted = [self.buffer], len(self.buffer)
        for chunk in self.chunks:
            parts.append(chunk)
            wanted -= len(chunk)
            if wanted <= 0:
                break
        self.buffer = "".join(parts)
        return len(parts) > 1

    def skip(self, chars: str) -> bool:
        """Go on to the first other character."""
        while True:
            while self.position < len(self.buffer):
                if self.buffer[self.position] not in chars:
                    return True
                self.position += 1
            if not self.read():
                return False

    def peek(self) -> str:
        return self.buffer[self.position : self.position + 1]

    def take(self, char: str) -> bool:
        """Pass a character if it is next."""
        if self.peek() != char:
            return False
        self.position += 1
        return True

    def value(self) -> Any:
        """The value at the cursor."""
        while True:
            try:
                value, end = self.decode(self.buffer, self.position)
            except json.JSONDecodeError as e:
                fault, near_end = self._place(e.pos)
                cut = near_end or e.msg.startswith("Unterminated string")
                if cut and self.read():
                    continue
                # In JSON lines the fault may show on the next line only.
                passed = self.buffer[self.position : self.position + fault]
                if not self.in_array and "\n" in passed:
                    raise self.error(f"the value is cut off; {_MEND}") from None
                self.position += fault
                # The decoder says what is wrong, and nothing of the text.
                problem = e.msg[:1].lower() + e.msg[1:].removesuffix(" at")
                problem += f" in column {self.column}"
                raise self.error(f"{problem}; {_MEND}") from None
            except RecursionError:
                raise self.error("nested too deeply") from None
            except ValueError:
                raise self.error("a number has too many digits") from None
            # A number may go on in what was not yet read.
            length, near_end = self._place(end)
            if near_end and isinstance(value, (int, float)) and self.read():
                continue
            self.position += length
            return value

    def _place(self, position: int) -> tuple[int, bool]:
        """Distance from the cursor, and whether it is near the end of what is read."""
        return position - self.position, position + _NEAR_END > len(self.buffer)
