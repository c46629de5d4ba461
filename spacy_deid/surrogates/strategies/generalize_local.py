"""What generalization in German, Spanish and Russian has in common: where places lie,
what organisations and terms are, ages and amounts. Each language has a module of its own
for how that is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from ...lang.base import LanguagePack
from ...lang.inflection import Found, key_of
from ...text.names import fold
from ..base import Mention
from ..frame import NAME
from .generalize import (
    _NOWHERE,
    Home,
    Place,
    _world,
    home_named,
    in_figures,
    read_age,
    read_figure,
    read_organisation,
    read_place,
    rounded,
)

CONTINENTS = {
    "Europe": {"de": "Europa", "es": "Europa", "ru": "Европе"},
    "Asia": {"de": "Asien", "es": "Asia", "ru": "Азии"},
    "Africa": {"de": "Afrika", "es": "África", "ru": "Африке"},
    "North America": {
        "de": "Nordamerika",
        "es": "América del Norte",
        "ru": "Северной Америке",
    },
    "South America": {
        "de": "Südamerika",
        "es": "América del Sur",
        "ru": "Южной Америке",
    },
    "Oceania": {"de": "Ozeanien", "es": "Oceanía", "ru": "Океании"},
}
_IN = {"de": "in", "es": "de", "ru": "в"}
TITLED = re.compile(
    r"\b(?:Herrn?|Frau|Dr|Prof|Professor(?:in)?|Dra|Sra?|Sres|D|Dª|Don|Doña|señora?"
    r"|профессор\w{0,2}|доктор\w{0,2}|господин\w{0,2}|госпож\w{1,2}|г-н\w?|г-ж\w|д-р)\.?\s+$",
    re.I,
)
# Folded words of organisations' names -> what they are.
_ORGANISATIONS = (
    ("hospital", "klinik|krankenhaus|klinikum|hospital|clinic|больниц|клиник|госпитал"),
    ("university", "universitat|hochschule|universi|университет|институт|академи"),
    (
        "school",
        "schule|gymnasium|colegio|escuela|instituto|школ|гимнази|лице|колледж",
    ),
    ("bank", "bank|sparkasse|banco|caja|банк"),
    ("court", "gericht|juzgado|tribunal|audiencia|(?<!\\w)суд"),
    ("law firm", "kanzlei|rechtsanwalt|abogad|bufete|адвокат"),
    (
        "authority",
        "ministeri|amt|behorde|polizei|verwaltung|policia|ayuntamiento|министерств|полици"
        "|департамент|прокуратур|администрац|управлени",
    ),
    ("party", "partei|partido|парти[яиюей]"),
    ("church", "kirche|pfarr|iglesia|parroquia|церков|церкв|храм"),
    ("newspaper", "zeitung|periodico|diario|газет"),
    ("club", "verein|verband|bund|club|klub|asociacion|federacion|ассоциаци|союз|клуб"),
    ("company", "gmbh|ag|kg|ug|ohg|sa|sl|sau|slu|ооо|оао|зао|пао"),
)
# First of a row of the lexicons' organisations -> what all of it are.
_ROWS_OF = {
    "CDU": "party",
    "PSOE": "party",
    "Grünen": "party",
    "ARD": "broadcaster",
    "dpa": "agency",
    "ИТАР-ТАСС": "agency",
    "EU": "international",
    "UEFA": "international",
    "ООН": "international",
    "ФИФА": "international",
    "МВД": "authority",
    "правительство": "authority",
    "полиция": "authority",
    "Polizei": "authority",
    "Guardia Civil": "authority",
    "Bundesministerium der Finanzen": "authority",
    "МГУ": "university",
    "Facultad de Medicina": "university",
    "IBM": "company",
    "Siemens": "company",
    "Pfizer": "company",
    "Facebook": "company",
    "Spiegel": "newspaper",
    "Bundestag": "parliament",
    "Госдума": "parliament",
    "Bundesgerichtshof": "court",
    "Landgericht": "court",
    "Tribunal Supremo": "court",
    "Hospital General": "hospital",
    "Sparkasse": "bank",
}
HEALTH = re.compile(
    r"(?i)arzt|ärzt|pflege|schwester|hebamme|apothek|kardiolog|psycholog|chirurg|sanität"
    r"|enfermer|médic|farmac|psicólog|ciruj|odont|dentist|matrona|celador|terapeut"
    r"|врач|хирург|терапевт|стоматолог|педиатр|кардиолог|фармацевт|фельдшер|психолог|невролог"
    r"|медсестр|санитар|акушер"
)
TEACHING = re.compile(
    r"(?i)lehrer|erzieh|professor|pädagog|dozent|profesor|maestr|docente|catedrátic"
    r"|учител|преподавател|воспитател|педагог|лектор|репетитор"
)
_CITY_ROWS = ("country", "city", "region")


def read_place_in(mention: Mention, pack: LanguagePack) -> Place:
    """What a place is and where it lies, by a language's own words for places, else by
    the English ones.

    mention (Mention): Mention of a place.
    pack (LanguagePack): The language.
    RETURNS (Place): With empty parts for what is not known.
    """
    text = mention.text.strip()
    if mention.subtype in ("POSTCODE", "COORDINATES"):
        return read_place(mention)
    digits = any(ch.isdecimal() for ch in text)
    if mention.subtype == "ADDRESS" or (digits and NAME.search(text)):
        return _read_address(mention, pack)
    pieces = [p.strip() for p in re.split(r"[,;()]", text) if p.strip()]
    if len(pieces) > 1:
        first = _known_place(pieces[0], pack) or read_place(
            mention._replace(text=pieces[0], before="", after="")
        )
        if first.kind not in ("", "city", "region"):
            return first
        last = _known_place(pieces[-1], pack)
        homes = home_named(pieces[-1])
        home = last.home if last is not None else _NOWHERE
        if last is None and len(homes) == 1:
            home = homes[0]
        return Place(first.kind or "city", home, "")
    return _known_place(text, pack) or read_place(mention)


def _known_place(text: str, pack: LanguagePack) -> Place | None:
    """A place of the lexicon, or a country."""
    found = pack.lexicon().in_row(text, _CITY_ROWS)
    names = pack.english_names
    if found:
        kind = found[0].lexeme.row.partition(":")[0]
        homes = {_home(names.get(key_of(f.lexeme.home), "")) for f in found}
        return Place(kind, _common(homes), "")
    english = names.get(key_of(text))
    return Place("country", _home(english), "") if english else None


def _home(english: str) -> Home:
    return _world().countries.get(fold(english), _NOWHERE)


def _common(homes: set[Home]) -> Home:
    """What several homes have in common."""
    if len(homes) == 1:
        return next(iter(homes))
    continents = {home.continent for home in homes}
    return Home("", "", continents.pop()) if len(continents) == 1 else _NOWHERE


def _read_address(mention: Mention, pack: LanguagePack) -> Place:
    """Town and country of an address: the last that is known, never its street."""
    text = mention.text
    pieces = re.split(r"[,;\n]", text)
    for i in range(len(pieces) - 1, -1, -1):
        piece = pieces[i]
        street = pack.street.search(piece) is not None
        if i == 0 and len(pieces) > 1 and (street or any(map(str.isdecimal, piece))):
            break
        words = list(NAME.finditer(piece))
        for size in range(min(4, len(words)), 0, -1):
            for start in range(len(words) - size, -1, -1):
                begin, end = words[start].start(), words[start + size - 1].end()
                part = piece[begin:end]
                if not part[:1].isupper() or (street and start == 0 and not i):
                    continue
                found = pack.lexicon().in_row(part, ("city",))
                if found:
                    names = pack.english_names
                    homes = {_home(names.get(key_of(f.lexeme.home), "")) for f in found}
                    return Place("address", _common(homes), part)
    if text.isascii() or not pack.adjectives_of_towns:
        return read_place(mention._replace(subtype="ADDRESS"))
    return Place("address", _NOWHERE, "")


def where(home: Home, pack: LanguagePack) -> Iterator[str]:
    """Where something lies, the more telling first: "in Norwegen", "in Europa".

    home (Home): Its country and continent.
    pack (LanguagePack): The language.
    YIELDS (str): To stand behind a noun; the last is empty.
    """
    country = pack.within(home.country) if home.country else ""
    if country:
        yield country
    if home.continent:
        yield f"{_IN[pack.lang]} {CONTINENTS[home.continent][pack.lang]}"
    yield ""


def is_continent(text: str, lang: str) -> bool:
    """Whether what says where a place lies is a continent: "in Europa", "в Азии".

    text (str): With the preposition, or "".
    lang (str): Code of its language.
    RETURNS (bool): False for "".
    """
    name = text.removeprefix(f"{_IN[lang]} ")
    return any(name == row[lang] for row in CONTINENTS.values())


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    out = []
    for kind, words in _ORGANISATIONS:
        short = all(len(word) < 5 for word in words.split("|"))
        # Legal forms are words of their own, others may be part of one.
        pattern = rf"(?<!\w)(?:{words})(?!\w)" if short else rf"(?:{words})"
        out.append((kind, re.compile(pattern)))
    return out


def organisation_kind(mention: Mention, pack: LanguagePack) -> str:
    """What an organisation is: "hospital", "court", "company" and so on, or "".

    mention (Mention): Mention of an organisation.
    pack (LanguagePack): The language.
    RETURNS (str): A key of the languages' tables.
    """
    key = fold(mention.text)
    for found in pack.lexicon().in_row(mention.text, ("term:ORG",)):
        row = pack.lexicon().rows[found.lexeme.row]
        if row[0].name in _ROWS_OF:
            return _ROWS_OF[row[0].name]
    for kind, pattern in _patterns():
        if pattern.search(key):
            return kind
    # Names in English, or of companies known everywhere.
    return "company" if read_organisation(mention) == "a company" else ""


def term_found(mention: Mention, pack: LanguagePack) -> Found | None:
    """What a demographic term is in the lexicon; None if it is not there.

    mention (Mention): Mention of a term.
    pack (LanguagePack): The language.
    RETURNS (Optional[Found]): Its word, with the likely keys of its form first.
    """
    every = pack.lexicon().find(mention.text)
    rows = ("adj", "man", "woman", "term:")
    found = [f for f in every if f.lexeme.row.startswith(rows)]
    if mention.subtype:
        own = f":{mention.subtype}:"
        found.sort(key=lambda f: own not in f.lexeme.row)
    if not found:
        return None
    best = found[0]
    keys = best.keys
    if best.lexeme.row == "adj":
        keys = pack.agree(keys, mention.after)
    return best._replace(keys=pack.narrow(keys, mention.before))


def home_of_people(country: str, pack: LanguagePack) -> Home:
    """Where a nationality of the lexicon is at home.

    country (str): A country's name in the language.
    pack (LanguagePack): The language.
    RETURNS (Home): Of the English tables.
    """
    return _home(pack.english_names.get(key_of(country), ""))


_LIST = re.compile(
    r"(?<=\s)(?:[A-ZÄÖÜА-ЯЁ][\w-]+(?:,\s{1,3}|\s{1,3}(?:und|oder|sowie|и|или)\s{1,3}))+$"
)


def without_list(before: str) -> str:
    """The text before a list of names that a mention ends: "aus Oslo, Wien und " is
    "aus ", which all of it stands after.

    before (str): Text before a mention.
    RETURNS (str): The same without names that a comma or "and" joins to the mention.
    """
    return _LIST.sub("", before)


def about(mention: Mention, word: str, separator: str) -> str:
    """The mention with its only number rounded; "" if that tells as much.

    mention (Mention): An amount.
    word (str): "etwa".
    separator (str): What stands between thousands.
    RETURNS (str): "etwa 5.000 Euro".
    """
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
    return f"{word} {mention.text[:start]}{figure}{mention.text[end:]}"


def age_of(mention: Mention) -> float | None:
    """An age in years by its figures; None if there is none."""
    if re.search(r"\b(?:Monat|Woche|Tag|mes|semana|día|месяц|недел|дн)", mention.text):
        return 0.0
    return read_age(re.sub(r"[^\d]+", " ", mention.text))


def makers() -> dict[str, Callable[[Mention, str], Iterator[str]]]:
    """What makes phrases for a mention and a gender, by language."""
    from .generalize_german import german
    from .generalize_russian import russian
    from .generalize_spanish import spanish

    return {"de": german, "es": spanish, "ru": russian}
