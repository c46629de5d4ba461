"""Dates, years and weekdays, in figures and in words, and all of time and age."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...registries import registry
from ...text.calendars import (
    LANGUAGES,
    MONTHS,
    WEEKDAYS,
    check_languages,
    full_names,
    is_day,
    month_index,
    weekday_index,
)
from ..base import (
    FOUR,
    LONG,
    PAIR,
    Anchored,
    Anchors,
    Hit,
    PatternRecognizer,
    Recognizer,
    drop_covered,
    hit,
    remembered,
    word_trie,
)
from ..numbers import (
    LEFT,
    ORDINAL_WORD,
    ORDINALS,
    START,
    TEEN_WORD,
    TENS,
    TENS_WORD,
    UNIT_WORD,
    last_word,
    last_word_of,
    words,
)
from .ages import find_ages
from .times import find_durations, find_times

# Words and short names that a number or a blank may precede without being a month.
_COMMON = frozenset(
    "may march mar mars dec mai jan mei maja mart sept set out ago pro led ara per tem "
    "kas sal lip lis cze sty gru sie dub may des tra kol stu ruj ag bal vas gen mag apr jun jul sep oct nov".split()
)
# Lower-cased, these are English words that may follow or precede a number.
_AMBIGUOUS = words("may march Mars mart maja")

# No part of a longer figure; a whole date may stand before a dash or slash.
_OUTSIDE = r"(?<![\w$€£])(?<![0-9][.:])(?<!(?<![0-9]{3})[0-9][/-])(?<![0-9]{5}[/-])"
_SUFFIX = (
    r"(?:(?i:st|nd|rd|th|er|ère|re|de|ste|e)\b|[ºª°]|-?го\b|\.(?=\s{0,2}[^\W\d]))?"
)
_DAY = rf"(?:0?[1-9]|[12][0-9]|3[01])(?![0-9]){_SUFFIX}"
_ANDS = "and or to until till through und et y e bis au al og och en i a и i do do až"
_AND = f"(?:{'|'.join(dict.fromkeys(_ANDS.split()))})"
_OF = r"(?:(?i:day\sof|of|de|del|di|de\sl'|ta')\s)?"
_YEAR = (
    r"(?:[12][0-9]{3}[0-9]?)(?![0-9]|\.[0-9]|,[0-9]{3}(?![0-9])|-[0-9]{1,2}-[0-9]"
    r"|/[0-9]{2}(?![0-9/]))"
)
_YEAR_IN_WORDS = (
    rf"(?i:(?:nineteen|eighteen|seventeen|sixteen|twenty)[\s-](?:hundred(?:\sand)?[\s-])?"
    rf"(?:{TENS_WORD}(?:[\s-]{UNIT_WORD})?|(?:oh|o'?)[\s-]{UNIT_WORD}|{TEEN_WORD})"
    rf"|two[\s-]thousand(?:\sand|,)?[\s-](?:{TENS_WORD}(?:[\s-]{UNIT_WORD})?"
    rf"|{TEEN_WORD}|{UNIT_WORD}))\b"
)
_CLOCK = r"[0-2]?[0-9]:[0-5][0-9]:[0-5][0-9]"
# A year of two digits after a blank needs the end of the clause after it.
_CLAUSE_END = (
    r"(?=\s*(?:[.;!?)\]\"]|,(?!\s?[0-9]{2})|\Z|\n|-\s)|\s(?:and|at|to|in|by|is|was|for|from|with|on"
    r"|until|we|i|he|she|they|when|which|as|but|of|the)\s)"
)
_ENDS_CLAUSE = re.compile(_CLAUSE_END)
_YEAR_TAIL = (
    rf"(?:\.?(?:\s?,\s{{0,2}}|\s{{1,3}}|[-/.]\s?)(?:(?i:of|de|del|do|anno)\s)?"
    rf"(?P<y>{_YEAR}|{_YEAR_IN_WORDS})"
    r"|\.?,?[\s-]{0,2}(?P<y2>'[0-9]{2}|(?<=[^\W\d_])(?:[12][0-9]{3}|[0-9]{2})|(?<=[/-])[0-9]{2})(?![\w:/])"
    rf"|\.?,?\s(?P<y3>[0-9]{{2}})(?![\w:/]){_CLAUSE_END})?"
)
_LOG_TIME = rf"(?::{_CLOCK}(?:\s[+-][0-9]{{4}})?(?!\w))?"
_UNIX_TIME = rf"(?:\s{_CLOCK}(?:\s[A-Z]{{3,4}})?\s(?P<y4>[12][0-9]{{3}})(?:\s[+-][0-9]{{4}})?(?!\w))?"

_ISO_TIME = (
    r"(?:[Tt][0-2][0-9](?::?[0-5][0-9](?::?[0-6][0-9](?:[.,][0-9]{1,9})?)?)?"
    r"\s?(?:[Zz]\b|[+-][0-9]{2}:?[0-9]{2}(?![0-9]))?)?"
)
_NUMERIC = Anchored(
    r"(?<![\w$€£])(?<![0-9][./:-])[0-9]{1,4}\s?([./_:-])\s?[0-9]{1,2}\s?\1\s?[0-9]{1,4}"
    rf"(?:{_ISO_TIME})(?![0-9])(?:(?!\1[0-9])|(?<=[0-9]{{4}})"
    r"(?=\1[0-9]{1,2}\1[0-9]{1,2}\1[0-9]{4}(?![0-9])))",
    followed="/ . - : _",
)
_NEXT_NUMERIC = re.compile(
    r"\s?[-/,]\s?([0-9]{1,4}(\s?[./_:-]\s?)[0-9]{1,2}\2[0-9]{1,4})"
    rf"(?:{_ISO_TIME})(?![0-9]|\2[0-9])"
)
_PARTIAL = Anchored(
    r"(?<![\w$€£])(?<![0-9][.,/:-])[0-9]{1,4}\s?([/.-])\s?[0-9]{1,4}(?![\w/%]|[.:,-][0-9])",
    followed="/ . -",
)
_COMPACT = Anchored(
    r"(?<![\w$€£.,/:-])(?:[0-9]{8}(?:T[0-9]{4}(?:[0-9]{2})?(?:Z|[+-][0-9]{4})?)?|[0-9]{6})"
    r"(?![\w/]|[.,:-][0-9])",
    followed=LONG,
)
_ROMAN = Anchored(
    rf"{_OUTSIDE}(?P<d>{_DAY}|[0-9]{{1,2}}\.)[\s./-]?\s?"
    r"(?P<m>VI{0,3}|XI{0,2}|I[VX]|I{1,3})[.\s/-]\s?"
    r"(?P<y>[12][0-9]{3})(?![\w])",
    followed="i ii iii iv v vi vii viii ix x xi xii",
)
_ROMANS = "i ii iii iv v vi vii viii ix x xi xii".split()
_EAST_ASIAN = Anchored(
    r"(?<![\w$€£])(?:[12][0-9]{3}\s?[年년]\s?(?:[0-9]{1,2}\s?[月월](?:\s?[0-9]{1,2}\s?[日일])?)?"
    r"|[0-9]{1,2}\s?[月월]\s?[0-9]{1,2}\s?[日일])",
    followed="年 년 月 월",
)
_WEEK = Anchored(
    rf"(?:{START}[0-9]{{3}}-?W[0-5][0-9](?:-?[1-7])?"
    r"|[WwKk](?i:eek|W|k)?\s?[0-5]?[0-9](?:,?\s(?:of\s|in\s)?|/)[12][0-9]{3})(?!\w)",
    "w week wk kw",
    followed="w",
)
_QUARTER = Anchored(
    r"(?:[QHT][1-4][\s/,'-]{1,2}(?:of\s)?(?:FY\s?)?(?:[12][0-9]{3}|(?<=')[0-9]{2})"
    r"|FY\s?'?(?:[12][0-9]{3}(?:[/-][0-9]{2,4})?|[0-9]{2}(?:[/-][0-9]{2})?)"
    r"|[12](?<!\w.)[0-9]{3}[\s/-]?[QH][1-4]|[1-4](?<!\w.)Q\s?'?(?:[12][0-9]{3}|[0-9]{2})"
    r"|(?:(?i:first|second|third|fourth|last)|[1-4](?:st|nd|rd|th))\s(?:quarter|half|semester"
    r"|trimester)\s(?:of\s)?(?:[12][0-9]{3}))(?!\w)",
    "q h t fy first second third fourth last",
    followed="q h st nd rd th",
)
_YEARS = Anchored(
    r"[12](?<![\w$€£#§][12])(?<![\w][.,/:][12])[0-9]{3}(?:'?s\b|(?!\w))"
    r"(?:\s?[-/]\s?(?:[12][0-9]{3}|[0-9]{1,2})(?![\w/]|[.:,-][0-9]))?"
    r"(?!\s?%|[.:][0-9]|,[0-9]{3}(?!\w))",
    followed=FOUR,
)
_SHORT_YEAR = re.compile(r"'[0-9]{2}(?:s\b|(?!\w))")
_DECADE_WORD = Anchored(
    word_trie("twenties thirties forties fifties sixties seventies eighties nineties"),
    "twenties thirties forties fifties sixties seventies eighties nineties",
)
_DECADE_BEFORE = re.compile(
    r"\b(?:the|of|in)\s(?:early|late|mid|swinging|roaring|nineteen)?[\s-]?\Z", re.I
)
_DECADE = Anchored(
    r"[1-9](?<![\w.,$€£][1-9])0'?s\b",
    followed="s 's",
)

_CENTURY = Anchored(
    rf"(?:(?i:early|mid|late)[\s-])?(?:{START}[0-9]?(?:st|nd|rd|th)|{ORDINAL_WORD})"
    r"(?:(?:,|\sto(?:\sthe)?(?:\slate|\searly)?|\sand|,\sand)\s[0-9]{1,2}(?:st|nd|rd|th)){0,4}"
    r"[\s-](?i:centur(?:y|ies))\b(?:\s(?:BCE?|AD|CE)\b)?"
    r"|[1-9][0-9]?\.?\s(?:Jahrhunderts?|Jh\.|eeuw|århundrede)"
    r"|[IVX]{1,5}(?:e|th|ème)?\s(?i:century|siècle)\b|(?i:siglo|secolo|século)\s[IVX]{1,5}\b",
    f"early mid late siglo secolo século {ORDINALS} {TENS}",
    "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi",
    "ie xe xie xiie xiiie xive xve xvie xviie xviiie xixe xxe xxie xixth xxth",
    followed="st nd rd th jahrhundert jahrhunderts jh eeuw århundrede",
)
_SPELLED_YEAR = Anchored(
    rf"\b{_YEAR_IN_WORDS}", "nineteen eighteen seventeen sixteen twenty two"
)
_SEASONS = """spring summer autumn winter fall frühling frühjahr sommer herbst printemps
été automne hiver primavera verano otoño invierno estate autunno inverno zomer herfst
lente verão outono весна лето осень зима christmas easter ramadan halloween pentecost
whitsun thanksgiving hanukkah passover diwali advent lent michaelmas weihnachten ostern
pfingsten noël pâques navidad pasqua natale pasen kerstmis"""
_SEASON = Anchored(
    rf"{word_trie(_SEASONS)}"
    r"(?:(?:\s(?:and|or|to)\s(?:the\s)?|\s?[/-]\s?)(?i:spring|summer|autumn|winter|fall))?"
    r"(?:,|\s(?:of|term|semester|break|vacation|season|de|del|des|im))*"
    r"\s(?:(?:the\syear\s)?[12][0-9]{3}(?!\w)(?:[/-](?:[12][0-9])?[0-9]{2}(?!\w))?|'[0-9]{2}(?!\w))",
    _SEASONS,
)
_FEASTS = """christmas_eve christmas_day new_year's_eve new_year's_day new_years_eve
new_years_day easter_sunday easter_monday good_friday boxing_day whit_monday whit_sunday
ash_wednesday palm_sunday maundy_thursday ascension_day valentine's_day valentines_day
st_patrick's_day saint_patrick's_day mother's_day father's_day independence_day
labor_day labour_day memorial_day veterans_day armistice_day remembrance_day
columbus_day presidents'_day presidents_day thanksgiving_day bastille_day canada_day
australia_day anzac_day all_saints'_day all_saints_day all_souls'_day epiphany_day
midsummer's_day midsummer_eve fourth_of_july cinco_de_mayo yom_kippur rosh_hashanah
eid_al-fitr eid_al-adha lunar_new_year chinese_new_year orthodox_easter juneteenth
corpus_christi heiligabend silvester ostermontag pfingstmontag"""
_FEAST = Anchored(
    rf"{word_trie(_FEASTS)}(?!\sWar\b)(?:,?\s(?:of\s|in\s)?[12][0-9]{{3}}(?!\w))?",
    _FEASTS,
)
_THE_DAY = Anchored(
    r"(?<=the\s)(?:[0-9]{1,2}(?:st|nd|rd|th)|(?i:first|second|third|fourth|fifth|sixth"
    r"|seventh|eighth|ninth|tenth|(?:eleven|twelf|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen)th|twentieth|thirtieth))"
    r"(?=\s?(?:[.;!?)]|,\s[a-z]|\Z|\n|of\s(?:this|next|last|the|each|every)\s(?:same\s|following"
    r"\s|previous\s)?month))",
    followed="st nd rd th",
)
_NTH_BEFORE = re.compile(
    r"\b(?:on|by|until|till|since|before|after|from|due)\sthe\s\Z", re.I
)
_FOLLOWING = Anchored(
    word_trie(
        "following_year following_month following_months following_week following_weeks "
        "following_years"
    ),
    "following",
)

# What stands before a number that is no date.
_AGAINST = frozenset(
    "version versions ver v release build rev revision ip section sections sec § page "
    "pages p pp chapter ch clause ratio ratios score scored scores odds line lines row "
    "rule rules article articles art paragraph paragraphs para paras phone telephone tel "
    "fax mobile cell python java firmware kernel size scale sort-code code table figure "
    "fig part step item verse won lost beat channel channels invoice order ticket ref reference serial "
    "isbn issn doi sku".split()
)
# What names a date.
_NAMES_DATE = frozenset(
    "born birth birthday birthdays bday b-day birthdate dob eta etd appt d.o.b date dated dates due expires expire expired "
    "expiry expiration exp valid deadline issued signed geb geboren geburtsdatum né née "
    "nacido nacida nato nata naissance nacimiento nascita anniversary admitted discharged "
    "died death deceased b delivered departure arrival appointment scheduled check-in "
    "check-out datum fecha data дата vom am".split()
)
_ON = frozenset(
    "on since until till before after by from between dated le du au il dal el desde hasta "
    "op vanaf bis seit den der и с до от през".split()
)
_FRACTION = frozenset({"1/2", "1/3", "2/3", "1/4", "3/4", "1/5", "1/6", "1/8", "1/10"})
_NOT_NUMBER = frozenset(
    "no nos nr number numbers n n° case cases file files application applications decision "
    "resolution directive regulation law act order protocol ref docket §".split()
)
_NOT_YEAR = (
    _AGAINST
    | _NOT_NUMBER
    | frozenset(
        "room suite id form model flight route highway plot plots lot unit box about "
        "approximately over some than nearly almost eur usd gbp chf pln try trl sek nok "
        "dkk huf czk rub uah ats dem frf itl port pin iso rfc least up_to error status "
        "pid uid http level total sum costs cost paid pay price channel windows office "
        "approx approx. roughly maximum minimum max min only nearly all these those "
        "postcode zip gate platform bus a an first last exactly every per".split()
    )
)
_YEAR_WORDS = frozenset(
    "in of since from until till by before after during year years early late mid summer "
    "spring autumn winter fall between and to around circa c ca anno through throughout "
    "for born died election elections act law olympics games cup season en im jahr jahre "
    "année año nel the b d est established founded class copyright © s. fy anno vuonna "
    "år rok roku в году sept jan feb mar apr jun jul aug sep oct nov dec".split()
)
_SIGNS = frozenset("#§№°$€£+*/\\=@_~^<>")
_AFTER_YEAR = """
    per_cent percent euro euros eur usd gbp dollar dollars pound pounds lira liras zloty
    zlotys franc francs marks schilling schillings rouble roubles ruble rubles kronor
    kroner crowns forint forints hryvnia hryvnias lei metre metres meter meters km
    kilometres kilometers mile miles m2 m² sq square cm mm kg kilo kilos kilogram
    kilograms gram grams tonne tonnes ton tons litre litres liter liters ml mg hectare
    hectares acre acres people persons inhabitants employees workers members times hours
    days weeks months years minutes seconds copies words votes shares pages units items
    students houses feet ft mah watt watts calories kcal points followers tweets
    characters bytes mb gb tb rpm hrs hz mhz or_so others more additional different such
    men women children soldiers troops books films tickets rows lines files requests
    residents households families homes cars vehicles jobs yards steps rupees yen yuan
    pesos rand bc"""
_NOT_YEAR_AFTER = re.compile(
    rf"\s?(?:[%€$£°*+=\\]|{word_trie(_AFTER_YEAR)}|of\b(?!\s(?:the\s)?(?:her|his|our)))"
)
_ACT = (
    r"(?:act|law|ordinance|regulations?|convention|code|directive|constitution|treaty"
    r"|decree|rules|protocol|bill|order|resolution|wasserrechtsgesetz)"
)
_ACT_AFTER = re.compile(rf"(?:\s(?:[A-Z]\w+\s){{0,2}}(?i:{_ACT})\b|-[IVX]+\b)")
_ACTS = frozenset(
    "act law ordinance regulation regulations convention code directive constitution "
    "treaty decree rules protocol bill order resolution".split()
)
_LAW_REPORT = re.compile(r"\]\s(?:[0-9]|[A-Z]{2})|\s(?:No|p|pp)\.")
_CITED = re.compile(
    r"(?:§|\b(?:pp?|nos?|paras?|paragraphs?|articles?|rules?|sections?)\b\.?)\s?\Z",
    re.I,
)
_PREP_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|of|from|during|early|late|mid|last|next|this|every|each"
    r"|between|and|to|through|before|after|end of|beginning of)[\s-]\Z",
    re.I,
)
_DM_BEFORE = re.compile(
    r"\b(?:on|by|until|till|since|the|from|of|dated|before|after|to|due|le|du|au|am|den"
    r"|vom|bis|el|il|op|em)\s\Z",
    re.I,
)
_JOIN = re.compile(rf"\s?(?:,\s{_AND}|[,&/-]|\s{_AND})\s{{0,2}}(?:on\s)?(?:the\s)?")
_WEEKDAY_GAP = re.compile(
    r"(?:\.?,?\s(?:the\s|den\s|le\s|el\s|il\s|de\s)?|\s\(|\.,?\s)"
)


# Short names of weekdays that are common words elsewhere.
_NO_WEEKDAY = words("to so do no ma man sex per sal h k p v")


class _Grammar(NamedTuple):
    """What depends on the languages: expressions with the names of months and days."""

    months: dict[str, int]
    # Names that make a date without a year.
    full: frozenset[str]
    day_month: Anchored
    month_day: Anchored
    year_month_day: Anchored
    ordinal: Anchored
    weekday: Anchored
    weekdays: frozenset[str]
    anchors: Anchors


@functools.cache
def _grammar(languages: tuple[str, ...]) -> _Grammar:
    months = month_index(languages)
    days = [name for name in weekday_index(languages) if name not in _NO_WEEKDAY]
    full = {n for code in languages for n in full_names(MONTHS, code)}
    full |= set(MONTHS["en"][1].split())
    names = " ".join(months)
    month = f"(?P<m>{word_trie(names)})"
    # Between figures too ("16MAY03"): no boundary on the left, one of letters right.
    bounds = r"\(\?<!\\w[^)]*\)|\(\?!\\w\)\Z"
    glued = f"(?P<m>{re.sub(bounds, '', word_trie(names))}(?![^\\W\\d_]))"
    and_day = (
        rf"\s?(?:,\s{{1,2}}{_AND}|[,&/-]|\s{_AND})\s{{0,2}}(?:on\s)?(?:the\s)?"
        rf"{_DAY}(?![0-9:.,]{{0,6}}[0-9])"
    )
    # Days joined by commas only: the last one may be the year's last two figures.
    no_year = r"(?!,\s?[0-9]+(?!\s?(?:,\s?[0-9]{1,2}(?![0-9])|,?\s(?:and|or)\s|&)))"
    ordinal = rf"(?:(?i:twenty|thirty)[\s-])?{word_trie(ORDINALS)}"
    expressions = (
        Anchored(
            # No way back into the list, which would take long at lists of other things.
            rf"{_OUTSIDE}{_DAY}(?=(?P<list>(?:{and_day}){{0,12}}))(?P=list)"
            rf"(?:\s{{0,3}}|[-/]|,\s){_OF}"
            rf"{glued}{_YEAR_TAIL}{_LOG_TIME}\.?",
            followed=(
                names,
                _ANDS,
                "of del di day - / , & st nd rd th er ère re de e го ste",
            ),
        ),
        Anchored(
            rf"{month}(?:\.?(?:,?\s{{1,3}}|[-/])?(?i:the\s)?(?P<d>{_DAY}"
            rf"(?!\s?%|:[0-9]|\.[0-9](?![0-9]{{3}}(?![0-9]))|,[0-9]{{3}}(?![0-9]))"
            rf"(?:{no_year}{and_day}"
            rf"(?!\s{{0,2}}{_OF}(?i:{_alternatives(months)})\b)){{0,12}}"
            rf"|{ordinal}))?{_UNIX_TIME}{_YEAR_TAIL}",
            names,
        ),
        Anchored(
            rf"{_OUTSIDE}[12][0-9]{{3}}(?P<sep>\.?\s|[-/.])(?P<m>{word_trie(names)})"
            rf"\.?(?:(?P=sep)|\s)(?P<d>{_DAY}\.?)"
            rf"(?![0-9:/-]|\s{{1,2}}(?i:{_alternatives(months)})\b)",
            followed=names,
        ),
        Anchored(
            rf"{ORDINAL_WORD}\s(?:day\s)?(?:of\s)?(?P<m>{word_trie(names)}){_YEAR_TAIL}",
            ORDINALS,
            TENS,
        ),
        Anchored(word_trie(*days, *_ENGLISH_DAYS), *days, *_ENGLISH_DAYS),
    )
    weekdays = frozenset(n for code in languages for n in full_names(WEEKDAYS, code))
    anchors = Anchors(*expressions)
    return _Grammar(months, frozenset(full), *expressions, weekdays, anchors)


_ENGLISH_DAYS = frozenset(
    f"{day}{s}" for day in WEEKDAYS["en"][0].split() for s in ("", "s")
)
_ENGLISH_SHORT = words(*WEEKDAYS["en"][1:])
# What before a weekday of another language tells it from a name.
_ON_WEEKDAY = frozenset(
    "am vom bis seit nächsten letzten kommenden jeden le du au ce il el los op på om em na "
    "no w we в во do ve til fra på".split()
)


def _alternatives(names: Iterable[str]) -> str:
    # In their order: the first language's are tried first.
    return "|".join(map(re.escape, names))


def _digits(text: str) -> int:
    return int("".join(c for c in text if c.isdigit()))


def _end(text: str, m: re.Match[str]) -> int:
    end = m.end()
    while text[end - 1] in ".,' \n-":
        end -= 1
    return end


class _Atom(NamedTuple):
    """A date with a named month."""

    start: int
    end: int
    year: bool
    bare: bool
    several: bool
    reason: str


def _after_preposition(text: str, start: int) -> bool:
    return (
        _DM_BEFORE.search(text[max(0, start - 12) : start]) is not None
        or last_word(text, start)[0] in _ENGLISH_DAYS
    )


def _day_month(text: str, m: re.Match[str], grammar: _Grammar) -> _Atom | None:
    """ "16 May 2003" and the like; None if it is no date."""
    month = m["m"]
    key = month.lower()
    has_year = bool(m["y"] or m["y2"] or m["y3"])
    if not has_year and text[m.start("m") - 2] == "," and not m["list"]:
        return None  # "34, May Street"
    start, head = m.start(), text[m.start() : m.start("m")]
    numbers = [*_DIGITS.finditer(head)]
    if len(numbers) > 1 and _CITED.search(text[max(0, start - 14) : start]):
        # "§§ 22-23, 4 August 2006": the list is one of paragraphs.
        start += numbers[-1].start()
        numbers = numbers[-1:]
    # A wrong 29 February is still somebody's date; day 31 of February is none.
    if any(not is_day(int(n[0]), grammar.months[key]) for n in numbers):
        return None
    if not has_year:
        if key not in grammar.full:
            return None
        plain = month in _AMBIGUOUS and not re.search("[a-z]", head)
        if plain and not _after_preposition(text, start):
            return None
    elif key not in grammar.full and month.islower() and m["y3"]:
        return None
    if head[-3:].lower() == "of " and _ORDINAL_OF.search(head):
        start = _with_article(text, start)
    end = _end(text, m)
    # The full stop of an abbreviation inside the mention stays there.
    short = not has_year and len(month) < 5 and key not in _COMMON_FULL
    if short and m.end() > end and text[end] == ".":
        end += 1
    if has_year:
        end = _with_era(text, end)
    what = "day and month by name" + (" and year" if has_year else "")
    return _Atom(start, end, has_year, False, len(numbers) > 1, what)


def _with_article(text: str, start: int) -> int:
    return start - 4 * (text[max(0, start - 4) : start].lower() == "the ")


def _day_months(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    for m in grammar.day_month.finditer(text):
        atom = _day_month(text, m, grammar)
        if atom is None and m["list"]:
            # "30/04/24 until 9 May": only the last days are a list.
            atom = _rest(text, m.start("list"), m.end(), grammar)
        if atom is not None:
            yield atom


def _rest(text: str, start: int, end: int, grammar: _Grammar) -> _Atom | None:
    """A date in what another date has left: "May 16, 17 May 2003"."""
    for n in re.finditer(r"(?<!\w)[0-9]+", text[start:end]):
        m = grammar.day_month.match(text, start + n.start())
        atom = _day_month(text, m, grammar) if m else None
        if atom is not None:
            return atom
    return None


_DIGITS = re.compile("[0-9]+")
# "the 3rd of May" is a date with its article.
_ORDINAL_OF = re.compile(r"(?i:st|nd|rd|th)\s(?:day\s)?(?i:of)\s\Z")
_COMMON_FULL = words("may june july mai juni juli mars maj")


def _month_days(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    """ "May 16, 2003", "May 2003", "since May"."""
    for m in grammar.month_day.finditer(text):
        month = m["m"]
        key = month.lower()
        has_year = bool(m["y"] or m["y2"] or m["y3"] or m["y4"])
        if m["d"]:
            number = grammar.months[key]
            figures = _DIGITS.findall(m["d"])
            # "Nov-31" is a month of 1931 or 2031.
            month_year = text[m.start("d") - 1] == "-" and len(m["d"]) == 2
            if not month_year and any(not is_day(int(n), number) for n in figures):
                continue
            if not has_year and (
                key not in grammar.full
                or (
                    month in _AMBIGUOUS
                    and not _after_preposition(text, m.start())
                    and not _ENDS_CLAUSE.match(text, m.end())
                )
            ):
                continue
            what = "month by name and day" + (" and year" if has_year else "")
            several = len(figures) > 1
            yield _Atom(m.start(), _end(text, m), has_year, False, several, what)
        elif has_year:
            if key not in grammar.full and (m["y"] is None or key in _COMMON):
                continue
            if month.islower() and month in _AMBIGUOUS and m["y"] is None:
                continue
            yield _Atom(
                m.start(), _end(text, m), True, False, False, "month by name and year"
            )
        elif (
            month[0].isupper()
            and key in grammar.full
            and (len(month) > 3 or month == "May")
        ):
            end = m.start() + len(month)
            yield _Atom(m.start(), end, False, True, False, "month by name")


def _other_named(text: str, grammar: _Grammar) -> Iterator[_Atom]:
    for m in grammar.ordinal.finditer(text):
        if m["m"].lower() in grammar.full or m["y"] is not None:
            year = bool(m["y"] or m["y2"] or m["y3"])
            start = _with_article(text, m.start())
            yield _Atom(start, _end(text, m), year, False, False, "date in words")
    for m in grammar.year_month_day.finditer(text):
        if is_day(_digits(m["d"]), grammar.months[m["m"].lower()]):
            yield _Atom(
                m.start(),
                _end(text, m),
                True,
                False,
                False,
                "year, month by name and day",
            )


def _dated(text: str, atoms: list[_Atom]) -> list[_Atom]:
    """Without the bare months that neither a preposition ("in March") nor a date at
    one end of their list ("April, May and June 2001") tells from other words."""
    sure = [
        not atom.bare
        or _PREP_MONTH.search(text[max(0, atom.start - 14) : atom.start]) is not None
        for atom in atoms
    ]
    if not all(sure):
        pairs = [*pairwise(range(len(atoms)))]
        for i, j in (*reversed(pairs), *((j, i) for i, j in pairs)):
            if sure[j] and not sure[i]:
                first, second = sorted((atoms[i], atoms[j]))
                sure[i] = second.start - first.end < 20 and bool(
                    _JOIN.fullmatch(text, first.end, second.start)
                )
    return [atom for atom, known in zip(atoms, sure) if known]


def _named_dates(text: str, grammar: _Grammar) -> list[Hit]:
    """Dates with a named month, without overlaps."""
    atoms: list[_Atom] = []
    found = [
        *_day_months(text, grammar),
        *_month_days(text, grammar),
        *_other_named(text, grammar),
    ]
    for atom in sorted(found):
        if not atoms or atom.start >= atoms[-1].end:
            atoms.append(atom)
        elif atoms[-1].bare or atom.start == atoms[-1].start:
            atoms[-1] = atom
        elif atom.end > atoms[-1].end + 3:
            rest = _rest(text, atoms[-1].end, atom.end, grammar)
            if rest is not None:
                atoms.append(rest)
    out = []
    for atom in _dated(text, atoms):
        reason = atom.reason
        if atom.bare:
            reason += " after a word for a time or beside a date"
        if atom.several:
            reason += "; several days"
        subtype = "DATE_RANGE" if atom.several else "DATE"
        score = 0.95 if atom.year else 0.85
        out.append(hit(atom.start, atom.end, "DATETIME", subtype, score, reason=reason))
    return out


def _calendar_date(parts: Sequence[str], sep: str) -> tuple[bool, bool]:
    """Whether three numbers are a date, and whether their form alone says so."""
    a, b, c = map(int, parts)
    sizes = tuple(map(len, parts))
    if sizes[0] == 4:
        if sizes[2] > 2 or not 1000 <= a < 2200:
            return False, False
        # Year, month, day; rarely year, day, month.
        return is_day(c, b, a) or (sep == "/" and is_day(b, c, a)), True
    if sizes[0] > 2 or sizes[2] == 3 or sep in ":_":
        return False, False
    if sizes[2] == 1:
        # Year, month, day with a year of two figures.
        return sizes[0] == 2 and a > 31 and sep == "/" and is_day(c, b), False
    if sizes[2] == 4:
        fits = is_day(a, b, c) or is_day(b, a, c)
        return fits and 1000 <= c < 2200, True
    fits = is_day(a, b) or is_day(b, a)
    if not fits and sizes[0] == 2 and (sizes == (2, 2, 2) or sep == "/"):
        return sep in "/-" and is_day(c, b), False
    return fits, fits and sep == "/"


def _context(text: str, start: int) -> tuple[str, str]:
    """What the word before a number says: "against", "date", "on" or "", with it."""
    return _context_of(text[max(0, start - LEFT) : start])


@remembered
def _context_of(left: str) -> tuple[str, str]:
    word, between = last_word_of(left)
    if between[-1:] in "#§=" and between:
        return "against", between[-1]
    for kind, listed in (("against", _AGAINST), ("date", _NAMES_DATE), ("on", _ON)):
        if word in listed:
            return kind, word
    if word.rstrip(".") in _ENGLISH_DAYS or word.rstrip(".") in _ENGLISH_SHORT:
        return "on", word
    if word == "of" and "week of" in left[-12:].lower():
        return "on", "week of"
    if word in ("code", "no", "nos", "number"):
        return "against", word
    return "", word


def _said(kind: str, word: str) -> str:
    return f"; after '{word}'" if kind in ("date", "on") else ""


def _numeric_dates(text: str) -> Iterator[Hit]:
    for m in _NUMERIC.finditer(text):
        value, sep = m[0], m[1]
        head = re.split("[Tt]", value)[0]
        parts = [p.strip() for p in head.split(sep)]
        fits, certain = _calendar_date(parts, sep)
        if not fits:
            continue
        kind, word = _context(text, m.start())
        four = max(map(len, parts)) == 4
        if kind == "against" and not (four and sep in "/-"):
            continue
        # "2.3.38" may be a heading, "2. 3. 38" and "21.3.38" are dates.
        heading = sep == "." and not four and len(parts[0]) == 1 and " " not in head
        if heading and kind not in ("date", "on"):
            continue
        score = 0.9 if four else 0.85 if certain else 0.7
        if kind in ("date", "on"):
            score = 0.95
        elif not four and sep == "-" and not certain:
            score = 0.6
        yield _numeric_hit(
            m.start(), _with_era(text, m.end()), score, _said(kind, word)
        )
        n = _NEXT_NUMERIC.match(text, m.end())
        while n is not None:
            inner = n[2].strip() or " "
            if not _calendar_date([p.strip() for p in n[1].split(inner)], inner)[0]:
                break
            yield _numeric_hit(n.start(1), n.end(), score, "; beside another date")
            n = _NEXT_NUMERIC.match(text, n.end())


# The Russian, Bulgarian and Latvian word for "year" after its figures.
_ERA = re.compile(r"\s?(?:г(?:ода|\.)?|р(?:оку|\.)|m\.|gada)(?!\w)")


def _with_era(text: str, end: int) -> int:
    m = (
        _ERA.match(text, end)
        if text[end : end + 2] > " z" or "m." in text[end : end + 3]
        else None
    )
    return m.end() if m else end


def _numeric_hit(start: int, end: int, score: float, said: str) -> Hit:
    reason = f"day, month and year in figures, a day of the calendar{said}"
    return hit(start, end, "DATETIME", "DATE", score, reason=reason)


def _partial_dates(text: str) -> Iterator[Hit]:
    """Month and year, or day and month, in figures."""
    for m in _PARTIAL.finditer(text):
        start, end = m.span()
        left, right = text[max(0, start - LEFT) : start], text[end : end + 12]
        score, reason = _partial_date(m[0], m[1], left, right)
        if score:
            yield hit(start, end, "DATETIME", "DATE", score, reason=reason)


# Tables and logs repeat themselves.
@remembered
def _partial_date(value: str, sep: str, left: str, right: str) -> tuple[float, str]:
    """Confidence in two numbers, given the text on both sides, and why."""
    a, b = (p.strip() for p in value.split(sep))
    sizes = (len(a), len(b))
    kind, word = _context_of(left)
    if kind == "against" or word in _NOT_NUMBER or word == "b":
        return 0.0, ""
    score, what = 0.0, "month and year in figures"
    if sizes in ((1, 4), (2, 4)) and 1 <= int(a) <= 12 and 1900 <= int(b) < 2100:
        if kind or word in _YEAR_WORDS:
            score = 0.8
        elif sep == "/" or (len(a) == 2 and sep == "-"):
            score = 0.55
    elif sizes == (4, 2) and 1900 <= int(a) < 2100 and 1 <= int(b) <= 12:
        if sep == "-" or (sep == "/" and kind):
            score = 0.75 if kind or word in _YEAR_WORDS else 0.6
        if sep == "/" and int(b) == (int(a) + 1) % 100:
            return 0.0, ""  # "2003/04": two years
    elif sizes == (4, 1) and sep == "-" and kind and 1900 <= int(a) < 2100:
        score = 0.65
    elif max(sizes) <= 2:
        fits = is_day(int(a), int(b)) or is_day(int(b), int(a))
        expires = word in _EXPIRES and sizes == (2, 2) and 1 <= int(a) <= 12
        if expires and sep in "/-":
            score = 0.85
        elif sep == "/" and fits and value not in _FRACTION and kind:
            score, what = 0.75, "day and month in figures"
        elif sep == "/" and fits and (kind == "date" or word == "on"):
            score, what = 0.6, "day and month in figures"
        elif sep == "." and fits and right[:1] == "." and kind:
            score, what = 0.7, "day and month in figures"
        elif sep == "-" and fits and sizes == (2, 2) and kind == "date":
            score, what = 0.65, "day and month in figures"
        if score and _SHARE.match(right):
            return 0.0, ""
    return score, what + (_said(kind, word) or "; no word of the context")


_SHARE = re.compile(r"\s(?:of\sthe|of\sall|share|inch|mile)")
_EXPIRES = words("exp expires expire expiry expiration valid thru until")


def _compact_dates(text: str) -> Iterator[Hit]:
    for m in _COMPACT.finditer(text):
        value = m[0]
        head = value.partition("T")[0]
        kind, word = _context(text, m.start())
        if kind == "against":
            continue
        if len(head) == 8:
            y, d = int(head[:4]), (int(head[6:]), int(head[4:6]))
            fits = 1900 <= y < 2100 and is_day(*d, y)
            if not fits and kind == "date":
                y = int(head[4:])
                pair = int(head[:2]), int(head[2:4])
                fits = 1900 <= y < 2100 and (is_day(*pair, y) or is_day(*pair[::-1], y))
            if (
                not fits
                or word in _NOT_NUMBER
                or not (kind or "T" in value or y > 1919)
            ):
                continue
        else:
            if word not in _BORN:
                continue
            a, b, c = int(head[:2]), int(head[2:4]), int(head[4:])
            if not (is_day(a, b) or is_day(b, a) or is_day(c, b)):
                continue
        reason = f"figures that are a day of the calendar{_said(kind, word)}"
        yield hit(m.start(), m.end(), "DATETIME", "DATE", 0.8, reason=reason)
    for m in _BLANK_DATE.finditer(text):
        kind, word = _context(text, m.start())
        parts = m[0].split()
        if kind in ("date", "on") and _calendar_date(parts, "/")[0]:
            yield _numeric_hit(m.start(), m.end(), 0.75, _said(kind, word))


_BORN = words("born birth birthday birthdate dob d.o.b geb geboren date")
_BLANK_DATE = Anchored(
    r"(?<![\w$€£.,/:-])(?:[0-9]{4}\s[0-9]{2}\s[0-9]{2}|[0-9]{2}\s[0-9]{2}\s[0-9]{4})"
    r"(?![\w/]|[.,:-][0-9]|\s[0-9])",
    followed=PAIR,
)


def _years(text: str) -> Iterator[Hit]:
    for m in _YEARS.finditer(text):
        value = m[0]
        year = int(value[:4])
        if not 1500 <= year < 2100:
            continue
        start = m.start()
        word, between = last_word(text, start)
        sign = between[-1:]
        if (sign and sign in _SIGNS) or "§" in between:
            if not (sign == "*" and (between[-2:-1] == "(" or word in _BORN)):
                continue
        elif (word in _NOT_YEAR and "(" not in between and "," not in between) or (
            word == "to" and text[max(0, start - 6) : start].lower() == "up to "
        ):
            continue
        if len(value) == 4 and not _plain_year(text, m, word):
            continue
        certain = word in _YEAR_WORDS or bool(sign and sign in "([,;")
        if len(value) > 5 and value[4] not in "s'":
            yield from _year_range(m, value, year)
            continue
        certain = certain or value[-1] == "s"
        if not certain and not 1850 <= year < 2060:
            continue
        reason = "decade" if value[-1] == "s" else "year of four digits"
        reason += "; after a word or mark for years" if certain else ""
        score = 0.85 if certain else 0.6
        yield hit(start, m.end(), "DATETIME", "YEAR", score, reason=reason)


def _plain_year(text: str, m: re.Match[str], word: str) -> bool:
    """Whether what stands around four digits leaves a year."""
    end = m.end()
    return not (
        _NOT_YEAR_AFTER.match(text, end)
        or _LAW_REPORT.match(text, end)
        or word in _ACTS
        or _ACT_AFTER.match(text, end, end + 60)
    )


def _year_range(m: re.Match[str], value: str, year: int) -> Iterator[Hit]:
    second = re.split("[-/]", value)[1].strip()
    later = int(second)
    if len(second) < 4:
        step = 10 ** len(second)
        later += year // step * step
        if later < year and len(second) == 2:
            later += 100
    if not 0 < later - year < 120 or ("/" in value and later - year > 1):
        return
    reason = "two years, the later one second"
    if len(second) == 4:
        # Two years are two identifiers.
        for start in (m.start(), m.end() - 4):
            yield hit(start, start + 4, "DATETIME", "YEAR", 0.85, reason=reason)
    else:
        end = m.end()
        if m.string.startswith(" season", end):
            end += 7
        yield hit(m.start(), end, "DATETIME", "DATE_RANGE", 0.8, reason=reason)


def _short_years(text: str) -> Iterator[Hit]:
    for m in _SHORT_YEAR.finditer(text) if "'" in text else ():
        start = m.start()
        if start and text[start - 1].isalnum():
            continue
        word, _ = last_word(text, start)
        decade = m[0][-1] == "s"
        if (
            decade
            or word in _YEAR_WORDS
            or word in ("class", "late", "early", "mid", "season")
        ):
            reason = "year of two digits after an apostrophe"
            yield hit(start, m.end(), "DATETIME", "YEAR", 0.75, reason=reason)
    for pattern in (_DECADE_WORD, _DECADE):
        for m in pattern.finditer(text):
            left = text[max(0, m.start() - 16) : m.start()]
            if _DECADE_BEFORE.search(left):
                reason = "decade after 'the' or the like"
                yield hit(m.start(), m.end(), "DATETIME", "YEAR", 0.75, reason=reason)


_NOUN_AFTER = re.compile(
    r"\s(?!(?:and|in|at|on|the|to|by|was|when|he|she|they|a)\b)[a-z]"
)


def _spelled_years(text: str) -> Iterator[Hit]:
    for m in _SPELLED_YEAR.finditer(text):
        word, _ = last_word(text, m.start())
        certain = word in _YEAR_WORDS and word not in ("and", "to", "for", "the", "of")
        if m[0][:2].lower() == "tw" and not certain:
            continue  # "two thousand and one nights"
        if not certain and _NOUN_AFTER.match(text, m.end()):
            continue
        reason = "year in words" + ("; after a word for years" if certain else "")
        yield hit(m.start(), m.end(), "DATETIME", "YEAR", 0.75, reason=reason)


_WHOLE = (
    (_CENTURY, "DATE", 0.8, "century"),
    (_SEASON, "DATE", 0.85, "season or feast with its year"),
    (_FEAST, "DATE", 0.7, "name of a feast day"),
    (_WEEK, "DATE", 0.8, "week and year"),
    (_QUARTER, "DATE", 0.8, "part of a year and year"),
    (_EAST_ASIAN, "DATE", 0.9, "figures with signs for year, month and day"),
    (_FOLLOWING, "DURATION", 0.55, "period after one that was named"),
)


_WHOLE_ANCHORS = Anchors(*(pattern for pattern, *_ in _WHOLE), _ROMAN, _THE_DAY)


def _others(text: str) -> Iterator[Hit]:
    if _WHOLE_ANCHORS.absent(text):
        return
    for pattern, subtype, score, reason in _WHOLE:
        for m in pattern.finditer(text):
            yield hit(m.start(), m.end(), "DATETIME", subtype, score, reason=reason)
    for m in _ROMAN.finditer(text):
        month = _ROMANS.index(m["m"].lower()) + 1
        if is_day(_digits(m["d"]), month, int(m["y"])):
            reason = "day, month in Roman figures and year"
            yield hit(m.start(), m.end(), "DATETIME", "DATE", 0.85, reason=reason)
    for m in _THE_DAY.finditer(text):
        if _NTH_BEFORE.search(text[max(0, m.start() - 14) : m.start()]):
            reason = "day of the month; after 'on the' or the like"
            yield hit(m.start(), m.end(), "DATETIME", "DATE", 0.6, reason=reason)


def _ends_before(text: str, start: int, ends: set[int]) -> bool:
    gap = 0
    while gap < 5 and start > gap and text[start - gap - 1] in " .,(":
        gap += 1
    return gap > 0 and any(start - i in ends for i in range(1, gap + 1))


def _weekdays(text: str, dates: list[Hit], grammar: _Grammar) -> Iterator[Hit]:
    """Weekdays; one next to its date belongs to the date."""
    starts = {h.start: h for h in dates}
    ends = {h.end for h in dates}
    joined = set()
    for m in grammar.weekday.finditer(text):
        start, end = m.span()
        key = m[0].lower()
        gap = _WEEKDAY_GAP.match(text, end)
        date = starts.get(gap.end()) if gap else None
        # "Do." is Thursday in German only with its full stop and a date.
        if date is not None and (
            key in grammar.weekdays
            or key in _ENGLISH_SHORT
            or (text[end] == "." and (len(key) > 2 or m[0][0].isupper()))
        ):
            joined.add(date)
            reason = f"weekday and {date.reason}"
            yield date._replace(start=start, reason=reason)
        elif key in _ENGLISH_DAYS:
            reason = "name of a weekday"
            yield hit(start, end, "DATETIME", "WEEKDAY", 0.7, reason=reason)
        elif key in grammar.weekdays and (
            last_word(text, start)[0] in _ON_WEEKDAY or _ends_before(text, start, ends)
        ):
            reason = "name of a weekday after a preposition or a date"
            yield hit(start, end, "DATETIME", "WEEKDAY", 0.6, reason=reason)
    yield from (date for date in dates if date not in joined) if joined else dates


_FIGURES = Anchors(_NUMERIC, _PARTIAL, _COMPACT, _BLANK_DATE, _YEARS)


def _dates(text: str, grammar: _Grammar) -> Iterator[Hit]:
    digits = not _FIGURES.absent(text)
    figures = [*_numeric_dates(text), *_partial_dates(text)] if digits else []
    if grammar.anchors.absent(text):
        yield from figures
    else:
        named = [*_named_dates(text, grammar), *figures]
        yield from _weekdays(text, named, grammar)
    if digits:
        yield from _compact_dates(text)
        yield from _years(text)
    for part in (_short_years, _spelled_years, _others):
        yield from part(text)


@registry.deid_patterns("spacy_deid.date_patterns.v1")
def make_date_patterns(
    times: bool = True,
    durations: bool = True,
    ages: bool = True,
    languages: Sequence[str] = LANGUAGES,
) -> Recognizer:
    """Dates, years, ranges, weekdays, times, durations and ages.

    times (bool): Whether to find times of day.
    durations (bool): Whether to find durations.
    ages (bool): Whether to find ages (label DEM).
    languages (Sequence[str]): ISO 639-1 codes of the languages whose names of months
        and weekdays are found beside the English ones.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a language is unknown.
    """
    codes = check_languages(languages)
    parts: list[Callable[[str], Iterable[Hit]]] = []
    if times:
        parts.append(find_times)
    if durations:
        parts.append(find_durations)
    if ages:
        parts.append(find_ages)
    grammar = _grammar(codes)

    def find(text: str) -> list[Hit]:
        found = [h for part in parts for h in part(text)]
        return drop_covered([*found, *_dates(text, grammar)])

    return PatternRecognizer(find)
