"""New places: countries, towns, regions, addresses, post codes, coordinates.

A document's countries move together with their nationalities and towns: if Turkey
becomes Portugal, "Turkish" becomes "Portuguese" and Ankara a Portuguese town.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from ..data import facts
from ..text.countries import WITH_ARTICLE, Country, countries, demonym, index
from ..text.localities import PARTS, UK, US, Locality, state_of, tables, town_with_post
from ..text.names import fold
from ..text.numbers import ordinal_suffix
from .base import (
    Draws,
    Mention,
    acronym_like,
    in_order,
    in_place_of,
    invent_word,
    is_acronym,
    listed,
    match_case,
    normalise,
    possessive,
    preferred_first,
    shuffled,
)

# Words of a place's kind: they stay, what they name changes.
_KIND_OF = re.compile(
    r"(?P<kind>\b(?:the\s+)?(?:district|municipality|province|borough|county|city|town|village"
    r"|region|state|department|republic|kingdom|principality|island|isle|canton|diocese|parish"
    r"|quarter|suburb|community|governorate|prefecture|port|bay|gulf|mount|lake|river|airport"
    r"|commune|area|centre|center|outskirts|north|south|east|west|london\s+borough)"
    r"\s+of\s+(?:the\s+)?)",
    re.I,
)
_FACTS = facts("lang/en/places")
_KIND_WORDS = frozenset(_FACTS["kind_words"])
_STREET_WORDS = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|close|court|ct|place|pl|square|sq"
    r"|terrace|way|boulevard|blvd|crescent|gardens|grove|hill|mews|row|walk|parade|highway|hwy"
    r"|parkway|pkwy|circle|alley|quay|rue|calle|via|plaza|avenida|[a-zäöüß]+(?:stra(?:ß|ss)e|weg|allee|platz"
    r"|gasse|straat|laan|gade|gatan|vägen)"
    r"|[a-zäöüß]+str\.|sokak|caddesi|ulica|ul\.|p\.?\s?o\.?\s?box)(?![^\W_])",
    re.I,
)
_STREETS = tuple(_FACTS["streets"])
_POSTCODE = re.compile(
    r"\b\d{4}\s[A-Z]{2}(?=\s|$)|\b\d{3}-\d{4}\b|\b\d{2}-\d{3}\b|\b\d{4,5}-\d{3}\b|\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b|\b[A-Z]{2}\s\d{5}(?:-\d{4})?\b"
    r"|\b(?:[A-Z]{1,3}-)?\d{4,6}(?:-\d{3,4})?\b|\b\d{3}\s\d{2}\b|\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b"
)
_STATE_ZIP = re.compile(r"\b([A-Z]{2})(\s)(\d{5}(?:-\d{4})?)\b")
# Those before a zip code, with the areas of military post.
_CODED = frozenset((*tables().codes.values(), "DC", "AA", "AE", "AP"))
_STATE_CODE = re.compile(r"([A-Z]{2})(?:\s+\d{5}(?:-\d{4})?)?$")
_BRITISH_POST = re.compile(
    r"(?P<area>[A-Z]{1,2})(?P<district>\d\d?)(?P<letter>[A-Z]?)(?P<rest>\s?\d[A-Z]{2})",
    re.I,
)
_POST = re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b")
# "B12 5th Ave" is no post code.
_NUMBERED = re.compile(rf"(?:1st|2nd|3rd|[04-9]th)\s+(?:{_STREET_WORDS.pattern})", re.I)
_HOUSE = re.compile(r"(\d+)((?:st|nd|rd|th)\b)?", re.I)
_ZIP = re.compile(r"\d{5}(?:-\d{4})?")
_DIGIT = re.compile(r"\d")
_PIECES_END = re.compile(r"[,;()\n]")
_PLACED = frozenset(("LOC", "ORG", "DEM", "MISC", "GPE", "LOCATION"))
# Names of towns that mean the state or county unless a document says otherwise: none of
# those with the name of their county.
_PARTS_AS_TOWNS = frozenset(("washington", "georgia", "jersey"))
_PARTICLES = frozenset(
    "de la le les des du d del della di da do dos van der den am an".split()
)
_BOX = re.compile(r"p\.?\s?o\.?\s?box", re.I)
_POSTCODE_LOWER = re.compile(_POSTCODE.pattern, re.I)
_LETTERED = re.compile(
    r"\b(?!\d+(?i:st|nd|rd|th)\b)(?:\d{1,3}[A-Za-z]{1,2}|[A-Za-z]{1,2}\d{1,3})\b"
)
_COORDINATES = re.compile(r"^[\s\d.,;:°º'\"′″NSEWnsew()/-]+$")
# Letters that a generated British post code may end with.
_POST_LETTERS = "ABDEFGHJLNPQRSTUWXYZ"
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")
_ENDS = frozenset(_FACTS["ends"])
# Those that are hardly ever surnames.
_PLAIN_ENDS = frozenset(_FACTS["plain_ends"])
_LANDS = listed("the region,the area,the province,the district")


_ATTRIBUTE = re.compile(
    r"\s(?!(?:and|or|in|of|on|at|to|for|from|by|with|as|is|was|are|were|has|had|have|did|does"
    r"|that|which|who|when|where|while|but|before|after|during|since|until|under|would"
    r"|could|should|will|may|can|later|then)\b)[a-z]{3,}"
)


# Words of addresses that say nothing about where: post boxes, military post, marks.
_ADDRESS_WORDS = _FACTS["address_words"]
_STEMS = ("Linden", "Garten", "Berg", "Wald", "Mühlen", "Rosen")
_OTHER_STEMS = ("Lind", "Ros", "Sol", "Nor", "Lund", "Birk", "Elm", "Strand")


class _AddressWords(NamedTuple):
    kept: frozenset[str]
    streets: frozenset[str]
    suffixes: tuple[str, ...]


@lru_cache(maxsize=1)
def _address_words() -> _AddressWords:
    """Words for streets and for parts of buildings, which stay as they are."""
    from ..patterns.places.address_tables import STREETS, UNITS

    def keys(blocks: Iterator[str] | Sequence[str]) -> set[str]:
        return {w.strip(".,") for block in blocks for w in block.split()}

    streets = keys([f"{p.first} {p.last}" for p in STREETS])
    streets -= {"of", "no", "al", "park"}
    endings = {w for p in STREETS for w in p.suffix.split() if len(w) > 3}
    return _AddressWords(
        frozenset(streets | keys(UNITS) | keys([_ADDRESS_WORDS])),
        frozenset(streets),
        tuple(sorted(endings, key=len, reverse=True)),
    )


def _suffix(word: str) -> str:
    """The ending of a word that names a street, empty if it does not."""
    low = word.lower()
    for ending in _address_words().suffixes:
        if low.endswith(ending) and len(low) > len(ending) + 1:
            return word[len(word) - len(ending) :]
    return ""


def _has_street(text: str) -> bool:
    """Whether a piece of an address names a street."""
    known = _address_words()
    return any(
        m.group().lower().rstrip(".") in known.streets or _suffix(m.group())
        for m in _WORD.finditer(text)
    )


def has_street(text: str) -> bool:
    """Whether a piece of an address names a street, and is no town ("St Albans").

    text (str): "Park Row", "Lindenstraße".
    RETURNS (bool): False for empty texts.
    """
    if fold(text) in tables().by_town:
        return False
    return _STREET_WORDS.search(text) is not None or _has_street(text)


def is_region(text: str) -> bool:
    """Whether a piece of an address is a state, a county or a code of one, and no town.

    text (str): "West Yorkshire", "TX".
    RETURNS (bool): True also for regions of other countries.
    """
    key = fold(text)
    known = key in tables().containers or key in index().by_region
    return text in _CODED or (known and key not in tables().by_town)


def post_codes(text: str) -> list[str]:
    """Post codes of an address, without the code of a state.

    text (str): "Austin, TX 78701".
    RETURNS (list[str]): "78701".
    """
    found = [
        m for m in _POSTCODE.finditer(text) if not _NUMBERED.match(text, m.end() - 3)
    ]
    # A house number may look like one.
    codes = [_STATE_ZIP.sub(r"\3", m.group()) for m in found if m.start()]
    return [code for code in codes if len(code) > 4]


_BRITISH_COURT = re.compile(
    r"(?:[Tt]he )?(?P<town>[A-Z][^\W\d_]+(?:[ -](?:upon|on|under|[A-Z][^\W\d_]+)){0,3}?)"
    r"(?P<court> (?:Crown|County|Magistrates['’]?|Sheriff|Combined) Court)"
)
_KINDS_OF_COURTS = frozenset("the central old royal district high supreme".split())


def british_court(text: str) -> tuple[str, str] | None:
    """The town of a court of a kind that only the United Kingdom has, and the court.

    text (str): "Winchester Crown Court".
    RETURNS (Optional[tuple[str, str]]): "Winchester" and " Crown Court"; None for others.
    """
    if "Court" not in text or len(text) > 80:
        return None
    match = _BRITISH_COURT.fullmatch(text)
    if match is None or fold(match["town"]).split()[0] in _KINDS_OF_COURTS:
        return None
    # American counties have courts, too.
    country = index().by_city.get(fold(match["town"]))
    if " County" in match["court"] and (country is None or country.name != UK):
        return None
    return match["town"], match["court"]


_CAPITAL = re.compile(r"Washington,? D\.?C\.?")


def names_state(mention: Mention, town: Mention) -> bool:
    """Whether a mention is the code of the state of the town before it: "Boston, MA".

    mention (Mention): A mention.
    town (Mention): The one before it.
    RETURNS (bool): True whatever the mention has been taken for.
    """
    text = mention.text
    return (
        len(text) < 5
        and town.label == "LOC"
        and text.isupper()
        and state_of(text.replace(".", "")) != ""
        and mention.before.endswith(", ")
        and mention.before[:-2].endswith(town.text[-20:])
    )


class Geography:
    """The countries of one document and what becomes of them."""

    def __init__(
        self,
        draws: Draws,
        mentions: Sequence[Mention] = (),
        same_country: bool = False,
    ):
        self.draws = draws
        self.map: dict[str, Country] = {}
        self.used: set[str] = set()
        self.same_country = same_country
        # Countries named by themselves, parts and states named, and which of them towns
        # stand beside.
        self.named: set[str] = set()
        self.containers: set[str] = set()
        self.inside: dict[str, str] = {}
        # Towns of which only their court or council is named, and those with a British
        # post code.
        self.british: set[str] = set()
        # In their order: which town a state is noted for must not differ between runs.
        placed = [m for m in mentions if m.label in _PLACED and len(m.text) < 400]
        texts = dict.fromkeys(m.text for m in placed)
        for town, state in pairwise(placed):
            if names_state(state, town):
                texts.pop(town.text, None)
                texts[f"{town.text}, {state.text}"] = None
        for text in texts:
            self._survey(text)

    def _survey(self, text: str) -> None:
        """Note what a mention says of where towns lie."""
        ix, known = index(), tables()
        pieces = [text] if text.isalpha() else self._pieces(text)
        town = ""
        for piece in pieces:
            key = fold(piece)
            # "Atlanta, Georgia" is in no country of that name.
            american = (US, town) in known.town_in and key in known.containers
            bare = fold(_split_article(piece)[1])
            if bare in ix.by_name and not american:
                self.named.add(ix.by_name[bare].name)
                continue
            code = _STATE_CODE.match(piece) if len(pieces) > 1 else None
            state = state_of(code.group(1)) if code else ""
            container = known.containers.get(key) or state
            if not container:
                town = key
                continue
            # "New York", "Bristol": a town where nothing says otherwise.
            either = key in known.by_town or key in ix.by_city
            if not state and not town and either and key not in _PARTS_AS_TOWNS:
                town = key
                continue
            self.containers.add(container)
            if town:
                self.inside[town] = container

    def _pieces(self, text: str) -> list[str]:
        """The parts of a mention that name places; what its form says of them is
        noted."""
        if "Washington" in text and _CAPITAL.search(text):
            # No state, though one is called so.
            self.inside["washington"] = state_of("DC")
            self.containers.add(state_of("DC"))
            text = _CAPITAL.sub("", text)
        british = british_court(text)
        if british:
            self.british.add(fold(british[0]))
        if _DIGIT.search(text) and _has_british_post(text):
            # They may stand elsewhere by themselves.
            for piece in re.split(r"[,;\n]", _POST.sub("", text)):
                if not _DIGIT.search(piece) and not _has_street(piece):
                    self.british.add(fold(piece))
        if _PIECES_END.search(text) is None:
            return [text.strip()]
        return re.split(r"\s*[,;()\n]\s*", text)

    def home_of(self, country: Country) -> Country:
        """The country that towns of a country move to: its own where English texts are
        at home or if that is asked for, unless it is masked itself."""
        stays = self.same_country or country.name in (UK, US)
        return (
            country
            if stays and country.name not in self.named
            else self.new_country(country)
        )

    def container_for(self, name: str) -> str:
        """The state, county or part of a country that stands for another one.

        name (str): Its name as in the table.
        RETURNS (str): The same one for every mention.
        """
        draws, known = self.draws, tables()
        key = fold(name)
        # "New York" is a town, too.
        if f"region {key}" in draws.places:
            return draws.places[f"region {key}"]
        country = index().by_name[fold(known.country_of[name])]
        home = self.home_of(country)
        rng = draws.random_for("region", key)
        others: Iterable[str]
        if home.name != country.name:
            others = chain(shuffled(home.regions, rng), shuffled(home.cities, rng))
        elif name in PARTS:
            others = shuffled(PARTS, rng)
        else:
            rows = known.by_country[home.name]
            parts = {part for part in self.containers if part in PARTS}
            if home.name == UK and parts:
                # The county lies in the part that stands for its own.
                own = known.by_region[name][0].part
                part = self.container_for(own) if own in parts else own
                rows = known.by_part.get(part, rows)
            others = shuffled(sorted({row.region for row in rows}), rng)
        owner = f"region {name}"
        fits = (x for x in others if x != name and not _shares_word(x, name))
        found = draws.pick(fits, owner, tries=60, word=True)
        if found is None:
            found = draws.invent("place", owner)
        draws.places[f"region {key}"] = found
        return found

    def localities(self, key: str, home: Country) -> Sequence[Locality]:
        """Towns of a table that may stand for another one, in the state, county or part
        that stands for its own where the document names that.

        key (str): Folded name of the original.
        home (Country): The country they lie in.
        RETURNS (Sequence): Empty for countries without a table.
        """
        known = tables()
        rows = known.by_country.get(home.name, ())
        if not rows:
            return ()
        old = known.town_in.get((home.name, key))
        around = [self.inside[key]] if key in self.inside else []
        if old is not None:
            around += [old.region, old.part]
        for name in around:
            if name in self.containers or known.country_of.get(name) == US:
                new = self.container_for(name)
                rows = known.by_region.get(new) or known.by_part.get(new) or rows
                break
        return rows

    def key(self, text: str) -> str:
        """Key of a place: all names of one country have the same."""
        country = index().by_name.get(fold(_split_article(text)[1]))
        if country is not None:
            return f"country {country.name}"
        found = demonym(text) if len(text) < 20 else None
        if found is not None:
            # "Turk" and "Turks" may both become "French".
            stem = fold(text)
            for word in (found[0].adjective, found[0].noun):
                if word and stem in (fold(word), fold(word) + "s"):
                    return f"people {found[0].name}"
        return normalise(text)

    def new_country(self, old: Country, attempt: int = 0) -> Country:
        """The country that stands for another one.

        old (Country): The original.
        attempt (int): How often the answer has been refused.
        RETURNS (Country): The same one for every mention.
        """
        if old.name not in self.map:
            rng = self.draws.random_for("country", fold(old.name))
            self.map[old.name] = self._choose(old, rng)
        if attempt:
            rng = self.draws.random_for(f"country/{attempt}", fold(old.name))
            return self._choose(old, rng)
        return self.map[old.name]

    def _choose(self, old: Country, rng: random.Random) -> Country:
        forbidden = self.draws.forbidden
        spare = None
        # "in the United Kingdom" becomes "in the Netherlands", not "in the Spain".
        article = old.name in WITH_ARTICLE
        order = preferred_first(
            shuffled(countries(), rng),
            (lambda c: c.name in WITH_ARTICLE)
            if article
            else (lambda c: c.name not in WITH_ARTICLE),
        )
        reserve = None
        vowel = old.adjective[0] in "AEIOU"
        for new in order:
            fits = (new.name in WITH_ARTICLE) == article
            # Nationalities begin alike: "an Austrian" becomes "an Estonian".
            alike = (new.adjective[0] in "AEIOU") == vowel and len(new.cities) > 4
            if reserve is not None:
                if not fits:
                    break
                if not alike:
                    continue
            if (
                new.name == old.name
                or new.name in self.used
                or new.adjective == old.adjective
            ):
                continue
            spare = spare or new
            if forbidden(new.name) or forbidden(new.adjective):
                continue
            if new.noun and forbidden(new.noun):
                continue
            reserve = new
            if alike:
                break
        chosen = reserve or spare or old
        self.used.add(chosen.name)
        return chosen

    def adjective_for(self, name: str) -> str:
        """Adjective of the country that stands for another: "German" for "Germany"."""
        self.name_for(name)
        new = index().by_name.get(fold(self.draws.places[fold(name)]))
        return new.adjective if new is not None else self.draws.places[fold(name)]

    def nationality(self, word: str) -> Iterator[str]:
        """Nationalities that may stand for one, in its part of speech and number."""
        found = demonym(word)
        if found is None:
            return
        country, part, plural = found
        for attempt in range(14):
            new = self.new_country(country, attempt)
            text = new.adjective
            if part == "noun" and new.noun:
                text = new.noun
            if plural:
                text = new.noun or new.adjective
                text += "" if text.endswith(("s", "ese", "sh", "ch")) else "s"
            yield match_case(text, word)

    def cities(self, old: str, main: Country | None) -> Iterator[str]:
        """Towns for a town: of the country that stands for its own."""
        key = fold(old)
        ix = index()
        known = tables()
        home = ix.by_city.get(key) or ix.by_region.get(key) or main
        if key in self.british:
            home = ix.by_name[fold(UK)]
        elif key in self.inside:
            home = ix.by_name[fold(known.country_of[self.inside[key]])]
        elif main is not None and (main.name, key) in known.town_in:
            # "Perth" in a British address.
            home = main
        elif home is None and key in known.by_town:
            home = ix.by_name[fold(known.by_town[key].country)]
        rng = self.draws.random_for("city", key)
        if home is not None:
            new = self.home_of(home)
            region = key in ix.by_region and key not in ix.by_city
            if region and key not in self.inside:
                yield from shuffled(new.regions, rng)
            rows = self.localities(key, new)
            old_town = known.by_town.get(key)
            width = len(old_town.post) if old_town is not None else 2
            # Post codes of one length, so that an address keeps its layout.
            yield from (
                row.town
                for row in preferred_first(
                    shuffled(rows, rng),
                    lambda row: new.name != UK or len(row.post) == width,
                )
            )
            yield from shuffled(new.cities, rng)
        if home is None:
            # Towns of one document lie in one country.
            order = self.draws.random_for("city-home", "")
            for country in shuffled(countries(), order):
                if len(country.cities) > 5:
                    yield from shuffled(country.cities, rng)
        for country in shuffled(countries(), rng):
            if len(country.cities) > 4:
                yield from shuffled(country.cities, rng)

    def _is_container(self, key: str) -> bool:
        """Whether a name of a state or county means that and no town."""
        known = tables()
        both = key in known.by_town and key not in _PARTS_AS_TOWNS
        said = known.containers[key] in self.containers
        return key not in self.inside and (not both or said)

    def name_for(self, old: str, main: Country | None = None) -> str:
        """The new name of a place, the same wherever the place is named.

        old (str): Name of a country, town or region, without words of its kind.
        main (Optional[Country]): Country of towns that are in no list.
        RETURNS (str): The new name in the case of the old one.
        """
        draws = self.draws
        key = fold(old)
        known = draws.places.get(key)
        if known is None:
            country = index().by_name.get(key)
            owner = "place " + self.key(old)
            container = tables().containers.get(key, "")
            if container and container in self.containers:
                country = None
            if country is None and container and self._is_container(key):
                draws.places[key] = self.container_for(container)
                return match_case(draws.places[key], old)
            if country is not None:
                candidates: Iterator[str] = (
                    self.new_country(country, i).name for i in range(12)
                )
            else:
                candidates = self.cities(old, main)
            found = draws.pick(
                (c for c in candidates if fold(c) != key and not _shares_word(c, old)),
                owner,
                tries=60,
                word=True,
            )
            if found is None:
                rng = draws.random_for("place/invented", key)
                endings = ("ford", "ton", "bury", "ham", "field", "mouth")
                made = (invent_word(rng) + rng.choice(endings) for _ in range(60))
                found = draws.pick(made, owner, tries=60, word=True) or draws.invent(
                    "place", owner
                )
            draws.places[key] = known = found
            draws.towns[key] = found
        # "UK" and "U.S." are capitals for another reason.
        if len(old.replace(".", "")) <= 3 and key in index().by_name:
            return known
        return match_case(known, old)


# Whom hospitals, churches, schools and streets are called after.
_SAINTS = tuple(map(tuple, _FACTS["saints"]))
_SAINT = re.compile(
    r"(?P<saint>(?:[Ss]t\.?|ST\.?|[Ss]aint|SAINT)\s+)(?P<name>[^\W\d_]{3,})(?P<end>['’][sS]?)?"
    r"(?P<rest>(?:\s[^\W\d_]+){0,4})"
)
_SAINT_BEFORE = re.compile(r"\b(?:st\.?|saint)\s+$", re.I)


def saints_like(name: str) -> tuple[str, ...]:
    """Saints that may stand for one; of both genders if nobody knows the one.

    name (str): The name without "St".
    RETURNS (tuple[str, ...]): Names.
    """
    key = fold(name)
    for row in _SAINTS:
        if any(fold(other) == key for other in row):
            return row
    return _SAINTS[0] + _SAINTS[1]


def new_saint(name: str, draws: Draws) -> str:
    """The saint that stands for another one, the same in the whole document.

    name (str): The name without "St".
    draws (Draws): The document's draws.
    RETURNS (str): The new name; "" if none may be used.
    """
    key = fold(name)
    owner = f"saint {key}"
    if owner not in draws.places:
        others = shuffled(saints_like(name), draws.random_for("saint", key))
        draws.places[owner] = next(
            (x for x in others if fold(x)[0] != key[0] and not draws.forbidden(x)), ""
        )
    return draws.places[owner]


def _of_saint(text: str, draws: Draws) -> str:
    """A hospital, church or place called after another saint: "St. Anne's Church" for
    "St. Mary's Church"; "" for what is called otherwise."""
    match = _SAINT.fullmatch(text)
    if match is None or any(
        word.lower() not in _KIND_WORDS and not _STREET_WORDS.fullmatch(word)
        for word in match["rest"].split()
    ):
        return ""
    new = match_case(new_saint(match["name"], draws), match["name"])
    if not new:
        return ""
    return match["saint"] + new + possessive(match["end"] or "", new) + match["rest"]


def _shares_word(a: str, b: str) -> bool:
    return not set(fold(a).split()).isdisjoint(fold(b).split())


def main_country(mentions: Sequence[Mention]) -> Country | None:
    """The country a document is about: the one most mentions belong to.

    mentions (Sequence[Mention]): All mentions of the document.
    RETURNS (Optional[Country]): None if no mention names one.
    """
    votes: dict[str, int] = {}
    ix = index()
    known: dict[tuple[str, bool], Country | None] = {}
    for mention in mentions:
        if mention.label not in ("LOC", "DEM", "ORG") or len(mention.text) > 60:
            continue
        what = mention.text, mention.label == "LOC"
        if what not in known:
            key = fold(mention.text)
            country = ix.by_name.get(key) or ix.by_city.get(key)
            if country is None and mention.label != "LOC":
                for word in key.split()[:3]:
                    if word in ix.by_demonym:
                        country = ix.by_demonym[word][0]
            known[what] = country
        country = known[what]
        if country is not None:
            votes[country.name] = votes.get(country.name, 0) + 1
    if not votes:
        return None
    return ix.by_name[fold(max(votes, key=lambda name: votes[name]))]


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
    british, american = _BRITISH_POST.fullmatch(text), _ZIP.fullmatch(text)
    if british is None and american is None:
        return new_postcode(text, rng)
    known = tables()
    country = UK if british else US
    place = known.town_in.get((country, fold(town))) if town else None
    if place is None:
        own = town_with_post(text)
        others = []
        for old, new in geography.draws.towns.items():
            row = known.town_in.get((country, fold(new)))
            if row is None:
                continue
            old_row = known.town_in.get((country, old))
            if own is not None and old_row is not None and old_row.post == own.post:
                others = [row]
                break
            others.append(row)
        if not others and own is not None:
            width = len(re.match(r"[A-Za-z]*", text).group())  # type: ignore[union-attr]
            others = [
                r
                for r in known.by_country[country]
                if r.post != own.post and (american or len(r.post) == width)
            ]
        place = rng.choice(others) if others else None
    if place is None:
        return new_postcode(text, rng)
    if american:
        return place.post + new_postcode(text[3:], rng)
    assert british is not None
    district = str(rng.randint(1, 9 if len(british["district"]) == 1 else 19))
    made = (
        place.post + district + british["letter"] + new_postcode(british["rest"], rng)
    )
    return made.lower() if text.islower() else made


def new_postcode(text: str, rng: random.Random) -> str:
    """A post code of the same form.

    text (str): The original.
    rng (Random): Source of the draw.
    RETURNS (str): As long as `text`.
    """
    out = []
    for i, ch in enumerate(text):
        if ch.isdecimal():
            leading = ch != "0" and (i == 0 or not text[i - 1].isdecimal())
            out.append(rng.choice("123456789" if leading else "0123456789"))
        elif ch.isalpha():
            letter = rng.choice(_POST_LETTERS)
            out.append(letter if ch.isupper() else letter.lower())
        else:
            out.append(ch)
    return "".join(out)


def _address(
    text: str, geography: Geography, main: Country | None, rng: random.Random
) -> str:
    """Numbers, street names, post code and town replaced, layout kept."""
    held: list[str] = []
    codes: dict[int, str] = {}

    def hold(match: re.Match[str]) -> str:
        # A house number may look like a post code: post codes stand at the end.
        if match.start() == 0 and match.group().isdecimal() and len(match.group()) < 5:
            return match.group()
        if _NUMBERED.match(text, match.end() - 3):
            return match.group()
        codes[len(held)] = match.group()
        return keep(match.group())

    def keep(made: str) -> str:
        held.append(made)
        return f"\x00{chr(0xE000 + len(held) - 1)}\x00"

    def state(match: re.Match[str]) -> str:
        codes[len(held) + 1] = match.group(3)
        new = _new_state(match.group(1), geography)
        return keep(new + match.group(2)) + keep(match.group(3))

    if _has_british_post(text):
        main = index().by_name[fold(UK)]
    elif _STATE_ZIP.search(text):
        main = index().by_name[fold(US)]
    text = _STATE_ZIP.sub(
        lambda m: state(m) if m.group(1) in _CODED else m.group(), text
    )
    text = (_POSTCODE_LOWER if text.islower() else _POSTCODE).sub(hold, text)
    # Numbers with a letter ("23a") are one thing, too.
    text = _LETTERED.sub(lambda m: keep(new_postcode(m.group(), rng)), text)
    numbered = _HOUSE.sub(lambda m: _numbered(m, rng), text)
    text = in_order(numbered, text)
    pieces = re.split(r"(\s*[,;\n]\s*|\x00[\ue000-\uf8ff]\x00)", text)
    towns: list[str] = []
    for i in range(0, len(pieces), 2):
        piece = pieces[i]
        if not piece.strip():
            continue
        # "St Albans" is no street.
        town = fold(piece.strip()) in tables().by_town
        if not town and (_STREET_WORDS.search(piece) or _has_street(piece)):
            pieces[i] = _street(piece, rng)
        else:
            pieces[i] = _named(piece, geography, main, in_address=True)
            if fold(pieces[i].strip()) in tables().by_town:
                towns.append(pieces[i].strip())
    for number, old in codes.items():
        held[number] = fitting_postcode(old, geography, rng, towns[-1] if towns else "")
    text = "".join(pieces)
    return re.sub(
        r"\x00([\ue000-\uf8ff])\x00", lambda m: held[ord(m.group(1)) - 0xE000], text
    )


def is_box(text: str) -> bool:
    """Whether a piece of an address is nothing but "P.O. Box"."""
    return _BOX.fullmatch(text) is not None


def _has_british_post(text: str) -> bool:
    """Whether an address has a British post code, in capitals if it has any."""
    if text.islower():
        text = text.upper()
    elif not re.search(r"[A-Z]\d|\d[A-Z]", text):
        return False
    return any(not _NUMBERED.match(text, m.end() - 3) for m in _POST.finditer(text))


def _numbered(match: re.Match[str], rng: random.Random) -> str:
    """Another number of a house or a street, with the ending of its own: "3rd"."""
    new = _house(match[1], rng)
    if match[2]:
        new += match_case(ordinal_suffix(int(new)), match[2])
    return new


def _new_state(code: str, geography: Geography) -> str:
    """The code of the state that stands for another; military post keeps its own."""
    name = state_of(code)
    if not name:
        return code
    new = geography.container_for(name)
    return tables().codes.get(new) or new


def _house(number: str, rng: random.Random) -> str:
    if len(number) > 5 or number[0] == "0":
        return "".join(
            rng.choice("123456789" if ch != "0" else "0123456789") for ch in number
        )
    value = int(number) if number.isascii() else 100
    new = value
    while new == value:
        new = rng.randint(max(1, value // 2), max(9, value * 2))
    return str(new)


def _street(text: str, rng: random.Random) -> str:
    """Words before "Street" become one or two others."""
    if _BOX.search(text):
        return text
    first = True

    def replace(match: re.Match[str]) -> str:
        nonlocal first
        word = match.group()
        key = word.lower().rstrip(".")
        german = re.fullmatch(
            r"(?i)[a-zäöüß]+(stra(?:ß|ss)e|str\.?|weg|allee|platz|gasse)", word
        )
        if german:
            return match_case(rng.choice(_STEMS) + german.group(1), word)
        if key in _address_words().kept or len(key) == 1:
            return word
        ending = _suffix(word)
        if ending:
            # "Storgatan" has the name and the word for a street in one.
            first = False
            return match_case(rng.choice(_OTHER_STEMS) + ending.lower(), word)
        if _STREET_WORDS.fullmatch(word) or _STREET_WORDS.fullmatch(key):
            return word
        if key in (
            "north",
            "south",
            "east",
            "west",
            "n",
            "s",
            "e",
            "w",
            "flat",
            "apt",
            "unit",
        ):
            return word
        if key in (
            "apartment",
            "floor",
            "suite",
            "the",
            "of",
            "no",
            "number",
        ) or (word.islower() and key in _PARTICLES):
            return word
        if not first:
            return ""
        first = False
        if _SAINT_BEFORE.search(text, 0, match.start()):
            base = re.sub(r"['’][sS]?$", "", word)
            new = match_case(rng.choice(saints_like(base)), base)
            return new + possessive(word[len(base) :], new)
        return match_case(rng.choice(_STREETS), word)

    made = re.sub(r"  +", " ", _WORD.sub(replace, text))
    return made if text[-1:].isspace() else made.rstrip()


def _is_known(key: str) -> bool:
    """Whether a folded name is that of a town or a region of a list."""
    ix, known = index(), tables()
    return (
        key in ix.by_city
        or key in ix.by_region
        or key in known.containers
        or key in known.by_town
    )


def _named(
    text: str, geography: Geography, main: Country | None, in_address: bool = False
) -> str:
    """A place's name: words of its kind stay, the rest becomes another name."""
    key = fold(text.strip())
    ix = index()
    natural = _with_article(text.strip(), geography, main)
    natural = natural or _natural(text.strip(), geography)
    if not natural and key[:2] in ("st", "sa") and not _is_known(key):
        natural = _of_saint(text.strip(), geography.draws)
    if natural:
        return text.replace(text.strip(), natural)
    if key in ix.by_name or _is_known(key):
        return text.replace(text.strip(), geography.name_for(text.strip(), main))
    runs: list[list[re.Match[str]]] = []
    previous: re.Match[str] | None = None
    for match in _WORD.finditer(text):
        word = match.group()
        bare = word.lower().rstrip(".")
        kept = in_address and bare in _address_words().kept
        if kept or bare in _KIND_WORDS or len(word) < 2:
            previous = None
            continue
        glued = previous is not None and text[previous.end() : match.start()].isspace()
        if glued:
            runs[-1].append(match)
        else:
            runs.append([match])
        previous = match
    if not runs:
        return text
    out = []
    position = 0
    for run in runs:
        start, end = run[0].start(), run[-1].end()
        name = text[start:end]
        found = demonym(name)
        if in_address and name in _CODED:
            out += [text[position:start], _new_state(name, geography)]
            position = end
            continue
        if 1 < len(name) < 4 and name.isupper():
            made = acronym_like(
                name, geography.draws.random_for("acronym", normalise(name))
            )
            out += [text[position:start], made]
            position = end
            continue
        new = (
            next(geography.nationality(name))
            if found
            else geography.name_for(name, main)
        )
        out += [text[position:start], new]
        position = end
    out.append(text[position:])
    return "".join(out)


