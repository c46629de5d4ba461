"""New codes: identifiers, addresses on networks, telephone numbers, user names.

Whatever has a range reserved for fiction or documentation is drawn from it, so that
no real account, telephone or host is named by accident; check digits are right where
those of the original are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import repeat
from operator import eq
from random import Random

from stdnum import isbn, luhn
from stdnum.iso7064 import mod_97_10

from ..data import facts
from ..gazetteers.lexicon import is_compound, is_vocabulary
from ..patterns.ids.checks import is_valid
from ..patterns.ids.vehicles import VIN_SIGNS, vin_check_digit
from ..text.case import like_first
from ..text.number_words import number_words
from ..text.spoken import speech
from ..text.words import function_words
from .base import CODE_FORMS, Draws, Mention, in_order, like, match_case, normalise
from .internet import DOMAIN, IP4, IP6, PATH_DOMAIN, Handles, code_words, new_ip
from .phones import Numbers, area_in, home_code, new_phone
from .rules import Rule, apply

_MAC, _CASE, _CASES, _IBAN, _VIN, _PHONE, _RUSSIAN_PHONE, _UUID, _HEX, _EMAIL = map(
    CODE_FORMS.__getitem__,
    "mac case cases iban vin phone russian_phone uuid hex email".split(),
)
_ISBN, _ISBN_BEFORE = CODE_FORMS["isbn"], CODE_FORMS["isbn_before"]
_MAX_LENGTH = 300

_WORDS = facts("code_words")
# Words inside codes that name no one.
_PLAIN_WORDS = frozenset(_WORDS["plain"].split())
_DIGITS, _CAPITALS = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

KINDS = frozenset(facts("lang/en/generalize")["codes"])


def _spread(text: str, compact: str) -> str:
    """Write new letters and digits into the places of the old ones."""
    new = iter(compact)
    return "".join(next(new, "0") if ch.isalnum() else ch for ch in text)


def _compact(text: str) -> str:
    return "".join(filter(str.isalnum, text))


# What a code of unknown subtype is, by its form: the first that fits.


def _is_card(text: str) -> bool:
    code = _compact(text)
    figures = code.isdecimal() and code.isascii() and 13 <= len(code) <= 19
    return figures and luhn.is_valid(code)


_FORMS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("EMAIL", _EMAIL.fullmatch),
    ("URL", lambda text: "://" in text or text.lower().startswith("www.")),
    ("IP", IP4.fullmatch),
    ("MAC", _MAC.fullmatch),
    ("CASE_NUMBER", _CASE.fullmatch),
    ("USERNAME", lambda text: text.startswith("@") and len(text) > 1),
    ("HEX", _HEX.fullmatch),
)
_FURTHER_FORMS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("IBAN", lambda text: _IBAN.fullmatch(_compact(text))),
    ("VIN", lambda text: _VIN.fullmatch(_compact(text))),
    ("CARD", _is_card),
    ("CASE_NUMBER", lambda text: not text.startswith("+") and _CASE.search(text)),
    ("PHONE", _PHONE.fullmatch),
    ("DOMAIN", lambda text: DOMAIN.fullmatch(text)),
    ("IP", IP6.fullmatch),
    ("URL", lambda text: "/" in text and PATH_DOMAIN.fullmatch(text)),
    ("NATIONAL_ID", lambda t: 7 <= len(_compact(t)) <= 16 and re.search(r"\d", t)),
)


def _is_isbn(mention: Mention) -> bool:
    """Whether a code is the number of a book: it says so, or begins like one of today,
    and its check digit is right."""
    match = _ISBN.fullmatch(mention.text.strip())
    if match is None or not isbn.is_valid(match["code"]):
        return False
    named = match["lead"] or _ISBN_BEFORE.search(mention.before)
    return bool(named) or len(_compact(match["code"])) == 13


def kind_of_code(mention: Mention) -> str:
    """Subtype of a code, guessed from its form if unknown."""
    text = mention.text.strip()
    if _UUID.fullmatch(text):
        # Whatever it is called: nothing else looks like one.
        return "HEX"
    if mention.subtype in KINDS:
        return mention.subtype
    if len(text) > _MAX_LENGTH:
        return ""
    for kind, fits in _FORMS:
        if fits(text):
            return kind
    if _is_isbn(mention):
        return "ISBN"
    return next((kind for kind, fits in _FURTHER_FORMS if fits(text)), "")


# Makers: from an old text to a new one of the same kind


def _any_code(text: str, rng: Random, lang: str = "") -> str:
    """As `like`, but words such as "no." stay, and "pages" of "pages 112-118" in a text of
    a language, and years stay years."""
    figures = lang and any(map(str.isdecimal, text))

    def replace(match: re.Match[str]) -> str:
        token = match.group()
        plain = token.lower() in _PLAIN_WORDS and (len(token) > 1 or token.islower())
        small = figures and len(token) > 3 and token.islower()
        if plain or (small and is_vocabulary(token, lang)):
            return token
        if token != text and re.fullmatch(r"(?:19|20)\d\d", token):
            return str(int(token) + rng.choice((-3, -2, -1, 1, 2, 3)))
        return like(token, rng)

    new = re.sub(r"[^\W\d_]+(?!\d)|\d+(?![^\W\d_])|\w+", replace, text)
    return in_order(new, text)


_SAID = r"[^\W\d_]+|\d+"
# What people make of words.
_WORDY = ("EMAIL", "USERNAME", "PASSWORD", "URL", "DOMAIN")


def _in_words(case: _Code) -> Iterator[str]:
    """A code that is told in words, a pass phrase or what was said of an address: other
    words for its words, other numbers for its numbers; words of grammar and signs stay."""
    lang = case.draws.lang
    numbers = number_words(lang)
    whole = {re.escape(case.text[x.start : x.end]) for x in numbers.find(case.text, 0)}
    # "cuarenta y ocho" is one number.
    parts = "|".join((*sorted(whole, key=len, reverse=True), _SAID))
    pattern = re.compile(rf"(?<![^\W_])(?:{parts})")
    words = pattern.findall(case.text.lower())
    said = [*filter(numbers.alike, words)]
    plain = {w for w in words if is_vocabulary(w, lang) or is_compound(w, lang)}
    told = [w for w in words if w in said or (len(w) > 2 and w in plain)]
    known = case.kind in _WORDY or 2 * len(told) >= len(words)
    if (len(words) > 1 or said) and known and not case.text.isupper():
        small = function_words(lang) | _PLAIN_WORDS | speech(lang).signs
        if case.kind not in _WORDY and 2 * len(said) >= len(words):
            # "last digits four four one"
            small |= {*told}.difference(said)
        for _ in range(20):
            yield pattern.sub(lambda m: _other_word(m.group(), case, small), case.text)


def _other_word(token: str, case: _Code, small: Set[str]) -> str:
    word, rng = token.lower(), case.rng
    if numbers := number_words(case.draws.lang).alike(word):
        return like_first(rng.choice(numbers), token)
    if word in small and not token.isupper():
        return token
    if len(token) < 3 or token.isupper() or token.isdecimal():
        return like(token, rng)
    new = case.draws.name_map.get(word) or rng.choice(code_words(case.draws.lang))
    return like_first(new, token)


def _card(text: str, rng: Random) -> str:
    """A number of the networks' test ranges."""
    old = _compact(text)
    rows = (new for start, new in _WORDS["cards"] if old.startswith(start))
    body = rng.choice(next(rows, ["400000"]))[: len(old) - 1]
    body += "".join(rng.choice(_DIGITS) for _ in range(len(old) - 1 - len(body)))
    return _spread(text, body + luhn.calc_check_digit(body))


