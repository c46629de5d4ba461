"""Organisations that nothing names: "a law firm", "городская администрация"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import cycle, islice, takewhile

from ..data import facts
from ..gazetteers.lexicon import is_vocabulary
from ..lang.base import LAND, LanguagePack
from ..text.case import match_case
from .base import shuffled, splice, with_articles
from .cases import Case
from .exchange import TOPICS, siblings
from .frame import LETTERS, QUOTED, Frame
from .geography import Geography
from .term_rows import plural

_FACTS = facts("lang/en/organisations")
# English words for an organisation of no known kind.
VAGUE = tuple(_FACTS["vague"])
# Letters of the shortest noun that is looked for at the end of another.
_HEAD = 5
_LETTERS = re.compile(r"[^\W\d_]+")
_OPENS = re.compile(r"(?:^|[.!?:\n])[\s\"'“«(]*$")
# What goes on behind the English noun: "the board of trustees".
_OF = re.compile(r"\b(?:of|for|in|at)\b")


def is_institution(case: Case, core: str) -> bool:
    """Whether an organisation is called by everyday words in small letters alone; where
    nouns have capitals, one may have one, else where words are declined the first of
    several: "Народная партия".

    case (Case): The organisation.
    core (str): Its text, in English without "the" and a possessive ending.
    """
    words, nouns = _LETTERS.findall(core), case.pack.joins_nouns
    named = words
    if words and (not nouns or words[0].lower() in case.small_words):
        named = words[1:] if _OPENS.search(case.before) else words
    capitals = sum(not word.islower() for word in named)
    several = isinstance(case.world, Frame) and len(named) > 1
    figures = any(map(str.isdecimal, core)) or QUOTED.search(core) is not None
    if (
        figures
        or _is_in_letters(core, case)
        or capitals > (nouns or (several and named[0].istitle()))
    ):
        return False
    lowered = core.islower() and _is_lowered_name(words, core, case)
    alone = len(words) == 1 and not nouns and case.lowered
    return not lowered and (alone or all(_is_everyday(word, case) for word in words))


def _is_in_letters(core: str, case: Case) -> bool:
    """ "BMW", where not all is in capitals."""
    around = case.before + case.mention.after
    return LETTERS.fullmatch(core) is not None and any(map(str.islower, around))


def _is_lowered_name(words: Sequence[str], core: str, case: Case) -> bool:
    """ "café krümel" would be "Café Krümel" where nouns have capitals; so would in English
    "saint anne", and "bluff street pharmacy" where nothing else has any."""
    pack, several = case.pack, len(words) > 1
    if isinstance(case.world, Geography):
        around = core == case.text and (case.before + case.mention.after).islower()
        return several and (around or words[0] in ("st", "saint"))
    bare = pack.joins_nouns and several and words[1] not in case.small_words
    return bare and bool(pack.is_kind(words[0]) or _in_row(words[0], pack))


def _is_everyday(word: str, case: Case) -> bool:
    if isinstance(case.world, Frame):
        rows = [found.lexeme.row for found in case.pack.lexicon().find(word)]
        if rows:
            # Not what comes from a place or a people: "Московский университет".
            named = ("term:", "placeadj:n")
            return all(r.startswith(named) and LAND not in r for r in rows)
        if case.pack.joins_nouns and _in_row(word, case.pack):
            return True
    if word.istitle() and case.pack.of_place.search(word):
        return case.pack.kept.fullmatch(word) is not None  # "Вильнюсский"
    # The letter of an elided article is no word.
    return len(word) == 1 or is_vocabulary(word.lower(), case.pack.lang)


def other_institutions(case: Case, core: str) -> Iterator[str]:
    """What it is for, else what it is, gives way to another of its row in the same form
    and the rest stays; what is in no row, to a vague word behind its article if it has no
    capital.

    case (Case): An organisation of which `is_institution` holds.
    core (str): As there.
    YIELDS (str): Texts in the place of `core`.
    """
    small = case.small_words
    words = [m for m in _LETTERS.finditer(core) if m.group().lower() not in small]
    if words:
        made = _declined if isinstance(case.world, Frame) else _english
        lowered = isinstance(case.world, Frame) and case.pack.capital_nouns
        for new in made(case, core, words):
            if core[:1].isupper():
                new = new[:1].upper() + new[1:]
            # In small letters nouns have no capitals either.
            yield new.lower() if lowered and core.islower() else new


def _english(case: Case, text: str, words: list[re.Match[str]]) -> Iterator[str]:
    first = words[0]
    *_, head = takewhile(
        lambda m: m is first or not _OF.search(text, first.end(), m.start()), words
    )
    row, several = _english_nouns().get(head.group().lower(), (VAGUE, False))
    for noun in shuffled(row, case.rng):
        new = plural(noun) if several else noun
        if new != head.group().lower():
            yield with_articles(text[: head.start()] + new + text[head.end() :])


@cache
def _english_nouns() -> dict[str, tuple[tuple[str, ...], bool]]:
    """Rows of nouns by each of them, and whether it is a plural."""
    rows = [tuple(row) for row in _FACTS["nouns"]]
    found = {plural(noun): (row, True) for row in rows for noun in row}
    return found | {noun: (row, False) for row in rows for noun in row}


def _in_row(word: str, pack: LanguagePack) -> str:
    """A word that a row has, or the end of one that does: "Schule" of "Waldorfschule"."""
    ends = range(max(1, len(word) - _HEAD) if pack.joins_nouns else 1)
    heads = (word if i == 0 else match_case(word[i:].title(), word) for i in ends)
    rows = ("term:ORG:",)
    return next((head for head in heads if pack.lexicon().in_row(head, rows)), "")


def _declined(case: Case, text: str, words: list[re.Match[str]]) -> Iterator[str]:
    pack = case.pack
    lead = text[: words[0].start()]
    # An article or a preposition stands before the attributes.
    before = case.before + lead
    yield from _of_rows(case, text, words, before)
    titled = text[:1].isupper() and words[1:] and not pack.joins_nouns
    if titled and not _OPENS.search(case.before):
        return
    head = next((m for m in words if not pack.adjectives(m.group())), words[0])
    keys = pack.keys(head.group(), before)
    if attribute := pack.adjectives(words[0].group()):
        # "социальной сети" is no nominative of the plural.
        agreed = pack.narrow(pack.agree(attribute, text[words[0].end() :]), before)
        keys = (*(key.rpartition(" ")[2] for key in agreed), *keys)
    for row in pack.institutions(before):
        for noun in shuffled(row, case.rng):
            forms = pack.forms(noun)
            yield lead + next((forms[k] for k in keys if k in forms), noun)


def _of_rows(
    case: Case, text: str, words: list[re.Match[str]], before: str
) -> Iterator[str]:
    pack = case.pack
    topics = [m for m in words if case.frame.find(m.group(), TOPICS)]
    told = [m.group() for m in words]

    def others(m: re.Match[str]) -> list[tuple[int, int, str]]:
        part = m.group() if topics else _in_row(m.group(), pack)
        after = text[m.end() :] + case.mention.after
        made = siblings(part, case.frame, before, after)
        return [(m.start(), m.end(), new) for new in made if new not in told]

    kinds = [m for m in words if _in_row(m.group(), pack)][:1]
    rows = [row for row in map(others, topics or kinds) if row]
    for edits in islice(zip(*map(cycle, rows)), max(map(len, rows), default=0)):
        if len({new for _, _, new in edits}) == len(edits):
            yield splice(text, edits)
