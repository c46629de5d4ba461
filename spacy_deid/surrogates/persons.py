"""New names for persons: one person, one name, each mention in its own form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ..gazetteers.name_letters import guess_language
from ..gazetteers.names import NAME_WORD, is_name, locale_of
from ..lang.persons import persons_of
from ..text.case import match_case
from ..text.names import FEMALE, MALE, PARTICLES, NameToken, strip_possessive
from .base import Draws, Mention, is_acronym, like, normalise
from .new_person import NewPerson, Traits, fold
from .person_gender import Known, gender_by_text
from .person_reading import WORD, Group, Reading, Roles, particles_of, roles_of

# How often the names of a person are drawn again if they cannot be used.
_TURNS = 16
# So many mentions are written for that: of a person in a thousand spellings some stay
# unusable, whatever is drawn.
_RENDERED = 320
# Stuck to a title ("1986.Lt Gen"): numbers are no part of a name.
_YEARS = re.compile(r"\d{2,}")
_CJK = ("ja_JP", "zh_CN", "ko_KR")
# Articles before Arabic names, in any letter case.
_BOUND = frozenset(("al", "el", "ad", "as", "az", "ash", "ar", "ur", "ul"))


def replace_persons(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New names for the persons of a document.

    mentions (Sequence[Mention]): All mentions of persons, in document order.
    draws (Draws): The document's draws; `name_map` is filled with old and new names.
    RETURNS (list[str]): One text a mention.
    """
    rules = persons_of(draws.lang)
    declined = [rules.is_declined(m.text) for m in mentions]
    parts: list[list[str]] = [[], []]
    some = [[m for m, d in zip(mentions, declined) if d == of] for of in (False, True)]
    parts[0] = _Replacement(some[0], draws).texts(some[0]) if some[0] else []
    parts[1] = rules.replace_declined(some[1], draws) if some[1] else []
    texts = [iter(part) for part in parts]
    return [next(texts[of]) for of in declined]


