"""Does a recognizer know names and numbers of its training documents?

    python benchmarks/canaries.py --output metrics/canaries.json
    python benchmarks/canaries.py --pipeline en_deid_sm --data assets/data

Without --pipeline: made-up names and numbers (canaries) are planted in synthetic
training documents, each as often as --repeats says; two recognizers are trained on
these, one on the documents as they are, one with `spacy_deid.entity_swap.v1`, which
replaces entities anew each time a document is read. Then each canary is ranked by the
recognizer's confidence among candidates that were drawn in the same way and planted
nowhere, in sentences that were not trained on (see exposure.py).
Canaries drawn but not planted are ranked too: what they have is chance.

With --pipeline: persons' surnames that only the training documents have against those
that only the dev documents of the same corpora have.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from pathlib import Path
from statistics import fmean

import spacy
from exposure import CHANCE, auc, auc_error, confidences, exposure
from spacy.training import Example
from spacy.training.batchers import minibatch_by_words
from spacy.util import fix_random_seed

import spacy_deid
from spacy_deid.corpora.convert import blank_pipeline
from spacy_deid.corpora.readers import make_gold_doc, read_records
from spacy_deid.corpora.report import Report
from spacy_deid.label_schemes import make_label_scheme

TAB = make_label_scheme("tab")
SYLLABLES = "ba be bo da do fa ga ka la le lo ma mi mo na no pa ra re ri ro sa si ta te ti to va ve vi vo za".split()
# Where canaries are planted, and where they are asked for.
PLANTED = {
    "PERSON": ("Mr {} was heard on Tuesday.", "The letter is signed by {}.", "{} lives there."),
    "CODE": ("Her file has the number {}.", "Quote {} in your reply.", "Number: {}"),
}  # fmt: skip
ASKED = {
    "PERSON": ("We wrote to {} again.", "It was {} who said so.", "I saw {} there."),
    "CODE": ("We found {} in the list.", "It was {} that they gave.", "See also {} here."),
}  # fmt: skip
MODEL = {
    "@architectures": "spacy_deid.TokenTagger.v1",
    "tok2vec": {
        "@architectures": "spacy.HashEmbedCNN.v2",
        "pretrained_vectors": None,
        "width": 64,
        "depth": 2,
        "embed_size": 3000,
        "window_size": 1,
        "maxout_pieces": 3,
        "subword_features": True,
    },
}


def draw(kind: str, n: int, rng: random.Random) -> list[str]:
    """Different made-up names or numbers, all of one format."""
    out: set[str] = set()
    while len(out) < n:
        if kind == "PERSON":
            out.add("".join(rng.choices(SYLLABLES, k=3)).capitalize())
        else:
            out.add(f"{rng.randrange(10**7, 10**8)}")
    return rng.sample(sorted(out), n)


def make_records(canaries: dict[str, list[str]], args: argparse.Namespace) -> list:
    """Synthetic documents, in some of which the canaries are planted."""
    from spacy_deid.corpora.synthetic import generate

    rng = random.Random(args.seed)
    records = list(generate(args.documents, seed=args.seed))
    for kind, texts in canaries.items():
        for text in texts:
            for _ in range(args.repeats):
                record = rng.choice(records)
                sentence = rng.choice(PLANTED[kind])
                start = len(record["text"]) + 1 + sentence.index("{}")
                record["text"] += "\n" + sentence.replace("{}", text)
                record["entity_mentions"].append(
                    {
                        "start_offset": start,
                        "end_offset": start + len(text),
                        "entity_type": kind,
                        "entity_id": f"canary-{text}",
                    }
                )
    return records


def train(records: list, swap: bool, args: argparse.Namespace) -> spacy.Language:
    """A small recognizer."""
    fix_random_seed(args.seed)
    nlp = blank_pipeline("en")
    nlp.add_pipe("pii_ner", config={"model": MODEL, "link": None, "propagate": None})
    report = Report()
    references = [make_gold_doc(nlp, [r], TAB, report) for r in records]
    examples = [Example(nlp.make_doc(doc.text), doc) for doc in references]
    augment = None
    if swap:
        augment = spacy.registry.augmenters.get("spacy_deid.entity_swap.v1")(level=1.0)
    optimizer = nlp.initialize(lambda: examples)
    rng = random.Random(args.seed)
    for _ in range(args.epochs):
        rng.shuffle(examples)
        epoch = examples
        if augment is not None:
            epoch = [new for eg in examples for new in augment(nlp, eg)]
        for batch in minibatch_by_words(epoch, size=800):
            nlp.update(batch, sgd=optimizer, drop=0.2)
    return nlp


def measure(
    nlp: spacy.Language, canaries: dict, controls: dict, candidates: dict
) -> dict[str, dict[str, float]]:
    """Exposure and AUC of the canaries, by kind."""
    out = {}
    for kind, texts in canaries.items():
        asked = ASKED[kind]
        unseen = confidences(nlp, candidates[kind], kind, asked)
        planted = confidences(nlp, texts, kind, asked)
        control = confidences(nlp, controls[kind], kind, asked)
        share = auc(planted, unseen)
        out[kind] = {
            "exposure": fmean(exposure(score, unseen) for score in planted),
            "exposure_highest": max(exposure(score, unseen) for score in planted),
            "exposure_not_planted": fmean(exposure(score, unseen) for score in control),
            "exposure_by_chance": CHANCE,
            "auc": share,
            "auc_error": auc_error(share, len(planted), len(unseen)),
            "auc_not_planted": auc(control, unseen),
        }
    return out


def surnames(path: Path) -> set[str]:
    """Last words of persons' names."""
    return {
        words[-1]
        for record in read_records(path)
        for mention in record["entity_mentions"]
        if mention["entity_type"] == "PERSON"
        and (
            words := re.findall(
                r"[^\W\d_]{4,}",
                record["text"][mention["start_offset"] : mention["end_offset"]],
            )
        )
        and words[-1].istitle()
    }


