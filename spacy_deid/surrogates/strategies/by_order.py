"""The strategies that a profile names, beside the pipeline's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from ..base import Forbidden, Mention
from ..sweep.pieces import Piece
from .base import Context, Strategy, by_part, get_strategy

named = cache(get_strategy)


def is_truthful(mention: Mention) -> bool:
    """Whether what replaces a mention is true of it: it may stand elsewhere, too."""
    name = mention.strategy
    return bool(name) and getattr(named(name), "truthful", False)


def with_named(
    strategy: Strategy, pieces: Iterable[Piece], masked: Forbidden
) -> Strategy:
    """A strategy, or one that does beside it what a profile asks for: each mention by
    the strategy that the profile names for it.

    strategy (Callable): The pipeline's own.
    pieces (Iterable[Piece]): What is to be replaced in a document.
    masked (Callable): True for a text that holds something masked.
    """
    if not any(piece.item.order.strategy for piece in pieces):
        return strategy

    def by_order(mentions: Sequence[Mention], context: Context) -> list[str]:
        def made(name: str, part: list[Mention]) -> list[str]:
            own = context
            if is_truthful(part[0]):
                own = context._replace(forbidden=masked)
            return (named(name) if name else strategy)(part, own)

        return by_part(mentions, (mention.strategy for mention in mentions), made)

    return by_order
