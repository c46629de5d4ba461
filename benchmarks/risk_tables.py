"""The tables on risk indicators of paper 3 (5, 6 and 7), rebuilt on the documents at
hand, with plots of what the indicators know.

    python benchmarks/risk_tables.py benchmarks/risk_tables.cfg --output docs/risk_tables.md

Each indicator is a block of the config: a `risk_scorer` with nothing else in it, trained
as `spacy train` trains it, on the training documents with their annotated spans. It is
asked about the development documents twice: with the annotated spans (tables 5 and 7)
and with those that the detectors find (tables 6 and 7). Its votes are kept in the work
folder as numbers by entity, without any text; combinations and thresholds are read from
them. What is given by `--output` is rewritten between the two marks in it; text around
them stays.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import importlib
import inspect
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, minibatch
from thinc.api import Config

import spacy_deid
from spacy_deid.cli.evaluate import load_golds
from spacy_deid.corpora.convert import blank_pipeline
from spacy_deid.corpora.readers import read_records
from spacy_deid.corpora.silver import Exclusion
from spacy_deid.evaluation.gold import CharSpan, GoldDocument
from spacy_deid.evaluation.privacy import PrivacyCounts, Weighting
from spacy_deid.registries import registry
from spacy_deid.risk.base import Vote
from spacy_deid.risk.combinations import Decision, EntityVotes, make_at_least
from spacy_deid.risk.gold import gold_candidates as _gold_candidates
from spacy_deid.risk.search.local_index import IndexWriter
from spacy_deid.risk.votes import CLASSIFIER
from spacy_deid.schema import (
    NO_MASK,
    PII_KEY,
    QUASI,
    Candidate,
    get_candidates,
    group_attr,
    set_group,
)

START, END = "<!-- RISK TABLES: START -->", "<!-- RISK TABLES: END -->"
GIVEN, DETECTED = "given", "detected"
VIEWS = (GIVEN, DETECTED)
# Columns of the tables: heading and key of `PrivacyCounts.metrics`.
COLUMNS = {
    "P": "precision",
    "Pw": "weighted_precision",
    "R": "recall",
    "F1": "f1",
    "R ent": "entity_recall",
    "R direct": "entity_recall_direct",
    "R quasi": "entity_recall_quasi",
}
MAJORITY = "majority"


class View(NamedTuple):
    """Documents with spans, grouped by entity.

    docs (List[Doc]): With the spans in `spans["pii"]`.
    golds (List[GoldDocument]): Their annotation.
    entities (List[List[List[CharSpan]]]): For each document and each of its entities
        the mentions.
    """

    docs: list[Doc]
    golds: list[GoldDocument]
    entities: list[list[list[CharSpan]]]


class Votes(NamedTuple):
    """What one indicator says of all entities of a view, documents one after the other.

    cast (ndarray): Whether it has something to say, shape (entities,).
    masked (ndarray): Whether it asks for a mask, same shape.
    probability (ndarray): Of a mask, same shape; 0 where nothing was said.
    """

    cast: numpy.ndarray
    masked: numpy.ndarray
    probability: numpy.ndarray


class Corpus(NamedTuple):
    """Documents of one kind.

    name (str): Name in the config.
    title (str): Name in the tables.
    train (List[Example]): Training documents.
    views (Dict[str, View]): Development documents, by kind of spans.
    """

    name: str
    title: str
    train: list[Example]
    views: dict[str, View]


class Row(NamedTuple):
    """A line of the tables: an indicator in one of its settings.

    name (str): Name of the block, with that of the variant.
    title (str): What it is called.
    block (Dict): The block.
    voter (str): Whose vote of the scorer's it is.
    changes (Dict): Attributes of the indicator that make the variant.
    combine (bool): Whether it is one of those that are combined.
    """

    name: str
    title: str
    block: dict[str, Any]
    voter: str
    changes: dict[str, Any]
    combine: bool


class Recorder:
    """Stands for a combination: keeps the votes and decides nothing."""

    def __init__(self) -> None:
        self.seen: list[list[EntityVotes]] = []

    def __call__(self, entities: Sequence[EntityVotes]) -> list[Decision]:
        self.seen.append(list(entities))
        return [Decision(NO_MASK, 0.0)] * len(entities)


# --------------------------------------------------------------------------
# Documents


def read_corpus(
    name: str, block: dict[str, Any], nlp: Language, detectors: Language, seed: int
) -> Corpus:
    """Documents of a corpus, with annotated and detected spans."""
    limit = block.get("limit") or None
    targets = read_targets(block)
    train = list(read_examples(block["train"], nlp))[:limit]
    random.Random(seed).shuffle(train)
    dev = list(read_examples(block["dev"], nlp))[:limit]
    for eg in [*train, *dev]:
        eg.predicted._.deid_target = targets.get(eg.text)
    texts = {gold.text: gold for gold in load_golds(Path(block["dev"]))}
    golds = [texts[eg.reference.text] for eg in dev]
    given, detected = [], []
    for eg in dev:
        doc = fresh_doc(nlp, eg)
        spans, ids = _gold_candidates(Example(doc, eg.reference))
        set_group(doc, PII_KEY, spans, entity_ids=ids)
        given.append(doc)
        found = detectors(eg.reference.text)
        doc = fresh_doc(nlp, eg)
        ids = group_attr(found.spans[PII_KEY], "entity_ids", None)
        set_group(doc, PII_KEY, aligned(found, doc), entity_ids=ids)
        detected.append(doc)
    views = {GIVEN: make_view(given, golds), DETECTED: make_view(detected, golds)}
    return Corpus(name, block.get("title", name), train, views)


def read_examples(path: str | Path, nlp: Language) -> Iterator[Example]:
    """Annotated documents, the predicted doc without spans."""
    yield from registry.readers.get("spacy_deid.JsonlCorpus.v1")(path)(nlp)


def read_targets(block: dict[str, Any]) -> dict[str, str]:
    """The person that each text is about, as the annotators were told."""
    out = {}
    for part in ("train", "dev") if block.get("target") else ():
        for record in read_records(block[part]):
            match = re.search(block["target"], str(record.get("task") or ""))
            if match:
                out[record["text"]] = match.group(1).strip()
    return out


def fresh_doc(nlp: Language, example: Example) -> Doc:
    """A doc without spans, which knows the person to protect."""
    doc = nlp.make_doc(example.text)
    doc._.deid_target = example.predicted._.deid_target
    return doc


def aligned(found: Doc, doc: Doc) -> list[Candidate]:
    """Spans of a doc on the tokens of another with the same text."""
    out = []
    for c in get_candidates(found, PII_KEY):
        a, b = found[c.start].idx, found[c.end - 1].idx + len(found[c.end - 1])
        span = doc.char_span(a, b, alignment_mode="expand")
        assert span is not None
        out.append(c._replace(start=span.start, end=span.end))
    return out


def make_view(docs: list[Doc], golds: list[GoldDocument]) -> View:
    """Put the mentions of each entity together."""
    entities = []
    for doc in docs:
        group = doc.spans[PII_KEY]
        members: dict[Any, list[CharSpan]] = {}
        for i, (span, number) in enumerate(
            zip(group, group_attr(group, "entity_ids", None))
        ):
            key = ("#", i) if number is None else number
            members.setdefault(key, []).append((span.start_char, span.end_char))
        entities.append(list(members.values()))
    return View(docs, golds, entities)


def build_index(block: dict[str, Any], corpus: str, path: Path) -> None:
    """Full-text index of background documents, for the web search indicator, without
    those that are in the corpus itself."""
    own = [record for part in ("train", "dev") for record in read_records(block[part])]
    ids = {record.get("doc_id") for record in own} - {None}
    exclusion = Exclusion(record["text"] for record in own)
    path.unlink(missing_ok=True)
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    part.touch(0o600)
    writer = IndexWriter(part)
    n = 0
    for i, record in enumerate(read_records(block["background"])):
        n += 1
        if record.get("doc_id") in ids or exclusion.reason(record["text"]):
            continue
        url = record.get("url") or f"{corpus}/{record.get('doc_id', i)}"
        writer.add(url, record.get("title") or "", record["text"])
    writer.finish()
    part.replace(path)
    say(f"{path.name}: {writer.documents} of {n} documents, without those at hand")


# --------------------------------------------------------------------------
# Indicators


def list_rows(config: dict[str, Any]) -> list[Row]:
    """The lines of the tables."""
    rows = []
    for name, block in config["indicators"].items():
        if not block.get("enabled", True):
            continue
        own = [
            n for n, v in block["scorer"].get("indicators", {}).items() if v is not None
        ]
        voter = block.get("voter") or (own[0] if own else CLASSIFIER)
        variants = block.get("variants") or {"": {}}
        for variant, settings in variants.items():
            changes = dict(settings)
            title = changes.pop("title", block.get("title", name))
            combine = changes.pop("combine", block.get("combine", True))
            full = f"{name}.{variant}" if variant else name
            rows.append(Row(full, title, block, voter, changes, combine))
    return rows


def missing(block: dict[str, Any]) -> str:
    """What a block needs and does not have, in words; "" if it can run."""
    package, path = block.get("package"), block.get("needs")
    if package:
        try:
            importlib.import_module(package)
        except ImportError:
            return f"needs the package {package}, which is not installed"
    if path and not Path(path).exists():
        return f"needs {path}, which is not there"
    return ""


def fill(value: Any, corpus: str) -> Any:
    """A block with the corpus' name in place of {corpus}."""
    if isinstance(value, str):
        return value.replace("{corpus}", corpus)
    if isinstance(value, dict):
        return {k: fill(v, corpus) for k, v in value.items()}
    if isinstance(value, list):
        return [fill(v, corpus) for v in value]
    return value


