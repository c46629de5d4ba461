"""New places: countries, towns, regions, addresses, post codes, coordinates.

A document's countries move together with their nationalities and towns: if Turkey
becomes Portugal, "Turkish" becomes "Portuguese" and Ankara a Portuguese town.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from ..gazetteers.lexicon import is_vocabulary
from ..lang.base import LAND, LanguagePack
from ..lang.inflection import key_of, like_capitals
from ..lang.name_forms import name_forms
from ..text.case import as_matched
from ..text.countries import index
from ..text.localities import state_of, tables
from ..text.names import fold
from .address_words import (
    _FACTS,
    _POSTCODE,
    _STREET_WORDS,
    _split_article,
)
from .addresses import (
    _HOUSE,
    _POSTCODE_LOWER,
    _address,
    _is_known,
    _named,
    _natural,
    _new_state,
    _numbered,
    _street,
    fitting_postcode,
)
from .base import (
    BEGINS_WITH_ARTICLE,
    Draws,
    Mention,
    by_longest,
    fits_article,
    in_order,
    in_place_of,
    is_acronym,
    like,
    longest,
    match_case,
    normalise,
    shuffled,
)
from .cases import Case, World, acronym, replace_each
from .frame import (
    NAME,
    PLACES,
    Frame,
    compound,
    house,
    known,
    known_place,
    like_adjective,
    place_adjective,
)
from .geography import _DIGIT, Geography, british_court
from .rules import Rule, candidates
from .sweep.spellings import address_pieces

_LONGEST = 400
# Words of a place's kind: they stay, what they name changes.
_KIND_OF = re.compile(
    rf"(?P<kind>\b(?:the\s+)?(?:{'|'.join(_FACTS['kinds_before'].split())})"
    r"\s+of\s+(?:the\s+)?)",
    re.I,
)
# "O" is the west, or the east.
_COORDINATES = re.compile(r"(?:[\s\d.,;:°º'\"′″NSEWnsew()/-]|(?<!N)O)+")
_ENDS = frozenset(_FACTS["ends"])
# Those that are hardly ever surnames.
_PLAIN_ENDS = frozenset(_FACTS["plain_ends"])
# "Calle Mayor, s/n"
_WITHOUT_NUMBER = re.compile(r"\bs/n\b", re.I)
_AFTER_THE = re.compile(r"\b[Tt]he\s+$")
# Words of a place that is told by what is there, at least, those that put things in
# relation, and which part of the words are in the vocabulary.
_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LEAST_TOLD, _PART_TOLD = 3, 0.6
_RELATIONS = frozenset(_FACTS["relations"].split())
_DETERMINER = re.compile(
    r"\b(?:the|an?|this|that|my|your|his|her|its|our|their|other)\s+$", re.I
)
_NATURAL_NAME = re.compile(r"[A-Z][a-zé]+(?: [A-Z][a-z]+)?")
_SEPARATOR = re.compile(r"(\s*[,;/()\n]\s*|\s+[-–—]\s+)")
_CONNECTORS = frozenset(
    "de del la las los el y e am an der im in bei auf ob vor na".split()
)
_PROVINCE = re.compile(r"(?<=[\s(])[A-Z]{2}(?=\)|\s*$)")
_NEXT_NAME = re.compile(rf"[\s,-]{{1,3}}(?:г\.\s?)?(?P<name>{NAME.pattern})")
_MARKED = re.compile(rf"\bг\.\s?(?P<name>{NAME.pattern})")
_IN_BRACKETS = re.compile(r"(?<=\()[^()\d]{3,25}(?=\)\s*$)")
_NUMBERED = re.compile(r"(?P<name>[^\W\d_]{4,})(?P<number> [\ue000-\uf8ff]\w?)")
_STREET_LEAD = re.compile(r"(Am|Im|An der) ([A-ZÄÖÜ][\w-]+)")


def has_kind(text: str) -> bool:
    """Whether a name of several words ends with what a place is ("Owens Valley")."""
    return text.lower().rpartition(" ")[2] in _ENDS


def is_place_name(text: str) -> bool:
    """Whether a name taken for a person's ends like a place's ("Ridley Falls")."""
    first, _, last = text.lower().rpartition(" ")
    return last in _PLAIN_ENDS and " " not in first


def replace_places(mentions: Sequence[Mention], world: World) -> list[str]:
    """New places for a document.

    mentions (Sequence[Mention]): All mentions of places, in document order.
    world (World): The document's countries; `draws.places` is filled.
    RETURNS (list[str]): One text a mention.
    """
    containers = tables().containers

    def rank(mention: Mention) -> tuple[bool, bool, int]:
        """Countries first, then states and counties: towns follow them, addresses and
        post codes the towns, whole addresses before their parts."""
        text = mention.text
        numbered = mention.subtype in ("ADDRESS", "POSTCODE") or any(
            map(str.isdecimal, text)
        )
        return (
            fold(_split_article(text)[1]) not in index().by_name,
            fold(text) not in containers,
            -len(text) if numbered else -(10**9),
        )

    return replace_each(mentions, world, lambda m: _place(m, world), rank)


class _Case(Case):
    """A place to be replaced, and what its rules look at."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.folded = fold(self.text)
        self.numbered = _DIGIT.search(self.text) is not None
        self.country = index().by_name.get(self.folded)
        self.known_town = self.folded in index().by_city
        self.known = self.known_town or self.country is not None
        if isinstance(self.world, Frame):
            self.known = bool(self.world.find(self.text, PLACES))


