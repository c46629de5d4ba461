"""Attacks on de-identified documents: what each strategy leaves to go by.

    pip install -e ".[benchmark]"
    python benchmarks/attacks.py --data assets/data --output metrics/attacks.json

Hiding in plain sight: court cases and biographies are de-identified by their gold
annotation, a random 5 to 10 % of the names in each left in, and an attacker trained on
other documents tells these from the surrogates.

Linkage: de-identified leads of Wikipedia biographies are matched with the articles that
they were taken from, one of which is about the same person.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

import spacy_deid
from spacy_deid.corpora.convert import blank_pipeline
from spacy_deid.corpora.readers import make_gold_doc, read_records
from spacy_deid.evaluation.attacks import (
    NAME_LABELS,
    Release,
    Scorer,
    lexicon_scorer,
    mask_gold,
    measure,
    release_often,
    train_attacker,
)
from spacy_deid.evaluation.linkage import TfidfMatcher, chance, measure_linkage
from spacy_deid.label_schemes import make_label_scheme
from spacy_deid.pseudonymizer import Pseudonymizer
from spacy_deid.surrogates.strategies.base import SHORT_NAMES

# Strategies that write names where there were names.
HIDING = (
    "named_placeholder",
    "word_by_word",
    "spacy_deid.random_replacement.v1",
    "full_entity",
)
CORPORA = ("tab", "wiki_biographies")
# The attacker may leave as many in as makes it learn best.
TRAIN_SHARE, TRAIN_REPEATS, TEST_REPEATS = (0.2, 0.4), 3, 8


def read_gold(nlp: Language, paths: Iterable[Path]) -> list[Doc]:
    scheme = make_label_scheme("tab")
    return [
        make_gold_doc(nlp, [record], scheme)
        for path in paths
        for record in read_records(path)
    ]


def blank_pseudonymizer(nlp: Language, strategy: str, mask: str) -> Pseudonymizer:
    pipe: Any = nlp.create_pipe("pseudonymizer", config={"mask": mask})
    pipe.strategy = strategy
    return pipe


def attack(
    releases: Sequence[Release], groups: Sequence[int], attackers: dict[str, Any]
) -> dict[str, Any]:
    """What each attacker gains, over all names and by type."""
    out: dict[str, Any] = {}
    for name, (scorer, threshold) in attackers.items():
        known: dict[int, Any] = {}

        def cached(each: Release, scorer: Scorer = scorer, known=known) -> Any:
            if id(each) not in known:
                known[id(each)] = scorer(each)
            return known[id(each)]

        out[name] = measure(releases, cached, threshold, groups=groups)
        out[name]["per_type"] = {
            label: measure(releases, cached, threshold, (label,), groups)
            for label in NAME_LABELS
        }
    return out


def hiding(data: Path, strategies: Sequence[str], repeats: int) -> dict[str, Any]:
    nlp = blank_pipeline("en")
    train = read_gold(nlp, [data / c / "train.jsonl" for c in CORPORA])
    dev = read_gold(nlp, [data / c / "dev.jsonl" for c in CORPORA])
    out: dict[str, Any] = {}
    for strategy in strategies:
        pipe = blank_pseudonymizer(nlp, strategy, "all")
        learnt, _ = release_often(train, pipe, TRAIN_REPEATS, TRAIN_SHARE, seed=1)
        attackers = {
            # A name with a word that no list has, and one that is unlike the rest.
            "lexicon": (lexicon_scorer(), 0.0),
            "regression": (train_attacker(learnt), 0.5),
        }
        releases, groups = release_often(dev, pipe, repeats, seed=2)
        out[strategy] = attack(releases, groups, attackers)
    return out


def detect(model: Language, texts: Sequence[str]) -> list[Doc]:
    """Documents as the pipeline's pseudonymizer gets them."""
    with model.select_pipes(disable=["pseudonymizer"]):
        return list(model.pipe(texts))


def linkage(data: Path, model: Language, strategies: Sequence[str]) -> dict[str, Any]:
    folder = data / "wiki_biographies"
    articles = list(read_records(folder / "articles.jsonl"))
    index = {article["title"]: i for i, article in enumerate(articles)}
    records = [
        record
        for part in ("train", "dev")
        for record in read_records(folder / f"{part}.jsonl")
    ]
    answers = [index[record["doc_id"]] for record in records]
    # Titles are names in lower case, words joined by hyphens.
    matcher = TfidfMatcher(
        [f"{a['title'].replace('-', ' ')}\n{a['text']}" for a in articles]
    )
    nlp = blank_pipeline("en")
    golds = read_gold(nlp, [folder / "train.jsonl", folder / "dev.jsonl"])
    sources = {
        "gold": [mask_gold(doc) for doc in golds],
        "pipeline": detect(model, [doc.text for doc in golds]),
    }
    texts = [record["text"] for record in records]
    out: dict[str, Any] = {
        "chance": chance(len(articles)),
        "before": measure_linkage(matcher(texts), answers),
    }
    for source, docs in sources.items():
        for mask in ("all", "risky"):
            rows = out[f"{source}_{mask}"] = {}
            for strategy in strategies:
                pipe = blank_pseudonymizer(nlp, strategy, mask)
                pipe.set_key("the key of a benchmark")
                after = [pipe(doc.copy())._.deid_text for doc in docs]
                rows[strategy] = measure_linkage(matcher(after), answers)
    return out


def rounded(value: Any) -> Any:
    """Four digits are more than the samples are good for."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(v) for v in value]
    return round(value, 4) if isinstance(value, float) else value


def format_report(report: dict[str, Any]) -> str:
    lines = []
    for strategy, attackers in report.get("hiding", {}).items():
        for attacker, row in attackers.items():
            for label, r in [("all", row), *row["per_type"].items()]:
                lines.append(
                    f"{strategy:34}{attacker:11}{label:7}"
                    f"{r['originals']:5}/{r['surrogates']:<6}"
                    f"advantage {r['advantage']} {r['confidence']['advantage']} "
                    f"auc {r['auc']} {r['confidence']['auc']}"
                )
    for source, rows in report.get("linkage", {}).items():
        rows = {"": rows} if "top1" in rows else rows
        for strategy, r in rows.items():
            lines.append(
                f"{source:15}{strategy:20}top1 {r['top1']:.3f}  top10 "
                f"{r['top10']:.3f}  mrr {r['mrr']:.3f}"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="en_deid_sm")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--only", choices=("hiding", "linkage"))
    parser.add_argument("--strategies", nargs="+")
    parser.add_argument("--repeats", type=int, default=TEST_REPEATS)
    args = parser.parse_args()
    start = time.perf_counter()
    report: dict[str, Any] = {}
    if args.only != "linkage":
        strategies = args.strategies or HIDING
        report["hiding"] = hiding(args.data, strategies, args.repeats)
    if args.only != "hiding":
        strategies = args.strategies or SHORT_NAMES
        model = spacy_deid.load(args.model)
        report["linkage"] = linkage(args.data, model, strategies)
    report = rounded(report)
    print(format_report(report))
    print(f"{time.perf_counter() - start:.0f} s")
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
