"""A polite client of a SPARQL endpoint: one connection, one query at a time, patience,
and every answer kept on the disk."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import itertools
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import ijson

from ...http import Answer, Client, HttpError
from .values import atomic_file

FORMAT = "application/sparql-results+json"
USER_AGENT_HELP = (
    "services such as Wikidata's ask every program to say who runs it, so that they "
    "can write to you before they block you: give a User-Agent with an e-mail address "
    "or the address of a page about you, such as "
    "'MyProject/1.0 (https://example.org/bot; me@example.org)'"
)
# Names that libraries give themselves: they say nothing about who asks.
_CLIENT = re.compile(r"(?i)(python|requests|urllib|aiohttp|httpx|curl|wget|java)\b\S*$")
_SLOW = re.compile(r"(?i)time-?\s?out|timed out|time limit|deadline|too long|cancelled")
# Then it is not the query.
_DOWN = re.compile(r"(?i)upstream|backend|connect|maintenance|overload")
# In an answer cut short, among data: only what no label says.
_SLOW_TAIL = re.compile(
    r"(?:Timeout|QueryInterrupted)Exception|Query deadline|Operation timed out"
)
_CHUNK = 1 << 16
# An answer this long may be too long for something on the way.
_LONG = 1 << 20
_FIRST_WAIT = 2.0
# How long Wikimedia asks to stop for when it gives no time itself.
_THROTTLED_WAIT = 60.0
# Of the time limit: what the service may take, the rest is for the way of the answer.
_SERVICE_SHARE = 0.9
_AGAIN_LATER = (
    "What came so far is kept in the cache: run the same command again later to ask "
    "only for the rest"
)


class SparqlError(Exception):
    """The endpoint gives no usable answer; the message says what can be done."""


class QueryTooSlow(Exception):
    """A query has to be split: it took longer than the time limit, or its answer never
    arrived as a whole. The message says why."""


class Cell(NamedTuple):
    """One cell of an answer.

    type (str): `uri`, `literal` or `bnode`.
    value (str): The IRI or text.
    tag (str): Language of a literal in lower case, or its data type, or "".
    """

    type: str
    value: str
    tag: str


Row = list[Cell | None]


def check_user_agent(text: str | None) -> str:
    """A User-Agent that says who asks.

    text (Optional[str]): What the user gave.
    RETURNS (str): It, without blanks around.
    RAISES (ValueError): If it is missing or a library's own.
    """
    text = (text or "").strip()
    if not text:
        raise ValueError(f"no User-Agent: {USER_AGENT_HELP}")
    if not text.isprintable() or not text.isascii():
        raise ValueError("the User-Agent may only have printable ASCII characters")
    if _CLIENT.match(text):
        raise ValueError(f"the User-Agent is a library's own: {USER_AGENT_HELP}")
    return text


def names_contact(user_agent: str) -> bool:
    """Whether there is an address in a User-Agent."""
    return bool(re.search(r"@|https?://|User:", user_agent))


class _Body:
    """A body to read from, which remembers how it ended."""

    def __init__(self, chunks: Iterable[bytes]):
        self.chunks = iter(chunks)
        self.end = b""
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        """The next piece, of any size; none if none is asked for."""
        chunk = next(self.chunks, b"") if size else b""
        self.size += len(chunk)
        self.end = (self.end + chunk)[-_CHUNK:]
        return chunk

    def tells_slow(self) -> bool:
        """Whether what came in the place of rows, or after some, says that the query
        took too long."""
        with contextlib.suppress(HttpError):
            # The rest of a long message may not have been read yet.
            for _ in itertools.islice(iter(lambda: self.read(1), b""), 100):
                pass
        text = self.end.decode("utf8", "replace")
        no_rows = self.size == len(self.end) and '"bindings"' not in text
        return bool(_SLOW_TAIL.search(text)) or (no_rows and _tells_slow(text))


def _tells_slow(text: str) -> bool:
    """Whether an error message says that a query took too long."""
    slow = _SLOW.search(text) and not _DOWN.search(text)
    return bool(slow or _SLOW_TAIL.search(text))


def read_bindings(chunks: Iterable[bytes] | _Body) -> Iterator[dict[str, Any]]:
    """Rows of an answer in SPARQL's JSON format, as they come in. The answer is only
    good if this ends without an error.

    chunks (Iterable[bytes]): The answer, cut anywhere.
    YIELDS (dict[str, Any]): One row each.
    RAISES (ValueError): If it is not the whole of such an answer.
    """
    body = chunks if isinstance(chunks, _Body) else _Body(chunks)
    seen: set[tuple[str, str]] = set()

    def events() -> Iterator[tuple[str, str, Any]]:
        for prefix, event, value in ijson.parse(body):
            if prefix in ("error", "exception"):
                raise ValueError("an error message after rows")
            seen.add((prefix, event))
            yield prefix, event, value

    try:
        for row in ijson.items(events(), "results.bindings.item"):
            if not isinstance(row, dict):
                raise ValueError("a row is no object")
            yield row
    except ijson.JSONError as error:
        raise ValueError(f"cut off or broken: {type(error).__name__}") from None
    if ("results.bindings", "start_array") not in seen:
        raise ValueError("without rows" if body.size else "empty")


def _to_rows(chunks: _Body, names: tuple[str, ...]) -> Iterator[list[list[str] | None]]:
    """Rows of an answer; a ValueError if it is none."""
    for row in read_bindings(chunks):
        cells = row.values()
        if not all(isinstance(c, dict) and {"type", "value"} <= set(c) for c in cells):
            raise ValueError("with a cell without type or value")
        yield [_to_cell(row[name]) if name in row else None for name in names]


def _to_cell(cell: dict[str, Any]) -> list[str]:
    tag = (cell.get("xml:lang") or "").lower() or cell.get("datatype") or ""
    kind = "literal" if cell["type"] == "typed-literal" else cell["type"]
    return [kind, str(cell["value"]), tag]


class AnswerCache:
    """Finished answers in a folder, one file each.

    folder (Path): The folder; made when it is needed.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def _path(self, key: str, suffix: str) -> Path:
        return self.folder / f"{key}{suffix}"

    def read(self, key: str) -> tuple[dict[str, Any], Path] | None:
        """The header of an answer that is there and whole, and where its rows are."""
        path = self._path(key, ".jsonl.gz")
        try:
            with gzip.open(path, "rt", encoding="utf8") as file:
                header = json.loads(file.readline())
                last, rows = "", -1
                for line in file:
                    last = line
                    rows += 1
        except (OSError, EOFError, ValueError):
            return None
        # The last line counts the rows: it is missing in a broken file.
        return (header, path) if last.strip() == json.dumps({"rows": rows}) else None

    def rows(self, path: Path) -> Iterator[Row]:
        """The rows of an answer, given what `read` gave."""
        with gzip.open(path, "rt", encoding="utf8") as file:
            next(file)
            for line in file:
                row = json.loads(line)
                if isinstance(row, list):
                    yield [cell and Cell(*cell) for cell in row]

    def write(self, key: str, header: dict[str, Any], rows: Iterable[list]) -> None:
        """Keep an answer, once all its rows have come."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (
            atomic_file(self._path(key, ".jsonl.gz")) as raw,
            gzip.GzipFile("", "wb", 6, raw, mtime=0) as file,
        ):
            file.write(_dump(header))
            n = 0
            for row in rows:
                file.write(_dump(row))
                n += 1
            file.write(_dump({"rows": n}))

    def was_slow(self, key: str, seconds: float) -> bool:
        """Whether a query has already taken longer than this."""
        try:
            return float(self._path(key, ".slow").read_text()) >= seconds
        except (OSError, ValueError):
            return False

    def set_slow(self, key: str, seconds: float) -> None:
        """Remember that a query took too long, so that the next run splits it at once."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with atomic_file(self._path(key, ".slow")) as file:
            file.write(str(seconds).encode())


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf8") + b"\n"


