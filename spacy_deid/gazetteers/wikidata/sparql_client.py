"""A polite client of a SPARQL endpoint: one connection, one query at a time, patience,
and every answer kept on the disk."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import hashlib
import itertools
import json
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...about import __version__
from .values import atomic_file

if TYPE_CHECKING:
    import requests

FORMAT = "application/sparql-results+json"
USER_AGENT_HELP = (
    "services such as Wikidata's ask every program to say who runs it, so that they "
    "can write to you before they block you: give a User-Agent with an e-mail address "
    "or the address of a page about you, such as "
    "'MyProject/1.0 (https://example.org/bot; me@example.org)'"
)
# Names that libraries give themselves: they say nothing about who asks.
_LIBRARY = re.compile(
    r"(?i)(python|requests|urllib|aiohttp|httpx|curl|wget|java)\b\S*$"
)
_SLOW = re.compile(r"(?i)time-?\s?out|timed out|time limit|deadline|too long|cancelled")
# Then it is not the query.
_DOWN = re.compile(r"(?i)upstream|backend|connect|maintenance|overload")
# In an answer cut short, among data: only what no label says.
_SLOW_TAIL = re.compile(
    r"(?:Timeout|QueryInterrupted)Exception|Query deadline|Operation timed out"
)
_BINDINGS = re.compile(r'"bindings"\s*:\s*\[')
_BLANK = re.compile(r"\s*")
_FATAL = frozenset({400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 501})
_TOO_MANY = 429
_CHUNK = 1 << 16
# More text than any one row can have.
_MAX_ROW = 1 << 22
# An answer this long may be too long for something on the way.
_LONG = 1 << 20
_FIRST_WAIT = 2.0
_MAX_BACKOFF = 120.0
# How long Wikimedia asks to stop for when it gives no time itself.
_THROTTLED_WAIT = 60.0
_CONNECT_TIMEOUT = 30.0
# Of the time limit: what the service may take, the rest is for the way of the answer.
_SERVICE_SHARE = 0.9


class SparqlError(Exception):
    """The endpoint gives no usable answer; the message says what can be done."""


class QueryTooSlow(Exception):
    """A query has to be split: it took longer than the time limit, or its answer never
    arrived as a whole.

    reason (str): Why.
    lasting (bool): Whether the next run can expect the same.
    """

    def __init__(self, reason: str, lasting: bool = True):
        super().__init__(reason)
        self.reason, self.lasting = reason, lasting


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


class _Failure(Exception):
    """An answer that may be better next time.

    reason (str): What is wrong with it.
    wait (float): Seconds the service asks for, or None.
    cut (bool): The answer was there, long, and not whole.
    throttled (bool): We asked too much.
    """

    def __init__(
        self,
        reason: str,
        wait: float | None = None,
        cut: bool = False,
        throttled: bool = False,
    ):
        super().__init__(reason)
        self.reason, self.wait, self.cut, self.throttled = reason, wait, cut, throttled


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
    if _LIBRARY.match(text):
        raise ValueError(f"the User-Agent is a library's own: {USER_AGENT_HELP}")
    return text


def names_contact(user_agent: str) -> bool:
    """Whether a User-Agent says how to reach its user.

    user_agent (str): User-Agent.
    RETURNS (bool): Whether there is an address in it.
    """
    return bool(re.search(r"@|https?://|User:", user_agent))


def read_bindings(chunks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Rows of an answer in SPARQL's JSON format, as they come in. The answer is only
    good if this ends without an error.

    chunks (Iterable[bytes]): The answer, cut anywhere.
    YIELDS (dict[str, Any]): One row each.
    RAISES (ValueError): If it is not the whole of such an answer.
    """
    decoder = codecs.getincrementaldecoder("utf8")()
    scan = json.JSONDecoder().raw_decode
    pieces = iter(chunks)
    text, head, at, first = "", "", 0, True

    def more() -> bool:
        nonlocal text, at
        piece = next(pieces, None)
        text, at = text[at:] + decoder.decode(piece or b"", piece is None), 0
        return piece is not None

    while not (found := _BINDINGS.search(text)):
        if len(text) > _MAX_ROW or not more():
            raise ValueError(f"no rows in it: {text[:80]!r}" if text else "empty")
    head, at = text[: found.end()], found.end()
    while True:
        at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
        mark = text[at : at + 1]
        if mark == "]":
            break
        start = at
        if mark == "," and not first:
            start = _BLANK.match(text, at + 1).end()  # type: ignore[union-attr]
        elif mark and not first:
            raise ValueError(f"rows are not parted by a comma: {mark!r}")
        try:
            row, at = scan(text, start)
        except json.JSONDecodeError as error:
            if len(text) - at > _MAX_ROW or not more():
                raise ValueError(f"cut off or broken: {error.msg}") from error
            continue
        if not isinstance(row, dict):
            raise ValueError("a row is no object")
        first = False
        yield row
    while more():
        if len(text) > _MAX_ROW:
            raise ValueError("text after its end")
    # What stands around the rows has to be whole as well.
    answer = json.loads(head + text)
    rest = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(rest, dict) or not isinstance(rest.get("bindings"), list):
        raise ValueError("no results in it")
    if {"error", "exception"} & answer.keys():
        raise ValueError("an error message after rows")


