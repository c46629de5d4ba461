"""New addresses: numbers, streets, post codes and towns change, the layout stays."""

from __future__ import annotations

import random
import re
from functools import lru_cache

from ..gazetteers.lexicon import is_vocabulary
from ..lang.base import LanguagePack, pack_of
from ..lang.inflection import like_capitals
from ..registries import registry
from ..text.address_words import PIECE_END
from ..text.countries import WITH_ARTICLE, Country, demonym, index
from ..text.localities import UK, US, state_of, tables, town_with_post
from ..text.names import fold
from ..text.number_words import in_words, read_words
from ..text.numbers import WORDS_PATTERN, suffixed
from ..text.offsets import splice
from .address_words import (
    _BOX,
    _CODED,
    _FACTS,
    _NUMBERED,
    _POSTCODE,
    _STATE_ZIP,
    _STREET_WORDS,
    _WORD,
    _address_words,
    _has_british_post,
    _has_street,
    _split_article,
    _suffix,
    ends_as_street,
)
from .base import (
    CODE_FORMS,
    acronym_like,
    another,
    in_order,
    like,
    match_case,
    normalise,
    possessive,
    shuffled,
)
from .dates import HORIZON
from .geography import (
    _KIND_WORDS,
    NATURE,
    Geography,
    _of_saint,
    alike_places,
    is_listed,
    saints_like,
)

_STREETS = tuple(_FACTS["streets"])
# Also the part of the town alone: "LS21".
BRITISH_POST = CODE_FORMS["british_post"]
_HOUSE = re.compile(r"(\d+)((?:st|nd|rd|th)\b)?", re.I)
# Not the ending of a number.
_WHOLE_WORD = re.compile(rf"(?<!\d){_WORD.pattern}")
_NUMBERED_WORD = re.compile(r"\s*\d+\s[^\W\d_]+")
# What leads to a street stays: "above the shop on", "LP 44".
_LEADS_TO = re.compile(
    r"(?:[a-z]{2,} )+(?:on|in|at|off|of) (?=[A-Z\d])|[A-Z]{1,3} ?\d+[A-Z]?,? (?=[^\W\d_]{3})"
)
# A name behind the number of a house: "1190 Grand Concourse".
_HOUSE_AND_NAME = re.compile(r"(?P<number>\s*\d+[A-Za-z]?\s+)(?P<name>[^\W\d_][^\d]*)")
_YEAR = re.compile(r"1[5-9]\d\d|20[0-2]\d")
_ZIP = re.compile(r"\d{5}(?:-\d{4})?")
# Small words in names of streets, and words beside them.
_PARTICLES = frozenset(_FACTS["street_particles"].split())
_BESIDE_STREETS = frozenset(_FACTS["beside_streets"].split())
_POSTCODE_LOWER = re.compile(_POSTCODE.pattern, re.I)
_ROUTE = re.compile(
    rf"(?P<head>(?:[A-Z][\w.]*\s){{0,3}})(?P<kind>(?:(?i:old|state|county|federal)\s)?"
    rf"(?:(?i:{'|'.join(_FACTS['routes'].split())})|US|U\.S\.|SR|CR|FM)\s\d+[A-Z]?\b)"
)
_LETTERED = re.compile(
    r"\b(?!\d+(?i:st|nd|rd|th)\b)(?:\d{1,3}[A-Za-z]{1,2}|[A-Za-z]{1,2}\d{1,3})\b"
)
# A post box ends a piece, too: "P.O. Box 98 St Joseph".
_PIECES = re.compile(
    rf"(\s*{PIECE_END.pattern}\s*|\x00[\ue000-\uf8ff]\x00"
    rf"|(?i:\b(?:{_BOX.pattern}|box)(?!\w)(?:\s*#?\d[\w-]*)?\s*))"
)
# Letters that a generated British post code may end with.
_POST_LETTERS = "ABDEFGHJLNPQRSTUWXYZ"
_STEMS = ("Lind", "Ros", "Sol", "Nor", "Lund", "Birk", "Elm", "Strand")
# The number of a house in words, before a street or at an end: "Flat forty".
_IN_WORDS = re.compile(
    rf"\b{WORDS_PATTERN}\b"
    r"(?=\s+[^\W\d_]{3,}\s+[^\W\d_]{2,}|\s*(?:[,;\n]|$))",
    re.I,
)
_SAINT_BEFORE = re.compile(r"\b(?:st\.?|saint)\s+$", re.I)