def train_scorer(
    block: dict[str, Any],
    examples: list[Example],
    nlp: Language,
    training: dict[str, Any],
) -> tuple[Any, dict[Any, Any]]:
    """A trained `risk_scorer` with the indicator of a block."""
    settings = {**training, **block.get("training", {})}
    fix_random_seed(settings["seed"])
    own = spacy.blank(str(nlp.lang), vocab=nlp.vocab)
    scorer = copy.deepcopy(block["scorer"])
    scorer.setdefault("indicators", {}).setdefault("known_direct", None)
    pipe: Any = own.add_pipe("risk_scorer", config=scorer)
    fresh = [Example(fresh_doc(nlp, eg), eg.reference) for eg in examples]
    pipe.initialize(lambda: fresh, nlp=own, indicators=block.get("initialize"))
    averages: dict[Any, Any] = {}
    if settings["steps"] and learns(pipe):
        made = registry.resolve({"optimizer": settings["optimizer"]})
        optimizer = made["optimizer"]
        batches = endless(fresh, settings["batch"], settings["seed"])
        for _, batch in zip(range(settings["steps"]), batches):
            pipe.update(batch, drop=settings["dropout"], sgd=optimizer)
            optimizer.step_schedules()
        averages = optimizer.averages or {}
    pipe.combine = Recorder()
    return pipe, averages


