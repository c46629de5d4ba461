"""New numbers: quantities, sums of money, counts in figures and words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from ..data import table
from ..gazetteers.lexicon import is_vocabulary
from ..text.case import like_first, match_case
from ..text.number_words import (
    ORDINAL,
    YEARS,
    Said,
    in_words,
    number_words,
    ordinal_in_words,
    read_ordinal,
    read_words,
)
from ..text.numbers import (
    ORDINAL_PATTERN,
    SCALES,
    WORDS_PATTERN,
    count_form,
    ordinal_suffix,
    suffixed,
    words_of,
)
from ..text.offsets import splice
from .base import (
    Draws,
    Mention,
    in_place_of,
    normalise,
    shuffled,
    told_by,
    with_articles,
)
from .rules import Rule, apply
from .term_rows import plural

TOKEN = re.compile(
    rf"""
    (?P<ordinal>\b\d{{1,9}}(?:st|nd|rd|th)\b)
  | (?P<figure>\d+(?:[.,'’\u00a0\u202f\ ]\d{{3}}(?!\d))*(?:[.,]\d+)*|(?<!\w)\.\d+)
  | (?P<words>\b{WORDS_PATTERN}\b|\b(?:half\s+)?a(?=\s+(?:{"|".join(SCALES)})\b))
  | (?P<ordword>\b(?:{ORDINAL_PATTERN})\b)
    """,
    re.X | re.I,
)
_CURRENCY_NAME = re.compile(
    r"(?:(?-i:\b(?!Hundred|Thousand|[MBT]r?illion)[A-Z][a-zé]+)\s+|\bnew\s+)?"
    rf"\b(?:{told_by('currency')})\b",
    re.I,
)
_CURRENCY_CODE = re.compile(r"\b[A-Z]{3}\b")
_CURRENCIES = _CURRENCY_NAME, _CURRENCY_CODE
_PERCENT_BEHIND = re.compile(r"\s*(?:%|per\s?cent\b|percent)")
_RANGE_SIGNS = ("-", "–", "—", "to", "and", "or")


def new_count(value: int, rng: random.Random, wider: int = 0) -> int:
    """Another number of like size: as many digits, trailing zeros kept, 2 or more for
    whatever is a plural; `wider` is how often near ones have been refused."""
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


def same_form(
    value: int, rng: random.Random, lang: str, low: int = 0, high: int = 10**9
) -> int:
    """Another number of like size before a noun in the same form ("25 лет", "21 год"), from
    `low` to `high`; where one alone has the singular, it becomes two or more."""
    form = count_form(value, lang)
    for wider in range(400):
        new = new_count(max(value, 2), rng, wider // 40)
        if low <= new <= high and new != value and count_form(new, lang) == form:
            return new
    near = (n for step in range(1, 101) for n in (value + step, value - step))
    fits = (n for n in near if max(low, 1) <= n <= high and count_form(n, lang) == form)
    return next(fits, value + 1)


def figure_in_name(text: str, rng: random.Random) -> str:
    """Another number for one in a name: a year near by for what looks like one ("the cup
    of 1966"), which is never in the future; a number of like size for others ("2nd")."""
    if len(text) == 4 and text.isdecimal() and 1500 <= int(text) < 2100:
        return str(int(text) - rng.randrange(1, 10))
    new = new_figure(text.rstrip("dhnrst"), rng)
    return new + ("" if text.isdecimal() else ordinal_suffix(int(new)))


def new_figure(
    text: str, rng: random.Random, percent: bool = False, wider: int = 0
) -> str:
    """A number in figures, written in the same way ("4,684.40", "30 000", ".983"):
    separators and trailing zeros stay in place, a `percent` up to 100 stays so."""
    if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) < 7:
        return str(_new_integer(int(text), rng, percent, wider))
    out = list(text)
    positions = [i for i, ch in enumerate(text) if ch.isdecimal()]
    digits = [text[i] for i in positions]
    worth = [n for n, old in enumerate(digits) if old != "0"] or [0]
    first, last = min(worth[0], len(digits) - 1), worth[-1]
    for n, (i, old) in enumerate(zip(positions, digits)):
        if n < first or n > last:
            continue
        if n == first and len(digits) > 1:
            # The leading digit moves a little, so that the size stays alike.
            value = int(old)
            out[i] = str(rng.choice(range(max(1, value - 2), min(9, value + 2) + 1)))
        else:
            out[i] = rng.choice("123456789" if n in (last, first) else "0123456789")
    return "".join(out)


def _new_integer(value: int, rng: random.Random, percent: bool, wider: int) -> int:
    new = new_count(value, rng, wider)
    if percent and value <= 100:
        near = range(max(1, value - 12), min(99, value + 12))
        return rng.choice([n for n in near if n != value])
    if len(str(new)) != len(str(value)) and value > 1:
        return new_count(value, rng)
    return new


class Numbers:
    """New numbers of one document: the same figures give the same new ones. In names
    ("1976 Winter Olympics") four figures are a year."""

    def __init__(self, draws: Draws, in_names: bool = False):
        self.draws = draws
        self.in_names = in_names
        self.known: dict[str, str] = {}
        self.taken: dict[str, str] = {}
        self.generators: dict[str, random.Random] = {}

    def new(self, token: str, kind: str, percent: bool, again: bool) -> str:
        """The new number for one in a text, written in the same way; `again` if what was
        drawn before has been refused."""
        key = f"{kind} {normalise(token)}{'%' if percent else ''}"
        if key not in self.known or again:
            self.known[key] = self._drawn(key, token, kind, percent)
        new = self.known[key]
        self.taken[f"{kind} {normalise(new)}"] = key
        return like_first(new.lower(), token) if token[:1].isalpha() else new

    def _drawn(self, key: str, token: str, kind: str, percent: bool) -> str:
        if key not in self.generators:
            self.generators[key] = self.draws.random_for("number", key)
        rng = self.generators[key]
        new = token
        for i in range(60):
            new = getattr(self, f"_{kind}")(token, rng, percent, i // 10)
            form = normalise(new)
            owner = self.taken.get(f"{kind} {form}", key)
            free = form != normalise(token) and owner == key
            if free and not self.draws.forbidden(new):
                break
        return new

    def _figure(self, token: str, rng: random.Random, percent: bool, wider: int) -> str:
        lang = self.draws.lang
        plain = token.isascii() and token.isdecimal() and token[0] != "0"
        if words_of(lang)["few"] and plain and len(token) < 7 and not percent:
            # The noun behind is declined by its number.
            return str(same_form(int(token), rng, lang))
        if self.in_names and plain and len(token) == 4:
            return figure_in_name(token, rng)
        return new_figure(token, rng, percent, wider)

    def _ordinal(self, token: str, rng: random.Random, _: bool, wider: int) -> str:
        number = new_count(int(token[:-2]), rng, wider)
        return f"{number}{suffixed(number, token[-2:])}"

    def _ordword(self, token: str, rng: random.Random, _: bool, wider: int) -> str:
        value = read_ordinal(token) or rng.randint(2, 19)
        return ordinal_in_words(min(99, new_count(value, rng, wider)), token)

    def _words(self, token: str, rng: random.Random, _: bool, wider: int) -> str:
        value = read_words(token)
        new = rng.randint(2, 19) if value is None else new_count(value, rng, wider)
        return in_words(min(999, new), token)

    def replace(self, text: str, again: bool = False) -> str:
        """A text with all its numbers exchanged, ranges kept in order."""
        found: list[tuple[int, int, str, str]] = []
        for match in TOKEN.finditer(text):
            kind = match.lastgroup or "figure"
            percent = _PERCENT_BEHIND.match(text, match.end(), match.end() + 12)
            new = self.new(match.group(), kind, percent is not None, again)
            found.append((match.start(), match.end(), match.group(), new))
        for i in range(len(found) - 1):
            a, b = found[i], found[i + 1]
            if text[a[1] : b[0]].strip() in _RANGE_SIGNS and _turned(a, b):
                found[i], found[i + 1] = (*a[:3], b[3]), (*b[:3], a[3])
        edits = ((start, end, new) for start, end, _, new in found)
        return with_articles(splice(text, edits))


def _turned(a: tuple[int, int, str, str], b: tuple[int, int, str, str]) -> bool:
    """Whether the new ends of a range stand in the other order."""
    if len(a[2]) != len(b[2]):
        return False
    values = [_value(text) for text in (a[2], b[2], a[3], b[3])]
    old_a, old_b, new_a, new_b = (v if v is not None else -1.0 for v in values)
    return None not in values and (old_a < old_b) != (new_a < new_b)


def _value(text: str) -> float | None:
    if text.isalpha() or "-" in text:
        return read_words(text)
    digits = re.sub(r"\D", "", text)
    return float(digits) if digits else None


class _Quantity:
    """One quantity to replace."""

    def __init__(self, mention: Mention, numbers: Numbers, draws: Draws):
        self.mention, self.numbers, self.draws = mention, numbers, draws
        self.text, self.key = mention.text, normalise(mention.text)
        self.english = draws.lang == "en"
        groups = words_of(draws.lang).get("alike", ())
        found = (g for g in reversed(groups) if self.key in g)
        self.alike: Sequence[str] = next(found, ())

    def rng(self, kind: str) -> random.Random:
        return self.draws.random_for(kind, self.key)


def replace_quantities(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New quantities for a document; only numbers change."""
    numbers = Numbers(draws)
    new: dict[str, str] = {}
    for mention in mentions:
        if mention.text not in new:
            new[mention.text] = new_quantity(mention, numbers, draws)
    return [new[m.text] for m in mentions]


def new_quantity(mention: Mention, numbers: Numbers, draws: Draws) -> str:
    """The new text of one quantity."""
    case = _Quantity(mention, numbers, draws)
    found = apply(_RULES, case, draws, case.key, mention.before)
    return found or draws.invent("quantity", case.key, mention.before, case.text)


def is_said(text: str, lang: str) -> bool:
    """Whether a text is a number in words, alone or with one word more: "treinta años"."""
    found = [s for s in number_words(lang).find(text) if s.form.series != ORDINAL]
    rest = splice(text, ((said.start, said.end, "") for said in found))
    return bool(found) and len(rest.split()) < 2


def small_numbers(text: str, lang: str) -> list[Said]:
    """The numbers in words that no capital tells for names: "Lindenweg sieben"."""
    return [x for x in number_words(lang).find(text) if text[x.start].islower()]


def other_said(
    text: str, lang: str, rng: random.Random, most: int = 10**9
) -> Iterator[str]:
    """A text with other numbers of like size for those that it has in words.

    text (str): The text, "Dreiundzwanzig Jahre".
    lang (str): Its language.
    rng (Random): What they are drawn with.
    most (int): The largest new number.
    YIELDS (str): Texts, each with other numbers; none if there is no number.
    """
    words = number_words(lang)
    found = words.find(text)
    # A year counts nothing.
    counts = found and all(said.value // 100 not in YEARS for said in found)
    for wider in range(20 if counts else 0):
        edits = []
        for said in found:
            old = text[said.start : said.end]
            if words_of(lang)["few"] and said.form.series != ORDINAL:
                new = same_form(said.value, rng, lang, high=most)
                # "Две" and "два" tell a gender, "три" does not.
                if new % 10 == 2 != said.value % 10:
                    new += 2 if new + 1 == said.value else 1
            else:
                new = min(most, new_count(said.value, rng, wider // 4))
            written = words.say(new, said.form, old)
            for man, woman in words_of(lang).get("women", {}).items():
                if old.lower().endswith(woman):
                    written = re.sub(rf"{man}$", woman, written)
            edits.append((said.start, said.end, written))
        if all(new for _, _, new in edits):
            yield splice(text, edits)


def _number_words(case: _Quantity) -> Iterator[str]:
    """A number in words of a language other than English."""
    lang = case.draws.lang
    rng = case.rng("number-words")
    # "две тысячи" is two of what is a thousand.
    scales = "|".join(words_of(lang).get("scales", ())) or "(?!)"
    scale = re.search(rf"\s(?:{scales})\b", case.text, re.I)
    head = case.text[: scale.start()] if scale else case.text
    if _exact(case):
        rest = case.text[len(head) :]
        others = other_said(rest, lang, rng) if scale else iter(())
        for new in other_said(head, lang, rng):
            yield new + next(others, rest)
    figures = any(map(str.isdecimal, case.text))
    for row in (tuple(r.split()) for r in words_of(lang)["words"] if not figures):
        pattern = re.compile(rf"\b(?:{'|'.join(row)})\b", re.I)
        if found := pattern.search(case.text):
            for word in shuffled(row, rng):
                yield pattern.sub(like_first(word, found[0]), case.text)
            return


_HEIGHT = re.compile(
    rf"(?<![\w.])(\d|{WORDS_PATTERN})(\s?(?:ft|feet|foot|['′])\.?\s?|-)"
    rf"(\d{{1,2}}|{WORDS_PATTERN})(\s?(?:in(?:ch(?:es)?)?\b|[\"″])|(?![\w.,%-]))",
    re.I,
)
_BEFORE_HEIGHT = re.compile(r"\b(?:height|ht|hgt|tall|stands)\W+$", re.I)
# A unit and the smaller one that may follow it.
_SUBUNITS = tuple(
    (
        re.compile(
            rf"(?<![\d.,])(\d{{1,4}})(\s?(?:{row['larger']})\.?,?(?:\s(?:and\s)?)?)(\d{{1,2}})"
            rf"(?=\s?(?:{row['smaller']})(?![^\W\d_]))",
            re.I,
        ),
        int(row["count"]),
    )
    for row in table("subunits")
)
_DENOMINATORS = "half third quarter fifth sixth seventh eighth ninth tenth".split()
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
# Weeks and days of a pregnancy: "39+2".
_WEEKS = re.compile(r"(?<![\d.,+])([1-3]\d|4[0-2])\+[0-6](?!\d)")
# Heights of people.
_TALL = re.compile(
    r"(?<![\d.,])(?P<metres>[12][.,]\d\d?)(?=\s?m(?:et(?:er|re|ro)s?)?(?![^\W\d_²³]))"
    r"|(?<![\d.,])(?P<cm>4[5-9]|5\d|1[2-9]\d|2[01]\d)(?=\s?(?:cm|см)(?![^\W\d_²³]))",
    re.I,
)


def _like(value: int, old: str) -> str:
    """A number in figures or words, as an old one is."""
    zero = old[0] == "0"
    return f"{value:0{1 + zero}d}" if old.isdecimal() else in_words(value, old)


def _marks(case: _Quantity) -> Iterator[str]:
    """A mark of a school, which has a best one."""
    before, most = words_of(case.draws.lang).get("marks", ("(?!)", 0))
    told = re.search(before, f"{case.mention.before}|{case.text}")
    rng = case.rng("plausible")
    made = (new_figure(case.text, rng) for _ in range(40 if told else 0))
    yield from (x for x in made if 2 <= float(x.replace(",", ".")) <= most)


def _heights(case: _Quantity) -> Iterator[str]:
    """Heights in feet and inches, the metric value beside them kept true."""
    match, told = _HEIGHT.search(case.text), _BEFORE_HEIGHT.search(case.mention.before)
    if match is None or (match[2] == "-" and not told):
        return
    feet, over = (int(read_words(match[i]) or match[i]) for i in (1, 3))
    old, rng = feet * 12 + over, case.rng("height")
    for _ in range(12):
        inches = old + rng.choice((-4, -3, -2, -1, 1, 2, 3, 4))
        if inches < 12:
            continue
        feet, over = divmod(inches, 12)
        new = f"{_like(feet, match[1])}{match[2]}{_like(over, match[3])}{match[4]}"
        rest = case.text[match.end() :]
        rest = re.sub(r"\b\d\.\d\d(?=\s?m\b)", f"{inches * 0.0254:.2f}", rest)
        rest = re.sub(r"\b\d{3}(?=\s?cm\b)", str(round(inches * 2.54)), rest)
        yield case.text[: match.start()] + new + rest


def _units_in_units(case: _Quantity) -> Iterator[str]:
    """ "11 st 4 lb": the smaller unit stays below the larger."""
    text, rng = case.text, case.rng("plausible")
    for pattern, count in _SUBUNITS:
        match = pattern.search(text)
        if match is None or int(match[3]) >= count:
            continue
        for wider in range(12):
            head = new_count(int(match[1]), rng, wider // 4)
            rest = str(rng.randrange(1, count))
            rest = rest.zfill(len(match[3])) if match[3][0] == "0" else rest
            new = f"{head}{match[2]}{rest}"
            yield text[: match.start()] + new + text[match.end() :]
        return


def _limited(case: _Quantity) -> Iterator[str]:
    """Fractions below one, temperatures and heights of bodies."""
    text, rng = case.text, case.rng("plausible")
    for pattern, make in _LIMITED:
        # The unit may stand behind.
        found = [*pattern.finditer(text + case.mention.after[:12])]
        found = [m for m in found if m.end() <= len(text)]
        for _ in range(12 if found else 0):
            new = splice(text, ((*m.span(), make(m, rng)) for m in found))
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
    if not match["bottom"].lower().endswith("s"):
        names = [n for n in _DENOMINATORS if n != match["bottom"].lower()]
        part = match_case(rng.choice(names), match["bottom"])
        return match["top"] + match["gap"] + part
    old = read_words(match["top"]) or 2
    bottom = rng.randrange(max(3, old), 11)
    top = rng.choice([n for n in range(2, bottom) if n != old] or [2])
    parts = match_case(f"{_DENOMINATORS[bottom - 2]}s", match["bottom"])
    return f"{in_words(top, match['top'])}{match['gap']}{parts}"


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
    return f"{new:.{digits}f}".replace(".", "," if "," in text else ".")


def _new_height(match: re.Match[str], rng: random.Random) -> str:
    """Of people a few centimetres more or less."""
    text = match.group()
    digits = len(text) - 2 if match["metres"] else 0
    unit = 0.01 if digits == 2 else 0.1 if digits else 1
    step = rng.randint(1, 8 if unit != 0.1 else 1) * unit * rng.choice((-1, 1))
    new = f"{float(text.replace(',', '.')) + step:.{digits}f}"
    return new.replace(".", ",") if "," in text else new


_LIMITED = (
    (_WEEKS, lambda m, rng: f"{int(m[1]) - rng.randint(0, 2)}+{rng.randint(0, 6)}"),
    (_FRACTION, _new_fraction),
    (_TEMPERATURE, _new_temperature),
    (_TALL, _new_height),
)


def _any_numbers(case: _Quantity) -> Iterator[str]:
    """Every number of the text exchanged, all else left."""
    for again in range(8):
        yield case.numbers.replace(case.text, bool(again))
        if not again and case.draws.forbidden(TOKEN.sub(" ", case.text)):
            # What stands beside the numbers is masked itself ("Turkish liras").
            return


def _other_currency(case: _Quantity) -> Iterator[str]:
    """The same with another currency."""
    rng = case.rng("currency")
    for _ in range(12):
        code, symbol, one, many = rng.choice(table("neutral_currencies")).values()
        text = case.numbers.replace(case.text, True)
        old = [(*m.span(), m[0].rstrip()[-1:]) for m in _CURRENCY_NAME.finditer(text)]
        names = ((a, b, many if last in "sri" else one) for a, b, last in old)
        text = _CURRENCY_CODE.sub(code, splice(text, names))
        yield re.sub(r"[€£$¥₺₽]", symbol, text)


def _in_place(case: _Quantity, pool: Sequence[str]) -> Iterator[str]:
    for item in shuffled(pool, case.rng("quantity")):
        yield in_place_of(item, case.mention)


# "one living son", "no children".
_ONE = re.compile(
    r"(?P<number>one|1|no)(?P<noun>(?:\s[a-z]+)?\s(?P<last>[a-z]{3,}))", re.I
)
# What is counted otherwise, or is no thing.
_UNCOUNTED = re.compile(rf"\b(?:{told_by('uncounted')})\b", re.I)


def _several(case: _Quantity) -> Iterator[str]:
    """Some of what there is one or none of, which then stands in the plural."""
    match = _ONE.fullmatch(case.text)
    if match is None or _UNCOUNTED.search(case.text):
        return
    noun, none = match["noun"], match["number"].lower() == "no"
    many = match["last"].endswith(("s", "children", "men", "women"))
    if is_said(match["last"], "en"):
        # "one sixty eight"
        yield from other_said(case.text, "en", case.rng("several"))
        return
    if many != none or not is_vocabulary(match["last"].lower()):
        return
    noun = noun if none else plural(noun)
    for value in shuffled(range(2, 5), case.rng("several")):
        number = str(value) if match["number"] == "1" else in_words(value)
        yield match_case(number, match["number"]) + noun


def _exact(case: _Quantity) -> bool:
    return not case.alike


# What vague amounts ("several") skip says `_exact`.
_RULES: tuple[Rule[_Quantity], ...] = (
    Rule("small number in words", _number_words, lambda case: not case.english),
    Rule("several of one", _several, lambda case: case.english and _exact(case)),
    Rule("mark of a school", _marks, _exact),
    Rule("feet and inches", _heights, _exact),
    Rule("smaller units", _units_in_units, _exact),
    Rule("fractions, temperatures, heights", _limited, _exact),
    Rule("any numbers", _any_numbers, _exact),
    Rule(
        "another currency",
        _other_currency,
        lambda c: _exact(c) and any(told.search(c.text) for told in _CURRENCIES),
    ),
    Rule("as vague", lambda c: _in_place(c, c.alike)),
    Rule("a neutral amount", lambda c: _in_place(c, words_of(c.draws.lang)["some"])),
)
