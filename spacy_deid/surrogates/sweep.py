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
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from ..names import PARTICLES, name_tokens

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
        "\u03b9" if c == _IOTA_BELOW else c
        for c in plain
        if (c.isalnum() and c not in _APOSTROPHES) or c == _IOTA_BELOW
    )


# Modifier letters written for an apostrophe: between the runs, not in them.
_APOSTROPHES = "\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u02ee"

# The one combining mark that becomes a letter of its own in capitals.
_IOTA_BELOW = "\u0345"

# Classes of characters: letters, digits, figures raised or set apart (footnote marks,
# "½"), marks that belong to what stands before them, and all that separates.
_LETTER, _DIGIT, _RAISED, _MARK, _OTHER = "L", "D", "R", "M", " "


def _classify(ch: str) -> str:
    if ch == _IOTA_BELOW:
        return _LETTER
    if ch.isalnum() and ch not in _APOSTROPHES:
        if not _fold_char(ch):
            return _MARK
        if ch.isdecimal():
            return _DIGIT
        raised = unicodedata.decomposition(ch).startswith(("<super>", "<sub>"))
        return _RAISED if raised or unicodedata.category(ch) == "No" else _LETTER
    return _MARK if _is_mark(ch) else _OTHER


class _FoldTable(dict):
    """Code point -> folded character, for those that fold to exactly one."""

    def __missing__(self, code: int) -> str:
        ch = chr(code)
        folded = _fold_char(ch)
        self[code] = folded if len(folded) == 1 else ch
        return self[code]


class _ClassTable(dict):
    def __missing__(self, code: int) -> str:
        self[code] = _classify(chr(code))
        return self[code]


class _ExpandTable(dict):
    """Code point -> folded characters, any number of them."""

    def __missing__(self, code: int) -> str:
        self[code] = _fold_char(chr(code))
        return self[code]


_fold_table, _class_table, _expand_table = _FoldTable(), _ClassTable(), _ExpandTable()
# str.translate looks ASCII up much faster in a table that has all of it.
for _code in range(128):
    _ = _fold_table[_code], _class_table[_code], _expand_table[_code]

_RUN = re.compile("L[LM]*|D[DM]*|R[RM]*")
_BREAK = re.compile(r"[-\u00ad\u2010\u2011][ \t]*(?:\r\n|\r|\n)[ \t]*")


class Runs(NamedTuple):
    """A text as runs of letters and of digits.

    compact (str): The runs' folded characters, nothing between them.
    heads (list[int]): Where each run begins in `compact`; at the end its length.
    spans (list[tuple[int, int]]): Where each run begins and ends in the text.
    kinds (str): "L", "D" or "R" for each run.
    """

    compact: str
    heads: list[int]
    spans: list[tuple[int, int]]
    kinds: str


def read_runs(text: str) -> Runs:
    """Split a text into runs.

    text (str): Any text.
    RETURNS (Runs): Its runs, in order.
    """
    classes = text.translate(_class_table)
    folded = text.lower() if text.isascii() else text.translate(_fold_table)
    spans = [m.span() for m in _RUN.finditer(classes)]
    runs = [folded[start:end] for start, end in spans]
    if not text.isascii():
        runs = [run if run.isascii() else run.translate(_expand_table) for run in runs]
    heads, position = [], 0
    for run in runs:
        heads.append(position)
        position += len(run)
    heads.append(position)
    return Runs("".join(runs), heads, spans, "".join([classes[a] for a, _ in spans]))


def compact(text: str) -> str:
    """The letters and digits of a text, folded; equal for all spellings of a string.

    text (str): Any text.
    RETURNS (str): Empty if the text has neither letter nor digit.
    """
    if text.isascii():
        return "".join([ch for ch in text.lower() if ch.isalnum()])
    return read_runs(text).compact


class Hit(NamedTuple):
    """An occurrence.

    start (int): First character in the text.
    end (int): Character after the last.
    owner (int): Number given to the masked string.
    part (bool): Whether it is a name part rather than the whole string.
    plural (bool): Whether the text has an "s" more, which the offsets include.
    """

    start: int
    end: int
    owner: int
    part: bool
    plural: bool


class _Pattern(NamedTuple):
    compact: str
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


