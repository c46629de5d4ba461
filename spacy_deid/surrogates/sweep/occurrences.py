"""Finding every occurrence of the masked strings, in any spelling of the same letters.

A text is read as runs of letters and runs of digits. An occurrence of a masked string
has the same runs, whatever the letter case, the accents, the Unicode form and the
characters between the runs (at most `MAX_GAP`, or as many as the string itself has),
and no letter or digit of the same kind touches its edges. "John Smith" so occurs in
"JOHN-SMITH", "smith_john@..." has its single parts, and "Murrays’" has "Murray". Time
is linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, compress
from typing import NamedTuple

from ...text.names import EVERYDAY as NAMES_AND_WORDS
from ...text.names import PARTICLES, NameToken, name_tokens

MAX_GAP = 3
# Runs of a masked string may be joined ("JohnSmith", "2804502") from this length on,
MIN_JOINED = 4
# and digits grouped in another way (phone, card and account numbers) from this one.
MIN_REGROUPED = 9

_HEAD = 4
_LONG = 64


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Names that are everyday words: a lower-case "brown" is far more often the colour than
# Mr Brown. Only words that are frequent in running text are here; "smith" or "parker"
# in lower case is nearly always a person who writes without capitals.
EVERYDAY = _words(
    """
    able april art august autumn baker ball banks bar bass bay beach bean bear bell best
    bill bird bishop black blank blue bond book bright brown bull bush butcher butter care
    case cash castle chance charity chase church clay clear coach coal cold college cook
    corn cotton court cross daily dawn day deal dean dear early east english faith falls
    farmer field fields fine fish flower flowers foot ford forest fortune free french frost
    game garden glass gold golden good grace grant grave gray great green grey ground guest
    gun guy hall ham hand hands hard hardy harmony head heaven high hill hills holiday home
    honey hope horn house hunt job joy judge july june justice keen kid kind king knight
    lake land lane large law leaf leather light little lock long love low major manual march
    mark mercy mild mill mine miss moon morning mount nail new night noble noon north oak
    old olive page park patience peace penny pepper piece pike pink pit plant pole pool poor
    pope post pound power price priest prince prior purple queen rain range ray read red
    rice rich ring rise river rock rod rose round rush sale sand school sea shade sharp
    shore short silver sky small smart snow song south spark speed spice spring stack star
    steel stone storm strange street strong sue summer sun swan swift tall temple tiger
    tower town trip true viola violet wade walk wall ward warm water waters way weeks wells
    west white wild winter wise wolf wood woods word worth young
    """
)


def _is_possessed(text: str, end: int) -> bool:
    """Whether a letter and an apostrophe stand before a place."""
    return end > 1 and text[end - 1] in "'’" and text[end - 2].isalpha()


def _is_mark(ch: str) -> bool:
    """Characters that a reader does not see as one of their own: combining marks,
    zero-width characters, soft hyphens."""
    return unicodedata.category(ch) in ("Mn", "Mc", "Me", "Cf")


def _fold_char(ch: str) -> str:
    """Letters and digits that a character stands for, the same for all its case and
    compatibility forms. Empty if it is none."""
    if ch == _IOTA_BELOW:
        return "\u03b9"
    if not ch.isalnum() or ch in _APOSTROPHES:
        return ""
    decimal = unicodedata.decimal(ch, None)
    if decimal is not None:
        return str(decimal)
    plain = unicodedata.normalize("NFKD", ch).casefold().upper().casefold()
    plain = unicodedata.normalize("NFKD", plain)
    return "".join(
        "\u03b9" if c == _IOTA_BELOW else _PLAIN_LETTERS.get(c, c)
        for c in plain
        if (c.isalnum() and c not in _APOSTROPHES) or c == _IOTA_BELOW
    )


# Modifier letters written for an apostrophe: between the runs, not in them.
_APOSTROPHES = "\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u02ee"

# Letters without decomposition that people write plainly: "Sorensen", "Walesa".
_PLAIN_LETTERS = {
    **dict(zip("øłđðħŧ", "oldðht".replace("ð", "d"))),
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
}

# The one combining mark that becomes a letter of its own in capitals.
_IOTA_BELOW = "\u0345"

# Classes of characters: letters, digits, figures raised or set apart (footnote marks),
# fractions ("½"), marks that belong to what stands before them, and all that separates.
_LETTER, _DIGIT, _RAISED, _FRACTION, _MARK, _OTHER = "L", "D", "R", "F", "M", " "
_SLASH = "\u2044"


def _classify(ch: str) -> str:
    if ch == _IOTA_BELOW:
        return _LETTER
    if ch.isalnum() and ch not in _APOSTROPHES:
        if not _fold_char(ch):
            return _MARK
        if ch.isdecimal():
            return _DIGIT
        raised = unicodedata.decomposition(ch).startswith(("<super>", "<sub>"))
        if not raised and unicodedata.category(ch) != "No":
            return _LETTER
        return _FRACTION if _SLASH in unicodedata.normalize("NFKD", ch) else _RAISED
    return _MARK if _is_mark(ch) else _OTHER


class _FoldTable(dict):
    """Code point -> folded character, for those that fold to exactly one."""

    def __missing__(self, code: int) -> str:
        ch = chr(code)
        folded = _fold_char(ch)
        self[code] = folded if len(folded) == 1 else ch
        return self[code]


# What stands for a character beyond ASCII where runs are sought: no text that has been
# translated has these themselves.
_SIGNS = {
    _LETTER: "\x80",
    _DIGIT: "\x81",
    _RAISED: "\x82",
    _MARK: "\x83",
    _FRACTION: "\x84",
    _OTHER: " ",
}
_CLASSES = {sign: kind for kind, sign in _SIGNS.items()}


class _SignTable(dict):
    def __missing__(self, code: int) -> str:
        self[code] = _SIGNS[_classify(chr(code))]
        return self[code]


class _ExpandTable(dict):
    """Code point -> folded characters, any number of them."""

    def __missing__(self, code: int) -> str:
        self[code] = _fold_char(chr(code))
        return self[code]


class _AsciiTable(dict):
    """Character -> the one in ASCII that stands for it: a letter or figure it folds to,
    a blank for what separates; "" if there is none such."""

    def __missing__(self, ch: str) -> str:
        kind, folded = _classify(ch), _fold_char(ch)
        plain = ""
        if kind == _OTHER:
            plain = " "
        elif kind in (_LETTER, _DIGIT) and _ASCII_RUN.fullmatch(folded):
            plain = folded if len(folded) == 1 else ""
        self[ch] = plain
        return plain


_fold_table, _sign_table, _expand_table = _FoldTable(), _SignTable(), _ExpandTable()
_ascii_table = _AsciiTable()
# str.translate looks ASCII up much faster in a table that has all of it.
for _code in range(128):
    _ = _fold_table[_code], _expand_table[_code]

_RUN = re.compile(
    "([a-z\x80][a-z\x80\x83]*|[0-9\x81][0-9\x81\x83]*|\x82[\x82\x83]*|\x84[\x84\x83]*)"
)
_ASCII_RUN = re.compile("([a-z]+|[0-9]+)")
_BEYOND_ASCII = re.compile("([^\x00-\x7f]+)")
# Replaced first: looking for what is beyond ASCII takes longer.
_FREQUENT = "’“”‘–—\u00a0§éüöäáóíçèñışğ•…"
# What separates runs in ASCII -> blanks, to split by.
_BLANKED = "".join(ch if ch.isalnum() else " " for ch in map(chr, range(128)))
_BEFORE_BREAKS = ("-", "\u00ad", "\u2010", "\u2011", " ", "\t")
_BREAK = re.compile(r"[-\u00ad\u2010\u2011][ \t]*(?:\r\n|\r|\n)[ \t]*")


class Runs:
    """A text as runs of letters and of digits.

    words (list[str]): The runs' folded characters.
    starts (list[int]): Where each run begins in the text.
    ends (list[int]): Where each run ends in the text.
    """

    __slots__ = ("_compact", "_ends", "_heads", "_signs", "_starts", "_text", "words")

    def __init__(
        self,
        words: list[str],
        text: str,
        places: tuple[list[int], list[int], str] | None = None,
    ) -> None:
        self.words = words
        self._text = text
        self._compact: str | None = None
        self._heads: list[int] | None = None
        self._starts: list[int] | None = None
        self._ends: list[int] = []
        self._signs = ""
        if places is not None:
            self._starts, self._ends, self._signs = places

    def _place(self) -> list[int]:
        # Texts without occurrences never come here.
        runs = read_runs(self._text)
        self._starts, self._ends, self._signs = runs.starts, runs.ends, runs._signs
        return self._starts

    @property
    def starts(self) -> list[int]:
        """Where each run begins in the text."""
        return self._place() if self._starts is None else self._starts

    @property
    def ends(self) -> list[int]:
        """Where each run ends in the text."""
        if self._starts is None:
            self._place()
        return self._ends

    @property
    def compact(self) -> str:
        """The runs' folded characters, nothing between them."""
        if self._compact is None:
            self._compact = "".join(self.words)
        return self._compact

    @property
    def heads(self) -> list[int]:
        """Where each run begins in `compact`; at the end its length."""
        if self._heads is None:
            self._heads = [*accumulate(map(len, self.words), initial=0)]
        return self._heads

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where each run begins and ends in the text."""
        return list(zip(self.starts, self.ends))

    @property
    def kinds(self) -> str:
        """ "L", "D", "R" or "F" for each run."""
        return "".join(map(self.kind, range(len(self.words))))

    def kind(self, i: int) -> str:
        """ "L", "D", "R" or "F" for a run."""
        start = self.starts[i]
        ch = self._signs[start]
        return _CLASSES.get(ch) or (_LETTER if ch.isalpha() else _DIGIT)


def _in_ascii(text: str) -> str:
    """A text with each character replaced by the one in ASCII that stands for it, so
    that runs are the same; "" if one has none."""
    if text.isascii():
        return text
    for ch in _FREQUENT if len(text) > 100 else "":
        text = text.replace(ch, _ascii_table[ch])
    if not text.isascii():
        for ch in set("".join(_BEYOND_ASCII.findall(text))):
            plain = _ascii_table[ch]
            if not plain:
                return ""
            text = text.replace(ch, plain)
    return text


def read_words(text: str) -> list[str]:
    """The words of a text's runs, without telling where they are, which is faster."""
    if text.isascii():
        low = text.lower()
        if low.isalpha():
            return [low]
    else:
        low = _in_ascii(text).lower()
        if not low:
            return read_runs(text).words
    words = low.translate(_BLANKED).split()
    for word in words:
        # All letters or all figures, or it is more than one run.
        if not word.isalpha() and not word.isdecimal():
            return [run for word in words for run in _ASCII_RUN.findall(word)]
    return words


