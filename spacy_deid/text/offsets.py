"""Mapping offsets between a text and its de-identified form, both ways."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

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


def span_to_new(offsets: Offsets, start: int, end: int) -> tuple[int, int]:
    """Where a span of the original text lies in the new text.

    A span that touches a part of a replacement grows to the whole of it: what stands
    for a part of a name nobody knows. All others map exactly, and text that was only
    moved comes along unchanged. `span_to_old` of the result holds the span, but for text
    at its ends that was taken out with nothing in its stead.

    offsets (Sequence): `doc._.deid_offsets`.
    start (int): First character in the original text.
    end (int): Character after the last; `start` for a place between two characters.
    RETURNS (tuple[int, int]): Start and end in the new text, equal where the surrogate
        is empty.
    """
    return _convert_span(offsets, start, end, 0, 2)


def span_to_old(offsets: Offsets, start: int, end: int) -> tuple[int, int]:
    """Where a span of the new text lies in the original text.

    The counterpart of `span_to_new`: a span that touches a part of a surrogate grows to
    all that the surrogate replaces, and a place where text was taken out without
    anything in its stead is that text.

    offsets (Sequence): `doc._.deid_offsets`.
    start (int): First character in the new text.
    end (int): Character after the last; `start` for a place between two characters.
    RETURNS (tuple[int, int]): Start and end in the original text.
    """
    return _convert_span(offsets, start, end, 2, 0)


def _convert_span(
    offsets: Offsets, start: int, end: int, source: int, target: int
) -> tuple[int, int]:
    if start > end:
        raise ValueError(f"a span cannot end before it begins: {start}, {end}")
    if start == end:
        # The rows that lie at the place or around it.
        first = bisect_left(offsets, start, key=lambda row: row[source + 1])
        last = bisect_right(offsets, start, key=lambda row: row[source])
        empty = [
            row
            for row in offsets[first:last]
            if row[source] == row[source + 1] or row[source] < start < row[source + 1]
        ]
        if empty:
            return empty[0][target], empty[-1][target + 1]
        place = _convert(offsets, start, source, target)
        return place, place
    new_start, new_end = start, end
    i = bisect_right(offsets, start, key=lambda row: row[source]) - 1
    if i >= 0:
        row = offsets[i]
        inside = start < row[source + 1]
        after = row[target + 1] + start - row[source + 1]
        new_start = row[target] if inside else after
    i = bisect_left(offsets, end, key=lambda row: row[source]) - 1
    if i >= 0:
        row = offsets[i]
        new_end = row[target + 1] + max(0, end - row[source + 1])
    return new_start, new_end


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the white space at its ends; both ends are one place if it has
    nothing else."""
    inner = text[start:end].rstrip()
    end = start + len(inner)
    return end - len(inner.lstrip()), end


def first_misfit(old: str, new: str, offsets: Offsets) -> Sequence[int] | None:
    """The first replacement before which the texts differ, or which lies where it
    cannot, as a row of its places; None if the texts are the same but for the
    replacements."""
    last = new_last = 0
    n, m = len(old), len(new)
    for row in (*offsets, (n, n, m, m)):
        start, end, new_start, new_end = row[:4]
        if (
            not last <= start <= end <= n
            or not new_last <= new_start <= new_end <= m
            or old[last:start] != new[new_last:new_start]
        ):
            return row
        last, new_last = end, new_end
    return None


def splice(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Put new texts in place of old ones.

    text (str): The original text.
    edits (Iterable[tuple[int, int, str]]): Start, end and what is to stand there, in
        order.
    RETURNS (str): The new text.
    """
    out: list[str] = []
    position = 0
    for start, end, new in edits:
        out += (text[position:start], new)
        position = end
    return "".join([*out, text[position:]])


def uncovered(
    start: int, end: int, places: Iterable[Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """The parts of a stretch that none of some places, sorted, covers."""
    for a, b, *_ in places:
        if b <= start or a >= end:
            continue
        if a > start:
            yield start, a
        start = b
    if start < end:
        yield start, end


def joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places in order, those put together that overlap or touch."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def overlapping(places: Iterable[Any]) -> Iterator[list[Any]]:
    """What has a `start` and an `end`, sorted by the start, in groups of which none
    overlaps another."""
    group: list[Any] = []
    end = 0
    for place in places:
        if group and place.start >= end:
            yield group
            group = []
        group.append(place)
        end = max(end, place.end)
    if group:
        yield group
