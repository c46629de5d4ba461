"""What is said rather than written: generators see it written plainly, and what they
give is said in the manner of the original.

"four four seven" is "447" of the whole number that its pieces make, "M, a, r, k" is
"Mark", "nightowl seven at outlook dot com" is "nightowl7@outlook.com".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..text.calendars import spelt_right
from ..text.case import like_first
from ..text.dates import read_date
from ..text.folding import fold
from ..text.names import normalise
from ..text.spoken import (
    ALPHABET,
    DIGIT,
    FIGURES,
    LETTER,
    MARK,
    WORD,
    Atom,
    Run,
    Speech,
    speech,
)
from .base import Draws, Forbidden, Mention
from .frame import house

_NET = ("EMAIL", "USERNAME")
_LONGEST = 300
# "lan(punkt)weber"
_APART = re.compile(r"\S[\s(\[]+\S")
_SPACED_YEAR = re.compile(r"(?:1 [89]|2 0) \d \d")
# Figures of a piece that are no accident in another number.
_TELLING = 3
_TOKENS = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")
_WORDS = re.compile(r"[^\W\d_]+")


class _Piece(NamedTuple):
    """One mention that is said."""

    run: Run
    # "code", "name", "net", "date", "misspelt" or "house".
    kind: str
    # What it means without signs, or as it is written on the net.
    plain: str


# Entity and kind of pieces that make one whole, and the name that is one by itself.
_Key = tuple[int, str, str]


class Said:
    """The mentions of a document, and how those that are said are read.

    mentions (Sequence[Mention]): All mentions, in document order.
    lang (str): Code of the language.
    """

    def __init__(self, mentions: Sequence[Mention], lang: str) -> None:
        self._mentions = mentions
        self._speech = speech(lang)
        self._pieces: dict[int, _Piece] = {}
        # The pieces of each whole.
        self._members: dict[_Key, list[int]] = {}
        # Equal mentions are read, and said, once.
        read: dict[tuple[str, str, str], _Piece | None] = {}
        for i, mention in enumerate(mentions):
            key = (mention.text, mention.label, mention.subtype)
            if key not in read:
                read[key] = _read(mention, self._speech)
            piece = read[key]
            if piece is not None:
                self._pieces[i] = piece
        self._words: dict[int, set[str]] = {}
        for mention in mentions if self._pieces else ():
            words = self._words.setdefault(mention.entity_id, set())
            words.update(map(fold, _WORDS.findall(mention.text)))
        for i, piece in self._pieces.items():
            self._members.setdefault(self._key(i, piece), []).append(i)
        self._wholes = {key: self._joined(of) for key, of in self._members.items()}
        # Names of which only a part is written, as it has been spelled: "Mendi...".
        self._parts: dict[int, _Piece] = {}
        if self._pieces:
            self._note_plain_forms()

    def _key(self, i: int, piece: _Piece) -> _Key:
        """What a piece belongs to; "Lioba" is written, too, and no part of the surname."""
        own = self._mentions[i].entity_id
        alone = [w for w in self._words[own] if piece.plain in w] == [piece.plain]
        return own, piece.kind, piece.plain if alone and piece.kind == "name" else ""

    def _joined(self, members: Sequence[int]) -> str:
        """What the pieces of an entity make together."""
        whole = ""
        for i in members:
            if self._pieces[i].plain not in whole:
                whole += self._pieces[i].plain
        return whole

    def _note_plain_forms(self) -> None:
        """Take the plain form of an entity where there is one."""
        others = [i for i in range(len(self._mentions)) if i not in self._pieces]
        for i in others:
            mention = self._mentions[i]
            for key in ((mention.entity_id, kind, "") for kind in ("code", "name")):
                if key in self._members:
                    pieces = [self._pieces[n].plain for n in self._members[key]]
                    known = self._wholes[key]
                    self._wholes[key] = _plain_form(mention.text, known, pieces)
        for i in others:
            mention = self._mentions[i]
            key, word = (mention.entity_id, "name", ""), fold(mention.text)
            spelled = (self._pieces[n].plain for n in self._members.get(key, ()))
            if word in spelled and word != self._wholes[key]:
                self._parts[i] = _Piece(Run(()), "name", word)

    def apart(self, forbidden: Forbidden) -> Forbidden:
        """Forbids codes with the figures of a piece in them, too: said, they would give
        an original away, and what is written has to agree with what is said."""
        codes = (piece.plain for piece in self._pieces.values() if piece.kind == "code")
        told = {code for code in codes if code.isdecimal() and len(code) >= _TELLING}
        if not told:
            return forbidden
        return lambda text: (
            forbidden(text)
            or any(code in "".join(filter(str.isdecimal, text)) for code in told)
        )

    def written(self) -> Sequence[Mention]:
        """The mentions, what is said in them written plainly."""
        if not self._pieces:
            return self._mentions
        out = list(self._mentions)
        for i, piece in (*self._pieces.items(), *self._parts.items()):
            out[i] = out[i]._replace(text=self._whole(i, piece))
        return out

    def _whole(self, i: int, piece: _Piece) -> str:
        whole = self._wholes[self._key(i, piece)]
        if piece.kind in ("code", "name"):
            return whole.capitalize() if piece.kind == "name" else whole.upper()
        return piece.plain

    def said(self, new: list[str], draws: Draws) -> list[str]:
        """New texts, those for what is said in its manner.

        new (list[str]): New texts of what `written` gave.
        draws (Draws): The document's draws.
        RETURNS (list[str]): New texts of the mentions; a typed placeholder for what
            can't be said without an original.
        """
        out = list(new)
        for members in self._members.values():
            out_of = self._together(members, new, draws)
            for i in members:
                mention = self._mentions[i]
                out[i] = out_of.get(i) or f"[{mention.subtype or mention.label}]"
        for i, piece in self._parts.items():
            mention = self._mentions[i]
            part = _slice(self._wholes[mention.entity_id, "name", ""], piece, new[i])
            out[i] = like_first(part, mention.text)
        return out

    def _together(
        self, members: Sequence[int], new: Sequence[str], draws: Draws
    ) -> dict[int, str]:
        """The pieces of one whole, its new digits turned on until none says an
        original; none if that can't be."""
        keys = {i: (self._mentions[i].text, new[i]) for i in members}
        first = {key: i for i, key in reversed(keys.items())}
        texts: dict[tuple[str, str], str] = {}
        for turn in range(10):
            before = texts
            texts = {k: self._say(i, new[i], turn, draws) for k, i in first.items()}
            changed = {k for k, x in texts.items() if normalise(x) != normalise(k[0])}
            good = {k for k in changed if texts[k] and not draws.forbidden(texts[k])}
            if len(good) == len(texts) or texts == before:  # There is no digit to turn.
                break
        return {i: texts[key] for i, key in keys.items() if key in good}

    def _say(self, i: int, new: str, turn: int, draws: Draws) -> str:
        """A new text for a piece; "" if there is none."""
        mention, piece = self._mentions[i], self._pieces[i]
        if piece.kind == "misspelt":
            return new
        if piece.kind == "net":
            said = _say_address(new, mention.text, piece.run, self._speech)
            return _turned(said, turn)
        if piece.kind == "house":
            chars = house(piece.plain, draws.random_for("house", piece.plain))
        elif piece.kind == "date":
            chars = "".join(filter(str.isdecimal, new))
        else:
            chars = _slice(self._wholes[self._key(i, piece)], piece, new)
        chars = _turned(chars, turn)
        return chars and self._speech.write(mention.text, chars, piece.run)


