"""The cases under which a masked Russian name may stand elsewhere in the text.

Surnames and patronymics are declined by their endings alone; everything else by
pymorphy3 (extra `russian`) if it is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...schema import StrategyError
from ...text.case import match_case
from ..inflection import key_of
from ..name_forms import NameForms
from .forms import CASES, governed, latin_key, narrowed, parses
from .persons import TITLES

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Patterns of one declension, its nominative first, and all its endings.
_ENDINGS = tuple(
    (re.compile(rf"({stem})({'|'.join(endings.split())}|)"), ("", *endings.split()))
    for stem, endings in (
        (".{2,}(?:ов|ев|ёв|ин|ын)", "а у ым ом е ой ою ы ых ыми"),
        (".{2,}[сц]к", "ий ого ому им ом ая ой ую ие их ими"),
        (".{2,}(?:ович|евич|ич)", "а у ем ом е и ей ам ами ах"),
        (".{2,}(?:овн|евн|иничн|ичн)", "а ы е у ой ою ам ами ах"),
    )
)
# What follows the last consonant of other names, where no dictionary knows them.
_BY_END = (
    ("[бвгджзклмнпрстфхцчшщ]", "", ("", *"а у ом ем е ы и ов ам ами ах".split())),
    ("а", "а", tuple("а ы и е у ой ей".split())),
    ("я", "я", tuple("я и е ю ей".split())),
    ("[йь]", "й", tuple("й ь я ю ем е и".split())),
)
_OF_PERSONS = ("Surn", "Name", "Patr")
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


@lru_cache(maxsize=4096)
def _word_forms(word: str) -> frozenset[str]:
    """All forms of one word of a person's name, for both sexes and the family."""
    low = word.lower()
    if not _CYRILLIC.search(low) or len(low) < 2:
        return frozenset()
    out: set[str] = set()
    for pattern, endings in _ENDINGS:
        match = pattern.fullmatch(low)
        # "Лин" is no stem in "ов", and the dictionary knows short words.
        if match is not None and len(match[1]) > 3:
            out.update(match[1] + ending for ending in endings)
    found = [p for p in _parses(low) if any(kind in p.tag for kind in _OF_PERSONS)]
    # "Сидоров" is hardly "of several Sidors".
    single = [p for p in found if not ("Name" in p.tag and "plur" in p.tag)]
    for parse in single or found:
        out.update(form.word for form in parse.lexeme)
    if not out:
        for end, cut, endings in _BY_END:
            if re.search(f"{end}$", low):
                stem = low[: len(low) - len(cut)]
                out.update(stem + ending for ending in endings)
    return frozenset(out)


@lru_cache(maxsize=1024)
def _phrase_forms(text: str, lower: bool = False) -> Mapping[str, str]:
    """A name of one or several words in all cases: what stands before its head agrees,
    what follows stays ("Нижнего Новгорода", "Банка России")."""
    if not _CYRILLIC.search(text) or (text.islower() and not lower):
        return {}
    if text.isupper() and len(text) <= _MAX_ACRONYM:
        return {}
    places = [match.span() for match in _WORD.finditer(text)]
    if not places or len(places) > _MAX_WORDS:
        return {}
    words = [text[a:b].lower() for a, b in places]
    out: dict[str, str] = {}
    if lower and len(words) == 1:
        first = _parses(words[0])
        if first and "ADJF" in first[0].tag:
            return _adjectives(first[0], text)
    for case, made_forms in _declined(words):
        made = text
        for (a, b), form in zip(reversed(places), reversed(made_forms)):
            made = made[:a] + _capitals(form, text[a:b]) + made[b:]
        out.setdefault(case, made)
    return out


def _adjectives(parse: Any, text: str) -> dict[str, str]:
    """Forms of an adjective by gender or "plur" and case."""
    out: dict[str, str] = {}
    for form in parse.lexeme:
        tag = form.tag
        if "ADJF" in tag and tag.case in CASES and "V-oy" not in tag:
            animacy = " anim" if tag.animacy == "anim" else ""
            key = f"{tag.gender or 'plur'} {tag.case}{animacy}"
            out.setdefault(key, _capitals(form.word, text))
    return out


