"""What became of every annotation of a corpus: counts, and places without text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ..data import table


class Kind(NamedTuple):
    """A thing that is counted."""

    text: str
    outcome: bool
    loss: bool
    listed: bool


KINDS: dict[str, Kind] = {
    row["kind"]: Kind(row["meaning"], *(row[name] == "x" for name in Kind._fields[1:]))
    for row in table("corpus_report")
}
OUTCOMES = tuple(name for name, kind in KINDS.items() if kind.outcome)
LOSSES = tuple(name for name, kind in KINDS.items() if kind.loss)
# What a recognizer learns otherwise than it is annotated, though nothing is lost.
CHANGES = ("expanded", "overlapping")


@dataclass(frozen=True)
class Issue:
    """A place in the input that deserves a look, by key of KINDS and offsets; never a
    piece of its text. `other` is the label of the longer span of `overlapping`."""

    kind: str
    file: str | None = None
    line: int | None = None
    doc_id: str | None = None
    start: int | None = None
    end: int | None = None
    label: str | None = None
    other: str | None = None

    def __str__(self) -> str:
        parts = [
            self.file,
            f"line {self.line}" if self.line else "",
            f"document {self.doc_id}" if self.doc_id is not None else "",
            f"{self.start}-{self.end}" if self.start is not None else "",
            f"{self.label} under {self.other}" if self.other else self.label,
        ]
        return ", ".join(filter(None, parts))


class Report:
    """Counts of everything in `KINDS`, by input and by label, and a list of places.

    raise_on_loss (bool): Raise at the first loss: for code that shows no report.
    max_issues (int): List so many places; all are counted.
    """

    def __init__(self, raise_on_loss: bool = False, max_issues: int = 10_000) -> None:
        self.raise_on_loss = raise_on_loss
        self.max_issues = max_issues
        self.counts: Counter[str] = Counter()
        self.labels: dict[str, Counter[str]] = {}
        self.overlaps: Counter[str] = Counter()
        self.issues: list[Issue] = []
        self.left_out = 0
        self.inputs: list[dict[str, Any]] = []
        # Of the present input, and kept however few places are listed.
        self.first: dict[str, Issue] = {}

    def start(self, **input: Any) -> None:
        """Count for another input from here on."""
        self.inputs.append({**input, "counts": Counter()})
        self.first.clear()

    def add(self, kind: str, **place: Any) -> None:
        """Count something; `place` has fields of `Issue`."""
        tables = [self.counts, *(entry["counts"] for entry in self.inputs[-1:])]
        if place.get("label") is not None:
            tables.append(self.labels.setdefault(place["label"], Counter()))
        for counts in tables:
            counts[kind] += 1
        if kind == "overlapping":
            self.overlaps[f"{place.get('label')} under {place.get('other')}"] += 1
        if not KINDS[kind].listed:
            return
        issue = Issue(kind, **place)
        self.first.setdefault(kind, issue)
        if self.raise_on_loss and KINDS[kind].loss:
            name = kind.replace("_", " ")
            raise ValueError(f"{issue}: {name} ({KINDS[kind].text})")
        if len(self.issues) < self.max_issues:
            self.issues.append(issue)
        else:
            self.left_out += 1

    @property
    def losses(self) -> int:
        """Number of things that the corpus made does not hold."""
        return sum(self.counts[kind] for kind in LOSSES)

    def summary(self, kinds: Iterable[str] = LOSSES) -> str:
        """Counts in one line."""
        found = [kind for kind in kinds if self.counts[kind]]
        return ", ".join(f"{k.replace('_', ' ')} {self.counts[k]}" for k in found)

    def to_json(self) -> dict[str, Any]:
        """All of it, for a JSON file."""
        return {
            "counts": _in_order(self.counts),
            "losses": self.losses,
            "labels": {k: _in_order(self.labels[k]) for k in sorted(self.labels)},
            "overlaps": dict(self.overlaps.most_common()),
            "inputs": [{**x, "counts": _in_order(x["counts"])} for x in self.inputs],
            "issues": [
                {k: v for k, v in asdict(issue).items() if v is not None}
                for issue in self.issues
            ],
            "issues_left_out": self.left_out,
        }

    def table(self) -> str:
        """A short table for people: counts, and the first places of each loss."""
        counts = _in_order(self.counts)
        width = max(map(len, counts), default=0)
        lines = []
        for kind, n in counts.items():
            text, _, loss, _ = KINDS[kind]
            mark = " (lost)" if loss else ""
            lines.append(f"{kind.replace('_', ' '):<{width}}{n:>9}  {text}{mark}")
            if loss:
                places = [str(issue) for issue in self.issues if issue.kind == kind]
                more = ["..."] if len(places) > 3 else []
                lines += [f"{'':<{width + 9}}  - {x}" for x in [*places[:3], *more]]
        return "\n".join(lines)


def _in_order(counts: Counter[str]) -> dict[str, int]:
    return {kind: counts[kind] for kind in KINDS if counts[kind]}
