"""What families of dates and amounts share: numbers in words, patterns from tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..data import facts, table
from ..text import numbers as known
from ..text.calendars import ENGLISH_MONTHS
from ..text.date_layouts import relation_pattern
from .base import Anchored, Hit, Text, hit, remembered, word_trie

WORDS: dict[str, str] = facts("time_and_amounts")
UNITS = " ".join(known.ONES[1:10])
TEENS = " ".join(known.ONES[10:])
TENS = " ".join(known.TENS)
ORDINALS = " ".join((*known.ORDINALS[1:22],))
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


class Forms:
    """The patterns of a table `data/patterns/NAME.tsv`, each an attribute: those with
    words or marks that tell where a match may begin are `Anchored`, parts of others
    strings, the rest plain regexes.

    family (str): Name of the table.
    label (str): Label of its hits.
    """

    def __init__(self, family: str, label: str) -> None:
        self._label = label
        self._rows = {row["name"]: row for row in table(f"patterns/{family}")}
        for name, row in self._rows.items():
            starts, followed = self._text(row["starts"]), self._text(row["followed"])
            followed = re.sub(r"(?<=\w)[_-](?=\w)", " ", followed.lower())
            form = self._text(row["form"])
            made: Any = form
            if starts or followed not in ("", "-"):
                made = Anchored(form, starts, followed=followed)
            elif not followed:
                made = re.compile(form)
            setattr(self, name, made)
        self._plain = [(n, row) for n, row in self._rows.items() if row["reason"]]

    def plain_patterns(self, subtypes: Sequence[str]) -> list[Any]:
        """The regexes of the rows that say why, of some subtypes."""
        return [
            getattr(self, n) for n, row in self._plain if row["subtype"] in subtypes
        ]

    def plain(
        self,
        text: str,
        subtypes: Sequence[str],
        accept: Callable[[str], bool] = bool,
    ) -> Iterator[Hit]:
        """Hits of the rows that say why: a form that is told by itself and by what
        stands before it.

        text (str): Normalised text.
        subtypes (Sequence[str]): Of these only.
        accept (Callable): Whether a matched text is one.
        YIELDS (Hit): They may overlap.
        """
        for name, row in self._plain:
            if row["subtype"] not in subtypes:
                continue
            before = getattr(self, row["before"]) if row["before"] else None
            for match in getattr(self, name).finditer(text):
                start, end = match.span("n" if "n" in match.groupdict() else 0)
                left = text[max(0, start - 50) : start]
                if accept(text[start:end]) and (before is None or before.search(left)):
                    yield self.hit(
                        start, end, row["subtype"], float(row["score"]), row["reason"]
                    )

    def hit(self, start: int, end: int, subtype: str, score: float, reason: str) -> Hit:
        """A hit with the label of the family."""
        return hit(start, end, self._label, subtype, score, reason=reason)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no pattern {name!r}")

    def _text(self, text: str) -> str:
        return re.sub("«([^»]+)»", lambda m: self._part(m[1]), text)

    def _part(self, name: str) -> str:
        kind, _, rest = name.rpartition(":")
        if kind:
            listed = rest[1:] if rest[0] == "=" else " ".join(map(_list, rest.split()))
            return word_trie(listed, ignore_case=kind == "trie")
        return (
            self._text(self._rows[name]["form"]) if name in self._rows else _list(name)
        )


def _list(name: str) -> str:
    """A list of words, or a part of patterns that all tables share."""
    return WORDS.get(name) or globals()[name]


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


def last_word(text: str, start: int) -> tuple[str, str]:
    """The word before an offset, and what stands between.

    text (str): The text.
    start (int): The offset.
    RETURNS (tuple[str, str]): The lower-cased word, "" if there is none close by, and
        the characters between without blanks.
    """
    return last_word_of(text[max(0, start - LEFT) : start])


# How far back the last word may begin.
LEFT = 24


# Tables and logs repeat themselves.
@remembered
def last_word_of(left: str) -> tuple[str, str]:
    """The last word of a piece of text, and what stands after it.

    left (str): What stands before an offset, `LEFT` characters of it.
    RETURNS (tuple[str, str]): As of `last_word`.
    """
    left = left.rpartition("\n\n")[2]
    body = left.rstrip(" \n\t.,:;()[]#§№'\"/\\*+=<>|@~^°€£$&_-–")
    between = "".join(left[len(body) :].split())
    # Blanks that are not named above may be all that is left.
    word = body.rsplit(None, 1)[-1] if body.strip() else ""
    return word.lower().lstrip("([{'\"<*=:|"), between
