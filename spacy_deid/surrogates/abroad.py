"""Places, terms, organisations and works in German, Spanish and Russian text.

One engine for the three: what a language has of its own is in its `Tongue`. The countries
of a document move together with their people and towns; those who write of their own
country stay in it, unless it is named itself.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence

from ..names import LEGAL_FORMS, acronym, fold
from .base import Draws, Mention, in_order, is_acronym, last_word, normalise, shuffled
from .inflection import Found, Lexeme, in_form, key_of, like_capitals, pattern
from .tongue import Tongue

_WORD = re.compile(r"[^\W\d_]+(?:['’.&-][^\W\d_]+)*\.?|&")
_NAME = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SEPARATOR = re.compile(r"(\s*[,;/()\n]\s*|\s+[-–—]\s+)")
_QUOTED = re.compile(r"(?P<open>[«„“\"])(?P<name>[^«»„“”\"]+)(?P<close>[»“”\"]?)")
_PEOPLE = ("adj", "man", "woman")
_PLACES = ("country", "city", "region")
# Firms, stations and parties that everybody knows by their letters.
_LETTERS = re.compile(r"[^\W\d_a-zа-яё]{2,6}")


_RIVER = re.compile(r"(?:\bрек(?:[аиеу]|ой)|\brío|\bFluss(?:es)?)\s+$", re.I)
# Authorities and schools that are named after their town.
_OF_TOWN = re.compile(
    r"(?i)\w*gericht|\w*amt$|universit|hochschule|\w*polizei|juzgado|audiencia|ayuntamiento"
    r"|diputaci|суд|университет|мэри|администрац|управлени|прокуратур"
)


class Journey:
    """The countries of one document, and what becomes of them and of all in them.

    draws (Draws): The document's draws.
    tongue (Tongue): Its language.
    mentions (Sequence[Mention]): All its mentions.
    """

    def __init__(
        self, draws: Draws, tongue: Tongue, mentions: Sequence[Mention]
    ) -> None:
        self.draws = draws
        self.tongue = tongue
        self.map: dict[str, str] = {}
        self.towns: dict[str, Lexeme] = {}
        self.named = {
            found.lexeme.home
            for m in mentions
            if m.label in ("LOC", "DEM", "ORG", "MISC") and len(m.text) < 40
            for found in self.find(m.text, ("country",))
        }
        self.countries = tongue.lexicon().countries
        # How countries stand in the text: key of the form and the text before.
        self.places: dict[str, list[tuple[str, str]]] = {}
        for m in mentions:
            if m.label == "LOC" and len(m.text) < 40:
                for found in self.find(m.text, ("country",))[:1]:
                    keys = tongue.narrow(found.keys, m.before)
                    where = self.places.setdefault(found.lexeme.home, [])
                    where.append((keys[0], m.before))

    def find(self, text: str, rows: Sequence[str]) -> list[Found]:
        """What a text may be in these rows of the lexicon."""
        return self.tongue.lexicon().in_row(text, rows)

    def new_country(self, old: str) -> str:
        """The country that stands for another one."""
        if old in self.map:
            return self.map[old]
        draws, tongue = self.draws, self.tongue
        lexicon = tongue.lexicon()
        row = self.countries[old].row
        rng = draws.random_for("country", fold(old))
        if old == tongue.home:
            order = [self.countries[name] for name in shuffled(tongue.neighbours, rng)]
        else:
            order = list(shuffled(lexicon.rows[row], rng))
        order += shuffled(list(self.countries.values()), rng)
        if old != tongue.home:
            # "во Францию" becomes "во Вьетнам".
            order.sort(key=lambda lexeme: not self._fits(lexeme, old))
        taken = set(self.map.values())
        spare = ""
        for lexeme in order:
            new = lexeme.name
            if new in (old, tongue.home) or new in taken or not self._towns_of(new):
                continue
            spare = spare or new
            own = [x for kind in _PEOPLE for x in lexicon.at_home(kind, new)]
            forms = [f for x in (lexeme, *own) for f in x.forms.values()]
            if not any(map(draws.forbidden, forms)):
                spare = new
                break
        self.map[old] = spare or order[0].name
        return self.map[old]

    def _fits(self, lexeme: Lexeme, old: str) -> bool:
        """Whether a country's name may stand wherever another one's does."""
        return lexeme.row == self.countries[old].row and all(
            key in lexeme.forms and self.tongue.prefers(lexeme.forms[key], before)
            for key, before in self.places.get(old, ())
        )

    def _towns_of(self, country: str) -> Sequence[Lexeme]:
        return self.tongue.lexicon().at_home("city", country)

    def home_of(self, country: str) -> str:
        """The country that towns of a country move to."""
        if country == self.tongue.home and country not in self.named:
            return country
        return self.new_country(country) if country in self.countries else country

    def people(self, found: Found, old: str) -> Iterator[str]:
        """Adjectives and nationals of the country that stands for another one."""
        new = self.new_country(found.lexeme.home)
        own = self.tongue.lexicon().at_home(found.lexeme.row, new)
        yield from in_form(own, found.keys, old)

    def town(self, found: Found, old: str, before: str) -> Iterator[str]:
        """Towns, regions, or words for what comes from them, in the same form."""
        lexeme = found.lexeme
        key = f"{lexeme.row.removeprefix('of')} {key_of(lexeme.name)}"
        keys = self.tongue.narrow(found.keys, before)
        prefers = lambda text: self.tongue.prefers(text, before)  # noqa: E731
        known = self.towns.get(key)
        row = lexeme.row.removeprefix("of")
        if known is not None:
            same = [known]
            if lexeme.row != known.row:
                same = self._named_alike(known, lexeme.row) or self._others(lexeme)
            yield from in_form(same, keys, old)
            return
        for candidate in self._candidates(row, lexeme, key):
            forms = set(candidate.forms.values())
            if any(map(self.draws.forbidden, forms)):
                continue
            if lexeme.row.startswith("of"):
                same = self._named_alike(candidate, lexeme.row)
                same = same or self._others(lexeme)
            else:
                same = [candidate]
            text = next(in_form(same, keys, old), None)
            if text is None or not prefers(text):
                continue
            self.towns[key] = candidate
            yield text
            return

    def _candidates(self, row: str, old: Lexeme, key: str) -> Iterator[Lexeme]:
        """Towns or regions that may stand for another: of the country that stands for
        its own first, then of the others, as far as they are asked for."""
        lexicon, tongue = self.tongue.lexicon(), self.tongue
        rng = self.draws.random_for("city", key)
        home = self.home_of(old.home)
        near = lexicon.at_home(row, home)
        if row == "region" and len(near) < 3:
            near = self._towns_of(home)
        taken = {x.name for x in self.towns.values()}
        own = lexicon.at_home(row, tongue.home)
        rest = (x for x in lexicon.rows[row] if x.home not in self.named)
        parts = (near, own, rest) if old.home == tongue.home else (near, rest, own)
        for part in parts:
            free = [x for x in part if x.name not in taken and not _holds(x, old)]
            yield from self._fitting(list(shuffled(free, rng)), old)

    def _others(self, lexeme: Lexeme) -> list[Lexeme]:
        """Other words of a row, where the new town has none."""
        rng = self.draws.random_for("oftown", key_of(lexeme.name))
        rows = self.tongue.lexicon().rows[lexeme.row]
        return [x for x in shuffled(rows, rng) if x.name != lexeme.name]

    def _named_alike(self, lexeme: Lexeme, row: str) -> list[Lexeme]:
        same = self.tongue.lexicon().at_home(row, lexeme.home)
        return [x for x in same if x.name == lexeme.name]

    def _fitting(self, pool: list[Lexeme], old: Lexeme) -> list[Lexeme]:
        """Names that are declined alike first, so that no case has to be guessed."""
        if len(set(old.forms.values())) == len(old.forms):
            return pool

        wanted = pattern(old.forms)
        return sorted(pool, key=lambda x: pattern(x.forms) != wanted)

    def unknown(self, text: str, before: str) -> Iterator[str]:
        """A town for a name that is in no list, in its form as far as that shows."""
        keys = self.tongue.keys(text, before)
        key = f"city {key_of(text)}"
        if _RIVER.search(before):
            rivers = next(
                row
                for row in self.tongue.lexicon().rows.values()
                if row[0].row.startswith("term:LAND")
                and any(x.name in ("Волга", "Ebro", "Elbe") for x in row)
            )
            rng = self.draws.random_for("river", key)
            yield from in_form(shuffled(rivers, rng), keys, text)
        forms = dict.fromkeys(keys, text)
        lexeme = Lexeme(text, "city", forms, self.tongue.home)
        if key in self.towns:
            yield from in_form([self.towns[key]], keys, text)
            return
        yield from self.town(Found(lexeme, keys), text, before)
        # The list may have run out.
        rng = self.draws.random_for("city/unknown", key)
        every = self.tongue.lexicon().rows["city"]
        yield from in_form(shuffled(every, rng), keys, text)


def _holds(a: Lexeme, b: Lexeme) -> bool:
    """Whether one of two names stands in the other ("Bayern", "Oberbayern")."""
    first, second = key_of(a.name), key_of(b.name)
    return first in second or second in first


def replace_places(
    mentions: Sequence[Mention], draws: Draws, journey: Journey
) -> list[str]:
    """New places for a document.

    mentions (Sequence[Mention]): All mentions of places, in document order.
    draws (Draws): The document's draws.
    journey (Journey): Its countries.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[tuple[str, str], str] = {}
    # Towns before post codes and addresses, which follow them.
    order = sorted(mentions, key=lambda m: any(ch.isdecimal() for ch in m.text))
    for mention in order:
        key = mention.text, last_word(mention.before)
        if key not in new:
            new[key] = _place(mention, draws, journey)
    return [new[m.text, last_word(m.before)] for m in mentions]


