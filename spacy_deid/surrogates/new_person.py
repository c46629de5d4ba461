"""The new name of one person, drawn as far as the mentions ask for it."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from ..data import word_lists
from ..gazetteers.frequencies import everyday_words
from ..gazetteers.name_letters import language_by_letters
from ..gazetteers.names import (
    BITS,
    FEMININE,
    LOCALES,
    NameLists,
    Nicknames,
    bits_of,
    clear_given,
    family_set,
    feminine,
    folded_names,
    frequencies,
    index,
    is_name,
    languages_of,
    lists,
    lists_of,
    locale_of,
    nicknames,
    origin,
)
from ..lang.persons import Persons
from ..text.folding import fold as _fold
from ..text.names import FEMALE
from ..text.shuffling import often_first
from .base import Draws, invent_word, shuffled
from .coined import LEAST_NAMES, SHARE, coined_names

# The words of a document's names are asked for again and again.
fold = lru_cache(maxsize=256)(_fold)

_DRAWING = word_lists("names/drawing")
# Languages whose names are often written without their marks in English texts.
_UNMARKED = frozenset(("es", "tr", "is", "zh", "vi", "pt"))
# Letters that no decomposition takes apart.
_PLAIN_LETTERS = str.maketrans("ıøØłŁđĐðÐ", "ioOlLdDdD") | {222: "Th", 254: "th"}
# Letters that many names begin with, and the others.
_COMMON_LETTERS, _RARE_LETTERS = "ABCDEFGHJKLMNPRSTW", "IOQUVXYZ"
# Longest first, so that all forms of a family's surname have one key.
_FEMININE_KEYS = [pair.split(":") for pair in _DRAWING["feminine"]]
# Endings of patronymics, and what no such ending stands behind.
_PATRONYMICS = tuple("ovich evich ovna evna ович евич овна евна".split())
_SOFT = "aeiouyаеёиоуыэюяйь"
# Probability from which a name's letters tell that it is at home.
_SURE = 0.9
# So many names are tried before another way is taken; more where an article stands
# before.
_TRIES, _TRIES_FOR_ARTICLE, _TRIES_AT_LAST, _INVENTED = 40, 400, 3, 60


# Lists of nicknames with so many full names are drawn from for any of them.
_ENOUGH_NICKNAMES = 70


class Traits(NamedTuple):
    """What is known of a person before a name is drawn.

    key (str): One key for all forms of the name.
    gender (str): "m" or "f".
    language (str): Language of the names.
    words (frozenset[str]): All words of the name, and its nicknames, folded.
    particles (Mapping[str, str]): Small words before each name, by the name.
    unmarked (bool): Whether no mention has marks on its letters.
    nicknamed (frozenset[str]): Words between quotation marks that are nobody's names, folded.
    """

    key: str
    gender: str
    language: str
    words: frozenset[str]
    particles: Mapping[str, str]
    unmarked: bool
    nicknamed: frozenset[str]


class NewPerson:
    """The new names of one person."""

    def __init__(
        self,
        draws: Draws,
        rules: Persons,
        traits: Traits,
        turn: int = 0,
        new_family: bool = False,
    ) -> None:
        self.draws, self.rules, self.turn = draws, rules, turn
        self.key, self.gender = traits.key, traits.gender
        self.language, self.unmarked = traits.language, traits.unmarked
        self.words, self.particles = traits.words, dict(traits.particles)
        # What they may be called instead: "Joe 'Fingers' Malone".
        self.nicknamed = dict.fromkeys(traits.nicknamed, rules.called)
        self.salt = f"|{turn}" if turn else ""
        self.family_salt = self.salt if new_family else ""
        # Names, and letters of whom no more is known, by the original's, folded.
        self.given: dict[str, str] = {}
        self.family: dict[str, str] = {}
        self.letters: dict[str, str] = {}

    @property
    def called(self) -> str:
        """Language of the nicknames."""
        return self.language if nicknames(self.language).names else self.draws.lang

    @property
    def nicknames(self) -> Nicknames:
        """Nicknames of the person's language."""
        return nicknames(self.called)

    def new_given(self, word: str) -> str:
        """New given name for one of the original's."""
        token = fold(word)
        if token not in self.given and not locale_of(word):
            self._draw_nickname(token)
        if token not in self.given and self.rules.is_short(token, self.given):
            cut = (new for full, new in self.given.items() if full.startswith(token))
            short = next(cut)[: len(token)]
            if fold(short) != token and not self.draws.forbidden(short):
                self.given[token] = short
        if token not in self.given:
            self.given[token] = self._draw_given(word, token)
        return self.given[token]

    def _draw_given(self, word: str, token: str) -> str:
        script = locale_of(word)
        language = self.language_of(word.lower(), "given")
        ending = next(filter(token[2:].endswith, _PATRONYMICS), "")
        female = not ending and self.gender == FEMALE
        names: NameLists = lists_of(script) if script else lists(language)
        pool = names.female if female else names.male
        if not script:
            pool = clear_given(language, female)
        particles, gender = self.particles, self.gender if female else "m"
        own = self.rules.given_pool(token, particles, self.words, gender)
        pool = self.nicknamed.get(token, ()) or tuple(own) or pool
        if ending:
            pool = tuple(n for n in pool if n[-1] not in _SOFT) or pool
        key = f"{self.key}|{token}{self.salt}"
        new = draw(self.draws, self.rules, "given", token, key, pool, self.words)
        if ending and new[-1] not in _SOFT:
            new += ending
        if "-" in new and "-" not in word:
            new = new.replace("-", "")
        return self._written(new, language)

    def _draw_nickname(self, token: str) -> None:
        """New names for a nickname and the full name it belongs to: "Bob" of Robert
        becomes "Bill" of William."""
        full = self.full_name(token)
        if not full:
            return
        table, key = self.nicknames, fold(full)
        if key not in self.given:
            # Rare ones are known, but not drawn.
            own = lists(self.called) if self.called in LOCALES else ()
            pool = tuple(n for n, g in table.gender.items() if g == self.gender)
            pool = tuple(n for n in pool if any(n in part for part in own)) or pool
            # Of short lists only if the nickname shows.
            if len(pool) < _ENOUGH_NICKNAMES and self.words.isdisjoint(
                map(fold, table.short[full])
            ):
                return
            salted = f"{self.key}|{key}{self.salt}"
            self.given[key] = draw(self.draws, self.rules, "given", key, salted, pool)
        if token != key:
            self.given[token] = self.nickname(full, token)

    def full_name(self, token: str) -> str:
        """The full given name that a word is, or is short for; "" if there is none."""
        table = self.nicknames
        full = table.names.get(token)
        abroad = full and self.called != self.language
        if abroad and self.language_of(token, "given") == self.language:
            # "Robert" is a French name, too.
            return ""
        fulls = (full,) if full else table.full.get(token, ())
        fulls = tuple(f for f in fulls if table.gender[f] == self.gender)
        known = (f for f in fulls if fold(f) in self.words)
        return next(known, fulls[0] if fulls else "")

    def nickname(self, full: str, token: str) -> str:
        """What friends call the new person, for what they call the original; the new
        full name if it has no nickname."""
        table, new = self.nicknames, self.given[fold(full)]
        found = [n for n in table.short.get(new, ()) if not self.draws.forbidden(n)]
        at = [fold(n) for n in table.short[full]].index(token)
        at = min(at, max(len(found) - 1, 0))
        found = found[at:] + found[:at]
        others = [n for n in found if fold(n)[0] != token[0]]
        return (others or found or [new])[0]

    def new_family(self, word: str) -> str:
        """New surname; keyed by the old one alone, so that families keep theirs."""
        token = fold(word)
        if token not in self.family:
            self.family[token] = self._draw_family(word, token)
        return self.family[token]

    def _draw_family(self, word: str, token: str) -> str:
        stem, script = _masculine(token), locale_of(word)
        language = self.language_of(word.lower(), "family")
        key, families = stem + self.family_salt, self.draws.families
        if key not in families:
            names = lists_of(script) if script else lists(language)
            after = self.rules.family_pool(self.particles.get(token, ""))
            start, bare, pool = _clan(token, after or names.family)
            drawn = draw(self.draws, self.rules, "family", bare, key, pool)
            families[key] = self._written(start + drawn, language)
        new = families[key]
        if stem != token or self.gender == FEMALE:
            if token not in self.particles:
                language = self._home_of(new, language)
            new = feminine(new, script or language)
        if "’" in word:
            new = new.replace("'", "’")
        return new

    def _home_of(self, surname: str, language: str) -> str:
        """Language that a drawn surname is of: perhaps another one's of the family."""
        for key in (language, self.draws.lang, *FEMININE):
            if key in LOCALES and surname in family_set(key):
                return key
        return ""

    def language_of(self, token: str, kind: str) -> str:
        """Language of one of the names: "Jessica Zhang" has two."""
        home = self.draws.lang
        bits = bits_of(token, home, (kind,))
        if not bits and kind == "given" and token in index().rare:
            return home
        if not bits:
            return self._by_letters(token, home)
        if bits & BITS[self.language]:
            return self.language
        if self.language in _UNMARKED and fold(token) in folded_names(self.language):
            return self.language
        if bits & BITS.get(home, 0):
            return home
        told = languages_of(origin(token, bits, home)) if self.rules.mixed else []
        return told[0] if len(told) == 1 else self.language

    def _by_letters(self, token: str, home: str) -> str:
        """ "Buchwitz-Lysenko": one part is German."""
        if len(token) < 4 or not self.rules.mixed or home not in LOCALES:
            return self.language
        told, chance = language_by_letters([token], home)
        return home if told == home and chance > _SURE else self.language

    def _written(self, name: str, language: str) -> str:
        """A name without the marks that the original's letters do not have either."""
        if name.isascii() or not self.unmarked or language not in _UNMARKED:
            return name
        return "".join(
            ch if ch.lower() in self.rules.letters else _plain(ch) for ch in name
        )

    def initial(self, letter: str, role: str) -> str:
        """First letter of the new name that belongs to an initial."""
        key = fold(letter)
        parts = [self.given, self.family]
        for names in parts if role != "family" else reversed(parts):
            for token, new in names.items():
                if token.startswith(key):
                    return new[0]
        letter = letter.upper()
        if letter not in self.letters:
            self.letters[letter] = _new_letter(self.draws, letter, self.turn)
        return self.letters[letter]


