"""`spacy deid gazetteer`: terms from Wikidata, and what is compiled from them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ._errors import CliError, clean_errors, say
from .gazetteer_dump import dump_cli
from .gazetteer_sparql import sparql_cli

if TYPE_CHECKING:
    from ..gazetteers import Gazetteer

gazetteer_app = typer.Typer(
    name="gazetteer",
    help="Get terms from Wikidata and compile gazetteers of millions of terms.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
gazetteer_app.command("sparql")(sparql_cli)
gazetteer_app.command("dump")(dump_cli)


@gazetteer_app.command("compile")
def compile_cli(
    terms: Annotated[
        list[Path],
        typer.Argument(
            metavar="TERMS.jsonl... OUT",
            help="Files of terms, then the file to write",
        ),
    ],
    languages: Annotated[
        str | None,
        typer.Option(
            "--languages",
            metavar="CODES",
            help="Languages of the terms with commas between: their regular plurals are "
            "found, their everyday words suspected (default: those of the manifest, or "
            "en)",
        ),
    ] = None,
    frequencies: Annotated[
        list[Path] | None,
        typer.Option(
            "--frequencies",
            metavar="FILE",
            help="Table of everyday words and their Zipf values (TSV); may be repeated",
        ),
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            "--corpus",
            metavar="FILE",
            help="Raw text to count everyday words in (.txt, or .jsonl with 'text'); "
            "may be repeated",
        ),
    ] = None,
    min_count: Annotated[
        int,
        typer.Option(
            "--min-count", min=0, help="Leave out terms that fewer people bear"
        ),
    ] = 0,
) -> None:
    """Compile terms into one file that is mapped into memory.

    Lines of TERMS.jsonl: {"term", "label", "id", "property", "count"}; all but the first
    may be missing.
    """
    run_compile(terms, languages, frequencies or [], corpus or [], min_count)


@clean_errors
def run_compile(
    paths: list[Path],
    languages: str | None,
    frequencies: list[Path],
    corpus: list[Path],
    min_count: int,
) -> int:
    """Run the command.

    paths (list[Path]): Files of terms, and the file to write.
    languages (Optional[str]): Languages with commas between.
    frequencies (list[Path]): Tables of everyday words.
    corpus (list[Path]): Raw texts.
    min_count (int): Terms that fewer people bear are left out.
    RETURNS (int): Exit status.
    """
    from ..gazetteers import Compiler, GazetteerError

    *inputs, out = paths
    if not inputs:
        raise CliError("name the file of terms and the file to write")
    if out.suffix == ".jsonl" or out.is_dir():
        raise CliError(f"{out}: the last argument is the file to write, such as my.gaz")
    for path in (*inputs, *frequencies, *corpus):
        _check_input(path)
    _check_output(out)
    manifests = [_manifest(path) for path in inputs]
    codes = _languages(languages, manifests)
    try:
        compiler = Compiler(_frequencies(codes, frequencies, corpus), codes)
        most = _add_all(compiler, inputs, min_count)
        people = [_people(manifest) for manifest in manifests]
        # The value that most people bear, a gender, stands for them all.
        compiler.humans = max([most, *people])
        size = compiler.write(out, {"sources": [m for m in manifests if m]})
    except GazetteerError as error:
        names = ", ".join(path.name for path in inputs)
        raise CliError(f"{names}: {error}") from error
    say(f"{len(compiler):,} terms, {size / 1e6:.1f} MB, in {out}")
    if compiler.skipped:
        say(f"{compiler.skipped:,} terms left out: no letters or digits, or too long")
    return 0


def _check_input(path: Path) -> None:
    if path.is_dir():
        raise CliError(f"{path}: is a folder")
    if not path.is_file():
        raise CliError(f"no such file: {path}")


def _check_output(out: Path) -> None:
    """A list whose name was given last must not be lost."""
    from ..gazetteers.compiled import MAGIC

    if not out.parent.is_dir():
        raise CliError(f"{out}: the folder {out.parent} does not exist")
    if not os.access(out.parent, os.W_OK):
        raise CliError(f"{out}: no permission to write to {out.parent}")
    if not out.exists():
        return
    if not out.is_file():
        raise CliError(f"{out}: is no file")
    with out.open("rb") as file:
        start = file.read(len(MAGIC))
    if start and start != MAGIC:
        raise CliError(
            f"{out}: is there and is no compiled gazetteer; name another file to write, "
            "or delete it"
        )


def _add_all(compiler: Any, inputs: Iterable[Path], min_count: int) -> int:
    """Add the terms of some files; returns the highest count."""
    from tqdm import tqdm

    from ..gazetteers import GazetteerError
    from ..gazetteers.compiled import read_entries

    most = 0
    for path in inputs:
        with tqdm(unit=" terms", desc=path.name, disable=None) as bar:
            for n, entry in read_entries(path):
                if entry.people >= min_count:
                    try:
                        compiler.add(entry)
                    except GazetteerError as error:
                        raise CliError(f"{path}, line {n}: {error}") from error
                    most = max(most, entry.people)
                bar.update()
    return most


def _manifest(path: Path) -> Mapping[str, Any]:
    """The manifest of a file of terms; empty if there is none."""
    from ..gazetteers.wikidata.values import manifest_path

    path = manifest_path(path)
    if not path.is_file():
        return {}
    try:
        manifest = json.loads(path.read_text(encoding="utf8"))
        if not isinstance(manifest, dict):
            raise ValueError
    except ValueError as error:
        raise CliError(
            f"{path}: not a manifest; delete it, or write the terms again"
        ) from error
    return manifest


def _people(manifest: Mapping[str, Any]) -> int:
    people = manifest.get("people", 0)
    return people if isinstance(people, int) and people > 0 else 0


def _languages(
    languages: str | None, manifests: Iterable[Mapping[str, Any]]
) -> list[str]:
    from ..gazetteers.wikidata.values import parse_languages

    if languages is not None:
        try:
            return list(parse_languages(languages))
        except ValueError as error:
            raise CliError(f"--languages: {error}") from error
    known = [
        str(code)
        for manifest in manifests
        for code in manifest.get("languages") or ()
        if isinstance(manifest["languages"], list)
    ]
    return list(dict.fromkeys(known)) or ["en"]


def _frequencies(
    codes: Iterable[str], tables: Iterable[Path], corpus: list[Path]
) -> dict[str, float]:
    """Zipf values from the package, from tables and from raw text: the highest."""
    from ..gazetteers.frequencies import (
        count_words,
        everyday_words,
        read_frequencies,
        read_texts,
    )

    out: dict[str, float] = {}
    sources: list[Mapping[str, float]] = [
        everyday_words(code.partition("-")[0]) for code in codes
    ]
    try:
        sources += [read_frequencies(path) for path in tables]
        if corpus:
            texts = (text for path in corpus for text in read_texts(path))
            sources.append(count_words(texts, 3))
    except ValueError as error:
        raise CliError(str(error)) from error
    for source in sources:
        for word, value in source.items():
            out[word] = max(value, out.get(word, 0.0))
    return out


@gazetteer_app.command("info")
def info_cli(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Compiled gazetteer")],
    term: Annotated[
        str | None, typer.Option("--term", help="Show the entries of a term")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON")] = False,
) -> None:
    """What a compiled gazetteer holds and where it comes from; checks the whole file."""
    run_info(path, term, as_json)


@clean_errors
def run_info(path: Path, term: str | None, as_json: bool) -> int:
    """Run the command.

    path (Path): Compiled gazetteer.
    term (Optional[str]): Term to look up.
    as_json (bool): Whether to write JSON.
    RETURNS (int): Exit status: 1 if the term isn't there.
    """
    from ..gazetteers import Gazetteer, GazetteerError

    _check_input(path)
    try:
        gazetteer = Gazetteer.load(path)
        gazetteer.check()
    except GazetteerError as error:
        raise CliError(str(error)) from error
    if term is not None:
        entries = gazetteer.get(term)
        for entry in entries:
            row = {"term": entry.term, "label": entry.label, "id": entry.id}
            row |= {"property": entry.property, "count": entry.people}  # type: ignore[dict-item]
            shown = f"{entry.term}: {entry.label}, {gazetteer.describe(entry)}"
            print(json.dumps(row, ensure_ascii=False) if as_json else shown)
        if not entries:
            say(f"'{term}' is not in {path.name}")
        return int(not entries)
    facts = summarize(gazetteer, path.stat().st_size)
    if as_json:
        print(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(facts)))
    return 0


def summarize(gazetteer: Gazetteer, size: int) -> dict[str, Any]:
    """What a gazetteer holds.

    gazetteer (Gazetteer): The gazetteer.
    size (int): Bytes of its file.
    RETURNS (dict): `terms`, `entries`, `bytes`, `languages`, `humans`, `labels` and
        `properties` (entries by each), `sources` (manifests).
    """
    return {
        "terms": len(gazetteer),
        "entries": gazetteer.header["entries"],
        "bytes": size,
        "languages": list(gazetteer.languages),
        "humans": gazetteer.header["humans"],
        "longest": gazetteer.header["max_words"],
        "labels": gazetteer.counts("label"),
        "properties": gazetteer.counts("property"),
        "sources": gazetteer.header["info"].get("sources", []),
    }


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    yield f"Terms       {facts['terms']:,} ({facts['entries']:,} entries)"
    yield f"Size        {facts['bytes'] / 1e6:.1f} MB"
    yield f"Languages   {', '.join(facts['languages']) or 'none'}"
    yield f"Longest     {facts['longest']} words"
    yield (
        f"People      {facts['humans']:,}" if facts["humans"] else "People      unknown"
    )
    for label, n in facts["labels"].items():
        yield f"{label:<11} {n:,}"
    for prop, n in list(facts["properties"].items())[:20]:
        yield f"  {prop or '(none)':<9} {n:,}"
    if len(facts["properties"]) > 20:
        yield f"  and {len(facts['properties']) - 20} more properties"
    for source in facts["sources"]:
        what = (source.get(key) for key in ("source", "location", "date"))
        yield f"Source      {', '.join(str(w) for w in what if w)}"
