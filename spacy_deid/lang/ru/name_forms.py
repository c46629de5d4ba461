"""The cases under which a masked Russian name may stand elsewhere in the text.

Surnames and patronymics are declined by their endings alone; everything else by
pymorphy3 (extra `russian`) if it is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

from ...schema import StrategyError
from ...text.case import match_case
from ..inflection import key_of
from ..name_forms import NameForms
from .forms import (
    CASES,
    GRAMMAR,
    adjective_lexeme,
    agreeing,
    capital,
    governed,
    latin_key,
    narrowed,
    parses,
)
from .persons import CYRILLIC, TITLES

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Patterns of one declension, its nominative first, and all its endings.
_ENDINGS = tuple(
    (re.compile(rf"({stem})({'|'.join(ends.split())}|)"), ("", *ends.split()))
    for stem, ends in GRAMMAR["declined"]
)
_OF_PERSONS = ("Surn", "Name", "Patr")
_PROPER = frozenset((*_OF_PERSONS, "Geox", "Orgn", "Trad", "Abbr", "Poss"))
# Acronyms are not declined.
_MAX_ACRONYM = 6
_MAX_WORDS = 12


@lru_cache(maxsize=4096)
def _parses(word: str) -> Sequence[Any]:
    """What the dictionary takes a word for; nothing if there is no dictionary."""
    try:
        return parses(word)
    except StrategyError:
        return ()


def _adjective(word: str, kinds: Sequence[str] = ("ADJF",)) -> Any:
    """A word as the dictionary reads it first, if that is an adjective."""
    first = next(iter(_parses(word)), None)
    return first if first and first.tag.grammemes & {*kinds} else None


@lru_cache(maxsize=4096)
def _word_forms(word: str) -> frozenset[str]:
    """All forms of one word of a person's name, for both sexes and the family."""
    low = word.lower()
    if not CYRILLIC.search(low) or len(low) < 2:
        return frozenset()
    matches = ((pattern.fullmatch(low), endings) for pattern, endings in _ENDINGS)
    # "Лин" is no stem in "ов", and the dictionary knows short words.
    out = {m[1] + end for m, ends in matches if m and len(m[1]) > 3 for end in ends}
    found = [p for p in _parses(low) if any(kind in p.tag for kind in _OF_PERSONS)]
    # "Сидоров" is hardly "of several Sidors".
    single = [p for p in found if not ("Name" in p.tag and "plur" in p.tag)]
    out.update(form.word for parse in single or found for form in parse.lexeme)
    return frozenset(out or _forms_by_end(low))


def _forms_by_end(word: str) -> Iterator[str]:
    """Forms of a name that no dictionary knows."""
    for end, cut, endings in GRAMMAR["by_end"]:
        if re.search(f"{end}$", word):
            yield from (word[: len(word) - cut] + new for new in endings.split(" "))


@lru_cache(maxsize=1024)
def _phrase_forms(text: str, lower: bool = False) -> Mapping[str, str]:
    """A name of one or several words in all cases: what stands before its head agrees,
    what follows stays ("Нижнего Новгорода", "Банка России")."""
    acronym = text.isupper() and len(text) <= _MAX_ACRONYM
    if acronym or not CYRILLIC.search(text) or (text.islower() and not lower):
        return {}
    places = [match.span() for match in _WORD.finditer(text)]
    if not places or len(places) > _MAX_WORDS:
        return {}
    words = [text[a:b].lower() for a, b in places]
    if lower and len(words) == 1 and (found := _adjective(words[0])):
        return _alone(text, *places[0], found)
    out: dict[str, str] = {}
    for case, made_forms in _declined(words):
        made = text
        for (a, b), form in zip(reversed(places), reversed(made_forms)):
            made = made[:a] + capital(form, text[a:b]) + made[b:]
        out.setdefault(case, made)
    return out


def _alone(text: str, start: int, end: int, adjective: Any) -> Mapping[str, str]:
    """The forms of a text with one adjective: "62-летняя" is more than that."""
    forms = adjective_lexeme(adjective, text[start:end])
    return {case: text[:start] + form + text[end:] for case, form in forms.items()}


