"""Merging candidates into one layer, linking mentions of one entity, propagation.

`fold` is what every detector calls after writing its own span group.
"""

from __future__ import annotations

import bisect
import re
import string
import unicodedata
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from decimal import Decimal
from functools import partial
from itertools import compress
from typing import Any, NamedTuple

from spacy.attrs import ORTH
from spacy.lang.en.stop_words import STOP_WORDS
from spacy.tokens import Doc, Token

from ..registries import registry
from ..schema import PII_KEY, Candidate, get_candidates, set_group
from ..text.dates import Date, day_first, read_date
from ..text.names import (
    APOSTROPHES,
    COUNTRIES,
    DASHES,
    EVERYDAY,
    GENERIC,
    JOINS,
    MONTHS,
    PARTICLES,
    SUFFIXES,
    TITLES,
    WEEKDAYS,
    acronym,
    given_name_gender,
    name_tokens,
    normalise,
    strip_legal_form,
    strip_possessive,
    title_gender,
)
from ..text.names import fold as fold_text

# Pure functions: the same input gives the same output, nothing is changed.
MergePolicy = Callable[[Doc, Sequence[Candidate]], list[Candidate]]
Linker = Callable[[Doc, Sequence[Candidate]], list[int]]
Propagator = Callable[[Doc, Sequence[Candidate]], list[Candidate]]

DEFAULT_PRIORITY = ("user", "pattern", "ner", "term", "propagation")
# Why a propagated mention was found.
REPEATED = "another mention of what was found elsewhere in the document"


@registry.misc("spacy_deid.merge_spans.v1")
def make_merge_spans(priority: Sequence[str] = DEFAULT_PRIORITY) -> MergePolicy:
    """The longest span wins, then the higher-priority detector, then the score.

    What a losing span covers beyond the winners stays as a shorter span if it has
    letters or digits of its own: a name half inside a winner never leaks.

    priority (Sequence[str]): Detectors (the part of a candidate's source before the
        colon), highest first. Spans without a source count as the first; unknown
        detectors come last.
    RETURNS (Callable): Function of a Doc and candidates, giving candidates that do
        not overlap, in document order.
    """
    # A partial of a module's function pickles; a closure would not.
    return partial(merge_spans, ranks={name: i for i, name in enumerate(priority)})


def merge_spans(
    doc: Doc, candidates: Sequence[Candidate], *, ranks: Mapping[str, int]
) -> list[Candidate]:
    """Merge candidates; see `make_merge_spans`.

    doc (Doc): The document.
    candidates (Sequence[Candidate]): Candidates in any order, overlapping or not.
    ranks (Mapping[str, int]): Rank of each detector, the highest priority first.
    RETURNS (List[Candidate]): Candidates that do not overlap, in document order.
    """

    def key(c: Candidate) -> tuple:
        rank = ranks.get(c.source.partition(":")[0], len(ranks)) if c.source else 0
        return (
            c.start - c.end,
            rank,
            -c.score,
            c.start,
            c.label,
            c.id,
            c.source,
            c.reason,
        )

    taken: set[int] = set()
    kept: list[Candidate] = []
    for c in sorted(_taken_apart(doc, set(candidates)), key=key):
        free = [i for i in range(c.start, c.end) if i not in taken]
        if not free:
            continue
        if len(free) == c.end - c.start:
            kept.append(c)
        else:
            kept.extend(_remainders(doc, c, free))
        taken.update(free)
    return sorted(kept)


_BETWEEN = JOINS.union(",;/|&")


# A recognizer's span below this probability doesn't move the borders of a pattern's hit.
DOUBTFUL = 0.5


def _taken_apart(doc: Doc, candidates: Collection[Candidate]) -> list[Candidate]:
    """Candidates, but two kinds of them in parts: lists of codes or dates, that is,
    several hits of patterns of their type with nothing but separators between them, each
    of which is an entity; and doubtful spans of a recognizer that join a likelier hit of
    their type with other numbers, which stay by themselves."""
    items: dict[str, list[Candidate]] = {}
    for c in sorted(candidates):
        if c.source.startswith("pattern:"):
            items.setdefault(c.label, []).append(c)

    def hits(c: Candidate) -> list[Candidate]:
        of_type = items.get(c.label, [])
        if not of_type or c.source.startswith(("pattern:", "user")):
            return []
        found: list[Candidate] = []
        for item in of_type[bisect.bisect_left(of_type, (c.start,)) :]:
            if item.start >= c.end:
                break
            if item.end <= c.end and (not found or item.start >= found[-1].end):
                found.append(item)
        return found

    out = []
    for c in candidates:
        found = hits(c)
        free = sorted({*range(c.start, c.end)}.difference(*map(_tokens, found)))
        if len(found) > 1 and all(_separates(doc[i]) for i in free):
            continue
        numbers = [h for h in found if any(map(_has_digit, doc[h.start : h.end]))]
        likelier = numbers and c.score < min(DOUBTFUL, *(h.score for h in numbers))
        parts = []
        if free and likelier and c.source.startswith("ner:"):
            rest = _remainders(doc, c, free)
            parts = [r for r in rest if any(map(_has_digit, doc[r.start : r.end]))]
        out += parts or [c]
    return out


def _tokens(c: Candidate) -> range:
    return range(c.start, c.end)


def _has_digit(token: Token) -> bool:
    return any(ch.isdigit() for ch in token.text)


def _separates(token: Token) -> bool:
    return token.is_space or token.lower_ in _BETWEEN


def _remainders(doc: Doc, c: Candidate, free: list[int]) -> list[Candidate]:
    """Runs of a candidate's free tokens, trimmed to tokens worth masking."""
    runs: list[list[int]] = [[free[0]]]
    for i in free[1:]:
        if i == runs[-1][-1] + 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    out = []
    for run in runs:
        content = [
            i
            for i in run
            if not doc[i].is_stop and any(ch.isalnum() for ch in doc[i].text)
        ]
        if content:
            out.append(c._replace(start=content[0], end=content[-1] + 1))
    return out


def fold(
    doc: Doc,
    key: str,
    merge: MergePolicy,
    link: Linker | None = None,
    propagate: Propagator | None = None,
    candidates: Sequence[Candidate] | None = None,
) -> None:
    """Fold the span group `key` into `doc.spans["pii"]`.

    doc (Doc): The document; its `pii` group is replaced.
    key (str): Span group of the detector that just ran.
    merge (Callable): Merge policy.
    link (Callable): Gives each merged span its entity number; each span is an
        entity of its own without.
    propagate (Callable): Gives further mentions of the merged spans' entities.
    candidates (Sequence[Candidate]): Folded instead of the group, whose labels are
        then those of another scheme.
    """
    if candidates is None:
        candidates = get_candidates(doc, key)
    merged = merge(doc, [*get_candidates(doc, PII_KEY), *candidates])
    if propagate is not None:
        further = propagate(doc, merged)
        if further:
            merged = merge(doc, [*merged, *further])
    entity_ids = link(doc, merged) if link is not None else list(range(len(merged)))
    set_group(doc, PII_KEY, merged, entity_ids=entity_ids)


