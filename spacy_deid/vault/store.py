"""An append-only log of encrypted rows in SQLite, which several processes write.

From the secret key, scrypt with the file's own random salt makes a master key, and HKDF
(RFC 5869) makes two of it: one encrypts the rows (AES-256-GCM), one makes the keyed
hashes by which rows are looked up (HMAC-SHA256). A row's number, its hashes and the
vault's random id are authenticated with it, and the encrypted head holds the number of
rows: so none can be changed, exchanged, taken away or put in. What no file can tell is
that all of it was put back to how it was at an earlier time.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import hmac
import os
import re
import secrets
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..data import ROOT

APPLICATION_ID = 0x53444944
VERSION = 2
DOC, RUN, NAMED = 0, 1, 2
# About half a second and 32 MiB for each guess of the key.
KDF = {"n": 2**15, "r": 8, "p": 3}
LOCK_SECONDS = 60.0
PAGE = 100
# Lengths of rows are rounded up, so that they say less about what is in them.
PAD = 256
NONCE, HASH = 12, 16
# Ordinal, and length of the data.
_SIZES = struct.Struct(">QQ")

# A statement a line.
SCHEMA = (ROOT / "vault.sql").read_text(encoding="utf8").replace(";", "").splitlines()
_SELECT = "SELECT seq, kind, doc, text, record, data FROM rows"
_INSERT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?)"
_HEADER = "INSERT OR REPLACE INTO header VALUES (?, ?)"
# What is wrong, by SQLite's name for it or, before Python 3.11, its message.
_PROBLEMS = {
    "SQLITE_IOERR|disk I/O": "the disk refuses to read or write the vault (a full disk, "
    "a limit or a fault); nothing is lost: run the same command again when that is "
    "solved",
    "SQLITE_BUSY|locked": "another process keeps the vault locked "
    f"(waited {LOCK_SECONDS:.0f} s); run the same command again",
    "SQLITE_NOTADB|not a database": "not a vault, or its beginning is damaged",
    "SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|readonly|unable to open": "the vault "
    "cannot be opened for writing; check the permissions of the file and of its folder",
}


class VaultError(Exception):
    """What is wrong with a vault, in one line without a document's text."""


class NewRow(NamedTuple):
    """A row to be added.

    kind (int): `DOC`, `RUN`, or `NAMED` for a part of a path or a column that has got
        another name.
    doc (str): The document's id after de-identification.
    text (bytes): Hash of the de-identified text.
    data (bytes): What is to be kept.
    ordinal (int): Number of the document in its output, from 0 on.
    """

    kind: int
    doc: str
    text: bytes
    data: bytes
    ordinal: int = 0


class Row(NamedTuple):
    """A row that was read and is authentic.

    seq (int): Its number, from 1 on.
    ordinal (int): Number of the document in its output, from 0 on.
    data (bytes): What was kept.
    """

    seq: int
    ordinal: int
    data: bytes


class _Keys(NamedTuple):
    rows: Any
    lookup: bytes
    vault: bytes


