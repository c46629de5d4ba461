"""Ages, in figures and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..base import CLOSED, END, Anchored, Anchors, Hit, hit, word_trie
from ..numbers import NUMBER_WORD, START, word_runs

_NUMBER = rf"(?:[0-9]{{1,3}}(?:[.,][0-9]|½)?(?![0-9])|(?i:{NUMBER_WORD}))"
_UNIT = r"(?i:years?|months?|weeks?|days?|yrs?\.?|mths?|mos?\.?|wks?)"
_OLD_AFTER = (
    rf"(?:\s(?:or|to|and)\s{_NUMBER}|-\s?(?:(?:to|or)[\s-])?[0-9]{{1,3}})?"
    rf"(?:[\s-]?{_UNIT}(?:[\s,]{{1,2}}(?:and\s)?{_NUMBER}[\s-]{_UNIT})?[\s-]"
    r"(?i:olds?|of\sage|young)\b"
    r"|\s?-?(?i:y/?o\b|y\.\s?o\.|yrs?\.?\s?o(?:ld)?\b|yo(?:[fm])?\b|y\.?\so\.?)(?!\w))"
)
_OLD = Anchored(
    rf"{START}[0-9]{{0,2}}(?:[.,][0-9]|½)?{_OLD_AFTER}",
    followed=(
        "year years month months week weeks day days yr yrs mth mths mo mos wk wks and or",
        "to y yo yof yom - . , ½ yrso",
    ),
)
_WORDS_OLD = re.compile(_OLD_AFTER)
_OF = Anchored(
    rf"{word_trie('age ages aged')}"
    r"(?:\s(?P<of>of\s)|\s?[:=]\s?|\s\(?(?:was\s|is\s)?(?:only\s|about\s|just\s|between\s|around\s"
    r"|approximately\s|in\syears:?\s)?)"
    rf"(?P<n>{_NUMBER}(?![\w/]|\.[0-9])"
    rf"(?:(?:,\s{_NUMBER}){{0,5}},?(?:\s(?:and|to|or)\s|\s?-\s?){_NUMBER}(?!\w))?"
    rf"(?:\s{_UNIT}(?!\w)(?:\sand\s{_NUMBER}\s{_UNIT}(?!\w))?)?)",
    "age ages aged",
)
_LABEL = Anchored(
    rf"{word_trie('alter edad âge age età idade leeftijd wiek věk vek ålder alder ikä возраст yaş')}"
    r"\s?[:=]\s{0,2}(?P<n>[0-9]{1,3})(?![\w/-]|[.,:][0-9])",
    "alter edad âge age età idade leeftijd wiek věk vek ålder alder ikä возраст yaş",
)
_TURNED = Anchored(
    rf"{word_trie('turned turning turns')}\s(?P<n>{_NUMBER})"
    r"(?=\s?(?:[.,;!?)\n]|\Z|(?i:in|on|this|last|next|and|when|today|tomorrow|years)\b))",
    "turned turning turns",
)
_BIRTHDAY = Anchored(
    r"[0-9](?<![\w.,/][0-9])[0-9]{0,2}(?:st|nd|rd|th)(?=\s(?i:birthday)\b)",
    followed="st nd rd th",
)
# "67M", "43 y F", "(43 F)": clinical notes.
_SEX = Anchored(
    r"[1-9](?<![\w.,/$€£:][1-9])[0-9]{0,2}(?:\s?y(?:rs?)?)?\s?/?\s?(?:[MF]|male|female)(?![\w%°$€£])",
    followed="m f y yr yrs / male female",
)
_SEX_BEFORE = re.compile(
    r"(?:\b(?:a|an|pt|patient|is|this|was|the|for|hx|hpi|cc)[:.]?\s|[(,;:.]\s?|\n|\A)\Z",
    re.I,
)
_SEX_AFTER = re.compile(
    r"\s?(?:[,;)]|\.?\s(?:with|w/|who|presents?|presented|c/o|s/p|hx|h/o|admitted|adm|complain|diagnosed|seen|brought|patient|pt|transferred|found|status|here|p/w|undergoing|underwent|reports?|has|had|in|came|smoker|nonsmoker)\b|\Z)"
)
# "Anna Kowalska, 34, of Leeds", "Anna Kowalska (34)"
_AFTER_NAME = Anchored(
    r"[1-9][0-9](?:(?=,\s[a-zA-Z])|(?=\)))",
    followed=CLOSED,
)
# "she was 12 when", "I'm 34."
_BEING = Anchored(
    r"[1-9](?<![\w.,/$€£:-][1-9])[0-9](?=\s(?i:when|now|and|but|today)\s|[.;!?](?![0-9])|\s?\Z)",
    followed=(END, "when now and but today ."),
)
_IS = re.compile(
    r"(?i:\b(?:i\s?'?\s?m|i\sam|(?:he|she)(?:\sis|'s|\swas)|i\swas)(?:\s(?:only|just|now|about"
    r"|still|already))?\s)\Z"
)
_WAS = re.compile(r"(?i:\b(?:was|were|is)(?:\s(?:only|just|about))?\s)\Z")
_NAME_COMMA = re.compile(r"[A-Z][\w'-]+\s[A-Z][\w'.-]+(?:,\s(?:aged\s)?|\s\(\s?)\Z")
_DECADES = "eens wenties hirties orties ifties ixties eventies ighties ineties".split()
_DECADE = Anchored(
    r"[tefsn](?<!\w.)(?:eens|wenties|hirties|orties|ifties|ixties|eventies|ighties|ineties)\b"
    r"|[1-9](?<![\w.,][1-9])0'?s\b",
    *(f"{c}{rest}" for c in "tefsn" for rest in _DECADES),
    followed="s 's",
)
_DECADE_BEFORE = re.compile(
    r"\b(?:his|her|their|my|your|our)\s(?:early[\s-]|late[\s-]|mid[\s-]|mid|(?:early\sto\s|mid-?\sto\s)"
    r"(?:mid|late)[\s-]?)?\Z",
    re.I,
)
_ABROAD = Anchored(
    rf"{START}[0-9]{{0,2}}[\s-]?(?:Jahren?\salt|jährige[rnms]?\b|-jährige[rnms]?\b|ans\sd'âge|jaar\soud|jarige\b"
    r"|años\sde\sedad|años\sy\s[0-9]{1,2}\smeses|anos\sde\sidade|anni\sd'età|år\sgammel|år\sgammal"
    r"|летн(?:ий|яя|его|ей|юю|ему|им|ем)\b|лет\sот\sроду)",
    followed=(
        "jahre jahren jährige jähriger jährigen jähriges jährigem ans jaar jarige años anos",
        "anni år летний летняя летнего летней летнюю летнему летним летнем лет",
    ),
)
_ABROAD_OF = Anchored(
    rf"{START}[0-9]{{0,2}}\s{{1,2}}(?:ans|años|anos|anni|meses|mois|mesi|лет|года?)(?!\w)",
    followed="ans años anos anni meses mois mesi лет год года",
)
_ABROAD_BEFORE = re.compile(
    r"(?:âgée?s?\sde|d'âge\sde|âge\s?:|edad\s?(?:de|:)|(?:varón|mujer|hombre|paciente|niñ[oa]"
    r"|mujeres|varones|señora?|joven|bebé|lactante)[\w\s,]{0,14}\sde|idade\s?(?:de|:)|età\s?(?:di|:)"
    r"|возраст[еа]?\s?:?|в\sвозрасте|ему|ей|tiene|homme|femme|patiente?|garçon|fille|uomo|donna|paziente di)"
    r"\s?\Z",
    re.I,
)
_FIGURES = Anchors(
    *(_OLD, _OF, _LABEL, _TURNED, _BIRTHDAY, _DECADE, _SEX, _BEING, _AFTER_NAME),
    *(_ABROAD, _ABROAD_OF),
)
_MAX = 125


def _plausible(value: str) -> bool:
    return all(int(n) <= _MAX for n in re.findall("[0-9]+", value))


def find_ages(text: str) -> Iterator[Hit]:
    """Ages of people.

    text (str): Normalised text.
    YIELDS (Hit): Hits with label DEM, subtype AGE; they may overlap.
    """
    for start, end in word_runs(text):
        tail = _WORDS_OLD.match(text, end)
        if tail is not None:
            reason = "number in words, years or months and 'old'"
            yield _age(start, tail.end(), 0.9, reason)
    if _FIGURES.absent(text):
        return
    for m in _OLD.finditer(text):
        if _plausible(m[0]) or "day" in m[0] or "week" in m[0] or "month" in m[0]:
            yield _age(m.start(), m.end(), 0.9, "number of years or months and 'old'")
    for m in _OF.finditer(text):
        if not _plausible(m["n"]):
            continue
        if m["of"]:
            yield _age(m.start(), m.end("n"), 0.9, "number after 'age of'")
        else:
            yield _age(m.start("n"), m.end("n"), 0.85, "number after 'age' or 'aged'")
    for m in _LABEL.finditer(text):
        if _plausible(m["n"]):
            yield _age(m.start("n"), m.end("n"), 0.85, "number after a label for ages")
    for m in _TURNED.finditer(text):
        if _plausible(m["n"]):
            yield _age(m.start("n"), m.end("n"), 0.6, "number after 'turned'")
    for m in _BIRTHDAY.finditer(text):
        if _plausible(m[0]):
            yield _age(m.start(), m.end(), 0.7, "ordinal before 'birthday'")
    for m in _DECADE.finditer(text):
        if _DECADE_BEFORE.search(text[max(0, m.start() - 20) : m.start()]):
            yield _age(m.start(), m.end(), 0.8, "decade after 'his', 'her' or the like")
    yield from _beside_people(text)
    yield from _abroad(text)


def _beside_people(text: str) -> Iterator[Hit]:
    for m in _SEX.finditer(text):
        if not _plausible(m[0]):
            continue
        sure = "y" in m[0] or m[0].endswith("male")
        left = text[max(0, m.start() - 12) : m.start()]
        if sure or (_SEX_BEFORE.search(left) and _SEX_AFTER.match(text, m.end())):
            number = re.match("[0-9]+", m[0])
            assert number is not None
            sex = m[0].endswith(("M", "F")) and " " not in m[0]
            end = m.end() if sex else m.start() + number.end()
            yield _age(m.start(), end, 0.6, "number and sex as in clinical notes")
    for m in _BEING.finditer(text):
        left = text[max(0, m.start() - 24) : m.start()]
        when = text.startswith((" when ", " WHEN "), m.end())
        if (_WAS if when else _IS).search(left):
            yield _age(m.start(), m.end(), 0.6, "number after 'was' or 'is'")
    for m in _AFTER_NAME.finditer(text):
        left = text[max(0, m.start() - 50) : m.start()]
        if (
            int(m[0]) <= 110
            and _NAME_COMMA.search(left)
            and not _SURE_NO_NAME.search(left)
        ):
            yield _age(m.start(), m.end(), 0.6, "number between commas after a name")


_SURE_NO_NAME = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December|Articles?|Rules?|Sections?|Chapter|Act|Court|Street|Road|Avenue|Lane|Drive"
    r"|Volume|Vol|No|Part|Page|Room|Suite|Unit|Apt|Box|Building|Block|Flat|Route|Highway"
    r"|Windows|Version|Code|Law|Law,|Convention|Protocol|Order|Number|Table|Figure)\b[^,(]{0,20}"
    r"[,(]\s?\Z"
)


def _abroad(text: str) -> Iterator[Hit]:
    for m in _ABROAD.finditer(text):
        if _plausible(m[0]):
            yield _age(m.start(), m.end(), 0.85, "number of years and a word for age")
    for m in _ABROAD_OF.finditer(text):
        left = text[max(0, m.start() - 32) : m.start()]
        if _plausible(m[0]) and _ABROAD_BEFORE.search(left):
            yield _age(m.start(), m.end(), 0.85, "number of years after a word for age")


def _age(start: int, end: int, score: float, reason: str) -> Hit:
    return hit(start, end, "DEM", "AGE", score, reason=reason)