def _plain(letter: str) -> str:
    plain = unicodedata.normalize("NFKD", letter.translate(_PLAIN_LETTERS))
    return "".join(ch for ch in plain if not unicodedata.combining(ch))


def _masculine(surname: str) -> str:
    """One key for both forms of a surname ("ivanova" and "ivanov")."""
    for ending, stem in _FEMININE_KEYS:
        if surname.endswith(ending) and (len(ending) > 3 or len(surname) > 5):
            return surname[: -len(ending)] + stem
    return surname


def _clan(token: str, pool: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """What a surname such as "O'Brien" begins with, the rest of it, and what may stand
    there; the whole name and the pool for most."""
    if len(token) > 4 and token.startswith("o'"):
        return "O'", token[2:], _DRAWING["o"]
    if len(token) > 5 and token.startswith("mc"):
        return "Mc", token[2:], _DRAWING["mc"]
    return "", token, pool


@cache
def _alphabet(script: str) -> str:
    return "".join(sorted({name[0].upper() for name in lists_of(script).family}))


def _new_letter(draws: Draws, letter: str, turn: int = 0) -> str:
    """New initial of somebody of whom no more is known, no two letters getting the same
    one as long as there are enough; `turn` says how many others have been tried."""
    key = letter + "|" * turn
    if key in draws.letters:
        return draws.letters[key]
    order = [new for new in _letters_like(draws, letter) if new != letter]
    taken = draws.own_letters.union(draws.letters.values())
    article = draws.articles.get(fold(letter), "")
    order.sort(
        key=lambda new: (
            new in taken,
            bool(article) and not draws.follows(new, article),
        )
    )
    free = [new for new in order if not draws.forbidden(new)] or order
    new = free[turn % len(free)] if turn and free[0] in taken else free[0]
    draws.letters[key] = new
    return new


def _letters_like(draws: Draws, letter: str) -> Iterator[str]:
    """The letters of a script in an order of the document's own, from one letter on;
    common letters for common ones."""
    script = locale_of(letter)
    parts = [_alphabet(script)] if script else [_COMMON_LETTERS, _RARE_LETTERS]
    if letter in _RARE_LETTERS:
        parts.reverse()
    for part in parts:
        if part not in draws.rings:
            ring = list(part)
            draws.random_for("person-letters", part).shuffle(ring)
            draws.rings[part] = ring
        ring = draws.rings[part]
        at = (ring.index(letter) if letter in ring else 0) + 1
        yield from ring[at:] + ring[:at]


def _is_word(word: str) -> bool:
    """Whether a word in lower case is a name of a list, or an everyday word."""
    return is_name(word) or word in everyday_words("en")


def _surnames(
    pool: tuple[str, ...], rng: random.Random, rules: Persons
) -> Iterator[str]:
    """Surnames in the order in which they are tried."""
    can_coin = rules.coins and len(pool) >= LEAST_NAMES and not locale_of(pool[0])
    if can_coin and rng.random() < SHARE:
        yield from coined_names(pool, rng, _is_word)
    yield from shuffled(pool, rng)


def _invented(
    kind: str, rng: random.Random, rules: Persons, taken: int
) -> Iterator[str]:
    first, last = rules.coined
    tries = _INVENTED if taken < len(first) * len(last) else _TRIES_AT_LAST
    for _ in range(tries if kind == "family" else 0):
        yield rng.choice(first) + rng.choice(last)
    for _ in range(_INVENTED):
        yield invent_word(rng)
    while True:
        yield invent_word(rng) + invent_word(rng).lower()


def draw(
    draws: Draws,
    rules: Persons,
    kind: str,
    token: str,
    key: str,
    pool: tuple[str, ...],
    own: Container[str] = (),
) -> str:
    """Draw a name that no other original of the document has been given, and that is none
    of the `own` of the person."""
    rng, owner = draws.random_for(f"person-{kind}", key), f"{kind} {key}"
    article = draws.articles.get(token)
    tries = (
        _surnames(pool, rng, rules)
        if kind == "family"
        else often_first(pool, frequencies(pool, rules.lang), rng)
    )
    most = _TRIES_FOR_ARTICLE if article else _TRIES
    # Nearly all are taken.
    most = _TRIES_AT_LAST if len(draws.name_owners) > len(pool) else most
    spare = other = ""

    def fits(name: str) -> bool:
        # The first letter, too, tells something about the original.
        new = fold(name)
        return new[:1] != token[:1] and new not in own and not draws.forbidden(name)

    for name in filter(fits, islice(tries, most + 1)):
        if article and not draws.follows(name, article):
            free = draws.name_owners.get(fold(name), owner) == owner
            other = other or (name if free else "")
        elif draws.name_owners.setdefault(fold(name), owner) == owner:
            return name
        else:
            spare = spare or name
    if other:
        draws.name_owners[fold(other)] = owner
        return other
    # Two persons may share a given name, but not a surname.
    if kind == "given" and spare and len(token) > 1:
        return spare
    invented = _invented(kind, rng, rules, len(draws.name_owners))
    return _first_free(invented, fits, draws, owner)


def _first_free(
    names: Iterator[str], fits: Callable[[str], bool], draws: Draws, owner: str
) -> str:
    name = ""
    for _, name in zip(range(400), names):
        if fits(name) and draws.name_owners.setdefault(fold(name), owner) == owner:
            break
    return name
