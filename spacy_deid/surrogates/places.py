"""New places: countries, towns, regions, addresses, post codes, coordinates.

A document's countries move together with their nationalities and towns: if Turkey
becomes Portugal, "Turkish" becomes "Portuguese" and Ankara a Portuguese town.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from ..gazetteers.lexicon import is_vocabulary
from ..lang.inflection import key_of
from ..lang.name_forms import name_forms
from ..text.countries import demonym, index
from ..text.folding import strip_possessive
from ..text.localities import state_of, tables, town_with_post
from ..text.names import fold
from ..text.numbers import WORDS_PATTERN
from .address_words import (
    _FACTS,
    _POSTCODE,
    _STREET_WORDS,
    _split_article,
)
from .addresses import (
    _HOUSE,
    _POSTCODE_LOWER,
    BRITISH_POST,
    _address,
    _named,
    _natural,
    _new_state,
    _numbered,
    _street,
    fitting_postcode,
)
from .addresses_abroad import (
    _SEPARATOR,
    _address_abroad,
    _behind_lead,
    _in_province,
    _is_one_name,
    _pieces,
    _postcode,
    _says_part,
    _street_abroad,
    _street_lead,
    _town_of_code,
)
from .base import (
    Draws,
    Mention,
    fits_article,
    in_place_of,
    is_acronym,
    like,
    match_case,
    normalise,
    shuffled,
)
from .cases import Case, World, acronym, by_lexicon, by_tables, replace_each
from .frame import (
    NAME,
    PLACES,
    Frame,
    compound,
    known,
    like_adjective,
)
from .geography import (
    _DIGIT,
    KIND_OF,
    Geography,
    alike_places,
    british_court,
    is_listed,
    town_and_around,
)
from .numbers import other_said, small_numbers
from .rules import Rule, candidates
from .sweep.spellings import address_pieces

_LONGEST = 400
# "O" is the west, or the east.
_COORDINATES = re.compile(r"(?:deg\b|[\s\d.,;:°º'\"′″NSEWnsew()/-]|(?<!N)O)+")
_ENDS = frozenset(_FACTS["ends"])
# Those that are hardly ever surnames.
_PLAIN_ENDS = frozenset(_FACTS["plain_ends"])
# "Calle Mayor, s/n"
_WITHOUT_NUMBER = re.compile(r"\bs/n\b", re.I)
# "Highway eleven"
_COUNTED = re.compile(rf"(?:{_FACTS['counted']})\s+{WORDS_PATTERN}", re.I)
_NOUN = re.compile(r" ([a-z]{3,})\b")
_PLACED = re.compile(r"\b(?:in|from|to|near|via)\s+$", re.I)
_AFTER_THE = re.compile(r"\b[Tt]he\s+$")
# Words of a place that is told by what is there, at least, those that put things in
# relation, and which part of the words are in the vocabulary.
_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LEAST_TOLD, _PART_TOLD = 3, 0.6
_RELATIONS = frozenset(_FACTS["relations"].split())
# What a spot is told behind: "next to the".
_LEADS = _RELATIONS.union(_FACTS["leads"].split())
_DETERMINER = re.compile(
    r"\b(?:the|an?|this|that|my|your|his|her|its|our|their|other)\s+$", re.I
)
_NATURAL_NAME = re.compile(r"[A-Z][a-zé]+(?: [A-Z][a-z]+)?")


def has_kind(text: str) -> bool:
    """Whether a name of several words ends with what a place is ("Owens Valley")."""
    return text.lower().rpartition(" ")[2] in _ENDS


def is_place_name(text: str) -> bool:
    """Whether a name taken for a person's ends like a place's ("Ridley Falls")."""
    first, _, last = text.lower().rpartition(" ")
    return last in _PLAIN_ENDS and " " not in first


def replace_places(mentions: Sequence[Mention], world: World) -> list[str]:
    """New places for a document.

    mentions (Sequence[Mention]): All mentions of places, in document order.
    world (World): The document's countries; `draws.places` is filled.
    RETURNS (list[str]): One text a mention.
    """
    containers = tables().containers

    def rank(mention: Mention) -> tuple[bool, bool, int]:
        """Countries first, then states and counties: towns follow them, addresses and
        post codes the towns, whole addresses before their parts."""
        text = mention.text
        numbered = mention.subtype in ("ADDRESS", "POSTCODE") or any(
            map(str.isdecimal, text)
        )
        return (
            fold(_split_article(text)[1]) not in index().by_name,
            fold(text) not in containers,
            -len(text) if numbered else -(10**9),
        )

    return replace_each(mentions, world, lambda m: _place(m, world), rank)


class _Case(Case):
    """A place to be replaced, and what its rules look at."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.folded = fold(self.text)
        self.numbered = bool(_DIGIT.search(self.text) or _COUNTED.fullmatch(self.text))
        self.country = index().by_name.get(self.folded)
        self.known_town = self.folded in index().by_city
        self.known = self.known_town or self.country is not None
        if isinstance(self.world, Frame):
            self.known = bool(self.world.find(self.text, PLACES))
            self.numbered |= bool(small_numbers(self.text, self.pack.lang))