# What nature has, and regions that are named like it: those of one row stand for one
# another. Words of the kind before the name, or after it.
_RIVERS = tuple(_FACTS["rivers"])
_HEIGHTS = tuple(_FACTS["heights"])
_LANDSCAPES = tuple(_FACTS["landscapes"])
_MOUNTS = tuple(_FACTS["mounts"])
_LAKES = tuple(_FACTS["lakes"])
_NATURE = tuple(
    (row, frozenset(map(fold, row))) for row in (_RIVERS, _HEIGHTS, _LANDSCAPES)
)
_ARTICLE = re.compile(r"[Tt]he\s+|THE\s+")


def _split_article(text: str) -> tuple[str, str]:
    """The article that a country stands with ("the United Kingdom") and the rest; ""
    and the whole for other texts.

    text (str): A place.
    RETURNS (tuple[str, str]): What the text begins with, and its name.
    """
    match = _ARTICLE.match(text)
    if match is None or fold(text[match.end() :]) not in index().by_name:
        return "", text
    return match.group(), text[match.end() :]


def _with_article(text: str, geography: Geography, main: Country | None) -> str:
    """The country that stands for one with its article, with its own if it has one.

    text (str): "the United Kingdom".
    geography (Geography): The document's countries.
    main (Optional[Country]): The country the document is about.
    RETURNS (str): "the Netherlands" or "France"; "" for other texts.
    """
    article, bare = _split_article(text)
    if not article:
        return ""
    new = geography.name_for(bare, main)
    return article + new if new.title() in WITH_ARTICLE else new