class Sweep:
    """Strings to look for, and the search.

    stop_words (Collection[str]): Function words of the language: their lower-case
        occurrences are passed over unless the string itself is in lower case.
    """

    def __init__(self, stop_words: Iterable[str] = ()) -> None:
        self.stop_words = frozenset(w for w in stop_words if len(w) > 1)
        self._patterns: dict[str, list[_Pattern]] = {}
        self._lengths: dict[str, set[int]] = {}
        # First two characters of each string, to pass over most runs at once.
        self._starts: set[str] = set()
        self._known: set[tuple] = set()

    def __len__(self) -> int:
        return len(self._known)

    def add(self, text: str, owner: int = 0, *, name: bool = False) -> bool:
        """Look for a string.

        text (str): The string. One without letters and digits is never found.
        owner (int): Number that its hits carry; the first for one string stays.
        name (bool): Whether it is a person's name: its plural counts as well.
        RETURNS (bool): Whether it is new.
        """
        return self._add(text, owner, part=False, name=name)

    def add_name_parts(self, text: str, owner: int = 0) -> bool:
        """Look for the single words of a person's name. Titles, particles and
        initials are none.

        text (str): A person's name, perhaps with titles.
        owner (int): Number that its hits carry.
        RETURNS (bool): Whether any is new.
        """
        new = False
        for part in name_parts(text):
            new |= self._add(part, owner, part=True, name=True)
        return new

    def _add(self, text: str, owner: int, *, part: bool, name: bool) -> bool:
        runs = read_runs(text)
        if not runs.compact:
            return False
        # Lower-case and other originals differ in what may be passed over.
        lower = text.islower()
        inner = runs.heads[1:-1]
        key = (runs.compact, tuple(inner), part, name, lower)
        if key in self._known:
            return False
        self._known.add(key)
        joints = [
            at for i, at in enumerate(inner) if runs.kinds[i] == runs.kinds[i + 1]
        ]
        gaps = [_visible(text[a[1] : b[0]]) for a, b in pairwise(runs.spans)]
        pattern = _Pattern(
            compact=runs.compact,
            bounds=frozenset(inner),
            joints=frozenset(joints),
            digits=set(runs.kinds) == {_DIGIT},
            # A string is found in its own spelling, whatever its gaps.
            gap=max([MAX_GAP, *gaps]),
            owner=owner,
            part=part,
            name=name,
            lower=lower,
        )
        self._patterns.setdefault(runs.compact[:_LONG], []).append(pattern)
        length = min(len(runs.compact), _LONG)
        self._lengths.setdefault(runs.compact[:_HEAD], set()).add(length)
        self._starts.add(runs.compact[:2])
        return True

    def find(self, text: str, runs: Runs | None = None) -> list[Hit]:
        """All occurrences, which may overlap, in order of their start.

        text (str): The text to search.
        runs (Optional[Runs]): Its runs, if they have been read already.
        RETURNS (list[Hit]): The occurrences.
        """
        return self._find(text, runs or read_runs(text), first_only=False)

    def found_in(self, text: str, runs: Runs | None = None) -> bool:
        """Whether a text has any occurrence.

        text (str): The text to search.
        runs (Optional[Runs]): Its runs, if they have been read already.
        RETURNS (bool): True at the first one.
        """
        return bool(self._find(text, runs or read_runs(text), first_only=True))

    def _find(self, text: str, runs: Runs, *, first_only: bool) -> list[Hit]:
        hits: list[Hit] = []
        if not self._lengths:
            return hits
        string, heads = runs.compact, runs.heads
        lengths, patterns, starts = self._lengths, self._patterns, self._starts
        # A periodic string is found once a period: nothing between is left over.
        busy_until: dict[int, int] = {}
        for i, at in enumerate(heads[:-1]):
            if string[at : at + 2] not in starts and string[at] not in starts:
                continue
            for size in range(1, _HEAD + 1):
                found = lengths.get(string[at : at + size])
                if at + size > len(string):
                    break
                if found is None:
                    continue
                for length in found:
                    for pattern in patterns.get(string[at : at + length], ()):
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

    def _check(self, text: str, runs: Runs, i: int, p: _Pattern) -> Hit | None:
        """The occurrence of a pattern whose characters stand from run `i` on."""
        heads, spans, kinds = runs.heads, runs.spans, runs.kinds
        base = heads[i]
        end = base + len(p.compact)
        last = i
        while heads[last + 1] < end:
            gap = text[spans[last][1] : spans[last + 1][0]]
            if len(gap) > p.gap and _visible(gap) > p.gap:
                return None
            last += 1
        plural = False
        if heads[last + 1] != end:
            plural = (
                p.name
                and kinds[last] == _LETTER
                and heads[last + 1] == end + 1
                and runs.compact[end] == "s"
            )
            if not plural:
                return None
        if last - i != len(p.bounds) or (
            last > i
            and any(heads[k] - base not in p.bounds for k in range(i + 1, last + 1))
        ):
            bounds = {heads[k] - base for k in range(i + 1, last + 1)}
            if not _regroups(text, runs, i, last, bounds, p):
                return None
        start, stop = spans[i][0], spans[last][1]
        if last == i and self._passed_over(text[start:stop], p):
            return None
        return Hit(start, stop, p.owner, p.part, plural)

    def _passed_over(self, word: str, p: _Pattern) -> bool:
        if not word.islower():
            return False
        if p.part:
            return word in self.stop_words or word in EVERYDAY
        return not p.lower and word in self.stop_words


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
        gap = text[runs.spans[k][1] : runs.spans[k + 1][0]]
        if at not in p.bounds and _BREAK.fullmatch(gap):
            bounds.discard(at)
    if bounds == p.bounds:
        return True
    return len(p.compact) >= MIN_JOINED and bounds == p.bounds - p.joints


def name_parts(text: str) -> list[str]:
    """Words of a person's name that identify someone by themselves.

    text (str): A person's name, perhaps with titles.
    RETURNS (list[str]): Given names and surnames, and the halves of double ones.
    """
    parts: list[str] = []
    for token in name_tokens(text):
        if token.role in ("title", "suffix"):
            continue
        halves = re.split(r"[-\u2010-\u2015]", token.text)
        for part in dict.fromkeys([token.text, *halves]):
            letters = compact(part)
            if len(letters) < 2 or letters.isdigit() or "." in part.rstrip("."):
                continue
            # "de" is a particle, "De" in "De Smet" is not worth a sweep either.
            if len(letters) <= 3 and letters in PARTICLES:
                continue
            parts.append(part)
    return parts
