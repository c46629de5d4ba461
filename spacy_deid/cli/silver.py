"""`spacy deid silver`: annotate raw text by machine, as training data."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ..about import __version__
from ..corpora.silver import (
    Exclusion,
    SilverAnnotator,
    SilverCounts,
    make_gazetteer,
    write_silver_docbin,
)
from ..entities.merging import make_merge_spans
from ..entities.propagation import make_propagate_names
from ..gazetteers import GazetteerError
from ..processes import count_workers, map_ordered
from ._corpus import make_exclusion
from ._errors import FAILED, CliError, describe_os_error, say, shown
from ._options import check_n_process, command, use_gpu
from ._output import Target, Writer, fingerprint, make_bar, show_documents, stamps
from ._process import Outcome, failed, load_model, make_chunks, unread
from ._read import JSONL, Item, find_sources
from ._write import PartFile, check_file, is_special, json_line, write_json
from .run import say_left_out

SPACY = ".spacy"
# Until the binary file is made of them, and the counts of a run that may go on.
RECORDS, COUNTS = ".records.jsonl", ".counts"


@dataclass(frozen=True)
class SilverSettings:
    """The arguments of which the corpus depends."""

    model: str
    scheme: str | None = None
    spans_key: str | None = None
    gazetteers: list[str] | None = None
    seed_terms: bool = True
    patterns: bool = True
    term_threshold: float | None = None
    propagate: bool = False
    min_score: float = 0.0
    strict: bool = False
    exclude: list[str] | None = None
    exclude_words: int = 13
    text_field: str = "text"
    id_field: str = "doc_id"
    limit: int = 0


@command
def silver_cli(
    input_name: str,
    output_name: str,
    settings: SilverSettings,
    n_process: int = 1,
    batch_size: int = 32,
    report: Path | None = None,
    gpu_id: int = -1,
) -> int:
    """Annotate raw text by machine: training data for a recognizer.

    A pipeline finds entities, patterns and gazetteers find what has no name of its own,
    and of spans that overlap the longest is kept. Interrupted, the same command goes
    on where it stopped. Exit status 0 only if every document was read.
    """
    check_n_process(n_process)
    use_gpu(gpu_id, n_process)
    job = _Job(settings, input_name, output_name, report)
    return job.run(count_workers(n_process), batch_size)


class _Job:
    """One run of the command; its outputs are checked, and its parts are loaded."""

    def __init__(
        self,
        settings: SilverSettings,
        input_name: str,
        output_name: str,
        report: Path | None,
    ) -> None:
        self.settings, self.report, self.input_name = settings, report, input_name
        self.sources, self.skipped = find_sources(input_name)
        self.binary = _binary(output_name)
        records = f"{self.binary}{RECORDS}" if self.binary else output_name
        target = Target(records, input_name, self.sources)
        if report is not None:
            taken = [*target.taken(), Path(output_name)]
            check_file(report, "--report", taken, input_name)
        self.worker = Worker.load(settings)
        counts_path = None
        if target.resumable and target.path is not None:
            counts_path = target.path.with_name(target.path.name + COUNTS)
        known = self._fingerprint() if target.resumable else ""
        self.writer = Writer(target, counts_path, known)

    def _fingerprint(self) -> str:
        """Equal for two runs that write the same."""
        settings, nlp = self.settings, self.worker.annotator.nlp
        files = (
            nlp.path or settings.model,
            *(settings.gazetteers or ()),
            *(settings.exclude or ()),
        )
        facts = [
            __version__,
            asdict(settings),
            nlp.meta.get("name"),
            nlp.meta["version"],
        ]
        return fingerprint([*facts, *map(stamps, files)], self.sources)

    def run(self, n_workers: int, batch_size: int) -> int:
        """Annotate all documents; the exit status."""
        writer, counts = self.writer, SilverCounts()
        writer.resume(self.skipped)
        chunks = make_chunks(self._read(), batch_size)
        load = partial(Worker.load, self.settings)
        stream = map_ordered(Worker.process, chunks, self.worker, n_workers, load=load)
        with writer.saving():
            with make_bar(self.sources, "silver") as bar:
                writer.open()
                with contextlib.closing(stream):
                    for outcomes in stream:
                        self._add(outcomes, counts)
                        bar.update(sum(o.n_bytes for o in outcomes))
                writer.save()
            if writer.audit is not None:
                _add_counts(counts, writer.audit.part.read_bytes())
            self._finish(counts)
        if not writer.state.docs and not writer.state.failed:
            raise CliError(f"{self.input_name}: there are no documents in it")
        for line in _summary(counts):
            say(line)
        say_left_out(writer.state.failed)
        return FAILED if writer.state.failed else 0

    def _read(self) -> Iterator[Item]:
        """Items to annotate, from the writer's state on."""
        settings, state = self.settings, self.writer.state
        items = self.writer.read(settings.text_field, settings.id_field)
        if settings.limit:
            left = max(0, settings.limit - state.docs - state.failed)
            # The end of a source is no document.
            return _first(items, left)
        return items

    def _add(self, outcomes: list[Outcome], counts: SilverCounts) -> None:
        for outcome in outcomes:
            if outcome.error is not None:
                say(f"Left out: {outcome.error}")
        self.writer.add(outcomes)
        if self.writer.audit_path is None:
            _add_counts(counts, b"".join(o.audit for o in outcomes))

    def _finish(self, counts: SilverCounts) -> None:
        """Write report and binary file, then give the output its name."""
        writer, worker = self.writer, self.worker
        any_docs = bool(writer.state.docs)
        if self.report is not None and any_docs:
            facts = {**worker.describe(), "failed": writer.state.failed}
            write_json(self.report, {**facts, **counts.to_json()})
        if self.binary is not None and any_docs:
            assert isinstance(writer.file, PartFile)
            with writer.file.part.open(encoding="utf-8") as lines:
                records = (json.loads(line) for line in lines)
                write_silver_docbin(records, self.binary, worker.annotator.lang)
        writer.finish(discard=self.binary is not None)
        if writer.audit_path is not None:
            writer.audit_path.unlink(missing_ok=True)


