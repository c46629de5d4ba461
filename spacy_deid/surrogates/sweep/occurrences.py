"""Finding every occurrence of the masked strings, in any spelling of the same letters.

An occurrence of a masked string has the same runs (see `runs`), whatever the letter case,
the accents, the Unicode form and the characters between the runs (at most `MAX_GAP`, or
as many as the string itself has), and no letter or digit of the same kind touches its
edges. "John Smith" so occurs in "JOHN-SMITH", "smith_john@..." has its single parts, and
"Murrays’" has "Murray". Time is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate, compress, pairwise
from typing import NamedTuple

from ...data import word_lists
from ...lang.name_forms import plural_ending
from .disguises import Disguises
from .name_words import written_out
from .ordinary import is_word_here, stands_for_person, stands_for_word
from .runs import DIGIT, LETTER, MIN_APART, Runs, apart, compact, is_mark, read_words

MAX_GAP = 3
# Runs of a masked string may be joined ("JohnSmith", "2804502") from this length on,
MIN_JOINED = 4
# and digits grouped in another way (phone, card and account numbers) from this one.
MIN_REGROUPED = 9
# Lengths of the beginnings by which strings are looked up; longer strings are compared
# as a whole, once a period.
_HEAD, _LONG = 4, 64
_BREAK = re.compile(r"[-\u00ad\u2010\u2011][ \t]*(?:\r\n|\r|\n)[ \t]*")
_NOTHING: frozenset[int] = frozenset()
# An age of "12" is no "12 mg", and a day no "11 °C".
_MEASURED = re.compile(
    rf"\s?(?:[°º]\s?[CF]\b|(?:{'|'.join(map(re.escape, word_lists('units')['measured']))})(?!\w))"
)
# Which words a string may be, see `Sweep.add`.
_APOSTROPHES = ("'", "’")
ANY, CAPITALISED, NOT_TITLE = "", "capitalised", "not title"


class Hit(NamedTuple):
    """An occurrence.

    start (int): First character in the text.
    end (int): Character after the last.
    owner (int): Number given to the masked string.
    part (bool): Whether it is a name part rather than the whole string.
    plural (int): Length of the plural ending that the text has more, which the offsets
        include.
    """

    start: int
    end: int
    owner: int
    part: bool
    plural: int


class _Pattern(NamedTuple):
    """A string to look for. `bounds` are the compact offsets of the boundaries between
    its runs, `joints` of those between two runs of one kind, which the text may leave
    out."""

    compact: str
    words: list[str]
    bounds: frozenset[int]
    joints: frozenset[int]
    digits: bool
    gap: int
    owner: int
    part: bool
    name: bool
    lower: bool
    only: str
    written: str


class Sweep:
    """Strings to look for, and the search.

    stop_words (Collection[str]): Function words of the language: their lower-case
        occurrences are passed over unless the string itself is in lower case. Those
        of one letter never count.
    lang (str): Language, whose vocabulary is told from persons' names.
    articled (bool): Whether the text puts articles before names.
    """

    def __init__(
        self, stop_words: Iterable[str] = (), lang: str = "en", articled: bool = False
    ) -> None:
        self.lang, self.articled = lang, articled
        self.stop_words = frozenset(stop_words)
        self._patterns: dict[str, list[_Pattern]] = {}
        # Beginnings of strings -> their lengths; "" for all shorter strings.
        self._lengths: dict[str, set[int]] = {}
        # What an occurrence's first run can be, to pass over most runs at once; and the
        # first figures of numbers that may be grouped in any way.
        self._firsts: set[str] = set()
        # Of these, what persons' names begin with; and single words that may be words.
        self._names: set[str] = set()
        self._words: set[str] = set()
        self._figures: set[str] = set()
        self._known: set[tuple] = set()
        # How many strings are looked for.
        self.size = 0

    def add(
        self,
        text: str,
        owner: int = 0,
        *,
        name: bool = False,
        part: bool = False,
        only: str = ANY,
        written: str = "",
        words: list[str] | None = None,
    ) -> bool:
        """Look for a string.

        text (str): The string. One without letters and digits is never found.
        owner (int): Number that its hits carry; the first for one string stays.
        name (bool): Whether it is a person's name: its plural counts as well.
        part (bool): Whether it is a single part of a name, or a form of one.
        only (str): What a single word has to be: `CAPITALISED`: not in lower case;
            `NOT_TITLE`: not a capital before small letters; `ANY`: nothing more.
        written (str): Letters of the word once its umlauts are written out; "" for any.
        words (Optional[list[str]]): What `read_words` gives for it, if it has been
            called already.
        RETURNS (bool): Whether it is new.
        """
        words = read_words(text) if words is None else words
        if not words:
            return False
        # Lower-case and other originals differ in what may be passed over.
        lower = text.islower()
        key = (*words, part, name, lower, only, written)
        if key in self._known:
            return False
        self._known.add(key)
        self.size += 1
        string, shape = "".join(words), _shape(text, words)
        pattern = _Pattern(
            string, words, *shape, owner, part, name, lower, only, written
        )
        self._patterns.setdefault(string[:_LONG], []).append(pattern)
        head = string[:_HEAD] if len(string) >= _HEAD else ""
        self._lengths.setdefault(head, set()).add(min(len(string), _LONG))
        firsts = _firsts(pattern)
        self._firsts.update(firsts)
        if name:
            self._names.update(firsts)
        if len(words) == 1 and (name or only == CAPITALISED):
            self._words.update(firsts)
        if pattern.digits and len(string) >= MIN_REGROUPED:
            self._figures.update(string[:n] for n in range(1, _HEAD + 1))
        return True

    def add_parts(self, parts: Iterable[str], owner: int = 0) -> bool:
        """Look for single words of a person's name, as `name_parts` gives them."""
        new = [self.add(part, owner, name=True, part=True) for part in parts]
        return any(new)

    def find(
        self, text: str, runs: Runs | None = None, disguises: Disguises | None = None
    ) -> list[Hit]:
        """All occurrences, which may overlap, in order of their start. `runs` and
        `disguises` are those of the text, if they are known."""
        disguises = Disguises(text) if disguises is None else disguises
        plain = [*self._find(text, runs or Runs(text))]
        read = [*self._find(disguises.read, disguises.runs)] if disguises.read else []
        hits = [h for h in (*plain, *read) if not self._is_word(text, h)]
        for at, stop in disguises.names(self._names):
            word = text[at:stop]
            for h in self._find(word, Runs(word)):
                hits.append(h._replace(start=h.start + at, end=h.end + at))
        return hits if len(hits) == len(plain) else sorted(set(hits))

    def _is_word(self, text: str, hit: Hit) -> bool:
        """Whether a single word with a capital stands for itself. A surrogate has
        nothing around it that could tell: `found_in` does not ask."""
        word = text[hit.start : hit.end]
        return (
            len(word) > 1
            and not word.islower()
            and compact(word) in self._words
            and stands_for_word(text, hit.start, hit.end, self.lang, self.articled)
        )

    def found_in(self, text: str, words: list[str] | None = None) -> bool:
        """Whether a text has any occurrence; `words` is what `read_words` gave."""
        words = read_words(text) if words is None else words
        if self._has_none(text, words):
            return False
        return next(self._find(text, Runs(text)), None) is not None

    def _has_none(self, text: str, words: list[str]) -> bool:
        """Whether a text's words alone tell that no string is in it, which is so for
        most; False if more has to be looked at."""
        figures = self._figures
        return (
            self._firsts.isdisjoint(words)
            and (not figures or figures.isdisjoint([word[:_HEAD] for word in words]))
            # What a hyphen divides at the end of a line is part of a word.
            and not _BREAK.search(text)
            and (len(words) < MIN_APART or not apart(words))
        )

    def _anywhere(self, text: str, runs: Runs) -> set[int]:
        """Runs that a string may begin with whose own first run is another."""
        figures = self._figures
        words = enumerate(runs.words if figures else ())
        more = {i for i, word in words if word[:_HEAD] in figures}
        for match in _BREAK.finditer(text):
            i = bisect_left(runs.ends, match.start())
            if i < len(runs.ends) and runs.ends[i] == match.start():
                more.add(i)
        return more.union(apart(runs.words))

    def _find(self, text: str, runs: Runs) -> Iterator[Hit]:
        string, heads, lengths = runs.compact, runs.heads, self._lengths
        look_up, short = self._patterns.get, lengths.get("", ())
        # A periodic string is found once a period: nothing between is left over.
        busy_until: dict[int, int] = {}
        own = compress(range(len(heads)), map(self._firsts.__contains__, runs.words))
        for i in sorted(self._anywhere(text, runs).union(own)):
            at = heads[i]
            for length in (*short, *lengths.get(string[at : at + _HEAD], ())):
                found = look_up(string[at : at + length], ())
                for pattern in found if at + length <= heads[-1] else ():
                    if len(pattern.compact) > _LONG and (
                        busy_until.get(id(pattern), 0) > at
                        or not string.startswith(pattern.compact, at)
                    ):
                        continue
                    hit = self._at(text, runs, i, pattern)
                    if hit is not None:
                        busy_until[id(pattern)] = at + len(pattern.compact)
                        yield hit

    def _at(self, text: str, runs: Runs, i: int, p: _Pattern) -> Hit | None:
        """The occurrence of a pattern whose characters stand from run `i` on."""
        heads = runs.heads
        end = heads[i] + len(p.compact)
        last = i
        while heads[last + 1] < end:
            last += 1
        if last > i and not _is_close(text, runs, i, last, p.gap):
            return None
        plural = heads[last + 1] - end
        if plural and not _is_plural(runs, end, plural, last, p):
            return None
        if last > i or p.bounds:
            bounds = {head - heads[i] for head in heads[i + 1 : last + 1]}
            if bounds != p.bounds and not _regroups(text, runs, i, last, bounds, p):
                return None
        start, stop = runs.starts[i], runs.ends[last]
        if last == i:
            return self._whole_run(text, start, stop, p, plural)
        return Hit(start, stop, p.owner, p.part, plural)

    def _whole_run(
        self, text: str, start: int, stop: int, p: _Pattern, plural: int = 0
    ) -> Hit | None:
        """The occurrence of a pattern in one run, if nothing speaks against it."""
        word = text[start:stop]
        # "THIS" is not the plural of a name part "Thi".
        if plural and word.lower() in self.stop_words:
            return None
        # "ß" is two letters.
        if len(word) == len(p.compact) == 1 and self._is_grammar(text, start, stop, p):
            return None
        if word.isdecimal() and len(word) < 3 and _MEASURED.match(text, stop):
            return None
        asked = p.only or p.written or word.islower()
        if asked and self._passed_over(word, p, plural, text, start):
            return None
        return Hit(start, stop, p.owner, p.part, plural)

    def _is_grammar(self, text: str, start: int, stop: int, p: _Pattern) -> bool:
        """Whether a letter by itself is an article, a pronoun or what an apostrophe leaves
        of a word: as a capital before a word in small letters, "A" where a sentence
        begins."""
        word, before = text[start:stop], text[max(0, start - 3) : start]
        after, stops = text[stop : stop + 2], self.stop_words
        if word.islower():
            apart = before[-1:] in _APOSTROPHES or after[:1] in _APOSTROPHES
            # "2 m"
            figure = before.rstrip()[-1:].isdecimal()
            apart |= figure and _MEASURED.match(text, start) is not None
            return not p.lower or word in stops or apart
        if not p.name or word.lower() not in stops:
            return False
        opens = not before.strip() or before.rstrip()[-1] in ".!?\n"
        small = after[:1] == " " and after[1:].islower()
        return (opens or word == "I") and (small or after[:1] in _APOSTROPHES)

    def _passed_over(
        self, word: str, p: _Pattern, plural: int, text: str, start: int
    ) -> bool:
        """Whether a word stands for itself and not for the name that is spelt alike."""
        if p.only == NOT_TITLE and word.istitle():
            return True
        if p.written and not compact(written_out(word)).startswith(p.written):
            return True
        if len(word) < 2 or not word.islower():
            return False
        if p.only == CAPITALISED:
            return True
        if p.part or p.name:
            single = word[:-plural] if plural > 1 else word
            stop = start + len(word)
            if not is_word_here(text, start, stop, single, self.lang):
                return word in self.stop_words
            return not (p.lower and stands_for_person(text, start, stop, self.lang))
        return not p.lower and word in self.stop_words


