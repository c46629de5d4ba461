"""Runs a strategy over a document, again while a surrogate holds an original."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...schema import StrategyError
from ..base import Mention
from ..consistency import salted
from ..sweep.document import Originals
from ..sweep.runs import compact
from .base import Context, Strategy, by_part
from .by_order import is_truthful

# Redraws before a surrogate that holds an original gives way to a mark.
MAX_REDRAWS = 3


# Mentions that are drawn again as often as it takes.
FEW = 20


def run_strategy(
    strategy: Strategy,
    mentions: Sequence[Mention],
    units: Sequence[int],
    context_for: Callable[[int], Context],
    originals: Originals,
    respell: Callable[[list[str]], list[str]] = list,
) -> list[str]:
    """A surrogate for each mention, none with an original in it.

    strategy (Callable): The strategy.
    mentions (Sequence[Mention]): All mentions of a document, in order.
    units (Sequence[int]): The part of the document that each belongs to; every part is
        handed over by itself.
    context_for (Callable): What the strategy may use, by the number of the attempt.
    originals (Originals): What no text may hold.
    respell (Callable): Puts the surrogates in the form in which the originals stand.
    RETURNS (list[str]): One text a mention; a mark where nothing else will do.
    """
    context = context_for(0)
    texts = drawn = respell(_run_units(strategy, mentions, units, context))
    bad = _bad(texts, mentions, originals)
    for attempt in range(1, MAX_REDRAWS + 1):
        if not bad or originals.patience_lost:
            break
        context = context_for(attempt)
        drawn = respell(_run_units(strategy, mentions, units, context))
        texts = _merged(mentions, texts, drawn, bad)
        before, bad = bad, _bad(texts, mentions, originals)
        # A strategy without chance gives the same again.
        if attempt == 1 and bad == before and drawn == texts:
            break
        # Nor do many draws help where hardly any did.
        if len(bad) > FEW and len(bad) > 0.8 * len(before):
            break
    return [context.mark if i in bad else text for i, text in enumerate(texts)]


def _bad(
    texts: Iterable[str], mentions: Sequence[Mention], originals: Originals
) -> set[int]:
    return {
        i
        for i, (text, mention) in enumerate(zip(texts, mentions))
        # What a profile puts there is true, and may be what it leaves elsewhere.
        if (originals.masked if is_truthful(mention) else originals.forbidden)(text)
    }


def _merged(
    mentions: Sequence[Mention], texts: list[str], drawn: list[str], bad: set[int]
) -> list[str]:
    """The old surrogates, new ones for the entities that need them."""
    # Dates move together, or their order and distances would be lost.
    labels = {mentions[i].label for i in bad} & {"DATETIME"}
    entities = {mentions[i].entity_id for i in bad}
    again = [m.entity_id in entities or m.label in labels for m in mentions]
    kept = (i for i, redraw in enumerate(again) if not redraw)
    taken = {compact(texts[i]): mentions[i].entity_id for i in kept}
    return [
        new if redraw and taken.get(compact(new), m.entity_id) == m.entity_id else old
        for m, old, new, redraw in zip(mentions, texts, drawn, again)
    ]


def _run_units(
    strategy: Strategy,
    mentions: Sequence[Mention],
    units: Sequence[int],
    context: Context,
) -> list[str]:
    """What the strategy gives for each part of the document by itself."""
    if context.scope not in ("mention", "sentence"):
        return _run(strategy, mentions, context)

    def made(unit: int, part: list[Mention]) -> list[str]:
        name = f"{context.document} {unit}"
        random_for = salted(context.random_for, name)
        own = context._replace(random_for=random_for, document=name)
        return _run(strategy, part, own)

    return by_part(mentions, units, made)


def _run(
    strategy: Strategy, mentions: Sequence[Mention], context: Context
) -> list[str]:
    try:
        texts = list(strategy(mentions, context))
    except StrategyError:
        raise
    except Exception as err:
        # The message may quote the document, so only its kind is told.
        raise RuntimeError(
            f"the replacement strategy failed: {type(err).__name__}"
        ) from None
    if len(texts) != len(mentions) or not all(isinstance(t, str) for t in texts):
        raise ValueError(
            f"the replacement strategy should give one str for each of the "
            f"{len(mentions)} mentions"
        )
    return texts
