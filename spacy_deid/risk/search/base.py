"""What a search back end is, and what all of them share."""

from __future__ import annotations

import os
import re
import threading
import unicodedata
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from ...text.names import strip_possessive

_QUOTES = re.compile(r'["“”„‟«»]')


class SearchError(RuntimeError):
    """A search brought no usable answer. The message holds nothing of the query."""


class SearchResult(NamedTuple):
    """What was found for a phrase."""

    urls: tuple[str, ...]
    hits: int


class SearchBackend(Protocol):
    """Finds pages that hold a phrase; any object with this method will do, if it
    pickles and can be used after a fork."""

    def search(self, phrase: str, top: int) -> SearchResult:
        """Pages that hold a phrase word by word.

        phrase (str): What to look for, see `clean_phrase`.
        top (int): How many addresses are wanted; 0 if only the number of hits is.
        RAISES (SearchError): If there is no answer.
        """
        ...


def clean_phrase(text: str) -> str:
    """The words of a span as a search engine should get them between quotes."""
    text = unicodedata.normalize("NFKC", text)
    # Soft hyphens and the like go, line breaks and other control characters separate.
    kinds = ((ch, unicodedata.category(ch)) for ch in text)
    text = "".join(" " if k == "Cc" else ch for ch, k in kinds if k not in ("Cf", "Cs"))
    words = strip_possessive(_QUOTES.sub(" ", text)).split()
    while words and not any(map(str.isalnum, words[0])):
        del words[0]
    while words and not any(map(str.isalnum, words[-1])):
        del words[-1]
    return " ".join(words).rstrip(",;:")


def page_key(url: str) -> str:
    """The form under which addresses of one page are equal."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.strip()
    if not parts.scheme or not parts.hostname:
        return url.strip()
    host = parts.hostname.rstrip(".").removeprefix("www.")
    if port is not None and port != {"http": 80, "https": 443}.get(parts.scheme):
        host += f":{port}"
    tracks = ("utm_", "fbclid=", "gclid=")
    items = filter(None, parts.query.split("&"))
    query = [item for item in items if not item.lower().startswith(tracks)]
    path = unquote(parts.path).rstrip("/")
    return f"{host}{path}{'?' if query else ''}{'&'.join(query)}"


# Of a process that forked: closing them here would take the parent's locks away.
_inherited: list[Any] = []


class _Current(threading.local):
    pid = 0
    value: Any = None


class Connected:
    """Holds something that is opened when it is first needed, once in each process and
    thread, and never pickled."""

    def __init__(self) -> None:
        self._current = _Current()

    def open(self) -> Any:
        """Open it anew."""
        raise NotImplementedError

    def connection(self) -> Any:
        """RETURNS (Any): What `open` gave in this process and thread."""
        current, pid = self._current, os.getpid()
        if current.pid != pid:
            if current.value is not None:
                _inherited.append(current.value)
                current.value = None
            current.value = self.open()
            current.pid = pid
        return current.value

    def close(self) -> None:
        """Close what this process and thread opened."""
        if (current := self._current).pid == os.getpid():
            value, current.value, current.pid = current.value, None, 0
            value.close()

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_current"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._current = _Current()
