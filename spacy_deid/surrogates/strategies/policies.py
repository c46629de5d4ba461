"""What random replacement draws from: an external lexicon (value distortion) or the
corpus's own values (value dissociation; Adelani et al. 2020, section 3).

A policy looks at the form of a mention (its type, whether a name has one word or
several), never at the value, or the lemma that gives ε would not hold.
"""

from __future__ import annotations

import json
import os
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from itertools import accumulate, product
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from spacy.tokens import Doc

from ...gazetteers.names import given_names, surnames
from ...registries import registry
from ...schema import PII_KEY, group_attr
from ...text.countries import countries
from ...text.names import strip_possessive
from ..base import MONTHS, Mention
from ..coined import FIRMS
from .words import occupations

Counts = Counter[tuple[str, str]]


class Lexicon:
    """Values and how likely each is.

    values (Sequence[str]): Each once.
    weights (Optional[Sequence[int]]): Frequencies, all above 0; None for equal ones.
    """

    def __init__(
        self, values: Sequence[str], weights: Sequence[int] | None = None
    ) -> None:
        self.values = values
        self._weights = dict(zip(values, weights, strict=True)) if weights else {}
        self._sums = list(accumulate(self._weights.values()))
        self.total = self._sums[-1] if self._sums else len(values)
        if not self.total:
            raise ValueError("a lexicon without values")
        own = self._weights.values() or (1,)
        self.least, self.largest = min(own) / self.total, max(own) / self.total

    def probability(self, value: str) -> float:
        """Chance of a value, 0 if it is never given."""
        alike = 0 if self._weights else int(value in self.values)
        return self._weights.get(value, alike) / self.total

    def draw(self, rng: random.Random) -> str:
        """A value by its chance."""
        n = rng.randrange(self.total)
        return self.values[bisect_right(self._sums, n) if self._sums else n]


@runtime_checkable
class Policy(Protocol):
    """Gives the values that may stand for a mention."""

    def lexicon(self, mention: Mention) -> Lexicon | None:
        """Values for a mention, by its form alone; None if there are none."""

    def bounds(self) -> tuple[float, float]:
        """Smallest and largest chance of any value in any lexicon."""

    def config(self) -> dict[str, Any]:
        """The block of a config that makes this policy."""


class _Pairs(Sequence[str]):
    """All given names with all surnames, without making the list."""

    def __init__(self, first: Sequence[str], last: Sequence[str]) -> None:
        self.first, self.last = first, last
        self._known = frozenset(first), frozenset(last)

    def __len__(self) -> int:
        return len(self.first) * len(self.last)

    def __getitem__(self, i: Any) -> Any:
        a, b = divmod(i, len(self.last))
        return f"{self.first[a]} {self.last[b]}"

    def __contains__(self, value: Any) -> bool:
        first, _, last = value.partition(" ")
        return first in self._known[0] and last in self._known[1]


class _Numbers(Sequence[str]):
    """Numbers in figures, without making the list."""

    def __init__(self, start: int, stop: int) -> None:
        self._range = range(start, stop)

    def __len__(self) -> int:
        return len(self._range)

    def __getitem__(self, i: Any) -> Any:
        return str(self._range[i])

    def __contains__(self, value: Any) -> bool:
        figures = value.isascii() and value.isdecimal() and len(value) < 12
        return figures and value == str(int(value)) and int(value) in self._range


def _form(mention: Mention) -> str:
    """What of a mention decides about its lexicon."""
    if mention.label == "PERSON":
        return "PERSON" if " " in mention.text.strip() else "NAME"
    if mention.label == "LOC" and mention.subtype == "COUNTRY":
        return "COUNTRY"
    return mention.label


@cache
def _built_in() -> dict[str, Lexicon]:
    """Lists of the package's own, and of Faker."""

    def once(values: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(set(values)))

    days = product(range(1950, 2026), MONTHS, range(1, 29))
    dates = [f"{day} {month} {year}" for year, month, day in days]
    given, family = once(given_names()), once(surnames())
    return {
        "NAME": Lexicon(once((*given, *family))),
        "PERSON": Lexicon(_Pairs(given, family)),
        "ORG": Lexicon(once(FIRMS)),
        "LOC": Lexicon(once(city for c in countries() for city in c.cities)),
        "COUNTRY": Lexicon(once(c.name for c in countries())),
        "DEM": Lexicon(once((*occupations(), *(c.adjective for c in countries())))),
        "DATETIME": Lexicon(dates),
        "QUANTITY": Lexicon(_Numbers(1, 1001)),
        "CODE": Lexicon(_Numbers(100_000, 1_000_000)),
        "MISC": Lexicon(once(occupations())),
    }


