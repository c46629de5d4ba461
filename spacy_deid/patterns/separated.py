"""Identifiers that nothing but an invisible character keeps apart."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from .base import Hit, Normalized, PatternRecognizer


class SeparatingRecognizer(PatternRecognizer):
    """A recognizer that looks at invisible characters both ways: as noise inside an
    identifier, and as the gap between two."""

    def match(self, normal: Normalized) -> list[Hit]:
        """Find the hits of a text that is already normalised."""
        whole = super().match(normal)
        if not normal.removed:
            return whole
        hidden = {offset + i for i, offset in enumerate(normal.removed)}
        apart = sorted(set(self.find(normal.spaced)))
        return _prefer(whole, apart, hidden) if apart else whole


def _prefer(whole: list[Hit], apart: list[Hit], hidden: set[int]) -> list[Hit]:
    """Hits of both views: several that an invisible character separates go before the
    one that spans them."""
    starts, ends = [h.start for h in apart], [h.end for h in apart]
    kept: list[Hit] = []
    used = 0
    for h in whole:
        low, high = bisect_right(ends, h.start), bisect_left(starts, h.end)
        parts = apart[max(low, used) : high]
        if len(parts) < 2 or not _tile(h, parts, hidden):
            parts = [h]
        kept.extend(apart[used:low])
        kept.extend(parts)
        used = max(used, high)
    kept.extend(apart[used:])
    return sorted(kept)


def _tile(h: Hit, parts: list[Hit], hidden: set[int]) -> bool:
    """Whether some hits cover another, with nothing visible between them."""
    if parts[0].start > h.start or parts[-1].end < h.end:
        return False
    gaps = (range(left.end, right.start) for left, right in pairwise(parts))
    return all(hidden.issuperset(gap) for gap in gaps)
