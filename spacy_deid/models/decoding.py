"""BILUO tags, and the heads that read a model's scores: probabilities, spans, loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy
from thinc.api import Model, get_array_module

from .crf import Chain, Gradients, Lattice, likelihood, read_chain, valid_transitions
from .ops import ranges

# Start and end token, label, probability.
Found = tuple[int, int, str, float]


# One matrix a document, of shape (tokens, tags): scores of a model; probabilities; tags that
# the gold leaves open, None where it says nothing; a loss with its gradients.
Scores = Sequence[Any]
Rows = list[numpy.ndarray]
Allowed = Sequence[numpy.ndarray | None]
Loss = tuple[float, list[Any]]


class Tagset:
    """Columns of the tag matrix: O first, then B, I, L, U of each label.

    labels (Sequence[str]): Labels of the spans.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        self._first = {label: 1 + 4 * i for i, label in enumerate(self.labels)}

    def __len__(self) -> int:
        return 1 + 4 * len(self.labels)

    def columns(self, label: str) -> list[int]:
        """The four columns of a label, in the order B, I, L, U."""
        first = self._first[label]
        return [first, first + 1, first + 2, first + 3]

    def order(self, labels: Sequence[str]) -> list[int]:
        """Its columns in the order of `Tagset(labels)`."""
        return [0, *(column for label in labels for column in self.columns(label))]

    def span_tags(self, label: str, length: int) -> list[int]:
        """Columns that spell a span of so many tokens."""
        b, i, last, u = self.columns(label)
        return [u] if length == 1 else [b, *[i] * (length - 2), last]


class Head:
    """What a component does with the scores of its model, one matrix a document of
    shape (tokens, tags). `make_head` chooses the one that fits the model.

    ops (Ops): Where gradients are wanted.
    """

    # Whether it learns from probabilities of tags too.
    is_soft = False

    def __init__(self, tagset: Tagset, ops: Any) -> None:
        self.tagset = tagset
        self.ops = ops

    def probabilities(self, scores: Scores, temperature: float = 1.0) -> Rows:
        """Probability of each tag of each token, log-probabilities divided by the
        temperature; rows sum to one."""
        raise NotImplementedError

    def decode(
        self, scores: Scores, o_threshold: float = 0.0, temperature: float = 1.0
    ) -> list[list[Found]]:
        """Spans of each document, in order and without overlaps, with probabilities.

        Without a threshold these are the spans of the best valid sequence of tags. A
        token whose probability of O is below the threshold lies inside a span too
        (paper 5), so that a higher threshold never loses a token. The temperature
        changes neither the best sequence nor, without a threshold, the spans."""
        raise NotImplementedError

    def loss(self, scores: Scores, allowed: Allowed) -> Loss:
        """Negative log-likelihood of the tags allowed, and what to backpropagate.

        allowed (Sequence[Optional[ndarray]]): For each document a boolean matrix of
            the tags that the gold leaves open, one or more a token; where `is_soft`,
            also a matrix of their probabilities, whose rows sum to one. None where
            nothing is known.
        """
        raise NotImplementedError

    def _by_document(
        self,
        path: numpy.ndarray,
        starts: numpy.ndarray,
        score: Callable[[int, int, int], float],
    ) -> list[list[Found]]:
        """The spans of a joined path; `score` is given document, first token and the
        one after the last."""
        where = numpy.flatnonzero(path)
        labels, roles = numpy.divmod(path[where] - 1, 4)
        first = (roles == 0) | (roles == 3)
        begins, ends = where[first], where[roles >= 2] + 1
        docs = numpy.searchsorted(starts, begins, side="right") - 1
        rows = zip(*(column.tolist() for column in (docs, begins, ends, labels[first])))
        offsets = starts.tolist()
        out: list[list[Found]] = [[] for _ in offsets[1:]]
        for doc, begin, end, label in rows:
            shift, name = offsets[doc], self.tagset.labels[label]
            out[doc].append((begin - shift, end - shift, name, score(doc, begin, end)))
        return out


def make_head(model: Model, tagset: Tagset) -> Head:
    """The head for a model's output."""
    if model.has_ref("crf"):
        return CRFHead(tagset, model.ops, model.get_ref("crf"))
    return SoftmaxHead(tagset, model.ops)


