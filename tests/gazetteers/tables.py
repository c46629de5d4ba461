"""Tables of cases that stand beside the tests, in `cases.txt` of their folder: "== name"
begins a table, each line of it is a row as JSON, "#" begins a remark."""

import json
from pathlib import Path


def read_tables(test_file):
    tables = {}
    text = Path(test_file).with_name("cases.txt").read_text("utf8")
    for line in text.splitlines():
        if line.startswith("== "):
            tables[line[3:]] = rows = []
        elif line and not line.startswith("#"):
            rows.append(json.loads(line))
    return tables
