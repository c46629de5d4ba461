"""BILUO tags and their constrained decoding."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy


class Tagset:
    """Columns of the tag matrix: O first, then B, I, L, U of each label.

    labels (Sequence[str]): Semantic types.
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

    def span_tags(self, label: str, length: int) -> list[int]:
        """Columns that spell a span of so many tokens."""
        b, i, last, u = self.columns(label)
        return [u] if length == 1 else [b, *[i] * (length - 2), last]


def decode(
    probs: numpy.ndarray, tagset: Tagset, o_threshold: float = 0.0
) -> list[tuple[int, int, str, float]]:
    """The most probable valid tag sequence, as spans.

    Where the most probable tag of each token makes a valid sequence, that is the
    answer; only runs of tokens where it does not are searched by Viterbi.

    probs (ndarray): Tag probabilities, shape (tokens, tags).
    tagset (Tagset): Meaning of the columns.
    o_threshold (float): A token is outside only with at least this probability.
    RETURNS (List[Tuple[int, int, str, float]]): Start and end token, label, and the
        geometric mean of the chosen tags' probabilities.
    """
    n = probs.shape[0]
    if n == 0 or not tagset.labels:
        return []
    best = probs.argmax(axis=1)
    if o_threshold > 0.0:
        low = numpy.flatnonzero((best == 0) & (probs[:, 0] < o_threshold))
        if len(low):
            best[low] = _lowered(probs[low], o_threshold).argmax(axis=1)
    inside = numpy.flatnonzero(best).tolist()
    spans: list[tuple[int, int, str, float]] = []
    first = 0
    while first < len(inside):
        last = first
        while last + 1 < len(inside) and inside[last + 1] == inside[last] + 1:
            last += 1
        start, end = inside[first], inside[last] + 1
        first = last + 1
        tags = best[start:end].tolist()
        if not _valid(tags):
            # One token of context each side, which the path may take in.
            start, end = max(0, start - 1), min(n, end + 1)
            rows = _lowered(probs[start:end], o_threshold)
            tags = _viterbi(rows, len(tagset.labels))
        spans.extend(_spans(tags, probs, start, tagset))
    # Widened runs may meet: the first keeps its tokens.
    out: list[tuple[int, int, str, float]] = []
    for span in sorted(spans):
        if not out or span[0] >= out[-1][1]:
            out.append(span)
        elif span[1] > out[-1][1]:
            out.append((out[-1][1], *span[1:]))
    return out


def _lowered(probs: numpy.ndarray, o_threshold: float) -> numpy.ndarray:
    """Probabilities in which O comes last, but stays possible, where it is below the
    threshold."""
    probs = probs.copy()
    below = probs[:, 0] < o_threshold
    probs[below, 0] = numpy.minimum(
        probs[below, 0], probs[below, 1:].max(axis=1) * 0.01
    )
    return probs


def _valid(tags: list[int]) -> bool:
    """Whether a sequence of tags, none of them O, spells whole spans."""
    open_label = -1
    for tag in tags:
        label, role = divmod(tag - 1, 4)
        if role in (1, 2):  # I, L
            if open_label != label:
                return False
            if role == 2:
                open_label = -1
        else:  # B, U
            if open_label >= 0:
                return False
            if role == 0:
                open_label = label
    return open_label < 0


def _viterbi(probs: numpy.ndarray, n_labels: int) -> list[int]:
    """Best valid path through a short run, from outside to outside."""
    logs = numpy.log(numpy.maximum(probs, 1e-30)).tolist()
    minus = -math.inf
    outside = 0.0
    inside = [minus] * n_labels
    back_out: list[int] = []  # tag that leads to the outside state
    back_in: list[list[int]] = []  # tag that leads to each label's inside state
    for row in logs:
        new_outside, tag_out = outside + row[0], 0
        new_inside, tags_in = [minus] * n_labels, [0] * n_labels
        for k in range(n_labels):
            b, i, last, u = 1 + 4 * k, 2 + 4 * k, 3 + 4 * k, 4 + 4 * k
            if outside + row[u] > new_outside:
                new_outside, tag_out = outside + row[u], u
            if inside[k] + row[last] > new_outside:
                new_outside, tag_out = inside[k] + row[last], last
            if outside + row[b] >= inside[k] + row[i]:
                new_inside[k], tags_in[k] = outside + row[b], b
            else:
                new_inside[k], tags_in[k] = inside[k] + row[i], i
        outside, inside = new_outside, new_inside
        back_out.append(tag_out)
        back_in.append(tags_in)
    tags = []
    state = -1  # outside; else the label inside of
    for t in range(len(logs) - 1, -1, -1):
        tag = back_out[t] if state < 0 else back_in[t][state]
        tags.append(tag)
        if tag > 0:
            label, role = divmod(tag - 1, 4)
            # Before B and U comes the outside, before I and L the inside.
            state = label if role in (1, 2) else -1
    return tags[::-1]


def _spans(
    tags: list[int], probs: numpy.ndarray, offset: int, tagset: Tagset
) -> list[tuple[int, int, str, float]]:
    out = []
    start = 0
    for i, tag in enumerate(tags):
        if tag == 0:
            continue
        label, role = divmod(tag - 1, 4)
        if role in (0, 3):
            start = i
        if role in (2, 3):
            if role == 3:
                chosen = probs[offset + i, tag]
            else:
                rows = probs[offset + start : offset + i + 1]
                chosen = rows[range(len(rows)), tags[start : i + 1]]
            logs = numpy.log(numpy.maximum(chosen, 1e-30))
            score = float(numpy.exp(logs if role == 3 else logs.mean()))
            out.append((offset + start, offset + i + 1, tagset.labels[label], score))
    return out
