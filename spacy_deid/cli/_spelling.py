"""How a record was spelt in its file: escapes, blanks, quotes, line ends.

Values alone don't say it. What differs from how `run` and `restore` would write the
record goes into the vault, so that `restore` gives back the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

# Entries of a spelling. Absent ones are as `run` and `restore` write.
HEAD = "head"  # what stands before the first record: byte order mark, header
LEAD = "lead"  # blank lines before the record, and blanks before it in its line
END = "end"  # what stands behind it: blanks, line end, blank lines at the file's end
STYLE = "style"  # JSON: ASCII alone, separators, escaped slashes
QUOTED = "quoted"  # CSV: the cells in quotes
LINE = "line"  # the record itself, if nothing shorter gives it

_SEPARATORS = ((", ", ": "), (",", ":"), (",", ": "), (", ", ":"))
_STYLES = tuple(product((False, True), range(len(_SEPARATORS)), (False, True)))


class Raw(NamedTuple):
    """The bytes of a record in its file.

    kind (str): `jsonl` or `csv`.
    head (bytes): What stands before the first record.
    lead (bytes): Blank lines before the record.
    body (bytes): The record.
    end (bytes): From its end to the end of its line, or of the file.
    delimiter (str): Between the columns of a table.
    newline (str): Usual end of a line.
    usual_head (bytes): The head as `run` would write it.
    """

    kind: str
    head: bytes
    lead: bytes
    body: bytes
    end: bytes
    delimiter: str = ","
    newline: str = "\n"
    usual_head: bytes = b""


def json_line(record: Any) -> bytes:
    """A record as one JSON line.

    record (Any): What JSON can hold.
    RETURNS (bytes): UTF-8 with a newline at the end and no other line break, not even
        one that only some programs take for one.
    """
    line = json.dumps(record, ensure_ascii=False)
    for char in ("\u2028", "\u2029", "\x85"):
        if char in line:
            line = line.replace(char, f"\\u{ord(char):04x}")
    # A lone surrogate of another field can be written only as an escape.
    return line.encode("utf-8", "backslashreplace") + b"\n"


def csv_row(cells: Sequence[Any], delimiter: str, newline: str) -> bytes:
    """A row of a .csv file.

    cells (Sequence): The cells.
    delimiter (str): Between them.
    newline (str): After the row.
    RETURNS (bytes): UTF-8, quotes only where they are needed.
    """
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=newline).writerow(cells)
    return out.getvalue().encode("utf-8", "surrogateescape")


def find_spelling(raw: Raw, record: Mapping[str, Any]) -> dict[str, Any]:
    """What is to be kept of the spelling of a record.

    raw (Raw): Its bytes.
    record (Mapping): Its fields.
    RETURNS (dict): Empty if `run` and `restore` write the same anyway.
    """
    out: dict[str, Any] = {}
    if raw.head != raw.usual_head:
        out[HEAD] = _text(raw.head)
    if raw.lead:
        out[LEAD] = _text(raw.lead)
    if raw.end != raw.newline.encode():
        out[END] = _text(raw.end)
    if raw.kind == "csv":
        cells = list(record.values())
        usual = csv_row(cells, raw.delimiter, "")
        if raw.body != usual:
            quoted = _find_quotes(_text(raw.body), cells, raw.delimiter)
            again = _quote(cells, quoted, raw.delimiter)
            out |= {QUOTED: quoted} if again == raw.body else {LINE: _text(raw.body)}
    elif raw.body != json_line(record)[:-1]:
        style = next((s for s in _STYLES if _dump(record, s) == raw.body), None)
        out |= {LINE: _text(raw.body)} if style is None else {STYLE: list(style)}
    return out


def spell_json(spelling: Mapping[str, Any], record: Mapping[str, Any]) -> bytes:
    """A record as it was spelt; one that was edited in the same style.

    spelling (Mapping): As `find_spelling` gives it.
    record (Mapping): The record.
    RETURNS (bytes): With what stood around it, without `HEAD`.
    """
    body = json_line(record)[:-1]
    line = spelling.get(LINE)
    if STYLE in spelling:
        body = _dump(record, tuple(spelling[STYLE]))
    elif line is not None and json_line(json.loads(line))[:-1] == body:
        body = _bytes(line)
    return _around(spelling, body, "\n")


def spell_csv(
    spelling: Mapping[str, Any], cells: Sequence[str], delimiter: str, newline: str
) -> bytes:
    """A row as it was spelt; one that was edited in the same style.

    spelling (Mapping): As `find_spelling` gives it.
    cells (Sequence[str]): The cells.
    delimiter (str): Between the columns.
    newline (str): Usual end of a row.
    RETURNS (bytes): With what stood around it, without `HEAD`.
    """
    body = csv_row(cells, delimiter, "")
    line = spelling.get(LINE)
    if QUOTED in spelling:
        body = _quote(cells, spelling[QUOTED], delimiter)
    elif line is not None and parse_row(line, delimiter) == list(cells):
        body = _bytes(line)
    return _around(spelling, body, newline)


def spell_head(spelling: Mapping[str, Any]) -> bytes | None:
    """What stood before the first record, None if nothing is known of it.

    spelling (Mapping): As `find_spelling` gives it for the first record.
    RETURNS (Optional[bytes]): The bytes.
    """
    head = spelling.get(HEAD)
    return None if head is None else _bytes(head)


def parse_row(line: str, delimiter: str) -> list[str]:
    """The cells of one row.

    line (str): The row, which may have line breaks in its cells.
    delimiter (str): Between the columns.
    RETURNS (list[str]): The cells; none if it is no row.
    """
    try:
        return next(csv.reader(io.StringIO(line, newline=""), delimiter=delimiter), [])
    except csv.Error:
        return []


def _around(spelling: Mapping[str, Any], body: bytes, newline: str) -> bytes:
    end = spelling.get(END, newline)
    return _bytes(spelling.get(LEAD, "")) + body + _bytes(end)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _dump(record: Any, style: Sequence[Any]) -> bytes:
    ascii_alone, separators, slashes = style
    line = json.dumps(
        record, ensure_ascii=ascii_alone, separators=_SEPARATORS[separators]
    )
    if slashes:
        # Only strings have any.
        line = line.replace("/", "\\/")
    return line.encode("utf-8", "backslashreplace")


def _in_quotes(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def _find_quotes(body: str, cells: Sequence[str], delimiter: str) -> list[int]:
    """The cells that stand in quotes, as far as they can be told."""
    quoted = []
    position = 0
    for i, cell in enumerate(cells):
        long = _in_quotes(cell)
        end = position + len(long)
        if body.startswith(long, position) and body[end : end + 1] in ("", delimiter):
            quoted.append(i)
        else:
            end = position + len(cell)
        position = end + 1
    return quoted


def _quote(cells: Sequence[str], quoted: Sequence[int], delimiter: str) -> bytes:
    return _bytes(delimiter.join(_quoted(cells, quoted, delimiter)))


def _quoted(
    cells: Sequence[str], quoted: Sequence[int], delimiter: str
) -> Iterator[str]:
    for i, cell in enumerate(cells):
        needed = any(char in cell for char in (delimiter, '"', "\r", "\n"))
        alone = not cell and len(cells) == 1
        yield _in_quotes(cell) if i in quoted or needed or alone else cell
