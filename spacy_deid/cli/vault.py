"""`spacy deid vault`: check a vault, and give it another key."""

from __future__ import annotations

from pathlib import Path

import typer

from ..vault import Vault, VaultError
from ..vault.store import RUN
from ._errors import CliError, say, shown
from ._options import DEFAULT_KEY_ENV, command, read_key
from ._output import show_documents

vault_app = typer.Typer(
    name="vault",
    help="Check a vault that `run` has written, or change its key.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@vault_app.command("check")
@command
def check_cli(path: Path, key_env: str = DEFAULT_KEY_ENV) -> None:
    """Read the whole vault: every row is there, authentic and in its place.

    Exit status 0 only if it is. Nothing is changed.
    """
    with shown(VaultError):
        vault = Vault(path, read_key(key_env))
        rows = vault.verify()
        runs = sum(1 for _ in vault.read_all(RUN))
    say(f"{path}: whole, with {show_documents(rows - runs)}")


@vault_app.command("change-key")
@command
def change_key_cli(
    path: Path,
    new_key_env: str,
    key_env: str = DEFAULT_KEY_ENV,
) -> None:
    """Encrypt a vault anew under another key.

    After an interruption the vault has the old key or the new one, never both. Copies
    made before, backups included, can still be read with the old key.
    """
    old, new = read_key(key_env), read_key(new_key_env)
    if old == new:
        raise CliError(f"{key_env} and {new_key_env} hold the same key")
    with shown(VaultError):
        rows = Vault(path, old).change_key(new)
    say(
        f"{path}: {rows} rows are encrypted with the key of {new_key_env} now; copies "
        "made before can still be read with the old one"
    )
