"""How addresses are read.

A street is found by its words and number; what follows it (parts of the building,
town, region, post code, country) is read piece by piece and kept up to the last piece
that only an address would have.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .address_parts import BOX, SEPARATOR, UPPER, YEAR, words_from
from .address_streets import (
    LIKELY,
    NUMBER,
    SURE,
    WEAK,
    Street,
    Streets,
    is_name,
    no_stop,
)
from .address_words import CONTEXT
from .words import before

_SCORES = {SURE: 0.9, LIKELY: 0.8, WEAK: 0.7}
_BARE_NUMBER = re.compile(r"(?<![\w.,:/#-])[0-9]{1,5} \Z")
_PREFIX = re.compile(
    r"(?<![\w.])(?:(?:(?i:house|plot|door|flat|room|villa|shop|office|lot|unit|block|h|building|holding"
    r"|apartment|survey)\.?\s?)?(?:[Nn]o\.?|NO\.?|[Nn]r\.?|N[º°]|[Ss]ố|#)|(?i:blk|block|house|plot|door|lot|room)\.?)\s?\Z"
)
_SENTENCE_WORD = re.compile(r"([^\W\d_]+)\s+(?=\S)")
_OPENINGS = frozenset("at in on of to from with by is was and or address".split())
_HOUSE_NO = re.compile(
    r"(?i)(?:house|plot|door|flat|holding|building|h|villa)\.?\s?no\b"
)
_NUMBER_BEFORE = re.compile(rf"(?<![\w.,:/#-]){NUMBER},? {{1,2}}\Z")
_NAME_AHEAD = re.compile(rf" [{UPPER}]")
_LETTER_BEFORE = re.compile(r"(?<!\w)[A-Za-z]-\Z")
_IN = re.compile(r"\b(?:in|on|at|of|near|to|from|along|de|the|named)\s\Z")
_SURE_BOX = re.compile(
    r"(?i)p\.?\s?o|post|private|locked|apartado|casella|caixa|boîte|psc|unit|cmr|gpo"
)
_CONTEXT = re.compile(CONTEXT)


class Found(NamedTuple):
    """An address in a piece of a text.

    start (int): First character.
    end (int): Character after the last.
    score (float): Confidence in 0..1.
    reason (str): Why it is one.
    closed (bool): Whether a post code, region or country ends it.
    """

    start: int
    end: int
    score: float
    reason: str
    closed: bool

    def move(self, offset: int) -> Found:
        """The same address, counted from elsewhere."""
        return self._replace(start=self.start + offset, end=self.end + offset)


class Parser(Streets):
    """Reads addresses.

    All methods take a piece of a text, so that their time is bounded.

    countries (Optional[tuple[str, ...]]): ISO codes of the country packs.
    """

    def head(self, text: str, start: int, low: int) -> int:
        """Where an address begins that goes on before its street."""
        for _ in range(5):
            low = max(low, 0)
            m = (
                _PREFIX.search(text, max(low, start - 24), start)
                or self.before.search(text, max(low, start - 64), start)
                or self.reverse.search(text, max(low, start - 90), start)
            )
            if m is None or m.start() >= start:
                break
            opening = _SENTENCE_WORD.match(m[0])
            if opening is not None and opening[1].lower() in _OPENINGS:
                # "At Rose Cottage, 3 Mill Lane".
                start = m.start() + opening.end()
                break
            start = m.start()
        letter = _LETTER_BEFORE.search(text, max(0, start - 3), start)
        return letter.start() if letter else start

    def number(self, text: str, start: int, low: int) -> Found | None:
        """The address whose street has its number at an offset.

        text (str): The piece of a text.
        start (int): Where the number begins.
        low (int): Where what has been read before ends.
        RETURNS (Optional[Found]): The address.
        """
        streets = [self.forward(text, start)]
        weak = streets[0] is None or not streets[0].strength
        if weak and self.after_name(text, start):
            streets.append(self.backward(text, start))
        kept = [s for s in streets if s is not None and s.start >= low]
        found = [f for s in kept if (f := self.address(text, s, low)) is not None]
        return max(found, key=lambda f: f.end - f.start, default=None)

    def first(self, text: str, start: int, low: int) -> Found | None:
        """The address whose street's name begins with a word for a street."""
        if (street := self.first_named(text, start)) is None:
            return None
        number = _NUMBER_BEFORE.search(text, max(low, start - 16), start)
        if number is not None and not YEAR.match(number[0].strip(" ,")):
            # "12 bis, rue de la Paix".
            plain = self.first_named(text, start, numbered=False) or street
            street = Street(number.start(), plain.end, SURE, "number and street word")
        return self.address(text, street, low)

    def box(self, text: str, start: int, low: int) -> Found | None:
        """The address that begins with a post box."""
        if (m := BOX.match(text, start)) is None:
            return None
        tail = self.tail(text, m.end())
        if not (tail.closed or _SURE_BOX.match(m[0])):
            return None
        reason = "post box" + (f"; {tail.closed}" if tail.closed else "")
        return Found(self.head(text, start, low), tail.end, 0.9, reason, True)

    def part(self, text: str, start: int, low: int) -> Found | None:
        """ "Flat 6, Darren Roads", "Studio 8" and the lines below it."""
        if (m := self.unit.match(text, start)) is None:
            return None
        sep = SEPARATOR.match(text, m.end())
        if sep is None or not (sep["hard"] or sep["line"]):
            return None
        if not (words := words_from(text, sep.end(), 6)) or not is_name(words[0][2]):
            return None
        stop, strength = self.typed(text, words)
        if not stop:
            # "Harrison ferry"
            stop, strength = words[:4][-1][1], 0
        tail = self.tail(text, no_stop(text, stop))
        begin = self.head(text, start, low)
        known = strength or _HOUSE_NO.match(text, begin)
        sure = tail.closed or strength == SURE
        if not (sure or (known and self.ends(text, tail.end))):
            return None
        says = "part of a building and name"
        if not tail.closed:
            return Found(begin, tail.end, 0.8, says, False)
        return Found(begin, tail.end, 0.9, f"{says}; {tail.closed}", True)

    def address(self, text: str, street: Street, low: int) -> Found | None:
        """The whole address around a street, if there is enough evidence."""
        tail = self.tail(text, street.end)
        says = [street.says]
        strength = street.strength
        # Most of what looks like a name and a number is none of a street.
        alone = not (strength or tail.closed or tail.unit)
        ends = alone and street.numbered and self.ends(text, tail.end)
        if alone and not (ends and in_context(text, street.start)):
            return None
        start = self.head(text, street.start, max(low, 0))
        if strength >= LIKELY and street.numbered:
            score = _SCORES[strength]
        elif (strength and tail.closed) or (
            tail.firm and not YEAR.match(text[street.start : street.start + 4])
        ):
            score = 0.85
        elif tail.unit and street.numbered:
            score = 0.8
        elif in_context(text, start):
            score = 0.75 if strength else 0.65
            says.append("after words of places")
        elif strength and self.alone(text, start, tail.end):
            score = 0.7
            says.append("on a line of its own")
        elif strength == WEAK and self.plain(text, street):
            score = 0.65
        elif strength == LIKELY and _IN.search(before(text, start, 8)):
            score = 0.6
        else:
            return None
        if tail.closed or tail.unit:
            m = _BARE_NUMBER.search(text, max(low, start - 8, 0), start)
            start = m.start() if m else start
        if tail.closed:
            score = max(score, 0.85) + 0.1 * (strength > 0)
            says.append(tail.closed)
        elif tail.unit:
            says.append("part of a building")
        return Found(start, tail.end, score, "; ".join(says), bool(tail.closed))

    def alone(self, text: str, start: int, end: int) -> bool:
        """Whether nothing else stands on the lines of an address."""
        return not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t|>") and (
            not text[end : end + 80].partition("\n")[0].strip(" \t.,|")
        )

    def plain(self, text: str, street: Street) -> bool:
        """Whether a number and a short name are written like a street."""
        words = text[street.start : street.end].split()
        if len(words) not in (3, 4) or _NAME_AHEAD.match(text, street.end):
            return False
        return words[0].isdigit() and not YEAR.match(words[0])


def in_context(text: str, start: int) -> bool:
    """Whether words that stand before addresses end at an offset.

    text (str): The text.
    start (int): The offset.
    RETURNS (bool): Whether they do.
    """
    return _CONTEXT.search(before(text, start, 60)) is not None
