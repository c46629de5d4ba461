"""New codes: identifiers, addresses on networks, telephone numbers, user names.

Whatever has a range reserved for fiction or documentation is drawn from it, so that
no real account, telephone or host is named by accident.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import NamedTuple

from ..lang.ru.forms import latin_key
from ..text.names import PARTICLES, fold, strip_legal_form
from ..text.names import normalise as normalise_name
from .base import Draws, Mention, in_order, invent_word, listed, match_case, normalise
from .localities import areas as town_areas
from .localities import spanish_areas

_EMAIL = re.compile(r"[^\s@<>\"(),:;]{1,64}@[^\s@<>\"(),:;]{1,255}")
_URL = re.compile(
    r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]{1,12}://|(?=www\.))(?P<user>[^/@\s]{1,64}@)?"
    r"(?P<host>\[[0-9a-fA-F:.]+\]|[^/:?#\s]+)(?P<port>:\d{1,5})?(?P<rest>.*)",
    re.S,
)
_DOMAIN = re.compile(r"(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}", re.I)
_PATH_DOMAIN = re.compile(
    r"(?P<host>(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?P<rest>/.*)", re.I
)
_IP4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_MAC = re.compile(
    r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}", re.I
)
_CASE = re.compile(r"(?P<number>\d{1,7})(?P<slash>\s?/\s?)(?P<year>(?:19|20)\d\d|\d\d)")
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_VIN = re.compile(r"[A-HJ-NPR-Z0-9]{17}")
_PHONE = re.compile(
    r"\+?[\d\s().\-/–]{7,24}(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?", re.I
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
# Long figures to the base 16 ("9f86d081884c7d65") and bytes with colons.
_HEX = re.compile(
    r"(?=.*\d)(?=.*[a-f])(?:[0-9a-f]{16,128}|[0-9a-f]{2}(?::[0-9a-f]{2}){7,63})", re.I
)
_ISBN = re.compile(
    r"(?P<lead>(?:ISBN(?:-1[03])?:?\s*)?)(?P<code>97[89][\s-]?\d(?:[\s-]?\d){8}[\s-]?\d"
    r"|\d(?:[\s-]?\d){8}[\s-]?[\dX])",
    re.I,
)
# As Russians write them within the country: the trunk prefix first.
_RUSSIAN_PHONE = re.compile(r"8[\s-]?\(?\d{3}\)?[\s-]?\d{3}[\s-]?\d\d[\s-]?\d\d")
_EXTENSION = re.compile(r"\s*(?:x|ext)", re.I)
# Words inside codes that name no one.
_PLAIN_WORDS = frozenset(
    "no nos nr art para p pp s case file ref number and to v vs of the bis ter ext x "
    "at dot vol sect § c nhc núm num nº nuhsa nass cip dni nie nif az aktenzeichen blz "
    "konto kto tel fax номер серия паспорт дело инн снилс полис тел факс".split()
)
_ROLE_MAILBOXES = frozenset(
    "info office admin administrator contact support sales hr noreply no reply mail "
    "service services billing help helpdesk press media team accounts webmaster "
    "postmaster jobs careers enquiries hello newsletter security abuse".split()
)
_COMMON_PATH = frozenset(
    "http https www index html htm php asp aspx jsp pdf doc docx jpg png com org net in "
    "user users profile profiles people id watch status posts post p u r video videos "
    "news blog wiki en de fr article articles search q page pages home about files file "
    "download docs images img api v1 v2 groups group channel c channels".split()
)
_PATH_WORDS = listed(
    "archive,garden,harbour,meadow,notes,orchard,papers,report,river,summary,topics,travel,"
    "update,weather,winter,works,annual,bridge,castle,corner,culture,district,evening,"
    "forest,gallery,history,island,journal,kitchen,library,market,museum,nature,outdoor,"
    "planet,reading,season,theatre,valley,village"
)
_HANDLE_A = listed(
    "amber,blue,brave,bright,calm,clever,coral,crisp,daily,dusty,early,fair,golden,grand,"
    "happy,hidden,jolly,kind,lucky,mellow,misty,noble,quiet,rapid,rustic,silver,sunny,"
    "swift,tidy,velvet,vivid,wandering,windy,witty"
)
_HANDLE_B = listed(
    "badger,beacon,birch,breeze,canyon,cedar,comet,cricket,ember,falcon,fern,finch,harbor,"
    "heron,kestrel,lantern,lark,maple,marble,meadow,otter,pebble,pine,quill,raven,reef,"
    "river,robin,sparrow,thistle,tulip,willow,wren"
)
_TLD = ("com", "org", "net")
# Country code of numbers without one, by the language of the text.
_HOME_CODES = {"en": "44", "de": "49", "es": "34", "ru": "7"}
# Test and demonstration ranges of the card networks.
_CARD_PREFIXES = (
    ("34", ("3782822", "3714496")),
    ("37", ("3782822", "3714496")),
    ("4", ("411111", "424242", "400000")),
    ("5", ("555555", "510510")),
    ("2", ("222300",)),
    ("6", ("601111", "601100")),
    ("3", ("305693", "385200", "353011")),
)
# Numbers kept free for drama: country code -> (prefix of the national number, the same
# prefix in the fictional range, digits that are free). The first match is taken.
_FICTION: dict[str, tuple[tuple[str, str, int], ...]] = {
    "44": (
        ("7", "7700900", 3),
        ("80", "8081570", 3),
        ("9", "9098790", 3),
        ("3", "3069990", 3),
    ),
    "33": (
        ("1", "19900", 4),
        ("2", "26191", 4),
        ("3", "35301", 4),
        ("4", "46571", 4),
        ("5", "53649", 4),
        ("6", "63998", 4),
        ("7", "63998", 4),
    ),
    "61": (
        ("4", "491570", 3),
        ("2", "255501", 3),
        ("3", "355501", 3),
        ("7", "755501", 3),
    ),
    "353": (("1", "20910", 4), ("", "20910", 4)),
    "46": (("7", "7017406", 2),),
    "49": (("15", "15228817", 3), ("17", "17139200", 2)),
}
# The same for towns: country code -> area, its fictional range, digits that are free. The
# first of a country that has an area of no town stands for towns without a range.
_TOWN_FICTION: dict[str, tuple[tuple[str, str, int], ...]] = {
    "44": (
        ("1632", "1632960", 3),
        ("20", "2079460", 3),
        ("28", "2896496", 3),
        ("29", "2920180", 3),
        ("113", "1134960", 3),
        ("114", "1144960", 3),
        ("115", "1154960", 3),
        ("116", "1164960", 3),
        ("117", "1174960", 3),
        ("118", "1184960", 3),
        ("121", "1214960", 3),
        ("131", "1314960", 3),
        ("141", "1414960", 3),
        ("151", "1514960", 3),
        ("161", "1614960", 3),
        ("191", "1914980", 3),
    ),
    "46": (("8", "846500", 2), ("31", "31390060", 1), ("40", "40628040", 1)),
    "49": (
        ("30", "3023125", 3),
        ("69", "6990009", 3),
        ("40", "4066969", 3),
        ("221", "2214710", 3),
        ("89", "8999998", 3),
    ),
}
_NO_TOWN = frozenset({"1632"})
# What a home number begins with that belongs to no town: mobile, service.
_NO_AREA = {"44": "35789", "46": "7", "49": "1"}
_RUSSIAN_AREAS = listed("812,383,343,843,831,846,863,347,473,391,342,844,861,351,423")
_AREAS = listed(
    "201,202,206,212,213,215,216,302,303,305,307,312,313,314,316,317,401,402,404,405,406,"
    "410,412,414,415,501,502,503,504,505,512,513,515,601,602,603,605,608,612,614,615,617,"
    "701,702,703,713,716,717,718,801,802,803,804,808,812,813,814,901,904,907,913,916,919"
)
_TWO_DIGIT = frozenset(
    "20 27 30 31 32 34 36 39 40 41 43 45 47 48 51 52 53 54 55 56 57 58 60 62 63 64 65 66 "
    "81 82 84 86 90 91 92 93 94 95 98".split()
)
# Check digits are proved by the modules of python-stdnum that accept the original.
_STDNUM = listed(
    "us.ssn,gb.nino,gb.nhs,es.dni,es.nie,it.codicefiscale,fr.nir,de.idnr,se.personnummer,"
    "no.fodselsnummer,fi.hetu,dk.cpr,nl.bsn,pl.pesel,be.nn,ch.ssn,ro.cnp,cz.rc,tr.tckimlik,"
    "br.cpf,br.cnpj,ca.sin,au.tfn,au.abn,au.medicare,in_.aadhaar,il.idnr,bg.egn,hr.oib,"
    "ee.ik,za.idnr,pt.nif,gr.amka,at.vnr,ie.pps,lv.pk,si.emso,us.ein,us.itin,es.cif,"
    "eu.vat,imei,isin,lei,ch.uid,fr.siret,fr.siren,pl.nip,pl.regon,it.iva,nz.ird,"
    "mx.curp,mx.rfc,ar.cuit,cl.rut,cn.ric,kr.rrn,ua.rntrc,ru.inn"
)


# Cyrillic letters that number plates have: those that look like Latin ones.
_PLATE_LETTERS = "АВЕКМНОРСТУХ"


def like(text: str, rng: random.Random, first: bool = True) -> str:
    """Random characters of the same classes: digits for digits, letters for letters of
    the same script.

    text (str): Any code.
    rng (Random): Source of the draw.
    first (bool): Whether a leading non-zero digit stays non-zero.
    RETURNS (str): As long as `text`; everything else than letters and digits stays.
    """
    out = []
    for i, ch in enumerate(text):
        if ch.isdecimal():
            leading = first and ch != "0" and (i == 0 or not text[i - 1].isalnum())
            out.append(rng.choice("123456789" if leading else "0123456789"))
        elif not ch.isalpha():
            out.append(ch)
        else:
            cyrillic = "Ѐ" <= ch <= "ӿ"
            letter = rng.choice(_PLATE_LETTERS if cyrillic else string.ascii_uppercase)
            out.append(letter if ch.isupper() else letter.lower())
    return "".join(out)


def _code(text: str, rng: random.Random) -> str:
    """As `like`, but words such as "no." stay and years stay years."""

    def replace(match: re.Match[str]) -> str:
        token = match.group()
        if token.lower() in _PLAIN_WORDS and not (len(token) == 1 and token.isupper()):
            return token
        if re.fullmatch(r"(?:19|20)\d\d", token):
            return str(int(token) + rng.choice((-3, -2, -1, 1, 2, 3)))
        return like(token, rng)

    new = re.sub(r"[^\W\d_]+(?!\d)|\d+(?![^\W\d_])|\w+", replace, text)
    return in_order(new, text)


def _spread(text: str, compact: str) -> str:
    """Write new letters and digits into the places of the old ones."""
    new = iter(compact)
    return "".join(next(new, "0") if ch.isalnum() else ch for ch in text)


def _compact(text: str) -> str:
    return "".join(ch for ch in text if ch.isalnum())


def _luhn(digits: str) -> str:
    total = 0
    for i, ch in enumerate(reversed(digits)):
        n = int(ch)
        if i % 2 == 0:
            n = n * 2 - 9 if n > 4 else n * 2
        total += n
    return str(-total % 10)


def _card(text: str, rng: random.Random) -> str:
    old = _compact(text)
    prefixes = next(
        (new for start, new in _CARD_PREFIXES if old.startswith(start)), ("400000",)
    )
    body = rng.choice(prefixes)[: len(old) - 1]
    body += "".join(rng.choice(string.digits) for _ in range(len(old) - 1 - len(body)))
    return _spread(text, body + _luhn(body))


def _iban(text: str, rng: random.Random) -> str:
    old = _compact(text)
    bban = like(old[4:], rng, first=False)
    country = old[:2].upper()
    number = "".join(str(int(ch, 36)) for ch in bban + country + "00")
    check = f"{98 - int(number) % 97:02d}"
    return _spread(text, old[:2] + check + bban)


def _bic(text: str, rng: random.Random) -> str:
    return like(text[:4], rng) + text[4:6] + like(text[6:], rng)


_VIN_VALUES = {
    **{str(i): i for i in range(10)},
    **dict(zip("ABCDEFGH", range(1, 9))),
    **dict(zip("JKLMN", range(1, 6))),
    "P": 7,
    "R": 9,
    **dict(zip("STUVWXYZ", range(2, 10))),
}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def _vin(text: str, rng: random.Random) -> str:
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    new = [
        rng.choice(string.digits) if ch.isdecimal() else rng.choice(letters)
        for ch in text.upper()
    ]
    if len(new) == 17:
        new[8] = "0"
        rest = sum(_VIN_VALUES[ch] * w for ch, w in zip(new, _VIN_WEIGHTS)) % 11
        new[8] = "X" if rest == 10 else str(rest)
    return "".join(new) if text.upper() == text else "".join(new).lower()


@lru_cache(maxsize=1)
def _stdnum_modules() -> list[ModuleType]:
    import importlib

    modules = []
    for name in _STDNUM:
        try:
            modules.append(importlib.import_module(f"stdnum.{name}"))
        except ImportError:
            continue
    return modules


def _valid(module: ModuleType, text: str) -> bool:
    return bool(module.is_valid(text))


# Whose numbers a text in a language has before those of others.
_HOMES = {"en": ("gb", "us"), "de": ("de", "at", "ch"), "es": ("es",), "ru": ("ru",)}


def _checked(text: str, rng: random.Random, lang: str = "en") -> Iterator[str]:
    """Identifiers that pass the checks that the original passes.

    The last two characters are searched, as check digits stand there.
    """
    modules = [m for m in _stdnum_modules() if _valid(m, text)]
    if len(_compact(text)) != 20:
        # It takes shorter numbers too.
        modules = [m for m in modules if not m.__name__.endswith(".lei")]
    homes = _HOMES.get(lang, ())
    modules = [m for m in modules if m.__name__.split(".")[1] in homes] or modules
    if not modules:
        return
    if any(m.__name__.endswith("us.ssn") for m in modules) and text.count("-") == 2:
        modules = [m for m in modules if m.__name__.endswith("us.ssn")]
    module = modules[0]
    if module.__name__.endswith("us.ssn"):
        # Never issued: areas from 900 on.
        for _ in range(20):
            digits = f"9{rng.randint(0, 99):02d}{rng.randint(1, 49):02d}{rng.randint(1, 9999):04d}"
            yield _spread(text, digits)
        return
    old = _compact(text)
    tails = []
    for ch in old[-2:]:
        tails.append(string.digits if ch.isdecimal() else string.ascii_uppercase)
    for attempt in range(60):
        start = like(old, rng, first=False)
        if attempt % 2:
            # Many begin with a date of birth, which random digits rarely are.
            keep = min(len(old) - 3, 7)
            day = f"{rng.randint(1, 28):02d}"
            start = _with_date(old, start, day, rng, keep)
        options = [a + b for a in tails[0] for b in tails[1]] if len(old) > 2 else []
        rng.shuffle(options)
        for tail in options:
            new = _spread(text, start[:-2] + tail)
            # Several kinds of identifiers may accept it: the first tries please all.
            if new != text and all(
                _valid(m, new) for m in (modules if attempt < 30 else modules[:1])
            ):
                yield new
                break


def _with_date(old: str, new: str, day: str, rng: random.Random, keep: int) -> str:
    """Keep what looks like a year and month, draw the day."""
    for offset in (0, 1):
        part = old[offset : offset + 6]
        if part.isdecimal() and len(part) == 6:
            if 1 <= int(part[2:4]) % 20 <= 12 and 1 <= int(part[4:6]) <= 31:
                year = f"{max(0, int(part[:2]) + rng.choice((-3, -2, -1, 1, 2, 3))) % 100:02d}"
                date = year + f"{int(part[2:4]):02d}" + day
            elif 1 <= int(part[:2]) <= 31 and 1 <= int(part[2:4]) % 20 <= 12:
                date = day + part[2:4] + f"{max(1, int(part[4:6]) - 1):02d}"
            else:
                continue
            return old[:offset] + date + new[offset + 6 :]
    return old[:keep] + new[keep:]


class _Number(NamedTuple):
    """A telephone number in its parts.

    prefix (str): What is dialled before the national number, trunk prefix included.
    code (str): Code of the country; "" if nobody knows.
    national (str): The rest.
    """

    prefix: str
    code: str
    national: str


# Area of the town that a number belongs to in the new text, by code and old number.
AreaFor = Callable[[str, str], str]


def _no_area(code: str, national: str) -> str:
    return ""


# New national numbers by country code and old one, with the digits of their areas.
_Numbers = dict[tuple[str, str], tuple[str, int]]


def _phone(
    text: str,
    rng: random.Random,
    home: str = "44",
    area_for: AreaFor = _no_area,
    known: _Numbers | None = None,
    drawn: _Numbers | None = None,
) -> str:
    """A number of the same layout from a range kept for fiction, where there is one,
    and of another area than the old one, unless the new town shares it.

    text (str): The original.
    rng (Random): Source of the draw.
    home (str): Code of the country for numbers without one.
    area_for (Callable): Area of a new town for the country's code and the old national
        number; "" if none is known.
    known (Optional[dict]): Numbers that another spelling has been given already.
    drawn (Optional[dict]): Takes up the number that is drawn.
    RETURNS (str): With as many digits.
    """
    main = _EXTENSION.split(text)[0]
    tail = text[len(main) :]
    digits = re.sub(r"\D", "", main)
    rest_digits = re.sub(r"\D", "", tail)
    number = _dialled(digits, main.lstrip().startswith("+"), home)
    start = len(number.prefix)
    found = _known_number(number, known) if known else None
    if found is None:
        found = _national(number, rng, area_for, _area_width(main, start))
    if drawn is not None:
        drawn[_said_code(number), number.national] = found
    new, width = found
    main = _regrouped(main, start, width)
    new = number.prefix + new
    new += "".join(rng.choice("123456789") for _ in rest_digits)
    it = iter(new)
    return "".join(next(it, "0") if ch.isdecimal() else ch for ch in main + tail)


def _said_code(number: _Number) -> str:
    """The code of the country if the number begins with it."""
    said = number.code and number.prefix.lstrip("0").startswith(number.code)
    return number.code if said else ""


def _known_number(number: _Number, known: _Numbers) -> tuple[str, int] | None:
    """What the same number in another spelling has become; one without a code is the
    same as one with it."""
    code, national = _said_code(number), number.national
    if len(national) < 8:
        return known.get((code, national))
    for (other, old), new in known.items():
        if old == national and (other == code or not code or not other):
            return new
    return None


def _dialled(digits: str, plus: bool, home: str) -> _Number:
    """The parts of a number by what it begins with and its length."""
    prefix = ""
    if digits.startswith("00") and len(digits) > 9:
        prefix, digits, plus = "00", digits[2:], True
    if plus:
        code = next(
            (c for c in ("353", *_FICTION, "34", "1", "7") if digits.startswith(c)), ""
        )
        code = code or digits[: 2 if digits[:2] in _TWO_DIGIT else 3]
        prefix, digits = prefix + code, digits[len(code) :]
        if digits.startswith("0") and code not in ("1", "7"):
            prefix, digits = f"{prefix}0", digits[1:]
        return _Number(prefix, code, digits)
    if home == "7" and len(digits) in (10, 11):
        trunk = digits[: len(digits) - 10]
        if trunk in ("", "7", "8"):
            return _Number(trunk, "7", digits[len(trunk) :])
    if home == "34" and len(digits) == 9:
        return _Number("", "34", digits)
    if digits.startswith("0"):
        national = digits[1:]
        german = home == "49" and 7 <= len(national) <= 11
        known = german or len(national) in (9, 10)
        return _Number("0", home if known else "", national)
    if len(digits) == 11 and digits.startswith("1"):
        return _Number("1", "1", digits[1:])
    if len(digits) in (7, 10):
        return _Number("", "1", digits)
    return _Number("", "", digits)


def _national(
    number: _Number, rng: random.Random, area_for: AreaFor, width: int
) -> tuple[str, int]:
    """A new national number, and how many digits of it are the area; 0 for none."""
    code, old = number.code, number.national
    if code == "1" and len(old) in (7, 10):
        line = f"55501{rng.randint(0, 99):02d}"
        if len(old) == 7:
            return line, 0
        area = area_for(code, old) or _other(_AREAS, old, rng)
        return area + line, 3
    if code == "7" and len(old) == 10:
        # Mobile and free numbers stay what they are.
        if old[0] == "9":
            area = "900"
        elif old.startswith("80"):
            area = old[:3]
        else:
            area = area_for(code, old) or _other(_RUSSIAN_AREAS, old, rng)
        return f"{area}55501{rng.randint(0, 99):02d}", 3
    if code == "34" and len(old) == 9:
        if old[0] not in "89" or old[1] == "0":
            return old[0] + _digits(8, rng), 0
        every = sorted(set(spanish_areas().values()))
        area = area_for(code, old) or _other(every, old, rng)
        return area + _digits(9 - len(area), rng), len(area)
    if code in _TOWN_FICTION and old[:1] not in tuple(_NO_AREA[code]):
        row = _town_range(code, old, rng, area_for, width)
        return _filled(row, old, rng), len(row[0])
    for row in _FICTION.get(code, ()):
        if old.startswith(row[0]):
            return _filled(row, old, rng), 0
    # No range is kept free here: the first digits, which name the net, stay random too.
    lead = old[:1] if number.prefix else rng.choice("123456789")
    return lead + _digits(len(old) - 1, rng), 0


def _digits(count: int, rng: random.Random) -> str:
    return "".join(rng.choice(string.digits) for _ in range(max(0, count)))


def _other(areas: Sequence[str], old: str, rng: random.Random) -> str:
    """An area that a number does not have."""
    return rng.choice([area for area in areas if not old.startswith(area)])


def _filled(row: tuple[str, str, int], old: str, rng: random.Random) -> str:
    """A number of a range, as long as the old one."""
    new = row[1] + _digits(row[2], rng)
    return (new + _digits(len(old) - len(new), rng))[: len(old)]


def _town_range(
    code: str, old: str, rng: random.Random, area_for: AreaFor, width: int
) -> tuple[str, str, int]:
    """The range of the new town; of one that has none a range of no town, if there is
    one, else that of any town but the old one, better one with an area as long."""
    rows = _TOWN_FICTION[code]
    area = area_for(code, old)
    for row in rows:
        if row[0] == area:
            return row
    if rows[0][0] in _NO_TOWN:
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
    groups = re.findall(r"\d+", text)
    for group in groups[:-1]:
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
    groups = list(re.finditer(r"\d+", text))
    count, i = len(groups[0].group()), 0
    while count <= start:
        i += 1
        count += len(groups[i].group())
    rest = groups[i + 1 :]
    total = sum(len(group.group()) for group in rest) - step
    if total < len(rest):
        return text
    size, more = divmod(total, len(rest))
    position = groups[i].end()
    out = [text[: position + min(step, 0)], "0" * step]
    for k, group in enumerate(rest):
        digits = size + (k >= len(rest) - more)
        out += [text[position : group.start()], "0" * digits]
        position = group.end()
    return "".join(out) + text[position:]


@lru_cache(maxsize=8)
def _areas_of(code: str) -> Mapping[str, str]:
    """Telephone areas of a country by folded town."""
    if code != "34":
        return town_areas(code)
    from .languages import tongue_of

    tongue = tongue_of("es")
    assert tongue is not None
    known = spanish_areas()
    return {
        fold(town): known[post]
        for town, post in tongue.postcodes.items()
        if post in known
    }


def _area_in(draws: Draws) -> AreaFor:
    """Areas of a document's new towns.

    draws (Draws): The document's draws, with new places.
    RETURNS (Callable): Function of a country's code and an old number: the area of the
        town that stands for the number's own, else of another new town of the country.
    """

    def area_for(code: str, national: str) -> str:
        table = _areas_of(code) if draws.towns else {}
        any_other = ""
        for old, new in draws.towns.items():
            area = table.get(fold(new), "")
            own = table.get(old, "")
            if own and national.startswith(own):
                return area
            any_other = any_other or area
        shared = any_other and national.startswith(any_other)
        return "" if shared else any_other

    return area_for


def _ip(text: str, rng: random.Random) -> str:
    match = _IP4.search(text)
    if match is not None:
        net = rng.choice(("192.0.2", "198.51.100", "203.0.113"))
        new = f"{net}.{rng.randint(1, 254)}"
        return text[: match.start()] + new + _ports(text[match.end() :], rng)
    address, slash, tail = text.partition("/")
    bare = address.strip("[]")
    groups = f"2001:db8:{rng.randint(1, 0xFFFF):x}:{rng.randint(1, 0xFFFF):x}"
    if "::" in bare or bare.count(":") < 7:
        new = f"{groups}::{rng.randint(1, 0xFFFF):x}"
    else:
        new = groups + "".join(f":{rng.randint(1, 0xFFFF):x}" for _ in range(4))
    new = (
        new.upper() if bare.upper() == bare and any(c.isalpha() for c in bare) else new
    )
    return address.replace(bare, new) + slash + tail if bare else like(text, rng)


def _ports(text: str, rng: random.Random) -> str:
    return (
        text
        if text.startswith("/")
        else re.sub(r"\d", lambda _: rng.choice("123456789"), text)
    )


def _mac(text: str, rng: random.Random) -> str:
    # 00-00-5E-00-53-00 to -FF is set aside for documentation.
    return (
        _spread(text, f"00005e0053{rng.randint(0, 255):02x}")
        if text.islower()
        else _spread(text, f"00005E0053{rng.randint(0, 255):02X}")
    )


def _local_mac(text: str, rng: random.Random) -> str:
    """A locally administered address, when the reserved ones are used up."""
    new = "02" + "".join(rng.choice("0123456789abcdef") for _ in range(10))
    return _spread(text, new if text.islower() else new.upper())


def _crypto(text: str, rng: random.Random) -> str:
    if text[:2].lower() == "0x":
        return text[:2] + "".join(rng.choice("0123456789abcdef") for _ in text[2:])
    if text[:3].lower() in ("bc1", "tb1"):
        alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
        return text[:4] + "".join(rng.choice(alphabet) for _ in text[4:])
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    return text[:1] + "".join(rng.choice(alphabet) for _ in text[1:])


def _password(text: str, rng: random.Random) -> str:
    symbols = "!#$%&*+-=?@^_"
    new = like(text, rng, first=False)
    return "".join(rng.choice(symbols) if ch in symbols else ch for ch in new)


def _coordinates(text: str, rng: random.Random) -> str:
    return re.sub(r"\d", lambda _: rng.choice("123456789"), text)


class _Codes:
    """Codes of one document: the same domain or handle is replaced alike."""

    def __init__(self, draws: Draws):
        self.draws = draws
        self.numbers: _Numbers = {}
        self._organisations: dict[str, str] | None = None
        # User names that are no names of the document, with the new ones.
        self.users: dict[str, str] = {}

    def joined(self, word: str) -> str:
        """What stands for a word that is made of names of the document.

        word (str): Folded, such as "karendoyle", "kdoyle", "doyle" or "acmewidgets".
        RETURNS (str): The same made of the new names; "" if it is not all names.
        """
        name_map = self.draws.name_map
        if not 3 < len(word) < 40:
            return ""
        if word in name_map:
            return _only_letters(name_map[word])
        for cut in range(2, len(word) - 1):
            first, last = name_map.get(word[:cut]), name_map.get(word[cut:])
            if last and not first and word[:cut] in PARTICLES:
                # "devries" of de Vries: particles stay in new names, too.
                first = word[:cut]
            if first and last:
                return _only_letters(first + last)
        if len(word) > 4 and word[1:] in name_map:
            own = self.draws.bearers.get(word[1:], {}).get(word[0])
            if own:
                return _only_letters(own + name_map[word[1:]])
            for token, new in name_map.items():
                if token[0] == word[0] and token != word[1:]:
                    return _only_letters(new[0] + name_map[word[1:]])
        if self._organisations is None:
            self._organisations = {}
            for old, new in self.draws.organisations:
                for form in (strip_legal_form, normalise_name):
                    key = _only_letters(form(old))
                    if len(key) > 2:
                        self._organisations.setdefault(key, _only_letters(form(new)))
        return self._organisations.get(word, "")

    def _label(self, host: str) -> str:
        """The word of a new host for the one that names the owner of an old one; ""
        if that is nobody of the document."""
        labels = host.split(".")[:-1]
        if len(labels) > 1 and labels[-1] in _SECOND_LEVEL:
            labels.pop()
        parts = fold(labels[-1]).split("-") if labels else [""]
        new = [self.joined(part) for part in parts]
        if len(new) > 1 and not all(new):
            new = [self.joined("".join(parts))]
        return "-".join(new) if all(new) else ""

    def domain(self, host: str) -> str:
        """A reserved domain for a host name; different ones stay different."""
        key = host.lower().removeprefix("www.").rstrip(".")
        known = self.draws.domains.get(key)
        if known is None:
            rng = self.draws.random_for("domain", key)
            taken = set(self.draws.domains.values())
            start = rng.randrange(3)
            options = [f"example.{_TLD[(start + i) % 3]}" for i in range(3)]
            label = self._label(key)
            if label:
                options = [f"{label}.{option}" for option in options]
            known = next(
                (o for o in options if o not in taken and not self.draws.forbidden(o)),
                "",
            )
            for _ in range(200):
                if known:
                    break
                word = invent_word(rng).lower()
                option = f"{word}.example.{rng.choice(_TLD)}"
                if option not in taken and not self.draws.forbidden(option):
                    known = option
            known = known or "example.com"
            self.draws.domains[key] = known
        if host.lower().startswith("www."):
            known = host[:4] + known
        return known.upper() if host.isupper() else known

    def local(self, text: str, rng: random.Random) -> str:
        """User part of an address or a handle, from the new names where it holds old
        ones."""
        name_map = self.draws.name_map

        def replace(match: re.Match[str]) -> str:
            word = match.group()
            key = fold(word)
            new = name_map.get(key)
            if new is None and self.draws.lang == "de":
                # "mueller" for Müller.
                new = name_map.get(re.sub("(?<=[aou])e", "", key))
            elif new is None and self.draws.lang == "ru" and key.isascii():
                # "julia" for Юлия, who is "yuliya" in a passport.
                key = latin_key(key)
                new = name_map.get(key)
            if new is None:
                new = self.draws.nickname(key) or self.joined(key) or None
            if new is None and key in _ROLE_MAILBOXES:
                return word
            if new is None:
                new = _glued(key, name_map, self.draws.bearers)
            if new is None:
                if len(word) == 1:
                    new = rng.choice(string.ascii_lowercase)
                elif word.isupper() and len(word) < 4:
                    new = like(word, rng)
                elif len(word) > 9:
                    new = rng.choice(_HANDLE_A) + rng.choice(_HANDLE_B)
                else:
                    new = rng.choice((*_HANDLE_B, invent_word(rng).lower()))
            new = "".join(ch for ch in new if ch.isalnum()) or "user"
            if word.isupper() and len(word) > 1:
                return new.upper()
            return new.capitalize() if word[0].isupper() else new

        out = re.sub(r"[^\W\d_]+", replace, text)
        out = re.sub(r"\d+", lambda m: like(m.group(), rng), out)
        if _initial_parts(text) and name_map:
            out = self._with_initials(text, out)
        return out

    def _with_initials(self, old: str, new: str) -> str:
        """ "r.murray" follows "Robert Murray" in its initial, too."""
        olds = re.findall(r"[^\W\d_]+", old)
        news = re.findall(r"[^\W\d_]+", new)
        if len(olds) != len(news):
            return new
        bearers = self.draws.bearers
        initials: dict[str, str] = {}
        for surname in map(fold, olds):
            initials = initials or bearers.get(surname, {})
        if not initials and [len(word) for word in olds] == [1, 1]:
            # "k.d" of Karen Doyle.
            first, last = map(fold, olds)
            for surname, letters in bearers.items():
                if surname[0] == last and first in letters:
                    new_last = self.draws.name_map.get(surname, news[1])[0]
                    initials = {first: letters[first], last: new_last}
                    break
        if initials:
            pieces = re.split(r"([^\W\d_]+)", new)
            for i, word in enumerate(olds):
                letter = initials.get(fold(word), "") if len(word) == 1 else ""
                if letter:
                    pieces[2 * i + 1] = letter.upper() if word.isupper() else letter
            return "".join(pieces)
        for i, word in enumerate(olds):
            if len(word) != 1:
                continue
            for token, name in self.draws.name_map.items():
                if token.startswith(fold(word)) and name:
                    pieces = re.split(r"([^\W\d_]+)", new)
                    pieces[2 * i + 1] = name[0].upper() if word.isupper() else name[0]
                    return "".join(pieces)
        return new

    def email(self, text: str, rng: random.Random) -> str:
        prefix = re.match(r"(?i)\W*(?:mailto:)?\W*", text)
        start = prefix.end() if prefix else 0
        local, _, host = text[start:].partition("@")
        match = re.match(r"[\w.-]+[\w]", host)
        end = match.end() if match else len(host)
        return (
            text[:start]
            + self.local(local, rng)
            + "@"
            + self.domain(host[:end])
            + host[end:]
        )

    def url(self, text: str, rng: random.Random) -> str:
        match = _URL.fullmatch(text) or _PATH_DOMAIN.fullmatch(text)
        if match is None:
            return self.domain(text) if _DOMAIN.fullmatch(text) else _code(text, rng)
        groups = match.groupdict()
        host = groups["host"]
        if _IP4.fullmatch(host) or host.startswith("["):
            host = _ip(host, rng)
        else:
            host = self.domain(host)
        user = groups.get("user") or ""
        user = self.local(user[:-1], rng) + "@" if user else ""
        scheme, port = groups.get("scheme") or "", groups.get("port") or ""
        return scheme + user + host + port + self._path(groups["rest"], rng)

    def _path(self, text: str, rng: random.Random) -> str:
        def replace(match: re.Match[str]) -> str:
            word = match.group()
            key = fold(word)
            if key in self.users:
                return self.users[key]
            if key in _COMMON_PATH:
                return word
            if key in self.draws.name_map:
                return self.draws.name_map[key]
            # Figures behind a user name are no part of the name.
            letters = key.rstrip("0123456789")
            named = self.users.get(letters) or self.joined(letters)
            if named:
                return named + like(key[len(letters) :], rng)
            if word.isalpha() and word.isascii() and 3 <= len(word) <= 14:
                new = rng.choice(_PATH_WORDS)
                return new.capitalize() if word[0].isupper() else new
            return like(word, rng)

        return re.sub(r"(?<![?&;])[^\W_]+(?!=)", replace, text)

    def handle(self, text: str, rng: random.Random) -> str:
        match = re.match(r"\W*", text)
        start = match.end() if match else 0
        new = self.local(text[start:], rng)
        if text[start:].isalnum():
            # Whatever stands for it is found again in the addresses of sites.
            self.users[fold(text[start:])] = new
        return text[:start] + new

    def case_number(self, text: str, rng: random.Random) -> str:
        """ "28045/02": another number of the same shape, the year near the shift."""
        step = round(self.draws.day_shift / 365.2425) or rng.choice((-1, 1))

        def replace(match: re.Match[str]) -> str:
            number = like(match.group("number"), rng)
            year = match.group("year")
            if len(year) == 4:
                return f"{number}{match.group('slash')}{int(year) + step}"
            new = (int(year) + step) % 100
            if (int(year) > 30) != (new > 30) and abs(step) > 40:
                new = int(year)
            return f"{number}{match.group('slash')}{new:02d}"

        return _CASE.sub(replace, text)


# What stands between a name and the country: "co.uk".
_SECOND_LEVEL = frozenset(("ac", "co", "com", "edu", "gov", "net", "nhs", "org"))


def _only_letters(text: str) -> str:
    return "".join(ch for ch in fold(text) if ch.isalnum() and ch.isascii())


def _initial_parts(text: str) -> bool:
    return any(len(p) == 1 for p in re.findall(r"[^\W\d_]+", text))


def _glued(
    key: str, name_map: dict[str, str], bearers: Mapping[str, Mapping[str, str]]
) -> str | None:
    """ "rmurray", "robertmurray", "murrayr" from known names."""
    if len(key) < 4 or len(name_map) > 2000:
        return None
    # "potapova" before "potapov".
    held = [token for token in name_map if len(token) > 2 and token in key]
    for token in sorted(held, key=len, reverse=True):
        new = name_map[token]
        before, _, after = key.partition(token)
        out = []
        for part in (before, after):
            if not part:
                out.append("")
            elif part in name_map:
                out.append(name_map[part])
            else:
                own = bearers.get(token, {})
                initials = [own[ch] for ch in part if ch in own] or [
                    name[0]
                    for ch in part[:3]
                    for name in [
                        next((n for t, n in name_map.items() if t.startswith(ch)), "")
                    ]
                    if name
                ]
                out.append("".join(initials) if len(part) <= 3 else "")
        return out[0] + new + out[1]
    return None


def _is_isbn(mention: Mention) -> bool:
    """Whether a code is the number of a book: it says so, or begins like one of today,
    and its check digit is right."""
    match = _ISBN.fullmatch(mention.text.strip())
    if match is None:
        return False
    code = _compact(match["code"])
    named = match["lead"] or re.search(r"\bISBN\W*(?:1[03]\W*)?$", mention.before, re.I)
    if len(code) == 10:
        return bool(named) and _isbn_check(code[:9]) == code[9].upper()
    return len(code) == 13 and _isbn_check(code[:12]) == code[12]


def _isbn_check(body: str) -> str:
    """Check digit of a book's number without it, by its length."""
    if len(body) == 9:
        rest = sum((10 - i) * int(ch) for i, ch in enumerate(body)) % 11
        return "0X987654321"[rest]
    return str(-sum((3 if i % 2 else 1) * int(ch) for i, ch in enumerate(body)) % 10)


