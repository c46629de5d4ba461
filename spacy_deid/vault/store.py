"""An append-only log of encrypted rows in SQLite, which several processes write.

From the secret key, scrypt with the file's own random salt makes a master key, and HKDF
(RFC 5869) makes three of it: one encrypts the rows (AES-256-GCM), one makes the keyed
hashes by which rows are looked up (HMAC-SHA256), one chains the rows. A row's number
and hashes are authenticated with it, so that rows cannot be changed or exchanged; the
encrypted head holds the number of rows and the chain's last link, so that none can be
taken away, put in or put in another order. What no file can tell is that all of it was
put back to how it was at an earlier time.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import hmac
import json
import os
import secrets
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

APPLICATION_ID = 0x53444944
VERSION = 1
DOC, RUN = 0, 1
# About half a second and 32 MiB for each guess of the key.
KDF = {"n": 2**15, "r": 8, "p": 3}
# A file that somebody changed must not make us compute for ever.
MAX_KDF_MEMORY, MAX_KDF_P = 2**28, 16
LOCK_SECONDS = 60.0
PAGE = 100
# Lengths of rows are rounded up, so that they say less about what is in them.
PAD = 256
NONCE, HASH = 12, 16
NO_CHAIN = b"\0" * 32
_HEAD = struct.Struct(">Q32s")
# Ordinal; lengths of id, hash of the text, hash of the row, and data.
_SIZES = struct.Struct(">QIIIQ")

SCHEMA = (
    "CREATE TABLE header (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
    "CREATE TABLE rows (seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, "
    "doc BLOB NOT NULL, text BLOB NOT NULL, record BLOB NOT NULL UNIQUE, "
    "data BLOB NOT NULL)",
    "CREATE INDEX rows_doc ON rows (doc)",
    "CREATE INDEX rows_text ON rows (text)",
)
_COLUMNS = "seq, kind, doc, text, record, data"
_INSERT = f"INSERT INTO rows ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"


class VaultError(Exception):
    """What is wrong with a vault, in one line without a document's text."""