def fitting_postcode(
    text: str, geography: Geography, rng: random.Random, town: str = ""
) -> str:
    """A post code of a new town, in the form of the original.

    text (str): The original.
    geography (Geography): The document's places.
    rng (Random): Source of the draw.
    town (str): New name of the town beside it, "" if there is none.
    RETURNS (str): A code of that town; of the town that stands for the original's own,
        or another new one of the document, if there is none.
    """
    british, american = BRITISH_POST.fullmatch(text), _ZIP.fullmatch(text)
    if british is None and american is None:
        return like(text, rng, _POST_LETTERS)
    known = tables()
    country = UK if british else US
    place = known.town_in.get((country, fold(town))) if town else None
    if place is None:
        own = town_with_post(text)
        pairs = [
            (known.town_in.get((country, old)), known.town_in.get((country, fold(new))))
            for old, new in geography.draws.towns.items()
        ]
        same = [new for old, new in pairs if own and old and old.post == own.post]
        others = list(filter(None, same))[:1] or [new for _, new in pairs if new]
        if not others and own is not None:
            width = 3 if british is None else len(british["area"])
            rows = (r for r in known.by_country[country] if r.post != own.post)
            others = [r for r in rows if len(r.post) == width]
        if not others:
            return like(text, rng, _POST_LETTERS)
        place = rng.choice(others)
    if american:
        return place.post + like(text[3:], rng)
    assert british is not None
    district = str(rng.randint(1, 9 if len(british["district"]) == 1 else 19))
    rest = like(british["rest"], rng, _POST_LETTERS)
    made = f"{place.post}{district}{british['letter']}{rest}"
    return made.lower() if text.islower() else made


# What is put back at the end.
_HELD = re.compile(r"\x00([\ue000-\uf8ff])\x00")


def _address(text: str, geography: Geography, rng: random.Random) -> str:
    """Numbers, street names, post code and town replaced, layout kept."""
    held: list[str] = []
    codes: dict[int, str] = {}

    def hold(match: re.Match[str]) -> str:
        # A house number may look like a post code, which stands at the end, and a year.
        number = match.group().isdecimal() and len(match.group()) < 5
        if number and (match.start() == 0 or _YEAR.fullmatch(match.group())):
            return match.group()
        if _NUMBERED.match(text, match.end() - 3):
            return match.group()
        codes[len(held)] = match.group()
        return keep(match.group())

    def keep(made: str) -> str:
        held.append(made)
        return f"\x00{chr(0xE000 + len(held) - 1)}\x00"

    def state(match: re.Match[str]) -> str:
        if match[1] not in _CODED:
            return match[0]
        codes[len(held) + 1] = match.group(3)
        new = _new_state(match.group(1), geography)
        return keep(new + match.group(2)) + keep(match.group(3))

    main = None
    if _has_british_post(text):
        main = index().by_name[fold(UK)]
    elif _STATE_ZIP.search(text):
        main = index().by_name[fold(US)]
    text = _STATE_ZIP.sub(state, text)
    text = (_POSTCODE_LOWER if text.islower() else _POSTCODE).sub(hold, text)
    # Numbers with a letter ("23a") are one thing, too.
    text = _LETTERED.sub(lambda m: keep(like(m.group(), rng, _POST_LETTERS)), text)
    text = _IN_WORDS.sub(lambda m: keep(_other_number(m.group(), rng)), text)
    numbered = _HOUSE.sub(lambda m: _numbered(m, rng), text)
    text = in_order(numbered, text)
    text, town = _in_pieces(text, geography, main, rng)
    for number, old in codes.items():
        held[number] = fitting_postcode(old, geography, rng, town)
    return _HELD.sub(lambda m: held[ord(m.group(1)) - 0xE000], text)


