"""How many people share the quasi identifiers of a document together.

One quasi identifier, a nationality, says little; a nationality, an occupation and a
town may fit one person. Of N people on record, n_i have the i-th attribute; if the
attributes are independent of each other,

    k = N · Π (n_i / N)

people are expected to have all of them. They are not independent in fact: most people
in Lyon are French, so k is too low there, and it is too high where attributes exclude
each other. N and n_i are the counts of a gazetteer, that is, of people who are on
record, not of all who live.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from spacy.tokens import Doc

from ..data import facts
from ..gazetteers import Compiler, Entry, Gazetteer
from ..gazetteers.wikidata.shipped import shipped_counts
from ..models.span_risk import SpanContext
from ..registries import registry
from ..schema import NO_MASK, PROPERTY_SUBTYPES, QUASI, Candidate
from .base import Vote

BIRTH = "BIRTH"
_FACTS = facts("attributes")
# A value of any other property is an attribute of its own.
_PROPERTIES = {**PROPERTY_SUBTYPES, **_FACTS["properties"]}
# Such spans name a person, a record, or nothing that people have in common.
_SKIP = frozenset(("PERSON", "CODE", "QUANTITY", "DATETIME"))
# Words before a date that make it one of birth, whatever their case, and how far back.
_BORN = frozenset(_FACTS["born"].split())
_REACH = 5
# Which of the two a profession or an illness is, people and lists disagree about.
_ALIKE = ("DEM", "MISC")
_ENDS = frozenset(".;!?") | {"\n"}
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_DAY_OR_MONTH = re.compile(r"[^\W\d_]{3,}|(?<!\d)\d{1,2}(?!\d)")
_WORD_OR_NUMBER = re.compile(r"[^\W_]+")


class Value(NamedTuple):
    """What a span says of a person."""

    attribute: str
    id: str
    people: float


@registry.deid_indicators("spacy_deid.combination_risk.v1")
@dataclass
class CombinationRisk:
    """How many people share a document's quasi identifiers: k = N · Π (n_i / N).

    The number is written to `doc._.deid_k`, and that of what is left in clear to
    `doc._.deid_k_left`. The counts come from compiled gazetteers: those of
    `pii_gazetteer`, or `[initialize.components.risk_scorer.indicators.NAME] gazetteers`,
    and are saved with the component; else those that come with the package are taken.

    Of several values of one attribute the one that fewest people have counts, as
    documents name other people too.

    threshold (Optional[float]): Least number of people who shall share what is left in
        clear: the fewest values are masked that make it so. Null only reports.
    last (bool): Whether to look at what the other indicators leave in clear and to
        mask the fewest more; such a decision always counts. If not, it votes like the
        others, as if all were in clear.
    unknown (Optional[float]): People assumed to have a value that was found as one of
        a known attribute but is not in the gazetteers. Null leaves it out, so that k is
        too high.
    birth_year (float): Share of the people on record born in one year, where no
        gazetteer counts them (property P569). A month divides it by 12, a day by 365.
    languages (Sequence[str]): Languages of the values that come counted with the
        package (a sample of Wikidata), for pipelines without counts of their own.
    RAISES (ValueError): If a setting is out of range.
    """

    threshold: float | None = None
    last: bool = True
    unknown: float | None = None
    birth_year: float = 1 / 80
    languages: Sequence[str] = ()
    gazetteer: Gazetteer | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        for name, value in (("threshold", self.threshold), ("unknown", self.unknown)):
            if value is not None and not 0 < value < math.inf:
                raise ValueError(f"{name} must be above 0, not {value}")
        if not 0 < self.birth_year <= 1:
            problem = f"birth_year must be above 0 and at most 1, not {self.birth_year}"
            raise ValueError(problem)

    def initialize(
        self,
        get_views: Callable[[], Iterable[Any]] | None = None,
        *,
        nlp: Any = None,
        gazetteers: Sequence[str | Path] = (),
    ) -> None:
        """Take the counts of compiled gazetteers."""
        if isinstance(gazetteers, (str, Path)):
            raise ValueError("combination_risk: gazetteers must be a list of files")
        sources = [Gazetteer.load(path) for path in gazetteers]
        for source in sources:
            source.check()
        if not sources and nlp is not None:
            for _, pipe in nlp.pipeline:
                sources += getattr(pipe, "gazetteers", ())
        if gazetteers or not self.languages or any(map(_humans, sources)):
            self.count(sources)
        self._counts()

    def count(self, gazetteers: Iterable[Gazetteer]) -> None:
        """Take the counts of gazetteers; of one value in several, the highest."""
        gazetteers = list(gazetteers)
        humans = max(map(_humans, gazetteers), default=0)
        languages = sorted({code for g in gazetteers for code in g.languages})
        compiler = Compiler(languages=languages, humans=humans)
        for gazetteer in gazetteers:
            for entry in gazetteer:
                if entry.people:
                    compiler.add(entry)
        if not humans or not len(compiler):
            needs = "combination_risk needs a compiled gazetteer with counts"
            made = "'spacy deid gazetteer compile' makes one of terms with 'count'"
            section = "[initialize.components.risk_scorer.indicators.NAME]"
            given = f"Give it to pii_gazetteer, or as gazetteers in {section}"
            other = "name the languages of the counts that come with the package"
            raise ValueError(f"{needs} of people: {made}. {given}; or {other}")
        self.gazetteer = Gazetteer(compiler.to_bytes(), "combination_risk")

    def to_bytes(self) -> bytes:
        """The counts, but for those of the package."""
        return b"" if self.gazetteer is None else self.gazetteer.to_bytes()

    def from_bytes(self, data: bytes) -> CombinationRisk:
        """Take over counts."""
        self.gazetteer = Gazetteer(data, "combination_risk") if data else None
        if self.gazetteer is not None:
            self.gazetteer.check()
        return self

    def __call__(self, context: SpanContext) -> list[Vote | None]:
        """The votes, if the others are not to decide first."""
        self._counts()
        if self.last or self.threshold is None:
            return [None] * len(context.spans)
        return self._votes(self.read(context), [False] * len(context.spans))

    def finish(self, context: SpanContext, masked: Sequence[bool]) -> list[Vote | None]:
        """The votes on what the others leave in clear."""
        if not self.last or self.threshold is None:
            return [None] * len(context.spans)
        votes = self._votes(self.read(context), masked)
        return [None if hidden else vote for vote, hidden in zip(votes, masked)]

    def report(self, context: SpanContext, masked: Sequence[bool]) -> None:
        """Write how many people share the values, all and those left in clear."""
        found = self.read(context)
        context.doc._.deid_k = self.people(found)
        left = (None if hidden else value for value, hidden in zip(found, masked))
        context.doc._.deid_k_left = self.people(left)

    def read(self, context: SpanContext) -> list[Value | None]:
        """What the spans of a document say of a person."""
        doc, read = context.doc, cache(self._read)
        found = [
            self._birth(doc, c)
            if c.label == "DATETIME"
            else None
            if c.label in _SKIP
            else read(doc[c.start : c.end].text, c.label, c.id, c.source)
            for c in context.spans
        ]
        # One value may be written in several ways, with counts of their own.
        least: dict[tuple[str, str], Value] = {}
        for v in filter(None, found):
            if v.people < least.setdefault(v[:2], v).people:
                least[v[:2]] = v
        return [None if v is None else least[v[:2]] for v in found]

    def people(self, values: Iterable[Value | None]) -> float:
        """How many people share values: N · Π (n_i / N)."""
        total = _humans(self._counts())
        k = math.log(total)
        for rarest, *_ in _by_attribute(values).values():
            k += math.log(rarest.people / total)
        return float(f"{math.exp(k):.6g}")

    def _counts(self) -> Gazetteer:
        if self.gazetteer is not None:
            return self.gazetteer
        if self.languages:
            return shipped_counts(tuple(self.languages))
        advice = "initialize the pipeline with a compiled gazetteer"
        problem = f"combination_risk has no counts of people: {advice}"
        raise ValueError(f"{problem}, or call `count` of the indicator with one")

    def _votes(
        self, values: list[Value | None], masked: Sequence[bool]
    ) -> list[Vote | None]:
        assert self.threshold is not None
        clear = [None if hidden else v for v, hidden in zip(values, masked)]
        before = self.people(clear)
        hide = self.choose(clear)
        left = [v for v in clear if v not in hide]
        after = self.people(left)
        # Who is one of k people is found with a chance of 1 in k: even odds at the
        # threshold.
        risk = self.threshold / (self.threshold + before)
        rest = self.threshold / (self.threshold + after)
        wanted = _number(self.threshold)
        reason = f"{self._share(clear, before)}; masked so that {wanted} do"
        kept = f"{self._share(left, after)}, as many as wanted"
        masks, leaves = Vote(QUASI, risk, reason), Vote(NO_MASK, rest, kept)
        return [v if v is None else masks if v in hide else leaves for v in clear]

    def _share(self, values: Iterable[Value | None], k: float) -> str:
        """ "only 14 people on record share this occupation and town"."""
        names = sorted({self._name(v.attribute) for v in values if v is not None})
        *most, last = names or ["document"]
        what = f"{', '.join(most)} and {last}" if most else last
        if k < 1:
            return f"less than one person on record is expected to have this {what}"
        only = "only " if self.threshold is not None and k < self.threshold else ""
        people = "person" if round(k) == 1 else "people"
        verb = "has" if round(k) == 1 else "share"
        return f"{only}{_number(k)} {people} on record {verb} this {what}"

    def _name(self, attribute: str) -> str:
        known = self._counts().properties | _FACTS["names"]
        return known.get(attribute) or attribute.replace("_", " ").lower()

    def choose(self, values: Iterable[Value | None]) -> set[Value]:
        """The fewest values to mask for k to reach the threshold; all if none do."""
        if self.threshold is None:
            return set()
        total = _humans(self._counts())
        # By the number of values masked: the highest log k, and the values.
        best: dict[int, tuple[float, tuple[Value, ...]]] = {0: (math.log(total), ())}
        for _, options in sorted(_by_attribute(values).items()):
            logs = [*(math.log(v.people / total) for v in options), 0.0]
            after: dict[int, tuple[float, tuple[Value, ...]]] = {}
            for n, (k, chosen) in best.items():
                for i, left in enumerate(logs):
                    row = (k + left, chosen + tuple(options[:i]))
                    if n + i not in after or row[0] > after[n + i][0]:
                        after[n + i] = row
            best = after
        need = math.log(self.threshold) - 1e-9
        if enough := [n for n, (k, _) in best.items() if k >= need]:
            return set(best[min(enough)][1])
        return {value for value in values if value is not None}

    def _read(self, text: str, label: str, id_: str, source: str) -> Value | None:
        if id_ == "AGE":
            return Value(BIRTH, _key(text), self.birth_year * _humans(self._counts()))
        prop = source.partition(":")[2] if source.startswith("term:") else ""
        attribute = _attribute(prop, id_, "")
        if entry := self._entry(text, label, id_, attribute):
            value = entry.id or entry.term.casefold()
            return Value(_attribute_of(entry), value, self._most(entry.people))
        if attribute and self.unknown is not None:
            return Value(attribute, f"unknown:{_key(text)}", self._most(self.unknown))
        return None

    def _entry(self, text: str, label: str, id_: str, attribute: str) -> Entry | None:
        """What the gazetteer has for a span whose attribute may be known."""
        gazetteer = self._counts()
        same = _ALIKE if label in _ALIKE else (label,)
        wanted = (attribute,) if attribute else same
        if not _is_item(id_) and _kinds(gazetteer).isdisjoint(wanted):
            return None
        entries = gazetteer.get(text) or gazetteer.get_plural(text)
        if not (likely := [e for e in entries if e.id and e.id == id_]) and attribute:
            likely = [e for e in entries if _attribute_of(e) == attribute]
        elif not likely:
            # Nothing says what is meant: then it is what most people have.
            likely = [e for e in entries if e.label in same]
        return max(likely, key=lambda e: e.people, default=None)

    def _birth(self, doc: Doc, c: Candidate) -> Value | None:
        """A date of birth, whole or in part."""
        if not _after_birth(doc, c.start):
            return None
        text = doc[c.start : c.end].text
        if (year := _YEAR.search(text)) is None:
            return None
        parts = _DAY_OR_MONTH.findall(text[: year.start()] + " " + text[year.end() :])
        years = self._counts().get(year.group())
        found = [e for e in years if _attribute_of(e) == BIRTH]
        total = _humans(self._counts())
        people = max((e.people for e in found), default=0) or self.birth_year * total
        people /= 365.25 if len(parts) > 1 else 12.0 if parts else 1.0
        return Value(BIRTH, _key(text), self._most(people))

    def _most(self, people: float) -> float:
        return min(people, _humans(self._counts()))


@lru_cache(8)
def _kinds(gazetteer: Gazetteer) -> frozenset[str]:
    """Types and attributes of what is counted."""
    kinds = {_attribute(prop, id_, label) for label, prop, id_ in gazetteer.kinds}
    return frozenset(kinds | {label for label, *_ in gazetteer.kinds})


def _is_item(id_: str) -> bool:
    """Whether an id is one of Wikidata."""
    return id_[:1] == "Q" and id_[1:].isdigit()


def _humans(gazetteer: Gazetteer) -> int:
    """How many people the counts are taken from."""
    return int(gazetteer.header["humans"])


def _attribute(prop: str, id_: str, label: str) -> str:
    """The attribute of a property, else of a subtype, else of a type."""
    if prop[:1] == "P" and prop[1:].isdigit():
        return _PROPERTIES.get(prop, prop)
    if id_ and not _is_item(id_):
        return _FACTS["subtypes"].get(id_, id_)
    return label


def _attribute_of(entry: Entry) -> str:
    return _attribute(entry.property, entry.id, entry.label)


def _by_attribute(values: Iterable[Value | None]) -> dict[str, list[Value]]:
    """Different values of each attribute, the rarest first."""
    out: dict[str, set[Value]] = {}
    for value in values:
        if value is not None:
            out.setdefault(value.attribute, set()).add(value)
    return {a: sorted(v, key=lambda x: (x.people, x.id)) for a, v in out.items()}


def _after_birth(doc: Doc, start: int) -> bool:
    """Whether the words before a date say that somebody was born then."""
    for i in range(start - 1, max(-1, start - 1 - _REACH), -1):
        if (text := doc[i].lower_) in _BORN:
            return True
        if text == "." and i and f"{doc[i - 1].lower_}." in _BORN:
            return True
        if text in _ENDS or "\n" in text:
            return False
    return False


def _key(text: str) -> str:
    return " ".join(_WORD_OR_NUMBER.findall(text.casefold()))


def _number(k: float) -> str:
    return f"{round(k):,}"
