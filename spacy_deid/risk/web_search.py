"""Web search: what is found together with the person gives the person away."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy
import srsly
from spacy.tokens import Doc

from ..models.span_risk import SpanContext
from ..registries import registry
from ..schema import (
    DIRECT,
    IDENTIFIER_TYPES,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    Candidate,
    group_attr,
    is_mask_key,
)
from ..text.names import fold, split_name
from .base import Vote
from .search.base import (
    SearchBackend,
    SearchError,
    SearchResult,
    clean_phrase,
    host_of,
    page_key,
)
from .search.local_index import LocalIndex

URLS, HITS = "urls", "hits"
RAISE, ABSTAIN = "raise", "abstain"
# They open something: nobody else gets them, with consent or without.
SECRETS = ("PASSWORD",)
# Hosts named in a reason.
_MAX_HOSTS = 3
_WORD = re.compile(r"[^\W_]+")


@registry.deid_indicators("spacy_deid.web_search.v1")
@dataclass
class WebSearch:
    """Web search as an indicator of risk (paper 3, 5.5).

    A span is risky if pages found for it are also found for the person to protect
    (method `urls`), or if the number of pages found for it lies within bounds
    (method `hits`). Each entity is looked for once, by its longest mention. The
    person is the one in `doc._.deid_target`, or else the person that the document
    mentions most.

    backend (Optional[SearchBackend]): Where to look, from the registry `deid_search`.
        Without one in the local index of `index_path`, on this machine.
    index_path (Optional[str]): A file that `spacy deid index` wrote.
    top (int): How many pages of each search are compared.
    min_hits (Optional[int]): Lower bound of method `hits`. Without it both bounds are
        fitted when the pipeline is initialized, see `fit_hit_bounds`, and saved with it.
    max_hits (Optional[int]): Its upper bound; None for no bound.
    on_error (str): What becomes of a search that fails: `raise`, or `abstain` from
        votes on what was not found out.
    skip (Sequence[str]): Types and subtypes of spans that are never looked for.
    RAISES (ValueError): If a setting is missing or won't do.
    """

    backend: Any = None
    index_path: str | None = None
    method: str = URLS
    top: int = 20
    min_hits: int | None = None
    max_hits: int | None = None
    on_error: str = RAISE
    skip: Iterable[str] = SECRETS

    def __post_init__(self) -> None:
        given = self.min_hits is not None
        problems = {
            "takes 'index_path' or 'backend', not both": self.backend is not None
            and self.index_path is not None,
            "needs 'index_path', a local index of background documents, or another "
            "'backend'": self.backend is None and self.index_path is None,
            f"method is '{URLS}' or '{HITS}', not '{self.method}'": self.method
            not in (URLS, HITS),
            f"on_error is '{RAISE}' or '{ABSTAIN}', not '{self.on_error}'": self.on_error
            not in (RAISE, ABSTAIN),
            f"top must be at least 1, not {self.top}": self.top < 1,
            "min_hits and max_hits go with method 'hits'": self.method == URLS
            and (given or self.max_hits is not None),
            "max_hits needs min_hits as well": not given and self.max_hits is not None,
            "no number lies between min_hits and max_hits": given
            and not 0
            <= (self.min_hits or 0)
            <= (math.inf if self.max_hits is None else self.max_hits),
        }
        for problem, found in problems.items():
            if found:
                raise ValueError(f"web_search: {problem}")
        if self.backend is None:
            self.backend = LocalIndex(self.index_path or "")
        if not callable(getattr(self.backend, "search", None)):
            raise ValueError("web_search: 'backend' has no method 'search'")
        self.skip = frozenset(self.skip)
        # What the config says is not fitted, and not saved.
        self._fits = self.method == HITS and self.min_hits is None

    def initialize(self, get_views: Callable[[], Iterable[View]], *, nlp: Any) -> None:
        """Fit the bounds of method `hits`, unless the config gives them."""
        if self._fits:
            bounds = fit_views(get_views(), self.backend, self.skip)
            self.min_hits, self.max_hits = bounds.min_hits, bounds.max_hits

    def to_bytes(self) -> bytes:
        """RETURNS (bytes): The bounds that were fitted."""
        bounds = {"min_hits": self.min_hits, "max_hits": self.max_hits}
        return srsly.json_dumps(bounds if self._fits else {}).encode("utf8")

    def from_bytes(self, data: bytes) -> WebSearch:
        """Take over bounds that were fitted before; those of the config stay."""
        bounds = srsly.json_loads(data.decode("utf8"))
        if self._fits and bounds:
            self.min_hits, self.max_hits = bounds["min_hits"], bounds["max_hits"]
        return self

    def __call__(self, context: SpanContext) -> list[Vote | None]:
        """The votes of the indicator."""
        if self.method == HITS and self.min_hits is None:
            raise ValueError(
                "web_search: set min_hits and max_hits, or train the pipeline on "
                "annotated documents to fit them"
            )
        entities = find_entities(context, self.skip)
        wanted = [entity for entity in entities if entity.phrase]
        searches = _Searches(self.backend, self.top if self.method == URLS else 0)
        votes: list[Vote | None] = [None] * len(context.spans)
        judge = self._judge_urls if self.method == URLS else self._judge_hits
        state = _State(context, searches)
        for entity in wanted:
            vote = self._vote(judge, entity, state)
            for i in entity.mentions:
                votes[i] = vote
        return votes

    def _vote(self, judge: Any, entity: Entity, state: _State) -> Vote:
        # A service that is down is asked no more for this document.
        if state.failure is None:
            try:
                return judge(entity, state)
            except SearchError as error:
                if self.on_error == RAISE:
                    raise
                state.failure = str(error)
        return _abstain(f"no vote, the search failed ({state.failure})")

    def _judge_hits(self, entity: Entity, state: _State) -> Vote:
        assert self.min_hits is not None
        hits = state.searches(entity.phrase).hits
        unit = _unit(self.backend)
        found = f"web search: found in {_count(hits, unit)}"
        lower = f"{self.min_hits:,}"
        if hits < self.min_hits:
            return Vote(NO_MASK, 0.0, f"{found}, fewer than {lower}")
        if self.max_hits is None:
            return Vote(QUASI, 1.0, f"{found}, at least {lower}")
        upper = f"{self.max_hits:,}"
        if hits > self.max_hits:
            return Vote(NO_MASK, 0.0, f"{found}, more than {upper}")
        return Vote(QUASI, 1.0, f"{found}, between {lower} and {upper}")

    def _judge_urls(self, entity: Entity, state: _State) -> Vote:
        unit = _unit(self.backend)
        pages = state.person_pages()
        if pages is None:
            return _abstain("no vote, the document names no person to look for")
        if not pages:
            return Vote(NO_MASK, 0.0, f"web search: no {unit} on the person was found")
        urls = state.searches(entity.phrase).urls
        shared = tuple(url for url in urls if page_key(url) in pages)
        if not urls:
            return Vote(NO_MASK, 0.0, f"web search: found in no {unit}")
        found = _count(len(urls), unit)
        if not shared:
            reason = f"web search: shares none of {found} with the person"
            return Vote(NO_MASK, 0.0, reason)
        hosts = show_hosts(shared, state.words())
        reason = f"web search: shares {len(shared)} of {found} with the person{hosts}"
        return Vote(QUASI, 1.0, reason, shared)


class Entity(NamedTuple):
    """What is looked for."""

    phrase: str
    mentions: list[int]


def find_entities(context: SpanContext, skip: Iterable[str] = ()) -> list[Entity]:
    """The entities of a document, in order of appearance."""
    doc, spans, entity_ids = context
    members: dict[Any, list[int]] = {}
    for i, entity in enumerate(entity_ids):
        members.setdefault(entity, []).append(i)
    skip = set(skip)
    out = []
    for mentions in members.values():
        phrase = ""
        if not any({spans[i].label, spans[i].id} & skip for i in mentions):
            phrases = [clean_phrase(_text(doc, spans[i])) for i in mentions]
            phrase = max(phrases, key=len)
        out.append(Entity(phrase, mentions))
    return out


def person_phrase(context: SpanContext) -> str:
    """The name of the person to protect, as it is looked for."""
    doc, spans, entity_ids = context
    target = doc._.deid_target
    if target is not None and not isinstance(target, str):
        raise ValueError(
            f"doc._.deid_target has to be a string, not {type(target).__name__}"
        )
    if target and clean_phrase(target):
        return _spoken_name(target)
    direct = _direct_spans(doc)
    names: dict[Any, list[str]] = {}
    rank: Counter[Any] = Counter()
    for c, entity in zip(spans, entity_ids):
        if c.label == "PERSON":
            name = _spoken_name(_text(doc, c))
            if name:
                names.setdefault(entity, []).append(name)
                is_direct = (c.start, c.end) in direct
                # More than all mentions together.
                rank[entity] += 1 + is_direct * (len(spans) + 1)
    if not names:
        return ""
    # The first of those mentioned equally often.
    best = max(names, key=lambda entity: rank[entity])
    return max(names[best], key=lambda name: (len(name.split()), len(name)))


def _direct_spans(doc: Doc) -> set[tuple[int, int]]:
    group = doc.spans[MASK_KEY] if MASK_KEY in doc.spans else ()  # noqa: SIM401
    return {(s.start, s.end) for s in group if s.label_ == DIRECT}


def _spoken_name(text: str) -> str:
    """ "MURRAY, Dr Robert" as "Robert MURRAY"."""
    spoken = " ".join(text.split())
    # A title after the comma comes to the front the first time.
    for _ in range(2):
        name = split_name(spoken)
        spoken = f"{name.given} {name.middle} {name.family}".strip() or spoken
    return clean_phrase(spoken) or clean_phrase(text)


def _text(doc: Doc, c: Candidate) -> str:
    return doc[c.start : c.end].text


class _Searches:
    """Searches for one document, each made once."""

    def __init__(self, backend: SearchBackend, top: int) -> None:
        self.backend, self.top = backend, top
        self.done: dict[str, SearchResult] = {}

    def __call__(self, phrase: str) -> SearchResult:
        key = fold(phrase)
        if key not in self.done:
            self.done[key] = self.backend.search(phrase, self.top)
        return self.done[key]


@dataclass
class _State:
    """What the votes of one document share."""

    context: SpanContext
    searches: _Searches
    failure: str | None = None
    _pages: frozenset[str] | None = None
    _words: frozenset[str] | None = field(default=None, repr=False)
    _known: bool = False

    def person_pages(self) -> frozenset[str] | None:
        """Keys of the pages found for the person; None if there is no person."""
        if not self._known:
            phrase = person_phrase(self.context)
            if phrase:
                self._pages = frozenset(map(page_key, self.searches(phrase).urls))
            self._known = True
        return self._pages

    def words(self) -> frozenset[str]:
        """Words of the spans and of the person's name."""
        if self._words is None:
            doc, spans, _ = self.context
            texts = [doc._.deid_target or "", *(_text(doc, c) for c in spans)]
            self._words = frozenset(w for t in texts for w in _WORD.findall(fold(t)))
        return self._words


