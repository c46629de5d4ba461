"""The countries of a document and what stands for them: each country, its towns, regions and
people move together."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from ..data import facts
from ..gazetteers.lexicon import how_often
from ..lang.base import LanguagePack
from ..patterns.tables import word_set
from ..text.address_words import PIECE_END
from ..text.countries import WITH_ARTICLE, Country, countries, demonym, index
from ..text.localities import PARTS, UK, US, Locality, state_of, tables
from ..text.names import fold
from ..text.shuffling import preferred_first, weighted
from ..text.subdivisions import subdivisions
from ..text.towns import (
    country_by_code,
    country_of_phone,
    homes_of,
    stands_for,
    towns_of,
)
from .address_words import (
    _FACTS,
    _POST,
    _STREET_WORDS,
    _has_british_post,
    _has_street,
    _split_article,
)
from .base import (
    Draws,
    Mention,
    match_case,
    normalise,
    possessive,
    shuffled,
)

# Words of a place's kind: they stay, what they name changes, and with it what a country calls
# itself ("Islamic").
KIND_OF = re.compile(
    rf"(?:(?:{'|'.join(_FACTS['official'].split())})\s+)*"
    rf"(?P<kind>\b(?:the\s+)?(?:{'|'.join(_FACTS['kinds_before'].split())})"
    r"\s+of\s+(?:the\s+)?)",
    re.I,
)
_KIND_WORDS = frozenset(_FACTS["kind_words"])
# Longer mentions tell of no country, and what mentions count that tell of one.
_LONGEST, _SURE, _HINT = 120, 2.0, 0.25
# What is written beside places of a country: its money, its offices.
_TOLD_BESIDE: dict[str, list[str]] = facts("lang/en/places")["told_beside"]
_MONTHS = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_MONTH_FIRST = re.compile(rf"\b{_MONTHS} \d\d?(?:st|nd|rd|th)?\b,?", re.I)
_DAY_FIRST = re.compile(rf"\b\d\d?(?:st|nd|rd|th)? {_MONTHS}\b", re.I)
# Thousands of inhabitants of towns that are in no list, and the towns of a country that
# are drawn from: behind them come many quarters of larger ones.
_FEW_PEOPLE, _MOST_TOWNS = 15, 80
# Behind "an".
_VOWELS = "AEIOU"
# How much more often towns come that readers know.
_KNOWN_WELL = 4
_STATE_CODE = re.compile(r"([A-Z]{2})(?:\s+\d{5}(?:-\d{4})?)?$")
_DIGIT = re.compile(r"\d")
_PIECES_END = re.compile(r"[,;()\n]")
# Continents, seas, people of old and the like: one of a row for another.
_ALIKE = {fold(x): tuple(row) for row in reversed(_FACTS["alike"]) for x in row}
# What nature has, and regions that are named like it.
_NATURAL_ROWS = (_FACTS["landscapes"], _FACTS["heights"], _FACTS["rivers"])
NATURE = {fold(x): tuple(row) for row in _NATURAL_ROWS for x in row}
_PLACED = frozenset(("LOC", "ORG", "DEM", "MISC", "GPE", "LOCATION"))
# Names of towns that mean the state or county unless a document says otherwise: none of
# those with the name of their county.
_PARTS_AS_TOWNS = frozenset(("washington", "georgia", "jersey"))
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
    key, where = fold(match["town"]), homes_of(fold(match["town"]))
    home = (
        UK
        if (UK, key) in tables().town_in
        else max(where, key=where.__getitem__, default="")
    )
    told = home == UK or " County" not in match["court"]
    return (match["town"], match["court"]) if told else None


def town_and_around(text: str) -> tuple[str, ...]:
    """A town and the state or country right behind it: "Austin Texas".

    text (str): A place.
    RETURNS (tuple[str, ...]): "Austin", " ", "Texas"; the text alone if it is one name.
    """
    known, ix = tables(), index()
    if " " not in text or is_listed(fold(text)):
        return (text,)
    for space in re.finditer(r"\s+", text):
        head, tail = fold(text[: space.start()]), fold(text[space.end() :])
        around = known.country_of.get(known.containers.get(tail, ""))
        country = ix.by_name.get(tail)
        home = country.name if country is not None else around
        if home and (home in homes_of(head) or (home, head) in known.town_in):
            return (text[: space.start()], space.group(), text[space.end() :])
    return (text,)


def is_listed(key: str) -> bool:
    """Whether a folded name is that of a country, or of a town or region of a list."""
    ix, known = index(), tables()
    lists = (ix.by_name, ix.by_city, ix.by_region, known.containers, known.by_town)
    # Of one word, a small town may be called like a kind ("Beach") or like anything.
    return any(key in names for names in lists) or (" " in key and bool(homes_of(key)))


def _bare(piece: str) -> str:
    """Folded name without its article and the words of its kind: "republic of"."""
    kind = KIND_OF.match(piece)
    return fold(_split_article(piece[kind.end() :] if kind else piece)[1])


def alike_places(name: str) -> tuple[str, ...]:
    """Those of a table that may stand for a name: continents for "Europe", rivers for
    "Rhine"; none for others, and for what a town or region is called as well."""
    key = fold(name)
    return _ALIKE.get(key) or (() if is_listed(key) else NATURE.get(key, ()))


_CAPITAL = re.compile(r"Washington,? D\.?C\.?")


def names_state(mention: Mention, town: Mention) -> bool:
    """Whether a mention is the state or county of the town before it: "Boston, MA".

    mention (Mention): A mention; a code of a state whatever it has been taken for.
    town (Mention): The one before it.
    RETURNS (bool): True for "Boston, Lincs" as well.
    """
    text = mention.text
    code = len(text) < 5 and text.isupper() and state_of(text.replace(".", ""))
    named = mention.label == "LOC" and fold(text) in tables().containers
    return (
        (named or bool(code))
        and town.label == "LOC"
        and mention.before.endswith(", ")
        and mention.before[:-2].endswith(town.text[-20:])
    )


class Geography:
    """The countries of one document and what becomes of them."""

    def __init__(
        self,
        draws: Draws,
        pack: LanguagePack,
        mentions: Sequence[Mention],
        same_country: bool = True,
    ):
        self.draws = draws
        self.pack = pack
        # The country that the document is about.
        self.main = main_country(mentions, draws.random_for("city-home", ""))
        self.map: dict[str, Country] = {}
        self.used: set[str] = set()
        self.same_country = same_country
        # Countries named by themselves or, abroad, by their people, parts and states named,
        # and which of them towns stand beside.
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
            bare = _bare(piece)
            if bare in ix.by_name and not american:
                self.named.add(ix.by_name[bare].name)
                continue
            self._note_people(bare)
            code = _STATE_CODE.match(piece) if len(pieces) > 1 else None
            state = state_of(code.group(1)) if code else ""
            container = known.containers.get(key) or state
            if not container:
                # What stands behind a street is a town first.
                street = _DIGIT.search(piece) or _has_street(piece)
                town = "" if street else fold(piece)
                continue
            # "New York", "Bristol": a town where nothing says otherwise.
            either = key in known.by_town or key in ix.by_city
            if not state and not town and either and key not in _PARTS_AS_TOWNS:
                town = key
                continue
            self.containers.add(container)
            if town:
                self.inside[town] = container

    def _note_people(self, text: str) -> None:
        """ "The Iraqi army left Baghdad": the town is as foreign as the army."""
        people = filter(None, map(demonym, text.split()))
        self.named.update({found[0].name for found in people} - {UK, US})

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
            for piece in PIECE_END.split(_POST.sub("", text)):
                if not _DIGIT.search(piece) and not _has_street(piece):
                    self.british.add(fold(piece))
        if _PIECES_END.search(text) is None:
            return list(town_and_around(text.strip())[::2])
        return re.split(r"\s*[,;()\n]\s*", text)

    def home_of(self, country: Country) -> Country:
        """The country that towns of a country move to: its own where English texts are
        at home or if that is asked for, unless it is masked itself."""
        stays = self.same_country or country.name in (UK, US)
        named = country.name in self.named
        return country if stays and not named else self.new_country(country)

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
            regions = _begun_alike(shuffled(home.regions, rng), name)
            others = chain(regions, shuffled(home.cities, rng))
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
            states = sorted({row.region for row in rows})
            others = _begun_alike(shuffled(states, rng), name)
        owner = f"region {name}"
        fits = (x for x in others if x != name and not _shares_word(x, name))
        draws.places[f"region {key}"] = found = draws.word(fits, "place", owner)
        return found

    def state_behind(self, name: str, town: str) -> str:
        """What stands for a state that is called like the town before it: "New York, New
        York"; "" for all else."""
        state = tables().containers.get(fold(name)) if name == town else None
        return self.container_for(state) if state else ""

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
        # Nothing else moves in where the document is at home.
        taken = {old.name, self.main.name, *self.used, *self.named}

        def unlike(new: Country) -> tuple[bool, ...]:
            return (
                # "in the United Kingdom" becomes "in the Netherlands", not "in the Spain".
                (new.name in WITH_ARTICLE) != (old.name in WITH_ARTICLE)
                # One name cannot stand for a country and its people.
                or new.adjective == new.name,
                # Nationalities begin alike: "an Austrian" becomes "an Estonian".
                (new.adjective[0] in _VOWELS) != (old.adjective[0] in _VOWELS)
                or len(new.cities) < 5,
                # Names of persons stay of their people; few have an article.
                new.continent != old.continent and old.name not in WITH_ARTICLE,
            )

        def usable(new: Country) -> bool:
            names = filter(None, (new.name, new.adjective, new.noun))
            return not any(map(self.draws.forbidden, names))

        drawn = weighted(countries(), lambda c: how_often(c.name, "en"), rng)
        others = (c for c in drawn if c.name not in taken)
        order = sorted((c for c in others if c.adjective != old.adjective), key=unlike)
        chosen = next(filter(usable, order), order[0] if order else old)
        self.used.add(chosen.name)
        return chosen

    def at_home(self, phrase: str) -> bool:
        """Whether a phrase names a country, or its people, in which towns stay, as those of
        the United Kingdom and the United States do unless they are named themselves."""
        people = demonym(phrase)
        country = people[0] if people else index().by_name.get(fold(phrase))
        return country is not None and country.name in {UK, US} - self.named

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
            noun = new.noun if plural or part == "noun" else ""
            text = noun or new.adjective
            if plural and not text.endswith(("s", "ese", "sh", "ch")):
                text += "s"
            yield match_case(text, word)

    def cities(self, old: str, main: Country | None = None) -> Iterator[str]:
        """Towns for a town: of the country that stands for its own."""
        key = fold(old)
        ix, known = index(), tables()
        home = self._home_of_town(key, main or self.main)
        new = self.home_of(home)
        rng = self.draws.random_for("city", key)
        if key in ix.by_region and key not in ix.by_city and key not in self.inside:
            yield from shuffled(new.regions, rng)
        old_town = known.by_town.get(key)
        width = len(old_town.post) if old_town is not None else 2
        listed = homes_of(key).get(home.name, 0)
        size = listed or _FEW_PEOPLE
        most, known_well = (_MOST_TOWNS, new.cities) if listed else (None, ())
        people = {town.name: town.people for town in towns_of(new)[:most]}

        def weight(name: str) -> float:
            """Large towns more often, and those of the size of the original: in no list, small."""
            own = people.get(name, _FEW_PEOPLE)
            often = _KNOWN_WELL if name in known_well else 1
            return often * stands_for(own, size)

        # Post codes of one length, so that an address keeps its layout.
        rows = self.localities(key, new)
        fitting = {r.town for r in rows if new.name != UK or len(r.post) == width}
        yield from weighted(sorted(fitting), weight, rng)
        yield from (row.town for row in rows)
        yield from weighted(people, weight, rng)
        yield from shuffled(new.cities, rng)

    def _home_of_town(self, key: str, main: Country) -> Country:
        """The country that a town or region lies in: that of the document for one that
        is in no list, or in those of several countries."""
        ix, known = index(), tables()
        if key in self.british:
            return ix.by_name[fold(UK)]
        if key in self.inside:
            return ix.by_name[fold(known.country_of[self.inside[key]])]
        homes = homes_of(key)
        if main.name in homes or (main.name, key) in known.town_in:
            return main
        home = ix.by_city.get(key) or ix.by_region.get(key)
        if home is None and homes:
            home = ix.by_name[fold(max(homes, key=lambda name: homes[name]))]
        if home is None and key in known.by_town:
            home = ix.by_name[fold(known.by_town[key].country)]
        return home or main

    def _is_container(self, key: str) -> bool:
        """Whether a name of a state or county means that and no town."""
        known = tables()
        both = key in known.by_town and key not in _PARTS_AS_TOWNS
        said = known.containers[key] in self.containers
        return key not in self.inside and (not both or said)

    def name_for(self, old: str, main: Country | None = None) -> str:
        """The new name of a place, the same wherever the place is named.

        old (str): Name of a country, town or region, without words of its kind.
        main (Optional[Country]): Country of towns that are in no list; None for the one
            that the document is about.
        RETURNS (str): The new name in the case of the old one.
        """
        draws = self.draws
        key = fold(old)
        known = draws.places.get(key)
        if known is None:
            # "Norman, Oklahoma" is no people of old.
            alike = () if key in self.inside else alike_places(old)
            country = index().by_name.get(key)
            owner = "place " + self.key(old)
            container = tables().containers.get(key, "")
            if alike or (container and container in self.containers):
                country = None
            if country is None and container and self._is_container(key):
                draws.places[key] = self.container_for(container)
                return match_case(draws.places[key], old)
            if country is not None:
                candidates: Iterator[str] = (
                    self.new_country(country, i).name for i in range(12)
                )
            elif alike:
                candidates = shuffled(alike, draws.random_for("alike", key))
            else:
                candidates = self.cities(old, main)
            # "South America" may stand for "North America".
            others = (c for c in candidates if fold(c) != key)
            fits = (c for c in others if alike or not _shares_word(c, old))
            draws.places[key] = known = draws.word(fits, "place", owner)
            draws.towns[key] = known
            if country is not None and (new := index().by_name.get(fold(known))):
                # Its people and towns go along.
                self.map[country.name] = new
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


