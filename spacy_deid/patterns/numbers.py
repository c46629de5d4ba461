"""What families of dates and amounts share: numbers in words, and where numbers stand.

Most patterns that begin with a number are told by what comes after it ("16 May", "3.45
pm", "12 years", "50 %"). Each number of a text is therefore looked at once, and every
pattern is tried only at the numbers that are followed by one of its words or marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .base import Anchored, Text, word_trie

UNITS = "one two three four five six seven eight nine"
TEENS = """ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen"""
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
CARDINALS = f"{UNITS} {TEENS} {TENS} hundred"
_ALL = f"{CARDINALS} thousand million billion"
ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh
twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth
twentieth thirtieth"""

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
# What stands for numbers of four digits, of more, and of two before a comma or
# bracket; for those before two or three more digits, before a fraction, and at the end.
FOUR, LONG, CLOSED = "####", "#####", "##,"
PAIR, THOUSANDS, FRACTION, END = "#_##", "#_###", "#_#/#", "#"
# Only numbers that something of use follows.
_FOLLOW = re.compile(
    r"([0-9](?<!\w[0-9])[0-9]*)(?=\s?([./:,'_(×-])\s?[0-9]"
    r"|\s?[./ºª°+'&,-]?\s{0,2}([^\W\d_]{1,24}|[%‰$¢€£¥₣₤₦₧₨₩₪₫₭₮₱₲₴₵₸₹₺₽₿฿℃]|[:.]-)"
    r"|\s(?:([0-9]{2}(?![0-9]))|([0-9]{3}(?![0-9]))|([0-9]/[0-9]))"
    r"|([!?;]|\.?\s?\Z)|[,)]|(?<=[0-9]{4}))"
)
_FORMS = {4: PAIR, 5: THOUSANDS, 6: FRACTION, 7: END}
_CLOSING = frozenset(",)")
_KEY = "spacy_deid.followers"


def words(*blocks: str) -> frozenset[str]:
    """A set of words.

    *blocks (str): Words separated by white space.
    RETURNS (frozenset[str]): The words.
    """
    return frozenset(" ".join(blocks).split())


def word_runs(text: str) -> list[tuple[int, int]]:
    """The numbers in words of a text.

    text (str): The text.
    RETURNS (list[tuple[int, int]]): Start and end of each run of number words.
    """
    known = vars(text).get(_RUNS) if isinstance(text, Text) else None
    if known is None:
        known = [m.span() for m in _RUN.finditer(text)]
        if isinstance(text, Text):
            vars(text)[_RUNS] = known
    return known


def followers(text: str) -> dict[str, list[int]]:
    """The numbers of a text by what follows them.

    text (str): The text.
    RETURNS (dict[str, list[int]]): Offsets of the numbers that no letter or digit
        precedes, ascending, by the lower-cased word, the mark before another digit
        (`/`, `.` ...), and by their form (`FOUR`, `PAIR` ...).
    """
    known = vars(text).get(_KEY) if isinstance(text, Text) else None
    if known is not None:
        return known
    if not isinstance(text, Text):
        text = Text(text)
    out: dict[str, list[int]] = {}
    for m in _FOLLOW.finditer(text) if text.has_digits else ():
        start, end = m.span(1)
        size = end - start
        if size >= 4:
            out.setdefault(FOUR if size == 4 else LONG, []).append(start)
        elif size == 2 and text[end : end + 1] in _CLOSING:
            out.setdefault(CLOSED, []).append(start)
        group = m.lastindex or 1
        if group > 1:
            key = m[group].lower() if group < 4 else _FORMS[group]
            out.setdefault(key, []).append(start)
    vars(text)[_KEY] = out
    return out


def followed_by(*keys: str) -> Callable[[str], list[int]]:
    """Where the numbers stand that some words or marks follow.

    *keys (str): Lower-cased words and marks, separated by blanks.
    RETURNS (Callable): Function of a text that gives offsets in ascending order.
    """
    wanted = words(*keys)

    def find(text: str) -> list[int]:
        found = followers(text)
        common = [key for key in found if key in wanted]
        if len(common) == 1:
            return found[common[0]]
        return sorted({start for key in common for start in found[key]})

    return find


def last_word(text: str, start: int) -> tuple[str, str]:
    """The word before an offset, and what stands between.

    text (str): The text.
    start (int): The offset.
    RETURNS (tuple[str, str]): The lower-cased word, "" if there is none close by, and
        the characters between without blanks.
    """
    left = text[max(0, start - 24) : start].rpartition("\n\n")[2]
    body = left.rstrip(" \n\t.,:;()[]#§№'\"/\\*+=<>|@~^°€£$&_-–")
    between = "".join(left[len(body) :].split())
    word = body.rsplit(None, 1)[-1] if body else ""
    return word.lower().lstrip("([{'\"<*=:|"), between
