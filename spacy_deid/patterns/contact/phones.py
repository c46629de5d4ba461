"""Telephone and fax numbers of any country.

Numbers are recognised by their form, since lists of valid numbers change and people
mistype; the library of numbering plans decides where a run of digits ends, raises the
score and gives the reason.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...registries import registry
from ...text.words import before
from ..base import (
    Hit,
    Recognizer,
    Text,
    count_digits,
    drop_covered,
    find_numbers,
    has_digits,
    hit,
    occurrences,
    remembered,
)
from ..separated import SeparatingRecognizer
from ..tables import Forms, words
from ..words import words_before
from . import phone_forms as forms
from .phone_plans import Plans

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


class _Verdict(NamedTuple):
    """Confidence in a candidate, and why."""

    score: float
    reason: str


class _Cue(NamedTuple):
    """A word for telephones, where a number after it begins, what it says, and whether
    it says so only of what looks like a number."""

    start: int
    end: int
    note: str
    weak: bool


_Judge = Callable[[str], _Verdict]
_NONE = _Verdict(0.0, "")
_VANITY = Forms("phone")


class PhoneFinder:
    """Finds telephone numbers.

    countries (Sequence[str]): Countries whose national numbers are looked up.
    """

    def __init__(self, countries: Sequence[str] = DEFAULT_COUNTRIES) -> None:
        self.plans = Plans(countries)

    def __call__(self, text: str) -> Iterator[Hit]:
        """Find telephone numbers."""
        if has_digits(text) and find_numbers(text):
            # Of less than five digits only words are spelled.
            scan = _Scan(self.plans, text)
            yield from scan.hits() if count_digits(text) > 4 else scan.vanity()


class _Scan:
    """The search of one text."""

    def __init__(self, plans: Plans, text: str) -> None:
        self.plans = plans
        self.text = text
        # Where numbers end: another may begin there without any mark.
        self.ends: set[int] = set()
        self.starts: set[int] = set()
        self.found: list[Hit] = []
        self.numbers = text.numbers if isinstance(text, Text) else Text(text).numbers
        # Where rows of enough digits begin, and what may begin after their first group.
        self.heads = {m.start() for m in forms.HEAD.finditer(text)}
        leads = (forms.LEAD.match(text, head) for head in self.heads)
        self.heads.update([m.end() for m in leads if m is not None])
        # The ends that have been looked at, and all places where a number may begin.
        self._followed: set[int] = set()
        self._long: list[int] = []
        self._runs: dict[tuple, tuple[int, _Verdict]] = {}
        # What the library knows: where a national number is valid, and how good one
        # with country code is, and of which country. Documents repeat themselves.
        self.country = lru_cache(_MEMORY)(plans.national)
        self.abroad = lru_cache(_MEMORY)(plans.international)
        self.broken_over = lru_cache(_MEMORY)(self.numbers_of)

    def hits(self) -> Iterator[Hit]:
        for find in (
            self.international,
            self.trunk,
            self.bracketed,
            self.plain_forms,
            self.without_gaps,
            self.vanity,
            self.named_after,
            self.named,
            self.broken,
            self.neighbours,
        ):
            for h in find():
                self.ends.add(h.end)
                self.starts.add(h.start)
                self.found.append(h)
                yield h

    # Forms that need no word beside them.

    def international(self) -> Iterator[Hit]:
        """Numbers with a plus or the digits dialled instead."""
        text = self.text

        def allowed(start: int) -> bool:
            if "+" in text[start : start + 2]:
                return start in self.ends or not text[start - 1 : start].isdigit()
            return self.free(start)

        judge = self.judge_international
        # A plus, the bracket before it, or zeros.
        starts = {p - (text[p - 1 : p] == "(") for p in occurrences(text, "+")}
        starts.update(p for p in self.opened() if text.startswith(("0", "(0"), p))
        return self.search(
            forms.INTERNATIONAL, judge, _LONGEST, sorted(starts), allowed
        )

    def long(self) -> list[int]:
        """Where a number may begin: at the head of a row, or after another number."""
        fresh = self.ends - self._followed
        if fresh or not self._long:
            self._followed |= fresh
            after = (forms.BETWEEN.match(self.text, end) for end in fresh)
            self.heads.update([m.end() for m in after if m is not None])
            self._long = sorted(self.heads)
        return self._long

    def opened(self) -> Iterator[int]:
        """Where a number may begin, with the bracket before it."""
        text = self.text
        return (p - (p and text[p - 1] == "(" != text[p]) for p in self.long())

    def judge_international(self, value: str) -> _Verdict:
        digits = _digits(value.replace("(0)", ""))
        plus = "+" in value[:2]
        if not plus:
            digits = digits[3 if digits.startswith("011") else 2 :]
        if not 7 <= len(digits) <= _LONGEST or not _balanced(value):
            return _NONE
        likely, country = self.abroad(digits)
        # "x + 7.474958"
        if forms.DECIMAL.fullmatch(value) and (likely < 1 or value[1] == " "):
            return _NONE
        if likely == 1:
            return _Verdict(0.97, f"valid international telephone number ({country})")
        if likely > 0.1 or (likely and (plus or digits[0] == "1")):
            score = 0.85 if likely > 0.1 else 0.7
            return _Verdict(score, "form of an international telephone number")
        return _NONE

    def trunk(self) -> Iterator[Hit]:
        """Numbers that begin with the zero dialled within a country."""
        text = self.text
        starts = [p for p in self.opened() if text.startswith(("0", "(0"), p)]
        return self.search(forms.TRUNK, self.judge_trunk, 13, starts, self.free)

    def judge_trunk(self, value: str) -> _Verdict:
        digits = _digits(value)
        if not 8 <= len(digits) <= 13 or not _balanced(value) or _other(value):
            return _NONE
        slashes = value.count("/") > 1
        if value.isdigit() or (slashes and not forms.SLASHES.fullmatch(value)):
            return _NONE
        if digits.startswith("00") and not forms.THREE_THREE_FOUR.fullmatch(value):
            return _NONE
        country = self.country(digits)
        if len(digits) == 8 and not (country and forms.SHORT_TRUNK.search(value)):
            return _NONE
        return _national("a telephone number with area code", country, 0.68)

    def bracketed(self) -> Iterator[Hit]:
        """Numbers whose area code stands in brackets."""
        text = self.text
        judge = self.judge_bracketed
        starts = [p for p in self.opened() if text[p] == "("]
        for h in self.search(forms.BRACKETED, judge, 12, starts, self.free):
            prefix = forms.BEFORE_BRACKET.search(text, max(0, h.start - 3), h.start)
            if prefix is not None:
                yield h._replace(start=prefix.start())
            elif not text[h.start - 1 : h.start].isdigit() or h.start in self.ends:
                yield h

    def judge_bracketed(self, value: str) -> _Verdict:
        digits = _digits(value)
        area, _, rest = value.partition("(")[2].partition(")")
        if not 8 <= len(digits) <= 12 or _years(rest.strip()):
            return _NONE
        if len(area) < 2 and not re.fullmatch(r" ?[0-9]{4}[ -][0-9]{4}", rest):
            return _NONE
        # "(1999) 123 4567" may be a citation.
        if re.fullmatch(r"(?:19|20)[0-9]{2}", area):
            return _NONE
        name = "a telephone number with its area code in brackets"
        return _national(name, self.country(digits), 0.72)

    def plain_forms(self) -> Iterator[Hit]:
        """Numbers that begin with neither zero nor bracket."""
        table = 0

        def find(start: int) -> Iterator[Hit]:
            nonlocal table
            if start < table or not forms.FORM_START.match(self.text, start):
                return
            run = forms.RUN.match(self.text, start)
            if run and run.end() - start > _TABLE:
                table = run.end()
            elif found := self.plain_form(start):
                yield found
            elif other := forms.OTHER_START.match(self.text, start):
                table = other.end()

        return self.walk(self.long(), find)

    def plain_form(self, start: int) -> Hit | None:
        """The number in one of the forms that begins at an offset."""
        text = self.text
        m = forms.FORM.match(text, start) or self.coded(start)
        if m is None or not self.left(start, strict=True):
            return None
        end = m.end()
        if (
            forms.OTHER_START.match(text, start)
            or not self.right(start, end)
            or _other(m[0])
            or _dates(m[0])
            or self.measured(end)
            or self.contradicted(start, weak=_weak(m))
        ):
            return None
        verdict = self.judge_form(m)
        if verdict.score < 0.75 and forms.DECIMALS.match(text, end):
            return None
        return _phone(start, self.tail(end), verdict)

    def measured(self, end: int) -> bool:
        """Whether a unit or another word for amounts follows."""
        following = self.text[end : end + 14].lower()
        return forms.NOT_PHONE_AFTER.match(following) is not None

    def judge_form(self, m: re.Match[str]) -> _Verdict:
        if m.re is forms.CODED:
            reason = "valid international telephone number without its plus"
            return _Verdict(0.64, reason)
        form = forms.FORMS[int((m.lastgroup or "f0")[1:])]
        return _national(
            form["title"], self.country(_digits(m[0])), float(form["score"])
        )

    def coded(self, start: int) -> re.Match[str] | None:
        """A number with its country code but no plus, if it is valid."""
        m = forms.CODED.match(self.text, start)
        if m is None or not 11 <= len(_digits(m[0])) <= _LONGEST:
            return None
        code = int(re.split("[ -]", m[0], maxsplit=1)[0])
        if code in (1, 7) or code not in self.plans.codes:
            return None
        return m if self.abroad(_digits(m[0]))[0] == 1 else None

    def without_gaps(self) -> Iterator[Hit]:
        """Numbers of digits only."""
        floor = 0

        def find(start: int) -> Iterator[Hit]:
            nonlocal floor
            m = forms.PLAIN.match(self.text, start) if start >= floor else None
            if m is not None:
                floor = m.end()
                if found := self.plain_digits(start, m[0]):
                    yield found

        return self.walk(self.long(), find)

    def plain_digits(self, start: int, digits: str) -> Hit | None:
        """The number that a run of digits is."""
        text, end = self.text, start + len(digits)
        score = _plain_score(digits)
        if (
            not score
            or not self.left(start, strict=True)
            or self.contradicted(start, weak=True)
            or not self.right(start, end)
            or (score <= 0.5 and not self.alone(start, end))
            or forms.COLON.search(text, max(0, start - 3), start)
            or self.in_log(start)
            or self.measured(end)
        ):
            return None
        country = self.country(digits) if len(digits) < 12 else ""
        if len(digits) > 11 and self.abroad(digits)[0] == 1:
            country = self.abroad(digits)[1]
        if score < 0.6 and not country:
            return None
        reason = "digits as of a telephone number"
        if country:
            reason = f"valid telephone number ({country}) written without gaps"
        return _phone(start, self.tail(end), _Verdict(score, reason))

    def alone(self, start: int, end: int) -> bool:
        """Whether nothing else stands in the line or the cell of a table."""
        left, right = self.text[max(0, start - 3) : start], self.text[end : end + 3]
        return bool(forms.CELL_LEFT.search(left) and forms.CELL_RIGHT.match(right))

    def in_log(self, start: int) -> bool:
        """Whether the line is one that a program wrote."""
        line = self.text[max(0, start - 120) : start].rpartition("\n")[2]
        return forms.LOG_LINE.search(line) is not None

    def vanity(self) -> Iterator[Hit]:
        """Free numbers that spell a word."""
        return _VANITY(self.text) if forms.CAPITALS.search(self.text) else iter(())

    def broken(self) -> Iterator[Hit]:
        """Numbers that a line end breaks, in lines that aren't just digits."""
        text = self.text
        for m in forms.BROKEN.finditer(text):
            break_at = m.start()
            back = forms.BROKEN_BACK.search(text, max(0, break_at - 22), break_at)
            if back is None:
                continue
            start = back.start()
            line = text[max(0, start - 60) : start].rpartition("\n")[2]
            if not forms.LETTER.search(line) or not self.free(start):
                continue
            rest = text[break_at + 1 : start + 48].partition("\n")[0]
            for h in self.broken_over(text[start:break_at] + " " + rest):
                if h.start == 0 and h.score >= 0.6 and h.end > break_at + 1 - start:
                    reason = f"{h.reason}; broken over a line end"
                    yield h._replace(start=start, end=start + h.end, reason=reason)

    def numbers_of(self, text: str) -> list[Hit]:
        """The numbers of another text that need no word beside them."""
        inner = _Scan(self.plans, text)
        finds = (inner.international, inner.trunk, inner.bracketed, inner.plain_forms)
        return [h for find in finds for h in find()]

    def neighbours(self) -> Iterator[Hit]:
        """Lines of digits above or below lines that are telephone numbers."""
        text = self.text
        for h in [*self.found]:
            before_it = forms.LINE_START.search(text, max(0, h.start - 4), h.start)
            after_it = forms.LINE_END.match(text, h.end)
            if before_it is None or after_it is None:
                continue
            first, last = before_it.end(), after_it.end() - 1
            low = max(0, first - 40)
            above = text.rfind("\n", low, max(0, first - 1)) + 1
            # A longer line holds more than a number.
            near = bool(first) and (above > 0 or low == 0)
            for start in [above, last + 1] if near else [last + 1]:
                m = forms.LINE.match(text, start) if start < len(text) else None
                if m is None or _other(m["v"]) or _dates(m["v"]):
                    continue
                if not 7 <= _count(m["v"]) <= 13 or m.start("v") in self.starts:
                    continue
                self.starts.add(m.start("v"))
                verdict = _Verdict(0.6, "line of digits next to a telephone number")
                yield _phone(*m.span("v"), verdict)

    # Numbers beside words.

    def named_after(self) -> Iterator[Hit]:
        """Numbers before a word: "555 1234 (home)"."""
        text = self.text
        judge = self.judge_named("before a telephone word")
        for start in self.long():
            zone = forms.ZONE_AFTER.match(text, start)
            if zone is None or not forms.NAMED_AFTER.match(text, zone.end()):
                continue
            if text[start - 1 : start] in ("(", "+"):
                start -= 1
            if text[start - 1 : start] not in tuple("._,:/$€£-"):
                yield from self.best(start, zone.end(), judge, _LONGEST)

    def named(self) -> Iterator[Hit]:
        """Numbers after a word, and those in a row with them."""
        text = self.text
        last = -1
        for cue in self.cues():
            if cue.start < last:
                continue
            zone = forms.ZONE.match(text, cue.end)
            if zone is None or self.renamed(cue, zone.start()):
                continue
            judge = self.judge_named(cue.note, cue.weak)
            while zone is not None:
                found = False
                for h in self.best(zone.start(), zone.end(), judge, _LONGEST):
                    yield h
                    last, found = h.end, True
                chain = forms.CHAIN.match(text, last) if found else None
                zone = forms.ZONE.match(text, chain.end()) if chain else None

    def cues(self) -> Iterator[_Cue]:
        """Words for telephones before digits."""
        text = self.text
        for c in forms.PHONE_CONTEXT.finditer(text):
            near = bisect_left(self.numbers, c.end())
            if near == len(self.numbers) or self.numbers[near] > c.end() + 40:
                continue
            gap = forms.GAP.match(text, c.end())
            if gap is None:
                continue
            word = c[0].lower()
            if word in forms.NUMBER_WORDS and not forms.OWN_NUMBER.search(
                before(text, c.end())
            ):
                continue
            yield _Cue(c.start(), gap.end(), f"after '{word}'", word in forms.VERBS)
        for c in forms.LABEL.finditer(text):
            yield _Cue(c.start(), c.end(), "after a label such as 'home:'", True)
        for start in self.long():
            label = forms.LETTER_LABEL.search(text, max(0, start - 7), start)
            if label is not None:
                end = start - (text[start - 1] in "+(")
                yield _Cue(label.start(), end, "after a label such as 'T:'", True)
        if not text.isascii():
            for c in forms.SYMBOL.finditer(text):
                yield _Cue(c.start(), c.end(), "after a telephone symbol", True)

    def renamed(self, cue: _Cue, start: int) -> bool:
        """Whether a word between says otherwise: "call about order 1234567"."""
        if self.text[cue.start : start].count(" ") < 2:
            return False
        words = words_before(self.text[cue.start : start], start - cue.start)
        strange = [w for w in words[:-1] if w in forms.OTHER_NUMBERS - forms.GENERIC]
        return bool(strange)

    def judge_named(self, note: str, weak: bool = False) -> _Judge:
        def judge(value: str) -> _Verdict:
            if "+" in value[:2] or re.match(r"\(?00[1-9]|\(?011[ -]", value):
                found = self.judge_international(value)
                if found.score:
                    return _Verdict(max(found.score, 0.9), f"{found.reason}; {note}")
            digits = _digits(value.replace("(0)", ""))
            gaps = not value.isdigit()
            least = 7 if weak else 5
            if not least <= len(digits) <= _LONGEST or not _balanced(value):
                return _NONE
            if _dates(value) or (len(digits) < 9 and forms.YEAR_FIRST.match(value)):
                return _NONE
            country = self.country(digits)
            if weak and not gaps and len(digits) < (7 if country else 9):
                return _NONE
            if country:
                return _Verdict(0.95, f"valid telephone number ({country}); {note}")
            if len(digits) < 7 and not (gaps or value[0] == "0"):
                return _NONE
            score = 0.8 if gaps else 0.7 if len(digits) > 8 else 0.6
            return _Verdict(score, f"form of a telephone number; {note}")

        judge.__name__ = f"{note} {weak}"
        return judge

    # Where a number may begin and end.

    def free(self, start: int) -> bool:
        """Whether a number of a distinctive form may begin here."""
        return self.left(start) and not self.contradicted(start)

    def left(self, start: int, strict: bool = False) -> bool:
        """Whether a number may begin here although digits may stand before it."""
        window = self.text[max(0, start - 14) : start]
        opened = self.text[start] == "("
        return _may_begin(window, opened, start - 1 in self.ends, strict)

    def right(self, start: int, end: int) -> bool:
        """Whether a number may end here although digits may follow."""
        text = self.text
        if self.tail(end) > end:
            return True
        if forms.RIGHT_BAD.match(text, end):
            return False
        more = forms.MORE.match(text, end)
        if more is None:
            return True
        nxt = more.end()
        if text[nxt] in "0(+" and _count(text[nxt : nxt + 20]) >= 7:
            return True
        if text[end:nxt] == " / " and _count(text[nxt : nxt + 24]) >= 7:
            return True
        if forms.OTHER_START.match(text, nxt):
            return True
        own = _shape(text[start:end])
        return _shape(text[nxt : nxt + end - start]) == own or bool(
            forms.DATE.match(text, nxt)
        )

    def contradicted(self, start: int, weak: bool = False) -> bool:
        """Whether what stands before says that it is another kind of number."""
        return _contradicts(self.text[max(0, start - _CONTEXT) : start], weak)

    def tail(self, end: int) -> int:
        """End with the extension."""
        # Most numbers are followed by nothing of the kind.
        if not forms.TAIL_START.match(self.text, end):
            return end
        tail = forms.TAIL.match(self.text, end)
        return tail.end() if tail else end

    def search(
        self,
        form: re.Pattern[str],
        judge: _Judge,
        most: int,
        starts: Iterable[int],
        allowed: Callable[[int], bool],
    ) -> Iterator[Hit]:
        """The numbers in the runs of digits that match a form."""
        text = self.text

        def find(start: int) -> Iterator[Hit]:
            m = form.match(text, start)
            # The form is tested more quickly than what stands before.
            if m is not None and allowed(start):
                yield from self.best(start, m.end(), judge, most)

        return self.walk(starts, find)

    def walk(
        self, starts: Iterable[int], find: Callable[[int], Iterator[Hit]]
    ) -> Iterator[Hit]:
        """What is found at some offsets, and right after what is found."""
        floor = 0
        queue = deque(starts)
        while queue:
            start = queue.popleft()
            for h in find(start) if start >= floor else ():
                self.ends.add(h.end)
                yield h
                floor = h.end
                following = forms.BETWEEN.match(self.text, floor)
                if following is not None:
                    queue.appendleft(following.end())

    def best(self, start: int, end: int, judge: _Judge, most: int) -> Iterator[Hit]:
        """The likeliest number at the start of a run of digits and separators."""
        text = self.text
        # What decides: tables repeat themselves.
        key = (judge.__name__, text[start:end], text[end : end + 24])
        found = self._runs.get(key)
        if found is None:
            if len(self._runs) >= _MEMORY:
                self._runs.clear()
            found = self._runs[key] = self.choose(start, end, judge, most)
        length, verdict = found
        if verdict.score >= 0.5:
            open_ = text[start] == "(" and ")" not in text[start : start + length]
            yield _phone(start + open_, start + length, verdict)

    def choose(
        self, start: int, end: int, judge: _Judge, most: int
    ) -> tuple[int, _Verdict]:
        """How long the likeliest number is, with its extension."""
        text = self.text
        if self.tail(end) == end:
            end = _clip(text, start, end)
        if end - start < 5:
            return 0, _NONE
        open_ = text[start] == "(" and ")" not in text[start:end]
        best, best_end = _NONE, start
        for cut in _cuts(text, start + open_, end, most):
            verdict = judge(text[start + open_ : cut])
            if verdict.score > best.score:
                best, best_end = verdict, cut
            if verdict.score >= 0.8:
                break
        return self.tail(best_end) - start, best


