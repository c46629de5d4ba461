"""Annotated corpora to spaCy's binary format, for `spacy train`.

    python -m spacy_deid.corpora.convert OUT.spacy tab:train.jsonl conll*2@conll:news/

Each input is SCHEME:PATH; SCHEME*N:PATH takes its documents N times, and
SCHEME@FORMAT:PATH names a format that is not recognised. `python -m spacy deid convert`
takes the same inputs and has more options.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from ..label_schemes import TABLE, make_label_scheme
from .files import CorpusError
from .formats import AUTO, FORMATS, detect_format, read_documents
from .readers import make_gold_docs
from .report import Report

PART = ".part"
_INPUT = re.compile(
    r"(?:(?P<scheme>[a-z]\w*)(?:\*(?P<copies>\d+))?(?:@(?P<format>[a-z]+))?:)?(?P<path>.+)"
)


@dataclass(frozen=True)
class Input:
    """A corpus to convert.

    path (Path): File or folder.
    scheme (str): Name of its label scheme.
    copies (int): How many times its documents are taken.
    format (str): Key of FORMATS.
    """

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
    """Parse PATH, SCHEME:PATH, SCHEME*N:PATH or SCHEME*N@FORMAT:PATH.

    value (str): The argument.
    scheme (str): Scheme of a PATH alone; None for the usual one of its format.
    format (str): Format where none is given: a key of FORMATS or `auto`.
    encoding (str): Encoding of the files.
    RETURNS (Input): The input.
    RAISES (CorpusError): If it has another form, or names what does not exist.
    """
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


def blank_pipeline(lang: str) -> Language:
    """An empty pipeline with the package's tokenizer.

    lang (str): Language code.
    RETURNS (Language): The pipeline.
    """
    return spacy.blank(
        lang, config={"nlp": {"tokenizer": {"@tokenizers": "spacy_deid.tokenizer.v1"}}}
    )


def convert(
    inputs: Sequence[Input],
    lang: str = "en",
    *,
    seed: int = 0,
    shuffle: bool = True,
    dev_fraction: float = 0.0,
    limit: int = 0,
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
    report (Report): Counts what becomes of each annotation.
    progress (Callable): Wraps the documents of an input while they are read.
    **options (Any): Options of the formats' readers.
    RETURNS (Split): The reference docs.
    RAISES (CorpusError): For input that cannot be read.
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
    read: list[tuple[list[Doc], int]] = []
    for source in inputs:
        report.start(
            path=str(source.path),
            format=source.format,
            scheme=source.scheme,
            copies=source.copies,
        )
        documents = read_documents(source.format, source.path, report, **options)
        scheme = make_label_scheme(source.scheme)
        docs = make_gold_docs(nlp, documents, scheme, report, limit)
        read.append((list(progress(docs)), source.copies))
    rng = random.Random(seed)
    everything = [doc for docs, _ in read for doc in docs]
    held = _hold_back(everything, dev_fraction, rng)
    dev = [doc for doc in everything if doc.text in held]
    train: list[Doc] = []
    for docs_read, copies in read:
        train.extend([doc for doc in docs_read if doc.text not in held] * copies)
    if shuffle:
        rng.shuffle(train)
    return Split(train, dev)


def _hold_back(docs: Sequence[Doc], fraction: float, rng: random.Random) -> set[str]:
    """Texts for development."""
    if not fraction:
        return set()
    texts = list(dict.fromkeys(doc.text for doc in docs))
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
    """Write Docs to a `.spacy` file, complete or not at all.

    docs (Iterable[Doc]): The docs.
    path (Path): The file.
    """
    write_docbins({Path(path): list(docs)})


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m spacy_deid.corpora.convert")
    parser.add_argument("output", type=Path)
    parser.add_argument("inputs", nargs="+", metavar="SCHEME[*N][@FORMAT]:PATH")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)
    report = Report()
    try:
        inputs = [parse_input(value) for value in args.inputs]
        split = convert(inputs, args.lang, seed=args.seed, report=report)
        write_docbin(split.train, args.output)
    except (CorpusError, OSError) as e:
        print(f"convert: {e}", file=sys.stderr)
        return 1
    print(report.table(), file=sys.stderr)
    print(f"{args.output}: {len(split.train)} documents", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
