"""Times of day and durations, in figures and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.calendars import UNITS_ABROAD
from ..base import FOUR, FRACTION, Anchored, Anchors, Hit, hit, word_trie
from ..numbers import START, TEEN_WORD, UNIT_WORD, last_word, word_runs, words

_HOURS = "one two three four five six seven eight nine ten eleven twelve"
_HOUR_WORD = word_trie(_HOURS)
_ZONES = """utc gmt cet cest est edt pst pdt cst cdt mst mdt bst ist jst msk eet eest wet
west aest aedt hst akst sast"""
_ZONE = (
    r"(?:\s?(?:(?:UTC|GMT)\s?[+-][0-9]{1,2}(?![0-9:])|(?:UTC|GMT)?[+-][0-9]{2}:?[0-9]{2}"
    rf"(?![0-9])|(?i:{'|'.join(_ZONES.split())})\b|Z\b))?"
)
_HALF = r"(?:\s?(?i:a\.\s?m\.|p\.\s?m\.|am\b|pm\b|a\.m\b|p\.m\b|noon\b|midnight\b))"
_PART_OF_DAY = r"(?:\s(?i:in\sthe\s(?:morning|afternoon|evening)|at\snight)\b)"
_O_CLOCK = r"\s?(?:o\s?'\s?clock|Uhr)\b"
_CLOCK = Anchored(
    rf"{START}[0-9]?"
    # 3.45 pm, 3:45pm, 3:45:10 p.m.
    rf"(?:[.:][0-5][0-9](?::[0-5][0-9])?(?![0-9]|[.:][0-9]{{3}}){_HALF}{_ZONE}"
    # 15:45, 13:45:02.123 +0200
    rf"|:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{{1,9}})?)?(?:(?=[ZhH]\b)|(?!\w|:[0-9]|\.[0-9]))"
    rf"(?:\s?(?i:h|hrs|hours|uhr)\b|{_PART_OF_DAY})?{_ZONE}"
    rf"|(?:-[0-9]{{1,2}})?{_HALF}{_ZONE}|{_O_CLOCK}"
    # 15h30, 15.30 Uhr, 9h
    r"|\s?[hH]\s?[0-5][0-9](?!\w)|\.[0-5][0-9]\s?(?i:hours|hrs|h|uhr)\b"
    rf"|{_PART_OF_DAY}"
    r"|\sh(?:eures)?\s(?:du\s(?:matin|soir)|de\sl'après-midi)\b)",
    followed=(
        ": . a am p pm noon midnight o uhr h in o'clock heures clock -",
        "oclock at",
    ),
)
_AT_HOUR = Anchored(
    rf"{START}[0-9]?(?:[.][0-5][0-9]|\s?[hH]\b)(?![\w]|[.,:][0-9])",
    followed=". h",
)
_MILITARY = Anchored(
    r"(?:[01][0-9]|2[0-4])(?<![\w$€£][0-9]{2})(?<![0-9][.,/:-][0-9]{2})[0-5][0-9]"
    r"(?:\s?(?:h|hrs|hours|Z|Uhr)\b|(?![\w]|[.,:/-][0-9]))",
    followed=FOUR,
)
_MINUTES = r"(?:fifteen|thirty|forty-five|twenty|ten|five|forty|fifty|twenty-five)"
_IN_WORDS = Anchored(
    rf"(?:{word_trie('half_past quarter_past quarter_to half_after quarter_of')}|"
    rf"{word_trie('five_past ten_past twenty_past five_to ten_to twenty_to')}"
    rf"(?=[^\n]{{0,14}}(?:o'clock|noon|midnight|a\.?m|p\.?m|in\sthe))"
    rf"|{word_trie('twenty-five_past twenty-five_to')}"
    rf"|[0-9]{{1,2}}(?<![\w.,/][0-9])(?:\sminutes?)?\s(?:past|to)(?=\s{_HOUR_WORD}))"
    rf"\s(?:(?i:{_HOUR_WORD})|[0-9]{{1,2}}\b|noon\b|midnight\b)(?:{_O_CLOCK})?{_HALF}?"
    rf"{_PART_OF_DAY}?"
    rf"|{_HOUR_WORD}(?:[\s-](?i:{_MINUTES}))?(?:{_O_CLOCK}|\s?(?i:[ap]\.?\s?m\b\.?)"
    rf"|{_PART_OF_DAY})",
    _HOURS,
    "half quarter twenty",
    followed="past to minutes minute",
)
_AT_WORDS = Anchored(
    rf"(?:{_HOUR_WORD}[\s-](?i:{_MINUTES})(?![\w-])|(?i:half)\s(?i:{_HOUR_WORD}))"
    r"(?!\s(?:[a-z]{3,}s|per|years|of)\b)",
    _HOURS,
    "half",
)
_NOON = Anchored(word_trie("noon midnight midday"), "noon midnight midday")
_AT = words("at by until till before after from since around to about kl um à godz")
_AT_ONLY = words("at à um kl kl. by around from until till alle ore às las godz godz.")
# Scores, verses and ratios look like times.
_NO_TIME = frozenset(
    "ratio score scored won lost beat odds verse chapter scale genesis exodus leviticus "
    "numbers deuteronomy joshua judges ruth samuel kings chronicles psalm psalms proverbs "
    "isaiah jeremiah ezekiel daniel hosea matthew matt mark luke john acts romans "
    "corinthians galatians ephesians philippians colossians thessalonians timothy titus "
    "hebrews james peter jude revelation koran quran surah aspect mix mixture".split()
)

_UNITS = "second minute hour day night week fortnight month year decade century"
_UNIT = r"(?i:(?:second|minute|hour|day|night|week|fortnight|month|year|decade)s?|centur(?:y|ies))"
_SHORT_UNIT = r"(?i:secs?|mins?|hrs?|wks?|mths?|mos|yrs?|h|min)"
_KEYS = " ".join(f"{u} {u}s" for u in _UNITS.split())
_FIGURE = rf"{START}[0-9]{{0,2}}(?:[.,][0-9]{{1,2}}|\s?[½¼¾]|\s1/2)?(?![0-9])"
_MORE = rf"(?:[0-9]{{1,3}}|{UNIT_WORD}|{TEEN_WORD}|(?i:twenty|thirty|a half|half a|a))"
_KIND = (
    r"(?:(?:calendar|working|business|school|academic|full|whole|consecutive|more|long"
    r"|hundred|light|further|additional|and\sa\shalf|or\sso|odd)[\s-])?"
)
_LATER = r"(?:\s(?:later|earlier|ago)\b)?"
_COUNTED = (
    r"(?:\s\([0-9]{1,3}\))?"
    rf"(?:[\s-](?:and[\s-])?(?:a[\s-])?half|\s(?:or|to|and)\s{_MORE}|-{_MORE}"
    rf"|-\s?(?:to|or)-?\s{_MORE})?"
    rf"[\s-]{{1,2}}{_KIND}(?:{_UNIT}\b"
    rf"(?:\s(?:and\s)?{_MORE}[\s-]{_UNIT}\b|,\s(?:and\s)?(?!a\s){_MORE}\s{_UNIT}\b){{0,4}}"
    rf"(?:\sand\sa\shalf\b)?|(?<=[0-9]\s){_SHORT_UNIT}(?!\w)){_LATER}"
)
_DURATION = Anchored(
    rf"(?:{_FIGURE}|(?:several|many|dozens\sof|hundreds\sof)(?=\s(?:hundred\s)?years\b))"
    rf"{_COUNTED}",
    "several many dozens hundreds",
    followed=(
        _KEYS,
        "calendar working business school academic full whole consecutive more long",
        "hundred light further additional and or to half odd a",
        FRACTION,
        "( sec secs min mins hr hrs wk wks mth mths mos yr yrs h . , - ½ ¼ ¾",
    ),
)
_UNITS_AFTER = re.compile(_COUNTED)
# "2h 30min", "1h30m", "45min"
_SHORT = Anchored(
    rf"{START}[0-9]{{0,3}}\s?(?:h|hr|hrs)\s?[0-9]{{1,2}}\s?(?:m|min|mins)(?:\s?[0-9]{{1,2}}\s?s(?:ec)?)?\b"
    rf"|{START}[0-9]{{0,3}}\s?(?:min|mins|m)\s?[0-9]{{1,2}}\s?(?:s|sec|secs)\b"
    rf"|{START}[0-9]{{0,2}}(?:mins?|hrs?|wks?|yrs?|[dwy]\s[0-9]{{1,2}}(?:m|mo|d|w|h))(?![\w/-])",
    followed="h hr hrs min mins m wk wks yr yrs d w y",
)
_ISO = Anchored(
    r"P(?<!\w.)(?=[0-9T])(?:[0-9]{1,4}Y)?(?:[0-9]{1,3}M)?(?:[0-9]{1,3}W)?(?:[0-9]{1,4}D)?"
    r"(?:T(?:[0-9]{1,3}H)?(?:[0-9]{1,3}M)?(?:[0-9]{1,5}(?:\.[0-9]{1,6})?S)?)?(?<=[YMWDHS])(?!\w)",
    "p pt",
)
_FIXED = Anchored(
    word_trie(
        "half_an_hour half_a_year half_a_century half_a_day quarter_of_an_hour "
        "three_quarters_of_an_hour"
    )
    + "|"
    + r"[Aa](?<!\w.)(?:n)?\s(?i:fortnight|hour\sand\sa\shalf|year\sand\sa\shalf"
    r"|month\sand\sa\shalf|week\sand\sa\shalf|couple\sof\s(?:years|months|weeks|days|hours))\b",
    "half quarter three a an",
)
_ABROAD_WORDS = " ".join(UNITS_ABROAD)
_ABROAD_DURATION = Anchored(
    rf"{START}[0-9]{{0,2}}\s(?:{'|'.join(sorted(_ABROAD_WORDS.split(), key=len, reverse=True))})(?!\w)",
    followed=_ABROAD_WORDS,
)
_DAY_PERIOD = re.compile(
    r"\b(?:at|by|until|till|before|after|around|from|since|to)\s\Z"
)
# What counts in days without lasting ("day 3").
_DOSE = re.compile(r"\s?(?:/|per\b)")


_TIMES = Anchors(_CLOCK, _AT_HOUR, _MILITARY, _IN_WORDS, _AT_WORDS, _NOON)


def find_times(text: str) -> Iterator[Hit]:
    """Times of day.

    text (str): Normalised text.
    YIELDS (Hit): Hits with label DATETIME, subtype TIME; they may overlap.
    """
    if _TIMES.absent(text):
        return
    for m in _CLOCK.finditer(text):
        value = m[0]
        if _hour(value) > 24:
            continue
        word, _ = last_word(text, m.start())
        marked = any(c.isalpha() for c in value)
        if not marked and _NO_TIME.intersection(_words_before(text, m.start())):
            continue
        reason = "hours and minutes in figures" if not marked else "time of day"
        reason += f"; after '{word}'" if word in _AT else ""
        yield hit(m.start(), m.end(), "DATETIME", "TIME", 0.85, reason=reason)
    for m in _AT_HOUR.finditer(text):
        word, _ = last_word(text, m.start())
        if (
            word in _AT_ONLY
            and _hour(m[0]) < 24
            and word not in ("by", "from", "until")
        ):
            reason = f"hours and minutes after '{word}'"
            yield hit(m.start(), m.end(), "DATETIME", "TIME", 0.6, reason=reason)
    for m in _MILITARY.finditer(text):
        word, _ = last_word(text, m.start())
        marked = len(m[0]) > 4
        # "at 1620 Vine Street"
        clock = not "1900" <= m[0] < "2100" and not _NAME_AFTER.match(text, m.end())
        if marked or (word == "at" and clock):
            reason = "four figures that are a time of day"
            yield hit(m.start(), m.end(), "DATETIME", "TIME", 0.75, reason=reason)
    for m in _IN_WORDS.finditer(text):
        reason = "time of day in words"
        yield hit(m.start(), m.end(), "DATETIME", "TIME", 0.8, reason=reason)
    for m in _AT_WORDS.finditer(text):
        if text[max(0, m.start() - 3) : m.start()].lower() != "at ":
            continue
        reason = "time of day in words; after 'at'"
        yield hit(m.start(), m.end(), "DATETIME", "TIME", 0.65, reason=reason)
    for m in _NOON.finditer(text):
        if _DAY_PERIOD.search(text[max(0, m.start() - 8) : m.start()].lower()):
            reason = "noon or midnight after a preposition"
            yield hit(m.start(), m.end(), "DATETIME", "TIME", 0.65, reason=reason)


_NAME_AFTER = re.compile(r"\s[A-Z]")


def _words_before(text: str, start: int) -> list[str]:
    return text[max(0, start - 16) : start].lower().split()


def _hour(value: str) -> int:
    return int(value[:2] if value[1:2].isdigit() else value[0])


_WORDY = (
    (_FIXED, 0.7, "length of time in words"),
    (_ISO, 0.7, "ISO 8601 duration"),
    (_ABROAD_DURATION, 0.65, "number and unit of time"),
)


_DURATIONS = Anchors(_DURATION, _SHORT, *(pattern for pattern, *_ in _WORDY))


def _some_day(text: str, start: int, end: int) -> bool:
    """Whether "one day" is no length of time."""
    return (
        text[start:end].lower() == "one day"
        and last_word(text, start)[0] not in _LASTING
    )


_LASTING = words(
    "for in of within after than least about only just every per last exactly"
)


def find_durations(text: str) -> Iterator[Hit]:
    """Durations.

    text (str): Normalised text.
    YIELDS (Hit): Hits with label DATETIME, subtype DURATION; they may overlap.
    """
    for start, end in word_runs(text):
        tail = _UNITS_AFTER.match(text, end)
        if tail is not None and not _some_day(text, start, tail.end()):
            reason = "number in words and unit of time"
            yield hit(start, tail.end(), "DATETIME", "DURATION", 0.75, reason=reason)
    if _DURATIONS.absent(text):
        return
    for m in _DURATION.finditer(text):
        reason = "number and unit of time"
        yield hit(m.start(), m.end(), "DATETIME", "DURATION", 0.75, reason=reason)
    for m in _SHORT.finditer(text):
        if _DOSE.match(text, m.end()):
            continue
        reason = "number and abbreviated unit of time"
        yield hit(m.start(), m.end(), "DATETIME", "DURATION", 0.65, reason=reason)
    for pattern, score, reason in _WORDY:
        for m in pattern.finditer(text):
            yield hit(m.start(), m.end(), "DATETIME", "DURATION", score, reason=reason)
