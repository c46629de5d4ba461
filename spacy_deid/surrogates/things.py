"""Another thing of the same kind: a storm for a storm, a species for a species."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from ..data import table, word_lists
from ..gazetteers.frequencies import everyday_words
from ..gazetteers.lexicon import groups_of, is_listed_name, is_vocabulary
from ..gazetteers.names import surnames
from ..lang.inflection import like_capitals
from ..text.countries import demonym, index
from ..text.names import fold
from ..text.words import function_words
from .base import (
    fits_article,
    is_named,
    like,
    listed,
    shuffled,
    told_by,
    with_articles,
)
from .cases import Case
from .coined import firm_names
from .geography import Geography
from .numbers import figure_in_name, is_said, other_said
from .predicates import is_said_of
from .term_rows import (
    is_person_word,
    plural,
    row_like,
    rows_by_subtype,
    several,
    singulars,
)

_LISTS = word_lists("lang/en/vague")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:st|nd|rd|th)?")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DETERMINED = re.compile(
    rf"\b(?:{told_by('determiner')}|(?P<adjective>[a-z-]{{3,}}))\s+$", re.I
)
_ARTICLE = re.compile(r"\ban?\s+$", re.I)
_NO_ADJECTIVES = frozenset(_LISTS["no_adjectives"])
# Names of species are Latin: "Betula pendula", "S. aureus".
_LATIN = re.compile(r"[A-Z](?:\.|[a-z]{2,}) [a-z]{2,}(?:us|a|um|is|ii?|ae|ens|or|e)")
# What begins the rest of a phrase, which says more of a thing.
MORE = re.compile(rf"\s+(?:{told_by('more')})\s")
_OCCASION = re.compile(told_by("occasion"))
_ENDING = re.compile(r"(?:ing|ed|ly|s|)$")
# Letters and figures that count: "NGC 6888", "PDP-8".
_DESIGNATED = re.compile(r"(?=.*\d)(?=.*[A-Z]).{2,40}", re.S)
# Of how many words a name in small letters may be.
_LONGEST_NAME = 6
# What stays among things.
_KEPT = frozenset(("a", "an", "and", "one", "1", "or"))
# How many coined names are drawn to find one unlike the old name.
_NAMES = 12


class Kind(NamedTuple):
    """A kind of things that have names, of `data/lang/en/things.tsv`.

    name (str): For example "storm".
    inside (frozenset): Words of a name that tell it, which stay.
    around (Pattern): Words beside a name.
    endings (tuple[str, ...]): Of names in small letters.
    names (tuple[str, ...]): Some; none where they are put together.
    """

    name: str
    inside: frozenset[str]
    around: re.Pattern[str]
    endings: tuple[str, ...]
    names: tuple[str, ...]


@cache
def kinds() -> dict[str, Kind]:
    """All kinds, by their names."""
    out = {}
    for row in table("lang/en/things"):
        # Awards, laws and wars say in their names what they are, or are no such thing.
        around = "|".join(map(re.escape, listed(row["around"]))) or "(?!)"
        out[row["kind"]] = Kind(
            row["kind"],
            frozenset(listed(row["inside"])),
            re.compile(rf"\b(?:{around})\b", re.I),
            listed(row["endings"]),
            listed(row["names"]),
        )
    return out


@cache
def _tells() -> tuple[dict[str, Kind], dict[str, Kind]]:
    """Kinds by their names, folded, and by words of names."""
    every = kinds().values()
    return {fold(n): k for k in every for n in k.names}, {
        w: k for k in every for w in k.inside
    }


def kind_of(text: str, near: str, around: str = "") -> Kind | None:
    """The kind of a thing: by its name, its words, its ending, else by what stands beside
    it; None if nothing tells. In small letters, and in a phrase in which most are, only
    the thing itself tells, for it may be no name at all. What is `near` counts twice.
    """
    names, inside = _tells()
    words = _WORD.findall(text)
    last = words[-1] if words else ""
    named = names.get(fold(text))
    latin = _LATIN.fullmatch(text) and (text[1] == "." or not is_vocabulary(last))
    if named is None and not latin and (not is_named(text) or last.islower()):
        return next(filter(None, map(_common, (last, *singulars(last)))), None)
    named = named or next((inside[w] for w in reversed(words) if w in inside), None)
    species = kinds()["species"] if latin else None
    return named or species or _told_by(near, around)


def _common(noun: str) -> Kind | None:
    """The kind of what a noun in small letters says, or ends like."""
    kind = _tells()[1].get(noun)
    if kind is not None and kind.endings:
        return kind
    ended = (k for k in kinds().values() if k.endings and noun.endswith(k.endings))
    return next(ended, None) if len(noun) > 5 and not is_vocabulary(noun) else None


def _is_plural(noun: str) -> bool:
    return _common(noun) is None and any(map(_common, singulars(noun)))


def _told_by(near: str, around: str) -> Kind | None:
    def told(kind: Kind) -> int:
        return 2 * len(kind.around.findall(near)) + len(kind.around.findall(around))

    best = max(kinds().values(), key=told)
    return best if told(best) else None


def things(case: Case, text: str) -> Iterator[str]:
    """Names of another thing of the same kind."""
    rng, mention = case.rng, case.mention
    kind = kind_of(text, f"{case.before} {mention.after}", mention.around)
    kept = kind.inside if kind is not None else frozenset()
    told = kept.intersection(_WORD.findall(text)) if is_named(text) else frozenset()
    if told or _DESIGNATED.fullmatch(text):
        # "Public Health Act" for "Fourth Coinage Act", or another of its words.
        named = [n for n in kind.names if told & {*n.split()}] if kind else []
        yield from rng.sample(named, min(len(named), rng.randrange(2)))
        for _ in range(20):
            yield exchanged(text, kept, case.geography, rng)
    elif kind is not None:
        last = () if is_named(text) else _WORD.findall(text)[-1:]
        many = any(map(_is_plural, last))
        for name in shuffled(kind.names, rng):
            if not many or name[-1] != "s":
                yield like_capitals(plural(name) if many else name, text)


@cache
def _everyday() -> dict[str, tuple[str, ...]]:
    """Rows of `data/lang/en/objects.tsv` by each of their words."""
    rows = (listed(row["words"]) for row in table("lang/en/objects"))
    return {word: words for words in rows for word in words}


@cache
def _anything() -> tuple[str, ...]:
    """Everyday things that stand for whatever is in no row."""
    rows = (listed(row["words"]) for row in table("lang/en/objects") if row["any"])
    return tuple(word for words in rows for word in words)


def _is_occasion(case: Case, noun: str) -> bool:
    """Whether a noun tells what happened: "the unveiling of the stone"."""
    told = not case.mention.subtype and is_vocabulary(noun, "en")
    told = told and noun not in function_words("en")
    return told and _OCCASION.fullmatch(noun) is not None


def anything(case: Case, text: str) -> Iterator[str]:
    """Everyday things for a phrase in small letters of which nothing is known, one or
    several as the phrase and what stands before it ask for: "a fishbone", "on salt"."""
    words = MORE.split(text, 1)[0].split()
    if is_named(text) or not words:
        return
    head = words[-1]
    if is_said(" ".join(words), "en"):
        # "forty-four years under the bonnet of a cab"
        yield from other_said(" ".join(words), "en", case.rng)
    pool = _anything()
    if is_person_word(head):
        rows = rows_by_subtype()["OCCUPATION"]
        pool = (row_like(" ".join(words), "OCCUPATION") or rows[0]).terms
    elif _is_occasion(case, head):
        pool = _LISTS["occasions"]
    elif is_said_of(case.before):
        yield from shuffled(_LISTS["adjectives"], case.rng)
    found = _DETERMINED.search(case.before)
    determined = found is not None and found["adjective"] not in _NO_ADJECTIVES
    many = re.search(r"[^sui]s$", head) is not None
    many &= _ARTICLE.search(case.before) is None
    # "on salt" and "of lactase" ask for no article as they are.
    many |= not determined and (pool[0] in _everyday() or pool is _LISTS["occasions"])
    for item in shuffled(pool, case.rng):
        if many or fits_article(item, case.before):
            yield several(item) if many else item


def _row(word: str) -> tuple[tuple[str, ...], bool] | None:
    """The row of an everyday thing, and whether it is a plural; None for other words."""
    for form in (word, *singulars(word)):
        if form in _everyday():
            return _everyday()[form], form != word
    return None


def is_everyday(text: str) -> bool:
    """Whether a phrase ends with an everyday thing: "3 fingers", "one glass eye"."""
    words = MORE.split(text, 1)[0].split()
    return any(_row(" ".join(words[-n:])) for n in (1, 2) if words)


def everyday(case: Case, text: str) -> Iterator[str]:
    """Another everyday thing for one that a phrase in small letters names, "lizard
    bracelets" for "parrot earrings"; what else the phrase says of it goes, but for how
    many there are: "three ferrets and a tortoise" for "two cats and a parrot"."""
    words = MORE.split(text, 1)[0].split()
    if is_named(text) or not is_everyday(text):
        return
    rows: list[tuple[Sequence[str], bool]] = []
    at = 0
    while at < len(words):
        two = _row(" ".join(words[at : at + 2])) if words[at + 1 :] else None
        if found := two or _row(words[at]) or _kept(words[at], case):
            rows.append(found)
        at += 2 if two else 1
    for _ in range(30):
        drawn = ((case.rng.choice(row), many) for row, many in rows)
        new = [plural(word) if many else word for word, many in drawn]
        if fits_article(new[0], case.before) and not {*new} & {*words} - _KEPT:
            yield with_articles(" ".join(new))


def _kept(word: str, case: Case) -> tuple[Sequence[str], bool] | None:
    """A word between things that stays, or other numbers for one; None for all else."""
    if word in _KEPT:
        return (word,), False
    if word.isdecimal():
        return [figure_in_name(word, case.rng) for _ in range(3)], False
    others = [*islice(other_said(word, "en", case.rng), 3)]
    several = [x for x in others if x != "one"]
    return (several, False) if several else None


def lowered(case: Case, text: str) -> Iterator[str]:
    """Other words for each of a phrase in a text without capitals, where it may be a name:
    "mellow classics"."""
    around = re.sub(r"\bI\b", "", case.mention.around or text)
    thing = is_vocabulary(text) or _ARTICLE.search(case.before)
    short = len(text.split()) <= _LONGEST_NAME and "," not in text
    if short and around.islower() and not thing:
        for _ in range(20):
            yield exchanged(text, None, case.geography, case.rng)


@cache
def _alike() -> dict[tuple[int, str], tuple[str, ...]]:
    """Everyday words of content used alike, by the number of their group and their ending."""
    words = [w for w in everyday_words("en") if len(w) > 2 and is_vocabulary(w)]
    unfit = function_words("en").union(_LISTS["offensive"])
    words = [w for w in words if w not in unfit]
    rows: dict[tuple[int, str], list[str]] = {}
    for word, group in zip(words, groups_of(words)[:, 0].tolist()):
        rows.setdefault((group, _ENDING.findall(word)[0]), []).append(word)
    return {key: tuple(row) for key, row in rows.items()}


@lru_cache(maxsize=1 << 12)
def used_alike(word: str) -> tuple[str, ...]:
    """Everyday words used like a word in small letters, with its ending: "sandwich" for
    "doughnut"; empty if there are none or but one."""
    group = int(groups_of([word])[0, 0])
    row = _alike().get((group, _ENDING.findall(word)[0]), ()) if group else ()
    others = tuple(other for other in row if other != word)
    return others if len(others) > 1 else ()


def exchanged(
    text: str, kept: frozenset[str] | None, geography: Geography, rng: random.Random
) -> str:
    """A name with other words, used like its own: "Early Season Concerto" for "Late Night
    Jazz". Words of grammar stay, and, unless `kept` is None, those that it has and those
    in small letters: "Battle of Leeds" for "Battle of Sattelberg"."""

    def other(match: re.Match[str]) -> str:
        word = match.group()
        if word[0].isdecimal():
            return figure_in_name(word, rng)
        stays = kept is not None and (word in kept or word.islower())
        if stays or word.lower() in function_words("en"):
            return word
        if word.isupper() and 1 < len(word) < 6:
            return like(word, rng)
        return _other_word(word, text[: match.start()], geography, rng)

    return _TOKEN.sub(other, text)


def _other_word(
    word: str, before: str, geography: Geography, rng: random.Random
) -> str:
    """A place or people for one, a word used like a word, a name for a name."""
    low = word.lower()
    if fold(word) in index().by_name:
        return geography.name_for(word)
    if demonym(word):
        return next(geography.nationality(word), word)
    if before.endswith((" of ", " at ")) and not is_vocabulary(low):
        return next(geography.cities(word), word)
    if row := used_alike(low):
        return like_capitals(rng.choice(row), word)
    named = is_listed_name(low, "en")
    new = next(shuffled(surnames(), rng)) if named else coined(word, rng)
    return like_capitals(new, word)


def coined(old: str, rng: random.Random) -> str:
    """A name of one word that nothing has, and that has no three letters of the old one in
    a row, if there is any such."""
    low, drawn = old.lower(), [*islice(firm_names(rng), _NAMES)]
    threes = ((x, (x[i : i + 3].lower() for i in range(len(x) - 2))) for x in drawn)
    fresh = (x for x, parts in threes if not any(part in low for part in parts))
    return next(fresh, drawn[0])