def _isbn(text: str, rng: random.Random) -> str:
    """The number of another book of the same language group."""
    match = _ISBN.search(text)
    if match is None:
        return _code(text, rng)
    old = _compact(match["code"])
    kept = old[: 4 if len(old) == 13 else 1]
    body = kept + _digits(len(old) - 1 - len(kept), rng)
    new = _spread(match["code"], body + _isbn_check(body))
    return text[: match.start("code")] + new + text[match.end("code") :]


def _hexadecimal(text: str, rng: random.Random) -> str:
    """Other figures to the base 16; of a UUID version and variant stay."""
    kept = (14, 19) if _UUID.fullmatch(text) else ()
    return "".join(
        ch
        if i in kept or not ch.isalnum()
        else rng.choice(
            "0123456789ABCDEF" if text.upper() == text else "0123456789abcdef"
        )
        for i, ch in enumerate(text)
    )


def kind_of_code(mention: Mention) -> str:
    """Subtype of a code, guessed from its form if unknown."""
    if mention.subtype in KINDS:
        return mention.subtype
    text = mention.text.strip()
    if len(text) > 300:
        return ""
    if _EMAIL.fullmatch(text):
        return "EMAIL"
    if "://" in text or text.lower().startswith("www."):
        return "URL"
    compact = _compact(text)
    if _IP4.fullmatch(text):
        return "IP"
    if _MAC.fullmatch(text):
        return "MAC"
    if _CASE.fullmatch(text):
        return "CASE_NUMBER"
    if text.startswith("@") and len(text) > 1:
        return "USERNAME"
    if _UUID.fullmatch(text) or _HEX.fullmatch(text):
        return "HEX"
    if _is_isbn(mention):
        return "ISBN"
    if _IBAN.fullmatch(compact) and len(compact) >= 15:
        return "IBAN"
    if (
        _VIN.fullmatch(compact)
        and re.search("[A-Z]", compact)
        and re.search(r"\d{4}$", compact)
    ):
        return "VIN"
    if (
        13 <= len(compact) <= 19
        and compact.isdecimal()
        and compact.isascii()
        and _luhn(compact[:-1]) == compact[-1]
    ):
        return "CARD"
    if _CASE.search(text) and not text.startswith("+"):
        return "CASE_NUMBER"
    if _PHONE.fullmatch(text) and text.startswith(("+", "(", "00")):
        return "PHONE"
    if _DOMAIN.fullmatch(text) and not compact.isdecimal():
        return "DOMAIN"
    if text.count(":") >= 2 and re.fullmatch(r"[0-9a-fA-F:]{3,39}(?:/\d{1,3})?", text):
        return "IP"
    if "/" in text and _PATH_DOMAIN.fullmatch(text):
        return "URL"
    if 7 <= len(compact) <= 16 and any(ch.isdecimal() for ch in compact):
        return "NATIONAL_ID"
    return ""