def _is_post_code(case: _Case) -> bool:
    if case.mention.subtype or not case.numbered:
        return case.mention.subtype == "POSTCODE"
    form = _POSTCODE_LOWER if case.text.islower() else _POSTCODE
    if isinstance(case.world, Frame):
        form = case.pack.postcode
    town = BRITISH_POST.fullmatch(case.text) and town_with_post(case.text)
    return bool(town) or form.fullmatch(case.text.strip()) is not None


def _post_codes(case: _Case) -> Iterator[str]:
    world = case.world
    for _ in range(40):
        if isinstance(world, Frame):
            town = _town_of_code(case.mention, world)
            yield _postcode(case.text.strip(), town, world, case.rng)
        else:
            town = _town_beside(case.mention, world)
            yield fitting_postcode(case.text, world, case.rng, town)


def _is_coordinates(case: _Case) -> bool:
    figures = sum(map(str.isdecimal, case.text))
    like_them = case.numbered and _COORDINATES.fullmatch(case.text) and figures > 3
    return case.mention.subtype == "COORDINATES" or bool(like_them)


def _addresses(case: _Case) -> Iterator[str]:
    for _ in range(20):
        if isinstance(case.world, Frame):
            # "ulm, am spitzgrund 2": its words tell what they are by their capitals.
            text = _titled(case) if case.text.islower() else case.text
            new = _address_abroad(text, case.before, case.world, case.rng)
            new = _in_province(new, case.pack)
            if not case.numbered:
                new = next(other_said(new, case.pack.lang, case.rng), new)
            yield new.lower() if text != case.text else new
        else:
            yield _address(case.text, case.world, case.rng)


def _titled(case: _Case) -> str:
    """An address in small letters with the capitals of its names."""

    def title(match: re.Match[str]) -> str:
        word, before = match.group(), case.text[: match.start()]
        common = word in case.small_words or is_vocabulary(word, case.pack.lang)
        common = common or case.pack.kept.fullmatch(word) is not None
        # "am" begins a street's name where nouns tell by capitals, and any word may
        # be one: "trinquete 16".
        first = case.pack.joins_nouns and _BEGINS.search(before) is not None
        numbered = not before and _NUMBERED_NAME.match(case.text) is not None
        first = first or (numbered and not _says_part(word, "", case.pack))
        street = case.pack.street.search(before + word.title())
        first = first or (street is not None and street.start("name") == len(before))
        kept = common and not case.frame.find(word, PLACES)
        return word if kept and not first else word[:1].upper() + word[1:]

    return NAME.sub(title, case.text)


_BEGINS = re.compile(r"(?:^|,\s|\d{4}\s)$")
_NUMBERED_NAME = re.compile(r"[^\W\d_]+(?:\s[^\W\d_]+)?,?\s\d")


def _says_more(case: _Case) -> bool:
    """Whether a place says of which kind what follows is: "the Saudi government"."""
    following = _NOUN.match(case.mention.after)
    return following is not None and following[1] not in case.small_words


def _natural_names(case: _Case) -> Iterator[str]:
    # "the Hearst race" is one at a town.
    named = _NATURAL_NAME.fullmatch(case.text) and not _says_more(case)
    if named and _AFTER_THE.search(case.before):
        yield _natural(case.text, case.geography, article=True)


def _people(case: _Case) -> Iterator[str]:
    """Another people, or the country of one that is called like it: "in Saudi"."""
    found = demonym(case.text)
    if found and _PLACED.search(case.before) and not _says_more(case):
        yield match_case(case.geography.new_country(found[0]).name, case.text)
    elif case.country is None:
        yield from case.geography.nationality(case.text)


# Behind a town, or alone in a cell or line: others may be words ("ME") or companies.
_IN_LIST = re.compile(r"(?:, |[,;|\t\n])$|^$")


def _state_codes(case: _Case) -> Iterator[str]:
    code = case.text.replace(".", "")
    if state_of(code) and (code == "DC" or _IN_LIST.search(case.mention.before)):
        yield _new_state(case.text, case.geography)