def _begun_alike(names: Iterable[str], old: str) -> Iterator[str]:
    """Names in their order, but first those that the article of another one fits: what
    stands for "a California landmark" stands in "from California", too."""
    vowel = old[0] in _VOWELS
    return preferred_first(names, lambda name: (name[0] in _VOWELS) == vowel)


def _shares_word(a: str, b: str) -> bool:
    return not set(fold(a).split()).isdisjoint(fold(b).split())


def main_country(mentions: Sequence[Mention], rng: random.Random) -> Country:
    """The country a document is about: the one most mentions tell of.

    mentions (Sequence[Mention]): All mentions of the document.
    rng (Random): Chooses one where English is at home if no mention tells anything.
    RETURNS (Country): The country.
    """
    votes: dict[str, float] = {}
    alike: dict[tuple[str, str], list[Mention]] = {}
    for mention in mentions:
        if len(mention.text) <= _LONGEST:
            alike.setdefault((mention.text, mention.label), []).append(mention)
    for same in alike.values():
        for name, weight in _countries_told(same[0]):
            votes[name] = votes.get(name, 0) + weight * len(same)
    beside = "".join(m.before[-80:] + m.after[:80] for m in mentions)
    for home, words in _TOLD_BESIDE.items():
        if any(word in beside for word in words):
            votes[home] = votes.get(home, 0) + _HINT
    sure = {x: n for x, n in votes.items() if n >= 1 or x in (UK, US)}
    best = max(sure, key=sure.__getitem__) if sure else rng.choice((UK, US))
    return index().by_name[fold(best)]


