"""Persons of a synthetic document and the forms of their names."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache

from ...text.number_words import in_words
from .calendar import settings
from .expander import Expander
from .grammar import Piece
from .names import (
    FACTS,
    NAME_SUBTYPES,
    Culture,
    Person,
    Place,
    coin_name,
    make_nickname,
    name_parts,
    nicknames,
    street_parts,
)


class People(Expander):
    """The persons of one document, made when a template first names their role."""

    def person(self, role: str) -> Person:
        """The person in a role, made on first use: `s` is the subject, `k...` kin of
        the subject, `d...` a doctor, `j...` a judge, others anybody."""
        if role not in self.people:
            self.people[role] = self._make_person(role)
        return self.people[role]

    def _make_person(self, role: str) -> Person:
        rng = self.rng
        subject = self.person("s") if role.startswith("k") else None
        place, culture = self._origin(subject)
        pool = self.pools()[culture]
        gender = rng.choice("mf")
        given_names = pool.male if gender == "m" else pool.female
        given = rng.choice(given_names)
        last = self._surname(pool, culture)
        if subject is not None and rng.random() < 0.8:
            last = subject.last
        middle = self._middle_names(pool, culture, gender)
        given = self._given_variant(given, given_names, culture)
        suffix = ""
        if gender == "m" and culture == "en_US" and rng.random() < 0.07:
            suffix = rng.choice([" Jr.", ", Jr.", " Sr.", " III", " II", " jr", " IV"])
        age = rng.randint(1, 17) if role.startswith("kc") else rng.randint(18, 88)
        born = self.today - timedelta(days=round(age * 365.25) + rng.randint(1, 360))
        eastern = culture in ("zh", "ko", "vi", "ja") and rng.random() < 0.5
        person = Person(
            role, role == "s", gender, given, middle, last, suffix,
            self._title(role, gender), place, eastern, born,
        )  # fmt: skip
        person.memo["culture"] = culture
        person.memo["years_old"] = age
        return person

    def _origin(self, subject: Person | None) -> tuple[Place, str]:
        """Country and culture of a person; kin share those of the subject."""
        if subject is not None:
            return subject.place, subject.memo["culture"]
        place = self.place if self.rng.random() < 0.6 else self.rng.choice(self.places)
        return place, self.rng.choice(place.cultures)

    def _middle_names(self, pool: Culture, culture: str, gender: str) -> list[str]:
        rng = self.rng
        given_names = pool.male if gender == "m" else pool.female
        if culture.startswith("en_") and rng.random() < 0.45:
            middle = [rng.choice(given_names)]
            if rng.random() < 0.15:
                middle.append(rng.choice(rng.choice([pool.last, given_names])))
            return middle
        if culture in ("ru", "uk") and rng.random() < 0.4:
            return [self._patronymic(rng.choice(pool.male), gender)]
        return [rng.choice(given_names)] if rng.random() < 0.12 else []

    def _given_variant(self, given: str, names: Sequence[str], culture: str) -> str:
        rng = self.rng
        if culture in ("en_IN", "lk") and rng.random() < 0.2:
            return f"{given[0]}. {rng.choice(string.ascii_uppercase)}."
        if culture in ("fr_FR", "de_DE") and rng.random() < 0.12:
            return "-".join(name.split("-")[0] for name in (given, rng.choice(names)))
        return given

    def _title(self, role: str, gender: str) -> str:
        rng = self.rng
        for letter, titles in self.words["role_titles"].items():
            if role.startswith(letter):
                return rng.choice(titles)
        rare = rng.random() < 0.06
        return rng.choice(self.words["rare_titles" if rare else f"titles_{gender}"])

    def _surname(self, pool: Culture, culture: str) -> str:
        rng = self.rng
        last = rng.choice(pool.last)
        if (draw := rng.random()) < 0.08:
            return coin_name(rng, pool.last)
        if draw < 0.12:
            return f"{last.split(' ')[-1]}-{rng.choice(pool.last).split(' ')[-1]}"
        if draw < 0.3 and culture in ("es_ES", "es_MX", "pt_PT", "pt_BR"):
            return f"{last} {rng.choice(pool.last)}"
        particle = FACTS["particles"].get(culture, "") if draw < 0.16 else ""
        if particle.endswith(("'", "-")):
            return particle + re.sub(r"^(O'|[Aa]l-)", "", last)
        if particle in ("Mc", "Mac"):
            return particle + last
        return f"{particle} {last}" if particle and " " not in last else last

    def _patronymic(self, father: str, gender: str) -> str:
        vowel = father[-1] in "aeiouy"
        ending = self.words["patronymic"][gender]["e" if vowel else "o"]
        return (father[:-1] if vowel else father) + ending

    @classmethod
    @cache
    def title_words(cls) -> frozenset[str]:
        """Titles, ranks and degrees, which stand around a name and are no part of it."""
        words = settings(cls.folder)
        keys = ("titles_m", "titles_f", "rare_titles", "ranks", "degrees")
        lists = [*map(words.__getitem__, keys), *words["role_titles"].values()]
        return frozenset(title for titles in lists for title in titles)

    # Forms

    def form_of(self, role: str, form: str) -> list[Piece]:
        person = self.person(role) if role else self.who
        if person is None:
            raise KeyError(f"templates '{self.kind}': '.{form}' is nobody's")
        before, self.who = self.who, person
        try:
            return self.person_form(person, form, bare=not role)
        finally:
            self.who = before

    def person_form(self, person: Person, form: str, bare: bool = False) -> list[Piece]:
        """A person's name, pronoun or datum in some form."""
        if bare and form in _PARTS:
            return [Piece(_PARTS[form](self, person))]
        if bare and (part := getattr(self, f"of_{form}", None)):
            return [Piece(part(person))]
        pronouns, lower = self.words["pronouns"], form[:1].lower() + form[1:]
        if form in pronouns:
            return [Piece(pronouns[form][person.female])]
        if lower in pronouns:
            text = pronouns[lower][person.female]
            return [Piece(text[:1].upper() + text[1:])]
        if form == "any":
            return self.person_form(person, self._any_form(person))
        if f"name.{form}" in self.rules:
            return [self._name(person, form)]
        datum = getattr(self, f"datum_{form}", None)
        if datum is None and f"p.{form}" not in self.rules:
            raise KeyError(f"templates '{self.kind}': no form '{form}' of a person")
        if form not in person.memo:
            person.memo[form] = datum(person) if datum else self.expand(f"p.{form}")
        return [replace(piece) for piece in person.memo[form]]

    def _name(self, person: Person, form: str) -> Piece:
        text = person.memo.get(form) or self._text(f"name.{form}")
        if form == "stage":
            # It stays as it was first written.
            person.memo[form] = text
        return self._named(person, text, NAME_SUBTYPES.get(form, "FULL_NAME"))

    def _named(self, person: Person, text: str, subtype: str) -> Piece:
        parts, key = name_parts(person, text, self.title_words()), f"p:{person.role}"
        role = person.role
        return Piece(text, "PERSON", subtype, person.ident, key, role, parts, text)

    def _any_form(self, p: Person) -> str:
        """Later mentions: mostly in the form that this document prefers."""
        forms: Mapping[str, float] = self.words["name_forms"]
        if "any" not in p.memo:
            p.memo["any"] = self.rng.choices(list(forms), list(forms.values()))[0]
        return p.memo["any"] if self.rng.random() < 0.7 else self.rng.choice([*forms])

    # Parts of names and data, for the rules

    def kept(self, p: Person, name: str, options: Sequence[str]) -> str:
        """One of some options, the same for a person whenever it is asked for."""
        return p.memo.setdefault(name, self.rng.choice(options))

    def of_rank(self, p: Person) -> str:
        return self.rng.choice(self.words["ranks"])

    def of_nick(self, p: Person) -> str:
        if not p.nicks:
            pool = self.pools()[p.memo["culture"]]
            nick = p.given
            if known := nicknames(self.folder).get(p.given):
                nick = self.rng.choice(known.split())
            elif self.rng.random() < 0.4:
                nick = make_nickname(self.rng, p.given)
            # "Ana" of Anatol would be a woman's.
            others = pool.male if p.female else pool.female
            p.nicks.append(p.given if nick in others else nick)
        return p.nicks[0]

    def of_nickname(self, p: Person) -> str:
        """A name between quotation marks."""
        nick = self.of_nick(p)
        return self.expand("w_stage")[0].text if nick == p.given else nick

    def of_maiden(self, p: Person) -> str:
        if "maiden_name" not in p.memo:
            culture = p.memo["culture"]
            p.memo["maiden_name"] = self._surname(self.pools()[culture], culture)
            p.others.append(p.memo["maiden_name"])
        return p.memo["maiden_name"]

    def of_native(self, p: Person) -> str:
        """A name in the script of the person's language, where that isn't Latin."""
        if (locale := FACTS["script_locales"].get(p.place.language)) is None:
            return p.full()
        if "native_name" not in p.memo:
            fake = self._fake(locale)
            first = fake.first_name_female() if p.female else fake.first_name_male()
            sep = "" if locale in ("zh_CN", "ja_JP", "ko_KR") else " "
            order = (fake.last_name(), first) if not sep else (first, fake.last_name())
            p.memo["native_name"] = sep.join(order).strip()
        return p.memo["native_name"]

    def datum_dob(self, p: Person) -> list[Piece]:
        return self._date(p.born, p.ident)

    def datum_city(self, p: Person) -> list[Piece]:
        return self._loc(self.home_town(p.place), "CITY", role=p.role)

    datum_born_in = datum_city

    def datum_town(self, p: Person) -> list[Piece]:
        """Postcode and city, as on an envelope."""
        city = self._loc(self.home_town(p.place), "CITY", role=p.role)
        code = self._loc(self.postcode(p.place), "POSTCODE", role=p.role)
        first, last = (city, code) if self.city_first(p.place) else (code, city)
        return [*first, Piece(" "), *last]

    # Parts of addresses, which know what they are

    def _where(self) -> Place:
        return self.place if self.who is None else self.who.place

    def slot_a_street(self) -> list[Piece]:
        text = self.street(self._where())
        return [Piece(text, parts=street_parts(text))]

    def slot_a_city(self) -> list[Piece]:
        return [Piece(self.home_town(self._where()), subtype="CITY")]

    def slot_a_code(self) -> list[Piece]:
        return [Piece(self.postcode(self._where()), subtype="POSTCODE")]

    def home_town(self, place: Place) -> str:
        """A town of a country."""
        return self.rng.choice(place.cities)

    def city_first(self, place: Place) -> bool:
        """Whether the postcode stands after the city."""
        return self._address_locale(place) in ("en_US", "en_GB", "en_IN")

    def postcode(self, place: Place) -> str:
        return self._fake(self._address_locale(place)).postcode()

    def street(self, place: Place) -> str:
        """A street with number."""
        raise NotImplementedError


# Parts of names that take one line.
_PARTS: dict[str, Callable[[People, Person], str]] = {
    "full": lambda w, p: p.full(w.kept(p, "middle", ["full", "initial", "none"])),
    "plain": lambda w, p: p.full("none"),
    "complete": lambda w, p: p.full("full"),
    "given": lambda w, p: p.given,
    "givens": lambda w, p: " ".join([p.given, *p.middle]),
    "last": lambda w, p: p.last,
    "title": lambda w, p: p.title,
    "degree": lambda w, p: w.rng.choice(w.words["degrees"]),
    "dotted": lambda w, p: w.rng.choice(["", "", " "]).join(
        f"{name[0]}." for name in (p.given, *p.middle)
    ),
    "letters": lambda w, p: w.rng.choice(["", "."]).join(
        [name[0] for name in (p.given, *p.middle, p.last)]
    ),
    # The end of a name called out: "jakeeee".
    "drawl": lambda w, p: w.of_nick(p)[-1].lower() * w.rng.randint(1, 4),
    "age": lambda w, p: str(p.memo["years_old"]),
    "agew": lambda w, p: in_words(p.memo["years_old"], lang=w.folder),
}
