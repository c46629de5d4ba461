"""How persons are named in a text, by language.

A language with rules of its own brings a file `persons.py` with a subclass of `Persons`
in `PERSONS`. What it leaves out is read as in English texts, in which people of all
languages are named.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from ..data import has_own, word_lists
from ..gazetteers.names import (
    BITS,
    index,
    is_far_given,
    is_given_name,
    nicknames,
    role_at,
)
from ..text.names import (
    FEMALE,
    JOINS,
    MALE,
    PARTICLES,
    SURNAME_LABEL,
    NameToken,
    fold,
    leads_given,
    leads_surname,
    name_tokens,
    title_gender,
)

_WORDS = word_lists("lang/en/persons")
_KEPT = frozenset(_WORDS["kept"])
_COURTESY = frozenset(_WORDS["courtesy"])


def any_of(words: Sequence[str]) -> str:
    """A regular expression for one of some words."""
    return "|".join(map(re.escape, words))


_RELATION = any_of(_WORDS["relation"])
_WOMAN, _MAN = any_of(_WORDS["woman"]), any_of(_WORDS["man"])
_CALLED = re.compile(rf"\b(?:{_RELATION})(?:\s+(?:called|named))?,?\s+$", re.I)
_ADDRESSED = re.compile("|".join(_WORDS["addressed"]), re.I)
_KIN = re.compile(
    rf"\b(?:({_WOMAN})|({_MAN}))(?:\s+(?:called|named))?([\s,(“\"]*)$", re.I
)
# "Jo Stone, her husband": what stands after the name.
_THEIR = r"(?:his|her|my|your|our|their|the|an?)\s+"
_KIN_AFTER = re.compile(
    rf"(?:\s*[,(]\s*(?:{_THEIR}|[^\W\d_]+['’]s\s+)?|\s+(?:is|was)\s+{_THEIR})"
    rf"(?:[a-z-]+\s+)?(?:({_WOMAN})|({_MAN}))\b"
)
# Which word has to stand last before a name for one of these to match: it is looked at
# before a search through all that stands there.
_LAST_OF_RELATION = frozenset((*_WORDS["relation"], "called", "named"))
_LAST_OF_KIN = frozenset((*_WORDS["woman"], *_WORDS["man"], "called", "named"))
_LAST_OF_ADDRESS = frozenset(_WORDS["addressed.last"])
# What an expression that ignores case takes for letters in ASCII.
_SAME_LETTERS = str.maketrans("ſKİı", "skii")
_HE = re.compile(r"\b(?:he|his|him|himself)\b", re.I)
_SHE = re.compile(r"\b(?:she|hers?|herself)\b", re.I)


class Persons:
    """Persons in texts of any language."""

    # Words of mentions that name nobody, folded.
    kept: frozenset[str] = frozenset()
    # Words before surnames that are no titles: "OA" (senior physician), "Familie".
    offices: frozenset[str] = frozenset()
    # Names that tell no gender, whatever the lists have them for.
    unisex: frozenset[str] = frozenset()
    # What stands before the name of a relative, and titles of men and of women, where
    # the language has others than English.
    related: re.Pattern[str] | None = None
    titles: tuple[re.Pattern[str], re.Pattern[str]] | None = None
    # The word for a relative right before a name.
    kin = _KIN
    # "he" and "she" and what else tells whom a sentence is about.
    pronouns = (_HE, _SHE)
    # What surnames that nobody has are made of.
    coined = (_WORDS["coined.first"], _WORDS["coined.last"])
    # Whether surnames are coined as often as people's are in no list; that has been
    # measured for English.
    coins = False
    # Whether names of other languages lose their marks, and each name of one person has
    # its own origin.
    mixed = False
    # What those are called whose nickname is in no list: "Joe 'Fingers' Malone".
    called: tuple[str, ...] = ()
    # Lists of the language's table.
    _words: Mapping[str, tuple[str, ...]] = {}
    # Letters that the language has itself, which names of others keep.
    letters = ""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def is_kept(self, token: NameToken) -> bool:
        """Whether a word of a mention is no name: title, suffix, particle, "and"."""
        if token.role in ("title", "suffix"):
            return True
        text, key = token.text, fold(token.text).rstrip(".")
        if key in self.kept:
            # "D." before a name is a title in Spanish, an initial elsewhere.
            joins = key in JOINS
            return text.islower() if joins else text[-1:] == "." or len(key) > 1
        if text.islower():
            return key in _KEPT or (token.role == "family" and key in PARTICLES)
        return text == "&" or (key in _COURTESY and text[0].isupper())

    def names_of(self, tokens: Sequence[NameToken]) -> list[NameToken]:
        """The words of a mention that are names. A particle with a capital may be one,
        but none before a small one or a surname: "De la Cruz", "De Luca"."""
        named = [not self.is_kept(token) for token in tokens]
        # "E. d. W."
        mixed = any(t.text.isupper() for t in tokens)
        for i, (token, behind) in enumerate(pairwise(tokens)):
            small = behind.text.islower() and not named[i + 1]
            leads = small and fold(token.text) in PARTICLES
            leads |= behind.role == "family" and leads_surname(token.text, True)
            named[i] &= token.role != "family" or not leads
        return [
            token
            for token, is_name in zip(tokens, named)
            if is_name and not (mixed and re.fullmatch("[a-z]", token.text.rstrip(".")))
        ]

    def read(self, text: str, known: frozenset[str], before: str) -> list[NameToken]:
        """Words of a mention with their roles; an ending is no part of its word."""
        return name_tokens(text)

    def is_called(self, text: str, before: str) -> bool:
        """Whether what stands before a name tells that somebody is called by it: "his
        wife", "a boy called", "Hi"."""
        if self.related is not None and self.related.search(before[-40:]):
            # "la hermana García" may be a nun.
            key = text.lower()
            return key in index().given or key not in index().family
        return is_related(before) or (
            ("\n" in before or _may_end(before, _LAST_OF_ADDRESS))
            and _ADDRESSED.search(before) is not None
        )

    def is_given(self, word: str) -> bool:
        """Whether a lone word is rather a given name than a surname."""
        short = nicknames(self.lang).full
        return all(
            is_given_name(part, self.lang)
            or is_far_given(part)
            or (fold(part) in short and not self._is_family(part.lower()))
            for part in word.split("-")
        )

    def _is_family(self, key: str) -> bool:
        """Whether a word is a surname where the language is at home."""
        return bool(index().family.get(key, 0) & BITS.get(self.lang, ~0))

    def is_short(self, word: str, of: Iterable[str]) -> bool:
        """Whether a word is the beginning of one of some given names, folded, by which its
        bearer is called."""
        return False

    def is_surname(self, text: str, before: str) -> bool:
        """Whether a word is a surname by what stands before it: titles, or what some
        fields of forms are called."""
        word, key = "".join(before.split()[-1:]), fold(text)
        title = title_gender(word) is not None and not leads_given(word)
        office = before[-1:].isspace() and fold(word).strip(".:(") in self.offices
        if not (title or office or SURNAME_LABEL.search(before)):
            return False
        given = key in index().given and not self._is_family(key)
        return not given and not self.is_called(text, before)

    def kin_before(self, before: str) -> tuple[str, bool]:
        """Gender by the word for a relative before a name, and whether the name follows
        at once: behind a comma another person may follow."""
        before = before[-60:]
        may_be = self.kin is not _KIN or _may_end(before, _LAST_OF_KIN)
        match = self.kin.search(before) if may_be else None
        if not match:
            return "", False
        return FEMALE if match[1] else MALE, not match[3].strip()

    def title_gender(self, text: str, before: str) -> str:
        """Gender by titles of the language alone, in a mention or just before it."""
        if self.titles is None:
            return ""
        he, she = self.titles
        place = before[-24:].rpartition(",")[2] + text
        if she.search(place):
            return FEMALE
        return MALE if he.search(place) else ""

    def article_gender(self, before: str) -> str:
        """Gender by an article that names of people have in the language."""
        return ""

    def article_of(self, text: str, before: str) -> str:
        """The article before a nickname, a word that is nobody's name: "la Tacones"."""
        return ""

    def ending(self, text: str, position: int, new: str) -> tuple[str, int]:
        """The new ending of a new name for that of the old one, and where that ends."""
        return "", position

    def given_pool(
        self, token: str, particles: dict[str, str], words: frozenset[str], gender: str
    ) -> Sequence[str]:
        """Names for a part of a given name such as "María del Carmen"; none for others."""
        return ()

    def family_pool(self, particle: str) -> tuple[str, ...]:
        """Surnames for behind a particle; none if any will do."""
        return self._words.get(f"after {particle}", ())

    def spelt_out(self, text: str) -> str:
        """An abbreviated given name as an initial: "Wm. Tackett" becomes "M. Weber"."""
        return re.sub(r"\A([^\W\d_])[^\W\d_]{1,4}\.\Z", r"\1.", text)

    def in_addresses(self, name: str) -> str:
        """A name as e-mail addresses have it."""
        return name

    def is_declined(self, text: str) -> bool:
        """Whether `replace_declined` replaces a mention."""
        return False

    def replace_declined(self, mentions: Sequence[Any], draws: Any) -> list[str]:
        """New names in the case and number of the old ones; mentions and draws are those
        of `surrogates.base`."""
        raise NotImplementedError