def learns(pipe: Any) -> bool:
    """Whether there is anything to train in steps."""
    classifier = getattr(pipe, "classifier", pipe.model)
    return classifier is not None or any(
        hasattr(indicator, "prepare") for indicator in pipe.indicators.values()
    )


def endless(examples: list[Example], size: int, seed: int) -> Iterator[list[Example]]:
    """Batches in a new order each time round."""
    rng = random.Random(seed)
    while True:
        order = list(examples)
        rng.shuffle(order)
        yield from minibatch(order, size)


def ask(
    pipe: Any, averages: dict[Any, Any], view: View, row: Row
) -> tuple[Votes, float]:
    """The votes of an indicator."""
    indicator = pipe.indicators.get(row.voter)
    before = {name: getattr(indicator, name) for name in row.changes}
    for name, value in row.changes.items():
        setattr(indicator, name, value)
    recorder = pipe.combine = Recorder()
    # Nothing is asked of a document without spans.
    docs = [doc for doc in view.docs if len(doc.spans[PII_KEY])]
    started = time.process_time()
    with pipe.model.use_params(averages):
        for batch in minibatch(docs, 8):
            pipe.set_annotations(batch, pipe.predict(batch))
    seconds = time.process_time() - started
    for name, value in before.items():
        setattr(indicator, name, value)
    votes = [e.votes.get(row.voter) for seen in recorder.seen for e in seen]
    return to_votes(votes), seconds


def to_votes(votes: Sequence[Vote | None]) -> Votes:
    """Votes as arrays."""
    return Votes(
        numpy.array([v is not None for v in votes], dtype=bool),
        numpy.array([v is not None and v.decision != NO_MASK for v in votes], bool),
        numpy.array([0.0 if v is None else v.probability for v in votes], "float64"),
    )


class Store:
    """Votes in files: numbers by entity, no text.

    folder (Path): Where they are.
    fresh (bool): Do not use what is there.
    """

    def __init__(self, folder: Path, fresh: bool = False) -> None:
        self.folder, self.fresh = folder, fresh
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def path(self, *facts: Any) -> Path:
        data = json.dumps(facts, sort_keys=True, default=str).encode()
        return self.folder / f"votes_{hashlib.sha256(data).hexdigest()[:20]}.npz"

    def load(self, path: Path, names: Iterable[str]) -> dict[str, Any] | None:
        """Votes by name, and `seconds`; None if there are none."""
        if self.fresh or not path.is_file():
            return None
        with numpy.load(path, allow_pickle=False) as data:
            out: dict[str, Any] = {
                name: Votes(*(data[f"{name}:{field}"] for field in Votes._fields))
                for name in names
            }
            out["seconds"] = data["seconds"].tolist()
        return out

    def save(self, path: Path, votes: dict[str, Votes], seconds: list[float]) -> None:
        arrays = {
            f"{name}:{field}": array
            for name, own in votes.items()
            for field, array in zip(Votes._fields, own)
        }
        arrays["seconds"] = numpy.array(seconds)
        part = path.with_name(path.name + ".part.npz")
        numpy.savez_compressed(part, allow_pickle=False, **arrays)  # type: ignore[arg-type]
        part.replace(path)


def facts_of(block: dict[str, Any], corpus: Corpus) -> list[Any]:
    """What the votes of a block depend on: its settings, the documents, the code of the
    functions that it names, and the files that it needs."""
    digest = hashlib.sha256()
    for doc in [eg.reference for eg in corpus.train]:
        digest.update(doc.text.encode())
    for view in corpus.views.values():
        digest.update(json.dumps(view.entities).encode())
        for doc in view.docs:
            digest.update(f"{doc.text}\0{doc._.deid_target}".encode())
    # In an order that all processes share, or nothing is known again.
    for source in sorted(sources_of(block["scorer"])):
        digest.update(Path(source).read_bytes())
    path = Path(block.get("needs") or "nowhere")
    stamps = stamps_of(path)
    kept = {k: block.get(k) for k in ("scorer", "training", "initialize", "variants")}
    return [kept, corpus.name, digest.hexdigest(), stamps]