def show_hosts(urls: Iterable[str], words: Iterable[str]) -> str:
    """The hosts of pages, for a reason that may be read by anybody."""
    counts = Counter(filter(None, map(host_of, urls)))
    words = set(words)
    long = {word for word in words if len(word) > 2}
    named: list[str] = []
    others = 0
    for host, _ in counts.most_common():
        folded = fold(host)
        pieces = set(_WORD.findall(folded))
        if len(named) < _MAX_HOSTS and not (
            pieces & words or any(word in folded for word in long)
        ):
            named.append(host)
        else:
            others += 1
    if others:
        rest = "other site" if named else "site"
        named.append(_count(others, rest))
    return f" ({', '.join(named)})" if named else ""


def _unit(backend: SearchBackend) -> str:
    return str(getattr(backend, "unit", "page"))


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _abstain(reason: str) -> Vote:
    return Vote(NO_MASK, 0.0, f"web search: {reason}", (), True)


class HitBounds(NamedTuple):
    """Bounds of method `hits`, with what they come to on the documents they were
    fitted on, at token level.

    max_hits (Optional[int]): Upper bound, or None.
    precision (float): Share of the tokens within the bounds that are to be masked.
    recall (float): Share of the tokens to be masked that are within the bounds.
    """

    min_hits: int
    max_hits: int | None
    precision: float
    recall: float
    f1: float


