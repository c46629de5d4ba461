"""Written forms of entities, which linkers compare."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from .. import data
from ..patterns.tables import Patterns
from ..schema import Candidate

word_lists = data.word_lists("names/linking")
P = Patterns("linking")


class Form(NamedTuple):
    """One written form of one type.

    key (str): Its normal form.
    text (str): As it is first written.
    candidate (Candidate): Its first mention.
    positions (list[int]): First tokens of its mentions.
    """

    key: str
    text: str
    candidate: Candidate
    positions: list[int]

    @property
    def width(self) -> int:
        """Number of tokens."""
        return self.candidate.end - self.candidate.start


# Keys of forms that are one entity's.
Pairs = Iterator[tuple[str, str]]


def by_key(forms: Iterable[Form], keys: Callable[[Form], Iterable[Hashable]]) -> Pairs:
    """Link forms that share a key."""
    first: dict[Hashable, str] = {}
    for form in forms:
        yield from ((first.setdefault(key, form.key), form.key) for key in keys(form))
