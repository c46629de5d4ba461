"""What a masked language model costs: spans a second, batched and one forward pass a
span, and seconds of the perturbation indicator by number of entities.

    python benchmarks/masked_lm.py training/mlm assets/data/tab/dev.jsonl

Everything is measured in one run, in seconds of the processor on one thread, so that
what else runs on the machine matters little. "One pass a span" is what a script does
that calls the model for each span: the same window, a batch of one, scores of the whole
vocabulary for all its places. The curve takes the first entities of each document, all
their mentions, and gives what they would take without sharing, too: a window for each
mention, and one more for each other entity in it.
"""

from __future__ import annotations

import argparse
import json
import os

# Before any library starts its threads.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import spacy

from spacy_deid.corpora.readers import read_records
from spacy_deid.models.masked_lm import MaskedLM, Query
from spacy_deid.models.span_risk import SpanContext
from spacy_deid.risk.lm_probabilities import places_of
from spacy_deid.risk.perturbations import Perturbations
from spacy_deid.schema import Candidate

ENTITIES = (5, 10, 20, 40, 80)


def read_contexts(path: Path, n: int) -> list[SpanContext]:
    """The documents with most entities, with their gold spans; those that overlap an
    earlier one are left out."""
    nlp = spacy.blank("en")
    out = []
    for record in read_records(path):
        doc = nlp.make_doc(record["text"])
        spans: list[Candidate] = []
        ids: list[int] = []
        numbers: dict[str, int] = {}
        mentions = record["entity_mentions"]
        for m in sorted(mentions, key=lambda m: (m["start_offset"], -m["end_offset"])):
            found = doc.char_span(
                m["start_offset"], m["end_offset"], alignment_mode="expand"
            )
            if found is None or (spans and found.start < spans[-1].end):
                continue
            spans.append(Candidate(found.start, found.end, m["entity_type"]))
            ids.append(numbers.setdefault(m["entity_id"], len(numbers)))
        out.append(SpanContext(doc, spans, ids))
    return sorted(out, key=lambda c: -len(set(c.entity_ids)))[:n]


def seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time of a call, and what it gave."""
    start = time.process_time()
    found = function()
    return time.process_time() - start, found


def one_pass_a_span(lm: MaskedLM, queries: list[Query]) -> list[numpy.ndarray]:
    """The simplest way: the model is called for each span by itself."""
    import torch

    tokenizer, model, _ = lm.loaded
    texts = {query.text: lm._cut(query.text) for query in queries}
    out = []
    for query in queries:
        own = texts[query.text]
        first, end = own.touched(query.start, query.end)
        logs = [numpy.zeros(0)]
        for a, b in lm._parts(first, end, len(own.ids)):
            start, stop = lm._window(a, b, len(own.ids), False)
            ids = own.ids[start:stop].copy()
            gold = ids[a - start : b - start].copy()
            ids[max(first, start) - start : min(end, stop) - start] = (
                tokenizer.mask_token_id
            )
            row = tokenizer.build_inputs_with_special_tokens(ids.tolist())
            with torch.inference_mode():
                found = model(torch.tensor([row])).logits[0].log_softmax(-1)
            places = torch.arange(a - start, b - start) + len(lm._frame[0])
            logs.append(found[places, torch.tensor(gold)].double().numpy())
        out.append(numpy.concatenate(logs))
    return out


def measure_spans(lm: MaskedLM, queries: list[Query], rounds: int) -> dict[str, Any]:
    """Spans a second in both ways, turn by turn; the fastest round counts."""
    lm.log_probabilities(queries[:8])
    batched, single = [], []
    before = lm.passes
    for _ in range(rounds):
        time_batched, a = seconds(lambda: lm.log_probabilities(queries))
        time_single, b = seconds(lambda: one_pass_a_span(lm, queries))
        batched.append(time_batched)
        single.append(time_single)
    apart = max(float(abs(x - y).max(initial=0.0)) for x, y in zip(a, b))
    assert apart < 1e-3, f"the two ways differ by {apart} nats"
    return {
        "spans": len(queries),
        "spans_per_second_batched": len(queries) / min(batched),
        "spans_per_second_single": len(queries) / min(single),
        "ratio": min(single) / min(batched),
        "passes_batched": (lm.passes - before) // rounds,
        "passes_single": len(queries),
    }


def measure_perturbations(
    lm: MaskedLM, contexts: list[SpanContext], n: int
) -> dict[str, Any] | None:
    """Cost of the first `n` entities of each document; None if none has as many."""
    parts = []
    unshared = 0
    for context in contexts:
        if len(set(context.entity_ids)) < n:
            continue
        kept = [i for i, e in enumerate(context.entity_ids) if e < n]
        spans = [context.spans[i] for i in kept]
        part = SpanContext(context.doc, spans, [context.entity_ids[i] for i in kept])
        parts.append(part)
        places = places_of(part)
        windows = lm.windows(part.doc.text, places)
        pieces = lm._cut(part.doc.text)
        for own, place, (low, high) in zip(part.entity_ids, places, windows):
            near = {
                e
                for e, (a, b) in zip(part.entity_ids, places)
                if e != own and a < high and b > low
            }
            cuts = lm._parts(*pieces.touched(*place), len(pieces.ids))
            unshared += len(cuts) * (1 + len(near)) if near else 0
    if not parts:
        return None
    indicator = Perturbations(lm)
    lm.passes = lm.sequences = lm.pieces = 0
    spent = [seconds(lambda p=p: indicator.effects([p]))[0] for p in parts]
    return {
        "entities": n,
        "documents": len(parts),
        "mentions": sum(len(p.spans) for p in parts) / len(parts),
        "seconds": sum(spent) / len(parts),
        "windows": lm.sequences / len(parts),
        "windows_unshared": unshared / len(parts),
        "passes": lm.passes / len(parts),
    }


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="masked language model: folder or name")
    parser.add_argument("gold", type=Path, help="annotated documents as JSON lines")
    parser.add_argument("--documents", type=int, default=2)
    parser.add_argument("--spans", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--window", type=int, default=128)
    parser.add_argument("--perturbation-window", type=int, default=64)
    parser.add_argument("--entities", type=int, nargs="+", default=list(ENTITIES))
    parser.add_argument("--output", type=Path)
    args = parser.parse_args(argv)
    import torch

    torch.set_num_threads(1)
    contexts = read_contexts(args.gold, args.documents)
    queries = [
        Query(context.doc.text, *place)
        for context in contexts
        for place in places_of(context)
    ]
    # Evenly over the documents.
    step = max(1, len(queries) // args.spans)
    report: dict[str, Any] = {"window": args.window}
    lm = MaskedLM(args.model, window=args.window)
    spans = measure_spans(lm, queries[::step][: args.spans], args.rounds)
    report["spans"] = spans
    print(f"{spans['spans']} spans, windows of {args.window} word pieces")
    print("| way | forward passes | spans a second |\n|---|--:|--:|")
    for way, name in (("one pass a span", "single"), ("batched", "batched")):
        rate, passes = spans[f"spans_per_second_{name}"], spans[f"passes_{name}"]
        print(f"| {way} | {passes} | {rate:.1f} |")
    print(f"batched is {spans['ratio']:.2f} times as fast\n")
    report["perturbation_window"] = args.perturbation_window
    report["perturbations"] = curve = []
    print(f"perturbations, windows of {args.perturbation_window} word pieces")
    print("| entities | mentions | seconds | windows | without sharing | passes |")
    print("|--:|--:|--:|--:|--:|--:|")
    lm = MaskedLM(args.model, window=args.perturbation_window)
    for n in args.entities:
        row = measure_perturbations(lm, contexts, n)
        if row is None:
            continue
        curve.append(row)
        print(
            f"| {n} | {row['mentions']:.0f} | {row['seconds']:.1f} "
            f"| {row['windows']:.0f} | {row['windows_unshared']:.0f} "
            f"| {row['passes']:.1f} |",
            flush=True,
        )
    if args.output is not None:
        args.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
