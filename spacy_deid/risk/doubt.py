"""What the detectors themselves hardly believe."""

from __future__ import annotations

from collections.abc import Sequence

from ..models.span_risk import SpanContext
from ..registries import registry
from ..schema import NO_MASK
from .base import Vote

# What doubt says of a mask; with a small weight it lowers the odds, and decides nothing.
_UNLIKELY = 0.001


@registry.deid_indicators("spacy_deid.doubt.v1")
class Doubt:
    """A vote against entities that no detector takes for what it calls them.

    A recognizer with an O-threshold takes whatever is not quite surely nothing; of what
    people are and do ("sang that song") it then finds phrases with a probability near 0,
    which the classifiers of risk, who do not see it, take for likely. Of `weighted`.

    labels (List[str]): Types that are judged. A name found by mere doubt is still one.
    least (float): Highest score of an entity's spans, 0..1, from which nothing is said.
    """

    def __init__(self, labels: Sequence[str] = ("DEM",), least: float = 0.0005) -> None:
        if isinstance(labels, str) or not 0.0 <= least <= 1.0:
            raise ValueError("'labels' must be a list of types, and 'least' in 0..1")
        self.labels = frozenset(labels)
        self.least = least

    def __call__(self, context: SpanContext) -> list[Vote | None]:
        """No mask for the spans in doubt, nothing of the others."""
        _, spans, entity_ids = context
        believed = {e for c, e in zip(spans, entity_ids) if c.score >= self.least}
        reason = "its detector hardly takes it for personal information"
        vote = Vote(NO_MASK, _UNLIKELY, reason)
        return [
            vote if c.label in self.labels and entity not in believed else None
            for c, entity in zip(spans, entity_ids)
        ]
