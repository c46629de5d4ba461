"""Search engines over HTTP: asked slowly, with patience, and only with consent."""

from __future__ import annotations

import ipaddress
import json
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

from ...http import Answer, Client, HttpError
from .base import Connected, SearchError, SearchResult, page_key
from .cache import AnswerCache

CONSENT = "I consent to sending parts of my documents, personal data included, to {}"
# Engines leave out what is beyond it.
MAX_WORDS = 32
_MAX_BYTES = 1 << 23
_REMEMBERED = 4096


class Page(NamedTuple):
    """One page of results."""

    urls: list[str]
    hits: int | None
    more: bool


@dataclass(kw_only=True, eq=False, repr=False)
class WebBackend(Connected):
    """A search engine with a JSON interface; engines define `_request` and `_read`.

    url (str): Where it is asked.
    consent (Optional[str]): CONSENT with the host of `url`, word by word.
    interval (float): Least time between two requests of a process in seconds.
    timeout, tries, first_wait, max_wait: See `http.Client`.
    allow_http (bool): Send to other machines without encryption.
    cache_path (Optional[str]): File to keep answers in, see `AnswerCache`.
    cache_key_env (str): Environment variable with the secret key of that file.
    cache_days (float): How long an answer is good.
    RAISES (ValueError): Without consent, or if a setting won't do.
    """

    engine: ClassVar[str] = ""
    max_pages: ClassVar[int] = 1
    unit: ClassVar[str] = "page"

    url: str
    consent: str | None = None
    allow_http: bool = False
    interval: float = 1.0
    timeout: float = 20.0
    tries: int = 5
    first_wait: float = 1.0
    max_wait: float = 120.0
    cache_path: str | None = None
    cache_key_env: str = "SPACY_DEID_KEY"
    cache_days: float = 30.0

    def __post_init__(self) -> None:
        super().__init__()
        self.host, self.is_local = _check_url(self.url, self.allow_http)
        check_consent(self.consent, self.host)
        if min(self.interval, self.first_wait, self.max_wait) < 0 or self.timeout <= 0:
            raise ValueError("times of the web search can't be negative")
        if self.tries < 1:
            raise ValueError(f"the web search needs at least one try, not {self.tries}")
        self.cache: AnswerCache | None = None
        if self.cache_path is not None:
            settings = self.cache_key_env, self.cache_days
            self.cache = AnswerCache(self.cache_path, *settings)
        self._start()

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._free = 0.0
        self._known: dict[str, tuple[int, SearchResult]] = {}

    def __getstate__(self) -> dict[str, Any]:
        own = ("_lock", "_free", "_known")
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
        most, found = self._known.get(key, (0, None))
        if found is not None and most >= top:
            return SearchResult(found.urls[:top], found.hits)
        found = self.cache.get(self.name, key, top) if self.cache is not None else None
        if found is None:
            found = self._search(phrase, top)
            if self.cache is not None:
                self.cache.put(self.name, key, top, found)
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[key] = top, found
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

    def _ask(self, phrase: str, page: int) -> Page:
        """A page of results, after as many tries as it takes."""
        method, params = self._request(phrase, page)

        def read(answer: Answer) -> Page:
            return self._read_answer(answer, page)

        failure = ""
        try:
            return self.connection().ask(method, self.url, params, read)
        except HttpError as error:
            tries = "one try" if error.tries == 1 else f"{error.tries} tries"
            failure = f"no answer after {tries}: {error.reason}"
        # Outside of the handler: what it handles is no part of this.
        raise SearchError(f"{self.host}: {failure}")

    def _read_answer(self, answer: Answer, page: int) -> Page:
        try:
            answer.check()
        except HttpError as error:
            if not error.again:
                error.reason = f"{error.reason} {self._refused(error.status)}".strip()
            raise
        body = answer.read(_MAX_BYTES)
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise HttpError("its answer is not a JSON object")
        try:
            return self._read(found, page)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise HttpError("its answer is not of the expected form") from None

    def _pace(self) -> None:
        with self._lock:
            now = time.monotonic()
            start = max(now, self._free)
            self._free = start + self.interval
        time.sleep(start - now)

    def _hold(self, seconds: float, reason: str) -> None:
        """Ask nothing for some time, other threads neither."""
        with self._lock:
            self._free = max(self._free, time.monotonic() + seconds)

    def open(self) -> Client:
        """RETURNS (Client): One of this process and thread."""
        return Client(
            timeout=self.timeout,
            tries=self.tries,
            first_wait=self.first_wait,
            max_wait=self.max_wait,
            # No proxy between this machine and itself.
            proxies=not self.is_local,
            pace=self._pace,
            hold=self._hold,
        )


def check_consent(consent: str | None, host: str) -> None:
    """Refuse to go on without explicit consent."""
    words = CONSENT.format(host)
    if consent is None or " ".join(str(consent).split()) != words:
        problem = f"a web search sends personal data to {host} and needs consent"
        raise ValueError(f'{problem}: consent = "{words}"')


def _check_url(url: str, allow_http: bool) -> tuple[str, bool]:
    """Host of an address, with its port if that is unusual, and whether it is this
    machine."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if not host or parts.scheme not in ("http", "https") or parts.query:
        form = "https://search.example.org"
        raise ValueError(f"the address of a search engine should look like {form}")
    if parts.username is not None or parts.password is not None:
        raise ValueError(f"{host}: no user names or passwords in an address")
    is_local = host == "localhost"
    with suppress(ValueError):
        is_local = is_local or ipaddress.ip_address(host).is_loopback
    if parts.scheme == "http" and not is_local and not allow_http:
        advice = "use https, or set allow_http = true in a network that you trust"
        raise ValueError(f"{host}: personal data would travel unencrypted; {advice}")
    return (host if port is None else f"{host}:{port}"), is_local
