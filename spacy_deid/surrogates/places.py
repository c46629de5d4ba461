"""New places: countries, towns, regions, addresses, post codes, coordinates.

A document's countries move together with their nationalities and towns: if Turkey
becomes Portugal, "Turkish" becomes "Portuguese" and Ankara a Portuguese town.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..text.countries import Country, index
from ..text.localities import state_of, tables
from ..text.names import fold
from .address_words import (
    _FACTS,
    _POSTCODE,
    _STREET_WORDS,
    _split_article,
)
from .addresses import (
    _POSTCODE_LOWER,
    _address,
    _house,
    _named,
    _natural,
    _new_state,
    _street,
    _with_article,
    fitting_postcode,
)
from .base import (
    Draws,
    Mention,
    in_place_of,
    is_acronym,
    listed,
    match_case,
    normalise,
    shuffled,
)
from .geography import _DIGIT, Geography, british_court
from .rules import Rule, candidates
from .sweep.spellings import address_pieces

_LONGEST = 400
# Words of a place's kind: they stay, what they name changes.
_KIND_OF = re.compile(
    r"(?P<kind>\b(?:the\s+)?(?:district|municipality|province|borough|county|city|town|village"
    r"|region|state|department|republic|kingdom|principality|island|isle|canton|diocese|parish"
    r"|quarter|suburb|community|governorate|prefecture|port|bay|gulf|mount|lake|river|airport"
    r"|commune|area|centre|center|outskirts|north|south|east|west|london\s+borough)"
    r"\s+of\s+(?:the\s+)?)",
    re.I,
)
_COORDINATES = re.compile(r"^[\s\d.,;:°º'\"′″NSEWnsew()/-]+$")
_ENDS = frozenset(_FACTS["ends"])
# Those that are hardly ever surnames.
_PLAIN_ENDS = frozenset(_FACTS["plain_ends"])
_LANDS = listed("the region,the area,the province,the district")
_ATTRIBUTE = re.compile(
    r"\s(?!(?:and|or|in|of|on|at|to|for|from|by|with|as|is|was|are|were|has|had|have|did|does"
    r"|that|which|who|when|where|while|but|before|after|during|since|until|under|would"
    r"|could|should|will|may|can|later|then)\b)[a-z]{3,}"
)
_AFTER_THE = re.compile(r"\b[Tt]he\s+$")
_NATURAL_NAME = re.compile(r"[A-Z][a-zé]+(?: [A-Z][a-z]+)?")


def has_kind(text: str) -> bool:
    """Whether a name of several words ends with what a place is ("Owens Valley")."""
    return text.lower().rpartition(" ")[2] in _ENDS


def is_place_name(text: str) -> bool:
    """Whether a name taken for a person's ends like a place's ("Ridley Falls")."""
    first, _, last = text.lower().rpartition(" ")
    return last in _PLAIN_ENDS and " " not in first


def replace_places(
    mentions: Sequence[Mention],
    draws: Draws,
    geography: Geography,
    main: Country | None,
) -> list[str]:
    """New places for a document.

    mentions (Sequence[Mention]): All mentions of places, in document order.
    draws (Draws): The document's draws; `places` is filled.
    geography (Geography): The document's countries.
    main (Optional[Country]): The country the document is about.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[str, str] = {}
    known = tables().containers
    # Countries first, then states and counties: towns follow them, post codes the towns.
    order = sorted(
        {m.text: m for m in mentions}.values(),
        key=lambda m: (
            fold(_split_article(m.text)[1]) not in index().by_name,
            fold(m.text) not in known,
            # Whole addresses before their parts.
            1000 - len(m.text)
            if m.text[:1].isdecimal()
            or m.text[-1:].isdecimal()
            or m.subtype in ("ADDRESS", "POSTCODE")
            else -(10**9),
        ),
    )
    for mention in order:
        new[mention.text] = _place(mention, draws, geography, main)
    return [new[m.text] for m in mentions]


