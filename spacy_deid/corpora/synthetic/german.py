"""Synthetic German documents: names, places and words as German inflects them.

Titles and forms of address ("Frau Dr.") stand outside a person's mention, articles
outside a place's. A genitive is labelled as a whole ("Annas"), and so is a compound
with a name in it ("Merkel-Besuch").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partialmethod
from random import Random
from typing import Any

from ...schema import NO_MASK, QUASI
from .calendar import settings
from .german_words import (
    article,
    compound,
    demonym,
    genitive,
    inflect,
    lexicon,
    noun_phrase,
    pick_adjective,
    pick_noun,
    weak_verb,
)
from .grammar import Piece, read_table
from .names import (
    FACTS,
    Culture,
    Person,
    Place,
    coin_name,
    cultures,
    faker_names,
    make_faker,
    romanize,
)
from .world import World


def _any_of(name: str) -> str:
    """A pattern of words of the language's settings."""
    return "|".join(settings("de")[name].split())


_CYRILLIC = settings("de")["cyrillic"]
_CYRILLIC_TOKEN = re.compile("|".join(sorted(_CYRILLIC, key=len, reverse=True)))
_PLURAL = re.compile(f"({_any_of('plural_places')})$")
_ADJECTIVE = re.compile(f"(?:{_any_of('place_adjectives')})[rs]?$")
# Kind of what is no town -> share, and preposition that says where.
_AREAS: dict[str, list[Any]] = settings("de")["areas"]


def german_cyrillic(name: str) -> str:
    """A name in Cyrillic as German newspapers write it: "Sergej Iwanow"."""
    text = _CYRILLIC_TOKEN.sub(lambda m: _CYRILLIC[m.group()], romanize(name))
    return re.sub(r"ii$", "i", text)


