"""Numbers of cases, files, applications, records, invoices, plots and accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..registries import registry
from .base import (
    Hit,
    PatternRecognizer,
    Recognizer,
    before,
    drop_covered,
    has_digits,
    hit,
)

# What a number names, by the last word before "no." and the like.
_CASE = """case cases application applications appeal appeals docket dockets claim claims
complaint complaints petition petitions proceedings procedure judgment suit action
indictment warrant cause aktenzeichen az affaire dossier expediente rechtssache
requête causa caso asunto vorgang geschäftszahl"""
_FILE = """file files ref reference references registration registry register plot plots
parcel parcels sheet title entry deed protocol-no permit licence license certificate
report contract contracts agreement passport-file ticket tickets tracking shipment
booking reservation confirmation order orders policy serial inventory document
identification project loan request incident cadastral land-register lot lots
visa decision letter aktennummer zeichen referenz référence referencia
folder archive batch grant award requisition purchase work-order rma barcode"""
_RECORD = """mrn record records chart patient specimen sample accession admission
encounter hospital visit episode nhc historia prescription lab study subject
student matriculation employee staff personnel member membership customer client
subscriber user kunden kundennummer invoice invoices receipt rechnung
rechnungsnummer factura facture patientennummer fallnummer matrikelnummer badge
service-number payroll beneficiary participant prisoner inmate detainee booking-number"""
_ACCOUNT = """account accounts acct konto kontonummer cuenta compte sort routing aba"""

_KIND = {
    **dict.fromkeys(_CASE.split(), "CASE_NUMBER"),
    **dict.fromkeys(_FILE.split(), "FILE_NUMBER"),
    **dict.fromkeys(_RECORD.split(), "RECORD_NUMBER"),
    **dict.fromkeys(_ACCOUNT.split(), "ACCOUNT"),
}
# Numbers of laws, publications and institutions identify nobody.
_PUBLIC = set(
    """protocol law laws act acts decree directive regulation regulations resolution
