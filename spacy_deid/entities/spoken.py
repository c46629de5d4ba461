"""Linking what is said: the pieces of one number, and a name with its letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spacy.tokens import Doc

from ..patterns.spoken.groups import FIRST, MORE
from ..schema import Candidate
from ..text.folding import fold
from ..text.spoken import speech
from .forms import text_of

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
    said = [i for i in order if candidates[i].source in _SAID]
    if not said:
        return
    chains = _chains(candidates, said)
    for chain in chains:
        for i in chain[1:]:
            yield chain[0], i
    read = speech(doc.lang_).read
    plain = [i for i in order if candidates[i].source not in _SAID]
    for chain in chains:
        runs = [read(text_of(doc, candidates[i]).strip(" .,;:")) for i in chain]
        pieces = [run.compact for run in runs if run is not None]
        label = candidates[chain[0]].label
        for i in plain if pieces else ():
            other = candidates[i]
            if other.label == label and _same(pieces, text_of(doc, other), label):
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


def _same(pieces: Sequence[str], text: str, label: str) -> bool:
    """Whether a plain text is what the pieces say."""
    if label == "PERSON":
        words = [fold(word) for word in _WORD.findall(text)]
        whole = "".join(dict.fromkeys(pieces))
        return any(w == whole or w in pieces for w in words if len(w) > 2)
    code = "".join(ch for ch in text.lower() if ch.isalnum())
    if label != "CODE" or len(code) < _CODE or "@" in text:
        return False
    new = dict.fromkeys(pieces)
    long = any(len(piece) >= _PIECE for piece in new) or len(new) > 1
    return long and all(piece in code for piece in new)
