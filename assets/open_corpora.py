"""Open corpora of many genres as one file of partly annotated JSON lines.

    python assets/open_corpora.py DATA OUTPUT [--held-out FILE] [--lang en]

DATA has a folder a corpus with JSON lines of `train.jsonl`, or the file that the table
names (`raw/KIND`); one that is missing is named and passed by. `open_corpora.tsv` says
what their labels mean (`open_corpora_de.tsv` for German). Each record has the field
`covers`: types that its annotators marked completely; outside of the spans others are
unknown. Spans of unknown type ("*") and long documents are cut out with the lines they
stand in. Of raw texts the last tenth of each kind is held out, for measuring. Beside them
stands what machines write and nobody reads: dumps, keys, tables of figures, without
anybody in them.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import string
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Documents are cut after so many characters, at a line's end.
LONGEST = 6000
HELD_OUT = 10
# Documents of what machines write.
DUMPS = 600
COVERED = ("PERSON", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC")
# Characters at random, and whether they may be somebody's code, as what looks like a key.
_SCRIPTS = ((0x61, 0x7B), (0xC0, 0x250), (0x370, 0x530), (0x5D0, 0x650), (0x900, 0xE00),
            (0x1000, 0x1200), (0x2190, 0x2600), (0x1D400, 0x1D800))  # fmt: skip
_SEPARATORS = " -./:,;#@_+&%=?!'|\\~*"
ALPHABETS = (
    (string.ascii_letters + string.digits, True),
    (string.ascii_uppercase + string.digits * 2 + " -", True),
    ("0123456789abcdef" * 2 + ":::....", True),
    (string.printable[:94] + "  ", False),
    (string.digits * 2 + "()[]{}<>   -", False),
    (string.digits * 3 + _SEPARATORS, False),
    (string.ascii_letters + "....@@@---", False),
    ("".join(map(chr, range(0xC0, 0x530))) + "    ", False),
    ("".join(chr(c) for a, b in _SCRIPTS for c in range(a, b, 7)) + 40 * " ", False),
    (
        string.printable + "٣４９𝟗०－／．＠：　éßÑİſжЖ中\u00a0\u00ad\u200b\u200d\ufeff",
        False,
    ),
)


def read_table(lang: str) -> dict[str, dict[str, Any]]:
    name = "open_corpora.tsv" if lang == "en" else f"open_corpora_{lang}.tsv"
    file = Path(__file__).with_name(name).open(encoding="utf8")
    lines = (x for x in file if not x.startswith("#"))
    out: dict[str, dict[str, Any]] = {}
    for row in csv.DictReader(lines, delimiter="\t"):
        corpus = out.setdefault(row["corpus"], {"labels": {}})
        if row["label"]:
            corpus["labels"][row["label"]] = row["type"]
        else:
            corpus["covers"] = row["type"].split()
            corpus["take"] = int(row["take"] or 0)
    return out


def pieces(record: dict[str, Any], labels: dict[str, str]) -> Iterator[dict[str, Any]]:
    """The document, or pieces of a long one, without lines that hold a span of unknown
    type."""
    text = record["text"]
    mentions = [m for m in record["entity_mentions"] if not m.get("nominal")]
    unknown = [m for m in mentions if labels.get(m["entity_type"]) == "*"]
    kept, at = [], 0
    for line in text.splitlines(keepends=True):
        span = (at, at + len(line))
        at = span[1]
        if not any(
            m["start_offset"] < span[1] and span[0] < m["end_offset"] for m in unknown
        ):
            kept.append(span)
    groups: list[list[tuple[int, int]]] = []
    for start, end in kept:
        last = groups[-1] if groups else []
        if not last or last[-1][1] != start or end - last[0][0] > LONGEST:
            groups.append([])
        groups[-1].append((start, end))
    for group in groups:
        start, end = group[0][0], group[-1][1]
        inside = [
            {
                "start_offset": m["start_offset"] - start,
                "end_offset": m["end_offset"] - start,
                "entity_type": labels[m["entity_type"]],
            }
            for m in mentions
            if labels.get(m["entity_type"], "*") != "*"
            and start <= m["start_offset"]
            and m["end_offset"] <= end
        ]
        if text[start:end].strip():
            yield {"text": text[start:end], "entity_mentions": inside}


def _dump(rng: random.Random) -> tuple[str, bool]:
    """Figures and letters as machines write them; whether they may be a code."""
    size, width = rng.randrange(80, 1200), rng.choice([16, 32, 64, 76])
    data = rng.randbytes(size)
    kind = rng.randrange(10)
    if kind == 0:
        text = b64encode(data).decode()
        lines = [text[i : i + width] for i in range(0, len(text), width)]
        name = rng.choice(["CERTIFICATE", "PUBLIC KEY", "MESSAGE"])
        lines = [f"-----BEGIN {name}-----", *lines, f"-----END {name}-----"]
    elif kind == 1:
        rows = [data[i : i + 16] for i in range(0, size, 16)]
        lines = [f"{16 * i:08x}  {r.hex(' ')}" for i, r in enumerate(rows)]
    elif kind == 2:
        rows = [data[i : i + 20] for i in range(0, size, 20)]
        lines = [f"{r.hex()}  part-{i:04}.bin" for i, r in enumerate(rows)]
    elif kind == 3:
        digits = rng.randrange(4)
        rows = [rng.choices(range(-900, 9900), k=8) for _ in range(size // 40)]
        lines = [",".join(f"{x / 100:.{digits}f}" for x in row) for row in rows]
    else:
        alphabet, maybe = rng.choice(ALPHABETS)
        return "".join(rng.choices(alphabet, k=size)), maybe
    return "\n".join(lines), kind < 3


def machine_text(n: int) -> Iterator[dict[str, Any]]:
    """Documents of dumps alone, with nobody in them: no more than a code could be there."""
    rng = random.Random(0)
    for i in range(n):
        text, maybe = _dump(rng)
        yield {
            "doc_id": f"dumps/{i}",
            "text": text,
            "entity_mentions": [],
            "covers": [*COVERED] if maybe else [*COVERED, "CODE"],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--held-out", type=Path, help="raw texts kept for measuring")
    parser.add_argument("--lang", default="en")
    args = parser.parse_args()
    written, held_out = [], []
    for corpus, entry in read_table(args.lang).items():
        raw = corpus.startswith("raw/")
        path = args.data / f"{corpus if '/' in corpus else f'{corpus}/train'}.jsonl"
        if not path.exists():
            print(f"{path}: not there, passed by")
            continue
        records = [json.loads(line) for line in path.open(encoding="utf8")]
        if raw:
            records = [r for r in records if r.get("name_like") is False]
            cut = len(records) - len(records) // HELD_OUT
            held_out += [{**r, "corpus": corpus} for r in records[cut:]]
            records = records[:cut]
        # Evenly over the file, whose order may mean something.
        step = len(records) / entry["take"] if entry["take"] else 1.0
        chosen = (
            [records[int(i * step)] for i in range(int(len(records) / max(step, 1.0)))]
            if step > 1
            else records
        )
        documents = spans = words = 0
        for record in chosen:
            for i, piece in enumerate(pieces(record, entry["labels"])):
                piece["doc_id"] = f"{corpus}/{record['doc_id']}/{i}"
                piece["covers"] = entry["covers"]
                written.append(piece)
                documents += 1
                spans += len(piece["entity_mentions"])
                words += len(piece["text"].split())
        print(f"{corpus}: {documents} documents, {words} words, {spans} spans")
    written += machine_text(DUMPS)
    for file, rows in ((args.output, written), (args.held_out, held_out)):
        if file is not None:
            with file.open("w", encoding="utf8") as stream:
                stream.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