class SparqlClient:
    """Asks an endpoint, or the cache.

    endpoint (str): Its URL.
    user_agent (str): Who asks; see `check_user_agent`.
    cache (AnswerCache): Where answers are kept.
    timeout (float): Seconds a query may take until it has to be split.
    delay (float): Seconds between two queries.
    max_tries (int): How often a query is tried.
    max_wait (float): If the service asks for a longer pause, we stop.
    sleep (Callable[[float], None]): Waits.
    RAISES (ValueError): If the endpoint or the User-Agent won't do.
    """

    def __init__(
        self,
        endpoint: str,
        user_agent: str | None,
        cache: AnswerCache,
        *,
        # A little more than Wikidata's own limit of 60 seconds.
        timeout: float = 65.0,
        delay: float = 0.5,
        max_tries: int = 8,
        max_wait: float = 900.0,
        sleep: Callable[[float], None] = time.sleep,
    ):
        self.endpoint = endpoint
        agent = check_user_agent(user_agent)
        if not re.match(r"https?://[^/\s]+", endpoint):
            raise ValueError(
                f"'{endpoint}' is not the address of an endpoint, such as "
                "https://query.wikidata.org/sparql"
            )
        if timeout <= 0 or delay < 0 or max_tries < 1:
            raise ValueError("time limit and tries have to be positive")
        self.cache, self.timeout, self.delay = cache, timeout, delay
        self.sleep = sleep
        # Told of a pause, with its reason.
        self.on_wait: Callable[[float, str], None] | None = None
        most = timeout * _SERVICE_SHARE * 1000
        self.client = Client(
            user_agent=agent,
            accept=FORMAT,
            # What Blazegraph, Wikidata's engine, understands.
            headers={"X-BIGDATA-MAX-QUERY-MILLIS": str(max(1, int(most)))},
            timeout=timeout,
            tries=max_tries,
            first_wait=_FIRST_WAIT,
            max_wait=max_wait,
            retry_slow=False,
            pace=self._pace,
            hold=self._hold,
        )
        self.requests = self.cached = 0
        self.oldest = ""
        # Queries that were too slow, with no answer to any other since.
        self.slow: list[str] = []

    def close(self) -> None:
        """End the connection."""
        self.client.close()

    def _pace(self) -> None:
        if self.requests:
            self.sleep(self.delay)
        self.requests += 1

    def _hold(self, seconds: float, reason: str) -> None:
        if self.on_wait is not None:
            self.on_wait(seconds, reason)
        self.sleep(seconds)

    def ask(self, query: str, names: tuple[str, ...], what: str) -> Iterator[Row]:
        """The answer to a query, whole.

        query (str): SPARQL.
        names (tuple[str, ...]): The variables, in the order of the cells.
        what (str): What is asked for, for messages.
        RETURNS (Iterator[Row]): The rows.
        RAISES (QueryTooSlow): If it takes longer than the time limit.
        RAISES (SparqlError): If there is no good answer after all tries.
        """
        key = hashlib.sha256(f"{self.endpoint}\n{query}".encode()).hexdigest()[:40]
        if (found := self.cache.read(key)) is None:
            self._fetch(key, query, names, what)
            if (found := self.cache.read(key)) is None:
                raise SparqlError(f"{self.cache.folder}: what is kept can't be read")
        else:
            self.cached += 1
        header, path = found
        date = header.get("date") or ""
        self.oldest = min(filter(None, (self.oldest, date)), default="")
        return self.cache.rows(path)

    def _fetch(self, key: str, query: str, names: tuple[str, ...], what: str) -> None:
        """Ask, and keep the answer."""
        if self.cache.was_slow(key, self.timeout):
            raise QueryTooSlow(f"no answer within {self.timeout:g} s")
        header = {
            "endpoint": self.endpoint,
            "query": query,
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }

        def read(answer: Answer) -> None:
            self._store(answer, key, header, names)

        try:
            self.client.ask("POST", self.endpoint, {"query": query}, read)
        except HttpError as error:
            cut = isinstance(error, _CutOff)
            if error.slow or cut:
                # What was cut off may come whole the next time.
                if not cut:
                    self.slow.append(key)
                raise QueryTooSlow(error.reason) from error
            raise SparqlError(self._explain(error, what)) from error
        # Only now: while a service is down, each and every query is slow.
        while self.slow:
            self.cache.set_slow(self.slow.pop(), self.timeout)

    def _store(
        self, answer: Answer, key: str, header: dict[str, Any], names: tuple[str, ...]
    ) -> None:
        body = _Body(answer.chunks())
        if answer.status != 200:
            self._refuse(answer, body)
        reason = ""
        try:
            self.cache.write(key, header, _to_rows(body, names))
        except HttpError as error:
            if error.slow or body.size < _LONG:
                raise
            reason = error.reason
        except (ValueError, RecursionError) as error:
            reason = f"HTTP 200, but the answer is {error}"
        if not reason:
            return
        if body.tells_slow():
            raise self._too_slow()
        raise (_CutOff if body.size >= _LONG else HttpError)(reason)

    def _refuse(self, answer: Answer, body: _Body) -> None:
        """What another status than 200 means."""
        text = ""
        with contextlib.suppress(HttpError):
            text = body.read().decode("utf8", "replace")
        asked = answer.headers.get("Retry-After")
        # Part of the rows only; or a proxy that lost its patience.
        if not asked and (answer.status in (206, 504, 524) or _tells_slow(text)):
            raise self._too_slow()
        try:
            answer.check()
        except HttpError as error:
            if error.status == 429 and error.wait is None:
                error.wait = _THROTTLED_WAIT
            raise

    def _too_slow(self) -> HttpError:
        return HttpError(f"no answer within {self.timeout:g} s", slow=True)

    def _explain(self, error: HttpError, what: str) -> str:
        """The message for the user."""
        start = f"{self.endpoint}, {what}: "
        if error.location:
            moved = f"the endpoint has moved to {error.location}"
            return f"{start}{moved}. Use that address"
        if error.again:
            times = "one try" if error.tries == 1 else f"{error.tries} tries"
            start += f"no good answer after {times}: "
            return f"{start}{error.reason}. {_AGAIN_LATER}"
        if error.status in (401, 403):
            return (
                f"{start}{error.reason}, access refused. Check the User-Agent: "
                f"{USER_AGENT_HELP}"
            )
        return (
            f"{start}{error.reason}. Check that this is the address of a SPARQL 1.1 "
            "endpoint that takes queries by POST"
        )


class _CutOff(HttpError):
    """A long answer that did not arrive whole: after the last try, to be split."""
