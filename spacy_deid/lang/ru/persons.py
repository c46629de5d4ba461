"""New names for persons in Russian text: the form of every word stays.

A surname is exchanged for one that is declined alike, so its ending is kept as it is and
no case has to be known. Given names are declined by pymorphy3.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from ...text.case import match_case
from ...text.names import fold
from ...text.offsets import splice
from ...text.scripts import romanise
from ...text.shuffling import shuffled
from ..inflection import Lexeme, in_form, key_of
from ..persons import Persons
from .forms import (
    CASES,
    GRAMMAR,
    governed,
    latin_key,
    like_pattern,
    narrowed,
    paradigm,
    parses,
)
from .name_lists import (
    BY_ENDING,
    HARD,
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
    is_given_by_letters,
    origin_by_letters,
    origin_of_father,
    origin_of_surname,
    surnames,
)

# Full names and, by gender, what somebody with a short name may be called in full.
_FULL: dict[str, dict[str, list[str]]] = {"m": {}, "f": {}}
for _gender, _pairs in SHORT.items():
    for _full, _names in _pairs.items():
        for _name in _names:
            _FULL[_gender].setdefault(_name, []).append(_full)
TITLES = frozenset(WORDS["title"])
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CYRILLIC = re.compile("[Ѐ-ӿ]")
_MASCULINE_PATRONYMIC = re.compile(r"(.{2,}?)(ович|евич|ич)(|а|у|ем|ом|е)")
_FEMININE_PATRONYMIC = re.compile(r"(.{2,}?)(овн|евн|иничн|ичн)(а|ы|е|у|ой|ою)")
_FOND = re.compile("(?P<stem>.{2,}?)(?P<soft>ь?)к(?P<end>а|и|е|у|ой)")
_FOND_CASES = {"а": "nomn", "и": "gent", "е": "datv loct", "у": "accs", "ой": "ablt"}
# Ending of the nominative -> how the surname is declined, and all its endings.
_DECLENSIONS = tuple(
    (end, kind, endings.split()) for end, kind, endings in GRAMMAR["declensions"]
)
_NOMINATIVE: dict[str, str] = GRAMMAR["nominatives"]
_SHE = re.compile(rf"\b(?:{GRAMMAR['she'].replace(' ', '|')})\b", re.I)
_KIN = re.compile(
    rf"\b(?:(?P<f>{GRAMMAR['kin_she'].replace(' ', '|')})"
    rf"|(?P<m>{GRAMMAR['kin_he'].replace(' ', '|')}))\s+[(«]?$",
    re.I,
)
# Lone surnames that are of the country.
_OF_HOME = re.compile("(?:[чнл][уюи]к|ич|ар|як)$")
_OF_FATHER = tuple(
    f"{x}ич{end}" for x in ("ов", "ев") for end in ("", "а", "у", "ем", "е")
)
# How patronymics begin of fathers who are in no list.
_OTHER_FATHERS = ("ник", "луки", "фом", "кузь")
_INITIALS = "АБВГДЕИКЛМНОПРСТФЭЮ"
# What forms and texts call the next word: "Отчество: ".
_LABELS = {
    role: re.compile(rf"\b(?:{words})[\s:.|;(«\"–—-]*$", re.I)
    for role, words in GRAMMAR["labels"].items()
}


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    # "title", "initial", "given", "patronymic" or "family".
    role: str


class _Patronymic(NamedTuple):
    """What a patronymic says of the father's name, whose it is, and its ending."""

    father: str
    feminine: bool
    ending: str


class _Surname(NamedTuple):
    """A surname taken apart: the stem tells who bears it, the ending its form."""

    stem: str
    kind: str
    ending: str

    @property
    def nominative(self) -> str:
        """The masculine or only form, as lists have it."""
        return self.stem + _NOMINATIVE.get(self.kind, "")


def patronymic(word: str) -> _Patronymic | None:
    """A patronymic in any case taken apart; None for words that are made otherwise."""
    key = key_of(word)
    feminine = _FEMININE_PATRONYMIC.fullmatch(key)
    match = feminine or _MASCULINE_PATRONYMIC.fullmatch(key)
    return _Patronymic(match[1], bool(feminine), match[3]) if match else None


