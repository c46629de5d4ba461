"""Attribute inference: what a trained classifier tells of a person from a released text.

Whoever holds labelled texts of the same kind, released in the same way, learns which words
go with which value, and reads the value off a text that no longer says it (Staab et al.
2024, "Beyond Memorization", for language models; here a linear classifier).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy

from spacy_deid.evaluation.attacks import NEEDS_SKLEARN
from spacy_deid.evaluation.bootstrap import interval, resample


def measure_inference(
    texts: Sequence[str],
    values: Sequence[str],
    folds: int = 5,
    bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """How often the value of a text is told by a classifier that was trained on the other
    folds: logistic regression over TF-IDF of words and pairs of words.

    texts (Sequence[str]): Released texts, and `values` of the persons they are about;
        each value at least twice.
    RETURNS (dict): `texts` and `values`, their numbers; `accuracy`, share that is told;
        `majority`, what always naming the commonest value gives; `advantage`, the
        difference; `confidence`, [low, high] of accuracy and advantage.
    RAISES (ValueError): If there are fewer than two values, or texts than folds.
    RAISES (ImportError): If scikit-learn is not installed.
    """
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
        from sklearn.pipeline import make_pipeline
    except ImportError as error:
        raise ImportError(NEEDS_SKLEARN) from error
    counts = Counter(values)
    if len(texts) != len(values) or len(counts) < 2 or min(counts.values()) < 2:
        raise ValueError("two values and more are needed, of two texts each at least")
    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, strip_accents="unicode"),
        LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000),
    )
    split = StratifiedKFold(
        min(folds, *counts.values()), shuffle=True, random_state=seed
    )
    told = cross_val_predict(model, list(texts), list(values), cv=split)
    common = counts.most_common(1)[0][0]
    right = numpy.asarray([a == b for a, b in zip(told, values)], dtype="float64")
    guessed = numpy.asarray([value == common for value in values], dtype="float64")
    columns = {"accuracy": right, "advantage": right - guessed}
    means = resample(numpy.column_stack([*columns.values()]), bootstrap, seed)
    return {
        "texts": len(texts),
        "values": len(counts),
        "accuracy": float(right.mean()),
        "majority": float(guessed.mean()),
        "advantage": float((right - guessed).mean()),
        "confidence": {
            name: interval(row) for name, row in zip(columns, means.T / len(texts))
        },
    }
