"""Merging candidates into one layer, linking mentions of one entity, propagation.

`fold` is what every detector calls after writing its own span group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spacy.tokens import Doc

from .registries import registry
from .schema import PII_KEY, Candidate, get_candidates, set_group

# Pure functions: the same input gives the same output, nothing is changed.
MergePolicy = Callable[[Doc, Sequence[Candidate]], list[Candidate]]
Linker = Callable[[Doc, Sequence[Candidate]], list[int]]
Propagator = Callable[[Doc, Sequence[Candidate]], list[Candidate]]

DEFAULT_PRIORITY = ("user", "pattern", "ner", "term", "propagation")


@registry.misc("spacy_deid.merge_spans.v1")
def make_merge_spans(priority: Sequence[str] = DEFAULT_PRIORITY) -> MergePolicy:
    """The longest span wins, then the higher-priority detector, then the score.

    What a losing span covers beyond the winners stays as a shorter span if it has
    letters or digits of its own: a name half inside a winner never leaks.

    priority (Sequence[str]): Detectors (the part of a candidate's source before the
        colon), highest first. Spans without a source count as the first; unknown
        detectors come last.
    RETURNS (Callable): Function of a Doc and candidates, giving candidates that do
        not overlap, in document order.
    """
    ranks = {name: i for i, name in enumerate(priority)}

    def key(c: Candidate) -> tuple:
        rank = ranks.get(c.source.partition(":")[0], len(ranks)) if c.source else 0
        return (c.start - c.end, rank, -c.score, c.start, c.label, c.id, c.source)

    def merge_spans(doc: Doc, candidates: Sequence[Candidate]) -> list[Candidate]:
        taken: set[int] = set()
        kept: list[Candidate] = []
        for c in sorted(set(candidates), key=key):
            free = [i for i in range(c.start, c.end) if i not in taken]
            if not free:
                continue
            if len(free) == c.end - c.start:
                kept.append(c)
            else:
                kept.extend(_remainders(doc, c, free))
            taken.update(free)
        return sorted(kept)

    return merge_spans


def _remainders(doc: Doc, c: Candidate, free: list[int]) -> list[Candidate]:
    """Runs of a candidate's free tokens, trimmed to tokens worth masking."""
    runs: list[list[int]] = [[free[0]]]
    for i in free[1:]:
        if i == runs[-1][-1] + 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    out = []
    for run in runs:
        content = [
            i for i in run if not doc[i].is_stop and any(ch.isalnum() for ch in doc[i].text)
        ]
        if content:
            out.append(c._replace(start=content[0], end=content[-1] + 1))
    return out


def fold(
    doc: Doc,
    key: str,
    merge: MergePolicy,
    link: Linker | None = None,
    propagate: Propagator | None = None,
) -> None:
    """Fold the span group `key` into `doc.spans["pii"]`.

    doc (Doc): The document; its `pii` group is replaced.
    key (str): Span group of the detector that just ran.
    merge (Callable): Merge policy.
    link (Callable): Gives each merged span its entity number; each span is an
        entity of its own without.
    propagate (Callable): Gives further mentions of the merged spans' entities.
    """
    merged = merge(doc, [*get_candidates(doc, PII_KEY), *get_candidates(doc, key)])
    if propagate is not None:
        further = propagate(doc, merged)
        if further:
            merged = merge(doc, [*merged, *further])
    entity_ids = link(doc, merged) if link is not None else list(range(len(merged)))
    set_group(doc, PII_KEY, merged, entity_ids=entity_ids)