@lru_cache(maxsize=1024)
def _given(word: str) -> tuple[tuple[Lexeme, tuple[str, ...]], ...]:
    """Given names that a word may be a form of, with the cases."""
    found = [(f.lexeme, f.keys) for f in given_names().in_row(word, ("m", "f"))]
    if not found and (fond := _FOND.fullmatch(key_of(word))):
        # "Ваньку" is Ваня.
        called = fond["stem"] + ("я" if fond["soft"] else "а")
        short = given_names().in_row(called.capitalize(), ("m", "f"))
        found = [(f.lexeme, tuple(_FOND_CASES[fond["end"]].split())) for f in short]
    listed = origin_of_surname(key_of(word), None) is not None
    if found or listed or not word[:1].isupper():
        return tuple(found)
    return tuple(_given_by_dictionary(word))


def _given_by_dictionary(word: str) -> Iterator[tuple[Lexeme, tuple[str, ...]]]:
    """Given names in no list, which the dictionary knows."""
    by_name: dict[tuple[str, str], list[str]] = {}
    for parse in parses(word.lower()):
        tag = parse.tag
        if "Name" in tag and parse.is_known and "plur" not in tag and tag.case in CASES:
            gender = "f" if tag.gender == "femn" else "m"
            by_name.setdefault((parse.normal_form, gender), []).append(tag.case)
    for (name, gender), cases in by_name.items():
        forms = paradigm(name.capitalize(), ["Name"])
        row = f"{gender}/{origin_by_letters(name) or 'rare'}"
        yield Lexeme(name, row, forms), tuple(cases)


def _tokens(text: str) -> list[_Token]:
    """Words of a mention and what they are."""
    matches = list(_WORD.finditer(text))
    roles = [_role(text, matches, i) for i in range(len(matches))]
    open_ = [m for m, role in zip(matches, roles) if not role]
    named = [
        m for m, role in zip(matches, roles[1:]) if m in open_ and role == "patronymic"
    ]
    given = named or _given_of(text, open_, roles.count("initial"))
    return [
        _Token(*m.span(), m.group(), role or ("given" if m in given else "family"))
        for m, role in zip(matches, roles)
    ]


def _given_of(
    text: str, open_: list[re.Match[str]], initials: int
) -> list[re.Match[str]]:
    """Which of given names and surnames are given names."""
    given = [m for m in open_ if _given(m.group())]
    if len(open_) < 2:
        # "Вера Ф." has no surname, "Роман А. Б." has one.
        return (
            []
            if initials > 1 or (initials and not text.endswith((" ", ".")))
            else given
        )
    if len(given) > 1 and (len(given) == len(open_) or _is_family(given[0].group())):
        # "Иван Роман": one of them is the surname, more likely the last.
        leads = _is_family(given[0].group()) and not _is_family(given[-1].group())
        return given[1:] if leads else given[:-1]
    return given or _given_by_place(text, open_)


def _given_by_place(text: str, open_: list[re.Match[str]]) -> list[re.Match[str]]:
    """Which of several names, none of them known as a given name, are such."""
    first, last = open_[0].group(), open_[-1].group()
    if _is_family(first):
        # "Юлдашев Бахром"
        apart = [m for m in open_[1:] if text[m.start() - 1].isspace()]
        return [] if _is_family(last) else apart
    # A name in no list before a surname: "Юрген Клинсман".
    named = text[open_[0].end() :][:1].isspace() and last[:1].isupper()
    return open_[:1] if named and len(last) > 2 else []


def _is_family(word: str) -> bool:
    """Whether a word is a surname by the lists or by its ending."""
    key = key_of(word)
    shaped = any((m := p.fullmatch(key)) and len(m[1]) > 3 for p, _ in BY_ENDING)
    return shaped or origin_of_surname(key, None) is not None


def _role(text: str, matches: Sequence[re.Match[str]], i: int) -> str:
    """What a word is for certain; "" for a given name or a surname."""
    word, after = matches[i].group(), text[matches[i].end() :][:1]
    small = word.islower() and not text.islower()
    titled = key_of(word) in TITLES
    if not titled and _is_initial(word, after, i > 0, small):
        return "initial"
    if titled or (small and not (i and given_names().find(word))):
        return "title" if len(matches) > 1 or after != "-" else "family"
    found = patronymic(word)
    return "patronymic" if found and _is_father(found, matches, i) else ""


