"""New names for organisations: kinds and legal forms stay, names change."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy

from ..data import facts
from ..gazetteers.lexicon import FAMILY, GIVEN, LOWER, PLACE, class_of, groups_of
from ..gazetteers.names import surnames
from ..lang.inflection import like_capitals
from ..text import names
from ..text.countries import WITH_ARTICLE, index
from ..text.folding import without_invisible
from ..text.localities import UK, US, tables
from ..text.names import fold
from ..text.numbers import ordinal_suffix
from ..text.towns import homes_of
from .acronyms import SHORT, Acronyms, like_short
from .base import (
    Draws,
    Mention,
    is_acronym,
    like,
    listed,
    match_case,
    normalise,
    possessive,
    preferred_first,
    shuffled,
    with_articles,
)
from .cases import (
    Case,
    World,
    acronym,
    by_lexicon,
    by_tables,
    is_lettered,
    replace_each,
)
from .coined import FIRMS, firm_names
from .consistency import bits_left
from .exchange import ENGLISH_KINDS, WORD, exchanged, firms, named_beside
from .frame import LETTERS, NAME, Frame, compound, known
from .geography import KIND_OF, Geography, alike_places, new_saint, saints_like
from .institutions import is_institution, other_institutions
from .numbers import figure_in_name
from .rules import Rule, candidates
from .term_rows import term_row

_FACTS = facts("lang/en/organisations")
# What a name of a person or a place does not end with.
_HEADS = frozenset(_FACTS["heads"])
# Another topic stands where one stood among the words of an institution's kind, no
# surname: "World Wildlife Fund".
_TOPICS = tuple(_FACTS["topics"])
_SYMBOLS = tuple(map(tuple, _FACTS["symbols"]))
# What saints are called beside their names.
_EPITHETS = listed("Martyr,Confessor,Apostle,Evangelist,Elder,Great,Good,Hermit")
# Clubs are called after a place as companies are.
_CLUBS = frozenset("fc afc rfc united rovers wanderers".split())
# "Save the Children"
_VERBS = tuple(_FACTS["verbs"])
# In how many grains of groups two words are together that are used alike.
_GRAINS_SHARED = 3
_FUNCTION = frozenset(_FACTS["function"])
_TOLD = LOWER | FAMILY | GIVEN
_BEFORE_PLACES = frozenset("of at in de di da du von van".split())
# What an institution is for: another of its row may stand in its place.
_ROW_OF = {word.lower(): row for row in _FACTS["rows"] for word in row}
# What it deals in, animals, colours, sides of the sky: another one always stands there.
_TRADE_OF = {word.lower(): row for row in _FACTS["trades"] for word in row}
_SYNONYMS: dict[str, list[str]] = _FACTS["synonyms"]
# What stands alone, without any name.
_ALONE_OF = {item.lower(): row for row in _FACTS["alone"] for item in row}
_PLAIN = tuple(_FACTS["plain"])
_CONSONANTS = "BCDFGHKLMNPRSTVW"
_TOKEN = re.compile(r"[^\W_]+(?:['’.&][^\W_]+)*\.?|&")
# "St Thomas' Hospital"
_BARE_ENDING = re.compile(r"(?<=[sSxXzZ])['’](?=\s)")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]{1,6}")
_ARTICLE = re.compile(r"(?:the|The|THE)\s+(?=\S)")
_BRACKETS = re.compile(r"([^()]+?)(\s*\(\s*[“\"']?)([^()]+?)([”\"']?\s*\))(.*)", re.S)
_BRACKETED = re.compile(
    rf"(?P<name>[^()]{{4,}}?)(?P<open>\s*\([\s„“\"«]*)(?P<short>{LETTERS.pattern})"
    r"(?P<close>[\s“”\"»]*\))"
)
_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)", re.I)


class _Words:
    """New words for the words of organisations' names, the same in all of them."""

    def __init__(self, geography: Geography, acronyms: Acronyms):
        self.draws = geography.draws
        self.geography = geography
        self.acronyms = acronyms
        self.map: dict[str, str] = {}
        # Whether the text is one that has no capitals anyway.
        self.lowered = False
        self.lower = False

    def name(self, word: str, company: bool, pool: Sequence[str] = ()) -> str:
        """Another word for one that names; of a pool if one is given."""
        base = names.strip_possessive(word)
        tail = word[len(base) :]
        key = fold(base).strip(".")
        if key not in self.map:
            self.map[key] = self._draw(base, key, company, pool)
        new = match_case(self.map[key], base if len(base) > 1 else "")
        return new + possessive(tail, new)

    def _draw(
        self, word: str, key: str, company: bool, pool: Sequence[str] = ()
    ) -> str:
        draws, pack = self.draws, self.geography.pack
        known = draws.name_map.get(key) or draws.families.get(key)
        if known is not None and len(key) > 2:
            return known.capitalize() if known.islower() else known
        rng = draws.random_for("organisation-word", key)
        owner = "word " + key
        single = any(map(str.isdecimal, word)) or (len(key) == 1 and word.isupper())
        if single or _ACRONYM.fullmatch(word.replace(".", "")):
            letters = _CONSONANTS if single else pack.capital_letters
            made = (like(word, rng, letters) for _ in range(60))
            return draws.pick(made, owner, tries=60, word=True) or like(
                word, rng, letters
            )
        if not pool and word.islower() and not self.lower:
            pool = _PLAIN
        pool = pool or (FIRMS if company else surnames())
        initial = key[:1]
        # Names of firms are coined.
        names = firm_names(rng) if pool is FIRMS else shuffled(pool, rng)
        options = (w for w in names if fold(w)[0] != initial)
        return draws.word(options, "organisation", owner)


