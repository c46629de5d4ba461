"""Tables: what a cell holds is said by its column, or by a table beside it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spacy_deid.gazetteers.lexicon import is_vocabulary

from .annotated import mention

Record = dict[str, Any]
_AGE = re.compile(r"\b\d{1,3}[- ]years?[- ]old\b", re.IGNORECASE)
_DOCTOR = re.compile(r"\bdr\b\.? ([a-z]{3,})", re.IGNORECASE)
# Parts of a rendered table, each with the label of a span or nothing.
Parts = list[tuple[str, str]]


def _read_csv(file: Path) -> list[dict[str, str]]:
    # Line breaks inside of cells as well become those of our texts.
    with file.open(encoding="utf8") as stream:
        return list(csv.DictReader(stream))


def read_mts_dialog(files: list[Path], dialogues: bool = False) -> Iterator[Record]:
    """MTS-Dialog: sections of notes behind their headings, or the dialogues."""
    for file in files:
        for row in _read_csv(file):
            note = f"{row['section_header']}\n{row['section_text']}"
            yield {"doc_id": row["ID"], "text": row["dialogue"] if dialogues else note}


def read_aci_bench(files: list[Path]) -> Iterator[Record]:
    """ACI-Bench: notes and dialogues. Names of patient and doctor are found by those that
    the metadata has (files `*_metadata.csv`), ages by their form."""
    people = {
        (row["dataset"], row["encounter_id"]): row
        for file in files
        if file.stem.endswith("_metadata")
        for row in _read_csv(file)
    }
    for file in files:
        if file.stem.endswith("_metadata"):
            continue
        for row in _read_csv(file):
            known = people[row["dataset"], row["encounter_id"]]
            patient = [
                known[f"patient_{part}name"].strip() for part in ("first", "family")
            ]
            names = [
                (" ".join(patient).strip(), "PATIENT"),
                *((p, "PATIENT") for p in patient),
            ]
            doctor = known["doctor_name"].strip()
            names += [(doctor, "DOCTOR"), (doctor.rpartition(" ")[2], "DOCTOR")]
            for part in ("note", "dialogue"):
                yield {
                    "doc_id": f"{row['dataset']}-{row['encounter_id']}-{part}",
                    "text": row[part],
                    "entity_mentions": _find_names(row[part], names),
                }


def _find_names(text: str, names: list[tuple[str, str]]) -> list[Record]:
    """Ages, doctors that are called so, and places of names, the longest first."""
    taken = [mention(*match.span(), "AGE") for match in _AGE.finditer(text)]
    taken += [mention(*match.span(1), "DOCTOR") for match in _DOCTOR.finditer(text)]
    for name, label in names:
        # A surname that is a word, too, would be found in "that's good".
        if not name or is_vocabulary(name.lower()):
            continue
        for match in re.finditer(rf"\b{re.escape(name)}\b", text, re.IGNORECASE):
            start, end = match.span()
            if all(end <= m["start_offset"] or m["end_offset"] <= start for m in taken):
                taken.append(mention(start, end, label))
    return sorted(taken, key=lambda m: int(m["start_offset"]))


# --------------------------------------------------------------------------
# Chinook

# What the columns of the sample database hold.
COLUMNS = {
    "FirstName": "PERSON",
    "LastName": "PERSON",
    "Company": "ORGANIZATION",
    "Address": "ADDRESS",
    "City": "CITY",
    "State": "STATE",
    "Country": "COUNTRY",
    "PostalCode": "POSTAL_CODE",
    "Phone": "PHONE",
    "Fax": "PHONE",
    "Email": "EMAIL",
    "BirthDate": "DATE_OF_BIRTH",
    "HireDate": "DATE",
    "InvoiceDate": "DATE",
    "Composer": "COMPOSER",
    # Of `Artist`; elsewhere names are those of tracks and genres.
    "Artist.Name": "ARTIST",
}


def read_chinook(files: list[Path], rows: int = 6, take: int = 4) -> Iterator[Record]:
    """Tables of the Chinook database in the notations that tables are written in.

    rows (int): Rows of a document.
    take (int): Documents of a table in each notation.
    """
    for file in files:
        for table, records in json.loads(file.read_text("utf-8-sig")).items():
            chunks = [records[i : i + rows] for i in range(0, len(records), rows)]
            for number, chunk in enumerate(chunks[: take * len(NOTATIONS)]):
                notation = list(NOTATIONS)[number % len(NOTATIONS)]
                parts = NOTATIONS[notation](table, [_cells(table, r) for r in chunk])
                yield {"doc_id": f"{table}-{notation}-{number}", **_join(parts)}


def _cells(table: str, record: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Value and label of each column."""
    out = {}
    for column, value in record.items():
        short = column.removeprefix("Billing")
        label = COLUMNS.get(f"{table}.{column}") or COLUMNS.get(short, "")
        out[column] = ("" if value is None else str(value), label)
    return out


Cells = dict[str, tuple[str, str]]


def _separated(mark: str) -> Callable[[str, list[Cells]], Parts]:
    def render(table: str, records: list[Cells]) -> Parts:
        parts: Parts = [(mark.join(records[0]) + "\n", "")]
        for record in records:
            for i, (value, label) in enumerate(record.values()):
                quote = '"' if mark.strip() and mark.strip() in value else ""
                parts += [
                    (mark if i else "", ""),
                    (quote, ""),
                    (value, label),
                    (quote, ""),
                ]
            parts.append(("\n", ""))
        return parts

    return render


def _fields(table: str, records: list[Cells]) -> Parts:
    parts: Parts = []
    for record in records:
        for column, (value, label) in record.items():
            parts += [(f"{column}: ", ""), (value, label), ("\n", "")]
        parts.append(("\n", ""))
    return parts


def _json_lines(table: str, records: list[Cells]) -> Parts:
    parts: Parts = []
    for record in records:
        for i, (column, (value, label)) in enumerate(record.items()):
            inside = json.dumps(value, ensure_ascii=False)[1:-1]
            parts.append((f'{", " if i else "{"}"{column}": "', ""))
            parts += [(inside, label), ('"', "")]
        parts.append(("}\n", ""))
    return parts


def _sql(table: str, records: list[Cells]) -> Parts:
    parts: Parts = []
    for record in records:
        parts.append((f"INSERT INTO {table} ({', '.join(record)}) VALUES (", ""))
        for i, (value, label) in enumerate(record.values()):
            inside = value.replace("'", "''")
            parts += [(", '" if i else "'", ""), (inside, label), ("'", "")]
        parts.append((");\n", ""))
    return parts


NOTATIONS: dict[str, Callable[[str, list[Cells]], Parts]] = {
    "csv": _separated(","),
    "tsv": _separated("\t"),
    "semi": _separated(";"),
    "pipe": _separated(" | "),
    "kv": _fields,
    "json": _json_lines,
    "sql": _sql,
}


def _join(parts: Parts) -> Record:
    text = ""
    mentions: list[Record] = []
    for part, label in parts:
        if label and part:
            mentions.append(mention(len(text), len(text) + len(part), label))
        text += part
    return {"text": text, "entity_mentions": mentions}
