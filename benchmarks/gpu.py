"""Tokens a second of a pipeline with a transformer, on the CPU and on a GPU.

    python benchmarks/gpu.py training/en_deid_trf --data assets/data --gpu-id 0

Each device runs in a process of its own, a GPU with and without mixed precision, on the
same court cases, given as a batch; word pieces go through the encoder in batches of
`batch_pieces`, padding counted. Seconds are those of a clock, the best of the rounds.
Without --gpu-id, or where there is no GPU, the CPU stands alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

import spacy
import torch
from thinc.api import Model

import spacy_deid
from spacy_deid.corpora.readers import read_records

CPU = -1


def set_precision(model: Model, mixed: bool) -> None:
    """Whether the encoders of a model calculate in mixed precision."""
    for node in model.walk():
        for shim in node.shims:
            if hasattr(shim, "_mixed_precision"):
                shim._mixed_precision = mixed


def measure(args: argparse.Namespace) -> dict[str, Any]:
    """Measure one device in this process."""
    if args.gpu_id != CPU:
        spacy.require_gpu(args.gpu_id)
    nlp = spacy_deid.load(args.pipeline)
    for _, pipe in nlp.pipeline:
        if isinstance(getattr(pipe, "model", None), Model):
            set_precision(pipe.model, args.mixed)
    path = args.data / "tab" / "train.jsonl"
    texts = [r["text"] for r in islice(read_records(path), args.documents)]
    n_tokens = sum(len(nlp.make_doc(text)) for text in texts)
    best = float("inf")
    for _ in nlp.pipe(texts[:2]):
        pass
    for _ in range(args.rounds):
        start = time.perf_counter()
        for _ in nlp.pipe(texts):
            pass
        best = min(best, time.perf_counter() - start)
    name = torch.cuda.get_device_name(args.gpu_id) if args.gpu_id != CPU else "CPU"
    return {"device": name, "mixed": args.mixed, "tokens_per_s": n_tokens / best}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pipeline")
    parser.add_argument("--data", type=Path, default=Path("assets/data"))
    parser.add_argument("--gpu-id", type=int, default=CPU)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("--one", action="store_true", help="this device, here")
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args)))
        return
    rows = []
    given = [args.pipeline, "--data", str(args.data), "--one"]
    given += ["--documents", str(args.documents), "--rounds", str(args.rounds)]
    ways = [
        [],
        ["--gpu-id", str(args.gpu_id)],
        ["--gpu-id", str(args.gpu_id), "--mixed"],
    ]
    for way in ways if args.gpu_id != CPU else ways[:1]:
        command = [sys.executable, __file__, *given, *way]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        rows.append(json.loads(done.stdout.splitlines()[-1]))
        print(json.dumps(rows[-1]), flush=True)
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
