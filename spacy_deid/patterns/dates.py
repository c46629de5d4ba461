"""Dates, times, durations and ages, in figures and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..registries import registry
from .base import (
    Anchored,
    Hit,
    PatternRecognizer,
    Recognizer,
    before,
    drop_covered,
    hit,
    word_trie,
)

_MONTHS_EN = """january february march april may june july august september october
november december jan feb mar apr jun jul aug sep sept oct nov dec"""
# Full names only: abbreviations of other languages are words of yet others.
_MONTHS_OTHER = """januar jänner februar märz mai juni juli oktober dezember
janvier février fevrier mars avril juin juillet août aout septembre octobre novembre
décembre decembre enero febrero marzo abril mayo junio julio agosto septiembre
setiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio
settembre ottobre dicembre janeiro fevereiro março maio junho julho setembro outubro
novembro dezembro januari februari maart mei augustus marts maj augusti oktober
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października
listopada grudnia"""
# Lower-cased, these are also everyday words.
_AMBIGUOUS = {"may", "march", "mars", "mar", "dec", "mai", "jan", "mei", "maja"}
_MONTH = word_trie(_MONTHS_EN, _MONTHS_OTHER)

_SUFFIX = r"(?:st\b|nd\b|rd\b|th\b|er\b|[ºª°]|\.(?=\s?[^\W\d]))?"
_START = r"[0-9](?<![\w$€£][0-9])(?<![\d][.,/:-][0-9])"
_DAY = rf"[0-9]{{1,2}}(?![0-9]){_SUFFIX}"
_AND = r"(?:and|or|to|until|till|through|und|et|y|e|bis|au|al|og|och|en)"
_LIST = rf"(?:\s?(?:,\s{{1,2}}{_AND}|[,&/-]|\s{_AND})\s{{0,2}}(?:on\s)?(?:the\s)?{_DAY}){{0,12}}"
_OF = r"(?:day\sof\s|of\s|de\s|del\s|di\s)?"
_YEAR = r"[12][0-9]{3}[0-9]?(?![0-9])(?![.,][0-9])"
_YEAR_TAIL = (
    rf"(?:(?:\s?,\s{{0,2}}|\s{{1,3}}|[-/.]|\.\s)(?:of\s|de\s|del\s|in\s)?(?P<y>{_YEAR})"
    r"|[\s-]{0,2}(?P<y2>'[0-9]{2}|(?<=-)[0-9]{2})(?![0-9]))?"
)

_DAY_MONTH = Anchored(
    rf"{_START}[0-9]?(?![0-9]){_SUFFIX}{_LIST}(?:\s{{0,3}}|-){_OF}"
    rf"(?P<m>{_MONTH})\.?{_YEAR_TAIL}",
    numbers=True,
)
_MONTH_DAY = Anchored(
    rf"(?P<m>{_MONTH})(?:\.?(?:\s{{1,3}}|-)(?:the\s)?"
    rf"(?P<d>{_DAY}(?!\s?%|[.,:]?[0-9]){_LIST}))?\.?{_YEAR_TAIL}",
    _MONTHS_EN,
    _MONTHS_OTHER,
)
_NUMERIC = Anchored(
    rf"{_START}[0-9]{{0,3}}([./-])\s?[0-9]{{1,2}}\1\s?[0-9]{{1,4}}(?![0-9]|\1[0-9])"
    r"(?:T[0-9:.]{5,15}(?:Z|[+-][0-9:]{4,5})?)?",
    numbers=True,
)
_YEAR_MONTH = Anchored(
    rf"{_START}[0-9]{{1,3}}[/-][0-9]{{2,4}}(?![\w/]|[.:,-][0-9])", numbers=True
)
_YEARS = Anchored(
    r"[12](?<![\w$€£#§][12])(?<![\w][.,/:-][12])[0-9]{3}(?:'?s\b|(?!\w))"
    r"(?:\s?[-/]\s?(?:[12][0-9]{3}|[0-9]{2})(?![\w/]|[.,:-][0-9])"
    r"|\sto\s[12][0-9]{3}(?:'?s\b|(?!\w)))?"
    r"(?!\s?%|[,.:][0-9])",
    numbers=True,
)

_CARDINALS = """one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty
seventy eighty ninety hundred"""
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh
twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth
twentieth thirtieth"""
_TENS = "(?i:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_UNIT = "(?i:one|two|three|four|five|six|seven|eight|nine)"
_NUMBER_WORD = (
    rf"{word_trie(_CARDINALS)}(?:[\s-](?:and\s)?(?i:{word_trie(_CARDINALS)})){{0,4}}"
)

