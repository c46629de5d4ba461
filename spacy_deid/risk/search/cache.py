"""Answers of search engines kept on the disk, unreadable without the key."""

from __future__ import annotations

import hmac
import json
import os
import sqlite3
import time
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from .base import Connected, SearchError, SearchResult

_DAY = 86_400.0
_NONCE = 12
_PATIENCE = 60.0  # seconds to wait for another process that writes
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, at REAL, answer BLOB);
"""


class AnswerCache(Connected):
    """What was found for phrases, in a SQLite file of mode 0600.

    A phrase is stored as its HMAC-SHA256, what was found for it (addresses may hold
    names) with AES-GCM; both keys are derived from one secret.

    path (Union[str, Path]): The file; made when it is needed.
    key_env (str): Name of the environment variable that holds the secret.
    days (float): How long an answer is good.
    RAISES (ValueError): If a setting won't do.
    """

    def __init__(self, path: str | Path, key_env: str, days: float) -> None:
        super().__init__()
        if not key_env:
            raise ValueError("a cache of searches needs 'cache_key_env'")
        if not days > 0:
            raise ValueError(f"cache_days must be positive, not {days:g}")
        self.path = str(path)
        self.key_env = key_env
        self.days = days

    def _secret(self, purpose: str) -> bytes:
        if not (secret := os.environ.get(self.key_env, "")):
            setting = f"'{self.key_env}' (setting 'cache_key_env')"
            problem = f"the environment variable {setting} is not set or empty"
            raise ValueError(f"{problem}: it should hold the secret key of the cache")
        label = f"spacy_deid search cache: {purpose}".encode()
        return hmac.digest(secret.encode("utf8"), label, "sha256")

    def _digest(self, *parts: str) -> bytes:
        message = "\0".join(parts).encode("utf-8", "surrogatepass")
        return hmac.digest(self._secret("phrases"), message, "sha256")

    def _cipher(self) -> AESGCM:
        return AESGCM(self._secret("answers"))

    def open(self) -> sqlite3.Connection:
        """
        RETURNS (sqlite3.Connection): The file, made if it is not there. RAISES
                (SearchError): If it cannot be used.
        """
        path = Path(self.path)
        problem = ""
        try:
            # SQLite gives its temporary files the mode of this one.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            path.chmod(0o600)
            db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
            try:
                db.execute("PRAGMA secure_delete = ON")
                db.executescript(_SCHEMA)
                old = time.time() - self.days * _DAY
                db.execute("DELETE FROM answers WHERE at < ?", (old,))
            except BaseException:
                db.close()
                raise
            return db
        except OSError as error:
            problem = os.strerror(error.errno or 0)
        except sqlite3.DatabaseError as error:
            problem = f"{error}; if it is damaged, delete it"
        raise SearchError(f"{path}: the cache of searches cannot be used: {problem}")

    def get(self, engine: str, phrase: str, top: int) -> SearchResult | None:
        """What was found before."""
        key = self._digest(engine, phrase)
        rows = self._run("SELECT at, answer FROM answers WHERE key = ?", (key,))
        if not rows:
            return None
        at, sealed = rows[0]
        if not time.time() - self.days * _DAY <= at:
            return None
        try:
            plain = self._cipher().decrypt(sealed[:_NONCE], sealed[_NONCE:], key)
        except (InvalidTag, ValueError):
            # Damaged: asked again.
            return None
        if (kept := json.loads(plain))["top"] < top:
            return None
        return SearchResult(tuple(kept["urls"][:top]), kept["hits"])

    def put(self, engine: str, phrase: str, top: int, result: SearchResult) -> None:
        """Keep an answer."""
        key = self._digest(engine, phrase)
        kept = {"top": top, "urls": result.urls, "hits": result.hits}
        nonce = os.urandom(_NONCE)
        plain = json.dumps(kept).encode("utf8")
        sealed = nonce + self._cipher().encrypt(nonce, plain, key)
        sql = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)"
        self._run(sql, (key, time.time(), sealed))

    def _run(self, sql: str, values: tuple | dict = ()) -> list[tuple]:
        db = self.connection()
        problem = ""
        try:
            return db.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            # SQLite's messages say nothing of the values.
            problem = str(error)
        self.close()
        what = f"{self.path}: the cache of searches cannot be used"
        raise SearchError(f"{what}: {problem}; if it is damaged, delete it")
