"""Reads lines of a Wikidata dump: entities, their statements, labels and aliases.

Two jobs, one for each pass: `CountJob` counts the people who bear each value, and
`LabelJob` takes the labels of values. Both tell by its bytes that a line can't matter,
and parse only the others.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from .dump_file import MAX_LINE, Chunk
from .values import (
    CITIZENSHIP,
    COUNTRY_CLASSES,
    DEMONYM,
    HUMAN,
    INSTANCE_OF,
    TERM_DATATYPES,
)

T = TypeVar("T")

# Wikibase allows no more.
MAX_ITEM = 2**31 - 1
_ITEM = re.compile(r"Q([1-9]\d{0,9})")
_ENTITY = re.compile(r"[A-Z][1-9]\d*")
_RANKS = ("preferred", "normal", "deprecated")
# What stands around an entity on its line.
AROUND = b" \t\r,[]\x0b\x0c\xef\xbb\xbf"
# A letter or digit that is written as an escape hides from every search below.
_ESCAPED_ASCII = re.compile(rb"\\u00[2-7]")
# The id, where only scalars stand before it, as in all dumps since 2016.
_FIRST_ID = re.compile(
    rb'\{(?:"(?:type|title|modified|datatype)":"[^"\\]*",'
    rb'|"(?:pageid|ns|lastrevid)":\d+,)*"id":"(?:Q(\d+)|[A-Z]\d+)",'
)
_ANY_ID = re.compile(rb'"id"\s*:\s*"Q(\d+)"')


class BrokenLine(ValueError):
    """A line that is no entity in the format of Wikidata's dumps."""


@dataclass
class Found:
    """What is found in some lines.

    lines (int): Lines with anything on them but brackets.
    broken (int): Broken lines among them.
    people (int): People.
    items (Counter[tuple[int, int]]): Property and item -> people.
    literals (Counter[tuple[int, str, str]]): Property, language and text -> people.
    not_terms (Counter[str]): Values that are no terms, by data type.
    countries (dict[int, str]): Item -> demonyms as JSON, pairs of language and text.
    labels (dict[int, str]): Item -> labels and aliases by language, as JSON.
    last (bytes): The last byte that is not blank.
    """

    lines: int = 0
    broken: int = 0
    people: int = 0
    items: Counter[tuple[int, int]] = field(default_factory=Counter)
    literals: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    not_terms: Counter[str] = field(default_factory=Counter)
    countries: dict[int, str] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)
    last: bytes = b""

    def add(self, other: Found) -> None:
        """Add what is found in other lines."""
        self.items.update(other.items)
        self.literals.update(other.literals)
        self.countries.update(other.countries)
        self.labels.update(other.labels)