def _is_post_code(case: _Case) -> bool:
    if case.mention.subtype or not case.numbered:
        return case.mention.subtype == "POSTCODE"
    form = _POSTCODE_LOWER if case.text.islower() else _POSTCODE
    if isinstance(case.world, Frame):
        form = case.pack.postcode
    return form.fullmatch(case.text.strip()) is not None


def _post_codes(case: _Case) -> Iterator[str]:
    mention, world = case.mention, case.world
    if isinstance(world, Frame):
        town = _town_of_code(mention, world)
        make = lambda: _postcode(case.text.strip(), town, world, case.rng)  # noqa: E731
    else:
        town = _town_beside(mention, world)
        make = lambda: fitting_postcode(case.text, world, case.rng, town)  # noqa: E731
    for _ in range(40):
        yield make()


def _is_coordinates(case: _Case) -> bool:
    figures = sum(map(str.isdecimal, case.text))
    like_them = case.numbered and _COORDINATES.fullmatch(case.text) and figures > 3
    return case.mention.subtype == "COORDINATES" or bool(like_them)


def _addresses(case: _Case) -> Iterator[str]:
    for _ in range(20):
        if isinstance(case.world, Frame):
            # "ulm, am spitzgrund 2": its words tell what they are by their capitals.
            text = _titled(case) if case.text.islower() else case.text
            new = _address_abroad(text, case.before, case.world, case.rng)
            new = _in_province(new, case.pack)
            yield new.lower() if text != case.text else new
        else:
            yield _address(case.text, case.world, case.rng)


def _titled(case: _Case) -> str:
    """An address in small letters with the capitals of its names."""

    def title(match: re.Match[str]) -> str:
        word = match.group()
        common = word in case.small_words or is_vocabulary(word, case.pack.lang)
        common = common or case.pack.kept.fullmatch(word) is not None
        return word if common and not case.frame.find(word, PLACES) else word.title()

    text = NAME.sub(title, case.text)
    return re.sub(r"(?:^|(?<=,\s)|(?<=\d{4}\s))\w", lambda m: m[0].upper(), text)


def _longer_numbers(case: _Case) -> Iterator[str]:
    """Figures for figures alone: a town in their place would tell nothing else."""
    for _ in range(40):
        yield re.sub(r"\d+", lambda m: like(f"{m[0]}0", case.rng), case.text)


def _natural_names(case: _Case) -> Iterator[str]:
    if _AFTER_THE.search(case.mention.before) and _NATURAL_NAME.fullmatch(case.text):
        yield _natural(case.text, case.geography, article=True)


def _state_codes(case: _Case) -> Iterator[str]:
    code = case.text.replace(".", "")
    if state_of(code) and (code == "DC" or case.mention.before.endswith(", ")):
        state = _new_state(code, case.geography)
        yield ".".join(state) + "." if code != case.text else state


