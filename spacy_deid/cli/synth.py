"""`spacy deid synth`: synthetic documents, labelled by construction."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..processes import WorkerDied, count_workers, map_ordered
from ._errors import CliError, clean_errors, describe, say
from ._io import PartFile, is_special, write_atomic
from ._spelling import json_line

if TYPE_CHECKING:
    from ..corpora.synthetic.external import ExternalRecipe
    from ..corpora.synthetic.records import Recipe

JSONL, SPACY = "jsonl", "spacy"
# Documents a task: enough that sending them costs little.
CHUNK = 32


def synth_cli(
    output: str = typer.Argument(
        ..., metavar="OUTPUT", help="A .jsonl or .spacy file, or - for stdout"
    ),
    n: int = typer.Option(1000, "--n", "-n", min=1, help="Number of documents"),
    lang: str = typer.Option(
        "en", "--lang", help="Languages, separated by commas: en, de"
    ),
    kinds: str = typer.Option(
        "", "--kinds", help="Kinds of documents, for example email,court (default: all)"
    ),
    scheme: str = typer.Option(
        "tab", "--scheme", help="Label scheme, for example tab, emails or essays"
    ),
    locales: str = typer.Option(
        "",
        "--locales",
        help="Faker locales of names and places, for example de_DE,tr_TR (default: "
        "all)",
    ),
    seed: int = typer.Option(0, "--seed", help="The same seed, the same documents"),
    format_: str | None = typer.Option(
        None,
        "--format",
        help="jsonl, or spacy for a DocBin (default: by OUTPUT's ending)",
    ),
    generator: str | None = typer.Option(
        None,
        "--generator",
        help="Write the documents with this function: module:function, or a "
        "registered name",
    ),
    fields: str = typer.Option(
        "",
        "--fields",
        help="Personal data that the generator gets and its text must hold, for "
        "example name,phone (default: the seven of student essays)",
    ),
    retries: int = typer.Option(
        2, "--retries", min=0, help="Ask the generator again if a value is missing"
    ),
    n_process: int = typer.Option(
        1, "--n-process", min=-1, help="Number of processes, -1 for all cores"
    ),
    report: str | None = typer.Option(
        None, "--report", help="Write the counts to this .json file"
    ),
) -> None:
    """Make synthetic documents, labelled by construction."""
    synth_command(
        Settings(
            output,
            n,
            _split(lang),
            _split(kinds),
            scheme,
            _split(locales),
            seed,
            format_,
            generator,
            _split(fields),
            retries,
            n_process,
            report,
        )
    )


def _split(value: str) -> tuple[str, ...]:
    """Values separated by commas, each once."""
    return tuple(dict.fromkeys(x.strip() for x in value.split(",") if x.strip()))


@dataclass(frozen=True)
class Settings:
    """The command's arguments."""

    output: str
    n: int = 1000
    langs: tuple[str, ...] = ("en",)
    kinds: tuple[str, ...] = ()
    scheme: str = "tab"
    locales: tuple[str, ...] = ()
    seed: int = 0
    format: str | None = None
    generator: str | None = None
    fields: tuple[str, ...] = ()
    retries: int = 2
    n_process: int = 1
    report: str | None = None


@dataclass
class Report:
    """What was made: counts only.

    lost (int): Mentions that no tokens fit, in a DocBin.
    """

    docs: int = 0
    mentions: int = 0
    lost: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    langs: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    left_out: int = 0
    asked: int = 0
    missing: Counter[str] = field(default_factory=Counter)

    def add(self, record: dict[str, Any]) -> None:
        """Count a document.

        record (dict): The document.
        """
        self.docs += 1
        self.mentions += len(record["entity_mentions"])
        self.kinds[record["kind"]] += 1
        self.langs[record.get("lang", "en")] += 1
        self.types.update(m["entity_type"] for m in record["entity_mentions"])

    def to_json(self) -> dict[str, Any]:
        """RETURNS (dict): The counts, sorted by name."""
        return {
            key: dict(sorted(value.items())) if isinstance(value, Counter) else value
            for key, value in vars(self).items()
        }

    def table(self) -> str:
        """RETURNS (str): The counts in lines."""
        lines = [f"{self.docs:,} documents, {self.mentions:,} mentions"]
        for title, counts in (
            ("kind", self.kinds),
            ("language", self.langs),
            ("type", self.types),
        ):
            rows = [(name, f"{n:,}") for name, n in counts.most_common()]
            width = max((len(name) for name, _ in rows), default=0)
            lines += ["", title]
            lines += [f"  {name.ljust(width)}  {n.rjust(9)}" for name, n in rows]
        if self.lost:
            lines += ["", f"{self.lost:,} mentions fit no tokens and are not in it"]
        if self.asked:
            lines += ["", f"{self.asked:,} texts asked for, {self.left_out:,} left out"]
            lines += [
                f"  without {name}: {n:,}" for name, n in self.missing.most_common()
            ]
        return "\n".join(lines)