def _turned(chars: str, turn: int) -> str:
    return "".join(str((int(ch) + turn) % 10) if ch.isdecimal() else ch for ch in chars)


def _read(mention: Mention, said: Speech) -> _Piece | None:
    """How a mention is said; None if it is written."""
    text, label = mention.text, mention.label
    if len(text) > _LONGEST or label not in _READERS:
        return None
    if label == "DATETIME" and spelt_right(text) != text:
        return _Piece(Run(()), "misspelt", spelt_right(text))
    if mention.subtype in _NET and (piece := _read_address(text, said)):
        return piece
    run = said.read(text)
    if run is not None and label == "DATETIME" and _SPACED_YEAR.fullmatch(text):
        return _Piece(run, "date", run.compact)
    if run is None or not _is_said(run, text):
        return None
    return _READERS[label](mention, run)


def _read_place(mention: Mention, run: Run) -> _Piece | None:
    if mention.subtype not in ("ADDRESS", "POSTCODE"):
        return None
    figures = any(a.form == FIGURES and len(a.chars) > 3 for a in run.atoms)
    if figures and any(atom.form == ALPHABET for atom in run.atoms):
        # "28010 Madrid": a town by which letters are spelled, behind its post code.
        return None
    house = run.compact.isdecimal() and len(run.compact) < 5
    return _Piece(run, "house" if house else "code", run.compact)


