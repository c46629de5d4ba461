"""`python -m spacy deid` and `spacy-deid`: importing this module adds the command to
spaCy's own.

spaCy imports it through the entry point `spacy_cli` whenever its command line starts, so
the module of a command is imported when the command is asked for.
"""

from importlib import import_module
from typing import Annotated, Any

import typer
from spacy.cli._util import app
from typer.core import TyperGroup

from ..about import __version__

# Modules of the commands; each has a function NAME_cli, or an app NAME_app.
COMMANDS = {
    name: "calibrate" if name == "curve" else name.replace("-", "_")
    for name in "run review estimate report gate utility restore serve evaluate convert "
    "synth silver distil calibrate curve package index adapt-mlm gazetteer key models "
    "init-config".split()
}


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        try:
            module = import_module(f".{COMMANDS[cmd_name]}", __package__)
        except KeyboardInterrupt:
            # Imports take a second; the commands themselves say more.
            typer.echo("Interrupted.", err=True)
            raise typer.Exit(130) from None
        name = cmd_name.replace("-", "_")
        if (group := getattr(module, f"{name}_app", None)) is None:
            group = typer.Typer(add_completion=False, rich_markup_mode=None)
            group.command(cmd_name)(getattr(module, f"{name}_cli"))
        return typer.main.get_command(group)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"spacy-deid {__version__}")
        raise typer.Exit()


_Version = Annotated[
    bool,
    typer.Option(
        "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
]
deid_app = typer.Typer(
    name="deid",
    cls=LazyGroup,
    help="De-identify texts: find, judge and replace personal information.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@deid_app.callback()
def _options(version: _Version = False) -> None:
    pass


def main() -> None:
    """The script `spacy-deid`."""
    deid_app(prog_name="spacy-deid")


def register() -> None:
    """Add `deid` to spaCy's command line; safe to call again."""
    if all(group.typer_instance is not deid_app for group in app.registered_groups):
        app.add_typer(deid_app, name="deid")


register()
