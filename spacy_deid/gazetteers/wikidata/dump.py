"""Values of people from a full JSON dump of Wikidata, in a stream.

Two passes: the first counts the people who bear each value, the second reads the
labels and aliases of these values. Lines that can't matter are told by their bytes and
are not parsed. All that is found lies in a database in a work folder, saved together
with the position in the dump, so that memory does not grow with the dump and a run
that was killed goes on where the database was saved last.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import KW_ONLY, InitVar, dataclass
from pathlib import Path

from ...processes import WorkerDied, map_ordered, progress_bar
from .dump_file import BZIP2, Chunk, DumpError, DumpFile
from .dump_lines import (
    AROUND,
    BrokenLine,
    CountJob,
    Found,
    Job,
    LabelJob,
    parse_entity,
    work,
)
from .dump_store import State, Store
from .values import CITIZENSHIP, Origin, Property, Value, get_languages

__all__ = ["DumpError", "DumpSource"]

# Changes when a work folder of before can't be used any more.
FORMAT = 2
# Bytes in which there has to be an entity.
HEAD = 16 << 20
# Values kept in memory until they are saved.
MAX_KEYS = 500_000
CHECKPOINT_SECONDS = 30.0


@dataclass
class DumpSource:
    """Values of people from a dump.

    path (Union[str, Path]): The dump: JSON, one entity a line, plain or compressed
        with gzip or bzip2.
    work (Union[str, Path]): Folder for what is found on the way. With the same dump
        and properties, a run goes on where another one has ended.
    properties (Iterable[Property]): Properties.
    languages (Iterable[str]): Languages of the labels.
    countries (bool): Whether countries and their demonyms are found as well.
    min_count (int): The labels of values that fewer people bear are not read.
    n_process (int): Processes.
    accept_damage (bool): Whether what stands before the end of a cut off or damaged
        file is taken for the whole.
    checkpoint (float): Seconds after which results are saved.
    progress (bool): Whether a progress bar is shown on stderr.
    say (Callable): What is told of the course of things, lines without document text.
    RAISES (DumpError): If the dump or the work folder cannot be used.
    RAISES (OSError): If the dump cannot be read.
    """

    path: str | Path
    work: InitVar[str | Path]
    properties: InitVar[Iterable[Property]]
    _: KW_ONLY
    languages: Iterable[str] = ("en",)
    countries: bool = True
    min_count: int = 1
    n_process: int = 1
    accept_damage: bool = False
    checkpoint: float = CHECKPOINT_SECONDS
    progress: bool = False
    say: Callable[[str], None] = lambda message: None

    def __post_init__(self, work: str | Path, properties: Iterable[Property]) -> None:
        self.file = DumpFile(self.path)
        self.fingerprint = fingerprint(self.file)
        self.asked = {int(p.id[1:]): p for p in properties}
        self.languages = get_languages(self.languages)
        self._is_list = self._check_head()
        self.origin = Origin("dump", self.file.path.name, get_date(self.file.path))
        self.store = Store(Path(work))
        try:
            self._check_settings()
        except BaseException:
            self.store.close()
            raise

    def __enter__(self) -> DumpSource:
        return self

    def __exit__(self, *args: object) -> None:
        self.store.close()

    def _check_head(self) -> bool:
        """Whether the entities stand in a list, as they do in a whole dump."""
        head, damage = self.file.read_head(HEAD)
        for line in head.split(b"\n"):
            entity = line.strip(AROUND)
            if entity[:1] == b"{":
                with contextlib.suppress(BrokenLine):
                    parse_entity(entity)
                    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"["
        if damage:
            raise DumpError(f"{self.file.path}: the file is {damage} at its beginning")
        raise DumpError(
            f"{self.file.path}: there is no Wikidata entity in its first lines; needs a "
            "JSON dump with one entity a line, such as latest-all.json.bz2"
        )

    def _check_settings(self) -> None:
        """Compare the settings of both passes with those of the work folder."""
        first = {
            "version of this program": FORMAT,
            "dump": self.fingerprint,
            "choice of properties": [f"P{n}" for n in sorted(self.asked)],
            "choice of countries": self.countries,
        }
        before = json.loads(self.store.get("first") or "null") or first
        if others := [name for name in first if before.get(name) != first[name]]:
            raise DumpError(
                f"{self.store.folder}: holds the work on another "
                f"{' and '.join(others)}; delete it or name another folder"
            )
        self.store.set("first", json.dumps(first))
        labels = json.dumps([sorted(self.languages), self.min_count])
        if self.store.get("second") not in (None, labels):
            if self.store.load(2) is not None:
                self.say("Other languages or --min-count: reads the labels again")
            self.store.forget_labels()
        self.store.set("second", labels)

    def run(self) -> None:
        """Do what is left of both passes."""
        count = CountJob((p.id for p in self.asked.values()), self.countries)
        first = self._run_pass(1, count, "Pass 1 of 2, values")
        wanted, n_wanted = self.store.wanted(self.asked, self.min_count)
        self._run_pass(2, LabelJob(self.languages, wanted), "Pass 2 of 2, labels")
        self.origin.not_terms.update(first.not_terms)
        self.origin.details.update(
            bytes=self.file.size,
            lines=first.lines,
            broken_lines=first.broken,
            people=first.people,
            items=n_wanted,
            whole=not first.damage and not self._seems_cut(first),
        )

    @property
    def broken(self) -> int:
        """Broken lines, after `run`."""
        return int(self.origin.details["broken_lines"])

    def _seems_cut(self, state: State) -> bool:
        return self._is_list and state.last != "]"

    def _run_pass(self, number: int, job: Job, title: str) -> State:
        if (state := self.store.load(number)) is None:
            state = State()
        elif not state.done:
            self.say(f"{title}: goes on after {state.lines:,} lines")
        elif state.damage and not self.accept_damage:
            raise DumpError(
                f"{self.file.path}: the file is {state.damage}; use --accept-damage to "
                "make do with what stands before"
            )
        if not state.done:
            if fingerprint(self.file) != self.fingerprint:
                raise DumpError(f"{self.file.path}: the file has changed meanwhile")
            self._read_rest(number, job, state, title)
            if number == 1 and self._seems_cut(state) and not state.damage:
                self.say(
                    f"{self.file.path}: the list of entities has no end; the file may "
                    "be cut off"
                )
        return state

    def _read_rest(self, number: int, job: Job, state: State, title: str) -> None:
        """Read the rest of the dump, with a progress bar of this title; the state is
        changed as it goes on."""
        total, shown = self.file.total, self.progress
        bar = progress_bar(title, total, shown, unit="B", unit_scale=True)
        unsaved, saved = Found(), time.monotonic()
        with bar, contextlib.closing(self._results(job, state)) as results:
            for chunk, found in results:
                unsaved.add(found)
                state.add(found)
                state.position, state.damage = chunk.end, chunk.damage
                if chunk.damage:
                    self._report(number, chunk)
                bar.update(self.file.position - bar.n)
                full = len(unsaved.items) + len(unsaved.literals) > MAX_KEYS
                full |= len(unsaved.labels) > MAX_KEYS // 10
                if full or time.monotonic() - saved >= self.checkpoint:
                    self.store.save(number, state, unsaved)
                    unsaved, saved = Found(), time.monotonic()
        state.done = True
        self.store.save(number, state, unsaved)

    def _results(
        self, job: Job, state: State
    ) -> Generator[tuple[Chunk, Found], None, None]:
        """What is in the chunks, a few of which are on their way."""
        n = self.n_process
        # To look for labels takes less time than to hand the lines on.
        n_workers = n if n > 1 and isinstance(job, CountJob) else 0
        n_threads = n if self.file.kind == BZIP2 else 1
        read: deque[Chunk] = deque()

        def jobs() -> Iterator[Chunk]:
            for chunk in self.file.chunks(state.position, n_threads):
                # Whoever does the work has the data.
                read.append(chunk._replace(data=b""))
                yield chunk

        try:
            with contextlib.closing(map_ordered(work, jobs(), job, n_workers)) as found:
                yield from ((read.popleft(), one) for one in found)
        except WorkerDied:
            raise DumpError(
                "a process was killed, perhaps for want of memory; run the same "
                "command again to go on, with fewer processes if need be"
            ) from None

    def _report(self, number: int, chunk: Chunk) -> None:
        """Say that the file is damaged, or raise."""
        what = f"{self.file.path}: the file is {chunk.damage} after "
        what += f"{chunk.end:,} bytes of its content"
        if not self.accept_damage:
            raise DumpError(
                f"{what}; download it again, or use --accept-damage to make do with "
                "what stands before"
            )
        if number == 1:
            self.say(f"{what}; what comes after is left out")

    def values(self) -> Iterator[Value]:
        """The values, after `run`."""
        yield from self._items()
        yield from self._literals()
        if self.countries:
            yield from self._countries()

    def _items(self) -> Iterator[Value]:
        for number, id_, n, labels in self.store.db.execute(
            "SELECT property, items.id, n, labels FROM items "
            "LEFT JOIN labels ON labels.id = items.id ORDER BY property, items.id"
        ):
            asked = self.asked.get(number)
            if asked is not None and self.origin.keeps(n, self.min_count):
                texts = json.loads(labels or "{}")
                yield Value(asked.id, asked.type, f"Q{id_}", n, texts)

    def _literals(self) -> Iterator[Value]:
        wanted = {*self.languages, ""}
        rows = self.store.db.execute("SELECT property, language, text, n FROM literals")
        for number, language, text, n in rows:
            asked = self.asked.get(number)
            if asked is None:
                continue
            if language not in wanted:
                self.origin.dropped["other_language"] += 1
            elif self.origin.keeps(n, self.min_count):
                yield Value(asked.id, asked.type, "", n, {language: [text]})

    def _countries(self) -> Iterator[Value]:
        number = int(CITIZENSHIP[1:])
        for id_, demonyms, n, labels in self.store.db.execute(
            "SELECT countries.id, demonyms, coalesce(n, 0), labels FROM countries "
            f"LEFT JOIN items ON property = {number} AND items.id = countries.id "
            "LEFT JOIN labels ON labels.id = countries.id ORDER BY countries.id"
        ):
            yield Value(CITIZENSHIP, "DEM", f"Q{id_}", n, json.loads(labels or "{}"))
            for language, text in json.loads(demonyms):
                if language in self.languages:
                    yield Value(CITIZENSHIP, "DEM", f"Q{id_}", n, {language: [text]})


def fingerprint(file: DumpFile) -> str:
    """What tells a dump from others: its size and some of its bytes."""
    size = file.path.stat().st_size
    digest = hashlib.sha256(str(size).encode())
    with file.path.open("rb") as stream:
        for start in (0, size // 2, max(size - (64 << 10), 0)):
            stream.seek(start)
            digest.update(stream.read(64 << 10))
    return digest.hexdigest()


def get_date(path: Path) -> str:
    """The date of a dump: the one in its name, else the file's."""
    for digits in re.findall(r"(?<!\d)20\d{6}(?!\d)", path.name):
        with contextlib.suppress(ValueError):
            return time.strftime("%Y-%m-%d", time.strptime(digits, "%Y%m%d"))
    return time.strftime("%Y-%m-%d", time.gmtime(path.stat().st_mtime))
