"""Money, percentages, measures and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import Hit, PatternRecognizer, Recognizer, Text
from ..numbers import time_patterns, word_runs

P = time_patterns("quantities", "QUANTITY")


def _symbols(text: str) -> Iterator[int]:
    """Where signs of currencies may begin, with the letters of their countries."""
    for m in P.any_symbol.finditer(text):
        start = m.start()
        if m[0] == "$" and text[start - 1 : start].isalpha():
            yield from range(max(0, start - 2), start)
        yield start


P.money_before.others = _symbols


def _money(text: str) -> Iterator[Hit]:
    for m in P.money_before.finditer(text):
        start = m.start()
        # In "500 ₽ 100 ₽" each sign belongs to the amount before it.
        if m[0][1:2] == " " and text[max(0, start - 2) : start].strip()[-1:].isdigit():
            continue
        reason = "sign, code or short name of a currency before an amount"
        yield P.hit(m.start(), _trim(text, m), "MONEY", 0.95, reason)
    for m in P.money_after.finditer(text):
        if P.round_mark.match(m[0]) and text[m.end() : m.end() + 1] != "s":
            continue  # "the 2000 mark"
        if P.pence.fullmatch(m[0]) and P.cited.search(
            text[max(0, m.start() - 14) : m.start()]
        ):
            continue
        reason = "amount before a sign, code or name of a currency"
        yield P.hit(m.start(), _trim(text, m), "MONEY", 0.9, reason)


# What may stand behind a number in words.
_BEHIND_WORDS = (
    (P.money_words, "MONEY", 0.86, "amount in words before the name of a currency"),
    (P.percent_words, "PERCENT", 0.9, "number in words before 'per cent' or its sign"),
    (P.measure_words, "MEASURE", 0.85, "number in words before a unit of measure"),
    (P.count_words, "COUNT", 0.6, "number in words before people or things"),
)


def _in_words(text: Text, counts: bool) -> Iterator[Hit]:
    """Quantities whose number is spelled."""
    for start, end in word_runs(text):
        for pattern, subtype, score, reason in _BEHIND_WORDS:
            m = pattern.match(text, end) if counts or subtype != "COUNT" else None
            if m is None or (subtype == "COUNT" and text[start:end].lower() == "one"):
                continue
            if subtype != "MONEY" or not P.not_money.fullmatch(text[start : m.end()]):
                yield P.hit(start, m.end(), subtype, score, reason)


def _trim(text: str, m: re.Match[str]) -> int:
    end = m.end()
    if text.endswith((".-", ":-", "/-"), 0, end):
        return end
    while text[end - 1] in ".,' -":
        end -= 1
    return end


def _measures(text: str) -> Iterator[Hit]:
    for m in P.measure.finditer(text):
        score = 0.85
        if P.short.fullmatch(m[0]):
            if m[0][-1] in "GL" or (m[0][-1] == "M" and m[0][-2] != " "):
                continue
            if P.cited.search(text[max(0, m.start() - 14) : m.start()]):
                continue
            score = 0.6
        yield P.found(m, "MEASURE", score, "number before a unit of measure")
    yield from P.plain(text, ["MEASURE", "PERCENT"])


def _counts(text: str) -> Iterator[Hit]:
    for m in P.count.finditer(text):
        # "the 1928 Reindeer Grazing Act"
        if not (m[0].startswith("1 ") or P.year_of.match(m[0])):
            yield P.found(m, "COUNT", 0.6, "number before people or things")


@registry.deid_patterns("spacy_deid.quantity_patterns.v1")
def make_quantity_patterns(counts: bool = True) -> Recognizer:
    """Amounts of money, percentages, measures and counts of people and things.

    counts (bool): Whether to find counts.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: Text) -> Iterator[Hit]:
        if text.has_digits:
            yield from _money(text)
            yield from _measures(text)
            yield from _counts(text) if counts else ()
        yield from _in_words(text, counts)

    return PatternRecognizer(find)