def _is_initial(word: str, after: str, inner: bool, small: bool) -> bool:
    """Whether a word is an initial or as good as one: "Кс.", and in small letters behind
    others "фом."."""
    if small:
        return inner and after == "." and len(word) < 4
    return len(word) == 1 or (len(word) == 2 and after == ".")


def _is_father(found: _Patronymic, matches: Sequence[re.Match[str]], i: int) -> bool:
    """Whether a word like a patronymic is one: the third of a name, one with the surname
    behind it, or one that is made of a common name ("Янукович" is not)."""
    if i >= 2 or (i and (i + 1 < len(matches) or found.feminine)):
        return True
    word = matches[i].group().lower()
    if i:
        # "Вячеслав Енович"
        rare = word.endswith(_OF_FATHER) and not any(
            "Surn" in p.tag for p in parses(word)
        )
        start = found.father[:3]
        common = any(key_of(name).startswith(start) for name in OWN["m"])
        called = (common or start in _OTHER_FATHERS) and _given(matches[0].group())
        return rare or bool(called)
    # "Ивановна", as one who is known well is called, but not "Дубовна".
    known = len(found.father) > 5 or origin_of_father(found.father) is not None
    return known and found.feminine and len(matches) == 1


def _read_surname(key: str, words: set[str]) -> _Surname:
    """A surname's stem, how it is declined, and its ending; `words` are those of all
    names of the text."""
    for pattern, kind in BY_ENDING:
        match = pattern.fullmatch(key)
        if match and (len(match[1]) > 3 or kind in ("ko", "yh")):
            return _Surname(match[1], kind, match[2])
    if origin_of_surname(key, None) is not None:
        return _declined(key, key) or _Surname(key, "fixed", "")
    if found := _of_known_nominative(key, words):
        return found
    # The nominative stands somewhere in the text, or it is a surname's form.
    nouns = [
        p for p in parses(key) if any(x in p.tag for x in ("NOUN", "ADJF", "Surn"))
    ]
    nouns.sort(
        key=lambda p: (
            key_of(p.normal_form) not in words or p.normal_form == key,
            "Surn" not in p.tag,
            "anim" not in p.tag,
        )
    )
    for parse in nouns:
        if "plur" not in parse.tag and "Fixd" not in parse.tag:
            found = _declined(key, key_of(parse.normal_form))
            if found:
                return found
    return _Surname(key, "fixed", "")


def _of_known_nominative(key: str, words: set[str]) -> _Surname | None:
    """A surname whose nominative stands somewhere in the text, or in the lists."""
    for base in (key[:-1], key[:-2]):
        there = base in words or origin_of_surname(base, None) is not None
        if there and HARD.search(base) and (found := _declined(key, base)):
            return found
    return None


def _is_noun(word: str) -> bool:
    """Whether the dictionary has a word as a noun."""
    return any("NOUN" in parse.tag and parse.is_known for parse in parses(word))