def stamps_of(path: Path) -> list[tuple[str, int]]:
    """Names and sizes of the files of a model, without the report of its making."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    files = [f for f in files if f.is_file() and f.name != "mlm.json"]
    return [(f.name, f.stat().st_size) for f in files]


def sources_of(value: Any) -> set[str]:
    """Files of the registered functions that a block names."""
    out = set()
    if isinstance(value, dict):
        for key, item in value.items():
            if key.startswith("@") and str(item).startswith("spacy_deid."):
                function = registry.get(key[1:], item)
                out.add(inspect.getfile(inspect.unwrap(function)))
            out |= sources_of(item)
    return out


def collect(
    config: dict[str, Any], corpus: Corpus, nlp: Language, store: Store, only: set[str]
) -> dict[str, dict[str, Any]]:
    """The votes of all indicators on a corpus, trained on all of its training documents
    and, for those with `sizes`, on parts of them."""
    out: dict[str, dict[str, Any]] = {}
    by_block: dict[str, list[Row]] = {}
    for row in list_rows(config):
        by_block.setdefault(row.name.partition(".")[0], []).append(row)
    for name, rows in by_block.items():
        block = fill(rows[0].block, corpus.name)
        if (only and name not in only) or missing(block):
            continue
        for row in rows:
            out[row.name] = {"sizes": {}}
        whole = len(corpus.train)
        sizes = block.get("sizes") or []
        for n in [whole, *(size for size in sizes if size < whole)]:
            views = VIEWS if n == whole else (GIVEN,)
            training = config["training"]
            path = store.path(facts_of(block, corpus), training, n, views)
            keys = [f"{row.name}/{view}" for row in rows for view in views]
            known = store.load(path, keys)
            if known is None:
                known = _run(block, rows, corpus, nlp, training, n, views)
                seconds = known.pop("seconds")
                store.save(path, known, seconds)
                known["seconds"] = seconds
                say(
                    f"{corpus.name}: {name}, {n} documents: trained in "
                    f"{seconds[0]:.0f} s, asked in {sum(seconds[1:]):.0f} s"
                )
            for row in rows:
                found = out[row.name]
                if n == whole:
                    found.update({v: known[f"{row.name}/{v}"] for v in views})
                    found["train_seconds"] = known["seconds"][0]
                    found["seconds"] = known["seconds"][1]
                if sizes:
                    found["sizes"][n] = known[f"{row.name}/{GIVEN}"]
    return out


def _run(
    block: dict[str, Any],
    rows: list[Row],
    corpus: Corpus,
    nlp: Language,
    training: dict[str, Any],
    n: int,
    views: Sequence[str],
) -> dict[str, Any]:
    started = time.process_time()
    pipe, averages = train_scorer(block, corpus.train[:n], nlp, training)
    seconds = [time.process_time() - started]
    out: dict[str, Any] = {}
    for row in rows:
        for view in views:
            votes, took = ask(pipe, averages, corpus.views[view], row)
            out[f"{row.name}/{view}"] = votes
            seconds.append(took)
    out["seconds"] = seconds
    flush_language_models()
    return out


# --------------------------------------------------------------------------
# A language model that remembers, as many blocks and sizes ask for the same


class RememberingLM:
    """A masked language model whose answers are kept in a file: numbers, by hashes of
    what was asked.

    model (MaskedLM): The model.
    path (Path): The file.
    """

    def __init__(self, model: Any, path: Path) -> None:
        self.model, self.path = model, path
        self.known: dict[bytes, numpy.ndarray] = {}
        self.new = False
        if path.is_file():
            with numpy.load(path, allow_pickle=False) as data:
                ends = data["ends"].tolist()
                values = numpy.split(data["values"], ends[:-1])
                keys = [key.tobytes() for key in data["keys"]]
                self.known = dict(zip(keys, values, strict=True))

    def __getattr__(self, name: str) -> Any:
        if name in ("model", "known"):
            raise AttributeError(name)
        return getattr(self.model, name)

    def log_probabilities(
        self, queries: Sequence[Any], shared: bool = False
    ) -> list[numpy.ndarray]:
        """See `MaskedLM.log_probabilities`."""
        keys = [self._key(query, shared) for query in queries]
        open_ = {k: q for k, q in zip(keys, queries) if k not in self.known}
        if open_:
            found = self.model.log_probabilities(list(open_.values()), shared)
            self.known.update(zip(open_, found))
            self.new = True
        return [self.known[key] for key in keys]

    def _key(self, query: Any, shared: bool) -> bytes:
        digest = hashlib.blake2b(query.text.encode(), digest_size=16)
        digest.update(json.dumps([*query[1:], shared]).encode())
        return digest.digest()

    def save(self) -> None:
        """Write what is new."""
        if not self.new:
            return
        values = list(self.known.values())
        part = self.path.with_name(self.path.name + ".part.npz")
        numpy.savez(
            part,
            keys=numpy.frombuffer(b"".join(self.known), "uint8").reshape((-1, 16)),
            ends=numpy.cumsum([len(v) for v in values]),
            values=numpy.concatenate(values),
        )
        part.replace(self.path)
        self.new = False


_MODELS: dict[Path, RememberingLM] = {}


@registry.deid_language_models("risk_tables.remembering_lm.v1")
def make_remembering_lm(name: str, folder: str, window: int = 128) -> RememberingLM:
    """A masked language model that remembers; see `spacy_deid.masked_lm.v1`.

    name (str): Name or path of the model.
    folder (str): Where its answers are kept.
    window (int): Word pieces read at a time.
    RETURNS (RememberingLM): The same object for the same settings.
    """
    from spacy_deid.models.masked_lm import MaskedLM

    stamps = stamps_of(Path(name)) if Path(name).is_dir() else []
    data = json.dumps([name, window, stamps]).encode()
    path = Path(folder) / f"lm_{hashlib.sha256(data).hexdigest()[:20]}.npz"
    if path not in _MODELS:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _MODELS[path] = RememberingLM(MaskedLM(name, window=window), path)
    return _MODELS[path]


def flush_language_models() -> None:
    """Write what the language models have found."""
    for model in _MODELS.values():
        model.save()


# --------------------------------------------------------------------------
# Scores


def score(
    view: View,
    masked: numpy.ndarray,
    weighting: Weighting | None = None,
    bootstrap: int = 0,
) -> dict[str, Any]:
    """Privacy metrics of a choice of entities."""
    counts = PrivacyCounts(weighting)
    first = 0
    for gold, entities in zip(view.golds, view.entities):
        chosen = masked[first : first + len(entities)]
        first += len(entities)
        spans = [s for e, hide in zip(entities, chosen) if hide for s in e]
        counts.add(gold, spans)
    if first != len(masked):
        raise ValueError(f"{len(masked)} decisions for {first} entities")
    out = counts.metrics()
    if bootstrap:
        out["confidence"] = counts.confidence(bootstrap)
    return out


def combined(votes: dict[str, Votes], k: int) -> numpy.ndarray:
    """Which entities at least k indicators want masked, as `spacy_deid.at_least.v1`
    decides."""
    decide = make_at_least(k, decisive=())
    names = list(votes)
    entities = []
    for i in range(len(next(iter(votes.values())).cast)):
        given = {
            n: Vote(QUASI if v.masked[i] else NO_MASK, float(v.probability[i]), "")
            for n, v in votes.items()
            if v.cast[i]
        }
        entities.append(EntityVotes({n: given.get(n) for n in names}))
    return numpy.array([d.decision != NO_MASK for d in decide(entities)], dtype=bool)


class WordWeights:
    """Information content of the words of a view's documents: all words of all its
    spans are masked at once (as the benchmark does with those of one system), so that
    one word weighs the same in every row.

    weighting (Weighting): Gives the weights.
    views (Iterable[View]): The documents.
    """

    def __init__(self, weighting: Weighting, views: Iterable[View]) -> None:
        self.weighting = weighting
        self.table: dict[str, dict[CharSpan, float]] = {}
        spans: dict[str, list[CharSpan]] = {}
        for view in views:
            for gold, entities in zip(view.golds, view.entities):
                spans.setdefault(gold.text, []).extend(s for e in entities for s in e)
        for text, own in spans.items():
            words = words_of(text, own)
            self.table[text] = dict(zip(words, weighting(text, words)))

    def __call__(self, text: str, words: Sequence[CharSpan]) -> list[float]:
        """See `Weighting`."""
        known = self.table.setdefault(text, {})
        open_ = [word for word in words if word not in known]
        if open_:
            known.update(zip(open_, self.weighting(text, open_)))
        return [known[word] for word in words]


def words_of(text: str, spans: Iterable[CharSpan]) -> list[CharSpan]:
    """The words in stretches of a text, as precision counts them."""
    found: list[list[CharSpan]] = []

    def listen(_: str, words: Sequence[CharSpan]) -> list[float]:
        found.append(list(words))
        return [0.0] * len(words)

    PrivacyCounts(listen).add(GoldDocument(text, [[]]), list(spans))
    return found[0] if found else []


def sweep(
    view: View, votes: Votes, thresholds: Sequence[float]
) -> list[dict[str, float | None]]:
    """Scores at one threshold of the probability after another."""
    rows = []
    for threshold in thresholds:
        masked = votes.cast & (votes.probability >= threshold)
        scores = score(view, masked)
        row = {key: scores[key] for key in COLUMNS.values()}
        rows.append({"threshold": threshold, **row})
    return rows


def quantiles(votes: Votes, most: int = 60) -> list[float]:
    """Thresholds that tell an indicator's probabilities apart, from 0 on."""
    values = numpy.unique(votes.probability[votes.cast])
    if len(values) > most:
        values = numpy.quantile(values, numpy.linspace(0, 1, most))
    return [0.0, *sorted({float(v) for v in values})]


