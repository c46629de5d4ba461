"""People in messages between the systems of hospitals and insurers: HL7 version 2, in logs
field by field as well ("PID-5 HOPE^WILL"), X12, and what DICOM says of images."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from ...data import table
from ...gazetteers.lexicon import is_vocabulary
from ...gazetteers.names import is_given_name
from ..base import Hit, Text, hit
from .columns import Cell
from .forms import P

_REASON = "value of a field of a message that is a person's"
_PARTS = "a given name behind a surname, as messages have them"
_PASSPORT = "name in a passport that machines read"
# Types by subtype; all others are codes.
_TYPES = {
    **dict.fromkeys(("FAMILY_NAME", "GIVEN_NAME", "FULL_NAME"), "PERSON"),
    **dict.fromkeys(("ADDRESS", "CITY", "POSTCODE"), "LOC"),
    "DATE": "DATETIME",
}
# X12: segments of names, and the second field of those of organisations.
_NAMED, _ORGANISATION = "NM1", "2"


@cache
def _parts_of() -> dict[tuple[str, int], list[str]]:
    """What the parts of a field of a segment hold (`data/segments.tsv`)."""
    return {
        (row["segment"], int(number)): row["parts"].split("^")
        for row in table("segments")
        for number in row["fields"].split()
    }


def segments(text: Text) -> Iterator[Hit]:
    """Names, addresses, dates and codes in the segments of messages."""
    for form in (P.segment, P.segment_x12):
        for m in form.finditer(text):
            fields = [*_split(text, m.span("fields"), m["sign"])]
            second = [text[start:end] for start, end in fields[1:2]]
            if m["name"] == _NAMED and second == [_ORGANISATION]:
                continue
            for number, place in enumerate(fields, 1):
                yield from _hits(text, m["name"], number, place)
    for form in (P.segment_field, P.segment_dicom):
        for m in form.finditer(text):
            yield from _hits(text, m["name"], int(m["number"]), m.span("value"))


def parts(text: Text) -> Iterator[Hit]:
    """Names in the parts that they have in messages, outside of these, and in lines of
    passports that machines read."""
    for m in P.name_in_parts.finditer(text) if "^" in text else ():
        given = m["given"].lower()
        # "SPO^SPOUSE": a code and what it stands for.
        if is_given_name(given) or not is_vocabulary(given):
            start, end = m.span()
            yield hit(start, end, "PERSON", "FULL_NAME", 0.85, reason=_PARTS)
    for m in P.passport_name.finditer(text) if "<<" in text else ():
        for kind in ("family", "given"):
            for word in P.passport_word.finditer(text, *m.span(kind)):
                start, end = word.span()
                part = f"{kind.upper()}_NAME"
                yield hit(start, end, "PERSON", part, 0.95, reason=_PASSPORT)


def _split(text: str, place: Cell, sign: str) -> Iterator[Cell]:
    start, end = place
    for part in text[start:end].split(sign):
        yield start, start + len(part)
        start += len(part) + 1


def _hits(text: str, name: str, number: int, place: Cell) -> Iterator[Hit]:
    kinds = _parts_of().get((name, number), [])
    # An address is one thing, whatever stands between its parts.
    sign = "\n" if "ADDRESS" in kinds else "^"
    for value in _split(text, place, "~") if kinds else ():
        found = zip(kinds, _split(text, value, sign))
        # The parts of a name are one.
        for kind, of in groupby(found, lambda part: part[0]):
            places = [place for _, place in of]
            start, end = places[0][0], places[-1][1]
            end = start + len(text[start:end].rstrip("^ "))
            if any(map(str.isalnum, text[start:end])):
                label = _TYPES.get(kind, "CODE")
                yield hit(start, end, label, kind, 0.95, reason=_REASON)
