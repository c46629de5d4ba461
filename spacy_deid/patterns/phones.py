"""Telephone and fax numbers of any country.

Numbers are recognised by their form, since lists of valid numbers change and people
mistype; the library of numbering plans decides where a run of digits ends, raises the
score and gives the reason.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..registries import registry
from .base import (
    Anchored,
    Hit,
    Recognizer,
    before,
    drop_covered,
    has_digits,
    hit,
    word_trie,
)
from .separated import SeparatingRecognizer

# Whose national numbers are looked up, those with most speakers of common languages
# and most neighbours first; international numbers are known from everywhere.
DEFAULT_COUNTRIES = tuple(
    """US GB DE FR ES IT NL CA AU IE AT CH BE PL PT SE NO DK FI CZ SK HU RO BG GR HR SI RS BA
    MK EE LV LT IS LU MT CY RU UA BY TR IL IN PK BD CN JP KR TW HK SG MY TH VN PH ID NZ ZA NG
    KE EG MA BR MX AR CL CO PE SA AE IR GE AM AZ UZ KZ""".split()
)

_SEP = r"[ \t()./-]{0,3}"
_LONG = 15
_EXTENSION = (
    r"(?:[\s,;]{0,2}\(?(?:(?:x|ext|extn|xtn|extension|poste|durchwahl|dw|nst|app|apdo|anexo"
    r"|interno|int|ramal|toestel|tst|wew|vnútorná|linka|kl|mellék|доб|вн)\.?:?\s?\#?|\#\s?)"
    r"[0-9]{1,6}\)?(?![0-9]))?"
)
_TAIL = re.compile(rf"(?i:{_EXTENSION})")

# What forms start with: at a digit, bracket or plus that nothing is glued to.
_FIRST_ZERO = r"(?:\((?<!\w\()0|0(?<![\w.,:/+#=$€£§_\\*-]0))"
_INTERNATIONAL = re.compile(
    r"(?:\+(?<![A-Za-z_+]\+)|\((?<!\w\()\+|(?:\((?<!\w\()00|0(?<![\w.,:/+#=$-]0)0)(?=[ -]?[1-9])"
    r"|0(?<![\w.,:/+#=$-]0)11(?=[ -][1-9]))\s?\(?[0-9]"
    rf"(?:{_SEP}[0-9]){{5,23}}"
)
_TRUNK = re.compile(rf"{_FIRST_ZERO}(?:{_SEP}[0-9]){{7,27}}")
_BRACKETED = re.compile(
    r"(?:[178][ .-]?)?\((?<!\w\()(?<!\w[178]\()[0-9]{2,5}\)[ ./-]{0,2}[0-9](?:[ .-]{0,2}[0-9]){4,9}"
)


class Form(NamedTuple):
    """A way of writing national numbers without zero or bracket before.

    pattern (str): The regex.
    score (float): Confidence without any word beside it.
    name (str): What it is called in reasons.
    """

    pattern: str
    score: float
    name: str


# The form is enough evidence for each of these, unless the words around say otherwise.
_FORMS = (
    Form(
        r"(?:1[ .-])?[2-9][0-9]{2}(?P<us>[.-])[0-9]{3}(?P=us)[0-9]{4}",
        0.75,
        "a North American telephone number",
    ),
    Form(
        r"[01][0-9]{2}(?P<xx>[.-])[0-9]{3}(?P=xx)[0-9]{4}",
        0.65,
        "a telephone number of three, three and four digits",
    ),
    Form(
        r"(?:1[ ])?[2-9][0-9]{2}[ /][0-9]{3}[ -][0-9]{4}",
        0.65,
        "a North American telephone number",
    ),
    Form(
        r"[78][ -][0-9]{3}[ -][0-9]{3}[ -](?:[0-9]{2}[ -][0-9]{2}|[0-9]{4})",
        0.7,
        "a telephone number of Russia or Kazakhstan",
    ),
    Form(
        r"8[ -](?:0?[0-9]{2}[ -][0-9]{3}[ -][0-9]{2}[ -][0-9]{2}|[0-9]{3}[ -][0-9]{3}[ -][0-9]{3}"
        r"|[0-9]{3}[ -][0-9]{5})",
        0.6,
        "a long-distance number after 8",
    ),
    Form(
        r"1[ -]?(?:[38]00|700|900)[ -][0-9]{3}[ -][0-9]{3}",
        0.7,
        "a free or shared-cost number",
    ),
    Form(
        r"[1-9][0-9][ ]9?[0-9]{4}-[0-9]{4}",
        0.65,
        "a telephone number of Brazil or Argentina",
    ),
    Form(
        r"1[3-9][0-9](?P<cn>[ -])[0-9]{4}(?P=cn)[0-9]{4}",
        0.7,
        "a mobile number of China",
    ),
    Form(
        r"[1-9][0-9]/[0-9]{3}[ -][0-9]{4}",
        0.65,
        "a telephone number of Hungary",
    ),
    Form(
        r"[1-9][0-9](?P<a>[ -])[0-9]{4}(?P=a)[0-9]{4}|[29][ ][0-9]{4}[ ][0-9]{4}",
        0.6,
        "a telephone number in groups of four",
    ),
    Form(
        r"[1-9][0-9]{2}(?P<b>[ -])[0-9]{3}(?P=b)[0-9]{2}(?P=b)[0-9]{2}"
        r"|[1-9][0-9](?P<c>[ -])[0-9]{3}(?P=c)(?:[0-9]{2}(?P=c)[0-9]{2}|[0-9]{4})"
        r"|[2-9][0-9]{2}[ ][0-9]{2}[ ][0-9]{2}[ ][0-9]{2}"
        r"|[2-9][0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{2}",
        0.6,
        "a telephone number in groups of two and three",
    ),
    Form(
        r"[2-9][0-9](?P<d>[ .])[0-9]{2}(?P=d)[0-9]{2}(?P=d)[0-9]{2}|[2-9][0-9]{2}[ ][0-9]{2}[ ][0-9]{3}",
        0.55,
        "a telephone number of eight digits",
    ),
    Form(
        r"(?!(?:19|20)[0-9]{2}[ -])[2-9][0-9]{3}[ -](?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]{4}",
        0.52,
        "a telephone number of twice four digits",
    ),
    Form(
        r"[1-9][0-9]{2}[ ][0-9]{3}[ ][0-9]{3}",
        0.55,
        "a telephone number of three times three digits",
    ),
    Form(
        r"[6-9][0-9]{4}[ -][0-9]{5}|[2-9][0-9]{3}[ -][0-9]{6}|[2-9][0-9]{2}[ -][0-9]{7}"
        r"|2[0-9]{4}[ ][0-9]{2}[ ][0-9]{3}|444[ ][0-9][ ][0-9]{3}|[1-9][0-9]{3}[ ][0-9]{3}[ ][0-9]{3}",
        0.55,
        "a telephone number in two or three groups",
    ),
)
_FORM = re.compile("|".join(f"(?P<f{i}>{f.pattern})" for i, f in enumerate(_FORMS)))
_FORM_START = re.compile(r"[1-9](?<![\w.,:/+(#=$€£§_\\*-][1-9])(?=(?:[ ./-]?[0-9]){6})")
_PLAIN = re.compile(
    r"[0-9](?<![\w.,:/+(#=$€£§_\\*@&%-][0-9])[0-9]{8,11}(?![\w@%]|[.,:/-][0-9]|\s?[%€$£°])"
)
# Numbers that spell a word.
_VANITY = re.compile(
    r"(?:\+?1[ .-])?\(?(?<![\w+(.-])8(?:00|22|33|44|55|66|77|88)\)?[ .-]"
    r"(?=[A-Z0-9 -]{0,9}[A-Z]{3})[A-Z0-9]{1,9}(?:[ -][A-Z0-9]{1,8}){0,3}(?![\w])"
    r"|(?<![\w+(.,-])(?:\+?1[ .-]8(?:00|33|44|55|66|77|88)[ .-]|0[589]00[ -]|1[38]00[ -]|13[ ])"
    r"(?=[A-Z0-9 -]{0,9}[A-Z]{3})[A-Z0-9]{3,9}(?:[ -][A-Z0-9]{1,8}){0,3}(?!\w)"
)

_PHONE_WORDS = """tel tele telephone telephones phone phones ph cell cellphone cellular
mobile mobiles mob fax faxes telefax facsimile call calls called calling ring dial dialed
dialled text texted sms whatsapp viber signal wechat contact reach reached hotline landline
pager helpline switchboard callback voicemail telefon telefonnummer telefonnr handy
handynummer mobil mobiltelefon mobilnummer rufnummer anrufen festnetz tél téléphone
portable mobile_phone appelez appeler télécopie télécopieur téléfax teléfono telefono
telefone fone móvil móviles celular telemóvel llamar llame llamada cellulare chiamare
telefoon telefoonnummer mobiel bellen gsm puhelin matkapuhelin puhelinnumero telef tlf
tlfnr telefonní komórka komórkowy tel_no telefax_nr telefón mobilný telefonszám mobiltel
τηλέφωνο τηλ κινητό телефон тел моб мобильный факс номер telefonas tālrunis telefoni
number numbers nummer numéro número numero call_me 電話 电话 手机 전화 טלפון هاتف फोन โทร"""
_PHONE_CONTEXT = Anchored(word_trie(_PHONE_WORDS), _PHONE_WORDS)
# Words that say so only beside others.
_NUMBER_WORDS = frozenset(
    "number numbers nummer numéro número numero номер contact".split()
)
_OWN_NUMBER = re.compile(
    r"\b(?:my|his|her|our|your|their|the|new|this|direct|home|work|office|emergency|private"
    r"|personal|toll-free|business|daytime|evening|contact|phone|fax|mobile|cell|whatsapp"
    r"|meine|mon|mi|su|il|mio|мой)\s(?:own\s)?(?:number|numbers|nummer|numéro|número|numero|номер)\Z"
    r"|\bcontact\Z|(?:^|\n|[,;(]\s?)numbers?\Z"
)
# Labels that need their colon, or a plus or bracket after them.
_LABEL = Anchored(
    r"(?:[A-Za-z](?<!\w.)(?:ome|ork|ffice|irect|ain|ay|vening|rivate|usiness|mergency|oll[ -]free|uro|rivat))"
    r"(?:\s(?:line|no|number|phone))?\.?\s?[:=]\s?",
    "home work office direct main day evening private business emergency toll büro privat",
)
_LETTER_LABEL = re.compile(
    r"(?:[TFMPHCW](?<!\w[TFMPHCW])|[tfmphcw](?<!\w[tfmphcw])|[\u260e\u260f\u2706\u2121\u2131\U0001f4de\U0001f4f1\U0001f4e0]\ufe0f?)"
    r"\s?[.:]?\s{0,2}(?=[+(0-9])"
)
_GAP = re.compile(r"[^0-9\n+(]{0,28}\n?[^0-9\n+(]{0,6}(?=[+(0-9])")
_ZONE = re.compile(
    r"[+(0-9](?<![\w+][+(0-9])(?<![0-9][,:/_*=#-][+(0-9])(?<![$€£#§][+(0-9])"
    r"(?:(?<=\+)\s?\(?[0-9]|(?<=\()\+?[0-9]|(?<=[0-9]))"
    rf"(?:{_SEP}[0-9]){{4,26}}"
)
_CHAIN = re.compile(
    r"\s?(?:,|;|/|\||&|\+(?=\s)|or|and|und|oder|et|ou|y|o|e|to|bis|-)\s?(?:[a-z]{2,8}[.:]?\s)?"
    r"|\s?\([a-z]{2,8}\)[,;]?\s?(?:or\s|and\s)?|\s",
    re.I,
)
_NAMED_AFTER = re.compile(
    r" (?:is|was) (?:my|his|her|our|their|your|the)(?: [a-z]{1,10}){0,2}"
    r" (?:number|phone|mobile|cell|fax|landline)\b"
    r"|[ ]?\((?:home|mobile|cell|work|office|fax|tel|phone|direct|landline|h|m|w|c|o|f)\)"
)
_ZONE_BEFORE = re.compile(
    r"(?<![\w.,:/$€£+-])[+(]?[0-9][0-9 ()./-]{4,22}[0-9](?:\s?x[0-9]{1,5})?\Z"
)

# What a run of digits is instead when one of these stands before it.
_NOT_PHONE = re.compile(
    r"(?:\b(?:no|nos|nr|num|case|cases|order|orders|invoice|ref|reference|id|ids|isbn|issn|doi|pmid"
    r"|article|section|version|versions|v|account|acct|iban|bic|card|visa|mastercard|amex|ssn|sin|nhs"
    r"|mrn|vat|ust|siret|siren|policy|claim|ticket|tracking|serial|application|docket|ein|tin|nino"
    r"|passport|licen[cs]e|permit|ip|port|eur|usd|gbp|chf|pln|jpy|inr|sek|nok|dkk|czk|huf|trl|try|rs|build"
    r"|timestamp|pid|uid|gid|size|bytes|total|sum|amount|price|cost|costs|fee|paid|worth|part|model|sku|upc"
    r"|ean|gtin|asin|patent|zip|postcode|plz|security|tax|routing|sort\scode|aba|member|membership"
    r"|student|employee|patient|customer|client|registration|reg|certificate|record|file|batch|lot|item"
    r"|transaction|transfer|receipt|booking|confirmation|reservation|flight|code|pin|imei|imsi|iccid|eid"
    r"|vin|plate|coordinates|lat|latitude|lon|lng|longitude|population|votes|score|scores|ratio|between"
    r"|since|until|years?|pages?|pp|vol|volume|issue|chapter|verse|revenue|profit|budget|salary|turnover"
    r"|approximately|approx|about|nearly|almost|over|exceeding|roughly|around|some|than|density|mass|weight"
    r"|length|height|width|distance|speed|frequency|temperature|voltage|date|dated|dob|born|time|epoch|hash"
    r"|checksum|sequence|range|error|line|row|column|step|seed|offset|abn|acn|tfn|bsn|cpf|cnpj|nif|nie|dni"
    r"|pesel|nip|regon|krs|oib|jmbg|cnp|aadhaar|pan|gstin|uuid|guid|barcode|bin|kvk|insurance|npi|dea)"
    r"(?:\s(?:no|nr|number|numbers|num|code|codes|id|is|was|of))?\.?|[#§№=])[:\s(\"'#]{0,3}\Z"
)
# What follows amounts and measures.
_NOT_PHONE_AFTER = re.compile(
    r"\s?(?:[%€$£¥°²³]|(?:eur|usd|gbp|chf|pln|euros?|dollars?|pounds?|yen|rupees?|roubles?|rubles?"
    r"|francs?|crowns?|kroner|kronor|zlotys?|zł|kč|forints?|people|persons|inhabitants|residents|votes"
    r"|copies|units|items|shares|users|times|years?|months?|days|hours?|hrs?|minutes?|mins?|seconds?|secs?|bytes"
    r"|[kmgt]i?b|ms|us|ns|km|kg|cm|mm|ml|mg|hz|[kmg]hz|kwh|mwh|rpm|psi|miles|acres|hectares|tons"
    r"|tonnes|metres|meters|million|billion|thousand|percent|points|pixels|px|results|views|followers"
    r"|particles|cells|atoms|stars|barrels|gallons|litres|liters|degrees)\b)"
)
_RIGHT_BAD = re.compile(r"\w|[.,:/][0-9]|-[0-9]|@|\s?[%€$£°²³]")
_DIGIT_LEFT = re.compile(r"[0-9][ \t]{1,3}\Z")
_LONE_LEFT = re.compile(
    r"(?:^|[^\w\s./,-]\s{0,3}|\n|[A-Za-z,;:]\s{1,3})[0-9]{1,5}[ \t]{1,3}\Z"
)
_MORE = re.compile(r"[ \t]{1,3}(?=[0-9(+])|[ \t]?[/-][ \t]?(?=[0-9(+])")
_DATE = re.compile(
    r"(?:(?:19|20)[0-9]{2}(?P<a>[-./ ])[01]?[0-9](?P=a)[0-3]?[0-9]"
    r"|[0-3]?[0-9](?P<b>[-./ ])[0-3]?[0-9](?P=b)(?:19|20)[0-9]{2}"
    r"|[0-3]?[0-9](?P<c>[-./])[0-3]?[0-9](?P=c)[0-9]{2}"
    r"|(?:19|20)[0-9]{2}\s?[-/]\s?(?:19|20)?[0-9]{2})(?![0-9])"
)
_YEARS = re.compile(r"(?:1[5-9]|20)[0-9]{2}(?:[ ./-]{1,3}(?:1[5-9]|20)[0-9]{2})+\Z")
# Groups of other things: social security, post codes, cards.
_OTHER_GROUPS = re.compile(
    r"[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}|[0-9]{5}-[0-9]{4}|[0-9]{4}(?:[ -][0-9]{4}){2,3}"
    r"|[0-9]{2}-[0-9]{2}-[0-9]{2}(?:[ -][0-9]{8})?|[0-9]{2}-[0-9]{7}|97[89][- ][0-9- ]{10,14}"
    r"|[0-9]{1,5}-[0-9]{1,7}-[0-9]{1,7}-[0-9]|[0-9]+\.[0-9]+"
)
_LOG_LINE = re.compile(
    r"[0-9]{2}:[0-9]{2}:[0-9]{2}|\b(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL|NOTICE|CRITICAL)\b"
    r"|\b[\w.]+=\S|\[[0-9]+\]|0x[0-9a-f]"
)
# A number that a line end breaks.
_BROKEN = re.compile(
    r"[+(0](?<![\w.,:/=$-][+(0])[0-9][0-9 ()./-]{0,16}[ \t]?\n[ \t]{0,4}(?=[0-9(][0-9 ()./-]{2,16}(?![\w-]))"
    r"|[2-9][0-9]{2}(?<![\w.,:/=$+-][0-9]{3})[ .-](?:[0-9]{3}[ .-]?)?\n[ \t]{0,4}"
    r"(?=[0-9]{3}[ .-]?[0-9]{4}(?!\w)|[0-9]{4}(?![\w-]))"
)
_LIMIT = 3000
_TYPES = (
    "mobile", "fixed_line", "toll_free", "shared_cost", "premium_rate", "voip", "uan",
    "personal_number", "pager", "voicemail",
)  # fmt: skip


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class _Plans:
    """The numbering plans of the world, read when first needed.

    countries (Sequence[str]): Countries whose national numbers are known.
    """

    def __init__(self, countries: Sequence[str]) -> None:
        import phonenumbers

        unknown = set(countries) - set(phonenumbers.SUPPORTED_REGIONS)
        if unknown:
            raise ValueError(
                f"unknown countries of telephone numbers: {sorted(unknown)}"
            )
        self.countries = tuple(countries)
        self.codes: dict[int, tuple[str, ...]] = dict(
            phonenumbers.COUNTRY_CODE_TO_REGION_CODE
        )
        self._metadata: Callable[..., Any] = (
            phonenumbers.PhoneMetadata.metadata_for_region
        )
        self._by_length: dict[int, list[tuple[str, Any]]] = {}

    def national(self, digits: str) -> str:
        """The first country of the list in which a number is valid.

        digits (str): The digits as dialled within the country.
        RETURNS (str): Its ISO code, or nothing.
        """
        for country, meta in self._candidates(len(digits)):
            if self._valid(meta, digits):
                return country
            prefix = meta.national_prefix
            if prefix and digits.startswith(prefix):
                if self._valid(meta, digits[len(prefix) :]):
                    return country
        return ""

    def _candidates(self, length: int) -> list[tuple[str, Any]]:
        found = self._by_length.get(length)
        if found is None:
            found = self._by_length[length] = []
            for country in self.countries:
                meta = self._metadata(country, None)
                lengths = set(meta.general_desc.possible_length)
                if meta.national_prefix:
                    lengths |= {n + len(meta.national_prefix) for n in lengths}
                if length in lengths:
                    found.append((country, meta))
        return found

    @staticmethod
    def _valid(meta: Any, number: str) -> bool:
        general = meta.general_desc
        if len(number) not in general.possible_length:
            return False
        if not _compiled(general.national_number_pattern).fullmatch(number):
            return False
        for kind in _TYPES:
            desc = getattr(meta, kind)
            pattern = desc.national_number_pattern if desc is not None else None
            if pattern and _compiled(pattern).fullmatch(number):
                return True
        return False

    def international(self, digits: str) -> tuple[float, str]:
        """Judge a number with its country code.

        digits (str): The digits, country code first.
        RETURNS (tuple[float, str]): 1 for a valid number, .5 for a possible length, .1
            for a known country code, else 0; the ISO code of the country.
        """
        for width in (1, 2, 3):
            code = int(digits[:width] or 0)
            regions = self.codes.get(code)
            if regions is None:
                continue
            best = (0.1, regions[0])
            number = digits[width:]
            # Some write the zero after the country code too.
            for rest in {number, number.removeprefix("0")}:
                for region in regions:
                    meta = self._metadata(region, None)
                    if meta is None:
                        continue
                    if self._valid(meta, rest):
                        return 1.0, region
                    if len(rest) in meta.general_desc.possible_length:
                        best = max(best, (0.5, region))
            return best
        return 0.0, ""


class _Verdict(NamedTuple):
    """Confidence in a candidate, and why."""

    score: float
    reason: str


_NONE = _Verdict(0.0, "")


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _clip(text: str, start: int, end: int) -> int:
    """End of a run of digits without a last group that belongs to what follows."""
    while end > start and _RIGHT_BAD.match(text, end):
        cut = max(text.rfind(" ", start, end), text.rfind("\t", start, end))
        if cut < 0:
            return start
        end = cut
        while end > start and text[end - 1] in " \t(./-":
            end -= 1
    return end


def _cuts(text: str, start: int, end: int, most: int) -> Iterator[int]:
    """Where a number that begins a run of digits may end, the likeliest first."""
    raw = text[start:end]
    if _digit_count(raw) <= most:
        last = re.search(r"[ \t]([0-9]{1,2})\Z", raw)
        unit = last and re.match(r"\s?[A-Za-z:]", text[end : end + 2])
        pairs = last and re.search(r"(?<![0-9])[0-9]{2}[ \t][0-9]{2}\Z", raw)
        if not unit or pairs:
            yield end
    shape = re.sub(r"[0-9]", "9", raw)
    for i in range(len(raw) - 1, 6, -1):
        if raw[i] not in " \t/" and not (raw[i] in "(+" and raw[i - 1].isdigit()):
            continue
        head = raw[:i].rstrip(" \t(./-+")
        if raw[len(head) - 1] in " \t" or _digit_count(head) > most:
            continue
        rest = raw[len(head) :].lstrip(" \t./-")
        own = shape[: len(head)]
        if (
            (rest[:1] in ("0", "(", "+") and _digit_count(rest) >= 7)
            or shape[len(raw) - len(rest) :].startswith(own)
            or _DATE.match(rest)
            or re.fullmatch(r"[0-9]{1,2}", rest)
        ):
            yield start + len(head)


def _digit_count(text: str) -> int:
    return sum(map(text.count, "0123456789"))


class PhoneFinder:
    """Finds telephone numbers.

    countries (Sequence[str]): Countries whose national numbers are looked up.
    """

    def __init__(self, countries: Sequence[str]) -> None:
        self.plans = _Plans(countries)

    def __call__(self, text: str) -> Iterator[Hit]:
        """Find telephone numbers.

        text (str): A normalised text.
        YIELDS (Hit): Hits, which may overlap.
        """
        if has_digits(text):
            yield from _Scan(self.plans, text).hits()


class _Scan:
    """The search of one text."""

    def __init__(self, plans: _Plans, text: str) -> None:
        self.plans = plans
        self.text = text
        self.ends: set[int] = set()
        self.seen: dict[str, str] = {}
        self.seen_international: dict[str, tuple[float, str]] = {}

    def hits(self) -> Iterator[Hit]:
        for find in (
            self._international,
            self._trunk,
            self._bracketed,
            self._forms,
            self._plain,
            self._vanity,
            self._named_after,
            self._named,
            self._broken,
        ):
            for h in find():
                self.ends.add(h.end)
                yield h

    def _free(self, start: int) -> bool:
        return self._left(start) and not _not_phone(self.text, start)

    def _runs(
        self,
        form: re.Pattern[str],
        judge: Callable[[str], _Verdict],
        most: int,
        allowed: Callable[[int], bool],
    ) -> Iterator[Hit]:
        """The numbers in the runs of digits that match a form."""
        m = form.search(self.text)
        while m is not None:
            pos = m.start() + 1
            if allowed(m.start()):
                for h in self._best(m.start(), m.end(), judge, most):
                    self.ends.add(h.end)
                    yield h
                    pos = h.end
            m = form.search(self.text, pos)

    # What the library knows, asked at most so often for a document.

    def _country(self, digits: str) -> str:
        if digits not in self.seen:
            if len(self.seen) >= _LIMIT:
                return ""
            self.seen[digits] = self.plans.national(digits)
        return self.seen[digits]

    def _abroad(self, digits: str) -> tuple[float, str]:
        if digits not in self.seen_international:
            if len(self.seen_international) >= _LIMIT:
                return 0.1, ""
            self.seen_international[digits] = self.plans.international(digits)
        return self.seen_international[digits]

    # Forms.

    def _international(self) -> Iterator[Hit]:
        text = self.text

        def allowed(start: int) -> bool:
            if "+" in text[start : start + 2]:
                return start in self.ends or not text[start - 1 : start].isdigit()
            return self._free(start)

        return self._runs(_INTERNATIONAL, self._judge_international, _LONG, allowed)

    def _judge_international(self, value: str) -> _Verdict:
        body = re.sub(r"\(0\)", "", value)
        digits = _digits(body)
        plus = "+" in value[:2]
        if not plus:
            digits = digits[3 if digits.startswith("011") else 2 :]
        if not 7 <= len(digits) <= _LONG or not _balanced(value):
            return _NONE
        likely, country = self._abroad(digits)
        if likely == 1:
            return _Verdict(0.97, f"valid international telephone number ({country})")
        if likely and (plus or likely > 0.1 or _digits(body)[2] == "1"):
            score = 0.85 if likely > 0.1 else 0.7
            return _Verdict(score, "form of an international telephone number")
        return _NONE

    def _trunk(self) -> Iterator[Hit]:
        return self._runs(_TRUNK, self._judge_trunk, 12, self._free)

    def _judge_trunk(self, value: str) -> _Verdict:
        digits = _digits(value)
        if not 8 <= len(digits) <= 12 or not _balanced(value) or _other(value):
            return _NONE
        if digits.startswith("00") or value.isdigit():
            return _NONE
        free = re.match(r"0[5689]0", digits)
        pairs = re.search(r"[0-9]-[0-9]{2,3} [0-9]{2} [0-9]{2}\Z", value)
        country = self._country(digits)
        if len(digits) == 8 and not ((free or pairs) and country):
            return _NONE
        return _national("a telephone number with area code", country, 0.68)

    def _bracketed(self) -> Iterator[Hit]:
        return self._runs(_BRACKETED, self._judge_bracketed, 12, self._free)

    def _judge_bracketed(self, value: str) -> _Verdict:
        digits = _digits(value)
        area, _, rest = value.partition("(")[2].partition(")")
        if (
            not 8 <= len(digits) <= 12
            or _YEARS.match(rest.strip())
            or _DATE.match(rest.strip())
        ):
            return _NONE
        # "(1999) 123 4567" may be a citation.
        if re.fullmatch(r"(?:19|20)[0-9]{2}", area):
            return _NONE
        return _national(
            "a telephone number with its area code in brackets",
            self._country(digits),
            0.72,
        )

    def _forms(self) -> Iterator[Hit]:
        text = self.text
        floor = 0
        for first in _FORM_START.finditer(text):
            start = first.start()
            if start < floor:
                continue
            m = _FORM.match(text, start)
            if m is None or not self._left(start, strict=True):
                continue
            end = m.end()
            if not self._right(start, end) or _other(m[0]):
                continue
            if _YEARS.match(m[0]) or _DATE.match(m[0]) or _not_phone(text, start):
                continue
            if _NOT_PHONE_AFTER.match(text, end) or _NOT_PHONE_AFTER.match(
                text[end : end + 12].lower()
            ):
                continue
            form = _FORMS[int((m.lastgroup or "f0")[1:])]
            verdict = _national(form.name, self._country(_digits(m[0])), form.score)
            tail = self._tail(end)
            yield hit(
                start, tail, "CODE", "PHONE", verdict.score, reason=verdict.reason
            )
            self.ends.add(tail)
            floor = end

    def _plain(self) -> Iterator[Hit]:
        text = self.text
        for m in _PLAIN.finditer(text):
            digits = m[0]
            score = self._plain_score(digits)
            if not score or not self._left(m.start(), strict=True):
                continue
            if _not_phone(text, m.start()) or _MORE.match(text, m.end()):
                continue
            line = text[max(0, m.start() - 120) : m.start()].rpartition("\n")[2]
            if _LOG_LINE.search(line) or _NOT_PHONE_AFTER.match(
                text[m.end() : m.end() + 12].lower()
            ):
                continue
            country = self._country(digits)
            if score < 0.6 and not country:
                continue
            reason = "digits as of a telephone number"
            if country:
                reason = f"valid telephone number ({country}) written without gaps"
            yield hit(
                m.start(), self._tail(m.end()), "CODE", "PHONE", score, reason=reason
            )

    def _plain_score(self, digits: str) -> float:
        """Confidence in digits without any gap and without a word beside them."""
        length = len(digits)
        if digits[0] == "0":
            if digits[1] == "0" or len(set(digits)) < 3:
                return 0.0
            return 0.62 if length in (10, 11) else 0.52 if length == 9 else 0.0
        if length == 11 and digits[0] == "1" and digits[1] in "3456789":
            return 0.6
        if length == 11 and digits[0] in "178":
            return 0.52
        if length == 10 and digits[0] in "23456789":
            return 0.55
        return 0.5 if length == 9 and digits[0] in "679" else 0.0

    def _vanity(self) -> Iterator[Hit]:
        for m in _VANITY.finditer(self.text):
            letters = sum(c.isalpha() for c in m[0])
            length = sum(c.isalnum() for c in m[0])
            if letters >= 3 and 8 <= length <= 14:
                end = m.end()
                yield hit(
                    m.start(),
                    end,
                    "CODE",
                    "PHONE",
                    0.85,
                    reason="free number that spells a word",
                )

    # Numbers beside words.

    def _named_after(self) -> Iterator[Hit]:
        text = self.text
        for c in _NAMED_AFTER.finditer(text):
            back = _ZONE_BEFORE.search(text, max(0, c.start() - 26), c.start())
            if back is not None:
                note = "before a telephone word"
                yield from self._best(
                    back.start(), back.end(), self._judge_named(note), _LONG
                )

    def _named(self) -> Iterator[Hit]:
        text = self.text
        last = -1
        for start, gap_end, note, weak in self._cues():
            if start < last:
                continue
            zone = _ZONE.match(text, gap_end)
            while zone is not None:
                found = False
                for h in self._best(
                    zone.start(), zone.end(), self._judge_named(note, weak), _LONG
                ):
                    yield h
                    last, found = h.end, True
                chain = _CHAIN.match(text, last) if found else None
                zone = _ZONE.match(text, chain.end()) if chain else None

    def _cues(self) -> Iterator[tuple[int, int, str, bool]]:
        """Words, what they say, where a number after them begins, and whether they say
        so only of what looks like a number."""
        text = self.text
        for c in _PHONE_CONTEXT.finditer(text):
            gap = _GAP.match(text, c.end())
            if gap is None:
                continue
            word = c[0].lower()
            if word in _NUMBER_WORDS and not _OWN_NUMBER.search(before(text, c.end())):
                continue
            yield c.start(), gap.end(), f"after '{word}'", False
        for c in _LABEL.finditer(text):
            yield c.start(), c.end(), "after a label such as 'home:'", True
        for c in _LETTER_LABEL.finditer(text):
            yield c.start(), c.end(), "after a label such as 'T:'", True

    def _judge_named(self, note: str, weak: bool = False) -> Callable[[str], _Verdict]:
        def judge(value: str) -> _Verdict:
            if "+" in value[:2] or re.match(r"\(?00[1-9]|\(?011[ -]", value):
                abroad = self._judge_international(value)
                if abroad.score:
                    return _Verdict(max(abroad.score, 0.9), f"{abroad.reason}; {note}")
            digits = _digits(value.replace("(0)", ""))
            least = 7 if weak else 5
            if not least <= len(digits) <= _LONG or not _balanced(value):
                return _NONE
            if _DATE.match(value) or _YEARS.match(value):
                return _NONE
            country = self._country(digits)
            if country:
                return _Verdict(0.95, f"valid telephone number ({country}); {note}")
            gaps = not value.isdigit()
            if len(digits) < 7 and not ((gaps and len(digits) == 6) or value[0] == "0"):
                return _Verdict(0.0, "")
            if weak and not gaps and len(digits) < 9:
                return _NONE
            score = 0.8 if gaps else 0.7 if len(digits) > 8 else 0.6
            return _Verdict(score, f"form of a telephone number; {note}")

        return judge

    def _broken(self) -> Iterator[Hit]:
        """Numbers that a line end breaks, in lines that aren't just digits."""
        text = self.text
        for m in _BROKEN.finditer(text):
            line = text[max(0, m.start() - 80) : m.start()].rpartition("\n")[2]
            if not any(c.isalpha() for c in line):
                continue
            break_at = text.index("\n", m.start())
            window = text[m.start() : m.start() + 48].split("\n")
            flat = text[m.start() : break_at] + " " + window[1]
            inner = _Scan(self.plans, flat)
            for find in (
                inner._international,
                inner._trunk,
                inner._bracketed,
                inner._forms,
            ):
                for h in find():
                    start, end = h.start + m.start(), h.end + m.start()
                    if start == m.start() and end > break_at + 1 and self._left(start):
                        named = _not_phone(text, start)
                        if not named and h.score >= 0.6:
                            reason = f"{h.reason}; broken over a line end"
                            yield h._replace(start=start, end=end, reason=reason)

    # Where a number may begin and end.

    def _left(self, start: int, strict: bool = False) -> bool:
        """Whether a number may begin here although digits may stand before it."""
        window = self.text[max(0, start - 14) : start]
        if not window or window[-1] not in " \t" or not _DIGIT_LEFT.search(window):
            return True
        if start - (len(window) - len(window.rstrip(" \t"))) in self.ends:
            return True
        return not strict and _LONE_LEFT.search(window) is not None

    def _right(self, start: int, end: int) -> bool:
        """Whether a number may end here although digits may follow."""
        text = self.text
        if self._tail(end) > end:
            return True
        if _RIGHT_BAD.match(text, end):
            return False
        more = _MORE.match(text, end)
        if more is None:
            return True
        nxt = more.end()
        if text[nxt] in "0(+" and _digit_count(text[nxt : nxt + 20]) >= 7:
            return True
        size = end - start
        own = re.sub("[0-9]", "9", text[start:end])
        return re.sub("[0-9]", "9", text[nxt : nxt + size]) == own or bool(
            _DATE.match(text, nxt)
        )

    def _tail(self, end: int) -> int:
        """End with the extension."""
        tail = _TAIL.match(self.text, end)
        return tail.end() if tail else end

    def _best(
        self, start: int, end: int, judge: Callable[[str], _Verdict], most: int
    ) -> Iterator[Hit]:
        """The likeliest number at the start of a run of digits and separators."""
        text = self.text
        tail = _TAIL.match(text, end)
        if not (tail and tail.end() > end):
            end = _clip(text, start, end)
        if end - start < 5:
            return
        if text[start] == "(" and ")" not in text[start:end]:
            start += 1
        best, best_end = _NONE, start
        for cut in _cuts(text, start, end, most):
            verdict = judge(text[start:cut])
            if verdict.score > best.score:
                best, best_end = verdict, cut
            if verdict.score >= 0.8:
                break
        if best.score >= 0.5:
            yield hit(
                start,
                self._tail(best_end),
                "CODE",
                "PHONE",
                best.score,
                reason=best.reason,
            )


def _national(name: str, country: str, score: float) -> _Verdict:
    if country:
        reason = f"form of {name}, valid in {country}; no word beside it needed"
        return _Verdict(min(0.9, score + 0.15), reason)
    return _Verdict(score, f"form of {name}; no word beside it needed")


def _balanced(value: str) -> bool:
    return value.count("(") == value.count(")") <= 2


def _other(value: str) -> bool:
    return _DATE.match(value) is not None or _OTHER_GROUPS.fullmatch(value) is not None


def _not_phone(text: str, start: int) -> bool:
    return _NOT_PHONE.search(before(text, start, 40)) is not None


@registry.deid_patterns("spacy_deid.phone_patterns.v1")
def make_phone_patterns(countries: Sequence[str] = DEFAULT_COUNTRIES) -> Recognizer:
    """Telephone and fax numbers, with extensions.

    countries (Sequence[str]): ISO codes of the countries whose national numbers are
        looked up; forms and international numbers are known from everywhere.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a country is unknown.
    """
    finder = PhoneFinder(countries)

    def find(text: str) -> Iterable[Hit]:
        return drop_covered(list(finder(text)))

    return SeparatingRecognizer(find)