# --------------------------------------------------------------------------
# Results


def measure(
    config: dict[str, Any],
    corpus: Corpus,
    found: dict[str, dict[str, Any]],
    weighting: Weighting | None,
) -> dict[str, Any]:
    """All that the tables and plots of a corpus show."""
    settings = config["settings"]
    bootstrap = settings["bootstrap"]
    out: dict[str, Any] = {
        "title": corpus.title,
        "train_documents": len(corpus.train),
        "dev_documents": len(corpus.views[GIVEN].golds),
        "tables": {},
        "combinations": {},
        "combined": [],
        "sweeps": {},
        "sizes": {},
        "seconds": {},
    }
    names = [row.name for row in list_rows(config) if row.name in found and row.combine]
    out["combined"] = names
    for kind, view in corpus.views.items():
        n = sum(len(entities) for entities in view.entities)
        every = numpy.ones(n, dtype=bool)
        table = {MAJORITY: score(view, every, weighting, bootstrap)}
        for name, own in found.items():
            table[name] = score(view, own[kind].masked, weighting, bootstrap)
        out["tables"][kind] = table
        votes = {name: found[name][kind] for name in names}
        out["combinations"][kind] = {
            k: score(view, combined(votes, k), weighting, bootstrap)
            for k in settings["at_least"]
            if k <= len(votes)
        }
    given = corpus.views[GIVEN]
    for row in list_rows(config):
        if row.name not in found:
            continue
        own = found[row.name]
        if row.block.get("sweep"):
            thresholds = quantiles(own[GIVEN])
            out["sweeps"][row.name] = sweep(given, own[GIVEN], thresholds)
        out["sizes"][row.name] = {
            n: score(given, votes.masked)["f1"]
            for n, votes in sorted(own["sizes"].items())
        }
        out["seconds"][row.name] = [own["train_seconds"], own["seconds"]]
    return out


