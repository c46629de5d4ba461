"""Linking persons: full names, surnames, initials, titles, names in other scripts."""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from spacy.tokens import Doc

from ..gazetteers.names import given_name_gender
from ..text.names import PARTICLES, SUFFIXES, fold, name_tokens, title_gender
from ..text.scripts import script_of
from .forms import Form, Pairs, word_lists

# Between the names of two persons in one mention.
GROUP = re.compile(r"\s(?:and|&|und|et)\s", re.IGNORECASE)
_GENERATIONS = {"jnr": "jr", "junior": "jr", "snr": "sr", "senior": "sr"}
_NEARBY = 32  # tokens; candidates looked at when many persons share a name
_BORN = frozenset(word_lists["born"])
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


class _Name:
    """A person's name in one form, folded."""

    def __init__(self, form: Form, aliases: Mapping[str, str]) -> None:
        self.form = form
        self.gender = ""
        self.suffix = ""
        self.titled = False
        self.given: list[str] = []
        self.family: list[str] = []
        for token in name_tokens(form.text):
            word = fold(token.text).replace(".", "").replace("'", "")
            if token.role == "title":
                self.titled = True
                self.gender = title_gender(token.text) or self.gender
            elif token.role == "suffix":
                if word in SUFFIXES:
                    self.suffix = _GENERATIONS.get(word, word)
            elif word:
                part = self.family if token.role == "family" else self.given
                part.append(aliases.get(word, word))
        self.words = self.given + self.family
        self.compact = "".join(self.words).replace("-", "")
        self.is_group = bool(GROUP.search(form.text))
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

    @property
    def guessed_gender(self) -> str:
        """Gender by titles, else by the first given name."""
        return self.gender or self._guess

    @cached_property
    def _guess(self) -> str:
        return (self.given and given_name_gender(self.given[0])) or ""

    def add(self, name: _Name) -> None:
        self.gender = self.gender or name.gender
        self.suffix = self.suffix or name.suffix
        self.positions = sorted({*self.positions, *name.form.positions})

    def admits(self, name: _Name, guess: bool = False) -> bool:
        gender = self.guessed_gender if guess and name.gender else self.gender
        pairs = ((name.gender, gender), (name.suffix, self.suffix))
        return not any(a and b and a != b for a, b in pairs)

    def distance(self, position: int) -> tuple[bool, int]:
        """The nearest mention before a position counts first, else the next after."""
        i = bisect.bisect_right(self.positions, position)
        if i:
            return (False, position - self.positions[i - 1])
        return (True, self.positions[0] - position)


_Index = dict[Hashable, list[_Person]]


def link_persons(doc: Doc, forms: list[Form]) -> Pairs:
    """Link the forms of persons' names, the fullest first."""
    aliases = _umlaut_aliases(form.text for form in forms)
    names = [_Name(form, aliases) for form in forms]
    names = [name for name in names if name.words and not name.is_group]
    names.sort(key=lambda name: name.rank)
    index: _Index = {}
    for name in names:
        if (person := _find_person(name, index)) is None:
            person = _Person(name)
            for key in _keys(name):
                index.setdefault(key, []).append(person)
        else:
            person.add(name)
        yield person.key, name.form.key
    yield from _in_parentheses(doc, names)


def _in_parentheses(doc: Doc, names: Iterable[_Name]) -> Pairs:
    """ "Song Giwon (Korean: 송기원)": the name in another script, with the same given
    name, or said to be that at birth, in the parenthesis after a name is that person's.
    """
    mentions = [(start, name) for name in names for start in name.form.positions]
    mentions.sort(key=lambda mention: mention[0])
    owner: _Name | None = None
    owner_end = 0
    for start, name in mentions:
        near = owner is not None and start - owner_end <= _NEARBY
        if owner is None or not (near and _opens(doc, owner_end, start)):
            owner, owner_end = name, start + name.form.width
        elif (
            (len("".join(owner.given[:1])) > 1 and owner.given[:1] == name.given[:1])
            or script_of(owner.form.text) != script_of(name.form.text)
            or fold(doc[start - 1].text) in _BORN
            or doc[max(0, start - 2) : start].text.casefold() == "known as"
        ):
            yield owner.form.key, name.form.key


def _opens(doc: Doc, start: int, end: int) -> bool:
    """Whether the tokens open a parenthesis at once and do not close it."""
    depth = 0
    for i in range(start, end):
        text = doc[i].text
        depth += text.count("(") - text.count(")")
        if depth <= 0 and not doc[i].is_space:
            return False
    return depth > 0


