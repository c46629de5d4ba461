"""Linking codes: one number, address or web site written in several ways."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from spacy.tokens import Doc

from ..text.names import fold
from .forms import Form, P, Pairs

_MOST_WAYS = 32


def link_codes(doc: Doc, forms: list[Form]) -> Pairs:
    """Link codes of the same characters, grouped alike or one finer than the other."""
    # Characters -> where they are grouped -> form.
    blocks: dict[str, dict[frozenset[int], str]] = {}
    phones: list[tuple[str, bool, str]] = []
    first: dict[str, str] = {}
    for form in forms:
        text = fold(form.text).strip(" .,;:()[]<>\"'")
        if address := _address(text, form):
            yield first.setdefault(address, form.key), form.key
            continue
        if not text.isascii():
            text = "".join(str(unicodedata.decimal(ch, ch)) for ch in text)
        lead = P.code_lead.match(text)
        if lead and any(map(str.isdigit, text[lead.end() :])):
            text = text[lead.end() :]
        groups = P.groups.findall(text)
        if not groups:
            continue
        if _is_phone(text, groups, form.candidate.id):
            phones.append((*_national(text), form.key))
        cuts = frozenset(accumulate(map(len, groups[:-1])))
        block = blocks.setdefault("".join(groups), {})
        yield block.setdefault(cuts, form.key), form.key
    for block in blocks.values():
        yield from _nested(block)
    yield from _same_phones(phones)


def _address(text: str, form: Form) -> str:
    """What makes an e-mail or web address one, "" for other codes."""
    if "@" in text:
        return text.removeprefix("mailto:")
    if P.url.match(text) or form.candidate.id in ("URL", "DOMAIN"):
        return re.sub(r"^(?:\w+://)?(?:www\.)?", "", text).rstrip("/")
    return ""


def _nested(block: dict[frozenset[int], str]) -> Pairs:
    """Link the ways to group the same characters where one only cuts finer: "2804502"
    and "28045/02", but not "12/345" and "123/45"."""
    ways = sorted(block, key=lambda cuts: (len(cuts), sorted(cuts)))[:_MOST_WAYS]
    for i, finer in enumerate(ways):
        coarser = [cuts for cuts in ways[:i] if cuts < finer]
        # The finest of the coarser ones, if the others agree with it.
        if coarser and all(a <= b or b <= a for a in coarser for b in coarser):
            yield block[coarser[-1]], block[finer]


def _is_phone(text: str, groups: Sequence[str], subtype: str) -> bool:
    if subtype or not P.phone.fullmatch(text):
        return subtype == "PHONE"
    digits = sum(map(len, groups))
    return 7 <= digits <= 15 and (text.startswith(("+", "0", "(")) or len(groups) > 2)


def _national(text: str) -> tuple[str, bool]:
    """Digits without prefix for abroad or trunk, and whether the country is told."""
    text = P.extension.sub("", text) if "x" in text else text
    text = text.replace("(0)", "")
    digits = "".join(filter(str.isdigit, text))
    if text.lstrip("( ").startswith("+"):
        return digits, True
    if digits.startswith("00"):
        return digits[2:], True
    return digits.lstrip("0"), False


def _same_phones(phones: list[tuple[str, bool, str]]) -> Pairs:
    """Link a number with its country and the same without, if only one fits."""
    first: dict[tuple[str, bool], str] = {}
    abroad: dict[str, set[str]] = {}
    for digits, international, key in phones:
        if len(digits) < 6:
            continue
        yield first.setdefault((digits, international), key), key
        for cut in (1, 2, 3) if international else ():
            if len(digits) - cut >= 6:
                abroad.setdefault(digits[cut:].lstrip("0"), set()).add(digits)
    for (digits, international), key in first.items():
        meant = () if international else tuple(abroad.get(digits, ()))
        if len(meant) == 1:
            yield first[meant[0], True], key
