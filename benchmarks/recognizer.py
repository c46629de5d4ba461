"""Words a second of `pii_ner`, beside spaCy's own `ner` and `spancat` with the same
encoder, in one run.

    python benchmarks/recognizer.py --data assets/data --output metrics/recognizer.json

Long documents and short ones, each given as a batch. `pii_ner` is measured as shipped
(spans are folded, linked and repeated names found, which the others do not do) and
with its model and decoding alone, with a numpy and a Thinc matrix product, and, with
--heads, with the other heads. Every pipeline runs in each round, one after the other,
so that noise hits all; the fastest round counts. Seconds are those of the processor on
one thread, so that what else runs on the machine matters little.

The encoders have random weights: their speed does not depend on them. What a head does
with what it finds does, so all output layers are set to find no entity, as in most
sentences of most texts; --trained PIPELINE measures a trained recognizer beside them.
"""

from __future__ import annotations

import argparse
import json
import os

# Before any library starts its threads.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import time
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from speed import make_documents
from thinc.api import Config, Model, NumpyOps

CONFIG = Path(__file__).parents[1] / "configs" / "pii_ner_tok2vec.cfg"
LABELS = ("PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC")
PLAIN = {"link": None, "propagate": None, "scorer": None}
NER_MODEL = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "ner",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "nO": None,
}
SPANCAT_MODEL = {
    "@architectures": "spacy.SpanCategorizer.v1",
    "reducer": {
        "@layers": "spacy.mean_max_reducer.v1",
        "hidden_size": 128,
    },
    "scorer": {"@layers": "spacy.LinearLogistic.v1", "nO": None, "nI": None},
}
SUGGESTER = {
    "@misc": "spacy.ngram_range_suggester.v1",
    "min_size": 1,
    "max_size": 8,
}
HEADS = ("CRFTagger", "BiLSTMTagger", "BiLSTMCRFTagger")


def make_pipelines(heads: bool) -> dict[str, Language]:
    """Pipelines of one component each, all with an encoder of the same shape."""
    tagger = Config().from_disk(CONFIG)["components"]["pii_ner"]["model"]
    tok2vec = tagger["tok2vec"]
    components: dict[str, tuple[str, dict[str, Any]]] = {
        "pii_ner": ("pii_ner", {"model": tagger}),
        "pii_ner, model alone": ("pii_ner", {"model": tagger, **PLAIN}),
        "pii_ner, model alone, thinc": ("pii_ner", {"model": tagger, **PLAIN}),
        "ner": ("ner", {"model": {**NER_MODEL, "tok2vec": tok2vec}}),
        "spancat": (
            "spancat",
            {"model": {**SPANCAT_MODEL, "tok2vec": tok2vec}, "suggester": SUGGESTER},
        ),
    }
    for name in HEADS if heads else ():
        model = {"@architectures": f"spacy_deid.{name}.v1", "tok2vec": tok2vec}
        components[f"pii_ner, {name}"] = ("pii_ner", {"model": model, **PLAIN})
    out = {}
    for name, (factory, config) in components.items():
        nlp = spacy.blank("en")
        nlp.max_length = 10_000_000
        pipe: Any = nlp.add_pipe(factory, config=config)
        for label in LABELS:
            pipe.add_label(label)
        nlp.initialize()
        if factory == "pii_ner":
            _find_nothing(pipe.model)
        if name.endswith("thinc"):
            for node in pipe.model.walk():
                node.ops = NumpyOps()
        out[name] = nlp
    return out


def _find_nothing(model: Model) -> None:
    """A bias towards the tag O: random weights would tag nearly every token."""
    output = model.get_ref("output_layer")
    if output.has_param("b"):
        bias = output.get_param("b").copy()
        bias[0] = 10.0
        output.set_param("b", bias)


def measure(
    pipelines: dict[str, Language], documents: dict[str, list[str]], rounds: int
) -> dict[str, dict[str, float]]:
    """Words a second of each pipeline on each kind of documents."""
    best: dict[str, dict[str, float]] = {kind: {} for kind in documents}
    for kind, texts in documents.items():
        n_words = sum(len(spacy.blank("en").make_doc(text)) for text in texts)
        for _ in range(rounds):
            for name, nlp in pipelines.items():
                docs = [nlp.make_doc(text) for text in texts]
                start = time.process_time()
                for _doc in nlp.pipe(docs):
                    pass
                rate = n_words / (time.process_time() - start)
                best[kind][name] = max(best[kind].get(name, 0.0), rate)
    return best


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--documents", type=int, default=0, help="of each kind at most")
    parser.add_argument("--heads", action="store_true", help="also the other heads")
    parser.add_argument("--trained", help="a pipeline whose pii_ner is measured too")
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    documents = make_documents(args.data)
    if args.documents:
        documents = {kind: texts[: args.documents] for kind, texts in documents.items()}
    pipelines = make_pipelines(args.heads)
    if args.trained:
        nlp = spacy.load(args.trained)
        for name in [name for name in nlp.pipe_names if name != "pii_ner"]:
            nlp.remove_pipe(name)
        pipelines[f"pii_ner of {Path(args.trained).name}"] = nlp
    best = measure(pipelines, documents, args.rounds)
    report = {
        kind: {
            "words_per_s": {name: round(rate) for name, rate in rates.items()},
            "times_as_fast_as_ner": {
                name: round(rate / rates["ner"], 2) for name, rate in rates.items()
            },
        }
        for kind, rates in best.items()
    }
    print(json.dumps(report, indent=2))
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
