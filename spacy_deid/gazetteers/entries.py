"""Terms with what is known of them: JSON lines, or lists as people keep them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from .compiled import Entry, GazetteerError
from .rows import read_rows


def read_entries(path: str | Path) -> Iterator[tuple[int, Entry]]:
    """Terms of a list, with the numbers of their lines: JSON lines, or a term a line
    with its label, id, property and count, tabs between."""
    path = Path(path)
    if path.suffix in (".txt", ".tsv"):
        yield from _read_table(path)
        return
    with path.open("rb") as file:
        for n, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield n, _read_entry(line)
            except UnicodeDecodeError as error:
                problem = f"{path.name}, line {n}: not UTF-8; convert the file"
                raise GazetteerError(problem) from error
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise GazetteerError(
                    f"{path.name}, line {n}: must be a JSON object with the string "
                    "'term' and may have 'label', 'id', 'property' (strings) and "
                    "'count' (whole number, at least 0)"
                ) from error
            except RecursionError as error:
                raise GazetteerError(f"{path.name}, line {n}: nested deep") from error


def _read_table(path: Path) -> Iterator[tuple[int, Entry]]:
    try:
        for n, row in read_rows(path, ("term", "label", "id", "property", "count")):
            people = row.pop("count", "0")
            if not people.isdecimal():
                raise ValueError(f"{path}, line {n}: 'count' is a whole number")
            yield n, Entry(**{"label": "MISC", **row}, people=int(people))
    except ValueError as error:
        raise GazetteerError(str(error)) from None


def _read_entry(line: bytes) -> Entry:
    """An entry of a line; an error if it is none."""
    row = json.loads(line)
    texts = row["term"], row.get("label") or "MISC", row.get("id") or ""
    prop, people = row.get("property") or "", row.get("count") or 0
    if not all(isinstance(t, str) for t in (*texts, prop)) or people != int(people):
        raise TypeError
    # Half of a surrogate pair can't be written.
    "".join((*texts, prop)).encode("utf8")
    if isinstance(people, bool) or people < 0:
        raise ValueError
    return Entry(*texts, prop, int(people))
