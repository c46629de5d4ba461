"""Dates that say little in German, Spanish and Russian: a weekday with a word like "the
following", decades and centuries. They shift within their form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from .base import listed, match_case
from .layouts import Render, Shift

_WEEKDAYS = {
    "de": listed("Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag,Sonntag"),
    "es": listed("lunes,martes,miércoles,jueves,viernes,sábado,domingo"),
    "ru": listed("понедельник,вторник,среда,четверг,пятница,суббота,воскресенье"),
}
# Words that stand around a weekday, a decade or a century.
_FRAMES = {
    "de": "am|an|in|im|seit|bis|vom|von|zum|ab|der|die|das|den|dem|des|folgende[nrms]?"
    "|nächste[nrms]?|kommende[nrms]?|vorige[nrms]?|letzte[nrms]?|vergangene[nrms]?"
    "|darauffolgende[nrms]?|vorangegangene[nrms]?|diese[nrms]?|jede[nrms]?|selben|gleichen"
    "|anfang|mitte|ende|beginn|frühen?|späten?|jahren?|jahrzehnts?",
    "es": "el|la|los|las|en|de|del|desde|hasta|a|al|siguientes?|próximos?|pasados?"
    "|anterior(?:es)?|este|mismo|cada|principios|mediados|finales|fines|años|década"
    "|segunda|primera|mitad",
    "ru": "в|во|на|с|со|до|к|по|через|начал[аеоу]|конц[аеу]|конец|середин[аеу]|год[ыа]?|годов|годах"
    "|годам|перв\\w{2,3}|втор\\w{2,3}|половин[аеы]|эт\\w{1,2}|т[уое]\\w?|сам\\w{2,3}",
}
_TENS = {
    "de": listed("zwanzig,dreißig,vierzig,fünfzig,sechzig,siebzig,achtzig,neunzig"),
    "es": listed("veinte,treinta,cuarenta,cincuenta,sesenta,setenta,ochenta,noventa"),
    "ru": listed(
        "двадцат,тридцат,сороков,пятидесят,шестидесят,семидесят,восьмидесят,девяност"
    ),
}
_TENS_ENDING = {"de": "er", "es": "", "ru": "(?:ые|ых|ым|ыми)"}
_DECADE = {
    "de": r"(?P<tens>(?:1\d|20)?\d0)(?=er\b)",
    "es": r"(?:(?<=años )|(?<=los )|(?<=década de )|(?<=década del ))(?P<tens>(?:1\d|20)?\d0)\b",
    "ru": r"(?P<tens>(?:1\d|20)?\d0)(?=-(?:е|х|м|ми|ые|ых)\b)",
}
_CENTURY = {
    "de": (r"(?P<ordinal>{})(?=e[nrsm]?\s+jahrhundert)", "jahrhunderts?"),
    "es": (r"(?<=siglo )(?P<ordinal>{})\b", "siglo"),
    "ru": (
        r"(?P<ordinal>{})(?=(?:ый|ого|ому|ым|ом)\s+век)",
        r"век\w{0,2}|столети\w{1,2}",
    ),
}
_ORDINALS = {
    "de": listed(
        "zwölft,dreizehnt,vierzehnt,fünfzehnt,sechzehnt,siebzehnt,achtzehnt,neunzehnt,"
        "zwanzigst,einundzwanzigst"
    ),
    "es": listed(
        "doce,trece,catorce,quince,dieciséis,diecisiete,dieciocho,diecinueve,veinte,veintiuno"
    ),
    "ru": listed(
        "двенадцат,тринадцат,четырнадцат,пятнадцат,шестнадцат,семнадцат,восемнадцат,"
        "девятнадцат,двадцат"
    ),
}
_ROMAN = listed(
    "I,II,III,IV,V,VI,VII,VIII,IX,X,XI,XII,XIII,XIV,XV,XVI,XVII,XVIII,XIX,XX,XXI"
)
_ROMAN_CENTURY = re.compile(
    r"\b(?P<roman>[IVX]+)(?=(?:\s*[-–—и]\s*[IVX]+)?\s+(?:век|столети|в\.|вв\.))"
)
_WORD = re.compile(r"[^\W\d_]+")


def partial_layout(text: str, lang: str) -> Render | None:
    """How a partial date moves with the dates of its document.

    text (str): "folgenden Mittwoch", "los años ochenta", "XIX века".
    lang (str): Code of its language.
    RETURNS (Optional[Callable]): Function of the shift that gives the new text; None for
        a text of any other kind.
    """
    if lang not in _FRAMES or len(text) > 60:
        return None
    return _weekday(text, lang) or _decade(text, lang) or _century(text, lang) or None


def _framed(text: str, start: int, end: int, lang: str, more: str = "") -> bool:
    """Whether nothing but small words stands around a stretch of a text."""
    rest = f"{text[:start]} {text[end:]}"
    if re.search(r"\d", rest):
        return False
    known = _FRAMES[lang] + (f"|{more}" if more else "")
    return all(re.fullmatch(known, w.lower()) for w in _WORD.findall(rest))


def _weekday(text: str, lang: str) -> Render | None:
    if lang == "ru":
        return _russian_weekday(text)
    names = _WEEKDAYS[lang]
    pattern = "|".join(names)
    plural = "s?" if lang == "es" else ""
    match = re.search(rf"\b(?P<day>{pattern})(?P<s>{plural})(?P<rest>s?)\b", text, re.I)
    if match is None or match.group() == text:
        return None
    if not _framed(text, *match.span(), lang):
        return None
    found = match
    index = [n.lower() for n in names].index(match["day"].lower())
    many = re.search(r"\blos\b", text, re.I) is not None

    def render(shift: Shift) -> str:
        new = names[(index + shift.days) % 7]
        if lang == "es":
            new += "s" if many and new[-1] == "o" else ""
        else:
            new += found["rest"]
        new = new.capitalize() if found["day"][0].isupper() else new
        return (
            text[: found.start()] + match_case(new, found.group()) + text[found.end() :]
        )

    return render


@lru_cache(maxsize=1)
def _russian_days() -> tuple[dict[str, str], ...]:
    from ..lang.ru.forms import CASES, paradigm

    sunday = {"gent": "я", "datv": "ю", "ablt": "ем"}
    # The dictionary has it as "воскресение", too.
    last = {case: "воскресень" + sunday.get(case, "е") for case in CASES}
    return (*map(paradigm, _WEEKDAYS["ru"][:-1]), last)


_GENDERS = ("masc", "masc", "femn", "masc", "femn", "femn", "neut")


def _russian_weekday(text: str) -> Render | None:
    """ "в следующую среду" -> "в следующий вторник": what stands before agrees."""
    words = list(_WORD.finditer(text))
    days = _russian_days()
    place = index = -1
    for i, word in enumerate(words):
        for k, forms in enumerate(days):
            if word.group().lower() in forms.values():
                place, index = i, k
    if place < 1:
        return None
    from ..lang.ru.forms import CASES, governed, narrowed, parses

    day = words[place]
    cases: Sequence[str] = [c for c in CASES if days[index][c] == day.group().lower()]
    before = text[: words[0].end()] + " "
    # A weekday is when, not where: "в среду".
    asked = ("accs",) if words[0].group().lower() in ("в", "во") else governed(before)
    cases = narrowed(cases, asked) if asked else cases
    agreeing = []
    for word in words[:place]:
        every = [p for p in parses(word.group().lower()) if "ADJF" in p.tag]
        if every:
            agreeing.append((word, every[0]))
        elif not re.fullmatch(_FRAMES["ru"], word.group().lower()):
            return None
    if re.search(r"\d", text) or words[place + 1 :]:
        return None

    def render(shift: Shift) -> str:
        new = (index + shift.days) % 7
        out = text[: day.start()] + match_case(days[new][cases[0]], day.group())
        for word, parse in reversed(agreeing):
            wanted = {"sing", _GENDERS[new], cases[0]}
            if cases[0] == "accs" and _GENDERS[new] == "masc":
                wanted.add("inan")
            made = parse.inflect(wanted)
            form = made.word if made else word.group()
            if word.group()[0].isupper():
                form = form.capitalize()
            out = out[: word.start()] + form + out[word.end() :]
        if not agreeing and words[0].group() in ("в", "во"):
            first = "во" if days[new]["nomn"].startswith("вт") else "в"
            out = first + out[words[0].end() :]
        return out + text[day.end() :]

    return render


def _decade(text: str, lang: str) -> Render | None:
    figures = re.search(_DECADE[lang], text, re.I)
    if figures is not None:
        end = re.match(r"er|-?[а-яё]{1,2}\b", text[figures.end() :])
        rest = figures.end() + (end.end() if end else 0)
        if not _framed(text, figures.start(), rest, lang):
            return None
        found = figures

        def shifted(shift: Shift) -> str:
            value = int(found["tens"])
            step = shift.decades or -1
            new = value + 10 * step
            if value < 100:
                new = ((value // 10 - 1 + step) % 9 + 1) * 10
            return text[: found.start()] + str(new) + text[found.end() :]

        return shifted
    tens = _TENS[lang]
    pattern = rf"\b(?P<tens>{'|'.join(tens)})(?P<end>{_TENS_ENDING[lang]})\b"
    words = re.search(pattern, text, re.I)
    if words is None or not _framed(text, *words.span(), lang):
        return None
    if not re.search(r"jahr|años|década|\bлос?\b|год|\blos\b|er\b", text, re.I):
        return None
    match = words
    index = [t.lower() for t in tens].index(match["tens"].lower())

    def render(shift: Shift) -> str:
        new = tens[(index + (shift.decades or -1)) % len(tens)]
        new = match_case(new, match["tens"])
        if match["tens"][0].isupper():
            new = new[:1].upper() + new[1:]
        return text[: match.start()] + new + match["end"] + text[match.end() :]

    return render


def _century(text: str, lang: str) -> Render | None:
    roman = list(_ROMAN_CENTURY.finditer(text)) if lang == "ru" else []
    every = list(re.finditer(r"\b[IVX]+\b", text)) if roman else []
    if every and all(m.group() in _ROMAN for m in every):
        rest = re.sub(r"\b[IVX]+\b", " ", text)
        more = r"век\w{0,2}|столети\w{1,2}|вв?|и|годов"
        if not _framed(rest, 0, 0, lang, more):
            return None

        def earlier(match: re.Match[str]) -> str:
            return _ROMAN[max(_ROMAN.index(match.group()) - 1, 0)]

        return lambda shift: re.sub(r"\b[IVX]+\b", earlier, text)
    ordinals = _ORDINALS[lang]
    pattern, unit = _CENTURY[lang]
    match = re.search(pattern.format("|".join(reversed(ordinals))), text, re.I)
    if match is None:
        return None
    word = re.match(r"\w*", text[match.end() :])
    end = match.end() + (word.end() if word else 0)
    if not _framed(text, match.start(), end, lang, unit):
        return None
    found = match
    index = [o.lower() for o in ordinals].index(match["ordinal"].lower())

    def render(shift: Shift) -> str:
        new = match_case(ordinals[index - 1 if index else 1], found["ordinal"])
        return text[: found.start()] + new + text[found.end() :]

    return render
