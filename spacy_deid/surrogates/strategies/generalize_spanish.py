"""Generalization in Spanish: nouns of the gender that the article before them has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...lang.base import LanguagePack, last_word, pack_of
from ...text.names import FEMALE
from ..base import Mention
from .generalize import (
    decades,
    in_sentence,
    is_finer_than_year,
    read_code,
    read_years,
)
from .generalize_local import (
    HEALTH,
    TEACHING,
    TITLED,
    about,
    age_of,
    home_of_people,
    is_continent,
    organisation_kind,
    read_place_in,
    term_found,
    where,
)

_MASCULINE = frozenset("el un del al este ese aquel".split())
_FEMININE = frozenset("la una esta esa aquella".split())
_DETERMINER = (
    _MASCULINE | _FEMININE | frozenset("los las unos unas su sus mi mis".split())
)
_TAKES_YEAR = frozenset("en de desde hasta a entre y antes después hacia año".split())
# The plainer first, then one of the other gender.
_ORGANISATIONS = {
    "hospital": ("un hospital", "una clínica"),
    "university": ("una universidad", "un centro universitario"),
    "school": ("un centro escolar", "una escuela"),
    "bank": ("un banco", "una entidad bancaria"),
    "court": ("un tribunal", "una instancia judicial"),
    "law firm": ("un bufete", "una firma legal"),
    "authority": ("un organismo público", "una institución pública"),
    "party": ("un partido", "una formación política"),
    "church": ("una iglesia", "un templo"),
    "newspaper": ("un periódico", "una publicación"),
    "club": ("una asociación", "un club"),
    "company": ("una empresa", "un negocio"),
    "broadcaster": ("una emisora", "un canal"),
    "agency": ("una agencia",),
    "international": ("una organización internacional", "un organismo internacional"),
    "parliament": ("un parlamento", "una cámara"),
}
_PLACES = {
    "city": ("una ciudad", "un municipio"),
    "country": ("un país", "una nación"),
    "region": ("una región", "un territorio"),
}
_CODES = {
    "EMAIL": "una dirección de correo",
    "URL": "una dirección web",
    "DOMAIN": "una dirección web",
    "PHONE": "un número de teléfono",
    "IBAN": "un número de cuenta",
    "ACCOUNT": "un número de cuenta",
    "CARD": "un número de tarjeta",
    "PASSPORT": "un número de pasaporte",
    "TAX_ID": "un número fiscal",
    "CASE_NUMBER": "un número de expediente",
    "USERNAME": "un nombre de usuario",
}
_OF_CONTINENTS = {
    "Europe": "europe",
    "Asia": "asiátic",
    "Africa": "african",
    "North America": "american",
    "South America": "sudamerican",
    "Oceania": "oceánic",
}
_ENDINGS = {"m": "o", "f": "a", "ms": "os", "fs": "as"}


def _pack() -> LanguagePack:
    pack = pack_of("es")
    assert pack is not None
    return pack


def _nouns(phrases: tuple[str, ...], mention: Mention, rest: str = "") -> Iterator[str]:
    """Noun phrases that fit the article before the mention."""
    last = last_word(mention.before)
    tail = f" {rest}" if rest else ""
    if last not in _DETERMINER:
        yield in_sentence(phrases[0] + tail, mention)
        return
    for phrase in phrases:
        article, _, noun = phrase.partition(" ")
        fits = _FEMININE if article == "una" else _MASCULINE
        if last in fits or last not in _MASCULINE | _FEMININE:
            yield noun + tail
            return


def spanish(mention: Mention, gender: str) -> Iterator[str]:
    """Spanish phrases for a mention; see `generalize.english`."""
    from ..kinds import kind_of

    kind = kind_of(mention)
    make = _MAKERS.get(kind)
    if make is not None:
        yield from make(mention, gender)
    if kind not in ("DATETIME", "AGE"):
        yield from _nouns(("un dato", "una circunstancia"), mention)
    yield from _nouns(("una cosa", "un asunto"), mention)


def _person(mention: Mention, gender: str) -> Iterator[str]:
    if TITLED.search(mention.before):
        yield "N. N."
    if gender:
        yield from _nouns(
            ("una mujer",) if gender == FEMALE else ("un hombre",), mention
        )
    yield from _nouns(("una persona", "un individuo"), mention)


def _place(mention: Mention, gender: str) -> Iterator[str]:
    last = last_word(mention.before)
    place = read_place_in(mention, _pack())
    if place.kind == "address":
        if place.town:
            if last == "en" or re.search(r"[:\n]\s*$|^$", mention.before):
                yield place.town
            else:
                yield from _nouns((f"una dirección de {place.town}",), mention)
        for rest in where(place.home, _pack()):
            yield from _nouns(("una dirección", "un domicilio"), mention, rest)
    elif place.kind in _PLACES:
        for rest in where(place.home, _pack()):
            if place.kind == "country" and rest and not is_continent(rest, "es"):
                continue
            yield from _nouns(_PLACES[place.kind], mention, rest)
    elif place.kind == "postcode":
        yield from _nouns(("un código postal",), mention)
    yield from _nouns(("un lugar", "una zona"), mention)


def _when(mention: Mention, gender: str) -> Iterator[str]:
    last = last_word(mention.before)
    years = read_years(mention.text)
    if len(years) == 1 and is_finer_than_year(mention.text):
        if last == "el":
            yield f"año {years[0]}"
        elif last in _TAKES_YEAR or not last:
            yield str(years[0])
        else:
            yield f"en {years[0]}"
    if years:
        decade = decades(years)[0]
        if last in ("en", "desde", "hasta", "de"):
            yield f"la década de {decade}"
        elif last == "la":
            yield f"década de {decade}"
    if last == "en":
        yield "cierto momento"
    else:
        yield from _nouns(("un momento", "una ocasión"), mention)
    yield in_sentence("algún tiempo", mention)


def _age(mention: Mention, gender: str) -> Iterator[str]:
    last = last_word(mention.before)
    age = age_of(mention)
    if age is not None and re.match(r"\s+años", mention.after):
        yield f"unos {round(age, -1):.0f}"
    elif age is not None and age < 18:
        yield "menor de edad"
    elif age is not None:
        number = f"unos {int(age) // 10 * 10} años largos"
        yield number if last in ("de", "tiene", "con") else f"de {number}"
    yield "de cierta edad" if last != "de" else "cierta edad"


def _organisation(mention: Mention, gender: str) -> Iterator[str]:
    found = organisation_kind(mention, _pack())
    if found:
        yield from _nouns(_ORGANISATIONS[found], mention)
    yield from _nouns(("una organización", "un organismo"), mention)


def _code(mention: Mention, gender: str) -> Iterator[str]:
    found = _CODES.get(read_code(mention))
    if found:
        yield from _nouns((found,), mention)
    yield from _nouns(("un identificador", "una clave"), mention)


def _amount(mention: Mention, gender: str) -> Iterator[str]:
    yield about(mention, "unos", ".")
    yield from _nouns(("una cierta cantidad", "un cierto importe"), mention)


def _form(text: str, keys: tuple[str, ...]) -> str:
    """Whether a word is masculine or feminine, singular or plural: a key of _ENDINGS."""
    for key in keys:
        if key in _ENDINGS:
            return key
    many = "s" if re.search(r"[aeiouáéíóú]s$|es$", text) else ""
    return ("f" if re.search(r"as?$", text) else "m") + many


def _term(mention: Mention, gender: str) -> Iterator[str]:
    text = mention.text
    found = term_found(mention, _pack())
    row = found.lexeme.row if found else ""
    form = _form(text, found.keys if found else ())
    subtype = row.split(":")[1] if row.startswith("term:") else mention.subtype
    many = form[1:]
    ending = _ENDINGS[form]
    if row == "adj" and found is not None:
        home = home_of_people(found.lexeme.home, _pack())
        if home.continent:
            yield _OF_CONTINENTS[home.continent] + ending
        foreign = found.lexeme.home != _pack().home
        yield ("extranjer" if foreign else "determinad") + ending
        return
    if subtype == "OCCUPATION":
        if HEALTH.search(text):
            yield f"profesional{'es' * bool(many)} sanitari{ending}"
        elif TEACHING.search(text):
            yield f"docente{many}"
        yield "profesionales" if many else "profesional"
    elif subtype == "DISEASE":
        yield from _nouns(("una enfermedad", "un padecimiento"), mention)
    elif subtype == "LANGUAGE":
        yield from _nouns(("un idioma", "una lengua"), mention)
    elif subtype == "FAMILY":
        status = re.search(r"(?:ad|solter|viud)[oa]s?$", text)
        yield (
            "de cierto estado civil" if status else "familiares" if many else "familiar"
        )
    elif subtype == "RELIGION":
        yield f"creyente{many}"
    elif subtype in ("GENDER", "ETHNICITY"):
        yield "personas" if many else "persona"
    if re.search(r"[^\W\d_]{4,}\s+$", mention.before) and text.islower():
        # Behind its noun: "una mujer soltera".
        yield "determinad" + ending
    yield from _nouns(("un dato", "una circunstancia"), mention)


_MAKERS = {
    "PERSON": _person,
    "LOC": _place,
    "DATETIME": _when,
    "AGE": _age,
    "ORG": _organisation,
    "CODE": _code,
    "QUANTITY": _amount,
    "DEM": _term,
}
