"""Provinces and regions of a document: towns of one stand for towns of another, and what
begins with its figures follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ..lang.base import LanguagePack
from ..lang.inflection import key_of
from ..lang.provinces import Province
from .base import Draws, Mention, shuffled

# What stands between a town and its province or its post code: marks, the label of a
# field, words of the language for it.
_MARKS = r"[\s.,;()/–-]{1,6}"
_CODE_AND_TOWN = re.compile(r"(?<!\d)(\d{5})[\s,-]{1,3}([^\d,;()\n]{3,})")
_TOWN_AND_PART = re.compile(r"([^\d,;()\n]{3,})[,(]\s?(?=([^\d,;()\n]{3,}))")
_LABEL = r"(?:(?:[^\W\d_]\.?\s?){1,20}:\s*)?"


class Divisions:
    """What stands for each province of a document.

    draws (Draws): The document's draws; `draws.figures` is filled.
    pack (LanguagePack): Its language.
    mentions (Sequence[Mention]): All its mentions.
    """

    def __init__(
        self, draws: Draws, pack: LanguagePack, mentions: Sequence[Mention]
    ) -> None:
        self.draws = draws
        known = pack.divisions
        self.known = [p for p in known if p.towns]
        self.by_code = {p.code: p for p in known}
        self.by_name = {key_of(name): p for p in known for name in p.names}
        self.regions = {key_of(p.region): p.region for p in known}
        self.of_town = {
            key_of(town): self.by_code[code[:2]]
            for town, code in pack.postcodes.items()
            if code[:2] in self.by_code
        }
        capitals = {key_of(town) for p in known for town in p.capital}
        sizable = pack.postcodes.keys() - pack.small_towns.keys() if known else ()
        # Towns of some size beside the capitals.
        self.larger = {key_of(t): t for t in sizable if key_of(t) not in capitals}
        self.new: dict[str, Province] = {}
        self.new_regions: dict[str, str] = {}
        places = [m for m in mentions if m.label == "LOC"] if known else []
        self._learn(places, pack)

    def _learn(self, places: Sequence[Mention], pack: LanguagePack) -> None:
        """Regions that are named, and provinces of towns by what stands beside them."""
        # "Cantabria" beside Santander is a province.
        keys = {key_of(m.text) for m in places} - self.by_name.keys()
        self.named = {self.regions[key] for key in keys & self.regions.keys()}
        for place in places:
            for code, town in _CODE_AND_TOWN.findall(place.text):
                self._note(town.strip(), self.by_code.get(code[:2]))
            for town, name in _TOWN_AND_PART.findall(place.text):
                self._note(town.strip(), self.by_name.get(key_of(name.strip())))
        between = re.compile(rf"{_MARKS}{_LABEL}(?:{pack.part_of.pattern})?", re.I)
        for first, second in pairwise(places):
            at = first.after.find(second.text)
            if at > 0 and between.fullmatch(first.after, 0, at):
                self._note(first.text, self._whole(second.text, pack))
                self._note(second.text, self._whole(first.text, pack, False))

    def _whole(
        self, text: str, pack: LanguagePack, named: bool = True
    ) -> Province | None:
        """The province that a text names, or whose figures a post code has."""
        if pack.postcode.fullmatch(text.strip()):
            return self.by_code.get(text.strip()[:2])
        return self.by_name.get(key_of(text)) if named else None

    def _note(self, town: str, province: Province | None) -> None:
        key = key_of(town)
        if province is not None and key not in self.by_name and not key[:1].isdecimal():
            self.of_town.setdefault(key, province)

    def instead_of(self, row: str, name: str) -> list[str]:
        """Names of towns or regions that may stand for one; none for one in no province.

        row (str): "city" or "region".
        name (str): The old name.
        RETURNS (list[str]): The best first.
        """
        key = key_of(name)
        if row == "region":
            if key in self.by_name:
                return list(self.new_province(self.by_name[key]).names)
            region = self.regions.get(key)
            return [self.new_region(region)] if region else []
        province = self.of_town.get(key)
        if province is None:
            return []
        new = self.new_province(province)
        if key in map(key_of, province.capital):
            return list(new.capital)
        rng = self.draws.random_for("town", key)
        small = list(shuffled(tuple(new.towns), rng))
        larger = [t for k, t in self.larger.items() if self.of_town.get(k) is new]
        larger = list(shuffled(sorted(larger), rng))
        return larger + small if key in self.larger else small + larger

    def _has_larger(self, province: Province) -> bool:
        return any(self.of_town.get(key) is province for key in self.larger)

    def new_province(self, old: Province) -> Province:
        """The province that stands for another one."""
        if old.code in self.new:
            return self.new[old.code]
        if old.region in self.named:
            self.new_region(old.region)
        rng = self.draws.random_for("province", old.code)
        taken = {p.code for p in (old, *self.new.values())}
        region = self.new_regions.get(old.region)

        def unlike(new: Province) -> tuple[bool, ...]:
            names = (*new.names, *new.capital)
            return (
                new.code in taken or any(map(self.draws.forbidden, names)),
                region is not None and new.region != region,
                new.named_alike != old.named_alike,
                self._has_larger(new) != self._has_larger(old),
            )

        new = min(shuffled(self.known, rng), key=unlike)
        self.new[old.code] = new
        self.draws.figures[old.code] = new.code
        self.new_regions.setdefault(old.region, new.region)
        return new

    def new_region(self, old: str) -> str:
        """The region that stands for another one; of several provinces for such."""
        if old not in self.new_regions:
            rng = self.draws.random_for("region", key_of(old))
            sizes = [p.region for p in self.known]
            taken = {old, *self.new_regions.values()}

            def unlike(new: str) -> tuple[bool, bool]:
                several = sizes.count(new) > 1, sizes.count(old) > 1
                return (
                    new in taken or self.draws.forbidden(new),
                    several[0] != several[1],
                )

            names = sorted(set(sizes))
            self.new_regions[old] = min(shuffled(names, rng), key=unlike)
        return self.new_regions[old]