def _declined(key: str, base: str) -> _Surname | None:
    """A surname by its nominative; None if it is not declined like any that we have."""
    if HARD.search(base) and key.startswith(base):
        ending = key[len(base) :]
        if ending in ("", "а", "у", "ом", "ем", "е"):
            return _Surname(base, "ich" if base.endswith("ич") else "hard", ending)
    for end, kind, endings in _DECLENSIONS:
        stem = base[: -len(end)]
        # "Цой" is no adjective, and "Дарчия" no form of "Дарчий".
        unlike = (
            len(stem) < 3 if kind in ("oy", "yy") else kind == "y" and stem[-1:] == "и"
        )
        if base.endswith(end) and key.startswith(stem) and not unlike:
            ending = key[len(stem) :]
            if kind == "a":
                ending = ending.replace("и", "ы")
            if kind == "y":
                # "Соловью" of Соловей.
                stem, ending = base[:-1], ending.removeprefix("ь")
            if len(end) > 1:
                ending = ending.replace("им", "ым")
            if ending in endings:
                return _Surname(stem, kind, ending.replace("ий", "ый"))
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

    def note(self, tokens: Sequence[_Token]) -> None:
        """Remember who bears which surname."""
        stem = given = father = ""
        for token in tokens:
            if token.role == "family":
                stem = self.surname(token.text).stem
            elif token.role == "given" and not given:
                found = [lexeme for lexeme, _ in _given(token.text)]
                given = key_of(found[0].name) if found else _given_stem(token.text)
                for lexeme in found:
                    if lexeme.row[0] == "m":
                        self.men.setdefault(father_stem(self.full(lexeme)), lexeme)
            elif token.role == "patronymic":
                made = patronymic(token.text)
                father = made.father if made else ""
                self.named_fathers.add(father)
        if stem and (given or father):
            self.bearers.setdefault(stem, []).append((given, father))

    def surname(self, word: str) -> _Surname:
        """A surname of the text taken apart."""
        key = key_of(word)
        if key not in self.surnames:
            self.surnames[key] = _read_surname(key, self.words)
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
            for name in chain(shuffled(own, rng), shuffled(home, rng), _made(old, rng)):
                folded = key_of(name)
                if folded[0] == old.stem[0] or draws.forbidden(name):
                    continue
                owner = f"family {key}"
                if draws.name_owners.setdefault(folded, owner) == owner:
                    break
            draws.families[key] = name
        return draws.families[key]

    def full(self, lexeme: Lexeme) -> str:
        """The full name of somebody, who may be called by a short one."""
        if not lexeme.row.endswith("/short"):
            return lexeme.name
        options = _FULL[lexeme.row[0]][lexeme.name]
        return next((x for x in options if key_of(x) in self.words), options[0])

    def new_given(self, lexeme: Lexeme) -> Lexeme:
        """The new given name for one of the original's. Who is called by a short name
        somewhere gets a name that has one, too."""
        if key_of(lexeme.name) in self.given:
            return self.given[key_of(lexeme.name)]
        gender, rows = lexeme.row[0], given_names().rows
        full = self.full(lexeme)
        new = self.given.get(key_of(full))
        if new is None:
            new = self._draw_given(full, lexeme)
            self.given[key_of(full)] = new
        if full == lexeme.name:
            return new
        # "Ванька" has the new name's form for that, not that for "Ваня".
        names = SHORT[gender].get(new.name, ())
        place = SHORT[gender][full].index(lexeme.name)
        name = next(iter(names[place:] or names), "")
        called = next((x for x in rows[f"{gender}/short"] if x.name == name), new)
        if any(map(self.draws.forbidden, called.forms.values())):
            called = new
        self.given[key_of(lexeme.name)] = called
        return called

    def _draw_given(self, full: str, lexeme: Lexeme) -> Lexeme:
        gender, rows = lexeme.row[0], given_names().rows
        row = lexeme.row.replace("/rare", "/old")
        pool = rows.get(row) or rows[gender]
        forms = lexeme.forms
        if full in SHORT[gender]:
            old = {x.name for x in rows[f"{gender}/old"]} - {*OWN[gender]}
            kin = rows[f"{gender}/old"] if full in old else rows[gender]
            pool = [x for x in kin if _is_called(x.name, gender)]
            forms = given_forms(full, gender, ["Name"])
        if gender == "m" and father_stem(full) in self.named_fathers:
            # His children are called after him.
            own = rows["m"] if row.endswith(("/old", "/short")) else pool
            pool = [x for x in own if father_stem(x.name) in fathers()]
        return (
            self._pick(full, like_pattern(pool, forms))
            or self._pick(full, pool)
            or self._pick(full, rows[f"{gender}/old"])
            or self._pick(full, rows[gender], taken=True)
            or rows[gender][0]
        )

    def _pick(
        self, old: str, pool: Sequence[Lexeme], taken: bool = False
    ) -> Lexeme | None:
        """A name that nobody else of the document has been given."""
        key, draws = key_of(old), self.draws
        owner = f"given ru {key}"
        for lexeme in shuffled(pool, draws.random_for("person-given", f"ru {key}")):
            name = fold(lexeme.name)
            if name[:1] == key[:1] or any(map(draws.forbidden, lexeme.forms.values())):
                continue
            if taken or draws.name_owners.setdefault(name, owner) == owner:
                return lexeme
        return None

    def new_patronymic(self, word: str, origin: str) -> str:
        """The new patronymic in the form of the old one."""
        old = patronymic(word)
        assert old is not None
        if old.father not in self.fathers:
            self.fathers[old.father] = self._new_father(old.father, origin)
        ending = old.ending.replace("ом", "ем")
        return self.fathers[old.father] + ("н" if old.feminine else "ич") + ending

    def _new_father(self, father: str, origin: str) -> str:
        """What the new patronymics are made of: the father's new name if he is there."""
        if father in self.men:
            lexeme = self.men[father]
            self.new_given(lexeme)
            name = self.given[key_of(self.full(lexeme))].name
            if found := fathers().get(father_stem(name)):
                return found[0]
        forbidden = self.draws.forbidden
        rng = self.draws.random_for("person-father", f"ru {father}")
        options = [
            name
            for name in shuffled(fathers_of(origin) or fathers_of(""), rng)
            if key_of(name)[:1] != father[:1]
            and not forbidden(f"{name}ич")
            and not forbidden(f"{name}на")
        ]
        men = (
            fathers().get(father_stem(x.name), ("",))[0] for x in self.given.values()
        )
        taken = {*self.fathers.values(), *men}
        return next(
            (n for n in options if n not in taken), (*options, *fathers_of(""))[0]
        )

    def initial(self, letter: str, stem: str, father: bool) -> str:
        """The first letter of the new name that an initial stands for."""
        key = key_of(letter)[:1]
        for names in self.bearers.get(stem, ()):
            old = names[father]
            if old.startswith(key):
                if father and old in self.fathers:
                    return self.fathers[old][0]
                if not father and old in self.given:
                    return self.given[old].name[0]
        role = "father" if father else "given"
        rng = self.draws.random_for("person-initial", f"ru {stem} {role} {key}")
        return rng.choice([ch for ch in _INITIALS if ch.lower() != key])


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