# Tables and logs repeat themselves.
@remembered
def _may_begin(window: str, opened: bool, ended: bool, strict: bool) -> bool:
    """Whether a number may begin after a piece of text, where another one ends or not."""
    if opened and forms.BEFORE_BRACKET.search(window):
        return True
    if window[-1:] == "/" and window[-2:-1].isdigit():
        return ended
    if window[-1:] == "," and window[-2:-1].isdigit():
        return forms.FIELD_LEFT.search(window) is not None
    if not window or window[-1] != " " or not forms.DIGIT_LEFT.search(window):
        return True
    if ended or forms.DATE_LEFT.search(window):
        return True
    return not strict and forms.LONE_LEFT.search(window) is not None


@remembered
def _contradicts(left: str, weak: bool) -> bool:
    """Whether a piece of text says that another kind of number follows."""
    if left[-1:] in ("#", "§", "№", "="):
        return True
    words = words_before(left, len(left))
    if not words:
        return False
    last = words[0]
    if last in forms.OTHER_NUMBERS or (weak and last in forms.APPROXIMATE):
        return True
    if last in forms.GENERIC and any(w in forms.OTHER_NUMBERS for w in words[1:]):
        return True
    if weak and forms.COUNTED.search(before(left, len(left), _CONTEXT)):
        return True
    if "isbn" in words or "isbn-13" in words or "isbn-10" in words:
        return True
    window = left[-24:]
    acronym = forms.ACRONYM.search(window)
    if acronym is None or acronym[1].upper() in forms.PLACES:
        return False
    # In capitals every word looks like one.
    rest = window[: acronym.start()].rpartition("\n")[2]
    return not (sum(map(str.isalpha, rest)) > 5 and rest.upper() == rest)