class _Rewriting:
    """A name whose naming parts are exchanged.

    text (str): The name.
    words (_Words): New words.
    rng (Random): Source of the draws.
    """

    def __init__(self, text: str, words: _Words, rng: random.Random) -> None:
        self.text = text
        self.words = words
        self.rng = rng
        self.matches = list(_TOKEN.finditer(text))
        self.company = _is_company(self.matches)
        words.lower = words.lowered and text.islower()
        # The "v." of "MURRAY v. NORWAY" is no word in small letters.
        long = [m.group() for m in self.matches if len(m.group().rstrip(".")) > 1]
        self.shouting = (
            len(self.matches) > 1 and bool(long) and all(map(str.isupper, long))
        )
        self.plain = self._plain_words()
        # New word for each that changes; what a phrase has taken up is "\x00".
        self.out: dict[int, str] = {}

    def make(self, level: int) -> str:
        """The new name: level 0 keeps kinds and rows if something else changes, 1
        exchanges rows, 2 kinds, too."""
        i = 0
        while i < len(self.matches):
            after = self._phrase(i) or self._word(i) or i + 1
            i = self._joined(i, after) if level == 0 else after
        for least, rows in enumerate((_ROW_OF, _SYNONYMS), 1):
            if level >= least or not self.out:
                self._exchange(rows)
        return _assemble(self.text, self.matches, self.out)

    def _exchange(self, rows: Mapping[str, Sequence[str]]) -> None:
        """Another word of the same row for each that stays: "Finance" for "Transport"."""
        for i, match in enumerate(self.matches):
            word = match.group()
            base = names.strip_possessive(word)
            if i not in self.out and (row := rows.get(base.lower())):
                new = self.rng.choice([w for w in row if w.lower() != base.lower()])
                self.out[i] = match_case(new, base) + word[len(base) :]

    def _phrase(self, i: int) -> int:
        """Places and nationalities, those of several words first ("United Kingdom").

        RETURNS (int): The word after the phrase; 0 if none begins here.
        """
        start = self.matches[i].start()
        if not self.text[start].isupper() or _saints(self.matches, i, self.words.draws):
            return 0
        for j in range(min(len(self.matches), i + 3), i, -1):
            end = self.matches[j - 1].end()
            phrase = names.strip_possessive(self.text[start:end])
            new = self._at_home(phrase, start, j) or self._place(phrase, start, j)
            if new is not None:
                self.out[i] = new + self.text[start + len(phrase) : end]
                self.out.update(dict.fromkeys(range(i + 1, j), "\x00"))
                return j
        return 0

    def _place(self, phrase: str, start: int, after: int) -> str | None:
        """A new place or nationality; None for what is neither."""
        key, ix, geography = fold(phrase), index(), self.words.geography
        if key in ix.by_name or key in ix.by_city or key in ix.by_region:
            following = ""
            if after < len(self.matches):
                following = self.matches[after].group()
            if key in ix.by_name and _follows_adjective(following):
                # "the United Kingdom Government" becomes "the German Government".
                new = geography.adjective_for(phrase)
                short = len(phrase.replace(".", "")) <= 3
                return new if short else match_case(new, phrase)
            if len(key) < 3 and phrase != phrase.upper():
                return None
            new = geography.name_for(phrase)
            if new in WITH_ARTICLE and phrase not in WITH_ARTICLE:
                # "Bank of America" becomes "Bank of the Philippines".
                of = re.search(r"\b(?:of|in|for|from)\s+$", self.text[:start])
                return f"the {new}" if of else new
            return new
        british = key in geography.british
        town = not {geography.main.name, UK, US}.isdisjoint(homes_of(key))
        town = town and not class_of(key, "en") & (LOWER | FAMILY)
        # "City of Ekurhuleni", "Sub-County Hospital, Hola"
        around = any(m.end() == start for m in KIND_OF.finditer(self.text))
        around |= key in tables().containers or self._is_unlisted_place(key, after - 1)
        known = key in self.words.draws.places or alike_places(key)
        if known or british or town or around:
            return geography.name_for(phrase)
        return next(geography.nationality(phrase)) if key in ix.by_demonym else None

    def _is_unlisted_place(self, key: str, i: int) -> bool:
        """Whether a name in no list stands where an institution's place does."""
        words = [m.group().lower() for m in self.matches]
        behind = words[i - 1] in _BEFORE_PLACES or (
            _is_kind(words[i - 1]) and _is_kind(words[0])
        )
        named = words[i] == key and len(key) > 3 and key.isalpha()
        return bool(i) and named and behind and not class_of(key, "en") & _TOLD

    def _at_home(self, phrase: str, start: int, after: int) -> str:
        """What stands for the nation before an institution's name where all towns stay in
        it: "American Heart Association"; "" elsewhere."""
        geography = self.words.geography
        if start or after >= len(self.matches) or not geography.at_home(phrase):
            return ""
        rng = geography.draws.random_for("national", "")
        own = {match.group().lower() for match in self.matches}
        others = (x for x in shuffled(_FACTS["national"], rng) if x.lower() not in own)
        new = next(others, "")
        return new.upper() if self.shouting else new

    def _word(self, i: int) -> int:
        """One word: a number, or a name that is no kind of organisation.

        RETURNS (int): The next word; 0 if this one stays.
        """
        word = self.matches[i].group()
        key = names.strip_possessive(word).lower().rstrip(".")
        ordinal = _ORDINAL.fullmatch(word)
        if ordinal:
            number = int(ordinal.group(1)[:6])
            others = [n for n in range(1, max(12, number + 4)) if n != number]
            new_number = self.rng.choice(others)
            self.out[i] = f"{new_number}{ordinal_suffix(new_number)}"
        elif _stays(key) or i in self.plain:
            return 0
        elif word.isdecimal():
            self.out[i] = figure_in_name(word, self.rng)
        else:
            pool = _saints(self.matches, i, self.words.draws) or self._trades(key)
            if not pool and _is_plain(key):
                pool = _topics_like(key)
            if not pool and not self.company:
                pool = _pool_for(self.matches, i)
            old = word.capitalize() if self.shouting else word
            new = self.words.name(old, self.company, pool)
            self.out[i] = new.upper() if self.shouting else new
        return i + 1

    def _plain_words(self) -> frozenset[int]:
        """Words of the vocabulary beside one that names: "Hankley Packaging"."""
        keys = [names.strip_possessive(m.group()).lower() for m in self.matches]
        open_ = [i for i, key in enumerate(keys) if not _stays(key)]
        plain = frozenset(i for i in open_ if i and _is_plain(keys[i]))
        return plain if len(plain) < len(open_) else frozenset()

    def _trades(self, key: str) -> Sequence[str]:
        used = {match.group().lower() for match in self.matches}
        return [word for word in _TRADE_OF.get(key, ()) if word.lower() not in used]

    def _joined(self, i: int, after: int) -> int:
        """The next word behind those that are one name with a word: "West Mendip". Firms
        keep two, as those of two founders have."""
        if self.company and not (i and self._only_names(i - 1)):
            return after
        new = self.words.map.get(fold(self.matches[i].group()))
        while new and self._only_names(i) and after < len(self.matches):
            apart = self.text[self.matches[after - 1].end() :][:1] != " "
            if apart or not self._only_names(after) or self._phrase(after):
                break
            self.out[after] = "\x00"
            self.words.map.setdefault(fold(self.matches[after].group()), new)
            after += 1
        return after

    def _only_names(self, i: int) -> bool:
        """Whether a word tells nothing but a name, and nobody's of the document."""
        word, draws = self.matches[i].group(), self.words.draws
        key = fold(word)
        return (
            key.isalpha()
            and (self.shouting or (word[:1].isupper() and not _ACRONYM.fullmatch(word)))
            and key not in draws.name_map
            and key not in draws.families
            and not _stays(key)
            and i not in self.plain
            and key not in _TRADE_OF
            and not _saints(self.matches, i, draws)
        )


