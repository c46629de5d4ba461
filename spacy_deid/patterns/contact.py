"""E-mail addresses, web addresses, domains, telephone and fax numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

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

_LOCAL = re.compile(r"(?:(?<=\")[^\"\s@]{1,64}\"|[\w.!#$%&'*+/=?^`{|}~-]{1,64})\Z")
_MAIL_HOST = re.compile(
    r"(?:[^\W_](?:[\w-]{0,62})\.){1,8}(?:xn--[a-z0-9-]{2,59}|[^\W\d_]{2,24})(?![\w-]*@)"
    r"|\[(?:[0-9]{1,3}\.){3}[0-9]{1,3}\]"
)
_AT = r"\s?[\[({<]\s?(?:at|@|arroba|ät)\s?[\])}>]\s?"
_DOT = r"\s?[\[({<]\s?(?:dot|\.|punkt|punto|point)\s?[\])}>]\s?"
_DOT_WORD = re.compile(
    r"(?i:[\[({<]\s?(?:dot|at|punkt|ät|arroba|@)\s?[\])}>]|\s(?:dot|punkt)\s)"
)
_OBFUSCATED = re.compile(
    rf"(?<![\w.+-])[\w.+-]{{1,64}}(?:(?i:{_AT})[\w-]{{1,63}}(?:(?:(?i:{_DOT})|\s(?i:dot|punkt)\s|\.)[\w-]{{1,63}}){{1,5}}"
    rf"|(?:(?:\s(?i:dot|punkt)\s|(?i:{_DOT}))\w{{1,40}}){{0,3}}(?:\s?@\s?|\s(?i:at|ät)\s|(?i:{_AT}))"
    rf"[\w-]{{1,63}}(?:(?:\s(?i:dot|punkt)\s|(?i:{_DOT}))[\w-]{{1,63}}){{1,5}})"
)

_URL = Anchored(
    r"(?:h(?<!\wh)ttps?|H(?<!\wH)(?:ttps?|TTPS?)|f(?<!\wf)tps?|s(?<!\ws)(?:ftp|sh)|g(?<!\wg)it|m(?<!\wm)agnet)"
    r":(?://|\?)[^\s<>\"\[\]{}|\\^`]{2,2000}"
    r"|(?:w(?<!\ww)ww|W(?<!\wW)(?:WW|ww))[0-9]?\.[^\s<>\"\[\]{}|\\^`]{3,2000}",
    "http https ftp ftps sftp ssh git magnet www",
)
_TRAILING = ".,;:!?'\"*_~"

_GENERIC = """com org net edu gov mil int info biz name pro mobi asia tel jobs travel museum
coop aero post cat app dev blog shop site online store tech xyz cloud club space website
live news agency digital email media group company solutions services systems network world
today life design studio academy foundation institute university college school health care
clinic hospital dental law legal lawyer attorney bank finance money capital fund insurance
consulting business center city town house properties estate rent travel tours hotel
restaurant cafe bar pub food wine fashion shoes gallery photo photography video film music
art games game play fun social chat dating love wedding family baby kids pet fit yoga run
bike sport football golf ski wiki press report review guide support help tools software
computer software data host hosting page link click download zone top best global plus icu
vip win bid loan men work example test local localhost onion eus gal scot wales london paris
berlin hamburg koeln wien nyc tokyo moscow swiss bayern cymru quebec africa google amazon""".split()
_COUNTRY_TLD = """ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi
bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj
dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gt
gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr
kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu
mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw
py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf
tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za
zm zw""".split()
_TLDS = {*_GENERIC, *_COUNTRY_TLD}
# Also words or file endings; without a path or more they are no evidence of a host.
_WEAK_TLDS = set(
    """is it in no so to me at be us my as am de la do id im by or an on un se ne si es
