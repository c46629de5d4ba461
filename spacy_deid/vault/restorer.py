"""From what the vault knows to the original document."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from .entries import (
    DIGEST,
    MASKED,
    NAME,
    TEXT,
    VALUE,
    KnownDoc,
    hash_text,
    hash_value,
    read_doc,
)
from .finder import CACHED_DOCS, Restored, Surrogates
from .store import Row, Vault

# Fields that only `run` writes.
OWN_FIELDS = ("doc_id", "spans", "epsilon", "deid_k", "deid_k_left")
EXACT, SEARCHED, UNKNOWN = "exact", "searched", "unknown"
Known = tuple[Row, KnownDoc]


class RestoredDoc(NamedTuple):
    """A document that was restored as far as it could be.

    text (str): The text.
    record (dict): All fields, in the original's order, the text included.
    cells (dict): The same by their names in the masked record, which are a table's
        columns.
    status (str): `EXACT`: the masked text was unchanged; `SEARCHED`: surrogates were
        looked for; `UNKNOWN`: neither the text nor any surrogate in it is known.
    n (int): Originals put back.
    left (list): Start and end, in the masked text, of surrogates that stand for
        several originals and were left.
    left_fields (list[str]): Other fields with such surrogates.
    missing (int): Surrogates of the document that stand nowhere in its edited text.
    """

    text: str
    record: dict[str, Any]
    cells: dict[str, Any]
    status: str
    n: int
    left: list[tuple[int, int]]
    left_fields: list[str]
    missing: int = 0


class Restorer:
    """Restores documents one by one.

    vault (Vault): Opened and verified.
    """

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._read = lru_cache(CACHED_DOCS)(lambda seq: read_doc(vault.get(seq).data))
        self._everything: Surrogates | None = None

    def candidates(self, doc_id: Any, text: str) -> list[Known]:
        """The documents whose masked text is this one."""
        rows = self.vault.find(text=hash_text(text))
        known = [(row, read_doc(row.data)) for row in rows]
        if doc_id is not None:
            # A program may have made a string of a number.
            for key in (hash_value, str):
                if same := [k for k in known if key(k[1].new_id) == key(doc_id)]:
                    return same
        return known

    def restore(
        self,
        doc_id: Any,
        text: str,
        fields: Mapping[str, Any],
        text_field: str,
        ordinal: Callable[[], int | None] = lambda: None,
        form: str = "jsonl",
        made_id: Any = None,
    ) -> RestoredDoc:
        """Restore a document."""
        if known := self.candidates(doc_id, text):
            known = _narrow(known, fields, ordinal, form, made_id)
            doc = _agreed(known, _content)
            if (same := _agreed(known, KnownDoc.original)) is not None:
                found = Restored(same.original(), len(same.edits), [])
                return self._finish(found, EXACT, known, doc, fields, text_field)
        else:
            rows = [] if doc_id is None else self.vault.find(doc=str(doc_id))
            known = [(row, read_doc(row.data)) for row in rows]
            # For the fields: the text may be that of any of them.
            likely = _narrow(known, fields, lambda: None, form, None)
            doc = _agreed(likely, _content)
        found = Restored(text, 0, [])
        missing = 0
        if known:
            found = self._surrogates(known, whole=False).restore(text)
            missing = found.missing if doc is not None else 0
        if not found.n and not found.left:
            found = self._all().restore(text)
        found = found._replace(missing=missing)
        status = SEARCHED if known or found.n or found.left else UNKNOWN
        return self._finish(found, status, known, doc, fields, text_field)

    def _surrogates(self, known: list[Known], whole: bool = True) -> Surrogates:
        """The surrogates of some documents, those of all their fields or of the text."""
        docs = {row.seq: doc for row, doc in known}
        surrogates = Surrogates(lambda place: _texts(docs[place[0]], place[1]), False)
        for seq, doc in docs.items():
            _add(surrogates, seq, doc, whole)
        return surrogates

    def _all(self) -> Surrogates:
        """The surrogates of the whole vault."""
        if self._everything is None:
            every = Surrogates(lambda p: _texts(self._read(p[0]), p[1]), strict=True)
            for row in self.vault.read_all():
                _add(every, row.seq, read_doc(row.data), whole=True)
            self._everything = every
        return self._everything

    def _finish(
        self,
        found: Restored,
        status: str,
        known: list[Known],
        doc: KnownDoc | None,
        fields: Mapping[str, Any],
        text_field: str,
    ) -> RestoredDoc:
        """Restore the other fields of a record."""
        left: list[str] = []
        if doc is None:
            # Which of the known records it was nobody can say.
            left = sorted({e[NAME] for _, d in known for e in d.fields if MASKED in e})
        surrogates = cache(lambda: self._surrogates(known) if known else self._all())

        def search(name: str, value: Any) -> Any:
            def restore(text: str) -> str:
                found = surrogates().restore(text)
                ambiguous.extend(found.left)
                return found.text

            ambiguous: list[tuple[int, int]] = []
            new = _search(restore, value)
            left.extend([name] if ambiguous else [])
            return new

        record: dict[str, Any] = {}
        cells: dict[str, Any] = {}
        if doc is not None:
            record, cells = _known_fields(doc, fields, found.text, search)
        cells[text_field] = found.text
        for name, value in fields.items():
            if name in cells:
                continue
            # What `run` added to the record, or says of the masked text, is no field.
            if name in OWN_FIELDS:
                cells[name] = doc.doc_id if doc and name == "doc_id" else value
            else:
                cells[name] = search(name, value)
                record.setdefault(name, cells[name])
        if doc is None:
            record = {name: cells[name] for name in fields}
        new, n, places, missing = found
        return RestoredDoc(new, record, cells, status, n, places, left, missing)


def _texts(doc: KnownDoc, number: int) -> str:
    """The text of a document, or of another of its declared fields."""
    return doc.others[number - 1][0] if number else doc.text


def _add(surrogates: Surrogates, seq: int, doc: KnownDoc, whole: bool) -> None:
    texts = [(doc.text, doc.edits), *(doc.others if whole else ())]
    for number, (text, edits) in enumerate(texts):
        surrogates.add((seq, number), text, edits)


def _known_fields(
    doc: KnownDoc,
    fields: Mapping[str, Any],
    text: str,
    search: Callable[[str, Any], Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of a known record by their names, and by those in the masked one."""
    if not doc.fields:
        # The original was a text without fields.
        return {"doc_id": doc.doc_id, "text": text}, {"doc_id": doc.doc_id}
    record: dict[str, Any] = {}
    cells: dict[str, Any] = {}
    for entry in doc.fields:
        name = entry[NAME]
        masked = entry.get(MASKED, None if VALUE in entry else name)
        if entry.get(TEXT):
            record[name] = text
        elif masked is None:
            record[name] = entry[VALUE]
        elif masked in fields:
            value = fields[masked]
            if VALUE in entry:
                same = hash_value(value) == entry[DIGEST]
                value = entry[VALUE] if same else search(name, value)
            record[name] = cells[masked] = value
    return record, cells


