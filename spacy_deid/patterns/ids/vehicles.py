"""Licence plates, by form and words that speak of vehicles, and chassis numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ...registries import registry
from ..base import Hit, PatternRecognizer, Recognizer, Text
from ..tables import Forms, kinds_of, names_of, word_set, words
from .labelled import Finder, Names, P, shown

VIN_SIGNS = "0123456789ABCDEFGHJKLMNPRSTUVWXYZ"
_VIN_VALUES = dict(zip(VIN_SIGNS, map(int, "012345678912345678123457923456789")))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def vin_check_digit(value: str) -> str:
    """The ninth character of a chassis number, by all others."""
    total = sum(w * _VIN_VALUES[c] for w, c in zip(_VIN_WEIGHTS, value))
    return "0123456789X"[total % 11]


def vin_is_valid(value: str) -> bool:
    """Whether the ninth character is the check digit of a chassis number."""
    known = len(value) == 17 and set(value) <= _VIN_VALUES.keys()
    return known and value[8] == vin_check_digit(value)


def _is_mixed(value: str) -> bool:
    return len(set(value)) > 4 and 3 < sum(map(str.isdigit, value)) < 17


def _vins(text: str, names: Names) -> Iterator[Hit]:
    for name in names.next_to(text):
        if (m := P.vin_any.match(text, name.value)) and _is_mixed(m[0]):
            valid = vin_is_valid(m[0].upper())
            what = "valid check digit" if valid else "form"
            reason = f"{what} of a chassis number; after '{shown(name.term)}'"
            yield P.found(m, "VIN", 0.97 if valid else 0.9, reason)
    for m in P.vin.finditer(text):
        value = m[0]
        if not _is_mixed(value):
            continue
        if vin_is_valid(value):
            yield P.found(m, "VIN", 0.9, "valid check digit of a chassis number")
        elif value[:3] in word_set("vin.makers") and value[-4:].isdigit():
            reason = "form of a chassis number that begins with the code of a maker"
            yield P.found(m, "VIN", 0.75, reason)


@cache
def _vin_names() -> Names:
    return Names(words("names.VIN"), f"(?={P.vin_any.pattern})")


@registry.deid_patterns("spacy_deid.vehicle_patterns.v1")
def make_vehicle_patterns(countries: Sequence[str] | None = None) -> Recognizer:
    """Licence plates and chassis numbers (VIN).

    countries (Sequence[str]): ISO codes of the countries whose plates are known by
        their form; all by default. Plates of any country are found next to words
        such as "number plate".
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If the plates of a country are not known.
    """
    foreign = Forms("plate")
    plates, common = kinds_of("plate", countries), names_of("plate")
    finder = Finder(plates, common, hints=True, digits=2, value=P.plate_value)
    names = _vin_names()

    def find(text: Text) -> Iterator[Hit]:
        yield from finder(text)
        if text.digits > 3:
            yield from _vins(text, names)
        if not text.isascii() and P.plate_script.search(text):
            yield from foreign(text)

    return PatternRecognizer(find, digits=True)
