"""Times of day and durations, in figures and in words."""

from __future__ import annotations

from collections.abc import Iterator

from ..base import Hit, Text
from ..numbers import last_word, time_patterns, word_runs
from ..tables import word_set

P = time_patterns("times", "DATETIME")

_AT = word_set("time.at")
_AT_ONLY = word_set("time.at_only")
# Scores, verses, ratios and the cues of subtitles look like times.
_NO_TIME = word_set("time.no_time")


def find_times(text: str) -> Iterator[Hit]:
    """Times of day.

    text (str): Normalised text.
    YIELDS (Hit): Hits with label DATETIME, subtype TIME; they may overlap.
    """
    for m in P.clock.finditer(text):
        value = m[0]
        if _hour(value) > 24:
            continue
        word, _ = last_word(text, m.start())
        marked = any(c.isalpha() for c in value)
        around = text[max(0, m.start() - 16) : m.start()].lower().split()
        around += text[m.end() : m.end() + 4].split()
        if not marked and _NO_TIME.intersection(around):
            continue
        reason = "hours and minutes in figures" if not marked else "time of day"
        reason += f"; after '{word}'" if word in _AT else ""
        yield P.found(m, "TIME", 0.85, reason)
    for m in P.at_hour.finditer(text):
        word, _ = last_word(text, m.start())
        told = word in _AT_ONLY and word not in ("by", "from", "until")
        if told and _hour(m[0]) < 24:
            yield P.found(m, "TIME", 0.6, f"hours and minutes after '{word}'")
    for m in P.military.finditer(text):
        word, _ = last_word(text, m.start())
        marked = len(m[0]) > 4
        # "at 1620 Vine Street"
        clock = not "1900" <= m[0] < "2100" and not P.name_after.match(text, m.end())
        if marked or (word == "at" and clock):
            yield P.found(m, "TIME", 0.75, "four figures that are a time of day")
    yield from P.plain(text, ["TIME"])


def _hour(value: str) -> int:
    return int(value[:2] if value[1:2].isdigit() else value[0])


_LASTING = word_set("time.lasting")


def find_durations(text: Text) -> Iterator[Hit]:
    """Durations.

    text (str): Normalised text.
    YIELDS (Hit): Hits with label DATETIME, subtype DURATION; they may overlap.
    """
    for start, end in word_runs(text):
        tail = P.units_after.match(text, end)
        # "one day" may be no length of time.
        lasts = last_word(text, start)[0] in _LASTING
        if tail and (lasts or text[start : tail.end()].lower() != "one day"):
            reason = "number in words and unit of time"
            yield P.hit(start, tail.end(), "DURATION", 0.75, reason)
    yield from P.plain(text, ["DURATION"])
    for m in P.short.finditer(text):
        if not P.dose.match(text, m.end()):
            yield P.found(m, "DURATION", 0.65, "number and abbreviated unit of time")
