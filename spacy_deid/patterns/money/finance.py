"""Bank accounts, payment cards and crypto addresses, checked by their digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import phonenumbers
from stdnum import luhn, numdb
from stdnum.iso7064 import mod_97_10

from ...data import table
from ...registries import registry
from ..base import (
    Finder,
    Hit,
    PatternRecognizer,
    Recognizer,
    Text,
    compiled,
    drop_covered,
    in_order,
    occurrences,
)
from ..ids import labelled
from ..ids.labelled import Name, Names, shown, without_overlaps
from ..ids.labelled import P as CODES
from ..tables import kinds, names_of, word_set, words
from .crypto import Address, P, identify

COUNTRIES = phonenumbers.SUPPORTED_REGIONS


@cache
def _lengths() -> dict[str, int]:
    """The length of an IBAN of each country."""
    known = {row["country"]: int(row["length"]) for row in table("patterns/ibans")}
    registry = numdb.get("iban")
    for country in COUNTRIES:
        for _, facts in registry.info(country):
            if "bban" in facts:
                sizes = re.findall("([0-9]+)!", facts["bban"])
                known[country] = 4 + sum(map(int, sizes))
    return known


# The shortest and longest addresses; each covers a whole block of the text.
_SHORTEST, _LONGEST, _BLOCK = 26, 111, 13


def _near(names: Names, text: str, start: int, end: int) -> str:
    """The closest name of a list around a value, or ""."""
    if not isinstance(text, Text) or not names.any_near(text, start):
        return ""
    return next(names.near(text, start, end), "")


@cache
def _iban_rest(length: int) -> Callable[..., re.Match[str] | None]:
    """Regex of what follows the country of an IBAN of some length, 0 for any."""
    form = rf"(?:{P.iban_sep}[A-Za-z0-9]){{{length - 2}}}"
    if not length:
        form = r"[0-9]{2}(?:[ -]?[0-9A-Z]{4}){2,7}(?:[ -]?[0-9A-Z]{1,3})?"
    return re.compile(rf"{form}(?![A-Za-z0-9])").match


def _ibans(text: str) -> Iterator[Hit]:
    """Account numbers with a country, with or without right check digits, and what is
    said to be one but has another length or is masked."""
    found = in_order(h for start in _iban_starts(text) if (h := _iban(text, start)))
    yield from found
    yield from without_overlaps(_odd_ibans(text), drop_covered(found))


def _iban_starts(text: str) -> Iterator[int]:
    """Where two letters of a country stand before two digits."""
    for m in P.iban_start.finditer(text):
        start = m.start() - (2 if text[m.start() - 1].isalpha() else 3)
        left = text[max(0, start - 4) : start].lower()
        apart = not left[-1:].isalnum() or left == "iban"
        if apart and text[start : start + 2].upper() in COUNTRIES:
            yield start


def _iban(text: str, start: int) -> Hit | None:
    """What begins at an offset with the code of a country."""
    country = text[start : start + 2].upper()
    length = _lengths().get(country, 0)
    m = _iban_rest(length)(text, start + 2)
    # One may be broken over the end of a line, but not over several.
    if m is None or m[0].count("\n") > 1:
        return None
    end = m.end()
    raw = text[start:end]
    number = re.sub(r"[\s.-]", "", raw).upper()
    digits = sum(map(str.isdigit, number))
    # Digits must dominate: words have sums too.
    if digits > 7 and mod_97_10.is_valid(number[4:] + number[:4]):
        reason = f"valid check digits (IBAN of {country})"
        return P.hit(start, end, "IBAN", 0.99, reason)
    glued = text[max(0, start - 4) : start].lower() == "iban"
    near = "iban" if glued else _near(_names("IBAN"), text, start, end)
    formed = raw.isupper() and digits > 11 and P.grouped.fullmatch(raw)
    if "\n" in raw or not length or not (near or formed):
        return None
    why = f"near '{shown(near)}'" if near else "no name nearby"
    reason = f"form of an IBAN of {country} whose check digits are wrong; {why}"
    return P.hit(start, end, "IBAN", 0.75 if near else 0.6, reason)


def _odd_ibans(text: str) -> Iterator[Hit]:
    """What is said to be an IBAN but has another length, or is masked."""
    for name in _names("IBAN.only").next_to(text):
        m = P.odd_iban.match(text, name.value)
        if not m or sum(c.isdigit() or c in "*X" for c in m[0]) < 8:
            continue
        if m[0][:2].upper() in COUNTRIES:
            reason = f"form of an IBAN with a length of no country; after '{shown(name.term)}'"
            yield P.found(m, "IBAN", 0.65, reason)


def _bics(text: str) -> Iterator[Hit]:
    strong, near = _names("BIC"), _names("BIC.near")
    taken = set()
    for name in strong.next_to(text):
        m = P.bic_any.match(text, name.value)
        if m and m[0][4:6].upper() in COUNTRIES and (m[0].isupper() or ":" in name.gap):
            taken.add(m.start())
            reason = f"form of a bank identifier; after '{shown(name.term)}'"
            yield P.found(m, "BIC", 0.95, reason)
    for m in P.bic.finditer(text):
        value = m[0]
        formed = len(value) in (8, 11) and value[4:6] in COUNTRIES
        if not formed or m.start() in taken:
            continue
        score, why = _bic(text, m, strong, near)
        if score:
            reason = f"form of a bank identifier ({value[4:6]}); {why}"
            yield P.found(m, "BIC", score, reason)


def _bic(text: str, m: re.Match[str], strong: Names, near: Names) -> tuple[float, str]:
    """How sure a bank identifier is that stands next to no name, and why."""
    value = m[0]
    if name := _near(strong, text, *m.span()):
        return 0.9, f"near '{shown(name)}'"
    known = value[:4] in word_set("bic.banks")
    digits, hard = any(map(str.isdigit, value)), bool(P.consonants.search(value))
    odd = digits or hard or value.endswith("XXX")
    if (known or odd) and (name := _near(near, text, *m.span())):
        return 0.8, f"near '{shown(name)}'"
    around = text[max(0, m.start() - 50) : m.end() + 50]
    apart = known or odd or _stands_out(text, m)
    if apart and any(_iban(around, start) for start in _iban_starts(around)):
        return 0.8, "near an IBAN"
    if known and _stands_out(text, m):
        return 0.75, "of a bank that is known"
    if digits and hard and _stands_out(text, m):
        return 0.55, "not a word"
    return 0.0, ""


def _stands_out(text: str, m: re.Match[str]) -> bool:
    """Whether the words around are not in capitals too."""
    around = text[max(0, m.start() - 40) : m.start()] + text[m.end() : m.end() + 40]
    return around.upper() != around


def _scheme(number: str, named: bool) -> str:
    """The payment scheme of a number, or ""."""
    for row in table("patterns/cards"):
        told = named or row["named"] != "yes"
        sized = told and str(len(number)) in row["lengths"].split()
        if sized and compiled(row["prefix"]).match(number):
            return row["scheme"]
    return ""


def _cards(text: Text) -> Iterator[Hit]:
    if text.digits < 4:
        return
    names = _names("CARD")
    direct = {name.value: name for name in names.next_to(text)}
    starts = [m.start() for m in P.twelve.finditer(text)]
    if direct:
        starts = sorted({*starts, *direct})
    last = 0
    for start in starts:
        if start < last:
            continue
        name = direct.get(start)
        found = None
        if not name or P.long.match(text, start):
            found = _card(text, start, name, names)
        elif CODES.last_four.search(name.gap) and (m := CODES.four.match(text, start)):
            reason = f"last four digits; after '{shown(name.term)}'"
            found = P.hit(start, m.end(), "CARD", 0.8, reason)
        if found:
            yield found
            last = found.end


def _card(text: str, start: int, name: Name | None, names: Names) -> Hit | None:
    """A card number that begins at an offset."""
    if (m := P.card.match(text, start)) is None or m[0].count("\n") > 1:
        return None
    left = text[max(0, start - 24) : start].lower()
    if P.inside.search(left) and not name:
        return None
    term = name.term if name else _near(names, text, start, m.end())
    where = f"{'after' if name else 'near'} '{shown(term)}'" if term else ""
    other = bool(P.not_cards.search(left)) and not name
    # One line before two: the next may begin with another number.
    for end in sorted(_ends(text, m), key=lambda end: "\n" in text[start:end]):
        number = re.sub(r"[^0-9]", "", text[start:end])
        scheme = _scheme(number, bool(term))
        if not scheme or not luhn.is_valid(number) or len(set(number)) < 2:
            continue
        score = 0.99 if term else 0.95
        if len(number) not in (15, 16) and not term:
            # Three blocks with dots may be the address of a device.
            score = 0.6 if len(number) == 12 and "." in m[0] else 0.75
        if other and not term:
            if len(number) not in (15, 16) or number[:2] == "35":
                continue
            score = 0.7
        reason = f"valid check digit and prefix of a card ({scheme}); {where or 'no name nearby'}"
        return P.hit(start, end, "CARD", score, reason)
    if not term or other:
        return None
    return _doubtful_card(text, start, m, name, term, where)


def _doubtful_card(
    text: str, start: int, m: re.Match[str], name: Name | None, term: str, where: str
) -> Hit | None:
    """A number next to a word for cards whose check digit or prefix is wrong."""
    raw = m[0]
    number = re.sub(r"[^0-9]", "", raw)
    if not P.card_end.match(text, m.end()) or len(set(number)) < 2:
        return None
    scheme = _scheme(number, True)
    if scheme and (name or " " in raw or "-" in raw or len(number) in (15, 16)):
        reason = f"length and prefix of a card ({scheme}) whose check digit is wrong; {where}"
        return P.hit(start, m.end(), "CARD", 0.7 if name else 0.6, reason)
    parts = ("card", "kart", "cart", "tarj", "pan", "cc", "кар")
    if name and any(part in term for part in parts):
        return P.hit(start, m.end(), "CARD", 0.6, f"as many digits as a card; {where}")
    return None


def _ends(text: str, m: re.Match[str]) -> Iterator[int]:
    """Where a card may end, the longest first: what follows may be a number of its own."""
    end = m.end()
    while end > m.start():
        if P.card_end.match(text, end):
            yield end
        # Without the last block.
        while end > m.start() and text[end - 1].isdigit():
            end -= 1
        while end > m.start() and not text[end - 1].isdigit():
            end -= 1
        if sum(map(str.isdigit, text[m.start() : end])) < 12:
            return


def _masked(text: str) -> Iterator[Hit]:
    """Cards and accounts of which only some digits are shown."""
    cards, accounts = _names("CARD"), _names("IBAN")
    for m in P.masked.finditer(text):
        start, end = m.span()
        if left := P.shown.search(text[max(0, start - 9) : start]):
            start -= len(left[0])
        elif text[start - 1 : start].isalnum() or len(P.mask.findall(m[0])) < 4:
            continue
        raw = text[start:end]
        hidden = len(P.mask.findall(raw))
        card = _near(cards, text, start, end)
        account = "" if card else _near(accounts, text, start, end)
        long = hidden >= 6 and hidden + sum(map(str.isdigit, raw)) in range(12, 20)
        near = card or account
        if not (near or long) or (raw[0] == "#" and not near):
            continue
        why = f"near '{shown(near)}'" if near else "of the length of a card"
        subtype = "ACCOUNT" if account else "CARD"
        yield P.hit(start, end, subtype, 0.85, f"masked number; {why}")


def _crypto(text: str) -> Iterator[Hit]:
    names = _names("CRYPTO")
    for start in occurrences(text, "bitcoincash:"):
        if m := P.cash.match(text, start):
            yield P.found(m, "CRYPTO", 0.95, "form of a Bitcoin Cash address")
    seen: dict[str, Address | None] = {}
    for start, end in _tokens(text):
        if text.startswith("addr_test", start - 5):
            start -= 5
        value = text[start:end]
        if value not in seen:
            seen[value] = identify(value)
        if (address := seen[value]) is not None:
            yield from _address(text, start, end, address, names)


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    """Long runs of letters and digits, found by looking at every so many characters."""
    end = 0
    for i in range(0, len(text) - _BLOCK + 1, _BLOCK):
        if i < end or not text[i : i + _BLOCK].isalnum():
            continue
        start = i
        while start > end and text[start - 1].isalnum():
            start -= 1
        m = P.token.match(text, start)
        end = m.end() if m else i + _BLOCK
        if _SHORTEST <= end - start <= _LONGEST:
            yield start, end


def _address(
    text: str, start: int, end: int, address: Address, names: Names
) -> Iterator[Hit]:
    currency, valid = address
    what = f"address of {currency}" if currency != "unknown" else "crypto address"
    near = _near(names, text, start, end)
    where = f"near '{shown(near)}'" if near else "no name nearby"
    if valid:
        yield P.hit(start, end, "CRYPTO", 0.99, f"valid checksum ({what}); {where}")
    elif valid is None:
        strong = currency != "Solana" or near
        reason = f"form of an {what}, which has no checksum; {where}"
        yield P.hit(start, end, "CRYPTO", 0.95 if strong else 0.6, reason)
    elif near or currency != "unknown":
        reason = f"form of an {what} whose checksum is wrong; {where}"
        yield P.hit(start, end, "CRYPTO", 0.7, reason)


# What a value after the names of a list begins with.
_VALUES = {
    "IBAN": CODES.value,
    "IBAN.only": r"(?=[A-Za-z]{2}[0-9X*])",
    "CARD": r"(?=[0-9]{4})",
    "BIC": r"(?=[A-Za-z]{6}[A-Za-z0-9]{2})",
    "BIC.near": CODES.value,
    "CRYPTO": CODES.value,
}


@cache
def _names(kind: str) -> Names:
    return Names(words(f"names.{kind}"), _VALUES[kind])


@cache
def _account_finder() -> labelled.Finder:
    return labelled.Finder(kinds("account"), names_of("account"))


_FINDERS: dict[str, Finder] = {
    "iban": _ibans,
    "bic": _bics,
    "card": _cards,
    "crypto": _crypto,
    "account": lambda text: _account_finder()(text) if text.digits > 3 else (),
}


@registry.deid_patterns("spacy_deid.finance_patterns.v1")
def make_finance_patterns(kinds: Sequence[str] | None = None) -> Recognizer:
    """IBAN, BIC, payment cards, crypto addresses and bank account numbers.

    kinds (Sequence[str]): Any of iban, bic, card, crypto, account; all by default.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a kind is unknown.
    """
    kinds = list(_FINDERS) if kinds is None else list(kinds)
    if unknown := set(kinds) - set(_FINDERS):
        raise ValueError(f"unknown kinds of financial identifiers: {sorted(unknown)}")
    finders = [_FINDERS[kind] for kind in kinds]
    # Made before any text is scanned for its key words.
    for kind in _VALUES:
        _names(kind)
    _account_finder()
    if "card" in kinds or "account" in kinds:
        finders.append(_masked)
    return PatternRecognizer(*finders)
