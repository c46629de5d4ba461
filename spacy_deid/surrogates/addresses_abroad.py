"""New addresses of languages with a lexicon: streets, numbers, post codes and towns."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from ..gazetteers.lexicon import is_vocabulary
from ..lang.base import LAND, LanguagePack, last_word
from ..lang.inflection import key_of, like_capitals
from ..text.address_words import STREETS, UNITS
from .base import Mention, another, by_longest, in_order, like, longest
from .frame import NAME, PLACES, Frame, capitals, house, known_place, place_adjective
from .numbers import other_said, small_numbers

_CONNECTORS = frozenset(
    "de del la las los el les els y e d'en d’en am an der im in bei auf ob vor na".split()
)
_SEPARATOR = re.compile(r"(\s*[,;/()\n]\s*|\s+[-–—]\s+)")
# "C/" is no end of a part of an address.
_PARTS = re.compile(_SEPARATOR.pattern.replace("/", ""))
_NEXT_NAME = re.compile(rf"[\s,-]{{1,3}}(?:г\.\s?)?(?P<name>{NAME.pattern})")
_MARKED = re.compile(rf"\bг\.\s?(?P<name>{NAME.pattern})")
_IN_BRACKETS = re.compile(r"(?<=\()[^()\d]{3,25}(?=\)\s*$)")
_NUMBERED = re.compile(
    r"(?P<name>[^\W\d_]{4,}(?: [^\W\d_]{4,})?)(?P<number> [\ue000-\uf8ff]\w?)"
)
# Names with small words between: "Mas de la Creu".
_NAMES = re.compile(
    rf"(?<![^\W\d_])(?=[^\W\d_a-zºª]){NAME.pattern}"
    rf"(?:\s(?:(?:{'|'.join(sorted(_CONNECTORS))})\s)*(?=[^\W\d_a-z]){NAME.pattern})*"
)
# "Colón, 28"
_NUMBER_FOLLOWS = re.compile(r"\s*,?\s*(?:\d{1,4}(?!\d)|s/n)", re.I)
_KINDS_OF_STREETS = frozenset(
    word for row in STREETS for word in f"{row.first} {row.last}".split()
).union(UNITS)


def _street_lead(text: str, pack: LanguagePack) -> re.Match[str] | None:
    """ "Am Anger", "Hinter der Kirche" at the start of a text in German."""
    leads = rf"((?i:{'|'.join(pack.streets_after)})) ([A-ZÄÖÜ][\w-]+)"
    return re.match(leads, text) if pack.joins_nouns else None


def _behind_lead(lead: re.Match[str], pack: LanguagePack, rng: random.Random) -> str:
    names = pack.streets_after[lead[1].lower()]
    return f"{lead[1]} {rng.choice([name for name in names if name != lead[2]])}"


def _is_one_name(text: str, pack: LanguagePack) -> bool:
    """Whether a name of several words is one that is in no list, though a part of it may
    be: "Medina del Campo", "Lugo de Llanera"."""
    words = NAME.findall(text)
    if len(words) < 2 or not text[:1].isupper() or re.search(r"[^\w\s'’-]", text):
        return False
    names = [w for w in words if w.lower() not in _CONNECTORS]
    known = [w for w in names if pack.lexicon().find(w)]
    whole = len(known) < len(names) < len(words) or not known
    if not whole or any(map(pack.adjectives, words)):
        return False
    return not any(w.islower() or pack.is_kind(w) for w in names)


def _pieces(text: str, before: str, frame: Frame) -> str:
    """A place of several parts: words of its kind stay, names change, and what tells
    one town from another goes: "Rotenburg (Wümme)"."""
    parts = _SEPARATOR.split(frame.pack.told_apart.sub("", text))
    for i in range(0, len(parts), 2):
        if parts[i].strip() and parts[i] not in frame.pack.provinces.values():
            parts[i] = _named_abroad(parts[i], before + "".join(parts[:i]), frame)
    return "".join(parts)


def _in_province(text: str, pack: LanguagePack) -> str:
    """The letters or the name behind a town are those of its province: "Enna (EN)"."""

    def fit(match: re.Match[str]) -> str:
        before = text[: match.start()].rstrip(" (,-")
        town = max(filter(before.endswith, pack.provinces), key=len, default="")
        return pack.provinces.get(town, match.group())

    code = pack.postcode.search(text)
    named = (p.names[0] for p in pack.divisions if code and p.code == code[0][:2])
    if name := next(named, ""):
        text = _IN_BRACKETS.sub(name, text)
    letters = "|".join(map(re.escape, {*pack.provinces.values()}))
    return re.sub(rf"(?<=[\s(])(?:[A-Z]{{2}}|{letters})(?=\)|,|\s*$)", fit, text)


_ROMAN = "II III IV V VI VII VIII IX X XI XII".split()


def _named_abroad(text: str, before: str, frame: Frame) -> str:
    """Each name in a piece exchanged, the longest known first."""
    pack, alone = frame.pack, len(NAME.findall(text)) < 2

    def make(start: int, end: int) -> str | None:
        part, context = text[start:end], before + text[:start]
        if not part[:1].isupper():
            return known_place(part, context, text[end:], frame)
        if part in _ROMAN:
            rng = frame.draws.random_for("numeral", part)
            return rng.choice([x for x in _ROMAN if x != part])
        if len(part) < 5 and text[end : end + 1] == "." and not alone:
            return part
        if pack.feature_of(part, context):
            new = next(frame.unknown(part, context), None)
        else:
            new = known_place(part, context, text[end:], frame)
        if new is None and NAME.fullmatch(part):
            told = _says_what(part, text[:start], pack)
            if (pack.is_kind(part) or told) and not alone:
                return part
            new = _in_no_list(part, text, start, before, frame)
        return new

    return by_longest(text, NAME, make)


def _in_no_list(
    part: str, text: str, start: int, before: str, frame: Frame
) -> str | None:
    """What stands for a name of a place that nothing knows; "Las Suertes" takes one that
    goes with the article."""
    after = text[start + len(part) :]
    made = next(place_adjective(part, text, frame, after), None)
    pool = frame.pack.streets_after.get(last_word(text[:start]))
    if pool and not made:
        made = another(pool, part, frame.draws.random_for("street", part))
    return made or next(frame.unknown(part, before + text[:start]), None)


def _says_what(word: str, before: str, pack: LanguagePack) -> bool:
    """Whether a noun behind an article says what is there ("das Haus am Deich"), where
    nouns have capitals; elsewhere a capital tells a name: "д. Пышки"."""
    if not pack.capital_nouns or not is_vocabulary(word.lower(), pack.lang):
        return False
    articles = " ".join(pack.words["articles"].values()).split()
    behind = before.split()[-2:]
    return bool(behind) and (
        behind[-1] in articles or (behind[-1].islower() and behind[0] in articles)
    )


def _postcode(text: str, town: str, frame: Frame, rng: random.Random) -> str:
    """A post code of the town that stands beside it in the new text."""
    pack = frame.pack
    new = like(text, rng, first=False)
    found = frame.find(town, ("city",)) if town else []
    name = ""
    if found:
        name = next(frame.town(found[0], town, ""), "")
    elif town:
        name = next(frame.unknown(town, ""), "")
    first = re.search(r"\d", new)
    at = first.start() if first else 0
    # "UTRERA" is called "Utrera".
    of_town = (code for t, code in pack.postcodes.items() if key_of(t) == key_of(name))
    start = next(of_town, "") or frame.draws.figures.get(text[at : at + 2], "")
    if not start and not (found and found[0].lexeme.home != pack.home):
        start = rng.choice([code for code in pack.postcodes.values() if code])
    start = rng.choice(start.split() or [""])
    rest = new[at + len(start) :]
    return new[:at] + start + (rest if rest.strip("0") else rest.replace("0", "1"))


def _town_of_code(mention: Mention, frame: Frame) -> str:
    """The town that a post code is of: the one known beside it, or the name behind."""
    beside = (_known_town(text, frame) for text in (mention.after, mention.before))
    behind = _NEXT_NAME.match(mention.after)
    return next(filter(None, beside), behind["name"] if behind else "")


def _known_town(text: str, frame: Frame) -> str:
    """The first town of the lexicon in a text, the longest name of it: "Frankfurt am
    Main"; "" if there is none."""

    def town(start: int, end: int) -> str | None:
        name = text[start:end]
        return name if frame.find(name, ("city",)) else None

    return next((name for *_, name in longest(text, NAME, town)), "")