def _iban(text: str, rng: Random) -> str:
    old = _compact(text)
    bban = like(old[4:], rng, first=False)
    check = mod_97_10.calc_check_digits(bban + old[:2].upper())
    return _spread(text, old[:2] + check + bban)


def _bic(text: str, rng: Random) -> str:
    return like(text[:4], rng) + text[4:6] + like(text[6:], rng)


def _vin(text: str, rng: Random) -> str:
    letters = VIN_SIGNS[len(_DIGITS) :]
    new = [rng.choice(_DIGITS if ch.isdecimal() else letters) for ch in text.upper()]
    if len(new) == 17:
        new[8] = vin_check_digit("".join(new))
    return "".join(new) if text.upper() == text else "".join(new).lower()


def _mac(text: str, rng: Random, start: str = "00005e0053") -> str:
    """An address of those set aside for documentation, 00-00-5E-00-53-00 to -FF; or one
    with another start."""
    rest = (rng.choice("0123456789abcdef") for _ in range(12 - len(start)))
    new = start + "".join(rest)
    return _spread(text, new if text.islower() else new.upper())


def _crypto(text: str, rng: Random) -> str:
    kept, alphabet = 1, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    if text[:2].lower() == "0x":
        kept, alphabet = 2, "0123456789abcdef"
    elif text[:3].lower() in ("bc1", "tb1"):
        kept, alphabet = 4, "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    return text[:kept] + "".join(rng.choice(alphabet) for _ in text[kept:])