def _to_row(binding: dict[str, Any], names: tuple[str, ...]) -> list:
    row: list = []
    for name in names:
        cell = binding.get(name)
        if cell is None:
            row.append(None)
            continue
        tag = cell.get("xml:lang")
        tag = tag.lower() if tag else cell.get("datatype") or ""
        kind = "literal" if cell["type"] == "typed-literal" else cell["type"]
        row.append([kind, str(cell["value"]), tag])
    return row


class AnswerCache:
    """Finished answers in a folder, one file each.

    folder (Path): The folder; made when it is needed.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def _path(self, key: str, suffix: str) -> Path:
        return self.folder / f"{key}{suffix}"

    def read(self, key: str) -> tuple[dict[str, Any], Path] | None:
        """An answer that is there and whole.

        key (str): Hash of endpoint and query.
        RETURNS (Optional[tuple[dict[str, Any], Path]]): Its header and where its rows
            are.
        """
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
        """Rows of an answer.

        path (Path): What `read` gave.
        YIELDS (Row): The rows.
        """
        with gzip.open(path, "rt", encoding="utf8") as file:
            next(file)
            for line in file:
                row = json.loads(line)
                if isinstance(row, list):
                    yield [cell and Cell(*cell) for cell in row]

    def write(self, key: str, header: dict[str, Any], rows: Iterable[list]) -> None:
        """Keep an answer, once all its rows have come.

        key (str): Hash of endpoint and query.
        header (dict[str, Any]): Query, endpoint and date.
        rows (Iterable[list]): Its rows.
        """
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
        """Whether a query has already taken longer than this.

        key (str): Hash of endpoint and query.
        seconds (float): Time limit.
        RETURNS (bool): Whether it has.
        """
        try:
            return float(self._path(key, ".slow").read_text()) >= seconds
        except (OSError, ValueError):
            return False

    def set_slow(self, key: str, seconds: float) -> None:
        """Remember that a query took too long, so that the next run splits it at once.

        key (str): Hash of endpoint and query.
        seconds (float): Time limit.
        """
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
    on_wait (Callable[[float, str], None]): Told of a pause, with its reason.
    RAISES (ValueError): If the endpoint or the User-Agent won't do.
    """

    def __init__(
        self,
        endpoint: str,
        user_agent: str | None,
        cache: AnswerCache,
        *,
        timeout: float,
        delay: float,
        max_tries: int,
        max_wait: float,
        sleep: Callable[[float], None] = time.sleep,
        on_wait: Callable[[float, str], None] | None = None,
    ):
        self.endpoint = endpoint
        self.user_agent = check_user_agent(user_agent)
        if not re.match(r"https?://[^/\s]+", endpoint):
            raise ValueError(
                f"'{endpoint}' is not the address of an endpoint, such as "
                "https://query.wikidata.org/sparql"
            )
        if timeout <= 0 or delay < 0 or max_tries < 1:
            raise ValueError("time limit and tries have to be positive")
        self.cache = cache
        self.timeout = timeout
        self.delay = delay
        self.max_tries = max_tries
        self.max_wait = max_wait
        self.sleep = sleep
        self.on_wait = on_wait
        self.session: requests.Session | None = None
        self.requests = self.cached = 0
        self.oldest = ""
        # Queries that were too slow, with no answer to any other since.
        self.slow: list[str] = []

    def close(self) -> None:
        """End the connection."""
        if self.session is not None:
            self.session.close()
            self.session = None

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
        found = self.cache.read(key)
        if found is None:
            if self.cache.was_slow(key, self.timeout):
                raise self._too_slow()
            try:
                self._try(key, query, names, what)
            except QueryTooSlow as error:
                if error.lasting:
                    self.slow.append(key)
                raise
            # Only now: while a service is down, each and every query is slow.
            while self.slow:
                self.cache.set_slow(self.slow.pop(), self.timeout)
            found = self.cache.read(key)
            if found is None:
                raise SparqlError(f"{self.cache.folder}: what is kept can't be read")
        else:
            self.cached += 1
        header, path = found
        date = header.get("date") or ""
        self.oldest = min(filter(None, (self.oldest, date)), default="")
        return self.cache.rows(path)

    def _try(self, key: str, query: str, names: tuple[str, ...], what: str) -> None:
        for n in range(1, self.max_tries + 1):
            if self.requests:
                self.sleep(self.delay)
            self.requests += 1
            try:
                self._store(key, query, names, what)
                return
            except _Failure as failure:
                # A failed connection is not used again.
                self.close()
                if n == self.max_tries:
                    if failure.cut:
                        raise QueryTooSlow(failure.reason, False) from failure
                    raise self._give_up(what, failure.reason, n) from failure
                self._pause(failure, n, what)

    def _pause(self, failure: _Failure, n: int, what: str) -> None:
        if failure.wait is None:
            wait = min(_FIRST_WAIT * 2 ** (n - 1), _MAX_BACKOFF)
            # Not all clients together.
            wait *= random.uniform(0.5, 1)
            if failure.throttled:
                wait = max(wait, _THROTTLED_WAIT)
        else:
            wait = failure.wait
            if wait > self.max_wait:
                raise SparqlError(
                    f"{self.endpoint}, {what}: {failure.reason}; it asks to wait for "
                    f"{wait:,.0f} s. {self._remedy()}"
                ) from failure
        if self.on_wait is not None:
            self.on_wait(wait, failure.reason)
        self.sleep(wait)

    def _give_up(self, what: str, reason: str, tries: int) -> SparqlError:
        times = "after one try" if tries == 1 else f"after {tries} tries"
        return SparqlError(
            f"{self.endpoint}, {what}: no good answer {times}: {reason}. "
            f"{self._remedy()}"
        )

    def _too_slow(self) -> QueryTooSlow:
        return QueryTooSlow(f"no answer within {self.timeout:g} s")

    def _remedy(self) -> str:
        return (
            "What came so far is kept in the cache: run the same command again later "
            "to ask only for the rest"
        )

    def _store(self, key: str, query: str, names: tuple[str, ...], what: str) -> None:
        """Ask once, and keep the answer if it is good."""
        header = {
            "endpoint": self.endpoint,
            "query": query,
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        started = time.monotonic()
        with self._post(query, what) as response:
            self._check_status(response, what)
            tail = _Tail(self._read(response, started))
            rows = (_to_row(b, names) for b in _guard(read_bindings(tail)))
            try:
                self.cache.write(key, header, rows)
            except _BadAnswer as error:
                if tail.tells_slow():
                    raise self._too_slow() from error
                cut = tail.size >= _LONG
                raise _Failure(f"HTTP 200, but {error}", cut=cut) from error
            except _Failure as failure:
                failure.cut = tail.size >= _LONG
                raise

    def _post(self, query: str, what: str) -> requests.Response:
        import requests

        if self.session is None:
            self.session = requests.Session()
            self.session.headers.update(
                {
                    "User-Agent": f"{self.user_agent} spacy_deid/{__version__}",
                    "Accept": FORMAT,
                    # What Blazegraph, Wikidata's engine, understands.
                    "X-BIGDATA-MAX-QUERY-MILLIS": str(
                        max(1, int(self.timeout * _SERVICE_SHARE * 1000))
                    ),
                }
            )
        try:
            return self.session.post(
                self.endpoint,
                data={"query": query},
                stream=True,
                allow_redirects=False,
                timeout=(_CONNECT_TIMEOUT, self.timeout),
            )
        except requests.exceptions.ReadTimeout as error:
            self.close()
            raise self._too_slow() from error
        except (
            requests.exceptions.InvalidURL,
            requests.exceptions.InvalidSchema,
            requests.exceptions.MissingSchema,
            requests.exceptions.SSLError,
        ) as error:
            raise SparqlError(
                f"{self.endpoint}, {what}: {_short(error)}. Check the address"
            ) from error
        except requests.exceptions.RequestException as error:
            raise _Failure(f"no connection ({_short(error)})") from error

    def _check_status(self, response: requests.Response, what: str) -> None:
        status = response.status_code
        if status == 200:
            return
        if 300 <= status < 400:
            raise SparqlError(
                f"{self.endpoint}, {what}: the endpoint has moved to "
                f"{response.headers.get('Location', 'another address')}. Use that one"
            )
        wait = _retry_after(response)
        # Part of the rows only; or a proxy that lost its patience.
        slow = status in (206, 504, 524)
        if wait is None and (slow or _tells_slow(self._error_text(response))):
            raise self._too_slow()
        reason = f"HTTP {status}"
        if status in (401, 403):
            raise SparqlError(
                f"{self.endpoint}, {what}: {reason}, access refused. Check the "
                f"User-Agent: {USER_AGENT_HELP}"
            )
        if status in _FATAL:
            raise SparqlError(
                f"{self.endpoint}, {what}: {reason}. Check that this is the address of "
                "a SPARQL 1.1 endpoint that takes queries by POST"
            )
        raise _Failure(reason, wait, throttled=status == _TOO_MANY)

    def _error_text(self, response: requests.Response) -> str:
        text = b""
        with contextlib.suppress(_Failure, QueryTooSlow):
            for piece in self._read(response, time.monotonic()):
                text += piece
                if len(text) > _CHUNK:
                    break
        return text.decode("utf8", "replace")

    def _read(self, response: requests.Response, started: float) -> Iterator[bytes]:
        """The body as it comes in, until the time is up."""
        import urllib3

        raw = response.raw
        # Of what is there, without waiting for more: a body may come drop by drop.
        read = getattr(raw, "read1", raw.read)
        try:
            while piece := read(_CHUNK, decode_content=True):
                yield piece
                if time.monotonic() - started > self.timeout:
                    self.close()
                    raise self._too_slow()
        except urllib3.exceptions.ReadTimeoutError as error:
            self.close()
            raise self._too_slow() from error
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise _Failure(f"connection lost ({_short(error)})") from error


class _BadAnswer(Exception):
    pass


def _guard(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Errors of the format under a name that no error of the disk has."""
    try:
        for row in rows:
            if not all(
                isinstance(cell, dict) and {"type", "value"} <= set(cell)
                for cell in row.values()
            ):
                raise _BadAnswer("a cell has no type or value")
            yield row
    except (ValueError, RecursionError) as error:
        raise _BadAnswer(f"the answer is {error}") from error


class _Tail:
    """Passes a body on and remembers how it ended."""

    def __init__(self, chunks: Iterator[bytes]):
        self.chunks = chunks
        self.end = b""
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            self.size += len(chunk)
            self.end = (self.end + chunk)[-_CHUNK:]
            yield chunk

    def tells_slow(self) -> bool:
        """Whether what came in the place of rows, or after some, says that the query
        took too long."""
        # The rest of a long message may not have been read yet.
        with contextlib.suppress(_Failure, QueryTooSlow):
            for _ in itertools.islice(self, 100):
                pass
        text = self.end.decode("utf8", "replace")
        no_rows = self.size == len(self.end) and not _BINDINGS.search(text)
        return bool(_SLOW_TAIL.search(text)) or (no_rows and _tells_slow(text))


def _tells_slow(text: str) -> bool:
    """Whether an error message says that a query took too long."""
    if _SLOW_TAIL.search(text):
        return True
    return bool(_SLOW.search(text)) and not _DOWN.search(text)


def _retry_after(response: requests.Response) -> float | None:
    """Seconds to wait, from a number of seconds or a date."""
    text = response.headers.get("Retry-After", "").strip()
    if not text:
        return None
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
        # By the service's own clock: ours may be wrong.
        now = response.headers.get("Date")
        start = parsedate_to_datetime(now) if now else datetime.now(timezone.utc)
        return max(0.0, (until - start).total_seconds())
    except (TypeError, ValueError):
        return None


def _short(error: BaseException) -> str:
    """The innermost reason, without the object addresses that libraries put in."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    text = getattr(error, "strerror", None) or type(error).__name__
    return str(text)
