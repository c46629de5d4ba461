"""Postal addresses, post codes and coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..registries import registry
from .base import (
    Hit,
    PatternRecognizer,
    Recognizer,
    before,
    drop_covered,
    has_digits,
    hit,
    word_trie,
)

_STREET_TYPES = """street st road rd avenue ave av lane ln drive dr court ct place pl square
sq boulevard blvd way terrace crescent close gardens garden grove hill hills park row walk
mews parkway pkwy highway hwy circle cir trail trl alley quay rise view views green loop
plaza pike turnpike mall bridge crossing ridge heights hollow village station mills mill
passage path causeway esplanade parade promenade embankment wharf strand broadway expressway
freeway motorway bypass byway canyon cape center centre cliff cliffs club common commons
corner corners course cove creek crest curve dale dam divide estate estates extension falls
ferry field fields flat flats ford fords forest forge fork forks fort gateway glen glens
greens groves harbor harbors haven inlet island islands isle junction junctions key keys
knoll knolls lake lakes land landing light lights loaf lock locks lodge manor manors meadow
meadows mission mount mountain mountains neck orchard oval overpass parks parkways pass pine
pines plain plains point points port ports prairie radial ramp ranch rapid rapids rest river
route shoal shoals shore shores spring springs spur spurs squares stravenue stream streets
summit via rue centers forges camp gardens skyway brook brooks run roads courts drives circles crossroad crossroads ridges mountains
bluff bluffs bottom branch bayou beach bend burg burgs fall gardens radial route stravenue throughway trace track trafficway tunnel underpass union unions valley valleys viaduct
villages ville vista walks wall ways well wells"""
_SURE_TYPES = """street st road rd avenue ave lane ln drive dr boulevard blvd terrace crescent
gardens square mews parkway pkwy highway hwy"""
_DIRECTION = r"(?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?)"
_NAME_WORD = r"[A-Z\u00c0-\u00de][\w'.-]{0,25}"
_UNIT = (
    r"(?:[,\s]{1,3}(?:(?i:apt|apartment|suite|ste|unit|flat|room|rm|floor|fl|bldg|building|appt|app|int|piso"
    r"|wohnung|whg|etage)\b\.?\s?#?[A-Za-z]?[0-9]{1,5}[A-Za-z]?\b|#\s?[0-9]{1,5}[A-Za-z]?\b|[0-9]{1,2}(?:st|nd|rd|th)\s[Ff]loor))?"
)
# Forward from the number: "12 High Street", "12, rue de la Paix".
_ENGLISH = re.compile(
    rf"[A-Za-z]?(?:[-/][0-9]{{1,4}}[A-Za-z]?)?,?\s{{1,2}}(?:{_DIRECTION}\s)?"
    rf"(?:{_NAME_WORD}|[0-9]{{1,3}}(?:st|nd|rd|th))\s(?:(?:{_NAME_WORD}|of|the|de|[0-9]{{1,3}}(?:st|nd|rd|th))\s){{0,3}}?"
    rf"(?P<type>(?:{word_trie(_STREET_TYPES)}))\.?(?:\s{_DIRECTION})?{_UNIT}"
)
_FRENCH = re.compile(
    r"(?:\s?(?:bis|ter|[A-D])\b)?,?\s(?:rue|avenue|av\.|boulevard|bd|place|chemin|allées?|impasse|quai|cours|route"
    r"|passage|square|faubourg|ruelle|esplanade|Rue|Avenue|Boulevard|Place|Chemin|Allée|Impasse|Quai|Cours|Route)"
    r"\s(?:(?:de\sla|de\sl'|des|du|de|d'|la|le|les|l')\s?)?[A-Z\u00c0-\u00de][\w'.-]{1,25}"
    r"(?:[\s-](?:(?:de\sla|de\sl'|des|du|de|d'|et)\s?)?[A-Z\u00c0-\u00de][\w'.-]{1,25}){0,3}"
)
# Backward from the number: "Hauptstraße 12", "Calle Mayor 12", "ul. Długa 3".
_BACK_CHAR = r"[\w'.ºª/-]"
_BACKWARD = re.compile(
    # The letters that the words below begin with, to turn most words down at once.
    r"(?:(?<![\w])(?=[A-Z\u00c0-\u00derabcuponуп])(?:"
    r"(?:[A-Z\u00c0-\u00de][\w.'-]{1,25}(?:-|\s)){0,2}(?:[A-Z\u00c0-\u00de][\w'.-]{0,30}?"
    r"(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|steig|straat|laan|plein|gracht|kade|singel|dijk"
    r"|gatan|gata|vägen|veien|vegen|gate|vej|gade|allé|katu|tie|utca|körút)"
    r"|(?:Stra(?:ß|ss)e|Platz|Allee|Weg|Gasse|Ring|Damm|Ufer|Straat|Laan|Plein|Str\.))"
    r"|(?:Am|An\sder|Im|In\sder|Zum|Zur|Unter\sden|Auf\sder|Auf\sdem)\s[A-Z\u00c0-\u00de][\w-]{2,20}(?:platz|berg|markt|hof|Markt|park|bach|feld|kirche|tor|see|linden|Linden)?"
    r"|(?:[Rr]ue|[Cc]haussée|[Aa]venue|[Bb]oulevard|Calle|C/|c/|Avenida|Avda\.?|Av\.|Plaza|Paseo|P\.º|Pza\.|Carrer|Camino|Ronda|Travesía|Carretera|Via|Viale|Piazza"
    r"|Piazzale|Corso|Largo|Vicolo|Rotonda|Stretto|Contrada|Incrocio|Borgo|Canale|Cuesta|Vial|Pasadizo|Pasaje|Acceso|Cañada|Glorieta|Rambla|Callejón|Alameda|Urbanización|Strada|Rua|Praça|Travessa|Avinguda|ul\.|ulica|al\.|aleja|pl\.|os\.|Strada|Str\.|Bd\.|Bulevardul|ulice|nám\."
    r"|ул\.|улица|просп\.|пр-т|пер\.)"
    rf"\s?(?:[A-Z\u00c0-\u00de\u0410-\u042f0-9]{_BACK_CHAR}{{0,25}}|(?:de\sla|de\slos|de\slas|de|del|della|dei|delle|di|da|do|dos|das|i|y|e|la|el))"
    rf"(?:\s(?:[A-Z\u00c0-\u00de\u0410-\u042f]{_BACK_CHAR}{{0,25}}|de|del|della|dei|di|la|el|los|las|da|do|dos|das|y|e)){{0,5}}"
    r")),?\s(?:(?:n[º°.]?|nº|N°|no\.|núm\.?|nr\.?|д\.)\s?)?\Z"
)
# Any capitalised name: enough before a number, post code and town.
_ANY_NAME = re.compile(r"(?<![\w.-])(?:[A-Z\u00c0-\u00de][\w'-]{2,25}\s){1,3}\Z")
_LAST_NAME = re.compile(r"[A-Z\u00c0-\u00de][\w'-]{2,25}\s\Z")
_MONTH_NAME = re.compile(
    word_trie(
        "january february march april may june july august september october november "
        "december jan feb mar apr jun jul aug sep sept oct nov dec"
    )
)
_BACK_TAIL = re.compile(
    r"(?:\s?[a-zA-Z](?![\w'])|\s?[-/]\s?[0-9]{1,4}[a-zA-Z]?(?!\w))?"
    r"(?:/[0-9]{1,4})?(?:,\s[0-9]{1,2}\s?[º°ª]\s?[A-Za-z]?(?:zda|cha|er)?\b\.?|,?\s(?:lok|m|кв|app|int|[Pp]iso|[Pp]uerta|[Pp]iano|[Aa]pt|[Aa]ppartamento|[Ii]nterno|bajo|Wohnung|bus|bte|boîte)\.?\s?[0-9]{1,4}[A-Z]?\b)?"
)
_NUMBER = re.compile(
    r"[0-9](?<![\w$€£§#][0-9])(?<![0-9][.,:/-][0-9])[0-9]{0,5}(?![0-9])"
)
_FLAT_BEFORE = re.compile(
    r"(?:(?i:flat|apartment|apt|unit|suite|room)\.?\s[A-Za-z]?[0-9]{1,4}[A-Za-z]?|(?:[A-Z][\w']{1,20}\s){1,2}(?:House|Court|Tower|Building|Lodge|Cottage|Mansions))"
    r",\s{0,2}\Z"
)

_UK_POSTCODE = (
    r"(?:GIR ?0AA|(?:[A-PR-UWYZ][0-9][0-9A-HJKPSTUW]?|[A-PR-UWYZ][A-HK-Y][0-9][0-9ABEHMNPRVWXY]?)"
    r" ?[0-9][ABD-HJLNP-UW-Z]{2})"
)
_STATES = """AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE
NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR VI GU AS MP AA AE
AP FM MH PW"""
_STATE_NAMES = """Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware
Florida Georgia Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland
Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada New_Hampshire
New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania
Rhode_Island South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Washington
West_Virginia Wisconsin Wyoming"""
_STATE = rf"(?:{word_trie(_STATES, _STATE_NAMES, ignore_case=False)})"
_US_ZIP = r"[0-9]{5}(?:-[0-9]{4})?(?![\w-])"
_CA_POSTCODE = r"[ABCEGHJ-NPRSTVXY][0-9][A-Z] ?[0-9][A-Z][0-9]"
_AU_TAIL = r"(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\s[0-9]{4}"
_TOWN = r"[A-Z\u00c0-\u00de\u0410-\u042f][\w'.-]{1,25}(?:(?:\s|-)(?:(?:am|an der|im|de|la|le|les|sur|sous|upon|on|del|di|of|the)\s)?[A-Z\u00c0-\u00de\u0410-\u042f][\w'.-]{1,25}){0,3}"
_SEP = r"[ \t]{0,2}(?:,[ \t]?\n?|\n|[ \t])[ \t]{0,8}"
_REST = re.compile(
    rf"(?:{_SEP}(?:{_TOWN}{_SEP}){{0,3}}?"
    rf"(?:{_UK_POSTCODE}\b|{_STATE},?\s{{1,2}}{_US_ZIP}|(?:[A-Z]{{2}}\s)?{_CA_POSTCODE}\b|{_AU_TAIL}\b"
    rf"|(?:[A-Z]{{1,2}}-)?(?:[0-9]{{4}}\s[A-Z]{{2}}|[0-9]{{2}}-[0-9]{{3}}|[0-9]{{4}}-[0-9]{{3}}|[0-9]{{3}}\s[0-9]{{2}}|[0-9]{{4,5}})(?![\w.-]*[0-9]),?[ \t]{{1,2}}{_TOWN}(?:\s\([A-Z]{{2}}\))?)"
    rf"(?:,?\s\([A-Z][\w\s]{{1,20}}\))?)"
)
_EU_REST = re.compile(
    r"(?:,\s{1,2}|,?\n)(?:[A-Z]{1,2}-)?(?P<code>[0-9]{4,5}|[0-9]{2}-[0-9]{3}|[0-9]{3}\s[0-9]{2})\s(?:[A-Z]{2}\s)?['A-Z\u00c0-\u00de]"
)
_TOWN_CODE = re.compile(rf"{_SEP}{_TOWN},?\s(?:{_US_ZIP}|[0-9]{{4}}(?![\w.,/-]))")

_PO_BOX = re.compile(
    r"(?:P(?<!\w.)\.?\s?O\.?\s?(?:[Bb]ox|BOX)|P(?<!\w.)ost\s[Oo]ffice\s[Bb]ox|P(?<!\w.)ostfach|P(?<!\w.)ostbus|A(?<!\w.)partado(?:\sde\s[Cc]orreos)?|A(?<!\w.)ptdo\.?"
    r"|C(?<!\w.)asella\s[Pp]ostale|B(?<!\w.)(?:oîte\s[Pp]ostale|\.?P\.?)|P(?<!\w.)SC|P(?<!\w.)rivate\sBag|U(?<!\w.)nit(?=\s[0-9]{3,5}\sBox))\s(?:[Nn]o\.?\s)?[0-9]{1,3}(?:[ .]?[0-9]{1,3}){0,2}(?![0-9])"
    r"(?:,?\sBox\s[0-9]{1,5})?"
)
_MILITARY = re.compile(
    r"U(?<!\wU)(?:SNV|SS|SNS|SCGC|SNV)\s[A-Z][a-z]{1,20}\s{1,2}(?:FPO|APO|DPO)\s(?:AA|AE|AP)\s[0-9]{5}(?:-[0-9]{4})?"
)
_BOX_TAIL = re.compile(r"\s{1,2}(?:FPO|APO|DPO)\s(?:AA|AE|AP)\s[0-9]{5}(?:-[0-9]{4})?")

_UK_RE = re.compile(r"[A-Z](?<![\w-][A-Z])[A-Z]?[0-9][A-Z0-9]? [0-9][A-Z]{2}(?![\w-])")
# "Flat 3", "12 Mill Rise" and the lines down to the post code.
_UK_LINES = re.compile(
    r"(?<!\w)(?:(?:Flat|Studio|Unit|Apartment|Apt)\s[0-9]{1,4}[A-Za-z]?,?\s|[0-9]{1,4}[A-Za-z]?,?\s)"
    r"(?:[A-Z][\w'.-]{1,20}(?: [A-Za-z][\w'.-]{1,20}){0,3}(?:,\s|,?\n)){1,4}(?:[A-Z][\w'-]{2,20} )?\Z"
)
_UK_FULL = re.compile(_UK_POSTCODE)
_CA_RE = re.compile(rf"{_CA_POSTCODE}(?!\w)")
_US_RE = re.compile(rf"{_STATE},?\s(?P<v>{_US_ZIP})")
_EU_RE = re.compile(
    r"[A-Z](?<!\w.)[A-Z]?-(?P<v>[0-9]{4,5}(?:\s[A-Z]{2}(?=[\s']))?)\s?['A-Z\u00c0-\u00de]"
)
_LONE = re.compile(
    r"[0-9](?<![\w.,/-][0-9])(?:[0-9]{3,4}\s[A-Z]{2}\b|[0-9]-[0-9]{3}|[0-9]{3}-[0-9]{3}|[0-9]{2}\s[0-9]{2}|[0-9]{3,5}(?:-[0-9]{4})?)(?!\w|[.,-][0-9])"
)
_POSTCODE_CONTEXT = re.compile(
    r"(?:\b(?:zip(?:\s?code)?|post(?:al)?\s?code|postcode|plz|postleitzahl|code\spostal|cp|c\.p\.|código\spostal|cap|pin\scode"
    r"|pincode|postnummer|kod\spocztowy|psč|индекс)(?:\sis|\sof)?\s?[:#]?\s?)\Z"
)

_COORDINATES = (
    re.compile(
        r"[0-9+-](?<![\w.,][0-9+-])(?<![0-9]-[0-9])(?:[0-9]{0,3}|[0-9]{1,3})\.[0-9]{3,15}\s?°?\s?[NSns]?\s?[,;/ ]\s?"
        r"[+-]?[0-9]{1,3}\.[0-9]{3,15}(?:\s?°?\s?[EWewOo](?!\w))?(?![0-9.])"
    ),
    re.compile(
        r"[0-9](?<![\w.][0-9])[0-9]{0,2}\s?[°º]\s?(?:[0-9]{1,2}(?:\.[0-9]+)?\s?['′]\s?(?:[0-9]{1,2}(?:\.[0-9]{1,6})?\s?(?:\"|''|″)\s?)?)?[NSns]"
        r"(?:[,;/\s]{0,3}[0-9]{1,3}\s?[°º]\s?(?:[0-9]{1,2}(?:\.[0-9]{1,6})?\s?['′]\s?(?:[0-9]{1,2}(?:\.[0-9]{1,6})?\s?(?:\"|''|″)\s?)?)?[EWOewo])?(?!\w)"
    ),
)
_COORD_NAMED = re.compile(
    r"[Ll](?<!\w.)(?:at(?:itude)?|on(?:gitude)?|ng)\s?[:=]\s?(?P<v>[+-]?[0-9]{1,3}\.[0-9]{2,15})"
)


_NOT_STREET = re.compile(r",?\s{1,2}(?:The|A|An|In|On|Of)\s")


def _streets(text: str) -> Iterator[Hit]:
    last = -1
    for m in _NUMBER.finditer(text):
        if m.start() < last:
            continue
        found = None
        follows = text[m.end() : m.end() + 4]
        if follows[:1].isalpha() or follows[:1] in " ,-/\n":
            en = _ENGLISH.match(text, m.end())
            if (
                en
                and "\n\n" not in en[0]
                and _type_ok(en["type"], text[m.end() : en.start("type")])
            ):
                sure = en["type"].lower() in _SURE_SET
                found = (m.start(), _no_stop(text, en.end()), 0.9 if sure else 0.75)
            fr = _FRENCH.match(text, m.end())
            if fr and (found is None or fr.end() > found[1]):
                found = (m.start(), fr.end(), 0.9)
        left = text[max(0, m.start() - 2) : m.start()]
        if (
            found is None
            and m.end() - m.start() < 5
            and left[-1:] in (" ", ".", "º", "°", "/", "\n")
            and (left[:1].isalpha() or left[:1] in ".,'º°/")
        ):
            low = max(last, m.start() - 70, 0)
            back = _BACKWARD.search(text, low, m.start())
            generic = None
            if not back and _LAST_NAME.search(
                text, max(low, m.start() - 28), m.start()
            ):
                generic = _ANY_NAME.search(text, low, m.start())
            if generic and not _MONTH_NAME.match(generic[0]):
                tail = _BACK_TAIL.match(text, m.end())
                end = tail.end() if tail else m.end()
                code = _EU_REST.match(text, end)
                if code and not re.fullmatch(r"(?:19|20)[0-9]{2}", code["code"]):
                    found = (generic.start(), end, 0.85)
            weak_tail = _BACK_TAIL.match(text, m.end()) if back else None
            if (
                back
                and _WEAK_ENDING.search(back[0])
                and not _EU_REST.match(text, weak_tail.end() if weak_tail else m.end())
            ):
                back = None
            if back:
                tail = _BACK_TAIL.match(text, m.end())
                end = tail.end() if tail else m.end()
                if not text[end : end + 1].isalnum() and "\n\n" not in back[0]:
                    found = (back.start(), end, 0.85)
        if found is None:
            continue
        if _NOT_STREET.match(text, m.end()):
            continue
        start, end, score = found
        rest = _REST.match(text, end) or _TOWN_CODE.match(text, end)
        if rest is None and score < 0.8 and not _AT.search(before(text, start, 30)):
            continue
        flat = _FLAT_BEFORE.search(text, max(0, last, start - 50), start)
        if flat:
            start = flat.start()
        if rest:
            end, score = rest.end(), 0.95
        last = end
        yield hit(start, end, "LOC", "ADDRESS", score)


_AT = re.compile(
    r"(?:\b(?:at|address(?:\sis|:)?|lives?\s(?:in|on)|living\s(?:in|on)|from|resid\w{2,4}\s(?:in|on)|near|to:?|number|no\.)|^|\n)\s?\Z"
)
_SURE_SET = set(_SURE_TYPES.split())


# Endings that English words share.
_WEAK_ENDING = re.compile(r"(?:ring|gate|gade|tie|kade|damm|gata|dijk)\s\Z")


def _type_ok(kind: str, name: str) -> bool:
    """Whether the word for a street is written like the name before it."""
    if kind.isupper():
        return name.isupper() and kind.lower() in _SURE_SET
    return kind[0].isupper() or (
        kind.lower() in _SURE_SET and name.strip()[:1].isupper()
    )


def _no_stop(text: str, end: int) -> int:
    # The stop after "St." belongs to it only inside a sentence.
    if text[end - 1] == "." and not re.match(r",|\s[A-Z0-9a-z]", text[end : end + 2]):
        return end - 1
    return end


def _boxes(text: str) -> Iterator[Hit]:
    for m in _PO_BOX.finditer(text):
        rest = _BOX_TAIL.match(text, m.end()) or _REST.match(text, m.end())
        yield hit(m.start(), rest.end() if rest else m.end(), "LOC", "ADDRESS", 0.9)
    for m in _MILITARY.finditer(text):
        yield hit(m.start(), m.end(), "LOC", "ADDRESS", 0.9)


def _postcodes(text: str) -> Iterator[Hit]:
    for m in _UK_RE.finditer(text):
        if _UK_FULL.fullmatch(m[0]):
            yield hit(m.start(), m.end(), "LOC", "POSTCODE", 0.85)
            lines = _UK_LINES.search(text, max(0, m.start() - 110), m.start())
            if lines:
                yield hit(lines.start(), m.end(), "LOC", "ADDRESS", 0.9)
    for m in _CA_RE.finditer(text):
        if not text[m.start() - 1 : m.start()].isalnum() or m.start() == 0:
            yield hit(
                m.start(), m.end(), "LOC", "POSTCODE", 0.8 if " " in m[0] else 0.6
            )
    for pattern, score in ((_US_RE, 0.85), (_EU_RE, 0.8)):
        for m in pattern.finditer(text):
            yield hit(*m.span("v"), "LOC", "POSTCODE", score)
    for m in _LONE.finditer(text):
        if _POSTCODE_CONTEXT.search(before(text, m.start(), 30)):
            yield hit(m.start(), m.end(), "LOC", "POSTCODE", 0.85)


def _coordinates(text: str) -> Iterator[Hit]:
    for pattern in _COORDINATES:
        for m in pattern.finditer(text):
            numbers = [float(n) for n in re.findall(r"[0-9]+(?:\.[0-9]+)?", m[0])]
            if numbers[0] > 90 or (pattern is _COORDINATES[0] and numbers[1] > 180):
                continue
            yield hit(m.start(), m.end(), "LOC", "COORDINATES", 0.85)
    for m in _COORD_NAMED.finditer(text):
        yield hit(*m.span("v"), "LOC", "COORDINATES", 0.85)


@registry.deid_patterns("spacy_deid.address_patterns.v1")
def make_address_patterns(coordinates: bool = True) -> Recognizer:
    """Street addresses in the orders of several languages, post boxes, post codes and
    coordinates.

    coordinates (bool): Whether to find coordinates.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    finders = [_streets, _boxes, _postcodes]
    if coordinates:
        finders.append(_coordinates)

    def find(text: str) -> list[Hit]:
        if not has_digits(text):
            return []
        return drop_covered([h for finder in finders for h in finder(text)])

    return PatternRecognizer(find)
