"""Slots: words that say what number or name is coming, and what is taken for it.

"My social is" opens a slot, which pieces in the next sentences and turns fill, through
hesitations, questions and echoes; another subject closes it. What is long enough and
said digit by digit needs no slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from ...data import table
from ...gazetteers.names import is_name
from ...text.spoken import ALPHABET
from ..base import Hit, Text, anchored_names, hit
from ..ids.checks import is_valid
from ..ids.labelled import plain, shown
from ..tables import word_set, words
from .groups import FIRST, LISTS, MORE, Group, P
from .letters import beside, is_order, is_word

# How far from the last words or piece the next one may begin, in characters and turns.
_FAR, _TURNS, _NEAR = 300, 5, 130
# How long after it a slot may be taken up again by "it ends in".
_MEMORY = 900
# How far pieces without a slot may be apart, and words that name a number after it.
_APART, _BEHIND = 100, 40
# Digits that need no slot; those that are named afterwards.
_ENOUGH, _SINGLES, _NAMED, _CODED = 7, 5, 4, 5
_COUNTED = word_set("time.unit_keys", "time.counted", "time.names", "time.scales")
_UNITS = frozenset(part for word in _COUNTED for part in word.lower().split("_"))


class Slot(NamedTuple):
    """A row of `spoken_slots.tsv`."""

    name: str
    label: str
    subtype: str
    takes: str
    most: int


class Opening(NamedTuple):
    """Words that open a slot in a text."""

    start: int
    end: int
    slot: Slot
    term: str
    # Of several words, so that more may stand before the number.
    strong: bool


_PLAIN = Slot("number", "CODE", "RECORD_NUMBER", "m", 24)
_STRONG, _LIGHT, _LISTED = (frozenset(LISTS[k]) for k in ("strong", "light", "listed"))


class Slots:
    """The rows of the table, ready for use."""

    def __init__(self) -> None:
        self.slots: dict[str, Slot] = {}
        self._terms: dict[str, Slot] = {}
        terms: list[str] = []
        for row in table("patterns/spoken_slots"):
            most = int(row["most"] or 0)
            slot = Slot(row["slot"], row["label"], row["subtype"], row["takes"], most)
            self.slots.setdefault(slot.name, slot)
            for term in (t.lower() for w in row["words"].split() for t in _names(w)):
                self._terms.setdefault(plain(term), slot)
                terms.append(term)
        self._openings = anchored_names(terms, "")

    def openings(self, text: Text) -> list[Opening]:
        """Words that open or close slots, in order."""
        found = []
        for m in self._openings.finditer(text):
            if (slot := self._terms.get(plain(m["name"]))) is not None:
                term = m["name"].lower()
                bare = P.possessive.sub(" ", term).split()
                strong = len(bare) > 1 or bare[0] in _STRONG
                found.append(Opening(*m.span(), slot, term, strong))
        return found


def _is_light(text: str) -> bool:
    """Whether a text has only words that end no number."""
    return all(m[0].lower() in _LIGHT for m in P.words.finditer(text))


def _is_listed(text: str, start: int) -> bool:
    """Whether the word before says that numbers are counted or read out."""
    before = P.words.findall(text[max(0, start - 40) : start].rpartition("\n")[2])
    return any(w.lower() in _LISTED for w in before[-3:])


def _names(word: str) -> tuple[str, ...]:
    """A word, or the names of a list; those of one word are mostly something else."""
    if not word.startswith("@"):
        return (word,)
    return tuple(term for term in words(word[1:]) if "_" in term)


@cache
def slots() -> Slots:
    """The slots. Read once."""
    return Slots()


class _State:
    """What is open at a place of a text."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.slot: Slot | None = None
        self.opening: Opening | None = None
        # What was open before, and until when.
        self.last: Slot | None = None
        self.until = -1
        self.since = 0
        # Where the last piece ended.
        self.piece = -1
        self.got = ""
        self.at_once = False

    def open(self, opening: Opening) -> None:
        """Take what some words say."""
        slot = opening.slot
        if slot.name == "close":
            self.slot = None
            return
        if slot.name == "part":
            self._go_on(opening)
        elif self.slot and not opening.strong and self._holds(opening):
            return
        elif slot is not self.slot or not self.warm(opening.start):
            if self.slot is not slot and self.last is not slot:
                self.got = ""
            self.slot = self.last = slot
        self.opening, self.since = opening, opening.end
        self.until = opening.end
        self.at_once = slot.name == "part"

    def _holds(self, opening: Opening) -> bool:
        """Whether a weak word stands within what a strong one has opened."""
        if self.slot is None or not self.warm(opening.start, _NEAR):
            return False
        if P.switches.match(self.text, opening.end):
            return False
        return bool(self.got) or (self.opening is not None and self.opening.strong)

    def start(self, slot: Slot) -> None:
        """Take a number that nothing has opened."""
        self.slot, self.last, self.opening, self.got = slot, slot, None, ""

    def _go_on(self, opening: Opening) -> None:
        """Take up the last number again; any number if there is none."""
        near = opening.start - self.until < _MEMORY
        if self.last is not None and near and self.last.takes in ("d", "m"):
            self.slot = self.last
        else:
            self.slot, self.got = _PLAIN, ""

    def warm(self, start: int, far: int = _FAR) -> bool:
        """Whether a place is close enough to the last words or piece."""
        if start - self.since > far:
            return False
        return self.text.count("\n", self.since, start) <= _TURNS

    def take(self, group: Group) -> str:
        """Note a piece; the detail of its hit."""
        more = bool(self.got)
        if group.chars not in self.got:
            self.got += group.chars
        self.since = self.until = self.piece = group.end
        self.at_once = False
        return MORE if more else FIRST


