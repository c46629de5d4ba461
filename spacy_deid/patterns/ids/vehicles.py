"""Licence plates, by form and words that speak of vehicles, and chassis numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ...registries import registry
from ..base import (
    Hit,
    PatternRecognizer,
    Recognizer,
    count_digits,
    drop_covered,
    has_digits,
    hit,
)
from .country_ids import Kind
from .labelled import Finder, Names, shown

_VEHICLES = """car cars vehicle vehicles van vans lorry lorries truck trucks motorcycle motorcycles motorbike moped scooter
taxi cab minibus minivan trailer suv sedan hatchback jeep pickup caravan driving drove driver parked parking registered speeding
pkw auto autos fahrzeug fahrzeuge lkw wagen anhänger motorrad zugelassen voiture voitures véhicule véhicules camion camionnette moto
coche coches vehículo vehículos furgoneta camión carro automobile automobili macchina veicolo autovettura autocarro veicoli
auto's voertuig vrachtwagen bestelauto carro veículo caminhão samochód samochodu pojazd samochodem bil bilen fordon
bmw audi mercedes volkswagen vw ford opel toyota renault peugeot fiat honda nissan volvo skoda škoda seat hyundai kia mazda
tesla citroën vauxhall chevrolet subaru suzuki dacia lada автомобиль автомобиля автомобиле машина машины машине машину"""
_PLATE_NAMES = """licence_plate license_plate licence_plates license_plates license_plate_number licence_plate_number number_plate number_plates
plate plates plate_number plate_no plate_nr car_plate vehicle_plate registration_plate registration_plates registration_number registration_no registration_mark vehicle_registration
vehicle_registration_number vehicle_registration_mark car_registration vrn vrm reg reg_no reg_number reg_plate tag_number vehicle_number
kennzeichen kfz-kennzeichen amtliches_kennzeichen amtlichen_kennzeichen nummernschild autokennzeichen immatriculation immatriculé immatriculée immatriculés plaque plaque_d'immatriculation
plaque_minéralogique plaques matrícula matricula matrículas placa placas targa targata targato targhe kenteken kentekenplaat kentekennummer placa_do_carro numer_rejestracyjny
numerach_rejestracyjnych rejestracyjny rejestracyjnym tablica_rejestracyjna nr_rej registreringsnummer regnr reg.nr. skiltnummer rekisterinumero rekisteritunnus rendszám spz
номер_автомобиля номер_машины гос_номер госномер госномером гос._номер регистрационный_знак номерной_знак номерным_знаком номерные_знаки plaka plakalı"""

_IE = "C|CE|CN|CW|D|DL|G|KE|KK|KY|L|LD|LH|LK|LM|LS|MH|MN|MO|OY|RN|SO|T|TN|TS|W|WH|WW|WX"
_IN = "AN|AP|AR|AS|BR|CG|CH|DD|DL|GA|GJ|HP|HR|JH|JK|KA|KL|LA|LD|MH|ML|MN|MP|MZ|NL|OD|PB|PY|RJ|SK|TN|TR|TS|UK|UP|WB"
_CH = "AG|AI|AR|BE|BL|BS|FR|GE|GL|GR|JU|LU|NE|NW|OW|SG|SH|SO|SZ|TG|TI|UR|VD|VS|ZG|ZH"
_RU = "[АВЕКМНОРСТУХ]"
# Three letters before three digits that name models, currencies and norms.
_NO_PLATES = (
    "BMW|AMG|KTM|DAF|MAN|RAM|GMC|GTI|CLS|CLA|CLK|SLK|GLA|GLC|GLE|GLS|SUV|HGV|LGV|LCV|CRV|RAV|XJS|MPH|KPH|RPM|TDI|TSI|CDI"
    "|SSN|TIN|NHS|MRN|DOB|SIN|PIN|CVV|CVC|BIC|ZIP|LLC|INC|LTD|PLC|APT|STE|REF|HDI|EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|RUB|UAH|INR|JPY|AUD|CAD|NZD|ZAR|ISO|DIN|EEC|USA|AND|THE|FOR|NOS|ART|SEC|TEL|FAX|EXT|BUS"
)
# Those without words need the name of a plate next to them or near.
_ROWS: tuple[tuple[str, str, str, str, float], ...] = (
    ("GB", "British", r"[A-Z]{2}[0-9]{2} ?[A-Z]{3}", _VEHICLES, 0.0),
    ("GB_OLD", "former British", r"[A-HJ-NPR-Y][0-9]{1,3} ?[A-HJ-PR-Z]{3}|[A-HJ-PR-Z]{3} ?[0-9]{1,3}[A-HJ-NPR-Y]", _VEHICLES, 0.0),
    ("IE", "Irish", rf"[0-9]{{2,3}}-(?:{_IE})-[0-9]{{1,6}}", _VEHICLES, 0.55),
    ("DE", "German", r"[A-ZÄÖÜ]{1,3}(?:-[A-Z]{1,2} ?| [A-Z]{1,2} )[0-9]{1,4}[EH]?", _VEHICLES, 0.0),
    ("AT", "Austrian", r"[A-Z]{1,2}[- ](?:[0-9]{1,5} ?[A-Z]{1,3}|[A-Z]{3,6} ?[0-9]{1,2})", "", 0.0),
    ("CH", "Swiss", rf"(?:{_CH})[ -]?[0-9]{{3,6}}", "", 0.0),
    ("FR", "French", r"[A-HJ-NP-TV-Z]{2}[- ][0-9]{3}[- ][A-HJ-NP-TV-Z]{2}", _VEHICLES, 0.7),
    ("FR_OLD", "former French", r"[1-9][0-9]{1,3} ?[A-Z]{2,3} ?(?:[0-9]{2}|2[AB])", _VEHICLES, 0.0),
    ("BE", "Belgian", r"[1-9]-[A-Z]{3}-[0-9]{3}", _VEHICLES, 0.7),
    ("NL", "Dutch", r"[A-Z]{2}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{2}-[A-Z]{2}|[0-9]{2}-[A-Z]{2}-[0-9]{2}|[A-Z]{2}-[0-9]{2}-[A-Z]{2}|[A-Z]{2}-[A-Z]{2}-[0-9]{2}|[0-9]{2}-[A-Z]{2}-[A-Z]{2}|[0-9]{2}-[A-Z]{3}-[0-9]|[A-Z]{3}-[0-9]{2}-[A-Z]|[0-9]-[A-Z]{3}-[0-9]{2}", _VEHICLES, 0.0),
    ("NL_NEW", "Dutch", r"[A-Z]{2}-[0-9]{3}-[A-Z]|[A-Z]-[0-9]{3}-[A-Z]{2}", _VEHICLES, 0.6),
    ("LU", "Luxembourgish", r"[A-Z]{2} ?[0-9]{4}", "", 0.0),
    ("IT", "Italian", r"[A-HJ-NPR-TV-Z]{2}[ -]?[0-9]{3}[ -]?[A-HJ-NPR-TV-Z]{2}", _VEHICLES, 0.0),
    ("ES", "Spanish", r"[0-9]{4}[ -]?[BCDFGHJ-NPR-TV-Z]{3}|(?:[A-Z]|[A-Z]{2})-[0-9]{4}-[A-Z]{1,2}", _VEHICLES, 0.0),
    ("PT", "Portuguese", r"[A-Z]{2}[- ][0-9]{2}[- ][A-Z]{2}|[0-9]{2}[- ](?:[0-9]{2}[- ][A-Z]{2}|[A-Z]{2}[- ][0-9]{2})|[A-Z]{2}[- ][0-9]{2}[- ][0-9]{2}", _VEHICLES, 0.0),
    ("SE", "Swedish", r"[A-HJ-PR-UW-Z]{3} ?[0-9]{2}[0-9A-HJ-PR-UW-Z]", "", 0.0),
    ("NO", "Norwegian", r"[A-Z]{2} ?[0-9]{5}", "", 0.0),
    ("DK", "Danish", r"[A-Z]{2} ?[0-9]{2} ?[0-9]{3}", "", 0.0),
    ("FI", "Finnish", r"[A-ZÅÄÖ]{2,3}-[0-9]{1,3}", "", 0.0),
    ("IS", "Icelandic", r"[A-Z]{2}[- ]?[A-Z0-9][0-9]{2}", "", 0.0),
    ("DK_SPACED", "Danish", r"[A-Z]{2} [0-9]{2} [0-9]{3}", _VEHICLES, 0.0),
    ("PL", "Polish", r"[A-Z]{2,3} ?(?=[0-9A-Z]{0,4}[0-9])[0-9A-Z]{4,5}", "", 0.0),
    ("PL_CODED", "Polish", r"[A-Z]{3} [0-9][0-9A-Z]{3,4}|[A-Z]{2} [0-9]{4}[A-Z]|[A-Z]{2} [0-9]{3}[A-Z]{2}", _VEHICLES, 0.0),
    ("CZ", "Czech", r"[0-9][A-Z][0-9A-Z] ?[0-9]{4}", _VEHICLES, 0.0),
    ("SK", "Slovak", r"[A-Z]{2}[ -]?[0-9]{3}[ -]?[A-Z]{2}", _VEHICLES, 0.0),
    ("HU", "Hungarian", r"[A-Z]{3}-[0-9]{3}|[A-Z]{2}[ -]?[A-Z]{2}-[0-9]{3}", "", 0.0),
    ("RO", "Romanian", r"(?:B|[A-Z]{2})[ -][0-9]{2,3}[ -][A-Z]{3}|(?:B|[A-Z]{2})[0-9]{2,3}[A-Z]{3}", _VEHICLES, 0.0),
    ("BG", "Bulgarian", r"[ABEKMHOPCTYX]{1,2} ?[0-9]{4} ?[ABEKMHOPCTYX]{2}", _VEHICLES, 0.0),
    ("GR", "Greek", r"[ABEZHIKMNOPTYXΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]{3}[- ]?[0-9]{4}", _VEHICLES, 0.0),
    ("HR", "Croatian", r"[A-ZČŠŽ]{2}[ -][0-9]{3,4}[ -][A-Z]{1,2}", _VEHICLES, 0.0),
    ("SI", "Slovenian", r"[A-Z]{2} [A-Z0-9]{2}-[A-Z0-9]{3}", _VEHICLES, 0.0),
    ("RS", "Serbian", r"[A-ZČŠŽ]{2}[ -][0-9]{3,5}[ -][A-Z]{2}", _VEHICLES, 0.0),
    ("EE", "Estonian", r"[0-9]{3} ?[A-Z]{3}", _VEHICLES, 0.0),
    ("LV", "Latvian", r"[A-Z]{2}-[0-9]{1,4}", "", 0.0),
    ("LT", "Lithuanian", r"[A-Z]{3} ?[0-9]{3}", "", 0.0),
    ("RU", "Russian", rf"(?:{_RU}|[ABEKMHOPCTYX])[ -]?[0-9]{{3}}[ -]?(?:{_RU}|[ABEKMHOPCTYX]){{2}}[ -]?[0-9]{{2,3}}(?: ?RUS)?", _VEHICLES, 0.0),
    ("UA", "Ukrainian", r"[A-ZА-ЯІЇ]{2} ?[0-9]{4} ?[A-ZА-ЯІЇ]{2}", _VEHICLES, 0.0),
    ("BY", "Belarusian", r"[0-9]{4} ?[A-Z]{2}-[1-8]", _VEHICLES, 0.6),
    ("TR", "Turkish", r"(?:0[1-9]|[1-7][0-9]|8[01]) ?[A-Z]{1,3} ?[0-9]{2,5}", _VEHICLES, 0.0),
    ("IL", "Israeli", r"[0-9]{2}-[0-9]{3}-[0-9]{2}|[0-9]{3}-[0-9]{2}-[0-9]{3}", "", 0.0),
    ("IN", "Indian", rf"(?:{_IN})[ -]?[0-9]{{1,2}}[ -]?[A-Z]{{1,3}}[ -]?[0-9]{{4}}", _VEHICLES, 0.65),
    ("JP", "Japanese", r"[一-龯ぁ-ん]{1,4} ?[0-9]{2,3} ?[ぁ-ん] ?[0-9]{1,2}-[0-9]{2}", _VEHICLES, 0.0),
    ("SG", "Singaporean", r"S[A-Z]{2} ?[0-9]{1,4} ?[A-Z]", _VEHICLES, 0.0),
    ("US", "American", r"(?=[A-Z]{0,6}[0-9])[A-Z0-9]{3}[ -]?[A-Z0-9]{3,4}|[A-Z]{3}[ -]?[0-9]{3,4}|[0-9][A-Z]{3}[0-9]{3}|[A-Z]{2}[0-9]{2}[ -]?[A-Z]{3}|[0-9]{3}[ -]?[A-Z]{3}|[A-Z]{2}[ -]?[0-9]{4,5}|[0-9]{2}[A-Z]-?[0-9]{3,4}|[A-Z]{1,2}[0-9]{1,3}[ -]?[A-Z]{2,3}|[0-9]{1,3}[ -]?[A-Z]{2}[0-9]|[0-9]{1,4}[ -]?[A-Z]{2,3}", "", 0.0),
    ("US_NEAR", "American", rf"(?!(?:{_NO_PLATES})[ -]?[0-9])[A-Z]{{3}}[ -]?(?!(?:19|20)[0-9]{{2}}(?!\w))[0-9]{{3,4}}", _VEHICLES, 0.0),
    ("CA", "Canadian", r"[A-Z]{4}[ -]?[0-9]{3}|[A-Z]{3}[ -]?[0-9]{3,4}|[A-Z][0-9]{2}[ -]?[A-Z]{3}|[0-9]{3}[ -]?[A-Z]{3}|[A-Z]{2}[0-9][ -]?[0-9]{2}[A-Z]", "", 0.0),
    ("MX", "Mexican", r"[A-Z]{3}-[0-9]{2,3}-[0-9A-Z]{1,2}|[A-Z]{3}-[0-9]{3,4}", _VEHICLES, 0.0),
    ("BR", "Brazilian", r"[A-Z]{3}-[0-9]{4}|[A-Z]{3}[0-9][A-Z][0-9]{2}", _VEHICLES, 0.0),
    ("AR", "Argentinian", r"[A-Z]{2} ?[0-9]{3} ?[A-Z]{2}|[A-Z]{3} ?[0-9]{3}", "", 0.0),
    ("CL", "Chilean", r"[A-Z]{4}-?[0-9]{2}|[A-Z]{2}-?[0-9]{4}", "", 0.0),
    ("AU", "Australian", r"[A-Z]{3}[ -]?[0-9]{2}[A-Z0-9]|[0-9][A-Z]{2}[ -]?[0-9][A-Z]{2}|[A-Z]{2}[ -]?[0-9]{2}[ -]?[A-Z]{2}", "", 0.0),
    ("NZ", "New Zealand", r"[A-Z]{3} ?[0-9]{1,3}", "", 0.0),
    ("ZA", "South African", r"[A-Z]{2} ?[0-9]{2} ?[A-Z]{2} ?(?:GP|MP|L|NW|FS|EC|NC)|(?:C[AEYLJXKZ]|N[DPUX]) ?[0-9]{2,6}|[A-Z]{3} ?[0-9]{3} ?(?:GP|MP|L|NW|FS|EC|NC)", _VEHICLES, 0.0),
)  # fmt: skip
# Letters, at times in two blocks, then digits, or the other way round.
_VALUE = r"(?=[^\W\d_]{0,6}(?:[ ·•-]{1,2}[^\W\d_]{1,3})?[ ·•-]{0,2}[0-9])"
_GENERIC = {
    "PLATE": (4, 1, r"(?=[A-ZÄÖÜА-Я0-9 ·•-]{0,9}[0-9])(?=[A-ZÄÖÜА-Я0-9 ·•-]{0,9}[A-ZÄÖÜА-Я])[A-ZÄÖÜА-Я0-9]{1,8}(?:[ ·•-]{1,2}(?!(?:19|20)[0-9]{2}(?!\w))[A-ZÄÖÜА-Я0-9]{1,7}(?![a-zäöüß])){0,3}|[0-9]{1,5}(?:[ -][0-9]{2,5}){1,2}|[0-9]{5,8}|(?=[a-z-]{0,7}[0-9])(?=[0-9-]{0,7}[a-z])(?:[a-z0-9]{5,8}|[a-z0-9]{1,4}(?:-[a-z0-9]{1,5}){1,3})"),
}  # fmt: skip

_OTHER_SCRIPT = re.compile("[А-Я가-힣一-龯]")
# Plates whose characters are found in no other script, by their first character or,
# for Korean ones, by the syllable after the first digits.
_FOREIGN = (
    (
        "Russian",
        re.compile(rf"{_RU}(?<!\w.) ?[0-9]{{3}} ?{_RU}{{2}} ?[0-9]{{2,3}}(?!\w)"),
        0,
    ),
    (
        "Chinese",
        re.compile(
            r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"
            r"[A-Z][·• ]?(?=[A-Z]{0,5}[0-9])[A-Z0-9]{5,6}(?![A-Za-z0-9])"
        ),
        0,
    ),
    ("Korean", re.compile(r"[가-힣](?<=[0-9]{2}.) ?[0-9]{4}(?![0-9])"), 3),
)

_VIN = re.compile(r"[A-HJ-NPR-Z0-9](?<!\w.)[A-HJ-NPR-Z0-9]{16}(?!\w)")
_VIN_ANY = re.compile(r"[A-HJ-NPR-Za-hj-npr-z0-9]{17}(?!\w)")
_VIN_NAMES = """vin vins vin_no vin_number vin_code vehicle_identification vehicle_identification_number chassis chassis_no chassis_number
frame_number frame_no fahrgestellnummer fahrgestell fahrgestell-nr fin fahrzeug-ident-nr fahrzeugidentifikationsnummer fahrzeug-identifizierungsnummer
numéro_de_châssis châssis numéro_de_série vin_du_véhicule bastidor número_de_bastidor nº_de_bastidor telaio numero_di_telaio
chassisnummer número_do_chassi chassi nr_vin вин вин-код номер_кузова номер_шасси"""
_VIN_VALUES = {
    **{str(d): d for d in range(10)},
    **dict(zip("ABCDEFGH", range(1, 9))),
    **dict(zip("JKLMN", range(1, 6))),
    "P": 7,
    "R": 9,
    **dict(zip("STUVWXYZ", range(2, 10))),
}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
# Makers outside North America, where a check digit is not compulsory.
_MAKERS = frozenset(
    """WBA WBS WBY WB1 WVW WVG WV1 WV2 WAU WUA WA1 WDB WDC WDD WDF W1K W1N W1V WMW WME WP0 WP1 W0L W0V WF0 WMA
