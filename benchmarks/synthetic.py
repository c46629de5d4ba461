"""What synthetic documents are worth: a small recognizer with and without them.

    python benchmarks/synthetic.py assets/data metrics/synthetic.json

As in table 5 of paper 5 the recognizer is trained on real documents (O), on synthetic
ones (S) and on both (O+S), and tested on real ones that no template was made from. All
conditions see the same number of words; with both, half of them are synthetic. Scores
are those of paper 5: a token counts as found if it has its own type, and F5 weighs
recall five times as much as precision. What has been measured stays in the output
file; a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.batchers import minibatch_by_words
from spacy.util import load_config, load_model_from_config

from spacy_deid.corpora.readers import make_gold_doc, read_docs
from spacy_deid.corpora.synthetic import generate
from spacy_deid.evaluation.privacy import f_score
from spacy_deid.label_schemes import make_label_scheme
from spacy_deid.schema import PII_KEY

CONFIG = Path(__file__).parents[1] / "configs" / "pii_ner_tok2vec.cfg"
BETA = 5


class Domain(NamedTuple):
    """Real documents, and synthetic ones of the same kinds.

    train (dict[str, str]): File of the training documents -> its label scheme.
    dev (dict[str, str]): Likewise for the test.
    kinds (tuple[str, ...]): Kinds of synthetic documents.
    types (tuple[str, ...]): Types that are scored.
    limit (int): At most so many training documents of each file.
    """

    train: dict[str, str]
    dev: dict[str, str]
    kinds: tuple[str, ...]
    types: tuple[str, ...]
    limit: int = 0


ALL = ("PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC")
DOMAINS = {
    "court cases": Domain(
        {"tab/train.jsonl": "tab"}, {"tab/dev.jsonl": "tab"}, ("court", "letter"), ALL
    ),
    "biographies": Domain(
        {"wiki_biographies/train.jsonl": "tab"},
        {"wiki_biographies/dev.jsonl": "tab"},
        ("biography", "news"),
        ALL,
    ),
    "persons in posts": Domain(
        {"btc/train.jsonl": "btc", "wnut17/train.jsonl": "wnut17"},
        {"btc/dev.jsonl": "btc", "wnut17/dev.jsonl": "wnut17"},
        ("post", "chat", "snippet"),
        ("PERSON",),
        limit=300,
    ),
}
CONDITIONS = ("O", "S", "O+S")


def real_docs(
    nlp: Language, data: Path, files: dict[str, str], limit: int = 0
) -> list[Doc]:
    """Annotated documents of some files.

    nlp (Language): Makes the tokens.
    data (Path): Folder of the corpora.
    files (dict[str, str]): File -> label scheme.
    limit (int): At most so many of each file.
    RETURNS (list[Doc]): The documents.
    """
    docs: list[Doc] = []
    for name, scheme in files.items():
        path = data / name
        docs += read_docs(nlp, path, make_label_scheme(scheme), limit=limit)
    return docs


def synthetic_docs(nlp: Language, n: int, seed: int, kinds: Sequence[str]) -> list[Doc]:
    """Synthetic documents.

    nlp (Language): Makes the tokens.
    n (int): How many.
    seed (int): Seed.
    kinds (Sequence[str]): Kinds.
    RETURNS (list[Doc]): The documents.
    """
    scheme = make_label_scheme("tab")
    return [make_gold_doc(nlp, [r], scheme) for r in generate(n, seed, kinds)]


def batches(docs: Sequence[Doc], words: int, seed: int) -> Iterator[list[Example]]:
    """Batches of about equal size, without end.

    docs (Sequence[Doc]): Reference documents.
    words (int): Words a batch.
    seed (int): Seed of the order.
    YIELDS (list[Example]): A batch.
    """
    rng = random.Random(seed)

    def endless() -> Iterator[Doc]:
        while True:
            yield from rng.sample(docs, len(docs))

    yield from minibatch_by_words(_pieces(endless()), words, discard_oversize=False)


def _pieces(docs: Iterator[Doc]) -> Iterator[Example]:
    for doc in docs:
        yield Example(Doc(doc.vocab, [t.text for t in doc], _spaces(doc)), doc)


def _spaces(doc: Doc) -> list[bool]:
    return [bool(token.whitespace_) for token in doc]


def train(
    parts: Sequence[Sequence[Doc]], steps: int, words: int, seed: int
) -> Language:
    """Train a recognizer, taking turns between parts of the training data.

    parts (Sequence[Sequence[Doc]]): Reference documents.
    steps (int): Number of updates.
    words (int): Words a batch.
    seed (int): Seed of the weights and of the order.
    RETURNS (Language): The pipeline.
    """
    config = load_config(CONFIG, overrides={"paths.train": "", "paths.dev": ""})
    config = config.interpolate()
    spacy.util.fix_random_seed(seed)
    nlp = load_model_from_config(config, auto_fill=True)
    sample = [e for part in parts for e in _pieces(iter(part[:20]))]
    optimizer = nlp.initialize(lambda: sample)
    sources = [batches(part, words, seed) for part in parts]
    warm = max(1, steps // 10)
    top = optimizer.learn_rate(0) if callable(optimizer.learn_rate) else 0.001
    top = max(float(top), 0.001)
    for step in range(steps):
        # Up and down in a straight line, as in the config.
        share = min((step + 1) / warm, (steps - step) / max(1, steps - warm))
        optimizer.learn_rate = top * share
        batch = next(sources[step % len(sources)])
        nlp.update(batch, sgd=optimizer, drop=0.2, annotates=[])
        optimizer.step_schedules()
    return nlp


def score(nlp: Language, docs: Sequence[Doc], types: Sequence[str]) -> dict[str, float]:
    """Token-level scores.

    nlp (Language): Trained pipeline.
    docs (Sequence[Doc]): Reference documents.
    types (Sequence[str]): Types that count.
    RETURNS (dict[str, float]): `f5`, `p`, `r` and `f1`.
    """
    counts: Counter = Counter()
    for gold in docs:
        found = nlp(Doc(nlp.vocab, [t.text for t in gold], _spaces(gold)))
        wanted, got = _token_types(gold, types), _token_types(found, types)
        for want, have in zip(wanted, got):
            counts["tp"] += bool(want) and want == have
            counts["fn"] += bool(want) and want != have
            counts["fp"] += bool(have) and want != have
    p = counts["tp"] / max(1, counts["tp"] + counts["fp"])
    r = counts["tp"] / max(1, counts["tp"] + counts["fn"])
    return {
        "f5": f_score(p, r, BETA) or 0.0,
        "p": p,
        "r": r,
        "f1": f_score(p, r) or 0.0,
    }


def _token_types(doc: Doc, types: Sequence[str]) -> list[str]:
    labels = [""] * len(doc)
    for span in doc.spans[PII_KEY]:
        if span.label_ in types:
            labels[span.start : span.end] = [span.label_] * len(span)
    return labels


def measure(data: Path, settings: dict[str, Any], output: Path) -> dict[str, Any]:
    """Train and test every condition that the output file lacks.

    data (Path): Folder of the corpora.
    settings (dict): `steps`, `words`, `n_synthetic`, `seeds` and `domains`.
    output (Path): JSON file, written after each training.
    RETURNS (dict): Its content.
    RAISES (ValueError): If it was measured with other settings.
    """
    base = {key: settings[key] for key in ("steps", "words", "n_synthetic")}
    result: dict[str, Any] = {"settings": base, "runs": {}}
    if output.exists():
        result = json.loads(output.read_text(encoding="utf8"))
        if result["settings"] != base:
            raise ValueError(f"{output}: measured with other settings; remove it")
    nlp = load_model_from_config(
        load_config(CONFIG, overrides={"paths.train": "", "paths.dev": ""}),
        auto_fill=True,
    )
    for seed in settings["seeds"]:
        for name in settings["domains"]:
            domain = DOMAINS[name]
            missing = [
                c for c in CONDITIONS if f"{name}/{c}/{seed}" not in result["runs"]
            ]
            if not missing:
                continue
            real = real_docs(nlp, data, domain.train, domain.limit)
            dev = real_docs(nlp, data, domain.dev)
            made = synthetic_docs(nlp, base["n_synthetic"], seed, domain.kinds)
            parts = {"O": [real], "S": [made], "O+S": [real, made]}
            for condition in missing:
                start = time.perf_counter()
                trained = train(parts[condition], base["steps"], base["words"], seed)
                scores = score(trained, dev, domain.types)
                result["runs"][f"{name}/{condition}/{seed}"] = scores
                write_json(output, result)
                took = time.perf_counter() - start
                print(
                    f"{name} {condition} seed {seed}: F5 {scores['f5']:.3f} "
                    f"({took:.0f} s)",
                    file=sys.stderr,
                    flush=True,
                )
    return result


def write_json(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(value, indent=2) + "\n", encoding="utf8")
    part.replace(path)


def table(result: dict[str, Any]) -> str:
    """The result as a Markdown table.

    result (dict): See `measure`.
    RETURNS (str): Means over the seeds, F5 with its deviation.
    """
    lines = [
        "| documents | trained on | F5 | P | R | F1 |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for name in DOMAINS:
        for condition in CONDITIONS:
            runs = [
                scores
                for key, scores in result["runs"].items()
                if key.startswith(f"{name}/{condition}/")
            ]
            if not runs:
                continue
            mean = {k: statistics.mean(run[k] for run in runs) for k in runs[0]}
            f5 = f"{mean['f5']:.3f}"
            if len(runs) > 1:
                f5 += f" ± {statistics.stdev(run['f5'] for run in runs):.3f}"
            lines.append(
                f"| {name} | {condition} | {f5} | "
                f"{mean['p']:.3f} | {mean['r']:.3f} | {mean['f1']:.3f} |"
            )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, help="folder of the corpora")
    parser.add_argument("output", type=Path, help="JSON file; a .md goes beside it")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--words", type=int, default=1000, help="words a batch")
    parser.add_argument("--n-synthetic", type=int, default=1000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--domains", nargs="+", choices=DOMAINS, default=list(DOMAINS))
    args = parser.parse_args(argv)
    try:
        result = measure(args.data, vars(args), args.output)
    except ValueError as error:
        print(f"synthetic: {error}", file=sys.stderr)
        return 1
    text = table(result)
    args.output.with_suffix(".md").write_text(text + "\n", encoding="utf8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
