"""Annotated corpora to spaCy's binary format, for `spacy train`.

Each input is SCHEME:PATH; SCHEME*N:PATH takes its documents N times, and
SCHEME@FORMAT:PATH names a format that is not recognised. `python -m spacy deid convert`
takes the same inputs and has more options.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from ..label_schemes import TABLE, make_label_scheme
from ..schema import PII_KEY, StrategyError
from ..tokenizer import blank_pipeline
from .files import CorpusError
from .formats import AUTO, FORMATS, detect_format, read_documents
from .pseudonymized import GoldPseudonymizer, set_sentences, shuffle_sentences
from .readers import make_gold_docs
from .report import Report

PART = ".part"
_INPUT = re.compile(
    r"(?:(?P<scheme>[a-z]\w*)(?:\*(?P<copies>\d+))?(?:@(?P<format>[a-z]+))?:)?(?P<path>.+)"
)


@dataclass(frozen=True)
class Input:
    """A corpus to convert."""

    path: Path
    scheme: str
    copies: int = 1
    format: str = "jsonl"


@dataclass
class Split:
    """Reference docs for training and, where asked for, for development."""

    train: list[Doc]
    dev: list[Doc]


def parse_input(
    value: str, scheme: str | None = None, format: str = AUTO, encoding: str = "utf-8"
) -> Input:
    """Parse PATH, SCHEME:PATH, SCHEME*N:PATH or SCHEME*N@FORMAT:PATH."""
    match = _INPUT.fullmatch(value)
    if match is None or match["copies"] == "0":
        raise CorpusError(
            f"expected PATH, SCHEME:PATH or SCHEME*N@FORMAT:PATH, not '{value}'"
        )
    path = Path(match["path"])
    format = match["format"] or format
    if format == AUTO:
        format = detect_format(path, encoding)
    if format not in FORMATS:
        raise CorpusError(
            f"unknown format '{format}'; known are: {', '.join((AUTO, *FORMATS))}"
        )
    scheme = match["scheme"] or scheme or FORMATS[format].scheme
    if scheme not in TABLE:
        said = f"unknown label scheme '{scheme}'" if scheme else "no label scheme given"
        raise CorpusError(f"{path}: {said}; known are: {', '.join(TABLE)}")
    return Input(path, scheme, int(match["copies"] or 1), format)


def convert(
    inputs: Sequence[Input],
    lang: str = "en",
    *,
    seed: int = 0,
    shuffle: bool = True,
    dev_fraction: float = 0.0,
    limit: int = 0,
    pseudonymize: dict[str, Any] | None = None,
    cut_sentences: bool = False,
    report: Report | None = None,
    progress: Callable[[Iterable[Doc]], Iterable[Doc]] = iter,
    **options: Any,
) -> Split:
    """Read and mix annotated documents.

    inputs (Sequence[Input]): What to read.
    lang (str): Language code of the tokenizer.
    seed (int): Seed of the shuffle and of the split.
    shuffle (bool): Shuffle the documents.
    dev_fraction (float): Share of the documents that is held back for development;
        documents of the same text are never on both sides.
    limit (int): At most so many documents of each input; 0 for all.
    pseudonymize (Optional[dict]): Put surrogates in place of the gold spans, with these
        settings of `GoldPseudonymizer`.
    cut_sentences (bool): Make a document of each sentence, and shuffle these.
    report (Report): Counts what becomes of each annotation.
    progress (Callable): Wraps the documents of an input while they are read.
    **options (Any): Options of the formats' readers.
    RETURNS (Split): The reference docs.
    RAISES (CorpusError): For input that cannot be read, or has no annotated document.
    """
    report = Report() if report is None else report
    try:
        nlp = blank_pipeline(lang)
    except ImportError:
        raise CorpusError(
            f"spaCy has no language '{lang}', or lacks its parts"
        ) from None
    # The limit guards components that these docs never meet.
    nlp.max_length = sys.maxsize
    change = _keeper(cut_sentences)
    if pseudonymize is not None:
        change = _pseudonymizer(
            nlp, {**pseudonymize, "sentences": cut_sentences}, report
        )
    # With the original text, by which documents are held back.
    read: list[tuple[list[tuple[str, Doc]], int]] = []
    for source in inputs:
        docs = _read(nlp, source, report, limit, **options)
        pairs = list(change(progress(docs), source.path))
        if not pairs:
            raise CorpusError(_why_empty(source, report, **options))
        read.append((pairs, source.copies))
    rng = random.Random(seed)
    everything = [pair for pairs, _ in read for pair in pairs]
    held = _hold_back([text for text, _ in everything], dev_fraction, rng)
    dev = [doc for text, doc in everything if text in held]
    train: list[Doc] = []
    for pairs, copies in read:
        train.extend([doc for text, doc in pairs if text not in held] * copies)
    if cut_sentences:
        return Split(shuffle_sentences(train, rng), shuffle_sentences(dev, rng))
    if shuffle:
        rng.shuffle(train)
    return Split(train, dev)


def _read(
    nlp: Language, source: Input, report: Report, limit: int, **options: Any
) -> Iterator[Doc]:
    """The documents of an input."""
    report.start(
        path=str(source.path),
        format=source.format,
        scheme=source.scheme,
        copies=source.copies,
    )
    documents = read_documents(source.format, source.path, report, **options)
    scheme = make_label_scheme(source.scheme)
    return make_gold_docs(nlp, documents, scheme, report, limit)


# Why documents are left out, and what to do.
_LEFT_OUT = {
    "missing_annotation": "without annotation (in JSON each needs its 'entity_mentions', "
    "in brat its .ann file; see --format)",
    "broken_document": "whose text, tokens and labels do not fit together",
    "not_pseudonymized": "that cannot be freed of their originals (try another --strategy)",
}


def _why_empty(source: Input, report: Report, **options: Any) -> str:
    """What to say of an input of which no document is left."""
    counts = report.inputs[-1]["counts"]
    reasons = [
        f"{counts[kind]} {text}, the first: {report.first[kind]}"
        for kind, text in _LEFT_OUT.items()
        if counts[kind]
    ]
    if not reasons and source.format == "tab" and options.get("quality_checked"):
        reasons = ["none was checked; leave out --quality-checked"]
    why = "; ".join(reasons) or f"nothing to read as {source.format}; see --format"
    return f"no annotated documents in {source.path}: {why}"


# From the documents of an input to pairs of original text and document to be written.
_Change = Callable[[Iterable[Doc], Path], Iterator[tuple[str, Doc]]]


def _keeper(sentences: bool) -> _Change:
    """Gives documents as they are, with sentences if they are to be cut apart."""

    def change(docs: Iterable[Doc], path: Path) -> Iterator[tuple[str, Doc]]:
        for doc in docs:
            if sentences:
                set_sentences(doc, doc)
            yield doc.text, doc

    return change


def _pseudonymizer(nlp: Language, settings: dict[str, Any], report: Report) -> _Change:
    """Gives original texts and documents with surrogates, without those that fail."""
    replace = GoldPseudonymizer(nlp, **settings)
    # No string of an original is in it, whatever else is made of the documents.
    vocab = Vocab()

    def change(docs: Iterable[Doc], path: Path) -> Iterator[tuple[str, Doc]]:
        for number, doc in enumerate(docs, 1):
            if PII_KEY not in doc.spans:
                continue  # Counted where it was read.
            try:
                new = replace(doc, vocab, report)
            except (RuntimeError, StrategyError):
                # The message tells nothing that the reader of a report needs.
                report.add("not_pseudonymized", file=str(path), doc_id=f"{number}.")
                continue
            yield doc.text, new

    return change


def _hold_back(
    everything: Sequence[str], fraction: float, rng: random.Random
) -> set[str]:
    """Texts for development."""
    if not fraction:
        return set()
    texts = list(dict.fromkeys(everything))
    n = max(1, round(fraction * len(texts)))
    if n >= len(texts):
        raise CorpusError(
            f"{len(texts)} different documents are too few to hold some back"
        )
    return set(rng.sample(texts, n))


def write_docbins(docs: dict[Path, list[Doc]]) -> None:
    """Write Docs to `.spacy` files, all of them complete or none at all.

    docs (Dict[Path, List[Doc]]): The docs of each file.
    """
    parts = {path: path.with_name(path.name + PART) for path in docs}
    try:
        for path, part in parts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            data = DocBin(docs=docs[path], store_user_data=False).to_bytes()
            part.write_bytes(data)
        for path, part in parts.items():
            part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def write_docbin(docs: Iterable[Doc], path: str | Path) -> None:
    """Write Docs to a `.spacy` file, complete or not at all."""
    write_docbins({Path(path): list(docs)})
