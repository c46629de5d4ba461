"""What the vault keeps of a document: all that its de-identified form does not say."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..text.offsets import splice
from .finder import Edit
from .store import DOC, NewRow, encode

# The entry of a field: its name in the input, and
TEXT = "text"  # it is the text;
MASKED = "masked"  # name it has in the output, absent if it has none;
DIGEST = "digest"  # hash of the output's value;
VALUE = "value"  # the input's value, absent if it is in the output unchanged.
NAME = "name"
Replaced = tuple[str, str, Iterable[tuple[int, int, str]]]


class KnownDoc(NamedTuple):
    """A document of the vault.

    doc_id (Any): The original id.
    new_id (Any): The id after de-identification.
    text (str): The de-identified text.
    edits (list[Edit]): What stood in place of its surrogates.
    fields (list[dict]): The fields of the original record, in order.
    form (str): Kind of file that it was written to.
    others (list): The same as text and edits, of its other declared fields.
    """

    doc_id: Any
    new_id: Any
    text: str
    edits: list[Edit]
    fields: list[dict[str, Any]]
    form: str
    others: Sequence[tuple[str, list[Edit]]] = ()

    def original(self) -> str:
        """The original text."""
        return splice(self.text, self.edits)


def hash_text(text: str) -> bytes:
    """Hash of a text."""
    return hashlib.sha256(encode(text)).digest()


def hash_value(value: Any) -> str:
    """Hash of a value of a record."""
    return hash_text(json.dumps(value)).hex()[:16]


def make_entry(
    texts: Sequence[Replaced],
    doc_id: Any,
    new_id: Any,
    fields: list[dict[str, Any]],
    form: str = "txt",
) -> NewRow:
    """Gather what is needed to restore a document.

    texts (Sequence): Its text and other declared fields, each with the original, the
        de-identified text, and start and end in the original and surrogate, in order.
    doc_id (Any): The original id.
    new_id (Any): The id after de-identification.
    fields (list[dict]): As `field_entries` gives them.
    form (str): Kind of file that it is written to.
    RETURNS (NewRow): For the vault.
    RAISES (ValueError): If the text would not come back.
    """
    (masked, edits), *others = map(_edited, texts)
    doc = KnownDoc(doc_id, new_id, masked, edits, fields, form, others)
    data = encode(json.dumps(doc, ensure_ascii=False))
    return NewRow(DOC, str(new_id), hash_text(masked), zlib.compress(data, 1))


def _edited(replaced: Replaced) -> tuple[str, list[Edit]]:
    """A de-identified text, and what stood in place of its surrogates."""
    original, masked, replacements = replaced
    edits = []
    shift = 0
    for start, end, surrogate in replacements:
        new_end = start + shift + len(surrogate)
        edits.append(Edit(start + shift, new_end, original[start:end]))
        shift = new_end - end
    if splice(masked, edits) != original:
        raise ValueError("the vault could not give the text back")
    return masked, edits


def read_doc(data: bytes) -> KnownDoc:
    """Read what `make_entry` wrote."""
    doc = KnownDoc(*json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass")))
    others = [(text, [Edit(*edit) for edit in edits]) for text, edits in doc.others]
    return doc._replace(edits=[Edit(*edit) for edit in doc.edits], others=others)


def field_entries(
    fields: Mapping[str, Any],
    text_field: str,
    row: Mapping[str, Any],
    own: Collection[str] = (),
    names: Mapping[str, str] = {},
    left_out: Collection[str] = (),
) -> list[dict[str, Any]]:
    """What the output does not say about the fields of a record."""
    out: list[dict[str, Any]] = []
    taken = set(own)
    for name, value in fields.items():
        if name == text_field:
            out.append({NAME: name, TEXT: True})
            continue
        new_name = name if name in own else names.get(name, name)
        entry = {NAME: name}
        out.append(entry)
        again = new_name in taken and not name == new_name == "doc_id"
        if name in left_out or again:
            entry[VALUE] = value
            continue
        taken.add(new_name)
        # Cleaning keeps the type of what it does not change.
        new = row[new_name]
        if new_name != name or type(new) is not type(value) or new != value:
            entry |= {MASKED: new_name, DIGEST: hash_value(new), VALUE: value}
    return out
