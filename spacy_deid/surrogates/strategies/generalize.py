"""Generalization: "a city in Norway" for Oslo, 2022 for 6 January 2022, "in their
forties" for 43 years. What is left says less, is true, and reads as a sentence.

English is the language done with care; German, Spanish and Russian have tables of kinds
(`generalize_local`). Other languages get placeholders in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from ...lang.base import last_word
from ...registries import registry
from ...text import names
from ...text.names import FEMALE, LEGAL_FORMS, MALE, fold
from ...text.subdivisions import subdivisions
from ..base import (
    MONTHS,
    Mention,
    fits_article,
    listed,
    starts_with_vowel_sound,
)
from .base import Context, Registered, has_content

CONTINENTS = {
    "Europe": "European",
    "Asia": "Asian",
    "Africa": "African",
    "North America": "North American",
    "South America": "South American",
    "Oceania": "Oceanian",
}
# Names of Faker's list of countries that are not those of running text.
_OTHER_NAMES = {
    "russian federation": "Russia",
    "czechia": "Czech Republic",
    "the republic of macedonia": "North Macedonia",
    "burma": "Myanmar",
    "kingdom of the netherlands": "Netherlands",
    "people's republic of china": "China",
    "republic of ireland": "Ireland",
    "the gambia": "Gambia",
    # As it stands there, its letters broken.
    fold("C\u00c3\u00b4te d'Ivoire"): "Ivory Coast",
    fold(
        "S\u00c3\u00a3o Tom\u00c3\u00a9 and Pr\u00c3\u00adncipe"
    ): "São Tomé and Príncipe",
}


# Those that Faker's list lacks, or spells in its own way.
_OTHER_CONTINENTS = {
    "china": "Asia",
    "congo": "Africa",
    "gambia": "Africa",
    "greenland": "North America",
    "hong kong": "Asia",
    "ireland": "Europe",
    "ivory coast": "Africa",
    "kosovo": "Europe",
    "netherlands": "Europe",
    "puerto rico": "North America",
    "south sudan": "Africa",
    "tibet": "Asia",
    "timor-leste": "Asia",
    "vatican": "Europe",
}
_STATE_OF = re.compile(
    r"(?:.* )?(?:republic|kingdom|state|sultanate|principality|federation) of (?:the )?(.+)"
)


@dataclass(frozen=True)
class Generalize(Registered):
    """See `make_generalize`."""

    lang: str | None = None
    name: ClassVar[str] = "spacy_deid.generalize.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        from .generalize_local import makers

        lang = (self.lang or context.lang or "en")[:2]
        make = makers().get(lang, english)
        genders = entity_genders(mentions, lang)
        out = []
        for mention in with_homes(mentions):
            gender = genders.get(mention.entity_id, "")
            out.append(_first_usable(mention, make(mention, gender), context))
        return out

    def epsilon(self, recall: float | None) -> float:
        """What is left is true of the original: no bound."""
        return math.inf


def _first_usable(mention: Mention, candidates: Iterator[str], context: Context) -> str:
    if has_content(mention.text) and len(mention.text) <= 400:
        for text in candidates:
            if text and not context.forbidden(text):
                return text
    return context.mark


@registry.deid_strategies("spacy_deid.generalize.v1")
def make_generalize(lang: str | None = None) -> Generalize:
    """Each mention by what it is one of: a town by its country, a date by its year, an
    age by its decade, an address by its town, an organisation and a code by their kind,
    a person by "a woman", "a man" or "a person", amounts by their magnitude. What a
    reader may still learn is an original of the document gives way to something
    coarser. ε is infinite: what is left is true.

    lang (Optional[str]): "en", "de", "es" or "ru"; None for the language of the `Doc`,
        English for others.
    RETURNS (Callable): The strategy.
    """
    return Generalize(lang)


# --- what is known of the world ---


class Home(NamedTuple):
    """Where a place lies.

    country (str): Name, "" if several or none.
    adjective (str): Of the country, "" if unknown.
    continent (str): Name, "" if unknown.
    """

    country: str
    adjective: str
    continent: str


_NOWHERE = Home("", "", "")


class _World(NamedTuple):
    countries: dict[str, Home]
    cities: dict[str, Home]
    regions: dict[str, Home]


def _seed(name: str) -> list[str]:
    path = Path(__file__).parents[2] / "gazetteers" / "seed" / f"{name}.tsv"
    rows = path.read_text("utf8").splitlines()[1:]
    return [row.partition("\t")[0] for row in rows if row]


@lru_cache(maxsize=1)
def _world() -> _World:
    """Countries, towns and regions of the surrogates' tables, of Faker's coordinates
    and of the seed lists, by folded name."""
    from faker.providers.date_time import Provider as Dates
    from faker.providers.geo import Provider as Coordinates

    from ...text.countries import countries, index

    ours = {fold(c.name): c for c in countries()}
    continents = dict(_OTHER_CONTINENTS)
    by_code: dict[str, Home] = {}
    out = _World({}, {}, {})
    for row in Dates.countries:
        name = _OTHER_NAMES.get(fold(row.name), row.name)
        known = ours.get(fold(name))
        home = Home(name, known.adjective if known else "", row.continent)
        by_code[row.alpha_2_code] = home
        continents[fold(name)] = row.continent
        out.countries[fold(name)] = out.countries[fold(row.name)] = home
    for country in countries():
        home = Home(
            country.name, country.adjective, continents.get(fold(country.name), "")
        )
        out.countries[fold(country.name)] = home
        for region in country.regions:
            out.regions.setdefault(fold(region), home)
        for city in country.cities:
            # One name, several countries: only the continent if they share it.
            _add(out.cities, city, home)
    for name in _seed("countries"):
        key = fold(name)
        long = _STATE_OF.fullmatch(key)
        known_home = out.countries.get(long.group(1)) if long else None
        home = known_home or Home("", "", continents.get(key, ""))
        out.countries.setdefault(key, home)
    ix = index()
    for key, known in ix.by_name.items():
        out.countries[key] = out.countries[fold(known.name)]
    regions = {fold(name) for name in _seed("regions")}
    for key, known in ix.by_city.items():
        home = out.countries[fold(known.name)]
        if key in regions:
            out.regions.setdefault(key, home)
        elif key not in out.cities and key not in out.countries:
            out.cities[key] = home
    coded: dict[str, Home] = {}
    for _, _, town, code, _ in Coordinates.land_coords:
        if code in by_code:
            _add(coded, town, by_code[code])
    for row in Dates.countries:
        _add(coded, row.capital, by_code[row.alpha_2_code])
    for key, home in coded.items():
        out.cities.setdefault(key, home)
    for name in _seed("cities"):
        out.cities.setdefault(fold(name), _NOWHERE)
    for key in regions:
        out.regions.setdefault(key, _NOWHERE)
    for key in ("england", "scotland", "wales", "northern ireland"):
        out.cities.pop(key, None)
        out.regions.pop(key, None)
        out.countries[key] = out.countries["united kingdom"]
    return out


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
    world = _world()
    key = re.sub(r"^the ", "", fold(text.strip(" .")))
    part = subdivisions().country_of(text)
    region = world.regions.get(key, _NOWHERE)
    found = [
        home
        for home in (
            world.countries.get(key),
            world.countries.get(fold(part)) if part else None,
            region if region.country else None,
        )
        if home is not None
    ]
    return list(dict.fromkeys(found))


def _settled(town: str, homes: Sequence[Home]) -> Home:
    """The one of several homes that a town is known to be in; nowhere if it is not."""
    if len(homes) == 1:
        return homes[0]
    known = _world().cities.get(fold(town), _NOWHERE)
    return known if known in homes else _NOWHERE


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
            known = _world().cities.get(fold(mention.text), _NOWHERE)
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
    world = _world()
    out = []
    for mention in mentions:
        name = told.get(fold(mention.text), "") if mention.label == "LOC" else ""
        if name and fold(mention.text) not in world.countries:
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


_PLACE_KINDS = {
    word: noun
    for noun, row in {
        "airport": "airport",
        "river": "river creek stream",
        "lake": "lake loch",
        "mountain": "mount mountain mountains hill hills",
        "valley": "valley",
        "bay": "bay gulf",
        "beach": "beach",
        "island": "island islands isle",
        "sea": "sea ocean",
        "forest": "forest woods",
        "park": "park garden gardens",
        "square": "square plaza piazza",
        "bridge": "bridge",
        "castle": "castle palace",
        "street": "street road avenue lane drive close boulevard crescent terrace way",
        "prison": "prison jail",
        "station": "station",
        "hospital": "hospital clinic",
        "church": "church cathedral abbey chapel",
        "mosque": "mosque",
        "temple": "temple",
        "hotel": "hotel inn",
        "university": "university college",
        "school": "school academy",
        "museum": "museum gallery",
        "theatre": "theatre theater",
        "stadium": "stadium arena",
        "harbour": "harbour harbor port",
        "barracks": "barracks base garrison",
        "district": "district borough quarter suburb",
        "region": "region province state county oblast canton governorate",
        "village": "village",
        "town": "town municipality",
        "building": "building tower house hall",
        "region of the world": "peninsula coast",
    }.items()
    for word in row.split()
}
_DIGITS = re.compile(r"\d")
_NAME_RUN = re.compile(r"[^\W\d_]+(?:[ '’.-]+[^\W\d_]+)*")


def read_place(mention: Mention) -> Place:
    """What a place is and where it lies, by its text.

    mention (Mention): Mention of a place.
    RETURNS (Place): With empty parts for what is not known.
    """
    world = _world()
    text = mention.text.strip()
    subtype = mention.subtype
    key = re.sub(r"^the ", "", fold(text))
    if subtype == "POSTCODE":
        return Place("postcode", _NOWHERE, "")
    if subtype == "COORDINATES":
        return Place("coordinates", _NOWHERE, "")
    if subtype != "ADDRESS":
        before = _TOWN_BEFORE.search(mention.before)
        if before is not None and key in world.countries and subtype != "COUNTRY":
            # "Atlanta, Georgia" is about the state.
            homes = home_named(text)
            home = _settled(before["town"], homes)
            if not home.country:
                home = _settled(before["last"], homes)
            if len(homes) > 1 and home != world.countries[key]:
                return Place("region" if home.country else "", home, "")
        for kind, known in (
            ("country", world.countries),
            ("city", world.cities),
            ("region", world.regions),
        ):
            if key in known and (not subtype or subtype == kind.upper()):
                return Place(kind, known[key], "")
        for kind, known in (
            ("country", world.countries),
            ("city", world.cities),
            ("region", world.regions),
        ):
            if key in known:
                return Place(kind, known[key], "")
    if subtype == "ADDRESS" or (_DIGITS.search(text) and _NAME_RUN.search(text)):
        return _read_address(text, world)
    pieces = [p.strip() for p in re.split(r"[,;()]", text) if p.strip()]
    if len(pieces) > 1:
        # "Bergen, Norway": what the first is, where the last is. "Paris, Texas" is not
        # in France, and of "Paris, Qwerty" nobody knows.
        first = read_place(mention._replace(text=pieces[0], before="", after=""))
        homes = home_named(pieces[-1])
        if first.kind == "country" and homes:
            # "Lebanon, Ohio" is a town.
            first = Place("city", _NOWHERE, "")
        if first.kind not in ("country", "postcode", "coordinates"):
            return Place(first.kind or "city", _settled(pieces[0], homes), "")
        return first
    words = [w.strip(".") for w in key.split()]
    for word in (words[-1], words[0]) if words else ():
        if len(words) > 1 and word in _PLACE_KINDS:
            return Place(_PLACE_KINDS[word], _NOWHERE, "")
    if subtype in ("CITY", "COUNTRY", "REGION"):
        return Place(subtype.lower(), _NOWHERE, "")
    return Place(key if key in _PLACE_KINDS.values() else "", _NOWHERE, "")


def _read_address(text: str, world: _World) -> Place:
    """Town and country of an address: the last that is known, never its street."""
    home, town = _NOWHERE, ""
    pieces = re.split(r"[,;\n]", text)
    # "Paris, TX 75460": the state comes last, or the country does.
    for piece in reversed(pieces[1:]):
        homes = home_named(re.sub(r"[\d-]+", " ", piece))
        if homes:
            home = _settled(pieces[-2].strip(), homes) if len(homes) > 1 else homes[0]
            break
    for i in range(len(pieces) - 1, -1, -1):
        piece = pieces[i].strip()
        if i == 0 and len(pieces) > 1 and _DIGITS.search(piece):
            break
        for match in _NAME_RUN.finditer(piece):
            words = match.group().split()
            for size in range(min(4, len(words)), 0, -1):
                for start in range(len(words) - size, -1, -1):
                    part = " ".join(words[start : start + size])
                    key = fold(part)
                    if not part[:1].isupper() or len(part) < 3:
                        continue
                    # "London Road" and "12 Paris Street" are streets.
                    rest = words[start + size : start + size + 1]
                    if rest and rest[0].lower().strip(".") in _PLACE_KINDS:
                        continue
                    if key in world.countries and not home.continent:
                        home = world.countries[key]
                    elif key in world.cities and not town and not home_named(part):
                        town = part
                        if not home.country and world.cities[key].continent:
                            home = world.cities[key]
        if town:
            break
    return Place("address", home, town)


# --- persons ---


def entity_genders(mentions: Sequence[Mention], lang: str = "en") -> dict[int, str]:
    """Gender of each person by titles, given names and the pronouns around.

    mentions (Sequence[Mention]): All mentions of a document.
    lang (str): Language of the text.
    RETURNS (dict[int, str]): "m" or "f" by entity; others are unknown.
    """
    from ..person_gender import gender_of

    groups: dict[int, list[Mention]] = {}
    for mention in mentions:
        if mention.label == "PERSON":
            groups.setdefault(mention.entity_id, []).append(mention)
    return {entity: gender_of(group, lang) for entity, group in groups.items()}


_SEVERAL = re.compile(
    r"\s(?:and|&|und|y|и)\s|\bMessrs\b|\b(?:family|brothers|sisters)\b", re.I
)

# --- how a phrase stands in an English sentence ---

_DETERMINER = re.compile(
    r"\b(?:the|an?|his|her|its|their|my|our|your|this|that|these|those|each|every|some"
    r"|any|no|such|last|next|another|[^\W\d_]+['’]s)\s+$",
    re.I,
)
# An adjective may stand between: "an Austrian lawyer".
_PHRASE_BEFORE = re.compile(
    r"\b(?:the|an?|his|her|its|their|my|our|your|this|that)\s+"
    r"(?!(?:of|in|on|at|to|for|from|by|with|as|and|or|is|was|are|were|who|that)\b)"
    r"[^\W\d_]+\s+$",
    re.I,
)
_TITLED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|Sir|Professor|Judge|Miss)\.?\s+$")
_NUMBERED = re.compile(r"(?:\b(?:nos?|nrs?|numbers?|id)[.:]?|[#:№])\s*$", re.I)
_SENTENCE_END = re.compile(r"(?:^|[.!?:\n•][\s\"'“‘(\])]*)$")
_ABBREVIATION = re.compile(r"\b([^\W\d_]+)\.\s*$")
_FOLLOWING = re.compile(
    r"\s(?!(?:and|or|but|in|of|on|at|to|for|from|by|with|as|is|was|are|were|be|been|has|had"
    r"|have|did|does|do|that|which|who|whose|when|where|while|before|after|during|since"
    r"|until|under|would|could|should|will|may|can|must|later|then|against|into|said"
    r"|says|told|went|came|made|held|found)\b)[a-z]{3,}"
)


def starts_sentence(mention: Mention) -> bool:
    """Whether a mention stands where a sentence begins.

    mention (Mention): Any mention.
    RETURNS (bool): False after "Mr." or an initial.
    """
    before = mention.before.rstrip(" \t\"'“‘(")
    if not _SENTENCE_END.search(before):
        return False
    match = _ABBREVIATION.search(before)
    if match is None:
        return True
    word = match.group(1)
    if word.lower() in ("no", "nos", "nr", "nrs", "art", "para", "p", "pp", "v", "vs"):
        return False
    return len(word) > 1 and names.title_gender(word) is None


def in_sentence(text: str, mention: Mention) -> str:
    """A phrase with the capitals that its place asks for.

    text (str): As it is written inside a sentence.
    mention (Mention): What it replaces.
    RETURNS (str): Capitals for a mention among capitals, a capital at the start.
    """
    around = mention.before + mention.after
    shouted = mention.text.isupper() and sum(ch.isalpha() for ch in mention.text) > 1
    capitals = sum(map(str.isupper, around))
    if shouted and capitals > 3 * sum(map(str.islower, around)):
        return text.upper()
    if starts_sentence(mention) and not mention.text[:1].islower():
        return text[:1].upper() + text[1:]
    return text


def _attributive(mention: Mention) -> bool:
    """Whether a mention stands before a noun: "the Oslo office"."""
    return (
        _DETERMINER.search(mention.before) is not None
        and _FOLLOWING.match(mention.after) is not None
    )


def _with_article(noun: str) -> str:
    return f"{'an' if starts_with_vowel_sound(noun) else 'a'} {noun}"


def _fit(phrase: str, mention: Mention) -> str | None:
    """A noun phrase without its article where a determiner stands before; None if it
    does not fit that determiner."""
    if mention.label == "DEM" and _PHRASE_BEFORE.search(mention.before):
        phrase = re.sub(r"^(?:an?|the) ", "", phrase)
    elif _DETERMINER.search(mention.before):
        phrase = re.sub(r"^(?:an?|the) ", "", phrase)
        if not fits_article(phrase, mention.before):
            return None
    return in_sentence(phrase, mention)


def english(mention: Mention, gender: str) -> Iterator[str]:
    """English phrases for a mention, the most telling first.

    mention (Mention): Any mention.
    gender (str): "m", "f" or "" for persons.
    YIELDS (str): As they would stand in the text.
    """
    from ..kinds import kind_of

    kind = kind_of(mention)
    make = _MAKERS[kind]
    phrases = [*(make(mention, gender)), *_LAST.get(kind, ("something",))]
    for phrase in phrases:
        text = _fit(phrase, mention)
        if text is not None:
            yield text
    # "an" before a consonant reads badly, but tells nothing.
    bare = re.sub(r"^(?:an?|the) ", "", phrases[-1])
    yield in_sentence(bare, mention)


def _person(mention: Mention, gender: str) -> Iterator[str]:
    if re.search(r"\b(?:Dear|Hi|Hello|Hey)[\s,]+$", mention.before):
        yield "Sir or Madam" if "Dear" in mention.before[-8:] else "there"
        return
    if _TITLED.search(mention.before):
        # Nomen nescio, as in registers.
        yield "N. N."
    if _SEVERAL.search(mention.text):
        yield "several people" if mention.text.count(",") else "two people"
        yield "people"
        return
    plural = re.match(r"(?:e?s)(?![^\W_])", mention.after) is not None
    if not plural:
        # "the womans" is no word; "the persons" is.
        if gender == FEMALE:
            yield "a woman"
        elif gender == MALE:
            yield "a man"
    yield "a person"
    yield "someone" if not _DETERMINER.search(mention.before) else "individual"


def _place(mention: Mention, gender: str) -> Iterator[str]:
    from ...text.countries import WITH_ARTICLE

    place = read_place(mention)
    kind, home = place.kind, place.home
    the = "the " if home.country in WITH_ARTICLE else ""
    continent = CONTINENTS.get(home.continent, "")
    if kind == "postcode":
        yield "a postcode"
        return
    if kind == "coordinates":
        yield "a location"
        return
    if kind == "address":
        if place.town:
            bare = re.search(r"\bin\s+$|[:\n]\s*$|^$", mention.before) is not None
            yield place.town if bare else f"an address in {place.town}"
        if home.country:
            yield f"an address in {the}{home.country}"
        if home.continent:
            yield f"an address in {home.continent}"
        yield "an address"
        return
    short = text_is_short(mention)
    if _attributive(mention) or (short and _FOLLOWING.match(mention.after)):
        if kind != "country" and home.adjective:
            yield home.adjective
        if continent:
            yield continent
    possessive = mention.after[:1] in ("'", "’")
    noun = kind or "place"
    if kind != "country" and home.country:
        if possessive and home.adjective:
            yield _with_article(f"{home.adjective} {noun}")
        of = "of" if kind == "region" else "in"
        yield f"{_with_article(noun)} {of} {the}{home.country}"
    if home.continent:
        yield _with_article(f"{continent} {noun}")
        yield f"{_with_article(noun)} in {home.continent}"
    yield _with_article(noun)


def text_is_short(mention: Mention) -> bool:
    """Whether a country is written by its letters ("US troops")."""
    letters = mention.text.replace(".", "")
    return len(letters) < 4 and letters.isupper()


# --- dates ---

_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20|21)\d\d(?!\d)")
_SHORT_YEAR = re.compile(r"(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-](\d\d)(?!\d)")
_ISO = re.compile(r"(?<!\d)((?:1[0-9]|20|21)\d\d)[-/.]\d{1,2}(?!\d)")
_COMPACT_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)[01]\d[0-3]\d(?!\d)")
_A_DECADE = re.compile(r"\b((?:1[0-9]|20)\d)0['’]?s\b")
_CLOCK = re.compile(
    r"\b(\d{1,2})(?:[:.h]([0-5]\d))?\s?(?:([ap])\.?m\b|o['’]clock|hrs\b|hours\b|uhr\b)"
    r"|\b([01]?\d|2[0-3])[:h]([0-5]\d)\b",
    re.I,
)
_FINER = re.compile(
    r"\b(?:spring|summer|autumn|fall|winter|early|mid|late|quarter|q[1-4]|half|christmas"
    r"|easter|beginning|end|start)\b",
    re.I,
)
_TAKES_YEAR = frozenset(
    "in since until till before after by from to of during for between and around about "
    "circa dated than through throughout into".split()
)
_DURATION = re.compile(
    r"(?<![^\W\d_])(second|minute|hour|day|night|week|fortnight|month|year|decade|centur)"
    r"(?!er)",
    re.I,
)
_HALVES = ("the first half of the year", "the second half of the year")


def read_years(text: str) -> list[int]:
    """The years that a date expression names, in order.

    text (str): The expression.
    RETURNS (list[int]): Years of two figures in full.
    """
    found = [int(m.group()) for m in _YEAR.finditer(_COMPACT_DATE.sub(" ", text))]
    found += [int(m.group(1)) for m in _COMPACT_DATE.finditer(text)]
    for match in _SHORT_YEAR.finditer(text):
        two = int(match.group(1))
        found.append(two + (2000 if two <= 30 else 1900))
    return sorted(set(found))


def read_months(text: str) -> list[int]:
    """The months that a date expression names, 1 to 12, in order of appearance."""
    from ...text.calendars import month_index

    index = month_index()
    figures = _DIGITS.search(text) is not None
    out = []
    for word in re.findall(r"[^\W\d_]+", text):
        # Beside a number short names count, too; alone "may" is a verb.
        if word.lower() in index and (
            (figures and len(word) > 2)
            or (len(word) > 3 and not word.islower())
            or word == "May"
        ):
            out.append(index[word.lower()])
    return out


def is_finer_than_year(text: str) -> bool:
    """Whether a date expression says more than its years."""
    return bool(
        read_months(text)
        or _SHORT_YEAR.search(text)
        or _COMPACT_DATE.search(text)
        or re.search(r"\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{1,2}[/.]\d{4}", text)
        or any(m.group(1) and "/" not in m.group() for m in _ISO.finditer(text))
        or _FINER.search(text)
        or _CLOCK.search(text)
    )


def decades(years: Sequence[int]) -> list[int]:
    """First years of the decades that these years lie in."""
    return sorted({year // 10 * 10 for year in years})


def _when(mention: Mention, gender: str) -> Iterator[str]:
    text = mention.text
    last = last_word(mention.before)
    on_the = re.search(r"\bon\s+the\s+$", mention.before, re.I) is not None

    def timed(bare: str, day: str) -> Iterator[str]:
        """A year or month after its preposition; `day` is what "on" takes."""
        if last == "on":
            yield f"a {day} in {bare}"
        elif on_the:
            yield f"{day} in {bare}"
        elif last == "at":
            yield f"a time in {bare}"
        elif last in ("the", "a", "an", "this", "that"):
            if _FOLLOWING.match(mention.after):
                yield bare
            elif bare[:1].isdecimal():
                yield f"year {bare}"
        elif last in _TAKES_YEAR or not re.search(r"\w\s+$", mention.before):
            yield bare
        else:
            yield f"in {bare}"

    years = read_years(text)
    decade = _A_DECADE.search(text)
    if years and not decade:
        if is_finer_than_year(text):
            if len(years) == 1:
                yield from timed(str(years[0]), "day")
            elif last in _TAKES_YEAR or not last:
                yield " and ".join(map(str, (years[0], years[-1])))
        found = decades(years)
        spoken = " and ".join(f"{d}s" for d in (found[0], found[-1])[: len(found)])
        article = "" if last in ("the", "of the") else "the "
        if len(found) < 3 and last != "year":
            if last in _TAKES_YEAR or article == "" or not last:
                yield article + spoken
            elif last == "on":
                yield f"a day in the {spoken}"
            else:
                yield f"in the {spoken}"
        century = years[0] // 100 + 1
        yield f"the {century}{_suffix(century)} century"
        yield "a past year" if years[-1] < 2100 else "a year"
        return
    if decade:
        century = int(decade.group(1)) // 10 + 1
        yield f"the {century}{_suffix(century)} century"
        yield "a past decade"
        return
    if _DURATION.search(text) and not _CLOCK.search(text):
        yield from _duration(text, _FOLLOWING.match(mention.after) is not None)
        return
    months = read_months(text)
    if months:
        if _DIGITS.search(text):
            yield from timed(MONTHS[months[0] - 1], "day")
        half = _HALVES[months[0] > 6]
        if last == "on":
            yield f"a day in {half}"
        elif last in _TAKES_YEAR or not last:
            yield half
        else:
            yield f"in {half}"
        yield "part of the year"
        return
    clock = _CLOCK.search(text)
    if clock:
        hour = int(clock.group(1) or clock.group(4))
        if clock.group(3):
            hour = hour % 12 + (12 if clock.group(3).lower() == "p" else 0)
        part = _part_of_day(hour)
        yield (
            f"some time in the {part}"
            if last in ("at", "around", "about")
            else (f"the {part}")
        )
        yield "some time of the day"
        return
    from ...text.calendars import weekday_index

    index = weekday_index()
    words = re.findall(r"[^\W\d_]{4,}", text.lower().replace("days", "day"))
    days = [index[word] for word in words if word in index]
    if days:
        yield "a weekday" if days[0] <= 5 else "a day of the weekend"
        yield "a day"
        return
    if _FINER.search(text):
        yield "part of the year"
    if last == "on" or on_the:
        yield "a day"
    yield "some time"
    yield "a certain time"


def _suffix(number: int) -> str:
    from ...text.numbers import ordinal_suffix

    return ordinal_suffix(number)


def _part_of_day(hour: int) -> str:
    if 5 <= hour < 12:
        return "morning"
    if 12 <= hour < 18:
        return "afternoon"
    return "evening" if 18 <= hour < 22 else "night"


def _duration(text: str, attributive: bool) -> Iterator[str]:
    match = _DURATION.search(text)
    assert match is not None
    unit = match.group(1).lower()
    unit, plural = ("century", "centuries") if unit == "centur" else (unit, unit + "s")
    values = read_numbers(text)
    if attributive and re.search(r"\w-", text):
        # "a two-year term"
        yield f"multi-{unit}" if values and values[0] > 1 else "short"
    if len(values) != 1:
        yield f"some {plural}"
        yield "some time"
        return
    value = values[0]
    if value <= 1:
        yield f"about {_with_article(unit)}"
    elif value < 5:
        yield f"a few {plural}"
    elif value < 20:
        yield f"several {plural}"
    yield f"many {plural}" if value >= 5 else f"several {plural}"
    yield "some time"


# --- numbers ---

_FIGURE = re.compile(
    r"\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?"
)
_SCALES = {
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "m": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
}
_SYMBOLS = {
    "£": "pounds",
    "€": "euros",
    "$": "dollars",
    "¥": "yen",
    "₽": "roubles",
    "₺": "liras",
    "₹": "rupees",
    "EUR": "euros",
    "GBP": "pounds",
    "USD": "dollars",
    "CHF": "francs",
    "TRY": "liras",
    "RUB": "roubles",
    "PLN": "zlotys",
    "JPY": "yen",
}
_ORDINAL = re.compile(
    r"\d+(?:st|nd|rd|th)|(?:[a-z]+[ -])?(?:first|second|third|(?!month)[a-z]+th)", re.I
)
_MAGNITUDES = (
    (1e12, "trillions"),
    (1e9, "billions"),
    (1e8, "hundreds of millions"),
    (1e7, "tens of millions"),
    (1e6, "millions"),
    (1e5, "hundreds of thousands"),
    (1e4, "tens of thousands"),
    (1e3, "thousands"),
    (1e2, "hundreds"),
    (2e1, "dozens"),
)


def read_figure(text: str) -> float:
    """Value of a number in figures; groups of three after a separator are thousands.

    text (str): "4,684.40", "30 000", "4.684,40", "3.5".
    RETURNS (float): The value.
    """
    text = re.sub(r"['’\u00a0\u202f ]", "", text)
    marks = [ch for ch in text if ch in ".,"]
    if len(set(marks)) == 2:
        # The last one is the decimal sign.
        text = text.replace(marks[0], "").replace(marks[-1], ".")
    elif len(marks) > 1 or re.search(r"^[1-9]\d{0,2}[.,]\d{3}$", text):
        text = text.replace(",", "").replace(".", "")
    else:
        text = text.replace(",", ".")
    return float(text)


def read_numbers(text: str) -> list[float]:
    """All numbers of a text, in figures or English words, scales applied."""
    from ...text.numbers import WORDS_PATTERN, read_words

    out: list[float] = []
    pattern = rf"(?P<figure>{_FIGURE.pattern})|(?P<words>\b{WORDS_PATTERN}\b)|\ban?\b"
    for match in re.finditer(pattern, text, re.I):
        if match.group("figure"):
            value: float | None = read_figure(match.group())
        elif match.group("words"):
            value = read_words(match.group())
        else:
            value = 1.0 if not out and match.start() == 0 else None
        if value is None:
            continue
        scale = re.match(r"\s?([a-z]+)\b", text[match.end() :], re.I)
        if (
            scale
            and scale.group(1).lower() in _SCALES
            and (len(scale.group(1)) > 2 or match.group("figure"))
        ):
            value *= _SCALES[scale.group(1).lower()]
        out.append(float(value))
    return out


def rounded(value: float) -> float:
    """A number with one significant figure."""
    if value == 0:
        return 0.0
    return round(value, -math.floor(math.log10(abs(value))))


def in_figures(value: float, separator: str = ",") -> str:
    """A rounded number, thousands apart: 5,000."""
    if value >= 1:
        return f"{value:,.0f}".replace(",", separator)
    return f"{value:g}"


def _magnitude(value: float) -> str:
    for least, word in _MAGNITUDES:
        if value >= least:
            return word
    return "several" if value >= 5 else "a few"


def _amount(mention: Mention, gender: str) -> Iterator[str]:
    text = mention.text.strip()
    values = read_numbers(text)
    if _ORDINAL.fullmatch(text):
        yield "a particular"
        return
    symbol = next((s for s in _SYMBOLS if s in text), "")
    money = bool(symbol) or mention.subtype == "MONEY"
    if len(values) != 1:
        yield "a sum of money" if money else "a certain amount"
        return
    value = values[0]
    if "%" in text or re.search(r"per\s?cent", text, re.I):
        share = "half" if value == 50 else ""
        yield (
            f"about {share}"
            if share
            else "less than a quarter"
            if value < 25
            else "less than half"
            if value < 50
            else "more than half"
            if value < 75
            else "more than three quarters"
        )
        yield "a certain share"
        return
    near = rounded(value)
    unit = _unit(text, symbol)
    # A round number would come out as it is.
    if near != value and (value >= 10 or unit or symbol):
        yield f"about {_written(near, symbol)}" + (f" {unit}" if unit else "")
    word = _magnitude(value)
    noun = unit or _SYMBOLS.get(symbol, "")
    joined = " of " if word.endswith("s") and word != "several" and value >= 20 else " "
    if noun:
        yield f"{word}{joined}{noun}"
    elif _FOLLOWING.match(mention.after):
        yield f"{word} of" if joined == " of " else word
    else:
        yield word
    yield "a sum of money" if money else "a certain amount"


def _written(value: float, symbol: str) -> str:
    """A rounded amount as it is spoken: "5,000", "£4 million"."""
    for scale, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if value >= scale:
            figure = f"{in_figures(value / scale)} {word}"
            break
    else:
        figure = in_figures(value)
    if not symbol:
        return figure
    return f"{symbol} {figure}" if symbol.isalpha() else f"{symbol}{figure}"


def _unit(text: str, symbol: str) -> str:
    """What is counted: the words after the number, without scales and symbols."""
    *_, match = (None, *_FIGURE.finditer(text))
    rest = (
        text[match.end() :] if match else re.sub(r"^[^\W\d_]+(?:-[^\W\d_]+)?", "", text)
    )
    words = rest.replace(symbol, " ").split() if symbol else rest.split()
    while words and (words[0].lower() in _SCALES or words[0].lower() in ("and", "of")):
        del words[0]
    unit = " ".join(words).strip(" .,;:)(")
    return unit if re.fullmatch(r"[^\W_]+(?:[ /²³][^\W_]*){0,3}", unit) else ""


def read_age(text: str) -> float | None:
    """An age in years; None if there is no single one. Months and weeks come to 0."""
    values = [v for v in read_numbers(text) if v == int(v) and v < 130]
    if len(values) != 1:
        return None
    if re.search(r"\b(?:months?|weeks?|days?)\b", text, re.I):
        return values[0] // 12 if "month" in text.lower() else 0.0
    return values[0]


def _age(mention: Mention, gender: str) -> Iterator[str]:
    from ...text.numbers import DECADES

    text = mention.text
    spoken = re.search(
        r"(twen|thir|for|fif|six|seven|eigh|nine)t?y?ies|\b[1-9]0s\b", text, re.I
    )
    age = read_age(text)
    if spoken or age is None:
        yield "an adult" if _DETERMINER.search(mention.before) else "of adult age"
        yield "of a certain age"
        return
    number = int(age)
    low = number // 10 * 10
    attribute = re.search(r"(?:-|\s)(?:year|month|week|day)s?[-\s]old$", text) and (
        _DETERMINER.search(mention.before) or "-" in text
    )
    if attribute:
        words = (
            ["young", "underage"]
            if number < 18
            else ["middle-aged", "elderly", "adult"]
        )
        if 18 <= number < 40:
            words = ["younger", "adult"]
        elif number >= 65:
            words = ["elderly", "senior"]
        elif number >= 40:
            words = ["middle-aged", "adult"]
        if mention.after[:1].isspace() and re.match(r"\s[a-z]", mention.after):
            yield from words
        yield from (f"{w} person" for w in words)
        return
    if re.match(r"\s+old\b", mention.after):
        yield "under 10 years" if number < 10 else f"{low} to {low + 9} years"
    if re.search(r"\b(?:aged?|age of|age:)\s*$", mention.before, re.I) or re.match(
        r"\s?(?:-|\s)?years?\b", mention.after
    ):
        if number >= 90:
            yield "90 or more"
        yield "under 10" if number < 10 else f"{low} to {low + 9}"
        yield "of a certain age"
        return
    if number < 13:
        yield "a child" if number >= 2 else "an infant"
    elif number < 20:
        yield "in their teens"
    elif number < 90:
        yield f"in their {DECADES[number // 10 - 2]}"
    else:
        yield "over ninety"
    yield "of a certain age"


# --- organisations, codes, terms ---

_ORGANISATIONS: tuple[tuple[str, str], ...] = (
    ("a law firm", "solicitors lawyers advocates attorneys llp chambers barristers"),
    ("a court", "court courts tribunal magistrates"),
    ("a hospital", "hospital infirmary clinic hospitals"),
    ("a medical practice", "surgery practice medical dental"),
    ("a university", "university universitat universität université universidad"),
    ("a college", "college academy institute faculty polytechnic"),
    ("a school", "school kindergarten nursery schools"),
    ("a ministry", "ministry"),
    ("a bank", "bank banking savings"),
    ("an insurance company", "insurance assurance"),
    ("a police force", "police constabulary gendarmerie"),
    ("an armed force", "army navy air-force regiment battalion brigade corps"),
    ("a political party", "party"),
    ("a trade union", "union unions"),
    ("a church", "church parish diocese"),
    ("a mosque", "mosque"),
    ("a synagogue", "synagogue"),
    ("a club", "club team fc united rovers"),
    ("a newspaper", "times post herald gazette tribune journal news newspaper daily"),
    ("a broadcaster", "radio television broadcasting tv"),
    ("an airline", "airlines airways"),
    ("a railway", "railway railways"),
    ("a museum", "museum gallery"),
    ("a theatre", "theatre theater playhouse"),
    ("a hotel", "hotel hotels"),
    ("a restaurant", "restaurant cafe bakery brewery"),
    ("a pharmacy", "pharmacy"),
    ("a charity", "charity foundation trust"),
    ("a parliament", "parliament senate assembly congress legislature"),
    ("a government", "government cabinet"),
    ("a prison", "prison jail"),
    ("an embassy", "embassy consulate"),
    ("a care home", "nursing care homes"),
    ("a prosecution office", "prosecutor prosecution prosecutors"),
    ("a council", "council municipality borough"),
    ("an association", "association society federation league confederation"),
    ("an agency", "agency authority directorate bureau inspectorate registry service"),
    ("a department", "department division office section"),
    ("a committee", "committee commission board panel"),
    ("a record label", "records"),
    (
        "a company",
        "company companies corporation firm partners holding group industries motors "
        "systems software technologies technology consulting construction engineering "
        "sons brothers associates stores shop supermarket studios pictures productions "
        "press media",
    ),
)
_ORGANISATION_OF = {
    word: noun for noun, row in reversed(_ORGANISATIONS) for word in row.split()
}
_ORGANISATION_SUBTYPES = {
    "COMPANY": "a company",
    "HOSPITAL": "a hospital",
    "COURT": "a court",
    "SCHOOL": "a school",
    "GOVERNMENT": "a government body",
}
# Rows of names that stand alone, in the order of `organisations`.
_ALONE_KINDS = listed(
    "a court,a parliament,a chamber of parliament,a parliament,an armed force,a party,"
    "a police force,an armed force,an international agency,a company,a health facility,"
    "a school,a company,a government,an office of state"
)


def read_organisation(mention: Mention) -> str:
    """What an organisation is, as an English noun phrase; "" if its name does not say.

    mention (Mention): Mention of an organisation.
    RETURNS (str): For example "a hospital".
    """
    from ..organisations import alone_rows

    if mention.subtype in _ORGANISATION_SUBTYPES:
        return _ORGANISATION_SUBTYPES[mention.subtype]
    key = re.sub(r"^the ", "", fold(names.strip_possessive(mention.text)))
    for noun, row in zip(_ALONE_KINDS, alone_rows()):
        if key in row:
            return noun
    words = [w.strip(".,()") for w in key.split()]
    head = words[: words.index("of")] if "of" in words[1:] else words
    if words and words[-1].replace(".", "") in LEGAL_FORMS:
        return _ORGANISATION_OF.get(words[-1], "") or (
            "a law firm"
            if any(_ORGANISATION_OF.get(w) == "a law firm" for w in words)
            else "a company"
        )
    for word in (*reversed(head), *words):
        if word in _ORGANISATION_OF:
            return _ORGANISATION_OF[word]
    if "&" in words or any(w.replace(".", "") in LEGAL_FORMS for w in words[1:]):
        return "a company"
    return ""


def _organisation(mention: Mention, gender: str) -> Iterator[str]:
    if re.sub(r"^the ", "", fold(mention.text)) in _world().countries:
        # States are parties to cases.
        yield from _place(mention, gender)
    found = read_organisation(mention)
    if found:
        yield found
    yield "an organisation"


CODE_KINDS = {
    "EMAIL": "an e-mail address",
    "URL": "a web address",
    "DOMAIN": "a web address",
    "PHONE": "a telephone number",
    "IP": "a network address",
    "MAC": "a network address",
    "IBAN": "a bank account number",
    "ACCOUNT": "an account number",
    "BIC": "a bank code",
    "CARD": "a card number",
    "CRYPTO": "a wallet address",
    "NATIONAL_ID": "an identity number",
    "TAX_ID": "a tax number",
    "PASSPORT": "a passport number",
    "DRIVER_LICENCE": "a driving licence number",
    "HEALTH_ID": "a health number",
    "PLATE": "a registration plate",
    "VIN": "a vehicle number",
    "CASE_NUMBER": "a case number",
    "FILE_NUMBER": "a file number",
    "RECORD_NUMBER": "a record number",
    "USERNAME": "a user name",
    "PASSWORD": "a password",
}


def read_code(mention: Mention) -> str:
    """Kind of a code, a key of CODE_KINDS or "".

    mention (Mention): Mention of a code.
    RETURNS (str): By its subtype, else by its form.
    """
    from ..codes import kind_of_code

    subtype = mention.subtype
    if subtype in CODE_KINDS:
        return subtype
    for part, kind in (
        ("PASSPORT", "PASSPORT"),
        ("LICENCE", "DRIVER_LICENCE"),
        ("TAX", "TAX_ID"),
        ("PLATE", "PLATE"),
        ("ACCOUNT", "ACCOUNT"),
    ):
        if part in subtype:
            return kind
    found = kind_of_code(mention)
    return "NATIONAL_ID" if "_" in subtype and found not in CODE_KINDS else found


def _code(mention: Mention, gender: str) -> Iterator[str]:
    found = CODE_KINDS.get(read_code(mention))
    if _NUMBERED.search(mention.before):
        # What it is stands before it.
        yield "withheld"
    if found:
        yield found
    yield "a reference number"
    yield "an identifier"


_NATIONAL = re.compile(
    r"(?P<whose>.+?)(?P<rest>[\s-](?:nationals?|citizens?|born|based|origin|descent))",
    re.I,
)
_SUBTYPE_TERMS: Mapping[str, tuple[str, ...]] = {
    "OCCUPATION": ("a worker", "an occupation"),
    "DISEASE": ("an illness", "a health problem"),
    "RELIGION": ("religious",),
    "LANGUAGE": ("a language", "another language"),
    "FAMILY": ("a relative", "a family member"),
    "GENDER": ("a person",),
    "DEGREE": ("a qualification", "an educational qualification"),
    "ETHNICITY": ("of a certain background",),
    "NATIONALITY": ("foreign", "overseas"),
}


def _term(mention: Mention, gender: str) -> Iterator[str]:
    from ...text.countries import demonym, index
    from ..term_rows import rows_of, spoken_language

    text = mention.text
    subtype = mention.subtype
    if subtype == "LANGUAGE" or spoken_language(mention):
        yield from _SUBTYPE_TERMS["LANGUAGE"]
        return
    national = _NATIONAL.fullmatch(text) if len(text) < 60 else None
    if national is not None:
        home = _home_of(national.group("whose"))
        adjective = CONTINENTS.get(home.continent, "")
        for word in (adjective, "foreign", "overseas"):
            if word:
                rest = national.group("rest")
                phrase = f"{word}{rest}"
                bare = rest.startswith("-") or not rest.lower().endswith(("nal", "zen"))
                yield phrase if bare else _with_article(phrase)
        return
    found = demonym(names.strip_possessive(text)) if len(text) < 40 else None
    world = _world()
    if found is not None:
        country = world.countries[fold(found[0].name)]
        adjective = CONTINENTS.get(country.continent, "")
        if adjective:
            yield f"{adjective}s" if found[2] else adjective
        yield from ("foreigners",) if found[2] else ("foreign", "overseas")
        return
    for row, plural in rows_of(text):
        kind = row.subtype
        if subtype and kind != subtype:
            continue
        if kind == "DISEASE" and not row.kind:
            # An adjective, or one who is called by it: "an epileptic".
            yield "patient" if _DETERMINER.search(mention.before) else "chronically ill"
            return
        if row.kind and kind != "MISC":
            yield row.kind + "s" if plural else _with_article(row.kind)
        yield from _SUBTYPE_TERMS.get(kind, ())
        return
    if subtype in _SUBTYPE_TERMS:
        yield from _SUBTYPE_TERMS[subtype]
        return
    if fold(text) in index().by_name:
        yield from _place(mention, gender)
    yield "a personal detail"
    yield "an attribute"


def _home_of(text: str) -> Home:
    """Where a country or nationality lies."""
    from ...text.countries import demonym

    found = demonym(text)
    key = fold(text) if found is None else fold(found[0].name)
    return _world().countries.get(key, _NOWHERE)


_WORKS: tuple[tuple[str, str], ...] = (
    ("war", r"\bwars?\b"),
    (
        "law",
        r"\b(?:act|code|law|treaty|regulations?|article|directive|statute|section|convention)\b",
    ),
    ("award", r"\b(?:award|prize|medal|oscar|emmy)\b"),
    (
        "competition",
        r"\b(?:cup|championships?|games|trophy|tournament|league|olympics|tour)\b",
    ),
    ("festival", r"\bfestival\b"),
    ("court case", r"\bv\.?s?\.?\s"),
    ("medicine", r"(?:\bmg\b|cillin\b|azole\b|statin\b|prolol\b|pam\b)"),
)


def _thing(mention: Mention, gender: str) -> Iterator[str]:
    from ..term_rows import rows_of

    text = mention.text
    for row, plural in rows_of(text):
        if row.subtype == "MISC" and row.kind:
            yield row.kind + "s" if plural else _with_article(row.kind)
        elif row.subtype in _SUBTYPE_TERMS:
            yield from _term(mention, gender)
        break
    for noun, pattern in _WORKS:
        if re.search(pattern, text, re.I):
            yield _with_article(noun)
    words = text.split()
    if words and all(w[:1].isupper() or len(w) < 4 for w in words):
        yield "a title" if len(words) > 1 else "a name"
    yield "a certain matter"
    yield "something"


_MAKERS = {
    "PERSON": _person,
    "LOC": _place,
    "DATETIME": _when,
    "AGE": _age,
    "DEM": _term,
    "ORG": _organisation,
    "QUANTITY": _amount,
    "CODE": _code,
    "MISC": _thing,
}
_LAST = {
    "PERSON": ("an individual",),
    "LOC": ("a place", "a location"),
    "DATETIME": ("a time", "an occasion"),
    "AGE": ("of some age",),
    "DEM": ("a detail", "an attribute"),
    "ORG": ("a body", "an institution"),
    "QUANTITY": ("an amount", "a quantity"),
    "CODE": ("a code", "an identifier"),
    "MISC": ("a thing", "an item"),
}
