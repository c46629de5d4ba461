"""Annotated corpora to spaCy's binary format, for `spacy train`.

Each input is SCHEME:PATH; SCHEME*N:PATH takes its documents N times, and
SCHEME@FORMAT:PATH names a format that is not recognised. `python -m spacy deid convert`
takes the same inputs and has more options.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, DocBin

from ..label_schemes import TABLE, make_label_scheme
from ..schema import PII_KEY, StrategyError
from ..tokenizer import blank_pipeline
from .corpus import FORMATS, detect_format, read_documents
from .files import CorpusError
from .folds import fold_of, parse_fold
from .pseudonymized import GoldPseudonymizer, set_sentences, shuffle_sentences
from .readers import make_gold_docs
from .report import Report

AUTO = "auto"
_INPUT = re.compile(
    r"(?:(?P<scheme>[a-z]\w*)(?:\*(?P<copies>\d+))?(?:@(?P<format>[a-z]+))?:)?(?P<path>.+)"
)
# Original text, by which documents are held back, document and copies of it.
_Read = tuple[str, Doc, int]


@dataclass(frozen=True)
class Input:
    """A corpus to convert."""

    path: Path
    scheme: str
    copies: int = 1
    format: str = "jsonl"
    labels: Mapping[str, str | None] | None = None


@dataclass
class Split:
    """Reference docs for training and, where asked for, for development."""

    train: list[Doc]
    dev: list[Doc]


def parse_input(
    value: str,
    scheme: str | None = None,
    format: str = AUTO,
    encoding: str = "utf-8",
    labels: Mapping[str, str | None] | None = None,
) -> Input:
    """Parse PATH, SCHEME:PATH, SCHEME*N:PATH or SCHEME*N@FORMAT:PATH.

    labels (Optional[Mapping]): Label map, see `make_label_scheme`.
    """
    if (match := _INPUT.fullmatch(value)) is None or match["copies"] == "0":
        problem = f"expected PATH, SCHEME:PATH or SCHEME*N@FORMAT:PATH, not '{value}'"
        raise CorpusError(problem)
    path = Path(match["path"])
    format = check_format(match["format"] or format, path, encoding)
    scheme = match["scheme"] or scheme or FORMATS[format].scheme
    scheme_of = FORMATS[format].scheme_of
    if scheme is None and scheme_of is not None:
        scheme = scheme_of(path)
    if scheme not in TABLE:
        said = f"unknown label scheme '{scheme}'" if scheme else "no label scheme given"
        raise CorpusError(f"{path}: {said}; known are: {', '.join(TABLE)}")
    make_label_scheme(scheme, labels)
    return Input(path, scheme, int(match["copies"] or 1), format, labels)


def check_format(format: str, path: Path, encoding: str = "utf-8") -> str:
    """The format to read a file or folder in; `auto` is that which fits.

    RAISES (CorpusError): If there is no such format, or none fits.
    """
    if format == AUTO:
        return detect_format(path, encoding)
    if format not in FORMATS:
        problem = f"unknown format '{format}'; known are: {', '.join((AUTO, *FORMATS))}"
        raise CorpusError(problem)
    return format


def convert(
    inputs: Sequence[Input],
    lang: str = "en",
    *,
    seed: int = 0,
    shuffle: bool = True,
    dev_fraction: float = 0.0,
    leave_out: str = "",
    limit: int = 0,
    pseudonymize: dict[str, Any] | None = None,
    cut_sentences: bool = False,
    report: Report | None = None,
    progress: Callable[[Iterable[Doc]], Iterable[Doc]] = iter,
    **options: Any,
) -> Split:
    """Read and mix annotated documents.

    lang (str): Language code of the tokenizer.
    seed (int): Seed of the shuffle and of the split.
    dev_fraction (float): Share of the documents that is held back for development;
        documents of the same text are never on both sides.
    leave_out (str): "K/N": leave out fold K of N, see `folds`; "" for none.
    limit (int): At most so many documents of each input; 0 for all.
    pseudonymize (Optional[dict]): Put surrogates in place of the gold spans, with these
        settings of `GoldPseudonymizer`.
    cut_sentences (bool): Make a document of each sentence, and shuffle these.
    progress (Callable): Wraps the documents of an input while they are read.
    **options (Any): Options of the formats' readers.
    RAISES (CorpusError): For input that cannot be read, or has no annotated document.
    """
    report = Report() if report is None else report
    nlp = training_tokenizer(lang)
    fold = parse_fold(leave_out) if leave_out else None
    replace = None
    if pseudonymize is not None:
        replace = GoldPseudonymizer(nlp, sentences=cut_sentences, **pseudonymize)
    read: list[_Read] = []
    for source in inputs:
        report.start(**{**asdict(source), "path": str(source.path)})
        documents = read_documents(source.format, source.path, report, **options)
        scheme = make_label_scheme(source.scheme, source.labels)
        docs = make_gold_docs(nlp, documents, scheme, report, limit)
        n = len(read)
        for number, doc in enumerate(progress(docs), 1):
            new: Doc | None = doc
            if replace is not None:
                new = _replaced(replace, doc, source, number, report)
            elif cut_sentences:
                set_sentences(doc, doc)
            if new is not None:
                read.append((doc.text, new, source.copies))
        if len(read) == n:
            raise CorpusError(_why_empty(source, report, **options))
    rng = random.Random(seed)
    train, dev = _split(read, dev_fraction, fold, rng)
    if cut_sentences:
        return Split(shuffle_sentences(train, rng), shuffle_sentences(dev, rng))
    if shuffle:
        rng.shuffle(train)
    return Split(train, dev)


def _split(
    read: Sequence[_Read],
    dev_fraction: float,
    fold: tuple[int, int] | None,
    rng: random.Random,
) -> tuple[list[Doc], list[Doc]]:
    """Documents held back, and as many copies of the others as are asked for, without a
    fold."""
    held = _hold_back([text for text, _, _ in read], dev_fraction, rng)
    dev = [doc for text, doc, _ in read if text in held]
    if fold is not None:
        held |= {text for text, _, _ in read if fold_of(text, fold[1]) == fold[0]}
    train = [doc for text, doc, n in read for _ in range(n) if text not in held]
    return train, dev


def training_tokenizer(lang: str) -> Language:
    """The tokenizer of a recognizer to be trained, for texts of any length.

    RAISES (CorpusError): If spaCy does not have the language.
    """
    try:
        nlp = blank_pipeline(lang)
    except ImportError:
        problem = f"spaCy has no language '{lang}', or lacks its parts"
        raise CorpusError(problem) from None
    # The limit guards components that these docs never meet.
    nlp.max_length = sys.maxsize
    return nlp


def _replaced(
    replace: GoldPseudonymizer, doc: Doc, source: Input, number: int, report: Report
) -> Doc | None:
    """A document with surrogates; None if it cannot be freed of its originals."""
    if PII_KEY not in doc.spans:
        return None  # Counted where it was read.
    try:
        return replace(doc, report)
    except (RuntimeError, StrategyError):
        # The message tells nothing that the reader of a report needs.
        where = {"file": str(source.path), "doc_id": f"{number}."}
        report.add("not_pseudonymized", **where)
        return None


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
    first = ((f"{counts[k]} {text}, the first", k) for k, text in _LEFT_OUT.items())
    reasons = [f"{told}: {report.first[k]}" for told, k in first if counts[k]]
    if not reasons and source.format == "tab" and options.get("quality_checked"):
        reasons = ["none was checked; leave out --quality-checked"]
    why = "; ".join(reasons) or f"nothing to read as {source.format}; see --format"
    return f"no annotated documents in {source.path}: {why}"


def _hold_back(given: Sequence[str], fraction: float, rng: random.Random) -> set[str]:
    """Texts for development."""
    if not fraction:
        return set()
    texts = list(dict.fromkeys(given))
    if (n := max(1, round(fraction * len(texts)))) >= len(texts):
        problem = f"{len(texts)} different documents are too few to hold some back"
        raise CorpusError(problem)
    return set(rng.sample(texts, n))


def write_docbins(docs: dict[Path, list[Doc]]) -> None:
    """Write the Docs of each `.spacy` file, all of them complete or none at all."""
    parts = {path: path.with_name(path.name + ".part") for path in docs}
    try:
        for path, part in parts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(DocBin(docs=docs[path], store_user_data=False).to_bytes())
        for path, part in parts.items():
            part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def write_docbin(docs: Iterable[Doc], path: str | Path) -> None:
    """Write Docs to a `.spacy` file, complete or not at all."""
    write_docbins({Path(path): list(docs)})
