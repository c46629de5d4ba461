"""brat stand-off: a text `NAME.txt` and its annotations `NAME.ann`.

Format: https://brat.nlplab.org/standoff.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..data import table
from .files import BOM, InputError, find_files, read_lines, read_text
from .readers import Corpus, Record, check_record, make_mention, place
from .report import Report

TEXT, ANNOTATION = ".txt", ".ann"
# First character of an id -> what the line is; only T lines mark text.
LINES = {sign: row["kind"] for row in table("corpus_report") for sign in row["brat"]}
_BOUND = re.compile(r"(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")


class Bound(NamedTuple):
    """A text-bound annotation.

    line (int): Line of the file.
    pieces (List[Tuple[int, int]]): Offsets of its pieces as they are written.
    text (str): The text as it is written, or None.
    """

    line: int
    id: str
    label: str
    pieces: list[tuple[int, int]]
    text: str | None

    def fits(self, text: str) -> bool:
        """Whether a text has at the offsets what is written."""
        found = [word for a, b in self.pieces for word in text[a:b].split()]
        inside = all(a <= b <= len(text) for a, b in self.pieces)
        return self.text is None or (inside and found == self.text.split())


def read_brat(path: str | Path, report: Report, encoding: str = "utf-8") -> Corpus:
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
        if text_file.is_file():
            record["text"] = read_text(text_file, encoding)
            check_record(text_file, None, record)
            record["entity_mentions"] = list(_mentions(bounds, record, report))
            yield [record]
            continue
        report.add("broken_document", **place(record))
        for bound in bounds:
            where = place(record, line=bound.line, label=bound.label)
            report.add("spans")
            report.add("missing_text", **where)


def _read_bounds(
    file: Path, record: Record, report: Report, encoding: str
) -> Iterator[Bound]:
    for number, line in read_lines(file, encoding):
        if not line.strip():
            continue
        if line[0] in LINES:
            report.add(LINES[line[0]])
        elif match := _BOUND.fullmatch(line):
            name, label, offsets, text = match.groups()
            pieces = [tuple(map(int, p.split(" "))) for p in offsets.split(";")]
            yield Bound(number, name, label, pieces, text)  # type: ignore[arg-type]
        elif line.startswith("T"):
            report.add("spans")
            report.add("broken", **place(record, line=number))
        else:
            report.add("broken_line", **place(record, line=number))


def _mentions(bounds: list[Bound], record: Record, report: Report) -> Iterator[Record]:
    """A mention for each piece of an annotation, as one entity."""
    text = record["text"]
    # Tools differ in what they count: a line break as one, a byte order mark or not.
    readings = [text, text.replace("\r\n", "\n")]
    readings += [BOM + reading for reading in readings]
    best = max(readings, key=lambda reading: sum(b.fits(reading) for b in bounds))
    shift = int(best.startswith(BOM))
    record["text"] = best[shift:]
    if record["text"] != text:
        report.add("line_breaks", **place(record))
    for bound in bounds:
        pieces = [(start - shift, end - shift) for start, end in bound.pieces]
        where = place(record, line=bound.line, label=bound.label)
        if len(pieces) > 1:
            report.add("discontinuous", **where, start=pieces[0][0], end=pieces[-1][1])
        for start, end in pieces:
            if 0 <= start <= end <= len(record["text"]) and not bound.fits(best):
                report.add("spans")
                report.add("text_mismatch", **where, start=start, end=end)
                continue
            name = bound.id if len(pieces) > 1 else ""
            more = {"entity_id": name, "line": bound.line}
            yield make_mention(start, end, bound.label, **more)
