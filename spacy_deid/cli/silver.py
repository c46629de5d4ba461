"""`spacy deid silver`: annotate raw text by machine, as training data."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from ..about import __version__
from ..corpora.silver import (
    AGREEMENT,
    Exclusion,
    SilverAnnotator,
    SilverCounts,
    make_gazetteer,
    set_o_threshold,
    write_silver_docbin,
)
from ..gazetteers import GazetteerError
from ..processes import count_workers, map_ordered
from ._corpus import make_exclusion
from ._errors import FAILED, CliError, describe, describe_os_error, say, shown
from ._options import command, use_gpu
from ._output import Target, Writer, fingerprint, make_bar, show_documents, stamps
from ._process import Outcome, failed, load_model, make_chunks, unread
from ._read import JSONL, Item, find_sources
from ._write import PartFile, check_file, check_free, is_special, json_line, write_json
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
    o_threshold: float | None = None
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
    overwrite: bool = False,
) -> int:
    """Annotate raw text by machine: training data for a recognizer.

    A pipeline finds entities, patterns and gazetteers find what has no name of its own,
    and of spans that overlap the longest is kept. Interrupted, the same command goes
    on where it stopped. Exit status 0 only if every document was read.
    """
    use_gpu(gpu_id, n_process)
    sources, skipped = find_sources(input_name)
    binary = _binary(output_name)
    records = f"{binary}{RECORDS}" if binary else output_name
    target = Target(records, input_name, sources)
    check_file(report, "--report", [*target.taken(), Path(output_name)], input_name)
    if not target.begun:
        check_free([binary, report, *target.files()], overwrite)
    worker = Worker.load(settings)
    sides, known = {}, ""
    if target.resumable and target.path is not None:
        sides["audit"] = target.path.with_name(target.path.name + COUNTS)
        known = fingerprint(worker.facts(), sources)
    writer, counts = Writer(target, sides, known), SilverCounts()
    writer.resume(skipped)
    chunks = make_chunks(_read(writer, settings), batch_size)
    load = partial(Worker.load, settings)
    workers = count_workers(n_process)
    stream = map_ordered(Worker.process, chunks, worker, workers, load=load)
    with writer.saving():
        with make_bar(sources, "silver") as bar, contextlib.closing(stream):
            for outcomes in stream:
                for error in filter(None, map(attrgetter("error"), outcomes)):
                    say(f"Left out: {error}")
                writer.add(outcomes)
                if not sides:
                    _add_counts(counts, b"".join(o.audit for o in outcomes))
                bar.update(sum(o.n_bytes for o in outcomes))
        writer.save()
        for side in writer.sides.values():
            _add_counts(counts, side.part.read_bytes())
        _finish(writer, worker, counts, binary, report)
    state = writer.state
    if not state.docs and not state.failed:
        raise CliError(f"{input_name}: there are no documents in it")
    for line in _summary(counts):
        say(line)
    say_left_out(state.failed)
    return FAILED if state.failed else 0


def _read(writer: Writer, settings: SilverSettings) -> Iterator[Item]:
    """Items to annotate, from the writer's state on."""
    left = settings.limit - writer.state.docs - writer.state.failed
    for item in writer.read(settings.text_field, settings.id_field):
        if settings.limit and left <= 0:
            return
        # The end of a source is no document.
        left -= not item.end
        yield item


def _finish(
    writer: Writer,
    worker: Worker,
    counts: SilverCounts,
    binary: Path | None,
    report: Path | None,
) -> None:
    """Write report and binary file, then give the output its name."""
    any_docs = bool(writer.state.docs)
    if report is not None and any_docs:
        facts = {**worker.describe(), "failed": writer.state.failed}
        write_json(report, {**facts, **counts.to_json()})
    if binary is not None and any_docs:
        assert isinstance(writer.file, PartFile)
        with writer.file.part.open(encoding="utf-8") as lines:
            records = (json.loads(line) for line in lines)
            write_silver_docbin(records, binary, worker.annotator.nlp.lang or "xx")
    writer.finish(discard=binary is not None)
    for path in writer.side_paths.values():
        path.unlink(missing_ok=True)


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
    if excluded := sum(counts["excluded"].values()):
        left = show_documents(excluded, "was", "were")
        yield f"Also in evaluation data: {left} left out"
    if counts["types"]:
        yield "type".ljust(10) + "".join(f"{h:>12}" for h in ("spans", *AGREEMENT))
        for label, n in counts["types"].most_common():
            row = (n, *(counts["agreement"][f"{label}/{kind}"] for kind in AGREEMENT))
            yield label.ljust(10) + "".join(f"{value:>12,}" for value in row)
    tables = counts.to_json()
    for title, table in (
        ("Found by", "sources"),
        ("Of the pipeline's entities not taken", "dropped"),
        ("Labels that the scheme does not have (choose with --scheme)", "unknown"),
    ):
        if tables[table]:
            pairs = islice(tables[table].items(), 20)
            yield f"{title}: {', '.join(f'{name} {n:,}' for name, n in pairs)}"


