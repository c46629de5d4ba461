"""What is known of the world: where places lie, and what a place in a text is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ..data import ROOT, facts, faker_lists, table
from ..text.address_words import PIECE_END
from ..text.countries import countries, index
from ..text.names import fold
from ..text.subdivisions import subdivisions
from .base import Mention

_STATE_OF = re.compile(
    r"(?:.* )?(?:republic|kingdom|state|sultanate|principality|federation) of (?:the )?(.+)"
)


class Home(NamedTuple):
    """Where a place lies.

    country (str): Name, "" if several or none.
    adjective (str): Of the country, "" if unknown.
    continent (str): Name, "" if unknown.
    """

    country: str
    adjective: str
    continent: str


NOWHERE = Home("", "", "")


def _key(text: str) -> str:
    return re.sub(r"^the ", "", fold(text))


class _World(NamedTuple):
    countries: dict[str, Home]
    cities: dict[str, Home]
    regions: dict[str, Home]


def _seed(name: str) -> list[str]:
    path = ROOT.parent / "gazetteers" / "seed" / f"{name}.tsv"
    rows = path.read_text("utf8").splitlines()[1:]
    return [row.partition("\t")[0] for row in rows if row]


@lru_cache(maxsize=1)
def world() -> _World:
    """Countries, towns and regions of the surrogates' tables, of Faker's coordinates
    and of the seed lists, by folded name."""
    nations, by_code = _nations()
    out = _World(nations, {}, {})
    regions = dict.fromkeys(map(fold, _seed("regions")), NOWHERE)
    for country in countries():
        home = nations[fold(country.name)]
        for region in country.regions:
            out.regions.setdefault(fold(region), home)
        for city in country.cities:
            # One name, several countries: only the continent if they share it.
            _add(out.cities, city, home)
    for key, known in index().by_city.items():
        towns = out.regions if key in regions else out.cities
        if key in regions or key not in nations:
            towns.setdefault(key, nations[fold(known.name)])
    coded: dict[str, Home] = {}
    capitals = ((row["capital"], row["code"]) for row in table("world"))
    for town, code in (
        *((t, c) for _, _, t, c, _ in faker_lists("geo").land_coords),
        *capitals,
    ):
        if town and code in by_code:
            _add(coded, town, by_code[code])
    seeds = dict.fromkeys(map(fold, _seed("cities")), NOWHERE)
    out.cities.update({**seeds, **coded, **out.cities})
    out.regions.update({**regions, **out.regions})
    for key in ("england", "scotland", "wales", "northern ireland"):
        out.cities.pop(key, None)
        out.regions.pop(key, None)
        nations[key] = nations["united kingdom"]
    return out


def _nations() -> tuple[dict[str, Home], dict[str, Home]]:
    """All countries by their names, and by their codes."""
    ours = {fold(c.name): c for c in countries()}
    out: dict[str, Home] = {}
    by_code: dict[str, Home] = {}
    continents: dict[str, str] = {}
    for row in table("world"):
        name, key = row["country"], fold(row["country"])
        continents[key] = row["continent"]
        if row["code"]:
            adjective = ours[key].adjective if key in ours else ""
            out[key] = by_code[row["code"]] = Home(name, adjective, row["continent"])
    for key, country in ours.items():
        out[key] = Home(country.name, country.adjective, country.continent)
    for key in map(fold, _seed("countries")):
        long = _STATE_OF.fullmatch(key)
        home = out.get(long[1]) if long else None
        out.setdefault(key, home or Home("", "", continents.get(key, "")))
    out.update((key, out[fold(known.name)]) for key, known in index().by_name.items())
    return out, by_code


def _add(found: dict[str, Home], name: str, home: Home) -> None:
    old = found.setdefault(fold(name), home)
    if old.country != home.country:
        same = old.continent if old.continent == home.continent else ""
        found[fold(name)] = Home("", "", same)


_BEHIND = re.compile(
    r",\s{1,2}(?P<home>[^\W\d_][^\W\d_.]*\.?(?:[ .](?:of |and )?[^\W\d_][^\W\d_.]*\.?){0,3})"
)
_LISTED = re.compile(r"\s*(?:,|and\b|or\b|&|und\b|y\b|и\b)")
_TOWN_BEFORE = re.compile(r"(?P<town>(?:[^\W\d_]+[ -])?(?P<last>[^\W\d_]+)),\s+$")


def home_named(text: str) -> list[Home]:
    """Where a place lies of which a country, state, province or county is told.

    text (str): "Texas", "NSW", "Norway".
    RETURNS (list[Home]): Several for a name of several ("Georgia"); none for others.
    """
    known, key = world(), _key(text.strip(" ."))
    region = known.regions.get(key, NOWHERE)
    homes = (
        known.countries.get(key),
        known.countries.get(fold(subdivisions().country_of(text))),
        region if region.country else None,
    )
    return list(dict.fromkeys(filter(None, homes)))


def _settled(town: str, homes: Sequence[Home]) -> Home:
    """The one of several homes that a town is known to be in; nowhere if it is not."""
    if len(homes) == 1:
        return homes[0]
    known = world().cities.get(fold(town), NOWHERE)
    return known if known in homes else NOWHERE


def _home_behind(mention: Mention) -> str:
    """The name of a country, state or county that follows a place after a comma; "" if
    none does, or if it may be one more of a list: "Paris, Germany and Spain"."""
    match = _BEHIND.match(mention.after)
    if match is None:
        return ""
    text = match["home"]
    while text:
        homes = home_named(text)
        if homes:
            known = world().cities.get(fold(mention.text), NOWHERE)
            rest = mention.after[match.start("home") + len(text) :]
            if known in homes or not _LISTED.match(rest):
                return text
            # In a list it would be of its own; nobody knows.
            return "?" if known.country else text
        text = text.rpartition(" ")[0]
    return ""


def with_homes(mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions of a document, towns with the state or country that is told of them: what
    stands behind one mention holds for all of that name.

    mentions (Sequence[Mention]): All mentions of a document.
    RETURNS (list[Mention]): The same; "Paris" as "Paris, Texas".
    """
    told: dict[str, str] = {}
    for mention in mentions:
        if mention.label != "LOC":
            continue
        place = read_place(mention) if _DIGITS.search(mention.text) else None
        if place is not None and place.town and place.home.country:
            told.setdefault(fold(place.town), place.home.country)
            continue
        head, comma, tail = mention.text.partition(",")
        name = tail.strip() if comma and home_named(tail) else _home_behind(mention)
        if name:
            told.setdefault(fold(head), name)
    if not told:
        return list(mentions)
    known_world = world()
    out = []
    for mention in mentions:
        name = told.get(fold(mention.text), "") if mention.label == "LOC" else ""
        if name and fold(mention.text) not in known_world.countries:
            name = name.upper() if mention.text.isupper() else name
            mention = mention._replace(text=f"{mention.text}, {name}")
        out.append(mention)
    return out


