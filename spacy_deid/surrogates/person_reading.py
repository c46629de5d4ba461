"""Reading the persons of a document: what each word of a name is, who is one person."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..gazetteers.lexicon import FAMILY, languages, load_lexicon
from ..gazetteers.name_letters import role_by_letters
from ..gazetteers.names import (
    BITS,
    LOCALES,
    NAME_WORD,
    index,
    is_far_given,
    is_given_name,
    nicknames,
)
from ..lang.base import last_word, pack_of
from ..lang.persons import Persons
from ..text.names import GIVEN_LABEL, PARTICLES, NameToken, fold, name_tokens
from .base import Mention

WORD = re.compile(rf"\d+|{NAME_WORD.pattern}")

# Probability from which letters tell whether a name is a given name.
_SURE = 0.9
# Words of each text of a person.
Parsed = dict[str, list[NameToken]]


class Roles(NamedTuple):
    """Role of every word over all mentions of a person, by its folded form, given names,
    and all names, in order."""

    of: dict[str, str]
    given: list[str]
    words: list[str]


@dataclass
class Group:
    """The mentions of one entity.

    entity_id (int): The entity.
    mentions (list[Mention]): Its mentions.
    parsed (dict): Words of each of their texts.
    called (set[str]): Lone words that the person is called by, folded.
    """

    entity_id: int
    mentions: list[Mention]
    parsed: Parsed
    called: set[str] = field(default_factory=set)


class Reading:
    """The persons of a document."""

    def __init__(self, mentions: Sequence[Mention], rules: Persons) -> None:
        self.rules = rules
        # Language whose nicknames count.
        self.home = rules.lang if rules.lang in LOCALES else "en"
        texts = " ".join(dict.fromkeys(m.text for m in mentions))
        self.known = frozenset(map(fold, set(WORD.findall(texts))))
        # Last words of names of several words.
        self._lasts = frozenset(
            fold(m.text.split()[-1]) for m in mentions if " " in m.text.strip()
        )
        self._first_names = _calls_by_given(mentions)
        groups: dict[int, Group] = {}
        for mention in mentions:
            new = Group(mention.entity_id, [], {})
            groups.setdefault(mention.entity_id, new).mentions.append(mention)
        titled = self._note_called(mentions, groups)
        for group in groups.values():
            last = {m.text: m for m in group.mentions}
            group.parsed = parse(
                {
                    t: _placed(
                        rules.read(t, self.known, m.before), m.before, self.home, titled
                    )
                    for t, m in last.items()
                }
            )
        self.same, self.groups = self._join_initials(list(groups.values()))
        # Lone given names last: they may belong to somebody named in full.
        self.groups.sort(key=lambda group: -max(map(len, group.parsed.values())))
        # Given names of those who have a surname too, and these surnames, folded.
        self.doubles: set[tuple[str, ...]] = set()
        self.surnames: set[str] = set()
        for group in self.groups:
            for tokens in group.parsed.values():
                given, family = self._parts(tokens)
                if given and family and all(len(name) > 1 for name in given):
                    self.doubles.add(given)
                    self.surnames.update(family)
        self.surnames.difference_update(*self.doubles)
        self.surnames |= titled

    def _note_called(
        self, mentions: Sequence[Mention], groups: dict[int, Group]
    ) -> set[str]:
        """Note which single words are given names, and tell which are surnames, folded;
        what repeats itself is asked once."""
        asked: set[tuple[int, str, str, str]] = set()
        surnames: set[str] = set()
        titled: set[str] = set()
        for i, mention in enumerate(mentions):
            what = mention.entity_id, mention.text, mention.before, mention.after
            if what not in asked:
                key, place = fold(mention.text), (mention.text, mention.before)
                told = mention.subtype == "FAMILY_NAME" and mention.text.isalpha()
                if told or self.rules.is_surname(*place):
                    surnames.add(key)
                    if not self.rules.is_called(*place):
                        titled.add(key)
                if self._is_called(mention, mentions[i + 1 : i + 2]):
                    groups[mention.entity_id].called.add(key)
            asked.add(what)
        for group in groups.values():
            group.called -= titled
        return surnames

    def _is_called(self, mention: Mention, following: Sequence[Mention]) -> bool:
        """Whether one word is a given name, whatever lists say."""
        text = mention.text
        if len(name_tokens(text)) > 1:
            return False
        if (
            mention.subtype == "GIVEN_NAME"
            or self.rules.is_called(text, mention.before)
            or GIVEN_LABEL.search(mention.before)
        ):
            return True
        fulls = nicknames(self.home).full.get(fold(text), ())
        if not self.known.isdisjoint(map(fold, fulls)) or self.rules.is_short(
            text, self.known
        ):
            return True
        if self._is_unheard(mention):
            return True
        # A name that has been cut in two: the surname follows.
        rest = mention.after.lstrip()
        behind = following[0].text[: len(rest)] if following else ""
        spaced = mention.after[:1].isspace()
        cut = spaced and len(behind) > 1 and rest.startswith(behind)
        return cut and not self.rules.is_surname(text, mention.before)

    def _is_unheard(self, mention: Mention) -> bool:
        """Whether a lone name is in no list of surnames, and a given name: people who speak
        call others by these ("der Maxl"), texts do that call others so, and forms ask for
        them; others write surnames."""
        text, before = mention.text, mention.before
        if not self._may_be_given(text) or self.rules.is_surname(text, before):
            return False
        if self.rules.title_gender("", before):
            return False
        around = mention.around or before + mention.after
        pack = pack_of(self._lexicon)
        words = pack.words if pack is not None else {}
        articles = " ".join(words.get("articles", {}).values()).split()
        if last_word(before).lower() in articles:
            return True
        kind, chance = role_by_letters(text, self.home)
        if chance > _SURE:
            return kind == "given"
        speaking = set(words.get("speaking", ()))
        return self._first_names or not speaking.isdisjoint(around.lower().split())

    @property
    def _lexicon(self) -> str:
        return self.rules.lang if self.rules.lang in languages() else "en"

    def _may_be_given(self, text: str) -> bool:
        """Whether a word is in no list of surnames, and written as a name."""
        word = text.lower()
        known = load_lexicon(self._lexicon).class_of(word) & FAMILY
        known |= word in index().family and word not in index().given
        if self._first_names and (word in index().given or word not in index().family):
            known = 0
        cased = text.istitle() or (self._first_names and text.islower())
        alone = fold(text) not in self._lasts
        return not known and text.isalpha() and cased and alone

    def shown_nicknames(self, words: Sequence[str]) -> frozenset[str]:
        """Nicknames of these given names that stand anywhere in the document, folded."""
        table = nicknames(self.home)
        full = (table.names.get(fold(word), "") for word in words)
        return self.known.intersection(
            fold(short) for name in full for short in table.short.get(name, ())
        )

    def alone(self, group: Group) -> tuple[str, ...]:
        """The given names of somebody else that are all a person is called by: "José
        Luis" beside "José Luis Pérez", "Jean-Luc" beside "Jean-Luc Fournier"."""
        if len(group.parsed) > 1:
            return ()
        tokens = next(iter(group.parsed.values()))
        words = tuple(fold(t.text) for t in tokens)
        if words not in self.doubles or not self.surnames.isdisjoint(words):
            return ()
        return () if any(map(self.rules.is_kept, tokens)) else words

    def key_of(self, words: Sequence[str], roles: Mapping[str, str]) -> str:
        """One key for the orders and forms of a name, "Smith, Bob" and "Robert Smith":
        the full words in their order in the alphabet; all words if none is longer than
        an initial."""
        full = nicknames(self.home).full
        keys = list(map(fold, words))
        long = []
        for key in keys:
            if len(key.strip(".")) > 1:
                fulls = full.get(key, ()) if roles[key] != "family" else ()
                long.append(fold(fulls[0]) if fulls else key)
        return " ".join(sorted(long) or keys)

    def _parts(
        self, tokens: Sequence[NameToken]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Given names and surnames of a mention, folded and without particles."""
        given: list[str] = []
        family: list[str] = []
        for token in tokens:
            key = fold(token.text).strip(".")
            if token.role in ("given", "middle"):
                given += [] if self.rules.is_kept(token) else [key]
            elif token.role == "initials":
                given += key.replace(".", "")
            elif token.role == "family" and key not in PARTICLES:
                family.append(key)
        return tuple(given), tuple(family)

    def _join_initials(self, groups: list[Group]) -> tuple[dict[int, int], list[Group]]:
        """The groups, those of initials and a surname ("M. Meyer") put to the one person
        of the document with that surname and a given name that fits ("Maria Meyer")."""
        full: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {}
        short: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = []
        for i, group in enumerate(groups):
            pairs = list(map(self._parts, group.parsed.values()))
            written = [(g, f) for g, f in pairs if f and any(len(n) > 1 for n in g)]
            for given, family in written:
                # Of two surnames the first alone may be written.
                for surname in (family, family[:1]):
                    full.setdefault(surname, {}).setdefault(given, i)
            if not written and all(g and f for g, f in pairs):
                short.append((i, *max(pairs)))
        same: dict[int, int] = {}
        for i, initials, family in short:
            fitting = _fitting(initials, full.get(family, {}))
            # "Maria Meyer" and "Maria L. Meyer" may be one, Maria and Markus are two.
            if len({given[0] for given in fitting}) == 1:
                target = groups[min(fitting.values())]
                same[groups[i].entity_id] = target.entity_id
                target.mentions += groups[i].mentions
                target.parsed.update(groups[i].parsed)
        return same, [group for group in groups if group.entity_id not in same]


def _placed(
    tokens: list[NameToken], before: str, home: str, titled: Collection[str]
) -> list[NameToken]:
    """Words of a mention with roles by what they are: "Huber Maria" begins with the
    surname, "Anna Maria" has none, nor has what a form asks given names for; `titled` are
    surnames that stand behind titles, folded."""
    at = [i for i, t in enumerate(tokens) if t.role not in ("title", "suffix")]
    ends = [tokens[i] for i in (*at[:1], *at[-1:])]
    if {t.role for t in ends} != {"given", "family"}:
        return tokens
    first, last = (t.text.lower() for t in ends)
    roles: dict[int, str] = {}
    if ends[0].role == "family":
        # "Lena K.", but "Huber K."
        if len(at) == 2 and len(last.strip(".")) == 1 and is_given_name(first, home):
            roles = {at[0]: "given", at[1]: "family"}
    elif GIVEN_LABEL.search(before) and _is_no_surname(last, home):
        roles = dict.fromkeys(at, "middle")
    elif _is_given_alone(last, home) and fold(tokens[at[-1] - 1].text) not in PARTICLES:
        roles = _without_surname_behind(tokens, at, home, titled)
    return [t._replace(role=roles.get(i, t.role)) for i, t in enumerate(tokens)]


def _without_surname_behind(
    tokens: Sequence[NameToken], at: Sequence[int], home: str, titled: Collection[str]
) -> dict[int, str]:
    """New roles in a name whose last word is a given name."""
    given = index().given
    words = [tokens[i].text.lower() for i in at]
    if words[0] in given:
        return dict.fromkeys(at[1:], "middle") if given[words[-1]] & BITS[home] else {}
    if fold(words[0]) not in titled and not _is_surname(words[0], home):
        return {}
    return {i: "given" if word in given else "family" for i, word in zip(at, words)}


def _is_given_alone(word: str, home: str) -> bool:
    """Whether a word is a given name, and no surname where the text is at home."""
    return word in index().given and not index().family.get(word, 0) & BITS[home]


def _is_no_surname(word: str, home: str) -> bool:
    """Whether a word is no surname alone: those stand behind "Nombre:", too."""
    return word in index().given or not _is_surname(word, home)


def _is_surname(word: str, home: str) -> bool:
    """Whether a word in lower case is a surname by lists or by its letters."""
    if not index().family.keys().isdisjoint(word.split("-")):
        return True
    return (
        len(word) > 3
        and role_by_letters(word, home)[0] == "family"
        and not is_far_given(word)
    )


def _calls_by_given(mentions: Sequence[Mention]) -> bool:
    """Whether a text calls people by their given names: most of its lone names that are
    in lists are such."""
    lone = {m.text.lower() for m in mentions if m.text.isalpha()}
    given = sum(map(is_given_name, lone))
    known = index().family
    return given > sum(word in known and not is_given_name(word) for word in lone)


def _fitting(
    initials: Sequence[str], full: Mapping[tuple[str, ...], int]
) -> dict[tuple[str, ...], int]:
    """The given names that initials may be short for."""
    return {
        given: i
        for given, i in full.items()
        if all(a[0] == b[0] for a, b in zip(initials, given))
    }


def parse(parsed: Parsed) -> Parsed:
    """Words of each text of a person; a suffix that stands inside another form of the
    name is a name ("Júnior")."""
    tokens = [token for row in parsed.values() for token in row]
    if not any(t.role == "suffix" for t in tokens):
        return parsed
    inner = {fold(t.text) for t in tokens if t.role in ("given", "middle", "family")}
    return {
        text: [
            t._replace(role="family")
            if t.role == "suffix" and fold(t.text) in inner
            else t
            for t in row
        ]
        for text, row in parsed.items()
    }


def roles_of(
    parsed: Parsed,
    rules: Persons,
    called: Collection[str] = (),
    surnames: Collection[str] = (),
) -> Roles:
    """Role of every word over all mentions."""
    roles: dict[str, str] = {}
    given: dict[str, str] = {}
    words: dict[str, str] = {}
    for tokens in sorted(parsed.values(), key=len, reverse=True):
        named = rules.names_of(tokens)
        lone = len(named) == len(tokens) == 1
        for token in named:
            key, role = fold(token.text), token.role
            if lone and role != "initials" and len(key) > 1 and key not in roles:
                known = rules.is_given(token.text)
                is_given = key in called or (known and key not in surnames)
                role = "given" if is_given else "family"
            roles.setdefault(key, role)
            words.setdefault(key, token.text)
            if roles[key] in ("given", "middle") and len(key.strip(".")) > 1:
                given.setdefault(key, token.text)
    return Roles(roles, list(given.values()), list(words.values()))


def particles_of(parsed: Iterable[Sequence[NameToken]]) -> dict[str, str]:
    """Small words before each name, folded."""
    found: dict[str, str] = {}
    for tokens in parsed:
        run: list[str] = []
        for token in tokens:
            key = fold(token.text)
            if key in PARTICLES and (not token.text.istitle() or not run):
                run.append(key)
            else:
                if run:
                    found.setdefault(key.partition("-")[0], " ".join(run))
                run = []
    return found
