"""Whether readers tell a text with surrogates from its original.

    python benchmarks/panel.py make FOLDER [DOCUMENTS ...] [--lang en] [--readers 2]
        [--pairs 60] [--seed 0]
    python benchmarks/panel.py score FOLDER

`make` writes a sheet for each reader: pairs of texts, an original and the same with its
correct spans replaced, in an order of the reader's own. DOCUMENTS are annotated in the running
text (files or folders), by default those of our own for development; those with fewer than
three spans to mask or more than 400 words are left out. `key.json` says which text is which,
and what was replaced by what: readers do not see it. A reader answers in `reader_1.json`, a
list of an object a pair: {"pair": 1, "original": "A", "why": "the words that gave it away"}.
`score` prints how often each was right, with the 95 % interval (chance is .5), and what they
say gave the text away.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

from readers import ROOT, masked, read_documents, with_gold

from spacy_deid.evaluation.missed import wilson
from spacy_deid.tokenizer import blank_pipeline

LEAST_SPANS, MOST_WORDS = 3, 400


def make(
    folder: Path, documents: list[Path], lang: str, readers: int, pairs: int, seed: int
) -> int:
    """Write the sheets and the key.

    RETURNS (int): How many pairs each sheet has.
    """
    rng = random.Random(f"panel {lang} {seed}")
    records = [r for path in documents for r in read_documents(path)]
    records = [
        r
        for r in records
        if len([*masked(r)]) >= LEAST_SPANS and len(r["text"].split()) <= MOST_WORDS
    ]
    records = rng.sample(records, min(pairs, len(records)))
    nlp = blank_pipeline(lang)
    pipe: Any = nlp.add_pipe("pseudonymizer")
    pipe.set_key(f"panel {seed}".encode() * 4)
    docs = [pipe(with_gold(nlp.make_doc(r["text"]), r)) for r in records]
    folder.mkdir(parents=True, exist_ok=True)
    key: dict[str, list[dict[str, Any]]] = {}
    for reader in range(1, readers + 1):
        sheet, rows = [], []
        order = rng.sample(range(len(docs)), len(docs))
        for n, at in enumerate(order, 1):
            doc, first = docs[at], rng.random() < 0.5
            texts = [doc.text, doc._.deid_text][:: 1 if first else -1]
            sheet.append(
                f"##### PAIR {n}\n--- TEXT A\n{texts[0]}\n--- TEXT B\n{texts[1]}\n"
            )
            changes = [
                [doc.text[a:b], doc._.deid_text[c:d]]
                for a, b, c, d in doc._.deid_offsets
            ]
            rows.append(
                {
                    "pair": n,
                    "original": "A" if first else "B",
                    "document": records[at]["doc_id"],
                    "changes": changes,
                }
            )
        (folder / f"reader_{reader}.txt").write_text("\n".join(sheet), "utf-8")
        key[f"reader_{reader}"] = rows
    (folder / "key.json").write_text(json.dumps(key, ensure_ascii=False), "utf-8")
    return len(docs)


def score(folder: Path) -> dict[str, Any]:
    """How many pairs each reader who has answered told, of how many, and what gave them
    away, by document."""
    key = json.loads((folder / "key.json").read_text("utf-8"))
    told: dict[str, list[int]] = {}
    why: dict[str, list[str]] = {}
    for reader, rows in key.items():
        path = folder / f"{reader}.json"
        if not path.exists():
            continue
        answers = {a["pair"]: a for a in json.loads(path.read_text("utf-8"))}
        right = 0
        for row in rows:
            answer = answers.get(row["pair"], {})
            if answer.get("original") == row["original"]:
                right += 1
                why.setdefault(row["document"], []).append(answer.get("why", ""))
        told[reader] = [right, len(rows)]
    return {"told": told, "why": why}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("action", choices=("make", "score"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("documents", nargs="*", type=Path)
    parser.add_argument("--lang", default="en")
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.action == "make":
        documents = args.documents or [ROOT / f"assets/corpora/{args.lang}/dev"]
        n = make(args.folder, documents, args.lang, args.readers, args.pairs, args.seed)
        print(f"{n} pairs for {args.readers} readers in {args.folder}")
        return
    found = score(args.folder)
    for document, reasons in found["why"].items():
        print(f"{document}: {' | '.join(filter(None, reasons))}")
    for reader, (right, of) in found["told"].items():
        low, high = wilson(right / of, of)
        print(
            f"{reader}: {right} of {of} told, {right / of:.2f} [{low:.2f}, {high:.2f}]"
        )


if __name__ == "__main__":
    main()