class Place(NamedTuple):
    """What a mention of a place is.

    kind (str): "city", "country", "region", "address", "postcode", "coordinates", the
        noun of its kind ("river"), or "".
    home (Home): Where it lies.
    town (str): Town of an address, as it is written.
    """

    kind: str
    home: Home
    town: str


@cache
def place_kinds() -> dict[str, str]:
    """Words of names of places -> the noun of their kind: "creek" -> "river"."""
    kinds = facts("lang/en/generalize")["place_kinds"]
    return {word: noun for noun, words in kinds.items() for word in words.split()}


_DIGITS = re.compile(r"\d")
_NAME_RUN = re.compile(r"[^\W\d_]+(?:[ '’.-]+[^\W\d_]+)*")

# What a language calls a place of that name: None for what it has no word for.
Named = Callable[[str], Place | None]


def read_place(
    mention: Mention,
    named: Named = lambda text: None,
    street: re.Pattern[str] | None = None,
) -> Place:
    """What a place is and where it lies, by its text.

    mention (Mention): Mention of a place.
    named (Callable): Places by their names in the language of the text; English ones
        are known beside them.
    street (Pattern): What names a street in the language.
    RETURNS (Place): With empty parts for what is not known.
    """
    text, subtype = mention.text.strip(), mention.subtype
    key = _key(text)
    if subtype in ("POSTCODE", "COORDINATES"):
        return Place(subtype.lower(), NOWHERE, "")
    if subtype != "ADDRESS":
        found = named(text) or _state_behind(mention, key) or _known_place(key, subtype)
        if found is not None:
            return found
    if subtype == "ADDRESS" or (_DIGITS.search(text) and _NAME_RUN.search(text)):
        return _read_address(text, named, street)
    pieces = [p.strip() for p in re.split(r"[,;()]", text) if p.strip()]
    if len(pieces) > 1:
        bare = mention._replace(text=pieces[0], before="", after="")
        return _inside(read_place(bare, named, street), pieces, named)
    words, kinds = [w.strip(".") for w in key.split()], place_kinds()
    for word in (words[-1], words[0]) if len(words) > 1 else ():
        if word in kinds:
            return Place(kinds[word], NOWHERE, "")
    if subtype in ("CITY", "COUNTRY", "REGION"):
        return Place(subtype.lower(), NOWHERE, "")
    return Place(key if key in kinds.values() else "", NOWHERE, "")


