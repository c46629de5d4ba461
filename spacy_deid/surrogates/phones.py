"""New telephone numbers: of the same layout, from a range kept for fiction where there is
one, and of another area than the old one unless the new town shares it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import NamedTuple

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE

from ..data import facts
from ..lang.base import pack_of
from ..text.localities import areas as town_areas
from ..text.names import fold
from .base import Draws

_EXTENSION = re.compile(r"\s*(?:x|ext)", re.I)
_RANGES = facts("phone_ranges")
_LONGEST_CODE = 3
_LANG_OF = {"34": "es", "7": "ru"}


class Number(NamedTuple):
    """A telephone number: what is dialled before the national number (trunk prefix
    included), the code of the country ("" if nobody knows), and the rest."""

    prefix: str
    code: str
    national: str

    @property
    def said_code(self) -> str:
        """The code of the country if the number begins with it."""
        said = self.code and self.prefix.lstrip("0").startswith(self.code)
        return self.code if said else ""


# Area of the town that a number belongs to in the new text, by code and old number.
AreaFor = Callable[[str, str], str]
# By old national number and country code: the new one, with the digits of its area.
Numbers = dict[str, dict[str, tuple[str, int]]]


def new_phone(
    text: str,
    rng: Random,
    home: str,
    area_for: AreaFor,
    known: Numbers,
    drawn: Numbers,
    in_range: bool = True,
) -> str:
    """Another number of the same layout, in a range kept for fiction or in none of them."""
    main = _EXTENSION.split(text)[0]
    tail = text[len(main) :]
    number = _dialled(re.sub(r"\D", "", main), main.lstrip().startswith("+"), home)
    start = len(number.prefix)
    found = _known_number(number, known)
    if found is None:
        width = _area_width(main, start)
        found = _national(number, rng, area_for, width) if in_range else ("", 0)
        found = found if found[0] else (_of_no_range(number, rng), 0)
        found = _apart(found[0], number.national, rng), found[1]
    drawn[number.national] = {number.said_code: found}
    main = _regrouped(main, start, found[1])
    new = number.prefix + found[0]
    new += "".join(rng.choice("123456789") for _ in re.sub(r"\D", "", tail))
    it = iter(new)
    return "".join(next(it, "0") if ch.isdecimal() else ch for ch in main + tail)


def home_code(lang: str) -> str:
    """Country code of numbers without one, by the language of the text."""
    return _RANGES["home"].get(lang, _RANGES["home"]["en"])


def _known_number(number: Number, known: Numbers) -> tuple[str, int] | None:
    """What the same number in another spelling has become; one without a code is the
    same as one with it."""
    code, by_code = number.said_code, known.get(number.national, {})
    if len(number.national) < 8:
        return by_code.get(code)
    fits = (new for other, new in by_code.items() if not code or other in (code, ""))
    return next(fits, None)


def _dialled(digits: str, plus: bool, home: str) -> Number:
    """The parts of a number by what it begins with and its length."""
    # No country's code begins with another zero.
    if len(digits) > 9 and digits.startswith("00") and digits[2] != "0":
        found = _dialled(digits[2:], True, home)
        return found._replace(prefix=f"00{found.prefix}")
    if plus:
        heads = (digits[: n + 1] for n in range(_LONGEST_CODE) if digits)
        known = (head for head in heads if int(head) in COUNTRY_CODE_TO_REGION_CODE)
        code = next(known, digits[:_LONGEST_CODE])
        trunk = "0" if digits[len(code) :][:1] == "0" and code not in "17" else ""
        return Number(code + trunk, code, digits[len(code + trunk) :])
    if home == "7" and digits[:-10] in ("", "7", "8") and len(digits) >= 10:
        return Number(digits[:-10], "7", digits[-10:])
    if len(digits) == _RANGES["whole"].get(home):
        return Number("", home, digits)
    if digits.startswith("0"):
        lengths = range(7, 12) if home == "49" else (9, 10)
        return Number("0", home if len(digits) - 1 in lengths else "", digits[1:])
    if len(digits) == 11 and digits.startswith("1"):
        return Number("1", "1", digits[1:])
    return Number("", "1" if len(digits) in (7, 10) else "", digits)


def _national(
    number: Number, rng: Random, area_for: AreaFor, width: int
) -> tuple[str, int]:
    """A new national number, and how many digits of it are the area, 0 for none; "" where
    no range is kept free."""
    code, old = number.code, number.national
    if (code, len(old)) in _OF_COUNTRY:
        return _OF_COUNTRY[code, len(old)](old, rng, area_for)
    if code in _RANGES["towns"] and old[:1] not in tuple(_RANGES["no_area"][code]):
        row = _town_range(code, old, rng, area_for, width)
        return _filled(row, old, rng), len(row[0])
    for row in _RANGES["fiction"].get(code, ()):
        if old.startswith(row[0]):
            return _filled(row, old, rng), 0
    return "", 0


def _of_no_range(number: Number, rng: Random) -> str:
    """A number of which no more is known: the digits that name the net are random, too."""
    kept = number.prefix or number.code in _RANGES["whole"]
    lead = number.national[:1] if kept else rng.choice("123456789")
    return lead + _digits(len(number.national) - 1, rng)


def _apart(new: str, old: str, rng: Random) -> str:
    """A number whose last digits are not those of the old one, by which people know it."""
    if not new or new[-2:] != old[-2:]:
        return new
    return new[:-1] + rng.choice([d for d in "0123456789" if d != new[-1]])


def _american(old: str, rng: Random, area_for: AreaFor) -> tuple[str, int]:
    line = f"55501{rng.randint(0, 99):02d}"
    if len(old) == 7:
        return line, 0
    area = area_for("1", old) or _other(_RANGES["areas"]["1"].split(), old, rng)
    return area + line, 3


def _russian(old: str, rng: Random, area_for: AreaFor) -> tuple[str, int]:
    # Mobile and free numbers stay what they are.
    if old[0] in "79":
        area = old[0] + "00"
    elif old.startswith("80"):
        area = old[:3]
    else:
        area = area_for("7", old) or _other(_RANGES["areas"]["7"].split(), old, rng)
    # Small towns have more figures of the area, and fewer of their own.
    return f"{area}55501{rng.randint(0, 99):02d}", 0


def _spanish(old: str, rng: Random, area_for: AreaFor) -> tuple[str, int]:
    if old[0] not in "89" or old[1] == "0":
        return old[0] + _digits(8, rng), 0
    every = sorted(set(town_areas("34").values()))
    area = area_for("34", old) or _other(every, old, rng)
    return area + _digits(9 - len(area), rng), len(area)


_OF_COUNTRY = dict.fromkeys((("1", 7), ("1", 10)), _american)
_OF_COUNTRY |= {("7", 10): _russian, ("34", 9): _spanish}


def _digits(count: int, rng: Random) -> str:
    return "".join(rng.choice("0123456789") for _ in range(max(0, count)))


def _other(areas: Sequence[str], old: str, rng: Random) -> str:
    """An area that a number does not have."""
    return rng.choice([area for area in areas if not old.startswith(area)])


def _filled(row: Sequence, old: str, rng: Random) -> str:
    """A number of a range, as long as the old one."""
    new = row[1] + _digits(row[2], rng)
    return (new + _digits(len(old) - len(new), rng))[: len(old)]


def _town_range(
    code: str, old: str, rng: Random, area_for: AreaFor, width: int
) -> Sequence:
    """The range of the new town; of one that has none a range of no town, if there is
    one, else that of any town but the old one, better one with an area as long."""
    rows = _RANGES["towns"][code]
    area = area_for(code, old)
    for row in rows:
        if row[0] == area:
            return row
    if rows[0][0] in _RANGES["no_town"]:
        own = next((row[0] for row in rows if old.startswith(row[0])), "")
        if area or not own:
            return rows[0]
        # Nothing is known of where it should be: the layout decides.
        width = len(own)
    others = [row for row in rows if not old.startswith(row[0])]
    return rng.choice([row for row in others if len(row[0]) == width] or others)


def _area_width(text: str, start: int) -> int:
    """Digits of the area of a number by its layout: those after the trunk prefix in
    their group; 0 if it is all one group."""
    count = 0
    for group in re.findall(r"\d+", text)[:-1]:
        count += len(group)
        if count > start:
            return count - start
    return 0


def _regrouped(text: str, start: int, width: int) -> str:
    """The layout of a number for an area of another length: "020 7123 4567" has that of
    "0113 712 3456"."""
    old = _area_width(text, start)
    step = width - old
    if not width or not old or not step:
        return text
    pieces = re.split(r"(\d+)", text)
    groups = range(1, len(pieces), 2)
    ends = accumulate(len(pieces[i]) for i in groups)
    area = next(i for i, end in zip(groups, ends) if end > start)
    rest = [i for i in groups if i > area]
    total = sum(len(pieces[i]) for i in rest) - step
    if total < len(rest):
        return text
    pieces[area] = "0" * (len(pieces[area]) + step)
    size, more = divmod(total, len(rest))
    for k, i in enumerate(rest):
        pieces[i] = "0" * (size + (k >= len(rest) - more))
    return "".join(pieces)


@lru_cache(maxsize=8)
def areas_of(code: str) -> Mapping[str, str]:
    """Telephone areas of a country by folded town."""
    pack = pack_of(_LANG_OF.get(code, ""))
    known = town_areas(code)
    if pack is None:
        return known
    # These areas are those of provinces, as the post codes are.
    size = len(next(iter(known)))
    posts = ((fold(t), post[:size]) for t, post in pack.postcodes.items())
    return {town: known[post] for town, post in posts if post in known}


def area_in(draws: Draws) -> AreaFor:
    """Areas of a document's new towns."""

    def area_for(code: str, national: str) -> str:
        table = areas_of(code) if draws.towns else {}
        any_other = ""
        for old, new in draws.towns.items():
            area, own = table.get(fold(new), ""), table.get(old, "")
            if own and national.startswith(own):
                return area
            any_other = any_other or area
        shared = any_other and national.startswith(any_other)
        return "" if shared else any_other

    return area_for
