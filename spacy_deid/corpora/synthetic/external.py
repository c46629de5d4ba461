"""Documents from an external generator, labelled by finding the values woven in.

Paper 5 (section 3.2) makes complete sets of personal data with Faker, asks a language
model to weave each into an essay, and labels what comes back. Here the writer is any
function from a record to a text: a call to a model, a lookup of texts written before,
a template. A document that lacks a value of its record would carry an unknown amount of
unlabelled data, so it is asked for again and left out in the end.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from ...data import table
from ...registries import registry
from .calendar import settings, write_date
from .grammar import PART_SUBTYPES, Part, Piece
from .names import name_parts
from .records import Made, Recipe, refuse, world_class
from .world import World

PersonRecord = dict[str, str]
Generator = Callable[[Mapping[str, str]], str]


class GeneratorError(TypeError):
    """A generator does not do what it should. The message holds nothing of a text."""


class Field(NamedTuple):
    """A field of a record of personal data: the form of a person that a world is asked
    for, its types, and how the value is found: "words" with any white space between,
    "name" also by its parts, "signs" with any separators between letters and digits,
    "date" in any format."""

    form: str
    type: str
    subtype: str
    ident: str
    match: str


FIELDS = {row["name"]: Field(*[*row.values()][1:]) for row in table("person_fields")}
# The seven of paper 5.
DEFAULT_FIELDS = tuple(FIELDS)[:7]


class PersonData(NamedTuple):
    """A complete set of personal data: the values of the fields, and their parts."""

    values: PersonRecord
    parts: dict[str, tuple[Part, ...]]
    birth_date: date


def make_person_data(
    i: int,
    seed: int = 0,
    locales: Sequence[str] = (),
    fields: Sequence[str] = DEFAULT_FIELDS,
    lang: str = "en",
) -> PersonData:
    """A complete set of personal data, the same for the same number and seed."""
    rng = random.Random(f"{seed}/person/{i}")
    world: World = world_class(lang)(rng, "email", locales)
    values, parts = {}, {}
    for name in fields:
        pieces = world.form_of("s", FIELDS[name].form)
        values[name] = "".join(piece.text for piece in pieces)
        parts[name] = pieces[0].parts
    person = world.person("s")
    if "name" in fields:
        parts["name"] = name_parts(person, values["name"], world.title_words())
    return PersonData(values, parts, person.born)


def make_person_records(
    n: int,
    locales: Sequence[str] = (),
    seed: int = 0,
    fields: Sequence[str] = DEFAULT_FIELDS,
    lang: str = "en",
) -> Iterator[PersonRecord]:
    """Complete sets of personal data, as an external generator gets them.

    n (int): How many.
    locales (Sequence[str]): Faker locales of the names and places, by default all.
    seed (int): Seed.
    fields (Sequence[str]): Names of `FIELDS`, by default the seven of paper 5.
    lang (str): Language of the formats.
    YIELDS (dict[str, str]): Field -> value.
    RAISES (ValueError): If a field or locale is unknown.
    """
    refuse("fields", set(fields) - set(FIELDS), FIELDS)
    known = world_class(lang).locales()
    refuse("locales", set(locales) - known, known)
    for i in range(n):
        yield make_person_data(i, seed, locales, fields, lang).values


@cache
def resolve_generator(name: str) -> Generator:
    """The function behind a name."""
    module, colon, attribute = name.partition(":")
    if not colon:
        if not registry.has("misc", name):
            problem = "nothing of that name is registered in `misc`"
            advice = "use module:function for a function of your own"
            raise ValueError(f"generator '{name}': {problem}; {advice}")
        found = registry.get("misc", name)()
    else:
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        try:
            found = getattr(import_module(module), attribute)
        except (ModuleNotFoundError, AttributeError) as error:
            # Names of modules and functions.
            raise ValueError(f"generator '{name}': {error}") from None
    if not callable(found):
        raise ValueError(f"generator '{name}': not a function")
    return found


# --------------------------------------------------------------------------
# Finding the values


class Found(NamedTuple):
    """Where a value, or a part of it, stands in a text."""

    start: int
    end: int
    field: str
    whole: bool


def find_values(text: str, data: PersonData) -> tuple[list[Found], list[str]]:
    """Find the values of a record in a text, in any case and layout, and their
    parts; and the names of those that are missing."""
    free = [True] * len(text)
    places: list[Found] = []

    def take(pattern: str, name: str, whole: bool, flags: int) -> bool:
        hit = False
        for match in re.finditer(pattern, text, flags):
            start, end = match.span()
            hit = True
            if start < end and all(free[start:end]):
                free[start:end] = [False] * (end - start)
                places.append(Found(start, end, name, whole))
        return hit

    by_length = sorted(data.values, key=lambda name: -len(data.values[name]))
    # Every variant is looked for, and none may shadow the whole.
    missing = [
        name
        for name in by_length
        if True not in [take(p, name, True, re.I) for p in _patterns(name, data)]
    ]
    capitals = any(char.isupper() for char in text)
    for name in by_length:
        for part, enough in _parts(name, data):
            # "mark" in a text that has capitals is no Mark.
            forms = {part, part.upper()} if capitals else {part}
            flags = 0 if capitals else re.I
            hits = [take(_flexible(x), name, False, flags) for x in forms]
            if any(hits) and enough and name in missing:
                missing.remove(name)
    return sorted(places), sorted(missing, key=list(data.values).index)


def _flexible(value: str, between: str = r"\s+") -> str:
    """A pattern for a value whose words may be broken over lines."""
    words = between.join(re.escape(word) for word in value.split())
    return rf"(?<![^\W_]){words}(?![^\W_])"


def _patterns(name: str, data: PersonData) -> list[str]:
    """Patterns of a value as a whole."""
    value, match = data.values[name], FIELDS[name].match
    if match == "signs":
        signs = [re.escape(char) for char in value if char.isalnum()]
        lead = r"\+?" if value.startswith("+") else ""
        joined = r"[ ().\-/]{0,3}".join(signs)
        return [rf"(?<!\w){lead}\(?{joined}(?!\w)"]
    if match == "date":
        formats = settings("en")["date_formats"].values()
        made = {value, *(write_date(data.birth_date, form) for form in formats)}
        return [_flexible(x) for x in sorted(made, key=len, reverse=True)]
    # An address loses its line breaks to commas, and the other way round.
    return [_flexible(value.replace(",", " "), r"[\s,]+")]


def _parts(name: str, data: PersonData) -> Iterator[tuple[str, bool]]:
    """Words of a value that point to the person when they stand alone, longest first,
    and whether they will do for the whole."""
    if FIELDS[name].match != "name":
        return
    value, parts = data.values[name], data.parts[name]
    if street := [p for p in parts if p.kind in ("STREET", "HOUSE_NUMBER")]:
        # Also far from the city, and with the number that alone would be any number.
        yield value[street[0].start : street[-1].end], True
    for part in sorted(parts, key=lambda p: p.start - p.end):
        if part.kind not in ("TITLE", "HOUSE_NUMBER") and part.end - part.start > 1:
            yield value[part.start : part.end], FIELDS[name].type == "PERSON"


# --------------------------------------------------------------------------
# Records


@dataclass(frozen=True)
class ExternalRecipe(Recipe):
    """A corpus written by an external generator.

    generator (str): See `resolve_generator`.
    fields (tuple[str, ...]): Fields of the records; all must be in the text.
    retries (int): How often to ask again for a text that lacks a value.
    RAISES (ValueError): If something of it is unknown.
    """

    generator: str = ""
    fields: tuple[str, ...] = DEFAULT_FIELDS
    retries: int = 2

    max_attempts = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse("fields", set(self.fields) - set(FIELDS), FIELDS)
        resolve_generator(self.generator)

    def make(self, i: int, attempt: int = 0) -> Made:
        lang = self.lang_of(i)
        data = make_person_data(i, self.seed, self.locales, self.fields, lang)
        counts: Counter = Counter()
        for _ in range(self.retries + 1):
            text = self._write(i, dict(data.values))
            counts["asked"] += 1
            places, missing = find_values(text, data)
            if not missing:
                pieces = to_pieces(text, places, data)
                doc_id = f"external-{self.seed}-{i:06}"
                return self.record(doc_id, "external", pieces, lang), counts
            counts.update(f"missing {name}" for name in missing)
        return None, counts

    def _write(self, i: int, values: PersonRecord) -> str:
        try:
            text = resolve_generator(self.generator)(values)
        except Exception as error:
            # Its message may hold the text, or the personal data.
            problem = type(error).__name__
        else:
            if isinstance(text, str):
                return text
            problem = f"it must return a string, not {type(text).__name__}"
        where = f"generator '{self.generator}' failed at document {i}"
        raise GeneratorError(f"{where}: {problem}")


def to_pieces(text: str, places: Sequence[Found], data: PersonData) -> list[Piece]:
    """Cut a text at the values found."""
    pieces: list[Piece] = []
    end = 0
    for place in places:
        pieces.append(Piece(text[end : place.start]))
        end = place.end
        field, inner = FIELDS[place.field], text[place.start : place.end]
        source, subtype = data.values[place.field], field.subtype
        parts = data.parts.get(place.field, ())
        if not place.whole:
            # The parts that stand here, with offsets in them alone.
            words = " ".join(inner.split())
            offset = source.casefold().find(words.casefold())
            source = words
            moved = (Part(p.start - offset, p.end - offset, p.kind) for p in parts)
            parts = tuple(p for p in moved if p.start >= 0 and p.end <= len(source))
            subtype = PART_SUBTYPES.get(parts[0].kind, subtype) if parts else subtype
        key = "p:s" if field.type == "PERSON" else f"{field.type}:{place.field}"
        what = inner, field.type, subtype, field.ident
        pieces.append(Piece(*what, key, "s", parts, source))
    pieces.append(Piece(text[end:]))
    return pieces
