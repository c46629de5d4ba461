"""A million short notes and ten thousand long ones on one machine: speed, memory over
time, a kill in the middle, two processes against one, Spark against both.

    pip install -e ".[tables,spark]"
    python benchmarks/scale.py --work training/scale --output metrics/scale.json

The notes are made up, each of its own, and lie in Parquet files. Everything goes through
the command line or Spark as a user would start it. Seconds are those of a clock. Memory
is what all processes of a run have for themselves and their part of what they share.
The exit status is 1 if two ways gave a document two texts.
"""

from __future__ import annotations

import argparse
import json
import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from spacy_deid.corpora.synthetic import generate
from spacy_deid.processes import map_ordered

KEY = "k" * 32
KINDS = {"short": ("snippet", "post", "news"), "long": ("court",)}
# Characters of a long note at least: pieces are put together.
LONG = 3_500
ROWS_A_FILE = {"short": 50_000, "long": 1_000}
ROWS_A_GROUP = {"short": 5_000, "long": 100}
SAMPLE_SECONDS = 2.0
# What Spark runs: a job as somebody would submit it.
JOB = """
import sys, time
from pyspark.sql import SparkSession
from spacy_deid.spark import deidentify

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
    .getOrCreate()
)
start = time.monotonic()
df = spark.read.parquet(sys.argv[1])
deidentify(df, "note", "id", batch_size=64).write.parquet(sys.argv[2])
print("seconds", time.monotonic() - start)
"""


def notes(kind: str, n: int, seed: int) -> list[str]:
    """Made-up notes."""
    found: list[str] = []
    rest = generate(10**9, seed=seed, kinds=KINDS[kind])
    while len(found) < n:
        text = next(rest)["text"]
        while kind == "long" and len(text) < LONG:
            text += "\n\n" + next(rest)["text"]
        found.append(text)
    return found


def write_file(_: None, job: tuple[str, Path, int, int]) -> int:
    """One file of notes; the number of their characters."""
    kind, path, number, n = job
    texts = notes(kind, n, 1000 + number)
    ids = [f"{kind}-{number:04}-{i}" for i in range(n)]
    table = pyarrow.table({"id": ids, "note": texts})
    parquet.write_table(table, path, row_group_size=ROWS_A_GROUP[kind])
    return sum(map(len, texts))


