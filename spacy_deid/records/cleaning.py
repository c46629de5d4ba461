"""Other fields of a record, ids and names of files: without what is masked in its text."""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..entities.listed import touches
from ..patterns.user_lists import AllowList, DenyList
from ..surrogates.sweep.name_words import name_parts
from ..surrogates.sweep.occurrences import Sweep
from ..surrogates.sweep.runs import compact
from ..text.date_parts import Date
from ..text.dates import may_be_date, read_date
from .cells import as_text, like
from .paths import step
from .recognised import holds_name, is_id_name

MARK = "***"
# Shorter strings are in every other field by chance.
MIN_CHARS, MIN_NAME_CHARS, MIN_SUBSTRING = 3, 2, 6
# Of a field that is compared as a whole.
LONGEST_VALUE = 1000
MAX_WORK = 200_000_000
_WORD = re.compile(r"\w+")
# Numbers in a masked string that are compared by themselves, by their figures at least:
# of an age, of a date (its year), of anything else.
_NUMBER = re.compile(r"\d+")
_FIGURES = {"DEM": 2, "DATETIME": 4}
_FIGURES_ELSE = 3
_FIGURES_OF_DATE = re.compile(
    r"\s*(?:([0-9]{1,4})[-./ ]([0-9]{1,2})[-./ ]([0-9]{1,4})|([0-9]{4})([0-9]{2})([0-9]{2}))"
    r"(?:[T ][0-9]{1,2}:.*)?\s*"
)
# Numbers up to this one are the same in every reader of JSON.
_MAX_NUMBER = 2**53


Place = tuple[int, int]


class Replacement(NamedTuple):
    """One replaced span: its characters in the original text, new text and type."""

    start: int
    end: int
    surrogate: str
    label: str


class Pseudonyms:
    """Ids in place of ids: HMAC-SHA256 (RFC 2104) of a secret and the id, so that equal
    ids stay equal, others stay apart, and nobody without the secret can try candidates.

    secret (bytes): Of the key; random without one.
    """

    def __init__(self, secret: bytes = b"") -> None:
        self._secret = secret or os.urandom(32)

    def _digest(self, value: object) -> bytes:
        message = str(value).encode("utf-8", "surrogatepass")
        return hmac.digest(self._secret, message, "sha256")

    def of(self, value: str, prefix: str = "id-") -> str:
        """The pseudonym of an id: 80 bits after a prefix."""
        return prefix + self._digest(value)[:10].hex()

    def of_number(self, value: float) -> int:
        """The pseudonym of an id that is a number: one below 2**53."""
        return int.from_bytes(self._digest(value)[:8], "big") % _MAX_NUMBER


