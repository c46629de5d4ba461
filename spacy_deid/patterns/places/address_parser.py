"""How addresses are read.

A street is found by its words and number; what follows it (parts of the building,
town, region, post code, country) is read piece by piece and kept up to the last piece
that only an address would have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ...text.countries import countries, index
from ..base import before, compiled
from .address_tables import (
    BUILDINGS,
    CONTEXT,
    COUNTRIES,
    FOLLOWERS,
    LOCALITIES,
    NOT_NAMES,
    NOT_SUFFIXED,
    PARTICLES,
    POST_CODES,
    REGIONS,
    SAFE_FIRST,
    STATES,
    STREETS,
    UNITS,
)

# Capitals of Latin, Greek and Cyrillic, with the small letters among them.
UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u024f\u0386-\u03ab\u0400-\u042f\u0460-\u052f\u1e00-\u1eff"
_NUMBER = (
    r"(?![0-9]{1,2}/[0-9]{1,2}/[0-9]{2})[0-9]{1,5}(?:[A-GI-Za-gi-z](?![\w']))?"
    r"(?:[-/&][0-9]{1,5}[A-Za-z]?(?!\w)|-[A-Za-z](?!\w)|/[A-Za-z](?!\w)){0,2}"
    r"(?![-/]?[0-9])(?:\s1/2|\s?½)?(?:\s?(?:bis|ter|quater)\b)?"
)
_HOUSE = re.compile(_NUMBER)
# "12 B", "5 A 12" after the street's name.
_HOUSE_MORE = re.compile(
    r" [A-Z](?![\w'&.-])(?! [a-z])(?: [0-9]{1,3}(?![\w.,-]*[0-9]))?"
)
_AFTER_NUMBER = re.compile(r",? {1,2}|,?\n[ \t]{0,12}")
_WORD = re.compile(
    r"[^\W\d_][\w'&-]*(?:\.[^\W\d_]+)*\.?|[0-9]{1,3}(?:st|nd|rd|th|ST|ND|RD|TH)\b|&"
)
_GAP = re.compile(r"[ \t]{1,2}|(?<=\.)")
_ORDINAL = re.compile(r"[0-9]{1,3}(?:st|nd|rd|th)\Z", re.I)
_SEPARATOR = re.compile(
    r"[ \t]{0,3}(?:(?P<hard>[,;|/]|-(?=[0-9 ]))[ \t]{0,3})?"
    r"(?P<line>\r?\n[ \t|>]{0,24}(?:,[ \t]{0,3}(?:\r?\n[ \t]{0,24})?)?)?"
)
_DIRECTION = re.compile(
    r" (?:N|S|E|W|NE|NW|SE|SW|N\.E\.|N\.W\.|S\.E\.|S\.W\.|N\.|S\.|E\.|W\.|North|South|East|West|Este"
    r"|Oeste|Norte|Sur|Est|Ouest|Nord|Sud|NORTH|SOUTH|EAST|WEST)(?![\w'])"
)
_NUMBERED = re.compile(r" [0-9]{1,4}[A-Z]?(?![\w.,-]*[0-9])(?!\w)")
# Marks before a number that follows the street's name.
_MARK = (
    r"(?:(?:, ?| )(?:[Nn][º°o]\.?:?|N[ºO]\.?:?|[Nn]\.|[Nn]r\.?|NR\.?|[Nn]úm\.?|№|[Kk]m\.?"
    r"|[Дд]\.?|[Дд]ом|[Dd]\.|[Bb]\.|house|h\.)| ?#)"
)
_NAME_NUMBER = re.compile(
    rf"(?:{_MARK} ?|,? )(?P<number>{_NUMBER}(?:-[0-9]{{1,4}})?|[Ss]/[Nn]\b|[Ss]n\b)"
)
_MARK_BEFORE = re.compile(rf"(?:{_MARK} ?|,? )\Z")
_ORDINAL_FLOOR = (
    r"[0-9]{1,3}(?:st|nd|rd|th|ST|ND|RD|TH)\s(?:[Ff]loor|FLOOR|[Ff]lr?\.?)\b"
)
_FLOORS = (
    r"[0-9]{1,2}[º°ª]\s?(?:[A-Za-z](?![\w'])|(?i:izda|dcha|esq|dto|dta|frente|andar|izq|der)\b\.?)?"
    r"|[0-9]{1,2}\.\s?(?i:tv|th|mf|sal|em|emelet|patro|og|stock|kerület)\b\.?(?:,?\s(?:(?i:tv|th|mf)|[0-9]{1,3})\b\.?)?"
    r"|[IVX]{1,4}\.\s?(?i:em|ker|kerület)\b\.?(?:\s[0-9]{1,3}\.?)?"
)
_IDENT = r"(?:[A-Za-z]{0,2}-?[0-9][\w/-]{0,7}|[A-Za-z](?![\w']))"
PO_BOX = (
    r"(?:(?:p\.?\s?o\.?\s?box|p\.?\s?o\.?\s?b\.|post(?:al)?\soffice\sbox|postal\sbox|postfach|postbus|postboks|box|apartado(?:\sde\scorreos|\spostal)?"
    r"|aptdo\.?|casella\spostale|c\.p\.|caixa\spostal|boîte\spostale|b\.?p\.?|private\sbag|locked\sbag|gpo\sbox|cmr|psc|hc|rr|r\.r\.|rural\sroute"
    r"|rd|r\.d\.|skr\.?\s?poczt\.?|а/я|pmb|postilokero|pl|pósthólf|po\sbox)\s?(?:nos?\.?\s|#\s?)?[a-z]?[0-9]{1,5}(?:[ .]?[0-9]{2,3}){0,2}(?![0-9])"
    r"(?:,?\sbox\s[0-9]{1,5})?|unit\s[0-9]{1,5},?\sbox\s[0-9]{1,5})"
)
_BOX = re.compile(f"(?i:{PO_BOX})")
_MILITARY = re.compile(
    r"\s{1,3}(?:FPO|APO|DPO),?\s(?:AA|AE|AP)\s[0-9]{5}(?:-[0-9]{4})?(?![0-9])"
)
_BRACKETS = re.compile(r" {1,2}\([^\W\d_][^()\n]{1,24}\)")
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}\Z")
_END_OF_LINE = re.compile(r"[ \t]*(?:[.!?)\]\"';]|\r?\n|,\n|\Z|\|)")
_CARE_OF = r"(?:[cC]/[oO]\.?|(?i:care\sof|attn\.?|attention|for\sthe\sattention\sof):?)\s[^\n,;|0-9]{2,40}"

# From which form of a street how much is known.
_SURE, _LIKELY, _WEAK = 3, 2, 1
_SCORES = {_SURE: 0.9, _LIKELY: 0.8, _WEAK: 0.7}


class _Street(NamedTuple):
    start: int
    end: int
    strength: int
    says: str
    # Whether it has a number, so that a lone word for a street is not enough.
    numbered: bool = True


class Found(NamedTuple):
    """An address in a piece of a text.

    start (int): First character.
    end (int): Character after the last.
    score (float): Confidence in 0..1.
    reason (str): Why it is one.
    closed (bool): Whether a post code, region or country ends it.
    """

    start: int
    end: int
    score: float
    reason: str
    closed: bool

    def move(self, offset: int) -> Found:
        """The same address, counted from elsewhere."""
        return self._replace(start=self.start + offset, end=self.end + offset)


class _Tail(NamedTuple):
    end: int
    # What closes it, and whether that is enough without a word for a street.
    closed: str
    firm: bool
    # Whether a part of a building is named.
    unit: bool


@dataclass
class _Name:
    """What is read of a name behind its word for a street; `safe` if that is one."""

    safe: bool
    end: int = 0
    numbers: int = 0
    named: bool = False
    # Whether a word in small letters is among it.
    small: bool = False


@dataclass
class _Reading:
    """What is read behind a street: where it ends, and where is read next."""

    end: int
    pos: int
    closed: str = ""
    firm: bool = False
    unit: bool = False
    # Names not yet proven to belong to the address (end, after a comma on the line).
    pending: list[tuple[int, bool]] = field(default_factory=list)
    # Whether the last piece was a name; a code has been read; little follows after it.
    named: bool = False
    coded: bool = False
    final: bool = False
    lined: bool = False

    def take(self, end: int) -> None:
        """What ends here belongs to the address, with all names before it."""
        self.end = self.pos = end
        self.pending.clear()


class _Tables(NamedTuple):
    last: frozenset[str]
    # Those that stand between a house number and the end: "12 High Street".
    forward: frozenset[str]
    english: frozenset[str]
    weak: frozenset[str]
    first: frozenset[str]
    suffix: tuple[str, ...]
    weak_suffix: tuple[str, ...]
    short: frozenset[str]
    places: frozenset[str]
    codes: tuple[tuple[re.Pattern[str], str, bool], ...]


def _set(blocks: Iterable[str]) -> frozenset[str]:
    return frozenset(w.rstrip(".,") for block in blocks for w in block.split())


@lru_cache(maxsize=8)
def _tables(countries: tuple[str, ...] | None) -> _Tables:
    def wanted(codes: str) -> bool:
        return countries is None or not set(countries).isdisjoint(codes.split())

    packs = [pack for pack in STREETS if wanted(pack.countries)]
    states = [STATES[code] for code in STATES if wanted(code)]
    names = [name.lower() for name in COUNTRIES]
    names += [name.lower() for _, long in states for name in long]
    last = _set(pack.last for pack in packs)
    english = _set(pack.last for pack in packs if "US" in pack.countries)
    return _Tables(
        last,
        english | {word for word in last if len(word) > 5},
        english - {"strasse"},
        _set(pack.weak for pack in packs) - last,
        _set(pack.first for pack in packs),
        tuple(sorted({w for p in packs for w in p.suffix.split()})),
        tuple(sorted({w for p in packs for w in p.weak_suffix.split()})),
        _set(" ".join(short) for short, _ in states),
        frozenset(names) | _country_names(),
        tuple(
            (
                compiled(rf"(?:[A-Z]{{1,2}}-)?{code.form}(?![\w]|[.,/-][0-9])"),
                code.says,
                re.search("[A-Z]", code.form) is not None,
            )
            for code in POST_CODES
            if wanted(code.countries)
        ),
    )


@lru_cache(maxsize=1)
def _country_names() -> frozenset[str]:
    return frozenset(country.name.lower() for country in countries())


@lru_cache(maxsize=1)
def _towns() -> frozenset[str]:
    return frozenset(index().by_city) | frozenset(index().by_region)


def _key(word: str) -> str:
    return word.lower().rstrip(".")


def _is_name(word: str) -> bool:
    """Whether a word may be part of a name: a capital, and no word that opens or
    interrupts sentences."""
    return word[0].isupper() and _key(word) not in NOT_NAMES


def _upper_start(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _words(text: str, pos: int, limit: int) -> list[tuple[int, int, str]]:
    """Words from an offset on that only blanks part, up to the end of a sentence."""
    out: list[tuple[int, int, str]] = []
    while len(out) < limit:
        m = _WORD.match(text, pos)
        if m is None:
            break
        word = m[0]
        out.append((m.start(), m.end(), word))
        # A stop ends a sentence unless it ends an abbreviation.
        if word[-1] == "." and len(word) > 6:
            break
        gap = _GAP.match(text, m.end())
        if gap is None:
            break
        pos = gap.end()
    return out


class Parser:
    """Reads addresses.

    All methods take a piece of a text, so that their time is bounded.

    countries (Optional[tuple[str, ...]]): ISO codes of the country packs.
    """

    def __init__(self, countries: tuple[str, ...] | None) -> None:
        self.t = _tables(countries)
        units = "|".join(
            re.escape(w) if w[-1] == "." else rf"{re.escape(w)}\b"
            for w in sorted(UNITS, key=len, reverse=True)
        )
        unit = (
            rf"(?:(?i:{units})[.:]{{0,2}}\s{{0,2}}(?i:no[.:]{{0,2}}\s?|nr\.?\s?|n[º°]\s?|#\s?)?{_IDENT}"
            rf"|[Bb]\s?[0-9]{{1,3}},?\s[Ll]\s?[0-9]{{1,3}}|#\s?{_IDENT}|{_ORDINAL_FLOOR}|{_FLOORS}|(?i:levels?|lvl)\s[0-9]{{1,3}}|(?i:bajo|ground floor|rez-de-chaussée|parterre|basement)\b)"
        )
        self.unit = compiled(rf"{unit}(?![0-9])")
        name = rf"[{UPPER}][\w'.-]{{0,25}}"
        self.before = compiled(
            rf"(?<![\w.])(?:(?:(?i:house|plot|door|flat|room|villa|shop|office|lot|unit|block|blk|h|building|apartment|survey|ward|qtr|quarter)\.?\s?)?"
            rf"(?:[Nn]o\b\.?|NO\b\.?|[Nn]r\b\.?|N[º°]|[Ss]ố|#)\s?{_IDENT}"
            rf"|{unit}|{_CARE_OF}|(?:{name} ){{1,3}}(?:{BUILDINGS})(?:\s{unit})?"
            rf"|(?i:{PO_BOX}))"
            r"(?:[,;|]?\s{1,3}|[ \t]*,?\n[ \t|]{0,24})\Z"
        )
        self.reverse = compiled(
            rf"(?<![\w-])(?:[A-Z]{{1,2}}-)?[0-9]{{4,6}}(?:\s[0-9]{{2}})?(?:,\s|\s)(?:(?:г\.?|гор\.)\s?)?{name}(?: {name})?(?:,\s{{1,2}}|,?\n[ \t]{{0,12}})\Z"
            rf"|(?<!\w)(?:[0-9]{{6}},\s)?(?:(?:{LOCALITIES})\.?\s?{name}(?: {name})?,\s|{name}(?: {name})? (?:{LOCALITIES})\.?,\s){{1,3}}\Z"
            rf"|(?<!\w){name},\s(?=(?:ул|пр|пер|наб|ш|бул|пл)\b)\Z"
        )
        firsts = sorted(self.t.first)
        self.first_words = frozenset(firsts)

    # -- Streets ---------------------------------------------------------------

    def forward(self, text: str, start: int) -> _Street | None:
        """A street that follows its number: "12 High Street"."""
        number = _HOUSE.match(text, start)
        if number is None:
            return None
        gap = _AFTER_NUMBER.match(text, number.end())
        year = _YEAR.match(number[0]) is not None
        if gap is None or (year and gap[0] != " "):
            return None
        words = _words(text, gap.end(), 9)
        if not words or ("\n" in gap[0] and self.code(text, words[0][0])):
            return None
        first = words[0][2]
        if _key(first) in self.first_words and not year:
            named = self.first_named(text, words[0][0], numbered=False)
            if named is not None and named.end > words[0][1]:
                return named._replace(
                    start=start, strength=_SURE, says="number and street word"
                )
        if not (_upper_start(first) or _DIRECTION.fullmatch(" " + first)):
            return None
        if _key(first) in NOT_NAMES:
            return None
        if _key(first) in _UNIT_WORDS and self.unit.match(text, words[0][0]):
            return None
        lines = "\n" in gap[0]
        end, strength = self.typed(text, words)
        month = year and _MONTH_BEFORE.search(text, max(0, start - 24), start)
        if end and year and (strength < _SURE or month):
            return None
        if end:
            end = self.after_type(text, end)
            return _Street(
                start,
                self.own_number(text, end) or end,
                min(strength, _LIKELY) if lines else strength,
                "number and street word",
            )
        # No word for a street: a name, perhaps with a number of its own.
        for i, (_, stop, word) in enumerate(words[:5]):
            if _is_name(word):
                end = stop
            elif not (i and _key(word) in PARTICLES):
                break
        if not end or end - words[0][0] < 3:
            return None
        if text[end - 1] == ".":
            end -= 1
        # "23/286" may stand on a line of its own.
        if lines and number[0].isdigit():
            return None
        return _Street(start, self.own_number(text, end) or end, 0, "number and name")

    def own_number(self, text: str, end: int) -> int:
        """End of another number of a street that has one, before other parts."""
        own = _OWN_NUMBER.match(text, end)
        return own.end() if own and not _YEAR.match(own[0].strip()) else 0

    def typed(
        self, text: str, words: Sequence[tuple[int, int, str]]
    ) -> tuple[int, int]:
        """End of the first word for a street after a name, and how sure it is."""
        t = self.t
        for i, (_, stop, word) in enumerate(words):
            key = _key(word)
            kind = _SURE if key in t.forward else _WEAK if key in t.weak else 0
            if kind and (i or key == "broadway") and self.cased(word, words[:i]):
                # "Lake Shore Drive", "Hill View Road".
                while i + 1 < len(words) and self.kind(words[i + 1][2]):
                    i += 1
                    stop = words[i][1]
                    kind = max(kind, self.kind(words[i][2]))
                if kind == _WEAK:
                    for j in range(i + 1, min(i + 3, len(words))):
                        if not _is_name(words[j][2]):
                            break
                        if _key(words[j][2]) in t.forward and words[j][2][0].isupper():
                            return words[j][1], _SURE
                return stop, kind
            if not (_is_name(word) or _ORDINAL.match(word) or key in PARTICLES):
                break
            if word[-1] == "." and len(key) > 4:
                break
            if i > 4:
                break
            if i and i == len(words) - 1 and self.suffixed(word) == _SURE:
                return stop, _SURE
        end = words[0][1] if words and len(words[0][2]) > 7 else 0
        if end and self.suffixed(words[0][2]) == _SURE:
            return (0, 0) if _NAME_NUMBER.match(text, end) else (end, _LIKELY)
        return 0, 0

    def kind(self, word: str) -> int:
        """How surely a capitalised word is one for a street, 0 if it is none."""
        if not word[0].isupper():
            return 0
        key = _key(word)
        return _SURE if key in self.t.forward else _WEAK if key in self.t.weak else 0

    def cased(self, word: str, name: Sequence[tuple[int, int, str]]) -> bool:
        """Whether the word for a street is written like the name before it."""
        if word.isupper() and len(word.rstrip(".")) > 1:
            return not name or any(w.isupper() or w[0].isdigit() for _, _, w in name)
        return word[0].isupper() or (
            _key(word) in self.t.forward and bool(name) and name[0][2][:1].isupper()
        )

    def after_type(self, text: str, end: int) -> int:
        direction = _DIRECTION.match(text, end)
        if direction:
            end = direction.end()
        elif text[end - 1] != ".":
            numbered = _NUMBERED.match(text, end)
            word = text[max(0, end - 12) : end].rpartition(" ")[2].lower()
            if numbered and word in _NUMBERED_TYPES:
                end = numbered.end()
        return _no_stop(text, end)

    def suffixed(self, word: str) -> int:
        """How surely a word ends like a street's name ("Hauptstr.")."""
        low = word.lower()
        if len(low) < 6 or low in NOT_SUFFIXED:
            return 0
        if low.endswith(self.t.suffix) or low.endswith("str."):
            return _SURE
        return _WEAK if low.endswith(self.t.weak_suffix) and len(low) > 6 else 0

    def first_named(
        self, text: str, start: int, numbered: bool = True
    ) -> _Street | None:
        """A street whose name begins with its word: "rue de la Paix 5", "Via Roma".

        text (str): The text.
        start (int): Where the word begins.
        numbered (bool): Whether a number may follow.
        RETURNS (Optional[_Street]): None if no name follows the word.
        """
        m = _FIRST_WORD.match(text, start)
        if m is None or _key(m[0]) not in self.first_words:
            return None
        name = self.name_behind(text, m)
        if not _is_street(text, m[0], name):
            return None
        end = _no_stop(text, name.end)
        sure = name.safe and m[0] != "via"
        number = _NAME_NUMBER.match(text, end) if numbered else None
        if number and not self.other_number(text, number, sure):
            stop = self.house_end(text, number.end())
            more = _SECOND_NUMBER.match(text, stop)
            if more and (len(more[1]) < 4 or not self.code(text, more.start(1))):
                stop = more.end()
            strength = _SURE if sure else _LIKELY
            return _Street(start, stop, strength, "street word and number")
        if not numbered:
            # "12, Jalan Tun Ismail 9/56".
            slashed = _SLASHED.match(text, end)
            end = slashed.end() if slashed else end
        strength = _LIKELY if sure else 0
        return _Street(start, end, strength, "street word and name", name.numbers > 0)

    def name_behind(self, text: str, m: re.Match[str]) -> _Name:
        """The name behind a word for a street, read word by word."""
        name = _Name(_key(m[0]) in SAFE_FIRST)
        pos = m.end()
        for _ in range(8):
            gap = _GAP.match(text, pos)
            if gap is None and pos == m.end() and text[pos - 1] in "./":
                gap = _NOTHING.match(text, pos)
            if gap is None or (name.end and _MARKED_NUMBER.match(text, pos)):
                break
            w = _NAME_PART.match(text, gap.end())
            if w is None or not self.takes(text, name, w):
                break
            pos, word = w.end(), w[0]
            name.small |= word.islower() and _key(word) not in PARTICLES
            if word[-1] == "." and len(word) > 5:
                name.end = pos - 1
                break
        return name

    def takes(self, text: str, name: _Name, w: re.Match[str]) -> bool:
        """Whether a name goes on with a word, which it then takes."""
        word, key, end = w[0], _key(w[0]), w.end()
        if word[0].isdigit():
            # "Via 20 Settembre", "Calle 13 # 4-5", "Jalan 9/5".
            early = name.end == 0 and not name.small
            if name.numbers or (len(word) > 3 and name.end):
                return False
            if not (early or _AFTER_DIGITS.match(text, end)):
                return False
            name.numbers += 1
        elif _is_name(word) or (word[0].isupper() and name.end):
            if key in _UNIT_WORDS and _UNIT_NUMBER.match(text, end):
                return False
            name.named = True
        elif len(word) == 1 and word.isupper() and _NAME_NUMBER.match(text, end):
            name.named = True
        else:
            particle = key in PARTICLES and key not in _ENGLISH
            return particle or (
                name.safe and not name.small and self.small(text, word, end)
            )
        name.end = end
        return True

    def small(self, text: str, word: str, end: int) -> bool:
        """Whether a word in small letters is part of a name ("Ulica kralja Petra")."""
        key = _key(word)
        return (
            word.islower()
            and len(key) > 2
            and key not in NOT_NAMES
            and key not in FOLLOWERS
            and _NAME_OR_NUMBER.match(text, end) is not None
        )

    def other_number(self, text: str, m: re.Match[str], sure: bool) -> bool:
        """Whether a number after a street's name is a year or a post code."""
        if m.start("number") - m.start() > 2:
            return False
        if _YEAR.match(m["number"]) and not (
            sure and _END_OF_NAME.match(text, m.end("number"))
        ):
            return True
        parted = m[0][0] == "," or len(m["number"]) > 4
        code = self.code(text, m.start("number")) if parted else None
        if code is not None and code[0] - m.start("number") < 4:
            return False
        gap = _CODE_GAP.match(text, code[0]) if code else None
        return (
            gap is not None
            and gap[0] in (" ", "-")
            and bool(self.town(text, gap.end(), after_code=True))
        )

    def house_end(self, text: str, end: int) -> int:
        more = _HOUSE_MORE.match(text, end)
        if more:
            end = more.end()
        direction = _DIRECTION.match(text, end)
        if direction and len(direction[0]) > 3:
            end = direction.end()
        return end

    def after_name(self, text: str, start: int) -> bool | None:
        """Whether the word before a number may end a street's name.

        text (str): The text.
        start (int): Where the number begins.
        RETURNS (Optional[bool]): None if it ends like one but has no capital.
        """
        if not start:
            return False
        end = start - 1
        if text[end] != " ":
            if text[end] not in ".#°º:/":
                return False
            end = start
        low = max(0, end - 30)
        begin = max(text.rfind(" ", low, end), text.rfind("\n", low, end), low - 1)
        word = text[begin + 1 : end].lstrip("(\t|")
        key = word.lower().rstrip(".,")
        if not key:
            return False
        if key in _MARKS or end == start:
            return True
        if word[0].isupper():
            return key not in NOT_NAMES
        if key in self.t.last:
            return True
        low = max(0, begin - 20)
        previous = text[max(low, text.rfind(" ", low, max(0, begin)) + 1) : begin]
        if previous.lower() in _PREPOSITIONS:
            return True
        if key.endswith(self.t.suffix):
            return True if previous[:1].isupper() else None
        return previous[:1].isupper() and _CODE_AFTER.match(text, start) is not None

    def backward(self, text: str, start: int) -> _Street | None:
        """A street before its number: "Hauptstr. 12", "Fő utca 3.", "Tuvi 43"."""
        low = max(0, start - 70)
        mark = _MARK_BEFORE.search(text, max(low, start - 8), start)
        if mark is None:
            return None
        left = text[low : mark.start()]
        cut = max(map(left.rfind, '\n,;|:()"\t'))
        left = left[cut + 1 :]
        low += cut + 1
        parts = [(m.start(), m[0]) for m in _LEFT_WORD.finditer(left)]
        if not parts or parts[-1][0] + len(parts[-1][1]) != len(left):
            return None
        taken: list[tuple[int, str]] = []
        for i in range(len(parts) - 1, max(-1, len(parts) - 7), -1):
            begin, word = parts[i]
            if not self.before_number(parts, i, [word for _, word in taken]):
                break
            if taken and begin + len(word) + 1 < taken[-1][0]:
                break
            taken.append((begin, word))
        while taken and not taken[-1][1][0].isupper():
            taken.pop()
        if not taken:
            return None
        house = _HOUSE.match(text, start)
        if house is None:
            return None
        end = self.house_end(text, house.end())
        if text[end : end + 1] == "." and _DOT_ENDS.match(text, end + 1):
            end += 1
        last = taken[0][1]
        if _key(last) in _UNIT_WORDS and _key(last) not in self.t.last:
            return None
        begin = low + taken[-1][0]
        key = _key(last)
        if len(taken) > 1 and key in self.t.last and key not in self.t.english:
            # "Park 1" and "MH 17" are not enough; "Rüütli tn" is.
            sure = (len(key) > 2 or last[-1] == "." or key in _SHORT_LAST) and (
                key not in _PLAIN_LAST
            )
            return _Street(begin, end, _SURE if sure else 0, "street word and number")
        suffix = self.suffixed(last)
        if suffix == _SURE and not (len(taken) == 1 and _key(last) in self.t.last):
            return _Street(begin, end, _SURE, "ending of a street's name and number")
        if suffix:
            return _Street(begin, end, 0, "ending of a street's name and number")
        if key in self.t.last:
            return _Street(begin, end, 0, "street word and number")
        if len(taken) > 4:
            begin = low + taken[3][0]
        if _YEAR.match(house[0]) or mark[0] not in (" ", ", "):
            return None
        if last.islower() and not _CODE_AFTER.match(text, start):
            return None
        return _Street(begin, end, 0, "name and number")

    def before_number(
        self, parts: Sequence[tuple[int, str]], i: int, taken: Sequence[str]
    ) -> bool:
        """Whether a word belongs to the name of a street before its number.

        parts (Sequence[tuple[int, str]]): Words with their offsets.
        i (int): Which one.
        taken (Sequence[str]): The words of the name after it, the last first.
        RETURNS (bool): Whether it belongs to the name.
        """
        word = parts[i][1]
        key = _key(word)
        if word[0].isupper() and key not in NOT_NAMES:
            return not (taken and word[-1] == "." and len(key) > 4)
        if taken and (key in PARTICLES or word[0].isdigit()):
            return True
        if not i or not word.islower():
            return False
        previous = parts[i - 1][1]
        if not taken and (key in self.t.last or self.suffixed(word) == _SURE):
            return True
        if not taken and key not in NOT_NAMES and key not in FOLLOWERS:
            # "Mlynské nivy": only a post code after it makes it one.
            return previous[0].isupper() and _key(previous) not in NOT_NAMES
        # "Na spojke", "V zahradách"; "Arany jános utca".
        inner = _key(previous) in _PREPOSITIONS and key not in NOT_NAMES
        inner = inner or (len(taken) == 1 and taken[0].islower())
        return inner and previous[0].isupper()

    # -- What follows and precedes ---------------------------------------------

    def code(self, text: str, pos: int) -> tuple[int, str, bool] | None:
        """End of a post code, what its form tells, whether it has letters."""
        char = text[pos : pos + 1]
        if not (char.isdigit() or char.isupper()):
            return None
        for pattern, says, letters in self.t.codes:
            m = pattern.match(text, pos)
            if m:
                return m.end(), says, letters
        return None

    def town(self, text: str, pos: int, after_code: bool = False) -> int:
        """End of a name of up to six words, 0 if there is none."""
        m = _THE.match(text, pos)
        if m is not None:
            pos = m.end()
        words = _words(text, pos, 6)
        end = 0
        for i, (begin, stop, word) in enumerate(words):
            key = _key(word)
            if word in self.t.short and self.before_code(text, stop):
                end = stop
            elif word[0].isupper() and key not in NOT_NAMES:
                if i and self.code(text, begin):
                    break
                if key in _UNIT_WORDS and i and self.unit.match(text, begin):
                    break
                end = stop
            elif key in _SMALL_ENDS and i and end and _END_OF_NAME.match(text, stop):
                # "San Sandra los bajos".
                end = stop
            elif after_code and i and len(word) == 2 and word.isupper():
                # "10121 Torino TO".
                end = stop
            elif (
                not ((i or after_code) and key in PARTICLES)
                and word not in _PLACE_MARKS
            ):
                break
        if not end:
            return 0
        if text[end - 1] == ".":
            last = text[max(text.rfind(" ", pos, end) + 1, pos) : end]
            if len(last) > 4 or _END_OF_LINE.match(text, end):
                end -= 1
        if text[end : end + 1] == ":":
            return 0
        # "Praha 4", "Dublin 7".
        district = _DISTRICT.match(text, end)
        return district.end() if district else end

    def before_code(self, text: str, pos: int) -> bool:
        """Whether a post code follows, so that "IN" and "OR" name states."""
        gap = _STATE_GAP.match(text, pos)
        return gap is not None and self.code(text, gap.end()) is not None

    def tail(self, text: str, end: int) -> _Tail:
        """Where an address ends that goes on after its street.

        text (str): The text.
        end (int): End of what has been read.
        RETURNS (_Tail): The end, what closes it, whether a part of a building is
            named.
        """
        r = _Reading(end, end)
        for _ in range(12):
            sep = _SEPARATOR.match(text, r.pos)
            if sep is None or not sep[0]:
                break
            if not r.coded:
                if self.takes_unit(text, r, sep):
                    continue
                coded = self.takes_code(text, r, sep)
                if coded:
                    continue
                if coded is False:
                    break
            if not self.takes_name(text, r, sep):
                break
        self.take_last_names(text, r)
        return _Tail(r.end, r.closed, r.firm, r.unit)

    def takes_unit(self, text: str, r: _Reading, sep: re.Match[str]) -> bool:
        """Whether a part of a building or a post box follows, which is then read."""
        p = sep.end()
        m = self.unit.match(text, p)
        if m is not None and not self._code_like(text, p, m.end()):
            r.unit = r.unit or _PART_WORD.match(m[0]) is not None
        else:
            box = _parts(sep) and not self._code_like(text, p, 0)
            m = _BOX.match(text, p) if box else None
        if m is None:
            return False
        r.take(m.end())
        return True

    def takes_code(self, text: str, r: _Reading, sep: re.Match[str]) -> bool | None:
        """Whether a post code follows, which is then read with its town; False if it may
        be anything, None if there is none."""
        word = _CODE_WORD.match(text, sep.end())
        at = word.end() if word else sep.end()
        code = self.code(text, at)
        if code is None:
            return None
        stop = self.code_end(text, at, code, sep, r.named or word is not None)
        if not stop:
            return False
        _, says, letters = code
        r.closed, r.coded, r.named = says, True, False
        r.firm = self.firm(text, at, code, _parts(sep)) or (
            r.lined and _END_OF_LINE.match(text, stop) is not None
        )
        r.final = (letters and not says.startswith(("Irish", "Dutch"))) or (
            says.endswith("digits") and self.after_state(text, sep.end())
        )
        r.take(stop)
        return True

    def takes_name(self, text: str, r: _Reading, sep: re.Match[str]) -> bool:
        """Whether a town, region or country follows, which is then read."""
        p = sep.end()
        region = _REGION_CODE.match(text, p) if r.coded and sep["hard"] else None
        stop = self.town(text, p) or (region.end() if region else 0)
        if not stop:
            return False
        name = text[p:stop].removeprefix("The ").removeprefix("the ")
        if self.known(name):
            r.firm = r.firm or r.coded
            r.closed = r.closed or "country or region"
            r.named = True
            r.take(stop)
        elif r.coded:
            # "Nueva Suecia, SIN", "28013 Madrid, Comunidad de Madrid", "Porto / PT".
            if not region and (
                r.final or sep["line"] or not sep["hard"] or len(name.split()) > 4
            ):
                return False
            if not region and sep["hard"] not in "/-" and not self.ends(text, stop):
                return False
            r.final = True
            r.end = r.pos = stop
        else:
            if len(r.pending) > 4:
                return False
            r.lined = sep["line"] is not None
            r.pending.append((stop, sep["hard"] is not None and not sep["line"]))
            r.named = True
            r.pos = stop
        return True

    def take_last_names(self, text: str, r: _Reading) -> None:
        """Names behind commas belong to an address that ends with them, without a code."""
        if r.coded or not 0 < len(r.pending) < 3:
            return
        if all(hard for _, hard in r.pending):
            stop = r.pending[-1][0]
            name = text[text.rfind(",", r.end, stop) + 1 : stop].strip()
            if self.ends(text, stop) or name.lower() in _towns():
                r.end = stop

    def code_end(
        self,
        text: str,
        pos: int,
        code: tuple[int, str, bool],
        sep: re.Match[str],
        named: bool,
    ) -> int:
        """End of a post code and its town, 0 if the code may be anything.

        text (str): The text.
        pos (int): Where the code begins.
        code (tuple): Its end, what its form tells, whether it has letters.
        sep (Match): What parts it from the piece before.
        named (bool): Whether that piece was a name.
        RETURNS (int): The end.
        """
        stop, says, letters = code
        parted = bool(sep["hard"] or sep["line"])
        town = 0
        if not letters or says.startswith(("Irish", "Dutch")):
            gap = _CODE_GAP.match(text, stop)
            if gap is not None:
                below = "\n" in gap[0]
                if not (named and (not parted or gap[0] != " ")) and (
                    not below or sep["line"]
                ):
                    town = self.town(text, gap.end(), after_code=True)
        brackets = _BRACKETS.match(text, town or stop)
        end = brackets.end() if brackets else town or stop
        if letters:
            return end if named or town or not says.startswith("Dutch") else 0
        if text[pos].isalpha():
            return end
        digits = stop - pos
        year = _YEAR.match(text[pos:stop])
        if digits < 4:
            return end if town and parted else 0
        if year and not (
            (parted and town) or sep["line"] or self.after_state(text, pos)
        ):
            return 0
        if town or named:
            return end
        parted = parted and sep["hard"] != "-"
        return end if (parted and digits > 5) or (sep["line"] and digits > 4) else 0

    def firm(
        self, text: str, pos: int, code: tuple[int, str, bool], parted: bool
    ) -> bool:
        """Whether a post code is enough evidence without a word for a street."""
        stop, says, letters = code
        if (letters and not says.startswith("Dutch")) or self.after_state(text, pos):
            return True
        size = stop - pos
        if size < 4 or _YEAR.match(text[pos:stop]):
            return False
        return parted or "-" in text[pos:stop]

    def _code_like(self, text: str, start: int, end: int) -> bool:
        """Whether what looks like a part of a building is a post code ("E1 7AA")."""
        code = self.code(text, start)
        if code is None:
            return False
        return (code[2] and code[0] > end) or "-" in text[start + 1 : start + 3]

    def after_state(self, text: str, pos: int) -> bool:
        left = text[max(0, pos - 24) : pos].rstrip(" ,\n\t")
        word = left.rpartition(" ")[2].rpartition("\n")[2].rpartition(",")[2]
        return word in self.t.short or word.lower() in self.t.places

    def known(self, name: str) -> bool:
        """Whether a name is one of a country or state, or says that it names a region."""
        low = name.lower().rstrip(".")
        if low in self.t.places or (name in self.t.short):
            return True
        head, _, rest = low.partition(" ")
        return bool(rest) and (
            head.rstrip(".") in REGIONS or low.rpartition(" ")[2] in REGIONS
        )

    def ends(self, text: str, pos: int) -> bool:
        """Whether a sentence or line may go on after an address here."""
        if _END_OF_LINE.match(text, pos):
            return True
        m = _NEXT_WORD.match(text, pos)
        return m is not None and m[1] in FOLLOWERS

    def head(self, text: str, start: int, low: int) -> int:
        """Where an address begins that goes on before its street."""
        for _ in range(5):
            low = max(low, 0)
            m = (
                _PREFIX.search(text, max(low, start - 24), start)
                or self.before.search(text, max(low, start - 64), start)
                or self.reverse.search(text, max(low, start - 90), start)
            )
            if m is None or m.start() >= start:
                break
            opening = _SENTENCE_WORD.match(m[0])
            if opening is not None and opening[1].lower() in _OPENINGS:
                # "At Rose Cottage, 3 Mill Lane".
                start = m.start() + opening.end()
                break
            start = m.start()
        if text[start - 1 : start] == "-":
            letter = _LETTER_BEFORE.search(text, max(0, start - 3), start)
            start = letter.start() if letter else start
        return start

    # -- All of it --------------------------------------------------------------

    def number(self, text: str, start: int, low: int) -> Found | None:
        """The address whose street has its number at an offset.

        text (str): The piece of a text.
        start (int): Where the number begins.
        low (int): Where what has been read before ends.
        RETURNS (Optional[Found]): The address.
        """
        forward = self.forward(text, start)
        backward = None
        weak = forward is None or not forward.strength
        if weak and self.after_name(text, start):
            backward = self.backward(text, start)
        found = [
            self.address(text, street, low)
            for street in (forward, backward)
            if street is not None and street.start >= low
        ]
        kept = [f for f in found if f is not None]
        return max(kept, key=lambda f: f.end - f.start) if kept else None

    def first(self, text: str, start: int, low: int) -> Found | None:
        """The address whose street's name begins with a word for a street."""
        street = self.first_named(text, start)
        if street is None:
            return None
        number = _NUMBER_BEFORE.search(text, max(low, start - 16), start)
        if number is not None and not _YEAR.match(number[0].strip(" ,")):
            # "12 bis, rue de la Paix".
            plain = self.first_named(text, start, numbered=False) or street
            street = _Street(number.start(), plain.end, _SURE, "number and street word")
        return self.address(text, street, low)

    def box(self, text: str, start: int, low: int) -> Found | None:
        """The address that begins with a post box."""
        m = _BOX.match(text, start)
        if m is None:
            return None
        military = _MILITARY.match(text, m.end())
        tail = (
            _Tail(military.end(), "", True, True)
            if military
            else self.tail(text, m.end())
        )
        if not (military or tail.closed or _SURE_BOX.match(m[0])):
            return None
        reason = "post box" + (f"; {tail.closed}" if tail.closed else "")
        return Found(self.head(text, start, low), tail.end, 0.9, reason, True)

    def part(self, text: str, start: int, low: int) -> Found | None:
        """ "Flat 6, Darren Roads", "Studio 8" and the lines below it."""
        m = self.unit.match(text, start)
        if m is None:
            return None
        end = m.end()
        for _ in range(3):
            sep = _SEPARATOR.match(text, end)
            more = self.unit.match(text, sep.end()) if sep and sep[0] else None
            if more is None or sep is None:
                break
            end = more.end()
        if sep is None or not (sep["hard"] or sep["line"]):
            return None
        words = _words(text, sep.end(), 6)
        if not words or not _is_name(words[0][2]):
            return None
        stop, strength = self.typed(text, words)
        if not stop:
            stop, strength = self.lines(words), 0
        tail = self.tail(text, _no_stop(text, stop))
        begin = self.head(text, start, low)
        known = strength or _HOUSE_NO.match(text, begin)
        if not (
            tail.closed or strength == _SURE or (known and self.ends(text, tail.end))
        ):
            return None
        says = "part of a building and name"
        if not tail.closed:
            return Found(begin, tail.end, 0.8, says, False)
        return Found(begin, tail.end, 0.9, f"{says}; {tail.closed}", True)

    def address(self, text: str, street: _Street, low: int) -> Found | None:
        """The whole address around a street, if there is enough evidence."""
        tail = self.tail(text, street.end)
        says = [street.says]
        strength = street.strength
        # Most of what looks like a name and a number is none of a street.
        alone = not (strength or tail.closed or tail.unit)
        if alone and not (
            street.numbered
            and self.ends(text, tail.end)
            and in_context(text, street.start)
        ):
            return None
        start = self.head(text, street.start, max(low, 0))
        if strength >= _LIKELY and street.numbered:
            score = _SCORES[strength]
        elif (strength and tail.closed) or (
            tail.firm and not _YEAR.match(text[street.start : street.start + 4])
        ):
            score = 0.85
        elif tail.unit and street.numbered:
            score = 0.8
        elif in_context(text, start):
            score = 0.75 if strength else 0.65
            says.append("after words of places")
        elif strength and self.alone(text, start, tail.end):
            score = 0.7
            says.append("on a line of its own")
        elif strength == _WEAK and self.plain(text, street):
            score = 0.65
        elif (
            strength == _LIKELY
            and not street.numbered
            and _IN.search(before(text, start, 8))
        ):
            score = 0.6
        else:
            return None
        if tail.closed or tail.unit:
            m = _BARE_NUMBER.search(text, max(low, start - 8, 0), start)
            start = m.start() if m else start
        if tail.closed:
            score = max(score, 0.85) + 0.1 * (strength > 0)
            says.append(tail.closed)
        elif tail.unit:
            says.append("part of a building")
        return Found(start, tail.end, score, "; ".join(says), bool(tail.closed))

    def alone(self, text: str, start: int, end: int) -> bool:
        """Whether nothing else stands on the lines of an address."""
        return not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t|>") and (
            not text[end : end + 80].partition("\n")[0].strip(" \t.,|")
        )

    def plain(self, text: str, street: _Street) -> bool:
        """Whether a number and a short name are written like a street."""
        words = text[street.start : street.end].split()
        return (
            len(words) in (3, 4)
            and words[0].isdigit()
            and not _YEAR.match(words[0])
            and not _NAME_AHEAD.match(text, street.end)
        )

    def lines(self, words: Sequence[tuple[int, int, str]]) -> int:
        """End of a name whose words after the first may be small ("Harrison ferry")."""
        end = 0
        for i, (_, stop, word) in enumerate(words[:4]):
            key = _key(word)
            if i and not (
                word[0].isupper()
                or key in self.t.weak
                or key in self.t.last
                or key in PARTICLES
            ):
                break
            end = stop
        return end