def find_said(
    text: Text, groups: Iterable[Group], opened: list[Opening]
) -> Iterator[Hit]:
    """Numbers and names that fill slots, and those that need none.

    text (Text): Normalised text.
    groups (Iterable[Group]): What is said in it, in order.
    opened (list[Opening]): Words that open or close slots, in order.
    YIELDS (Hit): One for each piece.
    """
    state, waiting = _State(text), _Waiting(text)
    at = 0
    for group in groups:
        while at < len(opened) and opened[at].start < group.start:
            state.open(opened[at])
            at += 1
        if state.slot is not None and _fits(state, group):
            slot, detail = state.slot, state.take(group)
            said = state.opening.term if state.opening else slot.name
            yield from _hits(text, group, slot, detail, f"said after '{shown(said)}'")
            continue
        named = _named_after(text, opened, at, group)
        parts = waiting.add(group)
        if named and not parts and _may_be_part(text, group, _NAMED):
            parts = [group]
        if parts:
            slot = named or _slot_of("".join({p.chars: 0 for p in parts}))
            state.start(slot)
            reason = "digits said one by one"
            for part in parts:
                yield from _hits(text, part, slot, state.take(part), reason)


def _named_after(
    text: Text, opened: list[Opening], at: int, group: Group
) -> Slot | None:
    """What the words behind a number call it: "is my badge number"."""
    for o in opened[at : at + 2]:
        near = o.start - group.end < _BEHIND and o.slot.label == "CODE"
        if near and o.slot.takes != "n" and P.named_by.match(text, group.end, o.start):
            return o.slot
    return None


class _Waiting:
    """Pieces without a slot, which together may be long enough for a number."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._groups: list[Group] = []

    def add(self, group: Group) -> list[Group]:
        """Note a group; the pieces of a number, if it makes one."""
        text = self._text
        if not _may_be_part(text, group):
            self._groups = []
            return []
        last = self._groups[-1].end if self._groups else group.start
        if group.start - last > _APART or text.count("\n", last, group.start) > 4:
            self._groups = []
        self._groups.append(group)
        # What is said again makes nothing longer.
        new = {g.chars: g for g in self._groups}
        digits, singles = "".join(new), sum(g.singles for g in new.values())
        few = len(digits) < _ENOUGH or singles < _SINGLES or len(set(digits)) < 3
        if few and not group.coded:
            return []
        found, self._groups = self._groups, []
        return found


def _may_be_part(text: Text, group: Group, enough: int = _ENOUGH) -> bool:
    """Whether a group may be a number of somebody's, or a piece of one."""
    if group.coded and len(group.chars) >= _CODED:
        return True
    if not group.numeric or not group.spoken or group.counted or len(group.chars) < 3:
        return False
    if group.singles < 3 or (len(group.chars) < enough and not _ends(text, group)):
        return False
    return not _is_listed(text, group.start) and not _counts(text, group)


def _hits(
    text: Text, group: Group, slot: Slot, detail: str, reason: str
) -> Iterator[Hit]:
    for i, place in enumerate(group.pieces(text)):
        own = MORE if i else detail
        yield hit(*place, slot.label, slot.subtype, 0.9, own, reason)


def _slot_of(digits: str) -> Slot:
    """What a number is that nothing names."""
    known = slots().slots
    if 13 <= len(digits) <= 19 and is_valid("luhn", digits):
        return known["card"]
    if len(digits) == 9 and is_valid("us.ssn", digits):
        return known["ssn"]
    return known["phone"] if digits.isdecimal() and 7 <= len(digits) <= 15 else _PLAIN


def _counts(text: Text, group: Group) -> bool:
    """Whether a number is one of things: a unit or a noun follows."""
    beside = text[group.end : group.end + 1] in " -"
    after = P.words.match(text, group.end + 1) if beside else None
    return after is not None and after[0].lower() in _UNITS


def _fits(state: _State, group: Group) -> bool:
    """Whether a group is what the open slot waits for."""
    slot = state.slot
    if slot is _PLAIN and group.letters and state.last and state.last.takes == "l":
        # "My surname starts with K."
        slot = state.slot = state.last
    if slot is None or not state.warm(group.start) or not _takes(slot, group):
        return False
    case = _Case(state, slot, group)
    if case.is_amount():
        return False
    if group.letters:
        return case.fits_letters()
    if case.is_counted():
        return False
    return case.fits_digits() if group.spoken else case.fits_figures()


