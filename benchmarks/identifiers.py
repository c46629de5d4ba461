"""Structured identifiers found in generated documents: recall and precision by type.

    python benchmarks/identifiers.py --split dev
    python benchmarks/identifiers.py --split dev --misses PHONE --presidio

Several hundred templates, written for this benchmark and kept apart from the patterns,
are filled with values made by Faker, python-stdnum and phonenumbers for many countries:
sentences, chats, letters, forms, tables, logs, e-mails, clinical notes, court text,
and documents that hold numbers of other kinds only. The two splits share neither
templates nor seed.

Recall: a value counts as covered if each of its characters lies in hits of any type
(of addresses, ages and dates the letters and digits; blanks never count), and as typed if
a hit of a compatible subtype overlaps it. Precision: a hit counts as right if it
overlaps a value of a compatible type and as a false alarm if it overlaps no value;
hits on values of other types are listed apart (`other`). Hits of subtypes that are not
measured, such as towns, are left out.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import string
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TEMPLATES = Path(__file__).parent / "identifier_templates"
SEEDS = {"dev": 3301, "test": 7717}

# Subtypes of hits that are right for each type of value.
_IDS = {"NATIONAL_ID", "TAX_ID", "HEALTH_ID"}
_NUMBERS = {"CASE_NUMBER", "FILE_NUMBER", "RECORD_NUMBER", "ACCOUNT"}
_PLACES = {"ADDRESS", "POSTCODE"}
_DATES = {"DATE", "DATE_RANGE"}
COMPATIBLE: dict[str, set[str]] = {
    "EMAIL": {"EMAIL"},
    "URL": {"URL", "DOMAIN"},
    "DOMAIN": {"URL", "DOMAIN"},
    "IP": {"IP"},
    "MAC": {"MAC"},
    "IBAN": {"IBAN"},
    "BIC": {"BIC"},
    "CARD": {"CARD"},
    "CRYPTO": {"CRYPTO"},
    "PHONE": {"PHONE"},
    "SSN": _IDS,
    "NATIONAL_ID": _IDS,
    "TAX_ID": _IDS,
    "HEALTH_ID": _IDS,
    "PASSPORT": {"PASSPORT"},
    "DRIVER_LICENCE": {"DRIVER_LICENCE"},
    "PLATE": {"PLATE"},
    "VIN": {"VIN"},
    "POSTCODE": _PLACES,
    "ADDRESS": _PLACES,
    "COORDINATES": {"COORDINATES"},
    "DATE": _DATES,
    "TIME": {"TIME", *_DATES},
    "AGE": {"AGE"},
    "MONEY": {"MONEY"},
    "CASE_NUMBER": _NUMBERS,
    "RECORD_NUMBER": _NUMBERS,
    "ACCOUNT": {*_NUMBERS, "IBAN"},
    "USERNAME": {"USERNAME"},
    "PASSWORD": {"PASSWORD"},
}
# A date with its time is one value, so hits of times are right there too.
COMPATIBLE["DATETIME"] = {*_DATES, "TIME"}
MEASURED = set().union(*COMPATIBLE.values()) | {"SSN"}
# Types of which punctuation between the parts need not be covered.
LOOSE = {"ADDRESS", "AGE", "DATE", "DATETIME", "COORDINATES"}
# A slot whose value is neither counted nor a false alarm.
IGNORE = "IGNORE"


class Gold(NamedTuple):
    """A value in a text.

    start (int): First character.
    end (int): Character after the last.
    type (str): Type of the value, or `IGNORE`.
    """

    start: int
    end: int
    type: str


class Document(NamedTuple):
    """A generated document.

    text (str): The text.
    gold (list[Gold]): Its values in order.
    style (str): Name of the file of its template.
    template (str): The template.
    """

    text: str
    gold: list[Gold]
    style: str
    template: str


class Found(NamedTuple):
    """A hit of one of the systems compared.

    start (int): First character.
    end (int): Character after the last.
    subtype (str): Kind of identifier.
    detail (str): Where it came from.
    """

    start: int
    end: int
    subtype: str
    detail: str


class Country(NamedTuple):
    """How addresses of a country are written.

    locale (str): Locale of Faker.
    names (str): Names of the country, separated by `|`.
    lines (str): Forms of an address separated by `|`, lines separated by `/`: `N` house
        number, `S` street, `U` unit, `P` post code, `C` town, `R` region.
    weight (int): How often English documents come from there.
    """

    locale: str
    names: str
    lines: str
    weight: int = 1


COUNTRIES = {
    "US": Country(
        "en_US",
        "USA|United States|US|U.S.A.|United States of America",
        "N S/C, R P|N S U/C, R P|N S/U/C, R P|N S/C R P|N S/C/R P",
        22,
    ),
    "GB": Country(
        "en_GB",
        "UK|United Kingdom|England|Great Britain",
        "N S/C/P|U, N S/C/P|N S/C P|U/N S/C/P",
        8,
    ),
    "AU": Country("en_AU", "Australia", "N S/C R P|U/N S/C R P|N S/C/R P", 5),
    "CA": Country("en_CA", "Canada", "N S/C, R P|N S, U/C R  P|N S/C R/P", 5),
    "NZ": Country("en_NZ", "New Zealand", "N S/C P|N S/C/P", 3),
    "IE": Country("en_IE", "Ireland", "N S/C/P|N S/C/Co. R/P", 3),
    "ZA": Country("zu_ZA", "South Africa", "N S/C/P|N S/C P", 2),
    "IN": Country("en_IN", "India", "N, S/C P|N S/C - P|U, S/C, R P", 2),
    "DE": Country("de_DE", "Germany|Deutschland", "S N/P C", 3),
    "AT": Country("de_AT", "Austria|Österreich", "S N/P C|S N Top U/P C", 1),
    "CH": Country("de_CH", "Switzerland|Schweiz|Suisse", "S N/P C|S N/CH-P C", 1),
    "FR": Country("fr_FR", "France", "N S/P C|N, S/P C", 3),
    "BE": Country("nl_BE", "Belgium|België", "S N/P C|S N/B-P C", 1),
    "NL": Country("nl_NL", "Netherlands|Nederland|The Netherlands", "S N/P C", 2),
    "SE": Country("sv_SE", "Sweden|Sverige", "S N/P C|S N/SE-P C", 2),
    "NO": Country("no_NO", "Norway|Norge", "S N/P C", 1),
    "DK": Country("da_DK", "Denmark|Danmark", "S N/P C|S N, 2. tv/P C", 1),
    "FI": Country("fi_FI", "Finland|Suomi", "S N/P C|S N A U/P C", 1),
    "PL": Country("pl_PL", "Poland|Polska", "ul. S N/P C|S N/P C", 2),
    "CZ": Country("cs_CZ", "Czech Republic|Czechia", "S N/P C", 1),
    "SK": Country("sk_SK", "Slovakia", "S N/P C", 1),
    "HU": Country("hu_HU", "Hungary", "C/S N./P|P C/S N.|P C, S N.", 1),
    "ES": Country("es_ES", "Spain|España", "S, N/P C|S, N/P C (R)|S N/P C", 2),
    "PT": Country("pt_PT", "Portugal", "S, N/P C|S N, 2º Dto./P C", 2),
    "IT": Country("it_IT", "Italy|Italia", "S, N/P C (R)|S N/P C|S, N/P-C R", 2),
    "BR": Country("pt_BR", "Brazil|Brasil", "S, N/C - R/P|S, N/C/R/P|S N/P C - R", 2),
    "MX": Country("es_MX", "Mexico|México", "S N/P C, R|S #N, C, R, CP P", 1),
    "AR": Country("es_AR", "Argentina", "S N/P C|S N, C", 1),
    "GR": Country("el_GR", "Greece", "S N/P C", 1),
    "SI": Country("sl_SI", "Slovenia", "S N/P C", 1),
    "HR": Country("hr_HR", "Croatia", "S N/P C", 1),
    "RO": Country("ro_RO", "Romania", "S nr. N/C, P", 1),
    "EE": Country("et_EE", "Estonia|Eesti", "S N/P C", 1),
    "IS": Country("is_IS", "Iceland|Ísland", "S N/P C", 1),
    "RU": Country("ru_RU", "Russia|Россия", "S, д. N/C, P|P, C, S, д. N, кв. U", 0),
}
# Streets, towns and post codes where Faker has none of the country.
_OWN_PLACES = {
    "EE": (
        "Pikk|Narva maantee|Tartu mnt|Riia|Kooli tänav|Lai tn|Pärnu mnt",
        "Tallinn|Tartu|Narva|Pärnu|Viljandi|Rakvere",
        "#####",
    ),
    "IS": (
        "Laugavegur|Hafnarstræti|Skólavörðustígur|Miklabraut|Strandgata|Lindarbraut",
        "Reykjavík|Akureyri|Kópavogur|Hafnarfjörður|Selfoss|Egilsstaðir",
        "###",
    ),
}
# Languages of the templates: home countries of the values.
LANGUAGES = {
    "de": ["DE", "DE", "DE", "AT", "CH"],
    "fr": ["FR", "FR", "BE", "CH"],
    "es": ["ES", "ES", "MX", "AR"],
    "it": ["IT"],
    "nl": ["NL", "NL", "BE"],
    "sv": ["SE"],
    "pl": ["PL"],
    "pt": ["PT", "BR"],
    "ru": ["RU"],
}
MONTHS = {
    "en": "January February March April May June July August September October "
    "November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November "
    "Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre "
    "décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre "
    "novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober "
    "november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november "
    "december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września "
    "października listopada grudnia",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro "
    "novembro dezembro",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября "
    "декабря",
}
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
    "twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth "
    "twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
).split()
# `d`, `m`, `y`: numbers without padding; `D`, `M`: of two digits; `Y`: of four, `s`: of
# two; `O`: 3rd; `W`: third; `B`: month; `b`: its first letters; `A`, `a`: weekday.
FULL_DATES = (
    "Y-M-D|D/M/Y|M/D/Y|D.M.Y|D-M-Y|M-D-Y|d/m/Y|m/d/Y|d.m.Y|M/D/s|D/M/s|m/d/s|D.M.s|"
    "M-D-s|Y/M/D|Y.M.D|B d, Y|B D, Y|d B Y|D B Y|B O, Y|O B Y|O of B Y|the O of B, Y|"
    "b d, Y|d b Y|b. d, Y|D-b-Y|D-b-s|A, B d, Y|A, d B Y|a, D b Y|a d b Y|A D/M/Y|B d Y|"
    "d B, Y|the W of B Y|B the O, Y|d b 's|b D Y|A, O B Y|D/b/Y|Y-b-D|d. B Y|d/m/s"
).split("|")
PART_DATES = (
    "B d|d B|O B|B O|O of B|the O of B|b d|d b|A, B d|A d B|A, B O|B Y|b Y|B, Y|M/Y|"
    "a d b|A the O of B"
).split("|")
LOCAL_DATES = "D.M.Y|D/M/Y|d B Y|D-M-Y|Y-M-D|d. B Y|d B|D.M.s|B Y".split("|")
TIMES = (
    "H:M|H:M|H:M:S|h:M p|h:M P|h:MP|h:Mp|h P|hp|h:M d|h d|H:M Z|H:M:S.f|HhM|"
    "H:M h|h.M p|h:M in the afternoon|half past W|quarter to W"
).split("|")
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()

# Forms of numbers: `#` digit, `@` capital letter, `%` letter or digit, `+` digit of 1 to
# 9; `{}` a date of birth.
PASSPORTS = {
    "US": "+########|@########",
    "GB": "+########",
    "DE": "C%%%%%%%#|C01X00T##",
    "FR": "##@@#####",
    "IT": "@@#######",
    "ES": "@@@######",
    "CA": "@@######",
    "AU": "@#######|@@#######",
    "NL": "@@#######",
    "IN": "@#######",
    "PL": "@@#######",
    "BR": "@@######",
    "NZ": "@@######",
    "IE": "@@#######",
    "RU": "## #######",
    "SE": "########",
}
LICENCES = {
    "US": "@#######|@###-####-####|#########|@############|@##-###-###|##-###-####|"
    "@###-###-##-###-#|@@#######|###-##-####|@@@######@|#######|@## ### ###",
    "GB": "@@@@@######@@#@@|@@@@9######@@9@@",
    "CA": "@####-#####-#####|#######|@####-######-##",
    "AU": "########|#########|####@@",
    "DE": "@##%%%%%%##|@###@@@###1",
    "NZ": "@@######",
    "FR": "##@@#####|############",
    "IN": "@@## ###########|@@-##-####-#######",
    "IE": "###-###-###",
}
CASES = (
    "#####/##|####/##|##-CV-#####|#:##-cv-#####|#:##-CR-#####-@@@|CV-20##-######|"
    "C-###/##|T-##/##|@@ ###/##|20##/####|[20##] EWHC ### (Ch)|## @ ###/##|"
    "CR-##-####|HC-20##-######|@##-####|S/##/####|@@-20##-#####"
).split("|")
RECORDS = (
    "########|######|@@-######|@#######|###-###-###|20##-#####|@@@-####-##|##########|"
    "@@######@|@-####-####|#####-@@"
).split("|")
_REGIONS = {
    "US": "state_abbr",
    "CA": "province_abbr",
    "AU": "state_abbr",
    "BR": "estado_sigla",
    "IN": "state",
    "IE": "county",
    "ES": "state",
    "MX": "state_abbr",
    "IT": "state_abbr",
}
_UNITS = {
    "US": "Apt. #|Apt #@|Suite ###|Unit ##|No. ##|Apt ###|Ste. ###",
    "GB": "Flat #|Flat #@|Unit ##",
    "AU": "Unit #|Suite ##",
    "CA": "Unit ##|Suite ###|Apt ##|Apt. ###",
}

# Numbers of python-stdnum: module, form, label, type. Values are drawn until valid.
STDNUM: dict[str, list[tuple[str, str, str, str]]] = {
    "GB": [
        (
            "",
            "AB######A|JE ## ## ## B|SK######C|PX ###### D",
            "National Insurance number|NI number",
            "NATIONAL_ID",
        ),
        ("gb.utr", "##########", "UTR|Unique Taxpayer Reference", "TAX_ID"),
    ],
    "DE": [
        (
            "de.idnr",
            "###########",
            "Steuer-ID|Steueridentifikationsnummer|tax ID",
            "TAX_ID",
        )
    ],
    "FR": [
        ("fr.nir", "1##0#75######+#", "numéro de sécurité sociale|NIR", "NATIONAL_ID")
    ],
    "ES": [
        ("es.dni", "########@", "DNI|NIF", "NATIONAL_ID"),
        ("es.nie", "X#######@", "NIE", "NATIONAL_ID"),
    ],
    "NL": [("nl.bsn", "#########", "BSN|burgerservicenummer", "NATIONAL_ID")],
    "BE": [
        ("be.nn", "{yymmdd}#####", "rijksregisternummer|national number", "NATIONAL_ID")
    ],
    "PL": [
        ("pl.pesel", "{yymmdd}#####", "PESEL", "NATIONAL_ID"),
        ("pl.nip", "##########", "NIP", "TAX_ID"),
    ],
    "SE": [
        (
            "se.personnummer",
            "{yymmdd}-####|{yyyymmdd}-####",
            "personnummer",
            "NATIONAL_ID",
        )
    ],
    "NO": [
        (
            "no.fodselsnummer",
            "{ddmmyy}#####|{ddmmyy} #####",
            "fødselsnummer",
            "NATIONAL_ID",
        )
    ],
    "DK": [("dk.cpr", "{ddmmyy}-####|{ddmmyy}####", "CPR-nummer|CPR", "NATIONAL_ID")],
    "FI": [("fi.hetu", "{ddmmyy}-###@|{ddmmyy}-####", "henkilötunnus", "NATIONAL_ID")],
    "BR": [("br.cpf", "###.###.###-##|###########", "CPF", "NATIONAL_ID")],
    "PT": [("pt.nif", "2########", "NIF|contribuinte n.º", "TAX_ID")],
    "CH": [("ch.ssn", "756.####.####.##", "AHV-Nummer|numéro AVS", "NATIONAL_ID")],
    "AT": [
        (
            "at.vnr",
            "####{ddmmyy}|#### {ddmmyy}",
            "Sozialversicherungsnummer|SVNR",
            "NATIONAL_ID",
        )
    ],
    "IE": [("ie.pps", "#######@", "PPS number|PPSN", "NATIONAL_ID")],
    "CA": [
        (
            "ca.sin",
            "### ### ###|###-###-###|#########",
            "SIN|social insurance number",
            "NATIONAL_ID",
        )
    ],
    "AU": [
        ("au.tfn", "### ### ###|#########", "TFN|tax file number", "TAX_ID"),
        ("au.abn", "## ### ### ###|###########", "ABN", "TAX_ID"),
    ],
    "NZ": [("nz.ird", "##-###-###|###-###-###", "IRD number", "TAX_ID")],
    "IN": [
        (
            "in_.aadhaar",
            "#### #### ####|############",
            "Aadhaar number|Aadhaar",
            "NATIONAL_ID",
        ),
        ("in_.pan", "@@@P@####@", "PAN", "TAX_ID"),
    ],
    "ZA": [
        (
            "za.idnr",
            "{yymmdd}####08#",
            "South African ID number|ID number",
            "NATIONAL_ID",
        )
    ],
    "CZ": [("cz.rc", "{yymmdd}/####", "rodné číslo", "NATIONAL_ID")],
    "HU": [("hu.anum", "########", "adószám|tax number", "TAX_ID")],
    "RO": [("ro.cnp", "1{yymmdd}######|2{yymmdd}######", "CNP", "NATIONAL_ID")],
    "HR": [("hr.oib", "###########", "OIB", "NATIONAL_ID")],
    "SI": [("si.emso", "{ddmm}9##50####", "EMŠO", "NATIONAL_ID")],
    "EE": [
        (
            "ee.ik",
            "3{yymmdd}####|4{yymmdd}####",
            "isikukood|personal code",
            "NATIONAL_ID",
        )
    ],
    "IS": [("is_.kennitala", "{ddmmyy}-####|{ddmmyy}####", "kennitala", "NATIONAL_ID")],
    "MX": [("mx.curp", "@@@@{yymmdd}HDF@@@##", "CURP", "NATIONAL_ID")],
    "AR": [("ar.cuit", "20-########-#|27-########-#", "CUIT|CUIL", "TAX_ID")],
    "GR": [("gr.amka", "{ddmmyy}#####", "AMKA", "NATIONAL_ID")],
    "SK": [("sk.rc", "{yymmdd}/####", "rodné číslo", "NATIONAL_ID")],
    "RU": [("ru.inn", "############|##########", "ИНН|INN", "TAX_ID")],
}
FURTHER_STDNUM = [
    ("tr.tckimlik", "+##########", "T.C. kimlik no", "NATIONAL_ID"),
    ("il.idnr", "#########", "Teudat Zehut", "NATIONAL_ID"),
    ("kr.rrn", "{yymmdd}-1######|{yymmdd}-2######", "RRN", "NATIONAL_ID"),
    ("th.pin", "1-####-#####-##-#", "Thai national ID", "NATIONAL_ID"),
    ("", "{ddmmyy}-1####", "personas kods", "NATIONAL_ID"),
    ("lt.asmens", "3{yymmdd}####", "asmens kodas", "NATIONAL_ID"),
    ("bg.egn", "{yymmdd}####", "EGN|ЕГН", "NATIONAL_ID"),
    ("cl.rut", "##.###.###-#|########-#", "RUT", "NATIONAL_ID"),
    ("", "S#######@", "NRIC", "NATIONAL_ID"),
    ("co.nit", "#########-#", "NIT", "TAX_ID"),
]
HEALTH = {
    "GB": [("gb.nhs", "### ### ####|##########|###-###-####")],
    "AU": [("", "2#########|#### ##### #"), ("", "2### ##### #")],
    "US": [("", "1@G4-@E5-@K7#"), ("", "#@#%#@@##"), ("", "@@@#########")],
    "CA": [("", "####-###-###-@@"), ("", "#### ### ###")],
    "DE": [("", "@#########")],
    "FR": [("fr.nir", "2##0#69######+#")],
    "NZ": [("", "@@@####")],
}
VAT = {
    "GB": "GB#########",
    "IE": "IE#######@",
    "DE": "DE#########",
    "FR": "FR###########",
    "US": "##-#######",
    "CH": "CHE-###.###.### MWST",
    "BR": "##.###.###/####-##",
}


def pattern(rng: random.Random, form: str) -> str:
    """Fill a form with digits, letters and a date of birth."""

    def born(m: re.Match[str]) -> str:
        day = date(1940, 1, 1) + timedelta(days=rng.randrange(24_000))
        codes = {"yyyy": "%Y", "yy": "%y", "mm": "%m", "dd": "%d"}
        return day.strftime(re.sub("yyyy|yy|mm|dd", lambda c: codes[c[0]], m[1]))

    out = []
    for char in re.sub(r"\{(\w+)\}", born, rng.choice(form.split("|"))):
        if char == "#":
            char = rng.choice(string.digits)
        elif char == "+":
            char = rng.choice(string.digits[1:])
        elif char == "@":
            char = rng.choice(string.ascii_uppercase)
        elif char == "%":
            char = rng.choice("CFGHJKLMNPRTVWXYZ0123456789")
        out.append(char)
    return "".join(out)


def valid_number(rng: random.Random, module: str, form: str) -> str:
    """Draw from a form until python-stdnum accepts the number."""
    from importlib import import_module

    check = import_module(f"stdnum.{module}").is_valid if module else None
    for _ in range(60_000):
        value = pattern(rng, form)
        if check is None or check(value):
            return value
    raise ValueError(f"no valid number of {module} in the form {form}")


@cache
def faker(locale: str) -> Any:
    import logging

    from faker import Faker

    logging.getLogger("faker").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = Faker(locale)
    for provider in out.get_providers():
        # Sets have an order of their own in each process.
        if isinstance(getattr(provider, "cities", None), (set, list)):
            provider.cities = sorted(provider.cities)
    return out


@cache
def locales() -> list[str]:
    """Locales of Faker, without those that are only other names."""
    from faker.config import AVAILABLE_LOCALES

    return sorted(x for x in AVAILABLE_LOCALES if "_" in x and x != "fr_QC")


@cache
def _overriding(provider: str) -> list[str]:
    """Locales that have a provider of their own."""
    import pkgutil
    from importlib import import_module

    package = import_module(f"faker.providers.{provider}")
    names = {m.name for m in pkgutil.iter_modules(package.__path__)}
    return [x for x in locales() if x in names]


def _latin(text: str) -> bool:
    return all(c < "\u0250" or not c.isalpha() for c in text)


class Values:
    """Makes the values of one document.

    rng (Random): Source of randomness.
    language (str): Language of the template.
    """

    def __init__(self, rng: random.Random, language: str) -> None:
        self.rng = rng
        self.language = language
        if language == "en":
            codes = list(COUNTRIES)
            weights = [COUNTRIES[c].weight for c in codes]
            self.home = rng.choices(codes, weights)[0]
        else:
            self.home = rng.choice(LANGUAGES[language])
        self.seed = rng.randrange(10**9)
        self.draws = 0
        self.pending: tuple[str, str] | None = None

    def fake(self, locale: str) -> Any:
        """A Faker of a locale, seeded anew for each value."""
        self.draws += 1
        out = faker(locale)
        out.seed_instance(self.seed + self.draws)
        # A few of its providers draw from the module's own generator.
        random.seed(self.seed + self.draws)
        return out

    def country(self, stay: float = 0.8) -> str:
        """The home country mostly, otherwise another one."""
        if self.rng.random() < stay:
            return self.home
        codes = [c for c in COUNTRIES if c != "RU"]
        return self.rng.choice(codes)

    @property
    def locale(self) -> str:
        return COUNTRIES[self.home].locale

    def pick(self, *items: Any) -> Any:
        return self.rng.choice(items)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    # Contact and network

    def email(self) -> str:
        f = self.fake(self.locale if self.chance(0.5) else self.rng.choice(locales()))
        kind = self.pick("email", "free_email", "company_email", "safe_email")
        value = getattr(f, kind)()
        if not value.isascii():
            value = self.fake("en_US").email()
        name, _, host = value.partition("@")
        if self.chance(0.15):
            name = self.pick(
                f"{name}+{self.n(2)}", name.title(), f"{name}_{self.n(2)}", name[:2]
            )
        if self.chance(0.1):
            host = self.pick("mail.", "eu.", "cs.") + host
        return f"{name}@{host}"

    def obfuscated(self) -> str:
        f = self.fake("en_US")
        name, host = f.user_name(), f.free_email_domain()
        at = self.pick(" at ", " [at] ", "(at)", " (at) ", " AT ", "[at]", " {at} ")
        dot = self.pick(" dot ", " [dot] ", ".", "(dot)", " DOT ")
        if at == " at " and dot == ".":
            dot = " dot "
        return name + at + host.replace(".", dot)

    def url(self) -> str:
        f = self.fake(self.pick("en_US", "en_US", self.locale))
        base = self.pick(f.url(), f.url(), f.uri(), f.uri(), f"http://{self.domain()}")
        if self.chance(0.1):
            base = re.sub("^https?://", "www.", base).replace("www.www.", "www.")
        if self.chance(0.25):
            base = base.rstrip("/") + "/" + f.uri_path()
        if self.chance(0.15):
            base += f"{'' if base.count('/') > 2 else '/'}?id={self.n(4)}&q={f.word()}"
        if self.chance(0.06):
            base += f"#{self.fake('en_US').word()}"
        if self.chance(0.06):
            base = re.sub(r"(//[^/]+)", rf"\1:{self.port()}", base, count=1)
        if self.chance(0.04):
            base = f"{self.pick('http', 'https', 'ftp')}://{self.ip4()}/{f.uri_path()}"
        return base if base.isascii() else f.image_url()

    def domain(self) -> str:
        levels = self.pick(1, 1, 1, 2)
        f = self.fake("en_US" if self.chance(0.6) else self.locale)
        value = f.domain_name(levels)
        if self.chance(0.2):
            tld = self.pick("co.uk", "io", "com.au", "de", "fr", "gov", "edu", "shop")
            value = f"{f.domain_word()}.{tld}"
        if self.chance(0.12):
            value = "www." + value
        return value if value.isascii() else self.fake("en_US").domain_name()

    def ip4(self) -> str:
        f = self.fake("en_US")
        return self.pick(f.ipv4(), f.ipv4_public(), f.ipv4_private())

    def ip(self) -> str:
        if self.chance(0.2):
            return self.ipv6()
        value = self.ip4()
        return f"{value}/{self.pick(8, 16, 24)}" if self.chance(0.04) else value

    def ipv6(self) -> str:
        import ipaddress

        value = self.fake("en_US").ipv6()
        if self.chance(0.4):
            groups = value.split(":")
            start = self.rng.randrange(1, 5)
            groups[start : start + self.pick(2, 3, 4)] = ["0", "0"]
            groups = (groups + ["0"] * 8)[:8]
            value = str(ipaddress.ip_address(":".join(groups)))
        if self.chance(0.1):
            value = self.pick("fe80::1", "::1", "2001:db8::8a2e:370:7334")
        return value.upper() if self.chance(0.1) else value

    def mac(self) -> str:
        value = self.fake("en_US").mac_address()
        if self.chance(0.3):
            value = value.replace(":", "-")
        elif self.chance(0.15):
            hexes = value.replace(":", "")
            value = ".".join(hexes[i : i + 4] for i in (0, 4, 8))
        return value.upper() if self.chance(0.4) else value

    def username(self) -> str:
        value = self.fake("en_US").user_name()
        if self.chance(0.3):
            value = self.pick(
                f"{value}_{self.n(2)}", f"{value[:1]}.{value}", f"x{value}x"
            )
        return value

    def handle(self) -> str:
        return self.fake("en_US").user_name()

    def password(self) -> str:
        f = self.fake("en_US")
        if self.chance(0.3):
            return f.word().title() + self.n(4) + self.pick("!", "#", "$")
        return f.password(length=self.pick(8, 10, 12, 14))

    def apikey(self) -> str:
        kind = self.pick("sk_live_", "ghp_", "AKIA", "")
        chars = string.ascii_letters + string.digits
        return kind + "".join(self.rng.choices(chars, k=32))

    # Finance

    def card(self) -> str:
        f = self.fake("en_US")
        kinds = (
            "visa16 visa13 visa19 mastercard amex discover diners jcb15 jcb16 maestro"
        )
        value = f.credit_card_number(self.pick(None, None, *kinds.split()))
        blank = self.pick("", "", "", " ", " ", "-", "-", ".")
        if not blank:
            return value
        if len(value) == 15 or len(value) == 14:
            parts = [value[:4], value[4:10], value[10:]]
        else:
            parts = [value[i : i + 4] for i in range(0, len(value), 4)]
        return blank.join(parts)

    def iban(self) -> str:
        if self.chance(0.5):
            value = self.fake(self.rng.choice(_overriding("bank"))).iban()
        else:
            value = self._iban(self.rng.choice(_iban_countries()))
        if self.chance(0.5):
            value = " ".join(value[i : i + 4] for i in range(0, len(value), 4))
        elif self.chance(0.04):
            value = "-".join(value[i : i + 4] for i in range(0, len(value), 4))
        elif self.chance(0.05):
            value = value.lower()
        return value

    def _iban(self, item: tuple[str, str]) -> str:
        code, form = item
        chars = {"n": string.digits, "a": string.ascii_uppercase}
        # Few accounts have letters even where they may.
        chars["c"] = chars["n"] * 6 + chars["a"]
        bban = "".join(
            "".join(self.rng.choices(chars[kind], k=int(size)))
            for size, kind in re.findall(r"(\d+)!?([nac])", form)
        )
        number = int("".join(str(int(c, 36)) for c in f"{bban}{code}00"))
        return f"{code}{98 - number % 97:02}{bban}"

    def bic(self) -> str:
        f = self.fake(self.rng.choice(_overriding("bank")))
        if self.chance(0.3):
            return self.pick(
                "DEUTDEFF", "BNPAFRPPXXX", "CHASUS33", "INGBNL2A", "BARCGB22"
            )
        return f.swift(length=self.pick(8, 11))

    def crypto(self) -> str:
        b58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
        kind = self.pick("base58", "base58", "bech32", "eth")
        if kind == "base58":
            return _base58(self.rng, self.pick(0, 5), b58)
        if kind == "bech32":
            return _bech32(self.rng)
        return "0x" + "".join(self.rng.choices("0123456789abcdef", k=40))

    def money(self) -> str:
        value = self.rng.choice(
            [self.rng.uniform(1, 500), self.rng.uniform(500, 90_000)]
        )
        sign = self.pick("$", "£", "€", "US$", "₹", "A$")
        code = self.pick("EUR", "USD", "GBP", "CHF", "SEK", "AUD")
        word = self.pick("dollars", "euros", "pounds", "euro")
        if self.language != "en":
            plain = f"{value:,.2f}".translate(str.maketrans(",.", ".,"))
            return self.pick(f"{plain} €", f"{plain} EUR", f"{value:.0f} €")
        return self.pick(
            f"{sign}{value:,.2f}",
            f"{sign}{value:.0f}",
            f"{sign}{value:,.0f}",
            f"{code} {value:,.2f}",
            f"{value:,.2f} {code}",
            f"{value:.0f} {word}",
            f"{value:.2f}{self.pick('€', '£')}",
            f"{sign}{value / 100:.1f}k",
            f"{sign}{value / 10:.1f} million",
        )

    # Persons

    def phone(self) -> str:
        if self.chance(0.45):
            return self._known_phone()
        while True:
            home = self.chance(0.7)
            f = self.fake(self.locale if home else self.rng.choice(locales()))
            try:
                value = f.phone_number()
            except AttributeError:
                continue
            if len(re.sub(r"\D", "", value)) >= 7:
                return value

    def _known_phone(self) -> str:
        import phonenumbers as p

        region = self.country(0.6)
        if self.chance(0.2):
            region = self.rng.choice(sorted(p.SUPPORTED_REGIONS))
        kind = self.pick(p.PhoneNumberType.FIXED_LINE, p.PhoneNumberType.MOBILE)
        number = p.example_number_for_type(region, kind) or p.example_number(region)
        assert number is not None
        national = p.national_significant_number(number)
        for _ in range(50):
            tail = "".join(self.rng.choices(string.digits, k=5))
            changed = p.parse(f"+{number.country_code}{national[:-5]}{tail}")
            if p.is_valid_number(changed):
                number = changed
                break
        forms = p.PhoneNumberFormat
        form = self.pick(
            forms.NATIONAL, forms.NATIONAL, forms.INTERNATIONAL, forms.E164
        )
        value = p.format_number(number, form)
        if len(re.sub(r"\D", "", value)) < 7:
            value = p.format_number(number, forms.INTERNATIONAL)
        if self.chance(0.15):
            value = value.replace(" ", self.pick("-", ".", "/") if " " in value else "")
        if self.chance(0.08) and value.startswith("+"):
            value = "00" + value[1:]
        if self.chance(0.08):
            value += self.pick(" ext. ", " x", " ext ", "x", " extension ") + self.n(3)
        return value

    def ssn(self) -> str:
        value = self.fake("en_US").ssn()
        blank = self.rng.choices(("-", " ", ""), (86, 7, 7))[0]
        return value.replace("-", blank)

    def _national(self) -> tuple[str, str, str]:
        """Label, value and type of a number of the home country."""
        choices = STDNUM.get(self.home, [])
        if not choices and self.home != "IT":
            choices = self.rng.choice(list(STDNUM.values()))
        if self.home == "IT" or self.chance(0.05):
            label = self.pick("codice fiscale", "CF", "Codice Fiscale")
            return label, self.fake("it_IT").ssn(), "NATIONAL_ID"
        if self.language == "en" and self.chance(0.1):
            choices = FURTHER_STDNUM
        module, form, labels, kind = self.rng.choice(choices)
        value = valid_number(self.rng, module, form)
        return self.rng.choice(labels.split("|")), value, kind

    def natid_label(self) -> str:
        label, value, kind = self._national()
        self.pending = (value, kind)
        return label

    def natid(self) -> tuple[str, str]:
        if self.pending is None:
            _, value, kind = self._national()
            return value, kind
        value, kind = self.pending
        self.pending = None
        return value, kind

    def taxid(self) -> str:
        if self.home in VAT and self.chance(0.5):
            return pattern(self.rng, VAT[self.home])
        f = self.fake(self.locale)
        if hasattr(f, "vat_id"):
            return f.vat_id()
        return self.pick(f.ein(), f.itin()) if hasattr(f, "ein") else self.ein()

    def ein(self) -> str:
        return self.fake("en_US").ein()

    def itin(self) -> str:
        return self.fake("en_US").itin()

    def account(self) -> str:
        return pattern(self.rng, self.pick("########", "##########", "############"))

    def routing(self) -> str:
        return self.fake("en_US").aba()

    def btc(self) -> str:
        return f"0.{self.n(self.pick(1, 2, 4))} BTC"

    def netmask(self) -> str:
        return self.pick("255.255.255.0", "255.255.0.0", "255.255.255.192")

    def sortcode(self) -> str:
        return pattern(self.rng, "##-##-##")

    def healthid(self) -> str:
        home = self.home if self.home in HEALTH else self.pick("GB", "US", "AU")
        return valid_number(self.rng, *self.rng.choice(HEALTH[home]))

    def passport(self) -> str:
        if self.chance(0.2):
            return self.fake("en_US").passport_number()
        home = self.home if self.home in PASSPORTS else self.rng.choice(list(PASSPORTS))
        return pattern(self.rng, PASSPORTS[home])

    def licence(self) -> str:
        home = self.home if self.home in LICENCES else self.pick("US", "GB")
        return pattern(self.rng, LICENCES[home])

    def plate(self) -> str:
        while True:
            home = self.chance(0.7)
            locale = self.locale if home else self.rng.choice(_overriding("automotive"))
            value = self.fake(locale).license_plate()
            if _latin(value) or self.language == "ru":
                return value.strip()

    def vin(self) -> str:
        return self.fake("en_US").vin()

    def age(self) -> str:
        years = self.rng.randrange(1, 96)
        return self.pick(
            f"{years} years old",
            f"{years}-year-old",
            f"{years} year old",
            f"{years} yo",
            f"{years}yo",
            f"{years} y/o",
            f"{years} years of age",
        )

    def agenum(self) -> str:
        return str(self.rng.randrange(12, 96))

    def case(self) -> str:
        return pattern(self.rng, self.rng.choice(CASES))

    def record(self) -> str:
        return pattern(self.rng, self.rng.choice(RECORDS))

    def mrn(self) -> str:
        return pattern(
            self.rng, self.pick("########", "MRN######", "#######", "##-##-##")
        )

    def invoice(self) -> str:
        return pattern(
            self.rng, self.pick("INV-######", "20##-####", "RE####/##", "#######")
        )

    def order(self) -> str:
        return pattern(
            self.rng, self.pick("###-#######-#######", "#########", "@@######")
        )

    # Places

    def _place(self, code: str) -> dict[str, str]:
        """Parts of an address."""
        rng, country = self.rng, COUNTRIES[code]
        f = self.fake(country.locale)
        if code in _OWN_PLACES:
            streets, towns, form = _OWN_PLACES[code]
            street, town = rng.choice(streets.split("|")), rng.choice(towns.split("|"))
            postcode = pattern(rng, form)
        else:
            street, town, postcode = f.street_name(), f.city(), f.postcode()
        if code in ("PL", "RO"):
            street = re.sub(r"^(ul\.|al\.|pl\.)\s*", "", street)
        region = getattr(f, _REGIONS[code])() if code in _REGIONS else ""
        number = str(rng.randrange(1, 250)) if self.chance(0.7) else f.building_number()
        unit = pattern(rng, _UNITS.get(code, "##"))
        parts = {"S": street, "C": town, "P": postcode, "R": region, "U": unit}
        # Those of Hungary end with the dot that the form has, too.
        parts["N"] = number.strip(" .")
        return {k: " ".join(v.split()) for k, v in parts.items()}

    def _lines(self, code: str) -> list[str]:
        parts = self._place(code)
        form = self.rng.choice(COUNTRIES[code].lines.split("|"))
        # Blocks of one letter are parts; all else stands as it is.
        filled = re.sub(
            r"(?<!\w)[NSUPCR](?!\w)", lambda m: parts[m[0]].replace("/", "\0"), form
        )
        return [line.replace("\0", "/") for line in filled.split("/")]

    def address(self) -> str:
        code = self.country()
        if self.chance(0.25):
            lines = self.fake(COUNTRIES[code].locale).address().split("\n")
        else:
            lines = self._lines(code)
        if self.chance(0.3):
            lines.append(self.rng.choice(COUNTRIES[code].names.split("|")))
        comma = " " if self.chance(0.12) else ", "
        return comma.join(" ".join(line.split()).rstrip(",") for line in lines)

    def addressblock(self) -> str:
        code = self.country()
        if self.chance(0.3):
            lines = self.fake(COUNTRIES[code].locale).address().split("\n")
        else:
            lines = self._lines(code)
        if self.chance(0.4):
            lines.append(self.rng.choice(COUNTRIES[code].names.split("|")))
        return "\n".join(" ".join(line.split()) for line in lines)

    def street(self) -> str:
        code = self.country()
        if self.chance(0.3):
            value = self.fake(COUNTRIES[code].locale).street_address()
            return ", ".join(line.strip() for line in value.splitlines()).rstrip(", ")
        parts = self._place(code)
        first = COUNTRIES[code].lines.startswith("N")
        # How the country writes the number, from the first form.
        joint = ", " if "S, N" in COUNTRIES[code].lines else " "
        pair = (
            (parts["N"], " ", parts["S"]) if first else (parts["S"], joint, parts["N"])
        )
        return "".join(pair)

    def pobox(self) -> str:
        return self.pick("P.O. Box ", "PO Box ", "P.O.Box ") + self.n(4)

    def postcode(self) -> str:
        return self._place(self.home)["P"]

    def city(self) -> str:
        return self._place(self.home)["C"]

    def coords(self) -> str:
        f = self.fake("en_US")
        lat, lon = float(f.latitude()), float(f.longitude())
        ns, ew = "NS"[lat < 0], "EW"[lon < 0]

        def dms(x: float) -> str:
            x = abs(x)
            return f"{int(x)}°{int(x * 60) % 60:02}'{int(x * 3600) % 60:02}\""

        return self.pick(
            f"{lat:.4f}, {lon:.4f}",
            f"{lat:.6f},{lon:.6f}",
            f"{dms(lat)}{ns} {dms(lon)}{ew}",
            f"{abs(lat):.4f}° {ns}, {abs(lon):.4f}° {ew}",
            f"{abs(lat):.3f}{ns} {abs(lon):.3f}{ew}",
        )

    # Times

    def _date(self, forms: Iterable[str], first: int = 1930, last: int = 2026) -> str:
        rng = self.rng
        day = date(rng.randrange(first, last), 1, 1) + timedelta(rng.randrange(365))
        month = MONTHS[self.language].split()[day.month - 1]
        ends = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
        codes = {
            "d": str(day.day),
            "D": f"{day.day:02}",
            "m": str(day.month),
            "M": f"{day.month:02}",
            "Y": str(day.year),
            "s": f"{day.year % 100:02}",
            "O": f"{day.day}{ends.get(day.day, 'th')}",
            "W": _ORDINALS[day.day - 1],
            "B": month,
            "b": month[:3],
            "A": _WEEKDAYS[day.weekday()],
            "a": _WEEKDAYS[day.weekday()][:3],
        }
        form = rng.choice(list(forms))
        # Only single letters are codes: "of" and "the" stay.
        return re.sub(
            r"(?<![A-Za-z])[dDmMYsOWBbAa](?![A-Za-z])", lambda m: codes[m[0]], form
        )

    def date(self) -> str:
        if self.language != "en":
            return self._date(LOCAL_DATES)
        return self._date(FULL_DATES if self.chance(0.75) else PART_DATES, 1995)

    def dob(self) -> str:
        forms = FULL_DATES if self.language == "en" else LOCAL_DATES[:6]
        return self._date(forms, 1930, 2008)

    def weekday_date(self) -> str:
        return self._date(["A, B d", "A d B", "A, d B Y", "a, b d"])

    def isodate(self) -> str:
        return self._date(["Y-M-D"], 2000)

    def _moment(self) -> datetime:
        start = datetime(2015, 1, 1, tzinfo=timezone.utc)
        return start + timedelta(seconds=self.rng.randrange(3 * 10**8))

    def isodt(self) -> str:
        form = self.pick(
            "%Y-%m-%dT%H:%M:%SZ",
            "%Y-%m-%d %H:%M:%S",
            "%Y-%m-%d %H:%M:%S,123",
            "%Y-%m-%dT%H:%M:%S.%f",
            "%Y-%m-%dT%H:%M:%S+02:00",
        )
        return self._moment().strftime(form)

    def clfdt(self) -> str:
        return self._moment().strftime("%d/%b/%Y:%H:%M:%S +0000")

    def syslogdt(self) -> str:
        return self._moment().strftime("%b %d %H:%M:%S")

    def gitdt(self) -> str:
        return self._moment().strftime("%a %b %d %H:%M:%S %Y +0200")

    def rfcdate(self) -> str:
        return self._moment().strftime("%a, %d %b %Y %H:%M:%S +0000")

    def time(self) -> str:
        hour, minute = self.rng.randrange(24), self.rng.randrange(60)
        if self.language != "en":
            forms = [f"{hour}:{minute:02}", f"{hour}.{minute:02}", f"{hour}:00"]
            if self.language in ("fr", "pt"):
                forms = [f"{hour}h{minute:02}", f"{hour}:{minute:02}", f"{hour}h"]
            return self.rng.choice(forms)
        half = "ap"[hour > 11]
        codes = {
            "H": f"{hour:02}",
            "h": str(hour % 12 or 12),
            "M": f"{minute:02}",
            "S": f"{self.rng.randrange(60):02}",
            "f": self.n(3),
            "p": f"{half}m",
            "P": f"{half}m".upper(),
            "d": f"{half}.m.",
            "Z": self.pick("UTC", "CET", "GMT", "EST"),
            "W": _HOURS[hour % 12],
        }
        form = self.rng.choice(TIMES)
        if " in " in form or " past " in form or " to " in form:
            return re.sub(r"\b[hMW]\b", lambda m: codes[m[0]], form)
        if form == "HhM":
            return f"{codes['H']}h{codes['M']}"
        return "".join(
            codes.get(c, c) if c != "h" or i == 0 else c for i, c in enumerate(form)
        )

    def year(self) -> str:
        return str(self.rng.randrange(1940, 2025))

    def expiry(self) -> str:
        return self.fake("en_US").credit_card_expire()

    # What is no identifier

    def n(self, size: int) -> str:
        first = self.rng.choice(string.digits[1:])
        return first + "".join(self.rng.choices(string.digits, k=size - 1))

    def cvv(self) -> str:
        return self.n(3)

    def last4(self) -> str:
        return self.n(4)

    def houseno(self) -> str:
        return self.n(2)

    def port(self) -> str:
        return str(self.rng.randrange(1024, 65_000))

    def version(self) -> str:
        sizes = self.pick((1, 1), (1, 2, 1), (2, 1, 3), (1, 1, 1, 1), (1, 2, 4))
        value = ".".join(self.n(k) for k in sizes)
        return self.pick("", "", "v") + value + self.pick("", "", "", "-rc1", "b2")

    def decimal(self) -> str:
        size = self.pick(1, 2, 3, 4, 6)
        return self.pick(
            f"{self.n(self.pick(1, 2, 3))}.{self.n(size)}", f"0.{self.n(size)}"
        )

    def percent(self) -> str:
        return self.pick(
            f"{self.n(2)}%", f"{self.n(1)}.{self.n(1)} %", f"{self.n(2)} percent"
        )

    def measure(self) -> str:
        unit = self.pick(
            "kg", "cm", "ml", "miles", "mg", "m²", "kWh", "litres", "GB", "ft"
        )
        return f"{self.pick(self.n(2), self.n(3), f'{self.n(2)}.{self.n(1)}')} {unit}"

    def temp(self) -> str:
        return self.pick(
            f"{self.n(2)}.{self.n(1)}°C", f"{self.n(2)} °F", f"-{self.n(1)}°"
        )

    def epoch(self) -> str:
        return self.pick("1" + self.n(9), "1" + self.n(12), f"1{self.n(9)}.{self.n(6)}")

    def isbn(self) -> str:
        f = self.fake("en_US")
        return self.pick(f.isbn13(), f.isbn10(), f.isbn13(separator=" "))

    def hash(self) -> str:
        f = self.fake("en_US")
        return self.pick(f.md5(), f.sha1(), f.sha256(), f.sha1()[:8])

    def hex(self) -> str:
        return "".join(self.rng.choices("0123456789abcdef", k=self.pick(8, 12, 16)))

    def uuid(self) -> str:
        return self.fake("en_US").uuid4()

    def msgid(self) -> str:
        return f"{self.hex()}.{self.n(4)}@{self.domain()}"

    def score(self) -> str:
        return self.pick(
            f"{self.n(1)}-{self.n(1)}", f"{self.n(2)}:{self.n(2)}", "6-4 7-5 6-3"
        )

    def section(self) -> str:
        return self.pick(
            f"{self.n(1)}.{self.n(1)}",
            f"{self.n(2)}({self.n(1)})(a)",
            f"{self.n(1)}.{self.n(1)}.{self.n(2)}",
            f"{self.n(3)}-{self.n(2)}",
        )

    def filename(self) -> str:
        f = self.fake("en_US")
        plain = f.file_name()
        return self.pick(
            plain, f"report_{self.n(4)}.pdf", f"IMG_{self.n(4)}.jpg", "main.py"
        )

    def ext(self) -> str:
        return self.pick("tar.gz", "txt", "md", "csv", "js")

    def path(self) -> str:
        return self.fake("en_US").uri_path() + self.pick("", ".html", ".php")

    def bigint(self) -> str:
        value = self.rng.randrange(10**3, 10 ** self.pick(5, 7, 9))
        return self.pick(str(value), f"{value:,}", f"{value:,}".replace(",", " "))

    def sku(self) -> str:
        return pattern(self.rng, self.pick("@@-####-#", "@##-###", "####-@@", "@@@###"))

    def doi(self) -> str:
        return self.fake("en_US").doi()

    def amount(self) -> str:
        return f"{self.n(self.pick(2, 3, 4))}.{self.n(2)}"

    def ordinal(self) -> str:
        return self.pick("1st", "2nd", "3rd", "5th", "15th")

    def space(self) -> str:
        return self.pick(" ", "  ", "\n", "\t", ", ", "; ")

    def person(self) -> str:
        return self._name("name")

    def first(self) -> str:
        return self._name("first_name")

    def last(self) -> str:
        return self._name("last_name")

    def _name(self, kind: str) -> str:
        locale = self.locale if self.language != "en" or self.chance(0.5) else "en_US"
        return getattr(self.fake(locale), kind)()

    def org(self) -> str:
        return self.fake("en_US").company()

    def job(self) -> str:
        return self.fake("en_US").job().lower()

    def state(self) -> str:
        return self.fake("en_US").state()

    def nation(self) -> str:
        return COUNTRIES[self.home].names.split("|")[0]


# Slots whose name is not that of a method of `Values`.
ALIASES = {"country": "nation"}
SLOT_TYPES = {
    **{
        slot: slot.upper()
        for slot in (
            "email url domain ip mac iban bic card crypto phone ssn passport plate vin "
            "postcode address date time age money username password"
        ).split()
    },
    **dict.fromkeys(["ipv6"], "IP"),
    **dict.fromkeys(["obfuscated"], "EMAIL"),
    **dict.fromkeys(["handle"], "USERNAME"),
    **dict.fromkeys(["apikey"], "PASSWORD"),
    **dict.fromkeys(["taxid", "ein", "itin"], "TAX_ID"),
    **dict.fromkeys(["healthid"], "HEALTH_ID"),
    **dict.fromkeys(["licence"], "DRIVER_LICENCE"),
    **dict.fromkeys(["street", "addressblock", "pobox"], "ADDRESS"),
    **dict.fromkeys(["account"], "ACCOUNT"),
    **dict.fromkeys(["coords"], "COORDINATES"),
    **dict.fromkeys(["dob", "isodate", "weekday_date"], "DATE"),
    **dict.fromkeys(["isodt", "clfdt", "syslogdt", "gitdt", "rfcdate"], "DATETIME"),
    **dict.fromkeys(["agenum"], "AGE"),
    **dict.fromkeys(["case"], "CASE_NUMBER"),
    **dict.fromkeys(["record", "mrn", "invoice", "order"], "RECORD_NUMBER"),
    **dict.fromkeys(["year", "expiry", "cvv", "last4", "houseno", "msgid"], IGNORE),
    **dict.fromkeys(["routing", "sortcode", "netmask", "btc"], IGNORE),
    **dict.fromkeys(["amount", "ordinal", "city", "country", "state"], IGNORE),
}
# Types whose values stay what they are in another case.
_CASELESS = {"ADDRESS", "DATE", "EMAIL", "POSTCODE", "DOMAIN", "PLATE", "AGE", "TIME"}


def _base58(rng: random.Random, version: int, alphabet: str) -> str:
    """A Bitcoin address of the older form with a valid checksum."""
    from hashlib import sha256

    data = bytes([version]) + rng.randbytes(20)
    data += sha256(sha256(data).digest()).digest()[:4]
    number, out = int.from_bytes(data, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        out = alphabet[rest] + out
    zeros = len(data) - len(data.lstrip(b"\0"))
    return "1" * zeros + out


def _bech32(rng: random.Random) -> str:
    """A Bitcoin address of the newer form with a valid checksum."""
    alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    data = [0, *(rng.randrange(32) for _ in range(32))]
    # 20 bytes in groups of five bits are 32 groups without padding.

    def polymod(values: Iterable[int]) -> int:
        check = 1
        for value in values:
            top = check >> 25
            check = (check & 0x1FFFFFF) << 5 ^ value
            generator = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
            for i, part in enumerate(generator):
                check ^= part if top >> i & 1 else 0
        return check

    head = [ord(c) >> 5 for c in "bc"] + [0] + [ord(c) & 31 for c in "bc"]
    mod = polymod([*head, *data, 0, 0, 0, 0, 0, 0]) ^ 1
    data += [mod >> 5 * (5 - i) & 31 for i in range(6)]
    return "bc1" + "".join(alphabet[d] for d in data)


@cache
def _iban_countries() -> list[tuple[str, str]]:
    """Countries of the IBAN registry with the form of their account numbers."""
    from stdnum.iban import _ibandb

    out = []
    for a in string.ascii_uppercase:
        for b in string.ascii_uppercase:
            info = _ibandb.info(f"{a}{b}00")[0][1]
            if "bban" in info:
                out.append((f"{a}{b}", info["bban"]))
    return out


SLOT = re.compile(r"\{([a-z]\w*)\}")


def read_templates(split: str) -> list[tuple[str, str, str]]:
    """Templates of one half: style, language, template.

    split (str): `dev` or `test`.
    RETURNS (list[tuple]): Every second template of each file.
    """
    out = []
    for path in sorted(TEMPLATES.glob("*.txt")):
        lines = [x for x in path.read_text(encoding="utf8").split("\n") if x.strip()]
        for line in lines[list(SEEDS).index(split) :: 2]:
            out.append((path.stem, path.stem[:2], line))
    return out


def _slot_value(values: Values, slot: str) -> tuple[str, str | None]:
    """Value and type of a slot."""
    number = re.fullmatch(r"n(\d)[a-z]?", slot)
    if number:
        return values.n(int(number[1])), None
    name = slot if slot == "ipv6" else slot.rstrip(string.digits)
    made = getattr(values, ALIASES.get(name, name))()
    if isinstance(made, tuple):
        return made
    return made, SLOT_TYPES.get(name)


def render(
    template: str, values: Values, case: Callable[[str], str] | None
) -> Document:
    """Fill a template.

    template (str): Text with slots in braces; a backslash with n or t stands for what
        it does in Python.
    values (Values): Where the values come from.
    case (Optional[Callable]): Changes the case of the text and of values to which case
        means nothing.
    RETURNS (Document): The document, without style.
    """
    text, gold = "", []
    parts = SLOT.split(template.replace("\\n", "\n").replace("\\t", "\t"))
    for i, part in enumerate(parts):
        if i % 2 == 0:
            text += case(part) if case else part
            continue
        value, kind = _slot_value(values, part)
        if case and (kind is None or kind in _CASELESS):
            value = case(value)
        if kind is not None and value:
            gold.append(Gold(len(text), len(text) + len(value), kind))
        text += value
    return Document(text, gold, "", template)


def generate(split: str, size: int, seed: int | None = None) -> Iterator[Document]:
    """Generate documents.

    split (str): `dev` or `test`.
    size (int): How many.
    seed (Optional[int]): Seed; that of the split by default.
    YIELDS (Document): The documents; each template is used about equally often.
    """
    rng = random.Random(SEEDS[split] if seed is None else seed)
    templates = read_templates(split)
    order: list[tuple[str, str, str]] = []
    for _ in range(size):
        if not order:
            order = rng.sample(templates, len(templates))
        style, language, template = order.pop()
        case = rng.choices((None, str.lower, str.upper), (88, 8, 4))[0]
        document = render(template, Values(rng, language), case)
        yield document._replace(style=style)


# What is compared

System = Callable[[list[str]], Iterator[list[Found]]]


def make_own() -> System:
    """Patterns and terms of this package on a blank English pipeline."""
    import spacy

    nlp = spacy.blank(
        "en",
        config={"nlp": {"tokenizer": {"@tokenizers": "spacy_deid.tokenizer.v1"}}},
    )
    nlp.add_pipe("pii_gazetteer")

    def run(texts: list[str]) -> Iterator[list[Found]]:
        for doc in nlp.pipe(texts):
            group = doc.spans["pii"]
            sources = group.attrs.get("sources", [""] * len(group))
            yield [
                Found(span.start_char, span.end_char, span.id_, source)
                for span, source in zip(group, sources)
            ]

    return run


PRESIDIO = {
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IP",
    "MAC_ADDRESS": "MAC",
    "CREDIT_CARD": "CARD",
    "IBAN_CODE": "IBAN",
    "CRYPTO": "CRYPTO",
    "PHONE_NUMBER": "PHONE",
    "DATE_TIME": "DATE",
    "US_SSN": "NATIONAL_ID",
    "US_ITIN": "TAX_ID",
    "US_PASSPORT": "PASSPORT",
    "US_DRIVER_LICENSE": "DRIVER_LICENCE",
    "US_BANK_NUMBER": "ACCOUNT",
    "UK_NHS": "HEALTH_ID",
    "MEDICAL_LICENSE": "HEALTH_ID",
}


def make_presidio() -> System | None:
    """Presidio's default recognizers of patterns; `None` where it is not installed."""
    try:
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.nlp_engine import SpacyNlpEngine
    except ImportError:
        return None
    import logging

    import spacy

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    engine = SpacyNlpEngine()
    engine.nlp = {"en": spacy.blank("en")}  # type: ignore[assignment]
    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    registry.remove_recognizer("SpacyRecognizer")
    analyzer = AnalyzerEngine(nlp_engine=engine, registry=registry)

    def run(texts: list[str]) -> Iterator[list[Found]]:
        for text in texts:
            yield [
                Found(
                    r.start,
                    r.end,
                    PRESIDIO.get(r.entity_type, "NATIONAL_ID"),
                    r.entity_type,
                )
                for r in analyzer.analyze(text, language="en", score_threshold=0.4)
            ]

    return run


