"""New names for organisations: kinds and legal forms stay, names change."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..data import facts
from ..gazetteers.names import surnames
from ..text import names
from ..text.countries import WITH_ARTICLE, Country, index
from ..text.names import fold
from ..text.numbers import ordinal_suffix
from .base import (
    Draws,
    Mention,
    in_place_of,
    invent_word,
    is_acronym,
    listed,
    match_case,
    normalise,
    possessive,
    preferred_first,
    shuffled,
    with_articles,
)
from .consistency import bits_left
from .geography import Geography, british_court, new_saint, saints_like
from .rules import Rule, candidates
from .term_rows import term_row

_FACTS = facts("lang/en/organisations")
# Words of what an organisation is; they may stay.
_KINDS = frozenset(_FACTS["kinds"])
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
_FUNCTION = frozenset(_FACTS["function"])
# What an institution is for: another of its row may stand in its place.
_ROWS: tuple[tuple[str, ...], ...] = tuple(map(tuple, _FACTS["rows"]))
_ROW_OF = {word.lower(): row for row in _ROWS for word in row}
_SYNONYMS: dict[str, tuple[str, ...]] = {
    k: tuple(v) for k, v in _FACTS["synonyms"].items()
}
# What stands alone, without any name.
_ALONE: tuple[tuple[str, ...], ...] = tuple(map(tuple, _FACTS["alone"]))
_ALONE_OF = {item.lower(): row for row in _ALONE for item in row}
_COMPANY = tuple(_FACTS["company"])
_PLAIN = tuple(_FACTS["plain"])
_VAGUE = tuple(_FACTS["vague"])
_TOKEN = re.compile(r"[^\W_]+(?:['’.&][^\W_]+)*\.?|&")
# "St Thomas' Hospital"
_BARE_ENDING = re.compile(r"(?<=[sSxXzZ])['’](?=\s)")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]{1,6}")
# An acronym in the script of any language, without points.
_SHORT = re.compile(r"[^\W\d_a-zа-яё][^\W_a-zа-яё]{1,6}")
_ARTICLE = re.compile(r"(?:the|The|THE)\s+(?=\S)")
_BRACKETS = re.compile(r"([^()]+?)(\s*\(\s*[“\"']?)([^()]+?)([”\"']?\s*\))(.*)", re.S)
_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)", re.I)


class _Words:
    """New words for the words of organisations' names, the same in all of them."""

    def __init__(self, draws: Draws, geography: Geography, main: Country | None):
        self.draws = draws
        self.geography = geography
        self.main = main
        self.map: dict[str, str] = {}
        # Whether the text is one that has no capitals anyway.
        self.lowered = False
        self.lower = False

    def name(self, word: str, company: bool, pool: Sequence[str] = ()) -> str:
        """Another word for one that names; of a pool if one is given."""
        base = names.strip_possessive(word)
        tail = word[len(base) :]
        key = fold(base).strip(".")
        new = self.map.get(key)
        if new is None:
            new = self._draw(base, key, company, pool)
            self.map[key] = new
        new = match_case(new, base if len(base) > 1 else "")
        return new + possessive(tail, new)

    def _draw(
        self, word: str, key: str, company: bool, wanted: Sequence[str] = ()
    ) -> str:
        draws = self.draws
        known = draws.name_map.get(key) or draws.families.get(key)
        if known is not None and len(key) > 2:
            return known.capitalize() if known.islower() else known
        rng = draws.random_for("organisation-word", key)
        owner = "word " + key
        if any(ch.isdecimal() for ch in word) or (len(key) == 1 and word.isupper()):
            found = draws.pick(
                (_like(word, rng) for _ in range(60)), owner, tries=60, word=True
            )
            return found or _like(word, rng)
        if _ACRONYM.fullmatch(word):
            found = draws.pick(
                (_letters(word, rng) for _ in range(60)), owner, tries=60, word=True
            )
            return found or _letters(word, rng)
        if word.islower() and not self.lower:
            pool: Sequence[str] = _PLAIN
        elif wanted:
            pool = wanted
        elif company:
            pool = _COMPANY
        else:
            pool = surnames()
        initial = key[:1]
        options = (w for w in shuffled(pool, rng) if fold(w)[0] != initial)
        found = draws.pick(options, owner, tries=60, word=True)
        if found is None:
            made = (invent_word(rng) for _ in range(60))
            found = draws.pick(made, owner, tries=60, word=True) or draws.invent(
                "organisation", owner
            )
        return found


