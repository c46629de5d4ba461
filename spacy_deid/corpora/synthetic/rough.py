"""Damage that people and machines do to a text."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from .grammar import Piece


class Roughness(NamedTuple):
    """Chances of each kind of damage to a whole document."""

    lower: float = 0.13
    caps_names: float = 0.15
    caps_all: float = 0.01
    typos: float = 0.3
    drop_punct: float = 0.1
    wrap: float = 0.2
    curly: float = 0.25
    spaced: float = 0.0


_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_WORD = re.compile(r"[^\W\d_]{4,}")


def _neighbour(rng: random.Random, char: str) -> str:
    for row in _KEYBOARD:
        i = row.find(char.lower())
        if i >= 0:
            other = row[max(0, min(len(row) - 1, i + rng.choice((-1, 1))))]
            return other.upper() if char.isupper() else other
    return char


def misspell(rng: random.Random, word: str) -> str:
    """One typing error inside a word; its first letter stays."""
    i = rng.randint(1, len(word) - 2)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if kind == 1:
        return word[:i] + word[i + 1 :]
    if kind == 2:
        return word[:i] + word[i] + word[i:]
    return word[:i] + _neighbour(rng, word[i]) + word[i + 1 :]


def _typos(rng: random.Random, text: str, rate: float) -> str:
    return _WORD.sub(
        lambda m: misspell(rng, m.group()) if rng.random() < rate else m.group(), text
    )


def roughen(rng: random.Random, pieces: list[Piece], rough: Roughness) -> None:
    """Damage a document in place, as people and machines do."""
    draw = rng.random()
    if draw < rough.lower:
        for piece in pieces:
            piece.text = piece.text.lower()
    elif draw < rough.lower + rough.caps_names:
        for piece in pieces:
            if piece.label == "PERSON":
                piece.text = piece.text.upper()
    elif draw < rough.lower + rough.caps_names + rough.caps_all:
        for piece in pieces:
            if piece.subtype not in ("EMAIL", "URL", "PASSWORD"):
                piece.text = piece.text.upper()
    elif draw > 0.97:
        for piece in pieces:
            if piece.label == "PERSON":
                piece.text = piece.text.lower()
    elif draw > 0.94:
        recase = rng.choice((str.upper, str.title))
        for piece in pieces:
            if not piece.label:
                piece.text = recase(piece.text)
    if rng.random() < rough.typos:
        rate = rng.choice([0.005, 0.01, 0.03])
        for piece in pieces:
            if not piece.label:
                piece.text = _typos(rng, piece.text, rate)
            elif piece.label in ("PERSON", "LOC", "ORG", "DEM"):
                piece.text = _typos(rng, piece.text, rate * 1.5)
    if rng.random() < rough.drop_punct:
        drop = rng.choice([",", ".", "'", ",.", ",.'?"])
        for piece in pieces:
            if not piece.label:
                piece.text = re.sub(
                    f"[{re.escape(drop)}](?=\\s|$)|(?<=\\w)'(?=\\w)"
                    if "'" in drop
                    else f"[{re.escape(drop)}](?=\\s|$)",
                    "",
                    piece.text,
                )
    if rng.random() < rough.curly:
        for piece in pieces:
            if piece.label != "CODE":
                piece.text = piece.text.replace("'", "’")
                piece.text = re.sub(r'(?<=\w)"|(?<=[.,])"', "”", piece.text)
    if rng.random() < rough.spaced:
        for piece in pieces:
            if piece.label != "CODE":
                piece.text = re.sub(r"(?<=\w)([.,!?:])(?=\s|$)", r" \1", piece.text)
                piece.text = re.sub(r"'s\b", " 's", piece.text)
            elif piece.subtype == "USERNAME" and piece.text.startswith("@"):
                piece.text = "@ " + piece.text[1:]
    if rng.random() < rough.wrap:
        _wrap(rng, pieces)


def _wrap(rng: random.Random, pieces: list[Piece]) -> None:
    """Break long lines with hard returns, inside mentions too."""
    width = rng.randint(46, 80)
    column = 0
    for piece in pieces:
        chars = list(piece.text)
        for i, char in enumerate(chars):
            if char == "\n":
                column = 0
            elif char == " " and column >= width:
                chars[i] = "\n"
                column = 0
            else:
                column += 1
        piece.text = "".join(chars)
