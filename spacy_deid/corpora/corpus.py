"""The formats of annotated corpora: how each is recognised, and its reader for
`[corpora]` of a config."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.training import Example

from ..label_schemes import make_label_scheme
from ..registries import registry
from .brat import ANNOTATION, TEXT, read_brat
from .conll import (
    AUTO,
    SAMPLE,
    SUFFIXES,
    check_join,
    guess_columns,
    read_conll,
)
from .essays import read_essays
from .files import CorpusError, InputError, find_files, read_json, read_lines
from .readers import DocumentReader, Records, make_gold_docs, read_jsonl, read_tab
from .report import CHANGES, Report

Corpus = Callable[[Language], Iterable[Example]]


class Format(NamedTuple):
    """A format: its reader, label scheme and options."""

    read: Callable[..., Iterator[Records]]
    scheme: str | None = None
    options: tuple[str, ...] = ()


FORMATS: dict[str, Format] = {
    "jsonl": Format(read_jsonl, "tab"),
    "tab": Format(read_tab, "tab", ("quality_checked",)),
    "essays": Format(read_essays, "essays"),
    "brat": Format(read_brat),
    "conll": Format(
        read_conll, "conll", ("join", "n_sents", "token_column", "tag_column")
    ),
}


def read_documents(
    format: str, path: Path, report: Report, **options: Any
) -> Iterator[Records]:
    """Documents of a corpus; options of other formats are passed by."""
    known = ("encoding", *FORMATS[format].options)
    chosen = {name: value for name, value in options.items() if name in known}
    return FORMATS[format].read(path, report, **chosen)


def detect_format(path: Path, encoding: str = "utf-8") -> str:
    """Recognise the format of a file or folder by names and first record.

    RETURNS (str): Key of FORMATS.
    RAISES (InputError): If there is nothing to read, or no format fits.
    """
    files = find_files(path, ".json", ".jsonl", ANNOTATION, TEXT, *SUFFIXES)
    pair = path.suffix == TEXT and path.with_name(path.stem + ANNOTATION).exists()
    if pair or any(file.suffix.lower() == ANNOTATION for file in files):
        return "brat"
    file = next((f for f in files if f.suffix in (".jsonl", ".json")), files[0])
    if file.suffix in SUFFIXES:
        return "conll"
    is_lines = file.suffix == ".jsonl"
    alike = (f for f in files if f.suffix == file.suffix)
    sample = [line for _, line in islice(read_lines(file, encoding), SAMPLE)]
    found = None
    if is_lines or "".join(sample).lstrip()[:1] in ("[", "{", ""):
        record = next((r for f in alike for _, r in read_json(f, encoding)), None)
        if record is None:
            raise InputError(file, None, "there are no documents in it")
        found = _format_of(record, is_lines)
    else:
        # Files are named as `eng.train`, too.
        try:
            guess_columns(file, sample)
            found = "conll"
        except InputError:
            pass
    if found is None:
        known = ", ".join(FORMATS)
        raise InputError(file, None, f"unknown format: name one with --format: {known}")
    return found


def _format_of(record: Any, is_lines: bool) -> str | None:
    """Format of a JSON value; without labels, too: the reader says what is missing."""
    names = record.keys() if isinstance(record, dict) else ()
    if "full_text" in names and ("tokens" in names or "text" not in names):
        return "essays"
    if "tokens" in names and "labels" in names:
        return "essays"
    if "annotations" in names and not is_lines:
        return "tab"
    return "jsonl" if "text" in names or is_lines else None


@dataclass
class GoldCorpus:
    """Corpus reader for `[corpora]`: what the readers of all formats share.

    path (Path): A file or folder.
    scheme (str): Name of the label scheme.
    limit (int): At most so many documents; 0 for all.
    """

    read: DocumentReader
    path: str | Path
    scheme: str
    limit: int = 0
    warned: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        make_label_scheme(self.scheme)
        if self.limit < 0:
            raise CorpusError(f"limit must be 0 or more, not {self.limit}")

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Read the corpus."""
        report, scheme = Report(max_issues=0), make_label_scheme(self.scheme)
        documents = self.read(Path(self.path), report)
        for doc in make_gold_docs(nlp, documents, scheme, report, self.limit):
            yield Example(nlp.make_doc(doc.text), doc)
        parts = [("lost", report.summary()), ("changed", report.summary(CHANGES))]
        said = "; ".join(f"{name}: {counts}" for name, counts in parts if counts)
        # Not in each epoch again.
        if said and not self.warned:
            self.warned = True
            warnings.warn(
                f"{self.path}: not all annotations can be used as they are. {said}. "
                "`python -m spacy deid convert` tells where they are.",
                stacklevel=2,
            )


@registry.readers("spacy_deid.JsonlCorpus.v1")
def create_jsonl_corpus(
    path: str | Path, scheme: str = "tab", limit: int = 0, encoding: str = "utf-8"
) -> Corpus:
    """Annotated JSON lines: a file, or a folder of `.jsonl`."""
    return GoldCorpus(partial(read_jsonl, encoding=encoding), path, scheme, limit)


@registry.readers("spacy_deid.TabCorpus.v1")
def create_tab_corpus(
    path: str | Path,
    scheme: str = "tab",
    limit: int = 0,
    quality_checked: bool = False,
    encoding: str = "utf-8",
) -> Corpus:
    """The Text Anonymization Benchmark as published, all of it or what a second person
    went through."""
    read = partial(read_tab, quality_checked=quality_checked, encoding=encoding)
    return GoldCorpus(read, path, scheme, limit)


@registry.readers("spacy_deid.EssayCorpus.v1")
def create_essay_corpus(
    path: str | Path, scheme: str = "essays", limit: int = 0, encoding: str = "utf-8"
) -> Corpus:
    """Essays with tokens and labels: a file, or a folder of `.json`."""
    return GoldCorpus(partial(read_essays, encoding=encoding), path, scheme, limit)


@registry.readers("spacy_deid.BratCorpus.v1")
def create_brat_corpus(
    path: str | Path, scheme: str, limit: int = 0, encoding: str = "utf-8"
) -> Corpus:
    """A folder of brat stand-off."""
    return GoldCorpus(partial(read_brat, encoding=encoding), path, scheme, limit)


@registry.readers("spacy_deid.ConllCorpus.v1")
def create_conll_corpus(
    path: str | Path,
    scheme: str = "conll",
    limit: int = 0,
    join: str = AUTO,
    n_sents: int = 1,
    token_column: int | None = None,
    tag_column: int | None = None,
    encoding: str = "utf-8",
) -> Corpus:
    """CoNLL and BIO files; see `read_conll`."""
    read = partial(
        read_conll,
        join=check_join(join, n_sents),
        n_sents=n_sents,
        token_column=token_column,
        tag_column=tag_column,
        encoding=encoding,
    )
    return GoldCorpus(read, path, scheme, limit)
