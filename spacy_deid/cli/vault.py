"""`spacy deid vault`: check a vault, and give it another key."""

from __future__ import annotations

from pathlib import Path

import typer

from ._batch import show_documents
from ._errors import CliError, clean_errors, say
from ._vault import DEFAULT_KEY_ENV, read_key, vault_errors

vault_app = typer.Typer(
    name="vault",
    help="Check a vault that `run` has written, or change its key.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@vault_app.command("check")
def check_cli(
    vault: str = typer.Argument(..., metavar="VAULT", help="The vault's file"),
    key_env: str = typer.Option(
        DEFAULT_KEY_ENV, "--key-env", help="Environment variable with its secret key"
    ),
) -> None:
    """Read the whole vault: every row is there, authentic and in its place.

    Exit status 0 only if it is. Nothing is changed.
    """
    check_command(vault, key_env)


@clean_errors
def check_command(name: str, key_env: str) -> int:
    """Run the command.

    name (str): VAULT.
    key_env (str): Environment variable with the key.
    RETURNS (int): Exit status.
    """
    from ..vault import Vault
    from ..vault.store import RUN

    with vault_errors():
        vault = Vault(Path(name), read_key(key_env))
        rows = vault.verify()
        runs = sum(1 for _ in vault.read_all(RUN))
    say(f"{name}: whole, with {show_documents(rows - runs)}")
    return 0


@vault_app.command("change-key")
def change_key_cli(
    vault: str = typer.Argument(..., metavar="VAULT", help="The vault's file"),
    new_key_env: str = typer.Option(
        ..., "--new-key-env", help="Environment variable with the new secret key"
    ),
    key_env: str = typer.Option(
        DEFAULT_KEY_ENV, "--key-env", help="Environment variable with the present key"
    ),
) -> None:
    """Encrypt a vault anew under another key.

    After an interruption the vault has the old key or the new one, never both. Copies
    made before, backups included, can still be read with the old key.
    """
    change_key_command(vault, key_env, new_key_env)


@clean_errors
def change_key_command(name: str, key_env: str, new_key_env: str) -> int:
    """Run the command.

    name (str): VAULT.
    key_env (str): Environment variable with the present key.
    new_key_env (str): Environment variable with the new one.
    RETURNS (int): Exit status.
    """
    from ..vault import Vault

    old, new = read_key(key_env), read_key(new_key_env)
    if old == new:
        raise CliError(f"{key_env} and {new_key_env} hold the same key")
    with vault_errors():
        rows = Vault(Path(name), old).change_key(new)
    say(
        f"{name}: {rows} rows are encrypted with the key of {new_key_env} now; copies made "
        "before can still be read with the old one"
    )
    return 0