VF1 VF3 VF6 VF7 VF8 VR1 VR3 VR7 VSS VNK VN1 VWV VS6 VS7 VXK ZFA ZFF ZAR ZAM ZHW ZCF ZLA ZD4 SAL SAJ SAR SCC SCF SCB SHH SHS SFD SB1 SJN SUD SUU
TMB TMA TMK TRU TSM TK9 UU1 U5Y UU6 XTA XTT X7L XW8 X4X XWB Z94 YV1 YV2 YV4 YS2 YS3 YK1 JHM JHL JTD JTE JTH JTM JTN JT2 JN1 JN8 JNK JM1 JM3 JMB JMZ JF1 JF2 JSA JS2 JA3 JA4 JDA
KMH KM8 KNA KND KNE KNM KPA KLA KL1 LVS LSG LFV LSV LVV LGX LRW LSJ LHG LBV NM0 NMT NLH NMB MAL MA1 MA3 MAT MBH MBJ MRH MHF MMB MNB MPA PL1 ADM AHT 6G1 6T1 6FP 7A1
8AP 8AD 8AF 8AG 9BW 9BD 9BF 9BG 9BR 93H 93Y 94D 3VW""".split()
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


def _is_mixed(value: str) -> bool:
    digits = sum(map(str.isdigit, value))
    return len(set(value)) > 4 and 3 < digits < 17


def _vins(text: str, names: Names) -> Iterator[Hit]:
    for name in names.next_to(text):
        m = _VIN_ANY.match(text, name.value)
        if m and _is_mixed(m[0]):
            valid = vin_is_valid(m[0].upper())
            what = "valid check digit" if valid else "form"
            reason = f"{what} of a chassis number; after '{shown(name.term)}'"
            yield hit(*m.span(), "CODE", "VIN", 0.97 if valid else 0.9, reason=reason)
    for m in _VIN.finditer(text):
        value = m[0]
        if not _is_mixed(value):
            continue
        if vin_is_valid(value):
            reason = "valid check digit of a chassis number"
            yield hit(*m.span(), "CODE", "VIN", 0.9, reason=reason)
        elif value[:3] in _MAKERS and value[-4:].isdigit():
            reason = "form of a chassis number that begins with the code of a maker"
            yield hit(*m.span(), "CODE", "VIN", 0.75, reason=reason)


def _foreign(text: str) -> Iterator[Hit]:
    for title, form, digits in _FOREIGN:
        for m in form.finditer(text):
            start = m.start()
            while start > m.start() - digits and text[start - 1 : start].isdigit():
                start -= 1
            reason = f"form of a {title} plate"
            yield hit(start, m.end(), "CODE", "PLATE", 0.8, reason=reason)


@cache
def _vin_names() -> Names:
    return Names(_VIN_NAMES.split(), r"(?=[A-HJ-NPR-Za-hj-npr-z0-9]{17}(?!\w))")


@registry.deid_patterns("spacy_deid.vehicle_patterns.v1")
def make_vehicle_patterns(countries: Sequence[str] | None = None) -> Recognizer:
    """Licence plates and chassis numbers (VIN).

    countries (Sequence[str]): ISO codes of the countries whose plates are known by
        their form; all by default. Plates of any country are found next to words
        such as "number plate".
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If the plates of a country are not known.
    """
    known = {name[:2] for name, *_ in _ROWS}
    wanted = known if countries is None else {c.upper() for c in countries}
    if wanted - known:
        raise ValueError(f"no plates known for {sorted(wanted - known)}")
    kinds = [
        Kind(f"PLATE_{name}", "PLATE", f"{title} plate", form, "", words, alone)
        for name, title, form, words, alone in _ROWS
        if name[:2] in wanted
    ]
    finder = Finder(
        kinds, {"PLATE": _PLATE_NAMES}, _GENERIC, hints=True, digits=2, value=_VALUE
    )
    names = _vin_names()

    def find(text: str) -> list[Hit]:
        if not has_digits(text):
            return []
        hits = finder(text)
        if count_digits(text) > 3:
            hits.extend(_vins(text, names))
        if not text.isascii() and _OTHER_SCRIPT.search(text):
            hits.extend(_foreign(text))
        return drop_covered(hits)

    return PatternRecognizer(find)
