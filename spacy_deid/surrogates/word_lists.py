"""Words and examples for placeholders in German, Spanish and Russian; English has its own
in `strategies`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from .base import listed

# Subtype, or else semantic type -> examples; what is not here is the same in English.
EXEMPLARS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "de": {
        "PERSON": ("Max Mustermann", "Erika Mustermann", "Lieschen Müller"),
        "ORG": ("Musterfirma", "Beispielwerke", "Muster-Verein"),
        "LOC": ("Berlin", "Hamburg", "München"),
        "DEM": ("Lehrkraft", "Fachkraft", "Pflegekraft"),
        "DATETIME": ("1. Januar 2000", "2. Februar 2010", "Mittag"),
        "MISC": ("etwas", "Beispiel", "Muster"),
        "GIVEN_NAME": ("Max", "Erika", "Anna"),
        "FAMILY_NAME": ("Mustermann", "Müller", "Schmidt"),
        "ONE_NAME": ("Mustermann", "Müller", "Schmidt"),
        "EMAIL": ("max.mustermann@example.com", "erika.mustermann@example.org"),
        "ADDRESS": ("Musterstraße 1, 10115 Berlin", "Hauptstraße 1"),
        "COUNTRY": ("Deutschland", "Frankreich", "Italien"),
        "REGION": ("Bayern", "Hessen"),
        "TIME": ("12 Uhr", "Mitternacht"),
        "WEEKDAY": ("Montag", "Dienstag"),
        "DURATION": ("zwei Wochen", "drei Monate"),
        "MONEY": ("100 Euro", "50 Euro"),
        "PERCENT": ("50 %", "20 %"),
        "AGE": ("40 Jahre", "50 Jahre"),
        "NATIONALITY": ("deutsch", "italienisch", "französisch"),
        "RELIGION": ("katholisch", "buddhistisch"),
        "LANGUAGE": ("Deutsch", "Französisch"),
        "DISEASE": ("Grippe", "Asthma"),
        "COURT": ("Landgericht", "Amtsgericht"),
        "HOSPITAL": ("Stadtklinik", "Kreiskrankenhaus"),
        "SCHOOL": ("Stadtschule", "Volkshochschule"),
    },
    "es": {
        "PERSON": ("Juan Pérez", "María Gómez", "Ana López"),
        "ORG": ("Empresa Ejemplo", "Sociedad Modelo", "Grupo Muestra"),
        "LOC": ("Madrid", "Barcelona", "Valencia"),
        "DEM": ("docente", "profesional", "estudiante"),
        "DATETIME": ("1 de enero de 2000", "2 de febrero de 2010", "mediodía"),
        "MISC": ("algo", "ejemplo", "muestra"),
        "GIVEN_NAME": ("Juan", "María", "Ana"),
        "FAMILY_NAME": ("Pérez", "Gómez", "López"),
        "ONE_NAME": ("Pérez", "Gómez", "López"),
        "EMAIL": ("juan.perez@example.com", "maria.gomez@example.org"),
        "ADDRESS": ("Calle Mayor 1, 28013 Madrid", "Plaza Mayor 1"),
        "COUNTRY": ("España", "Francia", "Italia"),
        "REGION": ("Andalucía", "Galicia"),
        "TIME": ("las doce", "medianoche"),
        "WEEKDAY": ("lunes", "martes"),
        "DURATION": ("dos semanas", "tres meses"),
        "MONEY": ("100 euros", "50 euros"),
        "PERCENT": ("50 %", "20 %"),
        "AGE": ("40 años", "50 años"),
        "NATIONALITY": ("español", "italiano", "francés"),
        "RELIGION": ("católico", "budista"),
        "LANGUAGE": ("español", "francés"),
        "DISEASE": ("gripe", "asma"),
        "COURT": ("Tribunal Supremo", "Audiencia Nacional"),
        "HOSPITAL": ("Hospital General", "Hospital Provincial"),
        "SCHOOL": ("Escuela Modelo", "Colegio Mayor"),
    },
    "ru": {
        "PERSON": ("Иван Иванов", "Мария Петрова", "Анна Сидорова"),
        "ORG": ("ООО «Образец»", "ООО «Пример»", "АО «Ромашка»"),
        "LOC": ("Москва", "Париж", "Рим"),
        "DEM": ("учитель", "инженер", "специалист"),
        "DATETIME": ("1 января 2000 года", "2 февраля 2010 года", "полдень"),
        "MISC": ("нечто", "пример", "образец"),
        "GIVEN_NAME": ("Иван", "Мария", "Анна"),
        "FAMILY_NAME": ("Иванов", "Петров", "Сидоров"),
        "ONE_NAME": ("Иванов", "Петров", "Сидоров"),
        "EMAIL": ("ivan.ivanov@example.com", "maria.petrova@example.org"),
        "ADDRESS": ("Москва, ул. Садовая, д. 1", "ул. Лесная, д. 1"),
        "COUNTRY": ("Россия", "Франция", "Италия"),
        "REGION": ("Поволжье", "Карелия"),
        "TIME": ("полдень", "полночь"),
        "WEEKDAY": ("понедельник", "вторник"),
        "DURATION": ("две недели", "три месяца"),
        "MONEY": ("100 рублей", "50 рублей"),
        "PERCENT": ("50 %", "20 %"),
        "AGE": ("40 лет", "50 лет"),
        "NATIONALITY": ("русский", "итальянец", "француз"),
        "RELIGION": ("православный", "буддист"),
        "LANGUAGE": ("русский", "французский"),
        "DISEASE": ("грипп", "астма"),
        "COURT": ("Верховный суд", "городской суд"),
        "HOSPITAL": ("городская больница", "районная больница"),
        "SCHOOL": ("средняя школа", "педагогический институт"),
    },
}

# Words that may stand for one another: months, weekdays, numbers, units of time in each
# number, other units, relatives, titles.
_CLOSED = {
    "de": (
        "Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember",
        "Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag,Sonntag",
        "zwei,drei,vier,fünf,sechs,sieben,acht,neun,zehn,elf,zwölf,zwanzig,dreißig,vierzig",
        "Jahr,Monat,Tag",
        "Jahre,Monate,Tage,Wochen,Stunden",
        "Jahren,Monaten,Tagen,Wochen,Stunden",
        "Meter,Kilometer,Kilogramm,Liter,Tonnen",
        "Euro,Dollar,Franken,Pfund",
        "Mutter,Tochter,Schwester,Tante,Nichte,Ehefrau",
        "Vater,Sohn,Bruder,Onkel,Neffe,Ehemann",
    ),
    "es": (
        "enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,"
        "diciembre",
        "lunes,martes,miércoles,jueves,viernes,sábado,domingo",
        "dos,tres,cuatro,cinco,seis,siete,ocho,nueve,diez,once,doce,veinte,treinta",
        "año,mes,día",
        "años,meses,días",
        "semanas,horas,décadas",
        "metros,kilómetros,kilos,litros,toneladas",
        "euros,dólares,francos,pesos",
        "madre,hija,hermana,tía,sobrina,esposa",
        "padre,hijo,hermano,tío,sobrino,esposo",
    ),
    "ru": (
        "января,февраля,марта,апреля,мая,июня,июля,августа,сентября,октября,ноября,декабря",
        "январь,февраль,март,апрель,май,июнь,июль,август,сентябрь,октябрь,ноябрь,декабрь",
        "январе,феврале,марте,апреле,мае,июне,июле,августе,сентябре,октябре,ноябре,декабре",
        "понедельник,вторник,четверг",
        "среду,пятницу,субботу",
        "два,три,четыре",
        "пять,шесть,семь,восемь,девять,десять,двадцать,тридцать,сорок",
        "год,месяц,день",
        "года,месяца,дня",
        "лет,месяцев,дней,недель,часов",
        "метров,километров,килограммов,литров",
        "рублей,долларов,франков",
        "мать,дочь,сестра,тётя,жена",
        "отец,сын,брат,дядя,муж",
    ),
}
_COMMON = {
    "de": "Beispiel,Weg,Haus,Zeit,Teil,Wort,Blatt,Stück,Licht,Stein,Wasser,Garten,Fenster",
    "es": "ejemplo,camino,casa,parte,palabra,hoja,piedra,agua,jardín,ventana,puerta,mesa",
    "ru": "пример,дорога,дом,часть,слово,лист,камень,вода,сад,окно,дверь,стол,свет",
}
_TITLES = {"de": "Herr,Frau", "es": "Sr.,Sra.", "ru": "господин,госпожа"}


@dataclass(frozen=True)
class WordLists:
    """Words of a language by kind.

    names (tuple[str, ...]): Given names and surnames.
    places (tuple[str, ...]): Towns.
    countries (tuple[str, ...]): Countries.
    occupations (tuple[str, ...]): Occupations.
    demonyms (tuple[str, ...]): Nationals.
    organisations (tuple[str, ...]): Names of firms that are none.
    common (tuple[str, ...]): Other words.
    titles (tuple[str, ...]): Titles before a name.
    closed (tuple): Words and the list that they are of, for months, units and so on.
    """

    names: tuple[str, ...]
    places: tuple[str, ...]
    countries: tuple[str, ...]
    occupations: tuple[str, ...]
    demonyms: tuple[str, ...]
    organisations: tuple[str, ...]
    common: tuple[str, ...]
    titles: tuple[str, ...]
    closed: tuple[tuple[frozenset[str], tuple[str, ...]], ...]


# No list is longer than those of English names: ε is the same in all languages.
_MOST_NAMES = 1500
_LOCALES = {"de": "de_DE", "es": "es_ES", "ru": "ru_RU"}
_NAME_LISTS = (
    "first_names_male",
    "first_names_female",
    "last_names_male",
    "last_names",
)


def word_lists(lang: str) -> WordLists | None:
    """The words of a language; None for those that have none, and for English.

    lang (str): Code of a language.
    RETURNS (Optional[WordLists]): Made once.
    RAISES (StrategyError): If what the language needs is not installed.
    """
    return _made(lang[:2]) if lang[:2] in _LOCALES else None


@lru_cache(maxsize=len(_LOCALES))
def _made(lang: str) -> WordLists:
    from .languages import tongue_of

    provider = importlib.import_module(
        f"faker.providers.person.{_LOCALES[lang]}"
    ).Provider
    names: dict[str, None] = {}
    for attr in _NAME_LISTS:
        found = getattr(provider, attr, ())
        names.update(dict.fromkeys(str(n) for n in found if str(n).isalpha()))
    tongue = tongue_of(lang)
    assert tongue is not None
    rows = tongue.lexicon().rows

    def of(row: str) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(
                lexeme.name
                for name, lexemes in rows.items()
                if name.startswith(row)
                for lexeme in lexemes
                if lexeme.name.isalpha()
            )
        )

    return WordLists(
        names=tuple(sorted(names)[:: -(-len(names) // _MOST_NAMES)]),
        places=of("city"),
        countries=of("country"),
        occupations=of("term:OCCUPATION"),
        demonyms=of("man") or of("adj"),
        organisations=tuple(n for n in tongue.companies if n.isalpha()),
        common=listed(_COMMON[lang]),
        titles=listed(_TITLES[lang]),
        closed=tuple(
            (frozenset(word.casefold() for word in row), row)
            for row in map(listed, _CLOSED[lang])
        ),
    )