def read_runs(text: str) -> Runs:
    """Split a text into runs."""
    signs = _in_ascii(text).lower()
    if signs:
        parts = _ASCII_RUN.split(signs)
        words = parts[1::2]
        ends = [*accumulate(map(len, parts))]
        return Runs(words, text, (ends[:-1:2], ends[1::2], signs))
    # Most of a text is ASCII, which is folded much faster than the rest.
    pieces = _BEYOND_ASCII.split(text)
    folds = [piece.lower() for piece in pieces]
    signed = folds.copy()
    folds[1::2] = [piece.translate(_fold_table) for piece in pieces[1::2]]
    signed[1::2] = [piece.translate(_sign_table) for piece in pieces[1::2]]
    folded, signs = "".join(folds), "".join(signed)
    ends = [*accumulate(map(len, _RUN.split(signs)))]
    starts, ends = ends[:-1:2], ends[1::2]
    words = [folded[start:end] for start, end in zip(starts, ends)]
    words = [w if w.isascii() else w.translate(_expand_table) for w in words]
    return Runs(words, text, (starts, ends, signs))


def compact(text: str) -> str:
    """The letters and digits of a text, folded; equal for all spellings of a string."""
    if text.isascii():
        # Most texts are one word.
        low = text.lower()
        return low if low.isalpha() else "".join(low.translate(_BLANKED).split())
    return "".join(read_words(text))


