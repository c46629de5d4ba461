"""The vault of `spacy deid run` and `restore`: its key, its place, its errors."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ._errors import CliError
from ._io import is_special

if TYPE_CHECKING:
    from ..vault import Vault

DEFAULT_KEY_ENV = "SPACY_DEID_KEY"


@contextlib.contextmanager
def vault_errors() -> Iterator[None]:
    """Show what is wrong with a vault as every error is shown.

    RAISES (CliError): In place of a VaultError.
    """
    from ..vault import VaultError

    try:
        yield
    except VaultError as error:
        raise CliError(str(error)) from None


def read_key(name: str) -> str:
    """A secret key.

    name (str): Environment variable that holds it.
    RETURNS (str): The key.
    RAISES (CliError): If it is not set.
    """
    key = os.environ.get(name)
    if not key:
        raise CliError(f"the environment variable {name} (the secret key) is not set")
    return key


def make_vault(path: Path, key_env: str | None) -> Vault:
    """A vault that is not opened yet.

    path (Path): Its file.
    key_env (str): Environment variable with the key, or None for the usual one.
    RETURNS (Vault): The vault.
    RAISES (CliError): If there is no key.
    """
    from ..vault import Vault

    name = key_env or DEFAULT_KEY_ENV
    key = os.environ.get(name)
    if not key:
        raise CliError(
            f"--vault needs a secret key that lasts: set the environment variable {name}"
            + ("" if key_env else " (or choose another with --key-env)")
        )
    return Vault(path, key)


def check_vault_path(
    path: Path, taken: Iterable[Path | None], root: Path | None = None
) -> None:
    """Refuse a vault that cannot be a file of its own.

    path (Path): The vault.
    taken (Iterable): Inputs and outputs.
    root (Path): Input folder, in which the vault must not lie.
    RAISES (CliError): If it cannot.
    """
    if is_special(path) or path.is_dir():
        raise CliError(f"--vault {path}: has to be a file")
    if not path.parent.is_dir():
        raise CliError(f"--vault {path}: the folder does not exist")
    resolved = path.resolve()
    if resolved in {other.resolve() for other in taken if other is not None}:
        raise CliError(f"--vault {path}: is an input or an output as well")
    if root is not None and root.resolve() in resolved.parents:
        raise CliError(f"--vault {path}: lies inside the input folder")
