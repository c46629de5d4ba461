"""From pieces to annotated records, and the corpus as a whole."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...schema import strictest
from .german import GermanWorld
from .grammar import Piece
from .labels import Labeller
from .rough import Roughness, roughen
from .world import World

Record = dict[str, Any]

# Code -> world. Its `folder` below `templates` has one file a kind, `common.txt`,
# `persons.txt` and `places.txt`; its `kinds` are the kinds with their shares.
LANGUAGES: dict[str, type[World]] = {"en": World, "de": GermanWorld}

# A grammar too small for so many documents repeats itself in the end.
MAX_ATTEMPTS = 50


def assemble(
    doc_id: str,
    kind: str,
    pieces: Sequence[Piece],
    labeller: Labeller | None = None,
) -> Record:
    """Join pieces to a record with exact offsets."""
    labeller = labeller or Labeller()
    parts: list[str] = []
    mentions: list[dict[str, Any]] = []
    ids: dict[str, str] = {}
    length = 0
    for piece in pieces:
        for cut in labeller(piece) if piece.label else ():
            core = piece.text[cut.start : cut.end]
            lead = len(core) - len(core.lstrip())
            core = core.strip()
            # Damage may leave nothing, or nothing but signs, of a mention.
            if not any(char.isalnum() for char in core):
                continue
            start = length + cut.start + lead
            mentions.append(
                {
                    "start_offset": start,
                    "end_offset": start + len(core),
                    "entity_type": cut.label,
                    "subtype": cut.subtype,
                    "identifier_type": piece.ident,
                    "entity_id": ids.setdefault(piece.key, f"e{len(ids) + 1}"),
                }
            )
        parts.append(piece.text)
        length += len(piece.text)
    decisions: dict[str, list[str]] = {}
    for mention in mentions:
        decisions.setdefault(mention["entity_id"], []).append(
            mention["identifier_type"]
        )
    for mention in mentions:
        mention["identifier_type"] = strictest(decisions[mention["entity_id"]])
    return {
        "doc_id": doc_id,
        "text": "".join(parts),
        "kind": kind,
        "entity_mentions": mentions,
    }


def world_class(lang: str) -> type[World]:
    """The world of a language; a ValueError if there is no such language."""
    if lang not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        raise ValueError(f"unknown language '{lang}'; known are: {known}")
    return LANGUAGES[lang]


@dataclass(frozen=True)
class Recipe:
    """What makes a corpus; each document depends on it and on its own number alone.

    seed (int): Seed.
    langs (tuple[str, ...]): Languages, drawn with equal chances.
    kinds (tuple[str, ...]): Kinds to draw from, by default all, by their share.
    scheme (str): Label scheme.
    locales (tuple[str, ...]): Faker locales of names and places, by default all.
    RAISES (ValueError): If something of it is unknown.
    """

    seed: int = 0
    langs: tuple[str, ...] = ("en",)
    kinds: tuple[str, ...] = ()
    scheme: str = "tab"
    locales: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Labeller(self.scheme)
        if not self.langs:
            raise ValueError(f"no language; known are: {', '.join(LANGUAGES)}")
        worlds = [world_class(lang) for lang in self.langs]
        known = {kind for world in worlds for kind in world.kinds}
        _refuse("kinds", set(self.kinds) - known, known)
        locales = {x for world in worlds for x in world.locales()}
        _refuse("locales", set(self.locales) - locales, locales)
        for lang, world in zip(self.langs, worlds):
            if self.kinds and not set(self.kinds) & set(world.kinds):
                raise ValueError(
                    f"language '{lang}' has none of the kinds {', '.join(self.kinds)};"
                    f" it has: {', '.join(world.kinds)}"
                )
            if self.locales and not set(self.locales) & world.locales():
                raise ValueError(
                    f"language '{lang}' has none of the locales "
                    f"{', '.join(self.locales)}; it has: "
                    + ", ".join(sorted(world.locales()))
                )

    def make(self, i: int, attempt: int = 0) -> Record:
        """One document."""
        lang = self.langs[0]
        if len(self.langs) > 1:
            lang = random.Random(f"{self.seed}/{i}/lang").choice(self.langs)
        world_type = world_class(lang)
        kinds = world_type.kinds
        names = [kind for kind in kinds if not self.kinds or kind in self.kinds]
        rng = random.Random(f"{self.seed}/{i}/{attempt}")
        kind = rng.choices(names, [kinds[name] for name in names])[0]
        world = world_type(rng, kind, self.locales)
        pieces = world.expand("doc")
        rough = Roughness(**world.words["roughness"].get(kind, {}))
        roughen(rng, pieces, rough)
        doc_id = f"synthetic-{self.seed}-{i:06}"
        record = assemble(doc_id, kind, pieces, Labeller(self.scheme))
        if self.langs != ("en",):
            record["lang"] = lang
        return record


def _refuse(what: str, unknown: Iterable[str], known: Iterable[str]) -> None:
    if names := sorted(unknown):
        raise ValueError(
            f"unknown {what} {', '.join(names)}; known are: {', '.join(sorted(known))}"
        )


def distinct(recipe: Recipe, first: Iterable[Record]) -> Iterator[Record]:
    """Replace documents whose text came before."""
    seen: set[int] = set()
    for i, record in enumerate(first):
        attempt = 0
        while hash(record["text"]) in seen and attempt < MAX_ATTEMPTS:
            attempt += 1
            record = recipe.make(i, attempt)
        seen.add(hash(record["text"]))
        yield record


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
    recipe = Recipe(seed, tuple(langs), tuple(kinds or ()), scheme, tuple(locales))
    yield from distinct(recipe, (recipe.make(i) for i in range(n)))
