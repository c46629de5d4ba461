"""What a silver corpus is worth: one recognizer trained on it, on gold, and on both.

    python benchmarks/silver.py --data assets/data --work training/silver

After Papadopoulou et al. (2023), table 3: token-level precision, recall and F1 with and
without label match, micro-averaged over annotators, here on the dev documents of both
corpora. The annotator of the silver corpus has seen neither: it is spaCy's `ner` for
persons, places and organisations, trained on tweets and on synthetic documents, with the
package's patterns and terms. All recognizers have the same config and the same number of
steps. Each stage leaves its files in --work and is skipped if they are there, so that
`--only` can run them one at a time.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import compounding, filter_spans, minibatch

from spacy_deid.corpora.convert import blank_pipeline, write_docbin
from spacy_deid.corpora.readers import group_annotators, make_gold_doc, read_records
from spacy_deid.corpora.silver import silver_doc
from spacy_deid.label_schemes import make_label_scheme

ROOT = Path(__file__).parents[1]
CONFIG = ROOT / "configs" / "pii_ner_tok2vec.cfg"
GOLD = ("tab", "wiki_biographies")
RAW = ("echr_unlabelled/judgments.jsonl", "wiki_biographies/articles.jsonl")
NER_LABELS = {"PERSON": "PER", "LOC": "LOC", "ORG": "ORG"}
NER_MODEL = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "ner",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "nO": None,
}
# Gold documents are few; they are seen as often as in training for release.
COPIES = {"tab": 2, "wiki_biographies": 4}


# --- the annotator ---


def entity_docs(nlp: Language, data: Path, synthetic: Path) -> list[Doc]:
    """Documents with persons, places and organisations in `doc.ents`."""
    sources = [
        (data / "btc" / "train.jsonl", "btc"),
        (data / "wnut17" / "train.jsonl", "wnut17"),
        (synthetic, "tab"),
    ]
    docs = []
    for path, scheme in sources:
        labels = make_label_scheme(scheme)
        for records in group_annotators(read_records(path)):
            doc = make_gold_doc(nlp, records, labels)
            spans = [s for s in doc.spans["pii"] if s.label_ in NER_LABELS]
            doc.set_ents(
                [
                    spacy.tokens.Span(doc, s.start, s.end, NER_LABELS[s.label_])
                    for s in filter_spans(spans)
                ]
            )
            docs.append(doc)
    return docs


def train_annotator(data: Path, work: Path, steps: int, synthetic: int) -> Path:
    """A generic recognizer of named entities that has seen neither gold corpus."""
    output = work / "annotator"
    if (output / "meta.json").exists():
        return output
    made = work / "synthetic.jsonl"
    if not made.exists():
        run("synth", str(made), "--n", str(synthetic), "--seed", "7")
    nlp = blank_pipeline("en")
    tok2vec = spacy.util.load_config(CONFIG)["components"]["pii_ner"]["model"][
        "tok2vec"
    ]
    ner: Any = nlp.add_pipe("ner", config={"model": {**NER_MODEL, "tok2vec": tok2vec}})
    for label in NER_LABELS.values():
        ner.add_label(label)
    docs = entity_docs(nlp, data, made)
    random.seed(0)
    spacy.util.fix_random_seed(0)
    optimizer = nlp.initialize()
    step = 0
    while step < steps:
        random.shuffle(docs)
        for batch in minibatch(docs, compounding(16.0, 64.0, 1.01)):
            examples = [Example(nlp.make_doc(doc.text), doc) for doc in batch]
            nlp.update(examples, sgd=optimizer, drop=0.2)
            step += 1
            if step >= steps:
                break
    with nlp.use_params(optimizer.averages):
        nlp.to_disk(output)
    return output


def run(*args: str) -> None:
    """Run a command of `spacy deid`."""
    subprocess.run([sys.executable, "-m", "spacy", "deid", *args], check=True)


def make_silver(data: Path, work: Path, annotator: Path, limit: int) -> list[Path]:
    """Annotate the raw corpora, evaluation documents left out."""
    outputs = []
    exclude = [
        option
        for corpus in GOLD
        for option in ("--exclude", str(data / corpus / "dev.jsonl"))
    ]
    for name in RAW:
        output = work / f"silver_{Path(name).stem}.jsonl"
        outputs.append(output)
        if output.exists():
            continue
        options = ["--model", str(annotator), "--scheme", "conll", *exclude]
        options += ["--report", str(output.with_suffix(".report.json"))]
        options += ["--limit", str(limit)] if limit else []
        run("silver", str(data / name), str(output), *options)
    return outputs


# --- the recognizers ---


def make_corpora(data: Path, work: Path, silver: Iterable[Path]) -> dict[str, Path]:
    """Training files of gold, silver and both."""
    paths = {name: work / f"{name}.spacy" for name in ("gold", "silver", "mixed")}
    if all(path.exists() for path in paths.values()):
        return paths
    nlp = blank_pipeline("en")
    labels = make_label_scheme()
    gold: list[Doc] = []
    for corpus in GOLD:
        records = group_annotators(read_records(data / corpus / "train.jsonl"))
        docs = [make_gold_doc(nlp, annotations, labels) for annotations in records]
        gold.extend(docs * COPIES[corpus])
    made = [silver_doc(nlp, r) for path in silver for r in read_records(path)]
    # As many tokens of gold as of silver in the mixture.
    copies = max(1, round(count_tokens(made) / count_tokens(gold)))
    rng = random.Random(0)
    for name, docs in (
        ("gold", gold),
        ("silver", made),
        ("mixed", [*made, *gold * copies]),
    ):
        rng.shuffle(docs)
        write_docbin(docs, paths[name])
    return paths


def count_tokens(docs: Iterable[Doc]) -> int:
    return sum(map(len, docs))


def train(
    work: Path,
    name: str,
    corpus: Path,
    steps: int,
    *,
    start: Path | None = None,
    augmenter: str | None = None,
) -> Path:
    """Train a recognizer with the config that the package uses.

    work (Path): Folder for the result.
    name (str): Its name.
    corpus (Path): Training file.
    steps (int): Number of updates; no dev data is looked at on the way.
    start (Path): A trained recognizer to go on with.
    augmenter (str): Registered augmenter, or None.
    RETURNS (Path): The trained pipeline.
    """
    output = work / name / "model-last"
    if (output / "meta.json").exists():
        return output
    config = spacy.util.load_config(CONFIG)
    config["paths"] = {"train": str(corpus), "dev": str(work / "dev.spacy")}
    config["training"].update(max_steps=steps, eval_frequency=steps, patience=0)
    rate = config["training"]["optimizer"]["learn_rate"]
    rate.update(total_steps=int(steps * 1.25), warmup_steps=min(250, steps // 4))
    if augmenter is not None:
        block = {"@augmenters": augmenter, "level": 0.5}
        config["corpora"]["train"]["augmenter"] = block
    if start is not None:
        config["components"]["pii_ner"] = {"source": str(start)}
    path = work / f"{name}.cfg"
    config.to_disk(path)
    from spacy.cli.train import train as spacy_train

    spacy_train(path, work / name)
    return output


# --- evaluation ---


def evaluate(nlp: Language, path: Path) -> dict[str, float]:
    """Token-level scores on annotated documents, micro-averaged over annotators.

    nlp (Language): The recognizer.
    path (Path): JSON lines.
    RETURNS (dict[str, float]): `p`, `r`, `f` of tokens found whatever their type, and
        `p_label`, `r_label`, `f_label` of tokens with the right type.
    """
    labels = make_label_scheme()
    counts: Counter[str] = Counter()
    for records in group_annotators(read_records(path)):
        doc = nlp(records[0]["text"])
        found = token_labels(doc, "pii_ner")
        for record in records:
            gold = token_labels(make_gold_doc(nlp, [record], labels), "pii")
            counts["found"] += len(found)
            counts["gold"] += len(gold)
            counts["hit"] += len(found.keys() & gold.keys())
            counts["right"] += len(found.items() & gold.items())
    scores = {}
    for suffix, hits in (("", counts["hit"]), ("_label", counts["right"])):
        p, r = hits / max(counts["found"], 1), hits / max(counts["gold"], 1)
        f = 2 * p * r / max(p + r, 1e-9)
        scores.update({f"p{suffix}": p, f"r{suffix}": r, f"f{suffix}": f})
    return {name: round(value, 4) for name, value in scores.items()}


def token_labels(doc: Doc, key: str) -> dict[int, str]:
    """Type of each token inside a span, without punctuation and white space."""
    return {
        token.idx: span.label_
        for span in doc.spans.get(key, [])
        for token in span
        if not token.is_punct and not token.is_space
    }


def table(rows: dict[str, dict[str, dict[str, float]]]) -> str:
    """Results as Markdown."""
    names = ("p", "r", "f", "p_label", "r_label", "f_label")
    head = ["trained on", "dev documents", "P", "R", "F1"]
    head += ["P, label", "R, label", "F1, label"]
    lines = [" | ".join(head), " | ".join(["---"] * 2 + ["---:"] * 6)]
    for name, corpora in rows.items():
        for corpus, scores in corpora.items():
            values = [f"{scores[n]:.3f}" for n in names]
            lines.append(" | ".join([name, corpus, *values]))
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT / "assets" / "data")
    parser.add_argument("--work", type=Path, default=ROOT / "training" / "silver")
    parser.add_argument("--output", type=Path, help="results: FILE.json and FILE.md")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--ner-steps", type=int, default=400)
    parser.add_argument("--synthetic", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=500, help="raw documents a corpus")
    parser.add_argument("--only", help="stop after: annotator, silver, or one row")
    args = parser.parse_args()
    data, work, steps = args.data, args.work, args.steps
    work.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    annotator = train_annotator(data, work, args.ner_steps, args.synthetic)
    if args.only == "annotator":
        return
    silver = make_silver(data, work, annotator, args.limit)
    paths = make_corpora(data, work, silver)
    if not (work / "dev.spacy").exists():
        # Only for the config: training stops after a fixed number of steps.
        write_docbin(
            list(
                DocBin().from_disk(paths["gold"]).get_docs(blank_pipeline("en").vocab)
            )[:1],
            work / "dev.spacy",
        )
    if args.only == "silver":
        return
    swap = "spacy_deid.entity_swap.v1"
    half = steps // 2
    makers: dict[str, Callable[[], Path]] = {
        "silver": lambda: train(work, "silver", paths["silver"], steps),
        "gold": lambda: train(work, "gold", paths["gold"], steps),
        "gold, entities swapped": lambda: train(
            work, "gold_swap", paths["gold"], steps, augmenter=swap
        ),
        "silver, then gold": lambda: train(
            work,
            "silver_gold",
            paths["gold"],
            half,
            start=train(work, "silver_half", paths["silver"], half),
        ),
        "silver and gold mixed": lambda: train(work, "mixed", paths["mixed"], steps),
        "silver and gold mixed, entities swapped": lambda: train(
            work, "mixed_swap", paths["mixed"], steps, augmenter=swap
        ),
    }
    rows: dict[str, dict[str, dict[str, float]]] = {}
    for name, make in makers.items():
        scores = work / f"{name.replace(', ', '_').replace(' ', '_')}.scores.json"
        if not scores.exists() and args.only in (None, name):
            nlp = spacy.load(make())
            found = {c: evaluate(nlp, data / c / "dev.jsonl") for c in GOLD}
            scores.write_text(json.dumps(found), encoding="utf8")
        if scores.exists():
            rows[name] = json.loads(scores.read_text(encoding="utf8"))
    print(table(rows))
    if args.output is not None:
        report = {
            "steps": steps,
            "ner_steps": args.ner_steps,
            "raw_documents": sum(1 for path in silver for _ in read_records(path)),
            "seconds": round(time.perf_counter() - started),
            "rows": rows,
        }
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.with_suffix(".md").write_text(table(rows), encoding="utf8")
        text = json.dumps(report, indent=2) + "\n"
        args.output.with_suffix(".json").write_text(text, encoding="utf8")


if __name__ == "__main__":
    main()
