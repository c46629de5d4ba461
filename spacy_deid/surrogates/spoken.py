"""What is said rather than written: generators see it written plainly, and what they
give is said in the manner of the original.

"four four seven" is "447" of the whole number that its pieces make, "M, a, r, k" is
"Mark", "nightowl seven at outlook dot com" is "nightowl7@outlook.com".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text.calendars import spelt_right
from ..text.case import like_first
from ..text.dates import read_date
from ..text.folding import fold
from ..text.names import normalise
from ..text.spoken import ALPHABET, FIGURES, LETTER, MARK, WORD, Run, Speech, speech
from .base import Draws, Mention
from .frame import house

_NET = ("EMAIL", "USERNAME")
_ADDRESS = re.compile(r"(?i)\b(?:at|dot|underscore|dash|hyphen|plus)\b")
_SAID_ADDRESS = re.compile(r"[\s,]+at\s+", re.I)
_TOKENS = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")
_WORDS = re.compile(r"[^\W\d_]+")


class _Piece(NamedTuple):
    """One mention that is said."""

    run: Run
    # "code", "name", "net", "date", "misspelt" or "house".
    kind: str
    # What it means without signs, or as it is written on the net.
    plain: str


class Said:
    """The mentions of a document, and how those that are said are read.

    mentions (Sequence[Mention]): All mentions, in document order.
    lang (str): Code of the language.
    """

    def __init__(self, mentions: Sequence[Mention], lang: str) -> None:
        self._mentions = mentions
        self._speech = speech(lang)
        self._pieces: dict[int, _Piece] = {}
        for i, mention in enumerate(mentions):
            piece = _read(mention, self._speech)
            if piece is not None:
                self._pieces[i] = piece
        self._wholes = self._joined() if self._pieces else {}
        self._parts = dict(self._parts_of_names())

    def _joined(self) -> dict[tuple[int, str], str]:
        """What the pieces of each entity make together; the plain form if there is one."""
        found: dict[tuple[int, str], str] = {}
        for i, piece in self._pieces.items():
            key = self._mentions[i].entity_id, piece.kind
            if piece.plain not in found.get(key, ""):
                found[key] = found.get(key, "") + piece.plain
        for i, mention in enumerate(self._mentions):
            for kind in ("code", "name"):
                key = mention.entity_id, kind
                if i not in self._pieces and key in found:
                    found[key] = _plain_form(mention.text, found[key], self._of(key))
        return found

    def _parts_of_names(self) -> Iterator[tuple[int, _Piece]]:
        """Names of which only a part is written, as it has been spelled: "Mendi..."."""
        for i, mention in enumerate(self._mentions):
            key = mention.entity_id, "name"
            if i in self._pieces or key not in self._wholes:
                continue
            word = fold(mention.text)
            if word in self._of(key) and word != self._wholes[key]:
                yield i, _Piece(Run(()), "name", word)

    def _of(self, key: tuple[int, str]) -> list[str]:
        return [
            piece.plain
            for i, piece in self._pieces.items()
            if (self._mentions[i].entity_id, piece.kind) == key
        ]

    def written(self) -> Sequence[Mention]:
        """The mentions, what is said in them written plainly."""
        if not self._pieces:
            return self._mentions
        out = list(self._mentions)
        for i, piece in (*self._pieces.items(), *self._parts.items()):
            out[i] = out[i]._replace(text=self._whole(i, piece))
        return out

    def _whole(self, i: int, piece: _Piece) -> str:
        mention = self._mentions[i]
        whole = self._wholes[mention.entity_id, piece.kind]
        if piece.kind in ("net", "date", "misspelt", "house"):
            return piece.plain
        return whole.capitalize() if piece.kind == "name" else whole.upper()

    def said(self, new: list[str], draws: Draws) -> list[str]:
        """New texts, those for what is said in its manner.

        new (list[str]): New texts of what `written` gave.
        draws (Draws): The document's draws.
        RETURNS (list[str]): New texts of the mentions.
        """
        taken: dict[tuple[int, str], int] = {}
        for i, piece in self._pieces.items():
            key = self._mentions[i].entity_id, piece.kind
            if key not in taken:
                taken[key] = self._turn(key, new, draws)
            new[i] = self._say(i, new[i], taken[key], draws)
        for i, piece in self._parts.items():
            mention = self._mentions[i]
            part = _slice(self._wholes[mention.entity_id, "name"], piece, new[i])
            new[i] = like_first(part, mention.text)
        return new

    def _turn(self, key: tuple[int, str], new: Sequence[str], draws: Draws) -> int:
        """How far the new digits have to be turned so that no piece says an original."""
        where = [
            i
            for i, piece in self._pieces.items()
            if (self._mentions[i].entity_id, piece.kind) == key
        ]
        for turn in range(10):
            texts = {i: self._say(i, new[i], turn, draws) for i in where}
            if all(
                _is_new(self._mentions[i].text, text, draws)
                for i, text in texts.items()
            ):
                return turn
        return 0

    def _say(self, i: int, new: str, turn: int, draws: Draws) -> str:
        mention, piece = self._mentions[i], self._pieces[i]
        if piece.kind == "misspelt":
            return new
        if piece.kind == "net":
            said = _say_address(new, mention.text, piece.run, self._speech)
            return _turned(said, turn) if turn else said
        if piece.kind == "house":
            rng = draws.random_for("house", piece.plain)
            chars = house(piece.plain, rng)
        elif piece.kind == "date":
            chars = "".join(filter(str.isdigit, new))
        else:
            chars = _slice(self._wholes[mention.entity_id, piece.kind], piece, new)
        if not chars:
            return f"[{mention.subtype or mention.label}]"
        return self._speech.write(mention.text, _turned(chars, turn), piece.run)


def _is_new(old: str, text: str, draws: Draws) -> bool:
    return normalise(text) != normalise(old) and not draws.forbidden(text)


def _turned(chars: str, turn: int) -> str:
    return "".join(str((int(ch) + turn) % 10) if ch.isdigit() else ch for ch in chars)


def _read(mention: Mention, said: Speech) -> _Piece | None:
    """How a mention is said; None if it is written."""
    text = mention.text
    if mention.label not in ("CODE", "PERSON", "LOC", "DATETIME") or len(text) > 300:
        return None
    if mention.subtype in _NET and (piece := _read_address(mention, said)):
        return piece
    run = said.read(text)
    if mention.label == "DATETIME" and spelt_right(text) != text:
        return _Piece(Run(()), "misspelt", spelt_right(text))
    if run is None or not run.compact or not _is_said(run, text):
        return None
    if mention.label == "PERSON":
        spelled = run.compact.isalpha() and len(run.atoms) > 2
        return _Piece(run, "name", run.compact) if spelled else None
    if mention.label == "DATETIME":
        return _read_day(text, run)
    if mention.label == "LOC" and mention.subtype not in ("ADDRESS", "POSTCODE"):
        return None
    house = mention.label == "LOC" and run.compact.isdigit() and len(run.compact) < 5
    return _Piece(run, "house" if house else "code", run.compact)


def _is_said(run: Run, text: str) -> bool:
    """Whether any of it is in words, or letter by letter."""
    forms = {atom.form for atom in run.atoms if atom.form != MARK}
    if forms - {FIGURES, LETTER, WORD}:
        return True
    singles = all(len(atom.chars) == 1 for atom in run.atoms)
    letters = [atom for atom in run.atoms if atom.form == LETTER]
    initials = "." in text and len(run.atoms) < 4
    return singles and bool(letters) and len(run.atoms) > 2 and not initials


def _read_address(mention: Mention, said: Speech) -> _Piece | None:
    run = said.read(mention.text, words=True)
    at = _SAID_ADDRESS.search(mention.text)
    if run is None or "@" in mention.text or not re.search(r"\s", mention.text):
        return None
    words = sum(atom.form == WORD for atom in run.atoms)
    if not (at or _ADDRESS.search(mention.text) or words < len(run.atoms)):
        return None
    if any(
        mention.text[a.start : a.end].isdigit() and len(run.atoms) == 1
        for a in run.atoms
    ):
        return None
    local, _, host = run.chars.partition("@")
    if not host:
        return _Piece(run, "net", local) if len(run.atoms) > 1 else None
    return _Piece(run, "net", f"{local}@{host if '.' in host else host + '.com'}")


def _read_day(text: str, run: Run) -> _Piece | None:
    """A date in numbers: "oh three, oh five, eighty-four"."""
    if not run.compact.isdigit() or read_date(text) is not None:
        return None
    chars = run.compact
    parts = [atom.chars for atom in run.atoms]
    if len(parts) != 3:
        parts = [chars[:2], chars[2:4], chars[4:]]
    if len(chars) not in (4, 5, 6, 7, 8) or not all(parts) or len(parts[2]) == 3:
        return None
    return _Piece(run, "date", "/".join(part.zfill(2) for part in parts))


def _plain_form(text: str, joined: str, pieces: Sequence[str]) -> str:
    """The plain text of an entity, if it holds all its pieces."""
    words = [
        *map(fold, _WORDS.findall(text)),
        "".join(filter(str.isalnum, text)).lower(),
    ]
    for word in words:
        if len(word) >= len(joined) and all(piece in word for piece in pieces):
            return word
    return joined


def _slice(whole: str, piece: _Piece, new: str) -> str:
    """The part of a new whole that stands for a piece of the old one; "" if there is
    none."""
    chars = "".join(ch for ch in fold(new) if ch.isalnum() and ch.isascii())
    if piece.kind == "name":
        chars = "".join(filter(str.isalpha, chars))
    start = whole.find(piece.plain)
    if start < 0 or not chars:
        return chars if piece.kind == "name" else ""
    if piece.kind == "name" and len(chars) != len(whole):
        # Of a longer or shorter name as large a part.
        cut = [
            round(at * len(chars) / len(whole))
            for at in (start, start + len(piece.plain))
        ]
        return chars[cut[0] : cut[1]] or chars[:1]
    if len(chars) != len(whole):
        return ""
    return chars[start : start + len(piece.plain)]


def _say_address(new: str, old: str, run: Run, said: Speech) -> str:
    """An address or user name as it is said."""
    local, at, host = new.partition("@")
    zero = re.search(r"(?i)\boh\b", old)
    figures = any(a.form == FIGURES for a in run.atoms)
    letters = any(a.form in (LETTER, ALPHABET) for a in run.atoms)

    def say(token: str) -> str:
        if token.isdigit():
            like = "oh" if zero and token == "0" else "one"
            return token if figures else said.say(token, like, "digit")
        if token.isalpha():
            return " ".join(token) if letters and len(token) < 3 else token
        return said.mark(token)

    def all_of(text: str, like: str = old) -> str:
        if " " not in like.strip():
            return text
        return " ".join(map(say, _TOKENS.findall(text)))

    if not at:
        return all_of(local)
    found = _SAID_ADDRESS.search(old)
    gap = found[0] if found else " at "
    if re.search(r"\w\.\w", old[found.end() :] if found else ""):
        return f"{all_of(local, old[: found.start()] if found else old)}{gap}{host}"
    dotted = re.search(r"(?i)\bdot\b", old[found.end() :] if found else old)
    first = all_of(local, old[: found.start()] if found else old)
    return f"{first}{gap}{all_of(host if dotted else host.partition('.')[0])}"