class FieldCleaner:
    """Takes what was replaced in a text out of the other fields of its record.

    text (str): The original text.
    replacements (list[Replacement]): What was replaced in it.
    stop_words (Collection[str]): Function words of the language.
    ids (Pseudonyms): Gives names to what is an id.
    id_fields (Collection[str]): Names of the fields that are ids.
    lists (Collection[tuple]): What is allowed and what is denied, wherever it stands.
    """

    def __init__(
        self,
        text: str,
        replacements: list[Replacement],
        stop_words: Collection[str] = (),
        ids: Pseudonyms | None = None,
        id_fields: Collection[str] = (),
        lists: Collection[tuple[AllowList, DenyList]] = (),
    ) -> None:
        self.ids = ids or Pseudonyms()
        self.id_fields = id_fields
        self._lists = [pair for pair in lists if any(pair)]
        # Fields with what may be masked or by chance the same, see `_is_open`.
        self.undecided: list[str] = []
        # New values of what is replaced in its place, by path.
        self.values: Mapping[str, Any] = {}
        self._open = False
        self.sweep = Sweep(stop_words)
        self.surrogates: list[str] = []
        self.literal: set[str] = set()
        # Parts of names that accounts are called after: "ofairbanks".
        self.handles: set[str] = set()
        # By value: folded texts, numbers and dates, whatever their length or spelling.
        self.whole: dict[str, str] = {}
        self.dates: dict[Date, str] = {}
        self._marked: dict[str, str] = {}
        first: dict[tuple[str, str], str] = {}
        for r in replacements:
            first.setdefault((text[r.start : r.end], r.label), r.surrogate)
        for (original, label), surrogate in first.items():
            self._add(original, label, surrogate)

    def _add(self, original: str, label: str, surrogate: str) -> None:
        person = label == "PERSON"
        letters = compact(original)
        if len(letters) >= (MIN_NAME_CHARS if person else MIN_CHARS):
            owner = len(self.surrogates)
            self.surrogates.append(surrogate)
            self.sweep.add(original, owner, name=person)
            if person:
                self.sweep.add_parts(name_parts(original), owner)
        for number in [] if person else _NUMBER.findall(original):
            if len(number) < _FIGURES.get(label, _FIGURES_ELSE):
                continue
            # A year in a sentence may be any year.
            if len(number) > MIN_CHARS and label != "DATETIME":
                self.sweep.add(number, len(self.surrogates) - 1, part=True)
            self.whole.setdefault(number, surrogate if number == letters else MARK)
        if len(original) >= MIN_SUBSTRING:
            self.literal.add(original)
        if letters:
            self.whole.setdefault(letters, surrogate)
        for part in map(compact, name_parts(original) if person else ()):
            self.whole.setdefault(part, MARK)
            if len(part) >= MIN_SUBSTRING:
                self.handles.add(part)
        date = read_date(original) if label == "DATETIME" else None
        if date is not None:
            self.dates.setdefault(date, surrogate)

    def clean(self, value: Any, path: str | None = None) -> Any:
        """A value of a record without masked strings.

        path (Optional[str]): Where in the record it is.
        RETURNS (Any): The value, equal to `value` if nothing had to be taken out.
            Whole strings and dates become their surrogates, other strings and parts of
            names `***`, numbers of two digits and more null.
        """
        if path is not None:
            if path in self.values:
                return self.values[path]
            if is_id_name(path) and not isinstance(value, (Mapping, list, tuple)):
                return self.clean_id(value)
        if isinstance(value, str):
            return self._clean_value(value)
        if isinstance(value, Mapping):
            names = self.new_names(value)
            return {names[k]: self._clean_below(v, k, path) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            items = (self._clean_below(v, i, path) for i, v in enumerate(value))
            return [*items] if isinstance(value, list) else tuple(items)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self._clean_number(value)
        if value is None or isinstance(value, bool):
            return value
        return self._clean_other(value)

    def _clean_below(self, value: Any, key: Any, path: str | None) -> Any:
        return self.clean(value, None if path is None else step(path, key))

    def _clean_number(self, value: float) -> float | None:
        digits = compact(as_text(value))
        masked = digits in self.whole or self._of_date(digits) is not None
        if self._is_denied(str(value)):
            return None
        self._open |= masked and len(digits) == 1
        return None if masked and len(digits) > 1 else value

    def _clean_other(self, value: Any) -> Any:
        """Dates, decimals and whatever else a table may have, by its text."""
        if isinstance(value, bytes):
            text = value.decode("utf-8", "replace")
            return value if self.clean(text) == text else None
        text = as_text(value)
        new = self._clean_value(text)
        return value if new == text else like(value, new)

    def clean_field(self, name: str, value: Any, new_name: str = "") -> Any:
        """The value of a field, noted in `undecided` if it may hold more.

        new_name (str): What the field is called in the output.
        """
        if name in self.id_fields:
            return self.clean_id(value)
        self._open = False
        new = self.clean(value, name)
        if self._open:
            self.undecided.append(new_name or name)
        return new

    def clean_id(self, value: Any) -> Any:
        """An id without masked strings: one that holds any, or a name, becomes a
        pseudonymous id, the same wherever this id is replaced."""
        new = self.clean(value)
        if new == value and not (isinstance(value, str) and holds_name(value)):
            return value
        if isinstance(value, str):
            return self.ids.of(value)
        return self.ids.of_number(value) if isinstance(value, (int, float)) else new

    def clean_path(self, name: str) -> dict[str, str]:
        """The parts of a path that hold masked strings, and their pseudonyms."""
        masked = (part for part in name.split("/") if self.clean(part) != part)
        return {part: self.ids.of(part) for part in masked}

    def clean_column(self, name: str) -> str:
        """The name of a table's column, a pseudonym if it holds masked strings."""
        return name if self.clean_name(name) == name else self.ids.of(name, "column-")

    def clean_name(self, name: str) -> str:
        """The name of a field without masked strings. An identifier in lower case, as
        programs name fields ("lang"), is none by chance."""
        if name.isidentifier() and name.islower() and not self._is_denied(name):
            return name
        return self._clean_string(name)

    def new_names(
        self, names: Iterable[str], taken: Collection[str] = ()
    ) -> dict[str, str]:
        """Names without masked strings, numbered where two would be alike, or like one
        that is `taken`."""
        out: dict[str, str] = {}
        used = {*taken}
        for name in names:
            new = cleaned = self.clean_name(name)
            n = 1
            while new in used:
                n += 1
                new = f"{cleaned}.{n}"
            used.add(new)
            out[name] = new
        return out

    def _is_denied(self, value: str) -> bool:
        return any(deny(value) for _, deny in self._lists)

    def _clean_value(self, value: str) -> str:
        new = self._decide(value)
        self._open = self._open or self._is_open(new)
        return new

    def _of_date(self, value: str) -> str | None:
        """The surrogate of a masked date that a value is, in whatever order its figures
        are."""
        if not self.dates:
            return None
        if (figures := _FIGURES_OF_DATE.fullmatch(value)) is None:
            date = read_date(value)
            return None if date is None else self.dates.get(date)
        numbers = [number for number in figures.groups() if number]
        dates = (date for date in self.dates if may_be_date(numbers, date))
        return next(map(self.dates.__getitem__, dates), None)

    def _is_open(self, new: str) -> bool:
        """Whether a word or number in what is left is masked in the text: everyday
        words that are names as well, short numbers, single letters."""
        words = _WORD.findall(new.lower()) if len(new) <= LONGEST_VALUE else ()
        return not self.whole.keys().isdisjoint(words)

    def _decide(self, value: str) -> str:
        """A string of a record, compared as a whole first: by its letters and figures,
        and as a date."""
        letters = compact(value) if len(value) <= LONGEST_VALUE else ""
        if len(letters) > 1 and letters in self.whole:
            return self.whole[letters]
        surrogate = self._of_date(value) if self.dates and letters else None
        if surrogate is not None:
            return surrogate
        if letters and self._is_handle(value, letters):
            return MARK
        # The sweep reads HTML's entities.
        return self._clean_string(value)

    def _is_handle(self, value: str, letters: str) -> bool:
        """Whether a value is a single word, as accounts are, with a part of a name in it."""
        named = len(value.split()) == 1 and any(h in letters for h in self.handles)
        return named and not any(value in allow for allow, _ in self._lists)

    def mark(self, value: str) -> str:
        """A reason with `***` in place of masked strings, for a surrogate would make it
        say something that is not so. They are in one by chance ("100 people"), or
        because somebody's indicator quotes the text."""
        if (out := self._marked.get(value)) is None:
            out = self._marked[value] = self._clean_string(value, marks=True)
        return out

    def _clean_string(self, value: str, marks: bool = False) -> str:
        """A string without masked strings: what is denied goes, what is allowed stays."""
        denied = sorted(p for _, deny in self._lists for p in deny.places(value))
        found = sorted(p for allow, _ in self._lists for p in allow.places(value))
        if not (allowed := [p for p in found if not touches(p, denied)]) and not denied:
            return self._without(value, marks)
        out, last = [], 0
        places = [(a, b, value[a:b]) for a, b in allowed]
        for start, end, new in sorted([*places, *((a, b, MARK) for a, b in denied)]):
            if start >= last:
                out += [self._without(value[last:start], marks), new]
            last = max(last, end)
        return "".join(out) + self._without(value[last:], marks)

    def _without(self, value: str, marks: bool) -> str:
        # A field as long as the text itself, with as many strings: not worth a wait.
        if len(self.literal) * len(value) > MAX_WORK:
            return MARK
        pieces, last = [], 0
        replaced = bytearray(len(value))
        hits = self.sweep.find(value)
        for hit in sorted(hits, key=lambda h: (h.start, -h.end, h.part)):
            if hit.start < last:
                last = max(last, hit.end)
                continue
            pieces.append(value[last : hit.start])
            pieces.append(MARK if hit.part or marks else self.surrogates[hit.owner])
            last = hit.end
            replaced[hit.start : last] = b"\1" * (last - hit.start)
        if any(0 in replaced[a:b] for a, b in self._literally(value)):
            return MARK
        return "".join(pieces) + value[last:]

    def _literally(self, value: str) -> Iterator[Place]:
        """Where masked strings stand as they are, within longer words too."""
        for original in self.literal:
            start = value.find(original)
            while start >= 0:
                yield start, start + len(original)
                start = value.find(original, start + 1)
