"""Fields that hold text or names although nobody has declared them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from spacy.language import Language
from spacy.tokens import Doc

from ..schema import DIRECT, MASK_KEY, PII_KEY
from .paths import is_below, is_plain, leaves, parts_of_path
from .process import detectors_of
from .recognised import kind_of

T = TypeVar("T")
# What is looked at: enough to tell what a column is for.
MAX_RECORDS, MAX_VALUES, MAX_CHARS = 200, 5, 300
# From this many words on a value is text.
TEXT_WORDS = 6


class Undeclared:
    """Looks at the fields of the first records that are not declared.

    declared (Collection[str]): Names of the fields that need no look.
    """

    def __init__(self, declared: Collection[str]) -> None:
        self.declared = set(declared)
        self.values: dict[str, dict[str, None]] = {}
        self.n = 0

    def add(self, fields: Mapping[str, Any]) -> None:
        """Take values of a record."""
        self.n += 1
        if self.n > MAX_RECORDS:
            return
        for path, value in leaves(fields):
            if not isinstance(value, str) or is_below(path, self.declared):
                continue
            if kind_of(path, value):
                continue
            name = ".".join(p for p in parts_of_path(path) if not p.isdecimal())
            known = self.values.setdefault(name if path not in fields else path, {})
            if len(known) < MAX_VALUES and any(map(str.isalpha, value)):
                known[value[:MAX_CHARS]] = None

    def watch(
        self, items: Iterable[T], fields: Callable[[T], Mapping[str, Any]]
    ) -> Iterator[T]:
        """The same items, looked at as they pass by."""
        for item in items:
            self.add(fields(item))
            yield item

    def find(self, nlp: Language) -> list[str]:
        """The fields with text or names, by name; those whose own name is masked by
        their number."""
        out = []
        for i, (name, values) in enumerate(self.values.items(), 1):
            if any(len(v.split()) >= TEXT_WORDS for v in values) or _names(nlp, values):
                out.append(told_field(nlp, name) or f"field {i}")
        return out


def told_field(nlp: Language, name: str) -> str:
    """A field's name for a message; "" if it may be somebody's."""
    return name if is_plain(name) or not _names(nlp, [name]) else ""


def _names(nlp: Language, values: Iterable[str]) -> bool:
    """Whether somebody is named in most of some values, or a direct identifier is."""
    with detectors_of(nlp), nlp.memory_zone():
        named = [_is_named(doc) for doc in nlp.pipe(values)]
    return 2 * sum(named) > len(named)


def _is_named(doc: Doc) -> bool:
    groups = [doc.spans[key] for key in (PII_KEY, MASK_KEY) if key in doc.spans]
    return any(s.label_ in ("PERSON", DIRECT) for group in groups for s in group)


def warning_of(names: list[str]) -> str:
    """What is said of such fields; "" if there are none."""
    if not names:
        return ""
    problem = "Fields with text or names that nobody declared, of which only what is "
    return f"{problem}masked in the declared ones was taken out: {', '.join(names)}"
