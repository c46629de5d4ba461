"""Names in Russian text by the peoples who bear them: what tells an origin, and what is
drawn for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from ...data import faker_lists, word_lists
from ...gazetteers.name_letters import Letters
from ...gazetteers.names import nicknames
from ..inflection import Lexeme, Lexicon, key_of
from .forms import CASES, GRAMMAR, HARD, in_cases, paradigm, parses

WORDS = word_lists("lang/ru/persons")
NAMES = word_lists("lang/ru/names")
OWN = {"m": WORDS["given m"], "f": WORDS["given f"]}
# Where names are from; "" is Russian.
ORIGINS = tuple(dict.fromkeys(k.split()[0] for k in NAMES if k[:3] != "old"))
# What the bearer of a full name is called among friends, by gender.
SHORT: dict[str, dict[str, tuple[str, ...]]] = {"m": {}, "f": {}}
for _full, _gender in nicknames("ru_RU").gender.items():
    SHORT[_gender][_full] = nicknames("ru_RU").short[_full]
# How many names of a kind an origin has to have, so that they can be drawn.
_ENOUGH = 4
# Probability from which letters tell a gender or a people; that a name is a given one.
_SURE, _LIKELY = 0.9, 0.75
# How likely a name is a people's that has none like it.
_NEVER = 1e-9
# Surnames that tell by their ending how they are declined; more letters than three
# before that of the first two.
BY_ENDING = tuple((re.compile(x), kind) for x, kind in GRAMMAR["surname_endings"])
_BY_LAST = {"ь": "soft", "а": "a", "я": "ya", "й": "y"}
# Whose surnames may be fathers' names as they are.
_EASTERN = GRAMMAR["eastern"].split()
# Peoples from abroad, each with those whose names are like its own.
_NEAR = {of: near.split() for near in GRAMMAR["near"] for of in near.split()}
# Whose names Russian patronymics are made of.
WITH_FATHERS = tuple(GRAMMAR["patronymics"].split())
# Endings of surnames that one people has.
_FROM = tuple((re.compile(f".*(?:{end})$"), of) for of, end in GRAMMAR["origins"])
_FOND = re.compile("(?P<stem>.{2,}?)(?P<soft>ь?)к(?P<end>а|и|е|у|ой)")
_FOND_CASES = {"а": "nomn", "и": "gent", "е": "datv loct", "у": "accs", "ой": "ablt"}
# Names in no list are of the dictionary or of Faker; they are known, but not drawn.
KNOWN = "rare"
ROWS = ("", "short", "old", *ORIGINS, KNOWN)


@lru_cache(maxsize=1)
def given_names() -> Lexicon:
    """Given names in all cases; rows `m`, `f`, and with "/short", "/old", an origin, or
    "/rare". Of two names with one form the first row counts."""
    out = []
    for row in ROWS:
        for gender, wanted in (("m", "masc"), ("f", "femn")):
            name = f"{gender}/{row}" if row else gender
            grammemes = ["Name"] if row == "short" else ["Name", wanted]
            out += [
                Lexeme(x, name, given_forms(x, gender, grammemes))
                for x in _listed(row, gender)
            ]
    return Lexicon(out)


def _listed(row: str, gender: str) -> Iterable[str]:
    if row == "short":
        return dict.fromkeys(x for names in SHORT[gender].values() for x in names)
    if row == KNOWN:
        return _of_faker(f"first_names_{'fe' * (gender == 'f')}male")
    return NAMES[f"{row} {gender}"] if row else OWN[gender]


def given_forms(name: str, gender: str, wanted: Iterable[str]) -> dict[str, str]:
    """The six cases of a given name, by its ending if no dictionary knows it."""
    forms = paradigm(name, [*wanted])
    if len({*forms.values()}) > 1:
        return forms
    last = name[-1:].lower()
    hard = HARD.search(last) is not None
    by_last = GRAMMAR["given"]
    endings = by_last.get(name[-2:], by_last.get("-" if hard else last))
    if endings is None or (gender == "f" and last not in "ая"):
        return forms
    return in_cases(name if hard else name[:-1], endings)


@lru_cache(maxsize=4)
def _of_faker(attr: str) -> tuple[str, ...]:
    known = {key_of(name) for names in OWN.values() for name in names}
    names = (str(name) for name in getattr(faker_lists("person.ru_RU"), attr))
    return tuple(n for n in dict.fromkeys(names) if key_of(n) not in known)


def _kind(name: str) -> str:
    """How a surname, in its masculine or only form, is declined."""
    key = key_of(name)
    for pattern, kind in BY_ENDING:
        if (match := pattern.fullmatch(key)) and (kind != "ov" or not match[2]):
            return kind
    if HARD.search(key):
        return "ich" if key.endswith("ич") else "hard"
    return _BY_LAST.get(key[-1], "fixed")


@lru_cache(maxsize=1024)
def surnames(kind: str, origin: str = "") -> tuple[str, ...]:
    """Surnames that are declined alike, the masculine or only form: of a people, of those
    like it, of any from abroad, of home."""
    # Surnames that have no ending of their own are fathers' names in the East.
    given = NAMES[f"{origin} m"] if origin in _EASTERN else ()
    fathers_names = [n for n in given if _kind(n) == kind]
    near = _NEAR.get(origin, ())
    for peoples in ((origin,) * (origin != ""), near, _NEAR if near else ()):
        for own in (_declined_alike(kind, *peoples), fathers_names):
            if len(own) >= _ENOUGH:
                return tuple(own)
    if kind == "ov":
        faker = _of_faker("last_names_male")
        return tuple(name for name in faker if BY_ENDING[0][0].fullmatch(key_of(name)))
    return WORDS["family ko" if kind == "fixed" else f"family {kind}"]


@lru_cache(maxsize=1024)
def _declined_alike(kind: str, *peoples: str) -> list[str]:
    """Surnames of some peoples that are declined alike."""
    alike = ("ko", "fixed") if kind in ("ko", "fixed") else (kind,)
    names = chain(*(NAMES[f"{of} family"] for of in peoples))
    return [n for n in names if _kind(n) in alike]


def _home_surnames() -> Iterator[str]:
    lists = (names for kind, names in WORDS.items() if kind.startswith("family "))
    return chain(_of_faker("last_names_male"), *lists)


@lru_cache(maxsize=2)
def _peoples(family: bool) -> dict[str, tuple[str, ...]]:
    """Whose the surnames or given names in the lists are, by name."""
    rows = ((row, gender) for gender in "mf" for row in ("", "short", "old", KNOWN))
    home = _home_surnames() if family else chain(*(_listed(*row) for row in rows))
    found: dict[str, tuple[str, ...]] = {key_of(x): ("",) for x in home}
    for origin in ORIGINS:
        kinds = ("family",) if family else ("m", "f")
        for name in {key_of(n) for kind in kinds for n in NAMES[f"{origin} {kind}"]}:
            found[name] = (*found.get(name, ()), origin)
    return found


def peoples_of_given(name: str) -> tuple[str, ...]:
    """Whose a given name in the nominative is; nothing for one in no list."""
    return _peoples(False).get(key_of(name), ())


def peoples_of_surname(nominative: str) -> tuple[str, ...]:
    """Whose a surname is; nothing if neither a list nor an ending tells."""
    ended = (of for ends, of in _FROM if ends.match(nominative))
    return _peoples(True).get(nominative) or tuple(ended)[:1]


@lru_cache(maxsize=1024)
def read_given(word: str) -> tuple[tuple[Lexeme, tuple[str, ...]], ...]:
    """Given names that a word may be a form of, with the cases."""
    found = [(f.lexeme, f.keys) for f in given_names().in_row(word, ("m", "f"))]
    if not found and (fond := _FOND.fullmatch(key_of(word))):
        # "Ваньку" is Ваня.
        called = fond["stem"] + ("я" if fond["soft"] else "а")
        found = [
            (f.lexeme, tuple(_FOND_CASES[fond["end"]].split()))
            for f in given_names().in_row(called.capitalize(), ("m", "f"))
            if not is_from_abroad(f.lexeme)
        ]
    if found or key_of(word) in _peoples(True) or not word[:1].isupper():
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
        yield Lexeme(name, f"{gender}/{KNOWN}", forms), tuple(cases)


def is_from_abroad(given: Lexeme) -> bool:
    """Whether a given name is that of a people whose names are new to Russia."""
    people = given.row.partition("/")[2]
    return people in ORIGINS and people not in WITH_FATHERS


def is_called(name: str, gender: str) -> bool:
    """Whether friends call somebody otherwise: "Саша", but "Жанночка" of Жанна."""
    short = SHORT[gender].get(name, ("",))[0]
    return short != "" and not short.startswith(name[:-1])


def is_family(word: str) -> bool:
    """Whether a word is a surname by the lists or by its ending."""
    key = key_of(word)
    shaped = any((m := p.fullmatch(key)) and len(m[1]) > 3 for p, _ in BY_ENDING)
    return shaped or bool(peoples_of_surname(key))


@lru_cache(maxsize=1)
def _home_fathers() -> frozenset[str]:
    return frozenset(map(father_stem, OWN["m"] + NAMES["old m"]))


def origin_of_father(stem: str) -> str | None:
    """Where the father in a patronymic is from; None for one in no list."""
    return "" if stem in _home_fathers() else fathers().get(stem, ("", None))[1]


@lru_cache(maxsize=1)
def fathers() -> dict[str, tuple[str, str]]:
    """What both patronymics are made of, by the father's stem, and his origin."""
    found = {}
    for stem in WORDS["father"]:
        found[re.sub("(?:ов|ев)$", "", key_of(stem))] = stem, ""
    for name, origin in ((n, o) for o in WITH_FATHERS for n in NAMES[f"{o} m"]):
        end = "ов" if HARD.search(name) and name[-1] not in "жшчщц" else "ев"
        # "Мусаевич" of Муса.
        for key in {father_stem(name), key_of(name)} - _home_fathers():
            found.setdefault(key, (name.rstrip("йь") + end, origin))
    return found


