"""Spanish words for surrogates, and how they are put in form."""

from __future__ import annotations

from collections.abc import Iterator

from ..base import LanguagePack

_UNACCENTED = str.maketrans("áéíóú", "aeiou")


def _plurals(word: str) -> Iterator[str]:
    """Plurals of a noun or adjective: "albaneses", "iraníes"."""
    if word[-1] in "aeioué":
        yield f"{word}s"
    elif word[-1] in "íú":
        yield from (f"{word}es", f"{word}s")
    else:
        yield word.translate(_UNACCENTED) + "es"


def make_pack() -> LanguagePack:
    """The Spanish pack."""
    return LanguagePack(
        "es", "lang/es", inflect=_plurals, inside=lambda name: f"de {name}"
    )
