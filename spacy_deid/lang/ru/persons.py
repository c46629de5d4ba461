"""New names for persons in Russian text: the form of every word stays.

A surname is exchanged for one that is declined alike, so its ending is kept as it is and
no case has to be known. Given names are declined by pymorphy3.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, NamedTuple

from ...gazetteers.names import frequencies, nicknames
from ...text.case import match_case
from ...text.names import NameToken, fold
from ...text.offsets import splice
from ...text.scripts import romanise
from ...text.shuffling import often_first, shuffled
from ..inflection import Lexeme, in_form, key_of
from ..persons import Persons
from .forms import GRAMMAR, governed, latin_key, like_pattern, narrowed, parses
from .name_lists import (
    BY_ENDING,
    KNOWN,
    ORIGINS,
    OWN,
    SHORT,
    WORDS,
    father_stem,
    fathers,
    fathers_of,
    gender_by_letters,
    given_forms,
    given_names,
    is_called,
    is_family,
    is_from_abroad,
    is_given_by_letters,
    origin_of_father,
    peoples_of_given,
    peoples_of_surname,
    read_given,
    surnames,
)
from .patronymics import SPEAKABLE, Patronymic, is_father, patronymic
from .peoples import Clues, peoples_of

TITLES = frozenset(WORDS["title"])
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
CYRILLIC = re.compile("[Ѐ-ӿ]")
# Nominatives and the stem in them, how they are declined, and all endings.
_DECLENSIONS = tuple(
    (re.compile(base), kind, endings.split(","))
    for base, kind, endings in GRAMMAR["declensions"]
)
_NOMINATIVE: dict[str, str] = GRAMMAR["nominatives"]
_SHE = re.compile(rf"\b(?:{GRAMMAR['she'].replace(' ', '|')})\b", re.I)
# So many words before a name may tell who it is.
_WHO = re.compile(r"(?:[^\W\d_]+[\s-]+){1,4}$")
# So far from a name in no list a word for a woman tells whose it is.
_BESIDE = 30
_KIN = re.compile(
    rf"\b(?:(?P<f>{GRAMMAR['kin_she'].replace(' ', '|')})"
    rf"|(?P<m>{GRAMMAR['kin_he'].replace(' ', '|')})),?\s+[(«]?$",
    re.I,
)
PARTICLES = {word: of for of, x in GRAMMAR["particles"].items() for word in x.split()}
_SURNAME_FIRST = frozenset(GRAMMAR["surname_first"].split())
_INITIALS = "АБВГДЕИКЛМНОПРСТФЭЮ"
# What forms and texts call the next word: "Отчество: ".
_LABELS = {
    role: re.compile(rf"\b(?:{words})[\s:.|;(«\"–—-]*$", re.I)
    for role, words in GRAMMAR["labels"].items()
}


class _Surname(NamedTuple):
    """A surname taken apart: the stem tells who bears it, the ending its form."""

    stem: str
    kind: str
    ending: str

    @property
    def nominative(self) -> str:
        """The masculine or only form, as lists have it."""
        return self.stem + _NOMINATIVE.get(self.kind, "")


def _patronymic(token: NameToken) -> Patronymic:
    """That of a token in this role."""
    found = patronymic(token.text)
    assert found is not None
    return found


def _tokens(text: str) -> list[NameToken]:
    """Words of a mention and their roles: "title", "initial", "given", "patronymic" or
    "family"."""
    matches = list(_WORD.finditer(text))
    roles = [_role(text, matches, i) for i in range(len(matches))]
    open_ = [m for m, role in zip(matches, roles) if not role]
    before = zip(matches, roles, roles[1:])
    named = [m for m, role, after in before if (role, after) == ("", "patronymic")]
    given = named or _given_of(text, open_, roles.count("initial"))
    return [
        NameToken(*m.span(), m.group(), role or ("given" if m in given else "family"))
        for m, role in zip(matches, roles)
    ]


def _given_of(
    text: str, open_: list[re.Match[str]], initials: int
) -> list[re.Match[str]]:
    """Which of given names and surnames are given names."""
    given = [m for m in open_ if read_given(m.group())]
    if _is_eastern([m.group() for m in open_]):
        return open_[1:]
    if len(open_) < 2:
        # "Вера Ф." has no surname, "Роман А. Б." has one.
        named = initials and (initials > 1 or not text.endswith((" ", ".")))
        return [] if named else given
    if given == open_[1:] and not _leads_surname(open_[0].group(), given[0].group()):
        # "Карлос Симон"
        given = []
    return _given_among(text, open_, given)


def _given_among(
    text: str, open_: list[re.Match[str]], given: list[re.Match[str]]
) -> list[re.Match[str]]:
    """Which of several names are given names, `given` by the lists."""
    leads, ends = (is_family((given or open_)[i].group()) for i in (0, -1))
    if len(given) > 1 and (len(given) == len(open_) or leads):
        # "Иван Роман": one of them is the surname, more likely the last.
        return given[1:] if leads and not ends else given[:-1]
    return given or _given_by_place(text, open_, leads, ends)


def _leads_surname(first: str, given: str) -> bool:
    """Whether a name in no list of given names is the surname before one that is: by its
    shape and the lists, or as Russians write it."""
    read = read_given(given)
    foreign = all(
        is_from_abroad(lexeme) or lexeme.row.endswith(KNOWN) for lexeme, _ in read
    )
    if foreign and peoples_of_surname(key_of(given)):
        return False
    return not foreign or is_family(first)


def _given_by_place(
    text: str, open_: list[re.Match[str]], leads: bool, ends: bool
) -> list[re.Match[str]]:
    """Which of several names, none of them known as a given name, are such, by whether
    the first and the last of them are surnames."""
    if leads:
        # "Юлдашев Бахром"
        return [m for m in open_[1:] if text[m.start() - 1].isspace() and not ends]
    # A name in no list before a surname: "Юрген Клинсман".
    last, apart = open_[-1].group(), text[open_[0].end() :][:1].isspace()
    return open_[:1] if apart and last[:1].isupper() and len(last) > 2 else []


def _role(text: str, matches: Sequence[re.Match[str]], i: int) -> str:
    """What a word is for certain; "" for a given name or a surname."""
    word, after = matches[i].group(), text[matches[i].end() :][:1]
    small = word.islower() and not text.islower()
    titled = key_of(word) in TITLES or _is_particle(matches, i)
    if not titled and _is_initial(word, after, i > 0, small):
        return "initial"
    if titled or (small and not (i and given_names().find(word))):
        return "title" if len(matches) > 1 or after != "-" else "family"
    found = patronymic(word)
    return "patronymic" if found and is_father(found, matches, i) else ""


def _is_particle(matches: Sequence[re.Match[str]], i: int) -> bool:
    """ "Ван" of "Люк Ван Велли", not of "Ли Ван Хо"."""
    between = 0 < i < len(matches) - 1
    if not between or key_of(matches[i].group()) not in PARTICLES:
        return False
    return not any(_leads_by_custom(matches[j].group()) for j in (0, -1))


def _is_eastern(words: Sequence[str]) -> bool:
    """Whether names are like "Хван Чжан Еп"."""
    short = len(words) > 2 and max(map(len, words)) < 6
    return short and _leads_by_custom(words[0])


def _leads_by_custom(word: str) -> bool:
    """Whether a word is the surname, in any case, of a people that puts it first."""
    key = key_of(word)
    bases = (key, re.sub("(?:ом|а|у|е)$", "", key))
    return any({*peoples_of_surname(base)} & _SURNAME_FIRST for base in bases)


def _is_initial(word: str, after: str, inner: bool, small: bool) -> bool:
    """Whether a word is an initial or as good as one: "Кс.", and in small letters behind
    others "фом."."""
    if small:
        return inner and after == "." and len(word) < 4
    return len(word) == 1 or (len(word) == 2 and after == ".")


def _read_surname(key: str, words: set[str], nominative: bool) -> _Surname:
    """A surname's stem, how it is declined, and its ending; `words` are those of all
    names of the text, `nominative` whether the given name beside it tells that case."""
    for pattern, kind in BY_ENDING:
        match = pattern.fullmatch(key)
        if match and (len(match[1]) > 3 or kind in ("ko", "yh")):
            return _Surname(match[1], kind, match[2])
    fixed = _Surname(key, "fixed", "")
    if nominative or peoples_of_surname(key):
        return _declined(key, key) or fixed
    # The nominative stands somewhere in the text or in the lists, or it is a surname's
    # form.
    bases = [
        base
        for base in (key[:-1], key[:-2])
        if base in words or peoples_of_surname(base)
    ]
    nouns = sorted(
        (p for p in parses(key) if {"NOUN", "ADJF", "Surn"} & p.tag.grammemes),
        key=lambda p: (
            key_of(p.normal_form) not in words or p.normal_form == key,
            "Surn" not in p.tag,
            "anim" not in p.tag,
        ),
    )
    single = (p for p in nouns if not {"plur", "Fixd"} & p.tag.grammemes)
    bases += (key_of(p.normal_form) for p in single)
    return next(filter(None, (_declined(key, base) for base in bases)), fixed)


def _in_nominative(tokens: Sequence[NameToken]) -> bool:
    """Whether a given name tells that a person's name is in the nominative."""
    read = chain(*(read_given(t.text) for t in tokens if t.role == "given"))
    cases = {case for _, keys in read for case in keys}
    return "nomn" in cases and not cases & {"gent", "accs", "loct"}