@registry.misc("spacy_deid.link_entities.v1")
def make_link_entities() -> Linker:
    """Number the entities of a document: mentions of one entity share a number.

    Mentions whose normal forms are equal are one entity, whatever their types; so one
    that is masked in one place is masked in all. Beyond that each type has forms of
    its own: full name, surname, initials and title; legal form and acronym; codes,
    dates and amounts written in several ways. Two full names whose given names differ
    are never one person.

    RETURNS (Callable): Function of a Doc and candidates, giving one int a candidate,
        numbered from 0 in the order of first mention.
    """
    return link_entities


def link_entities(doc: Doc, candidates: Sequence[Candidate]) -> list[int]:
    """Entity numbers by forms of names; see `make_link_entities`.

    doc (Doc): The document.
    candidates (Sequence[Candidate]): Mentions, in any order.
    RETURNS (list[int]): As long as `candidates`.
    """
    if len(candidates) < 2:
        return [0] * len(candidates)
    order = sorted(range(len(candidates)), key=lambda i: candidates[i])
    sets = _DisjointSets()
    keys: list[str] = []
    forms: dict[str, dict[str, _Form]] = {}
    for i in order:
        c = candidates[i]
        text = _text(doc, c)
        key = normalise(text) or fold_text(text) or f"\0{i}"
        keys.append(key)
        sets.find(key)
        by_key = forms.setdefault(c.label, {})
        form = by_key.get(key)
        if form is None:
            form = by_key[key] = _Form(key, text, c)
        form.positions.append(c.start)
    for label, link in _LINKERS.items():
        if len(forms.get(label, ())) > 1:
            for a, b in link(doc, list(forms[label].values())):
                sets.union(a, b)
    numbers: dict[str, int] = {}
    out = [0] * len(candidates)
    for i, key in zip(order, keys):
        out[i] = numbers.setdefault(sets.find(key), len(numbers))
    return out


def _text(doc: Doc, c: Candidate) -> str:
    if c.end == c.start + 1:
        return doc[c.start].text  # several times as fast as a span's
    return doc[c.start : c.end].text


class _DisjointSets:
    def __init__(self) -> None:
        self.parents: dict[str, str] = {}

    def find(self, key: str) -> str:
        parents = self.parents
        root = parents.setdefault(key, key)
        while parents[root] != root:
            root = parents[root]
        while parents[key] != root:
            parents[key], key = root, parents[key]
        return root

    def union(self, a: str, b: str) -> None:
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parents[b] = a


class _Form:
    """One written form of one type, and where in the document it stands."""

    __slots__ = ("candidate", "key", "positions", "text")

    def __init__(self, key: str, text: str, candidate: Candidate) -> None:
        self.key = key
        self.text = text
        self.candidate = candidate  # the first mention
        self.positions: list[int] = []


Pairs = Iterator[tuple[str, str]]


def _by_key(
    forms: Iterable[_Form], keys: Callable[[_Form], Iterable[Hashable]]
) -> Pairs:
    """Link forms that share a key."""
    first: dict[Hashable, str] = {}
    for form in forms:
        for key in keys(form):
            yield first.setdefault(key, form.key), form.key


# Persons

_GROUP = re.compile(r"\s(?:and|&|und|et)\s", re.IGNORECASE)
_GENERATIONS = {"jnr": "jr", "junior": "jr", "snr": "sr", "senior": "sr"}
_NEARBY = 32  # tokens; candidates looked at when many persons share a name
_BORN = frozenset("born nee ne aka alias formerly".split())


class _Name:
    """A person's name in one form, folded."""

    def __init__(self, form: _Form, aliases: Mapping[str, str]) -> None:
        self.form = form
        tokens = name_tokens(form.text)
        self.gender = ""
        self.suffix = ""
        self.titled = False
        given: list[str] = []
        family: list[str] = []
        for token in tokens:
            word = fold_text(token.text).replace(".", "").replace("'", "")
            if token.role == "title":
                self.titled = True
                self.gender = title_gender(token.text) or self.gender
            elif token.role == "suffix":
                if word in SUFFIXES:
                    self.suffix = _GENERATIONS.get(word, word)
            elif word:
                word = aliases.get(word, word)
                (family if token.role == "family" else given).append(word)
        self.given, self.family = given, family
        self.words = given + family
        self.is_group = bool(_GROUP.search(form.text))
        self.full = [w for w in self.words if len(w) > 1]

    @property
    def rank(self) -> tuple[int, int, int]:
        """Fullest first."""
        full = sum(1 + w.count("-") for w in self.full)
        return (-full, -len(self.words), self.form.positions[0])


class _Person:
    """Forms taken to be one person's."""

    def __init__(self, name: _Name) -> None:
        self.key = name.form.key
        self.given = list(name.given)
        self.family = list(name.family)
        self.gender = name.gender
        self.suffix = name.suffix
        self.positions = list(name.form.positions)
        self._guess: str | None = None

    @property
    def guessed_gender(self) -> str:
        """Gender by titles, else by the first given name."""
        if self.gender:
            return self.gender
        if self._guess is None:
            self._guess = (given_name_gender(self.given[0]) if self.given else "") or ""
        return self._guess

    def add(self, name: _Name) -> None:
        self.gender = self.gender or name.gender
        self.suffix = self.suffix or name.suffix
        self.positions = sorted({*self.positions, *name.form.positions})

    def admits(self, name: _Name, guess: bool = False) -> bool:
        gender = self.guessed_gender if guess and name.gender else self.gender
        return not (
            (name.gender and gender and name.gender != gender)
            or (name.suffix and self.suffix and name.suffix != self.suffix)
        )

    def distance(self, position: int) -> tuple[bool, int]:
        """The nearest mention before a position counts first, else the next after."""
        i = bisect.bisect_right(self.positions, position)
        if i:
            return (False, position - self.positions[i - 1])
        return (True, self.positions[0] - position)


def _link_persons(doc: Doc, forms: list[_Form]) -> Pairs:
    aliases = _umlaut_aliases(form.text for form in forms)
    names = [_Name(form, aliases) for form in forms]
    names = [name for name in names if name.words and not name.is_group]
    names.sort(key=lambda name: name.rank)
    index: dict[Hashable, list[_Person]] = {}
    for name in names:
        person = _find_person(name, index)
        if person is None:
            person = _Person(name)
            for key in _person_keys(name):
                index.setdefault(key, []).append(person)
        else:
            person.add(name)
        yield person.key, name.form.key
    yield from _in_parentheses(doc, names)


