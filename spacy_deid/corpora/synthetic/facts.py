"""What is known about the persons of a synthetic document."""

from __future__ import annotations

import re
import string

from ...schema import DIRECT, NO_MASK, QUASI
from .grammar import Part, Piece
from .names import ADDRESS_LOCALES, Person, Place, ascii_fold, street_parts
from .people import People


class Facts(People):
    """Addresses, numbers and descriptions of the persons of one document."""

    def _domain(self) -> str:
        rng = self.rng
        words = self.expand("w_brand")[0].text
        name = ascii_fold(words)
        if rng.random() < 0.3:
            name += rng.choice(["-group", "-hr", "mail", "net", "labs", "-int", "med"])
        tld = rng.choice(
            "com com com org net co.uk de fr eu io info edu gov.uk com.tr it nl pl "
            "example invalid".split()
        )
        return f"{name}.{tld}"

    def _handle(self, p: Person) -> str:
        rng = self.rng
        first = ascii_fold(self.name_nick(p)) or "user"
        last = ascii_fold(p.last) or "x"
        style = rng.randrange(9)
        handle = [
            f"{first}{last}",
            f"{first}_{last}",
            f"{first[0]}{last}{rng.randint(1, 99)}",
            f"{first}{p.born.year % 100:02}",
            f"the{rng.choice(['real', ''])}{first}",
            f"{self.expand('w_handle')[0].text}{rng.choice(['', '_', ''])}{first}",
            f"{self.expand('w_handle')[0].text}{rng.randint(1, 9999)}",
            f"{first}.{last}",
            f"{last}{first[0]}",
        ][style]
        if rng.random() < 0.2:
            handle = "".join(
                part.capitalize() for part in re.split(r"(?<=[a-z])(?=[_.\d])", handle)
            )
        return handle

    def datum_email(self, p: Person) -> list[Piece]:
        rng = self.rng
        first, last = ascii_fold(p.given) or "info", ascii_fold(p.last) or "x"
        local = rng.choice(
            [
                f"{first}.{last}",
                f"{first[0]}.{last}",
                f"{first}{rng.randint(1, 999)}",
                f"{last}.{first}",
                f"{first}_{last}",
                f"{first[0]}{last}",
                f"{first}+{rng.choice(['news', 'home', 'work'])}",
                self._handle(p),
            ]
        )
        if rng.random() < 0.5:
            domain = rng.choice(
                "gmail.example mail.example example.com example.org inbox.example "
                "webmail.example example.net post.example hotmail.example".split()
            )
        else:
            domain = self._domain()
        return self._code(p, f"{local}@{domain}", "EMAIL")

    def datum_user(self, p: Person) -> list[Piece]:
        return self._code(p, self._handle(p), "USERNAME")

    def datum_handle(self, p: Person) -> list[Piece]:
        return self._code(p, "@" + self._handle(p).replace(".", "_"), "USERNAME")

    def datum_phone(self, p: Person) -> list[Piece]:
        return self._code(p, self._phone(p.place), "PHONE")

    def _phone(self, place: Place) -> str:
        rng = self.rng
        if rng.random() < 0.5:
            locale = self._locale(place, ADDRESS_LOCALES)
            return self._fake(locale).phone_number()
        d = "".join(rng.choices(string.digits, k=12))
        return rng.choice(
            [
                f"({d[:3]}) 555-01{d[3:5]}",
                f"{d[:3]}-555-01{d[3:5]}",
                f"+1 {d[:3]} 555 01{d[3:5]}",
                f"+44 20 7946 0{d[:3]}",
                f"07700 900{d[:3]}",
                f"+49 30 23125 {d[:3]}",
                f"+90 5{d[:2]} {d[2:5]} {d[5:7]} {d[7:9]}",
                f"+33 6 {d[:2]} {d[2:4]} {d[4:6]} {d[6:8]}",
                f"0{d[:3]}/{d[3:9]}",
                f"+48 {d[:3]} {d[3:6]} {d[6:9]}",
                f"{d[:3]}.{d[3:6]}.{d[6:10]}",
                f"1-800-555-01{d[:2]}",
            ]
        )

    def datum_dob(self, p: Person) -> list[Piece]:
        return self._date(p.born, ident=DIRECT if p.subject else QUASI, subtype="DATE")

    def datum_birthyear(self, p: Person) -> list[Piece]:
        year = str(p.born.year)
        return [Piece(year, "DATETIME", "YEAR", QUASI, f"DATETIME:{year}")]

    def datum_age(self, p: Person) -> list[Piece]:
        age = p.memo["years_old"]
        text = self.in_words(age) if self.rng.random() < 0.2 else str(age)
        return self._dem(text, "AGE", QUASI)

    def datum_aged(self, p: Person) -> list[Piece]:
        age = p.memo["years_old"]
        words = self.in_words(age) if self.rng.random() < 0.15 else str(age)
        sep = self.rng.choice(["-", "-", "-", " "])
        return self._dem(f"{words}{sep}year{sep}old", "AGE", QUASI)

    def datum_yo(self, p: Person) -> list[Piece]:
        age = p.memo["years_old"]
        text = self.rng.choice(
            [f"{age}yo", f"{age} y/o", f"{age} yo", f"{age}-year-old", f"{age} y.o."]
        )
        return self._dem(text, "AGE", QUASI)

    def datum_years(self, p: Person) -> list[Piece]:
        return self._dem(f"{p.memo['years_old']} years old", "AGE", QUASI)

    def datum_agesex(self, p: Person) -> list[Piece]:
        text = f"{p.memo['years_old']}{'F' if p.female else 'M'}"
        return self._dem(text, "AGE", QUASI)

    def datum_job(self, p: Person) -> list[Piece]:
        text = self.expand("w_job")[0].text
        return self._dem(text, "OCCUPATION", QUASI if p.subject else NO_MASK)

    def datum_nat(self, p: Person) -> list[Piece]:
        return self._dem(
            p.place.demonym, "NATIONALITY", QUASI if p.subject else NO_MASK
        )

    def datum_language(self, p: Person) -> list[Piece]:
        return self._dem(p.place.language, "LANGUAGE")

    def datum_country(self, p: Person) -> list[Piece]:
        text = p.place.country
        prefix = [Piece("the ")] if text.startswith("the ") else []
        return prefix + self._loc(text.removeprefix("the "), "COUNTRY", NO_MASK)

    def datum_city(self, p: Person) -> list[Piece]:
        return self._loc(self.rng.choice(p.place.cities), "CITY", role=p.role)

    def datum_born_in(self, p: Person) -> list[Piece]:
        return self._loc(self.rng.choice(p.place.cities), "CITY", role=p.role)

    def _street(self, place: Place) -> str:
        if not set(place.cultures) & set(ADDRESS_LOCALES) and self.rng.random() < 0.7:
            return self._composed_street(place)
        locale = self._locale(place, ADDRESS_LOCALES)
        return self._fake(locale).street_address().replace("\n", ", ")

    def _composed_street(self, place: Place) -> str:
        """A street of a country whose addresses Faker doesn't know."""
        rng = self.rng
        pool = self.pools()[rng.choice(place.cultures)]
        name = rng.choice([rng.choice(pool.last), rng.choice(pool.male)])
        number = rng.choice(
            [str(rng.randint(1, 240)), f"{rng.randint(1, 90)}/{rng.randint(1, 30)}"]
        )
        if "tr_TR" in place.cultures or "az_AZ" in place.cultures:
            kind = rng.choice(["Sokak", "Caddesi", "Sok.", "Cad.", "Bulvarı", "Mah."])
            return f"{name} {kind} {rng.choice(['No: ', 'No:', ''])}{number}"
        if {"ru", "uk", "bg"} & set(place.cultures):
            return f"{rng.choice(['ul.', 'ulitsa', 'vul.', 'bul.'])} {name} {number}"
        kind = rng.choice(
            "Street|Street|Road|St.|Avenue|Lane|Square|Boulevard|Close".split("|")
        )
        return rng.choice(
            [
                f"{number} {name} {kind}",
                f"{name} {kind} {number}",
                f"House {number}, {name} {kind}",
            ]
        )

    def _postcode(self, place: Place) -> str:
        return self._fake(self._locale(place, ADDRESS_LOCALES)).postcode()

    def datum_street(self, p: Person) -> list[Piece]:
        street = self._street(p.place)
        return self._loc(street, "ADDRESS", DIRECT, p.role, street_parts(street))

    def datum_town(self, p: Person) -> list[Piece]:
        """Postcode and city, as on an envelope."""
        city = self._loc(self.rng.choice(p.place.cities), "CITY", role=p.role)
        code = self._loc(self._postcode(p.place), "POSTCODE", role=p.role)
        if self._locale(p.place, ADDRESS_LOCALES) in ("en_US", "en_GB", "en_IN"):
            return [*city, Piece(" "), *code]
        return [*code, Piece(" "), *city]

    def datum_addr(self, p: Person) -> list[Piece]:
        """The address in one line, one mention."""
        city = self.rng.choice(p.place.cities)
        street, code = self._street(p.place), self._postcode(p.place)
        text = self.rng.choice(
            [
                f"{street}, {code} {city}",
                f"{street}, {city} {code}",
                f"{street}, {city}",
                f"{street}, {city}, {code}",
            ]
        )
        rest = len(street)
        parts = [*street_parts(street)]
        for value, kind in ((city, "CITY"), (code, "POSTCODE")):
            start = text.find(value, rest)
            if value and start >= 0:
                parts.append(Part(start, start + len(value), kind))
        ident = DIRECT if p.subject else QUASI
        return self._loc(text, "ADDRESS", ident, p.role, tuple(sorted(parts)))

    def datum_nid(self, p: Person) -> list[Piece]:
        return self._code(p, self._nid(), "NATIONAL_ID", DIRECT)

    def _nid(self) -> str:
        if self.rng.random() < 0.5:
            locale = self._locale(self.rng.choice(self.places), ADDRESS_LOCALES)
            text = self._fake(locale).ssn()
            if text:
                return text
        return self._digits(
            self.rng.choice(
                ["%##-##-####", "?? ## ## ## ?", "%##########", "######-####",
                 "%## ### ###", "%#.###.###-#", "########?", "%### #### ####"]
            )
        )  # fmt: skip

    def datum_mrn(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["%######", "MRN%#####", "%##-##-##", "H%######", "%#######", "?#######",
             "%## ### ####", "00######"]
        )  # fmt: skip
        return self._code(p, self._digits(pattern), "HEALTH_ID", DIRECT)

    def datum_passport(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["?#######", "%########", "??#######", "?########", "?? #######"]
        )
        return self._code(p, self._digits(pattern), "PASSPORT", DIRECT)

    def datum_licence(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["?###-####-####", "?????######??#??", "?#######", "########", "##??######"]
        )
        return self._code(p, self._digits(pattern), "DRIVER_LICENCE", DIRECT)

    def datum_iban(self, p: Person) -> list[Piece]:
        text = self._fake(self.rng.choice(["de_DE", "en_GB", "fr_FR", "nl_NL"])).iban()
        if self.rng.random() < 0.6:
            text = " ".join(text[i : i + 4] for i in range(0, len(text), 4))
        return self._code(p, text, "IBAN", DIRECT)

    def datum_card(self, p: Person) -> list[Piece]:
        text = self._fake("en_US").credit_card_number()
        if self.rng.random() < 0.5:
            text = " ".join(text[i : i + 4] for i in range(0, len(text), 4))
        return self._code(p, text, "CARD", DIRECT)

    def datum_account(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["%#######", "%#-##-## ########", "AC-%#####", "%###-####-##", "C%######",
             "%#########"]
        )  # fmt: skip
        return self._code(p, self._digits(pattern), "ACCOUNT", DIRECT)

    def datum_staffid(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(["EMP-#####", "%#####", "S#######", "K-####"])
        return self._code(p, self._digits(pattern), "RECORD_NUMBER", DIRECT)

    def datum_plate(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(
            ["?? ## ???", "??## ???", "%-???-###", "?-?? %###", "??-###-??", "## ?? ###",
             "??? %###"]
        )  # fmt: skip
        return self._code(p, self._digits(pattern), "PLATE", DIRECT)

    def datum_url(self, p: Person) -> list[Piece]:
        path = self.rng.choice(["in/", "u/", "", "users/", "~", "profile/"])
        scheme = self.rng.choice(["https://", "http://www.", "www.", ""])
        return self._code(p, f"{scheme}{self._domain()}/{path}{self._handle(p)}", "URL")

    def datum_ip(self, p: Person) -> list[Piece]:
        return self._code(p, self._fake("en_US").ipv4(), "IP")
