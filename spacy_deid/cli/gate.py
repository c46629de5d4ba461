"""`spacy deid gate`: whether a corpus may be released, by a policy in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from spacy.language import Language

from .. import embedded
from ..corpora.readers import read_records
from ..evaluation.gate.judge import how_many_more, judge, passes
from ..evaluation.gate.known_keys import KnownKey, published_keys, read_keys
from ..evaluation.gate.measures import Evidence, detection_metrics, measure_corpus
from ..evaluation.gate.policy import DEFAULT, read_policy
from ..evaluation.gate.released import (
    Originals,
    Released,
    compare,
    original_of,
    read_released,
)
from ..evaluation.gate.sample import Draw
from ..evaluation.gate.task import measure_loss
from ..evaluation.gold import GoldDocument, Mention
from ..records.declared import TEXT
from ..records.process import detectors_of, find_pseudonymizer
from ..review.documents import text_key
from ..review.gate_page import gate_page, shown
from ..schema import read_decided
from ..surrogates.strategies.base import get_strategy
from ._corpus import some
from ._errors import FAILED, CliError, describe, say
from ._errors import shown as shown_errors
from ._options import Orders, command
from ._process import load_model
from ._read import read_items
from ._review import check_page, facts_of, json_of, read_lines
from ._write import check_file, check_free, write_chunks, write_json
from .evaluate import load_golds
from .utility import read_setup


@dataclass(frozen=True)
class Inputs:
    """What the gate reads beside the corpus."""

    originals: str | None = None
    audit: Path | None = None
    gold: Path | None = None
    text_field: str = TEXT
    id_field: str = "doc_id"
    published_keys: Path | None = None
    earlier: list[Path] = field(default_factory=list)
    known: Path | None = None
    task: Path | None = None


@command
def gate_cli(
    corpus: Path,
    inputs: Inputs,
    orders: Orders,
    policy: Path | None = None,
    report: Path | None = None,
    output: Path | None = None,
    model: str = embedded.DEFAULT_PIPELINE,
    strategy: str | None = None,
    overwrite: bool = False,
) -> int:
    """Say whether a corpus may be released: hold it against a policy.

    Reads what `run` has written, its originals, and annotated documents for a sample of
    it, and measures what was missed, what is left in the whole corpus, what attackers
    find, k and ε. Estimates are judged by the worse end of their interval. Prints and
    writes one page (HTML and JSON) without any text of the documents.

    Exit status 0 only if every condition of the policy holds.
    """
    policy = policy or DEFAULT
    if strategy is not None:
        with shown_errors(ValueError, at="--strategy"):
            get_strategy(strategy)
    page = report or corpus.with_name(f"{corpus.name.split('.')[0]}.gate.html")
    data = output or json_of(page)
    taken = [corpus, inputs.audit, inputs.gold, inputs.known, policy, *inputs.earlier]
    check_page(page, "--report", taken, inputs.originals)
    check_file(data, "--output", [*taken, page], inputs.originals)
    check_free([page, data], overwrite)
    with shown_errors(ValueError, at=str(policy)):
        asked = read_policy(policy)
    keys = published_keys()
    if inputs.published_keys is not None:
        with shown_errors(ValueError, at=str(inputs.published_keys)):
            keys += read_keys(inputs.published_keys)
    released = read_corpus(corpus)
    golds = _Golds(inputs.gold)
    _compare(released, inputs, golds)
    nlp = load_model(model)
    orders.give(nlp)
    evidence = _evidence(nlp, released, golds, keys, inputs, strategy, asked.confidence)
    judged = judge(asked, measure_corpus(released, evidence, asked))
    found = {
        "passes": passes(judged),
        "corpus": corpus.name,
        "documents": len(released),
        "annotated": golds.used,
        "more_annotated_documents": how_many_more(judged),
        "policy": policy.name,
        "confidence": asked.confidence,
        "conditions": [row.to_json() for row in judged],
        "detection": detection_metrics(released, evidence, asked.confidence),
        "facts": facts_of(nlp),
    }
    print(format_gate(found))
    write_chunks(page, gate_page(found))
    write_json(data, found)
    say(f"Written: {page}, {data}")
    return 0 if found["passes"] else FAILED


def read_corpus(path: Path) -> list[Released]:
    """What `run` has written.

    RAISES (CliError): If it is none of that, or two documents have one id.
    """
    out: list[Released] = []
    seen: set[str] = set()
    what = "`run` writes to a .jsonl file"
    for number, released in read_lines(path, read_released, what):
        if released.doc_id in seen:
            raise CliError(f"{path}, line {number}: its doc_id is there twice")
        seen.add(released.doc_id)
        out.append(released)
    return some(out, path)


class _Golds:
    """Annotated documents by their texts, and how they were drawn."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.docs: dict[str, GoldDocument] = {}
        self.draws: dict[str, Draw] = {}
        self.used = 0
        if path is None:
            return
        unread = self._read_draws(path) if path.suffix == ".jsonl" else set()
        for gold in load_golds(path):
            if (key := text_key(gold.text)) not in unread:
                self.docs[key] = gold

    def _read_draws(self, path: Path) -> set[str]:
        """How documents of a page of `review` were drawn; which nobody has finished."""
        unread = set()
        with shown_errors(ValueError):
            for record in read_records(path):
                review, key = record.get("review"), text_key(record["text"])
                if not isinstance(review, dict):
                    continue
                if not review.get("done"):
                    unread.add(key)
                try:
                    self.draws[key] = Draw(*(review[name] for name in Draw._fields))
                except KeyError:
                    problem = "how a reviewed document was drawn cannot be read"
                    raise CliError(f"{path}: {problem}") from None
        return unread

    def of(self, released: Released) -> GoldDocument | None:
        old = released.original
        return None if old is None else self.docs.get(text_key(old))


