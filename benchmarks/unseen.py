"""What a pipeline does on kinds of text that it was not trained on.

    python benchmarks/unseen.py OWN BASE [BASE ...] [--folds 5] [--steps 3000]

OWN is a folder of our own documents, a file a kind (`assets/corpora/en/train`); BASE are
the other inputs of `spacy deid convert`, weights included. The kinds are dealt to folds;
for each fold a recognizer and a risk scorer are trained on all other kinds and BASE, and
the assembled pipeline is measured on the kinds left out, as `benchmarks/kinds.py` does.
Takes about a quarter of an hour a fold.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from kinds import measure_own, show  # beside this file

import spacy_deid

CONFIGS = Path(__file__).parents[1] / "configs"
# How often our own documents are read for once of the others, as in the workflow.
WEIGHT = 8


def run(*args: object) -> None:
    subprocess.run([sys.executable, "-m", *map(str, args)], check=True)


def train(config: str, folder: Path, name: str, steps: int, *overrides: str) -> Path:
    """Train a component on what stands in the folder."""
    steps_as = ["--training.max_steps", steps, "--training.eval_frequency", steps]
    corpora = [
        "--paths.train",
        folder / f"{name}.spacy",
        "--paths.dev",
        folder / "dev.spacy",
    ]
    out = folder / f"{name}_model"
    run(
        "spacy",
        "train",
        CONFIGS / config,
        "--output",
        out,
        *corpora,
        *steps_as,
        *overrides,
    )
    return out / "model-last"


def measure_fold(
    files: list[Path], left_out: list[Path], args: argparse.Namespace
) -> dict:
    """Train without some kinds, measure on them."""
    folder = args.work / left_out[0].stem
    for name, chosen in (("own", set(files) - set(left_out)), ("unseen", left_out)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for file in chosen:
            shutil.copy(file, folder / name)
    own, convert = folder / "own", ("spacy", "deid", "convert")
    run(*convert, *args.base, f"tab*{WEIGHT}:{own}", folder / "ner.spacy")
    run(*convert, *args.decisions, f"tab:{own}", folder / "risk.spacy")
    run(*convert, f"tab:{own}", folder / "dev.spacy", "--limit", "20")
    total = "--training.optimizer.learn_rate.total_steps"
    ner = train(
        "pii_ner_words.cfg",
        folder,
        "ner",
        args.steps,
        total,
        str(args.steps),
        "--vars.swap",
        "1.0",
    )
    threshold = f"pii_ner.o_threshold={args.o_threshold}"
    assemble = ("spacy_deid.assemble",)
    run(
        *assemble,
        CONFIGS / "detectors.cfg",
        folder / "detectors",
        "--paths.ner",
        ner,
        "--set",
        threshold,
    )
    detectors = ("--paths.detectors", str(folder / "detectors"))
    risk = train("risk.cfg", folder, "risk", 1500, *detectors, "--system.seed", "2")
    run(
        *assemble,
        CONFIGS / "deid.cfg",
        folder / "deid",
        *detectors,
        "--paths.risk",
        risk,
    )
    return measure_own(spacy_deid.load(folder / "deid"), [folder / "unseen"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("own", type=Path)
    parser.add_argument("base", nargs="*", help="inputs of `spacy deid convert`")
    parser.add_argument(
        "--decisions", nargs="*", default=[], help="inputs with decisions"
    )
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--o-threshold", type=float, default=0.8)
    parser.add_argument("--work", type=Path, default=Path("training/unseen"))
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    files = sorted(args.own.glob("*.txt"))
    out = {}
    for i in range(args.folds):
        found = measure_fold(files, files[i :: args.folds], args)
        out.update(
            {
                f"{name}, fold {i}" if name in ("all", "impersonal") else name: row
                for name, row in found.items()
            }
        )
        show(f"fold {i}", found)
    if args.output is not None:
        args.output.write_text(json.dumps(out, indent=1), encoding="utf8")


if __name__ == "__main__":
    main()