def _takes(slot: Slot, group: Group) -> bool:
    """Whether a slot takes such a group; names on the net (n) have words, too."""
    kinds = {"d": group.numeric, "l": group.letters, "m": True}
    repeated = len(group.chars) > slot.most
    return kinds.get(slot.takes, False) and not repeated


class _Case:
    """A group, and how it stands to the slot that is open."""

    def __init__(self, state: _State, slot: Slot, group: Group) -> None:
        self.state, self.slot, self.group = state, slot, group
        self.text = state.text
        self.size = len(group.chars)
        gap = state.text[state.since : group.start]
        self.gap = P.label.sub("\n", gap)
        # Words since the last piece or opening.
        self.far = len(P.words.findall(self.gap))
        self.ends = _ends(state.text, group)
        opening = state.opening
        asked = gap.lstrip()[:1] in "?:,"
        self.strong = bool(state.got or opening is None or opening.strong or asked)

    def is_amount(self) -> bool:
        """Whether it counts or costs something, or is an exclamation ("Oh. Oh no.")."""
        start = self.group.start
        sign = P.amount.search(self.text[max(0, start - 3) : start])
        nothing = self.size < 3 and set(self.group.chars) == {"0"}
        return nothing or sign is not None or _counts(self.text, self.group)

    def is_counted(self) -> bool:
        """Whether it only counts, or stands in a list of numbers."""
        fresh = not self.state.got and self.slot.label != "DATETIME"
        direct = self.strong and self.far <= 2 and len(self.group.atoms) > 3
        if _is_listed(self.text, self.group.start) or self.group.even:
            return True
        return fresh and not direct and self.group.counted

    def fits_letters(self) -> bool:
        """Letters: of a name where one is asked for, of a code elsewhere."""
        group, text = self.group, self.text
        if self.size < 2 or not _is_said(text, group):
            return False
        if self.slot.takes == "m":
            if is_order(text, group) or self._is_name():
                return False
        elif not self.state.got and (self._is_short() or is_word(text, group)):
            return False
        said = any(atom.form == ALPHABET for atom in group.atoms)
        return self.size >= 4 or (self.ends and self.far <= (24 if said else 8))

    def _is_name(self) -> bool:
        """Whether a name is spelled where a code is asked for."""
        chars = self.group.chars
        return len(chars) > 2 and (
            is_name(chars) or bool(beside(self.text, self.group))
        )

    def _is_short(self) -> bool:
        opening = self.state.opening
        return self.size < 3 and not (opening and "initials" in opening.term)

    def fits_figures(self) -> bool:
        """Figures, which other families find where they are whole."""
        state, group = self.state, self.group
        if not _is_said(self.text, group) or not self.ends:
            return False
        if not state.got and not state.at_once:
            # Letters and figures ("A B 4 4 1"), or figures one by one.
            apart = len(group.atoms) >= min(4, self.size) > 2 and self.far <= 8
            direct = self.slot.takes == "d" and self.far <= 2 and len(group.atoms) > 1
            return apart or (direct and _is_light(self.gap))
        if self.slot is _PLAIN and not state.got:
            return self.size > 1 and not self.far and not P.year.fullmatch(group.chars)
        close = state.at_once or self.far <= 2 or _is_light(self.gap)
        return self.size > 1 and self.far <= 5 and close

    def fits_digits(self) -> bool:
        """Digits in words: the fewer, the closer they have to be."""
        singles = self.group.singles
        if self.slot is _PLAIN and not self.state.got and singles < 2:
            # "The film ends in nineteen forty-five."
            return False
        if self.size >= 4 and singles >= 3 and 2 * singles >= self.size:
            return self.far <= (40 if self.strong else 12)
        if not self.ends:
            return False
        if self.size >= 3 and singles >= 2:
            return self.far <= (24 if self.strong else 6)
        near = self.group.start - self.state.since <= _NEAR
        return self.strong and near and self._fits_few()

    def _fits_few(self) -> bool:
        """One or two digits, or a number of more."""
        state = self.state
        got, singles = bool(state.got), self.group.singles
        if not P.few_end.match(self.text, self.group.end) or P.that.search(self.gap):
            return False
        if self.size == 1:
            goes_on = got and state.since == state.piece
            return (goes_on or self.slot.name == "house") and _is_light(self.gap)
        if got:
            return self.far <= 14 and _is_light(P.clause.split(self.gap)[-1])
        return self.far <= 2 or (self.far <= 5 and (singles > 1 or state.at_once))


def _is_said(text: Text, group: Group) -> bool:
    """Whether figures and letters stand as one says them: no "1.8.3", no "3/5", no item
    of a list."""
    gaps = [text[a.end : b.start] for a, b in pairwise(group.atoms)]
    if not all(P.said_gap.search(gap) for gap in gaps):
        return False
    line = text[text.rfind("\n", 0, group.start) + 1 : group.start]
    item = not line.strip() and text[group.end : group.end + 1] in ".)"
    around = text[group.start - 1 : group.start] + text[group.end : group.end + 2]
    return not item and not P.written.search(around)


def _ends(text: Text, group: Group) -> bool:
    """Whether nothing that is counted follows."""
    return P.ends.match(text, group.end) is not None
