"""Persons in Spanish texts: two surnames, particles, given names such as María del
Carmen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...data import word_lists
from ...gazetteers.lexicon import is_vocabulary
from ...gazetteers.name_letters import role_by_letters
from ...gazetteers.names import BITS, home_names, index, is_given_name, role_at
from ...text.names import FEMALE, MALE, PARTICLES, NameToken, fold, name_tokens
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
_SURNAMES_FOLLOW = re.compile(r"\bapellidos?(?:\s[pm]aterno)?[\s.:|]*$", re.I)
_OFFICES = ("article.men", "article.women", "office.men", "office.women")
_BEFORE = {
    kind: re.compile(rf"(?<!\w)(?:{'|'.join(_WORDS[kind])})[\s.,:|«\"]+$", re.I)
    for kind in ("before.given", "before.family", *_OFFICES)
}
_CALLED = re.compile(r"\b(el|la)\s+[\"«“]?$", re.I)
# "Alonso, Sol y Fátima"
_JOINED = re.compile(r"([^\W\d_]+)(?:,|,?\s[yei])\s+$")
_AND = ("y", "i", "e")
_SAINT = re.compile(r"\b(San|Santa)\s(?=[A-ZÁÉÍÓÚÑ][a-zñ])")


class Spanish(ListedPersons):
    """See `ListedPersons`."""

    def is_kept(self, token: NameToken) -> bool:
        # "Nina" is no "niña".
        is_name = token.text in ("Nina", "NINA", "Nino", "NINO")
        return not is_name and super().is_kept(token)

    def is_called(self, text: str, before: str) -> bool:
        told = role_at(self.lang, text)
        if told != "family" and _BEFORE["before.given"].search(before[-40:]):
            return True
        joined = _JOINED.search(before[-40:])
        if joined and not told and joined[1][0].isupper():
            return role_at(self.lang, joined[1]) == "given"
        return told != "family" and super().is_called(text, before)

    def is_given(self, word: str) -> bool:
        unheard = word.isalpha() and word.lower() not in index().gender
        told = unheard and not role_at(self.lang, word, likely=True)
        role = role_by_letters(word, self.lang)[0] if told else ""
        return role == "given" if role else super().is_given(word)

    def is_short(self, word: str, of: Iterable[str]) -> bool:
        # "Tibu" of Tiburcio
        key = fold(word)
        longer = (
            name for name in of if len(name) > len(key) > 2 and name.startswith(key)
        )
        known = home_names(self.lang).written
        return key not in known and any(role_at("es", n) == "given" for n in longer)

    def is_surname(self, text: str, before: str) -> bool:
        told = role_at(self.lang, text)
        follows = _SURNAMES_FOLLOW.search(before[-40:]) or self.article_of(text, before)
        if follows or super().is_surname(text, before):
            return True
        if " " in text.strip() or told:
            return told == "family"
        return _BEFORE["before.family"].search(before[-40:]) is not None

    def article_of(self, text: str, before: str) -> str:
        article = _CALLED.search(before)
        # "la García" may be a teacher.
        told = is_vocabulary(text.lower(), self.lang) and not role_at(self.lang, text)
        return article[1].lower() if article and told else ""

    def read(self, text: str, known: frozenset[str], before: str) -> list[NameToken]:
        # "Santa Ana" is one surname.
        tokens = name_tokens(_SAINT.sub(r"\1x", text))
        marias = _short_marias(tokens)
        for i in marias:
            tokens[i] = tokens[i]._replace(role="title")
        for i, token in enumerate(tokens):
            # "Cheikh Ba" has no degree.
            if token.role == "suffix" and role_at(self.lang, token.text) == "family":
                tokens[i] = token._replace(role="family")
        roles = self._roles(text, tokens, before)
        if len(roles) == 1:
            i = next(iter(roles))
            if marias or self.is_called(tokens[i].text, text[: tokens[i].start]):
                # "Mª Jesús", "Sor Luz"
                roles[i] = "given"
        for i, token in enumerate(tokens):
            # "De" at the start stays as "de" does inside.
            small = token.text.islower() and token.text not in _AND
            other = "family" if small and not self.is_kept(token) else "title"
            tokens[i] = token._replace(role=roles.get(i, other))
        return tokens

    def _roles(
        self, text: str, tokens: Sequence[NameToken], before: str
    ) -> dict[int, str]:
        """Roles of the words that are names, by their index."""
        named = [i for i in range(len(tokens)) if self._is_named(tokens, i)]
        if len(named) < 2 or self._is_inverted(text, tokens, named):
            return {i: tokens[i].role for i in named}
        last = _count_last(tokens, named)
        count = last or _count_given(
            tokens, named, _SURNAMES_FOLLOW.search(before) is None
        )
        order = [*named[-last:], *named[:-last]] if last else named
        given = ["given", *["middle"] * (count - 1)][:count]
        return dict(zip(order, [*given, *["family"] * (len(named) - count)]))

    def _is_inverted(
        self, text: str, tokens: Sequence[NameToken], named: Sequence[int]
    ) -> bool:
        """Whether the surname stands first: "Gil, Ana", but not "Ana G."."""
        first, last = tokens[named[0]], tokens[named[-1]]
        shortened = len(last.text.strip(".")) == 1 and "," not in text
        given = shortened and self.is_given(first.text)
        return first.role == "family" and not given

    def _is_named(self, tokens: Sequence[NameToken], i: int) -> bool:
        token, key = tokens[i], fold(tokens[i].text)
        if 0 < i < len(tokens) - 1:
            # "MARÍA DE LA CRUZ Y SÁENZ", "Yassine El Haddad"
            small = key in PARTICLES and (len(key) > 1 or token.text.islower())
            upper = tokens[i - 1].text.isupper() and tokens[i + 1].text.isupper()
            joins = key in _AND and (token.text.islower() or upper)
            return not (small or joins or self.is_kept(token))
        particle = key in PARTICLES and (token.text.islower() or i < len(tokens) - 1)
        return not self.is_kept(token) and not particle

    def title_gender(self, text: str, before: str) -> str:
        if re.match(r"M\.?\s?[aª](?!\w)", text):
            # "José M.ª" is a man.
            return FEMALE
        # "al Nico" is a man by his article; "el abogado" only where no name tells.
        return super().title_gender(text, before) or _office(before, _OFFICES[:2])

    def article_gender(self, before: str) -> str:
        return _office(before, _OFFICES[2:])

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


def _office(before: str, lists: Sequence[str]) -> str:
    """Gender by a word before a name. A label of a form tells none: "Médico: Ana"."""
    words = re.split(r"[:|\n]", before[-40:])[-1]
    found = (
        sex for sex, kind in zip((MALE, FEMALE), lists) if _BEFORE[kind].search(words)
    )
    return next(found, "")


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
    if particle or not open_ or role_at("es", tokens[named[0]].text) == "family":
        return max(0, len(named) - 2)
    count = 1
    while count < len(named) - 1:
        text = tokens[named[count]].text
        initial = len(text.strip(".")) == 1
        gap = tokens[named[count]].start - tokens[named[count - 1]].end
        if not initial and (gap > 5 or not _may_be_given(text, len(named) - count)):
            break
        count += 1
    if role_at("es", tokens[named[count]].text) != "family":
        count = max(count, len(named) - 2)
    # "Ana Belén" has no surname.
    both = len(named) == 2 and _is_double(*(tokens[i].text for i in named))
    return count + (count == 1 and (both or _is_devotion(tokens, named)))


def _count_last(tokens: Sequence[NameToken], named: Sequence[int]) -> int:
    """How many given names stand behind the surnames: "Etxaniz Agirre Nagore", "Chen
    Weiguo"."""
    words = [tokens[i].text for i in named]
    if len(words) == 2 and not role_at("es", words[1]):
        known, first, last = index(), words[0].lower(), words[1].lower()
        far = known.family.get(first, 0) & BITS["zh"] and first not in known.given
        return 1 if far and last not in known.family else 0
    roles = [role_at("es", word) for word in words]
    behind = roles[0] == "family" and roles[-1] == "given"
    return 1 + (len(words) > 2 and roles[-2] == "given") if behind else 0


def _may_be_given(text: str, left: int) -> bool:
    """Whether a name is a given one where so many are left: "Rosa María Jiménez
    Rodríguez", but "Marta García Torrelles"."""
    role = role_at("es", text)
    both = not role and text.lower() in index().given
    return role == "given" or (both and left > 2 and is_given_name(text))


def _is_double(first: str, second: str) -> bool:
    """Whether two words are given names of one gender: "Juan Pedro", but "Eloy Rosa"."""
    sex = home_names("es").gender
    agree = sex.get(fold(first)) == sex.get(fold(second))
    return role_at("es", second, likely=agree) == "given"


def _is_devotion(tokens: Sequence[NameToken], named: Sequence[int]) -> bool:
    """Whether the second name of a woman is part of her given name: "María del Carmen",
    but not "Ana de la Fuente"."""
    first, second = named[0], named[1]
    particle = " ".join(fold(t.text) for t in tokens[first + 1 : second])
    pair = particle, fold(tokens[second].text)
    return pair in _PAIRS and fold(tokens[first].text) in _FIRST


PERSONS = Spanish("es", _WORDS)
