"""One file of JSON lines from several files or folders of documents.

    python assets/gather_texts.py OUTPUT PATH [PATH ...]

PATH is a .jsonl file, a .txt file (one document), or a folder of such files. Records keep
all that they hold; `corpus` becomes the name of folder and file, and `doc_id` that and
the record's own id or line, so that no two documents of different files are one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def main(output: str, *paths: str) -> None:
    part = Path(f"{output}.part")
    count = 0
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf8") as file:
        for path in find_files([Path(p) for p in paths]):
            for record in read_file(path):
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                count += 1
    part.replace(output)
    print(f"{count:,} documents in {output}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1].strip())
    main(*sys.argv[1:])
