"""Web search: what is found together with the person gives the person away."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy
import srsly

from ..models.span_risk import SpanContext
from ..registries import registry
from ..schema import DIRECT, MASK_KEY, NO_MASK, QUASI, texts_of
from ..text.names import fold, split_name
from .base import Vote
from .gold import COLUMN, count_words, entities_of
from .search.base import SearchError, SearchResult, clean_phrase, page_key
from .search.local_index import LocalIndex

URLS, HITS = "urls", "hits"
RAISE, ABSTAIN = "raise", "abstain"
# They open something: nobody else gets them, with consent or without.
SECRETS = ("PASSWORD",)
# A document with its spans, and the share of the annotators for each identifier type.
View = tuple[SpanContext, numpy.ndarray]
Search = Callable[[str], SearchResult]


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
        fitted when the pipeline is initialized, and saved with it.
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
        low, high = self.min_hits, self.max_hits
        for problem, found in {
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
            and (low is not None or high is not None),
            "max_hits needs min_hits as well": low is None and high is not None,
            "no number lies between min_hits and max_hits": low is not None
            and not 0 <= low <= (math.inf if high is None else high),
        }.items():
            if found:
                raise ValueError(f"web_search: {problem}")
        if self.backend is None:
            self.backend = LocalIndex(self.index_path or "")
        if not callable(getattr(self.backend, "search", None)):
            raise ValueError("web_search: 'backend' has no method 'search'")
        self.skip = frozenset(self.skip)
        # What the config says is not fitted, and not saved.
        self._fits = self.method == HITS and low is None

    def initialize(self, get_views: Callable[[], Iterable[View]], *, nlp: Any) -> None:
        """Fit the bounds of method `hits`, unless the config gives them."""
        if not self._fits:
            return
        rows: list[tuple[int | None, float, float]] = []
        for context, targets in get_views():
            search = self._searches(0)
            n_words = [count_words(context.doc, c) for c in context.spans]
            for phrase, mentions in find_entities(context, self.skip):
                hits = search(phrase).hits if phrase else None
                words = [n_words[i] for i in mentions]
                safe = float(numpy.dot(words, targets[mentions, COLUMN[NO_MASK]]))
                rows.append((hits, sum(words) - safe, safe))
        self.min_hits, self.max_hits = best_bounds(rows)

    def to_bytes(self) -> bytes:
        """The bounds that were fitted."""
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
            advice = "or train the pipeline on annotated documents to fit them"
            raise ValueError(f"web_search: set min_hits and max_hits, {advice}")
        search = self._searches(self.top if self.method == URLS else 0)
        votes: list[Vote | None] = [None] * len(context.spans)
        person = person_phrase(context) if self.method == URLS else ""
        failure = None
        for phrase, mentions in find_entities(context, self.skip):
            if not phrase:
                continue
            # A service that is down is asked no more for this document.
            if failure is None:
                try:
                    if self.method == URLS:
                        vote = self._judge_urls(phrase, person, search)
                    else:
                        vote = self._judge_hits(search(phrase).hits)
                except SearchError as error:
                    if self.on_error == RAISE:
                        raise
                    failure = str(error)
            if failure is not None:
                vote = _abstain(f"no vote, the search failed ({failure})")
            for i in mentions:
                votes[i] = vote
        return votes

    def _searches(self, top: int) -> Search:
        """Searches for one document, each made once, however its phrase is written."""
        known: dict[str, SearchResult] = {}

        def search(phrase: str) -> SearchResult:
            if (key := fold(phrase)) not in known:
                known[key] = self.backend.search(phrase, top)
            return known[key]

        return search

    def _judge_hits(self, hits: int) -> Vote:
        found = f"web search: found in {self._count(hits)}"
        low, high = self.min_hits or 0, self.max_hits
        if hits < low:
            return Vote(NO_MASK, 0.0, f"{found}, fewer than {low:,}")
        if high is None:
            return Vote(QUASI, 1.0, f"{found}, at least {low:,}")
        if hits > high:
            return Vote(NO_MASK, 0.0, f"{found}, more than {high:,}")
        return Vote(QUASI, 1.0, f"{found}, between {low:,} and {high:,}")

    def _judge_urls(self, phrase: str, person: str, search: Search) -> Vote:
        if not person:
            return _abstain("no vote, the document names no person to look for")
        if not (pages := set(map(page_key, search(person).urls))):
            reason = f"web search: no {self._unit} on the person was found"
            return Vote(NO_MASK, 0.0, reason)
        if not (urls := search(phrase).urls):
            return Vote(NO_MASK, 0.0, f"web search: found in no {self._unit}")
        shared = tuple(url for url in urls if page_key(url) in pages)
        # No address and no host: they may hold names.
        reason = f"web search: shares {len(shared) or 'none'} of "
        reason += f"{self._count(len(urls))} with the person"
        if not shared:
            return Vote(NO_MASK, 0.0, reason)
        return Vote(QUASI, 1.0, reason, shared)

    @property
    def _unit(self) -> str:
        return str(getattr(self.backend, "unit", "page"))

    def _count(self, n: int) -> str:
        return f"{n:,} {self._unit}{'' if n == 1 else 's'}"


def find_entities(
    context: SpanContext, skip: Iterable[str] = ()
) -> list[tuple[str, list[int]]]:
    """What is looked for of each entity of a document, in order of appearance, and its
    mentions."""
    doc, spans, _ = context
    skip, texts = set(skip), texts_of(doc, spans)
    out = []
    for mentions in entities_of(context):
        phrase = ""
        if not any({spans[i].label, spans[i].id} & skip for i in mentions):
            phrases = [clean_phrase(texts[i]) for i in mentions]
            phrase = max(phrases, key=len)
        out.append((phrase, mentions))
    return out


def person_phrase(context: SpanContext) -> str:
    """The name of the person to protect, as it is looked for."""
    doc, spans, entity_ids = context
    if (target := doc._.deid_target) is not None and not isinstance(target, str):
        problem = f"doc._.deid_target has to be a string, not {type(target).__name__}"
        raise ValueError(problem)
    if target and clean_phrase(target):
        return _spoken_name(target)
    mask = doc.spans.get(MASK_KEY, ())
    direct = {(s.start, s.end) for s in mask if s.label_ == DIRECT}
    names: dict[Any, list[str]] = {}
    rank: Counter[Any] = Counter()
    for c, entity, text in zip(spans, entity_ids, texts_of(doc, spans)):
        if c.label == "PERSON" and (name := _spoken_name(text)):
            names.setdefault(entity, []).append(name)
            is_direct = (c.start, c.end) in direct
            # More than all mentions together.
            rank[entity] += 1 + is_direct * (len(spans) + 1)
    if not names:
        return ""
    # The first of those mentioned equally often.
    best = max(names, key=lambda entity: rank[entity])
    return max(names[best], key=lambda name: (len(name.split()), len(name)))


def _spoken_name(text: str) -> str:
    """ "MURRAY, Dr Robert" as "Robert MURRAY"."""
    spoken = " ".join(text.split())
    # A title after the comma comes to the front the first time.
    for _ in range(2):
        name = split_name(spoken)
        spoken = f"{name.given} {name.middle} {name.family}".strip() or spoken
    return clean_phrase(spoken) or clean_phrase(text)


def _abstain(reason: str) -> Vote:
    return Vote(NO_MASK, 0.0, f"web search: {reason}", (), True)


def best_bounds(
    rows: Iterable[tuple[int | None, float, float]],
) -> tuple[int, int | None]:
    """Bounds on numbers of hits with the best F1 of tokens (paper 3, 5.5); of equally
    good ones those that mask more.

    rows (Iterable[Tuple[Optional[int], float, float]]): Of each entity its hits, and how
        many of its tokens are to be masked and are not.
    RAISES (ValueError): If nothing that is to be masked has hits.
    """
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
    # F1, tokens masked, and the bounds: the lower one less is more.
    best = (0.0, 0.0, 0, 0)
    for low in range(len(values)):
        hit, wrong = (upto[low + 1 :] - upto[low]).T
        f1 = 2 * hit / (hit + wrong + total) if total else hit
        top = float(f1.max())
        high = low + int(numpy.flatnonzero(f1 == top)[-1])
        best = max(best, (top, float((hit + wrong)[high - low]), -low, high))
    if best[0] <= 0.0:
        problem = "nothing that is to be masked in these documents can be looked for"
        raise ValueError(f"web_search: {problem}, so there are no bounds to fit")
    low, high = -best[2], best[3]
    # Numbers between two that were seen are masked.
    least = values[low - 1] + 1 if low else 0
    return least, values[high + 1] - 1 if high + 1 < len(values) else None
