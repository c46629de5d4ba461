"""National identity, social security, tax, health, passport and licence numbers.

Formats and check digits are judged by python-stdnum. Numbers of digits only need
their name nearby, since every tenth random number passes a check digit.
"""

from __future__ import annotations

import importlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

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
    occurrences,
)


class _Spec(NamedTuple):
    """One country's number.

    name (str): Detail for the source of a hit; begins with the country.
    module (str): Module of python-stdnum that validates it, or "".
    pattern (str): Its form, without boundaries.
    context (str): Regex of words that name it.
    alone (float): Score of a valid number without its name; 0 if the name is needed.
    subtype (str): Subtype of the hit.
    """

    name: str
    module: str
    pattern: str
    context: str
    alone: float = 0.0
    subtype: str = "NATIONAL_ID"


_SPECS = (
    _Spec("US_SSN", "us.ssn", r"[0-9]{3}([- ])[0-9]{2}\1[0-9]{4}|[0-9]{9}", r"ssn|social.?sec|soc\.? sec", 0.85),
    _Spec("US_ITIN", "us.itin", r"9[0-9]{2}-?[0-9]{2}-?[0-9]{4}", r"itin|tax", 0.0, "TAX_ID"),
    _Spec("US_EIN", "us.ein", r"[0-9]{2}-?[0-9]{7}", r"\bein\b|employer id|tax|fein", 0.0, "TAX_ID"),
    _Spec("GB_NINO", "", r"(?!BG|GB|KN|NK|NT|TN)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?[0-9]{2}){3} ?[A-D]", r"nino|national insurance|\bni\b|n\.i\.", 0.85),
    _Spec("GB_NHS", "gb.nhs", r"[0-9]{3}([ -]?)[0-9]{3}\1[0-9]{4}", r"\bnhs\b|health service", 0.0, "HEALTH_ID"),
    _Spec("GB_UTR", "gb.utr", r"[0-9]{10}K?", r"\butr\b|unique taxpayer", 0.0, "TAX_ID"),
    _Spec("DE_IDNR", "de.idnr", r"[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", r"steuer|idnr|tin\b|tax id|identifikationsnummer", 0.0, "TAX_ID"),
    _Spec("DE_RVNR", "", r"[0-9]{2} ?[0-9]{6} ?[A-Z] ?[0-9]{3}", r"rentenversicherung|sozialversicherung|rvnr|svnr|pension insurance", 0.5),
    _Spec("FR_NIR", "fr.nir", r"[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}", r"nir\b|sécurité sociale|securite sociale|insee|social security", 0.85),
    _Spec("FR_NIF", "fr.nif", r"[0-3][0-9] ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", r"fiscal|\bnif\b|spi\b|tax", 0.0, "TAX_ID"),
    _Spec("ES_DNI", "es.dni", r"[0-9]{8}[ -]?[A-HJ-NP-TV-Z]|[0-9]{2}\.[0-9]{3}\.[0-9]{3}[ -]?[A-HJ-NP-TV-Z]", r"\bdni\b|\bnif\b|documento|identidad", 0.85),
    _Spec("ES_NIE", "es.nie", r"[XYZ][ -]?[0-9]{7}[ -]?[A-HJ-NP-TV-Z]", r"\bnie\b|extranjero", 0.85),
    _Spec("IT_CODICE_FISCALE", "it.codicefiscale", r"[A-Z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]", r"codice fiscale|c\.f\.|fiscal code|\bcf\b", 0.9),
    _Spec("NL_BSN", "nl.bsn", r"[0-9]{4}([. ]?)[0-9]{2}\1[0-9]{3}|[0-9]{3}([. ]?)[0-9]{3}\2[0-9]{3}|[0-9]{9}", r"\bbsn\b|burgerservice|sofi"),
    _Spec("BE_NN", "be.nn", r"[0-9]{2}\.[01][0-9]\.[0-3][0-9]-[0-9]{3}\.[0-9]{2}|[0-9]{11}", r"rijksregister|registre national|national number|\bnn\b|nrn|insz|niss", 0.85),
    _Spec("PL_PESEL", "pl.pesel", r"[0-9]{11}", r"pesel"),
    _Spec("PL_NIP", "pl.nip", r"[0-9]{3}-?[0-9]{3}-?[0-9]{2}-?[0-9]{2}|[0-9]{3}-[0-9]{2}-[0-9]{2}-[0-9]{3}", r"\bnip\b|podatkow", 0.0, "TAX_ID"),
    _Spec("SE_PERSONNUMMER", "se.personnummer", r"(?:19|20)?[0-9]{6}[-+]?[0-9]{4}", r"personn|person nr|personal (?:identity )?number|pnr", 0.75),
    _Spec("NO_FODSELSNUMMER", "no.fodselsnummer", r"[0-9]{6} ?[0-9]{5}", r"f[øo]dselsn|personnummer|fnr|national identity"),
    _Spec("DK_CPR", "dk.cpr", r"[0-3][0-9][01][0-9][0-9]{2}[- ]?[0-9]{4}", r"\bcpr\b|personnummer|cpr-nummer", 0.6),
    _Spec("FI_HETU", "fi.hetu", r"[0-3][0-9][01][0-9][0-9]{2}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y]", r"hetu|henkilötunnus|personbeteckning", 0.9),
    _Spec("CH_AHV", "ch.ssn", r"756[. ]?[0-9]{4}[. ]?[0-9]{4}[. ]?[0-9]{2}", r"ahv|avs|social sec|sozialvers", 0.9),
    _Spec("AT_VNR", "at.vnr", r"[0-9]{4} ?[0-3][0-9][01][0-9][0-9]{2}", r"svnr|sozialversicherung|versicherungsnummer|\bsv\b|vnr"),
    _Spec("AT_TIN", "at.tin", r"[0-9]{2}-?[0-9]{3}/?[0-9]{4}", r"steuernummer|abgabenkonto|tax", 0.0, "TAX_ID"),
    _Spec("PT_NIF", "pt.nif", r"[1-35689][0-9]{2} ?[0-9]{3} ?[0-9]{3}", r"\bnif\b|contribuinte|fiscal", 0.0, "TAX_ID"),
    _Spec("IE_PPS", "ie.pps", r"[0-9]{7}[A-W][A-IW]?", r"\bpps|personal public service|\bpps ?n", 0.75),
    _Spec("CA_SIN", "ca.sin", r"[0-9]{3}([ -]?)[0-9]{3}\1[0-9]{3}", r"\bsin\b|social insurance|assurance sociale|\bnas\b"),
    _Spec("AU_TFN", "au.tfn", r"[0-9]{3} ?[0-9]{3} ?[0-9]{2,3}", r"\btfn\b|tax file", 0.0, "TAX_ID"),
    _Spec("AU_MEDICARE", "", r"[2-6][0-9]{3} ?[0-9]{5} ?[0-9](?:[ /-]?[0-9])?", r"medicare", 0.0, "HEALTH_ID"),
    _Spec("NZ_IRD", "nz.ird", r"[0-9]{2,3}-?[0-9]{3}-?[0-9]{3}", r"\bird\b|inland revenue", 0.0, "TAX_ID"),
    _Spec("BR_CPF", "br.cpf", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[0-9]{11}", r"\bcpf\b", 0.9),
    _Spec("IN_AADHAAR", "in_.aadhaar", r"[2-9][0-9]{3}([ -]?)[0-9]{4}\1[0-9]{4}", r"aadhaar|aadhar|uidai|\buid\b"),
    _Spec("IN_PAN", "in_.pan", r"[A-Z]{3}[ABCFGHLJPT][A-Z][0-9]{4}[A-Z]", r"\bpan\b|permanent account", 0.75, "TAX_ID"),
    _Spec("MX_CURP", "mx.curp", r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]", r"curp", 0.9),
    _Spec("MX_RFC", "mx.rfc", r"[A-ZÑ&]{4}[0-9]{6}[0-9A-Z]{3}", r"\brfc\b", 0.7, "TAX_ID"),
    _Spec("AR_DNI", "ar.dni", r"[0-9]{1,2}\.?[0-9]{3}\.?[0-9]{3}", r"\bdni\b|documento nacional"),
    _Spec("AR_CUIT", "ar.cuit", r"(?:20|23|24|27|30|33|34)-?[0-9]{8}-?[0-9]", r"cuit|cuil", 0.0, "TAX_ID"),
    _Spec("CL_RUT", "cl.rut", r"[0-9]{1,2}\.?[0-9]{3}\.?[0-9]{3}-[0-9Kk]", r"\brut\b|\brun\b", 0.7),
    _Spec("TR_TCKIMLIK", "tr.tckimlik", r"[1-9][0-9]{10}", r"kimlik|\btc\b|t\.c\.|turkish id"),
    _Spec("RO_CNP", "ro.cnp", r"[1-9][0-9]{12}", r"\bcnp\b|cod numeric"),
    _Spec("BG_EGN", "bg.egn", r"[0-9]{10}", r"\begn\b|егн"),
    _Spec("CZ_RC", "cz.rc", r"[0-9]{6}/?[0-9]{3,4}", r"rodné|rodne|\brč\b|birth number|r\.č\."),
    _Spec("HR_OIB", "hr.oib", r"[0-9]{11}", r"\boib\b"),
    _Spec("GR_AMKA", "gr.amka", r"[0-9]{11}", r"amka|αμκα"),
    _Spec("LT_ASMENS", "lt.asmens", r"[3-6][0-9]{10}", r"asmens"),
    _Spec("EE_IK", "ee.ik", r"[1-8][0-9]{10}", r"isikukood"),
    _Spec("LV_PK", "", r"[0-9]{6}-?[0-9]{5}", r"personas kods"),
    _Spec("IS_KENNITALA", "is_.kennitala", r"[0-9]{6}-?[0-9]{4}", r"kennitala"),
    _Spec("CN_RIC", "cn.ric", r"[1-9][0-9]{16}[0-9X]", r"身份证|resident id|identity", 0.8),
    _Spec("KR_RRN", "kr.rrn", r"[0-9]{6}-?[1-4][0-9]{6}", r"resident registration|rrn|주민", 0.8),
    _Spec("ZA_IDNR", "za.idnr", r"[0-9]{6} ?[0-9]{4} ?[0-9]{2} ?[0-9]|[0-9]{13}", r"\bid\b|identity"),
    _Spec("IL_IDNR", "il.idnr", r"[0-9]{9}|[0-9]-?[0-9]{7}-?[0-9]", r"teudat|zehut|identity"),
    _Spec("SI_EMSO", "si.emso", r"[0-9]{13}", r"em[šs]o|jmbg"),
    _Spec("TH_PIN", "th.pin", r"[1-8]-?[0-9]{4}-?[0-9]{5}-?[0-9]{2}-?[0-9]", r"thai|\bpin\b"),
    _Spec("MY_NRIC", "my.nric", r"[0-9]{6}-[0-9]{2}-[0-9]{4}|[0-9]{12}", r"nric|mykad|\bic\b", 0.7),
    _Spec("SG_NRIC", "", r"[STFGM][0-9]{7}[A-Z]", r"nric|\bfin\b|singapore", 0.6),
    _Spec("UA_RNTRC", "ua.rntrc", r"[0-9]{10}", r"рнокпп|рнтрц|податк|\brnokpp\b", 0.0, "TAX_ID"),
    _Spec("RU_SNILS", "", r"[0-9]{3}-[0-9]{3}-[0-9]{3} [0-9]{2}", r"снилс|snils", 0.8),
    _Spec("RU_INN", "", r"[0-9]{12}|[0-9]{10}", r"\bинн\b|\binn\b", 0.0, "TAX_ID"),
)  # fmt: skip

_ZONE = re.compile(r"[A-Z0-9](?<!\w.)(?:[ ./+-]?[A-Z0-9])+(?!\w)")
_ZONE_DIGITS = re.compile(r"(?:[0-9][^0-9]{0,2}){4}")
_GENERIC = re.compile(
    r"national (?:id|identi|number|insurance)|personal (?:id|code|number|identi)|identity (?:card|number|no|document)"
    r"|\bid (?:card|number|no\b|nr)|identification (?:number|no|code)|ausweis|personalausweis"
    r"|citizen(?:ship)? (?:id|number|card)|civil registration|social (?:security|insurance)"
)


def _passports(text: str) -> list[int]:
    return occurrences(text, "PASSPORT")


_NAMED = (
    (
        "PASSPORT",
        Anchored(
            r"[Pp](?<!\w.)(?i:assports?|asaporte|asseport|assaporto|aszport(?:u)?)|PASSPORT|R(?<!\w.)eisepass(?:nummer)?"
            r"|п(?<!\w.)аспорт\w{0,2}",
            "pas* rei* пас*",
            others=_passports,
        ),
        re.compile(
            r"[A-Z]{0,3}[ -]?[0-9][A-Z0-9]{4,11}(?!\w)|[0-9]{2}\s?[0-9]{2}\s[0-9]{6}(?!\w)"
        ),
        6,
    ),
    (
        "DRIVER_LICENCE",
        Anchored(
            r"[Dd](?<!\w.)(?i:riv(?:er'?s?'?|ing)[\s-]{1,2}licen[cs]es?|l(?=\s(?:no|num|#|:)|:))|[Ff](?<!\w.)(?i:ührerschein(?:nummer)?)"
            r"|[Pp](?<!\w.)(?i:ermis de conduire|ermiso de conduc(?:ir|ción)|atente(?: di guida)?)|D(?<!\w.)VLA"
            r"|L(?<!\w.)icen[cs]e(?=\s(?:[Nn]o|[Nn]umber|#|:))|D(?<!\w.)L(?=\s?(?:#|:|[Nn]o\b|[Nn]umber))",
            "dri* füh* per* pat* dvl* lic* dl dlno dlnumber",
        ),
        re.compile(
            r"[A-Z]{0,5}[0-9][A-Z0-9]{0,15}(?:[ -][A-Z0-9]{0,4}[0-9][A-Z0-9]{0,8}){0,4}(?!\w)|[A-Z9]{5}[0-9]{6}[A-Z0-9]{5}(?:\s?[0-9]{2})?(?!\w)"
        ),
        5,
    ),
    (
        "TAX_ID",
        Anchored(
            r"[Tt](?<!\w.)(?i:ax(?:payer)?(?:[\s-](?:id|identification|reference|payer))|in(?=\s?[:#]|\sno|\snum))|V(?<!\w.)AT(?=\s?(?:[Nn]o|[Nn]um|[Rr]eg|[Ii][Dd]|:|#))"
            r"|E(?<!\w.)IN\b|S(?<!\w.)teuer(?:nummer|-?ID|-?Nr\.?|identifikationsnummer)|U(?<!\w.)St-?Id(?:-?Nr\.?)?|P(?<!\w.)artita\sIVA|N(?<!\w.)IF\b|C(?<!\w.)IF\b|P(?<!\w.)\.\s?IVA|I(?<!\w.)NN\b|И(?<!\w.)НН\b",
            "tax* tin* vat* ein* ste* ust* par* nif* cif* inn* инн* p",
        ),
        re.compile(
            r"[A-Z]{0,3}[ -]?[0-9][0-9A-Z]{0,12}(?:[ ./-]?[0-9A-Z]{0,4}[0-9][0-9A-Z]{0,5}){0,5}(?!\w)"
        ),
        7,
    ),
    (
        "HEALTH_ID",
        Anchored(
            r"[Hh](?<!\w.)(?i:ealth[\s-](?:insurance|card|plan|care)(?:\s(?:member|beneficiary|card))?)|M(?<!\w.)edi(?:care|caid)|M(?<!\w.)BI\b|N(?<!\w.)PI\b|D(?<!\w.)EA\b"
            r"|[Nn](?<!\w.)(?i:hs)(?=\s(?:[Nn]o|[Nn]um|#|:)|:)|K(?<!\w.)rankenversicherten(?:nummer|-?[Nn]r\.?)|V(?<!\w.)ersicherten(?:nummer|-?[Nn]r\.?)|C(?<!\w.)IPA?\b|N(?<!\w.)ASS\b|E(?<!\w.)HIC\b|C(?<!\w.)arte\sVitale",
            "hea* med* mbi* npi* dea* nhs* kra* ver* cip* nas* ehi* car*",
        ),
        re.compile(
            r"[A-Z]{0,4}[0-9][A-Z0-9]{2,14}(?:[ /-][A-Z0-9]{0,4}[0-9][A-Z0-9]{0,5}){0,4}(?!\w)"
        ),
        6,
    ),
    (
        "NATIONAL_ID",
        Anchored(
            r"[Nn](?<!\w.)(?i:ational\s(?:id|identity|identification|insurance))|[Ii](?<!\w.)(?i:dentity\s(?:card|document)|d\s(?:card|number|no))"
            r"|[Pp](?<!\w.)(?i:ersonal\s(?:identification|identity|code)|ersonalausweis(?:nummer|nr\.?)?)|[Ss](?<!\w.)(?i:sn|ocial\s(?:security|insurance)|ozialversicherungsnummer)|D(?<!\w.)NI\b|C(?<!\w.)URP\b|P(?<!\w.)ESEL\b|B(?<!\w.)SN\b|A(?<!\w.)adha+r",
            "nat* ide* id per* ssn* soc* soz* dni* cur* pes* bsn* aad*",
        ),
        re.compile(
            r"[A-Z]{0,4}[0-9][A-Z0-9]{0,14}(?:[ ./-][A-Z0-9]{0,4}[0-9][A-Z0-9]{0,5}){0,4}(?!\w)"
        ),
        6,
    ),
)
_BETWEEN = re.compile(
    r"(?:[\s-](?i:no|nos|number|nr|num|id|card|cards|code|identification|reference|ref|insurance|registration|security|is|was|member|holder|issued|under|with"
    r"|document|series|serial|numéro|número|numero|nummer|de|of|the|his|her|my|beneficiary|#)\b\.?:?){0,5}\s?[:#=,(-]{0,2}\s{0,2}(?:[Nn][o°º]\.?\s?)?"
)


class _Compiled(NamedTuple):
    spec: _Spec
    pattern: re.Pattern[str]
    context: re.Pattern[str]
    valid: Callable[[str], bool] | None


def _compile(spec: _Spec) -> _Compiled:
    valid = None
    if spec.module:
        valid = importlib.import_module(f"stdnum.{spec.module}").is_valid
    return _Compiled(
        spec,
        re.compile(rf"(?<![\w.,/+-])(?:{spec.pattern})(?![\w]|[.,/+-][0-9])"),
        re.compile(spec.context),
        valid,
    )


def _scan(text: str, specs: Sequence[_Compiled]) -> Iterator[Hit]:
    seen: dict[tuple[str, str], bool] = {}
    for zone in _ZONE.finditer(text):
        if zone.end() - zone.start() < 7 or not _ZONE_DIGITS.search(zone[0]):
            continue
        for spec, pattern, context, valid in specs:
            for m in pattern.finditer(
                text, zone.start(), min(zone.end() + 2, len(text))
            ):
                key = (spec.name, m[0])
                ok = seen.get(key)
                if ok is None:
                    ok = seen[key] = valid is None or _is_valid(valid, m[0])
                left = before(text, m.start(), 64)
                named = bool(context.search(left))
                if named:
                    score = 0.97 if ok else 0.75
                elif not ok:
                    if spec.name != "US_SSN" or m[1] != "-":
                        continue
                    score = 0.6  # the form alone says enough
                elif _GENERIC.search(left):
                    score = max(0.7, spec.alone)
                elif (
                    spec.alone
                    and (spec.alone > 0.8 or not m[0].isdigit())
                    and not (m[0].isdigit() and len(m[0]) < 13)
                ):
                    score = spec.alone
                else:
                    continue
                yield hit(m.start(), m.end(), "CODE", spec.subtype, score, spec.name)


def _is_valid(valid: Callable[[str], bool], value: str) -> bool:
    try:
        return bool(valid(value))
    except Exception:
        # A validator that trips over odd digits must not hide the number.
        return True


def _named(text: str) -> Iterator[Hit]:
    for subtype, key, value, digits in _NAMED:
        for m in key.finditer(text):
            gap = _BETWEEN.match(text, m.end())
            v = value.match(text, gap.end()) if gap else None
            if (
                v
                and v.start() > m.end()
                and sum(c.isdigit() for c in v[0]) >= min(digits, 4)
                and len(v[0]) >= digits
            ):
                yield hit(v.start(), v.end(), "CODE", subtype, 0.8)


def _overlaps(hits: Sequence[Hit], other: Hit) -> bool:
    """Whether any of the hits, sorted and apart, overlaps another one."""
    i = bisect_left(hits, (other.end,))
    return i > 0 and hits[i - 1].end > other.start


@registry.deid_patterns("spacy_deid.national_id_patterns.v1")
def make_national_id_patterns(countries: Sequence[str] | None = None) -> Recognizer:
    """Identity, social security, tax, health, passport and licence numbers.

    countries (Sequence[str]): ISO codes of the countries to look for; all that are
        known by default.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If nothing is known about a country.
    """
    known = {spec.name[:2] for spec in _SPECS}
    wanted = known if countries is None else {c.upper() for c in countries}
    if wanted - known:
        raise ValueError(f"no national ids known for {sorted(wanted - known)}")
    specs = [_compile(spec) for spec in _SPECS if spec.name[:2] in wanted]

    def find(text: str) -> list[Hit]:
        if not has_digits(text):
            return []
        exact = drop_covered(list(_scan(text, specs)))
        # What a country's own pattern found bounds what stands next to a name.
        named = [h for h in drop_covered(list(_named(text))) if not _overlaps(exact, h)]
        return sorted([*exact, *named])

    return PatternRecognizer(find)