def _is_noun(word: str) -> bool:
    """Whether the dictionary has a word as a noun."""
    return any("NOUN" in parse.tag and parse.is_known for parse in parses(word))


def _declined(key: str, base: str) -> _Surname | None:
    """A surname by its nominative; None if it is not declined like any that we have."""
    for pattern, kind, endings in _DECLENSIONS:
        match = pattern.fullmatch(base)
        if match and key.startswith(match[1]):
            stem, ending = match[1], key[match.end(1) :]
            # "Зоркий", "Сороки"
            if kind in ("yy", "a"):
                ending = re.sub("^и(?=[йм]?$)", "ы", ending)
            if kind == "y":
                # "Соловью" of Соловей.
                stem, ending = base[:-1], ending.removeprefix("ь")
            if ending in endings:
                return _Surname(stem, kind, ending)
    return None


class _Names:
    """New names of one document, the same for a name wherever it stands."""

    def __init__(self, draws: Any, mentions: Sequence[Any]) -> None:
        self.draws = draws
        found = (m for mention in mentions for m in _WORD.findall(mention.text))
        self.words = set(map(key_of, found))
        self.surnames: dict[str, _Surname] = {}
        self.given: dict[str, Lexeme] = {}
        self.stems: dict[str, str] = {}
        self.fathers: dict[str, str] = {}
        # Fathers' stems of the patronymics of the text, and its men by such stems.
        self.named_fathers: set[str] = set()
        self.men: dict[str, Lexeme] = {}
        # Stem of a surname -> full given names and fathers of its bearers.
        self.bearers: dict[str, list[tuple[str, str]]] = {}

    def note(self, tokens: Sequence[NameToken]) -> None:
        """Remember who bears which surname."""
        stem = given = father = ""
        nominative = _in_nominative(tokens)
        for token in tokens:
            if token.role == "family":
                whole = nominative and not token.text.endswith("ая")
                stem = self.surname(token.text, whole).stem
            elif token.role == "given" and not given:
                found = [lexeme for lexeme, _ in read_given(token.text)]
                given = key_of(found[0].name) if found else _given_stem(token.text)
                for lexeme in found:
                    if lexeme.row[0] == "m":
                        self.men.setdefault(father_stem(self.full(lexeme)), lexeme)
            elif token.role == "patronymic":
                father = _patronymic(token).father
                self.named_fathers.add(father)
        if stem and (given or father):
            self.bearers.setdefault(stem, []).append((given, father))

    def role_of(self, token: NameToken, stem: str) -> str:
        """The role of a lone name, by those who are named in full: "Данна" is the surname
        of Данн."""
        called = {key_of(lexeme.name) for lexeme, _ in read_given(token.text)}
        called = called or {_given_stem(token.text)}
        if called & {name for bearers in self.bearers.values() for name, _ in bearers}:
            return "given"
        return "family" if stem in self.bearers else token.role

    def surname(self, word: str, nominative: bool = False) -> _Surname:
        """A surname of the text taken apart."""
        key = key_of(word)
        if key not in self.surnames:
            self.surnames[key] = _read_surname(key, self.words, nominative)
        return self.surnames[key]

    def new_surname(self, word: str, origin: str) -> str:
        """The new surname in the form of the old one."""
        old = self.surname(word)
        if old.stem not in self.stems:
            self.stems[old.stem] = self._draw_surname(old, origin)
        new = self.stems[old.stem].removesuffix(_NOMINATIVE.get(old.kind, ""))
        if old.kind in ("hard", "ich") and old.ending in ("ом", "ем"):
            return new + ("ем" if new[-1] in "жчшщц" else "ом")
        return new + old.ending

    def _draw_surname(self, old: _Surname, origin: str) -> str:
        key, draws = f"ru {old.stem}", self.draws
        if key not in draws.families:
            rng = draws.random_for("person-family", key)
            own, home = surnames(old.kind, origin), surnames(old.kind)
            name = ""
            owner = f"family {key}"
            for name in chain(shuffled(own, rng), shuffled(home, rng), _made(old, rng)):
                usable = key_of(name)[0] != old.stem[0] and not draws.forbidden(name)
                if (
                    usable
                    and draws.name_owners.setdefault(key_of(name), owner) == owner
                ):
                    break
            draws.families[key] = name
        return draws.families[key]

    def full(self, lexeme: Lexeme) -> str:
        """The full name of somebody, who may be called by a short one."""
        if not lexeme.row.endswith("/short"):
            return lexeme.name
        known, gender = nicknames("ru_RU"), lexeme.row[0]
        options = [
            x for x in known.full[fold(lexeme.name)] if known.gender[x] == gender
        ]
        return next((x for x in options if key_of(x) in self.words), options[0])

    def new_given(self, lexeme: Lexeme) -> Lexeme:
        """The new given name for one of the original's. Who is called by a short name
        somewhere gets a name that has one, too."""
        key = key_of(lexeme.name)
        if key in self.given:
            return self.given[key]
        gender, full = lexeme.row[0], self.full(lexeme)
        whole = key_of(full)
        new = self.given.get(whole) or self._draw_given(full, lexeme)
        self.given[whole] = new
        if full == lexeme.name:
            return new
        # "Ванька" has the new name's form for that, not that for "Ваня".
        names = SHORT[gender].get(new.name, ())
        place = SHORT[gender][full].index(lexeme.name)
        name = next(iter(names[place:] or names), "")
        short = given_names().rows[f"{gender}/short"]
        called = next((x for x in short if x.name == name), new)
        if any(map(self.draws.forbidden, called.forms.values())):
            called = new
        self.given[key] = called
        return called

    def _draw_given(self, full: str, lexeme: Lexeme) -> Lexeme:
        gender, rows = lexeme.row[0], given_names().rows
        old, row = rows[f"{gender}/old"], lexeme.row.replace("/rare", "/old")
        pool = rows.get(row) or rows[gender]
        forms = lexeme.forms
        if full in SHORT[gender] and row[2:] not in ORIGINS:
            pool = _with_short_names(full, gender)
            forms = given_forms(full, gender, ["Name"])
        if gender == "m" and father_stem(full) in self.named_fathers:
            # His children are called after him.
            own = rows["m"] if row.endswith(("/old", "/short")) else pool
            pool = [x for x in own if father_stem(x.name) in fathers()]
        return (
            self._pick(full, like_pattern(pool, forms))
            or self._pick(full, pool)
            or self._pick(full, old)
            or self._pick(full, rows[gender], taken=True)
            or rows[gender][0]
        )

    def _pick(
        self, old: str, pool: Sequence[Lexeme], taken: bool = False
    ) -> Lexeme | None:
        """A name that nobody else of the document has been given."""
        key, draws = key_of(old), self.draws
        owner = f"given ru {key}"
        rng = draws.random_for("person-given", f"ru {key}")
        sums = frequencies(tuple(x.name for x in pool), "ru")
        for lexeme in often_first(pool, sums, rng):
            name = fold(lexeme.name)
            if name[:1] == key[:1] or any(map(draws.forbidden, lexeme.forms.values())):
                continue
            if taken or draws.name_owners.setdefault(name, owner) == owner:
                return lexeme
        return None

    def new_patronymic(self, old: Patronymic, origin: str) -> str:
        """The new patronymic in the form of the old one."""
        if old.father not in self.fathers:
            self.fathers[old.father] = self._new_father(old.father, origin)
        ending, new = old.ending.replace("ом", "ем"), self.fathers[old.father]
        if old.spoken and (stem := SPEAKABLE.fullmatch(new)):
            spoken = f"{stem['soft']}ич" if stem["soft"] else f"{stem['hard']}ыч"
            return spoken + ending
        return new + ("н" if old.feminine else "ич") + ending

    def _new_father(self, father: str, origin: str) -> str:
        """What the new patronymics are made of: the father's new name if he is there."""
        if father in self.men:
            lexeme = self.men[father]
            self.new_given(lexeme)
            if found := _made_of(self.given[key_of(self.full(lexeme))]):
                return found
        forbidden = self.draws.forbidden
        rng = self.draws.random_for("person-father", f"ru {father}")
        options = [
            name
            for name in shuffled(fathers_of(origin) or fathers_of(""), rng)
            if key_of(name)[:1] != father[:1]
            and not any(forbidden(name + end) for end in ("ич", "на"))
        ]
        taken = {*self.fathers.values(), *map(_made_of, self.given.values())}
        free = (name for name in options if name not in taken)
        return next(chain(free, options, fathers_of("")))

    def initial(self, letter: str, stem: str, father: bool) -> str:
        """The first letter of the new name that an initial stands for."""
        key = key_of(letter)[:1]
        for names in self.bearers.get(stem, ()):
            old = names[father]
            if old in (self.fathers if father else self.given) and old.startswith(key):
                return (self.fathers[old] if father else self.given[old].name)[0]
        role = "father" if father else "given"
        rng = self.draws.random_for("person-initial", f"ru {stem} {role} {key}")
        return rng.choice([ch for ch in _INITIALS if ch.lower() != key])