def _name_in(case: str, sex: str, word: str) -> str:
    """One word of a person's name, given in the nominative, in a case."""
    for kind in ("Name", "Surn"):
        wanted = {sex, kind}
        for parse in _parses(word.lower()):
            if "nomn" in parse.tag and "sing" in parse.tag and wanted in parse.tag:
                made = parse.inflect({case, "sing"} | wanted)
                return capital(made.word, word) if made else word
    return word


def _fitting(text: str, of: str) -> list[str]:
    """Cases in which a text is a form of another one."""
    key, forms = key_of(text), _phrase_forms(of, lower=True)
    return [case for case, form in forms.items() if key_of(form) == key]


def _cases_of(text: str, before: str, person: bool) -> tuple[str, ...]:
    """Cases in which a text may stand, the likelier first."""
    cases = [] if person else _fitting(text, text)
    for word in reversed(_WORD.findall(text)) if person else ():
        found = [p for p in _parses(word.lower()) if p.tag.case in CASES]
        named = [p for p in found if any(kind in p.tag for kind in _OF_PERSONS)]
        these = [str(p.tag.case) for p in named]
        cases = [c for c in these if c in cases] or cases or these
    return narrowed(tuple(dict.fromkeys(cases)), governed(before))


def _declined(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Cases and the words in them, as far as they agree with the first noun."""
    kinds = ("ADJF", "PRTF")
    adjectives = [*takewhile(bool, (_adjective(word, kinds) for word in words[:-1]))]
    i = len(adjectives)
    nouns: dict[tuple[str, str], Any] = {}
    for parse in _parses(words[i]):
        if "NOUN" in parse.tag:
            nouns.setdefault((parse.normal_form, str(parse.tag.number)), parse)
    for n, noun in enumerate(nouns.values()):
        again = f"{n} " if n else ""
        for case in CASES:
            head = noun.inflect({case, noun.tag.number})
            if head is None:
                continue
            for animacy in ("inan", "anim") if case == "accs" else ("",):
                before = [
                    agreeing(adjective, noun.tag, case, animacy) or old
                    for old, adjective in zip(words, adjectives)
                ]
                name = f"{again}{case} {animacy}" if animacy == "anim" else again + case
                yield name, [*before, head.word, *words[i + 1 :]]


class Russian(NameForms):
    """See `NameForms`."""

    declined = True

    def is_title(self, word: str) -> bool:
        return key_of(word) in TITLES

    def is_word(self, word: str) -> bool:
        return any(
            p.is_known and p.tag.grammemes.isdisjoint(_PROPER) for p in _parses(word)
        )

    def of_word(self, word: str) -> frozenset[str]:
        return _word_forms(word)

    def of_phrase(self, text: str) -> Mapping[str, str]:
        return _phrase_forms(text)

    def of_term(self, text: str) -> set[str]:
        # Its likeliest reading alone: "учителем" and "учителю", never "учителя" of several.
        forms = _phrase_forms(text, lower=True)
        return {form for case, form in forms.items() if not case[0].isdecimal()}

    def in_same_case(self, new: str, old: str, before: str, person: bool) -> str:
        # "инженером" for "учителем".
        cases = _cases_of(old, before, person)
        if not cases or "nomn" in cases[0].split():
            return new
        if person:
            case, sex = cases[0].split()[-1], "femn" if new.endswith("а") else "masc"
            return " ".join(_name_in(case, sex, word) for word in new.split())
        forms = _phrase_forms(new, lower=True)
        for case in cases:
            # "femn ablt" of an adjective is the instrumental of a noun, too.
            plain = next(c for c in case.split() if c in CASES)
            for key in (case, plain, f"masc {plain}"):
                if key in forms:
                    return match_case(forms[key], new)
        return new

    def in_case_of(self, new: str, found: str, of: str, before: str) -> str:
        cases = _fitting(found, of)
        if key_of(found) == key_of(of) or not cases:
            return new
        forms = _phrase_forms(new, lower=True)
        for case in narrowed(cases, governed(before)):
            if case in forms:
                return match_case(forms[case], found)
        return new

    def romanised(self, word: str) -> str:
        # "julia" for Юлия, who is "yuliya" in a passport.
        return latin_key(word) if word.isascii() else word


FORMS = Russian()