_ORDINAL_WORD = (
    rf"{word_trie(_ORDINALS, 'twenty thirty')}(?:-(?i:{word_trie(_ORDINALS)}))?"
)
_ORDINAL_DATE = Anchored(
    rf"{_ORDINAL_WORD}\s(?:day\s)?of\s(?P<m>{_MONTH}){_YEAR_TAIL}",
    _ORDINALS,
    "twenty thirty",
)
_MONTH_ORDINAL = Anchored(
    rf"(?P<m>{_MONTH})\s(?:the\s)?(?:twenty-|thirty-)?{word_trie(_ORDINALS)}(?:,?\s{_YEAR})?",
    _MONTHS_EN,
    _MONTHS_OTHER,
)
_CENTURY = Anchored(
    rf"(?:{_START}[0-9]?(?:st|nd|rd|th)|{_ORDINAL_WORD})"
    r"(?:(?:,|\sto(?:\sthe)?(?:\slate|\searly)?|\sand|,\sand)\s[0-9]{1,2}(?:st|nd|rd|th)){0,4}"
    r"[\s-](?i:centur(?:y|ies))\b",
    _ORDINALS,
    "twenty thirty",
    numbers=True,
)
_SPELLED_YEAR = Anchored(
    rf"(?:{word_trie('nineteen eighteen seventeen twenty')}[\s-](?i:hundred(?:\sand)?[\s-])?"
    rf"(?:{_TENS}(?:[\s-]{_UNIT})?|oh[\s-]{_UNIT}"
    rf"|(?i:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen))"
    rf"|{word_trie('two_thousand')}\s(?:and\s)?(?:{_TENS}(?:-{_UNIT})?|{_UNIT}))\b",
    "nineteen eighteen seventeen twenty two",
)
_SEASON = Anchored(
    rf"(?:{word_trie('spring summer autumn winter fall christmas easter')})"
    r"(?:\s(?:and|or)\s(?i:spring|summer|autumn|winter))?"
    rf"\s(?:of\s|term\s)?(?:[12][0-9]{{3}}(?![\w])(?:[/-][0-9]{{2,4}}(?!\w))?)",
    "spring summer autumn winter fall christmas easter",
)
_HOLIDAY = Anchored(
    r"[CNEB](?<!\w.)(?:hristmas (?:Eve|Day)|ew Year's (?:Eve|Day)|aster (?:Sunday|Monday)"
    r"|oxing Day)(?:,?\s[12][0-9]{3}(?![\w]))?",
    "christmas new easter boxing",
)
_WEEKDAYS = """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays
wednesdays thursdays fridays saturdays sundays"""
_WEEKDAY = Anchored(word_trie(_WEEKDAYS), _WEEKDAYS)

_HOUR_END = r"(?:\s?(?i:a\.m\.|p\.m\.|am\b|pm\b|a\.m\b|p\.m\b|noon\b|midnight\b))"
_TIME = Anchored(
    rf"{_START}[0-9]?"
    rf"(?:(?:[.:][0-5][0-9])(?![0-9]|[.:][0-9]{{3}}){_HOUR_END}"
    rf"|:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{{1,6}})?)?(?![\w]|:[0-9]|\.[0-9])"
    rf"(?:\s?(?i:hours|hrs|h|uhr|utc|gmt|cet|cest|est|pst)\b)?"
    rf"|{_HOUR_END}|\s?(?:o'?clock|Uhr)\b"
    rf"|\s?[h.][0-5][0-9](?:\s?(?:hours|hrs|Uhr)\b|(?<=h[0-9][0-9])(?!\w)))",
    numbers=True,
)
_HOURS_WORD = "one two three four five six seven eight nine ten eleven twelve"
_TIME_WORDS = Anchored(
    rf"(?:{word_trie('half_past quarter_past quarter_to')}|"
    rf"{word_trie('five_past ten_past twenty_past five_to ten_to twenty_to')}"
    rf"(?=[^\n]{{0,14}}(?:o'clock|noon|midnight|a\.?m|p\.?m)))"
    rf"\s(?:(?i:{word_trie(_HOURS_WORD)})|[0-9]{{1,2}}\b)(?:\so'?clock)?{_HOUR_END}?"
    rf"|{word_trie(_HOURS_WORD)}\s(?:o'?clock\b|[ap]\.m\.)",
    _HOURS_WORD,
    "half quarter twenty",
)