def _with_short_names(full: str, gender: str) -> list[Lexeme]:
    """Names that may stand for one whose bearer friends call otherwise."""
    old = given_names().rows[f"{gender}/old"]
    rare = full not in OWN[gender] and any(x.name == full for x in old)
    kin = old if rare else given_names().rows[gender]
    return [x for x in kin if is_called(x.name, gender)]


def _made(old: _Surname, rng: random.Random) -> Iterator[str]:
    """Surnames that sound like others, for documents with very many."""
    for length in range(1, 8):
        for _ in range(60):
            stem = "".join(rng.choice(WORDS["made.stem"]) for _ in range(length))
            yield _title(stem.lower() + rng.choice(WORDS[f"made {old.kind}"]))


def _given_stem(word: str) -> str:
    """A given name in no list without the ending of its case."""
    key = key_of(word)
    return re.sub("(?:ом|ем|ой|ей|а|у|ы|и|е|я|ю|ь|й)$", "", key) or key


def _made_of(man: Lexeme) -> str:
    """What the patronymics of a man's children are made of; "" if nothing is listed."""
    return fathers().get(father_stem(man.name), ("",))[0]


class _Rendering:
    """One mention in its new form."""

    def __init__(self, mention: Any, tokens: Sequence[NameToken], names: _Names):
        kin = _kin_of(mention, tokens)
        if len(tokens) == 1:
            role = _lone_role(tokens[0], mention, kin, names)
            tokens = [tokens[0]._replace(role=role)]
        self.mention, self.tokens, self.names = mention, tokens, names
        self.families = [names.surname(t.text) for t in tokens if t.role == "family"]
        self.fathers = [_patronymic(t) for t in tokens if t.role == "patronymic"]
        told = ["f" if father.feminine else "m" for father in self.fathers]
        self.sex = [*told, kin][0]
        given = [read_given(t.text) for t in tokens if t.role == "given"]
        self.has_given = bool(given)
        # Rows of what the given names are first, of that sex if there is one.
        rows = (
            next((x.row for x, _ in of if self.sex in ("", x.row[0])), of[0][0].row)
            for of in filter(None, given)
        )
        self.rows = [*dict.fromkeys(rows)]
        # Given names and whose they are.
        self.called = [self._called(t.text) for t in tokens if t.role == "given"]
        self.stem = self.families[-1].stem if self.families else ""
        self.allowed = _asked(mention.before)

    def _called(self, word: str) -> tuple[str, tuple[str, ...]]:
        options = [lexeme for lexeme, _ in read_given(word)]
        fitting = [o for o in options if self.sex in ("", o.row[0])] or options
        if not fitting:
            return key_of(word), ()
        return fitting[0].name, peoples_of_given(fitting[0].name)

    @cached_property
    def _peoples(self) -> tuple[str, str]:
        """Whose the given name and the surname are."""
        last = self.families[-1] if self.families else _Surname("", "", "")
        noun = not self.called and _is_noun(last.nominative)
        fathers = [father.father for father in self.fathers]
        particles = (PARTICLES.get(key_of(t.text)) for t in self.tokens)
        told = [*filter(None, particles)]
        name, known = (last.nominative, last.kind), bool(self.rows)
        return peoples_of(Clues(self.called, *name, known, noun, fathers, told))

    def text(self) -> str:
        """The mention with its names replaced; everything else stays."""
        new: dict[int, str] = {}
        for token in sorted(self.tokens, key=lambda t: t.role == "initial"):
            if token.role != "title":
                new[token.start] = match_case(_title(self._new(token)), token.text)
        old = self.mention.text
        changed = [t for t in self.tokens if t.start in new]
        result = splice(old, ((t.start, t.end, new[t.start]) for t in changed))
        shorter = " ".join(new[t.start] for t in changed)
        for made in (result, shorter):
            if _key(made) != _key(old) and not self.names.draws.forbidden(made):
                return made
        return self._again()

    def _new(self, token: NameToken) -> str:
        names, word = self.names, token.text
        if token.role == "family":
            return names.new_surname(word, self._peoples[1])
        if token.role == "patronymic":
            old = _patronymic(token)
            of = origin_of_father(old.father)
            return names.new_patronymic(old, self._peoples[0] if of is None else of)
        if token.role == "initial":
            first = next(t for t in self.tokens if t.role == "initial") == token
            return names.initial(word, self.stem, self.has_given or not first)
        return self._given(token)

    def _given(self, token: NameToken) -> str:
        options = read_given(token.text)
        # "Мама Давида" is no woman with a man's name, "тётя Слава" is.
        sure = [o for o in options if "nomn" not in o[1] and not self.fathers]
        fitting = [o for o in options if self.sex in ("", o[0].row[0])] or sure
        if not fitting:
            return self._unknown_given(token, known=bool(options))
        fits = [self._fit(token, lexeme, keys) for lexeme, keys in fitting]
        # "Рамиля" is her name rather than a form of his.
        _, lexeme, keys = max(fits, key=lambda option: (option[0], "nomn" in option[2]))
        people, row = self._peoples[0], lexeme.row
        if people and (row.endswith(KNOWN) or people in peoples_of_given(lexeme.name)):
            row = f"{row[0]}/{people}"
        return next(in_form([self.names.new_given(lexeme._replace(row=row))], keys))

    def _fit(
        self, token: NameToken, lexeme: Lexeme, keys: Sequence[str]
    ) -> tuple[int, Lexeme, Sequence[str]]:
        """How well a name and its cases fit. Surname and preposition tell cases apart
        that look alike, and "Александра" (she) from "Александра" (of him)."""
        fits, names = 0, self.names
        for surname in self.families:
            cases = _cases_of(surname, lexeme.row[0])
            if set(cases) & set(keys):
                keys, fits = narrowed(keys, cases), fits + 2
        if set(self.allowed) & set(keys):
            keys, fits = narrowed(keys, self.allowed), fits + 2
        name = key_of(lexeme.name)
        if name != key_of(token.text) and (name in names.words or name in names.given):
            # Somebody of that name is there: "Александра" is his.
            fits += 2
        # "Ким Чен Ира" of Ир.
        of = self._peoples[0]
        fits += 2 * (of != "" and of in peoples_of_given(lexeme.name))
        home = "/" not in lexeme.row
        return 2 * fits + home + (home and "nomn" in keys), lexeme, keys

    def _unknown_given(self, token: NameToken, known: bool = False) -> str:
        """A name in no list, declined by its ending, or `known` as one of the other sex:
        "тётя Слава"."""
        key, gender = key_of(token.text), self._unknown_sex(token)
        told = [_cases_of(surname, gender) for surname in self.families]
        found = filter(None, (patronymic(t.text) for t in self.tokens))
        told += [_cases("father f" if x.feminine else "m", x.ending) for x in found]
        cases, *others = [*filter(None, told)] or [("nomn",)]
        for these in (*others, self.allowed):
            cases = narrowed(cases, these)
        stem = _given_stem(token.text)
        base = key if "nomn" in cases else stem + ("а" if gender == "f" else "")
        row = gender + (f"/{people}" if (people := self._peoples[0]) else "")
        forms = given_forms(base, gender, ["Name"])
        new = self.names.new_given(Lexeme(stem, gender if known else row, forms))
        return next(in_form([new], cases))

    def _unknown_sex(self, token: NameToken) -> str:
        """The sex of who bears a given name in no list: as patronymic and relation tell,
        then the surname beside it, the letters, what stands around it."""
        key = key_of(token.text)
        if self.sex or "f" in {row[0] for row in self.rows}:
            return self.sex or "f"
        soft = key[-1:] in "ая"
        for surname in self.families:
            if surname.kind in ("ov", "sky"):
                # "Абдуллаева Рахмона" is a man's genitive.
                man = self.allowed and soft and gender_by_letters(key[:-1]) == "m"
                return "m" if man or surname.ending not in ("а", "ая") else "f"
            # A woman's surname that ends in a consonant is not declined.
            if surname.ending and surname.kind in ("hard", "ich"):
                return "m"
        beside = f"{self.mention.before[-_BESIDE:]} | {self.mention.after[:_BESIDE]}"
        she = not self.rows and _SHE.search(beside) is not None
        return gender_by_letters(key) or "mf"[soft | she]

    def _again(self) -> str:
        """Another name where the first one may not be used: without title or patronymic,
        the name drawn anew."""
        draws, key = self.names.draws, _key(self.mention.text)
        kept = [t for t in self.tokens if t.role in ("given", "family")] or self.tokens
        rng = draws.random_for("russian-person/again", key)
        for _ in range(40):
            words = []
            for token in kept:
                old = self.names.surname(token.text)
                kind = "ov" if token.role == "given" else old.kind
                stem = rng.choice(surnames(kind)).removesuffix(
                    _NOMINATIVE.get(kind, "")
                )
                words.append(stem + old.ending * (kind == old.kind))
            if draws.usable(made := " ".join(words), key):
                return draws.claim(made, key)
        return draws.invent("person", key, like=self.mention.text)


