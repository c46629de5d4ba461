"""Tables of cases that stand beside the tests, a case a row."""

import json
from pathlib import Path


def read_cell(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def cases(test, name):
    """A table of the TSV file beside a test module (`dates.tsv` of `test_dates.py`): what
    follows the line "## NAME" in it. A cell is JSON, or else a plain string; of a table
    of one column the rows are the cells."""
    path = Path(test)
    file = path.with_name(path.stem.removeprefix("test_") + ".tsv")
    _, found, rest = file.read_text("utf8").partition(f"\n## {name}\n")
    assert found, f"{file.name} has no table {name}"
    lines = rest.partition("\n## ")[0].split("\n")
    rows = [
        tuple(map(read_cell, line.split("\t")))
        for line in lines
        if line and not line.startswith("# ")
    ]
    alone = all(len(row) == 1 for row in rows)
    return [cell for (cell,) in rows] if alone else rows
