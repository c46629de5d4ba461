"""`python -m spacy deid`: importing this module adds the command to spaCy's own.

spaCy imports it through the entry point `spacy_cli` whenever its command line starts,
so nothing heavy is imported before a command runs.
"""

import typer
from spacy.cli._util import app

from .adapt_mlm import adapt_mlm_cli
from .calibrate import calibrate_cli, curve_cli
from .convert import convert_cli
from .evaluate import evaluate_cli
from .gazetteer import gazetteer_app
from .index import index_cli
from .package import package_cli
from .restore import restore_cli
from .run import run_cli
from .silver import silver_cli
from .synth import synth_cli
from .vault import vault_app

deid_app = typer.Typer(
    name="deid",
    help="De-identify texts: find, judge and replace personal information.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
deid_app.command("run")(run_cli)
deid_app.command("restore")(restore_cli)
deid_app.command("evaluate")(evaluate_cli)
deid_app.command("convert")(convert_cli)
deid_app.command("synth")(synth_cli)
deid_app.command("silver")(silver_cli)
deid_app.command("calibrate")(calibrate_cli)
deid_app.command("curve")(curve_cli)
deid_app.command("package")(package_cli)
deid_app.command("index")(index_cli)
deid_app.command("adapt-mlm")(adapt_mlm_cli)
deid_app.add_typer(gazetteer_app)
deid_app.add_typer(vault_app)


def register() -> None:
    """Add `deid` to spaCy's command line; safe to call again."""
    if all(group.typer_instance is not deid_app for group in app.registered_groups):
        app.add_typer(deid_app, name="deid")


register()