def _may_divide(text: str) -> bool:
    """Whether a line may end in a hyphen; False for most texts at once."""
    for end in ("\n", "\r"):
        at = text.find(end)
        while at >= 0:
            if text[max(0, at - 1) : at] in _BEFORE_BREAKS:
                return True
            at = text.find(end, at + 1)
    return False


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


# Longer strings are compared as a whole, once a period.
_FEW = 8


class _Pattern(NamedTuple):
    compact: str
    words: list[str]
    # Compact offsets of the boundaries between runs, and of those between two runs of
    # one kind, which the text may leave out.
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


# Which words a string may be, see `Sweep.add`.
ANY, CAPITALISED, NOT_TITLE = "", "capitalised", "not title"


class Sweep:
    """Strings to look for, and the search.

    stop_words (Collection[str]): Function words of the language: their lower-case
        occurrences are passed over unless the string itself is in lower case. Those
        of one letter don't count.
    """

    def __init__(self, stop_words: Iterable[str] = ()) -> None:
        self.stop_words = frozenset(stop_words)
        self._patterns: dict[str, list[_Pattern]] = {}
        # Beginnings of strings -> their lengths, made for the first that are asked for.
        self._lengths: dict[str, set[int]] = {}
        self._lengths_of = 0
        # What an occurrence's first run can be, to pass over most runs at once, with
        # the lengths of the strings; and the first figures of numbers that may be
        # grouped in any way.
        self._firsts: dict[str, set[int]] = {}
        self._figures: set[str] = set()
        self._known: set[tuple] = set()
        # How many strings are looked for.
        self.size = 0

    def __len__(self) -> int:
        return self.size

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
        return self._add(text, owner, part, name, only, written, words)

    def add_name_parts(self, text: str, owner: int = 0) -> bool:
        """Look for the single words of a person's name. Titles, particles and
        initials are none."""
        return self.add_parts(name_parts(text), owner)

    def add_parts(self, parts: Iterable[str], owner: int = 0) -> bool:
        """Look for single words of a person's name."""
        new = False
        for part in parts:
            new |= self._add(part, owner, True, True)
        return new

    def _add(
        self,
        text: str,
        owner: int,
        part: bool,
        name: bool,
        only: str = ANY,
        written: str = "",
        words: list[str] | None = None,
    ) -> bool:
        ascii_text = text.isascii()
        if words is None:
            words = read_words(text)
        if not words:
            return False
        # Lower-case and other originals differ in what may be passed over.
        lower = text.islower()
        string = words[0]
        inner: Sequence[int] = ()
        if len(words) > 1:
            string = "".join(words)
            inner = (*accumulate(map(len, words[:-1])),)
        key = (string, inner, part, name, lower, only, written)
        if key in self._known:
            return False
        self._known.add(key)
        self.size += 1
        bounds = joints = _NOTHING
        gap = MAX_GAP
        firsts = [words[0]]
        if ascii_text and not inner:
            digits = string[0] <= "9"
        else:
            runs = None if ascii_text else read_runs(text)
            bounds = joints = frozenset(inner)
            digits = False
            kinds: Sequence[str] = ""
            if runs is not None:
                kinds = runs.kinds
            elif not string.isalpha() and not string.isdecimal():
                kinds = [_LETTER if word[0] > "9" else _DIGIT for word in words]
            if not kinds or kinds.count(kinds[0]) == len(kinds):
                digits = kinds[0] == _DIGIT if kinds else string[0] <= "9"
                firsts.append(string)
            else:
                joints = frozenset(
                    [at for i, at in enumerate(inner) if kinds[i] == kinds[i + 1]]
                )
                firsts.append(string[: min(bounds - joints)])
            # A string is found in its own spelling, whatever its gaps.
            # What is folded to several characters ("¼") hides them from the lengths.
            if runs is not None or len(text) - len(string) > gap:
                runs = runs or read_runs(text)
                for start, end in zip(runs.ends, runs.starts[1:]):
                    if end - start > gap:
                        gap = max(gap, _visible(text[start:end]))
        pattern = _Pattern(
            string,
            words,
            bounds,
            joints,
            digits,
            gap,
            owner,
            part,
            name,
            lower,
            only,
            written,
        )
        self._patterns.setdefault(string[:_LONG], []).append(pattern)
        length = min(len(string), _LONG)
        if name:
            plurals = [first + "s" for first in firsts]
            if string.endswith(SIBILANTS):
                plurals += [first + "es" for first in firsts]
            firsts += plurals
        for first in firsts:
            lengths = self._firsts.get(first)
            if lengths is None:
                self._firsts[first] = {length}
            else:
                lengths.add(length)
        if digits and len(string) >= MIN_REGROUPED:
            self._figures.update(string[:n] for n in range(1, _HEAD + 1))
        return True

    def find(self, text: str, runs: Runs | None = None) -> list[Hit]:
        """All occurrences, which may overlap, in order of their start."""
        if runs is None:
            words = read_words(text)
            if self._has_none(text, words):
                return []
            runs = Runs(words, text)
        return self._find(text, runs, first_only=False)

    def found_in(self, text: str, words: list[str] | None = None) -> bool:
        """Whether a text has any occurrence."""
        if words is None:
            words = read_words(text)
        if self._has_none(text, words):
            return False
        return bool(self._find(text, Runs(words, text), first_only=True))

    def _has_none(self, text: str, words: list[str]) -> bool:
        """Whether a text's words alone tell that no string is in it, which is so for
        most; False if more has to be looked at."""
        return (
            self._firsts.keys().isdisjoint(words)
            and (
                not self._figures
                or self._figures.isdisjoint([word[:_HEAD] for word in words])
            )
            # What a hyphen divides at the end of a line is part of a word.
            and not (
                ("\n" in text or "\r" in text)
                and _may_divide(text)
                and _BREAK.search(text)
            )
        )

    def _anywhere(self, text: str, runs: Runs) -> set[int]:
        """Runs that a string may begin with whose own first run is another."""
        more: set[int] = set()
        if self._figures:
            figures = self._figures
            more = {i for i, word in enumerate(runs.words) if word[:_HEAD] in figures}
        if _may_divide(text):
            for match in _BREAK.finditer(text):
                i = bisect_left(runs.ends, match.start())
                if i < len(runs.ends) and runs.ends[i] == match.start():
                    more.add(i)
        return more

    def _lengths_at(self, runs: Runs, i: int) -> set[int]:
        """Lengths of the strings whose first characters stand at a run."""
        if self._lengths_of != self.size:
            self._lengths_of = self.size
            for known in self._patterns:
                self._lengths.setdefault(known[:_HEAD], set()).add(len(known))
        string, at = runs.compact, runs.heads[i]
        found: set[int] = set()
        for size in range(1, min(_HEAD, len(string) - at) + 1):
            found |= self._lengths.get(string[at : at + size], _NOTHING)
        return found

    def _find(self, text: str, runs: Runs, *, first_only: bool) -> list[Hit]:
        hits: list[Hit] = []
        words, firsts = runs.words, self._firsts
        candidates = [*compress(range(len(words)), map(firsts.__contains__, words))]
        more = self._anywhere(text, runs)
        if more:
            candidates = sorted(more.union(candidates))
        if not candidates:
            return hits
        string, heads, patterns = runs.compact, runs.heads, self._patterns
        # A periodic string is found once a period: nothing between is left over.
        busy_until: dict[int, int] = {}
        for i in candidates:
            at = heads[i]
            lengths = self._lengths_at(runs, i) if i in more else firsts[words[i]]
            for length in lengths:
                if at + length > len(string):
                    continue
                for pattern in patterns.get(string[at : at + length], ()):
                    n = len(pattern.words)
                    if (
                        n <= _FEW
                        and words[i : i + n] == pattern.words
                        and (
                            n == 1 or self._close(text, runs, i, i + n - 1, pattern.gap)
                        )
                    ):
                        # The same runs.
                        start, stop = runs.starts[i], runs.ends[i + n - 1]
                        if n == 1:
                            hit = self._whole_run(text, start, stop, pattern)
                        else:
                            hit = Hit(start, stop, pattern.owner, pattern.part, 0)
                        if hit is None:
                            continue
                        hits.append(hit)
                        if first_only:
                            return hits
                        continue
                    if len(pattern.compact) > _LONG:
                        if busy_until.get(id(pattern), 0) > at:
                            continue
                        if not string.startswith(pattern.compact, at):
                            continue
                    hit = self._check(text, runs, i, pattern)
                    if hit is None:
                        continue
                    hits.append(hit)
                    if first_only:
                        return hits
                    if len(pattern.compact) > _LONG:
                        busy_until[id(pattern)] = at + len(pattern.compact)
        return hits

    def _close(self, text: str, runs: Runs, first: int, last: int, gap: int) -> bool:
        """Whether no two neighbours of these runs are further apart than so many
        characters."""
        starts, ends = runs.starts, runs.ends
        for k in range(first, last):
            a, b = ends[k], starts[k + 1]
            if b - a > gap and _visible(text[a:b]) > gap:
                return False
        return True

    def _check(self, text: str, runs: Runs, i: int, p: _Pattern) -> Hit | None:
        """The occurrence of a pattern whose characters stand from run `i` on."""
        heads = runs.heads
        base = heads[i]
        end = base + len(p.compact)
        last = i
        while heads[last + 1] < end:
            last += 1
        if last > i and not self._close(text, runs, i, last, p.gap):
            return None
        plural = heads[last + 1] - end
        if plural and not (
            p.name
            and runs.compact[end : end + plural] in ("s", plural_ending(p.compact))
            and runs.kind(last) == _LETTER
        ):
            return None
        if last > i or p.bounds:
            bounds = {head - base for head in heads[i + 1 : last + 1]}
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
        if (p.only or p.written or word.islower()) and (
            self._passed_over(word, p, plural)
            # A firm "S" is not what "the applicant's" ends in.
            or (word == "s" and not p.lower and _is_possessed(text, start))
        ):
            return None
        return Hit(start, stop, p.owner, p.part, plural)

    def _passed_over(self, word: str, p: _Pattern, plural: int) -> bool:
        if p.only == NOT_TITLE and word.istitle():
            return True
        if p.written and not compact(written_out(word)).startswith(p.written):
            return True
        if len(word) < 2 or not word.islower():
            return False
        if p.only == CAPITALISED:
            return True
        if plural > 1 and not p.lower and word[:-plural] in NAMES_AND_WORDS:
            # "foxes", "marshes".
            return True
        if p.part:
            return word in self.stop_words or word in EVERYDAY
        return not p.lower and word in self.stop_words


