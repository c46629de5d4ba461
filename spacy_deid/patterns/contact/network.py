"""Addresses of machines: IPv4, IPv6, MAC."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from ...registries import registry
from ..base import Hit, Recognizer, Text
from ..separated import SeparatingRecognizer
from ..tables import Forms, word_set
from ..words import words_before
from .forms import P

_IP_WORDS = word_set("ip.words")
_VERSION_WORDS = word_set("ip.version_words")
_SECTION_WORDS = word_set("ip.section_words")
_LINKS = word_set("ip.links")


def _ipv4(text: str) -> Iterator[Hit]:
    last = -1
    for m in P.ip_v4.finditer(text):
        # "10.0.0.1-10.0.0.9" is a range, "2-1.2.3.4" is not.
        if P.ip_dashed.search(text, max(0, m.start() - 2), m.start()) and (
            last != m.start() - 1
        ):
            continue
        value, slash, net = m[0].partition("/")
        parts = value.split(".")
        # Some logs pad all parts to three digits.
        padded = all(len(part) == 3 for part in parts)
        if any(int(p) > 255 or (p[0] == "0" < p[1:] and not padded) for p in parts):
            continue
        end = m.end()
        if slash and int(net) > 32:
            end -= len(net) + 1
        score, reason = _judge_ipv4(text, m.start(), end, [int(p) for p in parts])
        if score >= 0.5:
            last = end
            yield P.hit(m.start(), end, "IP", score, reason)


def _judge_ipv4(text: str, start: int, end: int, parts: list[int]) -> tuple[float, str]:
    words = words_before(text, start)
    heads = {next((w for w in words if w not in _LINKS), "")}
    if P.ip_glued.search(text, max(0, start - 6), start):
        return 0.0, ""
    if not _IP_WORDS.isdisjoint(words) and _VERSION_WORDS.isdisjoint(heads):
        return 0.98, "valid IPv4 address; after a word for machines"
    # "1.2.3.4 Scope" at the start of a line is a heading.
    line = text[max(0, start - 32) : start].rpartition("\n")[2]
    heading = max(parts) <= 30 and not line.strip() and P.ip_heading.match(text, end)
    # Four figures count versions, unless they are a well-known resolver.
    few = max(parts) < 10 and len(set(parts)) > 1 and not P.ip_port.match(text, end)
    other = not (_VERSION_WORDS | _SECTION_WORDS).isdisjoint(heads)
    if other or heading or few or P.ip_suffix.match(text, end):
        return 0.0, ""
    return 0.93, "valid IPv4 address"


def _ipv6(text: str) -> Iterator[Hit]:
    for m in P.ip_v6.finditer(text):
        found = m["value"]
        # Colons of the sentence around it, and a port after the last group.
        forms = (found, found.rstrip(":"), found.lstrip(":"), found.rpartition(":")[0])
        value = next((f for f in forms if f.count(":") > 1 and _is_ipv6(f)), "")
        if not value:
            continue
        start = m.start() + found.index(value)
        whole = value == found and int((m["net"] or "/0")[1:]) <= 128
        end = m.end() if whole else start + len(value)
        named = not _IP_WORDS.isdisjoint(words_before(text, start))
        if named or m["net"] or m["zone"] or _enough6(value):
            reason = "valid IPv6 address"
            reason += "; after a word for machines" if named else ""
            yield P.hit(start, end, "IP", 0.96, reason)


def _enough6(value: str) -> bool:
    """Whether a valid address can't be a piece of a program or a time."""
    left, gap, right = value.partition("::")
    if not gap:
        # Eight pairs are a hardware address.
        return any(len(group) != 2 for group in value.split(":"))
    if not left:
        # "x[1:9, ::2]" is a slice; the loop-back address is likelier than others.
        return right == "1" or len(right) > 3
    if not right:
        return len(left) > 3
    return len(value) >= 6 and (any(map(str.isdigit, value)) or value.count(":") > 4)


def _is_ipv6(value: str) -> bool:
    """Whether a string is an address."""
    try:
        ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return True


_MACS = Forms("network")


def find_addresses(text: Text) -> Iterator[Hit]:
    """Find IP and hardware addresses."""
    if text.has_digits:
        if text.count(".") > 2:
            yield from _ipv4(text)
        yield from _MACS(text)
    if text.count(":") > 1:
        yield from _ipv6(text)


@registry.deid_patterns("spacy_deid.network_patterns.v1")
def make_network_patterns() -> Recognizer:
    """IP addresses of both versions and hardware addresses.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return SeparatingRecognizer(find_addresses)