class NewRow(NamedTuple):
    """A row to be added.

    kind (int): `DOC` or `RUN`.
    doc (str): The document's id after de-identification.
    text (bytes): Hash of the de-identified text.
    data (bytes): What is to be kept.
    digest (bytes): Hash of what is to be kept.
    ordinal (int): Number of the document in its output, from 0 on.
    """

    kind: int
    doc: str
    text: bytes
    data: bytes
    digest: bytes
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
    chain: bytes
    check: bytes
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

    def __repr__(self) -> str:
        return f"Vault({str(self.path)!r})"

    @property
    def id(self) -> str:
        """The vault's random id, empty before it was opened or made."""
        return self._keys.vault.hex() if self._keys is not None else ""

    def open(self) -> int:
        """Check that the file is a vault, of this version, and of this key."""
        if not self.path.exists():
            raise VaultError(f"{self.path}: no such vault")
        with self._connect() as db:
            return self._head(db)[0]

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
        with self._connect() as db:
            # The lock comes first: the head must not change between reading and writing.
            db.execute("BEGIN IMMEDIATE")
            count, chain = self._head(db)
            keys = self._get_keys()
            before = count
            for row in rows:
                record = _record_hash(keys, row)
                known = db.execute("SELECT 1 FROM rows WHERE record = ?", (record,))
                if known.fetchone():
                    continue
                count += 1
                sealed, chain = _seal(keys, chain, count, row)
                db.execute(_INSERT, sealed)
            if count != before:
                _write_head(db, keys, count, chain)
            db.execute("COMMIT")
        return count

    def verify(self) -> int:
        """Read the whole vault and check that every row is there, authentic and in its
        place. Locks are short: others may write meanwhile."""
        position, chain = 0, NO_CHAIN
        with self._connect() as db:
            if [row[0] for row in db.execute("PRAGMA integrity_check(1)")] != ["ok"]:
                raise self._damaged()
            while True:
                db.execute("BEGIN")
                count, wanted = self._head(db)
                keys = self._get_keys()
                rows = db.execute(
                    f"SELECT {_COLUMNS} FROM rows WHERE seq > ? ORDER BY seq LIMIT ?",
                    (position, PAGE),
                ).fetchall()
                db.execute("COMMIT")
                for values in rows:
                    position += 1
                    if values[0] != position:
                        raise self._damaged(position)
                    # Decrypting finds out which row it is that was changed.
                    row = self._unseal(values)
                    if _hashes(keys, row) != values[2:5]:
                        raise self._damaged(position)
                    chain = _link(keys, chain, values)
                if len(rows) < PAGE:
                    if position != count or not hmac.compare_digest(chain, wanted):
                        raise self._damaged()
                    return count

    def find(self, *, doc: str | None = None, text: bytes | None = None) -> list[Row]:
        """Documents by their id or by their text.

        doc (str): The id after de-identification.
        text (bytes): Hash of the de-identified text.
        RETURNS (list[Row]): In the order in which they came in.
        """
        with self._connect() as db:
            self._head(db)
            index = self._get_keys().lookup
            if text is not None:
                column, value = "text", _hash(index, b"text", text)
            else:
                name = (doc or "").encode("utf-8", "surrogatepass")
                column, value = "doc", _hash(index, b"doc", name)
            rows = db.execute(
                f"SELECT {_COLUMNS} FROM rows WHERE {column} = ? AND kind = ? "
                "ORDER BY seq",
                (value, DOC),
            ).fetchall()
            return [self._read(values) for values in rows]

    def get(self, seq: int) -> Row:
        """One row by its number."""
        with self._connect() as db:
            self._head(db)
            sql = f"SELECT {_COLUMNS} FROM rows WHERE seq = ?"
            values = db.execute(sql, (seq,)).fetchone()
            if values is None:
                raise self._damaged(seq)
            return self._read(values)

    def read_all(self, kind: int = DOC) -> Iterator[Row]:
        """All rows of a kind, in the order in which they came in."""
        position = 0
        while True:
            with self._connect() as db:
                self._head(db)
                rows = db.execute(
                    f"SELECT {_COLUMNS} FROM rows WHERE seq > ? AND kind = ? "
                    "ORDER BY seq LIMIT ?",
                    (position, kind, PAGE),
                ).fetchall()
            for values in rows:
                yield self._read(values)
            if len(rows) < PAGE:
                return
            position = rows[-1][0]

    def change_key(self, new_key: str) -> int:
        """Encrypt everything anew under another secret key, with another salt and id,
        in one transaction: after a crash the vault has the old key or the new one.

        new_key (str): The new secret key.
        RETURNS (int): Number of rows.
        RAISES (VaultError, OSError): If the vault is damaged or cannot be written.
        """
        if not new_key:
            raise VaultError(f"{self.path}: a vault needs a secret key")
        self.verify()
        salt = os.urandom(32)
        keys = _derive(new_key, os.urandom(16), salt, KDF)
        with self._connect() as db:
            db.execute("BEGIN IMMEDIATE")
            count, _ = self._head(db)
            chain = NO_CHAIN
            sql = f"SELECT {_COLUMNS} FROM rows WHERE seq = ?"
            for seq in range(1, count + 1):
                values = db.execute(sql, (seq,)).fetchone()
                if values is None:
                    raise self._damaged(seq)
                sealed, chain = _seal(keys, chain, seq, self._unseal(values))
                db.execute("DELETE FROM rows WHERE seq = ?", (seq,))
                db.execute(_INSERT, sealed)
            self._write_header(db, keys, salt, count, chain)
            db.execute("COMMIT")
        self._key, self._keys = new_key, keys
        return count

    # Opening and making the file

    @contextlib.contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        try:
            if not self.path.is_file():
                raise VaultError(f"{self.path}: the vault is gone, or is not a file")
            if not self.path.stat().st_size:
                raise VaultError(f"{self.path}: the file is empty, not a vault")
            uri = self.path.resolve().as_uri() + "?mode=rw"
            db = sqlite3.connect(
                uri, uri=True, timeout=LOCK_SECONDS, isolation_level=None
            )
            try:
                # A schema that somebody changed must not run code of theirs.
                db.execute("PRAGMA trusted_schema = OFF")
                db.execute("PRAGMA cell_size_check = ON")
                db.execute("PRAGMA secure_delete = ON")
                db.execute("PRAGMA synchronous = EXTRA")
                self._identify(db)
                yield db
            finally:
                # Closing rolls back what was not committed.
                db.close()
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
            raise VaultError(
                f"{self.path}: a vault of {age} format ({version}; this release reads "
                f"{VERSION}); restore with the release that wrote it, and write to a "
                "new vault"
            )
        schema = [
            row[0] for row in db.execute("SELECT sql FROM sqlite_master") if row[0]
        ]
        if sorted(schema) != sorted(SCHEMA):
            raise self._damaged()

    def _explain(self, error: sqlite3.Error) -> Exception:
        """One line for an error of SQLite."""
        name = getattr(error, "sqlite_errorname", "") or ""
        message = str(error)
        if name == "SQLITE_FULL" or "is full" in message:
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        if name.startswith("SQLITE_IOERR") or "disk I/O" in message:
            return VaultError(
                f"{self.path}: the disk refuses to read or write the vault (a full disk, "
                "a limit or a fault); nothing is lost: run the same command again when "
                "that is solved"
            )
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) or "locked" in message:
            return VaultError(
                f"{self.path}: another process keeps the vault locked (waited "
                f"{LOCK_SECONDS:.0f} s); run the same command again"
            )
        if name.startswith("SQLITE_NOTADB") or "not a database" in message:
            return VaultError(f"{self.path}: not a vault, or its beginning is damaged")
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            return VaultError(
                f"{self.path}: the vault cannot be opened for writing; check the "
                "permissions of the file and of its folder"
            )
        return self._damaged()

    def _damaged(self, seq: int | None = None) -> VaultError:
        place = f" (row {seq})" if seq is not None else ""
        return VaultError(
            f"{self.path}: the vault was damaged or tampered with{place}; nothing was "
            "restored from it or added to it; use a copy from a backup"
        )

    def _create(self) -> None:
        """Make an empty vault that appears whole, or take the one that another process
        has made in the meantime."""
        journal = self.path.with_name(self.path.name + "-journal")
        if journal.exists():
            raise VaultError(
                f"{self.path}: the vault is gone but its journal is there; put both "
                "back from a backup, or remove the journal to start a new vault"
            )
        salt, vault = os.urandom(32), os.urandom(16)
        keys = _derive(self._key, vault, salt, KDF)
        part = self.path.with_name(f"{self.path.name}.{secrets.token_hex(8)}.part")
        try:
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            try:
                self._fill(part, keys, salt)
                self._place(part)
            finally:
                part.unlink(missing_ok=True)
                part.with_name(part.name + "-journal").unlink(missing_ok=True)
        except sqlite3.Error as error:
            raise self._explain(error) from None

    def _fill(self, part: Path, keys: _Keys, salt: bytes) -> None:
        db = sqlite3.connect(part, isolation_level=None)
        try:
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("PRAGMA synchronous = EXTRA")
            db.execute("BEGIN")
            for statement in SCHEMA:
                db.execute(statement)
            self._write_header(db, keys, salt, 0, NO_CHAIN)
            db.execute("COMMIT")
        finally:
            db.close()

    @staticmethod
    def _write_header(
        db: sqlite3.Connection, keys: _Keys, salt: bytes, count: int, chain: bytes
    ) -> None:
        values = {
            "vault": keys.vault,
            "salt": salt,
            "kdf": json.dumps(KDF, sort_keys=True).encode(),
            "check": keys.check,
        }
        db.executemany(
            "INSERT OR REPLACE INTO header (name, value) VALUES (?, ?)", values.items()
        )
        _write_head(db, keys, count, chain)

    def _place(self, part: Path) -> None:
        """Give a file its name unless the name is taken."""
        try:
            os.link(part, self.path)
        except FileExistsError:
            return
        except OSError:
            # A file system without links.
            if not self.path.exists():
                os.rename(part, self.path)
        with contextlib.suppress(OSError):
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    # Keys, head and rows

    def _get_keys(self) -> _Keys:
        assert self._keys is not None
        return self._keys

    def _head(self, db: sqlite3.Connection) -> tuple[int, bytes]:
        """Number of rows and last link of the chain; checks the key and that the file
        is still the same vault."""
        header = dict(db.execute("SELECT name, value FROM header"))
        if set(header) != {"vault", "salt", "kdf", "check", "head"} or not all(
            isinstance(value, bytes) for value in header.values()
        ):
            raise self._damaged()
        vault = header["vault"]
        if self._keys is None:
            keys = _derive(self._key, vault, header["salt"], self._kdf(header["kdf"]))
            if not hmac.compare_digest(keys.check, header["check"]):
                raise VaultError(
                    f"{self.path}: the key is not the one of this vault (or the "
                    "vault's header was changed); nothing was read or written"
                )
            self._keys = keys
        keys = self._keys
        if vault != keys.vault or header["check"] != keys.check:
            raise VaultError(f"{self.path}: another vault has taken this one's place")
        plain = self._decrypt(header["head"], b"head" + keys.vault)
        if len(plain) != _HEAD.size:
            raise self._damaged()
        count, chain = _HEAD.unpack(plain)
        (first,) = db.execute("SELECT min(seq) FROM rows").fetchone()
        (last,) = db.execute("SELECT max(seq) FROM rows").fetchone()
        if (first, last) != ((1, count) if count else (None, None)):
            raise self._damaged()
        return count, chain

    def _kdf(self, raw: bytes) -> dict[str, int]:
        try:
            kdf = json.loads(raw)
            n, r, p = kdf["n"], kdf["r"], kdf["p"]
            fits = (
                all(type(x) is int and x > 0 for x in (n, r, p))
                and 128 * n * r <= MAX_KDF_MEMORY
                and p <= MAX_KDF_P
                and n > 1
                and not n & (n - 1)
            )
        except (ValueError, KeyError, TypeError):
            fits = False
        if not fits:
            raise self._damaged()
        return {"n": n, "r": r, "p": p}

    def _unseal(self, values: tuple) -> NewRow:
        """A row as it was given to `add`, if it is authentic."""
        seq, kind, *blobs = values
        if (
            not isinstance(kind, int)
            or not 0 <= kind <= 255
            or not all(isinstance(blob, bytes) for blob in blobs)
            or any(len(blob) != HASH for blob in blobs[:3])
        ):
            raise self._damaged(seq)
        keys = self._get_keys()
        plain = self._decrypt(blobs[3], _aad(keys, values), seq)
        ordinal, *sizes = _SIZES.unpack_from(plain)
        position = _SIZES.size
        parts = []
        for size in sizes:
            parts.append(plain[position : position + size])
            position += size
        doc, text, digest, data = parts
        name = doc.decode("utf-8", "surrogatepass")
        return NewRow(kind, name, text, data, digest, ordinal)

    def _read(self, values: tuple) -> Row:
        row = self._unseal(values)
        return Row(values[0], row.ordinal, row.data)

    def _decrypt(self, data: bytes, outside: bytes, seq: int | None = None) -> bytes:
        from cryptography.exceptions import InvalidTag

        try:
            return self._get_keys().rows.decrypt(data[:NONCE], data[NONCE:], outside)
        except (InvalidTag, ValueError):
            raise self._damaged(seq) from None


