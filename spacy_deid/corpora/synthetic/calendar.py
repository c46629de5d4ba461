"""Numbers and dates in English words, for the synthetic corpus."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
MONTHS = (
    "January February March April May June July August September October November "
    "December"
).split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def in_words(n: int) -> str:
    """A number below one hundred in words."""
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + ("-" + _ONES[n % 10] if n % 10 else "")
    return str(n)


def ordinal(n: int) -> str:
    """An ordinal number in figures."""
    if 10 <= n % 100 <= 20:
        return f"{n}th"
    return f"{n}{({1: 'st', 2: 'nd', 3: 'rd'}).get(n % 10, 'th')}"


DATE_FORMATS: dict[str, Callable[[date], str]] = {
    "dmy": lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    "mdy": lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    "slash": lambda d: f"{d.day:02}/{d.month:02}/{d.year}",
    "slash_us": lambda d: f"{d.month}/{d.day}/{d.year % 100:02}",
    "iso": lambda d: d.isoformat(),
    "dots": lambda d: f"{d.day:02}.{d.month:02}.{d.year}",
    "short": lambda d: f"{d.day} {MONTHS[d.month - 1][:3]} {d.year}",
    "short_us": lambda d: f"{MONTHS[d.month - 1][:3]} {d.day}, {d.year}",
    "dash": lambda d: f"{d.day:02}-{MONTHS[d.month - 1][:3]}-{d.year}",
    "nth": lambda d: f"{ordinal(d.day)} {MONTHS[d.month - 1]} {d.year}",
    "nth_of": lambda d: f"{ordinal(d.day)} of {MONTHS[d.month - 1]} {d.year}",
    "mdy_nth": lambda d: f"{MONTHS[d.month - 1]} {ordinal(d.day)}, {d.year}",
    "dashes": lambda d: f"{d.day:02}-{d.month:02}-{d.year}",
    "slash_short": lambda d: f"{d.month:02}/{d.day:02}/{d.year}",
}
LONG_FORMATS = ("dmy", "mdy", "nth", "nth_of", "mdy_nth")
DAY_FORMATS: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d.day} {MONTHS[d.month - 1]}",
    lambda d: f"{MONTHS[d.month - 1]} {d.day}",
    lambda d: f"{MONTHS[d.month - 1]} {ordinal(d.day)}",
    lambda d: f"{ordinal(d.day)} of {MONTHS[d.month - 1]}",
    lambda d: f"{MONTHS[d.month - 1][:3]} {d.day}",
    lambda d: f"{d.month}/{d.day}",
    lambda d: f"the {ordinal(d.day)}",
)
