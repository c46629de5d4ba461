"""`spacy deid silver`: annotate raw text by machine, as training data."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Generator, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..about import __version__
from ..processes import count_workers, map_ordered
from ._batch import check_n_process, make_bar, read_all, resume, saving, show_documents
from ._errors import FAILED, CliError, clean_errors, describe, describe_os_error, say
from ._gpu import GpuId, use_gpu
from ._io import JSONL, Item, Source, find_sources, is_special, write_atomic
from ._output import Target, Writer, inside
from ._process import Outcome, load_model, make_chunks
from ._spelling import json_line

if TYPE_CHECKING:
    from ..corpora.silver import SilverAnnotator, SilverCounts

SPACY = ".spacy"
# Until the binary file is made of them, and the counts of a run that may go on.
RECORDS, COUNTS = ".records.jsonl", ".counts"

GazetteersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--gazetteer",
        metavar="FILE.gaz",
        help="Compiled gazetteer; may be given several times",
    ),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="FILE.jsonl",
        help="Leave out documents that are also in this evaluation data, in whole or "
        "in part; may be given several times",
    ),
]


@dataclass(frozen=True)
class SilverSettings:
    """The command's arguments."""

    input_name: str
    output_name: str
    model: str
    scheme: str | None = None
    spans_key: str | None = None
    gazetteers: tuple[str, ...] = ()
    seed_terms: bool = True
    patterns: bool = True
    term_threshold: float | None = None
    propagate: bool = False
    min_score: float = 0.0
    strict: bool = False
    exclude: tuple[str, ...] = ()
    exclude_words: int = 13
    text_field: str = "text"
    id_field: str = "doc_id"
    n_process: int = 1
    batch_size: int = 32
    limit: int = 0
    report: str | None = None
    gpu_id: int = -1


def silver_cli(
    input_name: str = typer.Argument(
        ...,
        metavar="INPUT",
        help="A .txt, .jsonl or .csv file, a folder of them, or - for JSON lines on "
        "stdin",
    ),
    output_name: str = typer.Argument(
        ..., metavar="OUTPUT", help="A .jsonl or .spacy file, or - for stdout"
    ),
    model: str = typer.Option(
        ...,
        "--model",
        "-m",
        help="Pipeline that finds entities: embedded name, package or path",
    ),
    scheme: str | None = typer.Option(
        None,
        "--scheme",
        help="Label scheme of the pipeline (default: that of its pii_ner, else "
        "ontonotes)",
    ),
    spans_key: str | None = typer.Option(
        None,
        "--spans-key",
        help="Where its entities are: ents, or a span group (default: the group of its "
        "pii_ner, else ents)",
    ),
    gazetteers: GazetteersOption = None,
    seed_terms: bool = typer.Option(
        True, "--seed-terms/--no-seed-terms", help="Terms that come with the package"
    ),
    patterns: bool = typer.Option(
        True, "--patterns/--no-patterns", help="Structured identifiers by patterns"
    ),
    term_threshold: float | None = typer.Option(
        None,
        "--term-threshold",
        min=0,
        max=1,
        help="Least probability for terms of compiled gazetteers",
    ),
    propagate: bool = typer.Option(
        False,
        "--propagate/--no-propagate",
        help="Also take further mentions of what was found",
    ),
    min_score: float = typer.Option(
        0.0,
        "--min-score",
        min=0,
        max=1,
        help="Leave out entities of the pipeline with a lower score",
    ),
    strict: bool = typer.Option(
        False, "--strict", help="Stop at a label that the scheme does not have"
    ),
    exclude: ExcludeOption = None,
    exclude_words: int = typer.Option(
        13, "--exclude-words", min=1, help="Words in a row that tell it"
    ),
    text_field: str = typer.Option(
        "text", "--text-field", help="Field or column of the text"
    ),
    id_field: str = typer.Option(
        "doc_id", "--id-field", help="Field or column of the document's id"
    ),
    n_process: int = typer.Option(
        1, "--n-process", "-n", help="Processes, -1 for one a core"
    ),
    batch_size: int = typer.Option(
        32, "--batch-size", min=1, help="Documents processed together"
    ),
    limit: int = typer.Option(0, "--limit", min=0, help="Read so many documents"),
    report: str | None = typer.Option(
        None, "--report", metavar="FILE.json", help="Write all counts to this file"
    ),
    gpu_id: GpuId = -1,
) -> None:
    """Annotate raw text by machine: training data for a recognizer.

    A pipeline finds entities, patterns and gazetteers find what has no name of its own,
    and of spans that overlap the longest is kept. Interrupted, the same command goes
    on where it stopped. Exit status 0 only if every document was read.
    """
    run_silver(
        SilverSettings(
            input_name=input_name,
            output_name=output_name,
            model=model,
            scheme=scheme,
            spans_key=spans_key,
            gazetteers=tuple(gazetteers or ()),
            seed_terms=seed_terms,
            patterns=patterns,
            term_threshold=term_threshold,
            propagate=propagate,
            min_score=min_score,
            strict=strict,
            exclude=tuple(exclude or ()),
            exclude_words=exclude_words,
            text_field=text_field,
            id_field=id_field,
            n_process=n_process,
            batch_size=batch_size,
            limit=limit,
            report=report,
            gpu_id=gpu_id,
        )
    )