_UNIT_WORD = r"(?:second|minute|hour|day|week|fortnight|month|year|decade)s?"
_AMOUNT = rf"(?:{_START}[0-9]{{0,2}}(?:[.,][0-9]{{1,2}})?(?![0-9])|{_NUMBER_WORD})"
_MORE = rf"(?:[0-9]{{1,3}}|{_UNIT}|(?i:ten|eleven|twelve|a half))"
_DURATION = Anchored(
    rf"{_AMOUNT}(?:\s(?:and\s)?(?:a\s)?half|\s(?:or|to|and)\s{_MORE}|-{_MORE})?"
    rf"[\s-]{{1,2}}(?:calendar\s|working\s|full\s|more\s|hundred\s)?(?i:{_UNIT_WORD})\b"
    rf"(?:(?:\s(?:and\s)?|,\s(?:and\s)?){_MORE}[\s-](?i:{_UNIT_WORD})\b){{0,3}}",
    _CARDINALS,
    numbers=True,
)

_AGE_NUMBER = rf"(?:[0-9]{{1,3}}(?:[.,][0-9]|½)?(?![0-9])|(?i:{_NUMBER_WORD}))"
_AGE_UNIT = r"(?i:years?|months?|weeks?|days?|yrs?)"
_AGE_OLD = Anchored(
    rf"(?:{_START}[0-9]{{0,2}}|{_NUMBER_WORD})"
    rf"(?:\s(?:or|to|and)\s[0-9]{{1,3}}|-[0-9]{{1,3}})?"
    rf"(?:[\s-]?{_AGE_UNIT}(?:[\s,]{{1,2}}(?:and\s)?{_AGE_NUMBER}[\s-]{_AGE_UNIT})?[\s-](?i:olds?|of\sage)\b"
    r"|\s?(?i:y/o|yo|y\.o\.)(?!\w))",
    _CARDINALS,
    numbers=True,
)
_AGE_OF = Anchored(
    rf"(?:{word_trie('age ages aged')})"
    rf"(?:\s(?P<of>of\s)|\s?:\s?|\s(?:was\s|is\s)?(?:only\s|about\s|just\s|between\s|around\s)?)"
    rf"(?P<n>{_AGE_NUMBER}(?![\w/])"
    rf"(?:(?:,\s{_AGE_NUMBER}){{0,5}},?\s(?:and|to|or)\s{_AGE_NUMBER}(?!\w))?"
    rf"(?:\s{_AGE_UNIT}\b(?:\sand\s{_AGE_NUMBER}\s{_AGE_UNIT})?)?)",
    "age ages aged",
)
_DECADES = "eens wenties hirties orties ifties ixties eventies ighties ineties".split()
_AGE_DECADE = Anchored(
    r"[tefsn](?<!\w.)(?:eens|wenties|hirties|orties|ifties|ixties|eventies|ighties|ineties)\b"
    r"|[0-9](?<![\w.,][0-9])0'?s\b",
    *(f"{c}{rest}" for c in "tefsn" for rest in _DECADES),
    numbers=True,
)
_AGE_DECADE_BEFORE = re.compile(
    r"\b(?:his|her|their|my|your)\s(?:early[\s-]|late[\s-]|mid[\s-]|mid)?\Z"
)

