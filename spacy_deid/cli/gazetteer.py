"""`spacy deid gazetteer`: terms from Wikidata, and what is compiled from them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from tqdm import tqdm

from ..gazetteers import Compiler, Gazetteer, GazetteerError
from ..gazetteers.compiled import MAGIC
from ..gazetteers.entries import read_entries
from ..gazetteers.frequencies import count_words, everyday_words, read_frequencies
from ..gazetteers.wikidata.shipped import shipped_origin, shipped_values
from ..gazetteers.wikidata.values import manifest_path, parse_languages
from ._errors import CliError, say, shown
from ._gazetteer_options import TermOptions
from ._options import command
from ._read import read_items
from ._write import check_file
from .gazetteer_dump import dump_cli
from .gazetteer_sparql import sparql_cli

gazetteer_app = typer.Typer(
    name="gazetteer",
    help="Get terms from Wikidata and compile gazetteers of millions of terms.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
gazetteer_app.command("sparql")(sparql_cli)
gazetteer_app.command("dump")(dump_cli)


@dataclass(frozen=True)
class ShippedOptions(TermOptions):
    """Values that nobody in the sample bears are terms as well."""

    min_count: int = 0


@gazetteer_app.command("shipped")
@command
def shipped_cli(output: Path, options: ShippedOptions) -> None:
    """Write the terms that come with the package: a sample of what people bear on Wikidata,
    with how many of 97,000 people do. Dump and query service know far more.
    """
    terms = options.check(output)
    terms.write(shipped_values(terms.properties, terms.countries), shipped_origin())


@gazetteer_app.command("compile")
@command
def compile_cli(
    paths: list[Path],
    languages: str | None = None,
    frequencies: list[Path] | None = None,
    corpus: list[Path] | None = None,
    min_count: int = 0,
    overwrite: bool = False,
) -> None:
    """Compile terms into one file that is mapped into memory.

    TERMS is a list, .jsonl, .tsv or .txt, of "term", "label", "id", "property" and
    "count", all but the first of which may be missing: JSON objects, or a term a line
    with tabs before the others.
    """
    *inputs, out = paths
    if not inputs:
        raise CliError("name the file of terms and the file to write")
    for path in (*inputs, *(frequencies or ()), *(corpus or ())):
        _check_input(path)
    _check_output(out, overwrite)
    manifests = [_manifest(path) for path in inputs]
    codes = _languages(languages, manifests)
    words = _everyday_words(codes, frequencies or (), corpus or ())
    with shown(GazetteerError, at=", ".join(path.name for path in inputs)):
        compiler = Compiler(words, codes)
        most = _add_all(compiler, inputs, min_count)
        # The value that most people bear, a gender, stands for them all.
        compiler.humans = max([most, *map(_people, manifests)])
        size = compiler.write(out, {"sources": [m for m in manifests if m]})
    say(f"{len(compiler):,} terms, {size / 1e6:.1f} MB, in {out}")
    if compiler.skipped:
        say(f"{compiler.skipped:,} terms left out: no letters or digits, or too long")


def _check_input(path: Path) -> None:
    if not path.is_file():
        folder = path.is_dir()
        raise CliError(f"{path}: is a folder" if folder else f"no such file: {path}")


def _check_output(out: Path, overwrite: bool) -> None:
    """A list whose name was given last must not be lost."""
    if out.suffix in (".jsonl", ".tsv", ".txt") or out.is_dir():
        raise CliError(f"{out}: the last argument is the file to write, such as my.gaz")
    check_file(out, overwrite=overwrite)
    if not out.exists():
        return
    if not out.is_file():
        raise CliError(f"{out}: is no file")
    with out.open("rb") as file:
        start = file.read(len(MAGIC))
    if start and start != MAGIC:
        advice = "name another file to write, or delete it"
        raise CliError(f"{out}: is there and is no compiled gazetteer; {advice}")


def _add_all(compiler: Any, inputs: Iterable[Path], min_count: int) -> int:
    """Add the terms of some files; returns the highest count."""
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
    if not (path := manifest_path(path)).is_file():
        return {}
    try:
        manifest = json.loads(path.read_text(encoding="utf8"))
        if not isinstance(manifest, dict):
            raise ValueError
    except ValueError as error:
        problem = "not a manifest; delete it, or write the terms again"
        raise CliError(f"{path}: {problem}") from error
    return manifest


def _people(manifest: Mapping[str, Any]) -> int:
    people = manifest.get("people", 0)
    return people if isinstance(people, int) and people > 0 else 0


def _languages(given: str | None, manifests: Iterable[Mapping[str, Any]]) -> list[str]:
    if given is not None:
        with shown(ValueError, at="--languages"):
            return list(parse_languages(given))
    lists = [manifest.get("languages") for manifest in manifests]
    known = [str(code) for own in lists if isinstance(own, list) for code in own]
    return list(dict.fromkeys(known)) or ["en"]


def _everyday_words(
    codes: Iterable[str], tables: Iterable[Path], corpus: Iterable[Path]
) -> dict[str, float]:
    """Zipf values from the package, from tables and from raw text: the highest."""
    languages = (code.partition("-")[0] for code in codes)
    sources: list[Mapping[str, float]] = [*map(everyday_words, languages)]
    with shown(ValueError):
        sources += [read_frequencies(path) for path in tables]
        if corpus:
            sources.append(count_words((item.text for item in read_items(corpus)), 3))
    out: dict[str, float] = {}
    for source in sources:
        for word, value in source.items():
            out[word] = max(value, out.get(word, 0.0))
    return out


@gazetteer_app.command("info")
@command
def info_cli(path: Path, term: str | None = None, as_json: bool = False) -> int:
    """What a compiled gazetteer holds and where it comes from; checks the whole file."""
    _check_input(path)
    with shown(GazetteerError):
        gazetteer = Gazetteer.load(path)
        gazetteer.check()
    if term is not None:
        entries = gazetteer.get(term)
        for entry in entries:
            row = {"term": entry.term, "label": entry.label, "id": entry.id}
            row |= {"property": entry.property, "count": entry.people}  # type: ignore[dict-item]
            text = f"{entry.term}: {entry.label}, {gazetteer.describe(entry)}"
            print(json.dumps(row, ensure_ascii=False) if as_json else text)
        if not entries:
            say(f"'{term}' is not in {path.name}")
        return int(not entries)
    facts = {
        "terms": len(gazetteer),
        "entries": gazetteer.header["entries"],
        "bytes": path.stat().st_size,
        "languages": list(gazetteer.languages),
        "humans": gazetteer.header["humans"],
        "longest": gazetteer.header["max_words"],
        "labels": gazetteer.counts("label"),
        "properties": gazetteer.counts("property"),
        "sources": gazetteer.header["info"].get("sources", []),
    }
    if as_json:
        print(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(facts)))
    return 0


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    humans = f"{facts['humans']:,}" if facts["humans"] else "unknown"
    yield f"Terms       {facts['terms']:,} ({facts['entries']:,} entries)"
    yield f"Size        {facts['bytes'] / 1e6:.1f} MB"
    yield f"Languages   {', '.join(facts['languages']) or 'none'}"
    yield f"Longest     {facts['longest']} words"
    yield f"People      {humans}"
    yield from (f"{label:<11} {n:,}" for label, n in facts["labels"].items())
    for prop, n in list(facts["properties"].items())[:20]:
        yield f"  {prop or '(none)':<9} {n:,}"
    if len(facts["properties"]) > 20:
        yield f"  and {len(facts['properties']) - 20} more properties"
    for source in facts["sources"]:
        what = (source.get(key) for key in ("source", "location", "date"))
        yield f"Source      {', '.join(str(w) for w in what if w)}"
