"""The search engines that can be asked over HTTP."""

from __future__ import annotations

import os
import re
from typing import Any

from ...registries import registry
from .web import Page, WebBackend

GOOGLE = "https://www.googleapis.com/customsearch/v1"
# What its interface gives at once, and from which result on none.
_GOOGLE_PAGE, _GOOGLE_LAST = 10, 100


class GoogleSearch(WebBackend):
    """See `make_google_search`."""

    engine = "google"
    max_pages = _GOOGLE_LAST // _GOOGLE_PAGE

    def __init__(
        self,
        engine_id: str,
        api_key_env: str,
        consent: str | None,
        endpoint: str = GOOGLE,
        **settings: Any,
    ) -> None:
        super().__init__(endpoint, consent, **settings)
        if not engine_id or not api_key_env:
            raise ValueError("Google's search needs 'engine_id' and 'api_key_env'")
        if not re.fullmatch(r"(?!AIza)[A-Za-z_][A-Za-z0-9_]*", api_key_env):
            # It may be the key itself: it is not shown.
            raise ValueError(
                "'api_key_env' is the name of an environment variable that holds the "
                "API key, not the key"
            )
        self.engine_id = engine_id
        self.api_key_env = api_key_env

    @property
    def name(self) -> str:
        """See `WebBackend`."""
        return f"{super().name} {self.engine_id}"

    def _request(self, phrase: str, page: int) -> tuple[str, dict[str, str]]:
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise ValueError(
                f"the environment variable '{self.api_key_env}' (setting "
                "'api_key_env') is not set or empty: it should hold Google's API key"
            )
        params = {
            "key": key,
            "cx": self.engine_id,
            "q": f'"{phrase}"',
            "num": str(_GOOGLE_PAGE),
            "start": str(1 + page * _GOOGLE_PAGE),
        }
        return "GET", params

    def _read(self, answer: dict[str, Any], page: int) -> Page:
        urls = [str(item["link"]) for item in answer.get("items", ())]
        hits = int(answer["searchInformation"]["totalResults"])
        if hits < 0:
            raise ValueError("a negative number of results")
        more = bool(answer.get("queries", {}).get("nextPage"))
        return Page(urls, max(hits, len(urls)), more)

    def _refused(self, status: int) -> str:
        return "(check the API key, its quota and engine_id)"


class SearxNG(WebBackend):
    """See `make_searxng`: it passes queries on to the engines it is set up with."""

    engine = "searxng"
    # A page has as many results as the engines together give, often more than 20.
    max_pages = 3

    def __init__(
        self,
        url: str,
        consent: str | None,
        engines: str | None = None,
        language: str | None = None,
        **settings: Any,
    ) -> None:
        base = url.rstrip("/").removesuffix("/search")
        super().__init__(f"{base}/search", consent, **settings)
        self.engines = engines
        self.language = language

    @property
    def name(self) -> str:
        """See `WebBackend`."""
        return f"{super().name} {self.engines or ''} {self.language or ''}"

    def _request(self, phrase: str, page: int) -> tuple[str, dict[str, str]]:
        params = {
            "q": f'"{phrase}"',
            "format": "json",
            "pageno": str(page + 1),
            "safesearch": "0",
        }
        if self.engines:
            params["engines"] = self.engines
        if self.language:
            params["language"] = self.language
        # Not in the address, which servers and proxies write to their logs.
        return "POST", params

    def _read(self, answer: dict[str, Any], page: int) -> Page:
        urls = [str(r["url"]) for r in answer["results"] if r.get("url")]
        if not urls and page == 0 and answer.get("unresponsive_engines"):
            # Nobody has looked: that is not the same as nothing found.
            raise ValueError("no engine answered")
        # Zero, or missing, where its engines give no number.
        hits = int(answer.get("number_of_results") or 0)
        return Page(urls, max(hits, len(urls)), bool(urls))

    def _refused(self, status: int) -> str:
        if status == 403:
            return "(the instance must allow the format json: search.formats)"
        return "(check the address of the instance)"


@registry.deid_search("spacy_deid.google_search.v1")
def make_google_search(
    engine_id: str,
    api_key_env: str,
    consent: str | None = None,
    endpoint: str = GOOGLE,
    interval: float = 1.0,
    timeout: float = 20.0,
    tries: int = 5,
    first_wait: float = 1.0,
    max_wait: float = 120.0,
    cache_path: str | None = None,
    cache_key_env: str = "SPACY_DEID_KEY",
    cache_days: float = 30.0,
) -> GoogleSearch:
    """Google's Custom Search JSON API. It gets parts of the documents.

    engine_id (str): Id of the Programmable Search Engine (`cx`).
    api_key_env (str): Name of the environment variable that holds the API key.
    consent (Optional[str]): Nothing is made without these words: "I consent to sending
        parts of my documents, personal data included, to www.googleapis.com".
    endpoint (str): Where it is asked.
    RETURNS (GoogleSearch): The back end; the other settings are those of `WebBackend`.
    """
    return GoogleSearch(**locals())


@registry.deid_search("spacy_deid.searxng.v1")
def make_searxng(
    url: str,
    consent: str | None = None,
    engines: str | None = None,
    language: str | None = None,
    allow_http: bool = False,
    interval: float = 1.0,
    timeout: float = 20.0,
    tries: int = 5,
    first_wait: float = 1.0,
    max_wait: float = 120.0,
    cache_path: str | None = None,
    cache_key_env: str = "SPACY_DEID_KEY",
    cache_days: float = 30.0,
) -> SearxNG:
    """A SearXNG instance. It, and the engines behind it, get parts of the documents.

    url (str): The instance's address.
    consent (Optional[str]): Nothing is made without these words: "I consent to sending
        parts of my documents, personal data included, to HOST", where HOST is that of
        `url`.
    engines (Optional[str]): Its engines to ask, with commas between, or its own choice.
    language (Optional[str]): Language of the results, for example "en", or all.
    allow_http (bool): Send to other machines without encryption.
    RETURNS (SearxNG): The back end; the other settings are those of `WebBackend`.
    """
    return SearxNG(**locals())