class Miss(NamedTuple):
    """A value not found, or a hit that is wrong.

    type (str): Type of the value or subtype of the hit.
    kind (str): `missed`, `part`, `type`, `false` or `other`.
    document (Document): Where.
    start (int): First character.
    end (int): Character after the last.
    found (str): Subtypes found there.
    """

    type: str
    kind: str
    document: Document
    start: int
    end: int
    found: str


@dataclass
class Counts:
    """What was counted.

    gold (Counter): Values by type.
    covered (Counter): Those all of whose characters are covered.
    typed (Counter): Those overlapped by a hit of a compatible type.
    right (Counter): Right hits by subtype.
    false (Counter): False alarms by subtype.
    other (Counter): Hits on values of another type, by subtype.
    confusions (Counter): The same, by subtype and type.
    misses (list[Miss]): All that is wrong.
    """

    gold: Counter[str] = field(default_factory=Counter)
    covered: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    other: Counter[str] = field(default_factory=Counter)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)


def _subtype(found: Found) -> str:
    return "SSN" if found.detail.partition(":")[2] == "US_SSN" else found.subtype


def count(documents: Iterable[Document], system: System) -> Counts:
    """Run a system on documents and count.

    documents (Iterable[Document]): The documents.
    system (Callable): Gives the hits of each text.
    RETURNS (Counts): The counts.
    """
    documents = list(documents)
    out = Counts()
    for document, hits in zip(documents, system([d.text for d in documents])):
        _count_values(out, document, hits)
        _count_hits(out, document, hits)
    return out


