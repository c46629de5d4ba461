"""From pieces to annotated records, and the corpus as a whole."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...schema import strictest
from ..readers import Record, make_mention
from .german import GermanWorld
from .grammar import Piece
from .labels import Labeller
from .rough import Roughness, roughen
from .world import World

# A document, or None if it is left out, and what is to be counted of its making.
Made = tuple[Record | None, Counter]

# Code -> world. Its `folder` below `templates` has one file a kind, `common.txt`,
# `persons.txt` and `places.txt`; its `kinds` are the kinds with their shares.
LANGUAGES: dict[str, type[World]] = {"en": World, "de": GermanWorld}


def assemble(
    doc_id: str, kind: str, pieces: Sequence[Piece], labeller: Labeller
) -> Record:
    """Join pieces to a record with exact offsets."""
    mentions: list[Record] = []
    ids: dict[str, str] = {}
    length = 0
    for piece in pieces:
        for cut in labeller(piece) if piece.label else ():
            place = length + cut.start, length + cut.end
            more = {"subtype": cut.subtype, "identifier_type": piece.ident}
            name = ids.setdefault(piece.key, f"e{len(ids) + 1}")
            mentions.append(make_mention(*place, cut.label, **more, entity_id=name))
        length += len(piece.text)
    decisions: dict[str, list[str]] = {}
    for m in mentions:
        decisions.setdefault(m["entity_id"], []).append(m["identifier_type"])
    for m in mentions:
        m["identifier_type"] = strictest(decisions[m["entity_id"]])
    text = "".join(piece.text for piece in pieces)
    return {"doc_id": doc_id, "text": text, "kind": kind, "entity_mentions": mentions}


def world_class(lang: str) -> type[World]:
    """The world of a language; a ValueError if there is no such language."""
    refuse("language", {lang} - set(LANGUAGES), LANGUAGES)
    return LANGUAGES[lang]


def refuse(what: str, unknown: Iterable[str], known: Iterable[str]) -> None:
    """RAISES (ValueError): If anything is unknown."""
    if names := sorted(unknown):
        choice = f"known are: {', '.join(sorted(known))}"
        raise ValueError(f"unknown {what} {', '.join(names)}; {choice}")


@dataclass(frozen=True)
class Recipe:
    """What makes a corpus; each document depends on it and on its own number alone.

    seed (int): Seed.
    langs (tuple[str, ...]): Languages, drawn with equal chances.
    scheme (str): Label scheme.
    locales (tuple[str, ...]): Faker locales of names and places, by default all.
    kinds (tuple[str, ...]): Kinds to draw from, by default all, by their share.
    RAISES (ValueError): If something of it is unknown.
    """

    seed: int = 0
    langs: tuple[str, ...] = ("en",)
    scheme: str = "tab"
    locales: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    # A grammar too small for so many documents repeats itself in the end.
    max_attempts = 50

    def __post_init__(self) -> None:
        Labeller(self.scheme)
        if not self.langs:
            raise ValueError(f"no language; known are: {', '.join(LANGUAGES)}")
        worlds = [world_class(lang) for lang in self.langs]
        kinds = [set(world.kinds) for world in worlds]
        locales = [world.locales() for world in worlds]
        rows = ("kinds", self.kinds, kinds), ("locales", self.locales, locales)
        for what, values, known in rows:
            refuse(what, set(values) - set().union(*known), set().union(*known))
            for lang, own in zip(self.langs, known):
                if values and own.isdisjoint(values):
                    named = f"{what} {', '.join(sorted(values))}"
                    has = f"it has: {', '.join(sorted(own))}"
                    raise ValueError(
                        f"language '{lang}' has none of the {named}; {has}"
                    )

    def make(self, i: int, attempt: int = 0) -> Made:
        """One document."""
        lang = self.lang_of(i)
        world_type = world_class(lang)
        kinds = world_type.kinds
        names = [kind for kind in kinds if not self.kinds or kind in self.kinds]
        rng = random.Random(f"{self.seed}/{i}/{attempt}")
        kind = rng.choices(names, [kinds[name] for name in names])[0]
        world = world_type(rng, kind, self.locales)
        pieces = world.expand("doc")
        roughen(rng, pieces, Roughness(**world.words["roughness"].get(kind, {})))
        doc_id = f"synthetic-{self.seed}-{i:06}"
        return self.record(doc_id, kind, pieces, lang), Counter()

    def lang_of(self, i: int) -> str:
        """The language of a document."""
        return random.Random(f"{self.seed}/{i}/lang").choice(self.langs)

    def record(
        self, doc_id: str, kind: str, pieces: Sequence[Piece], lang: str
    ) -> Record:
        """The record of a document; only English alone goes without saying."""
        record = assemble(doc_id, kind, pieces, Labeller(self.scheme))
        return record if self.langs == ("en",) else {**record, "lang": lang}


def distinct(recipe: Recipe, first: Iterable[Made]) -> Iterator[Made]:
    """Replace documents whose text came before."""
    seen: set[int] = set()
    for i, (record, counts) in enumerate(first):
        for attempt in range(1, recipe.max_attempts + 1):
            if record is None or hash(record["text"]) not in seen:
                break
            record, counts = recipe.make(i, attempt)
        if record is not None:
            seen.add(hash(record["text"]))
        yield record, counts


def generate(
    n: int,
    seed: int,
    kinds: Sequence[str] | None = None,
    *,
    langs: Sequence[str] = ("en",),
    scheme: str = "tab",
    locales: Sequence[str] = (),
) -> Iterator[Record]:
    """Make synthetic documents, the same for the same seed.

    n (int): How many.
    seed (int): Seed; each document has its own stream, so the first documents don't
        depend on `n`.
    kinds (Sequence[str]): Kinds to draw from, by default all, by their share.
    langs (Sequence[str]): Languages, see `LANGUAGES`.
    scheme (str): Label scheme, see `spacy_deid.label_schemes`.
    locales (Sequence[str]): Faker locales of names and places, by default all.
    YIELDS (dict): `doc_id`, `text`, `kind` and `entity_mentions` with character
        offsets, the scheme's label as type, subtype, identifier type and entity id;
        `lang` if other languages than English were asked for.
    RAISES (ValueError): If a kind, language, scheme or locale is unknown.
    """
    recipe = Recipe(seed, tuple(langs), scheme, tuple(locales), tuple(kinds or ()))
    for record, _ in distinct(recipe, map(recipe.make, range(n))):
        if record is not None:
            yield record