class SoftmaxHead(Head):
    """Reads tag probabilities, each token by itself."""

    is_soft = True

    def probabilities(self, scores: Scores, temperature: float = 1.0) -> Rows:
        """See `Head.probabilities`: p^(1/temperature), normalised."""
        return [temper(_numbers(self.ops, probs), temperature) for probs in scores]

    def decode(
        self, scores: Scores, o_threshold: float = 0.0, temperature: float = 1.0
    ) -> list[list[Found]]:
        """See `Head.decode`. The probability of a span is the product of its tags'
        probabilities, that of the span under this model: its tags are independent.

        Where the most probable tag of each token makes a valid sequence, that is the
        best one; only runs of tokens where it does not are searched by Viterbi."""
        if not self.tagset.labels:
            return [[] for _ in scores]
        outside = numpy.eye(1, len(self.tagset))
        probs, starts = _joined(self.probabilities(scores, temperature), outside)
        chain = Chain.valid(len(self.tagset))
        gaps = numpy.zeros(len(probs), dtype=bool)
        gaps[starts - 1] = True

        def log_rows(rows: numpy.ndarray) -> numpy.ndarray:
            logs = numpy.log(numpy.maximum(probs[rows], 1e-30)).astype("float64")
            logs[gaps[rows], 1:] = -numpy.inf
            return logs

        path = probs.argmax(axis=1)
        _repair(path, log_rows, chain)
        _cover(path, probs[:, 0] < o_threshold, log_rows, chain)
        inside = numpy.flatnonzero(path)
        chosen = numpy.zeros(len(path))
        chosen[inside] = numpy.log(numpy.maximum(probs[inside, path[inside]], 1e-30))
        total = numpy.concatenate(([0.0], numpy.cumsum(chosen))).tolist()

        def score(doc: int, begin: int, end: int) -> float:
            # Not above 1, whatever rounding does.
            return math.exp(min(total[end] - total[begin], 0.0))

        return self._by_document(path, starts, score)

    def loss(self, scores: Scores, allowed: Allowed) -> Loss:
        """See `Head.loss`: cross-entropy of each token; of a set of tags it is that of
        their sum, of probabilities that of paper "Distilling the Knowledge in a Neural
        Network" (Hinton et al. 2015) at temperature 1. The gradients are those of the
        logits."""
        loss, gradients = 0.0, []
        for guess, mask in zip(scores, allowed):
            if mask is None:
                gradients.append(self.ops.alloc2f(*guess.shape))
                continue
            xp = get_array_module(guess)
            if mask.dtype != bool:
                target = xp.asarray(mask, dtype=guess.dtype)
                loss += float(-(target * xp.log(guess.clip(1e-12))).sum())
                gradients.append(self.ops.asarray2f(guess - target))
                continue
            target = guess * xp.asarray(mask)
            mass = target.sum(axis=1, keepdims=True).clip(1e-12)
            loss += float(-xp.log(mass).sum())
            # Where a single tag is allowed the target is that tag, exactly.
            single = mask.sum(axis=1, keepdims=True) == 1
            target = xp.where(xp.asarray(single), xp.asarray(mask), target / mass)
            gradients.append(self.ops.asarray2f(guess - target))
        return loss, gradients


