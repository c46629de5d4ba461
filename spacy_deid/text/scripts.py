"""Scripts: which one a text is written in, and names of others in Latin letters."""

from __future__ import annotations

import unicodedata

from ..data import table

_LATIN = {row["letters"]: row["latin"] for row in table("names/romanised")}
_SINGLE = str.maketrans({old: new for old, new in _LATIN.items() if len(old) == 1})


def script_of(text: str) -> str:
    """Script of the first letter: LATIN, CYRILLIC, CJK ...; "" if there is no letter."""
    letter = next(filter(str.isalpha, text), "")
    return unicodedata.name(letter, "").partition(" ")[0] if letter else ""


def romanise(name: str) -> str:
    """A Cyrillic or Greek name in Latin letters."""
    name = unicodedata.normalize("NFC", name.lower())
    for pair in (letters for letters in _LATIN if len(letters) > 1):
        name = name.replace(pair, _LATIN[pair])
    return name.translate(_SINGLE).replace("'", "").capitalize()
