"""`spacy deid gazetteer dump`: terms from a JSON dump of Wikidata."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import typer

from ._errors import INTERRUPTED, CliError, clean_errors, describe_os_error, say
from ._gazetteer_options import (
    AliasesOption,
    CountriesOption,
    DropNamesOption,
    ExcludeOption,
    LanguagesOption,
    MinCountOption,
    PropertiesOption,
    TermOptions,
    check_output,
    read_options,
    write_output,
)


def dump_cli(
    dump: str = typer.Argument(
        ...,
        metavar="DUMP",
        help="Wikidata's JSON dump: .json, .json.gz or .json.bz2",
    ),
    output: str = typer.Argument(..., metavar="OUTPUT", help="File of terms, .jsonl"),
    languages: LanguagesOption = "en",
    properties: PropertiesOption = None,
    exclude: ExcludeOption = "",
    aliases: AliasesOption = True,
    min_count: MinCountOption = 1,
    drop_names: DropNamesOption = None,
    countries: CountriesOption = True,
    n_process: int = typer.Option(
        1, "--n-process", "-n", help="Processes, -1 for one a core"
    ),
    work: str | None = typer.Option(
        None,
        "--work",
        metavar="FOLDER",
        help="Keep what is found on the way in this folder: other languages, filters "
        "and counts then need not read everything again (default: OUTPUT.work, "
        "deleted at the end)",
    ),
    accept_damage: bool = typer.Option(
        False,
        "--accept-damage",
        help="Make do with what stands before the end of a file that was cut off",
    ),
) -> None:
    """Make a file of terms from a JSON dump of Wikidata.

    The dump is read twice: for the values that people bear and how many do, and for
    the names of these values. bzip2 is decompressed by all processes, gzip by one.

    Interrupted, the same command goes on where it stopped. Broken lines are counted
    and left out; each line of the first 8 MB is checked, and after these only lines
    that have people, countries or values on them.
    """
    run_dump(
        dump,
        output,
        (languages, properties, exclude, aliases, min_count, drop_names, countries),
        n_process,
        work,
        accept_damage,
    )


@clean_errors
def run_dump(
    dump: str,
    output: str,
    shared: tuple[str, str | None, str, bool, int, str | None, bool],
    n_process: int,
    work: str | None,
    accept_damage: bool,
) -> int:
    """Run the command.

    dump (str): The dump.
    output (str): File of terms.
    shared (tuple): What `read_options` takes.
    n_process (int): Processes.
    work (Optional[str]): Work folder.
    accept_damage (bool): Whether a damaged file will do.
    RETURNS (int): Exit status.
    """
    from ..gazetteers.wikidata.dump_file import DumpError

    if n_process < 1 and n_process != -1:
        raise CliError("--n-process has to be at least 1, or -1 for one a core")
    path = check_output(output)
    if Path(dump).exists() and path.exists() and path.samefile(dump):
        raise CliError(f"{output}: input and output are the same file")
    if not Path(dump).exists():
        raise CliError(f"{dump}: there is no such file")
    options = read_options(*shared)
    folder = Path(work) if work is not None else path.with_name(f"{path.name}.work")
    if folder.exists() and not folder.is_dir():
        raise CliError(f"{folder}: is a file, and the work needs a folder")
    if n_process == -1:
        n_process = os.cpu_count() or 1
    try:
        _make_terms(dump, path, folder, options, n_process, accept_damage)
    except DumpError as error:
        raise CliError(str(error)) from error
    except KeyboardInterrupt:
        say("Interrupted; run the same command to go on")
        return INTERRUPTED
    if work is None:
        shutil.rmtree(folder)
    return 0


def _make_terms(
    dump: str,
    path: Path,
    folder: Path,
    options: TermOptions,
    n_process: int,
    accept_damage: bool,
) -> None:
    import sqlite3

    from ..gazetteers.wikidata.dump import DumpSource

    try:
        with DumpSource(
            dump,
            folder,
            options.properties,
            languages=options.languages,
            countries=options.countries,
            min_count=options.min_count,
            n_process=n_process,
            accept_damage=accept_damage,
            progress=True,
            say=say,
        ) as source:
            source.run()
            write_output(options, source.values(), path, source.origin)
            people, lines = (source.origin.details[k] for k in ("people", "lines"))
            say(f"{people:,} people on {lines:,} lines, {source.broken:,} broken lines")
    except sqlite3.Error as error:
        raise CliError(
            f"{folder}: the work cannot be saved there ({error}); free some space, or "
            "name another folder with --work"
        ) from error
    except OSError as error:
        raise CliError(describe_os_error(error)) from error
