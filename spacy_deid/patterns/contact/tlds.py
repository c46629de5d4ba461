"""Top-level domains of the public DNS, and which of them are also everyday words."""

from __future__ import annotations

import functools

from ..tables import word_set, words


@functools.cache
def all_tlds() -> frozenset[str]:
    """Every top-level domain without its dot, lower-case; the international ones also
    as they are written in ASCII."""
    idn = words("tld.idn")
    known = word_set("tld.country", "tld.generic", "tld.reserved", "tld.idn")
    return known | {name.encode("idna").decode("ascii") for name in idn}


@functools.cache
def strong_tlds() -> frozenset[str]:
    """Top-level domains that are neither words nor endings of files, and need no other
    evidence beside a name before them."""
    plain = word_set("tld.country", "tld.generic")
    strong = word_set("tld.strong", "tld.country") | (all_tlds() - plain)
    return strong - word_set("tld.word", "tld.file")