def log_probabilities(
    corpora: Iterable[Corpus], model: Any
) -> dict[str, dict[str, list[float]]]:
    """Log-probabilities of the word pieces of annotated spans, by decision (figure 3 of
    paper 3), on the development documents."""
    from spacy_deid.models.masked_lm import Query

    out = {}
    for corpus in corpora:
        rows: dict[str, list[float]] = {"MASK": [], NO_MASK: []}
        for gold in corpus.views[GIVEN].golds:
            mentions = [m for layer in gold.annotators for m in layer]
            asked = [Query(gold.text, *m[:2]) for m in mentions]
            for m, logs in zip(mentions, model.log_probabilities(asked)):
                kind = NO_MASK if m.identifier_type == NO_MASK else "MASK"
                rows[kind] += [float(x) for x in logs]
        out[corpus.name] = rows
    return out


# --------------------------------------------------------------------------
# Tables


def render(config: dict[str, Any], results: dict[str, Any], plots: list[str]) -> str:
    """The tables as Markdown."""
    rows = {row.name: row for row in list_rows(config)}
    titles = {MAJORITY: "All spans masked", **{n: r.title for n, r in rows.items()}}
    lines: list[str] = []
    for kind, number, what in (
        (GIVEN, 5, "annotated spans"),
        (DETECTED, 6, "detected spans"),
    ):
        lines += [f"## Each indicator on {what} (table {number} of the paper)", ""]
        for name, own in results.items():
            lines += _heading(own)
            table = own["tables"][kind]
            paper = {n: _published(config, rows.get(n), name, kind) for n in table}
            lines += _table(titles, table, paper)
    lines += ["## Combinations (table 7 of the paper)", ""]
    for name, own in results.items():
        lines += _heading(own)
        names = ", ".join(titles[n] for n in own["combined"])
        lines += [f"Of {len(own['combined'])} indicators: {names}.", ""]
        lines += _combinations(config, name, own)
    lines += ["## Seconds of one core", "", *_seconds(titles, results), ""]
    skipped = _skipped(config)
    if skipped:
        lines += ["Not measured this time:", "", *skipped, ""]
    lines += [f"![{_caption(plot)}]({plot})" for plot in plots]
    return "\n".join(lines).rstrip() + "\n"


def _heading(own: dict[str, Any]) -> list[str]:
    return [
        f"**{own['title']}**: trained on {own['train_documents']}, measured on "
        f"{own['dev_documents']} documents.",
        "",
    ]


def _published(
    config: dict[str, Any], row: Row | None, corpus: str, kind: str
) -> list[float] | None:
    """The paper's figures for a row, in the order of COLUMNS."""
    if row is None:
        found = config["paper"]["majority"]
    else:
        variant = row.name.partition(".")[2]
        found = row.block.get("paper", {})
        found = found.get(variant, found) if variant else found
    return found.get(kind, {}).get(corpus)


