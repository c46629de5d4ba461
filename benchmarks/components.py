"""What each component of a pipeline takes of its time, and what speed it keeps with it:
seconds of the pipeline without the component over seconds with it.

    python benchmarks/components.py --data assets/data --output metrics/components.json

Without the risk scorer every span is masked, as `--mask all` does. Processor seconds of
this process, pipelines in turns, of each batch the least of the rounds: others on the
machine only ever add to it.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os

# Before any library starts its threads.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import time
from pathlib import Path
from typing import Any

from spacy.language import Language

import spacy_deid
from spacy_deid.corpora.readers import read_records

CORPORA = {"court_cases": "tab", "biographies": "wiki_biographies"}
# Documents at a time.
BATCH = 10
# Others need what these write.
REMOVABLE = ("risk_scorer", "pseudonymizer")


def measure(nlp: Language, texts: list[str], rounds: int) -> dict[str, Any]:
    """Seconds with all components and without each, and the share of speed kept."""
    cases = {"all": [], **{name: [name] for name in REMOVABLE}}
    batches = [texts[i : i + BATCH] for i in range(0, len(texts), BATCH)]
    # Of each batch by itself: a quiet moment is shorter than a round.
    least = {case: [math.inf] * len(batches) for case in cases}
    for _ in range(rounds):
        for i, batch in enumerate(batches):
            for case, disable in cases.items():
                with nlp.select_pipes(disable=disable):
                    gc.collect()
                    start = time.process_time()
                    for _ in nlp.pipe(batch):
                        pass
                    took = time.process_time() - start
                least[case][i] = min(took, least[case][i])
    seconds = {case: sum(rows) for case, rows in least.items()}
    return {
        "characters": sum(map(len, texts)),
        "seconds": seconds["all"],
        "seconds_without": {name: seconds[name] for name in REMOVABLE},
        "speed_kept": {name: seconds[name] / seconds["all"] for name in REMOVABLE},
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="en_deid_sm")
    parser.add_argument("--data", type=Path, default=Path("assets/data"))
    parser.add_argument("--output", type=Path)
    parser.add_argument("--rounds", type=int, default=30)
    args = parser.parse_args()
    nlp = spacy_deid.load(args.model)
    pipe: Any = nlp.get_pipe("pseudonymizer")
    pipe.set_key("the key of a benchmark")
    out: dict[str, Any] = {}
    for kind, folder in CORPORA.items():
        records = read_records(args.data / folder / "dev.jsonl")
        out[kind] = measure(nlp, [r["text"] for r in records], args.rounds)
    parts = [out[kind] for kind in CORPORA]
    whole = sum(part["seconds"] for part in parts)
    out["together"] = {
        "speed_kept": {
            name: sum(part["seconds_without"][name] for part in parts) / whole
            for name in REMOVABLE
        }
    }
    text = json.dumps(out, indent=2)
    print(text)
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(text + "\n", "utf8")


if __name__ == "__main__":
    main()