# A document with its spans, and the share of the annotators for each identifier type
# of IDENTIFIER_TYPES, shape (spans, 3).
View = tuple[SpanContext, numpy.ndarray]


def fit_hit_bounds(
    docs: Iterable[Doc], backend: SearchBackend, skip: Iterable[str] = SECRETS
) -> HitBounds:
    """The bounds that decide best on annotated documents."""
    views = (
        _gold_view(doc, key) for doc in docs for key in doc.spans if is_mask_key(key)
    )
    return fit_views(views, backend, skip)


def fit_views(
    views: Iterable[View], backend: SearchBackend, skip: Iterable[str] = SECRETS
) -> HitBounds:
    """The bounds that decide best on spans with gold."""
    rows = []
    column = IDENTIFIER_TYPES.index(NO_MASK)
    for context, targets in views:
        searches = _Searches(backend, 0)
        for phrase, mentions in find_entities(context, skip):
            hits = searches(phrase).hits if phrase else None
            n_words = [_n_words(context.doc, context.spans[i]) for i in mentions]
            safe = float(numpy.dot(n_words, targets[mentions, column]))
            rows.append((hits, sum(n_words) - safe, safe))
    return best_bounds(rows)


def _gold_view(doc: Doc, key: str) -> View:
    """The spans of one annotator, with their semantic types."""
    types = {}
    if PII_KEY in doc.spans:
        pii = doc.spans[PII_KEY]
        subtypes = group_attr(pii, "subtypes", "")
        types = {(s.start, s.end): (s.label_, x) for s, x in zip(pii, subtypes)}
    spans, ids = [], []
    numbers: dict[Any, int] = {}
    targets = numpy.zeros((len(doc.spans[key]), len(IDENTIFIER_TYPES)))
    for i, span in enumerate(doc.spans[key]):
        label, subtype = types.get((span.start, span.end), ("", ""))
        spans.append(Candidate(span.start, span.end, label, subtype))
        ids.append(numbers.setdefault(span.id_ or i, len(numbers)))
        targets[i, IDENTIFIER_TYPES.index(span.label_)] = 1.0
    return SpanContext(doc, spans, ids), targets