def _streets(case: _Case) -> Iterator[str]:
    words = case.text.split()
    street = len(words) > 1 and _STREET_WORDS.fullmatch(words[-1].rstrip("."))
    if street and not case.known_town and not re.search(r"[,;()/]", case.text):
        for _ in range(20):
            yield _street(case.text, case.rng)


def _by_pieces(case: _Case) -> Iterator[str]:
    """Each piece of a list of places by itself, words of their kind kept."""
    pieces = [case.text]
    # "Bosnia and Herzegovina", "Tyne and Wear" are one name.
    one = case.country is not None or _is_known(case.folded)
    if not one and not case.text.isalpha():
        pieces = re.split(r"(\s*[,;()/]\s*|\s+(?:and|or|in|near)\s+)", case.text)
    for i in range(0, len(pieces), 2):
        if pieces[i]:
            pieces[i] = _piece(pieces[i], i > 0, case)
    named = "".join(pieces)
    if _DIGIT.search(named):
        yield _HOUSE.sub(lambda m: _numbered(m, case.rng), named)
    yield named


def _piece(piece: str, behind: bool, case: _Case) -> str:
    if behind and state_of(piece):
        return _new_state(piece, case.geography)
    kind = _KIND_OF.match(piece)
    head = kind.group() if kind else ""
    name, _, last = piece.rpartition(" ")
    if name and _STREET_WORDS.fullmatch(last.rstrip(".")):
        return _street(piece, case.rng)
    return head + _named(piece[len(head) :], case.geography)


def _is_told(case: _Case) -> bool:
    """Whether a place is told by what is there: "house with the blue door"."""
    text = case.text.lower() if case.text.isupper() else case.text
    words = _WORDS.findall(text)
    if len(words) < _LEAST_TOLD or _RELATIONS.isdisjoint(words[1:]):
        return False
    common = [w for w in words if w.islower() and is_vocabulary(w, case.pack.lang)]
    return len(common) >= _PART_TOLD * len(words)


def _places_told(case: _Case) -> Iterator[str]:
    article = "" if _DETERMINER.search(case.mention.before) else "the "
    for noun in shuffled(_FACTS["places_told"], case.rng):
        yield in_place_of(article + noun, case.mention)


def _is_spot(case: _Case) -> bool:
    """Whether a place is told in small letters by what is there: "the water tower"."""
    words = _WORDS.findall(case.text)
    common = all(is_vocabulary(word, case.pack.lang) for word in words)
    return bool(words) and case.text.islower() and common and not case.known_town


def _spots(case: _Case) -> Iterator[str]:
    found = BEGINS_WITH_ARTICLE.match(case.text)
    article = found.group() if found is not None else ""
    for spot in shuffled(_FACTS["spots"], case.rng):
        if fits_article(spot, article or case.before):
            yield article + spot


def _lands(case: _Case) -> Iterator[str]:
    forms = name_forms(case.pack.lang)
    for land in shuffled(case.pack.lands, case.rng):
        yield forms.in_same_case(land, case.text, case.before, person=False)


def _any_place(case: _Case) -> Iterator[str]:
    if isinstance(case.world, Frame):
        yield from case.world.unknown(case.text, case.before)
        return
    yield case.geography.name_for(case.text)
    for city in case.geography.cities(case.text):
        yield match_case(city, case.text)


def _streets_abroad(case: _Case) -> Iterator[str]:
    for _ in range(20 if _has_street(case.text, case.pack) else 0):
        yield _street_abroad(case.text, case.pack, case.rng, case.frame)


def _features(case: _Case) -> Iterator[str]:
    """Rivers, lakes, mountains; regions for a word, or a country, behind an article."""
    text, before, pack = case.text, case.before, case.pack
    row = pack.feature_of(text, before)
    if not row and (text.isalpha() or key_of(text) in pack.english_names):
        row = pack.behind_article(before)
    return case.frame.feature(text, row, pack.keys(text, before))


def _street_lead(text: str, pack: LanguagePack) -> re.Match[str] | None:
    """ "Am Anger", "An der Linde" at the start of a text in German."""
    return _STREET_LEAD.match(text) if pack.joins_nouns else None