_NOTHING: frozenset[int] = frozenset()

# Names whose plural ends in "es".
SIBILANTS = ("s", "x", "z", "ch", "sh")


def plural_ending(name: str) -> str:
    """What makes a plural of a name: "the Smiths", "the Joneses"."""
    return "es" if name.lower().endswith(SIBILANTS) else "s"


# Umlauts and what is written for them where the keys are missing.
_DIGRAPHS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"}
_UMLAUT = re.compile("[äöüøåæ]", re.IGNORECASE)
# With the combining marks, and the sign of a unit that is an "Å".
_WITH_MARKS = "äöüøåæÄÖÜØÅÆ\u212b\u0308\u030a"
_DIGRAPH = re.compile("ae|oe|ue|aa", re.IGNORECASE)
_UMLAUTS = {"ae": "ä", "oe": "ö", "ue": "ü", "aa": "å"}
# More combinations than of so many are not tried.
_MAX_DIGRAPHS = 3


def has_umlauts(text: str) -> bool:
    """Whether a text has any letter that `written_out` changes."""
    return not text.isascii() and any(map(text.__contains__, _WITH_MARKS))


def written_out(text: str) -> str:
    """A text without umlauts: "Krueger" for "Krüger", "AARHUS" for "ÅRHUS"."""

    def digraph(match: re.Match[str]) -> str:
        letter = match.group()
        two = _DIGRAPHS[letter.lower()]
        if letter.islower():
            return two
        near = text[max(0, match.start() - 1) : match.end() + 1]
        return two.upper() if len(near) > 1 and near.isupper() else two.capitalize()

    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    return _UMLAUT.sub(digraph, text)


