"""Linking mentions: those of one entity share a number."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from spacy.tokens import Doc

from ..registries import registry
from ..schema import Candidate, texts_of
from ..text.dates import day_first, read_date
from ..text.names import fold, normalise
from ..text.numbers import read_figure
from .codes import link_codes
from .forms import Form, P, Pairs, by_key, word_lists
from .organisations import link_organisations
from .persons import link_persons
from .spoken import link_said

Linker = Callable[[Doc, Sequence[Candidate]], list[int]]
_Linker = Callable[[Doc, list[Form]], Pairs]


@registry.misc("spacy_deid.link_entities.v1")
def make_link_entities() -> Linker:
    """Number the entities of a document: mentions of one entity share a number.

    Mentions whose normal forms are equal are one entity, whatever their types; so one
    that is masked in one place is masked in all. Beyond that each type has forms of
    its own: full name, surname, initials and title; legal form and acronym; codes,
    dates and amounts written in several ways. Two full names whose given names differ
    are never one person.

    RETURNS (Callable): `link_entities`.
    """
    return link_entities


def link_entities(doc: Doc, candidates: Sequence[Candidate]) -> list[int]:
    """Entity numbers by forms of names; see `make_link_entities`.

    doc (Doc): The document.
    candidates (Sequence[Candidate]): Mentions, in any order.
    RETURNS (list[int]): One a candidate, numbered from 0 in the order of first mention.
    """
    if len(candidates) < 2:
        return [0] * len(candidates)
    order = sorted(range(len(candidates)), key=lambda i: candidates[i])
    at = {i: place for place, i in enumerate(order)}
    # Each key with those of its entity.
    groups: dict[str, set[str]] = {}
    keys: list[str] = []
    texts = texts_of(doc, candidates)
    forms: dict[str, dict[str, Form]] = {}
    known: dict[str, str] = {}
    for i in order:
        c = candidates[i]
        text = texts[i]
        key = known.get(text) or normalise(text) or fold(text) or f"\0{i}"
        known[text] = key
        keys.append(key)
        groups.setdefault(key, {key})
        of_label = forms.setdefault(c.label, {})
        if key not in of_label:
            of_label[key] = Form(key, text, c, [])
        of_label[key].positions.append(c.start)
    for label, link in _LINKERS.items():
        if len(forms.get(label, ())) > 1:
            for a, b in link(doc, list(forms[label].values())):
                _join(groups, a, b)
    for first, second in link_said(doc, candidates, order):
        _join(groups, keys[at[first]], keys[at[second]])
    numbers: dict[int, int] = {}
    out = [0] * len(candidates)
    for i, key in zip(order, keys):
        out[i] = numbers.setdefault(id(groups[key]), len(numbers))
    return out


def _join(groups: dict[str, set[str]], a: str, b: str) -> None:
    small, large = sorted((groups[a], groups[b]), key=len)
    if small is not large:
        large |= small
        groups.update(dict.fromkeys(small, large))


def _place_keys(form: Form) -> Iterator[str]:
    key = P.place_lead.sub("", form.key)
    for suffix in (" city", " town", " village"):
        if key.endswith(suffix) and len(key) > len(suffix) + 2:
            yield key[: -len(suffix)]
    yield key


def _word_keys(form: Form) -> Iterator[str]:
    words = form.key.split()
    yield "".join([*words[:-1], *map(_singular, words[-1:])])


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _link_dates(doc: Doc, forms: list[Form]) -> Pairs:
    order = day_first([form.text.strip(" ,;:()") for form in forms])
    yield from by_key(forms, lambda form: filter(None, [read_date(form.text, order)]))


_UNITS = {
    word: name.removeprefix("unit ")
    for name, words in word_lists.items()
    if name.startswith("unit ")
    for word in words
}
_SCALES = {
    "hundred": 10**2, "thousand": 10**3, "k": 10**3, "million": 10**6, "millions": 10**6,
    "mn": 10**6, "mio": 10**6, "billion": 10**9, "bn": 10**9,
}  # fmt: skip


def _amounts(form: Form) -> Iterator[tuple[float, str]]:
    text = fold(form.text).replace("per cent", "percent").replace("\u2019", "'")
    found = P.figure.findall(text)
    # Thousands apart or not; longer numbers are none of anybody's amounts.
    if len(found) != 1 or not P.amount.fullmatch(found[0]):
        return
    number = read_figure(found[0])
    unit, rest = "", []
    for word in P.amount_words.findall(text):
        if word in _SCALES:
            number *= _SCALES[word]
        elif word in _UNITS and unit in ("", _UNITS[word]):
            unit = _UNITS[word]
        elif word not in ("the", "a", "of", "in"):
            rest.append(word)
    yield round(number, 9), " ".join([unit, *rest])


def _by_key(keys: Callable[[Form], Iterator[Hashable]]) -> _Linker:
    return lambda doc, forms: by_key(forms, keys)


_LINKERS: dict[str, _Linker] = {
    "PERSON": link_persons,
    "ORG": link_organisations,
    "CODE": link_codes,
    "DATETIME": _link_dates,
    "LOC": _by_key(_place_keys),
    "QUANTITY": _by_key(_amounts),
    "DEM": _by_key(_word_keys),
    "MISC": _by_key(_word_keys),
}
