"""Mapping offsets between a text and its de-identified form, both ways."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

# [start, end, new_start, new_end] for each replacement, in document order, as in
# `doc._.deid_offsets`.
Offsets = Sequence[Sequence[int]]


def to_new(offsets: Offsets, i: int) -> int:
    """Where a position of the original text lies in the new text.

    Positions between replacements map exactly. A replacement's first position maps to
    the surrogate's first, positions inside it as far into the surrogate as it goes.

    offsets (Sequence): `doc._.deid_offsets`.
    i (int): Position in the original text, 0 up to its length.
    RETURNS (int): Position in the new text.
    """
    return _convert(offsets, i, 0, 2)


def to_old(offsets: Offsets, j: int) -> int:
    """Where a position of the new text lies in the original text.

    offsets (Sequence): `doc._.deid_offsets`.
    j (int): Position in the new text, 0 up to its length.
    RETURNS (int): Position in the original text.
    """
    return _convert(offsets, j, 2, 0)


def _convert(offsets: Offsets, position: int, source: int, target: int) -> int:
    k = bisect_right(offsets, position, key=lambda row: row[source]) - 1
    if k < 0:
        return position
    row = offsets[k]
    if position >= row[source + 1]:
        return row[target + 1] + position - row[source + 1]
    return min(row[target] + position - row[source], row[target + 1])


def splice(text: str, offsets: Offsets, new_texts: Sequence[str]) -> str:
    """Put new texts in place of the old ones.

    text (str): The original text.
    offsets (Sequence): Rows of which only start and end are read.
    new_texts (Sequence[str]): One for each row.
    RETURNS (str): The new text.
    """
    out: list[str] = []
    position = 0
    for row, new in zip(offsets, new_texts):
        out += (text[position : row[0]], new)
        position = row[1]
    out.append(text[position:])
    return "".join(out)