def _password(text: str, rng: Random) -> str:
    # Hyphens part its words or figures: they are its form.
    symbols = "!#$%&*+=?@^"
    new = like(text, rng, first=False)
    return "".join(rng.choice(symbols) if ch in symbols else ch for ch in new)


def _isbn(text: str, rng: Random) -> str:
    """The number of another book of the same language group."""
    match = _ISBN.search(text)
    if match is None:
        return _any_code(text, rng)
    old = _compact(match["code"])
    ean = len(old) == 13
    body = old[: 4 if ean else 1]
    body += "".join(rng.choice(_DIGITS) for _ in range(len(old) - 1 - len(body)))
    check = isbn.ean.calc_check_digit if ean else isbn._calc_isbn10_check_digit
    new = _spread(match["code"], body + check(body))
    return text[: match.start("code")] + new + text[match.end("code") :]


def _hexadecimal(text: str, rng: Random) -> str:
    """Other figures to the base 16; of a UUID version and variant stay."""
    kept = (14, 19) if _UUID.fullmatch(text) else ()
    figures = "0123456789ABCDEF" if text.upper() == text else "0123456789abcdef"
    return "".join(
        ch if i in kept or not ch.isalnum() else rng.choice(figures)
        for i, ch in enumerate(text)
    )


_MAKERS: dict[str, Callable[[str, Random], str]] = {
    "IP": new_ip, "MAC": _mac, "IBAN": _iban, "BIC": _bic, "CARD": _card, "VIN": _vin,
    "CRYPTO": _crypto, "PASSWORD": _password, "HEX": _hexadecimal, "ISBN": _isbn,
}  # fmt: skip
# What is shorter is no such code, whatever its subtype says.
_LEAST = {"IBAN": 8, "CARD": 8, "VIN": 11, "BIC": 8, "MAC": 12, "CRYPTO": 8, "IP": 3}


# Identifiers with check digits, by the modules of python-stdnum that accept them


# None of them has fewer figures; how many in place are chance, more are the original, or
# of all such.
_MIN_CHECKED, _CHANCE = 4, 3


@lru_cache(maxsize=4096)
def _checks_for(text: str, lang: str) -> list[str]:
    """Whose number it may be, those of the language's countries before others."""
    if sum(map(str.isdecimal, text)) < _MIN_CHECKED:
        return []
    size, checked = str(len(_compact(text))), _WORDS["checked"].items()
    fits = [n for n, sizes in checked if size in sizes.split() and is_valid(n, text)]
    homes = _WORDS["homes"].get(lang, "").split()
    at_home = [name for name in fits if name.partition(".")[0] in homes]
    # Their form tells these, though a figure may have been misread.
    forms = _WORDS["forms"].items()
    written = [n for n, form in forms if n[:2] in homes and re.fullmatch(form, text)]
    names = at_home or written or fits
    american = "us.ssn" in names and text.count("-") == 2
    return ["us.ssn"] if american else names


