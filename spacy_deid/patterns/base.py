"""What every family of patterns shares: hits, text normalisation, validation.

A recognizer is any callable that takes a text and yields hits with character
offsets. The families of this package match on a normalised text, in which
characters that disguise an identifier are replaced by what they stand for.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, chain, compress, count, pairwise
from operator import itemgetter
from typing import NamedTuple

from ..data import table
from ..processes import without_collection
from ..text.words import tree_pattern, word_tree

# There are more patterns than the cache of `re` holds, and each `pii_gazetteer` has all.
compiled = functools.cache(re.compile)


class Hit(NamedTuple):
    """A pattern found in a text.

    start (int): First character.
    end (int): Character after the last.
    label (str): Semantic type.
    subtype (str): Kind of identifier (`EMAIL`, `DATE` ...).
    score (float): Confidence in 0..1.
    source (str): `pattern:detail`.
    reason (str): Why it was found, in plain words ("valid check digits; after
        'account number'"). It may quote words of our own lists, never the text.
    """

    start: int
    end: int
    label: str
    subtype: str
    score: float = 1.0
    source: str = ""
    reason: str = ""


Recognizer = Callable[[str], Iterable[Hit]]
# Finds hits in a text that is already normalised.
Finder = Callable[["Text"], Iterable[Hit]]


@functools.cache
def _disguises() -> dict[str, str]:
    """What characters stand for, nothing for those that are invisible."""
    out = {}
    for row in table("patterns/disguises"):
        plain = chr(int(row["plain"], 16)) if row["plain"] else ""
        for codes in row["codes"].split():
            first, _, last = codes.partition("-")
            for code in range(int(first, 16), int(last or first, 16) + 1):
                out[chr(code)] = plain
    # Every decimal digit beyond ASCII lies in these ranges.
    for code in (*range(0x0660, 0xABFA), *range(0x10000, 0x20000)):
        if (digit := unicodedata.decimal(chr(code), None)) is not None:
            out[chr(code)] = str(digit)
    # Full-width and mathematical letters, one character each under NFKC.
    for code in (*range(0xFF01, 0xFF5F), *range(0x1D400, 0x1D7CC)):
        plain = unicodedata.normalize("NFKC", chr(code))
        if plain.isascii():
            out[chr(code)] = plain
    return out


class Text(str):
    """A text that is scanned for digits and key words only once."""

    @functools.cached_property
    def has_digits(self) -> bool:
        """Whether there is any digit."""
        return _DIGIT.search(self) is not None

    @functools.cached_property
    def digits(self) -> int:
        """How many digits there are."""
        return sum(map(self.count, "0123456789")) if self.has_digits else 0

    @functools.cached_property
    def numbers(self) -> list[int]:
        """Offsets of the digits that no letter or digit precedes."""
        return [m.start() for m in _NUMBER.finditer(self)]

    @functools.cached_property
    def starts(self) -> dict[int, list[int]]:
        """Where each anchored regex may match, by its number, in ascending order."""
        text = self.lower() if self.isascii() else _lower(self)
        places: dict[str, list[int]] = {}
        parts = _RUN.split(text)
        ends, words = [*accumulate(map(len, parts))], parts[1::2]
        for i in compress(range(len(words)), map(_WORDS.__contains__, words)):
            places.setdefault(words[i], []).append(ends[2 * i])
        found = [(starts, _WORDS[word]) for word, starts in places.items()]
        for prefix, numbers in _PREFIXES.items():
            if prefix in text:
                # The letters first: the engine looks for them much faster.
                runs = re.finditer(rf"{prefix}(?<![^\W\d_]{prefix})", text)
                found.append(([m.start() for m in runs], numbers))
        if self.has_digits:
            found.append((self.numbers, tuple(_NUMERIC)))
            for key, starts in self.followers.items():
                found.append((starts, _FOLLOWED.get(key, ())))
        # Lists are shared, so never changed.
        out: dict[int, list[int]] = {}
        several: dict[int, list[list[int]]] = {}
        for starts, numbers in found:
            for number in numbers:
                known = out.setdefault(number, starts)
                if known is not starts:
                    several.setdefault(number, [known]).append(starts)
        for number, lists in several.items():
            # Sorting ascending lists is quick; a set would lose their order.
            out[number] = list(dict.fromkeys(sorted(chain.from_iterable(lists))))
        return out

    @functools.cached_property
    def followers(self) -> dict[str, list[int]]:
        """Offsets of the numbers that no letter or digit precedes, ascending, by the
        lower-cased word or the mark that follows (`/`, `.` before another digit ...),
        and by their form (`FOUR`, `PAIR` ...)."""
        out: dict[str, list[int]] = {}
        for m in _FOLLOW.finditer(self) if self.has_digits else ():
            start, end = m.span(1)
            size = end - start
            if size >= 4:
                out.setdefault(FOUR if size == 4 else LONG, []).append(start)
            elif size == 2 and self[end : end + 1] in _CLOSING:
                out.setdefault(CLOSED, []).append(start)
            group = m.lastindex or 1
            if group > 1:
                key = m[group].lower() if group < 4 else _FORMS[group]
                out.setdefault(key, []).append(start)
        return out


# What stands for numbers of four digits, of more, and of two before a comma or
# bracket; for those before two or three more digits, before a fraction, and at the end.
FOUR, LONG, CLOSED = "####", "#####", "##,"
PAIR, THOUSANDS, FRACTION, END = "#_##", "#_###", "#_#/#", "#"
# Only numbers that something of use follows.
_FOLLOW = re.compile(
    r"([0-9](?<!\w[0-9])[0-9]*)(?=\s?([./:,'_(×-])\s?[0-9]"
    r"|\s?[./ºª°+'&,-]?\s{0,2}([^\W\d_]{1,24}|[%‰$¢€£¥₣₤₦₧₨₩₪₫₭₮₱₲₴₵₸₹₺₽₿฿℃]|[:.]-)"
    r"|\s(?:([0-9]{2}(?![0-9]))|([0-9]{3}(?![0-9]))|([0-9]/[0-9]))"
    r"|([!?;]|\.?\s?\Z)|[,)]|(?<=[0-9]{4}))"
)
_FORMS = {4: PAIR, 5: THOUSANDS, 6: FRACTION, 7: END}
_CLOSING = frozenset(",)")
_DIGIT = re.compile("[0-9]")
_NUMBER = re.compile(r"[0-9](?<!\w[0-9])[0-9]*")
_RUN = re.compile(r"([^\W\d_]+)")
# What the texts are searched for, each with the numbers of the regexes that begin so.
_WORDS: dict[str, tuple[int, ...]] = {}
_PREFIXES: dict[str, tuple[int, ...]] = {}
_PREFIX = 3
_NUMBERS = count()
# The numbers of the regexes that begin with any number, and of those that begin with
# one that some word or mark follows.
_NUMERIC: list[int] = []
_FOLLOWED: dict[str, tuple[int, ...]] = {}


def _lower(text: str) -> str:
    """Lower case of the same length, in which what `re.IGNORECASE` takes for equal
    is equal."""
    text = text.replace("\u0130", "i").lower()
    return text.replace("\u0131", "i").replace("\u017f", "s")


class Anchored:
    """A regex that is tried only where one of some words or a number begins.

    pattern (str): The regex; all its matches begin so.
    *words (str): Words separated by blanks, as runs of letters (a trailing `*`: words
        that begin with these three letters); none of another case or length may begin
        a match.
    numbers (bool): Whether a match may begin with a digit that is preceded by neither
        letter nor digit.
    followed (str): Lower-cased words and marks, separated by blanks: a match may begin
        with such a digit if one of them follows its number. Most patterns that begin
        with a number are told by what comes after it ("16 May", "3.45 pm"), so that
        each number of a text is looked at once for all of them.
    others (Callable): Gives further offsets where a match may begin.
    """

    def __init__(
        self,
        pattern: str,
        *words: str,
        numbers: bool = False,
        followed: str = "",
        others: Callable[[str], Iterable[int]] | None = None,
    ) -> None:
        self._form = pattern
        self.others = others
        self.number = next(_NUMBERS)
        if numbers:
            _NUMERIC.append(self.number)
        for key in set(followed.split()):
            _FOLLOWED[key] = (*_FOLLOWED.get(key, ()), self.number)
        # Of a term of several words the first counts.
        keys = {
            re.split(r"[_'-]", word)[0] for block in words for word in block.split()
        }
        prefixes = {key[:-1] for key in keys if key.endswith("*")}
        if any(len(prefix) != _PREFIX for prefix in prefixes):
            raise ValueError(f"prefixes must have {_PREFIX} letters")
        whole = {key.lower() for key in keys if not key.endswith("*")}
        # One that begins with a prefix of the same regex would count twice.
        whole = {key for key in whole if key[:_PREFIX] not in prefixes}
        for known, new in ((_WORDS, whole), (_PREFIXES, prefixes)):
            for key in new:
                known[key] = (*known.get(key, ()), self.number)

    @functools.cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """The regex at an offset, compiled when a text first asks for it: all of them
        together take longer than a short text."""
        return compiled(self._form).match

    def finditer(
        self, text: str, begin: int = 0, end: int | None = None
    ) -> Iterable[re.Match[str]]:
        """Matches that do not overlap, as `re.finditer` gives them; `begin` and `end`
        are the first and the last offset where one may start."""
        if text.__class__ is not Text:
            text = Text(text)
        starts = text.starts.get(self.number)  # type: ignore[attr-defined]
        if self.others is not None:
            others = list(self.others(text))
            if others:
                starts = sorted([*(starts or ()), *others])
        if starts and end is not None:
            starts = starts[bisect_left(starts, begin) : bisect_right(starts, end)]
        return self._matches(text, starts) if starts else ()

    def _matches(self, text: str, starts: list[int]) -> Iterator[re.Match[str]]:
        end = 0
        match = self.match
        for start in starts:
            if start >= end and (m := match(text, start)) is not None:
                end = m.end()
                yield m


def occurrences(text: str, *literals: str) -> list[int]:
    """Offsets of some strings."""
    found = (lit for lit in literals if lit in text)
    return [m.start() for lit in found for m in re.finditer(re.escape(lit), text)]


@dataclass(frozen=True)
class Normalized:
    """A text to match on and the way back to the original offsets.

    text (Text): The normalised text.
    removed (list[int]): Offsets in `text` before which a character was removed,
        once for each such character, ascending.
    """

    text: Text
    removed: list[int]

    @functools.cached_property
    def spaced(self) -> Text:
        """The text with a blank for each character removed: offsets are the original."""
        edges = [0, *self.removed, len(self.text)]
        return Text(" ".join(self.text[a:b] for a, b in pairwise(edges)))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original text."""
        if not self.removed or end <= start:
            return start, end
        first, last = (bisect_right(self.removed, i) for i in (start, end - 1))
        return start + first, end + last


def normalize(text: str) -> Normalized:
    """Undo what hides an identifier: digits of other scripts, odd spaces, dashes and
    quotes, full-width letters become ASCII; invisible characters go.

    text (str): The original text.
    RETURNS (Normalized): Normalised text with its offset map.
    """
    if text.isascii():
        return Normalized(Text(text.replace("\x0b", "\n").replace("\x0c", "\n")), [])
    known = _disguises()
    found = set(text) & known.keys()
    hidden = "".join(sorted(char for char in found if not known[char]))
    # Documents hold few different characters, so that replacing one after another
    # is much faster than a translation table.
    for char in found.difference(hidden):
        text = text.replace(char, known[char])
    if not hidden:
        return Normalized(Text(text), [])
    pattern = re.compile(f"[{re.escape(hidden)}]")
    removed = [m.start() - i for i, m in enumerate(pattern.finditer(text))]
    return Normalized(Text(pattern.sub("", text)), removed)


class PatternRecognizer:
    """A recognizer that looks through disguises.

    *finders (Callable): Functions of a normalised text that yield hits; of those that
        overlap the longest one stays.
    digits (bool): Whether a text without any digit has no hit.
    """

    def __init__(self, *finders: Finder, digits: bool = False) -> None:
        self._finders, self._digits = finders, digits

    def __call__(self, text: str) -> Iterator[Hit]:
        """Find the hits of one text."""
        yield from self.match(normalize(text))

    def find(self, text: Text) -> Iterable[Hit]:
        """The hits of a normalised text, without overlaps."""
        if self._digits and not text.has_digits:
            return []
        return drop_covered(h for finder in self._finders for h in finder(text))

    def match(self, normal: Normalized) -> list[Hit]:
        """Find the hits of a text that is already normalised."""
        hits = in_order(self.find(normal.text))
        if not normal.removed:
            return hits
        places = (normal.original(h.start, h.end) for h in hits)
        return [h._replace(start=a, end=b) for h, (a, b) in zip(hits, places)]


_LONG_TEXT = 50_000  # characters


def in_order(hits: Iterable[Hit]) -> list[Hit]:
    """Hits in document order, each once."""
    return sorted(set(hits))


def find_hits(
    text: str, recognizers: Iterable[Recognizer], normal: Normalized | None = None
) -> list[Hit]:
    """Run several recognizers on a text, normalising it only once.

    text (str): Any text.
    recognizers (Iterable[Recognizer]): The recognizers.
    normal (Optional[Normalized]): The normalised text, where it is known already.
    RETURNS (list[Hit]): All their hits, sorted; hits of different recognizers may
        overlap.
    """
    normal = normalize(text) if normal is None else normal
    hits: list[Hit] = []
    with without_collection(len(text) > _LONG_TEXT):
        for recognizer in recognizers:
            if isinstance(recognizer, PatternRecognizer):
                hits.extend(recognizer.match(normal))
            else:
                hits.extend(recognizer(text))
        return in_order(hits)


def hit(
    start: int,
    end: int,
    label: str,
    subtype: str,
    score: float,
    detail: str = "",
    reason: str = "",
) -> Hit:
    """A hit whose source names its detail, the subtype by default."""
    source = f"pattern:{detail or subtype}"
    return Hit(start, end, label, subtype, score, source, reason)


def word_trie(*alternatives: str, ignore_case: bool = True) -> str:
    """Regex that matches whole words of a list, compiled so that scanning is fast."""
    root = word_tree(sorted({w for block in alternatives for w in block.split()}))
    branches = []
    for char, node in root.items():
        rest = tree_pattern(node, {"_": r"[\s-]{1,2}"})
        rest = f"(?i:{rest})" if ignore_case else rest
        for first in sorted({char.lower(), char.upper()} if ignore_case else {char}):
            c = re.escape(first)
            branches.append(f"{c}(?<!\\w{c}){rest}")
    return f"(?:{'|'.join(branches)})(?!\\w)"


@functools.cache
def name_trie(terms: frozenset[str]) -> str:
    """Regex of names; `_` stands for a blank, a hyphen, an underscore or nothing, and
    digits and underscores may touch a name."""
    trie = word_trie(*terms).replace(r"[\s-]{1,2}", r"[\s_-]{0,2}")
    trie = trie.replace(r"(?<!\w", r"(?<![^\W_]").removesuffix(r"(?!\w)")
    return rf"{trie}(?![^\W\d_])"


def anchored_names(terms: Iterable[str], rest: str) -> Anchored:
    """A regex of names (group `name`) and of what follows them."""
    terms = frozenset(terms)
    spellings = {s for term in terms for s in (term, term.replace("_", ""))}
    keys = {m[0] for s in spellings if (m := _RUN.match(s))}
    return Anchored(rf"(?P<name>{name_trie(terms)}){rest}", *keys)


def drop_covered(hits: Iterable[Hit]) -> list[Hit]:
    """Resolve overlaps: the longest hit wins, then the higher score."""
    kept: list[Hit] = []
    for h in sorted(hits, key=lambda h: (h.start - h.end, -h.score, h)):
        i = bisect_right(kept, h.start, key=itemgetter(0))
        free = i == 0 or kept[i - 1].end <= h.start
        if free and (i == len(kept) or kept[i].start >= h.end):
            kept.insert(i, h)
    return kept