def _in_pieces(
    text: str, geography: Geography, main: Country | None, rng: random.Random
) -> tuple[str, str]:
    """What stands for the pieces of an address, and the last town in it."""
    pieces, known = _PIECES.split(text), tables()
    town = before = ""
    for i in range(0, len(pieces), 2):
        piece, name = pieces[i], pieces[i].strip()
        if state := geography.state_behind(name, before):
            pieces[i] = piece.replace(name, state)
        elif name:
            before = name
            pieces[i], new = _piece(piece, geography, main, rng)
            town = new.strip() if fold(new.strip()) in known.by_town else town
    return "".join(pieces), town


def _piece(
    piece: str, geography: Geography, main: Country | None, rng: random.Random
) -> tuple[str, str]:
    """What stands for a piece of an address, and what does for the town in it."""
    if route := _ROUTE.match(piece):
        # "Connecticut Route 41", "US 20": only what else names it changes.
        head, rest = route["head"], piece[route.end() :]
        if fold(head.strip()) not in index().by_name:
            head = _named(head, geography, main, in_address=True)
        new = _named(rest, geography, main, in_address=True) if rest else ""
        return head + route["kind"] + new, new
    street, rest = _with_street(piece)
    whole = street or _FEATURE.fullmatch(piece)
    house = None if whole else _HOUSE_AND_NAME.fullmatch(piece)
    if house and not is_listed(fold(house["name"])):
        return house["number"] + _street(house["name"], rng), ""
    new = _named(rest, geography, main, in_address=True) if rest else ""
    return (_street(street, rng) if street else "") + new, new


def _with_street(piece: str) -> tuple[str, str]:
    """A street of a piece, and what stands behind it or in its place: "12 Elm Street" and
    " Mountain View"."""
    # "St Albans" is no street.
    if fold(piece.strip()) in tables().by_town:
        return "", piece
    known = _address_words().kept | _BESIDE_STREETS | _PARTICLES

    def names(text: str) -> bool:
        words = (word.lower().rstrip(".") for word in _WORD.findall(text))
        return any(len(word) > 1 and word not in known for word in words)

    saints = 0
    for kind in _STREET_WORDS.finditer(piece):
        rest = piece[kind.end() :].removeprefix(".")
        if names(piece[: kind.start()]):
            # "100 Park Circle East Rd Elizabeth City" has one street.
            town = _with_street(rest)[1] if names(rest) else ""
            return piece.removesuffix(town), town
        leads = not piece[: kind.start()].strip()
        saints += leads and kind.group().lower() in ("st", "saint") and names(rest)
    others = len(_STREET_WORDS.findall(piece)) - saints
    # "Glorieta" alone is a town.
    told = not saints and _has_street(piece) and len(piece.split()) > 1
    return (piece, "") if others or told or ends_as_street(piece) else ("", piece)


def _numbered(match: re.Match[str], rng: random.Random) -> str:
    """Another number of a house or a street, with the ending of its own: "3rd"."""
    new = _house(match[1], rng)
    return new + suffixed(int(new), match[2] or "")


def _new_state(code: str, geography: Geography) -> str:
    """The code of the state that stands for another, with points where it has them
    ("D.C."); military post keeps its own."""
    bare = code.replace(".", "")
    name = state_of(bare)
    if not name:
        return code
    new = geography.container_for(name)
    new = tables().codes.get(new) or new
    return new if code == bare else ".".join(new) + "."


def _house(number: str, rng: random.Random) -> str:
    if len(number) > 5 or number[0] == "0":
        return like(number, rng)
    value = int(number) if number.isascii() else 100
    new, least, most = value, value // 2 or 1, max(9, value * 2)
    if _YEAR.fullmatch(number):
        # "Leeds 2008, pp. 12-15"
        least, most = value - 12, HORIZON
    while new == value:
        new = rng.randint(least, most)
    return str(new)


def _other_number(words: str, rng: random.Random) -> str:
    """Another number in words."""
    most = max(9, 2 * (read_words(words) or 0))
    return in_words(rng.randint(2, min(most, 99)), like=words)


@lru_cache(maxsize=1)
def _packs() -> tuple[LanguagePack, ...]:
    """Languages in which the word for a street stands before its name."""
    packs = filter(None, map(pack_of, sorted(registry.deid_languages.get_all())))
    return tuple(pack for pack in packs if pack.kind_first and pack.streets)


