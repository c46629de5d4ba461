"""New texts for works, events, laws and whatever is of no other kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ..data import word_lists
from ..gazetteers.names import surnames
from ..lang.base import last_word
from ..lang.inflection import by_determiner
from ..text.countries import WITH_ARTICLE, index
from ..text.names import GENERIC, fold
from ..text.numbers import WORDS_PATTERN
from .base import (
    BEGINS_WITH_ARTICLE,
    Mention,
    in_place_of,
    is_acronym,
    is_named,
    match_case,
    shuffled,
    without_article,
)
from .cases import Make, World, acronym, by_lexicon, by_tables, replace_each
from .exchange import named_beside
from .frame import LETTERS, QUOTED, Frame, capitals
from .geography import Geography
from .numbers import Numbers
from .predicates import activities, clauses, told_otherwise
from .rules import Rule, candidates
from .terms import (
    TermCase,
    by_head,
    phrase_abroad,
    phrase_by_rows,
    sentence_case,
    siblings,
)
from .things import anything, everyday, exchanged, lowered, things

_LISTS = word_lists("lang/en/vague")
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")
_LONG = re.compile(r"[^\W\d_]{3,}")
_NUMBERS = re.compile(rf"\d|\b{WORDS_PATTERN}\b", re.I)
_DESIGNATION = re.compile(r"[a-z]+ \d\S*")
_OPENING = re.compile(r"[\W_]*")
_PERSONAL = ("term:OCCUPATION:", "term:DISEASE:", "term:DEGREE:", "term:FAMILY:")
_VERSUS = re.compile(r"(.+?)(\s+(?:v|vs|c)\.?\s+)(.+?)((?:\s*\[GC\])?)")
# What may close a phrase that quotation marks or brackets stand around.
_CLOSING = "”\"'’.,;:»"


def replace_misc(mentions: Sequence[Mention], world: World) -> list[str]:
    """New texts for whatever is of no other kind, by their form."""

    def make(mention: Mention) -> str:
        opening, core, closing = "", mention.text, ""
        # "A.M.N." has no point behind it.
        if isinstance(world, Geography) and not is_acronym(mention):
            opening, core, closing = _unquoted(mention.text)
        case = _Case(mention, world, "misc", core)
        made = candidates(_RULES, case)
        found = case.pick((f"{opening}{new}{closing}" for new in made if new), 80)
        return found or case.last_resort("misc")

    return replace_each(mentions, world, make)


@dataclass
class _Case(TermCase):
    """A mention without the marks around it, and what the rules for it share."""

    core: str = ""


def _is_short(case: _Case) -> bool:
    return 0 < len(case.core) <= 120


def _of_core(make: Callable[[_Case, str], Iterator[str]]) -> Make[_Case]:
    """What makes texts of a part of a mention, asked for its core."""
    return lambda case: make(case, case.core)


def _unquoted(text: str) -> tuple[str, str, str]:
    """A text in three: quotation marks and brackets stay outside."""
    match = _OPENING.match(text)
    opening = match.group() if match else ""
    core = text[len(opening) :].rstrip(_CLOSING)
    while core[-1:] in (")", "]"):
        if core.count(core[-1]) <= core.count("(" if core[-1] == ")" else "["):
            break
        core = core[:-1].rstrip(_CLOSING)
    closing = text[len(opening) + len(core) :]
    if opening.strip() and not closing.strip():
        # Quotation marks that close inside the phrase go with it.
        opening = opening.rstrip("“‘\"'«([")
    return opening, core, closing


def _parties(case: _Case) -> Iterator[str]:
    versus = _VERSUS.fullmatch(case.core)
    if versus is None:
        return
    for attempt in range(6):
        yield _case_name(versus, case.geography, attempt)


def _quoted(case: _Case) -> Iterator[str]:
    """Another title between quotation marks."""
    quoted = QUOTED.search(case.text)
    for title in shuffled(case.pack.titles, case.rng):
        if quoted is None:
            return
        start, end = quoted.span("name")
        new = match_case(title, quoted["name"])
        yield case.text[:start] + new + case.text[end:]


def _phrases(case: _Case) -> Iterator[str]:
    if isinstance(case.world, Frame):
        words = _WORD.findall(case.core)
        # A word for somebody is no reason to leave those beside it as they are.
        lexicon = case.pack.lexicon()
        personal = any(lexicon.in_row(word, _PERSONAL) for word in words)
        asked = case.core[:1].islower() and not personal
        yield phrase_abroad(case) if asked else ""
        return
    core, numbers = case.core, Numbers(case.draws, in_names=True)
    numbered = _NUMBERS.search(core) is not None
    for attempt in range(4):
        part = numbers.replace(core, bool(attempt)) if numbered else core
        changed = phrase_by_rows(case.world, part, attempt)
        if changed is not None:
            yield changed
        elif numbered and (
            all(fold(w) in GENERIC for w in _LONG.findall(core))
            or _DESIGNATION.fullmatch(core)
        ):
            # "8th District", "bus 143": its words say nothing by themselves.
            yield part


def _alike(case: _Case) -> Iterator[str]:
    text, pack = case.text, case.pack
    if isinstance(case.world, Frame):
        pool: Sequence[str] = pack.titles
        if len(text.split()) == 1:
            pool = [t for t in (*pack.titles, *pack.companies) if " " not in t]
        for title in shuffled(pool, case.rng) if text[:1].isupper() else ():
            yield match_case(title, text)
        # "la yurta" becomes "la pieza": no other article may stand behind one.
        words = pack.words.get("articles", {})
        articled = last_word(case.before) in " ".join(words.values()).split()
        rows: Mapping[str, Sequence[str]] = pack.words.get("things", {})
        for key in by_determiner(words, tuple(rows), case.before)[: int(articled)]:
            yield from shuffled(rows[key], case.rng)
        for phrase in shuffled(pack.phrases, case.rng):
            yield sentence_case(phrase, text)
        return
    named = range(10 if is_named(case.core) else 0)
    works = (exchanged(case.core, None, case.geography, case.rng) for _ in named)
    # Works for names; neutral phrases for anything else.
    for item in chain(works, shuffled(_LISTS["phrases"], case.rng)):
        item = without_article(item, case.before)
        made = item if item[:1].isupper() else in_place_of(item, case.mention)
        yield match_case(made, case.core)


_RULES: tuple[Rule[_Case], ...] = (
    Rule("a term of the same row", _of_core(siblings), _is_short),
    by_tables("other parties to a case", _parties, _is_short),
    Rule(
        "another acronym",
        acronym,
        lambda case: case.core == case.text and is_acronym(case.mention),
    ),
    Rule(
        "other capitals",
        lambda c: (capitals(c.core, c.pack, c.rng) for _ in range(20)),
        lambda case: bool(LETTERS.fullmatch(case.core)),
    ),
    by_lexicon("another animal or ship", named_beside),
    by_lexicon("a title in quotation marks", _quoted),
    by_lexicon(
        "a thing for a compound by its head: 'Volkslauf' for 'Silvesterlauf'",
        lambda case: by_head(case, "MISC"),
        lambda case: case.pack.joins_nouns,
    ),
    by_tables("what somebody does", activities),
    by_lexicon("what else is told in a clause", clauses),
    Rule("each term of a phrase exchanged", _phrases, _is_short),
    by_tables("other circumstances, events or feats", told_otherwise),
    by_tables("another thing of its kind", _of_core(things), _is_short),
    by_tables("another everyday thing of its kind", _of_core(everyday), _is_short),
    by_tables("a name in small letters", _of_core(lowered), _is_short),
    by_tables(
        "any everyday thing",
        _of_core(anything),
        lambda case: _is_short(case) and not BEGINS_WITH_ARTICLE.match(case.core),
    ),
    Rule("a work, else a phrase", _alike),
)


def _case_name(match: re.Match[str], geography: Geography, attempt: int) -> str:
    """ "Stec and Others v. the United Kingdom": other parties to a case."""
    left, versus, right, rest = match.groups()

    def party(text: str) -> str:
        the = "the " if text.startswith("the ") else ""
        name = text[len(the) :]
        if fold(name) in index().by_name:
            new = geography.name_for(name)
            return the + new if new in WITH_ARTICLE or not the else new

        def replace(word: re.Match[str]) -> str:
            old = word.group()
            if not old[0].isupper() or old in ("Others", "Another", "Ors", "Ltd", "Co"):
                return old
            known = geography.draws.name_map.get(fold(old))
            if known:
                return known.capitalize()
            key = f"{fold(old)}{attempt or ''}"
            rng = geography.draws.random_for("party", key)
            return match_case(next(shuffled(surnames(), rng)), old)

        return _WORD.sub(replace, text)

    return party(left) + versus + party(right) + rest