def with_umlauts(text: str) -> list[str]:
    """Words that a word may be written for: "Krüger" for "Krueger"."""
    places = [match.span() for match in _DIGRAPH.finditer(text)]
    if len(places) > _MAX_DIGRAPHS:
        return []
    out = [""]
    last = 0
    for start, end in places:
        two = text[start:end]
        umlaut = _UMLAUTS[two.lower()]
        umlaut = umlaut.upper() if two[0].isupper() else umlaut
        out = [head + text[last:start] + new for head in out for new in (two, umlaut)]
        last = end
    return [head + text[last:] for head in out[1:]]


def _visible(gap: str) -> int:
    return sum(not _is_mark(ch) for ch in gap)


def _regroups(
    text: str, runs: Runs, i: int, last: int, bounds: set[int], p: _Pattern
) -> bool:
    """Whether runs that are not those of the pattern still spell it: all joined, a
    word divided at the end of a line, or digits grouped otherwise."""
    if p.digits and len(p.compact) >= MIN_REGROUPED:
        return True
    for k in range(i, last):
        at = runs.heads[k + 1] - runs.heads[i]
        gap = text[runs.ends[k] : runs.starts[k + 1]]
        if at not in p.bounds and _BREAK.fullmatch(gap):
            bounds.discard(at)
    if bounds == p.bounds:
        return True
    return len(p.compact) >= MIN_JOINED and bounds == p.bounds - p.joints