def _count_values(out: Counts, document: Document, hits: list[Found]) -> None:
    covered = {i for h in hits for i in range(h.start, h.end)}
    for gold in document.gold:
        if gold.type == IGNORE:
            continue
        loose = gold.type in LOOSE
        chars = {
            i
            for i in range(gold.start, gold.end)
            if (document.text[i].isalnum() if loose else not document.text[i].isspace())
        }
        at = [h for h in hits if h.start < gold.end and gold.start < h.end]
        whole = chars <= covered
        typed = any(h.subtype in COMPATIBLE[gold.type] for h in at)
        out.gold[gold.type] += 1
        out.covered[gold.type] += whole
        out.typed[gold.type] += typed
        if not (whole and typed):
            kind = "type" if whole else "part" if at else "missed"
            names = ", ".join(
                f"{h.subtype}@{document.text[h.start : h.end]!r}" for h in at
            )
            out.misses.append(
                Miss(gold.type, kind, document, gold.start, gold.end, names)
            )


def _count_hits(out: Counts, document: Document, hits: list[Found]) -> None:
    for h in hits:
        if h.subtype not in MEASURED:
            continue
        subtype = _subtype(h)
        at = [g for g in document.gold if g.start < h.end and h.start < g.end]
        values = [g for g in at if g.type != IGNORE]
        if any(h.subtype in COMPATIBLE[g.type] for g in values):
            out.right[subtype] += 1
        elif values:
            out.other[subtype] += 1
            out.confusions[subtype, values[0].type] += 1
            miss = Miss(subtype, "other", document, h.start, h.end, values[0].type)
            out.misses.append(miss)
        elif not at:
            out.false[subtype] += 1
            out.misses.append(
                Miss(subtype, "false", document, h.start, h.end, h.detail)
            )