def _follows_adjective(word: str) -> bool:
    """Whether a word behind a country's name asks for its adjective."""
    low = word.lower()
    return (low in ENGLISH_KINDS or word.islower()) and low not in _FUNCTION


def has_kind(text: str) -> bool:
    """Whether a name of several words ends with what an organisation is.

    text (str): "Harbor Light Home Care".
    RETURNS (bool): True if its last word, or the one before "of", says so.
    """
    text = text.partition(" of ")[0]
    return text.lower().rstrip(".").rpartition(" ")[2] in _HEADS


def _saints(matches: Sequence[re.Match[str]], i: int, draws: Draws) -> Sequence[str]:
    """What may stand for the name of a saint, and for what else one is called; empty
    for other words."""
    before = matches[i - 1].group().lower().rstrip(".") if i else ""
    if before in ("st", "saint"):
        name = names.strip_possessive(matches[i].group())
        new = new_saint(name, draws)
        return (new,) if new else saints_like(name)
    if before == "the" and i > 2 and _saints(matches, i - 2, draws):
        return _EPITHETS
    return ()


@cache
def _said_by_names() -> tuple[list[str], numpy.ndarray]:
    """What organisations are for, with the groups of words used alike."""
    known = sorted({*_ROW_OF, *map(str.lower, (*_TOPICS, *_FACTS["spheres"]))})
    return known, groups_of(known)