class _Replacement:
    """The new persons of a document, one after the other."""

    def __init__(self, mentions: Sequence[Mention], draws: Draws) -> None:
        self.draws = draws
        self.rules = persons_of(draws.lang)
        self.reading = Reading(mentions, self.rules)
        own = (word.upper() for word in self.reading.known if len(word) == 1)
        draws.own_letters = frozenset(own)
        self.new: dict[tuple[int, str], str] = {}
        # Persons by their given names and what these are short for.
        self.given_of: dict[str, NewPerson] = {}
        # Surname -> genders of those who are named in full.
        self.genders: dict[str, str] = {}

    def texts(self, mentions: Sequence[Mention]) -> list[str]:
        """One text a mention."""
        for group in self.reading.groups:
            if not self._replace_acronym(group):
                self._replace_group(group)
        self.draws.nickname = partial(_nickname_of, self.given_of)
        same = self.reading.same
        return [self.new[same.get(m.entity_id, m.entity_id), m.text] for m in mentions]

    def _replace_acronym(self, group: Group) -> bool:
        """Replace what is an acronym, no name ("GP")."""
        if not all(map(is_acronym, group.mentions)) or any(
            is_name(m.text) or self.draws.name_map.get(fold(m.text))
            for m in group.mentions
        ):
            return False
        short = {m.text: self.draws.acronym(m) for m in group.mentions}
        made = {text: new for text, new in short.items() if new is not None}
        if len(made) == len(short):
            self.new |= {(group.entity_id, text): new for text, new in made.items()}
        return len(made) == len(short)

    def _replace_group(self, group: Group) -> None:
        alone = self.reading.alone(group)
        if alone:
            group.called.update(alone)
            for text, tokens in group.parsed.items():
                group.parsed[text] = [
                    t._replace(role="given") if fold(t.text) in alone else t
                    for t in tokens
                ]
        surnames = self.reading.surnames
        roles = roles_of(group.parsed, self.rules, group.called, surnames)
        known = None
        if len(roles.words) == 1 or alone:
            known = self.given_of.get(fold(roles.words[0]))
        traits = self._traits(group, roles, known)
        person, rendered, done = self._drawn(group, roles, traits, known)
        for word in roles.given:
            self._remember(person, fold(word))
        for text, result in rendered.items():
            self.new[group.entity_id, text] = self._claim(person, text, result, done)
        self._map_names(person)

    def _traits(self, group: Group, roles: Roles, known: NewPerson | None) -> Traits:
        """What is known of a person; that of a known one counts for more."""
        latin = [word for word in roles.words if not locale_of(word)]
        key = self.reading.key_of(roles.words, roles.of)
        if known is not None:
            language, gender = known.language, known.gender
        else:
            language = guess_language(latin, self.reading.home)
            gender = self._gender(group, roles, language, key)
        if roles.given:
            for token, role in roles.of.items():
                if role == "family":
                    self.genders[token] = self.genders.get(token, "") + gender
        words = frozenset(map(fold, roles.words))
        places = ((m.text, m.before) for m in group.mentions)
        # "el Cojo" is no surname.
        articles = {fold(place[0]): self.rules.article_of(*place) for place in places}
        return Traits(
            key,
            gender,
            language,
            words | self.reading.shown_nicknames(roles.words),
            articles | particles_of(group.parsed.values()),
            self.rules.mixed and all(map(str.isascii, latin)),
            frozenset(
                fold(token.text)
                for text, tokens in group.parsed.items()
                for token in tokens
                if text[max(token.start - 1, 0)] in "\"'“‘" and not is_name(token.text)
            ),
        )

    def _gender(self, group: Group, roles: Roles, language: str, key: str) -> str:
        known = Known(group.mentions, roles.given, language, self.rules)
        told = gender_by_text(known)
        if not told:
            # A surname alone is that of somebody named in full.
            others = {g for w in roles.words for g in self.genders.get(fold(w), "")}
            told = others.pop() if len(others) == 1 else ""
        if told:
            return told
        coin = self.draws.random_for("person-gender", key)
        return MALE if coin.random() < 0.5 else FEMALE

    def _drawn(
        self, group: Group, roles: Roles, traits: Traits, known: NewPerson | None
    ) -> tuple[NewPerson, dict[str, str], bool]:
        """A person with names that can be used, the texts of the mentions, and whether
        they can be used indeed."""
        # Who has nothing but a surname has to get another one if it is taken.
        surname = all(role == "family" for role in roles.of.values())
        person = known or NewPerson(self.draws, self.rules, traits)
        rendered: dict[str, str] = {}
        for turn in range(max(1, min(_TURNS, _RENDERED // len(group.parsed)))):
            late = turn > _TURNS // 2
            if turn:
                anew = surname or late
                person = NewPerson(self.draws, self.rules, traits, turn, anew)
            else:
                person.words |= traits.words
                person.particles |= traits.particles
            self._name(person, roles)
            rendered = {
                text: self._usable(text, tokens, roles, person, late)
                for text, tokens in group.parsed.items()
            }
            done = not any(
                self.draws.forbidden(new) or self._is_taken(person, text, new)
                for text, new in rendered.items()
            )
            if done:
                break
        return person, rendered, done

    def _name(self, person: NewPerson, roles: Roles) -> None:
        """Draw the person's names, given names first: "K.-H." follows "Karl-Heinz",
        wherever that stands."""
        words = [(word, roles.of[fold(word)]) for word in roles.words]
        words.sort(key=lambda item: item[1] == "family")
        for word, role in words:
            for part in word.split("-") if role != "initials" else ():
                if len(part.strip(".")) < 2 or not NAME_WORD.fullmatch(part):
                    continue
                if role == "family":
                    person.new_family(part)
                elif not _is_cjk(part):
                    person.new_given(part)

    def _usable(
        self,
        text: str,
        tokens: Sequence[NameToken],
        roles: Roles,
        person: NewPerson,
        late: bool,
    ) -> str:
        """A mention in its new form; what may be masked elsewhere is left out: a title
        ("President"), or what stands behind ("Jesse Mason, MD")."""
        forbidden = self.draws.forbidden
        new = _render(text, tokens, roles.of, person)
        named = self.rules.names_of(tokens)
        if not named or not forbidden(new):
            return new
        cut, end = named[0].start, named[-1].end
        if forbidden(text[end:]):
            text, tokens = text[:end], [t for t in tokens if t.end <= end]
            new = _render(text, tokens, roles.of, person)
        if cut and forbidden(new) and (late or forbidden(text[:cut])):
            shorter = [t._replace(start=t.start - cut, end=t.end - cut) for t in named]
            new = _render(text[cut:], shorter, roles.of, person)
        return new

    def _is_taken(self, person: NewPerson, text: str, new: str) -> bool:
        """Whether a new name stands for another person's, written otherwise."""
        owner = self.draws.persons.get(normalise(new))
        return (
            owner is not None and owner[0] is not person and owner[1] != normalise(text)
        )

    def _claim(self, person: NewPerson, text: str, new: str, done: bool) -> str:
        key = normalise(text)
        if normalise(new) == key or (not done and self._is_taken(person, text, new)):
            new = self.draws.invent("person", key, like=text)
        self.draws.persons.setdefault(normalise(new), (person, key))
        return new

    def _map_names(self, person: NewPerson) -> None:
        """Note old and new names, for addresses and user names."""
        draws = self.draws
        for names in (person.given, person.family):
            for token, name in names.items():
                if len(token) > 1:
                    written = self.rules.in_addresses(name)
                    draws.name_map.setdefault(token, fold(written))
        for token in person.family:
            letters = draws.bearers.setdefault(token, {})
            for old, name in (*person.given.items(), *person.letters.items()):
                letters.setdefault(fold(old)[:1], fold(name)[:1])

    def _remember(self, person: NewPerson, token: str) -> None:
        """Note whose given name a word is, with its full form and its nicknames."""
        self.given_of.setdefault(token, person)
        full = person.full_name(token) if token in person.given else ""
        if full and fold(full) in person.given:
            for name in (full, *person.nicknames.short[full]):
                self.given_of.setdefault(fold(name), person)


def _nickname_of(given_of: Mapping[str, NewPerson], token: str) -> str | None:
    """What the new person is called for whom a word of an address is short, folded;
    None if it is nobody's."""
    person = given_of.get(token)
    full = person.full_name(token) if person is not None else ""
    if person is None or fold(full) not in person.given:
        return None
    if fold(full) == token:
        return fold(person.given[token])
    return fold(person.nickname(full, token))


def _render(
    text: str,
    tokens: Sequence[NameToken],
    roles: Mapping[str, str],
    person: NewPerson,
) -> str:
    """A mention with its names replaced; everything else stays as it is written."""
    if _SHORT.fullmatch(text):
        return like(text, person.draws.random_for("person-letters", text), _COMMON)
    # Full names before initials, which take the first letter of a full name.
    ready = sorted(
        person.rules.names_of(tokens),
        key=lambda t: sum(map(str.isalpha, t.text)) < 2,
    )
    new = {}
    for token in ready:
        role = roles.get(fold(token.text), token.role)
        new[token.start] = _new_word(_Word(token.text, role, person))
    out, position = [], 0
    starts = {t.start for t in tokens}
    for token in sorted(ready):
        out += [text[position : token.start], new[token.start]]
        position = token.end
        # The second of two initials is no ending of the first: "H.S. Greve".
        if position not in starts:
            ending, position = person.rules.ending(text, position, new[token.start])
            out.append(ending)
    made = "".join([*out, text[position:]])
    if not _YEARS.search(made):
        return made
    rng = person.draws.random_for("person-digits", person.key)
    return _YEARS.sub(lambda m: like(m.group(), rng), made)


# "chw": who wrote an article, in small letters.
_SHORT, _COMMON = re.compile(r"[b-df-hj-np-tv-xz]{2,4}"), "BDFGHKLMNPRSTW"


class _Word(NamedTuple):
    """A word of a mention, its role, and whose it is."""

    text: str
    role: str
    person: NewPerson

    def named(self, text: str) -> str:
        """The new name for a part of the word."""
        if self.role == "family":
            return self.person.new_family(text)
        return self.person.new_given(text)


def _new_word(word: _Word) -> str:
    """What stands for a word of a mention."""
    text, person = word.text, word.person
    if glued := _glued_initials(text, person):
        return glued
    if word.role == "initials":
        return match_case("".join(person.initial(ch, "given") for ch in text), text)
    if len(text) > 1 and text.isascii() and text.isalpha():
        return match_case(word.named(text), text)
    return word.named(text) if _is_korean(word) else _in_parts(word)


def _glued_initials(text: str, person: NewPerson) -> str:
    """ "RM" of a person whose full name is known; "" for what is none."""
    if not (2 <= len(text) <= 4 and text.isupper() and text.isalpha()):
        return ""
    known = iter([*person.given.items(), *person.family.items()])
    found = (
        next((new for token, new in known if token.startswith(ch)), "")
        for ch in map(fold, text)
    )
    letters = [new[:1].upper() for new in found]
    return match_case("".join(letters), text) if all(letters) else ""


def _in_parts(word: _Word) -> str:
    rules, given = word.person.rules, word.role in ("given", "middle")
    text = rules.spelt_out(word.text) if given else word.text

    def replace(match: re.Match[str]) -> str:
        hyphen = text[match.end() : match.end() + 1] == "-"
        return _part(word, match.group(), hyphen)

    return WORD.sub(replace, text)


def _part(word: _Word, part: str, hyphen: bool) -> str:
    """One of the parts of a word with hyphens, full stops or endings."""
    person = word.person
    if part.isdecimal():
        rng = person.draws.random_for("person-digits", fold(word.text))
        return like(part, rng)
    key = fold(part)
    if hyphen and (key in _BOUND or (part.islower() and key in PARTICLES)):
        # "al-Hakim"
        return part
    base = strip_possessive(part)
    tail = part[len(base) :]
    if _is_cjk(base):
        return person.new_family(base[0]) + person.new_given(base[1:] or base)
    if len(base) == 1:
        letter = person.initial(base, word.role)
        return (letter.lower() if base.islower() else letter.upper()) + tail
    return match_case(word.named(base), base) + tail


def _is_korean(word: _Word) -> bool:
    """ "Min-jun" is one name."""
    text = word.text
    if word.role not in ("given", "middle") or not text.isascii():
        return False
    return (
        text.count("-") == 1
        and text[1:].islower()
        and word.person.language_of(fold(text), "given") == "ko"
    )


def _is_cjk(word: str) -> bool:
    return not word.isascii() and locale_of(word) in _CJK