def _behind_lead(lead: re.Match[str], pack: LanguagePack, rng: random.Random) -> str:
    names = pack.streets_after[as_matched(lead[1])]
    return f"{lead[1]} {rng.choice([name for name in names if name != lead[2]])}"


def _led(case: _Case) -> Iterator[str]:
    lead = _street_lead(case.text, case.pack)
    if lead is not None and lead.end() == len(case.text):
        for _ in range(20):
            yield _behind_lead(lead, case.pack, case.rng)


def _courts(case: _Case) -> Iterator[str]:
    court = british_court(case.text)
    if court is not None:
        new = case.geography.name_for(court[0])
        yield case.text.replace(court[0], new, 1)


_RULES: tuple[Rule[_Case], ...] = (
    Rule(
        "what the part of an address became",
        lambda c: [match_case(c.draws.places[f"part {c.key}"], c.text)],
        lambda c: bool(c.draws.places.get(f"part {c.key}")),
    ),
    Rule("post code, of the town beside it", _post_codes, _is_post_code),
    Rule(
        "coordinates",
        lambda c: (_coordinates(c.text, c.rng) for _ in range(40)),
        _is_coordinates,
    ),
    Rule("told by what is there", _places_told, _is_told, world=Geography),
    Rule(
        # Only a street's word beside a number makes an address ("Downing Street").
        "address",
        _addresses,
        lambda c: (
            c.mention.subtype == "ADDRESS"
            or c.numbered
            or _WITHOUT_NUMBER.search(c.text) is not None
        ),
    ),
    Rule(
        "longer number, where all short ones are taken",
        _longer_numbers,
        lambda c: c.numbered and not any(map(str.isalpha, c.text)),
    ),
    Rule("what nature has", _natural_names, world=Geography),
    Rule("code of a state", _state_codes, world=Geography),
    Rule(
        "what the lexicon knows",
        lambda c: known(c.mention, c.text, c.frame),
        world=Frame,
    ),
    Rule(
        "country that the lexicon lacks",
        lambda c: c.frame.abroad(c.text, c.before),
        lambda c: not c.pack.behind_article(c.before),
        world=Frame,
    ),
    Rule("acronym", acronym, lambda c: is_acronym(c.mention) and not c.known),
    Rule("court", _courts, world=Geography),
    Rule("street", _streets, world=Geography),
    Rule("street", _streets_abroad, world=Frame),
    Rule("street called after where it is: 'Am Anger'", _led, world=Frame),
    Rule(
        "river or mountain in no list, region behind an article", _features, world=Frame
    ),
    Rule("compound", lambda c: compound(c.mention, c.frame, c.rng), world=Frame),
    Rule(
        "adjective",
        lambda c: like_adjective(c.text, c.mention, c.frame, c.rng),
        world=Frame,
    ),
    Rule("another spot", _lands, _is_spot, world=Frame),
    Rule(
        "one name of several words",
        lambda c: c.frame.unknown(c.text, c.before),
        lambda c: _is_one_name(c.text, c.pack),
        world=Frame,
    ),
    Rule("another spot", _spots, _is_spot, world=Geography),
    Rule("name, or several", _by_pieces, world=Geography),
    Rule(
        "name, or several",
        lambda c: [_in_province(_pieces(c.text, c.before, c.frame), c.pack)],
        lambda c: len(NAME.findall(c.text)) > 1 or bool(_SEPARATOR.search(c.text)),
        world=Frame,
    ),
    Rule(
        "told by what is there",
        lambda c: shuffled(c.pack.lands, c.rng),
        lambda c: c.text[:1].islower() and " " in c.text and not c.text.islower(),
        world=Frame,
    ),
    Rule("any place", _any_place),
)


def _place(mention: Mention, world: World) -> str:
    case = _Case(mention, world, "place")
    text = case.text
    rules = _RULES if len(text) <= _LONGEST else ()
    found = case.pick(candidates(rules, case), 80)
    if found is not None:
        if isinstance(world, Geography) and any(map(str.isdecimal, text)):
            _note_parts(text, found, case.draws)
        return found
    if not any(ch.isupper() for ch in text):
        vague = (in_place_of(x, mention) for x in shuffled(case.pack.lands, case.rng))
        found = case.pick(vague)
        if found is not None:
            return found
    return case.last_resort("place")


