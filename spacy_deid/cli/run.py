"""`spacy deid run`: de-identify files, folders or a stream of documents."""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ._batch import check_n_process, make_bar, read_all, resume, saving, show_documents
from ._errors import FAILED, CliError, clean_errors, say
from ._gpu import GpuId, use_gpu
from ._io import STDIO, TXT, Source, find_sources, is_special
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
from ._vault import check_vault_path, make_vault, vault_errors

if TYPE_CHECKING:
    from spacy.language import Language

    from ..vault import Vault


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
        help="Write the originals, and all that is known of each decision, to this file, "
        "readable only by its owner",
    ),
    vault: str | None = typer.Option(
        None,
        "--vault",
        help="Keep what `restore` needs in this encrypted file; several runs may write "
        "to it at once. Needs the secret key",
    ),
    subject_field: str | None = typer.Option(
        None,
        "--subject-field",
        help="Field or column with the id of the person a document is about: dates of "
        "all documents of one person move by the same interval. Needs the secret key",
    ),
    gpu_id: GpuId = -1,
) -> None:
    """De-identify documents.

    A .txt or .csv output holds the new text in place of the old one; a JSON line also
    has the replaced and the kept spans, with offsets in both texts, and why each was
    found and decided so. Other fields are kept, but masked strings in them, ids
    included, are replaced as well.

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
            subject_field=subject_field,
            gpu_id=gpu_id,
        )
    )


@clean_errors
def run_command(settings: Settings) -> int:
    """Run the command.

    settings (Settings): The arguments.
    RETURNS (int): Exit status.
    """
    if settings.mask not in (None, "all", "risky"):
        raise CliError(f"--mask {settings.mask}: use all or risky")
    check_n_process(settings.n_process)
    use_gpu(settings.gpu_id, settings.n_process)
    sources, skipped = find_sources(settings.input_name)
    target = Target(settings.output_name, settings.input_name, sources)
    _check_audit(settings, sources, target)
    key = settings.get_key()
    if settings.subject_field is not None:
        if key is None:
            raise CliError(
                "--subject-field needs the secret key: set "
                f"{settings.key_env or DEFAULT_KEY_ENV}"
            )
        plain = next((s.name for s in sources if s.kind == TXT), None)
        if plain is not None:
            raise CliError(
                f"{plain}: a .txt file has no field '{settings.subject_field}' "
                "(--subject-field): use .jsonl or .csv"
            )
    vault = _open_vault(settings, sources, target)
    nlp = load_pipeline(settings)
    salt = saved_salt(target) if target.resumable else os.urandom(16)
    writer = Writer(
        target,
        settings.audit,
        make_fingerprint(settings, nlp, sources, salt) if target.resumable else "",
        vault,
        {"text_field": settings.text_field, "id_field": settings.id_field},
    )
    resume(writer, skipped)
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


def _open_vault(
    settings: Settings, sources: list[Source], target: Target
) -> Vault | None:
    path = settings.vault
    if path is None:
        return None
    root = Path(settings.input_name)
    check_vault_path(
        path,
        [*(source.path for source in sources), target.path, settings.audit],
        root if settings.input_name != STDIO and root.is_dir() else None,
    )
    vault = make_vault(path, settings.key_env)
    if path.exists():
        # A wrong key or a damaged file is told before the work begins.
        with vault_errors():
            vault.open()
    return vault


def _run(
    settings: Settings,
    nlp: Language,
    sources: list[Source],
    target: Target,
    writer: Writer,
) -> int:
    style = OutputStyle(
        target.kind,
        settings.text_field,
        settings.id_field,
        settings.audit is not None,
        settings.vault is not None,
        settings.subject_field,
    )
    summary = Summary()
    items = read_all(
        sources,
        writer,
        settings.text_field,
        settings.id_field,
        keep_raw=settings.vault is not None,
    )
    chunks = make_chunks(items, settings.batch_size)
    with saving(writer, target), make_bar(sources, "deid") as bar:
        writer.open()
        with contextlib.closing(
            process_stream(nlp, chunks, target.kind_for, style, settings)
        ) as stream:
            for outcomes in stream:
                for outcome in outcomes:
                    summary.add(outcome)
                writer.add(outcomes)
                bar.update(sum(o.n_bytes for o in outcomes))
        empty = not writer.state.docs and not writer.state.failed
        writer.finish(discard=empty)
    if empty:
        raise CliError(f"{settings.input_name}: there are no documents in it")
    summary.show(writer.state)
    return FAILED if writer.state.failed else 0


class Summary:
    """What is said at the end, and on the way about documents that failed."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.docs = self.chars = 0
        self.labels: Counter[str] = Counter()
        self.decisions: Counter[str] = Counter()
        from ..surrogates.epsilon import Budget

        self.budget = Budget()
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
        self.budget.add(outcome.epsilon, sum(outcome.labels.values()))
        key = hash(outcome.doc_id)
        self.repeated += key in self.ids
        # Bounded: a check of the input is not worth all memory.
        if len(self.ids) < 1_000_000:
            self.ids.add(key)

    def show(self, state: State) -> None:
        seconds = max(time.monotonic() - self.start, 1e-9)
        lines = [
            f"{show_documents(self.docs)}, {self.chars} characters in {seconds:.1f} s "
            f"({self.chars / seconds:,.0f} characters/s)"
        ]
        if self.labels:
            lines.append(f"Replaced: {_counts(self.labels)}")
        if self.decisions:
            lines.append(f"Decisions: {_counts(self.decisions)}")
        lines += self.budget.lines()
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
                f"{show_documents(self.repeated, 'has', 'have')} an id that was there before"
            )
        if state.failed:
            failed = show_documents(state.failed, "was", "were")
            lines.append(f"{failed} left out (see above)")
        for line in lines:
            say(line)


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in counts.most_common(20))
