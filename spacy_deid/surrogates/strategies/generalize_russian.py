"""Generalization in Russian: nouns in the case of what they replace."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...lang.base import LanguagePack, last_word, pack_of
from ...lang.inflection import key_of
from ...lang.ru.forms import (
    CASES,
    adjective_forms,
    fits_preposition,
    governed,
    multiword,
    narrowed,
    noun_forms,
    parses,
)
from ...lang.ru.persons import given_names, patronymic
from ...text.names import FEMALE, MALE
from ..base import Mention
from ..frame import NAME
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

_ORGANISATIONS = {
    "hospital": "больница",
    "university": "вуз",
    "school": "школа",
    "bank": "банк",
    "court": "суд",
    "law firm": "контора",
    "authority": "ведомство",
    "party": "партия",
    "church": "община",
    "newspaper": "газета",
    "club": "объединение",
    "company": "компания",
    "broadcaster": "телекомпания",
    "agency": "агентство",
    "international": "международная организация",
    "parliament": "парламент",
}
_PLACES = {"city": "город", "country": "страна", "region": "регион"}
_CODES = {
    "EMAIL": "адрес",
    "URL": "адрес",
    "DOMAIN": "адрес",
    "USERNAME": "имя",
}
_OF_CONTINENTS = {
    "Europe": "европейский",
    "Asia": "азиатский",
    "Africa": "африканский",
    "North America": "американский",
    "South America": "южноамериканский",
    "Oceania": "океанийский",
}
# First of a row of terms -> a word for all of it, in both numbers.
_ROWS = {
    "слесарь": "работник",
    "врач": "медик",
    "инженер": "специалист",
    "учитель": "педагог",
    "актёр": "специалист",
    "учительница": "сотрудница",
    "медсестра": "сотрудница",
    "депутат": "политик",
    "студент": "слушатель",
    "студентка": "слушательница",
    "пенсионер": "гражданин",
    "христианин": "человек",
    "жена": "родственница",
    "муж": "родственник",
    "мужчина": "человек",
    "женщина": "особа",
    "мальчик": "ребёнок",
}


def _pack() -> LanguagePack:
    pack = pack_of("ru")
    assert pack is not None
    return pack


def _cases(mention: Mention) -> tuple[str, ...]:
    """Cases that a mention may stand in, the likelier first: by its words, and by the
    preposition before."""
    asked = governed(mention.before)
    own: set[str] = set()
    for match in list(NAME.finditer(mention.text))[:4]:
        word = match.group()
        if len(word) < 2 or not re.fullmatch("[а-яё-]+", word, re.I):
            continue
        if mention.label == "PERSON":
            # The dictionary has "Анне" for a name that is not declined.
            given = {k for f in given_names().find(word) for k in f.keys}
            if given:
                own = own & given or own or given
                continue
        every = [p for p in parses(word.lower()) if p.tag.case in CASES]
        if any("Fixd" in p.tag for p in every[:1]):
            continue
        one = {p.tag.case for p in every if p.tag.number != "plur" and p.score > 0.01}
        found = one or {p.tag.case for p in every}
        own = own & found or own or found
    order = asked or ("nomn", "gent", "accs", "datv", "ablt")
    fitting = tuple(case for case in order if case in own)
    return fitting or order[:1]


def _noun(word: str, mention: Mention, rest: str = "", case: str = "") -> str:
    """A noun, or a noun with adjectives, in the case of the mention."""
    cases = (case,) if case else _cases(mention)
    forms = multiword(word)
    made = forms[cases[0]]
    tail = f" {rest}" if rest else ""
    return in_sentence(made + tail, mention)


def russian(mention: Mention, gender: str) -> Iterator[str]:
    """Russian phrases for a mention; see `generalize.english`."""
    from ..kinds import kind_of

    kind = kind_of(mention)
    mention = mention._replace(before=without_list(mention.before))
    make = _MAKERS.get(kind)
    if make is not None:
        yield from make(mention, gender)
    yield _noun("вещь", mention)
    yield _noun("сведение", mention)


def _person(mention: Mention, gender: str) -> Iterator[str]:
    if TITLED.search(mention.before):
        yield "Н. Н."
    cases = _cases(mention)
    gender = gender or _gender(mention.text)
    # "человека" is right for two cases, "мужчину" for one.
    if gender == FEMALE:
        yield _noun("женщина", mention)
    elif gender == MALE and not {"gent", "accs"} <= set(cases):
        yield _noun("мужчина", mention)
    yield _noun("человек", mention)


def _gender(text: str) -> str:
    for match in NAME.finditer(text):
        word = match.group()
        father = patronymic(word)
        if father is not None and father.feminine:
            return FEMALE
        rows = {f.lexeme.row[0] for f in given_names().find(word)}
        if len(rows) == 1:
            return FEMALE if rows == {"f"} else MALE
    return ""


def _place(mention: Mention, gender: str) -> Iterator[str]:
    place = read_place_in(mention, _pack())
    if place.kind == "address":
        if place.town:
            yield from _town_of_address(mention, place.town)
        for rest in where(place.home, _pack()):
            yield _noun("адрес", mention, rest)
    elif place.kind in _PLACES:
        for rest in where(place.home, _pack()):
            if place.kind == "country" and rest and not is_continent(rest, "ru"):
                continue
            yield _noun(_PLACES[place.kind], mention, rest)
    elif place.kind == "postcode":
        yield _noun("индекс", mention)
    yield _noun("место", mention)


def _town_of_address(mention: Mention, town: str) -> Iterator[str]:
    """The town of an address, behind a colon or "in" as it stands there."""
    found = _pack().lexicon().in_row(town, ("city",))
    # One in other letters is not declined.
    forms = found[0].lexeme.forms if found else dict.fromkeys(CASES, town)
    if re.search(r"[:\n]\s*$|^$", mention.before):
        yield forms["nomn"]
    if last_word(mention.before) in ("в", "во"):
        if fits_preposition(forms["loct"], mention.before):
            yield forms["loct"]
        return
    form = forms["loct"]
    inside = "в" if fits_preposition(form, "в ") else "во"
    yield _noun(
        "адрес", mention, f"{inside} {form}", "" if governed(mention.before) else "nomn"
    )


def _when(mention: Mention, gender: str) -> Iterator[str]:
    last = last_word(mention.before)
    years = read_years(mention.text)
    asked = governed(mention.before)
    follows = re.match(r"\s+г(?:од|\.)", mention.after) is not None
    if len(years) == 1 and is_finer_than_year(mention.text):
        if follows:
            stands = last in ("в", "с", "до", "после")
            yield str(years[0]) if stands else f"в {years[0]}"
        elif last in ("в", "во", "к", "по"):
            yield f"{years[0]} году"
        elif "gent" in asked:
            yield f"{years[0]} года"
        else:
            yield in_sentence(f"в {years[0]} году", mention)
    if years and not follows:
        spoken = f"{decades(years)[0]}-е годы"
        if last in ("в", "во"):
            yield spoken
        elif not asked:
            yield in_sentence(f"в {spoken}", mention)
    if follows:
        some = {"loct": "некотором", "gent": "некоторого"}
        yield some.get(asked[0] if asked else "", "некоторый")
    yield _noun("время", mention, case=asked[0] if asked else "nomn")


def _age(mention: Mention, gender: str) -> Iterator[str]:
    age = age_of(mention)
    if age is not None and re.match(r"\s+(?:лет|год)", mention.after):
        yield f"около {round(age, -1):.0f}"
    elif age is not None and age < 18:
        yield "до 18 лет"
    elif age is not None:
        yield f"за {int(age) // 10 * 10} лет"
    yield "в определённом возрасте"


def _organisation(mention: Mention, gender: str) -> Iterator[str]:
    found = organisation_kind(mention, _pack())
    if found:
        yield _noun(_ORGANISATIONS[found], mention)
    yield _noun("организация", mention)


def _code(mention: Mention, gender: str) -> Iterator[str]:
    case = (governed(mention.before) or ("nomn",))[0]
    yield _noun(_CODES.get(read_code(mention), "номер"), mention, case=case)
    yield _noun("номер", mention, case=case)


def _amount(mention: Mention, gender: str) -> Iterator[str]:
    yield about(mention, "около", "\u00a0")
    yield _noun("количество", mention, case=(governed(mention.before) or ("nomn",))[0])


def _inflected(word: str, keys: Sequence[str], mention: Mention) -> str:
    """A noun in the number and case that keys say ("plur datv")."""
    forms = noun_forms(word)
    for key in keys:
        key = key if " " in key else f"sing {key}"
        if key in forms:
            return in_sentence(forms[key], mention)
    return ""


def _term(mention: Mention, gender: str) -> Iterator[str]:
    text = mention.text
    found = term_found(mention, _pack())
    row = found.lexeme.row if found else ""
    keys: Sequence[str] = found.keys if found else ()
    subtype = row.split(":")[1] if row.startswith("term:") else mention.subtype
    if row == "adj" and found is not None:
        home = home_of_people(found.lexeme.home, _pack())
        words = [_OF_CONTINENTS[home.continent]] if home.continent else []
        foreign = found.lexeme.home != _pack().home
        yield from _adjectives([*words, "иностранный" if foreign else "некий"], keys)
        return
    if row in ("man", "woman") and found is not None:
        if found.lexeme.home != _pack().home:
            word = "иностранец" if row == "man" else "иностранка"
            yield _inflected(word, keys, mention)
    elif row.startswith("term:"):
        first = _pack().lexicon().rows[row][0].name
        word = "болезнь" if subtype == "DISEASE" else _ROWS.get(first, "")
        if word and key_of(text) != key_of(word):
            yield _inflected(word, keys, mention)
    if not keys and not _pack().adjectives(text):
        keys = _pack().noun_keys(text, mention.before)
    if text.islower() and _pack().adjectives(text):
        agreed = _pack().agree(_pack().adjectives(text), mention.after)
        yield from _adjectives(
            ["определённый"], narrowed(agreed, governed(mention.before))
        )
    if keys:
        words = ["человек"]
        if subtype == "OCCUPATION":
            teacher = ["педагог"] if TEACHING.search(text) else []
            words = [
                *teacher,
                *(["медик"] if HEALTH.search(text) else []),
                "специалист",
            ]
        elif subtype == "DISEASE":
            words = ["болезнь"]
        for word in words:
            yield _inflected(word, keys, mention)
    if subtype == "FAMILY":
        yield "в определённом семейном положении"
    if subtype == "LANGUAGE":
        yield _noun("язык", mention)
    yield _noun("человек", mention)


def _adjectives(words: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    for word in words:
        forms = adjective_forms(word)
        for key in keys:
            if key in forms:
                yield forms[key]
                break


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
