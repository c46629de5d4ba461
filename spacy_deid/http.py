"""The one HTTP client: it asks slowly, with patience, and ends with one clear error.

A request is tried again when the service is busy or the answer did not arrive whole,
with growing pauses or as long as the service asks (`Retry-After`). No message of its
own or of urllib3 holds anything of what was asked. The loop is not that of
`urllib3.Retry`, which never sees the body of an answer and would log the address.
"""

from __future__ import annotations

import itertools
import logging
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TypeVar
from urllib.parse import SplitResult, urljoin, urlsplit

import requests
import urllib3

from .about import __version__

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_MOVED = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 3
_CHUNK = 1 << 16
_CONNECT_TIMEOUT = 30.0
T = TypeVar("T")


class HttpError(Exception):
    """No usable answer.

    reason (str): Why; nothing of the request.
    again (bool): Whether it may be better next time.
    status (int): HTTP status, 0 without one.
    wait (Optional[float]): Seconds that the service asks for.
    slow (bool): Whether the time was up.
    tries (int): How often it was tried.
    location (str): Where a redirect leads that is not followed.
    """

    def __init__(
        self,
        reason: str,
        again: bool = True,
        *,
        status: int = 0,
        wait: float | None = None,
        slow: bool = False,
        location: str = "",
    ):
        super().__init__(reason)
        self.reason, self.again, self.status = reason, again, status
        self.wait, self.slow, self.location = wait, slow, location
        self.tries = 0


class Answer:
    """A response whose body is read as it comes in, until the time is up.

    response (Response): What requests gave.
    deadline (float): `time.monotonic()` at which the time is up.
    timeout (float): The time limit in seconds, for the message.
    """

    def __init__(self, response: requests.Response, deadline: float, timeout: float):
        self.response, self.deadline, self.timeout = response, deadline, timeout
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    def check(self) -> None:
        """RAISES (HttpError): If the status is another than 200."""
        if self.status != 200:
            again, wait = self.status in RETRIED, _retry_after(self.headers)
            raise HttpError(f"HTTP {self.status}", again, status=self.status, wait=wait)

    def chunks(self) -> Iterator[bytes]:
        """The body, decompressed.

        YIELDS (bytes): What is there, without waiting for more.
        RAISES (HttpError): If it is cut off or the time is up.
        """
        raw = self.response.raw
        read = getattr(raw, "read1", raw.read)
        while piece := _translated(
            lambda: read(_CHUNK, decode_content=True), self.timeout
        ):
            yield piece
            if time.monotonic() > self.deadline:
                raise _too_slow(self.timeout)

    def read(self, most: int) -> bytes:
        """The whole body.

        most (int): Bytes it may have.
        RETURNS (bytes): The body.
        RAISES (HttpError): Also if it is longer.
        """
        body = b""
        for piece in self.chunks():
            body += piece
            if len(body) > most:
                raise HttpError("its answer is too long", False)
        return body


