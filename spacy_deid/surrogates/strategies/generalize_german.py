"""Generalization in German: nouns that fit the article before them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...data import facts
from ...lang.base import last_word
from ...lang.inflection import Found
from ..base import Mention
from .phrases import Phrases, in_sentence

_WORDS = facts("lang/de/generalize")
_DATIVE, _ACCUSATIVE = _WORDS["dative"].split(), _WORDS["accusative"].split()
# A noun for each gender that there is one for; "p" for several.
Nouns = Mapping[str, str]

_IN_THE = re.compile(r"\b(?:in|mit|bei|von|aus|zu|nach|seit) den\s+$")
_ENDING = re.compile(r"[a-zäöüß]{2,}?(|e|er|en|em|es)")


class German(Phrases):
    """See `Phrases`."""

    def __init__(self, lang: str) -> None:
        super().__init__(lang)
        codes = {code: {"f": noun} for code, noun in self.words["codes"].items()}
        self.nouns: dict[str, Nouns] = {**self.words["nouns"], **codes}

    def _determined(self, mention: Mention) -> tuple[str, str] | None:
        """Genders that the word before a mention allows, and the case; None if it is none
        that does."""
        last = last_word(mention.before)
        if last != "der":
            genders, _, case = self._determiners.get(last, "").partition(" ")
            return (genders, case) if genders else None
        head = re.findall(r"[^\W\d_]+", mention.text)
        for gender, endings in self.words["genders"].items() if head else ():
            if re.search(f"(?:{endings})$", head[-1], re.I):
                return gender, "dat" if gender == "f" else ""
        before = re.sub(r"\S+\s+$", "", mention.before)
        prior = re.search(r"([^\W\d_]+)\s+$", before)
        # "bei der Post", "die Leiterin der Post".
        after = prior is not None and (prior[1] in _DATIVE or prior[1][:1].isupper())
        return ("f", "dat") if after else ("m", "")

    def noun(self, name: str, mention: Mention, rest: str = "") -> str:
        return self._noun(self.nouns[name], mention, f" {rest}".rstrip())

    def _noun(
        self, nouns: Nouns, mention: Mention, rest: str = "", bare: bool = False
    ) -> str:
        """A noun with its article, or one that fits the word before; "" if none does."""
        found = self._determined(mention)
        last = last_word(mention.before)
        if found is None:
            gender, noun = next(iter(nouns.items()))
            case = "dat" if last in _DATIVE else "acc" if last in _ACCUSATIVE else ""
            if not bare:
                if noun[:1].islower() and case == "dat":
                    adjective, _, tail = noun.partition(" ")
                    noun = f"{adjective}n {tail}"
                noun = f"{self.words['articles'][case][gender]} {noun}"
            return in_sentence(noun + rest, mention)
        genders, case = found
        if last == "den" and _IN_THE.search(mention.before):
            genders = "p"
        for gender, noun in nouns.items():
            if gender in genders:
                return _declined(noun, gender, genders, case) + rest
        return ""

    def says_where(self, rest: str, mention: Mention) -> bool:
        # "in der Nation", not "in der Nation in Europa".
        return self._determined(mention) is None and super().says_where(rest, mention)

    def age(self, mention: Mention) -> Iterator[str]:
        ending = re.search(r"jährig(\w*)$", mention.text)
        if ending is None:
            yield from super().age(mention)
            return
        age = self.age_of(mention)
        stem = "minderjährig" if age is not None and age < 18 else "erwachsen"
        yield stem + ending[1]
        yield from self.behind("some_age", mention)

    def declined(self, cells: Iterable[str], keys: Sequence[str]) -> Iterator[str]:
        return (cell + keys[0].strip("-") for cell in cells)

    def attribute(
        self, mention: Mention, found: Found | None, subtype: str, keys: Sequence[str]
    ) -> Iterator[str]:
        text = mention.text
        many = bool(set(keys) & {"pl", "n", "innen", "dat"})
        if found is not None and found.lexeme.row in ("man", "woman"):
            subtype = "NATIONALITY"
            yield from self._foreigner(found, mention, many)
        yield from self._attribute(subtype, mention, keys, many)
        if text[:1].isupper():
            yield self.noun("person" if found or subtype else "detail", mention)
            yield self.noun("person", mention)
            return
        if re.match(r"\s+[A-ZÄÖÜ]", mention.after):
            # An adjective before its noun.
            match = _ENDING.fullmatch(text.rpartition(" ")[2])
            yield self.words["certain"] + (match[1] if match else "")
        yield "in bestimmter Lage"

    def _foreigner(self, found: Found, mention: Mention, many: bool) -> Iterator[str]:
        foreign = found.lexeme.home != self.pack.home
        if foreign and found.lexeme.row == "woman":
            one = self._noun(self.nouns["foreigner"], mention, bare=True)
            yield "Ausländerinnen" if many else one
        elif foreign:
            yield "Ausländer" + "n" * (many and found.keys[0] == "dat")

    def _attribute(
        self, subtype: str, mention: Mention, keys: Sequence[str], many: bool
    ) -> Iterator[str]:
        text = mention.text
        if subtype == "OCCUPATION" and not text[:1].islower():
            if many:
                yield "Fachleute"
            rest = " im Gesundheitswesen" if self.is_about("health", text) else ""
            force = "teacher" if self.is_about("teaching", text) else "worker"
            yield self._noun(self.nouns[force], mention, rest, bare=True)
        elif subtype in ("DISEASE", "LANGUAGE"):
            yield self.noun(subtype.lower(), mention)
        elif subtype == "FAMILY":
            named = text[:1].isupper()
            yield self._relative(mention) if named else "in bestimmtem Familienstand"
        elif subtype == "RELIGION" and text[:1].islower():
            yield "gläubig" + (keys[0].strip("-") if keys else "")
        elif subtype == "RELIGION" and many:
            yield "Gläubige" + "n" * (keys[0] in ("dat", "en"))

    def _relative(self, mention: Mention) -> str:
        """ "seine Angehörige", "sein Angehöriger", "dem Angehörigen"."""
        found = self._determined(mention)
        last = last_word(mention.before)
        female = re.search(self.words["women"], mention.text, re.I) is not None
        if found is None:
            return "Angehörige" if female else "Angehöriger"
        if found[1]:
            return "Angehörigen"
        strong = not female and last not in ("der", "dieser", "jener", "jeder")
        return "Angehöriger" if strong else "Angehörige"


def _declined(noun: str, gender: str, genders: str, case: str) -> str:
    """A noun behind its article."""
    if noun == "Mensch" and case:
        return f"{noun}en"
    if case == "gen":
        return noun + ("es" if len(noun) < 5 else "s")
    plural = gender == "p" and genders == "p" and noun[-1] != "n"
    return f"{noun}n" if plural else noun