def _in_parentheses(doc: Doc, names: Iterable[_Name]) -> Pairs:
    """ "Song Giwon (Korean: 송기원)": the name in another script, with the same given
    name, or said to be that at birth, in the parenthesis after a name is that person's.
    """
    mentions = sorted(
        ((start, name) for name in names for start in name.form.positions),
        key=lambda mention: mention[0],
    )
    owner: _Name | None = None
    owner_end = 0
    for start, name in mentions:
        width = name.form.candidate.end - name.form.candidate.start
        near = owner is not None and start - owner_end <= _NEARBY
        if owner is not None and near and _opens(doc, owner_end, start):
            same_given = (
                bool(owner.given)
                and len(owner.given[0]) > 1
                and owner.given[:1] == name.given[:1]
            )
            if (
                same_given
                or _script(owner.form.text) != _script(name.form.text)
                or fold_text(doc[start - 1].text) in _BORN
                or doc[max(0, start - 2) : start].text.casefold() == "known as"
            ):
                yield owner.form.key, name.form.key
            continue
        owner, owner_end = name, start + width


def _opens(doc: Doc, start: int, end: int) -> bool:
    """Whether the tokens open a parenthesis at once and do not close it."""
    depth = 0
    for i in range(start, end):
        text = doc[i].text
        depth += text.count("(") - text.count(")")
        if depth <= 0 and not doc[i].is_space:
            return False
    return depth > 0


def _script(text: str) -> str:
    """First word of the Unicode name of the first letter: LATIN, CYRILLIC, CJK ..."""
    letter = next((ch for ch in text if ch.isalpha()), "")
    return unicodedata.name(letter, "").partition(" ")[0] if letter else ""


def _umlaut_aliases(texts: Iterable[str]) -> dict[str, str]:
    """ "mueller" -> "muller" where the document has "Müller"."""
    aliases = {}
    for text in texts:
        if text.isascii():
            continue
        for word in unicodedata.normalize("NFC", text).casefold().split():
            spelled = word.translate(_UMLAUTS)
            if spelled != word:
                aliases[fold_text(spelled).strip(".,'")] = fold_text(word).strip(".,'")
    return aliases


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def _name_words(words: Iterable[str]) -> Iterator[str]:
    """Words of two letters and more, with the parts of hyphenated ones."""
    for word in words:
        if len(word) > 1 and word not in PARTICLES:
            yield word
            if "-" in word:
                yield from (part for part in word.split("-") if len(part) > 1)


def _person_keys(name: _Name) -> Iterator[tuple]:
    """Keys under which shorter or equal forms look a person up."""
    words = name.words
    yield ("set", frozenset(words))
    yield ("compact", "".join(words).replace("-", ""))
    yield ("surname", "".join(name.family).replace("-", ""))
    for word in dict.fromkeys(_name_words(name.family)):
        yield ("family", word)
    for word in dict.fromkeys(_name_words(name.given)):
        yield ("given", word)
    initials = [w[0] for w in words if w not in PARTICLES]
    parts = [p[0] for w in words if w not in PARTICLES for p in w.split("-") if p]
    if len(parts) > len(initials):
        yield ("initials", "".join(parts))
    if len(initials) > 1:
        yield ("initials", "".join(initials))
        if len(initials) > 2:
            yield ("initials", initials[0] + initials[-1])
    if name.given:
        first = name.given[0]
        others = dict.fromkeys(_name_words([*name.given[1:], *name.family]))
        for word in others:
            yield ("pair", first[0], word)
            if len(first) > 1:
                yield ("pair", first, word)
        if len(first) > 1:
            yield ("pair", first, name.family[-1][0] if name.family else "")


def _find_person(name: _Name, index: dict[Hashable, list[_Person]]) -> _Person | None:
    """The person that a form names, among those found in fuller forms."""
    words = name.words
    if len(words) > 1:
        same = ("set", frozenset(words))
        compact = ("compact", "".join(words).replace("-", ""))
        for key in (same, compact):
            found = _nearest(name, index.get(key, ()), exact=True)
            if found is not None and len("".join(words)) > 3:
                return found
        found = _nearest(name, index.get(("surname", compact[1]), ()))
        if found is not None and len(compact[1]) > 3:
            return found
        if not name.full:
            return _nearest(name, index.get(("initials", "".join(words)), ()))
        if not name.given:
            # A surname of several words: "van der Berg", or "Tuncer Güneş".
            main = next(iter(_name_words(reversed(name.family))), None)
            several = (
                [
                    p
                    for p in index.get(("family", main), ())[-_NEARBY:]
                    if _contains([*p.given, *p.family], words)
                ]
                if main
                else []
            )
            return _nearest(name, several)
        main = name.family[-1] if name.family else words[-1]
        for first, last in ((name.given[0], main), (main, name.given[0])):
            pool = index.get(("pair", first, last), ())
            fits = [p for p in _around(pool, name) if _given_fits(name, p)]
            if fits:
                return _nearest(name, fits)
        # Known by a second given name, or by two surnames: "García Márquez".
        tails = [
            p
            for p in _around(index.get(("family", main), ()), name)
            if len(p.given) > 1 and [*p.given[1:], *p.family][-len(words) :] == words
        ]
        return _nearest(name, tails) if len(tails) == 1 else None
    word = words[0]
    if len(word) < 2:
        return None
    found = _nearest(name, index.get(("compact", word), ()))
    if found is not None:
        return found
    plain = index.get(("family", word), ())
    given = index.get(("given", word), ())
    if plain:
        found = _nearest(name, _around(plain, name), guess=True)
        if found is not None:
            return found
    return _nearest(name, _around(given, name), guess=True)


def _around(persons: Sequence[_Person], name: _Name) -> Sequence[_Person]:
    """At most some of many namesakes: those last mentioned before the form."""
    if len(persons) <= _NEARBY:
        return persons
    return sorted(
        persons[-4 * _NEARBY :], key=lambda p: p.distance(name.form.positions[0])
    )[:_NEARBY]


