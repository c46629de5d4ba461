"""Streets of addresses: their words and numbers, the one or the other first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from ..data import facts
from .address_parts import (
    CODE_GAP,
    END_OF_NAME,
    FORMS,
    GAP,
    UNIT_WORDS,
    YEAR,
    Parts,
    key_of,
    words_from,
)
from .address_words import FOLLOWERS, NOT_NAMES, NOT_SUFFIXED, PARTICLES, SAFE_FIRST

NUMBER = FORMS["number"]
# "12 B", "5 A 12" after the street's name, and what else stands around it.
(
    _HOUSE, _HOUSE_MORE, _AFTER_NUMBER, _ORDINAL, _DIRECTION, _NUMBERED, _NAME_NUMBER,
    _MARK_BEFORE, _UNIT_NUMBER, _SECOND_NUMBER, _MONTH_BEFORE, _FIRST_WORD, _NAME_PART,
    _AFTER_DIGITS, _LEFT_WORD, _DOT_ENDS, _OWN_NUMBER, _MARKED_NUMBER, _NAME_OR_NUMBER,
    _SLASHED, _CODE_AFTER,
) = (
    re.compile(FORMS[piece])
    for piece in (
        "number house_more after_number ordinal direction numbered name_number mark_before "
        "unit_number second_number month_before first_word name_part after_digits left_word "
        "dot_ends own_number marked_number name_or_number slashed code_after"
    ).split()
)  # fmt: skip
# From which form of a street how much is known.
SURE, LIKELY, WEAK = 3, 2, 1
# Digits name the streets of some: "Cr. 10 # 5-6".
_NUMBERED_TYPES, _ENGLISH, _PREPOSITIONS, _DIGITS_FIRST, _SHORT_LAST, _PLAIN_LAST = (
    frozenset(row.split()) for row in facts("addresses/words")["told_by"].values()
)
_MARKS = frozenset("no nr n° nº no: n d д № # num km house b h".split())
_NOTHING = re.compile("")
_ELISIONS = "|".join(word[:-1] for word in PARTICLES if word.endswith("'"))
_ELIDED = re.compile(rf"(?:{_ELISIONS})['’](?=[^\W\d_])")


class Street(NamedTuple):
    start: int
    end: int
    strength: int
    says: str
    # Whether it has a number, so that a lone word for a street is not enough.
    numbered: bool = True


@dataclass
class _Name:
    """What is read of a name behind its word for a street; `safe` if that is one."""

    safe: bool
    end: int = 0
    numbers: int = 0
    named: bool = False
    # Whether a word in small letters is among it.
    small: bool = False


class Streets(Parts):
    """Reads streets."""

    def forward(self, text: str, start: int) -> Street | None:
        """A street that follows its number: "12 High Street"."""
        if (number := _HOUSE.match(text, start)) is None:
            return None
        gap = _AFTER_NUMBER.match(text, number.end())
        year = YEAR.match(number[0]) is not None
        if gap is None or (year and gap[0] != " "):
            return None
        words = words_from(text, gap.end(), 9)
        if not words or ("\n" in gap[0] and self.code(text, words[0][0])):
            return None
        first = words[0][2]
        if key_of(first) in self.t.first and not year:
            named = self.first_named(text, words[0][0], numbered=False)
            if named is not None and named.end > words[0][1]:
                return named._replace(
                    start=start, strength=SURE, says="number and street word"
                )
        upper = first[0].isupper() or first[0].isdigit()
        if not (upper or _DIRECTION.fullmatch(" " + first)):
            return None
        if key_of(first) in NOT_NAMES:
            return None
        lines = "\n" in gap[0]
        end, strength = self.typed(text, words)
        month = year and _MONTH_BEFORE.search(text, max(0, start - 24), start)
        if end and year and (strength < SURE or month):
            return None
        if end:
            end = self.after_type(text, end)
            strength = min(strength, LIKELY) if lines else strength
            end = self.own_number(text, end) or end
            return Street(start, end, strength, "number and street word")
        # "23/286" may stand on a line of its own.
        end = 0 if lines and number[0].isdigit() else _plain_name(text, words)
        if not end:
            return None
        return Street(start, self.own_number(text, end) or end, 0, "number and name")

    def own_number(self, text: str, end: int) -> int:
        """End of another number of a street that has one, before other parts."""
        own = _OWN_NUMBER.match(text, end)
        return own.end() if own and not YEAR.match(own[0].strip()) else 0

    def typed(
        self, text: str, words: Sequence[tuple[int, int, str]]
    ) -> tuple[int, int]:
        """End of the first word for a street after a name, and how sure it is."""
        t = self.t
        for i, (_, stop, word) in enumerate(words):
            key = key_of(word)
            kind = SURE if key in t.forward else WEAK if key in t.weak else 0
            if kind and (i or key == "broadway") and self.cased(word, words[:i]):
                # "Lake Shore Drive", "Hill View Road".
                while i + 1 < len(words) and self.kind(words[i + 1][2]):
                    i += 1
                    stop = words[i][1]
                    kind = max(kind, self.kind(words[i][2]))
                more = words[i + 1 : i + 3] if kind == WEAK else ()
                names = takewhile(lambda name: is_name(name[2]), more)
                ends = (end for _, end, name in names if self.kind(name) == SURE)
                return next(((end, SURE) for end in ends), (stop, kind))
            named = is_name(word) or _ORDINAL.match(word) or key in PARTICLES
            if not named or i > 4 or (word[-1] == "." and len(key) > 4):
                break
            if i and i == len(words) - 1 and self.suffixed(word) == SURE:
                return stop, SURE
        end = words[0][1] if words and len(words[0][2]) > 7 else 0
        if end and self.suffixed(words[0][2]) == SURE:
            return (0, 0) if _NAME_NUMBER.match(text, end) else (end, LIKELY)
        return 0, 0

    def kind(self, word: str) -> int:
        """How surely a capitalised word is one for a street, 0 if it is none."""
        if not word[0].isupper():
            return 0
        key = key_of(word)
        return SURE if key in self.t.forward else WEAK if key in self.t.weak else 0

    def cased(self, word: str, name: Sequence[tuple[int, int, str]]) -> bool:
        """Whether the word for a street is written like the name before it."""
        return word[0].isupper() or (
            key_of(word) in self.t.forward and bool(name) and name[0][2][:1].isupper()
        )

    def after_type(self, text: str, end: int) -> int:
        if direction := _DIRECTION.match(text, end):
            end = direction.end()
        elif text[end - 1] != ".":
            numbered = _NUMBERED.match(text, end)
            word = text[max(0, end - 12) : end].rpartition(" ")[2].lower()
            if numbered and word in _NUMBERED_TYPES:
                end = numbered.end()
        return no_stop(text, end)

    def suffixed(self, word: str) -> int:
        """How surely a word ends like a street's name ("Hauptstr.")."""
        low = word.lower()
        if len(low) < 6 or low in NOT_SUFFIXED:
            return 0
        if low.endswith(self.t.suffix) or low.endswith("str."):
            return SURE
        return WEAK if low.endswith(self.t.weak_suffix) and len(low) > 6 else 0

    def first_named(
        self, text: str, start: int, numbered: bool = True
    ) -> Street | None:
        """A street whose name begins with its word: "rue de la Paix 5", "Via Roma".

        text (str): The text.
        start (int): Where the word begins.
        numbered (bool): Whether a number may follow.
        RETURNS (Optional[Street]): None if no name follows the word.
        """
        m = _FIRST_WORD.match(text, start)
        if m is None or key_of(m[0]) not in self.t.first:
            return None
        name = self.name_behind(text, m)
        if not _is_street(text, m[0], name):
            return None
        end = no_stop(text, name.end)
        sure = name.safe and m[0] != "via"
        number = _NAME_NUMBER.match(text, end) if numbered else None
        if number and not self.other_number(text, number, sure):
            stop = self.house_end(text, number.end())
            more = _SECOND_NUMBER.match(text, stop)
            if more and (len(more[1]) < 4 or not self.code(text, more.start(1))):
                stop = more.end()
            strength = SURE if sure else LIKELY
            return Street(start, stop, strength, "street word and number")
        if not numbered:
            # "12, Jalan Tun Ismail 9/56".
            slashed = _SLASHED.match(text, end)
            end = slashed.end() if slashed else end
        strength = LIKELY if sure else 0
        return Street(start, end, strength, "street word and name", name.numbers > 0)

    def name_behind(self, text: str, m: re.Match[str]) -> _Name:
        """The name behind a word for a street, read word by word."""
        name = _Name(key_of(m[0]) in SAFE_FIRST)
        pos = m.end()
        for _ in range(8):
            gap = GAP.match(text, pos)
            if gap is None and pos == m.end() and text[pos - 1] in "./":
                gap = _NOTHING.match(text, pos)
            if gap is None or (name.end and _MARKED_NUMBER.match(text, pos)):
                break
            w = _NAME_PART.match(text, gap.end())
            if w is None or not self.takes(text, name, w):
                break
            pos, word = w.end(), w[0]
            name.small |= word.islower() and key_of(word) not in PARTICLES
            if word[-1] == "." and len(word) > 5:
                name.end = pos - 1
                break
        return name

    def takes(self, text: str, name: _Name, w: re.Match[str]) -> bool:
        """Whether a name goes on with a word, which it then takes."""
        word, key, end = w[0], key_of(w[0]), w.end()
        if word[0].isdigit():
            # "Via 20 Settembre", "Calle 13 # 4-5", "Jalan 9/5".
            early = name.end == 0 and not name.small
            if name.numbers or (len(word) > 3 and name.end):
                return False
            if not (early or _AFTER_DIGITS.match(text, end)):
                return False
            name.numbers += 1
        elif is_name(word) or (word[0].isupper() and name.end):
            if key in UNIT_WORDS and _UNIT_NUMBER.match(text, end):
                return False
            name.named = True
        else:
            particle = key in PARTICLES and key not in _ENGLISH
            plain = name.safe and not name.small
            return particle or (plain and self.small(text, word, end))
        name.end = end
        return True

    def small(self, text: str, word: str, end: int) -> bool:
        """Whether a word in small letters is part of a name ("Ulica kralja Petra")."""
        key = key_of(word)
        if not word.islower() or len(key) < 3 or key in NOT_NAMES or key in FOLLOWERS:
            return False
        return _NAME_OR_NUMBER.match(text, end) is not None

    def other_number(self, text: str, m: re.Match[str], sure: bool) -> bool:
        """Whether a number after a street's name is a year or a post code."""
        if m.start("number") - m.start() > 2:
            return False
        ends = sure and END_OF_NAME.match(text, m.end("number"))
        if YEAR.match(m["number"]) and not ends:
            return True
        parted = m[0][0] == "," or len(m["number"]) > 4
        code = self.code(text, m.start("number")) if parted else None
        if code is not None and code[0] - m.start("number") < 4:
            return False
        gap = CODE_GAP.match(text, code[0]) if code else None
        if gap is None or gap[0] not in (" ", "-"):
            return False
        return self.town(text, gap.end(), after_code=True) > 0

    def house_end(self, text: str, end: int) -> int:
        if more := _HOUSE_MORE.match(text, end):
            end = more.end()
        if (direction := _DIRECTION.match(text, end)) and len(direction[0]) > 3:
            end = direction.end()
        return end

    def after_name(self, text: str, start: int) -> bool | None:
        """Whether the word before a number may end a street's name.

        text (str): The text.
        start (int): Where the number begins.
        RETURNS (Optional[bool]): None if it ends like one but has no capital.
        """
        if not start:
            return False
        end = start - 1
        if text[end] != " ":
            if text[end] not in ".#°º:/":
                return False
            end = start
        low = max(0, end - 30)
        begin = max(text.rfind(" ", low, end), text.rfind("\n", low, end), low - 1)
        word = text[begin + 1 : end].lstrip("(\t|")
        if not (key := word.lower().rstrip(".,")):
            return False
        if key in _MARKS or end == start:
            return True
        if word[0].isupper():
            return key not in NOT_NAMES
        if key in self.t.last:
            return True
        low = max(0, begin - 20)
        previous = text[max(low, text.rfind(" ", low, max(0, begin)) + 1) : begin]
        if previous.lower() in _PREPOSITIONS:
            return True
        if key.endswith(self.t.suffix):
            return True if previous[:1].isupper() else None
        return previous[:1].isupper() and _CODE_AFTER.match(text, start) is not None

    def backward(self, text: str, start: int) -> Street | None:
        """A street before its number: "Hauptstr. 12", "Fő utca 3.", "Tuvi 43"."""
        low = max(0, start - 70)
        if (mark := _MARK_BEFORE.search(text, max(low, start - 8), start)) is None:
            return None
        left = text[low : mark.start()]
        cut = max(map(left.rfind, '\n,;|:()"\t'))
        left = left[cut + 1 :]
        low += cut + 1
        parts = [(m.start(), m[0]) for m in _LEFT_WORD.finditer(left)]
        if not parts or parts[-1][0] + len(parts[-1][1]) != len(left):
            return None
        taken = self.taken_before(parts)
        house = _HOUSE.match(text, start)
        if not taken or house is None:
            return None
        end = self.house_end(text, house.end())
        if text[end : end + 1] == "." and _DOT_ENDS.match(text, end + 1):
            end += 1
        last = taken[0][1]
        if key_of(last) in UNIT_WORDS and key_of(last) not in self.t.last:
            return None
        if (known := self.word_before(last, len(taken))) is not None:
            return Street(low + taken[-1][0], end, *known)
        if YEAR.match(house[0]) or mark[0] not in (" ", ", "):
            return None
        return Street(low + taken[:4][-1][0], end, 0, "name and number")

    def taken_before(self, parts: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
        """Words of a street's name at the end of some words, the last first."""
        taken: list[tuple[int, str]] = []
        for i in range(len(parts) - 1, max(-1, len(parts) - 7), -1):
            begin, word = parts[i]
            if not self.before_number(parts, i, [word for _, word in taken]):
                break
            if taken and begin + len(word) + 1 < taken[-1][0]:
                break
            taken.append((begin, word))
        while taken and not taken[-1][1][0].isupper():
            taken.pop()
        return taken

    def word_before(self, last: str, count: int) -> tuple[int, str] | None:
        """How surely the last of some words before a number is one of a street, and why;
        None if nothing tells."""
        key = key_of(last)
        by_word = "street word and number"
        if count > 1 and key in self.t.last and key not in self.t.english:
            # "Park 1" and "MH 17" are not enough; "Rüütli tn" is.
            long = len(key) > 2 or last[-1] == "." or key in _SHORT_LAST
            return (SURE if long and key not in _PLAIN_LAST else 0), by_word
        if suffix := self.suffixed(last):
            sure = suffix == SURE and not (count == 1 and key in self.t.last)
            return (SURE if sure else 0), "ending of a street's name and number"
        return (0, by_word) if key in self.t.last else None

    def before_number(
        self, parts: Sequence[tuple[int, str]], i: int, taken: Sequence[str]
    ) -> bool:
        """Whether a word belongs to the name of a street before its number.

        parts (Sequence[tuple[int, str]]): Words with their offsets.
        i (int): Which one.
        taken (Sequence[str]): The words of the name after it, the last first.
        RETURNS (bool): Whether it belongs to the name.
        """
        word = parts[i][1]
        key = key_of(word)
        if word[0].isupper() and key not in NOT_NAMES:
            return not (taken and word[-1] == "." and len(key) > 4)
        if taken and (key in PARTICLES or word[0].isdigit()):
            return True
        if not i or not word.islower():
            return False
        previous = parts[i - 1][1]
        if not taken and (key in self.t.last or self.suffixed(word) == SURE):
            return True
        if not taken and key not in NOT_NAMES:
            # "Mlynské nivy": only a post code after it makes it one.
            return previous[0].isupper() and key_of(previous) not in NOT_NAMES
        # "Na spojke", "V zahradách"; "Arany jános utca".
        inner = key_of(previous) in _PREPOSITIONS and key not in NOT_NAMES
        inner = inner or (len(taken) == 1 and taken[0].islower())
        return inner and previous[0].isupper()


def is_name(word: str) -> bool:
    """Whether a word may be part of a name: a capital, and no word that opens or
    interrupts sentences; behind "l'" as well."""
    if (elided := _ELIDED.match(word)) is not None:
        word = word[elided.end() :]
    return word[0].isupper() and key_of(word) not in NOT_NAMES


def _plain_name(text: str, words: Sequence[tuple[int, int, str]]) -> int:
    """End of a name at the beginning of some words, 0 if none is long enough."""
    end = 0
    for i, (_, stop, word) in enumerate(words[:5]):
        if is_name(word):
            end = stop
        elif not (i and key_of(word) in PARTICLES):
            break
    if not end or end - words[0][0] < 3:
        return 0
    return end - 1 if text[end - 1] == "." else end


def _is_street(text: str, word: str, name: _Name) -> bool:
    """Whether a word and the name behind it are those of a street."""
    key = key_of(word)
    if key in _DIGITS_FIRST and not _MARKED_NUMBER.match(text, name.end):
        return False
    if name.safe:
        return name.named or name.numbers > 0
    plain = word.islower() and word.isalpha() and len(key) < 5
    return name.named and not plain and len(word) > 2


def no_stop(text: str, end: int) -> int:
    # The stop after "St." belongs to it only inside a sentence.
    if text[end - 1] == "." and not re.match(r",|\s[A-Z0-9a-z]", text[end : end + 2]):
        return end - 1
    return end
