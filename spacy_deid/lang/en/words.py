"""English, whose surrogate generators have lists of their own."""

from __future__ import annotations

from ..base import LanguagePack


def make_pack() -> LanguagePack:
    """The English pack."""
    return LanguagePack("en", "lang/en", inside="in {}".format, a_or_an=True)
