"""The numbering plans of the world, as the library `phonenumbers` knows them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import phonenumbers

_TYPES = (
    "mobile", "fixed_line", "toll_free", "shared_cost", "premium_rate", "voip", "uan",
    "personal_number", "pager", "voicemail",
)  # fmt: skip


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class Plans:
    """The numbering plans of the world, read when first needed.

    countries (Sequence[str]): Countries whose national numbers are known.
    """

    def __init__(self, countries: Sequence[str]) -> None:
        unknown = set(countries) - set(phonenumbers.SUPPORTED_REGIONS)
        if unknown:
            raise ValueError(
                f"unknown countries of telephone numbers: {sorted(unknown)}"
            )
        self.countries = tuple(countries)
        self.codes: dict[int, tuple[str, ...]] = dict(
            phonenumbers.COUNTRY_CODE_TO_REGION_CODE
        )
        self._metadata: Callable[..., Any] = (
            phonenumbers.PhoneMetadata.metadata_for_region
        )
        self._by_length: dict[int, list[tuple[str, Any]]] = {}

    def national(self, digits: str) -> str:
        """The first country of the list in which a number is valid."""
        found = self._candidates(len(digits))
        for country, meta in found:
            prefix = meta.national_prefix or ""
            with_prefix = prefix and digits.startswith(prefix)
            number = digits[len(prefix) :] if with_prefix else digits
            if (with_prefix or prefix != "0") and self._valid(meta, number):
                return country
        # Without the zero that belongs before it.
        for country, meta in found:
            if meta.national_prefix == "0" and self._valid(meta, digits):
                return country
        return ""

    def _candidates(self, length: int) -> list[tuple[str, Any]]:
        found = self._by_length.get(length)
        if found is None:
            found = self._by_length[length] = []
            for country in self.countries:
                meta = self._metadata(country, None)
                lengths = set(meta.general_desc.possible_length)
                if meta.national_prefix:
                    lengths |= {n + len(meta.national_prefix) for n in lengths}
                if length in lengths:
                    found.append((country, meta))
            # A plan with numbers of any length fits almost everything.
            found.sort(key=lambda c: len(c[1].general_desc.possible_length) > 5)
        return found

    @staticmethod
    def _valid(meta: Any, number: str) -> bool:
        general = meta.general_desc
        if len(number) not in general.possible_length:
            return False
        if not _compiled(general.national_number_pattern).fullmatch(number):
            return False
        for kind in _TYPES:
            desc = getattr(meta, kind)
            pattern = desc.national_number_pattern if desc is not None else None
            if pattern and _compiled(pattern).fullmatch(number):
                return True
        return False

    def international(self, digits: str) -> tuple[float, str]:
        """Judge a number with its country code."""
        for width in (1, 2, 3):
            code = int(digits[:width] or 0)
            regions = self.codes.get(code)
            if regions is None:
                continue
            best = (0.1, regions[0])
            number = digits[width:]
            # Some write the zero after the country code too.
            for rest in {number, number.removeprefix("0")}:
                for region in regions:
                    meta = self._metadata(region, None)
                    if meta is None:
                        continue
                    if self._valid(meta, rest):
                        return 1.0, region
                    if len(rest) in meta.general_desc.possible_length:
                        best = max(best, (0.5, region))
            return best
        return 0.0, ""