def _like_adjective(
    text: str, mention: Mention, journey: Journey, rng: random.Random
) -> Iterator[str]:
    """Adjectives for one of a place that is in no list ("подмосковного", "preußische")."""
    tongue = journey.tongue
    keys = tongue.adjectives(text) if text.islower() else ()
    if keys:
        keys = tongue.agree(keys, mention.after)
        row = "ofcity" if tongue.lang == "ru" else "adj"
        rows = [x for x in tongue.lexicon().rows[row] if x.home not in journey.named]
        yield from in_form(shuffled(rows, rng), keys, text)


def _owner(text: str, journey: Journey) -> str:
    """One key for all forms of a word: "Украина" and "Украину" may both be "Иран"."""
    found = journey.tongue.lexicon().find(text)
    return key_of(found[0].lexeme.name) if found else normalise(text)


def _place(mention: Mention, draws: Draws, journey: Journey) -> str:
    text, key = mention.text, _owner(mention.text, journey)
    tongue = journey.tongue
    rng = draws.random_for("place", key)

    def candidates() -> Iterator[str]:
        if len(text) > 300:
            return
        stripped = text.strip()
        if tongue.postcode.fullmatch(stripped) or mention.subtype == "POSTCODE":
            town = _NAME.search(mention.after[:25]) or _NAME.search(
                mention.before[-25:]
            )
            for _ in range(40):
                yield _postcode(stripped, town.group() if town else "", journey, rng)
        address = mention.subtype == "ADDRESS" or re.search(r"(?i)\bs/n\b", text)
        if address or any(ch.isdecimal() for ch in text):
            if re.fullmatch(r"[\s\d.,;:°º'\"′″NSEWOnsewo()/-]+", text):
                for _ in range(20):
                    yield re.sub(r"\d+", lambda m: _figures(m.group(), rng), text)
            for _ in range(20):
                yield _address(text, mention.before, journey, rng)
        yield from _known(mention, text, journey)
        if is_acronym(mention) and not journey.find(text, _PLACES):
            for _ in range(20):
                yield _capitals(text, tongue, rng)
        if _has_street(text, tongue):
            for _ in range(20):
                yield _street(text, tongue, rng, journey)
        yield from _compound(mention, journey, rng)
        yield from _like_adjective(text, mention, journey, rng)
        if _MONUMENT.search(text) and tongue.lang == "ru":
            yield _monument(text, draws)
        if _is_one_name(text, tongue):
            yield from journey.unknown(text, mention.before)
        if len(_NAME.findall(text)) > 1 or _SEPARATOR.search(text):
            yield _pieces(text, mention.before, journey)
        yield from journey.unknown(text, mention.before)

    found = draws.pick(candidates(), key, tries=80)
    if found is None and text.islower():
        found = draws.pick(shuffled(tongue.lands, rng), key)
    return found or _last(mention, journey, "place")