def _note_parts(old: str, new: str, draws: Draws) -> None:
    """Note what the street and the post code of an address have become."""
    before, after = address_pieces(old), address_pieces(new)
    if [part[1] for part in before] == [part[1] for part in after]:
        for (text, subtype, _), (made, _, _) in zip(before, after):
            if subtype != "CITY":
                draws.places.setdefault(f"part {normalise(text)}", made)


def _town_beside(mention: Mention, geography: Geography) -> str:
    """New name of the town that a post code stands beside, "" if there is none."""
    around = mention.before[-25:] + " , " + mention.after[:25]
    for word in _NAMES_BESIDE.findall(around):
        if fold(word) in geography.draws.towns:
            return geography.draws.towns[fold(word)]
    return ""


_NAMES_BESIDE = re.compile(r"[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*")
# Letters and digits of plus codes.
_PLUS_CODE = "23456789CFGHJMPQRVWX"


def _coordinates(text: str, rng: random.Random) -> str:
    """Coordinates elsewhere; degrees stay below 90, grids keep their form."""
    if re.fullmatch(r"[2-9A-Z]{4,8}\+[2-9A-Z]{2,3}", text):
        return "".join(c if c == "+" else rng.choice(_PLUS_CODE) for c in text)

    def degrees(match: re.Match[str]) -> str:
        whole, dot, rest = match.group().partition(".")
        if len(whole) > 3:
            digits = "".join(rng.choice("0123456789") for _ in whole[1:])
            whole = rng.choice("123456789") + digits
            return whole + dot + "".join(rng.choice("0123456789") for _ in rest)
        number = (
            str(rng.randint(1, 59)) if len(whole) < 3 else f"1{rng.randint(0, 79):02d}"
        )
        number = number.zfill(len(whole)) if whole.startswith("0") else number
        return number + dot + "".join(rng.choice("0123456789") for _ in rest)

    return re.sub(r"\d+(?:\.\d+)?", degrees, text)


def _is_one_name(text: str, pack: LanguagePack) -> bool:
    """Whether a name of several words is one that is in no list: "Medina del Campo"."""
    words = NAME.findall(text)
    if len(words) < 2 or not text[:1].isupper() or re.search(r"[^\w\s'’-]", text):
        return False
    return all(
        w in _CONNECTORS
        if w.islower()
        else not pack.kept.fullmatch(w) and not pack.lexicon().find(w)
        for w in words
    ) and not any(map(pack.adjectives, words))


def _pieces(text: str, before: str, frame: Frame) -> str:
    """A place of several parts: words of its kind stay, names change."""
    parts = _SEPARATOR.split(text)
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
    named = pack.words.get("provinces_by_code", {}).get(code[0][:2]) if code else None
    if named:
        return _IN_BRACKETS.sub(named, text)
    return _PROVINCE.sub(fit, text)


def _named_abroad(text: str, before: str, frame: Frame) -> str:
    """Each name in a piece exchanged, the longest known first."""
    pack, alone = frame.pack, len(NAME.findall(text)) < 2

    def make(start: int, end: int) -> str | None:
        part, context = text[start:end], before + text[:start]
        if not part[:1].isupper():
            return None
        if pack.feature_of(part, context):
            new = next(frame.unknown(part, context), None)
        else:
            new = known_place(part, context, text[end:], frame)
        if new is None and NAME.fullmatch(part):
            told = _says_what(part, text[:start], pack)
            if (pack.is_kind(part) or told) and not alone:
                return part
            new = next(place_adjective(part, text, frame, text[end:]), None)
            new = new or next(frame.unknown(part, context), None)
        return new

    return by_longest(text, NAME, make)


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
    new = re.sub(r"\d", lambda _: rng.choice("0123456789"), text)
    found = frame.find(town, ("city",)) if town else []
    name = ""
    if found:
        name = next(frame.town(found[0], town, ""), "")
    elif town:
        name = next(frame.unknown(town, ""), "")
    start = pack.postcodes.get(name) or rng.choice(
        [code for code in pack.postcodes.values() if code]
    )
    first = re.search(r"\d", new)
    at = first.start() if first else 0
    return new[:at] + start + new[at + len(start) :]


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
    """The first name in a text that is a town's, else the first name: "г. Томск"."""
    marked = _MARKED.search(text[:60])
    named = marked["name"] if marked else _first_word(text[:60])
    return _known_town(text[:60], frame) or named


