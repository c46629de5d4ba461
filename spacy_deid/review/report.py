"""A corpus in numbers: what `run` has written, counted without a word of its texts."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..disclosure import BANDS, band, magnitude
from ..records.results import PEOPLE_FIELDS
from ..schema import IDENTIFIER_TYPES, NO_MASK
from .documents import risk_of

# Spans and documents that are listed.
LISTED, LISTED_DOCS = 10, 200
EXAMPLES = 3
# So few people share what is left, or that much of a text was replaced: look at it.
FEW_PEOPLE, MOST = 10, 0.5
# Of a document with nothing masked, characters from which this is a surprise.
LONG_CHARS = 500
NO_EPSILON = "not bounded"


class Facts(NamedTuple):
    """What the checks look at in a document."""

    spans: list[dict[str, Any]]
    n_chars: int
    k_left: float | None
    risk: float

    @property
    def masked(self) -> list[dict[str, Any]]:
        return [span for span in self.spans if span["decision"] != NO_MASK]


def _replaced(facts: Facts) -> int:
    return sum(s["new_end"] - s["new_start"] for s in facts.masked)


def _outvoted(facts: Facts) -> bool:
    kept = (s for s in facts.spans if s["decision"] == NO_MASK)
    return any(True in (s.get("votes") or {}).values() for s in kept)


# Why a document needs a look, and whether this one does.
CHECKS: dict[str, Callable[[Facts], bool]] = {
    "few people share what is left": lambda f: (f.k_left or math.inf) < FEW_PEOPLE,
    "what stays is of high risk": lambda f: band(f.risk) == BANDS[-1],
    "a span stays though an indicator would mask it": _outvoted,
    "a long text in which nothing was masked": lambda f: (
        not f.masked and f.n_chars >= LONG_CHARS
    ),
    "more than half of the text was replaced": lambda f: (
        _replaced(f) > MOST * max(f.n_chars, 1)
    ),
}


class CorpusReport:
    """Counts documents one at a time."""

    def __init__(self) -> None:
        self.docs = self.chars = self.n_looks = 0
        self.types: Counter[tuple[str, str]] = Counter()
        self.subtypes: Counter[tuple[str, str]] = Counter()
        self.sources: Counter[str] = Counter()
        self.risks: Counter[str] = Counter()
        self.doc_risks: Counter[str] = Counter()
        self.people = {name: Counter[str]() for name in PEOPLE_FIELDS}
        self.epsilons: Counter[str] = Counter()
        self.most_epsilon = 0.0
        self.reasons: Counter[str] = Counter()
        # The largest first; equal ones by their number, so that nothing else is compared.
        self._looks: list[tuple[float, int, dict[str, Any]]] = []
        self._longest: list[tuple[int, int, dict[str, Any]]] = []
        self._kinds: Counter[tuple[str, ...]] = Counter()
        self._examples: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)

    def add(self, record: Mapping[str, Any]) -> None:
        """Count a record of the output.

        RAISES (KeyError, TypeError): If it is none.
        """
        spans, doc_id = record["spans"], record["doc_id"]
        n_chars = len(record.get("text") or "")
        k_left = record.get("deid_k_left")
        self.docs += 1
        self.chars += n_chars
        for name, counts in self.people.items():
            if record.get(name) is not None:
                counts[_decade(record[name])] += 1
        self._add_epsilon(record["epsilon"])
        for span in spans:
            self._add_span(doc_id, span)
        facts = Facts(spans, n_chars, k_left, risk_of(spans, k_left))
        self.doc_risks[band(facts.risk) or ""] += 1
        reasons = [name for name, needs in CHECKS.items() if needs(facts)]
        self.reasons.update(reasons)
        if reasons:
            self.n_looks += 1
            told = {"doc_id": doc_id, "risk": band(facts.risk), "why": reasons}
            row = facts.risk + len(reasons), -self.docs, told
            self._looks = heapq.nlargest(LISTED_DOCS, [*self._looks, row])

    def _add_epsilon(self, epsilon: float | None) -> None:
        if epsilon is None:
            self.epsilons[NO_EPSILON] += 1
            return
        self.epsilons[f"up to {max(math.ceil(epsilon), 0)}"] += 1
        self.most_epsilon = max(self.most_epsilon, epsilon)

    def _add_span(self, doc_id: Any, span: Mapping[str, Any]) -> None:
        label, decision = span["label"], span["decision"]
        self.types[label, decision] += 1
        self.subtypes[label, span["subtype"]] += 1
        self.risks[span["risk"] or "not judged"] += 1
        self.sources["; ".join(span["sources"]).partition(":")[0] or "-"] += 1
        names = ("start", "end", "new_start", "new_end", "label", "subtype", "decision")
        row = {"doc_id": doc_id, **{n: span[n] for n in names if n in span}}
        first, last = ("start", "end") if "start" in span else ("new_start", "new_end")
        length, n = span[last] - span[first], sum(self.types.values())
        self._longest = heapq.nlargest(LISTED, [*self._longest, (length, -n, row)])
        kind = (label, span["subtype"], decision)
        self._kinds[kind] += 1
        if len(self._examples[kind]) < EXAMPLES:
            self._examples[kind].append(row)

    def _rarest(self) -> list[dict[str, Any]]:
        kinds = sorted(self._kinds, key=lambda kind: (self._kinds[kind], kind))
        rows = [r | {"count": self._kinds[k]} for k in kinds for r in self._examples[k]]
        return rows[:LISTED]

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        labels = dict.fromkeys(label for label, _ in self.types)
        risks = {"spans": _banded(self.risks), "documents": _banded(self.doc_risks)}
        totals = {x: sum(self.types[x, d] for d in IDENTIFIER_TYPES) for x in labels}
        return {
            "documents": self.docs,
            "characters": self.chars,
            "spans": sum(self.types.values()),
            "types": {
                label: {d: self.types[label, d] for d in IDENTIFIER_TYPES}
                for label in sorted(labels, key=lambda x: (-totals[x], x))
            },
            "subtypes": [
                {"label": label, "subtype": subtype, "count": n}
                for (label, subtype), n in self.subtypes.most_common()
            ],
            "sources": dict(self.sources.most_common()),
            "risk": risks,
            "k": {name: _sorted(counts) for name, counts in self.people.items()},
            "epsilon": {"documents": dict(self.epsilons), "most": self.most_epsilon},
            "looks": {
                "documents": self.n_looks,
                "reasons": dict(self.reasons.most_common()),
                "first": [row for *_, row in self._looks],
            },
            "longest": [row for *_, row in self._longest],
            "rarest": self._rarest(),
        }


def _decade(k: float) -> str:
    """A number of people as it is told."""
    if k < 1:
        return "below 1"
    low = magnitude(k) or 1
    return f"{low:,} to {10 * low - 1:,}"


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda row: (len(row[0]), row[0])))


def _banded(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in (*BANDS, *sorted({*counts} - {*BANDS}))}
