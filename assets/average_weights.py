"""The mean of recognizers that were trained further from one another.

    python assets/average_weights.py OUTPUT PIPELINE PIPELINE [PIPELINE ...]

Weights half way between a model and what it became by further training keep most of what
either knows (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models"). OUTPUT is the
last pipeline with its `pii_ner` so made, without strings of the training documents. All
have one architecture and the same labels in the same order.
"""

from __future__ import annotations

import sys

import numpy

from spacy_deid.assemble import clean, save
from spacy_deid.embedded import load_pipeline


def average(models: list) -> None:
    """Give the last of some models the mean of all their weights."""
    for nodes in zip(*(model.walk() for model in models), strict=True):
        for name in nodes[-1].param_names:
            if nodes[-1].has_param(name):
                weights = [n.get_param(name).astype("float32") for n in nodes]
                nodes[-1].set_param(name, numpy.mean(weights, axis=0))


def main(output: str, *names: str) -> None:
    pipelines = [load_pipeline(name) for name in names]
    recognizers = [nlp.get_pipe("pii_ner") for nlp in pipelines]
    if len({recognizer.labels for recognizer in recognizers}) > 1:
        sys.exit("average_weights: the recognizers have different labels")
    average([recognizer.model for recognizer in recognizers])
    save(clean(pipelines[-1]), output)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n\n")[1].strip())
    main(*sys.argv[1:])
