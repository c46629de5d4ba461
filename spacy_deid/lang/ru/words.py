"""Russian words for surrogates, and how they are put in form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from ...data import facts, table
from ..base import LanguagePack, features, split_list
from ..inflection import Lexeme, Lexicon
from .dates import fit_years, in_accusative, read_weekday
from .forms import (
    CASES,
    GRAMMAR,
    HARD,
    adjective_forms,
    fits_preposition,
    governed,
    in_cases,
    multiword,
    named_forms,
    narrowed,
    noun_key,
    paradigm,
    parses,
    term_forms,
    verb_forms,
    verb_key,
)

FOLDER = "lang/ru"
# Rows of the places of a country by the cells of its table.
_PLACES = {"city": "towns", "region": "regions", "city:former": "former"}
# How likely a reading as a verb is one: "колю", "пеку".
_A_VERB = 0.25


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """All Russian words for surrogates in their forms; made by pymorphy3 when first
    used, which takes a second or two."""
    out: list[Lexeme] = []
    towns: list[Lexeme] = []
    words = facts(f"{FOLDER}/words")
    home = words["home"]
    for row in table(f"{FOLDER}/countries"):
        name, adjective = row["country"], row["adjective"]
        forms = _place_forms(name)
        many = any({"Geox", "plur", "nomn"} in p.tag for p in parses(name.lower()))
        alike = "x" if len({*forms.values()}) == 1 else ""
        gender = alike or ("p" if many else "f" if forms["ablt"][-1] in "йю" else "m")
        gender += ":island" * (name in words["islands"])
        out.append(Lexeme(name, f"country:{gender}", forms, name))
        out.append(Lexeme(adjective, "adj", adjective_forms(adjective), name))
        out += [Lexeme(row[x], x, term_forms(row[x]), name) for x in ("man", "woman")]
        towns += _places(row)
        if name == home:
            towns += _home_towns(name)
    for short, name in words["short_countries"].items():
        out.append(Lexeme(name, "country:short", multiword(short), name))
    towns += [Lexeme(x, "region", paradigm(x), home) for x in words["regions"]]
    adjectives = [
        Lexeme(word, row, adjective_forms(word))
        for row in words
        if row.startswith("placeadj")
        for word in words[row]
    ]
    land = features(table(f"{FOLDER}/features"))
    land = [word._replace(forms=_land_forms(word)) for word in land]
    return Lexicon([*out, *towns, *_terms(), *land, *adjectives])


def _places(row: Mapping[str, str]) -> Iterator[Lexeme]:
    """Towns and regions of a country, and adjectives of its towns."""
    for kind, cell in _PLACES.items():
        for place in split_list(row[cell]):
            name = place.partition(":")[0]
            yield Lexeme(name, kind, _place_forms(name), row["country"])
    for cell in split_list(row["adjectives"]):
        name, word = cell.split(":")
        yield Lexeme(name, "ofcity", adjective_forms(word), row["country"])


def _home_towns(home: str) -> Iterator[Lexeme]:
    for row in table(f"{FOLDER}/towns"):
        town = row["town"]
        if _UNDECLINED.search(town):
            # "в Иваново" is as good as "в Иванове".
            yield Lexeme(town, "city", dict.fromkeys(CASES, town), home)
        yield Lexeme(town, "city", _place_forms(town), home)
        if row["adjective"]:
            yield Lexeme(town, "ofcity", adjective_forms(row["adjective"]), home)


def _terms() -> Iterator[Lexeme]:
    """Terms with the forms of their kind; those of one row stand for one another."""
    forms_of: dict[str, Callable[[str], dict[str, str]]] = {
        "noun": term_forms,
        "phrase": paradigm,
        "adjective": adjective_forms,
        "verb": verb_forms,
        "fixed": lambda word: dict.fromkeys(CASES, word),
    }
    for number, row in enumerate(table(f"{FOLDER}/terms")):
        subtype, kind = row["subtype"], row["kind"]
        for word in split_list(row["words"]):
            make = forms_of[kind]
            if kind == "noun" and word[:1].isupper():
                make = multiword if subtype == "LAND" else named_forms
            yield Lexeme(word, f"term:{subtype}:{number}", make(word))


def _land_forms(word: Lexeme) -> Mapping[str, str]:
    """A river, a mountain or a village in the six cases; a street stays in the genitive."""
    if word.row.endswith(":-"):
        return word.forms
    forms = multiword(word.name)
    return forms if len({*forms.values()}) > 1 else _place_forms(word.name)


def _place_forms(town: str) -> dict[str, str]:
    """A place in the six cases, both halves of "Спасск-Дальний": the dictionary takes some
    for persons or things, those that it does not know go by their last letter."""
    first, _, second = town.rpartition("-")
    if first and (beside := adjective_forms(second)):
        noun = _place_forms(first).items()
        return {case: f"{form}-{beside[f'masc {case}']}" for case, form in noun}
    if " " in town:
        return multiword(town)
    known = any(p.is_known and "Geox" in p.tag for p in parses(town.lower()))
    forms = paradigm(town, ["Geox"]) if known else dict.fromkeys(CASES, town)
    hard = "-" if HARD.search(town[-1]) else ""
    last = next((x for x in GRAMMAR["towns"] if x == hard or town.endswith(x)), None)
    if last is None or len({*forms.values()}) > 1:
        return forms
    return in_cases(town if hard else town.removesuffix(last), GRAMMAR["towns"][last])


# Names in "-ово" that many leave as they are in all cases.
_UNDECLINED = re.compile("(?:[оеё]в|[иы]н|енк)о$")
_KIND_BEFORE = re.compile(r"(?P<rest>.*?)(?P<kind>[а-яё]{4,})\s+$", re.S)


def _narrow(keys: Sequence[str], before: str) -> tuple[str, ...]:
    """The cases that the preposition before asks for, or the word for what is named
    ("в деревне Сосновке"); else the nominative first."""
    cases = governed(before)
    if "loct" in cases:  # "в Крыму"
        keys = (*keys, *(k.replace("datv", "loct") for k in keys if "datv" in k))
    if cases:
        return narrowed(tuple(dict.fromkeys(keys)), cases)
    match = _KIND_BEFORE.search(before)
    if match is not None and _kept().fullmatch(match["kind"]):
        own = [
            str(parse.tag.case)
            for parse in parses(match["kind"])
            if "NOUN" in parse.tag and parse.tag.case in CASES
        ]
        own = list(narrowed(own, governed(match["rest"])))
        # "посёлка Горки", but "реки Славянки".
        woman = any("femn" in parse.tag for parse in parses(match["kind"]))
        own = ["nomn", *own] if "nomn" in keys and not woman else own
        if set(own) & {part for key in keys for part in key.split()}:
            return narrowed(keys, own)
    # Without a preposition it is no prepositional case.
    return narrowed(keys, ("nomn", "gent", "accs", "ablt", "datv"))


def _keys(word: str, before: str) -> tuple[str, ...]:
    """Cases of a name that is in no list, by the dictionary's guess and what stands
    before it."""
    if before.endswith((". ", ".")):
        return ("nomn",)
    asked = governed(before)
    tags = (p.tag for p in parses(word.lower()) if p.score > 0.05)
    found = dict.fromkeys(t.case for t in tags if "NOUN" in t and t.case in CASES)
    if _UNDECLINED.search(word) or not found or (asked and not {*asked} & found.keys()):
        return asked or ("nomn",)
    return _narrow(tuple(found), before)


def _noun_keys(word: str, before: str) -> tuple[str, ...]:
    """Gender or number and case of a noun in small letters that is in no list; the form of
    a verb."""
    tags = [p.tag for p in parses(word.lower())]
    if tags and (key := verb_key(tags[0])):
        return (key,)
    # Its likeliest reading is that of a noun, as "заведующая" is.
    kind = {"NOUN", "PRTF"} & tags[0].grammemes if tags else ()
    first = "NOUN" in kind or (kind and "Subx" in tags[0])
    nouns = [t for t in tags if first and kind <= t.grammemes and t.case in CASES]
    return _narrow(tuple(dict.fromkeys(map(noun_key, nouns))), before)


def _verb_keys(text: str) -> tuple[str, ...]:
    """The form of the verb of a phrase ("теорию узлов читает"), of what who tells it does
    rather than another; empty if it has none, or begins with who somebody is
    ("вальцовщик стали")."""
    words = re.findall("[а-яё]{2,}", text.lower())
    somebody = {"NOUN", "anim", "sing"}
    if words and any(somebody <= p.tag.grammemes for p in parses(words[0])[:1]):
        return ()
    read = (p.tag for word in words for p in parses(word) if p.score >= _A_VERB)
    keys = filter(None, map(verb_key, read))
    return tuple(sorted(keys, key=lambda key: ("1per" not in key, "futr" in key)))[:1]


def _adjective_keys(word: str) -> tuple[str, ...]:
    """Gender and case of a word if it is an adjective; empty for all others."""
    read = parses(word.lower())
    if not read:
        return ()
    likely = sum(p.score for p in read if "ADJF" in p.tag)
    if "NOUN" in read[0].tag and likely < read[0].score:
        return ()
    found = [p.tag for p in read if "ADJF" in p.tag and p.tag.case in CASES]
    found = [t for t in found if "Poss" not in t and "Fixd" not in t]
    found = [t for t in found if not ("anim" in t and t.case == "accs")]
    return tuple(dict.fromkeys(f"{t.gender or 'plur'} {t.case}" for t in found))


def _agree(keys: Sequence[str], after: str) -> tuple[str, ...]:
    """Forms of an adjective that agree with the noun behind it ("Тверской площади")."""
    match = re.match(r"\s+([а-яё]+)", after, re.I)
    # "Кировскую ЦРБ": nobody sees the gender of letters.
    if match is None or (match[1].isupper() and len(match[1]) < 6):
        return tuple(keys)
    tags = (parse.tag for parse in parses(match.group(1).lower()))
    allowed = {noun_key(t) for t in tags if "NOUN" in t and t.case in CASES}
    return tuple(k for k in keys if k.removesuffix(" anim") in allowed) or tuple(keys)


@lru_cache(maxsize=1)
def _kept() -> re.Pattern[str]:
    return LanguagePack("ru", FOLDER).kept


def _inflect(word: str) -> Iterable[str]:
    """Forms of an adjective, a noun or a name."""
    if word[0].isupper():
        return multiword(word).values()
    return {**term_forms(word), **adjective_forms(word)}.values()


def _inside(name: str) -> str:
    form = multiword(name)["loct"]
    return f"в {form}" if fits_preposition(form, "в ") else f"во {form}"


def make_pack() -> LanguagePack:
    """The Russian pack."""
    return LanguagePack(
        "ru",
        FOLDER,
        lexicon,
        narrow=_narrow,
        prefers=fits_preposition,
        forms=multiword,
        keys=_keys,
        noun_keys=_noun_keys,
        verb_keys=_verb_keys,
        agree=_agree,
        adjectives=_adjective_keys,
        inflect=_inflect,
        inside=_inside,
        read_date=read_weekday,
        fit_date=in_accusative,
        fit_age=fit_years,
        adjectives_of_towns=True,
        acronyms_of_all=True,
        kind_first=False,
    )