recommendation opinion convention bulletin gazette journal reports series instruction
chapter article articles section sections rule rules form school prison court chamber
annex appendix amendment constitution code ordinance circular paragraph paragraphs para
page pages line point points item items schedule table figure fig step grade class level
room floor bus tram train highway channel volume vol issue part division question
questions version release build player rank ranked seed ranking top gesetz
platform gate note notes footnote bill exhibit judge investigating
factory hospital clinic battalion brigade district ward detention remand colony
facility centre center statute edition a""".split()
)

_SMALL = {
    "judgment",
    "decision",
    "report",
    "reference",
    "order",
    "document",
    "claim",
    "claims",
    "claimant",
}

_MARK = r"(?:nos?|nrs?|numbers?|num|núms?|nums?|n|№|#|ids?|code|ref|reference)"
_LEFT = re.compile(
    # The naming word, then "no.", then what may stand before the value.
    rf"(?P<head>[^\W\d_][\w'-]*)?[\s(\[/.]{{0,3}}"
    rf"(?P<mark>(?<!\w){_MARK}(?:\.|\b|°|º)|[№#])\s?(?:\(s\))?[:.=#]?\s{{0,2}}[\"'(\[]?\Z"
)
_LEFT_PLAIN = re.compile(
    r"(?P<head>[^\W\d_][\w'-]*)(?P<sep>\s?[:=#]\s{0,2}|\s)[\"'(\[]?\Z"
)
_VALUE = re.compile(
    r"(?:[A-Z0-9](?<![\w][A-Z0-9])(?<![\w][./:,-][A-Z0-9]))"
    # Most are capitalised words.
    r"(?:(?<=[0-9])|(?=[A-Za-z/:_.-]{0,200}[0-9]))[A-Za-z0-9]{0,20}"
    r"(?:[/:_.-][A-Za-z0-9]{1,20}){0,8}"
)
_DIGIT = re.compile("[0-9]")
_JOIN = re.compile(
    r"(?:,|;|\s?&|,?\s(?:and|or|to|et|und|y|e))\s{1,2}(?:(?:nos?|nr)\.\s?)?\Z"
)

# Registries whose numbers are recognised by their form.
_FORMS = (
    # Court of Human Rights and its kin: 28045/02.
    (
        re.compile(
            r"[1-9](?<![\w][1-9])(?<![./:,§-][1-9])[0-9]{2,4}/[0-9]{2}(?![\w/]|[.,:-][0-9])"
        ),
        "CASE_NUMBER",
        0.75,
    ),
    # Polish: II K 45/01, III CZP 12/2005, I C 123/99.
    (
        re.compile(
            r"[IVXL](?<![\w][IVXL])[IVXL]{0,5} ?[A-Z][A-Za-z]{0,5}"
            r"(?: [a-z]{1,4})? [0-9]{1,6}/[0-9]{2,4}(?![\w])"
        ),
        "CASE_NUMBER",
        0.9,
    ),
    # German and Austrian: 2 BvR 1436/02, 12 O 345/99, 4 Ob 123/99x.
    (
        re.compile(
            r"[0-9](?<![\w.,/][0-9])[0-9]{0,3} (?!(?:No|Nr|Nos|Art|Law|Act)\b)[A-Z][A-Za-z]{0,4}"
            r"(?: \([A-Za-z]{1,6}\))? [0-9]{1,6}/[0-9]{2,4}(?:[a-z]\b|(?![\w]))"
        ),
        "CASE_NUMBER",
        0.9,
    ),
    # United States federal dockets: 1:12-cv-03456-ABC.
    (
        re.compile(
            r"[0-9](?<![\w.,/-][0-9])(?:[0-9]?:)?[0-9]{0,4}-(?i:cv|cr|mj|bk|md|mc|ap|po|civ|crim)"
            r"-[0-9]{2,6}(?:-[A-Z]{2,4}){0,3}(?!\w)"
        ),
        "CASE_NUMBER",
        0.95,
    ),
    # Court of Justice of the European Union: C-131/12, T-305/10 P.
    (re.compile(r"[CTF](?<!\w.)-[0-9]{1,4}/[0-9]{2}(?!\w)"), "CASE_NUMBER", 0.85),
    # Neutral citations: [2001] UKHL 37, [2019] EWCA Civ 123; ECLI.
    (
        re.compile(r"E(?<!\w.)CLI:[A-Z]{2}:[A-Z0-9]{1,7}:[0-9]{4}:[A-Z0-9.]{1,25}"),
        "CASE_NUMBER",
        0.95,
    ),
    # Plots and estates: plot no. is handled by its name; folios here.
    (
        re.compile(r"[A-Z](?<!\w.)[A-Z]{1,4}-(?:19|20)[0-9]{2}-[0-9]{2,8}(?![\w-])"),
        "FILE_NUMBER",
        0.8,
    ),
)


_COUNTS = re.compile(r"\s?(?:[A-Z][a-z]{2,}|%|euros?|years?|months?|days?)")
_LEGISLATION = re.compile(
    r"\b(?:regulation|directive|law|act|decree|bill|ordinance|decision|resolution|protocol)s?"
    r"(?:\s\([a-z]{2,4}\))?\s(?:nos?\.?\s|nr\.?\s)?\Z"
)


def _kind(head: str | None, value: str) -> tuple[str, float] | None:
    """Subtype and score of a value that follows "no.", given the word before."""
    digits = sum(c.isdigit() for c in value)
    if head:
        word = head.lower()
        # "Judgment no. 3" and the like identify nothing outside their document.
        small = 3 if word in _SMALL else 1
        if digits < small:
            return None
        if word in _KIND:
            return _KIND[word], 0.9
        if word in _PUBLIC:
            return None
        if word.endswith(("nummer", "number")):
            return "RECORD_NUMBER", 0.8
    if digits >= 3 and any(c in value for c in "/-:"):
        return "CASE_NUMBER", 0.8
    return None


def _is_value(value: str) -> bool:
    if _DIGIT.search(value) is None:
        return False
    # "2nd", "1990s": ordinals and decades.
    return not re.fullmatch(r"[0-9]+(?:st|nd|rd|th|s)", value)


def _numbers(text: str) -> Iterator[Hit]:
    """Values named by the words before them, and lists of such values."""
    last_end, last_kind = -1, ("", 0.0)
    for m in _VALUE.finditer(text):
        value = m[0].rstrip(".:-_/")
        if not _is_value(value):
            continue
        start, end = m.start(), m.start() + len(value)
        raw = text[max(0, start - 40) : start]
        raw = raw[raw.rfind("\n\n") + 1 :]
        if 0 <= start - last_end <= 10 and _JOIN.match(text, last_end, start):
            counts = _COUNTS.match(text, end)
            if "/" in value or not counts:
                yield hit(start, end, "CODE", last_kind[0], last_kind[1] - 0.05)
                last_end = end
                continue
        last = raw.rstrip(" \n\"'([")[-1:]
        if not (last.isalpha() or last in ".:=#№°º)"):
            last_end = -1
            continue
        kind = None
        left = _LEFT.search(raw.lower())
        if left:
            head = _head(raw, left)
            if head is not None or not _LEGISLATION.search(raw.lower()):
                kind = _kind(head, value)
        else:
            plain = _LEFT_PLAIN.search(raw.lower())
            if plain:
                kind = _plain_kind(plain["head"], plain["sep"], raw, value)
        if kind is None:
            last_end = -1
            continue
        last_end, last_kind = end, kind
        yield hit(start, end, "CODE", kind[0], kind[1])


def _head(raw: str, m: re.Match[str]) -> str | None:
    """The naming word before "no.", skipping an adjective-like "file" or "the"."""
    head = m["head"]
    if head in ("serial", "id", "registration", "identification", "reference", "ref"):
        return head
    if head in ("the", "under", "with", "by", "of", "has", "his", "her"):
        return None
    return head


def _plain_kind(head: str, sep: str, raw: str, value: str) -> tuple[str, float] | None:
    """Subtype of a value right after its name, without "no."."""
    digits = sum(c.isdigit() for c in value)
    strong = ":" in sep or "=" in sep or "#" in sep
    kind = _KIND.get(head)
    if head in (
        "mrn",
        "nhc",
        "aktenzeichen",
        "az",
        "docket",
        "kundennummer",
        "rechnungsnummer",
        "matrikelnummer",
        "kontonummer",
        "patientennummer",
        "fallnummer",
        "aktennummer",
    ):
        return (kind or "RECORD_NUMBER", 0.9) if digits >= 2 else None
    if kind is None:
        return None
    coded = digits >= 3 and (
        any(c in value for c in "/-") or any(c.isalpha() for c in value)
    )
    if strong:
        return (kind, 0.85) if digits >= 3 else None
    if coded and not re.fullmatch(r"[0-9]{1,3}-[A-Za-z]+(?:-[A-Za-z]+)?", value):
        return kind, 0.75
    return (kind, 0.6) if digits >= 6 and value.isdigit() else None


def _forms(text: str) -> Iterator[Hit]:
    for pattern, subtype, score in _FORMS:
        for m in pattern.finditer(text):
            if not _LEGISLATION.search(before(text, m.start(), 32)):
                yield hit(m.start(), m.end(), "CODE", subtype, score)


@registry.deid_patterns("spacy_deid.case_number_patterns.v1")
def make_case_number_patterns() -> Recognizer:
    """Case, application, file, record, invoice, plot and account numbers.

    Articles, sections, paragraphs, laws and protocols are left alone.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> list[Hit]:
        if not has_digits(text):
            return []
        return drop_covered([*_numbers(text), *_forms(text)])

    return PatternRecognizer(find)
