"""Recognizers by cross-validation: architectures, what they learn from, and peers.

    python benchmarks/cross_validate.py EXPERIMENT.json --output FILE.json --report FILE.md
        [--work FOLDER] [--root FOLDER] [--only NAME] [--n-process 2] [--gpu-id 0]

An experiment is a JSON file:

- `title`, `lang`, `scheme` (label scheme of corpora and recognizers), `folds`;
- `unit`: `spans`, equal in place and label, or `tokens`, with BIO tags as labels;
  `average`: `weighted` (by how often a label is in the gold) or `micro`; `beta` of F;
- `corpora`: names and .spacy files, paths from --root; `set`: changes to all
  training configs;
- `models`: by name what stands in `[components.pii_ner.model]`;
- `runs`: by name what is trained and tested. `config`, `set`, `model`; `train`, `test`: names of
  corpora. What is in both is split by documents: each fold is read by a recognizer that has
  not seen it. Without such a corpus the folds are runs with seeds of their own.
  `empty`: so many documents without any entity are kept for each with one;
  `pseudonymize`: settings of `GoldPseudonymizer`, and `shuffle`; `tagged`: raw texts (JSON
  lines) by name and the run whose recognizer, having learnt from all of its corpora,
  annotates them to learn from; `rules`: what patterns find is added;
  `thresholds`: further O-thresholds to read with; `peer`: `rules` or `presidio` in place of
  a recognizer.
- `compare`: the run to which others are compared (each run may name another one), by the two-sided Wilcoxon signed-rank test
  on the F of folds (paper 2, section 4.2).

Each trained fold is kept in the folder `--work`, so that an interrupted command goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from spacy import util
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop

import spacy_deid  # noqa: F401
from spacy_deid.cli._options import use_gpu
from spacy_deid.corpora.convert import (
    convert,
    parse_input,
    training_tokenizer,
    write_docbin,
)
from spacy_deid.corpora.folds import fold_of
from spacy_deid.corpora.pseudonymized import GoldPseudonymizer, shuffle_sentences
from spacy_deid.corpora.readers import read_records
from spacy_deid.evaluation.privacy import f_score
from spacy_deid.label_schemes import gold_labels, make_label_scheme
from spacy_deid.schema import NER_KEY, PII_KEY, group_attr, subtype_of

Labelled = tuple[int, int, str]
# Of a fold, by O-threshold ("" for the recognizer's own): predicted, gold and right, by label.
Counts = dict[str, dict[str, list[int]]]
# What Presidio's entities are, by the mapping of paper 5, table 3.
PRESIDIO = {
    "PHONE_NUMBER": "PHONE_NUM",
    "PERSON": "NAME_STUDENT",
    "URL": "URL_PERSONAL",
    "EMAIL_ADDRESS": "EMAIL",
    "US_SSN": "ID_NUM",
}
SEED = 0
KEY_ENV = "CROSS_VALIDATE_KEY"


def read_docs(path: Path, vocab: Any) -> list[Doc]:
    return [*DocBin().from_disk(path).get_docs(vocab)]


class Experiment:
    """An experiment and the folder of its results."""

    def __init__(self, path: Path, work: Path, gpu_id: int = -1) -> None:
        self.setup = json.loads(path.read_text("utf8"))
        self.work = work
        self.gpu_id = gpu_id
        self.scheme = make_label_scheme(self.setup["scheme"])
        self.folds = self.setup["folds"]

    def jobs(self, only: Sequence[str]) -> list[tuple[str, int]]:
        names = [n for n in self.setup["runs"] if not only or n in only]
        return [(name, k) for name in names for k in range(self.folds)]

    def run(self, name: str) -> dict[str, Any]:
        return self.setup["runs"][name]

    def result_path(self, name: str, fold: int) -> Path:
        """Where the counts of a fold are kept, by all that they hang on."""
        facts = [self.setup[key] for key in ("lang", "scheme", "folds", "unit")]
        run = {k: v for k, v in self.run(name).items() if k != "compare"}
        facts += [run, self.setup.get("set"), self.setup["corpora"]]
        facts.append(self.setup.get("models", {}).get(self.run(name).get("model")))
        for by in self.run(name).get("tagged", {}).values():
            facts.append(self.run(by[1]))
        text = json.dumps(facts, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        return self.work / f"{digest}-{fold}.json"

    def corpora(self, names: Iterable[str]) -> Iterator[tuple[str, Doc]]:
        vocab = training_tokenizer(self.setup["lang"]).vocab
        for name in names:
            for doc in read_docs(Path(self.setup["corpora"][name]), vocab):
                yield name, doc

    def is_shared(self, run: Mapping[str, Any], corpus: str) -> bool:
        """Whether a run learns from a corpus that it is also tested on."""
        return corpus in run.get("train", ()) and corpus in run["test"]

    def tests(self, name: str, fold: int) -> list[Doc]:
        """The documents that a fold is tested on."""
        run = self.run(name)
        shared = any(self.is_shared(run, corpus) for corpus in run["test"])
        split = shared or "peer" in run
        return [
            doc
            for corpus, doc in self.corpora(run["test"])
            if not split or self.fold(doc) == fold
        ]

    def fold(self, doc: Doc) -> int:
        return fold_of(doc.text, self.folds)

    def learns_from(self, name: str, fold: int | None) -> list[Doc]:
        """What a fold learns from; all that there is with None for the fold."""
        run, rng = self.run(name), random.Random(SEED)
        docs = [
            doc
            for corpus, doc in self.corpora(run["train"])
            if not (self.is_shared(run, corpus) and self.fold(doc) == fold)
        ]
        for raw, by in run.get("tagged", {}).values():
            docs += self.tagged(Path(raw), by)
        if (share := run.get("empty")) is not None:
            full = [doc for doc in docs if len(doc.spans[PII_KEY])]
            empty = [doc for doc in docs if not len(doc.spans[PII_KEY])]
            rng.shuffle(empty)
            docs = full + empty[: round(share * len(full))]
        if (settings := dict(run.get("pseudonymize", {}))) or "pseudonymize" in run:
            shuffle = settings.pop("shuffle", False)
            nlp = training_tokenizer(self.setup["lang"])
            # The texts are not released: the same surrogates in each run.
            os.environ[KEY_ENV] = "of-no-use:the-texts-are-not-released"
            replace = GoldPseudonymizer(
                nlp, sentences=shuffle, key_env=KEY_ENV, **settings
            )
            docs = [replace(doc) for doc in docs]
            docs = shuffle_sentences(docs, rng) if shuffle else docs
        rng.shuffle(docs)
        return docs

    def tagged(self, raw: Path, by: str) -> list[Doc]:
        """Raw texts as a recognizer that has learnt from all documents annotates them."""
        digest = self.result_path(by, 0).stem.partition("-")[0]
        path = self.work / f"{digest}-{raw.stem}.spacy"
        if not path.exists():
            nlp = self.train(by, None)
            lines = path.with_suffix(".jsonl")
            with lines.open("w", encoding="utf8") as file:
                texts = [record["text"] for record in read_records(raw)]
                for i, doc in enumerate(nlp.pipe(texts)):
                    mentions = [
                        {"start_offset": a, "end_offset": b, "entity_type": label}
                        for a, b, label in _own(doc)
                    ]
                    record = {
                        "doc_id": i,
                        "text": doc.text,
                        "entity_mentions": mentions,
                    }
                    file.write(json.dumps(record) + "\n")
            source = parse_input(f"{self.setup['scheme']}@jsonl:{lines}")
            write_docbin(convert([source], self.setup["lang"]).train, path)
        return read_docs(path, training_tokenizer(self.setup["lang"]).vocab)

    def train(self, name: str, fold: int | None) -> Language:
        """A recognizer of a run."""
        run = self.run(name)
        docs = self.learns_from(name, fold)
        path = self.work / f"train-{os.getpid()}.spacy"
        few = self.work / f"few-{os.getpid()}.spacy"
        DocBin(docs=docs, store_user_data=True).to_disk(path)
        # Training asks for documents to look at before its first step.
        DocBin(docs=docs[:2], store_user_data=True).to_disk(few)
        overrides = {
            "paths.train": str(path),
            "paths.dev": str(few),
            "nlp.lang": self.setup["lang"],
            "system.seed": SEED if fold is None else fold,
            "components.pii_ner.scheme": self.setup["scheme"],
            "components.pii_ner.link": None,
            "components.pii_ner.propagate": None,
            "initialize.components.pii_ner.labels": self.setup["labels"],
            "training.patience": 0,
            "training.eval_frequency": 10**6,
            **self.setup.get("set", {}),
            **run.get("set", {}),
        }
        known = util.load_config(run["config"])
        overrides = {k: v for k, v in overrides.items() if _has(known, k)}
        config = util.load_config(run["config"], overrides=overrides)
        if "model" in run:
            model = self.setup["models"][run["model"]]
            config["components"]["pii_ner"]["model"] = model
        nlp, log = init_nlp(config, use_gpu=self.gpu_id), StringIO()
        train_loop(nlp, None, use_gpu=self.gpu_id, stdout=log, stderr=log)
        path.unlink()
        few.unlink()
        return nlp

    def reader(self, name: str, fold: int) -> Any:
        """What gives the labelled spans of texts, by O-threshold."""
        run = self.run(name)
        if run.get("peer") == "presidio":
            return _presidio(run["model"])
        rules = _rules(self.setup["lang"], self.scheme)
        if run.get("peer") == "rules":
            return lambda texts: {"": [rules(text) for text in texts]}
        nlp = self.train(name, fold)
        pipe: Any = nlp.get_pipe("pii_ner")
        own = pipe.o_threshold

        def read(texts: Sequence[str]) -> dict[str, list[list[Labelled]]]:
            out = {}
            for threshold in (None, *run.get("thresholds", ())):
                pipe.o_threshold = own if threshold is None else threshold
                found = [_own(doc) for doc in nlp.pipe(texts)]
                if run.get("rules"):
                    found = [_added(own, rules(t)) for own, t in zip(found, texts)]
                out["" if threshold is None else f"{threshold:g}"] = found
            return out

        return read

    def count(self, name: str, fold: int) -> Counts:
        """Counts of a fold."""
        docs = self.tests(name, fold)
        read = self.reader(name, fold)
        out: Counts = {}
        for threshold, found in read([doc.text for doc in docs]).items():
            table = out[threshold] = {}
            for doc, predicted in zip(docs, found):
                gold = _gold(doc, self.scheme)
                if self.setup["unit"] == "tokens":
                    predicted, gold = _tokens(doc, predicted), _tokens(doc, gold)
                _add(table, predicted, gold)
        return out


def _has(config: Any, path: str) -> bool:
    """Whether a config has the section that a setting belongs to."""
    for key in path.split(".")[:-1]:
        if key not in config:
            return False
        config = config[key]
    return True


def _own(doc: Doc) -> list[Labelled]:
    group = doc.spans.get(NER_KEY, ())
    return [(span.start_char, span.end_char, span.label_) for span in group]


def _gold(doc: Doc, scheme: Any) -> list[Labelled]:
    group = doc.spans[PII_KEY]
    pairs = zip(group, gold_labels(group, scheme))
    return [(s.start_char, s.end_char, label) for s, label in pairs if label]


def _added(own: list[Labelled], others: list[Labelled]) -> list[Labelled]:
    """The spans of one side, and those of the other that touch none of them."""
    free = [o for o in others if not any(o[0] < b and a < o[1] for a, b, _ in own)]
    return own + free


def _tokens(doc: Doc, spans: list[Labelled]) -> list[Labelled]:
    """The BIO tags of spans as spans of a token each."""
    out: dict[int, Labelled] = {}
    for start, end, label in spans:
        first = True
        for token in doc:
            if (
                start < token.idx + len(token)
                and token.idx < end
                and not token.is_space
            ):
                tag = f"{'B' if first else 'I'}-{label}"
                out.setdefault(token.i, (token.idx, token.idx + len(token), tag))
                first = False
    return [*out.values()]


def _add(
    table: dict[str, list[int]], predicted: list[Labelled], gold: list[Labelled]
) -> None:
    right = {*predicted} & {*gold}
    for i, side in enumerate(({*predicted}, {*gold}, right)):
        for *_, label in side:
            table.setdefault(label, [0, 0, 0])[i] += 1


@cache
def _rules(lang: str, scheme: Any) -> Any:
    """The package's patterns alone, in the labels of a scheme."""
    nlp = training_tokenizer(lang)
    nlp.add_pipe("pii_gazetteer")

    def read(text: str) -> list[Labelled]:
        doc, out = nlp(text), []
        group = doc.spans[PII_KEY]
        for span, source in zip(group, group_attr(group, "sources", "")):
            label = scheme.from_tab(span.label_, subtype_of(span.id_, source))
            if label and str(source).startswith("pattern"):
                out.append((span.start_char, span.end_char, label))
        return out

    return read