@registry.deid_policies("spacy_deid.lexicon_policy.v1")
@dataclass(frozen=True)
class LexiconPolicy:
    """Values from outside the corpus (value distortion): each type's are equally likely
    unless the file counts them.

    path (Optional[str]): File as `write_frequencies` makes it; None for the lists that
        come with the package (English).
    """

    path: str | None = None
    name: ClassVar[str] = "spacy_deid.lexicon_policy.v1"

    def _lexicons(self) -> Mapping[str, Lexicon]:
        return _built_in() if self.path is None else read_lexicons(self.path)

    def lexicon(self, mention: Mention) -> Lexicon | None:
        lexicons = self._lexicons()
        return lexicons.get(_form(mention)) or lexicons.get(mention.label)

    def bounds(self) -> tuple[float, float]:
        found = self._lexicons().values()
        return min(x.least for x in found), max(x.largest for x in found)

    def config(self) -> dict[str, Any]:
        return {"@deid_policies": self.name, **asdict(self)}


@registry.deid_policies("spacy_deid.corpus_policy.v1")
@dataclass(frozen=True)
class CorpusPolicy(LexiconPolicy):
    """The corpus's own values by their frequencies (value dissociation), collected in a
    first pass by `collect_frequencies`. The file holds originals: it is read when it is
    needed and never becomes part of a pipeline.

    path (str): File that `write_frequencies` has made.
    """

    path: str = field()
    name: ClassVar[str] = "spacy_deid.corpus_policy.v1"


def collect_frequencies(docs: Iterable[Doc], spans_key: str = PII_KEY) -> Counts:
    """First pass over a corpus: how often each value of each type occurs.

    docs (Iterable[Doc]): Documents that the detectors have seen.
    spans_key (str): Span group of the detectors.
    RETURNS (Counter): Number of occurrences by (type, value).
    RAISES (ValueError): If a document lacks the span group.
    """
    counts: Counts = Counter()
    for doc in docs:
        if spans_key not in doc.spans:
            raise ValueError(
                f"a document has no span group '{spans_key}': run the detectors first"
            )
        group = doc.spans[spans_key]
        labels = group_attr(group, "labels", "")
        for span, label in zip(group, labels):
            label = label or span.label_
            text = " ".join(span.text.split())
            if label != "CODE":
                text = strip_possessive(text)
            if text:
                counts[label, text] += 1
    return counts


def write_frequencies(path: str | Path, counts: Mapping[tuple[str, str], int]) -> None:
    """Write counts as JSON lines, readable by their owner alone: they are originals."""
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    try:
        with open(os.open(temporary, flags, 0o600), "w", encoding="utf8") as file:
            for (label, text), count in sorted(counts.items()):
                row = {"label": label, "text": text, "count": count}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_lexicons(path: str | Path) -> Mapping[str, Lexicon]:
    """Lexicons by type, from a file of `write_frequencies`.

    path (Union[str, Path]): The file; `count` is 1 where a line has none.
    RETURNS (Mapping[str, Lexicon]): One lexicon a type.
    RAISES (ValueError): If the file is missing or not of this form, naming the line.
    """
    try:
        stat = os.stat(path)
    except OSError as err:
        raise ValueError(
            f"{path}: {err.strerror or 'not readable'}: make it with "
            f"spacy_deid.surrogates.strategies.policies.write_frequencies"
        ) from err
    return _read_lexicons(str(path), stat.st_mtime_ns, stat.st_size)


def _row(line: str) -> tuple[str, str, int]:
    """Type, value and number of a line; 0 for one that is not of this form."""
    try:
        row = json.loads(line)
        label, text, count = row["label"], row["text"], row.get("count", 1)
        if label and isinstance(label, str) and text.strip() and type(count) is int:
            return label, text, max(count, 0)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    return "", "", 0


@lru_cache(maxsize=4)
def _read_lexicons(path: str, mtime: int, size: int) -> Mapping[str, Lexicon]:
    counts: dict[str, Counter[str]] = {}
    with open(path, encoding="utf8") as file:
        try:
            for n, line in enumerate(file, 1):
                if not line.strip():
                    continue
                label, text, count = _row(line)
                if not count:
                    # The line may hold an original: it is named, not shown.
                    raise ValueError(
                        f'{path}, line {n}: should be {{"label": TYPE, "text": VALUE, '
                        f'"count": NUMBER}} with a number above 0'
                    ) from None
                counts.setdefault(label, Counter())[text] += count
        except UnicodeDecodeError:
            raise ValueError(f"{path}: is not UTF-8 text") from None
    if not counts:
        raise ValueError(f"{path}: has no values")
    return {
        label: Lexicon(tuple(found), tuple(found.values()))
        for label, found in counts.items()
    }
