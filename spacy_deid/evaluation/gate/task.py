"""What the new texts of a corpus are worth to a model that learns a task from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..utility.protocol import compare
from .judge import Measure
from .released import Released

# With fewer a model learns nothing.
LEAST_TEXTS = 10


def measure_loss(
    corpus: Sequence[Released], setup: Mapping[str, Any], level: float
) -> Measure:
    """What a model loses on original test texts, in points, that has learnt from the new
    texts of a corpus.

    setup (Mapping): The section [utility] of a config, its functions called; its training
        texts are originals of the corpus.
    """
    by_text = {each.original: each for each in corpus}
    single = [sample for sample in setup["train"] if len(sample.texts) == 1]
    pairs = [(s, by_text[s.texts[0]]) for s in single if s.texts[0] in by_text]
    if len(pairs) < LEAST_TEXTS:
        return Measure(of=f"{len(pairs)} texts of the task are in the corpus: too few")
    rows = ((s, each.text, [row[:4] for row in each.replaced]) for s, each in pairs)
    new = {id(s): s.rewritten([text], places) for s, text, places in rows}
    train, test = [sample for sample, _ in pairs], setup["test"]
    seeds = setup.get("seeds", [0, 1, 2])
    ways = {"corpus": lambda samples, run: [new.get(id(s), s) for s in samples]}
    _, row = compare(setup["task"], train, test, ways, seeds, level)
    low, high = row["interval"] or (row["delta"], row["delta"])
    of = f"{setup['task'].metric}; {len(train)} texts to learn from, {len(test)} to test on"
    return Measure(-100 * row["delta"], (-100 * high, -100 * low), of)