def _town_in(text: str, frame: Frame) -> str:
    """The name at the start of a text that is a town's: "г. Томск", "O Pino (Lugo)"."""
    marked = _MARKED.search(text[:60])
    if marked:
        return _known_town(text[:60], frame) or marked["name"]
    first = _PIECE.split(text[:60].lstrip(" ,;-–—"))[0].strip()
    own = _known_town(first, frame) or (_is_one_name(first, frame.pack) and first)
    return own or _first_word(first) or _known_town(text[:60], frame)


_PIECE = re.compile(r"[,;()\n]|\s[-–—]\s")


def _street_abroad(
    text: str,
    pack: LanguagePack,
    rng: random.Random,
    frame: Frame,
    where: str = "known",
) -> str:
    """The name of a street exchanged, its kind kept."""

    def replace(match: re.Match[str]) -> str:
        start, end = match.span("name")
        old = match.group("name")
        particle = " ".join(match.group("kind").lower().split()[1:])
        pool = pack.streets_after.get(particle) or pack.streets
        keys = pack.adjectives(_first_word(old))
        adjective = None
        if keys:
            adjective = next(place_adjective(_first_word(old), text, frame), None)
        elif pack.adjectives_of_towns:
            # "улица Гагарина": what stands in the genitive.
            pool = tuple(name for name in pool if not name.endswith("ая"))
        new = adjective or another(pool, old, rng)
        if pack.joins_nouns and match.start("kind") == end and old[-1:] in "- ":
            # "Karl-Marx-Straße", "Berliner Straße".
            new = another(pack.street_people, old, rng)
            if old[-1:] == " ":
                towns = pack.lexicon().at_home("ofcity", pack.home)
                new = another([town.forms["-"] for town in towns], old, rng)
            new += old[-1:]
        tail = old[len(old.rstrip()) :]
        new = like_capitals(new.rstrip(), old.strip()) + tail
        return text[match.start() : start] + new + text[end : match.end()]

    made, at = "", 0
    for match in pack.street.finditer(text):
        made += _beside_street(text[at : match.start()], frame, rng, where)
        made += replace(match)
        at = match.end()
    return made + _beside_street(text[at:], frame, rng, where)