def _first(items: Iterator[Item], n: int) -> Iterator[Item]:
    """So many documents, and the ends of sources before them."""
    while n > 0:
        item = next(items, None)
        if item is None:
            return
        n -= not item.end
        yield item


def _binary(name: str) -> Path | None:
    """The `.spacy` file to write, if that is what is asked for."""
    path = Path(name)
    if name == "-" or is_special(path) or path.suffix.lower() == f".{JSONL}":
        return None
    if path.suffix != SPACY:
        raise CliError(f"{name}: use a .jsonl or .spacy file, or - for stdout")
    check_file(path)
    return path


def _add_counts(counts: SilverCounts, lines: bytes) -> None:
    for line in lines.splitlines():
        counts.add(json.loads(line))


def _summary(counts: SilverCounts) -> Iterator[str]:
    """Counts in lines, for people."""
    corpus = counts["corpus"]
    documents = show_documents(corpus["documents"])
    yield f"{documents}, {corpus['tokens']:,} tokens, {corpus['spans']:,} spans"
    excluded = sum(counts["excluded"].values())
    if excluded:
        left = show_documents(excluded, "was", "were")
        yield f"Also in evaluation data: {left} left out"
    if counts["types"]:
        kinds = ("same", "other_type", "overlap", "alone")
        head = "".join(h.rjust(12) for h in ("spans", *kinds))
        yield "type".ljust(10) + head
        for label, n in counts["types"].most_common():
            row = (n, *(counts["agreement"][f"{label}/{kind}"] for kind in kinds))
            yield label.ljust(10) + "".join(f"{value:>12,}" for value in row)
    tables = counts.to_json()
    for title, table in (
        ("Found by", "sources"),
        ("Of the pipeline's entities not taken", "dropped"),
        ("Labels that the scheme does not have", "unknown"),
    ):
        if tables[table]:
            pairs = islice(tables[table].items(), 20)
            yield f"{title}: {', '.join(f'{name} {n:,}' for name, n in pairs)}"


class Worker:
    """What annotates documents in a process.

    settings (SilverSettings): The arguments.
    annotator (SilverAnnotator): Recognizer and gazetteers.
    exclusion (Optional[Exclusion]): Tells documents to leave out.
    """

    def __init__(
        self,
        settings: SilverSettings,
        annotator: SilverAnnotator,
        exclusion: Exclusion | None,
    ) -> None:
        self.settings = settings
        self.annotator = annotator
        self.exclusion = exclusion

    @classmethod
    def load(cls, settings: SilverSettings) -> Worker:
        """Load the pipeline and the gazetteers.

        RAISES (CliError): If an argument does not fit.
        """
        exclusion = make_exclusion(settings.exclude, settings.exclude_words)
        nlp = load_model(settings.model)
        try:
            with shown(GazetteerError, at="--gazetteer"):
                gazetteer = make_gazetteer(
                    nlp,
                    patterns=settings.patterns,
                    seed_terms=settings.seed_terms,
                    gazetteers=settings.gazetteers or (),
                    term_threshold=settings.term_threshold,
                )
        except OSError as error:
            raise CliError(
                f"--gazetteer: {describe_os_error(error)} (`spacy deid gazetteer "
                "compile` makes one)"
            ) from error
        with shown(ValueError, at="--scheme"):
            annotator = SilverAnnotator(
                nlp,
                gazetteer,
                scheme=settings.scheme,
                spans_key=settings.spans_key,
                merge=make_merge_spans(),
                propagate=make_propagate_names() if settings.propagate else None,
                min_score=settings.min_score,
            )
        worker = cls(settings, annotator, exclusion)
        worker.check_labels()
        with shown(ValueError, at="--spans-key"):
            annotator.check_spans_key()
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
        gazetteer: Any = annotator.gazetteer
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
        """Annotate some documents, each with its outcome. One that fails does not stop
        the others."""
        results: dict[int, Outcome] = {}
        wanted = []
        for i, item in enumerate(items):
            if item.error is not None or item.end:
                results[i] = unread(item)
                continue
            excluded = self.exclusion.reason(item.text) if self.exclusion else ""
            if excluded:
                counts = SilverCounts({"excluded": {excluded: 1}})
                results[i] = _outcome(item, None, counts)
            else:
                wanted.append(i)
        annotator = self.annotator
        # Nothing may be raised inside: the zone would stay open and later strings in it.
        with annotator.nlp.memory_zone(), annotator.blank.memory_zone():
            results.update(zip(wanted, self._annotate([items[i] for i in wanted])))
        return [results[i] for i in range(len(items))]

    def _annotate(self, items: list[Item]) -> list[Outcome]:
        try:
            found = list(self.annotator.annotate([item.text for item in items]))
            return [self._make(item, *pair) for item, pair in zip(items, found)]
        except CliError:
            raise
        except Exception as error:
            if len(items) == 1:
                return [failed(items[0], error)]
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
    return Outcome(
        item.source,
        item.n_bytes,
        line=json_line(record) if record is not None else b"",
        audit=json_line({name: table for name, table in counts.items() if table}),
        doc_id=item.doc_id,
        n_chars=len(item.text),
    )
