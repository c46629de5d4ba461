"""Fit the evidence for terms on annotated documents.

    python benchmarks/fit_evidence.py FILE.gaz OUT.json GOLD.jsonl...

Needs scikit-learn. A match is right if it shares a character with a marked mention of a
kind that gazetteers are for (`KINDS`). Those on a mention of another kind only, or on
one that is far longer (a quoted sentence), are left aside: they say nothing about the
term. Each corpus has a bias of its own, as annotators mark more or less; the mean is
kept. Prints precision and recall of the matches by threshold, each document judged by
weights fitted on the others (ten folds).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from spacy_deid.gazetteers.compiled import Evidence, Found, Gazetteer
from spacy_deid.gazetteers.evidence import Features, features
from spacy_deid.text.words import Words

KINDS = ("DEM", "MISC")
LONGEST = 60  # characters
FOLDS = 10
# A name in lower case ("polish"), in a text with capitals, is too rare in the corpora for
# a weight: at most this.
PRIORS = {"proper_lower": -2.5}
THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
Corpora = Mapping[str, Iterable[dict[str, Any]]]
# For each corpus, whether its matches are right and how probable they are.
Results = dict[str, tuple[list[bool], list[float]]]


def judge(
    gazetteer: Gazetteer, documents: Iterable[dict[str, Any]]
) -> Iterator[tuple[int, Words, Found, bool]]:
    """All matches of a gazetteer in annotated documents."""
    for number, document in enumerate(documents):
        words = Words(document["text"])
        marked: set[int] = set()
        others: set[int] = set()
        for mention in document["entity_mentions"]:
            start, end = mention["start_offset"], mention["end_offset"]
            fits = mention["entity_type"] in KINDS and end - start <= LONGEST
            (marked if fits else others).update(range(start, end))
        for found in gazetteer.find(words):
            if words.run(found.i, found.n) < found.n:
                continue
            place = range(*words.extent(found.i, found.n))
            is_right = not marked.isdisjoint(place)
            if is_right or others.isdisjoint(place):
                yield number, words, found, is_right


def judged(gazetteer: Gazetteer, corpora: Corpora, evidence: Evidence) -> Results:
    """What some evidence makes of the matches in annotated corpora."""
    out: Results = {}
    for name, documents in corpora.items():
        rows = list(judge(gazetteer, documents))
        out[name] = (
            [is_right for *_, is_right in rows],
            [evidence(gazetteer, words, found) for _, words, found, _ in rows],
        )
    return out


def fit(gazetteer: Gazetteer, corpora: Corpora, out: Path) -> Results:
    """Fit weights and write them."""
    import numpy
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict

    rows: list[Features] = []
    right: list[bool] = []
    groups: list[int] = []
    weights: list[float] = []
    parts: dict[str, slice] = {}
    for name, documents in corpora.items():
        found = list(judge(gazetteer, documents))
        first = max(groups, default=-1) + 1
        parts[name] = slice(len(rows), len(rows) + len(found))
        for number, words, match, is_right in found:
            rows.append({**features(gazetteer, words, match), f"bias {name}": 1.0})
            right.append(is_right)
            groups.append(first + number)
        weights += [1.0 / max(1, len(found))] * len(found)
    vectorizer = DictVectorizer(sparse=False)
    x, y = vectorizer.fit_transform(rows), numpy.array(right)
    w = numpy.array(weights) * len(weights) / len(parts)
    model = LogisticRegression(C=0.1, fit_intercept=False, max_iter=5000)
    probabilities = cross_val_predict(
        model,
        x,
        y,
        groups=groups,
        cv=GroupKFold(FOLDS),
        params={"sample_weight": w},
        method="predict_proba",
    )[:, 1].tolist()
    model.fit(x, y, sample_weight=w)
    fitted = dict(zip(vectorizer.get_feature_names_out(), model.coef_[0].tolist()))
    biases = [fitted.pop(name) for name in list(fitted) if name.startswith("bias ")]
    fitted["bias"] += sum(biases) / len(biases)
    for name, most in PRIORS.items():
        fitted[name] = min(most, fitted.get(name, 0.0))
    content = {"weights": {name: round(v, 3) for name, v in sorted(fitted.items())}}
    out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf8")
    return {name: (right[part], probabilities[part]) for name, part in parts.items()}


def curve(
    right: Sequence[bool], probabilities: Sequence[float]
) -> list[dict[str, float]]:
    """Precision and recall of matches by threshold."""
    out = []
    for threshold in THRESHOLDS:
        kept = [r for r, p in zip(right, probabilities) if p >= threshold]
        out.append(
            {
                "threshold": threshold,
                "matches": len(kept),
                "precision": round(sum(kept) / max(1, len(kept)), 3),
                "recall": round(sum(kept) / max(1, sum(right)), 3),
            }
        )
    return out


def main() -> None:
    """Fit, report, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gazetteer", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("gold", type=Path, nargs="+")
    args = parser.parse_args()
    corpora = {
        str(path): [json.loads(line) for line in path.open(encoding="utf8")]
        for path in args.gold
    }
    results = fit(Gazetteer.load(args.gazetteer), corpora, args.out)
    for name, (right, probabilities) in results.items():
        print(f"{name}: {len(right)} matches")
        for row in curve(right, probabilities):
            print("  " + "  ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