class Client:
    """Asks one service, over one connection.

    user_agent (str): Who asks, before the name of this package.
    accept (str): Type of the answers.
    headers (Mapping[str, str]): Further headers.
    timeout (float): Seconds an answer may take.
    tries (int): How often a request is tried in all.
    first_wait (float): Seconds before the second try, doubled each time, less up to
        a half by chance.
    max_wait (float): The longest pause; a service that asks for a longer one has
        failed.
    proxies (bool): Whether the proxies of the environment are used.
    pace (Callable[[], None]): Called before each try.
    retry_slow (bool): Whether what took too long is tried again.
    hold (Callable[[float, str], None]): Called with the seconds to wait before the
        next try and the reason; waits, or has `pace` wait.
    """

    def __init__(
        self,
        *,
        user_agent: str = "",
        accept: str = "application/json",
        headers: Mapping[str, str] | None = None,
        timeout: float = 20.0,
        tries: int = 5,
        first_wait: float = 1.0,
        max_wait: float = 120.0,
        proxies: bool = True,
        retry_slow: bool = True,
        pace: Callable[[], None] = lambda: None,
        hold: Callable[[float, str], None] = lambda seconds, reason: time.sleep(
            seconds
        ),
    ):
        self.headers = {
            "User-Agent": f"{user_agent} spacy_deid/{__version__}".strip(),
            "Accept": accept,
            **(headers or {}),
        }
        self.timeout, self.tries = timeout, tries
        self.first_wait, self.max_wait = first_wait, max_wait
        self.proxies, self.retry_slow = proxies, retry_slow
        self.pace, self.hold = pace, hold
        self._session: requests.Session | None = None

    def close(self) -> None:
        """End the connection."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def ask(
        self,
        method: str,
        url: str,
        params: Mapping[str, str],
        read: Callable[[Answer], T],
    ) -> T:
        """Ask, as often as it takes.

        method (str): `GET` or `POST`.
        url (str): Where.
        params (Mapping[str, str]): Of the query, or of the form that is posted.
        read (Callable[[Answer], T]): Makes something of the answer; raises an HttpError
            if it is none (see `Answer.check`).
        RETURNS (T): What `read` gave.
        RAISES (HttpError): After the last try, or if another is of no use.
        """
        for n in itertools.count(1):
            self.pace()
            failure: HttpError
            try:
                with _unlogged():
                    answer = self._send(method, url, params)
                    with answer.response:
                        return read(answer)
            except HttpError as error:
                # A failed connection is not used again.
                self.close()
                failure = error
            wait = self._wait(failure, n)
            if wait is None:
                break
            self.hold(wait, failure.reason)
        # Outside of the handler, alone: what came before it holds the request.
        failure.tries, failure.__context__ = n, None
        raise failure.with_traceback(None) from None

    def _wait(self, failure: HttpError, n: int) -> float | None:
        """Seconds until the next try, None if there is none."""
        given_up = failure.slow and not self.retry_slow
        if not failure.again or given_up or n >= self.tries:
            return None
        if failure.wait is not None:
            if failure.wait <= self.max_wait:
                return failure.wait
            failure.reason += f"; it asks to wait for {failure.wait:,.0f} s"
            return None
        # Not all clients together.
        grown = min(self.first_wait * 2 ** (n - 1), self.max_wait)
        return grown * random.uniform(0.5, 1.0)

    def _send(self, method: str, url: str, params: Mapping[str, str]) -> Answer:
        """The answer, after redirects to the same host."""
        for _ in range(_MAX_REDIRECTS + 1):
            answer = self._request(method, url, params)
            if answer.status not in _MOVED:
                return answer
            answer.response.close()
            url = _redirected(url, answer.headers.get("Location", ""))
        raise HttpError("it redirects in a circle", False)

    def _request(self, method: str, url: str, params: Mapping[str, str]) -> Answer:
        if self._session is None:
            self._session = requests.Session()
            self._session.headers.update(self.headers)
            self._session.trust_env = self.proxies
            # Else it reads redirects, which are not its own to follow, and their bodies.
            self._session.get_redirect_target = lambda resp: None  # type: ignore[method-assign]
        session = self._session
        field = "params" if method == "GET" else "data"
        deadline = time.monotonic() + self.timeout
        response = _translated(
            lambda: session.request(
                method,
                url,
                **{field: params},  # type: ignore[arg-type]
                timeout=(min(_CONNECT_TIMEOUT, self.timeout), self.timeout),
                stream=True,
                allow_redirects=False,
            ),
            self.timeout,
        )
        return Answer(response, deadline, self.timeout)


def _redirected(url: str, location: str) -> str:
    """Where to ask instead: the same host, with no less encryption."""
    new: SplitResult | None = None
    try:
        old, new = urlsplit(url), urlsplit(urljoin(url, location))
        same = (new.scheme, new.hostname, new.port) == (
            old.scheme,
            old.hostname,
            old.port,
        )
        upgraded = new.scheme == "https" and new.hostname == old.hostname
        same = same or (upgraded and new.port in (None, 443, old.port))
    except ValueError:
        same = False
    if new is None or not location or not same:
        reason = "it redirects to another host, which is refused"
        raise HttpError(reason, False, location=location)
    # The parameters are sent again.
    return new._replace(query="", fragment="").geturl()


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from a number of seconds or a date."""
    text = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]+)?", text):
        return float(text)
    until = _date(text)
    if until is None:
        return None
    # By the service's own clock: ours may be wrong.
    now = _date(headers.get("Date", "")) or datetime.now(timezone.utc)
    return max(0.0, (until - now).total_seconds())


def _date(text: str) -> datetime | None:
    """A date of HTTP; None if it is none."""
    try:
        found = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=timezone.utc)


def _too_slow(timeout: float) -> HttpError:
    return HttpError(f"no answer within {timeout:g} s", slow=True)


def _translated(work: Callable[[], T], timeout: float) -> T:
    """What some work with requests gives, its errors without the request."""
    failure: HttpError
    try:
        return work()
    except (requests.exceptions.ReadTimeout, urllib3.exceptions.ReadTimeoutError):
        failure = _too_slow(timeout)
    except requests.exceptions.SSLError:
        failure = HttpError("its certificate cannot be verified", False)
    except (
        requests.exceptions.InvalidURL,
        requests.exceptions.InvalidSchema,
        requests.exceptions.MissingSchema,
    ):
        failure = HttpError("its address is not valid", False)
    except (
        requests.exceptions.RequestException,
        urllib3.exceptions.HTTPError,
        OSError,
        ValueError,
    ) as error:
        failure = HttpError(f"no connection, or it was lost ({_short(error)})")
    raise failure


def _short(error: BaseException) -> str:
    """The innermost reason, by its kind alone."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return str(getattr(error, "strerror", None) or type(error).__name__)


class _Quiet(logging.Filter, threading.local):
    """Drops what a thread logs while its `on` is set."""

    on = False

    def filter(self, record: logging.LogRecord) -> bool:
        return not self.on


# In place from the first request on: to put filters in and take them out again while
# other threads log would let a message through now and then.
_quiet = _Quiet()
_LOGGERS = ("connection", "connectionpool", "response", "util.retry")


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep urllib3, whose messages have the query, from logging for this thread."""
    for name in _LOGGERS:
        logging.getLogger(f"urllib3.{name}").addFilter(_quiet)
    _quiet.on = True
    try:
        yield
    finally:
        _quiet.on = False
