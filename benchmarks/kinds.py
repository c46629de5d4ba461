"""How a pipeline does on kinds of text that nobody tuned it to.

    python benchmarks/kinds.py PIPELINE --data FOLDER [--own assets/corpora/en/dev]
        [--raw FILE] [--output kinds.json]

Three tables, the second and third of them English and without --data left out:

- documents of our own, kind by kind (--own may be repeated): entity recall of direct and
  quasi identifiers, token precision, and the share of words that the pipeline replaces
  (those judged risky, or all that is found if it has no risk scorer); texts in which nothing
  is to be masked are a row of their own;
- open corpora of other genres in FOLDER: persons wholly covered by spans of any type, and
  the share of spans called PERSON that touch a person;
- texts without persons (`--raw`, made by `assets/open_corpora.py --held-out`): words in a
  thousand that are called persons.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from spacy.language import Language

import spacy_deid
from spacy_deid.cli._options import use_gpu
from spacy_deid.corpora.readers import read_records
from spacy_deid.corpora.report import Report
from spacy_deid.evaluation.gold import read_golds
from spacy_deid.evaluation.privacy import PrivacyCounts, masked_spans
from spacy_deid.schema import NO_MASK, PII_KEY

Record = dict[str, Any]
# Corpus and part -> labels of persons.
GENRES = {
    "gum/dev": {"person"},
    "uner_en_ewt/dev": {"PER"},
    "crossner/dev": {
        "person",
        "politician",
        "writer",
        "scientist",
        "musicalartist",
        "researcher",
    },
    "tweebank_ner/dev": {"PER"},
    "btc/dev": {"PER"},
    "wnut17/dev": {"person"},
}
# Annotated, but not with persons, of whom there are hardly any.
IMPERSONAL = ("ncbi_disease/dev",)


def measure_own(nlp: Language, paths: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """Privacy metrics and the share of words masked, by kind and together; what stands
    before the number in a document's name is its kind."""
    counts: dict[str, PrivacyCounts] = defaultdict(PrivacyCounts)
    words: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    golds = [g for path in paths for g in read_golds(path, Report(), format="inline")]
    for gold, doc in zip(golds, nlp.pipe(gold.text for gold in golds)):
        spans = masked_spans(doc)
        masked = {
            token.i
            for start, end in spans
            for token in doc.char_span(start, end)
            if token.text[0].isalnum()
        }
        n_words = sum(token.text[0].isalnum() for token in doc)
        wanted = any(m.identifier_type != NO_MASK for m in gold.annotators[0])
        kind = gold.doc_id.rpartition("-")[0]
        for name in (kind, "all" if wanted else "impersonal"):
            counts[name].add(gold, spans)
            words[name][0] += len(masked)
            words[name][1] += n_words
    out = {}
    for name in sorted(counts, key=lambda n: (n in ("all", "impersonal"), n)):
        metrics = counts[name].metrics()
        keys = ("entity_recall_direct", "entity_recall_quasi", "precision", "recall")
        out[name] = {k: metrics[k] for k in keys}
        out[name]["share"] = words[name][0] / max(1, words[name][1])
        out[name]["documents"] = len(counts[name].docs)
    return out


def measure_persons(
    nlp: Language, records: Iterable[Record], labels: set[str]
) -> dict[str, float]:
    """Recall of persons, precision of spans called PERSON, and these by 1,000 words."""
    gold = covered = called = right = words = person_words = 0
    records = list(records)
    late = {"risk_scorer", "pseudonymizer"} & set(nlp.pipe_names)
    with nlp.select_pipes(disable=sorted(late)):
        docs = nlp.pipe(r["text"] for r in records)
        for record, doc in zip(records, docs):
            text = record["text"]
            found = bytearray(len(text))
            persons = bytearray(len(text))
            for m in record["entity_mentions"]:
                if m["entity_type"] in labels:
                    a, b = m["start_offset"], m["end_offset"]
                    persons[a:b] = b"\1" * (b - a)
            for span in doc.spans[PII_KEY]:
                a, b = span.start_char, span.end_char
                found[a:b] = b"\1" * (b - a)
                if span.label_ == "PERSON":
                    called += 1
                    right += any(persons[a:b])
                    person_words += sum(t.text[0].isalnum() for t in span)
            words += sum(t.text[0].isalnum() for t in doc)
            for m in record["entity_mentions"]:
                if m["entity_type"] in labels:
                    gold += 1
                    chars = range(m["start_offset"], m["end_offset"])
                    covered += all(found[i] for i in chars if text[i].isalnum())
    return {
        "persons": gold,
        "recall": covered / max(1, gold),
        "precision": right / max(1, called),
        "per_thousand": 1000 * person_words / max(1, words),
    }


def show(title: str, rows: dict[str, dict[str, Any]]) -> None:
    print(f"\n{title}")
    for name, row in rows.items():
        cells = (
            f"{key} {value:.3f}" if isinstance(value, float) else f"{key} {value}"
            for key, value in row.items()
        )
        print(f"  {name:24}", "  ".join(cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pipeline", nargs="?", default="en_deid_sm")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--own", type=Path, action="append")
    parser.add_argument("--raw", type=Path)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--gpu-id", type=int, default=-1, help="-1: none")
    args = parser.parse_args()
    use_gpu(args.gpu_id)
    nlp = spacy_deid.load(args.pipeline)
    out: dict[str, Any] = {}
    out["own"] = measure_own(nlp, args.own or [Path("assets/corpora/en/dev")])
    show("documents of our own", out["own"])
    if args.data is not None:
        out["genres"] = {
            name: measure_persons(
                nlp, read_records(args.data / f"{name}.jsonl"), labels
            )
            for name, labels in GENRES.items()
        }
        show("persons in open corpora", out["genres"])
    empty: dict[str, list[Record]] = defaultdict(list)
    if args.raw is not None:
        for line in args.raw.open(encoding="utf8"):
            record = json.loads(line)
            empty[record["corpus"]].append(record)
    for name in IMPERSONAL if args.data is not None else ():
        empty[name] = list(read_records(args.data / f"{name}.jsonl"))
    if empty:
        rows = {n: measure_persons(nlp, r, set()) for n, r in empty.items()}
        out["impersonal"] = {
            n: {"per_thousand": r["per_thousand"]} for n, r in rows.items()
        }
        show("texts without persons", out["impersonal"])
    if args.output is not None:
        args.output.write_text(json.dumps(out, indent=1), encoding="utf8")


if __name__ == "__main__":
    main()