def _countries_told(mention: Mention) -> Iterator[tuple[str, float]]:
    """Names of countries that a mention tells of, and how much it counts."""
    ix, text = index(), mention.text
    if mention.label == "CODE":
        country = _country_of_code(mention)
        if country is not None:
            sure = "+" in text[:2] or mention.subtype == "IBAN"
            yield country.name, _SURE if sure else 1
    elif mention.label == "DATETIME":
        # A hint only: half of the world writes either.
        if _MONTH_FIRST.search(text):
            yield US, _HINT
        elif _DAY_FIRST.search(text):
            yield UK, _HINT
    elif mention.label == "LOC":
        yield from _countries_of_place(text)
    elif mention.label in ("DEM", "ORG"):
        key = fold(text)
        country = ix.by_name.get(key) or ix.by_city.get(key)
        for word in key.split()[:3] if country is None else ():
            if word in ix.by_demonym:
                country = ix.by_demonym[word][0]
        if country is not None:
            # A foreigner may be anywhere.
            yield country.name, {"ORG": 1}.get(mention.label, _HINT)


# A domain of two letters at the end of its name, and those that any country uses.
_HOST = re.compile(r"(?:[^/]*//)?[^/?#]*[^\W_]\.([a-zA-Z]{2})(?=[/:?#]|$)")
_WORLDWIDE = word_set("tld.worldwide")


