"""Addresses of machines: IPv4, IPv6, MAC."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from ...registries import registry
from ...text.words import before
from ..base import Hit, Recognizer, drop_covered, has_digits, hit, remembered
from ..separated import SeparatingRecognizer
from ..tables import word_set
from ..words import words_before

_IPV4 = re.compile(
    r"[0-9](?<![\w][0-9])(?<![0-9][.][0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}"
    r"(?![0-9]|\.[0-9]|-[0-9]{1,2}(?![0-9.])|[^\W_])(?:/[0-9]{1,2}(?![0-9./]))?"
)
_DASHED = re.compile(r"[0-9]-\Z")
_IPV6 = re.compile(
    r"[0-9A-Fa-f:](?<![\w:.][0-9A-Fa-f:])[0-9A-Fa-f:]{1,44}"
    r"(?:[0-9]{0,3}(?<=[0-9])(?:\.[0-9]{1,3}){3})?(?![\w:])"
    r"(?P<zone>%[\w.-]{0,24}\w)?(?P<net>/[0-9]{1,3}(?![0-9/]))?"
)
# Eight groups, or fewer with one gap; the last two may be an IPv4 address.
_SHAPE6 = re.compile(
    r"(?=[0-9A-Fa-f:.]{2,45}\Z)(?:"
    r"(?:[0-9A-Fa-f]{1,4}:){6}(?:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}|[0-9.]{7,15})"
    r"|(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})?::"
    r"(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,5}(?::[0-9.]{7,15})?|[0-9.]{7,15})?)\Z"
)
_MAC = re.compile(
    r"[0-9A-Fa-f](?<![\w:.-][0-9A-Fa-f])[0-9A-Fa-f]"
    r"(?:(?P<sep>[:-])[0-9A-Fa-f]{2}(?:(?P=sep)[0-9A-Fa-f]{2}){4}"
    r"(?:(?P=sep)[0-9A-Fa-f]{2}(?P=sep)[0-9A-Fa-f]{2})?"
    r"|[0-9A-Fa-f]{2}(?P<four>[.-])[0-9A-Fa-f]{4}(?P=four)[0-9A-Fa-f]{4}"
    r"(?:(?P=four)[0-9A-Fa-f]{4})?"
    r"|[0-9A-Fa-f]{4}(?P<half>[-:])[0-9A-Fa-f]{6}"
    r"|(?P<plain>[0-9A-Fa-f]{10}(?:[0-9A-Fa-f]{4})?))(?![\w:-]|\.[0-9A-Fa-f])"
)
_IP_WORDS = word_set("ip.words")
_MAC_WORD = re.compile(
    r"\b(?:mac|ethernet|ether|hwaddr|bssid|hardware\saddress|physical\saddress|eui"
    r"|wi-?fi|bluetooth|lladdr)\b[^\n]{0,16}\Z"
)
# What four small numbers count instead: versions of programs, sections of texts.
_VERSION_WORDS = word_set("ip.version_words")
_SECTION_WORDS = word_set("ip.section_words")
_LINKS = word_set("ip.links")
_GLUED = re.compile(r"(?:\bv|[a-z]{2,}[/_-]v?)\Z", re.I)
# "7.5.2.8-rc1"
_SUFFIX = re.compile(r"[-_+][A-Za-z]")
_PORT = re.compile(r":[0-9]{2,5}(?![0-9])|/[0-9]")
_LONG_PORT = re.compile(r":[1-6][0-9]{4}\Z")
_HEADING = re.compile(r"\.?\s{1,4}[A-Z(\"']")


def _ipv4(text: str) -> Iterator[Hit]:
    last = -1
    for m in _IPV4.finditer(text):
        # "10.0.0.1-10.0.0.9" is a range, "2-1.2.3.4" is not.
        if _DASHED.search(text, max(0, m.start() - 2), m.start()) and (
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
            yield hit(m.start(), end, "CODE", "IP", score, reason=reason)


def _judge_ipv4(text: str, start: int, end: int, parts: list[int]) -> tuple[float, str]:
    words = words_before(text, start)
    if text[start - 1 : start] in ("§", "#") or _GLUED.search(
        text, max(0, start - 6), start
    ):
        return 0.0, ""
    heads = [w for w in words if w not in _LINKS][:1]
    if not _IP_WORDS.isdisjoint(words) and not _VERSION_WORDS.intersection(heads):
        return 0.98, "valid IPv4 address; after a word for machines"
    if heads and (heads[0] in _VERSION_WORDS or heads[0] in _SECTION_WORDS):
        return 0.0, ""
    # "1.2.3.4 Scope" at the start of a line is a heading.
    small = max(parts) <= 30
    line = text[max(0, start - 32) : start].rpartition("\n")[2]
    if small and not line.strip() and _HEADING.match(text, end):
        return 0.0, ""
    if _SUFFIX.match(text, end):
        return 0.0, ""
    # Four figures count versions, unless they are a well-known resolver.
    if max(parts) < 10 and len(set(parts)) > 1 and not _PORT.match(text, end):
        return 0.0, ""
    return 0.93, "valid IPv4 address"


def _ipv6(text: str) -> Iterator[Hit]:
    for m in _IPV6.finditer(text):
        value = m[0].partition("%")[0].partition("/")[0]
        if value.count(":") < 2:
            continue
        start, end = m.span()
        nine = value.count(":") == 8 and "::" not in value
        if end == start + len(value) and (nine or _LONG_PORT.search(value)):
            # The last group is a port.
            value, _, port = value.rpartition(":")
            end -= len(port) + 1
        # The colon of the sentence around it.
        if value[0] == ":" and not value.startswith("::"):
            value, start = value[1:], start + 1
        if value[-1] == ":" and not value.endswith("::"):
            if m["zone"] or m["net"]:
                continue
            value, end = value[:-1], end - 1
        if not _SHAPE6.match(value) or not _is_ipv6(value):
            continue
        if m["net"] and int(m["net"][1:]) > 128:
            end -= len(m["net"])
        named = not _IP_WORDS.isdisjoint(words_before(text, start))
        if named or m["net"] or m["zone"] or _enough6(value):
            reason = "valid IPv6 address"
            reason += "; after a word for machines" if named else ""
            yield hit(start, end, "CODE", "IP", 0.96, reason=reason)


def _enough6(value: str) -> bool:
    """Whether a valid address can't be a piece of a program or a time."""
    left, gap, right = value.partition("::")
    if not gap:
        # Eight pairs are a hardware address.
        return any(len(group) != 2 for group in value.split(":"))
    if not any(c.isalnum() for c in value):
        return False
    if not left:
        # "x[1:9, ::2]" is a slice; the loop-back address is likelier than others.
        return right == "1" or len(right) > 3
    groups = left.split(":") + (right.split(":") if right else [])
    if not any(c.isdigit() for c in value):
        return len(groups) > 3 or left.lower() in ("fe80", "fc", "fd")
    if not right:
        return len(left) > 3
    return len(value) >= 6


