"""Where the documents of `spacy deid run` go, and going on after an interruption."""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..about import __version__
from ._errors import CliError, say
from ._io import (
    JSONL,
    PART,
    STDIO,
    Format,
    Item,
    PartFile,
    Source,
    StreamFile,
    is_special,
    kind_of,
    write_atomic,
)
from ._process import Outcome, Settings
from ._vault import vault_errors

if TYPE_CHECKING:
    from spacy.language import Language

    from ..vault import Vault

CHECKPOINT_SECONDS = 1.0


@dataclass
class State:
    """Where a run has come to. What a file holds beyond `bytes` is not yet counted.

    source (int): Index of the source.
    items (int): Items of it that are done, those that failed included.
    bytes (int): Length of the part file.
    audit (int): Length of the audit's part file.
    failed (int): Documents that failed.
    docs (int): Documents that came out.
    audit_before (int): `audit` when the source began.
    failed_before (int): `failed` when the source began.
    docs_before (int): `docs` when the source began.
    vault (str): The vault's id.
    vault_rows (int): Rows that it had at least.
    """

    source: int = 0
    items: int = 0
    bytes: int = 0
    audit: int = 0
    failed: int = 0
    docs: int = 0
    audit_before: int = 0
    failed_before: int = 0
    docs_before: int = 0
    vault: str = ""
    vault_rows: int = 0


class Target:
    """Where documents go: one file, one file a source, or stdout.

    name (str): OUTPUT.
    input_name (str): INPUT.
    sources (list[Source]): What is read.
    RAISES (CliError): If the output cannot be written from this input.
    """

    def __init__(self, name: str, input_name: str, sources: list[Source]):
        self.sources = sources
        self.kind: str | None = JSONL
        self.folder: Path | None = None
        self.path: Path | None = None
        self.stream = name == STDIO
        from_folder = input_name != STDIO and Path(input_name).is_dir()
        if not self.stream:
            self._choose(Path(name), name, input_name, from_folder)
        self.resumable = not self.stream and input_name != STDIO

    def _choose(
        self, path: Path, name: str, input_name: str, from_folder: bool
    ) -> None:
        if is_special(path):
            self.stream, self.path = True, path
            return
        kind = None if path.is_dir() else kind_of(path)
        if from_folder and kind is None:
            self.folder, self.kind = path, None
            self._check_folder(Path(input_name))
            return
        if not from_folder and name.endswith(("/", os.sep)):
            path.mkdir(parents=True, exist_ok=True)
        if not from_folder and path.is_dir():
            source = self.sources[0]
            if source.path is None:
                raise CliError(f"{name} is a folder; name a .jsonl file in it")
            path = path / source.name
            kind = source.kind
        if kind is None:
            raise CliError(
                f"{name}: unknown kind of output; use .jsonl"
                + ("" if from_folder else ", the kind of the input")
                + ", a folder, or - for stdout"
            )
        if kind != JSONL and (from_folder or self.sources[0].kind != kind):
            raise CliError(
                f"{name}: a .{kind} output needs a .{kind} input; use .jsonl"
            )
        if not path.parent.is_dir():
            raise CliError(f"{name}: the folder {path.parent} does not exist")
        for source in self.sources:
            if source.path and path.exists() and os.path.samefile(path, source.path):
                raise CliError(f"{name}: input and output are the same file")
        if from_folder and inside(path, Path(input_name)):
            raise CliError(f"{name}: the output lies inside the input folder")
        self.path, self.kind = path, kind

    def _check_folder(self, root: Path) -> None:
        assert self.folder is not None
        if inside(self.folder, root):
            raise CliError(f"{self.folder}: the output lies inside the input folder")
        if inside(root, self.folder):
            raise CliError(f"{self.folder}: the input lies inside the output folder")
        if self.folder.exists() and not self.folder.is_dir():
            raise CliError(f"{self.folder}: is a file, and a folder needs a folder")

    @property
    def state_path(self) -> Path:
        if self.folder is not None:
            return self.folder / ".spacy-deid-state.json"
        assert self.path is not None
        return self.path.with_name(self.path.name + PART + ".state")

    def kind_for(self, item: Item) -> str:
        return self.kind or self.sources[item.source].kind

    def file_for(self, source: int) -> Path:
        if self.folder is None:
            assert self.path is not None
            return self.path
        return self.folder / self.sources[source].name


def inside(path: Path, folder: Path) -> bool:
    path, folder = path.resolve(), folder.resolve()
    return path == folder or folder in path.parents


