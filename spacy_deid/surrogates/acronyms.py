"""Acronyms of a document's organisations: which name each stands for, and what becomes
of it when that name does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..text import folding, names
from ..text.names import fold
from .base import Mention, normalise, possessive
from .cases import World
from .frame import NAME, Frame

Style = Callable[[str], str]

# An acronym in the script of any language, without points.
SHORT = re.compile(r"[^\W\d_a-zа-яё][^\W_a-zа-яё]{1,6}")
_TOKEN = re.compile(r"[^\W_]+(?:['’.&][^\W_]+)*\.?|&")
_SHORT_BEHIND = re.compile(rf"\s*\(\s*[“\"']?({SHORT.pattern})[”\"']?\s*\)")
_INSIDE = re.compile(r"\(.*?\)")


class Acronyms:
    """Acronyms of a document's organisations.

    mentions (Sequence[Mention]): All mentions of organisations.
    world (World): The document's countries; `draws.acronyms` is filled.
    """

    def __init__(self, mentions: Sequence[Mention], world: World) -> None:
        self.draws = world.draws
        # Adjectives and nouns of Russian names are small.
        self._small = world.pack.acronyms_of_all
        own = (self._initials,) if isinstance(world, Frame) else ()
        self._styles: tuple[Style, ...] = (*_STYLES, *own)
        self._style: Style = own[0] if own else _without_form
        self._shorts = _shortened(mentions, self._styles)

    def of(self, mention: Mention) -> str | None:
        """The acronym that stands for another one; None for what is none, or if no name
        of the organisation is known."""
        base = names.strip_possessive(mention.text)
        made = self.draws.acronyms.get(base.replace(".", ""))
        if made is None:
            return None
        made = like_short(made, base)
        if not self.draws.usable(made, normalise(base)):
            return None
        self.draws.claim(made, normalise(base))
        tail = mention.text[len(base) :]
        return made + (possessive(tail, made) if len(tail) > 1 else tail)

    def note(self, old: str, new: str) -> None:
        """Note the new name of an organisation: its acronyms follow."""
        for short in self._shorts.get(old, ()):
            if short not in self.draws.acronyms:
                made = self.draws.pick(self.made(short, old, new), normalise(short))
                if made is not None:
                    self.draws.acronyms[short] = made

    def fitting(self, old: str) -> Callable[[str], bool] | None:
        """Tells of new names whether they have acronyms for those of an old one; None if
        it has none."""
        shorts = self._shorts.get(old)
        if not shorts:
            return None

        def fits(new: str) -> bool:
            usable = self.draws.usable
            made = ((next(self.made(short, old, new)), short) for short in shorts)
            return all(1 < len(x) < 8 and usable(x, normalise(y)) for x, y in made)

        return fits

    def made(self, short: str, old: str, new: str) -> Iterator[str]:
        """Acronyms of a new name, first one made as an old one is made of the old name.

        short (str): The old acronym, without points.
        old (str): The old name.
        new (str): The new name.
        YIELDS (str): The first is "" if the new name has one word alone.
        """
        old, new = _INSIDE.sub("", old), _INSIDE.sub("", new)
        style = next((s for s in self._styles if s(old) == short), self._style)
        plain = style(new)
        yield plain if len(plain) > 1 else ""
        words = self._words(new)
        initials = self._initials(new)
        for i, word in enumerate(words):
            # "NaRu" is "NAR": more of one word.
            for size in range(2, min(4, len(word)) + 1):
                made = initials[:i] + word[:size].upper() + initials[i + 1 :]
                if 2 <= len(made) <= 6 and made.isalpha():
                    yield made

    def _words(self, name: str) -> list[str]:
        """Words of a name that count in its acronym: no legal forms, nothing small but
        the adjectives and nouns of Russian names."""
        found = []
        for match in NAME.finditer(name):
            word = match.group()
            form = fold(word) in names.LEGAL_FORMS and (word.isupper() or len(word) < 4)
            if form or (word.isupper() and len(word) > 1):
                continue
            if word[:1].isupper() or (self._small and len(word) > 3):
                found += [part for part in word.split("-") if part]
        return found

    def _initials(self, name: str) -> str:
        return "".join(word[0] for word in self._words(name)).upper()


def like_short(made: str, old: str) -> str:
    """An acronym with points if an old one has them."""
    return "".join(ch + "." for ch in made) if "." in old else made


class _FullNames:
    """Full names of a document's organisations, the longest first: by their initials, by
    entity, and by what is left without brackets."""

    def __init__(self, mentions: Sequence[Mention], styles: Iterable[Style]) -> None:
        self.by_initials: dict[str, str] = {}
        self.by_entity: dict[int, list[str]] = {}
        self.bare: dict[str, list[str]] = {}
        every = {(m.text, m.entity_id): None for m in mentions}
        for text, entity in sorted(every, key=lambda row: -len(row[0])):
            if SHORT.fullmatch(names.strip_possessive(text).replace(".", "")):
                continue
            bare = _INSIDE.sub("", text).strip()
            for style in styles:
                self.by_initials.setdefault(style(bare), text)
            self.by_entity.setdefault(entity, []).append(text)
            self.bare.setdefault(bare, []).append(text)

    def of(self, short: str, entities: Iterable[int]) -> str | None:
        """The name whose initials an acronym has, or that it abbreviates within its
        entities."""
        own = (text for entity in entities for text in self.by_entity.get(entity, ()))
        found = (text for text in own if _abbreviates(short, text))
        return self.by_initials.get(short) or next(found, None)


def _shortened(
    mentions: Sequence[Mention], styles: Sequence[Style]
) -> dict[str, tuple[str, ...]]:
    """Acronyms of a document's organisations by the full names that they stand for: in
    brackets behind the name, initials of it, or of the same entity.

    mentions (Sequence[Mention]): All mentions of organisations.
    styles (Sequence[Callable]): Ways to make an acronym of a name.
    RETURNS (dict[str, tuple[str, ...]]): Acronyms without their points; an acronym stands
        for one name.
    """
    letters: dict[str, set[int]] = {}
    inside: dict[str, str] = {}
    for mention in mentions:
        bare = names.strip_possessive(mention.text)
        short = bare.replace(".", "")
        if SHORT.fullmatch(short):
            letters.setdefault(short, set()).add(mention.entity_id)
        else:
            found = _SHORT_BEHIND.search(mention.text)
            found = found or _SHORT_BEHIND.match(mention.after)
            if found is not None:
                inside.setdefault(mention.text, found[1])
    behind = {short: name for name, short in reversed(inside.items())}
    letters.update({short: set() for short in behind if short not in letters})
    if not letters:
        return {}
    full = _FullNames(mentions, styles)
    out: dict[str, list[str]] = {}
    for short, entities in letters.items():
        name = behind.get(short) or full.of(short, entities)
        if name is not None:
            out.setdefault(name, []).append(short)
            # The same name without the brackets has the same acronym.
            for text in full.bare[_INSIDE.sub("", name).strip()]:
                if text != name:
                    out.setdefault(text, []).append(short)
    return {name: tuple(dict.fromkeys(found)) for name, found in out.items()}


def _abbreviates(short: str, name: str) -> bool:
    """Whether letters stand in a name in their order, the first at its beginning, and
    are no word of it."""
    name = _INSIDE.sub("", name)
    low = name.lower()
    letters = iter(low)
    return (
        low[:1] == short[:1].lower()
        and short.lower() not in _TOKEN.findall(low)
        and all(letter in letters for letter in short.lower())
    )


_SMALL = re.compile(r"(?i)(?:the|an?)")


def _all_initials(name: str) -> str:
    """Initials of a name with those of its small words: "MOD"."""
    words = [w for w in _TOKEN.findall(name) if not _SMALL.fullmatch(w)]
    return "".join(word[0] for word in words).upper()


def _without_form(name: str) -> str:
    """Initials of a name without its legal form."""
    words = _TOKEN.findall(name)
    while len(words) > 1 and fold(words[-1]).replace(".", "") in names.LEGAL_FORMS:
        words.pop()
    return folding.acronym(" ".join(words))


# How the letters of an acronym are taken from a name.
_STYLES = (folding.acronym, _without_form, _all_initials)