def _phone(start: int, end: int, verdict: _Verdict) -> Hit:
    score = round(verdict.score, 2)
    return hit(start, end, "CODE", "PHONE", score, reason=verdict.reason)


def _national(name: str, country: str, score: float) -> _Verdict:
    if country:
        return _Verdict(min(0.9, score + 0.15), f"form of {name}, valid in {country}")
    return _Verdict(score, f"form of {name}")


def _weak(m: re.Match[str]) -> bool:
    """Whether a form without zero or bracket is shared with other numbers."""
    if m.re is forms.CODED:
        return True
    return float(forms.FORMS[int((m.lastgroup or "f0")[1:])]["score"]) < 0.65


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
    return bool(forms.DATE.match(value) or forms.OTHER_GROUPS.fullmatch(value))


def _dates(value: str) -> bool:
    """Whether digits are dates, years or a range of pages."""
    return _years(value) or _range(value)


def _years(value: str) -> bool:
    return bool(forms.DATE.match(value) or forms.YEARS.match(value))


def _range(value: str) -> bool:
    low, dash, high = value.partition("-")
    if not dash or not (low.isdigit() and high.isdigit() and len(low) == len(high)):
        return False
    return 0 <= int(high) - int(low) < 10 ** (len(low) - 1)


def _plain_score(digits: str) -> float:
    """Confidence in digits without any gap and without a word beside them."""
    length = len(digits)
    if len(set(digits)) < 3:
        return 0.0
    if digits[0] == "0":
        if digits[1] == "0":
            return 0.0
        return 0.62 if length in (10, 11) else 0.52 if length == 9 else 0.0
    if length == 11 and digits[0] in "178":
        return 0.6 if digits[0] == "1" and digits[1] in "3456789" else 0.52
    if length == 10 and digits[0] != "1":
        return 0.55
    # A country code without plus: only where nothing else stands.
    return 0.5 if length in (12, 13) or (length == 9 and digits[0] in "679") else 0.0