def _like(word: str, rng: random.Random) -> str:
    out = []
    for ch in word:
        if ch.isdecimal():
            out.append(rng.choice("123456789"))
        elif ch.isalpha():
            new = rng.choice("BCDFGHKLMNPRSTVW")
            out.append(new if ch.isupper() else new.lower())
        else:
            out.append(ch)
    return "".join(out)


def _letters(word: str, rng: random.Random) -> str:
    return "".join(
        rng.choice("ABCDEFGHIKLMNOPRSTUVW") if ch.isalpha() else rng.choice("123456789")
        for ch in word
    )


def _swap(word: str, rng: random.Random) -> str | None:
    """Another word of the same row ("Finance" for "Transport")."""
    base = names.strip_possessive(word)
    row = _ROW_OF.get(base.lower())
    if row is None:
        return None
    new = rng.choice([w for w in row if w.lower() != base.lower()])
    return match_case(new, base) + word[len(base) :]


def _rewrite(text: str, words: _Words, level: int, rng: random.Random) -> str:
    """A name with its naming parts exchanged.

    text (str): The name.
    words (_Words): New words.
    level (int): 0 keeps kinds and rows if something else changes, 1 exchanges rows,
        2 kinds, too.
    rng (Random): Source of the draws.
    RETURNS (str): The new name.
    """
    return _Rewriting(text, words, rng).make(level)


class _Rewriting:
    """A name on its way to another one; see `_rewrite`.

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
        self.shouting = text.isupper() and len(self.matches) > 1
        # New word for each that changes; what a phrase has taken up is "\x00".
        self.out: dict[int, str] = {}

    def make(self, level: int) -> str:
        i = 0
        while i < len(self.matches):
            i = self._phrase(i) or self._word(i) or i + 1
        changed = bool(self.out)
        if level >= 1 or not changed:
            self._exchange(lambda word: _swap(word, self.rng))
            changed = bool(self.out)
        if level >= 2 or not changed:
            self._exchange(self._synonym)
        return _assemble(self.text, self.matches, self.out)

    def _exchange(self, make: Callable[[str], str | None]) -> None:
        for i, match in enumerate(self.matches):
            new = make(match.group()) if i not in self.out else None
            if new is not None:
                self.out[i] = new

    def _synonym(self, word: str) -> str | None:
        base = names.strip_possessive(word)
        options = _SYNONYMS.get(base.lower())
        if not options:
            return None
        new = match_case(self.rng.choice(options), base) + word[len(base) :]
        return new.lower() if base.islower() else new

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
            new = self._place(phrase, start, j)
            if new is not None:
                self.out[i] = new + self.text[start + len(phrase) : end]
                self.out.update(dict.fromkeys(range(i + 1, j), "\x00"))
                return j
        return 0

    def _place(self, phrase: str, start: int, after: int) -> str | None:
        """A new place or nationality; None for what is neither."""
        key, ix, geography = fold(phrase), index(), self.words.geography
        main = self.words.main
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
            new = geography.name_for(phrase, main)
            if new in WITH_ARTICLE and phrase not in WITH_ARTICLE:
                # "Bank of America" becomes "Bank of the Philippines".
                of = re.search(r"\b(?:of|in|for|from)\s+$", self.text[:start])
                return f"the {new}" if of else new
            return new
        british = key in geography.british and british_court(self.text) is not None
        if key in self.words.draws.places or british:
            return geography.name_for(phrase, main)
        return next(geography.nationality(phrase)) if key in ix.by_demonym else None

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
        elif _stays(key):
            return 0
        elif word.isdecimal():
            self.out[i] = _like(word, self.rng)
        else:
            pool = _saints(self.matches, i, self.words.draws)
            if not pool and not self.company:
                pool = _pool_for(self.matches, i)
            old = word.capitalize() if self.shouting else word
            new = self.words.name(old, self.company, pool)
            self.out[i] = new.upper() if self.shouting else new
        return i + 1


def _follows_adjective(word: str) -> bool:
    """Whether a word behind a country's name asks for its adjective."""
    low = word.lower()
    return (low in _KINDS or word.islower()) and low not in _FUNCTION


