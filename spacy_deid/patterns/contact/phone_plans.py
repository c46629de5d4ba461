"""The numbering plans of the world, as the library `phonenumbers` knows them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import phonenumbers

from ..base import compiled

_KINDS = (
    "mobile fixed_line toll_free shared_cost premium_rate voip uan personal_number"
    " pager voicemail"
).split()
_metadata: Callable[..., Any] = phonenumbers.PhoneMetadata.metadata_for_region


def check_countries(countries: Sequence[str]) -> tuple[str, ...]:
    """Countries whose national numbers are known.

    RAISES (ValueError): If one is unknown.
    """
    if unknown := sorted(set(countries) - set(phonenumbers.SUPPORTED_REGIONS)):
        raise ValueError(f"unknown countries of telephone numbers: {unknown}")
    return tuple(countries)


def national(countries: tuple[str, ...], digits: str) -> str:
    """The first of some countries in which a number is valid."""
    found = _plans(countries, len(digits))
    for country, meta in found:
        prefix = meta.national_prefix or ""
        with_prefix = prefix and digits.startswith(prefix)
        number = digits[len(prefix) :] if with_prefix else digits
        if (with_prefix or prefix != "0") and _is_valid(meta, number):
            return country
    # Without the zero that belongs before it.
    for country, meta in found:
        if meta.national_prefix == "0" and _is_valid(meta, digits):
            return country
    return ""


def international(digits: str) -> tuple[float, str]:
    """Judge a number with its country code."""
    for width in (1, 2, 3):
        regions = phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(int(digits[:width] or 0))
        if regions is not None:
            return _judge(digits[width:], regions)
    return 0.0, ""


def _judge(number: str, regions: Sequence[str]) -> tuple[float, str]:
    best = (0.1, regions[0])
    # Some write the zero after the country code too.
    for rest in {number, number.removeprefix("0")}:
        for region in regions:
            if (meta := _metadata(region, None)) is not None and _is_valid(meta, rest):
                return 1.0, region
            if meta is not None and len(rest) in meta.general_desc.possible_length:
                best = max(best, (0.5, region))
    return best


@functools.cache
def _plans(countries: tuple[str, ...], length: int) -> list[tuple[str, Any]]:
    """The plans that have numbers of a length, national prefix included."""
    found = []
    for country in countries:
        meta = _metadata(country, None)
        lengths = set(meta.general_desc.possible_length)
        if meta.national_prefix:
            lengths |= {n + len(meta.national_prefix) for n in lengths}
        if length in lengths:
            found.append((country, meta))
    # A plan with numbers of any length fits almost everything.
    return sorted(found, key=lambda c: len(c[1].general_desc.possible_length) > 5)


def _is_valid(meta: Any, number: str) -> bool:
    general = meta.general_desc
    if len(number) not in general.possible_length:
        return False
    if not compiled(general.national_number_pattern).fullmatch(number):
        return False
    kinds = (getattr(meta, kind) for kind in _KINDS)
    patterns = (desc and desc.national_number_pattern for desc in kinds)
    return any(p and compiled(p).fullmatch(number) for p in patterns)
