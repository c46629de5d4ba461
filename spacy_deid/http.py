"""The one HTTP client: it asks slowly, with patience, and ends with one clear error.

A request is tried again when the service is busy or the answer did not arrive whole,
after pauses that double, or as long as the service asks (`Retry-After`). The loop is
ours: urllib3's `Retry` never sees the body of an answer. No message of its own or of
urllib3 holds anything of what was asked.
"""

from __future__ import annotations

import itertools
import logging
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import requests
import urllib3
from urllib3.util.retry import Retry

from .about import __version__

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
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
    location (str): Where a redirect leads; none is followed.
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
        if self.status == 200:
            return
        place = self.headers.get("Location", "") if 300 <= self.status < 400 else ""
        again, wait = self.status in RETRIED, _retry_after(self.headers)
        reason = f"HTTP {self.status}" + (", it has moved" if place else "")
        raise HttpError(reason, again, status=self.status, wait=wait, location=place)

    def chunks(self) -> Iterator[bytes]:
        """The body, decompressed.

        YIELDS (bytes): What is there, without waiting for more.
        RAISES (HttpError): If it is cut off or the time is up.
        """
        raw = self.response.raw
        read = partial(getattr(raw, "read1", raw.read), _CHUNK, decode_content=True)
        while piece := _translated(read, self.timeout):
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


@dataclass(repr=False, eq=False)
class Client:
    """Asks one service, over one connection.

    user_agent (str): Who asks, before the name of this package.
    accept (str): Type of the answers.
    headers (Mapping[str, str]): Further headers.
    timeout (float): Seconds an answer may take.
    tries (int): How often a request is tried in all.
    first_wait (float): Seconds before the second try, doubled each time, and up to a
        half of it more by chance.
    max_wait (float): The longest pause; a service that asks for a longer one has
        failed.
    proxies (bool): Whether the proxies of the environment are used.
    pace (Callable[[], None]): Called before each try.
    retry_slow (bool): Whether what took too long is tried again.
    hold (Callable[[float, str], None]): Called with the seconds to wait before the
        next try and the reason; waits, or has `pace` wait.
    """

    user_agent: str = ""
    accept: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 20.0
    tries: int = 5
    first_wait: float = 1.0
    max_wait: float = 120.0
    proxies: bool = True
    retry_slow: bool = True
    pace: Callable[[], None] = lambda: None
    hold: Callable[[float, str], None] = lambda seconds, _: time.sleep(seconds)
    _session: requests.Session | None = field(default=None, init=False)

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
                    answer = self._request(method, url, params)
                    with answer.response:
                        return read(answer)
            except HttpError as error:
                # A failed connection is not used again.
                self.close()
                failure = error
            failure.tries = n
            useless = not failure.again or (failure.slow and not self.retry_slow)
            if useless or n >= self.tries:
                break
            if (wait := failure.wait) is None:
                # Not all clients together.
                wait = self.first_wait * (2 ** (n - 1) + random.random() / 2)
                wait = min(wait, self.max_wait)
            if wait > self.max_wait:
                failure.reason += f"; it asks to wait for {wait:,.0f} s"
                break
            self.hold(wait, failure.reason)
        # Outside of the handler, alone: what came before it holds the request.
        failure.__context__ = None
        raise failure.with_traceback(None) from None

    def _request(self, method: str, url: str, params: Mapping[str, str]) -> Answer:
        if self._session is None:
            self._session = requests.Session()
            agent = f"{self.user_agent} spacy_deid/{__version__}".strip()
            own = {"User-Agent": agent, "Accept": self.accept}
            self._session.headers.update({**own, **self.headers})
            self._session.trust_env = self.proxies
            # Redirects are not followed, nor their bodies read.
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


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from a number of seconds or a date."""
    try:
        return Retry().parse_retry_after(headers["Retry-After"])
    except (KeyError, urllib3.exceptions.InvalidHeader):
        return None


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
