"""A mention to be replaced, as rules look at it that work by language pack."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias, TypeVar

from ..lang.base import LanguagePack, last_word
from ..text.words import function_words
from .base import MAX_TRIES, Draws, Mention
from .frame import LETTERS, Frame, capitals, last_resort
from .geography import Geography
from .rules import Rule

# The countries of a document: by the English tables, or by a lexicon.
World: TypeAlias = Geography | Frame


@dataclass
class Case:
    """A mention to be replaced, and what its rules look at.

    mention (Mention): The mention.
    world (World): The document's countries.
    kind (str): Whose draws are asked: "place", "term" ...
    """

    mention: Mention
    world: World
    kind: str

    def __post_init__(self) -> None:
        self.text: str = self.mention.text
        self.before: str = self.mention.before
        self.draws: Draws = self.world.draws
        self.pack: LanguagePack = self.world.pack

    @cached_property
    def key(self) -> str:
        return self.world.key(self.text)

    @cached_property
    def rng(self) -> random.Random:
        """Drawn only if a rule asks: most names are known."""
        return self.draws.random_for(self.kind, self.key)

    @property
    def small_words(self) -> Set[str]:
        """Words of the language's grammar, in small letters."""
        return function_words(self.pack.lang)

    @property
    def geography(self) -> Geography:
        """For the rules of English alone."""
        assert isinstance(self.world, Geography)
        return self.world

    @property
    def frame(self) -> Frame:
        """For the rules of languages with a lexicon."""
        assert isinstance(self.world, Frame)
        return self.world

    @property
    def lowered(self) -> bool:
        """Whether it is in small letters where others are not, and so no name."""
        around = map(str.isupper, self.before + self.mention.after)
        return self.text.islower() and any(around)

    def pick(self, made: Iterable[str], tries: int = MAX_TRIES) -> str | None:
        """The first usable text; where articles go by sounds, one that fits."""
        before = self.before if self.pack.a_or_an else ""
        return self.draws.pick(made, self.key, before, tries)

    def last_resort(self, kind: str) -> str:
        """What is left when every list has run out."""
        if isinstance(self.world, Frame):
            return last_resort(self.mention, self.world, kind)
        return self.draws.invent(kind, self.key, self.before, self.text)


AnyCase = TypeVar("AnyCase", bound=Case)
Make: TypeAlias = Callable[[AnyCase], Iterable[str]]


# Rules that work by the English tables, and rules for languages with a lexicon
by_tables, by_lexicon = partial(Rule, world=Geography), partial(Rule, world=Frame)


def acronym(case: Case) -> Iterator[str]:
    """Other capitals for an acronym."""
    if isinstance(case.world, Frame):
        for _ in range(40):
            yield capitals(case.text, case.pack, case.rng)
    else:
        yield case.draws.acronym(case.mention) or ""


def is_lettered(case: Case) -> bool:
    """Whether everybody knows it by its letters: "UGT", "CBMF-HGO"."""
    return all(map(LETTERS.fullmatch, case.text.split("-")))


def replace_each(
    mentions: Sequence[Mention],
    world: World,
    make: Callable[[Mention], str],
    rank: Callable[[Mention], Any] | None = None,
) -> list[str]:
    """One new text for all mentions that may have the same: those of one text, and where
    words have forms those behind the same word.

    mentions (Sequence[Mention]): In document order.
    world (World): The document's countries.
    make (Callable): A mention -> its new text.
    rank (Optional[Callable]): Key of the order in which they are asked for.
    RETURNS (list[str]): One text a mention.
    """

    def same(mention: Mention) -> tuple[str, str]:
        inflects = isinstance(world, Frame)
        return mention.text, last_word(mention.before) if inflects else ""

    new: dict[tuple[str, str], str] = {}
    for mention in sorted(mentions, key=rank) if rank else mentions:
        if same(mention) not in new:
            new[same(mention)] = make(mention)
    return [new[same(mention)] for mention in mentions]
