"""`spacy deid package`: a wheel of a pipeline that holds no training text."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from packaging.version import InvalidVersion, Version

from ._errors import CliError, clean_errors, say

if TYPE_CHECKING:
    from spacy.language import Language

SOURCES_FILE = "LICENSES_SOURCES"
# The first setuptools that builds wheels by itself.
_SETUPTOOLS = (70, 1)


def package_cli(
    pipeline: Annotated[
        str,
        typer.Argument(
            metavar="PIPELINE", help="Pipeline: embedded name, package or path"
        ),
    ],
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Folder in which the wheel is put")
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="Name, without the language code")
    ] = None,
    version: Annotated[str | None, typer.Option("--version", help="Version")] = None,
    meta: Annotated[
        Path | None,
        typer.Option(
            "--meta", help="JSON file with entries of meta.json: licence, sources ..."
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metrics",
            metavar="NAME=FILE",
            help="Scores for meta.json, as `spacy deid evaluate` writes them; may be "
            "repeated",
        ),
    ] = None,
    train: Annotated[
        list[Path] | None,
        typer.Option(
            "--train",
            help="Training documents (.spacy or .jsonl), of whose own words none may "
            "be in the wheel; may be repeated",
        ),
    ] = None,
    known: Annotated[
        list[Path] | None,
        typer.Option(
            "--known",
            help="Text file whose words may be in the wheel, such as public term lists; "
            "may be repeated",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            help="vectors, lookups or tokenizer: known to hold no training text",
        ),
    ] = None,
) -> None:
    """Build a wheel of a pipeline, without any string of its training documents."""
    package_command(
        pipeline,
        out,
        name,
        version,
        meta,
        metrics or [],
        train or [],
        known or [],
        keep or [],
    )


@clean_errors
def package_command(
    pipeline: str,
    out: Path,
    name: str | None,
    version: str | None,
    meta: Path | None,
    metrics: list[str],
    train: list[Path],
    known: list[Path],
    keep: list[str],
) -> int:
    """Run the command.

    pipeline (str): As for `spacy_deid.load`.
    out (Path): Folder in which the wheel is put.
    name (str): Name without the language code, or None for that in the meta data.
    version (str): Version, or None for that in the meta data.
    meta (Path): JSON file with entries of meta.json.
    metrics (List[str]): NAME=FILE of scores.
    train (List[Path]): Training documents to search the wheel for.
    known (List[Path]): Text files whose words may be in the wheel.
    keep (List[str]): See `assemble.clean`.
    RETURNS (int): Exit status.
    """
    from ..assemble import clean, read_metrics, read_object
    from ._process import load_model

    try:
        entries = read_object(meta, "meta data") if meta is not None else {}
        scores = read_metrics(metrics)
    except ValueError as error:
        raise CliError(str(error)) from None
    for path in train:
        if not path.exists():
            raise CliError(f"no such file: {path}")
    allowed = [_read_known(path) for path in known]
    if out.is_file():
        raise CliError(f"{out}: is a file, and wheels are put in a folder")
    nlp = load_model(pipeline)
    entries.update({k: v for k, v in (("name", name), ("version", version)) if v})
    if scores:
        entries["performance"] = {**nlp.meta.get("performance", {}), **scores}
    check_name({**nlp.meta, **entries})
    try:
        cleaned = clean(nlp, entries, keep)
    except ValueError as error:
        raise CliError(str(error)) from None
    check_meta(cleaned.meta)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".package-") as folder:
        wheel = build_wheel(cleaned, Path(folder))
        if train:
            n = check_words(wheel, cleaned, train, allowed)
            say(
                f"none of {n:,} words that only the training documents have is in it"
                if n
                else "the training documents have no word of their own: nothing is "
                "shown; give --train the documents it was trained on"
            )
        target = out / wheel.name
        wheel.replace(target)
    print(target)
    return 0


def check_name(meta: dict[str, Any]) -> None:
    """Refuse what cannot be a package.

    meta (dict): Meta data with `name` and `version`.
    RAISES (CliError): If one of them is not that of a package.
    """
    if not (meta["name"].isascii() and meta["name"].isidentifier()):
        raise CliError(f"name {meta['name']}: use letters, digits and underscores")
    try:
        Version(meta["version"])
    except InvalidVersion:
        raise CliError(f"version {meta['version']}: use numbers with dots") from None


def check_meta(meta: dict[str, Any]) -> None:
    """Say what a reader of the meta data would miss.

    meta (dict): Meta data of the pipeline.
    """
    missing = [
        key for key in ("license", "sources", "performance") if not meta.get(key)
    ]
    sources = meta.get("sources") or []
    if any(not (isinstance(s, dict) and s.get("license")) for s in sources):
        missing.append("license of each of the sources")
    if missing:
        say(
            f"meta.json has no {', no '.join(missing)}; give them with --meta, --metrics"
        )


def build_wheel(nlp: Language, folder: Path) -> Path:
    """Build a wheel of a pipeline as it is.

    nlp (Language): A clean pipeline; see `assemble.clean`.
    folder (Path): An empty folder to work in.
    RETURNS (Path): The wheel, in the folder.
    RAISES (CliError): If spaCy refuses the meta data, or the build fails.
    """
    # The name `spacy.cli.package` is that of a function.
    make_package = importlib.import_module("spacy.cli.package").package
    data, packages = folder / "data", folder / "packages"
    packages.mkdir()
    nlp.to_disk(data)
    (data / "README.md").write_text(make_readme(nlp.meta), "utf-8")
    (data / SOURCES_FILE).write_text(format_sources(nlp.meta), "utf-8")
    try:
        make_package(data, packages, create_sdist=False, create_wheel=False)
    except SystemExit:
        raise CliError("spaCy refuses the meta data of the pipeline") from None
    (source,) = packages.iterdir()
    command = [sys.executable, "-m", "build", str(source), "--wheel"]
    command += ["--outdir", str(folder / "dist")]
    if importlib.util.find_spec("build") is None:
        raise CliError("a wheel needs the package build: pip install build")
    if _builds_wheels():
        # What is needed is here: nothing has to be fetched.
        command.append("--no-isolation")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise CliError(f"the wheel could not be built: {' '.join(last)}")
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


def _builds_wheels() -> bool:
    """Whether the setuptools that is installed builds wheels by itself."""
    try:
        version = metadata.version("setuptools")
    except metadata.PackageNotFoundError:
        return False
    return tuple(int(part) for part in version.split(".")[:2]) >= _SETUPTOOLS


def check_words(
    wheel: Path, nlp: Language, train: list[Path], known: Iterable[str]
) -> int:
    """Search a wheel for words that only the training documents have.

    wheel (Path): The wheel.
    nlp (Language): Its pipeline.
    train (List[Path]): Training documents.
    known (Iterable[str]): Texts whose words may be there.
    RETURNS (int): Number of words that were sought.
    RAISES (CliError): If one was found: by file and number, never by the word.
    """
    from ..assemble import layer_names
    from ..evaluation.leaks import find_strings, package_words, training_only, words_of
    from ._corpus import read_texts

    words = package_words(nlp.lang or "xx")
    for text in known:
        words |= words_of(text)
    words |= words_of(json.dumps(nlp.meta, ensure_ascii=False))
    # The README is made of the meta data; layers have names of their makers.
    words |= {token.text for token in nlp.make_doc(make_readme(nlp.meta))}
    words |= words_of(layer_names(nlp).replace("_", " "))
    texts = [text for path in train for text in read_texts(path, nlp)]
    only = training_only(texts, nlp, words)
    leaks = find_strings(wheel, only, whole=True)
    if leaks:
        files: dict[str, set[int]] = {}
        for leak in leaks:
            files.setdefault(leak.file, set()).add(leak.string)
        where = ", ".join(f"{file} ({len(n)})" for file, n in sorted(files.items()))
        raise CliError(
            f"words that only the training documents have are in the wheel: {where}; "
            "words of public lists are named with --known"
        )
    return len(only)


def make_readme(meta: dict[str, Any]) -> str:
    """README of a wheel.

    meta (dict): Meta data of the pipeline.
    RETURNS (str): Markdown.
    """
    generate = importlib.import_module("spacy.cli.package").generate_readme
    full = f"{meta['lang']}_{meta['name']}"
    needs = ", ".join(f"`{requirement}`" for requirement in meta["requirements"])
    return (
        f"{generate(meta)}\n\n"
        "### Use\n\n"
        f"```python\nimport spacy\n\nnlp = spacy.load({full!r})\n"
        'doc = nlp("...")\nprint(doc.spans)\n```\n\n'
        f"Needs {needs}.\n\n"
        "### Training data and licences\n\n"
        f"{format_sources(meta)}\n"
        "The wheel holds no text of the training documents.\n"
    )


def format_sources(meta: dict[str, Any]) -> str:
    """Training data with authors and licences.

    meta (dict): Meta data of the pipeline.
    RETURNS (str): One line each.
    """
    lines = []
    for source in meta.get("sources") or []:
        if not isinstance(source, dict):
            source = {"name": str(source)}
        parts = [source.get(key) for key in ("name", "author", "url")]
        licence = source.get("license") or "licence not stated"
        lines.append(f"- {'; '.join(part for part in parts if part)}. {licence}.")
    return "\n".join(lines or ["- Not stated."]) + "\n"


def _read_known(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise CliError(f"no such file: {path}") from None
    except UnicodeDecodeError:
        raise CliError(f"{path}: not UTF-8; save it as UTF-8") from None