def _kin_before(text: str) -> str:
    """The sex of the relative that a text ends with: "тётя"; "" for none."""
    found = _KIN.search(text)
    return (found.lastgroup or "") if found else ""


def _first_row(options: Sequence[tuple[Lexeme, tuple[str, ...]]], sex: str) -> str:
    """The row of what a given name is first; of that sex if there is one."""
    rows = [lexeme.row for lexeme, _ in options]
    return next((row for row in rows if sex in ("", row[0])), rows[0] if rows else "")


def _told_sex(tokens: Sequence[_Token], kin: str) -> str:
    """The sex that a patronymic tells for certain, or else that of the relative."""
    for token in tokens:
        if token.role == "patronymic" and (found := patronymic(token.text)):
            return "f" if found.feminine else "m"
    return kin


class _Rendering:
    """One mention in its new form."""

    def __init__(self, mention: Any, tokens: Sequence[_Token], names: _Names):
        kin = _kin_before(mention.before)
        if len(tokens) == 1:
            tokens = [
                tokens[0]._replace(role=_lone_role(tokens[0], mention, kin, names))
            ]
        self.mention, self.tokens, self.names = mention, tokens, names
        self.families = [names.surname(t.text) for t in tokens if t.role == "family"]
        found = [_given(t.text) for t in tokens if t.role == "given"]
        self.has_given = bool(found)
        self.sex = _told_sex(tokens, kin)
        self.rows = {row for row in (_first_row(x, self.sex) for x in found) if row}
        around = f"{mention.before} | {mention.after}"
        she = not self.rows and _SHE.search(around)
        known = any(row[0] == "f" for row in self.rows)
        self.female = self.sex == "f" or (not self.sex and (known or bool(she)))
        self.stem = self.families[-1].stem if self.families else ""
        self.allowed = governed(mention.before)

    def _origin(self, kind: str, name: str = "") -> str:
        """Where a name of a kind ("given", "family", "father") is from: by what is known
        of it, then by its letters, then by the person's other names."""
        rows = (row.partition("/")[2] for row in self.rows)
        given = next((row if row in ORIGINS else "" for row in rows), None)
        bases = [s.nominative for s in self.families]
        bases = [name] if kind == "family" else bases[-1:]
        family = next((origin_of_surname(base, given) for base in bases), None)
        stems = (p.father for t in self.tokens if (p := patronymic(t.text)))
        father = next((origin_of_father(stem) for stem in stems), None)
        known = {"given": given, "family": family, "father": father}
        letters = None
        if known[kind] is None and given is None:
            surname = kind == "family"
            letters = origin_by_letters(name, surname)
            letters = "" if surname and _is_noun(name) else letters
        found = (known[kind], given, letters, family, father)
        return next((x for x in found if x is not None), "")

    def text(self) -> str:
        """The mention with its names replaced; everything else stays."""
        makers: dict[str, Callable[[_Token], str]] = {
            "family": self._family,
            "patronymic": self._patronymic,
            "given": self._given,
            "initial": self._initial,
        }
        new: dict[int, str] = {}
        for token in sorted(self.tokens, key=lambda t: t.role == "initial"):
            if token.role in makers:
                made = makers[token.role](token)
                new[token.start] = match_case(_title(made), token.text)
        old = self.mention.text
        changed = [t for t in self.tokens if t.start in new]
        result = splice(old, ((t.start, t.end, new[t.start]) for t in changed))
        shorter = " ".join(new[t.start] for t in changed)
        for made in (result, shorter):
            if _key(made) != _key(old) and not self.names.draws.forbidden(made):
                return made
        return self._again()

    def _family(self, token: _Token) -> str:
        base = self.names.surname(token.text).nominative
        return self.names.new_surname(token.text, self._origin("family", base))

    def _patronymic(self, token: _Token) -> str:
        found = patronymic(token.text)
        father = found.father if found else ""
        return self.names.new_patronymic(token.text, self._origin("father", father))

    def _initial(self, token: _Token) -> str:
        first = next(t for t in self.tokens if t.role == "initial") == token
        father = self.has_given or not first
        return self.names.initial(token.text, self.stem, father)

    def _given(self, token: _Token) -> str:
        options = _given(token.text)
        # "Мама Давида" is no woman with a man's name, "тётя Слава" is.
        told = any(t.role == "patronymic" for t in self.tokens)
        sure = [o for o in options if "nomn" not in o[1] and not told]
        fitting = [o for o in options if self.sex in ("", o[0].row[0])] or sure
        if not fitting:
            return self._unknown_given(token, known=bool(options))
        options = tuple(fitting)
        fits = [self._fit(token, lexeme, keys) for lexeme, keys in options]
        _, lexeme, keys = max(fits, key=lambda option: option[0])
        return next(in_form([self.names.new_given(lexeme)], keys))

    def _fit(
        self, token: _Token, lexeme: Lexeme, keys: Sequence[str]
    ) -> tuple[int, Lexeme, Sequence[str]]:
        """How well a name and its cases fit. Surname and preposition tell cases apart
        that look alike, and "Александра" (she) from "Александра" (of him)."""
        fits, names = 0, self.names
        for surname in self.families:
            cases = _cases_of(surname, lexeme.row[0])
            if set(cases) & set(keys):
                keys, fits = narrowed(keys, cases), fits + 2
        if set(self.allowed) & set(keys):
            keys, fits = narrowed(keys, self.allowed), fits + 1
        name = key_of(lexeme.name)
        if name != key_of(token.text) and (name in names.words or name in names.given):
            # Somebody of that name is there: "Александра" is his.
            fits += 2
        return fits + ("nomn" in keys and "/" not in lexeme.row), lexeme, keys

    def _unknown_given(self, token: _Token, known: bool = False) -> str:
        """A name in no list, declined by its ending, or `known` as one of the other sex:
        "тётя Слава"."""
        key, gender = key_of(token.text), self._unknown_sex(token)
        told = [_cases_of(surname, gender) for surname in self.families]
        told += [_cases_of_patronymic(t.text) for t in self.tokens]
        cases: Sequence[str] = next(filter(None, told), ("nomn",))
        if self.allowed:
            cases = narrowed(cases, self.allowed)
        stem = _given_stem(token.text)
        base = key if "nomn" in cases else stem + ("а" if gender == "f" else "")
        row = gender + (f"/{origin}" if (origin := self._origin("given", base)) else "")
        forms = given_forms(base, gender, ["Name"])
        new = self.names.new_given(Lexeme(stem, gender if known else row, forms))
        return next(in_form([new], cases))

    def _unknown_sex(self, token: _Token) -> str:
        """The sex of who bears a given name in no list: as patronymic and relation tell,
        then the surname beside it, the text around it, the letters."""
        key = key_of(token.text)
        if self.sex or self.female:
            return self.sex or "f"
        for surname in self.families:
            if surname.kind in ("ov", "sky") and surname.ending in ("а", "ая"):
                # "Абдуллаева Рахмона" is a man's genitive.
                man = gender_by_letters(key[:-1]) == "m" and self.allowed
                return "m" if man and key[-1:] in "ая" else "f"
            if surname.kind in ("ov", "sky"):
                return "m"
        return gender_by_letters(key) or ("f" if key[-1:] in "ая" else "m")

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
                stem = rng.choice(surnames(kind))
                stem = stem.removesuffix(_NOMINATIVE.get(kind, ""))
                words.append(stem + (old.ending if kind == old.kind else ""))
            made = " ".join(words)
            if draws.usable(made, key):
                return draws.claim(made, key)
        return draws.invent("person", key, like=self.mention.text)