al et ad ai pl py rs sh md ps cc ml mm ms mr st name post cat bar run play fun work best top
men win love life today help page data test local money news city house family food art law
film music video game games sport group work world zip mov app click link live video
photo care bank report review guide school college university company business pro
tel int jobs travel museum shop store health press tools host zone plus global
center design software support network systems services local""".split()
)
_DOMAIN = re.compile(
    r"\.(?<=[\w]\.)(?P<tld>[A-Za-z]{2,24})(?![\w@-]|\.\w)(?P<path>(?::[0-9]{2,5})?/[^\s<>\"\[\]{}|\\^`]{0,500})?"
)
_LABELS = re.compile(r"(?:[^\W_][\w-]{0,62}\.){0,8}[^\W_][\w-]{0,62}\Z")
_DOMAIN_CONTEXT = re.compile(
    r"(?:\b(?:visit|website|site|web|domain|host|server|url|online|www|at|on|from|to|page|see|homepage)"
    r"\s(?:is\s|of\s|at\s|the\s)?|[<(\"':=])\s?\Z"
)

_EXT = r"(?:[\s,;]{0,2}(?:x|ext|extn|extension|poste|durchwahl|dw|int)\.?:?\s?[0-9]{1,6}(?![0-9]))?"
_EXT_FIRST = r"[+(0-9](?<![\w+.][+(0-9])(?<![0-9][,:/_*=#-][+(0-9])(?<![$€£#§][+(0-9])"
_ZONE = re.compile(
    rf"{_EXT_FIRST}(?:(?<=\+)\s?\(?[0-9]|(?<=\()\+?[0-9]|(?<=[0-9]))"
    rf"(?:[ \t()./-]{{0,3}}[0-9]){{5,18}}(?![0-9])(?i:{_EXT})"
)
_INTERNATIONAL = re.compile(
    rf"(?:\+(?<!\w\+)|\((?<!\w\()\+|0(?<![\w.,:/-]0)(?:0|11)(?=[ -]?[1-9]))\s?\(?[0-9]"
    rf"(?:[ \t()./-]{{0,3}}[0-9]){{5,18}}(?![0-9])(?i:{_EXT})"
)
# National formats distinctive enough to need no context word. Those of North America
# come first.
_NATIONAL_FORMATS = (
    r"(?:1[ .-]|1)?\([0-9]{3}\)[ ]?[0-9]{3}[ .-]?[0-9]{4}",
    r"(?:1[ .-]|001-)?[0-9]{3}(?P<us>[.-])[0-9]{3}(?P=us)[0-9]{4}",
    r"[2-9][0-9]{2}[ ][2-9][0-9]{2}[ -][0-9]{4}",
    r"\(0[0-9]{1,5}\)[ ]?[0-9][0-9 -]{4,9}[0-9]",
    r"0[1-9](?:(?P<fr>[ .-])[0-9]{2})(?:(?P=fr)[0-9]{2}){3}",
    r"0[0-9]{2,4}[ /-][0-9]{3,4}[ -][0-9]{3,4}",
    r"0[0-9]{1,5}\s?[/-]\s?[0-9]{2,4}[ -]?[0-9]{2,8}(?:[ -][0-9]{1,4})?",
    r"07[0-9]{3}[ ][0-9]{6}|0[12][0-9]{2,3}[ ][0-9]{5,6}|0[1-9][0-9]{8,9}",
    r"[6789][0-9]{2}[ ][0-9]{2}[ ][0-9]{2}[ ][0-9]{2}|[679][0-9]{2}[ ][0-9]{3}[ ][0-9]{3}",
    r"[0-9]{3}-[0-9]{4}(?=\s?\((?:home|mobile|cell|work|office|fax|tel|direct))",
)
_NATIONAL_START = re.compile(
    r"[(0-9](?<![\w+.][(0-9])(?<![0-9][,:/_*=#-][(0-9])(?<![$€£#§][(0-9])(?=[0-9][0-9 ()./-]{6})"
)
_NATIONAL = re.compile("|".join(_NATIONAL_FORMATS))
_PHONE_WORDS = """tel tele telephone phone phones ph cell cellphone cellular mobile mob fax call calls
called calling ring dial dialed dialled text texted sms whatsapp contact reach reached
hotline landline pager helpline switchboard telefon telefonnummer handy mobil mobiltelefon
rufnummer anrufen tél téléphone portable appelez appeler teléfono telefono telefone móvil
celular llamar llame cellulare chiamare telefoon mobiel bellen telefonnr puhelin telef
телефон тел number"""
_PHONE_CONTEXT = Anchored(word_trie(_PHONE_WORDS), _PHONE_WORDS)
_NAMED_AFTER = re.compile(
    r" (?:is|was) (?:my|his|her|our|their|your|the)(?: [a-z]{1,10}){0,2}"
    r" (?:number|phone|mobile|cell|fax|landline)\b"
)
_ZONE_BEFORE = re.compile(
    r"(?<![\w.,:/$€£+-])[+(]?[0-9][0-9 ()./-]{5,22}[0-9](?:\s?x[0-9]{1,5})?\Z"
)
_GAP = re.compile(r"[^0-9\n+(]{0,28}\n?[^0-9\n+(]{0,6}")
_CHAIN = re.compile(
    r"\s?(?:,|;|/|or|and|\||\([a-z]{2,8}\)[,;]?)\s?(?:[a-z]{2,8}[.:]?\s)?|\s", re.I
)
_NOT_PHONE = re.compile(
    r"(?:\b(?:no|nos|nr|case|order|invoice|ref|reference|id|isbn|issn|doi|pmid|article|section|version|v"
    r"|account|acct|iban|card|ssn|nhs|mrn|vat|policy|claim|ticket|tracking|serial|application|docket"
    r"|ein|tin|passport|licen[cs]e|ip|port|eur|usd|gbp|chf|pln|trl|try|build|timestamp|pid|size"
    r"|total|amount|price|cost|part|model|sku|upc|ean|gtin|asin|patent|zip|security|tax)"
    r"(?:\s(?:no|nr|number|num|code|id))?\.?|[#§№=])[:\s(]{0,3}\Z"
)
_EXTENSION = re.compile(
    r"[\s,;]{0,2}(?:x|e|p|d|i)[a-z]{0,11}\.?:?\s?[0-9]{1,6}\Z", re.I
)
_DATE_LIKE = re.compile(
    r"(?:[0-9]{4}[-./][0-9]{1,2}[-./][0-9]{1,2}|[0-9]{1,2}[-./][0-9]{1,2}[-./][0-9]{4}"
    r"|(?:19|20)[0-9]{2}\s?[-/]\s?(?:19|20)[0-9]{2})(?![0-9])"
)
_TAIL = re.compile(rf"(?i:{_EXT})")
_NORTH_AMERICAN = re.compile("|".join(_NATIONAL_FORMATS[:3]))
DEFAULT_COUNTRIES = (
    "US", "GB", "DE", "FR", "ES", "IT", "NL", "AT", "CH", "BE", "IE", "PL", "PT", "SE",
    "NO", "DK", "FI", "CA", "AU", "IN", "TR", "RU", "BR",
)  # fmt: skip


def _emails(text: str) -> Iterator[Hit]:
    floor = 0
    at = text.find("@")
    while at >= 0:
        host = _MAIL_HOST.match(text, at + 1)
        if host:
            local = _LOCAL.search(text, max(floor, at - 66), at)
            if local:
                # In "to=a@b.org" or a query string only the last part is the address.
                cut = max(local[0].rfind(c) for c in "=/?&|{`$#!*^")
                start = local.start() + cut + 1
                while start < at and text[start] in ".'-+~%":
                    start += 1
                if start < at:
                    if text[start - 1 : start] == '"' and text[at - 1] == '"':
                        start -= 1
                    yield hit(start, host.end(), "CODE", "EMAIL", 0.99)
                    floor = host.end()
        at = text.find("@", at + 1)
    if _DOT_WORD.search(text):
        # Only the surroundings of "dot" and the like are searched.
        zones: list[list[int]] = []
        for m in _DOT_WORD.finditer(text):
            low, high = max(0, m.start() - 200), m.end() + 200
            if zones and low <= zones[-1][1]:
                zones[-1][1] = high
            else:
                zones.append([low, high])
        for low, high in zones:
            for m in _OBFUSCATED.finditer(text, low, high):
                tld = re.split(r"\W+", m[0].rstrip(")]}> "))[-1].lower()
                if tld in _TLDS:
                    yield hit(m.start(), m.end(), "CODE", "EMAIL", 0.85)


def _urls(text: str) -> Iterator[Hit]:
    for m in _URL.finditer(text):
        end = m.end()
        while end > m.start() and text[end - 1] in _TRAILING:
            end -= 1
        # A bracket that the address didn't open belongs to the sentence.
        surplus = text.count(")", m.start(), end) - text.count("(", m.start(), end)
        while surplus > 0 and text[end - 1] == ")":
            end, surplus = end - 1, surplus - 1
            while text[end - 1] in _TRAILING:
                end -= 1
        if end - m.start() > 8:
            yield hit(m.start(), end, "CODE", "URL", 0.97)


def _domains(text: str) -> Iterator[Hit]:
    for m in _DOMAIN.finditer(text):
        tld = m["tld"]
        low = tld.lower()
        if low not in _TLDS or not (tld.islower() or tld.isupper()):
            continue
        labels = _LABELS.search(text, max(0, m.start() - 130), m.start())
        if labels is None:
            continue
        start = labels.start()
        name = labels[0]
        if text[start - 1 : start] in ("@", "/", "\\", ".", "-", "_", "'") and start:
            continue
        if not any(c.isalpha() for c in name) or len(name.rpartition(".")[2]) < 2:
            continue
        path = m["path"] or ""
        end = m.end()
        while text[end - 1] in _TRAILING + ")":
            end -= 1
        weak = (
            low in _WEAK_TLDS
            or tld.isupper()
            or (name[0].isupper() and not name.isupper())
        )
        if weak and len(path) < 2:
            several = name.count(".") >= 1 and name.rpartition(".")[2].islower()
            if not several and not _DOMAIN_CONTEXT.search(before(text, start, 24)):
                continue
            if (
                low in _WEAK_TLDS
                and re.match(r"\s[a-z]", text[m.end() : m.end() + 2])
                and not several
            ):
                continue
            if not tld.islower() and not several:
                continue
        yield hit(
            start,
            end,
            "CODE",
            "URL" if len(path) > 1 else "DOMAIN",
            0.9 if low == "com" else 0.8,
        )


class _Phones:
    """Telephone numbers; the library judges only what looks like one.

    countries (Sequence[str]): Countries whose national formats count.
    """

    def __init__(self, countries: Sequence[str]) -> None:
        import phonenumbers

        unknown = set(countries) - set(phonenumbers.SUPPORTED_REGIONS)
        if unknown:
            raise ValueError(
                f"unknown countries of telephone numbers: {sorted(unknown)}"
            )
        self.countries = tuple(countries)
        self.phonenumbers: Any = phonenumbers

    def __call__(self, text: str) -> Iterator[Hit]:
        if not has_digits(text):
            return
        seen: dict[tuple[str, bool], float] = {}
        for m in _INTERNATIONAL.finditer(text):
            named = not _NOT_PHONE.search(before(text, m.start(), 40))
            if named or text[m.start()] != "0":
                yield from self._best(text, m.start(), m.end(), False, seen)
        floor = 0
        for first in _NATIONAL_START.finditer(text):
            national = _NATIONAL.match(text, first.start())
            if national is None or national.start() < floor:
                continue
            start, end = national.span()
            tail = _TAIL.match(text, end)
            follows = text[end : end + 2]
            if tail is None or (
                re.match(r"[\w]|[.,:/-][0-9]|\s?[%€$£]", follows) and tail.end() == end
            ):
                continue
            if _DATE_LIKE.match(national[0]) or _NOT_PHONE.search(
                before(text, start, 40)
            ):
                continue
            score = self._memo(national[0], False, seen)
            if score:
                yield hit(start, tail.end(), "CODE", "PHONE", score)
                floor = tail.end()
        for c in _NAMED_AFTER.finditer(text):
            back = _ZONE_BEFORE.search(text, max(0, c.start() - 26), c.start())
            if back:
                yield from self._best(text, back.start(), back.end(), True, seen)
        last = -1
        for c in _PHONE_CONTEXT.finditer(text):
            if c.start() < last:
                continue
            if c[0].lower() == "number" and _NOT_PHONE.search(before(text, c.end())):
                continue
            gap = _GAP.match(text, c.end())
            zone = gap and _ZONE.match(text, gap.end())
            while zone:
                found = False
                for h in self._best(text, zone.start(), zone.end(), True, seen):
                    yield h
                    last, found = h.end, True
                chain = _CHAIN.match(text, last) if found else None
                zone = chain and _ZONE.match(text, chain.end())

    def _best(
        self, text: str, start: int, end: int, named: bool, seen: dict
    ) -> Iterator[Hit]:
        """The most likely number at the start of a run of digits and separators."""
        raw = text[start:end]
        if raw[0] == "(" and ")" not in raw:
            start, raw = start + 1, raw[1:]
        if _DATE_LIKE.match(raw):
            return
        cuts = [len(raw), *(i for i in range(len(raw) - 1, 6, -1) if raw[i] in " \t")]
        best = (0.0, 0)
        for cut in cuts[:6]:
            follows = text[start + cut : start + cut + 2]
            if cut == len(raw) and re.match(r"\w|[.,:/-][0-9]|\s?[%€$£]", follows):
                continue
            score = self._memo(raw[:cut].rstrip(" \t(./-"), named, seen)
            if score > best[0]:
                best = (score, cut)
            if score >= 0.9:
                break
        if best[0]:
            value = raw[: best[1]].rstrip(" \t(./-")
            yield hit(start, start + len(value), "CODE", "PHONE", best[0])

    def _memo(self, value: str, named: bool, seen: dict) -> float:
        key = (value, named)
        if key not in seen:
            seen[key] = self._score(value, named)
        return seen[key]

    def _score(self, value: str, named: bool) -> float:
        """Confidence that a candidate is a telephone number; 0 if it is none."""
        pn = self.phonenumbers
        body = _EXTENSION.sub("", value)
        digits = sum(c.isdigit() for c in body)
        if body.count("(") != body.count(")"):
            return 0.0
        if body.startswith(("+", "(+")) or re.match(r"0(?:0|11)[ -]?[1-9]", body):
            number = re.sub(r"^\(?\+|^00|^011", "+", body)
            try:
                parsed = pn.parse(number, None)
            except pn.NumberParseException:
                parsed = None
            if parsed is not None and pn.is_valid_number(parsed):
                return 0.97
            if (
                parsed is not None
                and pn.is_possible_number(parsed)
                and (named or body[0] in "+(")
            ):
                return 0.8
            if body.startswith(("001-", "+1", "001")) and 11 <= digits <= 13:
                return 0.75
            return 0.6 if named and 9 <= digits <= 15 else 0.0
        if digits < 7 or digits > 13:
            return 0.0
        for country in self.countries:
            try:
                parsed = pn.parse(body, country)
            except pn.NumberParseException:
                continue
            if pn.is_valid_number(parsed):
                return 0.9 if named else 0.8
        if named:
            plain = body.isdigit()
            return 0.75 if not plain else 0.65 if 9 <= digits <= 12 else 0.0
        # Area codes change and are often made up: the North American form is enough.
        return 0.65 if _NORTH_AMERICAN.fullmatch(body) else 0.0


@registry.deid_patterns("spacy_deid.contact_patterns.v1")
def make_contact_patterns(
    countries: Sequence[str] = DEFAULT_COUNTRIES,
    phones: bool = True,
    domains: bool = True,
) -> Recognizer:
    """E-mail addresses, also spelled out, URLs, domains and telephone numbers.

    countries (Sequence[str]): ISO codes of the countries whose national telephone
        formats count; international numbers are found from everywhere.
    phones (bool): Whether to find telephone numbers.
    domains (bool): Whether to find domains without protocol.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a country is unknown.
    """
    finders: list = [_emails, _urls]
    if domains:
        finders.append(_domains)
    if phones:
        finders.append(_Phones(countries))

    def find(text: str) -> list[Hit]:
        return drop_covered([h for finder in finders for h in finder(text)])

    return PatternRecognizer(find)