def _asked(before: str) -> tuple[str, ...]:
    """Cases of a name by a preposition or by who it is: "президента Чили Александра"."""
    words, cases = _WHO.search(before), governed(before)
    for word in reversed(re.findall(r"\b[а-яё]+\b", words[0] if words else "")):
        told = {p.tag.case for p in parses(word) if {"NOUN", "anim", "sing"} in p.tag}
        if told and not cases:
            return () if "nomn" in told else (*sorted(told),)
    return cases


def _kin_of(mention: Any, tokens: Sequence[NameToken]) -> str:
    """The sex that a word for a relative tells before a name, or leading in it."""
    titled = takewhile(lambda token: token.role == "title", tokens)
    led = max((token.end for token in titled), default=0)
    found = _KIN.search(f"{mention.before}{mention.text[:led]} ".replace("  ", " "))
    return (found.lastgroup if found else None) or ""


def _cases_of(surname: _Surname, gender: str) -> Sequence[str]:
    """Cases that the ending of a surname may be."""
    declined = surname.kind in ("ov", "hard", "ich")
    return _cases(gender, surname.ending) if declined else ()


def _cases(of: str, ending: str) -> Sequence[str]:
    alike = re.sub("[ое]м", "ым", ending)
    cases: str = GRAMMAR["ending_cases"][of].get(alike, "")
    return cases.split()


