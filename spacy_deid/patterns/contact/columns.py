"""Values below the name of their column, in the lines of a table within a text, and in
statements that put rows into one of a database."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from ...gazetteers.lexicon import is_listed_name
from ...text.cells import sign_ends
from ...text.fields import kind_of_words, words_of_field
from ...text.names import GIVEN_LABEL, SURNAME_LABEL
from ..base import Hit, Text, hit
from ..tables import word_set
from .forms import P

# What stands between cells, and cells of a row, at least.
_SIGNS, _CELLS = "\t|;,", 3
# Words of a column's name, and columns whose names say what they hold, at least.
_WORDS, _TOLD = 4, 2
# Characters of a line of names of columns, at most.
_HEADER = 400
_REASON = "value below the name of its column"
# What only the name of its column tells.
_CODES = frozenset(
    "NATIONAL_ID PASSPORT HEALTH_ID TAX_ID ACCOUNT DRIVER_LICENCE".split()
)

Cell = tuple[int, int]


class Column(NamedTuple):
    """What the name of a column says of its values.

    kind (str): Their type or subtype.
    form (str): "known" if they may be something else.
    part (str): Subtype of a name.
    """

    kind: str
    form: str
    part: str


# What the columns hold, and where the cells are.
Row = tuple[list[Column], list[Cell]]


def columns(text: Text) -> Iterator[Hit]:
    """Names of people and codes in tables whose columns are named."""
    for heads, cells in chain(_lines(text), _inserted(text)):
        for place, head in zip(cells, heads):
            yield from _hits(text, place, head)


def _lines(text: str) -> Iterator[Row]:
    """Rows below a line that says what is in a column."""
    lines = text.splitlines(keepends=True)
    for sign in _SIGNS:
        heads: list[Column] = []
        start = 0
        for line in lines if sign in text else ():
            # Running text is not looked at sign by sign.
            cells = _cells(line, start, sign) if heads or len(line) <= _HEADER else []
            start += len(line)
            if heads and len(cells) == len(heads):
                yield heads, cells
            else:
                heads = _heads([text[a:b] for a, b in cells])


def _inserted(text: str) -> Iterator[Row]:
    """Rows of `INSERT INTO`, whose columns it names, or `CREATE TABLE` before it."""
    if P.sql_insert.search(text) is None:
        return
    made = {m["table"]: m["columns"] for m in P.sql_create.finditer(text)}
    for m in P.sql_insert.finditer(text):
        told, end = m["columns"] or made.get(m["table"], ""), m.end()
        heads = _heads([x["name"] for x in P.sql_column.finditer(told)])
        while heads and (row := P.sql_row.match(text, end)):
            end = row.end()
            cells = P.sql_cell.finditer(text, row.start("cells"), row.end("cells"))
            yield heads, [x.span("quoted" if x["quoted"] else "cell") for x in cells]


def _hits(text: str, place: Cell, head: Column) -> Iterator[Hit]:
    start, end = place
    if head.kind == "PERSON" and _is_name(text[start:end], head.form == "known"):
        kind = head.part
        yield hit(start, end, "PERSON", kind, 0.9, "named_field", reason=_REASON)
    elif head.kind in _CODES and P.column_code.fullmatch(text, start, end):
        yield hit(start, end, "CODE", head.kind, 0.9, reason=_REASON)


def part_of_name(field: str) -> str:
    """The subtype of a person's name, by what its field or column is called."""
    told = P.field_before_name.sub(" ", field)
    if SURNAME_LABEL.search(told):
        return "FAMILY_NAME"
    return "GIVEN_NAME" if GIVEN_LABEL.search(told) else "FULL_NAME"


def _cells(line: str, start: int, sign: str) -> list[Cell]:
    """Where the cells of a line are, without blanks and quotes around them."""
    if line.count(sign) < _CELLS - 1:
        return []
    cells, first = [], 0
    for end in (*sign_ends(line, sign), len(line)):
        cell = line[first:end]
        left = len(cell) - len(cell.lstrip(' \t"'))
        right = len(cell.rstrip(' \t\r\n"'))
        cells.append((start + first + left, start + first + max(left, right)))
        first = end + 1
    return cells


def _heads(names: list[str]) -> list[Column]:
    """What the cells of a line say of the cells below them; nothing for another line."""
    words = [words_of_field(name) for name in names]
    kinds = [kind_of_words(each) or ("", "") for each in words]
    told = sum(kind != ("", "") for kind in kinds)
    if told < _TOLD or any(len(each) > _WORDS for each in words):
        return []
    return [Column(*kind, part_of_name(name)) for kind, name in zip(kinds, names)]


def _is_name(value: str, doubtful: bool) -> bool:
    """Whether a value may be somebody's name; in a column that may hold others all its
    words are known as names."""
    if P.column_name.fullmatch(value) is None:
        return False
    words = value.lower().split()
    if not word_set("no_value").isdisjoint(words):
        return False
    return not doubtful or all(is_listed_name(w, "en") for w in words)
