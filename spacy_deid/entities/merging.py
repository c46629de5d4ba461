"""Merging the candidates of several detectors into one layer."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import compress, groupby

from spacy.tokens import Doc
from spacy.util import filter_spans

from ..gazetteers.lexicon import is_listed_name, is_vocabulary
from ..registries import registry
from ..schema import PII_KEY, Candidate, get_candidates, set_group, texts_of
from ..text.calendars import units
from ..text.fields import cut_at_fields, declared_in
from ..text.names import JOINS
from ..text.offsets import overlapping
from .linking import Linker
from .listed import allowed_in, cut
from .propagation import Propagator
from .trimming import is_provision, is_title, titles_around

# Pure functions: the same input gives the same output, nothing is changed.
MergePolicy = Callable[[Doc, Sequence[Candidate]], list[Candidate]]

DEFAULT_PRIORITY = ("user", "pattern", "ner", "term", "propagation")
# A recognizer's span below this probability doesn't move the borders of a pattern's hit.
DOUBTFUL = 0.5
# Subtypes of times with an end: "two years" may go on with "back".
_POINTS = ("DATE", "TIME")
# Types that are told apart by what is named, not by its form.
NAMED = frozenset(("PERSON", "ORG", "LOC", "DEM", "MISC"))
# Of which type hits of patterns within a recognizer's span of another take it apart.
_INSIDE = {"PERSON": "CODE", "ORG": "PERSON", "MISC": "PERSON"}
_BETWEEN = JOINS.union(",;/|&")


@registry.misc("spacy_deid.merge_spans.v1")
def make_merge_spans(priority: Sequence[str] = DEFAULT_PRIORITY) -> MergePolicy:
    """The longest span wins, then the higher-priority detector, then the score.

    What a losing span covers beyond the winners stays as a shorter span if it has
    letters or digits of its own: a name half inside a winner never leaks.

    priority (Sequence[str]): Detectors (the part of a candidate's source before the
        colon), highest first. Spans without a source count as the first; unknown
        detectors come last.
    RETURNS (Callable): Function of a Doc and candidates in any order, overlapping or
        not, giving candidates that do not overlap, in document order.
    """
    # A partial of a module's function pickles; a closure would not.
    return partial(_merge_spans, ranks={name: i for i, name in enumerate(priority)})


def _merge_spans(
    doc: Doc, candidates: Sequence[Candidate], *, ranks: Mapping[str, int]
) -> list[Candidate]:
    """See `make_merge_spans`; `ranks` has the highest priority first."""
    rank: dict[str, float] = {"": 0}
    before_ner = ranks.get("ner", len(ranks)) - 0.5
    guesses = (c for c in candidates if c.label == "DEM" and c.source[:4] == "ner:")
    facts = {c[:2] for c in guesses}

    def precedence(c: Candidate) -> tuple:
        source = c.source
        if source not in rank:
            rank[source] = ranks.get(source.partition(":")[0], len(ranks))
        order = rank[source]
        if c.id == "NATIONALITY" and _is_people(doc, c) and c[:2] not in facts:
            order = min(order, before_ner)
        return c.start - c.end, order, -c.score, c

    kept: list[Candidate] = []
    for group in overlapping(sorted(set(candidates))):
        if all(c.start == group[0].start and c.end == group[0].end for c in group):
            # Most groups: one span, found once or several times.
            kept.append(min(group, key=precedence) if len(group) > 1 else group[0])
            continue
        taken: set[int] = set()
        for c in sorted(_taken_apart(doc, group), key=precedence):
            own = range(c.start, c.end)
            kept += [c] if taken.isdisjoint(own) else _remainders(doc, c, taken)
            taken.update(own)
    return sorted(kept)


def fold_into_pii(
    doc: Doc,
    key: str,
    merge: MergePolicy,
    link: Linker | None = None,
    propagate: Propagator | None = None,
    candidates: Sequence[Candidate] | None = None,
) -> None:
    """Fold the span group `key` of the detector that just ran into `doc.spans["pii"]`.

    doc (Doc): The document; its `pii` group is replaced.
    key (str): The detector's span group.
    merge (Callable): Merge policy.
    link (Callable): Gives each merged span its entity number; each span is an
        entity of its own without.
    propagate (Callable): Gives further mentions of the merged spans' entities.
    candidates (Sequence[Candidate]): Folded instead of the group, whose labels are
        then those of another scheme.
    """
    if candidates is None:
        candidates = get_candidates(doc, key)
    found = [*get_candidates(doc, PII_KEY), *candidates, *declared_in(doc)]
    merged = merge(doc, cut_at_fields(doc, found))
    further = propagate(doc, merged) if propagate is not None else []
    if further:
        merged = merge(doc, cut_at_fields(doc, [*merged, *further]))
    if allowed := allowed_in(doc):
        merged = [
            c._replace(start=a, end=b) for c in merged for a, b in cut(doc, c, allowed)
        ]
    if link is None:
        entity_ids = list(range(len(merged)))
    else:
        entity_ids = link(doc, merged)
        merged = one_type(doc, merged, entity_ids)
    merged = [_without_titles(doc, c) if c.label == "PERSON" else c for c in merged]
    names = {c.start for c in merged if c.label == "PERSON"}
    kept = [not _is_nothing(doc, c, c.end in names) for c in merged]
    entity_ids = [*compress(entity_ids, kept)]
    set_group(doc, PII_KEY, [*compress(merged, kept)], entity_ids=entity_ids)


def _is_nothing(doc: Doc, c: Candidate, named: bool) -> bool:
    """Whether what a recognizer found is only a title before a name, or what is left of a
    doubtful date a number of a provision: "§§ 22-23, 4 August"."""
    if c.source.startswith("user"):
        return False
    words = _words(doc, c)
    title = named and c.label == "DEM" and all(map(is_title, words))
    return title or (c.score < DOUBTFUL and is_provision(doc, c.start, words))


def _without_titles(doc: Doc, c: Candidate) -> Candidate:
    """A name without the titles around it, which linking has read."""
    if c.end - c.start < 2 or c.source.startswith("user"):
        return c
    before, behind = titles_around(_words(doc, c))
    return c._replace(start=c.start + before, end=c.end - behind)


def one_type(
    doc: Doc, candidates: Sequence[Candidate], entity_ids: Sequence[int]
) -> list[Candidate]:
    """Give the mentions of one entity that a recognizer found the type for which there is
    most evidence. What patterns and lists found keeps its type.

    Evidence is the sum over the entity's forms of the mean scores of their mentions: that
    a lone "Ford" is taken for a firm, time and again, outweighs no "Gerald Ford".

    RETURNS (List[Candidate]): In the same order, with the same borders.
    """
    forms = [*zip(entity_ids, map(str.lower, texts_of(doc, candidates)))]
    counts = Counter(forms)
    evidence: dict[int, dict[str, float]] = {}
    for c, form in zip(candidates, forms):
        scores = evidence.setdefault(form[0], {})
        scores[c.label] = scores.get(c.label, 0.0) + c.score / counts[form]
    best = {e: max(s, key=s.__getitem__) for e, s in evidence.items() if len(s) > 1}
    out = []
    for c, entity in zip(candidates, entity_ids):
        label = best.get(entity, c.label)
        guessed = c.source.partition(":")[0] in ("ner", "propagation")
        changes = guessed and label != c.label and {c.label, label} <= NAMED
        out.append(c._replace(label=label, id="") if changes else c)
    return out


def write_ents(doc: Doc) -> None:
    """Write `doc.spans["pii"]` to `doc.ents`, the longest of spans that overlap; other
    entities that were there are gone."""
    doc.ents = filter_spans(doc.spans[PII_KEY])


def _taken_apart(doc: Doc, candidates: list[Candidate]) -> list[Candidate]:
    """Sorted candidates, but two kinds of them in parts: lists of codes or dates, that is,
    several hits of patterns of their type, or of any where the recognizer doubts its own,
    with nothing but separators between them, each of which is an entity; doubtful
    spans of a recognizer that join a likelier hit of their type with other numbers, which
    stay by themselves, or a code with words; and people's names around codes, for no
    name holds one, and names of other kinds around people that a pattern tells: a case
    is called after its party."""
    hits: dict[str, list[Candidate]] = {}
    for c in candidates:
        if c.source.startswith("pattern:"):
            for label in (c.label, ""):
                hits.setdefault(label, []).append(c)
    return [part for c in candidates for part in _parts(doc, c, hits)]


def _parts(
    doc: Doc, c: Candidate, hits: Mapping[str, list[Candidate]]
) -> list[Candidate]:
    if c.source.startswith("user"):
        return [c]
    own, any_ = (_inner(c, hits.get(label, [])) for label in (c.label, ""))
    guessed = c.source.startswith("ner:")
    inside = [h for h in any_ if h.label == _INSIDE.get(c.label)]
    if inside and guessed:
        return _remainders(doc, c, _tokens(inside))
    doubtful = guessed and c.score < DOUBTFUL
    if doubtful and own and own[-1].id in _POINTS:
        c = _until_last(doc, c, own[-1])
    if _is_list(doc, c, any_ if doubtful else own):
        return []
    left = _around_likelier(doc, c, own)
    return [c] if left is None else left


def _until_last(doc: Doc, c: Candidate, last: Candidate) -> Candidate:
    """A date without the words in small letters that a recognizer hangs behind the last one
    that a pattern reads ("states" of "1 March 1993 states"), unless one is of a time."""
    rest = [token.text for token in doc[last.end : c.end]]
    words = all(text.isalpha() and text.islower() for text in rest)
    timeless = units("").keys().isdisjoint(rest)
    return c._replace(end=last.end) if words and timeless else c


def _is_list(doc: Doc, c: Candidate, found: list[Candidate]) -> bool:
    """Whether a candidate is several hits with nothing but separators between them."""
    taken = _tokens(found)
    free = (token for token in doc[c.start : c.end] if token.i not in taken)
    return len(found) > 1 and all(t.is_space or t.lower_ in _BETWEEN for t in free)


def _tokens(found: Iterable[Candidate]) -> set[int]:
    return {i for c in found for i in range(c.start, c.end)}


def _around_likelier(
    doc: Doc, c: Candidate, found: list[Candidate]
) -> list[Candidate] | None:
    """What is left of a doubtful span of a recognizer around likelier hits: other numbers,
    and of a code all but words of the vocabulary; None where it stays whole."""
    is_code = c.label == "CODE"
    scores = [h.score for h in found if is_code or _has_digit(doc, h)]
    taken = _tokens(found)
    likelier = scores and c.score < min(DOUBTFUL, *scores)
    free = len(taken) < c.end - c.start
    if not (free and likelier and c.source.startswith("ner:")):
        return None
    rests = _remainders(doc, c, taken)
    left = [r for r in rests if _has_digit(doc, r) or (is_code and _is_odd(doc, r))]
    return left if left or is_code else None


def _words(doc: Doc, c: Candidate) -> list[str]:
    return [token.text for token in doc[c.start : c.end]]


def _is_people(doc: Doc, c: Candidate) -> bool:
    """Whether nobody has the name of a people: "Iraqis", not "French"."""
    return not any(is_listed_name(x.lower_, doc.lang_) for x in doc[c.start : c.end])


def _is_odd(doc: Doc, c: Candidate) -> bool:
    """Whether a candidate is more than words of the vocabulary."""
    return not all(is_vocabulary(t.lower_, doc.lang_) for t in doc[c.start : c.end])


def _inner(c: Candidate, hits: list[Candidate]) -> list[Candidate]:
    """The hits of patterns within a candidate that is none; none overlaps another."""
    found: list[Candidate] = []
    if c.source.startswith("pattern:"):
        return found
    for i in range(bisect.bisect_left(hits, (c.start,)), len(hits)):
        hit = hits[i]
        if hit.start >= c.end:
            break
        if hit.end <= c.end and (not found or hit.start >= found[-1].end):
            found.append(hit)
    return found


def _has_digit(doc: Doc, c: Candidate) -> bool:
    return any(ch.isdigit() for token in doc[c.start : c.end] for ch in token.text)


def _remainders(doc: Doc, c: Candidate, taken: set[int]) -> list[Candidate]:
    """What some tokens leave of a candidate, trimmed to tokens worth masking."""
    out = []
    for free, run in groupby(doc[c.start : c.end], lambda token: token.i not in taken):
        words = (t for t in run if free and any(map(str.isalnum, t.text)))
        if content := [t.i for t in words if not t.is_stop]:
            out.append(c._replace(start=content[0], end=content[-1] + 1))
    return out
