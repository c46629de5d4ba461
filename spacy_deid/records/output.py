"""What is written of a record: a JSON object, the cells of a table, a line of the audit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ..disclosure import magnitude
from ..vault import NewRow, make_entry
from ..vault.entries import field_entries
from .cleaning import FieldCleaner
from .declared import OUTPUT_FIELDS, TEXT, Declared
from .process import Done

JSONL = "jsonl"


def taken_name(declared: Declared) -> str:
    """A declared field whose name the output needs for its own; "" if there is none."""
    single = len(declared.texts) == 1
    own = {*OUTPUT_FIELDS} if single else {*OUTPUT_FIELDS} - {TEXT}
    names = declared.types if single else declared.names
    return next((name for name in names if name in own), "")


def vault_row(
    done: Done,
    doc_id: Any,
    fields: Mapping[str, Any],
    new_id: Any,
    row: Mapping[str, Any],
    form: str,
    left_out: Collection[str] = (),
) -> NewRow:
    """What the vault keeps of a record.

    doc_id (Any): Its id, and `new_id` that of the output.
    fields (Mapping[str, Any]): What it was, and `row` what it is now.
    form (str): Kind of file that it is written to.
    left_out (Collection[str]): Fields that are not in the output.
    """
    # Only the names of a JSON object change here.
    own: Collection[str] = ()
    names: dict[str, str] = {}
    if form == JSONL:
        own = (*OUTPUT_FIELDS, *done.result.people)
        names = _new_names(done, [name for name in fields if name not in left_out])
    text = done.declared.texts[0]
    entries = field_entries(fields, text, row, own, names, left_out)
    # What is at a path comes back with its field.
    others = [name for name in done.declared.names if name != text and name in fields]
    return make_entry([*map(done.of, (text, *others))], doc_id, new_id, entries, form)


def make_record(
    done: Done, doc_id: Any, fields: Mapping[str, Any], offsets: bool = True
) -> tuple[dict[str, Any], list[str]]:
    """The JSON object of a record, and the names of the fields that were changed.

    A single text is called `text`, several have the names that they had.

    offsets (bool): Whether spans have their places in the original text.
    """
    cleaner, texts = done.cleaner, done.declared.texts
    new_id = cleaner.clean_id(doc_id)
    changed = ["doc_id"] if new_id != doc_id else []
    people = done.result.people
    single = texts[0] if len(texts) == 1 else None
    own = {
        "doc_id": new_id,
        "text": done.values.get(single or ""),
        "spans": show_spans(done, offsets),
        "epsilon": done.result.epsilon,
        # Exact ones would tell the quasi identifiers to who has the counts.
        **{name: magnitude(k) for name, k in people.items()},
    }
    out = own if single else {k: v for k, v in own.items() if k != "text"}
    values = {k: v for k, v in done.values.items() if k != single and k in fields}
    taken = {*OUTPUT_FIELDS, *people, *values, single}
    names = _new_names(done, fields)
    for name, value in fields.items():
        if name in values:
            out[name] = values[name]
        if name in taken:
            continue
        new_name = names[name]
        new = cleaner.clean_field(name, value, new_name)
        if new != value or new_name != name:
            changed.append(new_name)
        out[new_name] = new
    return out, changed


def _new_names(done: Done, fields: Iterable[str]) -> dict[str, str]:
    """What the fields of a JSON object are called in the output: no two alike, and none
    like one of the output's own."""
    taken = {*OUTPUT_FIELDS, *done.result.people, *done.declared.names}
    return done.cleaner.new_names([name for name in fields if name not in taken], taken)


def make_row(
    done: Done, fields: Mapping[str, Any], names: Mapping[str, str] = {}
) -> dict[str, Any]:
    """The cells of a row of a table.

    fields (Mapping[str, Any]): What it was.
    names (Mapping[str, str]): What its columns are called in the output.
    """
    clean, values = done.cleaner.clean_field, done.values
    left = {k: v for k, v in fields.items() if k not in values}
    others = {k: clean(k, v, names.get(k, k)) for k, v in left.items()}
    return {name: values[name] if name in values else others[name] for name in fields}


def show_spans(
    done: Done, offsets: bool = True, joined: bool = False, every: bool = False
) -> list[dict[str, Any]]:
    """Entries of `spans` whose reasons hold nothing masked.

    joined (bool): By their places in the fields together, not in each field.
    every (bool): Those of fields that nobody declared, too.
    """
    pairs = zip(done.spans, done.result.spans) if every else done.declared_spans()
    return [_marked(pair[joined], done.cleaner, offsets) for pair in pairs]


def _marked(span: dict, cleaner: FieldCleaner, offsets: bool) -> dict[str, Any]:
    words = (name for name in ("found", "reasons") if name in span)
    hidden = () if offsets else ("start", "end")
    out = {name: value for name, value in span.items() if name not in hidden}
    return {**out, **{name: cleaner.mark(span[name]) for name in words}}


def audit_record(doc_id: Any, where: str, done: Done) -> dict[str, Any]:
    """A line of the audit file: originals, and all that is known of each decision."""
    record = done.result
    surrogates = {(r.start, r.end): r.surrogate for r in record.replacements}
    spans: list[dict[str, Any]] = []
    kept: list[dict[str, Any]] = []
    for span, placed in zip(record.spans, done.spans, strict=True):
        start, end = place = span["start"], span["end"]
        names = ("field", "start", "end", "label")
        row = {name: placed[name] for name in names if name in placed}
        row["text"] = done.text[start:end]
        if place in surrogates:
            row["surrogate"] = surrogates[place]
        row |= {"decision": span["decision"], **record.explanations[place]}
        row.pop("told", None)
        (spans if place in surrogates else kept).append(row)
    ids = {"doc_id": doc_id, "new_doc_id": done.cleaner.clean_id(doc_id)}
    return {**ids, "where": where, "spans": spans, "kept": kept, **record.people}