@clean_errors
def run_silver(settings: SilverSettings) -> int:
    """Run the command.

    settings (SilverSettings): The arguments.
    RETURNS (int): Exit status.
    """
    check_n_process(settings.n_process)
    use_gpu(settings.gpu_id, settings.n_process)
    sources, skipped = find_sources(settings.input_name)
    binary = _binary(settings)
    records = f"{binary}{RECORDS}" if binary else settings.output_name
    if not binary and not _accepts(records):
        raise CliError(f"{records}: use a .jsonl or .spacy file, or - for stdout")
    target = Target(records, settings.input_name, sources)
    _check_report(settings, sources, target)
    worker = Worker.load(settings)
    counts_path = None
    if target.resumable and target.path is not None:
        counts_path = target.path.with_name(target.path.name + COUNTS)
    fingerprint = _fingerprint(settings, worker, sources) if target.resumable else ""
    writer = Writer(target, counts_path, fingerprint)
    resume(writer, skipped)
    return _run(settings, worker, sources, target, writer, binary)


def _binary(settings: SilverSettings) -> Path | None:
    """The `.spacy` file to write, if that is what is asked for."""
    path = Path(settings.output_name)
    if path.suffix != SPACY or is_special(path):
        return None
    if path.is_dir():
        raise CliError(f"{path}: is a folder")
    return path


def _accepts(name: str) -> bool:
    path = Path(name)
    return name == "-" or is_special(path) or path.suffix.lower() == f".{JSONL}"


def _check_report(
    settings: SilverSettings, sources: list[Source], target: Target
) -> None:
    if settings.report is None:
        return
    path = Path(settings.report)
    if path.is_dir() or not path.parent.is_dir():
        raise CliError(f"--report {path}: has to be a file in a folder that exists")
    taken = [s.path for s in sources if s.path is not None]
    taken.extend(p for p in (target.path, Path(settings.output_name)) if p is not None)
    if path.resolve() in {p.resolve() for p in taken}:
        raise CliError(f"--report {path}: is an input or the output as well")
    root = Path(settings.input_name)
    if root.is_dir() and inside(path, root):
        raise CliError(f"--report {path}: lies inside the input folder")