def _nearest(
    name: _Name, persons: Sequence[_Person], exact: bool = False, guess: bool = False
) -> _Person | None:
    fits = [p for p in persons[-4 * _NEARBY :] if p.admits(name, guess)]
    if exact and len(fits) > 1:
        fits = [p for p in fits if p.suffix == name.suffix] or fits
    return min(fits, key=lambda p: p.distance(name.form.positions[0]), default=None)


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether `part` occurs in `words` in that order, gaps allowed."""
    rest = iter(words)
    return all(any(_word_fits(w, v) for v in rest) for w in part)


def _word_fits(a: str, b: str) -> bool:
    if a == b:
        return True
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    return a in b.split("-") or b in a.split("-")


def _given_fits(name: _Name, person: _Person) -> bool:
    """Whether a form with given names may be the person's: no given name contradicts,
    and what one of them leaves out are middle names or one of several surnames."""
    if not name.given or not person.given:
        return False
    # "Robert M." reads like "Murray R.".
    if len(name.given[0]) == 1 and len(name.words) == 2 and not name.titled:
        main = name.family[0]
        ends = person.family[-1:] or [""]
        if main == person.given[0] and name.given[0] == ends[0][:1]:
            return True
    if not _word_fits(name.given[0], person.given[0]):
        return False
    mine = [*name.given[1:], *name.family]
    theirs = [*person.given[1:], *person.family]
    return _contains(theirs, mine) or _contains(mine, theirs)


# Organisations, places, and other words

_PARENTHESIS = re.compile(r"\(([^()]*)\)")
_ALIAS_LEAD = re.compile(
    r"^(?:hereinafter|hereafter|henceforth|referred to as|also known as|known as|or|the|a)"
    r"[\s:,]+",
    re.IGNORECASE,
)
_QUOTES = "\"'“”„‘’«»"
_ACRONYM = re.compile(r"[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ÿ&.\-]{0,10}[A-ZÀ-ÖØ-Þ.]")


def _aliases(text: str) -> tuple[str, list[str]]:
    """A name without its parentheses, and what stands in them."""
    inner = []
    for match in _PARENTHESIS.finditer(text):
        alias = match.group(1).strip()
        for _ in range(4):
            alias = _ALIAS_LEAD.sub("", alias, count=1).strip(_QUOTES + " ")
        if alias:
            inner.append(alias)
    return " ".join(_PARENTHESIS.sub(" ", text).split()), inner


def _acronyms(text: str) -> set[str]:
    """Acronyms that a name of several words may have, upper case."""
    plain = _aliases(text)[0].split(",")[0]
    words = [w for w in re.split(r"[\s\-/]+", fold_text(plain)) if w and w[0].isalnum()]
    big = acronym(plain)
    out = {big, "".join(w[0] for w in words).upper()}
    stripped = strip_legal_form(plain).split()
    out.add("".join(w[0] for w in stripped).upper())
    return {a for a in out if len(a) > 1}


def _as_acronym(text: str) -> str | None:
    """The acronym that a text is ("E.C.H.R.", "the ECHR"), or None."""
    text = strip_possessive(_ALIAS_LEAD.sub("", text).strip(_QUOTES + " "))
    if not _ACRONYM.fullmatch(text):
        return None
    upper = "".join(ch for ch in text if ch.isupper())
    letters = sum(ch.isalpha() for ch in text)
    return upper if len(upper) >= 2 and len(upper) * 2 > letters else None


def _link_orgs(doc: Doc, forms: list[_Form]) -> Pairs:
    first: dict[str, str] = {}
    stripped: dict[str, _Form] = {}
    by_acronym: dict[str, list[_Form]] = {}
    at_start: dict[int, _Form] = {}
    for form in forms:
        base, inner = _aliases(form.text)
        for alias in (base, *inner):
            key = strip_legal_form(alias)
            if key:
                yield first.setdefault(key, form.key), form.key
        stripped.setdefault(strip_legal_form(base), form)
        if " " in form.key:
            for short in _acronyms(base):
                by_acronym.setdefault(short, []).append(form)
        for position in form.positions:
            at_start[position] = form
    for form in forms:
        initials = _as_acronym(_aliases(form.text)[0])
        if initials is not None and " " not in form.key:
            meant = by_acronym.get(initials, [])
            if len({strip_legal_form(_aliases(f.text)[0]) for f in meant}) == 1:
                yield meant[0].key, form.key
        # "Social Security Board (ZUS)" where the short form is a span of its own.
        yield from _defined_after(doc, form, at_start)
    yield from _endings(stripped)


def _defined_after(doc: Doc, form: _Form, at_start: Mapping[int, _Form]) -> Pairs:
    width = form.candidate.end - form.candidate.start
    end = form.positions[0] + width
    if end >= len(doc) or doc[end].text != "(":
        return
    for i in range(end + 1, min(end + 6, len(doc))):
        other = at_start.get(i)
        if other is not None:
            after = i + other.candidate.end - other.candidate.start
            closing = [t.text for t in doc[after : after + 3]]
            if ")" in closing[:1] or (
                len(closing) > 1 and closing[0] in _QUOTES and closing[1] == ")"
            ):
                yield form.key, other.key
            return
        if doc[i].text in (")", ".", ";"):
            return


# What follows these is another organisation than the whole.
_INNER_WORDS = frozenset("of the for in and".split())


def _endings(stripped: Mapping[str, _Form]) -> Pairs:
    """ "Labour Court" is the "Söke Labour Court" if no other labour court is named."""
    longer: dict[str, list[_Form]] = {}
    for key, form in stripped.items():
        words = key.split()
        for i in range(max(1, len(words) - 8), len(words) - 1):
            if words[i - 1] not in _INNER_WORDS:
                longer.setdefault(" ".join(words[i:]), []).append(form)
    for key, form in stripped.items():
        found = longer.get(key, ())
        if len(found) == 1:
            yield found[0].key, form.key


_PLACE_LEAD = re.compile(
    r"^(?:the )?(?:city|town|village|municipality|commune|borough|republic) of (?:the )?"
)


def _place_keys(form: _Form) -> Iterator[str]:
    key = _PLACE_LEAD.sub("", form.key)
    for suffix in (" city", " town", " village"):
        if key.endswith(suffix) and len(key) > len(suffix) + 2:
            yield key[: -len(suffix)]
    yield key


def _link_places(doc: Doc, forms: list[_Form]) -> Pairs:
    yield from _by_key(forms, _place_keys)


def _word_keys(form: _Form) -> Iterator[str]:
    words = form.key.split()
    if words:
        words[-1] = _singular(words[-1])
    yield "".join(words)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _link_words(doc: Doc, forms: list[_Form]) -> Pairs:
    yield from _by_key(forms, _word_keys)


# Codes

_CODE_LEAD = re.compile(
    r"^(?:(?:application|case|file|ref|reference|iban|bic|id|tel|telephone|phone|fax|"
    r"mobile|ssn|passport|number|numbers|num|no|nos|nr|n|mrn|e-?mail|mail)\b[\s.:°º#/]*)+"
)
_URL = re.compile(r"^(?:(?:https?|ftp)://|www\.)")
_GROUPS = re.compile(r"[^\W_]+")
_PHONE = re.compile(r"[+(0-9][0-9 ()/.\-\u00a0]{5,}")


def _link_codes(doc: Doc, forms: list[_Form]) -> Pairs:
    blocks: dict[str, dict[frozenset[int], str]] = {}
    phones: list[tuple[str, bool, str]] = []
    first: dict[str, str] = {}
    for form in forms:
        text = fold_text(form.text).strip(" .,;:()[]<>\"'")
        text = "".join(
            str(unicodedata.decimal(ch)) if ch.isdecimal() else ch for ch in text
        )
        if "@" in text:
            key = text.removeprefix("mailto:")
            yield first.setdefault(key, form.key), form.key
            continue
        if _URL.match(text) or form.candidate.id in ("URL", "DOMAIN"):
            key = re.sub(r"^(?:\w+://)?(?:www\.)?", "", text).rstrip("/")
            yield first.setdefault(key, form.key), form.key
            continue
        lead = _CODE_LEAD.match(text)
        if lead and any(ch.isdigit() for ch in text[lead.end() :]):
            text = text[lead.end() :]
        groups = _GROUPS.findall(text)
        compact = "".join(groups)
        if not compact:
            continue
        if form.candidate.id == "PHONE" or (
            not form.candidate.id
            and _PHONE.fullmatch(text)
            and _phone_like(text, groups)
        ):
            phones.append((*_national(text), form.key))
        ends, cuts = 0, []
        for group in groups[:-1]:
            ends += len(group)
            cuts.append(ends)
        block = blocks.setdefault(compact, {})
        yield block.setdefault(frozenset(cuts), form.key), form.key
    for block in blocks.values():
        yield from _nested(block)
    yield from _same_phones(phones)


def _nested(block: dict[frozenset[int], str]) -> Pairs:
    """Link the ways to group the same characters where one only cuts finer: "2804502"
    and "28045/02", but not "12/345" and "123/45"."""
    ways = sorted(block, key=lambda cuts: (len(cuts), sorted(cuts)))[:_NEARBY]
    for i, finer in enumerate(ways):
        coarser = [cuts for cuts in ways[:i] if cuts < finer]
        # The finest of the coarser ones, if the others agree with it.
        if coarser and all(a <= b or b <= a for a in coarser for b in coarser):
            yield block[coarser[-1]], block[finer]


def _phone_like(text: str, groups: list[str]) -> bool:
    digits = sum(map(len, groups))
    return 7 <= digits <= 15 and (text.startswith(("+", "0", "(")) or len(groups) > 2)


def _national(text: str) -> tuple[str, bool]:
    """Digits without prefix for abroad or trunk, and whether the country is told."""
    text = re.sub(r"(?:ext|extension|x)\.?\s*\d+$", "", text).replace("(0)", "")
    digits = "".join(ch for ch in text if ch.isdigit())
    if text.lstrip("( ").startswith("+"):
        return digits, True
    if digits.startswith("00"):
        return digits[2:], True
    return digits.lstrip("0"), False


def _same_phones(phones: list[tuple[str, bool, str]]) -> Pairs:
    first: dict[tuple[str, bool], str] = {}
    abroad: dict[str, set[str]] = {}
    for digits, international, key in phones:
        if len(digits) < 6:
            continue
        yield first.setdefault((digits, international), key), key
        if international:
            for cut in (1, 2, 3):
                if len(digits) - cut >= 6:
                    abroad.setdefault(digits[cut:].lstrip("0"), set()).add(digits)
    for (digits, international), key in first.items():
        if not international:
            meant = abroad.get(digits, ())
            if len(meant) == 1:
                yield first[next(iter(meant)), True], key


# Dates and amounts


def _link_dates(doc: Doc, forms: list[_Form]) -> Pairs:
    texts = [form.text.strip(" ,;:()") for form in forms]
    order = day_first(texts)

    def keys(form: _Form) -> Iterator[Date]:
        date = read_date(form.text, order)
        if date is not None:
            yield date

    yield from _by_key(forms, keys)


_UNITS = {
    word: unit
    for unit, words in {
        "eur": "eur euro euros €",
        "usd": "usd us$ $ dollar dollars",
        "gbp": "gbp £ pound pounds sterling",
        "jpy": "jpy ¥ yen",
        "chf": "chf franken",
        "try": "try trl tl ₺ lira liras",
        "pln": "pln zl zloty zlotys zlotych",
        "rub": "rub rur ₽ rouble roubles ruble rubles",
        "inr": "inr ₹ rupee rupees",
        "sek": "sek",
        "nok": "nok",
        "dkk": "dkk",
        "ats": "ats schilling schillings",
        "%": "% percent percentage pc",
        "km": "km kilometre kilometres kilometer kilometers",
        "m": "m metre metres meter meters",
        "cm": "cm centimetre centimetres centimeter centimeters",
        "kg": "kg kilo kilos kilogram kilograms",
        "g": "g gram grams",
        "l": "l litre litres liter liters",
        "mg": "mg milligram milligrams",
        "ml": "ml millilitre millilitres milliliter milliliters",
    }.items()
    for word in words.split()
}
_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "k": 10**3,
    "million": 10**6,
    "millions": 10**6,
    "mn": 10**6,
    "mio": 10**6,
    "billion": 10**9,
    "bn": 10**9,
}
# A space between groups of three is a thousands separator as well.
_NUMBER = re.compile(r"\d+(?:[.,'\u2019 \u00a0\u202f]\d+)*")
_WORDS = re.compile(r"[^\W\d_]+\$?|[%$€£¥₺₽₹]")


def _parse_number(text: str) -> Decimal | None:
    """A number with thousands separators, English or continental."""
    groups = re.split(r"[.,' \u00a0\u202f]", text)
    signs = [ch for ch in text if not ch.isdigit()]
    if len(groups) == 1:
        return Decimal(text)
    thousands = all(len(g) == 3 for g in groups[1:]) and len(groups[0]) <= 3
    if thousands and len(set(signs)) == 1:
        return Decimal("".join(groups))
    *whole, fraction = groups
    if signs[-1] not in ".,":
        return None
    if signs[-1] in signs[:-1] or not all(len(g) == 3 for g in whole[1:]):
        return None
    return Decimal("".join(whole) + "." + fraction)


def _amount(form: _Form) -> Iterator[tuple[Decimal, str]]:
    text = fold_text(form.text).replace("per cent", "percent").replace("\u2019", "'")
    found = _NUMBER.findall(text)
    # Decimal rounds what is longer than its precision.
    if len(found) != 1 or len(found[0]) > 24:
        return
    number = _parse_number(found[0])
    if number is None:
        return
    unit, rest = "", []
    for word in _WORDS.findall(text):
        if word in _SCALES:
            number *= _SCALES[word]
        elif word in _UNITS and unit in ("", _UNITS[word]):
            unit = _UNITS[word]
        elif word not in ("the", "a", "of", "in"):
            rest.append(word)
    yield number.normalize(), " ".join([unit, *rest])


def _link_amounts(doc: Doc, forms: list[_Form]) -> Pairs:
    yield from _by_key(forms, _amount)


_LINKERS: dict[str, Callable[[Doc, list[_Form]], Pairs]] = {
    "PERSON": _link_persons,
    "ORG": _link_orgs,
    "CODE": _link_codes,
    "DATETIME": _link_dates,
    "LOC": _link_places,
    "QUANTITY": _link_amounts,
    "DEM": _link_words,
    "MISC": _link_words,
}


# Propagation


@registry.misc("spacy_deid.propagate_names.v1")
def make_propagate_names(decay: float = 0.9) -> Propagator:
    """Find the entities' other occurrences in the document.

    Looks for the text of every entity found (other case, spacing, hyphens, possessive
    included; everyday words, short numbers and the like left out), for each part of a
    person's name, with the initials and title that stand before it, and for acronyms
    defined in parentheses. One pass over the tokens, whatever the number of entities.

    decay (float): Factor from the score of the entity to that of a mention found here.
    RETURNS (Callable): Function of a Doc and candidates, giving further candidates:
        none lies within one given, and none of them overlap each other.
    """
    return partial(propagate_names, decay=decay)


def propagate_names(
    doc: Doc, candidates: Sequence[Candidate], *, decay: float
) -> list[Candidate]:
    """Further mentions of the candidates' entities; see `make_propagate_names`.

    doc (Doc): The document.
    candidates (Sequence[Candidate]): What was found.
    decay (float): Factor from the score of the entity to that of a mention found here.
    RETURNS (List[Candidate]): Further candidates, none of them overlapping another.
    """
    if not candidates:
        return []
    words = _Words(doc)
    search = _Search(words, decay)
    for c in sorted(candidates, key=lambda c: (-c.score, c)):
        search.add(c)
    return search.run(candidates)


_RUN = re.compile(r"[^\W_]+(?:['\u2019\u02bc][^\W_]+)*")
_NO_INITIALS = frozenset(
    "us uk un eu am pm eg ie no ok tv id ad bc ce st jr sr dc la".split()
)
# Longer spans are sentences, and their repetition none of our business; the bound keeps
# the search linear.
_LONGEST = 24
_LONGEST_CODE = 64
_HYPHENS = DASHES | {"-"}
# Between two words of one name there is nothing but these.
_SOFT = frozenset("-'.\"&/") | DASHES | APOSTROPHES
_BREAKS = re.compile(r"\n\s*\n")
_CURRENCIES = frozenset(
    "EUR USD GBP CHF JPY TRY TRL PLN SEK NOK DKK ATS DEM FRF UK US EU AM PM".split()
)
_NO_ENTITY = STOP_WORDS | MONTHS.keys() | WEEKDAYS | COUNTRIES | GENERIC | TITLES.keys()
_NO_PART = MONTHS.keys() | WEEKDAYS | COUNTRIES | GENERIC | TITLES.keys()
# Words after which "Will", "May" or "Mark" at the start of a sentence are no names.
_AFTER_VERB = frozenset(
    "i you he she it we they the this that these those there a an be not my your his her "
    "our their any all".split()
)
_LOWER, _TITLE, _UPPER, _CASELESS = range(4)


class _Shape:
    """What is worth knowing of a token, the same for all tokens of one text."""

    __slots__ = ("cases", "hard", "runs", "space", "text", "whole")

    def __init__(self, text: str) -> None:
        self.text = text
        if text.isascii() and text.isalpha():
            # Most tokens.
            self.runs: list[str] = [text.lower()]
            self.cases: list[int] = [_case(text)]
            self.space = self.hard = self.whole = False
            return
        stripped = strip_possessive(text) if len(text) > 2 else text
        short = fold_text(text) if len(text) < 5 else ""
        if short in ("'s", "s'", "'"):
            stripped = ""
        self.runs, self.cases = [], []
        for match in _RUN.finditer(stripped):
            run = match.group()
            folded = fold_text(run).replace("'", "")
            self.runs.append(folded)
            self.cases.append(_case(run))
        self.space = not text.strip()
        self.hard = not self.runs and (
            bool(_BREAKS.search(text))
            if self.space
            else short not in ("'s", "'")
            and any(ch not in _SOFT for ch in text.strip())
        )
        # A web address or the like is taken whole if a name is in it.
        self.whole = len(self.runs) > 1 and (
            "@" in text or "//" in text or "www" in text
        )


def _case(run: str) -> int:
    if run.isupper():
        return _UPPER if len(run) > 1 else _TITLE
    if run.islower():
        return _LOWER
    return _TITLE if run[0].isupper() else _LOWER if run[0].islower() else _CASELESS


# Tokens without letters that most documents have.
_MARKS = {text: _Shape(text) for text in (*string.punctuation, " ", "\n", "\n\n", "'s")}


def _joined_ways(words: list[str]) -> Iterator[list[str]]:
    """A name with two neighbouring words written as one: "Sithu Aung", "annaschmidt"."""
    if len(words) == 2 and len(words[0] + words[1]) >= 8:
        yield [words[0] + words[1]]
    if 2 < len(words) <= 6:
        for i in range(len(words) - 1):
            yield [*words[:i], words[i] + words[i + 1], *words[i + 2 :]]


class _Words:
    """The words of a document in order, each with its token."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        strings = doc.vocab.strings
        orths = doc.to_array(ORTH).tolist() if len(doc) else []
        shapes: dict[int, _Shape] = {}
        for orth in set(orths):
            text = strings[orth]
            shapes[orth] = _MARKS.get(text) or _Shape(text)
        self.token_shapes: list[_Shape] = [shapes[orth] for orth in orths]
        words: list[str] = []
        tokens: list[int] = []
        cases: list[int] = []
        breaks: list[bool] = []
        first: list[int] = []
        self.words = words
        self.tokens = tokens  # token of each word
        self.cases = cases
        self.breaks = breaks  # whether something parts it from the word before
        self.first = first  # first word of each token, at or after it
        self.joins: set[int] = set()  # words that a hyphen and a line break cut off
        broken = True
        before = None
        for i, shape in enumerate(self.token_shapes):
            first.append(len(words))
            runs = shape.runs
            if not runs:
                if (
                    shape.space
                    and not shape.hard
                    and before is not None
                    and "\n" in shape.text
                    and before.text[-1] in _HYPHENS
                    and words
                ):
                    self.joins.add(len(words) - 1)
                broken = broken or shape.hard or self._full_stop(shape)
            elif len(runs) == 1:
                words.append(runs[0])
                tokens.append(i)
                cases.append(shape.cases[0])
                breaks.append(broken)
                broken = False
            else:
                words += runs
                tokens += [i] * len(runs)
                cases += shape.cases
                breaks.append(broken)
                breaks += [False] * (len(runs) - 1)
                broken = False
            before = shape
        first.append(len(words))
        cased = cases.count(_TITLE) + cases.count(_UPPER)
        self.mostly_lower = cased * 50 < len(words)
        self._counts: tuple[Counter[str], Counter[str]] | None = None

    def _full_stop(self, shape: _Shape) -> bool:
        """Whether a dot ends a sentence, not an initial or an abbreviation."""
        if not self.words or not shape.text.startswith("."):
            return False
        return len(self.words[-1]) > 2 and self.words[-1] not in TITLES

    def of(self, c: Candidate) -> range:
        return range(self.first[c.start], self.first[c.end])

    def starts_sentence(self, i: int) -> bool:
        token = self.tokens[i] - 1
        while token >= 0 and (
            self.token_shapes[token].space or self.token_shapes[token].text in _QUOTES
        ):
            if "\n" in self.token_shapes[token].text:
                return True
            token -= 1
        return token < 0 or self.token_shapes[token].text[-1] in ".!?:;"

    def common_here(self, word: str) -> bool:
        """Whether the document uses a word as a common one."""
        if self.mostly_lower:
            return False
        if self._counts is None:
            selectors = [case == _LOWER for case in self.cases]
            self._counts = (
                Counter(compress(self.words, selectors)),
                Counter(self.words),
            )
        lower, every = self._counts
        return lower[word] > 2 * (every[word] - lower[word]) + 1


