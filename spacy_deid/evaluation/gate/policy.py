"""A policy: what has to hold before a corpus is released, in plain words.

A line is `what is measured = how far it may go`: `none`, `at most 5 %`, `at least 80 %`,
and `, if measured` where nothing is asked if it cannot be measured. `[group]` and `#` are
for the reader; `confidence = 95 %` is that of the intervals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from ...data import ROOT, table

DEFAULT = ROOT / "policies" / "release.ini"
CONFIDENCE = "confidence"
MEASURES = {row["measure"]: row for row in table("gate_measures")}
OPTIONAL = "if measured"
_RULE = re.compile(
    rf"(?:(none)|at (most|least) (\d+(?:\.\d+)?)( ?%)?)(?:, ({OPTIONAL}))?"
)


class PolicyError(ValueError):
    """What is wrong with a policy, with the number of its line."""


class Condition(NamedTuple):
    """What has to hold: a measure is `at_most` a limit, or else at least that.

    limit (float): A share of 0 to 1, or a number.
    optional (bool): Whether it may stay unmeasured.
    """

    measure: str
    at_most: bool
    limit: float
    optional: bool = False
    text: str = ""


@dataclass(frozen=True)
class Policy:
    """Conditions, in their order, and the confidence of the intervals."""

    conditions: tuple[Condition, ...]
    confidence: float = 0.95


def read_policy(path: Path = DEFAULT) -> Policy:
    """Read a policy.

    RAISES (PolicyError): If a line makes no sense, or nothing is asked.
    RAISES (OSError): If there is no such file.
    """
    try:
        return parse_policy(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise PolicyError("it is not UTF-8") from None


def parse_policy(text: str) -> Policy:
    """The policy of a text; see `read_policy`."""
    confidence = 0.95
    found: dict[str, Condition] = {}
    for number, name, rule in _lines(text):
        try:
            if name == CONFIDENCE:
                confidence = _confidence(rule)
                continue
            if name in found:
                raise PolicyError(f"'{name}' is there twice")
            found[name] = parse_condition(name, rule)
        except PolicyError as error:
            raise PolicyError(f"line {number}: {error}") from None
    if not found:
        raise PolicyError("it asks for nothing")
    return Policy(tuple(found.values()), confidence)


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)[#;].*", "", line).strip()
        if not line or re.fullmatch(r"\[.*\]", line):
            continue
        name, sign, rule = line.partition("=")
        if not sign:
            problem = "should be like 'direct identifiers missed = at most 5 %'"
            raise PolicyError(f"line {number}: {problem}")
        yield number, " ".join(name.split()).lower(), " ".join(rule.split()).lower()


def parse_condition(name: str, rule: str) -> Condition:
    """A condition, of what is measured and how far it may go.

    RAISES (PolicyError): If there is no such measure, or the rule makes no sense for it.
    """
    if name not in MEASURES:
        near = get_close_matches(name, MEASURES, 1, 0.5)
        known = f"do you mean '{near[0]}'?" if near else "see docs/gate.md"
        raise PolicyError(f"nothing measures '{name}': {known}")
    if (match := _RULE.fullmatch(rule)) is None:
        examples = "none, at most 5 %, at least 80 %"
        raise PolicyError(f"'{rule}' is none of: {examples}; then ', {OPTIONAL}'")
    none, way, figure, percent, optional = match.groups()
    row, limit = MEASURES[name], float(figure or 0)
    is_share = row["unit"] == "share"
    if figure and is_share != bool(percent):
        problem = "is a share: say how many %" if is_share else "is no share: no %"
        raise PolicyError(f"'{name}' {problem}")
    if is_share and limit > 100:
        raise PolicyError(f"'{name}' is a share: at most 100 %")
    at_most = bool(none) or way == "most"
    if at_most != (row["worse"] == "high"):
        advice = f"say 'at {'least' if at_most else 'most'}'"
        raise PolicyError(f"'{name}' is worse the {row['worse']}er it is: {advice}")
    limit = limit / 100 if is_share else limit
    return Condition(name, at_most, limit, bool(optional), rule)


def _confidence(rule: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?%", rule)
    if match is None or not 50 <= float(match[1]) < 100:
        problem = "the confidence should be like 95 %, from 50 % to below 100 %"
        raise PolicyError(problem)
    return float(match[1]) / 100