class Writer:
    """Writes outcomes in order, and remembers how far it is.

    target (Target): Where to.
    audit (Path): Audit file, or None.
    fingerprint (str): Equal for runs that can go on with one another's work.
    vault (Vault): Where what `restore` needs is kept, or None.
    settings (dict): What the vault keeps of the command.
    """

    def __init__(
        self,
        target: Target,
        audit: Path | None,
        fingerprint: str,
        vault: Vault | None = None,
        settings: dict[str, Any] | None = None,
    ):
        self.target = target
        self.vault = vault
        self.settings = settings
        self.fingerprint = fingerprint
        self.audit_path = audit
        self.audit: PartFile | None = None
        self.file: PartFile | StreamFile | None = None
        self.formats: dict[int, Format] = {}
        self.state = State()
        self.saved = time.monotonic()

    def resume(self) -> bool:
        """Take up the work of an interrupted run, if there is one.

        RETURNS (bool): Whether there is.
        """
        target = self.target
        if not target.resumable:
            return False
        if target.folder is not None:
            target.folder.mkdir(parents=True, exist_ok=True)
        try:
            saved = json.loads(target.state_path.read_bytes())
            fingerprint, state = saved["fingerprint"], State(**saved["state"])
        except FileNotFoundError:
            return False
        except (ValueError, KeyError, TypeError):
            say(f"{target.state_path}: unreadable; starting anew")
            return False
        if fingerprint != self.fingerprint:
            say(
                "The interrupted run had other settings or another input; starting anew"
            )
            return False
        if target.folder is not None and not self._has_part(state):
            # This file was finished after its state was last saved: once more.
            state = State(
                state.source,
                audit=state.audit_before,
                failed=state.failed_before,
                docs=state.docs_before,
                audit_before=state.audit_before,
                failed_before=state.failed_before,
                docs_before=state.docs_before,
                vault=state.vault,
                vault_rows=state.vault_rows,
            )
        elif not self._has_part(state):
            say("The interrupted run's .part file is gone; starting anew")
            return False
        if self.vault is not None and not self._has_rows(state):
            say("The interrupted run wrote to another vault; starting anew")
            return False
        if self.audit_path is not None:
            part = self.audit_path.with_name(self.audit_path.name + PART)
            if not part.is_file() or part.stat().st_size < state.audit:
                say("The interrupted run's audit file is gone; starting anew")
                return False
            self.audit = PartFile(self.audit_path, 0o600, state.audit)
        if state.bytes or state.items:
            path = target.file_for(state.source)
            self.file = PartFile(path, resume_at=state.bytes)
        self.state = state
        return True

    def _has_rows(self, state: State) -> bool:
        """Whether the vault has what the documents that are done need."""
        assert self.vault is not None
        if not state.docs:
            return True
        with vault_errors():
            rows = self.vault.open() if self.vault.path.exists() else 0
        return self.vault.id == state.vault and rows >= state.vault_rows

    def _has_part(self, state: State) -> bool:
        if not state.bytes and not state.items:
            return True
        path = self.target.file_for(state.source)
        part = path.with_name(path.name + PART)
        return part.is_file() and part.stat().st_size >= state.bytes

    def open(self) -> None:
        """Open what is written from the beginning to the end."""
        if self.audit_path is not None and self.audit is None:
            self.audit = PartFile(self.audit_path, 0o600)

    def _open_file(self, source: int) -> None:
        target = self.target
        if target.stream:
            self.file = StreamFile(target.path)
            return
        path = target.file_for(source)
        if target.folder is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self.file = PartFile(path)
        kind = target.kind or target.sources[source].kind
        self.file.write(self.formats.get(source, Format()).prefix(kind))

    def add(self, outcomes: list[Outcome]) -> None:
        """Write a chunk. The state moves on when all of a source's part is written.

        outcomes (list[Outcome]): In the input's order.
        """
        if self.vault is not None:
            self._keep(self.vault, outcomes)
        i = 0
        while i < len(outcomes):
            source = outcomes[i].source
            j = i
            while j < len(outcomes) and outcomes[j].source == source:
                j += 1
            self._add_source(source, outcomes[i:j])
            i = j
        if time.monotonic() - self.saved >= CHECKPOINT_SECONDS:
            self.save()

    def _keep(self, vault: Vault, outcomes: list[Outcome]) -> None:
        """Put into the vault what a chunk needs, before any of it is written: a text
        that is out can always be restored."""
        from ..vault.store import DOC, RUN, NewRow

        rows = []
        if not self.state.vault and self.settings is not None:
            data = json.dumps(self.settings, sort_keys=True).encode()
            rows.append(NewRow(RUN, "", b"", data, hashlib.sha256(data).digest()))
        ordinal = self.state.docs
        if self.target.folder is not None:
            ordinal -= self.state.docs_before
        n_rows = len(rows)
        for outcome in outcomes:
            if outcome.end:
                ordinal = 0 if self.target.folder is not None else ordinal
            elif outcome.error is None:
                entry = outcome.vault
                if entry is None:
                    raise ValueError("a document came without what the vault needs")
                rows.append(NewRow(DOC, *entry, ordinal))
                ordinal += 1
        if len(rows) > n_rows:
            with vault_errors():
                n = vault.add(rows)
            self.state = replace(self.state, vault=vault.id, vault_rows=n)

    def _add_source(self, source: int, outcomes: list[Outcome]) -> None:
        if self.file is None:
            self._open_file(source)
        assert self.file is not None
        out_format = self.formats.get(source, Format())
        done = [o for o in outcomes if not o.error and not o.end]
        data = b"".join(
            out_format.row(o.row) if o.row is not None else o.line for o in done
        )
        self.file.write(data)
        audit = b"".join(o.audit for o in done)
        if self.audit is not None:
            self.audit.write(audit)
        old = self.state
        ended = outcomes[-1].end
        state = State(
            source,
            old.items + len(outcomes) - ended,
            self.file.size,
            self.audit.size if self.audit is not None else 0,
            old.failed + sum(o.error is not None for o in outcomes),
            old.docs + len(done),
            old.audit_before,
            old.failed_before,
            old.docs_before,
            old.vault,
            old.vault_rows,
        )
        if ended:
            state = self._end_source(state)
        self.state = state

    def _end_source(self, state: State) -> State:
        size = state.bytes
        if self.target.folder is not None and self.file is not None:
            failed = state.failed - state.failed_before
            if failed and state.docs == state.docs_before:
                self.file.discard()
            else:
                self.file.commit()
            self.file, size = None, 0
        self.formats.pop(state.source, None)
        return State(
            state.source + 1,
            0,
            size,
            state.audit,
            state.failed,
            state.docs,
            state.audit,
            state.failed,
            state.docs,
            state.vault,
            state.vault_rows,
        )

    def save(self) -> None:
        """Make what was written last, and note how far it goes."""
        self.saved = time.monotonic()
        if not self.target.resumable:
            return
        for file in (self.file, self.audit):
            if file is not None:
                file.sync()
        state = {"fingerprint": self.fingerprint, "state": asdict(self.state)}
        write_atomic(self.target.state_path, json.dumps(state).encode())

    def finish(self, discard: bool = False) -> None:
        """Give the outputs their names.

        discard (bool): Remove them instead, as is done when every document failed.
        """
        discard = discard or (self.state.failed > 0 and not self.state.docs)
        for file in (self.file, self.audit):
            if file is not None:
                if discard:
                    file.discard()
                else:
                    file.commit()
        self.file = self.audit = None
        if self.target.resumable:
            self.target.state_path.unlink(missing_ok=True)

    def stop(self) -> None:
        """Leave the parts for a later run."""
        for file in (self.file, self.audit):
            if file is not None:
                file.close()