def name_parts(text: str) -> list[str]:
    """Words of a person's name that identify someone by themselves."""
    return parts_of(name_tokens(text))


_HYPHENS = re.compile("[-\u2010-\u2015]")


def parts_of(tokens: Iterable[NameToken]) -> list[str]:
    """As `name_parts`, of a name that has been taken apart."""
    parts: list[str] = []
    for token in tokens:
        if token.role in ("title", "suffix"):
            continue
        whole = token.text
        if whole.isascii() and whole.isalpha():
            parts_here: Iterable[str] = (whole,)
        else:
            parts_here = dict.fromkeys([whole, *_HYPHENS.split(whole)])
        for part in parts_here:
            letters = compact(part)
            if len(letters) < 2 or letters.isdigit() or "." in part.rstrip("."):
                continue
            # "de" is a particle, "De" in "De Smet" is not worth a sweep either.
            if len(letters) <= 3 and letters in PARTICLES:
                continue
            parts.append(part)
    return parts


# A surname of so many letters after an initial is no accident ("kdoyle"), and two
# whole names of so many together.
_MIN_SURNAME, _MIN_BOTH = 5, 8


def _surnames(family: list[str]) -> list[str]:
    """A surname's words as one, folded. Particles are written or left out: "vandyk",
    "dyk"."""
    surnames = [compact("".join(family))]
    whole = family
    if len(family) > 1:
        whole = [word for word in family if compact(word) not in PARTICLES] or family
        surnames.append(compact("".join(whole)))
    if not "".join(family).isascii():
        surnames += [compact(written_out("".join(words))) for words in (family, whole)]
    return surnames


