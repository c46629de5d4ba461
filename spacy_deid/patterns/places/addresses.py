"""Street and postal addresses, with post codes and coordinates.

Numbers and words that an address may begin with are looked for first; the text around
each of them is then read by `text.addresses`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ...registries import registry
from ...text.address_parts import PO_BOX, UPPER
from ...text.address_words import FOLLOWERS, NOT_NAMES, PARTICLES, SAFE_FIRST
from ...text.addresses import Found, Parser, in_context
from ..base import (
    Anchored,
    Anchors,
    Finder,
    Hit,
    PatternRecognizer,
    Recognizer,
    Text,
    hit,
)
from .coordinates import find_coordinates
from .postcodes import PostCodeFinder

# What is read around a place where an address may be.
_BEFORE, _AFTER = 110, 250
# So many pieces of a text are remembered, since tables and logs repeat themselves.
_REMEMBERED = 2000

# The word before a number and the one before it; what the number may be.
_NAME, _NUMBER_SIZE = 60, 64

_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November"
    "|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_NUMBER = re.compile(
    r"[0-9](?<![\w$€£¥§=%+*][0-9])(?<![0-9][.,:/-][0-9])[0-9]{0,5}(?![0-9])"
    r"(?P<forward>(?:[A-Za-z](?!\w))?(?:[-/&][0-9A-Za-z]{1,6}){0,2}(?: ?(?:½|1/2|bis\b|ter\b))?"
    rf"(?:,? {{1,2}}|,?\n[ \t]{{0,12}})(?!(?:{_MONTHS})\b)(?:[{UPPER}]|[0-9]{{1,3}}(?:st|nd|rd|th)\b))?"
)
_SHIPS = re.compile(
    r"U(?<!\wU)(?:SNV|SS|SNS|SCGC|SAV)\s[A-Z][A-Za-z]{1,20}\s{1,3}(?:FPO|APO|DPO),?\s(?:AA|AE|AP)\s[0-9]{5}(?:-[0-9]{4})?"
)
_BOXES = (
    "p po post postal postfach postbus postboks apartado aptdo casella caixa boîte bp b "
    "private locked gpo cmr psc unit skr а postilokero pósthólf c box pmb"
)
_PARTS = (
    "flat studio unit apartment apt suite ste room house villa level block blk building "
    "plot lot h no shop office penthouse số door holding b"
)
# A number before a street's name in small letters.
_SMALL_BEFORE = re.compile(
    r"(?<![\w.,:/-])[0-9]{1,5}[a-z]?,? (?:[\w'.&-]{1,20} ){1,4}\Z"
)
_SMALL_WORD = re.compile(r"(?<![\w'])[^\W\d_][\w'.-]*")
_SMALL_CODE = re.compile(
    r"(?<!\w)(?:[ac-fhknprtv-y][0-9]{2} ?(?=[a-z]{0,3}[0-9])[0-9ac-fhknprtv-y]{4}|[a-z]{1,2}[0-9][0-9a-z]? ?[0-9][a-z]{2}|[a-z][0-9][a-z] ?[0-9][a-z][0-9]|[0-9]{4} [a-z]{2}(?= [a-z]{3}))(?!\w)"
)
_STATE_CODE = re.compile(",? [0-9]{4}")
_SMALL_ZIP = re.compile(
    r"(?<=[ ,\n])([a-z]{2,3}),? (?:[0-9]{5}(?![\w.,]{0,1}[0-9])|[a-z][0-9][a-z] ?[0-9][a-z][0-9]\b)"
)
_SMALL_UNIT = Anchored(r"(?:apt|suite)\.? [0-9]{1,4}\b", "apt suite")
_SMALL_LABEL = Anchored(
    r"(?i:(?:adress|address|adres|adresse|anschrift|dirección|direccion|indirizzo|endereço|morada|adresa|адрес)\s?[:|]\s{1,3}"
    r"|(?:lives?|living|resid(?:es?|ing|ed)|moved|moving|located|parked|delivered|towed|went) (?:at|to|near|from) )(?=[a-z0-9])",
    "adress address adres adresse anschrift dirección direccion indirizzo endereço morada",
    "adresa адрес live lives living reside resides residing resided moved moving located",
    "parked delivered towed went",
)
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
            *{re.split(r"[\W\d_]", w)[0] for w in parser.first_words},
        )
        self.boxes = Anchored(rf"(?<![\w.])(?i:{PO_BOX})", _BOXES)
        self.parts = Anchored(rf"(?<!\w){parser.unit.pattern}(?=[ \t]*[,;|\n])", _PARTS)
        self.small = Anchored(
            rf"(?<!\w)(?:{'|'.join(sorted(w for w in parser.t.last if w.isascii() and w.isalpha()))})(?!\w)",
            *(w for w in parser.t.last if w.isascii() and w.isalpha()),
        )
        self.beginnings = Anchors(self.first, self.boxes, self.parts)
        self.parsers: dict[str, Callable[[str, int, int], Found | None]] = {
            "number": parser.number,
            "first": parser.first,
            "box": parser.box,
            "part": parser.part,
        }

    def __call__(self, text: Text) -> Iterator[Hit]:
        """Find addresses.

        text (Text): A normalised text.
        YIELDS (Hit): Hits, which may overlap.
        """
        read = _Reader(text, self.parsers)
        small: list[int] = []
        if text.numbers:
            for found in self.numbers(text, read, small):
                yield _hit(found)
        if not self.beginnings.absent(text):
            for found in self.words(text, read, small):
                yield _hit(found)
        for found in self.in_small_letters(text, read, small):
            yield _hit(found)
        if "FPO" in text or "APO" in text:
            for m in _SHIPS.finditer(text):
                yield _hit(Found(m.start(), m.end(), 0.9, "military post", True))

    def numbers(
        self,
        text: str,
        read: _Reader,
        small: list[int] | None = None,
        span: tuple[int, int] | None = None,
    ) -> Iterator[Found]:
        """Addresses whose street has its number before or after its name.

        text (str): The text.
        read (_Reader): Its reader.
        small (Optional[list[int]]): Takes the offsets of numbers after words that end
            like a street's name but have no capitals.
        span (Optional[tuple[int, int]]): Where to look, everywhere by default.
        YIELDS (Found): Addresses in order.
        """
        last = 0
        begin, end = span or (0, len(text))
        names: dict[str, bool | None] = {}
        for m in _NUMBER.finditer(text, max(0, begin)):
            start = m.start()
            if start < last:
                continue
            if start > end:
                break
            known: bool | None = m["forward"] is not None
            if not known:
                known = self.after_name(text, start, names)
            if known:
                found = read("number", start, last)
                if found is not None:
                    last = found.end
                    yield found
            elif known is None and small is not None:
                small.append(start)

    def after_name(
        self, text: str, start: int, known: dict[str, bool | None]
    ) -> bool | None:
        """Whether the word before a number may end a street's name, as the parser
        says; what is known of the same piece of a text is taken from there."""
        if start < _NAME:
            return self.parser.after_name(text, start)
        piece = text[start - _NAME : start + _NUMBER_SIZE]
        if piece not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[piece] = self.parser.after_name(piece, _NAME)
        return known[piece]

    def words(
        self,
        text: str,
        read: _Reader,
        small: list[int] | None = None,
        span: tuple[int, int] | None = None,
    ) -> Iterator[Found]:
        """Addresses that begin with a word: for a street, a building, a post box.

        text (str): The text.
        read (_Reader): Its reader.
        small (Optional[list[int]]): Takes the offsets of words for streets before names
            without capitals.
        span (Optional[tuple[int, int]]): Where to look, everywhere by default.
        YIELDS (Found): Addresses, which may overlap.
        """
        begin, end = span or (0, len(text))
        for kind, anchored in (
            ("first", self.first),
            ("box", self.boxes),
            ("part", self.parts),
        ):
            last = 0
            for m in anchored.finditer(text):
                start = m.start()
                if start < last or not begin <= start <= end:
                    continue
                found = read(kind, start, last)
                if found is not None:
                    last = found.end
                    yield found
                elif small is not None and kind == "first" and text[start].islower():
                    small.append(start)

    def in_small_letters(
        self, text: Text, read: _Reader, places: list[int]
    ) -> Iterator[Found]:
        """Addresses written without capitals.

        text (Text): The text.
        read (_Reader): Its reader.
        places (list[int]): Offsets of what may belong to one.
        YIELDS (Found): Addresses in order.
        """
        last = 0
        if text.digits > 2:
            places += [
                m.start()
                for m in _SMALL_ZIP.finditer(text)
                if m[1].upper() in self.parser.t.short
            ]
        places += [m.start() for m in _SMALL_UNIT.finditer(text)]
        places += [m.end() for m in _SMALL_LABEL.finditer(text)]
        for m in self.small.finditer(text):
            start = m.start()
            if text[start].islower() and _SMALL_BEFORE.search(
                text, max(0, start - 50), start
            ):
                places.append(start)
        for place in sorted(places):
            if place >= last:
                for found in read.small(self, place):
                    if last <= found.start <= place <= found.end:
                        last = found.end
                        yield found

    def capitals(self, text: str) -> str:
        """A text with capitals where names may be, as long as before."""
        short = self.parser.t.short

        def capital(m: re.Match[str]) -> str:
            word = m[0]
            if (
                len(word) < 4
                and word.upper() in short
                and _STATE_CODE.match(text, m.end())
            ):
                return word.upper()
            if word.rstrip(".") in _NOT_CAPITALS or len(word[0].upper()) > 1:
                return word
            return word[0].upper() + word[1:]

        out = _SMALL_WORD.sub(capital, text)
        return (
            _SMALL_CODE.sub(lambda m: m[0].upper(), out)
            if len(out) == len(text)
            else text
        )


class _Reader:
    """Reads the pieces of one text, each of them once.

    text (str): The text.
    parsers (dict[str, Callable]): Functions of a piece, of an offset and of where what
        has been read before ends.
    """

    def __init__(
        self, text: str, parsers: dict[str, Callable[[str, int, int], Found | None]]
    ) -> None:
        self.text = text
        self.parsers = parsers
        self.known: dict[tuple[str, int, int, str], Found | None] = {}
        self.known_small: dict[tuple[int, str], list[Found]] = {}

    def __call__(self, kind: str, start: int, low: int) -> Found | None:
        """Read around an offset.

        kind (str): The parser.
        start (int): The offset.
        low (int): Where what has been read before ends.
        RETURNS (Optional[Found]): The address in the whole text.
        """
        base = max(0, start - _BEFORE)
        piece = self.text[base : start + _AFTER]
        key = (kind, start - base, max(0, low - base), piece)
        if key in self.known:
            found = self.known[key]
        else:
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            found = self.parsers[kind](piece, start - base, max(0, low - base))
            self.known[key] = found
        return found.move(base) if found is not None else None

    def small(self, finder: AddressFinder, place: int) -> list[Found]:
        """Read around an offset as if names had capitals."""
        base = max(0, place - _BEFORE)
        piece = self.text[base : place + _AFTER]
        key = (place - base, piece)
        if key not in self.known_small:
            if len(self.known_small) >= _REMEMBERED:
                self.known_small.clear()
            text = Text(finder.capitals(piece))
            read = _Reader(text, self.parsers)
            here = place - base
            found = (
                *finder.numbers(text, read, span=(here - 60, here + 40)),
                *finder.words(text, read, span=(here - 60, here + 40)),
            )
            self.known_small[key] = [
                f
                for f in found
                if not any(map(str.isupper, piece[f.start : f.end]))
                and (f.closed or in_context(piece, f.start))
            ]
        return [found.move(base) for found in self.known_small[key]]


def _hit(found: Found) -> Hit:
    return hit(
        found.start, found.end, "LOC", "ADDRESS", found.score, reason=found.reason
    )


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
    if postcodes:
        finders.append(PostCodeFinder(packs))
    if coordinates:
        finders.append(find_coordinates)
    return PatternRecognizer(*finders, digits=True)