@lru_cache(maxsize=1 << 12)
def _topics_like(word: str) -> tuple[str, ...]:
    """What organisations are for that is used like a word, in its number: "Surveys" for
    "Statistics"; empty if little is."""
    known, groups = _said_by_names()
    own = groups_of([word])
    alike = ((groups == own) & (own > 0)).sum(axis=1) >= _GRAINS_SHARED
    found = (x for x, is_alike in zip(known, alike) if is_alike and x != word)
    like = [x.capitalize() for x in found if (x[-1] == "s") == (word[-1] == "s")]
    return tuple(like) if len(like) > 2 else ()


def _pool_for(matches: Sequence[re.Match[str]], i: int) -> Sequence[str]:
    """What may stand for a naming word of an institution; empty for names of persons
    and places, which surnames stand for.

    matches (Sequence[Match]): The words of the name.
    i (int): Which of them.
    RETURNS (Sequence[str]): Topics, symbols or verbs.
    """
    words = [m.group().lower() for m in matches]
    if i == 0 and words[1:2] == ["the"]:
        return _VERBS
    if i == 0 and any(word.replace(".", "") in _CLUBS for word in words):
        return FIRMS
    if i == 0:
        return ()
    if not _is_kind(words[0]) or words[i - 1] in ("of", "de", "st", "st."):
        # "Murray Clinic", "University of Leeds"
        return ()

    def names(k: int) -> bool:
        word = words[k] if 0 <= k < len(words) else "of"
        return not _stays(word)

    if names(i + 1):
        return _SYMBOLS[0]
    return _SYMBOLS[1] if names(i - 1) else _TOPICS


