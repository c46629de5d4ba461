"""New places in German, Spanish and Russian text."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..lang.base import LanguagePack, last_word
from ..lang.inflection import like_capitals
from ..text.case import as_matched
from .base import Draws, Mention, in_order, is_acronym, shuffled
from .frame import (
    NAME,
    PEOPLE,
    PLACES,
    RIVER,
    Frame,
    capitals,
    compound,
    figures,
    house,
    known,
    last_resort,
    like_adjective,
    owner,
    place_adjective,
)
from .persons import replace_persons
from .rules import Rule, candidates

_SEPARATOR = re.compile(r"(\s*[,;/()\n]\s*|\s+[-–—]\s+)")
_COORDINATES = re.compile(r"[\s\d.,;:°º'\"′″NSEWOnsewo()/-]+")
_CONNECTORS = frozenset(
    "de del la las los el y e am an der im in bei auf ob vor na".split()
)
_MONUMENT = re.compile(r"\b(?:памятник\w*|имени|им\.)\s+(?=[А-ЯЁ])")
_STREET_LEAD = re.compile(r"(Am|Im|An der) ([A-ZÄÖÜ][\w-]+)")


def replace_places(
    mentions: Sequence[Mention], draws: Draws, frame: Frame
) -> list[str]:
    """New places for a document.

    mentions (Sequence[Mention]): All mentions of places, in document order.
    draws (Draws): The document's draws.
    frame (Frame): Its countries.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[tuple[str, str], str] = {}
    # Towns before post codes and addresses, which follow them.
    order = sorted(mentions, key=lambda m: any(ch.isdecimal() for ch in m.text))
    for mention in order:
        key = mention.text, last_word(mention.before)
        if key not in new:
            new[key] = _place(mention, draws, frame)
    return [new[m.text, last_word(m.before)] for m in mentions]


@dataclass(frozen=True)
class _Case:
    """A place to be replaced, and what its rules need."""

    mention: Mention
    text: str
    draws: Draws
    frame: Frame
    rng: random.Random


def _place(mention: Mention, draws: Draws, frame: Frame) -> str:
    text, key = mention.text, owner(mention.text, frame)
    rng = draws.random_for("place", key)
    case = _Case(mention, text, draws, frame, rng)
    made = candidates(_RULES if len(text) <= 300 else (), case)
    found = draws.pick(made, key, tries=80)
    if found is None and text.islower():
        found = draws.pick(shuffled(frame.pack.lands, rng), key)
    return found or last_resort(mention, frame, "place")


def _is_postcode(case: _Case) -> bool:
    by_form = case.frame.pack.postcode.fullmatch(case.text.strip())
    return by_form is not None or case.mention.subtype == "POSTCODE"


def _postcodes(case: _Case) -> Iterator[str]:
    mention = case.mention
    town = NAME.search(mention.after[:25]) or NAME.search(mention.before[-25:])
    name = town.group() if town else ""
    for _ in range(40):
        yield _postcode(case.text.strip(), name, case.frame, case.rng)


def _is_address(case: _Case) -> bool:
    return (
        case.mention.subtype == "ADDRESS"
        or re.search(r"(?i)\bs/n\b", case.text) is not None
        or any(map(str.isdecimal, case.text))
    )


def _other_figures(case: _Case) -> Iterator[str]:
    for _ in range(20):
        yield re.sub(r"\d+", lambda m: figures(m.group(), case.rng), case.text)


