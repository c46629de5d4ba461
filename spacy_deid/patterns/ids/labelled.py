"""Identifiers and their names: what stands next to a name, and what is close to it.

The families of identifiers share the search for their names. A name is found only
where its first word begins, so that a text without any costs nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from ..base import Hit, Text, anchored_names, compiled, drop_covered, hit, name_trie
from ..tables import Kind, Patterns, unknown_forms
from .checks import is_valid

P = Patterns("codes")

# How far around a number its name is looked for.
_BEFORE, _AFTER = 64, 24
# How long a number may be.
_EXTENT_SIZE = 90


class Name(NamedTuple):
    """The name of an identifier next to a value.

    term (str): The name as it is in the list.
    start (int): Its first character.
    value (int): Where the value begins.
    gap (str): What stands between them.
    """

    term: str
    start: int
    value: int
    gap: str


class Names:
    """Names of identifiers, found next to values or near them.

    terms (Iterable[str]): Names; `_` stands for a blank, a hyphen, an underscore or
        nothing. Those in capitals must be in capitals in the text too.
    value (str): Lookahead regex of what a value begins with.
    """

    def __init__(self, terms: Iterable[str], value: str = P.value) -> None:
        terms = set(terms)
        lowered = frozenset(t.lower() for t in terms)
        self._cased = lowered - {t for t in terms if t == t.lower()}
        # Of several spellings one is shown.
        order = sorted(lowered, key=lambda t: ("_" in t, "." not in t, len(t), t))
        self._known = {plain(t): t for t in order}
        self._lowered = lowered
        self._direct = anchored_names(lowered, P.name_gap + value)

    @cached_property
    def _name(self) -> re.Pattern[str]:
        return compiled(name_trie(self._lowered))

    @property
    def shown(self) -> set[str]:
        """One spelling of each name, as hits give it."""
        return set(self._known.values())

    def next_to(self, text: str) -> Iterator[Name]:
        """Names right before a value."""
        for m in self._direct.finditer(text):
            gap = text[m.end("name") : m.end()]
            # "dl: A1234567" needs no capitals, "5 ng/dl (1234" does.
            term = self._term(m["name"], any_case=gap.lstrip()[:1] in (":", "#"))
            if term:
                yield Name(term, m.start(), m.end(), gap)

    def values(
        self, text: str, read: Callable[[int, Name], Hit | None]
    ) -> Iterator[Hit]:
        """Values next to names, and in lists: "passports 123456789 and 234567890".

        text (str): The text.
        read (Callable): Gives the value of a name at an offset.
        YIELDS (Hit): Hits in order.
        """
        last = 0
        for name in self.next_to(text):
            if name.value < last:
                continue
            found = read(name.value, name)
            while found:
                yield found
                last = found.end
                m = P.join.match(text, last)
                found = read(m.end(), name) if m else None

    def near(self, text: Text, start: int, end: int) -> Iterator[str]:
        """Names around a value, the closest before it first."""
        starts = self.starts(text)
        low = max(0, start - _BEFORE)
        low = max(low, text.rfind("\n\n", low, start))
        i, j = bisect_left(starts, low), bisect_left(starts, start)
        line = text.find("\n", end, end + _AFTER)
        k = bisect_left(starts, line if line >= 0 else end + _AFTER)
        for s in (*reversed(starts[i:j]), *starts[bisect_left(starts, end) : k]):
            m = self._name.match(text, s)
            term = m and self._term(m[0])
            if term:
                yield term

    def starts(self, text: Text) -> list[int]:
        """Where the first words of names begin."""
        return text.starts.get(self._direct.number, [])

    def any_near(self, text: Text, start: int) -> bool:
        """Whether the first word of a name is around an offset."""
        starts = self.starts(text)
        i = bisect_left(starts, start - _BEFORE)
        return i < len(starts) and starts[i] < start + _AFTER + _EXTENT_SIZE

    def _term(self, found: str, any_case: bool = False) -> str:
        found_lower = found.lower()
        if found_lower in self._cased and not (any_case or found.isupper()):
            return ""
        return self._known.get(plain(found_lower), "")


_PUNCTUATION = re.compile(r"[\W_]+")


def plain(term: str) -> str:
    """What the spellings of a name have in common."""
    return _PUNCTUATION.sub("", term.lower())


def shown(term: str) -> str:
    """A name as a reason shows it."""
    return term.replace("_", " ")


def _lends(kind: Kind) -> bool:
    """Whether a form says something next to a name that is not its own."""
    tells = kind.check or kind.alone or not kind.words
    return bool(tells or kind.subtype in ("PASSPORT", "DRIVER_LICENCE"))


class _Fit(NamedTuple):
    """How a value fits a row; what is greater fits better."""

    rank: int
    size: int
    order: int
    kind: Kind


_VALID, _FORM, _WRONG = 3, 2, 1


class Finder:
    """Finds the numbers of a table of kinds.

    kinds (Sequence[Kind]): Rows of the table.
    common (Mapping[str, str]): Names of all kinds of a subtype.
    hints (bool): Whether the words of the rows only hint at a number, as "car" does
        at a plate, so that nothing of unknown form is found next to them.
    digits (int): The fewest digits of any form.
    value (str): Lookahead regex of what a value begins with.
    """

    def __init__(
        self,
        kinds: Sequence[Kind],
        common: Mapping[str, Sequence[str]],
        *,
        hints: bool = False,
        digits: int = 4,
        value: str = P.value,
    ) -> None:
        kinds = [k._replace(form=rf"(?:{k.form}){P.kind_end}") for k in kinds]
        # For each name its subtype, its rows and the other rows of the subtype.
        known: dict[str, tuple[str, list[Kind], list[Kind]]] = {}
        for subtype, names in common.items():
            # A form that has names of its own and no check says little without them.
            same = [k for k in kinds if k.subtype == subtype and (hints or _lends(k))]
            for word in names:
                known.setdefault(plain(word), (subtype, [], same))
        for kind in kinds:
            for word in kind.words:
                entry = known.setdefault(plain(word), (kind.subtype, [], []))
                if kind not in entry[1]:
                    entry[1].append(kind)
        lists = [*common.values(), *(kind.words for kind in kinds)]
        self._names = Names((word for some in lists for word in some), value)
        self._rows = {term: known[plain(term)] for term in self._names.shown}
        self._hints = hints
        self._digits = digits
        # Where a word with digits begins, but not in a row of single digits.
        self._candidates = compiled(
            rf"[A-Z0-9](?<!\w.)(?=(?:(?<=[0-9])|[A-Z ./()-]{{0,6}}[0-9])"
            rf"(?:[A-Z ./()-]{{0,6}}[0-9]){{{digits - 1}}})(?![ ./-][0-9](?![0-9]))"
        ).finditer
        self._alone = [kind for kind in kinds if kind.alone]
        # All at once, with anything for what refers to a group: what does not fit here
        # fits no kind.
        forms = [re.sub(r"\\[1-9]", "(?s:.{0,4})", kind.form) for kind in self._alone]
        self._any_alone = compiled("|".join(forms) or "(?!)").match

    def __call__(self, text: Text) -> list[Hit]:
        """Find the numbers of a text."""
        if not text.has_digits:
            return []
        if not self._names.starts(text) and text.digits < self._digits:
            return []
        hits = drop_covered(self._names.values(text, partial(self._value, text)))
        return sorted([*hits, *without_overlaps(self._elsewhere(text, hits), hits)])

    def _value(self, text: Text, start: int, name: Name) -> Hit | None:
        """What begins at an offset next to a name."""
        subtype, own, same = self._rows[name.term]
        if self._hints and not same:
            return None
        after = f"after '{shown(name.term)}'"
        if P.last_four.search(name.gap) and (m := P.four.match(text, start)):
            return P.hit(start, m.end(), subtype, 0.75, f"last four digits, {after}")
        fits = _fits(own, text, start) or [
            f for f in _fits(same, text, start) if f.rank != _WRONG
        ]
        if fits and fits[0].rank == _WRONG:
            fits = [f for f in _fits(same, text, start) if f.rank == _VALID] or fits
        marked = P.marked.search(name.gap) or P.marked.search(shown(name.term))
        if fits:
            best = fits[0]
            value = text[start : start + best.size]
            # Not a count: "BSB 062-000", "passport A1234567".
            parted = best.kind in own and not value.isalnum()
            if best.rank != _FORM or marked or parted or _says_enough(value):
                found = _named_hit(start, fits, after)
                more = self._hints and self._unknown(text, start, subtype, True, after)
                return more if more and more.end > found.end else found
        # Without anything between, the name may be the beginning of a code.
        if not name.gap or (not same and len(name.term) < 3):
            return None
        unknown = self._unknown(text, start, subtype, bool(marked), after)
        wrong = [] if fits else _fits(same, text, start)
        reach = unknown.end if unknown else start
        if marked and wrong and start + wrong[0].size > reach:
            return _named_hit(start, wrong, after)
        return unknown

    def _unknown(
        self, text: Text, start: int, subtype: str, marked: bool, after: str
    ) -> Hit | None:
        """A number of no known form next to a name."""
        if subtype not in unknown_forms():
            return None
        size, digits, form = unknown_forms()[subtype]
        m = compiled(rf"(?:{form}){P.kind_end}", 0).match(text, start)
        if m is None or len(m[0]) < size or sum(map(str.isdigit, m[0])) < digits:
            return None
        if not (marked or self._hints or _says_enough(m[0])):
            return None
        other = P.date.fullmatch(m[0]) or P.year.fullmatch(m[0])
        if other or P.amount.match(text, m.end()):
            return None
        reason = f"number or code of no known form, {after}"
        return P.hit(start, m.end(), subtype, 0.85 if marked else 0.7, reason)

    def _elsewhere(self, text: Text, hits: Sequence[Hit]) -> Iterator[Hit]:
        """Numbers whose names are near but not next to them, or missing."""
        last = 0
        taken = [h.start for h in hits]
        for m in self._candidates(text):
            start = m.start()
            i = bisect_right(taken, start)
            if start < last or (i and start < hits[i - 1].end):
                continue
            if P.not_alone.search(text[max(0, start - 24) : start].lower()):
                continue
            near = self._names.any_near(text, start)
            found = (near and self._near(text, start)) or self._form(text, start)
            if found:
                yield found
                last = found.end

    def _near(self, text: Text, start: int) -> Hit | None:
        extent = P.extent.match(text, start)
        if not extent or P.sign.match(text, start):
            return None
        for term in dict.fromkeys(self._names.near(text, start, extent.end())):
            _, own, same = self._rows[term]
            near = f"near '{shown(term)}'"
            for rows, score in ((own, 0.9), (same, 0.65)):
                for f in _fits(rows, text, start, exact=True):
                    value = text[start : start + f.size]
                    coded = not value.isdigit() and any(map(str.isalpha, value))
                    if f.rank == _VALID and (coded or len(value) > 8):
                        return _row_hit(start, f, score, near)
                    if f.rank == _FORM and coded and f.kind.subtype != "DRIVER_LICENCE":
                        return _row_hit(start, f, 0.6, near)
        return None

    def _form(self, text: Text, start: int) -> Hit | None:
        """A number that its form tells from any other."""
        if not self._any_alone(text, start):
            return None
        for f in _fits(self._alone, text, start, exact=True):
            kind = f.kind
            value = text[start : start + f.size]
            score = kind.loose if f.rank == _WRONG else kind.alone
            blanks = value.replace(" ", "").isdigit()
            if blanks and " " in value:
                # A row of numbers.
                if f.rank == _WRONG or score < 0.85 or _in_row(text, start, f):
                    continue
                score -= 0.15
            elif blanks and (len(value) < 13 or score < 0.85 or f.rank != _VALID):
                continue
            if score:
                return _row_hit(start, f, score, "no name nearby")
        return None


def without_overlaps(hits: Iterable[Hit], taken: Sequence[Hit]) -> Iterator[Hit]:
    """Hits apart from others."""
    starts = [h.start for h in taken]
    for h in hits:
        i = bisect_left(starts, h.end)
        if not i or taken[i - 1].end <= h.start:
            yield h


def _fits(
    kinds: Sequence[Kind], text: str, start: int, exact: bool = False
) -> list[_Fit]:
    """Kinds that a value fits, the best first; next to a name in any case, elsewhere
    (`exact`) as the form is written."""
    out = []
    for i, kind in enumerate(kinds):
        m = compiled(kind.form, 0 if exact else re.I).match(text, start)
        if m is not None and not exact and m[0] not in (m[0].upper(), m[0].lower()):
            # Small letters may be those of the next word.
            m = compiled(kind.form, 0).match(text, start)
        if m is not None:
            check = kind.check
            rank = _FORM if not check else _VALID if is_valid(check, m[0]) else _WRONG
            out.append(_Fit(rank, len(m[0]), -i, kind))
    return sorted(out, reverse=True, key=lambda f: f[:3]) if len(out) > 1 else out


def _says_enough(value: str) -> bool:
    """Whether a value is a code or a long number rather than a count."""
    digits = sum(c.isdigit() for c in value)
    return digits >= 7 or (digits >= 3 and any(map(str.isalpha, value)))


def _in_row(text: str, start: int, fit: _Fit) -> bool:
    """Whether other blocks of digits are next to a value of blocks."""
    end = start + fit.size
    if start > 1 and text[start - 1] == " " and text[start - 2].isdigit():
        return True
    more = text[end : end + 1] == " " and text[end + 1 : end + 2].isdigit()
    return more and not compiled(fit.kind.form, 0).match(text, end + 1)


def _row_hit(start: int, fit: _Fit, score: float, names: str) -> Hit:
    kind = fit.kind
    why = {
        _VALID: f"valid check digits ({kind.title})",
        _FORM: f"form of a number: {kind.title}",
        _WRONG: f"form of a number whose check digits are wrong: {kind.title}",
    }[fit.rank]
    end = start + fit.size
    return hit(start, end, "CODE", kind.subtype, score, kind.name, f"{why}; {names}")


def _named_hit(start: int, fits: Sequence[_Fit], after: str) -> Hit:
    """The hit of a value next to a name, given the rows that it fits."""
    best = fits[0]
    score = {_VALID: 0.97, _FORM: 0.85, _WRONG: 0.7}[best.rank]
    found = _row_hit(start, best, score, after)
    same = [f for f in fits if f[:2] == best[:2]]
    if best.rank != _FORM or len({f.kind.title for f in same}) < 2:
        return found
    titles = ", ".join(f.kind.title for f in same[:2])
    reason = f"form of several kinds of numbers ({titles} ...); {after}"
    return found._replace(source=f"pattern:{found.subtype}", reason=reason)
