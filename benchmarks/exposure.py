"""Whether a recognizer knows texts from its training (Carlini et al. 2019, "The Secret
Sharer"): canaries, planted in the training documents, are ranked by the recognizer's
confidence among candidates of the same format that it has never seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy
from spacy.language import Language

# Mean exposure of a canary that was never planted: its rank is uniform, and
# -log2 of a uniform number has the mean 1 / ln 2.
CHANCE = 1 / math.log(2)


def exposure(canary: float, candidates: Sequence[float]) -> float:
    """log2 |R| - log2 rank (Carlini et al. 2019, definition 4).

    R are the candidates and the canary; of equal scores half rank before the canary.

    RETURNS (float): 0 for the last, log2 |R| for the first.
    """
    scores = numpy.asarray(candidates, dtype="d")
    before = float((scores > canary).sum()) + 0.5 * float((scores == canary).sum())
    return math.log2(len(scores) + 1) - math.log2(1 + before)


def auc(seen: Sequence[float], unseen: Sequence[float]) -> float:
    """Probability that a text that was seen has the higher score than one that was not;
    equal scores count half.

    RETURNS (float): .5 if they cannot be told apart.
    """
    a, b = numpy.asarray(seen, dtype="d"), numpy.sort(numpy.asarray(unseen, dtype="d"))
    below = numpy.searchsorted(b, a, side="left")
    below_or_equal = numpy.searchsorted(b, a, side="right")
    return float((below + below_or_equal).mean() / (2 * len(b)))


def auc_error(p: float, n_seen: int, n_unseen: int) -> float:
    """Standard error of an AUC (Hanley and McNeil 1982, equation 2).

    RETURNS (float): The standard error.
    """
    q1, q2 = p / (2 - p), 2 * p * p / (1 + p)
    variance = p * (1 - p) + (n_seen - 1) * (q1 - p * p) + (n_unseen - 1) * (q2 - p * p)
    return math.sqrt(max(variance, 0.0) / (n_seen * n_unseen))


def confidences(
    nlp: Language,
    texts: Sequence[str],
    label: str,
    templates: Sequence[str],
    name: str = "pii_ner",
) -> list[float]:
    """How sure a recognizer is of the type of texts in neutral sentences.

    RETURNS (List[float]): For each text the mean over the templates of the mean
        log-probability of the label over the text's tokens.
    RAISES (ValueError): If the pipeline has no such recognizer or label.
    """
    pipe: Any = nlp.get_pipe(name)
    if not hasattr(pipe, "decode_scores") or label not in pipe.labels:
        raise ValueError(f"the pipeline has no recognizer '{name}' of '{label}'")
    columns = pipe.tagset.columns(label)
    sums = [0.0] * len(texts)
    for template in templates:
        start = template.index("{}")
        docs = [nlp.make_doc(template.replace("{}", text)) for text in texts]
        for i, (doc, scores) in enumerate(zip(docs, pipe.predict(docs))):
            span: Any = doc.char_span(
                start, start + len(texts[i]), alignment_mode="expand"
            )
            probs: Any = pipe.probabilities(scores)
            p = probs[span.start : span.end, columns].sum(axis=1)
            sums[i] += float(numpy.log(p.clip(1e-30)).mean())
    return [total / len(templates) for total in sums]
