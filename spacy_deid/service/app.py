"""The routes: what they take, what they give, and their OpenAPI description."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.exceptions import HTTPException

from ..about import __version__
from ..records.declared import TEXT, Declared
from ..records.output import taken_name
from ..records.paths import values_at
from ..records.process import Failure
from ..tables import read_columns
from .crew import Busy, Crew
from .desk import ANALYZE, DEIDENTIFY, RESTORE, Answer, Job, Order, failed
from .guard import BUSY, Guard, logger
from .limits import Limits
from .metrics import Metrics

PAGE = (Path(__file__).parent / "page.html").read_text("utf8")
# The page has what it needs; it loads nothing from elsewhere.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"  # fmt: skip
TOO_LONG = "TooLong"
# Of a single document that failed.
STATUS = {TOO_LONG: 413, TimeoutError.__name__: 504}
BAD_COLUMNS = (
    "columns: names of fields of text, or of fields and their types (null for text), "
    "each once and none that the answer has for its own"
)
NO_KEY = "this service has no secret key that lasts"
NO_VAULT = "this service keeps no vault: start it with --vault and the secret key"
ONE_TEXT = "this service keeps a vault, which restores one text a document"
EXAMPLE: Any = {"text": "Mr Baker left Leeds."}
EXAMPLES: Any = [EXAMPLE, {"documents": [{"doc_id": "a", **EXAMPLE}]}]


class Body(BaseModel):
    """One text, or documents."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": EXAMPLES})
    text: str | None = None
    doc_id: str | int | None = None
    documents: list[dict[str, Any]] | None = Field(
        None, description="Records with an id (`doc_id`), text and whatever else."
    )

    @model_validator(mode="after")
    def _one_of_two(self) -> Body:
        if (self.text is None) == (self.documents is None):
            raise ValueError("give either text or documents")
        return self

    def records(self) -> list[dict[str, Any]]:
        """The documents, also where there is but a text."""
        if self.documents is not None:
            return self.documents
        known = {} if self.doc_id is None else {"doc_id": self.doc_id}
        return [{**known, TEXT: self.text}]


class Texts(Body):
    """What is to be read."""

    columns: str | list[str] | dict[str, str | None] = Field(
        TEXT,
        description="Fields of text; or fields and their types, null for text: "
        '`{"note": null, "name": "PERSON"}`. They share their surrogates.',
    )
    id_field: str = "doc_id"
    subject_field: str | None = Field(
        None,
        description="Field with the id of the person a document is about, whose dates "
        "all move by the same interval. Needs the secret key.",
    )
    mask: Literal["all"] | None = Field(
        None, description="all: every span found, whatever was judged."
    )

    def declared(self) -> Declared | None:
        """The fields that are read, None if they make no sense."""
        try:
            declared = read_columns(
                self.columns, id_field=self.id_field, subject=self.subject_field
            )
        except ValueError:
            return None
        return None if taken_name(declared) else declared


class ToDeidentify(Texts):
    original_offsets: bool = Field(
        True, description="Whether spans have `start` and `end` in the original text."
    )
    strict_fields: bool = Field(
        False, description="Leave out fields that are neither in `columns` nor ids."
    )


class Span(BaseModel):
    """A span of a text, with its offsets."""

    model_config = ConfigDict(extra="allow")
    start: int
    end: int
    label: str
    subtype: str
    decision: str


class Found(BaseModel):
    """What was found in a document; its `error` if nothing came of it."""

    model_config = ConfigDict(extra="allow")
    doc_id: Any = None
    spans: list[Span] = []
    error: str | None = None


class New(Found):
    """A document, de-identified."""

    text: str | None = None
    epsilon: float | None = None


class Back(BaseModel):
    """A document with its originals. `status`: exact, searched or unknown."""

    record: dict[str, Any]
    status: str
    restored: int
    left: list[tuple[int, int]]
    left_fields: list[str]
    missing: int


class FoundOfAll(BaseModel):
    documents: list[Found]


class NewOfAll(BaseModel):
    documents: list[New]


class BackOfAll(BaseModel):
    documents: list[Back]


