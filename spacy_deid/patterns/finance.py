"""Bank accounts, payment cards and crypto addresses, checked by their digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..registries import registry
from .base import (
    Hit,
    PatternRecognizer,
    Recognizer,
    before,
    drop_covered,
    has_digits,
    hit,
)

_IBAN = re.compile(
    r"[A-Z](?<![\w][A-Z])[A-Z][0-9]{2}(?:(?:[ -]| ?\n ?)?[A-Z0-9]){11,30}"
    r"|[a-z](?<![\w][a-z])[a-z][0-9]{2}(?:(?:[ -]| ?\n ?)?[a-z0-9]{4}){2,7}"
    r"(?:(?:[ -]| ?\n ?)?[a-z0-9]{1,4})?(?!\w)"
)
_IBAN_LENGTHS = {
    length: codes.split()
    for length, codes in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL SD FK",
        19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG DZ",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
}
_LENGTH = {code: length for length, codes in _IBAN_LENGTHS.items() for code in codes}
_BIC = re.compile(r"[A-Z](?<!\w.)[A-Z]{5}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?!\w)")
_CARD = re.compile(
    r"[0-9](?<![\w][0-9])(?<![0-9][.,:/+-][0-9])(?:[ -]?[0-9]){11,18}(?!\w|[.-][0-9])"
)
# Groups of four broken once over the end of a line.
_CARD_BROKEN = re.compile(
    r"[0-9](?<![\w.,:/+-][0-9])[0-9]{3}(?:[ -]?[0-9]{4}){0,2} ?\n ?[0-9]{4}"
    r"(?:[ -]?[0-9]{4}){0,2}(?!\w|[.-][0-9])"
)
_CARD_PREFIX = re.compile(r"4|5[0-8]|2[2-7]|3[04-9]|6|1800|2131|06|9792|8[16]|220")
_CARD_CONTEXT = re.compile(
    r"card|credit|debit|visa|master|amex|american express|maestro|diners|jcb|discover"
    r"|karte|carte|tarjeta|\bcc\b|\bpan\b|payment|paid|charge"
)
_IBAN_CONTEXT = re.compile(r"iban|account|konto|compte|cuenta|conto|bank")
_BIC_CONTEXT = re.compile(r"\b(?:bic|swift|bank|iban)\b|swift|bic/")

_BTC = re.compile(
    r"[13](?<![\w][13])[1-9A-HJ-NP-Za-km-z]{25,34}(?!\w)|b(?<!\wb)c1[02-9ac-hj-np-z]{11,71}(?!\w)"
    r"|B(?<!\wB)C1[02-9AC-HJ-NP-Z]{11,71}(?!\w)"
)
_ETH = re.compile(r"0(?<![\w]0)x[0-9a-fA-F]{40}(?!\w)")
_OTHER_CRYPTO = re.compile(
    r"[LMDTrXAt48](?<![\w][LMDTrXAt48])(?=[1-9A-HJ-NP-Za-km-z]{0,30}[0-9])"
    r"[1-9A-HJ-NP-Za-km-z]{25,94}(?!\w)"
)
_CRYPTO_CONTEXT = re.compile(
    r"litecoin|ltc|doge|tron|trx|xrp|ripple|dash|cardano|zcash|monero|xmr|wallet|crypto"
    r"|coin|usdt|blockchain"
)
_SORT_CODE = re.compile(
    r"[0-9](?<![\w.,/-][0-9])[0-9]-[0-9]{2}-[0-9]{2}(?![\w/]|[.,-][0-9])|[0-9](?<![\w.,/-][0-9])[0-9]{5}(?!\w|[.,/-][0-9])"
)
_SORT_CONTEXT = re.compile(r"\bsort[\s-]?code:?(?:\sis|\sno\.?)?\s?\Z")
_ROUTING = re.compile(r"[0-9](?<![\w.,/-][0-9])[0-9]{7,16}(?!\w|[.,/-][0-9])")
_ROUTING_CONTEXT = re.compile(
    r"\b(?:routing|aba|rtn|account|acct|a/c|acc|konto(?:nummer|nr\.?)?|cuenta|compte|conto|kto\.?)"
    r"(?:\s(?:no\.?|nr\.?|number|num\.?))?(?:\sis|\swith|\sof)?\s?[:#]?\s?\(?\Z"
)


def _ibans(text: str) -> Iterator[Hit]:
    from stdnum import iban

    position = 0
    while m := _IBAN.search(text, position):
        # What follows a number may be the next one.
        position = m.start() + 4
        raw = m[0]
        length = _LENGTH.get(raw[:2].upper())
        if length is None:
            continue
        size, count = 0, 0
        while size < len(raw) and count < length:
            count += raw[size].isalnum()
            size += 1
        if count != length or text[m.start() + size : m.start() + size + 1].isalnum():
            continue
        end = m.start() + size
        # One may be broken over the end of a line, but not over several.
        breaks = raw.count("\n", 0, size)
        if breaks > 1:
            continue
        if iban.is_valid(raw[:size].replace("\n", " "), check_country=False):
            yield hit(m.start(), end, "CODE", "IBAN", 0.99)
            position = end
        elif not breaks and _IBAN_CONTEXT.search(before(text, m.start())):
            yield hit(m.start(), end, "CODE", "IBAN", 0.7)


def _bics(text: str) -> Iterator[Hit]:
    from stdnum import bic

    for m in _BIC.finditer(text):
        if (
            (m.end() - m.start()) in (8, 11)
            and _BIC_CONTEXT.search(before(text, m.start(), 30))
            and bic.is_valid(m[0])
            and m[0][4:6] in _COUNTRIES
        ):
            yield hit(m.start(), m.end(), "CODE", "BIC", 0.85)


_COUNTRIES = set(
    """AD AE AF AG AI AL AM AO AR AS AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS
BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES
ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU
ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR
LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG
NI NL NO NP NR NZ OM PA PE PF PG PH PK PL PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE
SG SI SK SL SM SN SO SR SS ST SV SY SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US
UY UZ VA VC VE VG VI VN VU WS XK YE ZA ZM ZW""".split()
)


def _cards(text: str) -> Iterator[Hit]:
    from stdnum import luhn

    seen: dict[str, bool] = {}
    for m in _CARD.finditer(text):
        digits = m[0].replace(" ", "").replace("-", "")
        for size in (len(digits), 16, 15, 14, 13):
            # A run may hold a card and what follows it: try the usual lengths.
            if size > len(digits) or size < 12:
                continue
            end = _advance(m[0], size)
            if end < len(m[0]) and m[0][end] not in " -":
                continue
            number = digits[:size]
            valid = seen.get(number)
            if valid is None:
                valid = seen[number] = len(set(number)) > 1 and luhn.is_valid(number)
            left = before(text, m.start(), 60)
            named = _CARD_CONTEXT.search(left)
            if valid and _CARD_PREFIX.match(number) and (size >= 13 or named):
                yield hit(m.start(), m.start() + end, "CODE", "CARD", 0.95)
                break
            if (
                named
                and size in (14, 15, 16)
                and _CARD_PREFIX.match(number)
                and "card" in left
            ):
                yield hit(m.start(), m.start() + end, "CODE", "CARD", 0.6)
                break

    for m in _CARD_BROKEN.finditer(text):
        number = "".join(ch for ch in m[0] if ch.isdecimal())
        if (
            len(number) == 16
            and _CARD_CONTEXT.search(before(text, m.start(), 60))
            and len(set(number)) > 1
            and luhn.is_valid(number)
        ):
            yield hit(m.start(), m.end(), "CODE", "CARD", 0.95)


def _advance(raw: str, digits: int) -> int:
    """Length of the prefix of `raw` that holds that many digits."""
    count = 0
    for i, char in enumerate(raw):
        count += char.isdigit()
        if count == digits:
            return i + 1
    return len(raw)


def _crypto(text: str) -> Iterator[Hit]:
    from stdnum import bitcoin

    for m in _BTC.finditer(text):
        if bitcoin.is_valid(m[0]) or bitcoin.is_valid(m[0].lower()):
            yield hit(m.start(), m.end(), "CODE", "CRYPTO", 0.99)
        elif (
            _CRYPTO_CONTEXT.search(before(text, m.start(), 50))
            or m[0][:3].lower() == "bc1"
        ):
            yield hit(m.start(), m.end(), "CODE", "CRYPTO", 0.7)
    for m in _ETH.finditer(text):
        yield hit(m.start(), m.end(), "CODE", "CRYPTO", 0.95)
    for m in _OTHER_CRYPTO.finditer(text):
        size = m.end() - m.start()
        if size in (26, 27, 33, 34, 35, 95) and _CRYPTO_CONTEXT.search(
            before(text, m.start(), 50)
        ):
            yield hit(m.start(), m.end(), "CODE", "CRYPTO", 0.8)


def _accounts(text: str) -> Iterator[Hit]:
    for pattern, context in ((_SORT_CODE, _SORT_CONTEXT), (_ROUTING, _ROUTING_CONTEXT)):
        for m in pattern.finditer(text):
            if context.search(before(text, m.start(), 30)):
                yield hit(m.start(), m.end(), "CODE", "ACCOUNT", 0.85)


_FINDERS: dict[str, Callable[[str], Iterator[Hit]]] = {
    "iban": _ibans,
    "bic": _bics,
    "card": _cards,
    "crypto": _crypto,
    "account": _accounts,
}


@registry.deid_patterns("spacy_deid.finance_patterns.v1")
def make_finance_patterns(kinds: list[str] | None = None) -> Recognizer:
    """IBAN, BIC, payment cards, crypto addresses and bank account numbers.

    kinds (list[str]): Any of iban, bic, card, crypto, account; all by default.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a kind is unknown.
    """
    kinds = list(_FINDERS) if kinds is None else kinds
    unknown = set(kinds) - set(_FINDERS)
    if unknown:
        raise ValueError(f"unknown kinds of financial identifiers: {sorted(unknown)}")
    finders = [_FINDERS[kind] for kind in kinds]
    # All others have digits.
    plain = [_bics] if "bic" in kinds else []

    def find(text: str) -> list[Hit]:
        if not has_digits(text):
            return drop_covered([h for finder in plain for h in finder(text)])
        return drop_covered([h for finder in finders for h in finder(text)])

    return PatternRecognizer(find)