class CRFHead(Head):
    """Reads emission scores with the transitions of a `crf.CRF` node.

    The sums over sequences run on the CPU: their loop has one small step a token, for
    which starting kernels on a GPU takes longer than the arithmetic.

    node (Model): The node.
    """

    def __init__(self, tagset: Tagset, ops: Any, node: Model) -> None:
        super().__init__(tagset, ops)
        self.node = node

    def probabilities(self, scores: Scores, temperature: float = 1.0) -> Rows:
        """See `Head.probabilities`: the marginals of the tags, emissions and
        transitions divided by the temperature."""
        lattice = self._lattice(scores, temperature)
        return lattice.split(lattice.sums().marginals)

    def decode(
        self, scores: Scores, o_threshold: float = 0.0, temperature: float = 1.0
    ) -> list[list[Found]]:
        """See `Head.decode`. The probability of a span is exact: that of all sequences
        with this span among all sequences."""
        lattice = self._lattice(scores, temperature)
        n_tags = len(self.tagset)
        paths = lattice.best()
        if not self.tagset.labels or not (o_threshold or any(p.any() for p in paths)):
            return [[] for _ in scores]
        sums = lattice.sums()
        path, starts = _joined(paths, numpy.zeros(1, dtype="int64"))
        if o_threshold:
            marginals = lattice.split(sums.marginals)
            outside, _ = _joined([m[:, 0] for m in marginals], numpy.ones(1))
            only_o = numpy.where(numpy.arange(n_tags) > 0, -numpy.inf, 0.0)[None]
            logs, _ = _joined(lattice.split(lattice.scores), only_o)
            # The lattice's scores have those of the first and the last tag; here each
            # document stands between tokens outside.
            chain = lattice.chain
            ends, full = starts[1:] - 2, starts[1:] - 1 > starts[:-1]
            logs[starts[:-1][full]] -= _finite(chain.between[0])
            logs[ends[full]] -= _finite(chain.between[:, 0])
            _cover(path, outside < o_threshold, logs.__getitem__, chain)

        def score(doc: int, begin: int, end: int) -> float:
            tags = path[begin:end].tolist()
            return sums.span_probability(doc, begin - int(starts[doc]), tags)

        return self._by_document(path, starts, score)

    def loss(self, scores: Scores, allowed: Allowed) -> Loss:
        """See `Head.loss`: see `crf.likelihood`. The gradients carry those of the
        transitions."""
        known = [i for i, mask in enumerate(allowed) if mask is not None]
        own = [self.ops.to_numpy(scores[i]) for i in known]
        masks = [allowed[i] for i in known]
        loss, emissions, chain = likelihood(own, masks, read_chain(self.node))
        gradients = [self.ops.alloc2f(*rows.shape) for rows in scores]
        for i, gradient in zip(known, emissions):
            gradients[i] = self.ops.asarray2f(gradient)
        return loss, Gradients(gradients, chain)

    def _lattice(self, scores: Scores, temperature: float) -> Lattice:
        emissions = [_numbers(self.ops, rows) / temperature for rows in scores]
        return Lattice(emissions, read_chain(self.node).scaled(temperature))


def _numbers(ops: Any, scores: Any) -> numpy.ndarray:
    """Scores on the CPU. What is no number would pass for a token outside."""
    rows = ops.to_numpy(scores)
    if not numpy.isfinite(rows.sum()):
        raise ValueError(
            "the recognizer's scores are not finite: its weights are damaged, or its "
            "training went astray; train it again with a lower learning rate"
        )
    return rows


def temper(probs: numpy.ndarray, temperature: float) -> numpy.ndarray:
    """Divide log-probabilities by a temperature (Guo et al. 2017) and normalise.

    probs (ndarray): Probabilities, shape (rows, classes).
    RETURNS (ndarray): Of the same shape; the same array for a temperature of 1.
    """
    if temperature == 1.0 or not len(probs):
        return probs
    # In place takes half the time.
    powers = numpy.maximum(probs, 1e-30)
    numpy.log(powers, out=powers)
    powers /= temperature
    powers -= powers.max(axis=1, keepdims=True)
    numpy.exp(powers, out=powers)
    powers /= powers.sum(axis=1, keepdims=True)
    return powers