def _run(
    settings: SilverSettings,
    worker: Worker,
    sources: list[Source],
    target: Target,
    writer: Writer,
    binary: Path | None,
) -> int:
    from ..corpora.silver import SilverCounts

    counts = SilverCounts()
    with saving(writer, target):
        with make_bar(sources, "silver") as bar:
            writer.open()
            items = _read(settings, sources, writer)
            chunks = make_chunks(items, settings.batch_size)
            with contextlib.closing(_stream(worker, chunks, settings)) as stream:
                for outcomes in stream:
                    for outcome in outcomes:
                        if outcome.error is not None:
                            say(f"Left out: {outcome.error}")
                    writer.add(outcomes)
                    bar.update(sum(o.n_bytes for o in outcomes))
                    if writer.audit_path is None:
                        _add_counts(counts, b"".join(o.audit for o in outcomes))
            writer.save()
        empty = not writer.state.docs and not writer.state.failed
        if empty:
            writer.finish(discard=True)
        else:
            if writer.audit is not None:
                _add_counts(counts, writer.audit.part.read_bytes())
            _finish(settings, worker, writer, counts, binary)
    if empty:
        raise CliError(f"{settings.input_name}: there are no documents in it")
    for line in _summary(counts):
        say(line)
    if writer.state.failed:
        failed = show_documents(writer.state.failed, "was", "were")
        say(f"{failed} left out (see above)")
    return FAILED if writer.state.failed else 0


def _read(
    settings: SilverSettings, sources: list[Source], writer: Writer
) -> Iterator[Item]:
    """Items to annotate, from the writer's state on."""
    items = read_all(sources, writer, settings.text_field, settings.id_field)
    if not settings.limit:
        yield from items
        return
    left = settings.limit - writer.state.docs - writer.state.failed
    while left > 0:
        item = next(items, None)
        if item is None:
            return
        left -= not item.end
        yield item


def _finish(
    settings: SilverSettings,
    worker: Worker,
    writer: Writer,
    counts: SilverCounts,
    binary: Path | None,
) -> None:
    """Write report and binary file, then give the output its name."""
    failed_all = not writer.state.docs
    if settings.report is not None and not failed_all:
        report = {
            **worker.describe(),
            "failed": writer.state.failed,
            **counts.to_json(),
        }
        data = json.dumps(report, indent=2, ensure_ascii=False).encode() + b"\n"
        write_atomic(Path(settings.report), data)
    if binary is not None and not failed_all:
        from ..corpora.silver import write_silver_docbin

        assert writer.file is not None
        part = writer.file.part  # type: ignore[union-attr]
        with part.open(encoding="utf-8") as lines:
            records = (json.loads(line) for line in lines)
            write_silver_docbin(records, binary, worker.annotator.lang)
    writer.finish(discard=binary is not None)
    if writer.audit_path is not None:
        writer.audit_path.unlink(missing_ok=True)


def _add_counts(counts: SilverCounts, lines: bytes) -> None:
    for line in lines.splitlines():
        counts.add(json.loads(line))


def _summary(counts: SilverCounts) -> Iterator[str]:
    """Counts in lines, for people."""
    corpus = counts["corpus"]
    yield (
        f"{show_documents(corpus['documents'])}, {corpus['tokens']:,} tokens, "
        f"{corpus['spans']:,} spans"
    )
    excluded = sum(counts["excluded"].values())
    if excluded:
        yield f"Also in evaluation data: {show_documents(excluded, 'was', 'were')} left out"
    agreement: dict[str, dict[str, int]] = {}
    for name, n in counts["agreement"].items():
        label, _, kind = name.rpartition("/")
        agreement.setdefault(label, {})[kind] = n
    if counts["types"]:
        head = ("spans", "same", "other_type", "overlap", "alone")
        yield "  ".join(["type".ljust(10), *(h.rjust(10) for h in head)])
        for label, n in counts["types"].most_common():
            row = (n, *(agreement.get(label, {}).get(kind, 0) for kind in head[1:]))
            yield "  ".join([label.ljust(10), *(f"{value:>10,}" for value in row)])
    for title, table in (
        ("Found by", "sources"),
        ("Of the pipeline's entities not taken", "dropped"),
        ("Labels that the scheme does not have", "unknown"),
    ):
        if counts[table]:
            ranked = list(counts.to_json()[table].items())
            pairs = (f"{name} {n:,}" for name, n in ranked[:20])
            yield f"{title}: {', '.join(pairs)}"


