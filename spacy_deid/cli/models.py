"""`spacy deid models`: which pipelines are there."""

from __future__ import annotations

from ._errors import say
from ._languages import installed_pipelines
from ._options import command

# The project that makes the pipelines that are not inside the package.
_PROJECT = "projects/languages"
_MADE = ("de", "es", "fr", "it", "ru")


@command
def models_cli() -> None:
    """List the pipelines that `--model` knows by name: name, version, language, and what
    they are; and say how those of further languages are made."""
    found = list(installed_pipelines())
    for pipeline in found:
        cells = pipeline.name, pipeline.version, pipeline.lang, pipeline.description
        print("\t".join(cells))
    languages = {pipeline.lang for pipeline in found}
    for lang in _MADE:
        if lang not in languages:
            made = f"python -m spacy project run deid_sm {_PROJECT} --vars.lang {lang}"
            then = "then `package` instead of `deid_sm`; install the wheel in packages"
            where = "From the repository of spacy_deid"
            say(f"{lang}: none is installed. {where}: `{made}`, {then}")
    say("Any other folder or package that spacy.load knows will do, too.")
