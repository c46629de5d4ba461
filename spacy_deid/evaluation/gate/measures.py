"""All that a gate measures of a corpus beside its originals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from spacy.language import Language

from ..gold import GoldDocument
from ..privacy import PrivacyCounts
from .attack import measure_hiding, measure_linking, measure_shared
from .judge import Measure
from .known_keys import KnownKey, try_keys
from .policy import MEASURES, Policy
from .released import FEW_PEOPLE, Released
from .sample import Draw, measure_sample

# Ids that are listed.
LISTED = 100
NO_ORIGINAL = "without an original: give it with --originals, --gold or --audit"


Corpus = Sequence[Released]
Measures = dict[str, Measure]


@dataclass
class Evidence:
    """What the gate knows beside the corpus.

    gold (Mapping[str, GoldDocument]): What annotators have marked, by the ids of the
        corpus.
    draws (Mapping[str, Draw]): How those were drawn.
    detect (Callable): What detectors mark in texts.
    nlp, pseudonymizer: The pipeline that the corpus was made with.
    known (Mapping[str, str]): Texts about the people, by the ids of the corpus.
    utility (Optional[Callable]): Measures the task.
    """

    nlp: Language
    pseudonymizer: Any
    detect: Callable[[Sequence[str]], Iterable[GoldDocument]]
    keys: Sequence[KnownKey]
    strategy: str | None = None
    gold: Mapping[str, GoldDocument] = field(default_factory=dict)
    draws: Mapping[str, Draw] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    earlier: Sequence[Released] = ()
    utility: Callable[[Corpus], Measure] | None = None


def measure_corpus(corpus: Corpus, evidence: Evidence, policy: Policy) -> Measures:
    """Everything that a policy may ask for, as far as it can be measured; what takes
    long only if it is asked for.

    RETURNS (dict): Measures by the names that a policy calls them.
    """
    asked = {condition.measure for condition in policy.conditions}
    compared = [each for each in corpus if each.original is not None]
    out = _of_records(corpus)
    out |= _of_sample(corpus, evidence, policy.confidence)
    out |= _of_detectors(compared, evidence)
    survivors = [each for each in compared if any(True for _ in each.survivors())]
    out["documents in which a masked string survives"] = _listed(survivors, compared)
    slow: dict[str, tuple[Any, ...]] = {
        "published keys that give the same surrogates": (_of_keys, compared, evidence),
        "surrogates told from originals": (measure_hiding, compared),
    }
    if evidence.known:
        about = corpus, evidence.known, policy.confidence
        slow["people found by linkage"] = measure_linking, *about
    if evidence.earlier:
        both = corpus, evidence.earlier
        slow["surrogates shared with an earlier release"] = measure_shared, *both
    if evidence.utility is not None:
        slow["loss of utility in points"] = evidence.utility, compared
    out |= {name: make(*of) for name, (make, *of) in slow.items() if name in asked}
    for name, row in MEASURES.items():
        if row["option"]:
            out.setdefault(name, Measure(of=f"no {row['option']} was given"))
    return out


def _listed(found: Corpus, of: Corpus) -> Measure:
    """A number of documents, and which."""
    if not of:
        return Measure(of=NO_ORIGINAL)
    ids = tuple(each.doc_id for each in found[:LISTED])
    return Measure(len(found), None, f"of {len(of)} documents", ids)


def _share(found: Corpus, of: Corpus, what: str) -> Measure:
    """A share of documents, and which."""
    ids = tuple(each.doc_id for each in found[:LISTED])
    told = f"{len(found)} of {len(of)} documents{what}"
    return Measure(len(found) / len(of), None, told, ids)


def _of_records(corpus: Corpus) -> Measures:
    n = len(corpus)
    unknown = [each for each in corpus if each.original is None]
    compared = _listed(unknown, corpus)
    if unknown:
        compared = replace(compared, of=f"{compared.of}; {NO_ORIGINAL}")
    misfits = [each for each in corpus if not each.fits]
    people = [each for each in corpus if each.k_left is not None]
    few = [each for each in people if (each.k_left or 0) < FEW_PEOPLE]
    epsilons = [math.inf if each.epsilon is None else each.epsilon for each in corpus]
    bounded = f"not bounded in {sum(map(math.isinf, epsilons))} of {n} documents"
    told = Measure(of="no record has k: the pipeline does not count people")
    if people:
        told = _share(few, people, f"; few: below {FEW_PEOPLE}")
    return {
        "documents that could not be compared": compared,
        "documents that do not fit their records": _listed(misfits, corpus),
        "documents in which few people share what is left": told,
        "largest epsilon of a token": Measure(max(epsilons), None, bounded),
    }


def detection_metrics(
    corpus: Corpus, evidence: Evidence, level: float
) -> dict[str, Any]:
    """The metrics of `spacy deid evaluate` of the annotated documents."""
    counts = PrivacyCounts()
    for each in corpus:
        if each.doc_id in evidence.gold:
            counts.docs += each.count(evidence.gold[each.doc_id]).docs
    if not counts.docs:
        return {}
    values, edges = counts.metrics(), counts.confidence(level=level)
    names = ("per_type", "counts", "weighted_precision")
    told = [name for name in values if name not in names]
    return {name: {"value": values[name], "interval": edges[name]} for name in told}


def _of_sample(corpus: Corpus, evidence: Evidence, level: float) -> Measures:
    read = [each for each in corpus if each.doc_id in evidence.gold]
    counts = [each.count(evidence.gold[each.doc_id]).docs[0] for each in read]
    alike = Draw("", len(corpus), len(read) / max(1, len(corpus)))
    draws = [evidence.draws.get(each.doc_id, alike) for each in read]
    return measure_sample(counts, draws, len(corpus), level)


def _of_detectors(compared: Corpus, evidence: Evidence) -> Measures:
    """What is left of what annotators marked or, where nobody read, of what detectors
    find."""
    unread = [each for each in compared if each.doc_id not in evidence.gold]
    marked = dict(evidence.gold)
    found = evidence.detect([each.original or "" for each in unread])
    marked |= {each.doc_id: gold for each, gold in zip(unread, found, strict=True)}
    left, unmasked = [], []
    for each in compared:
        counts = each.count(marked[each.doc_id]).docs[0]
        if counts["tokens"] and not counts["tokens_masked"]:
            unmasked.append(each)
        if counts["direct"] > counts["direct_masked"] and each in unread:
            left.append(each)
    share = Measure(of=NO_ORIGINAL)
    if unread:
        share = _share(left, unread, " that nobody read")
    elif compared:
        share = Measure(0.0, None, "annotators have read every document")
    return {
        "documents left unmasked": _listed(unmasked, compared),
        "documents with a detected direct identifier left": share,
    }


def _of_keys(compared: Corpus, evidence: Evidence) -> Measure:
    if not compared:
        return Measure(of=NO_ORIGINAL)
    tools = evidence.nlp, evidence.pseudonymizer
    keys, n = try_keys(*tools, compared, evidence.keys, evidence.strategy)
    tried = f"{len(evidence.keys)} keys tried on {n} surrogates"
    if not n:
        return Measure(of="no surrogate of which the original is known")
    where = "; ".join(key.where for key in keys)
    of = f"{tried}; the key is to be read in: {where}" if keys else tried
    return Measure(len(keys), None, of)
