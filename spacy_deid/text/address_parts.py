"""What follows a street in an address: parts of the building, post code, town, region,
country."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from typing import NamedTuple

from ..data import table
from .address_words import (
    BUILDINGS,
    COUNTRIES,
    FOLLOWERS,
    LOCALITIES,
    NOT_NAMES,
    PARTICLES,
    POST_CODES,
    REGIONS,
    STATES,
    STREETS,
    UNITS,
    is_of,
)
from .calendars import MONTH_PATTERN
from .countries import countries as known_countries
from .countries import index

# Capitals of Latin, Greek and Cyrillic, with the small letters among them.
UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u024f\u0386-\u03ab\u0400-\u042f\u0460-\u052f\u1e00-\u1eff"


def _read_forms() -> dict[str, str]:
    """The patterns of `addresses/forms.tsv`, with those that they name."""
    made = {"month": MONTH_PATTERN, "upper": UPPER}
    for row in table("addresses/forms"):
        made[row["piece"]] = re.sub(r"«(\w+)»", lambda m: made[m[1]], row["form"])
    return made


FORMS = _read_forms()
(
    _WORD, SEPARATOR, _BRACKETS, _END_OF_LINE, _CODE_WORD, GAP, YEAR, END_OF_NAME, _THE,
    CODE_GAP, _DISTRICT, _PART_WORD, _REGION_CODE, _STATE_GAP,
) = (
    re.compile(FORMS[x])
    for x in "word separator brackets end_of_line code_word gap year end_of_name the "
    "code_gap district part_word region_code state_gap".split()
)  # fmt: skip
_ORDINAL_FLOOR, _FLOORS, _IDENT, PO_BOX, _CARE_OF = map(
    FORMS.__getitem__, "ordinal_floor floors ident po_box care_of".split()
)
BOX = re.compile(f"(?i:{PO_BOX})")
UNIT_WORDS = frozenset(w.rstrip(".") for w in UNITS)
# Words of the form of a name inside a name: "TP. Hồ Chí Minh", "xã Hoàng Mai".
_PLACE_MARKS = frozenset(
    f"xã phường quận tỉnh thành phố tp. tp {LOCALITIES.replace('|', ' ')} "
    f"{LOCALITIES.replace('|', '. ')}.".split()
)
_NEXT_WORD = re.compile(r" ([^\W\d_]+)")


_compiled = cache(re.compile)


@dataclass
class Tail:
    """What is read behind a street: where it ends, and where is read next."""

    end: int
    pos: int
    # What closes it, and whether that is enough without a word for a street.
    closed: str = ""
    firm: bool = False
    # Whether a part of a building is named.
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


class Parts:
    """Reads what follows a street.

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
        self.unit = _compiled(rf"{unit}(?![0-9])")
        name = rf"[{UPPER}][\w'.-]{{0,25}}"
        self.before = _compiled(
            rf"(?<![\w.])(?:(?:(?i:house|plot|door|flat|room|villa|shop|office|lot|unit|block|blk|h|building|apartment|survey|ward|qtr|quarter)\.?\s?)?"
            rf"(?:[Nn]o\b\.?|NO\b\.?|[Nn]r\b\.?|N[º°]|[Ss]ố|#)\s?{_IDENT}"
            rf"|{unit}|{_CARE_OF}|(?:{name} ){{1,3}}(?:{BUILDINGS})(?:\s{unit})?"
            rf"|(?i:{PO_BOX}))"
            r"(?:[,;|]?\s{1,3}|[ \t]*,?\n[ \t|]{0,24})\Z"
        )
        self.reverse = _compiled(
            rf"(?<![\w-])(?:[A-Z]{{1,2}}-)?[0-9]{{4,6}}(?:\s[0-9]{{2}})?(?:,\s|\s)(?:(?:г\.?|гор\.)\s?)?{name}(?: {name})?(?:,\s{{1,2}}|,?\n[ \t]{{0,12}})\Z"
            rf"|(?<!\w)(?:[0-9]{{6}},\s)?(?:(?:{LOCALITIES})\.?\s?{name}(?: {name})?,\s|{name}(?: {name})? (?:{LOCALITIES})\.?,\s){{1,3}}\Z"
            rf"|(?<!\w){name},\s(?=(?:ул|пр|пер|наб|ш|бул|пл)\b)\Z"
        )

    def code(self, text: str, pos: int) -> tuple[int, str, bool] | None:
        """End of a post code, what its form tells, whether it has letters."""
        char = text[pos : pos + 1]
        if not (char.isdigit() or char.isupper()):
            return None
        for pattern, says, letters in self.t.codes:
            if m := pattern.match(text, pos):
                return m.end(), says, letters
        return None

    def town(self, text: str, pos: int, after_code: bool = False) -> int:
        """End of a name of up to six words, 0 if there is none."""
        if (m := _THE.match(text, pos)) is not None:
            pos = m.end()
        words = words_from(text, pos, 6)
        end = 0
        for i, (begin, stop, word) in enumerate(words):
            key = key_of(word)
            stays = word in _PLACE_MARKS or ((i or after_code) and key in PARTICLES)
            if word in self.t.short and self.before_code(text, stop):
                end = stop
            elif word[0].isupper() and key not in NOT_NAMES:
                if i and self.code(text, begin):
                    break
                if key in UNIT_WORDS and i and self.unit.match(text, begin):
                    break
                end = stop
            elif after_code and i and len(word) == 2 and word.isupper():
                # "10121 Torino TO".
                end = stop
            elif not stays:
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

    def tail(self, text: str, end: int) -> Tail:
        """Where an address ends that goes on after its street.

        text (str): The text.
        end (int): End of what has been read.
        RETURNS (Tail): The end, what closes it, whether a part of a building is
            named.
        """
        r = Tail(end, end)
        for _ in range(12):
            if (sep := SEPARATOR.match(text, r.pos)) is None or not sep[0]:
                break
            # Nothing but names follows a post code and its town.
            ways = () if r.coded else (self.takes_unit, self.takes_code)
            if not any(take(text, r, sep) for take in (*ways, self.takes_name)):
                break
        self.take_last_names(text, r)
        return r

    def takes_unit(self, text: str, r: Tail, sep: re.Match[str]) -> bool:
        """Whether a part of a building or a post box follows, which is then read."""
        p = sep.end()
        if (m := self.unit.match(text, p)) is not None:
            r.unit = r.unit or _PART_WORD.match(m[0]) is not None
        elif _parts(sep):
            m = BOX.match(text, p)
        if m is None:
            return False
        r.take(m.end())
        return True

    def takes_code(self, text: str, r: Tail, sep: re.Match[str]) -> bool:
        """Whether a post code follows that cannot be anything else, which is then read
        with its town."""
        word = _CODE_WORD.match(text, sep.end())
        at = word.end() if word else sep.end()
        code = self.code(text, at)
        if code is None:
            return False
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

    def takes_name(self, text: str, r: Tail, sep: re.Match[str]) -> bool:
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
            r.lined = sep["line"] is not None
            r.pending.append((stop, sep["hard"] is not None and not sep["line"]))
            r.named = True
            r.pos = stop
        return True

    def take_last_names(self, text: str, r: Tail) -> None:
        """Names behind commas belong to an address that ends with them, without a code."""
        if r.coded or not 0 < len(r.pending) < 3:
            return
        if all(hard for _, hard in r.pending):
            stop = r.pending[-1][0]
            name = text[text.rfind(",", r.end, stop) + 1 : stop].strip()
            known = (index().by_city, index().by_region)
            if self.ends(text, stop) or any(name.lower() in x for x in known):
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
        stop = code[0]
        parted = bool(sep["hard"] or sep["line"])
        town = 0
        if (gap := CODE_GAP.match(text, stop)) is not None:
            beside = "\n" not in gap[0] or sep["line"]
            if beside and not (named and (not parted or gap[0] != " ")):
                town = self.town(text, gap.end(), after_code=True)
        brackets = _BRACKETS.match(text, town or stop)
        end = brackets.end() if brackets else town or stop
        if text[pos].isalpha():
            return end
        digits = stop - pos
        year = YEAR.match(text[pos:stop])
        if digits < 4:
            return end if town and parted else 0
        told = (parted and town) or sep["line"]
        if year and not (told or self.after_state(text, pos)):
            return 0
        if town or named:
            return end
        return end if (parted and digits > 5) or (sep["line"] and digits > 4) else 0

    def firm(
        self, text: str, pos: int, code: tuple[int, str, bool], parted: bool
    ) -> bool:
        """Whether a post code is enough evidence without a word for a street."""
        stop, says, letters = code
        if (letters and not says.startswith("Dutch")) or self.after_state(text, pos):
            return True
        if stop - pos < 4 or YEAR.match(text[pos:stop]):
            return False
        return parted or "-" in text[pos:stop]

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
        ends = head.rstrip("."), low.rpartition(" ")[2]
        return bool(rest) and not REGIONS.isdisjoint(ends)

    def ends(self, text: str, pos: int) -> bool:
        """Whether a sentence or line may go on after an address here."""
        if _END_OF_LINE.match(text, pos):
            return True
        m = _NEXT_WORD.match(text, pos)
        return m is not None and m[1] in FOLLOWERS


