"""`spacy deid synth`: synthetic documents, labelled by construction."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spacy.tokens import DocBin
from tqdm import tqdm

from ..corpora.convert import blank_pipeline
from ..corpora.readers import make_gold_doc
from ..corpora.synthetic.external import (
    DEFAULT_FIELDS,
    ExternalRecipe,
    GeneratorError,
)
from ..corpora.synthetic.records import Recipe, distinct
from ..label_schemes import make_label_scheme
from ..processes import WorkerDied, count_workers, map_ordered
from ..schema import PII_KEY
from ._errors import CliError, describe, say, shown
from ._options import command, split
from ._write import StreamFile, check_file, json_line, write_chunks, write_json

JSONL, SPACY = "jsonl", "spacy"
# Documents a task: enough that sending them costs little.
CHUNK = 32
# A document, or None if it was left out, and what is to be counted of its making.
Made = tuple[dict[str, Any] | None, Counter]


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

    def add(self, record: dict[str, Any] | None, counts: Counter) -> None:
        """Count a document, if it was not left out, and its making."""
        self.asked += counts.pop("asked", 0)
        self.missing.update({k.removeprefix("missing "): n for k, n in counts.items()})
        if record is None:
            self.left_out += 1
            return
        self.docs += 1
        self.mentions += len(record["entity_mentions"])
        self.kinds[record["kind"]] += 1
        self.langs[record.get("lang", "en")] += 1
        self.types.update(m["entity_type"] for m in record["entity_mentions"])

    def to_json(self) -> dict[str, Any]:
        """The counts, sorted by name."""
        return {
            key: dict(sorted(value.items())) if isinstance(value, Counter) else value
            for key, value in vars(self).items()
        }

    def table(self) -> str:
        """The counts in lines."""
        lines = [f"{self.docs:,} documents, {self.mentions:,} mentions"]
        titles = {"kind": self.kinds, "language": self.langs, "type": self.types}
        for title, counts in titles.items():
            width = max(map(len, counts), default=0)
            lines += ["", title]
            lines += [f"  {k.ljust(width)}  {n:>9,}" for k, n in counts.most_common()]
        if self.lost:
            lines += ["", f"{self.lost:,} mentions fit no tokens and are not in it"]
        if self.asked:
            lines += ["", f"{self.asked:,} texts asked for, {self.left_out:,} left out"]
            lines += [f"  without {k}: {n:,}" for k, n in self.missing.most_common()]
        return "\n".join(lines)

    def refuse_empty(self) -> None:
        """RAISES (CliError): If there are no documents."""
        if not self.docs:
            lacks = ", ".join(f"{name} {n}" for name, n in self.missing.most_common())
            raise CliError(
                f"every one of {self.asked} texts lacks a value ({lacks}); nothing is "
                "written"
            )


@command
def synth_cli(
    output: str,
    n: int = 1000,
    lang: str = "en",
    kinds: str = "",
    scheme: str = "tab",
    locales: str = "",
    seed: int = 0,
    format_: str | None = None,
    generator: str | None = None,
    fields: str = "",
    retries: int = 2,
    n_process: int = 1,
    report: Path | None = None,
) -> None:
    """Make synthetic documents, labelled by construction."""
    form = _output_format(output, format_, report)
    langs = split(lang)
    recipe: Recipe | ExternalRecipe
    with shown(ValueError):
        if generator is None:
            if fields:
                raise CliError("--fields: goes with --generator only")
            recipe = Recipe(seed, langs, split(kinds), scheme, split(locales))
        else:
            if kinds:
                raise CliError("--kinds: the documents are those of --generator")
            wanted = split(fields) or DEFAULT_FIELDS
            recipe = ExternalRecipe(
                generator, seed, langs, scheme, split(locales), wanted, retries
            )
    counts = Report()
    records = _collect(_make_all(recipe, n, n_process), n, counts)
    if form == SPACY:
        docs = _to_docbin(records, langs, scheme, counts)
        write_chunks(Path(output), [docs.to_bytes()])
    elif output == "-":
        stream = StreamFile()
        for record in records:
            stream.write(json_line(record))
    else:
        write_chunks(Path(output), _to_lines(records, counts))
    say(counts.table())
    if report is not None:
        write_json(report, counts.to_json())


def _output_format(output: str, form: str | None, report: Path | None) -> str:
    """`jsonl` or `spacy`, if the output can be written at all."""
    if form not in (None, JSONL, SPACY):
        raise CliError(f"--format {form}: use {JSONL} or {SPACY}")
    if output != "-":
        check_file(Path(output))
    if report is not None:
        check_file(report, "--report")
    ending = Path(output).suffix
    if form is None and output != "-" and ending not in (".jsonl", ".spacy"):
        raise CliError(f"{output}: the ending must be .jsonl or .spacy, or --format")
    form = form or (SPACY if ending == ".spacy" else JSONL)
    if form == SPACY and output == "-":
        raise CliError("--format spacy: needs a file, not -")
    return form


def _make_some(recipe: Recipe | ExternalRecipe, numbers: Iterable[int]) -> list[Made]:
    """The documents of these numbers."""
    if isinstance(recipe, Recipe):
        return [(recipe.make(i), Counter()) for i in numbers]
    made = []
    for i in numbers:
        try:
            made.append(recipe.make(i))
        except Exception as error:
            # Its message may hold the text, or the personal data.
            known = isinstance(error, GeneratorError)
            problem = str(error) if known else describe(error)
            raise CliError(
                f"generator '{recipe.generator}' failed at document {i}: {problem}"
            ) from None
    return made


def _make_all(
    recipe: Recipe | ExternalRecipe, n: int, n_process: int
) -> Iterator[Made]:
    """All documents, in order, in this process or in several."""
    made = _in_processes(recipe, n, count_workers(n_process))
    if not isinstance(recipe, Recipe):
        yield from made
        return
    first = (record for record, _ in made if record is not None)
    for record in distinct(recipe, first):
        yield record, Counter()


def _in_processes(
    recipe: Recipe | ExternalRecipe, n: int, workers: int
) -> Iterator[Made]:
    size = CHUNK if workers else 1
    numbers = (range(i, min(i + size, n)) for i in range(0, n, size))
    try:
        for chunk in map_ordered(_make_some, numbers, recipe, workers):
            yield from chunk
    except WorkerDied as error:
        raise CliError(f"{error} (out of memory?)") from error


def _collect(
    made: Iterable[Made], total: int, report: Report
) -> Iterator[dict[str, Any]]:
    """The documents that are whole, counted, with a progress bar."""
    # Its thread would be in the way of processes that are forked.
    tqdm.monitor_interval = 0
    bar = tqdm(made, total=total, unit="doc", desc="synth", file=sys.stderr)
    for record, counts in bar:
        report.add(record, counts)
        if record is not None:
            yield record


def _to_lines(records: Iterable[dict[str, Any]], report: Report) -> Iterator[bytes]:
    yield from map(json_line, records)
    report.refuse_empty()


def _to_docbin(
    records: Iterable[dict[str, Any]],
    langs: Sequence[str],
    scheme_name: str,
    report: Report,
) -> DocBin:
    """A DocBin for `spacy train`."""
    scheme = make_label_scheme(scheme_name)
    pipelines = {lang: blank_pipeline(lang) for lang in langs}
    docs = DocBin()
    for record in records:
        doc = make_gold_doc(pipelines[record.get("lang", langs[0])], [record], scheme)
        report.lost += len(record["entity_mentions"]) - len(doc.spans[PII_KEY])
        docs.add(doc)
    report.refuse_empty()
    return docs