# What before a number that looks like a year says that it isn't one.
_NOT_YEAR_BEFORE = re.compile(
    r"(?:\b(?:no|nos|nr|number|numbers|article|articles|art|section|sections|rule|rules"
    r"|paragraph|paragraphs|para|page|pages|pp|p|clause|room|suite|code|id|ref|form|model"
    r"|chapter|ch|line|flight|route|highway|plot|plots|lot|unit|box|about|approximately"
    r"|over|some|than|nearly|almost|up to|eur|usd|gbp|chf|pln|try|trl|sek|nok|dkk|huf|czk"
    r"|rub|uah|ats|dem|frf|itl|version|release|port|pin|iso|rfc|least)\b\.?"
    r"|[§#№°$€£+*/\\=@_~^])[\s:(]{0,2}\Z"
)
_NOT_YEAR_AFTER = re.compile(
    r"\s?(?:[%€$£°*+=/\\]|(?:per\s?cent|percent|euros?|eur|usd|gbp|dollars?|pounds?|liras?"
    r"|zlotys?|francs?|marks|schillings?|roubles?|rubles?|kronor|kroner|crowns|forints?"
    r"|hryvnias?|lei|metres?|meters?|km|kilometres?|kilometers?|miles?|m2|m²|sq|square|cm|mm"
    r"|kg|kilos?|kilograms?|grams?|tonnes?|tons?|litres?|liters?|ml|mg|hectares?|acres?"
    r"|people|persons|inhabitants|employees|workers|members|times|hours|days|weeks|months"
    r"|years|copies|words|votes|shares|pages|units|items|students|houses|dollar|feet|ft|mah"
    r"|watts?|calories|kcal|points|followers|tweets|characters|bytes|mb|gb|rpm|of the|of"
    r"|or so|others|more|additional|different|such)\b)"
)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|of|since|from|until|till|by|before|after|during|year|years|early|late|mid"
    r"|summer|spring|autumn|winter|fall|between|and|to|around|circa|c\.|ca\.?|anno|through"
    r"|throughout|for|born|died|till|election|elections|act|law|olympics|games|cup|season"
    r"|en|im|jahr|jahre|année|año|nel|the)|[(\[,;])\s?\Z"
)
_PREP_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|of|from|during|early|late|mid|last|next|this|every|each"
    r"|between|and|to|through|before|after|end of|beginning of)[\s-]\Z"
)
_DM_BEFORE = re.compile(
    r"\b(?:on|by|until|till|since|the|from|of|dated|before|after|to|due)\s\Z"
)
_JOIN = re.compile(rf"\s?(?:,\s{_AND}|[,&/-]|\s{_AND})\s{{0,2}}(?:on\s)?(?:the\s)?")
_ACT = (
    r"(?:act|law|ordinance|regulations?|convention|code|directive|constitution|treaty"
    r"|decree|rules|protocol|bill|order|resolution|wasserrechtsgesetz)"
)
_ACT_AFTER = re.compile(rf"(?:\s(?:[A-Z]\w+\s){{0,2}}(?i:{_ACT})\b|-[IVX]+\b)")
_ACT_BEFORE = re.compile(rf"\b{_ACT},?\s\(?\Z")
_CITED = re.compile(
    r"(?:§|\b(?:pp?|nos?|paras?|paragraphs?|articles?|rules?|sections?)\b\.?)\s?\Z"
)
_LAW_REPORT = re.compile(r"\]\s(?:[0-9]|[A-Z]{2})|\s(?:No|p|pp)\.")
_WEEKDAY_GAP = re.compile(r"(?:,?\s(?:the\s)?|\s\(|\.,?\s)")


def _valid_day(day: int) -> bool:
    return 1 <= day <= 31


def _numeric_ok(text: str, start: int, value: str) -> bool:
    """Whether three numbers with separators can be a calendar date."""
    value = value.partition("T")[0]
    sep = "." if "." in value else "/" if "/" in value else "-"
    parts = [p.strip() for p in value.split(sep)]
    a, b, c = (int(p) for p in parts)
    if len(parts[0]) == 4:
        return 1000 <= a < 2200 and 1 <= b <= 12 and _valid_day(c) and len(parts[2]) < 3
    if len(parts[0]) > 2 or len(parts[2]) == 3:
        return False
    if not ((_valid_day(a) and 1 <= b <= 12) or (1 <= a <= 12 and _valid_day(b))):
        return False
    if len(parts[2]) == 4:
        return 1000 <= c < 2200
    if len(parts[2]) == 1:
        return False
    if sep == "." and not (len(parts[0]) == 2 and len(parts[1]) == 2):
        return bool(
            re.search(
                r"\b(?:on|am|dated|date|vom|den|born|geb\.?|dob):?\s\Z",
                before(text, start, 12),
            )
        )
    left = before(text, start, 16)
    return not re.search(r"(?:version|release|v|ip|no\.|§)\s?\Z", left)


def _days_ok(text: str) -> bool:
    return all(_valid_day(int(n)) for n in re.findall(r"[0-9]+", text))