_NUMBERED_TYPES = frozenset(
    "highway hwy route road rd avenue ave street drive sector jalan way freeway".split()
)
_UNIT_WORDS = frozenset(w.rstrip(".") for w in UNITS)
_UNIT_NUMBER = re.compile(r"\.?\s{0,2}#?[0-9]")
# Words of the form of a name inside a name: "TP. Hồ Chí Minh", "xã Hoàng Mai".
_PLACE_MARKS = frozenset(
    f"xã phường quận tỉnh thành phố tp. tp {LOCALITIES.replace('|', ' ')} "
    f"{LOCALITIES.replace('|', '. ')}.".split()
)
_ENGLISH = frozenset("on by upon and in am bei of the &".split())
_PREPOSITIONS = frozenset("na v ve nad pod za pri při u k ke do od ob".split())
_SMALL_ENDS = frozenset("bajos altos alto bajo".split())
_END_OF_NAME = re.compile(r"[ \t]*(?:[,;|\n.]|\Z)")
_THE = re.compile(r"[Tt]he (?=[A-Z])")
_CODE_WORD = re.compile(
    r"(?i:c\.?p\.?|cep|cap|ΤΚ|TK|τ\.κ\.|tk|plz|zip|zip code|postcode|post code|pin|pin code|p\.?c\.?|код):? (?=[A-Z0-9])"
)
_SECOND_NUMBER = re.compile(r",? ([0-9]{1,4})(?=[ \t]*(?:\n|,|\.\s|\.?\Z))")
_MONTH_BEFORE = re.compile(
    r"(?i:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?,? (?:[0-9]{1,2}(?:st|nd|rd|th)?,? )?\Z"
)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:[-.]?/?[^\W\d_]+)*(?:\./?|/|º)?")
_NOTHING = re.compile("")
_NAME_PART = re.compile(
    r"[^\W\d_][\w'-]*(?:\.[^\W\d_]*)*|[0-9]{1,4}(?:/[0-9]{1,4})?[A-Za-z]?[ºª]?(?!\w)"
)
_AFTER_DIGITS = re.compile(
    r"\s(?:(?:de|di|do|da|du)\s)?[^\W\d_]{3,}|,?\s?[#№]|,?\s(?:No|N°|Nº|no|nr)\b"
)
_LEFT_WORD = re.compile(r"[\w'&-]+(?:\.[\w'-]+)*\.?")
_DOT_ENDS = re.compile(r"\s*\n|,|\s(?=[IVX0-9])|\s[a-z]")
_CODE_GAP = re.compile(r"(?:[ \t]{1,2}|,[ \t]|-(?=[^\W\d_])|[ \t]*,?\n[ \t]{0,24})")
_DISTRICT = re.compile(r" [0-9]{1,2}[A-Za-z]?(?=[ \t]*(?:[,;|\n.)?!]|\Z))")
_OWN_NUMBER = re.compile(
    rf" {_NUMBER}(?: [A-Z](?!\w))?(?=[ \t]*\n|,? (?:Apt|Suite|Unit|APT|SUITE|UNIT|apt|suite|#)\b)"
)
_BARE_NUMBER = re.compile(r"(?<![\w.,:/#-])[0-9]{1,5} \Z")
_PREFIX = re.compile(
    r"(?<![\w.])(?:(?:(?i:house|plot|door|flat|room|villa|shop|office|lot|unit|block|h|building|holding"
    r"|apartment|survey)\.?\s?)?(?:[Nn]o\.?|NO\.?|[Nn]r\.?|N[º°]|[Ss]ố|#)|(?i:blk|block|house|plot|door|lot|room)\.?)\s?\Z"
)
_SENTENCE_WORD = re.compile(r"([^\W\d_]+)\s+(?=\S)")
_OPENINGS = frozenset("at in on of to from with by is was and or address".split())
_HOUSE_NO = re.compile(
    r"(?i)(?:house|plot|door|flat|holding|building|h|villa)\.?\s?no\b"
)
_MARKED_NUMBER = re.compile(rf"{_MARK} ?[0-9]")
_NUMBER_BEFORE = re.compile(rf"(?<![\w.,:/#-]){_NUMBER},? {{1,2}}\Z")
_NAME_OR_NUMBER = re.compile(rf" [{UPPER}]|,? [0-9]")
_SLASHED = re.compile(
    r" [0-9]{1,3}(?:/[0-9]{1,3})?[A-Za-z]?(?=[ \t]*(?:[,\n]|\.?\s|\.?\Z))"
)
# Digits name the streets of these: "Cr. 10 # 5-6".
_DIGITS_FIRST = frozenset("cr cra crr kr kra cl cll tv dg".split())
_SHORT_LAST = frozenset("tn út sk".split())
_PLAIN_LAST = frozenset("park sor plan telep liget köz boulevard ring".split())
_PART_WORD = re.compile(r"(?i:(?!no\b|nr\b|km\b|box\b)[^\W\d_]{2,})")
_REGION_CODE = re.compile(r"[A-Z]{2,5}(?=[ \t]*(?:[,;|\n.)?!]|\Z)| [a-z])")
# A number, then the beginning of a post code.
_CODE_AFTER = re.compile(
    r"[0-9]{1,5}[A-Za-z]?(?:/[0-9]{1,4}[A-Za-z]?)?(?:,? |,?[ \t]?\n[ \t]{0,24})(?:[A-Z]{1,2}-)?[0-9]{3}"
)
_MARKS = frozenset("no nr n° nº no: n d д № # num km house b h".split())
_STATE_GAP = re.compile(r",?[ \t]{1,2}|,?[ \t]*\n[ \t,]{0,24}")
_NEXT_WORD = re.compile(r" ([^\W\d_]+)")
_NAME_AHEAD = re.compile(rf" [{UPPER}]")
_LETTER_BEFORE = re.compile(r"(?<!\w)[A-Za-z]-\Z")
_IN = re.compile(r"\b(?:in|on|at|of|near|to|from|along|de|the|named)\s\Z")
_SURE_BOX = re.compile(
    r"(?i)p\.?\s?o|post|private|locked|apartado|casella|caixa|boîte|psc|unit|cmr|gpo"
)
_CONTEXT = re.compile(CONTEXT)
_CONTEXT_ENDS = frozenset(
    """at to in on is was are near from by am der im an på i op aan te en na no em au à
    habite demeure domicilié domiciliée réside адресу проживает живу przy v bytem bydlím
    bydlí mieszkam mieszka wohnhaft""".split()
)


