"""brat stand-off: a text `NAME.txt` and its annotations `NAME.ann`.

Format: https://brat.nlplab.org/standoff.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from .files import BOM, InputError, find_files, read_lines, read_text
from .readers import Record, Records, is_storable, place
from .report import Report

TEXT, ANNOTATION = ".txt", ".ann"
# First character of an id -> what the line is; only T lines mark text.
LINES = {
    "E": "event",
    "R": "relation",
    "*": "relation",
    "A": "attribute",
    "M": "attribute",
    "N": "normalization",
    "#": "note",
}
_BOUND = re.compile(r"T\S*\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")


class Bound(NamedTuple):
    """A text-bound annotation.

    line (int): Line of the file.
    id (str): Its id, for example `T1`.
    label (str): Its label.
    pieces (Tuple[Tuple[int, int], ...]): Offsets of its pieces as they are written.
    text (str): The text as it is written, or None.
    """

    line: int
    id: str
    label: str
    pieces: tuple[tuple[int, int], ...]
    text: str | None


@dataclass
class Reading:
    """A way to read offsets: as tools differ, the one that fits best is taken."""

    text: str
    shift: int = 0
    kind: str = ""

    def pieces(self, bound: Bound) -> list[tuple[int, int]]:
        return [(start - self.shift, end - self.shift) for start, end in bound.pieces]

    def fits(self, bound: Bound) -> bool:
        """Whether the text at the offsets is the text that is written."""
        if bound.text is None:
            return True
        found: list[str] = []
        for start, end in self.pieces(bound):
            if not 0 <= start <= end <= len(self.text):
                return False
            found.extend(self.text[start:end].split())
        return found == bound.text.split()


def read_brat(
    path: str | Path, report: Report, encoding: str = "utf-8"
) -> Iterator[Records]:
    """Documents of a folder of stand-off files."""
    path = Path(path)
    if path.is_file() and path.suffix not in (TEXT, ANNOTATION):
        raise InputError(path, None, "expected a .txt or .ann file, or a folder")
    names = {file.with_suffix("") for file in find_files(path, TEXT, ANNOTATION)}
    for name in sorted(names):
        # with_suffix would cut the name at its last dot.
        text_file = name.with_name(name.name + TEXT)
        ann_file = name.with_name(name.name + ANNOTATION)
        doc_id = name.relative_to(path if path.is_dir() else path.parent).as_posix()
        record: Record = {"doc_id": doc_id, "file": str(ann_file)}
        if not ann_file.is_file():
            report.add("missing_annotation", **place(record, file=str(text_file)))
            continue
        bounds = list(_read_bounds(ann_file, record, report, encoding))
        if not text_file.is_file():
            report.add("broken_document", **place(record))
            for bound in bounds:
                report.add("spans")
                report.add(
                    "missing_text", **place(record, line=bound.line, label=bound.label)
                )
            continue
        text = read_text(text_file, encoding)
        if not is_storable(text):
            raise InputError(text_file, None, "the text holds half of a surrogate pair")
        reading = _choose(text, bounds)
        if reading.kind:
            report.add(reading.kind, **place(record))
        record["text"] = reading.text
        record["entity_mentions"] = [
            mention
            for bound in bounds
            for mention in _mentions(bound, reading, record, report)
        ]
        yield [record]


def _read_bounds(
    file: Path, record: Record, report: Report, encoding: str
) -> Iterator[Bound]:
    for number, line in read_lines(file, encoding):
        if not line.strip():
            continue
        if line[0] in LINES:
            report.add(LINES[line[0]])
            continue
        match = _BOUND.fullmatch(line)
        if match is None:
            spans = line.startswith("T")
            if spans:
                report.add("spans")
            kind = "broken" if spans else "broken_line"
            report.add(kind, **place(record, line=number))
            continue
        pieces = [tuple(map(int, p.split(" "))) for p in match[2].split(";")]
        yield Bound(
            number,
            line.partition("\t")[0],
            match[1],
            tuple((start, end) for start, end in pieces),
            match[3],
        )


def _choose(text: str, bounds: list[Bound]) -> Reading:
    """The reading in which most annotations have the text that they say."""
    readings = [Reading(text)]
    short = text.replace("\r\n", "\n")
    if short != text:
        readings.append(Reading(short, kind="line_breaks"))
    # A tool that does not know the byte order mark counts it.
    readings += [Reading(r.text, len(BOM), r.kind) for r in readings]
    return max(readings, key=lambda r: sum(map(r.fits, bounds)))


def _mentions(
    bound: Bound, reading: Reading, record: Record, report: Report
) -> Iterator[Record]:
    """A mention for each piece of an annotation, as one entity."""
    pieces = reading.pieces(bound)
    where = place(record, line=bound.line, label=bound.label)
    if len(pieces) > 1:
        report.add("discontinuous", **where, start=pieces[0][0], end=pieces[-1][1])
    fits = reading.fits(bound)
    for start, end in pieces:
        inside = 0 <= start <= end <= len(reading.text)
        if inside and not fits:
            report.add("spans")
            report.add("text_mismatch", **where, start=start, end=end)
            continue
        yield {
            "start_offset": start,
            "end_offset": end,
            "entity_type": bound.label,
            "entity_id": bound.id if len(pieces) > 1 else "",
            "line": bound.line,
        }
