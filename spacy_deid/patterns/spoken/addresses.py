"""E-mail addresses and user names that are said, and streets with their number apart."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ...text.spoken import NUMBER, Speech
from ..base import Anchored, Hit, Text, hit
from ..contact.tlds import all_tlds
from .groups import FIRST, LISTS, MORE, P
from .slots import Opening

_PROVIDERS = frozenset(LISTS["provider"])
_STOPS = frozenset(LISTS["stops"])
_MARKS = {"dot", "underscore", "dash", "hyphen", "plus", "minus", "score"}
# How much of a text a name may take, and its most words.
_BACK, _CUE, _MOST = 90, 220, 7


class _Word(NamedTuple):
    """A word of a name on the net."""

    start: int
    end: int
    # "mark", "atom" (digits, letters) or "word".
    kind: str


class NetNames:
    """Finds e-mail addresses and user names that are said.

    speech (Speech): The reader of numbers.
    """

    def __init__(self, speech: Speech) -> None:
        self._said = speech.number_words

    def __call__(self, text: Text, opened: list[Opening]) -> Iterator[Hit]:
        """Names on the net of a text.

        text (Text): Normalised text.
        opened (list[Opening]): Words that open slots, in order.
        YIELDS (Hit): Hits that may overlap.
        """
        mail = [o for o in opened if o.slot.name in ("email", "user")]
        ends = [o.end for o in mail]
        for m in P.at.finditer(text):
            last = bisect_right(ends, m.start()) - 1
            cued = last >= 0 and m.start() - ends[last] < _CUE
            yield from self._address(text, m.start(), m.end(), cued)
        for opening in mail:
            yield from self._name(text, opening)

    def _address(self, text: Text, at: int, start: int, cued: bool) -> Iterator[Hit]:
        if (host := _host(text, start)) is None:
            return
        if not (words := self._before(text, at)):
            if cued and host.dotted and host.said:
                place, reason = (start, host.end), "host of an e-mail address"
                yield hit(*place, "CODE", "EMAIL", 0.8, MORE, f"{reason} that is said")
            return
        odd = any(
            w.kind != "word" or not text[w.start : w.end].isalpha() for w in words
        )
        told = cued or (odd and (host.dotted or host.public))
        if _is_named(words) and (told or (host.public and host.dotted)):
            place, reason = (words[0].start, host.end), "e-mail address that is said"
            yield hit(*place, "CODE", "EMAIL", 0.9, FIRST, reason)

    def _before(self, text: Text, at: int) -> list[_Word]:
        """The words of the name before the sign."""
        tokens = list(P.token.finditer(text, max(0, at - _BACK), at))
        taken: list[_Word] = []
        for i, m in reversed([*enumerate(tokens)]):
            if m[0] == "," and (not taken or taken[-1].kind == "atom"):
                continue
            word = self._word(m)
            marked = i > 0 and tokens[i - 1][0].lower() in _MARKS
            second = word.kind == "word" and taken and taken[-1].kind == "word"
            line = "\n" in text[m.end() : taken[-1].start if taken else at]
            if line or second or _ends_name(m[0], word, marked):
                break
            taken.append(word)
        while taken and taken[-1].kind == "mark":
            taken.pop()
        return taken[::-1]

    def _word(self, m: re.Match[str]) -> _Word:
        low = m[0].lower()
        kind = "word"
        if low in _MARKS:
            kind = "mark"
        elif len(low) == 1 or low.isdecimal() or low in self._said:
            kind = "atom"
        return _Word(*m.span(), kind)

    def _name(self, text: Text, opening: Opening) -> Iterator[Hit]:
        """A user name, or the name of an address, in words with digits or signs."""
        lead = P.lead.match(text, opening.end)
        start = lead.end() if lead else opening.end
        words = self._after(text, start)
        kinds = [word.kind for word in words]
        plain = kinds.count("word")
        signs = len(kinds) - plain
        if not plain or not signs or plain > signs + 2:
            return
        if "mark" not in kinds and not P.says.search(text, opening.end, start):
            return
        if kinds[0] == "atom" and words[0].end - words[0].start > 1:
            # "two cats"
            return
        slot, place = opening.slot, (words[0].start, words[-1].end)
        reason = "name on the net that is said"
        yield hit(*place, slot.label, slot.subtype, 0.85, FIRST, reason)

    def _after(self, text: Text, start: int) -> list[_Word]:
        """The words of a name that begins here, to its last digit or sign."""
        words: list[_Word] = []
        for m in P.token.finditer(text, start, min(len(text), start + _BACK)):
            word = self._word(m)
            line = bool(words) and "\n" in text[words[-1].end : m.start()]
            if line or len(words) > _MOST or _ends_name(m[0], word):
                break
            words.append(word)
        while len(words) > 1 and words[-1].kind == "word" and words[-2].kind != "mark":
            words.pop()
        return words[:-1] if words and words[-1].kind == "mark" else words


def _ends_name(token: str, word: _Word, marked: bool = False) -> bool:
    """Whether a word is no part of a name: a sign, or one that only stands beside."""
    bare = token.lower().removesuffix("'s")
    stops = word.kind == "word" and bare in _STOPS and not marked
    return stops or not token[0].isalnum()


def _is_named(words: list[_Word]) -> bool:
    return len(words) > 2 or any(word.kind == "word" for word in words)


class _Host(NamedTuple):
    """A host that is said, or written behind a sign that is.

    end (int): Character after the last.
    public (bool): Whether anybody may have a mailbox there.
    dotted (bool): Whether it has a top-level domain.
    said (bool): Whether that shows that it is a host.
    """

    end: int
    public: bool
    dotted: bool
    said: bool


def _host(text: Text, start: int) -> _Host | None:
    """The host at an offset."""
    match = P.host.match(text, start)
    if match is None:
        return None
    labels = P.split.split(match["host"])
    public = labels[0].lower() in _PROVIDERS
    end, at = 0, match.start("host")
    first = at + len(labels[0])
    for i, label in enumerate(labels):
        at = text.index(label, at) + len(label)
        if i and label.lower() in all_tlds():
            end = at
    if not end and not public:
        return None
    said = public or " dot " in match["host"].lower()
    return _Host(end or first, public, end > first, said)


_LEFT, _SIZE, _DIGITS = 90, 40, 5


class Streets:
    """Finds streets whose number is said apart.

    speech (Speech): The reader of numbers.
    """

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        self._kinds = Anchored(r"[^\W\d_]+", " ".join(LISTS["street"]))

    def __call__(self, text: Text) -> Iterator[Hit]:
        """Streets and numbers of a text.

        text (Text): Normalised text.
        YIELDS (Hit): Hits that may overlap.
        """
        for m in self._kinds.finditer(text):
            street = P.street_name.search(text, max(0, m.start() - 66), m.end())
            if street is None or street.end() != m.end():
                continue
            start = _without_stops(text, street)
            number = self._number(text, start, m.end())
            if number is None or start >= m.start():
                continue
            for detail, place in zip((FIRST, MORE), sorted(((start, m.end()), number))):
                reason = "number of a street, said apart"
                reason = reason if place == number else "street with its number apart"
                yield hit(*place, "LOC", "ADDRESS", 0.95, detail, reason)

    def _number(self, text: Text, start: int, end: int) -> tuple[int, int] | None:
        """Where the number of a street is said."""
        after = P.number_after.match(text, end)
        found = self._read(text, after.end(), len(text)) if after else None
        if found is not None:
            return found
        for m in P.number_before.finditer(text, max(0, start - _LEFT), start):
            found = self._read(text, m.end(), start)
            if found is not None and not P.full_stops.search(text, found[1], start):
                return found
        return None

    def _read(self, text: Text, start: int, end: int) -> tuple[int, int] | None:
        """The number at the beginning of a stretch."""
        run = next(self._speech.runs(text, start, min(end, start + _SIZE)), None)
        if run is None or run.start != start:
            return None
        # "twelve, two knocks"
        atoms = run.atoms[:1] if run.atoms[0].form == NUMBER else run.atoms
        number = "".join(atom.chars for atom in atoms)
        listed = len(atoms) > 1 and not run.spoken
        if not number.isdecimal() or len(number) > _DIGITS or listed:
            return None
        return run.start, atoms[-1].end


def _without_stops(text: Text, street: re.Match[str]) -> int:
    """Where the name of a street begins: not with "That's" or "The"."""
    start = street.start()
    while (word := P.token.match(text, start)) and word[0].lower().replace(
        "’", "'"
    ) in _STOPS:
        start = word.end() + 1
    return start
