"""Generalization in German: nouns that fit the article before them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...lang.base import LanguagePack, last_word, pack_of
from ...text.names import FEMALE, MALE
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
    without_list,
)

# A noun for each gender that there is one for; "p" for several.
Nouns = Mapping[str, str]

_DATIVE = frozenset(
    "mit bei von zu nach aus seit in an auf gegenüber unter vor".split()
)
_ACCUSATIVE = frozenset("für durch gegen ohne um".split())
# What stands before -> genders that may follow, and the case.
_DETERMINERS: dict[str, tuple[str, str]] = {
    **dict.fromkeys("im am zum beim vom dem diesem jenem jedem".split(), ("mn", "dat")),
    **dict.fromkeys("das dieses jenes jedes".split(), ("n", "")),
    **dict.fromkeys(["des"], ("mn", "gen")),
    **dict.fromkeys(["den", "diesen", "jenen", "jeden"], ("mp", "acc")),
    **dict.fromkeys(["zur"], ("f", "dat")),
    **dict.fromkeys(["die", "diese", "jede", "jene"], ("fp", "")),
    **dict.fromkeys(["dieser", "jener", "jeder"], ("mf", "")),
}
for _stem in "ein kein mein dein sein ihr unser euer".split():
    _DETERMINERS[_stem] = ("mn", "")
    _DETERMINERS[_stem + "e"] = ("fp", "")
    _DETERMINERS[_stem + "en"] = ("m", "acc")
    _DETERMINERS[_stem + "em"] = ("mn", "dat")
    _DETERMINERS[_stem + "er"] = ("f", "dat")
    _DETERMINERS[_stem + "es"] = ("mn", "gen")
_ARTICLES = {
    "": {"m": "ein", "f": "eine", "n": "ein"},
    "acc": {"m": "einen", "f": "eine", "n": "ein"},
    "dat": {"m": "einem", "f": "einer", "n": "einem"},
}
_FEMININE = re.compile(
    r"(?:ung|heit|keit|schaft|ei|ion|tät|bank|kasse|klinik|schule|behörde|firma|partei"
    r"|kirche|stelle|post|bahn|agentur|union|liga|in)$",
    re.I,
)
_MASCULINE = re.compile(
    r"(?:verein|verband|bund|rundfunk|konzern|dienst|rat|klub|club|hof|betrieb|er|eur|ist"
    r"|loge|ent)$",
    re.I,
)
_ORGANISATIONS: dict[str, Nouns] = {
    "hospital": {"f": "Klinik", "n": "Krankenhaus"},
    "university": {"f": "Hochschule", "n": "Lehrinstitut"},
    "school": {"f": "Schule", "n": "Lehrinstitut"},
    "bank": {"f": "Bank", "n": "Geldinstitut"},
    "court": {"n": "Gericht", "f": "Gerichtsbehörde", "m": "Gerichtshof"},
    "law firm": {"f": "Kanzlei", "n": "Anwaltsbüro"},
    "authority": {"f": "Behörde", "n": "Amt"},
    "party": {"f": "Partei", "n": "Parteibündnis"},
    "church": {"f": "Kirchengemeinde", "m": "Pfarrbezirk"},
    "newspaper": {"f": "Zeitung", "n": "Blatt"},
    "club": {"m": "Verein", "f": "Vereinigung", "n": "Bündnis"},
    "company": {"f": "Firma", "n": "Unternehmen", "m": "Betrieb"},
    "broadcaster": {"m": "Sender", "f": "Rundfunkanstalt"},
    "agency": {"f": "Agentur"},
    "international": {"f": "internationale Organisation"},
    "parliament": {"n": "Parlament", "f": "Volksvertretung"},
}
_ANY_ORGANISATION: Nouns = {"f": "Organisation", "n": "Haus", "m": "Träger"}
_PERSON: Nouns = {"f": "Person", "m": "Mensch", "p": "Personen"}
_PLACES: dict[str, Nouns] = {
    "city": {"f": "Stadt", "m": "Ort", "n": "Stadtgebiet"},
    "country": {"n": "Land", "m": "Staat", "f": "Nation", "p": "Gebiete"},
    "region": {"f": "Region", "n": "Gebiet", "m": "Landstrich"},
}
_ANYWHERE: Nouns = {"f": "Gegend", "m": "Ort", "n": "Gebiet", "p": "Gebiete"}
_THING: Nouns = {"f": "Sache", "m": "Umstand", "n": "Detail", "p": "Sachen"}
_CODES = {
    "EMAIL": "E-Mail-Adresse",
    "URL": "Internetadresse",
    "DOMAIN": "Internetadresse",
    "PHONE": "Telefonnummer",
    "IBAN": "Kontonummer",
    "ACCOUNT": "Kontonummer",
    "CARD": "Kartennummer",
    "PASSPORT": "Passnummer",
    "TAX_ID": "Steuernummer",
    "CASE_NUMBER": "Aktennummer",
    "USERNAME": "Benutzerkennung",
}
_TENS = (
    "Zwanzigern Dreißigern Vierzigern Fünfzigern Sechzigern Siebzigern Achtzigern "
    "Neunzigern"
).split()
_OF_CONTINENTS = {
    "Europe": "europäisch",
    "Asia": "asiatisch",
    "Africa": "afrikanisch",
    "North America": "amerikanisch",
    "South America": "südamerikanisch",
    "Oceania": "ozeanisch",
}
_ENDING = re.compile(r"[a-zäöüß]{2,}?(|e|er|en|em|es)")


def _pack() -> LanguagePack:
    pack = pack_of("de")
    assert pack is not None
    return pack


def _determined(mention: Mention) -> tuple[str, str] | None:
    """Genders that the word before a mention allows, and the case; None if it is none
    that does."""
    last = last_word(mention.before)
    if last != "der":
        return _DETERMINERS.get(last)
    head = re.search(r"([^\W\d_]+)\W*$", mention.text)
    word = head[1] if head else ""
    if _FEMININE.search(word):
        return "f", "dat"
    if _MASCULINE.search(word):
        return "m", ""
    before = re.sub(r"\S+\s+$", "", mention.before)
    prior = re.search(r"([^\W\d_]+)\s+$", before)
    # "bei der Post", "die Leiterin der Post".
    after = prior is not None and (prior[1] in _DATIVE or prior[1][:1].isupper())
    return ("f", "dat") if after else ("m", "")


def _noun(nouns: Nouns, mention: Mention, rest: str = "", bare: bool = False) -> str:
    """A noun with its article, or one that fits the word before; "" if none does."""
    found = _determined(mention)
    if found is None:
        gender, noun = next(iter(nouns.items()))
        last = last_word(mention.before)
        case = "dat" if last in _DATIVE else "acc" if last in _ACCUSATIVE else ""
        if not bare:
            adjective = noun[:1].islower()
            if adjective and case == "dat":
                first, _, tail = noun.partition(" ")
                noun = f"{first}n {tail}"
            noun = f"{_ARTICLES[case][gender]} {noun}"
        return in_sentence(noun + rest, mention)
    genders, case = found
    if last_word(mention.before) == "den" and re.search(
        r"\b(?:in|mit|bei|von|aus|zu|nach|seit) den\s+$", mention.before
    ):
        genders = "p"
    for gender, noun in nouns.items():
        if gender in genders:
            if noun == "Mensch" and case:
                noun += "en"
            elif case == "gen":
                noun += "es" if len(noun) < 5 else "s"
            elif gender == "p" and genders == "p" and noun[-1] != "n":
                noun += "n"
            return noun + rest
    return ""


def german(mention: Mention, gender: str) -> Iterator[str]:
    """German phrases for a mention; see `generalize.english`."""
    from ..kinds import kind_of

    kind = kind_of(mention)
    mention = mention._replace(before=without_list(mention.before))
    make = _MAKERS.get(kind)
    if make is not None:
        yield from make(mention, gender)
    if kind not in ("DATETIME", "AGE"):
        yield _noun(_THING, mention)
    yield _noun({"f": "Sache"}, mention) or "Sache"


def _person(mention: Mention, gender: str) -> Iterator[str]:
    if TITLED.search(mention.before):
        yield "N. N."
    if gender == FEMALE:
        yield _noun({"f": "Frau"}, mention)
    elif gender == MALE:
        yield _noun({"m": "Mann"}, mention)
    yield _noun(_PERSON, mention)


def _place(mention: Mention, gender: str) -> Iterator[str]:
    last = last_word(mention.before)
    place = read_place_in(mention, _pack())
    if place.kind == "address":
        if place.town:
            stands = last == "in" or re.search(r"[:\n]\s*$|^$", mention.before)
            yield (
                place.town
                if stands
                else _noun({"f": f"Adresse in {place.town}"}, mention)
            )
        for rest in where(place.home, _pack()):
            yield _noun({"f": f"Adresse {rest}".strip()}, mention)
    elif place.kind in _PLACES:
        nouns = _PLACES[place.kind]
        for rest in where(place.home, _pack()):
            # "in der Nation", not "in der Nation in Europa".
            plain = _determined(mention) is not None or not is_continent(rest, "de")
            if place.kind == "country" and rest and plain:
                continue
            yield _noun(nouns, mention, f" {rest}".rstrip())
    elif place.kind == "postcode":
        yield _noun({"f": "Postleitzahl"}, mention)
    yield _noun(_ANYWHERE, mention)


def _when(mention: Mention, gender: str) -> Iterator[str]:
    last = last_word(mention.before)
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
            if last not in ("im", "am"):
                article = "" if last == "den" else "den "
                yield f"{article}{spoken} Jahren"
        elif last != "jahr":
            yield in_sentence(f"die {spoken} Jahre", mention)
    if last == "am":
        yield "besagten Tag"
    elif last in ("im", "zum"):
        yield "besagten Zeitraum"
    yield in_sentence("einige Zeit", mention)
    yield in_sentence("irgendwann", mention)


def _age(mention: Mention, gender: str) -> Iterator[str]:
    age = age_of(mention)
    ending = re.search(r"jährig(\w*)$", mention.text)
    if ending:
        stem = "minderjährig" if age is not None and age < 18 else "erwachsen"
        yield stem + ending.group(1)
    elif age is not None and re.match(r"\s+(?:Jahre|alt)\b", mention.after):
        unit = " Jahre" if mention.after.startswith(" alt") else ""
        yield f"etwa {round(age, -1):.0f}{unit}"
    elif age is not None and 20 <= age < 100:
        yield f"in den {_TENS[int(age) // 10 - 2]}"
    elif age is not None and age < 18:
        yield "minderjährig"
    yield "in einem gewissen Alter"


def _organisation(mention: Mention, gender: str) -> Iterator[str]:
    found = organisation_kind(mention, _pack())
    if found:
        yield _noun(_ORGANISATIONS[found], mention)
    yield _noun(_ANY_ORGANISATION, mention)


def _code(mention: Mention, gender: str) -> Iterator[str]:
    yield _noun({"f": _CODES.get(read_code(mention), "Kennung")}, mention)
    yield _noun({"f": "Kennung", "n": "Kennzeichen", "m": "Code"}, mention)


def _amount(mention: Mention, gender: str) -> Iterator[str]:
    yield about(mention, "etwa", ".")
    dative = last_word(mention.before) in _DATIVE
    yield in_sentence(
        "einer gewissen Menge" if dative else "eine gewisse Menge", mention
    )


def _term(mention: Mention, gender: str) -> Iterator[str]:
    text = mention.text
    found = term_found(mention, _pack())
    row = found.lexeme.row if found else ""
    keys = found.keys if found else ()
    subtype = row.split(":")[1] if row.startswith("term:") else mention.subtype
    many = bool(set(keys) & {"pl", "n", "innen", "dat"}) and row != "adj"
    if row in ("adj", "man", "woman"):
        assert found is not None
        subtype = "NATIONALITY"
        foreign = found.lexeme.home != _pack().home
        if row == "adj":
            ending = keys[0].strip("-")
            home = home_of_people(found.lexeme.home, _pack())
            if home.continent:
                yield _OF_CONTINENTS[home.continent] + ending
            yield ("ausländisch" if foreign else "bestimmt") + ending
            return
        if foreign and row == "woman":
            yield (
                "Ausländerinnen"
                if many
                else _noun({"f": "Ausländerin"}, mention, bare=True)
            )
        elif foreign:
            yield "Ausländer" + "n" * (many and keys[0] == "dat")
    if subtype == "OCCUPATION" and not text[:1].islower():
        if many:
            yield "Fachleute"
        force = "Lehrkraft" if TEACHING.search(text) else "Fachkraft"
        rest = " im Gesundheitswesen" if HEALTH.search(text) else ""
        yield _noun({"f": force, "m": "Fachmann"}, mention, rest, bare=True)
    elif subtype == "DISEASE":
        yield _noun({"f": "Erkrankung", "n": "Leiden", "p": "Erkrankungen"}, mention)
    elif subtype == "LANGUAGE":
        yield _noun({"f": "Sprache", "n": "Sprachgebiet"}, mention)
    elif subtype == "FAMILY" and text[:1].isupper():
        yield _relative(mention)
    elif subtype == "FAMILY":
        yield "in bestimmtem Familienstand"
    elif subtype == "RELIGION" and text[:1].islower():
        ending = keys[0].strip("-") if keys else ""
        yield "gläubig" + ending
    elif subtype == "RELIGION" and many:
        yield "Gläubige" + "n" * (keys[0] in ("dat", "en"))
    if text[:1].isupper():
        yield _noun(_PERSON if found or subtype else {"f": "Angabe"}, mention)
        yield _noun(_PERSON, mention)
        return
    if re.match(r"\s+[A-ZÄÖÜ]", mention.after):
        # An adjective before its noun.
        match = _ENDING.fullmatch(text.rpartition(" ")[2])
        yield "bestimmt" + (match[1] if match else "")
    yield "in bestimmter Lage"


def _relative(mention: Mention) -> str:
    """ "seine Angehörige", "sein Angehöriger", "dem Angehörigen"."""
    found = _determined(mention)
    last = last_word(mention.before)
    female = bool(
        re.search(
            r"(?:in|frau|schwester|mutter|tante|nichte|tochter)$", mention.text.lower()
        )
    )
    if found is None:
        return "Angehörige" if female else "Angehöriger"
    if found[1]:
        return "Angehörigen"
    strong = not female and last not in ("der", "dieser", "jener", "jeder")
    return "Angehöriger" if strong else "Angehörige"


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
