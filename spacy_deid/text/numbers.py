"""Numbers in figures and words: reading them, and writing others in the same way.

Words are in `data/lang/CODE/numbers.tsv` (English, all below a thousand) and in
`numbers.json` (small counts of other languages, words that say an amount vaguely).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from ..data import facts, language_with, table
from .case import like_first, match_case

_ROWS = table("lang/en/numbers")
_VALUES = {row["cardinal"]: int(row["value"]) for row in _ROWS}
_CARDINALS = {value: word for word, value in _VALUES.items()}
_ORDINALS = {row["ordinal"]: int(row["value"]) for row in _ROWS}
_ORDINAL_OF = {value: word for word, value in _ORDINALS.items()}
ONES = tuple(_CARDINALS[value] for value in range(20))
TENS = tuple(_CARDINALS[value] for value in range(20, 100, 10))
ORDINALS = tuple(_ORDINALS)
DECADES = tuple(f"{word[:-1]}ies" for word in TENS)
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
# Those behind figures.
FIGURE_SCALES = {**SCALES, "k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
_ANY = "|".join(sorted([*_VALUES, "hundred"], key=len, reverse=True))
# "Hundred" begins a number only after "a": "several hundred" has none.
_FIRST = "|".join([*sorted(_VALUES, key=len, reverse=True), r"a\s+hundred"])
# A number below a thousand in words; larger scales stay as they are.
WORDS_PATTERN = rf"(?:{_FIRST})(?:[\s-]+(?:and\s+)?(?:{_ANY})){{0,4}}"
ORDINAL_PATTERN = (
    rf"(?:(?:{'|'.join(TENS)})[\s-])?(?:{'|'.join(ORDINALS[1:20])})"
    rf"|{'|'.join(ORDINALS[20:])}"
)
FIGURE_PATTERN = (
    r"\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?"
)
_NUMBERS = re.compile(
    rf"(?P<figure>{FIGURE_PATTERN})|(?P<words>\b{WORDS_PATTERN}\b)|\ban?\b", re.I
)
_ROMANS = {"X": 10, "IX": 9, "V": 5, "IV": 4, "I": 1}


class Row(NamedTuple):
    """Small counts in words that stand for one another; `start` is the first's value."""

    start: int
    words: tuple[str, ...]


def words_of(lang: str) -> dict[str, Any]:
    """What `numbers.json` has for a language; that of English for others."""
    return facts(f"lang/{language_with('numbers', lang)}/numbers")


@cache
def counts(lang: str) -> tuple[Row, ...]:
    """Rows of small counts in words; a noun beside those of one row keeps its form.

    lang (str): Code of a language other than English.
    """
    return tuple(
        Row(row["start"], tuple(row["words"].split()))
        for row in words_of(lang)["counts"]
    )


def read_count(word: str, lang: str) -> int | None:
    """Value of a small count in words ("elf", "doce", "пяти"); None if it is none."""
    if lang == "en":
        return read_words(word)
    for row in counts(lang):
        if word.lower() in row.words:
            return row.start + row.words.index(word.lower())
    return None


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


def read_words(text: str) -> int | None:
    """Value of a number below a thousand in English words.

    text (str): "twenty-three", "two hundred and fifty", "a hundred", "a".
    RETURNS (Optional[int]): 23, 250, 1; None if it is no number. Half of a larger unit
        counts as one.
    """
    tokens = [t for t in re.split(r"[\s-]+", text.lower()) if t and t != "and"]
    if tokens in (["a"], ["an"], ["half", "a"]):
        return 1
    if tokens[:1] == ["a"]:
        del tokens[0]
    total = 0
    for token in tokens:
        if token == "hundred":
            total = max(1, total) * 100
        elif token in _VALUES:
            total += _VALUES[token]
        else:
            return None
    return total if tokens and total < 1000 else None


def in_words(number: int, like: str = "") -> str:
    """A number below a thousand in English words.

    number (int): 0 to 999.
    like (str): Words whose case and hyphens are kept.
    RETURNS (str): For example "twenty-three".
    """
    hyphen = " " if like and "-" not in like and len(like.split()) > 1 else "-"
    hundreds, rest = divmod(number, 100)
    parts = [f"{ONES[hundreds]} hundred"] if hundreds else []
    if rest or not parts:
        tens = _CARDINALS.get(rest // 10 * 10, "")
        small = ONES[rest] if rest < 20 else hyphen.join([tens, ONES[rest % 10]])
        parts.append(tens if rest >= 20 and not rest % 10 else small)
    return like_first(" and ".join(parts), like)


def read_ordinal(text: str) -> int | None:
    """Value of an ordinal below a hundred in English words: "third", "Twenty First"."""
    *tens, last = re.split(r"[\s-]+", text.lower().strip())
    value = _ORDINALS.get(last, 0)
    if tens and (len(tens) > 1 or tens[0] not in TENS or value > 9):
        return None
    return value + _VALUES[tens[0]] if tens and value else value or None


def ordinal_in_words(number: int, like: str = "") -> str:
    """ "third", "twenty-third"; 1 to 99, in the case of `like`."""
    text = _ORDINAL_OF.get(number) or (
        f"{_CARDINALS[number // 10 * 10]}-{_ORDINAL_OF[number % 10]}"
    )
    return like_first(text, like)


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
    if value >= 1:
        return f"{value:,.0f}".replace(",", separator)
    return f"{value:g}"
