"""What a language does with dates and ages beyond its words (`data/lang/CODE`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..text.date_parts import Part
from .ru import dates as russian


def _nothing(text: str) -> list[Part] | None:
    return None


def _as_it_is(text: str, before: str) -> str:
    return text


def _same_age(new: str, old: str, before: str) -> str:
    return new


@dataclass(frozen=True)
class Times:
    """Hooks of a language.

    read (Callable): An expression -> its parts, if the language reads it in a way of
        its own.
    fit (Callable): A new date and the text before it -> in the form that asks for.
    fit_age (Callable): A new age, the old one and the text before -> the noun beside it
        in the form that the number asks for.
    """

    read: Callable[[str], list[Part] | None] = _nothing
    fit: Callable[[str, str], str] = _as_it_is
    fit_age: Callable[[str, str, str], str] = _same_age


_TIMES = {"ru": Times(russian.read_weekday, russian.in_accusative, russian.fit_years)}


def times(lang: str) -> Times:
    """The hooks of a language; those that do nothing for most."""
    return _TIMES.get(lang, Times())
