"""Tags of tokens to spans (BIO, IOB1, BILUO, IOBES, BMES, bare labels), and tokens to
text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from spacy.training.iob_utils import iob_to_biluo, tags_to_entities

# Start and end of each token in a text.
Offsets = list[tuple[int, int]]

# What a prefix says of its token's place: it begins a span, goes on, ends one.
BEGIN, INSIDE, LAST, SINGLE = "begin", "inside", "last", "single"
PREFIXES = dict(zip("BIMLEUSW", (BEGIN, INSIDE, INSIDE, LAST, LAST, *[SINGLE] * 3)))
OUTSIDE = ("O", "_", "-X-")
_TAG = re.compile(r"(?:([BIMLEUSW])-)?(\S+)")


class TagSpan(NamedTuple):
    """A span of tokens.

    start (int): First token.
    end (int): Token after the last.
    label (str): Its label.
    repairs (Tuple[str, ...]): What its tags break: `begin` if the first of them does
        not begin a span, `end` if the last does not end one.
    """

    start: int
    end: int
    label: str
    repairs: tuple[str, ...] = ()


class Notation(NamedTuple):
    """What a corpus' tags say."""

    begins: bool
    ends: bool


def is_tag(value: str) -> bool:
    """Whether a value is a tag with a prefix, or one that says "outside"."""
    match = _TAG.fullmatch(value)
    return value in OUTSIDE or (match is not None and match[1] is not None)


def split_tag(tag: str) -> tuple[str | None, str]:
    """Place and label of a tag."""
    match = _TAG.fullmatch(tag)
    if match is None or tag in OUTSIDE:
        return None, ""
    return PREFIXES[match[1]] if match[1] else INSIDE, match[2]


def find_spans(tags: Sequence[str]) -> list[TagSpan]:
    """Spans of one sentence or document, whatever the notation."""
    places = [split_tag(tag) for tag in tags]
    iob, before = [], ""
    for place, label in places:
        goes_on = place in (INSIDE, LAST) and label == before
        iob.append(f"{'I' if goes_on else 'B'}-{label}" if place else "O")
        before = "" if place in (LAST, SINGLE) else label
    spans = []
    for label, start, last in tags_to_entities(iob_to_biluo(iob)):
        begins = places[start][0] in (BEGIN, SINGLE)
        ends = places[last][0] in (LAST, SINGLE)
        repairs = (*(() if begins else ("begin",)), *(() if ends else ("end",)))
        spans.append(TagSpan(start, last + 1, label, repairs))
    return spans


class NotationGuess:
    """Finds out the notation of a corpus while its tags go by."""

    def __init__(self) -> None:
        self.ends = False
        self.begins = False

    def add(self, tags: Sequence[str]) -> None:
        """Look at the tags of a sentence."""
        label_before = ""
        for tag in tags:
            place, label = split_tag(tag)
            if place in (LAST, SINGLE):
                self.ends = True
            # IOB1 has no such tag but right after a span of the same label.
            if place == BEGIN and label != label_before:
                self.begins = True
            label_before = label

    @property
    def notation(self) -> Notation:
        return Notation(self.begins or self.ends, self.ends)


def is_repaired(span: TagSpan, notation: Notation) -> bool:
    """Whether the tags of a span break their notation."""
    return ("begin" in span.repairs and notation.begins) or (
        "end" in span.repairs and notation.ends
    )


def join_tokens(tokens: Sequence[str], spaces: Sequence[Any]) -> tuple[str, Offsets]:
    """The text that tokens make."""
    parts, offsets, end = [], [], 0
    for token, space in zip(tokens, spaces):
        offsets.append((end, end + len(token)))
        parts.append(token + " " if space else token)
        end += len(parts[-1])
    return "".join(parts), offsets
