"""A small trainable reader of texts for questions about them.

Each word of the text has a vector of its form and neighbours (spaCy's tok2vec), what it
has in common with the question, and a vector of the question; two scores of each word
say whether the answer begins and ends there (as in Chen et al. 2017, section 3.2, without
pretrained vectors).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy
from spacy.language import Language
from spacy.ml.models.tok2vec import build_hash_embed_cnn_tok2vec
from spacy.tokens import Doc
from thinc.api import Adam, Linear, Maxout, Model, Relu, chain

from ...corpora.samples import ANSWER, Sample

MAX_WORDS = 16
_NEAR = 4
_WORD = re.compile(r"\w+")
_ARTICLES = frozenset("a an the der die das el la los las un una".split())


class Asked(NamedTuple):
    """A question about a text, and the tokens of its answers, if they are known."""

    question: Doc
    answers: list[tuple[int, int]]


class Reader:
    """See the module.

    nlp (Language): Has the tokenizer.
    width (int): Of the vectors.
    dropout (float): While it learns.
    """

    def __init__(self, nlp: Language, width: int, dropout: float) -> None:
        self.nlp = nlp
        self.dropout = dropout
        self.rare: dict[str, float] = {}

        def words(depth: int) -> Model:
            return build_hash_embed_cnn_tok2vec(
                width=width, depth=depth, embed_size=2000, window_size=1,
                maxout_pieces=3, subword_features=True, pretrained_vectors=None,
            )  # fmt: skip

        self.context, self.question = words(2), words(1)
        n_in = 2 * width + _N_FEATURES
        self.points: Model = chain(
            Maxout(nO=width, nI=n_in, nP=3, normalize=True, dropout=dropout),
            Relu(nO=width, nI=width, dropout=dropout),
            Linear(nO=2, nI=width),
        )

    def train(
        self, samples: Sequence[Sample], epochs: int, learn_rate: float, seed: int
    ) -> None:
        """Learn from paragraphs and the answers in them."""
        every = map(self._read, samples)
        read = [(c, [a for a in asked if a.answers]) for c, asked in every]
        if not (read := [(context, asked) for context, asked in read if asked]):
            raise ValueError("there are no questions with answers to learn from")
        self._count([context for context, _ in read])
        for part in (self.context, self.question):
            part.initialize(X=[read[0][0]])
        self.points.initialize()
        optimizer, rng = Adam(learn_rate), random.Random(seed)
        for _ in range(epochs):
            rng.shuffle(read)
            for context, asked in read:
                self._learn(context, asked)
                for part in (self.context, self.question, self.points):
                    part.finish_update(optimizer)

    def _count(self, docs: Sequence[Doc]) -> None:
        """How rare words are in the texts: what a question asks for is seldom common."""
        seen = Counter(w for doc in docs for w in {t.lower_ for t in doc})
        self.rare = {w: float(numpy.log(len(docs) / c) + 0.1) for w, c in seen.items()}

    def _learn(self, context: Doc, asked: Sequence[Asked]) -> None:
        scores, back = self._forward(context, asked, is_train=True)
        target = numpy.zeros_like(scores)
        for i, each in enumerate(asked):
            for start, end in each.answers:
                target[i, start, 0] += 1 / len(each.answers)
                target[i, end - 1, 1] += 1 / len(each.answers)
        back(self.points.ops.softmax(scores, axis=1) - target)

    def _forward(
        self, context: Doc, asked: Sequence[Asked], is_train: bool
    ) -> tuple[Any, Callable]:
        """Scores of each word for each question, shape (questions, words, 2)."""
        (words,), back_words = self.context([context], is_train)
        queries, back_queries = self.question([a.question for a in asked], is_train)
        n, width = words.shape
        rows = []
        for each, query in zip(asked, queries):
            means = query.mean(axis=0, keepdims=True).repeat(n, axis=0)
            features = self._features(context, each.question)
            rows.append(numpy.hstack([words, means, features]))
        table = numpy.concatenate(rows).astype("float32")
        scores, back_points = self.points(table, is_train)

        def back(d_scores: numpy.ndarray) -> None:
            d_rows = back_points(d_scores.reshape(-1, 2).astype("float32"))
            d_rows = d_rows.reshape(len(asked), n, -1)
            back_words([numpy.ascontiguousarray(d_rows[..., :width].sum(axis=0))])
            pairs = zip(d_rows[..., width : 2 * width], queries)
            means = [(d.sum(axis=0) / len(q), len(q)) for d, q in pairs]
            back_queries([numpy.tile(d, (n, 1)).astype("float32") for d, n in means])

        return scores.reshape(len(asked), n, 2), back

    def _features(self, context: Doc, question: Doc) -> numpy.ndarray:
        """What each word has in common with the question: the word itself, the words
        around it and those of its sentence."""
        wanted = {t.lower_ for t in question if t.is_alpha or t.is_digit}
        wanted_starts = {w[:5] for w in wanted if len(w) > 4}
        words = [t.lower_ for t in context]
        told = (self.rare.get(w, 3.0) if w in wanted else 0.0 for w in words)
        weights = numpy.array([*told])
        same = weights > 0
        alike = numpy.array([w[:5] in wanted_starts for w in words])
        around = numpy.convolve(weights, numpy.ones(2 * _NEAR + 1), "same")
        sentence = numpy.zeros(len(weights))
        for first, last in _sentences(context):
            found = dict(zip(words[first:last], weights[first:last]))
            sentence[first:last] = sum(found.values())
        best = max(sentence.max(), 1e-6)
        own = [same, alike, weights / 5]
        others = [around[: len(weights)] / 10, sentence / best, sentence == best]
        return numpy.stack([*own, *others], axis=1).astype("float32")

    def answers(self, sample: Sample) -> list[tuple[str, list[str]]]:
        """For each question of a paragraph that has answers: what the reader points at,
        and what is right."""
        context, asked = self._read(sample)
        if not (known := [each for each in asked if each.answers]):
            return []
        scores, _ = self._forward(context, known, is_train=False)
        out = []
        for each, own in zip(known, scores):
            start, end = _best_span(own)
            golds = [context[a:b].text for a, b in each.answers]
            out.append((context[start:end].text, golds))
        return out

    def _read(self, sample: Sample) -> tuple[Doc, list[Asked]]:
        context, *questions = (self.nlp.make_doc(text) for text in sample.texts)
        asked = []
        for number, question in enumerate(questions, 1):
            answers = []
            for start, end, label, n in sample.spans:
                span = context.char_span(start, end, alignment_mode="expand")
                if label == ANSWER and n == number and span is not None:
                    answers.append((span.start, span.end))
            if len(context) and len(question):
                asked.append(Asked(question, answers))
        return context, asked


_N_FEATURES = 6


def _sentences(doc: Doc) -> Iterator[tuple[int, int]]:
    first = 0
    for token in doc:
        if token.text in (".", "!", "?") or token.i == len(doc) - 1:
            yield first, token.i + 1
            first = token.i + 1


def _best_span(scores: numpy.ndarray) -> tuple[int, int]:
    """The tokens with the highest sum of both scores."""
    n = len(scores)
    sums = scores[:, :1] + scores[:, 1][None, :]
    place = numpy.arange(n)[None, :] - numpy.arange(n)[:, None]
    sums = numpy.where((place >= 0) & (place < MAX_WORDS), sums, -numpy.inf)
    start, end = divmod(int(sums.argmax()), n)
    return start, end + 1


def best_f1(answer: str, golds: Sequence[str]) -> float:
    """F1 of words of an answer, with the right one that is nearest."""
    return max(_f1(answer, gold) for gold in golds)


def _f1(answer: str, gold: str) -> float:
    words = (_WORD.findall(text.lower()) for text in (answer, gold))
    own, right = (Counter(w for w in x if w not in _ARTICLES) for x in words)
    if not (both := sum((own & right).values())):
        return float(not own and not right)
    return 2 * both / (sum(own.values()) + sum(right.values()))