def _streets(case: _Case) -> Iterator[str]:
    words = case.text.split()
    street = len(words) > 1 and _STREET_WORDS.fullmatch(words[-1].rstrip("."))
    if street and not case.known_town and not re.search(r"[,;()/]", case.text):
        for _ in range(20):
            yield _street(case.text, case.rng)


def _by_pieces(case: _Case) -> Iterator[str]:
    """Each piece of a list of places by itself, words of their kind kept."""
    pieces = [case.text]
    # "Bosnia and Herzegovina", "Tyne and Wear" are one name.
    if not is_listed(case.folded) and not case.text.isalpha():
        pieces = re.split(r"(\s*[,;()/]\s*|\s+(?:and|or|in|near)\s+)", case.text)
    if len(pieces) == 1:
        pieces = list(town_and_around(case.text))
    before = ["", "", *pieces]
    for i in range(0, len(pieces), 2):
        if pieces[i]:
            state = case.geography.state_behind(pieces[i], before[i])
            pieces[i] = state or _piece(pieces[i], i > 0, case)
    named = "".join(pieces)
    if _DIGIT.search(named):
        yield _HOUSE.sub(lambda m: _numbered(m, case.rng), named)
    yield named


def _piece(piece: str, behind: bool, case: _Case) -> str:
    if behind and state_of(piece.replace(".", "")):
        return _new_state(piece, case.geography)
    if alike_places(piece):
        # The Isle of Man is an island as a whole.
        return case.geography.name_for(piece)
    kind = KIND_OF.match(piece)
    head = kind["kind"] if kind else ""
    name, _, last = piece.rpartition(" ")
    if name and _STREET_WORDS.fullmatch(last.rstrip(".")):
        return _street(piece, case.rng)
    return head + _named(piece[kind.end() if kind else 0 :], case.geography)


def _is_told(case: _Case) -> bool:
    """Whether a place is told by what is there: "house with the blue door"."""
    text = case.text.lower() if case.text.isupper() else case.text
    words = _WORDS.findall(text)
    if len(words) < _LEAST_TOLD or _RELATIONS.isdisjoint(words[1:]):
        return False
    common = [w for w in words if w.islower() and is_vocabulary(w, case.pack.lang)]
    return len(common) >= _PART_TOLD * len(words)


def _places_told(case: _Case) -> Iterator[str]:
    article = "" if _DETERMINER.search(case.mention.before) else "the "
    for noun in shuffled(_FACTS["places_told"], case.rng):
        yield in_place_of(article + noun, case.mention)


def _is_spot(case: _Case) -> bool:
    """Whether a place is told in small letters by what is there: "the water tower"."""
    words = _WORDS.findall(case.text)
    bare = map(strip_possessive, words)
    common = all(is_vocabulary(word, case.pack.lang) for word in bare)
    told = not _LEADS.issuperset(words)
    return told and case.text.islower() and common and not case.known_town


def _spots(case: _Case) -> Iterator[str]:
    led = takewhile(_LEADS.__contains__, case.text.split(" "))
    # Nobody lives "where the old mill".
    lead = "".join(f"{word} " for word in led).replace("where ", "by ")
    for spot in shuffled(_FACTS["spots"], case.rng):
        if fits_article(spot, lead or case.before):
            yield lead + spot


def _said_otherwise(case: _Case) -> Iterator[str]:
    """The noun that says what is there, and something else about it."""
    words = case.text.split()
    noun = next((w for w in words if not case.pack.adjectives(w)), words[0])
    for told in shuffled(case.pack.words.get("spots", ()), case.rng):
        yield f"{noun} {told}"


def _lands(case: _Case) -> Iterator[str]:
    forms = name_forms(case.pack.lang)
    for land in shuffled(case.pack.lands, case.rng):
        yield forms.in_same_case(land, case.text, case.before, person=False)


def _any_place(case: _Case) -> Iterator[str]:
    if isinstance(case.world, Frame):
        yield from case.world.unknown(case.text, case.before)
        return
    yield case.geography.name_for(case.text)
    for city in case.geography.cities(case.text):
        yield match_case(city, case.text)


def _features(case: _Case) -> Iterator[str]:
    """Rivers, lakes, mountains; regions for a word, or a country, behind an article."""
    text, before, pack = case.text, case.before, case.pack
    row = pack.feature_of(text, before)
    if not row and (text.isalpha() or key_of(text) in pack.english_names):
        row = pack.behind_article(before)
    return case.frame.feature(text, row, pack.keys(text, before))


def _led(case: _Case) -> Iterator[str]:
    lead = _street_lead(case.text, case.pack)
    if lead is not None and lead.end() == len(case.text):
        for _ in range(20):
            yield _behind_lead(lead, case.pack, case.rng)


