"""`spacy deid package`: a wheel of a pipeline that holds no training text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version
from spacy.cli.package import generate_readme, package
from spacy.language import Language

from ..assemble import clean, layer_names, read_metrics, read_object
from ..data import ROOT
from ..evaluation.leaks import (
    find_strings,
    package_words,
    plain_text,
    stands_in,
    training_only,
    words_of,
)
from ._corpus import read_texts
from ._errors import CliError, say, shown
from ._options import command
from ._process import load_model

SOURCES_FILE = "LICENSES_SOURCES"
# Words that the METADATA of any wheel may have.
METADATA = "dynamic license-file requires-dist requires-python metadata-version"
# The first setuptools that builds wheels by itself.
_SETUPTOOLS = Version("70.1")
# `__init__.py` of a wheel, which works without any other package, and its README.
_INIT, _README = ROOT / "wheel_init.txt", ROOT / "wheel_readme.txt"


@command
def package_cli(
    pipeline: str,
    out: Path,
    name: str | None = None,
    version: str | None = None,
    meta: Path | None = None,
    metrics: list[str] | None = None,
    train: list[Path] | None = None,
    known: list[Path] | None = None,
    keep: list[str] | None = None,
) -> None:
    """Build a wheel of a pipeline, without any string of its training documents."""
    with shown(ValueError):
        entries = read_object(meta, "meta data") if meta is not None else {}
        scores = read_metrics(metrics or ())
    for path in train or ():
        if not path.exists():
            raise CliError(f"no such file: {path}")
    allowed = [_read_known(path) for path in known or ()]
    if out.is_file():
        raise CliError(f"{out}: is a file, and wheels are put in a folder")
    nlp = load_model(pipeline)
    entries.update({k: v for k, v in (("name", name), ("version", version)) if v})
    if scores:
        entries["performance"] = {**nlp.meta.get("performance", {}), **scores}
    check_name({**nlp.meta, **entries})
    with shown(ValueError):
        cleaned = clean(nlp, entries, keep or ())
    say_missing(cleaned.meta)
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


def check_name(meta: dict[str, Any]) -> None:
    """RAISES (CliError): If `name` or `version` of the meta data cannot be a package's."""
    if not (meta["name"].isascii() and meta["name"].isidentifier()):
        raise CliError(f"name {meta['name']}: use letters, digits and underscores")
    try:
        Version(meta["version"])
    except InvalidVersion:
        raise CliError(f"version {meta['version']}: use numbers with dots") from None


def say_missing(meta: dict[str, Any]) -> None:
    """Say what a reader of the meta data would miss."""
    needed = ("license", "sources", "performance")
    missing = [key for key in needed if not meta.get(key)]
    sources = meta.get("sources") or []
    if any(not (isinstance(s, dict) and s.get("license")) for s in sources):
        missing.append("license of each of the sources")
    if missing:
        names = ", no ".join(missing)
        say(f"meta.json has no {names}; give them with --meta, --metrics")


def build_wheel(nlp: Language, folder: Path) -> Path:
    """Build a wheel of a clean pipeline (see `assemble.clean`) in an empty folder."""
    data, packages = folder / "data", folder / "packages"
    packages.mkdir()
    nlp.to_disk(data)
    (data / "README.md").write_text(make_readme(nlp.meta), "utf-8")
    (data / SOURCES_FILE).write_text(format_sources(nlp.meta), "utf-8")
    try:
        package(data, packages, create_sdist=False, create_wheel=False)
    except SystemExit:
        raise CliError("spaCy refuses the meta data of the pipeline") from None
    (source,) = packages.resolve().iterdir()
    init = source / f"{nlp.meta['lang']}_{nlp.meta['name']}" / "__init__.py"
    init.write_text(_INIT.read_text("utf-8"), "utf-8")
    call = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-input"]
    call += ["--no-color", "--wheel-dir", "dist", str(source)]
    # What is needed is here and nothing has to be fetched; or else an older pip has to
    # be told to fetch it.
    call.append("--no-build-isolation" if _builds_wheels() else "--use-pep517")
    # Elsewhere a folder `pip` could stand in the way.
    done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        needs = f"it needs pip, and setuptools {_SETUPTOOLS} or the package index"
        raise CliError(f"the wheel could not be built: {' '.join(last)} ({needs})")
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


def _builds_wheels() -> bool:
    """Whether the setuptools that is installed builds wheels by itself."""
    try:
        return Version(metadata.version("setuptools")) >= _SETUPTOOLS
    except metadata.PackageNotFoundError:
        return False


def check_words(
    wheel: Path, nlp: Language, train: list[Path], known: Iterable[str]
) -> int:
    """Search a wheel for words that only the training documents have.

    RETURNS (int): Number of words that were sought.
    RAISES (CliError): If one was found: by file and number, never by the word.
    """
    words = package_words(nlp.lang or "xx")
    # Pieces of the language's own strings, too: "l.n.r" of an abbreviation, "v.l.n.r.".
    own = (METADATA, "config.cfg", json.dumps(nlp.meta, ensure_ascii=False))
    listed = plain_text("\n".join((*known, *own, *type(nlp)().vocab.strings)))
    words |= words_of(listed)
    words |= {*re.findall(r" = (-?[\d.]+)$", nlp.config.to_str(), re.MULTILINE)}
    # The README is made of the meta data; layers have names of their makers.
    words |= {token.text for token in nlp.make_doc(make_readme(nlp.meta))}
    words |= words_of(layer_names(nlp))
    words |= words_of(" ".join(chain.from_iterable(nlp.pipe_labels.values())))
    texts = [text for path in train for text in read_texts(path, nlp)]
    only = training_only(texts, nlp, words)
    # Tokens may have more in them than words: "1939–1945", "d'état".
    found = find_strings(wheel, only, whole=True)
    if leaks := [k for k in found if not stands_in(listed, plain_text(only[k.string]))]:
        files = Counter(file for file, _ in {(k.file, k.string) for k in leaks})
        where = ", ".join(f"{file} ({n})" for file, n in sorted(files.items()))
        what = "words that only the training documents have are in the wheel"
        raise CliError(f"{what}: {where}; words of public lists are named with --known")
    return len(only)


def make_readme(meta: dict[str, Any]) -> str:
    """README of a wheel, as Markdown."""
    full = f"{meta['lang']}_{meta['name']}"
    needs = ", ".join(f"`{requirement}`" for requirement in meta["requirements"])
    told = {"table": generate_readme(meta), "sources": format_sources(meta)}
    return _README.read_text("utf-8").format(name=full, needs=needs, **told)


def format_sources(meta: dict[str, Any]) -> str:
    """Training data with authors and licences, one line each."""
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