def _day_months(text: str) -> Iterator[tuple[int, int, bool]]:
    """Dates with a named month: start, end and whether a year is in it."""
    for m in _DAY_MONTH.finditer(text):
        month = m["m"]
        has_year = bool(m["y"] or m["y2"])
        if not _days_ok(text[m.start() : m.start("m")]):
            # Only the last number of the list counts: "Rules 33, 34 and 6 May".
            tail = re.search(
                rf"[0-9]{{1,2}}{_SUFFIX}[\s-]{{0,3}}{_OF}\Z",
                text[m.start() : m.start("m")],
            )
            if tail is None or not _days_ok(tail[0]):
                continue
            start = m.start() + tail.start()
        else:
            start = m.start()
            if _CITED.search(before(text, start, 14)):
                # "§§ 22-23, 4 August 2006": the list is one of paragraphs.
                last = list(re.finditer(r"[0-9]+", text[start : m.start("m")]))[-1]
                start += last.start()
        if (
            month in _AMBIGUOUS
            and not has_year
            and not re.search(r"[a-z]", text[start : m.start("m")])
            and not _DM_BEFORE.search(before(text, start, 12))
        ):
            continue
        yield (
            start,
            m.end() - (text[m.end() - 1] == "." and not has_year and len(month) > 4),
            has_year,
        )
    for m in _MONTH_DAY.finditer(text):
        month = m["m"]
        has_year = bool(m["y"] or m["y2"])
        if m["d"]:
            if not _days_ok(m["d"]):
                continue
            if (
                month in _AMBIGUOUS
                and not has_year
                and not _DM_BEFORE.search(before(text, m.start(), 12))
            ):
                continue
            yield m.start(), _strip(text, m), has_year
        elif has_year:
            yield m.start(), _strip(text, m), True
        elif month[0].isupper() and (len(month) > 3 or month == "May"):
            left = before(text, m.start(), 14)
            if _PREP_MONTH.search(left) or _JOIN.match(text, m.end()):
                yield m.start(), m.start() + len(month), False
    for m in _ORDINAL_DATE.finditer(text):
        yield m.start(), m.end(), bool(m["y"] or m["y2"])
    for m in _MONTH_ORDINAL.finditer(text):
        if m["m"] not in _AMBIGUOUS:
            yield m.start(), m.end(), True


def _strip(text: str, m: re.Match[str]) -> int:
    end = m.end()
    while text[end - 1] in ".,' \n-":
        end -= 1
    return end


def _named_dates(text: str) -> Iterator[Hit]:
    """Dates with a named month; those that share a year become one range."""
    atoms = sorted(set(_day_months(text)), key=lambda a: (a[0], -a[1]))
    merged: list[tuple[int, int, bool, int]] = []
    for start, end, has_year in atoms:
        if merged and start < merged[-1][1]:
            continue
        if merged and not merged[-1][2]:
            gap = text[merged[-1][1] : start]
            if len(gap) < 20 and _JOIN.fullmatch(gap):
                merged[-1] = (merged[-1][0], end, has_year, merged[-1][3] + 1)
                continue
        merged.append((start, end, has_year, 1))
    for start, end, has_year, parts in merged:
        value = text[start:end]
        # "May" at the end of a list of nothing needs its preposition.
        bare = parts == 1 and not has_year and value.isalpha()
        if bare and not _PREP_MONTH.search(before(text, start, 14)):
            continue
        many = parts > 1 or re.match(
            rf"[^A-Za-z]{{1,40}}[0-9]{_SUFFIX}[^\w.]*[0-9]|[0-9].*(?:and|-|to) ?[0-9]",
            value,
        )
        yield hit(
            start,
            end,
            "DATETIME",
            "DATE_RANGE" if many else "DATE",
            0.95 if has_year else 0.85,
        )


def _numeric_dates(text: str) -> Iterator[Hit]:
    for m in _NUMERIC.finditer(text):
        if _numeric_ok(text, m.start(), m[0]):
            yield hit(m.start(), m.end(), "DATETIME", "DATE", 0.9)
    for m in _YEAR_MONTH.finditer(text):
        a, _, b = m[0].replace("/", "-").partition("-")
        left = before(text, m.start(), 24)
        if len(a) == 2 and len(b) == 4 and 1 <= int(a) <= 12 and 1900 <= int(b) < 2100:
            if not _NOT_YEAR_BEFORE.search(left) and _YEAR_BEFORE.search(left):
                yield hit(m.start(), m.end(), "DATETIME", "DATE", 0.7)
        elif (
            len(a) == 4
            and len(b) == 2
            and "-" in m[0]
            and 1900 <= int(a) < 2100
            and 1 <= int(b) <= 12
            and not _NOT_YEAR_BEFORE.search(left)
        ):
            yield hit(m.start(), m.end(), "DATETIME", "DATE", 0.6)