def _stays(key: str) -> bool:
    """Whether a word is grammar, a legal form, or says what an organisation is."""
    return (
        key in _FUNCTION
        or key.replace(".", "") in names.LEGAL_FORMS
        or key in _ROW_OF
        or _is_kind(key)
    )


def _is_plain(key: str) -> bool:
    known = class_of(key, "en")
    named = known & (GIVEN | FAMILY | PLACE) or key in _TRADE_OF
    return bool(known & LOWER) and not named


def _is_kind(key: str) -> bool:
    key = key.replace(".", "")
    return (
        key in ENGLISH_KINDS
        or key in _SYNONYMS
        or (key[-1:] == "s" and key[:-1] in ENGLISH_KINDS)
    )


def _assemble(text: str, matches: Sequence[re.Match[str]], out: dict[int, str]) -> str:
    pieces = []
    position = 0
    for i, match in enumerate(matches):
        new = out.get(i, match.group())
        if new == "\x00":
            position = match.end()
            continue
        pieces += [text[position : match.start()], new]
        position = match.end()
        ending = _BARE_ENDING.match(text, position) if i in out else None
        if ending is not None:
            pieces.append(possessive(ending.group(), new))
            position = ending.end()
    pieces.append(text[position:])
    return with_articles("".join(pieces))


def _is_company(matches: Sequence[re.Match[str]]) -> bool:
    keys = [m.group().lower().replace(".", "") for m in matches]
    return not names.LEGAL_FORMS.isdisjoint(keys[1:]) or ENGLISH_KINDS.isdisjoint(keys)


def replace_organisations(mentions: Sequence[Mention], world: World) -> list[str]:
    """New names for the organisations of a document.

    mentions (Sequence[Mention]): All mentions of organisations, in document order.
    world (World): The document's countries; its draws have new names of persons.
    RETURNS (list[str]): One text a mention.
    """
    # What nobody sees makes no two words of one, of which the next may stay.
    seen = (without_invisible(m.text) for m in mentions)
    mentions = [m._replace(text=text or m.text) for m, text in zip(mentions, seen)]
    acronyms = Acronyms(mentions, world)
    words: Any = {}
    if isinstance(world, Geography):
        words = _Words(world, acronyms)
        words.lowered = not any(m.text[:1].isupper() for m in mentions)

    def make(mention: Mention) -> str:
        made = acronyms.of(mention)
        if made is None:
            made = _organisation(_Case(mention, world, "organisation", words, acronyms))
        acronyms.note(mention.text, made)
        return made

    # Full names first: acronyms are made from them.
    return replace_each(mentions, world, make, lambda m: -len(m.text))