def _street_of_others(text: str, rng: random.Random) -> str:
    """A street of another language with another name that is of it: "rue des Lilas"; ""
    for others."""
    if all(map(is_vocabulary, map(str.lower, _WORD.findall(text)))):
        # "Place House" is English.
        return ""
    for pack in _packs():
        found = pack.street.search(text)
        if found is None or any(map(str.isalpha, text.replace(found[0], "", 1))):
            continue
        particle = " ".join(found["kind"].lower().split()[1:])
        pool = pack.streets_after.get(particle) or pack.streets
        new = like_capitals(another(pool, found["name"], rng), found["name"])
        return text[: found.start("name")] + new + text[found.end("name") :]
    return ""


def _street(text: str, rng: random.Random) -> str:
    """Words before "Street" become one or two others."""
    if made := _street_of_others(text, rng):
        return made
    if lead := _LEADS_TO.match(text):
        return lead[0] + _street(text[lead.end() :], rng)
    first, last = True, ends_as_street(text)
    told = _address_words().kept | {last}
    # "Hill Road", "The Avenue" and "9 Broadway" are called by what others are told by.
    beside = told | _BESIDE_STREETS | _PARTICLES
    words = [word for word in _WHOLE_WORD.findall(text) if len(word) > 1]
    unnamed = (len(words) > 1 or _NUMBERED_WORD.fullmatch(text)) and all(
        word.lower().rstrip(".") in beside or _STREET_WORDS.fullmatch(word)
        for word in words
    )

    def replace(match: re.Match[str]) -> str:
        nonlocal first
        word = match.group()
        key = word.lower().rstrip(".")
        if unnamed and first and key[1:] and _WHOLE_WORD.match(text, match.start()):
            first = False
            return match_case(another(_STREETS, text, rng), word)
        if key in told or len(key) == 1:
            return word
        ending = _suffix(word)
        if ending:
            # "Storgatan" has the name and the word for a street in one.
            first = False
            return match_case(another(_STEMS, word, rng) + ending.lower(), word)
        if _STREET_WORDS.fullmatch(word) or _STREET_WORDS.fullmatch(key):
            return word
        if key in _BESIDE_STREETS or (word.islower() and key in _PARTICLES):
            return word
        if not first:
            return ""
        first = False
        if _SAINT_BEFORE.search(text, 0, match.start()):
            base = re.sub(r"['’][sS]?$", "", word)
            new = match_case(another(saints_like(base), base, rng), base)
            return new + possessive(word[len(base) :], new)
        return match_case(another(_STREETS, text, rng), word)

    made = re.sub(r"  +", " ", _WORD.sub(replace, text))
    return made if text[-1:].isspace() else made.rstrip()


def _is_made_of_words(text: str) -> bool:
    """Whether a kind begins a name of nothing but words, of which it is a part: "Mountain
    View", where "Canton Bern" is a canton."""
    words = [word.lower() for word in _WORD.findall(text)]
    return (
        len(words) > 1
        and words[0] in _KIND_WORDS - _address_words().kept
        and not _KIND_WORDS.intersection(words[1:])
        and all(map(is_vocabulary, words))
    )


def _as_a_whole(
    name: str, geography: Geography, main: Country | None, in_address: bool
) -> str:
    """What stands for a name of which no word stays; "" for others."""
    key = fold(name)
    article, bare = _split_article(name)
    if article:
        # "the United Kingdom" becomes "the Netherlands" or "France".
        new = geography.name_for(bare)
        return article + new if new.title() in WITH_ARTICLE else new
    natural = _natural(name, geography)
    if not natural and key[:2] in ("st", "sa") and not is_listed(key):
        natural = _of_saint(name, geography.draws)
    if natural:
        return natural
    if in_address and name in _CODED:
        return _new_state(name, geography)
    words = in_address and _is_made_of_words(name)
    named = is_listed(key) or alike_places(key) or words
    return geography.name_for(name, main) if named else ""


