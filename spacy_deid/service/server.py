"""A service's sockets, signals and logs."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn


def bind(host: str, port: int) -> socket.socket:
    """A socket at an address, not listening yet.

    RAISES (OSError): If there is no such address, or it is taken.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    # With its protocol: asyncio sends small answers at once only where it sees TCP.
    *kind, _, address = found[0]
    sock = socket.socket(*kind)
    if os.name == "posix":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(address)
    except OSError:
        sock.close()
        raise
    return sock


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._say_started()


def serve(
    app: Any, sock: socket.socket, timeout: float, started: Callable[[], None]
) -> None:
    """Serve until a signal comes; what is under way then is finished.

    app (Any): An ASGI application.
    sock (socket): Where.
    timeout (float): Seconds that requests have to be finished.
    started (Callable): Called when it listens.
    """
    # One line a request, without its query; of uvicorn's own, what goes wrong.
    line = "%(asctime)s %(levelname)s %(message)s"
    logging.basicConfig(stream=sys.stderr, format=line)
    logging.getLogger("spacy_deid.service").setLevel(logging.INFO)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="on", ws="none",
        server_header=False, proxy_headers=False,
        timeout_graceful_shutdown=int(timeout) + 1,
    )  # fmt: skip
    # It raises the signal once more when it has stopped, which is no failure.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    _Server(config, started).run(sockets=[sock])
