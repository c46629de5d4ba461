"""The search engines that can be asked over HTTP."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any

from ...registries import registry
from .web import Page, WebBackend

GOOGLE = "https://www.googleapis.com/customsearch/v1"
# What its interface gives at once, and from which result on none.
_GOOGLE_PAGE, _GOOGLE_LAST = 10, 100


@registry.deid_search("spacy_deid.google_search.v1")
@dataclass(kw_only=True, eq=False, repr=False)
class GoogleSearch(WebBackend):
    """Google's Custom Search JSON API. It gets parts of the documents.

    engine_id (str): Id of the Programmable Search Engine (`cx`).
    api_key_env (str): Name of the environment variable that holds the API key.
    consent (Optional[str]): Nothing is made without these words: "I consent to sending
        parts of my documents, personal data included, to www.googleapis.com".
    endpoint (str): Where it is asked. The other settings are those of `WebBackend`.
    """

    engine = "google"
    max_pages = _GOOGLE_LAST // _GOOGLE_PAGE

    engine_id: str
    api_key_env: str
    endpoint: str = GOOGLE
    url: str = field(default="", init=False)
    # It has no machine of yours.
    allow_http: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.url = self.endpoint
        super().__post_init__()
        if not self.engine_id or not self.api_key_env:
            raise ValueError("Google's search needs 'engine_id' and 'api_key_env'")
        if not re.fullmatch(r"(?!AIza)[A-Za-z_][A-Za-z0-9_]*", self.api_key_env):
            # It may be the key itself: it is not shown.
            meant = "the name of an environment variable that holds the API key"
            raise ValueError(f"'api_key_env' is {meant}, not the key")

    @property
    def name(self) -> str:
        """See `WebBackend`."""
        return f"{super().name} {self.engine_id}"

    def _request(self, phrase: str, page: int) -> tuple[str, dict[str, str]]:
        if not (key := os.environ.get(self.api_key_env, "").strip()):
            setting = f"'{self.api_key_env}' (setting 'api_key_env')"
            problem = f"the environment variable {setting} is not set or empty"
            raise ValueError(f"{problem}: it should hold Google's API key")
        asked = {"key": key, "cx": self.engine_id, "q": f'"{phrase}"'}
        start = str(1 + page * _GOOGLE_PAGE)
        return "GET", {**asked, "num": str(_GOOGLE_PAGE), "start": start}

    def _read(self, answer: dict[str, Any], page: int) -> Page:
        urls = [str(item["link"]) for item in answer.get("items", ())]
        if (hits := int(answer["searchInformation"]["totalResults"])) < 0:
            raise ValueError("a negative number of results")
        more = bool(answer.get("queries", {}).get("nextPage"))
        return Page(urls, max(hits, len(urls)), more)

    def _refused(self, status: int) -> str:
        return "(check the API key, its quota and engine_id)"


@registry.deid_search("spacy_deid.searxng.v1")
@dataclass(kw_only=True, eq=False, repr=False)
class SearxNG(WebBackend):
    """A SearXNG instance. It, and the engines behind it, get parts of the documents.

    consent (Optional[str]): Nothing is made without these words: "I consent to sending
        parts of my documents, personal data included, to HOST", where HOST is that of
        `url`.
    engines (Optional[str]): Its engines to ask, with commas between, or its own choice.
    language (Optional[str]): Language of the results, for example "en", or all. The
        other settings are those of `WebBackend`.
    """

    engine = "searxng"
    # A page has as many results as the engines together give, often more than 20.
    max_pages = 3

    engines: str | None = None
    language: str | None = None

    def __post_init__(self) -> None:
        self.url = self.url.rstrip("/").removesuffix("/search") + "/search"
        super().__post_init__()

    @property
    def name(self) -> str:
        """See `WebBackend`."""
        return f"{super().name} {self.engines or ''} {self.language or ''}"

    def _request(self, phrase: str, page: int) -> tuple[str, dict[str, str]]:
        params = {"q": f'"{phrase}"', "format": "json", "pageno": str(page + 1)}
        params["safesearch"] = "0"
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
