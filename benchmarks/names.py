"""Person names found in tweets and posts: share of gold names wholly covered.

    python benchmarks/names.py PIPELINE --data FOLDER --output names.json

FOLDER has `btc/dev.jsonl` and `wnut17/dev.jsonl`. A name counts as found if every
letter and digit of it lies in spans of any type; mentions without any ("@" before a user
name) are not counted. Precision is the share of PERSON spans that touch a gold span of
any type.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import spacy_deid
from spacy_deid.corpora.readers import read_records

CORPORA = {"btc": "PER", "wnut17": "person"}


def measure(nlp, path: Path, label: str) -> dict[str, float | int]:
    records = list(read_records(path))
    n_gold = n_found = n_predicted = n_right = 0
    with nlp.select_pipes(disable=["risk_scorer", "pseudonymizer"]):
        docs = nlp.pipe(record["text"] for record in records)
        for record, doc in zip(records, docs):
            covered, annotated = set(), set()
            for span in doc.spans["pii"]:
                covered.update(range(span.start_char, span.end_char))
            for mention in record["entity_mentions"]:
                start, end = mention["start_offset"], mention["end_offset"]
                chars = {i for i in range(start, end) if record["text"][i].isalnum()}
                annotated.update(chars)
                if mention["entity_type"] == label and chars:
                    n_gold += 1
                    n_found += covered.issuperset(chars)
            for span in doc.spans["pii"]:
                if span.label_ == "PERSON":
                    n_predicted += 1
                    chars = range(span.start_char, span.end_char)
                    n_right += not annotated.isdisjoint(chars)
    return {
        "documents": len(records),
        "names": n_gold,
        "recall": n_found / n_gold,
        "precision": n_right / max(n_predicted, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pipeline", nargs="?", default="en_deid_sm")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    nlp = spacy_deid.load(args.pipeline)
    results = {
        name: measure(nlp, args.data / name / "dev.jsonl", label)
        for name, label in CORPORA.items()
    }
    print(json.dumps(results, indent=2))
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(results, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