def figures(counts: Counts) -> dict[str, dict[str, float | int | None]]:
    """Recall and precision by type.

    counts (Counts): What was counted.
    RETURNS (dict): Figures by type; `None` where there is nothing to divide by.
    """

    def share(part: int, whole: int) -> float | None:
        return round(part / whole, 3) if whole else None

    out = {}
    names = {*counts.gold, *counts.right, *counts.false, *counts.other}
    for name in sorted(names):
        right, false = counts.right[name], counts.false[name]
        other = counts.other[name]
        out[name] = {
            "values": counts.gold[name],
            "covered": share(counts.covered[name], counts.gold[name]),
            "typed": share(counts.typed[name], counts.gold[name]),
            "hits": right + false + other,
            "precision": share(right, right + false),
            "precision_typed": share(right, right + false + other),
            "false": false,
            "other": other,
        }
    return out


def table(rows: dict[str, dict[str, float | int | None]]) -> str:
    """The figures as text.

    rows (dict): Figures by type.
    RETURNS (str): One line a type.
    """
    names = list(next(iter(rows.values())))
    lines = [f"{'':16}" + "".join(f"{name:>16}" for name in names)]
    for kind, row in rows.items():
        cells = "".join(f"{'' if v is None else v:>16}" for v in row.values())
        lines.append(f"{kind:16}{cells}")
    return "\n".join(lines)