def _lone_role(token: NameToken, mention: Any, kin: str, names: _Names) -> str:
    """The role of a name of one word: as forms and relations tell ("сын Даник"), then by
    the lists, the other persons of the text, the letters."""
    if token.role not in ("given", "family"):
        return token.role
    before = mention.before[-40:]
    label = next((role for role, ends in _LABELS.items() if ends.search(before)), "")
    if label == "family" or (label == "patronymic" and patronymic(token.text)):
        return label
    surname = names.surname(token.text)
    if names.role_of(token, surname.stem) == "given":
        return "given"
    base = surname.nominative
    sure = surname.stem in names.bearers or is_family(base) or is_family(token.text)
    told = kin or label == "given"
    if not told and not sure and not _is_noun(base):
        told = is_given_by_letters(key_of(token.text))
    return "given" if told and not sure else "family"


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _map_names(names: _Names) -> None:
    """Note old and new names in Latin letters, for addresses."""
    pairs = [(token, lexeme.name) for token, lexeme in names.given.items()]
    surnames = {surname.stem: surname for surname in names.surnames.values()}
    for old in surnames.values():
        if old.stem in names.stems:
            new, nominative = names.stems[old.stem], _NOMINATIVE.get(old.kind, "")
            stem = new.removesuffix(nominative)
            # Addresses have nominatives, of men and of women.
            woman = GRAMMAR["nominatives_of_women"].get(old.kind, nominative)
            pairs += [(old.stem + end, stem + end) for end in (nominative, woman)]
            pairs.append((old.stem, new))
    name_map = names.draws.name_map
    for before, after in pairs:
        name_map.setdefault(before, after)
        for length in (None, 1):
            latin = fold(romanise(before[:length]))
            # "Ю." is "yu." in addresses.
            if length is None or len(latin) > 1:
                made = fold(romanise(after[:length]))
                name_map.setdefault(latin, made)
                name_map.setdefault(latin_key(latin), made)


class Russian(Persons):
    """See `Persons`."""

    def is_declined(self, text: str) -> bool:
        return CYRILLIC.search(text) is not None

    def replace_declined(self, mentions: Sequence[Any], draws: Any) -> list[str]:
        """New names that keep gender, case, order and initials."""
        names = _Names(draws, mentions)
        parsed = [_tokens(mention.text) for mention in mentions]
        for tokens in parsed:
            names.note(tokens)
        by_text: dict[tuple[str, tuple[str, ...]], str] = {}
        keys = [(mention.text, _asked(mention.before)) for mention in mentions]
        # The longest first: initials follow full names.
        for i in sorted(range(len(mentions)), key=lambda i: -len(mentions[i].text)):
            if keys[i] not in by_text:
                by_text[keys[i]] = _Rendering(mentions[i], parsed[i], names).text()
        _map_names(names)
        return [by_text[key] for key in keys]


PERSONS = Russian("ru")
