"""Reading annotated files: encodings, lines, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BOM = "\ufeff"
_ENCODINGS = (
    "save it as UTF-8, or give its encoding with --encoding, for example utf-8, "
    "utf-16 or windows-1252"
)
_MEND = "mend or remove it (a file is one value a line, or one array)"
_BLANK = re.compile(r"\s*")


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
    found = [file for file in path.rglob("*") if file.suffix.lower() in suffixes]
    parts = {file: file.relative_to(path).parts for file in sorted(found)}
    shown = [f for f, own in parts.items() if not any(p.startswith(".") for p in own)]
    if not (files := [file for file in shown if file.is_file()]):
        raise InputError(path, None, f"no {' or '.join(suffixes)} file in this folder")
    return files


def read_lines(
    file: Path, encoding: str = "utf-8", keep_ends: bool = False
) -> Iterator[tuple[int, str]]:
    """Lines of a file, one at a time, without a byte order mark."""
    number = 0
    try:
        # No other sign than "\n" ends a line.
        with file.open(encoding=encoding, newline="\n") as stream:
            for number, line in enumerate(stream, 1):
                line = line.removeprefix(BOM) if number == 1 else line
                yield number, line if keep_ends else re.sub("\r?\n$", "", line)
    except LookupError:
        problem = f"unknown encoding '{encoding}' (--encoding): use utf-8, say"
        raise InputError(file, None, problem) from None
    except UnicodeError as error:
        problem = f"not {encoding}: {_ENCODINGS}"
        raise InputError(file, _find_fault(file, encoding, error), problem) from None


def _find_fault(file: Path, encoding: str, error: UnicodeError) -> int:
    """Line of what cannot be decoded."""
    if not isinstance(error, UnicodeDecodeError):
        return 1
    try:
        file.read_bytes().decode(encoding)
    except UnicodeDecodeError as e:
        return 1 + e.object[: e.start].decode(encoding, "ignore").count("\n")
    return 1


def read_text(file: Path, encoding: str = "utf-8") -> str:
    """A whole file as text, line breaks as they are, without a byte order mark."""
    return "".join(line for _, line in read_lines(file, encoding, keep_ends=True))


def read_json(file: Path, encoding: str = "utf-8") -> Iterator[tuple[int, Any]]:
    """Values of JSON lines, or the elements of a file that is one array, one at a time.

    file (Path): The file.
    encoding (str): Its encoding.
    YIELDS (Tuple[int, Any]): Line on which the value begins, and the value.
    RAISES (InputError): For what is no JSON, by line.
    """
    lines = (line.strip() for _, line in read_lines(file, encoding))
    if next(filter(None, lines), "").startswith("["):
        yield from _read_array(file, read_text(file, encoding))
        return
    for number, line in read_lines(file, encoding):
        if line.strip():
            value, end = _decode(file, number, line, _skip_blank(line, 0))
            if line[end:].strip():
                problem = f"something follows the value in column {end + 1}; {_MEND}"
                raise _not_json(file, number, problem)
            yield number, value


def _decode(file: Path, line: int, text: str, start: int) -> tuple[Any, int]:
    """The JSON value at a place, which is on this line of the file, and its end."""
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as e:
        # The decoder says what is wrong, and nothing of the text.
        fault = e.msg[:1].lower() + e.msg[1:].removesuffix(" at")
        problem = f"{fault} in column {e.colno}"
        if not text[e.pos :].strip():
            problem = "the value is cut off"
        line += text.count("\n", start, e.pos)
        raise _not_json(file, line, f"{problem}; {_MEND}") from None
    except RecursionError:
        raise _not_json(file, line, "nested too deeply") from None
    except ValueError:
        raise _not_json(file, line, "a number has too many digits") from None


def _read_array(file: Path, text: str) -> Iterator[tuple[int, Any]]:
    at, mark = text.index("["), "["
    line = 1 + text.count("\n", 0, at)
    while mark in ("[", ","):
        start = _skip_blank(text, at + 1)
        line += text.count("\n", at, start)
        if mark == "[" and text.startswith("]", start):
            at, mark = start, "]"
            break
        value, end = _decode(file, line, text, start)
        yield line, value
        at = _skip_blank(text, end)
        line += text.count("\n", start, at)
        mark = text[at : at + 1]
    problem = "" if mark == "]" else "its grammar is broken"
    if not mark:
        problem = "the array is cut off"
    elif not problem and text[at + 1 :].strip():
        problem = "something follows the array"
        line += text.count("\n", at, _skip_blank(text, at + 1))
    if problem:
        raise _not_json(file, line, f"{problem}; {_MEND}")


def _skip_blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _not_json(file: Path, line: int, problem: str) -> InputError:
    return InputError(file, line, f"not valid JSON: {problem}")