def show(miss: Miss, width: int = 60) -> str:
    """A miss in its context, with the value between guillemets."""
    text, start, end = miss.document.text, miss.start, miss.end
    left, right = text[max(0, start - width) : start], text[end : end + width]
    context = f"{left}»{text[start:end]}«{right}".replace("\n", "⏎")
    return f"{miss.type} {miss.kind} [{miss.document.style}] {context}  | {miss.found}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--split", choices=sorted(SEEDS), default="dev")
    parser.add_argument("--documents", type=int, default=4000)
    parser.add_argument("--seed", type=int, help="instead of that of the split")
    parser.add_argument("--presidio", action="store_true", help="compare with Presidio")
    parser.add_argument("--misses", metavar="TYPE", help="show what is wrong of a type")
    parser.add_argument("--kind", help="missed, part, type, false or other")
    parser.add_argument("-n", type=int, default=40, help="how many to show")
    parser.add_argument("--show", type=int, default=0, help="show some documents")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()

    documents = list(generate(args.split, args.documents, args.seed))
    for document in documents[: args.show]:
        marked = document.text
        for g in reversed(document.gold):
            marked = f"{marked[: g.start]}[{g.type} {marked[g.start : g.end]}]{marked[g.end :]}"
        print(f"--- {document.style}\n{marked}")
    if args.show:
        return
    systems = {"spacy_deid": make_own}
    if args.presidio:
        systems["presidio"] = make_presidio  # type: ignore[assignment]
    results = {}
    for name, make in systems.items():
        system = make()
        if system is None:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        counts = count(documents, system)
        results[name] = figures(counts)
        print(f"{name}: {args.documents} documents, split {args.split}")
        if args.misses:
            chosen = [
                m
                for m in counts.misses
                if m.type == args.misses and args.kind in (None, m.kind)
            ]
            print(f"{len(chosen)} of {args.misses}")
            for miss in chosen[: args.n]:
                print(show(miss))
        else:
            print(table(results[name]))
            by_pair: dict[str, list[str]] = defaultdict(list)
            for (subtype, kind), n in counts.confusions.most_common():
                by_pair[subtype].append(f"{kind} {n}")
            for subtype, kinds in sorted(by_pair.items()):
                print(f"{subtype} found in: {', '.join(kinds)}")
    if args.json:
        args.json.write_text(json.dumps(results, indent=2), encoding="utf8")


if __name__ == "__main__":
    main()