def _table(
    titles: dict[str, str],
    table: dict[str, dict[str, Any]],
    paper: dict[str, list[float] | None],
) -> list[str]:
    head = ["indicator", *COLUMNS, "F1, 95 %", "paper: P", "R", "F1", "direct", "quasi"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for name, scores in table.items():
        p = paper.get(name)
        shown = ["", "", "", "", ""] if p is None else [p[0], p[2], p[3], p[5], p[6]]
        cells = [titles[name], *_cells(scores), *map(_number, shown)]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def _cells(scores: dict[str, Any]) -> list[str]:
    cells = [_number(scores[key]) for key in COLUMNS.values()]
    interval = (scores.get("confidence") or {}).get("f1")
    cells.append(
        f"{_number(interval[0])} to {_number(interval[1])}" if interval else ""
    )
    return cells


def _number(value: Any) -> str:
    if value is None or value == "":
        return "–" if value is None else ""
    text = f"{value:.2f}"
    return text[1:] if text.startswith("0.") else text


def _combinations(
    config: dict[str, Any], corpus: str, own: dict[str, Any]
) -> list[str]:
    head = ["spans", "at least", *COLUMNS, "F1, 95 %", "paper: P", "R", "F1"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for kind in VIEWS:
        for k, scores in own["combinations"][kind].items():
            p = config["paper"]["combinations"].get(corpus, {}).get(str(k))
            shown = ["", "", ""] if p is None or kind != GIVEN else [p[0], p[2], p[3]]
            what = "annotated" if kind == GIVEN else "detected"
            cells = [what, str(k), *_cells(scores), *map(_number, shown)]
            lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def _seconds(titles: dict[str, str], results: dict[str, Any]) -> list[str]:
    heads = [f"{own['title']}: training | votes" for own in results.values()]
    names = dict.fromkeys(n for own in results.values() for n in own["seconds"])
    lines = [
        f"| indicator | {' | '.join(heads)} |",
        "|---" * (1 + 2 * len(heads)) + "|",
    ]
    for name in names:
        cells = [titles[name]]
        for own in results.values():
            pair = own["seconds"].get(name)
            cells += ["–", "–"] if pair is None else [f"{s:.1f}" for s in pair]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _skipped(config: dict[str, Any]) -> list[str]:
    out = []
    for name, block in config["indicators"].items():
        for corpus in config["corpora"]:
            why = missing(fill(block, corpus))
            if not block.get("enabled", True):
                why = block.get("note", "switched off in the config")
            if why:
                out.append(f"- {block.get('title', name)}: {why}")
                break
    return out


def _caption(plot: str) -> str:
    return Path(plot).stem.removeprefix("risk_").replace("_", " ").capitalize()


def write_between_marks(path: Path, text: str) -> None:
    """Put the tables into a page; what stands around the marks stays."""
    page = f"# Risk indicators\n\n{START}\n{END}\n"
    if path.is_file():
        page = path.read_text(encoding="utf8")
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"{path} needs the lines {START} and {END}")
    path.write_text(f"{before}{START}\n\n{text}\n{END}{after}", encoding="utf8")


# --------------------------------------------------------------------------
# Plots


def plot_precision_recall(
    config: dict[str, Any], results: dict[str, Any], path: Path
) -> None:
    """Precision against recall of words, on annotated spans: a curve for each indicator
    with probabilities, a point where it decides, and the combinations."""
    from spacy_deid.evaluation.plots import new_figure, save_figure

    figure, panels = new_figure(1, len(results))
    titles = {row.name: row.title for row in list_rows(config)}
    for axes, own in zip(panels, results.values()):
        for i, (name, scores) in enumerate(own["tables"][GIVEN].items()):
            if name == MAJORITY:
                axes.plot(
                    scores["recall"], scores["precision"], "k*", label="all spans"
                )
                continue
            curve = [r for r in own["sweeps"].get(name, []) if r["precision"]]
            colour = f"C{i % 10}"
            if curve:
                x = [row["recall"] for row in curve]
                y = [row["precision"] for row in curve]
                axes.plot(x, y, color=colour, linewidth=1)
            point = scores["recall"], scores["precision"]
            if None not in point:
                axes.plot(*point, "o", color=colour, label=titles[name], markersize=5)
        for k, scores in own["combinations"][GIVEN].items():
            point = scores["recall"], scores["precision"]
            axes.plot(*point, "x", color="k", markersize=6)
            axes.annotate(f"≥{k}", point, textcoords="offset points", xytext=(4, 4))
        axes.set_title(own["title"])
        axes.set_xlabel("recall of words")
        axes.set_ylabel("precision of words")
        axes.set_xlim(0, 1.03)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="xx-small", loc="best")
    save_figure(figure, path)


def plot_thresholds(
    config: dict[str, Any], results: dict[str, Any], path: Path
) -> None:
    """Precision and entity recall against the threshold of each indicator."""
    from spacy_deid.evaluation.plots import new_figure, save_figure

    titles = {row.name: row.title for row in list_rows(config)}
    names = list(dict.fromkeys(n for own in results.values() for n in own["sweeps"]))
    figure, panels = new_figure(len(names), len(results))
    shown = {
        "precision": "precision",
        "entity_recall_direct": "direct recall",
        "entity_recall_quasi": "quasi recall",
    }
    for i, name in enumerate(names):
        for j, own in enumerate(results.values()):
            axes = panels[i * len(results) + j]
            rows = own["sweeps"].get(name, [])
            x = [row["threshold"] for row in rows]
            for key, label in shown.items():
                y = [float("nan") if r[key] is None else r[key] for r in rows]
                axes.plot(x, y, label=label, drawstyle="steps-post")
            axes.set_title(f"{own['title']}: {titles[name]}", fontsize="small")
            axes.set_xlabel("threshold of the probability")
            axes.set_xlim(0, 1)
            axes.set_ylim(0, 1.03)
            axes.grid(alpha=0.3)
            axes.legend(fontsize="x-small")
    save_figure(figure, path)


def plot_log_probabilities(
    rows: dict[str, dict[str, list[float]]], titles: dict[str, str], path: Path
) -> None:
    """Log-probabilities of word pieces by decision."""
    from spacy_deid.evaluation.plots import new_figure, save_figure

    figure, panels = new_figure(1, len(rows))
    for axes, (name, own) in zip(panels, rows.items()):
        low = min((min(values) for values in own.values() if values), default=-1.0)
        bins = numpy.linspace(low, 0, 40)
        for kind, values in own.items():
            label = f"{kind} ({len(values)} pieces)"
            axes.hist(values, bins, density=True, alpha=0.5, label=label)
        axes.set_title(titles[name])
        axes.set_xlabel("log-probability of a word piece (nats)")
        axes.set_ylabel("density")
        axes.legend(fontsize="small")
    save_figure(figure, path)