@clean_errors
def synth_command(settings: Settings) -> int:
    """Run the command.

    settings (Settings): Its arguments.
    RETURNS (int): Exit status.
    """
    form = output_format(settings)
    recipe = make_recipe(settings)
    report = Report()
    records = collect(make_all(recipe, settings), settings.n, report)
    if form == SPACY:
        write_spacy(records, settings, report)
    elif settings.output == "-":
        for record in records:
            sys.stdout.buffer.write(json_line(record))
        sys.stdout.buffer.flush()
    else:
        write_jsonl(records, Path(settings.output), report)
    say(report.table())
    if settings.report:
        data = json.dumps(report.to_json(), indent=2, ensure_ascii=False)
        write_atomic(Path(settings.report), data.encode("utf-8") + b"\n")
    return 0


def output_format(settings: Settings) -> str:
    """Format of the output, and whether it can be written at all.

    settings (Settings): The arguments.
    RETURNS (str): `jsonl` or `spacy`.
    RAISES (CliError): If it can't.
    """
    name = settings.output
    form = settings.format
    if form not in (None, JSONL, SPACY):
        raise CliError(f"--format {form}: use {JSONL} or {SPACY}")
    for option in filter(None, (None if name == "-" else name, settings.report)):
        if not Path(option).parent.is_dir():
            raise CliError(f"{option}: the folder does not exist")
        if Path(option).is_dir():
            raise CliError(f"{option}: is a folder; name a file")
    if form is None:
        ending = Path(name).suffix
        if name != "-" and ending not in (".jsonl", ".spacy"):
            raise CliError(f"{name}: the ending must be .jsonl or .spacy, or --format")
        form = SPACY if ending == ".spacy" else JSONL
    if form == SPACY and name == "-":
        raise CliError("--format spacy: needs a file, not -")
    return form


def make_recipe(settings: Settings) -> Recipe | ExternalRecipe:
    """What makes the documents.

    settings (Settings): The arguments.
    RETURNS (Union[Recipe, ExternalRecipe]): The recipe.
    RAISES (CliError): If an argument names something unknown.
    """
    from ..corpora.synthetic import external, records

    s = settings
    try:
        if s.generator is None:
            if s.fields:
                raise CliError("--fields: goes with --generator only")
            return records.Recipe(s.seed, s.langs, s.kinds, s.scheme, s.locales)
        if s.kinds:
            raise CliError("--kinds: the documents are those of --generator")
        return external.ExternalRecipe(
            s.generator,
            s.seed,
            s.langs,
            s.scheme,
            s.locales,
            s.fields or external.DEFAULT_FIELDS,
            s.retries,
        )
    except ValueError as error:
        raise CliError(str(error)) from None


Made = tuple[dict[str, Any] | None, Counter]


def make_one(recipe: Any, i: int) -> Made:
    """One document and what is to be counted of its making.

    recipe (Union[Recipe, ExternalRecipe]): What makes it.
    i (int): Its number.
    RETURNS (tuple[Optional[dict], Counter]): See `ExternalRecipe.make`.
    RAISES (CliError): If an external generator fails.
    """
    from ..corpora.synthetic.external import ExternalRecipe, GeneratorError

    if not isinstance(recipe, ExternalRecipe):
        return recipe.make(i), Counter()
    try:
        return recipe.make(i)
    except Exception as error:
        # Its message may hold the text, or the personal data.
        known = isinstance(error, GeneratorError)
        problem = str(error) if known else describe(error)
        raise CliError(
            f"generator '{recipe.generator}' failed at document {i}: {problem}"
        ) from None


