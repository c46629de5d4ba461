"""Cells with commas or semicolons between: lines of a .csv file in a text, and values in
quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

_SIGNS, _QUOTE = ",;", '"'
# Rows in a row, signs in each, and the part of these that a blank may follow.
_ROWS, _LEAST, _LOOSE = 2, 3, 0.2
# Between two values, as in a list or a statement in SQL.
_VALUES = re.compile(r"""(?<=['"]),(?=\s?['"])""")


def cell_ends(text: str) -> set[int]:
    """Where cells end in neighbouring lines that have as many of them, and between values
    in quotation marks.

    text (str): Any text.
    RETURNS (set[int]): Places of the commas or semicolons between cells; those between
        quotation marks are none.
    """
    found = {match.start() for match in _VALUES.finditer(text)}
    for sign in _SIGNS:
        if text.count(sign) >= _ROWS * _LEAST:
            for n, lines in groupby(_rows(text, sign), key=len):
                rows = [*lines] if n >= _LEAST else []
                if len(rows) >= _ROWS:
                    found.update(i for row in rows for i in row)
    return found


def _rows(text: str, sign: str) -> Iterator[list[int]]:
    """Where cells end, line by line; nothing for running text."""
    start = 0
    for line in text.splitlines(keepends=True):
        # Most lines are no rows, which their signs tell at once.
        tight = line.count(sign) - line.count(f"{sign} ") >= _LEAST
        ends = [*sign_ends(line, sign)] if tight else []
        loose = sum(line.startswith(" ", i + 1) for i in ends)
        yield [start + i for i in ends] if loose <= _LOOSE * len(ends) else []
        start += len(line)


def sign_ends(line: str, sign: str) -> Iterator[int]:
    """Where a sign stands in a line, those between quotation marks left out."""
    quoted = False
    for i, ch in enumerate(line):
        quoted ^= ch == _QUOTE
        if ch == sign and not quoted:
            yield i
