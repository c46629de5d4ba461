"""The world of one synthetic document: everybody and everything in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from ...schema import DIRECT, NO_MASK, QUASI
from .calendar import ordinal
from .grammar import Piece
from .names import street_parts
from .rough import ROUGHNESS, Roughness
from .tables import Tables

# Share of each kind in a mixed corpus.
KINDS: dict[str, float] = {
    "email": 14,
    "letter": 7,
    "clinical": 12,
    "chat": 9,
    "ticket": 8,
    "essay": 7,
    "biography": 11,
    "court": 10,
    "form": 8,
    "post": 9,
    "news": 9,
    "snippet": 9,
    "table": 5,
    "log": 3,
    "product": 5,
    "manual": 3,
}
NEGATIVE_KINDS = ("product", "manual")


# Code and name of currencies that people sue for.
_CURRENCIES = (
    ("EUR", "euros"),
    ("EUR", "euros"),
    ("TRL", "Turkish liras"),
    ("TRY", "Turkish liras"),
    ("TRY", "new Turkish liras"),
    ("PLN", "Polish zlotys"),
    ("ATS", "Austrian schillings"),
    ("DEM", "German marks"),
    ("DEM", "Deutsche Mark"),
    ("GBP", "pounds sterling"),
    ("SEK", "Swedish kronor"),
    ("NOK", "Norwegian kroner"),
    ("DKK", "Danish kroner"),
    ("FRF", "French francs"),
    ("BEF", "Belgian francs"),
    ("CHF", "Swiss francs"),
    ("ITL", "Italian lire"),
    ("ESP", "Spanish pesetas"),
    ("GRD", "Greek drachmas"),
    ("HUF", "Hungarian forints"),
    ("CZK", "Czech korunas"),
    ("SKK", "Slovak korunas"),
    ("RON", "Romanian lei"),
    ("ROL", "Romanian lei"),
    ("MDL", "Moldovan lei"),
    ("BGN", "Bulgarian levs"),
    ("HRK", "Croatian kunas"),
    ("UAH", "Ukrainian hryvnias"),
    ("RUB", "Russian roubles"),
    ("GEL", "Georgian laris"),
    ("CYP", "Cypriot pounds"),
    ("USD", "United States dollars"),
    ("JPY", "yen"),
    ("INR", "rupees"),
)


class World(Tables):
    """Everybody and everything in one English document, made as the templates ask for
    it. Other languages derive from it.

    rng (random.Random): Source of randomness.
    kind (str): Kind of document, names the template file.
    locales (Sequence[str]): Faker locales that persons and places come from.
    """

    kinds: Mapping[str, float] = KINDS
    roughness: Mapping[str, Roughness] = ROUGHNESS

    def _some_day(self) -> date:
        return self.today - timedelta(days=self.rng.randint(0, 900))

    def slot_today(self) -> list[Piece]:
        return self._date(self.today)

    def slot_date(self) -> list[Piece]:
        return self._date(self._some_day())

    def slot_recent(self) -> list[Piece]:
        return self._date(self.today - timedelta(days=self.rng.randint(1, 30)))

    def slot_soon(self) -> list[Piece]:
        return self._date(self.today + timedelta(days=self.rng.randint(1, 60)))

    def slot_next(self) -> list[Piece]:
        """A date after the last one of the document."""
        self.clock += timedelta(days=self.rng.randint(2, 260))
        return self._date(self.clock)

    def slot_old(self) -> list[Piece]:
        days = self.rng.randint(3000, 24000)
        return self._date(self.today - timedelta(days=days))

    def slot_day(self) -> list[Piece]:
        day = self.today + timedelta(days=self.rng.randint(-40, 40))
        text = self.rng.choice(self.day_formats)(day)
        if text.startswith("the "):
            return [Piece("the "), *self._when(text[4:], "DATE")]
        return self._when(text, "DATE")

    def slot_wday(self) -> list[Piece]:
        """Weekday with date."""
        day = self.today + timedelta(days=self.rng.randint(-40, 40))
        name = self.days[day.weekday()]
        text = self.rng.choice(
            [
                f"{name}, {self.date_formats['dmy'](day)}",
                f"{name} {day.day} {self.months[day.month - 1]}",
                f"{name}, {self.months[day.month - 1]} {day.day}",
                f"{name[:3]}, {day.day} {self.months[day.month - 1][:3]} {day.year}",
                f"{name} the {ordinal(day.day)}",
            ]
        )
        return self._when(text, "DATE")

    def slot_weekday(self) -> list[Piece]:
        return self._when(self.rng.choice(self.days), "WEEKDAY", NO_MASK)

    def slot_month(self) -> list[Piece]:
        day = self._some_day()
        return self._when(f"{self.months[day.month - 1]} {day.year}", "DATE")

    def slot_monthonly(self) -> list[Piece]:
        return self._when(self.rng.choice(self.months), "DATE")

    def slot_year(self) -> list[Piece]:
        year = self.today.year - int(self.rng.triangular(0, 60, 4))
        return self._when(str(year), "YEAR")

    def slot_years(self) -> list[Piece]:
        start = self.today.year - self.rng.randint(5, 50)
        end = start + self.rng.randint(1, 9)
        text = self.rng.choice(
            [f"{start}–{end}", f"{start}-{end}", f"{start}/{end % 100:02}",
             f"{start} - {end}"]
        )  # fmt: skip
        return self._when(text, "DATE_RANGE")

    def slot_decade(self) -> list[Piece]:
        decade = self.rng.choice(range(1950, 2020, 10))
        prefix = self.rng.choice(["", "", "early ", "late ", "mid-"])
        return self._when(f"{prefix}{decade}s", "YEAR")

    def slot_time(self) -> list[Piece]:
        hour, minute = self.rng.randint(0, 23), self.rng.choice([0, 15, 30, 45, 5, 52])
        half = "am" if hour < 12 else "pm"
        twelve = (hour - 1) % 12 + 1
        text = self.rng.choice(
            [
                f"{hour:02}:{minute:02}",
                f"{twelve}:{minute:02} {half}",
                f"{twelve}.{minute:02}{half}",
                f"{twelve}{half}",
                f"{hour:02}.{minute:02}",
                f"{twelve}:{minute:02} {half[0]}.m.",
                f"{hour:02}:{minute:02}",
            ]
        )
        return self._when(text, "TIME")

    def slot_clock(self) -> list[Piece]:
        text = f"{self.rng.randint(0, 23):02}:{self.rng.randint(0, 59):02}"
        return self._when(text, "TIME", NO_MASK)

    def slot_stamp(self) -> list[Piece]:
        moment = datetime(self.today.year, self.today.month, self.today.day)
        moment += timedelta(seconds=self.rng.randint(0, 86399))
        text = self.rng.choice(
            [
                moment.strftime("%Y-%m-%d %H:%M:%S"),
                moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
                moment.strftime("%d/%b/%Y:%H:%M:%S +0000"),
                moment.strftime("%Y-%m-%d %H:%M:%S")
                + f",{self.rng.randint(0, 999):03}",
            ]
        )
        return self._when(text, "DATE")

    def slot_maildate(self) -> list[Piece]:
        moment = datetime(self.today.year, self.today.month, self.today.day)
        moment += timedelta(seconds=self.rng.randint(0, 86399))
        day, mon = self.days[moment.weekday()], self.months[moment.month - 1]
        text = self.rng.choice(
            [
                f"{day[:3]}, {moment.day} {mon[:3]} {moment:%Y %H:%M:%S} +0100",
                f"{day}, {mon} {moment.day}, {moment.year} {moment:%I:%M %p}",
                f"{moment.day} {mon} {moment.year} {moment:%H:%M}",
                f"{moment:%d/%m/%Y %H:%M}",
                f"{day[:3]}, {mon[:3]} {moment.day}, {moment.year} at {moment:%I:%M %p}",
            ]
        )
        return self._when(text, "DATE")

    def slot_dur(self) -> list[Piece]:
        rng = self.rng
        n = rng.randint(1, 24)
        unit = rng.choice(["day", "week", "month", "year", "year", "month", "hour"])
        number = self.in_words(n) if rng.random() < 0.6 else str(n)
        text = f"{number} {unit}{'' if n == 1 else 's'}"
        return self._when(text, "DURATION", NO_MASK)

    def slot_city(self) -> list[Piece]:
        place = self.place if self.rng.random() < 0.5 else self.rng.choice(self.places)
        return self._loc(self.rng.choice(place.cities), "CITY")

    def slot_w_city(self) -> list[Piece]:
        """A city of the document's country, for use inside longer names."""
        return [Piece(self.rng.choice(self.place.cities))]

    def slot_country(self) -> list[Piece]:
        text = self.rng.choice(self.places).country
        prefix = [Piece("the ")] if text.startswith("the ") else []
        return prefix + self._loc(text.removeprefix("the "), "COUNTRY", NO_MASK)

    def slot_homeland(self) -> list[Piece]:
        text = self.place.country
        prefix = [Piece("the ")] if text.startswith("the ") else []
        return prefix + self._loc(text.removeprefix("the "), "COUNTRY", NO_MASK)

    def slot_w_country(self) -> list[Piece]:
        return [Piece(self.place.country.removeprefix("the "))]

    def slot_nat(self) -> list[Piece]:
        return self._dem(self.rng.choice(self.places).demonym, "NATIONALITY")

    def slot_homenat(self) -> list[Piece]:
        return self._dem(self.place.demonym, "NATIONALITY")

    def slot_w_demonym(self) -> list[Piece]:
        return [Piece(self.place.demonym)]

    def slot_language(self) -> list[Piece]:
        return self._dem(self.rng.choice(self.places).language, "LANGUAGE")

    def slot_w_surname(self) -> list[Piece]:
        """A surname inside another name: firms, streets, prizes."""
        culture = self.rng.choice(self.place.cultures)
        return [Piece(self.rng.choice(self.pools()[culture].last))]

    def slot_w_given(self) -> list[Piece]:
        pool = self.pools()[self.rng.choice(self.place.cultures)]
        return [Piece(self.rng.choice([*pool.male[:200], *pool.female[:200]]))]

    def slot_street(self) -> list[Piece]:
        street = self._street(self.place)
        return self._loc(street, "ADDRESS", parts=street_parts(street))

    def slot_coords(self) -> list[Piece]:
        fake = self._fake("en_US")
        text = f"{float(fake.latitude()):.5f}, {float(fake.longitude()):.5f}"
        return self._loc(text, "COORDINATES")

    def slot_money(self) -> list[Piece]:
        rng = self.rng
        amount = rng.choice([rng.randint(5, 999), rng.randint(10, 900) * 100,
                             rng.randint(1, 90) * 10000])  # fmt: skip
        cents = f".{rng.randint(0, 99):02}" if rng.random() < 0.3 else ""
        figure = f"{amount:,}{cents}"
        text = rng.choice(
            [
                f"${figure}",
                f"£{figure}",
                f"€{figure}",
                f"EUR {figure}",
                f"{figure} euros",
                f"USD {figure}",
                f"{figure} dollars",
                f"{figure} PLN",
                f"TRY {figure}",
                f"GBP {figure}",
                f"{figure} euros (EUR)",
                f"CHF {figure}",
                f"Rs. {figure}",
                f"{rng.randint(1, 40)}.{rng.randint(1, 9)} million dollars",
                f"{figure} SEK",
                f"${rng.randint(2, 90)}k",
            ]
        )
        return [Piece(text, "QUANTITY", "MONEY", QUASI, f"QUANTITY:{text.lower()}")]

    def slot_sum(self) -> list[Piece]:
        """An amount as courts write it: "5,050,500 Turkish liras (TRL)"."""
        rng = self.rng
        text = self._sum(rng.choice(_CURRENCIES))
        if rng.random() < 0.2:
            about = rng.choice(["approximately", "approx.", "about"])
            text += f" ({about} {self._sum(('EUR', 'euros'))})"
        return [Piece(text, "QUANTITY", "MONEY", QUASI, f"QUANTITY:{text.lower()}")]

    def _sum(self, currency: tuple[str, str]) -> str:
        rng = self.rng
        code, name = currency
        amount = rng.randint(1, 9999) * 10 ** rng.choice((0, 0, 0, 1, 1, 2, 2, 3, 5, 6))
        figure = f"{amount:,}"
        if rng.random() < 0.2:
            figure += f".{rng.randint(0, 99):02}"
        elif rng.random() < 0.1:
            figure = figure.replace(",", ".")
        forms = [f"{code} {figure}", f"{figure} {name} ({code})", f"{figure} {name}",
                 f"{code} {figure}", f"{figure} {code}"]  # fmt: skip
        if amount < 100:
            forms.append(f"{self.in_words(amount)} {name}")
        return rng.choice(forms)

    def slot_percent(self) -> list[Piece]:
        text = (
            f"{self.rng.randint(1, 99)}{self.rng.choice(['%', '%', ' %', ' per cent'])}"
        )
        return [Piece(text, "QUANTITY", "PERCENT", NO_MASK, f"QUANTITY:{text}")]

    def slot_measure(self) -> list[Piece]:
        rng = self.rng
        text = rng.choice(
            [
                f"{rng.randint(45, 130)} kg",
                f"{rng.randint(150, 200)} cm",
                f"{rng.randint(5, 400)} km",
                f"{rng.randint(2, 90)} metres",
                f"5'{rng.randint(0, 11)}\"",
                f"{rng.randint(95, 290)} lbs",
                f"{rng.randint(2, 60)} miles",
                f"{rng.randint(40, 900)} sq m",
                f"1.{rng.randint(50, 98)} m",
            ]
        )
        return [Piece(text, "QUANTITY", "MEASURE", QUASI, f"QUANTITY:{text}")]

    def slot_height(self) -> list[Piece]:
        rng = self.rng
        cm = rng.randint(148, 202)
        return self._measure(
            rng.choice(
                [f"{cm} cm", f"{cm}cm", f"{cm / 100:.2f} m", f"5'{rng.randint(0, 11)}\"",
                 f"{rng.choice('56')} ft {rng.randint(0, 11)}", f"{cm / 100:.2f}m"]
            )
        )  # fmt: skip

    def slot_weight(self) -> list[Piece]:
        kg = self.rng.randint(45, 130)
        return self._measure(
            self.rng.choice([f"{kg} kg", f"{kg}kg", f"{kg * 2} lbs", f"{kg}.5 kg"])
        )

    def slot_count(self) -> list[Piece]:
        n = self.rng.randint(2, 60)
        text = self.in_words(n) if self.rng.random() < 0.7 else str(n)
        return [Piece(text, "QUANTITY", "COUNT", QUASI, f"QUANTITY:{text}")]

    def slot_tally(self) -> list[Piece]:
        """How many films, caps or votes: mostly in figures, small ones in words."""
        rng = self.rng
        n = round(10 ** rng.uniform(0.3, 3.3))
        text = self.in_words(n) if n < 13 and rng.random() < 0.7 else f"{n:,}"
        return [Piece(text, "QUANTITY", "COUNT", QUASI, f"QUANTITY:{text}")]

    def slot_score(self) -> list[Piece]:
        """Goals, sets or votes: "3–0", "289–296"."""
        rng = self.rng
        top = rng.choice((6, 6, 9, 40, 300))
        dash = rng.choice("–-–-")
        text = f"{rng.randint(0, top)}{dash}{rng.randint(0, top)}"
        return [Piece(text, "QUANTITY", "COUNT", QUASI, f"QUANTITY:{text}")]

    def slot_area(self) -> list[Piece]:
        """Sizes of land and rooms, lengths, volumes."""
        rng = self.rng
        n = rng.choice((rng.randint(2, 99), rng.randint(100, 9999)))
        unit = rng.choice(
            ["m²", "square metres", "sq. m", "hectares", "ha", "acres", "metres",
             "kilometres", "km", "litres", "tonnes", "kg", "cm", "mm", "square feet",
             "centimetres", "grams"]
        )  # fmt: skip
        text = f"{n:,} {unit}"
        if rng.random() < 0.1:
            text = f"{rng.randint(2, 90)} x {rng.randint(2, 90)} {unit}"
        return self._measure(text)

    def slot_w_title(self) -> list[Piece]:
        """Title of a work, of any words: the breadth that lists lack."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.07:
            locale = rng.choice(("fr_FR", "de_DE", "pl_PL", "zh_CN", "ja_JP", "ru_RU"))
            words = self._fake(locale).words(rng.randint(1, 4))
            gap = "" if locale in ("zh_CN", "ja_JP") else " "
            text = gap.join(words)
            return [Piece(text[:1].upper() + text[1:])]
        name = rng.choice((self.slot_w_given, self.slot_w_surname, self.slot_w_city))
        proper = name()[0].text
        a, b, c = (w.capitalize() for w in self._fake("en_US").words(3))
        n = rng.choice((2, 2, 3, rng.randint(2, 99)))
        forms = [
            f"{a} {b}", f"The {a}", f"The {a} {b}", f"{a} of {b}", f"{a} and {b}", a,
            f"The {a} of {proper}", f"{proper}", f"{proper}'s {a}", f"{a} in {proper}",
            f"The {proper} {a}", f"{a} {b} {c}", f"{a} the {b}", f"{a} {n}", f"My {a}",
            f"{a}, {b} and {c}", f"The {a}: A {b}", f"{a} for {proper}", f"No {a}",
            f"{a} with {proper}", f"{a} & {b}", f"The Last {a}", f"{proper} {n}",
            f"The {proper} Show", f"{a} to {b}", f"How to {a}", f"Who Is {proper}?",
            f"{a}: {b} {c}", f"On {a} and {b}", f"A {a} {b}", f"{a} Me {b}", f"Oh {a}!",
        ]  # fmt: skip
        return [Piece(rng.choice(forms))]

    def slot_ordinal(self) -> list[Piece]:
        """An ordinal as a word of a longer name."""
        return [Piece(ordinal(self.rng.randint(1, 99)))]

    def slot_dose(self) -> list[Piece]:
        n = self.rng.choice([5, 10, 20, 25, 40, 50, 75, 81, 100, 250, 500, 850])
        text = f"{n} mg" if self.rng.random() < 0.5 else f"{n}mg"
        return [Piece(text, "QUANTITY", "MEASURE", NO_MASK, f"QUANTITY:{text}")]

    def slot_fileno(self) -> list[Piece]:
        pattern = self.rng.choice(
            ["%###/##", "%#/%###", "%## ? %##/##", "?-%###/##", "20##/%##", "%# ??? %##/##",
             "##-CV-#####", "%:##-cr-###", "?? %#.##", "??/####/%##", "%####/%#",
             "[20##] ?#", "19##/%##", "?-##/#"]
        )  # fmt: skip
        return self._code(None, self._digits(pattern), "FILE_NUMBER")

    def slot_caseno(self) -> list[Piece]:
        """The number of the document's own case."""
        pattern = self.rng.choice(
            ["%####/##", "%###/##", "?-%##/##", "%## ? %##/##", "%:20##cv#####",
             "20## ??## #####", "%#-####/##", "?? ##-#####"]
        )  # fmt: skip
        return self._code(None, self._digits(pattern), "CASE_NUMBER", DIRECT)

    def slot_ref(self) -> list[Piece]:
        pattern = self.rng.choice(
            ["REF-%####", "%######", "??-%####-##", "INC00%####", "#%###-####",
             "TK-%####", "?###-%##", "INV-20##-####", "%#########"]
        )  # fmt: skip
        return self._code(None, self._digits(pattern.lstrip("#")), "RECORD_NUMBER")

    def slot_ip(self) -> list[Piece]:
        fake = self._fake("en_US")
        text = fake.ipv4() if self.rng.random() < 0.85 else fake.ipv6()
        return self._code(None, text, "IP")

    def slot_mac(self) -> list[Piece]:
        return self._code(None, self._fake("en_US").mac_address(), "MAC")

    def slot_url(self) -> list[Piece]:
        scheme = self.rng.choice(["https://", "http://", "www.", "https://www."])
        path = self.rng.choice(["", "/", f"/{self._digits('~~~~~~~')}", "/contact"])
        return self._code(None, f"{scheme}{self._domain()}{path}", "URL")

    def slot_vin(self) -> list[Piece]:
        text = "".join(self.rng.choices("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", k=17))
        return self._code(None, text, "VIN", DIRECT)

    def slot_password(self) -> list[Piece]:
        base = self.expand("w_handle")[0].text
        text = f"{base.capitalize()}{self._digits('###')}{self.rng.choice('!#$?*')}"
        return self._code(None, text, "PASSWORD", DIRECT)

    # Numbers and words that identify nobody: unlabelled on purpose

    def _words(self, low: int, high: int) -> list[str]:
        return self._fake("en_US").words(self.rng.randint(low, high))

    def slot_salad(self) -> list[Piece]:
        """Ordinary words in any order: the breadth that templates lack."""
        words = " ".join(self._words(4, 13))
        end = self.rng.choice(".....?!")
        return [Piece(words[:1].upper() + words[1:] + end)]

    def slot_words(self) -> list[Piece]:
        return [Piece(" ".join(self._words(1, 5)))]

    def slot_shout(self) -> list[Piece]:
        return [
            Piece(" ".join(self._words(1, 7)).upper() + self.rng.choice(" !.").strip())
        ]

    def slot_titled(self) -> list[Piece]:
        return [Piece(" ".join(w.capitalize() for w in self._words(2, 7)))]

    def slot_tagword(self) -> list[Piece]:
        words = [w.capitalize() for w in self._words(1, 3)]
        return [Piece("".join(w for w in words if w.isalnum()) or "Tag")]

    def slot_n(self) -> list[Piece]:
        return [Piece(str(self.rng.randint(2, 40)))]

    def slot_digit(self) -> list[Piece]:
        return [Piece(str(self.rng.randint(1, 9)))]

    def slot_two(self) -> list[Piece]:
        return [Piece(str(self.rng.randint(55, 98)))]

    def slot_big(self) -> list[Piece]:
        return [Piece(str(self.rng.randint(100, 99999)))]

    def slot_version(self) -> list[Piece]:
        r = self.rng.randint
        return [Piece(self.rng.choice([f"{r(0, 12)}.{r(0, 30)}", f"v{r(0, 9)}.{r(0, 9)}.{r(0, 40)}",
                                       f"{r(1, 20)}.0", f"{r(1, 9)}.{r(0, 9)}.{r(0, 9)}-rc{r(1, 4)}"]))]  # fmt: skip

    def slot_hexcode(self) -> list[Piece]:
        return [Piece(self._digits(self.rng.choice(["0x~~~~", "0x~~~~~~~~", "~~~~~~~", "E####", "ERR_####"])))]  # fmt: skip

    def slot_price(self) -> list[Piece]:
        n = self.rng.randint(3, 900)
        return [Piece(self.rng.choice([f"${n}.99", f"£{n}", f"€{n},95", f"{n}.00"]))]

    def slot_model(self) -> list[Piece]:
        return [Piece(self._digits(self.rng.choice(["?-###", "??%##", "%000", "?#", "Pro %", "?#-##", "Series %"])))]  # fmt: skip