def _cases_of(surname: _Surname, gender: str) -> tuple[str, ...]:
    """Cases that the ending of a surname may be."""
    if surname.kind not in ("ov", "hard", "ich"):
        return ()
    ending = surname.ending.replace("ом", "ым").replace("ем", "ым")
    return tuple(GRAMMAR["ending_cases"][gender].get(ending, "").split())


def _cases_of_patronymic(word: str) -> tuple[str, ...]:
    """Cases that the ending of a patronymic may be; none for other words."""
    found = patronymic(word)
    if found is None:
        return ()
    if not found.feminine:
        ending = found.ending.replace("ом", "ым").replace("ем", "ым")
        return tuple(GRAMMAR["ending_cases"]["m"].get(ending, "").split())
    told = GRAMMAR["patronymic_cases"].get(found.ending, "")
    return tuple(told.split())


def _label(before: str) -> str:
    """The role of the name that a text asks for at its end; "" if it asks for none."""
    return next((role for role, ends in _LABELS.items() if ends.search(before)), "")


def _lone_role(token: _Token, mention: Any, kin: str, names: _Names) -> str:
    """The role of a name of one word: as forms and relations tell ("сын Даник"), then by
    the lists, the other persons of the text, the letters."""
    label = _label(mention.before[-40:])
    if token.role not in ("given", "family"):
        return token.role
    if label == "patronymic" and patronymic(token.text) is not None:
        return label
    if label == "family" or token.role == "given":
        return label if label == "family" else "given"
    surname = names.surname(token.text)
    base = surname.nominative
    sure = surname.stem in names.bearers or _is_family(base) or _is_family(token.text)
    told = kin or label == "given"
    letters = (
        not told and not _is_noun(base) and is_given_by_letters(key_of(token.text))
    )
    return "given" if not sure and (told or letters) else "family"


