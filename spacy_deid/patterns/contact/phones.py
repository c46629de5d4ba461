"""Telephone and fax numbers of any country.

Numbers are recognised by their form, since lists of valid numbers change and people
mistype; the library of numbering plans decides where a run of digits ends, raises the
score and gives the reason.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from ...data import table
from ...registries import registry
from ...text.words import before
from ..base import Hit, Recognizer, Text
from ..separated import SeparatingRecognizer
from ..tables import Forms, Patterns, word_set, words
from ..words import words_before
from .phone_plans import check_countries, international, national

# Whose national numbers are looked up, the likelier ones first; international numbers
# are known from everywhere.
DEFAULT_COUNTRIES = words("phone.countries")

_LONGEST = 15
_MEMORY = 20_000
# How much of the text before a number tells what it is.
_CONTEXT = 60
# A longer run of digits and blanks is a table of figures.
_TABLE = 120
_DIGITS = str.maketrans("123456789", "000000000")

# Confidence in a candidate, and why.
_Verdict = tuple[float, str]
_Judge = Callable[[str], _Verdict]
_NONE: _Verdict = (0.0, "")
_VANITY = Forms("phone")
P = Patterns("phone_forms")
# Ways of writing national numbers without zero or bracket before.
_FORMS = table("patterns/phones")
_FORM = re.compile(
    "|".join(f"(?P<f{i}>(?:{f['form']})(?![0-9]))" for i, f in enumerate(_FORMS))
)
# What one also does to people and places: weaker evidence.
_VERBS = word_set("phone.verb")
# Words that say so only beside others.
_NUMBER_WORDS = word_set("phone.number")
# What a number is instead when one of these stands before it.
_OTHER_NUMBERS = word_set("phone.other")
# Before amounts and years; forms that nothing else has stand against them.
_APPROXIMATE = word_set("phone.approximate")
_GENERIC = word_set("phone.generic")
_PLACES = word_set("phone.places")
_BOOKS = frozenset(("isbn", "isbn-10", "isbn-13"))


class PhoneFinder:
    """Finds telephone numbers.

    countries (Sequence[str]): Countries whose national numbers are looked up.
    """

    def __init__(self, countries: Sequence[str] = DEFAULT_COUNTRIES) -> None:
        self.countries = check_countries(countries)

    def __call__(self, text: Text) -> Iterator[Hit]:
        """Find telephone numbers."""
        if not text.has_digits:
            return
        # Of less than five digits only words are spelled.
        if text.digits > 4 and text.numbers:
            scan = _Scan(self.countries, text)
            yield from scan.by_form()
            yield from scan.named()
            yield from scan.broken()
        if P.capitals.search(text):
            yield from _VANITY(text)


class _Scan:
    """The search of one text."""

    def __init__(self, countries: tuple[str, ...], text: Text) -> None:
        self.countries = countries
        self.text = text
        # Where the last number ends: another may begin there without any mark.
        self.last = -1
        self.table = 0
        # What the library knows: where a national number is valid, and how good one
        # with country code is, and of which country. Documents repeat themselves.
        self.country = lru_cache(_MEMORY)(partial(national, countries))
        self.abroad = lru_cache(_MEMORY)(international)
        self.shapes: tuple[tuple[re.Pattern[str], _Judge, int], ...] = (
            (P.international, self.judge_international, _LONGEST),
            (P.trunk, self.judge_trunk, 13),
            (P.bracketed, self.judge_bracketed, 12),
        )

    # Forms that need no word beside them.

    def by_form(self) -> Iterator[Hit]:
        """Numbers told by their form, or by a word that follows."""
        text = self.text
        # Where rows of enough digits begin, and what may begin after their first group.
        heads = {m.start() for m in P.head.finditer(text)}
        leads = (P.lead.match(text, head) for head in heads)
        heads.update([m.end() for m in leads if m is not None])
        starts = deque(sorted(heads))
        while starts:
            start = starts.popleft()
            found = self.at(start) if start >= self.last else None
            if found is not None:
                yield found
                self.last = found.end
                if (following := P.between.match(text, found.end)) is not None:
                    starts.appendleft(following.end())
                below = P.below.match(text, found.end)
                if below is not None and not (_other(below["v"]) or _dates(below["v"])):
                    verdict = (0.6, "below a telephone number")
                    yield _phone(below.start("v"), below.end("v"), verdict)

    def broken(self) -> Iterator[Hit]:
        """Numbers that the end of a line breaks."""
        if not (ends := [m.start() for m in P.broken.finditer(self.text)]):
            return
        joined = list(self.text)
        for end in ends:
            joined[end] = " "
        for h in _Scan(self.countries, Text("".join(joined))).by_form():
            across = bisect_left(ends, h.start) < bisect_left(ends, h.end)
            # A line of figures only is a row of a table.
            line = self.text[max(0, h.start - _CONTEXT) : h.start].rpartition("\n")[2]
            if across and h.score >= 0.6 and any(map(str.isalpha, line)):
                yield h._replace(reason=f"{h.reason}; broken over a line end")

    def at(self, start: int) -> Hit | None:
        """The number whose first group begins at an offset."""
        text = self.text
        prefix = P.prefix.search(text, max(0, self.last, start - 4), start)
        begin = prefix.start() if prefix else start
        if text[begin] in "+(0178":
            for form, judge, most in self.shapes:
                m = form.match(text, begin)
                # The form is tested more quickly than what stands before.
                end = m.end() if m and self.free(begin) else 0
                if end and (found := self.best(begin, end, judge, most)) is not None:
                    return found
        if start >= self.table and (found := self.plain(start)) is not None:
            return found
        zone = P.zone_after.match(text, start)
        if zone is None or not P.named_after.match(text, zone.end()):
            return None
        if text[begin - 1 : begin] in tuple("._,:/$€£-"):
            return None
        judge = partial(self.judge_named, "before a telephone word", False)
        return self.best(begin, zone.end(), judge, _LONGEST)

    def plain(self, start: int) -> Hit | None:
        """The number that begins with neither zero nor bracket, or has no gaps."""
        text = self.text
        if (m := P.gapless.match(text, start)) is not None:
            self.table = m.end()
            return self.plain_digits(start, m[0])
        if not P.form_start.match(text, start):
            return None
        run = P.run.match(text, start)
        if run and run.end() - start > _TABLE:
            self.table = run.end()
            return None
        if (other := P.other_start.match(text, start)) is not None:
            self.table = other.end()
            return None
        return self.plain_form(start)

    def plain_form(self, start: int) -> Hit | None:
        """The number in one of the forms of the table that begins at an offset."""
        if (m := _FORM.match(self.text, start)) is None or _other(m[0]) or _dates(m[0]):
            return None
        row = _FORMS[int((m.lastgroup or "f0")[1:])]
        score = float(row["score"])
        # Some forms are shared with other numbers.
        if not self.stands(start, m.end(), weak=score < 0.65):
            return None
        verdict = _national(row["title"], self.country(_digits(m[0])), score)
        if verdict[0] < 0.75 and P.decimals.match(self.text, m.end()):
            return None
        return _phone(start, self.tail(m.end()), verdict)

    def plain_digits(self, start: int, digits: str) -> Hit | None:
        """The number that a run of digits is."""
        text, end = self.text, start + len(digits)
        score = _plain_score(digits)
        if not score or (score <= 0.5 and not self.alone(start, end)):
            return None
        colon = P.colon.search(text, max(0, start - 3), start)
        if colon or not self.stands(start, end, weak=True):
            return None
        country = self.country(digits) if len(digits) < 12 else ""
        if len(digits) > 11 and self.abroad(digits)[0] == 1:
            country = self.abroad(digits)[1]
        if score < 0.6 and not country:
            return None
        reason = "digits as of a telephone number"
        if country:
            reason = f"valid telephone number ({country}) written without gaps"
        return _phone(start, self.tail(end), (score, reason))

    def alone(self, start: int, end: int) -> bool:
        """Whether nothing else stands in the line or the cell of a table."""
        left = P.cell_left.search(self.text, max(0, start - 3), start)
        return bool(left and P.cell_right.match(self.text, end))

    def judge_international(self, value: str) -> _Verdict:
        """A number with a plus or the digits dialled instead."""
        digits = _digits(value.replace("(0)", ""))
        plus = "+" in value[:2]
        if not plus:
            if not value.lstrip("(").startswith(("00", "011")):
                return _NONE
            digits = digits[3 if digits.startswith("011") else 2 :]
        if not 7 <= len(digits) <= _LONGEST or not _balanced(value):
            return _NONE
        likely, country = self.abroad(digits)
        # "x + 7.474958"
        if P.decimal.fullmatch(value) and (likely < 1 or value[1] == " "):
            return _NONE
        if likely == 1:
            return 0.97, f"valid international telephone number ({country})"
        if likely > 0.1 or (likely and (plus or digits[0] == "1")):
            score = 0.85 if likely > 0.1 else 0.7
            return score, "form of an international telephone number"
        return _NONE

    def judge_trunk(self, value: str) -> _Verdict:
        """A number that begins with the zero dialled within a country."""
        digits = _digits(value)
        if not 8 <= len(digits) <= 13 or not _balanced(value) or _other(value):
            return _NONE
        if value.isdigit() or (value.count("/") > 1 and not P.slashes.fullmatch(value)):
            return _NONE
        if digits.startswith("00") and not P.three_three_four.fullmatch(value):
            return _NONE
        country = self.country(digits)
        if len(digits) == 8 and not (country and P.short_trunk.search(value)):
            return _NONE
        return _national("a telephone number with area code", country, 0.68)

    def judge_bracketed(self, value: str) -> _Verdict:
        """A number whose area code stands in brackets."""
        digits = _digits(value)
        area, _, rest = value.partition("(")[2].partition(")")
        # "(1999) 123 4567" may be a citation.
        if not 8 <= len(digits) <= 12 or _years(rest.strip()) or P.year.fullmatch(area):
            return _NONE
        if len(area) < 2 and not P.twice_four.fullmatch(rest):
            return _NONE
        name = "a telephone number with its area code in brackets"
        return _national(name, self.country(digits), 0.72)

    # Numbers beside words.

    def named(self) -> Iterator[Hit]:
        """Numbers after a word, and those in a row with them."""
        text = self.text
        last = -1
        for cue, end, note, weak in self.cues():
            zone = P.zone.match(text, end) if cue >= last else None
            if zone is None or self.renamed(cue, zone.start()):
                continue
            judge = partial(self.judge_named, note, weak)
            while zone is not None:
                found = self.best(zone.start(), zone.end(), judge, _LONGEST)
                if found is None:
                    break
                yield found
                last = found.end
                chain = P.chain.match(text, last)
                zone = P.zone.match(text, chain.end()) if chain else None

    def cues(self) -> Iterator[tuple[int, int, str, bool]]:
        """Words for telephones: where they begin, where a number after them does, what
        they say, and whether they say so only of what looks like a number."""
        text, numbers = self.text, self.text.numbers
        for c in P.phone_context.finditer(text):
            near = bisect_left(numbers, c.end())
            if near == len(numbers) or numbers[near] > c.end() + 40:
                continue
            gap = P.gap.match(text, c.end())
            word = c[0].lower()
            if gap is not None and (
                word not in _NUMBER_WORDS or P.own_number.search(before(text, c.end()))
            ):
                yield c.start(), gap.end(), f"after '{word}'", word in _VERBS
        for c in P.label.finditer(text):
            yield c.start(), c.end(), "after a label such as 'home:'", True

    def renamed(self, cue: int, start: int) -> bool:
        """Whether a word between says otherwise: "call about order 1234567"."""
        said = self.text[cue:start]
        between = words_before(said, len(said))[:-1] if said.count(" ") > 1 else ()
        return not (_OTHER_NUMBERS - _GENERIC).isdisjoint(between)

    def judge_named(self, note: str, weak: bool, value: str) -> _Verdict:
        """A number beside a word for telephones."""
        score, reason = self.judge_international(value)
        if score:
            return max(score, 0.9), f"{reason}; {note}"
        digits = _digits(value.replace("(0)", ""))
        least = 7 if weak else 5
        if not least <= len(digits) <= _LONGEST or not _balanced(value):
            return _NONE
        if _dates(value) or (len(digits) < 9 and P.year_first.match(value)):
            return _NONE
        if P.decimals_alone.fullmatch(value):
            return _NONE
        country = self.country(digits)
        if country:
            return 0.95, f"valid telephone number ({country}); {note}"
        gaps = not value.isdigit()
        if not gaps and len(digits) < (9 if weak else 6 + (value[0] != "0")):
            return _NONE
        return 0.8 if gaps else 0.7, f"form of a telephone number; {note}"

    # Where a number may begin and end.

    def free(self, start: int) -> bool:
        """Whether a number of a distinctive form may begin here."""
        text = self.text
        if start == self.last:
            return True
        if text[start] in "+(" and text[start - 1 : start].isdigit():
            return False
        if "+" in text[start : start + 2]:
            return True
        return self.left(start) and not self.contradicted(start)

    def stands(self, start: int, end: int, weak: bool) -> bool:
        """Whether what stands around leaves a number that is told by groups only."""
        apart = self.left(start, strict=True) and self.right(start, end)
        apart = apart and not P.not_phone_after.match(self.text[end : end + 14].lower())
        return apart and not self.contradicted(start, weak)

    def left(self, start: int, strict: bool = False) -> bool:
        """Whether a number may begin here although digits may stand before it."""
        window = self.text[max(0, start - 14) : start]
        ended = start - 1 == self.last
        if ended or not window[-2:-1].isdigit() or window[-1] not in "/, ":
            return True
        if window[-1] == "/":
            return False
        if window[-1] == ",":
            return P.field_left.search(window) is not None
        if P.date_left.search(window):
            return True
        return not strict and P.lone_left.search(window) is not None

    def right(self, start: int, end: int) -> bool:
        """Whether a number may end here although digits may follow."""
        text = self.text
        if self.tail(end) > end:
            return True
        if P.right_bad.match(text, end):
            return False
        more = P.more.match(text, end)
        return more is None or _parts(text[start:end], more[0], text[more.end() :][:40])

    def contradicted(self, start: int, weak: bool = False) -> bool:
        """Whether what stands before says that it is another kind of number."""
        return _contradicts(self.text[max(0, start - _CONTEXT) : start], weak)

    def tail(self, end: int) -> int:
        """End with the extension."""
        # Most numbers are followed by nothing of the kind.
        if not P.tail_start.match(self.text, end):
            return end
        tail = P.tail.match(self.text, end)
        return tail.end() if tail else end

    def best(self, start: int, end: int, judge: _Judge, most: int) -> Hit | None:
        """The likeliest number at the start of a run of digits and separators."""
        text = self.text
        if self.tail(end) == end:
            end = _clip(text, start, end)
        if end - start < 5:
            return None
        # A bracket around the whole.
        start += text[start] == "(" and ")" not in text[start:end]
        best, best_end = _NONE, start
        for cut in _cuts(text, start, end, most):
            verdict = judge(text[start:cut])
            if verdict[0] > best[0]:
                best, best_end = verdict, cut
            if verdict[0] >= 0.8:
                break
        return _phone(start, self.tail(best_end), best) if best[0] >= 0.5 else None


def _contradicts(left: str, weak: bool) -> bool:
    """Whether a piece of text says that another kind of number follows."""
    if left[-1:] in ("#", "§", "№", "="):
        return True
    if not (words := words_before(left, len(left))):
        return False
    last = words[0]
    if last in _OTHER_NUMBERS or not _BOOKS.isdisjoint(words):
        return True
    if last in _GENERIC and not _OTHER_NUMBERS.isdisjoint(words[1:]):
        return True
    if weak and last in _APPROXIMATE:
        return True
    if weak and P.counted.search(before(left, len(left), _CONTEXT)):
        return True
    window = left[-24:]
    acronym = P.acronym.search(window)
    if acronym is None or acronym[1].upper() in _PLACES:
        return False
    # In capitals every word looks like one.
    rest = window[: acronym.start()].rpartition("\n")[2]
    return not (sum(map(str.isalpha, rest)) > 5 and rest.upper() == rest)


def _phone(start: int, end: int, verdict: _Verdict) -> Hit:
    score, reason = verdict
    return P.hit(start, end, "PHONE", round(score, 2), reason)


def _national(name: str, country: str, score: float) -> _Verdict:
    if country:
        return min(0.9, score + 0.15), f"form of {name}, valid in {country}"
    return score, f"form of {name}"


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _count(text: str) -> int:
    return sum(map(text.count, "0123456789"))


def _shape(text: str) -> str:
    return text.translate(_DIGITS)


def _balanced(value: str) -> bool:
    return value.count("(") == value.count(")") <= 2


def _other(value: str) -> bool:
    """Whether digits are grouped like another kind of number."""
    return bool(P.date.match(value) or P.other_groups.fullmatch(value))


def _years(value: str) -> bool:
    return bool(P.date.match(value) or P.years.match(value))


def _dates(value: str) -> bool:
    """Whether digits are dates, years or a range of pages."""
    low, dash, high = value.partition("-")
    if dash and low.isdigit() and high.isdigit() and len(low) == len(high):
        return 0 <= int(high) - int(low) < 10 ** (len(low) - 1)
    return _years(value)


def _plain_score(digits: str) -> float:
    """Confidence in digits without any gap and without a word beside them."""
    length, first = len(digits), digits[0]
    if len(set(digits)) < 3 or digits[:2] == "00":
        return 0.0
    if first == "0":
        return {9: 0.52, 10: 0.62, 11: 0.62}.get(length, 0.0)
    if length == 11 and first in "178":
        return 0.6 if first == "1" and digits[1] in "3456789" else 0.52
    if length == 10 and first != "1":
        return 0.55
    # A country code without plus: only where nothing else stands.
    return 0.5 if length in (12, 13) or (length == 9 and first in "679") else 0.0


def _clip(text: str, start: int, end: int) -> int:
    """End of a run of digits without a last group that belongs to what follows."""
    while end > start and P.right_bad.match(text, end):
        cut = max(text.rfind(" ", start, end), start)
        end = start + len(text[start:cut].rstrip(" (./-"))
    return end


def _parts(head: str, gap: str, rest: str) -> bool:
    """Whether a gap stands between two numbers rather than within one."""
    if gap.strip(" /(-") and "+" not in gap:
        return False
    many = _count(rest[:24]) >= 7
    long = gap == "/" and _count(head) > 8
    if many and (gap == " / " or rest[0] in "0(+" or long):
        return True
    if P.date.match(rest) or P.other_start.match(rest):
        return True
    return _shape(rest[: len(head)]) == _shape(head)


def _cuts(text: str, start: int, end: int, most: int) -> Iterator[int]:
    """Where a number that begins a run of digits may end, the longest first."""
    raw = text[start:end]
    groups = [m.span() for m in P.group.finditer(raw)]
    total, inner = 0, []
    for (low, high), following in zip(groups, [*groups[1:], (len(raw), 0)]):
        total += high - low
        if total > most:
            break
        if total > 6:
            inner.append((high, following[0]))
    if total <= most:
        yield end
    for cut, go_on in reversed(inner):
        gap = raw[cut:go_on]
        rest = gap.lstrip(" )./-") + raw[go_on:]
        if go_on < len(raw) and _parts(raw[:cut], gap, rest):
            # The bracket that closes the number itself.
            close = gap[:1] == ")" and raw.count("(", 0, cut) > raw.count(")", 0, cut)
            yield start + cut + close


@registry.deid_patterns("spacy_deid.phone_patterns.v1")
def make_phone_patterns(countries: Sequence[str] = DEFAULT_COUNTRIES) -> Recognizer:
    """Telephone and fax numbers, with extensions.

    countries (Sequence[str]): ISO codes of the countries whose national numbers are
        looked up; forms and international numbers are known from everywhere.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a country is unknown.
    """
    return SeparatingRecognizer(PhoneFinder(countries))