_CONNECTORS = frozenset(
    "de del la las los el y e am an der im in bei auf ob vor na".split()
)


def _is_one_name(text: str, tongue: Tongue) -> bool:
    """Whether a name of several words is one that is in no list: "Medina del Campo"."""
    words = _NAME.findall(text)
    if len(words) < 2 or not text[:1].isupper() or re.search(r"[^\w\s'’-]", text):
        return False
    return all(
        w in _CONNECTORS
        if w.islower()
        else not tongue.kept.fullmatch(w) and not tongue.lexicon().find(w)
        for w in words
    ) and not any(map(tongue.adjectives, words))


_MONUMENT = re.compile(r"\b(?:памятник\w*|имени|им\.)\s+(?=[А-ЯЁ])")


def _monument(text: str, draws: Draws) -> str:
    """A place named after a person, who gets the name that persons get."""
    from .russian_persons import replace_persons

    match = _MONUMENT.search(text)
    assert match is not None
    person = Mention(text[match.end() :], "PERSON", "", -1, text[: match.end()])
    return text[: match.end()] + replace_persons([person], draws)[0]


def _known(mention: Mention, text: str, journey: Journey) -> Iterator[str]:
    """What the lexicon has for a text as a whole."""
    tongue = journey.tongue
    before = mention.before
    everything = tongue.lexicon().find(text)
    capital = text[:1].isupper() and not text.isupper()
    noun_follows = re.match(r"\s[^\W\d_a-zа-яё]", mention.after) is not None
    if capital and not noun_follows:
        # "die Deutschen", but "Deutschen Bank".
        everything = sorted(everything, key=lambda f: f.lexeme.row == "adj")
    if mention.subtype:
        own = f":{mention.subtype}:"
        everything = sorted(everything, key=lambda f: own not in f.lexeme.row)
    for found in everything:
        row = found.lexeme.row
        keys = found.keys
        if row in ("adj", "ofcity"):
            keys = tongue.agree(keys, mention.after)
        found = found._replace(keys=tongue.narrow(keys, before))
        if row.startswith("country"):
            new = journey.new_country(found.lexeme.home)
            short = text.replace(".", "").isupper() and len(text) < 7
            yield from in_form(
                [journey.countries[new]], (*found.keys, "-"), "" if short else text
            )
        elif row == "man" and noun_follows and tongue.lang == "de":
            # "Schweizer Franken": a word for what comes from a town fits there.
            home = journey.new_country(found.lexeme.home)
            towns = tongue.lexicon().at_home("ofcity", home)
            yield from in_form(towns, ("-",), text)
        elif row in _PEOPLE:
            yield from journey.people(found, text)
        elif row.removeprefix("of") in ("city", "region"):
            yield from journey.town(found, text, before)
        else:
            yield from _siblings(found, text, before, journey)