@dataclass
class _Case(Case):
    """A name to be replaced, in English an article, the name without it, and a possessive
    ending.

    words (Any): `_Words` in English, else new words by old ones, filled here.
    acronyms (Acronyms): Those of the document.
    """

    words: Any
    acronyms: Acronyms

    def __post_init__(self) -> None:
        super().__post_init__()
        self.lead, self.core, self.ending = "", self.text, ""
        self.fits = self.acronyms.fitting(self.text)
        if isinstance(self.world, Geography):
            base = names.strip_possessive(self.text)
            head = _ARTICLE.match(base)
            self.lead = head.group() if head else ""
            self.core = base[len(self.lead) :]
            self.ending = self.text[len(base) :]

    @cached_property
    def key(self) -> str:
        if isinstance(self.world, Frame) or fold(self.core) in index().by_name:
            return self.world.key(self.core)
        return normalise(self.text)

    @cached_property
    def rng(self) -> random.Random:
        return self.draws.random_for(self.kind, normalise(self.core))

    def whole(self, new: str) -> str:
        """Another name with the article and the ending of this one."""
        new = self.lead + new
        bare = len(self.ending) == 1
        return new + (possessive(self.ending, new) if bare else self.ending)


def _organisation(case: _Case) -> str:
    asked = _RULES if case.core and len(case.text) <= 300 else ()
    made: Iterator[str] = map(case.whole, candidates(asked, case))
    made = preferred_first(made, case.fits) if case.fits else made
    return case.pick(made, 80) or case.last_resort("organisation")


def _of_its_row(case: _Case) -> Iterator[str]:
    core = case.core
    for item in shuffled(_ALONE_OF.get(fold(core)) or term_row(core) or (), case.rng):
        if item.lower() != core.lower():
            if core[:1].isupper() and item[:1].islower():
                item = " ".join(w[:1].upper() + w[1:] for w in item.split())
            yield match_case(item, core)


def _other_letters(case: _Case) -> Iterator[str]:
    for _ in range(60):
        yield case.words.name(case.core, True)
        case.words.map.pop(fold(case.core), None)


def _rewritten(case: _Case) -> Iterator[str]:
    settled = -1
    for level in (0, 0, 1, 1, 1, *[2] * 14):
        if level == settled:
            continue
        before = bits_left(case.rng)
        made = _parenthesised(case.core, case.words, level, case.rng)
        if before is not None and bits_left(case.rng) == before:
            # Nothing was drawn: the next one would be the same.
            settled = level
        yield made


def _with_its_kind(case: _Case) -> Iterator[str]:
    kind, first = _tail(case.core), case.core.split()[0]
    # "Clínica Santa María"
    lead = first if not kind and _is_kind(first.lower()) else ""
    for word in firm_names(case.rng):
        yield match_case(f"{lead} {word} {kind}".strip(), case.core)


def _bracketed(case: _Case) -> Iterator[str]:
    """ "Name (ABC)": the letters are those of the new name."""
    named = _BRACKETED.fullmatch(case.text)
    if named is None or case.pack.is_kind(named["short"]):
        return
    after = case.text[named.end("name") :]
    mention = case.mention._replace(text=named["name"], after=after)
    inner = _Case(mention, case.world, case.kind, case.words, case.acronyms)
    inner.fits = case.fits
    new = _organisation(inner)
    made = filter(None, case.acronyms.made(named["short"], named["name"], new))
    if short := next(made, ""):
        yield new + named["open"] + short + named["close"]


def _beside_its_kind(case: _Case) -> Iterator[str]:
    """A name for what has none: its words say what it is, and stay, or the one that it is
    called by: "Комиссии «Баланс»" for "Комиссии по атомной энергии"."""
    text, pack, words = case.text, case.pack, WORD.findall(case.text)
    if text[:1].isupper() and any(map(pack.is_kind, words)):
        for name in shuffled(pack.patrons, case.rng):
            yield f"{text} {name}" if pack.kind_first else f"{name}-{text}"
    kinds = (w for w in words if pack.is_kind(w) and pack.noun_keys(w, case.before))
    kind = next(kinds, "") if len(words) > 2 else ""
    first, last = pack.words.get("quotes", ("", ""))
    for name in shuffled(pack.companies, case.rng) if kind else ():
        yield f"{kind} {first}{name}{last}"


def _two_words(case: _Case) -> Iterator[str]:
    """One word has no initials: "VS" stands for two."""
    pool = list(shuffled([n for n in case.pack.companies if " " not in n], case.rng))
    yield from map(" ".join, zip(pool[::2], pool[1::2]))


