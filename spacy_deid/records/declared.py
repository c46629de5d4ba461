"""What a user says of the fields of records: which are text, which are of one type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from spacy.tokens import Doc

from ..data import table
from ..risk.profiles import known_types
from ..schema import SEMANTIC_TYPES, text_of
from ..text.fields import fields_in, separator_for
from ..text.offsets import Offsets, to_new
from .cells import PLAIN, as_text, is_empty, is_encodable
from .paths import has_path, value_at

TEXT = "text"
# Names that the output has for its own.
OUTPUT_FIELDS = ("doc_id", "text", "spans", "epsilon")
CODE, ID = "CODE", "ID"


def read_type(name: str) -> tuple[str, str]:
    """Type and subtype by the name of either.

    RAISES (ValueError): If there is none of this name.
    """
    if name in SEMANTIC_TYPES:
        return name, ""
    if name not in known_types():
        raise ValueError(f"{name!r} is no type: use {', '.join(sorted(known_types()))}")
    for row in table("surrogate_kinds"):
        if name in row["subtypes"].split():
            kind = row["kind"]
            return (kind if kind in SEMANTIC_TYPES else "DEM"), name
    return CODE, name


@dataclass(frozen=True)
class Declared:
    """The fields of a record that are de-identified.

    texts (tuple[str, ...]): Fields of running text.
    types (Mapping[str, str]): Fields whose value is one thing, and its type or subtype:
        `{"name": "PERSON", "patient.mail": "EMAIL"}`. A path leads to what is in one.
    ids (tuple[str, ...]): Fields that are ids: of the type `ID`.
    recognised (tuple[str, ...]): Those of them that nobody has declared; see
        `recognised.py`.
    id_field (Optional[str]): Field with the id of the record.
    subject (Optional[str]): Field with the id of the person that it is about, if dates of
        one person are to move by the same interval.
    kept (tuple[str, ...]): Fields that stay, whatever they seem to be.
    """

    texts: tuple[str, ...] = (TEXT,)
    types: Mapping[str, str] = field(default_factory=dict, hash=False)
    ids: tuple[str, ...] = ()
    recognised: tuple[str, ...] = ()
    id_field: str | None = None
    subject: str | None = None
    kept: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if ids := [name for name, kind in self.types.items() if kind == ID]:
            types = {name: kind for name, kind in self.types.items() if kind != ID}
            object.__setattr__(self, "ids", (*self.ids, *ids))
            object.__setattr__(self, "types", types)
        for name, kind in self.types.items():
            read_type(kind)
            if name in self.texts:
                raise ValueError("a field is declared as a text and as of a type")
        if not self.texts and not self.types:
            raise ValueError("no field of text is declared")
        if len(set(self.texts)) < len(self.texts):
            raise ValueError("a field of text is declared twice")

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.texts, *self.types)

    @property
    def own(self) -> tuple[str, ...]:
        """The fields that somebody has declared."""
        return tuple(name for name in self.names if name not in self.recognised)

    @property
    def id_fields(self) -> tuple[str, ...]:
        """The fields that are ids."""
        return (*filter(None, (self.id_field, self.subject)), *self.ids)

    @property
    def known(self) -> tuple[str, ...]:
        """All fields of which somebody has said something."""
        return (*self.own, *self.id_fields, *self.kept)

    def id_of(self, record: Mapping[str, Any]) -> Any:
        """The id of a record, None if it has none."""
        return record.get(self.id_field or "")

    def missing(self, record: Mapping[str, Any]) -> str | None:
        """A declared field that a record does not have."""
        return next((name for name in self.names if not has_path(record, name)), None)

    def check(self, record: Mapping[str, Any]) -> str:
        """What is wrong with the declared fields of a record; "" if nothing is."""
        for name in self.names:
            if is_empty(value := value_at(record, name)):
                continue
            if name in self.texts and not isinstance(value, str):
                return f"field '{name}' is not a string"
            if not isinstance(value, (str, *PLAIN)) or isinstance(value, bool):
                return f"field '{name}' is no single value"
            if isinstance(value, str) and not is_encodable(value):
                return f"field '{name}' holds half of a surrogate pair"
        subject = 1 if self.subject is None else record.get(self.subject)
        if subject is None or subject == "":
            return f"field '{self.subject}' (--subject-field) is missing or empty"
        if isinstance(subject, bool) or not isinstance(subject, str | int):
            problem = "is neither a string nor a number"
            return f"field '{self.subject}' (--subject-field) {problem}"
        return ""

    def cells(self, record: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
        """Name, text, type and subtype of the declared fields that are not empty."""
        typed = {name: read_type(kind) for name, kind in self.types.items()}
        values = [(name, value_at(record, name)) for name in self.names]
        filled = [(k, as_text(value)) for k, value in values if not is_empty(value)]
        return [(name, text, *typed.get(name, ("", ""))) for name, text in filled]


class Part(NamedTuple):
    """A field's characters in the joined text and in the new one."""

    name: str
    start: int
    end: int
    new_start: int
    new_end: int


def parts_of(doc: Doc, names: Sequence[str], new: str, rows: Offsets) -> list[Part]:
    """Where the fields of a document are in its new text.

    names (Sequence[str]): Names of the fields.
    RAISES (ValueError): If a replacement goes beyond a field.
    """
    fields, text = fields_in(doc), text_of(doc)
    if not fields or len(names) == 1:
        return [Part(name, 0, len(text), 0, len(new)) for name in names]
    out: list[Part] = []
    separator = separator_for(text[f.start : f.end] for f in fields)
    for name, f in zip(names, fields, strict=True):
        end = to_new(rows, f.end)
        out.append(Part(name, f.start, f.end, to_new(rows, f.start), end))
    between = pairwise(out)
    inside = all(any(p.start <= a <= b <= p.end for p in out) for a, b, *_ in rows)
    if not inside or any(new[p.new_end : q.new_start] != separator for p, q in between):
        raise ValueError("a replacement goes beyond a field")
    return out


def placed(spans: Iterable[dict[str, Any]], parts: Sequence[Part]) -> list[dict]:
    """Entries of spans by their places in their fields, which they name."""
    out = []
    for span in spans:
        start, end = span["start"], span["end"]
        part = next(p for p in parts if p.start <= start and end <= p.end)
        origins = {"start": part.start, "end": part.start}
        origins |= {"new_start": part.new_start, "new_end": part.new_start}
        moved = {k: span[k] - origins[k] for k in origins if k in span}
        out.append({"field": part.name} | span | moved)
    return out
