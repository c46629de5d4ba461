"""The outermost layer: tokens, sizes, times, counts, and no text in any log or error."""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from ..disclosure import describe
from .crew import Crew
from .limits import Limits
from .metrics import Metrics

logger = logging.getLogger("spacy_deid.service")

# What probes and people need before they have a token; there is nothing secret in it.
OPEN = ("/health", "/health/live", "/docs", "/openapi.json")
METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH")
HEADERS = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
OTHER = "other"
BUSY = "too many documents are waiting"
_PORT = re.compile(r":\d*$")


def refusal(status: int, detail: str, **headers: str) -> JSONResponse:
    """An answer that says what is wrong."""
    return JSONResponse({"detail": detail}, status, headers or None)


@dataclass(repr=False)
class Guard:
    """An ASGI application around another one.

    app (Any): The application.
    paths (Collection[str]): Its paths; the names of others are never told.
    token (str): What clients have to show; "" for nothing.
    hosts (Collection[str]): Names that it answers to, so that no web page gets at a
        service without a token by a name of its own; empty for any.
    """

    app: Any
    paths: Collection[str]
    crew: Crew
    limits: Limits
    metrics: Metrics
    token: str = ""
    hosts: Collection[str] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        try:
            app = self._refuse(scope) or self.app
            await app(scope, self._limited(receive), watched)
        except Exception as error:
            # A traceback may have the document.
            logger.error("unexpected %s", describe(error))
        finally:
            self._count(scope, status, time.perf_counter() - start)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        path = scope["path"] if scope["path"] in self.paths else OTHER
        method = scope["method"] if scope["method"] in METHODS else OTHER
        self.metrics.requests.labels(path, str(status)).inc()
        self.metrics.seconds.labels(path).observe(seconds)
        logger.info("%s %s %d %.0f ms", method, path, status, 1000 * seconds)

    def _refuse(self, scope: Scope) -> JSONResponse | None:
        """What is wrong with a request, before its body is read."""
        headers = dict(scope["headers"])
        host = _PORT.sub("", headers.get(b"host", b"").decode("latin-1"))
        if self.hosts and host not in self.hosts:
            return refusal(421, "this service answers to names of its own machine only")
        if self.token and scope["path"] not in OPEN:
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            same = hmac.compare_digest(given.strip(), self.token.encode())
            if scheme.lower() != b"bearer" or not same:
                return refusal(401, "a bearer token is needed", **{"WWW-Authenticate": "Bearer"})  # fmt: skip
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > self.limits.max_bytes:
            return refusal(413, self._too_long)
        if scope["method"] == "POST" and self.crew.is_full:
            return refusal(503, BUSY, **{"Retry-After": "1"})
        return None

    @property
    def _too_long(self) -> str:
        return f"more than {self.limits.max_bytes} bytes"

    def _limited(self, receive: Receive) -> Receive:
        """A body that is neither too long nor too slow."""
        size, more = 0, True
        end = time.monotonic() + self.limits.timeout

        async def limited() -> Message:
            nonlocal size, more
            if not more:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), end - time.monotonic())
            except asyncio.TimeoutError:
                raise HTTPException(408, "the body takes too long") from None
            size += len(message.get("body", b""))
            more = message.get("more_body", False)
            if size > self.limits.max_bytes:
                raise HTTPException(413, self._too_long)
            return message

        return limited