@dataclass
class Service:
    """The routes.

    about (dict): What the pipeline is called.
    vault (bool): Whether the workers have one.
    key (bool): Whether there is a key that lasts.
    """

    crew: Crew
    limits: Limits
    about: dict[str, Any]
    vault: bool = False
    key: bool = False

    def __post_init__(self) -> None:
        self.metrics = Metrics(self.crew)

    async def deidentify(self, body: ToDeidentify) -> Response:
        """De-identify a text or documents. The answer has the fields of a JSON line of
        `spacy deid run`; a document that fails has its id and the class of the error."""
        told = body.original_offsets, body.strict_fields
        return await self._read(DEIDENTIFY, body, *told)

    async def analyze(self, body: Texts) -> Response:
        """What is found in a text or in documents, and how it is judged; nothing is
        replaced."""
        return await self._read(ANALYZE, body)

    async def _read(
        self, kind: str, body: Texts, offsets: bool = True, strict: bool = False
    ) -> Response:
        if (declared := body.declared()) is None:
            raise HTTPException(422, BAD_COLUMNS)
        if body.subject_field is not None and not self.key:
            raise HTTPException(422, NO_KEY)
        if self.vault and kind == DEIDENTIFY and len(declared.texts) != 1:
            raise HTTPException(422, ONE_TEXT)
        order = Order(kind, declared, body.mask == "all", offsets, strict)
        return await self._answer(order, body, declared.names)

    async def restore(self, body: Body) -> Response:
        """The originals of what this service, or `spacy deid run` with the same vault,
        has de-identified: unchanged, edited or quoted."""
        if not self.vault:
            raise HTTPException(403, NO_VAULT)
        return await self._answer(Order(RESTORE), body, (TEXT,))

    async def _answer(
        self, order: Order, body: Body, names: Collection[str]
    ) -> Response:
        if len(records := body.records()) > self.limits.max_documents:
            raise HTTPException(413, f"more than {self.limits.max_documents} documents")
        values = [values_at(record, names) for record in records]
        sizes = [sum(len(x) for x in own if isinstance(x, str)) for own in values]
        fit = [i for i, size in enumerate(sizes) if size <= self.limits.max_chars]
        jobs = [Job(order, records[i]) for i in fit]
        done = await self._do(jobs, [sizes[i] for i in fit])
        results = dict(zip(fit, done))
        found = [results.get(i, Failure(TOO_LONG, "")) for i in range(len(records))]
        answers = [_answer_of(order, *pair) for pair in zip(records, found)]
        self._count(order.kind, answers, sizes)
        if body.documents is None:
            return self._single(answers[0])
        lines = b",".join(answer.line for answer in answers)
        return Response(b'{"documents":[%b]}' % lines, media_type="application/json")

    async def _do(self, jobs: Sequence[Job], sizes: Sequence[int]) -> list[Any]:
        try:
            return await self.crew.do(jobs, sizes)
        except Busy:
            raise HTTPException(503, BUSY, {"Retry-After": "1"}) from None
        except asyncio.TimeoutError:
            told = f"it takes longer than {self.limits.timeout:g} s"
            raise HTTPException(504, told) from None

    def _single(self, answer: Answer) -> Response:
        status = 200
        if answer.error:
            status = STATUS.get(answer.error, 500 if answer.place else 422)
        return Response(answer.line, status, media_type="application/json")

    def _count(self, kind: str, answers: Sequence[Answer], sizes: list[int]) -> None:
        bad = [answer for answer in answers if answer.error]
        for answer in bad:
            if answer.place:
                logger.warning("a document failed: %s", answer.place)
        counts, path = self.metrics.documents, f"/{kind}"
        counts.labels(path, "done").inc(len(answers) - len(bad))
        counts.labels(path, "failed").inc(len(bad))
        self.metrics.characters.labels(path).inc(sum(sizes))

    async def health(self) -> Response:
        """Whether it is ready: 503 if not."""
        ready = len(self.crew.ready)
        told = {"ready": bool(ready), "workers_ready": ready, "version": __version__}
        return JSONResponse({**told, **self.about}, 200 if ready else 503)


def _answer_of(order: Order, record: dict[str, Any], result: Any) -> Answer:
    if isinstance(result, Answer):
        return result
    if isinstance(result, Exception):
        # Its worker went down, and with it what it could have said.
        result = Failure(type(result).__name__, type(result).__name__)
    return failed(order, record, result)


def make_app(service: Service, token: str = "", hosts: Collection[str] = ()) -> Guard:
    """The application of a service.

    token (str): What clients have to show; "" for nothing.
    hosts (Collection[str]): Names that it answers to; empty for any.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.crew.open()
        yield
        await service.crew.stop()

    app = FastAPI(
        title="spacy_deid", version=__version__, description="De-identifies texts.",
        lifespan=lifespan, docs_url=None, redoc_url=None,
    )  # fmt: skip
    _add_routes(app, service)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        # No value that was sent, nor any name but ours.
        rows = ((e["type"], _where(e["loc"]), _problem(e)) for e in error.errors())
        problems = [dict(zip(("type", "where", "problem"), row)) for row in rows]
        told = {"detail": "the body is not valid", "problems": problems}
        return JSONResponse(told, 422)

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        return JSONResponse({"detail": "unexpected error"}, 500)

    paths = {getattr(route, "path", "") for route in app.routes}
    crew, limits, metrics = service.crew, service.limits, service.metrics
    return Guard(app, paths, crew, limits, metrics, token, hosts)


KNOWN = frozenset({"body", *ToDeidentify.model_fields})
# What pydantic says of these holds nothing of the input.
TOLD = ("missing", "value_error", "json_invalid", "extra_forbidden", "literal_error")


def _where(places: Sequence[Any]) -> list[Any]:
    return [p if isinstance(p, int) or p in KNOWN else "..." for p in places]


def _problem(error: dict[str, Any]) -> str:
    told = error["type"] in TOLD or error["type"].endswith("_type")
    return error["msg"] if told else "not valid"


def _add_routes(app: FastAPI, service: Service) -> None:
    refused: dict[int | str, dict[str, Any]] = {
        413: {"description": "Too long, or too many documents"},
        422: {"description": "The body, or the only document, is not valid"},
        503: {"description": BUSY.capitalize()},
        504: {"description": "It takes too long"},
    }

    for route, model in (
        (service.deidentify, New | NewOfAll),
        (service.analyze, Found | FoundOfAll),
        (service.restore, Back | BackOfAll),
    ):
        path = f"/{route.__name__}"
        app.post(path, response_model=model, responses=refused)(route)
    app.get("/health")(service.health)

    @app.get("/health/live")
    async def live() -> dict[str, bool]:
        """Whether it is there at all."""
        return {"live": True}

    @app.get("/metrics")
    async def metrics() -> Response:
        """Counts and times for Prometheus."""
        text = generate_latest(service.metrics.registry)
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(PAGE, headers={"Content-Security-Policy": POLICY})