def _is_called(name: str, gender: str) -> bool:
    """Whether friends call somebody otherwise: "Саша", but "Жанночка" of Жанна."""
    short = SHORT[gender].get(name, ())
    return bool(short) and not short[0].startswith(name[:-1])


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _map_names(names: _Names) -> None:
    """Note old and new names in Latin letters, for addresses."""
    pairs = [(token, lexeme.name) for token, lexeme in names.given.items()]
    surnames = {surname.stem: surname for surname in names.surnames.values()}
    for old in surnames.values():
        new = names.stems.get(old.stem)
        if new is not None:
            # Addresses have nominatives, of men and of women.
            nominative = _NOMINATIVE.get(old.kind, "")
            stem = new.removesuffix(nominative)
            for end in dict.fromkeys(
                (nominative, GRAMMAR["nominatives_of_women"].get(old.kind, nominative))
            ):
                pairs.append((old.stem + end, stem + end))
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
        return _CYRILLIC.search(text) is not None

    def replace_declined(self, mentions: Sequence[Any], draws: Any) -> list[str]:
        """New names that keep gender, case, order and initials."""
        names = _Names(draws, mentions)
        parsed = [_tokens(mention.text) for mention in mentions]
        for tokens in parsed:
            names.note(tokens)
        out = [""] * len(mentions)
        by_text: dict[tuple[str, str], str] = {}
        # The longest first: initials follow full names.
        for i in sorted(range(len(mentions)), key=lambda i: -len(mentions[i].text)):
            mention = mentions[i]
            key = mention.text, " ".join(governed(mention.before))
            if key not in by_text:
                by_text[key] = _Rendering(mention, parsed[i], names).text()
            out[i] = by_text[key]
        _map_names(names)
        return out


PERSONS = Russian("ru")