def _in_same_case(new: str, old: str, before: str, person: bool = False) -> str:
    """A text in the case of another one: "инженером" for "учителем"."""
    cases = _cases_of(old, before, person)
    if not cases or "nomn" in cases[0].split():
        return new
    if person:
        words = []
        for word in new.split():
            sex = "femn" if new.endswith("а") else "masc"
            names = ({sex, kind} for kind in ("Name", "Surn"))
            found = next((f for f in (_one(word, n) for n in names) if f), {})
            words.append(found.get(cases[0].split()[-1], word))
        return " ".join(words)
    forms = _phrase_forms(new, lower=True)
    for case in cases:
        # "femn ablt" of an adjective is the instrumental of a noun, too.
        plain = next(c for c in case.split() if c in CASES)
        for key in (case, plain, f"masc {plain}"):
            if key in forms:
                return match_case(forms[key], new)
    return new


def _one(word: str, wanted: set[str]) -> dict[str, str]:
    for parse in _parses(word.lower()):
        if "nomn" in parse.tag and "sing" in parse.tag and wanted in parse.tag:
            forms = {case: parse.inflect({case, "sing"} | wanted) for case in CASES}
            return {c: _capitals(f.word, word) for c, f in forms.items() if f}
    return {}


def _cases_of(text: str, before: str, person: bool) -> tuple[str, ...]:
    """Cases in which a text may stand, the likelier first."""
    if not person:
        key = key_of(text)
        forms = _phrase_forms(text, lower=True)
        cases = [case for case, form in forms.items() if key_of(form) == key]
    else:
        cases = []
        for word in reversed(_WORD.findall(text)):
            found = [p for p in _parses(word.lower()) if p.tag.case in CASES]
            named = [p for p in found if any(kind in p.tag for kind in _OF_PERSONS)]
            these = [str(p.tag.case) for p in named]
            cases = [c for c in these if c in cases] or cases or these
    return narrowed(tuple(dict.fromkeys(cases)), governed(before))


def _capitals(form: str, old: str) -> str:
    new = match_case(form, old) if len(old) > 1 else form
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _in_case_of(new: str, found: str, of: str, before: str) -> str:
    """A new name in the case in which the old one stands."""
    key = key_of(found)
    forms = _phrase_forms(of, lower=True)
    cases = [case for case, form in forms.items() if key_of(form) == key]
    if key == key_of(of) or not cases:
        return new
    forms = _phrase_forms(new, lower=True)
    for case in narrowed(cases, governed(before)):
        if case in forms:
            return match_case(forms[case], found)
    return new


def _declined(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Cases and the words in them, as far as they agree with the first noun."""
    adjectives = []
    for word in words[:-1]:
        found = _parses(word)
        if not found or not ("ADJF" in found[0].tag or "PRTF" in found[0].tag):
            break
        adjectives.append(found[0])
    i = len(adjectives)
    nouns = [p for p in _parses(words[i]) if "NOUN" in p.tag]
    seen: set[tuple[str, str]] = set()
    for noun in nouns:
        lemma = noun.normal_form, str(noun.tag.number)
        if lemma in seen:
            continue
        again = f"{len(seen)} " if seen else ""
        seen.add(lemma)
        for case in CASES:
            head = noun.inflect({case, noun.tag.number})
            if head is None:
                continue
            agree = {"plur"} if "plur" in noun.tag else {"sing", noun.tag.gender}
            for animacy in ("inan", "anim") if case == "accs" else ("",):
                wanted = {g for g in (*agree, case, animacy) if g}
                before = [
                    form.word if form is not None else old
                    for old, adjective in zip(words, adjectives)
                    for form in [
                        adjective.inflect(wanted)
                        or adjective.inflect(wanted - {animacy})
                    ]
                ]
                name = f"{again}{case} {animacy}" if animacy == "anim" else again + case
                yield name, [*before, head.word, *words[i + 1 :]]


class Russian(NameForms):
    """See `NameForms`."""

    declined = True

    def is_title(self, word: str) -> bool:
        return key_of(word) in TITLES

    def of_word(self, word: str) -> frozenset[str]:
        return _word_forms(word)

    def of_phrase(self, text: str) -> Mapping[str, str]:
        return _phrase_forms(text)

    def of_term(self, text: str) -> set[str]:
        # Its likeliest reading alone: "учителем" and "учителю", never "учителя" of several.
        forms = _phrase_forms(text, lower=True)
        return {form for case, form in forms.items() if not case[0].isdecimal()}

    def in_same_case(self, new: str, old: str, before: str, person: bool) -> str:
        return _in_same_case(new, old, before, person)

    def in_case_of(self, new: str, found: str, of: str, before: str) -> str:
        return _in_case_of(new, found, of, before)

    def romanised(self, word: str) -> str:
        # "julia" for Юлия, who is "yuliya" in a passport.
        return latin_key(word) if word.isascii() else word


FORMS = Russian()
