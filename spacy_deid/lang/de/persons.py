"""Persons in German texts: genitives, families in the plural, names of nobles."""

from __future__ import annotations

import re

from ...data import word_lists
from ...gazetteers.names import index, is_name
from ...text.folding import written_out
from ...text.names import FEMALE, JOINS, MALE, NameToken, fold, name_tokens
from ..persons import ListedPersons

_WORDS = word_lists("lang/de/persons")
# The words for men and women at the beginning of a mention, or just before it: "Mutter von
# Ben" tells nothing of Ben.
_BY_WORD = {
    gender: re.compile(
        rf"(?:\A|\b)(?:{'|'.join(_WORDS[f'titles.{of}'])})(?:\s+[^\W\d_]{{1,5}}\.)*[ \t:„\"»(]*\Z"
    )
    for gender, of in ((FEMALE, "women"), (MALE, "men"))
}
_BEGINNING = re.compile(r"\A[^\W\d_]+\.?(?=\s)")
_ARTICLE = re.compile(r"(?P<m>(?:^|[.!?:]\s+)Der|\b[Dd]e[nm])\s+$|(?P<f>\b[Dd]ie)\s+$")


class German(ListedPersons):
    """See `ListedPersons`."""

    mixed = True
    letters = "äöüß"

    def read(self, text: str, known: frozenset[str], before: str) -> list[NameToken]:
        tokens = name_tokens(text)
        if len(tokens) > 1 and fold(tokens[-1].text) in ("jun.", "sen."):
            # They would be surnames.
            end = tokens[-1]._replace(role="suffix")
            tokens = [*name_tokens(text[: end.start].rstrip()), end]
        if text[:9].lower() == "familien ":
            # "Familien Schulze und Meier"
            roles = {"given": "family", "middle": "family"}
            tokens = [t._replace(role=roles.get(t.role, t.role)) for t in tokens]
        if (
            len(tokens) == 1 and len(text) > 3 and text.isalpha()
            and text[-1] == "s" and fold(text[:-1]) in known
        ):  # fmt: skip
            # Also where "Meyers" is a name by itself.
            return [tokens[0]._replace(text=text[:-1], end=tokens[0].end - 1)]
        # The last word of a name has the ending: "Adis" in "Adis Berg" is one by itself.
        last = len(tokens) - 1
        return [
            _without_genitive(token, known)
            if i == last or fold(tokens[i + 1].text) in JOINS
            else token
            for i, token in enumerate(tokens)
        ]

    def title_gender(self, text: str, before: str) -> str:
        found = _BEGINNING.match(text)
        for place in (found[0] if found else "", before[-40:]):
            for gender, words in _BY_WORD.items():
                if place and words.search(place):
                    return gender
        return ""

    def article_gender(self, before: str) -> str:
        """ "die Anna", but "der Anna" may be a dative."""
        found = _ARTICLE.search(before)
        return {"m": MALE, "f": FEMALE}[found.lastgroup or ""] if found else ""

    def ending(self, text: str, position: int, new: str) -> tuple[str, int]:
        ending = text[position : position + 1]
        if ending not in ("s", "S"):
            return "", position
        return "’" if new[-1:].lower() in tuple("sßxz") else ending, position + 1

    def family_pool(self, particle: str) -> tuple[str, ...]:
        return _WORDS["after von"] if particle in _OF_NOBLES else ()

    def in_addresses(self, name: str) -> str:
        # No address has umlauts: "mueller" for Müller.
        return written_out(name)


_OF_NOBLES = ("von", "zu", "von und zu", "vom")


def split_genitive(word: str, known: frozenset[str]) -> tuple[str, str]:
    """A German name and its genitive ending ("Müllers" is "Müller" and "s")."""
    key = fold(word)
    # "Peters" is a name by itself, and "Kuss" has no ending.
    if len(key) < 4 or key[-1] != "s" or key[-2] in "sxz" or is_name(word):
        return word, ""
    stem = word[:-1]
    return (stem, word[-1]) if fold(stem) in known or is_name(stem) else (word, "")


def _without_genitive(token: NameToken, known: frozenset[str]) -> NameToken:
    if token.role in ("title", "suffix") or not token.text.replace("-", "").isalpha():
        return token
    # Of "Ebner-Eschenbachs" the last part has the ending.
    last = token.text.rpartition("-")[2]
    stem, ending = split_genitive(last, known)
    if token.role == "family" and fold(stem) not in known:
        # "Wiebke Tjarks" is called after some Tjark.
        ending = ending if stem.lower() in index().family else ""
    base = token.text[: len(token.text) - len(ending)]
    return token._replace(text=base, end=token.end - len(ending))


PERSONS = German("de", _WORDS)
