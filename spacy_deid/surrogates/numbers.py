"""New numbers: quantities, sums of money, counts in figures and words, ages."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import partial

from .base import (
    Draws,
    Mention,
    article_before,
    fits_article,
    in_place_of,
    listed,
    match_case,
    normalise,
    shuffled,
    with_articles,
)
from .consistency import DATE_SHIFT, has_fixed_interval

ONES = listed(
    "zero,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,"
    "fourteen,fifteen,sixteen,seventeen,eighteen,nineteen"
)
TENS = ("", "", *listed("twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety"))
ORDINAL_WORDS = listed(
    "zeroth,first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth,eleventh,"
    "twelfth,thirteenth,fourteenth,fifteenth,sixteenth,seventeenth,eighteenth,nineteenth"
)
_ORDINAL_TENS = (
    "",
    "",
    *listed(
        "twentieth,thirtieth,fortieth,fiftieth,sixtieth,seventieth,eightieth,ninetieth"
    ),
)
DECADES = tuple(f"{word[:-1]}ies" for word in TENS[2:])
_SMALL = {
    **{word: i for i, word in enumerate(ONES)},
    **{word: 10 * i for i, word in enumerate(TENS) if word},
}
_SCALES = frozenset("thousand million billion trillion".split())
_NUMBER = "|".join(sorted([*_SMALL, "hundred"], key=len, reverse=True))
# "Hundred" begins a number only after "a": "several hundred" has none.
_FIRST = "|".join([*sorted(_SMALL, key=len, reverse=True), r"a\s+hundred"])
# A number below a thousand in words; larger scales stay as they are.
WORDS_PATTERN = rf"(?:{_FIRST})(?:[\s-]+(?:and\s+)?(?:{_NUMBER})){{0,4}}"
_TOKEN = re.compile(
    rf"""
    (?P<ordinal>\b\d{{1,9}}(?:st|nd|rd|th)\b)
  | (?P<figure>\d+(?:[.,'’\u00a0\u202f\ ]\d{{3}}(?!\d))*(?:[.,]\d+)*|(?<!\w)\.\d+)
  | (?P<words>\b{WORDS_PATTERN}\b|\b(?:half\s+)?a(?=\s+(?:{"|".join(sorted(_SCALES))})\b))
  | (?P<ordword>\b(?:(?:{"|".join(TENS[2:])})[\s-])?(?:{"|".join(ORDINAL_WORDS[1:] + _ORDINAL_TENS[2:])})\b)
    """,
    re.X | re.I,
)
_VAGUE: tuple[tuple[str, ...], ...] = (
    listed("once,twice,thrice,three times,four times,five times"),
    listed("single,double,triple,quadruple"),
    listed("a dozen,a score,a couple,a handful"),
    listed("dozens,scores,hundreds,thousands"),
    listed("dozens of,scores of,hundreds of,thousands of"),
    listed("several,many,a few,some,numerous,various,a number of,quite a few"),
    listed("half,a third,a quarter,two thirds,three quarters"),
    listed("most,much,a large part,a good part"),
    listed("all,most,almost all,nearly all"),
    listed("both,all,each,either"),
    listed("few,little,hardly any"),
    listed("one,another,a certain,a further,a single"),
)
_VAGUE_OF = {item: group for group in _VAGUE for item in group}
_SOME = listed(
    "a certain amount,some amount,a fair number,a moderate amount,a sizeable amount,"
    "an unknown amount,an undisclosed amount,a given quantity,a limited quantity"
)
# (ISO code, symbol, singular, plural): what a sum becomes when its currency's own
# name is what must go ("Turkish liras").
_CURRENCIES: tuple[tuple[str, str, str, str], ...] = (
    ("EUR", "€", "euro", "euros"),
    ("GBP", "£", "pound sterling", "pounds sterling"),
    ("USD", "$", "dollar", "dollars"),
    ("CHF", "CHF ", "franc", "francs"),
    ("DKK", "DKK ", "krone", "kroner"),
    ("CZK", "CZK ", "koruna", "korunas"),
    ("PLN", "PLN ", "zloty", "zlotys"),
    ("HUF", "HUF ", "forint", "forints"),
)
_CURRENCY_NAME = re.compile(
    r"(?:(?-i:\b(?!Hundred|Thousand|[MBT]r?illion)[A-Z][a-zé]+)\s+|\bnew\s+)?\b(?:liras?|kronor|kronur|kron[ae]r?|euros?|dollars?"
    r"|pounds?(?:\s+sterling)?|francs?|marks?|roubles?|rubles?|lei|lev[as]?|zlotys?|forints?"
    r"|yen|yuan|rupees?|pesos?|reais|real|rand|shekels?|hryvnias?|dinars?|drachmas?"
    r"|shillings?|rials?|riyals?|dirhams?|korunas?|kunas?|litas|lats|kroons?|tolars?|won|baht)\b",
    re.I,
)
# Small counts in words of other languages: those of one row stand for one another, and
# a noun beside them keeps its form.
COUNTS_ABROAD: dict[str, tuple[tuple[str, ...], ...]] = {
    "de": (listed("zwei,drei,vier,fünf,sechs,sieben,acht,neun,zehn,elf,zwölf"),),
    "es": (listed("dos,tres,cuatro,cinco,seis,siete,ocho,nueve,diez,once,doce"),),
    "ru": (
        listed("два,три,четыре"),
        listed("две,три,четыре"),
        listed("пять,шесть,семь,восемь,девять,десять,одиннадцать,двенадцать"),
        listed("двух,трёх,четырёх,пяти,шести,семи,восьми,девяти,десяти"),
    ),
}
# The same with all other numbers.
_WORDS_ABROAD: dict[str, tuple[tuple[str, ...], ...]] = {
    "de": (
        *COUNTS_ABROAD["de"],
        listed("zwanzig,dreißig,vierzig,fünfzig,sechzig,siebzig,achtzig,neunzig"),
        listed("zweite,dritte,vierte,fünfte,sechste,siebte,achte,neunte,zehnte"),
        listed("zweiten,dritten,vierten,fünften,sechsten,siebten,achten,neunten"),
        listed("einige,mehrere,viele,etliche"),
        listed("einmal,zweimal,dreimal,mehrmals"),
        listed("Dutzende,Hunderte,Tausende"),
    ),
    "es": (
        *COUNTS_ABROAD["es"],
        listed("veinte,treinta,cuarenta,cincuenta,sesenta,setenta,ochenta,noventa"),
        listed("segundo,tercero,cuarto,quinto,sexto"),
        listed("segunda,tercera,cuarta,quinta,sexta"),
        listed("algunos,varios,muchos"),
        listed("algunas,varias,muchas"),
        listed("decenas,docenas,cientos,miles"),
    ),
    "ru": (
        *COUNTS_ABROAD["ru"][:3],
        listed("двадцать,тридцать,сорок,пятьдесят,шестьдесят,семьдесят,восемьдесят"),
        COUNTS_ABROAD["ru"][3],
        listed("двое,трое,четверо,пятеро"),
        listed("несколько,много,немало"),
        listed("десятки,сотни,тысячи"),
    ),
}
_SOME_ABROAD = {
    "de": listed(
        "eine gewisse Menge,eine größere Menge,eine unbekannte Zahl,eine kleinere Zahl,"
        "ein gewisser Teil,eine ungenannte Summe"
    ),
    "es": listed(
        "cierta cantidad,una cantidad moderada,un número indeterminado,una parte,"
        "una suma no precisada"
    ),
    "ru": listed(
        "некоторое количество,определённое число,неизвестное количество,некоторая часть,"
        "неуказанная сумма"
    ),
}
_CURRENCY_CODE = re.compile(r"\b[A-Z]{3}\b")


def read_words(text: str) -> int | None:
    """Value of a number below a thousand in words.

    text (str): "twenty-three", "two hundred and fifty", "a hundred", "a".
    RETURNS (Optional[int]): 23, 250, 1; None if it is no number. Half of a larger unit
        counts as one.
    """
    total = 0
    tokens = [t for t in re.split(r"[\s-]+", text.lower()) if t and t != "and"]
    if not tokens:
        return None
    if tokens in (["a"], ["an"], ["half", "a"]):
        return 1
    if tokens[0] == "a":
        del tokens[0]
    for token in tokens:
        if token == "hundred":
            total = max(1, total) * 100
        elif token in _SMALL:
            total += _SMALL[token]
        else:
            return None
    return total if total < 1000 else None


def in_words(number: int, like: str = "") -> str:
    """A number below a thousand in words.

    number (int): 0 to 999.
    like (str): Words whose case and hyphens are kept.
    RETURNS (str): For example "twenty-three".
    """
    hyphen = " " if like and "-" not in like and len(like.split()) > 1 else "-"
    parts = []
    if number >= 100:
        parts.append(f"{ONES[number // 100]} hundred")
        number %= 100
        if number:
            parts.append("and")
    if number >= 20:
        tens = TENS[number // 10]
        parts.append(f"{tens}{hyphen}{ONES[number % 10]}" if number % 10 else tens)
    elif number or not parts:
        parts.append(ONES[number])
    text = " ".join(parts)
    if like[:1].isupper() and not like.isupper():
        return text[0].upper() + text[1:]
    return match_case(text, like)


def ordinal_in_words(number: int, like: str = "") -> str:
    """ "third", "twenty-third"; 1 to 99, in the case of `like`."""
    if number < 20:
        text = ORDINAL_WORDS[number]
    elif number % 10:
        text = f"{TENS[number // 10]}-{ORDINAL_WORDS[number % 10]}"
    else:
        text = _ORDINAL_TENS[number // 10]
    if like[:1].isupper() and not like.isupper():
        return text.capitalize()
    return match_case(text, like)


def _read_ordinal(text: str) -> int | None:
    tokens = re.split(r"[\s-]+", text.lower())
    total = 0
    for token in tokens:
        if token in ORDINAL_WORDS:
            total += ORDINAL_WORDS.index(token)
        elif token in _ORDINAL_TENS:
            total += 10 * _ORDINAL_TENS.index(token)
        elif token in TENS:
            total += 10 * TENS.index(token)
        else:
            return None
    return total if 0 < total < 100 else None


def ordinal_suffix(number: int) -> str:
    """ "st", "nd", "rd" or "th"."""
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def new_count(value: int, rng: random.Random, wider: int = 0) -> int:
    """Another number of like size: as many digits, trailing zeros kept, 2 or more for
    whatever is a plural.

    value (int): The number.
    rng (Random): Source of the draw.
    wider (int): How often near numbers have been refused.
    RETURNS (int): Differs from `value`.
    """
    digits = str(value)
    zeros = len(digits) - len(digits.rstrip("0")) if value else 0
    step = 10**zeros
    lead = value // step
    if zeros and lead < 10:
        # "10", "30": fives lie as near.
        lead, step = lead * 10, step // 10
        spread = 5 + 5 * wider
        choices = [lead + k for k in range(-spread, spread + 6) if k % 5 == 0]
    elif lead < 10:
        choices = list(range(2, 10 + 5 * wider)) if lead else [1, 2, 3]
        choices = [c for c in choices if abs(c - lead) <= 3 + 5 * wider]
    else:
        spread = max(3, lead * 2 // 5) + lead * wider // 4
        low = max(10 ** (len(str(lead)) - 1), lead - spread)
        high = min(10 ** len(str(lead)) - 1, lead + spread)
        if high - low > 40:
            drawn = lead
            while drawn == lead or drawn % 10 == 0:
                drawn = rng.randint(low, high)
            return drawn * step
        choices = list(range(low, high + 1))
    choices = [c for c in choices if c != lead and c > (1 if value > 1 else 0)]
    return rng.choice(choices or [lead + 1]) * step


def count_form(value: int, lang: str) -> int:
    """Which form of a noun a number asks for: 0 the singular, 1 and 2 others.

    value (int): The number.
    lang (str): Code of the language.
    RETURNS (int): In Russian 0 for 1, 21; 1 for 2 to 4, 22; 2 for the rest. Elsewhere 0
        for one, else 1.
    """
    if lang != "ru":
        return int(value != 1)
    if value % 10 == 1 and value % 100 != 11:
        return 0
    return 1 if value % 10 in (2, 3, 4) and value % 100 not in (12, 13, 14) else 2


# Units beside one, and beside two to four.
_UNITS_ABROAD = {
    "de": "Jahr:Jahre Monat:Monate Woche:Wochen Tag:Tage Stunde:Stunden Minute:Minuten",
    "es": "año:años mes:meses semana:semanas día:días hora:horas minuto:minutos",
    "ru": "год:года месяц:месяца неделя:недели день:дня час:часа минута:минуты",
}


def plural_unit(unit: str, lang: str) -> str:
    """A unit of time as it stands beside two to four.

    unit (str): Singular.
    lang (str): Code of the language.
    RETURNS (str): For example "años" for "año"; `unit` if it is in no list.
    """
    pairs = dict(pair.split(":") for pair in _UNITS_ABROAD.get(lang, "").split())
    found = pairs.get(unit) or pairs.get(unit.lower()) or pairs.get(unit.capitalize())
    return match_case(found, unit) if found else unit


def same_form(
    value: int, rng: random.Random, lang: str, low: int = 0, high: int = 10**9
) -> int:
    """Another number of like size before a noun in the same form ("25 лет", "21 год").

    value (int): The number.
    rng (Random): Source of the draw.
    lang (str): Code of the language.
    low (int): Least number.
    high (int): Greatest number.
    RETURNS (int): Differs from `value`; one gives another unit no form, so in languages
        other than Russian it becomes two or more.
    """
    form = count_form(value, lang)
    for wider in range(40):
        new = new_count(max(value, 2), rng, wider)
        if low <= new <= high and new != value and count_form(new, lang) == form:
            return new
    for step in range(1, 101):
        for new in (value + step, value - step):
            if max(low, 1) <= new <= high and count_form(new, lang) == form:
                return new
    return value + 1


def new_figure(
    text: str, rng: random.Random, percent: bool = False, wider: int = 0
) -> str:
    """A number in figures, written in the same way.

    text (str): Figures with grouping and decimals ("4,684.40", "30 000", ".983").
    rng (Random): Source of the draw.
    percent (bool): Keep a value up to 100 up to 100.
    wider (int): How often near numbers have been refused.
    RETURNS (str): As long as `text`, separators and trailing zeros in place.
    """
    positions = [i for i, ch in enumerate(text) if ch.isdecimal()]
    digits = [text[i] for i in positions]
    plain = "".join(digits)
    if (
        plain.isascii()
        and plain == text
        and not plain.startswith("0")
        and len(plain) < 7
    ):
        value = int(plain)
        new = new_count(value, rng, wider)
        if percent and value <= 100:
            new = rng.choice(
                [
                    n
                    for n in range(max(1, value - 12), min(99, value + 12))
                    if n != value
                ]
            )
        elif len(str(new)) != len(plain) and value > 1:
            new = new_count(value, rng)
        return str(new)
    out = list(text)
    last = len(digits) - 1
    while last > 0 and digits[last] == "0":
        last -= 1
    first = 0
    while first < last and digits[first] == "0":
        first += 1
    for n, (i, old) in enumerate(zip(positions, digits)):
        if n < first or n > last:
            continue
        if n == first and len(digits) > 1:
            # The leading digit moves a little, so that the size stays alike.
            value = int(old)
            options = list(range(max(1, value - 2), min(9, value + 2) + 1))
            out[i] = str(rng.choice(options))
        elif n in (last, first):
            out[i] = rng.choice("123456789")
        else:
            out[i] = rng.choice("0123456789")
    return "".join(out)


class _Numbers:
    """New numbers of one document: the same figures give the same new ones."""

    def __init__(self, draws: Draws):
        self.draws = draws
        self.known: dict[str, str] = {}
        self.taken: dict[str, str] = {}
        self.generators: dict[str, random.Random] = {}

    def rng(self, key: str) -> random.Random:
        if key not in self.generators:
            self.generators[key] = self.draws.random_for("number", key)
        return self.generators[key]

    def new(self, token: str, kind: str, percent: bool, again: bool) -> str:
        """The new number for one in a text.

        token (str): The number as written.
        kind (str): `figure`, `ordinal`, `words` or `ordword`.
        percent (bool): Whether a percent sign follows.
        again (bool): Whether what was drawn before has been refused.
        RETURNS (str): Written in the same way.
        """
        key = f"{kind} {normalise(token)}{'%' if percent else ''}"
        if key in self.known and not again:
            return self._cased(self.known[key], token)
        rng = self.rng(key)
        new = token
        for i in range(60):
            new = self._draw(token, kind, percent, rng, i // 10)
            if normalise(new) == normalise(token):
                continue
            if self.taken.get(f"{kind} {normalise(new)}", key) != key:
                continue
            if not self.draws.forbidden(new):
                break
        self.known[key] = new
        self.taken[f"{kind} {normalise(new)}"] = key
        return self._cased(new, token)

    def _cased(self, new: str, token: str) -> str:
        if not token[:1].isalpha():
            return new
        if token.isupper():
            return new.upper()
        if token[0].isupper():
            return new[0].upper() + new[1:].lower()
        return new.lower()

    def _draw(
        self, token: str, kind: str, percent: bool, rng: random.Random, wider: int
    ) -> str:
        if kind == "figure":
            lang = self.draws.lang
            plain = token.isascii() and token.isdecimal() and token[0] != "0"
            if lang == "ru" and plain and len(token) < 7 and not percent:
                # The noun behind is declined by its number.
                return str(same_form(int(token), rng, lang))
            return new_figure(token, rng, percent, wider)
        if kind == "ordinal":
            number = new_count(int(token[:-2]), rng, wider)
            return f"{number}{match_case(ordinal_suffix(number), token[-2:])}"
        if kind == "ordword":
            value = _read_ordinal(token)
            if value is None:
                return rng.choice(ORDINAL_WORDS[2:])
            return ordinal_in_words(min(99, new_count(value, rng, wider)), token)
        value = read_words(token)
        if value is None:
            return in_words(rng.randint(2, 19), token)
        return in_words(min(999, new_count(value, rng, wider)), token)


_PERCENT_BEHIND = re.compile(r"\s*(?:%|per\s?cent\b|percent)")


def _replace(text: str, numbers: _Numbers, again: bool) -> str:
    """All numbers of a text, ranges kept in order."""
    found: list[tuple[int, int, str, str]] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "figure"
        percent = _PERCENT_BEHIND.match(text, match.end(), match.end() + 12)
        new = numbers.new(match.group(), kind, percent is not None, again)
        found.append((match.start(), match.end(), match.group(), new))
    for i in range(len(found) - 1):
        a, b = found[i], found[i + 1]
        if text[a[1] : b[0]].strip() in ("-", "–", "—", "to", "and", "or"):
            old = _value(a[2]), _value(b[2])
            new_values = _value(a[3]), _value(b[3])
            if (
                None not in (*old, *new_values)
                and len(a[2]) == len(b[2])
                and (old[0] < old[1]) != (new_values[0] < new_values[1])  # type: ignore[operator]
            ):
                found[i], found[i + 1] = (*a[:3], b[3]), (*b[:3], a[3])
    out = []
    position = 0
    for start, end, _, new in found:
        out += [text[position:start], new]
        position = end
    out.append(text[position:])
    return with_articles("".join(out))


def _value(text: str) -> float | None:
    if text.isalpha() or "-" in text:
        return read_words(text)
    digits = re.sub(r"\D", "", text)
    return float(digits) if digits else None


def _other_currency(text: str, rng: random.Random) -> str:
    """The same sum with the currency's name exchanged."""
    code, symbol, singular, plural = rng.choice(_CURRENCIES)
    text = _CURRENCY_NAME.sub(
        lambda m: plural if m.group().rstrip().endswith(("s", "r", "i")) else singular,
        text,
    )
    text = _CURRENCY_CODE.sub(code, text)
    return re.sub(r"[€£$¥₺₽]", lambda _: symbol, text)


def replace_quantities(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New quantities for a document; only numbers change.

    mentions (Sequence[Mention]): All mentions of quantities, in document order.
    draws (Draws): The document's draws.
    RETURNS (list[str]): One text a mention.
    """
    numbers = _Numbers(draws)
    new: dict[str, str] = {}
    for mention in mentions:
        text = mention.text
        if text not in new:
            new[text] = _quantity(mention, numbers, draws)
    return [new[m.text] for m in mentions]


def _quantity(mention: Mention, numbers: _Numbers, draws: Draws) -> str:
    text, key = mention.text, normalise(mention.text)

    def candidates() -> Iterator[str]:
        if draws.lang != "en":
            yield from _words_abroad(mention, draws)
        elif key in _VAGUE_OF:
            return
        yield from _heights(text, key, draws)
        yield from _plausible(text, key, draws)
        for again in range(8):
            yield _replace(text, numbers, bool(again))
            if not again and draws.forbidden(_TOKEN.sub(" ", text)):
                # What stands beside the numbers is masked itself ("Turkish liras").
                break
        if _CURRENCY_NAME.search(text) or _CURRENCY_CODE.search(text):
            rng = draws.random_for("currency", key)
            for _ in range(12):
                yield _other_currency(_replace(text, numbers, True), rng)

    found = draws.pick(candidates(), key, mention.before)
    if found is not None:
        return found
    rng = draws.random_for("quantity", key)
    pools = (_VAGUE_OF.get(key, ()), _SOME)
    if draws.lang != "en":
        pools = ((), _SOME_ABROAD[draws.lang])
    for pool in pools:
        cased = (in_place_of(item, mention) for item in shuffled(pool, rng))
        found = draws.pick(cased, key, mention.before)
        if found is not None:
            return found
    return draws.invent("quantity", key, mention.before, text)


def _words_abroad(mention: Mention, draws: Draws) -> Iterator[str]:
    """A number in words exchanged, whatever stands beside it left."""
    text = mention.text
    rng = draws.random_for("number-words", normalise(text))
    for row in _WORDS_ABROAD[draws.lang]:
        pattern = re.compile(rf"\b(?:{'|'.join(row)})\b", re.I)
        if pattern.search(text):
            for word in shuffled(row, rng):
                yield pattern.sub(partial(_like_word, word), text)
            return


def _like_word(new: str, old: re.Match[str]) -> str:
    return new[:1].upper() + new[1:] if old.group()[:1].isupper() else new


_HEIGHT = re.compile(
    r"(?<![\d.])(\d)(\s?(?:ft|feet|foot|['′])\.?\s?)(\d{1,2})"
    r"(\s?(?:in(?:ch(?:es)?)?\b|[\"″])|(?![\d.,%]))",
    re.I,
)
# A unit, the smaller one that may follow it, and how many of that it has.
_SUBUNITS = tuple(
    (
        re.compile(
            rf"(?<![\d.,])(\d{{1,4}})(\s?(?:{larger})\.?,?(?:\s(?:and\s)?)?)(\d{{1,2}})"
            rf"(?=\s?(?:{smaller})(?![^\W\d_]))",
            re.I,
        ),
        count,
    )
    for larger, smaller, count in (
        ("st|stones?", "lbs?|pounds?", 14),
        ("lbs?|pounds?", "oz|ounces?", 16),
        (
            "h|hrs?|hours?|Std|Stunden?|horas?|ч|час(?:а|ов)?",
            "m|min(?:ute|uto)?s?n?|мин(?:ут)?",
            60,
        ),
        (
            "m|min(?:ute|uto)?s?n?|мин(?:ут)?",
            "s|secs?|seconds?|Sekunden?|segundos?|сек(?:унд)?",
            60,
        ),
        ("yds?|yards?", "ft|feet|foot", 3),
        ("gal(?:lon)?s?", "pints?|pts?", 8),
    )
)
_DENOMINATORS = listed("half,third,quarter,fifth,sixth,seventh,eighth,ninth,tenth")
_FRACTION = re.compile(
    r"\b(?P<top>an?|one|two|three|four|five|six|seven|eight|nine)(?P<gap>[\s-])"
    r"(?P<bottom>half|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?"
    r"|tenths?)\b(?!\s+(?:time|year|day|floor|of\s+[A-Z]))|(?<![\d/.,])(?P<n>\d)/(?P<d>\d|10)(?![\d/.,])",
    re.I,
)
_TEMPERATURE = re.compile(
    r"(?<![\d.,-])(?P<value>\d{2,3}(?P<mark>[.,]\d{1,2})?)"
    r"(?=\s?(?:°\s?|º\s?|degrees?\s+|grados?\s+|Grad\s+|градус\w*\s+)?"
    r"(?P<scale>C|F|С|Celsius|Fahrenheit|Цельсия|centígrados)(?![^\W\d_])|\s?°(?!\s?\w))"
)
# Body temperatures: what is one, and what one may become.
_BODY = {"C": (34.0, 43.0, 35.0, 41.9), "F": (93.0, 109.5, 95.0, 107.5)}
# Heights of people.
_TALL = re.compile(
    r"(?<![\d.,])(?P<metres>[12][.,]\d\d?)(?=\s?m(?![^\W\d_²³]))"
    r"|(?<![\d.,])(?P<cm>1[2-9]\d|2[01]\d)(?=\s?(?:cm|см)(?![^\W\d_²³]))"
)


def _heights(text: str, key: str, draws: Draws) -> Iterator[str]:
    """Heights in feet and inches, the metric value beside them kept true."""
    match = _HEIGHT.search(text)
    if match is None:
        return
    old = int(match.group(1)) * 12 + int(match.group(3))
    rng = draws.random_for("height", key)
    for _ in range(12):
        inches = old + rng.choice((-4, -3, -2, -1, 1, 2, 3, 4))
        if inches < 12:
            continue
        new = f"{inches // 12}{match.group(2)}{inches % 12}{match.group(4)}"
        metric = f"{inches * 0.0254:.2f}"
        rest = re.sub(r"\b\d\.\d\d(?=\s?m\b)", metric, text[match.end() :])
        rest = re.sub(r"\b\d{3}(?=\s?cm\b)", str(round(inches * 2.54)), rest)
        yield text[: match.start()] + new + rest


def _age_steps(draws: Draws) -> list[int]:
    """Years that ages may move by, the preferred first."""
    rng = draws.random_for("age-shift", "")
    steps = [s * sign for s in (1, 2, 3, 4, 5, 6, 7) for sign in (1, -1)]
    first = rng.choice((2, -2, 3, -3, 4, -4))
    return [first, *(s for s in shuffled(steps, rng) if s != first)]


def fixed_age_step(draws: Draws) -> int:
    """Years that ages and dates of birth move by in all documents that share an
    interval, whatever each of them holds.

    draws (Draws): Draws of one of the documents.
    RETURNS (int): From the secret of the interval.
    """
    bits = draws.random_for(DATE_SHIFT, "").getrandbits(128)
    return random.Random(bits).choice((1, -1))


def coherent_age_step(draws: Draws, later: bool) -> int | None:
    """Years that all ages of a document can move by, so that dates of birth can follow.

    draws (Draws): The document's draws, with its ages.
    later (bool): Whether something happens soon after a birth: people may then only get
        older.
    RETURNS (Optional[int]): None if no such step is found.
    """
    olds = {text: ages_in(text) for text in draws.ages}
    for step in sorted(_age_steps(draws), key=abs):
        if later and step < 0:
            continue
        for text, old in olds.items():
            new = _shift_age(text, step, draws.lang)
            if new is None or new == text or draws.forbidden(new):
                break
            if ages_in(new) != [age + step for age in old]:
                break
        else:
            return step
    return None


def ages_in(text: str) -> list[int]:
    """Ages in years that a mention of an age holds, in figures or English words."""
    if _NO_YEARS.search(text):
        return []
    out = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        value = None
        if match.lastgroup == "figure" and token.isdecimal() and len(token) < 4:
            value = int(token)
        elif match.lastgroup == "words":
            value = read_words(token)
        if value is not None and value <= 120:
            out.append(value)
    return out


_NO_YEARS = re.compile(
    r"\d0s\b|month|week|day|mon|mes(?:es)?\b|мес|woch|seman|недел|tage|día|дн", re.I
)


def _plausible(text: str, key: str, draws: Draws) -> Iterator[str]:
    """Quantities that only some values are possible for: parts of larger units,
    fractions below one, temperatures and heights of bodies.

    text (str): The original.
    key (str): Its normal form.
    draws (Draws): The document's draws.
    YIELDS (str): New texts; nothing for other quantities.
    """
    for pattern, count in _SUBUNITS:
        match = pattern.search(text)
        if match is not None and int(match[3]) < count:
            rng = draws.random_for("plausible", key)
            for wider in range(12):
                head = new_count(int(match[1]), rng, wider // 4)
                rest = rng.randrange(1, count)
                new = (
                    f"{head}{match[2]}{rest:0{len(match[3])}d}"
                    if match[3][0] == "0"
                    else f"{head}{match[2]}{rest}"
                )
                yield text[: match.start()] + new + text[match.end() :]
            return
    once: random.Random | None = None
    for pattern, make in (
        (_FRACTION, _new_fraction),
        (_TEMPERATURE, _new_temperature),
        (_TALL, _new_height),
    ):
        if pattern.search(text):
            once = once or draws.random_for("plausible", key)
            for _ in range(12):
                new = pattern.sub(partial(make, rng=once), text)
                if new != text:
                    yield with_articles(new)


def _new_fraction(match: re.Match[str], rng: random.Random) -> str:
    """Another fraction below one, of one part for one and of several for several."""
    if match["n"]:
        top, bottom = int(match["n"]), int(match["d"])
        if not 0 < top < bottom:
            return match.group()
        if bottom == 10:
            # A score.
            return f"{rng.choice([n for n in range(1, 10) if n != top])}/10"
        new = rng.choice([d for d in (3, 4, 5, 7, 8) if d != bottom])
        return f"{rng.choice([n for n in range(1, new) if n % 2 or new % 2])}/{new}"
    plural = match["bottom"].lower().endswith("s")
    if not plural:
        names = [n for n in _DENOMINATORS if n != match["bottom"].lower()]
        bottom_word = match_case(rng.choice(names), match["bottom"])
        return match["top"] + match["gap"] + bottom_word
    old = read_words(match["top"]) or 2
    bottom = rng.randrange(max(3, old), 11)
    options = [n for n in range(2, bottom) if n != old]
    top = rng.choice(options) if options else 2
    names = match_case(f"{_DENOMINATORS[bottom - 2]}s", match["bottom"])  # type: ignore[assignment]
    return f"{in_words(top, match['top'])}{match['gap']}{names}"


def _new_temperature(match: re.Match[str], rng: random.Random) -> str:
    """Of a body a few tenths more or less, others as numbers are."""
    text = match["value"]
    value = float(text.replace(",", "."))
    scale = "F" if (match["scale"] or "")[:1] == "F" else "C"
    low, high, least, most = _BODY[scale]
    if not low <= value <= high:
        return new_figure(text, rng)
    digits = len(match["mark"] or ".") - 1
    step = rng.choice((-1, 1)) * rng.uniform(0.2, 1.2) * (1.8 if scale == "F" else 1)
    new = value + step if least <= value + step <= most else value - step
    new = min(most, max(least, new))
    if not digits and round(new) == value:
        new = value + (1 if step > 0 else -1)
    return f"{new:.{digits}f}".replace(".", text[2:3] if "," in text else ".")


def _new_height(match: re.Match[str], rng: random.Random) -> str:
    """Of people a few centimetres more or less."""
    text = match.group()
    digits = len(text) - 2 if match["metres"] else 0
    value = float(text.replace(",", "."))
    unit = 0.01 if digits == 2 else 0.1 if digits else 1
    step = rng.randint(1, 8 if unit != 0.1 else 1) * unit * rng.choice((-1, 1))
    new = f"{value + step:.{digits}f}"
    return new.replace(".", ",") if "," in text else new


def replace_ages(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New ages: all of a document's move by the same few years, minors stay minors.

    mentions (Sequence[Mention]): Mentions of ages ("36 years old", "aged twelve").
    draws (Draws): The document's draws.
    RETURNS (list[str]): One text a mention.
    """
    step = draws.age_step
    if step is None and has_fixed_interval(draws.random_for):
        step = fixed_age_step(draws)
    steps = _age_steps(draws)
    if step is not None:
        steps = [step, *(s for s in steps if s != step)]
    texts = list(dict.fromkeys(m.text for m in mentions))
    # Not where dates say how far ages may move.
    articles = [m for m in mentions if step is None and article_before(m.before)]
    genitive = {m.text for m in mentions if _OF.search(m.before)}
    best: dict[str, str] = {}
    most = -1
    for step in steps:
        trial = {}
        for text in texts:
            result = _shift_age(text, step, draws.lang, text in genitive)
            if result is not None and result != text and not draws.forbidden(result):
                trial[text] = result
        misfits = sum(
            not fits_article(trial.get(m.text, ""), m.before) for m in articles
        )
        if 2 * len(trial) * len(mentions) - misfits > most:
            most = 2 * len(trial) * len(mentions) - misfits
            best = trial
        if len(trial) == len(texts) and not misfits:
            break
    out = []
    others = _Numbers(draws)
    for mention in mentions:
        if mention.text not in best:
            best[mention.text] = _quantity(mention, others, draws)
        out.append(best[mention.text])
    for text, result in best.items():
        draws.claim(result, normalise(text))
    return out


_RUSSIAN_YEARS = re.compile(r"(\d{1,3})(\s+)(год|года|лет)(?![^\W_])", re.I)
# Before a number and its noun in the genitive.
_OF = re.compile(
    r"(?:возраст\w*|старше|моложе|около|после|до|от|достиг\w*)\s+(?:в\s+)?$", re.I
)


def _russian_years(new: str, old: str, genitive: bool) -> str:
    """A Russian age whose noun fits the new number: "34 года", "35 лет"."""
    olds = iter(_RUSSIAN_YEARS.finditer(old))

    def fit(match: re.Match[str]) -> str:
        was = next(olds)
        form, unit = count_form(int(was[1]), "ru"), was[3].lower()
        told = genitive or unit != ("год", "года", "лет")[form]
        form = count_form(int(match[1]), "ru")
        noun = ("года", "лет", "лет")[form] if told else ("год", "года", "лет")[form]
        return match[1] + match[2] + match_case(noun, match[3])

    return _RUSSIAN_YEARS.sub(fit, new)


def _age_in_words(text: str, step: int, lang: str) -> str | None:
    """An age in words, or with one as its first part ("zweijährig"), a little more or
    less."""
    for row in COUNTS_ABROAD.get(lang, ()):
        words = "|".join(row)
        match = re.search(rf"\b({words})(?=jährig|летн|\b)", text, re.I)
        if match is None:
            continue
        at = row.index(match[1].lower())
        steps = (1, -1) if step > 0 else (-1, 1)
        new = next(row[at + s] for s in steps if 0 <= at + s < len(row))
        if match[1][0].isupper():
            new = new.capitalize()
        return text[: match.start()] + new + text[match.end() :]
    return None


def is_age_in_words(text: str, lang: str) -> bool:
    """Whether a text has a small number in words: "dos años", "zweijährig".

    text (str): A mention of an age.
    lang (str): Code of a language other than English.
    RETURNS (bool): True if its number can be exchanged.
    """
    return len(text) < 60 and _age_in_words(text, 1, lang) is not None


def _shift_age_abroad(
    text: str, step: int, lang: str, genitive: bool = False
) -> str | None:
    """An age some years on; nouns beside it keep their form, but Russian years."""
    if not re.search(r"\d", text):
        return _age_in_words(text, step, lang)
    tens = re.match(r"((?:Anfang|Mitte|Ende)\s)([2-8])0$", text)
    if tens:
        digit = int(tens[2])
        digit += 1 if (step > 0 or digit < 3) and digit < 8 else -1
        return f"{tens[1]}{digit}0"
    years = re.search(r"mon|mes|мес|woch|seman|недел|tage|día|дн", text, re.I) is None

    def move(match: re.Match[str]) -> str:
        value = int(match.group()[:4])
        if value > 130:
            return match.group()
        form = count_form(value, lang)
        # Adjectives ("35-jährig") and "a." have one form for all.
        bound = re.match(
            r"-?\s?(?:jährig|летн|a\.|$|(?:год|года|лет)(?![^\W_]))",
            text[match.end() :],
        )
        low, high = (1, 17) if value < 18 and years else (18, 120)
        low = low if years else 1
        steps = [s * sign for s in range(abs(step), abs(step) + 24) for sign in (1, -1)]
        if step < 0:
            steps = [-s for s in steps]
        steps += [s * sign for s in range(1, abs(step)) for sign in (1, -1)]
        for shift in steps:
            new = value + shift
            if low <= new <= high and (bound or count_form(new, lang) == form):
                return str(new)
        return str(value + 1)

    new = re.sub(r"\d+", move, text)
    if lang == "ru":
        return _russian_years(new, text, genitive)
    if re.search(r"(?<!\d)1(?!\d)", text) and not re.search(r"(?<!\d)1(?!\d)", new):
        new = re.sub(
            r"(?<=\d )[^\W\d_]+", lambda m: plural_unit(m.group(), lang), new, count=1
        )
    return new


def _shift_age(
    text: str, step: int, lang: str = "en", genitive: bool = False
) -> str | None:
    if lang != "en":
        return _shift_age_abroad(text, step, lang, genitive)
    changed = False

    def move(value: int, years: bool) -> int:
        if not years:
            return max(1, value + (1 if step > 0 else -1) or value + 1)
        low, high = (1, 17) if value < 18 else (18, 120)
        for new in (value + step, value - step, value + 1, value - 1):
            if low <= new <= high:
                return new
        new = value + 1
        return new if new > 0 else value + 1

    years = re.search(r"month|week|day", text, re.I) is None

    def replace(match: re.Match[str]) -> str:
        nonlocal changed
        kind = match.lastgroup
        token = match.group()
        if (
            kind == "figure"
            and token.isdecimal()
            and token.isascii()
            and len(token) <= 3
        ):
            changed = True
            return str(move(int(token), years))
        if kind == "words":
            value = read_words(token)
            if value is not None and value <= 120:
                changed = True
                return in_words(move(value, years), token)
        if kind == "ordinal" and len(token) <= 5:
            changed = True
            number = move(int(token[:-2]), years)
            return f"{number}{ordinal_suffix(number)}"
        return token

    decade = re.search(r"\b([1-9])0s\b", text)
    if decade:
        digit = int(decade.group(1)) + (1 if step > 0 else -1)
        digit = digit if 1 <= digit <= 9 else 5
        return text[: decade.start(1)] + str(digit) + text[decade.end(1) :]
    lower = text.lower()
    for i, word in enumerate(DECADES):
        if word in lower:
            new = DECADES[(i + (1 if step > 0 else -1)) % len(DECADES)]
            return re.sub(word, match_case(new, text), text, flags=re.I)
    result = _TOKEN.sub(replace, text)
    return result if changed else None