def plot_sizes(config: dict[str, Any], results: dict[str, Any], path: Path) -> None:
    """F1 of words against the number of training documents."""
    from spacy_deid.evaluation.plots import new_figure, save_figure

    figure, panels = new_figure(1, len(results))
    titles = {row.name: row.title for row in list_rows(config)}
    for axes, own in zip(panels, results.values()):
        for name, points in own["sizes"].items():
            if len(points) < 2:
                continue
            x = list(points)
            y = [0.0 if f1 is None else f1 for f1 in points.values()]
            axes.plot(x, y, marker=".", label=titles[name])
        every = own["tables"][GIVEN][MAJORITY]["f1"]
        axes.axhline(every, color="k", linestyle=":", label="all spans")
        axes.set_title(own["title"])
        axes.set_xlabel("training documents")
        axes.set_ylabel("F1 of words")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="x-small")
    save_figure(figure, path)


# --------------------------------------------------------------------------
# The program


def run(
    config: dict[str, Any],
    output: Path,
    only: Sequence[str] = (),
    fresh: bool = False,
    metrics: Path | None = None,
) -> dict[str, Any]:
    """Measure, and write tables and plots."""
    settings = config["settings"]
    unknown = sorted(set(only) - set(config["indicators"]))
    if unknown:
        raise ValueError(f"the config has no indicator {', '.join(unknown)}")
    store = Store(Path(settings["work"]), fresh)
    nlp = blank_pipeline(settings["lang"])
    nlp.max_length = sys.maxsize
    detectors = load_detectors(settings["detectors"])
    weigher = make_weighting(config.get("weighting"))
    results, corpora = {}, []
    for name, block in config["corpora"].items():
        index = store.folder / f"{name}.sqlite"
        if block.get("background") and (fresh or not index.is_file()):
            build_index(block, name, index)
        corpus = read_corpus(name, block, nlp, detectors, settings["seed"])
        corpora.append(corpus)
        found = collect(config, corpus, nlp, store, set(only))
        weighting = weigher and WordWeights(weigher, corpus.views.values())
        results[name] = measure(config, corpus, found, weighting)
        flush_language_models()
    titles = {name: own["title"] for name, own in results.items()}
    plots = []
    logs = config.get("log_probabilities")
    if logs and not missing(logs):
        model = registry.resolve({"model": logs["model"]})["model"]
        rows = log_probabilities(corpora, model)
        flush_language_models()
        plots.append(f"risk_log_probabilities{settings['plots']}")
        plot_log_probabilities(rows, titles, output.with_name(plots[-1]))
    drawn: dict[str, Callable[[dict[str, Any], dict[str, Any], Path], None]] = {
        "risk_precision_recall": plot_precision_recall,
        "risk_thresholds": plot_thresholds,
        "risk_training_size": plot_sizes,
    }
    if not any(own["sweeps"] for own in results.values()):
        del drawn["risk_thresholds"]
    for stem, draw in drawn.items():
        plots.append(f"{stem}{settings['plots']}")
        draw(config, results, output.with_name(plots[-1]))
    write_between_marks(output, render(config, results, plots))
    if metrics is not None:
        metrics.parent.mkdir(parents=True, exist_ok=True)
        metrics.write_text(json.dumps(results, indent=2), encoding="utf8")
    return results


def load_detectors(name: str) -> Language:
    """A pipeline up to its detectors."""
    nlp = spacy_deid.load(name)
    nlp.max_length = sys.maxsize
    for pipe in list(nlp.pipe_names):
        if nlp.get_pipe_meta(pipe).factory in ("risk_scorer", "pseudonymizer"):
            nlp.remove_pipe(pipe)
    return nlp


def make_weighting(block: dict[str, Any] | None) -> Weighting | None:
    """The weighting of a config block; None without one, or if what it needs is not
    there."""
    if not block or missing(block):
        return None
    return registry.resolve({"weighting": block["function"]})["weighting"]


def read_config(path: str | Path, changes: Sequence[str] = ()) -> dict[str, Any]:
    """The config."""
    overrides = {}
    for change in changes:
        key, sign, value = change.partition("=")
        if not sign:
            raise ValueError(f"'{change}' should be section.key=VALUE")
        try:
            overrides[key] = json.loads(value)
        except ValueError:
            overrides[key] = value
    return dict(Config().from_disk(path, interpolate=True, overrides=overrides))


def say(text: str) -> None:
    """A line on stderr."""
    print(text, file=sys.stderr, flush=True)


def main(args: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("config", type=Path)
    parser.add_argument("--output", type=Path, required=True, help="Markdown page")
    parser.add_argument("--metrics", type=Path, help="the figures as JSON")
    parser.add_argument(
        "--only", nargs="+", action="extend", default=[], help="names of indicators"
    )
    parser.add_argument("--fresh", action="store_true", help="measure all again")
    parser.add_argument(
        "--set", nargs="+", action="extend", default=[], metavar="KEY=VALUE"
    )
    options = parser.parse_args(args)
    started = time.perf_counter()
    config = read_config(options.config, options.set)
    run(config, options.output, options.only, options.fresh, options.metrics)
    say(f"{options.output}: {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
