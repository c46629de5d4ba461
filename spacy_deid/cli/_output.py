"""Where documents go, and going on after an interruption."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import typer
from tqdm import tqdm

from ..documents.formats import TEXT_ONLY
from ..processes import WorkerDied, progress_bar
from ..records.declared import Declared
from ..vault import NewRow, Vault, VaultError
from ..vault.store import NAMED, RUN
from ._codecs import codec_of, opened
from ._errors import INTERRUPTED, CliError, say, shown
from ._process import Outcome
from ._read import (
    JSON,
    JSONL,
    PARQUET,
    SEPARATED,
    STDIO,
    TABLES,
    TXT,
    Format,
    Item,
    Reader,
    Skipped,
    Source,
    kind_of,
)
from ._write import PART, PartFile, StreamFile, inside, is_special, write_chunks

CHECKPOINT_SECONDS = 1.0
# Names of files that are left out, in a message.
MAX_SKIPPED = 20


@dataclass
class State:
    """Where a run has come to. What a file holds beyond `bytes` is not yet counted."""

    # Index of the source, and its items that are done, those that failed included.
    source: int = 0
    items: int = 0
    # Lengths of the part files, those beside the output by name.
    bytes: int = 0
    sides: dict[str, int] = field(default_factory=dict)
    # Documents that failed, and that came out.
    failed: int = 0
    docs: int = 0
    # `sides`, `failed` and `docs` when the source began.
    before: tuple[dict[str, int], int, int] = field(default_factory=lambda: ({}, 0, 0))
    # Of the source: numbers of the parts of its path, and of its columns, that hold
    # masked strings, and what they are called instead.
    paths: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    # The vault's id, and rows that it had at least.
    vault: str = ""
    vault_rows: int = 0


class Target:
    """Where documents go: one file, one file a source, or stdout."""

    def __init__(self, name: str, input_name: str, sources: list[Source]):
        self.sources = sources
        self.kind: str | None = JSONL
        self.folder: Path | None = None
        self.path: Path | None = None
        self.stream = name == STDIO
        first = sources[0]
        if first.forced and first.kind not in (PARQUET, JSON):
            self.kind = TXT if first.kind in TEXT_ONLY else first.kind
        from_folder = input_name != STDIO and Path(input_name).is_dir()
        if is_special(path := Path(name)):
            self.stream, self.path = True, path
        elif self.stream:
            pass
        elif from_folder and (path.is_dir() or kind_of(path) in (None, PARQUET)):
            self.folder, self.kind = path, None
            self._check_folder(path, Path(input_name))
            self._check_names()
        else:
            self._choose_file(path, name, input_name if from_folder else None)
        self.resumable = not self.stream and input_name != STDIO

    def _choose_file(self, path: Path, name: str, root: str | None) -> None:
        source = self.sources[0]
        if root is None and name.endswith(("/", os.sep)):
            path.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            if source.path is None:
                raise CliError(f"{name} is a folder; name a .jsonl file in it")
            path = path / source.new_name
        other = self.kind if source.forced else None
        self.path, self.kind = path, kind_of(path) or other
        self._check_file(path, name, root)

    def _check_file(self, path: Path, name: str, root: str | None) -> None:
        if self.kind is None:
            advice = "use .jsonl, the kind of the input, a folder, or - for stdout"
            raise CliError(f"{name}: unknown kind of output; {advice}")
        source = self.sources[0]
        if self.kind in TEXT_ONLY:
            advice = "use .txt or .jsonl for its text"
            raise CliError(f"{name}: no .{self.kind} file is written; {advice}")
        kind = TXT if source.kind in TEXT_ONLY else source.kind
        if self.kind != JSONL and (root is not None or kind != self.kind):
            problem = f"a .{self.kind} output needs a .{self.kind} input; use .jsonl"
            raise CliError(f"{name}: {problem}")
        if not path.parent.is_dir():
            raise CliError(f"{name}: the folder {path.parent} does not exist")
        paths = [s.path for s in self.sources if s.path]
        if path.exists() and any(map(path.samefile, paths)):
            raise CliError(f"{name}: input and output are the same file")
        if root is not None and inside(path, Path(root)):
            raise CliError(f"{name}: the output lies inside the input folder")

    def _check_folder(self, folder: Path, root: Path) -> None:
        if inside(folder, root):
            raise CliError(f"{folder}: the output lies inside the input folder")
        if inside(root, folder):
            raise CliError(f"{folder}: the input lies inside the output folder")
        if folder.exists() and not folder.is_dir():
            raise CliError(f"{folder}: is a file, and a folder needs a folder")

    def _check_names(self) -> None:
        names: dict[str, str] = {}
        for source in self.sources:
            if (other := names.setdefault(source.new_name, source.name)) != source.name:
                raise CliError(f"{source.name} and {other} would be one output")

    @property
    def state_path(self) -> Path:
        if self.folder is not None:
            return self.folder / ".spacy-deid-state.json"
        assert self.path is not None
        return self.path.with_name(self.path.name + PART + ".state")

    def kind_for(self, item: Item) -> str:
        """The kind of file that an item is written to."""
        return self.kind_of(item.source)

    def kind_of(self, source: int) -> str:
        """The kind of file that what is in a source is written to."""
        return self.kind or self.sources[source].kind

    def file_for(self, source: int) -> Path:
        """The file that a source is written to while it is not complete."""
        if self.folder is None:
            assert self.path is not None
            return self.path
        return self.folder / self.sources[source].new_name

    def final_file(self, source: int, parts: Mapping[str, str]) -> Path:
        """The file of a complete source, some parts of whose path get other names."""
        path = self.file_for(source)
        if self.folder is None or not parts:
            return path
        stem = enumerate(self.sources[source].stem.split("/"))
        named = "/".join(parts.get(str(i), part) for i, part in stem)
        end = self.sources[source].new_name[len(self.sources[source].stem) :]
        return self.folder / f"{named}{end}"

    def files(self) -> list[Path | None]:
        """The files that will be there, by the names that their sources have."""
        if self.stream:
            return []
        if self.folder is None:
            return [self.path]
        return [self.folder / source.new_name for source in self.sources]

    @property
    def begun(self) -> bool:
        """Whether an interrupted run has left its state."""
        return self.resumable and self.state_path.exists()

    def taken(self) -> list[Path | None]:
        """Inputs and output: what no other output may be."""
        return [*(source.path for source in self.sources), self.path]


class Writer:
    """Writes outcomes in order, and remembers how far it is.

    sides (dict[str, Path]): Files beside the output, readable only by their owner, by
        the attribute of an outcome that has their lines.
    fingerprint (str): Equal for runs that can go on with one another's work.
    settings (dict): What the vault keeps of the command.
    is_left_out (Callable): Whether a column is not to be in the output.
    """

    def __init__(
        self,
        target: Target,
        sides: Mapping[str, Path] = {},
        fingerprint: str = "",
        vault: Vault | None = None,
        settings: dict[str, Any] | None = None,
        is_left_out: Callable[[str], bool] = lambda name: False,
    ):
        self.target = target
        self.is_left_out = is_left_out
        self.vault = vault
        self.settings = settings or {}
        self.fingerprint = fingerprint
        self.side_paths = sides
        self.sides: dict[str, PartFile] = {}
        self.file: PartFile | StreamFile | None = None
        self.formats: dict[int, Format] = {}
        # Pseudonyms that are in the vault.
        self.kept: set[str] = set()
        self.n_renamed = 0
        self.state = State()
        self.saved = time.monotonic()

    def resume(self, skipped: Sequence[Skipped] = ()) -> None:
        """Take up the work of an interrupted run, if there is one, and say so; also say
        what is `skipped` of a folder."""
        target = self.target
        if target.resumable:
            if target.folder is not None:
                target.folder.mkdir(parents=True, exist_ok=True)
            begun = target.begun
            problem = self._take_up() if begun else ""
            done = show_documents(self.state.docs + self.state.failed)
            if begun:
                anew = f"{problem}; starting anew"
                say(anew if problem else f"Going on after {done}")
        say_skipped(skipped)

    def _take_up(self) -> str:
        """Go back to a saved state; why that cannot be, if there is one."""
        target = self.target
        try:
            saved = json.loads(target.state_path.read_bytes())
            fingerprint, state = saved["fingerprint"], State(**saved["state"])
        except (ValueError, KeyError, TypeError):
            return f"{target.state_path}: unreadable"
        if fingerprint != self.fingerprint:
            return "The interrupted run had other settings or another input"
        begun = bool(state.bytes or state.items)
        if begun and not _holds(target.file_for(state.source), state.bytes):
            if target.folder is None:
                return "The interrupted run's .part file is gone"
            # This file was finished after its state was last saved: once more.
            begun = False
            sides, failed, docs = state.before
            state = replace(state, items=0, bytes=0, sides=sides)
            state = replace(state, failed=failed, docs=docs)
        if self.vault is not None and state.docs and not self._has_rows(state):
            return "The interrupted run wrote to another vault"
        for name, path in self.side_paths.items():
            if not _holds(path, state.sides.get(name, 0)):
                return f"The interrupted run's {name} file is gone"
        for name, path in self.side_paths.items():
            self.sides[name] = PartFile(path, 0o600, state.sides.get(name, 0))
        if begun:
            path = target.file_for(state.source)
            self.file = PartFile(path, resume_at=state.bytes)
        self.state = state
        return ""

    def _has_rows(self, state: State) -> bool:
        """Whether the vault has what the documents that are done need."""
        assert self.vault is not None
        with shown(VaultError):
            rows = self.vault.open() if self.vault.path.exists() else 0
        return self.vault.id == state.vault and rows >= state.vault_rows

    def read(self, text_field: str | Declared, id_field: str) -> Iterator[Item]:
        """Items of all sources from the state on, each source with its end."""
        sources = self.target.sources
        first, skip = self.state.source, self.state.items
        for index in range(first, len(sources)):
            for n, item in enumerate(self.reader(index, text_field, id_field)):
                if index > first or n >= skip:
                    yield item
            yield Item(index, sources[index].name, end=True)

    def reader(self, source: int, text_field: str | Declared, id_field: str) -> Reader:
        """Reads a source, whose format its output gets."""
        reader = Reader(self.target.sources[source], source, text_field, id_field)
        reader.format.is_left_out = self.is_left_out
        self.formats[source] = reader.format
        return reader

    def _open_file(self, source: int) -> PartFile | StreamFile:
        target = self.target
        file: PartFile | StreamFile
        if target.stream:
            file = StreamFile(target.path)
        else:
            path = target.file_for(source)
            if target.folder is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            file = PartFile(path)
        form = self.formats.get(source, Format())
        file.write(form.prefix(target.kind_of(source)))
        return file

    def _format(self, source: int) -> Format:
        if source not in self.formats:
            # All was done when the run was interrupted.
            next(iter(self.reader(source, **self.settings)), None)
        return self.formats[source]

    def add(self, outcomes: list[Outcome]) -> None:
        """Write a chunk in the input's order. The state moves on when all of a source's
        part is written."""
        if self.vault is not None:
            self._keep(self.vault, outcomes)
        for source, group in groupby(outcomes, lambda outcome: outcome.source):
            self._add_source(source, list(group))
        if time.monotonic() - self.saved >= CHECKPOINT_SECONDS:
            self.save()

    def _keep(self, vault: Vault, outcomes: list[Outcome]) -> None:
        """Put into the vault what a chunk needs, before any of it is written: a text
        that is out can always be restored."""
        rows = []
        if not self.state.vault:
            data = json.dumps(self.settings, sort_keys=True).encode()
            rows.append(NewRow(RUN, "", b"", data))
        per_file = self.target.folder is not None
        ordinal = self.state.docs - (self.state.before[2] if per_file else 0)
        n_rows = len(rows)
        for outcome in outcomes:
            if outcome.end:
                ordinal = 0 if per_file else ordinal
            elif outcome.error is None:
                if outcome.vault is None:
                    raise ValueError("a document came without what the vault needs")
                rows.append(outcome.vault._replace(ordinal=ordinal))
                ordinal += 1
                for old, new in (outcome.paths | outcome.columns).items():
                    if new not in self.kept:
                        data = json.dumps([new, old]).encode()
                        rows.append(NewRow(NAMED, new, b"", data))
                        self.kept.add(new)
        if len(rows) > n_rows:
            with shown(VaultError):
                n = vault.add(rows)
            self.state = replace(self.state, vault=vault.id, vault_rows=n)

    def _add_source(self, source: int, outcomes: list[Outcome]) -> None:
        if self.file is None:
            self.file = self._open_file(source)
        form = self.formats.get(source, Format())
        done = [o for o in outcomes if not o.error and not o.end]
        rows = [o.row for o in done if o.row is not None]
        lines = b"".join(o.line for o in done)
        self.file.write(lines + (form.rows(rows) if rows else b""))
        for name, path in self.side_paths.items():
            if name not in self.sides:
                self.sides[name] = PartFile(path, 0o600)
            self.sides[name].write(b"".join(getattr(o, name) for o in done))
        ended = outcomes[-1].end
        state = self._renamed(source, done)
        state = replace(
            state,
            source=source,
            items=self.state.items + len(outcomes) - ended,
            bytes=self.file.size,
            sides={name: file.size for name, file in self.sides.items()},
            failed=self.state.failed + sum(o.error is not None for o in outcomes),
            docs=self.state.docs + len(done),
        )
        self.state = self._end_source(state) if ended else state

    def _renamed(self, source: int, done: list[Outcome]) -> State:
        """The state with what in names of the path and of columns was masked."""
        paths, columns = dict(self.state.paths), dict(self.state.columns)
        for outcome in done:
            path = outcome.stem.split("/"), outcome.paths, paths
            for names, new, found in (path, (outcome.names, outcome.columns, columns)):
                found |= {str(i): new[n] for i, n in enumerate(names) if n in new}
        return replace(self.state, paths=paths, columns=columns)

    def _end_source(self, state: State) -> State:
        size = state.bytes
        if self.target.folder is not None and self.file is not None:
            _, failed, docs = state.before
            if state.failed > failed and state.docs == docs:
                self.file.discard()
                if self.file.path is not None and self.file.path.exists():
                    say(f"{self.file.path}: of an earlier run, and still there")
            else:
                self._commit(self.file, state, state.source)
            self.file, size = None, 0
            state = replace(state, paths={}, columns={})
        if self.target.kind not in TABLES:
            self.formats.pop(state.source, None)
        before = (state.sides, state.failed, state.docs)
        following = replace(state, source=state.source + 1, items=0)
        return replace(following, bytes=size, before=before)

    def _commit(self, file: PartFile | StreamFile, state: State, source: int) -> None:
        """Give a file its name, without what is masked in it and in its columns."""
        if not isinstance(file, PartFile):
            return file.commit()
        path = self.target.final_file(source, state.paths)
        kind = self.target.kind_of(source)
        if state.columns and kind in SEPARATED:
            form = self._format(source)
            file = file.with_head(form.prefix(kind), form.prefix(kind, state.columns))
        if kind == JSON:
            file = file.rewritten(partial(_as_array, file))
        if kind == PARQUET:
            file = self._format(source).as_parquet(file, state.columns)
        begun, file.path = file.path, path
        path.parent.mkdir(parents=True, exist_ok=True)
        file.commit()
        if path != begun:
            self.n_renamed += 1
            # The folders that it would have been in, unless something is in them.
            with contextlib.suppress(OSError):
                for folder in begun.parents:
                    if folder == self.target.folder:
                        break
                    folder.rmdir()

    def _files(self) -> list[PartFile | StreamFile]:
        return [*([] if self.file is None else [self.file]), *self.sides.values()]

    def save(self) -> None:
        """Make what was written last, and note how far it goes."""
        self.saved = time.monotonic()
        if not self.target.resumable:
            return
        for file in self._files():
            file.sync()
        state = {"fingerprint": self.fingerprint, "state": asdict(self.state)}
        write_chunks(self.target.state_path, [json.dumps(state).encode()], 0o600)

    def finish(self, discard: bool = False) -> None:
        """Give the outputs their names; remove them if nothing is in them."""
        discard = discard or not self.state.docs
        if "id_keys" in self.sides and not discard:
            # The same id may have been in many records.
            keys = self.sides["id_keys"]
            self.sides["id_keys"] = keys.rewritten(partial(_each_once, keys))
        for file in self._files():
            if discard:
                file.discard()
            elif file is self.file:
                self._commit(file, self.state, 0)
            else:
                file.commit()
        self.file, self.sides = None, {}
        if self.target.resumable:
            self.target.state_path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def saving(self) -> Iterator[None]:
        """Save how far it is when what is done comes to a halt."""
        try:
            yield
        except BaseException as error:
            # The last state saved will do if this fails.
            with contextlib.suppress(OSError):
                self.save()
            for file in self._files():
                file.close()
            if isinstance(error, KeyboardInterrupt):
                again = "; run the same command to go on"
                again = again if self.target.resumable else ""
                say(f"Interrupted after {show_documents(self.state.docs)}{again}")
                raise typer.Exit(INTERRUPTED) from None
            if isinstance(error, WorkerDied):
                raise CliError(
                    f"{error} (out of memory?); run the same command again to go on, "
                    "perhaps with a smaller --n-process"
                ) from error
            raise


def _holds(path: Path, size: int) -> bool:
    """Whether the part of a file is there, with so many bytes at least."""
    part = path.with_name(path.name + PART)
    return part.is_file() and part.stat().st_size >= size


def show_documents(n: int, verb: str = "", verbs: str = "") -> str:
    """A number of documents in words: `2 documents were`."""
    return (f"1 document {verb}" if n == 1 else f"{n} documents {verbs}").rstrip()


def make_bar(sources: list[Source], title: str) -> tqdm:
    """A progress bar on stderr, in bytes."""
    # What a compressed file holds is not known before it is read.
    packed = any(codec_of(source.name) for source in sources)
    total = None if packed else sum(source.size for source in sources) or None
    return progress_bar(title, total, unit="B", unit_scale=True)


def _as_array(lines: PartFile, new: PartFile) -> None:
    """Write JSON lines as one array, an object a line."""
    begin = b"[\n"
    with opened(lines.part, lines.codec) as file:
        while some := file.readlines(1 << 20):
            new.write(begin + b",\n".join(line.rstrip(b"\n") for line in some))
            begin = b",\n"
    new.write(b"[]\n" if begin == b"[\n" else b"\n]\n")


def _each_once(lines: PartFile, new: PartFile) -> None:
    """Write lines without those that are there already."""
    seen: set[bytes] = set()
    with opened(lines.part, lines.codec) as file:
        while some := dict.fromkeys(file.readlines(1 << 20)):
            # Digests, not lines: there may be millions.
            fresh = {hashlib.sha256(line).digest()[:16]: line for line in some}
            new.write(b"".join(fresh[key] for key in fresh if key not in seen))
            seen.update(fresh)


def say_skipped(skipped: Sequence[Skipped]) -> None:
    """Say what of a folder is left out, the first by name."""
    if skipped:
        more = ", ..." if len(skipped) > MAX_SKIPPED else ""
        named = ", ".join(map(str, skipped[:MAX_SKIPPED]))
        say(f"{len(skipped)} left out: {named}{more}")


def stamps(path: str | Path | None) -> list[tuple[str, int, int]]:
    """Name, size and time of a file, or of all files of a folder: what tells whether
    they have changed."""
    root = Path(path or "")
    files = [p for p in (root, *root.rglob("*")) if p.is_file()]
    rows = ((p.relative_to(root.parent).as_posix(), p.stat()) for p in files)
    return sorted((name, info.st_size, info.st_mtime_ns) for name, info in rows)


def fingerprint(facts: list[Any], sources: list[Source]) -> str:
    """Equal for runs of equal facts over the same input."""
    facts = [*facts, *((s.name, s.kind, s.size, s.mtime) for s in sources)]
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()


def saved_salt(target: Target) -> bytes:
    """The salt of an interrupted run, else a new one."""
    try:
        saved = json.loads(target.state_path.read_bytes())["fingerprint"]
        return bytes.fromhex(saved.split(":")[0])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AssertionError):
        return os.urandom(16)
