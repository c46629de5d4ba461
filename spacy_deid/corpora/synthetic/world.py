"""The world of one synthetic document: everybody and everything in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cached_property
from typing import Any

from ...schema import NO_MASK
from .calendar import settings
from .grammar import Piece
from .names import ADDRESS_LOCALES, FACTS, Culture, Place, street_parts
from .spoken import Spoken
from .tables import Tables

# Kinds without anything personal.
NEGATIVE_KINDS: tuple[str, ...] = tuple(settings("en")["negative_kinds"])


class World(Tables, Spoken):
    """Everybody and everything in one English document, made as the templates ask for
    it. Other languages derive from it."""

    # Share of each kind in a mixed corpus.
    kinds: Mapping[str, float] = settings("en")["kinds"]
    plain: Mapping[str, Callable[[Any], str]] = {
        "w_city": lambda w: w.rng.choice(w.place.cities),
        "w_country": lambda w: w.place.country.removeprefix("the "),
        "w_demonym": lambda w: w.place.demonym,
        # Inside another name: firms, streets, prizes.
        "w_surname": lambda w: w.rng.choice(w._any_pool().last),
        "w_given": lambda w: w.rng.choice(
            [*w._any_pool().male[:200], *w._any_pool().female[:200]]
        ),
        "w_word": lambda w: w.rng.choice(w._word_list),
    }

    def slot_next(self) -> list[Piece]:
        """A date after the last one of the document."""
        self.clock += timedelta(days=self.rng.randint(2, 260))
        return self._date(self.clock)

    def slot_year(self) -> list[Piece]:
        year = self.today.year - int(self.rng.triangular(0, 60, 4))
        return self._time(str(year), "YEAR")

    def slot_years(self) -> list[Piece]:
        start = self.today.year - self.rng.randint(5, 50)
        end = start + self.rng.randint(1, 9)
        form = self.rng.choice(FACTS["year_ranges"])
        return self._time(form.format(start, end, end % 100), "DATE_RANGE")

    # Places

    def slot_city(self) -> list[Piece]:
        place = self.place if self.rng.random() < 0.5 else self.rng.choice(self.places)
        return self._loc(self.rng.choice(place.cities), "CITY")

    def _country(self, place: Place) -> list[Piece]:
        bare = place.country.removeprefix("the ")
        prefix = [] if bare == place.country else [Piece("the ")]
        return prefix + self._loc(bare, "COUNTRY", NO_MASK)

    def slot_country(self) -> list[Piece]:
        return self._country(self.rng.choice(self.places))

    def slot_homeland(self) -> list[Piece]:
        return self._country(self._where())

    def slot_nat(self) -> list[Piece]:
        return self._dem(self.rng.choice(self.places).demonym, "NATIONALITY")

    def slot_homenat(self) -> list[Piece]:
        return self._dem(self._where().demonym, "NATIONALITY")

    def slot_language(self) -> list[Piece]:
        return self._dem(self.rng.choice(self.places).language, "LANGUAGE")

    def slot_homelanguage(self) -> list[Piece]:
        return self._dem(self._where().language, "LANGUAGE")

    def _any_pool(self) -> Culture:
        return self.pools()[self.rng.choice(self._where().cultures)]

    def slot_street(self) -> list[Piece]:
        street = self.street(self.place)
        return self._loc(street, "ADDRESS", parts=street_parts(street))

    def street(self, place: Place) -> str:
        cultures = set(place.cultures)
        if cultures & set(ADDRESS_LOCALES) or self.rng.random() < 0.3:
            return self._fake_text(self._address_locale(place), "street_address")
        # Countries whose addresses Faker doesn't know.
        kind = "_tr" if cultures & {"tr_TR", "az_AZ"} else ""
        kind = "_ru" if cultures & {"ru", "uk", "bg"} else kind
        return self._text(f"w_street{kind}")

    # Words that identify nobody: unlabelled on purpose

    @cached_property
    def _word_list(self) -> tuple[str, ...]:
        return tuple(self._fake("en_US").get_words_list())

    def slot_w_foreign(self) -> list[Piece]:
        """Some words of another language."""
        locale = self.rng.choice(("fr_FR", "de_DE", "pl_PL", "zh_CN", "ja_JP", "ru_RU"))
        words = self._fake(locale).words(self.rng.randint(1, 4))
        return [Piece(("" if locale in ("zh_CN", "ja_JP") else " ").join(words))]
