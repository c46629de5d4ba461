"""Re-identification by linkage: de-identified texts matched with texts that name their
subject, by what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from .attacks import NEEDS_SKLEARN
from .bootstrap import interval, resample

# A rank up to each of these is a hit.
TOP = (1, 10)


class TfidfMatcher:
    """Similarity of texts to known ones by TF-IDF of words and of parts of words.

    A score is the mean of two cosines: of words and pairs of words, and of runs of three
    to five characters inside words, which spellings and parts of names share. Weights
    come from the known texts alone.

    known (Sequence[str]): What is known of each candidate.
    RAISES (ValueError): If there are no words in them.
    RAISES (ImportError): If scikit-learn is not installed.
    """

    def __init__(self, known: Sequence[str]) -> None:
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
        except ImportError as error:
            raise ImportError(NEEDS_SKLEARN) from error
        self._parts = []
        for settings in (
            {"analyzer": "word", "ngram_range": (1, 2), "stop_words": "english"},
            {"analyzer": "char_wb", "ngram_range": (3, 5)},
        ):
            more = {"sublinear_tf": True, "strip_accents": "unicode", **settings}
            vectorizer = TfidfVectorizer(**more)
            self._parts.append((vectorizer, vectorizer.fit_transform(known)))

    def __call__(self, texts: Sequence[str]) -> numpy.ndarray:
        """Similarities."""
        scores = [(v.transform(texts) @ known.T).toarray() for v, known in self._parts]
        return numpy.mean(scores, axis=0)


def measure_linkage(
    scores: numpy.ndarray, answers: Sequence[int], bootstrap: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """How often a text is linked to whom it is about.

    Candidates with equal scores are taken in random order: expected values are given.

    scores (ndarray): Higher for likelier candidates, shape (texts, candidates).
    RETURNS (dict): `texts` and `candidates`, their numbers; `top1`, `top10`, shares of
        texts whose right candidate is among the first; `mrr`, mean of 1 / rank;
        `confidence`, [low, high] of each.
    RAISES (ValueError): If there is not one answer a text.
    """
    scores = numpy.asarray(scores, dtype="float64")
    n, n_candidates = scores.shape
    if len(answers) != n:
        raise ValueError(f"{len(answers)} answers for {n} texts")
    right = scores[numpy.arange(n), list(answers)][:, None]
    above = (scores > right).sum(axis=1)
    equal = (scores == right).sum(axis=1)  # the right one is among them
    harmonic = _harmonic(n_candidates)
    columns = {f"top{k}": numpy.clip((k - above) / equal, 0.0, 1.0) for k in TOP}
    columns["mrr"] = (harmonic[above + equal] - harmonic[above]) / equal
    out: dict[str, Any] = {"texts": n, "candidates": n_candidates}
    out.update({key: float(v.mean()) if n else None for key, v in columns.items()})
    if bootstrap and n:
        means = resample(numpy.column_stack([*columns.values()]), bootstrap, seed) / n
        out["confidence"] = {k: interval(v) for k, v in zip(columns, means.T)}
    return out


def chance(n_candidates: int) -> dict[str, float]:
    """Expected `top1`, `top10` and `mrr` of a random order."""
    out = {f"top{k}": min(1.0, k / n_candidates) for k in TOP}
    return {**out, "mrr": float(_harmonic(n_candidates)[-1] / n_candidates)}


def _harmonic(n: int) -> numpy.ndarray:
    """Harmonic numbers 0 to n."""
    return numpy.concatenate([[0.0], numpy.cumsum(1.0 / numpy.arange(1, n + 1))])