@lru_cache(maxsize=32)
def fathers_of(origin: str) -> tuple[str, ...]:
    """Stems of patronymics of one origin, where there is a list those that are common."""
    return WORDS.get(f"father {origin}") or tuple(
        stem for stem, of in fathers().values() if of == origin
    )


def father_stem(name: str) -> str:
    """What a father's name, in the nominative, is in patronymics: "серге" for Сергей."""
    key = key_of(name)
    if changed := GRAMMAR["fathers"].get(key):
        return changed
    return key[:-2] + "ь" if key.endswith("ий") else re.sub("[йьая]$", "", key)


def people_by_letters(
    names: Sequence[str], home: float, kind: str = "", among: Sequence[str] = ()
) -> str:
    """Whose names in no list are, by their letters: of the peoples that have surnames of
    a `kind` of declension, or of some; `home` is how likely Russians are before. If that
    is likely, letters have to be sure."""
    peoples = [o for o in among if o] or ORIGINS
    able = [o for o in peoples if len(_declined_alike(kind, o)) >= _ENOUGH]
    if home and kind and not able:
        return ""
    peoples = able or peoples
    prior = {o: _NEVER for o in ORIGINS if o not in peoples} | {"": home or _NEVER}
    people, chance = _letters("origin").likely(names, prior)
    return people if chance > _SURE or home < 0.5 else ""


def gender_by_letters(name: str) -> str:
    """The gender of a given name in no list; "" if its letters do not tell."""
    gender, chance = _letters("gender").likely([name], {})
    return gender if chance > _SURE else ""


def is_given_by_letters(name: str) -> bool:
    """Whether a name in no list is rather a given name than a surname."""
    kind, chance = _letters("kind").likely([name], {})
    return kind == "given" and chance > _LIKELY


@lru_cache(maxsize=3)
def _letters(of: str) -> Letters:
    """Letters of names by "origin", by "gender", or by "kind": "given" or "family"."""
    given = {g: [x for row in ROWS for x in _listed(row, g)] for g in ("m", "f")}
    if of == "gender":
        return Letters(given)
    family = {"": [*_home_surnames()]}
    family |= {o: [*NAMES[f"{o} family"]] for o in ORIGINS}
    if of == "kind":
        kinds = {"given": given, "family": family}
        return Letters({kind: chain(*names.values()) for kind, names in kinds.items()})
    family[""] += [*OWN["m"], *OWN["f"], *NAMES["old m"], *NAMES["old f"]]
    for origin in ORIGINS:
        family[origin] += NAMES[f"{origin} m"] + NAMES[f"{origin} f"]
    return Letters(family)