class ListedPersons(Persons):
    """Persons of a language whose rules are word lists alone.

    words (dict[str, tuple[str, ...]]): Those of `data/lang/CODE/persons.tsv`: `kept`,
        `related` with `called`, `titles.men`, `titles.women`, `pronouns.men`,
        `pronouns.women` (pieces of regular expressions), `coined.first`, `coined.last`,
        and `after PARTICLE`; where there are, `kin.women` and `kin.men`, single
        relatives, which need not stand in `related`.
    """

    def __init__(self, lang: str, words: dict[str, tuple[str, ...]]) -> None:
        super().__init__(lang)
        self._words = words
        self.kept = frozenset(map(fold, words["kept"]))
        self.offices = frozenset(map(fold, words.get("offices", ())))
        kin = ["|".join(words.get(f"kin.{of}", ())) for of in ("women", "men")]
        called = rf"(?:\s(?:{'|'.join(words['called'])}))?"
        related = "|".join((*words["related"], *filter(None, kin)))
        self.related = re.compile(rf"\b(?:{related}){called},?\s+[(„»“]?$", re.I)
        if all(kin):
            self.kin = re.compile(
                rf"\b(?:({kin[0]})|({kin[1]})){called}([ \t,(“«\"]*)$", re.I
            )
        he, she = (self._any(f"titles.{of}") for of in ("men", "women"))
        self.titles = re.compile(he), re.compile(she)
        he, she = (self._any(f"pronouns.{of}") for of in ("men", "women"))
        self.pronouns = re.compile(he, re.I), re.compile(she, re.I)
        self.coined = words["coined.first"], words["coined.last"]

    def _any(self, name: str) -> str:
        return rf"\b(?:{'|'.join(self._words[name])})\b"

    def is_given(self, word: str) -> bool:
        parts = (role_at(self.lang, part, likely=True) for part in word.split("-"))
        told = next(filter(None, parts), "")
        return told == "given" if told else super().is_given(word)


