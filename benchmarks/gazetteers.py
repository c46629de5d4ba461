"""Compiled gazetteers beside spaCy's PhraseMatcher and EntityRuler, by number of terms.

    pip install -e ".[benchmark]"
    python benchmarks/gazetteers.py --data assets/data --plot metrics/gazetteers.svg

For 10,000, 100,000 and 1,000,000 terms: seconds to load what was prepared (the compiled
file; patterns saved by the EntityRuler; for the PhraseMatcher, which saves nothing of
use, adding the tokenized terms), memory added, and tokens a second on documents that
are tokenized already. All three ignore case. Ours is measured twice: the gazetteer
alone with the evidence for each match, and the whole component with alignment to
tokens and merging. Each figure is taken in a process of its own, one after the other;
speed is the best of three passes. The terms are made up from the words of the documents
and invented words, so that most words of a text begin some term.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIZES = (10_000, 100_000, 1_000_000)
SIDES = ("gazetteer", "component", "PhraseMatcher", "EntityRuler")
PASSES = 3
MAX_TOKENS = 120_000


def read_texts(data: Path | None) -> list[str]:
    """Court cases, or synthetic documents without data."""
    if data is not None:
        from spacy_deid.corpora.readers import read_records

        return [r["text"] for r in read_records(data / "tab" / "train.jsonl")]
    from spacy_deid.corpora.synthetic import generate

    return [r["text"] for r in generate(800, seed=1)]


def make_terms(texts: list[str], n: int, seed: int = 0) -> list[str]:
    """Different terms of one to five words. All but the last word of a term are drawn
    as often as they stand in the texts, so that most words of a text begin some term;
    the last one is any word of the vocabulary, or invented. Single words likewise."""
    rng = random.Random(seed)
    words = [w.strip(".,;:()\"'") for text in texts for w in text.split()]
    words = [w for w in words if w and w[0].isalpha()]
    vocabulary = sorted({w.lower() for w in words})

    def invented() -> str:
        return "".join(
            rng.choice("bcdfglmnprst") + rng.choice("aeiou")
            for _ in range(rng.randint(2, 4))
        )

    terms: dict[str, None] = {}
    while len(terms) < n:
        parts = rng.choices(words, k=rng.choice((0, 1, 1, 1, 2, 2, 3, 4)))
        real = rng.random() < (0.05 if parts else 0.01)
        parts.append(rng.choice(vocabulary) if real else invented())
        terms.setdefault(" ".join(parts).lower())
    return list(terms)


def memory() -> float:
    """Resident memory in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def prepare(folder: Path, terms: list[str]) -> None:
    """Everything that is made once."""
    import spacy

    from spacy_deid.gazetteers import Compiler, Entry
    from spacy_deid.gazetteers.frequencies import everyday_words

    (folder / "terms.json").write_text(json.dumps(terms))
    compiler = Compiler(everyday_words("en"))
    for i, term in enumerate(terms):
        compiler.add(Entry(term, "DEM", f"Q{i + 1}", f"P{i % 240 + 1}", i % 999))
    compiler.write(folder / "terms.gaz")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler", config={"phrase_matcher_attr": "LOWER"})
    ruler.add_patterns([{"label": "DEM", "pattern": term} for term in terms])  # type: ignore[attr-defined]
    ruler.to_disk(folder / "ruler")  # type: ignore[attr-defined]


def load(side: str, folder: Path, nlp: Any) -> Callable[[Any], Any]:
    """What is measured, as a function of a Doc."""
    if side == "gazetteer":
        from spacy_deid.gazetteers import Gazetteer, Words
        from spacy_deid.gazetteers.evidence import make_term_evidence

        gazetteer, evidence = Gazetteer.load(folder / "terms.gaz"), make_term_evidence()
        return lambda doc: list(gazetteer.matches(Words(doc.text), evidence, 0.2))
    if side == "component":
        pipe = nlp.get_pipe("pii_gazetteer")
        pipe.add_gazetteer(folder / "terms.gaz")
        return pipe
    if side == "EntityRuler":
        return nlp.add_pipe("entity_ruler").from_disk(folder / "ruler")
    from spacy.matcher import PhraseMatcher

    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    terms = json.loads((folder / "terms.json").read_text())
    matcher.add("DEM", list(nlp.tokenizer.pipe(terms)))
    return matcher


def measure(side: str, folder: Path, data: Path | None) -> dict[str, float]:
    """Figures of one side, in this process."""
    import spacy

    import spacy_deid  # noqa: F401

    nlp = spacy.blank("en")
    config = {"terms": None, "link": None, "propagate": None}
    nlp.add_pipe("pii_gazetteer", config=config).patterns = {}  # type: ignore[attr-defined]
    docs, tokens = [], 0
    for text in read_texts(data):
        docs.append(nlp.make_doc(text))
        tokens += len(docs[-1])
        if tokens >= MAX_TOKENS:
            break
    # What any of them imports is no part of loading.
    load("gazetteer", folder.parent / "none", nlp)(docs[0])
    before, start = memory(), time.perf_counter()
    run = load(side, folder, nlp)
    seconds = time.perf_counter() - start
    best = float("inf")
    for _ in range(PASSES):
        begin = time.process_time()
        for doc in docs:
            run(doc)
        best = min(best, time.process_time() - begin)
    return {
        "load_s": round(seconds, 4),
        "memory_mb": round(memory() - before, 1),
        "tokens_per_s": round(tokens / best),
    }


def plot(results: list[dict[str, Any]], path: Path) -> None:
    """Three curves over the number of terms, both axes logarithmic."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    titles = {
        "load_s": "seconds to load",
        "memory_mb": "MB of memory",
        "tokens_per_s": "tokens a second",
    }
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    for axis, (key, title) in zip(axes, titles.items()):
        for side in SIDES:
            rows = [r for r in results if r["side"] == side]
            values = [max(r[key], 1e-4) for r in rows]
            axis.loglog([r["terms"] for r in rows], values, marker="o", label=side)
        axis.set_title(title)
        axis.set_xlabel("terms")
        axis.grid(True, which="major", alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Prepare, measure in turns, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--output", type=Path, help="JSON")
    parser.add_argument("--plot", type=Path, help="SVG, needs matplotlib")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        side, folder = args.measure
        print(json.dumps(measure(side, Path(folder), args.data)))
        return
    texts = read_texts(args.data)
    results = []
    with tempfile.TemporaryDirectory() as name:
        small = Path(name) / "none"
        small.mkdir()
        prepare(small, ["a b"])
        for size in args.sizes:
            folder = Path(name) / str(size)
            folder.mkdir()
            prepare(folder, make_terms(texts, size))
            for side in SIDES:
                command = [sys.executable, __file__, "--measure", side, str(folder)]
                if args.data is not None:
                    command += ["--data", str(args.data)]
                out = subprocess.run(command, check=True, capture_output=True).stdout
                row = {"side": side, "terms": size, **json.loads(out)}
                if side == "gazetteer":
                    row["file_mb"] = round(
                        (folder / "terms.gaz").stat().st_size / 1e6, 1
                    )
                results.append(row)
                print(json.dumps(row), flush=True)
    print("\n| terms | | load, s | memory, MB | tokens/s |\n|---|---|---|---|---|")
    for row in results:
        print(
            f"| {row['terms']:,} | {row['side']} | {row['load_s']:.3f} | "
            f"{row['memory_mb']:.0f} | {row['tokens_per_s']:,} |"
        )
    if args.output is not None:
        args.output.write_text(json.dumps(results, indent=1) + "\n")
    if args.plot is not None:
        plot(results, args.plot)


if __name__ == "__main__":
    main()
