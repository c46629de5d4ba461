"""The strategies that a profile names, beside the pipeline's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from ..base import Forbidden, Mention
from ..sweep.pieces import Piece
from .base import Context, Strategy, get_strategy

named = cache(get_strategy)


def is_truthful(mention: Mention) -> bool:
    """Whether what replaces a mention is true of it: it may stand elsewhere, too."""
    name = mention.strategy
    return bool(name) and getattr(named(name), "truthful", False)


@dataclass(frozen=True)
class ByOrder:
    """Each mention by the strategy that a profile names for it.

    default (Callable): The pipeline's own.
    masked (Callable): True for a text that holds something masked.
    """

    default: Strategy
    masked: Forbidden

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        parts: dict[str, list[int]] = {}
        for i, mention in enumerate(mentions):
            parts.setdefault(mention.strategy, []).append(i)
        out = [context.mark] * len(mentions)
        for name, where in parts.items():
            part = [mentions[i] for i in where]
            if is_truthful(part[0]):
                own = context._replace(forbidden=self.masked)
            else:
                own = context
            strategy = named(name) if name else self.default
            for i, text in zip(where, strategy(part, own), strict=True):
                out[i] = text
        return out


def with_named(
    strategy: Strategy, pieces: Iterable[Piece], masked: Forbidden
) -> Strategy:
    """A strategy, or one that does beside it what a profile asks for.

    strategy (Callable): The pipeline's own.
    pieces (Iterable[Piece]): What is to be replaced in a document.
    masked (Callable): True for a text that holds something masked.
    """
    named_any = any(piece.item.order.strategy for piece in pieces)
    return ByOrder(strategy, masked) if named_any else strategy
