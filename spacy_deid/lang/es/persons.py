"""Persons in Spanish texts: two surnames, particles, given names such as María del
Carmen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ...data import word_lists
from ...gazetteers.names import BITS, index, is_given_name, lists, lists_of
from ...text.names import FEMALE, PARTICLES, NameToken, fold, name_tokens
from ..persons import ListedPersons

_WORDS = word_lists("lang/es/persons")
# Given names after "María", by their particle; and what begins such names in their
# stead: "Rosa del Pilar".
DEVOTIONS = {
    name.partition(" ")[2]: words
    for name, words in _WORDS.items()
    if name.startswith("devotion ")
}
_PAIRS = frozenset((p, fold(name)) for p, row in DEVOTIONS.items() for name in row)
_FIRST = frozenset(map(fold, _WORDS["devout.women"]))
# "M.ª José", "Mª Carmen": short for María.
_MARIA = re.compile("M\\.?[aª]\\.?")
_SURNAMES_FOLLOW = re.compile(r"\bapellidos?\s*:?\s*$", re.I)


class Spanish(ListedPersons):
    """See `ListedPersons`."""

    def read(self, text: str, known: frozenset[str], before: str) -> list[NameToken]:
        tokens = name_tokens(text)
        for i in _short_marias(tokens):
            tokens[i] = tokens[i]._replace(role="title")
        named = [i for i, token in enumerate(tokens) if self._is_named(tokens, i)]
        roles = {i: tokens[i].role for i in named}
        if len(named) > 1 and tokens[named[0]].role != "family":
            count = _count_given(tokens, named, _SURNAMES_FOLLOW.search(before) is None)
            for n, i in enumerate(named):
                roles[i] = "family" if n >= count else "middle" if n else "given"
        for i, token in enumerate(tokens):
            # "De" at the start stays as "de" does inside.
            is_word = self.is_kept(token) or not token.text.islower()
            role = roles.get(i, "title" if is_word else "family")
            tokens[i] = token._replace(role=role)
        return tokens

    def _is_named(self, tokens: Sequence[NameToken], i: int) -> bool:
        token = tokens[i]
        particle = fold(token.text) in PARTICLES and (
            token.text.islower() or (i == 0 and len(tokens) > 1)
        )
        return not self.is_kept(token) and not particle

    def title_gender(self, text: str, before: str) -> str:
        if re.match(r"M\.?\s?[aª](?!\w)", text):
            # "José M.ª" is a man.
            return FEMALE
        return super().title_gender(text, before)

    def given_pool(
        self, token: str, particles: dict[str, str], words: frozenset[str], gender: str
    ) -> Sequence[str]:
        particle = particles.get(token, "")
        if gender != FEMALE:
            # "José de Jesús", "Francisco de Paula"
            return _WORDS["devout.men"] if particle == "de" else ()
        if (particle, token) in _PAIRS:
            return DEVOTIONS[particle]
        devout = any((p, t) in _PAIRS for t, p in particles.items())
        return _WORDS["devout.women"] if devout and not particle else ()

    def spelt_out(self, text: str) -> str:
        # "Fco." is short for Francisco; the new name is written out.
        return text[:-1] if re.fullmatch(r"[^\W\d_]{2,5}\.", text) else text


def _short_marias(tokens: Sequence[NameToken]) -> list[int]:
    """Which words are "M.ª", in one or in two pieces."""
    found: list[int] = []
    for i, token in enumerate(tokens):
        if _MARIA.fullmatch(token.text):
            found.append(i)
        elif len(token.text) < 3 and _MARIA.fullmatch(
            token.text + "".join(t.text for t in tokens[i + 1 : i + 2])
        ):
            found += [i, i + 1]
    return found


def _count_given(tokens: Sequence[NameToken], named: Sequence[int], open_: bool) -> int:
    """How many names come before one or two surnames: "María García López"."""
    particle = named[0] and fold(tokens[0].text) in PARTICLES
    first = fold(tokens[named[0]].text)
    if particle or not open_ or first in _surnames():
        return max(0, len(named) - 2)
    count = 1
    while count < len(named) - 1:
        text = tokens[named[count]].text
        initial = len(text.strip(".")) == 1
        gap = tokens[named[count]].start - tokens[named[count - 1]].end
        if not initial and (gap > 5 or not _may_be_given(text, len(named) - count)):
            break
        count += 1
    count = max(count, len(named) - 2)
    # "Ana Belén" has no surname.
    both = len(named) == 2 and _may_be_given(tokens[named[1]].text, 1)
    return count + (count == 1 and (both or _is_devotion(tokens, named)))


def _may_be_given(text: str, left: int) -> bool:
    """Whether a name is a given one where so many are left: "Rosa María Jiménez
    Rodríguez", but "Marta García Torrelles"."""
    key, known, spanish = text.lower(), index(), BITS["es"]
    given = known.given.get(key, 0) & spanish or key in known.rare
    sure = given and not known.family.get(key, 0) & spanish and is_given_name(text)
    return bool(sure if left <= 2 else given)


def _is_devotion(tokens: Sequence[NameToken], named: Sequence[int]) -> bool:
    """Whether the second name of a woman is part of her given name: "María del Carmen",
    but not "Ana de la Fuente"."""
    first, second = named[0], named[1]
    particle = " ".join(fold(t.text) for t in tokens[first + 1 : second])
    pair = particle, fold(tokens[second].text)
    return pair in _PAIRS and fold(tokens[first].text) in _FIRST


@cache
def _surnames() -> frozenset[str]:
    """Surnames that are no given names, folded."""
    found = (lists("es"), lists_of("es_ES"), lists_of("es_MX"))
    given = {fold(n) for part in found for n in (*part.male, *part.female)}
    return frozenset(fold(n) for part in found for n in part.family) - given


PERSONS = Spanish("es", _WORDS)