def _siblings(found: Found, text: str, before: str, journey: Journey) -> Iterator[str]:
    """Other words of a row in the form of one."""
    lexeme = found.lexeme
    rng = journey.draws.random_for("term", key_of(lexeme.name))
    rows = journey.tongue.lexicon().rows[lexeme.row]
    others = [x for x in shuffled(rows, rng) if x.name != lexeme.name]
    letters = _LETTERS.fullmatch(text) is not None or ":ORG:" in lexeme.row
    yield from in_form(
        others,
        found.keys,
        "" if letters else text,
        lambda new: journey.tongue.prefers(new, before),
    )


def _pieces(text: str, before: str, journey: Journey) -> str:
    """A place of several parts: words of its kind stay, names change."""
    parts = _SEPARATOR.split(text)
    for i in range(0, len(parts), 2):
        if parts[i].strip():
            parts[i] = _named(parts[i], before + "".join(parts[:i]), journey)
    return "".join(parts)


def _named(text: str, before: str, journey: Journey) -> str:
    """Each name in a piece exchanged, the longest known first."""
    tongue = journey.tongue
    matches = list(_NAME.finditer(text))
    out: list[str] = []
    position = i = 0
    while i < len(matches):
        for j in range(min(len(matches), i + 4), i, -1):
            start, end = matches[i].start(), matches[j - 1].end()
            part = text[start:end]
            if not part[:1].isupper():
                continue
            context = before + text[:start]
            mention = Mention(part, "LOC", "", 0, context, text[end:])
            rows = (*_PLACES, "of", "term:LAND", *_PEOPLE)
            new = None
            if _RIVER.search(context):
                new = next(journey.unknown(part, context), None)
            elif any(
                f.lexeme.row.startswith(rows) for f in tongue.lexicon().find(part)
            ):
                new = next(_known(mention, part, journey), None)
            if new is None and j - i == 1:
                if tongue.kept.fullmatch(part) and len(matches) > 1:
                    new = part
                else:
                    new = next(_adjective(part, text, journey, text[end:]), None)
                    new = new or next(journey.unknown(part, context), None)
            if new is not None:
                out += [text[position:start], new]
                position = end
                i = j
                break
        else:
            i += 1
    out.append(text[position:])
    return "".join(out)


def _adjective(
    part: str, around: str, journey: Journey, after: str = ""
) -> Iterator[str]:
    """An adjective that names something, in the same form ("Тверской" as "Речной"), but
    not beside a word of its own ("Лесной лес")."""
    keys = journey.tongue.agree(journey.tongue.adjectives(part), after)
    rows = journey.tongue.lexicon().rows.get("placeadj", ())
    if keys and rows:
        rng = journey.draws.random_for("placeadj", key_of(part))
        others = (
            x
            for x in shuffled(rows, rng)
            if part not in x.forms.values() and x.name[:3].lower() not in around.lower()
        )
        yield from in_form(others, keys, part)


def _figures(text: str, rng: random.Random) -> str:
    return "".join(
        rng.choice("123456789" if ch != "0" else "0123456789") for ch in text
    )


def _postcode(text: str, town: str, journey: Journey, rng: random.Random) -> str:
    """A post code of the town that stands beside it in the new text."""
    tongue = journey.tongue
    new = re.sub(r"\d", lambda _: rng.choice("0123456789"), text)
    found = journey.find(town, ("city",)) if town else []
    name = ""
    if found:
        name = next(journey.town(found[0], town, ""), "")
    start = tongue.postcodes.get(name) or rng.choice(
        [code for code in tongue.postcodes.values() if code]
    )
    first = re.search(r"\d", new)
    at = first.start() if first else 0
    return new[:at] + start + new[at + len(start) :]