def _firsts(p: _Pattern) -> list[str]:
    """What the first run of an occurrence can be: the string's own, with those of its
    kind that follow or without."""
    same = min(p.bounds - p.joints, default=len(p.compact))
    firsts = [p.compact[:at] for at in sorted({*p.bounds, same}) if at <= same]
    if p.name:
        endings = {"s", plural_ending(p.compact)}
        firsts += [first + ending for first in firsts for ending in endings]
    return firsts


def _shape(
    text: str, words: list[str]
) -> tuple[frozenset[int], frozenset[int], bool, int]:
    """Bounds and joints of a string, whether it is all digits, and its widest gap: a
    string is found in its own spelling, whatever its gaps."""
    if len(words) == 1 and text.isascii():
        return _NOTHING, _NOTHING, words[0] <= ":", MAX_GAP
    runs = Runs(text)
    kinds = list(map(runs.kind, range(len(words))))
    inner = [*accumulate(map(len, words[:-1]))]
    joints = [at for at, (a, b) in zip(inner, pairwise(kinds)) if a == b]
    gap = MAX_GAP
    gaps = zip(runs.ends, runs.starts[1:])
    gap = max([gap, *(_visible(text[a:b]) for a, b in gaps if b - a > gap)])
    digits = kinds.count(DIGIT) == len(kinds)
    return frozenset(inner), frozenset(joints), digits, gap


