"""What somebody finds who has the corpus alone, or texts about its people beside it."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

from ...text.folding import fold
from ...text.offsets import splice
from ..attacks import (
    NAME_LABELS,
    NEEDS_SKLEARN,
    Name,
    Release,
    Scorer,
    lexicon_scorer,
    measure,
    train_attacker,
)
from ..linkage import TfidfMatcher, measure_linkage
from ..missed import LEVEL, wilson
from .judge import Measure
from .released import Released, Replaced

# Documents that are looked at, and names that have to be in them.
DOCUMENTS, LEAST_NAMES = 60, 40
# So few different ones that were put back say nothing.
LEAST_ORIGINALS = 10
# Which part of its names the attacker leaves in to learn, and which is hidden for it.
_LEARN, _TEST = (0.2, 0.4), (0.05, 0.1)
_REPEATS = 3
_LONG_CODE = 6


def hide(
    released: Released,
    share: tuple[float, float],
    rng: random.Random,
    known: Collection[str] = (),
) -> Release:
    """A document with some of its originals back in their places, as if a detector had
    missed them: all mentions of an entity, or none; none of those that are known."""
    assert released.original is not None
    p = rng.uniform(*share)
    names = {_entity(released, row) for row in released.replaced if _is_name(row)}
    back = {name for name in sorted(names - {*known}) if rng.random() < p}
    edits: list[tuple[int, int, str]] = []
    found: list[Name] = []
    shift = 0
    for row in filter(_is_name, released.replaced):
        is_back = _entity(released, row) in back
        old = released.original[row.start : row.end]
        new = old if is_back else released.text[row.new_start : row.new_end]
        edits.append((row.new_start, row.new_end, new))
        start = row.new_start + shift
        if any(map(str.isupper, new)):
            found.append(Name(start, start + len(new), row.label, is_back))
        shift += len(new) - (row.new_end - row.new_start)
    return Release(splice(released.text, edits), found)


def _is_name(row: Replaced) -> bool:
    return row.label in NAME_LABELS


def _entity(released: Released, row: Replaced) -> str:
    assert released.original is not None
    return fold(released.original[row.start : row.end])


def _hides(released: Released) -> bool:
    """Whether names stand where names were, not marks."""
    names = filter(_is_name, released.replaced)
    texts = [released.text[row.new_start : row.new_end] for row in names]
    like = [t for t in texts if any(map(str.isupper, t)) and any(map(str.islower, t))]
    return 2 * len(like) > len(texts)


def measure_hiding(corpus: Sequence[Released], seed: int = 0) -> Measure:
    """The advantage of an attacker who tells names that were missed from surrogates: the
    better one of a list of all words that surrogates are made of and of a classifier that
    has learnt on half of the documents, tried on the other half."""
    usable = [r for r in corpus if r.original is not None and r.fits and _hides(r)]
    docs = usable[:DOCUMENTS]
    n = sum(map(_is_name, (row for r in docs for row in r.replaced)))
    if n < LEAST_NAMES:
        return Measure(of=f"too few surrogates of names ({n}): marks do not hide")
    try:
        releases, groups, scorer = _attacked(docs, random.Random(seed))
    except ImportError:
        return Measure(of=NEEDS_SKLEARN)
    except ValueError:
        return Measure(of="too few surrogates of names to learn from")
    back = ((r.text, n) for r in releases for n in r.names if n.original)
    different = {fold(text[name.start : name.end]) for text, name in back}
    if len(different) < LEAST_ORIGINALS:
        return Measure(of="too few names that stand in one document only")
    learnt = measure(releases, scorer, groups=groups)
    listed = measure(releases, lexicon_scorer(), 0.0, groups=groups)
    best = max((learnt, listed), key=lambda row: row["advantage"] or 0.0)
    low, high = (min(1.0, max(0.0, x)) for x in best["confidence"]["advantage"])
    of = f"{best['originals']} originals put back among {best['surrogates']} surrogates"
    return Measure(max(0.0, best["advantage"]), (low, high), of)


def _attacked(
    docs: Sequence[Released], rng: random.Random
) -> tuple[list[Release], list[int], Scorer]:
    """Documents with originals put back, the index of each one's document, and what a
    classifier says that has learnt on the half in which they are not."""
    releases, groups = [], []
    scorers: dict[int, Scorer] = {}
    for part in (0, 1):
        learn = [r for i, r in enumerate(docs) if i % 2 != part]
        # Who is named in both halves would be known by heart.
        known = {_entity(r, row) for r in learn for row in r.replaced}
        made = (hide(r, _LEARN, rng) for _ in range(_REPEATS) for r in learn)
        scorer = train_attacker(made)
        for i in range(part, len(docs), 2):
            for _ in range(_REPEATS):
                releases.append(hide(docs[i], _TEST, rng, known))
                groups.append(i)
                scorers[id(releases[-1])] = scorer
    return releases, groups, lambda r: scorers[id(r)](r)


def measure_linking(
    corpus: Sequence[Released], known: Mapping[str, str], level: float = LEVEL
) -> Measure:
    """How often the text about the person of a document comes first among all.

    known (Mapping[str, str]): What is known of people, by the ids of their documents.
    """
    if not (docs := [r for r in corpus if r.doc_id in known]):
        return Measure(of="no text of --known has the id of a document")
    try:
        scores = TfidfMatcher([*known.values()])([r.text for r in docs])
    except ImportError:
        return Measure(of=NEEDS_SKLEARN)
    places = {doc_id: i for i, doc_id in enumerate(known)}
    found = measure_linkage(scores, [places[r.doc_id] for r in docs], 0)
    low, high = wilson(found["top1"], len(docs), level)
    of = f"{len(docs)} documents among {len(known)} texts"
    return Measure(found["top1"], (low, high), of)


def measure_shared(corpus: Sequence[Released], earlier: Sequence[Released]) -> Measure:
    """Which part of the surrogates, full names and codes, stands in an earlier release."""
    own, others = surrogates_of(corpus), surrogates_of(earlier)
    if not own:
        return Measure(of="there are no surrogates of full names or codes")
    both = len(own & others)
    return Measure(both / len(own), None, f"{both} of {len(own)} names and codes")


def surrogates_of(corpus: Sequence[Released]) -> set[str]:
    """Surrogates that are the same by chance in no two releases: of persons in two words,
    of codes in as many characters as make them rare."""
    out = set()
    for released in corpus:
        for row in released.replaced:
            text = fold(released.text[row.new_start : row.new_end])
            person = row.label == "PERSON" and " " in text
            person = person and text.replace(" ", "").isalpha()
            code = row.label == "CODE" and len(text) >= _LONG_CODE
            if person or (code and any(map(str.isdigit, text))):
                out.add(text)
    return out