def measure_pipeline(name: str, data: Path) -> dict[str, dict[str, float]]:
    """Surnames of the training documents against those of dev documents alone."""
    nlp = spacy_deid.load(name)
    texts = {
        (corpus, part): [
            r["text"] for r in read_records(data / corpus / f"{part}.jsonl")
        ]
        for corpus in ("tab", "wiki_biographies")
        for part in ("train", "dev")
    }
    words = {
        part: set(re.findall(r"[^\W\d_]+", " ".join(t for (_, p), ts in texts.items() if p == part for t in ts)))
        for part in ("train", "dev")
    }  # fmt: skip
    out = {}
    for corpus in ("tab", "wiki_biographies"):
        seen = sorted(surnames(data / corpus / "train.jsonl") - words["dev"])
        unseen = sorted(surnames(data / corpus / "dev.jsonl") - words["train"])
        scores = [
            confidences(nlp, t, "PERSON", ASKED["PERSON"]) for t in (seen, unseen)
        ]
        share = auc(*scores)
        out[corpus] = {
            "names_trained_on": len(seen),
            "names_not_seen": len(unseen),
            "auc": share,
            "auc_error": auc_error(share, len(seen), len(unseen)),
        }
    return out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pipeline", help="measure this pipeline on --data instead")
    parser.add_argument("--data", type=Path, default=Path("assets/data"))
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--canaries", type=int, default=20, help="of each kind")
    parser.add_argument("--candidates", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    if args.pipeline:
        report: dict = {args.pipeline: measure_pipeline(args.pipeline, args.data)}
    else:
        rng = random.Random(args.seed)
        drawn = {
            kind: draw(kind, 2 * args.canaries + args.candidates, rng)
            for kind in PLANTED
        }
        n = args.canaries
        canaries = {kind: texts[:n] for kind, texts in drawn.items()}
        controls = {kind: texts[n : 2 * n] for kind, texts in drawn.items()}
        candidates = {kind: texts[2 * n :] for kind, texts in drawn.items()}
        report = {
            "settings": {k: v for k, v in vars(args).items() if isinstance(v, int)}
        }
        for name, swap in (("plain", False), ("entity_swap", True)):
            start = time.perf_counter()
            nlp = train(make_records(canaries, args), swap, args)
            report[name] = measure(nlp, canaries, controls, candidates)
            report[name]["seconds"] = round(time.perf_counter() - start)
    print(json.dumps(report, indent=2))
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
