"""`spacy deid serve`: the pipeline as a service over HTTP."""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import socket
from functools import partial
from pathlib import Path

from ..embedded import DEFAULT_PIPELINE
from ..service.crew import Crew
from ..service.desk import ABOUT, Desk, Job, Order, answer
from ..service.limits import Limits
from ..surrogates.consistency import check_key
from ..vault import VaultError
from ._errors import CliError, say, shown
from ._languages import AUTO
from ._options import Orders, check_mask, command
from ._process import Settings, load_pipeline
from .run import make_vault

TOKEN_ENV = "SPACY_DEID_TOKEN"
# Names of this machine.
LOCAL = ("localhost", "127.0.0.1", "[::1]")


@command
def serve_cli(
    orders: Orders,
    limits: Limits,
    host: str = "127.0.0.1",
    port: int = 8000,
    model: str = DEFAULT_PIPELINE,
    mask: str | None = None,
    strategy: str | None = None,
    key_env: str | None = None,
    vault: Path | None = None,
    workers: int = 1,
    token_env: str | None = None,
    without_token: bool = False,
) -> None:
    """Serve de-identification over HTTP.

    POST /deidentify, /analyze, and with a vault /restore; GET /health, /metrics, and
    /docs for a description. Nothing of a document is logged. It stops at Ctrl-C or
    SIGTERM when what is under way is done.
    """
    try:
        from ..service import app, server
    except ImportError as error:
        problem = f"serve needs a package that is not installed ({error.name})"
        raise CliError(f"{problem}: pip install 'spacy-deid[serve]'") from error
    settings = Settings(
        "", "", model, strategy, mask,
        key_env=key_env, vault=vault, orders=orders, salt=os.urandom(16),
    )  # fmt: skip
    has_key = _check(settings)
    token = _read_token(token_env)
    if not token and not _is_loopback(host) and not without_token:
        problem = f"--host {host}: whoever reaches it could use it"
        token = f"set {TOKEN_ENV} to a bearer token (or choose another variable with"
        raise CliError(f"{problem}: {token} --token-env), or say --without-token")
    try:
        sock = server.bind(host, port)
    except (socket.gaierror, UnicodeError):
        raise CliError(f"--host {host}: there is no such address") from None
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise CliError(f"--host {host}, --port {port}: {reason}") from None
    load, hello = partial(open_desk, settings), [Job(Order(ABOUT), {})]
    crew = Crew(answer, load, workers, hello, limits.timeout, limits.max_waiting)
    with sock, contextlib.closing(crew):
        about = json.loads(crew.start()[0].line)
        service = app.Service(crew, limits, about, vault is not None, has_key)
        names = () if token or without_token else (*LOCAL, _shown(host))
        where = f"http://{_shown(host)}:{sock.getsockname()[1]}"
        told = f"{about['model']} {about['model_version']} at {where}, see {where}/docs"
        made = app.make_app(service, token, names)
        server.serve(made, sock, limits.timeout, lambda: say(f"Serving {told}"))
    say("Stopped.")


def open_desk(settings: Settings) -> Desk:
    """What a worker needs, the key of its environment among it."""
    vault = settings.vault and make_vault(settings.vault, settings.key_env)
    return Desk(load_pipeline(settings), settings.salt, vault or None)


def _check(settings: Settings) -> bool:
    """Check what need not wait for a pipeline; whether there is a key."""
    check_mask(settings.mask)
    if settings.model == AUTO:
        raise CliError("--model auto: a service has one pipeline: name it")
    if (key := settings.get_key()) is not None:
        with shown(ValueError):
            check_key(key)
    if settings.vault is not None:
        with shown(VaultError):
            vault = make_vault(settings.vault, settings.key_env)
            vault.open_or_make()
            vault.verify()
    return key is not None


def _read_token(name: str | None) -> str:
    if not (token := os.environ.get(name or TOKEN_ENV, "")) and name is not None:
        raise CliError(f"the environment variable {name} (--token-env) is not set")
    if token:
        # It is worth as much as a key.
        with shown(ValueError, at=name or TOKEN_ENV):
            check_key(token)
    return token


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _shown(host: str) -> str:
    """A host as addresses have it."""
    return f"[{host}]" if ":" in host else host
