"""A text as runs of letters and runs of digits, folded: the same for all spellings that
differ in case, accents, Unicode form and in what stands between the runs.

Raised figures (footnote marks) and fractions are runs of their own; marks that a reader
does not see as characters belong to what stands before them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import accumulate

# Classes of characters.
LETTER, DIGIT, RAISED, FRACTION, MARK, OTHER = "L", "D", "R", "F", "M", " "
# Modifier letters written for an apostrophe: between the runs, not in them.
_APOSTROPHES = "\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u02ee"
# Letters without decomposition that people write plainly: "Sorensen", "Walesa".
_PLAIN_LETTERS = dict(zip("øłđħŧðæœþ", "o l d h t d ae oe th".split()))
# The one combining mark that becomes a letter of its own in capitals.
_IOTA_BELOW, _IOTA = "\u0345", "\u03b9"
_SLASH = "\u2044"
_FRAMED = re.compile(r".*(?:CIRCLED|SQUARED) LATIN .* LETTER ([A-Z])")


def _is_letter_or_digit(ch: str) -> bool:
    if ch.isalnum():
        return ch not in _APOSTROPHES
    return ch == _IOTA_BELOW or bool(_framed(ch))


def _framed(ch: str) -> str:
    """The letter in a circle or square, which is a symbol to Unicode; "" without."""
    if ch < "\u2000" or unicodedata.category(ch) != "So":
        return ""
    name = _FRAMED.fullmatch(unicodedata.name(ch, ""))
    return name[1].lower() if name else ""


def is_mark(ch: str) -> bool:
    """Characters that a reader does not see as one of their own: combining marks,
    zero-width characters, soft hyphens."""
    return unicodedata.category(ch) in ("Mn", "Mc", "Me", "Cf")


@cache
def _read_char(ch: str) -> tuple[str, str]:
    """The class of a character, and the letters and digits that it stands for, the same
    for all its case and compatibility forms; none if it is neither."""
    if ch == _IOTA_BELOW:
        return LETTER, _IOTA
    if not _is_letter_or_digit(ch):
        return MARK if is_mark(ch) else OTHER, ""
    # Most characters that there are: letters without cases.
    if unicodedata.category(ch) == "Lo" and unicodedata.is_normalized("NFKD", ch):
        return LETTER, ch
    decimal = unicodedata.decimal(ch, None)
    if decimal is not None:
        return DIGIT, str(decimal)
    low = (_framed(ch) or unicodedata.normalize("NFKD", ch)).casefold()
    folded = "".join(
        _IOTA if c == _IOTA_BELOW else _PLAIN_LETTERS.get(c, c)
        for c in unicodedata.normalize("NFKD", low.upper().casefold())
        if _is_letter_or_digit(c)
    )
    return _rank(ch) if folded else MARK, folded


def _rank(ch: str) -> str:
    """The class of a letter or of a figure that is no plain digit."""
    raised = unicodedata.decomposition(ch).startswith(("<super>", "<sub>"))
    if not raised and unicodedata.category(ch) != "No":
        return LETTER
    return FRACTION if _SLASH in unicodedata.normalize("NFKD", ch) else RAISED


class _Table(dict):
    """What a function gives for each character, for `str.translate`; kept."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self.function = function
        # ASCII is looked up much faster in a table that has all of it.
        super().__init__({code: function(chr(code)) for code in range(128)})

    def __missing__(self, code: int) -> str:
        self[code] = self.function(chr(code))
        return self[code]


# Between words that are folded together; it is in no run.
_SEPARATOR = "\n"
_kind_table = _Table(lambda ch: _read_char(ch)[0])
_fold_table = _Table(lambda ch: _read_char(ch)[1])
_fold_table[ord(_SEPARATOR)] = _SEPARATOR
_RUN = re.compile("(L[LM]*|D[DM]*|R[RM]*|F[FM]*)")
_ASCII_RUN = re.compile("[a-z]+|[0-9]+")

# Letters one by one are a word from this many on.
MIN_APART = 3


def apart(words: list[str]) -> list[int]:
    """The runs that some single letters or figures in a row begin with."""
    singles = [i for i, word in enumerate(words) if len(word) == 1]
    return [i for i, j in zip(singles, singles[MIN_APART - 1 :]) if j - i < MIN_APART]


class Runs:
    """A text as runs.

    text (str): Any text.

    Attributes: `words` (the runs' folded characters), `compact` (the words, nothing
    between them), `heads` (where each run begins in `compact`; at the end its length),
    `starts` and `ends` (where each run stands in the text).
    """

    def __init__(self, text: str) -> None:
        self._kinds = text.translate(_kind_table)
        places = [*accumulate(map(len, _RUN.split(self._kinds)))]
        self.starts, self.ends = places[:-1:2], places[1::2]
        joined = _SEPARATOR.join([text[a:b] for a, b in zip(self.starts, self.ends)])
        folded = joined.lower() if joined.isascii() else joined.translate(_fold_table)
        self.words = folded.split(_SEPARATOR) if folded else []
        self.compact = "".join(self.words)
        self.heads = [*accumulate(map(len, self.words), initial=0)]

    def kind(self, i: int) -> str:
        """The class of a run: letters, digits, raised figures or fractions."""
        return self._kinds[self.starts[i]]


def read_words(text: str) -> list[str]:
    """The words of a text's runs, without telling where they are, which is faster."""
    if not text.isascii():
        return Runs(text).words
    low = text.lower()
    return [low] if low.isalpha() else _ASCII_RUN.findall(low)


def compact(text: str) -> str:
    """The letters and digits of a text, folded; equal for all spellings of a string.
    Empty if the text has neither."""
    return "".join(read_words(text))
