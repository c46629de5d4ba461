"""Whether what must hold does hold, at length: nothing masked is left, kills lose nothing,
a changed vault is noticed, originals come back, equal runs are equal, memory is flat.

    python benchmarks/withstand.py --data assets/data --output metrics/withstand.json

Everything but the first check goes through the command line. Kills come at random moments
of runs that save their state after every chunk, one after the other until the run ends;
its files must be those of a run that was left alone. Without --data the documents are
synthetic ones. The exit status is 1 if anything did not hold.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

import spacy_deid
from spacy_deid.corpora.readers import read_records
from spacy_deid.corpora.synthetic import generate
from spacy_deid.gazetteers.lexicon import is_vocabulary
from spacy_deid.schema import NO_MASK
from spacy_deid.surrogates.strategies.base import get_strategy
from spacy_deid.vault import Vault, VaultError

KEY = "k" * 32
STRATEGIES = (
    "redact",
    "typed_placeholder",
    "named_placeholder",
    "word_by_word",
    "full_entity",
)
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
# As `python -m spacy`, but its state is saved after each chunk.
SCRIPT = """
from spacy.cli import setup_cli
from spacy_deid.cli import _output

_output.CHECKPOINT_SECONDS = 0
setup_cli()
"""


def read_documents(data: Path | None, n: int) -> list[str]:
    """Documents of several kinds in turn."""
    if data is None:
        return [record["text"] for record in generate(n, seed=7)]
    kinds = [
        [record["text"] for record in read_records(path)]
        for path in sorted(data.glob("*/*.jsonl"))
        if path.stem in ("dev", "train")
    ]
    texts = [kind[i] for i in range(n) for kind in kinds if i < len(kind)]
    return [text for text in texts if text.strip()][:n]


# What is left in the text


def plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def is_left(masked: str, output: str, stop_words: frozenset[str]) -> bool:
    """Whether a masked string stands in an output, by a search of its own."""
    wanted = plain(masked).strip(" .,;:()[]'’\"")
    wanted = re.sub("['’]s$", "", wanted)
    if not any(map(str.isalnum, wanted)):
        return False
    pattern = rf"(?<![^\W_]){re.escape(wanted)}(?![^\W_])"
    if (wanted in stop_words or is_vocabulary(wanted)) and not masked.islower():
        # Everyday words in lower case are no names.
        found = re.finditer(pattern, output, re.IGNORECASE)
        return any(not m[0].islower() for m in found)
    return re.search(pattern, plain(output)) is not None


def check_survivors(texts: Sequence[str]) -> dict[str, int]:
    """Outputs of all strategies, `all` and `risky`, with a masked string in them."""
    nlp = spacy_deid.load()
    replace = nlp.get_pipe("pseudonymizer")
    stop_words = nlp.Defaults.stop_words
    outputs = left = strings = 0
    settings = [(s, m) for s in STRATEGIES for m in ("all", "risky")]
    with nlp.select_pipes(disable="pseudonymizer"):
        docs = list(nlp.pipe(tqdm(texts, "survivors", leave=False)))
    replace.set_key(KEY)
    for strategy, mask in settings:
        replace.strategy, replace.mask = get_strategy(strategy), mask
        for doc in docs:
            output = replace(doc)._.deid_text
            masked = {
                span.text
                for span in doc.spans["mask"]
                if mask == "all" or span.label_ != NO_MASK
            }
            outputs += 1
            strings += len(masked)
            left += any(is_left(string, output, stop_words) for string in masked)
    return {"outputs": outputs, "masked_strings": strings, "failed": left}


# Runs of the command line


class Runner:
    """Runs commands in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, *args: Any, seed: int = 0) -> subprocess.Popen:
        env = {**os.environ, "SPACY_DEID_KEY": KEY, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-c", SCRIPT, "deid", *map(str, args)]
        return subprocess.Popen(
            command,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def run(self, *args: Any, seed: int = 0) -> int:
        """Run to the end; peak memory of the process in MiB."""
        process = self.start(*args, seed=seed)
        assert process.stderr is not None
        message = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"{args[0]} failed: {message.splitlines()[-1]}")
        return used.ru_maxrss // 1024

    def write(self, name: str, texts: Sequence[str]) -> Path:
        """Documents as JSON lines."""
        path = self.folder / name
        lines = (json.dumps({"doc_id": i, "text": t}) for i, t in enumerate(texts))
        path.write_text("".join(f"{line}\n" for line in lines), "utf8")
        return path


def check_kills(runner: Runner, source: Path, kills: int, seed: int) -> dict[str, int]:
    """Kills at random moments, in one process and in two."""
    rng = random.Random(seed)
    whole, audit = runner.folder / "whole.jsonl", runner.folder / "whole.audit"
    start = time.monotonic()
    # The last digits of an audit depend on what is read together.
    runner.run("run", source, whole, "--audit", audit, "--batch-size", 8)
    duration = time.monotonic() - start
    done = runs = failed = 0
    bar = tqdm(total=kills, desc="kills", leave=False)
    while done < kills:
        runs += 1
        out = runner.folder / f"{runs}.jsonl"
        notes, vault = out.with_suffix(".audit"), out.with_suffix(".vault")
        args = ("run", source, out, "--audit", notes, "--vault", vault)
        args = (*args, "--batch-size", 8, "--n-process", 1 + runs % 2)
        while done < kills:
            process = runner.start(*args)
            try:
                process.wait(rng.uniform(0.3, 1) * duration)
                break
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, rng.choice(SIGNALS))
                process.communicate()
                # It may come when all is done; before, there is no output.
                failed += out.exists() and out.read_bytes() != whole.read_bytes()
                done += 1
                bar.update()
        runner.run(*args)
        back = out.with_stem(f"{runs}-back")
        runner.run("restore", out, back, "--vault", vault)
        failed += (out.read_bytes(), notes.read_bytes()) != (
            whole.read_bytes(),
            audit.read_bytes(),
        ) or content(back) != content(source)
        if list(runner.folder.glob(f"{runs}.*part*")):
            failed += 1
    bar.close()
    return {"kills": done, "runs": runs, "failed": failed}


