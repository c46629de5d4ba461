"""Damage that people and machines do to a text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
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
        if (i := row.find(char.lower())) >= 0:
            other = row[max(0, min(len(row) - 1, i + rng.choice((-1, 1))))]
            return other.upper() if char.isupper() else other
    return char


def misspell(rng: random.Random, word: str) -> str:
    """One typing error inside a word; its first letter stays."""
    i = rng.randint(1, len(word) - 2)
    kind, before, after = rng.randrange(4), word[:i], word[i + 1 :]
    if kind == 0:
        return before + after[0] + word[i] + after[1:]
    middle = {1: "", 2: word[i] * 2}
    return before + (middle[kind] if kind < 3 else _neighbour(rng, word[i])) + after


def roughen(rng: random.Random, pieces: list[Piece], rough: Roughness) -> None:
    """Damage a document in place, as people and machines do."""
    _recase(rng, pieces, rough)
    for chance, damage in (
        (rough.typos, _misspelt),
        (rough.drop_punct, _without_punctuation),
        (rough.curly, lambda _: _curly),
        (rough.spaced, lambda _: _spaced),
    ):
        if rng.random() < chance:
            change = damage(rng)
            for piece in pieces:
                piece.text = change(piece)
    if rng.random() < rough.wrap:
        _wrap(rng, pieces)


Change = Callable[[Piece], str]


def _recase(rng: random.Random, pieces: list[Piece], rough: Roughness) -> None:
    draw = rng.random()
    capitals = rough.lower + rough.caps_names
    recase, taken = str.upper, [p for p in pieces if p.label == "PERSON"]
    if draw < rough.lower:
        recase, taken = str.lower, pieces
    elif capitals <= draw < capitals + rough.caps_all:
        taken = [p for p in pieces if p.subtype not in ("EMAIL", "URL", "PASSWORD")]
    elif draw > 0.97:
        recase = str.lower
    elif draw > 0.94:
        recase = rng.choice((str.upper, str.title))
        taken = [p for p in pieces if not p.label]
    elif draw >= capitals:
        return
    for piece in taken:
        piece.text = recase(piece.text)


def _misspelt(rng: random.Random) -> Change:
    rate = rng.choice([0.005, 0.01, 0.03])
    rates = {"": rate, **dict.fromkeys(("PERSON", "LOC", "ORG", "DEM"), rate * 1.5)}

    def change(piece: Piece) -> str:
        rate = rates.get(piece.label, 0.0)

        return _WORD.sub(
            lambda m: misspell(rng, m.group()) if rng.random() < rate else m.group(),
            piece.text,
        )

    return change


def _without_punctuation(rng: random.Random) -> Change:
    signs = rng.choice([",", ".", "'", ",.", ",.'?"])
    pattern = f"[{re.escape(signs)}](?=\\s|$)"
    if "'" in signs:
        pattern += r"|(?<=\w)'(?=\w)"
    return lambda piece: piece.text if piece.label else re.sub(pattern, "", piece.text)


def _curly(piece: Piece) -> str:
    if piece.label == "CODE":
        return piece.text
    return re.sub(r'(?<=\w)"|(?<=[.,])"', "”", piece.text.replace("'", "’"))


def _spaced(piece: Piece) -> str:
    """Blanks before signs, as in text that was cut into tokens."""
    if piece.label == "CODE":
        at = piece.subtype == "USERNAME" and piece.text.startswith("@")
        return "@ " + piece.text[1:] if at else piece.text
    text = re.sub(r"(?<=\w)([.,!?:])(?=\s|$)", r" \1", piece.text)
    return re.sub(r"'s\b", " 's", text)


def _wrap(rng: random.Random, pieces: list[Piece]) -> None:
    """Break long lines with hard returns, inside mentions too."""
    width = rng.randint(46, 80)
    column = 0
    for piece in pieces:
        chars = list(piece.text)
        for i, char in enumerate(chars):
            if char == " " and column >= width:
                chars[i] = "\n"
            column = 0 if chars[i] == "\n" else column + 1
        piece.text = "".join(chars)
