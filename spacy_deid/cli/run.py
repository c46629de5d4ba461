"""`spacy deid run`: de-identify files, folders or a stream of documents."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections import Counter
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from spacy.language import Language

from ..about import __version__
from ..documents.formats import FORMATS
from ..records.undeclared import Undeclared, told_field, warning_of
from ..review.page import Sampling
from ..surrogates.consistency import check_key
from ..surrogates.epsilon import Budget
from ..vault import Vault, VaultError
from ._errors import FAILED, CliError, say, shown
from ._options import DEFAULT_KEY_ENV, Orders, check_mask, command, use_gpu
from ._output import (
    State,
    Target,
    Writer,
    fingerprint,
    make_bar,
    saved_salt,
    say_skipped,
    show_documents,
    stamps,
)
from ._process import Outcome, Settings, load_pipeline, make_chunks, process_stream
from ._read import JSONL, PLAIN, Skipped, Source, find_sources, refuse_kinds
from ._review import check_page, facts_of, json_of, lines_of, write_page, write_report
from ._write import check_file, check_free, is_special


@command
def run_cli(
    settings: Settings,
    orders: Orders,
    sampling: Sampling,
    report: Path | None = None,
    gpu_id: int = -1,
    overwrite: bool = False,
) -> int:
    """De-identify documents.

    A file of the input's kind holds the new text in place of the old one, formatted as
    it was (of a .pdf file, the text alone); a JSON line also has the replaced and the
    kept spans, with offsets in both texts, and why each was found and decided so. Other
    fields are kept, but masked strings in them, ids included, are replaced as well.

    Interrupted or failed for want of disk space, the same command goes on where it
    stopped. Exit status 0 only if every document came out: a file of a folder that is of
    an unknown kind is an error, too.
    """
    check_mask(settings.mask)
    use_gpu(gpu_id, settings.n_process)
    given = settings.input_name, settings.input_format, settings.keep_images
    sources, skipped = find_sources(*given)
    target = Target(settings.output_name, settings.input_name, sources)
    settings = replace(settings, salt=saved_salt(target), orders=orders)
    if settings.review is None and (settings.masked_only or sampling.sample):
        raise CliError("--masked-only and --sample are for the page of --review")
    _check_outputs(settings, target, report, overwrite)
    _check_fields(settings, target, sources)
    vault = make_vault(settings.vault, settings.key_env) if settings.vault else None
    if vault is not None and vault.path.exists():
        # A wrong key or a damaged file is told before the work begins.
        with shown(VaultError):
            vault.open()
    nlp = load_pipeline(settings)
    writer = Writer(
        target,
        _sides(settings),
        _fingerprint(settings, nlp, target) if target.resumable else "",
        vault,
        {"text_field": settings.declared.texts[0], "id_field": settings.id_field},
        settings.is_left_out,
    )
    writer.resume([file for file in skipped if not file.unknown])
    n_unknown = _say_unknown(skipped, settings.skip_unknown)
    start = time.monotonic()
    status = _work(settings, nlp, writer) or (n_unknown and FAILED)
    if not writer.state.docs:
        return status
    if report is not None and target.path is not None:
        facts = {"took": f"{time.monotonic() - start:.1f} s", **facts_of(nlp)}
        write_report(target.path, report, facts, json_of(report))
    if settings.review is not None:
        write_page(settings, sampling, nlp)
    return status


def _say_unknown(skipped: list[Skipped], allowed: bool) -> int:
    """Name the files of unknown kinds; how many are errors."""
    files = [file for file in skipped if file.unknown]
    if allowed:
        say_skipped(files)
        return 0
    for file in files:
        say(f"Left out: {file.name}: {file.reason}")
    if files:
        other = "--input-format what the files are"
        say(f"--skip-unknown says that such files are nothing to de-identify, {other}")
    return len(files)


def _sides(settings: Settings) -> dict[str, Path]:
    """Files beside the output."""
    sides = {"audit": settings.audit, "id_keys": settings.id_keys}
    if settings.review is not None:
        sides["review"] = lines_of(settings.review)
    return {name: path for name, path in sides.items() if path is not None}


def _check_outputs(
    settings: Settings, target: Target, report: Path | None, overwrite: bool
) -> None:
    taken = target.taken()
    if settings.review is not None:
        check_page(settings.review, "--review")
    if report is not None:
        check_page(report, "--report", taken, settings.input_name)
        if target.stream or target.kind != JSONL:
            raise CliError("--report: only of an output that is a .jsonl file")
        figures = json_of(report)
        check_file(figures, "--report", [*taken, report], settings.input_name)
        taken += [report, figures]
    for name in ("audit", "vault", "review", "id_keys"):
        option, path = f"--{name.replace('_', '-')}", getattr(settings, name)
        if path is not None:
            check_file(path, option, taken, settings.input_name)
            if is_special(path):
                raise CliError(f"{option} {path}: has to be a file")
            taken.append(path)
    if not target.begun:
        pages = [settings.audit, settings.review, settings.id_keys, report]
        pages += [json_of(report)] if report is not None else []
        check_free([*target.files(), *pages], overwrite)


def _check_fields(settings: Settings, target: Target, sources: list[Source]) -> None:
    key, field = settings.get_key(), settings.subject_field
    if settings.vault is not None:
        refuse_kinds(sources, "--vault", target.kind != JSONL)
    if field is None:
        return
    if key is None:
        name = settings.key_env or DEFAULT_KEY_ENV
        raise CliError(f"--subject-field needs the secret key: set {name}")
    plain = next((s for s in sources if s.kind in (*PLAIN, *FORMATS)), None)
    if plain is not None:
        problem = f"a .{plain.kind} file has no field '{field}' (--subject-field)"
        raise CliError(f"{plain.name}: {problem}: use .jsonl or .csv")


def make_vault(path: Path, key_env: str | None) -> Vault:
    """A vault that is not opened yet."""
    name = key_env or DEFAULT_KEY_ENV
    if not (key := os.environ.get(name)):
        raise CliError(
            f"--vault needs a secret key that lasts: set the environment variable {name}"
            + ("" if key_env else " (or choose another with --key-env)")
        )
    with shown(ValueError):
        check_key(key)
    return Vault(path, key)


def _fingerprint(settings: Settings, nlp: Language, target: Target) -> str:
    """Equal for two runs that write the same, the key included: it goes in through a
    slow hash of which a few bits are kept, enough to notice another key, not to find
    this one."""
    salt = settings.salt
    key = settings.get_key()
    key_hash = b""
    if key is not None:
        key_hash = hashlib.scrypt(key.encode(), salt=salt, n=2**14, r=8, p=1, dklen=2)
    facts = [
        __version__,
        settings.model,
        stamps(nlp.path or settings.model),
        [nlp.meta.get(name) for name in ("name", "version")],
        nlp.pipe_names,
        settings.strategy,
        [settings.mask, settings.scope],
        [settings.declared.texts, settings.declared.types, settings.declared.ids],
        settings.id_field,
        key_hash.hex(),
        [settings.audit, settings.review, settings.masked_only, settings.id_keys],
        settings.vault and settings.vault.resolve(),
        settings.subject_field,
        settings.original_offsets,
        [settings.strict_fields, settings.keep_fields],
        settings.orders.facts(),
        [settings.input_format, settings.keep_images],
    ]
    return f"{salt.hex()}:{fingerprint(facts, target.sources)}"


def _work(settings: Settings, nlp: Language, writer: Writer) -> int:
    target = writer.target
    summary = Summary()
    items = writer.read(settings.declared, settings.id_field)
    seen = Undeclared(settings.declared.known)
    if not settings.strict_fields:
        items = seen.watch(items, attrgetter("fields"))
    chunks = make_chunks(items, settings.batch_size)
    stream = process_stream(nlp, chunks, target.kind_for, settings)
    with writer.saving(), make_bar(target.sources, "deid") as bar:
        with contextlib.closing(stream):
            for outcomes in stream:
                for outcome in outcomes:
                    summary.add(outcome)
                writer.add(outcomes)
                bar.update(sum(o.n_bytes for o in outcomes))
        writer.finish()
    state = writer.state
    if not state.docs and not state.failed:
        raise CliError(f"{settings.input_name}: there are no documents in it")
    summary.show(state, nlp)
    if warning := warning_of(seen.find(nlp)):
        say(warning)
    if writer.n_renamed:
        named = "Names of files that held masked strings and were changed"
        say(f"{named}: {writer.n_renamed}")
    return FAILED if state.failed else 0


# What is said of fields, by the names of their counts.
TITLES = {
    "recognised": "Fields that are personal by their names and values, and were replaced "
    "(--keep-fields names those that stay)",
    "changed": "Masked strings were found in other fields and taken out of",
    "dropped": "Fields of the input that the output's own replace",
    "undecided": "Fields with words or numbers that are masked in the text, or the same "
    "by chance: look at them, or use --strict-fields",
}


class Summary:
    """What is said at the end, and on the way about documents that failed."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.docs = self.chars = 0
        self.budget = Budget()
        # What outcomes have under these names, counted.
        names = ("labels", "decisions", *TITLES, "left_out")
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in names}
        self.foreign: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        if outcome.end:
            return
        if outcome.error is not None:
            say(f"Left out: {outcome.error}")
            return
        if outcome.notes:
            say(outcome.notes)
        self.docs += 1
        self.chars += outcome.n_chars
        for name, counts in self.counts.items():
            counts.update(getattr(outcome, name))
        if outcome.foreign:
            self.foreign[outcome.foreign] += 1
        self.budget.add(outcome.epsilon, sum(outcome.labels.values()))

    def show(self, state: State, nlp: Language) -> None:
        seconds = max(time.monotonic() - self.start, 1e-9)
        took = f"{self.chars} characters in {seconds:.1f} s"
        speed = f"{self.chars / seconds:,.0f} characters/s"
        say(f"{show_documents(self.docs)}, {took} ({speed})")
        self._say_counts("Replaced", self.counts["labels"])
        self._say_counts("Decisions", self.counts["decisions"])
        for line in self.budget.lines():
            say(line)
        for name, title in TITLES.items():
            counts = self.counts[name]
            told = _told(nlp, counts) if name in ("changed", "undecided") else counts
            self._say_counts(title, told)
        if left_out := self.counts["left_out"]:
            # Names of fields that nobody declared may be text.
            say(f"Fields that --strict-fields left out: {len(left_out)}")
        little = "which finds little in them (--model auto takes the pipeline of each language)"
        foreign = f"Documents in another language than the pipeline's, {little}"
        self._say_counts(foreign, self.foreign)
        say_left_out(state.failed)

    def _say_counts(self, title: str, counts: Counter[str]) -> None:
        if counts:
            shown = ", ".join(f"{name} {n}" for name, n in counts.most_common(20))
            say(f"{title}: {shown}")


def _told(nlp: Language, fields: Counter[str]) -> Counter[str]:
    """Counts by names of fields that may be said."""
    out: Counter[str] = Counter()
    for name, n in fields.items():
        out[told_field(nlp, name) or "fields named after somebody"] += n
    return out


def say_left_out(failed: int) -> None:
    """Say how many documents failed, if any."""
    if failed:
        say(f"{show_documents(failed, 'was', 'were')} left out (see above)")