def _read_name(mention: Mention, run: Run) -> _Piece | None:
    one = len(run.atoms) == 1 and run.atoms[0].form == ALPHABET
    told = one and " " in mention.text.strip()  # "G for goat"
    spelled = run.compact.isalpha() and (told or len(run.atoms) > 2)
    return _Piece(run, "name", run.compact) if spelled else None


def _is_said(run: Run, text: str) -> bool:
    """Whether any of it is in words, or letter by letter."""
    if not run.compact or any(ch in "@." for ch in run.chars):
        return False
    forms = {atom.form for atom in run.atoms if atom.form != MARK}
    named = (a.form == LETTER and a.end - a.start > 1 for a in run.atoms)
    if forms - {FIGURES, LETTER, WORD} or any(named):
        return True
    singles = all(len(atom.chars) == 1 for atom in run.atoms)
    initials = "." in text and len(run.atoms) < 4
    return singles and LETTER in forms and len(run.atoms) > 2 and not initials


def _read_address(text: str, said: Speech) -> _Piece | None:
    """An e-mail address or user name: words, with signs or digits that are said."""
    run = said.read(text, words=True) if _APART.search(text) else None
    if run is None or "@" in text or all(atom.form == WORD for atom in run.atoms):
        return None
    local, at, host = run.chars.partition("@")
    host = f"{host}.com" if at and "." not in host else host
    return _Piece(run, "net", f"{local}{at}{host}") if local else None


def _read_day(text: str, run: Run) -> _Piece | None:
    """A date in numbers: "oh three, oh five, eighty-four"."""
    if not run.compact.isdecimal() or read_date(text) is not None:
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
    whole = "".join(filter(str.isalnum, text)).lower()
    words = (*map(fold, _WORDS.findall(text)), whole)
    long = (word for word in words if len(word) >= len(joined))
    return next((w for w in long if all(piece in w for piece in pieces)), joined)


def _slice(whole: str, piece: _Piece, new: str) -> str:
    """The part of a new whole that stands for a piece of the old one; "" if there is
    none."""
    kept = str.isalpha if piece.kind == "name" else str.isalnum
    chars = "".join(filter(kept, new.lower()))
    start = whole.find(piece.plain)
    end = start + len(piece.plain)
    if start < 0:
        return chars if piece.kind == "name" else ""
    if len(chars) == len(whole):
        return chars[start:end]
    if piece.kind != "name":
        return ""
    if len(piece.plain) == 1:
        return chars[-1:] if end == len(whole) else chars[start : start + 1]
    # Of a longer or shorter name as large a part.
    first, last = (round(at * len(chars) / len(whole)) for at in (start, end))
    return chars[first:last] or chars[:1]


# How what is said is read, by the label of the mention.
_READERS = {
    "CODE": lambda mention, run: _Piece(run, "code", run.compact),
    "LOC": _read_place,
    "PERSON": _read_name,
    "DATETIME": lambda mention, run: _read_day(mention.text, run),
}


def _say_address(new: str, old: str, run: Run, said: Speech) -> str:
    """An address or user name as it is said."""
    local, at, host = new.partition("@")
    end = len(old)
    sign = next((a for a in run.atoms if a.chars == "@"), Atom(end, end, "", MARK))
    out = _say_net(local, old[: sign.start], run, said)
    if not at:
        return out
    first, rest = old[: sign.start], old[sign.end :]
    out += first[len(first.rstrip(", ")) :] or " "
    out += f"{old[sign.start : sign.end] or said.mark('@')} "
    if any(a.chars == "." and a.start > sign.end for a in run.atoms):
        return out + _say_net(host, rest, run, said)
    # "at outlook": without the end of the host, or written.
    return out + (host if "." in rest else host.partition(".")[0])


def _say_net(text: str, like: str, run: Run, said: Speech) -> str:
    """Words, digits and signs of a name on the net; as it is where the old one was
    written as one word."""
    if len(like.split()) < 2:
        return text
    figures = any(atom.form == FIGURES for atom in run.atoms)
    letters = any(atom.form in (LETTER, ALPHABET) for atom in run.atoms)
    zero = "oh" if re.search(r"(?i)\boh\b", like) else "zero"
    out = []
    for token in _TOKENS.findall(text):
        if token.isdecimal() and not figures:
            token = said.say(token, zero if token == "0" else "one", DIGIT)
        elif token.isalpha() and letters and len(token) < 3:
            token = " ".join(token)
        out.append(token if token.isalnum() else said.mark(token))
    return " ".join(out)
