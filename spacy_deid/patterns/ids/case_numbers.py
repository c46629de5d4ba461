"""Numbers of court cases, and of files of courts, police and authorities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...registries import registry
from ..base import (
    Anchored,
    Hit,
    PatternRecognizer,
    Recognizer,
    before,
    count_digits,
    drop_covered,
    has_digits,
    hit,
    occurrences,
    word_trie,
)

# What a number names, by the last word before "no." and the like.
_CASE = """case cases application applications appeal appeals docket dockets claim claims
complaint complaints petition petitions proceedings procedure judgment suit action
indictment warrant cause crime citation summons occurrence arrest fir matter
aktenzeichen az geschäftszeichen gz geschäftszahl rechtssache vorgang verfahren
affaire requête pourvoi parquet rg rôle arrêt causa caso asunto expediente autos
procedimiento abreviado previas recurso rollo diligencias sumario querella denuncia
ricorso procedimento fascicolo r.g r.g.n.r rgnr sentenza processo inquérito apelação
zaaknummer rolnummer parketnummer zaak sygn sygnatura akt zn mål målnr sak saksnummer
sagsnummer diaarinumero dnro dosar dosarul esas karar soruşturma ügyszám
дело дела делу материал производство жалоба""".split()
_FILE = """file files ref reference references registration registry register plot plots
parcel parcels sheet title entry deed protocol-no permit licence license certificate
report contract contracts agreement passport-file project request incident cadastral
land-register lot lots visa decision letter document identification loan
aktennummer zeichen dossier dossiers référence referencia folder archive grant award
réf delo protocollo pratica kenmerk ärendenummer dnr diarienummer journalnr""".split()
# Names that need no "no." before a short number.
_STRONG = frozenset(
    """docket aktenzeichen az geschäftszeichen gz geschäftszahl rg r.g r.g.n.r rgnr sygn
    aktennummer rolnummer parketnummer zaaknummer saksnummer sagsnummer diarienummer
    ügyszám pourvoi akt zn målnr""".split()
)
_KIND = {
    **dict.fromkeys(_CASE, "CASE_NUMBER"),
    **dict.fromkeys(_FILE, "FILE_NUMBER"),
}
# Numbers of laws, publications and institutions identify nobody; those of records
# and customers belong to another family.
_PUBLIC = frozenset(
    """protocol law laws act acts decree directive regulation regulations resolution
