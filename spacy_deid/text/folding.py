"""Normal forms of text: case, diacritics and typographic variants removed."""

from __future__ import annotations

import re
import unicodedata
from itertools import filterfalse

from ..data import facts

DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
APOSTROPHES = frozenset("\u2018\u2019\u201b\u02bc\u02b9\u00b4\u0060\uff07\u2032")
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"
# Letters that no decomposition takes apart.
_WHOLE_LETTERS = dict(
    zip("øØłŁđĐħĦıŧŦŋŊðÐəƏæÆœŒþÞ", [*"oOlLdDhHitTnNdDeE", *"ae AE oe OE th Th".split()])
)
_PLAIN = dict.fromkeys(DASHES, "-") | dict.fromkeys(APOSTROPHES, "'") | _WHOLE_LETTERS
_UNSEEN = str.maketrans("", "", _INVISIBLE)
_TRANSLATE = str.maketrans(_PLAIN) | _UNSEEN
_DIGRAPHS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"}
_UMLAUT = re.compile("[äöüøåæ]", re.IGNORECASE)
# Signs that tell amounts apart.
_KEPT_SIGNS = frozenset("%‰$€£¥₺₽₹§")
_POSSESSIVE = frozenset("'\u2019\u02bc\uff07`\u00b4")


def without_invisible(text: str) -> str:
    """A text without the characters that nobody sees: soft hyphens, joiners, marks of
    direction."""
    return text if text.isascii() else text.translate(_UNSEEN)


def fold(text: str) -> str:
    """Case, diacritics and typographic variants removed; words and punctuation stay.

    text (str): Any text.
    RETURNS (str): For example "Müller’s  İzmir" gives "muller's izmir".
    """
    if text.isascii():
        text = text.lower()
        return text if text.isalnum() else " ".join(text.split())
    # Dotted I casefolds to two characters, so marks go after folding.
    text = unicodedata.normalize("NFKC", text).translate(_TRANSLATE).casefold()
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(filterfalse(unicodedata.combining, plain))
        if not text.isascii():
            text = text.translate(_TRANSLATE).casefold()
    return " ".join(text.split())


def strip_possessive(text: str) -> str:
    """Remove a possessive ending: "Murray's", "Murray’s", "Williams'"."""
    stripped = text.rstrip()
    if stripped[-1:] in _POSSESSIVE:
        return stripped[:-1] or stripped
    if stripped[-2:-1] in _POSSESSIVE and stripped[-1] in "sS":
        return stripped[:-2] or stripped
    return stripped


def normalise(text: str) -> str:
    """The form under which equal names are equal: folded, without possessive, with
    hyphens and punctuation as spaces and without a leading article.

    text (str): A span's text, line breaks included.
    RETURNS (str): For example "the MÜLLER-Meier’s" gives "muller meier". Empty if
        there is neither letter nor digit.
    """
    folded = strip_possessive(fold(text).strip(" .,;:"))
    if folded.isalnum():
        return folded
    out = []
    for i, ch in enumerate(folded):
        if ch.isalnum() or ch in _KEPT_SIGNS:
            out.append(ch if ch.isalnum() else f" {ch} ")
        elif ch != "'" and (ch != "." or folded[i + 1 : i + 2].isdigit()):
            out.append(" ")
    parts = "".join(out).split()
    if len(parts) > 1 and parts[0] == "the":
        del parts[0]
    return " ".join(parts)


def acronym(text: str) -> str:
    """Initials of the capitalised words of a name: "ECHR" for "European Court of Human
    Rights"."""
    words = re.split(r"[\s\-/]+", text.translate(_TRANSLATE))
    return "".join(word[0] for word in words if word[:1].isupper()).upper()


def written_out(text: str) -> str:
    """A text without umlauts: "Krueger" for "Krüger", "AARHUS" for "ÅRHUS"."""

    def digraph(match: re.Match[str]) -> str:
        letter = match.group()
        two = _DIGRAPHS[letter.lower()]
        if letter.islower():
            return two
        near = text[max(0, match.start() - 1) : match.end() + 1]
        return two.upper() if len(near) > 1 and near.isupper() else two.capitalize()

    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    return _UMLAUT.sub(digraph, text)


_FILE_NAME = re.compile(
    rf"[\w()+~-][\w() .+~-]*(\.(?:{'|'.join(facts('code_words')['files'].split())}))",
    re.I,
)


def file_ending(text: str) -> str:
    """What the name of a file ends with, which tells its kind (".pdf"); "" for all else."""
    match = _FILE_NAME.fullmatch(text)
    return match[1] if match else ""
