"""Groups: what is said without anything else between, and how it is said."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...data import word_lists
from ...text.offsets import joined
from ...text.spoken import (
    ALPHABET,
    FIGURES,
    LETTER,
    MARK,
    NUMBER,
    TIMES,
    TURN,
    Atom,
    Run,
    Speech,
)
from ..base import Anchored, Text
from ..tables import Patterns

LISTS = word_lists("patterns/spoken_words")
_ANY = {name: "|".join(words).replace(".", r"\.") for name, words in LISTS.items()}
P = Patterns("spoken", parts={**_ANY, "turn": TURN})

# Details of the source of a first piece, and of one that goes on with the one before.
FIRST, MORE = "spoken", "spoken_more"
# How close two words must be for a look at them, and what is read around.
_NEAR, _AROUND = 24, 60
# The longest hesitation within one piece.
_HESITATION = 24
# Letters that make a name.
_NAME = 4
# Signs of a group; others end it.
_JOINTS = frozenset("-/#")


class Group(Run):
    """Digits and letters said one after another, without signs at the edges."""

    @property
    def chars(self) -> str:
        """What they mean, without signs."""
        return "".join(atom.chars for atom in self.atoms if atom.form != MARK)

    @property
    def singles(self) -> int:
        """How many characters are said one by one, or doubled."""
        return sum(
            len(a.chars)
            for a in self.atoms
            if a.form not in (NUMBER, MARK) and (a.form != FIGURES or len(a.chars) < 2)
        )

    @property
    def spoken(self) -> bool:
        """Whether anything is said in words."""
        return any(a.form not in (FIGURES, LETTER, MARK) for a in self.atoms)

    @property
    def numeric(self) -> bool:
        """Whether all are digits."""
        return self.chars.isdecimal()

    @property
    def letters(self) -> bool:
        """Whether all are letters."""
        return self.chars.isalpha()

    @property
    def coded(self) -> bool:
        """Whether it has words of a spelling alphabet and digits: nobody's sentence."""
        letters = [a for a in self.atoms if a.form == ALPHABET]
        digits = [a for a in self.atoms if a.numeric]
        return len(letters) > 1 and len(digits) > 1

    @property
    def even(self) -> bool:
        """Whether many numbers count up or down in equal steps."""
        values = [int(a.chars) for a in self.atoms if a.numeric]
        steps = {b - a for a, b in pairwise(values)}
        return len(values) > 4 and len(steps) == 1 and steps != {0} and self.numeric

    @property
    def counted(self) -> bool:
        """Whether the numbers only count: up, down, in steps, or one and two in turn."""
        values = [int(a.chars) for a in self.atoms if a.numeric and a.form != TIMES]
        if len(values) < 3 or len(values) < len(self.atoms):
            return False
        steps = [b - a for a, b in pairwise(values)]
        even = sum(step == steps[0] != 0 for step in steps) >= 0.75 * len(steps)
        rising = len(values) > 3 and all(step > 0 for step in steps)
        in_turn = len(set(values)) == 2 and len(set(values[::2])) == 1
        return even or rising or (in_turn and len(values) > 3)

    def pieces(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it stands, cut where another speaks or somebody thinks aloud."""
        start = self.start
        for left, right in pairwise(self.atoms):
            gap = text[left.end : right.start]
            if len(gap) > _HESITATION and P.letter.search(gap):
                yield start, left.end
                start = right.start
        yield start, self.end


class Groups:
    """Finds the groups of a text in one language.

    speech (Speech): Its reader.
    """

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        letters = set("bcdefghjklmnopqrstuvwxyz")
        self._words = Anchored(r"", *sorted(speech.words | letters))
        # "07 double 6": one word among figures.
        times = sorted(speech.times)
        self._doubled = Anchored(rf"(?i:{'|'.join(times)})\s[0-9]", *times)

    def __call__(
        self,
        text: Text,
        more: Sequence[tuple[int, int]],
        taken: Sequence[tuple[int, int]] = (),
    ) -> list[Group]:
        """Groups in order.

        text (Text): Normalised text.
        more (Sequence[tuple[int, int]]): Stretches to read in any case.
        taken (Sequence[tuple[int, int]]): Stretches that say something else, in order.
        """
        groups: list[Group] = []
        for window in joined([*self._windows(text), *more]):
            for run in self._speech.runs(text, *_whole(text, *window)):
                for atoms in _apart(text, run.atoms, taken):
                    groups += _groups(text, atoms)
        return groups

    def _windows(self, text: Text) -> Iterator[tuple[int, int]]:
        starts = text.starts.get(self._words.number, ())
        # "it's" has no letter of its own.
        said = [s for s in starts if not s or text[s - 1] not in "'’"]
        for a, b in pairwise(said):
            if b - a <= _NEAR:
                yield a - _AROUND, b + _AROUND
        if text.has_digits:
            for m in self._doubled.finditer(text):
                yield m.start() - _AROUND, m.end() + _AROUND


def _apart(
    text: str, atoms: Sequence[Atom], taken: Sequence[tuple[int, int]]
) -> Iterator[list[Atom]]:
    """Cut a run where a question or another speaker stands, or what is taken."""
    part: list[Atom] = []
    for atom in atoms:
        i = bisect_right(taken, (atom.start, len(text))) - 1
        inside = i >= 0 and taken[i][1] > atom.start
        if part:
            between = i >= 0 and taken[i][0] >= part[-1].end
            if inside or between or P.another.search(text[part[-1].end : atom.start]):
                yield part
                part = []
        if not inside:
            part.append(atom)
    if part:
        yield part


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """A window from the beginning of a word to the end of one."""
    start = max(0, start)
    while start and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, min(end, len(text))


def _groups(text: str, atoms: Sequence[Atom]) -> Iterator[Group]:
    """Cut a run at the signs that end a number or a name."""
    part: list[Atom] = []
    for atom in atoms:
        if atom.form == MARK and atom.chars not in _JOINTS:
            yield from _group(text, part)
            part = []
            continue
        if atom.numeric and _ends_name(text, part, atom):
            yield from _group(text, part)
            part = []
        part.append(atom)
    yield from _group(text, part)


def _ends_name(text: str, part: list[Atom], atom: Atom) -> bool:
    """Whether a number after letters is none of theirs: "K-A-R-L, two of us"."""
    if len(part) < _NAME or any(a.numeric for a in part):
        return False
    usual = text[part[-2].end : part[-1].start]
    return text[part[-1].end : atom.start] != usual


def _group(text: str, atoms: list[Atom]) -> Iterator[Group]:
    while atoms and (atoms[0].form == MARK or _stray(text, atoms)):
        del atoms[0]
    while atoms and (atoms[-1].form == MARK or _word_follows(text, atoms)):
        del atoms[-1]
    if not atoms:
        return
    group = Group(tuple(atoms))
    if group.chars.replace("o", "").isdecimal() and "o" in group.chars:
        # "0" is read as the letter.
        read = (a._replace(chars="0") if a.chars == "o" else a for a in atoms)
        group = Group(tuple(read))
    yield group


def _word_follows(text: str, atoms: list[Atom]) -> bool:
    """Whether a last "a" or "I" is a word: "M, A, R, K. I have", "four one, I think"."""
    last = atoms[-1]
    if last.form != LETTER or last.chars not in "ai" or len(atoms) < 2:
        return False
    gap = text[atoms[-2].end : last.start]
    usual = text[atoms[0].end : atoms[1].start] if len(atoms) > 2 else ""
    other = atoms[-2].numeric or gap != usual
    return other and P.next_word.match(text, last.end) is not None


def _stray(text: str, atoms: list[Atom]) -> bool:
    """Whether a first "a" or "I" is a word: "a K, O, W", "I five one"."""
    first = atoms[0]
    if first.form != LETTER or first.chars not in "ai" or len(atoms) < 2:
        return False
    if text[first.end : atoms[1].start] != " ":
        return False
    following = atoms[1]
    if following.form not in (LETTER, ALPHABET):
        return text[first.start] != "A"
    return text[first.start].isupper() != text[following.start].isupper()
