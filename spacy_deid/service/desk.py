"""What is done with the documents of requests, in a worker process."""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from spacy.language import Language

from ..disclosure import describe
from ..records.cells import as_json
from ..records.declared import TEXT, Declared
from ..records.output import JSONL, make_record, vault_row
from ..records.process import Done, Failure, find_pseudonymizer
from ..schema import DIRECT, NO_MASK, QUASI
from ..tables import Plan
from ..vault import NewRow, Vault
from ..vault.restorer import Restorer

DEIDENTIFY, ANALYZE, RESTORE, ABOUT = "deidentify", "analyze", "restore", "about"

FIRST = "Mr Robert Murray of Leeds was born on 6 May 1961."


class Order(NamedTuple):
    """What is to be done with a document.

    kind (str): `DEIDENTIFY`, `ANALYZE`, `RESTORE`, or `ABOUT` to tell of the pipeline.
    declared (Declared): The fields that are read.
    all (bool): Whether every span is masked, whatever was judged.
    offsets (bool): Whether spans have their places in the original text.
    strict (bool): Whether fields that nobody declared are left out.
    """

    kind: str
    declared: Declared = Declared(id_field="doc_id")
    all: bool = False
    offsets: bool = True
    strict: bool = False


class Job(NamedTuple):
    """A document: its fields, and what is to be done with it."""

    order: Order
    fields: dict[str, Any]


class Answer(NamedTuple):
    """What came of a document.

    line (bytes): A JSON object.
    error (str): Class of the error if it failed.
    place (str): Where it was raised; "" if something is wrong with the document.
    """

    line: bytes
    error: str = ""
    place: str = ""


class Desk:
    """A pipeline, and the vault that keeps what it replaced.

    salt (bytes): Makes pseudonymous ids where there is no key.
    """

    def __init__(self, nlp: Language, salt: bytes, vault: Vault | None = None) -> None:
        self.nlp, self.salt, self.vault = nlp, salt, vault
        self.pipe = find_pseudonymizer(nlp)
        self.mask = self.pipe.mask
        self._restorer: tuple[int, Restorer] | None = None

    def about(self) -> dict[str, Any]:
        """What the pipeline is called, when it has read what it loads with the first text."""
        self._plan(Order(ABOUT)).run(self.nlp, [{TEXT: FIRST}])
        if self.vault is not None:
            self.vault.open()
        meta = self.nlp.meta
        return {"model": f"{meta['lang']}_{meta['name']}", "model_version": meta["version"]}  # fmt: skip

    def answer(self, jobs: Sequence[Job]) -> list[Answer]:
        """Do jobs, those of one order together. One that fails does not stop the others."""
        groups: dict[tuple[Order, tuple[str, ...]], list[int]] = defaultdict(list)
        for i, job in enumerate(jobs):
            # Equal ones may have their fields in another order.
            groups[job.order, job.order.declared.names].append(i)
        out: dict[int, Answer] = {}
        for (order, _), where in groups.items():
            rows = [jobs[i].fields for i in where]
            try:
                answers = [*self._answers(order, rows)]
            except Exception as error:
                lost = Failure(type(error).__name__, describe(error))
                answers = [failed(order, fields, lost) for fields in rows]
            out.update(zip(where, answers))
        return [out[i] for i in range(len(jobs))]

    def _answers(self, order: Order, rows: list[dict[str, Any]]) -> Iterator[Answer]:
        if order.kind == DEIDENTIFY:
            return self._deidentified(order, rows)
        if order.kind == ANALYZE:
            return self._analyzed(order, rows)
        if order.kind == RESTORE:
            return (self._restored(order, fields) for fields in rows)
        return (Answer(to_json(self.about())) for _ in rows)

    def _deidentified(
        self, order: Order, rows: list[dict[str, Any]]
    ) -> Iterator[Answer]:
        self.pipe.mask = "all" if order.all else self.mask
        answers, kept = [], []
        for fields, done in zip(rows, self._plan(order).run(self.nlp, rows)):
            try:
                answer, row = self._written(order, fields, done)
            except Exception as error:
                lost = Failure(type(error).__name__, describe(error))
                answer, row = failed(order, fields, lost), None
            answers.append(answer)
            kept += [row] if row is not None else []
        if self.vault is not None:
            # Before anybody has an answer.
            self.vault.add(kept)
        return iter(answers)

    def _written(
        self, order: Order, fields: dict[str, Any], done: Done | Failure
    ) -> tuple[Answer, NewRow | None]:
        """A document as it goes out, and what the vault keeps of it."""
        if isinstance(done, Failure):
            return failed(order, fields, done), None
        if (doc_id := order.declared.id_of(fields)) is None and self.vault is not None:
            # By which it is found again when it was edited.
            doc_id = secrets.token_hex(8)
        known = done.declared.known
        left_out = [name for name in fields if order.strict and name not in known]
        shown = {name: v for name, v in fields.items() if name not in left_out}
        row, _ = make_record(done, doc_id, shown, order.offsets)
        answer = Answer(to_json(row))
        if self.vault is None:
            return answer, None
        kept = fields, row["doc_id"], row, JSONL, left_out
        return answer, vault_row(done, doc_id, *kept)

    def _plan(self, order: Order) -> Plan:
        return Plan(order.declared, salt=self.salt)

    def _analyzed(self, order: Order, rows: list[dict[str, Any]]) -> Iterator[Answer]:
        every = order.all or self.mask == "all"
        for fields, found in zip(rows, self._plan(order).find(self.nlp, rows)):
            if isinstance(found, Failure):
                yield failed(order, fields, found)
                continue
            spans = [span | {"decision": _decision(span, every)} for span in found]
            told = {"doc_id": order.declared.id_of(fields), "spans": spans}
            yield Answer(to_json(told))

    def _restored(self, order: Order, fields: dict[str, Any]) -> Answer:
        if not isinstance(text := fields.get(TEXT), str):
            return failed(order, fields, Failure("ValueError", ""))
        doc_id = order.declared.id_of(fields)
        doc = self._known().restore(doc_id, text, fields, TEXT)
        record = doc.record or {"doc_id": doc_id, "text": doc.text}
        told = {"record": record, "status": doc.status, "restored": doc.n}
        told |= {"left": doc.left, "left_fields": doc.left_fields}
        return Answer(to_json({**told, "missing": doc.missing}))

    def _known(self) -> Restorer:
        """The restorer of the vault as it is now: others write to it, too."""
        if self.vault is None:
            raise ValueError("there is no vault")
        count = self.vault.open()
        if self._restorer is None or self._restorer[0] != count:
            self._restorer = count, Restorer(self.vault)
        return self._restorer[1]


def answer(desk: Desk, jobs: Sequence[Job]) -> list[Answer]:
    """What a worker does."""
    return desk.answer(jobs)


def failed(order: Order, fields: dict[str, Any], failure: Failure) -> Answer:
    """What is told of a document of which nothing came: its id, and the class of the
    error."""
    told = {"doc_id": order.declared.id_of(fields), "error": failure.kind}
    return Answer(to_json(told), *failure)


def to_json(value: Any) -> bytes:
    """JSON in UTF-8; what is no character or no number is written as JSON can."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(as_json(value), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


def _decision(span: dict[str, Any], every: bool) -> str:
    """What `deidentify` would say of a span."""
    if (judged := span["identifier_type"]) == NO_MASK and not every:
        return NO_MASK
    return DIRECT if judged == DIRECT else QUASI
