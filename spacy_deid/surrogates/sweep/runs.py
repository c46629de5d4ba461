"""A text as runs of letters and runs of digits, folded: the same for all spellings that
differ in case, accents, Unicode form and in what stands between the runs.

Raised figures (footnote marks) and fractions are runs of their own; marks that a reader
does not see as characters belong to what stands before them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, cached_property
from itertools import accumulate, pairwise

# Classes of characters.
LETTER, DIGIT, RAISED, FRACTION, MARK, OTHER = "L", "D", "R", "F", "M", " "
# Modifier letters written for an apostrophe: between the runs, not in them.
_APOSTROPHES = "\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u02ee"
# Letters without decomposition that people write plainly: "Sorensen", "Walesa".
_PLAIN_LETTERS = {
    **dict(zip("øłđħŧ", "oldht")),
    "ð": "d",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
}
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


# What stands for a character beyond ASCII where runs are sought: no text that has been
# translated has these themselves.
_SIGNS = dict(zip((LETTER, DIGIT, RAISED, MARK, FRACTION), "\x80\x81\x82\x83\x84"))
_CLASSES = {sign: kind for kind, sign in _SIGNS.items()}


class _Table(dict):
    """What a function gives for each character, for `str.translate`; kept."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self.function = function
        # ASCII is looked up much faster in a table that has all of it.
        super().__init__({code: function(chr(code)) for code in range(128)})

    def __missing__(self, code: int) -> str:
        self[code] = self.function(chr(code))
        return self[code]


def _one_letter(ch: str) -> str:
    folded = _read_char(ch)[1]
    return folded if len(folded) == 1 else ch


def _in_ascii_char(ch: str) -> str:
    """The one character in ASCII that stands for another: a letter or figure it folds
    to, a blank for what separates; "" if there is none such."""
    kind, folded = _read_char(ch)
    if kind == OTHER:
        return " "
    fits = kind in (LETTER, DIGIT) and len(folded) == 1 and _ASCII_RUN.fullmatch(folded)
    return folded if fits else ""


def _in_letters(ch: str) -> str:
    """What `read_words` reads for a character: letters or figures in ASCII, a blank for
    what separates, nothing for a mark; `_NEITHER` for any other."""
    kind, folded = _read_char(ch)
    if kind in (OTHER, MARK):
        return " " if kind == OTHER else ""
    fits = kind in (LETTER, DIGIT) and folded.isascii() and folded.isalnum()
    return folded if fits and folded.isalpha() == (kind == LETTER) else _NEITHER


_NEITHER = "\x80"
_RUN = re.compile(
    "([a-z\x80][a-z\x80\x83]*|[0-9\x81][0-9\x81\x83]*|\x82[\x82\x83]*|\x84[\x84\x83]*)"
)
_ASCII_RUN = re.compile("([a-z]+|[0-9]+)")
_BEYOND_ASCII = re.compile("([^\x00-\x7f]+)")
_fold_table = _Table(_one_letter)
_sign_table = _Table(lambda ch: _SIGNS.get(_read_char(ch)[0], " "))
_expand_table = _Table(lambda ch: _read_char(ch)[1])
# Between words that are expanded together; it is in no run.
_SEPARATOR = "\n"
_expand_table[ord(_SEPARATOR)] = _SEPARATOR
_ascii_table = _Table(_in_ascii_char)
_letter_table = _Table(_in_letters)
# Replaced first: looking for what is beyond ASCII takes longer.
_LONG = 100
_FREQUENT = "’“”‘–—\u00a0§éüöäáóíçèñışğ•…"
# What separates runs in ASCII -> blanks, to split by.
_BLANKED = "".join(ch if ch.isalnum() else " " for ch in map(chr, range(128)))


def in_ascii(text: str) -> str:
    """A text with each character replaced by the one in ASCII that stands for it, so
    that runs are the same; "" if one has none."""
    if text.isascii():
        return text
    for ch in _FREQUENT if len(text) > _LONG else "":
        text = text.replace(ch, _ascii_table[ord(ch)])
    if not text.isascii():
        rest = [*map(ord, set("".join(_BEYOND_ASCII.findall(text))))]
        if not all(map(_ascii_table.__getitem__, rest)):
            return ""
        text = text.translate(_ascii_table)
    return text