class Vault:
    """A vault file. Every call opens and closes it, so that a Vault may be carried into
    another process and no lock outlives a call.

    path (Path): The file; it need not be there before the first `add`.
    key (str): The secret key.
    """

    def __init__(self, path: Path, key: str) -> None:
        if not key:
            raise VaultError(f"{path}: a vault needs a secret key")
        self.path = path
        self._key = key
        self._keys: _Keys | None = None

    def __reduce__(self) -> Any:
        raise TypeError("a vault holds a secret key and is not pickled")

    @property
    def id(self) -> str:
        """The vault's random id, empty before it was opened or made."""
        return self._keys.vault.hex() if self._keys is not None else ""

    def open(self) -> int:
        """Check that the file is a vault, of this version, and of this key; the number
        of its rows."""
        if not self.path.exists():
            raise VaultError(f"{self.path}: no such vault")
        with self._connect() as (_, _, count):
            return count

    def open_or_make(self) -> int:
        """The same, of a file that is made if there is none."""
        if not self.path.exists():
            self._create()
        return self.open()

    def add(self, rows: Sequence[NewRow]) -> int:
        """Keep rows, all of them or none, and make them last. Rows that are there are
        not kept again. The first call makes the file if there is none.

        rows (Sequence[NewRow]): What to keep.
        RETURNS (int): Number of the vault's rows.
        RAISES (VaultError, OSError): If it cannot be written.
        """
        if not rows:
            return 0
        if self._keys is None and not self.path.exists():
            self._create()
        # The lock comes first: the head must not change between reading and writing.
        with self._connect("BEGIN IMMEDIATE") as (db, keys, before):
            count = before
            for row in rows:
                hashes = _hashes(keys, row)
                known = db.execute("SELECT 1 FROM rows WHERE record = ?", hashes[2:])
                if known.fetchone():
                    continue
                count += 1
                outside = (count, row.kind, *hashes)
                plain = _SIZES.pack(row.ordinal, len(row.data)) + row.data
                plain += b"\0" * (-len(plain) % PAD)
                sealed = _encrypt(keys, plain, _outside(keys, outside))
                db.execute(_INSERT, (*outside, sealed))
            if count != before:
                db.execute(_HEADER, ("head", _head(keys, count)))
            db.execute("COMMIT")
        return count

    def verify(self) -> int:
        """Read the whole vault and check that every row is there, authentic and in its
        place; the number of rows."""
        with self._connect() as (db, _, _):
            if [row[0] for row in db.execute("PRAGMA integrity_check(1)")] != ["ok"]:
                raise self._damaged()
        # Locks are short: others may write meanwhile.
        return sum(1 for _ in self._read_pages())

    def find(self, *, doc: str | None = None, text: bytes | None = None) -> list[Row]:
        """Documents by their id or by their text.

        doc (str): The id after de-identification.
        text (bytes): Hash of the de-identified text.
        RETURNS (list[Row]): In the order in which they came in.
        """
        with self._connect() as (db, keys, _):
            column, value = "text", text
            if value is None:
                column, value = "doc", encode(doc or "")
            sql = f"{_SELECT} WHERE {column} = ? AND kind = {DOC} ORDER BY seq"
            rows = db.execute(sql, (_hash(keys, column.encode(), value),))
            return [self._read(keys, values) for values in rows]

    def get(self, seq: int) -> Row:
        """One row by its number."""
        with self._connect() as (db, keys, _):
            values = db.execute(f"{_SELECT} WHERE seq = ?", (seq,)).fetchone()
            if values is None:
                raise self._damaged(seq)
            return self._read(keys, values)

    def read_all(self, kind: int = DOC) -> Iterator[Row]:
        """All rows of a kind, in the order in which they came in."""
        return (row for row_kind, row in self._read_pages() if row_kind == kind)

    def _read_pages(self) -> Iterator[tuple[int, Row]]:
        """All rows with their kinds, each in its place."""
        seq = count = 0
        while seq <= count:
            with self._connect() as (db, keys, count):
                sql = f"{_SELECT} WHERE seq > ? ORDER BY seq LIMIT {PAGE}"
                page = db.execute(sql, (seq,)).fetchall()
            for values in page:
                seq += 1
                if values[0] != seq:
                    raise self._damaged(seq)
                yield values[1], self._read(keys, values)
            if len(page) < PAGE:
                break
        if seq != count:
            raise self._damaged()

    # Opening and making the file

    @contextlib.contextmanager
    def _connect(
        self, begin: str = "BEGIN"
    ) -> Iterator[tuple[sqlite3.Connection, _Keys, int]]:
        """A transaction in the vault, its keys and the number of its rows."""
        try:
            if not self.path.is_file():
                raise VaultError(f"{self.path}: the vault is gone, or is not a file")
            if not self.path.stat().st_size:
                raise VaultError(f"{self.path}: the file is empty, not a vault")
            uri = self.path.resolve().as_uri() + "?mode=rw"
            how: Any = {"timeout": LOCK_SECONDS, "isolation_level": None}
            db = sqlite3.connect(uri, uri=True, **how)
            # Closing rolls back what was not committed.
            with contextlib.closing(db):
                # A schema that somebody changed must not run code of theirs.
                db.execute("PRAGMA trusted_schema = OFF")
                db.execute("PRAGMA cell_size_check = ON")
                db.execute("PRAGMA secure_delete = ON")
                db.execute("PRAGMA synchronous = EXTRA")
                self._identify(db)
                db.execute(begin)
                yield db, *self._read_head(db)
        except sqlite3.Error as error:
            raise self._explain(error) from None
        except UnicodeDecodeError:
            # SQLite quotes a damaged schema in what it complains of.
            raise self._damaged() from None

    def _identify(self, db: sqlite3.Connection) -> None:
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID:
            raise VaultError(f"{self.path}: an SQLite file, but not a vault")
        if version != VERSION:
            age = "an older" if version < VERSION else "a newer"
            reads = f"{version}; this release reads {VERSION}"
            advice = "restore with the release that wrote it, and write to a new vault"
            raise VaultError(
                f"{self.path}: a vault of {age} format ({reads}); {advice}"
            )
        # Of a damaged file they may be of any type, which SQLite alone can sort.
        made = db.execute("SELECT sql FROM sqlite_master WHERE sql > '' ORDER BY sql")
        if [sql for (sql,) in made] != sorted(SCHEMA):
            raise self._damaged()

    def _explain(self, error: sqlite3.Error) -> Exception:
        """One line for an error of SQLite."""
        told = f"{getattr(error, 'sqlite_errorname', '')} {error}"
        if re.search("SQLITE_FULL|is full", told):
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        for pattern, problem in _PROBLEMS.items():
            if re.search(pattern, told):
                return VaultError(f"{self.path}: {problem}")
        return self._damaged()

    def _damaged(self, seq: int | None = None) -> VaultError:
        place = f" (row {seq})" if seq is not None else ""
        problem = f"{self.path}: the vault was damaged or tampered with{place}"
        done = "nothing was restored from it or added to it"
        return VaultError(f"{problem}; {done}; use a copy from a backup")

    def _create(self) -> None:
        """Make an empty vault that appears whole, or take the one that another process
        has made in the meantime."""
        if self.path.with_name(self.path.name + "-journal").exists():
            problem = f"{self.path}: the vault is gone but its journal is there"
            other = "or remove the journal to start a new vault"
            raise VaultError(f"{problem}; put both back from a backup, {other}")
        part = self.path.with_name(f"{self.path.name}.{secrets.token_hex(8)}.part")
        try:
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            self._fill(part)
            try:
                os.link(part, self.path)
            except FileExistsError:
                return
            except OSError:
                # A file system without links.
                if not self.path.exists():
                    os.rename(part, self.path)
        except sqlite3.Error as error:
            raise self._explain(error) from None
        finally:
            part.unlink(missing_ok=True)
            part.with_name(part.name + "-journal").unlink(missing_ok=True)

    def _fill(self, part: Path) -> None:
        salt, vault = os.urandom(32), os.urandom(16)
        head = _head(_derive(self._key, vault, salt), 0)
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as db:
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("PRAGMA synchronous = EXTRA")
            db.execute("BEGIN")
            for statement in SCHEMA:
                db.execute(statement)
            values = {"vault": vault, "salt": salt, "head": head}
            db.executemany(_HEADER, values.items())
            db.execute("COMMIT")

    # Head and rows

    def _read_head(self, db: sqlite3.Connection) -> tuple[_Keys, int]:
        """Keys and number of rows; checks the key and that the file is still the same
        vault."""
        header = dict(db.execute("SELECT name, value FROM header"))
        read = all(isinstance(value, bytes) for value in header.values())
        if not read or set(header) != {"vault", "salt", "head"}:
            raise self._damaged()
        vault = header["vault"]
        keys = self._keys or _derive(self._key, vault, header["salt"])
        if vault != keys.vault:
            raise VaultError(f"{self.path}: another vault has taken this one's place")
        if (plain := _decrypt(keys, header["head"], b"head" + vault)) is None:
            changed = "(or the vault's header was changed); nothing was read or written"
            raise VaultError(
                f"{self.path}: the key is not the one of this vault {changed}"
            )
        self._keys = keys
        count = int.from_bytes(plain, "big")
        ends = db.execute("SELECT min(seq), max(seq) FROM rows").fetchone()
        if ends != ((1, count) if count else (None, None)):
            raise self._damaged()
        return keys, count

    def _read(self, keys: _Keys, values: tuple) -> Row:
        seq, kind, *blobs = values
        read = all(isinstance(blob, bytes) for blob in blobs)
        if not read or kind not in (DOC, RUN, NAMED):
            raise self._damaged(seq)
        if (plain := _decrypt(keys, blobs[3], _outside(keys, values))) is None:
            raise self._damaged(seq)
        ordinal, size = _SIZES.unpack_from(plain)
        return Row(seq, ordinal, plain[_SIZES.size : _SIZES.size + size])


