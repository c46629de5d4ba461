"""Street and postal addresses, with post codes and coordinates.

Numbers and words that an address may begin with are looked for first; the text around
each of them is then read by `text.addresses`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain

from ...registries import registry
from ...text.address_parts import UPPER
from ...text.address_words import FOLLOWERS, NOT_NAMES, PARTICLES, SAFE_FIRST
from ...text.addresses import Found, Parser, in_context
from ..base import Anchored, Finder, Hit, PatternRecognizer, Recognizer, Text
from ..tables import words
from .coordinates import find_coordinates
from .postcodes import P, PostCodeFinder

# What is read around a place where an address may be.
_BEFORE, _AFTER = 110, 250
# How far from what tells an address in small letters it may begin.
_SMALL_BEFORE, _SMALL_AFTER = 60, 40
# So many pieces of a text are remembered, since tables and logs repeat themselves.
_REMEMBERED = 2000

# The word before a number and the one before it; what the number may be.
_NAME, _NUMBER_SIZE = 60, 64
_NOT_CAPITALS = (NOT_NAMES | FOLLOWERS | PARTICLES) - SAFE_FIRST


class AddressFinder:
    """Finds the addresses of normalised texts.

    countries (Optional[tuple[str, ...]]): ISO codes of the countries whose words are
        known; all by default.
    """

    def __init__(self, countries: tuple[str, ...] | None) -> None:
        self.parser = parser = Parser(countries)
        small = "|".join(sorted(map(re.escape, PARTICLES), key=len, reverse=True))
        self.first = Anchored(
            rf"(?<!\w)[^\W\d_]{{1,14}}[./º-]{{0,2}}[^\W\d_]{{0,5}}\.? ?(?:(?:{small}) ?){{0,2}}"
            rf"(?:[{UPPER}0-9]|[^\W\d_]{{2,20}}[ ,](?: ?[^\W\d_]{{2,20}}\.?[ ,]){{0,3}} ?[0-9])",
            *{re.split(r"[\W\d_]", w)[0] for w in parser.t.first},
        )
        self.parts = Anchored(
            rf"(?<!\w){parser.unit.pattern}(?=[ \t]*[,;|\n])", *words("address.parts")
        )
        plain = sorted(w for w in parser.t.last if w.isascii() and w.isalpha())
        self.small = Anchored(rf"(?<!\w)(?:{'|'.join(plain)})(?!\w)", *plain)

    def __call__(self, text: Text) -> Iterator[Hit]:
        """Find addresses.

        text (Text): A normalised text.
        YIELDS (Hit): Hits, which may overlap.
        """
        search = _Search(text, self)
        numbers = search.numbers() if text.numbers else ()
        yield from map(_hit, chain(numbers, search.words(), search.in_small_letters()))
        if "FPO" in text or "APO" in text:
            for m in P.ships.finditer(text):
                yield _hit(Found(m.start(), m.end(), 0.9, "military post", True))

    def capitals(self, text: str) -> str:
        """A text with capitals where names may be, as long as before."""
        short = self.parser.t.short

        def capital(m: re.Match[str]) -> str:
            word = m[0]
            code = word.upper() if len(word) < 4 else ""
            # A ligature may be longer in capitals.
            one = len(code) == len(word) and code in short
            if one and P.state_code.match(text, m.end()):
                return code
            if word.rstrip(".") in _NOT_CAPITALS or len(word[0].upper()) > 1:
                return word
            return word[0].upper() + word[1:]

        out = P.small_word.sub(capital, text)
        return P.small_code.sub(lambda m: m[0].upper(), out)


class _Search:
    """The search of one text, each piece of which is read once."""

    def __init__(self, text: Text, finder: AddressFinder) -> None:
        self.text, self.finder, self.parser = text, finder, finder.parser
        # Where words without capitals may belong to an address.
        self.small: list[int] = []
        self._parse = lru_cache(_REMEMBERED)(self._parse_piece)
        self._ends_name = lru_cache(_REMEMBERED)(self.parser.after_name)

    def read(self, kind: str, start: int, low: int) -> Found | None:
        """The address that a method of the parser reads around an offset, `low` being
        where what has been read before ends."""
        base = max(0, start - _BEFORE)
        piece = self.text[base : start + _AFTER]
        found = self._parse(kind, piece, start - base, max(0, low - base))
        return found.move(base) if found is not None else None

    def _parse_piece(self, kind: str, piece: str, start: int, low: int) -> Found | None:
        found: Found | None = getattr(self.parser, kind)(piece, start, low)
        return found

    def after_name(self, start: int) -> bool | None:
        """Whether the word before a number may end a street's name, as the parser
        says."""
        base = max(0, start - _NAME)
        return self._ends_name(self.text[base : start + _NUMBER_SIZE], start - base)

    def numbers(self, begin: int = 0, end: int | None = None) -> Iterator[Found]:
        """Addresses whose street has its number before or after its name, in order."""
        last = 0
        for m in P.street_number.finditer(self.text, begin):
            start = m.start()
            if end is not None and start > end:
                break
            if start < last:
                continue
            known = m["forward"] is not None or self.after_name(start)
            found = self.read("number", start, last) if known else None
            if found is not None:
                last = found.end
                yield found
            elif known is None:
                self.small.append(start)

    def words(self, begin: int = 0, end: int | None = None) -> Iterator[Found]:
        """Addresses that begin with a word: for a street, a building, a post box. They
        may overlap."""
        finder = self.finder
        kinds = (("first", finder.first), ("box", P.box), ("part", finder.parts))
        for kind, anchored in kinds:
            last = 0
            for m in anchored.finditer(self.text, begin, end):
                start = m.start()
                found = self.read(kind, start, last) if start >= last else None
                if found is not None:
                    last = found.end
                    yield found
                elif kind == "first" and start >= last and self.text[start].islower():
                    self.small.append(start)

    def in_small_letters(self) -> Iterator[Found]:
        """Addresses written without capitals, in order."""
        text, places = self.text, self.small
        if text.digits > 2:
            found = P.small_zip.finditer(text)
            places += [m.start() for m in found if m[1].upper() in self.parser.t.short]
        places += [m.start() for m in P.small_unit.finditer(text)]
        places += [m.end() for m in P.small_label.finditer(text)]
        for m in self.finder.small.finditer(text):
            start = m.start()
            if text[start].islower() and P.small_before.search(
                text, max(0, start - 50), start
            ):
                places.append(start)
        last = 0
        for place in sorted(places):
            if place >= last:
                for found in self._around(place):
                    if last <= found.start <= place <= found.end:
                        last = found.end
                        yield found

    @cached_property
    def _with_capitals(self) -> _Search:
        return _Search(Text(self.finder.capitals(self.text)), self.finder)

    def _around(self, place: int) -> list[Found]:
        """What is read around an offset as if names had capitals."""
        read = self._with_capitals
        span = (max(0, place - _SMALL_BEFORE), place + _SMALL_AFTER)
        return [
            f
            for f in (*read.numbers(*span), *read.words(*span))
            if not any(map(str.isupper, self.text[f.start : f.end]))
            and (f.closed or in_context(self.text, f.start))
        ]


def _hit(found: Found) -> Hit:
    return P.hit(found.start, found.end, "ADDRESS", found.score, found.reason)


@registry.deid_patterns("spacy_deid.address_patterns.v1")
def make_address_patterns(
    coordinates: bool = True,
    postcodes: bool = True,
    countries: Sequence[str] | None = None,
) -> Recognizer:
    """Street and postal addresses as they are written in many countries, post codes
    and coordinates.

    coordinates (bool): Whether to find coordinates.
    postcodes (bool): Whether to find post codes outside addresses.
    countries (Optional[Sequence[str]]): ISO codes of the countries whose words for
        streets and forms of post codes are known; all by default.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    packs = tuple(countries) if countries is not None else None
    finders: list[Finder] = [AddressFinder(packs)]
    finders += [PostCodeFinder(packs)] if postcodes else []
    finders += [find_coordinates] if coordinates else []
    return PatternRecognizer(*finders, digits=True)
