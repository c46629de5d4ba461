"""`spacy deid gazetteer dump`: terms from a JSON dump of Wikidata."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from ..gazetteers.wikidata.dump import DumpSource
from ..gazetteers.wikidata.dump_file import DumpError
from ._errors import INTERRUPTED, CliError, say, shown
from ._gazetteer_options import TermOptions, Terms
from ._options import check_n_process, command


@command
def dump_cli(
    dump: Path,
    output: Path,
    options: TermOptions,
    n_process: int = 1,
    work: Path | None = None,
    accept_damage: bool = False,
) -> int:
    """Make a file of terms from a JSON dump of Wikidata.

    The dump is read twice: for the values that people bear and how many do, and for
    the names of these values. bzip2 is decompressed by all processes, gzip by one.

    Interrupted, the same command goes on where it stopped. Broken lines are counted
    and left out; each line of the first 8 MB is checked, and after these only lines
    that have people, countries or values on them.
    """
    check_n_process(n_process)
    if not dump.exists():
        raise CliError(f"{dump}: there is no such file")
    if output.exists() and output.samefile(dump):
        raise CliError(f"{output}: input and output are the same file")
    terms = options.check(output)
    folder = work or output.with_name(f"{output.name}.work")
    if folder.exists() and not folder.is_dir():
        raise CliError(f"{folder}: is a file, and the work needs a folder")
    workers = n_process if n_process > 0 else os.cpu_count() or 1
    try:
        with shown(DumpError):
            _make_terms(dump, folder, terms, workers, accept_damage)
    except KeyboardInterrupt:
        say("Interrupted; run the same command to go on")
        return INTERRUPTED
    except sqlite3.Error as error:
        advice = "free some space, or name another folder with --work"
        problem = f"the work cannot be saved there ({error})"
        raise CliError(f"{folder}: {problem}; {advice}") from error
    if work is None:
        shutil.rmtree(folder)
    return 0


def _make_terms(
    dump: Path, folder: Path, terms: Terms, n_process: int, accept_damage: bool
) -> None:
    with DumpSource(
        str(dump),
        folder,
        terms.properties,
        languages=terms.languages,
        countries=terms.countries,
        min_count=terms.min_count,
        n_process=n_process,
        accept_damage=accept_damage,
        progress=True,
        say=say,
    ) as source:
        source.run()
        terms.write(source.values(), source.origin)
        people, lines = (source.origin.details[k] for k in ("people", "lines"))
        say(f"{people:,} people on {lines:,} lines, {source.broken:,} broken lines")