def _n_words(doc: Doc, c: Candidate) -> int:
    return sum(not (t.is_punct or t.is_space) for t in doc[c.start : c.end])


def best_bounds(rows: Iterable[tuple[int | None, float, float]]) -> HitBounds:
    """Bounds on numbers of hits with the best F1 of tokens (paper 3, 5.5)."""
    table: dict[int, list[float]] = {}
    total = 0.0
    for hits, risky, safe in rows:
        total += risky
        if hits is not None:
            cell = table.setdefault(hits, [0.0, 0.0])
            cell[0] += risky
            cell[1] += safe
    values = sorted(table)
    upto = numpy.zeros((len(values) + 1, 2))
    upto[1:] = numpy.cumsum([table[v] for v in values] or numpy.zeros((0, 2)), axis=0)
    best = (0.0, 0.0, 0, 0)
    for low in range(len(values)):
        hit, wrong = (upto[low + 1 :] - upto[low]).T
        f1 = 2 * hit / (hit + wrong + total) if total else hit
        top = float(f1.max())
        # The widest of these.
        high = low + int(numpy.flatnonzero(f1 == top)[-1])
        best = max(best, (top, float((hit + wrong)[high - low]), -low, high))
    f1_best, masked, low, high = best[0], best[1], -best[2], best[3]
    if f1_best <= 0.0:
        raise ValueError(
            "web_search: nothing that is to be masked in these documents can be looked "
            "for, so there are no bounds to fit"
        )
    hit_best = float(upto[high + 1, 0] - upto[low, 0])
    return HitBounds(
        # Numbers between two that were seen are masked.
        values[low - 1] + 1 if low else 0,
        values[high + 1] - 1 if high + 1 < len(values) else None,
        hit_best / masked,
        hit_best / total,
        f1_best,
    )
