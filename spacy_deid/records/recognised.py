"""Fields that identify a person by themselves, told by their names and values.

A record is looked at by itself, so that streams, processes and clusters agree: the name of
a field, or the path to what is in it, says what it may be (`data/record_fields.tsv`), and
its value whether it is.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from ..gazetteers.lexicon import FAMILY, GIVEN, LOWER, load_lexicon
from ..gazetteers.names import is_full_name, is_name
from ..text.fields import HUMP, kind_of_words, words_of_field
from .cells import PLAIN, as_text, is_encodable
from .declared import OUTPUT_FIELDS, Declared
from .paths import is_below, is_plain, leaves, parts_of_path

# Words of a person's name, and characters of any value, at most.
MAX_WORDS, MAX_CHARS = 6, 100
_EMAIL = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+\.[^\W\d_]{2,}")
_PHONE = re.compile(
    r"[-+()./\s\d]*?(?:\d[-+()./\s]*){6,15}(?:\s*(?:x|ext\.?)\s*\d{1,6})?"
)
_NAME = re.compile(r"[^\W\d_][^\d@/\\:_<>{}\[\]=]*")
_IDS = frozenset(["id", "ids", "uid", "uuid", "guid", "identifier"])
# Words of an id: written in one case, with a vowel, between signs.
_ID_WORD = re.compile(
    r"(?<![^\W_])(?i:(?=[^\W\d_]*[aeiouyäöüáéíóúаеиоуыэюя]))"
    r"(?:[^\W\d_][^\W\d_A-ZА-Я]{2,}|[A-ZÄÖÜА-Я]{3,})(?![^\W_])"
)
# Letters of an id's word that is a name, and that no dictionary has, at least.
MIN_NAME, MIN_UNKNOWN = 4, 5
NAME, UNKNOWN = "name", "unknown"


def _is_name(text: str) -> bool:
    return len(text.split()) <= MAX_WORDS and bool(_NAME.fullmatch(text))


def _is_known(text: str) -> bool:
    """Whether all words are names that a list has, or that no dictionary has."""
    if not (words := re.findall(r"[^\W\d_]{2,}", text)) or not _is_name(text):
        return False
    return all(is_name(w) or (len(words) > 1 and _may_be_name(w)) for w in words)


def _may_be_name(word: str) -> bool:
    known = load_lexicon("en").class_of(word.lower())
    is_word = known & LOWER or (known and not known & (GIVEN | FAMILY))
    return word[0].isupper() and not is_word


def holds_name(value: str) -> bool:
    """Whether an id is made of somebody's full name ("robert.murray", "note-JohnBaker-2"):
    told by the id alone, so that it is the same in all records. Two words side by side,
    one a name and the other a name or in no dictionary."""
    for first, second in pairwise([*_ID_WORD.finditer(HUMP.sub(" ", value))]):
        if first.end() + 1 != second.start():
            continue
        kinds = {_id_word(first[0]), _id_word(second[0])}
        full = is_full_name(f"{first[0]} {second[0]}")
        if full or kinds in ({NAME}, {NAME, UNKNOWN}):
            return True
    return False


def _id_word(word: str) -> str:
    if (known := load_lexicon("en").class_of(word.lower())) & LOWER:
        return ""
    if len(word) >= MIN_NAME and (is_name(word) or known & (GIVEN | FAMILY)):
        return NAME
    return "" if known or len(word) < MIN_UNKNOWN else UNKNOWN


@lru_cache(maxsize=2**14)
def is_id_name(path: str) -> bool:
    """Whether what is at a path is called an id: "patient_id", "visit.uid"."""
    words = _words(path)
    return bool(words and words[-1]) and words[-1][-1] in _IDS


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


FORMS: dict[str, Callable[[str], bool]] = {
    "name": _is_name,
    "known": _is_known,
    "full": lambda text: len(text.split()) > 1 and _is_known(text),
    "email": lambda text: bool(_EMAIL.fullmatch(text)),
    "phone": lambda text: bool(_PHONE.fullmatch(text)),
    "date": _has_digit,
    "code": _has_digit,
}


def _words(name: str) -> list[list[str]]:
    """The words of each name on a path, what is the name of a list in the singular."""
    parts = parts_of_path(name)
    out = []
    for part, following in zip(parts, [*parts[1:], ""]):
        words = words_of_field(part)
        if following.isdecimal() and words and not words[-1].endswith("ss"):
            words[-1] = words[-1].removesuffix("s")
        if not part.isdecimal():
            out.append(words)
    return out


@lru_cache(maxsize=2**14)
def kind_of_name(name: str) -> tuple[str, str] | None:
    """What the name of a field, or a path, says of its values: their type and form, None
    for nothing. `patientName`, `PATIENT_NAME`, `Patient name` and `patients.0.name` are
    one name. Where the whole path says nothing, its end does."""
    words = _words(name)
    for i in range(len(words)):
        if found := kind_of_words([word for part in words[i:] for word in part]):
            # "name" alone, of nobody knows what.
            return found[0], found[1].replace("known", "full") if i else found[1]
    return None


def kind_of(name: str, value: Any) -> str:
    """The type or subtype that a field of a record is recognised as; "" for none."""
    if isinstance(value, bool) or not isinstance(value, (str, *PLAIN)):
        return ""
    type_, form = kind_of_name(name) or ("", "")
    # A number that is named like nothing is not even written out.
    if not form and not isinstance(value, str):
        return ""
    text = as_text(value).strip()
    if not text or len(text) > MAX_CHARS or not is_encodable(text):
        return ""
    if FORMS["email"](text):
        return "EMAIL"
    dated = isinstance(value, (datetime.date, datetime.time))
    if not form or (dated and form != "date"):
        return ""
    return type_ if FORMS[form](text) else ""


def recognise(declared: Declared, fields: Mapping[str, Any]) -> Declared:
    """What is declared of a record, and the other fields that are recognised.

    fields (Mapping[str, Any]): The record.
    """
    others = (*declared.known, *OUTPUT_FIELDS)
    kinds = [(path, kind_of(path, value)) for path, value in leaves(fields)]
    found = {k: kind for k, kind in kinds if kind and not is_below(k, others)}
    if not found:
        return declared
    return replace(declared, types={**declared.types, **found}, recognised=tuple(found))


def told_name(path: str, kind: str) -> str:
    """What a recognised field is called in a message: its path without numbers, its type
    if there may be text in it."""
    names = [part for part in parts_of_path(path) if not part.isdecimal()]
    known = kind_of_words([word for part in _words(path) for word in part])
    return ".".join(names) if known or is_plain(path) else kind