# A whole text counts for more than a part of one. `generic`: a name of everyday words,
# taken where capitalised; `weak`: a part that is a name only after a title or initial.
_KINDS = ("text", "acronym", "generic", "part", "weak", "initials")


_LETTERS = re.compile(r"[^\W\d_]+")
# What stands before the "@" of a mailbox that belongs to nobody, if also a surname.
_MAILBOXES = frozenset(
    "account accounts admin billing claims contact desk editor enquiries events help "
    "info jobs mail news office orders post press reception sales service services "
    "shop support team".split()
)


class _Target(NamedTuple):
    """A sequence of words to look for, and the candidate it makes."""

    label: str
    id: str
    score: float
    source: str
    kind: str  # one of _KINDS
    gaps: bool  # whether the entity's own words are parted by commas and the like


class _Search:
    def __init__(self, words: _Words, decay: float) -> None:
        self.words = words
        self.decay = decay
        self.trie: dict[str, Any] = {}
        self.codes: dict[str, _Target] = {}
        self.prefixes: set[str] = set()

    def put(self, words: Sequence[str], target: _Target) -> None:
        node = self.trie
        for word in words:
            node = node.setdefault(word, {})
        # "" holds what ends here; a whole text counts for more than a part.
        known = node.get("")
        if known is None or _KINDS.index(target.kind) < _KINDS.index(known.kind):
            node[""] = target

    def add(self, c: Candidate) -> None:
        """Look for an entity's text, the parts of its name and its acronym."""
        span = self.words.of(c)
        if not 0 < len(span) <= _LONGEST:
            return
        words = [self.words.words[i] for i in span]
        cases = [self.words.cases[i] for i in span]
        detector = c.source.partition(":")[0] or "user"
        if detector == "propagation":
            detector = c.source.partition(":")[2]
        gaps = any(self.words.breaks[i] for i in span[1:])
        target = _Target(
            c.label,
            c.id,
            c.score * self.decay,
            f"propagation:{detector}",
            "text",
            gaps,
        )
        if c.label == "PERSON":
            text = _text(self.words.doc, c)
            # "Aria and Leo" may come back as either.
            for one in _GROUP.split(text):
                self._add_person(one, target)
            return
        if c.id in ("EMAIL", "USERNAME"):
            self._add_handle(c, target)
        if c.label == "CODE":
            compact = "".join(words)
            if 5 <= len(compact) <= _LONGEST_CODE and any(
                ch.isdigit() for ch in compact
            ):
                self._put_code(compact, target)
                text = _text(self.words.doc, c)
                if text.startswith("+") and compact.isdigit():
                    # Country codes have one to three digits.
                    for number in (compact[1:], compact[2:], compact[3:]):
                        if len(number) >= 9:
                            self._put_code("0" + number.lstrip("0"), target)
                    self._put_code("00" + compact, target)
        if self._worth(c.label, words, cases):
            if all(w in GENERIC or w in STOP_WORDS for w in words):
                target = target._replace(kind="generic")
            self.put(words, target)
            self._add_base(c, target)
        if c.label == "ORG":
            self._add_acronym(c, target)

    def _add_handle(self, c: Candidate, target: _Target) -> None:
        """Known names in an e-mail address or user name: "tomasz_w", "jdoe7"."""
        handle = _text(self.words.doc, c).lstrip("@").partition("@")[0]
        runs = [r for r in _LETTERS.findall(fold_text(handle)) if len(r) >= 4]
        if not runs:
            return
        from ..gazetteers import load_names

        names = load_names()
        for run in runs:
            # An initial may stand glued before the surname.
            for name in (run, run[1:]):
                known = name in names.family or (name == run and name in names.given)
                common = name in EVERYDAY or name in _MAILBOXES
                if len(name) >= 4 and known and not common and self._may_be_part(name):
                    found = target._replace(label="PERSON", id="", kind="part")
                    self.put([name], found)
                    break

    def _put_code(self, compact: str, target: _Target) -> None:
        self.codes.setdefault(compact, target)
        self.prefixes.update(compact[:i] for i in range(1, len(compact) + 1))

    def _worth(self, label: str, words: list[str], cases: list[int]) -> bool:
        letters = sum(map(len, words))
        if any(ch.isdigit() for ch in "".join(words)):
            # "30" or "2001" alone may count or date anything.
            return letters >= 5
        if label == "CODE":
            return letters >= 4
        content = [w for w in words if w not in STOP_WORDS and len(w) > 1]
        if not content or letters < 3:
            return False
        if len(content) > 1:
            return True
        word = content[0]
        if word in _NO_ENTITY and not (label == "LOC" and word in COUNTRIES):
            return False
        case = cases[words.index(word)]
        if case == _LOWER and not self.words.mostly_lower:
            return len(word) >= 6 and word not in EVERYDAY
        return not self.words.common_here(word)

    def _add_base(self, c: Candidate, target: _Target) -> None:
        """ "PKK" for "PKK (the Kurdistan Workers' Party)"."""
        text = _text(self.words.doc, c)
        if "(" not in text:
            return
        base = _aliases(text)[0]
        shapes = [_Shape(word) for word in base.split()]
        runs = [run for shape in shapes for run in shape.runs]
        cases = [case for shape in shapes for case in shape.cases]
        if runs and self._worth(c.label, runs, cases):
            self.put(runs, target._replace(gaps=False))

    def _add_person(self, text: str, target: _Target) -> None:
        tokens = [t for t in name_tokens(text) if t.role != "title"]
        keys = [self._runs(t.text) for t in tokens]
        spoken = [key for key in keys if key]
        flat = [run for key in spoken for run in key]
        if not flat:
            return
        full = [run for run in flat if len(run) > 1]
        if not full:
            # "J.S." as written, initials of at least two.
            if len(flat) > 1:
                self.put(flat, target)
            return
        names = [t for t, key in zip(tokens, keys) if key and t.role != "suffix"]
        if len(flat) > 1:
            self.put(flat, target)
        plain = [
            (t, key)
            for t, key in zip(tokens, keys)
            if key and t.role != "suffix" and len("".join(key)) > 1
        ]
        family = [run for t, key in plain if t.role == "family" for run in key]
        given = [run for t, key in plain if t.role != "family" for run in key]
        if len(given) > 0 and family:
            for order in ([*given, *family], [*family, *given]):
                self.put(order, target)
            self.put([given[0], *family], target)
        short = target._replace(kind="initials")
        for initials in (
            [key[0][0] for _, key in plain],
            [run[0] for _, key in plain for run in key],
        ):
            if len(initials) > 1 and "".join(initials) not in _NO_INITIALS:
                self.put(initials, short)
        for joined in _joined_ways(flat):
            self.put(joined, target)
        if len(family) > 1:
            self.put(
                family,
                target._replace(id="FAMILY_NAME", kind="text"),
            )
        for token, key in plain:
            subtype = "FAMILY_NAME" if token.role == "family" else "GIVEN_NAME"
            if len(names) == 1:
                subtype = target.id
            for run in key:
                if len(run) < 2 or not run.isalpha() or run in PARTICLES:
                    continue
                kind = "part" if self._may_be_part(run) else "weak"
                self.put([run], target._replace(id=subtype, kind=kind))

    def _may_be_part(self, word: str) -> bool:
        if word in STOP_WORDS and word not in EVERYDAY:
            return False
        return word not in _NO_PART and not self.words.common_here(word)

    def _runs(self, text: str) -> list[str]:
        return _Shape(text).runs

    def _add_acronym(self, c: Candidate, target: _Target) -> None:
        """The short form in parentheses after or within an organisation's name."""
        shapes = self.words.token_shapes
        text = _text(self.words.doc, c)
        aliases = _aliases(text)[1]
        if c.end < len(shapes) and shapes[c.end].text == "(":
            for i in range(c.end + 1, min(c.end + 10, len(shapes))):
                if shapes[i].text == ")":
                    aliases += _aliases(self.words.doc[c.end : i + 1].text)[1]
                    break
        for alias in aliases:
            if (
                len(alias) > 2
                and _as_acronym(alias) is not None
                and alias.upper() not in _CURRENCIES
            ):
                runs = self._runs(alias)
                self.put(runs, target._replace(kind="acronym", gaps=False))

    def run(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Candidates for all occurrences that are not yet covered."""
        words = self.words
        owner: dict[int, Candidate] = {}
        for c in candidates:
            for i in range(c.start, c.end):
                owner[i] = c
        out: list[Candidate] = []
        done = 0  # first token after the last candidate made
        trie, prefixes = self.trie, self.prefixes
        for i, word in enumerate(words.words):
            token = words.tokens[i]
            if token < done:
                continue
            made = None
            if word in trie or i in words.joins:
                made = self._match(i, owner, done)
            if made is None and word in prefixes:
                made = self._match_code(i, owner, done)
            if made is not None:
                out.append(made)
                done = made.end
        return out

    def _match(
        self, i: int, owner: Mapping[int, Candidate], done: int
    ) -> Candidate | None:
        """The longest sequence from word i on that may stand as a mention."""
        words = self.words
        node, j = self.trie, i
        found: list[tuple[int, _Target]] = []
        broken = False
        while j < len(words.words):
            if j > i:
                broken = broken or words.breaks[j]
            word = words.words[j]
            if word not in node and j in words.joins and j + 1 < len(words.words):
                j += 1
                word += words.words[j]
            if word not in node:
                break
            node = node[word]
            j += 1
            target = node.get("")
            if target is not None and (target.gaps or not broken):
                found.append((j, target))
        for end, target in reversed(found):
            if self._case_fits(i, end, target):
                made = self._make(i, end, target, owner, done)
                if made is not None:
                    return made
        return None

    def _case_fits(self, i: int, end: int, target: _Target) -> bool:
        words = self.words
        word, case = words.words[i], words.cases[i]
        if target.kind == "acronym":
            return all(
                words.cases[k] in (_UPPER, _TITLE, _CASELESS) for k in range(i, end)
            )
        if target.kind == "initials":
            # "J.S." and "J. S.", but neither "J S" nor "j.s.".
            last = words.tokens[end - 1]
            if i > words.first[words.tokens[i]] or end < words.first[last + 1]:
                return False
            text = words.doc[words.tokens[i] : last + 2].text
            return text.count(".") >= end - i and all(
                c == _TITLE for c in words.cases[i:end]
            )
        if target.kind == "generic":
            return all(
                words.cases[k] != _LOWER or words.words[k] in STOP_WORDS
                for k in range(i, end)
            )
        if end - i > 1:
            if target.label == "PERSON" and all(
                len(w) == 1 for w in words.words[i:end]
            ):
                return all(c != _LOWER for c in words.cases[i:end])
            return True
        if target.label == "PERSON":
            if case == _LOWER:
                if words.mostly_lower:
                    return word not in EVERYDAY and len(word) > 2
                return len(word) >= 4 and word not in EVERYDAY
            if case == _TITLE and word in EVERYDAY and words.starts_sentence(i):
                following = words.words[end] if end < len(words.words) else ""
                return following not in _AFTER_VERB
            return True
        if case == _LOWER and target.label in ("ORG", "LOC", "MISC"):
            return word not in EVERYDAY and (words.mostly_lower or len(word) >= 5)
        return True

    def _make(
        self,
        i: int,
        end: int,
        target: _Target,
        owner: Mapping[int, Candidate],
        done: int,
    ) -> Candidate | None:
        words = self.words
        first, last = words.tokens[i], words.tokens[end - 1] + 1
        label, subtype = target.label, target.id
        if label == "PERSON":
            if words.token_shapes[first].whole and target.kind != "weak":
                label = "CODE"
                subtype = "EMAIL" if "@" in words.token_shapes[first].text else "URL"
            else:
                first = self._extend(first, owner, done)
                if target.kind == "weak" and first == words.tokens[i]:
                    return None
        covering = {owner[t] for t in range(first, last) if t in owner}
        if any(c.start < first or c.end > last for c in covering):
            return None
        if any(c.start == first and c.end == last for c in covering):
            return None
        if covering and all(
            t in owner for t in range(first, last) if words.token_shapes[t].runs
        ):
            return None
        return Candidate(
            first, last, label, subtype, target.score, target.source, REPEATED
        )

    def _extend(self, first: int, owner: Mapping[int, Candidate], done: int) -> int:
        """Take in the initials and the title right before a name."""
        shapes = self.words.token_shapes
        lower = shapes[first].cases[:1] == [_LOWER]
        start, token = first, first - 1
        while token >= done and token not in owner and start - token <= 2:
            text = shapes[token].text
            if shapes[token].space and "\n\n" not in text:
                token -= 1
                continue
            runs, cases = shapes[token].runs, shapes[token].cases
            if text == ".":
                token -= 1
                continue
            is_initial = bool(runs) and all(len(r) == 1 for r in runs)
            if (
                is_initial
                and all((c == _LOWER) == lower for c in cases)
                and ("." in text or shapes[token + 1].text == ".")
            ):
                start = token
                token -= 1
                continue
            break
        for _ in range(3):
            while token >= done and (
                shapes[token].text == "."
                or (shapes[token].space and "\n\n" not in shapes[token].text)
            ):
                token -= 1
            if token < done or token in owner:
                break
            runs, cases = shapes[token].runs, shapes[token].cases
            if len(runs) != 1 or runs[0] not in TITLES or len(runs[0]) < 2:
                break
            if cases[0] == _LOWER and runs[0] not in ("mr", "mrs", "ms", "dr", "prof"):
                break
            start = token
            token -= 1
        return start

    def _match_code(
        self, i: int, owner: Mapping[int, Candidate], done: int
    ) -> Candidate | None:
        """A code whose characters are grouped in another way."""
        words = self.words
        if i and words.tokens[i - 1] == words.tokens[i]:
            return None
        text, j = "", i
        while j < len(words.words) and len(text) < _LONGEST_CODE:
            if j > i and words.breaks[j] and words.tokens[j] - words.tokens[j - 1] > 2:
                break
            text += words.words[j]
            if text not in self.prefixes:
                break
            j += 1
            if text in self.codes and (
                j == len(words.words) or words.tokens[j] != words.tokens[j - 1]
            ):
                return self._make(i, j, self.codes[text], owner, done)
        return None
