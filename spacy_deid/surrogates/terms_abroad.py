"""New demographic terms, works and whatever is of no other kind in German, Spanish and
Russian text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..lang.base import last_word
from ..lang.inflection import in_form, like_capitals
from .base import Draws, Mention, is_acronym, match_case, normalise, shuffled
from .frame import (
    LETTERS,
    NAME,
    QUOTED,
    Frame,
    capitals,
    known,
    last_resort,
    like_adjective,
    owner,
)

_SEXES = {
    "es": {"M": "H", "H": "M", "V": "M", "F": "M"},
    "de": {"M": "W", "W": "M", "F": "M"},
}

# What follows the name of an illness and belongs to that one alone.
_KIND_OF_ILLNESS = re.compile(
    r"(?i)(?:\s+(?:mellitus|insipid[ua]s?|gestacional))?"
    r"(?:[\s,-]+(?:del?\s+)?(?:tipo|typ|type|typs|grado|grad|типа?)[\s-]*(?:\d|[IVX]+)[ab]?)?$"
)


def replace_terms(mentions: Sequence[Mention], draws: Draws, frame: Frame) -> list[str]:
    """New demographic terms for a document.

    mentions (Sequence[Mention]): Mentions of nationality, occupation and so on.
    draws (Draws): The document's draws.
    frame (Frame): Its countries.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[tuple[str, str], str] = {}
    for mention in mentions:
        key = mention.text, last_word(mention.before)
        if key not in new:
            new[key] = _term(mention, draws, frame)
    return [new[m.text, last_word(m.before)] for m in mentions]


def _term(mention: Mention, draws: Draws, frame: Frame) -> str:
    text, key = mention.text, owner(mention.text, frame)
    pack = frame.pack
    rng = draws.random_for("term-draw", key)

    def candidates() -> Iterator[str]:
        if len(text) > 120:
            return
        yield from known(mention, text, frame)
        if re.fullmatch(r"[MHFVW]\.?", text):
            # Sex as a letter.
            other = _SEXES.get(pack.lang, _SEXES["de"])
            yield other.get(text[0], "X") + text[1:]
        bare = _KIND_OF_ILLNESS.sub("", text)
        if bare and bare != text:
            # No other illness is one "mellitus" or of that type.
            yield from known(mention._replace(text=bare), bare, frame)
        changed = _phrase(text, mention.before, frame)
        if changed is not None:
            yield changed
        if mention.subtype in ("", "NATIONALITY", "ETHNICITY"):
            yield from like_adjective(text, mention, frame, rng)
        if is_acronym(mention):
            for _ in range(20):
                yield capitals(text, frame.pack, rng)
        rows = frame.pack.lexicon().rows
        noun = frame.pack.noun_keys(text, mention.before)
        if noun and " " not in text:
            subtype = mention.subtype or "OCCUPATION"
            for row in shuffled([r for r in rows if f":{subtype}:" in r], rng):
                yield from in_form(shuffled(rows[row], rng), noun, text)
        own = [r for r in rows if r.startswith(f"term:{mention.subtype or '-'}:")]
        for row in own:
            for lexeme in shuffled(rows[row], rng):
                yield like_capitals(lexeme.name, text)
        for phrase in shuffled(frame.pack.people, rng):
            yield _sentence_case(phrase, text)

    return draws.pick(candidates(), key, tries=60) or last_resort(
        mention, frame, "term"
    )


def _phrase(text: str, before: str, frame: Frame) -> str | None:
    """A phrase with every known term in it exchanged; None if there is none."""
    out: list[str] = []
    position = 0
    changed = False
    for match in NAME.finditer(text):
        part = match.group()
        after = text[match.end() :]
        mention = Mention(part, "DEM", "", 0, before + text[: match.start()], after)
        new = next(known(mention, part, frame), None)
        if new is None and part[:1].isupper() and match.start():
            new = next(frame.unknown(part, mention.before), None)
        if new is not None:
            out += [text[position : match.start()], new]
            position = match.end()
            changed = True
    return "".join([*out, text[position:]]) if changed else None


def _sentence_case(phrase: str, old: str) -> str:
    """A phrase that keeps its own capitals, with one more at the start if the old text
    has one."""
    if old.isupper() and len(old) > 3:
        return phrase.upper()
    return phrase[:1].upper() + phrase[1:] if old[:1].isupper() else phrase


def replace_misc(mentions: Sequence[Mention], draws: Draws, frame: Frame) -> list[str]:
    """New texts for works, events and whatever is of no other kind.

    mentions (Sequence[Mention]): The mentions, in document order.
    draws (Draws): The document's draws.
    frame (Frame): Its countries.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[str, str] = {}
    for mention in mentions:
        if mention.text not in new:
            new[mention.text] = _misc(mention, draws, frame)
    return [new[m.text] for m in mentions]


def _misc(mention: Mention, draws: Draws, frame: Frame) -> str:
    text, key = mention.text, normalise(mention.text)
    pack = frame.pack
    rng = draws.random_for("misc", key)

    def candidates() -> Iterator[str]:
        if len(text) <= 120:
            yield from known(mention, text, frame)
            if LETTERS.fullmatch(text):
                for _ in range(20):
                    yield capitals(text, pack, rng)
            quoted = QUOTED.search(text)
            for title in shuffled(pack.titles, rng):
                if quoted is None:
                    break
                start, end = quoted.span("name")
                yield text[:start] + match_case(title, quoted["name"]) + text[end:]
            if text[:1].islower():
                changed = _phrase(text, mention.before, frame)
                if changed is not None:
                    yield changed
        if text[:1].isupper():
            pool: Iterable[str] = pack.titles
            if len(text.split()) == 1:
                pool = [t for t in (*pack.titles, *pack.companies) if " " not in t]
            for title in shuffled(list(pool), rng):
                yield match_case(title, text)
        for phrase in shuffled(pack.phrases, rng):
            yield _sentence_case(phrase, text)

    return draws.pick(candidates(), key, tries=60) or last_resort(
        mention, frame, "misc"
    )