_RULES: tuple[Rule[_Case], ...] = (
    by_tables("what stands alone, or a term: another of its row", _of_its_row),
    by_tables(
        "a country",
        lambda c: [c.geography.name_for(c.core)],
        lambda c: fold(c.core) in index().by_name,
    ),
    by_tables(
        "an acronym that the document explains",
        acronym,
        lambda c: is_acronym(c.mention) and c.core == c.mention.text,
    ),
    by_tables("an acronym", _other_letters, lambda c: bool(_ACRONYM.fullmatch(c.core))),
    Rule(
        "an institution that nothing names",
        lambda c: other_institutions(c, c.core),
        lambda c: is_institution(c, c.core),
    ),
    by_tables("other words for those that name", _rewritten),
    by_tables(
        "a company's name with the same kind",
        _with_its_kind,
        lambda c: c.core[:1].isupper(),
    ),
    by_lexicon("another inn", named_beside),
    by_lexicon("a name with its acronym", _bracketed),
    by_lexicon("what the lexicon knows", lambda c: known(c.mention, c.text, c.frame)),
    by_lexicon("a compound", lambda c: compound(c.mention, c.frame, c.rng)),
    by_lexicon("other capitals", acronym, is_lettered),
    by_lexicon("other words for those that name", lambda c: exchanged(c, c.words)),
    by_lexicon(
        "a name of two words",
        _two_words,
        lambda c: c.fits is not None and len(NAME.findall(c.text)) == 2,
    ),
    by_lexicon("a name beside its kind", _beside_its_kind),
    by_lexicon(
        "the name of a company",
        lambda c: (
            like_capitals(n, c.text) for n in shuffled(firms(c.text, c.pack), c.rng)
        ),
    ),
)


def _tail(text: str) -> str:
    """The words at the end of a name that may stay: its kind and its legal form. One
    word at least is left out."""
    matches = list(_TOKEN.finditer(text))
    start = len(matches)
    for i in range(len(matches) - 1, 0, -1):
        key = matches[i].group().lower().strip(".")
        legal = key.replace(".", "") in names.LEGAL_FORMS
        if legal or _is_kind(key):
            start = i
        if not legal:
            break
    return text[matches[start].start() :] if start < len(matches) else ""


def _parenthesised(text: str, words: _Words, level: int, rng: random.Random) -> str:
    """Names with another name or an acronym of theirs in brackets."""
    match = _BRACKETS.match(text) if "(" in text else None

    def rewrite(part: str) -> str:
        return _Rewriting(part, words, rng).make(level)

    if match is None:
        return rewrite(text)
    main, open_, inner, close, rest = match.groups()
    new = rewrite(main)
    if any(
        w.islower() and not _is_kind(w) and w not in _FUNCTION
        for w in re.findall(r"[^\W\d_]+", inner)
    ):
        # The name in another language says the same again.
        open_ = inner = close = ""
    elif SHORT.fullmatch(short := inner.replace(".", "")):
        made = words.draws.acronyms.get(short)
        made = made or next(words.acronyms.made(short, main, new))
        inner = like_short(made, inner) or like(
            inner, rng, words.geography.pack.capital_letters
        )
    elif SHORT.fullmatch(main.strip()):
        # "NMA (National Maritime Academy)"
        inner = rewrite(inner)
        new = next(words.acronyms.made(main.strip(), match[3], inner)) or new
    else:
        inner = rewrite(inner)
    return new + open_ + inner + close + (rewrite(rest) if rest.strip() else rest)


def stands_alone(text: str) -> bool:
    """Whether a text is an organisation that nothing names: "fire brigade"."""
    return fold(text) in _ALONE_OF


def alone_rows() -> tuple[frozenset[str], ...]:
    """Organisations that stand without a name, folded, a row for each kind."""
    return tuple(frozenset(map(fold, row)) for row in _FACTS["alone"])