def content(path: Path) -> Any:
    """What a file says, however it quotes."""
    if path.suffix == ".txt":
        return path.read_bytes()
    with path.open(encoding="utf8", newline="") as file:
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in file]
        return list(csv.reader(file, delimiter=path.stem[5]))


def check_flips(runner: Runner, source: Path, flips: int, seed: int) -> dict[str, int]:
    """Bits of a vault turned over: it says so, or gives what it had."""
    rng = random.Random(seed)
    path, changed = runner.folder / "flips.vault", runner.folder / "changed.vault"
    runner.run("run", source, runner.folder / "flips.jsonl", "--vault", path)
    rows = [row.data for row in Vault(path, KEY).read_all()]
    raw = path.read_bytes()
    noticed = failed = 0
    for _ in tqdm(range(flips), "flips", leave=False):
        data = bytearray(raw)
        bit = rng.randrange(8 * len(raw))
        data[bit // 8] ^= 1 << bit % 8
        changed.write_bytes(data)
        vault = Vault(changed, KEY)
        try:
            vault.verify()
            failed += [row.data for row in vault.read_all()] != rows
        except (VaultError, OSError):
            noticed += 1
    return {"flips": flips, "noticed": noticed, "failed": failed}


def tables(texts: Sequence[str], folder: Path) -> Iterator[Path]:
    """Tables in several dialects."""
    for delimiter in (",", ";", "\t"):
        for end in ("\n", "\r\n"):
            path = folder / f"table{delimiter}{len(end)}.csv"
            with path.open("w", encoding="utf8", newline="") as file:
                # Or a carriage return before a line feed would end the line.
                writer = csv.writer(
                    file,
                    delimiter=delimiter,
                    lineterminator=end,
                    quoting=csv.QUOTE_ALL,
                )
                writer.writerow(["doc_id", "text", "note"])
                for i, text in enumerate(texts):
                    writer.writerow([i, text, text.partition("\n")[0][:40] + "\r"])
            yield path


def check_round_trips(runner: Runner, texts: Sequence[str]) -> dict[str, int]:
    """Tables in several dialects, plain text, and JSON lines, there and back."""
    sources = [runner.write("trip.jsonl", texts)]
    sources += tables(texts, runner.folder)
    for i, text in enumerate(texts[:10]):
        sources.append(runner.folder / f"trip{i}.txt")
        sources[-1].write_bytes(text.encode())
    failed = 0
    for source in tqdm(sources, "round trips", leave=False):
        masked, back = (source.with_stem(f"{source.stem}-{n}") for n in ("out", "back"))
        vault = source.with_suffix(".vault")
        runner.run("run", source, masked, "--vault", vault)
        runner.run("restore", masked, back, "--vault", vault)
        failed += content(source) != content(back)
    return {"files": len(sources), "failed": failed}


def check_determinism(runner: Runner, source: Path) -> dict[str, int]:
    """The same run with other hash seeds and processes."""
    found = set()
    settings = [(seed, n) for seed in (0, 1, 2) for n in (1, 2)]
    for seed, n_process in tqdm(settings, "determinism", leave=False):
        out, audit = runner.folder / "same.jsonl", runner.folder / "same.audit"
        args = ("run", source, out, "--audit", audit, "--n-process", n_process)
        runner.run(*args, seed=seed)
        found.add((out.read_bytes(), audit.read_bytes()))
        out.unlink()
        audit.unlink()
    return {"runs": len(settings), "failed": len(found) - 1}


def check_memory(runner: Runner, texts: Sequence[str]) -> dict[str, Any]:
    """Peak memory for a number of documents and for eight times as many."""
    few = runner.write("few.jsonl", texts)
    many = runner.write(
        "many.jsonl", [f"{text} {i}" for i in range(8) for text in texts]
    )
    small, large = (
        runner.run("run", path, path.with_suffix(".out.jsonl")) for path in (few, many)
    )
    ratio = round(large / small, 3)
    return {
        "mib": small,
        "mib_of_8_times": large,
        "ratio": ratio,
        "failed": ratio > 1.25,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--data", type=Path, help="folder of corpora")
    parser.add_argument("--documents", type=int, default=600)
    parser.add_argument("--kills", type=int, default=96)
    parser.add_argument("--flips", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()

    texts = read_documents(args.data, args.documents)
    results: dict[str, dict[str, Any]] = {"survivors": check_survivors(texts)}
    with tempfile.TemporaryDirectory() as name:
        runner = Runner(Path(name))
        few = [text for text in texts if len(text) < 20_000][:200]
        source = runner.write("source.jsonl", few)
        results["kills"] = check_kills(runner, source, args.kills, args.seed)
        results["flips"] = check_flips(runner, source, args.flips, args.seed)
        results["round_trips"] = check_round_trips(runner, few[:50])
        results["determinism"] = check_determinism(runner, source)
        results["memory"] = check_memory(runner, few)
    for check, found in results.items():
        told = ", ".join(f"{name} {value}" for name, value in found.items())
        print(f"{check:12} {told}")
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(results, indent=2) + "\n", "utf8")
    sys.exit(any(found["failed"] for found in results.values()))


if __name__ == "__main__":
    main()