class Worker:
    """What annotates documents in a process.

    settings (SilverSettings): The arguments.
    annotator (SilverAnnotator): Recognizer and gazetteers.
    exclusion (Optional[Exclusion]): Tells documents to leave out.
    """

    def __init__(
        self, settings: SilverSettings, annotator: SilverAnnotator, exclusion: Any
    ) -> None:
        self.settings = settings
        self.annotator = annotator
        self.exclusion = exclusion

    @classmethod
    def load(cls, settings: SilverSettings) -> Worker:
        """Load the pipeline and the gazetteers.

        settings (SilverSettings): The arguments.
        RETURNS (Worker): Ready to run.
        RAISES (CliError): If an argument does not fit.
        """
        from ..corpora.silver import SilverAnnotator, make_gazetteer
        from ..entities.linking import make_merge_spans, make_propagate_names
        from ..gazetteers import GazetteerError

        exclusion = _load_exclusion(settings)
        nlp = load_model(settings.model)
        try:
            gazetteer = make_gazetteer(
                nlp,
                patterns=settings.patterns,
                seed_terms=settings.seed_terms,
                gazetteers=settings.gazetteers,
                term_threshold=settings.term_threshold,
            )
        except GazetteerError as error:
            raise CliError(f"--gazetteer: {error}") from error
        except OSError as error:
            raise CliError(
                f"--gazetteer: {describe_os_error(error)} (`spacy deid gazetteer "
                "compile` makes one)"
            ) from error
        try:
            annotator = SilverAnnotator(
                nlp,
                gazetteer,
                scheme=settings.scheme,
                spans_key=settings.spans_key,
                merge=make_merge_spans(),
                propagate=make_propagate_names() if settings.propagate else None,
                min_score=settings.min_score,
            )
        except ValueError as error:
            raise CliError(f"--scheme: {error}") from error
        worker = cls(settings, annotator, exclusion)
        worker.check_labels()
        try:
            annotator.check_spans_key()
        except ValueError as error:
            raise CliError(f"--spans-key: {error}") from error
        return worker

    def check_labels(self) -> None:
        """Compare the pipeline's labels with the scheme's.

        RAISES (CliError): If one is unknown and the command is strict.
        """
        unknown = self.annotator.unknown_labels()
        if not unknown:
            return
        message = (
            f"the label scheme '{self.annotator.scheme.name}' does not have these "
            f"labels of the pipeline: {', '.join(unknown)} (choose with --scheme)"
        )
        if self.settings.strict:
            raise CliError(message)
        say(f"Warning: {message}; such entities are left out and counted")

    def describe(self) -> dict[str, Any]:
        """What the corpus is made with, for the report."""
        annotator = self.annotator
        meta = annotator.nlp.meta
        gazetteer = annotator.gazetteer
        return {
            "spacy_deid": __version__,
            "pipeline": {key: meta.get(key) for key in ("lang", "name", "version")},
            "scheme": annotator.scheme.name,
            "spans_key": annotator.spans_key,
            "patterns": self.settings.patterns,
            "seed_terms": self.settings.seed_terms,
            "gazetteers": [g.name for g in gazetteer.gazetteers] if gazetteer else [],
            "min_score": annotator.min_score,
        }

    def process(self, items: list[Item]) -> list[Outcome]:
        """Annotate some documents. One that fails does not stop the others.

        items (list[Item]): What was read.
        RETURNS (list[Outcome]): One for each item, in the same order.
        """
        from ..corpora.silver import SilverCounts

        results: dict[int, Outcome] = {}
        wanted = []
        for item in items:
            if item.error is not None or item.end:
                reason = f"{item.where}: {item.error}" if item.error else None
                results[id(item)] = Outcome(item.source, item.n_bytes, item.end, reason)
                continue
            excluded = self.exclusion.reason(item.text) if self.exclusion else ""
            if excluded:
                counts = SilverCounts({"excluded": {excluded: 1}})
                results[id(item)] = _outcome(item, None, counts)
            else:
                wanted.append(item)
        annotator = self.annotator
        # Nothing may be raised inside: the zone would stay open and later strings in it.
        with annotator.nlp.memory_zone(), annotator.blank.memory_zone():
            for item, result in zip(wanted, self._annotate(wanted)):
                results[id(item)] = result
        return [results[id(item)] for item in items]

    def _annotate(self, items: list[Item]) -> list[Outcome]:
        try:
            found = list(self.annotator.annotate([item.text for item in items]))
            return [self._make(item, *pair) for item, pair in zip(items, found)]
        except CliError:
            raise
        except Exception as error:
            if len(items) == 1:
                item = items[0]
                outcome = Outcome(item.source, item.n_bytes, doc_id=item.doc_id)
                doc_id = json.dumps(item.doc_id)
                outcome.error = f"{item.where} (id {doc_id}): {describe(error)}"
                return [outcome]
        return [outcome for item in items for outcome in self._annotate([item])]

    def _make(self, item: Item, mentions: list, counts: SilverCounts) -> Outcome:
        if self.settings.strict and counts["unknown"]:
            labels = ", ".join(sorted(counts["unknown"]))
            raise CliError(
                f"the label scheme '{self.annotator.scheme.name}' does not have the "
                f"labels {labels}"
            )
        record = {
            "doc_id": item.doc_id,
            "text": item.text,
            "entity_mentions": mentions,
        }
        return _outcome(item, record, counts)


