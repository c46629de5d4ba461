"""Scripts: which one a text is written in, and names of others in Latin letters."""

from __future__ import annotations

import unicodedata

_CYRILLIC = "а б в г д е ё ж з и й к л м н о п р с т у ф х ц ч ш щ ъ ы ь э ю я і ї є ґ"
_GREEK = "α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π ρ σ τ υ φ χ ψ ω ς ά έ ή ί ό ύ ώ ϊ ϋ ΐ ΰ"
# BGN/PCGN without its signs for what is soft or hard.
_CYRILLIC_LATIN = "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch ' y ' e yu ya i yi ye g"
# ELOT 743, shortened.
_GREEK_LATIN = (
    "a v g d e z i th i k l m n x o p r s t y f ch ps o s a e i i o y o i y i y"
)
_ROMAN = str.maketrans(
    dict(
        zip(
            f"{_CYRILLIC} {_GREEK}".split(), f"{_CYRILLIC_LATIN} {_GREEK_LATIN}".split()
        )
    )
)
_GREEK_PAIRS = (("ου", "ou"), ("ού", "ou"), ("αυ", "av"), ("ευ", "ef"), ("μπ", "b"))


def script_of(text: str) -> str:
    """Script of the first letter: LATIN, CYRILLIC, CJK ...; "" if there is no letter."""
    letter = next(filter(str.isalpha, text), "")
    return unicodedata.name(letter, "").partition(" ")[0] if letter else ""


def romanise(name: str) -> str:
    """A Cyrillic or Greek name in Latin letters."""
    name = unicodedata.normalize("NFC", name.lower())
    for pair, latin in _GREEK_PAIRS:
        name = name.replace(pair, latin)
    return name.translate(_ROMAN).replace("'", "").capitalize()
