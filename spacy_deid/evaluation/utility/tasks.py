"""Tasks: a model learns one from samples and is scored on others."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy
import spacy
from spacy import util
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry
from thinc.api import fix_random_seed

from ...corpora.samples import Sample, make_doc
from ...data import facts
from ...tokenizer import blank_pipeline
from .reading import Reader, best_f1

# Of each sample what was right and what there was, so that their sums' quotient is the
# score; shape (samples, 2).
Scores = numpy.ndarray
Model = Callable[[Sequence[Sample]], Scores]


class Task(Protocol):
    """A task: its metric, and how a model of it comes about."""

    metric: str

    def train(self, samples: Sequence[Sample], seed: int) -> Model:
        """A model that has learnt from samples: a function that scores it on others."""
        ...


_MODELS = facts("utility_models")
# What a word's vector is made of: its neighbours, a sentence's, or itself alone.
ENCODERS: dict[str, dict[str, Any]] = _MODELS["encoders"]


def _encoder(name: str) -> dict[str, Any]:
    if name not in ENCODERS:
        raise ValueError(f"encoder: use one of {', '.join(ENCODERS)}, not '{name}'")
    return deepcopy(ENCODERS[name])


@dataclass(frozen=True)
class _ComponentTask:
    """A task that a spaCy component learns."""

    lang: str = "en"
    epochs: int = 10
    batch_size: int = 32
    learn_rate: float = 0.001
    dropout: float = 0.2
    config: str | None = None

    def _pipeline(self, name: str, model: dict[str, Any]) -> Language:
        """A pipeline with one component of this name, or that of a spaCy config."""
        if self.config is None:
            nlp = blank_pipeline(self.lang)
            nlp.add_pipe(name, config={"model": model})
            return nlp
        config = util.load_config(Path(self.config))
        return util.load_model_from_config(config, auto_fill=True)

    def _learn(self, nlp: Language, docs: Sequence[Doc], seed: int) -> None:
        fix_random_seed(seed)
        examples = [Example(nlp.make_doc(doc.text), doc) for doc in docs]
        optimizer = nlp.initialize(lambda: examples)
        optimizer.learn_rate = self.learn_rate
        rng = random.Random(seed)
        for _ in range(self.epochs):
            rng.shuffle(examples)
            for batch in util.minibatch(examples, self.batch_size):
                nlp.update(batch, drop=self.dropout, sgd=optimizer)


def _matches(pairs: Iterable[tuple[set[Any], set[Any]]]) -> Scores:
    """Of each sample, of what is wanted and what was found, the parts of F1."""
    rows = [(2 * len(a & b), len(a) + len(b)) for a, b in pairs]
    return numpy.array(rows, dtype="float64")


@registry.misc("spacy_deid.ner_task.v1")
@dataclass(frozen=True)
class EntityTask(_ComponentTask):
    """Named entities or slots: spaCy's `ner`, scored by micro F1 of whole entities.

    lang (str): Language of the tokenizer.
    encoder (str): `cnn`, `bilstm` (needs PyTorch) or `words`: without their context.
    config (Optional[str]): spaCy config whose pipeline learns in its place.
    """

    encoder: str = "cnn"
    metric: str = "F1 of entities"

    def train(self, samples: Sequence[Sample], seed: int) -> Model:
        nlp = self._pipeline("ner", {"tok2vec": _encoder(self.encoder)})
        self._learn(nlp, [make_doc(sample, nlp) for sample in samples], seed)

        def score(others: Sequence[Sample]) -> Scores:
            golds = [make_doc(sample, nlp) for sample in others]
            docs = nlp.pipe([gold.text for gold in golds])
            return _matches(zip(map(_places, golds), map(_places, docs)))

        return score


def _places(doc: Doc) -> set[tuple[int, int, str]]:
    return {(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents}


@registry.misc("spacy_deid.textcat_task.v1")
@dataclass(frozen=True)
class CategoryTask(_ComponentTask):
    """Classification of texts: topics, intents, dialogue acts; accuracy or, where a text
    may have several, micro F1 of categories.

    exclusive (bool): Whether a text has one category.
    encoder (str): `bow` for words and pairs of them; `cnn` or `bilstm`, pooled.
    config (Optional[str]): spaCy config whose pipeline learns in its place.
    """

    exclusive: bool = True
    encoder: str = "bow"
    batch_size: int = 64

    @property
    def metric(self) -> str:
        return "accuracy" if self.exclusive else "F1 of categories"

    def train(self, samples: Sequence[Sample], seed: int) -> Model:
        one = self.exclusive
        bow = self.encoder == "bow"
        model = _MODELS["categorizers"]["bow" if bow else "pooled"]
        model = {**model, "exclusive_classes": one}
        if not bow:
            model["tok2vec"] = _encoder(self.encoder)
        nlp = self._pipeline("textcat" if one else "textcat_multilabel", model)
        labels = sorted({label for sample in samples for label in sample.labels})
        docs = []
        for sample in samples:
            doc = make_doc(sample, nlp)
            doc.ents = []
            doc.cats = {x: float(x in sample.labels) for x in labels}
            docs.append(doc)
        self._learn(nlp, docs, seed)

        def found(doc: Doc) -> set[str]:
            if one:
                return {max(doc.cats, key=lambda x: doc.cats[x])}
            return {x for x, p in doc.cats.items() if p >= 0.5}

        def score(others: Sequence[Sample]) -> Scores:
            docs = nlp.pipe([sample.texts[0] for sample in others])
            wanted = ({*sample.labels} for sample in others)
            return _matches(zip(wanted, map(found, docs)))

        return score


@registry.misc("spacy_deid.qa_task.v1")
@dataclass(frozen=True)
class AnswerTask:
    """Extractive question answering: a small reader that points at where the answer begins
    and ends, scored by F1 of words as SQuAD's (Rajpurkar et al. 2016, section 6.1).

    width (int): Of the vectors of words.
    """

    lang: str = "en"
    width: int = 64
    epochs: int = 8
    learn_rate: float = 0.001
    dropout: float = 0.2
    metric: str = "F1 of answers"

    def train(self, samples: Sequence[Sample], seed: int) -> Model:
        fix_random_seed(seed)
        reader = Reader(spacy.blank(self.lang), self.width, self.dropout)
        reader.train(samples, self.epochs, self.learn_rate, seed)

        def score(others: Sequence[Sample]) -> Scores:
            rows = [
                (sum(best_f1(answer, golds) for answer, golds in answers), len(answers))
                for answers in map(reader.answers, others)
            ]
            return numpy.array(rows, dtype="float64")

        return score