def _expect(value: Any, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise BrokenLine
    return value


def _text(value: Any) -> str:
    text = _expect(value, str)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BrokenLine from None
    return text


def _table(entity: dict[str, Any], key: str) -> dict[str, Any]:
    """A table of an entity; PHP writes an empty one as a list."""
    return _expect(entity.get(key) or {}, dict)


def parse_entity(line: bytes) -> dict[str, Any]:
    """Read the entity on a line."""
    try:
        entity = json.loads(line.decode("utf8"))
    except (ValueError, RecursionError):
        raise BrokenLine from None
    if not _ENTITY.fullmatch(_expect(_expect(entity, dict).get("id"), str)):
        raise BrokenLine
    return entity


def item_number(id_: Any) -> int:
    """The number of an item."""
    if (match := _ITEM.fullmatch(_expect(id_, str))) is None:
        return 0
    number = int(match.group(1))
    if number > MAX_ITEM:
        raise BrokenLine
    return number


def best_snaks(claims: dict[str, Any], property_: str) -> Iterator[dict[str, Any]]:
    """The main snaks of the statements of the best rank."""
    ranked: dict[str, list[dict[str, Any]]] = {rank: [] for rank in _RANKS}
    for statement in _expect(claims.get(property_, []), list):
        # Dumps of the first years did without the rank of normal statements.
        rank = _expect(_expect(statement, dict).get("rank", "normal"), str)
        if rank not in ranked:
            raise BrokenLine
        ranked[rank].append(statement)
    for statement in ranked["preferred"] or ranked["normal"]:
        yield _expect(statement.get("mainsnak"), dict)


class SnakValue(NamedTuple):
    """The value of a snak.

    datatype (str): Data type of the property, or `somevalue`.
    value (Any): Number of an item, (language, text) of a literal, or what stands in
        the dump.
    """

    datatype: str
    value: Any


def read_snak(snak: dict[str, Any]) -> SnakValue | None:
    """Read the value of a snak."""
    kind = _expect(snak.get("snaktype"), str)
    if kind == "novalue":
        return None
    if kind == "somevalue":
        datatype = _text(snak.get("datatype", kind))
        return SnakValue(kind if datatype in TERM_DATATYPES else datatype, None)
    if kind != "value":
        raise BrokenLine
    datavalue = _expect(snak.get("datavalue"), dict)
    form, value = _expect(datavalue.get("type"), str), datavalue.get("value")
    # Old dumps lack the data type: the form of the value has to do.
    datatype = _text(snak.get("datatype", form))
    if form == "wikibase-entityid":
        entity = _expect(value, dict)
        if datatype == form:
            datatype = f"wikibase-{_text(entity.get('entity-type', 'item'))}"
        if datatype == "wikibase-item":
            return SnakValue(datatype, _item_of(entity))
    elif form == "string" and datatype == "string":
        return SnakValue(datatype, ("", _text(value)))
    elif form == "monolingualtext":
        pair = _expect(value, dict)
        texts = _text(pair.get("language")), _text(pair.get("text"))
        return SnakValue("monolingualtext", texts)
    # A value that fits no property of its type is no term either.
    return SnakValue(form if datatype in TERM_DATATYPES else datatype, value)


def _item_of(value: dict[str, Any]) -> int:
    # Dumps before 2016 have the number alone.
    number = item_number(value["id"]) if "id" in value else value.get("numeric-id")
    # True is a whole number, too, for Python.
    if type(number) is not int or not 0 < number <= MAX_ITEM:
        raise BrokenLine
    return number


def _values_of(claims: dict[str, Any], property_: str, datatype: str) -> set[Any]:
    """The values of a property that are of a data type."""
    values = map(read_snak, best_snaks(claims, property_))
    return {v.value for v in values if v is not None and v.datatype == datatype}


class CountJob:
    """The first pass: who bears which values, and which items are countries.

    properties (Iterable[str]): Properties to count.
    countries (bool): Whether countries are looked for.
    """

    def __init__(self, properties: Iterable[str], countries: bool):
        self.countries = countries
        self.asked = frozenset(properties)
        wanted = {*self.asked, *((CITIZENSHIP,) if countries else ())}
        self.properties = {id_: int(id_[1:]) for id_ in wanted}
        self.classes = {int(id_[1:]) for id_ in COUNTRY_CLASSES} if countries else set()
        self.human = int(HUMAN[1:])
        numbers = b"|".join(b"%d" % n for n in sorted({self.human, *self.classes}))
        self.needles = (
            re.compile(rb'"Q(?:%s)"' % numbers),
            re.compile(rb'-id"\s*:\s*(?:%s)(?![0-9])' % numbers),
            _ESCAPED_ASCII,
        )

    def may_matter(self, line: bytes) -> bool:
        """Whether a person or country may be on a line, told by its bytes."""
        return any(needle.search(line) for needle in self.needles)

    def read(self, line: bytes, found: Found, every: bool = False) -> None:
        """Count what is on a line, all or nothing."""
        if not every and not self.may_matter(line):
            return
        entity = parse_entity(line)
        number, claims = item_number(entity["id"]), _table(entity, "claims")
        if not number:
            return
        classes = _values_of(claims, INSTANCE_OF, "wikibase-item")
        values = self._terms_of(claims) if self.human in classes else None
        if not self.classes.isdisjoint(classes):
            demonyms = _values_of(claims, DEMONYM, "monolingualtext")
            found.countries[number] = json.dumps(sorted(demonyms))
        if values is not None:
            found.people += 1
            items, literals, not_terms = values
            found.items.update(items)
            found.literals.update(literals)
            found.not_terms.update(datatype for datatype, _ in not_terms)

    def _terms_of(
        self, claims: dict[str, Any]
    ) -> tuple[set[tuple[int, int]], set[tuple[int, str, str]], set[tuple[str, str]]]:
        items, literals, not_terms = set(), set(), set()
        for id_ in claims.keys() & self.properties.keys():
            number = self.properties[id_]
            for n, snak in enumerate(best_snaks(claims, id_)):
                if (value := read_snak(snak)) is None:
                    continue
                if value.datatype == "wikibase-item":
                    items.add((number, value.value))
                elif value.datatype in TERM_DATATYPES:
                    literals.add((number, *value.value))
                elif id_ in self.asked:
                    # Two unknown values are not known to be the same.
                    same = n if value.value is None else value.value
                    key = json.dumps([id_, same], sort_keys=True)
                    not_terms.add((value.datatype, key))
        return items, literals, not_terms


class LabelJob:
    """The second pass: labels and aliases of the values.

    languages (Iterable[str]): Languages.
    wanted (bytes): A bit for each item that is a value.
    """

    def __init__(self, languages: Iterable[str], wanted: bytes | bytearray):
        self.languages = tuple(languages)
        self.wanted = wanted

    def is_wanted(self, number: int) -> bool:
        """Whether an item is a value."""
        byte = number >> 3
        return byte < len(self.wanted) and bool(self.wanted[byte] >> (number & 7) & 1)

    def may_matter(self, line: bytes) -> bool:
        """Whether a value may be on a line, told by its bytes."""
        match = _FIRST_ID.match(line)
        if match is not None:
            return match[1] is not None and self.is_wanted(int(match[1][:11]))
        # The id is one of these, wherever it stands.
        return _ESCAPED_ASCII.search(line) is not None or any(
            self.is_wanted(int(match[1][:11])) for match in _ANY_ID.finditer(line)
        )

    def read(self, line: bytes, found: Found, every: bool = False) -> None:
        """Take the labels of a line."""
        if not self.may_matter(line):
            return
        entity = parse_entity(line)
        if (number := item_number(entity["id"])) and self.is_wanted(number):
            labels = self._labels_of(entity)
            found.labels[number] = json.dumps(labels, ensure_ascii=False)

    def _labels_of(self, entity: dict[str, Any]) -> dict[str, list[str]]:
        labels, aliases = _table(entity, "labels"), _table(entity, "aliases")
        out = {}
        for code in self.languages:
            texts = []
            if code in labels:
                texts.append(_text(_expect(labels[code], dict).get("value")))
            others = aliases.get(code) or []
            # PHP writes a list with a gap as an object.
            if isinstance(others, dict):
                others = list(others.values())
            for other in _expect(others, list):
                texts = texts or [""]
                texts.append(_text(_expect(other, dict).get("value")))
            if texts:
                out[code] = texts
        return out


Job = CountJob | LabelJob


def work(job: Job, chunk: Chunk) -> Found:
    """Read the lines of a chunk. Those of the first chunk are all parsed, so that the
    number of broken lines can be relied on; for the others this would take twice the
    time."""
    # The last byte that is not blank.
    found = Found(last=chunk.data[-64:].rstrip()[-1:])
    # Only the first pass counts broken lines.
    counted = int(isinstance(job, CountJob))
    for line in chunk.data.split(b"\n"):
        if not (entity := line.strip(AROUND)):
            continue
        found.lines += 1
        if entity[:1] != b"{" or entity[-1:] != b"}" or len(line) > MAX_LINE:
            found.broken += counted
            continue
        try:
            job.read(entity, found, every=chunk.start == 0)
        except BrokenLine:
            found.broken += counted
    return found