def _compare(corpus: Sequence[Released], inputs: Inputs, golds: _Golds) -> None:
    """Put every document beside its original, as far as there is one."""
    own = [(gold.doc_id, gold.text) for gold in golds.docs.values()]
    given = [*_read_texts(inputs.originals, inputs)] if inputs.originals else []
    ids, pairs = {doc_id for doc_id, _ in given}, {*given}
    for pair in own:
        if pair[0] in ids and pair not in pairs:
            name = f"{golds.path}: document {json.dumps(pair[0])}"
            raise CliError(f"{name} has another text than in {inputs.originals}")
    originals = Originals([*given, *own])
    rows = read_lines(inputs.audit, _audited, "--audit writes") if inputs.audit else ()
    audited = dict(row for _, row in rows)
    for released in corpus:
        text: str | None = originals.find(released)
        if text is None and released.doc_id in audited:
            text = original_of(released, audited[released.doc_id])
        if text is not None:
            compare(released, text)


def _read_texts(name: str, inputs: Inputs) -> Iterator[tuple[str, str]]:
    for item in read_items([name], inputs.text_field, inputs.id_field):
        yield str(item.doc_id), item.text


def _audited(record: Any) -> tuple[str, list[Mapping[str, Any]]]:
    """The new id of a document of an audit, and its spans, of which all is there."""
    for row in record["spans"]:
        int(row["start"]), int(row["end"]), row["text"] + row["surrogate"]
    return str(record["new_doc_id"]), record["spans"]


def _evidence(
    nlp: Language,
    corpus: Sequence[Released],
    golds: _Golds,
    keys: Sequence[KnownKey],
    inputs: Inputs,
    strategy: str | None,
    level: float,
) -> Evidence:
    read = {each.doc_id: golds.of(each) for each in corpus}
    gold = {doc_id: found for doc_id, found in read.items() if found is not None}
    golds.used = len(gold)
    if golds.docs and not gold:
        raise CliError(f"{golds.path}: no document of it is in the corpus")
    keys_of = {doc_id: text_key(found.text) for doc_id, found in gold.items()}
    draws = {i: golds.draws[key] for i, key in keys_of.items() if key in golds.draws}
    known = dict(_read_texts(str(inputs.known), Inputs())) if inputs.known else {}
    earlier = [each for path in inputs.earlier for each in read_corpus(path)]

    setup = read_setup(inputs.task) if inputs.task else None

    return Evidence(
        nlp,
        find_pseudonymizer(nlp),
        partial(_detect, nlp),
        keys,
        strategy,
        gold,
        draws,
        known,
        earlier,
        None if setup is None else partial(measure_loss, setup=setup, level=level),
    )


def _detect(nlp: Language, texts: Sequence[str]) -> Iterator[GoldDocument]:
    """What a pipeline would mask."""
    with detectors_of(nlp):
        for text in texts:
            try:
                doc = nlp(text)
            except Exception as error:
                raise CliError(f"a document failed: {describe(error)}") from None
            found = read_decided(doc)
            rows = [(*d.place, d.label, d.decision, f"e{d.entity}") for d in found]
            yield GoldDocument(text, [[Mention(*row) for row in rows]])


def format_gate(found: Mapping[str, Any]) -> str:
    """A table for people."""
    lines = []
    for row in found["conditions"]:
        mark = {True: "ok", False: "FAILS", None: "-"}[row["holds"]]
        lines.append(f"{mark:<6}{row['measure']}: {row['rule']}")
        lines.append(f"      {shown(row)}")
    verdict = "may be released" if found["passes"] else "must not be released"
    lines += ["", f"{found['corpus']} {verdict} under {found['policy']}."]
    if more := found["more_annotated_documents"]:
        lines.append(f"To pass, annotate about {more:,} more documents.")
    return "\n".join(lines)