def _checked(case: _Code) -> Iterator[str]:
    """Identifiers that pass the checks that the original passes. The last two
    characters are searched, as check digits stand there."""
    text, rng = case.text, case.rng
    checks = _checks_for(text, case.draws.lang)
    # Nearly all numbers of nine figures may be American.
    if not checks or (checks[0] == "us.ssn" and case.lead[0]):
        return
    if checks[0] == "us.ssn":
        # Never issued: areas from 900 on.
        for _ in range(20):
            area, group = rng.randint(0, 99), rng.randint(1, 49)
            yield _spread(text, f"9{area:02d}{group:02d}{rng.randint(1, 9999):04d}")
        return
    old = _compact(text)
    first, last = (_DIGITS if ch.isdecimal() else _CAPITALS for ch in old[-2:].rjust(2))
    match = re.fullmatch(_WORDS["forms"].get(checks[0], "(?!)"), text)
    for attempt in range(60):
        start = case.led(like(old, rng, first=False))
        if match or attempt % 2:
            # Many begin with a date of birth, which random digits rarely are; others look
            # as if they did.
            dated = start, _with_date(old, start, case)
            start = _in_form(match, dated[attempt % 40 < 20], case)
        elif attempt >= 30 and old.isdecimal():
            start = _with_repeats(old, rng)
        most = len(old) if attempt >= 40 or case.lead[0] else _CHANCE
        options = [a + b for a in first for b in last if len(old) > 2]
        rng.shuffle(options)
        # Several kinds of identifiers may accept it: the first tries please all.
        asked = checks if attempt < 30 else checks[:1]
        for tail in options:
            new = _spread(text, start[:-2] + tail)
            kept = sum(map(eq, start[:-2] + tail, old))
            if kept <= most and new != text and all(is_valid(n, new) for n in asked):
                yield new
                break


def _with_repeats(old: str, rng: Random) -> str:
    """Other digits, as many of them alike, in another order: some identifiers ask how often
    a digit stands in them."""
    others = dict(zip(_DIGITS, rng.sample(_DIGITS, 10)))
    return "".join(rng.sample([others[digit] for digit in old], len(old)))


def _with_date(old: str, new: str, case: _Code) -> str:
    """A number with a possible date where the old one has one: what that became in the
    document, else nearly its year, another day."""
    rng, days = case.rng, [f"{day:02d}" for day in range(1, 29)]
    for offset in range(len(old) - 5):
        part = old[offset : offset + 6]
        if not part.isdecimal():
            continue
        a, b, c = (int(part[i : i + 2]) for i in (0, 2, 4))
        if not 1 <= b % 20 <= 12:
            continue
        day = rng.choice([day for day in days if day not in (part[:2], part[4:])])
        if part in case.draws.days:
            date = case.draws.days[part]
        elif 1 <= c <= 31:
            year = max(0, a + rng.choice((-3, -2, -1, 1, 2, 3))) % 100
            date = f"{year:02d}{b:02d}{day}"
        elif 1 <= a <= 31:
            date = f"{day}{b:02d}{max(1, c - 1):02d}"
        else:
            continue
        return new[:offset] + date + new[offset + 6 :]
    # One letter before figures tells the kind ("X1234567L").
    return old[:1] + new[1:] if old[:1].isalpha() and old[1:2].isdecimal() else new


def _in_form(match: re.Match[str] | None, new: str, case: _Code) -> str:
    """A number of which the parts are known: what tells kind or sex stays, what counts
    people up stays near, letters are those of new names."""
    letters = {old[0].upper(): n[0].upper() for old, n in case.draws.name_map.items()}
    for name, part in match.groupdict().items() if match else ():
        made, start = _compact(part), len(_compact(case.text.partition(part)[0]))
        if name == "near":
            near = round(int(made) * case.rng.uniform(0.94, 1.06))
            made = str(near).zfill(len(made))
        elif name == "names":
            rng = case.draws.random_for("code", made)
            first, _, *others = (letters.get(ch) or like(ch, rng) for ch in made)
            made = first + rng.choice("AEIOU") + "".join(others)
        elif name == "state":
            made = case.rng.choice(_WORDS["states"].split())
        new = new[:start] + made + new[start + len(made) :]
    return new


