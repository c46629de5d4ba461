"""Surrogates for English text: every kind of mention to its own generator."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from ..registries import registry
from ..text.names import fold, is_postnominal
from .base import (
    Draws,
    Forbidden,
    Mention,
    RandomFor,
    SurrogateMaker,
    article_before,
    fits_article,
    normalise,
    starts_with_vowel_sound,
)

# Order matters: addresses of e-mail are made from new names, courts stand in new towns,
# numbers of cases follow the shift of dates.
ORDER = ("PERSON", "LOC", "DATETIME", "AGE", "DEM", "ORG", "QUANTITY", "CODE", "MISC")
# New texts of all mentions of one kind.
Generator = Callable[[Sequence[Mention], Draws], list[str]]
_SUBTYPE_KINDS = {
    **dict.fromkeys(("GIVEN_NAME", "FAMILY_NAME", "FULL_NAME"), "PERSON"),
    **dict.fromkeys(
        ("ADDRESS", "POSTCODE", "CITY", "COUNTRY", "COORDINATES", "REGION"), "LOC"
    ),
    **dict.fromkeys(
        ("DATE", "TIME", "DATE_RANGE", "YEAR", "DURATION", "WEEKDAY"), "DATETIME"
    ),
    **dict.fromkeys(("MONEY", "PERCENT", "MEASURE", "COUNT"), "QUANTITY"),
    **dict.fromkeys(("COMPANY", "HOSPITAL", "COURT", "SCHOOL", "GOVERNMENT"), "ORG"),
    **dict.fromkeys(
        (
            "NATIONALITY",
            "OCCUPATION",
            "RELIGION",
            "LANGUAGE",
            "DEGREE",
            "FAMILY",
            "ETHNICITY",
            "DISEASE",
            "GENDER",
        ),
        "DEM",
    ),
    "AGE": "AGE",
}
_LABEL_KINDS = {
    **{label: label for label in ORDER},
    **dict.fromkeys(
        ("PER", "NAME", "PATIENT", "DOCTOR", "STUDENT", "NAME_STUDENT"), "PERSON"
    ),
    **dict.fromkeys(("GPE", "LOCATION", "FAC", "STREET", "STREET_ADDRESS"), "LOC"),
    **dict.fromkeys(("ORGANISATION", "ORGANIZATION"), "ORG"),
    **dict.fromkeys(("DATES", "DATE_TIME"), "DATETIME"),
    **dict.fromkeys(("CARDINAL", "ORDINAL", "NUMBER"), "QUANTITY"),
    **dict.fromkeys(("NORP",), "DEM"),
    **dict.fromkeys(("ID", "ID_NUM", "PHONE_NUM", "URL_PERSONAL"), "CODE"),
}
_AGE = re.compile(
    r"(?:the\s+)?age[ds]?\b.{0,40}|\d{1,3}|.{1,40}[\s-](?:years?|months?)[\s-]old\b.{0,10}"
    r"|.{1,30}\bof age|(?:in\s+)?(?:his|her|their|my)\s+(?:early |mid-?|late )?\w+ies"
    r"|(?:in\s+)?(?:his|her|their|my)\s+(?:early |mid-?|late )?\d0s",
    re.I,
)

# One of these is in each of them that is not all figures.
_AGE_PARTS = ("age", "old", "ies", "0s")
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")

_INTO = re.compile(
    r"\b(?:from|near|outside|(?:liv|bas|locat|rais|resid|hous|work|practis|practic)"
    r"(?:es|e|ed|ing)\s(?:in|at)|born\s(?:in|at)|moved\sto|towns?\sof|villages?\sof"
    r"|city\sof)\s+$",
    re.I,
)
_IN = re.compile(r"\bin\s+$")
_WORKS = re.compile(
    r"\b(?:appear|star|act|role|play|perform|feature|cast|character|song|episode|publish"
    r"|wrote|written|film|part|lead|debut|voice|direct)",
    re.I,
)
_ARTICLE_BEFORE = re.compile(r"(?<!\w)(?:the|an?)\s+$", re.I)
_ARTICLE_FIRST = re.compile(r"(?:the|an?)\s+(?=\S)", re.I)
_PLACED = re.compile(r"\b(?:in|at|from|near|of|the|via|moved to|went to)\s+$", re.I)
# Kinds that no text changes.
_CERTAIN = frozenset(("DATETIME", "AGE", "QUANTITY", "CODE"))
_SAINT = re.compile(r"(?:st\.?|saint)\s[^\W\d_]", re.I)
_PHRASE = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,3}")


class _Asked(NamedTuple):
    """What the generators' modules tell of a text. They are loaded when the first text
    is replaced, and looked up once."""

    is_clock: Callable[[Mention], bool]
    is_day_name: Callable[[str], bool]
    read_words: Callable[[str], int | None]
    has_kind: Callable[[str], bool]
    is_given_name: Callable[[str], bool]
    is_place_name: Callable[[str], bool]
    has_place_kind: Callable[[str], bool]
    is_term: Callable[[str], bool]
    number_words: re.Pattern[str]
    is_full_name: Callable[[str], bool]
    is_related: Callable[[Mention], bool]
    names_state: Callable[[Mention, Mention], bool]
    demonym: Callable[[str], Any]
    places: Callable[[], Any]
    tables: Callable[[], Any]


@cache
def _asked() -> _Asked:
    from ..text import countries, localities, numbers
    from . import dates, organisations, persons, places, terms

    return _Asked(
        dates.is_clock,
        dates.is_day_name,
        numbers.read_words,
        organisations.has_kind,
        persons.is_given_name,
        places.is_place_name,
        places.has_kind,
        terms.is_term,
        re.compile(numbers.WORDS_PATTERN, re.I),
        persons.is_full_name,
        persons.is_related,
        places.names_state,
        countries.demonym,
        countries.index,
        localities.tables,
    )


def _by_text(mention: Mention, kind: str) -> str:
    """Kind of a mention that the recognizer gave no subtype: what its text says outright
    wins over the label.

    mention (Mention): Any mention.
    kind (str): Kind by its label.
    RETURNS (str): `kind`, or another.
    """
    text = mention.text
    asked = _asked()
    if kind == "CODE" and (
        (len(text) == 4 and text[0] == "0" and text.isdecimal())
        or text[:3] in ("at ", "At ")
    ):
        return "DATETIME" if asked.is_clock(mention) else kind
    if kind in _CERTAIN:
        return kind
    if kind == "PERSON" and len(text) < 10 and is_postnominal(text):
        return "DEM"
    if (
        kind == "LOC"
        and text[:1] in "Ss"
        and _SAINT.match(text)
        and asked.has_kind(text)
    ):
        # "St. Jude Children's Research Hospital"
        return "ORG"
    if len(text) > 60 or not (
        text.isalpha() or _PHRASE.fullmatch(text.replace("'", "").replace("’", ""))
    ):
        return kind
    if kind != "PERSON" and asked.is_day_name(text):
        return "DATETIME"
    if kind != "DEM" and len(text) < 16:
        low = text.lower()
        if low[:1] in "efnost" and asked.read_words(low) is not None:
            return "QUANTITY"
    capital = " " in text and text[:1].isupper() and not text.isupper()
    if kind == "PERSON" and capital:
        named = asked.has_kind(text)
        if (named or asked.is_place_name(text)) and not asked.is_given_name(
            text.partition(" ")[0]
        ):
            return "ORG" if named else "LOC"
    if (
        kind in ("PERSON", "ORG", "LOC")
        and (text.islower() or (kind == "PERSON" and " " in text))
        and asked.is_term(text)
    ):
        # "harry potter" is no potter.
        named = kind == "PERSON" and " " in text
        if not (named and asked.is_given_name(text.split()[0])):
            return "DEM"
    if kind == "MISC" and capital:
        if asked.has_kind(text):
            return "ORG"
        if asked.has_place_kind(text):
            return "LOC"
        into = _INTO.search(mention.before) or (
            _IN.search(mention.before) and not _WORKS.search(mention.before)
        )
        if into and text[:4] not in ("The ", "A "):
            return "LOC"
    return kind


def _name_alike(mentions: Sequence[Mention]) -> Sequence[Mention]:
    """Mentions with those of an unsure type that repeat a person's name, or are named
    as a person's relation, taken for the person's.

    mentions (Sequence[Mention]): All mentions of a document.
    RETURNS (Sequence[Mention]): As many, in the same order.
    """
    unsure = [
        i
        for i, m in enumerate(mentions)
        if not m.subtype
        and m.label in ("LOC", "ORG", "DEM", "MISC")
        and len(m.text) < 40
        and m.text[:1].isupper()
        and (m.text.isalpha() or _PHRASE.fullmatch(m.text))
    ]
    if not unsure:
        return mentions
    asked = _asked()
    is_given_name, has_kind = asked.is_given_name, asked.has_kind
    states = {
        i for i in unsure if i and asked.names_state(mentions[i], mentions[i - 1])
    }
    names: dict[str, int] = {}
    for m in mentions:
        if m.label == "PERSON":
            for word in m.text.split():
                if len(word) > 2 and word[0].isupper():
                    names.setdefault(word.casefold(), m.entity_id)
            names[normalise(m.text)] = m.entity_id
    changed = list(mentions)
    places, containers = asked.places(), asked.tables().containers
    for i in unsure:
        m = mentions[i]
        if i in states:
            # "Boston, MA" has no degree.
            changed[i] = m._replace(label="LOC")
            continue
        key = normalise(m.text)
        if key not in names and key[-1] == "s" and not m.text.isupper():
            # "the Hendersons"
            stem = key[:-2] if key[:-2] in names and key.endswith("es") else key[:-1]
            key = stem if len(stem) > 2 and stem in names else key
        if (
            key in names
            # Firms are named after people: what is taken for one stays one.
            or (m.label != "ORG" and asked.is_related(m) and not has_kind(m.text))
            or (m.label != "ORG" and asked.is_full_name(m.text))
            or (
                " " not in m.text
                and m.label == "LOC"
                and not m.text.isupper()
                and is_given_name(m.text)
                and not _PLACED.search(m.before)
            )
        ) and not (
            key in places.by_name
            or key in places.by_city
            or key in places.by_region
            or key in containers
            or asked.demonym(m.text)
        ):
            entity = names.get(key, m.entity_id)
            changed[i] = m._replace(label="PERSON", entity_id=entity)
    return changed


def _note_articles(mentions: Sequence[Mention], draws: Draws) -> Sequence[Mention]:
    """Note before what "a" or "an" stands. An article that does not fit ("an United
    Kingdom national") is as if it were not there: what replaces the mention need not fit
    it either.

    mentions (Sequence[Mention]): All mentions of a document.
    draws (Draws): The document's draws; `articles` is filled.
    RETURNS (Sequence[Mention]): As many, in the same order.
    """
    out = list(mentions)
    for i, m in enumerate(mentions):
        article = article_before(m.before)
        if not article:
            continue
        if not fits_article(m.text, m.before):
            before = m.before.rstrip().rpartition(" ")[0] + " "
            out[i] = m = m._replace(before=before)
            article = article_before(before)
            if not article:
                continue
        first = _FIRST_WORD.search(m.text)
        draws.articles.setdefault(normalise(m.text), article)
        if first is not None:
            draws.articles.setdefault(fold(first.group()), article)
    return out


def _one_type(mentions: Sequence[Mention]) -> Sequence[Mention]:
    """Mentions of one entity with the same text, all of the type most of them have.

    mentions (Sequence[Mention]): All mentions of a document.
    RETURNS (Sequence[Mention]): As many, in the same order.
    """
    first: dict[tuple[int, str], tuple[str, str]] = {}
    keys = [(m.entity_id, m.text.casefold()) for m in mentions]
    for key, m in zip(keys, mentions):
        what = m.label, m.subtype
        if first.setdefault(key, what) != what:
            break
    else:
        return mentions
    types: dict[tuple[int, str], dict[tuple[str, str], int]] = {}
    for key, m in zip(keys, mentions):
        counts = types.setdefault(key, {})
        counts[m.label, m.subtype] = counts.get((m.label, m.subtype), 0) + 1
    out = []
    for key, m in zip(keys, mentions):
        # The first of those that are equally frequent.
        label, subtype = max(types[key], key=types[key].__getitem__)
        out.append(m._replace(label=label, subtype=subtype))
    return out


def kind_by_label(mention: Mention) -> str:
    """Generator of a mention by its subtype, else its label in any scheme.

    mention (Mention): Any mention.
    RETURNS (str): A semantic type, or "AGE".
    """
    label, subtype, text = mention.label, mention.subtype, mention.text
    kind = _SUBTYPE_KINDS.get(subtype) or _LABEL_KINDS.get(label.upper(), "")
    if not kind:
        kind = _SUBTYPE_KINDS.get(label.upper(), "") or _scheme_kinds().get(label, "")
    if not kind:
        from .codes import KINDS

        named = label.upper() in KINDS or subtype in KINDS
        kind = "CODE" if named or any(ch.isdigit() for ch in text) else "MISC"
    return kind


@cache
def _scheme_kinds() -> dict[str, str]:
    """Kinds of the labels that the label schemes agree about."""
    from ..label_schemes import TABLE

    kinds: dict[str, set[str]] = {}
    for table in TABLE.values():
        for label, target in table.items():
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
    if kind in ("DATETIME", "DEM") and subtype in ("", "AGE") and len(text) <= 60:
        low = text.lower()
        if (
            text.isdecimal() or any(part in low for part in _AGE_PARTS)
        ) and _AGE.fullmatch(text):
            return "AGE"
    if kind == "DEM" and not subtype and len(text) <= 40:
        if _YEAR.fullmatch(text):
            # A year of birth that annotators take for a demographic fact.
            return "DATETIME"
        if _asked().number_words.fullmatch(text):
            return "AGE"
    return kind if subtype else _by_text(mention, kind)


def by_kind(
    mentions: Sequence[Mention],
    kinds: Sequence[str],
    draws: Draws,
    own: Mapping[str, Generator],
) -> list[str]:
    """New texts of a document's mentions, those of each kind by its generator.

    mentions (Sequence[Mention]): All mentions, in document order.
    kinds (Sequence[str]): Their kinds, of those in `ORDER`.
    draws (Draws): The document's draws.
    own (Mapping[str, Callable]): Generators of a language by kind. Names, dates, ages,
        numbers and codes have one for all languages, if it is not given here.
    RETURNS (list[str]): One text a mention.
    """
    from . import ages, codes, dates, numbers, persons

    generators: dict[str, Generator] = {
        "PERSON": persons.replace_persons,
        "DATETIME": dates.replace_dates,
        "AGE": ages.replace_ages,
        "QUANTITY": numbers.replace_quantities,
        "CODE": codes.replace_codes,
        **own,
    }
    groups: dict[str, list[int]] = {}
    for i, kind in enumerate(kinds):
        groups.setdefault(kind, []).append(i)
    # Dates of birth move with ages.
    draws.ages = tuple(dict.fromkeys(mentions[i].text for i in groups.get("AGE", ())))
    out = [""] * len(mentions)
    for kind in ORDER:
        where = groups.get(kind, ())
        if where:
            new = generators[kind]([mentions[i] for i in where], draws)
            for i, text in zip(where, new):
                out[i] = text
            if kind == "ORG":
                draws.organisations = [(mentions[i].text, out[i]) for i in where]
    draws.close()
    return out


def _same(a: str, b: str) -> bool:
    """Whether two texts have one normal form."""
    first, second = a[:1], b[:1]
    # Most begin with other letters; those beyond ASCII may fold to several.
    if (
        first != second
        and first.isalnum()
        and second.isalnum()
        and first.isascii()
        and second.isascii()
        and first.lower() != second.lower()
    ):
        return False
    return normalise(a) == normalise(b)


def _without_second_article(text: str, mention: Mention, forbidden: Forbidden) -> str:
    """A surrogate without its article where one stands before it: "the Glass Orchard"
    and not "the The Glass Orchard".

    text (str): The surrogate.
    mention (Mention): What it replaces.
    forbidden (Callable): Whether a text may not be used.
    RETURNS (str): The surrogate, perhaps shorter.
    """
    match = _ARTICLE_FIRST.match(text) if text[0] in "tTaA" else None
    if (
        match is None
        or not _ARTICLE_BEFORE.search(mention.before)
        or _ARTICLE_FIRST.match(mention.text)
    ):
        return text
    rest = text[match.end() :]
    usable = normalise(rest) != normalise(mention.text) and not forbidden(rest)
    return rest if usable and fits_article(rest, mention.before) else text


_FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ONE_FIGURE = re.compile(r"(\D{0,6})(\d{1,3}(?:,\d{3})+|\d+)(st|nd|rd|th)?(?!\d)")
_ONE_NUMBER = re.compile(r"()([a-z]+-[a-z]+)()(?![a-z])", re.I)
_ONE_WORD = re.compile(r"()([a-z]+)()(?![a-z])", re.I)


def _fit_numbers(
    mentions: Sequence[Mention], kinds: Sequence[str], out: list[str], draws: Draws
) -> None:
    """Exchange numbers that do not fit the article before them for the nearest ones
    that do: "an 11-day stay" becomes an 8-day stay.

    mentions (Sequence[Mention]): All mentions, in document order.
    kinds (Sequence[str]): Their kinds.
    out (list[str]): Their new texts, which are changed.
    draws (Draws): The document's draws.
    """
    from .dates import is_day_name
    from .durations import is_duration

    for i, (mention, kind, text) in enumerate(zip(mentions, kinds, list(out))):
        if kind not in ("QUANTITY", "DATETIME"):
            continue
        article = article_before(mention.before)
        if (
            not article
            or fits_article(text, mention.before)
            or not (
                kind == "QUANTITY"
                or is_duration(mention.text)
                or is_day_name(mention.text)
            )
        ):
            continue
        key = normalise(mention.text)
        if is_day_name(mention.text):
            # "an April day" becomes "an early May day".
            new = ("early " if article == "an" else "late ") + text
            if not draws.forbidden(new):
                out[i] = new
            continue
        for new in _refitted(text, mention.text, article == "an"):
            if draws.usable(new, key):
                draws.claim(new, key)
                for k, other in enumerate(mentions):
                    if out[k] == text and normalise(other.text) == key:
                        out[k] = new
                break


def _refitted(text: str, old: str, vowel: bool) -> Iterator[str]:
    """A text with another first number, the nearest first.

    text (str): A surrogate that begins with a number.
    old (str): What it replaces, whose number is not given.
    vowel (bool): Whether the number has to be read with a vowel first.
    YIELDS: Some texts; none if there are further numbers.
    """
    from ..text.numbers import in_words, ordinal_suffix, read_words

    for pattern in (_ONE_FIGURE, _ONE_NUMBER, _ONE_WORD):
        match = pattern.match(text)
        if match is None or re.search(r"\d", text[match.end() :]):
            continue
        before, number, suffix = match.groups()
        plain = number.replace(",", "")
        value = int(plain) if plain.isdecimal() else read_words(number.lower())
        if value is not None and value < 10**12:
            break
    else:
        return
    scale = 10 ** max(0, len(str(int(value))) - 3)
    near = sorted(range(2, 1000), key=lambda n: abs(n - value // scale))
    for n in near[:200]:
        new = n * scale + int(value) % scale
        if plain.isdecimal():
            written = f"{new:,}" if "," in number else str(new)
            if suffix:
                written += ordinal_suffix(new)
        else:
            written = in_words(new, number)
        result = before + written + text[match.end() :]
        if starts_with_vowel_sound(result) == vowel and written not in old:
            yield result


@registry.deid_surrogates("spacy_deid.english_surrogates.v1")
def make_english_surrogates(
    weekdays: bool = False, same_country: bool = False
) -> SurrogateMaker:
    """Surrogates of the same type, form, gender and format for English documents.

    One person, place or date gets one surrogate throughout a document and different
    ones get different ones; dates keep their order and intervals; identifiers come
    from ranges reserved for fiction where there are any and pass the checks that the
    originals pass (paper 2, section 5).

    weekdays (bool): Whether dates move by whole weeks, so that a date keeps its weekday.
        A weekday that stands alone is then written in another way ("Mon").
    same_country (bool): Whether towns, regions and addresses stay in their country,
        whichever it is. Those of the United Kingdom and the United States always do. A
        country that is masked by its name still moves, its towns with it.
    RETURNS (Callable): Function of all mentions of a document, in document order, a
        generator for each kind and entity, and a predicate of forbidden texts, giving
        one new text a mention.
    """
    if not weekdays and not same_country:
        return english_surrogates
    return partial(english_surrogates, weekdays=weekdays, same_country=same_country)


def english_surrogates(
    mentions: Sequence[Mention],
    random_for: RandomFor,
    forbidden: Forbidden,
    weekdays: bool = False,
    same_country: bool = False,
) -> list[str]:
    """New texts of a document's mentions; see `make_english_surrogates`.

    mentions (Sequence[Mention]): All mentions, in document order.
    random_for (Callable): Generator of random numbers for a kind and an entity.
    forbidden (Callable): Whether a text may not be used.
    weekdays (bool): Whether dates keep their weekdays.
    same_country (bool): Whether places stay in their country.
    RETURNS (list[str]): One text a mention.
    """
    from . import organisations, places, terms

    draws = Draws(random_for, forbidden)
    draws.weekdays = weekdays
    known: dict[tuple[str, str, str], str] = {}
    kinds: list[str] = []
    mentions = _note_articles(_name_alike(_one_type(mentions)), draws)
    for mention in mentions:
        what = mention.label, mention.subtype, mention.text
        kind = known.get(what) or kind_of(mention)
        kinds.append(kind)
        if mention.label in _LABEL_KINDS and mention.label not in ("MISC", "CODE"):
            # What stands around only matters to other types.
            known[what] = kind
    main = places.main_country(mentions)
    geography = places.Geography(draws, mentions, same_country)

    def placed(make: Callable[..., list[str]]) -> Generator:
        return partial(make, geography=geography, main=main)

    own = {
        "LOC": placed(places.replace_places),
        "DEM": placed(terms.replace_terms),
        "ORG": placed(organisations.replace_organisations),
        "MISC": placed(terms.replace_misc),
    }
    out = by_kind(mentions, kinds, draws, own)
    if draws.articles:
        _fit_numbers(mentions, kinds, out, draws)
    for i, (mention, text) in enumerate(zip(mentions, out)):
        # Nothing may come through as it was, whatever a generator did.
        if not text.strip() or _same(text, mention.text):
            key = normalise(mention.text)
            out[i] = draws.invent("last", key, mention.before, mention.text)
        else:
            out[i] = _without_second_article(text, mention, forbidden)
    return out
