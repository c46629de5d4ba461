"""The countries of a document, and the words of its language in the form of others: what
all generators share that draw from the lexicon of a language pack.

The countries of a document move together with their people and towns; those who write of
their own country stay in it, unless it is named itself.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..gazetteers.lexicon import how_often, is_vocabulary
from ..lang.base import LAND, LATIN_CAPITALS, LanguagePack
from ..lang.inflection import (
    Found,
    Lexeme,
    Lexicon,
    in_form,
    key_of,
    like_capitals,
    pattern,
)
from ..text.names import fold
from ..text.shuffling import weighted
from ..text.towns import homes_of, stands_for
from .base import Draws, Mention, like, normalise, shuffled
from .divisions import Divisions

NAME = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
PEOPLE = ("adj", "man", "woman")
PLACES = ("country", "city", "region")
SHORT_NAMES = "country:short"
# Rows of what people have and are.
_OF_PEOPLE = ("term:DISEASE:", "term:OCCUPATION:", "term:FAMILY:", "term:DEGREE:")
# Firms, stations and parties that everybody knows by their letters.
LETTERS = re.compile(r"[^\W\d_a-zа-яё]{2,6}")
# Thousands of people in a place that is in no list, and in a city of the largest class.
_FEW_PEOPLE, _MANY_PEOPLE = 10, 1000
# How much less often a town stands whose cases are not alike where those of the old one are.
_UNLIKE = 0.1
# Names abroad from which a text that has none at home is set there.
_ABROAD = 3
_PIECES = re.compile(r"\s*[,;/()]\s*")
# "Barr (Frankreich)", "Barr in Frankreich"
_BESIDE = re.compile(
    r"(?P<town>[^,;()\d\n]{3,30}?)(?:,\s|\s\(|\s(?:in|im|en|в|во)\s(?:de[rmn]\s)?)(?P<home>.+)"
)
# The inner name of two: "«УК «Каштак»".
QUOTED = re.compile(
    r"(?P<open>[«„“\"])(?P<name>[^«»„“”\"]+)(?![^«»„“”\"]|[«„])(?P<close>[»“”\"]?)"
)


class Frame:
    """The countries of one document, and what becomes of them and of all in them.

    draws (Draws): The document's draws.
    pack (LanguagePack): Its language.
    mentions (Sequence[Mention]): All its mentions.
    same_country (bool): Whether towns of every country stay in it, unless it is named.
    """

    def __init__(
        self,
        draws: Draws,
        pack: LanguagePack,
        mentions: Sequence[Mention],
        same_country: bool = True,
    ) -> None:
        self.same_country = same_country
        self.draws = draws
        self.pack = pack
        self.map: dict[str, str] = {}
        self.towns: dict[str, Lexeme] = {}
        short = [m for m in mentions if len(m.text) < 40]
        placed = [m for m in short if m.label in ("LOC", "DEM", "ORG", "MISC")]
        own = (pack.home, *pack.spoken)
        # "Syrer aus Homs": abroad the town is as foreign as who comes from there.
        self.named = {
            f.lexeme.home
            for m in placed
            for part in _PIECES.split(m.text)
            for f in self.find(part, ("country", *PEOPLE))
            if f.lexeme.row not in PEOPLE or f.lexeme.home not in own
        }
        self.beside = self._countries_beside(short)
        self.countries = pack.lexicon().countries
        self.divisions = Divisions(draws, pack, mentions)
        homes = self._homes_of(mentions)
        around = homes + Counter(self.named)
        # The country of the language where most places are, in doubt its own.
        self.home = max(own, key=lambda country: homes[country])
        # Where a place in no list is that is not called as those at home are.
        self.around = max((self.home, *around), key=lambda country: around[country])
        # How often places of a country stand in the text.
        self.named_in = around
        # How countries stand in the text: keys of the form and the text before.
        self.places: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        # Those that are called by their letters ("КНР"), in languages where many are.
        many = SHORT_NAMES in pack.lexicon().rows
        words = {w for m in mentions if many for w in NAME.findall(m.text)}
        found_in = (self.find(word, ("country",)) for word in words if in_letters(word))
        self.lettered = {of[0].lexeme.home for of in found_in if of}
        for m in mentions:
            if m.label == "LOC" and len(m.text) < 40:
                for found in self.find(m.text, ("country",))[:1]:
                    keys = pack.narrow(found.keys, m.before)
                    where = self.places.setdefault(found.lexeme.home, [])
                    where.append((keys, m.before))

    @property
    def is_abroad(self) -> bool:
        """Whether a text that names nothing at home is set abroad, not just of a foreigner."""
        here, there = self.named_in[self.pack.home], self.named_in[self.around]
        return not here and there >= _ABROAD

    def _countries_beside(self, mentions: Sequence[Mention]) -> dict[str, str]:
        """Countries of towns that they, or their states, stand beside."""
        out: dict[str, str] = {}
        of_states = self.pack.words.get("states_of", "")
        for m in mentions:
            told = _BESIDE.match(m.text + m.after[:30])
            if told is None or m.label != "LOC":
                continue
            if told["home"].startswith(tuple(self.pack.words.get("states", ()))):
                out[self.pack.stem(told["town"])] = of_states
            words = NAME.findall(told["home"])
            names = (" ".join(words[:size]) for size in (3, 2, 1))
            for x in (x for n in names for x in self.find(n, ("country", "region"))):
                out.setdefault(self.pack.stem(told["town"]), x.lexeme.home)
        return out

    def _homes_of(self, mentions: Sequence[Mention]) -> Counter[str]:
        """How many places of a document are in each country."""
        parts = {"LOC": re.compile(r"[^\d,;/()]+"), "ORG": NAME}
        named = ((parts[m.label], m.text) for m in mentions if m.label in parts)
        texts = [x.strip() for part, text in named for x in part.findall(text)]
        found = (self.find(x, ("city", "region", LAND))[:1] for x in texts)
        return Counter(f.lexeme.home for [f] in filter(None, found))

    def key(self, text: str) -> str:
        """One key for all forms of a word: "Украина" and "Украину" may both be "Иран", and
        "France" and "française" both be "suisse"."""
        found = self.pack.lexicon().find(text)
        if not found:
            return normalise(self.pack.ending.sub("", text))
        lexeme = found[0].lexeme
        country = lexeme.row in PEOPLE or lexeme.row.startswith("country")
        return key_of(lexeme.home if country else lexeme.name)

    def find(self, text: str, rows: Sequence[str]) -> list[Found]:
        """What a text may be in these rows of the lexicon."""
        return self.pack.lexicon().in_row(text, rows)

    def new_country(self, old: str, row: str = "") -> str:
        """The country that stands for another one, which may be in no lexicon and is then
        like those of a row."""
        if old in self.map:
            return self.map[old]
        draws, pack = self.draws, self.pack
        lexicon = pack.lexicon()
        row = row or self.countries[old].row
        rng = draws.random_for("country", fold(old))
        order = weighted(self.countries.values(), self.often, rng)
        if old == pack.home:
            order.sort(key=lambda lexeme: lexeme.name not in pack.neighbours)
        else:
            # "во Францию" becomes "во Вьетнам".
            order.sort(key=lambda lexeme: self._misfits(lexeme, old, row))
        # Nothing else moves to where a text is at home.
        taken = {old, *self.map.values(), *(() if self.is_abroad else (pack.home,))}
        free = [x for x in order if x.name not in taken and self._towns_of(x.name)]
        for lexeme in free:
            own = (x for kind in PEOPLE for x in lexicon.at_home(kind, lexeme.name))
            forms = (f for x in (lexeme, *own) for f in x.forms.values())
            if not any(map(draws.forbidden, forms)):
                free = [lexeme]
                break
        self.map[old] = (free or order)[0].name
        return self.map[old]

    def often(self, lexeme: Lexeme) -> float:
        """How often texts in the language speak of a country or town."""
        return how_often(lexeme.name, self.pack.lang)

    def _misfits(self, lexeme: Lexeme, old: str, row: str) -> tuple[int, ...]:
        """In how many places a name fits no preposition, its row, where its form differs."""
        if old in self.lettered:
            # "КНДР" is of any case, as "США" and "ФРГ" are.
            return (not (in_letters(lexeme.name) or self.letters_of(lexeme.name)),)
        where = self.places.get(old, ())
        told = [(key, before) for keys, before in where for key in keys]
        fits = [self.pack.prefers(lexeme.forms.get(k, ""), b) for k, b in told]
        forms = [{lexeme.forms.get(k) for k in keys} for keys, _ in where]
        return fits.count(False), lexeme.row != row, sum(len(x) > 1 for x in forms)

    def letters_of(self, country: str) -> list[Lexeme]:
        """What countries are called by their letters: "РФ"."""
        short = self.pack.lexicon().at_home(SHORT_NAMES, country)
        return [x for x in short if all(map(in_letters, x.forms.values()))]

    def _towns_of(self, country: str) -> Sequence[Lexeme]:
        return self.pack.lexicon().at_home("city", country)

    def home_of(self, country: str) -> str:
        """The country that towns of a country move to."""
        # "1060 Wien" in a German text is an address as those at home are.
        spoken = country == self.pack.home or country in self.pack.spoken
        if (self.same_country or spoken) and country not in self.named:
            return country
        return self.new_country(country) if country in self.countries else country

    def people(self, found: Found, old: str) -> Iterator[str]:
        """Adjectives and nationals of the country that stands for another one."""
        new = self.new_country(found.lexeme.home)
        own = self.pack.lexicon().at_home(found.lexeme.row, new)
        yield from in_form(own, found.keys, old)

    def town(self, found: Found, old: str, before: str) -> Iterator[str]:
        """Towns, regions, or words for what comes from them, in the same form."""
        lexeme = found.lexeme
        home = self.beside.get(self.pack.stem(lexeme.name), lexeme.home)
        lexeme = lexeme._replace(home=home)
        row = lexeme.row.removeprefix("of")
        key = f"{row} {key_of(lexeme.name)}"
        keys = self.pack.narrow(found.keys, before)
        known = self.towns.get(key)
        if known is not None:
            yield from in_form(self._called(known, lexeme), keys, old)
            return
        article = self.draws.articles.get(normalise(old), "")
        for candidate in self._candidates(row, lexeme, key):
            if any(map(self.draws.forbidden, {*candidate.forms.values()})):
                continue
            text = next(in_form(self._called(candidate, lexeme), keys, old), None)
            follows = not article or (text and self.draws.follows(text, article))
            if text is None or not (follows and self.pack.prefers(text, before)):
                continue
            self.towns[key] = candidate
            self.draws.towns[fold(lexeme.name)] = candidate.name
            yield text
            return

    def _candidates(self, row: str, old: Lexeme, key: str) -> Iterator[Lexeme]:
        """Towns or regions that may stand for another: of the country that stands for
        its own first, then of the others, as far as they are asked for."""
        lexicon, pack = self.pack.lexicon(), self.pack
        rng = self.draws.random_for("city", key)
        home = self.home_of(old.home)
        near = lexicon.at_home(row, home)
        if row == "region" and len(near) < 3:
            near = self._towns_of(home)
        taken = {x.name for x in self.towns.values()}
        if old.home == home == pack.home:
            yield from self._in_new_province(row, old)
        # A village becomes a small town, where these are told apart.
        small = pack.small_towns.keys()
        village = old.name in small or old.name not in pack.postcodes
        near = [x for x in near if (x.name in small) == village] or near
        own = lexicon.at_home(row, pack.home)
        rest = (x for x in lexicon.rows[row] if x.home not in self.named)
        parts = (near, own, rest) if old.home == pack.home else (near, rest, own)
        for part in parts:
            free = [x for x in part if x.name not in taken and not _holds(x, old)]
            yield from weighted(free, lambda x: self._alike(x, old), rng)

    def _alike(self, new: Lexeme, old: Lexeme) -> float:
        """How often a town stands for another one: those of its size do, where sizes are
        known, and those that are declined alike, so that no case has to be guessed."""
        people = self.pack.inhabitants
        own = people.get(new.name)
        alike = len(set(old.forms.values())) == len(old.forms)
        alike = alike or pattern(new.forms) == pattern(old.forms)
        if own is None:
            return self.often(new) * (1 if alike else _UNLIKE)
        size, other = min(own, _MANY_PEOPLE), people.get(old.name, _FEW_PEOPLE)
        weight = stands_for(size, min(other, _MANY_PEOPLE), closeness=6)
        return weight * (1 if alike else _UNLIKE)

    def _in_new_province(self, row: str, old: Lexeme) -> Iterator[Lexeme]:
        """Those of the province or region that stands for that of another one."""
        home = self.pack.lexicon().at_home(row, self.pack.home)
        known = {key_of(x.name): x for x in home}
        taken = {x.name for x in self.towns.values()}
        names = self.divisions.instead_of(row, old.name)
        same = (known.get(key_of(name)) for name in names)
        yield from (x for x in same if x and x.name not in taken)

    def _called(self, town: Lexeme, lexeme: Lexeme) -> list[Lexeme]:
        """A new town for one; for what comes from there what comes from the new one."""
        if not lexeme.row.startswith("of"):
            return [town]
        same = self.pack.lexicon().at_home(lexeme.row, town.home)
        if same := [x for x in same if x.name == town.name]:
            return same
        rng = self.draws.random_for("oftown", key_of(lexeme.name))
        rows = self.of(lexeme.row, lexeme.home)
        return [x for x in shuffled(rows, rng) if x.name != lexeme.name]

    def of(self, row: str, home: str) -> Sequence[Lexeme]:
        """Words of a row for what is in a country: those of the one that it moves to."""
        lexicon = self.pack.lexicon()
        return lexicon.at_home(row, self.home_of(home)) or lexicon.rows.get(row, ())

    def abroad(self, text: str, before: str) -> Iterator[str]:
        """A country for one that the lexicon of the language lacks, in its form."""
        country = self.pack.english_names.get(key_of(text))
        if country is not None:
            keys = self.pack.keys(text, before)
            self.places.setdefault(country, []).append((keys or ("-",), before))
            # Most names that end alike in some form are of its gender.
            names = self.countries.values()
            named = [(x.row, form) for x in names for form in x.forms.values()]
            rows = [row for row, form in named if form[-1:] == text[-1:]]
            rows = rows or [x.row for x in names]
            new = self.new_country(country, max(rows, key=rows.count))
            yield from in_form([self.countries[new]], (*keys, "-"), text)

    def feature(self, text: str, row: str, keys: Sequence[str]) -> Iterator[str]:
        """Rivers, mountains, regions for one in no list, of rows that begin with `row`;
        those of the country first."""
        rows = self.pack.lexicon().rows
        found = [x for r in rows if f"{r}:".startswith(f"{row}:") for x in rows[r]]
        stem = self.pack.stem(text)
        key = f"{row} {stem}"
        rng = self.draws.random_for("feature", stem)
        home = self.home_of(self.home)
        drawn = sorted(
            shuffled(found, rng),
            # What ends alike mostly has the gender, and the forms, of the old one.
            key=lambda x: (x.home not in ("", home), x.name[-1] != text[-1]),
        )
        # All forms of one name become those of another one.
        drawn = [*filter(None, [self.towns.get(key)]), *drawn]
        for form in (keys, ("-",)):
            for new in drawn:
                for text_in_form in in_form([new], form, text):
                    self.towns[key] = new
                    yield text_in_form

    def unknown(self, text: str, before: str) -> Iterator[str]:
        """A town for a name that is in no list, in its form as far as that shows."""
        keys = self.pack.keys(text, before)
        key = f"city {self.pack.stem(text)}"
        forms = dict.fromkeys(keys, text)
        known = (self.pack.own_names.get(x) for x in homes_of(fold(text)))
        letters = self.pack.words.get("letters", {}).items()
        spelt = (of for signs, of in letters if not {*signs}.isdisjoint(text.lower()))
        told = self.beside.get(self.pack.stem(text))
        own = self.pack.own_place.search(text) is not None
        around = self.home if own else self.around
        home = next(filter(None, (told, *known, *spelt)), around)
        row = self.pack.feature_of(text, before)
        if not row and home == self.home_of(self.pack.home) == self.pack.home:
            # Where all towns are listed, it is a village.
            row = self.pack.words.get("unlisted", "")
        yield from self.feature(text, row, keys)
        lexeme = Lexeme(text, "city", forms, home)
        if key in self.towns:
            yield from in_form([self.towns[key]], keys, text)
            return
        yield from self.town(Found(lexeme, keys), text, before)


def in_letters(name: str) -> bool:
    """Whether a country or organisation is called by its letters."""
    return LETTERS.fullmatch(name.replace(".", "")) is not None


def _holds(a: Lexeme, b: Lexeme) -> bool:
    """Whether one of two names stands in the other ("Bayern", "Oberbayern")."""
    first, second = key_of(a.name), key_of(b.name)
    return first in second or second in first


def known(mention: Mention, text: str, frame: Frame) -> Iterator[str]:
    """What the lexicon has for a text as a whole."""
    pack = frame.pack
    before = mention.before
    noun_follows = re.match(r"\s[^\W\d_a-zа-яё]", mention.after) is not None
    for found in _likeliest_first(mention, text, pack.lexicon(), noun_follows):
        row = found.lexeme.row
        keys = found.keys
        if row in ("adj", "ofcity"):
            keys = pack.agree(keys, mention.after)
        found = found._replace(keys=pack.narrow(keys, before))
        if row.startswith("country"):
            new = frame.new_country(found.lexeme.home)
            short = in_letters(text)
            own = frame.letters_of(new) if short else []
            keys = found.keys
            if short and len(keys) > 2 and re.search(r"[^\W\d_A-ZА-ЯЁ]\s$", before):
                # "госсекретаря США": what does not decline is most often an attribute.
                keys = (*pack.words.get("attribute_case", ()), *keys)
            yield from in_form(
                [*own, frame.countries[new]], (*keys, "-"), "" if short else text
            )
        elif row == "man" and noun_follows and pack.joins_nouns:
            # "Schweizer Franken": a word for what comes from a town fits there.
            home = frame.new_country(found.lexeme.home)
            towns = pack.lexicon().at_home("ofcity", home)
            yield from in_form(towns, ("-",), text)
        elif row in PEOPLE:
            yield from frame.people(found, text)
        elif row.removeprefix("of").startswith(("city", "region")):
            yield from frame.town(found, text, before)
        else:
            yield from _siblings(found, text, before, frame)


def known_place(part: str, before: str, after: str, frame: Frame) -> str | None:
    """What stands for a place, a people or what comes from one, all of a text; None for
    another text. In small letters it is no name but what comes from there. The text before
    may tell what it is ("посёлка Смольки") or who: "памятник Пушкину"."""
    if new := _told_before(part, before, frame):
        return new
    if NAME.fullmatch(part) and _region_row(after, frame.pack):
        return next(place_adjective(part, "", frame, after), None)
    rows = (*PLACES, LAND, "of", *PEOPLE) if part[:1].isupper() else ("of", "adj")
    if not frame.find(part, rows):
        return None
    return next(known(Mention(part, "LOC", "", 0, before, after), part, frame), None)


def _told_before(part: str, before: str, frame: Frame) -> str:
    """What stands for words with capitals of which the text before tells what they are."""
    pack, listed = frame.pack, frame.find(part, ("",))
    words = part.split() or [""]
    if LETTERS.fullmatch(part) or not all(word[:1].isupper() for word in words):
        return ""
    lead = pack.called_after.search(before)
    case, _, who = (f"{lead.lastgroup}" if lead else "").partition("_")
    # "Президента Украины"
    if case and not (who and listed) and not pack.is_kind(words[0]):
        rng = frame.draws.random_for("namesake", pack.stem(part))
        people = shuffled(pack.words[f"namesakes{who}"], rng)
        return next(pack.forms(x)[case] for x in people if x[:3] not in part)
    told = not listed and not pack.is_kind(words[0]) and pack.feature_of(part, before)
    return next(frame.unknown(part, before), "") if told else ""


def _likeliest_first(
    mention: Mention, text: str, lexicon: Lexicon, noun_follows: bool
) -> list[Found]:
    """What the lexicon has, by subtype and capital."""
    less: tuple[str, ...] = ()
    if text[:1].isupper() and not text.isupper() and not noun_follows:
        # "die Deutschen", but "Deutschen Bank"; "Никольское" is a village.
        less = ("adj", "ofcity")
    elif text.islower():
        # "une patiente suisse"
        less = ("country",)
    own = f":{mention.subtype}:" if mention.subtype else ""
    found = lexicon.find(text)
    if mention.label == "LOC":
        # The village of Warzen is no illness.
        found = [f for f in found if not f.lexeme.row.startswith(_OF_PEOPLE)]
    return sorted(
        found,
        key=lambda f: (own not in f.lexeme.row, f.lexeme.row.startswith(less)),
    )


def _siblings(found: Found, text: str, before: str, frame: Frame) -> Iterator[str]:
    """Other words of a row in the form of one."""
    lexeme = found.lexeme
    rng = frame.draws.random_for("term", key_of(lexeme.name))
    rows = frame.pack.lexicon().rows[lexeme.row]
    named = ":ORG:" in lexeme.row
    # "Правительство" stands in more texts than "ведомство".
    drawn = weighted(rows, frame.often, rng) if named else shuffled(rows, rng)
    others = [x for x in drawn if x.name != lexeme.name]
    # "Wirtin" had better not become "Gastwirtin", and what is in Switzerland stays there.
    home = frame.home_of(lexeme.home)
    near = (home, lexeme.home)
    others.sort(key=lambda x: ([x.home != of for of in near], _holds(x, lexeme)))
    letters = LETTERS.fullmatch(text) is not None
    # Names of organisations are written as they are, but where nothing has capitals.
    letters = letters or (named and not text.islower())
    # "Болезнь Крона" has its capital where nothing shows that the text has none.
    shown = not text.islower() or lexeme.name != lexeme.name.lower()
    letters = letters or not (shown or not any(map(str.isupper, before)))
    for new in in_form(
        others,
        found.keys,
        "" if letters else text,
        lambda new: frame.pack.prefers(new, before),
    ):
        yield like_capitals(new, text) if new.islower() else new


def _region_row(after: str, pack: LanguagePack) -> str:
    """The row of adjectives that stand before a word for a region: "Тверская обл."."""
    nouns = pack.words.get("region_nouns", {}).items()
    return next((row for noun, row in nouns if re.match(noun, after.lstrip())), "")


def place_adjective(
    part: str, around: str, frame: Frame, after: str = "", plain: str = "placeadj"
) -> Iterator[str]:
    """An adjective that names something, in the same form ("Тверской" as "Речной"), but
    not beside a word of its own ("Лесной лес"); of the row `plain` for one in no row."""
    pack = frame.pack
    # "Северной Африке" stays one of the four winds.
    told = pack.lexicon().in_row(part, ("placeadj:", "ofcity"))
    told.sort(key=lambda found: found.lexeme.row == "ofcity")
    keys = pack.adjectives(part) or (told[0].keys if told else ())
    keys = pack.agree(keys, after)
    row = _region_row(after, pack) or (told[0].lexeme.row if told else "")
    # What is called after a place stays so: "Тверской район".
    row = row or ("ofcity" if pack.of_place.search(part) else plain)
    rows = frame.of(row, frame.home) or frame.of("placeadj", frame.home)
    if keys and rows:
        rng = frame.draws.random_for("placeadj", pack.stem(part))
        others = (
            x
            for x in shuffled(rows, rng)
            if part not in x.forms.values() and x.name[:3].lower() not in around.lower()
        )
        yield from in_form(others, keys, part)


def like_adjective(
    text: str, mention: Mention, frame: Frame, rng: random.Random
) -> Iterator[str]:
    """Adjectives for one of a place that is in no list ("подмосковного", "preußische")."""
    pack = frame.pack
    # In capitals it may be a town: "в Раменском".
    beside = text.islower() or (
        pack.adjectives_of_towns and re.match(r"\s+[^\W\d_A-ZА-ЯЁ]", mention.after)
    )
    keys = pack.adjectives(text) if beside and NAME.fullmatch(text) else ()
    if keys:
        keys = pack.agree(keys, mention.after)
        towns = pack.adjectives_of_towns and frame.of("ofcity", frame.home)
        rows = [*(towns or pack.lexicon().rows["adj"])]
        rows = [x for x in rows if x.home not in frame.named]
        yield from in_form(shuffled(rows, rng), keys, text)


def compound(mention: Mention, frame: Frame, rng: random.Random) -> Iterator[str]:
    """German words with a name as their first part ("EU-Haushalt", "US-Präsident"); a
    part of a town is another one ("Berlin-Karow")."""
    first, _, rest = mention.text.partition("-")
    pack = frame.pack
    one = re.fullmatch(r"[^\W\d_]+-[^\W\d_]+", mention.text)
    if not pack.joins_nouns or not one or pack.lexicon().find(rest):
        return
    if not is_vocabulary(rest.lower(), pack.lang) or mention.label == "LOC":
        if mention.label != "LOC" or not frame.find(first, PLACES):
            return
        rest = like_capitals(rng.choice(pack.quarters), rest)
    elif pack.kept.fullmatch(rest):
        return
    whole = mention._replace(text=first, after=mention.text[len(first) :])
    for new in known(whole, first, frame):
        yield f"{new}-{rest}"
    if LETTERS.fullmatch(first):
        yield from (f"{capitals(first, pack, rng)}-{rest}" for _ in range(20))
    elif mention.label == "ORG":
        yield from (f"{name}-{rest}" for name in shuffled(pack.companies, rng))


def capitals(text: str, pack: LanguagePack, rng: random.Random) -> str:
    """Other capitals for some, which are no word of the language."""
    own = text.isascii() == pack.capital_letters.isascii()
    letters = pack.capital_letters if own else LATIN_CAPITALS
    drawn = (like(text, rng, letters) for _ in range(20))
    fits = (x for x in drawn if len(x) < 3 or not is_vocabulary(x.lower(), pack.lang))
    return next(fits, text)


def house(text: str, rng: random.Random) -> str:
    if len(text) > 3:
        return like(text, rng)
    value = int(text) if text.isascii() else 10
    options = [n for n in range(max(1, value // 2), value * 2 + 3) if n != value]
    return str(rng.choice(options)).zfill(len(text) if text[0] == "0" else 1)


def last_resort(mention: Mention, frame: Frame, kind: str) -> str:
    """What is left when every list has run out: names made of the language's own."""
    draws, pack = frame.draws, frame.pack
    key = normalise(mention.text)
    rng = draws.random_for(f"{kind}/last", key)
    names = ([rng.choice(pack.companies) for _ in range(2)] for _ in range(60))
    made = (like_capitals(a + b.lower(), mention.text) for a, b in names)
    return draws.pick(made, key, tries=60) or draws.invent(kind, key, like=mention.text)
