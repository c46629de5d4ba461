"""Corpus readers for `[corpora]` of a config: annotated documents as examples."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from spacy.language import Language
from spacy.training import Example

from ..label_schemes import make_label_scheme
from ..registries import registry
from .brat import read_brat
from .conll import AUTO, check_join, read_conll
from .essays import read_essays
from .files import CorpusError
from .readers import DocumentReader, make_gold_docs, read_jsonl
from .report import CHANGES, Report
from .tab import read_tab

Corpus = Callable[[Language], Iterable[Example]]


@dataclass
class GoldCorpus:
    """Corpus reader for `[corpora]`: what the readers of all formats share."""

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
    """Corpus reader for annotated JSON lines.

    path (Path): File or folder of `.jsonl`, as under DESIGN section 6 (GOLD).
    scheme (str): Name of the label scheme.
    limit (int): At most so many documents; 0 for all.
    encoding (str): Encoding of the files.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader.
    """
    return GoldCorpus(partial(read_jsonl, encoding=encoding), path, scheme, limit)


@registry.readers("spacy_deid.TabCorpus.v1")
def create_tab_corpus(
    path: str | Path,
    scheme: str = "tab",
    limit: int = 0,
    quality_checked: bool = False,
    encoding: str = "utf-8",
) -> Corpus:
    """Corpus reader for the Text Anonymization Benchmark as published.

    path (Path): A file, or a folder of `.json` files.
    quality_checked (bool): Only documents that a second person went through.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader; further settings as
        of `create_jsonl_corpus`.
    """
    read = partial(read_tab, quality_checked=quality_checked, encoding=encoding)
    return GoldCorpus(read, path, scheme, limit)


@registry.readers("spacy_deid.EssayCorpus.v1")
def create_essay_corpus(
    path: str | Path, scheme: str = "essays", limit: int = 0, encoding: str = "utf-8"
) -> Corpus:
    """Corpus reader for essays with tokens and labels.

    path (Path): A file, or a folder of `.json` files.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader; further settings as
        of `create_jsonl_corpus`.
    """
    return GoldCorpus(partial(read_essays, encoding=encoding), path, scheme, limit)


@registry.readers("spacy_deid.BratCorpus.v1")
def create_brat_corpus(
    path: str | Path, scheme: str, limit: int = 0, encoding: str = "utf-8"
) -> Corpus:
    """Corpus reader for brat stand-off.

    path (Path): Folder with `.txt` and `.ann` files.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader; further settings as
        of `create_jsonl_corpus`.
    """
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
    """Corpus reader for CoNLL and BIO files.

    path (Path): File, or folder of files with the endings in SUFFIXES.
    join (str): `auto`, `documents` or `sentences`, see `read_conll`, as for `n_sents`,
        `token_column` and `tag_column`.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader; further settings as
        of `create_jsonl_corpus`.
    """
    read = partial(
        read_conll,
        join=check_join(join, n_sents),
        n_sents=n_sents,
        token_column=token_column,
        tag_column=tag_column,
        encoding=encoding,
    )
    return GoldCorpus(read, path, scheme, limit)