@dataclass
class _Case:
    """A place to be replaced, and what its rules look at."""

    mention: Mention
    draws: Draws
    geography: Geography
    main: Country | None
    key: str

    def __post_init__(self) -> None:
        self.text = self.mention.text
        self.folded = fold(self.text)
        self.numbered = _DIGIT.search(self.text) is not None
        self.country = index().by_name.get(self.folded)
        self.known_town = self.folded in index().by_city

    @cached_property
    def rng(self) -> random.Random:
        """Drawn only if a rule asks: most names are known."""
        return self.draws.random_for("place", self.key)


def _is_post_code(case: _Case) -> bool:
    if case.mention.subtype or not case.numbered:
        return case.mention.subtype == "POSTCODE"
    form = _POSTCODE_LOWER if case.text.islower() else _POSTCODE
    return form.fullmatch(case.text.strip()) is not None


def _post_codes(case: _Case) -> Iterator[str]:
    town = _town_beside(case.mention, case.geography)
    for _ in range(40):
        yield fitting_postcode(case.text, case.geography, case.rng, town)


def _is_coordinates(case: _Case) -> bool:
    figures = sum(map(str.isdecimal, case.text))
    like_them = case.numbered and _COORDINATES.match(case.text) and figures > 3
    return case.mention.subtype == "COORDINATES" or bool(like_them)


def _for_attribute(case: _Case) -> Iterator[str]:
    """ "U.S. involvement" becomes "Danish involvement"."""
    short = len(case.text.replace(".", "")) <= 3
    if case.country is not None and short and _ATTRIBUTE.match(case.mention.after):
        yield case.geography.adjective_for(case.text)


def _natural_names(case: _Case) -> Iterator[str]:
    if _AFTER_THE.search(case.mention.before) and _NATURAL_NAME.fullmatch(case.text):
        yield _natural(case.text, case.geography, article=True)


def _state_codes(case: _Case) -> Iterator[str]:
    code = case.text.replace(".", "")
    if state_of(code) and (code == "DC" or case.mention.before.endswith(", ")):
        state = _new_state(code, case.geography)
        yield ".".join(state) + "." if code != case.text else state


def _acronyms(case: _Case) -> Iterator[str]:
    if case.country is None and is_acronym(case.mention) and not case.known_town:
        yield case.draws.acronym(case.mention) or ""


def _courts(case: _Case) -> Iterator[str]:
    court = british_court(case.text)
    if court is not None:
        new = case.geography.name_for(court[0], case.main)
        yield case.text.replace(court[0], new, 1)


def _streets(case: _Case) -> Iterator[str]:
    words = case.text.split()
    street = len(words) > 1 and _STREET_WORDS.fullmatch(words[-1])
    if street and not case.known_town and not re.search(r"[,;()/]", case.text):
        for _ in range(20):
            yield _street(case.text, case.rng)


def _by_pieces(case: _Case) -> Iterator[str]:
    """Each piece of a list of places by itself, words of their kind kept."""
    pieces = [case.text]
    # "Bosnia and Herzegovina" is one name.
    if case.country is None and not case.text.isalpha():
        pieces = re.split(r"(\s*[,;()/]\s*|\s+(?:and|or|in|near)\s+)", case.text)
    for i in range(0, len(pieces), 2):
        if pieces[i]:
            pieces[i] = _piece(pieces[i], i > 0, case)
    named = "".join(pieces)
    if _DIGIT.search(named):
        yield re.sub(r"\d+", lambda m: _house(m.group(), case.rng), named)
    yield named


def _piece(piece: str, behind: bool, case: _Case) -> str:
    if behind and state_of(piece):
        return _new_state(piece, case.geography)
    kind = _KIND_OF.match(piece)
    head = kind.group() if kind else ""
    name, _, last = piece.rpartition(" ")
    if name and _STREET_WORDS.fullmatch(last):
        return _street(piece, case.rng)
    return head + _named(piece[len(head) :], case.geography, case.main)


