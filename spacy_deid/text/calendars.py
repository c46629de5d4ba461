"""Names of months and weekdays in many languages, and the calendar's arithmetic.

The tables hold the Unicode CLDR's names without full stops, a row for each style (full
name or genitive, abbreviation), and spellings in use beside them.
"""

from __future__ import annotations

from collections.abc import Iterable

MONTHS: dict[str, tuple[str, ...]] = {
    "en": (
        "january february march april may june july august september october "
        "november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "january february march april may june july august sept october november "
        "december",
    ),
    "de": (
        "januar februar märz april mai juni juli august september oktober "
        "november dezember",
        "jan feb märz apr mai juni juli aug sept okt nov dez",
        "jan feb mär apr mai jun jul aug sep okt nov dez",
        "jänner feber märz april mai juni juli august sept oktober november dezember",
    ),
    "fr": (
        "janvier février mars avril mai juin juillet août septembre octobre "
        "novembre décembre",
        "janv févr mars avr mai juin juil août sept oct nov déc",
        "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    ),
    "es": (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre "
        "noviembre diciembre",
        "ene feb mar abr may jun jul ago sept oct nov dic",
        "enero febrero marzo abril mayo junio julio agosto setiembre octubre "
        "noviembre diciembre",
        "ene feb mar abr may jun jul ago sep oct nov dic",
    ),
    "it": (
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre "
        "ottobre novembre dicembre",
        "gen feb mar apr mag giu lug ago set ott nov dic",
    ),
    "nl": (
        "januari februari maart april mei juni juli augustus september oktober "
        "november december",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "jan feb maart apr mei jun jul aug sept okt nov dec",
    ),
    "pt": (
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro "
        "novembro dezembro",
        "jan fev mar abr mai jun jul ago set out nov dez",
    ),
    "ru": (
        "января февраля марта апреля мая июня июля августа сентября октября "
        "ноября декабря",
        "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь "
        "декабрь",
        "янв февр мар апр мая июн июл авг сент окт нояб дек",
        "янв февр март апр май июнь июль авг сент окт нояб дек",
        "январе феврале марте апреле мае июне июле августе сентябре октябре "
        "ноябре декабре",
        "январю февралю марту апрелю маю июню июлю августу сентябрю октябрю "
        "ноябрю декабрю",
        "январём февралём мартом апрелем маем июнем июлем августом сентябрём октябрём "
        "ноябрём декабрём",
    ),
    "sv": (
        "januari februari mars april maj juni juli augusti september oktober "
        "november december",
        "jan feb mars apr maj juni juli aug sep okt nov dec",
    ),
    "nb": (
        "januar februar mars april mai juni juli august september oktober "
        "november desember",
        "jan feb mars apr mai juni juli aug sep okt nov des",
        "jan feb mar apr mai jun jul aug sep okt nov des",
    ),
    "da": (
        "januar februar marts april maj juni juli august september oktober "
        "november december",
        "jan feb mar apr maj jun jul aug sep okt nov dec",
    ),
    "fi": (
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta "
        "heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
        "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu "
        "syyskuu lokakuu marraskuu joulukuu",
        "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
    ),
    "pl": (
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września "
        "października listopada grudnia",
        "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień "
        "październik listopad grudzień",
        "sty lut mar kwi maj cze lip sie wrz paź lis gru",
        "styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu "
        "październiku listopadzie grudniu",
    ),
    "cs": (
        "ledna února března dubna května června července srpna září října "
        "listopadu prosince",
        "leden únor březen duben květen červen červenec srpen září říjen listopad "
        "prosinec",
        "led úno bře dub kvě čvn čvc srp zář říj lis pro",
        "lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu "
        "listopadu prosinci",
    ),
    "hu": (
        "január február március április május június július augusztus szeptember "
        "október november december",
        "jan febr márc ápr máj jún júl aug szept okt nov dec",
    ),
    "tr": (
        "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
        "oca şub mar nis may haz tem ağu eyl eki kas ara",
    ),
    "uk": (
        "січня лютого березня квітня травня червня липня серпня вересня жовтня "
        "листопада грудня",
        "січень лютий березень квітень травень червень липень серпень вересень "
        "жовтень листопад грудень",
        "січ лют бер квіт трав черв лип серп вер жовт лист груд",
    ),
    "ro": (
        "ianuarie februarie martie aprilie mai iunie iulie august septembrie "
        "octombrie noiembrie decembrie",
        "ian feb mar apr mai iun iul aug sept oct nov dec",
    ),
    "el": (
        "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου "
        "σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
        "ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος "
        "σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος",
        "ιαν φεβ μαρ απρ μαΐ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
        "ιαν φεβ μάρ απρ μάι ιούν ιούλ αύγ σεπ οκτ νοέ δεκ",
    ),
    "et": (
        "jaanuar veebruar märts aprill mai juuni juuli august september oktoober "
        "november detsember",
        "jaan veebr märts apr mai juuni juuli aug sept okt nov dets",
    ),
    "lt": (
        "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo "
        "spalio lapkričio gruodžio",
        "sausis vasaris kovas balandis gegužė birželis liepa rugpjūtis rugsėjis "
        "spalis lapkritis gruodis",
        "saus vas kov bal geg birž liep rugp rugs spal lapkr gruod",
    ),
    "lv": (
        "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris "
        "oktobris novembris decembris",
        "janv febr marts apr maijs jūn jūl aug sept okt nov dec",
    ),
    "hr": (
        "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna "
        "listopada studenoga prosinca",
        "siječanj veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan "
        "listopad studeni prosinac",
        "sij velj ožu tra svi lip srp kol ruj lis stu pro",
    ),
    "sl": (
        "januar februar marec april maj junij julij avgust september oktober "
        "november december",
        "jan feb mar apr maj jun jul avg sep okt nov dec",
    ),
    "sk": (
        "januára februára marca apríla mája júna júla augusta septembra októbra "
        "novembra decembra",
        "január február marec apríl máj jún júl august september október november "
        "december",
        "jan feb mar apr máj jún júl aug sep okt nov dec",
    ),
    "bg": (
        "януари февруари март април май юни юли август септември октомври ноември "
        "декември",
        "яну фев март апр май юни юли авг сеп окт ное дек",
    ),
    "is": (
        "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember "
        "desember",
        "jan feb mar apr maí jún júl ágú sep okt nóv des",
    ),
    "ca": (
        "gener febrer març abril maig juny juliol agost setembre octubre novembre "
        "desembre",
        "gen febr març abr maig juny jul ag set oct nov des",
    ),
}
WEEKDAYS: dict[str, tuple[str, ...]] = {
    "en": (
        "monday tuesday wednesday thursday friday saturday sunday",
        "mon tue wed thu fri sat sun",
        "mon tues wed thurs fri sat sun",
        "mon tue weds thur fri sat sun",
    ),
    "de": (
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "mo di mi do fr sa so",
        "montag dienstag mittwoch donnerstag freitag sonnabend sonntag",
    ),
    "fr": (
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "lun mar mer jeu ven sam dim",
    ),
    "es": (
        "lunes martes miércoles jueves viernes sábado domingo",
        "lun mar mié jue vie sáb dom",
    ),
    "it": (
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "lun mar mer gio ven sab dom",
    ),
    "nl": (
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "ma di wo do vr za zo",
    ),
    "pt": (
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado "
        "domingo",
        "seg ter qua qui sex sáb dom",
        "segunda terça quarta quinta sexta sábado domingo",
    ),
    "ru": (
        "понедельник вторник среда четверг пятница суббота воскресенье",
        "пн вт ср чт пт сб вс",
        "понедельник вторник среду четверг пятницу субботу воскресенье",
        "понедельника вторника среды четверга пятницы субботы воскресенья",
        "понедельникам вторникам средам четвергам пятницам субботам воскресеньям",
    ),
    "sv": (
        "måndag tisdag onsdag torsdag fredag lördag söndag",
        "mån tis ons tors fre lör sön",
    ),
    "nb": (
        "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "man tir ons tor fre lør søn",
    ),
    "da": (
        "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "man tirs ons tors fre lør søn",
    ),
    "fi": (
        "maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina "
        "sunnuntai",
        "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
        "ma ti ke to pe la su",
    ),
    "pl": (
        "poniedziałek wtorek środa czwartek piątek sobota niedziela",
        "pon wt śr czw pt sob niedz",
    ),
    "cs": (
        "pondělí úterý středa čtvrtek pátek sobota neděle",
        "po út st čt pá so ne",
    ),
    "hu": (
        "hétfő kedd szerda csütörtök péntek szombat vasárnap",
        "h k sze cs p szo v",
    ),
    "tr": (
        "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
        "pzt sal çar per cum cmt paz",
    ),
    "uk": (
        "понеділок вівторок середа четвер п'ятниця субота неділя",
        "пн вт ср чт пт сб нд",
    ),
    "ro": (
        "luni marți miercuri joi vineri sâmbătă duminică",
        "lun mar mie joi vin sâm dum",
    ),
    "el": (
        "δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή",
        "δευ τρί τετ πέμ παρ σάβ κυρ",
    ),
    "et": ("esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev",),
    "lt": (
        "pirmadienis antradienis trečiadienis ketvirtadienis penktadienis "
        "šeštadienis sekmadienis",
    ),
    "lv": (
        "pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena svētdiena",
        "pirmd otrd trešd ceturtd piektd sestd svētd",
    ),
    "hr": (
        "ponedjeljak utorak srijeda četvrtak petak subota nedjelja",
        "pon uto sri čet pet sub ned",
    ),
    "sl": (
        "ponedeljek torek sreda četrtek petek sobota nedelja",
        "pon tor sre čet pet sob ned",
    ),
    "sk": ("pondelok utorok streda štvrtok piatok sobota nedeľa",),
    "bg": (
        "понеделник вторник сряда четвъртък петък събота неделя",
        "пн вт ср чт пт сб нд",
    ),
    "is": (
        "mánudagur þriðjudagur miðvikudagur fimmtudagur föstudagur laugardagur "
        "sunnudagur",
        "mán þri mið fim fös lau sun",
    ),
    "ca": ("dilluns dimarts dimecres dijous divendres dissabte diumenge",),
}
_UNITS = {
    "de": "jahre jahren jahr monate monaten monat wochen woche tage tagen tag stunden "
    "stunde minuten",
    "fr": "ans mois semaines semaine jours jour heures minutes",
    "es": "años año meses mes semanas semana días día horas minutos",
    "it": "anni anno mesi mese settimane settimana giorni giorno ore minuti",
    "nl": "jaar jaren maanden maand weken dagen uren uur minuten",
    "pt": "anos ano dias dia horas",
    "ru": "лет год года месяцев месяца недель недели дней дня часов часа минут",
}
# Words for units of time beside the English ones.
UNITS_ABROAD = tuple(dict.fromkeys(" ".join(_UNITS.values()).split()))

LANGUAGES = tuple(MONTHS)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def check_languages(languages: Iterable[str]) -> tuple[str, ...]:
    """Languages that there are names for, English first.

    languages (Iterable[str]): ISO 639-1 codes.
    RETURNS (tuple[str, ...]): The codes, without repeats.
    RAISES (ValueError): If there are no names for one of them.
    """
    if isinstance(languages, str):
        raise ValueError("languages must be a list of codes")
    codes = dict.fromkeys(("en", *languages))
    unknown = [code for code in codes if code not in MONTHS]
    if unknown:
        raise ValueError(
            f"no names of months for {', '.join(map(repr, unknown))}; there are some "
            f"for {', '.join(LANGUAGES)}"
        )
    return tuple(codes)


def month_index(languages: Iterable[str] = LANGUAGES) -> dict[str, int]:
    """Numbers of the months by their lower-cased names.

    languages (Iterable[str]): ISO 639-1 codes.
    RETURNS (dict[str, int]): 1 to 12 by name; the first language's meaning counts.
    """
    return _index(MONTHS, tuple(languages))


def weekday_index(languages: Iterable[str] = LANGUAGES) -> dict[str, int]:
    """Numbers of the weekdays by their lower-cased names.

    languages (Iterable[str]): ISO 639-1 codes.
    RETURNS (dict[str, int]): 1 (Monday) to 7 by name.
    """
    return _index(WEEKDAYS, tuple(languages))


def full_names(table: dict[str, tuple[str, ...]], language: str) -> set[str]:
    """Names that are no abbreviations.

    table (dict[str, tuple[str, ...]]): `MONTHS` or `WEEKDAYS`.
    language (str): ISO 639-1 code.
    RETURNS (set[str]): Lower-cased names.
    """
    rows = [row.split() for row in table[language]]
    # The first row has full names; others with names about as long have them too.
    size = sum(map(len, rows[0]))
    return {n for row in rows if sum(map(len, row)) > 0.75 * size for n in row}


def names_like(
    table: dict[str, tuple[str, ...]], word: str, capital: bool = True
) -> tuple[str, ...] | None:
    """All names in the language and style of one of them.

    table (dict[str, tuple[str, ...]]): `MONTHS` or `WEEKDAYS`.
    word (str): A lower-cased name.
    capital (bool): Whether it is written with a capital letter; German names are.
    RETURNS (Optional[tuple[str, ...]]): The row it stands in; None if it is in none.
    """
    for language, rows in table.items():
        if language == "de" and not capital:
            continue
        for row in rows:
            names = tuple(row.split())
            if word in names:
                return names
    return None if capital else names_like(table, word)


def _index(
    table: dict[str, tuple[str, ...]], languages: Iterable[str]
) -> dict[str, int]:
    out: dict[str, int] = {}
    for language in languages:
        for row in table[language]:
            for number, name in enumerate(row.split(), 1):
                out.setdefault(name, number)
    return out


def leap(year: int) -> bool:
    """Whether a year of the Gregorian calendar has a 29 February.

    year (int): The year.
    RETURNS (bool): Whether it has.
    """
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def is_day(day: int, month: int, year: int | None = None) -> bool:
    """Whether a day is in the calendar.

    day (int): Day of the month.
    month (int): Month, 1 to 12.
    year (Optional[int]): Year with all its digits, if known.
    RETURNS (bool): Whether there is such a day.
    """
    if not (1 <= month <= 12 and 1 <= day <= _DAYS[month - 1]):
        return False
    return (month, day) != (2, 29) or year is None or leap(year)
