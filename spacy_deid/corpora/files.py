"""Reading annotated files: encodings, lines, JSON of any size."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import ijson
from ijson.common import ObjectBuilder

CHUNK = 1 << 20
BOM = "\ufeff"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ENCODINGS = (
    "save it as UTF-8, or give its encoding with --encoding, for example utf-8, "
    "utf-16-le or windows-1252"
)
_MEND = "mend or remove it (a file is one value a line, or one array)"


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
    """Values of JSON lines, or the elements of a file that is one array.

    One value at a time is in memory. An array may stretch over lines in any way.

    file (Path): The file.
    encoding (str): Its encoding.
    YIELDS (Tuple[int, Any]): Line on which the value begins, and the value.
    RAISES (InputError): For what is no JSON, by line.
    """
    for chunk in read_chunks(file, encoding):
        if first := chunk.lstrip():
            if first.startswith("["):
                yield from _read_array(file, encoding)
            else:
                yield from _read_values(file, encoding)
            return


def _read_values(file: Path, encoding: str) -> Iterator[tuple[int, Any]]:
    for number, line in read_lines(file, encoding):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except json.JSONDecodeError as e:
            # The decoder says what is wrong, and nothing of the text.
            problem = "the value is cut off"
            if e.pos < len(line.rstrip()):
                fault = e.msg[:1].lower() + e.msg[1:].removesuffix(" at")
                problem = f"{fault} in column {e.colno}"
            raise _not_json(file, number, f"{problem}; {_MEND}") from None
        except RecursionError:
            raise _not_json(file, number, "nested too deeply") from None
        except ValueError:
            raise _not_json(file, number, "a number has too many digits") from None


def _read_array(file: Path, encoding: str) -> Iterator[tuple[int, Any]]:
    events = ijson.sendable_list()
    parser = ijson.basic_parse_coro(events)
    line, start, depth, problem = 1, 1, 0, ""
    builder = ObjectBuilder()
    # By lines, for the parser does not say where it is.
    parts = (p for c in read_chunks(file, encoding) for p in c.splitlines(True))
    for part in parts:
        try:
            parser.send(part.encode("utf-8", "surrogatepass"))
        except (ijson.JSONError, ValueError):
            # Its message holds text of the file.
            problem = "its grammar is broken"
        for event, value in events:
            depth -= event in ("end_map", "end_array")
            if depth == 1 and not event.startswith("end_"):
                builder, start = ObjectBuilder(), line
            if depth:
                number = isinstance(value, Decimal)
                builder.event(event, float(value) if number else value)
            if depth == 1 and not event.startswith("start_"):
                yield start, builder.value
            depth += event in ("start_map", "start_array")
        del events[:]
        if problem:
            problem = problem if depth else "something follows the array"
            raise _not_json(file, line, f"{problem}; {_MEND}")
        line += part.count("\n")
    if depth:
        raise _not_json(file, line, f"the array is cut off; {_MEND}")


def _not_json(file: Path, line: int, problem: str) -> InputError:
    return InputError(file, line, f"not valid JSON: {problem}")
