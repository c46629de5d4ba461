"""`spacy deid serve` beside Presidio behind the same HTTP server: latency on loopback.

    pip install -e ".[serve,benchmark]"
    python benchmarks/serve.py --output metrics/serve.json

Presidio (analyzer with all its default recognizers, and anonymizer) gets the same trained
recognizer as in `speed.py`. `presidio` has the queue, the worker process and the batches of
our service, `presidio_analyzer` too, without the anonymizer; `presidio_plain` is what one
writes first: an endpoint of FastAPI that calls analyzer and anonymizer. A client sends its next document when it has the answer to the
one before. The services run one at a time, in turns; of the rounds the one with the lowest
p50 counts. The documents are synthetic: posts below 200 characters, and letters.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from speed import load_presidio, save_recognizer

SIDES = ("spacy_deid", "presidio", "presidio_analyzer", "presidio_plain")
CLIENTS = (1, 8, 32)
WARM_UP = 32
REQUESTS = {"post": 320, "letter": 128}


class Body(BaseModel):
    text: str


def make_documents() -> dict[str, list[str]]:
    from spacy_deid.corpora.synthetic import generate

    texts = [record["text"] for record in generate(2000, seed=1)]
    return {
        "post": [text for text in texts if len(text) < 200][:192],
        "letter": [text for text in texts if 800 < len(text) < 2000][:192],
    }


def load(model: str, anonymize: bool = True) -> Any:
    """Presidio, in a worker."""
    import benchmarks_ents  # noqa: F401

    run = load_presidio(model, anonymize)
    run(["My name is Robert Murray."], True)
    return run


def work(run: Any, texts: list[str]) -> list[str]:
    return run(texts, single=len(texts) == 1)


def serve_presidio(model: str, side: str) -> None:
    """Presidio at a free port."""
    from contextlib import asynccontextmanager

    from fastapi import FastAPI

    from spacy_deid.service.crew import Crew
    from spacy_deid.service.server import bind, serve

    sock = bind("127.0.0.1", 0)
    started = partial(_say, f"Serving at http://127.0.0.1:{sock.getsockname()[1]}, see")
    if side == "presidio_plain":
        app, run = FastAPI(), load(model)

        @app.post("/deidentify")
        def deidentify(body: Body) -> dict[str, str]:
            return {"text": run([body.text], True)[0]}

        serve(app, sock, 60, started)
        return
    own = partial(load, model, side != "presidio_analyzer")
    crew = Crew(work, own, 1, ["Ann"], 60, 1000)
    crew.start()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> Any:
        crew.open()
        yield
        await crew.stop()

    app = FastAPI(lifespan=lifespan)

    @app.post("/deidentify")
    async def queued(body: Body) -> dict[str, str]:
        (text,) = await crew.do([body.text], [len(body.text)])
        return {"text": text}

    serve(app, sock, 60, started)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def ask(reader: Any, writer: Any, path: str, text: str) -> None:
    """One request of a client that keeps its connection."""
    body = json.dumps({"text": text}).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"  # fmt: skip
    writer.write(head.encode() + body)
    said = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
    if not said[0].startswith("http/1.1 200"):
        raise RuntimeError(said[0])
    length = next(line for line in said if line.startswith("content-length:"))
    await reader.readexactly(int(length.partition(":")[2]))


async def measure(
    port: int, path: str, texts: list[str], n: int, total: int
) -> dict[str, float]:
    """Latencies of all requests of some clients, after a few that do not count."""
    seconds: list[float] = []

    async def client(number: int, total: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
        for i in range(number, total, n):
            start = time.perf_counter()
            await ask(reader, writer, path, texts[i % len(texts)])
            seconds.append(time.perf_counter() - start)
        writer.close()

    await asyncio.gather(*(client(i, WARM_UP) for i in range(n)))
    seconds.clear()
    start = time.perf_counter()
    await asyncio.gather(*(client(i, total) for i in range(n)))
    taken = time.perf_counter() - start
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return {
        "p50_ms": 1000 * cuts[49],
        "p99_ms": 1000 * cuts[98],
        "requests_per_s": total / taken,
    }


def run_side(
    side: str, model: str, recognizer: str, documents: dict[str, list[str]]
) -> dict[str, dict[str, float]]:
    """Start a service, measure it, and stop it."""
    command = [sys.executable, __file__, "--serve", side, "--model", recognizer]
    if side == "spacy_deid":
        command = [sys.executable, "-m", "spacy", "deid", "serve", "--port", "0", "--model", model]  # fmt: skip
    env = {**os.environ, "SPACY_DEID_KEY": "k" * 32}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env)
    assert process.stderr is not None
    try:
        lines = iter(process.stderr.readline, "")
        line = next(line for line in lines if line.startswith("Serving"))
        port = int(line.partition("127.0.0.1:")[2].partition(",")[0])
        # Nobody may wait for us to read its log.
        sink = subprocess.Popen(
            ["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL
        )
        paths = ["/deidentify", "/analyze"] if side == "spacy_deid" else ["/deidentify"]
        out = {}
        for path in paths:
            for kind, texts in documents.items():
                for n in CLIENTS:
                    measured = measure(port, path, texts, n, REQUESTS[kind])
                    out[f"{kind} {path} {n}"] = asyncio.run(measured)
        return out
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        sink.wait()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="en_deid_sm")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--serve", choices=SIDES)
    args = parser.parse_args()
    if args.serve:
        serve_presidio(args.model, args.serve)
        return
    documents = make_documents()
    results: dict[str, dict[str, dict[str, float]]] = {side: {} for side in SIDES}
    with tempfile.TemporaryDirectory() as folder:
        recognizer = str(Path(folder) / "recognizer")
        save_recognizer(args.model, Path(recognizer))
        for _ in range(args.rounds):  # in turns, so that noise hits all
            for side in SIDES:
                measured = run_side(side, args.model, recognizer, documents)
                for case, new in measured.items():
                    known = results[side].get(case, new)
                    results[side][case] = min(new, known, key=lambda r: r["p50_ms"])
    for side, cases in results.items():
        for case, r in cases.items():
            print(f"| {side} | {case} | {r['p50_ms']:.0f} | {r['p99_ms']:.0f} | {r['requests_per_s']:.0f} |")  # fmt: skip
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        lengths = {k: statistics.mean(map(len, v)) for k, v in documents.items()}
        report = {**results, "mean_characters": lengths}
        args.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