_AFTER_THE = re.compile(r"\b[Tt]he\s+$")
_NATURAL_NAME = re.compile(r"[A-Z][a-zé]+(?: [A-Z][a-z]+)?")
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
    match = None if article else _NATURAL.fullmatch(text)
    if match is None and not article:
        return ""
    lead = tail = ""
    name = text
    if match is not None:
        lead, tail = match["before"] or match["start"] or "", match["kind"] or ""
        name = match["name"] or match["first"]
    key = fold(name)
    if key in index().by_name or f"the {key}" in index().by_name:
        return ""
    last = name.rpartition(" ")[2].lower()
    if last in _KIND_WORDS or _STREET_WORDS.fullmatch(last):
        return ""
    kind = f"{lead} {tail}".lower()
    if "river" in kind:
        row = _RIVERS
    elif "mount" in kind or "mt" in kind:
        row = _MOUNTS
    elif "lake" in kind:
        row = _LAKES
    else:
        row = next((row for row, keys in _NATURE if key in keys), ())
        row = row or (_HEIGHTS if key.endswith("s") else _LANDSCAPES)
    draws = geography.draws
    owner = f"place {key}"
    if key not in draws.places:
        rng = draws.random_for("natural", key)
        others = (x for x in shuffled(row, rng) if fold(x) != key)
        draws.places[key] = draws.pick(others, owner, word=True) or draws.invent(
            "place", owner
        )
    return lead + match_case(draws.places[key], name) + tail


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