KINDS = frozenset(
    "EMAIL URL DOMAIN PHONE IP MAC IBAN BIC CARD CRYPTO NATIONAL_ID TAX_ID PASSPORT "
    "DRIVER_LICENCE HEALTH_ID PLATE VIN CASE_NUMBER FILE_NUMBER RECORD_NUMBER ACCOUNT "
    "USERNAME PASSWORD".split()
)
_PLAIN_KINDS: dict[str, Callable[[str, random.Random], str]] = {
    "PHONE": _phone,
    "IP": _ip,
    "MAC": _mac,
    "IBAN": _iban,
    "BIC": _bic,
    "CARD": _card,
    "CRYPTO": _crypto,
    "VIN": _vin,
    "PASSWORD": _password,
    "HEX": _hexadecimal,
    "ISBN": _isbn,
}
# What is shorter is no such code, whatever its subtype says.
_LEAST = {"IBAN": 8, "CARD": 8, "VIN": 11, "BIC": 8, "MAC": 12, "CRYPTO": 8, "IP": 3}
_CHECKED_KINDS = frozenset({"NATIONAL_ID", "TAX_ID", "HEALTH_ID"})


def replace_codes(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New codes for a document; persons and dates must have been replaced before.

    mentions (Sequence[Mention]): All mentions of codes, in document order.
    draws (Draws): The document's draws, with new names and the shift of dates.
    RETURNS (list[str]): One text a mention.
    """
    codes = _Codes(draws)
    new: dict[str, str] = {}
    shared: dict[int, tuple[str, str]] = {}
    # Sites, which may name users, after them.
    for mention in sorted(mentions, key=lambda m: m.subtype in ("URL", "DOMAIN")):
        if mention.text in new:
            continue
        compact = _compact(mention.text).lower()
        known = shared.get(mention.entity_id)
        if known is not None and known[0] == compact and compact:
            again = known[1]
            if mention.text.islower() or mention.text.isupper():
                again = match_case(again, mention.text)
            # The same code with other separators.
            text = _spread(mention.text, again)
            if not draws.forbidden(text) and normalise(text) != normalise(mention.text):
                new[mention.text] = text
                continue
        new[mention.text] = _new_code(mention, codes, draws)
        again = _compact(new[mention.text])
        if len(again) == len(compact):
            shared[mention.entity_id] = compact, again
    return [new[m.text] for m in mentions]


def _new_code(mention: Mention, codes: _Codes, draws: Draws) -> str:
    text, key = mention.text, normalise(mention.text)
    kind = kind_of_code(mention)
    if (
        draws.lang == "ru"
        and mention.subtype not in KINDS
        and _RUSSIAN_PHONE.fullmatch(text)
    ):
        kind = "PHONE"
    rng = draws.random_for("code", _compact(text).lower() or key)
    drawn: _Numbers = {}

    def candidates() -> Iterator[str]:
        if kind in _CHECKED_KINDS and len(text) < 40:
            yield from _checked(text, rng, draws.lang)
        make: Callable[[str, random.Random], str] | None = None
        if text.isascii() and len(_compact(text)) >= _LEAST.get(kind, 1):
            make = _PLAIN_KINDS.get(kind)
        if kind == "EMAIL" and "@" in text:
            make = codes.email
        elif kind in ("URL", "DOMAIN"):
            make = codes.url
        elif kind == "USERNAME":
            make = codes.handle
        elif kind == "PHONE" and make is not None:
            home = _HOME_CODES.get(draws.lang, "44")
            area_for = _area_in(draws)
            make = lambda old, rng: _phone(old, rng, home, area_for, drawn=drawn)  # noqa: E731
            if codes.numbers:
                yield _phone(text, rng, home, area_for, codes.numbers, drawn)
        elif kind in ("CASE_NUMBER", "") and _CASE.search(text):
            make = codes.case_number
        if make is not None:
            made = ""
            for _ in range(40):
                made = make(text, rng)
                yield made
            if kind in ("EMAIL", "USERNAME"):
                # "alexander.k@" and "aleksandr.k@" of one person: a figure tells them
                # apart.
                local, at, host = made.partition("@")
                for i in range(1, 10):
                    yield f"{local}{i}{at}{host}"
        if kind == "MAC":
            for _ in range(20):
                yield _local_mac(text, rng)
        while True:
            yield _code(text, rng)

    found = draws.pick(candidates(), key, mention.before, 90)
    if found is not None:
        codes.numbers.update(drawn)
        return found
    if any(ch.isalnum() for ch in text):
        # Short codes run out: they grow by a digit.
        longer = (_code(text + "0" * (1 + i // 20), rng) for i in range(80))
        found = draws.pick(longer, key, mention.before, 80)
        if found is not None:
            return found
    return draws.invent("code", key, mention.before, text)
