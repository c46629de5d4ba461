"""Persons in English texts: plurals, glued initials, names in the order of East Asia."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...data import word_lists
from ...gazetteers.names import BITS, UNISEX, index, is_given_name, is_name
from ...text.names import NameToken, fold, name_tokens
from ..name_forms import SIBILANTS, plural_ending
from ..persons import Persons, any_of

_WORDS = word_lists("lang/en/persons")
_HONOUR = any_of(_WORDS["honour"])
_THE = re.compile(r"\bthe\s+(?:[a-z]+\s+)?$", re.I)
# Cut off a name by `read`: letters do not follow a word otherwise.
_PLURAL = re.compile(r"e?s(?![^\W_])", re.I)
_EAST = BITS["zh"] | BITS["ko"] | BITS["ja"]
_SYLLABLES = re.compile(r"[A-Z][a-z]{1,5}-[a-z]{1,5}")


class English(Persons):
    """See `Persons`."""

    unisex = UNISEX
    titles = (
        re.compile(rf"(?i)\bhis ({_HONOUR})"),
        re.compile(rf"(?i)\bher ({_HONOUR})"),
    )
    called, _words = _WORDS["nickname"], _WORDS
    coins = mixed = True

    def read(self, text: str, known: frozenset[str], before: str) -> list[NameToken]:
        tokens = name_tokens(text)
        named = [i for i, t in enumerate(tokens) if not self.is_kept(t)]
        if len(named) == 1:
            i = named[0]
            if _is_initials(tokens[i].text):
                tokens[i] = tokens[i]._replace(role="initials")
            elif tokens[i].text[-1] in "sS":
                the = text[:4].lower() == "the " or _THE.search(before) is not None
                tokens[i] = _without_plural(tokens[i], known, the)
        elif named:
            _find_initials(tokens, named)
            _cut_surname(tokens, named, text)
            if len(named) < 4 and "," not in text:
                _find_surname_first(tokens, named)
        return tokens

    def ending(self, text: str, position: int, new: str) -> tuple[str, int]:
        match = _PLURAL.match(text, position)
        if not match:
            return "", position
        ending = plural_ending(new)
        upper = match.group().isupper() and new.isupper()
        return ending.upper() if upper else ending, match.end()


def _without_plural(token: NameToken, known: frozenset[str], the: bool) -> NameToken:
    """A surname without its plural ending ("the Hendersons"); `the` if an article stands
    before it."""
    key = fold(token.text)
    if len(key) < 4 or not token.text.isalpha():
        return token
    whole = is_name(key)
    cuts = (2, 1) if key.endswith("es") and key[:-2].endswith(SIBILANTS) else (1,)
    for cut in cuts:
        stem = key[:-cut]
        # "Williams" and "Peters" are names by themselves.
        if (stem in known and (the or not whole)) or (
            the and not whole and is_name(stem)
        ):
            text, end = token.text[:-cut], token.end - cut
            return NameToken(token.start, end, text, "family")
    return token


def _find_surname_first(tokens: list[NameToken], named: Sequence[int]) -> None:
    """Give names of East Asia in their own order ("Park Min-jun") their roles."""
    known = index()
    first = tokens[named[0]].text.lower()
    if tokens[named[-1]].role != "family" or not known.family.get(first, 0) & _EAST:
        return
    rest = " ".join(tokens[i].text.lower() for i in named[1:])
    if known.family.get(rest, 0) & _EAST:
        return
    if known.given.get(rest, 0) & _EAST or _SYLLABLES.fullmatch(tokens[named[-1]].text):
        for i, role in zip(named, ("family", "given", "middle")):
            tokens[i] = tokens[i]._replace(role=role)


def _find_initials(tokens: list[NameToken], named: Sequence[int]) -> None:
    """Give initials written together ("Carter AB", "JP Carter") their role."""
    first, last = tokens[named[0]], tokens[named[-1]]
    if first.text.isupper() == last.text.isupper():
        return
    known = index()
    for i, token, other in ((named[-1], last, first), (named[0], first, last)):
        text, key = token.text, token.text.lower()
        if not (2 <= len(text) <= 3 and text.isupper() and text.isalpha()):
            continue
        behind = token is last
        if not behind and (key in known.given or key in known.rare):
            continue
        # "Mei NG" has a surname in capitals.
        if behind and key in known.family and is_given_name(other.text):
            continue
        tokens[i] = token._replace(role="initials")
        for k in named[:-1] if behind else ():
            tokens[k] = tokens[k]._replace(role="family")


def _is_initials(text: str) -> bool:
    """Whether a lone word is what somebody signs with: "KB", "jmf"."""
    one_case = text.isupper() or text.islower()
    return 2 <= len(text) <= 3 and text.isalpha() and one_case and not is_name(text)


def _cut_surname(tokens: list[NameToken], named: Sequence[int], text: str) -> None:
    """ "Sue W.": a known given name before one initial is none's surname."""
    first, last = tokens[named[0]], tokens[named[-1]]
    one = len(named) == 2 and len(last.text.strip(".")) == 1 and "," not in text
    if one and first.role == "family" and is_given_name(first.text):
        tokens[named[0]] = first._replace(role="given")
        tokens[named[-1]] = last._replace(role="family")


PERSONS = English("en")
