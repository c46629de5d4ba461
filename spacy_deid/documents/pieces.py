"""A document as the pieces of text that stand in it, in reading order.

The pipeline sees all of them as one text, so that one person has one surrogate in
paragraphs, cells, footers and comments. What was replaced in that text goes back to the
pieces, whatever borders of them it crosses.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from ..text.fields import Field

# Start and end in a piece, and what is to stand there.
Edit = tuple[int, int, str]


class DocumentError(Exception):
    """A document cannot be read; the message quotes nothing of it."""


class LeakError(ValueError):
    """Something masked would be left in a written document."""


class Piece(NamedTuple):
    """A stretch of text that stands in one place of a document.

    text (str): What stands there.
    before (str): What the joined text has between it and the piece before.
    hard (bool): Nothing that is found goes beyond its beginning.
    label (str): Type of the whole piece, "" for running text. The pieces beside one of
        a type begin anew.
    subtype (str): Subtype, beside a type.
    fixed (bool): An element that stands for its text, such as a line break.
    """

    text: str
    before: str = ""
    hard: bool = False
    label: str = ""
    subtype: str = ""
    fixed: bool = False


class Tools(NamedTuple):
    """What writing a document needs.

    masked (Sequence[tuple[str, str]]): The originals of what was replaced, and types.
    pseudonym (Callable): Gives an id another name, the same one each time.
    """

    masked: Sequence[tuple[str, str]]
    pseudonym: Callable[[str], str]


class Document(Protocol):
    """A document that was read.

    pieces (list[Piece]): Its text.
    notes (list[str]): What of it cannot be kept, in words that quote nothing.
    """

    pieces: list[Piece]
    notes: list[str]

    def write(self, edits: Sequence[Sequence[Edit]], tools: Tools) -> bytes:
        """The file with other text: edits of each piece, in order."""
        ...


def notes_of(counts: Mapping[str, int], title: str = "left out: ") -> list[str]:
    """What is said of things that are counted; nothing if there are none."""
    told = ", ".join(f"{what} {n}" for what, n in sorted(counts.items()) if n)
    return [title + told] if told else []


class Joined(NamedTuple):
    """The text of some pieces, where each begins, and the stretches that nothing found
    crosses (none if it is a single one of running text)."""

    text: str
    starts: list[int]
    fields: list[Field]


def join(pieces: Sequence[Piece]) -> Joined:
    """The pieces as one text."""
    out: list[str] = []
    starts: list[int] = []
    fields: list[Field] = []
    at = 0
    label = ""
    for piece in pieces:
        before = piece.before if starts else piece.before.lstrip()
        start = at + len(before)
        out += (before, piece.text)
        at = start + len(piece.text)
        starts.append(start)
        if not fields or piece.hard or piece.label or label:
            fields.append(Field(start, at, piece.label, piece.subtype))
        else:
            fields[-1] = fields[-1]._replace(end=at)
        label = piece.label
    single = len(fields) == 1 and fields[0][2:] == ("", "")
    return Joined("".join(out), starts, [] if single else fields)


def share_out(
    pieces: Sequence[Piece], starts: Sequence[int], replaced: Iterable[Edit]
) -> list[list[Edit]]:
    """What is to change in each piece.

    starts (Sequence[int]): Where each begins in the joined text.
    replaced (Iterable[Edit]): What is to change in that text, in order.
    RETURNS (list[list[Edit]]): One list a piece.
    """
    edits: list[list[Edit]] = [[] for _ in pieces]
    ends = [start + len(piece.text) for start, piece in zip(starts, pieces)]
    for start, end, new in replaced:
        first = bisect_right(ends, start if start < end else start - 1)
        touched = range(first, bisect_left(starts, end))
        for i, share in zip(touched, _shares([pieces[i] for i in touched], new)):
            if share is not None:
                a, b = max(start, starts[i]), min(end, ends[i])
                edits[i].append((a - starts[i], b - starts[i], share))
    return edits


def _shares(pieces: list[Piece], new: str) -> list[str | None]:
    """What of a new text comes into each of the pieces that the old one was in; None:
    the piece stays as it is.

    The first piece gets all of it, so that a name that is half in bold becomes one in
    one style. Over line breaks and paragraphs it is divided where it has them too.
    """
    if len(pieces) < 2:
        return [new for _ in pieces]
    groups, signs = _lines(pieces)
    parts = _divided(new, signs) if all(groups) else None
    if parts is None:
        out: list[str | None] = ["" for _ in pieces]
        out[next((i for group in groups for i in group), 0)] = new
        return out
    out = [None if piece.fixed else "" for piece in pieces]
    for group, part in zip(groups, parts):
        out[group[0]] = part
    return out


def _lines(pieces: list[Piece]) -> tuple[list[list[int]], list[str]]:
    """Numbers of the pieces between two signs each, and these signs."""
    groups: list[list[int]] = [[]]
    signs: list[str] = []
    for i, piece in enumerate(pieces):
        sign = piece.before if i else ""
        sign += piece.text if piece.fixed else ""
        if sign and groups[-1]:
            groups.append([])
            signs.append(sign)
        elif sign and signs:
            signs[-1] += sign
        if not piece.fixed:
            groups[-1].append(i)
    return groups, signs


def _divided(text: str, signs: Sequence[str]) -> list[str] | None:
    """A text cut at some signs in their order; None if it has other ones."""
    parts: list[str] = []
    for sign in signs:
        part, found, text = text.partition(sign)
        if not found:
            return None
        parts.append(part)
    return None if "\n" in text else [*parts, text]