def _place(
    mention: Mention, draws: Draws, geography: Geography, main: Country | None
) -> str:
    text, key = mention.text, geography.key(mention.text)
    subtype = mention.subtype
    folded = fold(text)
    drawn: list[random.Random] = []
    numbered = _DIGIT.search(text) is not None

    def rng() -> random.Random:
        if not drawn:
            drawn.append(draws.random_for("place", key))
        return drawn[0]

    def candidates() -> Iterator[str]:
        if len(text) > 400:
            return
        stripped = text.strip()
        part = draws.places.get(f"part {key}")
        if part:
            yield match_case(part, text)
        if subtype == "POSTCODE" or (
            not subtype
            and numbered
            and (_POSTCODE_LOWER if text.islower() else _POSTCODE).fullmatch(stripped)
        ):
            town = _town_beside(mention, geography)
            for _ in range(40):
                yield fitting_postcode(text, geography, rng(), town)
        if subtype == "COORDINATES" or (
            numbered
            and _COORDINATES.match(text)
            and sum(ch.isdecimal() for ch in text) > 3
        ):
            for _ in range(40):
                yield _coordinates(text, rng())
        # Only a street's word beside a number makes an address ("Downing Street").
        if subtype == "ADDRESS" or numbered:
            for _ in range(20):
                yield _address(text, geography, main, rng())
        country_too = _with_article(text, geography, main)
        if country_too:
            yield country_too
        country = index().by_name.get(folded)
        if (
            country is not None
            and len(text.replace(".", "")) <= 3
            and _ATTRIBUTE.match(mention.after)
        ):
            # "U.S. involvement" becomes "Danish involvement".
            yield geography.adjective_for(text)
        if _AFTER_THE.search(mention.before) and _NATURAL_NAME.fullmatch(text):
            yield _natural(text, geography, article=True)
        code = text.replace(".", "")
        if state_of(code) and (code == "DC" or mention.before.endswith(", ")):
            state = _new_state(code, geography)
            yield ".".join(state) + "." if code != text else state
        if country is None and is_acronym(mention) and folded not in index().by_city:
            made = draws.acronym(mention)
            if made is not None:
                yield made
        court = british_court(text)
        if court is not None:
            yield text.replace(court[0], geography.name_for(court[0], main), 1)
        if folded not in index().by_city and _STREET_WORDS.search(text):
            words = text.split()
            if (
                len(words) > 1
                and _STREET_WORDS.fullmatch(words[-1])
                and not re.search(r"[,;()/]", text)
            ):
                for _ in range(20):
                    yield _street(text, rng())
        pieces = [text]
        # "Bosnia and Herzegovina" is one name.
        if country is None and not text.isalpha():
            pieces = re.split(r"(\s*[,;()/]\s*|\s+(?:and|or|in|near)\s+)", text)
        for i in range(0, len(pieces), 2):
            if pieces[i]:
                if i and state_of(pieces[i]):
                    pieces[i] = _new_state(pieces[i], geography)
                    continue
                kind = _KIND_OF.match(pieces[i])
                head = kind.group() if kind else ""
                last = pieces[i].rpartition(" ")
                if last[0] and _STREET_WORDS.fullmatch(last[2]):
                    pieces[i] = _street(pieces[i], rng())
                    continue
                pieces[i] = head + _named(pieces[i][len(head) :], geography, main)
        named = "".join(pieces)
        if _DIGIT.search(named):
            yield re.sub(r"\d+", lambda m: _house(m.group(), rng()), named)
        yield named
        name = geography.name_for(text, main)
        yield name
        for city in geography.cities(text, main):
            yield match_case(city, text)

    found = draws.pick(candidates(), key, mention.before, 60)
    if found is not None:
        if any(map(str.isdecimal, text)):
            _note_parts(text, found, draws)
        return found
    if not any(ch.isupper() for ch in text):
        vague = (in_place_of(item, mention) for item in shuffled(_LANDS, rng()))
        found = draws.pick(vague, key, mention.before)
        if found is not None:
            return found
    return draws.invent("place", key, mention.before, text)


def _note_parts(old: str, new: str, draws: Draws) -> None:
    """Note what the street and the post code of an address have become."""
    from .sweep.spellings import address_pieces

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
