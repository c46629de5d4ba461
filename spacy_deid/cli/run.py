"""`spacy deid run`: de-identify files, folders or a stream of documents."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ._errors import (
    FAILED,
    INTERRUPTED,
    CliError,
    clean_errors,
    describe_os_error,
    say,
)
from ._io import STDIO, Item, Reader, Source, find_sources, is_special
from ._output import State, Target, Writer, inside, make_fingerprint, saved_salt
from ._process import (
    DEFAULT_KEY_ENV,
    DEFAULT_MODEL,
    Outcome,
    OutputStyle,
    Settings,
    load_pipeline,
    make_chunks,
    process_stream,
)

if TYPE_CHECKING:
    from spacy.language import Language


def run_cli(
    input_name: str = typer.Argument(
        ...,
        metavar="INPUT",
        help="A .txt, .jsonl or .csv file, a folder of them, or - for JSON lines on "
        "stdin",
    ),
    output_name: str = typer.Argument(
        ...,
        metavar="OUTPUT",
        help="A file (.jsonl, or the input's kind), a folder, or - for stdout",
    ),
    model: str = typer.Option(
        DEFAULT_MODEL, "--model", help="Pipeline: embedded name, package or path"
    ),
    strategy: str | None = typer.Option(
        None,
        "--strategy",
        help="redact, typed_placeholder, named_placeholder, word_by_word, full_entity "
        "or a registered name (default: the pipeline's own)",
    ),
    mask: str | None = typer.Option(
        None,
        "--mask",
        help="all: every span found; risky: those judged to identify someone "
        "(default: the pipeline's own)",
    ),
    text_field: str = typer.Option(
        "text", "--text-field", help="Field or column of the text"
    ),
    id_field: str = typer.Option(
        "doc_id", "--id-field", help="Field or column of the document's id"
    ),
    key_env: str | None = typer.Option(
        None,
        "--key-env",
        help="Environment variable with the secret key of the surrogates (default: "
        f"{DEFAULT_KEY_ENV} if it is set, else a fresh random key for each document)",
    ),
    n_process: int = typer.Option(
        1, "--n-process", "-n", help="Processes, -1 for one a core"
    ),
    batch_size: int = typer.Option(
        64, "--batch-size", min=1, help="Documents processed together"
    ),
    audit: str | None = typer.Option(
        None,
        "--audit",
        help="Write the originals to this file, readable only by its owner",
    ),
    vault: str | None = typer.Option(
        None, "--vault", help="Write what `restore` needs to this file"
    ),
) -> None:
    """De-identify documents.

    A .txt or .csv output holds the new text in place of the old one; a JSON line also
    has the replaced and the kept spans, with offsets in both texts. Other fields are
    kept, but masked strings in them, ids included, are replaced as well.

    Interrupted or failed for want of disk space, the same command goes on where it
    stopped. Exit status 0 only if every document came out.
    """
    run_command(
        Settings(
            input_name=input_name,
            output_name=output_name,
            model=model,
            strategy=strategy,
            mask=mask,
            text_field=text_field,
            id_field=id_field,
            key_env=key_env,
            n_process=n_process,
            batch_size=batch_size,
            audit=Path(audit) if audit else None,
            vault=Path(vault) if vault else None,
        )
    )


@clean_errors
def run_command(settings: Settings) -> int:
    """Run the command.

    settings (Settings): The arguments.
    RETURNS (int): Exit status.
    """
    if settings.vault is not None:
        raise CliError("--vault is not available yet in this version; use --audit")
    if settings.mask not in (None, "all", "risky"):
        raise CliError(f"--mask {settings.mask}: use all or risky")
    if settings.n_process < 1 and settings.n_process != -1:
        raise CliError("--n-process has to be at least 1, or -1 for one a core")
    sources, skipped = find_sources(settings.input_name)
    target = Target(settings.output_name, settings.input_name, sources)
    _check_audit(settings, sources, target)
    settings.get_key()
    nlp = load_pipeline(settings)
    salt = saved_salt(target) if target.resumable else os.urandom(16)
    writer = Writer(
        target,
        settings.audit,
        make_fingerprint(settings, nlp, sources, salt) if target.resumable else "",
    )
    if writer.resume():
        done = writer.state.docs + writer.state.failed
        say(f"Going on after {_documents(done)}")
    if skipped:
        say(f"{skipped} files of other kinds than .txt, .jsonl and .csv are left out")
    return _run(settings, nlp, sources, target, writer)


def _check_audit(settings: Settings, sources: list[Source], target: Target) -> None:
    audit = settings.audit
    if audit is None:
        return
    if is_special(audit) or audit.is_dir():
        raise CliError(f"--audit {audit}: has to be a file")
    if not audit.parent.is_dir():
        raise CliError(f"--audit {audit}: the folder does not exist")
    taken = [s.path for s in sources if s.path is not None]
    if target.path is not None:
        taken.append(target.path)
    if audit.resolve() in {path.resolve() for path in taken}:
        raise CliError(f"--audit {audit}: is an input or the output as well")
    root = Path(settings.input_name)
    if settings.input_name != STDIO and root.is_dir() and inside(audit, root):
        raise CliError(f"--audit {audit}: lies inside the input folder")


def _read_all(
    settings: Settings, sources: list[Source], writer: Writer
) -> Iterator[Item]:
    """Items of all sources from the writer's state on, each source with its end."""
    first, skip = writer.state.source, writer.state.items
    for index in range(first, len(sources)):
        reader = Reader(sources[index], index, settings.text_field, settings.id_field)
        # Filled in while reading, before any item comes out.
        writer.formats[index] = reader.format
        for n, item in enumerate(reader):
            if index > first or n >= skip:
                yield item
        yield Item(index, sources[index].name, end=True)