def _beside_street(text: str, frame: Frame, rng: random.Random, where: str) -> str:
    """Names that stand beside a street without a mark between: "Kirchplatz Haibach"."""
    pack = frame.pack
    if not (pack.joins_nouns or pack.adjectives_of_towns):
        return _not_streets(text, "", frame, rng, where)

    def make(match: re.Match[str]) -> str:
        word = match.group()
        small = not word[:1].isupper() or word.isupper() or len(word) < 4
        if small or pack.is_kind(word) or is_vocabulary(word.lower(), pack.lang):
            return word
        # "Unterhalb der Mühlenbrücke" for "unterhalb der Spreuerbrücke"
        if kind := pack.kind_ending(word):
            return another(pack.streets, word, rng) + kind
        return _named_abroad(word, "", frame)

    return NAME.sub(make, text)


def _first_word(text: str) -> str:
    match = NAME.search(text)
    return match.group() if match else ""


def _address_abroad(text: str, before: str, frame: Frame, rng: random.Random) -> str:
    """Street, numbers, post code and town replaced, layout kept."""
    codes = {m.start() for m in frame.pack.postcode.finditer(text)}
    parts = _PARTS.split(text)
    offset = 0
    for i, part in enumerate(parts):
        start, offset = offset, offset + len(part)
        if not i % 2 and part.strip():
            parts[i] = _part(_Part(text, start, offset, before, codes), frame, rng)
    return in_order("".join(parts), text)


class _Part(NamedTuple):
    """A part of an address: the whole, where it starts and ends, the text before the
    address, and where its post codes begin."""

    text: str
    start: int
    end: int
    before: str
    codes: set[int]

    def where(self, numbered: bool) -> str:
        """What its names may be; see `_not_streets`."""
        if any(self.start <= code < self.end for code in self.codes):
            return "town"
        if not self.start and re.search(r"\d|\bs/n\b", self.text, re.I):
            # "Colón, 28"
            return "street" if _NUMBER_FOLLOWS.match(self.text[self.end :]) else "known"
        return "known" if numbered else "town"


def _door(letter: str, frame: Frame) -> str:
    """The letter of a door or a stair, another one if it is masked by itself."""
    if not frame.draws.forbidden(letter):
        return letter
    rng = frame.draws.random_for("place", frame.key(letter))
    return capitals(letter, frame.pack, rng)


