"""Shifted dates and times: one secret shift a document, every layout kept."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from ..text import names
from ..text.calendars import MONTHS as MONTHS_OF
from ..text.calendars import UNITS_ABROAD, month_index, names_like, weekday_index
from ..text.calendars import WEEKDAYS as WEEKDAYS_OF
from .base import (
    MONTHS,
    WEEKDAYS,
    Draws,
    Mention,
    in_order,
    in_place_of,
    invent_word,
    last_word,
    listed,
    match_case,
    normalise,
    shuffled,
    with_articles,
)
from .consistency import DATE_SHIFT, has_fixed_interval
from .layouts import moved_clock, special_layout, suffixed
from .numbers import (
    COUNTS_ABROAD,
    WORDS_PATTERN,
    ages_in,
    coherent_age_step,
    count_form,
    fixed_age_step,
    in_words,
    new_count,
    ordinal_suffix,
    plural_unit,
    read_words,
    same_form,
)
from .partial_dates import partial_layout

# Dates after this year are not made from dates before it.
HORIZON = 2025
# Rough mean lengths, for dates that name a month or a year only.
_MONTH, _YEAR = 30.436875, 365.2425

_MONTH_INDEX = {
    **{name.lower(): i for i, name in enumerate(MONTHS)},
    **{name[:3].lower(): i for i, name in enumerate(MONTHS)},
    "sept": 8,
}
_DAY_INDEX = {
    **{name.lower(): i for i, name in enumerate(WEEKDAYS)},
    **{name[:3].lower(): i for i, name in enumerate(WEEKDAYS)},
    **{f"{name.lower()}s": i for i, name in enumerate(WEEKDAYS)},
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
# Names of other languages, read beside figures only: many are words of others yet.
_MONTHS_ABROAD = {
    name: number - 1
    for name, number in month_index().items()
    if name not in _MONTH_INDEX
}
_DAYS_ABROAD = {
    name: number - 1
    for name, number in weekday_index().items()
    if name not in _DAY_INDEX and len(name) > 1
}
_TOKEN = re.compile(
    r"""
    (?P<iso>\b(?:1[0-9]|20|21)\d\d(?P<is>[-/.:_])\d{1,2}(?P=is)\d{1,2}(?=\b|T)(?!:))
  | (?P<numeric>\b\d{1,2}(?P<ns>[-/.])\ ?\d{1,2}(?P=ns)\ ?(?:(?:1[0-9]|20|21)\d\d|\d\d)\b)
  | (?P<blank>\b\d\d\ \d\d\ (?:1[0-9]|20|21)\d\d\b)
  | (?P<zone>(?:(?<=\d)|(?<=\d[ ]))(?:Z\b|(?:UTC|GMT)\ ?[+-]\d\d:?\d\d\b|(?:UTC|GMT)\ ?[+-]\d{1,2}\b)
      |(?:(?<=:\d\d)|(?<=:\d\d[ ])|(?<=\.\d{3})|(?<=\.\d{6}))\ ?[+-]\d\d:?\d\d\b)
  | (?P<clock>(?:\b|(?<=T))\d{1,2}(?P<cs>[:.hH])[0-5]\d(?:[:.][0-5]\d(?:[.,]\d{1,6})?)?(?!\d)
      (?:\s?[aApP]\.?[mM]\b\.?)?)
  | (?P<clockwords>\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)
      \s+o['’]clock\b)
  | (?P<hour>\b\d{1,2}\s?(?:[aApP]\.?[mM]\b\.?|o['’]clock\b|h\b|hrs\b|hours\b(?=\s*$)))
  | (?P<military>(?<=\d[ ]at[ ])(?:[01]\d|2[0-3])[0-5]\d\b)
  | (?P<compact>\b(?:19|20)\d\d[01]\d[0-3]\d\b)
  | (?P<decade>\b(?:1[0-9]|20|21)\d0(?:['’]?s|er|-?(?:х|е))\b|['’]\d0s\b)
  | (?P<span>\b(?:1[0-9]|20|21)\d\d[-–—/]\d\d\b(?![-–—/.\d]))
  | (?P<daymonth>(?<![\w/.])(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])(?![/\w]))
  | (?P<monthyear>\b(?:0?[1-9]|1[0-2])[/.-](?:19|20)\d\d\b|\b(?:0[1-9]|1[0-2])/\d\d\b|\b(?:19|20)\d\d-(?:0[1-9]|1[0-2])\b)
  | (?P<year>\b(?:1[0-9]|20|21)\d\d\b|(?<!\w)['’]\d\d\b)
  | (?P<century>\b\d{1,2}(?:st|nd|rd|th)(?=[\s-]+centur))
  | (?P<day>\b\d{1,2}(?P<suffix>st|nd|rd|th|er|re|de|ste|e|º|ª|°|-го)?(?!\w))
  | (?P<word>[^\W\d_]+)
    """,
    re.X | re.I,
)
# Words that may stay around a date; anything else might identify somebody.
_FRAME = frozenset(
    "the a an of to from between and until till since in on at by before after around "
    "about approximately circa ca c or early late mid middle beginning start end first "
    "second third fourth half quarter night morning evening afternoon day days eve week "
    "weeks weekend month months year years years' spring summer autumn fall winter "
    "century centuries noon ad bc ce bce am pm gmt utc cet est t z hrs hours h date "
    "dated during through up as far back later than onwards onward present turn both "
    "term season seasons fiscal financial academic school tax next last following "
    "previous same period uhr heures de del den der le el il em op om d г года го р року "
    "gada".split()
)
# Words between the parts of one date.
_LINKS = frozenset("of the th day de del di d".split())
# Words beside numbers that are no dates at all.
_ROOMS = frozenset(
    "north south east west wing floor room bed ward unit level gate platform no number "
    "nos page pages line chapter section part volume issue grade class".split()
)
_SEASONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "en": (listed("spring,summer,autumn,winter"),),
    "de": (
        listed("Frühling,Sommer,Herbst,Winter"),
        listed("Frühjahr,Sommer,Herbst,Winter"),
    ),
    "es": (listed("primavera,verano,otoño,invierno"),),
    "ru": (
        listed("весной,летом,осенью,зимой"),
        listed("весны,лета,осени,зимы"),
        listed("весна,лето,осень,зима"),
        listed("весну,лето,осень,зиму"),
    ),
}
_SIBLINGS: tuple[tuple[str, ...], ...] = (
    listed(
        "Christmas Eve,New Year's Eve,Easter Sunday,Boxing Day,Good Friday,"
        "New Year's Day,Valentine's Day,St Patrick's Day,Mother's Day,Father's Day,"
        "Labour Day,Christmas Day,Midsummer's Day,All Saints' Day,Ash Wednesday,"
        "Palm Sunday,Easter Monday,Ascension Day,Whit Monday"
    ),
    listed(
        "Independence Day,Memorial Day,Labor Day,Veterans Day,Columbus Day,"
        "Presidents' Day,Election Day,Martin Luther King Day,Thanksgiving Day"
    ),
    listed("Remembrance Day,Armistice Day,Bastille Day,Canada Day,Australia Day"),
    listed("Christmas,Easter,Whitsun,Pentecost,Thanksgiving,Halloween,Midsummer"),
    listed("Ramadan,Eid al-Fitr,Diwali,Passover,Hanukkah,Yom Kippur,Rosh Hashanah"),
    _SEASONS["en"][0],
    listed("the spring,the summer,the autumn,the winter"),
    listed("last spring,last summer,last autumn,last winter"),
    listed("morning,afternoon,evening"),
    listed("in the morning,in the afternoon,in the evening"),
    listed("midnight,noon,half past two,a quarter to four"),
    listed("today,nowadays,currently,at present"),
    listed("present,the present day,date,today"),
    listed("yesterday,the day before yesterday,two days ago,last week"),
    listed("tomorrow,the day after tomorrow,next week"),
    listed("daily,weekly,monthly,yearly"),
    listed("the following day,the following week,the next day,a few days later"),
    listed(
        "the following months,the next few weeks,the following weeks,the coming months"
    ),
    listed("the previous day,the previous week,the day before,a few days earlier"),
    listed("recently,some time ago,not long ago,a while ago"),
)
_TERMS = listed(
    "Michaelmas term,Hilary term,Trinity term,Lent term,Easter term,Martinmas term,"
    "Candlemas term,Whitsun term"
)
_TERM_KEYS = frozenset(name.lower() for name in _TERMS)
_SIBLING_OF = {item.lower(): group for group in reversed(_SIBLINGS) for item in group}
_FEASTS = frozenset(item.lower() for group in _SIBLINGS[:4] for item in group)


# The same for other languages: words around dates, siblings, phrases for anything else.
_FRAMES_ABROAD: dict[str, frozenset[str]] = {
    "de": frozenset(
        "am im um vom von bis seit ab zum zur gegen den dem der des die das anfang mitte ende "
        "beginn jahr jahre jahres jahren monat monats woche tag tages und oder zwischen uhr "
        "früh morgens mittags nachmittags abends nachts morgen mittag nachmittag abend nacht "
        "vormittag vormittags kommenden letzten vergangenen nächsten in aus spätestens etwa ca circa "
        "frühjahr frühling sommer herbst winter v n chr jh jahrhundert jahrhunderts".split()
    ),
    "es": frozenset(
        "a al de del el la los las en desde hasta entre y o hacia sobre principios mediados finales "
        "fines inicio inicios año años mes día días semana pasado próximo mañana tarde noche "
        "madrugada mediodía h hs hrs horas primavera verano otoño invierno último primer primera "
        "segunda segundo tercera cuarta quincena trimestre semestre siglo mismo este aproximadamente".split()
    ),
    "ru": frozenset(
        "в во с со по до от к на за около начале начала начало конце конца конец середине "
        "середина года году год годах годы годов гг г месяца месяце числа дня утра вечера ночи "
        "утром днём днем вечером ночью весной летом осенью зимой весны лета осени зимы весна "
        "лето осень зима прошлого прошлом этого этом текущего будущего и или между час часа часов "
        "минут не позднее примерно век века веке первой второй половине половины квартале "
        "квартала третьем четвёртом первом втором".split()
    ),
}
_SIBLINGS_ABROAD: dict[str, tuple[tuple[str, ...], ...]] = {
    "de": (
        listed("gestern,vorgestern,neulich,kürzlich"),
        listed("heute,derzeit,gegenwärtig,zurzeit"),
        listed("morgen,übermorgen,demnächst"),
        listed("morgens,mittags,nachmittags,abends,nachts"),
        listed("Weihnachten,Ostern,Pfingsten,Silvester,Neujahr"),
        listed(
            "Heiligabend,Silvester,Karfreitag,Ostermontag,Pfingstmontag,Neujahrstag"
        ),
        listed("letzte Woche,vorletzte Woche,diese Woche,nächste Woche"),
        listed("letzten Monat,vorletzten Monat,diesen Monat,nächsten Monat"),
        listed("letztes Jahr,vorletztes Jahr,dieses Jahr,nächstes Jahr"),
        listed("im letzten Jahr,im vorletzten Jahr,in diesem Jahr,im nächsten Jahr"),
        listed("täglich,wöchentlich,monatlich,jährlich"),
        listed("am nächsten Tag,am folgenden Tag,am Tag danach,wenige Tage später"),
        _SEASONS["de"][0],
    ),
    "es": (
        listed("ayer,anteayer,hace poco,recientemente"),
        listed("hoy,actualmente,en la actualidad"),
        listed("mañana,pasado mañana,próximamente"),
        listed("por la mañana,por la tarde,por la noche"),
        listed("Navidad,Semana Santa,Año Nuevo,Nochebuena,Reyes"),
        listed("la semana pasada,la semana anterior,esta semana,la próxima semana"),
        listed("el mes pasado,el mes anterior,este mes,el próximo mes"),
        listed("el año pasado,el año anterior,este año,el próximo año"),
        listed("diariamente,semanalmente,mensualmente,anualmente"),
        listed("al día siguiente,a los pocos días,a la semana siguiente"),
        _SEASONS["es"][0],
    ),
    "ru": (
        listed("вчера,позавчера,недавно,на днях"),
        listed("сегодня,сейчас,в настоящее время"),
        listed("завтра,послезавтра,вскоре"),
        listed("утром,днём,вечером,ночью"),
        listed("Рождество,Пасха,Новый год,Троица"),
        listed("на прошлой неделе,на этой неделе,на следующей неделе"),
        listed("в прошлом месяце,в этом месяце,в следующем месяце"),
        listed("в прошлом году,в этом году,в следующем году,в позапрошлом году"),
        listed("ежедневно,еженедельно,ежемесячно,ежегодно"),
        listed("на следующий день,через несколько дней,спустя неделю"),
        _SEASONS["ru"][0],
    ),
}
# By the word before the mention; "" for any other.
_VAGUE_ABROAD: dict[str, dict[str, tuple[str, ...]]] = {
    "de": {
        "am": listed("besagten Tag,betreffenden Tag,genannten Tag,fraglichen Tag"),
        "im": listed(
            "besagten Zeitraum,genannten Zeitraum,fraglichen Zeitraum,selben Jahr"
        ),
        "seit": listed("damals,jener Zeit,einiger Zeit,längerem"),
        "bis": listed("dahin,zu jenem Tag,zu jenem Zeitpunkt,auf weiteres"),
        "von": listed("damals,jenem Tag,jener Zeit"),
        "": listed(
            "damals,zu jener Zeit,einige Zeit später,kurz darauf,in jenen Tagen,"
            "zu einem anderen Zeitpunkt,an jenem Tag,etwas früher,bei anderer Gelegenheit"
        ),
    },
    "es": {
        "el": listed("día en cuestión,mismo día,día señalado,día indicado"),
        "en": listed(
            "aquella época,esas fechas,aquel momento,otra ocasión,ese periodo"
        ),
        "de": listed("aquella época,ese periodo,entonces,esas fechas"),
        "desde": listed("entonces,aquella fecha,ese momento,hace tiempo"),
        "hasta": listed("entonces,aquella fecha,ese momento,más adelante"),
        "": listed(
            "entonces,por aquel tiempo,tiempo después,poco después,en aquellos días,"
            "en otra ocasión,algo antes,en aquella fecha"
        ),
    },
    "ru": {
        "в": listed("то время,тот день,указанный день,указанный период"),
        "с": listed("того времени,тех пор,того дня"),
        "до": listed("того времени,тех пор,того дня"),
        "": listed(
            "тогда,в то время,некоторое время спустя,вскоре после этого,в те дни,"
            "в другой раз,немного раньше,в тот день"
        ),
    },
}
# One of a unit, and two or more of it.
_ONES_ABROAD = {
    "de": "ein Jahr:Jahre,einem Jahr:Jahren,ein Monat:Monate,einen Monat:Monate,einem Monat:"
    "Monaten,eine Woche:Wochen,einer Woche:Wochen,ein Tag:Tage,einen Tag:Tage,einem Tag:"
    "Tagen,eine Stunde:Stunden,einer Stunde:Stunden",
    "es": "un año:años,un mes:meses,una semana:semanas,un día:días,una hora:horas",
    "ru": "один год:года,один месяц:месяца,один день:дня,один час:часа",
}


def is_day_name(text: str) -> bool:
    """Whether a text is the name of a weekday, a month or a feast, whatever it has been
    taken for."""
    key = normalise(text).replace("’", "'")
    return (
        (key in _DAY_INDEX and len(key) > 4)
        or (key in _MONTH_INDEX and len(key) > 3)
        or key in _FEASTS
    )


# What fits after the word before a mention ("on", "in", "since", "the", nothing).
_THEN = listed(
    "that time,that point,a later date,an earlier date,another time,another date,"
    "a certain date,the time in question,the date in question"
)
_VAGUE_AFTER: dict[str, tuple[str, ...]] = {
    "on": listed(
        "that day,a later day,another day,an earlier day,some other day,a certain day,"
        "the day in question,one such day,a later date,an earlier date,another occasion,"
        "that occasion"
    ),
    "at": listed(
        "that time,some point,a later time,an earlier time,another time,that hour,"
        "a certain hour,the time in question,a later point,an earlier point"
    ),
    "in": listed(
        "that period,those days,that season,due course,another period,a later period,"
        "an earlier period,the period in question,the same period,a certain period"
    ),
    "the": listed(
        "day in question,time in question,period in question,date in question,"
        "following period,preceding period,next occasion,previous occasion,"
        "other occasion,occasion in question"
    ),
    "a": listed(
        "later day,certain day,previous occasion,later date,certain period,"
        "different day,later period,certain date"
    ),
    "that": listed("day,time,period,date,week,season,occasion"),
    "of": listed(
        "that time,that period,those days,that season,the day in question,"
        "the period in question,the time in question,that day"
    ),
    "": listed(
        "some time later,a while later,in that period,around that time,"
        "on another occasion,at a later date,at an earlier date,in due course,"
        "not long after,shortly before,at some point,on a later day,in those days,"
        "on an earlier occasion"
    ),
}
_VAGUE_AFTER.update(
    dict.fromkeys(("during", "throughout", "within"), _VAGUE_AFTER["in"])
)
_VAGUE_AFTER.update(
    dict.fromkeys(("over", "through", "across", "than"), _VAGUE_AFTER["of"])
)
_VAGUE_AFTER.update(dict.fromkeys(("an", "every", "each"), _VAGUE_AFTER["a"]))
_VAGUE_AFTER.update(
    dict.fromkeys(
        ("this", "these", "those", "any", "last", "next"), _VAGUE_AFTER["that"]
    )
)
_VAGUE_AFTER.update(
    dict.fromkeys(
        listed(
            "from,to,since,until,till,by,before,after,between,and,around,about,for,"
            "towards,past,dated,date,as,circa,approximately"
        ),
        _THEN,
    )
)
_SOME = listed("several,a few,many,some,a couple of,a number of,various,numerous")
_SOME_OF = re.compile(rf"\b(?:{'|'.join(_SOME)})\b(?=\s+[a-z]+s\b)", re.I)
_COUNTED = re.compile(rf"(?:{WORDS_PATTERN})(?=\s+[a-z]+$)", re.I)
_EMBEDDED = re.compile(
    r"(?P<iso>(?<!\d)(?:1\d|20|21)\d\d-\d\d?-\d\d?(?!\d))"
    r"|(?P<clock>(?<!\d)\d?\d:\d\d(?::\d\d)?(?!\d))"
    r"|(?P<dmy>(?<![\d/.-])\d\d?(?P<sign>[/.-])"
    r"(?:\d\d?(?:(?P=sign)(?:\d{4}|\d\d))?|(?:1\d|20|21)\d\d)(?![\d/.-]))"
    r"|(?P<ordinal>\b\d{1,9}(?:st|nd|rd|th)\b)|\d+",
    re.I,
)
_ORDINAL_END = re.compile(r"\d(?:st|nd|rd|th)\b", re.I)
_FIGURES = re.compile(
    rf"\d|\b(?:{'|'.join((*MONTHS[:4], *MONTHS[5:], *WEEKDAYS))})s?\b"
)
# What says that a date is one of birth, and what may stand between: no other date and
# nothing else that happened.
_BIRTH = re.compile(
    r"(?:\b(?:born|birth|dob|d\.o\.b|\(b|geb(?:oren|urtsdatum|urt)?|nacid[oa]|nacimiento|nació|f\.?\s?nac"
    r"|родил(?:ся|ась)|рождения|рожд|д\.?\s?р)\b|\(\*|^\*)(?P<gap>[^\d;]{0,30})$",
    re.I,
)
# One of these is in each of them.
_IN_BIRTH = ("bor", "bir", "dob", "d.o", "(b", "geb", "nac", "род", "рож", "д", "*")
# Behind a date in Russian, or its last words.
_BIRTH_AFTER = re.compile(r"\s*(?:г\.?\s?р\b|(?:года\s+)?рождения\b)", re.I)
_BIRTH_WITHIN = re.compile(r"(?:г\.?\s?р\.?|рождения)$", re.I)
_OTHERWISE = re.compile(
    r"\b(?:and|who|but|when|then|since|aged?|died|moved|came|admitted|seen|joined|und|starb|gest"
    r"|kam|y|murió|и|умер|умерла)\b|[.!?]\s+[A-ZА-ЯЁ]",
)
_FULL_YEAR = re.compile(r"\b(?:1[0-9]|20|21)\d\d\b")
# What stands between two dates with one year.
_JOINT = re.compile(
    r"(?:,|\s?[-–—/]|,?\s(?:and|or|to|until|till|through|und|oder|bis(?:\szum)?|y|o|al?|hasta"
    r"|и|или|по|до))(?:\s(?:the|el|dem|den))?\s?",
)
# "2000 года", "2000 г."
_YEAR_TAIL = re.compile(r"\s?(?:год[ау]?\b|г\.|г\b)")
_MILITARY = re.compile(
    r"(?P<at>[Aa]t\s)?(?P<clock>(?:[01]\d|2[0-3])[0-5]\d)(?P<unit>\s?(?:h|hrs?|hours|Z)\b)?"
)
_MONTH_NAME = re.compile(
    rf"\b({'|'.join(sorted(_MONTH_INDEX, key=len, reverse=True))})\b", re.I
)
_UNITS = listed("second,minute,hour,day,night,week,month,year,decade,century")
_PLURALS = {
    **{f"{unit}s": unit for unit in _UNITS},
    "centuries": "century",
    "fortnight": "week",
}
_NEIGHBOUR = {
    "second": "minute",
    "minute": "second",
    "hour": "day",
    "day": "week",
    "night": "day",
    "week": "month",
    "month": "week",
    "year": "month",
    "decade": "year",
    "century": "decade",
}
_DURATION = re.compile(
    rf"(?<!\d[:.])\b(?P<number>\d+(?:[.,]\d+)?|(?:an?|{WORDS_PATTERN})(?=[\s-]))"
    r"(?P<gap>(?:[\s-]+and[\s-]+a[\s-]+half)?(?:\s+\((?P<again>\d+)\))?[\s-]{0,3}(?:(?:or\s+so|calendar|working|business|whole|full"
    r"|consecutive)\s+)?)"
    r"(?P<unit>seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|years?"
    r"|decades?|centur(?:y|ies)|yrs?|mins?|hrs?|wks?|mths?|mos|secs?|h"
    rf"|{'|'.join(sorted(UNITS_ABROAD, key=len, reverse=True))})(?![^\W\d_])",
    re.I,
)


class _Part(NamedTuple):
    """A stretch of a mention that is shifted; the first of a date has its value: the
    year, and the month and day if they are known."""

    start: int
    end: int
    kind: str
    render: Callable[[_Shift], str]
    value: tuple[int, ...] = ()


class _Shift(NamedTuple):
    """One shift at all precisions; rounding once keeps the intervals of each."""

    days: int
    minutes: int
    # Whether a year may stay as it is, which the caller then refuses.
    exact: bool = False

    @property
    def months(self) -> int:
        return round(self.days / _MONTH)

    @property
    def years(self) -> int:
        years = round(self.days / _YEAR)
        return years if years or self.exact else 1 if self.days > 0 else -1

    @property
    def decades(self) -> int:
        return round(self.days / (10 * _YEAR)) or (1 if self.days > 0 else -1)

    @property
    def hours(self) -> int:
        return round(self.minutes / 60) or (1 if self.minutes > 0 else -1)


class _Date:
    """A date in parts, with the layout needed to write another one."""

    def __init__(self) -> None:
        self.day: re.Match[str] | None = None
        self.month: re.Match[str] | None = None
        self.year: re.Match[str] | None = None
        self.weekday: re.Match[str] | None = None
        self.donor: _Date | None = None
        self.follows = False
        # How many years it lies before the one it borrows, and what stands between a
        # date and its year, and behind that.
        self.earlier = 0
        self.joint, self.tail = " ", ""

    def borrow(self, donor: _Date | None) -> None:
        """Take what is missing from the next date: "30 December to 4 January 2001"."""
        self.donor = donor
        if donor is None or donor.year is None or self.year is not None:
            return
        self.joint, self.tail, self.earlier = donor.joint, donor.tail, donor.earlier
        if self.month is not None and donor.month is not None:
            own = _month_number(self.month.group().lower()), _day_figure(self.day)
            later = _month_number(donor.month.group().lower()), _day_figure(donor.day)
            alike = (self.day is None) == (donor.day is None)
            self.earlier += own > later if alike else own[0] > later[0]

    def with_year(self, text: str, new: int, other: int) -> str:
        """A date without year, with it if the next date's is another one now.

        text (str): The new date.
        new (int): Its year.
        other (int): The year of the next date.
        RETURNS (str): The text, the year as the next date has it.
        """
        assert self.donor is not None and self.donor.year is not None
        crossed = self.earlier - self.donor.earlier
        if new == other or (crossed and other - new == crossed):
            return text
        old = self.donor.year.group()
        return f"{text}{self.joint}{_like_year(old, new)}{self.tail}"

    def shifted(self, shift: _Shift, year: int) -> datetime.date | None:
        month = self.month or (self.donor.month if self.donor else None)
        if self.day is None or month is None:
            return None
        own = self.year or (self.donor.year if self.donor else None)
        if own is not None:
            year = _year(own.group()) - self.earlier
        number = _month_number(month.group().lower()) + 1
        return _moved(_date(year, number, _day_figure(self.day)), shift.days)


class ImpossibleDate(ValueError):
    """A date that is in no calendar, or whose shift would be."""


def _date(year: int, month: int, day: int) -> datetime.date:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        if (month, day) == (2, 29):
            # A day without year: any leap year will do.
            return datetime.date(year, 3, 1)
        raise ImpossibleDate from None


def _moved(date: datetime.date, days: int) -> datetime.date:
    try:
        return date + datetime.timedelta(days)
    except OverflowError:
        raise ImpossibleDate from None


def _year(text: str) -> int:
    digits = text if text.isdecimal() else re.sub(r"\D", "", text)
    if len(digits) == 2:
        return int(digits) + (2000 if int(digits) <= HORIZON % 100 + 5 else 1900)
    return int(digits)


def _like_year(old: str, year: int) -> str:
    """A year with as many digits as the old one, apostrophe kept."""
    if not 1 <= year <= 9999:
        raise ImpossibleDate
    if len(old) == 4 and old.isdecimal():
        return str(year)
    digits = sum(ch.isdecimal() for ch in old)
    return re.sub(r"\d+", f"{year % 100:02d}" if digits == 2 else str(year), old)


_FULL_MONTHS = frozenset(name.lower() for name in MONTHS)
_FULL_WEEKDAYS = frozenset(name.lower() for name in WEEKDAYS)


def _day_figure(day: re.Match[str] | None) -> int:
    digits = day.group() if day is not None else "0"
    return int(digits if digits.isdecimal() else re.sub(r"\D", "", digits))


def _set_joint(date: _Date, text: str) -> None:
    """Note how a date is written with its year: "June 14, 2000", "14 июня 2000 года"."""
    assert date.year is not None
    ends = [m.end() for m in (date.day, date.month) if m is not None]
    start, end = date.year.span()
    if ends and 0 < start - max(ends) < 7:
        date.joint = text[max(ends) : start]
        tail = _YEAR_TAIL.match(text, end)
        date.tail = tail.group() if tail else ""


def _like_name(old: str, index: int, names: Sequence[str]) -> str:
    """Name of a month or weekday, as short as the old one and in its case."""
    key = old.lower()
    abroad = _name_abroad(key, index, names, old[0].isupper())
    if abroad:
        return match_case(abroad.capitalize() if old[0].isupper() else abroad, old)
    new = names[index]
    full = _FULL_MONTHS if names is MONTHS else _FULL_WEEKDAYS
    if key not in full:
        new = f"{new}s" if key[:-1] in full else new[:3]
    return match_case(new, old)


def _name_abroad(key: str, index: int, names: Sequence[str], capital: bool) -> str:
    """A name in the language and style of one that is not English."""
    if key in _MONTH_INDEX or key in _DAY_INDEX:
        return ""
    row = names_like(MONTHS_OF if names is MONTHS else WEEKDAYS_OF, key, capital)
    return row[index] if row else ""


def _month_number(key: str) -> int:
    return _MONTH_INDEX[key] if key in _MONTH_INDEX else _MONTHS_ABROAD[key]


def _day_number(key: str) -> int:
    return _DAY_INDEX[key] if key in _DAY_INDEX else _DAYS_ABROAD[key]


def _month_name(name: str, number: int, lang: str = "en") -> str:
    """The name of a month beside another one, or the other one's number for -1."""
    key = name.lower()
    for row in MONTHS_OF.get(lang, ()) if lang != "en" else ():
        # "may" is short for mayo in Spanish.
        own = row.split()
        if key in own:
            if number < 0:
                return str(own.index(key) + 1)
            new = own[number - 1]
            return match_case(new.capitalize() if name[0].isupper() else new, name)
    if key not in _MONTH_INDEX and key not in _MONTHS_ABROAD:
        return ""
    if number < 0:
        return str(_month_number(key) + 1)
    return _like_name(name, number - 1, MONTHS)


def _like_day(old: re.Match[str], day: int) -> str:
    suffix = old.group("suffix")
    text = f"{day:02d}" if old.group().startswith("0") else str(day)
    return text + suffixed(day, suffix) if suffix else text


_SLASHED = re.compile(r"\b(\d{1,2})([/.-])(\d{1,2})(?:\2(\d)|(?![\d/.-]))")
_MONTH_FIRST = re.compile(r"[A-Z][a-z]{2,8}\.? \d{1,2}\b")
_DAY_FIRST = re.compile(r"\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2}")


class _Order:
    """How this document writes ambiguous dates such as 01/03/2001."""

    def __init__(self, texts: Sequence[str]):
        # Whether dates of three numbers are there: "02/21" is then no month of 2021.
        self.slashes = False
        votes = 0
        for text in texts:
            for match in _SLASHED.finditer(text):
                a, b = int(match.group(1)), int(match.group(3))
                if match.group(4) is None and (match.group(2) != "/" or max(a, b) > 31):
                    continue
                self.slashes |= match.group(4) is not None and match.group(2) == "/"
                votes += 3 * ((b > 12) - (a > 12))
            if _MONTH_FIRST.match(text):
                votes += 1
            elif _DAY_FIRST.match(text):
                votes -= 1
        self.month_first = votes > 0


def parse(
    text: str,
    order: _Order,
    year: int,
    anchor: datetime.date | None = None,
    lang: str = "en",
) -> list[_Part] | None:
    """Find what a date expression says.

    text (str): The mention.
    order (_Order): How the document writes ambiguous dates.
    year (int): Year of dates that name none.
    anchor (Optional[datetime.date]): A date near by, for days without a month.
    lang (str): Language of the text.
    RETURNS (Optional[list]): Stretches to shift; None if nothing can be shifted or if
        other words than those around dates stand between.
    """
    parts: list[_Part] = []
    dates: list[_Date] = []
    current: _Date | None = None
    last_end = 0
    whole = len(text) == 3
    figures = any(ch.isdecimal() for ch in text)
    # Names of the text's own language need no figures beside them.
    own = _names_in(lang) if lang != "en" else frozenset()
    frame = _frame(lang)
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if match.group("day"):
            kind = "day"
        if any(ch.isdecimal() for ch in text[last_end : match.start()]):
            return None
        token = match.group()
        gap = text[last_end : match.start()].strip(" ,.\n\t\xa0/-\u2013")
        field = ""
        if kind == "word":
            key = token.lower()
            if (
                key in _MONTH_INDEX
                and (key != "may" or token[0] == "M" or whole or dates)
            ) or (
                (figures or key in own)
                and key in _MONTHS_ABROAD
                and (current is None or current.month is None)
            ):
                field = "month"
            elif (
                (
                    # Short names are words of other languages ("to", "so").
                    key in _DAYS_ABROAD
                    and (len(key) > 4 or text[match.end() : match.end() + 1] == ".")
                )
                or (key in _DAY_INDEX and key not in ("sat", "sun", "wed"))
                or (key in ("sat", "sun", "wed") and token[0].isupper())
            ):
                field = "weekday"
            elif key in _LINKS and current is not None and not gap:
                last_end = match.end()
                continue
            elif key not in frame and key not in ("s", "st", "nd", "rd", "th"):
                return None
        elif kind == "day" and 1 <= _day_figure(match) <= 31:
            field = "day"
        elif kind == "year":
            field = "year"
        if field:
            fits = (
                current is not None
                and not gap
                and getattr(current, field) is None
                and not (field == "weekday" and current.year is not None)
                and not (
                    field == "day"
                    and current.year is not None
                    and not _year_first(current)
                )
            )
            if not fits:
                current = _Date()
                dates.append(current)
            setattr(current, field, match)
            last_end = match.end()
            continue
        current = None
        last_end = match.end()
        made = _single(match, kind, order, year)
        if made is not None:
            parts.append(made)
        elif kind not in {"word", "zone"}:
            return None
    if any(ch.isdecimal() for ch in text[last_end:]):
        return None
    for before, date in pairwise(dates):
        # "May 5-6, 1999": the month is the one before, the year the one after.
        if (
            before.month
            and before.day
            and date.day
            and not date.month
            and before.month.start() < before.day.start()
        ):
            donor = _Date()
            donor.month, donor.day = before.month, before.day
            donor.year = before.year or date.year
            date.donor = donor
            date.follows = True
    for date in dates:
        if date.year is not None and len(dates) > 1:
            _set_joint(date, text)
    following: _Date | None = None
    for date in reversed(dates):
        if date.follows:
            if date.year is not None and following is None:
                following = _Date()
                following.year, following.day = date.year, date.day
                following.month = date.donor.month if date.donor else None
                following.joint, following.tail = date.joint, date.tail
            continue
        # "25 April and 17 September 2004": the year is the next one's.
        if (date.day is not None and (date.month is None or date.year is None)) or (
            date.month is not None and date.year is None
        ):
            date.borrow(following)
        if date.month is not None and not (
            date.year is None and date.donor is not None
        ):
            following = date
        elif date.month is not None and date.donor is not None:
            filled = _Date()
            filled.day, filled.month, filled.year = (
                date.day,
                date.month,
                date.donor.year,
            )
            filled.joint, filled.tail = date.joint, date.tail
            filled.earlier = date.earlier
            following = filled
    for date in dates:
        found = _date_parts(date, year, anchor, lang)
        if found is None:
            return None
        parts.extend(found)
    return sorted(parts) if parts else None


@cache
def _frame(lang: str) -> frozenset[str]:
    """Words that may stay around a date in a text of a language."""
    return _FRAME | _FRAMES_ABROAD.get(lang, frozenset())


@cache
def _names_in(lang: str) -> frozenset[str]:
    """Names of months in a language that are no other words."""
    return frozenset(
        name for row in MONTHS_OF.get(lang, ()) for name in row.split() if len(name) > 2
    )


def _year_first(date: _Date) -> bool:
    """Whether year and month stand in the order that puts the day last."""
    return (
        date.month is not None
        and date.year is not None
        and date.year.start() < date.month.start()
    )


def _date_parts(
    date: _Date, year: int, anchor: datetime.date | None, lang: str = "en"
) -> list[_Part] | None:
    """Stretches of a date made of words and figures."""
    out: list[_Part] = []

    def add(
        match: re.Match[str],
        kind: str,
        render: Callable[[_Shift], str],
        value: tuple[int, ...] = (),
    ) -> None:
        out.append(_Part(match.start(), match.end(), kind, render, value))

    day, month, own_year, weekday = date.day, date.month, date.year, date.weekday
    if day is not None:
        if month is None and date.donor is None:
            if not day.group("suffix") or own_year is not None:
                return None
            number = _day_figure(day)
            add(day, "day", lambda s: _like_day(day, _lone_day(number, anchor, s)))
            if weekday is not None:
                index = _day_number(weekday.group().lower())
                add(
                    weekday,
                    "weekday",
                    lambda s: _like_name(
                        weekday.group(), (index + s.days) % 7, WEEKDAYS
                    ),
                )
            return out

        def moved(shift: _Shift) -> datetime.date:
            new = date.shifted(shift, year)
            assert new is not None
            return new

        donor = date.donor
        # "12. und 14. Juni": the month goes behind the point.
        dot = "."
        if month is not None or day.string[day.end() : day.end() + 1] != ".":
            dot = ""
        year_last = month is None or month.start() < day.start()

        def new_day(shift: _Shift) -> str:
            new = moved(shift)
            text = _like_day(day, new.day)
            other = donor.shifted(shift, year) if donor is not None else None
            if donor is None or other is None:
                return text + dot
            if date.follows:
                if new.month != other.month:
                    text = f"{_name_in_donor(donor, new.month)} {text}"
                return text + dot
            if month is None and new.month != other.month:
                # "5 to 6 May" may become "31 May to 1 June".
                text += _day_joint(donor) + _name_in_donor(donor, new.month)
            elif month is None:
                return text + dot
            if own_year is None and donor.year is not None and year_last:
                text = date.with_year(text, new.year, other.year)
            return text

        def new_month(shift: _Shift) -> str:
            assert month is not None
            new = moved(shift)
            text = _month_name(month.group(), new.month, lang)
            if own_year is None and donor is not None and donor.year and not year_last:
                other = donor.shifted(shift, year)
                if other is not None:
                    text = date.with_year(text, new.year, other.year)
            return text

        try:
            old = moved(_Shift(0, 0))
            value: tuple[int, ...] = (old.year, old.month, old.day)
        except ImpossibleDate:
            value = ()
        out.append(_Part(day.start(), day.end() + len(dot), "day", new_day, value))
        if month is not None:
            add(month, "month", new_month)
        if own_year is not None:
            add(own_year, "year", lambda s: _like_year(own_year.group(), moved(s).year))
        if weekday is not None:
            add(
                weekday,
                "weekday",
                lambda s: _like_name(weekday.group(), moved(s).weekday(), WEEKDAYS),
            )
        return out
    if month is not None:
        index = _month_number(month.group().lower())
        donor = date.donor
        donor_year = donor.year if donor is not None else None

        def new_plain_month(shift: _Shift) -> str:
            new = index + shift.months
            text = _month_name(month.group(), new % 12 + 1, lang)
            if own_year is None and donor_year is not None and donor is not None:
                base = _year(donor_year.group())
                moved = donor.shifted(shift, year)
                there = moved.year if moved is not None else 0
                if moved is None and donor.month is not None:
                    there = _month_number(donor.month.group().lower()) + shift.months
                    there = there // 12 + base - donor.earlier
                if there:
                    own = base - date.earlier + new // 12
                    text = date.with_year(text, own, there)
            return text

        named = own_year or donor_year
        value = ()
        if named is not None:
            value = _year(named.group()) - date.earlier, index + 1
        add(month, "month", new_plain_month, value)
        if own_year is not None:
            base_year = _year(own_year.group())
            add(
                own_year,
                "year",
                lambda s: _like_year(
                    own_year.group(), base_year + (index + s.months) // 12
                ),
            )
    elif own_year is not None:
        base_year = _year(own_year.group())
        add(
            own_year,
            "year",
            lambda s: _like_year(own_year.group(), base_year + s.years),
            (base_year,),
        )
    if weekday is not None:
        index = _day_number(weekday.group().lower())
        add(
            weekday,
            "weekday",
            lambda s: _like_name(weekday.group(), (index + s.days) % 7, WEEKDAYS),
        )
    return out


def _day_joint(date: _Date) -> str:
    """What stands between day and month: " ", ". ", " de "."""
    if date.day is None or date.month is None or date.day.end() > date.month.start():
        return " "
    return date.day.string[date.day.end() : date.month.start()]


def _name_in_donor(donor: _Date, month: int) -> str:
    """A month in the language and style of a date."""
    assert donor.month is not None
    return _like_name(donor.month.group(), month - 1, MONTHS)


def _lone_day(number: int, anchor: datetime.date | None, shift: _Shift) -> int:
    """Day of the month for one that stands without month ("the 2nd"), in the month of
    a date near by."""
    if anchor is None:
        return (number - 1 + shift.days) % 28 + 1
    for month in (anchor.month, anchor.month % 12 + 1):
        try:
            date = datetime.date(anchor.year, month, number)
        except ValueError:
            continue
        return _moved(date, shift.days).day
    return (number - 1 + shift.days) % 28 + 1


def _single(match: re.Match[str], kind: str, order: _Order, year: int) -> _Part | None:
    """A stretch that is a date or time by itself."""
    text = match.group()
    groups = match.groupdict()
    value: tuple[int, ...] = ()
    render: Callable[[_Shift], str]
    if groups["iso"] or groups["numeric"] or groups["blank"]:
        numbers = re.findall(r"\d+", text)
        if groups["iso"]:
            y, m, d = 0, 1, 2
        else:
            first, second = int(numbers[0]), int(numbers[1])
            month_first = second > 12 or (
                order.month_first and first <= 12 and groups["ns"] != "."
            )
            y, m, d = (2, 0, 1) if month_first else (2, 1, 0)
        value = (_year(numbers[y]), int(numbers[m]), int(numbers[d]))

        def render(shift: _Shift) -> str:
            date = _date(_year(numbers[y]), int(numbers[m]), int(numbers[d]))
            new = _moved(date, shift.days)
            values = {y: new.year, m: new.month, d: new.day}
            padded = any(len(numbers[i]) == 2 and numbers[i][0] == "0" for i in (m, d))
            padded = padded or all(len(numbers[i]) == 2 for i in (m, d))

            pieces = re.split(r"(\d+)", text)
            for position, i in zip(range(1, len(pieces), 2), range(3)):
                if i == y:
                    pieces[position] = _like_year(numbers[i], values[i])
                else:
                    pieces[position] = f"{values[i]:02d}" if padded else str(values[i])
            return "".join(pieces)

    elif groups["daymonth"] and (
        order.slashes or "/0" in text or not text.startswith("0")
    ):
        numbers = text.split("/")
        first, second = map(int, numbers)
        if min(first, second) > 12:
            return None
        m = 0 if second > 12 or (order.month_first and first <= 12) else 1

        def render(shift: _Shift) -> str:
            month, day = (first, second) if m == 0 else (second, first)
            new = _moved(_date(year, month, day), shift.days)
            padded = any(n[0] == "0" for n in numbers)
            values = (new.month, new.day) if m == 0 else (new.day, new.month)
            return "/".join(f"{v:02d}" if padded else str(v) for v in values)

    elif groups["military"]:
        # "2/19 at 0415"
        def render(shift: _Shift) -> str:
            return moved_clock(text, shift)

    elif groups["compact"]:
        value = (int(text[:4]), int(text[4:6]), int(text[6:]))

        def render(shift: _Shift) -> str:
            date = _date(int(text[:4]), int(text[4:6]), int(text[6:]))
            return _moved(date, shift.days).strftime("%Y%m%d")

    elif groups["clockwords"]:

        def render(shift: _Shift) -> str:
            word = re.match(r"\w+", text)
            assert word is not None
            hour = ((read_words(word.group()) or 1) + shift.hours - 1) % 12 + 1
            return in_words(hour, word.group()) + text[word.end() :]

    elif groups["clock"] or groups["hour"]:

        def render(shift: _Shift) -> str:
            return _new_time(text, shift)

    elif groups["decade"]:

        def render(shift: _Shift) -> str:
            digits = re.search(r"\d+", text)
            assert digits is not None
            new = int(digits.group()) + 10 * shift.decades
            return _replace_digits(text, f"{new % 100:02d}" if new < 1000 else str(new))

    elif groups["span"] and not _is_month_of_year(text):

        def render(shift: _Shift) -> str:
            new = [_year(text[:4]) + shift.years, int(text[5:]) + shift.years]
            return f"{_like_year(text[:4], new[0])}{text[4]}{new[1] % 100:02d}"

    elif groups["monthyear"] or groups["daymonth"] or groups["span"]:
        a, b = re.findall(r"\d+", text)
        year_first = len(a) == 4

        def render(shift: _Shift) -> str:
            month, year = (b, a) if year_first else (a, b)
            total = _year(year) * 12 + int(month) - 1 + shift.months
            new_month = str(total % 12 + 1).zfill(len(month) if month[0] == "0" else 1)
            new_month = new_month.zfill(2) if year_first else new_month
            new_year = _like_year(year, total // 12)
            values = (new_year, new_month) if year_first else (new_month, new_year)
            return text[len(a)].join(values)

    elif groups["century"]:

        def render(shift: _Shift) -> str:
            digits = re.match(r"\d+", text)
            assert digits is not None
            new = max(1, int(digits.group()) - 1)
            return f"{new}{match_case(ordinal_suffix(new), text[-2:])}"

    else:
        return None
    return _Part(match.start(), match.end(), kind, render, value)


def _is_month_of_year(text: str) -> bool:
    """Whether "1980-01" is a month and not two years."""
    second = int(text[5:])
    return text[4] == "-" and 0 < second < 13 and second != (int(text[:4]) + 1) % 100


def _replace_digits(text: str, digits: str) -> str:
    return re.sub(r"\d+", digits, text, count=1)


def _new_time(text: str, shift: _Shift) -> str:
    """A time of day, shifted around the clock in its own format."""
    numbers = re.findall(r"\d+", text)
    half = re.search(r"([aApP])(\.?)([mM])", text)
    hour = int(numbers[0])
    if hour > 24:
        raise ImpossibleDate
    if half:
        hour = hour % 12 + (12 if half.group(1) in "pP" else 0)
    minute = int(numbers[1]) if len(numbers) > 1 else 0
    step = shift.minutes if len(numbers) > 1 else 60 * shift.hours
    twelve = half is not None or re.search("o['’]clock", text) is not None
    total = (hour * 60 + minute + step) % (12 * 60 if twelve and not half else 1440)
    new_hour, new_minute = divmod(total, 60)
    if twelve:
        shown = new_hour % 12 or 12
    else:
        shown = new_hour
    pieces = re.split(r"(\d+)", text)
    width = len(numbers[0]) if numbers[0].startswith("0") or not twelve else 1
    pieces[1] = str(shown).zfill(width if len(numbers) > 1 or width == 2 else 1)
    if len(numbers) > 1:
        pieces[3] = f"{new_minute:02d}"
    out = "".join(pieces)
    if half:
        letter = "p" if new_hour >= 12 else "a"
        letter = letter.upper() if half.group(1).isupper() else letter
        out = re.sub(r"[aApP](\.?[mM])", letter + r"\1", out)
    return out


# Dates written in search of a shift that makes none an original of the document.
MAX_RENDERED = 600


def _candidate_shifts(draws: Draws, latest: int) -> Iterator[_Shift]:
    """Shifts to try: first up to two years, then more and more; a single one, into the
    past, if other documents rely on it: what a document holds may not change it."""
    rng = draws.random_for(DATE_SHIFT, "")
    fixed = has_fixed_interval(draws.random_for)
    weekdays = draws.weekdays
    for count, low, high in (
        (16, 190, 730),
        (12, 731, 1826),
        (16, 1827, 5500),
        (24, 5501, 12000),
    ):
        for _ in range(count):
            days = rng.randint(low, high)
            # Whole weeks if weekdays stay, else none: a weekday alone has to move.
            if weekdays or days % 7 == 0:
                days += -days % 7 if weekdays else 1 + days // 7 % 6
            days *= rng.choice((-1, 1))
            hours, minutes = rng.randint(1, 4), 5 * rng.randint(1, 11)
            minutes = (60 * hours + minutes) * rng.choice((-1, 1))
            if fixed:
                yield _Shift(-abs(days), minutes)
                return
            if latest <= HORIZON < latest + days / _YEAR:
                days = -days
            yield _Shift(days, minutes)


def replace_dates(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New dates, times and durations for a document.

    All full dates move by the same number of days; months, years and times move by
    that shift rounded once, so that order and intervals stay.

    mentions (Sequence[Mention]): All mentions of dates and times, in document order.
    draws (Draws): The document's draws; `day_shift` is set.
    RETURNS (list[str]): One text a mention.
    """
    titles = {i for i, m in enumerate(mentions) if in_title(m)}
    if titles and draws.lang == "en":
        dates = [m for i, m in enumerate(mentions) if i not in titles]
        following = iter(replace_dates(dates, draws) if dates else [])
        return [
            _title_word(m, draws) if i in titles else next(following)
            for i, m in enumerate(mentions)
        ]
    first: dict[str, Mention] = {}
    for mention in mentions:
        first.setdefault(mention.text, mention)
    texts = list(first)
    order = _Order(texts)
    years: dict[int, int] = {}
    for mention in mentions:
        for digits in _FULL_YEAR.findall(mention.text):
            found = _year(digits)
            years[found] = years.get(found, 0) + 1
    latest = max(years, default=HORIZON - 5)
    # Days without a year are most likely of the year that is named most.
    year = max(years, key=lambda y: (years[y], y)) if years else 2003
    parsed = {}
    anchor: datetime.date | None = None
    joined = _joined(mentions)
    for text, mention in first.items():
        parts = _clock_parts(mention)
        if parts is None and draws.lang == "en":
            parts, month = _plain_parts(text)
            if parts is not None:
                anchor = month or anchor
                parsed[text] = parts
                continue
            parts = _feast_parts(text)
        if parts is None:
            parts = _special_parts(text, order, draws.lang)
        if parts is None and len(text) <= 200 and not is_duration(text):
            if text in joined:
                parts = _parse_joined(text, joined[text], order, year, draws.lang)
            parts = parts or parse(text, order, year, anchor, draws.lang)
        if parts:
            parsed[text] = parts
            anchor = _near_by(text, year) or anchor
    values = {
        text: [part.value for part in parts if _is_date(part.value)]
        for text, parts in parsed.items()
    }
    born = _births(mentions, values)
    step = _age_step(draws, born, values) if born else None
    draws.age_step = step
    new: dict[str, str] = {}
    best: tuple[int, dict[str, str], _Shift] | None = None
    # Short texts are the likeliest to hit another original: they are tried first.
    ordered = sorted(parsed, key=len)
    rendered = 0
    forbidden = draws.forbidden
    for attempt, shift in enumerate(_candidate_shifts(draws, latest)):
        # With hundreds of dates some shift collides always: the best so far will do.
        if best is not None and rendered >= MAX_RENDERED:
            break
        trial: dict[str, str] = {}
        failed = 0
        births = _birth_shifts(born, values, shift, step, draws) if step else {}
        for text in ordered:
            rendered += 1
            result = _render(text, parsed[text], births.get(text, shift), draws.lang)
            clash = result is None or result == text or forbidden(result)
            if draws.weekdays and clash and result is not None:
                same = _other_weekdays(result, first[text], draws.lang)
                result = next((t for t in same if not forbidden(t)), result)
                clash = result is None or result == text or forbidden(result)
            if clash or result is None:
                failed += 1
                if attempt >= 20 or (best is not None and failed >= best[0]):
                    break
            else:
                trial[text] = result
        else:
            if best is None or failed < best[0]:
                best = (failed, trial, shift)
        if not failed:
            break
    assert best is not None
    _, new, shift = best
    draws.day_shift = shift.days
    for text, new_text in new.items():
        draws.claim(new_text, normalise(text))
    left = [text for text in texts if text not in new]
    distances: Mapping[str, set[int]] = {}
    if left:
        distances = _distances([v for t in values if t not in born for v in values[t]])
    for text in left:
        if is_duration(text):
            same = _same_duration(text, distances, draws.lang)
            again = draws.pick(same, normalise(text), first[text].before)
            if again is not None:
                new[text] = again
                continue
        elif draws.lang != "en" and len(text) < 80:
            figures = _same_in_figures(text, distances, draws.lang)
            again = draws.pick(figures, normalise(text), first[text].before)
            if again is not None:
                new[text] = again
                continue
        parts = parsed.get(text)
        if draws.weekdays and parts and any(part.kind == "weekday" for part in parts):
            # A nudge would give it a weekday of another date.
            parts = None
        new[text] = _other(first[text], parts, shift, draws)
    if draws.lang == "ru":
        return [_in_accusative(new[m.text], m.before) for m in mentions]
    return [new[m.text] for m in mentions]


def _joined(mentions: Sequence[Mention]) -> dict[str, str]:
    """Texts of dates whose year stands in the next mention, with what follows them up
    to it: "12 January" before " and 14 June 2000"."""
    out: dict[str, str] = {}
    for i in range(len(mentions) - 2, -1, -1):
        text, after, following = (
            mentions[i].text,
            mentions[i].after,
            mentions[i + 1].text,
        )
        gap = _JOINT.match(after)
        if (
            gap is None
            or not after.startswith(following[:16], gap.end())
            or len(text) > 60
            or _FULL_YEAR.search(text)
        ):
            continue
        further = following
        if not _FULL_YEAR.search(following):
            further += out.get(following, "")
        if len(further) < 120 and _FULL_YEAR.search(further):
            out[text] = gap.group() + further
    return out


def _parse_joined(
    text: str, further: str, order: _Order, year: int, lang: str
) -> list[_Part] | None:
    """As `parse`, of a date that borrows its year from what follows."""
    if not any(ch.isdecimal() for ch in text) and not _MONTH_NAME.search(text):
        return None
    parts = parse(text + further, order, year, None, lang) or ()
    own = [part for part in parts if part.start < len(text)]
    return own if own and own[-1].end <= len(text) else None


_RUSSIAN_DAYS = re.compile(
    r"(?:(?<![^\W_])(?P<to>во?|на)(?P<gap>\s+)|^)(?P<day>понедельник|вторник|сред[ау]|четверг"
    r"|пятниц[ау]|суббот[ау]|воскресенье)(?![^\W_])",
    re.I,
)


def _in_accusative(text: str, before: str) -> str:
    """A Russian date whose weekday fits "в" before it: "в среду", "во вторник"."""

    def fit(match: re.Match[str]) -> str:
        to, day = match["to"], match["day"]
        if to is None and last_word(before) not in ("в", "во", "на"):
            return match[0]
        if day[-1] == "а":
            day = day[:-1] + "у"
        if to is None:
            return day
        if to.lower() != "на":
            to = to[0] + ("о" if day.lower() == "вторник" else "")
        return to + match["gap"] + day

    return _RUSSIAN_DAYS.sub(fit, text)


def _is_date(value: tuple[int, ...]) -> bool:
    if len(value) < 3:
        return bool(value)
    try:
        datetime.date(*value)
    except ValueError:
        return False
    return True


def _births(
    mentions: Sequence[Mention], values: Mapping[str, list[tuple[int, ...]]]
) -> set[str]:
    """Texts that are dates of birth, by the words before them, and the same dates
    elsewhere."""
    found: set[tuple[int, ...]] = set()
    for mention in mentions:
        before = mention.before.lower()
        cue = None
        if any(map(before.__contains__, _IN_BIRTH)):
            cue = _BIRTH.search(mention.before)
        if (
            (cue is not None and not _OTHERWISE.search(cue["gap"]))
            or _BIRTH_AFTER.match(mention.after)
            or _BIRTH_WITHIN.search(mention.text)
        ):
            found.update(values.get(mention.text, [])[:1])
    if not found:
        return set()
    return {text for text, own in values.items() if len(own) == 1 and own[0] in found}


def _age_step(
    draws: Draws, born: set[str], values: Mapping[str, list[tuple[int, ...]]]
) -> int | None:
    """Years that ages move by, which dates of birth follow."""
    if has_fixed_interval(draws.random_for):
        return fixed_age_step(draws)
    if not draws.ages:
        return None
    years = [
        value[0] for text, own in values.items() if text not in born for value in own
    ]
    soon = any(0 <= year - values[text][0][0] <= 8 for text in born for year in years)
    return coherent_age_step(draws, soon)


def _birth_shifts(
    born: set[str],
    values: Mapping[str, list[tuple[int, ...]]],
    shift: _Shift,
    step: int,
    draws: Draws,
) -> dict[str, _Shift]:
    """Shifts of dates of birth that make people older by the step, exactly so at each
    other date of the document where they had one of its ages."""
    base = shift.days - round(step * _YEAR)
    if has_fixed_interval(draws.random_for):
        return dict.fromkeys(born, shift._replace(days=base, exact=True))
    others = {v for text, own in values.items() if text not in born for v in own}
    dates = sorted(others)[:_MOST_DATES]
    ages = sorted({age for text in draws.ages for age in ages_in(text)})[:_MOST_AGES]
    out = {}
    for text in born:
        birth = values[text][0]
        known = [
            (date, age, slack)
            for date in dates
            for age in ages
            if (slack := _slack(birth, date, age)) is not None
        ]
        best, days = -1, base
        for offset in (0, 1, -1, 2, -2, 3, -3, 365, -365, 366, -366):
            if not known:
                break
            try:
                new = _shifted_value(birth, base + offset)
                score = sum(
                    _slack(new, _shifted_value(date, shift.days), age + step) == slack
                    for date, age, slack in known
                )
            except ImpossibleDate:
                continue
            if score > best:
                best, days = score, base + offset
        out[text] = shift._replace(days=days, exact=True)
    return out


def _shifted_value(value: tuple[int, ...], days: int) -> tuple[int, ...]:
    """A date as far as it is known, after a shift."""
    shift = _Shift(days, 0, exact=True)
    if len(value) == 3:
        new = _moved(datetime.date(*value), days)
        return new.year, new.month, new.day
    if len(value) == 2:
        months = 12 * value[0] + value[1] - 1 + shift.months
        return months // 12, months % 12 + 1
    return (value[0] + shift.years,)


def _slack(birth: tuple[int, ...], date: tuple[int, ...], age: int) -> int | None:
    """Years that a date leaves open for an age, 0 or 1; None if the age is wrong. Of two
    full dates one age alone is right."""
    years = date[0] - birth[0]
    if len(birth) == len(date) == 3:
        return 0 if age == years - (date[1:] < birth[1:]) else None
    return years - age if years - age in (0, 1) else None


# Pairs of a document with more dates would take longer than all else.
_MOST_DATES, _MOST_AGES = 60, 20


def _distances(values: Sequence[tuple[int, ...]]) -> dict[str, set[int]]:
    """Days between the full dates of a document, months and years between the others: a
    duration that equals one is right in the new text, too."""
    days: set[int] = set()
    months: set[int] = set()
    years: set[int] = set()
    distinct = sorted(set(values))[:_MOST_DATES]
    for i, first in enumerate(distinct):
        for second in distinct[i + 1 :]:
            if len(first) == len(second) == 3:
                a, b = datetime.date(*first), datetime.date(*second)
                days.add((b - a).days)
                if first[1:] == second[1:]:
                    years.add(second[0] - first[0])
            elif len(first) == len(second):
                if len(first) == 2:
                    months.add(12 * (second[0] - first[0]) + second[1] - first[1])
                if first[1:] == second[1:]:
                    years.add(second[0] - first[0])
    return {"day": days, "month": months, "year": years}


_UNIT_OF = {
    **dict.fromkeys(
        "day days tag tage tagen día días dia dias день дня дней сутки суток".split(),
        (1, "day"),
    ),
    **dict.fromkeys(
        "week weeks woche wochen semana semanas неделя неделю недели недель".split(),
        (7, "day"),
    ),
    **dict.fromkeys(
        "month months monat monate monaten mes meses месяц месяца месяцев".split(),
        (1, "month"),
    ),
    **dict.fromkeys(
        "year years jahr jahre jahren año años год года лет".split(), (1, "year")
    ),
}
# The other unit: days of a week, months of a year.
_SMALLER = {
    "en": {"week": (7, "days"), "year": (12, "months")},
    "de": {"woche": (7, "Tage"), "jahr": (12, "Monate")},
    "es": {"semana": (7, "días"), "año": (12, "meses")},
    "ru": {"недел": (7, "дней"), "лет": (12, "месяцев"), "год": (12, "месяцев")},
}


@cache
def _counted_in_words(lang: str) -> tuple[re.Pattern[str], dict[str, int]]:
    """Durations in words of a language other than English, and what the words mean."""
    values: dict[str, int] = {}
    for row in COUNTS_ABROAD[lang]:
        start = 5 if row[0] == "пять" else 2
        values.update(zip(row, range(start, start + len(row))))
    units = "|".join(sorted(_UNIT_OF, key=len, reverse=True))
    return (
        re.compile(rf"\b({'|'.join(values)})\s+({units})(?![^\W_])", re.I),
        values,
    )


def _same_in_figures(
    text: str, distances: Mapping[str, set[int]], lang: str
) -> Iterator[str]:
    """As `_same_duration`, for a duration in words of another language: "11 Tage" for
    "elf Tage"."""
    pattern, values = _counted_in_words(lang)
    match = pattern.search(text)
    if match is not None:
        size, kind = _UNIT_OF[match[2].lower()]
        value = values[match[1].lower()]
        if size * value in distances[kind]:
            yield text[: match.start(1)] + str(value) + text[match.end(1) :]


def _same_duration(
    text: str, distances: Mapping[str, set[int]], lang: str
) -> Iterator[str]:
    """The same duration in other words, if two dates of the document are as far apart:
    "eleven days" for "11 days"."""
    match = _DURATION.search(text)
    if match is None or match["again"] or "half" in match["gap"]:
        return
    number, unit = match["number"], match["unit"].lower()
    value = int(number) if number.isdecimal() else read_words(number)
    size, kind = _UNIT_OF.get(unit, (0, ""))
    if not value or not kind or size * value not in distances[kind]:
        return

    def written(new: str, name: str = "") -> str:
        head, tail = text[: match.start()], text[match.end() :]
        return head + new + match["gap"] + (name or match["unit"]) + tail

    if lang == "en":
        if not number.isdecimal():
            yield written(str(value))
        elif value < 1000:
            yield written(in_words(value))
    elif lang in ("de", "es") and 2 <= value <= 12:
        yield written(COUNTS_ABROAD[lang][0][value - 2])
    elif lang == "ru" and unit in ("день", "дня", "дней") and value > 1:
        yield written(number, "суток")
    if lang == "en" and unit in ("day", "days") and value % 7 == 0:
        yield written(str(value // 7), "weeks" if value > 7 else "week")
    for stem, (count, name) in _SMALLER.get(lang, {}).items():
        if unit.startswith(stem):
            # "7 Tagen"
            dative = (
                "n" if lang == "de" and unit[-1:] == "n" and unit[:1] == "j" else ""
            )
            yield written(str(value * count), name + dative)


# Words beside a weekday that say the same of it.
_SAME_DAY = {
    lang: tuple((re.compile(rf"\b{old}\b", re.I), new) for old, new in rows)
    for lang, rows in {
        "en": (
            (r"last(?=\s[A-Z])", "the previous"),
            (r"(?:the\s)?next(?=\s[A-Z])", "the following"),
            (r"following(?=\s[A-Z])", "next"),
            (r"previous(?=\s[A-Z])", "preceding"),
            (r"each(?=\s[A-Z])", "every"),
            (r"every(?=\s[A-Z])", "each"),
            (rf"({'|'.join(WEEKDAYS)})s", r"every \1"),
        ),
        "de": (
            (r"(?:darauf)?(?:kommend|folgend)(e[nrms]?)", r"nächst\1"),
            (r"nächst(e[nrms]?)", r"kommend\1"),
            (r"(?:vergangen|vorig|vorangegangen)(e[nrms]?)", r"letzt\1"),
            (r"letzt(e[nrms]?)", r"vergangen\1"),
        ),
        "es": (
            (r"(próximo|pasado|siguiente|anterior)\s(\w+)", r"\2 \1"),
            (r"(\w+)\s(próximo|pasado|siguiente|anterior)", r"\2 \1"),
        ),
        "ru": (
            (r"прошл(ую)", r"минувш\1"),
            (r"прошлый", "минувший"),
            (r"прошло(й|го|е|м|му)", r"минувше\1"),
            (r"ближайш(\w{2,3})", r"следующ\1"),
            (r"следующ(\w{2,3})", r"ближайш\1"),
        ),
    }.items()
}


def _other_weekdays(text: str, mention: Mention, lang: str) -> Iterator[str]:
    """A text with the same weekday in other words: "every Friday" for "Fridays"."""
    for pattern, new in _SAME_DAY.get(lang, ()):
        match = pattern.search(text)
        if match is not None:
            new = text[: match.start()] + match.expand(new) + text[match.end() :]
            yield in_place_of(new, mention)
    yield _other_weekday(text, lang)


def _other_weekday(text: str, lang: str) -> str:
    """The weekday in a text written out, or shortened: "Mon" for "Monday"."""

    def swap(match: re.Match[str]) -> str:
        key = match.group().lower()
        for row in _weekday_rows(lang):
            if key in row:
                full, short = _weekday_rows(lang)[:2]
                # Cases of Russian names are no other way to write one.
                other = (
                    short
                    if row is full or (lang == "ru" and row is not short)
                    else full
                )
                new = other[row.index(key)]
                new = new.capitalize() if match.group()[0].isupper() else new
                return match_case(new, match.group())
        return match.group()

    return re.sub(r"[^\W\d_]+", swap, text)


@cache
def _weekday_rows(lang: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row.split()) for row in WEEKDAYS_OF.get(lang, WEEKDAYS_OF["en"]))


# Words for a weekday that is part of a title: the shift of the dates would show in one
# that readers know.
_TITLE_WORDS = listed(
    "Winter,Summer,Autumn,Harvest,Market,Midnight,Silver,Amber,Harbour,Lantern,Meadow,"
    "River,Garden,Copper,Velvet,Crimson,Island,Thunder,Marble,Orchard"
)
_TITLE_BEFORE = re.compile(
    r"\b(?:Black|Bloody|Casual|Cyber|Freaky|Girl|Man|Manic|Ruby|Sheffield|Super)\s+$"
)
_TITLE_AFTER = re.compile(r"\s[A-Z][a-z’']+")
_DATE_BEFORE = re.compile(
    r"\b(?:on|last|next|every|each|this|that|the|since|until|till|by|from|to|of|and|or|before"
    r"|after|for|a|said|late|early|between|through)\s+$",
    re.I,
)


def in_title(mention: Mention) -> bool:
    """Whether a weekday is part of a title ("Friday Night Lights") or of a name.

    mention (Mention): Mention of a date.
    RETURNS (bool): False for any other date.
    """
    if not mention.text[:1].isupper() or normalise(mention.text) not in _DAY_INDEX:
        return False
    if _TITLE_BEFORE.search(mention.before):
        return True
    following = _TITLE_AFTER.match(mention.after)
    if following is None:
        return False
    if mention.before[-1:] in tuple("“‘\"'«*_"):
        return True
    further = _TITLE_AFTER.match(mention.after[following.end() :])
    return (
        further is not None
        and re.search(r"[^\W\d_]\s+$", mention.before) is not None
        and _DATE_BEFORE.search(mention.before) is None
        and names.title_gender(following.group().strip()) is None
    )


def _title_word(mention: Mention, draws: Draws) -> str:
    key = normalise(mention.text)
    rng = draws.random_for("title-word", key)
    words = (match_case(word, mention.text) for word in shuffled(_TITLE_WORDS, rng))
    found = draws.pick(words, f"title {key}", mention.before, len(_TITLE_WORDS))
    return found or draws.invent("title-word", f"title {key}", mention.before)


def _near_by(text: str, year: int) -> datetime.date | None:
    """Month and year of a date written with the name of its month."""
    match = _MONTH_NAME.search(text)
    if match is None:
        return None
    found = _FULL_YEAR.search(text)
    month = _month_number(match.group(1).lower()) + 1
    return datetime.date(_year(found.group()) if found else year, month, 1)


def is_clock(mention: Mention) -> bool:
    """Whether four digits are a time of day ("at 0415").

    mention (Mention): Mention of any type.
    RETURNS (bool): True only if "at" stands before or "hours" after.
    """
    match = _MILITARY.fullmatch(mention.text)
    return match is not None and bool(
        match["at"]
        or re.search(r"\bat\s+$", mention.before, re.I)
        or re.match(r"\s?(?:h|hrs?|hours)\b", mention.after, re.I)
    )


def _clock_parts(mention: Mention) -> list[_Part] | None:
    """A time of four digits ("0415"), told from a year by what stands around it."""
    text = mention.text
    match = _MILITARY.fullmatch(text)
    if match is None:
        return None
    if not (
        text[0] == "0"
        or match["unit"]
        or mention.subtype == "TIME"
        or is_clock(mention)
        or re.match(r"\s?z\b", mention.after, re.I)
    ):
        return None
    start = match.start("clock")

    def render(shift: _Shift) -> str:
        return text[:start] + moved_clock(text[start:], shift)

    return [_Part(0, len(text), "time", render)]


@cache
def _feast_pattern() -> re.Pattern[str]:
    feasts = sorted((*_FEASTS, *_TERMS), key=len, reverse=True)
    return re.compile(
        rf"(?P<lead>(?:the\s+)?)(?P<feast>{'|'.join(map(re.escape, feasts))})"
        r"(?P<year>(?:,?\s+(?:of\s+|in\s+)?(?:[12]\d{3}|'\d\d)(?:[-/]\d\d)?)?)",
        re.I,
    )


def _feast_parts(text: str) -> list[_Part] | None:
    """A feast or a term of the academic year, with its year or without: another one of
    the same calendar, the year moved."""
    normal = text.replace("’", "'")
    match = _feast_pattern().fullmatch(normal) if len(text) < 60 else None
    if match is None or (not match["year"] and match["feast"].lower() in _FEASTS):
        return None
    key = match["feast"].lower()
    row = _TERMS if key in _TERM_KEYS else _SIBLING_OF[key]
    names = [name.lower() for name in row]

    def feast(shift: _Shift) -> str:
        step = 1 + shift.days % (len(row) - 1)
        new = row[(names.index(key) + step) % len(row)]
        new = new.replace("'", "’") if "’" in text else new
        return match_case(new, text[match.start("feast") : match.end("feast")])

    parts = [_Part(match.start("feast"), match.end("feast"), "feast", feast)]
    for digits in re.finditer(r"\d{4}|(?<=')\d\d|(?<=[-/])\d\d", match["year"]):
        start = match.start("year") + digits.start()
        year = _year(digits.group())

        def moved(shift: _Shift, old: str = digits.group(), year: int = year) -> str:
            return _like_year(old, year + shift.years)

        parts.append(_Part(start, start + len(digits.group()), "year", moved))
    return parts


def _special_parts(text: str, order: _Order, lang: str) -> list[_Part] | None:
    """A mention in one of the layouts that are not made of figures and names."""
    name = partial(_month_name, lang=lang)
    layout = special_layout(text, name, order.month_first)
    layout = layout or partial_layout(text, lang)
    if layout is None:
        return None
    made = layout

    def render(shift: _Shift) -> str:
        try:
            return made(shift)
        except (ValueError, OverflowError):
            raise ImpossibleDate from None

    return [_Part(0, len(text), "special", render)]


# Kind of a part that is all of a mention and has no season in it.
_AS_IT_IS = "plain"
# The layouts of most dates in English texts.
_PLAIN = re.compile(
    rf"(?:(?P<day>[1-9]|0[1-9]|[12]\d|3[01]) )?(?P<month>{'|'.join(MONTHS)})"
    r"(?: (?P<before>[1-9]|0[1-9]|[12]\d|3[01]),)? (?P<year>(?:1\d|20|21)\d\d)"
    r"|(?P<alone>(?:1\d|20|21)\d\d)",
    re.ASCII,
)
_MONTH_NUMBERS = {name: i for i, name in enumerate(MONTHS, 1)}


def _plain_parts(text: str) -> tuple[list[_Part] | None, datetime.date | None]:
    """What `_special_parts`, `parse` and `_near_by` give for the layouts of most dates,
    in a fraction of their time.

    text (str): The mention, of an English text.
    RETURNS (tuple): The parts, and the date's month if one is named; None for other
        layouts.
    """
    match = _PLAIN.fullmatch(text)
    if match is None:
        return None, None
    day, name, before, year, alone = match.groups()
    if alone is not None:
        base = int(alone)

        def moved_year(shift: _Shift) -> str:
            new = base + shift.years
            if not 1 <= new <= 9999:
                raise ImpossibleDate
            return str(new)

        return [_Part(0, 4, _AS_IT_IS, moved_year, (base,))], None
    month = _MONTH_NUMBERS[name]
    first = datetime.date(int(year), month, 1)
    figures = day or before
    if figures is None:
        months = 12 * int(year) + month - 1

        def moved_month(shift: _Shift) -> str:
            total = months + shift.months
            if not 12 <= total <= 119_999:
                raise ImpossibleDate
            return f"{MONTHS[total % 12]} {total // 12}"

        value: tuple[int, ...] = (int(year), month)
        return [_Part(0, len(text), _AS_IT_IS, moved_month, value)], first
    if day and before:
        return None, None
    try:
        date = datetime.date(int(year), month, int(figures))
    except ValueError:
        return None, None
    width = 2 if figures[0] == "0" else 1

    def moved(shift: _Shift) -> str:
        new = _moved(date, shift.days)
        number = str(new.day).zfill(width)
        if before:
            return f"{MONTHS[new.month - 1]} {number}, {new.year}"
        return f"{number} {MONTHS[new.month - 1]} {new.year}"

    value = (date.year, date.month, date.day)
    return [_Part(0, len(text), _AS_IT_IS, moved, value)], first


def _render(text: str, parts: Sequence[_Part], shift: _Shift, lang: str) -> str | None:
    out = []
    position = 0
    try:
        if parts[0].kind == _AS_IT_IS:
            return parts[0].render(shift)
        for part in parts:
            out += [text[position : part.start], part.render(shift)]
            position = part.end
    except ImpossibleDate:
        return None
    out.append(text[position:])
    return _swap_season("".join(out), shift, lang)


class _Seasons(NamedTuple):
    """The names of seasons in a language, and the row of each in lower case."""

    pattern: re.Pattern[str]
    rows: dict[str, tuple[str, ...]]


@cache
def _seasons(lang: str) -> _Seasons:
    # Of two rows with one name the first counts.
    rows = {name.lower(): row for row in reversed(_SEASONS[lang]) for name in row}
    return _Seasons(re.compile(rf"\b(?:{'|'.join(rows)})\b", re.I), rows)


def _swap_season(text: str, shift: _Shift, lang: str) -> str:
    """Spring, summer, autumn and winter move with the shift, in the text's language:
    German "Winter" is no English one."""
    step = round(shift.days / (_YEAR / 4)) % 4
    seasons = _seasons(lang)
    if not step or not seasons.pattern.search(text):
        return text

    def swap(match: re.Match[str]) -> str:
        row = seasons.rows[match.group().lower()]
        index = [name.lower() for name in row].index(match.group().lower())
        new = row[(index + step) % 4]
        return match_case(
            new.capitalize() if match.group()[0].isupper() else new, match.group()
        )

    return seasons.pattern.sub(swap, text)


def is_duration(text: str) -> bool:
    """Whether a text has a duration in it ("an 11-day stay")."""
    if len(text) > 200:
        return False
    for match in _DURATION.finditer(text):
        # "2011 года" is a year.
        if not (_FULL_YEAR.fullmatch(match["number"]) and match["unit"][:3] == "год"):
            return True
    return False


def _other(
    mention: Mention, parts: Sequence[_Part] | None, shift: _Shift, draws: Draws
) -> str:
    """Durations, vague expressions, and dates whose shift is refused."""
    text = mention.text
    key = normalise(text)
    rng = draws.random_for("date", key)
    if parts:
        found = draws.pick(
            _nudged(text, parts, shift, draws.lang), key, mention.before, 120
        )
        if found is not None:
            return found
    if is_duration(text):
        found = draws.pick(_durations(text, rng, draws.lang), key, mention.before, 60)
        if found is not None:
            return found
    if draws.lang != "en":
        return _other_abroad(mention, shift, draws, rng)
    if len(text) <= 200 and _COUNTED.match(text):
        found = draws.pick(_counted(text, rng), key, mention.before, 60)
        if found is not None:
            return found
    if len(text) <= 200 and _SOME_OF.search(text):
        swapped = (
            in_place_of(_SOME_OF.sub(item, text), mention)
            for item in shuffled(_SOME, rng)
        )
        found = draws.pick(swapped, key, mention.before)
        if found is not None:
            return found
    group = _SIBLING_OF.get(key.replace("’", "'"), ())
    if key in _FEASTS:
        found = draws.pick(
            (in_place_of(item, mention) for item in shuffled(group, rng)),
            key,
            mention.before,
            len(group),
        )
        if found is not None:
            return found
    if len(text) <= 200 and _FIGURES.search(text):
        # Numbers of other kinds: the form stays, so that the sentence does.
        found = draws.pick(_reshaped(text, shift, rng), key, mention.before, 60)
        if found is not None:
            return found
    # One that is glued to the mention counts, too.
    vague = _VAGUE_AFTER.get(last_word(f"{mention.before} "), ())
    capitals = text.isupper() and sum(ch.isalpha() for ch in text) > 3
    plain = any(ch.isdecimal() for ch in text)
    for pool in (group, vague or _VAGUE_AFTER[""], _THEN):
        candidates = (
            item.upper()
            if capitals
            else (item if plain else in_place_of(item, mention))
            for item in shuffled(pool, rng)
            if item.lower() != key
        )
        found = draws.pick(candidates, key, mention.before, len(pool))
        if found is not None:
            return found
    return draws.invent("date", key, mention.before, text)


def _other_abroad(
    mention: Mention, shift: _Shift, draws: Draws, rng: random.Random
) -> str:
    """As `_other`, in German, Spanish or Russian."""
    text, lang = mention.text, draws.lang
    key = normalise(text)
    rows = COUNTS_ABROAD[lang]

    def candidates() -> Iterator[str]:
        if len(text) > 200:
            return
        for row in rows:
            pattern = rf"\b(?:{'|'.join(row)})\b"
            if re.search(pattern, text, re.I):
                for word in shuffled(row, rng):
                    new = re.sub(pattern, word, text, flags=re.I)
                    yield new[:1].upper() + new[1:] if text[:1].isupper() else new
        for pair in listed(_ONES_ABROAD[lang]):
            one, _, many = pair.partition(":")
            pattern = rf"\b{one}\b"
            if re.search(pattern, text, re.I):
                for word in shuffled(rows[0][:3], rng):
                    new = re.sub(pattern, f"{word} {many}", text, flags=re.I)
                    yield new[:1].upper() + new[1:] if text[:1].isupper() else new
        for row in _SIBLINGS_ABROAD.get(lang, ()):
            if any(normalise(item) == key for item in row):
                for item in shuffled(row, rng):
                    yield in_place_of(item, mention) if item.islower() else item
        if any(ch.isdecimal() for ch in text):
            yield from _reshaped_figures(text, shift, rng, lang)
        vague = _VAGUE_ABROAD[lang]
        pools = (vague.get(last_word(f"{mention.before} "), ()), vague[""])
        for pool in pools:
            for item in shuffled(pool, rng):
                yield in_place_of(item, mention)

    found = draws.pick(candidates(), key, tries=90)
    return found or draws.invent("date", key, like=text)


def _reshaped_figures(
    text: str, shift: _Shift, rng: random.Random, lang: str
) -> Iterator[str]:
    """Other figures in the same layout, so that no unit has to change its form."""

    def number(match: re.Match[str]) -> str:
        digits = match.group()
        made = _possible(match, shift, rng) or _day_of(match, rng)
        if made:
            return made
        if _FULL_YEAR.fullmatch(digits):
            return str(int(digits) + shift.years)
        if match.group("ordinal"):
            return digits
        if len(digits) > 9 or digits[0] == "0":
            return re.sub(r"\d", lambda _: rng.choice("123456789"), digits)
        return str(same_form(int(digits), rng, lang))

    for _ in range(30):
        yield in_order(_EMBEDDED.sub(number, text), text)


def _nudged(
    text: str, parts: Sequence[_Part], shift: _Shift, lang: str
) -> Iterator[str]:
    """The same date a little further on: order may suffer, privacy does not."""
    for step in range(1, 61):
        for factor in (1, 31, 366):
            days = shift.days + step * factor * (1 if shift.days > 0 else -1)
            moved = _Shift(days, shift.minutes + 5 * step)
            result = _render(text, parts, moved, lang)
            if result is not None and result != text:
                yield result


def _possible(match: re.Match[str], shift: _Shift, rng: random.Random) -> str | None:
    """A date or time in figures that there is, for what looks like one; None for other
    figures. An impossible original gets a possible surrogate."""
    text = match.group()
    if match.group("clock"):
        try:
            return _new_time(text, shift)
        except ValueError:
            hour, *rest = text.split(":")
            new = str(rng.randint(10, 23) if len(hour) == 2 else rng.randint(1, 9))
            return ":".join([new, *(f"{rng.randint(0, 59):02d}" for _ in rest)])
    if match.group("iso"):
        try:
            return _moved(datetime.date.fromisoformat(text), shift.days).isoformat()
        except ValueError:
            pass
    elif not match.group("dmy"):
        return None

    def part(digits: re.Match[str]) -> str:
        old = digits.group()
        if len(old) == 4:
            return str(min(9999, max(1000, int(old) + shift.years)))
        third = len(re.findall(r"\D", text[: digits.start()])) == 2
        if third and match.group("dmy"):
            return f"{rng.randint(0, 99):02d}"
        # Day or month: both are right up to 12.
        new = rng.randint(1, 9) if len(old) == 1 else rng.randint(1, 12)
        return f"{new:0{len(old)}d}"

    return re.sub(r"\d+", part, text)


def _day_of(match: re.Match[str], rng: random.Random) -> str:
    """A day that every month has, for a number beside the name of one ("31 February");
    "" for other numbers."""
    number = match.group()
    digits = re.match(r"\d+", number)
    if digits is None or len(digits.group()) > 2:
        return ""
    around = re.findall(r"[^\W\d_]{3,}", match.string)
    if not any(
        w.lower() in _MONTH_INDEX or w.lower() in _MONTHS_ABROAD for w in around
    ):
        return ""
    old = digits.group()
    if old[0] == "0" or len(old) == 1:
        day = rng.randint(1, 9)
    else:
        day = rng.randint(10, 28)
    text = f"{day:0{len(old)}d}"
    if number != old:
        text += match_case(ordinal_suffix(day), number[-2:])
    return text


def _reshaped(text: str, shift: _Shift, rng: random.Random) -> Iterator[str]:
    """Other numbers in the same layout: years, dates and times in it move, names give
    way to other words."""
    attempt = 0

    def number(match: re.Match[str]) -> str:
        digits = match.group()
        made = _possible(match, shift, rng) or _day_of(match, rng)
        if made:
            return made
        if match.group("ordinal"):
            new = new_count(int(digits[:-2]), rng, attempt // 10)
            return f"{new}{match_case(ordinal_suffix(new), digits[-2:])}"
        if _FULL_YEAR.fullmatch(digits):
            return str(int(digits) + shift.years)
        return re.sub(
            r"\d",
            lambda m: rng.choice("123456789" if m.group() != "0" else "0123456789"),
            digits,
        )

    def word(match: re.Match[str]) -> str:
        old = match.group()
        key = old.lower()
        if _ORDINAL_END.match(match.string, max(match.start() - 1, 0)):
            return old
        if len(old) == 1:
            # A letter may be an original by itself.
            return old if attempt < 20 else match_case(rng.choice("BCDFGHKLM"), old)
        if key in _FRAME or key in _UNITS or key in _PLURALS or key in _ROOMS:
            return old
        if key in _MONTH_INDEX:
            new = (_MONTH_INDEX[key] + (shift.months % 12 or 5)) % 12
            return _like_name(old, new, MONTHS)
        if key in _DAY_INDEX:
            new = (_DAY_INDEX[key] + shift.days) % 7
            return _like_name(old, new, WEEKDAYS)
        if old.isupper() and len(old) < 6:
            return "".join(rng.choice("BCDFGHKLMNPRSTVW") for _ in old)
        return match_case(invent_word(rng), old)

    while attempt < 60:
        attempt += 1
        new = in_order(_EMBEDDED.sub(number, text), text)
        yield re.sub(r"[^\W\d_]+", word, new)


def _counted(text: str, rng: random.Random) -> Iterator[str]:
    """Another number of whatever is counted ("three seasons")."""
    match = _COUNTED.match(text)
    assert match is not None
    value = read_words(match.group())
    for wider in range(60):
        if value is not None:
            new = new_count(max(2, value), rng, wider)
            yield in_words(new, like=match.group()) + text[match.end() :]


_HOURS_ABROAD = frozenset("часов часа час stunden stunde horas hora h".split())


def _durations(text: str, rng: random.Random, lang: str = "en") -> Iterator[str]:
    """The same phrase with other numbers of like size, or another unit for one."""

    def replace(match: re.Match[str]) -> str:
        number, unit = match.group("number"), match.group("unit")
        value = int(number) if number.isdecimal() else read_words(number)
        if number.isdecimal() or value is not None:
            assert value is not None
            gap = match.group("gap")
            if value <= 1 and unit.lower() in UNITS_ABROAD and lang == "en":
                return str(rng.randint(2, 5)) + gap + unit
            if value <= 1 and lang == "en":
                base = _PLURALS.get(unit.lower(), unit.lower())
                other = match_case(_NEIGHBOUR.get(base, "week"), unit)
                if unit.lower() in _PLURALS and unit.lower().endswith("s"):
                    other += "s"
                return number + gap + other
            new = new_count(value, rng)
            if lang != "en":
                hours = unit.lower() in _HOURS_ABROAD and value <= 24
                new = same_form(value, rng, lang, 1, 24 if hours else 10**9)
                if count_form(new, lang) != count_form(value, lang):
                    new = rng.randint(2, 4)
                    unit = plural_unit(unit, lang)
            if match.group("again"):
                gap = gap.replace(match.group("again"), str(new))
            if number.isdecimal():
                return str(new) + gap + unit
            return in_words(new, like=number) + gap + unit
        return re.sub(r"\d", lambda m: rng.choice("123456789"), match.group())

    while True:
        yield with_articles(_DURATION.sub(replace, text))
