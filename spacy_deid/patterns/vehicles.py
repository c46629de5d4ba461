"""Licence plates, next to words that speak of vehicles, and chassis numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..registries import registry
from .base import (
    Anchored,
    Hit,
    PatternRecognizer,
    Recognizer,
    before,
    drop_covered,
    has_digits,
    hit,
    word_trie,
)

_VIN = re.compile(r"[A-HJ-NPR-Z0-9](?<!\w.)[A-HJ-NPR-Z0-9]{16}(?!\w)")
_VIN_CONTEXT = re.compile(
    r"\bvin\b|chassis|vehicle identification|fahrgestell|bastidor|telaio"
)
_VIN_VALUES = {
    **{str(d): d for d in range(10)},
    **dict(zip("ABCDEFGH", range(1, 9))),
    **dict(zip("JKLMN", range(1, 6))),
    "P": 7,
    "R": 9,
    **dict(zip("STUVWXYZ", range(2, 10))),
}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)

_PLATE_WORDS = """licence_plate license_plate licence_plates license_plates number_plate number_plates
plate plates plate_number plate_no registration_plate registration_number registration_mark
vehicle_registration reg_no reg_number reg tag_number kennzeichen amtliches_kennzeichen
nummernschild immatriculation immatriculé immatriculée plaque matrícula matricula targa
targata kenteken rejestracyjny rejestracyjnym registered"""
_PLATE_KEY = Anchored(word_trie(_PLATE_WORDS), _PLATE_WORDS)
_PLATE_GAP = re.compile(
    r"(?:\s(?:[Nn](?:o|r|um|umber)|mark|is|was|were|of|with|the|a|de|bearing|reading|[Rr]egistration|[Pp]late)\b\.?){0,4}"
    r"\s?[:#(\"']{0,2}\s{0,2}"
)
_PLATE = re.compile(
    r"(?=[A-ZÄÖÜ0-9 ·•-]{0,9}[0-9])(?=[A-ZÄÖÜ0-9 ·•-]{0,10}[A-ZÄÖÜ])"
    r"[A-ZÄÖÜ0-9]{1,8}(?:[ ·•-]{1,2}[A-ZÄÖÜ0-9]{1,5}){0,3}(?!\w)"
)
# Forms that need only a vehicle nearby.
_FORMS = re.compile(
    # One set of characters to begin with, so that the engine scans fast.
    r"[A-Z0-9](?:(?<=[A-Z])(?<![\w-][A-Z])(?:"
    r"[A-Z][0-9]{2}\s?[A-Z]{3}"  # United Kingdom since 2001
    r"|[A-Z]-[0-9]{3}-[A-Z]{2}"  # France, Italy with hyphens
    r"|[A-Z]\s?[0-9]{3}\s?[A-Z]{2}"  # Italy
    r"|[0-9]{1,3}\s?[A-Z]{3}"  # United Kingdom before 2001
    r"|[A-ZÄÖÜ]{0,2}[ -][A-Z]{1,2}\s?[0-9]{1,4}[EH]?"  # Germany
    r"|[A-Z]{1,2}\s[0-9]{4,5}"  # Poland, Norway, Denmark
    r")(?![\w-])"
    r"|(?<=[0-9])(?<![\w.,-][0-9])(?:[0-9]{3}\s?[BCDFGHJ-NPR-TV-Z]{3}|[0-9]\s?[A-Z]{1,3}\s?[0-9]{2,4})(?![\w-]))"
)
_VEHICLE = re.compile(
    r"\b(?:car|cars|vehicle|van|lorry|truck|motorcycle|motorbike|taxi|bus|driving|drove|driver|parked"
    r"|registered|plates?|minibus|trailer|pkw|auto|fahrzeug|lkw|voiture|véhicule|camion|coche|vehículo"
    r"|moto|furgoneta|automobile|samochód|bmw|audi|mercedes|volkswagen|vw|ford|opel|toyota|renault"
    r"|peugeot|fiat|honda|nissan|volvo|skoda|škoda|seat|hyundai|kia|mazda|tesla|citroën|vauxhall)\b"
)


def vin_is_valid(value: str) -> bool:
    """Whether the ninth character is the check digit of a chassis number.

    value (str): Seventeen capital letters and digits.
    RETURNS (bool): Always false for other input.
    """
    if len(value) != 17 or not set(value) <= _VIN_VALUES.keys():
        return False
    total = sum(w * _VIN_VALUES[c] for w, c in zip(_VIN_WEIGHTS, value))
    return value[8] == "0123456789X"[total % 11]


def _vins(text: str) -> Iterator[Hit]:
    for m in _VIN.finditer(text):
        value = m[0]
        named = bool(_VIN_CONTEXT.search(before(text, m.start())))
        mixed = (
            len(set(value)) > 4
            and any(map(str.isdigit, value))
            and any(map(str.isalpha, value))
        )
        if mixed and (named or vin_is_valid(value)):
            yield hit(m.start(), m.end(), "CODE", "VIN", 0.95 if named else 0.85)


def _plates(text: str) -> Iterator[Hit]:
    for m in _PLATE_KEY.finditer(text):
        gap = _PLATE_GAP.match(text, m.end())
        v = _PLATE.match(text, gap.end()) if gap else None
        if v and v.start() > m.end():
            digits = sum(c.isdigit() for c in v[0])
            size = sum(c.isalnum() for c in v[0])
            if 4 <= size <= 10 and 1 <= digits < size and not re.search(r"[a-z]", v[0]):
                yield hit(v.start(), v.end(), "CODE", "PLATE", 0.85)
    for m in _FORMS.finditer(text):
        if _VEHICLE.search(before(text, m.start(), 60)):
            yield hit(m.start(), m.end(), "CODE", "PLATE", 0.7)


@registry.deid_patterns("spacy_deid.vehicle_patterns.v1")
def make_vehicle_patterns() -> Recognizer:
    """Licence plates and chassis numbers (VIN).

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> list[Hit]:
        if not has_digits(text):
            return []
        return drop_covered([*_vins(text), *_plates(text)])

    return PatternRecognizer(find)
