"""Persons of a synthetic document and the forms of their names."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cache

from ...schema import DIRECT, QUASI
from .expander import Expander
from .grammar import Piece
from .names import (
    NAME_SUBTYPES,
    SCRIPT_LOCALES,
    Culture,
    Person,
    Place,
    coin_name,
    make_nickname,
    name_parts,
)


class People(Expander):
    """The persons of one document, made when a template first names their role."""

    titles: Mapping[str, Sequence[str]] = {
        "m": ("Mr", "Mr.", "Mr"),
        "f": ("Mrs", "Ms", "Ms.", "Miss"),
    }
    role_titles: Mapping[str, Sequence[str]] = {
        "d": "Dr Dr. Dr Dr. Dr Dr. Prof. Professor".split(),
        "j": ("Judge", "Justice", "Mr Justice", "Judge", "HHJ"),
        "o": "Sergeant Constable Inspector Officer Captain Lt. Detective PC DC Sgt. "
        "Colonel".split(),
    }
    rare_titles: Sequence[str] = (
        "Dr Prof. Professor Sir Rev. Father Captain Lord Sheikh Lady".split()
    )
    ranks: Sequence[str] = (
        "President|General|Senator|Prime Minister|King|Minister|Mayor|Chancellor|"
        "Governor|Queen|Colonel|Lt Gen|Archbishop|Congressman|Sheriff|PM".split("|")
    )
    degrees: Sequence[str] = ("PhD", "MD", "M.D.", "RN", "MSc", "Esq.", "MBA")

    def person(self, role: str) -> Person:
        """The person in a role, made on first use."""
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
        title = self._title(role, gender)
        age = rng.randint(18, 88)
        if role.startswith("kc"):
            age = rng.randint(1, 17)
        born = self.today - timedelta(days=round(age * 365.25) + rng.randint(1, 360))
        eastern = culture in ("zh", "ko", "vi", "ja") and rng.random() < 0.5
        order = "eastern" if eastern else "western"
        person = Person(
            role, role == "s", gender, given, middle, last, suffix, title, place,
            order, born,
        )  # fmt: skip
        person.memo["culture"] = culture
        person.memo["years_old"] = age
        return person

    def _origin(self, subject: Person | None) -> tuple[Place, str]:
        """Country and culture of a person; kin share those of the subject."""
        if subject is not None:
            place = subject.place
        elif self.rng.random() < 0.6:
            place = self.place
        else:
            place = self.rng.choice(self.places)
        culture = self.rng.choice(place.cultures)
        return place, culture if subject is None else subject.memo["culture"]

    def _middle_names(self, pool: Culture, culture: str, gender: str) -> list[str]:
        rng = self.rng
        given_names = pool.male if gender == "m" else pool.female
        if culture.startswith("en_") and rng.random() < 0.45:
            middle = [rng.choice(given_names)]
            if rng.random() < 0.15:
                middle.append(
                    rng.choice([rng.choice(pool.last), rng.choice(given_names)])
                )
            return middle
        if culture in ("ru", "uk") and rng.random() < 0.4:
            return [self._patronymic(pool, gender)]
        return [rng.choice(given_names)] if rng.random() < 0.12 else []

    def _given_variant(self, given: str, names: Sequence[str], culture: str) -> str:
        rng = self.rng
        if culture in ("en_IN", "lk") and rng.random() < 0.2:
            return f"{given[0]}. {rng.choice(string.ascii_uppercase)}."
        if culture in ("fr_FR", "de_DE") and rng.random() < 0.12:
            return (
                f"{given.split('-', maxsplit=1)[0]}-{rng.choice(names).split('-')[0]}"
            )
        return given

    def _title(self, role: str, gender: str) -> str:
        """Form of address: role `d...` is a doctor, `j...` a judge, `o...` an
        officer."""
        rng = self.rng
        title = rng.choice(self.titles[gender])
        for letter, titles in self.role_titles.items():
            if role.startswith(letter):
                return rng.choice(titles)
        return rng.choice(self.rare_titles) if rng.random() < 0.06 else title

    def _surname(self, pool: Culture, culture: str) -> str:
        rng = self.rng
        last = rng.choice(pool.last)
        draw = rng.random()
        if draw < 0.08:
            last = coin_name(rng, pool.last)
        elif draw < 0.12:
            last = f"{last.split(' ')[-1]}-{rng.choice(pool.last).split(' ')[-1]}"
        elif draw < 0.3 and culture in ("es_ES", "es_MX", "pt_PT", "pt_BR"):
            last = f"{last} {rng.choice(pool.last)}"
        elif draw < 0.16:
            particles = {
                "de_DE": "von", "de_AT": "von", "nl_NL": "van der", "fr_FR": "de",
                "it_IT": "Di", "es_ES": "de la", "en_IE": "O'", "en_US": "Mc",
                "en_GB": "Mac", "pt_BR": "da", "ar": "al-",
            }  # fmt: skip
            particle = particles.get(culture)
            if particle and particle[-1] in "'-":
                last = particle + re.sub(r"^(O'|[Aa]l-)", "", last)
            elif particle in ("Mc", "Mac"):
                last = particle + last
            elif particle and " " not in last:
                last = f"{particle} {last}"
        return last

    def _patronymic(self, pool: Culture, gender: str) -> str:
        base = self.rng.choice(pool.male)
        if base[-1] in "aeiouy":
            return base[:-1] + ("evich" if gender == "m" else "evna")
        return base + ("ovich" if gender == "m" else "ovna")

    @classmethod
    @cache
    def title_words(cls) -> frozenset[str]:
        """Everything that may stand before or after a name without being part of it."""
        lists = (*cls.titles.values(), *cls.role_titles.values())
        words = {title for titles in lists for title in titles}
        return frozenset(words | {*cls.rare_titles, *cls.ranks, *cls.degrees})

    def form_of(self, role: str, form: str) -> list[Piece]:
        return self.person_form(self.person(role), form)

    def person_form(self, person: Person, form: str) -> list[Piece]:
        """A person's name, pronoun or datum in some form."""
        lower = form[:1].lower() + form[1:]
        if form in self.pronouns or lower in self.pronouns:
            pair = self.pronouns.get(form) or self.pronouns[lower]
            text = pair[person.female]
            if form not in self.pronouns:
                text = text[:1].upper() + text[1:]
            return [Piece(text)]
        name = getattr(self, f"name_{form}", None)
        if name is not None:
            if form == "any":
                return self.person_form(person, self._any_form(person))
            subtype = NAME_SUBTYPES.get(form, "FULL_NAME")
            ident = DIRECT if person.subject else QUASI
            text, key = name(person), f"p:{person.role}"
            parts = name_parts(person, text, self.title_words())
            return [
                Piece(text, "PERSON", subtype, ident, key, person.role, parts, text)
            ]
        datum = getattr(self, f"datum_{form}", None)
        if datum is None:
            raise KeyError(f"templates '{self.kind}': no form '{form}' of a person")
        if form not in person.memo:
            person.memo[form] = datum(person)
        return [Piece(**vars(piece)) for piece in person.memo[form]]

    def name_full(self, p: Person) -> str:
        if "middle" not in p.memo:
            p.memo["middle"] = self.rng.choice(["full", "initial", "none"])
        return p.full(p.memo["middle"])

    def name_plain(self, p: Person) -> str:
        return p.full("none")

    def name_complete(self, p: Person) -> str:
        return p.full("full")

    def name_first(self, p: Person) -> str:
        return p.given

    def name_last(self, p: Person) -> str:
        return p.last

    def name_nick(self, p: Person) -> str:
        if not p.nicks:
            known = self.nicknames.get(p.given)
            if known:
                p.nicks.append(self.rng.choice(known.split()))
            elif self.rng.random() < 0.4:
                p.nicks.append(make_nickname(self.rng, p.given))
            else:
                p.nicks.append(p.given)
        return p.nicks[0]

    def name_nickcaps(self, p: Person) -> str:
        return self.name_nick(p).upper()

    def name_drawn(self, p: Person) -> str:
        """A name called out: "jakeeee"."""
        nick = self.name_nick(p)
        return nick + nick[-1].lower() * self.rng.randint(1, 4)

    def name_stage(self, p: Person) -> str:
        """The name an artist, player or streamer goes by."""
        if "stage_name" not in p.memo:
            word = self.expand("w_stage")[0].text
            second = self.expand("w_stage")[0].text
            prefix = self.expand("w_stage_title")[0].text
            nick = self.name_nick(p)
            p.memo["stage_name"] = self.rng.choice(
                [f"{prefix} {word}", f"{prefix} {nick}", f"{nick} {word}", word,
                 f"{word} {second}", f"{nick} the {word}", f"{nick[0]}-{word}",
                 f"{word} {self.rng.randint(1, 99)}", f"{nick[0]}{p.last[0]}"]
            )  # fmt: skip
        return p.memo["stage_name"]

    def name_tlast(self, p: Person) -> str:
        return f"{p.title} {p.last}"

    def name_tfull(self, p: Person) -> str:
        return f"{p.title} {self.name_full(p)}"

    def name_tplain(self, p: Person) -> str:
        return f"{p.title} {p.full('none')}"

    def name_tinit(self, p: Person) -> str:
        return f"{p.title} {self.name_init(p)}"

    def name_init(self, p: Person) -> str:
        letters = [p.given[0], *(m[0] for m in p.middle)]
        sep = self.rng.choice(["", "", " "])
        return sep.join(f"{x}." for x in letters) + f" {p.last}"

    def name_initials(self, p: Person) -> str:
        letters = [p.given[0], *(m[0] for m in p.middle), p.last[0]]
        return self.rng.choice([".".join(letters) + ".", "".join(letters)]).upper()

    def name_short(self, p: Person) -> str:
        return f"{p.given} {p.last[0].upper()}" + self.rng.choice([".", ""])

    def name_formal(self, p: Person) -> str:
        last = p.last.upper() if self.rng.random() < 0.5 else p.last
        return f"{last}, {' '.join([p.given, *p.middle])}"

    def name_caps(self, p: Person) -> str:
        return self.name_full(p).upper()

    def name_tcaps(self, p: Person) -> str:
        return f"{p.title} {self.name_full(p)}".upper()

    def name_lastcaps(self, p: Person) -> str:
        return p.last.upper()

    def name_mixed(self, p: Person) -> str:
        return f"{p.given} {p.last.upper()}"

    def name_quoted(self, p: Person) -> str:
        nick = self.name_nick(p)
        if nick == p.given:
            nick = self.expand("w_stage")[0].text
        return f'{p.given} "{nick}" {p.last}'

    def name_post(self, p: Person) -> str:
        degree = self.rng.choice(self.degrees)
        return f"{self.name_full(p)}, {degree}"

    def name_lower(self, p: Person) -> str:
        return p.full("none").lower()

    def name_lfirst(self, p: Person) -> str:
        return self.name_nick(p).lower()

    def name_maiden(self, p: Person) -> str:
        if "maiden_name" not in p.memo:
            p.memo["maiden_name"] = self._surname(
                self.pools()[p.memo["culture"]], p.memo["culture"]
            )
            p.others.append(p.memo["maiden_name"])
        return p.memo["maiden_name"]

    def name_alias(self, p: Person) -> str:
        last = self.name_maiden(p).split()[-1]
        nick = self.rng.choice(["DJ", "MC", "Lil", "Big", "Young", "King", "Lady"])
        return self.rng.choice([f"{self.name_nick(p)} {last}", f"{nick} {p.given}"])

    def name_native(self, p: Person) -> str:
        """A name in the script of the person's language, where that isn't Latin."""
        locale = SCRIPT_LOCALES.get(p.place.language)
        if locale is None:
            return p.full()
        if "native_name" not in p.memo:
            fake = self._fake(locale)
            first = fake.first_name_female() if p.female else fake.first_name_male()
            sep = "" if locale in ("zh_CN", "ja_JP", "ko_KR") else " "
            order = (fake.last_name(), first) if not sep else (first, fake.last_name())
            p.memo["native_name"] = sep.join(order).strip()
        return p.memo["native_name"]

    def _rank(self) -> str:
        return self.rng.choice(self.ranks)

    def name_rlast(self, p: Person) -> str:
        return f"{self._rank()} {p.last}"

    def name_rplain(self, p: Person) -> str:
        return f"{self._rank()} {p.full('none')}"

    def name_dr(self, p: Person) -> str:
        return f"{self.rng.choice(['Dr', 'Dr.', 'Dr'])} {p.last}"

    def name_any(self, p: Person) -> str:
        return getattr(self, f"name_{self._any_form(p)}")(p)

    def _any_form(self, p: Person) -> str:
        """Later mentions: mostly in the form that this document prefers."""
        forms = ("last", "tlast", "first", "full", "plain", "tfull", "init")
        if "any" not in p.memo:
            p.memo["any"] = self.rng.choices(forms, (5, 5, 4, 2, 2, 1, 1))[0]
        return p.memo["any"] if self.rng.random() < 0.7 else self.rng.choice(forms)
