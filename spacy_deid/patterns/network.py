"""Addresses of machines: IPv4, IPv6, MAC."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from ..registries import registry
from .base import Hit, PatternRecognizer, Recognizer, before, drop_covered, hit

_IPV4 = re.compile(
    r"[0-9](?<![\w][0-9])(?<![0-9][.-][0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?![0-9]|\.[0-9])"
)
_IPV6 = re.compile(
    r"[0-9A-Fa-f:](?<![\w:.][0-9A-Fa-f:])[0-9A-Fa-f:]{1,44}"
    r"(?:[0-9]{0,3}(?<=[0-9])(?:\.[0-9]{1,3}){3})?(?![\w:])"
)
_MAC = re.compile(
    r"[0-9A-Fa-f](?<![\w:.-][0-9A-Fa-f])[0-9A-Fa-f]"
    r"(?:([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4}(?:\1[0-9A-Fa-f]{2}\1[0-9A-Fa-f]{2})?"
    r"|[0-9A-Fa-f]{2}(?:\.[0-9A-Fa-f]{4}){2})(?![\w:-]|\.[0-9A-Fa-f])"
)
_VERSION = re.compile(
    r"(?:\b(?:v|ver|version|release|build|firmware|driver|rev)\.?:?\s?|§\s?)\Z"
)


def _network(text: str) -> Iterator[Hit]:
    for m in _IPV4.finditer(text):
        version = _VERSION.search(before(text, m.start(), 12))
        if not version and all(int(part) < 256 for part in m[0].split(".")):
            yield hit(m.start(), m.end(), "CODE", "IP", 0.95)
    if text.count(":") > 1:
        for m in _MAC.finditer(text):
            yield hit(m.start(), m.end(), "CODE", "MAC", 0.95)
        for m in _IPV6.finditer(text):
            value = m[0]
            if value.count(":") < 2 or not any(c.isalnum() for c in value):
                continue
            end = m.end()
            if value.endswith(":") and not value.endswith("::"):
                value, end = value[:-1], end - 1
            # "12:30:45" is a time, "a::b" code: an address has eight groups, or four
            # hexadecimal characters somewhere, or begins with the gap.
            try:
                ipaddress.IPv6Address(value)
            except ValueError:
                continue
            if (
                "::" in value
                and len(value) < 6
                and not (value.startswith("::") and value[2:].isalnum())
            ):
                continue
            yield hit(m.start(), end, "CODE", "IP", 0.95)
    elif "." in text or "-" in text:
        for m in _MAC.finditer(text):
            yield hit(m.start(), m.end(), "CODE", "MAC", 0.95)


@registry.deid_patterns("spacy_deid.network_patterns.v1")
def make_network_patterns() -> Recognizer:
    """IP addresses of both versions and hardware addresses.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> list[Hit]:
        return drop_covered(list(_network(text)))

    return PatternRecognizer(find)