def _inside(place: Place, pieces: Sequence[str], named: Named) -> Place:
    """ "Bergen, Norway": what the first is, where the last is. "Paris, Texas" is not in
    France, and of "Paris, Qwerty" nobody knows."""
    name, around = pieces[0], pieces[-1]
    last = named(around)
    homes = home_named(around) if last is None else [last.home]
    if place.kind == "country":
        # "Lebanon, Ohio" is a town, "Morocco, Ecuador" are two countries.
        last = last or _known_place(_key(around), "")
        two = last is not None and last.kind == "country"
        if not homes or (two and not set(homes) & set(home_named(name))):
            return place
        place = place._replace(kind="city")
    if place.kind in ("postcode", "coordinates"):
        return place
    return Place(place.kind or "city", _settled(name, homes), "")


def _state_behind(mention: Mention, key: str) -> Place | None:
    """The state behind its town: "Atlanta, Georgia" is not about the country."""
    before = _TOWN_BEFORE.search(mention.before)
    if before is None or mention.subtype == "COUNTRY" or key not in world().countries:
        return None
    homes = home_named(mention.text.strip())
    home = _settled(before["town"], homes)
    if not home.country:
        home = _settled(before["last"], homes)
    if len(homes) > 1 and home != world().countries[key]:
        return Place("region" if home.country else "", home, "")
    return None


def _known_place(key: str, subtype: str) -> Place | None:
    """A country, town or region of that name, best of the subtype."""
    kinds = zip(("country", "city", "region"), world())
    found = [Place(kind, homes[key], "") for kind, homes in kinds if key in homes]
    of_subtype = (place for place in found if place.kind == subtype.lower())
    return next(of_subtype, found[0] if found else None)


def _read_address(text: str, named: Named, street: re.Pattern[str] | None) -> Place:
    """Town and country of an address: the last that is known, never its street."""
    known, home = world(), NOWHERE
    pieces = PIECE_END.split(text)
    # "Paris, TX 75460": the state comes last, or the country does.
    for piece in reversed(pieces[1:]):
        homes = home_named(re.sub(r"[\d-]+", " ", piece))
        if homes:
            home = _settled(pieces[-2].strip(), homes) if len(homes) > 1 else homes[0]
            break
    for i, piece in reversed([*enumerate(map(str.strip, pieces))]):
        first = not i and bool(street and street.search(piece))
        if not i and len(pieces) > 1 and (first or _DIGITS.search(piece)):
            break
        for part in _names_in(piece, first):
            own = named(part)
            if own is not None and own.kind == "city":
                return Place("address", home if home.country else own.home, part)
            key = fold(part)
            if key in known.countries and not home.continent:
                home = known.countries[key]
            elif key in known.cities and not home_named(part):
                if not home.country and known.cities[key].continent:
                    home = known.cities[key]
                return Place("address", home, part)
    return Place("address", home, "")


def _names_in(piece: str, street: bool) -> Iterator[str]:
    """Runs of up to four words that may be a town's name, the longest and last first;
    "London Road" and "12 Paris Street" are streets.

    street (bool): Whether the piece begins with one.
    """
    for match in _NAME_RUN.finditer(piece):
        words = match.group().split()
        for size in range(min(4, len(words)), 0, -1):
            for start in range(len(words) - size, -1, -1):
                part = " ".join(words[start : start + size])
                following = words[start + size : start + size + 1]
                road = following and following[0].lower().strip(".") in place_kinds()
                begins = street and not start and not match.start()
                if part[:1].isupper() and len(part) > 2 and not (road or begins):
                    yield part