def _any_place(case: _Case) -> Iterator[str]:
    yield case.geography.name_for(case.text, case.main)
    for city in case.geography.cities(case.text, case.main):
        yield match_case(city, case.text)


_RULES: tuple[Rule[_Case], ...] = (
    Rule(
        "what the part of an address became",
        lambda c: [match_case(c.draws.places[f"part {c.key}"], c.text)],
        lambda c: bool(c.draws.places.get(f"part {c.key}")),
    ),
    Rule("post code", _post_codes, _is_post_code),
    Rule(
        "coordinates",
        lambda c: (_coordinates(c.text, c.rng) for _ in range(40)),
        _is_coordinates,
    ),
    Rule(
        # Only a street's word beside a number makes an address ("Downing Street").
        "address",
        lambda c: (_address(c.text, c.geography, c.main, c.rng) for _ in range(20)),
        lambda c: c.mention.subtype == "ADDRESS" or c.numbered,
    ),
    Rule(
        "country with its article",
        lambda c: filter(None, [_with_article(c.text, c.geography, c.main)]),
    ),
    Rule("country before a noun", _for_attribute),
    Rule("what nature has", _natural_names),
    Rule("code of a state", _state_codes),
    Rule("acronym", _acronyms),
    Rule("court", _courts),
    Rule("street", _streets),
    Rule("name, or several", _by_pieces),
    Rule("any place", _any_place),
)


def _place(
    mention: Mention, draws: Draws, geography: Geography, main: Country | None
) -> str:
    text, key = mention.text, geography.key(mention.text)
    case = _Case(mention, draws, geography, main, key)
    rules = _RULES if len(text) <= _LONGEST else ()
    found = draws.pick(candidates(rules, case), key, mention.before, 60)
    if found is not None:
        if any(map(str.isdecimal, text)):
            _note_parts(text, found, draws)
        return found
    if not any(ch.isupper() for ch in text):
        vague = (in_place_of(item, mention) for item in shuffled(_LANDS, case.rng))
        found = draws.pick(vague, key, mention.before)
        if found is not None:
            return found
    return draws.invent("place", key, mention.before, text)


def _note_parts(old: str, new: str, draws: Draws) -> None:
    """Note what the street and the post code of an address have become."""
    before, after = address_pieces(old), address_pieces(new)
    if [part[1] for part in before] == [part[1] for part in after]:
        for (text, subtype, _), (made, _, _) in zip(before, after):
            if subtype != "CITY":
                draws.places.setdefault(f"part {normalise(text)}", made)


def _town_beside(mention: Mention, geography: Geography) -> str:
    """New name of the town that a post code stands beside, "" if there is none."""
    around = mention.before[-25:] + " , " + mention.after[:25]
    for word in _NAMES_BESIDE.findall(around):
        if fold(word) in geography.draws.towns:
            return geography.draws.towns[fold(word)]
    return ""


_NAMES_BESIDE = re.compile(r"[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*")
# Letters and digits of plus codes.
_PLUS_CODE = "23456789CFGHJMPQRVWX"


def _coordinates(text: str, rng: random.Random) -> str:
    """Coordinates elsewhere; degrees stay below 90, grids keep their form."""
    if re.fullmatch(r"[2-9A-Z]{4,8}\+[2-9A-Z]{2,3}", text):
        return "".join(c if c == "+" else rng.choice(_PLUS_CODE) for c in text)

    def degrees(match: re.Match[str]) -> str:
        whole, dot, rest = match.group().partition(".")
        if len(whole) > 3:
            digits = "".join(rng.choice("0123456789") for _ in whole[1:])
            whole = rng.choice("123456789") + digits
            return whole + dot + "".join(rng.choice("0123456789") for _ in rest)
        number = (
            str(rng.randint(1, 59)) if len(whole) < 3 else f"1{rng.randint(0, 79):02d}"
        )
        number = number.zfill(len(whole)) if whole.startswith("0") else number
        return number + dot + "".join(rng.choice("0123456789") for _ in rest)

    return re.sub(r"\d+(?:\.\d+)?", degrees, text)