# The rules


@dataclass
class _Code:
    """One code to be replaced, and the addresses and numbers of its document."""

    mention: Mention
    handles: Handles
    numbers: Numbers
    drawn: Numbers = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.text, self.draws = self.mention.text, self.handles.draws

    @cached_property
    def key(self) -> str:
        return normalise(self.text)

    @cached_property
    def kind(self) -> str:
        russian = _RUSSIAN_PHONE.fullmatch(self.text)
        known = self.mention.subtype in KINDS
        if russian and not known and home_code(self.draws.lang) == "7":
            return "PHONE"
        return kind_of_code(self.mention)

    @cached_property
    def rng(self) -> Random:
        entity = _compact(self.text).lower() or self.key
        return self.draws.random_for("code", entity)

    def led(self, new: str) -> str:
        """A new code that begins with the figures of the new province, once or twice,
        where the old one begins with those of the old: "28 28 57891"."""
        lead, end = self.lead
        return lead + new[end:] if lead and len(new) == len(self.text) else new

    @cached_property
    def lead(self) -> tuple[str, int]:
        """What such a code begins with, and where that ends; "" for other codes."""
        for old, new in self.draws.figures.items():
            begins = re.match(rf"(?:\D{{0,3}}{old}){{1,2}}", self.text)
            if begins is not None and len(_compact(self.text)) >= _MIN_CHECKED:
                return begins.group().replace(old, new), begins.end()
        return "", 0

    def is_long_enough(self) -> bool:
        """Whether it may be of its kind by its length."""
        code = _compact(self.text)
        return code.isascii() and len(code) >= _LEAST.get(self.kind, 1)


def _again(make: Callable[[_Code], str]) -> Callable[[_Code], Iterator[str]]:
    return lambda case: (make(case) for _ in repeat(None))


def _phone(case: _Code) -> Iterator[str]:
    draws, known = case.draws, case.numbers
    home, area_for = home_code(draws.lang), area_in(draws)
    for numbers in (known, *repeat({}, 40)):
        if numbers or numbers is not known:
            yield new_phone(case.text, case.rng, home, area_for, numbers, case.drawn)
    # Where the figures of every range have been said, as those of the original were.
    for _ in range(20):
        yield new_phone(case.text, case.rng, home, area_for, {}, case.drawn, False)


def _any(case: _Code) -> Iterator[str]:
    """Any code; of an identity number three figures in place are chance."""
    free = not _is_checked(case) or case.lead[0]
    for _ in range(200):
        new = case.led(_any_code(case.text, case.rng, case.draws.lang))
        pairs = zip(new, case.text)
        if free or sum(a == b and a.isdecimal() for a, b in pairs) <= _CHANCE:
            yield new


def _numbered(case: _Code) -> Iterator[str]:
    """ "alexander.k@" and "aleksandr.k@" of one person: a figure tells them apart."""
    make = case.handles.email if case.kind == "EMAIL" else case.handles.handle
    local, at, host = make(case.text, case.rng).partition("@")
    return (f"{local}{i}{at}{host}" for i in range(1, 10))


def _case_number(case: _Code) -> str:
    """ "28045/02": another number of the same shape, the year near the shift."""
    rng = case.rng
    step = round(case.draws.day_shift / 365.2425) or rng.choice((-1, 1))

    def replace(match: re.Match[str]) -> str:
        if match["other"]:
            return like(match["other"], rng)
        old, year = f"{match['first'] or ''}{match['number']}", match["year"]
        number = in_order(like(old, rng), old)
        new = int(year) + step
        if len(year) == 2:
            new %= 100
            if (int(year) > 30) != (new > 30) and abs(step) > 40:
                new = int(year)
        return f"{number}{match['slash']}{new:0{len(year)}d}"

    return _CASES.sub(replace, case.text)


