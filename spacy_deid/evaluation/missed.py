"""What a pipeline misses in a corpus, estimated from a sample that people have read.

Reviewed documents are gold documents (JSON lines) with two fields more: `masked`, the
character spans [start, end] that were masked, and `review`: how the document was drawn
(`page` and `document` of it, `by`, `drawn` in all, `stratum` and its `population`,
`probability` of the draw).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import hypot, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

from ..corpora.files import CorpusError
from ..corpora.readers import place, read_records
from ..corpora.report import KINDS, Report
from .gold import GoldDocument, read_mentions
from .privacy import PrivacyCounts

IDENTIFIERS = ("direct", "quasi")
LEVEL = 0.95


class Read(NamedTuple):
    """A document that was read: how many entities of each kind it has and how many of
    them were missed, the stratum it was drawn from and with which probability, how many
    documents the stratum has, and how many were drawn in all."""

    entities: dict[str, int]
    missed: dict[str, int]
    stratum: str = ""
    probability: float = 1.0
    population: int = 1
    drawn: int = 1
    by: str = "all"


def read_reviewed(path: Path) -> list[Read]:
    """Documents of an exported review; those that are not done are left out.

    RAISES (ValueError): For a record that is none of a review, or has a broken mention;
        for documents of several pages, or one that was reviewed twice.
    """
    counts, draws = PrivacyCounts(), []
    pages: set[str] = set()
    numbers: set[int] = set()
    for record in read_records(path):
        where = f"{path}: document {place(record)['doc_id']}"
        review, masked = record.get("review"), record.get("masked")
        if not isinstance(review, dict) or not isinstance(masked, list):
            raise CorpusError(f"{where} is of no review page's export")
        if not review.get("done"):
            continue
        report = Report()
        mentions = list(read_mentions(record, report, None))
        if broken := [issue for issue in report.issues if KINDS[issue.kind].loss]:
            raise CorpusError(f"{broken[0]}: {KINDS[broken[0].kind].text}")
        try:
            counts.add(GoldDocument(record["text"], [mentions]), masked)
            draws.append({name: kind(review[name]) for name, kind in _DRAW.items()})
            page, number = str(review["page"]), int(review["document"])
        except (KeyError, TypeError, ValueError, IndexError):
            problem = "how it was drawn, or what was masked, cannot be read"
            raise CorpusError(f"{where}: {problem}") from None
        pages.add(page)
        if number in numbers or len(pages) > 1:
            raise CorpusError(f"{where} is there twice, or of another page")
        numbers.add(number)
    return [
        Read(
            {kind: doc[kind] for kind in IDENTIFIERS},
            {kind: doc[kind] - doc[f"{kind}_masked"] for kind in IDENTIFIERS},
            **draw,
        )
        for doc, draw in zip(counts.docs, draws)
    ]


def _chance(value: Any) -> float:
    if not 0 < float(value) <= 1:
        raise ValueError("no probability of a draw")
    return float(value)


# Of a draw, what an estimate needs.
_DRAW: dict[str, Callable[[Any], Any]] = {
    "by": str,
    "drawn": int,
    "stratum": str,
    "population": int,
    "probability": _chance,
}


def estimate(docs: Sequence[Read], level: float = LEVEL) -> dict[str, Any]:
    """Missed direct and quasi identifiers of the corpus that documents were drawn from.

    An entity is missed unless all its mentions are masked, as in `PrivacyCounts`.

    docs (Sequence[Read]): The documents that were read.
    level (float): Of the confidence intervals.
    RETURNS (dict): `documents` read, `drawn`, `population`, `by`, `complete` (whether all
        that were drawn were read: else the readers' choice may mislead), `level`; and for
        `direct` and `quasi`: `entities` and `missed` in the documents read, `share` missed
        of all with `interval`, `per_document` missed with `per_document_interval`, and `documents_share` with a miss and
        `documents_interval`. None where nothing can be said.
    """
    weights = weigh(docs)
    strata = {doc.stratum: doc.population for doc in docs}
    return {
        "documents": len(docs),
        "drawn": docs[0].drawn if docs else 0,
        "population": sum(strata.values()),
        "by": docs[0].by if docs else None,
        "complete": bool(docs) and len(docs) == docs[0].drawn,
        "level": level,
        **{kind: _of_kind(docs, weights, kind, level) for kind in IDENTIFIERS},
    }


def _of_kind(
    docs: Sequence[Read], weights: Sequence[float], kind: str, level: float
) -> dict[str, Any]:
    entities = [doc.entities[kind] for doc in docs]
    missed = [doc.missed[kind] for doc in docs]
    strata = [doc.stratum for doc in docs]
    share, edges = ratio(missed, entities, weights, strata, level)
    ones, some = [1] * len(docs), [min(n, 1) for n in missed]
    docs_share, docs_edges = ratio(some, ones, weights, strata, level)
    per_document = _per_document(share, edges, entities, weights, strata, level)
    value, value_edges = per_document or (None, None)
    out: dict[str, Any] = {"entities": sum(entities), "missed": sum(missed)}
    out |= {"share": share, "interval": edges}
    out |= {"per_document": value, "per_document_interval": value_edges}
    return out | {"documents_share": docs_share, "documents_interval": docs_edges}


def weigh(docs: Iterable[Any]) -> list[float]:
    """For how many documents each stands: the inverse of its probability, scaled so that
    those of a stratum stand for all of it, however many of them were read.

    docs (Iterable): With `stratum`, `population` and `probability`, as `Read` has them.
    """
    docs = list(docs)
    sums: Counter[str] = Counter()
    for doc in docs:
        sums[doc.stratum] += 1 / doc.probability  # type: ignore[assignment]
    return [doc.population / doc.probability / sums[doc.stratum] for doc in docs]


def ratio(
    part: Sequence[float],
    whole: Sequence[float],
    weights: Sequence[float],
    strata: Sequence[str],
    level: float = LEVEL,
) -> tuple[float | None, list[float] | None]:
    """A share of a population of documents and its confidence interval.

    The ratio of weighted sums with the variance of its Taylor linearization, documents
    being what was drawn, for unequal probabilities in Hájek's approximation (Särndal,
    Swensson and Wretman, Model Assisted Survey Sampling, 1992, 5.6 and 7.2; Brewer and
    Donadio, Survey Methodology 29, 2003). The interval is Wilson's for the number of
    independent cases that have this variance (Dean and Pagano, Journal of Survey
    Statistics and Methodology 3, 2015). Where little was missed such a variance says
    little, nothing where nothing was: it is that of the sample and one more document,
    in which all is missed (nothing, if most is).

    part (Sequence[float]): Of each document, at most its `whole`.
    weights (Sequence[float]): For how many documents each stands.
    strata (Sequence[str]): What each was drawn from.
    RETURNS (tuple): The share and low and high, None where `whole` is nothing.
    """
    if not (total := sum(w * x for w, x in zip(weights, whole))):
        return None, None
    share = sum(w * y for w, y in zip(weights, part)) / total
    n = sum(1 for x in whole if x)
    residuals = [y - share * x for y, x in zip(part, whole)]
    variance = _variance(residuals, weights, strata) / total**2
    if (unread := 1 - len(weights) / sum(weights)) <= 0:
        return share, [share, share]
    other = share < 0.5
    variance += unread * ((other - share) / n) ** 2
    plus = (share * n + other) / (n + 1)
    # No more than if each identifier had been drawn by itself.
    cases = min(plus * (1 - plus) / variance, sum(whole) / unread)
    return share, wilson(share, cases, level)


def _per_document(
    share: float | None,
    edges: list[float] | None,
    whole: Sequence[float],
    weights: Sequence[float],
    strata: Sequence[str],
    level: float,
) -> tuple[float, list[float]] | None:
    """A share as a number a document, with an interval recovered from those of the share
    and of the mean of the whole (Zou and Donner, Statistics in Medicine 27, 2008)."""
    if share is None or edges is None:
        return None
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, whole)) / total
    spread = _variance([x - mean for x in whole], weights, strata) / total**2
    around = NormalDist().inv_cdf((1 + level) / 2) * sqrt(spread) * share
    low, high = (hypot((edge - share) * mean, around) for edge in edges)
    return share * mean, [max(0.0, share * mean - low), share * mean + high]


def _variance(
    values: Sequence[float], weights: Sequence[float], strata: Sequence[str]
) -> float:
    """Of a weighted sum of values of what was drawn."""
    rows: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for value, w, stratum in zip(values, weights, strata):
        # What stands for itself alone adds no uncertainty.
        rows[stratum].append((w * value, max(0.0, 1 - 1 / w)))
    return sum(map(_spread, rows.values()))


def _spread(rows: list[tuple[float, float]]) -> float:
    n = len(rows)
    # A stratum with one document has no spread to see: its own size stands for it.
    mean = sum(value for value, _ in rows) / n if n > 1 else 0.0
    squares = sum(left * (value - mean) ** 2 for value, left in rows)
    return squares * n / max(n - 1, 1)


def wilson(share: float, n: float, level: float = LEVEL) -> list[float]:
    """The score interval of a share of n independent cases (Wilson 1927)."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return [max(0.0, middle - half), min(1.0, middle + half)]