def make_all(recipe: Any, settings: Settings) -> Iterator[Made]:
    """All documents, in order, in this process or in several.

    recipe (Union[Recipe, ExternalRecipe]): What makes them.
    settings (Settings): The arguments.
    YIELDS (tuple[Optional[dict], Counter]): See `make_one`.
    """
    from ..corpora.synthetic.records import Recipe, distinct

    made = _in_processes(recipe, settings)
    if not isinstance(recipe, Recipe):
        yield from made
        return
    first = (record for record, _ in made if record is not None)
    for record in distinct(recipe, first):
        yield record, Counter()


def _in_processes(recipe: Any, settings: Settings) -> Iterator[Made]:
    workers = count_workers(settings.n_process)
    size = CHUNK if workers else 1
    numbers = (
        range(start, min(start + size, settings.n))
        for start in range(0, settings.n, size)
    )
    try:
        for chunk in map_ordered(_make_some, numbers, recipe, workers):
            yield from chunk
    except WorkerDied as error:
        raise CliError(f"{error} (out of memory?)") from error


def _make_some(recipe: Any, numbers: Iterable[int]) -> list[Made]:
    return [make_one(recipe, i) for i in numbers]


def collect(
    made: Iterable[Made], total: int, report: Report
) -> Iterator[dict[str, Any]]:
    """Count what is made, with a progress bar.

    made (Iterable): See `make_all`.
    total (int): How many documents there will be.
    report (Report): Gets the counts.
    YIELDS (dict): The documents that are whole.
    """
    from tqdm import tqdm

    # Its thread would be in the way of processes that are forked.
    tqdm.monitor_interval = 0
    bar = tqdm(made, total=total, unit="doc", desc="synth", file=sys.stderr)
    for record, counts in bar:
        report.asked += counts.pop("asked", 0)
        report.missing.update(
            {name.removeprefix("missing "): n for name, n in counts.items()}
        )
        if record is None:
            report.left_out += 1
        else:
            report.add(record)
            yield record


def _refuse_empty(report: Report) -> None:
    if not report.docs:
        raise CliError(
            f"every one of {report.asked} texts lacks a value ("
            + ", ".join(f"{name} {n}" for name, n in report.missing.most_common())
            + "); nothing is written"
        )


def write_jsonl(records: Iterable[dict[str, Any]], path: Path, report: Report) -> None:
    """Write JSON lines, complete or not at all.

    records (Iterable[dict]): The documents.
    path (Path): The file.
    report (Report): Their counts.
    RAISES (CliError): If there are none.
    """
    if is_special(path):
        with path.open("wb") as stream:
            stream.writelines(map(json_line, records))
        return
    file = PartFile(path)
    try:
        for record in records:
            file.write(json_line(record))
        _refuse_empty(report)
        file.commit()
    except BaseException:
        file.discard()
        raise


def write_spacy(
    records: Iterable[dict[str, Any]], settings: Settings, report: Report
) -> None:
    """Write a DocBin for `spacy train`, complete or not at all.

    records (Iterable[dict]): The documents.
    settings (Settings): The arguments.
    report (Report): Their counts.
    RAISES (CliError): If there are none.
    """
    from spacy.tokens import DocBin

    from ..corpora.convert import blank_pipeline
    from ..corpora.readers import make_gold_doc
    from ..label_schemes import make_label_scheme
    from ..schema import PII_KEY

    scheme = make_label_scheme(settings.scheme)
    pipelines = {lang: blank_pipeline(lang) for lang in settings.langs}
    docs = DocBin()
    for record in records:
        nlp = pipelines[record.get("lang", settings.langs[0])]
        doc = make_gold_doc(nlp, [record], scheme)
        report.lost += len(record["entity_mentions"]) - len(doc.spans[PII_KEY])
        docs.add(doc)
    _refuse_empty(report)
    write_atomic(Path(settings.output), docs.to_bytes())