def _named(
    text: str,
    geography: Geography,
    main: Country | None = None,
    in_address: bool = False,
) -> str:
    """A place's name: words of its kind stay, the rest becomes another name."""
    if whole := _as_a_whole(text.strip(), geography, main, in_address):
        return text.replace(text.strip(), whole)
    feature = _FEATURE.fullmatch(text)
    if feature is not None:
        return _feature(feature, geography)
    # Words side by side are one name.
    runs: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        word, (start, end) = match.group(), match.span()
        bare = word.lower().rstrip(".")
        kept = in_address and bare in _address_words().kept
        ordinal = text[start - 1 : start].isdecimal()
        if kept or ordinal or bare in _KIND_WORDS or len(word) < 2:
            continue
        coded = in_address and word in _CODED
        if runs and not coded and text[runs[-1][1] : start].isspace():
            start = runs.pop()[0]
        runs.append((start, end))
    edits = []
    for start, end in runs:
        name = text[start:end]
        if in_address and name in _CODED:
            new = _new_state(name, geography)
        elif 1 < len(name) < 4 and name.isupper():
            rng = geography.draws.random_for("acronym", normalise(name))
            new = acronym_like(name, rng)
        elif demonym(name):
            new = next(geography.nationality(name))
        else:
            new = geography.name_for(name, main)
        edits.append((start, end, new))
    return splice(text, edits)


# A lock, a farm, a beck: the last word says what it is. Numbers have been replaced already.
_FEATURE = re.compile(
    rf"(?P<number>\s*(?:\d+[A-Za-z]?\s+)?(?:[Tt]he\s+)?)"
    rf"(?P<name>(?!(?i:loch|lough|lake|mount|isle|river)\b)[^\W\d_a-z][^\d,;()/]*?)"
    rf"(?P<kind>\s(?i:{'|'.join(_FACTS['features'].split())})\.?\s*)"
)


def _feature(found: re.Match[str], geography: Geography) -> str:
    """Another name for what a landscape has, of the same kind: "Rowan Lock"."""
    draws = geography.draws
    new = draws.places.get(fold(found["name"]))
    if new is None:
        rng = draws.random_for("feature", normalise(found["name"]))
        new = another(_STREETS, found["name"], rng)
    return found["number"] + match_case(new, found["name"]) + found["kind"]


# Those of one row stand for one another. Words of the kind before the name, or after it.
_RIVERS, _MOUNTS, _LAKES = _FACTS["rivers"], _FACTS["mounts"], _FACTS["lakes"]
_HEIGHTS, _LANDSCAPES = _FACTS["heights"], _FACTS["landscapes"]
_BY_KIND = {"river": _RIVERS, "mount": _MOUNTS, "mt": _MOUNTS, "lake": _LAKES}


_NATURAL = re.compile(
    r"(?P<before>(?:[Tt]he\s+)?(?:River|Mount|Mt\.?|Lake)\s+|[Tt]he\s+)"
    r"(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)(?P<after>)"
    r"|(?P<start>(?:[Tt]he\s+)?)(?P<first>[A-Z][\w'’-]+)(?P<kind>\s+River)"
)


def _natural(text: str, geography: Geography, article: bool = False) -> str:
    """A river for a river, heights for heights, another landscape for one that has the
    article of such names; "" for what is none of these.

    text (str): A name, perhaps with its article or kind.
    geography (Geography): The document's places.
    article (bool): Whether the article stands before the text.
    RETURNS (str): With the same article and kind.
    """
    lead, name, tail = "", text, ""
    if not article:
        match = _NATURAL.fullmatch(text)
        if match is None:
            return ""
        lead, tail = match["before"] or match["start"] or "", match["kind"] or ""
        name = match["name"] or match["first"]
    key, known = fold(name), index().by_name
    if key in known or f"the {key}" in known or alike_places(name) or demonym(name):
        return ""
    last = name.rpartition(" ")[2].lower()
    if last in _KIND_WORDS or _STREET_WORDS.fullmatch(last) or _FEATURE.fullmatch(name):
        return ""
    kind = f"{lead} {tail}".lower()
    row = next((row for word, row in _BY_KIND.items() if word in kind), None)
    row = row or NATURE.get(key) or (_HEIGHTS if key.endswith("s") else _LANDSCAPES)
    draws = geography.draws
    owner = f"place {key}"
    if key not in draws.places:
        rng = draws.random_for("natural", key)
        others = (x for x in shuffled(row, rng) if fold(x) != key)
        draws.places[key] = draws.word(others, "place", owner)
    return lead + match_case(draws.places[key], name) + tail
