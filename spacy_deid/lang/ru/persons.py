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

from ...data import faker_lists, word_lists
from ...gazetteers.names import nicknames
from ...text.case import match_case
from ...text.names import fold
from ...text.offsets import splice
from ...text.scripts import romanise
from ...text.shuffling import shuffled
from ..inflection import Lexeme, Lexicon, in_form, key_of
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

_WORDS = word_lists("lang/ru/persons")
_MALE, _FEMALE = _WORDS["given m"], _WORDS["given f"]
# Full name and what its bearer is called among friends, by gender.
_SHORT: dict[str, dict[str, str]] = {"m": {}, "f": {}}
for _full, _gender in nicknames("ru_RU").gender.items():
    _SHORT[_gender][_full] = nicknames("ru_RU").short[_full][0]
_FULL = {short: full for pairs in _SHORT.values() for full, short in pairs.items()}
# Stems that both patronymics are made of: "Петров" + "ич", "на".
_FATHERS = _WORDS["father"]
TITLES = frozenset(_WORDS["title"])
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CYRILLIC = re.compile("[Ѐ-ӿ]")
_MASCULINE_PATRONYMIC = re.compile(r"(.{2,}?)(ович|евич|ич)(|а|у|ем|ом|е)")
_FEMININE_PATRONYMIC = re.compile(r"(.{2,}?)(овн|евн|иничн|ичн)(а|ы|е|у|ой|ою)")
_OV = re.compile(r"(.+(?:ов|ев|ин|ын))(|а|у|ым|е|ой|ы|ых|ыми)")
_FOND = re.compile("(?P<stem>.{2,}?)(?P<soft>ь?)к(?P<end>а|и|е|у|ой)")
_FOND_CASES = {"а": "nomn", "и": "gent", "е": "datv loct", "у": "accs", "ой": "ablt"}
# Surnames that tell by their ending how they are declined; more letters than three
# before that of the first two.
_BY_ENDING = (
    (_OV, "ov"),
    (re.compile(r"(.+[сц]к)(ий|ого|ому|им|ом|ая|ой|ую|ие|их|ими)"), "sky"),
    (re.compile(r"(.+ко)()"), "ko"),
    (re.compile(r"(.{2,}[ыи]х)()"), "yh"),
)
_HARD = re.compile("[бвгджзклмнпрстфхцчшщ]$")
# Ending of the nominative -> how the surname is declined, and all its endings.
_DECLENSIONS = tuple(
    (end, kind, endings.split()) for end, kind, endings in GRAMMAR["declensions"]
)
_NOMINATIVE: dict[str, str] = GRAMMAR["nominatives"]
_SHE = re.compile(rf"\b(?:{GRAMMAR['she'].replace(' ', '|')})\b", re.I)
_KIN = re.compile(
    rf"\b(?:(?P<f>{GRAMMAR['kin_she'].replace(' ', '|')})"
    rf"|(?P<m>{GRAMMAR['kin_he'].replace(' ', '|')}))\s+$",
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


# Where names are from; those in no list are taken for the first.
ORIGINS = ("turkic", "caucasus", "abroad")
_EAST = "|".join(map(key_of, _WORDS["family east"]))
# What surnames of these end in, and the origin of their bearers.
_FROM = (
    (re.compile(".*янц?$"), "yan", "caucasus"),
    (re.compile(".*(?:дзе|швили|[дг]иани|[лр]ия|[уа]ва)$"), "dze", "caucasus"),
    (re.compile(".*(?:ли|заде|оглы|кызы|беков|баев|улы|кулов)$"), "", "turkic"),
    (re.compile(rf"(?:{_EAST})$"), "east", "abroad"),
)


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


@lru_cache(maxsize=1)
def given_names() -> Lexicon:
    """Given names in all cases; rows `m`, `f`, and with "/short", "/rare" or an origin."""
    out = []
    for gender, wanted, own in (("m", "masc", _MALE), ("f", "femn", _FEMALE)):
        rare = _of_faker(f"first_names_{'fe' * (gender == 'f')}male")
        rows = {"": own, "/rare": rare}
        rows |= {f"/{origin}": _WORDS[f"{origin} {gender}"] for origin in ORIGINS}
        for row, names in rows.items():
            for name in names:
                forms = paradigm(name, ["Name", wanted])
                out.append(Lexeme(name, gender + row, forms))
        for name in _SHORT[gender].values():
            out.append(Lexeme(name, f"{gender}/short", paradigm(name, ["Name"])))
    return Lexicon(sorted(out, key=lambda x: _ROWS.index(x.row)))


# Of two names with one form the first row counts.
_ROWS = tuple(
    gender + row
    for row in ("", "/short", *(f"/{origin}" for origin in ORIGINS), "/rare")
    for gender in "mf"
)


def _of_faker(attr: str) -> tuple[str, ...]:
    known = frozenset(map(key_of, _MALE + _FEMALE))
    names = (str(name) for name in getattr(faker_lists("person.ru_RU"), attr))
    return tuple(n for n in dict.fromkeys(names) if key_of(n) not in known)


@lru_cache(maxsize=16)
def _surnames(kind: str) -> tuple[str, ...]:
    """Surnames that are declined alike, the masculine or only form."""
    if kind != "ov":
        return _WORDS[f"family {kind}"]
    return tuple(s for s in _of_faker("last_names_male") if _OV.fullmatch(key_of(s)))


def father_stem(name: str) -> str:
    """What a father's name, in the nominative, is in patronymics: "серге" for Сергей."""
    key = key_of(name)
    if changed := GRAMMAR["fathers"].get(key):
        return changed
    return key[:-2] + "ь" if key.endswith("ий") else re.sub("[йьая]$", "", key)


@lru_cache(maxsize=1)
def _of_fathers() -> dict[str, str]:
    """What both patronymics are made of, by the father's stem."""
    made = {stem: patronymic(stem + "ич") for stem in _FATHERS}
    return {found.father: stem for stem, found in made.items() if found}


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
        short = given_names().in_row(called.capitalize(), ("m/short", "f/short"))
        found = [(f.lexeme, tuple(_FOND_CASES[fond["end"]].split())) for f in short]
    if found or not word[:1].isupper():
        return tuple(found)
    # Names in no list: what the dictionary knows as one.
    by_name: dict[tuple[str, str], list[str]] = {}
    for parse in parses(word.lower()):
        tag = parse.tag
        if "Name" in tag and parse.is_known and "plur" not in tag and tag.case in CASES:
            gender = "f" if tag.gender == "femn" else "m"
            by_name.setdefault((parse.normal_form, gender), []).append(tag.case)
    for (name, gender), cases in by_name.items():
        forms = paradigm(name.capitalize(), ["Name"])
        found.append((Lexeme(name, f"{gender}/abroad", forms), tuple(cases)))
    return tuple(found)


def _tokens(text: str) -> list[_Token]:
    """Words of a mention and what they are."""
    matches = list(_WORD.finditer(text))
    roles = [_role(text, matches, i) for i in range(len(matches))]
    open_ = [m for m, role in zip(matches, roles) if not role]
    named = [
        m for m, role in zip(matches, roles[1:]) if m in open_ and role == "patronymic"
    ]
    given = named or _given_of(text, open_, "initial" in roles)
    return [
        _Token(*m.span(), m.group(), role or ("given" if m in given else "family"))
        for m, role in zip(matches, roles)
    ]


def _given_of(
    text: str, open_: list[re.Match[str]], initials: bool
) -> list[re.Match[str]]:
    """Which of given names and surnames are given names."""
    given = [m for m in open_ if _given(m.group())]
    if len(open_) < 2:
        return [] if initials else given
    if len(given) == len(open_):
        # "Иван Роман": one of them is the surname, more likely the last.
        return given[:-1]
    # A name in no list before a surname: "Юрген Клинсман".
    last = open_[-1].group()
    named = (
        text[open_[0].end() :][:1].isspace() and last[:1].isupper() and len(last) > 2
    )
    return given or (open_[:1] if named else [])


def _role(text: str, matches: Sequence[re.Match[str]], i: int) -> str:
    """What a word is for certain; "" for a given name or a surname."""
    word, after = matches[i].group(), text[matches[i].end() :][:1]
    if key_of(word) in TITLES or (word.islower() and not text.islower()):
        return "title" if len(matches) > 1 or after != "-" else "family"
    if len(word) == 1 or (len(word) == 2 and after == "."):
        return "initial"
    found = patronymic(word)
    return "patronymic" if found and _is_father(found, matches, i) else ""


def _is_father(found: _Patronymic, matches: Sequence[re.Match[str]], i: int) -> bool:
    """Whether a word like a patronymic is one: the third of a name, one with the surname
    behind it, or one that is made of a common name ("Янукович" is not)."""
    if i >= 2 or (i and (i + 1 < len(matches) or found.feminine)):
        return True
    word = matches[i].group().lower()
    if (
        i
        and word.endswith(_OF_FATHER)
        and not any("Surn" in p.tag for p in parses(word))
    ):
        # "Вячеслав Енович"
        return True
    if i:
        start = found.father[:3]
        common = any(key_of(name).startswith(start) for name in _MALE)
        return bool(_given(matches[0].group())) and (common or start in _OTHER_FATHERS)
    # "Ивановна", as one who is known well is called, but not "Дубовна".
    alone = found.feminine and len(matches) == 1
    return alone and found.father in map(father_stem, _MALE)


def _read_surname(key: str, words: set[str]) -> _Surname:
    """A surname's stem, how it is declined, and its ending; `words` are those of all
    names of the text."""
    for pattern, kind in _BY_ENDING:
        match = pattern.fullmatch(key)
        if match and (len(match[1]) > 3 or kind in ("ko", "yh")):
            return _Surname(match[1], kind, match[2])
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


def _declined(key: str, base: str) -> _Surname | None:
    """A surname by its nominative; None if it is not declined like any that we have."""
    if _HARD.search(base) and key.startswith(base):
        ending = key[len(base) :]
        if ending in ("", "а", "у", "ом", "ем", "е"):
            return _Surname(base, "ich" if base.endswith("ич") else "hard", ending)
    for end, kind, endings in _DECLENSIONS:
        stem = base[: -len(end)]
        if base.endswith(end) and key.startswith(stem):
            ending = key[len(stem) :]
            if kind == "a":
                ending = ending.replace("и", "ы")
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
                given = key_of(found[0].name) if found else ""
                for lexeme in found:
                    if lexeme.row[0] == "m":
                        full = _FULL.get(lexeme.name, lexeme.name)
                        self.men.setdefault(father_stem(full), lexeme)
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

    def new_surname(self, word: str, abroad: bool) -> str:
        """The new surname in the form of the old one."""
        old = self.surname(word)
        if old.stem not in self.stems:
            self.stems[old.stem] = self._draw_surname(old, abroad)
        new = self.stems[old.stem]
        return new.removesuffix(_NOMINATIVE.get(old.kind, "")) + old.ending

    def _draw_surname(self, old: _Surname, abroad: bool) -> str:
        kind = "abroad" if abroad and old.kind == "hard" else old.kind
        if old.kind in ("hard", "fixed"):
            kind = next((k for ends, k, _ in _FROM if k and ends.match(old.stem)), kind)
        key, draws = f"ru {old.stem}", self.draws
        if key not in draws.families:
            rng = draws.random_for("person-family", key)
            name = ""
            for name in chain(shuffled(_surnames(kind), rng), _made(kind, rng)):
                folded = key_of(name)
                if folded[0] == old.stem[0] or draws.forbidden(name):
                    continue
                owner = f"family {key}"
                if draws.name_owners.setdefault(folded, owner) == owner:
                    break
            draws.families[key] = name
        return draws.families[key]

    def new_given(self, lexeme: Lexeme) -> Lexeme:
        """The new given name for one of the original's. Who is called by a short name
        somewhere gets a name that has one, too."""
        if key_of(lexeme.name) in self.given:
            return self.given[key_of(lexeme.name)]
        gender, rows = lexeme.row[0], given_names().rows
        short = lexeme.row.endswith("short")
        full = _FULL[lexeme.name] if short else lexeme.name
        new = self.given.get(key_of(full))
        if new is None:
            new = self._draw_given(full, lexeme)
            self.given[key_of(full)] = new
        if not short:
            return new
        name = _SHORT[gender].get(new.name)
        called = next((x for x in rows[f"{gender}/short"] if x.name == name), new)
        if any(map(self.draws.forbidden, called.forms.values())):
            called = new
        self.given[key_of(lexeme.name)] = called
        return called

    def _draw_given(self, full: str, lexeme: Lexeme) -> Lexeme:
        gender, rows = lexeme.row[0], given_names().rows
        pool = rows.get(lexeme.row) or rows[gender]
        if full in _SHORT[gender]:
            pool = [x for x in rows[gender] if x.name in _SHORT[gender]]
            lexeme = next(x for x in rows[gender] if x.name == full)
        if gender == "m" and father_stem(full) in self.named_fathers:
            # His children are called after him.
            pool = [x for x in rows["m"] if father_stem(x.name) in _of_fathers()]
        return (
            self._pick(full, like_pattern(pool, lexeme.forms))
            or self._pick(full, rows[f"{gender}/rare"])
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

    def new_patronymic(self, word: str) -> str:
        """The new patronymic in the form of the old one."""
        old = patronymic(word)
        assert old is not None
        if old.father not in self.fathers:
            self.fathers[old.father] = self._new_father(old.father)
        ending = old.ending.replace("ом", "ем")
        return self.fathers[old.father] + ("н" if old.feminine else "ич") + ending

    def _new_father(self, father: str) -> str:
        """What the new patronymics are made of: the father's new name if he is there."""
        if father in self.men:
            name = self.new_given(self.men[father]).name
            stem = _of_fathers().get(father_stem(_FULL.get(name, name)))
            if stem is not None:
                return stem
        forbidden = self.draws.forbidden
        rng = self.draws.random_for("person-father", f"ru {father}")
        options = [
            name
            for name in shuffled(_FATHERS, rng)
            if key_of(name)[:1] != father[:1]
            and not forbidden(f"{name}ич")
            and not forbidden(f"{name}на")
        ]
        men = (_of_fathers().get(father_stem(x.name)) for x in self.given.values())
        taken = {*self.fathers.values(), *men}
        return next((n for n in options if n not in taken), (*options, *_FATHERS)[0])

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


def _made(kind: str, rng: random.Random) -> Iterator[str]:
    """Surnames that sound like others, for documents with very many."""
    for length in range(1, 8):
        for _ in range(60):
            stem = "".join(rng.choice(_WORDS["made.stem"]) for _ in range(length))
            yield _title(stem.lower() + rng.choice(_WORDS[f"made {kind}"]))


def _kin_before(text: str) -> str:
    """The sex of the relative that a text ends with: "тётя"; "" for none."""
    found = _KIN.search(text)
    return (found.lastgroup or "") if found else ""


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
        if kin and [t.role for t in tokens] == ["family"]:
            # "сын Даник": relatives are called by given names.
            tokens = [tokens[0]._replace(role="given")]
        self.mention, self.tokens, self.names = mention, tokens, names
        self.families = [names.surname(t.text) for t in tokens if t.role == "family"]
        found = [_given(t.text) for t in tokens if t.role == "given"]
        self.has_given = bool(found)
        self.rows = {lexeme.row for options in found for lexeme, _ in options[:1]}
        around = f"{mention.before} | {mention.after}"
        she = not self.rows and _SHE.search(around)
        self.sex = _told_sex(tokens, kin)
        known = any(row[0] == "f" for row in self.rows)
        self.female = self.sex == "f" or (not self.sex and (known or bool(she)))
        self.stem = self.families[-1].stem if self.families else ""
        self.allowed = governed(mention.before)

    @property
    def abroad(self) -> bool:
        """Whether the name is foreign; a lone surname is as foreign as its ending."""
        if not self.rows and self.families:
            return not _OF_HOME.search(self.stem)
        home = self.families and all(s.kind in ("ov", "sky") for s in self.families)
        fathered = any(t.role == "patronymic" for t in self.tokens)
        return not (fathered or home or any("/" not in row for row in self.rows))

    def text(self) -> str:
        """The mention with its names replaced; everything else stays."""
        makers: dict[str, Callable[[_Token], str]] = {
            "family": lambda t: self.names.new_surname(t.text, self.abroad),
            "patronymic": lambda t: self.names.new_patronymic(t.text),
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
        if _key(result) == _key(old) or self.names.draws.forbidden(result):
            return self._again()
        return result

    def _initial(self, token: _Token) -> str:
        first = next(t for t in self.tokens if t.role == "initial") == token
        father = self.has_given or not first
        return self.names.initial(token.text, self.stem, father)

    def _given(self, token: _Token) -> str:
        options = _given(token.text)
        fitting = [o for o in options if self.sex in ("", o[0].row[0])]
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

    def _origin(self) -> str:
        """Where a given name in no list is from, by the surname."""
        stems = [s.stem for s in self.families]
        told = (o for ends, _, o in _FROM for stem in stems if ends.match(stem))
        home = not stems or any(s.kind in ("ov", "sky") for s in self.families)
        return next(told, ORIGINS[0] if home else "abroad")

    def _unknown_given(self, token: _Token, known: bool = False) -> str:
        """A name in no list, declined by its ending, or `known` as one of the other sex:
        "тётя Слава"."""
        key, gender = key_of(token.text), "f" if self.female else "m"
        told = (_cases_of(surname, gender) for surname in self.families)
        cases: Sequence[str] = next(filter(None, told), ("nomn",))
        if self.allowed:
            cases = narrowed(cases, self.allowed)
        stem = re.sub("(?:ом|ем|ой|ей|а|у|ы|и|е|я|ю|ь|й)$", "", key) or key
        forms = dict.fromkeys(CASES, token.text)
        home = known or (self.sex and not self.abroad)
        kind = "" if home else f"/{self._origin()}"
        new = self.names.new_given(Lexeme(stem, gender + kind, forms))
        return next(in_form([new], cases))

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
                stem = rng.choice(_surnames(kind))
                stem = stem.removesuffix(_NOMINATIVE.get(kind, ""))
                words.append(stem + (old.ending if kind == old.kind else ""))
            made = " ".join(words)
            if draws.usable(made, key):
                return draws.claim(made, key)
        return draws.invent("person", key, like=self.mention.text)


def _cases_of(surname: _Surname, gender: str) -> tuple[str, ...]:
    """Cases that the ending of a surname may be."""
    if surname.kind not in ("ov", "hard", "abroad", "ich"):
        return ()
    ending = surname.ending.replace("ом", "ым").replace("ем", "ым")
    return tuple(GRAMMAR["ending_cases"][gender].get(ending, "").split())


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