def _set(blocks: Iterable[str]) -> frozenset[str]:
    return frozenset(w.rstrip(".,") for block in blocks for w in block.split())


@lru_cache(maxsize=8)
def _tables(countries: tuple[str, ...] | None) -> _Tables:
    wanted = partial(is_of, countries)
    packs = [pack for pack in STREETS if wanted(pack.countries)]
    states = [STATES[code] for code in STATES if wanted(code)]
    names = [*(c.name for c in known_countries()), *COUNTRIES]
    names += [name for _, long in states for name in long]
    codes = [code for code in POST_CODES if wanted(code.countries)]
    after = r"(?![\w]|[.,/-][0-9])"
    forms = [_compiled(rf"(?:[A-Z]{{1,2}}-)?{code.form}{after}") for code in codes]
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
        frozenset(map(str.lower, names)),
        tuple(
            (f, c.says, bool(re.search("[A-Z]", c.form))) for f, c in zip(forms, codes)
        ),
    )


def key_of(word: str) -> str:
    return word.lower().rstrip(".")


def words_from(text: str, pos: int, limit: int) -> list[tuple[int, int, str]]:
    """Words from an offset on that only blanks part, up to the end of a sentence."""
    out: list[tuple[int, int, str]] = []
    while len(out) < limit and (m := _WORD.match(text, pos)):
        word = m[0]
        out.append((m.start(), m.end(), word))
        # A stop ends a sentence unless it ends an abbreviation.
        if word[-1] == "." and len(word) > 6:
            break
        if (gap := GAP.match(text, m.end())) is None:
            break
        pos = gap.end()
    return out


def _parts(sep: re.Match[str]) -> bool:
    """Whether a separator is more than blanks."""
    return bool(sep["hard"] or sep["line"])
