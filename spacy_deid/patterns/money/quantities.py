"""Money, percentages, measures and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import (
    THOUSANDS,
    Anchored,
    Anchors,
    Hit,
    PatternRecognizer,
    Recognizer,
    drop_covered,
    has_digits,
    hit,
    word_trie,
)
from ..numbers import START, word_runs

# ISO 4217, and the codes it has retired that still stand in documents.
_CODES = """AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB
BRL BSD BTN BWP BYN BYR BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP
ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD
IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL
MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP
PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLL SOS SRD SSP STN SYP SZL
THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF
YER ZAR ZMW ZWL CLF CUC MRU SLE SVC VEF XCG ATS BEF BGL CSK CYP DEM ECU EEK ESP FIM FRF GRD HRD IEP ITL LTL LUF LVL
MTL NLG PLZ PTE ROL RUR SIT SKK SUR TRL YTL YUM YUD XEU USDT BTC ETH"""
_NAMES = """euro euros dollar dollars pound pounds pounds_sterling sterling pence cent cents
penny franc francs mark marks deutschmark deutschmarks deutsche_marks lira liras lire zloty
zlotys zlotych złoty złotych schilling schillings shilling shillings krone kroner krona
kronor crown crowns koruna koruny rouble roubles ruble rubles hryvnia hryvnias hryvnya
hryvnyas leu lei lev leva levs dinar dinars drachma drachmas drachmae peseta pesetas escudo
escudos guilder guilders markka forint forints kuna kunas tolar tolars litas lats kroon
kroons manat manats dram drams lari laris lek leks denar denars yen yuan renminbi rupee
rupees peso pesos real reais riyal riyals rial rials dirham dirhams shekel shekels won baht
rand rands naira ringgit bitcoin bitcoins bucks quid grand rubel pfund karbovanets
karbovantsi ECU ECUs tenge som soms kwanza kwacha cedi cedis birr dalasi pula loonie
rupiah taka dong kip baht tugrik afghani bolivar bolivares lempira quetzal cordoba colon
colones guarani guaranies sucre sol soles euró рублей рубля рубль гривен гривны долларов
доллара euros dólares libras"""
# Short names of currencies beside figures: after them, before them.
_SHORT_AFTER = "kr zł Kč Ft лв руб грн ден lei Fr fr Rs Dhs dh p c"
_SHORT_BEFORE = "Rs INR RM Rp kr Kr Fr Bs Dhs Sh KSh Ksh TSh USh Php"
_ADJECTIVES = """Albanian Algerian American Argentine Argentinian Armenian Australian
Austrian Azerbaijani Bahraini Bangladeshi Belarusian Belgian Bolivian Bosnian Brazilian
British Bulgarian CFA Canadian Chilean Chinese Colombian Croatian Cypriot Czech
Czechoslovak Danish Deutsch Deutsche Dutch East_German GDR Egyptian Emirati Estonian Ethiopian Finnish French
Georgian German Ghanaian Greek Hong_Kong Hungarian Icelandic Indian Indonesian Iranian
Iraqi Irish Israeli Italian Jamaican Japanese Jordanian Kazakh Kenyan Kuwaiti Latvian
Lebanese Libyan Lithuanian Luxembourg Macedonian Malaysian Maltese Mexican Moldovan
Moroccan New_Zealand Nigerian Norwegian Omani Pakistani Peruvian Philippine Polish
Portuguese Qatari Romanian Russian Saudi Serbian Singapore Slovak Slovenian South_African
South_Korean Spanish Sri_Lankan Swedish Swiss Taiwan Tanzanian Thai Tunisian Turkish US
Ugandan Ukrainian United_States Uruguayan Uzbek Venezuelan Vietnamese West_German Yugoslav Zambian"""
_SYMBOLS = "$€£¥฿₣₤₦₧₨₩₪₫₭₮₱₲₴₵₸₹₺₽₿"
_SYMBOL = rf"(?:(?:US|A|AU|C|CA|NZ|HK|S|R|MX|NT)?\$|[{_SYMBOLS}])"

_START = START
_REST = r"[0-9]{0,15}(?![0-9])(?:[., '][0-9]{3}(?![0-9])){0,6}(?![., '][0-9]{3}(?![0-9]))(?:[.,][0-9]{1,6}(?![0-9])|\.-)?"
_NUM = rf"{_START}{_REST}"
_NUM2 = rf"[0-9]{_REST}"
_SCALES = """hundred thousand million billion trillion millions billions millionen
milliarden millions milliards millones miljoen miljard mln mld mio mrd bln lakh lakhs crore
crores тыс млн млрд"""
_SCALE = (
    rf"(?:\s?(?:(?i:{'|'.join(dict.fromkeys(_SCALES.split()))})\b\.?|[kKmM]\b|[bB][nN]?\b"
    r"|[mMtT][nN]\b))?"
)
_CODE = word_trie(_CODES, ignore_case=False)
_NAME = word_trie(_NAMES)
# Nationality or the like before a currency's name: "New Turkish liras".
_ADJECTIVE = (
    r"(?:(?i:old|new)\s)?"
    rf"(?:(?i:{'|'.join(_ADJECTIVES.replace('_', '[ -]').split())})\s)?"
)
_PAREN = rf"(?:\s\((?:{_CODE}|euros?|{_SYMBOL})\))?"
_MORE = rf"(?:(?:\s?[-]\s?|\s(?:to|or)\s){_NUM2}{_SCALE})?"
_AFTER_KEYS = (
    *_CODES.lower().split(),
    *_NAMES.lower().replace("_", " ").split(),
    *_ADJECTIVES.lower().replace("_", " ").split(),
    *_SCALES.split(),
    *_SHORT_AFTER.lower().split(),
    "old new u of to or k m b bn mn tn . , ' - ¢ :- .- u.s",
    " ".join(_SYMBOLS),
    THOUSANDS,
)

_ANY_SYMBOL = re.compile(f"[{_SYMBOLS}]")


def _symbols(text: str) -> Iterator[int]:
    """Where signs of currencies may begin, with the letters of their countries."""
    for m in _ANY_SYMBOL.finditer(text):
        start = m.start()
        if m[0] == "$" and text[start - 1 : start].isalpha():
            yield from range(max(0, start - 2), start)
        yield start


_MONEY_BEFORE = Anchored(
    rf"(?<![\w$€£])(?:(?:{_CODE}|{_SYMBOL})\s?|(?:{'|'.join(_SHORT_BEFORE.split())})(?:\.\s?|\$\s?|\s|(?=[0-9]))"
    rf"|S/\.?\s?)(?:-\s?)?(?:{_NUM2}){_SCALE}(?:/-)?(?![\w]|/[0-9])"
    rf"(?:\s?-\s?{_NUM2}{_SCALE}(?![\w/-])|\sto\s{_NUM2}{_SCALE}(?!\w))?"
    rf"(?: (?:euros?|{_CODE})\b(?! ?[0-9])| \((?:euros?|{_CODE})\))?",
    _CODES,
    _SHORT_BEFORE,
    "s",
    others=_symbols,
)
_MONEY_AFTER = Anchored(
    rf"(?:{_NUM}{_SCALE}{_MORE})\s?(?:of\s)?(?=[^\W\d_]|[-:¢.{_SYMBOLS}])"
    rf"(?:(?<=[0-9\s.])(?:{_CODE}|[{_SYMBOLS}](?![0-9]))"
    rf"|(?<=[\s-]){_ADJECTIVE}(?i:{_NAME}){_PAREN}|(?<=[0-9\s])(?:(?:kr|zł|Kč|Ft|лв|руб|грн|ден|lei|Fr|Rs|Dhs)(?!\w)\.?"
    r"|(?<=[0-9])p(?!\w)|(?<=[0-9])¢|(?:(?<=[0-9])\.|:)-(?![0-9])))",
    followed=_AFTER_KEYS,
)
_MONEY_WORDS = re.compile(rf"[\s-](?:of\s)?{_ADJECTIVE}(?i:{_NAME}){_PAREN}")
_NOT_MONEY = re.compile(
    r"(?i:(?:one|two|ten|ninety|fifty)\s(?:pounds?|marks?|crowns?|real|grand|won|pence|mark|lek|som|pound|lats))"
)

_PERCENT_SIGN = r"(?=[%‰pPп])(?:%|‰|(?i:per\s?cent|percent|percentage\spoints?|pct|prozent|pour\scent|por\sciento|процент(?:ов|а)?)\b)"
_PERCENT = Anchored(
    rf"{_NUM}(?:\s?(?:%\s)?(?:-|to|and|or)\s?{_NUM2})?[\s-]?{_PERCENT_SIGN}",
    followed=(
        "% ‰ per percent percentage pct prozent pour por процентов - to and or . , '",
        THOUSANDS,
    ),
)
_PERCENT_WORDS = re.compile(rf"[\s-]?{_PERCENT_SIGN}")

_UNITS = (
    r"(?:km/h|kph|mph|m/s|km|kms|cm|mm|dm|m²|m2|m³|m3|km²|km2|cm²|cm³|cm3|sq\.?\s?(?:m|km|ft|miles?)\b"
    r"|(?:square\s|cubic\s|nautical\s|sq\.?\s)?(?:kilo|centi|milli|deci)?(?:metres?|meters?)"
    r"|(?:square\s|nautical\s)?miles?|(?:square\s|cubic\s)?(?:feet|foot|inches|inch|yards?)|ft|hectares?|acres?"
    r"|(?:kilo|milli|micro)?(?:grams?|grammes?)|kilos?|kg|kgs|mg|mcg|µg|μg|g|tonnes?|tons?|lbs?|pounds|ounces?|oz|stone"
    r"|(?:milli|centi|hecto)?(?:litres?|liters?)|ml|cl|dl|l|gallons?|pints?|barrels?"
    r"|mmhg|mg/dl|mmol/l|mmol|g/dl|mg/l|ng/ml|iu/l|iu|u/l|bpm|kcal|calories|kj"
    r"|degrees?(?:\s(?:celsius|fahrenheit|centigrade))?|°\s?[cf]?|℃"
    r"|kwh|kw|mw|watts?|volts?|hz|khz|mhz|ghz|kb|mb|gb|tb|kbps|mbps|horsepower|hp|bhp|dpi|db|decibels?|mah)"
)
_SIZE = rf"(?:\s?[x×]\s?{_NUM2}){{0,2}}"
_UNIT = rf"(?=[^\W\d_]|[°℃])(?i:{_UNITS})(?![\w/²³])(?:\s(?:per|an)\s(?:hour|second|minute|day))?"
_UNIT_KEYS = """km kph mph m s kms cm mm dm sq square cubic nautical metre metres meter
meters kilometre kilometres kilometer kilometers centimetre centimetres centimeter
centimeters millimetre millimetres millimeter millimeters decimetre decimetres mile miles
feet foot inch inches yard yards ft hectare hectares acre acres gram grams gramme grammes
kilogram kilograms kilogramme kilogrammes milligram milligrams microgram micrograms kilo
kilos kg kgs mg mcg µg μg g tonne tonnes ton tons lb lbs pound pounds ounce ounces oz stone
litre litres liter liters millilitre millilitres milliliter milliliters centilitre
centilitres hectolitre hectolitres ml cl dl l gallon gallons pint pints barrel barrels mmhg
mmol ng iu u bpm kcal calories kj degree degrees c f kwh kw mw watt watts volt volts hz khz
mhz ghz kb mb gb tb kbps mbps horsepower hp bhp dpi db decibel decibels mah"""
_MEASURE = Anchored(
    rf"{_NUM}{_SIZE}(?:\s?(?:-|to|and|or|by)\s?{_NUM2})?[\s-]?{_UNIT}",
    followed=(_UNIT_KEYS, ". , ' - × ° ℃ x to and or by", THOUSANDS),
)
_MEASURE_WORDS = re.compile(rf"[\s-]{_UNIT}")
_PRESSURE = Anchored(
    r"[0-9](?<![\w/.,][0-9])[0-9]{1,2}/[0-9]{2,3}\s?(?i:mmhg)\b",
    followed="/",
)
_HEIGHT = Anchored(
    r"[0-9](?<![\w.,'][0-9])(?:'\s?[0-9]{1,2}\"|\s?(?:ft|feet|foot)\.?\s[0-9]{1,2}\s?(?:in|inches)\b)",
    followed="' ft feet foot",
)
# One letter is a unit only right beside a number that is no list item.
_SHORT = re.compile(r"[0-9.,]+\s?(?:m|g|l)\Z", re.I)

_CITED = re.compile(
    r"(?i:§|\]|\b(?:articles?|rules?|sections?|paragraphs?|pages?|pp?|apt|apartment|unit|flat|no|nos)\b\.?)\s?\Z"
)
_PENCE = re.compile(r"[0-9.,]+[pc]")
_YEAR_OF = re.compile(r"[12][0-9]{3}\s[A-Z]")
_ROUND_MARK = re.compile(r"[0-9.,]+\s(?:mark|grand|real|won|cent|crown|pound)\Z")

_COUNTED = """people persons children brothers sisters siblings sons daughters grandchildren
employees inhabitants residents occupants plots_of_land plots landowners shareholders
patients students pupils prisoners detainees witnesses victims families households
apartments flats vehicles cars envelopes appraisal_reports accused suspects defendants
co-defendants applicants shops chemist_shops sheep cows reindeer rooms workers soldiers
officers policemen members co-accused"""
_THINGS = (
    r"[\s-](?:(?:other|further|additional|minor|different|more|young)\s)?"
    rf"(?i:{word_trie(_COUNTED)})"
)
_COUNT = Anchored(
    rf"{_NUM}{_SCALE}{_THINGS}|{START}[0-9]{{0,3}}-page\b",
    followed=(
        _COUNTED.replace("_", " ").replace("-", " "),
        "other further additional minor different more young , . '",
        _SCALES,
        "page",
        THOUSANDS,
    ),
)
_COUNT_WORDS = re.compile(_THINGS)


_FIGURES = Anchors(_MONEY_AFTER, _PERCENT, _MEASURE, _PRESSURE, _HEIGHT, _COUNT)


def _quantity(start: int, end: int, subtype: str, score: float, reason: str) -> Hit:
    return hit(start, end, "QUANTITY", subtype, score, reason=reason)


def _money(text: str) -> Iterator[Hit]:
    for m in _MONEY_BEFORE.finditer(text):
        start = m.start()
        # In "500 ₽ 100 ₽" each sign belongs to the amount before it.
        if m[0][1:2] == " " and text[max(0, start - 2) : start].strip()[-1:].isdigit():
            continue
        reason = "sign, code or short name of a currency before an amount"
        yield _quantity(m.start(), _trim(text, m), "MONEY", 0.95, reason)
    for m in _MONEY_AFTER.finditer(text):
        if _ROUND_MARK.match(m[0]) and text[m.end() : m.end() + 1] != "s":
            continue  # "the 2000 mark"
        if _PENCE.fullmatch(m[0]) and _CITED.search(
            text[max(0, m.start() - 14) : m.start()]
        ):
            continue
        reason = "amount before a sign, code or name of a currency"
        yield _quantity(m.start(), _trim(text, m), "MONEY", 0.9, reason)


def _in_words(text: str, counts: bool) -> Iterator[Hit]:
    """Quantities whose number is spelled."""
    for start, end in word_runs(text):
        m = _MONEY_WORDS.match(text, end)
        if m and not _NOT_MONEY.fullmatch(text[start : m.end()]):
            reason = "amount in words before the name of a currency"
            yield _quantity(start, m.end(), "MONEY", 0.86, reason)
        m = _PERCENT_WORDS.match(text, end)
        if m:
            reason = "number in words before 'per cent' or its sign"
            yield _quantity(start, m.end(), "PERCENT", 0.9, reason)
        m = _MEASURE_WORDS.match(text, end)
        if m:
            reason = "number in words before a unit of measure"
            yield _quantity(start, m.end(), "MEASURE", 0.85, reason)
        m = _COUNT_WORDS.match(text, end) if counts else None
        if m and text[start:end].lower() != "one":
            reason = "number in words before people or things"
            yield _quantity(start, m.end(), "COUNT", 0.6, reason)


def _trim(text: str, m: re.Match[str]) -> int:
    end = m.end()
    if text.endswith((".-", ":-", "/-"), 0, end):
        return end
    while text[end - 1] in ".,' -":
        end -= 1
    return end


def _measures(text: str) -> Iterator[Hit]:
    for m in _MEASURE.finditer(text):
        score = 0.85
        if _SHORT.fullmatch(m[0]):
            if m[0][-1] in "GL" or (m[0][-1] == "M" and m[0][-2] != " "):
                continue
            if _CITED.search(text[max(0, m.start() - 14) : m.start()]):
                continue
            score = 0.6
        reason = "number before a unit of measure"
        yield _quantity(m.start(), m.end(), "MEASURE", score, reason)
    for pattern in (_PRESSURE, _HEIGHT):
        for m in pattern.finditer(text):
            reason = "two figures with units, as for heights and blood pressure"
            yield _quantity(m.start(), m.end(), "MEASURE", 0.9, reason)


def _percents(text: str) -> Iterator[Hit]:
    for m in _PERCENT.finditer(text):
        reason = "number before 'per cent' or its sign"
        yield _quantity(m.start(), m.end(), "PERCENT", 0.9, reason)


def _counts(text: str) -> Iterator[Hit]:
    for m in _COUNT.finditer(text):
        # "the 1928 Reindeer Grazing Act"
        if not (m[0].startswith("1 ") or _YEAR_OF.match(m[0])):
            reason = "number before people or things"
            yield _quantity(m.start(), m.end(), "COUNT", 0.6, reason)


@registry.deid_patterns("spacy_deid.quantity_patterns.v1")
def make_quantity_patterns(counts: bool = True) -> Recognizer:
    """Amounts of money, percentages, measures and counts of people and things.

    counts (bool): Whether to find counts.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    parts = [_money, _percents, _measures]
    if counts:
        parts.append(_counts)

    def find(text: str) -> list[Hit]:
        hits: list[Hit] = []
        if has_digits(text):
            for part in (_money,) if _FIGURES.absent(text) else parts:
                hits.extend(part(text))
        return drop_covered([*hits, *_in_words(text, counts)])

    return PatternRecognizer(find)
