"""Ages, in figures and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..base import Hit, Text
from ..numbers import time_patterns, word_runs

P = time_patterns("ages", "DEM")

_MAX = 125


def _plausible(value: str) -> bool:
    young = any(unit in value for unit in ("day", "week", "month"))
    return young or all(int(n) <= _MAX for n in re.findall("[0-9]+", value))


def find_ages(text: Text) -> Iterator[Hit]:
    """Ages of people.

    text (str): Normalised text.
    YIELDS (Hit): Hits with label DEM, subtype AGE; they may overlap.
    """
    for start, end in word_runs(text):
        if (tail := P.words_old.match(text, end)) is not None:
            reason = "number in words, years or months and 'old'"
            yield _age(start, tail.end(), 0.9, reason)
    yield from P.plain(text, ["AGE"], _plausible)
    for m in P.of.finditer(text):
        if not _plausible(m["n"]):
            continue
        if m["of"]:
            yield _age(m.start(), m.end("n"), 0.9, "number after 'age of'")
        else:
            yield _age(m.start("n"), m.end("n"), 0.85, "number after 'age' or 'aged'")
    yield from _beside_people(text)


def _beside_people(text: str) -> Iterator[Hit]:
    for m in P.sex.finditer(text):
        if not _plausible(m[0]):
            continue
        sure = "y" in m[0] or m[0].endswith("male")
        left = text[max(0, m.start() - 12) : m.start()]
        if sure or (P.sex_before.search(left) and P.sex_after.match(text, m.end())):
            digits = len(m[0]) - len(m[0].lstrip("0123456789"))
            sex = m[0].endswith(("M", "F")) and " " not in m[0]
            end = m.end() if sex else m.start() + digits
            yield _age(m.start(), end, 0.6, "number and sex as in clinical notes")
    for m in P.being.finditer(text):
        left = text[max(0, m.start() - 24) : m.start()]
        when = text.startswith((" when ", " WHEN "), m.end())
        if (P.was_before if when else P.is_before).search(left):
            yield _age(m.start(), m.end(), 0.6, "number after 'was' or 'is'")
    for m in P.after_name.finditer(text):
        left = text[max(0, m.start() - 50) : m.start()]
        named = P.name_comma.search(left) and not P.sure_no_name.search(left)
        if named and int(m[0]) <= 110:
            yield _age(m.start(), m.end(), 0.6, "number between commas after a name")


def _age(start: int, end: int, score: float, reason: str) -> Hit:
    return P.hit(start, end, "AGE", score, reason)