# In order; all their texts are asked until one is usable.
_RULES: tuple[Rule[_Case], ...] = (
    Rule("a post code, of the town beside it", _postcodes, _is_postcode),
    Rule(
        "coordinates",
        _other_figures,
        lambda c: _is_address(c) and _COORDINATES.fullmatch(c.text) is not None,
    ),
    Rule(
        "an address",
        lambda c: (
            _address(c.text, c.mention.before, c.frame, c.rng) for _ in range(20)
        ),
        _is_address,
    ),
    Rule("a known place", lambda c: known(c.mention, c.text, c.frame)),
    Rule(
        "an acronym",
        lambda c: (capitals(c.text, c.frame.pack, c.rng) for _ in range(20)),
        lambda c: is_acronym(c.mention) and not c.frame.find(c.text, PLACES),
    ),
    Rule(
        "a street",
        lambda c: (_street(c.text, c.frame.pack, c.rng, c.frame) for _ in range(20)),
        lambda c: _has_street(c.text, c.frame.pack),
    ),
    Rule("a compound", lambda c: compound(c.mention, c.frame, c.rng)),
    Rule("an adjective", lambda c: like_adjective(c.text, c.mention, c.frame, c.rng)),
    Rule(
        "a monument to a person",
        lambda c: [_monument(c.text, c.draws)],
        lambda c: _MONUMENT.search(c.text) is not None,
    ),
    Rule(
        "one name of several words",
        lambda c: c.frame.unknown(c.text, c.mention.before),
        lambda c: _is_one_name(c.text, c.frame.pack),
    ),
    Rule(
        "several parts",
        lambda c: [_pieces(c.text, c.mention.before, c.frame)],
        lambda c: len(NAME.findall(c.text)) > 1 or bool(_SEPARATOR.search(c.text)),
    ),
    Rule("an unknown place", lambda c: c.frame.unknown(c.text, c.mention.before)),
)


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


def _monument(text: str, draws: Draws) -> str:
    """A place named after a person, who gets the name that persons get."""
    match = _MONUMENT.search(text)
    assert match is not None
    person = Mention(text[match.end() :], "PERSON", "", -1, text[: match.end()])
    return text[: match.end()] + replace_persons([person], draws)[0]


def _pieces(text: str, before: str, frame: Frame) -> str:
    """A place of several parts: words of its kind stay, names change."""
    parts = _SEPARATOR.split(text)
    for i in range(0, len(parts), 2):
        if parts[i].strip():
            parts[i] = _named(parts[i], before + "".join(parts[:i]), frame)
    return "".join(parts)


def _named(text: str, before: str, frame: Frame) -> str:
    """Each name in a piece exchanged, the longest known first."""
    pack = frame.pack
    matches = list(NAME.finditer(text))
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
            rows = (*PLACES, "of", "term:LAND", *PEOPLE)
            new = None
            if RIVER.search(context):
                new = next(frame.unknown(part, context), None)
            elif any(f.lexeme.row.startswith(rows) for f in pack.lexicon().find(part)):
                new = next(known(mention, part, frame), None)
            if new is None and j - i == 1:
                if pack.kept.fullmatch(part) and len(matches) > 1:
                    new = part
                else:
                    new = next(place_adjective(part, text, frame, text[end:]), None)
                    new = new or next(frame.unknown(part, context), None)
            if new is not None:
                out += [text[position:start], new]
                position = end
                i = j
                break
        else:
            i += 1
    out.append(text[position:])
    return "".join(out)


def _postcode(text: str, town: str, frame: Frame, rng: random.Random) -> str:
    """A post code of the town that stands beside it in the new text."""
    pack = frame.pack
    new = re.sub(r"\d", lambda _: rng.choice("0123456789"), text)
    found = frame.find(town, ("city",)) if town else []
    name = ""
    if found:
        name = next(frame.town(found[0], town, ""), "")
    start = pack.postcodes.get(name) or rng.choice(
        [code for code in pack.postcodes.values() if code]
    )
    first = re.search(r"\d", new)
    at = first.start() if first else 0
    return new[:at] + start + new[at + len(start) :]


def _town_in(text: str, frame: Frame) -> str:
    """The first name in a text that is a town's, else the first name: "г. Томск"."""
    names = [match.group() for match in NAME.finditer(text[:60])]
    towns = (name for name in names if frame.find(name, ("city",)))
    return next(towns, names[0] if names else "")


def _has_street(text: str, pack: LanguagePack) -> bool:
    return pack.street.search(text) is not None


def _street(text: str, pack: LanguagePack, rng: random.Random, frame: Frame) -> str:
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

    return pack.street.sub(replace, text)


def _first_word(text: str) -> str:
    match = NAME.search(text)
    return match.group() if match else ""


def _address(text: str, before: str, frame: Frame, rng: random.Random) -> str:
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
        lead = _STREET_LEAD.match(masked) if pack.joins_nouns else None
        if lead is not None:
            names = pack.streets_after[as_matched(lead[1])]
            others = [name for name in names if name != lead[2]]
            masked = f"{lead[1]} {rng.choice(others)}{masked[lead.end() :]}"
        elif _has_street(masked, pack):
            masked = _street(masked, pack, rng, frame)
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
            pieces[i] = _named(pieces[i], before, frame)
    return "".join(pieces)