def is_related(before: str) -> bool:
    """Whether a name stands behind an English word for a relation ("his wife")."""
    return _may_end(before, _LAST_OF_RELATION) and _CALLED.search(before) is not None


def kin_after(after: str) -> str:
    """Gender by the English word for a relative behind a name."""
    match = _KIN_AFTER.match(after)
    return "" if not match else FEMALE if match.group(1) else MALE


def _may_end(before: str, last: frozenset[str]) -> bool:
    """Whether the last word before a name may be one of those asked for."""
    rest = before.rstrip(" \n,(“\"‘'")
    word = rest[rest.rfind(" ") + 1 :]
    if word.isalpha():
        return word.translate(_SAME_LETTERS).lower() in last
    return word[-1:].isalpha() or word[-1:].isspace()


@cache
def persons_of(lang: str) -> Persons:
    """The rules of a language; those of any language if it has none of its own."""
    module = f"{__package__}.{lang}.persons"
    if lang.isalpha() and find_spec(f"{__package__}.{lang}") and find_spec(module):
        made: Persons = importlib.import_module(module).PERSONS
        return made
    words = _words_of(lang)
    return ListedPersons(lang, words) if "related" in words else Persons(lang)


@cache
def told_words(lang: str) -> frozenset[str]:
    """Words that speak of somebody without a name, in lower case; none for a language
    that has no list of them."""
    return frozenset(_words_of(lang).get("told", ()))


def _words_of(lang: str) -> dict[str, tuple[str, ...]]:
    """The lists of `data/lang/CODE/persons.tsv`; empty for a language without it."""
    return word_lists(f"lang/{lang}/persons") if has_own(lang, "persons.tsv") else {}