def _narrow(
    known: list[Known],
    fields: Mapping[str, Any],
    ordinal: Callable[[], int | None],
    form: str,
    made_id: Any,
) -> list[Known]:
    """Tell documents apart that have the same masked text."""
    # One document may have been written in several forms, with other fields each.
    for fits in (
        lambda doc: doc.form == form,
        lambda doc: _names(doc) == set(fields).difference(OWN_FIELDS),
        lambda doc: _fits(doc, fields),
    ):
        if _agreed(known, _content) is None:
            known = [k for k in known if fits(k[1])] or known
    if _agreed(known, _content) is None:
        number = ordinal()
        known = [k for k in known if k[0].ordinal == number] or known
        # Of files of one folder that are the same so far, the one of this name.
        if number is not None and _agreed(known, _content) is None:
            known = [k for k in known if k[1].doc_id == made_id] or known
    return known


def _names(doc: KnownDoc) -> set[str]:
    """Names of the fields of the masked record, without those that `run` adds."""
    return {
        "text" if doc.form == "jsonl" and entry.get(TEXT) else entry.get(MASKED, name)
        for entry in doc.fields
        if (name := entry[NAME]) and (MASKED in entry or VALUE not in entry)
    }.difference(OWN_FIELDS)


def _fits(doc: KnownDoc, fields: Mapping[str, Any]) -> bool:
    """Whether the masked values of a document are those of a record."""
    rows = [(e[MASKED], e[DIGEST]) for e in doc.fields if MASKED in e]
    return all(name in fields and hash_value(fields[name]) == d for name, d in rows)


def _content(doc: KnownDoc) -> str:
    return json.dumps([doc.doc_id, doc.original(), doc.fields])


def _agreed(known: list[Known], key: Callable[[KnownDoc], str]) -> KnownDoc | None:
    """One of several documents if they are the same."""
    if len(known) > 1 and len({key(doc) for _, doc in known}) > 1:
        return None
    return known[0][1] if known else None


def _search(restore: Callable[[str], str], value: Any) -> Any:
    """Restore the strings of a value."""
    if isinstance(value, str):
        return restore(value)
    if isinstance(value, Mapping):
        return {name: _search(restore, item) for name, item in value.items()}
    if isinstance(value, list):
        return [_search(restore, item) for item in value]
    return value
