"""Linking what is said: the pieces of one number, and a name with its letters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from spacy.tokens import Doc

from ..patterns.spoken.groups import FIRST, MORE
from ..schema import Candidate, texts_of
from ..text.folding import fold
from ..text.spoken import speech

_SAID = tuple(f"pattern:{detail}" for detail in (FIRST, MORE))
_WORD = re.compile(r"[^\W\d_]+")
# The fewest characters of a piece, and of a whole code, that tell whose it is.
_PIECE, _CODE = 4, 7


def link_said(
    doc: Doc, candidates: Sequence[Candidate], order: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Link the pieces of what is said, and each whole with what is written plainly.

    doc (Doc): The document.
    candidates (Sequence[Candidate]): Mentions.
    order (Sequence[int]): Their indexes in document order.
    YIELDS (tuple[int, int]): Indexes of two mentions of one entity.
    """
    if not (said := [i for i in order if candidates[i].source in _SAID]):
        return
    chains = _chains(candidates, said)
    for chain in chains:
        yield from ((chain[0], i) for i in chain[1:])
    read, texts = speech(doc.lang_).read, texts_of(doc, candidates)
    told = ((i, candidates[i]) for i in order if candidates[i].source not in _SAID)
    plain = [(i, c.label, _plainly(texts[i], c.label)) for i, c in told]
    for chain in chains:
        runs = [read(texts[i].strip(" .,;:")) for i in chain]
        pieces = dict.fromkeys(run.compact for run in runs if run is not None)
        label = candidates[chain[0]].label
        for i, other, meant in plain if pieces else ():
            if other == label and _same(pieces, meant, label):
                yield chain[0], i


def _chains(candidates: Sequence[Candidate], said: Sequence[int]) -> list[list[int]]:
    """Pieces that go on with the ones before."""
    last: dict[tuple[str, str], list[int]] = {}
    chains: list[list[int]] = []
    for i in said:
        c = candidates[i]
        key = c.label, c.id
        if c.source == _SAID[1] and key in last:
            last[key].append(i)
        else:
            last[key] = [i]
            chains.append(last[key])
    return chains


def _plainly(text: str, label: str) -> set[str]:
    """What may be said of a plain text: words of a name, or a code that is long enough
    to be told by a part of it."""
    if label == "PERSON":
        return {word for word in map(fold, _WORD.findall(text)) if len(word) > 2}
    code = "".join(ch for ch in text.lower() if ch.isalnum())
    long = label == "CODE" and len(code) >= _CODE and "@" not in text
    return {code} if long else set()


def _same(pieces: Collection[str], texts: set[str], label: str) -> bool:
    """Whether a plain text is what the pieces say."""
    if label == "PERSON":
        return "".join(pieces) in texts or not texts.isdisjoint(pieces)
    long = len(pieces) > 1 or any(len(piece) >= _PIECE for piece in pieces)
    return long and any(all(p in code for p in pieces) for code in texts)
