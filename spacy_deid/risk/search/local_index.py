"""The search back end that needs no network: a full-text index of the user's own
background documents, in one SQLite file."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from pathlib import Path

from ...registries import registry
from ...text.names import fold
from .base import Connected, SearchResult, page_key

# "spid", and what changes when older indexes cannot be read any more.
APPLICATION_ID, VERSION = 0x73706964, 1
BUILD = "build it with `python -m spacy deid index DOCUMENTS.jsonl INDEX.sqlite`"
# Scripts without spaces between words: each character is indexed as a word, so that
# phrases are found wherever they begin.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff])"
)
# A title says what a page is about: its words count so many times.
_TITLE_WEIGHT = 4.0
# Documents written together.
_BATCH = 1000
_MERGE_PAGES = 2000
# The texts themselves are not kept: an index has words, their places and addresses.
_SCHEMA = f"""
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE documents (id INTEGER PRIMARY KEY, url TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (
    title, text, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO words (words, rank) VALUES ('rank', 'bm25({_TITLE_WEIGHT}, 1.0)');
CREATE TEMP TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID;
"""
_COUNT = "SELECT count(*) FROM words WHERE words MATCH ?"
_BEST = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank, rowid"
_URL = "SELECT url FROM documents WHERE id = ?"


def index_form(text: str) -> str:
    """A text as it is indexed and asked for."""
    text = fold(text).replace("\0", " ")
    if text.isascii():
        return text
    # Half of a surrogate pair cannot be stored.
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _UNSPACED.sub(r" \1 ", text)


class IndexWriter:
    """Builds an index in a file that is there and empty.

    path (Path): The file. What is written before `finish` is no index yet: give it
        its name afterwards.
    RAISES (ValueError): If this Python's SQLite has no full-text search.
    """

    def __init__(self, path: Path) -> None:
        self.documents = 0
        self._words: list[tuple[int, str, str]] = []
        self._urls: list[tuple[int, str]] = []
        # Its own file locks are none of another process: see `PartFile`.
        self._db = sqlite3.connect(path, isolation_level=None)
        try:
            self._db.executescript(_SCHEMA)
        except sqlite3.OperationalError as error:
            self._db.close()
            raise _no_full_text(error) from None
        self._db.execute("BEGIN")

    def add(self, url: str, title: str, text: str, key: str | None = None) -> bool:
        """Add a document."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (page_key(url if key is None else key), title, text):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        new = "INSERT OR IGNORE INTO seen VALUES (?)"
        if not self._db.execute(new, (digest.digest(),)).rowcount:
            return False
        self.documents += 1
        self._urls.append((self.documents, url))
        self._words.append((self.documents, index_form(title), index_form(text)))
        if len(self._urls) >= _BATCH:
            self._flush()
        return True

    def _flush(self) -> None:
        self._db.executemany("INSERT INTO documents VALUES (?, ?)", self._urls)
        words = "INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)"
        self._db.executemany(words, self._words)
        self._urls.clear()
        self._words.clear()

    def finish(self) -> None:
        """Write what is left and merge the index into one piece."""
        self._flush()
        # Like 'optimize', in steps between which the user can interrupt it.
        merge = "INSERT INTO words (words, rank) VALUES ('merge', ?)"
        self._db.execute(merge, (-_MERGE_PAGES,))
        done = False
        while not done:
            before = self._db.total_changes
            self._db.execute(merge, (_MERGE_PAGES,))
            # As documented: fewer than two changes, nothing left to merge.
            done = self._db.total_changes - before < 2
        self._db.execute("COMMIT")
        self._db.close()

    def close(self) -> None:
        """Give up."""
        self._db.close()


def _no_full_text(error: sqlite3.Error) -> Exception:
    if "fts5" in str(error):
        problem = "SQLite was built without full-text search (FTS5) for this Python"
        return ValueError(f"{problem}; use a Python that has it")
    return error


@registry.deid_search("spacy_deid.local_index.v1")
class LocalIndex(Connected):
    """Searches an index.

    path (Union[str, Path]): A file that `spacy deid index` wrote. It is opened when
        it is first needed.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        if not str(path).strip():
            raise ValueError(f"the local index needs 'path': {BUILD}")
        self.path = str(path)
        self.name = "local_index"
        self.unit = "document"

    def open(self) -> sqlite3.Connection:
        """
        RETURNS (sqlite3.Connection): The index, to read only. RAISES (ValueError):
                If it is not there, or is no index.
        """
        if not (path := Path(self.path)).is_file():
            raise ValueError(f"{path}: there is no such index; {BUILD}")
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            (made_by,) = db.execute("PRAGMA application_id").fetchone()
            (version,) = db.execute("PRAGMA user_version").fetchone()
            known = made_by == APPLICATION_ID and version == VERSION
            if known:
                db.execute("SELECT rowid FROM words LIMIT 1").fetchone()
        except sqlite3.Error as error:
            db.close()
            if "fts5" in str(error):
                raise _no_full_text(error) from None
            raise ValueError(f"{path}: not an index, or damaged; {BUILD}") from None
        if not known:
            db.close()
            raise ValueError(f"{path}: not an index of this version; {BUILD}")
        return db

    def search(self, phrase: str, top: int) -> SearchResult:
        """See `SearchBackend`; hits are counted exactly."""
        words = index_form(phrase).replace('"', " ")
        query = f'"{words}"'
        db = self.connection()
        urls: dict[str, str] = {}
        failed = False
        try:
            (hits,) = db.execute(_COUNT, (query,)).fetchone()
            if hits and top:
                for row in db.execute(_BEST, (query,)):
                    (url,) = db.execute(_URL, row).fetchone()
                    # Parts of one page share its address.
                    urls.setdefault(page_key(url), url)
                    if len(urls) >= top:
                        break
        except (sqlite3.Error, TypeError):
            failed = True
        if failed:
            self.close()
            raise ValueError(f"{self.path}: the index is damaged; {BUILD}")
        return SearchResult(tuple(urls.values()), hits)

    def __repr__(self) -> str:
        return f"LocalIndex({os.path.basename(self.path)!r})"