def in_context(text: str, start: int) -> bool:
    """Whether words that stand before addresses end at an offset.

    text (str): The text.
    start (int): The offset.
    RETURNS (bool): Whether they do.
    """
    left = before(text, start, 60)
    stripped = left.rstrip(" \n\t\"'([")
    if not stripped or not (
        stripped[-1] in ":=|-" or stripped.rpartition(" ")[2] in _CONTEXT_ENDS
    ):
        return False
    return _CONTEXT.search(left) is not None


def _is_street(text: str, word: str, name: _Name) -> bool:
    """Whether a word and the name behind it are those of a street."""
    key = _key(word)
    if key in _DIGITS_FIRST and not _MARKED_NUMBER.match(text, name.end):
        return False
    if name.safe:
        return name.named or name.numbers > 0
    plain = word.islower() and word.isalpha() and len(key) < 5
    return name.named and not plain and len(word) > 2


def _parts(sep: re.Match[str]) -> bool:
    """Whether a separator is more than blanks."""
    return bool(sep["hard"] or sep["line"])


def _no_stop(text: str, end: int) -> int:
    # The stop after "St." belongs to it only inside a sentence.
    if text[end - 1] == "." and not re.match(r",|\s[A-Z0-9a-z]", text[end : end + 2]):
        return end - 1
    return end