def _presidio(model: str) -> Any:
    """Presidio with all its recognizers and the entities of a spaCy pipeline."""
    sys.path.insert(0, str(Path(__file__).parent))
    # The saved recognizer needs what it names.
    import benchmarks_ents  # noqa: F401
    import speed

    folder = Path(model)
    if not folder.exists():
        speed.save_recognizer("en_deid_sm", folder)
    analyzer = speed.make_analyzer(str(folder))

    def read(texts: Sequence[str]) -> dict[str, list[list[Labelled]]]:
        out = []
        for text in texts:
            found = analyzer.analyze(text, language="en")
            # What is part of a longer one is not labelled twice (paper 5, section 5.1).
            found.sort(key=lambda r: (r.start - r.end, -r.score))
            kept: list[Labelled] = []
            for r in found:
                label = PRESIDIO.get(r.entity_type)
                if label:
                    kept = _added(kept, [(r.start, r.end, label)])
            out.append(kept)
        return {"": out}

    return read


def scores(
    table: Mapping[str, Sequence[int]], average: str, beta: float
) -> dict[str, float]:
    """Precision, recall and F, weighted by the labels' share in the gold, or of all
    labels together."""
    if average == "micro":
        predicted, gold, right = (
            sum(row[i] for row in table.values()) for i in range(3)
        )
        p, r = right / predicted if predicted else 0.0, right / gold if gold else 0.0
        return {"p": p, "r": r, "f": f_score(p, r, beta) or 0.0}
    total = sum(row[1] for row in table.values())
    out = dict.fromkeys("prf", 0.0)
    for row in table.values():
        own = scores({"": row}, "micro", beta)
        for name in out:
            out[name] += own[name] * row[1] / total
    return out