def _has_street(text: str, pack: LanguagePack) -> bool:
    return pack.street.search(text) is not None


def _street_abroad(
    text: str, pack: LanguagePack, rng: random.Random, frame: Frame
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
        new = adjective or rng.choice(pool)
        if pack.joins_nouns and match.start("kind") == end and old[-1:] in "- ":
            # "Karl-Marx-Straße", "Berliner Straße".
            new = rng.choice(pack.street_people)
            if old[-1:] == " ":
                towns = pack.lexicon().at_home("ofcity", pack.home)
                new = rng.choice(towns).forms["-"]
            new += old[-1:]
        tail = old[len(old.rstrip()) :]
        new = like_capitals(new.rstrip(), old.strip()) + tail
        return (
            match.string[match.start() : start] + new + match.string[end : match.end()]
        )

    made, at = "", 0
    for match in pack.street.finditer(text):
        made += _beside_street(text[at : match.start()], frame) + replace(match)
        at = match.end()
    return made + _beside_street(text[at:], frame)


def _beside_street(text: str, frame: Frame) -> str:
    """Names that stand beside a street without a mark between: "Kirchplatz Haibach"."""
    pack = frame.pack

    def make(match: re.Match[str]) -> str:
        word = match.group()
        small = not word[:1].isupper() or word.isupper() or len(word) < 4
        if small or pack.kept.fullmatch(word) or is_vocabulary(word.lower(), pack.lang):
            return word
        return _named_abroad(word, "", frame)

    return NAME.sub(make, text)


def _first_word(text: str) -> str:
    match = NAME.search(text)
    return match.group() if match else ""


def _address_abroad(text: str, before: str, frame: Frame, rng: random.Random) -> str:
    """Street, numbers, post code and town replaced, layout kept."""
    pack = frame.pack
    codes = list(pack.postcode.finditer(text))
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
                held.append(house(match.group(), rng))
            else:
                town = _town_in(text[at + match.end() :], frame)
                held.append(_postcode(match.group(), town, frame, rng))
            return chr(0xE000 + len(held) - 1)

        masked = re.sub(rf"{pack.postcode.pattern}|\d+", hold, part)
        lead = _street_lead(masked, pack)
        if lead is not None:
            masked = _behind_lead(lead, pack, rng) + masked[lead.end() :]
        elif _has_street(masked, pack):
            masked = _street_abroad(masked, pack, rng, frame)
        elif (
            (named := _NUMBERED.fullmatch(masked))
            and (alone := pack.lexicon().rows.get(f"{LAND}street:-"))
            and not frame.find(named["name"], PLACES)
        ):
            # "Sonnhalde 3" is no town.
            masked = rng.choice([x.name for x in alone]) + named["number"]
        elif not re.fullmatch(r"[\W\ue000-\uf8ff]*[^\W\d_]{0,2}\.?[\W]*", masked):
            masked = _outside(masked, before + text[:start], frame)
        parts[i] = re.sub(
            "[\ue000-\uf8ff]",
            lambda m, held=held: held[ord(m.group()) - 0xE000],  # type: ignore[misc]
            masked,
        )
    return in_order("".join(parts), text)


def _outside(text: str, before: str, frame: Frame) -> str:
    """Names between the marks of an address."""
    pieces = re.split("([\ue000-\uf8ff])", text)
    for i in range(0, len(pieces), 2):
        words = [w for w in NAME.findall(pieces[i]) if w[:1].isupper()]
        # "Ulm" is as short as what else stands between numbers.
        if any(len(w) > 3 or frame.find(w, PLACES) for w in words):
            pieces[i] = _named_abroad(pieces[i], before, frame)
    return "".join(pieces)