def joined_surnames(tokens: Iterable[NameToken]) -> list[str]:
    """A surname of several words written as one: "devries" for "de Vries"."""
    middle: list[str] = []
    family: list[str] = []
    for token in tokens:
        if token.role == "family":
            family.append(token.text)
        elif token.role == "middle" and len(token.text) > 2:
            middle = [token.text]
    if not family or len(middle) + len(family) < 2:
        return []
    found = _surnames(family) if len(family) > 1 else []
    found += _surnames(middle + family) if middle else []
    single = {compact(word) for word in family}
    return [
        name
        for name in dict.fromkeys(found)
        if len(name) >= _MIN_SURNAME
        and name not in single
        and name not in NAMES_AND_WORDS
    ]


def joined_names(tokens: Iterable[NameToken]) -> list[str]:
    """What user names are made of: "kdoyle", "doylek", "karendoyle", "doylekaren"."""
    given: list[str] = []
    family: list[str] = []
    for token in tokens:
        if token.role in ("given", "middle"):
            given.append(token.text)
        elif token.role == "family":
            family.append(token.text)
    if not given or not family:
        return []
    surnames = _surnames(family)
    heads = [compact(given[0])]
    if not given[0].isascii():
        heads.append(compact(written_out(given[0])))
    heads.append(heads[0][:1])
    if len(given) > 1:
        heads.append("".join(compact(word)[:1] for word in given))
    out: dict[str, None] = {}
    for surname in dict.fromkeys(surnames):
        for head in dict.fromkeys(heads):
            if not head or not surname:
                continue
            long_head = len(head) > 2
            if len(surname) < (3 if long_head else _MIN_SURNAME):
                continue
            if long_head and len(head) + len(surname) < _MIN_BOTH:
                continue
            for name in (head + surname, surname + head):
                if name not in NAMES_AND_WORDS:
                    out.setdefault(name)
    return list(out)