@remembered
def _is_ipv6(value: str) -> bool:
    """Whether a string is an address."""
    try:
        ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return True


def _macs(text: str) -> Iterator[Hit]:
    for m in _MAC.finditer(text):
        named = bool(_MAC_WORD.search(before(text, m.start(), 36)))
        value = m[0]
        letters = any(c.isalpha() for c in value)
        if (m["plain"] or m["half"]) and not named:
            continue
        if m["four"] and not ((letters and any(c.isdigit() for c in value)) or named):
            continue
        note = "; after a word for network hardware" if named else ""
        length = sum(c.isalnum() for c in value)
        kind = "64" if length == 16 else "48"
        score = 0.98 if named else 0.95 if letters or ":" in value else 0.75
        reason = f"form of a hardware address of {kind} bits{note}"
        yield hit(m.start(), m.end(), "CODE", "MAC", score, reason=reason)


def find_addresses(text: str) -> Iterator[Hit]:
    """Find IP and hardware addresses."""
    if has_digits(text):
        if text.count(".") > 2:
            yield from _ipv4(text)
        yield from _macs(text)
    if text.count(":") > 1:
        yield from _ipv6(text)


@registry.deid_patterns("spacy_deid.network_patterns.v1")
def make_network_patterns() -> Recognizer:
    """IP addresses of both versions and hardware addresses.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return SeparatingRecognizer(lambda text: drop_covered(list(find_addresses(text))))
