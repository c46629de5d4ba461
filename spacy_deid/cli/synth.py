"""`spacy deid synth`: synthetic documents, labelled by construction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spacy.tokens import DocBin

from ..corpora.readers import make_gold_doc
from ..corpora.synthetic.external import DEFAULT_FIELDS, ExternalRecipe, GeneratorError
from ..corpora.synthetic.records import Made, Recipe, Record, distinct
from ..label_schemes import make_label_scheme
from ..processes import WorkerDied, count_workers, map_ordered, progress_bar
from ..schema import PII_KEY
from ..tokenizer import blank_pipeline
from ._errors import CliError, say, shown
from ._options import command, split
from ._write import StreamFile, check_file, json_line, write_chunks, write_json

JSONL, SPACY = "jsonl", "spacy"
# Documents a task: enough that sending them costs little.
CHUNK = 32


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

    def add(self, record: Record | None, counts: Counter) -> None:
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
        own = vars(self).items()
        counts = {k: dict(sorted(v.items())) for k, v in own if isinstance(v, Counter)}
        return vars(self) | counts

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
    overwrite: bool = False,
) -> None:
    """Make synthetic documents, labelled by construction."""
    form = _output_format(output, format_, report, overwrite)
    if fields and generator is None:
        raise CliError("--fields: goes with --generator only")
    if kinds and generator is not None:
        raise CliError("--kinds: the documents are those of --generator")
    common = seed, split(lang), scheme, split(locales), split(kinds)
    with shown(ValueError):
        recipe = Recipe(*common)
        if generator is not None:
            asked = split(fields) or DEFAULT_FIELDS
            recipe = ExternalRecipe(*common, generator, asked, retries)
    counts = Report()
    records = _make_all(recipe, n, count_workers(n_process), counts)
    if output == "-":
        stream = StreamFile()
        for record in records:
            stream.write(json_line(record))
    elif form == SPACY:
        write_chunks(Path(output), [_to_docbin(records, recipe, counts).to_bytes()])
    else:
        write_chunks(Path(output), map(json_line, records))
    say(counts.table())
    write_json(report, counts.to_json())


def _output_format(
    output: str, form: str | None, report: Path | None, overwrite: bool
) -> str:
    """`jsonl` or `spacy`, if the output can be written at all."""
    if form not in (None, JSONL, SPACY):
        raise CliError(f"--format {form}: use {JSONL} or {SPACY}")
    if output != "-":
        check_file(Path(output), overwrite=overwrite)
    check_file(report, "--report", overwrite=overwrite)
    ending = Path(output).suffix
    if form is None and output != "-" and ending not in (".jsonl", ".spacy"):
        raise CliError(f"{output}: the ending must be .jsonl or .spacy, or --format")
    form = form or (SPACY if ending == ".spacy" else JSONL)
    if form == SPACY and output == "-":
        raise CliError("--format spacy: needs a file, not -")
    return form


def _make_some(recipe: Recipe, numbers: Iterable[int]) -> list[Made]:
    """The documents of these numbers."""
    return [recipe.make(i) for i in numbers]


def _make_all(recipe: Recipe, n: int, workers: int, report: Report) -> Iterator[Record]:
    """All documents that are whole, in order, counted, with a progress bar.

    RAISES (CliError): If there is none, or the generator fails.
    """
    size = CHUNK if workers else 1
    numbers = (range(i, min(i + size, n)) for i in range(0, n, size))
    chunks = map_ordered(_make_some, numbers, recipe, workers)
    made = distinct(recipe, (pair for chunk in chunks for pair in chunk))
    try:
        with progress_bar("synth", n, unit="doc") as bar:
            for record, counts in made:
                bar.update()
                report.add(record, counts)
                if record is not None:
                    yield record
    except GeneratorError as error:
        raise CliError(str(error)) from None
    except WorkerDied as error:
        raise CliError(f"{error} (out of memory?)") from error
    if not report.docs:
        lacks = ", ".join(f"{name} {n}" for name, n in report.missing.most_common())
        problem = f"every one of {report.asked} texts lacks a value ({lacks})"
        raise CliError(f"{problem}; nothing is written")


def _to_docbin(records: Iterable[Record], recipe: Recipe, report: Report) -> DocBin:
    """A DocBin for `spacy train`."""
    scheme = make_label_scheme(recipe.scheme)
    pipelines = {lang: blank_pipeline(lang) for lang in recipe.langs}
    docs = DocBin()
    for record in records:
        nlp = pipelines[record.get("lang", recipe.langs[0])]
        doc = make_gold_doc(nlp, [record], scheme)
        report.lost += len(record["entity_mentions"]) - len(doc.spans[PII_KEY])
        docs.add(doc)
    return docs