def _has_street(text: str, tongue: Tongue) -> bool:
    return tongue.street.search(text) is not None


def _street(text: str, tongue: Tongue, rng: random.Random, journey: Journey) -> str:
    """The name of a street exchanged, its kind kept."""

    def replace(match: re.Match[str]) -> str:
        start, end = match.span("name")
        old = match.group("name")
        particle = " ".join(match.group("kind").lower().split()[1:])
        pool = tongue.streets_after.get(particle) or tongue.streets
        keys = tongue.adjectives(_first_word(old))
        adjective = None
        if keys:
            adjective = next(_adjective(_first_word(old), text, journey), None)
        elif tongue.lang == "ru":
            # "улица Гагарина": what stands in the genitive.
            pool = tuple(name for name in pool if not name.endswith("ая"))
        new = adjective or rng.choice(pool)
        if tongue.lang == "de" and match.start("kind") == end and old[-1:] in "- ":
            # "Karl-Marx-Straße", "Berliner Straße".
            new = rng.choice(tongue.street_people)
            if old[-1:] == " ":
                towns = tongue.lexicon().at_home("ofcity", tongue.home)
                new = rng.choice(towns).forms["-"]
            new += old[-1:]
        tail = old[len(old.rstrip()) :]
        new = like_capitals(new.rstrip(), old.strip()) + tail
        return (
            match.string[match.start() : start] + new + match.string[end : match.end()]
        )

    return tongue.street.sub(replace, text)


def _first_word(text: str) -> str:
    match = _NAME.search(text)
    return match.group() if match else ""


