"""Italian words for surrogates."""

from __future__ import annotations

from ..base import LanguagePack


def make_pack() -> LanguagePack:
    """The Italian pack."""
    return LanguagePack("it", "lang/it", inside=lambda name: f"in {name}")