def _is_mail(case: _Code) -> bool:
    return case.kind == "EMAIL" and "@" in case.text


def _is_handle(case: _Code) -> bool:
    """Whether a code is a user name, as one of small letters alone may be."""
    word = case.text.isalpha() and case.text.islower() and len(case.text) > 4
    return case.kind == "USERNAME" or (not case.kind and word and not _is_number(case))


def _is_number(case: _Code) -> bool:
    return number_words(case.draws.lang).read(case.text) is not None


def _is_checked(case: _Code) -> bool:
    checked = case.kind in ("NATIONAL_ID", "TAX_ID", "HEALTH_ID")
    return checked and len(case.text) < 40


_RULES: tuple[Rule[_Code], ...] = (
    Rule("identifiers with check digits", _checked, _is_checked, 60),
    Rule(
        "mail addresses", _again(lambda c: c.handles.email(c.text, c.rng)), _is_mail, 40
    ),
    Rule(
        "sites",
        _again(lambda c: c.handles.url(c.text, c.rng) or _any_code(c.text, c.rng)),
        lambda c: c.kind in ("URL", "DOMAIN") and " " not in c.text,
        40,
    ),
    Rule(
        "a part of a mail address",
        _again(
            lambda c: c.handles.url(c.text, c.rng) or c.handles.local(c.text, c.rng)
        ),
        lambda c: (
            c.kind == "EMAIL" and c.text.isascii() and not re.search("[ @]", c.text)
        ),
        40,
    ),
    Rule(
        "user names", _again(lambda c: c.handles.handle(c.text, c.rng)), _is_handle, 40
    ),
    Rule("with a figure more", _numbered, lambda c: _is_mail(c) or _is_handle(c)),
    Rule("telephones", _phone, lambda c: c.kind == "PHONE" and c.is_long_enough(), 61),
    Rule(
        "numbers of cases with a year",
        _again(_case_number),
        lambda c: c.kind in ("CASE_NUMBER", "") and bool(_CASE.search(c.text)),
        40,
    ),
    Rule("told in words", _in_words, lambda c: " " in c.text or _is_number(c), 20),
    Rule(
        "kinds with a form of their own",
        _again(lambda c: _MAKERS[c.kind](c.text, c.rng)),
        lambda c: c.kind in _MAKERS and c.is_long_enough(),
        40,
    ),
    Rule("any code", _any, tries=90),
    # Short codes run out: they grow by a digit.
    Rule(
        "a longer code",
        lambda c: (_any_code(c.text + "0" * (1 + i // 20), c.rng) for i in range(80)),
        lambda c: any(map(str.isalnum, c.text)),
        80,
    ),
)


def replace_codes(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New codes for a document; persons and dates must have been replaced before."""
    handles, numbers = Handles(draws), Numbers()
    new: dict[str, str] = {}
    shared: dict[int, tuple[str, str]] = {}
    # Sites, which may name users, after them.
    for mention in sorted(mentions, key=lambda m: m.subtype in ("URL", "DOMAIN")):
        if mention.text in new:
            continue
        compact = _compact(mention.text).lower()
        old, again = shared.get(mention.entity_id, ("", ""))
        if old and old == compact:
            if mention.text.islower() or mention.text.isupper():
                again = match_case(again, mention.text)
            # The same code with other separators.
            text = _spread(mention.text, again)
            if not draws.forbidden(text) and normalise(text) != normalise(mention.text):
                new[mention.text] = text
                continue
        new[mention.text] = _replace(_Code(mention, handles, numbers))
        again = _compact(new[mention.text])
        if len(again) == len(compact):
            shared[mention.entity_id] = compact, again
    return [new[m.text] for m in mentions]


def _replace(case: _Code) -> str:
    mention = case.mention
    found = apply(_RULES, case, case.draws, case.key, mention.before)
    if found is None:
        return case.draws.invent("code", case.key, mention.before, mention.text)
    for national, by_code in case.drawn.items():
        case.numbers.setdefault(national, {}).update(by_code)
    return found