def _part(part: _Part, frame: Frame, rng: random.Random) -> str:
    """A part of an address with its numbers and names exchanged."""
    pack = frame.pack
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        # A number at the start of an address is that of a house.
        if part.start + match.start() not in part.codes:
            held.append(house(match.group(), rng))
        else:
            town = _town_in(part.text[part.start + match.end() :], frame)
            held.append(_postcode(match.group(), town, frame, rng))
        return chr(0xE000 + len(held) - 1)

    old = part.text[part.start : part.end]
    for x in reversed(small_numbers(old, pack.lang)):
        # "Lindenweg sieben", "tercero derecha"
        word = old[x.start : x.end]
        held.append(next(other_said(word, pack.lang, rng, most=200), word))
        old = f"{old[: x.start]}{chr(0xE000 + len(held) - 1)}{old[x.end :]}"
    masked = re.sub(rf"{pack.postcode.pattern}|\d+", hold, old)
    letter = re.compile(r"(?<![^\W\d_ºª])[A-Z](?![^\W\d_.]|['’])")
    masked = letter.sub(lambda m: _door(m.group(), frame), masked)
    before, where = part.before + part.text[: part.start], part.where(bool(held))
    lead = _street_lead(masked, pack)
    if lead is not None:
        masked = _behind_lead(lead, pack, rng) + masked[lead.end() :]
    elif pack.street.search(masked):
        masked = _street_abroad(masked, pack, rng, frame, where)
    elif (
        (named := _NUMBERED.fullmatch(masked))
        and (alone := pack.lexicon().rows.get(f"{LAND}street:-"))
        and not frame.find(named["name"], PLACES)
        and named["name"].lower() not in UNITS
    ):
        # "Sonnhalde 3" is no town.
        masked = rng.choice([x.name for x in alone]) + named["number"]
    elif not re.fullmatch(r"[\W\ue000-\uf8ff]*[^\W\d_]{0,2}\.?[\W]*", masked):
        masked = _outside(masked, before, frame, rng, where)
    return re.sub("[\ue000-\uf8ff]", lambda m: held[ord(m.group()) - 0xE000], masked)


def _outside(
    text: str, before: str, frame: Frame, rng: random.Random, where: str
) -> str:
    """Names between the marks of an address."""
    pack = frame.pack
    if not (pack.joins_nouns or pack.adjectives_of_towns):
        return _not_streets(text, before, frame, rng, where)
    pieces = re.split("([\ue000-\uf8ff])", text)
    for i in range(0, len(pieces), 2):
        found = (w for w in NAME.findall(pieces[i]) if w[:1].isupper())
        words = [w for w in found if w.lower() not in UNITS]
        # "Ulm" is as short as what else stands between numbers.
        if any(len(w) > 3 or frame.find(w, PLACES) for w in words):
            pieces[i] = _named_abroad(pieces[i], before, frame)
    return "".join(pieces)


def _not_streets(
    text: str, before: str, frame: Frame, rng: random.Random, where: str
) -> str:
    """A piece of an address without a word for a street: places that are known become
    others, words of its kind stay, and any other name becomes that of a street.

    where (str): "street" if a known place names one, too; "town" if an unknown one
        rather names a town; else "known".
    """

    def make(start: int, end: int) -> str | None:
        part, after = text[start:end], text[end:]
        if where == "street" or len(part) < 4 or _says_part(part, after, frame.pack):
            return None
        return known_place(part, before + text[:start], after, frame)

    def other(run: re.Match[str]) -> str:
        old = run.group()
        while word := NAME.match(old):
            rest = run.string[run.end() - len(old) + word.end() :]
            if not _says_part(word.group(), rest, frame.pack):
                break
            old = old[word.end() :].lstrip(" ./")
        if not old:
            return run.group()
        new = next(frame.unknown(old, before), "") if where == "town" else ""
        if old.isupper() and len(old) < 5:
            new = capitals(old, frame.pack, rng)
        new = new or like_capitals(another(frame.pack.streets, old, rng), old)
        return run.group().removesuffix(old) + new

    whole = text.strip(" \t.-" + "".join(map(chr, range(0xE000, 0xE020))))
    if where == "town" and _is_one_name(whole, frame.pack):
        return text.replace(whole, next(frame.unknown(whole, before), whole))
    made, at = "", 0
    for start, end, new in longest(text, NAME, make):
        made += _NAMES.sub(other, text[at:start]) + new
        at = end
    return made + _NAMES.sub(other, text[at:])


def _says_part(word: str, after: str, pack: LanguagePack) -> bool:
    """Whether a word says what a part of an address is: "Edificio", "Pl.", "Av/"."""
    key = word.lower()
    short = len(key) < 3 or (len(key) < 6 and after[:1] in (".", "/"))
    kind = key in _KINDS_OF_STREETS or f"{key}." in _KINDS_OF_STREETS
    return short or kind or pack.is_kind(word)