def _clip(text: str, start: int, end: int) -> int:
    """End of a run of digits without a last group that belongs to what follows."""
    while end > start and forms.RIGHT_BAD.match(text, end):
        cut = text.rfind(" ", start, end)
        if cut < 0:
            return start
        end = cut
        while end > start and text[end - 1] in " (./-":
            end -= 1
    return end


def _parts(head: str, gap: str, rest: str) -> bool:
    """Whether a gap stands between two numbers rather than within one."""
    if gap.strip(" /(") and "+" not in gap:
        return False
    many = _count(rest[:24]) >= 7
    if many and (gap == " / " or rest[0] in "0(+"):
        return True
    if many and gap == "/" and _count(head) > 8:
        return True
    if forms.DATE.match(rest) or forms.OTHER_GROUPS.fullmatch(rest):
        return True
    return _shape(rest[: len(head)]) == _shape(head)


def _cuts(text: str, start: int, end: int, most: int) -> Iterator[int]:
    """Where a number that begins a run of digits may end, the longest first."""
    raw = text[start:end]
    groups = list(forms.GROUP.finditer(raw))
    ends, total = [], 0
    for i, group in enumerate(groups):
        total += group.end() - group.start()
        if total > most:
            break
        if total > 6:
            ends.append((i, group.end()))
    # "... 3 times": a last digit by itself counts what follows.
    counts = re.search(r"[0-9]{2}[ ][0-9]\Z", raw)
    if total <= most and not counts:
        yield end
    for i, cut in reversed(ends):
        if i + 1 == len(groups):
            continue
        gap = raw[cut : groups[i + 1].start()]
        rest = gap.lstrip(" )./-") + raw[groups[i + 1].start() :]
        if _parts(raw[:cut], gap, rest) or (counts and len(rest) == 1):
            # The bracket that closes the number itself.
            close = gap[:1] == ")" and raw.count("(", 0, cut) > raw.count(")", 0, cut)
            yield start + cut + close
    if total <= most and counts:
        yield end


@registry.deid_patterns("spacy_deid.phone_patterns.v1")
def make_phone_patterns(countries: Sequence[str] = DEFAULT_COUNTRIES) -> Recognizer:
    """Telephone and fax numbers, with extensions.

    countries (Sequence[str]): ISO codes of the countries whose national numbers are
        looked up; forms and international numbers are known from everywhere.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a country is unknown.
    """
    finder = PhoneFinder(countries)

    def find(text: str) -> Iterable[Hit]:
        return drop_covered(list(finder(text)))

    return SeparatingRecognizer(find)
