"""A linear-chain conditional random field over BILUO tags (Lafferty et al. 2001; on top
of a BiLSTM: Huang et al. 2015).

Emissions are the scores of the tags of each token; transitions those of one tag after
another, of the first tag and of the last one. The score of a sequence of tags is the sum
of its emissions and transitions, its probability exp(score) / Z, where Z sums exp(score)
over all valid sequences. Sequences that spell no spans are ruled out: their transitions
are fixed at minus infinity.

Everything here works on several sequences at once, laid out step by step (see
`ops.TimeMajor`); one loop runs over the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy
from thinc.api import Model
from thinc.types import Floats2d

from .ops import TimeMajor

# Sums of exponentials by a matrix product are right only while the scores that compete
# lie within the range of a double's exponent, about 700; beyond this, with a margin, the
# sums are made term by term.
FAST_RANGE = 150.0


@cache
def valid_transitions(n_tags: int) -> tuple[numpy.ndarray, ...]:
    """Which BILUO tags may follow each other, come first and come last.

    RETURNS (Tuple[ndarray, ndarray, ndarray]): Booleans: from tag to tag, shape
        (n_tags, n_tags); first and last tag, shape (n_tags,).
    """
    tags = numpy.arange(n_tags)
    label = (tags + 3) // 4  # 0 for O
    role = numpy.where(tags == 0, 3, (tags - 1) % 4)  # B, I, L, U; O is like U
    opens = numpy.isin(role, (0, 1))  # something must follow
    goes_on = numpy.isin(role, (1, 2))  # something must come before
    same = label[:, None] == label[None, :]
    between = numpy.where(opens[:, None], goes_on & same, ~goes_on[None, :])
    for table in (between, goes_on, opens):
        table.setflags(write=False)
    return between, ~goes_on, ~opens


class Chain(NamedTuple):
    """Scores of transitions, minus infinity where they are not valid.

    between (ndarray): From tag to tag, shape (tags, tags).
    first (ndarray): Of the first tag, shape (tags,).
    last (ndarray): Of the last tag, shape (tags,).
    """

    between: Any
    first: Any
    last: Any

    @classmethod
    def valid(cls, n_tags: int) -> Chain:
        """All valid sequences alike."""
        return cls(*(_barred(0.0, ok) for ok in valid_transitions(n_tags)))

    def scaled(self, temperature: float) -> Chain:
        """Scores divided by a temperature."""
        return Chain(*(scores / temperature for scores in self))


def _barred(scores: Any, valid: numpy.ndarray) -> numpy.ndarray:
    return numpy.where(valid, scores, -numpy.inf).astype("float64")


class Lattice:
    """All sequences of tags of several documents, with their scores.

    emissions (Sequence[Floats2d]): Scores of the tags, one matrix a document of shape
        (tokens, tags), tokens or documents may be none. Minus infinity bars a tag.
    chain (Chain): Scores of the transitions.
    lengths (Optional[Sequence[int]]): Of the documents, if `emissions` is one matrix.
    """

    def __init__(
        self, emissions: Any, chain: Chain, lengths: Sequence[int] | None = None
    ) -> None:
        if lengths is None:
            lengths = [len(rows) for rows in emissions]
            empty = numpy.zeros((0, len(chain.first)))
            emissions = numpy.concatenate([empty, *map(numpy.asarray, emissions)])
        self.chain = chain
        self.order = TimeMajor(lengths)
        scores = emissions[self.order.forward]
        scores[: len(self.order.order)] += chain.first
        scores[self.order.last] += chain.last
        self.scores = scores
        finite = scores[scores > -numpy.inf]
        moves = chain.between[chain.between > -numpy.inf]
        reach = sum(float(abs(x).max()) for x in (finite, moves) if x.size)
        self.fast = reach < FAST_RANGE

    def sums(self) -> Sums:
        """Forward and backward sums.

        The backward sums are forward sums of the documents read from their end, so that
        one loop makes both."""
        order, between = self.order, self.chain.between
        forward, backward = order.forward, order.backward
        flat = numpy.empty_like(self.scores)
        flat[forward] = self.scores
        scores = numpy.stack((self.scores, flat[backward]))
        between = numpy.stack((between, between.T))
        weights = numpy.exp(between) if self.fast else between
        # log sum of exp(score) of all that lies before a token, by its tag.
        before = numpy.zeros_like(scores)
        # Minus infinity less itself is what comes of bars that leave no sequence.
        with numpy.errstate(divide="ignore", invalid="ignore"):
            for (last, _), (start, end) in pairwise(order.steps):
                rows = slice(last, last + end - start)
                through = before[:, rows] + scores[:, rows]
                if self.fast:
                    highest = through.max(axis=2, keepdims=True)
                    sums = numpy.exp(through - highest) @ weights
                    numpy.log(sums, out=sums)
                    numpy.add(sums, highest, out=before[:, start:end])
                else:
                    moves = through[:, :, :, None] + between[:, None]
                    before[:, start:end] = log_sum(moves.swapaxes(2, 3))
            alpha = before[0] + self.scores
            log_z = log_sum(alpha[order.last])
        flat[backward] = before[1]
        return Sums(self, alpha, flat[forward], log_z)

    def best(self) -> list[Any]:
        """The best sequence of each document (Viterbi 1967)."""
        steps = self.order.steps
        between = self.chain.between
        into = numpy.ascontiguousarray(between.T)  # [to, from]
        delta = self.scores.copy()
        for (before, _), (start, end) in pairwise(steps):
            previous = delta[before : before + end - start]
            delta[start:end] += (previous[:, :, None] + between).max(axis=1)
        tags = numpy.zeros(self.order.n_rows, dtype="int64")
        following = tags[:0]
        for start, end in reversed(steps):
            n, scores = len(following), delta[start:end]
            tags[start + n : end] = scores[n:].argmax(axis=1)
            if n:
                tags[start : start + n] = (scores[:n] + into[following]).argmax(axis=1)
            following = tags[start:end]
        return self.split(tags)

    def split(self, rows: Any) -> list[Any]:
        """Rows in the order of steps, by document."""
        flat = numpy.empty_like(rows)
        flat[self.order.forward] = rows
        return [flat[start:end] for start, end in self.order.bounds]


class Sums:
    """Probabilities in a lattice, from its forward and backward sums.

    alpha (Floats2d): log sum of exp(score) of the beginnings that end in each tag of
        each token, its emission included.
    beta (Floats2d): The same of the ends that follow it, its emission not included.
    log_z (Floats1d): log Z of each document that is not empty, the longest first.
    """

    def __init__(self, lattice: Lattice, alpha: Any, beta: Any, log_z: Any) -> None:
        self.lattice = lattice
        self.alpha = alpha
        self.beta = beta
        self.log_z = log_z
        order = lattice.order
        self._places = {int(doc): i for i, doc in enumerate(order.order)}
        self.marginals = numpy.exp(alpha + beta - log_z[order.place][:, None])

    def expected(self) -> Chain:
        """Expected number of times that each transition is made, in all documents."""
        lattice, order = self.lattice, self.lattice.order
        n = len(order.order)
        between = lattice.chain.between
        before = numpy.asarray(order.offsets[order.step[n:] - 1] + order.place[n:])
        left = self.alpha[before]
        right = lattice.scores[n:] + self.beta[n:]
        right = right - self.log_z[order.place[n:]][:, None]
        if lattice.fast:
            highest = left.max(axis=1, keepdims=True)
            counts = numpy.exp(left - highest).T @ numpy.exp(right + highest)
            counts = counts * numpy.exp(between)
        else:
            counts = numpy.zeros_like(between)
            for i in range(0, len(left), 256):
                a, b = left[i : i + 256, :, None], right[i : i + 256, None, :]
                counts += numpy.exp(a + between + b).sum(axis=0)
        first = self.marginals[:n].sum(axis=0)
        return Chain(counts, first, self.marginals[order.last].sum(axis=0))

    def span_probability(self, doc: int, start: int, tags: Sequence[int]) -> float:
        """Probability that a document has these tags from a token on, whatever the
        others are."""
        lattice, place = self.lattice, self._places[doc]
        rows = lattice.order.offsets[start : start + len(tags)] + place
        total = self.alpha[rows[0], tags[0]] + self.beta[rows[-1], tags[-1]]
        total += lattice.scores[rows[1:], tags[1:]].sum()
        total += lattice.chain.between[tags[:-1], tags[1:]].sum()
        return min(1.0, float(numpy.exp(total - self.log_z[place])))


def log_sum(scores: Any) -> Any:
    """log sum exp over the last axis."""
    highest = numpy.maximum(scores.max(axis=-1), -1e300)
    return numpy.log(numpy.exp(scores - highest[..., None]).sum(axis=-1)) + highest


class Gradients(list):
    """Gradients of the emissions, a matrix a document, and those of the transitions.

    emissions (Iterable[Floats2d]): Shape (tokens, tags) each.
    """

    def __init__(self, emissions: Iterable[Any], chain: Chain) -> None:
        super().__init__(emissions)
        self.chain = chain


def likelihood(
    emissions: Sequence[Any], allowed: Sequence[Any], chain: Chain
) -> tuple[float, list[Any], Chain]:
    """Negative log-likelihood of partly known tags, and its gradients.

    The probability of all sequences with allowed tags only is Z' / Z, where Z' sums
    over those (Tsuboi et al. 2008); the gradients are the expected counts among all
    sequences less those among the allowed ones.

    emissions (Sequence[Floats2d]): Scores of the tags, shape (tokens, tags) a document.
    allowed (Sequence[ndarray]): Booleans of the same shapes.
    RAISES (ValueError): If no valid sequence is allowed.
    """
    if not sum(len(rows) for rows in emissions):
        zeros = Chain(*(numpy.zeros_like(scores) for scores in chain))
        return 0.0, [numpy.asarray(rows) for rows in emissions], zeros
    barred = [
        numpy.where(numpy.asarray(mask), numpy.asarray(rows), -numpy.inf)
        for rows, mask in zip(emissions, allowed)
    ]
    free = Lattice(emissions, chain).sums()
    clamped = Lattice(barred, chain).sums()
    if not numpy.isfinite(clamped.log_z).all():
        raise ValueError("the tags of a document spell no spans")
    loss = float((free.log_z - clamped.log_z).sum())
    gradients = free.lattice.split(free.marginals - clamped.marginals)
    counts = zip(free.expected(), clamped.expected())
    return loss, gradients, Chain(*(a - b for a, b in counts))


def CRF(nO: int | None = None) -> Model[list[Floats2d], list[Floats2d]]:
    """The transitions, at the end of a model that gives emissions.

    The emissions pass through; the loss and the decoding (`decoding.CRFHead`) read the
    transitions from this node, and what they hand back for the emissions carries the
    gradients of the transitions with it."""
    params: dict[str, Any] = dict.fromkeys(("transitions", "first", "last"))
    return Model("crf", _forward, init=_init, dims={"nO": nO}, params=params)


def _init(model: Model, X: Any = None, Y: Any = None) -> None:
    if X is not None:
        model.set_dim("nO", X[0].shape[1])
    n = model.get_dim("nO")
    model.set_param("transitions", model.ops.alloc2f(n, n))
    for name in ("first", "last"):
        model.set_param(name, model.ops.alloc1f(n))


def _forward(model: Model, X: Any, is_train: bool) -> tuple[Any, Callable]:
    def backprop(dY: Any) -> Any:
        if isinstance(dY, Gradients):
            for name, gradient in zip(("transitions", "first", "last"), dY.chain):
                model.inc_grad(name, cast(Any, model.ops.asarray(gradient, dtype="f")))
        return dY

    return X, backprop


def read_chain(model: Model) -> Chain:
    """Scores of the transitions of a `CRF` node, on the CPU."""
    names = ("transitions", "first", "last")
    scores = [model.ops.to_numpy(model.get_param(name)) for name in names]
    return Chain(*map(_barred, scores, valid_transitions(scores[0].shape[0])))
