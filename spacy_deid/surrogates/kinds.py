"""Which generator a mention gets: by its subtype, its label in any scheme, its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from ..data import table
from ..gazetteers.lexicon import is_vocabulary
from ..gazetteers.names import is_full_name, is_given_name
from ..label_schemes import TABLE
from ..lang.base import LanguagePack
from ..lang.persons import is_related
from ..text import countries, localities
from ..text.names import fold, is_postnominal
from ..text.names import normalise as normalise_name
from ..text.number_words import read_words
from ..text.numbers import DECADES, WORDS_PATTERN
from ..text.words import function_words
from . import codes, dates, geography, organisations, places, term_rows, things
from .ages import can_move
from .base import BEGINS_WITH_ARTICLE, Mention, normalise, told_by
from .durations import is_duration

# Order matters: addresses of e-mail are made from new names, courts stand in new towns,
# numbers of cases follow the shift of dates.
ORDER = ("PERSON", "LOC", "DATETIME", "AGE", "DEM", "ORG", "QUANTITY", "CODE", "MISC")
_ROWS = table("surrogate_kinds")
_SUBTYPE_KINDS = {name: r["kind"] for r in _ROWS for name in r["subtypes"].split()}
_LABEL_KINDS = {name: r["kind"] for r in _ROWS for name in r["labels"].split()}
_DECADE_OF_LIFE = rf"(?:early |mid[- ]?|late )?(?:{'|'.join(DECADES)}|\d0s)"
_AGE = re.compile(
    r"(?:the\s+)?age[ds]?\b.{0,40}|\d{1,3}|.{1,40}[\s-](?:years?|months?)[\s-]old\b.{0,10}"
    rf"|.{{1,30}}\bof age|(?:in\s+)?(?:his|her|their|my)\s+{_DECADE_OF_LIFE}",
    re.I,
)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")

_INTO = re.compile(rf"\b(?:{told_by('into')})\s+$", re.I)
_IN = re.compile(r"\bin\s+$")
_WORKS = re.compile(rf"\b(?:{told_by('works')})", re.I)
_DOSED = re.compile(rf"\s+(?:{told_by('dosed')})\b")
_THINGS = ("drug", "medicine", "software")
_PLACED = re.compile(r"\b(?:in|at|from|near|of|the|via|moved to|went to)\s+$", re.I)
# Kinds that no text changes.
_CERTAIN = frozenset(("DATETIME", "AGE", "QUANTITY", "CODE"))
_DETERMINER = re.compile(told_by("determiner"), re.I)
_SAINT = re.compile(r"(?:st\.?|saint)\s[^\W\d_]", re.I)
_PHRASE = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,3}")


# What is said of peoples, in capitals as places are.
_PEOPLES = frozenset(("ETHNICITY", "RELIGION"))
_BARE_AGE = re.compile(rf"{WORDS_PATTERN}|{_DECADE_OF_LIFE}", re.I)


def kind_by_label(mention: Mention) -> str:
    """Generator of a mention by its subtype, else its label in any scheme.

    mention (Mention): Any mention.
    RETURNS (str): A semantic type, or "AGE".
    """
    label, subtype, text = mention.label.upper(), mention.subtype, mention.text
    kind = _SUBTYPE_KINDS.get(subtype) or _LABEL_KINDS.get(label)
    kind = kind or _SUBTYPE_KINDS.get(label) or _scheme_kinds().get(mention.label)
    coded = label in codes.KINDS or subtype in codes.KINDS
    return kind or ("CODE" if coded or any(map(str.isdigit, text)) else "MISC")


@cache
def _scheme_kinds() -> dict[str, str]:
    """Kinds of the labels that the label schemes agree about."""
    kinds: dict[str, set[str]] = {}
    for labels in TABLE.values():
        for label, target in labels.items():
            if target is not None:
                kind = "AGE" if target[1] == "AGE" else target[0]
                kinds.setdefault(label, set()).add(kind)
    return {label: next(iter(k)) for label, k in kinds.items() if len(k) == 1}


def kind_of(mention: Mention) -> str:
    """Generator of a mention: by its subtype, else its label, else its text.

    mention (Mention): Any mention.
    RETURNS (str): A semantic type, or "AGE".
    """
    subtype, text = mention.subtype, mention.text
    kind = kind_by_label(mention)
    if kind == "AGE":
        return _of_age(text)
    may_be_age = kind in ("DATETIME", "DEM") and subtype in ("", "AGE")
    bare = kind == "DEM" and not subtype and len(text) <= 40
    if bare and _YEAR.fullmatch(text):
        # A year of birth that annotators take for a demographic fact.
        return "DATETIME"
    told = may_be_age and len(text) <= 60 and _AGE.fullmatch(text)
    if told or (bare and _BARE_AGE.fullmatch(text)):
        return "AGE"
    return kind if subtype else _by_text(mention, kind)


def _of_age(text: str, lang: str = "en") -> str:
    """An age with a number is one; a stage of life, "a babe in arms", is a term."""
    figures = any(ch.isdecimal() for ch in text)
    return "AGE" if figures or can_move(text, lang) else "DEM"


def _by_text(mention: Mention, kind: str) -> str:
    """Kind of a mention that the recognizer gave no subtype: what its text says outright
    wins over the label."""
    text = mention.text
    four = len(text) == 4 and text[0] == "0" and text.isdecimal()
    if kind == "CODE" and (four or text[:3] in ("at ", "At ")):
        return "DATETIME" if dates.is_clock(mention) else kind
    if kind in _CERTAIN:
        return kind
    plain = kind == "MISC" and text.islower() and text.count(" ") < 2
    if plain and is_duration(text):
        # "at 36 weeks", no race of 24 hours
        return "DATETIME"
    if kind == "PERSON" and (
        (len(text) < 10 and is_postnominal(text)) or _is_description(text)
    ):
        return "DEM"
    if kind == "LOC" and _SAINT.match(text) and organisations.has_kind(text):
        # "St. Jude Children's Research Hospital"
        return "ORG"
    if len(text) > 60 or not (
        text.isalpha() or _PHRASE.fullmatch(text.replace("'", "").replace("’", ""))
    ):
        return kind
    for changed, says in _SAYS:
        if says(mention, kind):
            return changed
    return kind


def _is_description(text: str) -> bool:
    """Whether words tell a person who is not named: "that woman from number nine"."""
    first, *rest = re.findall(r"[^\W\d_]+", text) or [""]
    small = [w for w in rest if w in function_words("en")]
    owned = _DETERMINER.fullmatch(first) and all(map(str.islower, rest))
    told = owned or (first.islower() and len(small) > 1)
    # "A, double s" spells a name.
    plain = all(len(w) > 1 or w == "a" for w in rest) and not is_given_name(first)
    return bool(told and rest and plain and is_vocabulary(rest[0]))


def _is_day(mention: Mention, kind: str) -> bool:
    return kind != "PERSON" and dates.is_day_name(mention.text)


def _is_number(mention: Mention, kind: str) -> bool:
    low = mention.text.lower()
    possible = kind != "DEM" and len(low) < 16 and low[:1] in "efnost"
    return possible and bool(read_words(low))


def _is_named(mention: Mention, kind: str) -> bool:
    """Whether it is a name of several words of a person or of no kind."""
    text = mention.text
    capital = " " in text and text[:1].isupper() and not text.isupper()
    return capital and kind in ("PERSON", "MISC")


def _is_organisation(mention: Mention, kind: str) -> bool:
    text = mention.text
    if kind == "DEM":
        # "fire brigade"
        return organisations.stands_alone(text)
    if not _is_named(mention, kind) or not organisations.has_kind(text):
        return False
    return kind == "MISC" or not is_given_name(text.partition(" ")[0])


def _is_place(mention: Mention, kind: str) -> bool:
    text, before = mention.text, mention.before
    if not _is_named(mention, kind):
        return False
    if kind == "PERSON":
        return places.is_place_name(text) and not is_given_name(text.partition(" ")[0])
    into = _INTO.search(before) or (_IN.search(before) and not _WORKS.search(before))
    entered = bool(into) and text[:4] not in ("The ", "A ")
    return places.has_kind(text) or entered


def _is_thing(mention: Mention, kind: str) -> bool:
    """Whether what is taken for a place or a firm is a drug or a program: "Keflex 500 mg"."""
    text, key = mention.text, fold(mention.text)
    if kind not in ("LOC", "ORG") or text.islower() or _is_on_the_map(key, text):
        return False
    # Firms have names of words, too.
    own = things.kind_of(text, "") if kind == "LOC" or not is_vocabulary(key) else None
    told = own is not None and own.name in _THINGS
    return told or _DOSED.match(mention.after) is not None


def _is_term(mention: Mention, kind: str) -> bool:
    text = mention.text
    people = term_rows.row_of(text) if kind in ("LOC", "ORG") else None
    if people is not None and people[0].subtype in _PEOPLES:
        # "predominantly Arab"
        return countries.demonym(text) is None
    named = kind == "PERSON" and " " in text
    if kind not in ("PERSON", "ORG", "LOC") or not (text.islower() or named):
        return False
    if kind == "LOC" and geography.alike_places(text):
        return False
    # "harry potter" is no potter.
    return term_rows.is_term(text) and not (named and is_given_name(text.split()[0]))


# What a text says of itself, the surest first.
_SAYS: tuple[tuple[str, Callable[[Mention, str], bool]], ...] = (
    ("DATETIME", _is_day), ("QUANTITY", _is_number), ("ORG", _is_organisation),
    ("LOC", _is_place), ("MISC", _is_thing), ("DEM", _is_term),
)  # fmt: skip


def name_alike(mentions: Sequence[Mention]) -> Sequence[Mention]:
    """Mentions with those of an unsure type that repeat a person's name, or are named
    as a person's relation, taken for the person's."""
    unsure = [i for i, m in enumerate(mentions) if _is_unsure(m)]
    if not unsure:
        return mentions
    names: dict[str, int] = {}
    for m in mentions:
        if m.label == "PERSON":
            for word in m.text.split():
                if len(word) > 2 and word[0].isupper():
                    names.setdefault(word.casefold(), m.entity_id)
            names[normalise(m.text)] = m.entity_id
    changed = list(mentions)
    for i in unsure:
        m = mentions[i]
        if i and geography.names_state(m, mentions[i - 1]):
            # "Boston, MA" has no degree.
            changed[i] = m._replace(label="LOC")
            continue
        key = _in_singular(m.text, names)
        if (key in names or _is_person(m)) and not _is_on_the_map(key, m.text):
            entity = names.get(key, m.entity_id)
            changed[i] = m._replace(label="PERSON", entity_id=entity)
    return changed


def _is_unsure(mention: Mention) -> bool:
    text = mention.text
    return (
        not mention.subtype
        and mention.label in ("LOC", "ORG", "DEM", "MISC")
        and len(text) < 40
        and text[:1].isupper()
        and (text.isalpha() or _PHRASE.fullmatch(text) is not None)
    )


def _in_singular(text: str, names: Mapping[str, int]) -> str:
    """Key of a name, that of one of them for several: "the Hendersons"."""
    key = normalise(text)
    if key in names or key[-1] != "s" or text.isupper():
        return key
    stem = key[:-2] if key[:-2] in names and key.endswith("es") else key[:-1]
    return stem if len(stem) > 2 and stem in names else key


def _is_person(mention: Mention) -> bool:
    """Whether a mention is a person's by itself. Firms are named after people: what is
    taken for one stays one."""
    text = mention.text
    if mention.label == "ORG":
        return False
    if is_related(mention.before) and not organisations.has_kind(text):
        # "her father, A CUSTOMS COMMISSIONER"
        return BEGINS_WITH_ARTICLE.match(text) is None
    if is_full_name(text):
        return True
    one = mention.label == "LOC" and " " not in text and not text.isupper()
    return one and is_given_name(text) and not _PLACED.search(mention.before)


def _is_on_the_map(key: str, text: str) -> bool:
    index = countries.index()
    known = (index.by_name, index.by_city, index.by_region)
    return (
        any(key in names for names in known)
        or key in localities.tables().containers
        or countries.demonym(text) is not None
        or bool(geography.alike_places(text))
    )


def one_type(mentions: Sequence[Mention]) -> Sequence[Mention]:
    """Mentions of one entity with the same letters and digits, all of the type most of
    them have."""
    keys = [(m.entity_id, normalise_name(m.text)) for m in mentions]
    counts = Counter(zip(keys, ((m.label, m.subtype) for m in mentions)))
    best: dict[tuple[int, str], tuple[str, str]] = {}
    # The first of those that are equally frequent.
    for (key, kind), _ in counts.most_common():
        best.setdefault(key, kind)
    return [
        m._replace(label=best[key][0], subtype=best[key][1])
        for key, m in zip(keys, mentions)
    ]


def kind_in(pack: LanguagePack, mention: Mention) -> str:
    """Generator of a mention: by subtype, label of any scheme, or text.

    pack (LanguagePack): The language.
    mention (Mention): Any mention.
    RETURNS (str): A semantic type, or "AGE".
    """
    kind = kind_by_label(mention)
    text = mention.text
    if kind == "AGE":
        return _of_age(text, pack.lang)
    if (
        kind == "DEM" or (kind == "DATETIME" and re.search(r"\d", mention.text))
    ) and not mention.subtype:
        if kind == "DEM" and _YEAR.fullmatch(text):
            # A year of birth.
            return "DATETIME"
        alone = text.isdecimal() and kind == "DATETIME"
        if len(text) <= 60 and not alone and _is_age(pack, text, kind):
            return "AGE"
    return kind


def _is_age(pack: LanguagePack, text: str, kind: str) -> bool:
    """Whether a text is an age; for a date it has to say so."""
    if not any(ch.isdecimal() for ch in text) or not pack.ages.fullmatch(text):
        return False
    return kind == "DEM" or pack.age_words.search(text) is not None