_HEADS = frozenset(
    "court tribunal hospital clinic university college school academy institute faculty "
    "bank ministry department agency council commission committee association society "
    "union federation league company corporation foundation trust church club team "
    "newspaper railway airlines hotel restaurant pharmacy embassy practice surgery "
    "group services centre center partners care legislature congress parliament "
    "cars courier shipping motors systems insurance bakery records press gazette herald "
    "ltd limited inc llc llp plc gmbh".split()
)


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
        return _COMPANY
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


def _is_kind(key: str) -> bool:
    key = key.replace(".", "")
    return key in _KINDS or key in _SYNONYMS or (key[-1:] == "s" and key[:-1] in _KINDS)


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
        ending = None
        if i in out and text[position : position + 1] in ("'", "’"):
            ending = _BARE_ENDING.match(text, position)
        if ending is not None:
            pieces.append(possessive(ending.group(), new))
            position = ending.end()
    pieces.append(text[position:])
    return with_articles("".join(pieces))


def _is_company(matches: Sequence[re.Match[str]]) -> bool:
    keys = [m.group().lower().replace(".", "") for m in matches]
    return not names.LEGAL_FORMS.isdisjoint(keys[1:]) or _KINDS.isdisjoint(keys)


def replace_organisations(
    mentions: Sequence[Mention],
    draws: Draws,
    geography: Geography,
    main: Country | None,
) -> list[str]:
    """New names for the organisations of a document.

    mentions (Sequence[Mention]): All mentions of organisations, in document order.
    draws (Draws): The document's draws, with new names of persons and places.
    geography (Geography): The document's countries.
    main (Optional[Country]): The country the document is about.
    RETURNS (list[str]): One text a mention.
    """
    words = _Words(draws, geography, main)
    words.lowered = not any(m.text[:1].isupper() for m in mentions)
    full: dict[int, list[tuple[str, str]]] = {}
    new: dict[tuple[int, str], str] = {}
    by_text: dict[str, str] = {}
    # Full names first: acronyms are made from them.
    shorts = shortened(mentions)
    for mention in sorted(mentions, key=lambda m: -len(m.text)):
        key = (mention.entity_id, mention.text)
        if key in new:
            continue
        text = mention.text
        derived = _derived(mention, full.get(mention.entity_id, ()), draws)
        if derived is not None:
            new[key] = derived
            continue
        if text not in by_text:
            short = shorts.get(text, ())
            made = by_text[text] = _organisation(mention, words, draws, short)
            for letters in short:
                of = _acronym_of(letters, text, made)
                owner = normalise(letters)
                if of and letters not in draws.acronyms and draws.usable(of, owner):
                    draws.acronyms[letters] = draws.claim(of, owner)
        new[key] = by_text[text]
        full.setdefault(mention.entity_id, []).append((text, new[key]))
    return [new[m.entity_id, m.text] for m in mentions]


_SHORT_BEHIND = re.compile(
    r"\s*\(\s*[“\"']?([^\W\d_a-zа-яё][^\W_a-zа-яё]{1,6})[”\"']?\s*\)"
)
_INSIDE = re.compile(r"\(.*?\)")


