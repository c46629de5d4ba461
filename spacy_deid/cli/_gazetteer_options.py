"""Options that the commands which make a file of terms share, and what they do."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ._errors import CliError, describe_os_error, say

if TYPE_CHECKING:
    from spacy.language import Language

    from ..gazetteers.wikidata.values import Origin, Property, Value

LanguagesOption = Annotated[
    str,
    typer.Option(
        "--languages",
        metavar="CODES",
        help="Languages of the terms with commas between, the preferred one first",
    ),
]
PropertiesOption = Annotated[
    str | None,
    typer.Option(
        "--properties",
        metavar="IDS|FILE",
        help="Properties with commas between (P106,P39; P27:DEM with the type for one "
        "that is not in the list), or a TSV file with the columns pid, label, type "
        "(default: the 240 properties of the package)",
    ),
]
ExcludeOption = Annotated[
    str,
    typer.Option("--exclude", metavar="IDS", help="Properties to leave out"),
]
AliasesOption = Annotated[
    bool,
    typer.Option(
        "--aliases/--no-aliases", help="Aliases are terms too, or labels only"
    ),
]
MinCountOption = Annotated[
    int,
    typer.Option("--min-count", min=1, help="Leave out values that fewer people bear"),
]
DropNamesOption = Annotated[
    str | None,
    typer.Option(
        "--drop-names",
        metavar="MODEL",
        help="Leave out terms that this pipeline takes for a name as a whole",
    ),
]
CountriesOption = Annotated[
    bool,
    typer.Option(
        "--countries/--no-countries", help="Add names of countries and nationalities"
    ),
]


@dataclass(frozen=True)
class TermOptions:
    """The shared options, checked.

    properties (list[Property]): Properties to get, without those left out.
    languages (tuple[str, ...]): Languages, the preferred one first.
    exclude (tuple[str, ...]): Properties left out.
    aliases (bool): Whether aliases are terms.
    min_count (int): Values that fewer people bear are left out.
    drop_names (Language): Pipeline that finds names, or None.
    countries (bool): Whether countries and nationalities are added.
    """

    properties: list[Property]
    languages: tuple[str, ...]
    exclude: tuple[str, ...]
    aliases: bool
    min_count: int
    drop_names: Language | None
    countries: bool


def read_options(
    languages: str,
    properties: str | None,
    exclude: str,
    aliases: bool,
    min_count: int,
    drop_names: str | None,
    countries: bool,
) -> TermOptions:
    """Check the options before hours are spent on them.

    languages (str): Codes with commas between.
    properties (Optional[str]): Ids with commas between, a file, or None for all.
    exclude (str): Ids with commas between.
    aliases (bool): Whether aliases are terms.
    min_count (int): Values that fewer people bear are left out.
    drop_names (Optional[str]): Pipeline to load.
    countries (bool): Whether countries and nationalities are added.
    RETURNS (TermOptions): The options.
    RAISES (CliError): If one does not fit.
    """
    from ..gazetteers.wikidata.values import CITIZENSHIP, parse_languages

    codes = _checked("--languages", parse_languages, languages)
    left_out = tuple(_split(exclude))
    chosen = _checked("--properties", _load, properties, left_out)
    return TermOptions(
        properties=chosen,
        languages=codes,
        exclude=left_out,
        aliases=aliases,
        min_count=min_count,
        drop_names=_load_pipeline(drop_names, codes) if drop_names else None,
        countries=countries and CITIZENSHIP not in left_out,
    )


def _split(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _load(properties: str | None, exclude: Iterable[str]) -> list[Property]:
    from ..gazetteers.wikidata.values import load_properties

    if properties is not None and Path(properties).is_file():
        return load_properties(properties, exclude=exclude)
    ids = _split(properties) if properties is not None else None
    return load_properties(ids=ids, exclude=exclude)


def _load_pipeline(name: str, languages: tuple[str, ...]) -> Language:
    from ..embedded import load_pipeline
    from ..gazetteers.wikidata.values import NameFilter

    try:
        nlp = load_pipeline(name)
        _checked("--drop-names", NameFilter, nlp, languages)
        return nlp
    except OSError as error:
        raise CliError(
            f"--drop-names {name}: no such pipeline; install it, or give its folder"
        ) from error


def _checked(option: str, function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except ValueError as error:
        raise CliError(f"{option}: {error}") from error


def check_output(name: str) -> Path:
    """The file of terms, checked before anything is done.

    name (str): OUTPUT.
    RETURNS (Path): The file.
    RAISES (CliError): If it can't be written.
    """
    path = Path(name)
    if path.suffix != ".jsonl":
        raise CliError(f"{name}: the file of terms has to be a .jsonl file")
    if path.is_dir():
        raise CliError(f"{name}: is a folder")
    if not path.parent.is_dir():
        raise CliError(f"{name}: the folder {path.parent} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise CliError(f"{name}: no permission to write to {path.parent}")
    return path


def write_output(
    options: TermOptions, values: Iterable[Value], path: Path, origin: Origin
) -> dict[str, Any]:
    """Write the file of terms and its manifest, and say what is in them.

    options (TermOptions): The options.
    values (Iterable[Value]): What the source yields.
    path (Path): The file.
    origin (Origin): What the source says of itself.
    RETURNS (dict[str, Any]): The manifest.
    RAISES (CliError): If it can't be written.
    """
    from ..gazetteers.wikidata.values import manifest_path, write_terms

    try:
        report = write_terms(
            values,
            path,
            origin,
            languages=options.languages,
            properties=options.properties,
            aliases=options.aliases,
            exclude=options.exclude,
            min_count=options.min_count,
            drop_names=options.drop_names,
            countries=options.countries,
        )
    except OSError as error:
        raise CliError(describe_os_error(error)) from error
    kinds = ", ".join(f"{key} {n:,}" for key, n in report["counts"]["label"].items())
    say(f"{report['terms']:,} terms ({kinds or 'none'}) in {path}")
    say(f"Counts and filters: {manifest_path(path)}")
    return report
