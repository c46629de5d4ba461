"""Measures and what a policy says of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .policy import MEASURES, Condition, Policy

NOT_ASKED = "the policy does not ask for it"


@dataclass(frozen=True)
class Measure:
    """What was measured, or why nothing was.

    value (Optional[float]): A share of 0 to 1, a count or a number, perhaps infinite;
        None if it could not be measured.
    interval (Optional[tuple]): Its low and high; None for what is no estimate.
    of (str): What it stands on, in words without any text of the corpus.
    documents (tuple[str, ...]): Which are meant, by their ids in the corpus.
    more (Optional[Callable]): How many more documents have to be annotated until this
        condition holds, if the others are like those that were read; None if no number
        would do.
    """

    value: float | None = None
    interval: tuple[float, float] | None = None
    of: str = ""
    documents: tuple[str, ...] = ()
    more: Callable[[Condition], int | None] | None = None

    def end(self, condition: Condition) -> float | None:
        """The pessimistic end of it."""
        if self.value is None:
            return None
        low, high = self.interval or (self.value, self.value)
        return high if condition.at_most else low


@dataclass(frozen=True)
class Judged:
    """A condition, what was measured, and whether it holds: None if it was not measured
    and need not be."""

    condition: Condition
    measure: Measure
    holds: bool | None
    more: int | None = None

    def to_json(self) -> dict[str, Any]:
        condition, measure = self.condition, self.measure
        row = MEASURES[condition.measure]
        return {
            "measure": condition.measure,
            "rule": condition.text,
            **{name: row[name] for name in ("group", "unit", "meaning")},
            "limit": None if math.isnan(condition.limit) else condition.limit,
            "value": _plain(measure.value),
            "interval": measure.interval and [*map(_plain, measure.interval)],
            "judged_by": _plain(measure.end(condition)),
            "measured": measure.value is not None,
            "holds": self.holds,
            "of": measure.of,
            "documents": list(measure.documents),
            "more_annotated_documents": self.more,
        }


def judge(policy: Policy, measures: Mapping[str, Measure]) -> list[Judged]:
    """Each condition of a policy; one that could not be measured does not hold, unless
    it is optional. What was measured and not asked for is told as well."""
    out = []
    for condition in policy.conditions:
        measure = measures.get(condition.measure, Measure(of="not measured"))
        end = measure.end(condition)
        more, holds = None, None
        if end is not None:
            limit = condition.limit
            # As written, not as binary fractions have it.
            holds = end <= limit + 1e-12 if condition.at_most else end >= limit - 1e-12
        elif not condition.optional:
            holds = False
        if holds is False and measure.more is not None:
            more = measure.more(condition)
        out.append(Judged(condition, measure, holds, more))
    asked = {condition.measure for condition in policy.conditions}
    for name, measure in measures.items():
        if name not in asked and measure.value is not None:
            at_most = MEASURES[name]["worse"] == "high"
            told = Condition(name, at_most, math.nan, True, NOT_ASKED)
            out.append(Judged(told, measure, None))
    groups = [*dict.fromkeys(row["group"] for row in MEASURES.values())]
    group_of = {name: groups.index(row["group"]) for name, row in MEASURES.items()}
    return sorted(out, key=lambda r: group_of[r.condition.measure])


def how_many_more(judged: Sequence[Judged]) -> int | None:
    """How many more documents have to be annotated until everything holds; None if that
    is not enough, 0 if nothing has to be done."""
    if None in (failed := [row.more for row in judged if row.holds is False]):
        return None
    return max((n for n in failed if n is not None), default=0)


def passes(judged: Sequence[Judged]) -> bool:
    """Whether a corpus may be released: every condition holds that has to."""
    return bool(judged) and all(row.holds is not False for row in judged)


def _plain(value: float | None) -> float | str | None:
    """A number for JSON, which knows no infinite one."""
    if value is None:
        return None
    return round(value, 6) if math.isfinite(value) else "not bounded"