def _run(
    settings: Settings,
    nlp: Language,
    sources: list[Source],
    target: Target,
    writer: Writer,
) -> int:
    from tqdm import tqdm

    style = OutputStyle(
        target.kind,
        settings.text_field,
        settings.id_field,
        settings.audit is not None,
    )
    summary = Summary()
    total = sum(source.size for source in sources) or None
    # Its thread would be in the way of processes that are forked.
    tqdm.monitor_interval = 0
    bar = tqdm(
        total=total,
        unit="B",
        unit_scale=True,
        desc="deid",
        file=sys.stderr,
        # A log file needs no more than a line now and then.
        mininterval=0.2 if sys.stderr.isatty() else 10,
        dynamic_ncols=sys.stderr.isatty(),
    )
    done = False
    try:
        with bar:
            writer.open()
            items = _read_all(settings, sources, writer)
            chunks = make_chunks(items, settings.batch_size)
            stream = process_stream(nlp, chunks, target.kind_for, style, settings)
            for outcomes in stream:
                for outcome in outcomes:
                    summary.add(outcome)
                writer.add(outcomes)
                bar.update(sum(o.n_bytes for o in outcomes))
            empty = not writer.state.docs and not writer.state.failed
            writer.finish(discard=empty)
            done = True
    except KeyboardInterrupt:
        _save_quietly(writer)
        again = "; run the same command to go on" if target.resumable else ""
        say(f"Interrupted after {_documents(writer.state.docs)}{again}")
        return INTERRUPTED
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        _save_quietly(writer)
        raise CliError(describe_os_error(error)) from error
    except CliError:
        _save_quietly(writer)
        raise
    finally:
        if not done:
            writer.stop()
    if empty:
        raise CliError(f"{settings.input_name}: there are no documents in it")
    summary.show(writer.state)
    return FAILED if writer.state.failed else 0


def _save_quietly(writer: Writer) -> None:
    """Save the state once more; the last one saved will do if that fails."""
    with contextlib.suppress(OSError):
        writer.save()


class Summary:
    """What is said at the end, and on the way about documents that failed."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.docs = self.chars = 0
        self.labels: Counter[str] = Counter()
        self.decisions: Counter[str] = Counter()
        self.epsilons: list[float] = []
        self.changed: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.ids: set[int] = set()
        self.repeated = 0

    def add(self, outcome: Outcome) -> None:
        if outcome.end:
            return
        if outcome.error is not None:
            say(f"Left out: {outcome.error}")
            return
        self.docs += 1
        self.chars += outcome.n_chars
        self.labels.update(outcome.labels)
        self.decisions.update(outcome.decisions)
        self.changed.update(outcome.changed)
        self.dropped.update(outcome.dropped)
        if isinstance(outcome.epsilon, (int, float)):
            self.epsilons.append(float(outcome.epsilon))
        key = hash(outcome.doc_id)
        self.repeated += key in self.ids
        # Bounded: a check of the input is not worth all memory.
        if len(self.ids) < 1_000_000:
            self.ids.add(key)

    def show(self, state: State) -> None:
        seconds = max(time.monotonic() - self.start, 1e-9)
        lines = [
            f"{_documents(self.docs)}, {self.chars} characters in {seconds:.1f} s "
            f"({self.chars / seconds:,.0f} characters/s)"
        ]
        if self.labels:
            lines.append(f"Replaced: {_counts(self.labels)}")
        if self.decisions:
            lines.append(f"Decisions: {_counts(self.decisions)}")
        if self.epsilons:
            lines.append(f"Epsilon: at most {max(self.epsilons):.4g}")
        if self.changed:
            lines.append(
                "Masked strings were found in other fields and taken out of: "
                f"{_counts(self.changed)}"
            )
        if self.dropped:
            lines.append(
                "Fields of the input that the output's own replace: "
                f"{_counts(self.dropped)}"
            )
        if self.repeated:
            lines.append(
                f"{_documents(self.repeated, 'has', 'have')} an id that was there before"
            )
        if state.failed:
            failed = _documents(state.failed, "was", "were")
            lines.append(f"{failed} left out (see above)")
        for line in lines:
            say(line)


def _documents(n: int, verb: str = "", verbs: str = "") -> str:
    return (
        f"1 document {verb}".rstrip() if n == 1 else f"{n} documents {verbs}".rstrip()
    )


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in counts.most_common(20))