def _outcome(item: Item, record: Any, counts: SilverCounts) -> Outcome:
    line = json_line(record) if record is not None else b""
    tables = {name: table for name, table in counts.items() if table}
    return Outcome(
        item.source,
        item.n_bytes,
        line=line,
        audit=json_line(tables),
        doc_id=item.doc_id,
        n_chars=len(item.text),
    )


def _load_exclusion(settings: SilverSettings) -> Any:
    if not settings.exclude:
        return None
    from ..corpora.readers import read_records
    from ..corpora.silver import Exclusion

    def texts() -> Iterator[str]:
        for name in settings.exclude:
            empty = True
            for record in read_records(name):
                empty = empty and not record["text"].strip()
                yield record["text"]
            # A wrong file would let evaluation data into the corpus.
            if empty:
                raise CliError(
                    f"--exclude: {name}: there is no text in it, so nothing would be "
                    "left out"
                )

    try:
        return Exclusion(texts(), settings.exclude_words)
    except (ValueError, UnicodeDecodeError) as error:
        message = "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        raise CliError(f"--exclude: {message}") from error


def _stream(
    worker: Worker, chunks: Iterable[list[Item]], settings: SilverSettings
) -> Generator[list[Outcome], None, None]:
    """Annotate chunks, in this process or in several, in order."""
    return map_ordered(
        Worker.process,
        chunks,
        worker,
        count_workers(settings.n_process),
        load=partial(Worker.load, settings),
    )


def _fingerprint(
    settings: SilverSettings, worker: Worker, sources: list[Source]
) -> str:
    """Equal for two runs that write the same."""
    free = ("n_process", "report", "gpu_id", "strict")
    arguments = {k: v for k, v in asdict(settings).items() if k not in free}
    meta = worker.annotator.nlp.meta
    model = worker.annotator.nlp.path or settings.model
    facts = [
        __version__,
        arguments,
        [meta.get("name"), meta.get("version")],
        [_stamps(Path(p)) for p in (model, *settings.gazetteers, *settings.exclude)],
        [(s.name, s.kind, s.size, s.mtime) for s in sources],
    ]
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()


def _stamps(path: Path) -> list[tuple[str, int, int]]:
    files = path.rglob("*") if path.is_dir() else [path]
    return sorted(
        (str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in files if p.is_file()
    )