@dataclass
class Worker:
    """What annotates documents in a process: recognizer and gazetteers, and what tells
    documents to leave out."""

    settings: SilverSettings
    annotator: SilverAnnotator
    exclusion: Exclusion | None

    @classmethod
    def load(cls, settings: SilverSettings) -> Worker:
        """Load the pipeline and the gazetteers.

        RAISES (CliError): If an argument does not fit.
        """
        exclusion = make_exclusion(settings.exclude, settings.exclude_words)
        nlp = load_model(settings.model)
        if settings.o_threshold is not None:
            with shown(ValueError, at="--o-threshold"):
                set_o_threshold(nlp, settings.o_threshold)
        try:
            with shown(GazetteerError, at="--gazetteer"):
                gazetteer = make_gazetteer(
                    nlp, patterns=settings.patterns, seed_terms=settings.seed_terms,
                    gazetteers=settings.gazetteers or (),
                    term_threshold=settings.term_threshold,
                )  # fmt: skip
        except OSError as error:
            made = "(`spacy deid gazetteer compile` makes one)"
            raise CliError(f"--gazetteer: {describe_os_error(error)} {made}") from error
        with shown(ValueError, at="--scheme"):
            annotator = SilverAnnotator(
                nlp, gazetteer, scheme=settings.scheme, spans_key=settings.spans_key,
                propagate=settings.propagate, min_score=settings.min_score,
            )  # fmt: skip
        with shown(ValueError, at="--spans-key"):
            annotator.check_spans_key()
        return cls(settings, annotator, exclusion)

    def facts(self) -> list[Any]:
        """Equal for two runs that write the same."""
        settings, nlp = self.settings, self.annotator.nlp
        files = (nlp.path or settings.model, *(settings.gazetteers or ()))
        pipeline = nlp.meta.get("name"), nlp.meta["version"]
        changes = map(stamps, (*files, *(settings.exclude or ())))
        return [__version__, asdict(settings), *pipeline, *changes]

    def describe(self) -> dict[str, Any]:
        """What the corpus is made with, for the report."""
        annotator = self.annotator
        meta, gazetteer = annotator.nlp.meta, annotator.gazetteer
        return {
            "spacy_deid": __version__,
            "pipeline": {key: meta.get(key) for key in ("lang", "name", "version")},
            "scheme": annotator.scheme.name,
            "spans_key": annotator.spans_key,
            "patterns": self.settings.patterns,
            "seed_terms": self.settings.seed_terms,
            "gazetteers": [g.name for g in gazetteer.gazetteers] if gazetteer else [],
            "min_score": annotator.min_score,
            "o_threshold": self.settings.o_threshold,
        }

    def process(self, items: list[Item]) -> list[Outcome]:
        """Annotate some documents, each with its outcome. One that fails does not stop
        the others."""
        results: dict[int, Outcome] = {}
        for i, item in enumerate(items):
            if item.error is not None or item.end:
                results[i] = unread(item)
            elif self.exclusion and (reason := self.exclusion.reason(item.text)):
                results[i] = _outcome(item, None, {"excluded": {reason: 1}})
        wanted = [i for i in range(len(items)) if i not in results]
        annotator = self.annotator
        # Nothing may be raised inside: the zone would stay open and later strings in it.
        with annotator.nlp.memory_zone(), annotator.blank.memory_zone():
            results.update(zip(wanted, self._annotate([items[i] for i in wanted])))
        return [results[i] for i in range(len(items))]

    def _annotate(self, items: list[Item]) -> list[Outcome]:
        try:
            found = list(self.annotator.annotate([item.text for item in items]))
        except Exception as error:
            if len(items) == 1:
                return [failed(items[0], describe(error))]
            return [outcome for item in items for outcome in self._annotate([item])]
        outcomes = []
        for item, (mentions, counts) in zip(items, found):
            if self.settings.strict and counts["unknown"]:
                labels = ", ".join(sorted(counts["unknown"]))
                scheme = f"the label scheme '{self.annotator.scheme.name}'"
                missing = f"{labels} (choose with --scheme)"
                problem = f"does not have these labels of the pipeline: {missing}"
                raise CliError(f"{scheme} {problem}")
            record = {"doc_id": item.doc_id, "text": item.text}
            record["entity_mentions"] = mentions
            outcomes.append(_outcome(item, record, counts))
        return outcomes


def _outcome(item: Item, record: Any, counts: dict[str, Any]) -> Outcome:
    return Outcome(
        item.source,
        item.n_bytes,
        line=json_line(record) if record is not None else b"",
        audit=json_line({name: table for name, table in counts.items() if table}),
        doc_id=item.doc_id,
        n_chars=len(item.text),
    )
