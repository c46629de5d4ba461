"""What is found in a dump: a database, saved together with the position in the dump."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ...data import ROOT
from .dump_file import DumpError
from .dump_lines import Found

DATABASE = "values.sqlite"
_CACHE_KIB = 64 << 10


@dataclass
class State:
    """Where a pass has come to.

    position (int): Decompressed bytes that are done.
    lines (int): Lines that are done.
    broken (int): Broken ones among them.
    people (int): People found.
    not_terms (dict[str, int]): Values that are no terms.
    last (str): The last character that is not blank.
    damage (str): What was wrong with the file where reading ended.
    done (bool): Whether the pass is done.
    """

    position: int = 0
    lines: int = 0
    broken: int = 0
    people: int = 0
    not_terms: dict[str, int] = field(default_factory=dict)
    last: str = ""
    damage: str = ""
    done: bool = False

    def add(self, found: Found) -> None:
        """Count what was found in the next lines."""
        self.lines += found.lines
        self.broken += found.broken
        self.people += found.people
        self.not_terms = dict(Counter(self.not_terms) + found.not_terms)
        self.last = found.last.decode("latin1") or self.last


_SCHEMA = ROOT / "dump_store.sql"
_ADD = "ON CONFLICT DO UPDATE SET n = n + excluded.n"


class Store:
    """The database in the work folder. What is saved is saved with its position.

    folder (Path): Work folder, made if it is not there.
    RAISES (DumpError): If the folder is no work folder or another run uses it.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / DATABASE
        if not path.exists() and any(folder.iterdir()):
            raise DumpError(
                f"{folder}: is no work folder of this command, and not empty; "
                "name another one"
            )
        self.db = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            # Held until the process ends, however it ends.
            self.db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            self.db.execute("BEGIN EXCLUSIVE")
            for statement in _SCHEMA.read_text("utf-8").split(";"):
                self.db.execute(statement)
            self.db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self.db.close()
            if "locked" not in str(error):
                raise DumpError(f"{path}: cannot be written") from error
            raise DumpError(f"{folder}: another run is using this folder") from error
        except sqlite3.DatabaseError as error:
            self.db.close()
            problem = f"{path}: is damaged; delete the folder to start again"
            raise DumpError(problem) from error

    def close(self) -> None:
        self.db.close()

    def get(self, name: str) -> str | None:
        query = "SELECT value FROM settings WHERE name = ?"
        row = self.db.execute(query, (name,)).fetchone()
        return row and row[0]

    def set(self, name: str, value: str) -> None:
        self.db.execute("REPLACE INTO settings VALUES (?, ?)", (name, value))

    def load(self, number: int) -> State | None:
        """The state of a pass."""
        query = "SELECT state FROM state WHERE pass = ?"
        row = self.db.execute(query, (number,)).fetchone()
        return State(**json.loads(row[0])) if row else None

    def forget_labels(self) -> None:
        """Start the second pass again."""
        with self.transaction():
            self.db.execute("DELETE FROM labels")
            self.db.execute("DELETE FROM state WHERE pass = 2")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        try:
            self.db.execute("BEGIN IMMEDIATE")
            yield
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise

    def save(self, number: int, state: State, found: Found) -> None:
        """Save results together with the position that they reach to."""
        with self.transaction():
            # In order, neighbours lie on the same page.
            add = f"INSERT INTO {{}} VALUES ({{}}) {_ADD}".format
            items = ((*key, n) for key, n in sorted(found.items.items()))
            self.db.executemany(add("items", "?, ?, ?"), items)
            texts = ((*key, n) for key, n in sorted(found.literals.items()))
            self.db.executemany(add("literals", "?, ?, ?, ?"), texts)
            write = "REPLACE INTO {} VALUES (?, ?)".format
            self.db.executemany(write("countries"), sorted(found.countries.items()))
            self.db.executemany(write("labels"), sorted(found.labels.items()))
            self.db.execute(write("state"), (number, json.dumps(asdict(state))))

    def wanted(self, numbers: Iterable[int], min_count: int) -> tuple[bytearray, int]:
        """A bit for each item whose labels are needed, values that enough people bear
        and countries; and how many there are."""
        marks = ",".join(str(int(number)) for number in numbers)
        query = (
            f"SELECT id FROM items WHERE property IN ({marks}) AND n >= {int(min_count)} "
            "UNION SELECT id FROM countries"
        )
        top = self.db.execute(f"SELECT max(id) FROM ({query})").fetchone()[0] or 0
        bits = bytearray((top >> 3) + 1)
        n = 0
        for (id_,) in self.db.execute(query):
            bits[id_ >> 3] |= 1 << (id_ & 7)
            n += 1
        return bits, n