def _courts(case: _Case) -> Iterator[str]:
    court = british_court(case.text)
    if court is not None:
        new = case.geography.name_for(court[0])
        yield case.text.replace(court[0], new, 1)


_RULES: tuple[Rule[_Case], ...] = (
    Rule(
        "what the part of an address became",
        lambda c: [match_case(c.draws.places[f"part {c.key}"], c.text)],
        lambda c: bool(c.draws.places.get(f"part {c.key}")),
    ),
    Rule("post code, of the town beside it", _post_codes, _is_post_code),
    Rule(
        "coordinates",
        lambda c: (_coordinates(c.text, c.rng) for _ in range(40)),
        _is_coordinates,
    ),
    by_tables("told by what is there", _places_told, _is_told),
    by_tables("another spot", _spots, lambda c: not c.numbered and _is_spot(c)),
    Rule(
        # Only a street's word beside a number makes an address ("Downing Street").
        "address",
        _addresses,
        lambda c: (
            c.mention.subtype == "ADDRESS"
            or c.numbered
            or _WITHOUT_NUMBER.search(c.text) is not None
        ),
    ),
    Rule(
        "longer number, where all short ones are taken: a town would tell nothing else",
        lambda c: (
            re.sub(r"\d+", lambda m: like(f"{m[0]}0", c.rng), c.text) for _ in range(40)
        ),
        lambda c: c.numbered and not any(map(str.isalpha, c.text)),
    ),
    by_tables("people, or their country", _people),
    by_tables("what nature has", _natural_names),
    by_tables("code of a state", _state_codes),
    by_lexicon("what the lexicon knows", lambda c: known(c.mention, c.text, c.frame)),
    by_lexicon(
        "country that the lexicon lacks",
        lambda c: c.frame.abroad(c.text, c.before),
        lambda c: not c.pack.behind_article(c.before),
    ),
    Rule("letter of a stair or a door", acronym, lambda c: len(c.text) == 1),
    Rule(
        "acronym",
        acronym,
        lambda c: is_acronym(c.mention) and not c.known and len(c.text) < 5,
    ),
    by_tables("court", _courts),
    by_tables("street", _streets),
    by_lexicon(
        "street",
        lambda c: (_street_abroad(c.text, c.pack, c.rng, c.frame) for _ in range(20)),
        lambda c: c.pack.street.search(c.text) is not None,
    ),
    by_lexicon("street called after where it is: 'Am Anger'", _led),
    by_lexicon("river or mountain in no list, region behind an article", _features),
    by_lexicon("compound", lambda c: compound(c.mention, c.frame, c.rng)),
    by_lexicon(
        "adjective", lambda c: like_adjective(c.text, c.mention, c.frame, c.rng)
    ),
    by_lexicon(
        "one name of several words",
        lambda c: c.frame.unknown(c.text, c.before),
        lambda c: _is_one_name(c.text, c.pack),
    ),
    by_lexicon(
        "name, or several",
        lambda c: [_in_province(_pieces(c.text, c.before, c.frame), c.pack)],
        lambda c: len(NAME.findall(c.text)) > 1 or bool(_SEPARATOR.search(c.text)),
    ),
    by_lexicon(
        "told by what stands there: 'casa amarilla'",
        _said_otherwise,
        lambda c: " " in c.text and _is_spot(c) and c.lowered,
    ),
    by_lexicon(
        "another spot",
        _lands,
        lambda c: _is_spot(c) or (len(c.text.split()) > 1 and c.lowered),
    ),
    by_tables("name, or several", _by_pieces),
    by_lexicon(
        "told by what is there",
        lambda c: shuffled(c.pack.lands, c.rng),
        lambda c: c.text[:1].islower() and " " in c.text and not c.text.islower(),
    ),
    Rule("any place", _any_place),
)


def _place(mention: Mention, world: World) -> str:
    case = _Case(mention, world, "place")
    text = case.text
    rules = _RULES if len(text) <= _LONGEST else ()
    found = case.pick(candidates(rules, case), 80)
    if found is None:
        return case.last_resort("place")
    if isinstance(world, Geography) and any(map(str.isdecimal, text)):
        _note_parts(text, found, case.draws)
    return found


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
            return like(match.group(), rng)
        number = str(rng.randint(1, 59) if len(whole) < 3 else rng.randint(100, 179))
        number = number.zfill(len(whole)) if whole.startswith("0") else number
        return number + dot + "".join(rng.choice("0123456789") for _ in rest)

    return re.sub(r"\d+(?:\.\d+)?", degrees, text)
