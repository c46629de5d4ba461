"""Numbers in figures and among words: reading them, and writing others in the same way.

What says an amount vaguely is in `data/lang/CODE/numbers.json`.
"""

from __future__ import annotations

import re
from typing import Any

from ..data import facts, language_with
from .case import match_case
from .number_words import in_words, ordinal_in_words, read_words

ONES = tuple(map(in_words, range(20)))
TENS = tuple(map(in_words, range(20, 100, 10)))
ORDINALS = tuple(map(ordinal_in_words, (*range(1, 21), *range(30, 100, 10))))
DECADES = tuple(f"{word[:-1]}ies" for word in TENS)
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
# Those behind figures.
FIGURE_SCALES = {**SCALES, "k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
_WORDS = sorted((*ONES, *TENS), key=len, reverse=True)
_ANY = "|".join(sorted([*_WORDS, "hundred"], key=len, reverse=True))
# "Hundred" begins a number only after "a": "several hundred" has none.
_FIRST = "|".join([*_WORDS, r"a\s+hundred"])
# A number below a thousand in words; larger scales stay as they are.
WORDS_PATTERN = rf"(?:{_FIRST})(?:[\s-]+(?:and\s+)?(?:{_ANY})){{0,4}}"
ORDINAL_PATTERN = (
    rf"(?:(?:{'|'.join(TENS)})[\s-])?(?:{'|'.join(ORDINALS[:19])})"
    rf"|{'|'.join(ORDINALS[19:])}"
)
FIGURE_PATTERN = (
    r"\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?"
)
_NUMBERS = re.compile(
    rf"(?P<figure>{FIGURE_PATTERN})|(?P<words>\b{WORDS_PATTERN}\b)|\ban?\b", re.I
)
_ROMANS = {"X": 10, "IX": 9, "V": 5, "IV": 4, "I": 1}


def words_of(lang: str) -> dict[str, Any]:
    """What `numbers.json` has for a language; that of English for others."""
    return facts(f"lang/{language_with('numbers', lang)}/numbers")


def count_form(value: int, lang: str) -> int:
    """Which form of a noun a number asks for.

    value (int): The number.
    lang (str): Code of the language.
    RETURNS (int): 0 for one, else 1; where last figures decide, as in Russian, 0 for 1,
        21; 1 for 2 to 4, 22; 2 for the rest.
    """
    few = words_of(lang)["few"]
    if not few:
        return int(value != 1)
    last = 0 if value % 100 in range(11, 15) else value % 10
    return 0 if last == 1 else 1 if last in few else 2


def ordinal_suffix(number: int) -> str:
    """ "st", "nd", "rd" or "th"."""
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def suffixed(number: int, suffix: str) -> str:
    """The ordinal ending of a number in the language and case of another one's.

    number (int): The number.
    suffix (str): The old number's ending ("st", "er", "º" ...).
    RETURNS (str): The new ending, "" where the language has none for the number.
    """
    low = suffix.lower()
    if low in ("st", "nd", "rd", "th"):
        return match_case(ordinal_suffix(number), suffix)
    if low in ("er", "re", "º", "°"):
        return suffix if number == 1 else ""
    return suffix


def to_roman(number: int) -> str:
    """Roman figures of 1 to 39."""
    out = ""
    for figures, value in _ROMANS.items():
        out += figures * (number // value)
        number %= value
    return out


def from_roman(text: str) -> int | None:
    """Value of Roman figures up to 39; None for other text."""
    return next((n for n in range(1, 40) if to_roman(n) == text.upper()), None)


def read_figure(text: str) -> float:
    """Value of a number in figures; groups of three after a separator are thousands.

    text (str): "4,684.40", "30 000", "4.684,40", "3.5".
    RETURNS (float): The value.
    """
    text = re.sub(r"['’\u00a0\u202f ]", "", text)
    marks = [ch for ch in text if ch in ".,"]
    if len(set(marks)) == 2 and marks.count(marks[-1]) == 1:
        # The last one is the decimal sign.
        text = text.replace(marks[0], "").replace(marks[-1], ".")
    elif len(marks) > 1 or re.search(r"^[1-9]\d{0,2}[.,]\d{3}$", text):
        text = text.replace(",", "").replace(".", "")
    else:
        text = text.replace(",", ".")
    return float(text)


def read_numbers(text: str) -> list[float]:
    """All numbers of a text, in figures or English words, scales applied.

    text (str): "two million euros", "EUR 4,684.40".
    RETURNS (list[float]): The values, in order.
    """
    out: list[float] = []
    for match in _NUMBERS.finditer(text):
        if match["figure"]:
            value: float | None = read_figure(match.group())
        elif match["words"]:
            value = read_words(match.group())
        else:
            value = 1.0 if not out and match.start() == 0 else None
        if value is None:
            continue
        scale = re.match(r"\s?([a-z]+)\b", text[match.end() :], re.I)
        word = scale[1].lower() if scale else ""
        known = FIGURE_SCALES if match["figure"] else SCALES
        out.append(float(value * known.get(word, 1)))
    return out


def in_figures(value: float, separator: str = ",") -> str:
    """A rounded number, thousands apart: 5,000."""
    return f"{value:,.0f}".replace(",", separator) if value >= 1 else f"{value:g}"