def _visible(gap: str) -> int:
    return sum(not is_mark(ch) for ch in gap)


def _is_close(text: str, runs: Runs, first: int, last: int, gap: int) -> bool:
    """Whether no two neighbours of these runs are further apart than so many
    characters."""
    gaps = zip(runs.ends[first:last], runs.starts[first + 1 :])
    return all(b - a <= gap or _visible(text[a:b]) <= gap for a, b in gaps)


def _is_plural(runs: Runs, end: int, length: int, last: int, p: _Pattern) -> bool:
    ending = runs.compact[end : end + length]
    fits = p.name and ending in ("s", plural_ending(p.compact))
    return fits and runs.kind(last) == LETTER


def _regroups(
    text: str, runs: Runs, i: int, last: int, bounds: set[int], p: _Pattern
) -> bool:
    """Whether runs that are not those of the pattern still spell it: all joined, a
    word divided at the end of a line, or digits grouped otherwise."""
    if p.digits and len(p.compact) >= MIN_REGROUPED:
        return True
    if last - i + 1 == len(p.compact) >= MIN_APART:
        # "R.o.b.e.r.t"
        return not p.digits and p.compact.isalpha()
    for k in range(i, last):
        at = runs.heads[k + 1] - runs.heads[i]
        gap = text[runs.ends[k] : runs.starts[k + 1]]
        if at not in p.bounds and _BREAK.fullmatch(gap):
            bounds.discard(at)
    if bounds == p.bounds:
        return True
    if len(p.compact) < MIN_JOINED:
        return False
    # Of a name, some words as one are a form of their own: "anneke.devries".
    some = not p.name or p.digits
    joined = p.bounds - p.joints
    return bounds == joined or (some and joined <= bounds <= p.bounds)