def _derive(key: str, vault: bytes, salt: bytes) -> _Keys:
    """The vault's keys. The file's id and version go in, so that a file whose header was
    changed has no key that fits."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    except ImportError:
        problem = "a vault needs the package cryptography: pip install cryptography"
        raise VaultError(problem) from None
    # Memory for what scrypt needs and something for itself.
    memory = 128 * KDF["r"] * (KDF["n"] + KDF["p"] + 2) + 2**20
    secret = key.encode("utf-8", "surrogateescape")
    master = hashlib.scrypt(secret, salt=salt, **KDF, maxmem=memory, dklen=32)
    info = b"spacy_deid vault %d " % VERSION + vault
    derived = HKDF(SHA256(), 2 * 32, None, info).derive(master)
    return _Keys(AESGCM(derived[:32]), derived[32:], vault)


def encode(name: str) -> bytes:
    """The bytes of a string, which may have halves of surrogate pairs."""
    return name.encode("utf-8", "surrogatepass")


def _hash(keys: _Keys, *parts: bytes) -> bytes:
    """A keyed hash of a few strings, 16 bytes."""
    code = hmac.new(keys.lookup, digestmod=hashlib.sha256)
    for part in parts:
        code.update(struct.pack(">Q", len(part)) + part)
    return code.digest()[:HASH]


def _hashes(keys: _Keys, row: NewRow) -> tuple[bytes, bytes, bytes]:
    """Of the id, of the text, and of all: equal for rows of which one is enough."""
    name, place = encode(row.doc), struct.pack(">BQ", row.kind, row.ordinal)
    whole = _hash(keys, b"record", place, name, row.text, row.data)
    return _hash(keys, b"doc", name), _hash(keys, b"text", row.text), whole


def _outside(keys: _Keys, values: tuple) -> bytes:
    """What is authenticated with a row though it is not encrypted."""
    return keys.vault + struct.pack(">qB", *values[:2]) + b"\0".join(values[2:5])


def _head(keys: _Keys, count: int) -> bytes:
    return _encrypt(keys, struct.pack(">Q", count), b"head" + keys.vault)


def _encrypt(keys: _Keys, plain: bytes, outside: bytes) -> bytes:
    nonce = os.urandom(NONCE)
    return nonce + keys.rows.encrypt(nonce, plain, outside)


def _decrypt(keys: _Keys, data: bytes, outside: bytes) -> bytes | None:
    """None for what is not authentic."""
    from cryptography.exceptions import InvalidTag

    try:
        return keys.rows.decrypt(data[:NONCE], data[NONCE:], outside)
    except (InvalidTag, ValueError):
        return None