def by_type(table: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """Counts without the BIO prefixes of labels."""
    out: dict[str, list[int]] = {}
    for label, row in table.items():
        name = label.partition("-")[2] or label
        out[name] = [a + b for a, b in zip(out.get(name, [0, 0, 0]), row)]
    return out


def summarise(experiment: Experiment, only: Sequence[str]) -> dict[str, Any]:
    """Scores of all runs: of each fold, their mean, and of all folds' counts by type."""
    setup = experiment.setup
    average, beta = setup["average"], setup.get("beta", 1)
    rows: dict[str, dict[str, Any]] = {}
    for name in setup["runs"]:
        if only and name not in only:
            continue
        folds = [
            json.loads(experiment.result_path(name, k).read_text())
            for k in range(experiment.folds)
        ]
        for threshold in folds[0]:
            total: dict[str, list[int]] = {}
            for fold in folds:
                for label, row in fold[threshold].items():
                    old = total.setdefault(label, [0, 0, 0])
                    total[label] = [a + b for a, b in zip(old, row)]
            each = [scores(fold[threshold], average, beta) for fold in folds]
            types = {
                label: scores({"": row}, "micro", beta) | {"gold": row[1]}
                for label, row in sorted(by_type(total).items())
            }
            shown = f"{name}, O below {threshold}" if threshold else name
            together = scores(total, average, beta)
            size = [sum(row[1] for row in fold[threshold].values()) for fold in folds]
            rows[shown] = {"all": together, "folds": each, "types": types, "gold": size}
    for name, row in rows.items():
        run = setup["runs"][name.partition(", O below ")[0]]
        row["wilcoxon"] = _compare(rows, name, run.get("compare", setup.get("compare")))
    return {"title": setup["title"], "average": average, "beta": beta, "rows": rows}


def _compare(rows: Mapping[str, Any], name: str, other: str | None) -> float | None:
    from scipy.stats import wilcoxon

    if other is None or name == other or other not in rows:
        return None
    if rows[name]["gold"] != rows[other]["gold"]:
        # Not the same documents in each fold: no pairs.
        return None
    pairs = [
        (a["f"], b["f"])
        for a, b in zip(rows[name]["folds"], rows[other]["folds"], strict=True)
    ]
    if all(a == b for a, b in pairs):
        return 1.0
    return float(wilcoxon(*zip(*pairs)).pvalue)


def markdown(found: Mapping[str, Any]) -> str:
    """The tables of the results."""
    f = f"F{found['beta']:g}"
    lines = [f"## {found['title']}", "", f"| | P | R | {f} | folds | p | in the gold |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, row in found["rows"].items():
        cells = [f"{100 * row['all'][key]:.1f}" for key in "prf"]
        values = [100 * fold["f"] for fold in row["folds"]]
        p = row["wilcoxon"]
        cells += [
            f"{min(values):.1f} to {max(values):.1f}",
            "-" if p is None else f"{p:.3f}",
            f"{sum(row['gold']):,}",
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    labels = sorted({label for row in found["rows"].values() for label in row["types"]})
    lines += ["", f"{f} by type:", "", f"| | {' | '.join(labels)} |"]
    lines.append("|---" * (len(labels) + 1) + "|")
    for name, row in found["rows"].items():
        cells = [
            f"{100 * row['types'][x]['f']:.0f}" if x in row["types"] else "-"
            for x in labels
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def work_on(path: Path, work: Path, job: tuple[str, int], gpu_id: int = -1) -> str:
    """Train and count a fold, unless that has been done."""
    use_gpu(gpu_id)
    experiment = Experiment(path, work, gpu_id)
    name, fold = job
    result = experiment.result_path(name, fold)
    if not result.exists():
        counts = experiment.count(name, fold)
        part = result.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(counts))
        part.rename(result)
    counts = json.loads(result.read_text())
    setup = experiment.setup
    f = scores(counts[""], setup["average"], setup.get("beta", 1))["f"]
    return f"{name}, fold {fold}: {100 * f:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("experiment", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("training/folds"))
    parser.add_argument("--root", type=Path, default=Path(), help="of paths inside")
    parser.add_argument("--only", action="append", default=[], help="runs, by name")
    parser.add_argument("--n-process", type=int, default=2)
    parser.add_argument("--gpu-id", type=int, default=-1, help="-1: none")
    args = parser.parse_args()

    for name in ("experiment", "output", "report", "work"):
        setattr(args, name, getattr(args, name).resolve())
    os.chdir(args.root)
    for folder in (args.work, args.output.parent, args.report.parent):
        folder.mkdir(parents=True, exist_ok=True)
    experiment = Experiment(args.experiment, args.work, args.gpu_id)
    # Made once, not by two processes at the same time.
    for name in args.only or experiment.setup["runs"]:
        for raw, by in experiment.run(name).get("tagged", {}).values():
            experiment.tagged(Path(raw), by)
    jobs = experiment.jobs(args.only)
    # Cores that two processes both use are slower than one each.
    cores = max(1, (os.cpu_count() or 1) // args.n_process)
    os.environ.setdefault("OMP_NUM_THREADS", str(cores))
    where = (args.experiment, args.work)
    # A process that was forked cannot use a GPU.
    with ProcessPoolExecutor(args.n_process, get_context("spawn")) as pool:
        tasks = [pool.submit(work_on, *where, job, args.gpu_id) for job in jobs]
        for task in tasks:
            print(task.result(), flush=True)
    found = summarise(experiment, args.only)
    report = markdown(found)
    print(report)
    args.output.write_text(json.dumps(found, indent=2), encoding="utf8")
    args.report.write_text(report, encoding="utf8")


if __name__ == "__main__":
    main()