class _FullNames:
    """Full names of a document's organisations, the longest first: by their initials, by
    entity, and by what is left without brackets."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self.by_initials: dict[str, str] = {}
        self.by_entity: dict[int, list[str]] = {}
        self.bare: dict[str, list[str]] = {}
        every = {(m.text, m.entity_id): None for m in mentions}
        for text, entity in sorted(every, key=lambda row: -len(row[0])):
            if _SHORT.fullmatch(names.strip_possessive(text).replace(".", "")):
                continue
            bare = _INSIDE.sub("", text).strip()
            for style in _STYLES:
                self.by_initials.setdefault(style(bare), text)
            self.by_entity.setdefault(entity, []).append(text)
            self.bare.setdefault(bare, []).append(text)

    def of(self, short: str, entities: Iterable[int]) -> str | None:
        """The name whose initials an acronym has, or that it abbreviates within its
        entities."""
        own = (text for entity in entities for text in self.by_entity.get(entity, ()))
        return self.by_initials.get(short) or next(
            (text for text in own if _abbreviates(short, text)), None
        )


def shortened(mentions: Sequence[Mention]) -> dict[str, tuple[str, ...]]:
    """Acronyms of a document's organisations by the full names that they stand for: in
    brackets behind the name, initials of it, or of the same entity.

    mentions (Sequence[Mention]): All mentions of organisations.
    RETURNS (dict[str, tuple[str, ...]]): Acronyms without their points; an acronym stands
        for one name.
    """
    letters: dict[str, set[int]] = {}
    inside: dict[str, str] = {}
    for mention in mentions:
        bare = names.strip_possessive(mention.text)
        short = bare.replace(".", "")
        if _SHORT.fullmatch(short):
            letters.setdefault(short, set()).add(mention.entity_id)
        else:
            found = _SHORT_BEHIND.search(mention.text)
            found = found or _SHORT_BEHIND.match(mention.after)
            if found is not None:
                inside.setdefault(mention.text, found[1])
    behind = {short: name for name, short in reversed(inside.items())}
    letters.update({short: set() for short in behind if short not in letters})
    if not letters:
        return {}
    full = _FullNames(mentions)
    out: dict[str, list[str]] = {}
    for short, entities in letters.items():
        name = behind.get(short) or full.of(short, entities)
        if name is not None:
            out.setdefault(name, []).append(short)
            # The same name without the brackets has the same acronym.
            for text in full.bare[_INSIDE.sub("", name).strip()]:
                if text != name:
                    out.setdefault(text, []).append(short)
    return {name: tuple(dict.fromkeys(found)) for name, found in out.items()}


def _abbreviates(short: str, name: str) -> bool:
    """Whether letters stand in a name in their order, the first at its beginning, and
    are no word of it."""
    name = _INSIDE.sub("", name)
    low = name.lower()
    letters = iter(low)
    return (
        low[:1] == short[:1].lower()
        and short.lower() not in _TOKEN.findall(low)
        and all(letter in letters for letter in short.lower())
    )


_SMALL = re.compile(r"(?i)(?:the|an?)")


def _all_initials(name: str) -> str:
    """Initials of a name with those of its small words: "MOD"."""
    words = [w for w in _TOKEN.findall(name) if not _SMALL.fullmatch(w)]
    return "".join(word[0] for word in words).upper()


def _without_form(name: str) -> str:
    """Initials of a name without its legal form."""
    words = _TOKEN.findall(name)
    while len(words) > 1 and fold(words[-1]).replace(".", "") in names.LEGAL_FORMS:
        words.pop()
    return names.acronym(" ".join(words))


# How the letters of an acronym are taken from a name.
_STYLES = (names.acronym, _without_form, _all_initials)


def _styles(name: str, short: str) -> list[Callable[[str], str]]:
    name = _INSIDE.sub("", name)
    return [style for style in _STYLES if style(name) == short]


def _acronym_of(short: str, old: str, new: str) -> str:
    """The acronym of a new name, made as an old one is made of the old name.

    short (str): The old acronym, without points.
    old (str): The old name.
    new (str): The new name.
    RETURNS (str): "" if the new name has one word alone.
    """
    style = (*_styles(old, short), _without_form)[0]
    made = style(_INSIDE.sub("", new))
    return made if len(made) > 1 else ""


def _derived(
    mention: Mention, full: Sequence[tuple[str, str]], draws: Draws
) -> str | None:
    """Acronym of the new full name, where the old one was that of the old name."""
    text = mention.text
    base = names.strip_possessive(text)
    short = base.replace(".", "")
    if not _SHORT.fullmatch(short):
        return None
    made = draws.acronyms.get(short, "")
    for old, new in full if not made else ():
        if _styles(old, short):
            made = _acronym_of(short, old, new)
            break
    if not made:
        return None
    if "." in base:
        made = "".join(ch + "." for ch in made)
    if not draws.usable(made, normalise(base)):
        return None
    draws.claim(made, normalise(base))
    tail = text[len(base) :]
    return made + (possessive(tail, made) if len(tail) > 1 else tail)


@dataclass(frozen=True)
class _Case:
    """A name to be replaced: an article, the name without it, a possessive ending."""

    mention: Mention
    words: _Words
    rng: random.Random
    lead: str
    core: str
    ending: str

    def whole(self, new: str) -> str:
        """Another name with the article and the ending of this one."""
        new = self.lead + new
        bare = len(self.ending) == 1
        return new + (possessive(self.ending, new) if bare else self.ending)


def _organisation(
    mention: Mention, words: _Words, draws: Draws, shorts: Sequence[str] = ()
) -> str:
    text, key = mention.text, normalise(mention.text)
    base = names.strip_possessive(text)
    head = _ARTICLE.match(base)
    lead = head.group() if head else ""
    core = base[len(lead) :]
    if fold(core) in index().by_name:
        key = words.geography.key(core)
    rng = draws.random_for("organisation", fold(core))
    case = _Case(mention, words, rng, lead, core, text[len(base) :])

    def fits(new: str) -> bool:
        return all(
            draws.usable(made, normalise(short))
            for short in shorts
            for made in [_acronym_of(short, text, new)]
        )

    asked = _RULES if core and len(text) <= 300 else ()
    made: Iterator[str] = map(case.whole, candidates(asked, case))
    made = preferred_first(made, fits) if shorts else made
    found = draws.pick(made, key, mention.before, 70)
    return found or draws.invent("organisation", key, mention.before, text)


def _of_its_row(case: _Case) -> Iterator[str]:
    core = case.core
    for item in shuffled(_ALONE_OF.get(fold(core)) or term_row(core) or (), case.rng):
        if item.lower() != core.lower():
            if core[:1].isupper() and item[:1].islower():
                item = " ".join(w[:1].upper() + w[1:] for w in item.split())
            yield match_case(item, core)


def _of_the_document(case: _Case) -> Iterator[str]:
    made = case.words.draws.acronym(case.mention)
    if made is not None:
        yield made


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
    kind = _tail(case.core)
    for word in shuffled(_COMPANY, case.rng):
        yield match_case(f"{word} {kind}".strip(), case.core)


_RULES: tuple[Rule[_Case], ...] = (
    Rule("what stands alone, or a term: another of its row", _of_its_row),
    Rule(
        "a country",
        lambda c: [c.words.geography.name_for(c.core, c.words.main)],
        lambda c: fold(c.core) in index().by_name,
    ),
    Rule(
        "an acronym that the document explains",
        _of_the_document,
        lambda c: is_acronym(c.mention) and c.core == c.mention.text,
    ),
    Rule("an acronym", _other_letters, lambda c: bool(_ACRONYM.fullmatch(c.core))),
    Rule("other words for those that name", _rewritten),
    Rule(
        "a company's name with the same kind",
        _with_its_kind,
        lambda c: c.core[:1].isupper(),
    ),
    Rule(
        "a vague word",
        lambda c: (in_place_of(word, c.mention) for word in shuffled(_VAGUE, c.rng)),
        lambda c: not c.core[:1].isupper(),
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
        if not legal and not _is_kind(key):
            break
        start = i
        if not legal:
            break
    return text[matches[start].start() :] if start < len(matches) else ""


def _parenthesised(text: str, words: _Words, level: int, rng: random.Random) -> str:
    """Names with another name or an acronym of theirs in brackets."""
    match = _BRACKETS.match(text) if "(" in text else None
    rewrite: Callable[[str], str] = lambda part: _rewrite(part, words, level, rng)  # noqa: E731
    if match is None:
        return rewrite(text)
    main, open_, inner, close, rest = match.groups()
    new = rewrite(main)
    if any(
        w.islower() and not _is_kind(w) and w not in _FUNCTION
        for w in re.findall(r"[^\W\d_]+", inner)
    ):
        # The name in another language says the same again.
        return new + (rewrite(rest) if rest.strip() else rest)
    short = inner.replace(".", "")
    if _SHORT.fullmatch(short):
        made = words.draws.acronyms.get(short) or _acronym_of(short, main, new)
        if "." in inner:
            made = "".join(ch + "." for ch in made)
        inner = made or _letters(inner, rng)
    elif _SHORT.fullmatch(main.strip()):
        # "NMA (National Maritime Academy)"
        inner = rewrite(inner)
        new = _acronym_of(main.strip(), match[3], inner) or new
    else:
        inner = rewrite(inner)
    return new + open_ + inner + close + (rewrite(rest) if rest.strip() else rest)


def company_names() -> tuple[str, ...]:
    """Names of companies that are none."""
    return _COMPANY


def alone_rows() -> tuple[frozenset[str], ...]:
    """Organisations that stand without a name, folded, a row for each kind."""
    return tuple(frozenset(map(fold, row)) for row in _ALONE)