def make_fingerprint(
    settings: Settings, nlp: Language, sources: list[Source], salt: bytes
) -> str:
    """Equal for two runs that write the same, the key included.

    settings (Settings): The arguments.
    nlp (Language): The pipeline.
    sources (list[Source]): The input.
    salt (bytes): Random bytes.
    RETURNS (str): The salt and a hash. The key goes in through a slow hash of which a
        few bits are kept: enough to notice another key, not to find this one.
    """
    key = settings.get_key()
    key_hash = "none"
    if key is not None:
        slow = hashlib.scrypt(key.encode(), salt=salt, n=2**14, r=8, p=1, dklen=2)
        key_hash = slow.hex()
    model = Path(nlp.path or settings.model)
    stamps = sorted(
        (p.relative_to(model).as_posix(), p.stat().st_size, p.stat().st_mtime_ns)
        for p in (model.rglob("*") if model.is_dir() else ())
        if p.is_file()
    )
    facts = [
        __version__,
        settings.model,
        stamps,
        nlp.meta.get("name"),
        nlp.meta.get("version"),
        nlp.pipe_names,
        settings.strategy,
        settings.mask,
        settings.text_field,
        settings.id_field,
        key_hash,
        str(settings.audit),
        [(s.name, s.kind, s.size, s.mtime) for s in sources],
    ]
    if settings.vault is not None:
        facts.append(str(settings.vault.resolve()))
    if settings.subject_field is not None:
        facts.append(["subject", settings.subject_field])
    digest = hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()
    return f"{salt.hex()}:{digest}"


def saved_salt(target: Target) -> bytes:
    """The salt of an interrupted run, else a new one."""
    try:
        saved = json.loads(target.state_path.read_bytes())["fingerprint"]
        return bytes.fromhex(saved.split(":")[0])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AssertionError):
        return os.urandom(16)
