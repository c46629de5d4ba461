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
    outcome: bool = False
    loss: bool = False
    listed: bool = True


KINDS: dict[str, Kind] = {
    row["kind"]: Kind(
        row["meaning"], *(row[name] == "x" for name in ("outcome", "loss", "listed"))
    )
    for row in table("corpus_report")
}
OUTCOMES = tuple(name for name, kind in KINDS.items() if kind.outcome)
LOSSES = tuple(name for name, kind in KINDS.items() if kind.loss)
# What a recognizer learns otherwise than it is annotated, though nothing is lost.
CHANGES = ("expanded", "overlapping", "repaired")


@dataclass(frozen=True)
class Issue:
    """A place in the input that deserves a look; never a piece of its text.

    kind (str): Key of KINDS.
    file (str): The file.
    line (int): Its line, or None.
    doc_id (str): The document, or None.
    start (int): First character in the document's text, or None.
    end (int): Character after the last, or None.
    label (str): Label, or None.
    other (str): For `overlapping` the label of the longer span, or None.
    """

    kind: str
    file: str | None = None
    line: int | None = None
    doc_id: str | None = None
    start: int | None = None
    end: int | None = None
    label: str | None = None
    other: str | None = None

    def __str__(self) -> str:
        parts = [self.file or "", f"line {self.line}" if self.line else ""]
        parts.append(f"document {self.doc_id}" if self.doc_id is not None else "")
        if self.start is not None:
            parts.append(f"{self.start}-{self.end}")
        label = f"{self.label} under {self.other}" if self.other else self.label
        parts.append(label or "")
        return ", ".join(part for part in parts if part)


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

    def add(self, kind: str, n: int = 1, **place: Any) -> None:
        """Count something."""
        self.counts[kind] += n
        if self.inputs:
            self.inputs[-1]["counts"][kind] += n
        label = place.get("label")
        if label is not None:
            self.labels.setdefault(label, Counter())[kind] += n
        if kind == "overlapping":
            self.overlaps[f"{label} under {place.get('other')}"] += n
        if KINDS[kind].listed:
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
        return ", ".join(
            f"{kind.replace('_', ' ')} {self.counts[kind]}"
            for kind in kinds
            if self.counts[kind]
        )

    def to_json(self) -> dict[str, Any]:
        """All of it, for a JSON file."""
        return {
            "counts": _in_order(self.counts),
            "losses": self.losses,
            "labels": {k: _in_order(self.labels[k]) for k in sorted(self.labels)},
            "overlaps": dict(self.overlaps.most_common()),
            "inputs": [
                {**entry, "counts": _in_order(entry["counts"])} for entry in self.inputs
            ],
            "issues": [
                {k: v for k, v in asdict(issue).items() if v is not None}
                for issue in self.issues
            ],
            "issues_left_out": self.left_out,
        }

    def table(self, max_places: int = 3) -> str:
        """A short table for people: counts, and first places of each loss."""
        rows = [
            (name.replace("_", " "), self.counts[name], kind)
            for name, kind in KINDS.items()
            if self.counts[name]
        ]
        width = max((len(name) for name, _, _ in rows), default=0)
        lines = []
        for name, n, kind in rows:
            mark = " (lost)" if kind.loss else ""
            lines.append(f"{name:<{width}}{n:>9}  {kind.text}{mark}")
            if kind.loss:
                lines.extend(self._places(name.replace(" ", "_"), max_places, width))
        return "\n".join(lines)

    def _places(self, kind: str, n: int, width: int) -> Iterable[str]:
        places = [issue for issue in self.issues if issue.kind == kind]
        for issue in places[:n]:
            yield f"{'':<{width + 9}}  - {issue}"
        if len(places) > n:
            yield f"{'':<{width + 9}}  - ..."


def _in_order(counts: Counter[str]) -> dict[str, int]:
    return {kind: counts[kind] for kind in KINDS if counts[kind]}
