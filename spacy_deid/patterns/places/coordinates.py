"""Geographic coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ...text.words import before
from ..base import (
    Anchored,
    Anchors,
    Hit,
    PatternRecognizer,
    Recognizer,
    count_digits,
    drop_covered,
    has_digits,
    hit,
)

_DEGREES = r"[0-9]{1,3}(?:\.[0-9]{1,10})?"
_MINUTES = (
    r"(?:[0-9]{1,2}(?:\.[0-9]{1,8})?\s?(?:'|min\b|m\b)\s?"
    r"(?:[0-9]{1,2}(?:\.[0-9]{1,6})?\s?(?:\"|''|sec\b|s\b)?\s?)?)?"
)
_DECIMAL = re.compile(
    r"[0-9+-](?<![\w.,][0-9+-])(?<![0-9]-[0-9])(?:[0-9]{0,3})\.[0-9]{3,15}\s?[°º]?\s?[NSns]?(?:\s?[,;]\s?| / | )"
    r"[+-]?[0-9]{1,3}\.[0-9]{3,15}(?:\s?[°º]?\s?[EWewOo](?!\w))?(?![0-9]|\.[0-9])"
)
_SEXAGESIMAL = re.compile(
    rf"[0-9](?<![\w.][0-9])[0-9]{{0,2}}(?:\.[0-9]{{1,10}})?\s?[°º]\s?{_MINUTES}[NSns](?!\w)"
    rf"(?:[,;/\s]{{0,3}}{_DEGREES}\s?[°º]\s?{_MINUTES}[EWOewo](?!\w))?"
)
# "N 51° 30.5', W 0° 7.6'", "40.7128 N, 74.0060 W".
_LETTER_FIRST = re.compile(
    rf"[NS](?<!\w.)\s?{_DEGREES}\s?[°º]?\s?{_MINUTES}[,;/\s]{{0,3}}[EWO]\s?{_DEGREES}(?:\s?[°º]\s?{_MINUTES}|(?![\w.]))"
)
_LETTER_LAST = re.compile(
    r"[0-9](?<![\w.,][0-9])[0-9]{0,2}\.[0-9]{2,10}\s?[NS](?!\w)[,;/\s]{0,3}[0-9]{1,3}\.[0-9]{2,10}\s?[EWO](?!\w)"
)
_NAMED = Anchored(
    r"(?<!\w)(?i:lat(?:itude)?|lon(?:g(?:itude)?)?|lng)\"?(?:\s?[:=]\s?\"?|\s(?:is|of)\s|\s)"
    r"(?P<v>[+-]?[0-9]{1,3}\.[0-9]{2,15}(?:\s?°)?(?:\s?[NSEW](?!\w))?)(?![0-9]|\.[0-9])",
    "lat latitude lon long longitude lng",
)
_WKT = Anchored(
    r"(?i:point)\s?Z?\s?\(\s?(?P<v>[+-]?[0-9]{1,3}\.[0-9]{1,15}\s[+-]?[0-9]{1,3}\.[0-9]{1,15})(?:\s[0-9.]{1,12})?\s?\)",
    "point",
)
_GEO_URI = Anchored(
    r"(?i:geo):(?P<v>[+-]?[0-9]{1,3}\.[0-9]{2,12},[+-]?[0-9]{1,3}\.[0-9]{2,12})", "geo"
)
# Universal Transverse Mercator: zone, easting, northing.
_UTM = re.compile(
    r"[0-9](?<![\w.,][0-9])[0-9]?\s?[C-HJ-NP-X]\s(?:E\s?)?[0-9]{6}(?:\.[0-9]{1,3})?(?:\s?m?E)?[,\s]{1,2}(?:N\s?)?[0-9]{7}(?:\.[0-9]{1,3})?(?:\s?m?N)?(?!\w)"
)
# Military grid: zone, square, digits in two halves.
_MGRS = re.compile(
    r"[0-9](?<![\w.,-][0-9])[0-9]?[C-HJ-NP-X]\s?[A-HJ-NP-Z][A-HJ-NP-V]\s?(?P<e>[0-9]{2,5})\s?(?P<n>[0-9]{2,5})(?![\w-])"
)
_PLUS_CODE = re.compile(
    r"[23456789CFGHJMPQRVWX]{4,8}(?<!\w.{4})(?<!\w.{5})(?<!\w.{6})(?<!\w.{8})\+[23456789CFGHJMPQRVWX]{2,3}(?!\w)"
)
_PLUS_START = re.compile(r"\+[23456789CFGHJMPQRVWX]{2,3}(?![\w+])")
_PLUS_HEAD = re.compile(
    r"(?<![\w+])(?:[23456789CFGHJMPQRVWX]{8}|[23456789CFGHJMPQRVWX]{4,6})\Z"
)
_GEOHASH = Anchored(
    r"(?i:geohash)(?:\s?[:=]\s?|\s(?:is\s)?)\"?(?P<v>[0-9b-hjkmnp-z]{4,12})(?!\w)",
    "geohash",
)
_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")


def _in_range(first: str, second: str) -> bool:
    return float(first) <= 90 and float(second) <= 180


_WORDED = (
    (_NAMED, "decimal degrees after a word for latitude or longitude"),
    (_WKT, "point in well-known text"),
    (_GEO_URI, "address of the scheme 'geo'"),
    (_GEOHASH, "letters and digits of a geohash, after that word"),
)
_WORDED_ANCHORS = Anchors(*(pattern for pattern, _ in _WORDED))


def _found(start: int, end: int, score: float, reason: str) -> Hit:
    return hit(start, end, "LOC", "COORDINATES", score, reason=reason)


def find_coordinates(text: str) -> Iterator[Hit]:
    """Coordinates of a normalised text.

    text (str): The text.
    YIELDS (Hit): Hits, which may overlap.
    """
    many = count_digits(text) > 5
    if many and "." in text:
        yield from _decimal(text)
    yield from _with_directions(text)
    if not _WORDED_ANCHORS.absent(text):
        for pattern, reason in _WORDED:
            for m in pattern.finditer(text):
                if pattern is not _GEOHASH or any(c.isdigit() for c in m["v"]):
                    yield _found(*m.span("v"), 0.85, reason)
    if many:
        yield from _grids(text)
    if "+" in text:
        yield from _plus_codes(text)


def _decimal(text: str) -> Iterator[Hit]:
    for pattern, score, reason in (
        (_DECIMAL, 0.85, "two decimal degrees within their ranges"),
        (_LETTER_LAST, 0.9, "degrees with letters of directions"),
    ):
        for m in pattern.finditer(text):
            numbers = _NUMBERS.findall(m[0])
            if _in_range(numbers[0], numbers[1]):
                yield _found(*m.span(), score, reason)


def _with_directions(text: str) -> Iterator[Hit]:
    reason = "degrees with letters of directions"
    if "°" in text or "º" in text:
        for m in _SEXAGESIMAL.finditer(text):
            if float(_NUMBERS.findall(m[0])[0]) <= 90:
                yield _found(*m.span(), 0.9, reason)
    if "N" in text or "S" in text:
        for m in _LETTER_FIRST.finditer(text):
            if not {".", "°", "º"}.isdisjoint(m[0]):
                yield _found(*m.span(), 0.9, reason)


def _grids(text: str) -> Iterator[Hit]:
    for m in _UTM.finditer(text):
        yield _found(*m.span(), 0.85, "zone, easting and northing (UTM)")
    for m in _MGRS.finditer(text):
        digits = len(m["e"]) + len(m["n"])
        if digits >= 6 and digits % 2 == 0:
            reason = "zone, square and digits of the military grid"
            yield _found(*m.span(), 0.8, reason)


def _plus_codes(text: str) -> Iterator[Hit]:
    for m in _PLUS_START.finditer(text):
        head = _PLUS_HEAD.search(text, max(0, m.start() - 9), m.start())
        code = head[0] if head else ""
        mixed = any(map(str.isalpha, code)) and any(map(str.isdigit, code))
        if head is None or not mixed:
            continue
        whole = len(code) == 8
        if whole or "plus code" in before(text, head.start(), 24):
            score = 0.8 if whole else 0.7
            yield _found(head.start(), m.end(), score, "form of a plus code")


@registry.deid_patterns("spacy_deid.coordinate_patterns.v1")
def make_coordinate_patterns() -> Recognizer:
    """Decimal and sexagesimal degrees, UTM and military grids, plus codes, geohashes,
    points of well-known text and of the scheme `geo`.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> list[Hit]:
        return drop_covered(list(find_coordinates(text))) if has_digits(text) else []

    return PatternRecognizer(find)
