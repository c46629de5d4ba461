"""Search engines over HTTP: asked slowly, with patience, and only with consent."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import logging
import os
import random
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from ...about import __version__
from .base import Connected, SearchError, SearchResult, page_key
from .cache import AnswerCache

if TYPE_CHECKING:
    import requests

CONSENT = "I consent to sending parts of my documents, personal data included, to {}"
# Engines leave out what is beyond it.
MAX_WORDS = 32
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_MOVED = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 3
_MAX_BYTES = 1 << 23
_CHUNK = 1 << 16
_REMEMBERED = 4096
_SECRET = os.urandom(32)


class Page(NamedTuple):
    """One page of results.

    urls (Sequence[str]): Addresses, best first.
    hits (Optional[int]): Number of pages that hold the phrase, if the engine says it.
    more (bool): Whether there may be another page of results.
    """

    urls: list[str]
    hits: int | None
    more: bool


class _Failure(Exception):
    """No good answer."""

    def __init__(self, reason: str, again: bool = True, wait: float | None = None):
        super().__init__(reason)
        self.reason, self.again, self.wait = reason, again, wait


class WebBackend(Connected):
    """A search engine with a JSON interface; engines define `_request` and `_read`.

    url (str): Where it is asked.
    consent (Optional[str]): CONSENT with the host of `url`, word by word.
    interval (float): Least time between two requests in seconds. Processes that share
        a cache take turns; without a cache each process keeps its own pace.
    timeout (float): Seconds an answer may take.
    tries (int): How often a request is tried in all.
    first_wait (float): Seconds before the second try, doubled each time, less up to
        a half by chance.
    max_wait (float): The longest pause; a service that asks for a longer one has
        failed.
    allow_http (bool): Send to other machines without encryption.
    cache_path (Optional[str]): File to keep answers in, see `AnswerCache`.
    cache_key_env (str): Environment variable with the secret key of that file.
    cache_days (float): How long an answer is good.
    RAISES (ValueError): Without consent, or if a setting won't do.
    """

    engine = ""
    max_pages = 1
    unit = "page"

    def __init__(
        self,
        url: str,
        consent: str | None,
        *,
        interval: float = 1.0,
        timeout: float = 20.0,
        tries: int = 5,
        first_wait: float = 1.0,
        max_wait: float = 120.0,
        allow_http: bool = False,
        cache_path: str | None = None,
        cache_key_env: str = "SPACY_DEID_KEY",
        cache_days: float = 30.0,
    ) -> None:
        super().__init__()
        self.url = url
        self.host, self.is_local = _check_url(url, allow_http)
        check_consent(consent, self.host)
        if not (interval >= 0 and timeout > 0 and first_wait >= 0 and max_wait >= 0):
            raise ValueError("times of the web search can't be negative")
        if tries < 1:
            raise ValueError(f"the web search needs at least one try, not {tries}")
        self.interval = interval
        self.timeout = timeout
        self.tries = tries
        self.first_wait = first_wait
        self.max_wait = max_wait
        self.cache: AnswerCache | None = None
        if cache_path is not None:
            self.cache = AnswerCache(cache_path, cache_key_env, cache_days)
        self._start()

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._free = 0.0
        self._answers: OrderedDict[bytes, tuple[int, SearchResult]] = OrderedDict()

    def __getstate__(self) -> dict[str, Any]:
        own = ("_lock", "_free", "_answers")
        return {k: v for k, v in super().__getstate__().items() if k not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._start()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.host!r})"

    @property
    def name(self) -> str:
        """Which answers are its own: everything that they depend on."""
        return f"{self.engine} {self.url}"

    def _request(self, phrase: str, page: int) -> tuple[str, dict[str, str]]:
        """Method and parameters that ask for a page of results, the first is 0."""
        raise NotImplementedError

    def _read(self, answer: dict[str, Any], page: int) -> Page:
        """What an answer says; LookupError, TypeError or ValueError if it is none."""
        raise NotImplementedError

    def _refused(self, status: int) -> str:
        """What to do about a refusal, for messages."""
        return ""

    def search(self, phrase: str, top: int) -> SearchResult:
        """See `SearchBackend`; the first MAX_WORDS words are sent."""
        phrase = " ".join(phrase.split()[:MAX_WORDS])
        # Engines know no case.
        key = phrase.casefold()
        found = self._recall(key, top)
        if found is None and self.cache is not None:
            found = self.cache.get(self.name, key, top)
        if found is None:
            found = self._search(phrase, top)
            if self.cache is not None:
                self.cache.put(self.name, key, top, found)
        self._remember(key, top, found)
        return found

    def _search(self, phrase: str, top: int) -> SearchResult:
        urls: dict[str, str] = {}
        hits: int | None = None
        for number in range(self.max_pages):
            page = self._ask(phrase, number)
            before = len(urls)
            for url in page.urls:
                urls.setdefault(page_key(url), url)
            if number == 0:
                hits = len(urls) if page.hits is None else page.hits
            if len(urls) >= top or len(urls) == before or not page.more:
                break
        return SearchResult(tuple(urls.values())[:top], hits or 0)

    def _recall(self, key: str, top: int) -> SearchResult | None:
        with self._lock:
            kept = self._answers.get(_digest(key))
        if kept is None or kept[0] < top:
            return None
        return SearchResult(kept[1].urls[:top], kept[1].hits)

    def _remember(self, key: str, top: int, result: SearchResult) -> None:
        digest = _digest(key)
        with self._lock:
            kept = self._answers.pop(digest, None)
            best = kept if kept is not None and kept[0] > top else (top, result)
            self._answers[digest] = best
            if len(self._answers) > _REMEMBERED:
                self._answers.popitem(last=False)

    def _ask(self, phrase: str, page: int) -> Page:
        """A page of results, after as many tries as it takes."""
        method, params = self._request(phrase, page)
        reason, n = "", 0
        for n in range(1, self.tries + 1):
            self._pace()
            failure: _Failure | None = None
            try:
                answer = self._fetch(method, params)
                try:
                    return self._read(answer, page)
                except (LookupError, TypeError, ValueError, AttributeError):
                    failure = _Failure("its answer is not of the expected form")
            except _Failure as error:
                failure = error
            reason = failure.reason
            if not failure.again or n == self.tries:
                break
            wait = failure.wait
            if wait is None:
                wait = min(self.first_wait * 2 ** (n - 1), self.max_wait)
                # Not all clients together.
                wait *= random.uniform(0.5, 1.0)
            elif wait > self.max_wait:
                reason += f"; it asks to wait for {wait:,.0f} s"
                break
            self._hold(wait)
        # Outside of the handlers: their exceptions hold the query, and would be shown.
        tries = "one try" if n == 1 else f"{n} tries"
        raise SearchError(f"{self.host}: no answer after {tries}: {reason}")

    def _pace(self) -> None:
        if self.cache is not None:
            wait = self.cache.reserve(self.host, self.interval)
        else:
            with self._lock:
                now = time.monotonic()
                start = max(now, self._free)
                self._free = start + self.interval
            wait = start - now
        if wait > 0:
            time.sleep(wait)

    def _hold(self, seconds: float) -> None:
        """Ask nothing for some time, other threads and processes neither."""
        if self.cache is not None:
            self.cache.hold(self.host, seconds)
        else:
            with self._lock:
                self._free = max(self._free, time.monotonic() + seconds)

    def open(self) -> requests.Session:
        """RETURNS (requests.Session): A session of its own."""
        import requests

        session = requests.Session()
        session.headers.update(
            {"User-Agent": f"spacy_deid/{__version__}", "Accept": "application/json"}
        )
        # Else it reads redirects, which are not its own to follow, and their bodies.
        session.get_redirect_target = lambda resp: None  # type: ignore[method-assign]
        # No proxy between this machine and itself.
        session.trust_env = not self.is_local
        return session

    def _fetch(self, method: str, params: dict[str, str]) -> dict[str, Any]:
        """The JSON object that a request gives."""
        url = self.url
        for _ in range(_MAX_REDIRECTS + 1):
            with _unlogged():
                status, headers, body = self._send(method, url, params)
            if status in _MOVED:
                url = self._redirected(url, headers.get("Location", ""))
                continue
            if status != 200:
                reason = f"HTTP {status}"
                if status in _RETRIED:
                    raise _Failure(reason, wait=_retry_after(headers))
                raise _Failure(" ".join([reason, self._refused(status)]).strip(), False)
            try:
                answer = json.loads(body)
            except (ValueError, RecursionError):
                answer = None
            if not isinstance(answer, dict):
                raise _Failure("its answer is not a JSON object")
            return answer
        raise _Failure("it redirects in a circle", False)

    def _redirected(self, url: str, location: str) -> str:
        """Where to ask instead: consent is for one host."""
        try:
            old, new = urlsplit(url), urlsplit(urljoin(url, location))
            same = (new.hostname, new.port) == (old.hostname, old.port)
            upgraded = new.scheme == "https" and new.hostname == old.hostname
            same = (same and new.scheme == old.scheme) or (
                upgraded and new.port in (None, 443, old.port)
            )
        except ValueError:
            same = False
        if not location or not same:
            raise _Failure("it redirects to another host, which is refused", False)
        # The parameters are sent again.
        return new._replace(query="", fragment="").geturl()

    def _send(
        self, method: str, url: str, params: dict[str, str]
    ) -> tuple[int, Any, bytes]:
        """Status, header and body of one response."""
        import requests
        import urllib3

        started = time.monotonic()
        body, reason, again = b"", "", True
        field = "params" if method == "GET" else "data"
        try:
            with self.connection().request(
                method,
                url,
                **{field: params},
                timeout=self.timeout,
                stream=True,
                allow_redirects=False,
            ) as response:
                raw = response.raw
                # Of what is there, without waiting for more: a body may come drop by
                # drop.
                read = getattr(raw, "read1", raw.read)
                while piece := read(_CHUNK, decode_content=True):
                    body += piece
                    if len(body) > _MAX_BYTES:
                        raise _Failure("its answer is too long", False)
                    if time.monotonic() - started > self.timeout:
                        raise requests.exceptions.ReadTimeout
                return response.status_code, response.headers, body
        except (requests.exceptions.Timeout, urllib3.exceptions.ReadTimeoutError):
            reason = f"no answer within {self.timeout:g} s"
        except requests.exceptions.SSLError:
            reason, again = "its certificate cannot be verified", False
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema):
            reason, again = "its address is not valid", False
        except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError):
            reason = "no connection, or it was lost"
        except (OSError, ValueError) as error:
            reason = f"no answer that can be read ({type(error).__name__})"
        self.close()
        raise _Failure(reason, again)


def check_consent(consent: str | None, host: str) -> None:
    """Refuse to go on without explicit consent."""
    words = CONSENT.format(host)
    if consent is None or " ".join(str(consent).split()) != words:
        raise ValueError(
            f"a web search sends personal data to {host} and needs consent: "
            f'consent = "{words}"'
        )


def _check_url(url: str, allow_http: bool) -> tuple[str, bool]:
    """Host of an address, with its port if that is unusual, and whether it is this
    machine."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if not host or parts.scheme not in ("http", "https") or parts.query:
        raise ValueError(
            "the address of a search engine should look like https://search.example.org"
        )
    if parts.username is not None or parts.password is not None:
        raise ValueError(f"{host}: no user names or passwords in an address")
    is_local = host == "localhost"
    with suppress(ValueError):
        is_local = is_local or ipaddress.ip_address(host).is_loopback
    if parts.scheme == "http" and not is_local and not allow_http:
        raise ValueError(
            f"{host}: personal data would travel unencrypted; use https, or set "
            "allow_http = true in a network that you trust"
        )
    return (host if port is None else f"{host}:{port}"), is_local


def _digest(text: str) -> bytes:
    """The same text has the same value in this process alone."""
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, key=_SECRET, digest_size=16).digest()


def _retry_after(headers: Any) -> float | None:
    """Seconds to wait, from a number of seconds or a date."""
    text = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    until = _date(text)
    if until is None:
        return None
    # By the service's own clock: ours may be wrong.
    now = _date(headers.get("Date", "")) or datetime.now(timezone.utc)
    return max(0.0, (until - now).total_seconds())


def _date(text: str) -> datetime | None:
    """A date of HTTP."""
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)


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
