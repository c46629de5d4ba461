"""Megabytes a second and memory of the two passes over a Wikidata dump.

    python benchmarks/dump.py --output metrics/dump.json

The dump is synthetic, made in the format of 2026 with entities of the kinds and sizes
of the real ones: people, articles, taxa, places and others, with labels in many
languages, qualifiers, references and site links. 2,000 different entities are repeated
under other ids; no compressor looks back that far. Speeds are those of uncompressed
bytes; each run is a process of its own, and the fastest of the rounds counts. Hours
are an estimate: a full dump of 1.5 TB, at the measured speed. The speed of both passes
together for a second of CPU time says what idle cores would do where others work on
the machine. Memory is the peak of the whole run: the main process and, times their
number, the largest of the others; shared pages count in each of them. A dump of a
tenth of the size is read for its memory only.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import multiprocessing
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spacy_deid.gazetteers.wikidata.dump import DumpSource
from spacy_deid.gazetteers.wikidata.values import load_properties

FULL_DUMP = 1.5e12  # bytes without compression, 2026
N_DIFFERENT = 2000
LANGUAGES = (
    "en de fr es ru nl it pl pt sv ja zh ar uk ca fa cs hu ko fi vi no da tr ro eu he "
    "el sr bg id sk et hr sl lt lv ast arz ga sq nb nn af cy gl eo mk hy ka"
).split()
SCRIPTS = {
    "ru": 0x430,
    "uk": 0x430,
    "bg": 0x430,
    "sr": 0x430,
    "mk": 0x430,
    "ar": 0x627,
    "arz": 0x627,
    "fa": 0x627,
    "he": 0x5D0,
    "el": 0x3B1,
    "ja": 0x3042,
    "zh": 0x4E00,
    "ko": 0xAC00,
    "hy": 0x561,
    "ka": 0x10D0,
}
# Share of all entities, languages with a label, statements of items, of external ids,
# of texts and dates, references for each, site links.
KINDS = {
    "person": (0.10, 20, 9, 9, 3, 0.7, 4),
    "article": (0.36, 8, 7, 3, 4, 0.8, 0),
    "taxon": (0.03, 40, 4, 9, 2, 0.7, 8),
    "place": (0.16, 14, 4, 3, 3, 0.7, 3),
    "star": (0.08, 4, 4, 4, 6, 1.0, 0),
    "category": (0.06, 24, 2, 0, 0, 0.1, 8),
    "other": (0.21, 6, 4, 3, 2, 0.6, 1),
}
PERSON_ITEMS = "P21 P106 P39 P1412 P103 P140 P166 P101 P512 P27 P19 P69 P735".split()
OTHER_ITEMS = "P17 P131 P361 P50 P1433 P921 P407 P276 P171 P105 P59 P397".split()
TEXTS = ("P1476", "P1449", "P225")
REFERENCES = 200


class Maker:
    """Makes entities.

    seed (int): Seed of everything random.
    """

    def __init__(self, seed: int = 0):
        self.random = random.Random(seed)
        self.words = [self._word(0x61) for _ in range(4000)]
        self.pools: dict[str, list[str]] = {}
        self.descriptions: dict[str, list[str]] = {}
        self.references = [self._reference() for _ in range(REFERENCES)]

    def _word(self, start: int) -> str:
        chars = range(start, start + 24)
        return "".join(self.random.choices([chr(c) for c in chars], k=7))

    def text(self, language: str, n: int) -> str:
        words = self.words
        if language in SCRIPTS:
            if language not in self.pools:
                start = SCRIPTS[language]
                self.pools[language] = [self._word(start) for _ in range(400)]
            words = self.pools[language]
        return " ".join(self.random.choice(words).capitalize() for _ in range(n))

    def description(self, language: str) -> str:
        """One of a few: most descriptions stand with thousands of items."""
        if language not in self.descriptions:
            self.descriptions[language] = [self.text(language, 5) for _ in range(20)]
        return self.random.choice(self.descriptions[language])

    def digits(self, n: int) -> str:
        return f"{self.random.getrandbits(4 * n):0{n}x}"

    def zipf(self, top: int) -> int:
        return int(top ** self.random.random()) + 10

    def item(self, property_: str, number: int) -> dict[str, Any]:
        value = {"entity-type": "item", "numeric-id": number, "id": f"Q{number}"}
        return self.snak(property_, "wikibase-item", "wikibase-entityid", value)

    def snak(self, property_: str, datatype: str, form: str, value: Any) -> dict:
        return {
            "snaktype": "value",
            "property": property_,
            "datavalue": {"value": value, "type": form},
            "datatype": datatype,
        }

    def date(self, property_: str) -> dict[str, Any]:
        year = self.random.randint(1500, 2025)
        return self.snak(
            property_,
            "time",
            "time",
            {
                "time": f"+{year}-{self.random.randint(1, 12):02}-01T00:00:00Z",
                "timezone": 0,
                "before": 0,
                "after": 0,
                "precision": 11,
                "calendarmodel": "http://www.wikidata.org/entity/Q1985727",
            },
        )

    def _reference(self) -> dict[str, Any]:
        url = f"https://www.{self._word(0x61)}.org/{self._word(0x61)}"
        snaks = {
            "P248": [self.item("P248", self.zipf(1 << 26))],
            "P854": [self.snak("P854", "url", "string", url)],
            "P813": [self.date("P813")],
        }
        return {"hash": self.digits(40), "snaks": snaks, "snaks-order": list(snaks)}

    def statement(self, id_: str, snak: dict[str, Any], share: float) -> dict[str, Any]:
        parts = (8, 4, 4, 4, 12)
        uuid = "-".join(self.digits(n) for n in parts).upper()
        out = {
            "mainsnak": snak,
            "type": "statement",
            "id": f"{id_}${uuid}",
            "rank": "preferred" if self.random.random() < 0.03 else "normal",
        }
        if self.random.random() < 0.15:
            qualifier = {**self.date("P580"), "hash": self.digits(40)}
            out["qualifiers"] = {"P580": [qualifier]}
            out["qualifiers-order"] = ["P580"]
        if self.random.random() < share:
            n = int(self.random.random() ** 3 * REFERENCES)
            out["references"] = [self.references[n]]
        return out

    def entity(self, number: int) -> dict[str, Any]:
        kinds = list(KINDS)
        shares = [KINDS[kind][0] for kind in kinds]
        kind = self.random.choices(kinds, shares)[0]
        _, languages, items, ids, others, share, links = KINDS[kind]
        vary = self.random.lognormvariate(0, 0.5)
        id_ = f"Q{number}"
        chosen = LANGUAGES[: max(1, min(len(LANGUAGES), int(languages * vary)))]
        name = self.text("en", 2 if kind == "person" else 4)
        labels, descriptions, aliases = {}, {}, {}
        for code in chosen:
            own = name if code not in SCRIPTS else self.text(code, 2)
            labels[code] = {"language": code, "value": own}
            descriptions[code] = {"language": code, "value": self.description(code)}
            if self.random.random() < 0.2:
                aliases[code] = [{"language": code, "value": self.text(code, 2)}]
        classes = {"person": 5, "article": 13442814, "taxon": 16521, "place": 486972}
        snaks = [self.item("P31", classes.get(kind) or self.zipf(1 << 20))]
        properties = PERSON_ITEMS if kind == "person" else OTHER_ITEMS
        for _ in range(int(items * vary)):
            snaks.append(self.item(self.random.choice(properties), self.zipf(1 << 26)))
        for _ in range(int(ids * vary)):
            property_ = f"P{self.random.randint(200, 12000)}"
            value = str(self.random.randrange(10**9))
            snaks.append(self.snak(property_, "external-id", "string", value))
        for _ in range(int(others * vary)):
            if self.random.random() < 0.5:
                snaks.append(self.date(self.random.choice(["P569", "P570", "P577"])))
            else:
                text = self.text("en", 6)
                property_ = self.random.choice(TEXTS)
                snaks.append(self.snak(property_, "string", "string", text))
        claims: dict[str, Any] = {}
        for snak in snaks:
            claims.setdefault(snak["property"], []).append(
                self.statement(id_, snak, share)
            )
        return {
            "type": "item",
            "id": id_,
            "labels": labels,
            "descriptions": descriptions,
            "aliases": aliases,
            "claims": claims,
            "sitelinks": {
                f"{code}wiki": {"site": f"{code}wiki", "title": name, "badges": []}
                for code in chosen[: int(links * vary)]
            },
            "pageid": number + 129,
            "ns": 0,
            "title": id_,
            "lastrevid": self.random.randrange(1 << 31),
            "modified": "2026-01-05T12:00:00Z",
        }


def make_lines(size: int, seed: int = 0) -> Iterator[bytes]:
    """Lines of a dump.

    size (int): Bytes of the whole, about.
    seed (int): Seed.
    YIELDS (bytes): Lines.
    """
    maker = Maker(seed)
    lines = []
    # Odd numbers that no value has, and even ones that may be values.
    for n in range(N_DIFFERENT):
        number = n + 10
        text = json.dumps(maker.entity(number), separators=(",", ":"))
        lines.append((f'"Q{number}"'.encode(), f'"Q{number}$'.encode(), text.encode()))
    done, n = 2, 0
    yield b"[\n"
    while done < size:
        own, start, line = lines[n % N_DIFFERENT]
        new = n + 10
        if new != n % N_DIFFERENT + 10:
            line = line.replace(own, b'"Q%d"' % new).replace(start, b'"Q%d$' % new)
        n += 1
        line += b",\n" if done + len(line) < size else b"\n"
        done += len(line)
        yield line
    yield b"]\n"


def make_dump(path: Path, size: int) -> int:
    """Write a dump.

    path (Path): The file; its ending says how it is compressed.
    size (int): Bytes before compression, about.
    RETURNS (int): Bytes before compression.
    """
    openers: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open}
    total = 0
    with openers.get(path.suffix, open)(path, "wb") as file:
        for line in make_lines(size):
            total += len(line)
            file.write(line)
    return total


class TimedSource(DumpSource):
    """Notes how long the passes take."""

    def _run_pass(self, number: int, *args: Any) -> Any:
        start = time.perf_counter()
        state = super()._run_pass(number, *args)
        self.seconds = {
            **getattr(self, "seconds", {}),
            number: time.perf_counter() - start,
        }
        return state


def run_once(path: Path, n_process: int) -> None:
    """Run both passes in this process and print what was measured as JSON."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        properties = load_properties()
        before = time.process_time()
        with TimedSource(
            path, folder, properties, languages=["en", "de"], n_process=n_process
        ) as source:
            source.run()
            n_values = sum(1 for _ in source.values())
        seconds = source.seconds
        people = source.origin.details["people"]
    for process in multiprocessing.active_children():
        process.join()
    own, child = map(
        resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    spent = sum(u.ru_utime + u.ru_stime for u in (own, child)) - before
    children = (n_process - (path.suffix == ".gz")) if n_process > 1 else 0
    print(
        json.dumps(
            {
                "seconds": [seconds[1], seconds[2]],
                "cpu": spent,
                "memory": (own.ru_maxrss + children * child.ru_maxrss) * 1024,
                "people": people,
                "values": n_values,
            }
        )
    )


def measure(path: Path, n_process: int) -> dict[str, Any]:
    """Run both passes in a process of their own."""
    command = [sys.executable, __file__, "--run", str(path), str(n_process)]
    return json.loads(subprocess.check_output(command))


def show(rows: list[dict[str, Any]]) -> None:
    print(
        "| file | processes | pass 1, MB/s | pass 2, MB/s | hours, 1.5 TB "
        "| both, MB per CPU second | memory |"
    )
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        speeds = [*row["speed"], row["hours"], row["cpu_speed"]]
        cells = [f"{n:.0f}" if n >= 10 else f"{n:.1f}" for n in speeds]
        print(
            f"| {row['file']} ({row['megabytes']:.0f} MB) | {row['n_process']} | "
            + " | ".join(cells if row["timed"] else [""] * len(cells))
            + f" | {row['memory'] / 1e6:.0f} MB |"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.run:
        run_once(Path(args.run[0]), int(args.run[1]))
        return
    folder = Path(tempfile.mkdtemp(prefix="dump-"))
    rows = []
    try:
        for part in (10, 1):
            for suffix in (".json", ".gz", ".bz2"):
                path = folder / f"dump-{part}.json"
                path = path if suffix == ".json" else path.with_suffix(f".json{suffix}")
                size = make_dump(path, args.megabytes * 1_000_000 // part)
                for n_process in args.processes:
                    n_rounds = args.rounds if part == 1 else 1
                    rounds = [measure(path, n_process) for _ in range(n_rounds)]
                    best = [min(r["seconds"][n] for r in rounds) for n in (0, 1)]
                    speed = [size / seconds / 1e6 for seconds in best]
                    rows.append(
                        {
                            "file": suffix,
                            "megabytes": size / 1e6,
                            "ratio": size / path.stat().st_size,
                            "n_process": n_process,
                            "timed": part == 1,
                            "speed": speed,
                            "hours": sum(FULL_DUMP / s / 1e6 / 3600 for s in speed),
                            **rounds[-1],
                            "seconds": best,
                            "cpu_speed": size / min(r["cpu"] for r in rounds) / 1e6,
                        }
                    )
                    show(rows[-1:])
                path.unlink()
    finally:
        shutil.rmtree(folder)
    print()
    show(rows)
    print(f"\n{os.cpu_count()} cores; ratios of compression:")
    print({row["file"]: round(row["ratio"], 1) for row in rows})
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
