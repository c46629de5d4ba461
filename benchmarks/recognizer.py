"""Words a second of `pii_ner`, with numpy's and with Thinc's matrix product, beside
spaCy's own `ner` with the same encoder, in one run.

    python benchmarks/recognizer.py --data assets/data

The networks have random weights: speed does not depend on them, as long as few
entities are found. Without --data the documents are synthetic ones.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import spacy
from speed import make_documents
from thinc.api import Config, NumpyOps

CONFIG = Path(__file__).parents[1] / "configs" / "pii_ner_tok2vec.cfg"
LABELS = ("PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC")
NER_MODEL = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "ner",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "nO": None,
}


def make_pipelines() -> dict[str, spacy.Language]:
    tagger = Config().from_disk(CONFIG)["components"]["pii_ner"]["model"]
    plain = {"link": None, "propagate": None, "scorer": None}
    out = {}
    for name in ("pii_ner, numpy", "pii_ner, thinc", "ner"):
        nlp = spacy.blank("en")
        if name == "ner":
            model = {**NER_MODEL, "tok2vec": tagger["tok2vec"]}
            pipe = nlp.add_pipe("ner", config={"model": model})
        else:
            pipe = nlp.add_pipe("pii_ner", config={"model": tagger, **plain})
        for label in LABELS:
            pipe.add_label(label)
        nlp.initialize()
        if name == "pii_ner, thinc":
            for node in pipe.model.walk():
                node.ops = NumpyOps()
        out[name] = nlp
    return out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    texts = make_documents(args.data)["long"]
    best: dict[str, float] = {}
    pipelines = make_pipelines()
    n_words = sum(len(nlp.make_doc(t)) for t in texts for nlp in [spacy.blank("en")])
    for _ in range(args.rounds):
        for name, nlp in pipelines.items():
            docs = [nlp.make_doc(text) for text in texts]
            start = time.perf_counter()
            for _doc in nlp.pipe(docs):
                pass
            rate = n_words / (time.perf_counter() - start)
            best[name] = max(best.get(name, 0.0), rate)
    print(
        json.dumps(
            {f"{name}: words/s": round(rate) for name, rate in best.items()}, indent=2
        )
    )


if __name__ == "__main__":
    main()
