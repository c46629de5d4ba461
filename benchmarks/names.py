"""Person names found in several kinds of text: share of gold names wholly covered.

    python benchmarks/names.py PIPELINE --data FOLDER --output names.json

FOLDER has `btc`, `wnut17`, `tab` and `wiki_biographies` with a `dev.jsonl` each. Court
cases and biographies are read three times: as they are, with the names in capitals,
and with the whole text in lower case. E-mails, notes and chats are synthetic ones that
were not trained on (another seed of the same generator, so easier than real ones).

A name counts as found if every letter and digit of it lies in spans of any type;
mentions without any ("@" before a user name) are not counted. Precision is the share of
PERSON spans that touch a gold span of any type; it is given only where all types that
look like persons are annotated.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import spacy_deid
from spacy_deid.corpora.readers import read_records
from spacy_deid.corpora.synthetic import generate

PERSON = {"PER", "person", "PERSON"}
SYNTHETIC_SEED = 991


def in_capitals(record: dict[str, Any]) -> dict[str, Any]:
    text = list(record["text"])
    for mention in record["entity_mentions"]:
        if mention["entity_type"] in PERSON:
            for i in range(mention["start_offset"], mention["end_offset"]):
                # A letter with a capital of two letters stays: offsets must hold.
                text[i] = text[i].upper() if len(text[i].upper()) == 1 else text[i]
    return {**record, "text": "".join(text)}


def in_lower_case(record: dict[str, Any]) -> dict[str, Any]:
    text = "".join(c.lower() if len(c.lower()) == 1 else c for c in record["text"])
    return {**record, "text": text}


def measure(nlp, records: Iterable[dict[str, Any]]) -> dict[str, float | int]:
    records = list(records)
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
                if mention["entity_type"] in PERSON and chars:
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
        "recall": round(n_found / max(n_gold, 1), 3),
        "precision": round(n_right / max(n_predicted, 1), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pipeline", nargs="?", default="en_deid_sm")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    nlp = spacy_deid.load(args.pipeline)
    results: dict[str, dict[str, float | int]] = {}
    for name in ("btc", "wnut17", "tab", "wiki_biographies"):
        records = list(read_records(args.data / name / "dev.jsonl"))
        results[name] = measure(nlp, records)
        if name in ("tab", "wiki_biographies"):
            results[f"{name}, NAMES IN CAPITALS"] = measure(
                nlp, map(in_capitals, records)
            )
            results[f"{name}, all lower case"] = measure(
                nlp, map(in_lower_case, records)
            )
    for kind in ("email", "clinical", "chat"):
        records = list(generate(150, seed=SYNTHETIC_SEED, kinds=[kind]))
        results[f"synthetic {kind}"] = measure(nlp, records)
        results[f"synthetic {kind}, NAMES IN CAPITALS"] = measure(
            nlp, map(in_capitals, records)
        )
        results[f"synthetic {kind}, all lower case"] = measure(
            nlp, map(in_lower_case, records)
        )
    print(json.dumps(results, indent=2))
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(results, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
