"""Generalization in German, Spanish and Russian: tables of kinds, years, decades."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..names import FEMALE, MALE, fold
from .base import Mention, last_word
from .generalize import (
    decades,
    in_figures,
    in_sentence,
    is_finer_than_year,
    read_age,
    read_code,
    read_figure,
    read_organisation,
    read_place,
    read_years,
    rounded,
)

_CONTINENTS = {
    "Europe": ("Europa", "Europa", "Европе"),
    "Asia": ("Asien", "Asia", "Азии"),
    "Africa": ("Afrika", "África", "Африке"),
    "North America": ("Nordamerika", "América del Norte", "Северной Америке"),
    "South America": ("Südamerika", "América del Sur", "Южной Америке"),
    "Oceania": ("Ozeanien", "Oceanía", "Океании"),
}
# Kind of code -> German, Spanish, Russian (a key of the cases, or a noun).
_CODES = {
    "EMAIL": ("E-Mail-Adresse", "una dirección de correo", "адрес"),
    "URL": ("Internetadresse", "una dirección web", "адрес"),
    "DOMAIN": ("Internetadresse", "una dirección web", "адрес"),
    "PHONE": ("Telefonnummer", "un número de teléfono", "номер"),
    "IBAN": ("Kontonummer", "un número de cuenta", "номер"),
    "ACCOUNT": ("Kontonummer", "un número de cuenta", "номер"),
    "CARD": ("Kartennummer", "un número de tarjeta", "номер"),
    "PASSPORT": ("Passnummer", "un número de pasaporte", "номер"),
    "TAX_ID": ("Steuernummer", "un número fiscal", "номер"),
    "CASE_NUMBER": ("Aktennummer", "un número de expediente", "номер"),
    "USERNAME": ("Benutzerkennung", "un nombre de usuario", "имя"),
}
# Folded words of organisations' names -> German, Spanish, Russian.
_ORGANISATIONS: tuple[tuple[str, str, str, str], ...] = (
    (
        "klinik|krankenhaus|klinikum|hospital|clinic|больниц|клиник",
        "Klinik",
        "un hospital",
        "больница",
    ),
    (
        "universitat|hochschule|universi|университет|институт",
        "Hochschule",
        "una universidad",
        "организация",
    ),
    (
        "schule|gymnasium|colegio|escuela|instituto|школ|гимнази|лице",
        "Schule",
        "un centro escolar",
        "школа",
    ),
    ("bank|sparkasse|banco|caja|банк", "Bank", "un banco", "организация"),
    (
        "gericht|juzgado|tribunal|audiencia|суд",
        "Gerichtsbehörde",
        "un tribunal",
        "организация",
    ),
    (
        "kanzlei|rechtsanwalt|abogad|bufete|адвокат",
        "Kanzlei",
        "un bufete",
        "организация",
    ),
    (
        "ministeri|amt|behorde|polizei|policia|ayuntamiento|министерств|полици|департамент",
        "Behörde",
        "un organismo público",
        "организация",
    ),
    ("partei|partido|партия", "Partei", "un partido", "партия"),
    (
        "kirche|pfarr|iglesia|parroquia|церковь|храм",
        "Kirchengemeinde",
        "una iglesia",
        "организация",
    ),
    ("zeitung|periodico|diario|газет", "Zeitung", "un periódico", "газета"),
    (
        "gmbh|ag|kg|ug|ohg|sa|sl|sau|slu|ооо|оао|зао|пао",
        "Firma",
        "una empresa",
        "компания",
    ),
)


def _organisation(mention: Mention, language: int) -> str:
    key = fold(mention.text)
    for pattern, *nouns in _ORGANISATIONS:
        short = all(len(p) < 5 for p in pattern.split("|"))
        edge = r"(?!\w)" if short else ""
        if re.search(
            rf"(?<!\w)\w*(?:{pattern}){edge}"
            if not short
            else rf"(?<!\w)(?:{pattern}){edge}",
            key,
        ):
            return nouns[language]
    # Names in English, or of companies known everywhere.
    if read_organisation(mention) == "a company":
        return _ORGANISATIONS[-1][language + 1]
    return ""


def _round(mention: Mention, about: str, separator: str) -> str:
    """The mention with its only number rounded; "" if that tells as much."""
    found = list(
        re.finditer(
            r"\d{1,3}(?:[.\u00a0 ]\d{3})+(?!\d)(?:,\d+)?|\d+(?:,\d+)?", mention.text
        )
    )
    if len(found) != 1:
        return ""
    value = read_figure(found[0].group())
    near = rounded(value)
    if near == value or re.search(r"[^\W\d_]", mention.text[: found[0].start()]):
        return ""
    figure = in_figures(near, separator)
    start, end = found[0].span()
    return f"{about} {mention.text[:start]}{figure}{mention.text[end:]}"


# --- German: every noun but two is feminine, so that only the dative shows ---

_DE_DATIVE = frozenset(
    "mit bei von zu nach aus seit in an auf gegenüber unter vor".split()
)
_DE_DETERMINER = frozenset(
    "der die das dem den des ein eine einer einem einen zur zum vom beim im am "
    "seine ihre seiner ihrer diese dieser jene keine".split()
)
_DE_TENS = (
    "Zwanzigern Dreißigern Vierzigern Fünfzigern Sechzigern Siebzigern Achtzigern "
    "Neunzigern"
).split()


def german(mention: Mention, gender: str) -> Iterator[str]:
    """German phrases for a mention; see `generalize.english`."""
    last = last_word(mention.before)

    def noun(word: str, neuter: bool = False) -> str:
        if last in _DE_DETERMINER:
            return word
        dative = last in _DE_DATIVE
        article = (
            ("einem" if dative else "ein")
            if neuter
            else ("einer" if dative else "eine")
        )
        return in_sentence(f"{article} {word}", mention)

    from .english import kind_of

    kind = kind_of(mention)
    if kind == "PERSON":
        if gender == FEMALE:
            yield noun("Frau")
        yield noun("Person")
    elif kind == "LOC":
        place = read_place(mention)
        continent = _CONTINENTS.get(place.home.continent, ("",))[0]
        where = f" in {continent}" if continent else ""
        if place.kind == "address":
            if place.town:
                yield place.town if last == "in" else noun(f"Adresse in {place.town}")
            yield noun("Adresse")
        elif place.kind == "country":
            yield noun("Land" + where, neuter=True)
            yield noun("Land", neuter=True)
        elif place.kind == "city":
            yield noun("Stadt" + where)
            yield noun("Stadt")
        elif place.kind == "postcode":
            yield noun("Postleitzahl")
        yield noun("Gegend")
    elif kind == "DATETIME":
        years = read_years(mention.text)
        if len(years) == 1 and is_finer_than_year(mention.text):
            if last == "am":
                yield f"besagten Tag des Jahres {years[0]}"
            elif last in ("im", "zum"):
                yield f"Jahr {years[0]}"
            else:
                yield str(years[0])
        if years:
            spoken = f"{decades(years)[0]}er"
            if last in ("in", "den", "seit", "aus", "vor", "im", "am"):
                article = "" if last in ("den", "im", "am") else "den "
                if last in ("in", "den", "seit", "aus", "vor"):
                    yield f"{article}{spoken} Jahren"
            elif last != "jahr":
                yield in_sentence(f"die {spoken} Jahre", mention)
        if last == "am":
            yield "besagten Tag"
        elif last in ("im", "zum"):
            yield "besagten Zeitraum"
        yield in_sentence("einige Zeit", mention)
        yield in_sentence("irgendwann", mention)
    elif kind == "AGE":
        age = _age(mention)
        ending = re.search(r"jährig(\w*)$", mention.text)
        if ending:
            stem = "minderjährig" if age is not None and age < 18 else "erwachsen"
            yield stem + ending.group(1)
        elif age is not None and re.match(r"\s+(?:Jahre|alt)\b", mention.after):
            unit = " Jahre" if mention.after.startswith(" alt") else ""
            yield f"etwa {round(age, -1):.0f}{unit}"
        elif age is not None and 20 <= age < 100:
            yield f"in den {_DE_TENS[int(age) // 10 - 2]}"
        elif age is not None and age < 18:
            yield "minderjährig"
        yield "in einem gewissen Alter"
    elif kind == "ORG":
        found = _organisation(mention, 0)
        if found:
            yield noun(found)
        yield noun("Organisation")
    elif kind == "CODE":
        yield noun(_CODES.get(read_code(mention), ("Kennung",))[0])
        yield noun("Kennung")
    elif kind == "QUANTITY":
        yield _round(mention, "etwa", ".")
        yield noun("gewisse Menge" if last not in _DE_DATIVE else "gewissen Menge")
    else:
        yield noun("Angabe")
    yield noun("Sache")


def _age(mention: Mention) -> float | None:
    if re.search(r"\b(?:Monat|Woche|Tag|mes|semana|día|месяц|недел|дн)", mention.text):
        return 0.0
    return read_age(re.sub(r"[^\d]+", " ", mention.text))


# --- Spanish ---

_ES_DETERMINER = frozenset(
    "el la los las un una unos unas su sus este esta ese esa aquel aquella del al".split()
)
_ES_TAKES_YEAR = frozenset(
    "en de desde hasta a entre y antes después hacia año".split()
)


def spanish(mention: Mention, gender: str) -> Iterator[str]:
    """Spanish phrases for a mention; see `generalize.english`."""
    last = last_word(mention.before)

    def noun(phrase: str) -> str:
        if last in _ES_DETERMINER:
            return re.sub(r"^una? ", "", phrase)
        return in_sentence(phrase, mention)

    from .english import kind_of

    kind = kind_of(mention)
    if kind == "PERSON":
        if gender:
            yield noun("una mujer" if gender == FEMALE else "un hombre")
        yield noun("una persona")
    elif kind == "LOC":
        place = read_place(mention)
        continent = _CONTINENTS.get(place.home.continent, ("", ""))[1]
        where = f" de {continent}" if continent else ""
        if place.kind == "address":
            if place.town:
                yield (
                    place.town
                    if last == "en"
                    else noun(f"una dirección de {place.town}")
                )
            yield noun("una dirección")
        elif place.kind == "country":
            yield noun("un país" + where)
            yield noun("un país")
        elif place.kind == "city":
            yield noun("una ciudad" + where)
            yield noun("una ciudad")
        elif place.kind == "postcode":
            yield noun("un código postal")
        yield noun("un lugar")
    elif kind == "DATETIME":
        years = read_years(mention.text)
        if len(years) == 1 and is_finer_than_year(mention.text):
            if last == "el":
                yield f"año {years[0]}"
            elif last in _ES_TAKES_YEAR or not last:
                yield str(years[0])
            else:
                yield f"en {years[0]}"
        if years:
            decade = decades(years)[0]
            if last in ("en", "desde", "hasta", "de"):
                yield f"la década de {decade}"
            elif last == "la":
                yield f"década de {decade}"
        yield noun("un momento") if last != "en" else "cierto momento"
        yield in_sentence("algún tiempo", mention)
    elif kind == "AGE":
        age = _age(mention)
        if age is not None and re.match(r"\s+años", mention.after):
            yield f"unos {round(age, -1):.0f}"
        elif age is not None and age < 18:
            yield "menor de edad"
        elif age is not None:
            number = f"unos {int(age) // 10 * 10} años largos"
            yield number if last in ("de", "tiene", "con") else f"de {number}"
        yield "de cierta edad" if last != "de" else "cierta edad"
    elif kind == "ORG":
        found = _organisation(mention, 1)
        if found:
            yield noun(found)
        yield noun("una organización")
    elif kind == "CODE":
        yield noun(_CODES.get(read_code(mention), ("", "un identificador"))[1])
        yield noun("un identificador")
    elif kind == "QUANTITY":
        yield _round(mention, "unos", ".")
        yield noun("una cierta cantidad")
    else:
        yield noun("un dato")
    yield noun("una cosa")


# --- Russian: the preposition before decides the case ---

_CASES = ("nom", "gen", "dat", "acc", "ins", "loc")
_NOUNS = {
    row.split()[0]: dict(zip(_CASES, row.split()))
    for row in (
        "человек человека человеку человека человеком человеке",
        "женщина женщины женщине женщину женщиной женщине",
        "мужчина мужчины мужчине мужчину мужчиной мужчине",
        "город города городу город городом городе",
        "страна страны стране страну страной стране",
        "место места месту место местом месте",
        "адрес адреса адресу адрес адресом адресе",
        "организация организации организации организацию организацией организации",
        "компания компании компании компанию компанией компании",
        "больница больницы больнице больницу больницей больнице",
        "школа школы школе школу школой школе",
        "партия партии партии партию партией партии",
        "газета газеты газете газету газетой газете",
        "номер номера номеру номер номером номере",
        "имя имени имени имя именем имени",
        "вещь вещи вещи вещь вещью вещи",
        "индекс индекса индексу индекс индексом индексе",
        "время времени времени время временем времени",
        "количество количества количеству количество количеством количестве",
    )
}
_CASE_AFTER = {
    **dict.fromkeys(
        "из от до у без для около после против среди кроме вокруг".split(), "gen"
    ),
    **dict.fromkeys("к ко по благодаря согласно".split(), "dat"),
    **dict.fromkeys("с со перед над под между за".split(), "ins"),
    **dict.fromkeys("в во на о об обо при".split(), "loc"),
    **dict.fromkeys("про через сквозь".split(), "acc"),
}


def russian(mention: Mention, gender: str) -> Iterator[str]:
    """Russian phrases for a mention; see `generalize.english`."""
    last = last_word(mention.before)
    case = _CASE_AFTER.get(last, "nom")

    def noun(word: str, rest: str = "") -> str:
        return in_sentence(_NOUNS[word][case] + rest, mention)

    from .english import kind_of

    kind = kind_of(mention)
    if kind == "PERSON":
        if gender == FEMALE:
            yield noun("женщина")
        elif gender == MALE:
            yield noun("мужчина")
        yield noun("человек")
    elif kind == "LOC":
        place = read_place(mention)
        continent = _CONTINENTS.get(place.home.continent, ("", "", ""))[2]
        where = f" в {continent}" if continent else ""
        if place.kind == "address":
            yield noun("адрес")
        elif place.kind in ("country", "city"):
            word = "страна" if place.kind == "country" else "город"
            yield noun(word, where)
            yield noun(word)
        elif place.kind == "postcode":
            yield noun("индекс")
        yield noun("место")
    elif kind == "DATETIME":
        years = read_years(mention.text)
        tail = "" if re.match(r"\s+г(?:од|\.)", mention.after) else None
        if len(years) == 1 and is_finer_than_year(mention.text):
            if tail is not None:
                yield (
                    str(years[0])
                    if last in ("в", "с", "до", "после")
                    else (f"в {years[0]}")
                )
            elif last in ("в", "во"):
                yield f"{years[0]} году"
            elif case == "gen" or last == "с":
                yield f"{years[0]} года"
            elif last in ("к", "по"):
                yield f"{years[0]} году"
            else:
                yield in_sentence(f"в {years[0]} году", mention)
        if years and tail is None:
            spoken = f"{decades(years)[0]}-е годы"
            if last in ("в", "во"):
                yield spoken
            elif last not in _CASE_AFTER:
                yield in_sentence(f"в {spoken}", mention)
        if tail == "":
            some = {"loc": "некотором", "gen": "некоторого"}
            yield some.get(case, "некоторый")
        yield noun("время")
    elif kind == "AGE":
        age = _age(mention)
        if age is not None and re.match(r"\s+(?:лет|год)", mention.after):
            yield f"около {round(age, -1):.0f}"
        elif age is not None and age < 18:
            yield "до 18 лет"
        elif age is not None:
            yield f"за {int(age) // 10 * 10} лет"
        yield "в определённом возрасте"
    elif kind == "ORG":
        found = _organisation(mention, 2)
        if found:
            yield noun(found)
        yield noun("организация")
    elif kind == "CODE":
        yield noun(_CODES.get(read_code(mention), ("", "", "номер"))[2])
        yield noun("номер")
    elif kind == "QUANTITY":
        yield _round(mention, "около", "\u00a0")
        yield noun("количество")
    yield noun("вещь")


LANGUAGES: dict[str, Callable[[Mention, str], Iterator[str]]] = {
    "de": german,
    "es": spanish,
    "ru": russian,
}