@cache
def pools() -> dict[str, Culture]:
    """Names by culture in German spelling: Faker's, the common lists and those of
    `templates/de/names.txt`."""
    found = dict(cultures())
    for culture, locale in FACTS["cyrillic_locales"].items():
        drawn = faker_names(locale, Random(0))
        found[culture] = Culture(*([*map(german_cyrillic, part)] for part in drawn))
    swiss = _provider("de_CH", "last_names")
    lists = (swiss.first_names_male, swiss.first_names_female, swiss.last_names)
    found["de_CH"] = Culture(*map(list, lists))
    for names, *cells in read_table("names", "de"):
        added = Culture(*(cell.split(",") for cell in cells))
        for name in names.split(","):
            old = found.get(name, Culture((), (), ()))
            # A short list stands beside Faker's with a weight of its own.
            factor = max(1, len(old.last) // (2 * len(added.last)))
            both = zip(old, added)
            found[name] = Culture(*([*a, *list(b) * factor] for a, b in both))
    return found


def _provider(locale: str, name: str) -> Any:
    """The provider of a locale that has a list of that name."""
    return next(p for p in make_faker(locale).get_providers() if hasattr(p, name))


@cache
def geography() -> dict[str, list[str]]:
    """Kind -> towns, regions, rivers and so on from `templates/de/geography.txt`, and
    towns of the German-speaking countries that Faker knows."""
    found = {kind: names.split(",") for kind, names in read_table("geography", "de")}
    known = dict.fromkeys(found["stadt"])
    for locale in ("de_DE", "de_AT", "de_CH"):
        for provider in make_faker(locale).get_providers():
            known.update(dict.fromkeys(getattr(provider, "cities", ())))
    found["stadt"] = [town for town in known if town and not town.endswith(".")]
    return found


@cache
def jobs() -> dict[str, list[str]]:
    """Occupations of men and of women."""
    source, plain = _provider("de_AT", "jobs_male"), r"[^\W\d_]+(-[^\W\d_]+)?"
    lists = {"male": source.jobs_male, "female": source.jobs_female}
    return {k: [x for x in v if re.fullmatch(plain, x)] for k, v in lists.items()}


def split_article(name: str) -> tuple[str, str]:
    """Gender ("p" for the plural, "" without an article) and bare name of a place."""
    first, _, rest = name.partition(" ")
    if first not in ("der", "die", "das") or not rest:
        return "", name
    plural = _PLURAL.search(rest)
    return ("p" if plural else {"der": "m", "die": "f", "das": "n"}[first]), rest


def decline_place(name: str, case: str) -> str:
    """A place's name after its article in a case: "im Schwarzen Meer"."""
    *words, last = name.split(" ")
    if case in ("dat", "gen"):
        for i, word in enumerate(words):
            if word[0].isupper() and _ADJECTIVE.search(word.lower()):
                words[i] = re.sub(r"(?<=[a-zß])(er|es|e)$", "en", word)
    return " ".join([*words, last])


# What a template may name as `{KIND.FORM}`: words that identify nobody, and names.
_WORDS: dict[str, Callable[[Random, str], str]] = {
    "geo": lambda rng, form: rng.choice(geography()[form]),
    # In order of frequency: the chance falls with the rank.
    "top": lambda rng, form: rng.choices(
        geography()[form], [1 / (i + 3) for i in range(len(geography()[form]))]
    )[0],
    "jobs": lambda rng, form: rng.choice(jobs()[form]),
    "words": lambda rng, form: rng.choice(lexicon()[form]),
    # Nouns: `word` or `plural`.
    "nouns": lambda rng, form: getattr(pick_noun(rng), form),
    "humans": lambda rng, form: getattr(pick_noun(rng, human=True), form),
    "compounds": lambda rng, form: getattr(compound(rng), form),
    "heads": lambda rng, form: getattr(rng.choice(lexicon()["head"]), form),
    # Noun phrases by case.
    "np": lambda rng, case: noun_phrase(rng, case),
    "nps": lambda rng, case: noun_phrase(rng, case, plural=True),
    "hp": lambda rng, case: noun_phrase(rng, case, human=True),
    "adj": lambda rng, form: inflect(pick_adjective(rng), form.removesuffix("stem")),
    # Listed verbs by number of the form, and regular ones, which may be separable.
    "verbs": lambda rng, form: rng.choice(lexicon()["verbs"])[int(form)],
    "verbi": lambda rng, form: rng.choice(lexicon()["verbi"])[int(form)],
    "verbt": lambda rng, form: rng.choice(lexicon()["verbt"])[int(form)],
    "weak": lambda rng, form: weak_verb(rng)[form],
    "close": lambda rng, form: weak_verb(rng, separable=False)[form],
}


class GermanWorld(World):
    """Everybody and everything in one German document."""

    folder = "de"
    kinds: Mapping[str, float] = settings("de")["kinds"]
    plain: Mapping[str, Callable[[Any], str]] = {
        **World.plain,
        "w_cdem": lambda w: next(
            filter(None, (demonym(w._town()) for _ in range(8))), "Berliner"
        ),
        "w_homecity": lambda w: w.rng.choice(w.place.cities),
        "w_anycity": lambda w: w.rng.choice(w.rng.choice(w.places).cities),
        "w_anyland": lambda w: w.rng.choice(w.places).country,
        "w_bareland": lambda w: split_article(w._text("w_land"))[1],
        # Stem of an adjective, and inhabitants: "französisch", "Franzose", "Französin".
        "w_nat": lambda w: w.any_country().demonym.split("/")[0],
        "w_man": lambda w: w.any_country().demonym.split("/")[1],
        "w_woman": lambda w: w.any_country().demonym.split("/")[2],
        "w_men": lambda w: _plural_of(w.any_country().demonym.split("/")[1]),
        "w_surname_de": lambda w: w.rng.choice(pools()["de_DE"].last[:400]),
        "w_given_de": lambda w: w.rng.choice(pools()["de_DE"].male[:100]),
    }
    # Share of documents and of people at home in the German-speaking countries.
    home = 0.6

    def __init__(self, rng: Random, kind: str, locales: Sequence[str] = ()) -> None:
        super().__init__(rng, kind, locales)
        if not locales and rng.random() < self.home:
            self.place = rng.choices(self.places[:3], (8, 1, 1))[0]

    def pools(self) -> dict[str, Culture]:
        return pools()

    def form_of(self, role: str, form: str) -> list[Piece]:
        make = _WORDS.get(role)
        return [Piece(make(self.rng, form))] if make else super().form_of(role, form)

    # People

    def person(self, role: str) -> Person:
        """The person in a role; roles `f...` are women and `m...` men."""
        while role not in self.people:
            person = self._make_person(role)
            if role[0] not in "fm" or role[0] == person.gender:
                self.people[role] = person
        return self.people[role]

    def _origin(self, subject: Person | None) -> tuple[Place, str]:
        place, culture = super()._origin(subject)
        if subject is None and place is self.places[0] and self.rng.random() < 0.04:
            culture = "noble"
        return place, culture if culture in pools() else "en_US"

    def _given_variant(self, given: str, names: Sequence[str], culture: str) -> str:
        if culture.startswith("de_") and self.rng.random() < 0.06:
            other = self.rng.choice(names)
            return given if "-" in given + other else f"{given}-{other}"
        return given

    def _surname(self, pool: Culture, culture: str) -> str:
        rng = self.rng
        last, other = rng.choice(pool.last), rng.choice(pool.last)
        if culture == "noble":
            return last
        if (draw := rng.random()) < (0.2 if culture.startswith("de_") else 0.05):
            return coin_name(rng, pool.last)
        if draw > 0.97 and not re.search(r"[ -]", last + other):
            return f"{last}-{other}"
        return last

    def person_form(self, person: Person, form: str, bare: bool = False) -> list[Piece]:
        if (before := self._before(person, form)) is None:
            return super().person_form(person, form, bare)
        rest = "last" if form == "anrede" else form[1:]
        text = self._text(f"name.{rest}")
        subtype = "FAMILY_NAME" if rest == "last" else "FULL_NAME"
        name = self._named(person, text, subtype)
        return [Piece(before), name] if before else [name]

    def _before(self, p: Person, form: str) -> str | None:
        """What stands before a name and is no part of it, with a space: forms `t...`
        in the nominative, `h...` in the other cases, `r...` with a rank, `dlast` with
        a title alone, `anrede` after a form of address; None for any other."""
        if form == "anrede":
            return f"{p.title} " if p.title else ""
        if form == "dlast":
            return f"{p.title or self.rng.choice(self.words['role_titles']['d'])} "
        if form[1:] not in ("last", "full", "plain", "init") or form[0] not in "thr":
            return None
        if form[0] == "r":
            return f"{self.of_rank(p)} "
        word = self.words["pronouns"]["herrn" if form[0] == "h" else "herr"][p.female]
        return " ".join(filter(None, (word, p.title))) + " "

    def of_rank(self, p: Person) -> str:
        rank = super().of_rank(p)
        if not p.female:
            return rank
        return self.words["female_ranks"].get(rank, f"{rank}in")

    def of_glast(self, p: Person) -> str:
        return _known(p.others, genitive(p.last))

    def of_gfirst(self, p: Person) -> str:
        return _known(p.nicks, genitive(p.given))

    def of_nickname(self, p: Person) -> str:
        return self.expand("w_handle")[0].text.capitalize()

    def of_occupation(self, p: Person) -> str:
        return self.rng.choice(jobs()["female" if p.female else "male"])

    def datum_nat(self, p: Person) -> list[Piece]:
        word, ident = p.place.demonym.split("/")[1 + p.female], NO_MASK
        return self._dem(word, "NATIONALITY", QUASI if p.subject else ident)

    def datum_nationality(self, p: Person) -> list[Piece]:
        return self._dem(p.place.demonym.split("/")[0], "NATIONALITY")

    # Addresses

    def street(self, place: Place) -> str:
        if place not in self.places[:4] and self.rng.random() < 0.5:
            return self._fake_text(self._address_locale(place), "street_address")
        return self._text("w_street")

    def city_first(self, place: Place) -> bool:
        return False

    def home_town(self, place: Place) -> str:
        """A town of a country: those of Germany are many."""
        if place is self.places[0] and self.rng.random() < 0.8:
            return self._text("w_home_town")
        return self.rng.choice(place.cities)

    def postcode(self, place: Place) -> str:
        four = place in self.places[1:4]
        prefixes = ["", "", "", "A-", "CH-"] if four else ["", "", "", "", "D-", "DE-"]
        return self.rng.choice(prefixes) + self.fill("%###" if four else "#%###")

    # Places

    def _town(self) -> str:
        return self._text("w_town")

    def _area(self) -> tuple[str, str, str]:
        """Anything but a town: its name with article, subtype and preposition."""
        shares = [share for share, _ in _AREAS.values()]
        kind = self.rng.choices(list(_AREAS), shares)[0]
        subtype = "COUNTRY" if kind == "land" else "REGION"
        return self._text(f"w_{kind}"), subtype, _AREAS[kind][1]

    def _with_article(self, name: str, case: str, subtype: str) -> list[Piece]:
        """A place, after its article if it has one, which is not labelled."""
        gender, bare = split_article(name)
        ident = NO_MASK if subtype == "COUNTRY" else QUASI
        if not gender:
            text = genitive(bare) if case == "gen" else bare
            return self._loc(text, subtype, ident)
        text = decline_place(bare, case)
        ends = case == "gen" and gender in "mn" and not re.search(r" |[sxz]$", text)
        place = self._loc(text + "s" * ends, subtype, ident)
        return [Piece(article(gender, case) + " "), *place]

    def _any_place(self, case: str) -> list[Piece]:
        if self.rng.random() < 0.55:
            return self._with_article(self._town(), case, "CITY")
        name, subtype, _ = self._area()
        return self._with_article(name, case, subtype)

    slot_ortn = partialmethod(_any_place, "nom")
    slot_orta = partialmethod(_any_place, "acc")
    slot_ortd = partialmethod(_any_place, "dat")
    slot_ortg = partialmethod(_any_place, "gen")

    def _direction(self, preposition: str, case: str) -> list[Piece]:
        """Where, where to or where from: "in Berlin", "in die Türkei", "von der Elbe"."""
        if self.rng.random() < 0.55:
            return [Piece(f"{preposition} "), *self._loc(self._town(), "CITY")]
        name, subtype, where = self._area()
        place = self._with_article(name, case, subtype)
        if preposition == "aus":
            where = "aus" if where == "in" else "von"
        elif preposition == "nach" and place[0].label:
            where = "nach"
        elif name in self.words["on_islands"]:
            where = "auf"
        if place[0].label:
            return [Piece(f"{where} "), *place]
        both = f"{where} {place[0].text.strip()}"
        return [Piece(self.words["contractions"].get(both, both) + " "), *place[1:]]

    slot_in = partialmethod(_direction, "in", "dat")
    slot_nach = partialmethod(_direction, "nach", "acc")
    slot_aus = partialmethod(_direction, "aus", "dat")

    def any_country(self) -> Place:
        """A country to speak of, often the document's own."""
        return self.place if self.rng.random() < 0.4 else self.rng.choice(self.places)

    # Persons who are nobody's role

    def slot_n_given(self) -> list[Piece]:
        """A given name inside a mention, which knows what it is."""
        pool = self.pools()[self.rng.choice(self.place.cultures)]
        kind = self.rng.choice(("MALE", "FEMALE"))
        names = pool.male if kind == "MALE" else pool.female
        return [Piece(self.rng.choice(names), subtype=kind)]

    def slot_n_last(self) -> list[Piece]:
        """A surname inside a mention."""
        return [Piece(self.plain["w_surname"](self), subtype="FAMILY_NAME")]


def _plural_of(people: str) -> str:
    """Inhabitants: "Franzosen"."""
    if people == "Deutscher":
        return "Deutsche"
    return people + "n" * people.endswith("e")


def _known(forms: list[str], text: str) -> str:
    """Let the parts of a mention know another form of a name."""
    if text not in forms:
        forms.append(text)
    return text