def _joined(
    arrays: Sequence[numpy.ndarray], outside: numpy.ndarray
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Documents in one array, with a token that is surely outside before, between and
    after them; and where each begins, the end of all last."""
    parts = [outside.astype(arrays[0].dtype)] if arrays else [outside]
    starts = [1]
    for array in arrays:
        parts += [array, parts[0]]
        starts.append(starts[-1] + len(array) + 1)
    return numpy.concatenate(parts), numpy.array(starts)


def _finite(scores: numpy.ndarray) -> numpy.ndarray:
    return numpy.where(scores > -numpy.inf, scores, 0.0)


LogRows = Callable[[numpy.ndarray], numpy.ndarray]


def _repair(path: numpy.ndarray, log_rows: LogRows, chain: Chain) -> None:
    """Make a sequence of tags valid, in place."""
    valid = chain.between[path[:-1], path[1:]] > -numpy.inf
    if valid.all():
        return
    broken = numpy.zeros(len(path), dtype=bool)
    broken[:-1] |= ~valid
    broken[1:] |= ~valid
    inside = path != 0
    searched = numpy.zeros(len(path), dtype=bool)
    for start, end in runs(inside, broken):
        # One token of context each side, which the path may take in.
        searched[start - 1 : end + 1] = True
    _retag(path, runs(searched), log_rows, chain, bar_outside=False)


# Tokens looked at on each side of one that must lie inside a span.
REACH = 3


def _cover(
    path: numpy.ndarray, low: numpy.ndarray, log_rows: LogRows, chain: Chain
) -> None:
    """Take in tokens whose O is improbable, in place: each with the others of the most
    probable span around it, which depends on the scores alone; so that what is found
    grows with the threshold."""
    inside = path != 0
    wanted = inside | low
    added = numpy.flatnonzero(low & ~inside)
    if not len(added):
        return
    near = added[:, None] + numpy.arange(-REACH, REACH + 1)
    near = near.clip(0, len(path) - 1)
    near = near[~wanted[near].all(axis=1)]
    for i in range(0, len(near), 1000):
        rows = near[i : i + 1000]
        wanted[rows[_around(rows, log_rows, chain)]] = True
    _retag(path, runs(wanted, wanted & ~inside), log_rows, chain, bar_outside=True)


def _around(rows: numpy.ndarray, log_rows: LogRows, chain: Chain) -> numpy.ndarray:
    """Which tokens of each window lie in the best span around its middle."""
    scores = log_rows(rows.ravel())
    scores[REACH :: rows.shape[1], 0] = -numpy.inf
    free = numpy.zeros(len(chain.first))
    edges = Chain(chain.between, free, free)
    tags = numpy.stack(Lattice(scores, edges, [rows.shape[1]] * len(rows)).best())
    _, begins, ends = valid_transitions(len(free))
    within = numpy.zeros(rows.shape, dtype=bool)
    within[:, REACH] = True
    for step in range(REACH):
        left, right = REACH - step, REACH + step
        within[:, left - 1] = within[:, left] & ~begins[tags[:, left]]
        within[:, right + 1] = within[:, right] & ~ends[tags[:, right]]
    return within


# Tokens of a long stretch that are tagged at a time, and those on each side of them:
# what is further away has no bearing on the best tags (Viterbi's truncated memory).
STRETCH, MARGIN = 512, 64


def _retag(
    path: numpy.ndarray,
    places: list[tuple[int, int]],
    log_rows: LogRows,
    chain: Chain,
    bar_outside: bool,
) -> None:
    """Tag stretches anew, between tokens outside, in place."""
    edges = Chain(chain.between, chain.between[0], chain.between[:, 0])

    def best(parts: list[tuple[int, int]]) -> Rows:
        starts, ends = numpy.array(parts, dtype="int64").reshape(-1, 2).T
        scores = log_rows(ranges(starts, ends)).astype("float64")
        if bar_outside:
            scores[:, 0] = -numpy.inf
        return Lattice(scores, edges, ends - starts).best()

    whole = [place for place in places if place[1] - place[0] <= STRETCH + 2 * MARGIN]
    for start, end in set(places).difference(whole):
        # Side by side: token by token would take as many steps.
        cuts = [*range(start, end, STRETCH), end]
        pairs = [*pairwise(cuts)]
        around = [(max(start, a - MARGIN), min(end, b + MARGIN)) for a, b in pairs]
        for (a, b), (first, _), tags in zip(pairs, around, best(around)):
            path[a:b] = tags[a - first : b - first]
        seams = numpy.array(cuts[1:-1])
        if not (chain.between[path[seams - 1], path[seams]] > -numpy.inf).all():
            whole.append((start, end))
    for (start, end), tags in zip(whole, best(whole)):
        path[start:end] = tags


def runs(
    mask: numpy.ndarray, holding: numpy.ndarray | None = None
) -> list[tuple[int, int]]:
    """Start and end of each run of true values, if another mask is given only of those
    that hold any of its own."""
    steps = numpy.flatnonzero(numpy.diff(mask, prepend=False, append=False))
    starts, ends = steps[::2], steps[1::2]
    if holding is not None:
        before = numpy.concatenate(([0], holding.cumsum()))
        kept = before[ends] > before[starts]
        starts, ends = starts[kept], ends[kept]
    return list(zip(starts.tolist(), ends.tolist()))
