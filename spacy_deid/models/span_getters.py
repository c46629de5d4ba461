"""Windows in which an encoder reads a document: none longer than it takes, no piece
left out, and for each piece one window that its vector is taken from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy
from spacy.tokens import Doc

from .pieces import Pieces

SENTENCE_ENDS = frozenset(
    [".", "!", "?", "…", "...", "?!", "!?", "!!", "??", "。", "!", "?", "؟", "۔", "।"]
)
CLOSING = frozenset(['"', "'", "''", "”", "’", "»", "›", ")", "]", "」", "』", ")"])


@dataclass(frozen=True)
class Windows:
    """How the pieces of one document are read.

    bounds (List[Tuple[int, int]]): First piece of each window and the one after its
        last. Windows may overlap.
    owner (ndarray): For each piece the number of the window that its vector is taken
        from, shape (pieces,).
    """

    bounds: list[tuple[int, int]]
    owner: numpy.ndarray


class SpanGetter:
    """Base of the span getters.

    max_pieces (int): Word pieces in a window at most, special ones included; no more
        than the encoder takes are used.
    """

    max_pieces: int

    def __post_init__(self) -> None:
        if self.max_pieces < 1:
            raise ValueError(f"max_pieces must be positive: {self.max_pieces}")
        for name, value in vars(self).items():
            if value < 0:
                raise ValueError(f"{name} must not be negative: {value}")

    def windows(self, doc: Doc, pieces: Pieces, room: int) -> Windows:
        """Windows over a document that has at least one piece."""
        raise NotImplementedError


@dataclass
class DocumentSpans(SpanGetter):
    """Whole documents, as paper 5 reads them with Longformer; those that are too long in
    windows that overlap. Registered as `spacy_deid.document_spans.v1`.

    overlap (int): Word pieces that neighbour windows of a longer document share; at
        most a quarter of a window.
    """

    max_pieces: int = 4096
    overlap: int = 128

    def windows(self, doc: Doc, pieces: Pieces, room: int) -> Windows:
        """See `SpanGetter.windows`."""
        bounds = overlapping(pieces.cuts, 0, len(pieces), room, self.overlap)
        return Windows(bounds, most_central(pieces, bounds))


@dataclass
class ContextSpans(SpanGetter):
    """Sentences, each read with what stands around it; only the sentence's own tokens
    take their vectors from there (FLERT, Schweter and Akbik 2020; paper 2, 4.1).
    Registered as `spacy_deid.context_spans.v1`.

    context (int): Word pieces read on each side of a sentence, of whatever sentences
        stand there; at most a quarter of a window.
    """

    context: int = 64
    max_pieces: int = 512

    def windows(self, doc: Doc, pieces: Pieces, room: int) -> Windows:
        """See `SpanGetter.windows`."""
        n, cuts = len(pieces), pieces.cuts
        context = min(self.context, room // 4)
        starts = pieces.first[sentence_starts(doc)]
        edges = [0, *numpy.unique(starts[(starts > 0) & (starts < n)]).tolist(), n]
        bounds: list[tuple[int, int]] = []
        owner = numpy.zeros(n, dtype="int64")
        for start, end in pairwise(edges):
            # A sentence that leaves no room for its context is read in parts.
            for a, b in overlapping(cuts, start, end, room - 2 * context, 0):
                owner[a:b] = len(bounds)
                left = _cut_from(cuts, max(0, a - context), a)
                bounds.append((left, _cut_up_to(cuts, min(n, b + context), b)))
        return Windows(bounds, owner)


def overlapping(
    cuts: numpy.ndarray, start: int, end: int, room: int, overlap: int
) -> list[tuple[int, int]]:
    """Windows that together cover a range of pieces, from token to token; only a token
    that is longer than a window is cut.

    start (int): First piece of the range.
    room (int): Pieces in a window at most.
    RETURNS (List[Tuple[int, int]]): First piece and piece after the last of each.
    """
    overlap = min(overlap, room // 4)
    bounds = []
    left = start
    while end - left > room:
        right = _cut_up_to(cuts, left + room, left + overlap)
        if right <= left + overlap:
            right = left + room
        bounds.append((left, right))
        left = _cut_up_to(cuts, right - overlap, left)
        if left <= bounds[-1][0]:
            left = right - overlap
    if bounds:
        # The last one may reach back: a short rest would be read without context.
        left = min(left, _cut_from(cuts, end - room, left) if overlap else left)
    return [*bounds, (left, end)]


def _cut_up_to(cuts: numpy.ndarray, place: int, least: int) -> int:
    """Last cut up to a place; `least` if it stands before that."""
    i = int(numpy.searchsorted(cuts, place, side="right")) - 1
    return max(least, int(cuts[i]))


def _cut_from(cuts: numpy.ndarray, place: int, most: int) -> int:
    """First cut from a place on; `most` if it stands behind that."""
    i = int(numpy.searchsorted(cuts, place, side="left"))
    return min(most, int(cuts[i]))


def most_central(pieces: Pieces, bounds: list[tuple[int, int]]) -> numpy.ndarray:
    """For each piece the window in which it stands farthest from an edge: neighbours
    share what both have in its middle. The pieces of one token go together where they
    can.

    RETURNS (ndarray): Number of the window, shape (pieces,).
    """
    edges: list[int] = []
    for (_, end), (start, _) in pairwise(bounds):
        edge = (start + end + 1) // 2
        token = int(numpy.searchsorted(pieces.first, edge, side="left")) - 1
        first, after = int(pieces.first[token]), int(pieces.end[token])
        if start <= first < edge < after <= end:
            edge = after if (first + after) // 2 < edge else first
        edges.append(max([edge, *edges[-1:]]))
    return numpy.searchsorted(edges, numpy.arange(len(pieces)), side="right")


def sentence_starts(doc: Doc) -> numpy.ndarray:
    """Tokens that begin a sentence: as annotated, else after line ends and after the
    punctuation that ends sentences."""
    if doc.has_annotation("SENT_START"):
        return numpy.asarray([sent.start for sent in doc.sents], dtype="int64")
    starts = [0] if len(doc) else []
    ended = False
    for token in doc:
        text = token.text
        if ended and not (text in CLOSING or text in SENTENCE_ENDS or token.is_space):
            starts.append(token.i)
            ended = False
        if text in SENTENCE_ENDS or "\n" in text:
            ended = True
    return numpy.unique(numpy.asarray(starts, dtype="int64"))


def get_windows(
    get_spans: SpanGetter, docs: list[Doc], pieces: list[Pieces], room: int
) -> list[Windows]:
    """Windows of documents, each checked; none for a document without a piece.

    RAISES (ValueError): If something would be cut or left out.
    """
    out = []
    for doc, own in zip(docs, pieces):
        windows = Windows([], numpy.zeros(0, dtype="int64"))
        if len(own):
            windows = get_spans.windows(doc, own, room)
        _check(windows, len(own), room)
        out.append(windows)
    return out


def _check(windows: Windows, n: int, room: int) -> None:
    bounds = numpy.asarray(windows.bounds, dtype="int64").reshape((-1, 2))
    owner = windows.owner
    if len(owner) != n or (owner < 0).any():
        left_out = n - int((owner >= 0).sum())
        raise ValueError(f"the span getter leaves {left_out} word pieces out")
    longest = int((bounds[:, 1] - bounds[:, 0]).max(initial=0))
    if longest > room:
        raise ValueError(
            f"the span getter gives a window of {longest} word pieces, but only "
            f"{room} fit in the encoder"
        )
    places = numpy.arange(n)
    if ((places < bounds[owner, 0]) | (places >= bounds[owner, 1])).any():
        raise ValueError("the span getter takes word pieces from windows without them")
