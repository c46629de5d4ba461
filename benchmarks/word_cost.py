"""Precision at given recalls of quasi identifiers, by what a mask costs: each entity the
same, or each word (`word_cost` of `spacy_deid.weighted.v1`).

    python benchmarks/word_cost.py --data assets/data --output metrics/word_cost.json

The dev documents, spans and votes of the pipeline's own detectors and indicators; only
the decision changes. What counts is the text that comes out, repetitions included.
Precision between two thresholds is interpolated.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import spacy_deid
from spacy_deid.cli.evaluate import load_golds
from spacy_deid.evaluation.privacy import PrivacyCounts
from spacy_deid.records.results import read_doc

CORPORA = {"court_cases": "tab", "biographies": "wiki_biographies"}
COSTS = (0.0, 0.5, 1.0)
RECALLS = {"court_cases": (0.86, 0.88, 0.9), "biographies": (0.76, 0.78, 0.8)}
# Of log-odds for an entity of one word.
THRESHOLDS = [0.02 * 1.15**i for i in range(24)]


def curve(nlp: Any, path: Path, cost: float) -> list[tuple[float, float, float]]:
    """Threshold, recall of quasi identifiers and precision."""
    golds = load_golds(path)
    scorer, writer = nlp.get_pipe("risk_scorer"), nlp.get_pipe("pseudonymizer")
    with nlp.select_pipes(disable=["risk_scorer", "pseudonymizer"]):
        docs = list(nlp.pipe(gold.text for gold in golds))
    probabilities = scorer.predict(docs)
    rows = []
    for threshold in THRESHOLDS:
        scorer.combine.threshold, scorer.combine.word_cost = threshold, cost
        scorer.set_annotations(docs, probabilities)
        counts = PrivacyCounts(None)
        for gold, doc in zip(golds, docs):
            replacements = read_doc(writer(doc)).replacements
            counts.add(gold, [(row.start, row.end) for row in replacements])
        found = counts.metrics()
        rows.append((threshold, found["entity_recall_quasi"], found["precision"]))
    return rows


def precision_at(
    recall: float, rows: Sequence[tuple[float, float, float]]
) -> float | None:
    """Precision at a recall, between the two thresholds around it."""
    points = sorted((r, p) for _, r, p in rows)
    for (r0, p0), (r1, p1) in pairwise(points):
        if r0 <= recall <= r1:
            return p0 + (p1 - p0) * (recall - r0) / (r1 - r0) if r1 > r0 else p1
    return None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="en_deid_sm")
    parser.add_argument("--data", type=Path, default=Path("assets/data"))
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    nlp = spacy_deid.load(args.model)
    out: dict[str, Any] = {}
    for kind, folder in CORPORA.items():
        for cost in COSTS:
            rows = curve(nlp, args.data / folder / "dev.jsonl", cost)
            at = {str(r): precision_at(r, rows) for r in RECALLS[kind]}
            out.setdefault(kind, {})[str(cost)] = {"precision_at": at, "curve": rows}
            told = "  ".join(
                f"{r}: {'-' if p is None else format(p, '.3f')}" for r, p in at.items()
            )
            print(f"{kind:12} word_cost {cost:g}  {told}", flush=True)
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(out, indent=2) + "\n", "utf8")


if __name__ == "__main__":
    main()