def _umlaut_aliases(texts: Iterable[str]) -> dict[str, str]:
    """ "mueller" -> "muller" where the document has "Müller"."""
    aliases = {}
    for text in texts:
        if text.isascii():
            continue
        for word in unicodedata.normalize("NFC", text).casefold().split():
            spelled = word.translate(_UMLAUTS)
            if spelled != word:
                aliases[fold(spelled).strip(".,'")] = fold(word).strip(".,'")
    return aliases


def _long_words(words: Iterable[str]) -> Iterator[str]:
    """Words of two letters and more, with the parts of hyphenated ones."""
    for word in words:
        if len(word) > 1 and word not in PARTICLES:
            yield word
            if "-" in word:
                yield from (part for part in word.split("-") if len(part) > 1)


def _keys(name: _Name) -> Iterator[tuple]:
    """Keys under which shorter or equal forms look a person up."""
    yield ("set", frozenset(name.words))
    yield ("compact", name.compact)
    yield ("surname", "".join(name.family).replace("-", ""))
    yield from (("family", word) for word in dict.fromkeys(_long_words(name.family)))
    yield from (("given", word) for word in dict.fromkeys(_long_words(name.given)))
    plain = [w for w in name.words if w not in PARTICLES]
    initials = "".join(w[0] for w in plain)
    parts = "".join(part[0] for w in plain for part in w.split("-") if part)
    if len(parts) > len(initials):
        yield ("initials", parts)
    if len(initials) > 1:
        yield ("initials", initials)
    if len(initials) > 2:
        yield ("initials", initials[0] + initials[-1])
    if not name.given:
        return
    first = name.given[0]
    for word in dict.fromkeys(_long_words([*name.given[1:], *name.family])):
        yield ("pair", first[0], word)
        if len(first) > 1:
            yield ("pair", first, word)
    if len(first) > 1:
        yield ("pair", first, name.family[-1][0] if name.family else "")


def _find_person(name: _Name, index: _Index) -> _Person | None:
    """The person that a form names, among those found in fuller forms."""
    if len(name.words) == 1:
        return _by_one_word(name, index)
    for key in (("set", frozenset(name.words)), ("compact", name.compact)):
        found = _nearest(name, index.get(key, ()), exact=True)
        if found is not None and len("".join(name.words)) > 3:
            return found
    found = _nearest(name, index.get(("surname", name.compact), ()))
    if found is not None and len(name.compact) > 3:
        return found
    if not name.full:
        return _nearest(name, index.get(("initials", "".join(name.words)), ()))
    if not name.given:
        return _by_surnames(name, index)
    return _by_given_and_surname(name, index)


def _by_one_word(name: _Name, index: _Index) -> _Person | None:
    word = name.words[0]
    if len(word) < 2:
        return None
    found = _nearest(name, index.get(("compact", word), ()))
    for part in ("family", "given"):
        if found is None:
            around = _around(index.get((part, word), ()), name)
            found = _nearest(name, around, guess=True)
    return found


def _by_surnames(name: _Name, index: _Index) -> _Person | None:
    """A surname of several words: "van der Berg", or "Tuncer Güneş"."""
    main = next(_long_words(reversed(name.family)), None)
    pool = index.get(("family", main), ())[-_NEARBY:] if main else ()
    several = [p for p in pool if _contains([*p.given, *p.family], name.words)]
    return _nearest(name, several)


def _by_given_and_surname(name: _Name, index: _Index) -> _Person | None:
    main = name.family[-1] if name.family else name.words[-1]
    for first, last in ((name.given[0], main), (main, name.given[0])):
        pool = index.get(("pair", first, last), ())
        if fits := [p for p in _around(pool, name) if _given_fits(name, p)]:
            return _nearest(name, fits)
    # Known by a second given name, or by two surnames: "García Márquez".
    pool = [p for p in _around(index.get(("family", main), ()), name) if p.given[1:]]
    size = len(name.words)
    tails = [p for p in pool if [*p.given[1:], *p.family][-size:] == name.words]
    return _nearest(name, tails) if len(tails) == 1 else None


def _around(persons: Sequence[_Person], name: _Name) -> Sequence[_Person]:
    """At most some of many namesakes: those last mentioned before the form."""
    if len(persons) <= _NEARBY:
        return persons
    position = name.form.positions[0]
    return sorted(persons[-4 * _NEARBY :], key=lambda p: p.distance(position))[:_NEARBY]


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
    if not person.given:
        return False
    # "Robert M." reads like "Murray R.".
    if len(name.given[0]) == 1 and len(name.words) == 2 and not name.titled:
        ends = person.family[-1:] or [""]
        if name.family[0] == person.given[0] and name.given[0] == ends[0][:1]:
            return True
    if not _word_fits(name.given[0], person.given[0]):
        return False
    mine = [*name.given[1:], *name.family]
    theirs = [*person.given[1:], *person.family]
    return _contains(theirs, mine) or _contains(mine, theirs)