# Letters one by one are a word from this many on.
MIN_APART = 3


def apart(words: list[str]) -> list[int]:
    """The runs that some single letters or figures in a row begin with."""
    singles = [i for i, word in enumerate(words) if len(word) == 1]
    return [i for i, j in zip(singles, singles[MIN_APART - 1 :]) if j - i < MIN_APART]


class Runs:
    """A text as runs.

    text (str): Any text.
    words (Optional[list[str]]): What `read_words` gives for it, if it has been called.

    Attributes: `words` (the runs' folded characters), `compact` (the words, nothing
    between them), `heads` (where each run begins in `compact`; at the end its length),
    `starts` and `ends` (where each run stands in the text).
    """

    def __init__(self, text: str, words: list[str] | None = None) -> None:
        self._text = text
        self._places: tuple[list[int], list[int], str] | None = None
        self.words = self._read() if words is None else words
        self.compact = "".join(self.words)
        self.heads = [*accumulate(map(len, self.words), initial=0)]

    @cached_property
    def apart(self) -> list[int]:
        """The runs that some single letters in a row begin with."""
        return apart(self.words)

    def _read(self) -> list[str]:
        """The words; their places are noted."""
        signs = in_ascii(self._text).lower()
        if signs:
            parts = _ASCII_RUN.split(signs)
            ends = [*accumulate(map(len, parts))]
            self._places = ends[:-1:2], ends[1::2], signs
            return parts[1::2]
        # Most of a text is ASCII, which is folded much faster than the rest; and all of
        # that at once much faster than piece by piece.
        pieces = _BEYOND_ASCII.split(self._text)
        folds = [piece.lower() for piece in pieces]
        signed = folds.copy()
        beyond = "".join(pieces[1::2])
        ends = [*accumulate(map(len, pieces[1::2]), initial=0)]
        for out, table in ((folds, _fold_table), (signed, _sign_table)):
            new = beyond.translate(table)
            out[1::2] = [new[a:b] for a, b in pairwise(ends)]
        folded, signs = "".join(folds), "".join(signed)
        ends = [*accumulate(map(len, _RUN.split(signs)))]
        self._places = ends[:-1:2], ends[1::2], signs
        words = [folded[a:b] for a, b in zip(ends[:-1:2], ends[1::2])]
        together = _SEPARATOR.join(words)
        if together.isascii():
            return words
        return together.translate(_expand_table).split(_SEPARATOR)

    def _found(self) -> tuple[list[int], list[int], str]:
        # Most texts of which the words are known have no occurrence and need no places.
        if self._places is None:
            self._read()
        assert self._places is not None
        return self._places

    @cached_property
    def starts(self) -> list[int]:
        return self._found()[0]

    @cached_property
    def ends(self) -> list[int]:
        return self._found()[1]

    def kind(self, i: int) -> str:
        """The class of a run: letters, digits, raised figures or fractions."""
        starts, _, signs = self._found()
        ch = signs[starts[i]]
        return _CLASSES.get(ch) or (LETTER if ch.isalpha() else DIGIT)


def read_words(text: str) -> list[str]:
    """The words of a text's runs, without telling where they are, which is faster."""
    words = words_alone(text)
    return Runs(text).words if words is None else words


def words_alone(text: str) -> list[str] | None:
    """The words of a text's runs; None if they can't be told by themselves."""
    # In a long text what is frequent is replaced first.
    low = in_ascii(text) if len(text) > _LONG or text.isascii() else ""
    low = (low or text.translate(_letter_table)).lower()
    if not low.isascii():
        return None
    if low.isalpha():
        return [low]
    words = low.translate(_BLANKED).split()
    for word in words:
        # All letters or all figures, or it is more than one run.
        if not word.isalpha() and not word.isdecimal():
            return [run for word in words for run in _ASCII_RUN.findall(word)]
    return words


def compact(text: str) -> str:
    """The letters and digits of a text, folded; equal for all spellings of a string.
    Empty if the text has neither."""
    if text.isascii():
        # Most texts are one word.
        low = text.lower()
        return low if low.isalpha() else "".join(low.translate(_BLANKED).split())
    return "".join(read_words(text))
