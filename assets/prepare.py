"""JSON lines of corpora, from the files that their publishers have.

    python assets/prepare.py PATH [PATH ...] [--open DATA]

PATH is DATA/CORPUS/PART.jsonl. A file that is there is taken as it is; of others
`prepare.tsv` says from which files below `assets/sources` they are made, which
`spacy project assets` fetches. Before, each of these is held against its checksum; one
that differs is removed, so that it is fetched again. `--open`: besides, what
`open_corpora.tsv` (`open_corpora_LANG.tsv`) names; what is not there and can't be made is
named and passed by.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree.ElementTree import ParseError

import srsly
from layouts import LAYOUTS

from spacy_deid.corpora.files import InputError
from spacy_deid.gazetteers.names import given_names

Record = dict[str, Any]
Row = dict[str, str]

ASSETS = Path(__file__).parent
SOURCES = ASSETS / "sources"
TABLE = ASSETS / "prepare.tsv"
OPEN_TABLE = ASSETS / "open_corpora.tsv"
RAW = "raw/"
TITLES = "Mr Mrs Ms Miss Dr Prof Professor Doctor Sir".split()


class Problem(Exception):
    """What a user can solve. The message holds no text of a document."""


def read_table(path: Path) -> list[Row]:
    lines = (line for line in path.open(encoding="utf8") if not line.startswith("#"))
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


# --------------------------------------------------------------------------
# Publishers' files


def read_assets() -> dict[Path, Record]:
    """Assets of all projects by the place they are fetched to, with their project."""
    found = {}
    top = ASSETS.parent
    for file in [top / "project.yml", *sorted(top.glob("projects/*/project.yml"))]:
        if file.is_file():
            for asset in srsly.read_yaml(file).get("assets", ()):
                place = (file.parent / asset["dest"]).resolve()
                found[place] = {**asset, "project": file.parent}
    return found


def check(file: Path, asset: Record) -> None:
    """Remove a file that is not what its publisher has.

    RAISES (Problem): If it was none.
    """
    if not _is_whole(file, asset):
        file.unlink()
        raise Problem(
            f"{file}: not the file that {asset['project'] / 'project.yml'} names, or not "
            f"all of it; it was removed. {_fetch(asset)}"
        )


def _fetch(asset: Record) -> str:
    return f"Fetch it with `python -m spacy project assets {asset['project']}`"


def _is_whole(file: Path, asset: Record) -> bool:
    if "checksum" in asset:
        return hashlib.md5(file.read_bytes()).hexdigest() == asset["checksum"]
    if "git_blob" in asset:
        content = file.read_bytes()
        head = f"blob {len(content)}\0".encode()
        return hashlib.sha1(head + content).hexdigest() == asset["git_blob"]
    if file.suffix == ".zip":
        # The archive is made when somebody asks for it: it has no checksum, but names the
        # commit, and has one of each file.
        try:
            with zipfile.ZipFile(file) as archive:
                commit = asset["url"].rpartition("/")[2].encode()
                return archive.comment == commit and archive.testzip() is None
        except (zipfile.BadZipFile, zlib.error, EOFError):
            return False
    return True


def open_files(spec: str, scratch: Path, assets: dict[Path, Record]) -> list[Path]:
    """Files that an entry of the table stands for, those of an archive unpacked.

    RAISES (Problem): If there are none.
    """
    name, _, pattern = spec.partition(":")
    file = (SOURCES / name).resolve()
    asset = assets.get(file)
    if not file.is_file():
        hint = _fetch(asset) if asset else f"Put a copy to {file}"
        raise Problem(f"neither it nor {file} is there. {hint}")
    if asset:
        check(file, asset)
    if not pattern:
        return [file]
    found = []
    matches = re.compile(
        re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    )
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            # Below the folder that has the name of the repository.
            inside = member.filename.partition("/")[2]
            if not member.is_dir() and matches.fullmatch(inside):
                found.append(Path(archive.extract(member, scratch)))
    if not found:
        raise Problem(f"{file}: no {pattern} in it; it is not the archive expected")
    return sorted(found)


# --------------------------------------------------------------------------
# Records


def read_options(text: str) -> tuple[Record, Record]:
    """Options of the layout, and those of all layouts."""
    own: Record = {}
    common: Record = {}
    for option in text.split():
        name, _, value = option.partition("=")
        if name == "take":
            first, last = value.split(":")
            common[name] = range(int(first or 0), int(last or sys.maxsize))
        elif name == "rename":
            common[name] = dict(pair.rsplit("=", 1) for pair in value.split(","))
        elif name == "longest":
            common[name] = int(value)
        else:
            own[name] = json.loads(value) if re.fullmatch(r"true|\d+", value) else value
    return own, common


def finish(
    records: Iterable[Record],
    key: str,
    take: range = range(sys.maxsize),
    rename: dict[str, str] | None = None,
    longest: int = 0,
) -> Iterator[Record]:
    """Records as they are written, with their spans held against the text."""
    # A document may have several records, one an annotator.
    documents = groupby(records, key=lambda record: record["doc_id"])
    for number, (_, annotators) in enumerate(documents):
        for record in annotators if number in take else ():
            if key.startswith(RAW):
                yield from _finish_raw(record, longest)
            elif "entity_mentions" in record:
                _finish_mentions(record, rename or {})
                yield {**record, "dataset_type": key.rpartition("/")[2]}
            else:
                yield record


def _finish_mentions(record: Record, rename: dict[str, str]) -> None:
    text = record["text"]
    for m in record["entity_mentions"]:
        start, end = m["start_offset"], m["end_offset"]
        if not 0 <= start < end <= len(text):
            raise ValueError("a span is not in its text")
        m["span_text"] = text[start:end]
        name = f"{m['entity_type']}/{m['span_text'].lower()}"
        m["entity_type"] = rename.get(name, m["entity_type"])


def _finish_raw(record: Record, longest: int) -> Iterator[Record]:
    """Pieces of a text; `name_like`: whether somebody seems to be named in it."""
    for number, piece in enumerate(cut(record["text"].strip(), longest)):
        yield {
            "doc_id": f"{record['doc_id']}-{number}" if longest else record["doc_id"],
            "dataset_type": "raw",
            "text": piece,
            "entity_mentions": [],
            "name_like": is_name_like(piece),
        }


def cut(text: str, longest: int) -> Iterator[str]:
    """Pieces that end with a line, or with a word if a line is too long."""
    while longest and len(text) > longest:
        end = text.rfind("\n", 0, longest)
        if end <= 0:
            end = text.rfind(" ", 0, longest)
        end = end if end > 0 else longest
        yield text[:end].rstrip()
        text = text[end:].lstrip()
    if text:
        yield text


@cache
def _called() -> re.Pattern[str]:
    first = "|".join(map(re.escape, {*given_names(), *TITLES}))
    return re.compile(rf"\b(?:{first})\.? (?=[A-Z][a-z])")


def is_name_like(text: str) -> bool:
    """Whether a given name or a title stands before a capitalised word (Latin script)."""
    return _called().search(text) is not None


# --------------------------------------------------------------------------
# Outputs


def make(target: Path, table: list[Row], assets: dict[Path, Record]) -> int:
    """Make a file of JSON lines, complete or not at all.

    RETURNS (int): The number of its records.
    RAISES (Problem): If it can't be made.
    """
    key = "/".join(target.with_suffix("").parts[-2:])
    rows = [row for row in table if row["output"] == key]
    if not rows or target.suffix != ".jsonl":
        known = f"{TABLE.name} does not say how to make it"
        raise Problem(f"{target}: not there, and {known}; put a copy in its place")
    part = target.with_name(target.name + ".part")
    with TemporaryDirectory() as scratch:
        try:
            sources = []
            for number, row in enumerate(rows):
                # All of them there and whole, before anything is written.
                folder = Path(scratch) / str(number)
                specs = row["files"].split()
                sources.append(
                    [f for s in specs for f in open_files(s, folder, assets)]
                )
            target.parent.mkdir(parents=True, exist_ok=True)
            count = _write(part, key, rows, sources)
            if not count:
                raise Problem("there are no documents in its sources")
            part.replace(target)
        except (Problem, InputError) as error:
            raise Problem(f"{target}: {error}") from None
        except OSError as error:
            raise Problem(f"{error.filename or target}: {error.strerror}") from None
        finally:
            part.unlink(missing_ok=True)
    return count


def _write(part: Path, key: str, rows: list[Row], sources: list[list[Path]]) -> int:
    count = 0
    with part.open("w", encoding="utf8") as stream:
        for row, files in zip(rows, sources):
            own, common = read_options(row["options"] or "")
            for record in finish(_read(row, files, own), key, **common):
                stream.write(json.dumps(record, ensure_ascii=False) + "\n")
                count += 1
    return count


def _read(row: Row, files: list[Path], options: Record) -> Iterator[Record]:
    """Records of a layout; whatever it stumbles over is a problem of the files."""
    try:
        yield from LAYOUTS[row["layout"]](files, **options)
    except InputError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, ParseError, csv.Error):
        raise Problem(
            f"{row['files']} is not in the layout '{row['layout']}'; remove it from "
            f"{SOURCES} and fetch it again"
        ) from None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--open", type=Path, metavar="DATA")
    parser.add_argument("--lang", default="en", help="whose table of open corpora")
    args = parser.parse_args()
    table, assets = read_table(TABLE), read_assets()
    wanted = dict.fromkeys(args.paths, True)
    if args.open is not None:
        ending = "" if args.lang == "en" else f"_{args.lang}"
        for row in read_table(OPEN_TABLE.with_stem(f"open_corpora{ending}")):
            part = "" if "/" in row["corpus"] else "/train"
            wanted.setdefault(args.open / f"{row['corpus']}{part}.jsonl", False)
    problems = []
    for path, needed in wanted.items():
        if path.exists():
            print(f"{path}: there, taken as it is")
            continue
        try:
            print(f"{path}: {make(path, table, assets):,} documents")
        except Problem as problem:
            problems += [str(problem)] if needed else []
            print(problem if needed else f"{problem} (passed by)", file=sys.stderr)
    if problems:
        sys.exit(1)


if __name__ == "__main__":
    main()