def _derive(key: str, vault: bytes, salt: bytes, kdf: dict[str, int]) -> _Keys:
    """The vault's keys. The file's id, version and parameters go in, so that a file
    whose header was changed has no key that fits."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    except ImportError:
        raise VaultError(
            "a vault needs the package cryptography: pip install cryptography"
        ) from None
    n, r, p = kdf["n"], kdf["r"], kdf["p"]
    master = hashlib.scrypt(
        key.encode("utf-8", "surrogateescape"),
        salt=salt,
        n=n,
        r=r,
        p=p,
        # What it needs and something for itself.
        maxmem=128 * r * (n + p + 2) + 2**20,
        dklen=32,
    )
    info = b"spacy_deid vault %d %d %d %d " % (VERSION, n, r, p) + vault
    # Any tamperer can read the check; it says nothing about the other three.
    derived = HKDF(SHA256(), 4 * 32, None, info).derive(master)
    rows, index, chain, check = (derived[i : i + 32] for i in range(0, 128, 32))
    return _Keys(AESGCM(rows), index, chain, check, vault)


def _hash(key: bytes, *parts: bytes) -> bytes:
    """A keyed hash of a few strings, 16 bytes."""
    code = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        code.update(struct.pack(">Q", len(part)) + part)
    return code.digest()[:HASH]


def _record_hash(keys: _Keys, row: NewRow) -> bytes:
    """Equal for rows of which one is enough."""
    place = struct.pack(">BQ", row.kind, row.ordinal)
    return _hash(keys.lookup, b"record", place, _name(row), row.text, row.digest)


def _hashes(keys: _Keys, row: NewRow) -> tuple[bytes, bytes, bytes]:
    return (
        _hash(keys.lookup, b"doc", _name(row)),
        _hash(keys.lookup, b"text", row.text),
        _record_hash(keys, row),
    )


def _name(row: NewRow) -> bytes:
    return row.doc.encode("utf-8", "surrogatepass")


def _aad(keys: _Keys, values: tuple) -> bytes:
    """What is authenticated with a row though it is not encrypted."""
    return keys.vault + struct.pack(">qB", *values[:2]) + b"".join(values[2:5])


def _seal(keys: _Keys, chain: bytes, seq: int, row: NewRow) -> tuple[tuple, bytes]:
    """A row as it is in the file, and the next link of the chain."""
    parts = (_name(row), row.text, row.digest, row.data)
    plain = _SIZES.pack(row.ordinal, *map(len, parts)) + b"".join(parts)
    plain += b"\0" * (-len(plain) % PAD)
    head = (seq, row.kind, *_hashes(keys, row))
    nonce = os.urandom(NONCE)
    values = (*head, nonce + keys.rows.encrypt(nonce, plain, _aad(keys, head)))
    return values, _link(keys, chain, values)


def _link(keys: _Keys, chain: bytes, values: tuple) -> bytes:
    outside = hashlib.sha256(_aad(keys, values)).digest()
    inside = hashlib.sha256(values[5]).digest()
    return hmac.new(keys.chain, chain + outside + inside, hashlib.sha256).digest()


def _write_head(db: sqlite3.Connection, keys: _Keys, count: int, chain: bytes) -> None:
    nonce = os.urandom(NONCE)
    head = keys.rows.encrypt(nonce, _HEAD.pack(count, chain), b"head" + keys.vault)
    db.execute(
        "INSERT OR REPLACE INTO header (name, value) VALUES ('head', ?)",
        (nonce + head,),
    )
