"""What families of dates and amounts share: numbers in words, the word before."""

from __future__ import annotations

from ..text import numbers as known
from ..text.calendars import ENGLISH_MONTHS
from ..text.date_layouts import relation_pattern
from .base import Anchored, Text, word_trie
from .tables import Patterns

UNITS = " ".join(known.ONES[1:10])
TEENS = " ".join(known.ONES[10:])
TENS = " ".join(known.TENS)
ORDINALS = " ".join((*known.ORDINALS[:21],))
MONTH_WORDS = " ".join(ENGLISH_MONTHS)
RELATION = f"(?i:{relation_pattern()})"
CARDINALS = f"{UNITS} {TEENS} {TENS} hundred"
_ALL = f"{CARDINALS} thousand million billion"

# The first digit of a number that is part of no longer one, no price and no word.
START = r"[0-9](?<![\w$€£][0-9])(?<![\d][.,/:-][0-9])"
UNIT_WORD = f"(?i:{'|'.join(UNITS.split())})"
TEEN_WORD = f"(?i:{'|'.join(TEENS.split())})"
TENS_WORD = f"(?i:{'|'.join(TENS.split())})"
NUMBER_WORD = (
    rf"{word_trie(CARDINALS)}(?:[\s-](?:and\s)?(?i:{word_trie(CARDINALS)})){{0,4}}"
)
ORDINAL_WORD = rf"{word_trie(ORDINALS, TENS)}(?:[\s-](?i:{word_trie(ORDINALS)}))?"

# A whole run of number words. What it counts is matched from its end, so that no run
# is tried from each of its words.
_RUN = Anchored(
    r"(?:(?:half\s)?an?\s(?=hundred|thousand|million|billion))?"
    rf"{word_trie(_ALL)}(?:[\s-](?:and\s)?(?i:{word_trie(_ALL)}))*"
    r"(?:\sand\sa\shalf\b(?:\s(?:thousand|million|billion)\b)?)?",
    _ALL,
    "half a an",
)
_RUNS = "spacy_deid.word_runs"
# What all tables of patterns of dates and amounts share.
_PARTS = {name: part for name, part in vars().items() if name.isupper()}


def time_patterns(family: str, label: str, **parts: str) -> Patterns:
    """The patterns of a table, which may name any list of words of this module."""
    return Patterns(family, label, _PARTS | parts)


def word_runs(text: Text) -> list[tuple[int, int]]:
    """The numbers in words of a text.

    text (Text): The text, which keeps them.
    RETURNS (list[tuple[int, int]]): Start and end of each run of number words.
    """
    if _RUNS not in vars(text):
        vars(text)[_RUNS] = [m.span() for m in _RUN.finditer(text)]
    runs: list[tuple[int, int]] = vars(text)[_RUNS]
    return runs


# How far back the last word may begin.
LEFT = 24


def last_word(text: str, start: int) -> tuple[str, str]:
    """The word before an offset, and what stands between.

    text (str): The text.
    start (int): The offset.
    RETURNS (tuple[str, str]): The lower-cased word, "" if there is none close by, and
        the characters between without blanks.
    """
    left = text[max(0, start - LEFT) : start]
    left = left.rpartition("\n\n")[2]
    body = left.rstrip(" \n\t.,:;()[]#§№'\"/\\*+=<>|@~^°€£$&_-–")
    between = "".join(left[len(body) :].split())
    # Blanks that are not named above may be all that is left.
    word = body.rsplit(None, 1)[-1] if body.strip() else ""
    return word.lower().lstrip("([{'\"<*=:|"), between
