"""`python -m spacy_deid.corpora.synthetic N OUT`: the corpus as JSON lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from . import KINDS, generate


def main(argv: Sequence[str] | None = None) -> None:
    """Write a synthetic corpus as JSON lines."""
    parser = argparse.ArgumentParser(description="Write a synthetic corpus.")
    parser.add_argument("n", type=int, help="number of documents")
    parser.add_argument("output", help="JSON lines file, or - for standard output")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="*", choices=sorted(KINDS), default=None)
    args = parser.parse_args(argv)
    if args.output == "-":
        for record in generate(args.n, args.seed, args.kinds):
            sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
        return
    path = Path(args.output)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".part")
    with partial.open("w", encoding="utf8") as out:
        for record in generate(args.n, args.seed, args.kinds):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    partial.replace(path)


if __name__ == "__main__":
    main()
