"""Recognizers beside each other, by type, with the confusion of types.

    python benchmarks/compare.py GOLD.jsonl silver=PIPELINE gold=PIPELINE ...

As table 3 of Papadopoulou et al. (2023): precision, recall and F1 of tokens by type; over
all types with label match; and whatever the label. All recognizers read with the same
O-threshold. How tokens are counted is said in `strict.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from strict import OUTSIDE, confusion_table, markdown, measure, rate, reached, save

import spacy_deid
from spacy_deid.corpora.readers import read_records
from spacy_deid.label_schemes import make_label_scheme
from spacy_deid.schema import NER_KEY


def compare(
    pipelines: dict[str, str],
    groups: dict[str, list[dict[str, Any]]],
    scheme_name: str,
    o_threshold: float | None = None,
) -> dict[str, dict[str, Any]]:
    """Scores by group of documents, and in each by name of the recognizer."""
    scheme = make_label_scheme(scheme_name)
    results: dict[str, dict[str, Any]] = {name: {} for name in groups}
    for name, path in pipelines.items():
        nlp = spacy_deid.load(path)
        if not nlp.has_pipe("pii_ner"):
            raise ValueError(f"{path}: has no pii_ner")
        if o_threshold is not None:
            nlp.get_pipe("pii_ner").o_threshold = o_threshold  # type: ignore[attr-defined]
        for group, records in groups.items():
            layers = measure(nlp, records, scheme)
            results[group][name] = layers[f"{NER_KEY}, semantic"]
    return results


def side_by_side(scores: dict[str, dict[str, Any]]) -> str:
    """Scores of several recognizers on the same documents, as a table in Markdown."""
    labels = sorted({x for s in scores.values() for x in s["token"]["per_type"]})
    columns = ("P", "R", "F1", "R, any label")
    head = ["type", "tokens", *(f"{name}: {c}" for name in scores for c in columns)]
    rows = [head]
    first = next(iter(scores.values()))
    for label in labels:
        row = [label, f"{sum(first['confusion'].get(label, {}).values()):,}"]
        for found in scores.values():
            right = found["token"]["per_type"].get(label, {})
            values = [right.get(key) for key in "prf"] + [reached(found, label)]
            row.extend(map(rate, values))
        rows.append(row)
    total = sum(sum(r.values()) for x, r in first["confusion"].items() if x != OUTSIDE)
    for title, key in (("all, label match", "token"), ("all, any label", "token_any")):
        row = [title, f"{total:,}"]
        for found in scores.values():
            row.extend([*(rate(found[key][k]) for k in "prf"), ""])
        rows.append(row)
    return markdown(rows)


def tables(results: dict[str, dict[str, Any]]) -> str:
    """The comparison, and the confusion of each recognizer, in Markdown."""
    parts = []
    for group, scores in results.items():
        parts.append(f"### {group}\n\n{side_by_side(scores)}")
        for name, found in scores.items():
            parts.append(f"Of {name}:\n\n{confusion_table(found)}")
    return "\n".join(parts)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gold", type=Path, help="JSON lines")
    parser.add_argument("pipelines", nargs="+", metavar="NAME=PIPELINE")
    parser.add_argument("--scheme", default="tab", help="label scheme of the file")
    parser.add_argument("--o-threshold", type=float, help="of all recognizers")
    parser.add_argument("--by", metavar="FIELD", help="documents by a field's value")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--tables", type=Path, help="the tables, in Markdown")
    args = parser.parse_args(argv)
    try:
        pipelines = dict(given.split("=", 1) for given in args.pipelines)
        groups: dict[str, list[dict[str, Any]]] = {}
        for record in read_records(args.gold):
            name = str(record[args.by]) if args.by else args.gold.stem
            groups.setdefault(name, []).append(record)
        results = compare(pipelines, groups, args.scheme, args.o_threshold)
    except (KeyError, ValueError, OSError) as e:
        print(f"compare: {e}", file=sys.stderr)
        return 1
    text = tables(results)
    print(text, end="")
    save({args.output: json.dumps(results, indent=2) + "\n", args.tables: text})
    return 0


if __name__ == "__main__":
    sys.exit(main())