recommendation opinion convention bulletin gazette journal reports series instruction
chapter article articles section sections rule rules form school prison court chamber
annex appendix amendment constitution code ordinance circular paragraph paragraphs para
page pages line point points item items schedule table figure fig step grade class level
room floor bus tram train highway channel volume vol issue part division question
questions version release build player rank ranked seed ranking top gesetz
platform gate note notes footnote bill exhibit judge investigating
factory hospital clinic battalion brigade district ward detention remand colony
facility centre center statute edition a phone telephone tel fax mobile cell card
account iban passport id ids uuid order invoice customer patient tracking serial model
ssn vat tax licence-plate""".split()
)
# "Judgment no. 3" and the like identify nothing outside their document.
_SMALL = frozenset(
    "judgment decision report reference document claim claims claimant ref".split()
)
# Mostly numbers of drivers and vehicles, which other families know better.
_LOOSE = frozenset("licence license permit".split())
_TRANSPARENT = frozenset(
    "serial id registration identification reference ref the under with by of has his "
    "her".split()
)

_MARK = r"(?:nos?|nrs?|numbers?|num|núms?|nums?|n|č|sp|nummer|numéro|número|numero|nr)"
_VALUE = (
    r"(?:(?:[IVXL]{1,6} )?[A-ZА-Я][A-Za-zА-Яа-я]{0,4} (?=[0-9]{1,6}/[0-9]{2,4}(?!\w))|[A-ZА-Я] (?=[0-9]{1,6}-[0-9]{2,4}(?![\w-]))|(?=[A-Za-zА-Я/:_.-]{0,24}[0-9]))"
    r"[A-Z0-9А-Я][A-Za-z0-9А-Я]{0,20}(?:[/:_.-][A-Za-z0-9А-Я]{1,20}){0,8}(?![A-Za-z0-9])"
)
_SIGN = (
    rf"(?:(?<!\w)(?i:{_MARK})(?:\.|\b|°|º)|[№#])\s?(?:\(s\))?[:.=#]?\s{{0,2}}[\"'(\[]?"
)
# A name, "no." or a colon, the value.
_NAMED = (
    rf"(?<![\w-])(?P<head>{word_trie(' '.join(_KIND))})"
    rf"(?:(?P<mark>[\s(\[/.-]{{0,3}}{_SIGN})|(?P<sep>\.?\s?[:=#]\s{{0,2}}|\.?\s(?:in\s)?)[\"'(\[]?)"
    rf"(?P<v>{_VALUE})"
)
# "no. 12/34" alone.
_UNNAMED = rf"{_SIGN}(?P<v>{_VALUE})"
_HEAD_BEFORE = re.compile(r"([^\W\d_][\w'-]*)[\s(\[/.]{0,3}\Z")
_DIGIT = re.compile("[0-9]")
_CODED = re.compile("[/:-]")
_NEXT = re.compile(
    rf"(?:,|;|\s?&|,?\s(?:and|or|to|et|und|y|e|и|i))\s{{1,2}}(?:(?:nos?|nr)\.\s?)?(?P<v>{_VALUE})"
)
_COUNTS = re.compile(r"\s?(?:[A-Z][a-z]{2,}|%|euros?|years?|months?|days?)")
_AMOUNT = re.compile(
    r"\s?(?:%|€|\$|£|euros?\b|eur\b|usd\b|dollars?\b|years?\b|months?\b|days?\b|people\b|persons?\b|times\b)",
    re.I,
)
_ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th|s)")
_WORDED = re.compile(r"[0-9]{1,3}-[A-Za-z]+(?:-[A-Za-z]+)?")
_FILE_NAME = re.compile(r"\.[A-Za-z]{2,4}\Z")
_DATE = re.compile(
    r"[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2,4}|[0-9]{4}([./-])[0-9]{1,2}\2[0-9]{1,2}|[0-9]{1,2}:[0-9]{2}"
)
_LEGISLATION = re.compile(
    r"\b(?:regulation|directive|law|act|decree|bill|ordinance|decision|resolution|protocol|ley|loi|legge"
    r"|decreto|gesetz|закон|закона)s?"
    r"(?:\s\([a-z]{2,4}\))?\s(?:nos?\.?\s|nr\.?\s|n[°º.]\s?)?\Z"
)
_DRIVING = re.compile(r"\b(?:driv\w{1,4}(?:'s)?|plate|vehicle|car)\s\Z")


class _Form(NamedTuple):
    """A number that is recognised by its form.

    pattern (Anchored | re.Pattern): Where it may begin and what it looks like; the
        group `v` is the number if it is not the whole.
    subtype (str): Kind of number.
    score (float): Confidence.
    says (str): What the form tells.
    needs (str): What no such number lacks.
    """

    pattern: Anchored | re.Pattern[str]
    subtype: str
    score: float
    says: str
    needs: str = ""


# Letters of German registers that mean little else.
_REGISTERS = """BvR BvL BvF BvE BvQ StR ZR ZB ZA AZR AZB AZN KLs Ks Ls Ds Cs Js Qs Ns Ws Ss
OWi UF WF AR Gs Ca Sa Ta BV BVR Kart Verg StVK UJs BJs Owi VRJs PLs SLs RVs Ausl XVII"""
_REPORTS = (
    r"WLR|W\.L\.R\.|AC|A\.C\.|QB|Q\.B\.|KB|K\.B\.|Ch|All\sE\.?R\.?|All\sEngland\sLaw\sReports|EHRR|E\.H\.R\.R\."
    r"|Cr\.?\sApp\.?\sR\.?|Criminal\sAppeal\sReports|IR|I\.R\.|Irish\sReports|ILRM|FLR|FCR|BCLC|Lloyd's\sRep\.?"
    r"|CMLR|ECR|SCR|DLR|CLR|ALR|NZLR|INLR|Imm\sAR|HLR|ICR|IRLR"
)
_ROMAN = r"[IVXL](?<![\w.][IVXL])[IVXL]{0,5}"

_FORMS = (
    _Form(
        re.compile(
            r"[1-9](?<![\w][1-9])(?<![./:,§-][1-9])[0-9]{3,4}/[0-9]{2}(?![\w/]|[.,:-][0-9])"
        ),
        "CASE_NUMBER",
        0.75,
        "number and year as of an application to the European Court of Human Rights",
        "/",
    ),
    _Form(
        re.compile(
            rf"{_ROMAN} ?[A-Z][A-Za-z]{{0,5}}(?: \([A-Za-z]{{1,6}}\))?(?: [a-z]{{1,4}})? [0-9]{{1,6}}/[0-9]{{2,4}}(?![\w])"
        ),
        "CASE_NUMBER",
        0.9,
        "chamber, register, number and year",
        "/",
    ),
    _Form(
        re.compile(
            r"[0-9](?<![\w.,/][0-9])[0-9]{0,3} (?!(?:No|Nr|Nos|Art|Law|Act)\b)[A-Z][A-Za-z]{0,4}"
            r"(?: \([A-Za-z]{1,6}\))? [0-9]{1,6}/[0-9]{2,4}(?:[a-z]\b|(?![\w]))"
        ),
        "CASE_NUMBER",
        0.9,
        "chamber, register, number and year",
        "/",
    ),
    _Form(
        Anchored(
            rf"(?<!\w)(?:{'|'.join(_REGISTERS.split())}) [0-9]{{1,6}}/[0-9]{{2,4}}(?!\w)",
            _REGISTERS,
        ),
        "CASE_NUMBER",
        0.85,
        "register of a German court, number and year",
    ),
    _Form(
        Anchored(
            r"(?:[Nn]o\.?\s)?(?P<v>[0-9](?<![\w.,/-][0-9])(?:[0-9]?:)?[0-9]{0,4}-(?i:cv|cr|mj|bk|md|mc|ap|po|civ|crim|misc|br|cf|ct|sc|dr|fa|jv|pr)"
            r"-[0-9]{2,6}(?:-[A-Z]{1,4}){0,3}(?![\w-]))",
            numbers=True,
        ),
        "CASE_NUMBER",
        0.95,
        "docket of a court of the United States",
    ),
    _Form(
        Anchored(
            r"(?<![\w-])(?:CV|CR|CF|CRF|CIV|CRIM|JV|FAM|PROB|MISC)[ -]?(?:19|20)?[0-9]{2}-[0-9]{3,7}(?:-[A-Z]{1,4}){0,2}(?![\w-])",
            "cv cr cf crf civ crim jv fam prob misc",
        ),
        "CASE_NUMBER",
        0.85,
        "docket of a court of the United States",
    ),
    _Form(
        Anchored(
            r"(?<!\w)[CTF]-[0-9]{1,4}/[0-9]{2}(?: P(?:PU)?(?:\(R\))?)?(?!\w)", "c t f"
        ),
        "CASE_NUMBER",
        0.85,
        "letter, number and year as of the courts of the European Union",
    ),
    _Form(
        Anchored(
            r"ECLI:[A-Z]{2}:[A-Z0-9]{1,7}:[0-9]{4}:[A-Z0-9.]{1,25}(?<!\.)", "ecli"
        ),
        "CASE_NUMBER",
        0.95,
        "European case law identifier",
    ),
    # Any letters of a court after a year in brackets.
    _Form(
        Anchored(
            r"[\[(][12][0-9]{3}[\])] [A-Z][A-Za-z]{1,7}(?: (?:Civ|Crim|Admin|Fam|Ch|QB|KB|TCC|Comm|Pat|Costs|IPEC|AAC|IAC|LC|TC|GRC|HESC))?"
            r" [0-9]{1,5}(?: \((?:[A-Z][A-Za-z]{1,9}|[A-Z]{1,4})\))?(?!\w)",
            others=lambda text: occurrences(text, "[1", "[2"),
        ),
        "CASE_NUMBER",
        0.9,
        "year, court and number of a neutral citation",
    ),
    _Form(
        Anchored(
            rf"(?:[1-3][0-9]{{3}}[\])] )(?P<v>(?:[0-9]{{1,3}} )?(?:{_REPORTS}) [0-9]{{1,5}})(?!\w)",
            numbers=True,
        ),
        "CASE_NUMBER",
        0.75,
        "volume and page of law reports after a year",
    ),
    _Form(
        Anchored(
            r"(?:NJA|RÅ|HFD|RH|Rt\.?|UfR|KKO|KHO|ECHR) (?:19|20)[0-9]{2}(?: (?:p|s|ref|not)\. ?[0-9]{1,5}|:[0-9]{1,4})(?!\w)"
            r"|(?:BVerfGE|BGHZ|BGHSt|BVerwGE|BAGE|BSGE|VfSlg) [0-9]{1,5}(?:, [0-9]{1,4}|/[0-9]{4})(?!\w)|BGE [0-9]{1,3} [IV]{1,3}[a-z]? [0-9]{1,4}(?!\w)",
            "nja rå hfd rh rt ufr kko kho bverfge bghz bghst bverwge bage bsge vfslg bge",
        ),
        "CASE_NUMBER",
        0.8,
        "collection of judgments, year and page",
    ),
    _Form(
        re.compile(
            r"[0-9](?<![\w.,/-][0-9])[0-9]-[0-9]{2}\.[0-9]{3}(?![\w/-]|[.,][0-9])"
        ),
        "CASE_NUMBER",
        0.75,
        "number of an appeal to the French Court of Cassation",
    ),
    _Form(
        re.compile(
            r"[0-9](?<![\w.-][0-9])[0-9]{6}-[0-9]{2}\.[0-9]{4}\.[0-9]\.[0-9]{2}\.[0-9]{4}(?!\w)"
        ),
        "CASE_NUMBER",
        0.95,
        "unified number of Brazilian proceedings",
    ),
    _Form(
        Anchored(
            r"(?<!\w)[АA][0-9]{2}-[0-9]{1,7}/(?:19|20)[0-9]{2}(?:-[0-9А-Я]{1,6})?(?!\w)",
            "а a",
        ),
        "CASE_NUMBER",
        0.9,
        "number of a case of a Russian commercial court",
    ),
    _Form(
        re.compile(
            r"[0-9](?<![\w./-][0-9])[0-9]?[А-Яа-я]?-[0-9]{1,6}/(?:19|20)[0-9]{2}(?![\w/])"
        ),
        "CASE_NUMBER",
        0.85,
        "number of a case of a Russian court",
    ),
    _Form(
        re.compile(
            r"[A-Z](?<!\w.)[A-Z]{1,4}-(?:19|20)[0-9]{2}-[0-9]{2,8}(?![\w-])"
            r"|[A-Z](?<!\w.)[A-Z]{1,4}/(?:[A-Z]{1,4}/)?(?:19|20)[0-9]{2}/[0-9]{2,8}(?![\w/-])"
        ),
        "FILE_NUMBER",
        0.8,
        "letters, year and number",
    ),
)
# Seasons and school years: 1990/91.
_SEASON = re.compile(r"(1[89]|20)([0-9]{2})/([0-9]{2})")


class _Kind(NamedTuple):
    subtype: str
    score: float
    says: str


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))


def _kind(head: str | None, value: str) -> _Kind | None:
    """What a value after "no." is, given the word before it."""
    digits = _digits(value)
    if head:
        word = head.lower()
        if digits < (3 if word in _SMALL else 1):
            return None
        if word in _KIND:
            return _Kind(_KIND[word], 0.9, f"number after '{word}'")
        if word in _PUBLIC:
            return None
    if digits >= 3 and any(c in value for c in "/-:"):
        return _Kind("CASE_NUMBER", 0.8, "digits and signs after a word for number")
    return None


def _plain_kind(head: str, sep: str, value: str) -> _Kind | None:
    """What a value is that follows its name without "no."."""
    digits = _digits(value)
    kind, says = _KIND[head], f"number after '{head}'"
    if head in _STRONG:
        return _Kind(kind, 0.9, says) if digits >= 2 else None
    coded = digits >= 3 and (
        any(c in value for c in "/-") or any(map(str.isalpha, value))
    )
    if "in" in sep:
        return _Kind(kind, 0.75, says) if digits > 3 and not value.isdigit() else None
    if sep.strip(". "):
        return _Kind(kind, 0.85, f"{says} and a colon") if digits >= 3 else None
    if coded and not _WORDED.fullmatch(value):
        return _Kind(kind, 0.75, says)
    if digits >= 6 and value.isdigit():
        return _Kind(kind, 0.6, f"long {says}")
    return None


def _is_value(value: str) -> bool:
    return (
        _FILE_NAME.search(value) is None
        and _DIGIT.search(value) is not None
        and not _ORDINAL.fullmatch(value)
        and not _DATE.fullmatch(value.rpartition(" ")[2])
    )


_NAMES = Anchored(_NAMED, *_KIND)
_SIGNS = Anchored(
    _UNNAMED,
    "no nos nr nrs number numbers num núm nums n č sp nummer numéro número numero",
    others=lambda text: occurrences(text, "№", "#"),
)


def _named(text: str) -> Iterator[Hit]:
    """Values after their names, and lists of such values."""
    last = 0
    for m in _NAMES.finditer(text):
        if m.start("v") < last:
            continue
        head = m["head"].lower().replace(" ", "-")
        value = m["v"]
        if not _is_value(value) or _AMOUNT.match(text, m.end("v")):
            continue
        if head in ("license", "licence", "registration", "certificate") and (
            _DRIVING.search(before(text, m.start(), 16))
        ):
            continue
        kind = _kind(head, value) if m["mark"] else _plain_kind(head, m["sep"], value)
        if kind is not None and head in _LOOSE:
            kind = kind._replace(score=0.6)
        if kind is not None:
            yield (found := _hit(text, m, kind))
            last = found.end
            for more in _list(text, found, kind):
                yield more
                last = more.end


def _unnamed(text: str) -> Iterator[Hit]:
    """Values after "no." whose name is another one, or none."""
    last = 0
    for m in _SIGNS.finditer(text):
        value = m["v"]
        # The others are those of `_named`.
        if (
            m.start("v") < last
            or len(value) < 4
            or _CODED.search(value) is None
            or _WORDED.fullmatch(value)
            or not _is_value(value)
        ):
            continue
        left = text[max(0, m.start() - 32) : m.start()]
        name = _HEAD_BEFORE.search(left)
        head = name[1].lower() if name else None
        if head in _KIND:
            continue
        if head in _TRANSPARENT and head not in ("id", "serial"):
            head = None
        if head is None and _LEGISLATION.search(before(text, m.start("v"), 40)):
            continue
        kind = _kind(head, value)
        if kind is not None:
            yield (found := _hit(text, m, kind))
            last = found.end
            for more in _list(text, found, kind):
                yield more
                last = more.end


def _hit(text: str, m: re.Match[str], kind: _Kind) -> Hit:
    return hit(*m.span("v"), "CODE", kind.subtype, kind.score, reason=kind.says)


def _list(text: str, first: Hit, kind: _Kind) -> Iterator[Hit]:
    """The values that follow one: "nos. 260, 45 and 119/5"."""
    end = first.end
    while (m := _NEXT.match(text, end)) is not None:
        value = m["v"]
        if not _is_value(value) or ("/" not in value and _COUNTS.match(text, m.end())):
            return
        end = m.end("v")
        yield hit(
            *m.span("v"),
            "CODE",
            kind.subtype,
            kind.score - 0.05,
            reason=f"in a list: {kind.says}",
        )


def _forms(text: str) -> Iterator[Hit]:
    # None has less.
    if count_digits(text) < 3:
        return
    for form in _FORMS:
        if form.needs not in text:
            continue
        for m in form.pattern.finditer(text):
            start, end = m.span("v") if "v" in m.re.groupindex else m.span()
            if _LEGISLATION.search(before(text, start, 32)):
                continue
            season = _SEASON.fullmatch(text, start, end)
            if season and (int(season[2]) + 1) % 100 == int(season[3]):
                continue
            yield hit(start, end, "CODE", form.subtype, form.score, reason=form.says)


@registry.deid_patterns("spacy_deid.case_number_patterns.v1")
def make_case_number_patterns() -> Recognizer:
    """Numbers of court cases, and of files of courts, police and authorities, by their
    forms and after their names.

    Articles, sections, paragraphs, laws and protocols are left alone, and numbers of
    records, customers and accounts left to other families.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> list[Hit]:
        if not has_digits(text):
            return []
        found: Iterable[Hit] = (*_named(text), *_unnamed(text), *_forms(text))
        return drop_covered(list(found))

    return PatternRecognizer(find)
