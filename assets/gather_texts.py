"""One file of JSON lines from several files or folders of documents.

    python assets/gather_texts.py OUTPUT PATH [PATH ...] [--longest N] [--most N]
        [--leave-out FILE]

PATH is a .jsonl file, a .txt file (one document), or a folder of such files. Records keep
all that they hold; `corpus` becomes the name of folder and file, and `doc_id` that and
the record's own id or line, so that no two documents of different files are one. With
--longest texts are cut into pieces of so many characters, which keep nothing but `corpus`
and `text`; with --most no more than so many of a corpus are taken, of documents spread
over it. Texts of --leave-out are no part of it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from spacy_deid.corpora.silver import cut

SUFFIXES = (".jsonl", ".txt")


def find_files(paths: list[Path]) -> Iterator[Path]:
    """The files that paths stand for, those of folders in order of their names."""
    for path in paths:
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES)
        else:
            found = [path] if path.suffix in SUFFIXES else []
        if not found:
            sys.exit(f"{path}: no .jsonl or .txt file; name one, or a folder of them")
        yield from found


def read_file(path: Path) -> Iterator[dict[str, Any]]:
    """Records of a file, with `corpus` and another `doc_id`."""
    try:
        text = path.read_text("utf8")
    except UnicodeDecodeError:
        sys.exit(f"{path}: not UTF-8; save it as UTF-8")
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    corpus = f"{path.parent.name}/{path.stem}".lstrip("/")
    if path.suffix == ".txt":
        yield {"doc_id": corpus, "corpus": corpus, "text": text}
        return
    # Not `splitlines`: JSON strings may hold other characters that end a line.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            sys.exit(f"{path}, line {number}: not valid JSON ({error.msg})")
        if not isinstance(record, dict) or not isinstance(record.get("text"), str):
            sys.exit(f"{path}, line {number}: expected an object with a field 'text'")
        id_ = f"{corpus}/{record.get('doc_id', number)}"
        yield {**record, "doc_id": id_, "corpus": corpus}


def in_pieces(records: Iterable[dict], longest: int, most: int) -> Iterator[dict]:
    """Records cut up, in any order, until there are enough characters of a corpus."""
    for corpus, group in groupby(records, lambda record: record["corpus"]):
        documents, used = list(group), 0
        random.Random(0).shuffle(documents)
        for record in documents:
            for start, end in cut(record["text"], longest):
                if used > most > 0:
                    break
                used += end - start
                yield {"corpus": corpus, "text": record["text"][start:end]}


def read(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The records that are asked for."""
    left_out = set()
    if args.leave_out:
        left_out = {record["text"] for record in read_file(args.leave_out)}
    for path in find_files(args.paths):
        for record in read_file(path):
            if record["text"] not in left_out:
                yield record


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--longest", type=int, default=0)
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--leave-out", type=Path)
    args = parser.parse_args(argv)
    part = args.output.with_name(args.output.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    records = read(args)
    if args.longest:
        records = in_pieces(records, args.longest, args.most)
    count = 0
    with part.open("w", encoding="utf8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    part.replace(args.output)
    print(f"{count:,} documents in {args.output}")


if __name__ == "__main__":
    main()
