"""What a pipeline was made of, for its meta data: source, versions, files, settings."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from .about import __title__, __version__

# What numbers may depend on.
PACKAGES = (__title__, "spacy", "thinc", "numpy", "blis")
ROOT = Path(__file__).parents[1]
# What a commit is of; pipelines are made from the rest.
SOURCE = (".", ":(exclude)spacy_deid/pipelines")
_BLOCK = 2**20


def describe(
    data: Mapping[str, Path], variables: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What a pipeline that is made now is made of.

    data (Mapping[str, Path]): Files and folders that it was trained on, by a name.
    variables (Mapping[str, Any]): Settings that it was made with.
    RETURNS (Dict[str, Any]): `commit`, `versions`, `data` (SHA-256) and `vars`.
    RAISES (ValueError): If a file is not there, or a folder has none.
    """
    own = {"commit": source_commit(), "versions": versions()}
    hashes = {name: hash_path(path) for name, path in sorted(data.items())}
    return {**own, "data": hashes, "vars": dict(variables or {})}


def versions() -> dict[str, str]:
    """Python's version and those of packages."""
    python = {"python": platform.python_version()}
    return python | {name: metadata.version(name) for name in PACKAGES}


def source_commit() -> str:
    """The commit of this package's source, with "-dirty" if files differ from it; the
    package's version where there is no repository."""
    # An installed copy may lie in somebody else's.
    commit = git("rev-parse", "HEAD") if git("ls-files", "setup.cfg") else None
    if not commit:
        return f"{__title__} {__version__}"
    return f"{commit}-dirty" if git("status", "--porcelain", "--", *SOURCE) else commit


def git(*args: str) -> str | None:
    """What git says of this package's source; None without git or a repository."""
    command = ["git", "-C", str(ROOT), *args]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def hash_path(path: Path) -> str:
    """SHA-256 of a file; of a folder that of the lines that `sha256sum` prints for its
    files, sorted by their paths, hidden ones left out.

    RAISES (ValueError): If it is not there, or a folder has no file.
    """
    if path.is_file():
        return _hash_file(path)
    found = (file for file in path.rglob("*") if file.is_file())
    files = sorted((file.relative_to(path).as_posix(), file) for file in found)
    shown = ((name, file) for name, file in files if "/." not in f"/{name}")
    if not (lines := [f"{_hash_file(file)}  {name}\n" for name, file in shown]):
        raise ValueError(f"{path}: no such file, and no folder with files")
    return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


def _hash_file(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return found.hexdigest()