def _country_of_code(mention: Mention) -> Country | None:
    """The country that a telephone number, a domain or an account tells."""
    text = mention.text
    if mention.subtype == "PHONE" or "+" in text[:2]:
        return country_of_phone(text)
    if mention.subtype == "IBAN":
        return country_by_code(text[:2].upper())
    host = _HOST.match(text) if mention.subtype in ("EMAIL", "URL") else None
    if host is None or host[1].lower() in _WORLDWIDE:
        return None
    return country_by_code({"uk": "GB"}.get(host[1].lower(), host[1].upper()))


def _countries_of_place(text: str) -> Iterator[tuple[str, float]]:
    if _DIGIT.search(text) and _has_british_post(text):
        yield UK, _SURE
    for piece in _PIECES_END.split(text):
        yield from _countries_of_piece(re.sub(r"[\d-]+", " ", piece).strip())


def _countries_of_piece(name: str) -> Iterator[tuple[str, float]]:
    key, last = fold(name), name.rpartition(" ")[2]
    ix, homes = index(), homes_of(key)
    # "Dubbo NSW"
    told = last if last.isupper() and not name.isupper() else name
    part = "" if key in ix.by_name else subdivisions().country_of(told)
    known = ix.by_name.get(key) or ix.by_city.get(key) or ix.by_region.get(key)
    if part and not homes:
        yield part, _SURE
    elif known is not None:
        yield known.name, 1
    # Tuscany is a quarter of a town in Canada, too.
    either = known is None or (key in ix.by_city and key not in ix.by_name)
    for home, people in homes.items() if either else ():
        yield home, people / sum(homes.values())
