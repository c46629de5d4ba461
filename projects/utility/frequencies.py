"""How often each value of each type is in the texts that a config learns from, for value
dissociation (paper 4): `spacy_deid.corpus_policy.v1` draws from them.

    python frequencies.py CONFIG.cfg OUTPUT.jsonl [--set NAME=VALUE ...]
"""

import argparse
from collections import Counter
from pathlib import Path

from spacy_deid.cli.utility import read_setup
from spacy_deid.surrogates.strategies.policies import write_frequencies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("config", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--set", action="append", default=[])
    args = parser.parse_args()

    setup = read_setup(args.config, args.set)
    counts: Counter[tuple[str, str]] = Counter()
    for sample in setup["train"]:
        for start, end, label, number in sample.spans:
            kind = setup["types"].get(label, "").partition(":")[0]
            if kind:
                counts[kind, sample.texts[number][start:end]] += 1
    args.output.parent.mkdir(parents=True, exist_ok=True)
    write_frequencies(args.output, counts)


if __name__ == "__main__":
    main()