def _house(text: str, rng: random.Random) -> str:
    if len(text) > 4:
        return _figures(text, rng)
    value = int(text) if text.isascii() else 10
    options = [n for n in range(max(1, value // 2), value * 2 + 3) if n != value]
    return str(rng.choice(options)).zfill(len(text) if text[0] == "0" else 1)


_STREET_LEAD = re.compile(r"(Am|Im|An der) ([A-ZÄÖÜ][\w-]+)")


def _address(text: str, before: str, journey: Journey, rng: random.Random) -> str:
    """Street, numbers, post code and town replaced, layout kept."""
    tongue = journey.tongue
    codes = list(tongue.postcode.finditer(text))
    # "C/" is no end of a part.
    parts = re.split(r"(\s*[,;()\n]\s*|\s+[-–—]\s+)", text)
    offset = 0
    for i, part in enumerate(parts):
        start, offset = offset, offset + len(part)
        if i % 2 or not part.strip():
            continue
        held: list[str] = []

        def hold(match: re.Match[str], at: int = start, held: list[str] = held) -> str:
            # A number at the start of an address is that of a house.
            code = any(c.start() == at + match.start() for c in codes)
            if not code:
                held.append(_house(match.group(), rng))
            else:
                after = _NAME.search(text[at + match.end() :])
                town = after.group() if after else ""
                held.append(_postcode(match.group(), town, journey, rng))
            return chr(0xE000 + len(held) - 1)

        masked = re.sub(rf"{tongue.postcode.pattern}|\d+", hold, part)
        lead = _STREET_LEAD.match(masked) if tongue.lang == "de" else None
        if lead is not None:
            names = tongue.streets_after[lead[1].lower()]
            others = [name for name in names if name != lead[2]]
            masked = f"{lead[1]} {rng.choice(others)}{masked[lead.end() :]}"
        elif _has_street(masked, tongue):
            masked = _street(masked, tongue, rng, journey)
        elif not re.fullmatch(r"[\W\ue000-\uf8ff]*[^\W\d_]{0,2}\.?[\W]*", masked):
            masked = _outside(masked, before + text[:start], journey)
        parts[i] = re.sub(
            "[\ue000-\uf8ff]",
            lambda m, held=held: held[ord(m.group()) - 0xE000],  # type: ignore[misc]
            masked,
        )
    return in_order("".join(parts), text)


def _outside(text: str, before: str, journey: Journey) -> str:
    """Names between the marks of an address."""
    pieces = re.split("([\ue000-\uf8ff])", text)
    for i in range(0, len(pieces), 2):
        words = _NAME.findall(pieces[i])
        if any(len(w) > 3 and w[:1].isupper() for w in words):
            pieces[i] = _named(pieces[i], before, journey)
    return "".join(pieces)


def _capitals(text: str, tongue: Tongue, rng: random.Random) -> str:
    letters = tongue.capital_letters if not text.isascii() else "ABDEFGHIKLMNOPRSTUVW"
    return "".join(
        rng.choice(letters) if ch.isalpha() else rng.choice("123456789") for ch in text
    )


def replace_terms(
    mentions: Sequence[Mention], draws: Draws, journey: Journey
) -> list[str]:
    """New demographic terms for a document.

    mentions (Sequence[Mention]): Mentions of nationality, occupation and so on.
    draws (Draws): The document's draws.
    journey (Journey): Its countries.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[tuple[str, str], str] = {}
    for mention in mentions:
        key = mention.text, last_word(mention.before)
        if key not in new:
            new[key] = _term(mention, draws, journey)
    return [new[m.text, last_word(m.before)] for m in mentions]


def _sentence_case(phrase: str, old: str) -> str:
    """A phrase that keeps its own capitals, with one more at the start if the old text
    has one."""
    if old.isupper() and len(old) > 3:
        return phrase.upper()
    return phrase[:1].upper() + phrase[1:] if old[:1].isupper() else phrase


_SEXES = {
    "es": {"M": "H", "H": "M", "V": "M", "F": "M"},
    "de": {"M": "W", "W": "M", "F": "M"},
}


def _term(mention: Mention, draws: Draws, journey: Journey) -> str:
    text, key = mention.text, _owner(mention.text, journey)
    tongue = journey.tongue
    rng = draws.random_for("term-draw", key)

    def candidates() -> Iterator[str]:
        if len(text) > 120:
            return
        yield from _known(mention, text, journey)
        if re.fullmatch(r"[MHFVW]\.?", text):
            # Sex as a letter.
            other = _SEXES.get(tongue.lang, _SEXES["de"])
            yield other.get(text[0], "X") + text[1:]
        changed = _phrase(text, mention.before, journey)
        if changed is not None:
            yield changed
        if mention.subtype in ("", "NATIONALITY", "ETHNICITY"):
            yield from _like_adjective(text, mention, journey, rng)
        if is_acronym(mention):
            for _ in range(20):
                yield _capitals(text, journey.tongue, rng)
        rows = journey.tongue.lexicon().rows
        noun = journey.tongue.noun_keys(text, mention.before)
        if noun and " " not in text:
            subtype = mention.subtype or "OCCUPATION"
            for row in shuffled([r for r in rows if f":{subtype}:" in r], rng):
                yield from in_form(shuffled(rows[row], rng), noun, text)
        own = [r for r in rows if r.startswith(f"term:{mention.subtype or '-'}:")]
        for row in own:
            for lexeme in shuffled(rows[row], rng):
                yield like_capitals(lexeme.name, text)
        for phrase in shuffled(journey.tongue.people, rng):
            yield _sentence_case(phrase, text)

    return draws.pick(candidates(), key, tries=60) or _last(mention, journey, "term")


def _phrase(text: str, before: str, journey: Journey) -> str | None:
    """A phrase with every known term in it exchanged; None if there is none."""
    out: list[str] = []
    position = 0
    changed = False
    for match in _NAME.finditer(text):
        part = match.group()
        after = text[match.end() :]
        mention = Mention(part, "DEM", "", 0, before + text[: match.start()], after)
        new = next(_known(mention, part, journey), None)
        if new is None and part[:1].isupper() and match.start():
            new = next(journey.unknown(part, mention.before), None)
        if new is not None:
            out += [text[position : match.start()], new]
            position = match.end()
            changed = True
    return "".join([*out, text[position:]]) if changed else None


def replace_organisations(
    mentions: Sequence[Mention], draws: Draws, journey: Journey
) -> list[str]:
    """New names for the organisations of a document.

    mentions (Sequence[Mention]): All mentions of organisations, in document order.
    draws (Draws): The document's draws, with new names of persons.
    journey (Journey): Its countries.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[str, str] = {}
    full: dict[str, str] = {}
    words: dict[str, str] = {}
    # Full names first: acronyms are made from them.
    for mention in sorted(mentions, key=lambda m: -len(m.text)):
        text = mention.text
        if text in new:
            continue
        key = normalise(text)
        made = None
        if _LETTERS.fullmatch(text) and text in full:
            letters = acronym(full[text])
            if len(letters) > 1 and draws.usable(letters, key):
                made = draws.claim(letters, key)
        new[text] = made or _organisation(mention, draws, journey, words)
        letters = acronym(re.sub(r"\(.*?\)", "", text))
        if len(letters) > 1:
            full.setdefault(letters, new[text])
    return [new[m.text] for m in mentions]


def _organisation(
    mention: Mention, draws: Draws, journey: Journey, words: dict[str, str]
) -> str:
    text, key = mention.text, normalise(mention.text)
    tongue = journey.tongue
    rng = draws.random_for("organisation", key)

    def candidates() -> Iterator[str]:
        if len(text) > 300:
            return
        yield from _known(mention, text, journey)
        yield from _compound(mention, journey, rng)
        if _LETTERS.fullmatch(text):
            for _ in range(40):
                yield _capitals(text, tongue, rng)
        yield _rewritten(text, mention.before, draws, journey, words, rng)
        for _ in range(12):
            yield _rewritten(text, mention.before, draws, journey, {}, rng)
        # Nothing in it names: it gets a name.
        kinds = [
            m.group() for m in _WORD.finditer(text) if tongue.kept.fullmatch(m.group())
        ]
        for name in shuffled(tongue.patrons, rng):
            if kinds and text[:1].isupper():
                yield f"{text} {name}" if tongue.lang == "es" else f"{name}-{text}"
        for name in shuffled(tongue.companies, rng):
            yield like_capitals(name, text)

    found = draws.pick(candidates(), key, tries=80)
    return found or _last(mention, journey, "organisation")


def _compound(mention: Mention, journey: Journey, rng: random.Random) -> Iterator[str]:
    """German words with a name as their first part ("EU-Haushalt", "US-Präsident")."""
    first, hyphen, rest = mention.text.partition("-")
    tongue = journey.tongue
    if tongue.lang != "de" or not hyphen or not re.fullmatch(r"[^\W\d_]+", rest):
        return
    if tongue.lexicon().find(rest) or tongue.kept.fullmatch(rest):
        return
    whole = mention._replace(text=first, after=mention.text[len(first) :])
    for new in _known(whole, first, journey):
        yield f"{new}-{rest}"
    if _LETTERS.fullmatch(first):
        for _ in range(20):
            yield f"{_capitals(first, tongue, rng)}-{rest}"
    elif mention.label == "ORG":
        for name in shuffled(tongue.companies, rng):
            yield f"{name}-{rest}"


def _rewritten(
    text: str,
    before: str,
    draws: Draws,
    journey: Journey,
    words: dict[str, str],
    rng: random.Random,
) -> str:
    """A name with its naming parts exchanged: quoted names, places, persons, the rest."""
    tongue = journey.tongue
    quoted = _QUOTED.search(text)
    if quoted is not None:
        start, end = quoted.span("name")
        name = words.setdefault(key_of(quoted["name"]), _company(draws, tongue, rng))
        head = text[:start]
        if len(head) > 12:
            head = _rewritten_words(head, before, draws, journey, words, rng, True)
        tail = _rewritten_words(
            text[end:], before + text[:end], draws, journey, words, rng, True
        )
        return head + like_capitals(name, quoted["name"]) + tail
    return _rewritten_words(text, before, draws, journey, words, rng)


def _company(draws: Draws, tongue: Tongue, rng: random.Random) -> str:
    for name in shuffled(tongue.companies, rng):
        if not draws.forbidden(name):
            return name
    return tongue.companies[0]


def _rewritten_words(
    text: str,
    before: str,
    draws: Draws,
    journey: Journey,
    words: dict[str, str],
    rng: random.Random,
    beside: bool = False,
) -> str:
    """The words of a name that name exchanged; `beside` a quoted name, kinds stay."""
    tongue = journey.tongue
    matches = list(_WORD.finditer(text))
    kind = next((m.group() for m in matches if tongue.kept.fullmatch(m.group())), "")
    out: list[str] = []
    position = i = 0
    named = False
    while i < len(matches):
        match = matches[i]
        word = match.group()
        new = None
        end = match.end()
        for j in range(min(len(matches), i + 4), i, -1):
            part = text[match.start() : matches[j - 1].end()]
            context = before + text[: match.start()]
            mention = Mention(part, "LOC", "", 0, context, text[matches[j - 1].end() :])
            rows = (*_PLACES, "of", *_PEOPLE) if part[:1].isupper() else ("of", "adj")
            if any(f.lexeme.row.startswith(rows) for f in tongue.lexicon().find(part)):
                new = next(_known(mention, part, journey), None)
            if new is not None:
                end = matches[j - 1].end()
                i = j - 1
                break
        if new is None and (len(matches) > 1 or beside) and _stays(word, tongue):
            i += 1
            continue
        if new is None:
            key = key_of(word.rstrip("."))
            if key in words:
                new = words[key]
            elif _LETTERS.fullmatch(word):
                new = _capitals(word, tongue, rng)
            elif named:
                # The rest of a name goes with its first word.
                new = ""
            else:
                after = text[match.end() :]
                new = next(_adjective(word, text, journey, after), None)
                if new is None:
                    new = _name_for(
                        word, kind, before + text[: match.start()], draws, journey, rng
                    )
                    named = True
            words.setdefault(key, new)
            new = like_capitals(new, word) if new else ""
        gap = text[position : match.start()]
        if not new and not any(w[:1].isupper() for w in _NAME.findall(gap)):
            # What joined it to the name goes, too: "Bund der Freunde".
            gap = ""
        out += [gap, new]
        position = end
        i += 1
    out.append(text[position:])
    made = re.sub(r"\s{2,}", " ", "".join(out))
    made = re.sub(r"\d+", lambda m: _house(m.group(), rng), made)
    # Small words that belonged to what has gone.
    made = re.sub(r"(\s+(?:de|del|de la|von|der|und|y|для|и|в|&))+\s*$", "", made)
    made = re.sub(r"\s+(?:&|und|y|и)(?=\s+(?:GmbH|AG|KG|OHG|S\.|e\.))", "", made)
    return made if text[-1:].isspace() else made.rstrip()


def _stays(word: str, tongue: Tongue) -> bool:
    key = fold(word).replace(".", "")
    if key in LEGAL_FORMS and (word.isupper() or "." in word or len(key) > 2):
        return True
    return word.islower() or tongue.kept.fullmatch(word) is not None


_PATRONISED = re.compile(
    r"(?i)hosp|clín|clin|klinik|krankenh|centro|complejo|больниц|клиник|colegio|escuela"
    r"|institut|schul|gymnas|школ|гимнаст|лице|fundaci|iglesia|residencia|farmacia"
)


def _name_for(
    word: str,
    kind: str,
    before: str,
    draws: Draws,
    journey: Journey,
    rng: random.Random,
) -> str:
    tongue = journey.tongue
    first, hyphen, last = word.rpartition("-")
    if hyphen and tongue.kept.fullmatch(last):
        # "Josef-Krankenhaus": with what stands before, "St.-" perhaps.
        names = [name.removeprefix("St. ") for name in tongue.patrons]
        name = next(
            n for n in shuffled(names, rng) if not draws.forbidden(n) and n not in first
        )
        return f"{name.replace(' ', '-')}-{last}"
    known = draws.name_map.get(fold(word)) or draws.name_map.get(key_of(word))
    if known and len(word) > 3:
        return known[:1].upper() + known[1:]
    subjects = [x for x in tongue.subjects if key_of(x) != key_of(word)]
    if len(subjects) < len(tongue.subjects) or re.search(r"\bfür\s+$", before):
        return next(shuffled(subjects, rng))
    if _OF_TOWN.match(kind):
        return next(journey.unknown(word, before), tongue.companies[0])
    pool = tongue.patrons if _PATRONISED.match(kind) else tongue.companies
    keys = tongue.keys(word, before)
    for name in shuffled(pool, rng):
        forms = tongue.forms(name) if pool is tongue.companies else {}
        made = next((forms[k] for k in keys if k in forms), name)
        if not draws.forbidden(made) and key_of(made)[:1] != key_of(word)[:1]:
            return made
    return pool[0]


def replace_misc(
    mentions: Sequence[Mention], draws: Draws, journey: Journey
) -> list[str]:
    """New texts for works, events and whatever is of no other kind.

    mentions (Sequence[Mention]): The mentions, in document order.
    draws (Draws): The document's draws.
    journey (Journey): Its countries.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[str, str] = {}
    for mention in mentions:
        if mention.text not in new:
            new[mention.text] = _misc(mention, draws, journey)
    return [new[m.text] for m in mentions]


def _misc(mention: Mention, draws: Draws, journey: Journey) -> str:
    text, key = mention.text, normalise(mention.text)
    tongue = journey.tongue
    rng = draws.random_for("misc", key)

    def candidates() -> Iterator[str]:
        if len(text) <= 120:
            yield from _known(mention, text, journey)
            if _LETTERS.fullmatch(text):
                for _ in range(20):
                    yield _capitals(text, tongue, rng)
            quoted = _QUOTED.search(text)
            for title in shuffled(tongue.titles, rng):
                if quoted is None:
                    break
                start, end = quoted.span("name")
                yield text[:start] + title + text[end:]
            if text[:1].islower():
                changed = _phrase(text, mention.before, journey)
                if changed is not None:
                    yield changed
        if text[:1].isupper():
            pool: Iterable[str] = tongue.titles
            if len(text.split()) == 1:
                pool = [t for t in (*tongue.titles, *tongue.companies) if " " not in t]
            yield from shuffled(list(pool), rng)
        for phrase in shuffled(tongue.phrases, rng):
            yield _sentence_case(phrase, text)

    return draws.pick(candidates(), key, tries=60) or _last(mention, journey, "misc")


def _last(mention: Mention, journey: Journey, kind: str) -> str:
    """What is left when every list has run out: names made of the language's own."""
    draws, tongue = journey.draws, journey.tongue
    key = normalise(mention.text)
    rng = draws.random_for(f"{kind}/last", key)
    made = (
        like_capitals(
            rng.choice(tongue.companies) + rng.choice(tongue.companies).lower(),
            mention.text,
        )
        for _ in range(60)
    )
    found = draws.pick(made, key, tries=60)
    return found or draws.invent(kind, key, like=mention.text)
