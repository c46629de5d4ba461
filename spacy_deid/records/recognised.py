"""Fields that identify a person by themselves, told by their names and values.

A record is looked at by itself, so that streams, processes and clusters agree: the name of
a field says what it may be (`data/record_fields.tsv`), and its value whether it is.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from ..data import table
from ..gazetteers.names import is_name
from .cells import PLAIN, as_text, is_encodable
from .declared import OUTPUT_FIELDS, Declared

# Words of a person's name, and characters of any value, at most.
MAX_WORDS, MAX_CHARS = 6, 100
_EMAIL = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+\.[^\W\d_]{2,}")
_PHONE = re.compile(
    r"[-+()./\s\d]*?(?:\d[-+()./\s]*){6,15}(?:\s*(?:x|ext\.?)\s*\d{1,6})?"
)
_NAME = re.compile(r"[^\W\d_][^\d@/\\:_<>{}\[\]=]*")
_HUMP = re.compile(r"(?<=[a-zа-яß])(?=[A-ZА-Я])")
_OWNER = "*"


def _is_name(text: str) -> bool:
    return len(text.split()) <= MAX_WORDS and bool(_NAME.fullmatch(text))


def _is_known(text: str) -> bool:
    words = re.findall(r"[^\W\d_]{2,}", text)
    return _is_name(text) and bool(words) and all(map(is_name, words))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


FORMS: dict[str, Callable[[str], bool]] = {
    "name": _is_name,
    "known": _is_known,
    "email": lambda text: bool(_EMAIL.fullmatch(text)),
    "phone": lambda text: bool(_PHONE.fullmatch(text)),
    "date": _has_digit,
    "code": _has_digit,
}


@cache
def _tables() -> tuple[dict[str, tuple[str, str]], frozenset[str]]:
    """Type and form by the words of a field's name; the words that say whose it is."""
    kinds: dict[str, tuple[str, str]] = {}
    owners: set[str] = set()
    for row in table("record_fields"):
        words = row["words"].split("|")
        if row["type"] == _OWNER:
            owners.update(words)
        else:
            kinds.update(dict.fromkeys(words, (row["type"], row["form"])))
    return kinds, frozenset(owners)


@cache
def kind_of_name(name: str) -> tuple[str, str] | None:
    """What the name of a field says of its values: their type and form, None for
    nothing. `patientName`, `PATIENT_NAME` and `Patient name` are one name."""
    kinds, owners = _tables()
    words = re.findall(r"[^\W_]+", _HUMP.sub(" ", name).lower())
    if " ".join(words) in kinds:
        return kinds[" ".join(words)]
    for i in range(1, len(words)):
        if " ".join(words[:i]) in owners:
            found = kinds.get(" ".join(words[i:]))
            # Whose name it is leaves no doubt what it is.
            return found and (found[0], found[1].replace("known", "name"))
    return ("PERSON", "known") if " ".join(words) in owners else None


def kind_of(name: str, value: Any) -> str:
    """The type or subtype that a field of a record is recognised as; "" for none."""
    if isinstance(value, bool) or not isinstance(value, (str, *PLAIN)):
        return ""
    text = as_text(value).strip()
    if not text or len(text) > MAX_CHARS or not is_encodable(text):
        return ""
    if isinstance(value, str) and FORMS["email"](text):
        return "EMAIL"
    type_, form = kind_of_name(name) or ("", "")
    dated = isinstance(value, (datetime.date, datetime.time))
    if not form or (dated and form != "date"):
        return ""
    return type_ if FORMS[form](text) else ""


def recognise(
    declared: Declared, fields: Mapping[str, Any], kept: Collection[str] = ()
) -> Declared:
    """What is declared of a record, and the other fields that are recognised.

    fields (Mapping[str, Any]): The record.
    kept (Collection[str]): Names of fields that stay, whatever they are.
    """
    found = {}
    for name, value in fields.items():
        if name in declared.names or name in kept or name in OUTPUT_FIELDS:
            continue
        if kind := kind_of(name, value):
            found[name] = kind
    if not found:
        return declared
    types = {**declared.types, **found}
    return replace(declared, types=types, recognised=tuple(found))