def make_corpus(folder: Path, kind: str, n: int) -> int:
    """Files of notes in a folder, made by two processes; the number of characters."""
    folder.mkdir(parents=True)
    size = ROWS_A_FILE[kind]
    jobs = [
        (kind, folder / f"part-{i:04}.parquet", i, min(size, n - i * size))
        for i in range((n + size - 1) // size)
    ]
    return sum(map_ordered(write_file, jobs, None, 2))


# Processes


def tree(pid: int) -> Iterator[int]:
    """A process and all that it started."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text("utf8").split():
            yield from tree(int(child))


def memory_mib(pid: int) -> float:
    """Proportional memory of a process and all that it started."""
    kib = 0
    for one in tree(pid):
        try:
            text = Path(f"/proc/{one}/smaps_rollup").read_text("utf8")
            kib += int(text.partition("\nPss:")[2].split()[0])
        except (OSError, IndexError):  # it has ended
            continue
    return kib / 1024


def follow(command: Sequence[str], stop_after: float = 0.0) -> dict[str, Any]:
    """Run a command to its end, or kill all of it after some seconds."""
    env = {**os.environ, "SPACY_DEID_KEY": KEY, "PYSPARK_PYTHON": sys.executable}
    start, samples = time.monotonic(), []
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            command, stdout=said, stderr=said, env=env, start_new_session=True
        )
        while process.poll() is None:
            try:
                samples.append(memory_mib(process.pid))
                process.wait(SAMPLE_SECONDS)
            except (subprocess.TimeoutExpired, OSError):
                if stop_after and time.monotonic() - start > stop_after:
                    os.killpg(process.pid, signal.SIGKILL)
                    stop_after = 0.0
        said.seek(0)
        lines = said.read().splitlines()
    return {
        "seconds": time.monotonic() - start,
        "exit": process.returncode,
        "memory_mib": over_time(samples),
        "said": lines,
    }


def over_time(samples: list[float]) -> dict[str, float]:
    """Medians of tenths of the time, and the most."""
    tenth = max(len(samples) // 10, 1)
    out = {"most": max(samples, default=0.0)}
    for name, first in (("second_tenth", tenth), ("middle", 5 * tenth), ("ninth_tenth", 8 * tenth)):  # fmt: skip
        part = samples[first : first + tenth] or samples
        out[name] = statistics.median(part) if part else 0.0
    return out


def deid(source: Path, target: Path, n_process: int) -> list[str]:
    options = ["--text-field", "note", "--id-field", "id"]
    command = [sys.executable, "-m", "spacy", "deid", "run", str(source), str(target)]
    return [*command, *options, "--n-process", str(n_process)]


def texts_of(path: Path) -> dict[str, str]:
    """New texts by the ids in the files of a run."""
    table = parquet.read_table(path, columns=["id", "note"])
    return dict(zip(table["id"].to_pylist(), table["note"].to_pylist(), strict=True))


# What is measured


def run_all(source: Path, target: Path, n_chars: int, kill: bool) -> dict[str, Any]:
    """All notes by two processes; killed once in the middle, if asked for."""
    runs = []
    if kill:
        # About the middle, by what a file takes.
        runs.append(follow(deid(source, target, 2), kill_time(source)))
    runs.append(follow(deid(source, target, 2)))
    done = texts_of(target)
    rows = sum(parquet.read_metadata(p).num_rows for p in source.glob("*.parquet"))
    seconds = sum(run["seconds"] for run in runs)
    return {
        "documents": rows,
        "documents_out": len(done),
        "characters": n_chars,
        "seconds": seconds,
        "characters_per_s": n_chars / seconds,
        "documents_per_s": rows / seconds,
        "runs": [
            {k: run[k] for k in ("seconds", "exit", "memory_mib")} for run in runs
        ],
        "last_said": runs[-1]["said"][-4:],
    }


def kill_time(source: Path) -> float:
    """Seconds after which about half of a folder is done, by one file of it."""
    with tempfile.TemporaryDirectory() as folder:
        first = min(source.glob("*.parquet"))
        took = follow(deid(first, Path(folder) / "out.parquet", 2))["seconds"]
    return took * len([*source.glob("*.parquet")]) / 2


def compare(source: Path, work: Path, n_chars: int, spark: bool) -> dict[str, Any]:
    """One process, two, and Spark with two cores, on the same notes."""
    out: dict[str, Any] = {"characters": n_chars}
    texts: dict[str, dict[str, str]] = {}
    commands = {
        "one": deid(source, work / "one", 1),
        "two": deid(source, work / "two", 2),
    }
    if spark:
        job = work / "job.py"
        job.write_text(JOB, "utf8")
        commands["spark"] = [sys.executable, str(job), str(source), str(work / "spark")]
    for name, command in commands.items():
        run = follow(command)
        if run["exit"]:
            raise RuntimeError("\n".join([f"{name} failed", *run["said"][-5:]]))
        out[name] = {"seconds": run["seconds"], "memory_mib": run["memory_mib"]["most"]}
        texts[name] = texts_of(work / name)
        for line in run["said"]:
            if line.startswith("seconds "):
                out[name]["seconds_without_start"] = float(line.split()[1])
    out["two_against_one"] = out["one"]["seconds"] / out["two"]["seconds"]
    if spark:
        out["spark_cost"] = out["spark"]["seconds"] / out["two"]["seconds"] - 1
    out["texts_that_differ"] = sum(
        own[i] != text for own in texts.values() for i, text in texts["one"].items()
    )
    return out


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--short", type=int, default=1_000_000)
    parser.add_argument("--long", type=int, default=10_000)
    parser.add_argument("--compared", type=int, default=100_000)
    parser.add_argument("--no-spark", action="store_true")
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    out: dict[str, Any] = {}
    for name, kind, n in (
        ("compared", "short", args.compared),
        ("short", "short", args.short),
        ("long", "long", args.long),
    ):
        source, target = args.work / name, args.work / f"{name}_out"
        start = time.monotonic()
        n_chars = make_corpus(source, kind, n)
        print(f"{name}: {n} notes made in {time.monotonic() - start:.0f} s", flush=True)
        if name == "compared":
            (args.work / "ways").mkdir()
            ways = args.work / "ways"
            out[name] = compare(source, ways, n_chars, not args.no_spark)
        else:
            out[name] = run_all(source, target, n_chars, kill=name == "short")
        print(json.dumps({name: out[name]}, indent=2), flush=True)
        if args.output:
            args.output.parent.mkdir(parents=True, exist_ok=True)
            args.output.write_text(json.dumps(out, indent=2) + "\n", encoding="utf8")
    lost = any(
        out[k]["documents"] != out[k]["documents_out"] for k in ("short", "long")
    )
    return 1 if lost or out["compared"]["texts_that_differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
