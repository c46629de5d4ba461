"""What a risk indicator is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..models.span_risk import SpanContext


class Vote(NamedTuple):
    """What one indicator says of one span.

    decision (str): DIRECT or QUASI if the span should be masked, else NO_MASK.
    probability (float): That the span should be masked, 0..1.
    reason (str): Why, in plain words, without any text of the document.
    details (Tuple[str, ...]): Evidence for the audit alone: unlike the reason it may
        hold names, as the address of a page does.
    abstains (bool): The indicator could not judge, and the reason says why: decision
        and probability mean nothing.
    """

    decision: str
    probability: float
    reason: str
    details: tuple[str, ...] = ()
    abstains: bool = False


# One vote a span; None where the indicator has nothing to say.
Indicator = Callable[[SpanContext], list[Vote | None]]