def _years(text: str) -> Iterator[Hit]:
    for m in _YEARS.finditer(text):
        value = m[0]
        year = int(value[:4])
        if not 1500 <= year < 2100:
            continue
        left = before(text, m.start(), 24)
        if _NOT_YEAR_BEFORE.search(left):
            continue
        follows = text[m.end() : m.end() + 16].lower()
        plain = value.isdigit()
        if plain and (
            _NOT_YEAR_AFTER.match(follows)
            or _LAW_REPORT.match(text, m.end())
            or _ACT_BEFORE.search(left)
            or _ACT_AFTER.match(text, m.end(), m.end() + 60)
        ):
            continue
        if "/" in value or "-" in value:
            second = re.split(r"\s?[-/]\s?", value)[-1]
            later = int(second) if len(second) == 4 else year // 100 * 100 + int(second)
            if later < year and len(second) == 2:
                later += 100
            if not 0 < later - year < 120 or ("/" in value and later - year > 1):
                continue
            yield hit(m.start(), m.end(), "DATETIME", "DATE_RANGE", 0.8)
            continue
        certain = bool(_YEAR_BEFORE.search(left)) or not plain
        if not certain and not 1850 <= year < 2060:
            continue
        yield hit(
            m.start(),
            m.end(),
            "DATETIME",
            "YEAR" if plain or value[-1] == "s" else "DATE_RANGE",
            0.85 if certain else 0.6,
        )


def _durations(text: str) -> Iterator[Hit]:
    for m in _DURATION.finditer(text):
        yield hit(m.start(), m.end(), "DATETIME", "DURATION", 0.75)


def _times(text: str) -> Iterator[Hit]:
    for m in _TIME.finditer(text):
        if int(re.match(r"[0-9]+", m[0])[0]) <= 24:  # type: ignore[index]
            yield hit(m.start(), m.end(), "DATETIME", "TIME", 0.85)
    for m in _TIME_WORDS.finditer(text):
        yield hit(m.start(), m.end(), "DATETIME", "TIME", 0.8)


def _ages(text: str) -> Iterator[Hit]:
    for m in _AGE_OLD.finditer(text):
        yield hit(m.start(), m.end(), "DEM", "AGE", 0.9)
    for m in _AGE_OF.finditer(text):
        if m["of"]:
            yield hit(m.start(), m.end(), "DEM", "AGE", 0.9)
        else:
            yield hit(m.start("n"), m.end("n"), "DEM", "AGE", 0.85)
    for m in _AGE_DECADE.finditer(text):
        if _AGE_DECADE_BEFORE.search(before(text, m.start(), 14)):
            yield hit(m.start(), m.end(), "DEM", "AGE", 0.8)


_WHOLE = (
    (_CENTURY, "DATE", 0.8),
    (_SPELLED_YEAR, "YEAR", 0.7),
    (_SEASON, "DATE", 0.85),
    (_HOLIDAY, "DATE", 0.7),
)


def _join_weekdays(text: str, dates: list[Hit], weekdays: list[Hit]) -> Iterator[Hit]:
    """A weekday next to its date belongs to the date."""
    starts = {h.start: h for h in dates}
    joined = set()
    for day in weekdays:
        gap = _WEEKDAY_GAP.match(text, day.end)
        date = starts.get(gap.end()) if gap else None
        if date is not None:
            joined.add(date)
            yield date._replace(start=day.start)
        else:
            yield day
    yield from (date for date in dates if date not in joined)


def _dates(text: str) -> Iterator[Hit]:
    named = [*_named_dates(text), *_numeric_dates(text)]
    weekdays = [
        hit(m.start(), m.end(), "DATETIME", "WEEKDAY", 0.7)
        for m in _WEEKDAY.finditer(text)
    ]
    yield from _join_weekdays(text, named, weekdays)
    yield from _years(text)
    for pattern, subtype, score in _WHOLE:
        for m in pattern.finditer(text):
            yield hit(m.start(), m.end(), "DATETIME", subtype, score)


@registry.deid_patterns("spacy_deid.date_patterns.v1")
def make_date_patterns(
    times: bool = True, durations: bool = True, ages: bool = True
) -> Recognizer:
    """Dates, years, ranges, weekdays, times, durations and ages.

    times (bool): Whether to find times of day.
    durations (bool): Whether to find durations.
    ages (bool): Whether to find ages (label DEM).
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    parts = [_dates]
    if times:
        parts.append(_times)
    if durations:
        parts.append(_durations)
    if ages:
        parts.append(_ages)

    def find(text: str) -> list[Hit]:
        return drop_covered([h for part in parts for h in part(text)])

    return PatternRecognizer(find)
